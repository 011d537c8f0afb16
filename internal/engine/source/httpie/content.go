package httpie

import (
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/jsontext"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/message"
	"uncoil/internal/engine/source/word"
)

// complete makes the content, the fields that HTTPie adds to it, and the credentials.
func (r *reader) complete() bool {
	files, others := 0, 0
	for i := range r.list {
		switch it := &r.list[i]; {
		case it.separator == "@":
			files++
		case it.isData():
			others++
		}
	}
	input := r.raw != nil || r.input()
	switch {
	case input && r.data:
		return r.Fail(r.Syntax, r.command.Span, "HTTPie takes content from its standard input or --raw, or from items, and not from both", "add --ignore-stdin")
	case input:
		if !r.taken() {
			return false
		}
	case r.kind == asMultipart && r.data, r.kind == asForm && files > 0:
		if !r.form() {
			return false
		}
		return r.credentials()
	case files > 0:
		if others > 0 || files > 1 {
			return r.Fail(r.Syntax, r.command.Span, "HTTPie sends a file beside other items only with --form", "add --form")
		}
		if !r.file() {
			return false
		}
	case r.kind == asForm && others > 0:
		if !r.pairs() {
			return false
		}
	case others > 0:
		if !r.object() {
			return false
		}
	}
	return r.implied() && r.credentials()
}

// implied adds the fields that HTTPie makes of the content: make_default_headers() of
// httpie/client.py.
func (r *reader) implied() bool {
	at := r.command.Args[0].Span
	json := r.kind == asJSON || r.msg.HasContent && r.kind == automatic
	var fields []message.Field
	add := func(name, value string) {
		if !message.Has(r.msg.Fields, name) && !slices.ContainsFunc(r.removed, func(w word.Word) bool { return ascii.EqualFold(w.Text, name) }) {
			fields = append(fields, message.Field{Name: word.Word{Text: name, Span: at}, Value: word.Word{Text: value, Span: at}})
		}
	}
	switch {
	case json:
		add("Accept", "application/json, */*;q=0.5")
		add("Content-Type", "application/json")
	case r.kind == asForm:
		add("Content-Type", "application/x-www-form-urlencoded; charset=utf-8")
	}
	if r.chunked {
		add("Transfer-Encoding", "chunked")
	}
	if !r.Meter.Hold(8 * itemSize) {
		return false
	}
	r.msg.Fields = append(fields, r.msg.Fields...)
	for _, w := range r.removed {
		name := word.Word{Text: w.Text + ":", Span: w.Span}
		if !ascii.EqualFold(w.Text, "Content-Type") && !r.add("--header", w.Span, &name) { // curl sends no type that nobody names
			return false
		}
	}
	return r.Meter.Work(len(r.msg.Fields) + len(r.removed))
}

// taken makes the content what --raw or the standard input has.
func (r *reader) taken() bool {
	r.msg.HasContent = true
	if r.raw != nil {
		r.msg.Content = *r.raw
		return true
	}
	in := r.command.Stdin
	switch {
	case in.Known:
		r.msg.Content = word.Word{Text: in.Text, Holes: in.Holes, Span: r.command.Span}
	case in.File != "":
		r.msg.InFile, r.msg.Content = true, word.Word{Text: in.File, Span: r.command.Span}
	default:
		r.msg.InFile, r.msg.Content = true, word.Word{Text: "-", Span: r.command.Span}
	}
	return true
}

// types are those that HTTPie guesses for a file by the end of its name: mimetypes of
// Python.
var types = map[string]string{
	".json": "application/json", ".xml": "text/xml", ".txt": "text/plain", ".html": "text/html", ".csv": "text/csv", ".js": "text/javascript", ".css": "text/css",
	".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif", ".svg": "image/svg+xml", ".webp": "image/webp", ".pdf": "application/pdf", ".zip": "application/zip",
	".gz": "", ".tar": "application/x-tar", ".bin": "application/octet-stream", ".mp4": "video/mp4", ".mp3": "audio/mpeg", ".wav": "audio/x-wav", ".md": "text/markdown", ".yaml": "", ".yml": "",
}

