// Package snippets keeps blocks of code in documentation in step with a curl command.
//
// A comment of the document, the marker, names targets. What stands between it and
// the comment that ends it is written anew from the block of code above that has a
// curl command: a program for each target, one below the other, or in the tabs of the
// program that makes pages of the document.
//
// A program is text of a command in the end, and it must stay text in the document.
// So a fence is longer than any in the program, and a program with characters or lines
// that act even in a block of code is refused.
package snippets
