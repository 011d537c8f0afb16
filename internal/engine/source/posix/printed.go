package posix

import (
	"strings"

	"uncoil/internal/engine/source/word"
)

// echoHoles returns the unknown parts of what echo prints, but for -e, which
// moves them.
func (r *reader) echoHoles(args []word.Word) []word.Hole {
	for len(args) > 0 && isEchoOption(args[0].Text) {
		if strings.Contains(args[0].Text, "e") {
			return nil
		}
		args = args[1:]
	}
	var holes []word.Hole
	at := 0
	for i := range args {
		if n := len(args[i].Holes); n > 0 && !r.hold(2*n*word.HoleSize) {
			return nil
		}
		holes = word.AppendHoles(holes, at, args[i].Holes)
		at += len(args[i].Text) + 1
	}
	return holes
}

// printed returns what a simple command is known to print.
func (r *reader) printed(fields []word.Word, stdin *word.Input) *word.Input {
	name := fields[0].Text
	if name != "echo" && name != "printf" && name != "cat" {
		return &unknown
	}
	size := 0
	kept := false
	for i := range fields {
		size += len(fields[i].Text) + 1
		kept = kept || fields[i].Holes != nil
	}
	if !r.hold(2*size+16*len(fields)) || !r.pay(2*size) {
		return &unknown
	}
	args := make([]string, len(fields)-1)
	for i := range args {
		args[i] = fields[i+1].Text
	}
	switch name {
	case "echo":
		return &word.Input{Text: echo(args), Known: true, Kept: kept, Holes: r.echoHoles(fields[1:])}
	case "printf":
		if text, ok := r.printf(args); ok {
			return &word.Input{Text: text, Known: true, Kept: kept}
		}
	case "cat":
		switch {
		case (len(args) == 0 || len(args) == 1 && args[0] == "-") && stdin != nil:
			return stdin
		case len(args) == 1 && args[0] != "-" && !strings.HasPrefix(args[0], "-"):
			return &word.Input{File: args[0]}
		}
	}
	return &unknown
}
