package extract

import (
	"strings"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/source/paste"
)

// html finds the commands in the elements pre and code of a text. What stands
// outside of them is left out in a page, and otherwise read as the block says.
func (s *scanner) html(b *block, page bool) {
	outside := 0
	for at := 0; at < len(b.text); {
		n := strings.IndexByte(b.text[at:], '<')
		if n < 0 {
			break
		}
		if at += n; !s.meter.Work(n/8 + 16) {
			return
		}
		name, length := tag(b.text[at:])
		if name != "pre" && name != "code" {
			at += max(length, 1)
			continue
		}
		start := at + length
		size := indexEnd(b.text[start:], name)
		if !s.meter.Work(max(size, 0)/4 + 8) {
			return
		}
		if size < 0 {
			at = start
			continue
		}
		if !page {
			s.between(b, outside, at)
		}
		s.element(b, start, start+size, name)
		at = start + size
		outside = at
	}
	if !page {
		s.between(b, outside, len(b.text))
	}
}

// between finds the commands in a part of a block.
func (s *scanner) between(b *block, start, end int) {
	if start < end {
		part := b.part(start, end)
		part.shell, part.prose = b.shell, b.prose
		s.block(part)
	}
}

// indexEnd returns where the end tag of an element is that has a name, or -1. It
// looks no further than a command may be long.
func indexEnd(text, name string) int {
	text = text[:min(len(text), 4*window)]
	for at := 0; ; {
		n := strings.Index(text[at:], "</")
		if n < 0 {
			return -1
		}
		at += n
		if ascii.HasPrefixFold(text[at+2:], name) {
			return at
		}
		at += 2
	}
}

// tag returns the name of the tag that a text starts with, in lower case with
// the slash of an end tag, and its length; 0 where there is none.
func tag(s string) (name string, length int) {
	const longest = 1024
	s = s[:min(len(s), longest)]
	if len(s) < 3 || s[0] != '<' || !ascii.IsLetter(s[1]) && (s[1] != '/' || !ascii.IsLetter(s[2])) {
		return "", 0
	}
	n := 2
	for n < len(s) && (ascii.IsLetter(s[n]) || ascii.IsDigit(s[n]) || s[n] == '-') {
		n++
	}
	name = strings.ToLower(s[1:n])
	for quote := byte(0); n < len(s); n++ {
		switch c := s[n]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '>':
			return name, n + 1
		case c == '<':
			return "", 0
		}
	}
	return "", 0
}

// element finds the commands in the content of an element, as a browser shows
// it.
func (s *scanner) element(b *block, start, end int, name string) {
	src := b.text[start:end]
	if !strings.Contains(src, "curl") {
		return
	}
	code := b.part(start, end)
	code.shell = true
	if strings.IndexByte(src, '<') >= 0 || strings.IndexByte(src, '&') >= 0 {
		code.places = s.shown(src)
		code.text = code.places.Text()
	}
	if name == "code" && strings.IndexByte(strings.TrimSpace(code.text), '\n') < 0 {
		code.shell, code.inline = false, true
		if !strings.HasPrefix(strings.TrimLeft(code.text, " \t\r\n$"), "curl") {
			return
		}
	}
	s.block(code)
}

// shown returns the text of markup as a browser shows it: without tags and entities, and
// in capitals where the style of an element has them.
func (s *scanner) shown(src string) *paste.Rewriting {
	w := paste.NewRewriting(src, s.meter)
	for i := 0; i < len(src); i++ {
		switch src[i] {
		case '<':
			name, n := tag(src[i:])
			if n == 0 {
				continue
			}
			with := ""
			if name == "br" {
				with = "\n"
			}
			w.Replace(i, i+n, with)
			if size := strings.IndexAny(src[i+n:], "<&"); showsCapitals(src[i:i+n]) && size > 0 {
				w.Replace(i+n, i+n+size, strings.ToUpper(src[i+n:i+n+size]))
				n += size
			}
			i += n - 1
		case '&':
			if r, n := paste.Entity(src[i:]); n > 0 {
				w.Replace(i, i+n, string(r))
				i += n - 1
			}
		}
	}
	return w
}

// showsCapitals reports whether the style of an element has its text in capitals, as
// generators of documentation write methods.
func showsCapitals(tag string) bool {
	return strings.Contains(strings.ReplaceAll(tag, " ", ""), "text-transform:uppercase")
}
