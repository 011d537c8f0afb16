package repo

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestGlossary holds that docs/glossary.md explains each word once.
func TestGlossary(t *testing.T) {
	text, err := os.ReadFile("docs/glossary.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "\n|---|---|\n")
	words := regexp.MustCompile(`(?m)^\| ([a-z][^|]*) \|`).FindAllStringSubmatch(table, -1)
	if len(words) < 30 {
		t.Fatalf("only %d words were found", len(words))
	}
	seen := map[string]bool{}
	for _, m := range words {
		if word := m[1]; seen[word] {
			t.Errorf("docs/glossary.md has %q twice", word)
		} else {
			seen[word] = true
		}
	}
}
