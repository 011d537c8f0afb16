package cli

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"

	"uncoil/internal/edge/api"
	"uncoil/internal/edge/batch"
)

// batch answers NDJSON on standard input with NDJSON on standard output.
func (p *Program) batch(args []string) error {
	as, limits := api.As(""), batch.Limits
	fs := NewFlags("batch")
	fs.Func("as", "`A`: convert (default), parse or code, for lines without a member as", func(s string) error {
		var ok bool
		if as, ok = api.ParseAs(s); !ok {
			return errors.New("must be convert, parse or code")
		}
		return nil
	})
	fs.Func("to", "`TARGET`: what lines without a member target are written as; the answers are then code", func(name string) error {
		limits.Target = name
		return checkTarget(name)
	})
	fail := fs.Bool("fail", false, "exit with 1 when a line has an error")
	workers := fs.Int("j", runtime.GOMAXPROCS(0), "`N`: convert so many blocks of lines at the same time")
	if err := p.ParseFlags(fs, args, &batchPage); err != nil {
		return err
	}
	if fs.NArg() > 0 {
		return &UsageError{fmt.Sprintf("batch reads standard input; it takes no argument such as %q", fs.Arg(0)), "uncoil batch -h"}
	}
	if as == "" {
		as = api.AsConvert
		if limits.Target != "" {
			as = api.AsCode
		}
	}
	if *workers < 1 {
		return &UsageError{"-j must be at least 1", "uncoil batch -h"}
	}
	p.tellWaiting()
	failed := 0
	var progress progress
	if IsTerminal(p.Stderr) && !IsTerminal(p.Stdin) {
		progress.start(p.Stderr)
		defer progress.stop()
	}
	if p.Env("GOGC") == "" {
		defer debug.SetGCPercent(debug.SetGCPercent(batchGCPercent))
	}
	err := batch.Answer(textReader(p.Stdin), p.Stdout, limits, as, *workers, func(t api.Tally) {
		failed += t.Errors
		progress.add(t)
	})
	if err == nil && *fail && failed > 0 {
		err = fmt.Errorf("%d lines have an error", failed)
	}
	return err
}

// batchGCPercent delays garbage collection. A batch keeps almost nothing alive, so
// with the default the collector would do most of the work. The memory still stays
// small.
const batchGCPercent = 800
