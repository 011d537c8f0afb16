package transfer

import (
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/curl"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/mime"
	"uncoil/internal/engine/source/word"
	"uncoil/request"
)

// form collects the parts of -F and --form-string as formparse() does in
// curl 8.22 src/tool_formparse.c.
type form struct {
	meter *meter.Meter
	parts []request.Part
	// The multiparts that are open, each within the one before: new parts go
	// to the last. As nothing is added to what is around it, it stays where
	// it is.
	open []*request.Part
	last value

	bad     string // why curl refuses one of the parts, the first that it does
	encodes bool   // some part has an encoder
	sent    bool   // by a transfer that reached curl's reading of the content
}

// append appends a part to the multipart that is open, with the content type
// that curl guesses: Curl_mime_prepare_headers() in curl 8.22 lib/mime.c. When
// the meter refuses, the part is of no form.
func (f *form) append(p request.Part) *request.Part {
	list := &f.parts
	if n := len(f.open); n > 0 {
		list = &f.open[n-1].Parts
	}
	if _, typed := mime.Field(p.Headers, "Content-Type"); !p.Nested && p.ContentType == nil && !typed {
		p.ContentType, p.Guessed = curl.TypeOfPart(p.File, p.Filename), true
	}
	p.Span = f.last.at()
	if !f.meter.Work(stepsOfPart) || !f.meter.Hold(sizeOfPointers) || !meter.Append(f.meter, list, p) {
		return &p
	}
	f.encodes = f.encodes || p.Encoder != ""
	return &(*list)[len(*list)-1]
}

func (f *form) begin(p request.Part) { f.open = append(f.open, f.append(p)) }
func (f *form) end()                 { f.open = f.open[:len(f.open)-1] }

// What a part costs in steps, and in what it points at: content, names, types.
const (
	stepsOfPart    = 64
	sizeOfPointers = 64
)

// refuse keeps the first reason against a part.
func (f *form) refuse(reason string) {
	if f.bad == "" {
		f.bad = reason
	}
}

// add reads the argument of one option. What curl refuses while it reads the
// command line has been refused already.
func (f *form) add(b *builder, s *curl.Setting) {
	f.last = valueOf(s)
	name, value, found := strings.Cut(s.Value.Text, "=")
	switch holes := s.Value.Holes; {
	case found:
	case len(holes) == 1 && strings.HasPrefix(holes[0].Expr, "`"):
		b.warn(diag.WarnFormSyntax, s.Value.Span, "the shell runs what stands between backquotes as a command; what that prints is this form field, and is taken for its name", "write quotes alone, if the text itself is meant")
	default:
		b.warn(diag.WarnFormSyntax, s.Value.Span, "a variable holds this form field, and is taken for its name", "pass its value in env")
	}
	if s.ID == curl.OptFormString {
		f.append(request.Part{Name: name, Value: value})
		return
	}
	r := formReader{b: b, s: s, rest: value}
	switch {
	case strings.HasPrefix(value, "("):
		a := r.attributes(0)
		f.begin(request.Part{Name: name, Nested: true, ContentType: a.contentType, Headers: a.headers})
	case name == "" && value == ")":
		f.end()
	case strings.HasPrefix(value, "@"):
		f.addFiles(&r, name)
	case strings.HasPrefix(value, "<"):
		r.rest = value[1:]
		a := r.attributes(0)
		p := a.part(name)
		p.Filename = nil
		f.appendFile(b, p, &a, true, s.Value.Span)
		r.warnRest(a)
	default:
		a := r.attributes(0)
		p := a.part(name)
		p.Value = a.data
		f.refuse(a.bad())
		f.append(p)
		r.warnRest(a)
	}
}

// addFiles reads @file, or @file,file … which makes a nested multipart.
func (f *form) addFiles(r *formReader, name string) {
	several := false
	for first := true; ; first = false {
		r.rest = r.rest[1:] // the @ or the comma
		a := r.attributes(',')
		p := a.part("")
		if first && a.end == ',' {
			several = true
			f.begin(request.Part{Name: name, Nested: true})
		} else if first {
			p.Name = name
		}
		f.appendFile(r.b, p, &a, false, r.s.Value.Span)
		if a.end != ',' || r.b.in.Meter.Over() {
			break
		}
	}
	if several {
		f.end()
	}
}

// appendFile appends a part whose content is that of a file. An inline part
// (<) is sent without the file's name.
func (f *form) appendFile(b *builder, p request.Part, a *formAttributes, inline bool, span diag.Span) {
	file := a.data
	p.File, p.Inline = file, inline
	if file == "" {
		f.refuse("a form field takes its content from a file without a name")
	}
	f.refuse(a.bad())
	if p.Filename == nil && !inline {
		base := pathBase(file)
		p.Filename = &base
	}
	if content, ok := b.in.Read(file); ok {
		p.Content = &content
	} else if len(f.last.holes()) == 0 && b.in.Meter.Work(len(file)) && looksLikeText(file, inline) {
		b.warn(diag.WarnLooksLikeText, span, "this looks like text, and curl takes it for the name of a file", "use --form-string, for which @ and < are text")
		if d := b.diags.Last(diag.WarnLooksLikeText); d != nil && inline {
			d.Fix = f.asString(b, a)
		}
	}
	if p.Content == nil && inline {
		b.needFile(span, "a form field is in a file that was not supplied", file)
	}
	f.append(p)
}

