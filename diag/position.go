package diag

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Position returns the 1-based line and column of a byte offset in src.
// Columns count characters; a byte that is not UTF-8 counts as one.
// An offset outside src is moved to its nearest end. It counts from the start
// of src each time: for many offsets, use [Positions].
func Position(src string, offset int32) (line, column int) {
	return mark{line: 1, column: 1}.advance(src[:clamp(offset, len(src))])
}

// Positions finds the lines and columns of any number of offsets in one text.
// It counts through the text once, as far as the offsets go; each offset then
// costs a few hundred bytes.
type Positions struct {
	src   string
	marks []mark // marks[i] is the position of the character that holds byte i*markEvery
}

// A mark is a position: its line and column, 1-based.
type mark struct{ line, column int32 }

// markEvery is the distance between two marks in bytes.
const markEvery = 512

// NewPositions returns the Positions of src.
func NewPositions(src string) *Positions { return &Positions{src: src} }

// At returns what [Position] returns for the offset.
func (p *Positions) At(offset int32) (line, column int) {
	at := clamp(offset, len(p.src))
	if p.marks == nil {
		p.marks = append(make([]mark, 0, at/markEvery+1), mark{1, 1})
	}
	want := at / markEvery
	for i := len(p.marks); i <= want; i++ {
		line, column := p.marks[i-1].advance(p.src[p.start(i-1):p.start(i)])
		p.marks = append(p.marks, mark{int32(line), int32(column)})
	}
	return p.marks[want].advance(p.src[p.start(want):at])
}

// start returns the offset of mark i.
func (p *Positions) start(i int) int { return runeStart(p.src, i*markEvery) }

// advance returns the position after text.
func (m mark) advance(text string) (line, column int) {
	lines := strings.Count(text, "\n")
	column = int(m.column)
	if lines > 0 {
		text, column = text[strings.LastIndexByte(text, '\n')+1:], 1
	}
	return int(m.line) + lines, column + utf8.RuneCountInString(text)
}

// excerptWidth is how many bytes of a long line an excerpt shows around the
// span that matters.
const excerptWidth = 100

// AppendText appends the diagnostic as people read it on a terminal:
//
//	1:6: unterminated-quote: the single quote is never closed
//	curl 'http://h.test/x
//	     ^
//	hint: add the closing quote
//
// A long line is cut to the part around the span. All text passes
// [AppendPrintable].
func (d *Diagnostic) AppendText(dst []byte, src string) []byte {
	line, column := Position(src, d.Span.Start)
	dst = strconv.AppendInt(dst, int64(line), 10)
	dst = append(dst, ':')
	dst = strconv.AppendInt(dst, int64(column), 10)
	dst = append(dst, ": "...)
	if d.Severity == SeverityWarning {
		dst = append(dst, "warning: "...)
	}
	dst = append(dst, d.Code...)
	dst = append(dst, ": "...)
	dst = AppendPrintable(dst, d.Message)
	dst = append(dst, '\n')
	dst = appendExcerpt(dst, src, d.Span)
	if d.Hint != "" {
		dst = append(dst, "hint: "...)
		dst = AppendPrintable(dst, d.Hint)
		dst = append(dst, '\n')
	}
	if d.Fix != nil && src != "" {
		dst = appendFixed(append(dst, "fix: "...), src, d.Fix)
	}
	return dst
}

// appendFixed appends the line that the fix begins on, as it is with the fix.
func appendFixed(dst []byte, src string, f *Fix) []byte {
	start := clamp(f.Span.Start, len(src))
	end := max(clamp(f.Span.End, len(src)), start)
	from := strings.LastIndexByte(src[:start], '\n') + 1
	if cut := runeStart(src, max(from, start-excerptWidth/2)); cut > from {
		from = cut
		dst = append(dst, "..."...)
	}
	fixed := src[from:start] + f.Text[:min(len(f.Text), excerptWidth)] + src[end:min(len(src), end+excerptWidth)]
	line, _, more := strings.Cut(fixed, "\n")
	if len(line) > excerptWidth {
		line, more = line[:runeStart(line, excerptWidth)], true
	}
	if dst = AppendPrintable(dst, strings.TrimSuffix(line, "\r")); more {
		dst = append(dst, "..."...)
	}
	return append(dst, '\n')
}

// appendExcerpt appends the line that holds the span, and carets under it.
func appendExcerpt(dst []byte, src string, span Span) []byte {
	if src == "" {
		return dst
	}
	start := clamp(span.Start, len(src))
	end := max(clamp(span.End, len(src)), start)
	lineStart := strings.LastIndexByte(src[:start], '\n') + 1
	lineEnd := len(src)
	if i := strings.IndexByte(src[start:], '\n'); i >= 0 {
		lineEnd = start + i
	}
	from := runeStart(src, max(lineStart, start-excerptWidth/2))
	to := max(runeStart(src, min(lineEnd, from+excerptWidth)), start)
	if from > lineStart {
		dst = append(dst, "..."...)
	}
	dst = AppendPrintable(dst, src[from:to])
	if to < lineEnd {
		dst = append(dst, "..."...)
	}
	dst = append(dst, '\n')
	pad := utf8.RuneCountInString(src[from:start])
	if from > lineStart {
		pad += len("...")
	}
	for range pad {
		dst = append(dst, ' ')
	}
	carets := max(1, utf8.RuneCountInString(src[start:min(end, to)]))
	for range carets {
		dst = append(dst, '^')
	}
	return append(dst, '\n')
}

// runeStart moves an offset back to the start of the character it is in. Where
// no byte begins a character, none of them is UTF-8, and each stands alone.
func runeStart(s string, i int) int {
	for back := 0; back < utf8.UTFMax && i-back > 0 && i-back < len(s); back++ {
		if utf8.RuneStart(s[i-back]) {
			return i - back
		}
	}
	return i
}

func clamp(offset int32, limit int) int { return min(max(int(offset), 0), limit) }
