package main

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"path"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
)

func init() {
	beam.RegisterDoFn(&markFn{})
	beam.RegisterDoFn(&shardFn{})
	beam.RegisterDoFn(&writeFn{})
	register.Iter1[string]()
	register.Iter1[bool]()
}

// write writes lines to a file, or to several.
func write(s beam.Scope, name string, shards int, lines beam.PCollection) {
	filesystem.ValidateScheme(name)
	switch path.Ext(name) {
	case ".avro":
		writeAvro(s, strings.TrimSuffix(name, ".avro"), shards, lines)
	case ".parquet":
		writeParquet(s, name, lines)
	default:
		writeLines(s, name, shards, lines)
	}
}

// writeLines writes lines as text. Unlike textio, which writes one file in which
// one worker writes, it can write several, and it writes files for shards without
// lines, too, so that none is left from an earlier run.
func writeLines(s beam.Scope, name string, shards int, lines beam.PCollection) {
	s = s.Scope("writeLines")
	all := make([]any, shards)
	for i := range all {
		all[i] = i
	}
	marks := beam.ParDo(s, &markFn{}, beam.Create(s, all...))
	keyed := beam.ParDo(s, &shardFn{Shards: shards}, lines)
	beam.ParDo0(s, &writeFn{Name: name, Shards: shards}, beam.CoGroupByKey(s, marks, keyed))
}

// markFn marks a shard as one to write.
type markFn struct{}

func (*markFn) ProcessElement(shard int) (int, bool) { return shard, true }

// shardFn gives lines the number of their shard. It depends on nothing but the
// line, so that a bundle that is repeated sends its lines to the same files.
type shardFn struct {
	Shards int `json:"shards"`
}

func (f *shardFn) ProcessElement(line string) (int, string) {
	return int(crc32.ChecksumIEEE([]byte(line)) % uint32(f.Shards)), line
}

// writeFn writes a shard. Where it is repeated, it writes the file anew.
type writeFn struct {
	Name   string `json:"name"`
	Shards int    `json:"shards"`
}

func (f *writeFn) ProcessElement(ctx context.Context, shard int, _ func(*bool) bool, lines func(*string) bool) (err error) {
	name := shardName(f.Name, shard, f.Shards)
	files, err := filesystem.New(ctx, name)
	if err != nil {
		return err
	}
	defer files.Close()
	file, err := files.OpenWrite(ctx, name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	var target io.Writer = file
	if path.Ext(name) == ".gz" {
		packed := gzip.NewWriter(file)
		defer func() { err = errors.Join(err, packed.Close()) }()
		target = packed
	}
	out := bufio.NewWriterSize(target, 1<<20)
	for line := ""; lines(&line); {
		out.WriteString(line)
		out.WriteByte('\n')
	}
	return out.Flush() // with the first error of the writes before it
}

// shardName returns the name of one of several files, as in a-00001-of-00004.gz.
func shardName(name string, shard, shards int) string {
	if shards == 1 {
		return name
	}
	folder, file := path.Split(name)
	stem, ending, dot := strings.Cut(file, ".")
	if dot {
		ending = "." + ending
	}
	return fmt.Sprintf("%s%s-%05d-of-%05d%s", folder, stem, shard, shards, ending)
}
