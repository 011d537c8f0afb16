// Package diag says what is wrong, or worth knowing, about a command, and
// where.
//
// A [Diagnostic] carries a stable [Code] for programs, a sentence for people,
// a hint that says what to do, and a [Span] of bytes in the command's text.
// Every stage of the pipeline returns a [List] of them beside its value; only
// the facade turns the first error into a Go error.
package diag
