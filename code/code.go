// Package code writes a request as a program of another language: the request
// that curl would send, sent by the HTTP client of that language; or as a file
// that another tool opens.
//
// A [Target] is a language with a client, or the format of a tool. [Target.Append] writes one program
// that sends the requests of a command in order. It is pure: no files, no
// network, no clock. Variables that the shell does not know become look-ups in
// the environment.
//
// What a client adds, folds and rewrites by itself is known for each target
// (its capabilities). Where the client's own helper sends the same bytes, the
// program uses it; else the program holds the bytes. What a client cannot do is
// a warning with the code [diag.WarnCannotExpress] and a comment in the program
// where the request stays the same, and an error with the code
// [diag.CodeCannotExpress] where it would be another one.
package code

import (
	"slices"
	"strings"
	"sync"

	"uncoil/diag"
	"uncoil/internal/engine/meter"
	"uncoil/request"
)

// A Kind says what a target writes.
type Kind string

// The kinds.
const (
	Code    Kind = "code"    // a program
	File    Kind = "file"    // a file that another tool opens
	Command Kind = "command" // a command line
)

// A Target is what a request can be written as.
type Target struct {
	Name      string   // "python-requests"
	Language  string   // "python"
	Client    string   // "requests"
	Version   string   // of the client: the oldest that the program is written for
	Kind      Kind     //
	Extension string   // of a file name, without the dot
	Aliases   []string // other names, those that users of other converters know among them
	// Proven reports whether the programs of this target, as they are now, were
	// run, and what they sent was compared with what curl sends: docs/code.md.
	Proven bool

	filename string // "" for the custom of the language
	client   client
	style    style
	write    func(*program)
	// lower are clients of the same platform. The program is written for the
	// first of them that can send the requests, where this one cannot.
	lower []*Target
}

// Options say how a program is written. The zero value gives a whole program
// that reads variables from the environment and prints the response.
type Options struct {
	// KeepVariables leaves variables as they were typed.
	KeepVariables bool
	// Bare leaves out the imports, the printing of the response, and what
	// else stands around the request.
	Bare bool
	// LongNames writes --header where -H says the same, in commands.
	LongNames bool
	// DropNoise leaves out the header fields that browsers add to a request
	// whatever it asks for: docs/code.md has the list. A warning with the code
	// [diag.WarnFieldsDropped] names those that were left out, here and by
	// DropCookies.
	DropNoise bool
	// DropCookies leaves out cookies, which browsers add too, but without which
	// few servers know who is logged in.
	DropCookies bool
	// MoveSecrets puts variables in the place of secrets, as the function does.
	MoveSecrets bool
	// Source is the text of the command. Where it is given, comments name the line
	// and the column of the option that they are about.
	Source string
	// Indent is one level of indentation; "" means the custom of the language.
	Indent string
}

// lineWidth is how long a line may be where the language allows to break it.
const lineWidth = 100

// Filename returns a usual name for a file that holds the program.
func (t *Target) Filename() string {
	if t.filename != "" {
		return t.filename
	}
	switch t.Language {
	case "go":
		return "main.go"
	case "java":
		return "Main.java"
	case "rust":
		return "main.rs"
	case "csharp":
		return "Program.cs"
	}
	return "request." + t.Extension
}

// noTarget is the hint of an error where no program can send the request.
const noTarget = "no target can; send the request with curl"

// append is Append without hints. With anyway it writes the program also where
// the client would send another request: the proof tries that.
func (t *Target) append(b *budget, dst []byte, requests []request.Request, o Options, anyway bool) ([]byte, diag.List) {
	out, diags, why := t.compose(b, dst, requests, o, nil, anyway)
	if diags.Err() == nil || anyway {
		return out, diags
	}
	for _, lower := range t.lower {
		if out, diags, _ := lower.compose(b, dst, requests, o, &instead{t, why}, false); diags.Err() == nil {
			return out, diags
		}
	}
	return out, diags
}

// instead is the target in whose place another one writes the program, and why.
type instead struct {
	of  *Target
	why reason
}

// compose writes the program with the client of the target. It returns why it cannot,
// if the list has an error.
func (t *Target) compose(b *budget, dst []byte, requests []request.Request, o Options, in *instead, anyway bool) ([]byte, diag.List, reason) {
	p := t.newProgram(b, dst[len(dst):], o) // it sees nothing of what stands before it
	out := p.compose(requests, in, anyway)
	diags, why := p.diags, p.why
	p.release() // not deferred: memory that a panic left half changed serves nobody
	switch {
	case out == nil:
		return dst, diags, why
	case len(dst) == 0:
		return out, diags, why
	}
	return append(dst, out...), diags, why
}

// compose returns the program, or nil where the client would send another
// request.
func (p *program) compose(requests []request.Request, in *instead, anyway bool) []byte {
	p.payCalls(requests)
	for i := range requests {
		p.addCall(&requests[i])
		p.payDiags()
		if len(p.diags) > manyDiags && !anyway && p.diags.Err() != nil {
			break
		}
	}
	if p.diags.Err() != nil && !anyway {
		return nil
	}
	if in != nil {
		p.noteAt(in.why.at, p.target.clientName(), " is used, because ", in.of.clientName(), " ", in.why.what)
	}
	p.target.write(p)
	p.settle()
	p.payDiags()
	if slices.ContainsFunc(p.calls, func(c *call) bool { return c.unnamed }) {
		p.refuse("names no file of such a form by a variable")
	}
	return p.dst
}

// manyDiags is after how many diagnostics, errors among them, a program is not
// read on.
const manyDiags = 100

// anotherRequest ends the message of an error.
const anotherRequest = ", so the request would be another one"

