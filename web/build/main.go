// Build writes the engine for the browser into web/engine, from where the page
// takes it: the program, compressed, the script of Go's that runs
// it, and the licences that go along.
//
//	go run ./web/build
//
// With a folder, it writes the engine there instead, uncompressed, for the
// npm package: compressing takes most of the time, and the package has another
// compression.
//
//	go run ./web/build FOLDER
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/andybalholm/brotli"

	"uncoil/internal/edge/wasm"
)

// limit is how many bytes the download may have.
const limit = 22 << 20 / 10

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
	if len(os.Args) > 1 {
		if err := wasm.Build(root, filepath.Join(os.Args[1], "uncoil.wasm"), wasm.Fast); err != nil {
			return err
		}
		return writeRest(root, os.Args[1])
	}
	return buildEngine(root, filepath.Join(root, "web", "engine"))
}

func buildEngine(root, dir string) error {
	// The program stays there, so that Go links it only after a change.
	built := filepath.Join(root, "bin")
	if err := os.MkdirAll(built, 0o777); err != nil {
		return err
	}
	program := filepath.Join(built, "uncoil.wasm")
	if err := wasm.Build(root, program, wasm.Small); err != nil {
		return err
	}
	if err := writeEngine(program, filepath.Join(dir, "uncoil.wasm.br")); err != nil {
		return err
	}
	return writeRest(root, dir)
}

// writeRest writes what goes along with the program.
func writeRest(root, dir string) error {
	for name, content := range map[string]func(string) ([]byte, error){"wasm_exec.js": wasm.Exec, "LICENSES.txt": wasm.Licenses} {
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
	if len(squeezed) > limit {
		return fmt.Errorf("%s has %d bytes with brotli, and the limit is %d: look for what was added to its imports", name, len(squeezed), limit)
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
