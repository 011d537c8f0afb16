package engine

import (
	"time"

	"uncoil/diag"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/quote"
	"uncoil/internal/engine/transfer"
)

// Input is the input of a command besides its text. The zero value works.
type Input struct {
	// Shell says how the text is written: one of source.DialectNames, or "", which is "auto".
	Shell string
	// Entry chooses one request of a file of several, such as an entry of a HAR
	// file, counted from 1; with 0 all are answered.
	Entry int
	// Files holds the files that the command names, by name as spelled there.
	Files map[string][]byte
	// ReadFile, unless nil, returns the content of a file that is not in Files.
	// It is called once for each name whose content decides the answer; an
	// error means that the file is not supplied.
	ReadFile func(name string) ([]byte, error)
	// Stdin is the standard input of the command; nil means
	// not supplied.
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
	// Explain is the function Explain where the Uses of the Result are wanted, or nil.
	Explain Explainer
	// Watch, unless nil, lets others see what the conversion costs, and end it.
	Watch *meter.Watch
}

// Limits bound the expansion of a text. The zero value means the defaults.
type Limits struct {
	// Requests is how many requests one text may make: 1,000 unless set.
	Requests int
	// Bytes bounds the sum of files, variables and globs: unless set, 16 times
	// the input and 16 MiB more.
	Bytes int
	// Answer is how many bytes an answer may have: 16 MiB unless set.
	Answer int
	// Work is how many steps the conversion may take, each some nanoseconds:
	// unless set, a tenth of a second's for a text of less than 64 kB, and
	// never more than a second's.
	Work int
	// PartDepth is how deep form parts may nest: 64 unless set.
	PartDepth int
}

// MaxWarnings is how many warnings a Result has at most.
const MaxWarnings = 100

// maxAnswer is how many bytes an answer may have unless Limits say otherwise.
const maxAnswer = 16 << 20

// answer returns how many bytes an answer may have.
func (l Limits) answer() int {
	if l.Answer <= 0 {
		return maxAnswer
	}
	return l.Answer
}

// requests returns how many requests there may be.
func (l Limits) requests() int {
	if l.Requests <= 0 {
		return transfer.UsualRequests
	}
	return l.Requests
}

// As names a form of answer, as the API spells it. The zero value means
// AsConvert.
type As string

// The forms of answers of the engine.
const (
	AsConvert As = "convert" // the one request: method, url, headers and data
	AsParse   As = "parse"   // the full description
)

// Want says which answer is wanted.
type Want struct {
	As As
	// Warnings adds a member warnings to the answer AsConvert; AsParse has it
	// in any case.
	Warnings bool
	// Doubts finds the doubts about the answer AsConvert, for the Answer, also
	// where the text has no warnings.
	Doubts bool
	// DataText makes data of the answer AsConvert the exact body as a string.
	DataText bool
}

// An Answer describes an answer that was appended.
type Answer struct {
	// Shell is how the text was read, as in Result; empty where an error came
	// before that.
	Shell string
	// Requests is the number of requests of the text.
	Requests int
	// Warnings are those about the answer: all of them, or for AsConvert as
	// Want asks.
	Warnings diag.List
}

// Append appends the answer to src as JSON. On error, an *Error, dst comes
// back as it was.
func Append(dst []byte, src string, want Want, in Input) ([]byte, Answer, error) {
	// Most answers need no warnings, and cost half without. A file is read once.
	quick := want.As != AsParse && !want.Warnings && !want.Doubts && in.ReadFile == nil
	out, answer, work, err := appendTo(dst, src, want, &in, quick)
	if err != nil && quick && work < maxSecondReading {
		out, answer, _, err = appendTo(dst, src, want, &in, false)
	}
	return out, answer, err
}

// maxSecondReading is how many steps a text that has no answer may have taken,
// to be read again for the doubts that explain its error.
const maxSecondReading = 1 << 20

// appendTo is Append, and returns the steps that the conversion took. It is quick
// without warnings.
func appendTo(dst []byte, src string, want Want, in *Input, quick bool) (out []byte, answer Answer, work int64, err error) {
	c := conversions.Get().(*conversion)
	r := &c.result
	out = dst
	defer Recover(&err, r)
	c.without = transfer.Defaults
	if want.As != AsParse {
		c.noAdvice = !want.Warnings
	}
	if quick {
		c.noWarnings, c.without = true, transfer.Defaults|transfer.Views
	}
	if e := r.parse(src, in, c); e != nil {
		answer.Shell, err = e.Shell, e
	} else {
		r.meter = &c.meter
		answer = Answer{Shell: r.Shell, Requests: len(r.Requests), Warnings: r.Warnings}
		var warnings diag.List
		if out, warnings, err = r.append(dst, want); err == nil {
			answer.Warnings = warnings
		}
	}
	work, _ = c.meter.Spent()
	c.release()
	return out, answer, work, err
}

// Lend parses src and lends the Result to use, which keeps nothing of it: its memory
// serves the next conversion. The answer is that of use, or of Parse where that has
// an error.
func Lend(src string, in *Input, use func(*Result) (Answer, error)) (answer Answer, err error) {
	c := conversions.Get().(*conversion)
	r := &c.result
	defer Recover(&err, r)
	if e := r.parse(src, in, c); e != nil {
		answer.Shell, err = e.Shell, e
	} else {
		r.meter = &c.meter
		answer, err = use(r)
	}
	c.release()
	return answer, err
}

// Parse describes the requests that curl would send for the commands in src.
// The error, if any, is an *Error.
func Parse(src string, in Input) (_ *Result, err error) {
	r := new(Result)
	defer Recover(&err, r)
	c := conversions.Get().(*conversion)
	c.transfers.Keep()
	e := r.parse(src, &in, c)
	r.terms = c.meter.Terms() // afterwards the meter is another conversion's
	c.release()
	if e != nil {
		return nil, e
	}
	return r, nil
}

// ParseArgs is Parse for a command that a shell has split already. The first
// argument is curl, or a program such as sudo before it. Spans are places in
// QuoteArgs(args); the Arg of an *Error is the argument.
func ParseArgs(args []string, in Input) (_ *Result, err error) {
	r := new(Result)
	defer Recover(&err, r)
	c := conversions.Get().(*conversion)
	c.transfers.Keep()
	e := r.parseArgs(args, &in, c)
	r.terms = c.meter.Terms() // afterwards the meter is another conversion's
	c.release()
	if e != nil {
		return nil, e
	}
	return r, nil
}

// Convert returns the one request of src as a client needs it. The error, if
// any, is an *Error; what Members cannot say is one.
func Convert(src string, in Input) (*Members, error) {
	r, err := Parse(src, in)
	if err != nil {
		return nil, err
	}
	return r.Members()
}

// QuoteArgs joins arguments into a command of the POSIX shell that splits back
// into them.
func QuoteArgs(args []string) string { return quote.Command(args, quote.POSIX) }
