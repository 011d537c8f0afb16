package code

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// What OkHttp 3.13 does by itself, measured on the wire: it adds User-Agent,
// Connection and Accept-Encoding: gzip; takes dot segments out of paths, and
// turns a backslash into a slash; sends no content with GET and HEAD, and needs
// some for POST, PUT and PATCH; adds a charset to the type of a string, but
// leaves a field Content-Type alone where the content has no type; follows
// redirects unless told not to, and takes Authorization away from other hosts,
// not Cookie. Its parts of forms have a length each. What is written compiles
// with OkHttp 4 and 5 as well, but for what answers a proxy in Kotlin.
var okHTTP = client{
	modernTLS: true,
	anyMethod: true,
	adds:      fieldNames{"User-Agent", "Accept-Encoding", "Connection"},
	always:    fieldNames{"Host"},
	codings:   noCoding,
	methods:   func(method string) bool { return method != "CONNECT" },
	bodiless:  []string{"GET", "HEAD"},
	dots:      true,
	emptyHost: true,
	says:      []string{"createDirs", "followRedirects", "locationTrusted", "maxTime", "connectTimeout", "insecure", "cacert"},
	bounds:    leavesTLS,
	proxies:   []string{"http", "socks5", "socks5h"},
	versions:  []string{"1.1", "2"},
}

var javaOkHTTP = Target{
	Name: "java-okhttp", Language: "java", Client: "OkHttp", Version: "3.13", Kind: Code, Extension: "java",
	Aliases: []string{"okhttp"}, Proven: true,
	style: style{indent: "    ", comment: "// ", wraps: "="}, write: java.okHTTP, client: okHTTPForJava(),
}

// okHTTPForJava is OkHttp with an authenticator for Digest, and with what asks for
// the status: it has a name in Kotlin until version 3, and another one after that.
func okHTTPForJava() client {
	c := okHTTP
	c.answers, c.eager = true, true
	c.says = append(slices.Clone(c.says), "retry", "resolve", "connectTo")
	return c
}

var kotlinOkHTTP = Target{
	Name: "kotlin-okhttp", Language: "kotlin", Client: "OkHttp", Version: "3.13", Kind: Code, Extension: "kt",
	Proven: true, style: style{indent: "    ", comment: "// ", wraps: "="}, write: kotlin.okHTTP, client: okHTTP,
}

// encodeOkHTTP is FormBody.
var encodeOkHTTP = formEncoder{"*-._", false}

// okHTTP writes the calls with OkHttp.
func (d *jvm) okHTTP(p *program) {
	clients := make(map[string]string)
	sections := p.sections(d.depth(p), func(c *call, suffix string) {
		r := okHTTPCall{jvmCall{p: p, c: c, jvm: d, suffix: suffix, clients: clients}}
		r.write()
	})
	d.frame(p, sections, nil)
}

// An okHTTPCall writes one call with OkHttp.
type okHTTPCall struct{ jvmCall }

func (r *okHTTPCall) write() {
	r.p.use("okhttp3.OkHttpClient")
	r.p.use("okhttp3.Request")
	r.notices()
	client := r.client()
	url := leaf(r.urlText(r.c.url.escaped(func(c byte) bool { return c == '\\' })))
	content := r.requestBody()
	request := []node{leaf(r.create + "Request.Builder()"), method(".url", url)}
	request = append(request, r.headers()...)
	request = append(request, r.methodCall(content)...)
	r.result(client, r.build("request", append(request, leaf(".build()"))...))
}

