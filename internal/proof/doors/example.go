package doors

import (
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"uncoil/internal/proof/corpus"
)

// mostLines is how many lines an example of the document has.
const mostLines = 12

// document returns docs/embed.md.
func document(tb testing.TB) string {
	tb.Helper()
	text, err := os.ReadFile(filepath.Join(corpus.Root(tb), "docs", "embed.md"))
	if err != nil {
		tb.Fatal(err)
	}
	return string(text)
}

// Example returns the first block of a language in docs/embed.md, which answers for
// the command of the examples.
func Example(tb testing.TB, language string) string {
	tb.Helper()
	_, rest, found := strings.Cut(document(tb), "\n```"+language+"\n")
	example, _, ended := strings.Cut(rest, "```\n")
	if !found || !ended {
		tb.Fatalf("docs/embed.md has no block of %s", language)
	}
	if lines := strings.Count(example, "\n"); lines > mostLines {
		tb.Errorf("the block of %s in docs/embed.md has %d lines, more than %d", language, lines, mostLines)
	}
	if !strings.Contains(example, exampleCommand) {
		tb.Errorf("the block of %s in docs/embed.md is about another command than %s", language, exampleCommand)
	}
	return example
}

// CheckSize holds that a file has the size that docs/embed.md gives for it, in MB of
// 10^6 bytes and within a twentieth.
func CheckSize(tb testing.TB, path string) {
	tb.Helper()
	info, err := os.Stat(path)
	if err != nil {
		tb.Fatal(err)
	}
	name := filepath.Base(path)
	said := regexp.MustCompile(`\| ` + regexp.QuoteMeta(name) + `: ([\d.]+) MB`).FindStringSubmatch(document(tb))
	if said == nil {
		tb.Fatalf("docs/embed.md gives no size for %s", name)
	}
	size := float64(info.Size()) / 1e6
	if mb, err := strconv.ParseFloat(said[1], 64); err != nil || math.Abs(size-mb) > mb/20 {
		tb.Errorf("%s has %.1f MB, and docs/embed.md says %s", name, size, said[1])
	}
}

const exampleCommand = "curl -d a=1 https://example.com"

// ExampleAnswer is the line that an example prints: the answer of convert.
func ExampleAnswer(tb testing.TB) string {
	tb.Helper()
	return Answers(tb, []Question{{"the example", "convert", exampleCommand, nil}})[0].Body + "\n"
}
