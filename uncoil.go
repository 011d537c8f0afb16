package uncoil

import (
	"strconv"
	"strings"
	"time"

	"uncoil/diag"
	"uncoil/internal/check"
	"uncoil/internal/curl"
	"uncoil/internal/meter"
	"uncoil/internal/render"
	"uncoil/internal/shell"
	"uncoil/internal/shell/quote"
	"uncoil/internal/transfer"
	"uncoil/request"
)

// Input is what a command takes from outside its text. The zero value works.
type Input struct {
	// Shell says how the text is quoted: "auto" (or ""), "posix", "cmd" or
	// "powershell".
	Shell string
	// Files holds the files that the command names, by name as spelled there.
	Files map[string][]byte
	// Stdin is what the command would read from standard input; nil means
	// not supplied.
	Stdin []byte
	// Env holds shell variables that the command uses.
	Env map[string]string
	// Now decides which cookies and HSTS entries in files have expired. With
	// the zero time none has.
	Now time.Time
	// Limits bound what the text may stand for.
	Limits Limits
	// Watch, unless nil, lets others see what the conversion costs, and end it.
	Watch *Watch
}

// Limits bound what a text may stand for. The zero value means the defaults.
type Limits struct {
	// Requests is how many requests one text may make: 1,000 unless set, and
	// never more.
	Requests int
	// Bytes is what files, variables and globs may add up to: 64 MiB unless
	// set.
	Bytes int
	// Work is how many steps the conversion may take, each some nanoseconds:
	// unless set, a tenth of a second's for a text of less than 64 kB, and
	// never more than a second's.
	Work int
	// PartDepth is how deep form parts may nest: 64 unless set.
	PartDepth int
}

// requests returns how many requests there may be.
func (l Limits) requests() int {
	if l.Requests <= 0 {
		return transfer.MaxRequests
	}
	return min(l.Requests, transfer.MaxRequests)
}

// meter returns the meter of the conversion of src.
func (in *Input) meter(src string) *meter.Meter {
	n := len(src) + len(in.Stdin)
	for _, content := range in.Files {
		n += len(content)
	}
	return meter.New(n, meter.Limits{Work: int64(in.Limits.Work), Bytes: int64(in.Limits.Bytes)}, in.Watch)
}

// A Watch lets other goroutines see what a conversion has cost so far, and end
// it before its time. The zero value is ready; one Watch serves one conversion.
type Watch = meter.Watch

// A Result is the full description of a command.
type Result struct {
	// Shell is how the text was read: "posix", "cmd" or "powershell".
	Shell string
	// Requests are in the order in which curl would send them; there is at
	// least one.
	Requests []request.Request
	// Warnings are in the order in which they were found.
	Warnings diag.List

	source string
	curl   diag.Span        // of the first curl command
	failed *diag.Diagnostic // the first error of a command, when another one gave requests
}

// Parse describes the requests that curl would send for the commands in src.
// The error, if any, is an *Error.
func Parse(src string, in Input) (*Result, error) {
	dialect, ok := shell.Lookup(in.Shell)
	if !ok {
		return nil, fail(src, diag.Diagnostic{Code: diag.CodeInvalidArgument,
			Message: "there is no shell of that name", Hint: "the shells are auto, posix, cmd and powershell"})
	}
	m := in.meter(src)
	reading := shell.Split(src, dialect, in.Env, m)
	shellName := reading.Dialect.String()
	if d := reading.Diags.Err(); d != nil {
		return nil, failIn(shellName, src, *d)
	}
	commands, warnings := shell.Curls(reading.Commands)
	r := &Result{Shell: shellName, source: src}
	r.Warnings = joined(reading.Diags, warnings)
	if len(commands) == 0 {
		return nil, noCurl(shellName, src, reading.Commands)
	}
	r.curl = commands[0].Span
	inputs := curl.Inputs{Files: in.Files, Env: in.Env, Meter: m, MaxPartDepth: in.Limits.PartDepth}
	if !in.Now.IsZero() {
		inputs.Now = in.Now.Unix()
	}
	for i := range commands {
		inputs.SetStdin(stdinOf(&commands[i], in))
		if stdin := commands[i].Stdin; stdin != nil {
			inputs.StdinHoles = stdin.Holes
		}
		r.add(&commands[i], &inputs, in.Limits.requests())
		if m.Over() && !r.givenUp() {
			return nil, failIn(shellName, src, m.Diagnostic(commands[i].Span))
		}
		if r.givenUp() {
			break
		}
	}
	if r.failed != nil && (len(r.Requests) == 0 || r.givenUp()) {
		return nil, failIn(shellName, src, *r.failed)
	}
	return r, nil
}

