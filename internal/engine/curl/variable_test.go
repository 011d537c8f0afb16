package curl

import (
	"strings"
	"testing"

	"uncoil/diag"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/word"
)

func TestEscapeURL(t *testing.T) {
	tests := map[string]string{
		"": "", "aZ09-._~": "aZ09-._~", " ": "%20", "a b": "a%20b", "%": "%25", "é": "%C3%A9", "\x00\xff": "%00%FF", "+&=/": "%2B%26%3D%2F",
	}
	for in, want := range tests {
		if got := EscapeURL(in); got != want {
			t.Errorf("EscapeURL(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestVariables(t *testing.T) {
	in := &Inputs{Meter: meter.New(0, meter.Limits{}, nil), Env: map[string]string{"E": "env"}, Files: map[string][]byte{"f": []byte(" x\ny ")}}
	tests := []struct {
		variables []string
		text      string
		want      string
		code      diag.Code
	}{
		{[]string{"a=1"}, "{{a}}-{{a}}", "1-1", ""},
		{[]string{"a=1", "a=2"}, "{{a}}", "2", ""},
		{nil, "{{a}}", "", ""},
		{nil, "plain \\{{", "plain \\{{", ""},
		{[]string{"a=1"}, "\\{{a}} {{a}}", "{{a}} 1", ""},
		{[]string{"a=1"}, "{{a", "{{a", ""},
		{[]string{"a=1"}, "{{a b}} {{a}}", "{{a b}} 1", ""},
		{[]string{"a=%20"}, "{{a:url}}", "%2520", ""},
		{[]string{"a= b "}, "[{{a:trim}}]", "[b]", ""},
		{[]string{"a=\"\n"}, "{{a:json}}", `\"\n`, ""},
		{[]string{"a=ab"}, "{{a:b64}} {{a:b64:64dec}}", "YWI= ab", ""},
		{[]string{"a=!"}, "{{a:64dec}}", "[64dec-fail]", ""},
		{[]string{"%E"}, "{{E}}", "env", ""},
		{[]string{"%N=d"}, "{{N}}", "d", ""},
		{[]string{"a@f"}, "[{{a}}]", "[ x\ny ]", ""},
		{[]string{"a[1-2]=wxyz"}, "{{a}}", "xy", ""},
		{[]string{"a[2-]=wxyz"}, "{{a}}", "yz", ""},
		{[]string{"a[9-]=wxyz"}, "[{{a}}]", "[]", ""},
		{[]string{"%N"}, "", "", diag.CodeVariable},
		{[]string{"a[2-1]=x"}, "", "", diag.CodeVariable},
		{[]string{"a=1"}, "{{a:nosuch}}", "", diag.CodeVariable},
		{[]string{"a@nosuch"}, "", "", diag.CodeFileNotSupplied},
	}
	for _, test := range tests {
		var args []string
		for _, v := range test.variables {
			args = append(args, "--variable", v)
		}
		operations, diags := ParseArgs(words(append(args, "--expand-data", test.text)...), in)
		if err := diags.Err(); test.code != "" {
			if err == nil || err.Code != test.code {
				t.Errorf("%q %q: %v, want %s", test.variables, test.text, err, test.code)
			}
			continue
		} else if err != nil {
			t.Errorf("%q %q: %s", test.variables, test.text, err.Message)
			continue
		}
		s := operations[0].Settings
		if got := s[len(s)-1].Value.Text; got != test.want {
			t.Errorf("%q %q is %q, want %q", test.variables, test.text, got, test.want)
		}
	}
}

// TestUnknownParts checks that the unknown parts of words keep their spans and facts
// through all that cuts and changes arguments. In an argument, and in what is
// wanted of it, they stand between ‹ and ›.
func TestUnknownParts(t *testing.T) {
	tests := []struct {
		args []string
		want string // the argument of the last setting
	}{
		{[]string{"-d", "a‹$X›b"}, "a‹$X›b"},
		{[]string{"-d‹$X›"}, "‹$X›"},
		{[]string{"-sSd‹$X›-‹${Y:-é}›"}, "‹$X›-‹${Y:-é}›"},
		{[]string{"--data=‹$X›b‹$Y›"}, "‹$X›b‹$Y›"},
		{[]string{"--user=‹$USER›:‹$PASS›"}, "‹$USER›:‹$PASS›"},
		{[]string{"--data-urlencode", "name=‹$X›"}, "name=‹$X›"},
		{[]string{"--next", "-bs=‹$X›"}, "s=‹$X›"},
		{[]string{"--expand-data", "‹$X›"}, "‹$X›"},
		{[]string{"--expand-data", "a{{v}}b‹$X›"}, "ab‹$X›"},
		{[]string{"--expand-data=‹$X›{{v}}‹$Y›"}, "‹$X›‹$Y›"},
		{[]string{"--expand-data", `\{{‹$X›{{v}}`}, "{{‹$X›"},
		{[]string{"--variable", "v=‹$X›", "--expand-data", "a {{v}} b {{v}}"}, "a ‹$X› b ‹$X›"},
		{[]string{"--variable", "v= x ‹$X› ", "--expand-data", "{{v:trim}}"}, "x ‹$X›"},
		{[]string{"--variable", "v=a b‹${X:-c d}›é", "--expand-data", "{{v:url}}"}, "a%20b‹${X:-c d}›%C3%A9"},
		{[]string{"--variable", `v="‹$X›"`, "--expand-data", "{{v:json:trim}}"}, `\"‹$X›\"`},
		{[]string{"--variable", "v=‹$X›", "--expand-data", "{{v:b64}}"}, "JFg="},
		{[]string{"--variable", "v[3-]=a ‹$X›", "--expand-data", "{{v}}"}, "X"},
		{[]string{"--variable", "v[2-]=a ‹$X›", "--expand-data", "{{v}}"}, "$X"},
		{[]string{"--variable", "%E=a‹$X›", "--expand-data", "{{E}}"}, "a‹$X›"},
	}
	for _, test := range tests {
		args := []word.Word{{Text: "h.test"}}
		for _, arg := range test.args {
			args = append(args, withHoles(arg))
		}
		operations, diags := ParseArgs(args, &Inputs{Meter: meter.New(0, meter.Limits{}, nil)})
		if err := diags.Err(); err != nil {
			t.Errorf("%q: %s", test.args, err.Message)
			continue
		}
		last := operations[len(operations)-1].Settings
		value := last[len(last)-1].Value
		if got := showHoles(value); got != test.want {
			t.Errorf("%q is %s, want %s", test.args, got, test.want)
		}
	}
}

// showHoles writes a word with its unknown parts between ‹ and ›.
func showHoles(w *word.Word) string {
	var b strings.Builder
	i := 0
	for _, h := range w.Holes {
		name, value, hasDefault := strings.Cut(strings.Trim(h.Expr, "${}"), ":-")
		if h.Name != name || h.Default != value || h.HasDefault != hasDefault {
			b.WriteString("(facts are lost)")
		}
		b.WriteString(w.Text[i:h.Start] + "‹" + h.Expr + "›")
		i = int(h.End)
	}
	b.WriteString(w.Text[i:])
	return b.String()
}

// withHoles makes a word of text whose unknown parts stand between ‹ and ›.
func withHoles(text string) (w word.Word) {
	for {
		before, after, ok := strings.Cut(text, "‹")
		w.Text += before
		if !ok {
			return w
		}
		expr, rest, _ := strings.Cut(after, "›")
		name, value, hasDefault := strings.Cut(strings.Trim(expr, "${}"), ":-")
		w.Holes = append(w.Holes, word.Hole{Start: int32(len(w.Text)), End: int32(len(w.Text) + len(expr)),
			Expr: expr, Name: name, Default: value, HasDefault: hasDefault})
		w.Text += expr
		text = rest
	}
}

// TestExpansionIsPaid checks that no function makes what the meter does not
// pay for, or curl does not allow.
func TestExpansionIsPaid(t *testing.T) {
	for _, text := range []string{
		"{{a" + strings.Repeat(":json", 40) + "}}", "{{a" + strings.Repeat(":b64", 80) + "}}",
		strings.Repeat("{{a:json:json:json:json:json:json:json:json:json:json:json:json}}", 4000),
	} {
		m := meter.New(0, meter.Limits{}, nil)
		_, diags := ParseArgs(words("--variable", `a=\`, "--expand-data", text), &Inputs{Meter: m})
		if err := diags.Err(); err == nil || err.Code != diag.CodeVariable && err.Code != diag.CodeTooMuchWork && err.Code != diag.CodeTooLarge {
			t.Errorf("%.20s…: %v", text, err)
		}
		if _, bytes := m.Spent(); bytes > meter.LimitsFor(0, meter.Limits{}).Bytes+maxExpansion {
			t.Errorf("%.20s…: %d bytes", text, bytes)
		}
	}
}
