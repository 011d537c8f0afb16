package jvm

import (
	"slices"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
)

// What HttpClient of Apache does by itself, measured on the wire with 5.2 and 5.6: it adds
// User-Agent, Accept-Encoding and Connection; sends no other Content-Length and Transfer-Encoding
// than its own, and a path as java.net.URI takes it; follows redirects unless told not to, to no
// URL twice, and then sends all fields to other hosts, or from 5.5 on ends there where it has a
// secret; asks proxies to go on with TLS, from 5.4 on; and tries again once after 429 and 503. A
// lax form has no types of texts.
var Apache = plan.Target{
	Name: "java-apache", Convention: &javaConvention, Client: "Apache HttpClient", Version: "5.2", Kind: plan.Code, Extension: "java",
	Packages: []plan.Package{{Name: "org.apache.httpcomponents.client5:httpclient5", Version: "5.2.1"}},
	Aliases:  []string{"java-apache-httpclient", "apache-httpclient"}, Proven: true, Style: HTTPClient.Style, Write: writeApache, Functions: true,
	Facts: plan.Client{
		ModernTLS: true,
		Adds:      plan.FieldNames{"User-Agent", "Accept-Encoding", "Connection"},
		Always:    plan.FieldNames{"Connection", "Host"},
		Rules: plan.Rules{
			plan.SendsCodings(plan.NoCoding),
			plan.CodesContentOnly,
			plan.SendsNoContent("TRACE"),
			plan.ReadsURLs(plan.WellFormed),
			plan.VisibleFields,
			plan.ASCIIPasswords,
		},
		Names:     plan.AnyName,
		EmptyHost: true,
		Digest:    true,
		Eager:     true,
		AnyAuth:   true,
		After:     []string{"cookies"},
		Proxies:   []string{"http"},
		Shares:    plan.FieldNames{"Authorization", "Cookie"},
	},
}

// encodeApache is the encoder of UrlEncodedFormEntity.
var encodeApache = plan.FormEncoder{Safe: "-._~", Plus: true}

func writeApache(p *plan.Program) {
	sections := p.Sections(java.depth(p), func(c *plan.Call, suffix string) {
		r := apacheCall{jvmCall{p: p, c: c, jvm: &java, suffix: suffix}}
		r.write()
	})
	java.frame(p, sections, nil)
}

// An apacheCall writes one call with HttpClient of Apache.
type apacheCall struct{ jvmCall }

// The packages of HttpClient and HttpCore.
const (
	apacheClient = "org.apache.hc.client5.http."
	apacheCore   = "org.apache.hc.core5."
)

func (r *apacheCall) write() {
	content := r.entity()
	set := r.settings()
	calls := []emit.Node{emit.Leaf("HttpClients.createDefault()")}
	if len(set) > 0 {
		calls = append(append([]emit.Node{emit.Leaf("HttpClients.custom()")}, set...), emit.Leaf(".build()"))
	}
	r.p.Use(apacheClient + "impl.classic.HttpClients")
	r.p.Use(apacheCore + "http.io.support.ClassicRequestBuilder")
	url := emit.Leaf(r.urlText(r.uri()))
	request := []emit.Node{emit.Leaf("ClassicRequestBuilder." + strings.ToLower(r.c.Method) + "()"), method(".setUri", url)}
	if !slices.Contains([]string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"}, r.c.Method) {
		request[0] = emit.Leaf("ClassicRequestBuilder.create(" + r.Literal(r.c.Method) + ")")
	} else if all := strings.TrimSuffix(request[0].Head, ")") + url.Head + ")"; r.p.Fits(emit.Columns("var request" + r.suffix + " = " + all)) {
		request = []emit.Node{emit.Leaf(all)}
	}
	for _, f := range r.c.Headers() {
		if !f.Skipped() {
			request = append(request, method(".addHeader", emit.Leaf(r.Literal(f.Name)), emit.Leaf(r.fieldValue(&f))))
		}
	}
	if value := r.proxyAuthorization(); value != "" {
		request = append(request, method(".addHeader", emit.Leaf(r.Literal("Proxy-Authorization")), emit.Leaf(value)))
	}
	request = append(append(request, content...), emit.Leaf(".build()"))
	r.build("request", request...)
	r.p.Chain("try (var client = ", calls, ") {")
	r.p.Level++
	r.result("client.execute(request" + r.suffix + ", ")
	r.p.Level--
	r.p.Line("}")
}

