package fetch

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
)

// str reads a string, or a template with expressions of which the value is known.
func (r *reader) str(quote byte) (string, bool) {
	start := r.pos
	from := start + 1
	for i := from; i < len(r.src); i++ {
		switch c := r.src[i]; {
		case c == quote:
			r.pos = i + 1
			return r.src[from:i], true
		case c == '\\', c == '\r' && quote == '`', c == '$' && quote == '`' && strings.HasPrefix(r.src[i:], "${"):
			return r.unescape(quote, start, i)
		case c == '\n' && quote != '`':
			i = len(r.src)
		}
	}
	r.pos = start + 1
	return "", r.Fail(diag.CodeUnterminatedQuote, r.span(start), "a string is never closed", "copy the text to its end")
}

// unescape reads the rest of a string that begins at start, from its first
// escape or expression on.
func (r *reader) unescape(quote byte, start, i int) (string, bool) {
	b := append(make([]byte, 0, i-start+32), r.src[start+1:i]...)
	for i < len(r.src) {
		switch c := r.src[i]; {
		case c == quote:
			r.pos = i + 1
			return string(b), true
		case c == '\n' && quote != '`':
			i = len(r.src)
		case c == '$' && quote == '`' && strings.HasPrefix(r.src[i:], "${"):
			r.pos = i + len("${")
			v, ok := r.value()
			if !ok {
				return "", false
			}
			if v.kind > text || v.kind == undefined || !r.skip('}') {
				r.pos = min(i+len("${"), len(r.src))
				return "", r.unknown(i)
			}
			if !r.Meter.Hold(2 * len(v.text)) {
				return "", false
			}
			b, i = append(b, v.text...), r.pos
		case c == '\r' && quote == '`': // a line break is one character
			b = append(b, '\n')
			if i++; strings.HasPrefix(r.src[i:], "\n") {
				i++
			}
		case c == '\\' && i+1 < len(r.src):
			char, n := escape(r.src[i:])
			if n == 0 {
				r.pos = min(i+2, len(r.src))
				return "", r.Fail(r.Syntax, diag.Span{Start: int32(i), End: int32(r.pos)}, "JavaScript has no such escape", "")
			}
			if char >= 0 {
				b = utf8.AppendRune(b, char)
			}
			i += n
		default:
			b = append(b, c)
			i++
		}
	}
	r.pos = start + 1
	return "", r.Fail(diag.CodeUnterminatedQuote, r.span(start), "a string is never closed", "copy the text to its end")
}

// escape returns the character of the escape at the start of s, negative for
// none, and its length, 0 where it is none.
func escape(s string) (char rune, n int) {
	switch s[1] {
	case 'n':
		return '\n', 2
	case 't':
		return '\t', 2
	case 'r':
		return '\r', 2
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'v':
		return '\v', 2
	case '0':
		if len(s) > 2 && ascii.IsDigit(s[2]) {
			return 0, 0
		}
		return 0, 2
	case '\n':
		return -1, 2
	case '\r':
		if strings.HasPrefix(s[2:], "\n") {
			return -1, 3
		}
		return -1, 2
	case 'x':
		return hexDigits(s, 2, 2)
	case 'u':
		if strings.HasPrefix(s[2:], "{") {
			end := strings.IndexByte(s[:min(len(s), 12)], '}')
			if end < 0 {
				return 0, 0
			}
			char, n = hexDigits(s, 3, end-3)
			return char, min(n, 1) * (end + 1)
		}
		char, n = hexDigits(s, 2, 4)
		if utf16.IsSurrogate(char) && strings.HasPrefix(s[n:], `\u`) {
			if low, m := hexDigits(s[n:], 2, 4); m > 0 && utf16.DecodeRune(char, low) != utf8.RuneError {
				return utf16.DecodeRune(char, low), n + m
			}
		}
		return char, n
	}
	if ascii.IsDigit(s[1]) {
		return 0, 0
	}
	char, size := utf8.DecodeRuneInString(s[1:])
	return char, 1 + size
}

// hexDigits reads n hexadecimal digits of s from offset at on, and returns the
// end of them, or 0.
func hexDigits(s string, at, n int) (char rune, end int) {
	if n <= 0 || at+n > len(s) {
		return 0, 0
	}
	v, err := strconv.ParseUint(s[at:at+n], 16, 32)
	if err != nil || v > utf8.MaxRune {
		return 0, 0
	}
	return rune(v), at + n
}
