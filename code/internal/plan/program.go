// Package plan holds what a request asks of a program, and what a client makes of it.
//
// A [Target] has the facts of its client, and a function that writes. A [Program] is
// one that is being written; each request is a [Call] of it, whose strings are [Text]:
// literals, and variables that the program looks up. Before a target writes, the plan
// refuses what would change the request, and reports what the client cannot do.
package plan

import (
	"bytes"
	"slices"
	"strings"
	"sync"

	"uncoil/code/internal/emit"
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

// Proof says how programs of a target were tried.
type Proof string

// How programs are tried, from the best on: Run is that what they sent was compared with
// what curl sends, Compiled that a compiler took them, with types of the project's own for
// their client, and Parsed that the grammar of their language has no fault to find.
const (
	Run      Proof = "run"
	Compiled Proof = "compiled"
	Parsed   Proof = "parsed"
	Unproven Proof = "unproven"
)

// Proof returns how programs of the target were tried.
func (t *Target) Proof() Proof {
	switch {
	case t.Proven:
		return Run
	case t.Tried != "":
		return t.Tried
	}
	return Unproven
}

// A Target is what a request can be written as.
type Target struct {
	Name        string   // "python-requests"
	*Convention          // of the language
	Client      string   // "requests"
	Version     string   // of the client: the oldest that the program is written for
	Kind        Kind     //
	Extension   string   // of a file name, without the dot
	Aliases     []string // other names, those that users of other converters know among them
	// Proven reports whether the programs of this target, as they are now, were
	// run, and what they sent was compared with what curl sends: docs/proof.md.
	Proven bool
	// Tried says what was done with the programs where they are not run: [Compiled] or
	// [Parsed], or "".
	Tried Proof
	// Why says what read the programs where they are not run, and why they are not.
	Why string

	SavedAs string // the usual name of the file; "" for the custom of the language
	Facts   Client
	Style   emit.Style
	Write   func(*Program)
	// Takes reports whether its programs have code for where a value comes from; nil:
	// for nothing. Else they take it as a parameter.
	Takes func(request.From) bool
	// Heads says that they have code for fields of the head of a response, too.
	Heads bool
	// Tries says how its programs catch the failure of a request; nil: they end then. Catches
	// says that the target writes that by itself.
	Tries   *Tries
	Catches bool
	// Runs says that its programs run the commands of a shell, where that is asked for.
	Runs bool
	// Placeholders says that placeholders of documentation are variables of the file, unless
	// the options say otherwise.
	Placeholders bool
	// Encodes says that a file has functions for the encodings of package request, and encodes
	// variables that stand for placeholders.
	Encodes bool
	// Secretless says that a file has variables in the place of secrets, asked for or not.
	Secretless bool
	// Functions says that its programs can be functions, and Decodes that they decode JSON of
	// the response.
	Functions, Decodes bool
	// Variants are what else holds with switches of its language.
	Variants []Variant
	wraps    bool // such a switch puts a whole program into a function
	// Packages are what its programs need beside their language.
	Packages []Package
	// Fallbacks are clients of the same platform. The program is written for the
	// first of them that can send the requests, where this one cannot.
	Fallbacks []*Target
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
	// Placeholders says what becomes of placeholders.
	Placeholders Placeholders
	// Source is the text of the command. Where it is given, comments name the line
	// and the column of the option that they are about.
	Source string
	// Indent is one level of indentation; "" means the custom of the language.
	Indent string
	// Style says how close the program keeps to curl.
	Style Style
	// RunSubstitutions has the program run what the shell would run within a
	// substitution.
	RunSubstitutions bool
	// CheckStatus makes a status of 400 and more an error of the program.
	CheckStatus bool
	// DecodeJSON has the program decode the content of the response.
	DecodeJSON bool
	// Function is the name of the function that the program is, or AutoFunction; "" for none.
	Function string
	// RawParameters leaves parameters, and what stands for placeholders, as they are given.
	RawParameters bool
	// Values are the names of the variables that stand for placeholders.
	Values []string
	// Switches are those of single languages that are on.
	Switches []*Switch
}

// Placeholders says what becomes of {id}, <id> and other placeholders of documentation.
type Placeholders uint8

// What becomes of placeholders.
const (
	PlaceholdersUsual     Placeholders = iota // variables where the target says so, and text elsewhere
	PlaceholdersVariables                     // variables
	PlaceholdersText                          // text, which is what curl sends
)

// LineWidth is how long a line may be where the language allows to break it.
const LineWidth = 100

// NoTarget is the hint of an error where no program can send the request.
const NoTarget = "no target can send this; use curl"

// Written is a program that was written, or why none was.
type Written struct {
	Out          []byte // what stood before it and the program; without the latter on error
	Imports      []byte // what a bare program needs above it, as text of its language
	Dependencies []Dependency
	Filename     string
	Function     string      // its name, where the program is one
	Parameters   []Parameter // of the function
	Differs      []Difference
	Diags        diag.List
	why          reason // of the first error
}

// Try is Append without hints. With anyway it writes the program also where
// the client would send another request: the proof tries that.
func (t *Target) Try(b *emit.Budget, dst []byte, requests []request.Request, o Options, anyway bool) Written {
	w := t.Compose(b, dst, requests, o, nil, anyway)
	if w.Diags.Err() == nil || anyway {
		return w
	}
	for _, lower := range t.Fallbacks {
		if other := lower.Compose(b, dst, requests, o, &instead{t, w.why}, false); other.Diags.Err() == nil {
			return other
		}
	}
	return w
}

// instead is the target in whose place another one writes the program, and why.
type instead struct {
	of  *Target
	why reason
}

// Compose writes the program with the client of the target.
func (t *Target) Compose(b *emit.Budget, dst []byte, requests []request.Request, o Options, in *instead, anyway bool) Written {
	p := t.newProgram(b, dst[len(dst):], o) // it sees nothing of what stands before it
	out := p.compose(requests, in, anyway)
	w := Written{Out: dst, Diags: p.Diags, why: p.why}
	if out != nil {
		w.Differs = p.differences()
		w.Imports, w.Dependencies, w.Filename = bytes.TrimRight(p.imports, "\n"), p.Dependencies(), p.Target.Filename()
		if p.IsFunction() {
			w.Function, w.Parameters = p.FunctionName(), p.Parameters()
		}
	}
	p.release() // not deferred: memory that a panic left half changed serves nobody
	if out != nil && len(dst) == 0 {
		w.Out = out
	} else {
		w.Out = append(dst, out...)
	}
	return w
}

// compose returns the program, or nil where the client would send another
// request.
func (p *Program) compose(requests []request.Request, in *instead, anyway bool) []byte {
	if p.takesOptions(); p.Diags.Err() != nil {
		return nil
	}
	requests = p.placeValues(p.settleFrom(requests))
	p.payCalls(requests)
	for i := range requests {
		p.addCall(&requests[i])
		p.payDiags()
		if len(p.Diags) > manyDiags && !anyway && p.Diags.Err() != nil {
			break
		}
	}
	if p.Diags.Err() != nil && !anyway {
		return nil
	}
	p.settleFunction()
	for _, c := range p.Calls {
		c.decodes = p.Options.DecodeJSON && c.Destination(p.Options) == ContentPrinted
	}
	p.shareCookies()
	p.tellJars()
	p.settleTurns()
	if in != nil {
		p.noteAt(in.why.at, p.Target.clientName(), " is used, because ", in.of.clientName(), " ", in.why.what)
	}
	p.Target.Write(p)
	p.Settle()
	p.payDiags()
	if slices.ContainsFunc(p.Calls, func(c *Call) bool { return c.Unnamed }) {
		p.Refuse("names no file of such a form by a variable")
	}
	return p.Dst
}

// manyDiags is after how many diagnostics, errors among them, a program is not
// read on.
const manyDiags = 100

// anotherRequest ends the message of an error.
const anotherRequest = ": the client would send a different request"

// A Program is one that is being written.
type Program struct {
	emit.Writer
	Target  *Target
	Options Options
	Calls   []*Call
	Imports []string
	Helpers []string // functions that the program needs
	Checks  []string // expressions that a function checks first
	Diags   diag.List
	beside  bool          // the head of the program stands beside it
	imports []byte        // of a bare program, as text of its language
	why     reason        // of the first error
	Notes   []emit.Phrase // of a format that has no comments
	memory  []byte        // in which sections writes
	written [][]byte      // memory for what sections returns, which is called once
	spent   []byte        // what sections has written in, for the next program
	nodes   emit.Slab[emit.Node]
	values  emit.ValueParser
	Short   emit.ShortTexts

	positions    *diag.Positions // in the text of the command
	weights      []emit.Weight   // of the calls
	paidDiags    int
	addedImports additions
	addedHelpers additions
	open         int               // blocks for what is sent where a request fails
	fed          []feeds           // of the calls, where some have any
	bound        map[string]string // the names of variables, by their stems and values
	anyCall      map[string]bool   // what AnyCall knows
	stems        map[string]int    // the last number of each stem; 1 for each name

	parameters     []Parameter // of the function that the program is
	parameterNames map[string]string
	Result         string          // the type of what the function returns, where its language names it
	InPieces       bool            // the function gives the content as it comes
	places         map[string]int  // of the variables that may be parameters, from 1
	uses           map[string]use  // of the parameters, by their keys
	encoded        map[string]bool // names of variables whose values the text encodes
	checked        map[string]bool // the expressions of Checks
	standIns       map[string]bool // names of variables that stand for placeholders
	unordered      bool            // the parameters are not yet in their order
}

// Programs are those that were written: their memory serves others.
var Programs sync.Pool

// newProgram returns a program with what the target and the options say.
func (t *Target) newProgram(b *emit.Budget, dst []byte, o Options) *Program {
	p, _ := Programs.Get().(*Program)
	if p == nil {
		p = new(Program)
	}
	p.Writer = emit.Writer{Dst: dst, Indent: t.Style.Indent, Width: LineWidth, Comma: t.Style.Comma, Note: t.Style.Comment, NoteEnd: t.Style.CommentEnd, Align: t.Style.Align, Wraps: t.Style.Wraps, Rules: t.Style.Rules, Budget: b, Next: emit.SettleOften}
	p.nodes.Budget, p.values.Budget = b, b
	p.values.KnownNames.Budget, p.values.KnownItems.Budget = b, b
	p.Target, p.Options = t.with(o.Switches), o
	p.beside = o.Bare
	if o.Function != "" { // whose head is left out, and nothing else
		p.Options.Bare = false
	}
	if o.Indent != "" {
		p.Indent = o.Indent
	}
	return p
}

// release leaves the memory of a program to others, unless it is large.
func (p *Program) release() {
	size := cap(p.spent) + cap(p.nodes.Used)*meter.SizeOf[emit.Node]() + cap(p.values.KnownItems.Used)*meter.SizeOf[emit.Value]() + len(p.Calls)*emit.BytesPerCall
	for _, c := range p.Calls {
		size += (cap(c.parts) + cap(c.headers)) * meter.SizeOf[Field]()
		c.clear()
	}
	if size > reusedBytes {
		return
	}
	*p = Program{Calls: p.Calls[:0], Imports: emit.Emptied(p.Imports), Helpers: emit.Emptied(p.Helpers), memory: p.spent, written: emit.Emptied(p.written),
		nodes: p.nodes.Emptied(), values: p.values.Emptied(), Short: p.Short, weights: p.weights[:0]}
	Programs.Put(p)
}

// reusedBytes is how much memory a program may leave to others.
const reusedBytes = 256 << 10

// payCalls pays for the calls of requests, before the first of them is read.
func (p *Program) payCalls(requests []request.Request) {
	held, text := 0, 0
	for i := range requests {
		w := emit.Weigh(&requests[i])
		p.weights = append(p.weights, w)
		held += w.Held()
		if p.Target.Kind == File { // which is one value, most often
			held += w.Written()
		}
		text += w.Text
	}
	p.Budget.Work(text)
	p.Budget.Hold(held)
}

// addCall adds the call of a request.
func (p *Program) addCall(r *request.Request) {
	n := len(p.Calls)
	if n == cap(p.Calls) || p.Calls[:n+1][n] == nil {
		p.Calls = append(p.Calls, new(Call))
	} else {
		p.Calls = p.Calls[:n+1]
	}
	p.Calls[n].read(p, r)
	p.Calls[n].Asked.Fail = p.Calls[n].Asked.Fail || p.Options.CheckStatus
	if p.fed != nil {
		p.Calls[n].feeds = p.fed[n]
		p.Calls[n].Asked.Fail = p.Calls[n].Asked.Fail || len(p.fed[n].Captures) > 0
	}
}

// Functions writes the functions that the program needs, each after an empty line.
func (p *Program) Functions() {
	for _, function := range p.Helpers {
		p.Line()
		for line := range strings.SplitSeq(strings.TrimSuffix(function, "\n"), "\n") {
			if line == "" {
				p.Line()
			} else {
				p.Line(line)
			}
		}
	}
}

// Sections returns what write writes for each call, with the losses of the call
// first. A suffix tells the names of variables apart: it is empty for the first
// call, and then "2", "3".
func (p *Program) Sections(level int, write func(c *Call, suffix string)) [][]byte {
	sections := slices.Grow(p.written[:0], len(p.Calls))
	outer := p.Writer
	p.addedImports.collects, p.addedHelpers.collects = true, true
	p.Dst, p.memory, p.Level, p.Before = p.memory, nil, level, 0
	if p.Dst == nil {
		p.Dst = make([]byte, 0, emit.UsualSection)
	}
	for i, c := range p.Calls {
		suffix := ""
		if i > 0 {
			suffix = emit.Itoa(i + 1)
		}
		if c.turn.after && p.Target.Tries != nil { // it stands in a block of the section before
			before := len(p.Dst)
			p.section(c, suffix, p.weights[i].Written(), write)
			sections[len(sections)-1] = p.Dst
			p.Before += len(p.Dst) - before
			continue
		}
		p.Settled, p.Next = 0, emit.SettleOften
		if last := len(p.Dst); cap(p.Dst)-last < last { // the next one is as long, most often
			p.Dst = make([]byte, 0, min(8*last, max(last, largeSection)))
		} else {
			p.Dst = p.Dst[last:]
		}
		p.section(c, suffix, p.weights[i].Written(), write)
		sections = append(sections, p.Dst)
		p.Before += len(p.Dst)
	}
	p.Writer, p.written = outer, sections
	p.addedImports.collects, p.addedHelpers.collects = false, false
	p.Imports, p.Helpers = p.addedImports.addTo(p.Imports), p.addedHelpers.addTo(p.Helpers)
	if len(sections) > 0 {
		p.spent = sections[0][:0]
	}
	return sections
}

// section writes a call, which takes so many bytes meanwhile.
func (p *Program) section(c *Call, suffix string, takes int, write func(c *Call, suffix string)) {
	nodes := p.nodes
	if p.Target.Kind == File {
		takes = 0 // payCalls paid for it
	}
	p.Budget.Hold(takes)
	p.noteParameters(c)
	p.opensTurn(c)
	start := len(p.Dst)
	write(c, suffix)
	p.Settle()
	p.lossesFirst(c, start)
	p.closesTurn(c)
	p.payDiags()
	p.Budget.Hold(len(p.Dst))
	p.Budget.Free(takes)
	p.nodes.Back(nodes) // nothing of a call refers to those of another
}

// lossesFirst reports what a section that was written leaves out, and puts its comments
// about that before the rest.
func (p *Program) lossesFirst(c *Call, start int) {
	end := len(p.Dst)
	p.ReportLosses(c)
	if comments := slices.Clone(p.Dst[end:]); len(comments) > 0 {
		copy(p.Dst[start+len(comments):], p.Dst[start:end])
		copy(p.Dst[start:], comments)
	}
}

// largeSection is how much memory is made at once for the sections that follow a
// shorter one.
const largeSection = 64 << 10

// Join writes sections with an empty line between two.
func (p *Program) Join(sections [][]byte) {
	length := len(sections)
	for _, s := range sections {
		length += len(s)
	}
	p.Dst = slices.Grow(p.Dst, length)
	for i, s := range sections {
		if i > 0 {
			p.Line()
		}
		p.Dst = append(p.Dst, s...)
	}
}
