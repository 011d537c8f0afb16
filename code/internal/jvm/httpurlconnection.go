package jvm

import (
	"slices"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/internal/engine/ascii"
)

// What HttpURLConnection of Java 17 does by itself, measured on the wire: it
// adds User-Agent, Accept and Connection, and to content without a type that of
// a form, but for PUT; knows seven methods, and makes POST of GET with content;
// writes values in the default character set, which is UTF-8 since Java 18;
// drops some fields, such as Host, unless a property allows them; follows
// redirects unless told not to, but not from one protocol to another, and takes
// Authorization and Cookie away from other hosts. Paths go out as they are.
var HTTPURLConnection = plan.Target{
	Name: "java-httpurlconnection", Convention: &javaConvention, Client: "HttpURLConnection", Version: "17", Kind: plan.Code, Extension: "java",
	Aliases: []string{"httpurlconnection"}, Proven: true,
	Style: emit.Style{Indent: "    ", Comment: "// ", Wraps: "="}, Write: writeHttpURLConnection, Functions: true, Decodes: true, Packages: jackson,
	Facts: plan.Client{
		Undecoded: true,
		Breaks:    true,
		ModernTLS: true,
		Adds:      plan.FieldNames{"User-Agent", "Accept", "Connection"},
		Wire:      plan.Wire{Query: "é", Follows: true},
		Always:    plan.FieldNames{"User-Agent", "Accept", "Host", "Connection"},
		Fixed:     plan.FieldNames{"Content-Length", "Proxy-Connection"},
		Rules: plan.Rules{
			plan.SendsCodings(plan.NoCoding),
			plan.CodesContentOnly,
			plan.SendsMethods(func(method string) bool {
				return slices.Contains([]string{"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE"}, method)
			}),
			plan.ASCIIPasswords,
			plan.SendsNoContent("GET", "TRACE"),
		},
		Digest:    true,
		Eager:     true,
		Names:     plan.AnyName,
		EmptyHost: true,
		Proxies:   []string{"http", "socks5", "socks5h"},
	},
}

func writeHttpURLConnection(p *plan.Program) {
	restricted := false
	sections := p.Sections(java.depth(p), func(c *plan.Call, suffix string) {
		r := connectionCall{jvmCall{p: p, c: c, jvm: &java, suffix: suffix}}
		r.write()
		for _, name := range []string{"Access-Control-Request-Headers", "Access-Control-Request-Method", "Connection", "Content-Transfer-Encoding", "Host", "Keep-Alive", "Origin", "Trailer", "Upgrade", "Via"} {
			restricted = restricted || c.Field(name) != nil
		}
		for _, f := range c.Given() {
			restricted = restricted || strings.HasPrefix(strings.ToLower(f.Name), "sec-")
		}
	})
	var properties []string
	if restricted {
		properties = append(properties, `"sun.net.http.allowRestrictedHeaders", "true"`)
	}
	java.frame(p, sections, properties)
}

// A connectionCall writes one call with HttpURLConnection.
type connectionCall struct{ jvmCall }

func (r *connectionCall) write() {
	r.checkFields()
	if r.c.Content.Kind != plan.NoBody && r.c.Content.Kind != plan.MultipartBody && r.c.Method != "PUT" && r.c.Field("Content-Type") == nil {
		r.p.Refuse("gives content without a type that of a form")
	}
	if a, ok := r.c.Address(); ok && a.Secure && underscored(a.Host.Source()) {
		r.p.RefuseName(plan.Nowhere, "accepts no certificate for such a host", a.Host.Source())
	}
	if r.c.Follow() {
		r.p.Cannot("follows no redirects from http to https", "take the address with https")
		r.p.Comment("Redirects from http to https are not followed.")
		if r.c.Method == "POST" && slices.ContainsFunc(r.c.Given(), func(f plan.Field) bool { return !f.TypesContent() }) {
			r.p.Differs("leaves out all fields when a POST is redirected")
		}
	}
	r.open()
	connection := "connection" + r.suffix
	if r.c.Method != "GET" {
		r.do(connection, ".setRequestMethod(", r.Literal(r.c.Method), ")")
	}
	if r.c.Stops() {
		r.do(connection, ".setInstanceFollowRedirects(false)")
	}
	if r.c.ConnectTimeout() > 0 || r.c.Timeout() > 0 {
		limit := r.c.ConnectTimeout()
		if limit == 0 {
			limit = r.c.Timeout()
		}
		r.do(connection, ".setConnectTimeout(", emit.Milliseconds(limit), ")")
	}
	if r.c.Timeout() > 0 {
		r.do(connection, ".setReadTimeout(", emit.Milliseconds(r.c.Timeout()), ")")
	}
	r.authenticator(connection)
	pieces := r.contentPieces()
	r.headers(connection)
	r.send(connection, pieces)
	r.result(connection)
}

