package bash

import (
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// pattern returns the pattern that a word is: what is quoted in it is escaped
// by backslashes. It is not known where the word has holes.
func (r *reader) pattern(w *syntax.Word) (pattern string, known bool) {
	if w == nil {
		return "", true
	}
	return r.patternOf(w.Parts, "*?[]\\!^-&", false)
}

// patternOf escapes the special characters in the quoted parts of a word.
func (r *reader) patternOf(parts []syntax.WordPart, special string, quoted bool) (string, bool) {
	var out []byte
	add := func(s string, quoted bool) {
		if !r.spend(2 * len(s)) {
			return
		}
		for i := 0; i < len(s); i++ {
			if quoted && strings.IndexByte(special, s[i]) >= 0 {
				out = append(out, '\\')
			}
			out = append(out, s[i])
		}
	}
	for _, part := range parts {
		switch p := part.(type) {
		case *syntax.Lit:
			if quoted {
				add(unescape(r.bytes(p.Value), doubleQuoted.escapable()), true)
			} else {
				add(strings.ReplaceAll(r.bytes(p.Value), "\\\n", ""), false)
			}
		case *syntax.SglQuoted:
			add(r.singleQuoted(p), true)
		case *syntax.DblQuoted:
			inner, known := r.patternOf(p.Parts, special, true)
			if !known {
				return "", false
			}
			add(inner, false)
		default:
			b := builder{r: r}
			r.parts(&b, []syntax.WordPart{part}, assigned)
			if len(b.holes) > 0 {
				return "", false
			}
			add(b.text.String(), quoted)
		}
	}
	return string(out), true
}

// trim takes ${X#p}, ${X##p}, ${X%p} and ${X%%p}; ok is false where that would
// take too long.
func (r *reader) trim(text, pattern string, op syntax.ParExpOperator) (trimmed string, ok bool) {
	prefix := op == syntax.RemSmallPrefix || op == syntax.RemLargePrefix
	if literal, ok := isLiteral(pattern); ok {
		if prefix {
			return strings.TrimPrefix(text, literal), true
		}
		return strings.TrimSuffix(text, literal), true
	}
	g := compile(pattern)
	if prefix {
		n := g.prefix(text, op == syntax.RemLargePrefix)
		return text[max(n, 0):], r.work(len(g), len(text))
	}
	if !r.work(len(g), len(text), len(text)) {
		return "", false
	}
	for k := 0; k <= len(text); k++ {
		at := k // where what is removed starts: the longest first
		if op == syntax.RemSmallSuffix {
			at = len(text) - k
		}
		if isRuneBoundary(text, at) && g.matches(text[at:]) {
			return text[:at], true
		}
	}
	return text, true
}

func isRuneBoundary(s string, i int) bool { return i == 0 || i == len(s) || utf8.RuneStart(s[i]) }

// replace takes ${X/pattern/with}, ${X//pattern/with}, and those that are
// bound to the start or the end: ${X/#pattern/with}, ${X/%pattern/with}.
func (r *reader) replace(text string, p *syntax.Replace) (string, bool) {
	pattern, known := r.pattern(p.Orig)
	if !known {
		return "", false
	}
	with := ""
	if p.With != nil {
		if with, known = r.patternOf(p.With.Parts, `&\`, false); !known {
			return "", false
		}
	}
	anchor := byte(0)
	if !p.All && pattern != "" && (pattern[0] == '#' || pattern[0] == '%') {
		anchor, pattern = pattern[0], pattern[1:]
	}
	if literal, ok := isLiteral(pattern); ok {
		return r.replaceLiteral(text, literal, with, anchor, p.All), true
	}
	g := compile(pattern)
	if !r.work(len(g), len(text), len(text)) {
		return "", false
	}
	if text == "" && g.matches("") {
		return substitute(with, ""), true
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		n := -1
		switch {
		case anchor == '%':
			if g.matches(text[i:]) {
				n = len(text) - i
			}
		case anchor == 0 || i == 0:
			n = g.prefix(text[i:], true)
		}
		if n <= 0 {
			_, width := utf8.DecodeRuneInString(text[i:])
			b.WriteString(text[i : i+width])
			i += width
			continue
		}
		replaced := substitute(with, text[i:i+n])
		if !r.spend(len(replaced)) {
			return "", false
		}
		b.WriteString(replaced)
		i += n
		if !p.All {
			b.WriteString(text[i:])
			break
		}
	}
	return b.String(), true
}

// replaceLiteral replaces a text without patterns.
func (r *reader) replaceLiteral(text, old, with string, anchor byte, all bool) string {
	replaced := substitute(with, old)
	switch {
	case anchor == '#':
		if strings.HasPrefix(text, old) {
			return replaced + text[len(old):]
		}
		return text
	case anchor == '%':
		if strings.HasSuffix(text, old) {
			return text[:len(text)-len(old)] + replaced
		}
		return text
	case old == "":
		return text
	}
	n := 1
	if all {
		n = strings.Count(text, old)
	}
	if !r.spend(len(text) + n*len(replaced)) {
		return ""
	}
	return strings.Replace(text, old, replaced, n)
}

// substitute returns a replacement in which & stands for what was matched.
func substitute(with, matched string) string {
	if !strings.ContainsAny(with, `&\`) {
		return with
	}
	var b []byte
	for i := 0; i < len(with); i++ {
		switch {
		case with[i] == '&':
			b = append(b, matched...)
			continue
		case with[i] == '\\' && i+1 < len(with):
			i++
		}
		b = append(b, with[i])
	}
	return string(b)
}
