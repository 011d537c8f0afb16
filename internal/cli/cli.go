package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"uncoil/internal/api"
)

// The exit codes.
const (
	exitOK     = 0
	exitFailed = 1 // the command could not be converted
	exitUsage  = 2 // wrong use of uncoil
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

// run chooses the subcommand.
func (p *Program) run(args []string) error {
	if len(args) == 0 {
		if IsTerminal(p.Stdin) {
			_, _ = io.WriteString(p.Stderr, overview)
			return &UsageError{Message: "there is no command"}
		}
		return p.convert(nil)
	}
	name, rest := args[0], args[1:]
	switch name {
	case "convert":
		return p.convert(rest)
	case "parse":
		return p.parse(rest)
	case "code":
		return p.answer("code", api.AsCode, codeHelp, rest)
	case "targets":
		return p.targets(rest)
	case "curl":
		return p.bare(args)
	case "fmt":
		return p.format(rest)
	case "batch":
		return p.batch(rest)
	case "extract":
		return p.extract(rest)
	case "lint":
		return p.lint(rest)
	case "serve":
		return p.serve(p, rest)
	case "mcp":
		return p.mcp(rest)
	case "version", "-version", "--version":
		return p.version()
	case "help", "-h", "-help", "--help":
		return p.help(rest)
	}
	// A command has white space in it, and a flag of convert begins with -.
	if strings.ContainsAny(name, " \t\r\n") || strings.HasPrefix(name, "-") {
		return p.convert(args)
	}
	return &UsageError{fmt.Sprintf("unknown subcommand %q", name), "uncoil help"}
}

// help shows how to use uncoil, or one of its subcommands.
func (p *Program) help(args []string) error {
	if len(args) == 0 || args[0] == "help" {
		_, err := io.WriteString(p.Stdout, overview)
		return err
	}
	subcommands := []string{"convert", "parse", "code", "targets", "fmt", "batch", "extract", "lint", "serve", "mcp"}
	if slices.Contains(subcommands, args[0]) {
		return p.run([]string{args[0], "-h"})
	}
	if args[0] == "curl" {
		_, err := io.WriteString(p.Stdout, bareHelp)
		return err
	}
	if args[0] == "version" {
		_, err := io.WriteString(p.Stdout, versionHelp)
		return err
	}
	return &UsageError{fmt.Sprintf("unknown subcommand %q", args[0]), "uncoil help"}
}
