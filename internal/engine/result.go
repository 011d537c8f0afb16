package engine

import (
	"slices"
	"strconv"

	"uncoil/diag"
	"uncoil/internal/engine/jsontext"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/render"
	"uncoil/request"
)

// A Result is the full description of a text.
type Result struct {
	// Shell is how the text was read: one of source.DialectNames, but "auto".
	Shell string
	// Requests are in the order in which curl would send them; there is at
	// least one.
	Requests []request.Request
	// Warnings are in the order in which they were found, MaxWarnings at most.
	Warnings diag.List
	// Uses are the options of the commands in their order, where Input.Explain asks
	// for them.
	Uses []Use

	feeders    []feeder // of the requests, those that only feed a word of curl
	found      int      // how many requests the text has
	data       bool     // the text is no command
	hasEntries bool     // it is a file of requests, one of which may be chosen
	source     string
	args       []diag.Span      // of the arguments in source, for ParseArgs
	curl       diag.Span        // of the first curl command
	failed     *diag.Diagnostic // the first error of a command, when another one gave requests
	meant      *diag.Fix        // its fix, where nothing else can be meant
	unsupplied *diag.Diagnostic // the files without which no request is complete
	most       int              // bytes of an answer
	size       int              // that the requests took in memory, at most
	meter      *meter.Meter     // of the conversion, while it lasts
	terms      meter.Terms      // of the conversion
}

// Append appends the wanted answer as JSON, and returns the warnings about it, which
// are those of the Result and what the form of the answer adds. On error, an *Error,
// dst comes back as it was.
func (r *Result) Append(dst []byte, want Want) (out []byte, warnings diag.List, err error) {
	out = dst
	defer Recover(&err, r)
	return r.append(dst, want)
}

// append is Append, but may panic.
func (r *Result) append(dst []byte, want Want) ([]byte, diag.List, error) {
	if e := r.fits(r.meter); e != nil {
		return dst, nil, e
	}
	if want.As == AsParse {
		out, err := r.appendDescription(dst)
		return out, r.Warnings, err
	}
	out, warnings, err := r.appendConvert(dst, want)
	if err == nil && len(out)-len(dst) > r.MaxAnswer() {
		return dst, nil, r.TooLong()
	}
	return out, warnings, err
}

// AppendJSON appends the full description as JSON, however long it is; after a
// fault of uncoil it appends null.
func (r *Result) AppendJSON(dst []byte) (out []byte) {
	defer func() {
		if recover() != nil {
			out = append(dst, "null"...)
		}
	}()
	out, _ = render.AppendDescription(dst, r.Shell, r.Requests, r.Warnings, r.source, 0)
	return out
}

// MarshalJSON returns the full description.
func (r *Result) MarshalJSON() (out []byte, err error) {
	defer Recover(&err, r)
	return r.appendDescription(nil)
}

func (r *Result) appendDescription(dst []byte) ([]byte, error) {
	out, ok := render.AppendDescription(dst, r.Shell, r.Requests, r.Warnings, r.source, r.MaxAnswer())
	if !ok {
		return dst, r.TooLong()
	}
	return out, nil
}

func (r *Result) appendConvert(dst []byte, want Want) ([]byte, diag.List, error) {
	if e := r.notOne(); e != nil {
		return dst, nil, e
	}
	write := render.AppendConvert
	if want.DataText {
		if e := r.fitsText(r.one()); e != nil {
			return dst, nil, e
		}
		write = render.AppendConvertText
	}
	out, d := write(dst, r.one())
	if d != nil {
		return dst, nil, r.failAt(*d, r.curl)
	}
	warnings := r.about(r.one())
	if want.Warnings {
		out = append(out[:len(out)-1], `,"warnings":`...)
		out = append(render.AppendWarnings(out, warnings, r.source), '}')
	}
	return out, warnings, nil
}

// about returns the warnings about the four members of a request. Those that the members add
// stand at the end, and others make room for them.
func (r *Result) about(one *request.Request) diag.List {
	warnings := render.Warnings(r.Warnings, one, r.curl, r.source)
	if more := len(warnings) - MaxWarnings; more > 0 && len(r.Warnings) <= MaxWarnings {
		end := len(warnings) - 2 // it adds no more than two
		warnings = slices.Delete(slices.Clone(warnings), end-more, end)
	}
	return warnings
}

