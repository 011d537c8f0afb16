package rust

import (
	"slices"
	"strconv"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
)

// What ureq 2 does by itself, measured on the wire: it adds User-Agent, Accept and
// Accept-Encoding, which no program can take out; sends a name once, but for names with
// X-; takes dot segments out of paths; follows redirects, without Authorization
// unless told otherwise, and makes errors of status 400 and more, unless told not
// to. It has no forms with files.
var Ureq = plan.Target{
	Name: "rust-ureq", Convention: &convention, Client: "ureq", Version: "2.6", Kind: plan.Code, Extension: "rs",
	Packages: []plan.Package{{Name: "ureq", Version: "2", Features: []plan.Feature{takesJSON}}, serdeJSON},
	Aliases:  []string{"ureq"}, Proven: true,
	Style: style, Functions: true, Decodes: true,
	Write: func(p *plan.Program) {
		writeRust(p, false, func(c *plan.Call) {
			r := ureqRequest{p: p, c: c}
			r.write()
		})
	},
	Facts: plan.Client{
		Wire:      plan.Wire{Order: "* +Content-Type", Path: "\"<>`{}?", Query: "\"'<>é", Lowers: true, Follows: true, Text: true},
		ModernTLS: true,
		AnyMethod: true,
		Rules: plan.Rules{
			plan.SendsCodings(func(value string) bool { return plan.EndsInChunks(value) || !plan.NamesChunks(value) }),
			plan.RemovesDots,
			plan.TakesNumbers,
			plan.PrintableFields,
		},
		Adds:      plan.FieldNames{"User-Agent", "Accept", "Accept-Encoding"},
		Always:    plan.FieldNames{"User-Agent", "Accept", "Accept-Encoding"},
		Slashes:   true,
		EmptyHost: true,
		Proxies:   []string{"http"},
		Shares:    plan.FieldNames{"Cookie"},
	},
}

// A ureqRequest writes one call with ureq.
type ureqRequest struct {
	p *plan.Program
	c *plan.Call
}

func (r *ureqRequest) write() {
	r.agent()
	url := rustURL(r.p, r.c, borrowedNode)
	send := r.content()
	function := call(".request", emit.Leaf(String(r.c.Method)), url)
	if slices.Contains(reqwestMethods, r.c.Method) {
		function = call("."+strings.ToLower(r.c.Method), url)
	}
	binding := "let response = "
	switch discarded := r.c.Destination(r.p.Options) == plan.Discarded; {
	case discarded && r.p.Options.Bare:
		binding = "let _response = "
	case discarded && r.p.IsFunction() && !r.c.ReturnsStatus(r.p.Options):
		binding = ""
	}
	start := len(r.p.Dst)
	r.p.Line(binding, "agent")
	r.p.Level++
	r.p.Node("", function, "")
	r.headers()
	if r.c.Fail() {
		send.Close += "?;"
		if send.Open == "" {
			send.Head += "?;"
		}
		r.p.Node("", send, "")
	} else {
		r.p.Use("ureq::OrAnyStatus")
		r.p.Node("", send, "")
		r.p.Line(".or_any_status()?;")
	}
	r.p.Level--
	joinChain(r.p, start)
	r.result()
}

// plainCredentials reports credentials without variables: the field holds them.
func (r *ureqRequest) plainCredentials() bool {
	_, user := r.c.Basic.User.Plain()
	_, password := r.c.Basic.Password.Plain()
	return user && password
}

// toAddress reports whether the host of the URL is an address.
func toAddress(c *plan.Call) bool {
	a, ok := c.Address()
	host := a.Host.Source()
	return ok && (strings.HasPrefix(host, "[") || strings.Trim(host, "0123456789.") == "")
}

// agent writes the statement that makes an agent.
func (r *ureqRequest) agent() {
	var calls []string
	if r.c.Secure() && toAddress(r.c) {
		r.p.Refuse("knows no certificates for addresses")
	}
	switch {
	case r.c.Stops():
		calls = append(calls, ".redirects(0)")
	case r.c.MaxRedirects() < 0:
		calls = append(calls, ".redirects(u32::MAX)")
	case r.c.MaxRedirects() != plan.CurlRedirects:
		calls = append(calls, ".redirects("+strconv.FormatInt(r.c.MaxRedirects()+1, 10)+")") // it counts the first request, too
	}
	if r.c.Follow() && r.c.Content.Kind != plan.NoBody {
		r.p.Differs("ends where content is redirected with 307 or 308")
	}
	if r.c.Follow() && r.c.Field("Authorization") != nil {
		calls = append(calls, ".redirect_auth_headers(ureq::RedirectAuthHeaders::SameHost)")
	}
	if r.c.ConnectTimeout() > 0 {
		calls = append(calls, ".timeout_connect("+duration(r.p, r.c.ConnectTimeout())+")")
	}
	if r.c.Timeout() > 0 {
		calls = append(calls, ".timeout("+duration(r.p, r.c.Timeout())+")")
	}
	if r.c.ProxyScheme() != "" {
		if !r.c.Secure() {
			r.p.Refuse("always uses CONNECT with a proxy")
		}
		calls = append(calls, ".proxy(ureq::Proxy::new("+text(r.p, r.c.ProxyURL())+")?)")
	}
	start := len(r.p.Dst)
	defer func() { joinChain(r.p, start) }()
	r.p.Block("let agent = ureq::AgentBuilder::new()", func() {
		for _, c := range calls {
			r.p.Line(c)
		}
		r.p.Line(".build();")
	})
}

