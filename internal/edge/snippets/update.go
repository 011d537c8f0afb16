package snippets

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"uncoil/code"
	"uncoil/extract"
	"uncoil/internal/engine/markup"
)

// Options say what stands in regions whose markers do not say it.
type Options struct {
	Targets []code.Target
	Layout  string // one of Layouts
	// Program says how programs are written.
	Program code.Options
	// Force writes regions anew that somebody has edited, too.
	Force bool
}

// A Note is about a place in a document. Columns count characters.
type Note struct {
	Line, Column int
	Message      string
}

// A Report says what was found in a document.
type Report struct {
	Regions int
	Stale   []Note // markers whose regions are not as they should be
	Edited  []Note // those of them that somebody has edited, which stay as they are
	Errors  []Note // why regions cannot be written
	Doubts  []Note // about the commands, and what the clients cannot do
}

// maxPage is how many bytes a document may get.
const maxPage = 64 << 20

// A document is one text and what is made of it.
type document struct {
	text    string
	format  Format
	lines   []line
	starts  []int // where each line begins, and where the text ends
	end     string
	regions []region
	sources []extract.Command // those that a region may be written from
	Options
	Report
}

// A region is what a marker has below it, up to the line that ends it. Where that is the
// marker's own line, there is none yet.
type region struct {
	marker
	first, last int    // lines, counted from 0
	sum         string // of what was written there, as the line at its end has it
}

// Update returns a document with the regions of its markers as they should be. Where there
// is an error, the text comes back as it was.
func Update(text string, f Format, o Options) (string, Report) {
	if !strings.Contains(text, "uncoil-snippets") {
		return text, Report{}
	}
	d := read(text, f)
	d.Options = o
	var out strings.Builder
	at := 0
	for i := range d.regions {
		r := &d.regions[i]
		from, to := d.starts[r.first+1], d.starts[r.last+1]
		written, ok := d.write(r)
		if !ok {
			continue
		}
		had := text[from:max(from, d.starts[r.last])] // nothing where the region is new
		switch isNew := r.last == r.first; {
		case !isNew && sumOf(had) == sumOf(written): // a formatter may have changed blanks
			if r.sum != "" {
				continue
			}
			written = had
		case !isNew && r.sum != "" && r.sum != sumOf(had) && !d.Force:
			d.Edited = append(d.Edited, Note{r.first + 1, 1, "somebody has edited what stands below, so it is left as it is; -force writes it anew"})
			continue
		default:
			d.Stale = append(d.Stale, Note{r.first + 1, 1, "what stands below is not what the command above is in code"})
		}
		written += r.margin + r.before + "uncoil-snippets-end: " + sumOf(written) + r.after + d.end
		if to == len(text) && !strings.HasSuffix(text, "\n") {
			written = strings.TrimSuffix(written, d.end)
			if r.first == r.last {
				written = d.end + written
			}
		}
		out.WriteString(text[at:from] + written)
		at = to
		if out.Len() > maxPage {
			d.fail(r.first, fmt.Sprintf("the document would have more than %d bytes", maxPage))
			break
		}
	}
	d.Regions = len(d.regions)
	if len(d.Errors) > 0 {
		return text, d.Report
	}
	out.WriteString(text[at:])
	updated := out.String()
	if updated != text && !d.holds(updated) {
		d.fail(0, "the document is left as it is, because what would be written in it changes what is read of the rest")
		return text, d.Report
	}
	return updated, d.Report
}

// read reads the markers of a document, and the commands outside of its regions.
func read(text string, f Format) *document {
	d := &document{text: text, format: f, end: "\n"}
	if first := strings.IndexByte(text, '\n'); first > 0 && text[first-1] == '\r' {
		d.end = "\r\n"
	}
	d.lines, d.starts = linesOf(text, f)
	d.readRegions()
	d.readSources()
	return d
}

// holds reports whether a text with other regions, read again, has the markers and the
// commands that the document has.
func (d *document) holds(updated string) bool {
	again := read(updated, d.format)
	return len(again.Errors) == 0 &&
		slices.EqualFunc(d.regions, again.regions, func(a, b region) bool { return a.names == b.names && a.margin == b.margin }) &&
		slices.EqualFunc(d.sources, again.sources, func(a, b extract.Command) bool { return a.Text == b.Text })
}

// fail notes an error at a line, counted from 0.
func (d *document) fail(i int, message string) {
	d.Errors = append(d.Errors, Note{i + 1, 1, message})
}

// readRegions finds the markers. One in a block is text about markers, but not the end of
// a region: there somebody has broken what stands in the region.
func (d *document) readRegions() {
	open, hidden := -1, -1 // a region without an end so far, and an end in a block of code
	settle := func() {
		if open >= 0 && hidden >= 0 {
			d.fail(hidden, fmt.Sprintf("the region of line %d ends within a block of code; is the block not closed?", d.regions[open].first+1))
		}
		open, hidden = -1, -1
	}
	for i := range d.lines {
		m, ok := d.format.markerOf(d.lines[i].text)
		switch {
		case !ok:
		case d.lines[i].block > 0:
			if m.end && hidden < 0 {
				hidden = i
			}
		case !m.end:
			settle()
			open = len(d.regions)
			d.regions = append(d.regions, region{marker: m, first: i, last: i})
		case open < 0:
			d.fail(i, "this ends no region; a comment uncoil-snippets with a colon and targets begins one")
		default:
			d.regions[open].last, d.regions[open].sum = i, m.names
			open, hidden = -1, -1
		}
	}
	settle()
}

