package code

import (
	"slices"
	"strconv"
	"strings"

	"uncoil/internal/ascii"
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
		c.fields = append(c.fields, field{name: "Content-Type", value: mergeLiterals(text{{literal: formDataType}, parameter})})
	}
	return pieces
}

// The dispositions of parts: those of a form, and those of what has another type.
const inForm, inOther = "form-data", "attachment"

// formDataType is the type of a form of parts, if the command names no other.
const formDataType = "multipart/form-data"

// spellOut replaces a form of another type than multipart/form-data by its bytes,
// since clients write no such forms.
func (p *program) spellOut(c *call) {
	f := c.field("Content-Type")
	if f == nil || c.body.kind != multipartBody {
		return
	}
	if hasVariable(f.value) {
		p.refuse("writes no form whose type is a variable")
	}
	list := c.rawForm()
	if all, ok := joinedText(list); ok {
		c.body.kind, c.body.data = rawBody, all
	} else {
		c.body.kind, c.body.list = pieceBody, list
	}
}

// multipartPieces returns the bytes of a multipart form as curl writes them,
// with a boundary of our own.
func (c *call) multipartPieces() (pieces []piece, boundary string) {
	disposition := inForm
	if f := c.field("Content-Type"); f != nil {
		if contentType, _, _ := strings.Cut(f.value.source(), ";"); !ascii.EqualFold(strings.TrimSpace(contentType), formDataType) {
			disposition = inOther
		}
	}
	boundary = c.boundary()
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
		add(p.head(c.Body.FormEscape, disposition))
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
	return out, boundary
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
	if _, own := p.header("Content-Disposition"); !own && (named || disposition != inOther) {
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
	switch value, own := p.header("Content-Type"); {
	case p.contentType != nil:
		lines = append(lines, mergeLiterals(append(literal("Content-Type: "), p.kind...)))
	case own:
		lines = append(lines, literal("Content-Type: "+value))
	}
	if _, own := p.header("Content-Transfer-Encoding"); p.Encoder != "" && !own {
		lines = append(lines, literal("Content-Transfer-Encoding: "+strings.ToLower(p.Encoder)))
	}
	for _, h := range p.Headers {
		if name, _, _ := strings.Cut(h, ":"); !ascii.EqualFold(name, "Content-Type") {
			lines = append(lines, literal(h))
		}
	}
	return lines
}

// cutLine returns the name and the value of a line of a head; found is false where it
// has no colon.
func cutLine(line text) (name string, value text, found bool) {
	source := line.source()
	name, after, found := strings.Cut(source, ":")
	return name, line.cut(len(source)-len(strings.TrimLeft(after, " ")), len(source)), found
}

// header returns the value of a field that the command names for the part.
func (p *formPart) header(name string) (value string, ok bool) {
	for _, h := range p.Headers {
		if n, value, found := strings.Cut(h, ":"); found && ascii.EqualFold(n, name) {
			return strings.TrimLeft(value, " "), true
		}
	}
	return "", false
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
