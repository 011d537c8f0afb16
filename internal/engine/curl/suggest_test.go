package curl

import (
	"strings"
	"testing"

	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/word"
)

func TestSuggest(t *testing.T) {
	tests := map[string]string{
		"heder": "header", "haeder": "header", "sil": "silent", "silnet": "silent", "data-urlencod": "data-urlencode",
		"dataurlencode": "data-urlencode", "HEADER": "header", "data_binary": "data-binary", "user_agent": "user-agent", "insecur": "insecure",
		"xyzzyxyzzy": "", "": "", "q": "",
	}
	for in, want := range tests {
		if got := Suggest(in, Unclear); got != want {
			t.Errorf("Suggest(%q) = %q, want %q", in, got, want)
		}
	}
	for i := range table {
		if got := Suggest(table[i].Long, Unclear); got != table[i].Long {
			t.Errorf("Suggest(%q) = %q", table[i].Long, got)
		}
	}
	if got := Suggest(strings.Repeat("a", 10_000), Unclear); got != "" {
		t.Errorf("a long name is %q", got)
	}
}

// TestUnknownOption holds what the error for an unknown option suggests, and
// that it repeats nothing that may be a secret.
func TestUnknownOption(t *testing.T) {
	tests := []struct {
		args []string
		hint string // a part of it
	}{
		{[]string{"--headr", "X: y"}, "--header?"},
		{[]string{"--headr=X: y"}, "--header?"},
		{[]string{"--headr", "-s"}, "--head?"},
		{[]string{"--headr"}, "--head?"},
		{[]string{"--hea", "X: y"}, "--header?"},
		{[]string{"--hea", "http://h.test"}, "--head?"},
		{[]string{"--insecur", "h.test/x"}, "--insecure?"},
		{[]string{"--dat", "secret"}, "--data?"},
		{[]string{"--user:secret"}, "as the next word"},
		{[]string{"--user:secret", "x"}, "as the next word"},
		{[]string{"--no-user:secret"}, "as the next word"},
		{[]string{"--user secret"}, "as the next word"},
		{[]string{"--usr:secret"}, "--user?"},
		{[]string{"--usr=secret"}, "--user?"},
		{[]string{"--aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa=secret"}, "--help"},
		{[]string{"-user", "secret"}, ""},
		{[]string{"-data"}, ""},
		{[]string{"-Wx"}, "--help"},
	}
	for _, test := range tests {
		_, diags := ParseArgs(words(test.args...), &Inputs{Meter: meter.New(0, meter.Limits{}, nil)})
		err := diags.Err()
		if err == nil {
			continue // a cluster of letters that curl has
		}
		if !strings.Contains(err.Hint, test.hint) {
			t.Errorf("%q: the hint is %q, want %q", test.args, err.Hint, test.hint)
		}
		if strings.Contains(err.Message+err.Hint+err.Option, "secret") {
			t.Errorf("%q: the secret is repeated: %q, %q, %q", test.args, err.Message, err.Hint, err.Option)
		}
	}
	for _, text := range []string{"--$OPTION", "-$OPTION", "-s$OPTION"} {
		start := int32(strings.IndexByte(text, '$'))
		w := word.Word{Text: text, Holes: []word.Hole{{Start: start, End: int32(len(text)), Expr: "$OPTION", Name: "OPTION"}}}
		_, diags := ParseArgs([]word.Word{w}, &Inputs{Meter: meter.New(0, meter.Limits{}, nil)})
		if err := diags.Err(); err == nil || !strings.Contains(err.Hint, "$OPTION") {
			t.Errorf("%s: %+v", text, err)
		}
	}
}

// TestSuggestOnce checks that one text gets one suggestion, because it is costly.
func TestSuggestOnce(t *testing.T) {
	in := &Inputs{Meter: meter.New(0, meter.Limits{}, nil)}
	for i, want := range []string{"did you mean --header?", "see curl --help all"} {
		_, diags := ParseArgs(words("--heder", "X: y"), in)
		if err := diags.Err(); err == nil || err.Hint != want {
			t.Errorf("command %d: %+v, want the hint %q", i, err, want)
		}
	}
}