// authenticator writes the statement that sets what answers for Digest.
func (r *connectionCall) authenticator(connection string) {
	if r.c.Digest == nil {
		return
	}
	r.p.Use("java.net.Authenticator")
	r.p.Use("java.net.PasswordAuthentication")
	r.p.Block(connection+".setAuthenticator(new Authenticator() {", func() {
		r.p.Line("@Override")
		r.p.Block("protected PasswordAuthentication getPasswordAuthentication() {", func() {
			condition := "if (!getRequestingScheme().equalsIgnoreCase(" + r.Literal("digest") + ")"
			if r.c.Follow() && !r.c.Trusted() {
				condition += " || !getRequestingURL().getHost().equals(url" + r.suffix + ".getHost())"
			}
			r.p.Line(condition, ") {")
			r.do(r.p.Indent, "return null")
			r.p.Line("}")
			r.p.Node("return new ", method("PasswordAuthentication", emit.Leaf(r.text(r.c.Digest.User)), emit.Leaf(r.inner(r.p, r.c.Digest.Password)+".toCharArray()")), r.end)
		})
		r.p.Line("}")
	})
	r.p.Line("});")
}

// open writes the statement that makes the connection, after those for TLS.
func (r *connectionCall) open() {
	class := "HttpURLConnection"
	context, _ := r.tls(false)
	if context != "" {
		r.p.Use("javax.net.ssl.HttpsURLConnection")
	}
	if context != "" && r.c.Secure() {
		class = "HttpsURLConnection"
	} else {
		r.p.Use("java.net.HttpURLConnection")
	}
	var address emit.Node
	text := r.urlText(r.c.URLText.Escaped(func(byte) bool { return false }))
	if r.c.URLText.IsASCII() && !strings.ContainsAny(r.c.URLText.Literals(), "\"<>\\^`{|}[]") && escapesWhole(r.c.URLText.Literals()) {
		r.p.Use("java.net.URI")
		address = emit.Group("URI.create", "(", []emit.Node{emit.Leaf(text)}, ").toURL()")
	} else {
		r.p.Use("java.net.URL") // takes what URI does not
		address = emit.Group("new URL", "(", []emit.Node{emit.Leaf(text)}, ")")
	}
	url := "url"
	if r.c.Guess {
		url = "address"
	}
	url = r.set(url, address)
	proxy := ""
	if scheme := r.c.ProxyScheme(); scheme != "" {
		r.p.Use("java.net.Proxy")
		kind := "HTTP"
		if scheme != "http" {
			kind = "SOCKS"
		}
		proxy = r.set("proxy", emit.Leaf("new Proxy(Proxy.Type."+kind+", "+r.socketAddress()+")"))
	}
	connection := r.set("connection", emit.Leaf("("+class+") "+url+".openConnection("+proxy+")"))
	if context == "" {
		return
	}
	secure := connection
	if class == "HttpURLConnection" {
		secure = "secure" + r.suffix
		r.p.Line("if (", connection, " instanceof HttpsURLConnection ", secure, ") {")
		r.p.Level++
		defer func() { r.p.Level--; r.p.Line("}") }()
	}
	r.do(secure, ".setSSLSocketFactory(", context, ".getSocketFactory())")
	if r.c.Insecure() {
		r.do(secure, ".setHostnameVerifier((host, session) -> true)")
	}
}

// escapesWhole reports whether each % begins an escape.
func escapesWhole(s string) bool {
	for i := range len(s) {
		if s[i] == '%' && (i+2 >= len(s) || !ascii.IsHex(s[i+1]) || !ascii.IsHex(s[i+2])) {
			return false
		}
	}
	return true
}

func (r *connectionCall) headers(connection string) {
	seen := make(map[string]bool)
	for _, f := range r.c.Headers() {
		value := r.fieldValue(&f)
		name := ".setRequestProperty"
		if lower := strings.ToLower(f.Name); seen[lower] {
			name = ".addRequestProperty"
		} else {
			seen[lower] = true
		}
		r.p.Node(connection, emit.Group(name, "(", []emit.Node{emit.Leaf(r.Literal(f.Name)), emit.Leaf(value)}, ")"), r.end)
	}
	if value := r.proxyAuthorization(); value != "" {
		r.do(connection, ".setRequestProperty(", r.Literal("Proxy-Authorization"), ", ", value, ")")
	}
}

// contentPieces returns the content as pieces.
func (r *jvmCall) contentPieces() []plan.Piece {
	switch r.c.Content.Kind {
	case plan.NoBody:
		return nil
	case plan.RawBody:
		data := r.c.FormData()
		if len(data) > 1 && !data.IsText() {
			return data.Pieces()
		}
		return []plan.Piece{{IsText: true, Text: data}}
	case plan.MultipartBody:
		return r.c.RawForm()
	}
	return namedPieces(r.c.Content.List)
}

