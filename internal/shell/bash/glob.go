package bash

import (
	"strings"
	"unicode/utf8"
)

// A glob is a pattern of *, ?, [set] and text, cut into elements that match
// one character each, but for the star.
type glob []string

// compile cuts a pattern into its elements.
func compile(pattern string) glob {
	var g glob
	for pattern != "" {
		n := 1
		if pattern[0] != '*' {
			n, _ = matchOne(pattern, 0)
		}
		g = append(g, pattern[:n])
		pattern = pattern[n:]
	}
	return g
}

// prefix returns the length of the shortest or longest start of text that the
// glob matches, or -1. It follows all ways to match at once: at[i] says that
// the elements before i have matched so far.
func (g glob) prefix(text string, longest bool) int {
	at, next := make([]bool, len(g)+1), make([]bool, len(g)+1)
	at[0] = true
	g.skipStars(at)
	found := -1
	for i := 0; ; {
		if at[len(g)] {
			found = i
			if !longest {
				return found
			}
		}
		if i == len(text) {
			return found
		}
		c, width := utf8.DecodeRuneInString(text[i:])
		i += width
		clear(next)
		alive := false
		for e := range g {
			if !at[e] {
				continue
			}
			if g[e] == "*" {
				next[e], alive = true, true
			} else if _, ok := matchOne(g[e], c); ok {
				next[e+1], alive = true, true
			}
		}
		if !alive {
			return found
		}
		at, next = next, at
		g.skipStars(at)
	}
}

// skipStars adds the ways in which a star matches nothing.
func (g glob) skipStars(at []bool) {
	for e := range g {
		if at[e] && g[e] == "*" {
			at[e+1] = true
		}
	}
}

// matches reports whether the glob matches the whole of a text.
func (g glob) matches(text string) bool { return g.prefix(text, true) == len(text) }

// isLiteral reports whether a pattern matches only one text, and returns it.
func isLiteral(pattern string) (text string, ok bool) {
	var b []byte
	for i := 0; i < len(pattern); i++ {
		switch pattern[i] {
		case '*', '?', '[':
			return "", false
		case '\\':
			if i+1 < len(pattern) {
				i++
			}
		}
		b = append(b, pattern[i])
	}
	return string(b), true
}

// matchOne matches the first element of a pattern with a character and
// returns the element's length.
func matchOne(pattern string, c rune) (n int, ok bool) {
	switch pattern[0] {
	case '?':
		return 1, true
	case '[':
		if n, ok := matchSet(pattern, c); n > 0 {
			return n, ok
		}
	case '\\':
		if len(pattern) > 1 {
			r, n := utf8.DecodeRuneInString(pattern[1:])
			return n + 1, r == c
		}
	}
	r, n := utf8.DecodeRuneInString(pattern)
	return n, r == c
}

// matchSet matches a set such as [a-z] or [!0-9]; n is 0 where the bracket
// begins none.
func matchSet(pattern string, c rune) (n int, ok bool) {
	i := 1
	negated := i < len(pattern) && (pattern[i] == '!' || pattern[i] == '^')
	if negated {
		i++
	}
	next := func() rune {
		if pattern[i] == '\\' && i+1 < len(pattern) {
			i++
		}
		r, width := utf8.DecodeRuneInString(pattern[i:])
		i += width
		return r
	}
	for first := true; i < len(pattern); first = false {
		if pattern[i] == ']' && !first {
			return i + 1, ok != negated
		}
		if strings.HasPrefix(pattern[i:], "[:") {
			if end := strings.Index(pattern[i:], ":]"); end > 0 {
				ok = ok || inClass(pattern[i+2:i+end], c)
				i += end + 2
				continue
			}
		}
		low := next()
		high := low
		if i+1 < len(pattern) && pattern[i] == '-' && pattern[i+1] != ']' {
			i++
			high = next()
		}
		ok = ok || low <= c && c <= high
	}
	return 0, false
}

// inClass reports whether an ASCII character is in a class such as digit.
func inClass(name string, c rune) bool {
	lower, upper, digit := c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9'
	switch name {
	case "alnum":
		return lower || upper || digit
	case "alpha":
		return lower || upper
	case "digit":
		return digit
	case "lower":
		return lower
	case "upper":
		return upper
	case "space":
		return c == ' ' || c >= '\t' && c <= '\r'
	case "blank":
		return c == ' ' || c == '\t'
	case "punct":
		return c > ' ' && c < 0x7f && !lower && !upper && !digit
	case "xdigit":
		return digit || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
	}
	return false
}
