package code

import (
	"slices"
	"strings"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/mime"
)

// content writes the statements that set the content and its fields.
func (r *csharpRequest) content() {
	request := r.name("request")
	fields := r.c.joined()
	var typed *field
	if i := slices.IndexFunc(fields, func(f field) bool { return f.is("Content-Type") }); i >= 0 {
		typed = &fields[i]
	}
	set := func(n node) { r.p.node(request+".Content = ", n, ";") }
	switch r.c.body.kind {
	case noBody:
		if !slices.ContainsFunc(r.c.fields, func(f field) bool { return csharpOfContent(f.name) }) {
			return
		}
		set(leaf("new ByteArrayContent(new byte[0])"))
	case rawBody:
		if r.c.isForm(&encodeQuotePlus) {
			r.form()
			typed = nil
			break
		}
		content, whole := r.rawContent(typed)
		set(content)
		if whole {
			typed = nil
		}
	case multipartBody:
		typed = r.multipart()
	case fileBody:
		set(leaf("new StreamContent(" + r.open(r.c.body.file) + ")"))
	case pieceBody:
		r.join(r.c.body.list)
	}
	for _, f := range fields {
		if csharpOfContent(f.name) && (!f.is("Content-Type") || typed != nil) {
			r.contentField(request+".Content", &f)
		}
	}
}

// csharpType returns the type of content, and its parameter, where the class
// writes them as they are.
func csharpType(f *field) (kind, parameter string, ok bool) {
	if f == nil {
		return "", "", false
	}
	s, known := f.value.plain()
	kind, parameter, found := strings.Cut(s, "; ")
	first, second, _ := strings.Cut(kind, "/")
	name, value, _ := strings.Cut(parameter, "=")
	return kind, parameter, known && isToken(first) && isToken(second) && (!found || isToken(name) && isToken(value))
}

// mediaType returns an expression for the type of content, where the class writes
// it as it is.
func (r *csharpRequest) mediaType(f *field) (string, bool) {
	kind, parameter, ok := csharpType(f)
	if !ok || !f.is("Content-Type") {
		return "", false
	}
	r.p.use("System.Net.Http.Headers")
	if parameter == "" {
		return "new MediaTypeHeaderValue(" + csharpString(kind) + ")", true
	}
	return "MediaTypeHeaderValue.Parse(" + csharpString(kind+"; "+parameter) + ")", true
}

// rawContent returns the content that is known, and whether it brings its type.
func (r *csharpRequest) rawContent(typed *field) (content node, whole bool) {
	data := r.c.body.data
	kind, parameter, ok := csharpType(typed)
	if !ok || !data.isText() {
		return leaf("new ByteArrayContent(" + r.bytes(data) + ")"), false
	}
	items := []node{r.long(data)}
	if whole = parameter == "charset=utf-8"; whole {
		r.p.use("System.Text")
		items = append(items, leaf("Encoding.UTF8"), leaf(csharpString(kind)))
	}
	n := group("new StringContent", "(", items, ")")
	if items[0].width == tooWide && len(items[0].more) == 0 { // it has line breaks of its own
		n = leaf(n.line())
	}
	return n, whole
}

// long returns an expression for a text, in parts where it is long.
func (r *csharpRequest) long(t text) node {
	s, plain := t.plain()
	if !plain || strings.Contains(s, "\n") {
		return leaf(r.sure(t))
	}
	parts := splitLong(s)
	if len(parts) == 1 {
		return leaf(csharpString(s))
	}
	for i, part := range parts {
		parts[i] = csharpQuoted(part)
	}
	if len(parts) == 0 {
		return leaf(csharpString(""))
	}
	return summed(parts)
}

// bytes returns an expression for the bytes of a text.
func (r *csharpRequest) bytes(t text) string {
	r.p.use("System.Text")
	if t.isText() {
		return "Encoding.UTF8.GetBytes(" + r.sure(t) + ")"
	}
	return csharpLatin + ".GetBytes(" + r.text(csharpLatin1(t)) + ")"
}

