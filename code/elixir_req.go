package code

import (
	"slices"
	"strings"

	"uncoil/internal/engine/mime"
)

// What Req 0.5 with Finch 0.21 and Mint 1.9 does by itself, from its source and
// measured on the wire: it adds User-Agent, and Accept-Encoding unless told not
// to; writes names of fields in small letters, in their order; sends a body that
// is no binary in chunks; refuses a URL with characters that should be
// percent-encoded, and fields that are not visible ASCII; drops the question
// mark of an empty query; follows redirects, tries again, decodes the content
// and waits 15 seconds for it unless told not to.
var elixirReq = Target{
	Name: "elixir-req", Language: "elixir", Client: "Req", Version: "0.5", Kind: Code, Extension: "exs",
	Aliases: []string{"req"}, Proven: true, style: style{indent: "  ", comment: "# ", wraps: "="}, write: writeElixirReq,
	client: client{
		modernTLS: true,
		adds:      fieldNames{"User-Agent"},
		always:    fieldNames{"User-Agent"},
		codings:   onlyChunks,
		framed:    true,
		percents:  wellFormed,
		digest:    true,
		eager:     true,
		visible:   true,
		says:      []string{"createDirs", "followRedirects", "maxRedirects", "locationTrusted", "maxTime", "connectTimeout", "retry", "insecure", "cacert", "cert", "unixSocket"},
		proxies:   []string{"http"},
		versions:  []string{"1.1", "2"},
		shares:    fieldNames{"Cookie", "Host"},
	},
}

// jasonEncoder prints as Jason does, which has the members of a map in the order
// of their names.
var jasonEncoder = encoder{item: ",", name: ":", number: plainNumber, keeps: func(names []string) bool {
	return slices.IsSorted(names) && distinct(names) && len(names) <= 32
}}

func writeElixirReq(p *program) {
	sections := p.sections(0, func(c *call, suffix string) {
		r := reqRequest{elixirRequest: elixirRequest{p: p, c: c, suffix: suffix}}
		r.write()
	})
	if !p.options.Bare {
		p.line(`Mix.install([{:req, "~> 0.5"}])`)
		p.line()
	}
	p.join(sections)
}

// A reqRequest writes one call with Req.
type reqRequest struct {
	elixirRequest
	options []node
}

func (r *reqRequest) set(name string, value node) {
	r.options = append(r.options, named(name, ": ", value))
}

// reqMethods are those with a function of their own.
var reqMethods = []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"}

func (r *reqRequest) write() {
	query := r.c.takeQuery(&encodeQuotePlus, nil)
	location, url := r.location(" \"<>\\^`{|}")
	if url == "" {
		url = r.text(location)
	}
	content := r.content()
	function := "Req." + strings.ToLower(r.c.Method) + "!("
	if !slices.Contains(reqMethods, r.c.Method) {
		function = "Req.request!("
		r.set("method", leaf(elixirString(r.c.Method)))
		r.set("url", leaf(url))
		url = ""
	}
	if query != nil {
		r.set("params", r.keywords(query))
	}
	r.headers()
	r.auth()
	r.options = append(r.options, content...)
	r.exchange()
	r.send(function, url)
	r.result()
}

// send writes the call, with the URL before the options unless it is one, as the
// formatter of Elixir lays it out.
func (r *reqRequest) send(function, url string) {
	before := "response" + r.suffix + " = "
	if r.c.destination(r.p.options) == discarded && !r.p.options.Bare {
		before = ""
	}
	arguments := r.options
	if url != "" {
		arguments = append([]node{leaf(url)}, arguments...)
	}
	if call := group("", function, arguments, ")"); len(before)+call.width <= lineWidth {
		r.p.node(before, call, "")
		return
	}
	if before != "" {
		r.p.line(strings.TrimSuffix(before, " "))
		r.p.level++
	}
	if url != "" {
		url += ","
	}
	r.p.line(function, url)
	r.p.level++
	for i, option := range r.options {
		comma := ","
		if i == len(r.options)-1 {
			comma = ""
		}
		r.p.node("", option, comma)
	}
	r.p.level--
	r.p.line(")")
	if before != "" {
		r.p.level--
	}
}

