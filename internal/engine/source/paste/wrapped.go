package paste

import (
	"strings"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/meter"
)

// Unwrap undoes what the place that a whole text comes from did to it: tags of
// a page's source, the quotes of a string in a program, the numbers of lines.
// It returns what to read instead, and what it was, or nil where the text is
// none of these. No shell would run curl for them.
func Unwrap(src string, m *meter.Meter) (w *Rewriting, what string) {
	start := 0
	for start < len(src) && strings.IndexByte(" \t\r\n", src[start]) >= 0 {
		start++
	}
	if start == len(src) {
		return nil, ""
	}
	switch c := src[start]; {
	case c == '<':
		return withoutTags(src, start, m), "the text is HTML source, and was read as a browser shows it"
	case c == '"' || c == '\'':
		return unquoted(src, start, m), "the whole text is in quotes, which were left out"
	case c == 'c':
		return unescaped(src, start, m), "the quotes are escaped as in the string of a program, and were read as the program would print them"
	case ascii.IsDigit(c):
		return withoutNumbers(src, start, m), "the lines are numbered, and the numbers were left out"
	}
	if strings.IndexByte(src[start:], '\n') > 0 {
		return withoutMarks(src, start, m), "every line begins with the mark of a quotation, which was left out"
	}
	return nil, ""
}

// tagLength returns the length of the tag at the start of s, one of those that
// stand around code on a page, or 0.
func tagLength(s string) int {
	const longest = 256
	end := strings.IndexByte(s[:min(len(s), longest)], '>')
	if end < 2 {
		return 0
	}
	name := strings.TrimPrefix(s[1:end], "/")
	if i := strings.IndexAny(name, " /"); i >= 0 {
		name = name[:i]
	}
	switch strings.ToLower(name) {
	case "pre", "code", "samp", "kbd", "span", "div", "p", "br":
		return end + 1
	}
	return 0
}

// withoutTags reads the text of a page that begins with a tag.
func withoutTags(src string, start int, m *meter.Meter) *Rewriting {
	if tagLength(src[start:]) == 0 {
		return nil
	}
	w := NewRewriting(src, m)
	for i := start; i < len(src); i++ {
		switch src[i] {
		case '<':
			if n := tagLength(src[i:]); n > 0 {
				w.Replace(i, i+n, "")
				i += n - 1
			}
		case '&':
			if r, n := Entity(src[i:]); n > 0 {
				w.Replace(i, i+n, string(r))
				i += n - 1
			}
		}
	}
	return w
}

// unquoted reads a text in quotes that begins with curl: as a string of JSON, C
// and the like when its own double quotes have backslashes.
func unquoted(src string, start int, m *meter.Meter) *Rewriting {
	quote := src[start]
	end := len(strings.TrimRight(src, " \t\r\n,;"))
	inner := start + 1
	if end-1 <= inner || src[end-1] != quote || !strings.HasPrefix(src[inner:], "curl ") {
		return nil
	}
	escaped := quote == '"'
	for i := inner; i < end-1; i++ {
		switch src[i] {
		case '\\':
			i++
		case quote:
			escaped = false
			if quote == '\'' && src[i-1] != '\\' {
				return nil // the quotes end here
			}
		}
	}
	if quote == '"' && !escaped {
		return nil
	}
	w := NewRewriting(src, m)
	w.Replace(0, inner, "")
	if quote == '"' {
		w.Unescape(inner, end-1)
	}
	w.Replace(end-1, len(src), "")
	return w
}

