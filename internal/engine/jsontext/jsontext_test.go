package jsontext

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestAppendCompact(t *testing.T) {
	tests := []struct {
		in, want string // no answer where want is empty
	}{
		{`{}`, `{}`},
		{` [ ] `, `[]`},
		{"{\n\t\"a\" : [ 1 , 2.50 ,\r\n -0e+10 ] }\n", `{"a":[1,2.50,-0e+10]}`},
		{`{"a":1,"a":2}`, `{"a":1,"a":2}`},
		{`{"b":1,"a":12345678901234567890}`, `{"b":1,"a":12345678901234567890}`},
		{`["\u00e9\ud800\/",true,false,null]`, `["\u00e9\ud800\/",true,false,null]`},
		{`{" a ": " b "}`, `{" a ":" b "}`},
		{`[[[{}]],{"a":{}}]`, `[[[{}]],{"a":{}}]`},
		{`["é"]`, `["é"]`},

		{``, ``},
		{` `, ``},
		{`1`, ``},
		{`"a"`, ``},
		{`null`, ``},
		{`{`, ``},
		{`[`, ``},
		{`{}}`, ``},
		{`{} {}`, ``},
		{`{a:1}`, ``},
		{`{'a':1}`, ``},
		{`{"a"}`, ``},
		{`{"a":}`, ``},
		{`{"a":1,}`, ``},
		{`{,}`, ``},
		{`[1,]`, ``},
		{`[,1]`, ``},
		{`[1 2]`, ``},
		{`[1}`, ``},
		{`{"a":1]`, ``},
		{`[01]`, ``},
		{`[+1]`, ``},
		{`[1.]`, ``},
		{`[.5]`, ``},
		{`[-]`, ``},
		{`[1e]`, ``},
		{`[0x1]`, ``},
		{`[NaN]`, ``},
		{`[tru]`, ``},
		{`[trueish]`, ``},
		{`["\x41"]`, ``},
		{`["\u12"]`, ``},
		{`["\u12g4"]`, ``},
		{"[\"a\nb\"]", ``},
		{"[\"a\x00b\"]", ``},
		{`["a]`, ``},
		{`["\`, ``},
		{"[\"\xff\"]", ``},
		{"\ufeff{}", ``},
		{"{\u00a0}", ``},
	}
	for _, test := range tests {
		got, ok := AppendCompact([]byte("x"), test.in)
		if want := "x" + test.want; string(got) != want || ok != (test.want != "") {
			t.Errorf("AppendCompact(%q) = %q, %t, want %q", test.in, got, ok, want)
		}
		if Container(test.in) != ok {
			t.Errorf("Container(%q) = %t", test.in, !ok)
		}
	}
}

func TestDepth(t *testing.T) {
	for _, unit := range [][2]string{{"[", "]"}, {`{"a":`, "}"}} {
		nested := func(n int) string {
			return strings.Repeat(unit[0], n-1) + "[]" + strings.Repeat(unit[1], n-1)
		}
		if !Container(nested(MaxDepth)) {
			t.Errorf("%d levels of %s are refused", MaxDepth, unit[0])
		}
		if Container(nested(MaxDepth + 1)) {
			t.Errorf("%d levels of %s are taken", MaxDepth+1, unit[0])
		}
		if got, want := Container(nested(MaxDepth+1)), json.Valid([]byte(nested(MaxDepth+1))); got != want {
			t.Errorf("one level more: %t, and encoding/json %t", got, want)
		}
	}
	if Container(strings.Repeat("[", 1<<20)) {
		t.Error("brackets that are never closed are taken")
	}
}

func TestAppendString(t *testing.T) {
	tests := map[string]string{
		"":               `""`,
		"a":              `"a"`,
		`a"b\c/`:         `"a\"b\\c/"`,
		"\n\r\t\b\f\x00": `"\n\r\t\u0008\u000c\u0000"`,
		"\x1f\x7f":       "\"\\u001f\x7f\"",
		"é\u2028😀<>&":    "\"é\u2028😀<>&\"",
		"\xff":           "\"\ufffd\"",
		"a\xe4\xbdb":     "\"a\ufffd\ufffdb\"",
		"\ufffd":         "\"\ufffd\"",
		"\xed\xa0\x80":   "\"\ufffd\ufffd\ufffd\"",
	}
	for in, want := range tests {
		if diff := cmp.Diff(want, string(AppendString(nil, in))); diff != "" {
			t.Errorf("AppendString(%q) (-want +got):\n%s", in, diff)
		}
	}
}

// FuzzCompact holds AppendCompact and Container against encoding/json, for
// texts that are objects or arrays. Two differences are meant: text that is
// not UTF-8 is none, and MaxDepth is that of encoding/json.
func FuzzCompact(f *testing.F) {
	for _, seed := range []string{
		`{}`, ` [1, -2.5e+3, "a\u00e9\\", {"b": [true, false, null]}] `, `{"a":1,"a":2,}`, `[01]`, `["` + "\xff" + `"]`,
		`{"a" "b"}`, `[[[[]]]]`, `[1}`, "\n{\t}\r", `{"":{"":{"":[]}}}`, `[1.0E-7,0]`, `"a"`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var want bytes.Buffer
		err := json.Compact(&want, []byte(s))
		trimmed := strings.Trim(s, " \t\r\n")
		isContainer := err == nil && utf8.ValidString(s) && trimmed != "" && (trimmed[0] == '{' || trimmed[0] == '[')
		got, ok := AppendCompact([]byte("x"), s)
		if ok != isContainer {
			t.Fatalf("AppendCompact(%q) is %t, and encoding/json says %v", s, ok, err)
		}
		if Container(s) != ok {
			t.Fatalf("Container(%q) is %t", s, !ok)
		}
		switch {
		case !ok && string(got) != "x":
			t.Errorf("without an answer dst is %q", got)
		case ok && string(got[1:]) != want.String():
			t.Errorf("AppendCompact(%q) = %s, and encoding/json has %s", s, got[1:], &want)
		}
	})
}

// FuzzString holds AppendString against encoding/json, which reads back what
// was written, and writes the same but for a few escapes.
func FuzzString(f *testing.F) {
	for _, seed := range []string{"", "a\"b\\", "\x00\x1f\x7f", "é😀\u2028", "\xff\xfe", "\xed\xa0\x80", "<&>"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		text := AppendString([]byte("x"), s)
		if text[0] != 'x' {
			t.Fatalf("dst became %q", text)
		}
		var back string
		if err := json.Unmarshal(text[1:], &back); err != nil {
			t.Fatalf("AppendString(%q) = %s: %v", s, text, err)
		}
		// encoding/json puts one U+FFFD for each byte that is not UTF-8, too.
		if want := string([]rune(s)); back != want {
			t.Errorf("AppendString(%q) reads back as %q, want %q", s, back, want)
		}
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		if err := e.Encode(s); err != nil {
			t.Fatal(err)
		}
		theirs := strings.NewReplacer(`\\`, `\\`, `\b`, `\u0008`, `\f`, `\u000c`, `\u2028`, "\u2028", `\u2029`, "\u2029", `\ufffd`, "\ufffd").
			Replace(strings.TrimSuffix(b.String(), "\n"))
		if theirs != string(text[1:]) {
			t.Errorf("AppendString(%q) = %s, and encoding/json has %s", s, text[1:], theirs)
		}
	})
}
