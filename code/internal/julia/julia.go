package julia

import (
	"math"
	"slices"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/internal/engine/mime"
	"uncoil/request"
)

// What HTTP.jl 1.10 does by itself, from its source: it adds Accept,
// User-Agent, and Accept-Encoding unless told not to, but none that the program
// sets to ""; sends no field that is empty, and those of one name apart; names an
// IPv6 address without its brackets; drops the question mark of an empty query;
// keeps cookies between requests; follows redirects, tries again, throws an
// exception for a status of 400 and above and asks the proxies of its environment
// unless told not to.
var HTTP = plan.Target{
	Name: "julia", Convention: &convention, Client: "HTTP.jl", Version: "1.10", Kind: plan.Code, Extension: "jl", Tried: plan.Parsed,
	Why:      "Tree-sitter's grammar of Julia reads them; no Julia has run them",
	Packages: []plan.Package{{Name: "HTTP", Version: "1.10"}},
	Aliases:  []string{"julia-http", "jl"}, Style: emit.Style{Indent: "    ", Comma: ",", Comment: "# ", Wraps: "="}, Write: writeJulia,
	Facts: plan.Client{
		Adds:     plan.FieldNames{"Accept", "User-Agent"},
		Rules:    plan.Rules{plan.SendsCodings(plan.OnlyChunks), plan.CodesContentOnly},
		Hostless: true,
		Proxies:  []string{"http"},
	},
}

// convention is what is customary in the language.
var convention = plan.Convention{Language: "julia", Manifest: plan.Manifest{File: "Project.toml", Line: `$n = "$v"`}}

var language = plan.Language{Literal: String, Variable: variable, Plus: " * "}

// encodeURIs is escapeuri of URIs.jl.
var encodeURIs = plan.FormEncoder{Safe: "-._", Plus: false}

func writeJulia(p *plan.Program) {
	sections := p.Sections(0, func(c *plan.Call, suffix string) {
		r := juliaRequest{p: p, c: c, suffix: suffix}
		r.write()
	})
	p.Head(func() {
		for _, name := range append(p.Imports, "HTTP") {
			p.Line("using ", name)
		}
		p.Line()
	})
	p.Join(sections)
}

// String returns a literal in double quotes, or in three where it has double
// quotes of its own.
func String(s string) string {
	last := s[strings.LastIndexByte(s, '\n')+1:] // its indentation goes from all lines
	if strings.Contains(s, `"`) && emit.Unescaped(s) && !strings.ContainsAny(s, `\$`) && !strings.Contains(s, `"""`) &&
		!strings.ContainsAny(s[:1], "\" \n") && !strings.HasSuffix(s, `"`) && !strings.HasPrefix(last, " ") {
		return `"""` + s + `"""`
	}
	return emit.DoubleQuoted(s, "$")
}

func variable(_ *plan.Program, v *request.Variable) string {
	expr := "ENV[" + String(v.Name) + "]"
	if v.HasDefault {
		expr = "get(ENV, " + String(v.Name) + ", " + String(v.Default) + ")"
	}
	switch v.Encoding {
	case plan.UserPart:
		return "first(split(" + expr + `, ":"; limit=2))`
	case plan.PasswordPart:
		return "last(split(" + expr + `, ":"; limit=2))`
	case plan.LastSegment:
		return "basename(" + expr + ")"
	case request.EncodingPercent:
		return "HTTP.escapeuri(" + expr + ")"
	case request.EncodingForm:
		return "replace(HTTP.escapeuri(" + expr + `), "%20" => "+")`
	case request.EncodingJSON:
		return "replace(" + expr + `, "\\" => "\\\\", "\"" => "\\\"")`
	}
	return expr
}

// A juliaRequest writes one call with HTTP.jl.
type juliaRequest struct {
	p         *plan.Program
	c         *plan.Call
	suffix    string
	arguments []emit.Node
}

func (r *juliaRequest) text(t plan.Text) string { return language.Text(r.p, t) }

// set adds an argument with a name.
func (r *juliaRequest) set(asked bool, name, value string) {
	if asked {
		r.arguments = append(r.arguments, emit.Leaf(name+"="+value))
	}
}

// methods are those with a function of their own.
var methods = []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"}

