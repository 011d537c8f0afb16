package snippets

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"uncoil/internal/edge/lazy"
)

// A program is what a target has written.
type program struct {
	target, label, language string
	lines                   []string
}

// A layout is how the programs of a marker stand in a document.
type layout struct {
	formats []Format
	write   func(p *page, programs []program)
	// acts is what the program that makes the pages acts on even in a block of code,
	// and who does.
	acts func() *regexp.Regexp
	who  string
}

var markdowns = []Format{Markdown, Knitr, MDX}

var layouts = map[string]layout{
	"plain":         {formats: []Format{Markdown, Knitr, MDX, AsciiDoc, RST}, write: writePlain},
	"docusaurus":    {formats: markdowns, write: writeDocusaurus},
	"vitepress":     {formats: markdowns, write: writeVitePress, acts: lazy.Regexp(`<!--\s*@include:`), who: "VitePress"},
	"mkdocs":        {formats: markdowns, write: writeMkDocs, acts: lazy.Regexp(`-8<-`), who: "the extension Snippets of MkDocs"},
	"hugo":          {formats: markdowns, write: writeHugo, acts: lazy.Regexp(`\{\{[<%]`), who: "Hugo"},
	"sphinx-design": {formats: []Format{RST}, write: writeSphinxDesign},
	"sphinx-tabs":   {formats: []Format{RST}, write: writeSphinxTabs},
}

// directive is a line that AsciiDoc reads before it knows of blocks.
var directive = lazy.Regexp(`(?m)^\\?(include|ifdef|ifndef|ifeval|endif)::`)

// knits is what knitr and Quarto run even in a block of code: code within a sentence, a line
// that opens a chunk, whatever fence is around it, and the name of another chunk (knitr,
// all_patterns$md; Quarto, "Inline Code").
var knits = lazy.Regexp("(?m)`r[^a-zA-Z0-9]|`\\{|^[\t >]*```+[ \t]*\\{|^[ \\t]*<<.+>>[ \\t]*$")

