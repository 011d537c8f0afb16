package serve

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"uncoil/code"
	"uncoil/internal/proof/race"
)

// programs are commands of about n bytes whose programs take the most memory. They
// are sent for each target.
var programs = []struct {
	name    string
	command func(n int) string
}{
	{"program of many fields", func(n int) string {
		return "curl 'h/[1-1000]'" + strings.Repeat(" -H 'X: y'", min(n/10, 60))
	}},
	{"program of many lists", func(n int) string { return "curl 'h/[1-150]' --json '[" + strings.Repeat("2,", n/8) + "2]'" }},
	{"program of a long list", func(n int) string { return "curl h --json '[" + strings.Repeat("2,", n/2) + "2]'" }},
	{"program of many texts", func(n int) string { return "curl 'h/[1-700]' -d '" + strings.Repeat("x", n/8) + "'" }},
	{"program of many parts", func(n int) string { return "curl 'h/[1-50]'" + strings.Repeat(" -Fa=b", n/14) }},
	{"program of many variables", func(n int) string {
		var b strings.Builder
		for i := 0; b.Len() < n; i++ {
			fmt.Fprintf(&b, "$N%d.", i)
		}
		return `curl h -d "` + b.String() + `"`
	}},
}

// families are requests that take the most memory for their size, each made for
// a content of about n bytes.
var families = []struct {
	name, path, shell string
	command           func(n int) string
}{
	{"functions", "convert", "", func(int) string {
		return `curl --variable 'a=\' --expand-url 'h/{{a` + strings.Repeat(":json", 40) + "}}'"
	}},
	{"base64", "convert", "", func(int) string {
		return "curl --variable 'a=xxxxxxxx' --expand-url 'h/{{a" + strings.Repeat(":b64", 80) + "}}'"
	}},
	{"credentials", "convert", "powershell", func(int) string {
		return "$a='xxxxxxxx'\n" + strings.Repeat("$a=New-Object PSCredential($a,$a)\n", 40) + "irm h"
	}},
	{"padded range", "parse", "", func(n int) string { return "curl h/{" + strings.Repeat("0", n/2) + "1..10000}" }},
	{"long output name", "parse", "", func(n int) string {
		return "curl 'h/{" + strings.Repeat("a", n/2) + "}' -o '" + strings.Repeat("#1", n/4) + "'"
	}},
	{"dots", "parse", "", func(n int) string { return "curl 'h/[1-1000]/" + strings.Repeat("a/../", n/5) + "'" }},
	{"uploads", "parse", "", func(n int) string { return "curl h -T '[1-1000]" + strings.Repeat("x", n) + "'" }},
	{"pattern", "convert", "", func(n int) string {
		return `X=a; curl h -d "${X/` + strings.Repeat("b", n/2) + "/" + strings.Repeat("&", n/2) + `}"`
	}},
	{"body of PowerShell", "convert", "powershell", func(n int) string {
		return "$v='" + strings.Repeat("x", n/2) + "'\nirm h -Method Post -Body @{" + strings.Repeat("a=$v;", n/10) + "}"
	}},
	{"words", "parse", "", func(n int) string { return "curl h" + strings.Repeat(" a", n/2) }},
	{"fields", "parse", "", func(n int) string { return "curl h" + strings.Repeat(" -Ha:b", n/6) }},
	{"parts", "parse", "", func(n int) string { return "curl h" + strings.Repeat(" -Fa=", n/5) }},
	{"form", "parse", "", func(n int) string { return "curl h -d '" + strings.Repeat("a&", n/2) + "'" }},
	{"control characters", "parse", "", func(n int) string { return "curl h -d '" + strings.Repeat("\x01", n/6) + "'" }},
	{"JSON", "parse", "", func(n int) string {
		return "curl h --json '" + strings.Repeat("[", 400) + strings.Repeat("1,", n/2) + "'"
	}},
}

// A sending is a request to the service.
type sending struct {
	name, path string
	content    []byte
}

