// Build writes the engine for the browser into web/engine, from where the
// page and the npm package take it: the program, compressed, the script of
// Go's that runs it, and the licences that go along.
//
//	go run ./web/build
package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/andybalholm/brotli"

	"uncoil/internal/wasm"
)

// The limits are how many bytes a download may have: 1.2 MiB with which the
// page answers, and 2 MiB for what comes after it.
const (
	limit     = 12 << 20 / 10
	codeLimit = 2 << 20
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
	return buildEngine(root, filepath.Join(root, "web", "engine"))
}

// engines are the forms of the engine: the page answers first with the small
// one, and code is written by the other.
var engines = []struct {
	name  string
	tags  []string
	limit int
}{
	{"uncoil.wasm", []string{wasm.WithoutCode}, limit},
	{"uncoil-code.wasm", nil, codeLimit},
}

func buildEngine(root, dir string) error {
	temporary, err := os.MkdirTemp("", "uncoil-web-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temporary)
	files := make(map[string][]byte)
	for _, e := range engines {
		built := filepath.Join(temporary, e.name)
		if err := wasm.Build(root, built, e.tags...); err != nil {
			return err
		}
		program, err := os.ReadFile(built)
		if err != nil {
			return err
		}
		squeezed, err := compress(program)
		if err != nil {
			return err
		}
		fmt.Printf("%s: %d bytes, %d with brotli\n", e.name, len(program), len(squeezed))
		if len(squeezed) > e.limit {
			return fmt.Errorf("%s has %d bytes with brotli, and the limit is %d: look for what was added to its imports", e.name, len(squeezed), e.limit)
		}
		files[e.name+".br"] = squeezed
	}
	if files["wasm_exec.js"], err = wasm.Exec(root); err != nil {
		return err
	}
	if files["LICENSES.txt"], err = wasm.Licenses(root); err != nil {
		return err
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// compress compresses with brotli at its highest level.
func compress(content []byte) ([]byte, error) {
	var b bytes.Buffer
	w := brotli.NewWriterOptions(&b, brotli.WriterOptions{Quality: brotli.BestCompression, LGWin: 24})
	_, err := w.Write(content)
	err = errors.Join(err, w.Close())
	return b.Bytes(), err
}
