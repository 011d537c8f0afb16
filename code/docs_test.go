package code_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"uncoil/code"
	"uncoil/internal/engine"
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
		r, err := engine.Parse(m[2], engine.Input{})
		if err != nil {
			t.Fatal(err)
		}
		program, diags := target.Append(nil, r.Requests, exactly)
		if diff := cmp.Diff(m[3], string(program)); diff != "" || diags != nil {
			t.Errorf("%s (-documented +written), %v:\n%s", m[1], diags, diff)
		}
	}
}

// habits are what a client may do otherwise than curl when it is redirected or asked
// for Digest, by the words with which the row of docs/code.md begins.
var habits = map[string]string{
	"cookies": "send a cookie that the redirect sets",
	"referer": "send Referer",
	"head":    "ask with GET after a HEAD",
	"posts":   "send a POST again after 301",
	"fails":   "end with an error, with `-f` and without `-L`",

	"basic":       "give no answer where the server asks for Basic as well",
	"unqualified": "give no answer, or a wrong one, where the server",
	"sha-256":     "give no answer, or a wrong one, for SHA-256",
}

// TestHabits holds that docs/code.md has the habits of each client, and that the
// proof knows no others.
func TestHabits(t *testing.T) {
	text, err := os.ReadFile("../docs/code.md")
	if err != nil {
		t.Fatal(err)
	}
	by := make(map[string][]string)
	for _, target := range code.Targets() {
		for _, habit := range slices.Concat(target.After(), target.Unasked()) {
			if habits[habit] == "" && habit != "method" {
				t.Errorf("%s: %s is no habit", target.Name, habit)
			}
			by[habit] = append(by[habit], target.Name)
		}
	}
	for habit, row := range habits {
		want := "| " + strings.Join(by[habit], ", ") + " |"
		found := regexp.MustCompile(`(?m)^\| ` + row + `.*(\| [^|]* \|)$`).FindStringSubmatch(string(text))
		if found == nil || found[1] != want {
			t.Errorf("docs/code.md says of %q %q, want %q", row, found, want)
		}
	}
}
