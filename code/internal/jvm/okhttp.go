package jvm

import (
	"slices"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
)

// What OkHttp 3.13 does by itself, measured on the wire: it adds User-Agent,
// Connection and Accept-Encoding: gzip; takes dot segments out of paths, and
// turns a backslash into a slash; sends no content with GET and HEAD, and needs
// some for POST, PUT and PATCH; adds a charset to the type of a string, but
// leaves a field Content-Type alone where the content has no type; follows
// redirects unless told not to, and takes Authorization away from other hosts,
// not Cookie. Its parts of forms have a length each. Since version
// 4 Kotlin has other names for what Java calls as before: functions of the values in place of
// RequestBody.create and MediaType.get, and properties (the sources of 4 and 5).
var okHTTP = plan.Client{
	Undecoded: true,
	ModernTLS: true,
	AnyMethod: true,
	Adds:      plan.FieldNames{"User-Agent", "Accept-Encoding", "Connection"},
	Wire:      plan.Wire{Order: "* +Content-Type", Path: "\"<>^`{|}", Query: "\"'<>\\é", Lowers: true, Follows: true, Spares: sparesCodings},
	Always:    plan.FieldNames{"Host"},
	Rules: plan.Rules{
		plan.SendsCodings(plan.NoCoding),
		plan.SendsMethods(func(method string) bool { return method != "CONNECT" }),
		plan.SendsNoContent("GET", "HEAD"),
		plan.RemovesDots,
	},
	EmptyHost: true,
	Proxies:   []string{"http", "socks5", "socks5h"},
	Versions:  []string{"1.1", "2"},
	Shares:    plan.FieldNames{"Cookie"},
	Strips:    true,
	Forgets:   "301 or 302",
}

// sparesCodings reports a request for a range, with which OkHttp asks for no compression
// (BridgeInterceptor).
func sparesCodings(c *plan.Call, name string) bool {
	return name == "Accept-Encoding" && c.Field("Range") != nil
}

// okHTTPPackages are what the programs need.
var okHTTPPackages = append([]plan.Package{
	{Name: "com.squareup.okhttp3:okhttp", Version: "3.13.0"},
	{Name: "com.squareup.okhttp3:okhttp-urlconnection", Version: "3.13.0", Import: "okhttp3.JavaNetCookieJar"},
}, jackson...)

var OkHTTP = plan.Target{
	Name: "java-okhttp", Convention: &javaConvention, Client: "OkHttp", Version: "3.13", Kind: plan.Code, Extension: "java",
	Packages: okHTTPPackages,
	Aliases:  []string{"okhttp"}, Proven: true,
	Style: emit.Style{Indent: "    ", Comment: "// ", Wraps: "="}, Write: java.okHTTP, Functions: true, Decodes: true, Takes: plan.AnyFrom, Heads: true, Facts: okHTTPForJava(),
}

// okHTTPForJava is OkHttp with an authenticator for Digest, and with what asks for
// the status: it has a name in Kotlin until version 3, and another one after that.
func okHTTPForJava() plan.Client {
	c := okHTTP
	c.Answers, c.Eager = true, true
	return c
}

var KotlinOkHTTP = plan.Target{
	Name: "kotlin-okhttp", Convention: &kotlinConvention, Client: "OkHttp", Version: "3.13", Kind: plan.Code, Extension: "kt",
	Packages: okHTTPPackages,
	Proven:   true, Style: emit.Style{Indent: "    ", Comment: "// ", Wraps: "="}, Write: kotlin.okHTTP, Functions: true, Decodes: true, Facts: hidingStatus(okHTTP),
}

var KotlinOkHTTP4 = plan.Target{
	Name: "kotlin-okhttp4", Convention: &kotlinConvention, Client: "OkHttp", Version: "4.6", Kind: plan.Code, Extension: "kt",
	Packages: append([]plan.Package{
		{Name: "com.squareup.okhttp3:okhttp", Version: "4.6.0"},
		{Name: "com.squareup.okhttp3:okhttp-urlconnection", Version: "4.6.0", Import: "okhttp3.JavaNetCookieJar"},
	}, jackson...),
	Aliases: []string{"kotlin-okhttp5"}, Proven: true, Style: emit.Style{Indent: "    ", Comment: "// ", Wraps: "="}, Write: kotlin.okHTTP, Functions: true, Decodes: true, Facts: okHTTP,
}

// hidingStatus is OkHttp where the name of what asks for the status depends on its version.
func hidingStatus(c plan.Client) plan.Client {
	c.HidesStatus = true
	return c
}

