package source

import (
	"slices"

	"uncoil/internal/engine/source/word"
)

// A Dialect is a way of writing a request: the quoting of a shell, or the form
// of a text that is no command.
type Dialect uint8

// The dialects. Auto means: find out from the text.
const (
	Auto Dialect = iota
	POSIX
	Cmd
	PowerShell
	HAR
	HTTP
	Fetch
	HTTPFile
	Postman
	dialects
)

// dialectNames are the names that the API uses.
var dialectNames = [dialects]string{"auto", "posix", "cmd", "powershell", "har", "http", "fetch", "http-file", "postman"}

// DialectNames returns the names of the dialects, "auto" first.
func DialectNames() []string { return dialectNames[:] }

// String returns the name that the API uses for the dialect.
func (d Dialect) String() string { return dialectNames[d] }

// Lookup returns the dialect of that name; the empty name is Auto.
func Lookup(name string) (d Dialect, ok bool) {
	if name == "" {
		return Auto, true
	}
	i := slices.Index(dialectNames[:], name)
	return Dialect(max(i, 0)), i >= 0
}

// IsData reports a dialect whose texts are no commands.
func (d Dialect) IsData() bool { return d >= HAR }

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
