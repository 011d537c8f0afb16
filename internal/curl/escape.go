package curl

import "uncoil/internal/ascii"

// EscapeURL percent-encodes every byte that is not unreserved:
// curl_easy_escape() in curl 8.22 lib/escape.c.
func EscapeURL(s string) string {
	n := escapedLen(s, "%20")
	if n == len(s) {
		return s
	}
	return string(appendEscaped(make([]byte, 0, n), s, "%20"))
}

// EscapeForm percent-encodes for form data, where a space is a plus.
func EscapeForm(s string) string {
	if escapedLen(s, "%20") == len(s) {
		return s
	}
	return string(AppendForm(make([]byte, 0, escapedLen(s, "+")), s))
}

// AppendForm appends what [EscapeForm] returns.
func AppendForm(dst []byte, s string) []byte { return appendEscaped(dst, s, "+") }

// escapedLen returns the length of what appendEscaped appends.
func escapedLen(s, space string) int {
	n := len(s)
	for i := range len(s) {
		switch c := s[i]; {
		case isUnreserved(c):
		case c == ' ':
			n += len(space) - 1
		default:
			n += 2
		}
	}
	return n
}

func appendEscaped(dst []byte, s, space string) []byte {
	const hex = "0123456789ABCDEF"
	for i := range len(s) {
		switch c := s[i]; {
		case isUnreserved(c):
			dst = append(dst, c)
		case c == ' ':
			dst = append(dst, space...)
		default:
			dst = append(dst, '%', hex[c>>4], hex[c&15])
		}
	}
	return dst
}

func isUnreserved(c byte) bool { return ascii.IsNameByte(c) || c == '-' || c == '.' || c == '~' }
