package har

import (
	"strings"

	"uncoil/diag"
	"uncoil/internal/ascii"
	"uncoil/internal/meter"
	"uncoil/internal/shell/message"
	"uncoil/internal/shell/word"
)

// complete gives a request what its file has in other places only: browsers
// write query, cookies and content type twice, and other programs once.
func (r *reader) complete(d *draft) bool {
	if len(d.query) > 0 && strings.IndexByte(d.URL.Text, '?') < 0 {
		query, ok := r.encoded(d.query, "%20")
		if !ok || !r.Meter.Hold(len(d.URL.Text)+len(query)+1) {
			return false
		}
		d.URL.Text += "?" + query
	}
	if len(d.cookies) > 0 && !message.Has(d.Fields, "cookie") && !r.cookies(d) {
		return false
	}
	if !d.HasContent && len(d.params) > 0 && !r.form(d) {
		return false
	}
	if d.HasContent && d.Parts == nil && d.mimeType.Text != "" && !message.Has(d.Fields, "content-type") {
		name := word.Word{Text: "Content-Type", Span: d.mimeType.Span}
		return meter.Append(r.Meter, &d.Fields, message.Field{Name: name, Value: d.mimeType})
	}
	return true
}

// cookies adds the cookies as a field.
func (r *reader) cookies(d *draft) bool {
	var text meter.Text
	for i := range d.cookies {
		c := &d.cookies[i]
		if i > 0 && !text.Add(r.Meter, "; ") || !text.Add(r.Meter, c.name.Text) || !text.Add(r.Meter, "=") || !text.Add(r.Meter, c.value.Text) {
			return false
		}
	}
	span := diag.Join(d.cookies[0].name.Span, d.cookies[len(d.cookies)-1].name.Span)
	return meter.Append(r.Meter, &d.Fields, message.Field{
		Name: word.Word{Text: "Cookie", Span: span}, Value: word.Word{Text: text.String(), Span: span},
	})
}

// form makes the content of the parameters.
func (r *reader) form(d *draft) bool {
	d.HasContent = true
	if !ascii.HasPrefixFold(d.mimeType.Text, "multipart/") {
		text, ok := r.encoded(d.params, "+")
		d.Content = word.Word{Text: text, Span: d.post}
		return ok
	}
	for i := range d.params {
		p := &d.params[i]
		part := message.Part{Name: p.name, Value: p.value, Filename: p.filename, Type: p.mimeType}
		if p.filename.Text != "" && p.value.Span.End == 0 {
			part.File, part.Value, part.Filename = true, p.filename, word.Word{}
		}
		if !meter.Append(r.Meter, &d.Parts, part) {
			return false
		}
	}
	return true
}

// encoded returns pairs percent-encoded, with an ampersand between them.
func (r *reader) encoded(pairs []pair, space string) (string, bool) {
	n := 0
	for i := range pairs {
		n += 3*(len(pairs[i].name.Text)+len(pairs[i].value.Text)) + len("=&")
	}
	if !r.Meter.Hold(2 * n) {
		return "", false
	}
	text := make([]byte, 0, n)
	for i := range pairs {
		if i > 0 {
			text = append(text, '&')
		}
		text = append(ascii.AppendPercent(text, pairs[i].name.Text, space), '=')
		text = ascii.AppendPercent(text, pairs[i].value.Text, space)
	}
	return string(text), true
}
