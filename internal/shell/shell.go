package shell

import "uncoil/diag"

// A Dialect is a way of quoting a command.
type Dialect uint8

// The dialects. Auto means: find out from the text.
const (
	Auto Dialect = iota
	POSIX
	Cmd
	PowerShell
)

// String returns the name that the API uses for the dialect.
func (d Dialect) String() string {
	return [...]string{"auto", "posix", "cmd", "powershell"}[d]
}

// Lookup returns the dialect of that name; the empty name is Auto.
func Lookup(name string) (d Dialect, ok bool) {
	switch name {
	case "", "auto":
		return Auto, true
	case "posix":
		return POSIX, true
	case "cmd":
		return Cmd, true
	case "powershell":
		return PowerShell, true
	}
	return Auto, false
}

// MaxWords bounds how many words a text in the POSIX shell may have.
const MaxWords = 1 << 20

// MaxExpansion bounds how many bytes variables may add to a text, so that a
// few lines that double each other cannot fill the memory.
const MaxExpansion = 16 << 20

// tooLarge reports that the variables of a text add more than that.
func tooLarge(diags *diag.List, end int) {
	diags.Error(diag.CodeTooLarge, diag.Span{End: int32(end)},
		"the variables of the text stand for more text than is looked at", "pass the long value in a file")
}

// A Word is one argument, as the program would receive it.
type Word struct {
	Text  string    // any bytes
	Holes []Hole    // the unknown variables in Text, in order; nil for nearly every word
	Span  diag.Span // where the word stands in the source
}

// StartsWithHole reports whether the word begins with what only the shell
// would know.
func (w *Word) StartsWithHole() bool { return len(w.Holes) > 0 && w.Holes[0].Start == 0 }

// A Hole is a part of a word that only the shell would know: a variable that
// has no known value, or a command substitution. Text keeps its spelling.
type Hole struct {
	Start, End int32  // byte range in Word.Text
	Expr       string // as spelled: $TOKEN, ${TOKEN}, $(date), %TOKEN%
}

// Input is what the text leads a command to read from standard input: a
// here-document, a here-string, a redirection, or the output of a pipe whose
// left side is plain enough to know.
type Input struct {
	Text  string // the bytes, when Known
	Known bool
	Kept  bool   // Text holds the spelling of unknown variables
	File  string // for a redirection from a file: its name
}

// A Command is a simple command: a program and its arguments.
type Command struct {
	Args  []Word
	Stdin *Input // nil: not redirected
	Span  diag.Span
}
