package dotnet

import (
	"slices"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/mime"
)

// content writes the statements that set the content and its fields.
func (r *csharpRequest) content() {
	request := r.name("request")
	fields := r.c.JoinGiven()
	var typed *plan.Field
	if i := slices.IndexFunc(fields, func(f plan.Field) bool { return f.Is("Content-Type") }); i >= 0 {
		typed = &fields[i]
	}
	set := func(n emit.Node) { r.p.Node(request+".Content = ", n, ";") }
	switch r.c.Content.Kind {
	case plan.NoBody:
		if !slices.ContainsFunc(r.c.Given(), func(f plan.Field) bool { return csharpOfContent(f.Name) }) {
			return
		}
		set(emit.Leaf("new ByteArrayContent(new byte[0])"))
	case plan.RawBody:
		if r.c.IsForm(&plan.EncodeQuotePlus) {
			r.form()
			typed = nil
			break
		}
		content, whole := r.rawContent(typed)
		set(content)
		if whole {
			typed = nil
		}
	case plan.MultipartBody:
		typed = r.multipart()
	case plan.FileBody:
		set(emit.Leaf("new StreamContent(" + r.open(r.c.Content.File) + ")"))
	case plan.PieceBody:
		r.join(r.c.Content.List)
	}
	for _, f := range r.c.Joined() { // a form of bytes has a type by now
		if csharpOfContent(f.Name) && (!f.Is("Content-Type") || typed != nil) {
			r.contentField(request+".Content", &f)
		}
	}
}

// csharpType returns the type of content, and its parameter, where the class
// writes them as they are.
func csharpType(f *plan.Field) (kind, parameter string, ok bool) {
	if f == nil {
		return "", "", false
	}
	s, known := f.Value.Plain()
	kind, parameter, found := strings.Cut(s, "; ")
	first, second, _ := strings.Cut(kind, "/")
	name, value, _ := strings.Cut(parameter, "=")
	return kind, parameter, known && plan.IsToken(first) && plan.IsToken(second) && (!found || plan.IsToken(name) && plan.IsToken(value))
}

// mediaType returns an expression for the type of content, where the class writes
// it as it is.
func (r *csharpRequest) mediaType(f *plan.Field) (string, bool) {
	kind, parameter, ok := csharpType(f)
	if !ok || !f.Is("Content-Type") {
		return "", false
	}
	r.p.Use("System.Net.Http.Headers")
	if parameter == "" {
		return "new MediaTypeHeaderValue(" + CsharpString(kind) + ")", true
	}
	return "MediaTypeHeaderValue.Parse(" + CsharpString(kind+"; "+parameter) + ")", true
}

// rawContent returns the content that is known, and whether it brings its type.
func (r *csharpRequest) rawContent(typed *plan.Field) (content emit.Node, whole bool) {
	data := r.c.Content.Data
	kind, parameter, ok := csharpType(typed)
	if !ok || !data.IsText() {
		return emit.Leaf("new ByteArrayContent(" + r.bytes(data) + ")"), false
	}
	var text emit.Node
	if object, ok := r.serialized(); ok {
		text = emit.Leaf(object)
	} else {
		r.p.LayOutJSON(r.c)
		text = r.long(r.c.Content.Data)
	}
	items := []emit.Node{text}
	if whole = parameter == "charset=utf-8"; whole {
		r.p.Use("System.Text")
		items = append(items, emit.Leaf("Encoding.UTF8"), emit.Leaf(CsharpString(kind)))
	} else if r.c.Content.JSON != nil && !r.p.Exact() && !isOld(r.p) { // of .NET 7
		var value string
		value, whole = r.mediaType(typed)
		items = append(items, emit.Leaf(value))
	}
	n := emit.Group("new StringContent", "(", items, ")")
	if items[0].Width == emit.TooWide && len(items[0].More) == 0 { // it has line breaks of its own
		n = emit.Leaf(n.Line())
	}
	return n, whole
}

// csharpRaw returns a raw string literal of C# 11 for a text in brackets that
// does not end one.
func csharpRaw(s string) string {
	const quotes = `"""`
	if strings.IndexByte(s, '\n') >= 0 {
		s = "\n" + s + "\n"
	}
	return quotes + s + quotes
}

// csharpBreaks are the characters beside CR and LF that end a line of C#.
const csharpBreaks = "\u0085\u2028\u2029"

// long returns an expression for a text, in parts where it is long.
func (r *csharpRequest) long(t plan.Text) emit.Node {
	s, plain := t.Plain()
	if plain && !r.p.Exact() && !isOld(r.p) && r.c.Content.JSON != nil && emit.Unescaped(s) && !strings.Contains(s, `"""`) && !strings.ContainsAny(s, csharpBreaks) {
		return emit.Leaf(csharpRaw(s))
	}
	if !plain || strings.Contains(s, "\n") {
		return emit.Leaf(r.sure(t))
	}
	parts := r.p.Parts(s)
	if len(parts) == 1 {
		return emit.Leaf(CsharpString(s))
	}
	for i, part := range parts {
		parts[i] = csharpQuoted(part)
	}
	if len(parts) == 0 {
		return emit.Leaf(CsharpString(""))
	}
	return emit.Summed(parts)
}

