package source

import (
	"strings"
	"testing"

	"uncoil/internal/engine/meter"
)

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
					r := Split(src, kind.dialect, nil, meter.New(len(src), meter.Limits{}, nil), nil)
					Curls(r.Commands)
				}
			})
		}
	}
}
