package javascript

import (
	"slices"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/internal/engine/ascii"
)

// What fetch does in a page (WHATWG Fetch; measured in Chromium 156): it sets the fields
// that a page may not, forbidden request-headers, and adds others of its own; joins fields of
// one name by a comma; takes no content with GET and HEAD; shows a page no redirect, and follows
// it unless told to fail; sends cookies of its own. A server of another origin must allow the
// request (CORS), which the client asks it first. A variable is asked for, and files are those
// that were chosen in an input of the page.
var BrowserFetch = plan.Target{
	Name: "browser-fetch", Convention: &jsConvention, Client: "fetch in a browser", Version: "2024", Kind: plan.Code, Extension: "mjs",
	Aliases: []string{"fetch-browser", "javascript-browser"}, Proven: true, Style: style, Write: writeBrowserFetch, Takes: plan.OnlyResponses,
	Functions: true, Decodes: true,
	Facts: browserFacts(fetchMethod),
}

// browserFacts returns what a browser does with the requests of a page; sends reports which
// methods it does not change.
func browserFacts(sends func(method string) bool, adds ...emit.Phrase) plan.Client {
	return plan.Client{
		ModernTLS: true,
		Http2:     true,
		Rules: plan.Rules{
			plan.SendsMethods(sends),
			plan.SendsCodings(func(string) bool { return false }),
			plan.CodesContentOnly,
			plan.SendsNoContent("GET", "HEAD"),
			plan.RemovesDots,
			plan.TakesNumbers,
			plan.PrintableFields,
			refuseBadPort,
			leaveToBrowser,
		},
		Wire: plan.Wire{Order: "?", Path: "\"<>`{}?", Query: "\"'<>é", Charset: true, Lowers: true, Follows: true, Text: true},
		Adds: append(plan.FieldNames{"Connection", "Accept", "Accept-Language", "Accept-Encoding", "User-Agent", "Origin", "Referer",
			"Sec-Ch-Ua", "Sec-Ch-Ua-Mobile", "Sec-Ch-Ua-Platform", "Sec-Fetch-Dest", "Sec-Fetch-Mode", "Sec-Fetch-Site", "Cookie", "Cache-Control", "Pragma"}, adds...),
		Always:  plan.FieldNames{"Connection", "Accept", "Accept-Encoding", "User-Agent", "Sec-Fetch-Mode"},
		Fixed:   plan.FieldNames{"Host"},
		Slashes: true,
		Counts:  func(method string) bool { return method == "POST" || method == "PUT" }, // Fetch, HTTP-network-or-cache fetch
	}
}

// inBrowser reports a script for a page, which has no process, no Buffer and no files.
func inBrowser(p *plan.Program) bool {
	switch p.Target.Name {
	case "browser-fetch", "javascript-jquery", "javascript-xhr":
		return true
	}
	return false
}

// forbidden are the fields that no page sets: WHATWG Fetch, forbidden request-header, without
// those that are errors; and User-Agent, which Chromium keeps to itself.
var forbidden = []emit.Phrase{"Accept-Charset", "Accept-Encoding", "Access-Control-Request-Headers", "Access-Control-Request-Method",
	"Connection", "Content-Length", "Cookie", "Date", "DNT", "Expect", "Keep-Alive", "Origin", "Referer", "TE", "Trailer",
	"Upgrade", "User-Agent", "Via"}

// leaveToBrowser leaves out the fields that no page sets, with a warning. In exact style they
// are errors.
func leaveToBrowser(p *plan.Program, c *plan.Call) {
	for i := range c.Given() {
		f := &c.Given()[i]
		name := emit.Phrase("")
		for _, one := range forbidden {
			if f.Is(string(one)) {
				name = one
			}
		}
		switch lower := strings.ToLower(f.Name); {
		case strings.HasPrefix(lower, "sec-"):
			name = "whose name begins with Sec-"
		case strings.HasPrefix(lower, "proxy-"):
			name = "whose name begins with Proxy-"
		}
		switch {
		case name == "":
		case p.Exact():
			p.RefuseAt(f.At, "sets a field itself: "+name)
		default:
			p.CannotAt(f.At, "lets no page set the field "+name, plan.Accepted)
			c.Imply(f)
		}
	}
}

