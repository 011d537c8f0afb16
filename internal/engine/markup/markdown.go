package markup

import (
	"strings"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/source/paste"
)

// markdown reads the block that a fence opens: three or more backticks or tildes. One of
// backticks has none in the rest of its line. The one that closes it has no fewer, nothing
// else on its line, and is indented at most three columns more than the first (CommonMark
// 0.31, 4.5); within a quotation, so much more than the marks of that.
func (r *reader) markdown(line string) (b Block, ok bool) {
	quote, indent := prefix(line)
	b = Block{Quoted: quote > 0, Indent: indent}
	margin := width(line[quote:quote+indent], tabStop)
	line = strings.TrimSpace(line[quote+indent:])
	if line == "" || line[0] != '`' && line[0] != '~' {
		return b, false
	}
	rest := strings.TrimLeft(line, line[:1])
	mark := line[:len(line)-len(rest)]
	if len(mark) < 3 || mark[0] == '`' && strings.Contains(rest, "`") {
		return b, false
	}
	b.Language = languageOf(rest)
	r.until(&b, func(line string) bool {
		if b.Quoted {
			line = line[Quote(line):]
		}
		fence := strings.TrimSpace(line)
		return len(fence) >= len(mark) && strings.Trim(fence, mark[:1]) == "" && width(Margin(line), tabStop) <= margin+3
	})
	return b, true
}

const tabStop = 4 // CommonMark 0.31, 2.2

// Quote returns the length of the marks of a quotation that a line starts with.
func Quote(line string) (n int) {
	for i := 0; i < len(line) && (line[i] == '>' || ascii.IsBlank(line[i])); i++ {
		if line[i] == '>' {
			n = i + 1
		}
	}
	return n
}

// prefix returns the length of the marks of a quotation that a line starts with, and of the
// indentation after them. The marks of lists count as indentation.
func prefix(line string) (quote, indent int) {
	quote = Quote(line)
	rest := line[quote:]
	for {
		indent += len(Margin(rest[indent:]))
		n := strings.IndexAny(rest[indent:], " \t")
		if n <= 0 || !paste.IsMarker(rest[indent:indent+n]) && rest[indent:indent+n] != "+" {
			return quote, indent
		}
		indent += n
	}
}
