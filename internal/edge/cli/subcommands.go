package cli

import (
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"uncoil/code"
	"uncoil/internal/edge/api"
)

// A subcommand is what the first argument names.
type subcommand struct {
	name, summary string
	page          *Page // of those that have no flags; the others pass theirs to ParseFlags
	run           func(args []string) error
}

func (p *Program) subcommands() []subcommand {
	return []subcommand{
		{"convert", "convert a command: method, url, headers, data", nil, p.convert},
		{"parse", "describe every request in full", nil, p.parse},
		{"explain", "say what each option does, and did", nil, p.explain},
		{"diff", "say what differs between the requests of two texts", nil, p.diff},
		{"code", "write a program, a file or a command that sends it", nil, p.code},
		{"targets", "list what uncoil code writes", nil, p.targets},
		{"curl", "convert a command without quotes around it", &barePage, func(args []string) error { return p.bare(append([]string{"curl"}, args...)) }},
		{"batch", "convert many commands: a line in, a line out", nil, p.batch},
		{"lint", "check the curl commands of documentation and scripts", nil, p.lint},
		{"extract", "find the curl commands of documentation and scripts", nil, p.extract},
		{"snippets", "keep programs in documentation in step with curl commands", nil, p.snippets},
		{"fmt", "format the curl commands of a text", nil, p.format},
		{"serve", "run an HTTP service with the same answers, and a page", nil, func(args []string) error { return p.serve(p, args) }},
		{"health", "ask a service whether it is ready", nil, p.health},
		{"lsp", "answer an editor (Language Server Protocol)", nil, p.lsp},
		{"mcp", "answer an agent (Model Context Protocol)", nil, p.mcp},
		{"completion", "print a script that completes arguments in a shell", &completionPage, p.completion},
		{"version", "print the version", &versionPage, p.version},
		{"help", "explain a subcommand", &helpPage, p.help},
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

// describe returns the page of a subcommand and its flags.
func (p *Program) describe(s *subcommand) (*Page, *flag.FlagSet) {
	page, flags := s.page, NewFlags(s.name)
	if page == nil {
		p.described = func(g *Page, fs *flag.FlagSet) { page, flags = g, fs }
		_ = s.run(nil) // it ends in ParseFlags
		p.described = nil
	}
	return page, flags
}

// unknown is the error for a subcommand that does not exist.
func (p *Program) unknown(name string) error {
	var names []string
	for _, s := range p.subcommands() {
		names = append(names, s.name)
	}
	if strings.Contains(name, "://") {
		return &UsageError{fmt.Sprintf("unknown subcommand %q", name) + api.Meant("uncoil curl "+name), "uncoil -h"}
	}
	near := api.Near(name, names)
	if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
		near = "uncoil convert " + name
	} else if near == "" {
		near = code.Nearest(name)
	}
	return &UsageError{fmt.Sprintf("unknown subcommand %q", name) + api.Meant(near), "uncoil -h"}
}

// help explains uncoil, or one of its subcommands.
func (p *Program) help(args []string) error {
	text := ""
	if len(args) == 0 {
		text = rootPage.usage("") + "\n" + rootPage.Text + rootPage.examples(len(rootPage.Examples)) + p.overview()
	} else if s := p.find(args[0]); s == nil {
		return p.unknown(args[0])
	} else {
		page, flags := p.describe(s)
		text = page.long(s.name, flags)
	}
	_, err := io.WriteString(p.Stdout, text)
	return err
}

// shortHelp is the text of uncoil -h.
func (p *Program) shortHelp() string {
	return "uncoil turns a curl command into the HTTP request that curl would send.\n" +
		strings.TrimPrefix(rootPage.examples(1), "\n") + strings.TrimPrefix(p.overview(), "\n") + "uncoil help says more, and uncoil help SUBCOMMAND explains one.\n"
}

// overview lists the subcommands.
func (p *Program) overview() string {
	var t table
	for _, section := range sections {
		t.title(section.title)
		for name := range strings.FieldsSeq(section.names) {
			t.row(name, p.find(name).summary)
		}
	}
	return t.text()
}
