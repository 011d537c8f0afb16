package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"uncoil/code"
	"uncoil/internal/edge/api"
)

// code writes a program. With -to as the last argument it lists the targets.
func (p *Program) code(args []string) error {
	if n := len(args); n > 0 && (args[n-1] == "-to" || args[n-1] == "--to") {
		return p.targets(nil)
	}
	return p.answer("code", api.AsCode, &codePage, args)
}

// targets lists what requests can be written as.
func (p *Program) targets(args []string) error {
	fs := NewFlags("targets")
	if err := p.ParseFlags(fs, args, &targetsPage); err != nil {
		return err
	}
	if fs.NArg() > 0 {
		return &UsageError{fmt.Sprintf("targets takes no argument such as %q", fs.Arg(0)), "uncoil targets -h"}
	}
	all := code.Targets()
	wanted := slices.DeleteFunc(slices.Clone(all), func(t code.Target) bool { return t.Rank == 0 })
	slices.SortFunc(wanted, func(a, b code.Target) int { return a.Rank - b.Rank })
	list := "Most wanted:\n\n" + targetLines(wanted)
	slices.SortFunc(all, func(a, b code.Target) int {
		return cmp.Or(strings.Compare(a.Language, b.Language), strings.Compare(a.Name, b.Name))
	})
	for _, s := range targetSections {
		list += "\n" + s.title + "\n\n" + targetLines(slices.DeleteFunc(slices.Clone(all), func(t code.Target) bool { return t.Kind != s.kind || t.Rank > 0 }))
	}
	_, err := fmt.Fprint(p.Stdout, list)
	return err
}

// targetSections are the kinds of targets, in the order of the list, after the most wanted.
var targetSections = []struct {
	title string
	kind  code.Kind
}{
	{"Other programs:", code.KindCode},
	{"Files that other tools open:", code.KindFile},
	{"Commands:", code.KindCommand},
}

// targetLines returns a line for each target, and a second where its programs are not run.
func targetLines(targets []code.Target) (list string) {
	for _, t := range targets {
		list += fmt.Sprintf("%-22s %-11s %s %s", t.Name, t.Language, t.Client, t.Version)
		if len(t.Aliases) > 0 {
			list += "; also " + strings.Join(t.Aliases, ", ")
		}
		list += "\n"
		if !t.Proven {
			list += fmt.Sprintf("%-22s %s: %s\n", "", t.Proof, t.Reason)
		}
	}
	return list
}