// bytes returns an expression for the bytes of a text.
func (r *csharpRequest) bytes(t plan.Text) string {
	r.p.Use("System.Text")
	if t.IsText() {
		return "Encoding.UTF8.GetBytes(" + r.sure(t) + ")"
	}
	return csharpLatin + ".GetBytes(" + r.text(csharpLatin1(t)) + ")"
}

// csharpLatin is the encoding that has a character for each byte.
const csharpLatin = `Encoding.GetEncoding("iso-8859-1")`

// csharpLatin1 returns the text whose characters are the bytes of a text.
func csharpLatin1(t plan.Text) plan.Text {
	t = slices.Clone(t)
	for i := range t {
		t[i].Literal = emit.Latin1(t[i].Literal)
	}
	return t
}

// form writes the statement for content that encodes the pairs.
func (r *csharpRequest) form() {
	items := make([]emit.Node, len(r.c.Content.Form))
	unique := emit.Distinct(plan.PairNames(r.c.Content.Form))
	for i, p := range r.c.Content.Form {
		name, value := r.sure(plan.Decoded(p.Name)), r.sure(plan.Decoded(p.Value))
		if unique {
			items[i] = emit.Leaf("[" + name + "] = " + value)
		} else {
			items[i] = emit.Leaf("new KeyValuePair<string, string>(" + name + ", " + value + ")")
		}
	}
	r.p.Use("System.Collections.Generic")
	list := "new Dictionary<string, string>"
	if !unique {
		list = "new[]"
	}
	csharpObjectOf(r.p, r.name("request")+".Content = ", "new FormUrlEncodedContent("+list, items, ");")
}

// open opens a file, and returns its stream.
func (r *csharpRequest) open(name plan.Text) string {
	if name.Source() == "-" {
		return "Console.OpenStandardInput()"
	}
	r.p.Use("System.IO")
	variable := r.nth("file", &r.files)
	r.using(variable, emit.Leaf("File.OpenRead("+r.argument(name, "path")+")"))
	return variable
}

// multipart writes the statements that make a form; it returns the type where
// the form is made of bytes.
func (r *csharpRequest) multipart() *plan.Field {
	form := r.name("form")
	switch simple, lines := r.formKind(); {
	case simple:
		r.p.Line("var ", form, " = new MultipartFormDataContent();")
		for i := range r.c.Content.Part {
			r.simplePart(form, i)
		}
	case lines: // the class for forms would write the names otherwise
		encoding := ""
		if slices.ContainsFunc(r.c.Content.Part, func(p plan.FormPart) bool { return !writesASCII(&p) }) {
			r.p.Use("System.Text")
			encoding = " { HeaderEncodingSelector = (_, _) => Encoding.UTF8 }"
		}
		r.p.Line("var ", form, ` = new MultipartContent("form-data")`, encoding, ";")
		for i := range r.c.Content.Part {
			r.oddPart(form, i)
		}
	default:
		r.join(r.c.RawForm())
		return &r.c.Given()[len(r.c.Given())-1]
	}
	r.p.Line(r.name("request"), ".Content = ", form, ";")
	return nil
}

// writesASCII reports whether the head of a part is of ASCII, whatever a variable has.
func writesASCII(p *plan.FormPart) bool {
	head := p.Head(false, true)
	return head.IsASCII() && !plan.HasVariable(head)
}

// formKind reports whether the class for forms writes the parts as curl does, and
// else whether it takes the lines of their heads.
func (r *csharpRequest) formKind() (simple, lines bool) {
	simple, lines = !r.c.Body.FormEscape, true
	for i := range r.c.Content.Part {
		p := &r.c.Content.Part[i]
		if !r.keepsType(p) {
			return false, false
		}
		simple = simple && p.Name != "" && ascii.Only(p.Name) && !strings.ContainsAny(p.Name, "\\") && len(p.Headers) == 0 && p.Encoder == "" &&
			(p.FilenameText == nil || ascii.Only(*p.FilenameText) && !strings.ContainsAny(*p.FilenameText, "\\")) && !plan.HasVariable(p.NameText) && p.Fixed()
		for _, h := range p.Headers {
			name, value, _ := strings.Cut(h, ": ")
			own := len(name) > 2 && ascii.EqualFold(name[:2], "X-") || csharpOfContent(name) || ascii.EqualFold(name, "Content-ID")
			lines = lines && own && plan.IsToken(name) && value != "" && strings.TrimSpace(value) == value
		}
		lines = lines && p.Head(false, true).IsText() && (writesASCII(p) || !isOld(r.p))
	}
	return simple, lines
}

