package uncoil

import (
	"strconv"

	"uncoil/diag"
)

// An Error is why a command has no answer.
type Error struct {
	diag.Diagnostic
	// Line and Column are 1-based; columns count characters.
	Line, Column int
	// Shell is how the text was read, as in Result; empty where the name of
	// the shell was wrong.
	Shell  string
	source string
}

func fail(src string, d diag.Diagnostic) *Error {
	d.Severity, d.Level = diag.Error, diag.Doubt
	e := &Error{Diagnostic: d, source: src}
	e.Line, e.Column = diag.Position(src, d.Span.Start)
	return e
}

// failIn is fail for a text that was read as one of a shell.
func failIn(shell, src string, d diag.Diagnostic) *Error {
	e := fail(src, d)
	e.Shell = shell
	return e
}

// Error returns the error in one line: line:column: code: message.
func (e *Error) Error() string {
	return strconv.Itoa(e.Line) + ":" + strconv.Itoa(e.Column) + ": " + string(e.Code) + ": " + e.Message
}

// AppendReport appends the error as people read it on a terminal: the line it
// is in, a caret under the place, and the hint.
func (e *Error) AppendReport(dst []byte) []byte { return e.Diagnostic.AppendText(dst, e.source) }
