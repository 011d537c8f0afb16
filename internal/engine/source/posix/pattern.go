package posix

import (
	"strings"
	"unicode/utf8"
)

// pattern returns the pattern that parts are: what is quoted in it is escaped
// by backslashes. It is not known where they have holes.
func (r *reader) pattern(parts []part) (pattern string, known bool) {
	return r.patternOf(parts, "*?[]\\!^-&")
}

// patternOf escapes the special characters in the quoted parts of a word.
func (r *reader) patternOf(parts []part, special string) (string, bool) {
	var out []byte
	for i := range parts {
		p := &parts[i]
		quoted, s := p.quoted, p.text
		switch p.kind {
		case open, shut:
			continue
		case literal:
		case escaped:
			if !r.pay(len(s)) {
				return "", false
			}
			if quoted {
				s = unescape(s, doubleQuoted.escapable())
			} else {
				s = strings.ReplaceAll(s, "\\\n", "")
			}
		case single:
			quoted = true
		default:
			b := builder{r: r}
			r.parts(&b, parts[i:i+1], assigned)
			if len(b.holes) > 0 {
				return "", false
			}
			s = b.text.string()
		}
		if r.stopped || !r.hold(2*len(s)) || !r.pay(2*len(s)+2) {
			return "", false
		}
		for i := range len(s) {
			if quoted && strings.IndexByte(special, s[i]) >= 0 {
				out = append(out, '\\')
			}
			out = append(out, s[i])
		}
	}
	return string(out), true
}

// trim takes ${X#p}, ${X##p}, ${X%p} and ${X%%p}.
func (r *reader) trim(text, pattern string, prefix, longest bool) string {
	if literal, ok := isLiteral(pattern); ok {
		if prefix {
			return strings.TrimPrefix(text, literal)
		}
		return strings.TrimSuffix(text, literal)
	}
	g := r.compile(pattern)
	if prefix {
		return text[max(g.prefix(text, longest), 0):]
	}
	g.reverse()
	n := max(g.suffix(text, longest), 0)
	return text[:len(text)-n]
}

// replace takes ${X/pattern/with}, ${X//pattern/with}, and those that are
// bound to the start or the end: ${X/#pattern/with}, ${X/%pattern/with}.
func (r *reader) replace(text string, x *expansion) (string, bool) {
	pattern, known := r.pattern(x.word)
	if !known {
		return "", false
	}
	with := ""
	if x.hasWith {
		if with, known = r.patternOf(x.with, `&\`); !known {
			return "", false
		}
	}
	anchor, all := byte(0), x.op == "//"
	if x.op == "/#" || x.op == "/%" {
		anchor = x.op[1]
	}
	if literal, ok := isLiteral(pattern); ok {
		return r.replaceLiteral(text, literal, with, anchor, all)
	}
	g := r.compile(pattern)
	if text == "" && g.prefix("", true) == 0 {
		return r.substitute(nil, with, "")
	}
	if anchor == '%' {
		return r.replaceEnd(text, g, with)
	}
	var out []byte
	for i := 0; i < len(text); {
		if !r.pay(2) {
			return "", false
		}
		n := -1
		if anchor == 0 || i == 0 {
			n = g.prefix(text[i:], true)
		}
		if n <= 0 {
			if anchor != 0 {
				return text, true
			}
			_, width := utf8.DecodeRuneInString(text[i:])
			out = append(out, text[i:i+width]...)
			i += width
			continue
		}
		if out, known = r.appendSubstitute(out, with, text[i:i+n]); !known {
			return "", false
		}
		i += n
		if !all {
			out = append(out, text[i:]...)
			break
		}
	}
	return string(out), true
}

// replaceEnd replaces the longest end of a text that a pattern matches.
func (r *reader) replaceEnd(text string, g *glob, with string) (string, bool) {
	g.reverse()
	n := g.suffix(text, true)
	if n <= 0 {
		return text, true
	}
	return r.substitute([]byte(text[:len(text)-n]), with, text[len(text)-n:])
}

// replaceLiteral replaces a text without patterns.
func (r *reader) replaceLiteral(text, old, with string, anchor byte, all bool) (string, bool) {
	switch {
	case anchor == '#':
		if strings.HasPrefix(text, old) {
			out, ok := r.substitute(nil, with, old)
			return out + text[len(old):], ok
		}
		return text, true
	case anchor == '%':
		if strings.HasSuffix(text, old) {
			return r.substitute([]byte(text[:len(text)-len(old)]), with, old)
		}
		return text, true
	case old == "":
		return text, true
	}
	n := strings.Count(text, old)
	if !all {
		n = min(n, 1)
	}
	if n == 0 {
		return text, true
	}
	replaced, ok := r.substitute(nil, with, old)
	if !ok || !r.hold(len(text)+n*len(replaced)) {
		return "", false
	}
	return strings.Replace(text, old, replaced, n), true
}

// substitute appends a replacement in which & stands for what was matched.
func (r *reader) substitute(out []byte, with, matched string) (string, bool) {
	out, ok := r.appendSubstitute(out, with, matched)
	return string(out), ok
}

func (r *reader) appendSubstitute(out []byte, with, matched string) ([]byte, bool) {
	if !r.pay(len(with)+1) || !r.hold(len(with)+strings.Count(with, "&")*len(matched)) {
		return out, false
	}
	for i := 0; i < len(with); i++ {
		switch {
		case with[i] == '&':
			out = append(out, matched...)
			continue
		case with[i] == '\\' && i+1 < len(with):
			i++
		}
		out = append(out, with[i])
	}
	return out, true
}
