package rlang

import (
	"slices"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/libcurl"
	"uncoil/code/internal/plan"
	"uncoil/internal/engine/ascii"
)

// What httr 1.4 of R does by itself (its R/request.r and R/body.r, and measured on the wire):
// it adds User-Agent, Accept and Accept-Encoding; sends the last of several fields of one name;
// gives VERB and its like content that is empty, and GET and HEAD none; takes content of other
// types than lists as it is, without a type; has one handle of curl with its cookies for all
// requests to a server, and resets the options of the handle after each.
var HTTR = plan.Target{
	Name: "r-httr", Convention: &convention, Client: "httr", Version: "1.4", Kind: plan.Code, Extension: "R",
	Packages: []plan.Package{{Name: "httr", Version: "1.4"}},
	Aliases:  []string{"httr"}, Proven: true, Style: HTTR2.Style, Write: writeHTTR,
	Facts: plan.Client{
		Loopback: true,
		Rules: plan.Rules{
			plan.SendsNoContent("HEAD"),
			plan.SendsNoEmptyChunks,
		},
		Fixed:     HTTR2.Facts.Fixed,
		Loose:     true,
		Adds:      HTTR2.Facts.Adds,
		Target:    true,
		Guesses:   true,
		Digest:    true,
		Quotes:    true,
		Insists:   true,
		After:     HTTR2.Facts.After,
		EmptyHost: true,
		Proxies:   libcurl.Libcurl.Proxies,
		Versions:  libcurl.Libcurl.Versions,
	},
}

// encodeJSON is toJSON of jsonlite, which is asked by meaning only: it writes numbers anew.
var encodeJSON = emit.Encoder{
	Number: func(string) string { return "" },
	Keeps:  plan.PlainNames,
}

func writeHTTR(p *plan.Program) {
	asked := make(map[string]bool)
	writeLibrary(p, httr, func(r *rRequest) { r.writeVerb(asked) })
}

// writeVerb writes a call; asked has the servers of those before it.
func (r *rRequest) writeVerb(asked map[string]bool) {
	var query []emit.Node
	if base, _, _ := strings.Cut(r.c.URL, "?"); ascii.Only(base) && !strings.ContainsAny(base, "$%@[]") && !plan.HasVariable(r.c.URLText.Cut(0, len(base))) {
		if pairs := r.c.TakeQuery(&encodeR, plan.PlainNames); pairs != nil {
			query = append(query, emit.Named("query", " = ", r.pairs(pairs)))
		}
	}
	verb := r.verb()
	if c := r.c.Basic; c != nil {
		r.step("authenticate", r.credentials(c)...)
	}
	if c := r.c.Digest; c != nil && !c.Colon() {
		r.step("authenticate", append(r.credentials(c), emit.Leaf(`type = "digest"`))...)
	}
	content := r.httrContent()
	r.httrFields()
	if r.c.Timeout() > 0 {
		r.step("timeout", emit.Leaf(emit.Seconds(r.c.Timeout())))
	}
	if r.exchange(); len(r.options) > 0 {
		r.step("config", r.options...)
	}
	to := r.c.Destination(r.p.Options)
	if to == plan.ToFile {
		r.step("write_disk", emit.Leaf(r.output()), emit.Leaf("overwrite = TRUE"))
	}
	arguments := append([]emit.Node{emit.Leaf(r.text(r.c.URLText))}, r.steps...)
	arguments = append(append(append(arguments, query...), content...), r.handle(asked)...)
	n := r.c.Retries()
	if n > 0 || !slices.Contains(usual, verb) {
		arguments = append([]emit.Node{emit.Leaf(String(verb))}, arguments...)
		verb = "VERB"
	}
	if n > 0 {
		arguments = append(arguments, emit.Leaf("times = "+emit.Itoa(int(n)+1)), emit.Leaf("terminate_on = setdiff(400:599, c("+plan.RetryStatuses+"))"))
		verb = "RETRY"
	}
	response := "response" + r.suffix
	r.p.Node(response+" <- ", emit.Group(verb, "(", arguments, ")"), "")
	r.httrResult(response, to)
}

// usual are the methods for which httr has functions.
var usual = []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"}

// verb returns the function that sends the request. All but GET and HEAD send content, if
// only empty one, and all write the method in capitals, but obey curl's option for it.
func (r *rRequest) verb() string {
	has := r.c.Content.Kind != plan.NoBody
	switch verb := r.c.Method; {
	case verb == "GET" && has, !plan.Capitals(verb), !has && r.p.Exact() && verb != "GET" && verb != "HEAD", verb == "POST" && r.c.KeepsMethod():
		r.option("customrequest", emit.Leaf(String(verb)))
		if has {
			return "POST"
		}
		return "GET"
	default:
		return verb
	}
}

func (r *rRequest) credentials(c *plan.Credentials) []emit.Node {
	return []emit.Node{emit.Leaf(r.text(c.User)), emit.Leaf(r.text(c.Password))}
}

// handle returns the argument that names the handle, which has the cookies: one of its own
// for a jar, and a new one where that of the server has those of an earlier response.
func (r *rRequest) handle(asked map[string]bool) []emit.Node {
	site, _, _ := r.c.URLParts()
	handle, again := "handle("+r.text(site)+")", asked[site.Source()]
	asked[site.Source()] = true
	switch jar := r.c.Jar(); {
	case jar != nil:
		name := jar.Named("jar")
		if r.c.Opens() {
			r.p.Line(name, " <- ", handle)
		}
		handle = name
	case !again:
		return nil
	}
	return []emit.Node{emit.Leaf("handle = " + handle)}
}