// headers sets the header fields, of which those of one name are a list.
func (r *reqRequest) headers() {
	var names []string
	values := make(map[string][]node)
	add := func(name string, value node) {
		name = strings.ToLower(name)
		if values[name] == nil {
			names = append(names, name)
		}
		values[name] = append(values[name], value)
	}
	if host := r.host(); host != "" {
		add("Host", leaf(elixirString(host)))
	}
	for _, f := range r.c.fields {
		if !f.derived && !r.bearer(&f) {
			add(f.name, leaf(r.text(f.value)))
		}
	}
	items := make([]node, len(names))
	for i, name := range names {
		value := values[name][0]
		if len(values[name]) > 1 {
			value = group("", "[", values[name], "]")
		}
		items[i] = named(elixirString(name), " => ", value)
	}
	if len(items) > 0 {
		r.set("headers", group("", "%{", items, "}"))
	}
}

// host returns the field Host where Req would send another one: it leaves out the
// port of an IPv6 address, and names a Unix socket localhost. Mint names the proxy
// of a URL of http up to its version 1.9.3.
func (r *reqRequest) host() string {
	a, ok := r.c.address()
	switch {
	case r.c.field("Host") != nil:
		return ""
	case len(r.c.unixSocket) > 0, r.c.proxyScheme() != "" && !r.c.secure():
		if !ok {
			r.p.refuse("does not know the field Host of a variable with a Unix socket or a proxy")
		}
	case a.port == "" || !strings.HasPrefix(a.host.source(), "["):
		return ""
	}
	if a.port == "" {
		return a.host.source()
	}
	return a.host.source() + ":" + a.port
}

// bearer reports whether the option for credentials sends the field.
func (r *reqRequest) bearer(f *field) bool {
	return f.is("Authorization") && !r.c.repeated() && strings.HasPrefix(f.value.source(), "Bearer ") && f.value[0].variable == nil && len(f.value[0].literal) >= len("Bearer ")
}

// auth sets the credentials.
func (r *reqRequest) auth() {
	both := func(kind string, c *credentials) {
		r.set("auth", group("", "{", []node{leaf(kind), leaf(r.text(c.joined()))}, "}"))
	}
	i := slices.IndexFunc(r.c.fields, func(f field) bool { return r.bearer(&f) })
	switch {
	case r.c.digest != nil:
		if strings.Contains(r.c.URL, "?") {
			r.p.refuse("leaves the query out of the URI of its Digest")
		}
		both(":digest", r.c.digest)
	case i >= 0:
		value := r.c.fields[i].value
		r.set("auth", group("", "{", []node{leaf(":bearer"), leaf(r.text(value.cut(len("Bearer "), len(value.source()))))}, "}"))
	case r.c.basic != nil:
		both(":basic", r.c.basic)
	}
}

// content returns the option that sets the content.
func (r *reqRequest) content() []node {
	if r.c.body.kind == noBody {
		return nil
	}
	if r.c.streamed() {
		return []node{named("body: Stream.concat([[", "", followed(r.elixirRequest.content(), "]])"))}
	}
	switch r.c.body.kind {
	case rawBody:
		if r.c.isForm(&encodeQuotePlus) {
			r.c.field("Content-Type").derived = true
			return []node{named("form", ": ", r.keywords(r.c.body.form))}
		}
		if data, ok := r.c.body.data.plain(); ok && r.c.body.json != nil && r.c.hasType("application/json") && !r.c.removes("Accept") && jasonEncoder.prints(r.c.body.json, data) {
			r.json()
			return []node{named("json", ": ", elixirValue(r.c.body.json))}
		}
	case multipartBody:
		if items, ok := r.parts(); ok {
			return []node{named("form_multipart", ": ", group("", "[", items, "]"))}
		}
	}
	return []node{named("body", ": ", r.elixirRequest.content())}
}

