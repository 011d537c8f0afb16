package check

import (
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/curl"
	"uncoil/internal/engine/jsontext"
	"uncoil/internal/engine/source/paste"
)

// nearJSON names what is wrong with a body that a single kind of change makes JSON, and
// reports whether there is such a kind. The change is a fix where the text spells the body
// between single quotes.
func (k *checker) nearJSON(s *curl.Setting, body string) bool {
	if !k.meter.Work(8*len(body)) || !k.meter.Hold(4*len(body)) {
		return true
	}
	for _, kind := range [...]struct {
		change        func(string) string
		what, instead string
	}{
		{withCommas, "a comma is missing between two of its members or values", "write the comma"},
		{withEscapedBreaks, "a line break stands within one of its strings", `write \n for it`},
		{withoutInvisible, "it holds " + invisibleIn(body) + ", a blank or character that JSON does not know", "remove it, or write a blank for it"},
		{withoutComments, "it has comments, which JSON does not know", "remove them"},
	} {
		text := kind.change(body)
		if text == body || !jsontext.Container(text) {
			continue
		}
		message, hint := notJSON+": "+kind.what, kind.instead
		if raw := k.raw(s.Value.Span); strings.HasPrefix(raw, "$'") && strings.Contains(raw, `\n`) {
			k.warn(diag.WarnInvalidJSON, s.Value.Span, notJSON+": within $'…' the shell makes \\n a line break, which no string of JSON may hold", `write \\n for it, or use '…' without the dollar`)
		} else if raw == "'"+body+"'" {
			k.fix(diag.WarnInvalidJSON, s.Value.Span, message, hint, s.Value.Span, k.quoted(text))
		} else {
			k.warn(diag.WarnInvalidJSON, s.Value.Span, message, hint)
		}
		return true
	}
	return false
}

// notJSON begins the messages about a body that is not of its type.
const notJSON = "the content type is JSON, but the body is not"

// HasComments reports whether a body has comments outside of its strings, as some write for
// those who read it.
func HasComments(body string) bool { return withoutComments(body) != body }

// strands calls outside with each stretch of a text that is no string of JSON, and string
// with each that is, quotes included. An open string goes to the end.
func strands(text string, outside, string func(start, end int)) {
	for at := 0; at < len(text); {
		n := strings.IndexByte(text[at:], '"')
		if n < 0 {
			n = len(text) - at
		}
		outside(at, at+n)
		if at += n; at == len(text) {
			return
		}
		end := at + 1
		for end < len(text) && text[end] != '"' {
			if text[end] == '\\' {
				end++
			}
			end++
		}
		end = min(end+1, len(text))
		string(at, end)
		at = end
	}
}

// withCommas puts a comma where a value follows another one.
func withCommas(body string) string {
	out := make([]byte, 0, len(body)+1)
	end := 0 // where the value before ends, if one does
	begin := func() {
		if end > 0 {
			blanks := string(out[end:])
			out = append(append(out[:end], ','), blanks...)
		}
		end = 0
	}
	strands(body, func(start, stop int) {
		for i := start; i < stop; i++ {
			switch c := body[i]; {
			case c == '{' || c == '[':
				begin()
			case c == ',' || c == ':':
				end = 0
			case isScalarByte(c) && (i == start || !isScalarByte(body[i-1])):
				begin()
			}
			out = append(out, body[i])
			if c := body[i]; c == '}' || c == ']' || isScalarByte(c) && (i+1 == stop || !isScalarByte(body[i+1])) {
				end = len(out)
			}
		}
	}, func(start, stop int) {
		begin()
		out = append(out, body[start:stop]...)
		end = len(out)
	})
	return string(out)
}

// isScalarByte reports a byte of a number, of true, false or null.
func isScalarByte(c byte) bool { return ascii.IsNameByte(c) || strings.IndexByte("+-.", c) >= 0 }

// withEscapedBreaks writes the line breaks within strings as JSON does.
func withEscapedBreaks(body string) string {
	var b strings.Builder
	strands(body, func(start, end int) { b.WriteString(body[start:end]) }, func(start, end int) {
		b.WriteString(breaks.Replace(body[start:end]))
	})
	return b.String()
}

var breaks = strings.NewReplacer("\r\n", `\n`, "\n", `\n`, "\t", `\t`)

// withoutInvisible puts a blank for each blank or character without width that is not of
// ASCII, outside of strings.
func withoutInvisible(body string) string {
	var b strings.Builder
	strands(body, func(start, end int) {
		for i := start; i < end; {
			if n := paste.WideBlank(body[i:end]); n > 0 {
				b.WriteByte(' ')
				i += n
				continue
			}
			b.WriteByte(body[i])
			i++
		}
	}, func(start, end int) { b.WriteString(body[start:end]) })
	return b.String()
}

// invisibleIn names the first blank or character without width of a body.
func invisibleIn(body string) string {
	for i := range len(body) {
		if paste.WideBlank(body[i:]) > 0 {
			return paste.CodePoint(body[i:])
		}
	}
	return ""
}

// withoutComments leaves out comments: from // or # to the end of the line, behind a blank
// or a mark of JSON, and from /* to */.
func withoutComments(body string) string {
	out := make([]byte, 0, len(body))
	quoted, closed := false, strings.LastIndex(body, "*/")
	for i := 0; i < len(body); i++ {
		c := body[i]
		switch {
		case c == '"':
			quoted = !quoted
		case quoted && c == '\\' && i+1 < len(body):
			out = append(out, c)
			i++
		case !quoted && (c == '/' || c == '#'):
			if n := commentLength(body, i, closed); n > 0 {
				i += n - 1
				continue
			}
		}
		out = append(out, body[i])
	}
	return string(out)
}

// commentLength returns the length of the comment at an offset, or 0. The last */ is closed, so
// that what does not close is not looked for from each place.
func commentLength(body string, at, closed int) int {
	rest := body[at:]
	switch {
	case strings.HasPrefix(rest, "/*"):
		if closed > at {
			return strings.Index(rest, "*/") + len("*/")
		}
	case strings.HasPrefix(rest, "//") || rest[0] == '#':
		if at == 0 || strings.IndexByte(" \t\r\n,{}[]\"", body[at-1]) >= 0 || ascii.IsDigit(body[at-1]) {
			return ascii.LineLength(rest)
		}
	}
	return 0
}
