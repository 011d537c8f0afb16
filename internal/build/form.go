package build

import (
	"slices"
	"strings"

	"uncoil/diag"
	"uncoil/internal/curl"
	"uncoil/request"
)

// form collects the parts of -F and --form-string as formparse() does in
// curl 8.22 src/tool_formparse.c.
type form struct {
	root *formPart
	open *formPart // the multipart that new parts go to
	last value
	sent bool // by a transfer that reached curl's reading of the content
}

// formPart is a part with the multipart it belongs to.
type formPart struct {
	request.Part
	parent *formPart
	parts  []*formPart
	guess  string // the file name that the content type is guessed from
	bad    string // why curl refuses the part, if it does
}

func newForm() *form {
	root := &formPart{}
	return &form{root: root, open: root}
}

// addTo appends a part to a multipart.
func (p *formPart) addTo(parent *formPart) *formPart {
	p.parent = parent
	parent.parts = append(parent.parts, p)
	return p
}

// add reads the argument of one option. What curl refuses while it reads the
// command line has been refused already.
func (f *form) add(b *builder, s *curl.Setting) {
	f.last = valueOf(s)
	name, value, _ := strings.Cut(s.Value.Text, "=")
	if s.ID == curl.OptFormString {
		(&formPart{Part: request.Part{Name: name, Value: value}}).addTo(f.open)
		return
	}
	r := formReader{b: b, s: s, rest: value}
	switch {
	case strings.HasPrefix(value, "("):
		a := r.attributes(0)
		p := (&formPart{Part: request.Part{Name: name, Nested: true, ContentType: a.contentType, Headers: a.headers}}).addTo(f.open)
		f.open = p
	case name == "" && value == ")":
		f.open = f.open.parent
	case strings.HasPrefix(value, "@"):
		f.addFiles(&r, name)
	case strings.HasPrefix(value, "<"):
		r.rest = value[1:]
		a := r.attributes(0)
		p := a.part(name)
		p.Filename = nil
		p.setFile(b, a.data, true, s.Value.Span)
		p.addTo(f.open)
		r.warnRest(a)
	default:
		a := r.attributes(0)
		p := a.part(name)
		p.Value = a.data
		p.addTo(f.open)
		r.warnRest(a)
	}
}

// addFiles reads @file, or @file,file … which makes a multipart of its own.
func (f *form) addFiles(r *formReader, name string) {
	parent := f.open
	for first := true; ; first = false {
		r.rest = r.rest[1:] // the @ or the comma
		a := r.attributes(',')
		p := a.part("")
		p.setFile(r.b, a.data, false, r.s.Value.Span)
		if first && a.end == ',' {
			parent = (&formPart{Part: request.Part{Name: name, Nested: true}}).addTo(f.open)
		} else if first {
			p.Name = name
		}
		p.addTo(parent)
		if a.end != ',' {
			return
		}
	}
}

// setFile makes the content of a file that of the part. An inline part (<)
// is sent without the file's name.
func (p *formPart) setFile(b *builder, file string, inline bool, span diag.Span) {
	p.File, p.Inline, p.guess = file, inline, file
	if file == "" {
		p.bad = "a form field takes its content from a file without a name"
	}
	if file == "-" {
		p.guess = "" // curl does not guess for standard input
	}
	if p.Filename == nil && !inline {
		base := pathBase(file)
		p.Filename = &base
	}
	if content, ok := b.in.Read(file); ok {
		p.Content = &content
	} else if inline {
		b.needFile(span, "a form field is in a file that was not supplied", file)
	}
}

// pathBase is basename(3): trailing slashes do not count.
func pathBase(path string) string {
	trimmed := strings.TrimRight(path, "/")
	if trimmed == "" {
		if path == "" {
			return "."
		}
		return "/"
	}
	return trimmed[strings.LastIndexByte(trimmed, '/')+1:]
}

// formAttributes is a value with what follows it between semicolons.
type formAttributes struct {
	data        string
	contentType *string
	filename    *string
	encoder     *string
	headers     []string
	end         byte // the character that ended it: 0 at the end of the text
}