// givenUp reports an error that leaves no answer for the whole text.
func (r *Result) givenUp() bool {
	return r.failed != nil && (r.failed.Code == diag.CodeTooManyRequests || r.failed.Code == diag.CodeTooLarge || r.failed.Code == diag.CodeTooMuchWork)
}

// add appends the requests of one command, as far as there is room. One that
// curl refuses does not keep the shell from running the others; it is told in
// a warning.
func (r *Result) add(c *shell.Command, in *curl.Inputs, room int) {
	r.warnUnknown(c)
	operations, diags := curl.ParseArgs(c.Args, in)
	command := check.Command{Source: r.source, Style: style(r.Shell), Words: c.Args, Operations: operations}
	if diags.Err() == nil {
		requests, more := transfer.Requests(operations, in, transfer.Room{Total: room, Used: len(r.Requests)}, c.Span)
		command.Requests = requests
		check.Run(&command, in.Meter, &r.Warnings)
		r.Requests = joined(r.Requests, requests)
		diags = joined(diags, more)
	}
	if d := diags.Err(); d != nil && !r.givenUp() && (r.failed == nil || d.Code == diag.CodeTooManyRequests || d.Code == diag.CodeTooLarge || d.Code == diag.CodeTooMuchWork) {
		check.Explain(&command, in.Meter, d)
		first := *d
		r.failed = &first
	}
	for i := range diags {
		if diags[i].Code == diag.CodeInvalidURL && diags[i].Severity == diag.Warning {
			check.Explain(&command, in.Meter, &diags[i])
		}
		diags[i].Demote()
	}
	r.Warnings = joined(r.Warnings, diags)
}

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
	if first == nil {
		return second
	}
	return append(first, second...)
}

// warnUnknown names the variables whose spelling is kept, each word once, and
// tells of those in what is led to standard input.
func (r *Result) warnUnknown(c *shell.Command) {
	if c.Stdin != nil && c.Stdin.Kept {
		r.Warnings.Warn(diag.WarnVariableKept, c.Span,
			"what this command reads from standard input holds variables that are not known; they are kept as they stand", "pass their values in env")
	}
	for i := range c.Args {
		if holes := c.Args[i].Holes; len(holes) > 0 {
			r.Warnings.Warn(diag.WarnVariableKept, c.Args[i].Span,
				variableName(&holes[0])+" is not known and is kept as it stands; the shell would put its value there", "pass its value in env")
		}
	}
}

// variableName returns how a message names what is not known. A default, a
// pattern and the command of a substitution may hold secrets, and are left out.
func variableName(h *shell.Hole) string {
	expr := h.Expr
	end := strings.Index(expr, h.Name) + len(h.Name)
	switch {
	case h.Name != "" && end >= len(h.Name) && len(expr)-end <= 1: // $X, ${X}, %X%, $env:X
		return expr
	case h.Name != "" && strings.HasPrefix(expr, "${"):
		return expr[:end] + "…}"
	case h.Name != "" && end >= len(h.Name):
		return expr[:end] + "…"
	case strings.HasPrefix(expr, "`"):
		return "`…`"
	case strings.HasSuffix(expr, ")") && strings.Contains(expr, "("):
		return expr[:strings.IndexByte(expr, '(')] + "(…)"
	case len(expr) <= 2: // $1, $?
		return expr
	}
	return "what the shell would compute here"
}