// kotlinNames reports a program with the names that Kotlin has since OkHttp 4.
func (r *okHTTPCall) kotlinNames() bool { return r.p.Target.Name == "kotlin-okhttp4" }

// encodeOkHTTP is FormBody.
var encodeOkHTTP = plan.FormEncoder{Safe: "*-._", Plus: false}

// okHTTP writes the calls with OkHttp.
func (d *jvm) okHTTP(p *plan.Program) {
	clients := make(map[string]string)
	sections := p.Sections(d.depth(p), func(c *plan.Call, suffix string) {
		r := okHTTPCall{jvmCall{p: p, c: c, jvm: d, suffix: suffix, clients: clients}}
		r.computes()
		r.write()
	})
	d.frame(p, sections, nil)
}

// An okHTTPCall writes one call with OkHttp.
type okHTTPCall struct{ jvmCall }

func (r *okHTTPCall) write() {
	r.p.Use("okhttp3.OkHttpClient")
	r.p.Use("okhttp3.Request")
	r.notices()
	client := r.client()
	url := emit.Leaf(r.urlText(r.c.URLText.Escaped(func(c byte) bool { return c == '\\' })))
	content := r.requestBody()
	request := []emit.Node{emit.Leaf(r.create + "Request.Builder()"), method(".url", url)}
	request = append(request, r.headers()...)
	request = append(request, r.methodCall(content)...)
	r.result(client, r.build("request", append(request, emit.Leaf(".build()"))...))
}

// notices reports what OkHttp does otherwise after a redirect, and refuses
// fields that it does not take.
func (r *okHTTPCall) notices() {
	if f := r.c.Field("Authorization"); f != nil && !f.Value.IsASCII() && r.c.Spreads() {
		r.p.LossAt(r.c.Place("locationTrusted"), "--location-trusted", "keeps such credentials from other hosts")
		r.c.Asked.Trusted = false
	}
	if r.c.Follow() && r.c.Content.Kind != plan.NoBody && !r.kotlinNames() {
		r.p.Cannot("follows redirects with the status 307 and 308 since version 4.6 only", "take a newer version")
		r.p.Comment("Redirects: the status 307 and 308 need OkHttp 4.6.")
	}
	r.checkFields()
}

func (r *okHTTPCall) headers() []emit.Node {
	var out []emit.Node
	odd := false
	for _, f := range r.c.Headers() {
		odd = odd || !f.Value.IsASCII()
	}
	seen := make(map[string]bool)
	for _, f := range r.c.Headers() {
		name := ".header"
		lower := strings.ToLower(f.Name)
		switch {
		case odd && !f.Value.IsASCII():
			name = ".addUnsafeNonAscii"
		case odd:
			name = ".add"
		case seen[lower]:
			name = ".addHeader"
		}
		seen[lower] = true
		switch {
		case f.Is("Authorization") && r.c.Spreads(): // the client adds it
		case f.Derived() && f.Is("Authorization"):
			out = append(out, method(name, emit.Leaf(r.Literal(f.Name)), emit.Leaf(r.authorization(&f))))
		case f.Derived():
		default:
			out = append(out, method(name, emit.Leaf(r.Literal(f.Name)), emit.Leaf(r.text(f.Value))))
		}
	}
	if user, password := r.proxyCredentials(); user != nil && !r.c.Secure() {
		out = append(out, method(".header", emit.Leaf(r.Literal("Proxy-Authorization")), emit.Leaf(r.credentials(user, password))))
	}
	if odd {
		r.p.Use("okhttp3.Headers")
		all := append([]emit.Node{emit.Leaf(r.create + "Headers.Builder()")}, out...)
		return []emit.Node{emit.Leaf(".headers(" + r.build("headers", append(all, emit.Leaf(".build()"))...) + ")")}
	}
	return out
}

// authorization returns the value of the field Authorization.
func (r *okHTTPCall) authorization(f *plan.Field) string {
	if f.Derived() {
		return r.credentials(r.c.Basic.User, r.c.Basic.Password)
	}
	return r.text(f.Value)
}

// credentials returns the value of Basic authentication.
func (r *okHTTPCall) credentials(user, password plan.Text) string {
	r.p.Use("okhttp3.Credentials")
	arguments := r.text(user) + ", " + r.text(password)
	if !(user.IsASCII() && password.IsASCII()) && user.IsText() && password.IsText() {
		r.p.Use("java.nio.charset.StandardCharsets")
		arguments += ", StandardCharsets.UTF_8"
	}
	return "Credentials.basic(" + arguments + ")"
}

