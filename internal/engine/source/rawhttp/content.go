package rawhttp

import (
	"strconv"
	"strings"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/word"
)

// content reads what follows the empty line. Content-Length says how much of it
// is the content. An editor may have changed the line breaks; the content is
// then what has the length with CRLF. Without a length the content goes up to
// the end of the text, without the line break that ends the last line.
func (r *reader) content() bool {
	start, rest := r.pos, r.src[r.pos:]
	switch {
	case rest == "" || r.pairs:
		return true
	case ascii.EqualFold(r.value("Transfer-Encoding"), "chunked"):
		return r.chunked(rest)
	}
	length, err := strconv.Atoi(r.value("Content-Length"))
	switch next := strings.TrimLeft(rest, "\r\n"); {
	case err == nil && length >= 0 && length <= len(rest) && endsThere(rest[length:]):
		r.take(start, rest[:length], length)
		return true
	case err != nil && (next == "" || startsRequest(next) || startsAnswer(next)):
		return true // the next message, or nothing
	}
	trimmed := strings.TrimSuffix(strings.TrimSuffix(rest, "\n"), "\r")
	r.take(start, trimmed, len(rest))
	if err != nil && !ascii.HasPrefixFold(r.value("Content-Type"), "multipart/") || strings.Contains(trimmed, "\r\n") {
		return true
	}
	if !r.Meter.Work(len(rest)/4) || !r.Meter.Hold(3*len(rest)) {
		return false
	}
	if wire := strings.ReplaceAll(trimmed, "\n", "\r\n"); err != nil || len(wire) == length {
		r.msg.Content.Text = wire
	} else if len(wire)+len("\r\n") == length {
		r.msg.Content.Text = wire + "\r\n"
	}
	return true
}

// value returns the value of a field, or "".
func (r *reader) value(name string) string {
	for i := range r.msg.Fields {
		if f := &r.msg.Fields[i]; ascii.EqualFold(f.Name.Text, name) {
			return f.Value.Text
		}
	}
	return ""
}

// take makes a text the content, and steps over n bytes.
func (r *reader) take(start int, text string, n int) {
	r.msg.HasContent = text != "" || n > 0 && r.value("Content-Length") == "0"
	r.msg.Content = word.Word{Text: text, Span: r.span(start, start+len(text))}
	r.pos = start + n
}

// endsThere reports whether a message can end before s.
func endsThere(s string) bool {
	s = strings.TrimLeft(s, "\r\n")
	return s == "" || startsRequest(s) || startsAnswer(s)
}

// chunked reads content in chunks (RFC 9112, section 7.1), which curl sends as
// chunks of its own. A text without them has been put together already.
func (r *reader) chunked(rest string) bool {
	var joined meter.Text
	for at := 0; ; {
		line := rest[at : at+ascii.LineLength(rest[at:])]
		digits, _, _ := strings.Cut(strings.TrimRight(line, "\r"), ";")
		size, err := strconv.ParseInt(strings.Trim(digits, " \t"), 16, 32)
		at = min(at+len(line)+1, len(rest))
		if err != nil || size < 0 || at+int(size) > len(rest) {
			r.take(r.pos, strings.TrimSuffix(strings.TrimSuffix(rest, "\n"), "\r"), len(rest))
			return true
		}
		if !r.Meter.Work(lineSteps) || !joined.Add(r.Meter, rest[at:at+int(size)]) {
			return false
		}
		at += int(size)
		if size == 0 {
			r.msg.HasContent = true
			r.msg.Content = word.Word{Text: joined.String(), Span: r.span(r.pos, r.pos+at)}
			r.pos += at
			return true
		}
		if strings.HasPrefix(rest[at:], "\r") {
			at++
		}
		if strings.HasPrefix(rest[at:], "\n") {
			at++
		}
	}
}