// httrFields adds the functions that set fields.
func (r *rRequest) httrFields() {
	var items []emit.Node
	for _, f := range r.c.Joined() {
		value, source := r.text(f.Value), f.Value.Source()
		switch {
		case f.Derived():
		case f.Is("Referer") && r.c.Member("autoReferer") != nil:
			r.option("referer", emit.Leaf(value))
		case source == "" && !f.Is("Host"):
			r.p.Refuse("leaves out fields without a value")
		case f.Is("Content-Type") && source == "application/json":
			r.step("content_type_json")
		case f.Is("Content-Type") && source[0] != '.': // that would be an extension
			r.step("content_type", emit.Leaf(value))
		case f.Is("Accept") && source == "application/json":
			r.step("accept_json")
		case f.Is("User-Agent"):
			r.step("user_agent", emit.Leaf(value))
		case f.Is("Cookie") && r.c.Jar() != nil:
			r.c.JoinsCookies()
			r.option("cookie", emit.Leaf(value))
		default:
			name := f.Name
			if f.Is("Accept") { // it takes the place of httr's own
				name = "Accept"
			}
			items = append(items, emit.Leaf(r.name(name)+" = "+value))
		}
	}
	if items = append(items, r.withheld()...); len(items) > 0 {
		r.step("add_headers", items...)
	}
}

// httrContent returns the arguments that give the content.
func (r *rRequest) httrContent() []emit.Node {
	body := func(n emit.Node) []emit.Node { return []emit.Node{emit.Named("body", " = ", n)} }
	switch c := r.c; c.Content.Kind {
	case plan.RawBody:
		switch f := c.Field("Content-Type"); {
		case plan.PlainNames(plan.PairNames(c.Content.Form)) && c.IsForm(&encodeR):
			r.c.Imply(f)
			return append(body(r.pairs(c.Content.Form)), emit.Leaf(`encode = "form"`))
		case f != nil && r.p.Encodes(&encodeJSON, c) && r.keepsValue(c.Content.JSON):
			if c.HasType("application/json") {
				c.Imply(f)
			}
			return append(body(r.value(c.Content.JSON)), emit.Leaf(`encode = "json"`))
		}
		return body(r.bytes(c.Content.Data))
	case plan.MultipartBody:
		if _, items, ok := r.parts(); ok {
			return body(emit.Group("list", "(", items, ")"))
		}
		r.p.ReportTypes(c)
		return body(r.pieces(c.RawForm()))
	case plan.FileBody:
		if c.Content.File.Source() == "-" || c.Retries() > 0 || c.Asked.Follow { // it is read once
			return body(emit.Leaf(r.file(plan.Piece{File: c.Content.File})))
		}
		kind := `""`
		if f := c.Field("Content-Type"); f != nil && !c.Empties("Content-Type") {
			c.Imply(f)
			kind = r.text(f.Value)
		}
		return body(emit.Group("upload_file", "(", []emit.Node{emit.Leaf(r.text(c.Content.File)), emit.Leaf(kind)}, ")"))
	case plan.PieceBody:
		return body(r.pieces(c.Content.List))
	}
	return nil
}

func (r *rRequest) pairs(pairs []plan.Pair) emit.Node {
	items := make([]emit.Node, len(pairs))
	for i, p := range pairs {
		items[i] = emit.Named(r.name(p.Name.Source()), " = ", emit.Leaf(r.text(plan.Decoded(p.Value))))
	}
	return emit.Group("list", "(", items, ")")
}

// keepsValue reports whether a list keeps a JSON value: httr drops empty members, and those
// that are null.
func (r *rRequest) keepsValue(v *emit.Value) bool {
	return (v.Kind != emit.ArrayValue && v.Kind != emit.ObjectValue || len(v.Items) > 0) &&
		!slices.ContainsFunc(v.Items, func(one emit.Value) bool { return !r.keepsValue(&one) })
}

// value returns a JSON value of the content as a literal.
func (r *rRequest) value(v *emit.Value) emit.Node {
	switch v.Text {
	case "true", "false":
		if v.Kind != emit.StringValue {
			return emit.Leaf(strings.ToUpper(v.Text))
		}
	case "null":
		if v.Kind != emit.StringValue {
			return emit.Leaf("NA")
		}
	}
	switch v.Kind {
	case emit.StringValue:
		return emit.Leaf(r.text(r.c.StringOf(v)))
	case emit.NumberValue:
		return emit.Leaf(v.Text)
	}
	items := make([]emit.Node, len(v.Items))
	for i := range v.Items {
		items[i] = r.value(&v.Items[i])
		if v.Kind == emit.ObjectValue {
			items[i] = emit.Named(r.name(v.Names[i]), " = ", items[i])
		}
	}
	return emit.Group("list", "(", items, ")")
}

// httrResult writes what is done with the response.
func (r *rRequest) httrResult(response string, to plan.Destination) {
	fail := func() {
		if r.c.Stops() { // a redirect is an error to stop_for_status
			r.p.Line("if (http_error(", response, ")) stop(http_status(", response, ")$message)")
		} else {
			r.p.Line("stop_for_status(", response, ")")
		}
	}
	late := r.c.FailsLate()
	if r.c.Fail() && !late {
		fail()
	}
	r.keepOutput()
	switch to {
	case plan.HeadersPrinted:
		r.p.Line("print(headers(", response, "))")
	case plan.ContentPrinted:
		r.p.Line("cat(content(", response, `, "text", encoding = "UTF-8"))`)
	}
	if late {
		fail()
	}
}
