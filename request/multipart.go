package request

import (
	"strings"

	"uncoil/internal/engine/mime"
)

// multipartWriter appends the parts of a multipart body as lib/mime.c of curl
// 8.22 writes them.
type multipartWriter struct {
	dst       []byte
	source    Source
	inner     mime.Boundaries // of parts that hold parts
	backslash bool            // --form-escape
}

func (w *multipartWriter) line(parts ...string) {
	for _, s := range parts {
		w.dst = append(w.dst, s...)
	}
	w.dst = append(w.dst, "\r\n"...)
}

// parts appends the parts of content of a type, such as that of a form.
func (w *multipartWriter) parts(parts []Part, boundary, contentType string) error {
	disposition := "" // what they have of themselves
	if mime.IsForm(contentType) {
		disposition = "form-data"
	}
	for i := range parts {
		w.line("--", boundary)
		if err := w.part(&parts[i], disposition); err != nil {
			return err
		}
	}
	w.line("--", boundary, "--")
	return nil
}

func (w *multipartWriter) part(p *Part, disposition string) error {
	contentType, typed := partType(p)
	if _, own := mime.Field(p.Headers, "Content-Disposition"); !own {
		w.disposition(p, disposition, contentType)
	}
	boundary := ""
	switch {
	case p.Nested:
		boundary = w.inner.Next()
		w.line("Content-Type: ", contentType, "; boundary=", boundary)
	case typed:
		w.line("Content-Type: ", contentType)
	}
	if _, own := mime.Field(p.Headers, "Content-Transfer-Encoding"); p.Encoder != "" && !own {
		w.line("Content-Transfer-Encoding: ", strings.ToLower(p.Encoder))
	}
	for line := range mime.WithoutType(p.Headers) {
		w.line(line)
	}
	w.line()
	if p.Nested {
		if err := w.parts(p.Parts, boundary, contentType); err != nil {
			return err
		}
		w.line()
		return nil
	}
	content, err := w.content(p)
	if err != nil {
		return err
	}
	w.dst = mime.AppendEncoded(w.dst, content, p.Encoder)
	w.line()
	return nil
}

// partType returns the content type of a part, if it has one.
func partType(p *Part) (contentType string, typed bool) {
	if p.ContentType != nil {
		return *p.ContentType, true
	}
	if contentType, typed = mime.Field(p.Headers, "Content-Type"); !typed && p.Nested {
		return mime.Mixed, true
	}
	return contentType, typed
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
		w.dst = append(w.dst, mime.EscapeName(p.Name, w.backslash)...)
		w.dst = append(w.dst, '"')
	}
	if p.Filename != nil {
		w.dst = append(w.dst, `; filename="`...)
		w.dst = append(w.dst, mime.EscapeName(*p.Filename, w.backslash)...)
		w.dst = append(w.dst, '"')
	}
	w.line()
}
