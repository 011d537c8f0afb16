package lint

import (
	"slices"
	"strings"

	"uncoil/diag"
	"uncoil/internal/edge/lazy"
	"uncoil/internal/engine/ascii"
)

// ignoreComment is what a comment of any language says of the commands near it:
//
//	uncoil-ignore         the command of this line, or the next one
//	uncoil-ignore-start   all commands up to uncoil-ignore-end
//	uncoil-ignore-file    all commands of the file
//
// After a colon stand the codes that are meant; without them all are. In backticks it is
// text about it.
var ignoreComment = lazy.Regexp("(?:^|[^`])(?:<!--|#|//|/[*]|--|;|%|[.][.]) *" + `uncoil-ignore(-start|-end|-file)?\b(?:: *([a-z][a-z, -]*[a-z]))?`)

// An ignore covers the commands that begin on some lines.
type ignore struct {
	first, last int
	codes       []string // none: all
}

// Ignores are what the comments of a text let be.
type Ignores []ignore

// everyLine is after the last line of any file.
const everyLine = 1 << 30

// isShownWrong reports whether a line says of the command below it that it is a mistake.
func isShownWrong(line string) bool {
	line = strings.TrimLeft(line, " \t\r#*>/_-")
	if strings.HasPrefix(line, "❌") {
		return true
	}
	for _, word := range [...]string{"WRONG", "Wrong", "wrong", "INCORRECT", "Incorrect", "incorrect"} {
		if after, begins := strings.CutPrefix(line, word); begins && (after == "" || !ascii.IsNameByte(after[0])) {
			return true
		}
	}
	return false
}

// IgnoredIn returns what the comments of a text say, and which commands it shows as
// mistakes.
func IgnoredIn(text string) (all Ignores) {
	n, open := 0, -1 // open: the index of the ignore whose end is to come
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		n = i + 1
		var found []string
		switch {
		case strings.Contains(line, "uncoil-ignore"):
			found = ignoreComment().FindStringSubmatch(line)
		case isShownWrong(line):
			found = make([]string, 3)
		}
		if found == nil {
			continue
		}
		one := ignore{first: n, last: n, codes: codesIn(found[2])}
		switch found[1] {
		case "-file":
			one.first, one.last = 1, everyLine
		case "-start":
			one.last, open = everyLine, len(all)
		case "-end":
			if open >= 0 {
				all[open].last, open = n, -1
			}
			continue
		default:
			// Blank lines and the fence of a block may stand before the command.
			for one.last < len(lines) && isFrame(lines[one.last]) {
				one.last++
			}
			one.last++
		}
		all = append(all, one)
	}
	return all
}

// isFrame reports a line that is blank, or begins a block of code.
func isFrame(line string) bool {
	line = strings.Trim(line, " \t\r>")
	return line == "" || strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") || line == "<pre>" || line == "<pre><code>" || ignoreComment().MatchString(line)
}

func codesIn(list string) []string {
	return strings.FieldsFunc(strings.TrimRight(list, "- "), func(r rune) bool { return r == ',' || r == ' ' })
}

// Has reports whether a code is ignored in a command that begins on a line.
func (all Ignores) Has(line int, code diag.Code) bool {
	return slices.ContainsFunc(all, func(one ignore) bool {
		return one.first <= line && line <= one.last && (len(one.codes) == 0 || slices.Contains(one.codes, string(code)))
	})
}
