package request

import (
	"encoding/base64"
	"strings"

	"uncoil/internal/ascii"
)

// multipartWriter appends the parts of a multipart body as lib/mime.c of curl
// 8.22 writes them.
type multipartWriter struct {
	dst       []byte
	source    Source
	backslash bool // --form-escape
}

func (w *multipartWriter) line(parts ...string) {
	for _, s := range parts {
		w.dst = append(w.dst, s...)
	}
	w.dst = append(w.dst, "\r\n"...)
}

// parts appends the parts of a multipart. disposition is what they have of
// themselves in a form, or empty elsewhere.
func (w *multipartWriter) parts(parts []Part, disposition string) error {
	for i := range parts {
		w.line("--", w.source.Boundary)
		if err := w.part(&parts[i], disposition); err != nil {
			return err
		}
	}
	w.line("--", w.source.Boundary, "--")
	return nil
}

func (w *multipartWriter) part(p *Part, disposition string) error {
	contentType, typed := partType(p)
	if !hasPartHeader(p, "Content-Disposition") {
		w.disposition(p, disposition, contentType)
	}
	switch {
	case p.Nested:
		w.line("Content-Type: ", contentType, "; boundary=", w.source.Boundary)
	case typed:
		w.line("Content-Type: ", contentType)
	}
	if p.Encoder != "" && !hasPartHeader(p, "Content-Transfer-Encoding") {
		w.line("Content-Transfer-Encoding: ", strings.ToLower(p.Encoder))
	}
	for _, h := range p.Headers {
		if name, _, _ := strings.Cut(h, ":"); !ascii.EqualFold(name, "Content-Type") {
			w.line(h)
		}
	}
	w.line()
	if p.Nested {
		inner := ""
		if strings.HasPrefix(strings.ToLower(contentType), "multipart/form-data") {
			inner = "form-data"
		}
		if err := w.parts(p.Parts, inner); err != nil {
			return err
		}
		w.line()
		return nil
	}
	content, err := w.content(p)
	if err != nil {
		return err
	}
	w.dst = appendEncoded(w.dst, content, p.Encoder)
	w.line()
	return nil
}

// partType returns the content type of a part, if it has one.
func partType(p *Part) (contentType string, typed bool) {
	if p.ContentType != nil {
		return *p.ContentType, true
	}
	if contentType = partHeader(p, "Content-Type"); contentType != "" {
		return contentType, true
	}
	if p.Nested {
		return "multipart/mixed", true
	}
	return "", false
}

func (w *multipartWriter) content(p *Part) (string, error) {
	switch {
	case p.Content != nil:
		return *p.Content, nil
	case p.File != "":
		return w.source.read(p.File)
	}
	return p.Value, nil
}

// disposition appends Content-Disposition: add_content_disposition().
func (w *multipartWriter) disposition(p *Part, disposition, contentType string) {
	if disposition == "" {
		if p.Name == "" && p.Filename == nil {
			return
		}
		disposition = "attachment"
	}
	w.dst = append(w.dst, "Content-Disposition: "...)
	w.dst = append(w.dst, disposition...)
	if p.Name != "" {
		w.dst = append(w.dst, `; name="`...)
		w.dst = append(w.dst, w.escape(p.Name)...)
		w.dst = append(w.dst, '"')
	}
	if p.Filename != nil {
		w.dst = append(w.dst, `; filename="`...)
		w.dst = append(w.dst, w.escape(*p.Filename)...)
		w.dst = append(w.dst, '"')
	}
	w.line()
}

var (
	percentEscapes   = strings.NewReplacer(`"`, "%22", "\r", "%0D", "\n", "%0A")
	backslashEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`)
)

func (w *multipartWriter) escape(s string) string {
	if w.backslash {
		return backslashEscapes.Replace(s)
	}
	return percentEscapes.Replace(s)
}

func hasPartHeader(p *Part, name string) bool {
	for _, h := range p.Headers {
		if n, _, ok := strings.Cut(h, ":"); ok && ascii.EqualFold(n, name) {
			return true
		}
	}
	return false
}

func partHeader(p *Part, name string) string {
	for _, h := range p.Headers {
		if n, value, ok := strings.Cut(h, ":"); ok && ascii.EqualFold(n, name) {
			return strings.TrimLeft(value, " ")
		}
	}
	return ""
}

// maxEncodedLine is how long an encoded line may be.
const maxEncodedLine = 76

func appendEncoded(dst []byte, content, encoder string) []byte {
	switch strings.ToLower(encoder) {
	case "base64":
		for len(content) > 0 {
			n := min(len(content), maxEncodedLine/4*3)
			dst = base64.StdEncoding.AppendEncode(dst, []byte(content[:n]))
			if content = content[n:]; content != "" {
				dst = append(dst, "\r\n"...)
			}
		}
		return dst
	case "quoted-printable":
		return appendQuotedPrintable(dst, content)
	}
	return append(dst, content...)
}

func appendQuotedPrintable(dst []byte, s string) []byte {
	endOfLine := func(i int) bool { return i >= len(s) || strings.HasPrefix(s[i:], "\r\n") }
	column := 0
	for i := 0; i < len(s); {
		if strings.HasPrefix(s[i:], "\r\n") {
			dst = append(dst, "\r\n"...)
			column = 0
			i += 2
			continue
		}
		c := s[i]
		plain := c > ' ' && c <= '~' && c != '=' || (c == ' ' || c == '\t') && !endOfLine(i+1)
		width := 3
		if plain {
			width = 1
		}
		if column+width > maxEncodedLine || column+width == maxEncodedLine && !endOfLine(i+1) {
			dst = append(dst, "=\r\n"...)
			column = 0
			continue
		}
		if plain {
			dst = append(dst, c)
		} else {
			dst = append(dst, '=', "0123456789ABCDEF"[c>>4], "0123456789ABCDEF"[c&15])
		}
		column += width
		i++
	}
	return dst
}
