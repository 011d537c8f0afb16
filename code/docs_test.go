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

// TestDocumentation holds that the programs in docs are those that are written.
func TestDocumentation(t *testing.T) {
	for name, style := range map[string]code.Options{"code": {}, "proof": exactly} {
		found := documented.FindAllStringSubmatch(page(t, name), -1)
		if len(found) == 0 {
			t.Errorf("docs/%s.md has no program", name)
		}
		for _, m := range found {
			checkDocumented(t, m, style)
		}
	}
}

// checkDocumented holds an example to the program of its target.
func checkDocumented(t *testing.T, m []string, o code.Options) {
	t.Helper()
	target, ok := code.Lookup(m[1])
	if !ok {
		t.Fatal(m[1])
	}
	r, err := engine.Parse(m[2], engine.Input{})
	if err != nil {
		t.Fatal(err)
	}
	program, diags := target.Compose(nil, r.Requests, o)
	if diff := cmp.Diff(m[3], string(program)); diff != "" || diags != nil {
		t.Errorf("%s (-documented +written), %v:\n%s", m[1], diags, diff)
	}
}

// page returns a page of docs.
func page(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("../docs/" + name + ".md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestTargetTables holds that the tables in docs/targets.md have each target once, as it
// is.
func TestTargetTables(t *testing.T) {
	text := page(t, "targets")
	headings := map[code.Kind]string{code.KindCode: "Programs", code.KindFile: "Formats of files", code.KindCommand: "Commands"}
	want := make(map[code.Kind]string)
	for _, target := range code.Targets() {
		client := strings.TrimSpace(target.Client + " " + target.Version)
		row := []string{target.Name, client, strings.Join(target.Aliases, ", "), target.Proof}
		want[target.Kind] += "| " + strings.Join(row, " | ") + " |\n"
	}
	for kind, heading := range headings {
		_, table, _ := strings.Cut(text, "\n## "+heading+"\n\n| target | client, oldest version | other names | proof |\n|---|---|---|---|\n")
		table, _, _ = strings.Cut(table, "\n\n")
		if diff := cmp.Diff(table+"\n", want[kind]); diff != "" {
			t.Errorf("docs/targets.md, %s (-documented +there):\n%s", heading, diff)
		}
	}
}

// provenRow is a row of a table of docs/proof.md about a target.
var provenRow = regexp.MustCompile(`(?m)^\| ([a-z][a-z0-9-]*) \|`)

// TestProvenTables holds that the tables of docs/proof.md have each proven target, once but
// for that of the last runs, and no other target.
func TestProvenTables(t *testing.T) {
	before, rest, _ := strings.Cut(page(t, "proof"), provenFrom)
	runs, after, _ := strings.Cut(rest, provenTo)
	rows, last := make(map[string]int), make(map[string]bool)
	for _, m := range provenRow.FindAllStringSubmatch(before+after, -1) {
		rows[m[1]]++
	}
	for _, m := range provenRow.FindAllStringSubmatch(runs, -1) {
		last[m[1]] = true
	}
	for _, target := range code.Targets() {
		there := rows[target.Name]
		if there > 1 || (there == 1 || last[target.Name]) != target.Proven {
			t.Errorf("docs/proof.md has %s in %d rows and in the last runs: %t; it is proven: %t", target.Name, there, last[target.Name], target.Proven)
		}
	}
}

// habits are what a client may do otherwise than curl when it is redirected or asked
// for Digest, by the words with which the row of docs/targets.md begins.
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

// TestHabits holds that docs/targets.md has the habits of each client, and that the
// proof knows no others.
func TestHabits(t *testing.T) {
	text := page(t, "targets")
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
		found := regexp.MustCompile(`(?m)^\| ` + row + `.*(\| [^|]* \|)$`).FindStringSubmatch(text)
		if found == nil || found[1] != want {
			t.Errorf("docs/targets.md says of %q %q, want %q", row, found, want)
		}
	}
}
