package posix

import (
	"slices"
	"strings"

	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/paste"
	"uncoil/internal/engine/source/word"
	"uncoil/request"
)

// A written is a file that a command of curl writes, of which a later command may pick a value:
// curl -D F …; X=$(grep -i x-token F | cut -d' ' -f2). Whether curl does write it is looked at
// where the options are known.
type written struct {
	name   word.Word
	output *word.Output
}

// maxWritten bounds how many of these files are remembered.
const maxWritten = 8

var writtenSize = meter.SizeOf[written]() + meter.SizeOf[word.Output]()

// writes notes the files that a command writes, which ends at an offset, and forgets those that it
// may change. It returns what curl writes.
func (r *reader) writes(args []word.Word, end int) []*word.Output {
	isCurl := paste.IsCurl(args[0].Text)
	if r.inside > 0 || r.taken > 0 || !isCurl && len(r.written) == 0 || !r.pay(len(args)*(1+len(r.written))) {
		return nil
	}
	if !isCurl {
		if !readsOnly(args) {
			r.written = slices.DeleteFunc(r.written, func(w written) bool {
				return slices.ContainsFunc(args[1:], w.isNamed)
			})
		}
		if r.sink != nil {
			r.written = slices.DeleteFunc(r.written, func(w written) bool { return w.isNamed(r.sink.File) })
		}
		return nil
	}
	if !r.takesAfter(end) {
		return nil
	}
	var outputs []*word.Output
	note := func(name word.Word, o word.Output) {
		if !r.hold(writtenSize) {
			return
		}
		r.written = slices.DeleteFunc(r.written, func(w written) bool { return w.isNamed(name) })
		if r.scopes > 0 {
			return // another branch may write it, or none
		}
		if len(r.written) == maxWritten {
			r.written = slices.Delete(r.written, 0, 1)
		}
		r.written = append(r.written, written{name, &o})
		outputs = append(outputs, &o)
	}
	for i := 1; i+1 < len(args); i++ {
		if a := &args[i]; len(a.Holes) == 0 && namesFile(a.Text) && args[i+1].Text != "" {
			note(args[i+1], word.Output{File: args[i+1].Text})
		}
	}
	if r.sink != nil && !r.sink.Appends {
		note(r.sink.File, word.Output{})
	}
	return outputs
}

// takesAfter reports whether a substitution may begin after an offset.
func (r *reader) takesAfter(at int) bool {
	if r.lastTaken == 0 && r.pay(len(r.src)) {
		r.lastTaken = 1 + max(0, strings.LastIndex(r.src, "$("), strings.LastIndexByte(r.src, '`'))
	}
	return at < r.lastTaken
}

// namesFile reports an option of curl that the name of a file follows.
func namesFile(option string) bool {
	switch option {
	case "--dump-header", "--output":
		return true
	}
	letters, found := strings.CutPrefix(option, "-")
	return found && letters != "" && letters[0] != '-' && strings.IndexByte("Do", letters[len(letters)-1]) >= 0
}

// readsOnly reports a command that changes none of the files that it names.
func readsOnly(args []word.Word) bool {
	switch args[0].Text {
	case "cat", "grep", "egrep", "fgrep", "awk", "jq", "head", "tail", "wc", "ls", "echo", "test", "[", "rm":
		return true
	case "sed":
		return !slices.ContainsFunc(args, func(w word.Word) bool { return strings.HasPrefix(w.Text, "-i") || strings.HasPrefix(w.Text, "--in") })
	}
	return false
}

// isNamed reports whether a word is the name of the file.
func (w *written) isNamed(name word.Word) bool {
	return w.name.Text == name.Text && slices.EqualFunc(w.name.Holes, name.Holes, func(a, b word.Hole) bool {
		return a.Start == b.Start && a.End == b.End && a.From == b.From
	})
}

// readBack returns where the content of the file comes from that a command reads, which is named
// last or is its standard input, and the arguments without its name; nil where that is no file
// that curl wrote.
func (r *reader) readBack(args []word.Word, stdin *word.Input) (*word.Origin, []word.Word) {
	name := args[len(args)-1]
	rest := args[:len(args)-1]
	if stdin != nil && stdin.From != nil { // cat F |
		if f, ok := stdin.From.From.(*request.FileContent); ok && !f.Base64 {
			stdin = &word.Input{File: f.Name}
		}
	}
	switch {
	case !r.pay(len(r.written)):
		return nil, args
	case stdin != nil && stdin.File != "":
		name, rest = word.Word{Text: stdin.File}, args
	case stdin != nil || len(rest) < 2:
		return nil, args
	}
	for i := range r.written {
		if w := &r.written[i]; w.isNamed(name) && r.hold(originSize) {
			return &word.Origin{From: new(request.Response), Output: w.output}, rest
		}
	}
	return nil, args
}
