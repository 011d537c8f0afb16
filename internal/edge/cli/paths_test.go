package cli

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"uncoil/internal/edge/lint"
)

// A file of 16 MiB is read whole, and one of a byte more is left out, not read in part.
func TestLongestSearchedFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a")
	for more, want := range []error{nil, errLarge} {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(name, int64(lint.MaxFile+more)); err != nil {
			t.Fatal(err)
		}
		text, err := readSearched(name)
		if !errors.Is(err, want) || want == nil && len(text) != 16<<20 {
			t.Errorf("%d bytes and %d: %d bytes, %v", lint.MaxFile, more, len(text), err)
		}
	}
}
