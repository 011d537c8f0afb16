package code

import (
	"slices"
	"strings"

	"uncoil/internal/engine/mime"
	"uncoil/request"
)

// rawForm returns the bytes of a form, for a client that would write others,
// and sets the field with its type.
func (c *call) rawForm() []piece {
	pieces, boundary := c.multipartPieces()
	parameter := part{literal: "; boundary=" + boundary}
	if f := c.field("Content-Type"); f != nil {
		f.value = mergeLiterals(append(slices.Clone(f.value), parameter))
	} else {
		c.fields = append(c.fields, field{name: "Content-Type", value: mergeLiterals(text{{literal: mime.FormData}, parameter})})
	}
	return pieces
}

// The dispositions of parts: those of a form, and those of what has another type.
const inForm, inOther = "form-data", "attachment"

// spellOut replaces a form that the client cannot make by its bytes: one of another
// type than multipart/form-data, or with parts that hold parts or are encoded.
func (p *program) spellOut(c *call) {
	k := &p.target.client
	if c.body.kind != multipartBody || k.everything {
		return
	}
	f := c.field("Content-Type")
	odd := !k.mime && slices.ContainsFunc(c.body.part, func(one formPart) bool { return one.Nested || mime.Encodes(one.Encoder) })
	if !odd && (f == nil || k.mixed) {
		return
	}
	if f != nil && hasVariable(f.value) {
		p.refuse("writes no form whose type is a variable")
	}
	list := c.rawForm()
	if all, ok := joinedText(list); ok {
		c.body.kind, c.body.data = rawBody, all
	} else {
		c.body.kind, c.body.list = pieceBody, list
	}
}

// disposition returns that of parts within content of a type.
func disposition(contentType string) string {
	if mime.IsForm(contentType) {
		return inForm
	}
	return inOther
}

// multipartPieces returns the bytes of a multipart form as curl writes them,
// with a boundary of our own.
func (c *call) multipartPieces() (pieces []piece, boundary string) {
	contentType := mime.FormData
	if f := c.field("Content-Type"); f != nil {
		contentType = f.value.source()
	}
	boundary = c.boundary()
	w := partWriter{call: c, inner: mime.Boundaries{Form: boundary}}
	w.parts(c.body.part, boundary, disposition(contentType))
	w.flush()
	return w.pieces, boundary
}

// A partWriter makes pieces of the parts of a form.
type partWriter struct {
	call   *call
	pieces []piece
	known  strings.Builder // what is known since the last piece
	inner  mime.Boundaries // of parts that hold parts
}

func (w *partWriter) flush() {
	if w.known.Len() > 0 {
		w.pieces = append(w.pieces, piece{isText: true, text: literal(w.known.String())})
		w.known.Reset()
	}
}

func (w *partWriter) add(t text) {
	for _, one := range t {
		if one.variable == nil {
			w.known.WriteString(one.literal)
		} else {
			w.flush()
			w.pieces = append(w.pieces, piece{isText: true, text: text{one}})
		}
	}
}

// parts writes parts and the line that ends them. inside is their disposition.
func (w *partWriter) parts(list []formPart, boundary, inside string) {
	for i := range list {
		p := &list[i]
		w.call.unnamed = w.call.unnamed || p.implied && !p.cut
		w.known.WriteString("--" + boundary + "\r\n")
		if p.Nested {
			p.boundary = w.inner.Next()
		}
		w.add(p.head(w.call.Body.FormEscape, inside))
		w.known.WriteString("\r\n")
		switch {
		case p.Nested:
			w.parts(p.inner, p.boundary, disposition(p.typed().source()))
		case p.isFile():
			w.flush()
			w.pieces = append(w.pieces, piece{file: p.file})
		case mime.Encodes(p.Encoder):
			w.known.Write(mime.AppendEncoded(nil, p.Value, p.Encoder))
		default:
			w.add(p.value)
		}
		w.known.WriteString("\r\n")
	}
	w.known.WriteString("--" + boundary + "--\r\n")
}

