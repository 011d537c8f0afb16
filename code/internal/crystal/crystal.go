package crystal

import (
	"slices"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/request"
)

// What HTTP::Client of Crystal 1.6 does by itself (src/http/client.cr, and measured on the
// wire): it adds User-Agent, Accept-Encoding and Connection; follows no redirects; keeps paths,
// methods, names and values as they are; and sends a file in chunks, so that the program reads
// it.
var HTTPClient = plan.Target{
	Name: "crystal", Convention: plan.Format("crystal"), Client: "HTTP::Client", Version: "1.6", Kind: plan.Code, Extension: "cr",
	Why:     "no compiler of Crystal has read them",
	Aliases: []string{"crystal-http-client", "cr"}, Style: emit.Style{Indent: "  ", Comment: "# ", Wraps: "="}, Write: write,
	Facts: plan.Client{
		Undecoded: true,
		Loose:     true,
		Adds:      plan.FieldNames{"User-Agent", "Accept-Encoding", "Connection"},
		Always:    plan.FieldNames{"User-Agent", "Accept-Encoding", "Connection"},
		Rules:     plan.Rules{plan.SendsCodings(plan.NoCoding), plan.CodesContentOnly, plan.PrintableFields},
		EmptyHost: true,
		Follows:   plan.NoMethod,
	},
}

var language = plan.Language{Literal: String, Variable: variable, Plus: " + ", Inside: plan.NumberSign, Escape: quote}

// encodeForm is URI::Params.
var encodeForm = plan.FormEncoder{Safe: "-._~", Plus: true}

// encodeJSON is to_json, which is asked by meaning only.
var encodeJSON = emit.Encoder{Number: func(string) string { return "" }, Keeps: plan.PlainNames}

func write(p *plan.Program) {
	p.Use("http/client")
	sections := p.Sections(0, func(c *plan.Call, suffix string) {
		r := crystalRequest{p: p, c: c, suffix: suffix}
		r.write()
	})
	p.Head(func() {
		for _, name := range p.Imports {
			p.Line(`require "`, name, `"`)
		}
		p.Line()
	})
	p.Join(sections)
}

