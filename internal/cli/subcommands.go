package cli

import (
	"fmt"
	"io"
	"strings"

	"uncoil/internal/api"
	"uncoil/internal/ascii"
)

// A subcommand is what the first argument names.
type subcommand struct {
	name, summary string
	help          string // for those that have no flags
	run           func(args []string) error
}

func (p *Program) subcommands() []subcommand {
	return []subcommand{
		{"convert", "convert a command: method, url, headers, data", "", p.convert},
		{"parse", "describe every request in full", "", p.parse},
		{"code", "write a program that sends the requests", "", func(args []string) error { return p.answer("code", api.AsCode, codeHelp, args) }},
		{"targets", "list what uncoil code writes", "", p.targets},
		{"fmt", "lay out the curl commands of a text", "", p.format},
		{"curl", "convert a command without quotes around it", bareHelp, func(args []string) error { return p.bare(append([]string{"curl"}, args...)) }},
		{"batch", "convert many commands", "", p.batch},
		{"extract", "find the curl commands of documentation and scripts", "", p.extract},
		{"lint", "check the curl commands of documentation and scripts", "", p.lint},
		{"serve", "run an HTTP service with the same answers", "", func(args []string) error { return p.serve(p, args) }},
		{"mcp", "answer an agent on standard input and output", "", p.mcp},
		{"health", "ask a service whether it is ready", "", p.health},
		{"completion", "print a script that completes uncoil's arguments in a shell", completionHelp, p.completion},
		{"version", "print the version", versionHelp, func([]string) error { return p.version() }},
		{"help", "explain a subcommand", overview, p.help},
	}
}

func (p *Program) find(name string) *subcommand {
	for _, s := range p.subcommands() {
		if s.name == name {
			return &s
		}
	}
	return nil
}

// unknown is the error for a subcommand that does not exist.
func (p *Program) unknown(name string) error {
	message := fmt.Sprintf("unknown subcommand %q", name)
	best := 3 // of the changes that a likely mistake takes
	near := ""
	for _, s := range p.subcommands() {
		if n := ascii.Edits(strings.ToLower(name[:min(len(name), 40)]), s.name); n < best && n < len(s.name)-1 {
			best, near = n, s.name
		}
	}
	if near != "" {
		message += "; did you mean " + near + "?"
	}
	return &UsageError{message, "uncoil help"}
}

// help shows how to use uncoil, or one of its subcommands.
func (p *Program) help(args []string) error {
	name := "help"
	if len(args) > 0 {
		name = args[0]
	}
	s := p.find(name)
	switch {
	case s == nil:
		return p.unknown(name)
	case s.help == "":
		return s.run([]string{"-h"})
	}
	_, err := io.WriteString(p.Stdout, s.help)
	return err
}