// proxyCredentials returns the user name and the password for the proxy.
func (r *okHTTPCall) proxyCredentials() (user, password plan.Text) {
	if r.c.ProxyScheme() != "http" {
		return nil, nil
	}
	_, user, password = r.c.ProxyParts()
	if len(user) == 0 {
		return nil, nil
	}
	return user, password
}

// methodCall returns the call that sets the method.
func (r *okHTTPCall) methodCall(content emit.Node) []emit.Node {
	has := r.c.Content.Kind != plan.NoBody
	switch {
	case r.c.Method == "GET":
		return nil
	case r.c.Method == "HEAD", r.c.Method == "DELETE" && !has:
		return []emit.Node{emit.Leaf("." + strings.ToLower(r.c.Method) + "()")}
	case has:
	case slices.Contains([]string{"POST", "PUT", "PATCH", "PROPPATCH", "REPORT"}, r.c.Method):
		content = r.bytesBody(emit.Leaf(r.Literal("")))
	default:
		content = emit.Leaf("null")
	}
	if slices.Contains([]string{"POST", "PUT", "PATCH", "DELETE"}, r.c.Method) {
		return []emit.Node{method("."+strings.ToLower(r.c.Method), content)}
	}
	return []emit.Node{method(".method", emit.Leaf(r.Literal(r.c.Method)), content)}
}

// bytesBody returns content without a type.
func (r *okHTTPCall) bytesBody(content emit.Node) emit.Node {
	return r.body(content, "null")
}

// body returns content with a type.
func (r *okHTTPCall) body(content emit.Node, contentType string) emit.Node {
	if !r.kotlinNames() {
		r.p.Use("okhttp3.RequestBody")
		return method("RequestBody.create", emit.Leaf(contentType), content)
	}
	function := "toRequestBody"
	if strings.HasPrefix(content.Head, "File(") {
		function = "asRequestBody"
	}
	r.p.Use("okhttp3.RequestBody.Companion." + function)
	if contentType == "null" {
		contentType = ""
	}
	return emit.Followed(content, "."+function+"("+contentType+")")
}

// mediaType returns a type of content.
func (r *okHTTPCall) mediaType(name string) string {
	if r.kotlinNames() {
		r.p.Use("okhttp3.MediaType.Companion.toMediaType")
		return r.Literal(name) + ".toMediaType()"
	}
	r.p.Use("okhttp3.MediaType")
	return "MediaType.get(" + r.Literal(name) + ")"
}

// member returns a member of a response, which is a property in Kotlin since OkHttp 4.
func (r *okHTTPCall) member(response, name string) string {
	if r.kotlinNames() {
		return response + "." + name
	}
	return response + "." + name + "()"
}

// client returns the variable of the client, after the statements that make
// it, unless one before is the same.
func (r *okHTTPCall) client() string {
	var set []string
	if r.c.HTTPVersion() == "1.1" {
		r.p.Use("okhttp3.Protocol")
		r.p.Use("java.util.Collections")
		set = append(set, ".protocols(Collections.singletonList(Protocol.HTTP_1_1))")
	}
	if r.c.Stops() {
		set = append(set, ".followRedirects(false)")
	}
	if r.p.Exact() {
		r.p.Use("java.util.concurrent.TimeUnit")
		set = append(set, ".readTimeout(0, TimeUnit.MILLISECONDS)") // the default is ten seconds
	}
	for _, limit := range []struct {
		name    string
		seconds float64
	}{{"callTimeout", r.c.Timeout()}, {"connectTimeout", r.c.ConnectTimeout()}} {
		if limit.seconds > 0 {
			r.p.Use("java.util.concurrent.TimeUnit")
			set = append(set, "."+limit.name+"("+emit.Milliseconds(limit.seconds)+", TimeUnit.MILLISECONDS)")
		}
	}
	if cookies := r.cookies(); cookies != "" {
		r.p.Use("okhttp3.JavaNetCookieJar") // of the artifact okhttp-urlconnection
		set = append(set, ".cookieJar("+r.create+"JavaNetCookieJar("+cookies+"))")
	}
	if r.c.Digest != nil && r.p.Target.Facts.Answers {
		set = append(set, ".authenticator("+r.authenticator()+")")
	}
	set = append(set, r.proxySettings()...)
	set = append(set, r.dns()...)
	set = append(set, r.interceptors()...)
	return r.shared(r.create+"OkHttpClient()", r.create+"OkHttpClient.Builder()", set, func() []string {
		tls := r.versionsOfTLS()
		context, manager := r.tls(false)
		if context == "" {
			return tls
		}
		insecure := r.c.Insecure()
		switch {
		case insecure:
		case r.create == "": // Kotlin
			manager += " as X509TrustManager"
		default:
			manager = "(X509TrustManager) " + manager
		}
		r.p.Use("javax.net.ssl.X509TrustManager")
		tls = append(tls, ".sslSocketFactory("+context+".getSocketFactory(), "+manager+")")
		if insecure {
			tls = append(tls, r.lambda(".hostnameVerifier", "host, session", "true"))
		}
		return tls
	})
}

