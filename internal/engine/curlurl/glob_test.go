package curlurl

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestGlob holds what curl 8.22 makes of a glob.
func TestGlob(t *testing.T) {
	tests := []struct {
		glob string
		want string // the texts it stands for, between bars
	}{
		{"", ""},
		{"a", "a"},
		{"{a}", "a"},
		{"{a,b}", "a|b"},
		{"{a,}", "a|"},
		{"{,}", "|"},
		{"{,a}", "|a"},
		{"{a b,c}", "a b|c"},
		{`{a\,b,c}`, "a,b|c"},
		{`{a\}b,c}`, "a}b|c"},
		{"{<>a,b}", "<>a|b"},
		{"[a-c]", "a|b|c"},
		{"[a-a]", "a"},
		{"[a-c:2]", "a|c"},
		{"[1-3]", "1|2|3"},
		{"[1-1]", "1"},
		{"[5-5:1]", "5"},
		{"[1- 3]", "1|2|3"},
		{"[1-3:2]", "1|3"},
		{"[0-9:3]", "0|3|6|9"},
		{"[9-10]", "9|10"},
		{"[09-10]", "09|10"},
		{"[009-10]", "009|010"},
		{"[01-03]", "01|02|03"},
		{"x[1-2]{a,b}y", "x1ay|x1by|x2ay|x2by"},
		{"{a,b}[1-2]", "a1|a2|b1|b2"},
		{"[1-2][3-4]", "13|14|23|24"},
		{"{a,b}{c}", "ac|bc"},
		{"{<n>a,b}", "a|b"},
		{"[<n>1-2]", "1|2"},
		{`\{a\}`, "{a}"},
		{`\[1-2\]`, "[1-2]"},
		{`\a`, `\a`},
		{"[]", "[]"},
		{"[::1]", "[::1]"},
		{"http://[fe80::1%25e]:8/[1-2]", "http://[fe80::1%25e]:8/1|http://[fe80::1%25e]:8/2"},
	}
	for _, test := range tests {
		g, err := ParseGlob(test.glob, unlimited())
		if err != nil {
			t.Errorf("%s: %v", test.glob, err)
			continue
		}
		var got []string
		for {
			text, ok := g.Next()
			if !ok {
				break
			}
			got = append(got, text)
		}
		if diff := cmp.Diff(strings.Split(test.want, "|"), got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.glob, diff)
		}
		if g.Count != int64(len(got)) {
			t.Errorf("%s counts %d, and has %d", test.glob, g.Count, len(got))
		}
	}
}

// TestGlobErrors checks where curl 8.22 finds fault with a glob.
func TestGlobErrors(t *testing.T) {
	tests := []string{
		"{}", "{a", "a}", "a]", "[c-a]", "[A-c]", "[a-c:3]", "[a-c:0]", "[1-3:5]", "[3-1]", "[5-5:2]", "[1-]", "[-1]", "[x]", "[1]", "[a]", "[a-]",
		"[ab-c]", "[1-3", "[1-a]", "[a-1]", "[1-3 ]", "[ 1-3]", "{a{b}}", "{a[1-2]}", "{<n>a,b}{<n>c}", "[1-2:]", "[1-2:x]",
		"[99999999999999999999-1]", "[1-99999999999999999999]", "[a-z:26]", "[a-c:1", "[1-2]]", "{a,b}}", "[", "{", "]", "}",
		"[1-9223372036854775807][1-9]", strings.Repeat("[1-2]", 300), "{" + strings.Repeat("a,", 100_000) + "}",
	}
	for _, glob := range tests {
		g, err := ParseGlob(glob, unlimited())
		var e *GlobError
		if !errors.As(err, &e) {
			t.Errorf("%.40s is taken, and curl rejects it: %v, %v", glob, g, err)
			continue
		}
		if e.Offset < 0 || e.Offset > len(glob) || e.Reason == "" {
			t.Errorf("%.40s: %+v", glob, e)
		}
	}
}

func TestRefer(t *testing.T) {
	g, err := ParseGlob("http://h.test/{<name>a,b}/[01-02]", unlimited())
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		g.Next()
	}
	tests := map[string]string{ // empty: there is no such glob
		"f": "f", "#1": "a", "#2": "02", "x#1y#2z": "xay02z", "#<name>": "a", "#<name>-#2": "a-02", "#": "#", "#0": "#0", "##1": "#a", "#x": "#x",
		"#3": "#3", "#<nosuch>": "", "#<>": "#<>", "#<name": "#<name", "#11": "#11",
	}
	for in, want := range tests {
		got, ok := g.Refer(in)
		if got != want || ok != (want != "") {
			t.Errorf("Refer(%q) = %q, %t, want %q", in, got, ok, want)
		}
	}
}

// FuzzGlob checks what holds for any text: an error with an offset, or as many
// texts as are counted, none of them much longer than the glob. Counting is
// bounded even for globs that expand to more texts than could be listed.
func FuzzGlob(f *testing.F) {
	for _, seed := range []string{"{a,b}[1-3:2]", "[a-z]", `\{\}`, "[001-100]", "{<n>a}#<n>", "[1-9223372036854775806]", "[::1]{,}", "{\\,}"} {
		f.Add(seed, "#1-#<n>")
	}
	f.Fuzz(func(t *testing.T, text, output string) {
		g, err := ParseGlob(text, unlimited())
		if err != nil {
			var e *GlobError
			if !errors.As(err, &e) || e.Offset < 0 || e.Offset > len(text) || e.Reason == "" {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		if g.Count < 1 {
			t.Fatalf("%q counts %d", text, g.Count)
		}
		const enough = 100
		for n := int64(0); n < enough; n++ {
			url, ok := g.Next()
			if ok != (n < g.Count) {
				t.Fatalf("%q counts %d, and after %d there is one: %t", text, g.Count, n, ok)
			}
			if !ok {
				return
			}
			if len(url) > 25*len(text)+25 {
				t.Errorf("%q gives %d bytes", text, len(url))
			}
			g.Refer(output)
		}
	})
}
