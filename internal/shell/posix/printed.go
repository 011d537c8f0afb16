package posix

import (
	"strings"

	"uncoil/internal/shell/word"
)

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
		return &word.Input{Text: echo(args), Known: true, Kept: kept}
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