// part writes the statement that makes a part, and returns its variable and its
// content. A part that is not named needs no variable.
func (r *csharpRequest) part(i int, named bool) (variable, content string) {
	p := &r.c.Content.Part[i]
	if p.IsFile() {
		content = "new StreamContent(" + r.open(p.FileText) + ")"
	} else if !r.p.Exact() && p.ValueText.IsText() && p.TypeText == nil && len(p.Headers) == 0 {
		content = "new StringContent(" + r.sure(p.ValueText) + ")" // which has a type
	} else {
		content = "new ByteArrayContent(" + r.bytes(p.ValueText) + ")"
	}
	if !named {
		return "", content
	}
	variable = r.nth("part", &r.parts)
	r.p.Line("var ", variable, " = ", content, ";")
	return variable, content
}

// simplePart writes a part for the class for forms.
func (r *csharpRequest) simplePart(form string, i int) {
	p := &r.c.Content.Part[i]
	name := CsharpString(`"` + mime.EscapeName(p.Name, false) + `"`)
	part, content := r.part(i, p.FilenameText != nil || p.TypeText != nil)
	if part == "" {
		r.p.Call(form, ".Add", content, name)
		return
	}
	if f := p.FilenameText; !r.p.Exact() && f != nil && *f != "" && !p.Implied && !strings.ContainsAny(*f, "\"\r\n") {
		if p.TypeText != nil {
			r.contentField(part, &plan.Field{Name: "Content-Type", Value: plan.Literal(*p.TypeText)})
		}
		r.p.Call(form, ".Add", part, name, CsharpString(*f))
		return
	}
	r.p.Use("System.Net.Http.Headers")
	items := []emit.Node{emit.Leaf("Name = " + name)}
	switch {
	case p.Implied:
		r.p.Use("System.IO")
		items = append(items, emit.Leaf(`FileName = $"\"{Path.GetFileName(`+r.text(p.FileText)+`)}\""`))
	case p.FilenameText != nil:
		items = append(items, emit.Leaf("FileName = "+CsharpString(`"`+mime.EscapeName(*p.FilenameText, false)+`"`)))
	}
	csharpObjectOf(r.p, part+".Headers.ContentDisposition = ", `new ContentDispositionHeaderValue("form-data")`, items, ";")
	if p.TypeText != nil {
		r.contentField(part, &plan.Field{Name: "Content-Type", Value: plan.Literal(*p.TypeText)})
	}
	r.p.Line(form, ".Add(", part, ");")
}

// oddPart writes a part by the lines of its head.
func (r *csharpRequest) oddPart(form string, i int) {
	p := &r.c.Content.Part[i]
	r.c.Unnamed = r.c.Unnamed || p.Implied && !p.Cut
	part, _ := r.part(i, true)
	for _, line := range p.Lines(r.c.Body.FormEscape, true) {
		name, value, _ := plan.CutLine(line)
		r.contentField(part, &plan.Field{Name: name, Value: value})
	}
	r.p.Line(form, ".Add(", part, ");")
}

// contentField writes the statement that gives content a field.
func (r *csharpRequest) contentField(content string, f *plan.Field) {
	if kind, ok := r.mediaType(f); ok {
		r.p.Line(content, ".Headers.ContentType = ", kind, ";")
		return
	}
	r.p.Call("", content+".Headers.TryAddWithoutValidation", CsharpString(f.Name), r.field(f))
}

// pieces writes the statements that join texts and files, and returns an
// expression for the bytes.
func (r *csharpRequest) pieces(pieces []plan.Piece) string {
	r.p.Use("System.Collections.Generic")
	body, input := r.name("body"), false
	r.p.Line("var ", body, " = new List<byte>();")
	add := func(s string) { r.p.Line(body, ".AddRange(", s, ");") }
	for _, one := range pieces {
		if one.IsText {
			add(r.bytes(one.Text))
			continue
		}
		r.p.Use("System.IO")
		if len(one.Name) > 0 {
			add(r.bytes(one.Prefix()))
		}
		data := "File.ReadAllBytes(" + r.sure(one.File) + ")"
		if one.File.Source() == "-" {
			if input {
				continue // it was read to its end
			}
			input = true
			r.p.Line("var ", r.name("input"), " = new MemoryStream();")
			r.p.Line("Console.OpenStandardInput().CopyTo(", r.name("input"), ");")
			data = r.name("input") + ".ToArray()"
		}
		if one.Offset > 0 || one.Strip {
			r.p.Use("System.Linq")
		}
		if one.Offset > 0 {
			data += ".Skip(" + emit.Itoa(int(one.Offset)) + ")"
		}
		if one.Strip {
			data += ".Where(b => b != '\\r' && b != '\\n' && b != 0)"
		}
		if one.Urlencode {
			r.p.Use("System.Text")
			if one.Offset > 0 || one.Strip {
				data += ".ToArray()"
			}
			r.p.Use("System.Text.RegularExpressions")
			data = "Encoding.ASCII.GetBytes(Regex.Replace(" + csharpLatin + ".GetString(" + data + `), "[^A-Za-z0-9_.~-]", m => m.Value == " " ? "+" : $"%{(int)m.Value[0]:X2}"))`
		}
		add(data)
	}
	return body + ".ToArray()"
}

// join writes the statements that make content of texts and files.
func (r *csharpRequest) join(pieces []plan.Piece) {
	r.p.Line(r.name("request"), ".Content = new ByteArrayContent(", r.pieces(pieces), ");")
}
