package beam

import (
	"context"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"uncoil/extract"
	"uncoil/internal/edge/batch"
)

func init() {
	beam.RegisterDoFn(&extractFn{})
}

// Extract finds the curl commands in a PCollection<KV<string, string>> of texts
// by the names of their files: documentation, scripts, shell histories, logs and
// notebooks. It returns a PCollection<string> of the lines that uncoil extract
// writes, which are what Convert takes: the id of each has the file, the line and
// the column. The counter unfinished counts texts in which it stopped looking,
// because they took too much work; no real text does.
func Extract(s beam.Scope, texts beam.PCollection) beam.PCollection {
	return beam.ParDo(s.Scope("uncoil.Extract"), &extractFn{}, texts)
}

// extractFn finds commands.
type extractFn struct {
	line   []byte // of the last command
	counts counts
}

func (f *extractFn) ProcessElement(ctx context.Context, name, text string, line func(string)) {
	commands, err := extract.Commands(text, extract.KindOf(name))
	f.counts.add(ctx, "texts", 1)
	f.counts.add(ctx, "commands", len(commands))
	if err != nil {
		f.counts.add(ctx, "unfinished", 1)
	}
	for i := range commands {
		f.line = batch.AppendCommand(f.line[:0], name, &commands[i])
		line(string(f.line[:len(f.line)-len("\n")]))
	}
}
