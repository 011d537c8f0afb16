package code

import (
	"slices"
	"strconv"
	"strings"

	"uncoil/internal/engine/ascii"
)

// What java.net.http.HttpClient of Java 17 does by itself, measured on the
// wire: it adds User-Agent, and over http offers HTTP/2 unless told not to;
// writes names in the order of the alphabet, and values in ASCII; refuses the
// method CONNECT and the fields Connection, Expect, Host and Upgrade, unless a
// property allows them; takes no characters in URLs that RFC 2396 forbids, and
// no host names with an underscore, so that the program asks for the address of
// such a host, and names it in a field. It follows no redirects unless told to, and
// then sends all fields to other hosts, so that the program follows them itself where
// the command has a secret. Paths and methods go out as they are.
var httpClient = client{
	modernTLS: true,
	adds:      fieldNames{"User-Agent"},
	always:    fieldNames{"User-Agent", "Host"},
	fixed:     fieldNames{"Proxy-Connection"},
	codings:   namesNoChunks,
	methods:   func(method string) bool { return method != "CONNECT" },
	visible:   true,
	counts:    func(string) bool { return true },
	emptyHost: true,
	says:      []string{"createDirs", "followRedirects", "maxRedirects", "maxTime", "connectTimeout", "retry", "insecure", "cacert", "resolve", "connectTo"},
	bounds:    leavesTLS,
	proxies:   []string{"http"},
	answers:   true,
	shares:    fieldNames{"Authorization", "Cookie"},
	versions:  []string{"1.1", "2", "h2c"},
	loops: func(c *call) bool {
		return c.guarded() && c.follow && c.maxRedirects != 0 && c.retries == 0 && !c.takesInput()
	},
}

var javaHTTPClient = Target{
	Name: "java", Language: "java", Client: "HttpClient", Version: "17", Kind: Code, Extension: "java",
	Aliases: []string{"java-httpclient", "java-http-client"}, Proven: true,
	style: style{indent: "    ", comment: "// ", wraps: "="}, write: java.httpClient, client: httpClient,
	lower: []*Target{&javaHttpURLConnection},
}

var groovyHTTPClient = Target{
	Name: "groovy", Language: "groovy", Client: "HttpClient", Version: "17", Kind: Code, Extension: "groovy",
	Aliases: []string{"groovy-httpclient"}, Proven: true,
	style: style{indent: "    ", comment: "// ", wraps: "="}, write: groovy.httpClient, client: httpClient,
}

var kotlinHTTPClient = Target{
	Name: "kotlin", Language: "kotlin", Client: "HttpClient", Version: "17", Kind: Code, Extension: "kt",
	Aliases: []string{"kotlin-httpclient"}, Proven: true,
	style: style{indent: "    ", comment: "// ", wraps: "="}, write: kotlin.httpClient, client: httpClient,
}

var scalaHTTPClient = Target{
	Name: "scala", Language: "scala", Client: "HttpClient", Version: "17", Kind: Code, Extension: "scala",
	Aliases: []string{"scala-httpclient"}, Proven: true,
	style: style{indent: "  ", comment: "// ", wraps: "="}, write: scala.httpClient, client: scalaHTTP(),
}

// scalaHTTP is HttpClient for Scala 2.11, which makes no BiPredicate of a function.
func scalaHTTP() client {
	c := httpClient
	c.loops = nil
	return c
}

// httpClient writes the calls with java.net.http.HttpClient.
func (d *jvm) httpClient(p *program) {
	clients := make(map[string]string)
	sections := p.sections(d.depth(p), func(c *call, suffix string) {
		r := httpClientCall{jvmCall{p: p, c: c, jvm: d, suffix: suffix, clients: clients}}
		r.write()
	})
	d.frame(p, sections, p.httpClientProperties(d))
}