// readSources finds the commands that stand in blocks of code, and not in a region: those
// are blank, so that what is written has no bearing on what is found.
func (d *document) readSources() {
	rest := []byte(d.text)
	for i := range d.regions {
		r := &d.regions[i]
		for at := d.starts[r.first+1]; at < d.starts[r.last+1]; at++ {
			if rest[at] != '\n' && rest[at] != '\r' {
				rest[at] = ' '
			}
		}
	}
	found, err := extract.Commands(string(rest), kinds[d.format])
	if err != nil {
		d.fail(0, err.Error())
	}
	for i := range found {
		if d.isCode(found[i].Line - 1) {
			d.sources = append(d.sources, found[i])
		}
	}
}

// isCode reports whether a line is in a block of code, one without a fence included.
func (d *document) isCode(i int) bool {
	if d.lines[i].block > 0 {
		return d.lines[i].code
	}
	least := 4 // CommonMark 0.31, 4.4
	if d.format == AsciiDoc {
		least = 1
	}
	blanks := markup.Margin(d.lines[i].text)
	return len(blanks) >= least || strings.Contains(blanks, "\t")
}

// above returns the commands of the last block above a line that has any.
func (d *document) above(i int) []extract.Command {
	n, _ := slices.BinarySearchFunc(d.sources, i+1, func(c extract.Command, line int) int { return c.Line - line })
	if n == 0 {
		return nil
	}
	first := n - 1
	for first > 0 && d.together(d.sources[first-1].Line-1, d.sources[first].Line-1) {
		first--
	}
	return d.sources[first:n]
}

// together reports whether two lines are of one block: without a fence, no empty line is
// between them.
func (d *document) together(a, b int) bool {
	if d.lines[a].block > 0 || d.lines[b].block > 0 {
		return d.lines[a].block == d.lines[b].block
	}
	return !slices.ContainsFunc(d.lines[a:b], func(l line) bool { return strings.TrimSpace(l.text) == "" })
}

// sumOf returns the sum of the text of a region, which blanks and the marks of quotations
// do not change.
func sumOf(text string) string {
	sum := sha256.Sum256([]byte(strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == '>' {
			return -1
		}
		return r
	}, text)))
	return hex.EncodeToString(sum[:4])
}

// mkDocsIndent is how many blanks belong to a level of a list (Python-Markdown, tab_length).
const mkDocsIndent = 4

// write returns the text of a region, without the line that ends it.
func (d *document) write(r *region) (string, bool) {
	o, problem := d.named(r.names)
	l, ok := layouts[o.Layout]
	source := d.above(r.first)
	switch {
	case problem != "":
	case !ok:
		problem = "there are no tabs " + o.Layout + "; they may be " + strings.Join(Layouts(), ", ")
	case !slices.Contains(l.formats, d.format):
		problem = "documents of this format have no tabs " + o.Layout
	case len(source) == 0:
		problem = "there is no block of code with a curl command above"
	}
	if problem != "" {
		d.fail(r.first, problem)
		return "", false
	}
	if indent := len(strings.TrimLeft(r.margin, ">")); o.Layout == "mkdocs" && indent%mkDocsIndent != 0 {
		d.Doubts = append(d.Doubts, Note{r.first + 1, 1, fmt.Sprintf("in a list, MkDocs shows tabs only behind %d blanks for each level, and here are %d", mkDocsIndent, indent)})
	}
	programs, ok := d.programs(r, source, &l, o)
	if !ok {
		return "", false
	}
	p := &page{format: d.format}
	p.line("")
	l.write(p, programs)
	p.gap()
	var b strings.Builder
	for _, text := range p.lines {
		if text == "" {
			text = strings.TrimRight(r.margin, " \t")
		} else {
			text = r.margin + text
		}
		b.WriteString(text + d.end)
	}
	return b.String(), true
}

// named returns the options of a marker: targets, and NAME=VALUE.
func (d *document) named(names string) (o Options, problem string) {
	o = d.Options
	var targets []code.Target
	for word := range strings.FieldsFuncSeq(names, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' }) {
		name, value, has := strings.Cut(word, "=")
		switch {
		case has && name == "tabs":
			o.Layout = value
		case has && name == "style" && (value == "exact" || value == "idiomatic"):
			o.Program.Style = code.StyleIdiomatic
			if value == "exact" {
				o.Program.Style = code.StyleExact
			}
		case has && name == "bare" && (value == "yes" || value == "no"):
			o.Program.Bare = value == "yes"
		case has:
			return o, word + " is none of tabs=…, style=exact, style=idiomatic, bare=yes and bare=no"
		default:
			target, ok := code.Lookup(word)
			if !ok {
				return o, "there is no target " + word + "; " + code.Suggestion(word)
			}
			targets = append(targets, target)
		}
	}
	if len(targets) > 0 {
		o.Targets = targets
	}
	if len(o.Targets) == 0 {
		return o, "the marker names no target, as in uncoil-snippets: python, go"
	}
	return o, ""
}
