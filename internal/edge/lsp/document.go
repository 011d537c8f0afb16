package lsp

import (
	"net/url"
	"slices"
	"strings"
	"time"

	"uncoil/extract"
	"uncoil/internal/edge/lint"
	"uncoil/internal/engine/source/httpfile"
)

const (
	// maxDocument is how many bytes a document may have, and maxOpen all open ones.
	maxDocument = lint.MaxFile
	maxOpen     = 256 << 20
	// openCost is what a document costs that has no text.
	openCost = 1 << 10
	// maxCopied is how many bytes the changes of one message may copy.
	maxCopied = 4 << 30
	// pause is how long the keys must rest before a document is checked.
	pause = 300 * time.Millisecond
)

// A document is a text that is open in the editor.
type document struct {
	uri     string
	kind    extract.Kind
	http    bool // it has requests in the form of .http files, and perhaps commands too
	version *int
	text    string
	// unread says why the text is not looked at, which lasts until it is opened again.
	unread string

	due     time.Time // when it is to be checked; zero: it is
	place   int       // in the list of those that are due
	file    *lint.File
	partial bool // the search for commands took too much work
	found   []lint.Finding
	checked bool // found is of this text
	index   *index
}

// size is what the document takes from maxOpen.
func (d *document) size() int { return len(d.text) + openCost }

// set makes a text the text of the document.
func (d *document) set(text string) {
	d.text, d.file, d.partial, d.found, d.checked, d.index = text, nil, false, nil, false, nil
}

// A change replaces a stretch of a document, or all of it.
type change struct {
	Range *span  `json:"range"`
	Text  string `json:"text"`
}

// apply makes changes, of which each is about the text that the one before it left. They
// may copy so many bytes in all.
func (d *document) apply(changes []change, in encoding, most int) {
	copied := 0
	for i := range changes {
		c := &changes[i]
		text := c.Text
		if c.Range != nil {
			x := newIndex(d.text, in)
			start := x.offset(c.Range.Start)
			end := max(start, x.offset(c.Range.End))
			text = d.text[:start] + c.Text + d.text[end:]
		}
		if copied += len(text); copied > most {
			d.refuse("it was changed too often at once; close it and open it again")
			return
		}
		if len(text) > maxDocument {
			d.refuse(tooLong)
			return
		}
		d.set(text)
	}
}

// Why a text is not looked at.
const (
	tooLong = "it has more than 16 MiB"
	tooMany = "the open documents have more than 256 MiB together"
)

// refuse lets the text of a document be.
func (d *document) refuse(why string) {
	d.set("")
	d.unread = why
}

// read finds the commands of the document.
func (d *document) read() (*lint.File, error) {
	if d.file != nil {
		return d.file, nil
	}
	file, err := lint.Read(d.uri, d.text, d.kind)
	if err != nil && err != extract.ErrWork {
		return nil, err
	}
	d.file, d.partial = file, err != nil
	return file, nil
}

// at returns the index of the text.
func (d *document) at(in encoding) *index {
	if d.index == nil {
		d.index = newIndex(d.text, in)
	}
	return d.index
}

// entryAt returns which request of an .http file stands at an offset, or 0.
func (d *document) entryAt(offset int) int {
	if !d.http {
		return 0
	}
	return httpfile.EntryAt(d.text, offset)
}

// commandsIn returns the commands that a stretch of the text touches, and for a place
// without one those on its line.
func (d *document) commandsIn(file *lint.File, x *index, start, end int) []extract.Command {
	touching := func(start, end int) []extract.Command {
		first, last := len(file.Commands), 0
		for i := range file.Commands {
			if c := &file.Commands[i]; c.Start <= end && start <= c.End {
				first, last = min(first, i), i+1
			}
		}
		return file.Commands[min(first, last):last]
	}
	if found := touching(start, end); len(found) > 0 || start != end {
		return found
	}
	line := x.at(start).Line
	return touching(x.lines[line], x.lineEnd(line))
}

// commandAt returns the command at an offset, or nil.
func commandAt(file *lint.File, offset int) *extract.Command {
	i := slices.IndexFunc(file.Commands, func(c extract.Command) bool { return c.Start <= offset && offset < c.End })
	if i < 0 {
		return nil
	}
	return &file.Commands[i]
}

// languages are the kinds of texts by the names that editors have for them.
var languages = map[string]extract.Kind{
	"markdown": extract.Markdown, "mdx": extract.Markdown, "quarto": extract.Markdown, "rmd": extract.Markdown,
	"html": extract.HTML, "xhtml": extract.HTML,
	"shellscript": extract.Script, "sh": extract.Script, "bash": extract.Script, "zsh": extract.Script, "ksh": extract.Script, "bats": extract.Script,
	"dockerfile": extract.Script, "crontab": extract.Script, "systemd": extract.Script,
	"yaml": extract.YAML, "dockercompose": extract.YAML, "github-actions-workflow": extract.YAML, "helm": extract.YAML,
	"json": extract.JSON, "jsonc": extract.JSON, "json5": extract.JSON, "jsonl": extract.JSON,
	"restructuredtext": extract.RST, "rst": extract.RST, "asciidoc": extract.AsciiDoc,
	"makefile": extract.Makefile, "make": extract.Makefile, "po": extract.Gettext,
}

// kindOf returns the kind of a document. The language that the editor knows comes first:
// its user may have chosen it, and a cell of a notebook has the name of the whole.
func kindOf(uri, language string) extract.Kind {
	named := extract.KindOf(nameOf(uri))
	language, _, _ = strings.Cut(strings.ToLower(language), ".") // yaml.docker-compose
	kind, ok := languages[language]
	if !ok || named == extract.Notebook && kind == extract.JSON {
		return named
	}
	return kind
}

// isHTTP reports whether a document is a file of requests. Those with the name .rest are
// not told from reStructuredText by it.
func isHTTP(uri, language string) bool {
	return language == "http" || language == "rest" || strings.HasSuffix(strings.ToLower(nameOf(uri)), ".http")
}

// nameOf returns the last part of the path of a URI.
func nameOf(uri string) string {
	if i := strings.IndexAny(uri, "?#"); i >= 0 {
		uri = uri[:i]
	}
	name := uri[strings.LastIndexAny(uri, "/:")+1:]
	if decoded, err := url.PathUnescape(name); err == nil {
		return decoded
	}
	return name
}