// httpClientProperties returns the arguments that set properties, which
// HttpClient reads once.
func (p *program) httpClientProperties(d *jvm) []string {
	var allowed, out []string
	redirects := int64(0)
	for _, c := range p.calls {
		for _, name := range []string{"connection", "expect", "host", "upgrade"} {
			if c.field(name) != nil && !slices.Contains(allowed, name) {
				allowed = append(allowed, name)
			}
		}
		if c.follow && c.maxRedirects != curlRedirects && !p.target.client.loopsFor(c) {
			redirects = max(redirects, c.maxRedirects+1, (c.maxRedirects>>63)&0x7fffffff)
		}
	}
	if allowed != nil {
		out = append(out, d.literal("jdk.httpclient.allowRestrictedHeaders")+", "+d.literal(strings.Join(allowed, ",")))
	}
	if redirects > 0 {
		out = append(out, d.literal("jdk.httpclient.redirects.retrylimit")+", "+d.literal(itoa(int(redirects))))
	}
	if slices.ContainsFunc(p.calls, func(c *call) bool { return c.secure() && c.hasProxyUser() }) {
		out = append(out, d.literal("jdk.http.auth.tunneling.disabledSchemes")+", "+d.literal(""))
	}
	return out
}

// hasProxyUser reports credentials for the proxy.
func (c *call) hasProxyUser() bool {
	_, user, _ := c.proxyParts()
	return c.proxyScheme() != "" && len(user) > 0
}

// A httpClientCall writes one call with HttpClient.
type httpClientCall struct{ jvmCall }

func (r *httpClientCall) write() {
	r.p.use("java.net.URI")
	r.p.use("java.net.http.HttpClient")
	r.p.use("java.net.http.HttpRequest")
	r.checkURL()
	url := method("URI.create", leaf(r.urlExpression()))
	client := r.client()
	content := r.publisher()
	request := r.p.list(8)
	if start := method("HttpRequest.newBuilder", url); r.p.fits(len("var request = ") + start.width) {
		request = append(request, start)
	} else {
		request = append(request, leaf("HttpRequest.newBuilder()"), method(".uri", url))
	}
	if r.c.timeout > 0 {
		request = append(request, leaf(".timeout("+r.duration(r.c.timeout)+")"))
	}
	request = append(request, r.headers()...)
	request = append(request, r.methodCall(content)...)
	let := r.let
	if r.loops() {
		let = r.variable()
	}
	r.result(client, r.declare(let, "request", append(request, leaf(".build()"))...))
}

// uri returns the URL as java.net.URI takes it.
func (r *httpClientCall) uri() text {
	start, path := r.escapedPath()
	return mergeLiterals(append(r.c.url.cut(0, start), path...))
}

// escapedPath returns the path and the query with the characters percent-encoded
// that java.net.URI does not take, brackets only in the path, and where they start
// in the URL.
func (r *httpClientCall) escapedPath() (start int, _ text) {
	source := r.c.URL
	path := strings.Index(source, "://") + len("://")
	if i := strings.IndexAny(source[path:], "/?"); i >= 0 {
		path += i
	} else {
		path = len(source)
	}
	query := len(source)
	if i := strings.IndexByte(source[path:], '?'); i >= 0 {
		query = path + i
	}
	escaped := func(t text, unsafe string) text {
		return t.escaped(func(c byte) bool { return strings.IndexByte(unsafe, c) >= 0 })
	}
	const unsafe = "\"<>\\^`{|}"
	out := escaped(r.c.url.cut(path, query), unsafe+"[]")
	return path, mergeLiterals(append(out, escaped(r.c.url.cut(query, len(source)), unsafe)...))
}

// checkURL refuses what java.net.URI does not take.
func (r *httpClientCall) checkURL() {
	if !escapesWhole(r.c.url.literals()) {
		r.p.refuse("sends no % that begins no escape")
	}
	if a, ok := r.c.address(); ok && !r.leads() && !uriTakes(a.host.source()) {
		r.p.refuseName(nowhere, "takes no such host", a.host.source())
	}
}

// underscored reports a host with an underscore, other than in a placeholder, which
// curl connects to as little.
func underscored(host string) bool {
	return strings.Contains(host, "_") && !strings.ContainsAny(host, "<>{}")
}

// uriTakes reports whether java.net.URI takes a host.
func uriTakes(host string) bool {
	last := host[strings.LastIndexByte(host, '.')+1:]
	return !underscored(host) && (last == "" || !ascii.IsDigit(last[0]) || isAddress(host))
}

