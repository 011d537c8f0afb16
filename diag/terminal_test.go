package diag

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestAppendPrintable(t *testing.T) {
	tests := []struct{ in, line, lines string }{
		{"", "", ""},
		{"curl -d 'é €😀'", "curl -d 'é €😀'", "curl -d 'é €😀'"},
		{"a\tb\r\nc\rd", "a b  c d", "a\tb\r\nc d"},
		{"a\n", "a ", "a\n"},
		{"\x1b[31mred\x1b]0;title\x07", "�[31mred�]0;title�", "�[31mred�]0;title�"},
		{"\x00\x08\x7f", "���", "���"},
		{"\u0080\u0085\u009b31m", "���31m", "���31m"},
		{"\x9b31m\xff\xe2\x82", "�31m���", "�31m���"},
		{"\u202a\u202e\u2066\u2069\u200e\u200f\u061c", "�������", "�������"},
		{"\u2028\u2029\ufeff\u200b\u00ad\U000e0041", "������", "������"},
		{"👩\u200d💻 می\u200cخواهم", "👩\u200d💻 می\u200cخواهم", "👩\u200d💻 می\u200cخواهم"},
		{"\ufffd", "\ufffd", "\ufffd"},
	}
	for _, test := range tests {
		if got := string(AppendPrintable([]byte("x"), test.in)); got != "x"+test.line {
			t.Errorf("AppendPrintable(%q) = %q, want %q", test.in, got, "x"+test.line)
		}
		if got := string(AppendPrintableLines([]byte("x"), test.in)); got != "x"+test.lines {
			t.Errorf("AppendPrintableLines(%q) = %q, want %q", test.in, got, "x"+test.lines)
		}
	}
}

// FuzzAppendPrintable states what terminals rely on: no byte that could be a
// command, no character added or lost, and printable text as it was.
func FuzzAppendPrintable(f *testing.F) {
	f.Add("curl \x1b[2J\u202e\x9b\xff é\r\n")
	f.Add("\u061c\u2066\u0085\u2028")
	f.Fuzz(func(t *testing.T, s string) {
		for _, lines := range []bool{false, true} {
			got := string(appendPrintable(nil, s, lines))
			if !utf8.ValidString(got) {
				t.Fatalf("%q is not UTF-8", got)
			}
			if utf8.RuneCountInString(got) != utf8.RuneCountInString(s) {
				t.Errorf("%q has %d characters, %q %d", s, utf8.RuneCountInString(s), got, utf8.RuneCountInString(got))
			}
			for i, r := range got {
				kept := lines && (r == '\n' || r == '\t' || r == '\r' && strings.HasPrefix(got[i:], "\r\n"))
				bidi := r == 0x61c || r == 0x200e || r == 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
				if !kept && (r < ' ' || r >= 0x7f && r < 0xa0 || bidi) {
					t.Errorf("%q is left in %q", r, got)
				}
			}
			if again := string(appendPrintable(nil, got, lines)); again != got {
				t.Errorf("a second pass changes %q to %q", got, again)
			}
		}
	})
}
