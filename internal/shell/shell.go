package shell

import (
	"uncoil/diag"
	"uncoil/internal/shell/word"
)

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

// What the readers produce.
type (
	Word    = word.Word
	Hole    = word.Hole
	Input   = word.Input
	Command = word.Command
)
