package engine

import (
	"math"
	"slices"
	"strings"
	"sync"

	"uncoil/diag"
	"uncoil/internal/engine/check"
	"uncoil/internal/engine/curl"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source"
	"uncoil/internal/engine/source/quote"
	"uncoil/internal/engine/source/word"
	"uncoil/internal/engine/transfer"
	"uncoil/request"
)

// maxText is how long a text may be: spans have 32 bits.
const maxText = math.MaxInt32

// A conversion is the working memory of one conversion. It
// serves the next conversion.
type conversion struct {
	meter  meter.Meter
	words  word.Memory
	inputs curl.Inputs

	// The parts of the Result that are not read.
	noWarnings, noAdvice bool
	without              transfer.Parts

	result    Result // reused; only the answer escapes
	transfers transfer.Memory
	size      int // of what the conversion reads
}

var conversions = sync.Pool{New: func() any { return new(conversion) }}

// release gives the memory to the next conversion. What it refers to lives on
// until the memory is used again, which is why that of a large conversion goes.
// It is not deferred: memory that a panic left half changed serves nobody.
func (c *conversion) release() {
	const usual = 16 << 10
	c.meter.End()
	if _, held := c.meter.Spent(); c.size > usual || held > 4*usual {
		return
	}
	c.words.Reset()
	c.inputs.Reset()
	c.transfers.Reset()
	c.result = Result{}
	c.noWarnings, c.noAdvice, c.without = false, false, 0
	conversions.Put(c)
}

// parse takes a text through the stages, and proves the fixes that it offers.
func (r *Result) parse(src string, in *Input, c *conversion) *Error {
	failed := r.read(src, in, c)
	if !c.noWarnings {
		r.prove(src, in, c, failed)
	}
	return failed
}

// read takes a text through the stages.
func (r *Result) read(src string, in *Input, c *conversion) *Error {
	if len(src) > maxText {
		return r.Fail(diag.Diagnostic{Code: diag.CodeTooLarge,
			Message: "the text is larger than 2 GiB", Hint: "pass the commands in parts"})
	}
	r.source = src
	dialect, ok := source.Lookup(in.Shell)
	if !ok {
		return r.Fail(diag.Diagnostic{Code: diag.CodeInvalidArgument,
			Message: "unknown shell", Hint: "it must be one of " + strings.Join(source.DialectNames(), ", ")})
	}
	m := c.start(in, len(src))
	reading := source.SplitEntry(src, dialect, in.Entry, in.Env, m, &c.words)
	r.Shell, r.data, r.hasEntries = reading.Dialect.String(), reading.Dialect.IsData(), reading.Dialect.HasEntries()
	if d := reading.Diags.Err(); d != nil {
		return r.Fail(r.otherText(*d, c))
	}
	if m.Over() {
		return r.Fail(m.Diagnostic(diag.Span{}))
	}
	if all := r.joined(&reading, in, c); all != nil {
		if r.again(all, nil, in, c) {
			return nil
		}
		r.forget()
	}
	r.Warnings = reading.Diags
	refused := r.run(reading.Commands, in, c)
	if refused == nil && reading.Dialect == source.Cmd && r.rereadForCmd(in, c) {
		return nil
	}
	if refused != nil && !r.data && !m.Over() {
		return r.reread(refused, reading.Dialect, in, c)
	}
	return refused
}

// parseArgs takes a command that has been split through the later stages. The
// text that its spans refer to is the command, quoted.
func (r *Result) parseArgs(args []string, in *Input, c *conversion) *Error {
	var text []byte
	words := make([]source.Word, len(args))
	r.args = make([]diag.Span, len(args))
	for i, arg := range args {
		if i > 0 {
			text = append(text, ' ')
		}
		if len(text) > maxText-len(arg) {
			return r.Fail(diag.Diagnostic{Code: diag.CodeTooLarge, Message: "the arguments are larger than 2 GiB"})
		}
		start := len(text)
		text = quote.AppendWord(text, arg, quote.POSIX)
		r.args[i] = diag.Span{Start: int32(start), End: int32(len(text))}
		words[i] = source.Word{Text: arg, Span: r.args[i]}
	}
	r.source, r.Shell = string(text), source.POSIX.String()
	var commands []source.Command
	if len(words) > 0 {
		commands = []source.Command{{Args: words, Span: diag.Span{End: int32(len(text))}}}
	}
	c.start(in, len(text))
	return r.run(commands, in, c)
}

