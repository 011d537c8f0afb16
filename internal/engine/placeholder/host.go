package placeholder

import (
	"strings"

	"uncoil/internal/engine/ascii"
)

// HostLength returns the length of the placeholder that a text begins with in a form that
// documentation uses for hosts and that curl refuses there, or 0: **host**, [HOST],
// <10.0.0.1>, @@HOST@@, %s, an ellipsis.
func HostLength(s string) int {
	if s == "" {
		return 0
	}
	switch s[0] {
	case '*':
		if strings.HasPrefix(s, "**") {
			return enclosed(s, "**", "**")
		}
		return enclosed(s, "*", "*")
	case '[':
		// A host that there is stands for nothing else.
		if n := enclosed(s, "[", "]"); n > 0 && ascii.IsLetter(s[1]) && !ascii.EqualFold(s[1:n-1], "localhost") {
			return n
		}
	case '<':
		return enclosed(s, "<", ">")
	case '@':
		if strings.HasPrefix(s, "@@") {
			return enclosed(s, "@@", "@@")
		}
	case '%':
		if len(s) > 1 && (s[1] == 's' || s[1] == 'd') && (len(s) == 2 || !isName(s[2:3], false)) {
			return 2
		}
	case '\xe2':
		if strings.HasPrefix(s, "…") {
			return len("…")
		}
	}
	return 0
}

// DollarLength returns the length of the $HOST or ${HOST} that a text begins with, or 0.
func DollarLength(s string) int {
	if strings.HasPrefix(s, "${") {
		return enclosed(s, "${", "}")
	}
	if s == "" || s[0] != '$' {
		return 0
	}
	if n := ascii.NameLength(s[1:]); n > 0 {
		return 1 + n
	}
	return 0
}

// enclosed returns the length of a name between two marks with which a text begins, or 0.
func enclosed(s, open, end string) int {
	rest := s[len(open):min(len(s), Max)]
	n := strings.Index(rest, end)
	if n < 1 {
		return 0
	}
	for i := range n {
		if c := rest[i]; !IsWordByte(c) && c < 0x80 && strings.IndexByte(" .", c) < 0 {
			return 0
		}
	}
	return len(open) + n + len(end)
}

// PortLength returns the length of the word that stands for a port at the start of a text, or
// 0: port, PORT, your_port, xxxx.
func PortLength(s string) int {
	n := 0
	for n < len(s) && n < Max && (IsWordByte(s[n]) || s[n] == '#') {
		n++
	}
	word := s[:n]
	if n == 0 || ascii.IsDigit(s[0]) || !strings.Contains(strings.ToLower(word), "port") && strings.Trim(word, "xX") != "" && strings.Trim(word, "nN") != "" && strings.Trim(word, "#") != "" {
		return 0
	}
	return n
}