// file makes the content that of a file.
func (r *reader) file() bool {
	i := slices.IndexFunc(r.list, func(it item) bool { return it.separator == "@" })
	it := &r.list[i]
	if it.key.Text != "" {
		return r.Fail(r.Syntax, it.key.Span, "HTTPie sends a file as a field only with --form", "add --form")
	}
	r.msg.HasContent, r.msg.InFile, r.msg.Content = true, true, it.value
	if kind := types[strings.ToLower(path.Ext(it.value.Text))]; kind != "" && !message.Has(r.msg.Fields, "Content-Type") {
		at := it.value.Span
		return meter.Append(r.Meter, &r.msg.Fields, message.Field{Name: word.Word{Text: "Content-Type", Span: at}, Value: word.Word{Text: kind, Span: at}})
	}
	return true
}

// pairs makes the content a form.
func (r *reader) pairs() bool {
	var b message.Text
	for i := range r.list {
		it := &r.list[i]
		switch it.separator {
		case "=@", ":=@":
			return r.Fail(r.Syntax, it.key.Span, "curl does not encode the content of a file as HTTPie does", "write the value")
		case "=", ":=":
			if b.Len() > 0 && !b.Add(r.Meter, "&") || !r.pair(&b, it) {
				return false
			}
		}
	}
	r.msg.HasContent, r.msg.Content = true, b.Word(r.command.Span)
	return true
}

// form makes the content a form with parts.
func (r *reader) form() bool {
	for i := range r.list {
		it := &r.list[i]
		part := message.Part{Name: it.key, Value: it.value, Unnamed: true}
		switch it.separator {
		case "=", ":=":
		case "=@":
			part.File, part.Inline = true, true
		case "@":
			part.File = true
			if at := strings.LastIndex(it.value.Text, ";type="); at >= 0 {
				if !message.HoldCuts(r.Meter, it.value, 2) {
					return false
				}
				part.Value, part.Type = message.Cut(it.value, 0, at), message.Cut(it.value, at+len(";type="), len(it.value.Text))
			}
		default:
			continue
		}
		if !meter.Append(r.Meter, &r.msg.Parts, part) {
			return false
		}
	}
	r.msg.HasContent = true
	return true
}

// object makes the content JSON, as json.dumps of Python writes it.
func (r *reader) object() bool {
	last := make(map[string]int) // the last item of a name gives its value, and the first its place
	for i := range r.list {
		if it := &r.list[i]; it.isData() {
			if !r.Meter.Hold(64+2*len(it.key.Text)) || !r.Meter.Work(wordSteps) {
				return false
			}
			name, nested := plainName(it.key.Text)
			if nested {
				return r.Fail(r.Syntax, it.key.Span, "names with brackets, which nest JSON, are not read", "write the JSON with --raw, or as the value of an item with :=")
			}
			if it.key.Holes == nil {
				it.key.Text = name
			}
			last[it.key.Text] = i
		}
	}
	var b message.Text
	done := make(map[string]bool, len(last))
	for i := range r.list {
		it := &r.list[i]
		if !it.isData() || done[it.key.Text] {
			continue
		}
		done[it.key.Text] = true
		sign := ", "
		if b.Len() == 0 {
			sign = "{"
		}
		if !b.Add(r.Meter, sign) || !r.quoted(&b, it.key) || !b.Add(r.Meter, ": ") || !r.value(&b, &r.list[last[it.key.Text]]) {
			return false
		}
	}
	if !b.Add(r.Meter, "}") {
		return false
	}
	r.msg.HasContent, r.msg.Content = true, b.Word(r.command.Span)
	return true
}

