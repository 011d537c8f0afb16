package bash

import (
	"strings"
	"testing"
)

// BenchmarkSplit holds the reader to a time that grows with the length of the
// text and no faster: the sizes of one kind have the same MB/s.
func BenchmarkSplit(b *testing.B) {
	for _, kind := range []struct{ name, head, piece, tail string }{
		{"body", "curl -d '", `{"a":"b c d"},`, "' h | jq ."},
		{"document", "curl -d @- h <<EOF\n", "a $X \"b\" 'c'\n", "EOF\n"},
		{"quoted-document", "curl -d @- h <<'EOF'\n", "a $X \"b\" 'c'\n", "EOF\n"},
		{"headers", "curl h | jq . ; curl", " \\\n  -H 'Accept-Language: en-US,en;q=0.9'", ""},
		{"assignments", "", "A=b\n", "curl $A"},
		{"expansions", "A=b; curl \"", "$A ", "\""},
		{"bytes", "curl <x '", "\xff\xfe", "'"},
		{"comments", "curl <x\n", "# curl b\n", ""},
	} {
		for _, size := range []struct {
			name string
			n    int
		}{{"10k", 10 << 10}, {"100k", 100 << 10}, {"1M", 1 << 20}} {
			src := kind.head + strings.Repeat(kind.piece, size.n/len(kind.piece)) + kind.tail
			b.Run("kind="+kind.name+"/size="+size.name, func(b *testing.B) {
				b.SetBytes(int64(len(src)))
				b.ReportAllocs()
				for b.Loop() {
					Split(src, 0, len(src), nil)
				}
			})
		}
	}
}
