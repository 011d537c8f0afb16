package code

import (
	"slices"
	"strconv"
	"strings"

	"uncoil/request"
)

// rawForm returns the bytes of a form, for a client that would write others,
// and adds the field with its type.
func (c *call) rawForm() []piece {
	pieces, contentType := c.multipartPieces()
	c.fields = append(c.fields, field{name: "Content-Type", value: literal(contentType)})
	return pieces
}

// multipartPieces returns the bytes of a multipart form as curl writes them,
// with a boundary of our own, and its content type.
func (c *call) multipartPieces() ([]piece, string) {
	boundary := c.boundary()
	var out []piece
	var known strings.Builder // what is known since the last piece
	flush := func() {
		if known.Len() > 0 {
			out = append(out, piece{isText: true, text: literal(known.String())})
			known.Reset()
		}
	}
	add := func(t text) {
		for _, one := range t {
			if one.variable == nil {
				known.WriteString(one.literal)
			} else {
				flush()
				out = append(out, piece{isText: true, text: text{one}})
			}
		}
	}
	for i := range c.body.part {
		p := &c.body.part[i]
		c.unnamed = c.unnamed || p.implied && !p.cut
		known.WriteString("--" + boundary + "\r\n")
		add(p.head(c.Body.FormEscape))
		known.WriteString("\r\n")
		if p.isFile() {
			flush()
			out = append(out, piece{file: p.file})
		} else {
			add(p.value)
		}
		known.WriteString("\r\n")
	}
	known.WriteString("--" + boundary + "--\r\n")
	flush()
	return out, "multipart/form-data; boundary=" + boundary
}

// head returns the header lines of a part.
func (p *formPart) head(formEscape bool) text {
	head := literal("Content-Disposition: form-data")
	add := func(parameter string, value text) {
		head = append(head, part{literal: "; " + parameter + `="`})
		head = append(append(head, value.named(formEscape)...), part{literal: `"`})
	}
	if p.Name != "" {
		add("name", p.name)
	}
	if p.filename != nil {
		add("filename", p.named)
	}
	head = append(head, part{literal: "\r\n"})
	if p.contentType != nil {
		head = append(append(append(head, part{literal: "Content-Type: "}), p.kind...), part{literal: "\r\n"})
	}
	if p.Encoder != "" {
		head = append(head, part{literal: "Content-Transfer-Encoding: " + p.Encoder + "\r\n"})
	}
	for _, h := range p.Headers {
		head = append(head, part{literal: h + "\r\n"})
	}
	return mergeLiterals(head)
}

// named returns the text as a name in the head of a part.
func (t text) named(backslash bool) text {
	out := slices.Clone(t)
	for i := range out {
		out[i].literal = escapeName(out[i].literal, backslash)
	}
	return out
}

// escapeName escapes a name as curl does: escape_string() in curl 8.22
// lib/mime.c.
func escapeName(s string, backslash bool) string {
	var b []byte
	for i := range len(s) {
		switch c := s[i]; {
		case backslash && (c == '"' || c == '\\'):
			b = append(b, '\\', c)
		case !backslash && c == '"':
			b = append(b, "%22"...)
		case !backslash && c == '\r':
			b = append(b, "%0D"...)
		case !backslash && c == '\n':
			b = append(b, "%0A"...)
		default:
			b = append(b, c)
		}
	}
	return string(b)
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
// same form.
func (c *call) boundary() string {
	const stem = "uncoil"
	for n := 0; ; n++ {
		boundary := stem
		if n > 0 {
			boundary += strconv.Itoa(n)
		}
		if !c.holds(boundary) {
			return boundary
		}
	}
}

func (c *call) holds(s string) bool {
	for i := range c.body.part {
		if strings.Contains(c.body.part[i].Value, s) {
			return true
		}
	}
	return false
}
