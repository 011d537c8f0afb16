package engine

import (
	"strconv"

	"uncoil/diag"
	"uncoil/internal/engine/fault"
	"uncoil/internal/engine/render"
)

// An Error is why a command has no answer. The code diag.CodeInternal is a fault
// of uncoil, or of a function of the Input: a panic comes back as that error.
type Error struct {
	diag.Diagnostic
	// Line and Column are 1-based; columns count characters.
	Line, Column int
	// Arg is the number of the argument with the error, counted from 1. It is
	// 0 unless ParseArgs returned the error.
	Arg int
	// Shell is the shell whose quoting the text was read with, as in Result.
	// It is empty when the name of the shell is unknown.
	Shell string
	// Doubts are the warnings of what the text may mean instead, which may
	// explain the error.
	Doubts diag.List
	// Source is the text that the spans refer to: for ParseArgs the arguments, quoted.
	Source string
}

// Fail returns the error that ends a conversion.
func (r *Result) Fail(d diag.Diagnostic) *Error {
	d.Severity, d.Level = diag.SeverityError, 0
	e := &Error{Diagnostic: d, Shell: r.Shell, Source: r.source}
	e.Line, e.Column = diag.Position(r.source, d.Span.Start)
	for i := range r.Warnings {
		w := &r.Warnings[i]
		again := w.Code == d.Code && w.Span == d.Span // the error itself, as it concerns one command
		if w.Level == diag.LevelDoubt && !again && len(e.Doubts) < MaxWarnings {
			e.Doubts = append(e.Doubts, *w)
		}
	}
	for e.Arg < len(r.args) && r.args[e.Arg].Start <= d.Span.Start {
		e.Arg++
	}
	return e
}

// failAt is Fail for a diagnostic without a span.
func (r *Result) failAt(d diag.Diagnostic, span diag.Span) *Error {
	d.Span = span
	return r.Fail(d)
}

// Unwrap returns the panic behind the code diag.CodeInternal, for logs, or nil.
func (e *Error) Unwrap() error { return e.Cause }

// Recover turns a panic into an error. It repeats nothing of the text, and
// has no place in it. It must be deferred itself.
func Recover(err *error, r *Result) {
	if value := recover(); value != nil {
		*err = &Error{Diagnostic: fault.New(value).Diagnostic(), Line: 1, Column: 1, Shell: r.Shell}
	}
}

// Error returns the error in one line: line:column: code: message, or for
// ParseArgs argument n: code: message.
func (e *Error) Error() string {
	place := strconv.Itoa(e.Line) + ":" + strconv.Itoa(e.Column)
	if e.Arg > 0 {
		place = "argument " + strconv.Itoa(e.Arg)
	}
	return place + ": " + string(e.Code) + ": " + e.Message
}

// AppendReport appends the error as people read it on a terminal: the line it
// is in, a caret under the span, and the hint.
func (e *Error) AppendReport(dst []byte) []byte { return e.Diagnostic.AppendText(dst, e.Source) }

// AppendDoubts appends the doubts, as people read them on a terminal.
func (e *Error) AppendDoubts(dst []byte) []byte { return appendDoubts(dst, e.Doubts, e.Source) }

// AppendWarnings appends the doubts as JSON, in the form that the full
// description has.
func (e *Error) AppendWarnings(dst []byte) []byte {
	return render.AppendWarnings(dst, e.Doubts, e.Source)
}
