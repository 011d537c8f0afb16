package source

import (
	"slices"
	"strings"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/paste"
)

// mayBeFish reports whether a text that was read for a POSIX shell could be one
// for fish. The reader stumbles over a \' between single quotes, reports the
// fence, and takes the command that sets a variable for one that is not curl.
func mayBeFish(r *Reading) bool {
	if r.Dialect != POSIX || len(r.Diags) > 0 {
		return r.Dialect == POSIX
	}
	return slices.ContainsFunc(r.Commands, func(c Command) bool { return len(c.Args) > 0 && c.Args[0].Text == "set" })
}

// isFish reports whether the text is one for the fish shell: its fence says
// so, it sets a variable as fish does, or it has a \' between single quotes
// such that no other shell could read it. For them the quotes end there, in
// the middle of a word, and the last quote of the text closes nothing.
func isFish(src string) bool {
	for line := range strings.Lines(src) {
		if line = strings.TrimSpace(line); isFishSet(line) || strings.HasPrefix(line, "```fish") {
			return true
		}
	}
	if !strings.Contains(src, `\'`) || strings.Contains(src, "$'") { // which fish has not
		return false
	}
	escaped := false
	for i := 0; i < len(src); i++ {
		switch src[i] {
		case '\\':
			i++
		case '"':
			for i++; i < len(src) && src[i] != '"'; i++ {
				if src[i] == '\\' {
					i++
				}
			}
		case '#':
			if i == 0 || strings.IndexByte(" \t\n;", src[i-1]) >= 0 {
				i += ascii.LineLength(src[i:])
			}
		case '\'':
			n := strings.IndexByte(src[i+1:], '\'')
			if n < 0 {
				return escaped
			}
			i += n + 1
			escaped = escaped || n > 0 && src[i-1] == '\\' && i+1 < len(src) && ascii.IsLetter(src[i+1])
		}
	}
	return false
}

// isFishSet reports whether a line sets a variable as fish does:
// set -gx NAME value.
func isFishSet(line string) bool {
	if !strings.HasPrefix(strings.TrimLeft(line, " \t"), "set") {
		return false // as most lines, and at once
	}
	words := strings.FieldsFunc(line[:min(len(line), maxName)], func(r rune) bool { return r == ' ' || r == '\t' })
	return len(words) >= 4 && words[0] == "set" && words[1][0] == '-' && strings.Trim(words[1][1:], "gxUul") == "" &&
		ascii.NameLength(words[2]) == len(words[2])
}

// fromFish rewrites a text for fish as one for a POSIX shell. Between single
// quotes fish knows \' and \\, a command substitution has no dollar, and
// variables are set by the command set.
func fromFish(src string, m *meter.Meter) *paste.Rewriting {
	w := paste.NewRewriting(src, m)
	start := true // of a line
	for i := 0; i < len(src); i++ {
		if start && isFishSet(src[i:i+ascii.LineLength(src[i:])]) {
			i += fishSet(w, src, i)
			if i == len(src) {
				break
			}
		}
		start = start && ascii.IsBlank(src[i]) || src[i] == '\n'
		switch src[i] {
		case '\\':
			i++
		case '#':
			if i == 0 || strings.IndexByte(" \t\n;", src[i-1]) >= 0 {
				i += ascii.LineLength(src[i:]) - 1
			}
		case '(':
			if i > 0 && src[i-1] != '$' {
				w.Replace(i, i, "$")
			}
		case '"':
			for i++; i < len(src) && src[i] != '"'; i++ {
				switch {
				case src[i] == '\\':
					i++
				case src[i] == '`':
					w.Replace(i, i+1, "\\`")
				}
			}
		case '\'':
			i = fishQuoted(w, src, i)
		}
	}
	return w
}

// fishQuoted rewrites the text between single quotes at i, and returns where
// it ends.
func fishQuoted(w *paste.Rewriting, src string, i int) int {
	for i++; i < len(src) && src[i] != '\''; i++ {
		if src[i] != '\\' || i+1 == len(src) {
			continue
		}
		switch src[i+1] {
		case '\'':
			w.Replace(i, i+2, `'\''`)
			i++
		case '\\':
			w.Replace(i, i+2, `\`)
			i++
		}
	}
	return i
}

// fishSet rewrites  set -gx NAME value  as  export NAME=value, and returns
// how much of it stands before the value.
func fishSet(w *paste.Rewriting, src string, i int) int {
	line := src[i : i+ascii.LineLength(src[i:])]
	name := 0
	for range 2 {
		name += len(line[name:]) - len(strings.TrimLeft(line[name:], " \t"))
		name += strings.IndexAny(line[name:], " \t")
	}
	name += len(line[name:]) - len(strings.TrimLeft(line[name:], " \t"))
	value := name + ascii.NameLength(line[name:])
	blanks := len(line[value:]) - len(strings.TrimLeft(line[value:], " \t"))
	w.Replace(i, i+name, "export ")
	w.Replace(i+value, i+value+blanks, "=")
	return value + blanks
}