func writeBrowserFetch(p *plan.Program) {
	writeJavaScript(p, "", func(r *jsRequest) {
		content, has := r.browserContent()
		url := r.url()
		r.browserRedirects()
		r.method()
		if r.c.Field("Cookie") != nil {
			r.add("credentials", emit.Leaf(`"include"`))
		}
		r.object("headers", r.fetchHeaders(func(*plan.Field) bool { return true }))
		if has {
			r.add("body", content)
		}
		r.settings = append(r.settings, r.timeLimit()...)
		r.again(".status", "", ".cause?.code", func(before string) { r.send(before+"fetch", url) })
		response := r.response()
		text := "await " + response + ".text()"
		r.result(jsResponse{".status", ".statusText", ".headers", "await " + response + ".blob()", "", "await " + response + ".json()", text}, func() {
			r.notOK(response)
		})
	})
}

// browserRedirects reports what no page can say of redirects.
func (r *jsRequest) browserRedirects() {
	if r.c.Stops() {
		r.p.Differs("follows redirects, whatever the program says")
	}
	if r.c.Follow() && r.c.MaxRedirects() != plan.CurlRedirects {
		r.p.Loss("--max-redirs", "has a limit of its own for redirects")
	}
}

// browserContent returns the body: a string, where the command gives its type, and else a
// Blob, to which fetch gives none.
func (r *jsRequest) browserContent() (n emit.Node, has bool) {
	typed := r.c.Field("Content-Type") != nil
	switch r.c.Content.Kind {
	case plan.RawBody:
		if n, _, ok := r.stringify(); ok && typed {
			return n, true
		}
		if r.c.IsForm(&plan.EncodeWHATWG) {
			form := r.search(r.c.Content.Form)
			if !r.c.LeavesType() {
				form = emit.Followed(form, ".toString()")
			}
			return form, true
		}
		if typed && r.c.Content.Data.IsText() {
			return Text(r.p, r.c.Content.Data), true
		}
		return browserBlob(r.p, []plan.Piece{{IsText: true, Text: r.c.Content.Data}}), true
	case plan.MultipartBody:
		if !callWritesFormData(r.c) {
			return browserBlob(r.p, r.c.RawForm()), true
		}
		return r.browserForm(), true
	case plan.FileBody:
		if file := chosen(r.p, r.c.Content.File); typed {
			return emit.Leaf(file), true
		}
		return browserBlob(r.p, []plan.Piece{{File: r.c.Content.File}}), true
	case plan.PieceBody:
		return browserBlob(r.p, r.c.Content.List), true
	}
	return emit.Node{}, false
}

// browserForm writes the statements that make a FormData and returns its name.
func (r *jsRequest) browserForm() emit.Node {
	form := "form" + r.suffix
	r.p.Line("const ", form, " = new FormData();")
	for i := range r.c.Content.Part {
		part := &r.c.Content.Part[i]
		if !part.IsFile() {
			r.p.Node(form+".append(", Text(r.p, part.NameText), ", "+Text(r.p, part.ValueText).Line()+");")
			continue
		}
		file := chosen(r.p, part.FileText)
		arguments := []emit.Node{Text(r.p, part.NameText), emit.Leaf(file)}
		typed := part.TypeText != nil && (!part.Guessed || r.p.Exact()) // a browser guesses alike
		if typed {
			arguments[1] = emit.Leaf("new Blob([" + file + "], { type: " + String(*part.TypeText) + " })")
		}
		if name := *part.FilenameText; typed || name != emit.BaseName(part.File) {
			arguments = append(arguments, emit.Leaf(String(name)))
		}
		r.p.Node("", emit.Group(form+".append", "(", arguments, ")"), ";")
	}
	r.p.Line()
	return emit.Leaf(form)
}

