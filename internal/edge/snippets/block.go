package snippets

import (
	"regexp"
	"strings"
)

// A line of a document, as far as blocks of code matter.
type line struct {
	text string // without its end
	// block is the number of the block of code that the line belongs to, with its
	// fences, or 0.
	block int
}

// linesOf returns the lines of a document with the blocks of code that they are in.
func linesOf(text string, f Format) []line {
	parts := strings.Split(text, "\n")
	lines := make([]line, len(parts))
	for i, part := range parts {
		lines[i].text = strings.TrimSuffix(part, "\r")
	}
	switch f {
	case RST:
		literal(lines)
	default:
		fenced(lines, f)
	}
	return lines
}

// fence is what opens or closes a block of code in Markdown: after the margin of lists
// and quotes three of a character or more, and for the opening one the language. A
// fence of backticks has none in the rest of its line (CommonMark 0.31, 4.5).
var fence = regexp.MustCompile("^([ \t>]*(?:(?:[-*+]|[0-9]{1,9}[.)])[ \t]+)*)(`{3,}|~{3,})(.*)$")

// delimiter is what AsciiDoc has around text that it does not read: listings, literal
// text, comments and text for the reader of the page alone.
var delimiter = regexp.MustCompile("^(-{4,}|\\.{4,}|/{4,}|\\+{4,}|`{3,})(.*)$")

// fenced finds the blocks that a line opens and its like closes.
func fenced(lines []line, f Format) {
	open, margin, block := "", 0, 0
	for i := range lines {
		indent, mark, rest := opening(lines[i].text, f)
		switch {
		case open == "" && mark != "":
			block++
			open, margin, lines[i].block = mark, indent, block
		case open != "":
			lines[i].block = block
			if mark != "" && strings.TrimSpace(rest) == "" && closes(open, margin, mark, indent, f) {
				open = ""
			}
		}
	}
}

// opening returns the width of the margin and the mark of a line that may open or close
// a block, and what follows it.
func opening(text string, f Format) (indent int, mark, rest string) {
	if f == AsciiDoc {
		text = strings.TrimRight(text, " \t")
		found := delimiter.FindStringSubmatch(text)
		if found == nil || found[2] != "" && found[1][0] != '`' {
			return 0, "", ""
		}
		return 0, found[1], found[2]
	}
	found := fence.FindStringSubmatch(text)
	if found == nil || found[2][0] == '`' && strings.Contains(found[3], "`") {
		return 0, "", ""
	}
	return len(found[1]), found[2], found[3]
}

// closes reports whether a mark closes the block that another one has opened.
func closes(open string, margin int, mark string, indent int, f Format) bool {
	if f == AsciiDoc {
		return mark == open
	}
	return mark[0] == open[0] && len(mark) >= len(open) && indent <= margin+3
}

// verbatim is a directive of reStructuredText whose content is no markup.
var verbatim = regexp.MustCompile(`^[ \t]*\.\.[ \t]+(code|code-block|sourcecode|code-tab|parsed-literal|prompt|literalinclude|raw|highlight|math)::`)

// literal finds what stands indented below a directive for code, or below a paragraph
// that ends with two colons.
func literal(lines []line) {
	block := 0
	for i := 0; i < len(lines); i++ {
		text := strings.TrimRight(lines[i].text, " \t")
		isDirective := strings.HasPrefix(strings.TrimLeft(text, " \t"), ".. ")
		if isDirective && !verbatim.MatchString(text) || !isDirective && !strings.HasSuffix(text, "::") {
			continue
		}
		block++
		own := margin(text)
		for i+1 < len(lines) && (strings.TrimSpace(lines[i+1].text) == "" || margin(lines[i+1].text) > own) {
			i++
			lines[i].block = block
		}
	}
}

// margin returns the width of the blanks before a line. A tab leads to the next column
// of eight (docutils, statemachine.string2lines).
func margin(text string) int {
	width := 0
	for i := range len(text) {
		switch text[i] {
		case ' ':
			width++
		case '\t':
			width += 8 - width%8
		default:
			return width
		}
	}
	return width
}
