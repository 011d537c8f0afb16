package shell

import (
	"strings"
	"testing"

	"uncoil/diag"

	"github.com/google/go-cmp/cmp"
)

// texts returns the arguments of each command.
func texts(cmds []Command) [][]string {
	var out [][]string
	for _, c := range cmds {
		var args []string
		for _, w := range c.Args {
			args = append(args, w.Text)
		}
		out = append(out, args)
	}
	return out
}

// codes returns the codes of the diagnostics, in order.
func codes(diags diag.List) string {
	var out []string
	for _, d := range diags {
		out = append(out, string(d.Code))
	}
	return strings.Join(out, " ")
}

// A splitCase is a text and the commands in it. Where want is nil the text has
// one command, args.
type splitCase struct {
	name, src string
	env       map[string]string
	args      []string
	want      [][]string
	codes     string
}

func (c *splitCase) run(t *testing.T, split func(string, map[string]string) ([]Command, diag.List)) {
	t.Helper()
	cmds, diags := split(c.src, c.env)
	want := c.want
	if c.args != nil {
		want = [][]string{c.args}
	}
	if diff := cmp.Diff(want, texts(cmds)); diff != "" {
		t.Errorf("%s\n(-want +got)\n%s", c.src, diff)
	}
	if got := codes(diags); got != c.codes {
		t.Errorf("%s\ncodes %q, want %q\n%v", c.src, got, c.codes, diags)
	}
	checkSpans(t, c.src, cmds, diags)
}

// checkSpans reports spans out of bounds or out of order.
func checkSpans(t *testing.T, src string, cmds []Command, diags diag.List) {
	t.Helper()
	inside := func(what string, s diag.Span, low int32) {
		if s.Start < low || s.End < s.Start || int(s.End) > len(src) {
			t.Errorf("%.200q: %.60s has span %v, after %d of %d", src, what, s, low, len(src))
		}
	}
	low := int32(0)
	for _, c := range cmds {
		inside("a command", c.Span, low)
		at := c.Span.Start
		for _, w := range c.Args {
			inside("the word "+w.Text, w.Span, 0)
			if !translated(src, c) {
				inside("the word "+w.Text, w.Span, at)
				at = w.Span.End
			}
			hole := int32(0)
			for _, h := range w.Holes {
				if h.Start < hole || h.End < h.Start || int(h.End) > len(w.Text) || w.Text[h.Start:h.End] != h.Expr {
					t.Errorf("%.200q: the word %.60q has the hole %v", src, w.Text, h)
				}
				hole = h.End
			}
		}
		low = c.Span.End
	}
	for _, d := range diags {
		inside(string(d.Code), d.Span, 0)
	}
}

// translated reports whether the words stand for PowerShell's own command:
// those are in curl's order, not in the text's.
func translated(src string, c Command) bool {
	for _, w := range c.Args {
		if strings.HasPrefix(w.Text, "--") && !strings.Contains(src[w.Span.Start:w.Span.End], "--") {
			return true
		}
	}
	return false
}

