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
	inForm := mime.IsForm(contentType)
	for i := range parts {
		w.line("--", boundary)
		if err := w.part(&parts[i], inForm); err != nil {
			return err
		}
	}
	w.line("--", boundary, "--")
	return nil
}

func (w *multipartWriter) part(p *Part, inForm bool) error {
	contentType, typed := partType(p)
	head := mime.Head[string]{InForm: inForm, Encoder: p.Encoder, Own: p.Headers}
	if p.Name != "" {
		name := mime.EscapeName(p.Name, w.backslash)
		head.Name = &name
	}
	if p.Filename != nil {
		name := mime.EscapeName(*p.Filename, w.backslash)
		head.Filename = &name
	}
	if typed {
		head.Type = &contentType
	}
	if p.Nested {
		head.Boundary = w.inner.Next()
	}
	for line := range head.Lines(func(s string) string { return s }, func(texts ...string) string { return strings.Join(texts, "") }) {
		w.line(line)
	}
	w.line()
	if p.Nested {
		if err := w.parts(p.Parts, head.Boundary, contentType); err != nil {
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
