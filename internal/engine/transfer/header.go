package transfer

import (
	"slices"
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/curl"
	"uncoil/internal/engine/meter"
	"uncoil/request"
)

// header is a line given with -H.
type header struct {
	line    string
	setting *curl.Setting // where the line comes from
	implied bool          // another option than -H added it to the list
}

func (h *header) from() string { return h.setting.Name }

// addHeader reads -H: a line, or with @name the lines of a file
// (parse_header() in curl 8.22 src/tool_getparam.c).
func (b *builder) addHeader(c *config, s *curl.Setting) {
	name, isFile := strings.CutPrefix(s.Value.Text, "@")
	if !isFile {
		c.headers = append(c.headers, header{line: s.Value.Text, setting: s})
		return
	}
	content, ok := b.in.Read(name)
	if !ok {
		b.needFile(s.Value.Span, "header fields are in a file that was not supplied, and are missing here", name)
		c.lack(name, "headers")
		return
	}
	for line := range curl.ConfigLines(content) {
		if !b.in.Meter.Work(stepsOfHeader) || !meter.Append(b.in.Meter, &c.headers, header{line: line, setting: s}) {
			b.tooLarge(s.Value.Span)
			return
		}
	}
}

// needFile records that a file which was not supplied would change a request
// that can be described without it. Where a full answer is asked for, the
// renderer turns it into an error.
func (b *builder) needFile(span diag.Span, message string, names ...string) {
	b.lacks(curl.NotSupplied(span, message, names...))
}

// lacks adds the error for what was not supplied as a warning.
func (b *builder) lacks(d diag.Diagnostic) {
	b.missing = WithFiles(b.missing, d)
	d.Severity, d.Level = diag.SeverityWarning, d.Code.Level()
	meter.Append(b.in.Meter, &b.diags, d)
}

// WithFiles adds the files of another error to the first one for files that were not
// supplied, which may be nil.
func WithFiles(first *diag.Diagnostic, d diag.Diagnostic) *diag.Diagnostic {
	if first == nil {
		d.Files = slices.Clone(d.Files)
		return &d
	}
	first.Files = append(first.Files, d.Files...)
	return first
}

// find returns the first -H line for a name, with or without a value: what
// Curl_checkheaders() in curl 8.22 lib/http.c looks for before curl adds a
// field of its own.
func (c *config) find(name string) *header {
	for i := range c.headers {
		line := c.headers[i].line
		if len(line) > len(name) && (line[len(name)] == ':' || line[len(name)] == ';') && ascii.EqualFold(line[:len(name)], name) {
			return &c.headers[i]
		}
	}
	return nil
}

// A line's kinds: curl sends some and leaves others out.
type lineKind uint8

const (
	lineDropped lineKind = iota // no colon
	lineRemoves                 // "Name:"
	lineEmpty                   // "Name;", sent as "Name:"
	lineField
)

// splitLine takes a -H line apart as Curl_add_custom_headers() does in curl
// 8.22 lib/http.c.
func splitLine(line string) (name, value string, kind lineKind) {
	if before, ok := strings.CutSuffix(line, ";"); ok && before != "" && !strings.ContainsAny(before, ":;") {
		return trimBlanks(before), "", lineEmpty
	}
	name, value, ok := strings.Cut(line, ":")
	if !ok || name == "" {
		return line, "", lineDropped
	}
	name = trimBlanks(name)
	if end := strings.IndexByte(value, '\n'); end >= 0 {
		value = value[:end]
	}
	if end := strings.IndexByte(value, '\r'); end >= 0 {
		value = value[:end]
	}
	if value = trimBlanks(value); value == "" {
		return name, "", lineRemoves
	}
	return name, value, lineField
}

func trimBlanks(s string) string { return trimRightBlanks(trimLeftBlanks(s)) }

func trimLeftBlanks(s string) string {
	for s != "" && ascii.IsBlank(s[0]) {
		s = s[1:]
	}
	return s
}