func (a *formAttributes) part(name string) *formPart {
	p := &formPart{Part: request.Part{
		Name: name, Filename: a.filename, ContentType: a.contentType, Headers: a.headers,
	}}
	if a.encoder != nil {
		p.Encoder = *a.encoder
		if !isEncoder(p.Encoder) {
			p.bad = "curl has no encoder of that name for a form part: it has base64, quoted-printable, 7bit, 8bit and binary"
		}
	}
	return p
}

func isEncoder(name string) bool {
	switch strings.ToLower(name) {
	case "binary", "8bit", "7bit", "base64", "quoted-printable":
		return true
	}
	return false
}

// formReader reads values and attributes: get_param_part() in curl 8.22
// src/tool_formparse.c.
type formReader struct {
	b    *builder
	s    *curl.Setting
	rest string
}

func (r *formReader) warn(message string) {
	r.b.warn(diag.WarnFormSyntax, r.s.Value.Span, message, "put the value in double quotes if it holds ; or ,")
}

func (r *formReader) warnRest(a formAttributes) {
	if a.end != 0 {
		r.warn("curl drops what follows the value of this form field")
	}
}

// attributes reads a value and its attributes up to the end of the text, or
// to a separator that ends it.
func (r *formReader) attributes(separator byte) (a formAttributes) {
	r.skipBlanks()
	a.data = r.word(separator)
	typing := false // the last attribute was type=, which may go on: ;charset=…
	typeStart := 0
	for a.end = r.peek(); a.end == ';'; a.end = r.peek() {
		r.rest = r.rest[1:]
		r.skipBlanks()
		switch {
		case !typing && r.accept("type="):
			r.skipBlanks()
			n := strings.IndexAny(r.rest, "()<>@,;:\\\"[]?=\r\n ")
			if n < 0 {
				n = len(r.rest)
			}
			contentType := r.rest[:n]
			a.contentType, r.rest = &contentType, r.rest[n:]
			typeStart, typing = r.offset()-n, true
		case r.accept("filename="):
			r.skipBlanks()
			name := r.word(separator)
			a.filename, typing = &name, false
		case r.accept("headers="):
			r.headers(&a, separator)
			typing = false
		case r.accept("encoder="):
			r.skipBlanks()
			encoder := r.word(separator)
			a.encoder, typing = &encoder, false
		case typing:
			n := strings.IndexFunc(r.rest, func(c rune) bool { return c == ';' || separator != 0 && c == rune(separator) })
			if n < 0 {
				n = len(r.rest)
			}
			parameter := trimRightBlanks(r.rest[:n])
			contentType := r.s.Value.Text[typeStart : r.offset()+len(parameter)]
			a.contentType = &contentType
			r.rest = r.rest[n:]
		default:
			if r.word(separator) != "" {
				r.warn("curl does not know this attribute of a form field and skips it")
			}
		}
	}
	return a
}

// offset returns where the rest begins in the argument.
func (r *formReader) offset() int { return len(r.s.Value.Text) - len(r.rest) }

func (r *formReader) peek() byte {
	if r.rest == "" {
		return 0
	}
	return r.rest[0]
}

func (r *formReader) skipBlanks() { r.rest = strings.TrimLeft(r.rest, " \t") }

func (r *formReader) accept(attribute string) bool {
	if len(r.rest) >= len(attribute) && strings.EqualFold(r.rest[:len(attribute)], attribute) {
		r.rest = r.rest[len(attribute):]
		return true
	}
	return false
}

func trimRightBlanks(s string) string { return strings.TrimRight(s, " \t") }

// word reads a value in double quotes, where a backslash escapes a quote and
// itself, or else up to a semicolon or the separator.
func (r *formReader) word(separator byte) string {
	if r.peek() == '"' {
		if s, ok := r.quoted(separator); ok {
			return s
		}
	}
	n := 0
	for n < len(r.rest) && r.rest[n] != ';' && (separator == 0 || r.rest[n] != separator) {
		n++
	}
	word := r.rest[:n]
	r.rest = r.rest[n:]
	return trimRightBlanks(word)
}