// asString returns the edit that makes a --form-string of the field, whose option has the
// text to itself; nil where attributes follow the value, which would be text then.
func (f *form) asString(b *builder, a *formAttributes) *diag.Fix {
	s := f.last.setting
	if s == nil || a.contentType != nil || a.filename != nil || a.encoder != nil || len(a.headers) > 0 {
		return nil
	}
	start, end := int(s.Span.Start), int(s.Span.End)
	if start < 0 || start >= end || end > len(b.in.Source) {
		return nil
	}
	fix := &diag.Fix{Span: s.Span, Text: "--form-string"}
	switch typed := b.in.Source[start:end]; {
	case typed == "-F", typed == "--form":
	case strings.HasPrefix(typed, "-F"): // -F'name=value'
		fix.Span.End, fix.Text = fix.Span.Start+int32(len("-F")), "--form-string "
	default:
		return nil
	}
	if s.Value.Span.Start == s.Span.End {
		fix.Text += " "
	}
	return fix
}

// looksLikeText reports whether the name of a file is text that begins with @ or <: a tag
// with more after it, or words that are no path.
func looksLikeText(file string, inline bool) bool {
	if end := strings.IndexByte(file, '>'); inline && end >= 0 {
		declares := file[0] == '!' || file[0] == '?' // as XML and HTML begin
		return declares || end > 0 && end+1 < len(file) && (ascii.IsLetter(file[0]) || file[0] == '/')
	}
	if strings.IndexByte(file, ' ') < 0 || strings.ContainsAny(file, `/\<[{~`) {
		return false
	}
	if dot := strings.LastIndexByte(file, '.'); dot >= 0 && dot+1 < len(file) && len(file)-dot <= len(".jsonl") && strings.IndexByte(file[dot:], ' ') < 0 {
		return false // an extension
	}
	for _, word := range [...]string{"file", "path", "name", "your", "image", "photo", "document", "upload"} { // what is to be put there
		if ascii.ContainsFold(file, word) {
			return false
		}
	}
	return true
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

func (a *formAttributes) part(name string) request.Part {
	p := request.Part{Name: name, Filename: a.filename, ContentType: a.contentType, Headers: a.headers}
	if a.encoder != nil {
		p.Encoder = *a.encoder
	}
	return p
}

// bad returns why curl refuses a part with these attributes, if it does.
func (a *formAttributes) bad() string {
	if a.encoder != nil && !isEncoder(*a.encoder) {
		return "unknown encoder: a form part takes base64, quoted-printable, 7bit, 8bit and binary"
	}
	return ""
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
	if ascii.HasPrefixFold(r.rest, attribute) {
		r.rest = r.rest[len(attribute):]
		return true
	}
	return false
}

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
		if !r.b.in.Meter.Hold(sizeOfOther+len(line)) || !r.b.in.Meter.Work(stepsOfHeader) {
			return
		}
		folded := strings.HasPrefix(line, " ")
		line = strings.TrimRight(line, " \t\r\n")
		if n := len(a.headers); folded && n > 0 {
			if !r.b.in.Meter.Hold(len(a.headers[n-1])) {
				return
			}
			a.headers[n-1] += line
		} else {
			a.headers = append(a.headers, line)
		}
	}
}

// convertLines ends the lines of the parts with CRLF, but for content that an
// encoder takes apart. Doing so twice changes nothing.
func convertLines(parts []request.Part) {
	for i := range parts {
		p := &parts[i]
		p.Value = toCRLF(p.Value)
		if p.Content != nil && !mime.Encodes(p.Encoder) {
			content := toCRLF(*p.Content)
			p.Content = &content
		}
		convertLines(p.Parts)
	}
}

// quotesPrintable reports content whose encoded length curl does not know
// beforehand.
func quotesPrintable(parts []request.Part) bool {
	for i := range parts {
		p := &parts[i]
		empty := p.Value == "" && (p.File == "" || p.Content != nil && *p.Content == "")
		if ascii.EqualFold(p.Encoder, "quoted-printable") && !empty || quotesPrintable(p.Parts) {
			return true
		}
	}
	return false
}

// needsEightBits reports content that the encoder 7bit cannot take.
func needsEightBits(parts []request.Part, marks *word.Marks) bool {
	for i := range parts {
		p := &parts[i]
		if ascii.EqualFold(p.Encoder, "7bit") {
			text := p.Value
			if p.Content != nil {
				text = *p.Content
			}
			if strings.IndexFunc(marks.Restore(text), func(r rune) bool { return r >= 0x80 }) >= 0 {
				return true
			}
		}
		if needsEightBits(p.Parts, marks) {
			return true
		}
	}
	return false
}

// check refuses a form with a part that curl refuses.
func (f *form) check(t *transfer) bool {
	if f.bad == "" {
		return true
	}
	t.b.fail(diag.Diagnostic{Code: diag.CodeInvalidArgument, Span: f.last.span(), Option: f.last.from(), Message: f.bad})
	return false
}

// breaksLine reports a name that a header line cannot hold unescaped.
func breaksLine(parts []request.Part) bool {
	for i := range parts {
		p := &parts[i]
		if strings.ContainsAny(p.Name, "\r\n") || p.Filename != nil && strings.ContainsAny(*p.Filename, "\r\n") || breaksLine(p.Parts) {
			return true
		}
	}
	return false
}

// formContentType appends the Content-Type of a form. What -H sets is
// kept, but for a boundary, which is curl's to choose.
func (t *transfer) formContentType() {
	f := request.Field{Name: "Content-Type", Value: "multipart/form-data", From: t.c.form.last.from(), Origin: request.OriginImplied, Span: t.c.form.last.at()}
	if h := t.contentTypeHeader(); h != nil {
		value := strings.TrimLeft(h.line[len("Content-Type:"):], " ")
		f.Value, f.From, f.Origin, f.Span = dropBoundary(value), h.from(), h.origin(), h.setting.Span
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
		if ascii.HasPrefixFold(t.c.headers[i].line, name) {
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
