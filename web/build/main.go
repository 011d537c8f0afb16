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

// limit is how many bytes the download may have: 1.2 MiB.
const limit = 12 << 20 / 10

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

func buildEngine(root, dir string) error {
	temporary, err := os.MkdirTemp("", "uncoil-web-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temporary)
	built := filepath.Join(temporary, "uncoil.wasm")
	if err := wasm.Build(root, built); err != nil {
		return err
	}
	program, err := os.ReadFile(built)
	if err != nil {
		return err
	}
	script, err := wasm.Exec(root)
	if err != nil {
		return err
	}
	licenses, err := wasm.Licenses(root)
	if err != nil {
		return err
	}
	squeezed, err := compress(program)
	if err != nil {
		return err
	}
	fmt.Printf("uncoil.wasm: %d bytes, %d with brotli\n", len(program), len(squeezed))
	if len(squeezed) > limit {
		return fmt.Errorf("the engine has %d bytes with brotli, and the limit is %d: look for what was added to its imports", len(squeezed), limit)
	}
	// An older build left this form.
	if err := os.Remove(filepath.Join(dir, "uncoil.wasm.gz")); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	for name, content := range map[string][]byte{
		"uncoil.wasm.br": squeezed,
		"wasm_exec.js":   script,
		"LICENSES.txt":   licenses,
	} {
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