// head returns the lines of a part's head.
func (p *formPart) head(formEscape bool, disposition string) text {
	var head text
	for _, line := range p.lines(formEscape, disposition) {
		head = append(append(head, line...), part{literal: "\r\n"})
	}
	return mergeLiterals(head)
}

// lines returns the lines of a part's head, without their ends. What the command
// names for the part takes the place of what curl would write:
// Curl_mime_prepare_headers() in curl 8.22 lib/mime.c.
func (p *formPart) lines(formEscape bool, disposition string) []text {
	var lines []text
	named := p.Name != "" || p.filename != nil
	if _, own := mime.Field(p.Headers, "Content-Disposition"); !own && (named || disposition != inOther) {
		line := literal("Content-Disposition: " + disposition)
		add := func(parameter string, value text) {
			line = append(line, part{literal: "; " + parameter + `="`})
			line = append(append(line, value.named(formEscape)...), part{literal: `"`})
		}
		if p.Name != "" {
			add("name", p.name)
		}
		if p.filename != nil {
			add("filename", p.named)
		}
		lines = append(lines, mergeLiterals(line))
	}
	if kind := p.typed(); kind != nil {
		line := append(literal("Content-Type: "), kind...)
		if p.Nested {
			line = append(line, part{literal: "; boundary=" + p.boundary})
		}
		lines = append(lines, mergeLiterals(line))
	}
	if _, own := mime.Field(p.Headers, "Content-Transfer-Encoding"); p.Encoder != "" && !own {
		lines = append(lines, literal("Content-Transfer-Encoding: "+strings.ToLower(p.Encoder)))
	}
	for line := range mime.WithoutType(p.Headers) {
		lines = append(lines, literal(line))
	}
	return lines
}

// typed returns the type of a part, with its variables, or nil for none.
func (p *formPart) typed() text {
	if p.contentType != nil {
		return p.kind
	}
	if value, own := mime.Field(p.Headers, "Content-Type"); own {
		return literal(value)
	}
	if p.Nested {
		return literal(mime.Mixed)
	}
	return nil
}

// cutLine returns the name and the value of a line of a head; found is false where it
// has no colon.
func cutLine(line text) (name string, value text, found bool) {
	source := line.source()
	name, after, found := strings.Cut(source, ":")
	return name, line.cut(len(source)-len(strings.TrimLeft(after, " ")), len(source)), found
}

// named returns the text as a name in the head of a part.
func (t text) named(backslash bool) text {
	out := slices.Clone(t)
	for i := range out {
		out[i].literal = mime.EscapeName(out[i].literal, backslash)
	}
	return out
}

// Encodings of variables that only programs have.
const (
	// lastSegment is the last part of a path, which names a file. The variable
	// begins that part, and is the only one of it.
	lastSegment request.Encoding = 1<<7 + iota
	// userPart is what stands before the first colon of credentials, and
	// passwordPart what stands after it.
	userPart
	passwordPart
	// computed is the value of an expression of the program: its Name.
	computed
)

// boundary returns a boundary that no part holds, the same each time for the
// same form. It ends with a number where parts hold parts, as theirs do.
func (c *call) boundary() string {
	stem := "uncoil"
	if slices.ContainsFunc(c.body.part, func(one formPart) bool { return one.Nested }) {
		stem = "uncoil-0"
	}
	for n := 0; ; n++ {
		boundary := stem
		if n > 0 {
			boundary += itoa(n)
		}
		if !hold(c.body.part, boundary) {
			return boundary
		}
	}
}

// hold reports whether the value of a part, or of one within it, has s.
func hold(list []formPart, s string) bool {
	return slices.ContainsFunc(list, func(p formPart) bool { return strings.Contains(p.Value, s) || hold(p.inner, s) })
}