// String returns a literal in double quotes, or between %q( and ) where it has such quotes.
func String(s string) string {
	if strings.Contains(s, `"`) && !strings.ContainsAny(s, `()\`) && emit.Unescaped(s) {
		return "%q(" + s + ")"
	}
	return quote(s)
}

// quote returns a literal in double quotes, in which #{ begins code.
func quote(s string) string { return emit.DoubleQuoted(s, "#") }

func variable(p *plan.Program, v *request.Variable) string {
	if v.Encoding == plan.Computed {
		return v.Name
	}
	expr := "ENV[" + String(v.Name) + "]"
	if v.HasDefault {
		expr = "ENV.fetch(" + String(v.Name) + ", " + String(v.Default) + ")"
	}
	switch v.Encoding {
	case plan.UserPart:
		return expr + `.partition(":")[0]`
	case plan.PasswordPart:
		return expr + `.partition(":")[2]`
	case plan.LastSegment:
		return "File.basename(" + expr + ")"
	case request.EncodingPercent:
		return "URI.encode_path_segment(" + expr + ")"
	case request.EncodingForm:
		return "URI.encode_www_form(" + expr + ")"
	case request.EncodingJSON:
		p.Use("json")
		return expr + ".to_json[1..-2]"
	}
	return expr
}

// A crystalRequest writes one call with HTTP::Client.
type crystalRequest struct {
	p      *plan.Program
	c      *plan.Call
	suffix string
	form   string // the variable of the form, or nothing
}

func (r *crystalRequest) text(t plan.Text) string { return language.Text(r.p, t) }

func (r *crystalRequest) write() {
	if r.c.Has("followRedirects") && r.c.Has("maxRedirects") {
		r.p.LossAt(r.c.Place("maxRedirects"), "--max-redirs", "does not follow redirects")
	}
	content := r.content()
	tls := r.tls()
	client, url := r.client(tls)
	arguments := []emit.Node{url}
	if client == "HTTP::Client" {
		content = append(content, tls...)
	}
	function := client + "." + strings.ToLower(r.c.Method)
	if !slices.Contains([]string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}, r.c.Method) {
		function, arguments = client+".exec", append([]emit.Node{emit.Leaf(String(r.c.Method))}, arguments...)
	}
	if fields := r.fields(); fields != nil {
		arguments = append(arguments, emit.Named("headers", ": ", emit.Group("HTTP::Headers", "{", fields, "}")))
	}
	arguments = append(arguments, content...)
	response := "response" + r.suffix
	r.p.Node(response+" = ", emit.Group(function, "(", arguments, ")"), "")
	status := response + ".status_code"
	to := r.c.Destination(r.p.Options)
	r.c.Report(r.p.Options, func() {
		r.p.Line(`abort "HTTP #{`, status, `}" if `, status, " >= 400")
	}, func() {
		r.p.Line("puts ", status)
		r.p.Line(`puts `, response, ".headers")
	}, func() {
		switch to {
		case plan.ToFile:
			if folder := r.c.Folder(); folder != nil {
				r.p.Line("Dir.mkdir_p(", r.text(folder), ")")
			}
			r.p.Line("File.write(", r.text(r.c.Output()), ", ", response, ".body)")
		case plan.ContentPrinted:
			r.p.Line("puts ", response, ".body")
		}
	}, func() {
		if t := r.c.WriteOutLine(r.p.Options, status); len(t) > 0 {
			r.p.Line("puts ", r.text(t))
		}
	})
}

// client returns what sends the request and the URL for it: the class, or a client of its own,
// after the statements that make it, where the command limits times.
func (r *crystalRequest) client(tls []emit.Node) (string, emit.Node) {
	if r.c.Asked.Timeout == 0 && r.c.Asked.ConnectTimeout == 0 || r.c.UnknownScheme() {
		return "HTTP::Client", emit.Leaf(r.url())
	}
	base, path, query := r.c.URLParts()
	client := "client" + r.suffix
	arguments := append([]emit.Node{emit.Leaf("URI.parse(" + r.text(base) + ")")}, tls...)
	r.p.Node(client+" = ", emit.Group("HTTP::Client.new", "(", arguments, ")"), "")
	if limit := r.c.ConnectTimeout(); limit > 0 {
		r.p.Line(client, ".connect_timeout = ", emit.Seconds(limit))
	}
	if limit := r.c.Timeout(); limit > 0 {
		r.p.Line(client, ".read_timeout = ", emit.Seconds(limit))
	}
	if strings.Contains(r.c.URL, "?") {
		path = plan.MergeLiterals(append(append(path, plan.Part{Literal: "?"}), query...))
	}
	return client, emit.Leaf(r.text(path))
}

// url returns the URL, after the statements that guess its scheme where a variable may bring
// none.
func (r *crystalRequest) url() string {
	url := r.text(r.c.URLText)
	if !r.c.Guess {
		return url
	}
	name := "url" + r.suffix
	r.p.Line(name, " = ", url)
	r.p.Line(name, ` = "http://" + `, name, " unless ", name, `.includes?("://") # as curl does`)
	return name
}

// fields returns the members of the header.
func (r *crystalRequest) fields() (items []emit.Node) {
	if r.form != "" {
		items = append(items, emit.Leaf(`"Content-Type" => `+r.form+".content_type"))
	}
	for _, same := range r.c.ByName() {
		var values []emit.Node
		for _, f := range same {
			switch {
			case f.Skipped():
			case f.Derived() && r.c.Basic != nil:
				r.p.Use("base64")
				values = append(values, emit.Leaf(`"Basic " + Base64.strict_encode(`+r.text(r.c.Basic.Joined())+")"))
			default:
				values = append(values, emit.Leaf(r.text(f.Value)))
			}
		}
		switch name := String(same[0].Name); {
		case len(values) == 1:
			items = append(items, emit.Named(name, " => ", values[0]))
		case len(values) > 1:
			items = append(items, emit.Named(name, " => ", emit.Group("", "[", values, "]")))
		}
	}
	return items
}

// tls returns the argument that sets up TLS, after statements that it needs; the client takes
// none for http.
func (r *crystalRequest) tls() []emit.Node {
	if !r.c.Secure() {
		return nil
	}
	if r.c.Insecure() {
		return []emit.Node{emit.Leaf("tls: OpenSSL::SSL::Context::Client.insecure")}
	}
	settings := [][2]string{}
	for _, o := range []struct {
		name  string
		value plan.Text
	}{{"ca_certificates", r.c.CaFile()}, {"certificate_chain", r.c.Cert()}, {"private_key", r.c.CertKey()}} {
		if len(o.value) > 0 {
			settings = append(settings, [2]string{o.name, r.text(o.value)})
		}
	}
	if len(settings) == 0 {
		return nil
	}
	r.p.Line("tls", r.suffix, " = OpenSSL::SSL::Context::Client.new")
	for _, s := range settings {
		r.p.Line("tls", r.suffix, ".", s[0], " = ", s[1])
	}
	return []emit.Node{emit.Leaf("tls: tls" + r.suffix)}
}

// content returns the argument that gives the content, after statements that it needs.
func (r *crystalRequest) content() []emit.Node {
	body := func(n emit.Node) []emit.Node { return []emit.Node{emit.Named("body", ": ", n)} }
	switch c := r.c; c.Content.Kind {
	case plan.RawBody:
		switch {
		case slices.Contains([]string{"POST", "PUT", "PATCH"}, c.Method) && plan.PlainNames(plan.PairNames(c.Content.Form)) && c.IsForm(&encodeForm):
			c.Imply(c.Field("Content-Type"))
			items := make([]emit.Node, len(c.Content.Form))
			for i, pair := range c.Content.Form {
				items[i] = emit.Named(r.text(plan.Decoded(pair.Name)), " => ", emit.Leaf(r.text(plan.Decoded(pair.Value))))
			}
			return []emit.Node{emit.Named("form", ": ", emit.Group("", "{", items, "}"))}
		case r.p.Encodes(&encodeJSON, c) && filled(c.Content.JSON):
			r.p.Use("json")
			return body(emit.Followed(r.value(c.Content.JSON), ".to_json"))
		}
		return body(language.Content(r.p, c.Content.Data))
	case plan.MultipartBody:
		if r.simple() {
			return body(emit.Leaf(r.build() + ".to_s"))
		}
		return body(r.pieces(c.RawForm()))
	case plan.FileBody:
		return body(emit.Leaf(r.file(plan.Piece{File: c.Content.File})))
	case plan.PieceBody:
		return body(r.pieces(c.Content.List))
	}
	return nil
}

// simple reports whether the client writes the form as curl does.
func (r *crystalRequest) simple() bool {
	return !r.c.Body.FormEscape && !slices.ContainsFunc(r.c.Content.Part, func(p plan.FormPart) bool {
		odd := !p.Helped() || p.Implied || !p.NameText.IsText() || plan.HasVariable(p.NameText) || strings.ContainsAny(p.Name, "\r\n\"\\")
		return odd || p.IsFile() && (p.FilenameText == nil || p.TypeText == nil || p.FileText.Source() == "-" || strings.ContainsAny(*p.FilenameText, "\r\n\"\\")) ||
			!p.IsFile() && p.FilenameText != nil
	})
}

// build writes the statements that make a form, and returns the variable of its content.
func (r *crystalRequest) build() string {
	io := "io" + r.suffix
	r.form = "form" + r.suffix
	r.p.Line(io, " = IO::Memory.new")
	r.p.Line(r.form, " = HTTP::FormData::Builder.new(", io, ")")
	for i := range r.c.Content.Part {
		p := &r.c.Content.Part[i]
		call, arguments := ".field", []emit.Node{emit.Leaf(r.text(p.NameText))}
		if p.IsFile() {
			call = ".file"
			arguments = append(arguments, emit.Leaf("File.new("+r.text(p.FileText)+")"), emit.Leaf("HTTP::FormData::FileMetadata.new("+String(*p.FilenameText)+")"))
		} else {
			arguments = append(arguments, emit.Leaf(r.text(p.ValueText)))
		}
		if p.TypeText != nil {
			arguments = append(arguments, emit.Leaf(`HTTP::Headers{"Content-Type" => `+String(*p.TypeText)+"}"))
		}
		r.p.Node(r.form, emit.Group(call, "(", arguments, ")"), "")
	}
	r.p.Line(r.form, ".finish")
	return io
}

// filled reports a JSON value without empty arrays and objects, whose types nobody knows.
func filled(v *emit.Value) bool {
	return (v.Kind != emit.ArrayValue && v.Kind != emit.ObjectValue || len(v.Items) > 0) &&
		!slices.ContainsFunc(v.Items, func(one emit.Value) bool { return !filled(&one) })
}

// value returns a JSON value of the content as a literal.
func (r *crystalRequest) value(v *emit.Value) emit.Node {
	items := make([]emit.Node, len(v.Items))
	for i := range v.Items {
		if v.Kind == emit.StringValue {
			break
		}
		items[i] = r.value(&v.Items[i])
		if v.Kind == emit.ObjectValue {
			items[i] = emit.Named(String(v.Names[i]), " => ", items[i])
		}
	}
	switch {
	case v.Kind == emit.StringValue:
		return emit.Leaf(r.text(r.c.StringOf(v)))
	case v.Kind == emit.ArrayValue:
		return emit.Group("", "[", items, "]")
	case v.Kind == emit.ObjectValue:
		return emit.Group("", "{", items, "}")
	case v.Text == "null":
		return emit.Leaf("nil")
	}
	return emit.Leaf(v.Text)
}

// file returns an expression for the content of a file, changed as curl changes it.
func (r *crystalRequest) file(one plan.Piece) string {
	read := "File.read(" + r.text(one.File) + ")"
	if one.File.Source() == "-" {
		read = "STDIN.gets_to_end"
	}
	if one.Offset > 0 {
		read += ".byte_slice(" + emit.Itoa(int(one.Offset)) + ")"
	}
	if one.Strip {
		read += `.delete("\r\n\u0000")`
	}
	if one.Urlencode {
		read = "URI.encode_www_form(" + read + ")"
	}
	if len(one.Name) > 0 {
		read = r.text(one.Prefix()) + " + " + read
	}
	return read
}

func (r *crystalRequest) pieces(pieces []plan.Piece) emit.Node {
	return plan.JoinPieces(pieces, r.text, r.file, func(items []emit.Node) emit.Node { return emit.Group("", "[", items, "].join") })
}
