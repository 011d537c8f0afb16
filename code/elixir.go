package code

import (
	"slices"
	"strings"

	"uncoil/internal/engine/ascii"
	"uncoil/request"
)

// What httpc of Erlang/OTP 25 does by itself, measured on the wire: it adds TE
// and Connection; writes names in small letters, and those of one name in
// reverse order; takes dot segments out of paths and decodes %7E and the like;
// refuses a URL with characters that should be percent-encoded; sends no
// content with GET, and none without a Content-Type, if only an empty one; sends
// no Host with HTTP/1.0, and an IPv6 address there without brackets; follows
// redirects of GET, HEAD and POST, with all fields, and trusts every certificate
// unless told not to.
var elixirHTTPC = Target{
	Name: "elixir", Language: "elixir", Client: "httpc", Version: "25", Kind: Code, Extension: "exs",
	Aliases: []string{"elixir-httpc", "exs"}, Proven: true, style: style{indent: "  ", comment: "# ", wraps: "="}, write: writeElixir,
	client: client{
		modernTLS: true,
		percents:  erlangPercents,
		unended:   true,
		adds:      fieldNames{"TE", "Connection"},
		always:    fieldNames{"TE", "Connection"},
		methods:   func(m string) bool { return slices.Contains(elixirMethods, m) },
		bodiless:  []string{"GET", "HEAD", "OPTIONS", "TRACE"},
		single:    fieldNames{"Content-Type"},
		codings:   eitherCoding,
		typed:     true,
		dots:      true,
		names:     ascii.Only,
		emptyHost: true,
		says:      []string{"createDirs", "followRedirects", "maxTime", "connectTimeout", "insecure", "cacert", "cert"},
		proxies:   []string{"http"},
		follows:   []string{"GET", "HEAD", "POST"},
		shares:    fieldNames{"Authorization", "Cookie"},
	},
}

// erlangPercents reports whether uri_string of Erlang reads a URL: what stands in
// the last two places of its path or query is not looked at.
func erlangPercents(url string) bool {
	path, query, _ := strings.Cut(url, "?")
	for _, part := range []string{path, query} {
		for i := 0; i+2 < len(part); i++ {
			if part[i] == '%' && !(ascii.IsHex(part[i+1]) && ascii.IsHex(part[i+2])) {
				return false
			}
		}
	}
	return true
}

var elixirMethods = []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"}

var elixirLanguage = language{literal: elixirString, variable: elixirVariable, plus: " <> ", inside: numberSign, escape: elixirQuote}

func writeElixir(p *program) {
	sections := p.sections(0, func(c *call, suffix string) {
		r := elixirRequest{p: p, c: c, suffix: suffix}
		r.write()
	})
	if !p.options.Bare {
		p.line("{:ok, _} = Application.ensure_all_started(:inets)")
		p.line("{:ok, _} = Application.ensure_all_started(:ssl)")
		p.line()
	}
	p.join(sections)
}

