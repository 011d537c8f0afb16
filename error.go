package uncoil

import (
	"uncoil/diag"
	"uncoil/internal/engine"
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
	Shell Shell
	// Doubts are the warnings of what the text may mean instead, which may
	// explain the error.
	Doubts diag.List
	// Source is the text that the spans refer to: for ParseArgs the arguments, quoted.
	Source string
}

// errorOf returns an error of the engine as one of this package.
func errorOf(err error) error {
	if e, ok := err.(*engine.Error); ok {
		return &Error{Diagnostic: e.Diagnostic, Line: e.Line, Column: e.Column, Arg: e.Arg, Shell: Shell(e.Shell), Doubts: e.Doubts, Source: e.Source}
	}
	return err
}

// engine returns the error as the engine takes it.
func (e *Error) engine() *engine.Error {
	return &engine.Error{Diagnostic: e.Diagnostic, Line: e.Line, Column: e.Column, Arg: e.Arg, Shell: string(e.Shell), Doubts: e.Doubts, Source: e.Source}
}

// MarshalJSON returns the error as the API spells a diagnostic, with its line and column
// in Source.
func (e *Error) MarshalJSON() ([]byte, error) {
	return e.AppendJSON(nil, diag.NewPositions(e.Source)), nil
}

// Unwrap returns the panic behind the code diag.CodeInternal, for logs, or nil.
func (e *Error) Unwrap() error { return e.Cause }

// Error returns the error in one line: line:column: code: message, or for
// ParseArgs argument n: code: message.
func (e *Error) Error() string { return e.engine().Error() }

// AppendReport appends the error as people read it on a terminal: the line it
// is in, a caret under the span, and the hint.
func (e *Error) AppendReport(dst []byte) []byte { return e.engine().AppendReport(dst) }

// AppendDoubts appends the doubts, as people read them on a terminal.
func (e *Error) AppendDoubts(dst []byte) []byte { return e.engine().AppendDoubts(dst) }