// stdinOf returns what a command reads from standard input: what the text
// leads there, or else what the caller passed.
func stdinOf(c *shell.Command, in Input) *string {
	switch {
	case c.Stdin != nil && c.Stdin.Known:
		return &c.Stdin.Text
	case c.Stdin != nil && c.Stdin.File != "":
		if content, ok := in.Files[c.Stdin.File]; ok {
			text := string(content)
			return &text
		}
		return nil
	case in.Stdin != nil:
		text := string(in.Stdin)
		return &text
	}
	return nil
}

func noCurl(shellName, src string, commands []shell.Command) *Error {
	if len(commands) == 0 {
		return failIn(shellName, src, diag.Diagnostic{Code: diag.CodeEmptyCommand, Message: "there is no command", Hint: "paste a curl command"})
	}
	return failIn(shellName, src, diag.Diagnostic{Code: diag.CodeNotCurl, Span: commands[0].Span,
		Message: "this is no curl command", Hint: "begin with curl"})
}

// AppendJSON appends the full description as JSON.
func (r *Result) AppendJSON(dst []byte) []byte {
	return render.AppendDescription(dst, r.Shell, r.Requests, r.Warnings, r.source)
}

// AppendConvert appends the one request as the JSON object of method, url,
// headers and data. What these cannot say is an *Error, and dst comes back
// as it was.
func (r *Result) AppendConvert(dst []byte) ([]byte, error) {
	if r.failed != nil {
		return dst, failIn(r.Shell, r.source, *r.failed)
	}
	if n := len(r.Requests); n > 1 {
		return dst, failIn(r.Shell, r.source, diag.Diagnostic{Code: diag.CodeMultipleRequests, Span: r.curl, Count: n,
			Message: "this makes " + strconv.Itoa(n) + " requests, and the answer has room for one",
			Hint:    "ask for the full description, or pass one request at a time"})
	}
	if d := r.missing(); d != nil {
		return dst, failIn(r.Shell, r.source, *d)
	}
	dst, d := render.AppendConvert(dst, &r.Requests[0])
	if d != nil {
		d.Span = r.curl
		return dst, failIn(r.Shell, r.source, *d)
	}
	return dst, nil
}

// missing returns the error for the files that the request depends on and
// that were not supplied, or nil.
func (r *Result) missing() *diag.Diagnostic {
	var found *diag.Diagnostic
	for i := range r.Warnings {
		w := &r.Warnings[i]
		if w.Code != diag.CodeStdinNotSupplied && (w.Code != diag.CodeFileNotSupplied || len(w.Files) == 0) {
			continue
		}
		if found == nil {
			d := *w
			found = &d
			continue
		}
		found.Files = append(found.Files[:len(found.Files):len(found.Files)], w.Files...)
	}
	return found
}

// AppendConvert appends the four-member JSON object for the one request in
// src: method, url, headers and data. On error, an *Error, dst comes back as
// it was. What the four members cannot say is an error.
func AppendConvert(dst []byte, src string, in Input) ([]byte, error) {
	r, err := Parse(src, in)
	if err != nil {
		return dst, err
	}
	return r.AppendConvert(dst)
}

// AppendParse appends the full description of src as JSON. On error, an
// *Error, dst comes back as it was.
func AppendParse(dst []byte, src string, in Input) ([]byte, error) {
	r, err := Parse(src, in)
	if err != nil {
		return dst, err
	}
	return r.AppendJSON(dst), nil
}

// QuoteArgs joins arguments into a POSIX command line that splits back into
// them, so that a command that a shell has split already can be parsed.
func QuoteArgs(args []string) string { return quote.Command(args, quote.POSIX) }