func (r *formReader) quoted(separator byte) (string, bool) {
	var b []byte
	for i := 1; i < len(r.rest); i++ {
		c := r.rest[i]
		if c == '\\' && i+1 < len(r.rest) && (r.rest[i+1] == '\\' || r.rest[i+1] == '"') {
			i++
			b = append(b, r.rest[i])
			continue
		}
		if c != '"' {
			b = append(b, c)
			continue
		}
		r.rest = r.rest[i+1:]
		n := 0
		for n < len(r.rest) && r.rest[n] != ';' && (separator == 0 || r.rest[n] != separator) {
			n++
		}
		if strings.Trim(r.rest[:n], " \t\n\v\f\r") != "" {
			r.warn("curl drops what follows the closing quote of this form field")
		}
		r.rest = r.rest[n:]
		return string(b), true
	}
	return "", false
}

// headers reads headers=line, or with headers=@file the lines of a file.
func (r *formReader) headers(a *formAttributes, separator byte) {
	isFile := r.peek() == '@' || r.peek() == '<'
	if isFile {
		r.rest = r.rest[1:]
	}
	r.skipBlanks()
	text := r.word(separator)
	if !isFile {
		a.headers = append(a.headers, text)
		return
	}
	content, ok := r.b.in.Read(text)
	if !ok {
		r.b.needFile(r.s.Value.Span, "header fields of a form part are in a file that was not supplied, and are missing here", text)
		return
	}
	for line := range curl.ConfigLines(content) {
		folded := strings.HasPrefix(line, " ")
		line = strings.TrimRight(line, " \t\r\n")
		if n := len(a.headers); folded && n > 0 {
			a.headers[n-1] += line
		} else {
			a.headers = append(a.headers, line)
		}
	}
}

// parts returns the parts of the form, with what curl sends of each.
func (f *form) parts(crlf bool) []request.Part { return f.root.finish(crlf) }

// finish settles the content types of the parts of a multipart:
// Curl_mime_prepare_headers() in curl 8.22 lib/mime.c.
func (p *formPart) finish(crlf bool) []request.Part {
	out := make([]request.Part, 0, len(p.parts))
	for _, child := range p.parts {
		part := child.Part
		if part.Nested {
			part.Parts = child.finish(crlf)
		} else if part.ContentType == nil && headerValue(part.Headers, "Content-Type") == "" {
			if guess := child.guessType(); guess != "" {
				part.ContentType = &guess
			}
		}
		if crlf {
			part.Value = toCRLF(part.Value)
			if part.Content != nil && !encodesLines(part.Encoder) {
				content := toCRLF(*part.Content)
				part.Content = &content
			}
		}
		out = append(out, part)
	}
	return out
}

// quotesPrintable reports content whose encoded length curl does not know
// beforehand.
func quotesPrintable(parts []request.Part) bool {
	for i := range parts {
		p := &parts[i]
		empty := p.Value == "" && (p.File == "" || p.Content != nil && *p.Content == "")
		if strings.EqualFold(p.Encoder, "quoted-printable") && !empty || quotesPrintable(p.Parts) {
			return true
		}
	}
	return false
}

// needsEightBits reports content that the encoder 7bit cannot take.
func needsEightBits(parts []request.Part) bool {
	for i := range parts {
		p := &parts[i]
		text := p.Value
		if p.Content != nil {
			text = *p.Content
		}
		beyond := strings.IndexFunc(text, func(r rune) bool { return r >= 0x80 }) >= 0
		if beyond && strings.EqualFold(p.Encoder, "7bit") || needsEightBits(p.Parts) {
			return true
		}
	}
	return false
}

// encodesLines reports an encoder that leaves no line feed as it is.
func encodesLines(encoder string) bool {
	return strings.EqualFold(encoder, "base64") || strings.EqualFold(encoder, "quoted-printable")
}

