package code

import (
	"slices"
	"strings"

	"uncoil/internal/engine/ascii"
)

// What HttpURLConnection of Java 17 does by itself, measured on the wire: it
// adds User-Agent, Accept and Connection, and to content without a type that of
// a form, but for PUT; knows seven methods, and makes POST of GET with content;
// writes values in the default character set, which is UTF-8 since Java 18;
// drops some fields, such as Host, unless a property allows them; follows
// redirects unless told not to, but not from one protocol to another, and takes
// Authorization and Cookie away from other hosts. Paths go out as they are.
var javaHttpURLConnection = Target{
	Name: "java-httpurlconnection", Language: "java", Client: "HttpURLConnection", Version: "17", Kind: Code, Extension: "java",
	Aliases: []string{"httpurlconnection"}, Proven: true,
	style: style{indent: "    ", comment: "// ", wraps: "="}, write: writeHttpURLConnection,
	client: client{
		modernTLS: true,
		adds:      fieldNames{"User-Agent", "Accept", "Connection"},
		always:    fieldNames{"User-Agent", "Accept", "Host", "Connection"},
		fixed:     fieldNames{"Content-Length", "Proxy-Connection"},
		codings:   noCoding,
		framed:    true,
		methods: func(method string) bool {
			return slices.Contains([]string{"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE"}, method)
		},
		digest:    true,
		latin:     true,
		eager:     true,
		bodiless:  []string{"GET", "TRACE"},
		names:     anyName,
		emptyHost: true,
		says:      []string{"createDirs", "followRedirects", "maxTime", "connectTimeout", "insecure", "cacert"},
		proxies:   []string{"http", "socks5", "socks5h"},
	},
}

