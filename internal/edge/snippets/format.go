package snippets

import (
	"path"
	"regexp"
	"strings"

	"uncoil/extract"
	"uncoil/internal/edge/lazy"
)

// A Format is a language of documents.
type Format uint8

// The formats.
const (
	None Format = iota // a file that cannot have markers
	Markdown
	Knitr // R Markdown and Quarto: Markdown with code that runs while the pages are made
	MDX
	AsciiDoc
	RST // reStructuredText
)

// FormatOf returns the format of a file with that name.
func FormatOf(name string) Format {
	switch strings.ToLower(path.Ext(name)) {
	case ".md", ".markdown", ".mkd":
		return Markdown
	case ".qmd", ".rmd":
		return Knitr
	case ".mdx":
		return MDX
	case ".adoc", ".asciidoc", ".asc":
		return AsciiDoc
	case ".rst", ".rest":
		return RST
	}
	return None
}

// kinds are what commands are looked for in.
var kinds = map[Format]extract.Kind{Markdown: extract.KindOf("a.md"), Knitr: extract.KindOf("a.rmd"), MDX: extract.KindOf("a.mdx"), AsciiDoc: extract.KindOf("a.adoc"), RST: extract.KindOf("a.rst")}

// marked are the lines of comments in each format: what stands before the words, and
// after them. MDX has no comments of HTML.
var marked = map[Format]func() *regexp.Regexp{
	Markdown: inMarkdown,
	Knitr:    inMarkdown,
	MDX:      lazy.Regexp(`^([ \t>]*)\{/\*[ \t]*` + words + `[ \t]*\*/\}[ \t]*$`),
	AsciiDoc: lazy.Regexp(`^()//[ \t]*` + words + `[ \t]*$`),
	RST:      lazy.Regexp(`^([ \t]*)\.\.[ \t]+` + words + `[ \t]*$`),
}

var inMarkdown = lazy.Regexp(`^([ \t>]*)(?:<!--[ \t]*` + words + `[ \t]*-->|\{/\*[ \t]*` + words + `[ \t]*\*/\})[ \t]*$`)

// words are those of a marker: whether it is an end, and what it names; an end names the
// sum of what stands before it.
const words = `uncoil-snippets(-end)?(?:[ \t]*:[ \t]*(.*?))?`

// A marker is such a comment.
type marker struct {
	margin string // what stands before it on its line
	end    bool
	names  string // what follows the colon
	// before and after are the line that ends the region of this one, without the margin,
	// around the words.
	before, after string
}

// markerOf returns the marker that a line is.
func (f Format) markerOf(line string) (marker, bool) {
	if !strings.Contains(line, "uncoil-snippets") {
		return marker{}, false
	}
	found := marked[f]().FindStringSubmatch(line)
	if found == nil {
		return marker{}, false
	}
	m := marker{margin: found[1], end: found[2] != "", names: found[3]}
	comment := line[len(m.margin):]
	switch {
	case f == AsciiDoc:
		m.before = "// "
	case f == RST:
		m.before = ".. "
	case strings.HasPrefix(comment, "{"):
		m.before, m.after = "{/* ", " */}"
	default:
		m.before, m.after = "<!-- ", " -->"
	}
	if len(found) > 4 && found[2]+found[3] == "" {
		m.end, m.names = found[4] != "", found[5]
	}
	return m, true
}
