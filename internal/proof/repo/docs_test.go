package repo

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
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

// mostColumns is how many characters a line of a document has at most.
const mostColumns = 120

// TestLinesOfDocuments holds that lines of text are short, so that a change shows what
// changed. Rows of tables and code have the length that they need, as has what has no blank
// where the line could end.
func TestLinesOfDocuments(t *testing.T) {
	files, err := filepath.Glob("docs/*.md")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d documents, %v", len(files), err)
	}
	for _, name := range append(files, "README.md", "CONTRIBUTING.md", "CHANGELOG.md") {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range longLines(string(text)) {
			t.Errorf("%s:%d has %d characters or more", name, n, mostColumns)
		}
	}
}

// longLines returns the numbers of the lines of text that are too long.
func longLines(text string) (numbers []int) {
	fence := ""
	for i, line := range strings.Split(text, "\n") {
		start := strings.TrimSpace(line)
		switch {
		case fence != "":
			if strings.HasPrefix(start, fence) {
				fence = ""
			}
		case strings.HasPrefix(start, "```"), strings.HasPrefix(start, "~~~"):
			fence = start[:3]
		case strings.HasPrefix(start, "|"):
		case utf8.RuneCountInString(line) >= mostColumns && strings.Contains(start, " "):
			// A link or a piece of code stays whole.
			if whole := unbroken.ReplaceAllString(start, "x"); strings.Contains(whole, " ") {
				numbers = append(numbers, i+1)
			}
		}
	}
	return numbers
}

// unbroken is what stands on one line.
var unbroken = regexp.MustCompile("`[^`]*`|\\[[^\\]]*\\]\\([^)]*\\)")

// TestLongLines holds what is too long.
func TestLongLines(t *testing.T) {
	long := strings.Repeat("word ", 30)
	for text, want := range map[string]int{
		long: 1, "- " + long: 1, "a\n" + long + "\n" + long: 2, "| " + long + " |": 0, "```\n" + long + "\n```": 0, "```\n```\n" + long: 1,
		strings.Repeat("é", 119): 0, strings.Repeat("é ", 59) + "é": 0, strings.Repeat("é ", 60): 1,
		"[" + long + "](url)": 0, "`" + long + "`": 0, "a [" + long + "](url)": 1, strings.Repeat("x", 200): 0,
	} {
		if got := longLines(text); len(got) != want {
			t.Errorf("%.40q has the long lines %v, want %d", text, got, want)
		}
	}
}
