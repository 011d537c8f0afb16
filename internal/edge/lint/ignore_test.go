package lint_test

import (
	"testing"

	"uncoil/internal/edge/lint"
)

// What a comment lets be ends where it says: at the line of the end, at the next command,
// never.
func TestIgnoredLines(t *testing.T) {
	const start, end = "# uncoil-ignore-start", "# uncoil-ignore-end"
	for _, c := range []struct {
		text, want string // of want a byte for each line, from the first: i is ignored
	}{
		{"curl\n" + start + "\ncurl\ncurl\n" + end + "\ncurl\ncurl", "-iiii--"},
		{start + "\n" + end + "\ncurl", "ii-"},
		{start + "\ncurl\ncurl", "iii"},
		{end + "\ncurl", "--"},
		{"# uncoil-ignore\ncurl\ncurl", "ii-"},
		{"# uncoil-ignore\n\n```sh\ncurl\ncurl", "iiii-"},
		{"curl\ncurl # uncoil-ignore-file\ncurl", "iii"},
		{"curl # uncoil-ignore: no-url\ncurl", "--"},
		{"curl # uncoil-ignore: no-url, invalid-json\ncurl\ncurl", "ii-"},
		{"# Wrong\ncurl\ncurl", "ii-"},
		{"**WRONG:** the quotes\ncurl\ncurl", "ii-"},
		{"# Wrongly named\ncurl\ncurl", "---"},
		{"# What is wrong here\ncurl\ncurl", "---"},
	} {
		all := lint.IgnoredIn(c.text)
		for i := range c.want {
			if got := all.Has(i+1, "invalid-json"); got != (c.want[i] == 'i') {
				t.Errorf("line %d of\n%s\nis ignored: %t", i+1, c.text, got)
			}
		}
	}
}