// notices reports what OkHttp does otherwise after a redirect, and refuses
// fields that it does not take.
func (r *okHTTPCall) notices() {
	if r.c.follow && r.c.field("Cookie") != nil && !r.c.trusted {
		r.p.cannot("sends the field Cookie on to other hosts", "follow redirects by hand where that matters")
		r.p.comment("Redirects: OkHttp sends the field Cookie on to other hosts.")
	}
	if f := r.c.field("Authorization"); f != nil && !f.value.isASCII() && r.c.spreads() {
		r.p.lossAt(r.c.place("locationTrusted"), "--location-trusted", "keeps such credentials from other hosts")
		r.c.trusted = false
	}
	if r.c.follow && r.c.body.kind != noBody {
		r.p.cannot("follows redirects with the status 307 and 308 since version 4.6 only", "take a newer version")
		r.p.comment("Redirects: the status 307 and 308 need OkHttp 4.6.")
	}
	r.checkFields()
}

func (r *okHTTPCall) headers() []node {
	var out []node
	odd := false
	for _, f := range r.c.fields {
		odd = odd || !f.value.isASCII()
	}
	seen := make(map[string]bool)
	for _, f := range r.c.fields {
		name := ".header"
		lower := strings.ToLower(f.name)
		switch {
		case odd && !f.value.isASCII():
			name = ".addUnsafeNonAscii"
		case odd:
			name = ".add"
		case seen[lower]:
			name = ".addHeader"
		}
		seen[lower] = true
		switch {
		case f.is("Authorization") && r.c.spreads(): // the client adds it
		case f.derived && f.is("Authorization"):
			out = append(out, method(name, leaf(r.literal(f.name)), leaf(r.authorization(&f))))
		case f.derived:
		default:
			out = append(out, method(name, leaf(r.literal(f.name)), leaf(r.text(f.value))))
		}
	}
	if user, password := r.proxyCredentials(); user != nil && !r.c.secure() {
		out = append(out, method(".header", leaf(r.literal("Proxy-Authorization")), leaf(r.credentials(user, password))))
	}
	if odd {
		r.p.use("okhttp3.Headers")
		all := append([]node{leaf(r.create + "Headers.Builder()")}, out...)
		return []node{leaf(".headers(" + r.build("headers", append(all, leaf(".build()"))...) + ")")}
	}
	return out
}

// authorization returns the value of the field Authorization.
func (r *okHTTPCall) authorization(f *field) string {
	if f.derived {
		return r.credentials(r.c.basic.user, r.c.basic.password)
	}
	return r.text(f.value)
}

// credentials returns the value of Basic authentication.
func (r *okHTTPCall) credentials(user, password text) string {
	r.p.use("okhttp3.Credentials")
	arguments := r.text(user) + ", " + r.text(password)
	if !(user.isASCII() && password.isASCII()) && user.isText() && password.isText() {
		r.p.use("java.nio.charset.StandardCharsets")
		arguments += ", StandardCharsets.UTF_8"
	}
	return "Credentials.basic(" + arguments + ")"
}

// proxyCredentials returns the user name and the password for the proxy.
func (r *okHTTPCall) proxyCredentials() (user, password text) {
	if r.c.proxyScheme() != "http" {
		return nil, nil
	}
	_, user, password = r.c.proxyParts()
	if len(user) == 0 {
		return nil, nil
	}
	return user, password
}

// methodCall returns the call that sets the method.
func (r *okHTTPCall) methodCall(content node) []node {
	has := r.c.body.kind != noBody
	switch {
	case r.c.Method == "GET":
		return nil
	case r.c.Method == "HEAD", r.c.Method == "DELETE" && !has:
		return []node{leaf("." + strings.ToLower(r.c.Method) + "()")}
	case has:
	case slices.Contains([]string{"POST", "PUT", "PATCH", "PROPPATCH", "REPORT"}, r.c.Method):
		content = r.bytesBody(leaf(r.literal("")))
	default:
		content = leaf("null")
	}
	if slices.Contains([]string{"POST", "PUT", "PATCH", "DELETE"}, r.c.Method) {
		return []node{method("."+strings.ToLower(r.c.Method), content)}
	}
	return []node{method(".method", leaf(r.literal(r.c.Method)), content)}
}

// bytesBody returns content without a type.
func (r *okHTTPCall) bytesBody(content node) node {
	r.p.use("okhttp3.RequestBody")
	return content.around("RequestBody.create(null, ", ")")
}

