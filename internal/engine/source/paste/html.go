package paste

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"uncoil/internal/engine/meter"
)

// IsEscapedHTML reports whether the text as a whole is escaped: an entity
// stands where a shell would take it for something else, outside quotes or at
// the start of a JSON text; no quote that has an entity is there as it is; no &
// begins anything but an entity; and no here-document is there, whose << would
// be escaped too, and whose text may be XML.
func IsEscapedHTML(src string) bool {
	if strings.IndexByte(src, '&') < 0 || strings.IndexByte(src, ';') < 0 || strings.Contains(src, "<<") {
		return false
	}
	var entities [256]bool // the ASCII characters that entities stand for
	outside, quote, ansi := false, byte(0), false
	for i := 0; i < len(src); i++ {
		switch c := src[i]; c {
		case '&':
			r, n := Entity(src[i:])
			if n == 0 {
				return false
			}
			if r < utf8.RuneSelf {
				entities[r] = true
			}
			json := i > 0 && (src[i-1] == '{' || src[i-1] == '[') && r == '"'
			outside = outside || quote == 0 || json
			i += n - 1
		case '\\':
			if quote != '\'' || ansi {
				i++
			}
		case '"', '\'':
			switch quote {
			case 0:
				quote, ansi = c, c == '\'' && i > 0 && src[i-1] == '$'
			case c:
				quote = 0
			}
		}
	}
	for _, c := range []byte(`"'<>`) {
		if entities[c] && strings.IndexByte(src, c) >= 0 {
			return false
		}
	}
	return outside
}

// Entity returns the character that the HTML entity at the start of s stands
// for, and its length; n is 0 where there is none.
func Entity(s string) (r rune, n int) {
	const longest = len("&#x10ffff;")
	end := strings.IndexByte(s[:min(len(s), longest)], ';')
	if end < 2 {
		return 0, 0
	}
	name := s[1:end]
	switch name {
	case "amp":
		return '&', end + 1
	case "lt":
		return '<', end + 1
	case "gt":
		return '>', end + 1
	case "quot":
		return '"', end + 1
	case "apos":
		return '\'', end + 1
	case "nbsp":
		return ' ', end + 1
	}
	digits, base := strings.TrimPrefix(name, "#"), 10
	if digits == name {
		return 0, 0
	}
	if digits[:min(1, len(digits))] == "x" || digits[:min(1, len(digits))] == "X" {
		digits, base = digits[1:], 16
	}
	code, err := strconv.ParseUint(digits, base, 32)
	if err != nil || code == 0 || !utf8.ValidRune(rune(code)) {
		return 0, 0
	}
	return rune(code), end + 1
}

// UnescapeHTML replaces the entities of a text by what they stand for.
func UnescapeHTML(src string, m *meter.Meter) *Rewriting {
	w := NewRewriting(src, m)
	for i := 0; i < len(src); i++ {
		if src[i] != '&' {
			continue
		}
		if r, n := Entity(src[i:]); n > 0 {
			w.Replace(i, i+n, string(r))
			i += n - 1
		}
	}
	return w
}

// UnescapeBlanks replaces each &nbsp; of a text by a blank.
func UnescapeBlanks(src string, m *meter.Meter) *Rewriting {
	const blank = "&nbsp;"
	w := NewRewriting(src, m)
	for at := 0; m.Work(16); {
		n := strings.Index(src[at:], blank)
		if n < 0 {
			break
		}
		w.Replace(at+n, at+n+len(blank), " ")
		at += n + len(blank)
	}
	return w
}
