package code_test

import (
	"os"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"

	"uncoil"
	"uncoil/code"
)

var documented = regexp.MustCompile("(?s)`([a-z-]+)`:\n\n```sh\n(.*?)\n```\n\n```[a-z]+\n(.*?)```\n")

// TestDocumentation holds that the programs in docs/code.md are those that are
// written.
func TestDocumentation(t *testing.T) {
	text, err := os.ReadFile("../docs/code.md")
	if err != nil {
		t.Fatal(err)
	}
	examples := documented.FindAllStringSubmatch(string(text), -1)
	if len(examples) < 3 {
		t.Fatalf("%d programs in the documentation", len(examples))
	}
	for _, m := range examples {
		target, ok := code.Lookup(m[1])
		if !ok {
			t.Fatal(m[1])
		}
		r, err := uncoil.Parse(m[2], uncoil.Input{})
		if err != nil {
			t.Fatal(err)
		}
		program, diags := target.Append(nil, r.Requests, code.Options{})
		if diff := cmp.Diff(m[3], string(program)); diff != "" || diags != nil {
			t.Errorf("%s (-documented +written), %v:\n%s", m[1], diags, diff)
		}
	}
}
