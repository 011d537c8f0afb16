// Package bash reads the whole grammar of bash, for what the plain POSIX lexer
// declines: redirections of input, here-documents, assignments, parameter
// expansion, groups, loops, pipelines and lists that need more than to be seen.
//
// It adapts the bash parser of mvdan.cc/sh, for which it first leaves out what
// pasting brings into a script. It runs nothing: commands that
// only print known text (echo, printf, cat) feed the pipe behind them,
// everything else is unknown, and what is unknown keeps its spelling.
package bash
