package shell

import (
	"strings"
	"testing"
)

func TestSplitPowerShell(t *testing.T) {
	for _, c := range []splitCase{
		{
			name: "continued lines",
			src:  "curl.exe \"http://h.test/\" `\r\n  -H 'A: b' `\n  -d \"x`ty\"",
			args: []string{"curl.exe", "http://h.test/", "-H", "A: b", "-d", "x\ty"},
		},
		{
			name: "quotes",
			src:  "curl 'it''s' \"a`\"b\"\"c\" “d”  ‘e’’f’ \"`$x`0`u{1F600}\"",
			args: []string{"curl", "it's", `a"b"c`, "d", "e’f", "$x\x00\U0001F600"}, codes: "browser-intent",
		},
		{
			name: "an argument that starts with a quote ends with it",
			src:  `curl 'a'b c'd'e`,
			args: []string{"curl", "a", "b", "cde"},
		},
		{
			name: "quotes as Windows PowerShell 5 needs them",
			src:  "curl.exe -d '{\\\"a\\\":\\\"b \\\\\\\"c\\\\\\\"\\\"}' -d \"{\\`\"a\\`\":1}\" -d \"{\\\"\"a\\\"\":1}\"",
			args: []string{"curl.exe", "-d", `{"a":"b \"c\""}`, "-d", `{"a":1}`, "-d", `{"a":1}`},
		},
		{
			name:  "quotes as PowerShell 7.3 needs them",
			src:   `curl.exe -d '{"a":"b\"c"}' -H ''`,
			args:  []string{"curl.exe", "-d", `{"a":"b\"c"}`, "-H", ""},
			codes: "browser-intent",
		},
		{
			name:  "quotes as in another shell",
			src:   `curl.exe -d "{\"a\": \"b \\\"c\\\"\"}" -o "C:\tmp\"`,
			args:  []string{"curl.exe", "-d", `{"a": "b \"c\""}`, "-o", `C:\tmp\`},
			codes: "browser-intent",
		},
		{
			name: "here-strings",
			src:  "$body = @'\n{\"a\": \"it's\"}\n'@\ncurl.exe -d $body -d @\"\nx `\"$body\n\"@ -d @'\r\n'@",
			args: []string{"curl.exe", "-d", `{"a": "it's"}`, "-d", "x \"{\"a\": \"it's\"}", "-d", ""}, codes: "browser-intent",
		},
		{
			name: "variables",
			src:  "$base = 'http://h.test'; $u = \"$base/v1\"\n$u += '?a=' + 1\ncurl.exe $u \"${base}/x\" $base/y $env:USERNAME $env:key \"$($base)\"",
			env:  map[string]string{"KEY": "k1"},
			args: []string{"curl.exe", "http://h.test/v1?a=1", "http://h.test/x", "http://h.test/y", "$env:USERNAME", "k1", "http://h.test"},
		},
		{
			name: "what cannot be known",
			src:  `curl.exe "$TOKEN $(Get-Date "x)") ${a b}" $r.access.token/x '$y' -d (Get-Random)`,
			args: []string{"curl.exe", `$TOKEN $(Get-Date "x)") ${a b}`, "$r.access.token/x", "$y", "-d", "(Get-Random)"},
		},
		{
			name: "the rest verbatim",
			src:  "curl.exe --% -d \"{\\\"a\\\":1}\" 'x y' a&b | findstr z",
			want: [][]string{{"curl.exe", "-d", `{"a":1}`, "'x", "y'", "a&b"}, {"findstr", "z"}},
		},
		{
			name: "statements and comments",
			src:  "# it's\n& 'C:\\x y\\curl.exe' a > out.txt 2>&1; <# don't #> curl b#c # d\n$r = curl.exe e | ConvertFrom-Json\n$r.items | Out-Null # can't\ntry { curl.exe f } catch { }\nif ($x -eq ')') { curl.exe g }",
			want: [][]string{{`C:\x y\curl.exe`, "a"}, {"curl", "b#c"}, {"curl.exe", "e"}, {"ConvertFrom-Json"}, {"Out-Null"}, {"curl.exe", "f"}, {"curl.exe", "g"}},
		},
		{
			name:  "prompts, blanks after the backtick, a backtick at the end",
			src:   "PS C:\\Users\\me> curl.exe a ` \n>> -k `",
			args:  []string{"curl.exe", "a", "-k"},
			codes: "pasted-noise pasted-noise pasted-noise",
		},
		{
			name: "files and spaces of other kinds",
			src:  "curl.exe -d @body.json\u00a0-F a=@b\u2003http://h/{id}?a=1,2",
			args: []string{"curl.exe", "-d", "@body.json", "-F", "a=@b", "http://h/{id}?a=1,2"},
		},
		{
			name:  "fence",
			src:   "```powershell\ncurl.exe h\n```\n",
			args:  []string{"curl.exe", "h"},
			codes: "pasted-noise pasted-noise",
		},
		{name: "unterminated single", src: "curl 'h", args: []string{"curl", "h"}, codes: "unterminated-quote"},
		{name: "unterminated double", src: `curl "h`, args: []string{"curl", "h"}, codes: "unterminated-quote"},
		{name: "unterminated here-string", src: "curl @'\nh", args: []string{"curl", "h"}, codes: "unterminated-quote"},
		{name: "unterminated group", src: `curl "$(x"`, args: []string{"curl", ""}, codes: "unterminated-quote"},
		{name: "empty", src: " \r\n;`\n"},
	} {
		t.Run(c.name, func(t *testing.T) { c.run(t, splitPowerShell) })
	}
}

// Variables that double each other stop growing.
func TestPowerShellExpansionIsBounded(t *testing.T) {
	src := "$a = 'xxxxxxxxxxxxxxxx'\n" + strings.Repeat("$a = \"$a$a$a$a\"\n", 40) + "curl $a"
	cmds, diags := splitPowerShell(src, nil)
	if n := len(cmds[0].Args[1].Text); n > len(src)+MaxExpansion || codes(diags) != "expansion-too-large" {
		t.Errorf("%d bytes grew to %d: %v", len(src), n, diags)
	}
}

// Deep nesting is refused, or read, without a deep stack.
func TestPowerShellNesting(t *testing.T) {
	for _, piece := range []string{"(", "@{a=", "$(", "\"$(", "[x]", "@(", "{", "`", "$x[", "$a=", "${", "New-Object ", "-a:(", "'", "\"", "@'\n", "<#", "--% ", "$a.b(", ".b", "+"} {
		src := "$x = " + strings.Repeat(piece, 20000)
		cmds, diags := splitPowerShell(src, nil)
		checkSpans(t, src, cmds, diags)
		src = "iwr -Body " + strings.Repeat(piece, 20000)
		cmds, diags = splitPowerShell(src, nil)
		checkSpans(t, src, cmds, diags)
	}
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
		cmds, diags := splitPowerShell(src, map[string]string{"A": `x "y`, "b": ""})
		checkSpans(t, src, cmds, diags)
	})
}

// BenchmarkSplitPowerShell shows that the time grows with the input and no
// faster: the two sizes have the same MB/s.
func BenchmarkSplitPowerShell(b *testing.B) {
	piece := " -H 'a: it''s' -d \"x`\"y $z $($q)\" -d '{\\\"k\\\":1}' (1 + 2) $a.b/c `\n"
	benchmarkSplit(b, "curl.exe ", piece, splitPowerShell)
}