// leads reports whether the program connects to another host than that of the
// field Host: where an option says so, and to the address of a host with an
// underscore. It cannot with TLS, which checks the name, through a proxy, which
// is told the name, and where redirects are followed, because the field goes to
// the next host too.
func (r *httpClientCall) leads() bool {
	if r.c.encrypts || r.c.follow || r.c.proxyScheme() != "" {
		return false
	}
	a, known := r.c.address()
	host, _ := r.c.connection()
	return known && (host != "" || underscored(a.host.source()))
}

// urlExpression returns an expression for the URL that the program connects to.
func (r *httpClientCall) urlExpression() string {
	if !r.leads() {
		r.p.loseAddress(r.c)
		return r.urlText(r.uri())
	}
	a, _ := r.c.address()
	host, port := r.c.connection()
	name := a.host.source()
	if a.portOr() != "80" {
		name += ":" + a.port
	}
	if r.c.field("Host") == nil {
		r.c.fields = slices.Insert(r.c.fields, 0, field{name: "Host", value: literal(name)})
	}
	before := ""
	if host == "" {
		r.p.use("java.net.InetAddress")
		r.p.comment("HttpClient takes no host with an underscore, but its address")
		before = r.literal("http://") + r.plus + r.set("address", leaf("InetAddress.getByName("+r.literal(a.host.source())+").getHostAddress()")) + r.plus
		port = a.portOr()
	}
	_, path := r.escapedPath()
	rest := prefixed(strings.TrimSuffix(joinHostPort(host, port), ":80"), path)
	if before != "" {
		return strings.TrimSuffix(before+r.text(rest), r.plus+r.literal(""))
	}
	return r.text(prefixed("http://", rest))
}

func (r *httpClientCall) headers() []node {
	var out []node
	for _, f := range r.c.fields {
		value := r.fieldValue(&f)
		out = append(out, method(".header", leaf(r.literal(f.name)), leaf(value)))
	}
	if r.c.hasProxyUser() {
		_, user, password := r.c.proxyParts()
		out = append(out, method(".header", leaf(r.literal("Proxy-Authorization")), leaf(r.basicValue("proxyCredentials", (&credentials{user: user, password: password}).joined()))))
	}
	return out
}

// methodCall returns the call that sets the method.
func (r *httpClientCall) methodCall(content node) []node {
	has := r.c.body.kind != noBody
	switch {
	case r.c.Method == "GET" && !has:
		return nil
	case r.c.Method == "DELETE" && !has:
		return []node{leaf(".DELETE()")}
	}
	if !has {
		r.p.use("java.net.http.HttpRequest.BodyPublishers")
		content = leaf("BodyPublishers.noBody()")
	}
	if r.c.Method == "POST" || r.c.Method == "PUT" {
		if content.more != nil {
			return []node{content.around("."+r.c.Method+"(", ")")}
		}
		return []node{method("."+r.c.Method, content)}
	}
	return []node{method(".method", leaf(r.literal(r.c.Method)), content)}
}

// publisher returns the publisher of the content, after statements that it
// needs.
func (r *httpClientCall) publisher() node {
	if r.c.body.kind == noBody {
		return node{}
	}
	r.p.use("java.net.http.HttpRequest.BodyPublishers")
	var out []node
	for _, one := range r.contentPieces() {
		out = append(out, r.publish(&one))
	}
	if len(out) > 1 {
		list := group("BodyPublishers.concat", "(", out, ")")
		list.broken = true
		return leaf(r.set("body", list))
	}
	return out[0]
}

// publish returns the publisher of a piece.
func (r *httpClientCall) publish(one *piece) node {
	switch {
	case one.isText && one.text.isText():
		content := r.long(r.p, one.text)
		if r.c.body.kind == rawBody && (len(content.more) > 0 || len(content.head) > longLiteral/2) {
			content = leaf(r.set("body", content))
		}
		return content.around("BodyPublishers.ofString(", ")")
	case one.isText:
		r.p.use("java.nio.charset.StandardCharsets")
		return leaf("BodyPublishers.ofString(" + r.text(one.text) + ", StandardCharsets.ISO_8859_1)")
	case one.changed():
		return leaf("BodyPublishers.ofString(" + r.changedContent(one) + ", StandardCharsets.ISO_8859_1)")
	case one.file.source() == "-":
		return leaf("BodyPublishers.ofByteArray(" + r.bytesOf(one.file) + ")")
	}
	return leaf("BodyPublishers.ofFile(" + r.path(one.file) + ")")
}

