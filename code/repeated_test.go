package code_test

import (
	"strings"
	"testing"

	"uncoil/code"
)

// TestRepeatedField checks that clients which send a name once do not make one value of two
// where the field has one only: curl sends two lines.
func TestRepeatedField(t *testing.T) {
	const same, other, list = "-H 'Content-Type: a/b' -H 'content-type: a/b'", "-H 'Content-Type: a/b' -H 'Content-Type: c/d'", "-H 'Accept: a/b' -H 'Accept: c/d'"
	for _, name := range []string{"javascript-fetch", "csharp", "ruby", "wget", "python-requests", "lua"} {
		target, ok := code.Lookup(name)
		if !ok {
			t.Fatalf("no target %s", name)
		}
		for _, c := range []struct {
			style  code.Style
			fields string
			want   string // a part of the program, where another client may be used, or of the refusal
		}{
			{code.StyleIdiomatic, same, "a/b"},
			{code.StyleExact, same, "sends two values of one field in one"},
			{code.StyleIdiomatic, other, "sends two values of one field in one"},
			{code.StyleIdiomatic, list, "a/b, c/d"},
			{code.StyleExact, list, "a/b, c/d"},
		} {
			program, diags := writeAs(t, target, "curl https://h.test/ -d x "+c.fields, code.Options{Style: c.style})
			got := program
			if err := diags.Err(); err != nil {
				got = err.Message
			}
			if !strings.Contains(got, c.want) || strings.Contains(got, "a/b, a/b") {
				t.Errorf("%s, %v, %s: want %s, got\n%s", name, c.style, c.fields, c.want, got)
			}
		}
	}
}

// TestCookieFileHint checks that the refusal of a cookie file says that its content will
// do, beside the targets that read it.
func TestCookieFileHint(t *testing.T) {
	target, _ := code.Lookup("javascript-fetch")
	const want = "pass the content of the file in files, or choose a target that can: "
	_, diags := writeAs(t, target, "curl -b jar.txt https://h.test/", code.Options{})
	if err := diags.Err(); err == nil || !strings.HasPrefix(err.Hint, want) {
		t.Errorf("got %+v, want a hint that begins with %q", err, want)
	}
}
