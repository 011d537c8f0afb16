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

const oneLine = `{"curl":"curl h"}` + "\n"

// A light client is what the others of an attack are measured by: it sends short
// requests, a batch and probes.
type light struct {
	url, token, client string
	proxy              string
	command            string
}

// transport returns a client whose connections come from the light client's
// address, each for one request or kept.
func (l light) transport(keep bool) *http.Client {
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(l.proxy)}}
	return &http.Client{Timeout: 20 * time.Second, Transport: &http.Transport{DialContext: d.DialContext, DisableKeepAlives: !keep}}
}

// status sends a request and returns the status of the answer.
func (l light) status(client *http.Client, path, content string) int {
	status, _ := l.send(client, path, content)
	return status
}

// ask sends a request and returns whether it is answered as always.
func (l light) ask(client *http.Client, path, content, want string) bool {
	status, body := l.send(client, path, content)
	return status == 200 && strings.Contains(body, want)
}

// send sends a request and returns the answer. The status is 0 if there is none.
func (l light) send(client *http.Client, path, content string) (status int, body string) {
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
		return 0, ""
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return 0, ""
	}
	return response.StatusCode, string(text)
}

// measure sends a run of requests and fails the test unless 95 of a hundred are
// answered, and all probes.
func (l light) measure(t *testing.T) {
	t.Helper()
	fresh, kept := l.transport(false), l.transport(true)
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

// A row is what each connection of an attack does.
type row struct {
	name        string
	connections int // at the default limits
	// sends returns what a connection sends, with some header fields.
	sends func(n int, fields string) string
	attack
	token bool // the others have a token, and the attackers have none
}

// text is a sends for all connections.
func text(format string) func(int, string) string {
	return func(_ int, fields string) string { return fmt.Sprintf(format, fields) }
}

// slowContent is the beginning of a request whose content does not come.
const slowContent = "%s HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n%s\r\n"

func slow(request string) func(int, string) string {
	return text(fmt.Sprintf(slowContent, request, 100_000, "%s") + "curl ")
}

// largeContent is slow after 900 kB, and after less for those for which there is no
// room then.
func largeContent(n int, fields string) string {
	size := 900_000
	if n > 200 / *attackScale {
		size = []int{300_000, 100_000, 30_000, 10_000, 3000}[n%5]
	}
	return fmt.Sprintf(slowContent, "POST /api/convert", 1_000_000, fields) + strings.Repeat("c", size)
}

// rows returns the attacks.
func rows() []row {
	drips := attack{drip: "x"}
	// As many bytes come in a second at each scale, because they take the
	// processor, of which the limits share only conversions.
	large := attack{drip: "x", pause: 2500 * time.Millisecond / time.Duration(*attackScale)}
	batch := "POST /api/batch HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n%s\r\n" + fmt.Sprintf("%x\r\n%s\r\n", len(oneLine), oneLine)
	return []row{
		{"slow contents", 3000, slow("POST /api/convert"), drips, false},
		{"slow contents without a token", 3000, slow("POST /api/convert"), drips, true},
		{"slow contents at an unknown path", 3000, slow("POST /nope"), drips, false},
		{"slow contents with GET", 3000, slow("GET /healthz"), drips, false},
		{"large slow contents", 1500, largeContent, large, false},
		{"stalled batches", 400, text(batch), attack{}, false},
		{"answers that nobody reads", 3000, text(strings.Repeat("GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n%[1]s\r\n", 200)), attack{deaf: true}, false},
		{"silence", 3000, func(int, string) string { return "" }, attack{}, false},
	}
}

// Few addresses, or few clients behind a trusted proxy, cannot take the service
// from the others, whatever they keep waiting. With -short it is a sixth of the attacks.
func TestFewAddressesLeaveOthersServed(t *testing.T) {
	const proxy = "127.100.0.1"
	behind := func(client func(n int) string) func(int) string {
		return func(n int) string { return "X-Forwarded-For: " + client(n) + "\r\n" }
	}
	sources := []struct {
		name      string
		addresses int
		fields    func(n int) string // nil: not behind a proxy
	}{
		{"2 addresses", 2, nil},
		{"4 addresses", 4, nil},
		{"20 addresses", 20, nil},
		{"1 client behind a proxy", 0, behind(func(int) string { return "203.0.113.5" })},
		{"20 clients behind a proxy", 0, behind(func(n int) string { return fmt.Sprintf("203.0.%d.5", n%20) })},
		{"256 clients of one network behind a proxy", 0, behind(func(n int) string { return fmt.Sprintf("2001:db8:0:%x::1", n%256) })},
	}
	for i, row := range rows() {
		for k, source := range sources {
			if testing.Short() && (i%2 != 0 || (i+k)%3 != 0) {
				continue // every other row, from one source before a proxy and one behind it
			}
			sends := row.sends
			if source.fields != nil && sends(0, "x") == sends(0, "") {
				continue // names no client
			}
			t.Run(row.name+", "+source.name, func(t *testing.T) {
				a := row.attack
				a.addresses, a.connections = source.addresses, row.connections / *attackScale
				args := smallLimits()
				l := light{client: "198.51.100.7", command: "curl https://example.com"}
				fields := func(int) string { return "" }
				if source.fields != nil {
					args = append(args, "-trusted-proxies", proxy, "-hosts", "*")
					a.proxy, l.proxy = proxy, proxy
					fields = source.fields
				}
				a.sends = func(n int) string { return sends(n, fields(n)) }
				if row.token {
					const token = "a-token-of-the-tests"
					file := filepath.Join(t.TempDir(), "tokens")
					if err := os.WriteFile(file, []byte(token), 0o600); err != nil {
						t.Fatal(err)
					}
					args = append(args, "-token-file", file)
					l.token = token
				}
				r := serveProcess(t, args...)
				l.url = r.url
				a.begin(t, r)
				l.measure(t)
			})
		}
	}
}
