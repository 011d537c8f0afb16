package engine_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"uncoil/internal/engine"
)

// A growth makes a command of about n bytes that is long in one way.
type growth struct {
	name  string
	shell string
	make  func(n int) string
	most  int // how long a text may be; 0 for any length
}

// A text may be no longer than its limits allow: curl takes URLs of less than
// 8,000,000 bytes, and there may be 1,048,576 words.
const (
	maxURL        = 7 << 20
	maxShortWords = 6 << 20
)

var growths = []growth{
	{"body", "", func(n int) string { return "curl http://h.test/ -d '" + strings.Repeat("some text, ", n/11) + "'" }, 0},
	{"json", "", func(n int) string {
		return "curl --json '[" + strings.Repeat(`{"id":12,"name":"x y"},`, n/23) + "0]' http://h.test/"
	}, 0},
	{"form", "", func(n int) string { return "curl http://h.test/" + strings.Repeat(" -F 'name=some value'", n/21) }, 0},
	{"data", "", func(n int) string { return "curl http://h.test/" + strings.Repeat(" -d name=value", n/14) }, maxShortWords},
	{"headers", "", func(n int) string { return "curl http://h.test/" + numbered(" -H 'X-%d: some value'", n) }, 0},
	{"options", "", func(n int) string {
		return "curl http://h.test/" + strings.Repeat(" --silent --location --insecure", n/31)
	}, 0},
	{"url", "", func(n int) string { return "curl 'http://h.test/?" + strings.Repeat("name=value&", n/11) + "'" }, maxURL},
	{"path", "", func(n int) string { return "curl 'http://h.test/" + strings.Repeat("a/../b/", n/7) + "'" }, maxURL},
	{"escapes", "", func(n int) string { return `curl http://h.test/ -d "` + strings.Repeat(`\"a\\ `, n/6) + `"` }, 0},
	{"ansi", "", func(n int) string { return `curl http://h.test/ -d $'` + strings.Repeat(`\x41\n\u00e9`, n/12) + `'` }, 0},
	{"stretches", "", func(n int) string { return `curl http://h.test/ -d ''` + strings.Repeat(`'a'"b"\c`, n/8) }, 0},
	{"variables", "", func(n int) string {
		return `curl http://h.test/ -d "` + strings.Repeat("a text with $NAME, ", n/19) + `"`
	}, 0},
	{"pipe", "", func(n int) string {
		return "echo '" + strings.Repeat("some text, ", n/11) + "' | curl -d @- http://h.test/"
	}, 0},
	{"document", "", func(n int) string {
		return "curl -d @- http://h.test/ <<E\n" + strings.Repeat("some text, \n", n/12) + "E\n"
	}, 0},
	{"escaped document", "", func(n int) string {
		return "curl -d @- http://h.test/ <<E\n" + strings.Repeat("$NAME E \\\\ E\n", n/13) + "E\n"
	}, 0},
	{"list", "", func(n int) string { return "curl http://h.test/" + strings.Repeat(" | sort > out", n/13) }, 0},
	{"caret", "cmd", func(n int) string { return `curl http://h.test/ -d ^"` + strings.Repeat(`^\^"a^&^%% `, n/11) + `^"` }, 0},
	{"powershell", "powershell", func(n int) string { return "curl.exe http://h.test/ -d \"" + strings.Repeat("a`\"''b ", n/7) + `"` }, 0},
}

// numbered repeats a format with growing numbers up to n bytes.
func numbered(format string, n int) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// BenchmarkLinear shows the time for a byte as texts grow: it must not grow
// with them. Each text is converted a few times before the clock runs, because
// a process pays for memory that it touches first, and on a virtual machine
// that can cost more than the conversion.
func BenchmarkLinear(b *testing.B) {
	for _, g := range growths {
		for _, size := range []int{100, 10 << 10, 1 << 20, 10 << 20} {
			if g.most > 0 && size > g.most {
				continue
			}
			src := g.make(size)
			in := engine.Input{Shell: g.shell, Limits: engine.Limits{Bytes: 1 << 30}}
			b.Run(fmt.Sprintf("kind=%s/bytes=%d", g.name, size), func(b *testing.B) {
				b.SetBytes(int64(len(src)))
				dst := make([]byte, 0, 2*len(src))
				convert := func() {
					var err error
					if dst, err = appendConvert(dst[:0], src, in); err != nil {
						b.Fatal(err)
					}
				}
				for range 4 {
					convert()
				}
				for b.Loop() {
					convert()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(src)), "ns/byte")
			})
		}
	}
}

// TestMemoryIsLinear checks that a text ten times as long takes no more than
// about ten times the memory, in bytes and in pieces. It counts, so it depends
// on no clock.
func TestMemoryIsLinear(t *testing.T) {
	for _, g := range growths {
		t.Run(g.name, func(t *testing.T) {
			const size = 20 << 10
			bytes, pieces := memory(t, g, size)
			moreBytes, morePieces := memory(t, g, 10*size)
			if moreBytes > 15*bytes+size {
				t.Errorf("%d bytes of text take %d bytes, ten times as many take %d", size, bytes, moreBytes)
			}
			if morePieces > 15*pieces+100 {
				t.Errorf("%d bytes of text take %d allocations, ten times as many take %d", size, pieces, morePieces)
			}
		})
	}
}

// memory returns what a conversion allocates.
func memory(t *testing.T, g growth, size int) (bytes, pieces uint64) {
	t.Helper()
	src := g.make(size)
	dst := make([]byte, 0, 4*size)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := appendConvert(dst, src, engine.Input{Shell: g.shell, Limits: engine.Limits{Bytes: 1 << 30}}); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc, after.Mallocs - before.Mallocs
}