// client returns the variable of the client, after the statements that make
// it, unless one before is the same.
func (r *httpClientCall) client() string {
	var set []string
	if r.c.httpVersion == "1.1" || r.c.httpVersion == "" && !r.c.secure() {
		set = append(set, ".version(HttpClient.Version.HTTP_1_1)")
	}
	if r.c.follow && !r.loops() {
		set = append(set, ".followRedirects(HttpClient.Redirect.ALWAYS)")
	}
	if r.c.connectTimeout > 0 {
		set = append(set, ".connectTimeout("+r.duration(r.c.connectTimeout)+")")
	}
	if r.c.proxyScheme() != "" {
		r.p.use("java.net.ProxySelector")
		set = append(set, ".proxy(ProxySelector.of("+r.socketAddress()+"))")
	}
	if versions := r.c.rangeTLS(); len(versions) > 0 {
		r.p.use("javax.net.ssl.SSLParameters")
		for i, version := range versions {
			versions[i] = r.literal("TLSv" + strings.ReplaceAll(version, "_", "."))
		}
		set = append(set, ".sslParameters("+r.create+"SSLParameters(null, "+r.arrayOf("String", versions...)+"))")
	}
	return r.shared("HttpClient.newHttpClient()", "HttpClient.newBuilder()", set, func() []string {
		if context, _ := r.tls(true); context != "" {
			return []string{".sslContext(" + context + ")"}
		}
		return nil
	})
}

// loops reports whether the program follows the redirects itself.
func (r *httpClientCall) loops() bool { return r.p.target.client.loopsFor(r.c) }

// noneOf returns the condition that the variable name is none of the literals.
func (r *httpClientCall) noneOf(literals []string) string {
	if len(literals) == 1 {
		return r.differs[0] + literals[0] + r.differs[1]
	}
	return "!" + r.listOf(strings.Join(literals, ", ")) + ".contains(name)"
}

// follow writes what sends the request, and again where the response redirects it.
// The fields for the server of the URL go to no other.
func (r *httpClientCall) follow(request, response string, send func(request string) string, answer func(request string) node) {
	var guarded, typed []string
	for i := range r.c.fields {
		switch f := &r.c.fields[i]; {
		case f.guarded():
			guarded = append(guarded, r.literal(f.name))
		case f.typesContent():
			typed = append(typed, r.literal(f.name))
		}
	}
	redirects, location := "redirects"+r.suffix, "location"+r.suffix
	located := location + " = " + response + ".headers().firstValue(" + r.literal("Location") + ")"
	rebuilt := func(condition string) node {
		return method("HttpRequest.newBuilder", leaf(request), leaf(r.filter[0]+condition+r.filter[1]))
	}
	r.p.node(r.variable()+response+" = ", answer(request), r.end)
	r.do(r.variable(), located)
	origin := r.set("origin", leaf(request+".uri().resolve("+r.literal("/")+")"))
	limit := r.c.maxRedirects
	if limit >= 0 {
		r.do(r.variable(), redirects, " = 0")
	}
	r.p.block("while ("+location+".isPresent() && "+response+".statusCode()"+r.hundreds+" == 3) {", func() {
		if limit >= 0 {
			r.p.use("java.io.IOException")
			r.do(redirects, " += 1")
			r.p.line("if (", redirects, " > ", strconv.FormatInt(limit, 10), ") {")
			r.do(r.p.indent, "throw ", r.create, "IOException(", r.literal("too many redirects"), ")")
			r.p.line("}")
		}
		if statuses := r.c.emptying(); len(statuses) > 0 {
			without := ".GET()"
			if r.c.keepsMethod {
				r.p.use("java.net.http.HttpRequest.BodyPublishers")
				without = ".method(" + r.literal(r.c.Method) + ", BodyPublishers.noBody())"
			}
			r.p.block("if ("+r.listOf(strings.Join(statuses, ", "))+".contains("+response+".statusCode())) {", func() {
				goes := "true"
				if len(typed) > 0 {
					goes = r.noneOf(typed)
				}
				r.p.chain(request+" = ", []node{rebuilt(goes), leaf(without), leaf(".build()")}, r.end)
			})
			r.p.line("}")
		}
		r.do(r.let, "next = ", response, ".uri().resolve(", location, ".get())")
		r.do(r.let, "same = next.resolve(", r.literal("/"), ").equals(", origin, ")")
		keeps := "true"
		if len(guarded) > 0 {
			keeps = "same || " + r.noneOf(guarded)
		}
		r.p.chain(r.let+"redirected = ", []node{rebuilt(keeps), leaf(".uri(next)"), leaf(".build()")}, r.end)
		if r.c.digest != nil {
			r.p.block("if (same) {", func() { r.p.node(response+" = ", answer("redirected"), r.end) })
			r.p.block("} else {", func() { r.do(response, " = ", send("redirected")) })
			r.p.line("}")
		} else {
			r.do(response, " = ", send("redirected"))
		}
		r.do(located)
	})
	r.p.line("}")
}