// interceptors returns the calls that change requests on their way: fields that OkHttp adds
// or takes away, and credentials that it would give to other hosts.
func (r *okHTTPCall) interceptors() (set []string) {
	var changes []string
	for _, name := range okHTTP.Adds {
		if r.c.Removes(string(name)) {
			changes = append(changes, ".removeHeader("+r.Literal(string(name))+")")
		}
	}
	if f := r.c.Field("Authorization"); f != nil && r.c.Spreads() { // which OkHttp takes away from another host
		r.c.Does("locationTrusted")
		changes = append(changes, ".header("+r.Literal(f.Name)+", "+r.authorization(f)+")")
	}
	if len(changes) > 0 {
		calls := strings.Join(append(changes, ".build())"), "\n"+r.p.Indent)
		set = append(set, r.lambda(".addNetworkInterceptor", "chain", "\nchain.proceed(chain.request().newBuilder()\n"+r.p.Indent+calls))
	}
	if r.c.Follow() && r.c.Strips() && r.c.Field("Cookie") != nil {
		host := r.member(r.member("chain.request()", "url"), "host")
		first := r.member(r.member("chain.call().request()", "url"), "host")
		without := "chain.request().newBuilder().removeHeader(" + r.Literal("Cookie") + ").build()"
		choice := host + ".equals(" + first + ")\n? chain.request()\n: " + without
		if r.create == "" { // Kotlin
			choice = "\nif (" + host + " == " + first + ") chain.request()\nelse " + without + "\n"
		}
		set = append(set, r.lambda(".addNetworkInterceptor", "chain", "chain.proceed("+choice+")"))
	}
	return set
}

// versionsOfTLS returns the call that bounds the versions of TLS, after the statement
// that names them.
func (r *okHTTPCall) versionsOfTLS() []string {
	versions := r.c.RangeTLS()
	if len(versions) == 0 {
		return nil
	}
	r.p.Use("okhttp3.ConnectionSpec")
	r.p.Use("okhttp3.TlsVersion")
	for i, version := range versions {
		versions[i] = "TlsVersion.TLS_" + version
	}
	spec := r.build("versions", emit.Leaf(r.create+"ConnectionSpec.Builder(ConnectionSpec.MODERN_TLS)"),
		emit.Leaf(".tlsVersions("+strings.Join(versions, ", ")+")"), emit.Leaf(".build()"))
	return []string{".connectionSpecs(" + r.listOf(spec+", ConnectionSpec.CLEARTEXT") + ")"}
}

// authenticator returns what answers for Digest.
func (r *okHTTPCall) authenticator() string {
	r.p.AnswerDigest("OkHttp.java", "answer.java")
	r.p.KeepsDigest(r.c)
	r.p.Use("okhttp3.Authenticator")
	for _, name := range strings.Fields(javaDigestImports) {
		r.p.Use("java." + name)
	}
	return "digestAuthenticator(" + r.text(r.c.Digest.User) + ", " + r.text(r.c.Digest.Password) + ")"
}

// dns returns the call that gives the host of the URL the address of another one. Its
// port is that of the URL.
func (r *okHTTPCall) dns() []string {
	if !r.p.Target.Facts.Answers {
		return nil
	}
	host, port := r.c.Connection()
	a, _ := r.c.Address()
	if host == "" || port != a.PortOr() || plan.IsAddress(strings.Trim(a.Host.Source(), "[]")) || r.c.ProxyScheme() != "" {
		return nil
	}
	r.c.Does("resolve", "connectTo")
	r.p.Use("java.net.InetAddress")
	r.p.Use("java.util.List")
	address := "List.of(InetAddress.getByName(" + r.Literal(host) + "))"
	if r.c.Follow() {
		r.p.Use("okhttp3.Dns")
		address = "host.equals(" + r.Literal(strings.ToLower(a.Host.Source())) + ")\n? " + address + "\n: Dns.SYSTEM.lookup(host)"
	}
	return []string{r.lambda(".dns", "host", address)}
}

