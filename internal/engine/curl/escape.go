package curl

import "uncoil/internal/engine/ascii"

// EscapeURL percent-encodes every byte that is not unreserved:
// curl_easy_escape() in curl 8.22 lib/escape.c.
func EscapeURL(s string) string { return escape(s, "%20") }

// EscapeForm percent-encodes for form data, where a space is a plus.
func EscapeForm(s string) string { return escape(s, "+") }

// escape allocates once, and not at all when no byte needs encoding.
func escape(s, space string) string {
	if escapedLen(s, "%20") == len(s) {
		return s
	}
	return string(ascii.AppendPercent(make([]byte, 0, escapedLen(s, space)), s, space))
}

// escapedLen returns the length of s after encoding.
func escapedLen(s, space string) int {
	n := len(s)
	for i := range len(s) {
		switch c := s[i]; {
		case ascii.IsUnreserved(c):
		case c == ' ':
			n += len(space) - 1
		default:
			n += 2
		}
	}
	return n
}