// notOne returns the error of a text that does not stand for one request that
// is complete, or nil.
func (r *Result) notOne() *Error {
	if n, _ := r.own(); n > 1 {
		hint := "ask for the full description (/api/parse), or pass one request at a time"
		if r.hasEntries {
			hint = "name one with entry, or ask for the full description (/api/parse)"
		}
		return r.Fail(diag.Diagnostic{Code: diag.CodeMultipleRequests, Span: r.curl, Count: len(r.Requests),
			Message: "this makes " + strconv.Itoa(len(r.Requests)) + " requests; convert answers one", Hint: hint})
	}
	if r.unsupplied != nil {
		return r.Fail(*r.unsupplied)
	}
	return nil
}

// AppendDoubts appends the warnings that the answer may not be what is meant,
// as people read them on a terminal.
func (r *Result) AppendDoubts(dst []byte) []byte { return appendDoubts(dst, r.Warnings, r.source) }

// appendDoubts appends those of the warnings that are doubts.
func appendDoubts(dst []byte, warnings diag.List, source string) []byte {
	for i := range warnings {
		if warnings[i].Level == diag.LevelDoubt {
			dst = warnings[i].AppendText(dst, source)
		}
	}
	return dst
}

// Begin returns the meter that an answer of another package pays: that of the
// conversion while it lasts, and after that a new one with the same limits. The error
// is that of a text for which there is no such answer.
func (r *Result) Begin() (*meter.Meter, *Error) {
	m := r.meter
	if m == nil {
		m = r.terms.New()
	}
	return m, r.fits(m)
}

// Source is the text of the command.
func (r *Result) Source() string { return r.source }

// Command is the span of the first curl command in the source.
func (r *Result) Command() diag.Span { return r.curl }

// MaxAnswer is how many bytes an answer may have.
func (r *Result) MaxAnswer() int {
	if r.most == 0 { // a Result that Parse did not make
		return maxAnswer
	}
	return r.most
}

// What an answer costs in steps beside its text, and how much longer a text
// may be in JSON.
const (
	answerSteps = 1000
	maxEscape   = 6
)

// fits pays for the answer before it is written. An answer that would be far
// too long is not begun.
func (r *Result) fits(m *meter.Meter) *Error {
	if m != nil && !m.Work(r.size/4+answerSteps*len(r.Requests)) {
		return r.Fail(m.Diagnostic(r.curl))
	}
	if r.size+len(r.source) < r.MaxAnswer()/maxEscape {
		return nil
	}
	n := 0
	for i := range r.Requests {
		if n += render.MaxLength(&r.Requests[i]); n > 2*r.MaxAnswer() {
			return r.TooLong()
		}
	}
	return nil
}

// fitsText pays for the body as one text: a form has the content of a file as often as
// the command names it.
func (r *Result) fitsText(one *request.Request) *Error {
	n := render.MaxLength(one)
	if r.meter != nil && !r.meter.Work(n/4) {
		return r.Fail(r.meter.Diagnostic(r.curl))
	}
	if n > 2*r.MaxAnswer() {
		return r.TooLong()
	}
	return nil
}

// TooLong returns the error of an answer that is longer than MaxAnswer.
func (r *Result) TooLong() *Error {
	return r.Fail(diag.Diagnostic{Code: diag.CodeTooLarge, Span: r.curl,
		Message: "the answer would have more than " + strconv.Itoa(r.MaxAnswer()) + " bytes",
		Hint:    "pass fewer requests at a time, or smaller files"})
}

// Members are the one request of a text, as a client needs it.
type Members struct {
	Method  string
	URL     string
	Headers []request.Param // in order; no name stands there twice
	// Data is JSON text: null without a body; the object or array that a JSON
	// body is; an object for a form of -F; or else the body as a string.
	Data []byte
	// Warnings are those about the members: those of the text, and what only the
	// full description says.
	Warnings diag.List
}

// Members returns the one request. What Members cannot say is an *Error.
func (r *Result) Members() (_ *Members, err error) {
	defer Recover(&err, r)
	if e := r.notOne(); e != nil {
		return nil, e
	}
	values, d := render.Convert(r.one())
	if d != nil {
		return nil, r.failAt(*d, r.curl)
	}
	return &Members{Method: values.Method, URL: values.URL, Headers: values.Headers, Data: values.Data, Warnings: r.about(r.one())}, nil
}

// MarshalJSON returns the answer AsConvert.
func (m *Members) MarshalJSON() ([]byte, error) {
	dst := jsontext.AppendString([]byte(`{"method":`), m.Method)
	dst = jsontext.AppendString(append(dst, `,"url":`...), m.URL)
	dst = append(dst, `,"headers":{`...)
	for i, h := range m.Headers {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(jsontext.AppendString(dst, h.Name), ':')
		dst = jsontext.AppendString(dst, h.Value)
	}
	dst = append(dst, `},"data":`...)
	if len(m.Data) == 0 {
		dst = append(dst, "null"...)
	}
	return append(append(dst, m.Data...), '}'), nil
}