// unescaped reads a command that was cut out of a string of JSON, C and the
// like: each of its double quotes has a backslash, and one begins a URL or a
// header, which a shell would pass with the quote; or it has the line breaks of such
// a string. Beside single quotes, in which a shell keeps a backslash, only what curl
// refuses shows it.
func unescaped(src string, start int, m *meter.Meter) *Rewriting {
	if !strings.HasPrefix(src[start:], "curl ") || !hasEscapes(src[start:]) {
		return nil
	}
	if first := strings.IndexByte(src, '"'); first > 0 && src[first-1] != '\\' {
		return nil // it is not escaped
	}
	plain := strings.IndexByte(src, '\'') < 0
	quotes, sign, single := 0, false, false
	for i := start; i < len(src); i++ {
		switch src[i] {
		case '"':
			return nil
		case '\'':
			single = !single
		case '\\':
			if i+1 == len(src) || single && src[i+1] == '\'' {
				continue
			}
			before, rest := src[start:i], src[i:]
			i++
			quote := src[i] == '"'
			if quote {
				quotes++
			}
			if single || !strings.HasSuffix(before, " ") {
				continue
			}
			sign = sign || quote && quotes%2 == 1 && (beginsURL(rest[2:]) || plain && strings.HasSuffix(before, " -H ")) ||
				strings.HasPrefix(rest, `\\\n `) || strings.HasPrefix(rest, `\u0027`) && beginsURL(rest[len(`\u0027`):])
		}
	}
	if !sign || quotes%2 != 0 || single {
		return nil
	}
	w := NewRewriting(src, m)
	w.Unescape(start, len(src))
	return w
}

// hasEscapes reports whether a word of a text begins with an escape that unescaped
// takes for a sign.
func hasEscapes(text string) bool {
	for i := strings.IndexByte(text, '\\'); i > 0 && i+1 < len(text); {
		if c := text[i+1]; text[i-1] == ' ' && (c == '"' || c == '\\' || c == 'u') {
			return true
		}
		n := strings.IndexByte(text[i+1:], '\\')
		if n < 0 {
			return false
		}
		i += 1 + n
	}
	return false
}

func beginsURL(s string) bool {
	return strings.HasPrefix(s, "http://") || strings.HasPrefix(s, "https://")
}

// Unescape replaces the escapes of a string.
func (w *Rewriting) Unescape(start, end int) {
	for i := start; i+1 < end; i++ {
		if w.src[i] != '\\' {
			continue
		}
		if with, ok := escapes[w.src[i+1]]; ok {
			w.Replace(i, i+2, with)
		} else if c, ok := escapedASCII(w.src[i:end]); ok {
			w.Replace(i, i+len(`\u0027`), string(c))
		}
		i++
	}
}

// escapedASCII returns the character of a \u0027 at the start of s, as writers of JSON
// spell the characters that HTML knows.
func escapedASCII(s string) (c rune, ok bool) {
	if len(s) < len(`\u0027`) || !strings.HasPrefix(s, `\u00`) || !ascii.IsHex(s[4]) || !ascii.IsHex(s[5]) {
		return 0, false
	}
	c = rune(ascii.Hex(s[4])<<4 | ascii.Hex(s[5]))
	return c, c >= ' ' && c < 0x7f
}

// escapes are those that a command in a string needs.
var escapes = map[byte]string{'"': `"`, '\\': `\`, '/': "/", 'n': "\n", 'r': "\r", 't': "\t"}

// withoutNumbers reads lines that are numbered one after the other from 1 on.
// Numbers alone on their lines may stand before the command too.
func withoutNumbers(src string, start int, m *meter.Meter) *Rewriting {
	w := NewRewriting(src, m)
	next, curl := 1, false
	for at := start; at < len(src); {
		line := src[at : at+ascii.LineLength(src[at:])]
		trimmed := strings.TrimLeft(line, " \t")
		digits := 0
		for digits < len(trimmed) && ascii.IsDigit(trimmed[digits]) {
			digits++
		}
		rest := strings.TrimLeft(trimmed[digits:], " \t|:")
		alone := strings.TrimSpace(rest) == ""
		switch {
		case digits > 0 && alone && !curl:
		case digits > 0 && trimmed[:digits] == decimal(next):
			next++
			curl = curl || strings.HasPrefix(rest, "curl ") || strings.HasPrefix(rest, "#")
		case strings.TrimSpace(line) == "":
		case digits == 0 && next == 1: // the numbers stood alone
			if len(trimmed) < 5 || !ascii.EqualFold(trimmed[:5], "curl ") {
				return nil
			}
			return w
		default:
			return nil
		}
		if digits > 0 {
			w.Replace(at, at+len(line)-len(rest), "")
		}
		at += len(line) + 1
	}
	if !curl {
		return nil
	}
	return w
}

func decimal(n int) string {
	var digits []byte
	for ; n > 0; n /= 10 {
		digits = append([]byte{byte('0' + n%10)}, digits...)
	}
	return string(digits)
}