func (r *juliaRequest) write() {
	url := r.text(r.c.URLText)
	if r.c.Guess {
		name := "url" + r.suffix
		r.p.Line(name, " = ", url)
		r.p.Line(name, ` = occursin("://", `, name, ") ? ", name, ` : "http://" * `, name, " # as curl does")
		url = name
	}
	function := "HTTP." + strings.ToLower(r.c.Method)
	if !slices.Contains(methods, r.c.Method) {
		function = "HTTP.request"
		r.arguments = append(r.arguments, emit.Leaf(String(r.c.Method)))
	}
	r.arguments = append(r.arguments, emit.Leaf(url))
	content := r.content()
	r.headers()
	if r.c.Content.Kind != plan.NoBody {
		r.arguments = append(r.arguments, emit.Named("body", "=", content))
	}
	r.exchange()
	response := "response" + r.suffix
	before := response + " = "
	to := r.c.Destination(r.p.Options)
	if r.c.Unread(r.p.Options) {
		before = ""
	}
	r.p.Node(before, emit.Group(function, "(", r.arguments, ")"), "")
	if r.c.Fail() {
		r.p.Line(response, ".status >= 400 && error(\"HTTP $(", response, ".status)\")")
	}
	switch to {
	case plan.ToFile:
		if folder := r.c.Folder(); folder != nil {
			r.p.Line("mkpath(", r.text(folder), ")")
		}
		r.p.Line("write(", r.text(r.c.Output()), ", ", response, ".body)")
	case plan.HeadersPrinted:
		r.p.Block("for (name, value) in "+response+".headers", func() { r.p.Line(`println("$name: $value")`) })
		r.p.Line("end")
	case plan.ContentPrinted:
		r.p.Line("println(String(", response, ".body))")
	}
}

// defaults are the fields that HTTP.jl adds, and leaves out where they are
// empty.
var defaults = []string{"Accept", "User-Agent", "Host"}

func (r *juliaRequest) headers() {
	var items []emit.Node
	add := func(name, value string) { items = append(items, emit.Leaf(String(name)+" => "+value)) }
	if a, ok := r.c.Address(); ok && strings.HasPrefix(a.Host.Source(), "[") && r.c.Field("Host") == nil && !r.c.Removes("Host") {
		host := a.Host.Source()
		if a.Port != "" {
			host += ":" + a.Port
		}
		add("Host", String(host))
	}
	for _, f := range r.c.Headers() {
		if f.Value.Source() == "" {
			r.p.RefuseName(f.At, "sends no empty field", f.Name)
		}
		if f.Derived() && f.Is("Authorization") && r.c.Basic != nil {
			r.p.Use("Base64")
			add("Authorization", `"Basic " * base64encode(`+r.text(r.c.Basic.Joined())+")")
			continue
		}
		for _, canonical := range sensitive { // HTTP.jl compares them with the case of their letters
			if f.Is(string(canonical)) {
				f.Name = string(canonical)
			}
		}
		if !f.Derived() {
			add(f.Name, r.text(f.Value))
		}
	}
	for _, name := range defaults {
		if r.c.Removes(name) && r.c.Field(name) == nil {
			add(name, `""`)
		}
	}
	if len(items) > 0 {
		r.arguments = append(r.arguments, emit.Group("headers=", "[", items, "]"))
	}
}

// sensitive are the fields that HTTP.jl keeps from other hosts.
var sensitive = plan.FieldNames{"Authorization", "Cookie"}

// content returns the argument for the content.
func (r *juliaRequest) content() emit.Node {
	switch r.c.Content.Kind {
	case plan.RawBody:
		if r.c.IsForm(&encodeURIs) {
			return emit.Group("HTTP.escapeuri", "([", r.form(), "])")
		}
		return emit.Leaf(r.text(r.c.Content.Data))
	case plan.MultipartBody:
		if items, ok := r.parts(); ok {
			return emit.Group("HTTP.Form", "([", items, "])")
		}
		return r.pieces(r.c.RawForm())
	case plan.FileBody:
		return emit.Leaf(r.bytes(r.c.Content.File))
	}
	return r.pieces(r.c.Content.List)
}

// form returns the pairs of a form.
func (r *juliaRequest) form() []emit.Node {
	items := make([]emit.Node, len(r.c.Content.Form))
	for i, p := range r.c.Content.Form {
		items[i] = emit.Leaf(r.text(plan.Decoded(p.Name)) + " => " + r.text(plan.Decoded(p.Value)))
	}
	return items
}