func trimRightBlanks(s string) string {
	for s != "" && ascii.IsBlank(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	return s
}

// customFields appends the fields of the -H lines, but for those that curl
// writes elsewhere: Host, Connection, and Content-Type of a form.
func (t *transfer) customFields() {
	for i := range t.c.headers {
		h := &t.c.headers[i]
		name, value, kind := splitLine(h.line)
		switch kind {
		case lineRemoves:
			t.request.Removed = append(t.request.Removed, name)
			continue
		case lineDropped:
			continue
		}
		if ascii.EqualFold(name, "Host") && t.hostSent || ascii.EqualFold(name, "Connection") ||
			t.isForm() && ascii.EqualFold(name, "Content-Type") {
			continue
		}
		if kind == lineEmpty {
			t.add(request.Field{Name: name, From: h.from(), Origin: h.origin(), Span: h.setting.Span, Line: name + ":"})
			continue
		}
		t.addLines(h, name, value)
	}
}

// isForm reports a form, which sets its own Content-Type. Over WebSocket it
// sets none, and curl drops the one of -H all the same.
func (t *transfer) isForm() bool { return t.c.kind == kindForm && t.upload == "" }

func (h *header) origin() request.Origin {
	if h.implied {
		return request.OriginImplied
	}
	return request.OriginUser
}

// addLines adds the field of a -H line. A line break in it makes a field of
// each line, as it does for whoever receives it.
func (t *transfer) addLines(h *header, name, value string) {
	line, rest, more := cutField(h.line)
	if strings.IndexByte(line, '\n') >= 0 {
		line = unfold(line)
		_, value, _ = strings.Cut(line, ":")
		value = trimBlanks(value)
	}
	f := request.Field{Name: name, Value: value, From: h.from(), Origin: h.origin(), Span: h.setting.Span}
	if !isLine(line, name, value) {
		f.Line = line
	}
	t.add(f)
	for more && t.b.in.Meter.Hold(2*sizeOfField) && t.b.in.Meter.Work(stepsOfHeader) {
		line, rest, more = cutField(rest)
		line = unfold(line)
		if name, value, ok := strings.Cut(line, ":"); ok {
			t.add(request.Field{Name: trimBlanks(name), Value: trimBlanks(value), From: h.from(), Origin: h.origin(), Span: h.setting.Span, Line: line})
		}
	}
}

// cutField cuts lines behind the first field: at a line break that no blank follows.
func cutField(lines string) (field, rest string, more bool) {
	for end := 0; ; end++ {
		next := strings.IndexByte(lines[end:], '\n')
		if next < 0 {
			return lines, "", false
		}
		if end += next; end+1 == len(lines) || !ascii.IsBlank(lines[end+1]) {
			return strings.TrimSuffix(lines[:end], "\r"), lines[end+1:], true
		}
	}
}

// unfold returns a field on one line: a line that begins with a blank is the rest of the
// one before (RFC 9112, section 5.2).
func unfold(field string) string {
	line, rest, more := strings.Cut(field, "\n")
	if !more {
		return field
	}
	b := make([]byte, 0, len(field))
	for b = append(b, trimRightBlanks(strings.TrimSuffix(line, "\r"))...); more; {
		line, rest, more = strings.Cut(rest, "\n")
		if line = trimBlanks(strings.TrimSuffix(line, "\r")); line != "" {
			b = append(append(b, ' '), line...)
		}
	}
	return string(b)
}

// isLine reports whether a line is the name and the value as curl itself would
// write them.
func isLine(line, name, value string) bool {
	n := len(name) + len(": ")
	return len(line) == n+len(value) && line[:len(name)] == name && line[len(name):n] == ": " && line[n:] == value
}

// connectionFields appends Connection, which curl writes last: the first one
// given, joined with what curl itself needs there, then the others.
func (t *transfer) connectionFields() {
	var own []string
	if t.sendsTE {
		own = append(own, "TE")
	}
	if t.upgrades {
		own = append(own, "Upgrade")
	}
	if t.upgradesHTTP2 {
		own = append(own, "HTTP2-Settings")
	}
	first := true
	for i := range t.c.headers {
		h := &t.c.headers[i]
		if !ascii.HasPrefixFold(trimLeftBlanks(h.line), "Connection") {
			continue
		}
		name, value, kind := splitLine(h.line)
		if !ascii.EqualFold(name, "Connection") || kind != lineField {
			continue
		}
		if first {
			value = strings.Join(append([]string{value}, own...), ", ")
			t.add(request.Field{Name: name, Value: value, From: h.from(), Origin: request.OriginUser, Span: h.setting.Span, Line: "Connection: " + value})
			first = false
			continue
		}
		t.addLines(h, name, value)
	}
	if first && len(own) > 0 {
		t.add(request.Field{Name: "Connection", Value: strings.Join(own, ", "), Origin: request.OriginDefault})
	}
}

// addJSONHeaders adds what --json implies to the -H lines, as curl does
// (get_args() in curl 8.22 src/tool_paramhlp.c).
func (c *config) addJSONHeaders() {
	if c.json == nil {
		return
	}
	for _, name := range [...]string{"Content-Type", "Accept"} {
		if c.find(name) == nil {
			c.headers = append(c.headers, header{line: name + ": application/json", setting: c.json, implied: true})
		}
	}
}