// settings returns the calls that set up the client, after statements that they need.
func (r *apacheCall) settings() (set []emit.Node) {
	add := func(asked bool, call string) {
		if asked {
			set = append(set, emit.Leaf("."+call))
		}
	}
	add(r.c.Removes("User-Agent"), "disableDefaultUserAgent()")
	add(!r.c.Compressed() && r.p.Exact() || r.c.Removes("Accept-Encoding"), "disableContentCompression()")
	add(r.p.Exact(), "disableAutomaticRetries()")
	add(r.c.Stops(), "disableRedirectHandling()")
	if r.c.Spreads() {
		add(true, "setRedirectStrategy("+r.trusting()+")")
	}
	if jar := r.c.Jar(); jar != nil {
		name := jar.Named("cookies")
		if r.c.Opens() {
			r.p.Use(apacheClient + "cookie.BasicCookieStore")
			r.do(r.let, name, " = new BasicCookieStore()")
		}
		add(true, "setDefaultCookieStore("+name+")")
	}
	if c := r.c.Digest; c != nil {
		scope := "null, -1"
		if a, known := r.c.Address(); known {
			scope = r.Literal(a.Host.Source()) + ", " + a.PortOr()
		}
		r.p.Use(apacheClient + "auth.AuthScope")
		r.p.Use(apacheClient + "impl.auth.CredentialsProviderBuilder")
		credentials := r.build("credentials", emit.Leaf("CredentialsProviderBuilder.create()"),
			method(".add", emit.Leaf("new AuthScope("+scope+")"), emit.Leaf(r.text(c.User)), emit.Leaf(r.inner(r.p, c.Password)+".toCharArray()")), emit.Leaf(".build()"))
		add(true, "setDefaultCredentialsProvider("+credentials+")")
	}
	if r.c.ProxyScheme() != "" {
		server, known := r.c.ProxyServer()
		if !known {
			r.p.Refuse("takes no proxy from a variable")
		} else {
			r.p.Use(apacheCore + "http.HttpHost")
			add(true, "setProxy(new HttpHost("+r.Literal(server.Host)+", "+server.PortOr()+"))")
		}
		if r.asksForTLS() {
			add(true, "addRequestInterceptorLast("+r.withoutUpgrade()+")")
		}
	}
	if config := r.requestConfig(); config != nil {
		r.p.Use(apacheClient + "config.RequestConfig")
		config = append([]emit.Node{emit.Leaf("RequestConfig.custom()")}, config...)
		add(true, "setDefaultRequestConfig("+r.build("config", append(config, emit.Leaf(".build()"))...)+")")
	}
	if connections := r.connections(); connections != nil {
		const name = "PoolingHttpClientConnectionManagerBuilder"
		r.p.Use(apacheClient + "impl.io." + name)
		connections = append([]emit.Node{emit.Leaf(name + ".create()")}, connections...)
		add(true, "setConnectionManager("+r.build("connections", append(connections, emit.Leaf(".build()"))...)+")")
	}
	return set
}

// trusting writes the statement that makes the strategy by which secrets go to every host, and
// returns its variable. Nothing says that it overrides, because 5.4 has no such method.
func (r *apacheCall) trusting() string {
	r.p.Use(apacheClient + "impl.DefaultRedirectStrategy")
	for _, name := range []string{"http.HttpHost", "http.HttpRequest", "http.protocol.HttpContext"} {
		r.p.Use(apacheCore + name)
	}
	name := "trusting" + r.suffix
	r.p.Writer.Block(r.let+name+" = new DefaultRedirectStrategy() { // as --location-trusted does", func() {
		r.p.Writer.Block("public boolean isRedirectAllowed(HttpHost from, HttpHost to, HttpRequest next, HttpContext context) {", func() {
			r.do("return true")
		})
		r.p.Line("}")
	})
	r.do("}")
	return name
}

// asksForTLS reports a request through a proxy that HttpClient asks to go on with TLS, because
// only a request without a proxy has its Connection by then: RequestUpgrade.java.
func (r *apacheCall) asksForTLS() bool {
	asks := r.c.Follow() || slices.Contains([]string{"GET", "HEAD", "OPTIONS"}, r.c.Method)
	return asks && !r.c.Secure() && r.c.Field("Connection") == nil && r.c.Field("Upgrade") == nil
}

