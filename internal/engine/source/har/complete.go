package har

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/jsontext"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/message"
	"uncoil/internal/engine/source/word"
)

// complete gives a request what its file has in other places only: browsers
// write query, cookies and content type twice, and other programs once.
func (r *reader) complete(d *draft) bool {
	if len(d.query) > 0 && !r.query(d) {
		return false
	}
	if len(d.cookies) > 0 && !message.Has(d.Fields, "cookie") && !r.cookies(d) {
		return false
	}
	if !r.agree(d) {
		return false
	}
	if !d.HasContent && len(d.params) > 0 && !r.form(d) {
		return false
	}
	if n, err := strconv.Atoi(d.size.Text); err == nil && n > 0 && !d.HasContent && !message.Has(d.Fields, "content-length") {
		r.Warn(diag.WarnIncompleteContent, d.size.Span,
			"the request had "+strconv.Itoa(n)+" bytes of content, and the text holds none of it", "supply the content from elsewhere")
	}
	if d.HasContent && d.Parts == nil && d.mimeType.Text != "" && !message.Has(d.Fields, "content-type") {
		name := word.Word{Text: "Content-Type", Span: d.mimeType.Span}
		return meter.Append(r.Meter, &d.Fields, message.Field{Name: name, Value: d.mimeType})
	}
	return true
}

// query adds the pairs of queryString whose names the URL lacks. Programs write
// them encoded or not, so the URL has what is alike in either way.
func (r *reader) query(d *draft) bool {
	_, typed, has := strings.Cut(d.URL.Text, "?")
	const pairSteps, pairSize = 16, 128
	n := strings.Count(typed, "&") + len(d.query)
	if !r.Meter.Work(pairSteps*n+len(typed)) || !r.Meter.Hold(pairSize*n+4*len(typed)) {
		return false
	}
	type spelling struct{ name, value string }
	names, spellings := make(map[string]bool), make(map[spelling]bool) // of the URL; names is false where a value is no text
	for pair := range strings.SplitSeq(typed, "&") {
		name, value, _ := strings.Cut(pair, "=")
		decoded := ascii.Decoded(value, true)
		for _, key := range [...]string{ascii.Decoded(name, true), ascii.Decoded(name, false)} {
			text, known := names[key]
			names[key] = (text || !known) && utf8.ValidString(decoded)
			spellings[spelling{key, value}], spellings[spelling{key, decoded}] = true, true
		}
	}
	var missing []pair
	for i := range d.query {
		p := &d.query[i]
		if !r.Meter.Hold(len(p.name.Text) + len(p.value.Text)) {
			return false
		}
		name := p.name.Text
		text, known := names[name]
		if !known {
			name = ascii.Decoded(name, true)
			text, known = names[name]
		}
		value, decoded := spelling{name, p.value.Text}, spelling{name, ascii.Decoded(p.value.Text, true)}
		switch {
		case !has || !known && utf8.ValidString(name) && !strings.ContainsRune(name, utf8.RuneError):
			missing = append(missing, *p)
		case known && text && !spellings[value] && !spellings[decoded]:
			r.Warn(diag.WarnQueryDiffers, diag.Join(p.name.Span, p.value.Span),
				"queryString gives this parameter another value than the URL, which is kept", "write the same value in both, or in one only")
		}
	}
	if len(missing) == 0 {
		return true
	}
	query, ok := r.encoded(missing, "%20")
	if !ok || !r.Meter.Hold(len(d.URL.Text)+len(query)+1) {
		return false
	}
	separator := "?"
	if has {
		separator = "&"
		if typed == "" || strings.HasSuffix(typed, "&") {
			separator = ""
		}
	}
	d.URL.Text += separator + query
	return true
}

// agree warns of what the file says twice, and otherwise the second time.
func (r *reader) agree(d *draft) bool {
	differs := func(at diag.Span, member, kept string) {
		r.Warn(diag.WarnMemberDiffers, at, member+" says something else than "+kept+", which is kept", "write the same in both, or in one only")
	}
	typed, agrees := false, false
	var given meter.Text // the cookies of fields
	for i := range d.Fields {
		f := &d.Fields[i]
		switch {
		case ascii.EqualFold(f.Name.Text, "cookie") && len(d.cookies) > 0:
			if !given.Add(r.Meter, f.Value.Text) || !given.Add(r.Meter, ";") {
				return false
			}
		case ascii.EqualFold(f.Name.Text, "content-type"):
			typed = true
			agrees = agrees || ascii.EqualFold(essence(f.Value.Text), essence(d.mimeType.Text))
		}
	}
	if typed && !agrees && d.mimeType.Text != "" {
		differs(d.mimeType.Span, "mimeType", "the field Content-Type")
	}
	if cookies := given.String(); cookies != "" {
		missing, ok := r.missing(d.cookies, cookies, ";")
		if !ok {
			return false
		}
		if missing != nil {
			differs(diag.Join(missing.name.Span, missing.value.Span), "cookies", "the field Cookie")
		}
	}
	text := d.Content.Text
	if !d.HasContent || d.InFile {
		return true
	}
	if ascii.EqualFold(essence(d.mimeType.Text), "application/x-www-form-urlencoded") && len(d.params) > 0 {
		missing, ok := r.missing(d.params, text, "&")
		if !ok {
			return false
		}
		if missing != nil {
			differs(diag.Join(missing.name.Span, missing.value.Span), "params", "text")
		}
	}
	if d.object.Text == "" || !jsontext.Container(text) {
		return true
	}
	if !r.Meter.Work(len(text)/8) || !r.Meter.Hold(len(text)) {
		return false
	}
	if compact, _ := jsontext.AppendCompact(nil, text); string(compact) != d.object.Text {
		differs(d.object.Span, "jsonObj", "text")
	}
	return true
}

// essence returns a media type without its parameters.
func essence(contentType string) string {
	kind, _, _ := strings.Cut(contentType, ";")
	return strings.TrimSpace(kind)
}

// missing returns the first pair that a text has in no spelling, or nil. Its pairs have a
// separator between two. A form that is no text has other bytes than its pairs.
func (r *reader) missing(pairs []pair, text, separator string) (*pair, bool) {
	const pairSteps, pairSize = 16, 128
	n := strings.Count(text, separator) + len(pairs)
	if !r.Meter.Work(pairSteps*n+len(text)) || !r.Meter.Hold(pairSize*n+4*len(text)) {
		return nil, false
	}
	type spelling struct{ name, value string }
	has := make(map[spelling]bool, n)
	for one := range strings.SplitSeq(text, separator) {
		if separator == ";" {
			one = strings.TrimSpace(one)
		}
		name, value, _ := strings.Cut(one, "=")
		has[spelling{name, value}], has[spelling{ascii.Decoded(name, true), ascii.Decoded(value, true)}] = true, true
	}
	for i := range pairs {
		p := &pairs[i]
		if !r.Meter.Hold(len(p.name.Text) + len(p.value.Text)) {
			return nil, false
		}
		name, value := ascii.Decoded(p.name.Text, true), ascii.Decoded(p.value.Text, true)
		if !has[spelling{p.name.Text, p.value.Text}] && !has[spelling{name, value}] && utf8.ValidString(value) && !strings.ContainsRune(value, utf8.RuneError) {
			return p, true
		}
	}
	return nil, true
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
		part := message.Part{Name: p.name, Unnamed: true, Value: p.value, Filename: p.filename, Type: p.mimeType}
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