// csharpLatin is the encoding that has a character for each byte.
const csharpLatin = `Encoding.GetEncoding("iso-8859-1")`

// csharpLatin1 returns the text whose characters are the bytes of a text.
func csharpLatin1(t text) text {
	t = slices.Clone(t)
	for i := range t {
		t[i].literal = latin1(t[i].literal)
	}
	return t
}

// form writes the statement for content that encodes the pairs.
func (r *csharpRequest) form() {
	items := make([]node, len(r.c.body.form))
	unique := distinct(pairNames(r.c.body.form))
	for i, p := range r.c.body.form {
		name, value := r.sure(decoded(p.name)), r.sure(decoded(p.value))
		if unique {
			items[i] = leaf("[" + name + "] = " + value)
		} else {
			items[i] = leaf("new KeyValuePair<string, string>(" + name + ", " + value + ")")
		}
	}
	list := "new Dictionary<string, string>"
	if !unique {
		list = "new[]"
	}
	r.p.csharpObject(r.name("request")+".Content = ", "new FormUrlEncodedContent("+list, items, ");")
}

// open opens a file, and returns its stream.
func (r *csharpRequest) open(name text) string {
	if name.source() == "-" {
		return "Console.OpenStandardInput()"
	}
	variable := r.nth("file", &r.files)
	r.p.line("using var ", variable, " = File.OpenRead(", r.argument(name, "path"), ");")
	return variable
}

// multipart writes the statements that make a form; it returns the type where
// the form is made of bytes.
func (r *csharpRequest) multipart() *field {
	form := r.name("form")
	switch simple, lines := r.formKind(); {
	case simple:
		r.p.line("var ", form, " = new MultipartFormDataContent();")
		for i := range r.c.body.part {
			r.simplePart(form, i)
		}
	case lines: // the class for forms would write the names otherwise
		encoding := ""
		if slices.ContainsFunc(r.c.body.part, func(p formPart) bool {
			head := p.head(false, inForm)
			return !head.isASCII() || hasVariable(head)
		}) {
			r.p.use("System.Text")
			encoding = " { HeaderEncodingSelector = (name, context) => Encoding.UTF8 }"
		}
		r.p.line("var ", form, ` = new MultipartContent("form-data")`, encoding, ";")
		for i := range r.c.body.part {
			r.oddPart(form, i)
		}
	default:
		r.join(r.c.rawForm())
		return &r.c.fields[len(r.c.fields)-1]
	}
	r.p.line(r.name("request"), ".Content = ", form, ";")
	return nil
}

// formKind reports whether the class for forms writes the parts as curl does, and
// else whether it takes the lines of their heads.
func (r *csharpRequest) formKind() (simple, lines bool) {
	simple, lines = !r.c.Body.FormEscape, true
	for i := range r.c.body.part {
		p := &r.c.body.part[i]
		simple = simple && p.Name != "" && ascii.Only(p.Name) && !strings.ContainsAny(p.Name, "\\") && len(p.Headers) == 0 && p.Encoder == "" &&
			(p.filename == nil || ascii.Only(*p.filename) && !strings.ContainsAny(*p.filename, "\\")) && !hasVariable(p.name) && p.fixed()
		for _, h := range p.Headers {
			name, value, _ := strings.Cut(h, ": ")
			own := len(name) > 2 && ascii.EqualFold(name[:2], "X-") || csharpOfContent(name) || ascii.EqualFold(name, "Content-ID")
			lines = lines && own && isToken(name) && value != "" && strings.TrimSpace(value) == value
		}
		lines = lines && p.head(false, inForm).isText()
	}
	return simple, lines
}

// part writes the statement that makes a part, and returns its variable and its
// content. A part that is not named needs no variable.
func (r *csharpRequest) part(i int, named bool) (variable, content string) {
	p := &r.c.body.part[i]
	if p.isFile() {
		content = "new StreamContent(" + r.open(p.file) + ")"
	} else {
		content = "new ByteArrayContent(" + r.bytes(p.value) + ")"
	}
	if !named {
		return "", content
	}
	variable = r.nth("part", &r.parts)
	r.p.line("var ", variable, " = ", content, ";")
	return variable, content
}

