package diag

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Position returns the 1-based line and column of a byte offset in src.
// Columns count characters; a byte that is not UTF-8 counts as one.
// An offset outside src is moved to its nearest end.
func Position(src string, offset int32) (line, column int) {
	head := src[:clamp(offset, len(src))]
	line = 1 + strings.Count(head, "\n")
	column = 1 + utf8.RuneCountInString(head[strings.LastIndexByte(head, '\n')+1:])
	return line, column
}

// excerptWidth is how many bytes of a long line an excerpt shows around the
// place that matters.
const excerptWidth = 100

// AppendText appends the diagnostic as people read it on a terminal:
//
//	1:6: unterminated-quote: the single quote is never closed
//	curl 'http://h.test/x
//	     ^
//	hint: add the closing quote
//
// A long line is cut to the part around the place.
func (d *Diagnostic) AppendText(dst []byte, src string) []byte {
	line, column := Position(src, d.Span.Start)
	dst = strconv.AppendInt(dst, int64(line), 10)
	dst = append(dst, ':')
	dst = strconv.AppendInt(dst, int64(column), 10)
	dst = append(dst, ": "...)
	if d.Severity == Warning {
		dst = append(dst, "warning: "...)
	}
	dst = append(dst, d.Code...)
	dst = append(dst, ": "...)
	dst = append(dst, d.Message...)
	dst = append(dst, '\n')
	dst = appendExcerpt(dst, src, d.Span)
	if d.Hint != "" {
		dst = append(dst, "hint: "...)
		dst = append(dst, d.Hint...)
		dst = append(dst, '\n')
	}
	return dst
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
	text := func(s string) {
		for _, r := range s {
			if r < ' ' || r == 0x7f {
				r = ' ' // keep the caret under its place
			}
			dst = utf8.AppendRune(dst, r)
		}
	}
	text(src[from:to])
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

// runeStart moves an offset back to the start of the character it is in.
func runeStart(s string, i int) int {
	for back := 0; back < utf8.UTFMax && i-back > 0 && i-back < len(s); back++ {
		if utf8.RuneStart(s[i-back]) {
			return i - back
		}
	}
	return i
}

func clamp(offset int32, limit int) int { return min(max(int(offset), 0), limit) }