// start starts the meter of the conversion of n bytes of text.
func (c *conversion) start(in *Input, n int) *meter.Meter {
	n += len(in.Stdin)
	for _, content := range in.Files {
		n += len(content)
	}
	for _, value := range in.Env {
		n += len(value)
	}
	c.size = n
	c.meter.Start(n, meter.Limits{Work: int64(in.Limits.Work), Bytes: int64(in.Limits.Bytes)}, in.Watch)
	return &c.meter
}

// commandSteps is what a command costs that says nothing.
const commandSteps = 600

// run takes commands through the stages after the shell.
func (r *Result) run(commands []source.Command, in *Input, c *conversion) *Error {
	m, inputs := &c.meter, &c.inputs
	r.most = in.Limits.answer()
	curls, warnings := source.Curls(commands)
	r.Warnings = joined(r.Warnings, warnings)
	if len(curls) == 0 {
		return r.noCurl(commands, c)
	}
	r.curl = curls[0].Span
	for i := range curls {
		if !curls[i].OfCurl {
			r.curl = curls[i].Span
			break
		}
	}
	inputs.Files, inputs.ReadFile, inputs.Env = in.Files, in.ReadFile, in.Env
	inputs.PublicSuffix = in.PublicSuffix
	if !r.data {
		inputs.Source = r.source
	}
	inputs.Meter, inputs.NoWarnings, inputs.NoAdvice, inputs.MaxPartDepth = m, c.noWarnings, c.noAdvice, in.Limits.PartDepth
	inputs.Record = in.Explain != nil && !r.data
	if !in.Now.IsZero() {
		inputs.Now = in.Now.Unix()
	}
	var stdin *string
	if in.Stdin != nil {
		text := string(in.Stdin)
		stdin = &text
	}
	for i := range curls {
		if m.Work(commandSteps) {
			r.add(&curls[i], inputs, stdin, transfer.Room{Total: in.Limits.requests(), Used: len(r.Requests), Without: c.without, Memory: &c.transfers}, in.Explain)
		}
		if m.Over() && !r.givenUp() {
			return r.Fail(m.Diagnostic(curls[i].Span))
		}
		if r.givenUp() {
			break
		}
	}
	if r.failed != nil && (len(r.Requests) == 0 || r.givenUp()) {
		return r.Fail(*r.failed)
	}
	_, held := m.Spent()
	r.size = int(min(held, math.MaxInt))
	r.Warnings = distinct(r.Warnings, m)
	return nil
}

// forget forgets what another reading of the text has given.
func (r *Result) forget() {
	r.Requests, r.Uses, r.feeders, r.failed, r.unsupplied, r.meant = nil, nil, nil, nil, nil, nil
}

// givenUp reports an error that leaves no answer for the whole text.
func (r *Result) givenUp() bool { return r.failed != nil && endsAll(r.failed.Code) }

// endsAll reports a code that leaves no answer for the whole text.
func endsAll(code diag.Code) bool {
	return code == diag.CodeTooManyRequests || code == diag.CodeTooLarge || code == diag.CodeTooMuchWork
}