// answer returns what makes the call that sends a request, and answers for Digest
// where the command says so.
func (r *httpClientCall) answer(client, handler string) func(request string) node {
	if r.c.digest == nil || !r.p.target.client.answers {
		return func(request string) node { return leaf(client + ".send(" + request + ", " + handler + ")") }
	}
	if r.c.follow && !r.loops() {
		r.p.answersFirst(r.c)
	}
	for _, name := range strings.Fields(digestImports[r.p.target.Language]) {
		r.p.use("java." + name)
	}
	r.p.answerDigest("HttpClient." + r.p.target.Extension)
	if language := r.p.target.Language; language == "java" || language == "kotlin" {
		r.p.answerDigest("answer." + r.p.target.Extension)
	}
	return func(request string) node {
		return method("sendDigest", leaf(client), leaf(request), leaf(handler), leaf(r.text(r.c.digest.user)), leaf(r.text(r.c.digest.password)))
	}
}

// digestImports are what the functions that answer for Digest need in each language.
var digestImports = map[string]string{
	"java":   sharedDigestImports + javaDigestImports + "net.http.HttpResponse.BodyHandler",
	"groovy": sharedDigestImports + "security.MessageDigest util.UUID",
	"kotlin": sharedDigestImports + "security.MessageDigest util.UUID net.http.HttpResponse.BodyHandler",
	"scala":  sharedDigestImports + "security.MessageDigest util.UUID net.http.HttpResponse.BodyHandler util.function.BiPredicate",
}

const (
	sharedDigestImports = "net.http.HttpRequest.BodyPublishers net.http.HttpResponse "
	javaDigestImports   = "io.IOException nio.charset.StandardCharsets security.MessageDigest security.NoSuchAlgorithmException " +
		"util.HashMap util.HexFormat util.UUID util.regex.Pattern "
)

// result sends the request, and writes what is done with the response.
func (r *httpClientCall) result(client, request string) {
	r.p.use("java.net.http.HttpResponse.BodyHandlers")
	handler := "ofString"
	to := r.c.destination(r.p.options)
	switch {
	case to == toFile:
		handler = "ofInputStream"
	case to == headersPrinted, to == discarded && !r.p.options.Bare:
		handler = "discarding"
	}
	handler = "BodyHandlers." + handler + "()"
	send := func(request string) string { return client + ".send(" + request + ", " + handler + ")" }
	answer := r.answer(client, handler)
	response := "response" + r.suffix
	switch {
	case r.loops():
		r.follow(request, response, send, answer)
	case r.c.retries > 0:
		r.again(response, answer(request).line(), ".statusCode()", "")
	default:
		r.set("response", answer(request))
	}
	r.checkStatus(response + ".statusCode()")
	switch to {
	case toFile:
		r.save(response + ".body()")
	case headersPrinted:
		r.show(response + ".headers().map()")
	case contentPrinted:
		r.show(response + ".body()")
	}
}
