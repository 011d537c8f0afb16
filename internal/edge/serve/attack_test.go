package serve

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"uncoil/internal/edge/httpapi"
)

// An attack is what many connections of a few addresses do. Each comes again
// after it is closed.
type attack struct {
	addresses, connections int
	// sends returns what the n-th connection sends before it waits.
	sends func(n int) string
	drip  string        // sent each second after that
	deaf  bool          // reads no answer
	proxy string        // if it is set, all connections come from it
	pause time.Duration // before a connection comes again; 0: half a second
}

// from returns the address of the n-th connection, each in a network of its own.
func (a attack) from(n int) string {
	if a.proxy != "" {
		return a.proxy
	}
	return fmt.Sprintf("127.%d.0.1", 1+n%a.addresses)
}

// begin starts the attack, which lasts until the test ends, and waits until each
// connection has sent its text once.
func (a attack) begin(t *testing.T, r *running) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("only Linux has all of 127.0.0.0/8")
	}
	ctx, stop := context.WithCancel(t.Context())
	var ended, begun sync.WaitGroup
	for n := range a.connections {
		begun.Add(1)
		ended.Go(func() {
			first := sync.OnceFunc(begun.Done)
			defer first()
			for ctx.Err() == nil {
				a.connect(ctx, r, n, first)
				select {
				case <-ctx.Done():
				case <-time.After(cmp.Or(a.pause, 500*time.Millisecond)):
				}
			}
		})
	}
	t.Cleanup(func() { stop(); ended.Wait() })
	begun.Wait()
}

// connect opens the n-th connection and waits until the service closes it.
func (a attack) connect(ctx context.Context, r *running, n int, sent func()) {
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(a.from(n))}}
	c, err := d.DialContext(ctx, "tcp", strings.TrimPrefix(r.url, "http://"))
	if err != nil {
		return
	}
	defer context.AfterFunc(ctx, func() { c.Close() })()
	defer c.Close()
	_, _ = io.WriteString(c, a.sends(n))
	sent()
	answer := make([]byte, 4<<10)
	for {
		_ = c.SetDeadline(time.Now().Add(time.Second))
		if a.deaf {
			select {
			case <-ctx.Done():
			case <-time.After(time.Second):
			}
		} else if _, err := c.Read(answer); err == nil {
			continue
		} else if !os.IsTimeout(err) {
			return
		}
		_ = c.SetDeadline(time.Now().Add(time.Second))
		if _, err := io.WriteString(c, a.drip); err != nil && !os.IsTimeout(err) {
			return
		}
	}
}

// slowContent returns the beginning of a request whose content does not come.
func slowContent(path string, length int, fields, begins string) string {
	return fmt.Sprintf("POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n%s\r\n%s", path, length, fields, begins)
}

const oneLine = `{"curl":"curl h"}` + "\n"

// A light client is what the others of an attack are measured by: it sends short
// requests, a batch and probes.
type light struct {
	url, token, client string
	proxy              string
	command            string
}

// ask sends a request over a connection of its own, or a kept one, and returns
// whether it is answered as always.
func (l light) ask(client *http.Client, path, content, want string) bool {
	method := "POST"
	if content == "" {
		method = "GET"
	}
	request, _ := http.NewRequest(method, l.url+path, strings.NewReader(content))
	request.Header.Set("Content-Type", "text/plain")
	request.Header.Set("Authorization", "Bearer "+l.token)
	request.Header.Set("X-Forwarded-For", l.client)
	response, err := client.Do(request)
	if err != nil {
		return false
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return err == nil && response.StatusCode == 200 && strings.Contains(string(body), want)
}

// measure sends a run of requests and fails the test unless 95 of a hundred are
// answered, and all probes.
func (l light) measure(t *testing.T) {
	t.Helper()
	transport := func(keep bool) *http.Client {
		d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(l.proxy)}}
		return &http.Client{Timeout: 20 * time.Second, Transport: &http.Transport{DialContext: d.DialContext, DisableKeepAlives: !keep}}
	}
	fresh, kept := transport(false), transport(true)
	defer kept.CloseIdleConnections()
	const rounds = 50
	answered, probes := 0, 0
	for range rounds {
		for _, client := range []*http.Client{fresh, kept} {
			if l.ask(client, "/api/convert", l.command, `"url"`) {
				answered++
			}
		}
		for _, path := range []string{"/healthz", "/readyz"} {
			if l.ask(fresh, path, "", "") {
				probes++
			}
		}
		time.Sleep(20 * time.Millisecond)
	}
	batches := 0
	for range 20 {
		if l.ask(fresh, "/api/batch", oneLine+oneLine, `"result"`) {
			batches++
		}
	}
	if answered < 2*rounds*95/100 || batches < 19 {
		t.Errorf("another client gets %d of %d answers, and %d of 20 batches", answered, 2*rounds, batches)
	}
	if probes != 2*rounds {
		t.Errorf("%d of %d probes are answered", probes, 2*rounds)
	}
	t.Logf("%d of %d answers, %d of 20 batches, %d of %d probes", answered, 2*rounds, batches, probes, 2*rounds)
}

