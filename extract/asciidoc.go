package extract

import (
	"strings"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/markup"
	"uncoil/internal/engine/source/paste"
)

// asciidoc finds the commands in a text in AsciiDoc: in the blocks between delimiters, and
// in what stands between them.
func (s *scanner) asciidoc(b *block) {
	s.blocks(b, markup.AsciiDoc, func(d *markup.Block) {
		code := s.listing(b, d.Start, d.End, d.Attributes)
		s.literal(code, 0, len(code.text), d.Language)
	})
}

// listing returns the content of a block without its callouts and, where attributes are
// put into it, without the backslashes that keep braces from being one (Asciidoctor,
// Callouts; Escape an Attribute Reference).
func (s *scanner) listing(b *block, start, end int, attributes bool) *block {
	code := b.part(start, end)
	if !strings.Contains(code.text, "curl") || !s.meter.Work(len(code.text)) {
		return code
	}
	w := paste.NewRewriting(code.text, s.meter)
	for at := 0; at < len(code.text); {
		end := at + ascii.LineLength(code.text[at:])
		last := at + beforeCallouts(code.text[at:end])
		for i := at; attributes && i+1 < last; i++ {
			if code.text[i] == '\\' && (code.text[i+1] == '{' || code.text[i+1] == '}') {
				w.Replace(i, i+1, "")
			}
		}
		if last < at+len(strings.TrimRight(code.text[at:end], " \t\r")) {
			w.Replace(last, end, "")
		}
		at = end + 1
	}
	code.text, code.places = w.Text(), w
	return code
}

// beforeCallouts returns the length of a line without the callouts at its end: <1> and <.>
// of AsciiDoc, also behind the mark of a comment, and # (1) of Material for MkDocs.
func beforeCallouts(line string) int {
	for {
		line = strings.TrimRight(line, " \t\r")
		n := beforeCallout(line)
		if n == len(line) {
			return n
		}
		line = line[:n]
	}
}

// beforeCallout returns the length of a line without the callout that it ends in.
func beforeCallout(line string) int {
	open := strings.LastIndexAny(line, "<(")
	if open < 1 {
		return len(line)
	}
	number, angle := strings.CutSuffix(line[open+1:], ">")
	if !angle {
		var round bool
		if number, round = strings.CutSuffix(strings.TrimSuffix(number, "!"), ")"); !round {
			return len(line)
		}
	}
	if number == "" || number != "." && strings.Trim(number, "0123456789") != "" || angle != (line[open] == '<') {
		return len(line)
	}
	before := strings.TrimRight(line[:open], " \t")
	for _, mark := range []string{"//", "#", "--", ";;"} {
		if bare, ok := strings.CutSuffix(before, mark); ok && endsBlank(bare) {
			return len(bare)
		}
	}
	if !angle || !endsBlank(line[:open]) {
		return len(line)
	}
	return open
}
