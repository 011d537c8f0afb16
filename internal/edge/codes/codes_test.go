package codes

import (
	"flag"
	"os"
	"strings"
	"testing"

	"uncoil/internal/edge/lint"
)

var update = flag.Bool("update", false, "write the tables of the documents")

// TestTablesOfDocuments holds the tables against those of the documents.
func TestTablesOfDocuments(t *testing.T) {
	for file, from := range map[string]struct{ document, mark string }{
		"warnings.tsv": {"semantics.md", "warnings"},
		"contract.tsv": {"lint-openapi.md", "codes"},
	} {
		text, err := os.ReadFile("../../../docs/" + from.document)
		if err != nil {
			t.Fatal(err)
		}
		_, table, _ := strings.Cut(string(text), "<!-- "+from.mark+" -->")
		table, _, _ = strings.Cut(table, "<!-- /"+from.mark+" -->")
		var want strings.Builder
		for line := range strings.Lines(table) {
			if cells := strings.SplitN(strings.Trim(line, "| \n"), " | ", 3); len(cells) == 3 && strings.HasPrefix(cells[0], "`") {
				want.WriteString(strings.Trim(cells[0], "`") + "\t" + cells[1] + "\t" + strings.ReplaceAll(cells[2], `\|`, "|") + "\n")
			}
		}
		if *update {
			if err := os.WriteFile(file, []byte(want.String()), 0o666); err != nil {
				t.Fatal(err)
			}
		} else if had, err := os.ReadFile(file); err != nil || string(had) != want.String() {
			t.Errorf("%s is not as docs/%s has it; run: go test ./internal/edge/codes -update", file, from.document)
		}
	}
}

// TestExplain holds that each rule of lint is explained.
func TestExplain(t *testing.T) {
	for _, code := range lint.Codes() {
		if text := Explain(code); !strings.HasSuffix(text, "\n") || len(text) < 20 {
			t.Errorf("%s: %q", code, text)
		}
	}
	if text := Explain("nothing"); text != "" {
		t.Errorf("what is no code is explained: %q", text)
	}
}