func writeHttpURLConnection(p *program) {
	restricted := false
	sections := p.sections(java.depth(p), func(c *call, suffix string) {
		r := connectionCall{jvmCall{p: p, c: c, jvm: &java, suffix: suffix}}
		r.write()
		for _, name := range []string{"Access-Control-Request-Headers", "Access-Control-Request-Method", "Connection", "Content-Transfer-Encoding", "Host", "Keep-Alive", "Origin", "Trailer", "Upgrade", "Via"} {
			restricted = restricted || c.field(name) != nil
		}
		for _, f := range c.fields {
			restricted = restricted || strings.HasPrefix(strings.ToLower(f.name), "sec-")
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
	if r.c.body.kind != noBody && r.c.body.kind != multipartBody && r.c.Method != "PUT" && r.c.field("Content-Type") == nil {
		r.p.refuse("gives content without a type that of a form")
	}
	if a, ok := r.c.address(); ok && a.secure && underscored(a.host.source()) {
		r.p.refuseName(nowhere, "accepts no certificate for such a host", a.host.source())
	}
	if r.c.follow {
		r.p.cannot("follows no redirects from http to https", "take the address with https")
		r.p.comment("Redirects from http to https are not followed.")
		if r.c.Method == "POST" && slices.ContainsFunc(r.c.fields, func(f field) bool { return !f.typesContent() }) {
			r.p.differs("leaves out all fields when a POST is redirected")
		}
	}
	r.open()
	connection := "connection" + r.suffix
	if r.c.Method != "GET" {
		r.do(connection, ".setRequestMethod(", r.literal(r.c.Method), ")")
	}
	if !r.c.follow {
		r.do(connection, ".setInstanceFollowRedirects(false)")
	}
	if r.c.connectTimeout > 0 || r.c.timeout > 0 {
		limit := r.c.connectTimeout
		if limit == 0 {
			limit = r.c.timeout
		}
		r.do(connection, ".setConnectTimeout(", milliseconds(limit), ")")
	}
	if r.c.timeout > 0 {
		r.do(connection, ".setReadTimeout(", milliseconds(r.c.timeout), ")")
	}
	r.authenticator(connection)
	pieces := r.contentPieces()
	r.headers(connection)
	r.send(connection, pieces)
	r.result(connection)
}

// authenticator writes the statement that sets what answers for Digest.
func (r *connectionCall) authenticator(connection string) {
	if r.c.digest == nil {
		return
	}
	r.p.use("java.net.Authenticator")
	r.p.use("java.net.PasswordAuthentication")
	r.p.block(connection+".setAuthenticator(new Authenticator() {", func() {
		r.p.line("@Override")
		r.p.block("protected PasswordAuthentication getPasswordAuthentication() {", func() {
			condition := "if (!getRequestingScheme().equalsIgnoreCase(" + r.literal("digest") + ")"
			if r.c.follow && !r.c.trusted {
				condition += " || !getRequestingURL().getHost().equals(url" + r.suffix + ".getHost())"
			}
			r.p.line(condition, ") {")
			r.do(r.p.indent, "return null")
			r.p.line("}")
			r.p.node("return new ", method("PasswordAuthentication", leaf(r.text(r.c.digest.user)), leaf(r.inner(r.p, r.c.digest.password)+".toCharArray()")), r.end)
		})
		r.p.line("}")
	})
	r.p.line("});")
}

// open writes the statement that makes the connection, after those for TLS.
func (r *connectionCall) open() {
	class := "HttpURLConnection"
	context, _ := r.tls(false)
	if context != "" {
		r.p.use("javax.net.ssl.HttpsURLConnection")
	}
	if context != "" && r.c.secure() {
		class = "HttpsURLConnection"
	} else {
		r.p.use("java.net.HttpURLConnection")
	}
	var address node
	text := r.urlText(r.c.url.escaped(func(byte) bool { return false }))
	if r.c.url.isASCII() && !strings.ContainsAny(r.c.url.literals(), "\"<>\\^`{|}[]") && escapesWhole(r.c.url.literals()) {
		r.p.use("java.net.URI")
		address = group("URI.create", "(", []node{leaf(text)}, ").toURL()")
	} else {
		r.p.use("java.net.URL") // takes what URI does not
		address = group("new URL", "(", []node{leaf(text)}, ")")
	}
	url := "url"
	if r.c.guess {
		url = "address"
	}
	url = r.set(url, address)
	proxy := ""
	if scheme := r.c.proxyScheme(); scheme != "" {
		r.p.use("java.net.Proxy")
		kind := "HTTP"
		if scheme != "http" {
			kind = "SOCKS"
		}
		proxy = r.set("proxy", leaf("new Proxy(Proxy.Type."+kind+", "+r.socketAddress()+")"))
	}
	connection := r.set("connection", leaf("("+class+") "+url+".openConnection("+proxy+")"))
	if context == "" {
		return
	}
	secure := connection
	if class == "HttpURLConnection" {
		secure = "secure" + r.suffix
		r.p.line("if (", connection, " instanceof HttpsURLConnection ", secure, ") {")
		r.p.level++
		defer func() { r.p.level--; r.p.line("}") }()
	}
	r.do(secure, ".setSSLSocketFactory(", context, ".getSocketFactory())")
	if r.c.insecure {
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
	for _, f := range r.c.fields {
		value := r.fieldValue(&f)
		name := ".setRequestProperty"
		if lower := strings.ToLower(f.name); seen[lower] {
			name = ".addRequestProperty"
		} else {
			seen[lower] = true
		}
		r.p.node(connection, group(name, "(", []node{leaf(r.literal(f.name)), leaf(value)}, ")"), r.end)
	}
	switch {
	case !r.c.hasProxyUser():
	case r.c.secure():
		r.p.loss("--proxy-user", "sends no credentials to a proxy for https")
	default:
		_, user, password := r.c.proxyParts()
		r.do(connection, ".setRequestProperty(", r.literal("Proxy-Authorization"), ", ", r.basicValue("proxyCredentials", (&credentials{user: user, password: password}).joined()), ")")
	}
}

// contentPieces returns the content as pieces.
func (r *jvmCall) contentPieces() []piece {
	switch r.c.body.kind {
	case noBody:
		return nil
	case rawBody:
		if len(r.c.body.data) > 1 && !r.c.body.data.isText() {
			return r.c.body.data.pieces()
		}
		return []piece{{isText: true, text: r.c.body.data}}
	case multipartBody:
		return r.c.rawForm()
	}
	return namedPieces(r.c.body.list)
}

// send writes the statements that write the content.
func (r *connectionCall) send(connection string, pieces []piece) {
	if len(pieces) == 0 {
		return
	}
	r.do(connection, ".setDoOutput(true)")
	if r.c.body.kind == fileBody && r.c.body.file.source() != "-" && !r.c.follow && r.c.digest == nil {
		r.p.use("java.nio.file.Files")
		r.do(connection, ".setFixedLengthStreamingMode(Files.size(", r.path(r.c.body.file), "))")
	}
	out := "out" + r.suffix
	body := ""
	if only := pieces[0]; len(pieces) == 1 && only.isText {
		if content := r.long(r.p, only.text); len(content.more) > 0 || !r.p.fits(content.width+len("out.write(.getBytes(StandardCharsets.UTF_8))")) {
			body = r.set("body", content)
		}
	}
	r.p.line("try (var ", out, " = ", connection, ".getOutputStream()) {")
	r.p.level++
	for _, one := range pieces {
		switch {
		case body != "":
			r.p.use("java.nio.charset.StandardCharsets")
			r.do(out, ".write(", body, r.bytesLike(one.text), ")")
		case one.isText:
			r.p.use("java.nio.charset.StandardCharsets")
			content := r.long(r.p, one.text)
			if !strings.HasPrefix(content.head, `"""`) && (len(content.more) > 0 || len(one.text) > 1) {
				content = content.around("(", ")")
			}
			if content = content.around("", r.bytesLike(one.text)); len(content.more) == 0 {
				r.p.node(out, method(".write", content), r.end)
			} else {
				r.p.node(out, content.around(".write(", ")"), r.end)
			}
		case one.changed():
			r.do(out, ".write(", r.changedContent(&one), r.bytes[1], ")")
		case one.file.source() == "-":
			r.do("System.in.transferTo(", out, ")")
		default:
			r.p.use("java.nio.file.Files")
			r.do("Files.copy(", r.path(one.file), ", ", out, ")")
		}
	}
	r.p.level--
	r.p.line("}")
}

// result writes what is done with the response.
func (r *connectionCall) result(connection string) {
	to := r.c.destination(r.p.options)
	if !r.c.fail && to == discarded {
		r.do(connection, ".getResponseCode()")
	}
	status := connection + ".getResponseCode()"
	if r.c.fail || to == toFile || to == contentPrinted {
		status = r.set("status", leaf(status))
	}
	r.checkStatus(status)
	switch to {
	case discarded:
		return
	case headersPrinted:
		r.show(connection + ".getHeaderFields()")
		return
	}
	stream := connection + ".getInputStream()"
	if !r.c.fail {
		stream = status + " < 400 ? " + stream + " : " + connection + ".getErrorStream()"
	}
	in := r.set("in", leaf(stream))
	if !r.c.fail {
		r.p.line("if (", in, " != null) {")
		r.p.level++
	}
	if to == toFile {
		r.save(in)
	} else {
		r.do(in, ".transferTo(System.out)")
	}
	if !r.c.fail {
		r.p.level--
		r.p.line("}")
	}
}
