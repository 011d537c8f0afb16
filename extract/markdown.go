package extract

import (
	"strings"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/source/paste"
)

// A fence is a line of Markdown that opens a block of code.
type fence struct {
	mark   byte // ` or ~
	length int
	info   string // the language, and more
}

// openingFence returns the fence of a line.
func openingFence(line string) (f fence, ok bool) {
	line = strings.TrimSpace(line)
	if line == "" || line[0] != '`' && line[0] != '~' {
		return f, false
	}
	f.mark = line[0]
	for f.length < len(line) && line[f.length] == f.mark {
		f.length++
	}
	f.info = strings.TrimSpace(line[f.length:])
	return f, f.length >= 3 && (f.mark == '~' || strings.IndexByte(f.info, '`') < 0)
}

// closes reports whether a line closes the fence.
func (f fence) closes(line string) bool {
	line = strings.TrimSpace(line)
	return len(line) >= f.length && strings.Trim(line, string(f.mark)) == ""
}

// language returns the language of the code, in lower case.
func (f fence) language() string {
	name := strings.ToLower(strings.TrimLeft(f.info, "{. "))
	if i := strings.IndexAny(name, " \t,{}:=("); i >= 0 {
		name = name[:i]
	}
	return name
}

// markdown finds the commands in a text in Markdown: code in fences, and what
// stands between them.
func (s *scanner) markdown(b *block) {
	prose := 0
	for at := 0; at < len(b.text); {
		end := min(at+ascii.LineLength(b.text[at:])+1, len(b.text))
		if !s.meter.Work((end-at)/4 + 8) {
			return
		}
		quote, indent := linePrefix(b.text[at:end])
		f, ok := openingFence(b.text[at+quote+indent : end])
		if !ok {
			at = end
			continue
		}
		s.prose(b, prose, at)
		at = s.fenced(b, f, end, quote > 0, indent)
		prose = at
	}
	s.prose(b, prose, len(b.text))
}

// linePrefix returns the length of the marks of a quotation that a line starts
// with, and of the indentation after them. The mark of a list counts as
// indentation.
func linePrefix(line string) (quote, indent int) {
	for i := 0; i < len(line) && (line[i] == '>' || ascii.IsBlank(line[i])); i++ {
		if line[i] == '>' {
			quote = i + 1
		}
	}
	rest := line[quote:]
	indent = len(rest) - len(strings.TrimLeft(rest, " \t"))
	if word := firstWord(rest[indent:]); paste.IsMarker(word) {
		indent += len(word)
		indent += len(rest[indent:]) - len(strings.TrimLeft(rest[indent:], " \t"))
	}
	return quote, indent
}

// fenced finds the commands in the code after a fence, which starts at an
// offset, and returns where the text after it starts. Each line loses the
// indentation that the fence has.
func (s *scanner) fenced(b *block, f fence, start int, quoted bool, indent int) int {
	next, end, found := len(b.text), len(b.text), false
	for at := start; at < len(b.text); {
		eol := min(at+ascii.LineLength(b.text[at:])+1, len(b.text))
		line := b.text[at:eol]
		if !s.meter.Work(len(line)/4 + 8) {
			return len(b.text)
		}
		quote := 0
		if quoted {
			quote, _ = linePrefix(line)
		}
		if f.closes(line[quote:]) {
			end, next = at, eol
			break
		}
		found = found || strings.Contains(line, "curl")
		at = eol
	}
	if !found {
		return next
	}
	code := b.part(start, end)
	if quoted || indent > 0 {
		s.dedent(code, quoted, indent)
	}
	if strings.Contains(code.text, `\ # (`) || strings.Contains(code.text, `\  # (`) {
		code = s.listing(code, 0, len(code.text), false)
	}
	s.code(code, f.language())
	return next
}

// dedent takes the marks of a quotation and the indentation off the lines of a
// block.
func (s *scanner) dedent(b *block, quoted bool, indent int) {
	b.places = paste.NewRewriting(b.text, s.meter)
	for at := 0; at < len(b.text); at += ascii.LineLength(b.text[at:]) + 1 {
		line := b.text[at : at+ascii.LineLength(b.text[at:])]
		n := 0
		if quoted {
			n, _ = linePrefix(line)
		}
		most := n + indent
		for n < len(line) && n < most && ascii.IsBlank(line[n]) {
			n++
		}
		if n > 0 {
			b.places.Replace(at, at+n, "")
		}
	}
	b.text = b.places.Text()
}

// prose finds the commands between fences: in backticks, in lines of their own,
// and in HTML.
func (s *scanner) prose(b *block, start, end int) {
	if start >= end || !strings.Contains(b.text[start:end], "curl") || !s.meter.Work((end-start)/8) {
		return
	}
	part := b.part(start, end)
	part.prose = true
	s.html(part, false)
}
