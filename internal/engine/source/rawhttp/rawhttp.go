// Package rawhttp reads requests as they go over the wire in HTTP/1 (RFC 9112),
// and as browsers show those of HTTP/2 and 3: as a list of fields, some of which
// begin with a colon (RFC 9113, section 8.3.1).
package rawhttp

import (
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/message"
	"uncoil/internal/engine/source/word"
)

// blank are the bytes that may stand before a text.
const blank = " \t\r\n"

// Is reports whether a text begins with a request line or a field of HTTP/2.
func Is(src string) bool {
	src = strings.TrimLeft(src, blank)
	return startsRequest(src) || startsPseudo(src)
}

// maxLine bounds the search for what begins a message.
const maxLine = 16 << 10

// startsRequest reports whether s begins with a request line: a method in
// capitals, a target, and a version.
func startsRequest(s string) bool {
	line := s[:min(len(s), maxLine)]
	line = strings.TrimRight(line[:ascii.LineLength(line)], "\r \t")
	n := 0
	for n < len(line) && ('A' <= line[n] && line[n] <= 'Z' || line[n] == '-' || line[n] == '_') {
		n++
	}
	last := strings.LastIndexByte(line, ' ')
	return n > 0 && n < last && line[n] == ' ' && isVersion(line[last+1:])
}

// isVersion reports whether s is a version, such as HTTP/1.1 or HTTP/2.
func isVersion(s string) bool {
	digits, ok := strings.CutPrefix(s, "HTTP/")
	return ok && digits != "" && ascii.IsDigit(digits[0]) && strings.Trim(digits, "0123456789.") == ""
}

// startsPseudo reports whether s begins with a field that only HTTP/2 has.
func startsPseudo(s string) bool {
	for _, name := range [...]string{":authority", ":method", ":path", ":scheme"} {
		if rest, ok := strings.CutPrefix(s, name); ok {
			return rest != "" && strings.IndexByte(": \t\r\n", rest[0]) >= 0
		}
	}
	return false
}

// startsAnswer reports whether s begins with a status line.
func startsAnswer(s string) bool {
	return strings.HasPrefix(s, "HTTP/") && isVersion(s[:max(strings.IndexAny(s[:min(len(s), 16)], " "), 0)])
}

// lineSteps is what a line costs beside its text.
const lineSteps = 16

// Read returns a command for each request of a text.
func Read(src string, m *meter.Meter) ([]word.Command, diag.List) {
	r := reader{src: src, pos: len(src) - len(strings.TrimLeft(src, blank))}
	r.Meter, r.Syntax = m, diag.CodeInvalidHTTP
	const most = 1001 // one more than the requests that one text may make
	for r.message() && len(r.Commands) < most {
		rest := strings.TrimLeft(src[r.pos:], "\r\n")
		if startsAnswer(rest) {
			r.Warn(diag.WarnPastedNoise, r.span(len(src)-len(rest), len(src)), "the answer after the request is left out", "")
			break
		}
		if !startsRequest(rest) {
			break
		}
		r.pos = len(src) - len(rest)
	}
	if m.Over() {
		return nil, diag.List{m.Diagnostic(diag.At(r.pos))}
	}
	return r.Commands, r.Diags
}

// A reader reads one text.
type reader struct {
	message.Writer
	src string
	pos int

	msg     message.Message
	version string
	scheme  string // of :scheme or the target
	host    word.Word
	target  word.Word
	folded  *meter.Text // the last value, where it goes on over several lines
	pairs   bool        // each name of a field and each value has a line of its own
}

func (r *reader) span(start, end int) diag.Span {
	return diag.Span{Start: int32(start), End: int32(end)}
}

// word returns a part of the text without the blanks around it.
func (r *reader) word(start, end int) word.Word {
	for start < end && ascii.IsBlank(r.src[start]) {
		start++
	}
	for end > start && (ascii.IsBlank(r.src[end-1]) || r.src[end-1] == '\r') {
		end--
	}
	return word.Word{Text: r.src[start:end], Span: r.span(start, end)}
}

// line reads a line. It returns false at the end of the text.
func (r *reader) line() (start, end int, ok bool) {
	if r.pos == len(r.src) {
		return 0, 0, false
	}
	start = r.pos
	end = start + ascii.LineLength(r.src[start:])
	r.pos = min(end+1, len(r.src))
	return start, end, r.Meter.Work(lineSteps + (end-start)/2)
}

