package shell

import (
	"strings"
	"unicode/utf8"
)

// DecodeANSI decodes what stands between the quotes of $'…' as bash does.
// \xHH and \nnn are bytes, \u and \U characters; a NUL ends the text.
func DecodeANSI(s string) string {
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
		if j := strings.IndexByte(`abeEfnrtv\'"?`, s[i]); j >= 0 {
			b = append(b, "\a\b\x1b\x1b\f\n\r\t\v\\'\"?"[j])
			continue
		}
		switch c := s[i]; {
		case c >= '0' && c <= '7':
			v, n := number(s[i:], 8, 3)
			i += n - 1
			if byte(v) == 0 {
				return string(b)
			}
			b = append(b, byte(v))
		case c == 'x' || c == 'u' || c == 'U':
			digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[c]
			v, n := number(s[i+1:], 16, digits)
			i += n
			switch {
			case n == 0:
				b = append(b, '\\', c)
			case v == 0:
				return string(b)
			case c == 'x':
				b = append(b, byte(v))
			default:
				b = utf8.AppendRune(b, rune(v))
			}
		case c == 'c' && i+1 < len(s):
			i++
			control := s[i] & 0x1f
			if s[i] == '?' {
				control = 0x7f
			}
			if control == 0 {
				return string(b)
			}
			b = append(b, control)
		default:
			b = append(b, '\\', c)
		}
	}
	return string(b)
}

// number reads at most digits digits of a base.
func number(s string, base uint32, digits int) (value uint32, n int) {
	for n < len(s) && n < digits {
		d := strings.IndexByte("0123456789abcdef", lower(s[n]))
		if d < 0 || uint32(d) >= base {
			break
		}
		value = value*base + uint32(d)
		n++
	}
	return value, n
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