// Layouts returns the names of layouts, by name.
func Layouts() []string {
	var names []string
	for name := range layouts {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// acting returns why a program cannot stand in a document, or nothing.
func (l *layout) acting(text string, f Format) string {
	// docutils breaks lines where str.splitlines of Python does, CommonMark at a
	// carriage return: a line that begins there would have left its block.
	if i := strings.IndexFunc(text, func(r rune) bool {
		return r < ' ' && r != '\n' && r != '\t' || r == 0x7f || r == 0x85 || r == 0x2028 || r == 0x2029
	}); i >= 0 {
		return "the program has the character " + strconv.QuoteRuneToASCII([]rune(text[i:])[0]) + ", which a block of code cannot hold"
	}
	if f == AsciiDoc && directive().MatchString(text) {
		return "the program has a line that is a directive of AsciiDoc even in a block of code"
	}
	if f == Knitr && knits().MatchString(text) {
		return "the program has text that knitr or Quarto runs even in a block of code"
	}
	if l.acts != nil && l.acts().MatchString(text) {
		return "the program has text that " + l.who + " acts on even in a block of code"
	}
	return ""
}

// A page is the lines of a region as they are written.
type page struct {
	format Format
	lines  []string
	indent string
}

func (p *page) line(text string) {
	if text != "" {
		text = p.indent + text
	}
	p.lines = append(p.lines, text)
}

// gap leaves a line empty, unless one is.
func (p *page) gap() {
	if n := len(p.lines); n > 0 && p.lines[n-1] != "" {
		p.line("")
	}
}

// within writes with a deeper margin.
func (p *page) within(indent string, write func()) {
	old := p.indent
	p.indent += indent
	write()
	p.indent = old
}

// fenced writes a program in a fence of Markdown that is longer than any in it.
func (p *page) fenced(one *program, info string) {
	mark := strings.Repeat("`", max(3, 1+longest(one.lines, '`')))
	p.line(mark + info)
	for _, text := range one.lines {
		p.line(text)
	}
	p.line(mark)
}

// longest returns the length of the longest run of a character.
func longest(lines []string, c byte) int {
	most := 0
	for _, text := range lines {
		n := 0
		for i := range len(text) {
			if text[i] != c {
				n = 0
				continue
			}
			n++
			most = max(most, n)
		}
	}
	return most
}

// lexers are the languages that Pygments, which Sphinx asks, calls otherwise or does not
// read in the form that a target has.
var lexers = map[string]string{"hcl": "terraform", "http": "text"}

// directive writes a program as the content of a directive of reStructuredText. The line
// between keeps the program from being read as options.
func (p *page) directive(one *program) {
	p.line(".. code-block:: " + cmp.Or(lexers[one.language], one.language))
	p.within("   ", func() {
		p.line("")
		for _, text := range one.lines {
			p.line(text)
		}
	})
}

// callout is what AsciiDoc takes for the number of a note in a listing.
var callout = lazy.Regexp(`<!?(--)?(\d+|\.)(--)?>`)

// listing writes a program as a listing of AsciiDoc, which ends at a line like its first.
func (p *page) listing(one *program) {
	attributes := "[source," + one.language
	if slices.ContainsFunc(one.lines, callout().MatchString) {
		attributes += `,subs=specialchars`
	}
	p.line("." + one.label)
	p.line(attributes + "]")
	mark := strings.Repeat("-", max(4, 1+longest(one.lines, '-')))
	p.line(mark)
	for _, text := range one.lines {
		p.line(text)
	}
	p.line(mark)
}

func writePlain(p *page, programs []program) {
	for i := range programs {
		one := &programs[i]
		p.gap()
		switch p.format {
		case AsciiDoc:
			p.listing(one)
		case RST:
			p.directive(one)
		default:
			p.fenced(one, one.language)
		}
	}
}

func writeDocusaurus(p *page, programs []program) {
	p.line(`<Tabs groupId="language">`)
	for i := range programs {
		one := &programs[i]
		p.line(`<TabItem value="` + one.target + `" label="` + one.label + `">`)
		p.line("")
		p.fenced(one, one.language)
		p.line("")
		p.line("</TabItem>")
	}
	p.line("</Tabs>")
}

// colons begins a line that would end a container of VitePress, which looks for it in
// blocks of code too (markdown-it-container).
var colons = lazy.Regexp(`^[ \t]*:{3,}`)

func writeVitePress(p *page, programs []program) {
	n := 3
	for _, one := range programs {
		for _, text := range one.lines {
			n = max(n, 1+len(strings.TrimLeft(colons().FindString(text), " \t")))
		}
	}
	mark := strings.Repeat(":", n)
	p.line(mark + " code-group")
	for i := range programs {
		p.gap()
		p.fenced(&programs[i], programs[i].language+" ["+programs[i].label+"]")
	}
	p.line("")
	p.line(mark)
}

func writeMkDocs(p *page, programs []program) {
	for i := range programs {
		p.gap()
		p.line(`=== "` + programs[i].label + `"`)
		p.line("")
		p.within("    ", func() { p.fenced(&programs[i], programs[i].language) })
	}
}

func writeHugo(p *page, programs []program) {
	p.line(`{{< tabpane text=true >}}`)
	for i := range programs {
		p.line(`{{% tab header="` + programs[i].label + `" %}}`)
		p.line("")
		p.fenced(&programs[i], programs[i].language)
		p.line("")
		p.line(`{{% /tab %}}`)
	}
	p.line(`{{< /tabpane >}}`)
}

func writeSphinxDesign(p *page, programs []program) {
	p.line(".. tab-set::")
	p.within("   ", func() {
		for i := range programs {
			p.line("")
			p.line(".. tab-item:: " + programs[i].label)
			p.within("   ", func() {
				p.line(":sync: " + programs[i].target)
				p.line("")
				p.directive(&programs[i])
			})
		}
	})
}

func writeSphinxTabs(p *page, programs []program) {
	p.line(".. tabs::")
	p.within("   ", func() {
		for i := range programs {
			p.line("")
			p.line(".. group-tab:: " + programs[i].label)
			p.line("")
			p.within("   ", func() { p.directive(&programs[i]) })
		}
	})
}
