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

// targets lists what requests can be written as: all, or those that words are about.
func (p *Program) targets(args []string) error {
	fs := NewFlags("targets")
	asJSON := fs.Bool("json", false, "write JSON, as GET /api/targets answers")
	if err := p.ParseFlags(fs, args, &targetsPage); err != nil {
		return err
	}
	all := slices.DeleteFunc(code.Targets(), func(t code.Target) bool {
		return slices.ContainsFunc(fs.Args(), func(word string) bool { return !isAbout(&t, strings.ToLower(word)) })
	})
	if len(all) == 0 {
		return &UsageError{"no target is about " + strings.Join(fs.Args(), " ") + api.Meant(code.Nearest(fs.Arg(0))), "uncoil targets"}
	}
	if *asJSON {
		_, err := p.Stdout.Write(append(api.AppendSomeTargets(nil, all), '\n'))
		return err
	}
	wanted := slices.DeleteFunc(slices.Clone(all), func(t code.Target) bool { return t.Rank == 0 })
	slices.SortFunc(wanted, func(a, b code.Target) int { return a.Rank - b.Rank })
	sections := []string{}
	add := func(title, lines string) {
		if lines != "" {
			sections = append(sections, title+"\n\n"+lines)
		}
	}
	add("Most wanted:", targetLines(wanted))
	slices.SortFunc(all, func(a, b code.Target) int {
		return cmp.Or(strings.Compare(a.Language, b.Language), strings.Compare(a.Name, b.Name))
	})
	for _, s := range targetSections {
		add(s.title, targetLines(slices.DeleteFunc(slices.Clone(all), func(t code.Target) bool { return t.Kind != s.kind || t.Rank > 0 })))
	}
	_, err := fmt.Fprint(p.Stdout, strings.Join(sections, "\n"))
	return err
}

// isAbout reports whether a word in small letters is the language, the kind or the proof of a
// target, one of its names, or a part of its name or its client.
func isAbout(t *code.Target, word string) bool {
	return slices.Contains([]string{t.Language, string(t.Kind), t.Proof}, word) || slices.Contains(t.Aliases, word) ||
		strings.Contains(t.Name, word) || strings.Contains(strings.ToLower(t.Client), word)
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
