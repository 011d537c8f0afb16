package source

import (
	"slices"

	"uncoil/diag"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/message"
	"uncoil/internal/engine/source/paste"
)

// An OtherProgram is one beside curl whose commands are read where a text runs no curl.
type OtherProgram struct {
	// Is reports whether the words of a command run it.
	Is func(args []Word) bool
	// What names such a command: "a command of HTTPie".
	What string
	// Read adds the command of curl that sends the same request, and reports whether
	// it has one and the conversion may go on.
	Read   func(c *Command, w *message.Writer) bool
	Syntax diag.Code // of what it refuses
}

// otherPrograms are those that are part of the program.
var otherPrograms []OtherProgram

// RegisterProgram makes the reader of a program part of this one. It is for functions
// init.
func RegisterProgram(p OtherProgram) { otherPrograms = append(otherPrograms, p) }

// runsOther reports whether a command of a text runs one of the other programs.
func runsOther(r *Reading, m *meter.Meter) bool {
	for i := range r.Commands {
		c := &r.Commands[i]
		at := otherAt(c)
		if at >= 0 && m.Work(lookSteps*len(c.Args)) && slices.ContainsFunc(otherPrograms, func(p OtherProgram) bool { return p.Is(c.Args[at:]) }) {
			return true
		}
	}
	return false
}

// readPrograms reads the commands of other programs in a text that runs no curl.
func readPrograms(r *Reading, m *meter.Meter) {
	if len(otherPrograms) == 0 || r.Diags.Err() != nil || m.Over() || runsCurl(r.Commands) {
		return
	}
	for i := range r.Commands {
		at := otherAt(&r.Commands[i])
		if at < 0 {
			continue
		}
		for _, p := range otherPrograms {
			c := r.Commands[i]
			c.Args = c.Args[at:]
			if !m.Work(lookSteps*len(c.Args)) || !p.Is(c.Args) {
				continue
			}
			w := message.Writer{Meter: m, Syntax: p.Syntax}
			if !p.Read(&c, &w) {
				r.Commands, r.Diags = nil, append(r.Diags, w.Diags...)
				if m.Over() {
					r.Diags = diag.List{m.Diagnostic(diag.At(int(c.Span.Start)))}
				}
				return
			}
			r.Diags = append(r.Diags, w.Diags...)
			own := w.Commands[0]
			own.Span, own.Inside, own.OfCurl, own.Nested = c.Span, c.Inside, c.OfCurl, c.Nested
			if own.Stdin == nil && readsInput(&own) {
				own.Stdin = c.Stdin
			}
			r.Commands[i] = own
			break
		}
	}
}

// otherAt returns the index of the word of a command that is its program, behind prompts,
// assignments, sudo and the like, or -1.
func otherAt(c *Command) int {
	for i := 0; i < len(c.Args); i++ {
		text := c.Args[i].Text
		switch options := paste.WrapperOptions(text); {
		case paste.IsAssignment(text), paste.IsMarker(text), paste.IsPrompt(text):
		case options != "":
			i = skipOptions(c.Args, i, options)
		default:
			return i
		}
	}
	return -1
}

// readsInput reports whether a command of curl reads its standard input.
func readsInput(c *Command) bool {
	return slices.ContainsFunc(c.Args, func(w Word) bool { return w.Text == "@-" })
}
