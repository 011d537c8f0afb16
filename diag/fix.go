package diag

import "strings"

// Fixed returns a text with edits. They are in their order, and none touches another.
func Fixed(src string, fixes ...*Fix) string {
	var b strings.Builder
	at := 0
	for _, f := range fixes {
		start := max(clamp(f.Span.Start, len(src)), at)
		b.WriteString(src[at:start])
		b.WriteString(f.Text)
		at = max(clamp(f.Span.End, len(src)), start)
	}
	b.WriteString(src[at:])
	return b.String()
}

// AppendFixed appends a command with its fixes, whole, so that it can be copied: over its
// own lines where it has several.
func AppendFixed(dst []byte, fixed string) []byte {
	fixed = strings.Trim(fixed, "\r\n")
	dst = append(dst, "fix:"...)
	if strings.Contains(fixed, "\n") {
		dst = append(dst, '\n')
	} else {
		dst = append(dst, ' ')
	}
	return append(AppendPrintableLines(dst, fixed), '\n')
}

// AppendEdit appends the edit of a fix alone: the word that it changes, before and after.
func AppendEdit(dst []byte, src string, f *Fix) []byte {
	start := clamp(f.Span.Start, len(src))
	end := max(clamp(f.Span.End, len(src)), start)
	before, after := wordAround(src, start, end)
	old := src[start-before : end+after]
	fixed := src[start-before:start] + f.Text + src[end:end+after]
	dst = append(dst, "fix: "...)
	switch {
	case len(old)+len(fixed) > longFix:
		dst = append(dst, "a long edit"...)
	case old == "":
		dst = AppendPrintable(append(dst, "insert "...), fixed)
	case fixed == "":
		dst = AppendPrintable(append(dst, "remove "...), old)
	default:
		dst = AppendPrintable(dst, old)
		dst = AppendPrintable(append(dst, " → "...), fixed)
	}
	return append(dst, '\n')
}

// wordAround returns how many bytes of the word that an edit is in stand before and after
// it, or none where the word is long.
func wordAround(src string, start, end int) (before, after int) {
	const blanks, most = " \t\r\n", 60
	left := src[:start]
	before = len(left) - 1 - strings.LastIndexAny(left, blanks)
	if after = strings.IndexAny(src[end:], blanks); after < 0 {
		after = len(src) - end
	}
	if before > most || after > most {
		return 0, 0
	}
	return before, after
}
