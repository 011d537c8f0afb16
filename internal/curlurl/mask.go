package curlurl

import (
	"strconv"
	"strings"

	"uncoil/internal/shell"
)

// A mark stands for a placeholder: these two control characters, which curl
// accepts in no URL, around the placeholder's number.
const (
	markOpen  = '\x01'
	markClose = '\x02'
)

// Masked is a URL whose placeholders are hidden behind marks.
type Masked struct {
	Text         string
	placeholders []string
	templates    bool // some placeholder is none of the shell's variables
}

// Mask hides the placeholders of a URL: the unknown parts of the word, {{x}},
// <x>, and {x} where x is one name. Control characters that could be taken
// for marks become another one, which the parser refuses as well.
func Mask(w shell.Word) Masked {
	s := w.Text
	if strings.IndexByte(s, markOpen) >= 0 || strings.IndexByte(s, markClose) >= 0 {
		return Masked{Text: strings.NewReplacer(string(markOpen), "\x03", string(markClose), "\x03").Replace(s)}
	}
	if len(w.Holes) == 0 && strings.IndexByte(s, '{') < 0 && strings.IndexByte(s, '<') < 0 {
		return Masked{Text: s}
	}
	var m Masked
	var b strings.Builder
	holes := w.Holes
	inSet := false // within {a,b}, which holds no placeholder in braces
	for i := 0; i < len(s); {
		n := 0
		if len(holes) > 0 && int(holes[0].Start) == i {
			n = int(holes[0].End - holes[0].Start)
			holes = holes[1:]
		} else {
			if s[i] != '{' || !inSet {
				n = placeholderLength(s[i:])
			}
			if i > 0 && (s[i] == '{' && s[i-1] == '\\' || s[i] == '<' && (s[i-1] == '{' || s[i-1] == '[')) {
				n = 0 // an escaped brace, or the name of a glob
			}
			m.templates = m.templates || n > 0
		}
		if n == 0 {
			if escaped := i > 0 && s[i-1] == '\\'; !escaped && (s[i] == '{' || s[i] == '}') {
				inSet = s[i] == '{'
			}
			b.WriteByte(s[i])
			i++
			continue
		}
		b.WriteByte(markOpen)
		b.WriteString(strconv.Itoa(len(m.placeholders)))
		b.WriteByte(markClose)
		m.placeholders = append(m.placeholders, s[i:i+n])
		i += n
		for len(holes) > 0 && int(holes[0].Start) < i {
			holes = holes[1:]
		}
	}
	m.Text = b.String()
	return m
}

// maxPlaceholder is the longest text that is taken for a placeholder.
const maxPlaceholder = 100

// placeholderLength returns the length of the placeholder that s begins
// with, or 0.
func placeholderLength(s string) int {
	open, closing := "", ""
	switch {
	case strings.HasPrefix(s, "{{"):
		open, closing = "{{", "}}"
	case s[0] == '{':
		open, closing = "{", "}"
	case s[0] == '<':
		open, closing = "<", ">"
	default:
		return 0
	}
	window := s[:min(len(s), maxPlaceholder)]
	end := strings.Index(window, closing)
	if end < 0 || !isPlaceholderName(s[len(open):end], open != "{") {
		return 0
	}
	return end + len(closing)
}

// isPlaceholderName reports whether a text is one name. Between double
// braces and angle brackets templates allow more: blanks, filters.
func isPlaceholderName(s string, loose bool) bool {
	if s == "" || !loose && isDigit(s[0]) {
		return false
	}
	for i := range len(s) {
		switch c := s[i]; {
		case isAlpha(c) || isDigit(c) || c == '_' || c >= 0x80:
		case (c == '-' || c == '.' || c == ':' || c == '$') && (loose || i > 0):
		case loose && strings.IndexByte(" |\"'()/#@", c) >= 0:
		default:
			return false
		}
	}
	return true
}

// HasTemplate reports whether there are placeholders other than the unknown
// variables of the shell.
func (m Masked) HasTemplate() bool { return m.templates }

// Restore puts the placeholders back into a text made from the masked one.
func (m Masked) Restore(s string) string {
	if len(m.placeholders) == 0 || strings.IndexByte(s, markOpen) < 0 {
		return s
	}
	var b strings.Builder
	for s != "" {
		before, after, found := strings.Cut(s, string(markOpen))
		b.WriteString(before)
		if !found {
			break
		}
		number, rest, _ := strings.Cut(after, string(markClose))
		if n, err := strconv.Atoi(number); err == nil && n < len(m.placeholders) {
			b.WriteString(m.placeholders[n])
		}
		s = rest
	}
	return b.String()
}

// markPrefix returns the length of the mark that s begins with, or 0.
func markPrefix(s string) int {
	if s == "" || s[0] != markOpen {
		return 0
	}
	return strings.IndexByte(s, markClose) + 1
}
