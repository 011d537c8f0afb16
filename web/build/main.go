// Build writes the engine for the browser into web/engine, from where the page
// takes it: the program, compressed, the script of Go's that runs
// it, and the licences that go along. The scripts of the page go there, too, joined
// to one for the page and one for its worker.
//
//	go run ./web/build
//
// With a folder, it writes the engine there instead, uncompressed, for the
// npm package, with the command line and what the languages of targets are called:
// compressing takes most of the time, and the package has another compression.
//
//	go run ./web/build FOLDER
//
// With -wasi and a file, it writes the engine for hosts with WASI there.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/andybalholm/brotli"
	esbuild "github.com/evanw/esbuild/pkg/api"

	"uncoil/internal/edge/snippets"
	"uncoil/internal/edge/wasm"
	"uncoil/web"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "web/build:", err)
		os.Exit(1)
	}
}

func run() error {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "uncoil").Output()
	if err != nil {
		return fmt.Errorf("this is to be run in the module uncoil: %w", err)
	}
	root := strings.TrimSpace(string(out))
	switch args := os.Args[1:]; {
	case len(args) == 2 && args[0] == "-wasi":
		return wasm.Build(root, wasm.WASI, args[1], wasm.Fast)
	case len(args) > 0:
		return writePackage(root, args[0])
	}
	return buildEngine(root, filepath.Join(root, "web", "engine"))
}

// writePackage writes what the npm package is made from.
func writePackage(root, dir string) error {
	for _, one := range []struct {
		name     string
		program  wasm.Program
		inlining wasm.Inlining
	}{
		{"uncoil.wasm", wasm.Engine, wasm.Fast},
		{"parse.wasm", wasm.Parser, wasm.Small}, // whoever takes it looks at its size
		{"cli.wasm", wasm.CommandLine, wasm.Fast},
	} {
		if err := wasm.Build(root, one.program, filepath.Join(dir, one.name), one.inlining); err != nil {
			return err
		}
	}
	if err := writeLanguages(filepath.Join(dir, "languages.json")); err != nil {
		return err
	}
	return writeRest(root, dir, wasm.Engine, wasm.CommandLine)
}

func buildEngine(root, dir string) error {
	// The program stays there, so that Go links it only after a change.
	built := filepath.Join(root, "bin")
	if err := os.MkdirAll(built, 0o777); err != nil {
		return err
	}
	program := filepath.Join(built, "uncoil.wasm")
	if err := wasm.Build(root, wasm.Engine, program, wasm.Small); err != nil {
		return err
	}
	if err := writeEngine(program, filepath.Join(dir, "uncoil.wasm.br")); err != nil {
		return err
	}
	if err := joinPage(root, filepath.Join(dir, "page")); err != nil {
		return err
	}
	if err := writeBuilt(program, filepath.Join(dir, "built.json")); err != nil {
		return err
	}
	return writeRest(root, dir, wasm.Engine)
}

// joinPage writes the scripts and the style of the page, each with what it imports and
// without what only readers need.
func joinPage(root, dir string) error {
	if err := os.RemoveAll(dir); err != nil { // files of an earlier page
		return err
	}
	var entries []string
	for _, name := range []string{"app.js", "worker.js", "style.css"} {
		entries = append(entries, filepath.Join(root, "web", "page", name))
	}
	result := esbuild.Build(esbuild.BuildOptions{
		EntryPoints: entries, Outdir: dir, Write: true, Bundle: true, Format: esbuild.FormatESModule, Target: esbuild.ESNext,
		MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true, LogLevel: esbuild.LogLevelWarning,
	})
	if len(result.Errors) > 0 {
		return fmt.Errorf("%s: %s", result.Errors[0].Location.File, result.Errors[0].Text)
	}
	return nil
}

// writeBuilt notes what was built.
func writeBuilt(program, out string) error {
	info, err := os.Stat(program)
	if err != nil {
		return err
	}
	var built web.Built
	built.Size = int(info.Size())
	if built.Page, err = web.SourcesHash(); err != nil {
		return err
	}
	text, err := json.Marshal(built)
	if err != nil {
		return err
	}
	return os.WriteFile(out, append(text, '\n'), 0o666)
}

// writeRest writes what goes along with the program.
func writeRest(root, dir string, programs ...wasm.Program) error {
	licenses := func(root string) ([]byte, error) { return wasm.Licenses(root, programs...) }
	for name, content := range map[string]func(string) ([]byte, error){"wasm_exec.js": wasm.Exec, "LICENSES.txt": licenses} {
		text, err := content(root)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), text, 0o666)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// writeLanguages writes what the languages of targets are called, for the npm package.
func writeLanguages(name string) error {
	text, err := json.Marshal(snippets.Languages())
	if err != nil {
		return err
	}
	return os.WriteFile(name, text, 0o666)
}

// writeEngine writes the compressed form of a program, unless the file has it
// already: to compress is what takes longest.
func writeEngine(name, out string) error {
	program, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	squeezed, err := os.ReadFile(out)
	if err != nil || !holds(squeezed, program) {
		if squeezed, err = compress(program); err != nil {
			return err
		}
	}
	fmt.Printf("%s: %d bytes, %d with brotli\n", filepath.Base(name), len(program), len(squeezed))
	if len(squeezed) > web.MaxDownload {
		return fmt.Errorf("%s has %d bytes with brotli, and the limit is %d: look for what was added to its imports", name, len(squeezed), web.MaxDownload)
	}
	// Written even if nothing changed, because make compares times.
	return os.WriteFile(out, squeezed, 0o666)
}

// holds reports whether compressed is the compressed form of content.
func holds(compressed, content []byte) bool {
	was, err := io.ReadAll(brotli.NewReader(bytes.NewReader(compressed)))
	return err == nil && bytes.Equal(was, content)
}

// compress compresses with brotli at its highest level.
func compress(content []byte) ([]byte, error) {
	var b bytes.Buffer
	w := brotli.NewWriterOptions(&b, brotli.WriterOptions{Quality: brotli.BestCompression, LGWin: 24})
	_, err := w.Write(content)
	err = errors.Join(err, w.Close())
	return b.Bytes(), err
}
