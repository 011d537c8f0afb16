package source

import (
	"strings"
	"testing"
)

func TestDetect(t *testing.T) {
	for _, c := range []struct {
		src       string
		want      Dialect
		ambiguous bool
	}{
		// Nothing in particular.
		{src: "", want: POSIX},
		{src: "curl http://h.test/x?a=1&b=2", want: POSIX},
		{src: `curl "http://h.test/" -d "{\"a\":\"100%\"}"`, want: POSIX},
		{src: `curl "http://h.test/?a=%20b%20c%C3abc%20%E4%BD"`, want: POSIX},
		{src: `curl -H "" -d '' http://h.test`, want: POSIX},
		{src: "curl.exe http://h.test -H 'A: b'", want: POSIX},

		// POSIX.
		{src: "curl 'http://h.test/' \\\n  -H 'A: b^' \\\n -d 'x`\n'", want: POSIX},
		{src: "curl 'http://h.test/?q=^\"x^\"\"y\"\"^\n%PATH% `\n$env:x Invoke-WebRequest' -d a", want: POSIX},
		{src: `curl -d 'it'\''s ""x""' h`, want: POSIX},
		{src: "curl -d $'a\\n^\n' h", want: POSIX},
		{src: "curl -d @- h <<EOF\n^\"a\"\" `\nEOF", want: POSIX},
		{src: "# it's ^\"here`\n$ curl h ^", want: POSIX},
		{src: "curl -d \"`date`\" -H \"X: `id`\"\n", want: POSIX},
		{src: "curl -d `cat x` \\\r\n h", want: POSIX},
		{src: "set -e\ncurl -d \"a ^{2}\" h", want: POSIX},
		{src: "```bash\ncurl h\n```", want: POSIX},
		{src: "curl 'https://127.0.0.''1:8080/p' -X 'OPTIO''NS' \"http:\"\"//localhost\"", want: POSIX},
		{src: `curl 'h''ttp://h.test' -d 'a''b' -H 'X-A''b: c d'`, want: POSIX},
		{src: `curl "ht""tp://h.test/""a" -d "a=b""&c=d""e"`, want: POSIX},
		{src: `curl "[""::1]/" -d "{""\"a\":1}"`, want: POSIX},
		{src: "curl http://$env:8080/ -d @{file} -d iwr -H 'A: irm'", want: POSIX},
		{src: "curl http://h.test/?a=b^", want: POSIX},

		// cmd.exe.
		{src: "curl ^\"http://h.test/^\" ^\n -H ^\"it's^\"", want: Cmd},
		{src: "curl \"http://h.test/\" ^\r\n  -H \"A: b\"", want: Cmd},
		{src: "curl \"http://h.test/\" ^ \n  -H \"A: b\"", want: Cmd},
		{src: "curl http://h.test/?a=1^&b=2", want: Cmd},
		{src: `curl "http://h.test/" --data-raw "{""a"":1}"`, want: Cmd, ambiguous: true},
		{src: `curl -H "A: %TOKEN%" http://h.test/`, want: Cmd, ambiguous: true},
		{src: `curl -H 'A: b' ^`, want: Cmd, ambiguous: true},
		{src: "C:\\Users\\me> curl http://h.test/", want: Cmd},
		{src: "@echo off\ncurl h", want: Cmd},
		{src: "rem it's\ncurl h", want: Cmd},
		{src: `curl "http://h.test/x" --data-binary "^{^\^"k^\^":^[^]^}"`, want: Cmd},
		{src: `curl "http://h.test/?a=^%^41"`, want: Cmd, ambiguous: true},
		{src: "set T=a\ncurl h", want: Cmd},
		{src: "```bat\ncurl h\n```", want: Cmd},
		{src: "```bash\ncurl h ^\n -d a\n```", want: Cmd},
		{src: `curl h -H "If-None-Match: ""abc""" -F "a=@b;filename=""c d"""`, want: Cmd, ambiguous: true},
		{src: `curl h -d "{""a"":"""",""b"":[""c"",""d e""]}"`, want: Cmd, ambiguous: true},
		{src: "curl \"http://h.test/\"^\n -d a", want: Cmd},
		{src: "curl -H 'A: %TOKEN%' -d \"%TOKEN%\" h", want: POSIX},

		// PowerShell.
		{src: "curl.exe \"http://h.test/\" `\n  -H 'A: b'", want: PowerShell},
		{src: "curl.exe \"http://h.test/\" `\r\n  -H 'A: b'", want: PowerShell},
		{src: "PS C:\\Users\\me> curl.exe h", want: PowerShell},
		{src: "curl.exe h -H \"A: $env:TOKEN\"", want: PowerShell},
		{src: "$session = New-Object X\niwr h", want: PowerShell},
		{src: "Invoke-WebRequest -Uri h", want: PowerShell},
		{src: "$h.Add('a', 'b')\nirm h", want: PowerShell},
		{src: "curl -Uri h -Headers @{a='b'}", want: PowerShell},
		{src: "curl h -Method Post", want: PowerShell},
		{src: "curl.exe --% -d \"a\" h", want: PowerShell},
		{src: "curl.exe h -d @'\n{\"a\":1}\n'@", want: PowerShell},
		{src: "curl.exe h -d \"{`\"a`\":1}\"", want: PowerShell},
		{src: "curl.exe h -d '{\\\"a\\\":1}'", want: PowerShell, ambiguous: true},
		{src: "curl h -d 'it''s so'", want: PowerShell, ambiguous: true},
		{src: "curl h -d 'name=O''Brien'", want: PowerShell, ambiguous: true},
		{src: `curl h -d '{"a":"we''ll, and don''t"}'`, want: PowerShell, ambiguous: true},
		{src: "curl h -d 'say ''hi'' to'", want: PowerShell, ambiguous: true},
		{src: "curl.exe h -d 'it''s'", want: PowerShell, ambiguous: true},
		{src: "```bash\ncurl h `\n -d a\n```", want: PowerShell},
		{src: "irm h", want: PowerShell},
		{src: "$x=1; irm h | iwr", want: PowerShell},
		{src: `curl h -H 'A: b' -d "{""a"":1}"`, want: PowerShell, ambiguous: true},
		{src: "```powershell\ncurl.exe h\n```", want: PowerShell},
	} {
		if d, because := detect(c.src); d != c.want || (because != "") != c.ambiguous {
			t.Errorf("%s\ndetected %v, ambiguous %q; want %v, %v", c.src, d, because, c.want, c.ambiguous)
		}
	}
}

func FuzzDetect(f *testing.F) {
	f.Add("curl ^\"a^\" -d '' \"\"\"\" %A% @\"\n `\n $x= --% <<")
	f.Fuzz(func(t *testing.T, src string) { detect(src) })
}

// BenchmarkDetect has nothing in the text that decides, so all of it is read.
func BenchmarkDetect(b *testing.B) {
	plain := "curl -X POST https://api.example.com/v1/items?x=1 -H 'Content-Type: application/json' -H \"Authorization: Bearer abcdef0123456789\" " +
		"-d '{\"name\": \"value\", \"list\": [1, 2, 3], \"text\": \"some more text\"}' --compressed -sS -o out.json"
	b.Run("size=plain", func(b *testing.B) {
		b.SetBytes(int64(len(plain)))
		b.ReportAllocs()
		for b.Loop() {
			detect(plain)
		}
	})
	for _, size := range []struct {
		name string
		n    int
	}{{"16k", 16 << 10}, {"1M", 1 << 20}} {
		piece := ` -H 'a: b' -d "c \"d\" %20 $x" '{"e": "%F%"}' @x -- `
		src := "curl" + strings.Repeat(piece, size.n/len(piece))
		b.Run("size="+size.name, func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				detect(src)
			}
		})
	}
}
