package cli

import (
	"fmt"
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
	list, separator := "", ""
	for _, s := range targetSections {
		if section := targetSection(s.kind); section != "" {
			list += separator + s.title + "\n\n" + section
			separator = "\n"
		}
	}
	_, err := fmt.Fprint(p.Stdout, list)
	return err
}

// targetSections are the kinds of targets, in the order of the list.
var targetSections = []struct {
	title string
	kind  code.Kind
}{
	{"Programs:", code.KindCode},
	{"Files that other tools open:", code.KindFile},
	{"Commands:", code.KindCommand},
}

// targetSection returns the lines of the targets of a kind.
func targetSection(kind code.Kind) string {
	list := ""
	for _, t := range code.Targets() {
		if t.Kind != kind {
			continue
		}
		list += fmt.Sprintf("%-22s %-11s %s %s", t.Name, t.Language, t.Client, t.Version)
		if !t.Proven {
			list += " (" + t.Proof + ")"
		}
		if len(t.Aliases) > 0 {
			list += "; also " + strings.Join(t.Aliases, ", ")
		}
		list += "\n"
	}
	return list
}
