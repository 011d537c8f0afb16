package corpus

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A Slip is a text that is not what its author means, and the command that is.
type Slip struct {
	Path, Text, Meant string
	// Values replaces each placeholder of the text with what stands for it in the command.
	Values *strings.Replacer
}

// Slips returns the texts of testdata/slips.
func Slips(t testing.TB) (slips []Slip) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(Root(t), "testdata", "slips", "*.txt"))
	if err != nil || len(paths) == 0 {
		t.Fatal("no texts", err)
	}
	for _, path := range paths {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		_, body, _ := strings.Cut(string(content), "\n\n")
		for block := range strings.SplitSeq(strings.TrimSpace(body), "\n\n") {
			text, meant, ok := strings.Cut(block, "\n= ")
			if !ok {
				t.Fatalf("%s: no command is meant by\n%s", path, block)
			}
			meant, pairs, _ := strings.Cut(meant, "\n~ ")
			slips = append(slips, Slip{path, text, meant, strings.NewReplacer(strings.Fields(strings.ReplaceAll(pairs, "\n~", ""))...)})
		}
	}
	return slips
}