// json marks the fields that the option for JSON sends, and adds the one that it
// would send otherwise.
func (r *reqRequest) json() {
	r.c.field("Content-Type").derived = true
	accept := r.c.field("Accept")
	switch {
	case accept == nil:
		r.c.fields = append(r.c.fields, field{name: "Accept", value: literal("*/*")})
	case accept.value.source() == "application/json" && !slices.ContainsFunc(r.c.fields, func(f field) bool { return f.is("Accept") && f.value.source() != accept.value.source() }):
		accept.derived = true
	}
}

// keywords returns the pairs of a form or a query.
func (r *reqRequest) keywords(pairs []pair) node {
	names := make([]text, len(pairs))
	items := make([]node, len(names))
	for i, p := range pairs {
		names[i], items[i] = decoded(p.name), leaf(r.text(decoded(p.value)))
	}
	return r.pairs(names, items)
}

// pairs returns a list of pairs: a keyword list where the names are plain.
func (r *reqRequest) pairs(names []text, items []node) node {
	keywords := !slices.ContainsFunc(names, func(name text) bool {
		s, ok := name.plain()
		return !ok || !isElixirAtom(s)
	})
	for i, name := range names {
		if keywords {
			items[i] = named(name.source(), ": ", items[i])
			items[i].key = 0
		} else {
			items[i] = group("", "{", []node{leaf(r.text(name)), items[i]}, "}")
		}
	}
	return group("", "[", items, "]")
}

// isElixirAtom reports whether a name is an atom without quotes.
func isElixirAtom(s string) bool {
	for i := range len(s) {
		if c := s[i]; c != '_' && (c < 'a' || c > 'z') && (i == 0 || (c < '0' || c > '9') && (c < 'A' || c > 'Z')) {
			return false
		}
	}
	return s != ""
}

// elixirValue returns a JSON value as a literal.
func elixirValue(v *value) node {
	items := make([]node, len(v.items))
	for i := range v.items {
		items[i] = elixirValue(&v.items[i])
	}
	switch v.kind {
	case stringValue:
		return leaf(elixirString(v.text))
	case arrayValue:
		return group("", "[", items, "]")
	case objectValue:
		for i := range items {
			items[i] = named(elixirString(v.names[i]), " => ", items[i])
		}
		return group("", "%{", items, "}")
	}
	if v.text == "null" {
		return leaf("nil")
	}
	return leaf(v.text)
}

// parts returns the parts of a form, where Req's own form has no others.
func (r *reqRequest) parts() ([]node, bool) {
	if r.c.Body.FormEscape {
		return nil, false
	}
	names := make([]text, len(r.c.body.part))
	items := make([]node, len(names))
	for i := range r.c.body.part {
		p := &r.c.body.part[i]
		if !p.simple() {
			return nil, false
		}
		names[i] = literal(mime.EscapeName(p.Name, false))
		content := leaf(r.text(p.value))
		if p.isFile() {
			content = leaf(r.file(piece{file: p.file}))
		}
		part := []node{content}
		if p.filename != nil {
			part = append(part, leaf("filename: "+elixirString(mime.EscapeName(*p.filename, false))))
		}
		if p.contentType != nil {
			part = append(part, leaf("content_type: "+elixirString(*p.contentType)))
		}
		items[i] = content
		if len(part) > 1 {
			items[i] = group("", "{", part, "}")
		}
	}
	list := r.pairs(names, items)
	return list.items, true
}

