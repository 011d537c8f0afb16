package cmd

import (
	"strings"
	"testing"

	"uncoil/diag"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/word"
	"uncoil/internal/proof/shelltest"

	"github.com/google/go-cmp/cmp"
)

func TestSplitCmd(t *testing.T) {
	for _, c := range []shelltest.Case{
		{
			Name:  "today's browsers",
			Src:   "curl ^\"http://h.test/x?a=1^&b=2^\" ^\n  -H ^\"A: b^\" ^\r\n  --data-raw ^\"^{^\\^\"k^\\^\":1^}^\"",
			Args:  []string{"curl", "http://h.test/x?a=1&b=2", "-H", "A: b", "--data-raw", `{"k":1}`},
			Codes: "",
		},
		{
			Name: "a percent sign, a caret and a line break",
			Src:  "curl -d ^\"a^%^41^% ^^^\n\nb^\" -d ^\"c^\r\n\r\nd^\"",
			Args: []string{"curl", "-d", "a%41% ^\nb", "-d", "c\nd"},
		},
		{
			Name:  "backslashes that the browser doubled",
			Src:   `curl -d ^"^{^\^"a^\^":^\^"x^\^\ny ^\^\^\^"z^\^\^\^"^\^"^}^"`,
			Args:  []string{"curl", "-d", `{"a":"x\ny \"z\""}`},
			Codes: "browser-intent",
		},
		{
			Name:  "backslashes that Firefox did not double",
			Src:   `curl.exe -d ^"^{^\^"a^\^":^\^"x^\ny^\^\^\^\ ^\^\^"z^\^\^" w^\^"^}^"`,
			Args:  []string{"curl.exe", "-d", `{"a":"x\ny\\\\ \"z\" w"}`},
			Codes: "browser-intent",
		},
		{
			Name: "a line break outside the quotes",
			Src:  "curl.exe -d ^\"a^\\\"b\"^\r\n\r\n\"c^\"",
			Args: []string{"curl.exe", "-d", "a\"b\nc"},
		},
		{
			Name: "a backslash at the end",
			Src:  `curl -d ^"a^\^\^" -d "b\\" -d "c\\d\"`,
			Args: []string{"curl", "-d", `a\`, "-d", `b\`, "-d", `c\\d"`}, Codes: "unterminated-quote",
		},
		{
			Name:  "carets inside quotes",
			Src:   `curl "http://h.test/x" --data-binary "^{^\^"k^\^":^[^]^}"`,
			Args:  []string{"curl", "http://h.test/x", "--data-binary", `{"k":[]}`},
			Codes: "browser-intent",
		},
		{
			Name:  "an ampersand that browsers left bare",
			Src:   `curl "http://h.test/?a=^%^41&b=1" ^"c&d^"`,
			Args:  []string{"curl", "http://h.test/?a=%41&b=1", "c&d"},
			Codes: "browser-intent browser-intent",
		},
		{
			Name: "a caret that is text",
			Src:  `curl -d "a^b" -d "{^}" -d "x ^"`,
			Args: []string{"curl", "-d", "a^b", "-d", "{^}", "-d", "x ^"},
		},
		{
			Name: "doubled quotes",
			Src:  `curl "http://h.test/" --data-raw "{""a"":1}" "" """x"""`,
			Args: []string{"curl", "http://h.test/", "--data-raw", `{"a":1}`, "", `"x"`},
		},
		{
			Name:  "an old browser",
			Src:   "curl \"http://h.test/?a=\"%\"41\"%\"\" -d \"{\"\"a\"\":\"\"\\\\n\"\"}\"^\r\n\"x\"",
			Args:  []string{"curl", "http://h.test/?a=%41%", "-d", "{\"a\":\"\\n\"}\r\nx"},
			Codes: "browser-intent browser-intent",
		},
		{
			Name:  "the C runtime's backslashes",
			Src:   `curl -d "{\"a\":\"b\\\"c\"}" -o C:\tmp\x "\\srv\x" {\"k\":1}`,
			Args:  []string{"curl", "-d", `{"a":"b\"c"}`, "-o", `C:\tmp\x`, `\\srv\x`, `{"k":1}`},
			Codes: "",
		},
		{
			Name:  "an operator that cmd.exe would see",
			Src:   `curl -d "{\"a\":\"b&c\"}" x`,
			Args:  []string{"curl", "-d", `{"a":"b&c"}`, "x"},
			Codes: "browser-intent",
		},
		{
			Name: "operators",
			Src:  "curl a > out.txt 2>&1 & curl b 2>nul | findstr x\r\ncurl c && curl d || echo no\ncurl e^&f 3",
			Want: [][]string{{"curl", "a"}, {"curl", "b"}, {"findstr", "x"}, {"curl", "c"}, {"curl", "d"}, {"echo", "no"}, {"curl", "e&f", "3"}},
		},
		{
			Name: "batch files",
			Src:  "@echo off\nrem it's \"nothing\n:: nor this\n:label\nset T=abc\nset \"U=d e\"\n(\n  curl -H \"A: %t%\" -d \"%U%\" h\n)\n",
			Want: [][]string{{"curl", "-H", "A: abc", "-d", "d e", "h"}},
		},
		{
			Name: "percent signs of a batch file",
			Src:  "\r\n@Echo OFF\r\nchcp 65001 >nul\r\ncurl ^\"h/%%41%%B%%%A%^\" \"%%A%%\" %%a %a%%% %%%\r\n@echo on\r\n",
			Env:  map[string]string{"A": "x"},
			Args: []string{"curl", "h/%41%B%x", "%A%", "%a", "x%", "%%"},
		},
		{
			Name: "variables",
			Src:  `curl http://h/%20a%20%C3abc%20 -H "X: %TOKEN%" -d ^%TOKEN^% %Path%!x!%%`,
			Env:  map[string]string{"PATH": "p q"},
			Args: []string{"curl", "http://h/%20a%20%C3abc%20", "-H", "X: %TOKEN%", "-d", "%TOKEN%", "p", "q!x!%%"},
		},
		{
			Name:  "prompt",
			Src:   "C:\\Users\\me>curl h",
			Args:  []string{"curl", "h"},
			Codes: "pasted-noise",
		},
		{
			Name:  "a blank after the caret, a caret at the end, a no-break space",
			Src:   "curl ^ \n\u00a0h ^",
			Args:  []string{"curl", "h"},
			Codes: "pasted-noise pasted-noise pasted-noise",
		},
		{Name: "unterminated", Src: `curl "h`, Args: []string{"curl", "h"}, Codes: "unterminated-quote"},
		{Name: "line break in quotes", Src: "curl \"h\nx\"", Args: []string{"curl", "h"}, Codes: "unterminated-quote"},
		{Name: "empty", Src: " \r\n&&("},
	} {
		t.Run(c.Name, func(t *testing.T) { c.Run(t, split) })
	}
}

func TestCmdHoles(t *testing.T) {
	src := `curl -H "X: %TOKEN%!" %A_B% < body.json`
	cmds, _ := split(src, nil)
	want := []word.Word{
		{Text: "curl", Span: diag.Span{Start: 0, End: 4}},
		{Text: "-H", Span: diag.Span{Start: 5, End: 7}},
		{Text: "X: %TOKEN%!", Span: diag.Span{Start: 8, End: 21}, Holes: []word.Hole{{Start: 3, End: 10, Expr: "%TOKEN%", Name: "TOKEN"}}},
		{Text: "%A_B%", Span: diag.Span{Start: 22, End: 27}, Holes: []word.Hole{{Start: 0, End: 5, Expr: "%A_B%", Name: "A_B"}}},
	}
	if diff := cmp.Diff(want, cmds[0].Args); diff != "" {
		t.Error(diff)
	}
	if in := cmds[0].Stdin; in == nil || in.File != "body.json" {
		t.Errorf("stdin %v", in)
	}
}

// A variable's value has no span of its own in the source.
func TestCmdExpansionSpans(t *testing.T) {
	src := "curl %A%/x y%A%"
	cmds, _ := split(src, map[string]string{"A": "http://h.test"})
	want := []word.Word{
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
	if cmds, diags := split(src, nil); cmds != nil || shelltest.Codes(diags) != "expansion-too-large" {
		t.Errorf("%d commands and %v", len(cmds), diags)
	}
}

// split reads a text with a meter of its own.
func split(src string, env map[string]string) ([]word.Command, diag.List) {
	return Split(src, env, meter.New(len(src), meter.Limits{}, nil))
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
		cmds, diags := split(src, map[string]string{"A": `x "y`, "b": ""})
		shelltest.CheckSpans(t, src, cmds, diags)
	})
}