// requestBody returns the content, after statements that it needs.
func (r *okHTTPCall) requestBody() node {
	switch r.c.body.kind {
	case noBody:
		return node{}
	case rawBody:
		if f := r.c.field("Content-Type"); r.c.isForm(&encodeOkHTTP) {
			f.derived = true
			return leaf(r.form())
		}
		return r.rawBody()
	case multipartBody:
		if r.simpleForm() {
			return leaf(r.multipart())
		}
	case fileBody:
		return r.bytesBody(leaf(r.content(r.c.body.file)))
	}
	return r.buffer(r.contentPieces())
}

// content returns an expression for the content of a file.
func (r *okHTTPCall) content(name text) string {
	if name.source() == "-" {
		return r.stdin
	}
	r.p.use("java.io.File")
	return r.create + "File(" + r.text(name) + ")"
}

func (r *okHTTPCall) rawBody() node {
	data := r.c.body.data
	switch {
	case data.isText():
		content := r.long(r.p, data)
		if len(content.more) > 0 || len(content.head) > longLiteral/2 {
			content = leaf(r.set("body", content))
		}
		return r.bytesBody(content)
	case len(data) > 1:
		return r.buffer(r.contentPieces())
	}
	r.p.use("java.nio.charset.StandardCharsets")
	return r.bytesBody(leaf(r.text(data) + r.bytes[1]))
}

// form writes the statement that makes a FormBody.
func (r *okHTTPCall) form() string {
	r.p.use("okhttp3.FormBody")
	calls := []node{leaf(r.create + "FormBody.Builder()")}
	for _, p := range r.c.body.form {
		calls = append(calls, method(".add", leaf(r.text(decoded(p.name))), leaf(r.text(decoded(p.value)))))
	}
	return r.build("body", append(calls, leaf(".build()"))...)
}

// simpleForm reports whether MultipartBody writes the form as curl does, but
// for the length of each part.
func (r *okHTTPCall) simpleForm() bool {
	if r.c.Body.FormEscape {
		return false
	}
	for i := range r.c.body.part {
		p := &r.c.body.part[i]
		odd := !p.helped() || !p.value.isText() || !p.name.isText() || strings.ContainsAny(p.Name, "\r\n") ||
			p.filename != nil && (strings.ContainsAny(*p.filename, "\r\n") || !utf8.ValidString(*p.filename)) || p.contentType != nil && !isMediaType(*p.contentType)
		if odd {
			return false
		}
	}
	return true
}

// multipart writes the statement that makes a MultipartBody.
func (r *okHTTPCall) multipart() string {
	r.p.use("okhttp3.MultipartBody")
	calls := []node{leaf(r.create + "MultipartBody.Builder()"), leaf(".setType(MultipartBody.FORM)")}
	for i := range r.c.body.part {
		p := &r.c.body.part[i]
		name := leaf(r.text(p.name))
		if !p.isFile() && p.filename == nil && p.contentType == nil {
			calls = append(calls, method(".addFormDataPart", name, leaf(r.text(p.value))))
			continue
		}
		content, contentType, filename := r.text(p.value)+r.bytes[0], "null", "null"
		if len(p.value) > 1 {
			content = r.inner(r.p, p.value) + r.bytes[0]
		}
		if p.isFile() {
			content = r.content(p.file)
		} else {
			r.p.use("java.nio.charset.StandardCharsets")
		}
		if p.contentType != nil {
			r.p.use("okhttp3.MediaType")
			contentType = "MediaType.get(" + r.literal(*p.contentType) + ")"
		}
		switch {
		case p.implied:
			filename = content + ".getName()"
		case p.filename != nil:
			filename = r.literal(*p.filename)
		}
		r.p.use("okhttp3.RequestBody")
		calls = append(calls, method(".addFormDataPart", name, leaf(filename), method("RequestBody.create", leaf(contentType), leaf(content))))
	}
	return r.build("body", append(calls, leaf(".build()"))...)
}

