package shell

import (
	"strings"
	"testing"

	"uncoil/diag"
	"uncoil/internal/meter"
	"uncoil/internal/shell/shelltest"
)

// splitPOSIX is what the fast reader makes of a text.
func splitPOSIX(src string, env map[string]string) ([]Command, diag.List) {
	l := readPOSIX(src, env)
	return l.commands, l.diags
}

func TestSplitPOSIX(t *testing.T) {
	for _, c := range []shelltest.Case{
		{Name: "words", Src: "curl a 'b c' \"d \\\"e\\\" $\" f\\ g $'h\\ti' ''", Args: []string{"curl", "a", "b c", `d "e" $`, "f g", "h\ti", ""}},
		{Name: "lines", Src: "curl a \\\n b\\\nc\ncurl d # e's\n# f's\n", Want: [][]string{{"curl", "a", "bc"}, {"curl", "d"}}},
		{Name: "carriage returns", Src: "curl a \\\r\n 'b\r\nc'\r\ncurl d\r\n", Want: [][]string{{"curl", "a", "b\r\nc"}, {"curl", "d"}}},
		{Name: "a blank behind the backslash", Src: "curl a \\ \n b", Args: []string{"curl", "a", "b"}, Codes: "pasted-noise"},
		{Name: "a backslash at the end", Src: "curl a \\", Args: []string{"curl", "a"}, Codes: "pasted-noise"},
		{Name: "a no-break space", Src: "curl\u00a0a", Args: []string{"curl", "a"}, Codes: "pasted-noise"},
		{Name: "typographic quotes", Src: "curl -H “A: b” ‘c d’ e’s", Args: []string{"curl", "-H", "A: b", "c d", "e’s"}, Codes: "unicode-quote unicode-quote"},
		{Name: "a prompt", Src: "$ curl a", Args: []string{"curl", "a"}, Codes: "pasted-noise"},
		{Name: "a prompt with a host", Src: "me@host:~/dir$ curl a", Args: []string{"curl", "a"}, Codes: "pasted-noise"},
		{Name: "a prompt in brackets", Src: "[me@host dir]# curl a", Args: []string{"curl", "a"}, Codes: "pasted-noise"},
		{Name: "an environment", Src: "(venv) me@host ~ % curl a", Args: []string{"curl", "a"}, Codes: "pasted-noise"},
		{
			Name: "a session", Src: "$ curl a\n{\"it's\": 1}\n\n$ curl b\nHTTP/1.1 200 OK\ncurl: (6) it's\n",
			Want: [][]string{{"curl", "a"}, {"curl", "b"}}, Codes: "pasted-noise pasted-noise pasted-noise pasted-noise",
		},
		{Name: "one prompt for all", Src: "$ curl a\ncurl b", Want: [][]string{{"curl", "a"}, {"curl", "b"}}, Codes: "pasted-noise"},
		{Name: "a fence", Src: "```bash\ncurl a\n```\n", Args: []string{"curl", "a"}, Codes: "pasted-noise"},
		{
			Name: "an answer in Markdown",
			Src:  "Here's how:\n\n```bash\ncurl a\n```\n\nThat's it. It prints\n\n```json\n{\"it's\": 1}\n```\n\nThen:\n  ```sh\n  curl b\n  ```\nIt's done.\n",
			Want: [][]string{{"curl", "a"}, {"curl", "b"}}, Codes: "pasted-noise pasted-noise pasted-noise pasted-noise",
		},
		{Name: "backticks", Src: " `curl a` ", Args: []string{"curl", "a"}, Codes: "pasted-noise"},
		{Name: "a fence in data", Src: "curl -d '\n```\nx\n```\n' a", Args: []string{"curl", "-d", "\n```\nx\n```\n", "a"}},
		{Name: "unterminated", Src: "curl 'a", Want: nil, Codes: "unterminated-quote"},
	} {
		t.Run(c.Name, func(t *testing.T) { c.Run(t, splitPOSIX) })
	}
}

// What needs the grammar of the shell is left to the bash package.
func TestPOSIXDeclines(t *testing.T) {
	for _, src := range []string{
		"echo a | curl b", "curl a |", "| curl a", "curl a;; curl b", "true && curl a", "curl a &", "curl a &> b", "curl a |& b", "curl a >", "curl a \\\n> b", "curl <b", "(curl a)", "curl `a`", "curl $(a)", "curl \"$(a)\"", "curl ${A:-b}",
		"curl {a,b}", "curl {1..3}", "curl {'a,b',c}", "curl $[1+2]", "A=b\ncurl $A", "export A=b\ncurl $A", "for i in a\ndo\ncurl $i\ndone", "curl $KNOWN", "curl \"${KNOWN}\"", "curl $A\\\nB",
		"$ curl -d 'a\n> b' c", "$ curl a \\\n> b",
	} {
		if r := Split(src, POSIX, map[string]string{"KNOWN": "x"}, meter.New(len(src), meter.Limits{}, nil)); !r.Declined {
			t.Errorf("%q is not declined: %v", src, shelltest.Texts(r.Commands))
		}
	}
}

