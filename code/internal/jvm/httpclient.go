package jvm

import (
	"slices"
	"strconv"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/urlparts"
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
var httpClient = plan.Client{
	Undecoded: true,
	ModernTLS: true,
	Adds:      plan.FieldNames{"User-Agent"},
	Wire:      plan.Wire{Order: "< Cookie", Path: "\"<>[]^`{|}", Query: "\"<>^`{|}\\é", Text: true},
	Always:    plan.FieldNames{"User-Agent", "Host"},
	Fixed:     plan.FieldNames{"Proxy-Connection"},
	Rules: plan.Rules{
		plan.SendsCodings(plan.NamesNoChunks),
		plan.SendsMethods(func(method string) bool { return method != "CONNECT" }),
		plan.VisibleFields,
	},
	Counts:    func(string) bool { return true },
	EmptyHost: true,
	Proxies:   []string{"http"},
	Answers:   true,
	Shares:    plan.FieldNames{"Authorization", "Cookie"},
	Versions:  []string{"1.1", "2", "h2c"},
	Loops: func(c *plan.Call) bool {
		return c.Guarded() && c.Follow() && c.MaxRedirects() != 0 && c.Retries() == 0 && !c.TakesInput()
	},
}

var HTTPClient = plan.Target{
	Name: "java", Convention: &javaConvention, Client: "HttpClient", Version: "17", Kind: plan.Code, Extension: "java",
	Packages: jackson,
	Aliases:  []string{"java-httpclient", "java-http-client"}, Proven: true,
	Style: emit.Style{Indent: "    ", Comment: "// ", Wraps: "="}, Write: java.httpClient, Functions: true, Decodes: true, Takes: plan.AnyFrom, Heads: true, Tries: javaTries, Facts: httpClient,
	Fallbacks: []*plan.Target{&HTTPURLConnection},
}

var GroovyHTTPClient = plan.Target{
	Name: "groovy", Convention: &groovyConvention, Client: "HttpClient", Version: "17", Kind: plan.Code, Extension: "groovy",
	Aliases: []string{"groovy-httpclient"}, Proven: true,
	Style: emit.Style{Indent: "    ", Comment: "// ", Wraps: "="}, Write: groovy.httpClient, Facts: httpClient,
}

var KotlinHTTPClient = plan.Target{
	Name: "kotlin", Convention: &kotlinConvention, Client: "HttpClient", Version: "17", Kind: plan.Code, Extension: "kt",
	Packages: jackson,
	Aliases:  []string{"kotlin-httpclient"}, Proven: true,
	Style: emit.Style{Indent: "    ", Comment: "// ", Wraps: "="}, Write: kotlin.httpClient, Functions: true, Decodes: true, Takes: plan.AnyFrom, Heads: true, Facts: httpClient,
}

var ScalaHTTPClient = plan.Target{
	Name: "scala", Convention: &scalaConvention, Client: "HttpClient", Version: "17", Kind: plan.Code, Extension: "scala",
	Aliases: []string{"scala-httpclient"}, Proven: true,
	Style: emit.Style{Indent: "  ", Comment: "// ", Wraps: "="}, Write: scala.httpClient, Facts: scalaHTTP(),
}

// scalaHTTP is HttpClient for Scala 2.11, which makes no BiPredicate of a function.
func scalaHTTP() plan.Client {
	c := httpClient
	c.Loops = nil
	return c
}

// httpClient writes the calls with java.net.http.HttpClient.
func (d *jvm) httpClient(p *plan.Program) {
	clients := make(map[string]string)
	sections := p.Sections(d.depth(p), func(c *plan.Call, suffix string) {
		known := clients
		if c.Caught() || c.After() { // its client stands in a block of its own
			known = make(map[string]string)
		}
		r := httpClientCall{jvmCall{p: p, c: c, jvm: d, suffix: suffix, clients: known}}
		r.computes()
		r.write()
	})
	d.frame(p, sections, httpClientProperties(p, d))
}

// httpClientProperties returns the arguments that set properties, which
// HttpClient reads once.
func httpClientProperties(p *plan.Program, d *jvm) []string {
	var allowed, out []string
	redirects := int64(0)
	for _, c := range p.Calls {
		for _, name := range []string{"connection", "expect", "host", "upgrade"} {
			if c.Field(name) != nil && !slices.Contains(allowed, name) {
				allowed = append(allowed, name)
			}
		}
		if c.Follow() && c.MaxRedirects() != plan.CurlRedirects && !p.Target.Facts.LoopsFor(c) {
			redirects = max(redirects, c.MaxRedirects()+1, (c.MaxRedirects()>>63)&0x7fffffff)
		}
	}
	if allowed != nil {
		out = append(out, d.Literal("jdk.httpclient.allowRestrictedHeaders")+", "+d.Literal(strings.Join(allowed, ",")))
	}
	if redirects > 0 {
		out = append(out, d.Literal("jdk.httpclient.redirects.retrylimit")+", "+d.Literal(emit.Itoa(int(redirects))))
	}
	if slices.ContainsFunc(p.Calls, func(c *plan.Call) bool { return c.Secure() && hasProxyUser(c) }) {
		out = append(out, d.Literal("jdk.http.auth.tunneling.disabledSchemes")+", "+d.Literal(""))
	}
	return out
}

// hasProxyUser reports credentials for the proxy.
func hasProxyUser(c *plan.Call) bool {
	_, user, _ := c.ProxyParts()
	return c.ProxyScheme() != "" && len(user) > 0
}

// A httpClientCall writes one call with HttpClient.
type httpClientCall struct{ jvmCall }

func (r *httpClientCall) write() {
	r.p.Use("java.net.URI")
	r.p.Use("java.net.http.HttpClient")
	r.p.Use("java.net.http.HttpRequest")
	r.checkURL()
	url := method("URI.create", emit.Leaf(r.urlExpression()))
	client := r.client()
	content := r.publisher()
	request := r.p.List(8)
	start := method("HttpRequest.newBuilder", url)
	if !r.p.Fits(len("var request = ") + start.Width) {
		start = method("HttpRequest.newBuilder", emit.Leaf(r.declare(r.let, "uri", url)))
	}
	request = append(request, start)
	if r.c.Timeout() > 0 {
		request = append(request, emit.Leaf(".timeout("+r.duration(r.c.Timeout())+")"))
	}
	request = append(request, r.headers()...)
	request = append(request, r.methodCall(content)...)
	let := r.let
	if r.loops() {
		let = r.variable()
	}
	r.result(client, r.declare(let, "request", append(request, emit.Leaf(".build()"))...))
}

// uri returns the URL as java.net.URI takes it.
func (r *jvmCall) uri() plan.Text {
	start, path := r.escapedPath()
	return plan.MergeLiterals(append(r.c.URLText.Cut(0, start), path...))
}

// escapedPath returns the path and the query with the characters percent-encoded
// that java.net.URI does not take, brackets only in the path, and where they start
// in the URL.
func (r *jvmCall) escapedPath() (start int, _ plan.Text) {
	source := r.c.URL
	parts := urlparts.Of(source)
	escaped := func(t plan.Text, unsafe string) plan.Text {
		return t.Escaped(func(c byte) bool { return strings.IndexByte(unsafe, c) >= 0 })
	}
	const unsafe = "\"<>\\^`{|}"
	out := escaped(r.c.URLText.Cut(parts.Path, parts.Query), unsafe+"[]")
	return parts.Path, plan.MergeLiterals(append(out, escaped(r.c.URLText.Cut(parts.Query, len(source)), unsafe)...))
}

// checkURL refuses what java.net.URI does not take.
func (r *httpClientCall) checkURL() {
	if !escapesWhole(r.c.URLText.Literals()) {
		r.p.Refuse("sends no % that begins no escape")
	}
	if a, ok := r.c.Address(); ok && !r.leads() && !uriTakes(a.Host.Source()) {
		r.p.RefuseName(plan.Nowhere, "takes no such host", a.Host.Source())
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
	return !underscored(host) && (last == "" || !ascii.IsDigit(last[0]) || plan.IsAddress(host))
}

// leads reports whether the program connects to another host than that of the
// field Host: where an option says so, and to the address of a host with an
// underscore. It cannot with TLS, which checks the name, through a proxy, which
// is told the name, and where redirects are followed, because the field goes to
// the next host too.
func (r *httpClientCall) leads() bool {
	if r.c.Encrypts || r.c.Follow() || r.c.ProxyScheme() != "" {
		return false
	}
	a, known := r.c.Address()
	host, _ := r.c.Connection()
	return known && (host != "" || underscored(a.Host.Source()))
}

// urlExpression returns an expression for the URL that the program connects to.
func (r *httpClientCall) urlExpression() string {
	if !r.leads() {
		return r.urlText(r.uri())
	}
	a, _ := r.c.Address()
	host, port := r.c.Connection()
	r.c.Does("resolve", "connectTo")
	name := a.Host.Source()
	if a.PortOr() != "80" {
		name += ":" + a.Port
	}
	if r.c.Field("Host") == nil {
		r.c.AddFirst("Host", plan.Literal(name))
	}
	before := ""
	if host == "" {
		r.p.Use("java.net.InetAddress")
		r.p.Comment("HttpClient takes no host with an underscore, but its address")
		before = r.Literal("http://") + r.Plus + r.set("address", emit.Leaf("InetAddress.getByName("+r.Literal(a.Host.Source())+").getHostAddress()")) + r.Plus
		port = a.PortOr()
	}
	_, path := r.escapedPath()
	rest := plan.Prefixed(strings.TrimSuffix(plan.JoinHostPort(host, port), ":80"), path)
	if before != "" {
		return strings.TrimSuffix(before+r.text(rest), r.Plus+r.Literal(""))
	}
	return r.text(plan.Prefixed("http://", rest))
}

func (r *httpClientCall) headers() []emit.Node {
	var out []emit.Node
	for _, f := range r.c.Headers() {
		value := r.fieldValue(&f)
		out = append(out, method(".header", emit.Leaf(r.Literal(f.Name)), emit.Leaf(value)))
	}
	return append(out, r.proxyHeader()...)
}

// proxyHeader returns the call that sets the credentials for the proxy, if there are any.
func (r *httpClientCall) proxyHeader() []emit.Node {
	if !hasProxyUser(r.c) {
		return nil
	}
	_, user, password := r.c.ProxyParts()
	return []emit.Node{method(".header", emit.Leaf(r.Literal("Proxy-Authorization")), emit.Leaf(r.basicValue("proxyCredentials", (&plan.Credentials{User: user, Password: password}).Joined())))}
}

// methodCall returns the call that sets the method.
func (r *httpClientCall) methodCall(content emit.Node) []emit.Node {
	has := r.c.Content.Kind != plan.NoBody
	switch {
	case r.c.Method == "GET" && !has:
		return nil
	case r.c.Method == "DELETE" && !has:
		return []emit.Node{emit.Leaf(".DELETE()")}
	}
	if !has {
		r.p.Use("java.net.http.HttpRequest.BodyPublishers")
		content = emit.Leaf("BodyPublishers.noBody()")
	}
	if r.c.Method == "POST" || r.c.Method == "PUT" {
		if content.More != nil {
			return []emit.Node{content.Around("."+r.c.Method+"(", ")")}
		}
		return []emit.Node{method("."+r.c.Method, content)}
	}
	return []emit.Node{method(".method", emit.Leaf(r.Literal(r.c.Method)), content)}
}

// publisher returns the publisher of the content, after statements that it
// needs.
func (r *httpClientCall) publisher() emit.Node {
	if r.c.Content.Kind == plan.NoBody {
		return emit.Node{}
	}
	r.p.Use("java.net.http.HttpRequest.BodyPublishers")
	if form, ok := r.form(); ok {
		return emit.Leaf("BodyPublishers.ofString(" + form + ")")
	}
	var out []emit.Node
	for _, one := range r.contentPieces() {
		out = append(out, r.publish(&one))
	}
	if len(out) > 1 {
		list := emit.Group("BodyPublishers.concat", "(", out, ")")
		list.Broken = true
		return emit.Leaf(r.set("body", list))
	}
	return out[0]
}

// publish returns the publisher of a piece.
func (r *httpClientCall) publish(one *plan.Piece) emit.Node {
	switch {
	case one.IsText && one.Text.IsText():
		content := r.long(r.p, one.Text)
		if r.c.Content.Kind == plan.RawBody && (len(content.More) > 0 || len(content.Head) > emit.LongLiteral/2) {
			content = emit.Leaf(r.set("body", content))
		}
		return content.Around("BodyPublishers.ofString(", ")")
	case one.IsText:
		r.p.Use("java.nio.charset.StandardCharsets")
		return emit.Leaf("BodyPublishers.ofString(" + r.text(one.Text) + ", StandardCharsets.ISO_8859_1)")
	case one.Changed():
		return emit.Leaf("BodyPublishers.ofString(" + r.changedContent(one) + ", StandardCharsets.ISO_8859_1)")
	case one.File.Source() == "-":
		return emit.Leaf("BodyPublishers.ofByteArray(" + r.bytesOf(one.File) + ")")
	}
	return emit.Leaf("BodyPublishers.ofFile(" + r.path(one.File) + ")")
}

// client returns the variable of the client, after the statements that make
// it, unless one before is the same.
func (r *httpClientCall) client() string {
	return r.shared("HttpClient.newHttpClient()", "HttpClient.newBuilder()", r.settings(), r.secured)
}

// secured returns the call that sets how certificates are checked, after the statements
// that it needs.
func (r *httpClientCall) secured() []string {
	if context, _ := r.tls(true); context != "" {
		return []string{".sslContext(" + context + ")"}
	}
	return nil
}

// settings returns the other calls that set up the client, after the statements that they
// need.
func (r *httpClientCall) settings() (set []string) {
	if r.c.HTTPVersion() == "1.1" || r.c.HTTPVersion() == "" && !r.c.Secure() {
		set = append(set, ".version(HttpClient.Version.HTTP_1_1)")
	}
	if r.c.Follow() && !r.loops() {
		set = append(set, ".followRedirects(HttpClient.Redirect.ALWAYS)")
	}
	if cookies := r.cookies(); cookies != "" {
		set = append(set, ".cookieHandler("+cookies+")")
	}
	if r.c.ConnectTimeout() > 0 {
		set = append(set, ".connectTimeout("+r.duration(r.c.ConnectTimeout())+")")
	}
	if r.c.ProxyScheme() != "" {
		r.p.Use("java.net.ProxySelector")
		set = append(set, ".proxy(ProxySelector.of("+r.socketAddress()+"))")
	}
	if versions := r.c.RangeTLS(); len(versions) > 0 {
		r.p.Use("javax.net.ssl.SSLParameters")
		for i, version := range versions {
			versions[i] = r.Literal("TLSv" + strings.ReplaceAll(version, "_", "."))
		}
		set = append(set, ".sslParameters("+r.create+"SSLParameters(null, "+r.arrayOf("String", versions...)+"))")
	}
	return set
}

// loops reports whether the program follows the redirects itself.
func (r *httpClientCall) loops() bool { return r.p.Target.Facts.LoopsFor(r.c) }

// noneOf returns the condition that the variable field is none of the literals.
func (r *httpClientCall) noneOf(literals []string) string {
	if len(literals) == 1 {
		return r.differs[0] + literals[0] + r.differs[1]
	}
	return "!" + r.listOf(strings.Join(literals, ", ")) + ".contains(field)"
}

// follow writes what sends the request, and again where the response redirects it.
// The fields for the server of the URL go to no other.
func (r *httpClientCall) follow(request, response string, send func(request string) string, answer func(request string) emit.Node) {
	var guarded, typed []string
	for i := range r.c.Given() {
		switch f := &r.c.Given()[i]; {
		case f.Guarded():
			guarded = append(guarded, r.Literal(f.Name))
		case f.TypesContent():
			typed = append(typed, r.Literal(f.Name))
		}
	}
	redirects, location := "redirects"+r.suffix, "location"+r.suffix
	located := location + " = " + response + ".headers().firstValue(" + r.Literal("Location") + ")"
	rebuilt := func(condition string) emit.Node {
		return method("HttpRequest.newBuilder", emit.Leaf(request), emit.Leaf(r.filter[0]+condition+r.filter[1]))
	}
	r.p.Node(r.variable()+response+" = ", answer(request), r.end)
	r.do(r.variable(), located)
	origin := r.set("origin", emit.Leaf(request+".uri().resolve("+r.Literal("/")+")"))
	limit := r.c.MaxRedirects()
	if limit >= 0 {
		r.do(r.variable(), redirects, " = 0")
	}
	r.p.Block("while ("+location+".isPresent() && "+response+".statusCode()"+r.hundreds+" == 3) {", func() {
		if limit >= 0 {
			r.p.Use("java.io.IOException")
			r.do(redirects, " += 1")
			r.p.Line("if (", redirects, " > ", strconv.FormatInt(limit, 10), ") {")
			r.do(r.p.Indent, "throw ", r.create, "IOException(", r.Literal("too many redirects"), ")")
			r.p.Line("}")
		}
		if statuses := r.c.Emptying(); len(statuses) > 0 {
			without := ".GET()"
			if r.c.KeepsMethod() {
				r.p.Use("java.net.http.HttpRequest.BodyPublishers")
				without = ".method(" + r.Literal(r.c.Method) + ", BodyPublishers.noBody())"
			}
			r.p.Block("if ("+r.listOf(strings.Join(statuses, ", "))+".contains("+response+".statusCode())) {", func() {
				goes := "true"
				if len(typed) > 0 {
					goes = r.noneOf(typed)
				}
				r.p.Chain(request+" = ", []emit.Node{rebuilt(goes), emit.Leaf(without), emit.Leaf(".build()")}, r.end)
			})
			r.p.Line("}")
		}
		r.do(r.let, "next = ", response, ".uri().resolve(", location, ".get())")
		r.do(r.let, "same = next.resolve(", r.Literal("/"), ").equals(", origin, ")")
		keeps := "true"
		if len(guarded) > 0 {
			keeps = "same || " + r.noneOf(guarded)
		}
		r.p.Chain(r.let+"redirected = ", []emit.Node{rebuilt(keeps), emit.Leaf(".uri(next)"), emit.Leaf(".build()")}, r.end)
		if r.c.Digest != nil {
			r.p.Block("if (same) {", func() { r.p.Node(response+" = ", answer("redirected"), r.end) })
			r.p.Block("} else {", func() { r.do(response, " = ", send("redirected")) })
			r.p.Line("}")
		} else {
			r.do(response, " = ", send("redirected"))
		}
		r.do(located)
	})
	r.p.Line("}")
}

// lines reports whether the program prints the lines of the content as they come.
func (r *httpClientCall) lines() bool {
	return r.p.Target.Language != "scala" && r.c.Streams(r.p.Options) // the functions of Scala are no Consumer
}

// answer returns what makes the call that sends a request, and answers for Digest
// where the command says so.
func (r *httpClientCall) answer(client, handler string) func(request string) emit.Node {
	if r.c.Digest == nil || !r.p.Target.Facts.Answers {
		return func(request string) emit.Node { return emit.Leaf(client + ".send(" + request + ", " + handler + ")") }
	}
	if r.c.Follow() && !r.loops() {
		r.p.AnswersFirst(r.c)
	}
	for _, name := range strings.Fields(digestImports[r.p.Target.Language]) {
		r.p.Use("java." + name)
	}
	r.p.AnswerDigest("HttpClient." + r.p.Target.Extension)
	if language := r.p.Target.Language; language == "java" || language == "kotlin" {
		r.p.AnswerDigest("answer." + r.p.Target.Extension)
	}
	return func(request string) emit.Node {
		return method("sendDigest", emit.Leaf(client), emit.Leaf(request), emit.Leaf(handler), emit.Leaf(r.text(r.c.Digest.User)), emit.Leaf(r.text(r.c.Digest.Password)))
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
