package jsontext

import "unicode/utf8"

// MaxLength returns how many bytes AppendString appends for s at most: exactly
// so many where s is UTF-8.
func MaxLength(s string) int {
	n := len(s) + len(`""`)
	for i := range len(s) {
		switch c := s[i]; {
		case c >= ' ' && c != '"' && c != '\\':
		case c == '"' || c == '\\' || c == '\n' || c == '\r' || c == '\t':
			n++
		default:
			n += len(`\u0000`) - 1
		}
	}
	if !utf8.ValidString(s) {
		n += len(s) * (len("\ufffd") - 1)
	}
	return n
}
