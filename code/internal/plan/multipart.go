package plan

import (
	"slices"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/internal/engine/mime"
	"uncoil/request"
)

// RawForm returns the bytes of a form, for a client that would write others,
// and sets the field with its type.
func (c *Call) RawForm() []Piece {
	pieces, boundary := c.MultipartPieces()
	c.unlisted()
	parameter := Part{Literal: "; boundary=" + boundary}
	if f := c.Field("Content-Type"); f != nil {
		f.Value = MergeLiterals(append(slices.Clone(f.Value), parameter))
	} else {
		c.AddField("Content-Type", MergeLiterals(Text{{Literal: mime.FormData}, parameter}))
	}
	return pieces
}

// spellOut replaces a form that the client cannot make by its bytes: one of another
// type than multipart/form-data, or with parts that hold parts or are encoded.
func (p *Program) spellOut(c *Call) {
	k := &p.Target.Facts
	if c.Content.Kind != MultipartBody || k.Everything {
		return
	}
	f := c.Field("Content-Type")
	odd := !k.Mime && slices.ContainsFunc(c.Content.Part, func(one FormPart) bool { return one.Nested || mime.Encodes(one.Encoder) })
	if !odd && (f == nil || k.Mixed) {
		return
	}
	if f != nil && HasVariable(f.Value) {
		p.Refuse("writes no form whose type is a variable")
	}
	list := c.RawForm()
	if all, ok := JoinedText(list); ok {
		c.Content.Kind, c.Content.Data = RawBody, all
	} else {
		c.Content.Kind, c.Content.List = PieceBody, list
	}
}

// MultipartPieces returns the bytes of a multipart form as curl writes them,
// with a boundary of our own.
func (c *Call) MultipartPieces() (pieces []Piece, boundary string) {
	contentType := mime.FormData
	if f := c.Field("Content-Type"); f != nil {
		contentType = f.Value.Source()
	}
	boundary = c.Boundary()
	w := partWriter{call: c, inner: mime.Boundaries{Form: boundary}}
	w.parts(c.Content.Part, boundary, mime.IsForm(contentType))
	w.flush()
	return w.pieces, boundary
}

// A partWriter makes pieces of the parts of a form.
type partWriter struct {
	call   *Call
	pieces []Piece
	known  strings.Builder // what is known since the last piece
	inner  mime.Boundaries // of parts that hold parts
}

func (w *partWriter) flush() {
	if w.known.Len() > 0 {
		w.pieces = append(w.pieces, Piece{IsText: true, Text: Literal(w.known.String())})
		w.known.Reset()
	}
}

func (w *partWriter) add(t Text) {
	for _, one := range t {
		if one.Variable == nil {
			w.known.WriteString(one.Literal)
		} else {
			w.flush()
			w.pieces = append(w.pieces, Piece{IsText: true, Text: Text{one}})
		}
	}
}

// parts writes parts, of a form or of other content, and the line that ends them.
func (w *partWriter) parts(list []FormPart, boundary string, inForm bool) {
	for i := range list {
		p := &list[i]
		w.call.Unnamed = w.call.Unnamed || p.Implied && !p.Cut
		w.known.WriteString("--" + boundary + "\r\n")
		if p.Nested {
			p.boundary = w.inner.Next()
		}
		w.add(p.Head(w.call.Body.FormEscape, inForm))
		w.known.WriteString("\r\n")
		switch {
		case p.Nested:
			w.parts(p.Inner, p.boundary, mime.IsForm(p.Typed().Source()))
		case p.IsFile():
			w.flush()
			w.pieces = append(w.pieces, Piece{File: p.FileText})
		case mime.Encodes(p.Encoder):
			w.known.Write(mime.AppendEncoded(nil, p.Value, p.Encoder))
		default:
			w.add(p.ValueText)
		}
		w.known.WriteString("\r\n")
	}
	w.known.WriteString("--" + boundary + "--\r\n")
}

// Head returns the lines of a part's head.
func (p *FormPart) Head(formEscape, inForm bool) Text {
	var head Text
	for _, line := range p.Lines(formEscape, inForm) {
		head = append(append(head, line...), Part{Literal: "\r\n"})
	}
	return MergeLiterals(head)
}

// Lines returns the lines of a part's head, without their ends.
func (p *FormPart) Lines(formEscape, inForm bool) (lines []Text) {
	head := mime.Head[Text]{InForm: inForm, Boundary: p.boundary, Encoder: p.Encoder, Own: p.Headers}
	if p.Name != "" {
		name := p.NameText.named(formEscape)
		head.Name = &name
	}
	if p.FilenameText != nil {
		name := p.Named.named(formEscape)
		head.Filename = &name
	}
	if kind := p.Typed(); kind != nil {
		head.Type = &kind
	}
	return slices.AppendSeq(lines, head.Lines(Literal, func(texts ...Text) Text { return MergeLiterals(slices.Concat(texts...)) }))
}

// Typed returns the type of a part, with its variables, or nil for none.
func (p *FormPart) Typed() Text {
	if p.TypeText != nil {
		return p.Kind
	}
	if value, own := mime.Field(p.Headers, "Content-Type"); own {
		return Literal(value)
	}
	if p.Nested {
		return Literal(mime.Mixed)
	}
	return nil
}

// CutLine returns the name and the value of a line of a head; found is false where it
// has no colon.
func CutLine(line Text) (name string, value Text, found bool) {
	source := line.Source()
	name, after, found := strings.Cut(source, ":")
	return name, line.Cut(len(source)-len(strings.TrimLeft(after, " ")), len(source)), found
}

// named returns the text as a name in the head of a part.
func (t Text) named(backslash bool) Text {
	out := slices.Clone(t)
	for i := range out {
		out[i].Literal = mime.EscapeName(out[i].Literal, backslash)
	}
	return out
}

// Encodings of variables that only programs have.
const (
	// LastSegment is the last part of a path, which names a file. The variable
	// begins that part, and is the only one of it.
	LastSegment request.Encoding = 1<<7 + iota
	// UserPart is what stands before the first colon of credentials, and
	// passwordPart what stands after it.
	UserPart
	PasswordPart
	// Computed is the value of an expression of the program: its Name.
	Computed
)

// Boundary returns a boundary that no part holds, the same each time for the
// same form. It ends with a number where parts hold parts, as theirs do.
func (c *Call) Boundary() string {
	stem := "uncoil"
	if slices.ContainsFunc(c.Content.Part, func(one FormPart) bool { return one.Nested }) {
		stem = "uncoil-0"
	}
	for n := 0; ; n++ {
		boundary := stem
		if n > 0 {
			boundary += emit.Itoa(n)
		}
		if !hold(c.Content.Part, boundary) {
			return boundary
		}
	}
}

// hold reports whether the value of a part, or of one within it, has s.
func hold(list []FormPart, s string) bool {
	return slices.ContainsFunc(list, func(p FormPart) bool { return strings.Contains(p.Value, s) || hold(p.Inner, s) })
}
