package source

import (
	"slices"
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/paste"
	"uncoil/internal/engine/source/posix"
)

// readDiff reads a diff that takes lines away and adds others: the commands before it, and
// those after it that are not the same. ok is false where the text is none.
func readDiff(src string, env map[string]string, m *meter.Meter) (r Reading, ok bool) {
	if src == "" || strings.IndexByte("-@ `\n", src[0]) < 0 || !strings.Contains(src, "\n+") {
		return r, false
	}
	lines := diffLines(src, m)
	if lines == nil {
		return r, false
	}
	r.Dialect = POSIX
	r.Diags.Warn(diag.WarnPastedNoise, diag.At(0), "the text is a diff; the commands before and after it are read", "")
	for _, dropped := range [...]byte{'+', '-'} {
		w := paste.NewRewriting(src, m)
		at := 0
		for _, l := range lines {
			if l.mark == dropped {
				continue
			}
			w.Replace(at, l.start+1, "")
			at = l.end
		}
		w.Replace(at, len(src), "")
		text := w.Text()
		if m.Over() {
			return r, false
		}
		commands, diags := withNested(text, env, m)(posix.Read(text, env, m, nil))
		if diags.Err() != nil {
			return r, false
		}
		w.Restore(commands, diags)
		first := len(r.Diags)
		for i := range diags {
			if !m.Work(lookSteps*first) || !slices.ContainsFunc(r.Diags[:first], func(d diag.Diagnostic) bool { return d.Code == diags[i].Code && d.Message == diags[i].Message }) {
				r.Diags = append(r.Diags, diags[i])
			}
		}
		before := r.Commands
		for i := range commands {
			if !m.Work(lookSteps * (1 + len(before))) {
				return r, false
			}
			if !slices.ContainsFunc(before, func(c Command) bool { return sameCommand(&c, &commands[i]) }) {
				r.Commands = append(r.Commands, commands[i])
			}
		}
	}
	slices.SortStableFunc(r.Commands, func(a, b Command) int { return int(a.Span.Start - b.Span.Start) })
	return r, runsCurl(r.Commands)
}

// sameCommand reports whether two commands have the same words at the same places.
func sameCommand(a, b *Command) bool {
	return a.Span == b.Span && slices.EqualFunc(a.Args, b.Args, func(v, w Word) bool { return v.Span == w.Span && v.Text == w.Text })
}

// A diffLine is a line of a diff that has text, up to the next line.
type diffLine struct {
	start, end int
	mark       byte // '-', '+' or a blank
}

// diffLines returns the lines of a diff, or nil where the text is none: where a line has no
// mark, or none is taken away before one is added.
func diffLines(src string, m *meter.Meter) (lines []diffLine) {
	taken, added := false, false
	for at := 0; at < len(src); {
		n := ascii.LineLength(src[at:])
		line := strings.TrimRight(src[at:at+n], "\r")
		next := min(at+n+1, len(src))
		if !m.Work(n) {
			return nil
		}
		switch {
		case len(lines) == 0 && (line == "" || strings.HasPrefix(line, "```diff")), strings.HasPrefix(line, "@@ "), strings.HasPrefix(line, "--- "), strings.HasPrefix(line, "+++ "):
		case len(lines) > 0 && strings.HasPrefix(line, "```"):
			next = len(src)
		case line == "":
		case strings.IndexByte("-+ ", line[0]) < 0 || line[0] != ' ' && !followsMark(line[1:]) || line[0] == '+' && !taken:
			return nil
		default:
			taken, added = taken || line[0] == '-', added || line[0] == '+'
			if !meter.Append(m, &lines, diffLine{at, next, line[0]}) {
				return nil
			}
		}
		at = next
	}
	if !added {
		return nil
	}
	return lines
}

// followsMark reports whether a text may follow the mark of a diff: it is no option, of which
// the mark would be the dash.
func followsMark(s string) bool {
	return s == "" || !ascii.IsLetter(s[0]) && s[0] != '-' || strings.HasPrefix(s, "curl ")
}
