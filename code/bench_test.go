package code_test

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"

	"uncoil/code"
	"uncoil/internal/edge/api"
	"uncoil/internal/engine"
)

// mainTargets are the targets that people ask for most.
var mainTargets = []string{"csharp", "go", "java", "javascript-fetch", "node-axios", "node-http", "php", "python-requests", "ruby", "rust-reqwest"}

// benchCommands returns the commands of the file that UNCOIL_COMMANDS names, a
// JSON array, as bench/peers.sh sets it, or else those of the goldens.
func benchCommands(b *testing.B) (list []string) {
	name := os.Getenv("UNCOIL_COMMANDS")
	if name == "" {
		return commands(b)
	}
	data, err := os.ReadFile(name)
	if err == nil {
		err = json.Unmarshal(data, &list)
	}
	if err != nil {
		b.Fatal(err)
	}
	return list
}

// perCommand runs work over and over, and reports what it takes for each of n
// commands.
func perCommand(b *testing.B, n int, work func()) {
	b.ReportAllocs()
	for b.Loop() {
		work()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/command")
}

// BenchmarkCode compares reading commands with reading them and writing a
// program for each of the main targets.
func BenchmarkCode(b *testing.B) {
	list := benchCommands(b)
	b.Run("parse", func(b *testing.B) {
		perCommand(b, len(list), func() {
			for _, c := range list {
				_, _ = engine.Parse(c, engine.Input{}) // errors are answers too
			}
		})
	})
	var targets []string
	for _, name := range mainTargets {
		if _, ok := code.Lookup(name); ok {
			targets = append(targets, name)
		}
	}
	var dst []byte
	write := func(target string) {
		for _, c := range list {
			r := api.Request{Curl: c, Want: api.Want{Target: target, Plain: true}}
			dst, _, _ = r.Answer(dst[:0], api.AsCode)
		}
	}
	b.Run("main", func(b *testing.B) {
		perCommand(b, len(list)*len(targets), func() {
			for _, target := range targets {
				write(target)
			}
		})
	})
	for _, target := range targets {
		b.Run("target="+target, func(b *testing.B) {
			perCommand(b, len(list), func() { write(target) })
		})
	}
}

// allocated returns how many bytes work allocates. No other test may run at the
// same time.
func allocated(work func()) int64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	work()
	runtime.ReadMemStats(&after)
	return int64(after.TotalAlloc - before.TotalAlloc)
}

// TestLinear holds that what a target allocates grows no faster than the
// command, in each of its parts.
func TestLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds")
	}
	repeat := func(s string) func(n int) string { return func(n int) string { return strings.Repeat(s, n) } }
	numbered := func(format string) func(n int) string {
		return func(n int) string {
			var b strings.Builder
			for i := range n {
				fmt.Fprintf(&b, format, i)
			}
			return b.String()
		}
	}
	for name, command := range map[string]func(n int) string{
		"fields":      numbered(" -H 'X-%d: v'"),
		"one field":   func(n int) string { return " -H 'X: " + repeat(`a"$ü\`)(n) + "'" },
		"same fields": repeat(" -H 'X: v'"),
		"removed":     numbered(" -H 'X-%d:'"),
		"query":       func(n int) string { return " -G" + numbered(" -d a%d=b")(n) },
		"form":        numbered(" -d a%d=b+c"),
		"encoded":     numbered(" --data-urlencode 'a%d=b c'"),
		"text": func(n int) string {
			return " -H 'Content-Type: text/plain' --data-binary $'" + repeat(`l\n\'"$`)(n) + "'"
		},
		"bytes":     func(n int) string { return ` --data-binary $'` + repeat(`\xff\x01a`)(n) + "'" },
		"JSON":      func(n int) string { return ` --json '{"a":[` + repeat(`{"b":1.5,"c":"ü"},`)(n) + `null]}'` },
		"deep JSON": func(n int) string { n = min(n, 2000); return ` --json '` + repeat("[")(n) + repeat("]")(n) + "'" },
		"parts":     numbered(" -F a%d=b"),
		"files":     numbered(" -F a%d=@f"),
		"pieces":    repeat(" -d a=b -d @f"),
		"variables": func(n int) string { return ` -d "` + repeat("a=$B&")(n) + `"` },
		"JSON variables": func(n int) string {
			return ` --json "{\"a\":[` + repeat(`\"$B\",`)(n) + `1]}"`
		},
		"cookies":  func(n int) string { return " -b '" + numbered("a%d=b; ")(n) + "'" },
		"requests": func(n int) string { return numbered(" http://h.test/%d")(min(n, 900)) },
	} {
		t.Run(name, func(t *testing.T) {
			const n = 200
			results := make([]*engine.Result, 3)
			for i := range results {
				var err error
				if results[i], err = engine.Parse("curl http://h.test/"+command(n<<i), engine.Input{}); err != nil {
					t.Fatal(err)
				}
			}
			for _, target := range code.Targets() {
				var bytes [3]int64
				var refused [3]bool
				for i, r := range results {
					code.ForgetPrograms()
					bytes[i] = allocated(func() {
						_, diags := target.Compose(nil, r.Requests, exactly)
						refused[i] = diags.Err() != nil
					})
				}
				if refused[0] != refused[2] {
					continue // cmd.exe takes no command of this length, and the hint tries other targets
				}
				// What doubles the command at most doubles the bytes, with room for
				// lists that grow by doubling.
				if bytes[2] > 5*bytes[0] && bytes[2]-bytes[1] > 3*(bytes[1]-bytes[0]) {
					t.Errorf("%s allocates %d bytes, for twice and four times as much %d and %d", target.Name, bytes[0], bytes[1], bytes[2])
				}
			}
		})
	}
}
