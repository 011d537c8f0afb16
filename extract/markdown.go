package extract

import (
	"strings"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/markup"
	"uncoil/internal/engine/source/paste"
)

// markdown finds the commands in a text in Markdown: code in fences, and what
// stands between them.
func (s *scanner) markdown(b *block) {
	prose := 0
	for d := range markup.Blocks(b.text, markup.Markdown, s.meter.Work) {
		s.prose(b, prose, d.From)
		s.fenced(b, &d)
		prose = d.To
	}
	s.prose(b, prose, len(b.text))
}

// fenced finds the commands in the code between two fences. Each line loses the
// indentation that the first fence has.
func (s *scanner) fenced(b *block, d *markup.Block) {
	code := b.part(d.Start, d.End)
	if !strings.Contains(code.text, "curl") {
		return
	}
	if d.Quoted || d.Indent > 0 {
		s.dedent(code, d.Quoted, d.Indent)
	}
	if strings.Contains(code.text, `\ # (`) || strings.Contains(code.text, `\  # (`) {
		code = s.listing(code, 0, len(code.text), false)
	}
	s.code(s.withoutMagic(code), d.Language)
}

// dedent takes the marks of a quotation and the indentation off the lines of a
// block.
func (s *scanner) dedent(b *block, quoted bool, indent int) {
	b.places = paste.NewRewriting(b.text, s.meter)
	for at := 0; at < len(b.text); at += ascii.LineLength(b.text[at:]) + 1 {
		line := b.text[at : at+ascii.LineLength(b.text[at:])]
		n := 0
		if quoted {
			n = markup.Quote(line)
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