// add appends the requests of one command, while room is left. One that
// curl refuses does not keep the shell from running the others; its error
// becomes a warning. passed is the standard input of the caller.
func (r *Result) add(c *source.Command, in *curl.Inputs, passed *string, room transfer.Room, explain Explainer) {
	if !in.NoWarnings && !in.NoAdvice {
		r.warnUnknown(c)
	}
	if c.Translated {
		room.Without |= transfer.KeptMethods
	}
	if c.IsTaken() {
		room.Without &^= transfer.Views // what it prints is among the options
	}
	operations, requests, diags, more, missing := build(c, in, stdinOf(c, in, passed), room)
	if c.IsTaken() && !r.settle(c, requests, diags, more) && c.OfCurl {
		return // it stays a part of the word
	}
	command := check.Command{Source: r.source, Data: r.data || c.Translated && r.Shell != source.PowerShell.String(), Style: style(r.Shell), Words: c.Args, Stdin: c.Stdin != nil, Operations: operations}
	if diags.Err() == nil {
		command.Requests = requests
		if !in.NoWarnings {
			before := len(r.Warnings)
			check.Run(&command, in.Meter, &r.Warnings)
			if c.Nested {
				for i := range r.Warnings[before:] {
					r.Warnings[before+i].Fix = nil // two shells would read it
				}
			}
		}
		if explain != nil {
			explain(r, operations, in, requests)
		}
		r.turn(c, requests, in.Meter)
		r.Requests = joined(r.Requests, requests)
		r.feed(c, len(requests))
		if missing != nil {
			r.unsupplied = transfer.WithFiles(r.unsupplied, *missing)
		}
		if r.data {
			more = slices.DeleteFunc(more, func(d diag.Diagnostic) bool { return d.Code == diag.WarnPlaceholder || d.Code == diag.WarnSecret })
		}
		diags = joined(diags, more)
	}
	if d := diags.Err(); d != nil && !r.givenUp() && (r.failed == nil || endsAll(d.Code)) {
		r.meant = nil
		if check.Explain(&command, in.Meter, d) && !c.Nested {
			r.meant = d.Fix
		}
		first := *d
		r.failed = &first
	}
	if n := len(diags); n > 0 && !in.Meter.Hold(n*diagSize) {
		return
	}
	explained := 0 // each explanation looks at all words before it
	for i := range diags {
		if diags[i].Code == diag.CodeInvalidURL && diags[i].Severity == diag.SeverityWarning && explained < maxExplained {
			check.Explain(&command, in.Meter, &diags[i])
			explained++
		}
		diags[i].Demote()
	}
	r.Warnings = joined(r.Warnings, diags)
}

// build takes a command through the stages curl and transfer. Text that these read
// along the way may clash with the marks of its variables: then they start again,
// with other marks. Each time fewer are left, so this ends. A command without a
// URL is read again too, once.
func build(c *source.Command, in *curl.Inputs, stdin *string, room transfer.Room) (operations []curl.Operation, requests []request.Request, diags, more diag.List, missing *diag.Diagnostic) {
	in.LacksURL, in.Placeholders, in.Fed, in.Sink, in.Piped = false, false, c.Files(), c.Led(), c.GoesOn()
	tried := false // what looks like a placeholder as one
	for {
		more, missing = nil, nil
		in.SetStdin(stdin)
		if c.Stdin != nil {
			in.StdinHoles = c.Stdin.Holes
		}
		if operations, diags = curl.ParseArgs(c.Args, in); diags.Err() == nil {
			requests, more, missing = transfer.Requests(operations, in, room, c.Span)
		}
		if d := more.Err(); d != nil && d.Code == diag.CodeNoURL && !in.LacksURL && in.Meter.Work(commandSteps) {
			in.LacksURL = true
			continue
		}
		if d := more.Err(); d != nil && mayHoldPlaceholder(d.Code) && (!tried || in.Placeholders) && in.Meter.Work(commandSteps) &&
			(tried || in.AnyPlaceholder(c.Args)) {
			in.Placeholders, tried = !tried, true // else the first error stands
			continue
		}
		if !in.Clashed() || !in.Meter.Work(commandSteps) {
			return operations, requests, diags, more, missing
		}
	}
}

// mayHoldPlaceholder reports a code of curl's refusal of a URL, a proxy or an address, as which
// a placeholder may stand.
func mayHoldPlaceholder(code diag.Code) bool {
	switch code {
	case diag.CodeInvalidURL, diag.CodeInvalidGlob, diag.CodeInvalidArgument, diag.CodeInternationalHost:
		return true
	}
	return false
}

