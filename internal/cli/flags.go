package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
)

// NewFlags returns an empty set of flags for a subcommand. The set says
// nothing itself: parse does.
func NewFlags(name string) *flag.FlagSet {
	fs := flag.NewFlagSet(name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	return fs
}

// ParseFlags reads flags. With -h it writes the help text, followed by the
// flags, to standard output and returns flag.ErrHelp.
func (p *Program) ParseFlags(fs *flag.FlagSet, args []string, help string) error {
	if p.flags != nil {
		p.flags(fs)
		return flag.ErrHelp
	}
	err := fs.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprintf(p.Stdout, "%s\nFlags:\n", help)
		fs.SetOutput(p.Stdout)
		fs.PrintDefaults()
		return err
	}
	if err != nil {
		return &UsageError{err.Error(), "uncoil " + fs.Name() + " -h"}
	}
	return nil
}

// pairs is a repeatable flag with the value NAME=VALUE.
type pairs struct {
	kind string // the name of the value in messages
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