// guessType guesses from the name that is sent and from the file's own.
// Plain text needs no mention unless a file name is sent.
func (p *formPart) guessType() string {
	contentType := ""
	if p.Filename != nil {
		contentType = typeByExtension(*p.Filename)
	}
	if contentType == "" && p.guess != "" {
		contentType = typeByExtension(p.guess)
		if contentType == "" && p.Filename != nil {
			contentType = "application/octet-stream"
		}
	}
	if contentType == "text/plain" && p.Filename == nil {
		return ""
	}
	return contentType
}

// typeByExtension knows the ten extensions that curl knows
// (Curl_mime_contenttype).
func typeByExtension(name string) string {
	for _, t := range [...][2]string{
		{".gif", "image/gif"}, {".jpg", "image/jpeg"}, {".jpeg", "image/jpeg"}, {".png", "image/png"},
		{".svg", "image/svg+xml"}, {".txt", "text/plain"}, {".htm", "text/html"}, {".html", "text/html"},
		{".pdf", "application/pdf"}, {".xml", "application/xml"},
	} {
		if n := len(name) - len(t[0]); n >= 0 && strings.EqualFold(name[n:], t[0]) {
			return t[1]
		}
	}
	return ""
}

// headerValue returns the value of the first line of that name.
func headerValue(lines []string, name string) string {
	for _, line := range lines {
		if len(line) > len(name) && line[len(name)] == ':' && strings.EqualFold(line[:len(name)], name) {
			return trimBlanks(line[len(name)+1:])
		}
	}
	return ""
}

// check refuses a form with a part that curl refuses.
func (f *form) check(t *transfer) bool {
	bad := f.root.firstBad()
	if bad == "" {
		return true
	}
	t.b.fail(diag.Diagnostic{Code: diag.CodeInvalidArgument, Span: f.last.span(), Option: f.last.from(), Message: bad})
	return false
}

func (p *formPart) firstBad() string {
	if p.bad != "" {
		return p.bad
	}
	for _, child := range p.parts {
		if bad := child.firstBad(); bad != "" {
			return bad
		}
	}
	return ""
}

// breaksLine reports a name that a header line cannot hold unescaped.
func (p *formPart) breaksLine() bool {
	if strings.ContainsAny(p.Name, "\r\n") || p.Filename != nil && strings.ContainsAny(*p.Filename, "\r\n") {
		return true
	}
	return slices.ContainsFunc(p.parts, (*formPart).breaksLine)
}

// formContentType appends the Content-Type of a form. What -H says of it is
// kept, but for a boundary, which is curl's to choose.
func (t *transfer) formContentType() {
	f := request.Field{Name: "Content-Type", Value: "multipart/form-data", From: t.c.form.last.from(), Origin: request.Implied}
	if h := t.contentTypeHeader(); h != nil {
		value := strings.TrimLeft(h.line[len("Content-Type:"):], " ")
		f.Value, f.From, f.Origin = dropBoundary(value), h.from(), h.origin()
		if f.Value != value {
			f.Line = "Content-Type: " + value
		}
	}
	t.add(f)
}

// contentTypeHeader returns the -H line that gives a form its type: the first
// with a colon, before one that ends in a semicolon.
func (t *transfer) contentTypeHeader() *header {
	const name = "Content-Type:"
	for i := range t.c.headers {
		if line := t.c.headers[i].line; len(line) >= len(name) && strings.EqualFold(line[:len(name)], name) {
			return &t.c.headers[i]
		}
	}
	return t.c.find("Content-Type")
}

// dropBoundary removes a boundary parameter from a content type.
func dropBoundary(contentType string) string {
	var kept []string
	for part := range strings.SplitSeq(contentType, ";") {
		if !strings.HasPrefix(strings.ToLower(trimBlanks(part)), "boundary=") {
			kept = append(kept, part)
		}
	}
	if len(kept) == 0 {
		return contentType
	}
	return strings.Join(kept, ";")
}
