package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// BenchmarkStart compares runs of the command line with runs of a Go program
// that does nothing, in turns, and reports the size of the program:
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
	empty := build(b, dir, "empty", source)
	command := "curl https://example.com -H 'Accept: text/html' -d a=1"
	program := build(b, dir, "uncoil", ".")
	var empties, uncoils []time.Duration
	for b.Loop() {
		empties = append(empties, timeRun(b, empty))
		uncoils = append(uncoils, timeRun(b, program, command))
	}
	info, err := os.Stat(program)
	if err != nil {
		b.Fatal(err)
	}
	nothing, own := median(empties), median(uncoils)
	b.ReportMetric(0, "ns/op") // of both, which says nothing
	b.ReportMetric(nothing.Seconds()*1000, "empty-ms")
	b.ReportMetric(own.Seconds()*1000, "uncoil-ms")
	b.ReportMetric(float64(own)/float64(nothing), "ratio")
	b.ReportMetric(float64(info.Size())/(1<<20), "MiB")
}

// mostBefore is how many bytes the packages of the program may allocate before main, where
// nobody has asked for anything yet; mostOf is how many of them one package may.
const (
	mostBefore = 600 << 10
	mostOf     = 100 << 10
)

// TestStart holds what every start pays for: what the packages make before main, as the runtime
// counts it. What only a subcommand needs is made when it is asked for: regular expressions by
// package lazy, others by sync.OnceValue.
func TestStart(t *testing.T) {
	program := build(t, t.TempDir(), "uncoil", ".")
	cmd := exec.Command(program, "version")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	var trace strings.Builder
	cmd.Stderr = &trace
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, &trace)
	}
	sum := 0
	for line := range strings.Lines(trace.String()) {
		var name string
		var at, clock float64
		var bytes, allocations int
		if _, err := fmt.Sscanf(line, "init %s @%f ms, %f ms clock, %d bytes, %d allocs", &name, &at, &clock, &bytes, &allocations); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if sum += bytes; bytes > mostOf {
			t.Errorf("%s allocates %d bytes before main, %d are allowed", name, bytes, mostOf)
		}
	}
	if sum == 0 || sum > mostBefore {
		t.Errorf("%d bytes are allocated before main, %d are allowed\n%s", sum, mostBefore, &trace)
	}
}

// build builds as a release does, and returns the program's path.
func build(b testing.TB, dir, name string, args ...string) string {
	b.Helper()
	out := filepath.Join(dir, name)
	cmd := exec.Command("go", append([]string{"build", "-trimpath", "-ldflags=-s -w", "-o", out}, args...)...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if text, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, text)
	}
	return out
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
