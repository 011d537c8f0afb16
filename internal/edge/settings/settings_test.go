package settings

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFor(t *testing.T) {
	s, err := Parse([]byte(`
lint:
  rules: {insecure: error, invalid-json: doubt}
  paths:
    - path: docs/
      rules: {insecure: off}
      shell: cmd
    - path: [docs/new/, "*.sh"]
      rules: {insecure: advice}
    - path: docs/new/a.md
      shell: posix
`))
	if err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{
		"":               "error doubt ",
		"a.md":           "error doubt ",
		"docs":           "error doubt ",
		"docs/a.md":      "off doubt cmd",
		"docs/new/b.md":  "advice doubt cmd",
		"docs/new/a.md":  "advice doubt posix",
		"x/y.sh":         "advice doubt ",
		"x/docs/a.md":    "off doubt cmd", // as in a .gitignore: no slash before the end
		"../other/a.md":  "error doubt ",
		"../other/a.sh":  "advice doubt ",
		"docs/newer/a.c": "off doubt cmd",
	} {
		levels, shell := s.For(file)
		if got := levels["insecure"] + " " + levels["invalid-json"] + " " + shell; got != want {
			t.Errorf("%s: %s, want %s", file, got, want)
		}
	}
}

// Whatever is not understood is an error with its line.
func TestParseRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"lint: {rules: {insecure: error, insecure: off}}": `"insecure" stands twice`,
		"lint:\n  rules: [insecure]":                      "line 2: names with their values are wanted",
		"lint:\n  paths: {}":                              "line 2: a list is wanted",
		"lint:\n  servers:\n    - {}":                     "line 3: a text is wanted",
		"lint:\n  openapi: [a]":                           "line 2: a text is wanted",
		"lint:\n  exclude: ['']":                          "line 2: must be a pattern",
		"lint: {}\nfmt: {}":                               `line 2: there is no "fmt" here`,
		"- a":                                             "line 1: names",
		"lint: &a {paths: *a}":                            "a list is wanted",
		"a: b: c":                                         "mapping values",
		"lint: {baseline: }":                              "a text is wanted",
	} {
		if _, err := Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	for _, text := range []string{"", "# nothing\n", "lint:\n", "lint: {rules: }", "lint: {exclude: a}", "lint: {servers: [a, b], openapi: c, baseline: d}"} {
		if _, err := Parse([]byte(text)); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
	// Aliases are not followed, so that a short text cannot become a long one.
	bomb := "a: &a [x, x]\n" + strings.Repeat("b: &b [*a, *a, *a]\n", 3)
	if _, err := Parse([]byte(bomb)); err == nil {
		t.Error("a bomb of aliases is taken")
	}
}

// The file is found in folders above, up to that of the repository.
func TestFind(t *testing.T) {
	root := t.TempDir()
	deep := filepath.Join(root, "repo", "a", "b")
	if err := os.MkdirAll(deep, 0o777); err != nil {
		t.Fatal(err)
	}
	found := func(want string) {
		t.Helper()
		if name, err := Find(deep); err != nil || name != want {
			t.Errorf("%q, %v; want %q", name, err, want)
		}
	}
	outside, inside := filepath.Join(root, Name), filepath.Join(root, "repo", "a", Name)
	write := func(name string) {
		t.Helper()
		if err := os.WriteFile(name, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write(outside)
	found(outside)
	if err := os.Mkdir(filepath.Join(root, "repo", ".git"), 0o777); err != nil {
		t.Fatal(err)
	}
	found("")
	write(inside)
	found(inside)
}