func FuzzPOSIX(f *testing.F) {
	for _, src := range []string{
		"$ curl -H “A: b” 'c d' \"e $f ${g}\" $'h\\x41' i\\ j {k} \\ \n l \\", "```sh\ncurl a # b\n```\nIt's\n```\ncurl c", "# curl a \\\n b\u00a0c\r\n> curl d",
		"me@host:~$ curl a\n{\n\n$ A=b curl c\n",
	} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		cmds, diags := splitPOSIX(src, map[string]string{"A": "x"})
		shelltest.CheckSpans(t, src, cmds, diags)
	})
}

// BenchmarkSplit holds each dialect to a time that grows with the length of
// the text and no faster: the sizes of one kind have the same MB/s.
func BenchmarkSplit(b *testing.B) {
	for _, kind := range []struct {
		name              string
		head, piece, tail string
		dialect           Dialect
	}{
		{"posix/body", "curl -d '", `{"a":"b c d"},`, "' h.test", POSIX},
		{"posix/headers", "curl h.test", " \\\n  -H 'Accept-Language: en-US,en;q=0.9'", "", POSIX},
		{"posix/words", "curl", " a", "", POSIX},
		{"posix/quotes", "curl ", `a'b'"c"\d$'e'`, "", POSIX},
		{"posix/lines", "", "curl a\n", "", POSIX},
		{"posix/braces", "curl ", "{", "", POSIX},
		{"posix/curly", "curl ", "“a ", "", POSIX},
		{"posix/variables", "curl ", "$a", "", POSIX},
		{"posix/session", "$ curl a\n", "x's\n", "", POSIX},
		{"posix/comments", "curl a\n", "# curl b\n", "", POSIX},
		{"posix/prompts", "", "> ", "", POSIX},
		{"posix/fences", "", "```\n", "", POSIX},
		{"cmd/body", `curl -d ^"`, `^{^\^"a^\^":^\^"b c d^\^"^},`, `^" h.test`, Cmd},
		{"cmd/doubled", `curl -d "`, `{""a"":""b c d""},`, `" h.test`, Cmd},
		{"cmd/headers", "curl h.test", " ^\n  -H \"Accept-Language: en-US,en;q=0.9\"", "", Cmd},
		{"cmd/words", "curl", " a", "", Cmd},
		{"cmd/lines", "", "curl a\n", "", Cmd},
		{"cmd/slashes", `curl "`, `\`, `"`, Cmd},
		{"cmd/carets", "curl ", "^", "", Cmd},
		{"cmd/percents", "curl ", "%a", "", Cmd},
		{"cmd/sets", "", "set a=%a%b\n", "", Cmd},
		{"powershell/body", "curl.exe -d '", `{"a":"b c d"},`, "' h.test", PowerShell},
		{"powershell/headers", "curl.exe h.test", " `\n  -H 'Accept-Language: en-US,en;q=0.9'", "", PowerShell},
		{"powershell/table", "iwr h.test -Headers @{", "'a'='b';", "}", PowerShell},
		{"powershell/words", "curl.exe", " a", "", PowerShell},
		{"powershell/lines", "", "curl.exe a\n", "", PowerShell},
		{"powershell/groups", "curl.exe ", "(", "", PowerShell},
		{"powershell/dollars", "curl.exe ", "$a", "", PowerShell},
		{"auto/body", "curl -d '", `{"a":"b c d"},`, "' h.test", Auto},
		{"auto/headers", "curl h.test", " \\\n  -H 'Accept-Language: en-US,en;q=0.9'", "", Auto},
		{"auto/double", `curl "`, `a^b`, `"`, Auto},
		{"auto/singles", "curl ", "'a", "", Auto},
	} {
		for _, size := range []struct {
			name string
			n    int
		}{{"100", 100}, {"10k", 10 << 10}, {"1M", 1 << 20}, {"10M", 10 << 20}} {
			src := kind.head + strings.Repeat(kind.piece, size.n/len(kind.piece)) + kind.tail
			b.Run("kind="+kind.name+"/size="+size.name, func(b *testing.B) {
				b.SetBytes(int64(len(src)))
				b.ReportAllocs()
				for b.Loop() {
					r := Split(src, kind.dialect, nil, meter.New(len(src), meter.Limits{}, nil))
					Curls(r.Commands)
				}
			})
		}
	}
}