// withoutUpgrade writes the statement that makes what takes that away, and returns its variable.
func (r *apacheCall) withoutUpgrade() string {
	r.p.Use(apacheCore + "http.HttpRequestInterceptor")
	name := "plain" + r.suffix
	r.p.Writer.Block("HttpRequestInterceptor "+name+" = (message, entity, context) -> {", func() {
		r.do("message.removeHeaders(", r.Literal("Upgrade"), ")")
		r.do("message.removeHeaders(", r.Literal("Connection"), ")")
	})
	r.do("}")
	return name
}

// requestConfig returns the calls that set what holds for a request.
func (r *apacheCall) requestConfig() (set []emit.Node) {
	if limit := r.c.Timeout(); limit > 0 {
		set = append(set, emit.Leaf(".setResponseTimeout("+r.limit(limit)+")"))
	}
	if r.c.Follow() {
		if limit := r.c.RedirectLimit(); r.c.LimitsRedirects() && limit != plan.CurlRedirects {
			set = append(set, emit.Leaf(".setMaxRedirects("+emit.Itoa(int(limit))+")"))
		}
		if r.p.Exact() {
			set = append(set, emit.Leaf(".setCircularRedirectsAllowed(true)"))
		}
	}
	return set
}

// connections returns the calls that set how the client connects.
func (r *apacheCall) connections() (set []emit.Node) {
	if limit := r.c.ConnectTimeout(); limit > 0 {
		r.p.Use(apacheClient + "config.ConnectionConfig")
		config := r.build("timeouts", emit.Leaf("ConnectionConfig.custom()"), emit.Leaf(".setConnectTimeout("+r.limit(limit)+")"), emit.Leaf(".build()"))
		set = append(set, emit.Leaf(".setDefaultConnectionConfig("+config+")"))
	}
	if context, _ := r.tls(false); context != "" {
		if r.c.Insecure() {
			r.p.Use(apacheClient + "ssl.NoopHostnameVerifier")
			context += ", NoopHostnameVerifier.INSTANCE"
		}
		r.p.Use(apacheClient + "ssl.SSLConnectionSocketFactory")
		set = append(set, emit.Leaf(".setSSLSocketFactory(new SSLConnectionSocketFactory("+context+"))"))
	}
	return set
}

// limit returns a Timeout.
func (r *apacheCall) limit(seconds float64) string {
	r.p.Use(apacheCore + "util.Timeout")
	if seconds == float64(int(seconds)) {
		return "Timeout.ofSeconds(" + emit.Itoa(int(seconds)) + ")"
	}
	return "Timeout.ofMilliseconds(" + emit.Milliseconds(seconds) + ")"
}

// entity returns the calls that give the content, after statements that they need.
func (r *apacheCall) entity() []emit.Node {
	data, set := r.c.Content.Data, func(content emit.Node) []emit.Node {
		return []emit.Node{method(".setEntity", content, emit.Leaf(r.contentType()))}
	}
	switch kind := r.c.Content.Kind; {
	case kind == plan.NoBody:
		length := r.c.Field("Content-Length") // of 0, which HttpClient takes of content only
		if length == nil {
			return nil
		}
		r.c.Imply(length)
		r.p.Use(apacheCore + "http.io.entity.ByteArrayEntity")
		return []emit.Node{method(".setEntity", emit.Leaf("new ByteArrayEntity(new byte[0], null)"))}
	case kind == plan.FileBody && r.c.Content.File.Source() != "-":
		r.p.Use("java.io.File")
		r.p.Use(apacheCore + "http.io.entity.FileEntity")
		return []emit.Node{method(".setEntity", method("new FileEntity", emit.Leaf("new File("+r.text(r.c.Content.File)+")"), emit.Leaf(r.contentType())))}
	case kind == plan.MultipartBody && r.lax():
		return []emit.Node{emit.Leaf(".setEntity(" + r.form() + ")")}
	case kind == plan.RawBody && (r.c.Method == "POST" || r.c.Method == "PUT") && r.c.IsForm(&encodeApache):
		r.c.LeavesType()
		r.p.Use("java.nio.charset.StandardCharsets")
		calls := []emit.Node{emit.Leaf(".setCharset(StandardCharsets.UTF_8)")}
		for _, p := range r.c.Content.Form {
			calls = append(calls, method(".addParameter", emit.Leaf(r.text(plan.Decoded(p.Name))), emit.Leaf(r.text(plan.Decoded(p.Value)))))
		}
		return calls
	case kind == plan.RawBody && (data.IsText() || len(data) == 1):
		content, call := r.long(r.p, data), ""
		json := !r.p.Exact() && data.IsText() && r.c.HasType("application/json")
		if !json && (!data.IsASCII() || plan.HasVariable(data)) {
			call = r.bytesLike(data)
		}
		if len(content.More) > 0 || len(content.Head) > emit.LongLiteral/2 || call != "" && len(data) > 1 {
			content = emit.Leaf(r.set("body", content))
		}
		if content = emit.Followed(content, call); json {
			r.p.Use(apacheCore + "http.ContentType")
			r.c.Imply(r.c.Field("Content-Type"))
			return []emit.Node{method(".setEntity", content, emit.Leaf("ContentType.APPLICATION_JSON"))}
		}
		return set(content)
	}
	return set(emit.Leaf(r.joinedBytes()))
}