func TestSplitCmd(t *testing.T) {
	for _, c := range []splitCase{
		{
			name:  "today's browsers",
			src:   "curl ^\"http://h.test/x?a=1^&b=2^\" ^\n  -H ^\"A: b^\" ^\r\n  --data-raw ^\"^{^\\^\"k^\\^\":1^}^\"",
			args:  []string{"curl", "http://h.test/x?a=1&b=2", "-H", "A: b", "--data-raw", `{"k":1}`},
			codes: "",
		},
		{
			name: "a percent sign, a caret and a line break",
			src:  "curl -d ^\"a^%^41^% ^^^\n\nb^\" -d ^\"c^\r\n\r\nd^\"",
			args: []string{"curl", "-d", "a%41% ^\nb", "-d", "c\nd"},
		},
		{
			name:  "backslashes that the browser doubled",
			src:   `curl -d ^"^{^\^"a^\^":^\^"x^\^\ny ^\^\^\^"z^\^\^\^"^\^"^}^"`,
			args:  []string{"curl", "-d", `{"a":"x\ny \"z\""}`},
			codes: "browser-intent",
		},
		{
			name:  "backslashes that Firefox did not double",
			src:   `curl.exe -d ^"^{^\^"a^\^":^\^"x^\ny^\^\^\^\ ^\^\^"z^\^\^" w^\^"^}^"`,
			args:  []string{"curl.exe", "-d", `{"a":"x\ny\\\\ \"z\" w"}`},
			codes: "browser-intent",
		},
		{
			name: "a line break outside the quotes",
			src:  "curl.exe -d ^\"a^\\\"b\"^\r\n\r\n\"c^\"",
			args: []string{"curl.exe", "-d", "a\"b\nc"},
		},
		{
			name: "a backslash at the end",
			src:  `curl -d ^"a^\^\^" -d "b\\" -d "c\\d\"`,
			args: []string{"curl", "-d", `a\`, "-d", `b\`, "-d", `c\\d"`}, codes: "unterminated-quote",
		},
		{
			name:  "carets inside quotes",
			src:   `curl "http://h.test/x" --data-binary "^{^\^"k^\^":^[^]^}"`,
			args:  []string{"curl", "http://h.test/x", "--data-binary", `{"k":[]}`},
			codes: "browser-intent",
		},
		{
			name:  "an ampersand that browsers left bare",
			src:   `curl "http://h.test/?a=^%^41&b=1" ^"c&d^"`,
			args:  []string{"curl", "http://h.test/?a=%41&b=1", "c&d"},
			codes: "browser-intent browser-intent",
		},
		{
			name: "a caret that is text",
			src:  `curl -d "a^b" -d "{^}" -d "x ^"`,
			args: []string{"curl", "-d", "a^b", "-d", "{^}", "-d", "x ^"},
		},
		{
			name: "doubled quotes",
			src:  `curl "http://h.test/" --data-raw "{""a"":1}" "" """x"""`,
			args: []string{"curl", "http://h.test/", "--data-raw", `{"a":1}`, "", `"x"`},
		},
		{
			name:  "an old browser",
			src:   "curl \"http://h.test/?a=\"%\"41\"%\"\" -d \"{\"\"a\"\":\"\"\\\\n\"\"}\"^\r\n\"x\"",
			args:  []string{"curl", "http://h.test/?a=%41%", "-d", "{\"a\":\"\\n\"}\r\nx"},
			codes: "browser-intent browser-intent",
		},
		{
			name:  "the C runtime's backslashes",
			src:   `curl -d "{\"a\":\"b\\\"c\"}" -o C:\tmp\x "\\srv\x" {\"k\":1}`,
			args:  []string{"curl", "-d", `{"a":"b\"c"}`, "-o", `C:\tmp\x`, `\\srv\x`, `{"k":1}`},
			codes: "",
		},
		{
			name:  "an operator that cmd.exe would see",
			src:   `curl -d "{\"a\":\"b&c\"}" x`,
			args:  []string{"curl", "-d", `{"a":"b&c"}`, "x"},
			codes: "browser-intent",
		},
		{
			name: "operators",
			src:  "curl a > out.txt 2>&1 & curl b 2>nul | findstr x\r\ncurl c && curl d || echo no\ncurl e^&f 3",
			want: [][]string{{"curl", "a"}, {"curl", "b"}, {"findstr", "x"}, {"curl", "c"}, {"curl", "d"}, {"echo", "no"}, {"curl", "e&f", "3"}},
		},
		{
			name: "batch files",
			src:  "@echo off\nrem it's \"nothing\n:: nor this\n:label\nset T=abc\nset \"U=d e\"\n(\n  curl -H \"A: %t%\" -d \"%U%\" h\n)\n",
			want: [][]string{{"echo", "off"}, {"curl", "-H", "A: abc", "-d", "d e", "h"}},
		},
		{
			name: "variables",
			src:  `curl http://h/%20a%20%C3abc%20 -H "X: %TOKEN%" -d ^%TOKEN^% %Path%!x!%%`,
			env:  map[string]string{"PATH": "p q"},
			args: []string{"curl", "http://h/%20a%20%C3abc%20", "-H", "X: %TOKEN%", "-d", "%TOKEN%", "p", "q!x!%%"},
		},
		{
			name:  "prompt",
			src:   "C:\\Users\\me>curl h",
			args:  []string{"curl", "h"},
			codes: "pasted-noise",
		},
		{
			name:  "a blank after the caret, a caret at the end, a no-break space",
			src:   "curl ^ \n\u00a0h ^",
			args:  []string{"curl", "h"},
			codes: "pasted-noise pasted-noise pasted-noise",
		},
		{name: "unterminated", src: `curl "h`, args: []string{"curl", "h"}, codes: "unterminated-quote"},
		{name: "line break in quotes", src: "curl \"h\nx\"", args: []string{"curl", "h"}, codes: "unterminated-quote"},
		{name: "empty", src: " \r\n&&("},
	} {
		t.Run(c.name, func(t *testing.T) { c.run(t, splitCmd) })
	}
}

func TestCmdHoles(t *testing.T) {
	src := `curl -H "X: %TOKEN%!" %A_B% < body.json`
	cmds, _ := splitCmd(src, nil)
	want := []Word{
		{Text: "curl", Span: diag.Span{Start: 0, End: 4}},
		{Text: "-H", Span: diag.Span{Start: 5, End: 7}},
		{Text: "X: %TOKEN%!", Span: diag.Span{Start: 8, End: 21}, Holes: []Hole{{Start: 3, End: 10, Expr: "%TOKEN%"}}},
		{Text: "%A_B%", Span: diag.Span{Start: 22, End: 27}, Holes: []Hole{{Start: 0, End: 5, Expr: "%A_B%"}}},
	}
	if diff := cmp.Diff(want, cmds[0].Args); diff != "" {
		t.Error(diff)
	}
	if in := cmds[0].Stdin; in == nil || in.File != "body.json" {
		t.Errorf("stdin %v", in)
	}
}

// A variable's value takes no place of its own in the source.
func TestCmdExpansionSpans(t *testing.T) {
	src := "curl %A%/x y%A%"
	cmds, _ := splitCmd(src, map[string]string{"A": "http://h.test"})
	want := []Word{
		{Text: "curl", Span: diag.Span{Start: 0, End: 4}},
		{Text: "http://h.test/x", Span: diag.Span{Start: 5, End: 10}},
		{Text: "yhttp://h.test", Span: diag.Span{Start: 11, End: 15}},
	}
	if diff := cmp.Diff(want, cmds[0].Args); diff != "" {
		t.Error(diff)
	}
}

// Lines that double each other stop growing.
func TestCmdExpansionIsBounded(t *testing.T) {
	src := "set A=xxxxxxxxxxxxxxxx\n" + strings.Repeat("set A=%A%%A%%A%%A%\n", 40) + "curl %A%"
	text, _, full := expandPercent(src, nil)
	if len(text) > len(src)*2+MaxExpansion || !full {
		t.Errorf("%d bytes grew to %d", len(src), len(text))
	}
	if cmds, diags := splitCmd(src, nil); cmds != nil || codes(diags) != "expansion-too-large" {
		t.Errorf("%d commands and %v", len(cmds), diags)
	}
}

func FuzzSplitCmd(f *testing.F) {
	for _, seed := range []string{
		"curl ^\"a^\\^\"b^%^41^\n\nc^\" ^\n -d \"x\"\"y\"^\r\n\"z\"",
		`curl "^{^\^"k^\^":^[^]^}" > a 2>&1 & (curl %X% < f | curl.exe ^"^\^\^"b^")`,
		"set A=1\nC:\\x>curl %A% \u00a0 ^",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, src string) {
		cmds, diags := splitCmd(src, map[string]string{"A": `x "y`, "b": ""})
		checkSpans(t, src, cmds, diags)
	})
}

// BenchmarkSplitCmd shows that the time grows with the input and no faster:
// the two sizes have the same MB/s.
func BenchmarkSplitCmd(b *testing.B) {
	piece := "  -H ^\"a: b^\\^\"c^\" -d \"x^y\\\\\" -d \"^{^\\^\"k^\\^\":1^}\" %A% \"{\"\"a\"\":1}\" ^\n"
	benchmarkSplit(b, "curl ", piece, splitCmd)
}

func benchmarkSplit(b *testing.B, head, piece string, split func(string, map[string]string) ([]Command, diag.List)) {
	for _, size := range []struct {
		name string
		n    int
	}{{"16k", 16 << 10}, {"1M", 1 << 20}} {
		src := head + strings.Repeat(piece, size.n/len(piece))
		b.Run("size="+size.name, func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				split(src, nil)
			}
		})
	}
}
