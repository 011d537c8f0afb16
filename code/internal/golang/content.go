package golang

import (
	"slices"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
)

// content writes what makes the body, and returns its reader.
func (r *goRequest) content() string {
	switch r.c.Content.Kind {
	case plan.RawBody:
		if values, ok := r.sortedValues(); ok {
			return values
		}
		r.p.Use("strings")
		data := r.c.FormData()
		if _, known := data.Plain(); !known || len(data.Source()) > emit.LongLiteral/2 {
			r.p.Node("body := ", r.goReader(data), "")
			return "body"
		}
		return "strings.NewReader(" + r.goText(data) + ")"
	case plan.MultipartBody:
		r.multipart()
		return "&body"
	case plan.FileBody:
		return r.open(r.c.Content.File, "file", !r.c.Chunked())
	case plan.PieceBody:
		r.p.Use("strings")
		return "strings.NewReader(" + r.pieces(r.c.Content.List) + ")"
	}
	return "nil"
}

// sortedValues writes the form as url.Values, which sorts by name, where the
// form is sorted.
func (r *goRequest) sortedValues() (string, bool) {
	form := r.c.Content.Form
	if !r.c.HasType(plan.FormType) || !slices.IsSorted(plan.PairNames(form)) || r.c.IsOnePair(&plan.EncodeQuotePlus, false) || !r.c.IsForm(&plan.EncodeQuotePlus) {
		return "", false
	}
	r.p.Use("strings")
	r.values("form", form)
	return "strings.NewReader(form.Encode())", true
}

// areSorted reports whether names are in the order in which url.Values prints them, each
// once.
func areSorted(names []string) bool { return slices.IsSorted(names) && emit.Distinct(names) }

// values writes pairs as url.Values.
func (r *goRequest) values(variable string, pairs []plan.Pair) {
	r.p.Use("net/url")
	var items []emit.Node
	for len(pairs) > 0 {
		name, n := pairs[0].Name.Source(), 1
		for n < len(pairs) && pairs[n].Name.Source() == name {
			n++
		}
		values := make([]emit.Node, n)
		for i := range values {
			values[i] = emit.Leaf(r.goText(plan.Decoded(pairs[i].Value)))
		}
		items = append(items, emit.Named(goString(name), ": ", emit.Group("", "{", values, "}")))
		pairs = pairs[n:]
	}
	r.p.Node(variable+" := ", emit.Group("url.Values", "{", items, "}"), "")
}

// open writes the statements that open a file, and returns its variable.
func (r *goRequest) open(name plan.Text, variable string, stat bool) string {
	r.p.Use("os")
	if s, ok := name.Plain(); ok && s == "-" {
		return "os.Stdin"
	}
	r.p.Line(variable, ", err := os.Open(", r.goText(name), ")")
	r.check()
	r.p.Line("defer ", variable, ".Close()")
	if stat {
		r.p.Line("info, err := ", variable, ".Stat()")
		r.check()
	}
	return variable
}

func (r *goRequest) multipart() {
	r.p.Use("bytes")
	r.p.Use("mime/multipart")
	r.p.Line("var body bytes.Buffer")
	r.p.Line("form := multipart.NewWriter(&body)")
	for i := range r.c.Content.Part {
		r.part(&r.c.Content.Part[i])
	}
	r.p.Line("if err := form.Close(); err != nil {")
	r.fatal("err")
	r.p.Line("}")
	r.p.Line()
}

