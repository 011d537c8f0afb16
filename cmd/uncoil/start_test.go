package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// BenchmarkStart compares a run of the command line with a run of a Go
// program that does nothing, in turns, and tells the size of the program:
//
//	make start
func BenchmarkStart(b *testing.B) {
	if _, err := os.Stat("../../web/engine/uncoil.wasm.br"); err != nil {
		b.Fatal("the engine is part of the program's size: run  go generate ./web  first")
	}
	dir := b.TempDir()
	source := filepath.Join(dir, "empty.go")
	if err := os.WriteFile(source, []byte("package main\n\nfunc main() {}\n"), 0o666); err != nil {
		b.Fatal(err)
	}
	empty, uncoil := filepath.Join(dir, "empty"), filepath.Join(dir, "uncoil")
	build(b, empty, source)
	build(b, uncoil, ".")
	info, err := os.Stat(uncoil)
	if err != nil {
		b.Fatal(err)
	}

	var empties, uncoils []time.Duration
	for b.Loop() {
		empties = append(empties, timeRun(b, empty))
		uncoils = append(uncoils, timeRun(b, uncoil, "curl https://example.com -H 'Accept: text/html' -d a=1"))
	}
	nothing, own := median(empties), median(uncoils)
	b.ReportMetric(0, "ns/op") // of both, which says nothing
	b.ReportMetric(nothing.Seconds()*1000, "empty-ms")
	b.ReportMetric(own.Seconds()*1000, "uncoil-ms")
	b.ReportMetric(float64(own)/float64(nothing), "ratio")
	b.ReportMetric(float64(info.Size())/(1<<20), "MiB")
}

// build builds as a release does.
func build(b *testing.B, out, what string) {
	b.Helper()
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", out, what)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if text, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, text)
	}
}

func timeRun(b *testing.B, name string, args ...string) time.Duration {
	b.Helper()
	cmd := exec.Command(name, args...)
	start := time.Now()
	if err := cmd.Run(); err != nil {
		b.Fatal(err)
	}
	return time.Since(start)
}

func median(all []time.Duration) time.Duration {
	slices.Sort(all)
	return all[len(all)/2]
}