// parts returns the parts of a form, where HTTP.jl writes no others, and adds its
// type to the request.
func (r *juliaRequest) parts() ([]emit.Node, bool) {
	if r.c.Body.FormEscape || !slices.Contains([]string{"POST", "PUT", "PATCH"}, r.c.Method) {
		return nil, false
	}
	items := make([]emit.Node, len(r.c.Content.Part))
	for i := range r.c.Content.Part {
		p := &r.c.Content.Part[i]
		if !p.Simple() || p.TypeText == nil && (p.IsFile() || p.FilenameText != nil) {
			return nil, false
		}
		content := emit.Leaf(r.text(p.ValueText))
		if p.TypeText != nil {
			filename, data := "nothing", "IOBuffer("+r.text(p.ValueText)+")"
			if p.FilenameText != nil {
				filename = String(mime.EscapeName(*p.FilenameText, false))
			}
			if p.IsFile() {
				data = "IOBuffer(" + r.bytes(p.FileText) + ")"
			}
			content = emit.Group("HTTP.Multipart", "(", []emit.Node{emit.Leaf(filename), emit.Leaf(data), emit.Leaf(String(*p.TypeText))}, ")")
		}
		items[i] = emit.Named(String(mime.EscapeName(p.Name, false)), " => ", content)
	}
	return items, true
}

// bytes returns an expression for the content of a file as it is.
func (r *juliaRequest) bytes(file plan.Text) string {
	if file.Source() == "-" {
		return "read(stdin)"
	}
	return "read(" + r.text(file) + ")"
}

// file returns an expression for the content of a file as a string, changed as curl changes
// it.
func (r *juliaRequest) file(one plan.Piece) string {
	read := r.bytes(one.File)
	if one.Offset > 0 {
		read += "[" + emit.Itoa(int(one.Offset)+1) + ":end]"
	}
	read = "String(" + read + ")"
	if one.Strip {
		read = `filter(!in("\r\n\0"), ` + read + ")"
	}
	if one.Urlencode {
		read = "replace(HTTP.escapeuri(" + read + `), "%20" => "+")`
	}
	if len(one.Name) > 0 {
		read = r.text(one.Prefix()) + " * " + read
	}
	return read
}

func (r *juliaRequest) pieces(pieces []plan.Piece) emit.Node {
	return plan.JoinPieces(pieces, r.text, r.file, func(items []emit.Node) emit.Node { return emit.Group("string", "(", items, ")") })
}

// exchange sets what shapes the exchange.
func (r *juliaRequest) exchange() {
	r.set(!r.c.Compressed(), "decompress", "false")
	r.set(r.c.Stops() || r.c.MaxRedirects() == 0, "redirect", "false")
	if r.c.Follow() && r.c.MaxRedirects() != 0 {
		r.set(true, "redirect_limit", emit.Itoa(int(r.c.RedirectLimit())))
		r.set(r.c.Method != "POST" && r.c.Method != "GET", "redirect_method", ":same")
		for _, name := range sensitive {
			if r.c.Field(string(name)) != nil && !r.c.Trusted() {
				r.p.Differs("sends " + name + " also to subdomains and other ports of its host")
			}
		}
	}
	r.set(len(r.p.Calls) > 1 || r.c.Follow(), "cookies", "false")
	r.set(true, "retry", "false")
	r.set(true, "status_exception", "false")
	r.set(r.c.Timeout() > 0, "readtimeout", wholeSeconds(r.c.Timeout()))
	r.set(r.c.ConnectTimeout() > 0, "connect_timeout", wholeSeconds(r.c.ConnectTimeout()))
	r.set(r.c.Insecure(), "require_ssl_verification", "false")
	if r.c.ProxyScheme() != "" {
		if a, ok := r.c.Address(); ok && a.Secure && a.PortOr() != "443" {
			r.p.Refuse("reaches only the port 443 of https through a proxy")
		}
		r.set(true, "proxy", r.text(r.c.ProxyURL()))
	}
	r.set(r.c.Direct(), "proxy", "nothing")
}

// wholeSeconds returns a number of seconds without a fraction, rounded up.
func wholeSeconds(f float64) string { return emit.Itoa(int(math.Ceil(f))) }
