package jsontext

import "unicode/utf8"

// MaxLength returns how many bytes AppendString appends for s at most: exactly
// so many where s is UTF-8.
func MaxLength[T string | []byte](s T) int {
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
	if !valid(s) {
		n += len(s) * (len("\ufffd") - 1)
	}
	return n
}

// valid reports whether s is UTF-8.
func valid[T string | []byte](s T) bool {
	if b, ok := any(s).([]byte); ok {
		return utf8.Valid(b)
	}
	return utf8.ValidString(string(s))
}