func (r *ureqRequest) headers() {
	named := func(f plan.Field) bool { return strings.HasPrefix(strings.ToLower(f.Name), "x-") }
	fields := slices.Clone(r.c.Joined())
	if r.c.Repeated() {
		fields = slices.DeleteFunc(fields, named)
		fields = append(slices.DeleteFunc(slices.Clone(r.c.Headers()), func(f plan.Field) bool { return !named(f) }), fields...)
	}
	for _, f := range fields {
		switch {
		case !f.Value.IsASCII():
			r.p.Refuse("sends only ASCII in fields")
		case f.Is("Content-Type") && f.Derived():
		case f.Derived() && !r.plainCredentials():
			r.p.Help(rustBase64)
			both := r.c.Basic.Joined()
			basic := []emit.Node{emit.Leaf(`"Basic {}"`), node(r.p, both).Around("base64(", ")")}
			r.p.Node("", call(".set", emit.Leaf(`"Authorization"`), emit.Group("&format!", "(", basic, ")")), "")
		default:
			r.p.Node("", call(".set", emit.Leaf(String(f.Name)), borrowedNode(r.p, f.Value)), "")
		}
	}
	if r.c.Content.Kind == plan.FileBody && r.c.Content.File.Source() != "-" {
		r.p.Line(`.set("Content-Length", &file.metadata()?.len().to_string())`)
	}
}

// content writes the statements that make the content, and returns the call
// that sends it.
func (r *ureqRequest) content() emit.Node {
	switch r.c.Content.Kind {
	case plan.RawBody:
		data, plain := r.c.Content.Data.Plain()
		switch {
		case r.c.IsForm(&plan.EncodeWHATWG):
			r.c.Imply(r.c.Field("Content-Type"))
			return form(r.p, r.c.Content.Form, ".send_form")
		case holdsJSON(r.p, r.c):
			r.c.Imply(r.c.Field("Content-Type"))
			return jsonMacro(r.p, r.c, ".send_json(", ")")
		case plain && !r.c.Content.Data.IsText():
			return emit.Leaf(".send_bytes(" + Bytes(data) + ")")
		case plain && !strings.Contains(data, "\n") && r.p.IsLong(data):
			return language.Long(r.p, ".send_string", "(concat!(", data, "))", ",")
		}
		return call(".send_string", borrowedNode(r.p, r.c.Content.Data))
	case plan.MultipartBody:
		r.p.Node("let body = ", rustPieces(r.p, r.c.RawForm()), ";")
		return emit.Leaf(".send_bytes(&body)")
	case plan.FileBody:
		if r.c.Content.File.Source() == "-" {
			r.p.Use("std::io")
			return emit.Leaf(".send(io::stdin())")
		}
		r.p.Use("std::fs::File")
		r.p.Line("let file = File::open(", text(r.p, r.c.Content.File), ")?;")
		return emit.Leaf(".send(&file)")
	case plan.PieceBody:
		r.p.Node("let body = ", rustPieces(r.p, r.c.Content.List), ";")
		return emit.Leaf(".send_bytes(&body)")
	}
	return emit.Leaf(".call()")
}

// result writes what is done with the response.
func (r *ureqRequest) result() {
	const status = "response.status()"
	keepStatus(r.p, r.c, status)
	defer giveStatus(r.p, r.c, status)
	switch r.c.Destination(r.p.Options) {
	case plan.ToFile:
		makeRustFolder(r.p, r.c)
		r.p.Use("std::fs::File")
		r.p.Use("std::io")
		file := emit.Leaf("&mut File::create(" + text(r.p, r.c.Output()) + ")?")
		r.p.Node("", emit.Group("io::copy", "(", []emit.Node{emit.Leaf("&mut response.into_reader()"), file}, ")"), "?;")
	case plan.HeadersPrinted:
		r.fields()
	case plan.ContentPrinted:
		switch {
		case r.p.Options.DecodeJSON:
			give(r.p, r.c, "serde_json::Value", `"{}"`, "response.into_json::<serde_json::Value>()?")
		case r.p.IsFunction() && r.c.Streams(r.p.Options):
			r.p.InPieces = true
			give(r.p, r.c, "Box<dyn std::io::Read + Send + Sync>", "", "response.into_reader()")
		default:
			give(r.p, r.c, "String", `"{}"`, "response.into_string()?")
		}
	case plan.Discarded:
		if !r.p.Options.Bare && !r.p.IsFunction() {
			r.p.Line(`println!("{}", response.status());`)
		}
	}
}

// fields writes the statements that print the fields of the response, or return them.
func (r *ureqRequest) fields() {
	const value = "response.header(&field).unwrap_or_default()"
	function := r.p.IsFunction()
	if function {
		r.p.Line("let mut fields = Vec::new();")
	}
	r.p.Block("for field in response.headers_names() {", func() {
		if function {
			r.p.Line("let value = ", value, ".to_string();")
			r.p.Line("fields.push((field, value));")
		} else {
			r.p.Line(`println!("{field}: {}", `, value, ");")
		}
	})
	r.p.Line("}")
	if function {
		give(r.p, r.c, "Vec<(String, String)>", "", "fields")
	}
}