// buffer writes the statement that joins the pieces in a buffer of Okio.
func (r *okHTTPCall) buffer(pieces []piece) node {
	r.p.use("okio.Buffer")
	calls := []node{leaf(r.create + "Buffer()")}
	for _, one := range pieces {
		switch {
		case one.isText && one.text.isText():
			calls = append(calls, r.long(r.p, one.text).around(".writeUtf8(", ")"))
		case one.isText:
			r.p.use("java.nio.charset.StandardCharsets")
			calls = append(calls, leaf(".writeString("+r.text(one.text)+", StandardCharsets.ISO_8859_1)"))
		case one.changed():
			calls = append(calls, leaf(".writeString("+r.changedContent(&one)+", StandardCharsets.ISO_8859_1)"))
		default:
			calls = append(calls, leaf(".write("+r.bytesOf(one.file)+")"))
		}
	}
	return r.bytesBody(leaf(r.build("body", calls...) + ".readByteArray()"))
}

// client returns the variable of the client, after the statements that make
// it, unless one before is the same.
func (r *okHTTPCall) client() string {
	var set []string
	if r.c.httpVersion == "1.1" {
		r.p.use("okhttp3.Protocol")
		r.p.use("java.util.Collections")
		set = append(set, ".protocols(Collections.singletonList(Protocol.HTTP_1_1))")
	}
	if !r.c.follow {
		set = append(set, ".followRedirects(false)")
	}
	r.p.use("java.util.concurrent.TimeUnit")
	set = append(set, ".readTimeout(0, TimeUnit.MILLISECONDS)") // the default is ten seconds
	for _, limit := range []struct {
		name    string
		seconds float64
	}{{"callTimeout", r.c.timeout}, {"connectTimeout", r.c.connectTimeout}} {
		if limit.seconds > 0 {
			set = append(set, "."+limit.name+"("+milliseconds(limit.seconds)+", TimeUnit.MILLISECONDS)")
		}
	}
	if r.c.digest != nil && r.p.target.client.answers {
		set = append(set, ".authenticator("+r.authenticator()+")")
	}
	set = append(set, r.proxySettings()...)
	set = append(set, r.dns()...)
	var changes []string
	for _, name := range okHTTP.adds {
		if r.c.removes(string(name)) {
			changes = append(changes, ".removeHeader("+r.literal(string(name))+")")
		}
	}
	if f := r.c.field("Authorization"); f != nil && r.c.spreads() { // which OkHttp takes away from another host
		changes = append(changes, ".header("+r.literal(f.name)+", "+r.authorization(f)+")")
	}
	if len(changes) > 0 {
		calls := strings.Join(append(changes, ".build())"), "\n"+r.p.indent)
		set = append(set, r.lambda(".addNetworkInterceptor", "chain", "\nchain.proceed(chain.request().newBuilder()\n"+r.p.indent+calls))
	}
	return r.shared(r.create+"OkHttpClient()", r.create+"OkHttpClient.Builder()", set, func() []string {
		tls := r.versionsOfTLS()
		context, manager := r.tls(false)
		if context == "" {
			return tls
		}
		tls = append(tls, ".sslSocketFactory("+context+".getSocketFactory(), "+manager+")")
		if r.c.insecure {
			tls = append(tls, r.lambda(".hostnameVerifier", "host, session", "true"))
		}
		return tls
	})
}

// versionsOfTLS returns the call that bounds the versions of TLS, after the statement
// that names them.
func (r *okHTTPCall) versionsOfTLS() []string {
	versions := r.c.rangeTLS()
	if len(versions) == 0 {
		return nil
	}
	r.p.use("okhttp3.ConnectionSpec")
	r.p.use("okhttp3.TlsVersion")
	for i, version := range versions {
		versions[i] = "TlsVersion.TLS_" + version
	}
	spec := r.build("versions", leaf(r.create+"ConnectionSpec.Builder(ConnectionSpec.MODERN_TLS)"),
		leaf(".tlsVersions("+strings.Join(versions, ", ")+")"), leaf(".build()"))
	return []string{".connectionSpecs(" + r.listOf(spec+", ConnectionSpec.CLEARTEXT") + ")"}
}