// proxySettings returns the calls that set the proxy.
func (r *okHTTPCall) proxySettings() []string {
	scheme := r.c.ProxyScheme()
	if scheme == "" {
		return nil
	}
	r.p.Use("java.net.Proxy")
	kind := "HTTP"
	if scheme != "http" {
		kind = "SOCKS"
	}
	set := []string{".proxy(" + r.create + "Proxy(Proxy.Type." + kind + ", " + r.socketAddress() + "))"}
	if user, password := r.proxyCredentials(); user != nil && r.c.Secure() {
		set = append(set, r.lambda(".proxyAuthenticator", "route, response", r.member("response", "request")+".newBuilder()\n"+
			".header("+r.Literal("Proxy-Authorization")+", "+r.credentials(user, password)+")\n.build()"))
	}
	return set
}

// knowsStatus reports whether the program asks for the status, which has another name in
// Kotlin since OkHttp 4.
func (r *okHTTPCall) knowsStatus() bool { return r.create != "" || r.kotlinNames() }

// result sends the request, and writes what is done with the response.
func (r *okHTTPCall) result(client, request string) {
	execute := client + ".newCall(" + request + ").execute()"
	response := "response" + r.suffix
	again := r.knowsStatus() && r.c.Retries() > 0
	if again {
		r.again(response, execute, r.member("", "code"), ".close()")
		execute, response = response, "last"+r.suffix
	}
	if r.c.Destination(r.p.Options) == plan.Discarded && r.p.Options.Bare {
		if !again {
			r.set("response", emit.Leaf(execute))
		}
		return
	}
	for _, one := range r.c.Captures {
		r.do("String ", one.Name)
	}
	start := len(r.p.Dst)
	opens := []string{"try (", r.let, response, " = ", execute, ") {"}
	if r.create == "" {
		opens = []string{execute, ".use { ", response, " ->"}
		if r.ends() {
			opens[0] = "return " + execute
		}
	}
	r.p.Line(opens...)
	inside := len(r.p.Dst)
	r.p.Level++
	r.report(response)
	r.p.Level--
	if len(r.p.Dst) == inside {
		r.p.Dst = r.p.Dst[:start]
		r.do(execute, ".close()")
		return
	}
	r.p.Line("}")
}

// report writes what is done with a response until it is closed.
func (r *okHTTPCall) report(response string) {
	content, status := response+".body()", r.member(response, "code")
	switch {
	case r.kotlinNames():
		content = response + ".body!!" // which may be null until OkHttp 4
	case r.create == "":
		content = response + ".peekBody(Long.MAX_VALUE)"
	}
	r.c.Report(r.p.Options, func() {
		if r.knowsStatus() {
			r.checkStatus(r.member(response, "code"))
			return
		}
		r.p.Use("java.io.IOException")
		r.p.Line("if (!", response, ".isSuccessful && !", response, ".isRedirect) {")
		r.do(r.p.Indent, "throw IOException(", response, ".toString())")
		r.p.Line("}")
	}, func() {
		r.show(response) // its status and more
		r.show(r.member(response, "headers"))
	}, func() {
		switch r.c.Destination(r.p.Options) {
		case plan.ToFile:
			r.save(content + ".byteStream()")
		case plan.HeadersPrinted:
			if r.returns() {
				r.p.Use("okhttp3.Headers")
				r.give("Headers", r.member(response, "headers"), status)
			}
		case plan.ContentPrinted:
			class, content := r.decoded("String", content+".string()")
			r.give(class, content, status)
		case plan.Captured:
			r.keepFields("", func(name string) string {
				if r.create == "" { // Kotlin
					return response + ".header(" + name + ")!!"
				}
				r.p.Use("java.util.Objects")
				return "Objects.requireNonNull(" + response + ".header(" + name + "))"
			})
			r.captures("", content+".string()")
		}
	}, func() {
		if !r.knowsStatus() {
			return
		}
		if r.c.ReturnsOnlyStatus(r.p.Options) {
			r.giveStatus(status)
		}
		if t := r.c.WriteOutLine(r.p.Options, status); len(t) > 0 {
			r.show(r.text(t))
		}
	})
}

// give is that of other clients, but for a function of Kotlin, in which use returns what its
// block ends with.
func (r *okHTTPCall) give(class, expr, status string) {
	if r.create != "" || !r.p.IsFunction() {
		r.jvmCall.give(class, expr, status)
		return
	}
	r.p.Node("", r.jvmCall.returned(class, expr, status), "")
}

// giveStatus is that of other clients, but for a function of Kotlin.
func (r *okHTTPCall) giveStatus(status string) {
	if r.create != "" {
		r.jvmCall.giveStatus(status)
		return
	}
	r.p.Result = "Int"
	r.p.Line(status)
}