// plainName returns the name of a member without the backslashes before brackets and
// backslashes, and whether brackets without one nest it: tokenize() of httpie/cli/nested_json.py.
func plainName(s string) (name string, nested bool) {
	if !strings.ContainsAny(s, `[]\`) {
		return s, false
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && strings.IndexByte(`[]\`, s[i+1]) >= 0 {
			i++
		} else {
			nested = nested || s[i] == '[' || s[i] == ']'
		}
		out = append(out, s[i])
	}
	return string(out), nested
}

// quoted appends a string of JSON in ASCII.
func (r *reader) quoted(b *message.Text, w word.Word) bool {
	escape := func(known string, _ int) string {
		s := string(jsontext.AppendString(nil, known))
		return inASCII(s[1 : len(s)-1])
	}
	return r.Meter.Hold(12*len(w.Text)) && b.Add(r.Meter, `"`) && b.AddEach(r.Meter, w, escape) && b.Add(r.Meter, `"`)
}

// inASCII returns text of JSON with escapes for all characters beyond ASCII.
func inASCII(s string) string {
	if ascii.Only(s) {
		return s
	}
	const digits = "0123456789abcdef"
	out := make([]byte, 0, 2*len(s))
	unit := func(c rune) {
		out = append(out, '\\', 'u', digits[c>>12&15], digits[c>>8&15], digits[c>>4&15], digits[c&15])
	}
	for _, c := range s {
		switch {
		case c < utf8.RuneSelf:
			out = append(out, byte(c))
		case c > 0xffff:
			unit(0xd800 + (c-0x10000)>>10)
			unit(0xdc00 + (c-0x10000)&0x3ff)
		default:
			unit(c)
		}
	}
	return string(out)
}

// value appends the value of an item as JSON.
func (r *reader) value(b *message.Text, it *item) bool {
	switch it.separator {
	case "=@", ":=@":
		return r.Fail(r.Syntax, it.key.Span, "curl makes no JSON of the content of a file", "write the value")
	case "=":
		return r.quoted(b, it.value)
	}
	text := it.value.Text
	if it.value.Holes == nil {
		j := jsontext.NewReader(text, jsontext.MaxDepth)
		if !j.Skip() || j.Peek() != 0 || j.Pos() < len(text) {
			return r.Fail(r.Syntax, it.value.Span, "the value of "+it.key.Text+" is not JSON", "write = for text")
		}
	}
	if !r.Meter.Hold(8 * len(text)) {
		return false
	}
	return b.AddEach(r.Meter, it.value, func(known string, _ int) string { return inASCII(spaced(known)) })
}

// spaced returns JSON with a blank behind each comma and colon, and no others.
func spaced(s string) string {
	out := make([]byte, 0, len(s)+8)
	quoted := false
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case quoted && c == '\\' && i+1 < len(s):
			out = append(out, c, s[i+1])
			i++
			continue
		case c == '"':
			quoted = !quoted
		case quoted:
		case strings.IndexByte(" \t\r\n", c) >= 0:
			continue
		case c == ',' || c == ':':
			out = append(out, c, ' ')
			continue
		}
		out = append(out, c)
	}
	return string(out)
}

// credentials adds those of --auth.
func (r *reader) credentials() bool {
	kind := r.authType.Text
	if r.auth == nil {
		return true
	}
	at := r.auth.Span
	switch kind {
	case "", "basic":
	case "digest":
		if !r.add("--digest", at, nil) {
			return false
		}
	case "bearer":
		var b message.Text
		return b.Add(r.Meter, "Bearer ") && b.AddWord(r.Meter, *r.auth) && meter.Append(r.Meter, &r.msg.Fields, message.Field{
			Name: word.Word{Text: "Authorization", Span: at}, Value: b.Word(at)})
	default:
		r.Warn(diag.WarnComputedAuth, at, "this way to authenticate is one of a plugin of HTTPie, and is left out", "")
		return true
	}
	return r.add("--user", at, r.auth)
}
