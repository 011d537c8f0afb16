package posix

import (
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
)

// delimiter reads the delimiter of a here-document. Quotes are taken off, and
// nothing in it is expanded.
func (r *reader) delimiter(d *document) bool {
	var text []byte
	start := r.i
	for r.i < r.end && !r.endsWord(r.i) && r.src[r.i] != '<' && r.src[r.i] != '>' {
		switch c := r.src[r.i]; c {
		case '\'', '"':
			n := strings.IndexByte(r.src[r.i+1:r.end], c)
			if n < 0 {
				return r.unclosed(r.i, "quote")
			}
			d.quoted = true
			text = append(text, r.src[r.i+1:r.i+1+n]...)
			r.i += n + 2
		case '\\':
			d.quoted = true
			if r.i++; r.i < r.end {
				text = append(text, r.src[r.i])
				r.i++
			}
		default:
			text = append(text, c)
			r.i++
		}
	}
	if r.i == start {
		return r.unexpected(d.at, "the here-document has no delimiter")
	}
	d.delimiter = string(text)
	return r.hold(len(text))
}

// documents reads the here-documents whose operators stood on the line that
// has ended.
func (r *reader) documents() bool {
	if len(r.docs) == 0 {
		return true
	}
	docs := r.docs
	r.docs = nil
	crlf := r.i > 1 && r.src[r.i-2] == '\r'
	for _, d := range docs {
		if !r.document(d, crlf) {
			return false
		}
	}
	return true
}

// document reads the lines up to the delimiter. Their carriage returns are
// part of the text unless all lines of the script end so.
func (r *reader) document(d *document, crlf bool) bool {
	start := r.i
	body, next, found := r.findDelimiter(d, crlf)
	prompted := r.paste.Prompted()
	text := r.src[start:body]
	if !found && len(text) > 0 {
		r.diags.Warn(diag.WarnPastedNoise, diag.Span{Start: int32(d.at), End: int32(min(d.at+2, r.end))},
			"the line that ends this here-document is missing; the shell would read it to the end of the text", "add a line "+short(d.delimiter))
	}
	changed := crlf && strings.Contains(text, "\r\n") || d.tabs && strings.Contains(text, "\t") || prompted && strings.Contains(text, "> ")
	if changed {
		if !r.hold(len(text)) {
			return false
		}
		text = strippedLines(text, d.tabs, crlf, prompted)
	}
	d.text = text
	if d.quoted || !strings.ContainsAny(text, "$`\\") {
		r.i = next
		return true
	}
	src, last, mark, inDoc := r.src, r.end, len(r.pieces), r.inDoc
	r.inDoc = true
	if changed {
		r.src, r.i, r.end = text, 0, len(text)
	} else {
		r.end = body
	}
	ok := r.quotedParts(0)
	d.parts = r.take(mark)
	r.src, r.end, r.i, r.inDoc = src, last, next, inDoc
	if !ok && r.failed && changed && len(r.diags) > 0 {
		r.diags[len(r.diags)-1].Span = diag.Span{Start: int32(d.at), End: int32(d.at + 1)}
	}
	return ok
}

// findDelimiter returns where the text of a here-document ends and where the
// script goes on. Where no line is the delimiter, one that has blanks around
// it is meant.
func (r *reader) findDelimiter(d *document, crlf bool) (body, next int, found bool) {
	indented, after := -1, 0
	joined := false
	for i := r.i; i < r.end; {
		n := min(ascii.LineLength(r.src[i:r.end])+1, r.end-i)
		line := strings.TrimSuffix(r.src[i:i+n], "\n")
		plain := line
		if crlf {
			plain = strings.TrimSuffix(plain, "\r")
		}
		if d.tabs {
			plain = strings.TrimLeft(plain, "\t")
		}
		if r.paste.Prompted() {
			plain = strings.TrimPrefix(plain, "> ")
		}
		if plain == d.delimiter && !joined {
			return i, i + n, true
		}
		if indented < 0 && r.script == nil && strings.Trim(line, " \t\r") == d.delimiter {
			indented, after = i, i+n
		}
		if joined = false; !d.quoted && strings.HasSuffix(plain, "\\") {
			slashes := len(plain) - len(strings.TrimRight(plain, "\\"))
			joined = slashes%2 == 1
		}
		i += n
	}
	if indented >= 0 {
		r.paste.Warn(indented, after, "blanks stand around the end of the here-document", "remove them: the shell would not find the end")
		return indented, after, true
	}
	return r.end, r.end, false
}

// strippedLines returns lines without what does not belong to a here-document.
func strippedLines(text string, tabs, crlf, prompted bool) string {
	out := make([]byte, 0, len(text))
	for text != "" {
		n := min(ascii.LineLength(text)+1, len(text))
		line := text[:n]
		text = text[n:]
		if prompted {
			line = strings.TrimPrefix(line, "> ")
		}
		if tabs {
			line = strings.TrimLeft(line, "\t")
		}
		if crlf && strings.HasSuffix(line, "\r\n") {
			out = append(append(out, line[:len(line)-2]...), '\n')
			continue
		}
		out = append(out, line...)
	}
	return string(out)
}

// short returns the start of a text that a message quotes.
func short(s string) string {
	if len(s) > 40 {
		s = s[:40] + "…"
	}
	return strings.ToValidUTF8(s, "?")
}
