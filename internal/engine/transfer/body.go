package transfer

import (
	"slices"
	"strings"
	"unicode/utf8"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/curl"
	"uncoil/internal/engine/curlurl"
	"uncoil/internal/engine/jsontext"
	"uncoil/request"
)

func (t *transfer) newBody(b request.Body) *request.Body {
	body := t.b.memory.newBody()
	*body = b
	return body
}

// body returns the content that the transfer sends, or nil.
func (t *transfer) body() *request.Body {
	switch t.kind {
	case kindPost:
		if text, known := t.c.data.pieces.known(); known {
			return t.knownBody(text)
		}
		return t.knownOrPieces(t.c.data.pieces.all())
	case kindForm:
		return t.formBody()
	case kindPut:
		return t.uploadBody()
	}
	return nil
}

// formBody returns the content of a form. The first transfer of an operation
// leaves nothing of standard input to the others: their parts of it are empty
// where curl needs to announce no length, and otherwise it breaks off
// (cr_mime_read() in curl 8.22 lib/mime.c).
func (t *transfer) formBody() *request.Body {
	f := t.c.form
	if t.convertsLines() {
		convertLines(f.parts)
	}
	parts := f.parts
	held := false
	if f.sent {
		parts, held = drained(parts)
	}
	t.unsized = f.encodes && quotesPrintable(f.parts)
	if held && !t.unsized {
		t.exhausted = &diag.Diagnostic{Code: diag.WarnStdinExhausted, Message: "the transfer before has read standard input to its end", Hint: "pass the part in a file, or make two commands of this one"}
		return nil
	}
	f.sent = true
	return t.newBody(request.Body{Kind: request.KindMultipart, Parts: parts, FormEscape: t.c.formEscape})
}

// drained returns parts as they are when nothing is left of standard input,
// and whether one of them held something of it.
func drained(parts []request.Part) (_ []request.Part, held bool) {
	for i := range parts {
		nested, some := drained(parts[i].Parts)
		reads := parts[i].File == "-" && parts[i].Content != nil && *parts[i].Content != ""
		if !some && !reads {
			continue
		}
		if !held {
			parts, held = slices.Clone(parts), true
		}
		parts[i].Parts = nested
		if reads {
			parts[i].Content = new(string)
		}
	}
	return parts, held
}

// uploadBody returns the content of the file that -T sends, from the offset
// that -C gives on.
func (t *transfer) uploadBody() *request.Body {
	name := t.upload
	if name == "." {
		name = "-"
	}
	p := t.b.filePiece(request.Piece{File: name, Offset: t.c.resume})
	if p.Kind == request.KindText && t.c.resume > 0 {
		left := int64(len(p.Text)) - t.c.resume
		if left < 0 || left == 0 && name != "-" {
			t.exhausted = &diag.Diagnostic{Code: diag.CodeInvalidArgument, Message: "--continue-at skips past the end of the upload", Hint: "give a smaller offset"}
			return nil
		}
		p.Text = p.Text[t.c.resume:]
	}
	if p.Kind != request.KindText {
		t.b.needFile(t.n.upload.span(), curl.BodyNotSupplied, p.File)
	}
	return t.knownOrPieces([]request.Piece{p})
}

// knownOrPieces makes a body of pieces: its bytes where all are known.
func (t *transfer) knownOrPieces(list []request.Piece) *request.Body {
	switch {
	case len(list) == 0:
		return t.knownBody("")
	case len(list) == 1 && list[0].Kind == request.KindText:
		return t.knownBody(list[0].Text)
	}
	if len(list) > 1 {
		return t.newBody(request.Body{Kind: request.KindConcat, Pieces: list})
	}
	return t.newBody(request.Body{Kind: list[0].Kind, Pieces: list})
}

// knownBody returns a body of known bytes, with their kind.
func (t *transfer) knownBody(text string) *request.Body {
	if t.convertsLines() {
		text = toCRLF(text)
	}
	b := t.newBody(request.Body{Kind: request.KindText, Data: text})
	restored := t.b.in.Marks.Restore(text)
	t.length = int64(len(restored))
	switch {
	case jsontext.StartsContainer(restored) && (!t.b.reads(Views) || t.b.isJSON(restored)):
		b.Kind = request.KindJSON
	case t.b.reads(Views) && !utf8.ValidString(restored):
		b.Kind = request.KindBinary
	case text != "" && t.isFormType():
		b.Kind = request.KindForm
		if t.b.reads(Views) {
			b.Fields = parsePairs(text)
		}
	}
	return b
}

// isJSON reports whether a text is a JSON object or array. The requests of one
// operation ask for the same text again.
func (b *builder) isJSON(text string) bool {
	if b.json.text != text {
		b.json.text, b.json.is = text, jsontext.Container(text)
	}
	return b.json.is
}

// toCRLF makes CRLF of each LF that has no CR before it.
func toCRLF(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\n", "\r\n")
}

// isFormType reports whether the content goes as form data.
func (t *transfer) isFormType() bool {
	h := t.c.find("Content-Type")
	if h == nil {
		return t.kind == kindPost
	}
	_, value, _ := splitLine(h.line)
	value, _, _ = strings.Cut(value, ";")
	return ascii.EqualFold(trimBlanks(value), "application/x-www-form-urlencoded")
}

// parsePairs decodes a query or form data.
func parsePairs(s string) []request.Param {
	if s == "" {
		return nil
	}
	pairs := make([]request.Param, 0, strings.Count(s, "&")+1)
	for pair := range strings.SplitSeq(s, "&") {
		if pair == "" {
			continue
		}
		name, value, _ := strings.Cut(pair, "=")
		pairs = append(pairs, request.Param{Name: decodePair(name), Value: decodePair(value)})
	}
	return pairs
}

// decodePair decodes percent-encoding and plus signs; what is malformed
// stays.
func decodePair(s string) string {
	decoded, _ := curlurl.Unescape(strings.ReplaceAll(s, "+", " "))
	return decoded
}