// joinedBytes returns an expression for the bytes of the content, after the statements that
// join its pieces.
func (r *jvmCall) joinedBytes() string {
	r.p.Use("java.io.ByteArrayOutputStream")
	pieces := r.contentPieces()
	body := r.set("body", emit.Leaf("new ByteArrayOutputStream()"))
	r.writePieces(body, "", pieces)
	return body + ".toByteArray()"
}

// stringOrBytes returns an expression for the content, a string where it is text, after the
// statements that it needs.
func (r *jvmCall) stringOrBytes() (content string, text bool) {
	data := r.c.Content.Data
	switch kind := r.c.Content.Kind; {
	case kind == plan.FileBody:
		return r.bytesOf(r.c.Content.File), false
	case kind == plan.RawBody && data.IsText():
		content := r.long(r.p, data)
		if len(content.More) > 0 || len(content.Head) > emit.LongLiteral/2 {
			return r.set("body", content), true
		}
		return content.Head, true
	case kind == plan.RawBody && len(data) == 1:
		return r.text(data) + r.bytesLike(data), false
	}
	return r.joinedBytes(), false
}

// inBrackets returns a string that a call may follow.
func (r *jvmCall) inBrackets(content string) string {
	if strings.Contains(content, r.Plus) {
		return "(" + content + ")"
	}
	return content
}

// contentType returns the type of the content, where the class takes it as it is and the
// content says it.
func (r *apacheCall) contentType() string {
	f := r.c.Field("Content-Type")
	if f == nil || plan.HasVariable(f.Value) || !plan.IsMediaType(f.Value.Source()) || !plainType(f.Value.Source()) {
		return "null"
	}
	r.c.Imply(f)
	return r.typed(f.Value.Source())
}

// plainType reports a type without parameters in small letters, as the class writes it.
func plainType(s string) bool { return !strings.Contains(s, ";") && s == strings.ToLower(s) }

// typed returns an expression for a type.
func (r *apacheCall) typed(name string) string {
	r.p.Use(apacheCore + "http.ContentType")
	return "ContentType.create(" + r.Literal(name) + ")"
}

// lax reports whether a lax form is what curl writes: no types of texts, and types of files
// without parameters.
func (r *apacheCall) lax() bool {
	return !r.c.Body.FormEscape && !slices.ContainsFunc(r.c.Content.Part, func(p plan.FormPart) bool {
		odd := !p.Helped() || !p.ValueText.IsText() || strings.ContainsAny(p.Name, "\r\n\"\\") || plan.HasVariable(p.NameText)
		if p.IsFile() {
			return odd || p.Implied || p.FilenameText == nil || p.TypeText == nil || p.FileText.Source() == "-" || strings.ContainsAny(*p.FilenameText, "\r\n\"\\") ||
				!plan.IsMediaType(*p.TypeText) || !plainType(*p.TypeText)
		}
		return odd || p.FilenameText != nil || p.TypeText != nil
	})
}

