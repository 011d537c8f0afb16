// Package cli is the command uncoil: its subcommands, flags and exit codes.
//
// Run is a function of its arguments, so that tests and other programs can
// call it; only Main touches the process. This is the one place in the module
// that reads files, and it does so for -file and -files alone.
package cli
