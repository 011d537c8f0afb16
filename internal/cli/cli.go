package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// The exit codes.
const (
	exitOK     = 0
	exitFailed = 1 // the command could not be converted
	exitUsage  = 2 // wrong use of uncoil
)

// Main runs uncoil with the arguments, streams and environment of the
// process and returns its exit code.
func Main() int {
	return Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv)
}

// Run runs uncoil and returns its exit code. The environment only sets flags
// of serve; the variables of a command come from -env.
func Run(args []string, stdin io.Reader, stdout, stderr io.Writer, env func(string) string) int {
	p := &program{stdin: stdin, stdout: stdout, stderr: stderr, env: env}
	err := p.run(args)
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return exitOK
	}
	if errors.Is(err, errReported) {
		return exitFailed
	}
	p.complain(err.Error())
	if wrong, ok := errors.AsType[*usageError](err); ok {
		if wrong.help != "" {
			p.complain("run " + wrong.help + " for help")
		}
		return exitUsage
	}
	return exitFailed
}

// A program is one run of uncoil.
type program struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	env            func(string) string
}

// complain writes a line to standard error.
func (p *program) complain(message string) {
	fmt.Fprintln(p.stderr, "uncoil: "+message)
}

// A usageError is wrong use of uncoil.
type usageError struct {
	message string
	help    string // the command that shows how to use it
}

func (e *usageError) Error() string { return e.message }

// errReported is an error that standard error has already.
var errReported = errors.New("reported")

// run chooses the subcommand.
func (p *program) run(args []string) error {
	if len(args) == 0 {
		if isTerminal(p.stdin) {
			_, _ = io.WriteString(p.stderr, overview)
			return &usageError{message: "there is no command"}
		}
		return p.convert(nil)
	}
	name, rest := args[0], args[1:]
	switch name {
	case "convert":
		return p.convert(rest)
	case "parse":
		return p.parse(rest)
	case "curl":
		return p.bare(args)
	case "batch":
		return p.batch(rest)
	case "serve":
		return p.serve(rest)
	case "version", "-version", "--version":
		return p.version()
	case "help", "-h", "-help", "--help":
		return p.help(rest)
	}
	// A command has white space in it, and a flag of convert begins with -.
	if strings.ContainsAny(name, " \t\r\n") || strings.HasPrefix(name, "-") {
		return p.convert(args)
	}
	return &usageError{fmt.Sprintf("there is no subcommand %q", name), "uncoil help"}
}

// help shows how to use uncoil, or one of its subcommands.
func (p *program) help(args []string) error {
	if len(args) == 0 || args[0] == "help" {
		_, err := io.WriteString(p.stdout, overview)
		return err
	}
	subcommands := []string{"convert", "parse", "batch", "serve"}
	if slices.Contains(subcommands, args[0]) {
		return p.run([]string{args[0], "-h"})
	}
	if args[0] == "curl" {
		_, err := io.WriteString(p.stdout, bareHelp)
		return err
	}
	if args[0] == "version" {
		_, err := io.WriteString(p.stdout, versionHelp)
		return err
	}
	return &usageError{fmt.Sprintf("there is no subcommand %q", args[0]), "uncoil help"}
}
