package posix

import (
	"strings"
	"unicode/utf8"

	"uncoil/internal/ascii"
)

// decodeANSI decodes what stands between the quotes of $'…' as bash does.
// \xHH and \nnn are bytes, \u and \U characters; a NUL ends the text.
func decodeANSI(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b = append(b, s[i])
			continue
		}
		i++
		var n int
		if b, n = appendEscape(b, s[i:]); n > 0 {
			i += n - 1
		} else {
			switch c := s[i]; {
			case strings.IndexByte(`'"?`, c) >= 0:
				b = append(b, c)
				continue
			case c >= '0' && c <= '7':
				v, n := leadingNumber(s[i:], 8, 3)
				b = append(b, byte(v))
				i += n - 1
			case c == 'c' && i+1 < len(s):
				i++
				control := s[i] & 0x1f
				if s[i] == '?' {
					control = 0x7f
				}
				b = append(b, control)
			default:
				b = append(b, '\\', c)
				continue
			}
		}
		if b[len(b)-1] == 0 {
			return string(b[:len(b)-1])
		}
	}
	return string(b)
}

// appendEscape appends what s, the text behind a backslash, stands for in all
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
// and says how many it has.
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
