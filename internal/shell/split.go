package shell

import "uncoil/diag"

// A Reading is what Split made of a text.
type Reading struct {
	Dialect  Dialect
	Commands []Command
	Diags    diag.List
	// Declined says that the text needs the whole grammar of the POSIX
	// shell, which the bash package has; Commands is not complete then.
	Declined bool
	// Start and End bound the part of the text that holds commands, fences
	// left out.
	Start, End int
}

// Split reads a text in a dialect, or with Auto in the one that the text
// shows. Variables that env knows are replaced by their values.
func Split(src string, d Dialect, env map[string]string) Reading {
	r := Reading{Dialect: d, End: len(src)}
	ambiguous := false
	if d == Auto {
		r.Dialect, ambiguous = detect(src)
	}
	switch r.Dialect {
	case Cmd:
		r.Commands, r.Diags = splitCmd(src, env)
	case PowerShell:
		r.Commands, r.Diags = splitPowerShell(src, env)
	default:
		l := readPOSIX(src, env)
		r.Commands, r.Diags, r.Declined, r.Start, r.End = l.commands, l.diags, l.declined, l.start, l.end
	}
	if ambiguous {
		r.Diags.Warn(diag.WarnShellAmbiguous, diag.Span{End: int32(len(src))},
			"the text could be meant for another shell too; it was read as "+r.Dialect.String(), "say which in shell")
	}
	return r
}
