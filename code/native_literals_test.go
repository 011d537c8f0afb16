package code

import (
	"testing"

	"uncoil/code/internal/dotnet"
	"uncoil/code/internal/emit"
	"uncoil/code/internal/julia"
	"uncoil/code/internal/rust"
)

// TestNativeLiterals holds how strings are quoted. That each literal gives its bytes
// back was tried with gcc 12, g++ 12, rustc 1.95 and Roslyn 4.8, for all bytes and
// for odd UTF-8, but for those of Julia, which follow its manual.
func TestNativeLiterals(t *testing.T) {
	for _, test := range []struct {
		name  string
		quote func(string) string
		cases map[string]string
	}{
		{"C", emit.CString, map[string]string{
			"":                `""`,
			`a"b\c`:           `"a\"b\\c"`,
			"\x001":           `"\0001"`,
			"\xff9\x7f\n\r\t": `"\3779\177\n\r\t"`,
			"??=":             `"?\?="`,
			"ü\u2028":         "\"ü\u2028\"",
			"\xed\xa0\x80":    `"\355\240\200"`,
		}},
		{"C#", dotnet.CsharpString, map[string]string{
			"":             `""`,
			`a"b\c{d}`:     `"a\"b\\c{d}"`,
			`C:\d`:         `@"C:\d"`,
			"a\n\"b\"\nc":  "@\"a\n\"\"b\"\"\nc\"",
			"a\n\"b\"":     `"a\n\"b\""`,
			"a\n":          `"a\n"`,
			"\na\nb\nc":    `"\na\nb\nc"`,
			"a\r\nb":       `"a\r\nb"`,
			"\x00\x1f\x7f": `"\u0000\u001f\u007f"`,
			"\u0085\u2028": `"\u0085\u2028"`,
			"😀":            `"😀"`,
		}},
		{"Rust", rust.String, map[string]string{
			"":              `""`,
			"a{b}":          `"a{b}"`,
			`a"b\c`:         `r#"a"b\c"#`,
			`a"#b`:          `r##"a"#b"##`,
			`a\b`:           `r"a\b"`,
			"a\nb\nc":       "r\"a\nb\nc\"",
			"a\nb":          `"a\nb"`,
			"\n":            `"\n"`,
			"\x00\"\r\x7f":  `"\x00\"\r\x7f"`,
			"\u202e\u2066a": `"\u{202e}\u{2066}a"`,
		}},
		{"Julia", julia.String, map[string]string{
			"":                    `""`,
			`a$b\c`:               `"a\$b\\c"`,
			"\x00\xff1\x7f\n\r\t": `"\x00\xff1\x7f\n\r\t"`,
			`{"a":"b"}`:           `"""{"a":"b"}"""`,
			`"a"`:                 `"\"a\""`,
			"a\n\"b\"\n c":        `"a\n\"b\"\n c"`, // the least indentation would go
			"{\n \"b\": 1\n}":     "\"\"\"{\n \"b\": 1\n}\"\"\"",
			`a"""b`:               `"a\"\"\"b"`,
			"\n\"a\".":            `"\n\"a\"."`,
		}},
		{"Rust bytes", rust.Bytes, map[string]string{"\x00\xffa\"\\\n": `b"\x00\xffa\"\\\n"`, "é": `b"\xc3\xa9"`}},
	} {
		for s, want := range test.cases {
			if got := test.quote(s); got != want {
				t.Errorf("%s: %q is written %s, want %s", test.name, s, got, want)
			}
		}
	}
}
