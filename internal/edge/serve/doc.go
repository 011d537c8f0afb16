// Package serve is the subcommand serve of uncoil: its flags, log, signals and
// sandbox. Package httpapi has the answers.
package serve