// authenticator returns what answers for Digest.
func (r *okHTTPCall) authenticator() string {
	r.p.answerDigest("OkHttp.java", "answer.java")
	r.p.keepsDigest(r.c)
	r.p.use("okhttp3.Authenticator")
	for _, name := range strings.Fields(javaDigestImports) {
		r.p.use("java." + name)
	}
	return "digestAuthenticator(" + r.text(r.c.digest.user) + ", " + r.text(r.c.digest.password) + ")"
}

// dns returns the call that gives the host of the URL the address of another one. Its
// port is that of the URL.
func (r *okHTTPCall) dns() []string {
	if !r.p.target.client.can("resolve") {
		return nil
	}
	host, port := r.c.connection()
	a, _ := r.c.address()
	if host == "" || port != a.portOr() || isAddress(strings.Trim(a.host.source(), "[]")) || r.c.proxyScheme() != "" {
		r.p.loseAddress(r.c)
		return nil
	}
	r.p.use("java.net.InetAddress")
	r.p.use("java.util.List")
	address := "List.of(InetAddress.getByName(" + r.literal(host) + "))"
	if r.c.follow {
		r.p.use("okhttp3.Dns")
		address = "host.equals(" + r.literal(strings.ToLower(a.host.source())) + ")\n? " + address + "\n: Dns.SYSTEM.lookup(host)"
	}
	return []string{r.lambda(".dns", "host", address)}
}

// proxySettings returns the calls that set the proxy.
func (r *okHTTPCall) proxySettings() []string {
	scheme := r.c.proxyScheme()
	if scheme == "" {
		return nil
	}
	r.p.use("java.net.Proxy")
	kind := "HTTP"
	if scheme != "http" {
		kind = "SOCKS"
	}
	set := []string{".proxy(" + r.create + "Proxy(Proxy.Type." + kind + ", " + r.socketAddress() + "))"}
	if user, password := r.proxyCredentials(); user != nil && r.c.secure() {
		set = append(set, r.lambda(".proxyAuthenticator", "route, response", "response.request().newBuilder()\n"+
			".header("+r.literal("Proxy-Authorization")+", "+r.credentials(user, password)+")\n.build()"))
	}
	return set
}

// result sends the request, and writes what is done with the response.
func (r *okHTTPCall) result(client, request string) {
	execute := client + ".newCall(" + request + ").execute()"
	to := r.c.destination(r.p.options)
	response := "response" + r.suffix
	again := r.c.retries > 0 && r.p.target.client.can("retry")
	if again {
		r.again(response, execute, ".code()", ".close()")
		execute, response = response, "last"+r.suffix
	}
	if to == discarded && r.p.options.Bare {
		if !again {
			r.set("response", leaf(execute))
		}
		return
	}
	if r.create == "" {
		r.p.line(execute, ".use { ", response, " ->")
	} else {
		r.p.line("try (", r.let, response, " = ", execute, ") {")
	}
	r.p.level++
	content := response + ".body()"
	if r.create == "" {
		content = response + ".peekBody(Long.MAX_VALUE)"
	}
	switch {
	case r.create != "":
		r.checkStatus(response + ".code()")
	case r.c.fail: // code has this name until version 3 only
		r.p.use("java.io.IOException")
		r.p.line("if (!", response, ".isSuccessful && !", response, ".isRedirect) {")
		r.do(r.p.indent, "throw IOException(", response, ".toString())")
		r.p.line("}")
	}
	switch to {
	case toFile:
		r.save(content + ".byteStream()")
	case headersPrinted:
		r.show(response + ".headers()")
	case contentPrinted:
		r.show(content + ".string()")
	}
	r.p.level--
	r.p.line("}")
}
