package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The null device is no terminal.
func TestNullDevice(t *testing.T) {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	if IsTerminal(null) {
		t.Error("the null device is a terminal")
	}
}

// A file is replaced only if it is the one that was read: of the same length, the same time,
// and no other of its name.
func TestReplaceChanged(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a")
	then := time.Now().Add(-time.Hour)
	write := func(text string, at time.Time) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(name, at, at); err != nil {
			t.Fatal(err)
		}
	}
	for what, change := range map[string]func(){
		"":        func() {},
		"length":  func() { write("longer", then) },
		"time":    func() { write("old", then.Add(time.Second)) },
		"another": func() { _ = os.Rename(name, name+"2"); write("old", then) },
	} {
		write("old", then)
		read, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		change()
		err = replaceFile(name, read, []byte("new"))
		if what == "" && err != nil || what != "" && (err == nil || !strings.Contains(err.Error(), "was changed in the meantime")) {
			t.Errorf("%q: %v", what, err)
		}
		_ = os.Remove(name)
	}
}
