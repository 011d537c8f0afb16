package cli

import (
	"errors"
	"flag"
	"io"
	"slices"
	"strconv"
	"strings"

	"uncoil/internal/edge/api"
	"uncoil/internal/edge/switches"
	"uncoil/internal/engine"
)

// NewFlags returns an empty set of flags for a subcommand. The set says
// nothing itself: parse does.
func NewFlags(name string) *flag.FlagSet {
	fs := flag.NewFlagSet(name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	return fs
}

// ParseFlags reads flags. With -h it writes the short form of the page to
// standard output and returns flag.ErrHelp.
func (p *Program) ParseFlags(fs *flag.FlagSet, args []string, page *Page) error {
	if p.described != nil {
		p.described(page, fs)
		return flag.ErrHelp
	}
	err := parseMixed(fs, args)
	if errors.Is(err, flag.ErrHelp) {
		if _, err := io.WriteString(p.Stdout, page.short(fs.Name(), p.find(fs.Name()).summary, fs)); err != nil {
			return err
		}
		return flag.ErrHelp
	}
	if err != nil {
		message := err.Error()
		if name, ok := strings.CutPrefix(message, "flag provided but not defined: -"); ok {
			message = p.unknownFlag(name, fs)
		}
		return &UsageError{message, "uncoil " + fs.Name() + " -h"}
	}
	return nil
}

// parseMixed reads flags before and after the other arguments, which fs.Args has
// afterwards. All after -- is no flag, and neither is what follows the word curl: a
// command that the shell has split.
func parseMixed(fs *flag.FlagSet, args []string) error {
	var others []string
	for {
		if err := fs.Parse(args); err != nil {
			return err
		}
		rest := fs.Args()
		ended := len(rest) < len(args) && args[len(args)-len(rest)-1] == "--"
		if len(rest) == 0 || ended || len(others) == 0 && rest[0] == "curl" {
			others = append(others, rest...)
			break
		}
		others, args = append(others, rest[0]), rest[1:]
	}
	return fs.Parse(append([]string{"--"}, others...))
}

// switchFlags adds the flags of the switches of some scopes.
func switchFlags(fs *flag.FlagSet, want *switches.Want, in *engine.Input, scopes ...switches.Scope) {
	for _, s := range switches.All() {
		if slices.Contains(scopes, s.Scope) {
			switchFlag(fs, s, want, in)
		}
	}
}

// switchFlag adds the flag of a switch, if it has one.
func switchFlag(fs *flag.FlagSet, s *switches.Switch, want *switches.Want, in *engine.Input) {
	switch {
	case s.Flag == "":
	case s.Argument == "":
		fs.BoolFunc(s.Flag, s.FlagText(), func(text string) error {
			on, err := strconv.ParseBool(text)
			switch {
			case err != nil:
				return errors.New("must be true or false")
			case s.FlagWord == "":
				s.Set(want, in, strconv.FormatBool(on))
			case on:
				s.Set(want, in, s.FlagWord)
			default:
				s.Set(want, in, s.Default)
			}
			return nil
		})
	default:
		fs.Func(s.Flag, "`"+s.Argument+"`: "+s.FlagText(), func(text string) error {
			if s.Typed != nil {
				text = s.Typed(text)
			}
			if s.Set(want, in, text) {
				return nil
			}
			return errors.New("must be " + s.FlagWanted())
		})
	}
}

// unknownFlag returns the message for a flag that a subcommand does not have.
func (p *Program) unknownFlag(name string, fs *flag.FlagSet) string {
	var names []string
	fs.VisitAll(func(f *flag.Flag) { names = append(names, f.Name) })
	message := "unknown flag -" + name
	near := api.Near(name, names)
	if other := otherNames[name]; other != "" && fs.Lookup(other) != nil {
		near = other
	}
	if near != "" {
		return message + api.Meant("-"+near)
	}
	if fs.Name() == "serve" || fs.Name() == "batch" {
		return message
	}
	for _, s := range p.subcommands() {
		if _, others := p.describe(&s); s.name != "serve" && others.Lookup(name) != nil {
			return message + api.Meant("uncoil "+s.name+" -"+name)
		}
	}
	return message + "; curl's own options go after uncoil curl …"
}

// otherNames are what flags are called elsewhere.
var otherNames = map[string]string{"port": "addr", "p": "addr", "listen": "addr", "bind": "addr", "host": "addr", "t": "to", "target": "to",
	"l": "to", "language": "to", "lang": "to", "keep-variables": "keep", "quiet": "q", "output": "o", "s": "shell"}

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
