//go:build cgo && linux

package main

import (
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"uncoil/internal/proof/doors"
	"uncoil/internal/proof/need"
)

// built is a folder with the library in both forms, and its header.
var built = sync.OnceValues(func() (dir string, err error) {
	if dir, err = os.MkdirTemp("", "uncoil-clib-"); err != nil {
		return dir, err
	}
	for _, form := range []struct{ mode, file string }{{"c-shared", "libuncoil.so"}, {"c-archive", "libuncoil.a"}} {
		out, err := exec.Command("go", "build", "-buildmode="+form.mode, "-trimpath", "-ldflags=-s -w", "-o", filepath.Join(dir, form.file), ".").CombinedOutput()
		if err != nil {
			return string(out), err
		}
	}
	header, err := os.ReadFile("uncoil.h")
	if err != nil {
		return dir, err
	}
	return dir, os.WriteFile(filepath.Join(dir, "uncoil.h"), header, 0o666)
})

func TestMain(m *testing.M) {
	code := m.Run()
	if dir, err := built(); err == nil {
		os.RemoveAll(dir)
	}
	os.Exit(code)
}

func library(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("it builds the library")
	}
	dir, err := built()
	if err != nil {
		t.Fatalf("%v: %s", err, dir)
	}
	return dir
}

// run runs a program in the folder of the library, and returns what it prints.
func run(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "LD_LIBRARY_PATH="+dir)
	var problems strings.Builder
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s%s", name, strings.Join(args, " "), err, out, problems.String())
	}
	return string(out)
}

// TestExamples runs the first lines of docs/embed.md.
func TestExamples(t *testing.T) {
	dir := library(t)
	compile := []string{"-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-o", "example", "example.c"}
	for _, c := range []struct {
		language, file, need string
		run                  func(t *testing.T) string
	}{
		{"c", "example.c", "cc", func(t *testing.T) string {
			run(t, dir, "cc", append(compile, "-I.", "-L.", "-luncoil")...)
			return run(t, dir, "./example")
		}},
		{"c", "example.c", "cc", func(t *testing.T) string {
			run(t, dir, "cc", append(compile, "-I.", "libuncoil.a", "-lpthread")...)
			return run(t, dir, "./example")
		}},
		{"ruby", "example.rb", "ruby", func(t *testing.T) string { return run(t, dir, "ruby", "example.rb") }},
		{"php", "example.php", "php", func(t *testing.T) string {
			if !strings.Contains(run(t, dir, "php", "-m"), "FFI") {
				t.Skip("PHP has no FFI")
			}
			return run(t, dir, "php", "example.php")
		}},
		{"lua", "example.lua", "lua5.3", func(t *testing.T) string {
			if _, err := os.Stat("/usr/include/lua5.3/lua.h"); err != nil {
				need.Missing(t, "the headers of Lua 5.3")
			}
			module, err := filepath.Abs("lua/uncoil.c")
			if err != nil {
				t.Fatal(err)
			}
			run(t, dir, "cc", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-I/usr/include/lua5.3", "-I.", "-o", "uncoil.so", module, "-L.", "-luncoil")
			return run(t, dir, "lua5.3", "example.lua")
		}},
	} {
		t.Run(c.language, func(t *testing.T) {
			need.Program(t, c.need)
			if err := os.WriteFile(filepath.Join(dir, c.file), []byte(doors.Example(t, c.language)), 0o666); err != nil {
				t.Fatal(err)
			}
			if got, want := c.run(t), doors.ExampleAnswer(t); got != want {
				t.Errorf("it prints %q, and the program %q", got, want)
			}
		})
	}
}

// TestMany holds that no call leaves memory behind.
func TestMany(t *testing.T) {
	dir := library(t)
	need.Program(t, "cc")
	source, err := filepath.Abs("testdata/many.c")
	if err != nil {
		t.Fatal(err)
	}
	run(t, dir, "cc", "-O1", "-Wall", "-I.", "-o", "many", source, "-L.", "-luncoil")
	grown, err := strconv.Atoi(strings.TrimSpace(run(t, dir, "./many", "100000")))
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d KiB", grown)
	// Each answer has more than 200 bytes, so that 50,000 of them are 10 MB. Go's own memory comes
	// and goes by 2 MB.
	if grown > 5<<10 {
		t.Errorf("50,000 calls leave %d KiB behind", grown)
	}
}

// TestSanitized holds that programs that are compiled with the sanitizers for addresses and for
// undefined behaviour find nothing in what the header gives them, nor memory that is left over.
func TestSanitized(t *testing.T) {
	dir := library(t)
	source, err := filepath.Abs("testdata/sanitized.c")
	if err != nil {
		t.Fatal(err)
	}
	for _, compiler := range []string{"gcc", "clang"} {
		t.Run(compiler, func(t *testing.T) {
			if empty := exec.Command(compiler, "-fsanitize=address,undefined", "-shared", "-o", filepath.Join(t.TempDir(), "empty"), "-x", "c", os.DevNull); empty.Run() != nil {
				t.Skipf("%s is not installed with its sanitizers", compiler)
			}
			name := "sanitized-" + compiler
			run(t, dir, compiler, "-g", "-O1", "-Wall", "-Wextra", "-Werror", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-I.", "-o", name, source, "-L.", "-luncoil", "-lpthread")
			if got := run(t, dir, "./"+name); got != "2000 answers\n" {
				t.Errorf("it prints %q", got)
			}
		})
	}
}

// TestFork holds that the library works where it is loaded after fork.
func TestFork(t *testing.T) {
	dir := library(t)
	need.Program(t, "cc")
	source, err := filepath.Abs("testdata/children.c")
	if err != nil {
		t.Fatal(err)
	}
	run(t, dir, "cc", "-Wall", "-o", "children", source, "-ldl")
	got := run(t, dir, "./children", filepath.Join(dir, "libuncoil.so"))
	if want := `{"method":"GET","url":"http://h.test","headers":{},"data":null}` + "\n"; got != want+want {
		t.Errorf("the children print %q", got)
	}
}

// TestSize holds the size that the document gives.
func TestSize(t *testing.T) {
	doors.CheckSize(t, filepath.Join(library(t), "libuncoil.so"))
}

// TestGlibc holds the version that the header names against the library.
func TestGlibc(t *testing.T) {
	dir := library(t)
	release, err := os.ReadFile("/etc/os-release")
	if err != nil || !strings.Contains(string(release), "VERSION_ID=\"12\"\n") || !strings.Contains(string(release), "\nID=debian\n") || runtime.GOARCH != "amd64" {
		t.Skip("the header is about Debian 12")
	}
	file, err := elf.Open(filepath.Join(dir, "libuncoil.so"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	symbols, err := file.ImportedSymbols()
	if err != nil {
		t.Fatal(err)
	}
	newest := 0
	for _, symbol := range symbols {
		if minor, err := strconv.Atoi(strings.TrimPrefix(symbol.Version, "GLIBC_2.")); err == nil {
			newest = max(newest, minor)
		}
	}
	header, err := os.ReadFile("uncoil.h")
	if err != nil {
		t.Fatal(err)
	}
	said := regexp.MustCompile(`or a newer one: 2\.(\d+) where`).FindSubmatch(header)
	if said == nil || string(said[1]) != strconv.Itoa(newest) {
		t.Errorf("the library needs glibc 2.%d, and the header says %q", newest, said)
	}
}
