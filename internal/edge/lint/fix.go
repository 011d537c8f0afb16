package lint

import (
	"cmp"
	"slices"
	"strings"

	"uncoil/diag"
	"uncoil/extract"
)

// editOf returns the edit of a file that a fix of a command is, or nil: where the file
// spells the command in another way, with entities of HTML or escapes of JSON, the text
// of the fix would be wrong there.
func editOf(source string, c *extract.Command, fix *diag.Fix, places *diag.Positions) *Edit {
	if fix == nil || fix.Span.Start < 0 || int(fix.Span.End) > len(c.Text) || fix.Span.Start > fix.Span.End {
		return nil
	}
	start, end := c.Offset(int(fix.Span.Start)), c.Offset(int(fix.Span.End))
	if start > end || end > len(source) {
		return nil
	}
	old, text := c.Text[fix.Span.Start:fix.Span.End], fix.Text
	if source[start:end] != old {
		var ok bool
		if text, ok = behindMargins(source[start:end], old, text); !ok {
			return nil
		}
	}
	if c.Start > 0 && strings.IndexByte("'\"", source[c.Start-1]) >= 0 && strings.ContainsAny(text, "'\"") {
		return nil // it would end the string that the command stands in
	}
	e := &Edit{Text: text, Start: start, End: end}
	e.Line, e.Column = places.At(int32(start))
	e.EndLine, e.EndColumn = places.At(int32(end))
	return e
}

// behindMargins returns the text of a fix for several lines as the file has them: with what
// stands there before each line.
func behindMargins(source, old, text string) (string, bool) {
	before, ok := margins(source, old)
	lines := strings.Split(text, "\n")
	if !ok || len(lines) != len(before) {
		return "", false
	}
	for i := range lines {
		lines[i] = before[i] + lines[i]
	}
	return strings.Join(lines, "\n"), true
}

// margins returns what a stretch of a file has before each line of a text. ok is false where
// it differs in more than that.
func margins(source, text string) (before []string, ok bool) {
	lines, rest := strings.Split(source, "\n"), strings.Split(text, "\n")
	if len(lines) != len(rest) {
		return nil, false
	}
	before = make([]string, len(lines))
	for i := range lines {
		if before[i], ok = strings.CutSuffix(lines[i], rest[i]); !ok {
			return nil, false
		}
	}
	return before, true
}

// Edits returns the fixes of findings that can be made together, in their order. Of those
// that touch each other it is the first: what is left of the other shows when the file is
// read again.
func Edits(findings []Finding) (edits []*Edit) {
	for i := range findings {
		if findings[i].Fix != nil {
			edits = append(edits, findings[i].Fix)
		}
	}
	slices.SortStableFunc(edits, func(a, b *Edit) int { return cmp.Compare(a.Start, b.Start) })
	at := -1
	return slices.DeleteFunc(edits, func(e *Edit) bool {
		if e.Start <= at {
			return true
		}
		at = e.End
		return false
	})
}

// Apply returns a text with the edits that Edits returns made.
func Apply(text string, edits []*Edit) string {
	var b strings.Builder
	at := 0
	for _, e := range edits {
		b.WriteString(text[at:e.Start] + e.Text)
		at = e.End
	}
	b.WriteString(text[at:])
	return b.String()
}
