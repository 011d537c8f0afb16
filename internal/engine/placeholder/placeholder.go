// Package placeholder says how documentation writes what its readers are to replace:
// {name}, {{ name }}, <name>, YOUR_NAME and API_KEY, and an ellipsis for what is left out.
//
// Where such a text may stand, and what else stands for a value there, each reader says
// beside its own.
package placeholder

import (
	"strings"

	"uncoil/internal/engine/ascii"
)

// Max is how many bytes a placeholder between signs has at most, so that each byte of a text
// is looked at a few times only.
const Max = 100

// Cut returns the sign that opens the placeholder with which a text begins ({, {{ or <), what
// stands up to the sign that closes it, and its length with both; 0 where there is none.
// Whether that is a name is another question.
func Cut(s string) (open, inside string, length int) {
	closing := ">"
	switch {
	case strings.HasPrefix(s, "{{"):
		open, closing = "{{", "}}"
	case strings.HasPrefix(s, "{"):
		open, closing = "{", "}"
	case strings.HasPrefix(s, "<"):
		open = "<"
	default:
		return "", "", 0
	}
	end := strings.Index(s[len(open):min(len(s), Max)], closing)
	if end < 0 {
		return "", "", 0
	}
	return open, s[len(open) : len(open)+end], len(open) + end + len(closing)
}

// Length returns the length of the placeholder between signs that a text begins with, or 0.
// Between braces stands one name. Between double braces and angle brackets templates allow
// more: blanks, filters, and any expression between <% and %>.
func Length(s string) int {
	if n := Template(s); n > 0 {
		return n
	}
	open, inside, n := Cut(s)
	if n == 0 || !isName(inside, open != "{") {
		return 0
	}
	return n
}

func isName(s string, loose bool) bool {
	if s == "" || !loose && ascii.IsDigit(s[0]) {
		return false
	}
	for i := range len(s) {
		switch c := s[i]; {
		case ascii.IsNameByte(c) || c >= 0x80:
		case (c == '-' || c == '.' || c == ':' || c == '$') && (loose || i > 0):
		case loose && strings.IndexByte(" |\"'()/#@", c) >= 0:
		default:
			return false
		}
	}
	return true
}

// OpensAngle reports whether a text begins as <name> does, and not as a redirection, a
// closing tag or a number: with a letter.
func OpensAngle(s string) bool { return len(s) > 1 && s[0] == '<' && ascii.IsLetter(s[1]) }

// Template returns the length of the <%= name %> with which a text begins, or 0.
func Template(s string) int {
	if !strings.HasPrefix(s, "<%") {
		return 0
	}
	n := strings.Index(s[len("<%"):min(len(s), Max)], "%>")
	if n < 1 || strings.IndexByte(s[:len("<%")+n], '\n') >= 0 {
		return 0
	}
	return len("<%") + n + len("%>")
}

// Interpolated returns the length of the #{name} of Ruby with which a text begins, or 0.
func Interpolated(s string) int {
	if !strings.HasPrefix(s, "#{") {
		return 0
	}
	n := strings.IndexByte(s[:min(len(s), Max)], '}')
	if n <= len("#{") || strings.IndexByte(s[:n], '\n') >= 0 {
		return 0
	}
	return n + 1
}

// Yours returns the length of your_name, YOUR-NAME and the like with which a text begins, or
// 0.
func Yours(s string) int {
	const your = "your"
	n := len(your)
	if len(s) <= n+1 || !ascii.EqualFold(s[:n], your) || s[n] != '_' && s[n] != '-' {
		return 0
	}
	for n < len(s) && IsWordByte(s[n]) {
		n++
	}
	if n == len(your)+1 {
		return 0
	}
	return n
}

// IsWordByte reports a byte of a name with hyphens.
func IsWordByte(c byte) bool { return c == '-' || ascii.IsNameByte(c) }

// IsCapitals reports whether a text is a name in capitals of more than one word, as API_KEY
// and USER-ID are.
func IsCapitals(s string) bool {
	words := strings.IndexAny(s, "_-")
	return words > 0 && words < len(s)-1 && s[0] >= 'A' && s[0] <= 'Z' && strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == ""
}

// Elides reports whether a text says that something of it is left out.
func Elides(s string) bool { return strings.Contains(s, "...") || strings.Contains(s, "…") }
