// Package serve is the subcommand serve of uncoil: its flags, its log, its
// signals and its sandbox. What it answers is in package httpapi.
//
// It is a package of its own so that a program can have the other subcommands
// without it: what net/http brings along is most of the time that a program
// takes to start.
package serve