// simplePart writes a part for the class for forms.
func (r *csharpRequest) simplePart(form string, i int) {
	p := &r.c.body.part[i]
	name := csharpString(`"` + mime.EscapeName(p.Name, false) + `"`)
	part, content := r.part(i, p.filename != nil || p.contentType != nil)
	if part == "" {
		r.p.call(form, ".Add", content, name)
		return
	}
	r.p.use("System.Net.Http.Headers")
	items := []node{leaf("Name = " + name)}
	switch {
	case p.implied:
		items = append(items, leaf(`FileName = $"\"{Path.GetFileName(`+r.text(p.file)+`)}\""`))
	case p.filename != nil:
		items = append(items, leaf("FileName = "+csharpString(`"`+mime.EscapeName(*p.filename, false)+`"`)))
	}
	r.p.csharpObject(part+".Headers.ContentDisposition = ", `new ContentDispositionHeaderValue("form-data")`, items, ";")
	if p.contentType != nil {
		r.contentField(part, &field{name: "Content-Type", value: literal(*p.contentType)})
	}
	r.p.line(form, ".Add(", part, ");")
}

// oddPart writes a part by the lines of its head.
func (r *csharpRequest) oddPart(form string, i int) {
	p := &r.c.body.part[i]
	r.c.unnamed = r.c.unnamed || p.implied && !p.cut
	part, _ := r.part(i, true)
	for _, line := range p.lines(r.c.Body.FormEscape, inForm) {
		name, value, _ := cutLine(line)
		r.contentField(part, &field{name: name, value: value})
	}
	r.p.line(form, ".Add(", part, ");")
}

// contentField writes the statement that gives content a field.
func (r *csharpRequest) contentField(content string, f *field) {
	if kind, ok := r.mediaType(f); ok {
		r.p.line(content, ".Headers.ContentType = ", kind, ";")
		return
	}
	r.p.call("", content+".Headers.TryAddWithoutValidation", csharpString(f.name), r.field(f))
}

// pieces writes the statements that join texts and files, and returns an
// expression for the bytes.
func (r *csharpRequest) pieces(pieces []piece) string {
	body, input := r.name("body"), false
	r.p.line("var ", body, " = new List<byte>();")
	add := func(s string) { r.p.line(body, ".AddRange(", s, ");") }
	for _, one := range pieces {
		if one.isText {
			add(r.bytes(one.text))
			continue
		}
		if len(one.name) > 0 {
			add(r.bytes(one.prefix()))
		}
		data := "File.ReadAllBytes(" + r.sure(one.file) + ")"
		if one.file.source() == "-" {
			if input {
				continue // it was read to its end
			}
			input = true
			r.p.line("var ", r.name("input"), " = new MemoryStream();")
			r.p.line("Console.OpenStandardInput().CopyTo(", r.name("input"), ");")
			data = r.name("input") + ".ToArray()"
		}
		if one.offset > 0 {
			data += ".Skip(" + itoa(int(one.offset)) + ")"
		}
		if one.strip {
			data += ".Where(b => b != '\\r' && b != '\\n' && b != 0)"
		}
		if one.urlencode {
			r.p.use("System.Text")
			if one.offset > 0 || one.strip {
				data += ".ToArray()"
			}
			r.p.use("System.Text.RegularExpressions")
			data = "Encoding.ASCII.GetBytes(Regex.Replace(" + csharpLatin + ".GetString(" + data + `), "[^A-Za-z0-9_.~-]", m => m.Value == " " ? "+" : $"%{(int)m.Value[0]:X2}"))`
		}
		add(data)
	}
	return body + ".ToArray()"
}

// join writes the statements that make content of texts and files.
func (r *csharpRequest) join(pieces []piece) {
	r.p.line(r.name("request"), ".Content = new ByteArrayContent(", r.pieces(pieces), ");")
}
