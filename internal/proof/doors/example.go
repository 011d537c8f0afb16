package doors

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"uncoil/internal/proof/corpus"
)

// mostLines is how many lines an example of the document has.
const mostLines = 12

// Example returns the first block of a language in docs/embed.md, which answers for
// the command of the examples.
func Example(tb testing.TB, language string) string {
	tb.Helper()
	text, err := os.ReadFile(filepath.Join(corpus.Root(tb), "docs", "embed.md"))
	if err != nil {
		tb.Fatal(err)
	}
	_, rest, found := strings.Cut(string(text), "\n```"+language+"\n")
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

const exampleCommand = "curl -d a=1 https://example.com"

// ExampleAnswer is the line that an example prints: the answer of convert.
func ExampleAnswer(tb testing.TB) string {
	tb.Helper()
	return Answers(tb, []Question{{"the example", "convert", exampleCommand, nil}})[0].Body + "\n"
}

// Need skips a test where a program is missing, or fails it where UNCOIL_REQUIRE_CURL
// asks for every test.
func Need(t *testing.T, program string) string {
	t.Helper()
	found, err := exec.LookPath(program)
	if err != nil {
		Missing(t, program)
	}
	return found
}

// Missing is Need for what is not a program.
func Missing(t *testing.T, what string) {
	t.Helper()
	if os.Getenv("UNCOIL_REQUIRE_CURL") == "1" {
		t.Fatalf("%s is not installed, and UNCOIL_REQUIRE_CURL asks for every test", what)
	}
	t.Skipf("%s is not installed", what)
}
