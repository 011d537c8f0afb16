package posix

import (
	"encoding/base64"
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
	switch name {
	case "echo", "printf", "cat", "base64", "tr":
	default:
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
		holes, at := []word.Hole(nil), true // whether their places are known
		took := func(verb byte, arg, offset int) {
			list := fields[arg+1].Holes
			at = at && (verb == 's' || list == nil) && (list == nil || r.hold(2*len(list)*word.HoleSize))
			if at {
				holes = word.AppendHoles(holes, offset, list)
			}
		}
		if text, ok := r.printf(args, took); ok {
			if !at {
				holes = nil
			}
			return &word.Input{Text: text, Known: true, Kept: kept, Holes: holes}
		}
	case "cat":
		switch {
		case (len(args) == 0 || len(args) == 1 && args[0] == "-") && stdin != nil:
			return stdin
		case len(args) == 1 && args[0] != "-" && !strings.HasPrefix(args[0], "-"):
			return &word.Input{File: args[0]}
		}
	case "base64":
		return r.base64(args, stdin)
	case "tr":
		return r.tr(args, stdin)
	}
	return &unknown
}

// base64 returns what the program of that name prints. GNU's breaks lines after
// 76 characters unless -w 0 is given, and that of BSD does not.
func (r *reader) base64(args []string, stdin *word.Input) *word.Input {
	const line = 76
	width := line
	switch strings.Join(args, " ") {
	case "":
	case "-w0", "-w 0", "--wrap=0", "--wrap 0":
		width = 0
	default:
		return &unknown
	}
	if stdin == nil || !stdin.Known || stdin.Kept {
		return &unknown
	}
	n := base64.StdEncoding.EncodedLen(len(stdin.Text))
	if !r.pay(n) || !r.hold(2*n+inputSize) {
		return &unknown
	}
	text := base64.StdEncoding.EncodeToString([]byte(stdin.Text))
	switch {
	case width == 0 || text == "":
		return &word.Input{Text: text, Known: true}
	case len(text) <= line:
		return &word.Input{Text: text + "\n", Known: true}
	}
	return &word.Input{Text: text + "\n", Wrapped: true}
}

// tr returns what tr -d prints where it deletes line breaks, and what tr makes of Base64.
func (r *reader) tr(args []string, stdin *word.Input) *word.Input {
	if len(args) == 2 && stdin != nil && stdin.Known && !stdin.Kept {
		from, to := args[0], args[1]
		switch from + " " + to {
		case "+/ -_", "/+ _-":
			if !r.pay(len(stdin.Text)) || !r.hold(len(stdin.Text)+inputSize) {
				return &unknown
			}
			return &word.Input{Text: strings.NewReplacer(from[:1], to[:1], from[1:], to[1:]).Replace(stdin.Text), Known: true}
		}
	}
	if len(args) != 2 || args[0] != "-d" || stdin == nil || !stdin.Known && !stdin.Wrapped || stdin.Kept || !r.pay(len(stdin.Text)) || !r.hold(len(stdin.Text)+inputSize) {
		return &unknown
	}
	var deleted string
	switch args[1] {
	case `\n`, "\n":
		deleted = "\n"
	case `\r`, "\r":
		deleted = "\r"
	case `\r\n`, `\n\r`:
		deleted = "\r\n"
	case "=":
		deleted = "="
	case `=\n`, `\n=`, "=\n":
		deleted = "\n="
	}
	if deleted == "" || stdin.Wrapped && deleted[0] != '\n' && deleted != "\r\n" {
		return &unknown
	}
	text := strings.ReplaceAll(stdin.Text, deleted[:1], "")
	if len(deleted) > 1 {
		text = strings.ReplaceAll(text, deleted[1:], "")
	}
	return &word.Input{Text: text, Known: true}
}
