package elixir

import (
	"slices"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/internal/engine/mime"
)

// What Req 0.5 with Finch 0.21 and Mint 1.9 does by itself, from its source and
// measured on the wire: it adds User-Agent, and Accept-Encoding unless told not
// to; writes names of fields in small letters, in their order; sends a body that
// is no binary in chunks; refuses a URL with characters that should be
// percent-encoded, and fields that are not visible ASCII; drops the question
// mark of an empty query; follows redirects, tries again, decodes the content
// and waits 15 seconds for it unless told not to.
var Req = plan.Target{
	Name: "elixir-req", Convention: &convention, Client: "Req", Version: "0.5", Kind: plan.Code, Extension: "exs",
	Packages: []plan.Package{{Name: "req", Version: "0.5"}},
	Aliases:  []string{"req"}, Proven: true, Style: emit.Style{Indent: "  ", Comment: "# ", Wraps: "="}, Write: writeElixirReq,
	Facts: plan.Client{
		ModernTLS: true,
		Adds:      plan.FieldNames{"User-Agent"},
		Always:    plan.FieldNames{"User-Agent"},
		Rules: plan.Rules{
			plan.SendsCodings(plan.OnlyChunks),
			plan.CodesContentOnly,
			plan.ReadsURLs(plan.WellFormed),
			plan.VisibleFields,
		},
		Digest:   true,
		Eager:    true,
		Proxies:  []string{"http"},
		Versions: []string{"1.1", "2"},
		Shares:   plan.FieldNames{"Cookie", "Host"},
	},
}

// jasonEncoder prints as Jason does, which has the members of a map in the order
// of their names.
var jasonEncoder = emit.Encoder{Item: ",", Name: ":", Number: plan.PlainNumber, Keeps: func(names []string) bool {
	return slices.IsSorted(names) && emit.Distinct(names) && len(names) <= 32
}}

// jasonOrdered is jasonEncoder where the order of members is free.
var jasonOrdered = emit.Encoder{Item: ",", Name: ":", Number: plan.PlainNumber, Keeps: emit.Distinct}

// jason returns the encoder of the style.
func (r *reqRequest) jason() *emit.Encoder {
	if r.p.Exact() {
		return &jasonEncoder
	}
	return &jasonOrdered
}

func writeElixirReq(p *plan.Program) {
	sections := p.Sections(0, func(c *plan.Call, suffix string) {
		r := reqRequest{elixirRequest: elixirRequest{p: p, c: c, suffix: suffix}}
		r.write()
	})
	p.Head(func() {
		p.Line(`Mix.install([{:req, "~> 0.5"}])`)
		p.Line()
	})
	p.Join(sections)
}

// A reqRequest writes one call with Req.
type reqRequest struct {
	elixirRequest
	options []emit.Node
}

func (r *reqRequest) set(name string, value emit.Node) {
	r.options = append(r.options, emit.Named(name, ": ", value))
}

// reqMethods are those with a function of their own.
var reqMethods = []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"}