// send writes the statements that write the content.
func (r *connectionCall) send(connection string, pieces []plan.Piece) {
	if len(pieces) == 0 {
		return
	}
	r.do(connection, ".setDoOutput(true)")
	if r.c.Content.Kind == plan.FileBody && r.c.Content.File.Source() != "-" && r.c.Stops() && r.c.Digest == nil {
		r.p.Use("java.nio.file.Files")
		r.do(connection, ".setFixedLengthStreamingMode(Files.size(", r.path(r.c.Content.File), "))")
	}
	out := "out" + r.suffix
	body := ""
	if only := pieces[0]; len(pieces) == 1 && only.IsText {
		if content := r.long(r.p, only.Text); len(content.More) > 0 || !r.p.Fits(content.Width+len("out.write(.getBytes(StandardCharsets.UTF_8))")) {
			body = r.set("body", content)
		}
	}
	r.p.Line("try (var ", out, " = ", connection, ".getOutputStream()) {")
	r.p.Level++
	r.writePieces(out, body, pieces)
	r.p.Level--
	r.p.Line("}")
}

// writePieces writes the statements that write the content to a stream; body is the variable
// that holds a text, if one does.
func (r *jvmCall) writePieces(out, body string, pieces []plan.Piece) {
	for _, one := range pieces {
		switch {
		case body != "":
			r.p.Use("java.nio.charset.StandardCharsets")
			r.do(out, ".write(", body, r.bytesLike(one.Text), ")")
		case one.IsText:
			r.p.Use("java.nio.charset.StandardCharsets")
			content := r.long(r.p, one.Text)
			if !strings.HasPrefix(content.Head, `"""`) && (len(content.More) > 0 || len(one.Text) > 1) {
				content = content.Around("(", ")")
			}
			if content = content.Around("", r.bytesLike(one.Text)); len(content.More) == 0 {
				r.p.Node(out, method(".write", content), r.end)
			} else {
				r.p.Node(out, content.Around(".write(", ")"), r.end)
			}
		case one.Changed():
			r.do(out, ".write(", r.changedContent(&one), r.inBytes(1), ")")
		case one.File.Source() == "-":
			r.do("System.in.transferTo(", out, ")")
		default:
			r.p.Use("java.nio.file.Files")
			r.do("Files.copy(", r.path(one.File), ", ", out, ")")
		}
	}
}

// result writes what is done with the response.
func (r *connectionCall) result(connection string) {
	to := r.c.Destination(r.p.Options)
	if !r.c.Fail() && (to == plan.Discarded || to == plan.HeadersPrinted) && !r.c.ReturnsStatus(r.p.Options) { // which throws where there is no response
		r.do(connection, ".getResponseCode()")
	}
	status := connection + ".getResponseCode()"
	if r.c.Fail() || to == plan.ToFile || to == plan.ContentPrinted {
		status = r.set("status", emit.Leaf(status))
	}
	r.checkStatus(status)
	switch to {
	case plan.Discarded:
		if r.c.ReturnsOnlyStatus(r.p.Options) {
			r.giveStatus(status)
		}
		return
	case plan.HeadersPrinted:
		if r.returns() {
			r.p.Use("java.util.List")
			r.p.Use("java.util.Map")
		}
		r.give("Map<String, List<String>>", connection+".getHeaderFields()", status)
		return
	}
	stream := connection + ".getInputStream()"
	if !r.c.Fail() {
		stream = status + " < 400 ? " + stream + " : " + connection + ".getErrorStream()"
	}
	if r.returns() {
		r.returnAll(stream, status)
		return
	}
	in := r.set("in", emit.Leaf(stream))
	if !r.c.Fail() {
		r.p.Line("if (", in, " != null) {")
		r.p.Level++
	}
	if to == plan.ToFile {
		r.save(in)
	} else if r.p.Options.DecodeJSON {
		_, content := r.decoded("", in)
		r.show(content)
	} else {
		r.do(in, ".transferTo(System.out)")
	}
	if !r.c.Fail() {
		r.p.Level--
		r.p.Line("}")
	}
	if r.c.ReturnsOnlyStatus(r.p.Options) {
		r.giveStatus(status)
	}
}

// returnAll writes the statements that return the bytes of a stream, which is null for an
// error without content.
func (r *connectionCall) returnAll(stream, status string) {
	in, all := "in"+r.suffix, "in"+r.suffix+".readAllBytes()"
	if !r.c.Fail() {
		all = in + " == null ? new byte[0] : " + all
	}
	class, content := r.decoded("byte[]", all)
	r.p.Block("try (var "+in+" = "+stream+") {", func() { r.give(class, content, status) })
	r.p.Line("}")
}
