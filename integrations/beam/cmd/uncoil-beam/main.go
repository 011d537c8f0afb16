// Uncoil-beam answers lines of uncoil batch, or the curl commands in texts, on
// Apache Beam: on this machine, or on Flink, Dataflow or Spark by the flags of
// Beam.
//
//	uncoil-beam -input 'lines-*.ndjson.gz' -output answers.ndjson
//	uncoil-beam -extract -input 'docs/*.md' -output answers.ndjson -failures failures.ndjson
//	uncoil-beam -runner flink -endpoint localhost:8099 -input … -output …
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"runtime/pprof"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/metrics"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"

	uncoil "uncoil/integrations/beam"
)

var (
	input    = flag.String("input", "", "read the files that this `PATTERN` matches: lines of text, or records for .parquet and .avro; .gz is unpacked")
	output   = flag.String("output", "", "write the answers to this `FILE`; .parquet, .avro and .gz decide its format")
	failures = flag.String("failures", "", "write the answers with an error to this `FILE`, not among the others")
	as       = flag.String("as", "convert", "the answer for lines without a member as: `A` is convert, parse or code")
	texts    = flag.Bool("extract", false, "the input is texts, such as documentation, in which to find curl commands")
	profile  = flag.String("cpuprofile", "", "write a profile of the processor to this `FILE`")
	shards   = flag.Int("shards", 1, "write each output as `N` files, so that N workers write at the same time")
)

func main() {
	flag.Parse()
	beam.Init() // a worker does not come back from here
	quiet()
	if err := profiled(func() error { return run(context.Background()) }); err != nil {
		fmt.Fprintln(os.Stderr, "uncoil-beam:", err)
		os.Exit(1)
	}
}

// profiled runs a function, and writes a profile of it if one is asked for.
func profiled(run func() error) error {
	if *profile == "" {
		return run()
	}
	file, err := os.Create(*profile)
	if err != nil {
		return err
	}
	if err := pprof.StartCPUProfile(file); err != nil {
		return err
	}
	err = run()
	pprof.StopCPUProfile()
	return errors.Join(err, file.Close())
}

func run(ctx context.Context) error {
	switch {
	case *input == "" || *output == "" || flag.NArg() > 0:
		return errors.New("it takes -input, -output and no arguments; uncoil-beam -h lists all flags")
	case !slices.Contains([]string{"convert", "parse", "code"}, *as):
		return errors.New("-as must be convert, parse or code")
	case *shards < 1:
		return errors.New("-shards must be at least 1")
	}
	p, s := beam.NewPipelineWithRoot()
	pipeline(s)
	result, err := beamx.RunWithMetrics(ctx, p)
	if err != nil {
		return err
	}
	if result != nil {
		printCounters(result.Metrics().AllMetrics())
	}
	return nil
}

// quiet leaves out what Beam and prism log about each step.
func quiet() {
	slog.SetDefault(slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn})))
}

// pipeline builds what the flags ask for.
func pipeline(s beam.Scope) {
	var lines beam.PCollection
	if *texts {
		lines = uncoil.Extract(s, readTexts(s, *input))
	} else {
		lines = readLines(s, *input)
	}
	answers, failed := uncoil.Convert(s, lines, uncoil.As(*as))
	if *failures == "" {
		answers = beam.Flatten(s, answers, failed)
	} else {
		write(s, *failures, *shards, failed)
	}
	write(s, *output, *shards, answers)
}

// printCounters prints the counters of the transforms, where the runner has any.
func printCounters(all metrics.QueryResults) {
	var text []string
	for _, c := range all.Counters() {
		if c.Key.Namespace == "uncoil" {
			text = append(text, fmt.Sprintf("%s %d", c.Key.Name, c.Result()))
		}
	}
	slices.Sort(text)
	fmt.Fprintln(os.Stderr, strings.Join(text, ", "))
}