// diagSize is what a diagnostic takes, in the lists that it comes through.
const diagSize = 800

// maxExplained is how many of the URLs that curl rejects get a hint of their
// own.
const maxExplained = 4

// style returns how a shell's arguments are quoted.
func style(shell string) quote.Style {
	switch shell {
	case "cmd":
		return quote.Cmd
	case "powershell":
		return quote.PowerShell
	}
	return quote.POSIX
}

// joined returns both lists as one; most often the first has nothing yet.
func joined[L ~[]E, E any](first, second L) L {
	if len(first) == 0 {
		return second
	}
	return append(first, second...)
}

// warnUnknown names the variables whose spelling is kept, each word once, and
// those in what the text leads to standard input.
func (r *Result) warnUnknown(c *source.Command) {
	if c.Stdin != nil && c.Stdin.Kept {
		r.Warnings.Warn(diag.WarnVariableKept, c.Span,
			"the standard input of this command holds unknown variables; they are kept as written", "pass their values in env")
	}
	for i := range c.Args {
		if holes := c.Args[i].Holes; len(holes) > 0 && !isFed(c, &holes[0]) {
			r.warnKept(c.Args[i].Span, &holes[0])
		}
	}
}

// isFed reports whether a hole is the name of a file that the text makes itself.
func isFed(c *source.Command, h *source.Hole) bool {
	return slices.ContainsFunc(c.Files(), func(f word.Feed) bool { return f.Name == h.Expr })
}

// stdinOf returns what a command reads from standard input: what the text
// leads there, or else what the caller passed.
func stdinOf(c *source.Command, in *curl.Inputs, passed *string) *string {
	switch {
	case c.Stdin == nil:
		return passed
	case c.Stdin.Known:
		return &c.Stdin.Text
	case c.Stdin.File == "" || c.Stdin.File == "-":
		return passed
	}
	if text, ok := in.Read(c.Stdin.File); ok {
		return &text
	}
	return nil
}

func (r *Result) noCurl(commands []source.Command, c *conversion) *Error {
	if len(commands) == 0 {
		return r.Fail(diag.Diagnostic{Code: diag.CodeEmptyCommand, Message: "there is no command", Hint: "paste a curl command"})
	}
	d := diag.Diagnostic{Code: diag.CodeNotCurl, Span: commands[0].Span, Message: "not a curl command", Hint: "start with curl"}
	if url := commands[0].Args[0].Text; len(commands) == 1 && len(commands[0].Args) == 1 && (strings.HasPrefix(url, "http://") || strings.HasPrefix(url, "https://")) {
		d.Message, d.Hint = "this is a URL and no command", "write curl before it"
		d.Fix = &diag.Fix{Span: diag.At(int(d.Span.Start)), Text: "curl "}
	}
	if text := strings.TrimLeft(r.source, " \t\r\n"); text != "" && (text[0] == '{' || text[0] == '[') {
		d.Message, d.Hint = "no curl command, and no JSON that can be read", "of JSON, HAR files and collections of Postman 2.1 are read"
	}
	return r.Fail(r.otherText(d, c))
}

// distinct returns the first warnings, as many as a result has, without those
// that repeat an earlier one at the same span, as each pass of a loop does.
func distinct(list diag.List, m *meter.Meter) diag.List {
	kept := list[:0]
	for _, d := range list {
		if len(kept) == MaxWarnings || !m.Work(1+len(kept)) {
			break
		}
		if !slices.ContainsFunc(kept, func(k diag.Diagnostic) bool { return repeats(&d, &k) }) {
			kept = append(kept, d)
		}
	}
	return kept
}

// repeats reports whether a warning says what an earlier one has said. Where files are
// missing, or no span says what it is about, that is whatever reads the same.
func repeats(d, earlier *diag.Diagnostic) bool {
	bySpan := len(d.Files) == 0 && d.Span.Start < d.Span.End
	return d.Code == earlier.Code && d.Span == earlier.Span && (bySpan || d.Message == earlier.Message)
}