// A program is one that is being written.
type program struct {
	writer
	target  *Target
	options Options
	calls   []*call
	imports []string
	helpers []string // functions that the program needs
	diags   diag.List
	why     reason   // of the first error
	notes   []phrase // of a format that has no comments
	memory  []byte   // in which sections writes
	written [][]byte // memory for what sections returns, which is called once
	spent   []byte   // what sections has written in, for the next program
	nodes   slab[node]
	values  valueParser
	short   shortTexts

	positions    *diag.Positions // in the text of the command
	weights      []weight        // of the calls
	paidDiags    int
	addedImports additions
	addedHelpers additions
	bound        map[string]string // the names of variables, by their stems and values
	stems        map[string]int    // the last number of each stem; 1 for each name
}

// programs are those that were written: their memory serves others.
var programs sync.Pool

// newProgram returns a program with what the target and the options say.
func (t *Target) newProgram(b *budget, dst []byte, o Options) *program {
	p, _ := programs.Get().(*program)
	if p == nil {
		p = new(program)
	}
	p.writer = writer{dst: dst, indent: t.style.indent, width: lineWidth, comma: t.style.comma, note: t.style.comment, noteEnd: t.style.commentEnd, align: t.style.align, wraps: t.style.wraps, budget: b, next: settleOften}
	p.nodes.budget, p.values.budget = b, b
	p.values.knownNames.budget, p.values.knownItems.budget = b, b
	p.target, p.options = t, o
	if o.Indent != "" {
		p.indent = o.Indent
	}
	return p
}

// release leaves the memory of a program to others, unless it is large.
func (p *program) release() {
	size := cap(p.spent) + cap(p.nodes.used)*meter.SizeOf[node]() + cap(p.values.knownItems.used)*meter.SizeOf[value]() + len(p.calls)*bytesPerCall
	for _, c := range p.calls {
		size += (cap(c.parts) + cap(c.fields)) * meter.SizeOf[field]()
		c.clear()
	}
	if size > reusedBytes {
		return
	}
	*p = program{calls: p.calls[:0], imports: emptied(p.imports), helpers: emptied(p.helpers), memory: p.spent, written: emptied(p.written),
		nodes: p.nodes.emptied(), values: p.values.emptied(), short: p.short, weights: p.weights[:0]}
	programs.Put(p)
}

// reusedBytes is how much memory a program may leave to others.
const reusedBytes = 256 << 10

// payCalls pays for the calls of requests, before the first of them is read.
func (p *program) payCalls(requests []request.Request) {
	held, text := 0, 0
	for i := range requests {
		w := weigh(&requests[i])
		p.weights = append(p.weights, w)
		held += w.held()
		if p.target.Kind == File { // which is one value, most often
			held += w.written()
		}
		text += w.text
	}
	p.budget.work(text)
	p.budget.hold(held)
}

// addCall adds the call of a request.
func (p *program) addCall(r *request.Request) {
	n := len(p.calls)
	if n == cap(p.calls) || p.calls[:n+1][n] == nil {
		p.calls = append(p.calls, new(call))
	} else {
		p.calls = p.calls[:n+1]
	}
	p.calls[n].read(p, r)
}

// functions writes the functions that the program needs, each after an empty line.
func (p *program) functions() {
	for _, function := range p.helpers {
		p.line()
		for line := range strings.SplitSeq(strings.TrimSuffix(function, "\n"), "\n") {
			if line == "" {
				p.line()
			} else {
				p.line(line)
			}
		}
	}
}

// sections returns what write writes for each call, with the losses of the call
// first. A suffix tells the names of variables apart: it is empty for the first
// call, and then "2", "3".
func (p *program) sections(level int, write func(c *call, suffix string)) [][]byte {
	sections := slices.Grow(p.written[:0], len(p.calls))
	outer := p.writer
	p.addedImports.collects, p.addedHelpers.collects = true, true
	p.dst, p.memory, p.level, p.before = p.memory, nil, level, 0
	if p.dst == nil {
		p.dst = make([]byte, 0, usualSection)
	}
	for i, c := range p.calls {
		suffix := ""
		if i > 0 {
			suffix = itoa(i + 1)
		}
		p.settled, p.next = 0, settleOften
		if last := len(p.dst); cap(p.dst)-last < last { // the next one is as long, most often
			p.dst = make([]byte, 0, min(8*last, max(last, largeSection)))
		} else {
			p.dst = p.dst[last:]
		}
		p.section(c, suffix, p.weights[i].written(), write)
		sections = append(sections, p.dst)
		p.before += len(p.dst)
	}
	p.writer, p.written = outer, sections
	p.addedImports.collects, p.addedHelpers.collects = false, false
	p.imports, p.helpers = p.addedImports.addTo(p.imports), p.addedHelpers.addTo(p.helpers)
	if len(sections) > 0 {
		p.spent = sections[0][:0]
	}
	return sections
}

// section writes a call, which takes so many bytes meanwhile.
func (p *program) section(c *call, suffix string, takes int, write func(c *call, suffix string)) {
	nodes := p.nodes
	if p.target.Kind == File {
		takes = 0 // payCalls paid for it
	}
	p.budget.hold(takes)
	p.reportLosses(c)
	p.payDiags()
	write(c, suffix)
	p.settle()
	p.budget.hold(len(p.dst))
	p.budget.free(takes)
	p.nodes.back(nodes) // nothing of a call refers to those of another
}

// largeSection is how much memory is made at once for the sections that follow a
// shorter one.
const largeSection = 64 << 10

// join writes sections with an empty line between two.
func (p *program) join(sections [][]byte) {
	length := len(sections)
	for _, s := range sections {
		length += len(s)
	}
	p.dst = slices.Grow(p.dst, length)
	for i, s := range sections {
		if i > 0 {
			p.line()
		}
		p.dst = append(p.dst, s...)
	}
}