// BenchmarkSplitCmd shows that the time grows with the input and no faster:
// the two sizes have the same MB/s.
func BenchmarkSplitCmd(b *testing.B) {
	piece := "  -H ^\"a: b^\\^\"c^\" -d \"x^y\\\\\" -d \"^{^\\^\"k^\\^\":1^}\" %A% \"{\"\"a\"\":1}\" ^\n"
	shelltest.Benchmark(b, "curl ", piece, split)
}

// TestCompound holds which command for, if and else run, and what begins as they do and
// is an ordinary command.
func TestCompound(t *testing.T) {
	for src, want := range map[string]string{
		`for /f %i in ('curl a ^| more') do curl b`:               "curl a\nmore\ncurl b",
		`for /F "tokens=2 delims=()" %i in ('curl "a b"') do x`:   "curl a b\nx",
		"for /f \"usebackq\" %i in (`curl a`) do (\n curl b\n)":   "curl a\ncurl b",
		`for /l %i in (1,1,3) do curl %i`:                         "curl %i",
		`for %i in (a b) do for %j in (c) do curl %i%j`:           "curl %i%j",
		`for /f %i in ('curl a) do curl b`:                        "for /f %i in ('curl a) do curl b",
		`for i in a do curl b`:                                    "for i in a do curl b",
		`for %i in (a) curl b`:                                    "for %i in (a) curl b",
		`if exist "a b" curl c`:                                   "curl c",
		`if /i not "%X%"=="a b" (curl c) else curl d`:             "curl c\ncurl d",
		`if %X% neq 0 curl c`:                                     "curl c",
		`if %X%== 0 curl c`:                                       "curl c",
		`if this then curl c`:                                     "if this then curl c",
		`if exist`:                                                "if exist",
		`if exist a`:                                              "if exist a",
		`forfiles /c "curl a"`:                                    "forfiles /c curl a",
		"curl for\nif defined X curl a & for %i in (b) do curl c": "curl for\ncurl a\ncurl c",
	} {
		commands, _ := Split(src, nil, meter.New(len(src), meter.Limits{}, nil))
		var got []string
		for _, c := range commands {
			var words []string
			for _, w := range c.Args {
				words = append(words, w.Text)
			}
			got = append(got, strings.Join(words, " "))
		}
		if text := strings.Join(got, "\n"); text != want {
			t.Errorf("%s:\n%s\nwant\n%s", src, text, want)
		}
	}
}
