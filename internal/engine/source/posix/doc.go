// Package posix reads text in sh or bash as commands of words.
//
// [Read] goes over the text once. The lexer finds words; one that is a stretch
// of the source, bare or in one pair of quotes, is known as such at once, and
// any other is a list of parts. The parser makes statements of them, and after
// each line the statements are run as a shell would run them, except that
// nothing is executed: a simple command is added to the result with its words
// expanded, an assignment sets a variable, a loop over a known list runs its
// body once for each word.
//
// What the shell would not know without executing something stays as spelled
// and is marked by a [word.Hole].
package posix
