package uncoil

import (
	"strconv"

	"uncoil/diag"
	"uncoil/internal/render"
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
	d.Severity = diag.Error
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

// AppendText appends the error with the line it is in, a caret under the
// place, and the hint.
func (e *Error) AppendText(dst []byte) []byte { return e.Diagnostic.AppendText(dst, e.source) }

// AppendProblem appends the error as a problem document (RFC 9457) with the
// given HTTP status.
func (e *Error) AppendProblem(dst []byte, status int) []byte {
	return render.AppendProblem(dst, &e.Diagnostic, e.source, status)
}
