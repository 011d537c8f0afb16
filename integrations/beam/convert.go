package beam

import (
	"context"
	"fmt"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"uncoil/internal/edge/api"
	"uncoil/internal/edge/batch"
)

// Package register would make calls of a DoFn cheaper than by reflection, which
// takes a few percent of the time here; it takes the compiler a minute and 2 GB.
func init() {
	beam.RegisterDoFn(&convertFn{})
	register.Emitter1[string]()
}

// An Option changes what Convert answers.
type Option func(*convertFn)

// As sets the form of the answers to lines that name none: convert, which is the
// default, parse or code. Each line for code names a target.
func As(form string) Option {
	return func(f *convertFn) { f.As = form }
}

// Convert answers the lines in a PCollection<string> as uncoil batch does, each
// with a line of JSON in a PCollection<string>. A line is a curl command as it
// stands, or an object with the member curl, and with id, as, target, files,
// stdin, env and shell if there are any. The answers to lines with an error are
// the failures. Empty lines get no answer. No line has its line break.
//
// Convert panics if the form of the answers is unknown.
func Convert(s beam.Scope, lines beam.PCollection, options ...Option) (answers, failures beam.PCollection) {
	f := &convertFn{As: string(api.AsConvert)}
	for _, option := range options {
		option(f)
	}
	if _, ok := api.ParseAs(f.As); !ok {
		panic(fmt.Sprintf("uncoil: answers are convert, parse or code, not %q", f.As))
	}
	return beam.ParDo2(s.Scope("uncoil.Convert"), f, lines)
}

// convertFn answers lines.
type convertFn struct {
	As string `json:"as"`

	answer []byte // of the last line
	counts counts
}

func (f *convertFn) ProcessElement(ctx context.Context, line string, answer, failure func(string)) {
	var outcome api.Outcome
	if f.answer, outcome = batch.AppendAnswer(f.answer[:0], line, api.As(f.As)); len(f.answer) == 0 {
		return
	}
	f.counts.add(ctx, "lines", 1)
	if outcome.Shell != "" {
		f.counts.add(ctx, "dialect/"+outcome.Shell, 1)
	}
	text := string(f.answer[:len(f.answer)-len("\n")])
	if outcome.Code == "" {
		answer(text)
		return
	}
	f.counts.add(ctx, "failures", 1)
	f.counts.add(ctx, "failures/"+string(outcome.Code), 1)
	failure(text)
}

// counts are the counters of a DoFn on its worker.
type counts map[string]beam.Counter

func (c *counts) add(ctx context.Context, name string, n int) {
	counter, ok := (*c)[name]
	if !ok {
		if *c == nil {
			*c = make(counts)
		}
		counter = beam.NewCounter("uncoil", name)
		(*c)[name] = counter
	}
	counter.Inc(ctx, int64(n))
}
