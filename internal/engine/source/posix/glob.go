package posix

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// A glob is a pattern of *, ?, [set] and text, cut into elements that match
// one character each, but for the star.
type glob struct {
	r        *reader
	elements []element
	at, next []bool // scratch: the elements before i have matched so far
}

// An element is a character, any character, a set of them, or a star.
type element struct {
	kind    elementKind
	char    rune
	low     [2]uint64 // a set: the characters of ASCII
	ranges  [][2]rune // and those beyond
	negated bool
}

type elementKind uint8

const (
	character elementKind = iota
	anyOne
	anySet
	star
)

// compile cuts a pattern into its elements.
func (r *reader) compile(pattern string) *glob {
	g := &glob{r: r}
	unclosed := false // no bracket after the last one closes
	for i := 0; i < len(pattern); {
		if !r.pay(8) {
			return g
		}
		e := element{}
		width := 1
		switch c := pattern[i]; {
		case c == '*':
			e.kind = star
		case c == '?':
			e.kind = anyOne
		case c == '[' && !unclosed:
			n := r.charSet(pattern[i:], &e)
			if n > 0 {
				e.kind, width = anySet, n
				break
			}
			unclosed = strings.IndexByte(pattern[i+1:], ']') < 0
			e = element{char: '['}
		case c == '\\' && i+1 < len(pattern):
			e.char, width = utf8.DecodeRuneInString(pattern[i+1:])
			width++
		default:
			e.char, width = utf8.DecodeRuneInString(pattern[i:])
		}
		i += width
		if !add(r, &g.elements, e) {
			return g
		}
	}
	if !r.holdTree(2 * len(g.elements)) {
		return g
	}
	g.at, g.next = make([]bool, len(g.elements)+1), make([]bool, len(g.elements)+1)
	return g
}

// reverse reverses the elements, to match from the end.
func (g *glob) reverse() { slices.Reverse(g.elements) }

// prefix returns the length of the shortest or longest start of text that the
// glob matches, or -1.
func (g *glob) prefix(text string, longest bool) int {
	return g.match(text, longest, utf8.DecodeRuneInString)
}

// suffix is prefix from the end of the text, for a glob that was reversed.
func (g *glob) suffix(text string, longest bool) int {
	end := len(text)
	return g.match(text, longest, func(rest string) (rune, int) {
		c, width := utf8.DecodeLastRuneInString(text[:end])
		end -= width
		return c, width
	})
}

// match follows all ways to match at once: at[i] is true where the elements before
// i have matched so far.
func (g *glob) match(text string, longest bool, decode func(string) (rune, int)) int {
	if len(g.at) == 0 || !g.r.pay(len(g.elements)) {
		return -1
	}
	clear(g.at)
	g.at[0] = true
	low, high := 0, 0 // the ways are between these
	high = g.skipStars(low, high)
	found := -1
	for i := 0; ; {
		if g.at[len(g.elements)] {
			found = i
			if !longest {
				return found
			}
		}
		if i == len(text) || !g.r.pay(high-low+2) {
			return found
		}
		c, width := decode(text[i:])
		i += width
		nextLow, nextHigh := len(g.elements)+1, -1
		for e := low; e <= high && e < len(g.elements); e++ {
			if !g.at[e] {
				continue
			}
			to := e
			if g.elements[e].kind != star {
				if !g.elements[e].matches(c) {
					continue
				}
				to++
			}
			g.next[to] = true
			nextLow, nextHigh = min(nextLow, to), max(nextHigh, to)
		}
		clear(g.at[low : high+1])
		if nextHigh < 0 {
			return found
		}
		g.at, g.next = g.next, g.at
		low, high = nextLow, nextHigh
		high = g.skipStars(low, high)
	}
}

// skipStars adds the ways in which a star matches nothing, and returns the
// last way.
func (g *glob) skipStars(low, high int) int {
	for e := low; e <= high && e < len(g.elements); e++ {
		if g.at[e] && g.elements[e].kind == star {
			g.at[e+1] = true
			high = max(high, e+1)
		}
	}
	return high
}

// matches reports whether an element other than a star matches a character.
func (e *element) matches(c rune) bool {
	switch e.kind {
	case anyOne:
		return true
	case character:
		return e.char == c
	}
	if c >= 0 && c < 128 {
		return (e.low[c>>6]>>(c&63)&1 == 1) != e.negated
	}
	for _, span := range e.ranges {
		if span[0] <= c && c <= span[1] {
			return !e.negated
		}
	}
	return e.negated
}

// add adds the characters of a range to a set.
func (e *element) add(low, high rune) {
	for c := low; c <= high && c < 128; c++ {
		e.low[c>>6] |= 1 << (c & 63)
	}
	if high >= 128 {
		e.ranges = append(e.ranges, [2]rune{max(low, 128), high})
	}
}

// charSet reads a set such as [a-z] or [!0-9], and returns its length, 0 where the
// bracket begins none.
func (r *reader) charSet(pattern string, e *element) int {
	i := 1
	if i < len(pattern) && (pattern[i] == '!' || pattern[i] == '^') {
		e.negated = true
		i++
	}
	next := func() rune {
		if pattern[i] == '\\' && i+1 < len(pattern) {
			i++
		}
		c, width := utf8.DecodeRuneInString(pattern[i:])
		i += width
		return c
	}
	for first := true; i < len(pattern); first = false {
		if !r.pay(4) {
			return 0
		}
		if pattern[i] == ']' && !first {
			return i + 1
		}
		if strings.HasPrefix(pattern[i:], "[:") {
			if end := strings.Index(pattern[i:min(len(pattern), i+16)], ":]"); end > 0 {
				for c := rune(0); c < 128; c++ {
					if inClass(pattern[i+2:i+end], c) {
						e.add(c, c)
					}
				}
				if !r.pay(128) {
					return 0
				}
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
		if high >= 128 && len(e.ranges) >= 16 && !r.hold(8) {
			return 0
		}
		e.add(low, high)
	}
	return 0
}

// isLiteral reports whether a pattern matches only one text, and returns it.
func isLiteral(pattern string) (text string, ok bool) {
	if !strings.ContainsAny(pattern, "*?[\\") {
		return pattern, true
	}
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
	case "print":
		return c >= ' ' && c < 0x7f
	case "graph":
		return c > ' ' && c < 0x7f
	case "cntrl":
		return c < ' ' || c == 0x7f
	case "word":
		return lower || upper || digit || c == '_'
	}
	return false
}
