package cli

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"
)

// manualCommand is the hidden subcommand that writes the pages of the manual
// into a folder: uncoil.1, and uncoil-NAME.1 for each subcommand.
const manualCommand = "__manual"

func (p *Program) manual(args []string) error {
	if len(args) != 1 {
		return &UsageError{Message: manualCommand + " takes a folder"}
	}
	if err := os.WriteFile(filepath.Join(args[0], "uncoil.1"), []byte(p.rootManual()), 0o666); err != nil {
		return err
	}
	for _, s := range p.subcommands() {
		page, flags := p.describe(&s)
		if err := os.WriteFile(filepath.Join(args[0], "uncoil-"+s.name+".1"), []byte(page.manual(&s, flags)), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// rootManual returns the page of uncoil itself.
func (p *Program) rootManual() string {
	m := newManual("uncoil", "say which HTTP request a curl command sends")
	m.synopsis("uncoil", rootPage.Arguments)
	m.section("DESCRIPTION")
	m.paragraphs(rootPage.Text)
	m.section("SUBCOMMANDS")
	for _, section := range sections {
		m.line(".SS " + roff(section.title))
		for name := range strings.FieldsSeq(section.names) {
			m.item(`\fB`+name+`\fR`, p.find(name).summary)
		}
	}
	m.examples(rootPage.Examples)
	m.section("SEE ALSO")
	m.line(".BR curl (1),")
	m.line(".BR uncoil-convert (1),")
	m.line(".BR uncoil-code (1)")
	return m.String()
}

// manual returns the page of a subcommand.
func (g *Page) manual(s *subcommand, fs *flag.FlagSet) string {
	m := newManual("uncoil-"+s.name, s.summary)
	m.synopsis("uncoil "+s.name, g.Arguments)
	m.section("DESCRIPTION")
	m.paragraphs(g.Text)
	if len(g.Groups) > 0 {
		m.section("OPTIONS")
	}
	for i, flags := range g.flags(fs) {
		if len(g.Groups) > 1 {
			m.line(".SS " + roff(g.Groups[i].Title))
		}
		for _, f := range flags {
			name, text := flagRow(f)
			name, value, _ := strings.Cut(name, " ")
			tag := `\fB` + roff(name) + `\fR`
			if value != "" {
				tag += ` \fI` + roff(value) + `\fR`
			}
			m.item(tag, text)
		}
	}
	m.examples(g.Examples)
	m.section("SEE ALSO")
	m.line(".BR uncoil (1)")
	return m.String()
}

// A manualPage is a page in the language of man(7).
type manualPage struct{ strings.Builder }

// newManual begins a page. Its date is that of the commit, so that a build of
// it always has the same bytes.
func newManual(name, summary string) *manualPage {
	date := "1970-01-01"
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if committed, err := time.Parse(time.RFC3339, s.Value); s.Key == "vcs.time" && err == nil {
				date = committed.Format(time.DateOnly)
			}
		}
	}
	m := new(manualPage)
	fmt.Fprintf(m, ".TH %s 1 %s \"uncoil %s\" \"uncoil\"\n", strings.ToUpper(name), date, roff(Version()))
	m.section("NAME")
	m.line(roff(name) + ` \- ` + roff(summary))
	return m
}

func (m *manualPage) line(text string)    { m.WriteString(text + "\n") }
func (m *manualPage) section(name string) { m.line(".SH " + name) }

func (m *manualPage) synopsis(command, arguments string) {
	m.section("SYNOPSIS")
	m.line(strings.TrimRight(`\fB`+roff(command)+`\fR `+roff(arguments), " "))
}

// item adds a tagged paragraph.
func (m *manualPage) item(tag, text string) {
	m.line(".TP")
	m.line(tag)
	m.line(roff(text))
}

// paragraphs adds text, in which lines that begin with two blanks stay as they
// are.
func (m *manualPage) paragraphs(text string) {
	for i, paragraph := range strings.Split(strings.TrimRight(text, "\n"), "\n\n") {
		if strings.HasPrefix(paragraph, "  ") {
			m.verbatim(strings.Split(paragraph, "\n"))
			continue
		}
		if i > 0 {
			m.line(".PP")
		}
		for line := range strings.SplitSeq(paragraph, "\n") {
			m.line(roff(line))
		}
	}
}

func (m *manualPage) examples(list []string) {
	if len(list) > 0 {
		m.section("EXAMPLES")
		m.verbatim(list)
	}
}

// verbatim adds lines that are not filled, indented.
func (m *manualPage) verbatim(lines []string) {
	m.line(".RS 2")
	m.line(".nf")
	for _, line := range lines {
		m.line(roff(strings.TrimPrefix(line, "  ")))
	}
	m.line(".fi")
	m.line(".RE")
}

// roff returns text that stands for itself in a line of a manual page.
func roff(text string) string {
	var b strings.Builder
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		b.WriteString(`\&`)
	}
	for _, r := range text {
		switch {
		case r == '\\':
			b.WriteString(`\e`)
		case r == '-':
			b.WriteString(`\-`)
		case r == '\'':
			b.WriteString(`\(aq`)
		case r == '`':
			b.WriteString(`\(ga`)
		case r == '^':
			b.WriteString(`\(ha`)
		case r == '~':
			b.WriteString(`\(ti`)
		case r > '~':
			fmt.Fprintf(&b, `\[u%04X]`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