// attackScale divides the default limits and the connections of the attacks. With 1
// they take several minutes and both processors of a small machine.
var attackScale = flag.Int("attack.scale", 5, "how many times smaller than the default limits are those of the attacked service, and the attacks")

func smallLimits() (flags []string) {
	d := httpapi.Defaults()
	for name, limit := range map[string]int{"max-connections": d.MaxConnections, "max-requests": d.MaxRequests, "max-held": d.MaxHeld, "max-batches": d.MaxBatches} {
		flags = append(flags, "-"+name, strconv.Itoa(limit / *attackScale))
	}
	return flags
}

// Few addresses, or few clients behind a trusted proxy, cannot take the service
// from the others, whatever they keep waiting.
func TestFewAddressesLeaveOthersServed(t *testing.T) {
	const token = "a-token-of-the-tests"
	few := func(addresses, connections int, sends string) attack {
		return attack{addresses: addresses, connections: connections / *attackScale, sends: func(int) string { return sends }, drip: "x"}
	}
	slow := slowContent("/api/convert", 100_000, "", "curl ")
	const proxy = "127.100.0.1"
	behindProxy := func(client func(n int) string) attack {
		return attack{connections: 3000 / *attackScale, proxy: proxy, drip: "x", sends: func(n int) string {
			return slowContent("/api/convert", 100_000, "X-Forwarded-For: "+client(n)+"\r\n", "curl ")
		}}
	}
	large := func(addresses, connections int) attack {
		// As many bytes come in a second at each scale, because they take the
		// processor, of which the limits share only conversions.
		pause := 2500 * time.Millisecond / time.Duration(*attackScale)
		return attack{addresses: addresses, connections: connections / *attackScale, pause: pause, drip: "x", sends: func(n int) string {
			size := 900_000
			if n > 200 / *attackScale { // what is too small for a large one
				size = []int{300_000, 100_000, 30_000, 10_000, 3000}[n%5]
			}
			return slowContent("/api/convert", 1_000_000, "", strings.Repeat("c", size))
		}}
	}
	batches := few(20, 400, "POST /api/batch HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"+fmt.Sprintf("%x\r\n%s\r\n", len(oneLine), oneLine))
	batches.drip = ""
	deaf := few(20, 3000, strings.Repeat("GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n", 200))
	deaf.drip, deaf.deaf = "", true
	silent := few(20, 3000, "")
	silent.drip = ""
	for _, test := range []struct {
		name  string
		token bool // the others have a token, and the attackers have none
		long  bool // the others send contents that are not short
		attack
	}{
		{"slow contents of 2 addresses", false, false, few(2, 1000, slow)},
		{"slow contents of 4 addresses", false, false, few(4, 3000, slow)},
		{"slow contents of 20 addresses", false, false, few(20, 3000, slow)},
		{"slow contents of a client behind a proxy", false, false, behindProxy(func(int) string { return "203.0.113.5" })},
		{"slow contents of 20 clients behind a proxy", false, false, behindProxy(func(n int) string { return fmt.Sprintf("203.0.%d.5", n%20) })},
		{"slow contents of 256 networks of a customer", false, false, behindProxy(func(n int) string { return fmt.Sprintf("2001:db8:0:%x::1", n%256) })},
		{"refused without a token, 4 addresses", true, false, few(4, 3000, slow)},
		{"refused without a path, 20 addresses", false, false, few(20, 3000, slowContent("/nope", 100_000, "", "x"))},
		{"a page with a content, 20 addresses", false, false, few(20, 3000, strings.Replace(slowContent("/healthz", 100_000, "", "x"), "POST", "GET", 1))},
		{"large contents of 2 addresses", false, true, large(2, 950)},
		{"large contents of 20 addresses", false, false, large(20, 1500)},
		{"batches of 20 addresses", false, false, batches},
		{"answers that 20 addresses do not read", false, false, deaf},
		{"silence of 20 addresses", false, false, silent},
	} {
		t.Run(test.name, func(t *testing.T) {
			args := smallLimits()
			l := light{client: "198.51.100.7", command: "curl https://example.com"}
			if test.long {
				l.command += " -d " + strings.Repeat("x", 30_000)
			}
			if test.proxy != "" {
				args = append(args, "-trusted-proxies", proxy, "-hosts", "*")
				l.proxy = proxy
			}
			if test.token {
				file := filepath.Join(t.TempDir(), "tokens")
				if err := os.WriteFile(file, []byte(token), 0o600); err != nil {
					t.Fatal(err)
				}
				args = append(args, "-token-file", file)
				l.token = token
			}
			r := serveProcess(t, args...)
			l.url = r.url
			test.begin(t, r)
			l.measure(t)
		})
	}
}
