package code

import (
	"math"
	"slices"
	"strings"

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
var juliaHTTP = Target{
	Name: "julia", Language: "julia", Client: "HTTP.jl", Version: "1.10", Kind: Code, Extension: "jl",
	Aliases: []string{"julia-http", "jl"}, style: style{indent: "    ", comma: ",", comment: "# ", wraps: "="}, write: writeJulia,
	client: client{
		adds:     fieldNames{"Accept", "User-Agent"},
		codings:  onlyChunks,
		framed:   true,
		hostless: true,
		says:     []string{"createDirs", "followRedirects", "maxRedirects", "maxTime", "connectTimeout", "insecure"},
		proxies:  []string{"http"},
	},
}

var juliaLanguage = language{literal: juliaString, variable: juliaVariable, plus: " * "}

// encodeURIs is escapeuri of URIs.jl.
var encodeURIs = formEncoder{"-._", false}

func writeJulia(p *program) {
	sections := p.sections(0, func(c *call, suffix string) {
		r := juliaRequest{p: p, c: c, suffix: suffix}
		r.write()
	})
	if !p.options.Bare {
		for _, name := range append(p.imports, "HTTP") {
			p.line("using ", name)
		}
		p.line()
	}
	p.join(sections)
}

// juliaString returns a literal in double quotes, or in three where it has double
// quotes of its own.
func juliaString(s string) string {
	last := s[strings.LastIndexByte(s, '\n')+1:] // its indentation goes from all lines
	if strings.Contains(s, `"`) && unescaped(s) && !strings.ContainsAny(s, `\$`) && !strings.Contains(s, `"""`) &&
		!strings.ContainsAny(s[:1], "\" \n") && !strings.HasSuffix(s, `"`) && !strings.HasPrefix(last, " ") {
		return `"""` + s + `"""`
	}
	return doubleQuoted(s, "$")
}

func juliaVariable(_ *program, v *request.Variable) string {
	expr := "ENV[" + juliaString(v.Name) + "]"
	if v.HasDefault {
		expr = "get(ENV, " + juliaString(v.Name) + ", " + juliaString(v.Default) + ")"
	}
	switch v.Encoding {
	case userPart:
		return "first(split(" + expr + `, ":"; limit=2))`
	case passwordPart:
		return "last(split(" + expr + `, ":"; limit=2))`
	case lastSegment:
		return "basename(" + expr + ")"
	case request.Percent:
		return "HTTP.escapeuri(" + expr + ")"
	case request.FormEncode:
		return "replace(HTTP.escapeuri(" + expr + `), "%20" => "+")`
	case request.JSONEscape:
		return "replace(" + expr + `, "\\" => "\\\\", "\"" => "\\\"")`
	}
	return expr
}

// A juliaRequest writes one call with HTTP.jl.
type juliaRequest struct {
	p         *program
	c         *call
	suffix    string
	arguments []node
}

func (r *juliaRequest) text(t text) string { return juliaLanguage.text(r.p, t) }

// set adds an argument with a name.
func (r *juliaRequest) set(asked bool, name, value string) {
	if asked {
		r.arguments = append(r.arguments, leaf(name+"="+value))
	}
}

// juliaMethods are those with a function of their own.
var juliaMethods = []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"}

func (r *juliaRequest) write() {
	url := r.text(r.c.url)
	if r.c.guess {
		name := "url" + r.suffix
		r.p.line(name, " = ", url)
		r.p.line(name, ` = occursin("://", `, name, ") ? ", name, ` : "http://" * `, name, " # as curl does")
		url = name
	}
	function := "HTTP." + strings.ToLower(r.c.Method)
	if !slices.Contains(juliaMethods, r.c.Method) {
		function = "HTTP.request"
		r.arguments = append(r.arguments, leaf(juliaString(r.c.Method)))
	}
	r.arguments = append(r.arguments, leaf(url))
	content := r.content()
	r.headers()
	if r.c.body.kind != noBody {
		r.arguments = append(r.arguments, named("body", "=", content))
	}
	r.exchange()
	response := "response" + r.suffix
	before := response + " = "
	to := r.c.destination(r.p.options)
	if r.c.unread(r.p.options) {
		before = ""
	}
	r.p.node(before, group(function, "(", r.arguments, ")"), "")
	if r.c.fail {
		r.p.line(response, ".status >= 400 && error(\"HTTP $(", response, ".status)\")")
	}
	switch to {
	case toFile:
		if folder := r.c.folder(); folder != nil {
			r.p.line("mkpath(", r.text(folder), ")")
		}
		r.p.line("write(", r.text(r.c.output), ", ", response, ".body)")
	case headersPrinted:
		r.p.block("for (name, value) in "+response+".headers", func() { r.p.line(`println("$name: $value")`) })
		r.p.line("end")
	case contentPrinted:
		r.p.line("println(String(", response, ".body))")
	}
}

// juliaDefaults are the fields that HTTP.jl adds, and leaves out where they are
// empty.
var juliaDefaults = []string{"Accept", "User-Agent", "Host"}

func (r *juliaRequest) headers() {
	var items []node
	add := func(name, value string) { items = append(items, leaf(juliaString(name)+" => "+value)) }
	if a, ok := r.c.address(); ok && strings.HasPrefix(a.host.source(), "[") && r.c.field("Host") == nil && !r.c.removes("Host") {
		host := a.host.source()
		if a.port != "" {
			host += ":" + a.port
		}
		add("Host", juliaString(host))
	}
	for _, f := range r.c.fields {
		if f.value.source() == "" {
			r.p.refuseName(f.at, "sends no empty field", f.name)
		}
		if f.derived && f.is("Authorization") && r.c.basic != nil {
			r.p.use("Base64")
			add("Authorization", `"Basic " * base64encode(`+r.text(r.c.basic.joined())+")")
			continue
		}
		for _, canonical := range juliaSensitive { // HTTP.jl compares them with the case of their letters
			if f.is(string(canonical)) {
				f.name = string(canonical)
			}
		}
		if !f.derived {
			add(f.name, r.text(f.value))
		}
	}
	for _, name := range juliaDefaults {
		if r.c.removes(name) && r.c.field(name) == nil {
			add(name, `""`)
		}
	}
	if len(items) > 0 {
		r.arguments = append(r.arguments, group("headers=", "[", items, "]"))
	}
}

// juliaSensitive are the fields that HTTP.jl keeps from other hosts.
var juliaSensitive = fieldNames{"Authorization", "Cookie"}

// content returns the argument for the content.
func (r *juliaRequest) content() node {
	switch r.c.body.kind {
	case rawBody:
		if r.c.isForm(&encodeURIs) {
			return group("HTTP.escapeuri", "([", r.form(), "])")
		}
		return leaf(r.text(r.c.body.data))
	case multipartBody:
		if items, ok := r.parts(); ok {
			return group("HTTP.Form", "([", items, "])")
		}
		return r.pieces(r.c.rawForm())
	case fileBody:
		return leaf(r.bytes(r.c.body.file))
	}
	return r.pieces(r.c.body.list)
}

// form returns the pairs of a form.
func (r *juliaRequest) form() []node {
	items := make([]node, len(r.c.body.form))
	for i, p := range r.c.body.form {
		items[i] = leaf(r.text(decoded(p.name)) + " => " + r.text(decoded(p.value)))
	}
	return items
}

// parts returns the parts of a form, where HTTP.jl writes no others, and adds its
// type to the request.
func (r *juliaRequest) parts() ([]node, bool) {
	if r.c.Body.FormEscape || !slices.Contains([]string{"POST", "PUT", "PATCH"}, r.c.Method) {
		return nil, false
	}
	items := make([]node, len(r.c.body.part))
	for i := range r.c.body.part {
		p := &r.c.body.part[i]
		if !p.simple() || p.contentType == nil && (p.isFile() || p.filename != nil) {
			return nil, false
		}
		content := leaf(r.text(p.value))
		if p.contentType != nil {
			filename, data := "nothing", "IOBuffer("+r.text(p.value)+")"
			if p.filename != nil {
				filename = juliaString(mime.EscapeName(*p.filename, false))
			}
			if p.isFile() {
				data = "IOBuffer(" + r.bytes(p.file) + ")"
			}
			content = group("HTTP.Multipart", "(", []node{leaf(filename), leaf(data), leaf(juliaString(*p.contentType))}, ")")
		}
		items[i] = named(juliaString(mime.EscapeName(p.Name, false)), " => ", content)
	}
	return items, true
}

// bytes returns an expression for the content of a file as it is.
func (r *juliaRequest) bytes(file text) string {
	if file.source() == "-" {
		return "read(stdin)"
	}
	return "read(" + r.text(file) + ")"
}

// file returns an expression for the content of a file as a string, changed as curl changes
// it.
func (r *juliaRequest) file(one piece) string {
	read := r.bytes(one.file)
	if one.offset > 0 {
		read += "[" + itoa(int(one.offset)+1) + ":end]"
	}
	read = "String(" + read + ")"
	if one.strip {
		read = `filter(!in("\r\n\0"), ` + read + ")"
	}
	if one.urlencode {
		read = "replace(HTTP.escapeuri(" + read + `), "%20" => "+")`
	}
	if len(one.name) > 0 {
		read = r.text(one.prefix()) + " * " + read
	}
	return read
}

func (r *juliaRequest) pieces(pieces []piece) node {
	return joinPieces(pieces, r.text, r.file, func(items []node) node { return group("string", "(", items, ")") })
}

// exchange sets what shapes the exchange.
func (r *juliaRequest) exchange() {
	r.set(!r.c.compressed, "decompress", "false")
	r.set(!r.c.follow || r.c.maxRedirects == 0, "redirect", "false")
	if r.c.follow && r.c.maxRedirects != 0 {
		r.set(true, "redirect_limit", itoa(int(r.c.redirectLimit())))
		r.set(r.c.Method != "POST" && r.c.Method != "GET", "redirect_method", ":same")
		for _, name := range juliaSensitive {
			if r.c.field(string(name)) != nil && !r.c.trusted {
				r.p.differs("sends " + name + " also to subdomains and other ports of its host")
			}
		}
	}
	r.set(len(r.p.calls) > 1 || r.c.follow, "cookies", "false")
	r.set(true, "retry", "false")
	r.set(true, "status_exception", "false")
	r.set(r.c.timeout > 0, "readtimeout", wholeSeconds(r.c.timeout))
	r.set(r.c.connectTimeout > 0, "connect_timeout", wholeSeconds(r.c.connectTimeout))
	r.set(r.c.insecure, "require_ssl_verification", "false")
	if r.c.proxyScheme() != "" {
		if a, ok := r.c.address(); ok && a.secure && a.portOr() != "443" {
			r.p.refuse("reaches only the port 443 of https through a proxy")
		}
		r.set(true, "proxy", r.text(r.c.proxyURL()))
	}
	r.set(r.c.direct(), "proxy", "nothing")
}

// wholeSeconds returns a number of seconds without a fraction, rounded up.
func wholeSeconds(f float64) string { return itoa(int(math.Ceil(f))) }