// sendings calls send for the families in some sizes, and for the programs in each
// target: as an answer, as a line of a batch and as the answer of a tool.
func sendings(send func(func() sending)) {
	for _, size := range []int{1 << 10, 60 << 10, 1000 << 10} {
		for _, f := range families {
			for range 2 { // beside itself, and beside the next
				send(func() sending {
					object := map[string]any{"curl": f.command(size * 9 / 10)}
					if f.shell != "" {
						object["shell"] = f.shell
					}
					return sending{f.name, "/api/" + f.path, jsonOf(object)}
				})
			}
		}
	}
	n := 0
	for _, target := range code.Targets() {
		for i := range 3 * len(programs) {
			f, size := programs[i/3], 600<<(3*(i%3))
			n++
			way := n % 4
			send(func() sending {
				name := f.name + ", " + target.Name
				object := map[string]any{"curl": f.command(size), "target": target.Name}
				switch way {
				case 0:
					call := map[string]any{"name": "curl_to_code", "arguments": object}
					return sending{name, "/mcp", jsonOf(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call})}
				case 1:
					return sending{name, "/api/batch?as=code", bytes.Repeat(jsonOf(object), 2)}
				}
				return sending{name, "/api/code", jsonOf(object)}
			})
		}
	}
}

// jsonOf returns a value as a line of JSON.
func jsonOf(v any) []byte {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(v)
	return b.Bytes()
}

// The bound that the log prints at the start holds, whatever is sent at full
// concurrency; every request is answered, and the service lives.
func TestMemoryBoundHolds(t *testing.T) {
	race.Skip(t)
	if runtime.GOOS != "linux" {
		t.Skip("the memory is read from /proc")
	}
	if testing.Short() {
		t.Skip("it takes all processors for a minute")
	}
	for name, flags := range map[string][]string{
		"usual":          nil,
		"one conversion": {"-max-conversions", "1", "-max-connections", "1000"}, // as deploy/kubernetes has it
	} {
		t.Run(name, func(t *testing.T) { memoryBoundHolds(t, flags) })
	}
}

func memoryBoundHolds(t *testing.T, flags []string) {
	r := serveProcess(t, append([]string{"-queue-timeout", "60s", "-write-timeout", "60s", "-read-timeout", "60s"}, flags...)...)
	bound := boundOf(t, r)
	var most atomic.Int64
	stop := make(chan struct{})
	var watching sync.WaitGroup
	watching.Go(func() {
		for {
			select {
			case <-stop:
				return
			case <-time.After(5 * time.Millisecond):
				most.Store(max(most.Load(), resident(r.cmd.Process.Pid)))
			}
		}
	})
	contents := make(chan func() sending, 64)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for next := range contents {
				s := next()
				began := time.Now()
				response, err := http.Post(r.url+s.path, "application/json", bytes.NewReader(s.content))
				if err != nil {
					t.Errorf("%s with %d bytes: %v", s.name, len(s.content), err)
					continue
				}
				n, _ := io.Copy(io.Discard, response.Body)
				response.Body.Close()
				if response.StatusCode >= 500 && response.StatusCode != 503 {
					t.Errorf("%s with %d bytes: %d", s.name, len(s.content), response.StatusCode)
				}
				if testing.Verbose() {
					t.Logf("%-20s %8d bytes: %d, %9d bytes, %v, %d MiB", s.name, len(s.content), response.StatusCode, n, time.Since(began).Round(time.Millisecond), most.Load()>>20)
				}
			}
		})
	}
	sendings(func(next func() sending) { contents <- next })
	close(contents)
	group.Wait()
	close(stop)
	watching.Wait()
	if code := r.convert(t, ""); code != 200 {
		t.Errorf("after that it answers %d", code)
	}
	t.Logf("at most %d MiB of %d", most.Load()>>20, bound>>20)
	if most.Load() > bound {
		t.Errorf("the process had %d bytes, and the bound is %d", most.Load(), bound)
	}
}

// boundOf returns the bound that the log prints.
func boundOf(t *testing.T, r *running) int64 {
	t.Helper()
	m := regexp.MustCompile(`"msg":"memory","bound":(\d+)`).FindStringSubmatch(strings.Join(r.seen, "\n"))
	if m == nil {
		t.Fatalf("the log does not tell the bound: %q", r.seen)
	}
	bound, err := strconv.ParseInt(m[1], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return bound
}

// resident returns how much memory a process has.
func resident(pid int) int64 {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	var size, pages int64
	_, _ = fmt.Sscan(string(text), &size, &pages)
	return pages * int64(os.Getpagesize())
}
