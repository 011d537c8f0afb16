package posix

import (
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/paste"
	"uncoil/internal/engine/source/word"
)

// A Script is a text as a shell reads it, without the repairs that Read makes, and without
// running anything: what its commands are wherever they stand, in branches that are not
// taken and in functions, too.
type Script struct {
	// Commands are the simple commands in the order of the text, those of substitutions
	// before the command in whose words they stand. The text of a word that is more than
	// text is its spelling.
	Commands []SimpleCommand
	// Gaps are the blanks between the words, with the backslashes and line breaks by which
	// a line goes on, in the order of the text. What a shell reads does not depend on how
	// long one is.
	Gaps []diag.Span

	backquotes int // how many pairs are open: there a backslash is the backquotes'
}

// A SimpleCommand is a command of words, whose assignments and redirections are left out.
type SimpleCommand struct {
	Args []word.Word
	// Backquoted reports whether it stands between backquotes.
	Backquoted bool
}

// What the lists of a script take.
var (
	gapSize    = meter.SizeOf[diag.Span]()
	simpleSize = meter.SizeOf[SimpleCommand]()
)

// ReadScript reads a text as sh or bash does. The diagnostic is why the shell would not
// accept the text, or why it is too much work.
func ReadScript(src string, m *meter.Meter) (*Script, *diag.Diagnostic) {
	r := readers.Get().(*reader)
	defer r.release()
	r.src, r.end, r.meter = src, len(src), m
	r.paste = paste.Bare(src, m, &r.diags)
	r.script = &Script{}
	if r.pay(len(src)) {
		r.lines()
	}
	if err := r.diags.Err(); err != nil {
		return nil, err
	}
	if len(r.diags) > 0 { // such as a here-document that does not end
		d := r.diags[0]
		d.Code, d.Severity = diag.CodeShellSyntax, diag.SeverityError
		return nil, &d
	}
	return r.script, nil
}

// Skeleton returns the text of the script with one blank for each gap: texts with the same
// skeleton are the same to a shell.
func (s *Script) Skeleton(src string) string {
	var b strings.Builder
	b.Grow(len(src))
	at := 0
	for _, gap := range s.Gaps {
		b.WriteString(src[at:gap.Start])
		b.WriteByte(' ')
		at = int(gap.End)
	}
	b.WriteString(src[at:])
	return b.String()
}

// gap notes blanks, in a script.
func (r *reader) gap(start, end int) {
	s := r.script
	if s == nil || start == end || r.inDoc {
		return
	}
	if n := len(s.Gaps); n > 0 && int(s.Gaps[n-1].End) == start {
		s.Gaps[n-1].End = int32(end)
		return
	}
	if n := len(s.Gaps); n > 0 && int(s.Gaps[n-1].End) > start {
		return // read for the second time
	}
	if r.hold(gapSize) {
		s.Gaps = append(s.Gaps, diag.Span{Start: int32(start), End: int32(end)})
	}
}

// found notes a simple command, in a script.
func (r *reader) found(command *stmt) {
	s := r.script
	if s == nil || r.inDoc || len(command.words) == 0 || !r.hold(simpleSize+len(command.words)*wordSize) {
		return
	}
	args := make([]word.Word, 0, len(command.words))
	for i := range command.words {
		w := &command.words[i]
		text := w.text
		if w.parts != nil {
			text = r.src[w.span.Start:w.span.End]
		}
		args = append(args, word.Word{Text: text, Span: w.span})
	}
	s.Commands = append(s.Commands, SimpleCommand{Args: args, Backquoted: s.backquotes > 0})
}

// backquotes notes that a pair of backquotes opens or closes, in a script.
func (r *reader) backquotes(n int) {
	if r.script != nil {
		r.script.backquotes += n
	}
}
