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

// ExcerptWidth is how many columns of a long line an excerpt shows around the
// span that matters, where nobody says how wide the terminal is.
const ExcerptWidth = 106

// AppendText appends the diagnostic as people read it on a terminal:
//
//	1:6: unterminated-quote: the single quote is never closed
//	curl 'http://h.test/x
//	     ^
//	hint: add the closing quote
//	fix: curl 'http://h.test/x'
//
// A long line is cut to the part around the span. The fix is the whole text with the edit,
// or the edit alone where the text is long. All text passes [AppendPrintable].
func (d *Diagnostic) AppendText(dst []byte, src string) []byte {
	dst = d.AppendReport(dst, src, ExcerptWidth)
	if d.Fix == nil || src == "" {
		return dst
	}
	if fixed := Fixed(src, d.Fix); len(fixed) <= longFix {
		return AppendFixed(dst, fixed)
	}
	return AppendEdit(dst, src, d.Fix)
}

// longFix is how long a text is at most that AppendText shows with its fix.
const longFix = 600

// AppendReport is AppendText without the fix, for a terminal of so many columns.
func (d *Diagnostic) AppendReport(dst []byte, src string, columns int) []byte {
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
	dst = appendExcerpt(dst, src, d.Span, columns)
	if d.Hint != "" {
		dst = append(dst, "hint: "...)
		dst = AppendPrintable(dst, d.Hint)
		dst = append(dst, '\n')
	}
	return dst
}

// cutMark stands where an excerpt cuts a line.
const cutMark = "..."

// appendExcerpt appends the line that holds the span, and carets under it.
func appendExcerpt(dst []byte, src string, span Span, columns int) []byte {
	if src == "" {
		return dst
	}
	columns = max(columns, 8*len(cutMark))
	start := runeStart(src, clamp(span.Start, len(src)))
	end := max(clamp(span.End, len(src)), start)
	lineStart := strings.LastIndexByte(src[:start], '\n') + 1
	lineEnd := len(src)
	if i := strings.IndexByte(src[start:], '\n'); i >= 0 {
		lineEnd = start + i
	}
	from, before := start, 0
	for from > lineStart && before < columns/2 {
		r, size := utf8.DecodeLastRuneInString(src[lineStart:from])
		from, before = from-size, before+columnsOf(r)
	}
	room := columns
	if from > lineStart {
		room -= len(cutMark)
		dst = append(dst, cutMark...)
	}
	to := fit(src[:lineEnd], from, room)
	if to < lineEnd {
		to = fit(src[:lineEnd], from, room-len(cutMark))
	}
	dst = AppendPrintable(dst, src[from:to])
	if to < lineEnd {
		dst = append(dst, cutMark...)
	}
	dst = append(dst, '\n')
	pad := width(src[from:start])
	if from > lineStart {
		pad += len(cutMark)
	}
	for range pad {
		dst = append(dst, ' ')
	}
	for range max(1, width(src[start:max(start, min(end, to))])) {
		dst = append(dst, '^')
	}
	return append(dst, '\n')
}

// fit returns where text ends that begins at an offset and takes so many columns at most.
func fit(s string, from, columns int) int {
	for from < len(s) {
		r, size := utf8.DecodeRuneInString(s[from:])
		if columns -= columnsOf(r); columns < 0 {
			break
		}
		from += size
	}
	return from
}

// width returns how many columns a text takes.
func width(s string) (n int) {
	for _, r := range s {
		n += columnsOf(r)
	}
	return n
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
