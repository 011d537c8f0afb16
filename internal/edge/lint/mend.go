package lint

import (
	"path"
	"slices"
	"strings"

	"uncoil/diag"
	"uncoil/extract"
	"uncoil/internal/engine/revise"
)

// maxTries is how often a file is read again to find the fixes that can be made, and
// maxRounds how often those are made that showed when others had been.
const (
	maxTries  = 32
	maxRounds = 4
)

// Mend returns the file with the fixes of its findings made that are certain, what is found
// in it then, and how many fixes were made. A fix is certain where the file, read again,
// has its command without the finding, without an error and without a new finding, and all
// other commands as they were.
func (f *File) Mend(findings []Finding, rule Rule) (mended *File, left []Finding, made int) {
	for range maxRounds {
		edits := f.Certain(findings, rule)
		if len(edits) == 0 {
			break
		}
		again, err := Read(f.Name, Apply(f.Text, edits), f.Kind)
		if err != nil {
			break
		}
		f, findings, made = again, again.Check(rule), made+len(edits)
	}
	return f, findings, made
}

// Certain returns the edits of the fixes of a file that Mend makes at first, in their order.
func (f *File) Certain(findings []Finding, rule Rule) (edits []*Edit) {
	mendable := byCommand(findings)
	var commands []int // with fixes
	for i, found := range mendable {
		if len(Edits(found)) > 0 {
			commands = append(commands, i)
		}
	}
	if len(commands) == 0 {
		return nil
	}
	slices.Sort(commands)
	rule.Lines = nil                 // which an edit may move
	before := byCommand(f.all(rule)) // with what is not told: a fix may bring none of it
	editsOf := func(chosen []bool) (edits []*Edit) {
		for i, command := range commands {
			if chosen[i] {
				edits = append(edits, Edits(mendable[command])...)
			}
		}
		slices.SortStableFunc(edits, func(a, b *Edit) int { return a.Start - b.Start })
		return edits
	}
	return editsOf(revise.Choose(len(commands), maxTries, func(chosen []bool) bool {
		edits := editsOf(chosen)
		for i := 1; i < len(edits); i++ {
			if edits[i].Start <= edits[i-1].End {
				return false // two commands that share a text, as one within a word of another
			}
		}
		again, err := Read(f.Name, Apply(f.Text, edits), f.Kind)
		if err != nil || len(again.Commands) != len(f.Commands) {
			return false
		}
		after := byCommand(again.all(rule))
		for i := range f.Commands {
			if place, isEdited := slices.BinarySearch(commands, i); isEdited && chosen[place] {
				if !mends(before[i], after[i]) {
					return false
				}
			} else if f.Commands[i].Text != again.Commands[i].Text || !slices.EqualFunc(before[i], after[i], func(a, b Finding) bool { return a.Code == b.Code }) {
				return false
			}
		}
		return true
	}))
}

// byCommand returns the findings of each command.
func byCommand(findings []Finding) map[int][]Finding {
	all := make(map[int][]Finding)
	for _, found := range findings {
		all[found.command] = append(all[found.command], found)
	}
	return all
}

// mends reports whether the findings of a command lack those that had a fix, and have no
// new one but such as has a fix again: what the first had hidden.
func mends(before, after []Finding) bool {
	left := make(map[diag.Code]int)
	for i := range before {
		if before[i].Fix == nil {
			left[before[i].Code]++
		}
	}
	for i := range after {
		if left[after[i].Code]--; left[after[i].Code] < 0 && after[i].Fix == nil || after[i].Severity == "error" {
			return false
		}
	}
	return true
}

// isMendable reports whether the fixes of a command may be made in the file: where it is a
// document or a script, and has the command as its shell gets it. Programs are written by
// rules of their own, and so are strings and folded text in JSON and YAML.
func (f *File) isMendable(c *extract.Command) bool {
	line := f.Text[strings.LastIndexByte(f.Text[:c.Start], '\n')+1 : c.Start]
	switch f.Kind {
	case extract.Markdown, extract.RST, extract.AsciiDoc, extract.Script, extract.Makefile, extract.Auto:
	case extract.YAML:
		if strings.Contains(line, ": ") || strings.HasPrefix(strings.TrimLeft(line, " "), "- ") || strings.ContainsAny(line, `"'`) {
			return false
		}
	default:
		if ext := path.Ext(f.Name); ext != ".txt" && ext != "" {
			return false
		}
	}
	return isVerbatim(f.Text[c.Start:c.End], c.Text)
}

// isVerbatim reports whether a stretch of a file is a command, but for what stands before
// its further lines: blanks, the marks of quotations and comments, and prompts.
func isVerbatim(source, command string) bool {
	before, ok := margins(source, command)
	return ok && before[0] == "" && !slices.ContainsFunc(before, func(margin string) bool { return strings.Trim(margin, " \t>#*/;|-") != "" })
}
