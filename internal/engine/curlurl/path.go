package curlurl

import (
	"strings"

	"uncoil/internal/engine/ascii"
)

// RemoveDotSegments removes the segments "." and "..", also when their dots
// are percent-encoded: dedotdotify() in curl 8.22 lib/urlapi.c.
func RemoveDotSegments(path string) string {
	if !hasDotSegment(path) {
		return path
	}
	out := make([]byte, 0, len(path))
	rest := path
	for rest != "" {
		// A segment is taken with the slash before it.
		segment := rest
		if i := strings.IndexByte(rest[1:], '/'); i >= 0 {
			segment = rest[:i+1]
		}
		rest = rest[len(segment):]
		switch dots(segment[1:]) {
		case 1:
			if rest == "" {
				out = append(out, '/')
			}
		case 2:
			i := len(out) - 1
			for i >= 0 && out[i] != '/' {
				i--
			}
			out = out[:max(i, 0)]
			if rest == "" {
				out = append(out, '/')
			}
		default:
			out = append(out, segment...)
		}
	}
	return string(out)
}

// hasDotSegment is the quick test that spares most paths the work.
func hasDotSegment(path string) bool {
	for {
		slash := strings.IndexByte(path, '/')
		if slash < 0 {
			return false
		}
		if path = path[slash+1:]; strings.HasPrefix(path, ".") || strings.HasPrefix(path, "%2") {
			return true
		}
	}
}

// dots returns 1 for ".", 2 for "..", percent-encoded or not, and else 0.
func dots(segment string) int {
	n := 0
	for segment != "" {
		switch {
		case segment[0] == '.':
			segment = segment[1:]
		case len(segment) >= 3 && segment[:2] == "%2" && ascii.Lower(segment[2]) == 'e':
			segment = segment[3:]
		default:
			return 0
		}
		if n++; n > 2 {
			return 0
		}
	}
	return n
}

const upperHexDigits = "0123456789ABCDEF"

// encodePath percent-encodes bytes that are not allowed in a path and spells
// percent-encodings in upper case: urlencode_str() in curl 8.22
// lib/urlapi.c. Marks of placeholders pass.
func encodePath(path string) string {
	for i := range len(path) {
		if c := path[i]; c >= 0x7f || c == '%' {
			return string(appendEncoded(make([]byte, 0, len(path)+16), path))
		}
	}
	return path
}

func appendEncoded(dst []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c >= 0x7f:
			dst = append(dst, '%', upperHexDigits[c>>4], upperHexDigits[c&15])
		case isEncoded(s, i):
			dst = append(dst, '%', upperHexDigits[ascii.Hex(s[i+1])], upperHexDigits[ascii.Hex(s[i+2])])
			i += 2
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

// upperHex spells percent-encodings in upper case and leaves the rest alone.
func upperHex(s string) string {
	if strings.IndexByte(s, '%') < 0 {
		return s
	}
	b := []byte(s)
	for i := 0; i+2 < len(b); i++ {
		if isEncoded(s, i) {
			b[i+1], b[i+2] = upperHexDigits[ascii.Hex(b[i+1])], upperHexDigits[ascii.Hex(b[i+2])]
			i += 2
		}
	}
	return string(b)
}

// Unescape decodes percent-encoding; what is malformed stays. ok is false
// when the result holds a control character.
func Unescape(s string) (decoded string, ok bool) {
	if strings.IndexByte(s, '%') < 0 {
		return s, true
	}
	b := make([]byte, 0, len(s))
	ok = true
	for i := 0; i < len(s); i++ {
		c := s[i]
		if isEncoded(s, i) {
			c = byte(ascii.Hex(s[i+1])<<4 | ascii.Hex(s[i+2]))
			i += 2
			if c < ' ' {
				ok = false
			}
		}
		b = append(b, c)
	}
	return string(b), ok
}

// isEncoded reports whether s[i:] starts with a percent-encoded byte.
func isEncoded(s string, i int) bool {
	return s[i] == '%' && i+2 < len(s) && ascii.IsHex(s[i+1]) && ascii.IsHex(s[i+2])
}

// EscapePath percent-encodes all bytes that are not allowed in a path
// (url_encode_part() in curl 8.22 lib/urlapi.c).
func EscapePath(s string) string {
	b := make([]byte, 0, len(s))
	for _, c := range []byte(s) {
		if ascii.IsLetter(c) || ascii.IsDigit(c) || strings.IndexByte("-._~!$&'(){}[]*+,;=:@/", c) >= 0 {
			b = append(b, c)
		} else {
			b = append(b, '%', upperHexDigits[c>>4], upperHexDigits[c&15])
		}
	}
	return string(b)
}
