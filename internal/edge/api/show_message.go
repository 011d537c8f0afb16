package api

import (
	"bytes"
	"encoding/base64"
	"strings"
	"unicode/utf8"

	"uncoil/internal/engine/jsontext"
	"uncoil/request"
)

// boundary separates form parts; curl picks a random one like it.
const boundary = "------------------------uncoiluncoiluncoilunco"

// appendMessage appends the message of a request as {"text": …} or
// {"base64": …}, with "missing" where files of its content are not known: a
// note stands in the place of each, and the length is not known.
func appendMessage(dst []byte, r *request.Request) []byte {
	source := request.Source{Boundary: boundary}
	message, err := r.AppendMessage(nil, source)
	missing := err != nil
	if missing {
		message = partialMessage(r, source)
	}
	if utf8.Valid(message) {
		dst = jsontext.AppendString(append(dst, `{"text":`...), message)
	} else {
		dst = base64.StdEncoding.AppendEncode(append(dst, `{"base64":"`...), message)
		dst = append(dst, '"')
	}
	if missing {
		dst = append(dst, `,"missing":true`...)
	}
	return append(dst, '}')
}

// partialMessage returns the message with notes for files that are not known.
// Its content is not divided into chunks.
func partialMessage(r *request.Request, source request.Source) []byte {
	source.ReadFile = func(name string) ([]byte, error) { return []byte(noteFor(name)), nil }
	known := *r
	known.Fields = make([]request.Field, len(r.Fields))
	for i, f := range r.Fields {
		if f.Name == "Content-Length" && f.Value == "" {
			f.Value = "[not known]"
		}
		known.Fields[i] = f
	}
	if r.Body.Kind != request.KindMultipart {
		known.Body = withNotes(r.Body)
	}
	message, err := known.AppendMessage(nil, source)
	if err != nil {
		return nil
	}
	head, _, _ := bytes.Cut(message, []byte("\r\n\r\n"))
	message, err = known.AppendBody(append(head, "\r\n\r\n"...), source)
	if err != nil {
		return nil
	}
	return message
}

// withNotes returns content of pieces with notes for those that are not known,
// which are neither cut nor encoded.
func withNotes(b *request.Body) *request.Body {
	noted := *b
	noted.Kind = request.KindConcat
	noted.Pieces = make([]request.Piece, len(b.Pieces))
	for i, p := range b.Pieces {
		if p.Kind != request.KindText {
			text := noteFor(p.File)
			if p.Name != "" {
				text = p.Name + "=" + text
			}
			p = request.Piece{Kind: request.KindText, Text: text}
		}
		noted.Pieces[i] = p
	}
	return &noted
}

func noteFor(file string) string {
	if file == "-" || file == "" {
		return "[standard input]"
	}
	return "[content of " + strings.ToValidUTF8(file, "�") + "]"
}
