// Package markup finds the blocks of documents in Markdown, reStructuredText and
// AsciiDoc whose text is no markup: code, with the language that its fence names,
// comments, and what is passed on raw. What looks like a block within one of them is
// none.
package markup

import (
	"iter"
	"strings"

	"uncoil/internal/engine/ascii"
)

// A Format is a language of documents.
type Format uint8

// The formats.
const (
	Markdown Format = iota // MDX, too
	RST                    // reStructuredText
	AsciiDoc
)

// A Kind says what the text of a block is.
type Kind uint8

// The kinds of blocks.
const (
	Code    Kind = iota
	Comment      // readers of the page do not see it
	Raw          // markup of another language, such as HTML or that of formulas
)

// A Block is one of a document. All offsets are in bytes.
type Block struct {
	Kind     Kind
	From, To int    // the whole, with the lines that open and close it if they are nothing else
	Start    int    // of the content
	End      int    // of the content; that of the document, if nothing closes the block
	Language string // that a fence or a directive names, in lower case; or empty
	// Quoted and Indent are of Markdown: whether the block stands in a quotation, and how
	// many blanks its lines may lose, as the one that opens it has so many before it.
	Quoted bool
	Indent int
	// Attributes reports a listing of AsciiDoc into which attributes are put.
	Attributes bool
}

// Blocks returns the blocks of a document, in their order. Pay is called before each line
// with the steps that it takes; once it is false, there are no more.
func Blocks(text string, f Format, pay func(steps int) bool) iter.Seq[Block] {
	return func(yield func(Block) bool) {
		r := &reader{text: text, pay: pay}
		opens := map[Format]func(line string) (Block, bool){Markdown: r.markdown, RST: r.rst, AsciiDoc: r.asciidoc}[f]
		for line, ok := r.line(); ok; line, ok = r.line() {
			if b, ok := opens(line); ok && !yield(b) {
				return
			}
		}
	}
}

// A reader reads the lines of a document.
type reader struct {
	text     string
	pay      func(steps int) bool
	at, next int // where the line starts, and the one after it

	// What the lines before say of the next block of AsciiDoc.
	language   string
	attributes bool
}

// line reads the next line, without its end.
func (r *reader) line() (string, bool) {
	r.at = r.next
	if r.at >= len(r.text) {
		return "", false
	}
	line := r.text[r.at : r.at+ascii.LineLength(r.text[r.at:])]
	r.next = min(r.at+len(line)+1, len(r.text))
	if !r.pay(len(line)/4 + 8) {
		r.next = len(r.text)
		return "", false
	}
	return strings.TrimSuffix(line, "\r"), true
}

// until reads the content of a block up to the line that closes it.
func (r *reader) until(b *Block, closes func(line string) bool) {
	b.From, b.Start = r.at, r.next
	for line, ok := r.line(); ok; line, ok = r.line() {
		if closes(line) {
			b.End, b.To = r.at, r.next
			return
		}
	}
	b.End, b.To = len(r.text), len(r.text)
}

// width returns how many columns a text takes, with a tab up to the next stop.
func width(text string, stop int) (columns int) {
	for i := range len(text) {
		if text[i] == '\t' {
			columns += stop - columns%stop
		} else {
			columns++
		}
	}
	return columns
}

// Margin returns the blanks before a line.
func Margin(line string) string { return line[:len(line)-len(strings.TrimLeft(line, " \t"))] }

// languageOf returns the language that the rest of the line which opens a block names:
// bash of "bash", "{.bash}", "bash,title=x" and "bash {1-3}".
func languageOf(info string) string {
	name := strings.ToLower(strings.TrimLeft(info, "{. \t"))
	if i := strings.IndexAny(name, " \t,{}:=("); i >= 0 {
		name = name[:i]
	}
	return name
}
