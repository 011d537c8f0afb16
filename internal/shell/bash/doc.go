// Package bash reads what the plain POSIX lexer declines: pipelines, lists,
// redirections, here-documents, assignments, parameter expansion, loops.
//
// It adapts the bash parser of mvdan.cc/sh, for which it first leaves out what
// pasting brings into a script. It runs nothing: commands that
// only print known text (echo, printf, cat) feed the pipe behind them,
// everything else is unknown, and what is unknown keeps its spelling.
package bash
