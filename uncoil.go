package uncoil

import (
	"time"

	"uncoil/internal/engine"
	"uncoil/internal/engine/meter"
)

// Input is the input of a command besides its text. The zero value works.
type Input struct {
	// Shell says how the text is written; the zero value lets uncoil find out.
	Shell Shell
	// Entry chooses one request of a file of several, such as an entry of a HAR
	// file, counted from 1; with 0 all are answered.
	Entry int
	// Files holds the files that the command names, by name as spelled there.
	Files map[string][]byte
	// ReadFile, unless nil, returns the content of a file that is not in Files.
	// It is called once for each name whose content decides the answer; an
	// error means that the file is not supplied.
	ReadFile func(name string) ([]byte, error)
	// Stdin is the standard input of the command; nil means not supplied.
	Stdin []byte
	// Env holds shell variables that the command uses.
	Env map[string]string
	// Now decides which cookies and HSTS entries in files have expired. With
	// the zero time none has.
	Now time.Time
	// PublicSuffix, unless nil, returns the part of a domain, in lower case,
	// that nobody can own, such as co.uk: curl takes no cookies for that. It
	// decides which cookies of files are sent. With nil it is the last label;
	// golang.org/x/net/publicsuffix has the list that curl uses.
	PublicSuffix func(domain string) string
	// Limits bound the expansion of the text.
	Limits Limits
	// Watch, unless nil, lets others see what the conversion costs, and end it.
	Watch *Watch
}

// A Shell is how a text is written.
type Shell string

// The shells, and what a text can be besides a command.
const (
	ShellAuto       Shell = "auto"       // one of the others, by what is in the text
	ShellPOSIX      Shell = "posix"      // a command for bash, zsh or sh
	ShellCmd        Shell = "cmd"        // a command for cmd.exe
	ShellPowerShell Shell = "powershell" // a command for PowerShell
	ShellHAR        Shell = "har"        // a HAR file
	ShellHTTP       Shell = "http"       // a request as it goes over the wire
	ShellFetch      Shell = "fetch"      // a call of fetch in JavaScript
)

// The shells that a program knows which imports uncoil/readers.
const (
	ShellHTTPFile Shell = "http-file" // requests as the HTTP clients of editors have them, in .http files
	ShellPostman  Shell = "postman"   // a collection of Postman
)

// Limits bound the expansion of a text. The zero value means the defaults.
type Limits struct {
	// Requests is how many requests one text may make: 1,000 unless set. Work and
	// Bytes bound them, too.
	Requests int
	// Bytes bounds the sum of files, variables and globs: unless set, 16 times
	// the input and 16 MiB more.
	Bytes int
	// Answer is how many bytes the JSON of a Result may have: 16 MiB unless set.
	Answer int
	// Work is how many steps the conversion may take, each some nanoseconds:
	// unless set, a tenth of a second's for a text of less than 64 kB, and
	// never more than a second's.
	Work int
	// PartDepth is how deep form parts may nest: 64 unless set.
	PartDepth int
}

// A Watch lets other goroutines see what a conversion has cost so far, and end
// it before its time. The zero value is ready; one Watch serves one conversion.
type Watch struct{ watch meter.Watch }

// Stop ends the conversion soon: its error has the code too-much-work. It may be
// called by any goroutine, before the conversion begins, too.
func (w *Watch) Stop() { w.watch.Stop() }

// Spent returns how many steps the conversion has taken, and how many bytes it
// holds, as of at most 4,096 steps ago.
func (w *Watch) Spent() (steps, bytes int64) { return w.watch.Work(), w.watch.Bytes() }

// MaxWarnings is how many warnings a Result has at most.
const MaxWarnings = engine.MaxWarnings

// engine returns the input as the engine takes it.
func (in *Input) engine() engine.Input {
	e := engine.Input{
		Shell: string(in.Shell), Entry: in.Entry, Files: in.Files, ReadFile: in.ReadFile, Stdin: in.Stdin, Env: in.Env,
		Now: in.Now, PublicSuffix: in.PublicSuffix, Limits: engine.Limits(in.Limits),
	}
	if in.Watch != nil {
		e.Watch = &in.Watch.watch
	}
	return e
}

// Parse describes the requests that curl would send for the commands in src.
// The error, if any, is an *Error.
func Parse(src string, in Input) (*Result, error) {
	r, err := engine.Parse(src, in.engine())
	return resultOf(r, err)
}

// ParseArgs is Parse for a command that a shell has split already. The first
// argument is curl, or a program such as sudo before it. Spans are places in
// QuoteArgs(args); the Arg of an *Error is the argument.
func ParseArgs(args []string, in Input) (*Result, error) {
	r, err := engine.ParseArgs(args, in.engine())
	return resultOf(r, err)
}

// Convert returns the one request of src as a client needs it. The error, if
// any, is an *Error; what Members cannot say is one: several requests, content in
// files or on standard input that were not supplied, bytes that are no text, and
// credentials that curl computes when it sends the request. Parse describes them.
// The Warnings of the Members have the doubt other-peer where curl connects to a Unix
// socket, a proxy or another host than the URL's.
func Convert(src string, in Input) (*Members, error) {
	return membersOf(engine.Convert(src, in.engine()))
}

// QuoteArgs joins arguments into a command of the POSIX shell that splits back
// into them.
func QuoteArgs(args []string) string { return engine.QuoteArgs(args) }
