// Package diag defines diagnostics: the errors and warnings about a command.
//
// A [Diagnostic] carries a stable [Code] for programs, a sentence for people,
// a hint about the remedy, and a [Span] of bytes in the command's text.
// Every stage of the pipeline returns a [List] of them with its value; only
// the facade turns the first error into a Go error.
package diag
