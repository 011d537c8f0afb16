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
