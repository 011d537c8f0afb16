package apple

import (
	"testing"

	"uncoil/code/internal/dotnet"
)

// TestUnprovenLiterals holds the rules of the literals of languages that no
// runtime here reads.
func TestUnprovenLiterals(t *testing.T) {
	for _, c := range []struct{ text, swift, powerShell string }{
		{"", `""`, `''`},
		{"it's $5", `"it's $5"`, `'it''s $5'`},
		{`say "x"`, `#"say "x""#`, `'say "x"'`},
		{`a\(b)`, `#"a\(b)"#`, `'a\(b)'`},
		{`"# \#(x)`, `##""# \#(x)"##`, `'"# \#(x)'`},
		{"a\tb\r\"\x00\x7f", `"a\tb\r\"\u{0}\u{7f}"`, "\"a`tb`r`\"$([char]0)$([char]127)\""},
		{"a\n", `"a\n"`, "\"a`n\""},
		{"{\n  \"a\": 1\n}", "#\"\"\"\n{\n  \"a\": 1\n}\n\"\"\"#", "'{\n  \"a\": 1\n}'"},
		{"a\n\"\"\"\nb", `"a\n\"\"\"\nb"`, "'a\n\"\"\"\nb'"},
		{"‘a’ “b”", `"‘a’ “b”"`, `'‘‘a’’ “b”'`},
		{"“$a`\x01", `"“$a` + "`" + `\u{1}"`, "\"`“`$a``$([char]1)\""},
		{"日本 😀", `"日本 😀"`, `'日本 😀'`},
	} {
		if got := swiftString(c.text); got != c.swift {
			t.Errorf("Swift: %q is %s, want %s", c.text, got, c.swift)
		}
		if got := dotnet.PowerShellString(c.text); got != c.powerShell {
			t.Errorf("PowerShell: %q is %s, want %s", c.text, got, c.powerShell)
		}
	}
}
