package ascii

import "strings"

// IsUnreserved reports whether c is an unreserved character of RFC 3986,
// section 2.3, which needs no percent-encoding.
func IsUnreserved(c byte) bool {
	return IsLetter(c) || IsDigit(c) || c == '-' || c == '.' || c == '_' || c == '~'
}

// AppendPercent appends s with all but its unreserved characters percent-encoded,
// and a space as given: "%20", or "+" in form data.
func AppendPercent(dst []byte, s, space string) []byte {
	return AppendEncoded(dst, s, "-._~", space)
}

// AppendEncoded appends s with all but letters, digits and marks
// percent-encoded, and a space as given.
func AppendEncoded(dst []byte, s, marks, space string) []byte {
	const hex = "0123456789ABCDEF"
	for i := range len(s) {
		switch c := s[i]; {
		case IsLetter(c), IsDigit(c), strings.IndexByte(marks, c) >= 0:
			dst = append(dst, c)
		case c == ' ':
			dst = append(dst, space...)
		default:
			dst = append(dst, '%', hex[c>>4], hex[c&15])
		}
	}
	return dst
}

// Decoded returns s without its percent-encoding, and with spaces for plus signs
// where they stand for them, as in form data. A percent sign without two
// hexadecimal digits stays.
func Decoded(s string, plus bool) string {
	if strings.IndexByte(s, '%') < 0 && (!plus || strings.IndexByte(s, '+') < 0) {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '+' && plus:
			c = ' '
		case c == '%' && i+2 < len(s) && IsHex(s[i+1]) && IsHex(s[i+2]):
			c = byte(Hex(s[i+1])<<4 | Hex(s[i+2]))
			i += 2
		}
		b = append(b, c)
	}
	return string(b)
}
