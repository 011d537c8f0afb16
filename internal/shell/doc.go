// Package shell turns pasted text into commands of words.
//
// [Split] reads the text as one dialect, or finds out which one it is. Each
// has a hand-written reader: posix.go here for the plain shapes of sh and
// bash, the packages cmd and powershell. What the POSIX lexer declines (here-documents, assignments, pipes from echo, loops)
// goes to the bash package, an adapter over a full bash parser.
//
// Text that was copied from a terminal, a page or an answer in Markdown brings
// prompts, output and prose along; see [paste.Origin]. What was done to the text as a
// whole, such as escaping it for HTML, [Decode] undoes first.
//
// Nothing is ever run. An unknown variable keeps its spelling and is marked
// by a [Hole]; a command substitution stays text.
package shell
