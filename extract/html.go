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
	ends := endTags{text: b.text, none: make(map[string]int, 2)}
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
		size, searched := ends.index(start, name)
		if !s.meter.Work(searched/4 + 8) {
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

// endTags finds the end tags of elements in a text.
type endTags struct {
	text string
	none map[string]int // by name: no end tag begins between the last search and there
}

// index returns how far behind a start its end tag is, or -1, and how many bytes were searched. It
// looks no further than a command may be long, and nowhere twice: elements that are never closed
// cost as much as the text is long.
func (e *endTags) index(start int, name string) (size, searched int) {
	from := max(start, e.none[name])
	limit := max(min(len(e.text), start+4*window), from)
	for at := from; ; {
		n := strings.Index(e.text[at:limit], "</")
		if n < 0 {
			e.none[name] = max(from, limit-len("</")-len(name))
			return -1, limit - from
		}
		at += n
		if ascii.HasPrefixFold(e.text[at+2:limit], name) {
			return at - start, at - from
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
	if inner := strings.TrimSpace(src); len(inner) > len("{``}") && strings.HasPrefix(inner, "{`") && strings.HasSuffix(inner, "`}") {
		at := start + strings.Index(src, "{`") + len("{`")
		code = s.unescaped(b, at, at+len(inner)-len("{``}"))
		src = ""
	}
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
