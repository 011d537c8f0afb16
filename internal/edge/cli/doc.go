// Package cli is the command uncoil: its subcommands, flags and exit codes.
//
// Run is a function of its arguments, so that tests and other programs can
// call it; only Main touches the process. It reads files for -file and -files
// alone. The caller passes in the subcommand serve: see package serve.
package cli