// part writes the statements for one part. WriteField and CreateFormFile write
// what curl writes for names without quotes and backslashes.
func (r *goRequest) part(p *plan.FormPart) {
	usual := !strings.ContainsAny(p.Name, "\"\\\r\n") && p.Name != "" && len(p.Headers) == 0 && p.Encoder == ""
	if !p.IsFile() && usual && p.FilenameText == nil && p.TypeText == nil {
		field := emit.Group("form.WriteField", "(", []emit.Node{emit.Leaf(r.goArgument(p.NameText)), emit.Leaf(r.goArgument(p.ValueText))}, ")")
		r.p.Node("if err := ", field, "; err != nil {")
		r.fatal("err")
		r.p.Line("}")
		return
	}
	variable, file := plan.Nth("part", "", &r.parts), ""
	if p.IsFile() {
		file = r.open(p.FileText, plan.Nth("file", "", &r.files), false)
	}
	octets := p.TypeText != nil && *p.TypeText == "application/octet-stream"
	if p.IsFile() && usual && octets && p.FilenameText != nil && !strings.ContainsAny(*p.FilenameText, "\"\\\r\n") {
		name := r.goArgument(p.Named)
		if p.Implied {
			name = r.goBase(p.FileText)
		}
		r.p.Line(variable, ", err := form.CreateFormFile(", r.goArgument(p.NameText), ", ", name, ")")
	} else {
		r.p.Use("net/textproto")
		var items []emit.Node
		for _, line := range p.Lines(r.c.Body.FormEscape, true) {
			name, value, _ := plan.CutLine(line)
			items = append(items, emit.Named(goString(name), ": ", emit.Group("", "{", []emit.Node{emit.Leaf(r.partField(p, value))}, "}")))
		}
		r.p.Node(variable+", err := form.CreatePart(", emit.Group("textproto.MIMEHeader", "{", items, "}"), ")")
	}
	r.check()
	if p.IsFile() {
		r.p.Use("io")
		r.p.Line("if _, err := io.Copy(", variable, ", ", file, "); err != nil {")
	} else {
		r.p.Use("io")
		r.p.Line("if _, err := io.WriteString(", variable, ", ", r.goArgument(p.ValueText), "); err != nil {")
	}
	r.fatal("err")
	r.p.Line("}")
}

// partField returns an expression for the value of a field of a part. A name of a file
// that a variable brings is the last part of its path.
func (r *goRequest) partField(p *plan.FormPart, value plan.Text) string {
	const before = `; filename="`
	end := strings.LastIndex(value.Source(), before+p.Named.Source()+`"`)
	if !p.Implied || end < 0 {
		return r.goArgument(value)
	}
	return r.goArgument(value.Cut(0, end+len(before))) + "+" + r.goBase(p.FileText) + "+`\"`"
}

// goBase returns an expression for the last part of a path.
func (r *goRequest) goBase(path plan.Text) string {
	r.p.Use("path/filepath")
	return "filepath.Base(" + r.goText(path) + ")"
}

// pieces writes the statements that read files, and returns a string of texts
// and files, joined.
func (r *goRequest) pieces(pieces []plan.Piece) string {
	terms := make([]string, 0, len(pieces))
	files := 0
	for _, one := range plan.LineByLine(pieces) {
		if one.IsText {
			terms = append(terms, r.goText(one.Text))
			continue
		}
		variable := plan.Nth("data", "", &files)
		r.p.Use("os")
		if s, ok := one.File.Plain(); ok && s == "-" {
			r.p.Use("io")
			r.p.Line(variable, ", err := io.ReadAll(os.Stdin)")
		} else {
			r.p.Line(variable, ", err := os.ReadFile(", r.goText(one.File), ")")
		}
		r.check()
		expr := "string(" + variable + ")"
		if one.Offset > 0 {
			expr = "string(" + variable + "[" + emit.Itoa(int(one.Offset)) + ":])"
		}
		if one.Strip {
			r.p.Use("strings")
			expr = `strings.NewReplacer("\r", "", "\n", "", "\x00", "").Replace(` + expr + ")"
		}
		if one.Urlencode {
			r.p.Use("net/url")
			expr = "url.QueryEscape(" + expr + ")"
		}
		if len(one.Name) > 0 {
			expr = r.goText(one.Prefix()) + " + " + expr
		}
		terms = append(terms, expr)
	}
	if body := "body := " + strings.Join(terms, " + "); r.p.Fits(emit.Columns(body)) {
		r.p.Line(body)
		return "body"
	}
	r.p.Node("body := ", emit.Summed(terms), "")
	return "body"
}
