package elixir

import (
	"slices"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/urlparts"
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
var HTTPC = plan.Target{
	Name: "elixir", Convention: &convention, Client: "httpc", Version: "25", Kind: plan.Code, Extension: "exs",
	Aliases: []string{"elixir-httpc", "exs"}, Proven: true, Style: emit.Style{Indent: "  ", Comment: "# ", Wraps: "="}, Write: writeElixir,
	Facts: plan.Client{
		Undecoded: true,
		ModernTLS: true,
		Rules: plan.Rules{
			plan.ReadsURLs(erlangPercents),
			plan.SendsNoEmptyChunks,
			plan.SendsMethods(func(m string) bool { return slices.Contains(methods, m) }),
			plan.SendsNoContent("GET", "HEAD", "OPTIONS", "TRACE"),
			plan.SendsOnce("Content-Type"),
			plan.SendsCodings(plan.EitherCoding),
			plan.TypesContent,
			plan.RemovesDots,
		},
		Adds:      plan.FieldNames{"TE", "Connection"},
		Wire:      plan.Wire{Order: "Content-Type User-Agent TE Referer If-Modified-Since Expect Host Authorization Accept-Language Accept-Encoding Accept Transfer-Encoding Connection Cache-Control *", Case: plan.Lower, Path: "\"<>[]^`{|}%", Query: "\"<>[]^`{|}\\é%", Lowers: true, Follows: true, Text: true},
		Always:    plan.FieldNames{"TE", "Connection"},
		Names:     ascii.Only,
		EmptyHost: true,
		Proxies:   []string{"http"},
		Follows:   []string{"GET", "HEAD", "POST"},
		Shares:    plan.FieldNames{"Authorization", "Cookie"},
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

var methods = []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"}

// convention is what is customary in the language.
var convention = plan.Convention{Language: "elixir", Manifest: plan.Manifest{File: "mix.exs", Line: `{:$n, "~> $v"}`}}

var language = plan.Language{Literal: String, Variable: variable, Plus: " <> ", Inside: plan.NumberSign, Escape: quote}

func writeElixir(p *plan.Program) {
	sections := p.Sections(0, func(c *plan.Call, suffix string) {
		r := elixirRequest{p: p, c: c, suffix: suffix}
		r.write()
	})
	p.Head(func() {
		p.Line("{:ok, _} = Application.ensure_all_started(:inets)")
		p.Line("{:ok, _} = Application.ensure_all_started(:ssl)")
		p.Line()
	})
	p.Join(sections)
}

// String returns a literal in double quotes, or a sigil where it has
// double quotes or several lines.
func String(s string) string {
	if strings.Contains(s, `"`) && !strings.ContainsAny(s, `\#)`) && emit.Unescaped(s) {
		return "~s(" + s + ")"
	}
	if emit.SpansLines(s) && !strings.HasSuffix(s, `\`) {
		for _, quotes := range []string{"()", "||", "[]", "//", "<>"} {
			if strings.IndexByte(s, quotes[1]) < 0 {
				return "~S" + quotes[:1] + s + quotes[1:]
			}
		}
	}
	return quote(s)
}

func quote(s string) string { return emit.DoubleQuoted(s, "#") }

func variable(_ *plan.Program, v *request.Variable) string {
	expr := "System.fetch_env!(" + String(v.Name) + ")"
	if v.HasDefault {
		expr = "System.get_env(" + String(v.Name) + ", " + String(v.Default) + ")"
	}
	switch v.Encoding {
	case plan.UserPart:
		return "hd(String.split(" + expr + `, ":", parts: 2))`
	case plan.PasswordPart:
		return "List.last(String.split(" + expr + `, ":", parts: 2))`
	case plan.LastSegment:
		return "Path.basename(" + expr + ")"
	case request.EncodingPercent:
		return "URI.encode(" + expr + ", &URI.char_unreserved?/1)"
	case request.EncodingForm:
		return "URI.encode_www_form(" + expr + ")"
	case request.EncodingJSON:
		return "String.replace(" + expr + `, ["\\", "\""], &("\\" <> &1))`
	}
	return expr
}

// An elixirRequest writes one call with httpc.
type elixirRequest struct {
	p      *plan.Program
	c      *plan.Call
	suffix string
	bytes  bool // standard input gives bytes
}

func (r *elixirRequest) text(t plan.Text) string { return language.Text(r.p, t) }

// long returns an expression for a text that may be long.
func (r *elixirRequest) long(t plan.Text) emit.Node { return language.Content(r.p, t) }

// charlist returns an expression for a list of the bytes of a text, which httpc
// takes.
func (r *elixirRequest) charlist(t plan.Text) string {
	if s, ok := t.Plain(); ok && ascii.Only(s) {
		return "~c" + emit.DoubleQuoted(s, "#")
	}
	return ":binary.bin_to_list(" + r.text(t) + ")"
}

func (r *elixirRequest) write() {
	content := r.content()
	if r.c.Streamed() {
		content = emit.Group("", "{", []emit.Node{emit.Leaf(":chunkify"), emit.Leaf("fn nil -> :eof; content -> {:ok, content, nil} end"), content}, "}")
	}
	contentType := r.c.Field("Content-Type")
	url := r.address()
	if strings.Contains(r.c.URLText.Literals(), "://[") && r.c.Field("Host") == nil {
		r.p.Refuse("leaves out the brackets of an IPv6 address in Host")
	}
	var fields []emit.Node
	for _, f := range r.c.Joined() {
		switch {
		case f.Derived() && f.Is("Authorization"):
			value := `~c"Basic " ++ :base64.encode_to_string(` + r.text(r.c.Basic.Joined()) + ")"
			fields = append(fields, tuple(`~c"authorization"`, value))
		case f.Derived(), f.Is("Content-Type") && r.c.Content.Kind != plan.NoBody:
		default:
			fields = append(fields, tuple(r.charlist(plan.Literal(strings.ToLower(f.Name))), r.charlist(f.Value)))
		}
	}
	items := []emit.Node{emit.Leaf(url), emit.Group("", "[", fields, "]")}
	if r.c.Content.Kind != plan.NoBody || slices.Contains([]string{"POST", "PUT", "PATCH"}, r.c.Method) {
		name := `~c""`
		if r.c.Content.Kind != plan.NoBody && contentType != nil {
			name = r.charlist(contentType.Value)
		}
		if r.c.Content.Kind == plan.NoBody {
			content = emit.Leaf(`""`)
		}
		items = append(items, emit.Leaf(name), content)
	}
	made := "request" + r.suffix
	r.p.Node(made+" = ", emit.Group("", "{", items, "}"), "")
	r.proxy()
	status, headers, body := "_status", "_headers", "_body"
	to := r.c.Destination(r.p.Options)
	if r.c.Fail() {
		status = "status" + r.suffix
	}
	switch to {
	case plan.HeadersPrinted:
		headers = "headers" + r.suffix
	case plan.ContentPrinted, plan.ToFile:
		body = "body" + r.suffix
	}
	r.p.Line()
	r.p.Line("{:ok, {{_version, ", status, ", _reason}, ", headers, ", ", body, "}} =")
	r.p.Level++
	arguments := []emit.Node{emit.Leaf(":" + strings.ToLower(r.c.Method)), emit.Leaf(made), emit.Group("", "[", r.exchange(), "]"), emit.Leaf("body_format: :binary")}
	r.p.Node("", emit.Group(":httpc.request", "(", arguments, ")"), "")
	r.p.Level--
	r.p.Line()
	if r.c.Fail() {
		r.p.Line("if ", status, ` >= 400, do: raise("HTTP #{`, status, `}")`)
	}
	switch to {
	case plan.ToFile:
		if folder := r.c.Folder(); folder != nil {
			r.p.Line("File.mkdir_p!(", r.text(folder), ")")
		}
		r.p.Line("File.write!(", r.text(r.c.Output()), ", ", body, ")")
	case plan.HeadersPrinted:
		r.p.Line("for {name, value} <- ", headers, `, do: IO.puts("#{name}: #{value}")`)
	case plan.ContentPrinted:
		r.p.Line("IO.binwrite(", body, ")")
	}
}

func tuple(name, value string) emit.Node {
	return emit.Group("", "{", []emit.Node{emit.Leaf(name), emit.Leaf(value)}, "}")
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
func (r *elixirRequest) location(unsafe string) (url plan.Text, name string) {
	source := r.c.URL
	path := 0
	if parts := urlparts.Of(source); parts.Authority > 0 {
		path = parts.Path
	}
	url = plan.MergeLiterals(append(r.c.URLText.Cut(0, path), plan.PercentEncoded(r.c.URLText.Cut(path, len(source)), unsafe)...))
	if !r.c.Guess {
		return url, ""
	}
	name = "url" + r.suffix
	r.p.Line(name, " = ", r.text(url))
	r.p.Line(name, " = if ", name, ` =~ "://", do: `, name, `, else: "http://" <> `, name, " # as curl does")
	return url, name
}

// content returns an expression for the content.
func (r *elixirRequest) content() emit.Node {
	return r.c.ContentNode(r.long, r.text, r.file, func(items []emit.Node) emit.Node { return emit.Group("IO.iodata_to_binary", "([", items, "])") })
}

// file returns an expression for the content of a file, changed as curl
// changes it.
func (r *elixirRequest) file(one plan.Piece) string {
	read := "File.read!(" + r.text(one.File) + ")"
	if one.File.Source() == "-" {
		if !r.bytes {
			r.bytes = true
			r.p.Line(":io.setopts(:standard_io, encoding: :latin1) # for bytes that are not UTF-8")
		}
		read = `with(:eof <- IO.binread(:stdio, :eof), do: "")`
	}
	if one.Offset > 0 {
		read = "binary_slice(" + read + ", " + emit.Itoa(int(one.Offset)) + "..-1//1)"
	}
	if one.Strip {
		read = "String.replace(" + read + `, ["\r", "\n", "\0"], "")`
	}
	if one.Urlencode {
		read = "URI.encode_www_form(" + read + ")"
	}
	if len(one.Name) > 0 {
		read = r.text(one.Prefix()) + " <> " + read
	}
	return read
}

// proxy sets the proxy, which httpc has for all requests.
func (r *elixirRequest) proxy() {
	if r.c.ProxyScheme() == "" {
		return
	}
	s, ok := r.c.ProxyServer()
	if !ok || strings.HasPrefix(s.Host, "[") {
		r.p.Refuse("reads no proxy from the environment")
	}
	if a, known := r.c.Address(); known && a.Host.Source() == "127.0.0.1" { // the one host that it takes for local
		r.p.Refuse("asks no proxy for 127.0.0.1")
	}
	proxy := "{{~c" + emit.DoubleQuoted(s.Host, "#") + ", " + s.PortOr() + "}, []}"
	r.p.Line(":httpc.set_options(proxy: ", proxy, ", https_proxy: ", proxy, ")")
}

// exchange returns the options that shape the exchange.
func (r *elixirRequest) exchange() []emit.Node {
	var items []emit.Node
	if r.c.Stops() {
		items = append(items, emit.Leaf("autoredirect: false"))
	}
	add := func(asked bool, name, value string) {
		if asked {
			items = append(items, emit.Leaf(name+": "+value))
		}
	}
	add(r.c.Timeout() > 0, "timeout", emit.Milliseconds(r.c.Timeout()))
	add(r.c.ConnectTimeout() > 0, "connect_timeout", emit.Milliseconds(r.c.ConnectTimeout()))
	if user, password, ok := r.proxyCredentials(); ok {
		add(true, "proxy_auth", "{"+user+", "+password+"}")
	}
	if !r.c.Encrypts {
		return items
	}
	var tls []emit.Node
	switch {
	case r.c.Insecure():
		tls = append(tls, emit.Leaf("verify: :verify_none"))
	case len(r.c.CaFile()) > 0:
		tls = append(tls, emit.Leaf("verify: :verify_peer"), emit.Leaf("cacertfile: "+r.charlist(r.c.CaFile())))
	default:
		tls = append(tls, emit.Leaf("verify: :verify_peer"), emit.Leaf("cacerts: :public_key.cacerts_get()"))
	}
	if !r.c.Insecure() {
		match := emit.Leaf("match_fun: :public_key.pkix_verify_hostname_match_fun(:https)")
		tls = append(tls, emit.Group("customize_hostname_check: ", "[", []emit.Node{match}, "]"))
	}
	if len(r.c.Cert()) > 0 {
		tls = append(tls, emit.Leaf("certfile: "+r.charlist(r.c.Cert())), emit.Leaf("keyfile: "+r.charlist(r.c.CertKey())))
		if phrase := r.c.KeyPassword(); len(phrase) > 0 {
			tls = append(tls, emit.Leaf("password: "+r.charlist(phrase)))
		}
	}
	return append(items, emit.Group("ssl: ", "[", tls, "]"))
}

// proxyCredentials returns the user name and the password for the proxy.
func (r *elixirRequest) proxyCredentials() (user, password string, ok bool) {
	if r.c.ProxyScheme() == "" {
		return "", "", false
	}
	_, name, secret := r.c.ProxyParts()
	return r.charlist(name), r.charlist(secret), len(name) > 0
}
