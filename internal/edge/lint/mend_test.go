package lint_test

import (
	"strings"
	"testing"

	"uncoil/extract"
	"uncoil/internal/edge/lint"
	"uncoil/internal/proof/corpus"
)

// mendedText returns a file with its fixes made, and how many these are.
func mendedText(t *testing.T, name, text string) (mended string, made int) {
	t.Helper()
	file, err := lint.Read(name, text, extract.KindOf(name))
	if err != nil {
		t.Fatal(err)
	}
	rule := lint.Rule{Advice: true}
	found := file.Check(rule)
	after, left, made := file.Mend(found, rule)
	if made > 0 && len(left) >= len(found) {
		t.Errorf("%q: %d findings before and %d after %d fixes", text, len(found), len(left), made)
	}
	return after.Text, made
}

// sh is a block of code in Markdown.
func sh(code string) string { return "It's a page.\n\n```sh\n" + code + "\n```\n" }

func TestMend(t *testing.T) {
	for _, test := range []struct{ name, file, text, want string }{
		{"an option that is misspelled", "a.md", sh("curl --heder 'A: b' https://h.test/"), sh("curl --header 'A: b' https://h.test/")},
		{"an ampersand", "a.sh", "curl https://h.test/?a=1&b=2\n", "curl 'https://h.test/?a=1&b=2'\n"},
		{"backslashes of all lines", "a.md", "1. x\n\n   ```sh\n   curl https://h.test/ \n     -X PUT\n     -H 'A: b'\n   ```\n", "1. x\n\n   ```sh\n   curl https://h.test/ \\\n     -X PUT \\\n     -H 'A: b'\n   ```\n"},
		{"blanks behind a backslash", "a.md", sh("curl https://h.test/ \\  \n  -H 'A: b'"), sh("curl https://h.test/ \\\n  -H 'A: b'")},
		{"a comma in JSON", "a.rst", "It's::\n\n   curl --json '{\"a\": 1,}' https://h.test/\n", "It's::\n\n   curl --json '{\"a\": 1}' https://h.test/\n"},
		{"a step of a workflow", "a.yml", "steps:\n  - run: |\n      curl https://h.test/?a=1&b=2\n", "steps:\n  - run: |\n      curl 'https://h.test/?a=1&b=2'\n"},
		{"one of two commands", "a.md", sh("curl --heder 'A: b' https://h.test/") + sh("curl --nothing-like-it https://h.test/"), sh("curl --header 'A: b' https://h.test/") + sh("curl --nothing-like-it https://h.test/")},
		{"two mistakes, of which one hides the other", "a.sh", "curl --heder 'A: b' https://h.test/?a=1&b=2\n", "curl --header 'A: b' 'https://h.test/?a=1&b=2'\n"},

		{"a quote that lacks one line above", "a.md", sh("curl -X GET 'http://h.test/a\\\n--header 'X-T: y' \\\n-d 'a'"), sh("curl -X GET 'http://h.test/a' \\\n--header 'X-T: y' \\\n-d 'a'")},
		{"a remark behind a backslash", "a.md", sh("curl -X PUT 'http://h.test/a' \\  # remark\n-H 'A: b'"), ""},
		{"a string of JSX", "a.mdx", "<Code>{`$ curl https://h.test \\\\\n --cacert x`}</Code>\n", ""},
		{"two URLs with a word between", "a.md", sh("curl http://h.test/plain, curl http://h.test/other"), ""},
		{"a quote of the other kind", "a.md", sh(`curl "https://h.test/'`), ""},
		{"a program", "a.php", "<?php\n$x = ['admin & curl http://evil.test'],\n// curl https://h.test/?a=1&b=2\n", ""},
		{"a program of Rust", "a.rs", "format!(\"curl https://h.test/ -H '{}'\n  -X PUT\", a);\n// curl --heder 'A: b' https://h.test/\n", ""},
		{"JSON", "a.json", `{"x": "curl --heder 'A: b' https://h.test/"}` + "\n", ""},
		{"a plain scalar", "a.yml", "run: curl https://h.test/?a=1&b=2\n", ""},
		{"a quoted scalar", "a.yml", "run: \"curl --heder A:b https://h.test/\"\n", ""},
		{"a command that still has an error", "a.sh", "curl --heder 'A: b' --nothing-like-it https://h.test/\n", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			want := test.want
			if want == "" {
				want = test.text
			}
			got, made := mendedText(t, test.file, test.text)
			if got != want || (made > 0) != (test.want != "") {
				t.Errorf("%d fixes:\n%s\nwant\n%s", made, got, want)
			}
			if again, made := mendedText(t, test.file, got); made > 0 {
				t.Errorf("%d fixes the second time:\n%s", made, again)
			}
		})
	}
}

// TestMendTwice holds for the texts of testdata that fixes change nothing the second time,
// on a page and in a script.
func TestMendTwice(t *testing.T) {
	total := 0
	for _, c := range corpus.Read(t, corpus.Commands, corpus.Errors, corpus.Pasted) {
		for name, text := range map[string]string{"a.md": sh(c.Command), "a.sh": c.Command + "\n", "b.sh": "# " + strings.ReplaceAll(c.Command, "\n", "\n# ") + "\necho ok\n"} {
			got, made := mendedText(t, name, text)
			total += made
			if again, more := mendedText(t, name, got); more > 0 {
				t.Errorf("%s, %s: after %d fixes\n%s\nand after %d more\n%s", c.Path, name, made, got, more, again)
			}
		}
	}
	if total < 30 {
		t.Errorf("only %d fixes", total)
	}
}
