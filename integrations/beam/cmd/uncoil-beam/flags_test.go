package main

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Every flag with which the documentation calls the program exists, and the
// documentation names every flag of the program's own.
func TestDocumentedFlags(t *testing.T) {
	own := []string{"input", "output", "failures", "as", "extract", "shards"}
	root := filepath.Join("..", "..")
	page, err := os.ReadFile(filepath.Join(root, "..", "..", "docs", "beam.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range own {
		if !strings.Contains(string(page), "`-"+name) {
			t.Errorf("docs/beam.md says nothing about -%s", name)
		}
	}
	compose, err := os.ReadFile(filepath.Join(root, "compose.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	text := strings.ReplaceAll(string(page)+"\n"+string(compose), "\\\n", " ")
	for _, call := range regexp.MustCompile(`(?m)^(?:# *)?(?:bin/)?uncoil-beam .*$`).FindAllString(text, -1) {
		calls++
		for _, m := range regexp.MustCompile(` -([a-z_]+)`).FindAllStringSubmatch(call, -1) {
			if flag.Lookup(m[1]) == nil {
				t.Errorf("there is no flag -%s, in %q", m[1], call)
			}
		}
	}
	if calls < 5 {
		t.Errorf("only %d calls are found", calls)
	}
}
