//go:build unix

package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// One file is read once under all its names, and what is read counts against
// one budget. A named pipe without a writer keeps nobody waiting.
func TestFileReader(t *testing.T) {
	dir := t.TempDir()
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	inDir := func(name string) string { return filepath.Join(dir, name) }
	check(os.WriteFile(inDir("a"), []byte("0123456789"), 0o600))
	check(os.WriteFile(inDir("b"), []byte("01234"), 0o600))
	check(os.Mkdir(inDir("sub"), 0o700))
	check(os.Symlink("a", inDir("link")))
	check(os.Link(inDir("a"), inDir("hard")))
	check(syscall.Mkfifo(inDir("pipe"), 0o600))
	root, err := os.OpenRoot(dir)
	check(err)
	defer root.Close()
	var warnings []string
	r := &fileReader{root: root, left: 14, warn: func(message string) { warnings = append(warnings, message) }}
	for _, name := range []string{"a", "./a", "sub/../a", "link", "hard", "a"} {
		if text, err := r.ReadFile(name); err != nil || string(text) != "0123456789" {
			t.Errorf("%s gives %q, %v", name, text, err)
		}
	}
	if r.left != 4 || len(r.read) != 1 || warnings != nil {
		t.Errorf("%d bytes are left after %d files, %q", r.left, len(r.read), warnings)
	}
	for name, want := range map[string]string{"b": "too large", "pipe": "not a regular file", "sub": "not a regular file"} {
		if text, err := r.ReadFile(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s gives %q, %v", name, text, err)
		}
	}
	if got := fmt.Sprint(len(warnings), r.left); got != "3 4" {
		t.Errorf("warnings and bytes left: %s", got)
	}
}
