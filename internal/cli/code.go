package cli

import (
	"fmt"
	"strings"

	"uncoil"
	"uncoil/code"
)

// programOf returns the program that sends the requests, and the result with
// the warnings about it.
func programOf(result *uncoil.Result, want uncoil.Want) (*uncoil.Result, []byte, error) {
	program, warnings, err := result.AppendCode(nil, want)
	if err == nil {
		result.Warnings = warnings
	}
	return result, program, err
}

// targets lists what requests can be written as.
func (p *Program) targets(args []string) error {
	fs := NewFlags("targets")
	if err := p.ParseFlags(fs, args, targetsHelp); err != nil {
		return err
	}
	if fs.NArg() > 0 {
		return &UsageError{fmt.Sprintf("targets takes no argument such as %q", fs.Arg(0)), "uncoil targets -h"}
	}
	for _, t := range code.Targets() {
		unproven := ""
		if !t.Proven {
			unproven = " (unproven)"
		}
		_, err := fmt.Fprintf(p.Stdout, "%-18s %-11s %s %s%s; also %s\n", t.Name, t.Language, t.Client, t.Version, unproven, strings.Join(t.Aliases, ", "))
		if err != nil {
			return err
		}
	}
	return nil
}
