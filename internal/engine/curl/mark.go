package curl

import (
	"unicode/utf8"

	"uncoil/diag"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/word"
)

// markSteps is the cost of a mark until its spelling is restored.
const markSteps = 50

// sizeOfMark is what a mark takes, in a list that has grown and in a map.
const sizeOfMark = 3 * sizeOfHole

// mark makes the marks of a command, and returns its arguments with them. ok is
// false where there are more unknown parts than marks.
func (in *Inputs) mark(args []word.Word) (marked []word.Word, ok bool) {
	in.Marks = nil
	holes := len(in.StdinHoles)
	for i := range args {
		holes += len(args[i].Holes)
	}
	if holes == 0 || !in.Meter.Work(holes*markSteps) || !in.Meter.Hold(min(holes, word.MaxMarks)*sizeOfMark) || !in.use(args) {
		return args, true
	}
	if in.Marks, ok = word.NewMarks(args, in.StdinHoles, &in.used); !ok {
		in.Marks = nil
		return args, false
	}
	marked = in.marked[:0]
	in.holes = in.holes[:0]
	for i := range args {
		if n := len(args[i].Holes); n > 0 && !in.Meter.Hold(len(args[i].Text)+n*(sizeOfHole+utf8.UTFMax)) || !meter.Append(in.Meter, &marked, in.Marks.Word(args[i], &in.holes)) {
			return args, true
		}
	}
	in.marked = marked
	if len(in.StdinHoles) > 0 && in.hasStdin {
		if !in.Meter.Hold(len(in.stdin) + utf8.UTFMax*len(in.StdinHoles)) {
			return args, true
		}
		in.stdin = in.Marks.Text(in.stdin, in.StdinHoles)
	}
	return marked, true
}

// use records what the inputs hold, of which nothing can be a mark.
func (in *Inputs) use(args []word.Word) bool {
	pays := func(n int) bool { return in.Meter.Work(n/usedBytes + 8) }
	for i := range args {
		if !pays(len(args[i].Text)) {
			return false
		}
		in.used.Word(args[i].Text)
	}
	if !pays(len(in.stdin)) {
		return false
	}
	in.used.Word(in.stdin)
	if in.looked {
		return true
	}
	in.looked = true
	for _, value := range in.Env {
		if !pays(len(value)) {
			return false
		}
		in.used.Word(value)
	}
	for _, content := range in.Files {
		if !pays(len(content)) {
			return false
		}
		in.used.Content(string(content))
	}
	return true
}

// usedBytes is how many bytes of text a step looks through for characters that
// cannot be marks.
const usedBytes = 8

// found records text that became known only after the marks were chosen. Where it
// could be taken for marks, the command is to be read again with others.
func (in *Inputs) found(text string, whole bool) {
	var used word.Used
	if in.Marks == nil || !in.Meter.Work(len(text)/usedBytes+8) {
		return
	}
	if whole {
		used.Content(text)
	} else {
		used.Word(text)
	}
	if in.Marks.Clashes(&used) {
		in.used.Merge(&used)
		in.clash = true
	}
}

// Clashed reports, once, whether text that was read along the way could be taken
// for marks. The command must then be read again, with the same standard input.
func (in *Inputs) Clashed() bool {
	clash := in.clash
	in.clash = false
	return clash
}

// word returns a word of text from a file, or of text that was made of words.
func (p *parser) word(text string, span diag.Span) *word.Word {
	if !p.hold(sizeOfWord) {
		return &noWord
	}
	return &word.Word{Text: text, Holes: p.in.Marks.Holes(text), Span: span}
}
