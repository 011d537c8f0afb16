package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/avroio"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/parquetio"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/passert"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"
)

func TestMain(m *testing.M) {
	flag.Parse()
	beam.Init()
	quiet()
	os.Exit(m.Run())
}

// mixedLines returns a batch: a fifth of the lines has an error, and some are
// empty.
func mixedLines(n int) []byte {
	var b bytes.Buffer
	for i := range n {
		switch i % 10 {
		case 3:
			fmt.Fprintf(&b, "{\"id\": %d, \"curl\": \"curl --nothing\"}\n", i)
		case 6:
			fmt.Fprintf(&b, "curl 'https://example.com/\xff%d'\r\n", i)
		case 7:
			fmt.Fprintf(&b, "{\"id\": %d, \"as\": \"parse\", \"curl\": \"curl -d a=%d h/[1-2]\"}\n", i, i)
		case 8:
			fmt.Fprintf(&b, "poison %d\n\n", i)
		default:
			fmt.Fprintf(&b, "{\"id\": \"%d\", \"curl\": \"curl -H 'A: %d' -d 'n=%d' https://example.com/%d\"}\n", i, i, i, i)
		}
	}
	return b.Bytes()
}

// runProgram sets flags and runs the pipeline.
func runProgram(t *testing.T, args ...string) {
	t.Helper()
	set := append([]string{"-failures=", "-as=convert", "-extract=false", "-shards=1"}, args...)
	if err := flag.CommandLine.Parse(set); err != nil {
		t.Fatal(err)
	}
	if err := run(context.Background()); err != nil {
		t.Fatal(err)
	}
}

// sortedLines returns the lines of all files that a pattern matches.
func sortedLines(t *testing.T, pattern string) []string {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) == 0 {
		t.Fatalf("no file matches %s: %v", pattern, err)
	}
	var lines []string
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if filepath.Ext(name) == ".gz" {
			text = unpack(t, text)
		}
		lines = slices.AppendSeq(lines, strings.Lines(string(text)))
	}
	slices.Sort(lines)
	return lines
}