// elixirString returns a literal in double quotes, or a sigil where it has
// double quotes or several lines.
func elixirString(s string) string {
	if strings.Contains(s, `"`) && !strings.ContainsAny(s, `\#)`) && unescaped(s) {
		return "~s(" + s + ")"
	}
	if spansLines(s) && !strings.HasSuffix(s, `\`) {
		for _, quotes := range []string{"()", "||", "[]", "//", "<>"} {
			if strings.IndexByte(s, quotes[1]) < 0 {
				return "~S" + quotes[:1] + s + quotes[1:]
			}
		}
	}
	return elixirQuote(s)
}

func elixirQuote(s string) string { return doubleQuoted(s, "#") }

func elixirVariable(_ *program, v *request.Variable) string {
	expr := "System.fetch_env!(" + elixirString(v.Name) + ")"
	if v.HasDefault {
		expr = "System.get_env(" + elixirString(v.Name) + ", " + elixirString(v.Default) + ")"
	}
	switch v.Encoding {
	case userPart:
		return "hd(String.split(" + expr + `, ":", parts: 2))`
	case passwordPart:
		return "List.last(String.split(" + expr + `, ":", parts: 2))`
	case lastSegment:
		return "Path.basename(" + expr + ")"
	case request.Percent:
		return "URI.encode(" + expr + ", &URI.char_unreserved?/1)"
	case request.FormEncode:
		return "URI.encode_www_form(" + expr + ")"
	case request.JSONEscape:
		return "String.replace(" + expr + `, ["\\", "\""], &("\\" <> &1))`
	}
	return expr
}

// An elixirRequest writes one call with httpc.
type elixirRequest struct {
	p      *program
	c      *call
	suffix string
	bytes  bool // standard input gives bytes
}

func (r *elixirRequest) text(t text) string { return elixirLanguage.text(r.p, t) }

// long returns an expression for a text that may be long.
func (r *elixirRequest) long(t text) node { return elixirLanguage.content(r.p, t) }

// charlist returns an expression for a list of the bytes of a text, which httpc
// takes.
func (r *elixirRequest) charlist(t text) string {
	if s, ok := t.plain(); ok && ascii.Only(s) {
		return "~c" + doubleQuoted(s, "#")
	}
	return ":binary.bin_to_list(" + r.text(t) + ")"
}

func (r *elixirRequest) write() {
	content := r.content()
	if r.c.streamed() {
		content = group("", "{", []node{leaf(":chunkify"), leaf("fn nil -> :eof; content -> {:ok, content, nil} end"), content}, "}")
	}
	contentType := r.c.field("Content-Type")
	url := r.address()
	if strings.Contains(r.c.url.literals(), "://[") && r.c.field("Host") == nil {
		r.p.refuse("leaves out the brackets of an IPv6 address in Host")
	}
	var fields []node
	for _, f := range r.c.joined() {
		switch {
		case f.derived && f.is("Authorization"):
			value := `~c"Basic " ++ :base64.encode_to_string(` + r.text(r.c.basic.joined()) + ")"
			fields = append(fields, elixirTuple(`~c"authorization"`, value))
		case f.derived, f.is("Content-Type") && r.c.body.kind != noBody:
		default:
			fields = append(fields, elixirTuple(r.charlist(literal(strings.ToLower(f.name))), r.charlist(f.value)))
		}
	}
	items := []node{leaf(url), group("", "[", fields, "]")}
	if r.c.body.kind != noBody || slices.Contains([]string{"POST", "PUT", "PATCH"}, r.c.Method) {
		name := `~c""`
		if r.c.body.kind != noBody && contentType != nil {
			name = r.charlist(contentType.value)
		}
		if r.c.body.kind == noBody {
			content = leaf(`""`)
		}
		items = append(items, leaf(name), content)
	}
	made := "request" + r.suffix
	r.p.node(made+" = ", group("", "{", items, "}"), "")
	r.proxy()
	status, headers, body := "_status", "_headers", "_body"
	to := r.c.destination(r.p.options)
	if r.c.fail {
		status = "status" + r.suffix
	}
	switch to {
	case headersPrinted:
		headers = "headers" + r.suffix
	case contentPrinted, toFile:
		body = "body" + r.suffix
	}
	r.p.line()
	r.p.line("{:ok, {{_version, ", status, ", _reason}, ", headers, ", ", body, "}} =")
	r.p.level++
	arguments := []node{leaf(":" + strings.ToLower(r.c.Method)), leaf(made), group("", "[", r.exchange(), "]"), leaf("body_format: :binary")}
	r.p.node("", group(":httpc.request", "(", arguments, ")"), "")
	r.p.level--
	r.p.line()
	if r.c.fail {
		r.p.line("if ", status, ` >= 400, do: raise("HTTP #{`, status, `}")`)
	}
	switch to {
	case toFile:
		if folder := r.c.folder(); folder != nil {
			r.p.line("File.mkdir_p!(", r.text(folder), ")")
		}
		r.p.line("File.write!(", r.text(r.c.output), ", ", body, ")")
	case headersPrinted:
		r.p.line("for {name, value} <- ", headers, `, do: IO.puts("#{name}: #{value}")`)
	case contentPrinted:
		r.p.line("IO.binwrite(", body, ")")
	}
}

func elixirTuple(name, value string) node {
	return group("", "{", []node{leaf(name), leaf(value)}, "}")
}

// address returns an expression for the URL as httpc takes it.
func (r *elixirRequest) address() string {
	url, name := r.location(" \"<>[]\\^`{|}")
	if name == "" {
		return r.charlist(url)
	}
	return ":binary.bin_to_list(" + name + ")"
}