// exchange sets what shapes the exchange.
func (r *reqRequest) exchange() {
	set := func(asked bool, name, value string) {
		if asked {
			r.set(name, leaf(value))
		}
	}
	to := r.c.destination(r.p.options)
	used := to == contentPrinted || to == toFile
	set(!r.c.compressed, "compressed", "false")
	set(used && !r.c.compressed, "raw", "true")
	set(used && r.c.compressed, "decode_body", "false")
	set(r.c.fail, "http_errors", ":raise")
	set(!r.c.follow, "redirect", "false")
	if r.c.follow {
		set(true, "max_redirects", itoa(int(r.c.redirectLimit())))
		set(r.c.trusted, "redirect_trusted", "true")
		if r.c.body.kind != noBody {
			r.p.differs("sends the content again where a redirect makes a GET of the request")
		}
	}
	set(r.c.retries == 0, "retry", "false")
	set(r.c.retries > 0, "retry", ":transient")
	set(r.c.retries > 0, "max_retries", itoa(int(r.c.retries)))
	limit := ":infinity"
	if r.c.timeout > 0 {
		limit = elixirMilliseconds(r.c.timeout)
	}
	set(true, "receive_timeout", limit)
	set(len(r.c.unixSocket) > 0, "unix_socket", r.text(r.c.unixSocket))
	if items := r.connection(); len(items) > 0 {
		r.set("connect_options", group("", "[", items, "]"))
	}
}

// elixirMilliseconds writes a number of seconds as milliseconds.
func elixirMilliseconds(seconds float64) string {
	s := milliseconds(seconds)
	if whole, ok := strings.CutSuffix(s, "000"); ok && len(whole) > 1 {
		return whole + "_000"
	}
	return s
}

// connection returns the options of the connection.
func (r *reqRequest) connection() []node {
	var items, tls []node
	if r.c.connectTimeout > 0 {
		items = append(items, leaf("timeout: "+elixirMilliseconds(r.c.connectTimeout)))
	}
	if r.c.httpVersion == "2" {
		items = append(items, leaf("protocols: [:http1, :http2]"))
	}
	if a, ok := r.c.address(); ok && len(r.c.unixSocket) > 0 && a.secure {
		items = append(items, leaf("hostname: "+elixirString(a.host.source())))
	}
	if r.c.proxyScheme() != "" {
		s, ok := r.c.proxyServer()
		if !ok {
			r.p.refuse("takes no proxy from a variable")
		}
		items = append(items, leaf("proxy: {:http, "+elixirString(s.host)+", "+s.port+", []}"))
		if s.credentials != nil {
			value := `"Basic " <> Base.encode64(` + r.text(s.credentials.joined()) + ")"
			items = append(items, leaf(`proxy_headers: [{"proxy-authorization", `+value+"}]"))
		}
	}
	if r.c.encrypts {
		if r.c.insecure {
			tls = append(tls, leaf("verify: :verify_none"))
		}
		if len(r.c.caFile) > 0 {
			tls = append(tls, leaf("cacertfile: "+r.text(r.c.caFile)))
		}
		if len(r.c.cert) > 0 {
			tls = append(tls, leaf("certfile: "+r.text(r.c.cert)), leaf("keyfile: "+r.text(r.c.certKey())))
		}
	}
	if len(tls) > 0 {
		items = append(items, group("transport_opts: ", "[", tls, "]"))
	}
	return items
}

// result writes what is done with the response.
func (r *reqRequest) result() {
	response := "response" + r.suffix
	to := r.c.destination(r.p.options)
	if to == discarded {
		return
	}
	r.p.line()
	switch to {
	case toFile:
		if folder := r.c.folder(); folder != nil {
			r.p.line("File.mkdir_p!(", r.text(folder), ")")
		}
		r.p.line("File.write!(", r.text(r.c.output), ", ", response, ".body)")
	case headersPrinted:
		r.p.line("for {name, values} <- ", response, `.headers, value <- values, do: IO.puts("#{name}: #{value}")`)
	default:
		r.p.line("IO.binwrite(", response, ".body)")
	}
}
