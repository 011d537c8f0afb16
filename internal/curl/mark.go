package curl

import (
	"bytes"
	"unicode/utf8"

	"uncoil/diag"
	"uncoil/internal/meter"
	"uncoil/internal/shell/word"
)

// markSteps is the cost of a mark until its spelling is restored.
const markSteps = 50

// sizeOfMark is what a mark takes, in a list that has grown and in a map.
const sizeOfMark = 3 * sizeOfHole

// mark makes the marks of a command, and returns its arguments with them.
func (in *Inputs) mark(args []word.Word) []word.Word {
	in.Marks = nil
	holes := len(in.StdinHoles)
	for i := range args {
		holes += len(args[i].Holes)
	}
	if holes == 0 || !in.Meter.Work(holes*markSteps) || !in.Meter.Hold(min(holes, word.MaxMarks)*sizeOfMark) {
		return args
	}
	if in.Marks = in.newMarks(args); in.Marks == nil {
		return args
	}
	marked := in.marked[:0]
	in.holes = in.holes[:0]
	for i := range args {
		if n := len(args[i].Holes); n > 0 && !in.Meter.Hold(len(args[i].Text)+n*(sizeOfHole+utf8.UTFMax)) || !meter.Append(in.Meter, &marked, in.Marks.Word(args[i], &in.holes)) {
			return args
		}
	}
	in.marked = marked
	if len(in.StdinHoles) > 0 && in.hasStdin {
		if !in.Meter.Hold(len(in.stdin) + utf8.UTFMax*len(in.StdinHoles)) {
			return args
		}
		in.stdin = in.Marks.Text(in.stdin, in.StdinHoles)
	}
	return marked
}

// newMarks returns marks that no text can be taken for, or nil.
func (in *Inputs) newMarks(args []word.Word) *word.Marks {
	if !in.Meter.Work(len(in.stdin)/32 + 1) {
		return nil
	}
	texts := []string{in.stdin} // that could hold what would be taken for a mark
	for _, value := range in.Env {
		if !in.Meter.Work(len(value)/32 + 8) {
			return nil
		}
		texts = append(texts, value)
	}
	for _, content := range in.Files {
		if !in.Meter.Work(len(content)/32 + 8) {
			return nil
		}
		if bytes.IndexByte(content, word.MarkLead) >= 0 {
			if !in.Meter.Hold(len(content)) {
				return nil
			}
			texts = append(texts, string(content))
		}
	}
	return word.NewMarks(args, in.StdinHoles, texts...)
}

// word returns a word of text from a file, or of text that was made of words.
func (p *parser) word(text string, span diag.Span) *word.Word {
	if !p.hold(sizeOfWord) {
		return &noWord
	}
	return &word.Word{Text: text, Holes: p.in.Marks.Holes(text), Span: span}
}
