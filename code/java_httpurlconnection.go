//go:build !nocode

package code

import (
	"slices"
	"strings"

	"uncoil/internal/ascii"
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
	style: style{indent: "    ", comment: "// "}, write: writeHttpURLConnection,
	client: client{
		adds:   []string{"User-Agent", "Accept", "Connection"},
		always: []string{"User-Agent", "Accept", "Host"},
		fixed:  []string{"Transfer-Encoding", "Proxy-Connection"},
		methods: func(method string) bool {
			return slices.Contains([]string{"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE"}, method)
		},
		bodiless: []string{"GET", "TRACE"},
		says:     []string{"followRedirects", "maxTime", "connectTimeout", "insecure", "cacert"},
		proxies:  []string{"http", "socks5", "socks5h"},
	},
}

func writeHttpURLConnection(p *program) {
	restricted := false
	sections := p.sections(java.depth(p), func(c *call, suffix string) {
		r := connectionCall{jvmCall{program: p, call: c, jvm: &java, suffix: suffix}}
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
	if r.body.kind != noBody && r.body.kind != multipartBody && r.Method != "PUT" && r.field("Content-Type") == nil {
		r.refuse("gives content without a type that of a form")
	}
	if a, ok := r.address(); ok && a.secure && strings.Contains(a.host.source(), "_") {
		r.refuse("accepts no certificate for the host " + a.host.source())
	}
	if r.follow {
		r.cannot("follows no redirects from http to https", "take the address with https")
		r.comment("Redirects from http to https are not followed.")
	}
	r.open()
	connection := "connection" + r.suffix
	if r.Method != "GET" {
		r.do(connection, ".setRequestMethod(", r.literal(r.Method), ")")
	}
	if !r.follow {
		r.do(connection, ".setInstanceFollowRedirects(false)")
	}
	if r.connectTimeout > 0 || r.timeout > 0 {
		limit := r.connectTimeout
		if limit == 0 {
			limit = r.timeout
		}
		r.do(connection, ".setConnectTimeout(", milliseconds(limit), ")")
	}
	if r.timeout > 0 {
		r.do(connection, ".setReadTimeout(", milliseconds(r.timeout), ")")
	}
	pieces := r.contentPieces()
	r.headers(connection)
	r.send(connection, pieces)
	r.result(connection)
}

// open writes the statement that makes the connection, after those for TLS.
func (r *connectionCall) open() {
	class := "HttpURLConnection"
	context, _ := r.tls(false)
	if context != "" {
		class = "HttpsURLConnection"
		r.use("javax.net.ssl.HttpsURLConnection")
	} else {
		r.use("java.net.HttpURLConnection")
	}
	address := r.urlText(r.url.escaped(func(byte) bool { return false }))
	if r.url.isASCII() && !strings.ContainsAny(r.url.literals(), "\"<>\\^`{|}[]") && escapesWhole(r.url.literals()) {
		r.use("java.net.URI")
		address = "URI.create(" + address + ").toURL()"
	} else {
		r.use("java.net.URL") // takes what URI does not
		address = "new URL(" + address + ")"
	}
	url := "url"
	if r.guess {
		url = "address"
	}
	url = r.set(url, leaf(address))
	proxy := ""
	if scheme := r.proxyScheme(); scheme != "" {
		r.use("java.net.Proxy")
		kind := "HTTP"
		if scheme != "http" {
			kind = "SOCKS"
		}
		proxy = r.set("proxy", leaf("new Proxy(Proxy.Type."+kind+", "+r.socketAddress()+")"))
	}
	connection := r.set("connection", leaf("("+class+") "+url+".openConnection("+proxy+")"))
	if context != "" {
		r.do(connection, ".setSSLSocketFactory(", context, ".getSocketFactory())")
		if r.insecure {
			r.do(connection, ".setHostnameVerifier((host, session) -> true)")
		}
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
	for _, f := range r.fields {
		value := r.fieldValue(&f)
		name := ".setRequestProperty("
		if lower := strings.ToLower(f.name); seen[lower] {
			name = ".addRequestProperty("
		} else {
			seen[lower] = true
		}
		r.do(connection, name, r.literal(f.name), ", ", value, ")")
	}
	switch {
	case !r.hasProxyUser():
	case r.secure():
		r.loss("--proxy-user", "sends no credentials to a proxy for https")
	default:
		_, user, password := r.proxyParts()
		r.do(connection, ".setRequestProperty(", r.literal("Proxy-Authorization"), ", ", r.basicValue("proxyCredentials", (&credentials{user, password}).joined()), ")")
	}
}

// contentPieces returns the content as pieces.
func (r *jvmCall) contentPieces() []piece {
	switch r.body.kind {
	case noBody:
		return nil
	case rawBody:
		if len(r.body.data) > 1 && !r.body.data.isText() {
			return r.body.data.pieces()
		}
		return []piece{{isText: true, text: r.body.data}}
	case multipartBody:
		return r.rawForm()
	}
	return namedPieces(r.body.list)
}

// send writes the statements that write the content.
func (r *connectionCall) send(connection string, pieces []piece) {
	if len(pieces) == 0 {
		return
	}
	r.do(connection, ".setDoOutput(true)")
	if r.body.kind == fileBody && r.body.file.source() != "-" && !r.follow {
		r.use("java.nio.file.Files")
		r.do(connection, ".setFixedLengthStreamingMode(Files.size(", r.path(r.body.file), "))")
	}
	out := "out" + r.suffix
	r.line("try (var ", out, " = ", connection, ".getOutputStream()) {")
	r.level++
	for _, one := range pieces {
		switch {
		case one.isText:
			r.use("java.nio.charset.StandardCharsets")
			content := r.long(r.program, one.text)
			if !strings.HasPrefix(content.head, `"""`) && (len(content.more) > 0 || len(one.text) > 1) {
				content = content.around("(", ")")
			}
			r.node(out, content.around(".write(", r.bytesLike(one.text)+")"), r.end)
		case one.changed():
			r.do(out, ".write(", r.changedContent(&one), r.bytes[1], ")")
		case one.file.source() == "-":
			r.do("System.in.transferTo(", out, ")")
		default:
			r.use("java.nio.file.Files")
			r.do("Files.copy(", r.path(one.file), ", ", out, ")")
		}
	}
	r.level--
	r.line("}")
}

// result writes what is done with the response.
func (r *connectionCall) result(connection string) {
	to := r.destination(r.program.options)
	if !r.fail && to == discarded {
		r.do(connection, ".getResponseCode()")
	}
	status := connection + ".getResponseCode()"
	if r.fail || to == toFile || to == contentPrinted {
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
	if !r.fail {
		stream = status + " < 400 ? " + stream + " : " + connection + ".getErrorStream()"
	}
	in := r.set("in", leaf(stream))
	if !r.fail {
		r.line("if (", in, " != null) {")
		r.level++
	}
	if to == toFile {
		r.save(in)
	} else {
		r.do(in, ".transferTo(System.out)")
	}
	if !r.fail {
		r.level--
		r.line("}")
	}
}
