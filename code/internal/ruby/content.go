package ruby

import (
	"cmp"
	"strconv"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
)

// content returns what writes the statements that set the content, after those
// that open files.
func (r *rubyRequest) content() func() {
	switch r.c.Content.Kind {
	case plan.RawBody:
		if f := r.c.Field("Content-Type"); f != nil && f.Value.Source() == plan.FormType && !r.c.Chunked() && r.c.IsForm(&encodeRuby) {
			r.c.Imply(f)
			form := r.wwwForm("request.set_form_data", r.c.Content.Form)
			return func() { r.p.Node("", form, "") }
		}
		body := r.rawContent()
		return func() { r.setBody(body) }
	case plan.MultipartBody:
		return r.multipart()
	case plan.FileBody:
		if r.c.Content.File.Source() == "-" {
			return func() { r.setBody(emit.Leaf(cmp.Or(r.input, "$stdin.read"))) }
		}
		name := r.text(r.c.Content.File)
		return func() { r.setBody(emit.Leaf("File.binread(" + name + ")")) }
	case plan.PieceBody:
		body := r.pieces(r.c.Content.List)
		return func() { r.setBody(body) }
	}
	return func() {}
}

// setBody writes the statement that sets the content: a stream where it goes
// out in chunks, because Net::HTTP takes the field away from a string.
func (r *rubyRequest) setBody(body emit.Node) {
	if !r.c.Chunked() {
		r.p.Node("request.body = ", body, "")
		return
	}
	r.p.Use("stringio")
	r.p.Node("request.body_stream = ", emit.Wrapped("StringIO.new", body), "")
	stream := "request.body_stream"
	if r.sheds {
		stream += "&" // there may be none
	}
	r.streams = append(r.streams, stream)
}

func (r *rubyRequest) rawContent() emit.Node {
	if r.p.Encodes(&rubyJSON, r.c) && !(r.p.Exact() && strings.ContainsAny(r.c.Content.Data.Source(), "\u2028\u2029\x7f")) {
		r.p.Use("json")
		n := r.value(r.c.Content.JSON)
		n.Close += ".to_json"
		n.Width += len(".to_json")
		return n
	}
	if r.c.IsForm(&encodeRuby) {
		r.p.Use("uri")
		return r.wwwForm("URI.encode_www_form", r.c.Content.Form)
	}
	return language.Content(r.p, r.c.Content.Data)
}

// wwwForm returns a call of a function that encodes pairs as a form is.
func (r *rubyRequest) wwwForm(function string, pairs []plan.Pair) emit.Node {
	if emit.Distinct(plan.PairNames(pairs)) {
		return emit.Group(function, "(", r.hashItems(pairs), ")")
	}
	items := make([]emit.Node, len(pairs))
	for i, p := range pairs {
		items[i] = emit.Group("", "[", []emit.Node{emit.Leaf(r.text(plan.Decoded(p.Name))), emit.Leaf(r.text(plan.Decoded(p.Value)))}, "]")
	}
	return emit.Group(function, "(", []emit.Node{emit.Group("", "[", items, "]")}, ")")
}

// hashItems returns pairs as the items of a hash.
func (r *rubyRequest) hashItems(pairs []plan.Pair) []emit.Node {
	items := make([]emit.Node, len(pairs))
	for i, p := range pairs {
		items[i] = emit.Named(key(p.Name.Source()), "", emit.Leaf(r.text(plan.Decoded(p.Value))))
	}
	return items
}

func (r *rubyRequest) multipart() func() {
	simple := !r.c.Body.FormEscape
	for i := range r.c.Content.Part {
		p := &r.c.Content.Part[i]
		simple = simple && p.Helped() && !strings.ContainsAny(p.Name, "\"\\\r\n") && p.ValueText.IsText() &&
			(p.FilenameText != nil && p.TypeText != nil && !strings.ContainsAny(*p.FilenameText, "\"\\\r\n") && p.FileText.Source() != "-" || p.FilenameText == nil && p.TypeText == nil && !p.IsFile())
	}
	if !simple {
		body := r.pieces(r.c.RawForm())
		return func() { r.setBody(body) }
	}
	items := make([]emit.Node, len(r.c.Content.Part))
	for i := range r.c.Content.Part {
		p := &r.c.Content.Part[i]
		part := []emit.Node{emit.Leaf(r.text(p.NameText)), emit.Leaf(r.text(p.ValueText))}
		if p.IsFile() {
			variable := plan.Nth("file", "", &r.files)
			r.p.Line(variable, " = File.open(", r.text(p.FileText), ", 'rb')")
			part[1] = emit.Leaf(variable)
			r.streams = append(r.streams, variable)
		}
		if p.FilenameText != nil {
			filename := String(*p.FilenameText)
			if p.Implied {
				filename = "File.basename(" + r.text(p.FileText) + ")"
			}
			part = append(part, emit.Braced([]emit.Node{emit.Leaf("filename: " + filename), emit.Leaf("content_type: " + String(*p.TypeText))}))
		}
		items[i] = emit.Group("", "[", part, "]")
	}
	form := emit.Group("request.set_form", "(", []emit.Node{emit.Group("", "[", items, "]"), emit.Leaf("'multipart/form-data'")}, ")")
	return func() { r.p.Node("", form, "") }
}

// file returns an expression for the content of a file, changed as curl
// changes it.
func (r *rubyRequest) file(one plan.Piece) string {
	read := "File.binread(" + r.text(one.File) + ")"
	if one.File.Source() == "-" {
		read = cmp.Or(r.input, "$stdin.binmode.read")
	}
	if one.Offset > 0 {
		read += ".byteslice(" + strconv.FormatInt(one.Offset, 10) + "..)"
	}
	if one.Strip {
		read += `.delete("\r\n\0")`
	}
	if one.Urlencode {
		r.p.Use("uri")
		read = "URI.encode_www_form_component(" + read + ").gsub('*', '%2A').gsub('%7E', '~')"
	}
	if len(one.Name) > 0 {
		read = r.text(one.Prefix()) + " + " + read
	}
	return read
}

func (r *rubyRequest) pieces(pieces []plan.Piece) emit.Node {
	return plan.JoinPieces(pieces, r.bytes, r.file, func(items []emit.Node) emit.Node { return emit.Group("", "[", items, "].join") })
}

// bytes returns an expression for a text that can be joined with bytes.
func (r *rubyRequest) bytes(t plan.Text) string {
	s := r.text(t)
	if !t.IsASCII() && len(t) == 1 && !strings.HasSuffix(s, ".b") {
		s += ".b"
	}
	return s
}

// writeOut writes the statement that prints what -w asks for. The status is a number in most
// clients, which Ruby adds to no string.
func (r *rubyRequest) writeOut(status string) {
	if r.c.ReturnsOnlyStatus(r.p.Options) {
		if status == "response.code" && r.p.Target.Client == "Net::HTTP" {
			status += ".to_i"
		}
		if r.reads { // within blocks
			status = "return " + status
		}
		r.p.Line(status)
		return
	}
	t := r.c.WriteOutLine(r.p.Options, status)
	if len(t) == 0 {
		return
	}
	if text := r.text(t); len(t) == 1 || strings.HasPrefix(text, `"`) && strings.Contains(text, "#{"+status+"}") {
		r.p.Line("puts ", text)
		return
	}
	r.p.Line("puts ", r.text(r.c.WriteOutLine(r.p.Options, status+".to_s")))
}