func unpack(t *testing.T, packed []byte) []byte {
	t.Helper()
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func pack(text []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(text)
	w.Close()
	return b.Bytes()
}

func writeFile(t *testing.T, name string, text []byte) {
	t.Helper()
	if err := os.WriteFile(name, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// batchProgram is the program of which uncoil batch is a part, built on demand.
func batchProgram(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "uncoil")
	build := exec.Command("go", "build", "-o", name, "./cmd/uncoil")
	build.Dir = filepath.Join("..", "..", "..", "..")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return name
}

// The pipeline writes the bytes that uncoil batch writes, in any order, from
// files as they are and compressed.
func TestSameAsBatch(t *testing.T) {
	n := 100_000
	if testing.Short() {
		n = 5_000
	}
	dir, text := t.TempDir(), mixedLines(n)
	command := exec.Command(batchProgram(t), "batch")
	command.Stdin = bytes.NewReader(text)
	out, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	want := slices.Sorted(strings.Lines(string(out)))

	half := bytes.LastIndexByte(text[:len(text)/2], '\n') + 1
	writeFile(t, filepath.Join(dir, "in-1"), text[:half])
	writeFile(t, filepath.Join(dir, "in-2.gz"), pack(text[half:]))
	runProgram(t, "-input", filepath.Join(dir, "in-*"), "-output", filepath.Join(dir, "out.ndjson"))
	if got := sortedLines(t, filepath.Join(dir, "out.ndjson")); !slices.Equal(got, want) {
		t.Errorf("%d lines, which are not the %d of uncoil batch", len(got), len(want))
	}
}

// Failures have a file of their own if one is named, and outputs any number of
// files, of which none is left out for want of lines.
func TestShards(t *testing.T) {
	dir := t.TempDir()
	in := filepath.Join(dir, "in")
	writeFile(t, in, mixedLines(1000))
	one := filepath.Join(dir, "one")
	runProgram(t, "-input", in, "-output", one)
	runProgram(t, "-input", in, "-shards", "3", "-output", filepath.Join(dir, "good.ndjson.gz"), "-failures", filepath.Join(dir, "bad"))
	bad := sortedLines(t, filepath.Join(dir, "bad-*-of-00003"))
	all := append(sortedLines(t, filepath.Join(dir, "good-*-of-00003.ndjson.gz")), bad...)
	slices.Sort(all)
	if want := sortedLines(t, one); len(bad) != 200 || !slices.Equal(all, want) {
		t.Errorf("%d lines, %d of them failures, which are not the %d in one file", len(all), len(bad), len(want))
	}
	writeFile(t, in, []byte("curl https://example.com\n"))
	runProgram(t, "-input", in, "-shards", "3", "-output", filepath.Join(dir, "few"), "-failures", filepath.Join(dir, "bad"))
	if files, _ := filepath.Glob(filepath.Join(dir, "few-*")); len(files) != 3 || len(sortedLines(t, filepath.Join(dir, "few-*"))) != 1 {
		t.Errorf("the files are %v", files)
	}
	if left := sortedLines(t, filepath.Join(dir, "bad-*")); len(left) > 0 {
		t.Errorf("failures of an earlier run are left: %v", left)
	}
}

// Rows of Parquet and records of Avro come in and go out.
func TestRows(t *testing.T) {
	rows := []commandRow{{"a", "curl https://example.com"}, {"b", "curl --nothing"}}
	var lines []string
	for _, row := range rows {
		line, err := json.Marshal(row)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, string(line))
	}
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	p, s := beam.NewPipelineWithRoot()
	parquetio.Write(s, file("in.parquet"), beam.CreateList(s, rows))
	const schema = `{"type":"record","name":"Command","fields":[{"name":"id","type":"string"},{"name":"curl","type":"string"}]}`
	avroio.Write(s, file("in"), schema, beam.CreateList(s, lines))
	ptest.RunAndValidate(t, p)

	writeFile(t, file("in"), []byte(strings.Join(lines, "\n")))
	runProgram(t, "-input", file("in"), "-output", file("want"))
	runProgram(t, "-input", file("in*.parquet"), "-output", file("out.avro"))
	runProgram(t, "-input", file("in*.avro"), "-output", file("out.parquet"))

	var records []string
	var answers []answerRow
	for _, line := range sortedLines(t, file("want")) {
		answer := answerRow{strings.TrimSuffix(line, "\n")}
		record, err := json.Marshal(answer)
		if err != nil {
			t.Fatal(err)
		}
		records, answers = append(records, string(record)), append(answers, answer)
	}
	p, s = beam.NewPipelineWithRoot()
	passert.EqualsList(s, parquetio.Read(s, file("out.parquet"), reflect.TypeFor[answerRow]()), answers)
	passert.EqualsList(s, readAvro(s, file("out-00000-of-00001.avro")), records)
	ptest.RunAndValidate(t, p)
}

func TestExtract(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "a.md"), []byte("Call\n\n    curl -d x https://example.com\n"))
	writeFile(t, filepath.Join(dir, "b.sh.gz"), pack([]byte("curl -s https://example.com/b | sh\n")))
	out := filepath.Join(dir, "out")
	runProgram(t, "-extract", "-input", filepath.Join(dir, "*.*"), "-output", out)
	got := strings.Join(sortedLines(t, out), "")
	for _, want := range []string{
		`{"id":{"file":"` + dir + `/a.md","line":3,"column":5},"result":{"method":"POST",`,
		`{"id":{"file":"` + dir + `/b.sh","line":1,"column":1},"result":{"method":"GET",`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s\nlacks %s", got, want)
		}
	}
}

// What cannot be read is an error, and never a part of the answers.
func TestErrors(t *testing.T) {
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	writeFile(t, file("cut.gz"), pack(mixedLines(1000))[:500])
	writeFile(t, file("a[1]"), mixedLines(10))
	writeFile(t, file("in"), mixedLines(10))
	for _, args := range [][]string{
		{"-input", file("nothing-*"), "-output", file("out")},
		{"-input", file("cut.gz"), "-output", file("out")},
		{"-input", file("a*"), "-output", file("out")},
		{"-input", file("in"), "-output", ""},
		{"-input", file("in"), "-output", file("out"), "-as", "html"},
		{"-input", file("in"), "-output", file("out"), "-shards", "0"},
		{"-input", file("in"), "-output", file("out"), "more"},
	} {
		set := append([]string{"-failures=", "-as=convert", "-extract=false", "-shards=1"}, args...)
		if err := flag.CommandLine.Parse(set); err != nil {
			t.Fatal(err)
		}
		if err := run(context.Background()); err == nil {
			t.Errorf("%q is no error", args)
		}
		if _, err := os.Stat(file("out")); err == nil {
			t.Errorf("%q writes its output", args)
		}
	}
	if err := flag.CommandLine.Parse([]string{"-shards=1"}); err != nil {
		t.Fatal(err)
	}
}
