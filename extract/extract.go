// Package extract finds curl commands in texts that are about something else:
// documentation in Markdown and HTML, shell scripts and histories, logs and
// notebooks.
//
// Where a command stands depends on the text: in the code of a page, after the
// prompt of a terminal, after the operators of a script. Where it ends is what
// the reader of the shell finds, the one that reads commands everywhere else.
package extract

import (
	"errors"
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/fault"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/paste"
)

// A Kind is a kind of text. It decides where a command may stand.
type Kind uint8

// The kinds of texts.
const (
	Auto     Kind = iota // what the text looks like
	Text                 // logs, source code, markup other than the following
	Markdown             // code in fences, in backticks, and indented; HTML
	HTML                 // the elements pre and code
	Notebook             // Jupyter: cells of code and of Markdown
	History              // of bash, zsh and fish
	Script               // of a shell, a Dockerfile, a unit of systemd
	YAML                 // the values of names and lists
	JSON                 // strings
	RST                  // reStructuredText: literal blocks, and code within sentences
	AsciiDoc             // listings, and code within sentences
	Makefile             // recipes, where $$ is $
	Gettext              // the messages of catalogs, and their translations
)

// A Command is a curl command in a text.
type Command struct {
	// Text is the command as its shell reads it: without the entities of HTML,
	// the escapes of JSON and the indentation of its block.
	Text string
	// Shell is the shell that a fence of Markdown names, as in uncoil.Input, or
	// empty.
	Shell string
	// Start and End are where the command stands in the text that it was found
	// in, in bytes, and Line and Column where it starts, both from 1 on.
	// Columns count characters.
	Start, End   int
	Line, Column int

	block *block
	at    int // offset of Text in the block
}

// Offset returns where the byte of Text at an offset stands in the text that
// the command was found in.
func (c *Command) Offset(i int) int { return c.block.start(c.at + i) }

// ErrWork is the error of a text that takes too much work: no real text does.
var ErrWork = errors.New("extract: this text takes more work than its length allows")

// Commands returns the curl commands in a text, in their order. The work is
// bounded by a multiple of the length of the text; where that is used up, it
// returns what it has found so far, and ErrWork. Any other error is a fault of
// uncoil. What has a zero byte in its
// beginning is no text, and has no commands.
func Commands(src string, kind Kind) (_ []Command, err error) {
	defer fault.Recover(&err)
	if int64(len(src)) > maxText {
		return nil, ErrWork
	}
	s := newScanner(src)
	s.scan(kind)
	places := diag.NewPositions(src)
	for i := range s.found {
		c := &s.found[i]
		c.Line, c.Column = places.At(int32(c.Start))
	}
	if s.meter.Over() {
		return s.found, ErrWork
	}
	return s.found, nil
}

// maxText is how long a text may be: places have 32 bits.
const maxText = 1<<31 - 1

// A scanner finds the commands of one text.
type scanner struct {
	src   string
	meter *meter.Meter
	vain  int64 // steps of readings that led nowhere
	found []Command
}

func newScanner(src string) *scanner {
	const base, perByte, bytesPerByte = 12 << 20, 512, 64
	n := int64(len(src))
	return &scanner{src: src, meter: meter.New(len(src), meter.Limits{Work: base + perByte*n, Bytes: base + bytesPerByte*n}, nil)}
}

// scan finds the commands.
func (s *scanner) scan(kind Kind) {
	if !strings.Contains(s.src, "curl") || isBinary(s.src) {
		return
	}
	if kind == Auto {
		kind = look(s.src)
	}
	switch kind {
	case Markdown:
		s.markdown(&block{text: s.src})
	case HTML:
		s.html(&block{text: s.src}, true)
	case Notebook:
		s.notebook()
	case History:
		s.history()
	case Script:
		s.block(&block{text: s.src, shell: true})
	case YAML:
		s.yaml(&block{text: s.src})
	case JSON:
		s.json(&block{text: s.src})
	case RST:
		s.rst(&block{text: s.src})
	case AsciiDoc:
		s.asciidoc(&block{text: s.src})
	case Gettext:
		s.gettext(&block{text: s.src})
	case Makefile:
		s.makefile(&block{text: s.src})
	default:
		s.block(&block{text: s.src})
	}
}

// isBinary reports whether the beginning of a file has a zero byte.
func isBinary(src string) bool {
	const looked = 8000
	return strings.IndexByte(src[:min(len(src), looked)], 0) >= 0
}

// A block is a part of the text in which commands may stand.
type block struct {
	text   string
	outer  *block           // the block that it is a part of, or nil
	base   int              // where it starts there
	places *paste.Rewriting // what was changed in it; nil: nothing
	shell  bool             // commands of a shell, and nothing else
	plain  bool             // what a shell prints may stand beside its commands
	prose  bool             // text for people: commands stand in backticks too
	inline bool             // the whole is a piece of code within a sentence
	name   string           // of the shell, if that is known
}

// start returns the offset in the source of what starts at an offset.
func (b *block) start(i int) int {
	for ; b != nil; b = b.outer {
		if b.places != nil {
			i = int(b.places.Start(i))
		}
		i += b.base
	}
	return i
}

// end returns the offset in the source of what ends at an offset.
func (b *block) end(i int) int {
	for ; b != nil; b = b.outer {
		if b.places != nil {
			i = int(b.places.End(i))
		}
		i += b.base
	}
	return i
}

// part returns the block of a part of a block's text.
func (b *block) part(start, end int) *block {
	return &block{text: b.text[start:end], outer: b, base: start}
}

// add adds the command b.text[start:end].
func (s *scanner) add(b *block, start, end int) {
	const commandSize = 160
	if !s.meter.Hold(commandSize) {
		return
	}
	s.found = append(s.found, Command{
		Text: b.text[start:end], Shell: b.name, Start: b.start(start), End: max(b.start(start), b.end(end)), block: b, at: start,
	})
}
