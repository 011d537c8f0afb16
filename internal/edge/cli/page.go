package cli

import (
	"flag"
	"slices"
	"strings"
	"unicode/utf8"
)

// A Page explains a subcommand. -h shows what fits in one look; help and the
// manual show all of it.
type Page struct {
	Arguments string // after the name, such as [flags] FILE
	Text      string // paragraphs; lines that begin with two blanks stay as they are
	Examples  []string
	Groups    []Group // all flags of the subcommand
}

// A Group is some flags of a subcommand under a title.
type Group struct {
	Title, Flags string // the names are separated by blanks
	Rest         bool   // and all flags that no group names, in the order of their names
	Rare         bool   // not in -h
}

// flags returns the flags of each group.
func (g *Page) flags(fs *flag.FlagSet) [][]*flag.Flag {
	named := make(map[string]bool)
	list := make([][]*flag.Flag, len(g.Groups))
	for i, group := range g.Groups {
		for name := range strings.FieldsSeq(group.Flags) {
			list[i], named[name] = append(list[i], fs.Lookup(name)), true
		}
	}
	for i, group := range g.Groups {
		if group.Rest {
			fs.VisitAll(func(f *flag.Flag) {
				if !named[f.Name] {
					list[i] = append(list[i], f)
				}
			})
		}
	}
	return list
}

// columns is how wide a text is at most.
const columns = 80

// usage returns the first line of a page.
func (g *Page) usage(name string) string {
	return strings.TrimRight("Usage: "+strings.TrimSpace("uncoil "+name)+" "+g.Arguments, " ") + "\n"
}

// short returns the text of -h.
func (g *Page) short(name, summary string, fs *flag.FlagSet) string {
	text := g.usage(name) + strings.ToUpper(summary[:1]) + summary[1:] + ".\n" + g.examples(1)
	more := "more"
	if slices.ContainsFunc(g.Groups, func(group Group) bool { return group.Rare }) {
		more = "more, and lists all flags"
	}
	return text + g.flagTable(fs, false) + "\nuncoil help " + name + " says " + more + ".\n"
}

// long returns the text of help.
func (g *Page) long(name string, fs *flag.FlagSet) string {
	return g.usage(name) + "\n" + g.Text + g.examples(len(g.Examples)) + g.flagTable(fs, true)
}

// flagTable returns the flags of the groups under their titles, of all of them or of those
// that are not rare.
func (g *Page) flagTable(fs *flag.FlagSet, all bool) string {
	var t table
	for i, flags := range g.flags(fs) {
		if g.Groups[i].Rare && !all {
			continue
		}
		t.title(g.Groups[i].Title)
		for _, f := range flags {
			t.row(flagRow(f))
		}
	}
	return t.text()
}

// examples returns the first examples, up to a number.
func (g *Page) examples(most int) string {
	text := ""
	for _, example := range g.Examples[:min(most, len(g.Examples))] {
		text += "  " + example + "\n"
	}
	if text != "" {
		text = "\n" + text
	}
	return text
}

// flagRow returns the name of a flag with its value, and what it means. The
// usage of the flag names its value as package flag defines, `FILE`; in front
// of a colon the name is not part of the meaning.
func flagRow(f *flag.Flag) (name, text string) {
	value, text := flag.UnquoteUsage(f)
	text = strings.TrimPrefix(text, value+": ")
	switch value {
	case "int", "float":
		value = "N"
	}
	if f.DefValue != "" && f.DefValue != "0" && f.DefValue != "false" {
		text += " (default " + shortDuration(f.DefValue) + ")"
	}
	return strings.TrimRight("-"+f.Name+" "+value, " "), text
}

// shortDuration returns a duration as people write it: 1m for 1m0s. Other texts
// stay as they are.
func shortDuration(text string) string {
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// A table has two columns, the second of which is wrapped, and titles between
// its rows.
type table struct{ rows []tableRow }

type tableRow struct{ name, text string } // without a text it is a title

func (t *table) title(name string)     { t.rows = append(t.rows, tableRow{name: name}) }
func (t *table) row(name, text string) { t.rows = append(t.rows, tableRow{name, text}) }

// widest is the width from which a name has a line of its own.
const widest = 22

func (t *table) text() string {
	width := 0
	for _, r := range t.rows {
		if n := utf8.RuneCountInString(r.name); r.text != "" && n <= widest {
			width = max(width, n)
		}
	}
	indent := strings.Repeat(" ", 2+width+2)
	var b strings.Builder
	for i, r := range t.rows {
		if r.text == "" {
			if i == 0 {
				b.WriteString("\n")
			}
			b.WriteString(r.name + ":\n")
			continue
		}
		b.WriteString("  " + r.name)
		at := 2 + utf8.RuneCountInString(r.name)
		if at > 2+width {
			b.WriteString("\n")
			at = 0
		}
		b.WriteString(indent[at:])
		at = len(indent)
		for i, word := range strings.Fields(r.text) {
			n := utf8.RuneCountInString(word)
			if i > 0 && at+1+n > columns {
				b.WriteString("\n" + indent)
				at = len(indent)
			} else if i > 0 {
				b.WriteString(" ")
				at++
			}
			b.WriteString(word)
			at += n
		}
		b.WriteString("\n")
	}
	return b.String()
}
