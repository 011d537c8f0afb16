package snippets

import (
	"strings"

	"uncoil/internal/engine/markup"
)

// A line of a document, as far as its blocks matter.
type line struct {
	text string // without its end
	// block is the number of the block that the line belongs to, with the lines around it,
	// or 0, and code reports whether that is one of code.
	block int
	code  bool
}

// grammars are what the blocks of each format are read by.
var grammars = map[Format]markup.Format{Markdown: markup.Markdown, Knitr: markup.Markdown, MDX: markup.Markdown, AsciiDoc: markup.AsciiDoc, RST: markup.RST}

// linesOf returns the lines of a document with the blocks that they are in, and where each
// begins, and the text ends.
func linesOf(text string, f Format) (lines []line, starts []int) {
	at := 0
	for part := range strings.SplitSeq(text, "\n") {
		lines = append(lines, line{text: strings.TrimSuffix(part, "\r")})
		starts = append(starts, at)
		at += len(part) + 1
	}
	i, n := 0, 0
	for b := range markup.Blocks(text, grammars[f], func(int) bool { return true }) {
		n++
		for ; i < len(lines) && starts[i] < b.To; i++ {
			if starts[i] >= b.From {
				lines[i].block, lines[i].code = n, b.Kind == markup.Code
			}
		}
	}
	return lines, append(starts, len(text))
}
