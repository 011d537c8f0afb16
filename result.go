package uncoil

import (
	"uncoil/diag"
	"uncoil/internal/engine"
	"uncoil/request"
)

// A Result is the full description of a text.
type Result struct {
	// Shell is how the text was read: any but ShellAuto.
	Shell Shell
	// Requests are in the order in which curl would send them; there is at
	// least one.
	Requests []request.Request
	// Warnings are in the order in which they were found, MaxWarnings at most.
	Warnings diag.List

	parsed engine.Result
}

// resultOf returns a result of the engine as one of this package.
func resultOf(r *engine.Result, err error) (*Result, error) {
	if err != nil {
		return nil, errorOf(err)
	}
	return &Result{Shell: Shell(r.Shell), Requests: r.Requests, Warnings: r.Warnings, parsed: *r}, nil
}

// engine returns the result as the engine takes it: with the requests and the
// warnings that the caller may have changed.
func (r *Result) engine() *engine.Result {
	e := r.parsed
	e.Shell, e.Requests, e.Warnings = string(r.Shell), r.Requests, r.Warnings
	return &e
}

// Members returns the one request. What Members cannot say is an *Error.
func (r *Result) Members() (*Members, error) { return membersOf(r.engine().Members()) }

// MarshalJSON returns the full description, as POST /api/parse answers.
func (r *Result) MarshalJSON() ([]byte, error) {
	out, err := r.engine().MarshalJSON()
	return out, errorOf(err)
}

// AppendDoubts appends the warnings that the answer may not be what is meant,
// as people read them on a terminal.
func (r *Result) AppendDoubts(dst []byte) []byte { return r.engine().AppendDoubts(dst) }

// Members are the one request of a text, as a client needs it.
type Members struct {
	Method  string
	URL     string
	Headers []request.Param // in order; no name stands there twice
	// Data is JSON text: null without a body; the object or array that a JSON
	// body is; an object for a form of -F; or else the body as a string.
	Data []byte
	// Warnings are those about the members: those of the Result, and doubts about what only
	// the full description says, such as other-peer and computed-auth.
	Warnings diag.List
}

// NewMembers returns the members of a request. What they cannot say is an *Error
// without a place.
func NewMembers(r *request.Request) (*Members, error) {
	return (&Result{Requests: []request.Request{*r}}).Members()
}

// membersOf returns members of the engine as those of this package.
func membersOf(m *engine.Members, err error) (*Members, error) {
	return (*Members)(m), errorOf(err)
}

// MarshalJSON returns the object of method, url, headers and data, as
// POST /api/convert answers.
func (m *Members) MarshalJSON() ([]byte, error) { return (*engine.Members)(m).MarshalJSON() }