func (r *reqRequest) write() {
	query := r.c.TakeQuery(&plan.EncodeQuotePlus, nil)
	location, url := r.location(" \"<>\\^`{|}")
	if url == "" {
		url = r.text(location)
	}
	content := r.content()
	function := "Req." + strings.ToLower(r.c.Method) + "!("
	if !slices.Contains(reqMethods, r.c.Method) {
		function = "Req.request!("
		r.set("method", emit.Leaf(String(r.c.Method)))
		r.set("url", emit.Leaf(url))
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
	if r.c.Destination(r.p.Options) == plan.Discarded && !r.p.Options.Bare {
		before = ""
	}
	arguments := r.options
	if url != "" {
		arguments = append([]emit.Node{emit.Leaf(url)}, arguments...)
	}
	if call := emit.Group("", function, arguments, ")"); len(before)+call.Width <= plan.LineWidth {
		r.p.Node(before, call, "")
		return
	}
	if before != "" {
		r.p.Line(strings.TrimSuffix(before, " "))
		r.p.Level++
	}
	if url != "" {
		url += ","
	}
	r.p.Line(function, url)
	r.p.Level++
	for i, option := range r.options {
		comma := ","
		if i == len(r.options)-1 {
			comma = ""
		}
		r.p.Node("", option, comma)
	}
	r.p.Level--
	r.p.Line(")")
	if before != "" {
		r.p.Level--
	}
}

// headers sets the header fields, of which those of one name are a list.
func (r *reqRequest) headers() {
	var names []string
	values := make(map[string][]emit.Node)
	add := func(name string, value emit.Node) {
		name = strings.ToLower(name)
		if values[name] == nil {
			names = append(names, name)
		}
		values[name] = append(values[name], value)
	}
	if host := r.host(); host != "" {
		add("Host", emit.Leaf(String(host)))
	}
	for _, f := range r.c.Headers() {
		if !f.Derived() && !r.bearer(&f) {
			add(f.Name, emit.Leaf(r.text(f.Value)))
		}
	}
	items := make([]emit.Node, len(names))
	for i, name := range names {
		value := values[name][0]
		if len(values[name]) > 1 {
			value = emit.Group("", "[", values[name], "]")
		}
		items[i] = emit.Named(String(name), " => ", value)
	}
	if len(items) > 0 {
		r.set("headers", emit.Group("", "%{", items, "}"))
	}
}

// host returns the field Host where Req would send another one: it leaves out the
// port of an IPv6 address, and names a Unix socket localhost. Mint names the proxy
// of a URL of http up to its version 1.9.3.
func (r *reqRequest) host() string {
	a, ok := r.c.Address()
	switch {
	case r.c.Field("Host") != nil:
		return ""
	case len(r.c.UnixSocket()) > 0, r.c.ProxyScheme() != "" && !r.c.Secure():
		if !ok {
			r.p.Refuse("does not know the field Host of a variable with a Unix socket or a proxy")
		}
	case a.Port == "" || !strings.HasPrefix(a.Host.Source(), "["):
		return ""
	}
	if a.Port == "" {
		return a.Host.Source()
	}
	return a.Host.Source() + ":" + a.Port
}

// bearer reports whether the option for credentials sends the field.
func (r *reqRequest) bearer(f *plan.Field) bool {
	return f.Is("Authorization") && !r.c.Repeated() && strings.HasPrefix(f.Value.Source(), "Bearer ") && f.Value[0].Variable == nil && len(f.Value[0].Literal) >= len("Bearer ")
}

// auth sets the credentials.
func (r *reqRequest) auth() {
	both := func(kind string, c *plan.Credentials) {
		r.set("auth", emit.Group("", "{", []emit.Node{emit.Leaf(kind), emit.Leaf(r.text(c.Joined()))}, "}"))
	}
	i := slices.IndexFunc(r.c.Given(), func(f plan.Field) bool { return r.bearer(&f) })
	switch {
	case r.c.Digest != nil:
		if strings.Contains(r.c.URL, "?") {
			r.p.Refuse("leaves the query out of the URI of its Digest")
		}
		both(":digest", r.c.Digest)
	case i >= 0:
		value := r.c.Headers()[i].Value
		r.set("auth", emit.Group("", "{", []emit.Node{emit.Leaf(":bearer"), emit.Leaf(r.text(value.Cut(len("Bearer "), len(value.Source()))))}, "}"))
	case r.c.Basic != nil:
		both(":basic", r.c.Basic)
	}
}

// content returns the option that sets the content.
func (r *reqRequest) content() []emit.Node {
	if r.c.Content.Kind == plan.NoBody {
		return nil
	}
	if r.c.Streamed() {
		return []emit.Node{emit.Named("body: Stream.concat([[", "", emit.Followed(r.elixirRequest.content(), "]])"))}
	}
	switch r.c.Content.Kind {
	case plan.RawBody:
		if r.c.IsForm(&plan.EncodeQuotePlus) {
			r.c.Imply(r.c.Field("Content-Type"))
			return []emit.Node{emit.Named("form", ": ", r.keywords(r.c.Content.Form))}
		}
		if r.c.HasType("application/json") && !r.c.Removes("Accept") && r.p.Encodes(r.jason(), r.c) {
			r.json()
			return []emit.Node{emit.Named("json", ": ", r.value(r.c.Content.JSON))}
		}
	case plan.MultipartBody:
		if items, ok := r.parts(); ok {
			return []emit.Node{emit.Named("form_multipart", ": ", emit.Group("", "[", items, "]"))}
		}
	}
	return []emit.Node{emit.Named("body", ": ", r.elixirRequest.content())}
}

// json marks the fields that the option for JSON sends, and adds the one that it
// would send otherwise.
func (r *reqRequest) json() {
	r.c.Imply(r.c.Field("Content-Type"))
	accept := r.c.Field("Accept")
	switch {
	case accept == nil:
		r.c.AddField("Accept", plan.Literal("*/*"))
	case accept.Value.Source() == "application/json" && !slices.ContainsFunc(r.c.Given(), func(f plan.Field) bool { return f.Is("Accept") && f.Value.Source() != accept.Value.Source() }):
		r.c.Imply(accept)
	}
}

// keywords returns the pairs of a form or a query.
func (r *reqRequest) keywords(pairs []plan.Pair) emit.Node {
	names := make([]plan.Text, len(pairs))
	items := make([]emit.Node, len(names))
	for i, p := range pairs {
		names[i], items[i] = plan.Decoded(p.Name), emit.Leaf(r.text(plan.Decoded(p.Value)))
	}
	return r.pairs(names, items)
}

// pairs returns a list of pairs: a keyword list where the names are plain.
func (r *reqRequest) pairs(names []plan.Text, items []emit.Node) emit.Node {
	keywords := !slices.ContainsFunc(names, func(name plan.Text) bool {
		s, ok := name.Plain()
		return !ok || !isElixirAtom(s)
	})
	for i, name := range names {
		if keywords {
			items[i] = emit.Named(name.Source(), ": ", items[i])
			items[i].Key = 0
		} else {
			items[i] = emit.Group("", "{", []emit.Node{emit.Leaf(r.text(name)), items[i]}, "}")
		}
	}
	return emit.Group("", "[", items, "]")
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

// value returns a JSON value of the content as a literal.
func (r *reqRequest) value(v *emit.Value) emit.Node {
	if v.Kind == emit.StringValue {
		return emit.Leaf(r.text(r.c.StringOf(v)))
	}
	items := make([]emit.Node, len(v.Items))
	for i := range v.Items {
		items[i] = r.value(&v.Items[i])
	}
	switch v.Kind {
	case emit.ArrayValue:
		return emit.Group("", "[", items, "]")
	case emit.ObjectValue:
		for i := range items {
			items[i] = emit.Named(String(v.Names[i]), " => ", items[i])
		}
		return emit.Group("", "%{", items, "}")
	}
	if v.Text == "null" {
		return emit.Leaf("nil")
	}
	if i := strings.IndexAny(v.Text, "eE"); v.Kind == emit.NumberValue && i > 0 && !strings.Contains(v.Text, ".") {
		return emit.Leaf(v.Text[:i] + ".0" + v.Text[i:]) // Elixir has no 1e2
	}
	return emit.Leaf(v.Text)
}

// parts returns the parts of a form, where Req's own form has no others.
func (r *reqRequest) parts() ([]emit.Node, bool) {
	if r.c.Body.FormEscape {
		return nil, false
	}
	names := make([]plan.Text, len(r.c.Content.Part))
	items := make([]emit.Node, len(names))
	for i := range r.c.Content.Part {
		p := &r.c.Content.Part[i]
		if !p.Simple() {
			return nil, false
		}
		names[i] = plan.Literal(mime.EscapeName(p.Name, false))
		content := emit.Leaf(r.text(p.ValueText))
		if p.IsFile() {
			content = emit.Leaf(r.file(plan.Piece{File: p.FileText}))
		}
		part := []emit.Node{content}
		if p.FilenameText != nil {
			part = append(part, emit.Leaf("filename: "+String(mime.EscapeName(*p.FilenameText, false))))
		}
		if p.TypeText != nil {
			part = append(part, emit.Leaf("content_type: "+String(*p.TypeText)))
		}
		items[i] = content
		if len(part) > 1 {
			items[i] = emit.Group("", "{", part, "}")
		}
	}
	list := r.pairs(names, items)
	return list.Items, true
}

// exchange sets what shapes the exchange.
func (r *reqRequest) exchange() {
	set := func(asked bool, name, value string) {
		if asked {
			r.set(name, emit.Leaf(value))
		}
	}
	to := r.c.Destination(r.p.Options)
	used := to == plan.ContentPrinted || to == plan.ToFile
	exact := r.p.Exact()
	set(!r.c.Compressed() && exact, "compressed", "false")
	set(used && !r.c.Compressed() && exact, "raw", "true")
	set(used && r.c.Compressed() && exact || to == plan.ToFile && !exact, "decode_body", "false")
	set(r.c.Fail(), "http_errors", ":raise")
	set(r.c.Stops(), "redirect", "false")
	if r.c.Follow() {
		set(true, "max_redirects", emit.Itoa(int(r.c.RedirectLimit())))
		set(r.c.Trusted(), "redirect_trusted", "true")
		if r.c.Content.Kind != plan.NoBody {
			r.p.Differs("sends the content again where a redirect makes a GET of the request")
		}
	}
	set(r.c.Retries() == 0 && exact, "retry", "false")
	set(r.c.Retries() > 0, "retry", ":transient")
	set(r.c.Retries() > 0, "max_retries", emit.Itoa(int(r.c.Retries())))
	limit := ":infinity"
	if r.c.Timeout() > 0 {
		limit = milliseconds(r.c.Timeout())
	}
	set(r.c.Timeout() > 0 || exact, "receive_timeout", limit)
	set(len(r.c.UnixSocket()) > 0, "unix_socket", r.text(r.c.UnixSocket()))
	if items := r.connection(); len(items) > 0 {
		r.set("connect_options", emit.Group("", "[", items, "]"))
	}
}

// milliseconds writes a number of seconds as milliseconds.
func milliseconds(seconds float64) string {
	s := emit.Milliseconds(seconds)
	if whole, ok := strings.CutSuffix(s, "000"); ok && len(whole) > 1 {
		return whole + "_000"
	}
	return s
}

// connection returns the options of the connection.
func (r *reqRequest) connection() []emit.Node {
	var items, tls []emit.Node
	if r.c.ConnectTimeout() > 0 {
		items = append(items, emit.Leaf("timeout: "+milliseconds(r.c.ConnectTimeout())))
	}
	if r.c.HTTPVersion() == "2" {
		items = append(items, emit.Leaf("protocols: [:http1, :http2]"))
	}
	if a, ok := r.c.Address(); ok && len(r.c.UnixSocket()) > 0 && a.Secure {
		items = append(items, emit.Leaf("hostname: "+String(a.Host.Source())))
	}
	if r.c.ProxyScheme() != "" {
		s, ok := r.c.ProxyServer()
		if !ok {
			r.p.Refuse("takes no proxy from a variable")
		}
		items = append(items, emit.Leaf("proxy: {:http, "+String(s.Host)+", "+s.Port+", []}"))
		if s.Credentials != nil {
			value := `"Basic " <> Base.encode64(` + r.text(s.Credentials.Joined()) + ")"
			items = append(items, emit.Leaf(`proxy_headers: [{"proxy-authorization", `+value+"}]"))
		}
	}
	if r.c.Encrypts {
		if r.c.Insecure() {
			tls = append(tls, emit.Leaf("verify: :verify_none"))
		}
		if len(r.c.CaFile()) > 0 {
			tls = append(tls, emit.Leaf("cacertfile: "+r.text(r.c.CaFile())))
		}
		if len(r.c.Cert()) > 0 {
			tls = append(tls, emit.Leaf("certfile: "+r.text(r.c.Cert())), emit.Leaf("keyfile: "+r.text(r.c.CertKey())))
			if phrase := r.c.KeyPassword(); len(phrase) > 0 {
				tls = append(tls, emit.Leaf("password: "+r.text(phrase)))
			}
		}
	}
	if len(tls) > 0 {
		items = append(items, emit.Group("transport_opts: ", "[", tls, "]"))
	}
	return items
}

// result writes what is done with the response.
func (r *reqRequest) result() {
	response := "response" + r.suffix
	to := r.c.Destination(r.p.Options)
	if to == plan.Discarded {
		return
	}
	r.p.Line()
	switch to {
	case plan.ToFile:
		if folder := r.c.Folder(); folder != nil {
			r.p.Line("File.mkdir_p!(", r.text(folder), ")")
		}
		r.p.Line("File.write!(", r.text(r.c.Output()), ", ", response, ".body)")
	case plan.HeadersPrinted:
		r.p.Line("for {name, values} <- ", response, `.headers, value <- values, do: IO.puts("#{name}: #{value}")`)
	default:
		if r.p.Exact() {
			r.p.Line("IO.binwrite(", response, ".body)")
		} else {
			r.p.Line("IO.inspect(", response, ".body)") // which Req has decoded
		}
	}
}