// location returns the URL, with the characters of its path that the client
// refuses percent-encoded, and the variable that holds it where the program adds
// the scheme.
func (r *elixirRequest) location(unsafe string) (url text, name string) {
	source := r.c.URL
	start := strings.Index(source, "://") + len("://")
	path := len(source)
	if i := strings.IndexAny(source[start:], "/?"); start >= len("://") && i >= 0 {
		path = start + i
	} else if start < len("://") {
		path = 0
	}
	url = mergeLiterals(append(r.c.url.cut(0, path), percentEncoded(r.c.url.cut(path, len(source)), unsafe)...))
	if !r.c.guess {
		return url, ""
	}
	name = "url" + r.suffix
	r.p.line(name, " = ", r.text(url))
	r.p.line(name, " = if ", name, ` =~ "://", do: `, name, `, else: "http://" <> `, name, " # as curl does")
	return url, name
}

// content returns an expression for the content.
func (r *elixirRequest) content() node {
	return r.c.content(r.long, r.text, r.file, func(items []node) node { return group("IO.iodata_to_binary", "([", items, "])") })
}

// file returns an expression for the content of a file, changed as curl
// changes it.
func (r *elixirRequest) file(one piece) string {
	read := "File.read!(" + r.text(one.file) + ")"
	if one.file.source() == "-" {
		if !r.bytes {
			r.bytes = true
			r.p.line(":io.setopts(:standard_io, encoding: :latin1) # for bytes that are not UTF-8")
		}
		read = `with(:eof <- IO.binread(:stdio, :eof), do: "")`
	}
	if one.offset > 0 {
		read = "binary_slice(" + read + ", " + itoa(int(one.offset)) + "..-1//1)"
	}
	if one.strip {
		read = "String.replace(" + read + `, ["\r", "\n", "\0"], "")`
	}
	if one.urlencode {
		read = "URI.encode_www_form(" + read + ")"
	}
	if len(one.name) > 0 {
		read = r.text(one.prefix()) + " <> " + read
	}
	return read
}

// proxy sets the proxy, which httpc has for all requests.
func (r *elixirRequest) proxy() {
	if r.c.proxyScheme() == "" {
		return
	}
	whole, _, _ := r.c.proxyParts()
	address, ok := whole.plain()
	_, address, _ = strings.Cut(address, "://")
	host, port, found := strings.Cut(strings.TrimSuffix(address, "/"), ":")
	if !ok || strings.Contains(port, ":") {
		r.p.refuse("reads no proxy from the environment")
	}
	if a, known := r.c.address(); known && a.host.source() == "127.0.0.1" { // the one host that it takes for local
		r.p.refuse("asks no proxy for 127.0.0.1")
	}
	if !found {
		port = "1080"
	}
	proxy := "{{~c" + doubleQuoted(host, "#") + ", " + port + "}, []}"
	r.p.line(":httpc.set_options(proxy: ", proxy, ", https_proxy: ", proxy, ")")
}

// exchange returns the options that shape the exchange.
func (r *elixirRequest) exchange() []node {
	var items []node
	if !r.c.follow {
		items = append(items, leaf("autoredirect: false"))
	}
	add := func(asked bool, name, value string) {
		if asked {
			items = append(items, leaf(name+": "+value))
		}
	}
	add(r.c.timeout > 0, "timeout", milliseconds(r.c.timeout))
	add(r.c.connectTimeout > 0, "connect_timeout", milliseconds(r.c.connectTimeout))
	if user, password, ok := r.proxyCredentials(); ok {
		add(true, "proxy_auth", "{"+user+", "+password+"}")
	}
	if !r.c.encrypts {
		return items
	}
	var tls []node
	switch {
	case r.c.insecure:
		tls = append(tls, leaf("verify: :verify_none"))
	case len(r.c.caFile) > 0:
		tls = append(tls, leaf("verify: :verify_peer"), leaf("cacertfile: "+r.charlist(r.c.caFile)))
	default:
		tls = append(tls, leaf("verify: :verify_peer"), leaf("cacerts: :public_key.cacerts_get()"))
	}
	if !r.c.insecure {
		match := leaf("match_fun: :public_key.pkix_verify_hostname_match_fun(:https)")
		tls = append(tls, group("customize_hostname_check: ", "[", []node{match}, "]"))
	}
	if len(r.c.cert) > 0 {
		tls = append(tls, leaf("certfile: "+r.charlist(r.c.cert)), leaf("keyfile: "+r.charlist(r.c.certKey())))
	}
	return append(items, group("ssl: ", "[", tls, "]"))
}

// proxyCredentials returns the user name and the password for the proxy.
func (r *elixirRequest) proxyCredentials() (user, password string, ok bool) {
	if r.c.proxyScheme() == "" {
		return "", "", false
	}
	_, name, secret := r.c.proxyParts()
	return r.charlist(name), r.charlist(secret), len(name) > 0
}
