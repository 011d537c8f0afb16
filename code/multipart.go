package code

import (
	"strconv"
	"strings"
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
	add := func(s string) { known.WriteString(s) }
	flush := func() {
		if known.Len() > 0 {
			out = append(out, piece{isText: true, text: literal(known.String())})
			known.Reset()
		}
	}
	for i := range c.body.part {
		p := &c.body.part[i]
		add("--" + boundary + "\r\n" + p.head(c.Body.FormEscape) + "\r\n")
		if p.isFile() {
			flush()
			out = append(out, piece{file: p.file})
		} else {
			for _, t := range p.value {
				if t.variable == nil {
					add(t.literal)
				} else {
					flush()
					out = append(out, piece{isText: true, text: text{t}})
				}
			}
		}
		add("\r\n")
	}
	add("--" + boundary + "--\r\n")
	flush()
	return out, "multipart/form-data; boundary=" + boundary
}

// head returns the header lines of a part.
func (p *formPart) head(formEscape bool) string {
	head := `Content-Disposition: form-data; name="` + escapeName(p.Name, formEscape) + `"`
	if p.filename != nil {
		head += `; filename="` + escapeName(*p.filename, formEscape) + `"`
	}
	head += "\r\n"
	if p.contentType != nil {
		head += "Content-Type: " + *p.contentType + "\r\n"
	}
	if p.Encoder != "" {
		head += "Content-Transfer-Encoding: " + p.Encoder + "\r\n"
	}
	for _, h := range p.Headers {
		head += h + "\r\n"
	}
	return head
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
