package uncoil

import (
	"errors"

	"uncoil/diag"
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
}

// A Result is the full description of a command.
type Result struct {
	// Shell is how the text was read: "posix", "cmd" or "powershell".
	Shell string
	// Requests are in the order in which curl would send them; there is at
	// least one.
	Requests []request.Request
	// Warnings are in the order in which they were found.
	Warnings diag.List
}

// An Error is why a command has no answer.
type Error struct {
	diag.Diagnostic
	// Line and Column are 1-based; columns count characters.
	Line, Column int
	source       string
}

// Error returns the error in one line: line:column: code: message.
func (e *Error) Error() string { return "" }

// AppendText appends the error with the line it is in, a caret under the
// place, and the hint.
func (e *Error) AppendText(dst []byte) []byte { return e.Diagnostic.AppendText(dst, e.source) }

// AppendProblem appends the error as a problem document (RFC 9457) with the
// given HTTP status.
func (e *Error) AppendProblem(dst []byte, status int) []byte { return dst }

// Parse describes the requests that curl would send for the commands in src.
// The error, if any, is an *Error.
func Parse(src string, in Input) (*Result, error) { return nil, errors.New("stub") }

// AppendConvert appends the four-member JSON object for the one request in
// src: method, url, headers and data. On error, an *Error, dst is returned
// unchanged. What the four members cannot say is an error.
func AppendConvert(dst []byte, src string, in Input) ([]byte, error) { return dst, errors.New("stub") }

// AppendParse appends the full description of src as JSON.
func AppendParse(dst []byte, src string, in Input) ([]byte, error) { return dst, errors.New("stub") }

// QuoteArgs joins arguments into a POSIX command line that splits back into
// them, so that a command that a shell has split already can be parsed.
func QuoteArgs(args []string) string { return "" }
