// Package word has what all shells read a text into: commands of words, with
// their spans in the text and with the parts that only the shell would know.
package word

import (
	"slices"
	"strings"

	"uncoil/diag"
)

// A Word is one argument, as the program would receive it.
type Word struct {
	Text  string    // any bytes
	Holes []Hole    // the unknown parts of Text, in order; nil for nearly every word
	Span  diag.Span // of the word in the source
}

// StartsWithHole reports whether the word begins with what only the shell
// would know.
func (w *Word) StartsWithHole() bool { return len(w.Holes) > 0 && w.Holes[0].Start == 0 }

// A Hole is a part of a word that only the shell would know: a variable that
// has no known value, or a command substitution. Text keeps its spelling.
type Hole struct {
	Start, End int32  // byte range in Word.Text
	Expr       string // as spelled: $TOKEN, ${TOKEN:-x}, $(date), %TOKEN%, $env:TOKEN
	Name       string // of the variable, or "" for a substitution
	Default    string // what :- and - give where the variable is not set
	HasDefault bool
	Computed   bool // more than the value of the variable or its default: ${X^^}, ${X:-$Y}
	// From is where the text says that the value comes from, or nil.
	From *Origin
}

// AppendHoles appends the holes of a text that stands at an offset of another
// one, or with a negative offset begins before it.
func AppendHoles(dst []Hole, at int, holes []Hole) []Hole {
	for _, h := range holes {
		h.Start += int32(at)
		h.End += int32(at)
		dst = append(dst, h)
	}
	return dst
}

// Shown returns how a message names what is not known. A default, a pattern
// and the command of a substitution may hold secrets, and are left out.
func (h *Hole) Shown() string {
	expr := h.Expr
	end := strings.Index(expr, h.Name) + len(h.Name)
	switch {
	case strings.HasPrefix(expr, "{{"): // of a form that is no command
		return expr
	case h.Name != "" && end >= len(h.Name) && len(expr)-end <= 1: // $X, ${X}, %X%, $env:X
		return expr
	case h.Name != "" && strings.HasPrefix(expr, "${"):
		return expr[:end] + "…}"
	case h.Name != "" && end >= len(h.Name):
		return expr[:end] + "…"
	case strings.HasPrefix(expr, "`"):
		return "`…`"
	case strings.HasSuffix(expr, ")") && strings.Contains(expr, "("):
		return expr[:strings.IndexByte(expr, '(')] + "(…)"
	case len(expr) <= 2: // $1, $?
		return expr
	}
	return "a value that the shell computes"
}

// Input is the standard input that the text gives a command: a
// here-document, a here-string, a redirection, or the output of a pipe whose
// left side is plain enough to know.
type Input struct {
	Text  string // the bytes, when Known
	Known bool
	Kept  bool // Text holds the spelling of unknown variables
	// Wrapped says that Text, which is not Known then, has line breaks that only
	// some programs make, and would be known without them.
	Wrapped bool
	Holes   []Hole // the unknown parts of Text, in order, if their spans are known
	File    string // for a redirection from a file: its name
	// From is what is read, where that is not Known and no file, but the text says
	// what it is.
	From *Origin
}

// A Feed is a file that the text itself makes: what the commands of a process
// substitution print, <(…), by its spelling.
type Feed struct{ Name, Text string }

// A Command is a simple command: a program and its arguments.
type Command struct {
	Args   []Word
	Stdin  *Input // nil: not redirected
	Span   diag.Span
	*Extra // nil for nearly every one
	// Inside says that it runs within a word of another command: in $(…), in
	// backquotes, in <(…) or >(…). OfCurl says that the other command runs curl.
	Inside, OfCurl bool
	// Nested reports that it is in an argument of another command, which runs
	// it: what is replaced in it is read by two shells.
	Nested bool
	// Translated says that it stands for a request of another client, such as a
	// call of fetch, whose redirects go as that client does them.
	Translated bool
}

// Feeds reports whether it runs curl, and its output is part of a word of another
// command in a way that is certain.
func (c *Command) Feeds() bool { return c.Extra != nil && c.Output != nil && c.Output.Used }

// IsTaken reports whether the text takes a part of what the command prints, or of a file that it
// writes.
func (c *Command) IsTaken() bool {
	return c.Feeds() || c.Extra != nil && slices.ContainsFunc(c.Wrote, func(o *Output) bool { return o.Used })
}

// Extra is what few commands have.
type Extra struct {
	Fed    []Feed    // what it can read by the names of process substitutions
	Output *Output   // what it prints, where it runs curl and a substitution may take that
	Wrote  []*Output // files that it writes, as far as one can see before its options are read
	Sink   *Sink     // where the shell leads what it prints
	Turn   *Turn     // what the shell makes of whether it fails
	Piped  bool      // what it prints goes on to a command that does more than to show it
}

// A Sink is the file to which the shell leads the standard output of a command.
type Sink struct {
	File    Word
	Appends bool // >>
}

// A Turn is what the shell makes of whether a command of curl fails.
type Turn struct {
	Span   diag.Span // of what runs, or runs again
	Loop   Loop
	Times  int // how often a loop runs it at most; 0: without limit
	Or     Or
	Of     *Turn   // of the command after whose failure it runs; nil: it runs anyway
	Delay  float64 // seconds before it runs again
	Status int     // of OrExit
	Prints string  // a line that is printed where it fails, or before it runs again; "" for none
	Stderr bool    // that line goes to standard error

	request int // the index of its one request, from 1; 0: it has none or several
}

// A Loop says how often a command runs.
type Loop uint8

// The loops.
const (
	Once  Loop = iota
	Until      // until it succeeds
	While      // until it fails
)

// An Or says what runs where a command fails.
type Or uint8

// What runs where a command fails.
const (
	OrNothing Or = iota
	OrIgnore     // nothing, and the shell goes on
	OrExit       // the shell ends
	OrCurl       // another command of curl
)

// Set says which request the command makes, if it is one.
func (t *Turn) Set(request int) { t.request = request + 1 }

// Request returns the index of its one request.
func (t *Turn) Request() (index int, ok bool) { return t.request - 1, t.request > 0 }

// Turns returns what the shell makes of whether it fails, or nil.
func (c *Command) Turns() *Turn {
	if c.Extra == nil {
		return nil
	}
	return c.Turn
}

// Led returns where the shell leads what it prints, or nil.
func (c *Command) Led() *Sink {
	if c.Extra == nil {
		return nil
	}
	return c.Sink
}

// GoesOn reports whether what it prints goes on to a command that does more than to show it.
func (c *Command) GoesOn() bool { return c.Extra != nil && c.Piped }

// Files returns what it can read by the names of process substitutions.
func (c *Command) Files() []Feed {
	if c.Extra == nil {
		return nil
	}
	return c.Fed
}
