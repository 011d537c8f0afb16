package transfer

import (
	"slices"
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/curl"
	"uncoil/internal/engine/source"
	"uncoil/internal/engine/source/word"
	"uncoil/request"
)

// data collects the -d family: set_data() in curl 8.22 src/tool_getparam.c.
type data struct {
	pieces      pieces
	first, last value
	named       *curl.Setting // the last one whose file was not supplied
}

// add appends the argument of one option. A & comes between two of them,
// except before --json, and except while nothing has been collected.
func (d *data) add(b *builder, s *curl.Setting) {
	d.last = valueOf(s)
	if !d.first.set() {
		d.first = d.last
	}
	if !d.pieces.empty() && s.ID != curl.OptJson {
		d.pieces.text.Add("&")
	}
	if !b.in.Meter.Hold(2 * len(s.Value.Text)) { // joined, with room to grow
		return
	}
	p := b.dataPiece(s)
	if p.Kind != request.KindText {
		d.named = s
		b.lacks(b.named(s, curl.NotSupplied(s.Value.Span, curl.BodyNotSupplied, p.File)))
	}
	if !b.in.Meter.Hold(2 * len(p.Text)) { // what grows is copied
		b.tooLarge(s.Value.Span)
		return
	}
	d.pieces.add(p)
}

// named says, where an argument is name@file, that this is a file: who wrote the address of
// a mailbox meant the text.
func (b *builder) named(s *curl.Setting, d diag.Diagnostic) diag.Diagnostic {
	text := s.Value.Text
	name, file, _ := strings.Cut(text, "@")
	if name == "" || file == "-" || s.ID != curl.OptDataUrlencode && s.ID != curl.OptUrlQuery || len(s.Value.Holes) > 0 {
		return d
	}
	d.Message = "what stands before the @ of " + s.Name + " is a name, and what follows a file with the value, which was not supplied"
	d.Hint += "; to send the text itself, write = before it, or name=text"
	domain := file[strings.LastIndexByte(file, '.')+1:]
	if strings.Contains(file, ".") && !strings.ContainsAny(file, "/\\") && slices.Contains(domains, domain) && int(s.Value.Span.End) <= len(b.in.Source) {
		raw := b.in.Source[s.Value.Span.Start:s.Value.Span.End]
		if at := strings.Index(raw, text); at >= 0 {
			d.Fix = &diag.Fix{Span: diag.At(int(s.Value.Span.Start) + at), Text: "="}
		}
	}
	return d
}

// domains end the addresses of mailboxes, and no names of files.
var domains = []string{"com", "org", "net", "edu", "gov", "io", "de", "eu", "test", "example"}

// dataPiece reads the argument of an option of the -d family.
func (b *builder) dataPiece(s *curl.Setting) request.Piece {
	if s.ID == curl.OptDataUrlencode {
		return b.encodedPiece(s.Value)
	}
	name, isFile := strings.CutPrefix(s.Value.Text, "@")
	if !isFile || s.ID == curl.OptDataRaw || s.Value.StartsWithHole() {
		return textPiece(s.Value.Text)
	}
	strip := s.ID == curl.OptData || s.ID == curl.OptDataAscii
	return b.filePiece(request.Piece{File: name, Strip: strip})
}

func textPiece(text string) request.Piece { return request.Piece{Kind: request.KindText, Text: text} }

// filePiece replaces a reference to a file by its content, if supplied.
func (b *builder) filePiece(p request.Piece) request.Piece {
	content, ok := b.in.Read(p.File)
	if !ok {
		p.Kind = request.KindFile
		if p.File == "-" {
			p.Kind = request.KindStdin
		}
		return p
	}
	if p.Strip {
		content = p.Apply(content)
	}
	if p.URLEncode { // around what is unknown of standard input
		if content == "" {
			return textPiece("") // and, as in curl, without the name
		}
		content = b.escape(content)
		if p.Name != "" {
			content = p.Name + "=" + content
		}
	}
	if !b.in.Meter.Hold(2 * len(content)) {
		return textPiece("")
	}
	return textPiece(content)
}

