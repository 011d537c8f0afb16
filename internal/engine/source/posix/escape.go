package posix

import (
	"strings"
	"unicode/utf8"

	"uncoil/internal/engine/ascii"
)

// replaceEscapes returns s with other text for each backslash and what it
// escapes. From the text after the backslash, replace appends what that stands
// for, and returns how many bytes it used; -1 ends the text.
func replaceEscapes(s string, replace func(dst []byte, s string) (out []byte, n int)) string {
	i := strings.IndexByte(s, '\\')
	if i < 0 {
		return s
	}
	b := make([]byte, 0, len(s))
	for ; i >= 0 && i+1 < len(s); i = strings.IndexByte(s, '\\') {
		b = append(b, s[:i]...)
		for s = s[i:]; len(s) > 1 && s[0] == '\\'; {
			var n int
			if b, n = replace(b, s[1:]); n < 0 {
				return string(b)
			}
			s = s[1+n:]
		}
	}
	return string(append(b, s...))
}

// An escaping is where backslash escapes stand, which decides what some mean.
type escaping uint8

const (
	inQuotes   escaping = iota // $'…': a NUL ends the text
	inFormat                   // of printf
	inArgument                 // of printf's %b: \c ends all output, a zero may begin an octal number
	inEcho                     // of echo -e: a zero must begin it
)

// decodeEscapes decodes backslash escapes as bash does. \xHH and \nnn are bytes,
// \u and \U characters. stops reports an escape that ends all output.
func decodeEscapes(s string, in escaping) (text string, stops bool) {
	text = replaceEscapes(s, func(b []byte, s string) ([]byte, int) {
		b, n := appendEscape(b, s)
		switch c := s[0]; {
		case n > 0:
		case in <= inFormat && strings.IndexByte(`"'?`, c) >= 0:
			return append(b, c), 1
		case in == inQuotes && c == 'c' && len(s) > 1:
			control := s[1] & 0x1f
			if s[1] == '?' {
				control = 0x7f
			}
			b, n = append(b, control), 2
		case in > inFormat && c == 'c':
			stops = true
			return b, -1
		case c >= '0' && c <= '7' && (in != inEcho || c == '0'):
			limit := 3
			if in > inFormat && c == '0' {
				limit = 4 // the zero is not one of the digits
			}
			var v uint32
			v, n = leadingNumber(s, 8, limit)
			b = append(b, byte(v))
		default:
			return append(b, '\\', c), 1
		}
		if in == inQuotes && b[len(b)-1] == 0 {
			return b[:len(b)-1], -1
		}
		return b, n
	})
	return text, stops
}

// appendEscape appends what s, the text after a backslash, stands for in all
// texts of bash: a letter for a control character, \xHH for a byte, \u and \U
// for a character. It returns how many bytes of s it used, none for what other
// escapes begin with.
func appendEscape(dst []byte, s string) (out []byte, n int) {
	if j := strings.IndexByte(`abeEfnrtv\`, s[0]); j >= 0 {
		return append(dst, "\a\b\x1b\x1b\f\n\r\t\v\\"[j]), 1
	}
	limit := 0
	switch s[0] {
	case 'x':
		limit = 2
	case 'u':
		limit = 4
	case 'U':
		limit = 8
	default:
		return dst, 0
	}
	v, n := leadingNumber(s[1:], 16, limit)
	switch {
	case n == 0:
		return append(dst, '\\', s[0]), 1
	case s[0] == 'x':
		return append(dst, byte(v)), 1 + n
	}
	return utf8.AppendRune(dst, rune(v)), 1 + n
}

// leadingNumber reads the number that s begins with, of at most limit digits,
// and returns how many it has.
func leadingNumber(s string, base uint32, limit int) (value uint32, n int) {
	for n < len(s) && n < limit {
		d := strings.IndexByte("0123456789abcdef", ascii.Lower(s[n]))
		if d < 0 || uint32(d) >= base {
			break
		}
		value = value*base + uint32(d)
		n++
	}
	return value, n
}