// message reads a request.
func (r *reader) message() bool {
	start := r.pos
	r.msg, r.scheme, r.version, r.host, r.target = message.Message{}, "", "", word.Word{}, word.Word{}
	if startsPseudo(r.src[r.pos:]) {
		line := r.src[r.pos : r.pos+ascii.LineLength(r.src[r.pos:])]
		r.pairs, r.version = !strings.ContainsAny(strings.TrimRight(line, ": \t\r")[1:], ": \t"), "HTTP/2"
	} else if !r.requestLine() {
		return false
	}
	if !r.fields() {
		return false
	}
	r.msg.Span = r.word(start, max(r.pos, start)).Span
	if !r.url() || !r.content() {
		return false
	}
	r.msg.Span = r.word(start, len(strings.TrimRight(r.src[:r.pos], "\r\n"))).Span
	return r.Add(&r.msg)
}

// requestLine reads the first line.
func (r *reader) requestLine() bool {
	start, end, ok := r.line()
	if !ok {
		return !r.Meter.Over() && r.Fail(r.Syntax, diag.At(len(r.src)), "there is no request", "begin with a line such as GET /path HTTP/1.1")
	}
	line := r.word(start, end)
	first, last := strings.IndexByte(line.Text, ' '), strings.LastIndexByte(line.Text, ' ')
	if first <= 0 || last <= first || !isVersion(line.Text[last+1:]) {
		return r.Fail(r.Syntax, line.Span, "this is not a request line", "it must be a method, a path and a version, such as GET /path HTTP/1.1")
	}
	at := int(line.Span.Start)
	r.msg.Method, r.target, r.version = r.word(at, at+first), r.word(at+first, at+last), line.Text[last+1:]
	if r.version == "HTTP/1.0" {
		r.msg.Options = []message.Option{{Name: "--http1.0", Span: r.span(at+last+1, at+len(line.Text))}}
	}
	return true
}

// fields reads the header fields up to an empty line.
func (r *reader) fields() bool {
	for {
		start, end, ok := r.line()
		if !ok {
			return !r.Meter.Over()
		}
		line := r.word(start, end)
		if line.Text == "" {
			return true
		}
		if last := len(r.msg.Fields) - 1; ascii.IsBlank(r.src[start]) && last >= 0 && !r.pairs {
			if !r.fold(&r.msg.Fields[last].Value, line) { // RFC 9112, section 5.2
				return false
			}
			continue
		}
		r.folded = nil
		f, ok := r.field(line)
		if !ok || !r.note(f) {
			return false
		}
	}
}

// fold appends a continuation line to a value.
func (r *reader) fold(value *word.Word, line word.Word) bool {
	if r.folded == nil {
		r.folded = new(meter.Text)
		if !r.folded.Add(r.Meter, value.Text) {
			return false
		}
	}
	if !r.folded.Add(r.Meter, " ") || !r.folded.Add(r.Meter, line.Text) {
		return false
	}
	value.Text = r.folded.String()
	value.Span.End = line.Span.End
	return true
}

// field takes a field apart, whose value is on the next line where names and
// values have lines of their own.
func (r *reader) field(line word.Word) (f message.Field, ok bool) {
	at := int(line.Span.Start)
	if r.pairs {
		f.Name = r.word(at, at+len(strings.TrimRight(line.Text, ":")))
		start, end, ok := r.line()
		if !ok {
			return f, r.Fail(r.Syntax, line.Span, "the value of this field is missing", "copy the fields to the end")
		}
		f.Value = r.word(start, end)
		return f, true
	}
	colon := strings.IndexByte(line.Text[1:], ':') + 1 // the first byte may be one
	if colon == 0 || !ascii.IsToken(strings.TrimPrefix(line.Text[:colon], ":")) {
		return f, r.Fail(r.Syntax, line.Span, "this is not a header field", "a field is a name, a colon and a value; an empty line stands before the content")
	}
	f.Name = word.Word{Text: line.Text[:colon], Span: r.span(at, at+colon)}
	f.Value = r.word(at+colon+1, at+len(line.Text))
	return f, true
}

// note keeps a field. Those of HTTP/2 are what the request line says in HTTP/1.
func (r *reader) note(f message.Field) bool {
	switch f.Name.Text {
	case ":method":
		r.msg.Method = f.Value
	case ":path":
		r.target = f.Value
	case ":scheme":
		r.scheme = f.Value.Text
	case ":authority":
		r.host = f.Value
	default:
		if r.host.Text == "" && ascii.EqualFold(f.Name.Text, "Host") {
			r.host = f.Value
		}
		return meter.Append(r.Meter, &r.msg.Fields, f)
	}
	return true
}