// encodedPiece reads the five forms of --data-urlencode: content, =content,
// name=content, @file, name@file (data_urlencode() in curl 8.22
// src/tool_getparam.c).
func (b *builder) encodedPiece(w *source.Word) request.Piece {
	i := strings.IndexByte(w.Text, '=')
	if i < 0 {
		i = strings.IndexByte(w.Text, '@')
	}
	if i < 0 {
		return textPiece(b.escape(w.Text))
	}
	name := w.Text[:i]
	if w.Text[i] == '@' {
		return b.filePiece(request.Piece{File: w.Text[i+1:], URLEncode: true, Name: name})
	}
	text := b.escape(w.Text[i+1:])
	if name != "" {
		text = name + "=" + text
	}
	return textPiece(text)
}

// escape encodes text for form data. Unknown variables stay, because only who
// knows their value can encode it.
func (b *builder) escape(text string) string {
	return b.in.Marks.Encode(text, word.Form, curl.EscapeForm)
}

// pieces collects text and files that follow each other.
type pieces struct {
	list []request.Piece
	text source.Text // after the list
}

// empty reports whether nothing was collected; text of no length is nothing.
func (p *pieces) empty() bool { return len(p.list) == 0 && p.text.Len() == 0 }

func (p *pieces) add(piece request.Piece) {
	if piece.Kind == request.KindText {
		p.text.Add(piece.Text)
		return
	}
	p.flush()
	p.list = append(p.list, piece)
}

func (p *pieces) flush() {
	if p.text.Len() > 0 {
		p.list = append(p.list, textPiece(p.text.String()))
		p.text.Reset()
	}
}

// all returns the pieces, text joined.
func (p *pieces) all() []request.Piece {
	p.flush()
	return p.list
}

// known returns the text when all of it is known.
func (p *pieces) known() (text string, ok bool) {
	switch {
	case len(p.list) == 0:
		return p.text.String(), true
	case len(p.list) == 1 && p.list[0].Kind == request.KindText && p.text.Len() == 0:
		return p.list[0].Text, true
	}
	return "", false
}

// missing returns the names of the files that pieces lack; "-" is stdin.
func missing(list []request.Piece) []string {
	var names []string
	for _, p := range list {
		if p.Kind != request.KindText {
			names = append(names, p.File)
		}
	}
	return names
}

// addQuery reads --url-query: the forms of --data-urlencode, or +text for
// text to use as it is.
func (b *builder) addQuery(c *config, s *curl.Setting) {
	var p request.Piece
	if raw, ok := strings.CutPrefix(s.Value.Text, "+"); ok {
		p = textPiece(raw)
	} else {
		p = b.encodedPiece(s.Value)
	}
	if p.Kind != request.KindText && b.in.Meter.Hold(sizeOfWarning) {
		b.fail(b.named(s, curl.NotSupplied(s.Value.Span, "a part of the URL's query is in a file", p.File)))
	}
	if c.hasQuery {
		c.query.text.Add("&")
	}
	c.hasQuery = true
	c.query.add(p)
}

// queryText returns what -G or --url-query add to the URL. With -G and data
// the text of --url-query is not used (single_transfer() in curl 8.22
// src/tool_operate.c).
func (b *builder) queryText(c *config) (text string, add, ok bool) {
	if c.get && c.hasData {
		text, known := c.data.pieces.known()
		if !known {
			d := curl.NotSupplied(c.data.last.span(), "the data that -G puts into the URL is in a file", missing(c.data.pieces.all())...)
			if len(d.Files) == 1 && c.data.named != nil {
				d = b.named(c.data.named, d)
			}
			b.fail(d)
			return "", false, false
		}
		text, _, _ = strings.Cut(text, "\x00") // a C string from here on
		return text, true, true
	}
	text, known := c.query.known()
	return text, c.hasQuery, known
}
