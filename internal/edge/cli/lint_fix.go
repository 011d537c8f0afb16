package cli

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
func editOf(source string, c *extract.Command, fix *diag.Fix, places *diag.Positions) *edit {
	if fix == nil || fix.Span.Start < 0 || int(fix.Span.End) > len(c.Text) || fix.Span.Start > fix.Span.End {
		return nil
	}
	start, end := c.Offset(int(fix.Span.Start)), c.Offset(int(fix.Span.End))
	if start > end || end > len(source) || source[start:end] != c.Text[fix.Span.Start:fix.Span.End] || solid(source[c.Start:c.End]) != solid(c.Text) {
		return nil
	}
	if c.Start > 0 && strings.IndexByte("'\"", source[c.Start-1]) >= 0 && strings.ContainsAny(fix.Text, "'\"") {
		return nil // it would end the string that the command stands in
	}
	e := &edit{Text: fix.Text, start: start, end: end}
	e.Line, e.Column = places.At(int32(start))
	e.EndLine, e.EndColumn = places.At(int32(end))
	return e
}

// solid returns text without its blanks: those of the margin of a block are no part of a
// command.
func solid(text string) string { return strings.Join(strings.Fields(text), "") }

// mend makes the edits of the findings in a file, and returns the findings that are
// left. Of edits that touch each other the first is made: what is left of the other
// shows when the file is read again.
func (p *Program) mend(name, text string, findings []finding, rule lintRule) (left []finding, made int, err error) {
	var edits []*edit
	for i := range findings {
		if findings[i].Fix != nil {
			edits = append(edits, findings[i].Fix)
		}
	}
	if len(edits) == 0 || name == "-" {
		return findings, 0, nil
	}
	slices.SortStableFunc(edits, func(a, b *edit) int { return cmp.Compare(a.start, b.start) })
	var b strings.Builder
	at := 0
	for _, e := range edits {
		if e.start < at || made > 0 && e.start == at {
			continue
		}
		b.WriteString(text[at:e.start] + e.Text)
		at = e.end
		made++
	}
	b.WriteString(text[at:])
	mended := b.String()
	if err := replaceText(name, text, mended); err != nil {
		return nil, 0, err
	}
	found, err := extract.Commands(mended, extract.KindOf(name))
	if err != nil && err != extract.ErrWork {
		return nil, 0, err
	}
	return checkFile(name, mended, found, rule), made, nil
}