// chosen returns the expression for a file of the command: the one of its name that was
// chosen in an input of the page.
func chosen(p *plan.Program, name plan.Text) string {
	literal, ok := name.Plain()
	if !ok || literal == "-" {
		p.Refuse("reads no such file, but those that were chosen in the page, by their names")
	}
	if !slices.Contains(p.Helpers, browserFile) {
		p.Help(browserFile)
		p.Cannot("reads no files", "the program takes those of an input of the page, by their names")
	}
	return "file(" + String(emit.BaseName(literal)) + ")"
}

// A file that was chosen, and what curl does to its content for -d and --data-urlencode.
const (
	browserFile = `function file(name) {
  const input = document.querySelector("input[type=file]");
  const found = [...input.files].find((f) => f.name === name);
  if (!found) throw new Error(name + " is not chosen");
  return found;
}`
	browserStrip = `async function withoutBreaks(file) {
  return new Uint8Array(await file.arrayBuffer()).filter((c) => ![0, 10, 13].includes(c));
}`
	browserFormEncode = `async function formEncode(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return Array.from(bytes, (byte) => {
    const c = String.fromCharCode(byte);
    if (c === " ") return "+";
    return /[\w.~-]/.test(c) ? c : "%" + byte.toString(16).toUpperCase().padStart(2, "0");
  }).join("");
}`
)

// browserBlob returns a Blob of texts and files, changed as curl changes them.
func browserBlob(p *plan.Program, pieces []plan.Piece) emit.Node {
	items := make([]emit.Node, 0, len(pieces))
	for _, one := range pieces {
		if one.IsText {
			items = append(items, Bytes(p, one.Text))
			continue
		}
		file := chosen(p, one.File)
		if one.Offset > 0 {
			file += ".slice(" + emit.Itoa(int(one.Offset)) + ")"
		}
		switch {
		case one.Urlencode:
			p.Help(browserFormEncode)
			file = "await formEncode(" + file + ")"
		case one.Strip:
			p.Help(browserStrip)
			file = "await withoutBreaks(" + file + ")"
		}
		if len(one.Name) > 0 {
			items = append(items, emit.Leaf(String(one.Name.Source()+"=")))
		}
		items = append(items, emit.Leaf(file))
	}
	return emit.Hug(emit.Group("new Blob", "(", []emit.Node{emit.Group("", "[", items, "]")}, ")"))
}

// browserBytes returns bytes that are no UTF-8.
func browserBytes(t plan.Text) (emit.Node, bool) {
	s, ok := t.Plain()
	if !ok || t.IsText() {
		return emit.Node{}, false
	}
	return emit.Leaf("Uint8Array.from(" + Quote(emit.Latin1(s), '"') + ", (c) => c.charCodeAt(0))"), true
}

// browserHeader returns the value of a field, a character for each byte of UTF-8.
func browserHeader(p *plan.Program, t plan.Text) emit.Node {
	latin1 := slices.Clone(t)
	for i := range latin1 {
		if v := latin1[i].Variable; v == nil {
			latin1[i].Literal = emit.Latin1(latin1[i].Literal)
		} else if !ascii.Only(v.Default) {
			p.Refuse("has no such default value for a field")
		}
	}
	return Text(p, latin1)
}

// browserSave writes the statements that save the content as a file.
func (r *jsRequest) browserSave(blob string) {
	link := "link" + r.suffix
	r.p.Line("const ", link, ` = document.createElement("a");`)
	r.p.Line(link, ".href = URL.createObjectURL(", blob, ");")
	r.p.Line(link, ".download = ", Text(r.p, r.c.Output()).Line(), ";")
	r.p.Line(link, ".click();")
}
