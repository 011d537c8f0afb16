package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"uncoil/code"
	"uncoil/diag"
	"uncoil/internal/engine/fault"
	"uncoil/internal/engine/redact"
)

// The exit codes.
const (
	exitOK     = 0
	exitFailed = 1 // the command could not be converted; diff: the requests differ
	exitUsage  = 2 // wrong use of uncoil; diff: a text has no requests
)

// Main runs uncoil with the arguments, streams and environment of the process and
// returns its exit code. serve is the subcommand serve.
func Main(serve Subcommand) int {
	return Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv, serve)
}

// Run runs uncoil and returns its exit code. The environment only sets flags
// of serve; the variables of a command come from -env.
func Run(args []string, stdin io.Reader, stdout, stderr io.Writer, env func(string) string, serve Subcommand) int {
	p := &Program{Stdin: stdin, Stdout: filtered(stdout), Stderr: filtered(stderr), Env: env, serve: serve}
	err := p.run(args)
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return exitOK
	}
	if errors.Is(err, errReported) {
		return exitFailed
	}
	if errors.Is(err, errTrouble) {
		return exitUsage
	}
	p.complain(err.Error())
	if wrong, ok := errors.AsType[*UsageError](err); ok {
		if wrong.Help != "" {
			p.complain("run " + wrong.Help + " for help")
		}
		return exitUsage
	}
	return exitFailed
}

// A Program is one run of uncoil.
type Program struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Env            func(name string) string
	serve          Subcommand
	hide           bool              // secrets
	source         string            // the text of the command
	masker         *redact.Masker    // of what hide hides; may be nil
	fixes          []diag.Diagnostic // that were shown and have a fix
	failed         diag.Code         // of the error, if there is one
	// described receives the page and the flags of a subcommand, which then does
	// not run.
	described func(*Page, *flag.FlagSet)
}

// A Subcommand is called with the arguments after its name.
type Subcommand func(p *Program, args []string) error

// complain writes a line to standard error.
func (p *Program) complain(message string) {
	fmt.Fprintln(p.Stderr, "uncoil: "+message)
}

// A UsageError is wrong use of uncoil.
type UsageError struct {
	Message string
	Help    string // the command that shows how to use it
}

func (e *UsageError) Error() string { return e.Message }

// errReported is an error that standard error has already.
var errReported = errors.New("reported")

// run chooses the subcommand. A panic becomes an error, but not that of the
// service, whose operator needs the stack.
func (p *Program) run(args []string) (err error) {
	if len(args) == 0 || args[0] != "serve" {
		defer fault.Recover(&err)
	}
	if len(args) == 0 {
		if IsTerminal(p.Stdin) {
			_, _ = io.WriteString(p.Stderr, p.shortHelp())
			return &UsageError{Message: "there is no command"}
		}
		return p.convert(nil)
	}
	name, rest := args[0], args[1:]
	switch name {
	case "-version", "--version", "-V":
		name = "version"
	case "-h", "-help", "--help":
		_, err := io.WriteString(p.Stdout, p.shortHelp())
		return err
	case completeCommand:
		return p.complete(rest)
	case manualCommand:
		return p.manual(rest)
	}
	if s := p.find(name); s != nil {
		return s.run(rest)
	}
	if name == "" {
		return &UsageError{"the command is empty", "uncoil -h"}
	}
	if name == "to" { // uncoil to python 'curl …'
		return p.code(append([]string{"-to"}, rest...))
	}
	isTarget := func(name string) bool { _, ok := code.Lookup(name); return ok }
	if !slices.ContainsFunc(strings.Split(name, ","), func(name string) bool { return !isTarget(name) }) { // uncoil python 'curl …'
		return p.code(append([]string{"-to", name}, rest...))
	}
	// A command has white space in it, and a flag of convert begins with -.
	if strings.ContainsAny(name, " \t\r\n") || strings.HasPrefix(name, "-") {
		return p.convert(args)
	}
	return p.unknown(name)
}
