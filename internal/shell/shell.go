package shell

import (
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

// maxName bounds the search for the end of a word that names something.
const maxName = 256

// maxIndent bounds the search for the end of indentation and of short words.
const maxIndent = 64

// What the readers produce.
type (
	Word    = word.Word
	Hole    = word.Hole
	Input   = word.Input
	Command = word.Command
	Text    = word.Builder
)
