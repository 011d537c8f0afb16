package powershell

import (
	"strings"
	"testing"

	"uncoil/diag"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/word"
	"uncoil/internal/proof/shelltest"
)

func TestSplitPowerShell(t *testing.T) {
	for _, c := range []shelltest.Case{
		{
			Name:  "doubled quotes of JSON, for PowerShell 5",
			Src:   `curl.exe -d '{""a"": ""b c"", ""d"": """"}'`,
			Args:  []string{"curl.exe", "-d", `{"a": "b c", "d": ""}`},
			Codes: "browser-intent",
		},
		{
			Name:  "empty strings of JSON",
			Src:   `curl.exe -d '{"":""}'`,
			Args:  []string{"curl.exe", "-d", `{"":""}`},
			Codes: "browser-intent",
		},
		{
			Name: "continued lines",
			Src:  "curl.exe \"http://h.test/\" `\r\n  -H 'A: b' `\n  -d \"x`ty\"",
			Args: []string{"curl.exe", "http://h.test/", "-H", "A: b", "-d", "x\ty"},
		},
		{
			Name: "quotes",
			Src:  "curl 'it''s' \"a`\"b\"\"c\" “d”  ‘e’’f’ \"`$x`0`u{1F600}\"",
			Args: []string{"curl", "it's", `a"b"c`, "d", "e’f", "$x\x00\U0001F600"}, Codes: "browser-intent",
		},
		{
			Name: "an argument that starts with a quote ends with it",
			Src:  `curl 'a'b c'd'e`,
			Args: []string{"curl", "a", "b", "cde"},
		},
		{
			Name: "quotes as Windows PowerShell 5 needs them",
			Src:  "curl.exe -d '{\\\"a\\\":\\\"b \\\\\\\"c\\\\\\\"\\\"}' -d \"{\\`\"a\\`\":1}\" -d \"{\\\"\"a\\\"\":1}\"",
			Args: []string{"curl.exe", "-d", `{"a":"b \"c\""}`, "-d", `{"a":1}`, "-d", `{"a":1}`},
		},
		{
			Name:  "quotes as PowerShell 7.3 needs them",
			Src:   `curl.exe -d '{"a":"b\"c"}' -H ''`,
			Args:  []string{"curl.exe", "-d", `{"a":"b\"c"}`, "-H", ""},
			Codes: "browser-intent",
		},
		{
			Name:  "quotes as in another shell",
			Src:   `curl.exe -d "{\"a\": \"b \\\"c\\\"\"}" -o "C:\tmp\"`,
			Args:  []string{"curl.exe", "-d", `{"a": "b \"c\""}`, "-o", `C:\tmp\`},
			Codes: "browser-intent",
		},
		{
			Name: "here-strings",
			Src:  "$body = @'\n{\"a\": \"it's\"}\n'@\ncurl.exe -d $body -d @\"\nx `\"$body\n\"@ -d @'\r\n'@",
			Args: []string{"curl.exe", "-d", `{"a": "it's"}`, "-d", "x \"{\"a\": \"it's\"}", "-d", ""}, Codes: "browser-intent",
		},
		{
			Name: "variables",
			Src:  "$base = 'http://h.test'; $u = \"$base/v1\"\n$u += '?a=' + 1\ncurl.exe $u \"${base}/x\" $base/y $env:USERNAME $env:key \"$($base)\"",
			Env:  map[string]string{"KEY": "k1"},
			Args: []string{"curl.exe", "http://h.test/v1?a=1", "http://h.test/x", "http://h.test/y", "$env:USERNAME", "k1", "http://h.test"},
		},
		{
			Name: "what cannot be known",
			Src:  `curl.exe "$TOKEN $(Get-Date "x)") ${a b}" $r.access.token/x '$y' -d (Get-Random)`,
			Args: []string{"curl.exe", `$TOKEN $(Get-Date "x)") ${a b}`, "$r.access.token/x", "$y", "-d", "(Get-Random)"},
		},
		{
			Name: "the rest verbatim",
			Src:  "curl.exe --% -d \"{\\\"a\\\":1}\" 'x y' a&b | findstr z",
			Want: [][]string{{"curl.exe", "-d", `{"a":1}`, "'x", "y'", "a&b"}, {"findstr", "z"}},
		},
		{
			Name: "statements and comments",
			Src:  "# it's\n& 'C:\\x y\\curl.exe' a > out.txt 2>&1; <# don't #> curl b#c # d\n$r = curl.exe e | ConvertFrom-Json\n$r.items | Out-Null # can't\ntry { curl.exe f } catch { }\nif ($x -eq ')') { curl.exe g }",
			Want: [][]string{{`C:\x y\curl.exe`, "a"}, {"curl", "b#c"}, {"curl.exe", "e"}, {"ConvertFrom-Json"}, {"Out-Null"}, {"curl.exe", "f"}, {"curl.exe", "g"}},
		},
		{
			Name:  "prompts, blanks after the backtick, a backtick at the end",
			Src:   "PS C:\\Users\\me> curl.exe a ` \n>> -k `",
			Args:  []string{"curl.exe", "a", "-k"},
			Codes: "pasted-noise pasted-noise pasted-noise",
		},
		{
			Name: "files and spaces of other kinds",
			Src:  "curl.exe -d @body.json\u00a0-F a=@b\u2003http://h/{id}?a=1,2",
			Args: []string{"curl.exe", "-d", "@body.json", "-F", "a=@b", "http://h/{id}?a=1,2"},
		},
		{
			Name:  "fence",
			Src:   "```powershell\ncurl.exe h\n```\n",
			Args:  []string{"curl.exe", "h"},
			Codes: "pasted-noise pasted-noise",
		},
		{Name: "unterminated single", Src: "curl 'h", Args: []string{"curl", "h"}, Codes: "unterminated-quote"},
		{Name: "unterminated double", Src: `curl "h`, Args: []string{"curl", "h"}, Codes: "unterminated-quote"},
		{Name: "unterminated here-string", Src: "curl @'\nh", Args: []string{"curl", "h"}, Codes: "unterminated-quote"},
		{Name: "unterminated group", Src: `curl "$(x"`, Args: []string{"curl", ""}, Codes: "unterminated-quote"},
		{Name: "empty", Src: " \r\n;`\n"},
	} {
		t.Run(c.Name, func(t *testing.T) { c.Run(t, split) })
	}
}

// Variables that double each other stop growing.
func TestPowerShellExpansionIsBounded(t *testing.T) {
	src := "$a = 'xxxxxxxxxxxxxxxx'\n" + strings.Repeat("$a = \"$a$a$a$a\"\n", 40) + "curl $a"
	cmds, diags := split(src, nil)
	if cmds != nil || shelltest.Codes(diags) != "expansion-too-large" {
		t.Errorf("%d commands and %v", len(cmds), diags)
	}
}

// Deep nesting is refused, or read, without a deep stack.
func TestPowerShellNesting(t *testing.T) {
	for _, piece := range []string{"(", "@{a=", "$(", "\"$(", "[x]", "@(", "{", "`", "$x[", "$a=", "${", "New-Object ", "-a:(", "'", "\"", "@'\n", "<#", "--% ", "$a.b(", ".b", "+"} {
		src := "$x = " + strings.Repeat(piece, 20000)
		cmds, diags := split(src, nil)
		shelltest.CheckSpans(t, src, cmds, diags)
		src = "iwr -Body " + strings.Repeat(piece, 20000)
		cmds, diags = split(src, nil)
		shelltest.CheckSpans(t, src, cmds, diags)
	}
}

// split reads a text with a meter of its own.
func split(src string, env map[string]string) ([]word.Command, diag.List) {
	return Split(src, env, meter.New(len(src), meter.Limits{}, nil))
}

func FuzzSplitPowerShell(f *testing.F) {
	for _, seed := range []string{
		"$s = New-Object Microsoft.PowerShell.Commands.WebRequestSession\n$s.Cookies.Add((New-Object System.Net.Cookie(\"n\", \"v\")))\niwr -Uri \"h$([char]228)\" `\n-Headers @{ \"a\"=\"b\"\n'c'='d' } -WebSession $s",
		"curl.exe -d '{\\\"a\\\":1}' \"`u{1F600}`n$x ${y} $env:Z\" --% \"a\\\"b\" | c > d; & \"e\"",
		"$h = @{a='b'}; $h.Add('c', \"$h\"); irm -Uri:h @h -Body (@{x=1} + 'y')",
		"\x99 V\xc1<\xfdb}",
		"@'\nx\n'@ | curl @\"\ny\n\"@ <# c #> # d",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, src string) {
		cmds, diags := split(src, map[string]string{"A": `x "y`, "b": ""})
		shelltest.CheckSpans(t, src, cmds, diags)
	})
}

// BenchmarkSplitPowerShell shows that the time grows with the input and no
// faster: the two sizes have the same MB/s.
func BenchmarkSplitPowerShell(b *testing.B) {
	piece := " -H 'a: it''s' -d \"x`\"y $z $($q)\" -d '{\\\"k\\\":1}' (1 + 2) $a.b/c `\n"
	shelltest.Benchmark(b, "curl.exe ", piece, split)
}
