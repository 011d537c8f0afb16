package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
)

// newFlags returns an empty set of flags for a subcommand. The set says
// nothing itself: parse does.
func newFlags(name string) *flag.FlagSet {
	fs := flag.NewFlagSet(name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	return fs
}

// parseFlags reads flags. With -h it writes the help text, followed by the
// flags, to standard output and returns flag.ErrHelp.
func (p *program) parseFlags(fs *flag.FlagSet, args []string, help string) error {
	err := fs.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprintf(p.stdout, "%s\nFlags:\n", help)
		fs.SetOutput(p.stdout)
		fs.PrintDefaults()
		return err
	}
	if err != nil {
		return &usageError{err.Error(), "uncoil " + fs.Name() + " -h"}
	}
	return nil
}

// pairs is a flag that is given as NAME=VALUE, any number of times.
type pairs struct {
	kind string // what the value is, for messages
	set  func(name, value string) error
}

func (f pairs) String() string { return "" }

func (f pairs) Set(text string) error {
	name, value, ok := strings.Cut(text, "=")
	if !ok || name == "" {
		return errors.New("must be NAME=" + f.kind)
	}
	return f.set(name, value)
}