// form writes the statement that makes a form, and returns its variable.
func (r *apacheCall) form() string {
	for _, name := range []string{"HttpMultipartMode", "MultipartEntityBuilder"} {
		r.p.Use(apacheClient + "entity.mime." + name)
	}
	r.p.Use("java.nio.charset.StandardCharsets")
	calls := []emit.Node{emit.Leaf("MultipartEntityBuilder.create()"), emit.Leaf(".setMode(HttpMultipartMode.LEGACY)"), emit.Leaf(".setCharset(StandardCharsets.UTF_8)"),
		method(".setContentType", emit.Leaf(r.typed("multipart/form-data")))} // else it says the charset of Latin-1
	for i := range r.c.Content.Part {
		p := &r.c.Content.Part[i]
		name, value := emit.Leaf(r.text(p.NameText)), emit.Leaf(r.text(p.ValueText))
		switch {
		case p.IsFile():
			r.p.Use("java.io.File")
			calls = append(calls, method(".addBinaryBody", name, emit.Leaf("new File("+r.text(p.FileText)+")"), emit.Leaf(r.typed(*p.TypeText)), emit.Leaf(r.Literal(*p.FilenameText))))
		case !p.ValueText.IsASCII() || plan.HasVariable(p.ValueText):
			r.p.Use(apacheCore + "http.ContentType")
			calls = append(calls, method(".addTextBody", name, value, emit.Leaf("ContentType.TEXT_PLAIN.withCharset(StandardCharsets.UTF_8)")))
		default:
			calls = append(calls, method(".addTextBody", name, value))
		}
	}
	return r.build("form", append(calls, emit.Leaf(".build()"))...)
}

// returnFrom writes the statement that returns what the function does of the response.
func (r *apacheCall) returnFrom(to plan.Destination) {
	if to == plan.HeadersPrinted {
		r.p.Use(apacheCore + "http.Header")
		r.give("Header[]", "response.getHeaders()", apacheStatus)
		return
	}
	r.p.Use(apacheCore + "http.io.entity.EntityUtils")
	r.do("var entity = response.getEntity()")
	r.give("byte[]", "entity == null ? new byte[0] : EntityUtils.toByteArray(entity)", apacheStatus)
}

// apacheStatus is the expression for the status of the response.
const apacheStatus = "response.getCode()"

// result writes the statement that sends the request, with what is done with the response.
func (r *apacheCall) result(execute string) {
	to := r.c.Destination(r.p.Options)
	if to == plan.ContentPrinted && !r.p.Exact() && !r.c.ReadsErrors() {
		r.c.Fail() // the handler does so
		r.p.Use(apacheClient + "impl.classic.BasicHttpClientResponseHandler")
		r.give("String", execute+"new BasicHttpClientResponseHandler())", apacheStatus)
		return
	}
	switch {
	case r.returns() && to == plan.HeadersPrinted && !r.c.Fail() && !r.c.ReturnsStatus(r.p.Options):
		r.p.Use(apacheCore + "http.Header")
		r.give("Header[]", execute+"response -> response.getHeaders())", apacheStatus)
		return
	case r.ends():
		execute = "return " + execute
	}
	r.p.Line(execute, "response -> {")
	r.p.Level++
	const status = apacheStatus
	r.c.Report(r.p.Options, func() { r.checkStatus(status) }, func() {
		r.p.Use(apacheCore + "http.message.StatusLine")
		r.show("new StatusLine(response)")
		r.p.Block("for (var field : response.getHeaders()) {", func() { r.show("field") })
		r.p.Line("}")
	}, func() {
		switch {
		case r.returns():
			r.returnFrom(to)
			return
		case to != plan.ContentPrinted && to != plan.ToFile:
			return
		}
		r.p.Block("if (response.getEntity() != null) {", func() {
			if to == plan.ToFile {
				r.save("response.getEntity().getContent()")
			} else {
				r.do("response.getEntity().writeTo(System.out)")
			}
		})
		r.p.Line("}")
	}, func() {
		if r.c.ReturnsOnlyStatus(r.p.Options) {
			r.giveStatus(status)
		}
		if t := r.c.WriteOutLine(r.p.Options, status); len(t) > 0 {
			r.show(r.text(t))
		}
	})
	if !r.ends() {
		r.do("return null")
	}
	r.p.Level--
	r.do("})")
}
