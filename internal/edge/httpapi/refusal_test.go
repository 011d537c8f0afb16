package httpapi

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// An answer to a request whose content does not come does not wait for it, and
// the connection ends soon after.
func TestAnswerDoesNotWaitForContent(t *testing.T) {
	var tokens Tokens
	if err := tokens.Load([]byte("0123456789abcdef")); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		head   string
		config Config
		status int
	}{
		"no token":       {"POST /api/convert", Config{Tokens: &tokens}, 401},
		"origin":         {"POST /api/convert HTTP/1.1\r\nOrigin: https://app.example.com", Config{}, 403},
		"no path":        {"POST /nope", Config{}, 404},
		"no method":      {"POST /healthz", Config{}, 405},
		"page":           {"GET /healthz", Config{}, 200},
		"type":           {"POST /api/batch HTTP/1.1\r\nContent-Type: text/csv", Config{}, 415},
		"no room":        {"POST /api/convert", Config{MaxHeld: 1000}, 503},
		"above the rate": {"POST /api/convert", Config{Rate: 1e-9, Burst: 1}, 429},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n, stop, wait := startPiped(t, test.config)
				if test.config.Rate > 0 {
					n.post(t, "/api/convert", typeText, strings.NewReader("curl h"))
				}
				c := n.dial()
				var drip sync.WaitGroup
				defer func() { c.Close(); drip.Wait() }()
				head := test.head
				if !strings.Contains(head, "HTTP/1.1") {
					head += " HTTP/1.1"
				}
				began := time.Now()
				fmt.Fprintf(c, "%s\r\nHost: h\r\nContent-Length: 100000\r\n\r\n", head)
				drip.Go(func() {
					for {
						if _, err := io.WriteString(c, "x"); err != nil {
							return
						}
						time.Sleep(50 * time.Millisecond)
					}
				})
				answer := bufio.NewReader(c)
				response, err := http.ReadResponse(answer, nil)
				if err != nil {
					t.Fatal(err)
				}
				_, _ = io.Copy(io.Discard, response.Body)
				if took := time.Since(began); response.StatusCode != test.status || took > 100*time.Millisecond || !response.Close {
					t.Errorf("%d after %v, %v", response.StatusCode, took, response.Header)
				}
				_, _ = io.Copy(io.Discard, answer)
				if took := time.Since(began); took > linger+time.Second {
					t.Errorf("the connection ends after %v", took)
				}
				stop()
				if err := wait(); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// A content that comes more slowly than the least rate is not waited for to the
// end of -read-timeout, and a steady one is.
func TestLeastRate(t *testing.T) {
	for perSecond, status := range map[int]int{100: 408, 5000: 200} {
		synctest.Test(t, func(t *testing.T) {
			n, stop, wait := startPiped(t, Config{})
			content, send := io.Pipe()
			var sender sync.WaitGroup
			sender.Go(func() {
				_, _ = io.WriteString(send, "curl h -d ")
				for range 12 {
					if _, err := io.WriteString(send, strings.Repeat("x", perSecond)); err != nil {
						return
					}
					time.Sleep(time.Second)
				}
				send.Close()
			})
			began := time.Now()
			code, _ := n.post(t, "/api/convert", typeText, content)
			if took := time.Since(began); code != status || (took < 7*time.Second) != (status == 408) {
				t.Errorf("%d bytes a second: %d after %v", perSecond, code, took)
			}
			content.Close()
			sender.Wait()
			stop()
			_ = wait()
		})
	}
}

// Whoever comes has a part of what may be held, however many hold the rest.
func TestHeldShares(t *testing.T) {
	server := newServer(Config{MaxHeld: 1 << 20}.withDefaults())
	from := func(n int) *client {
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = fmt.Sprintf("10.%d.0.1:1", n)
		return server.clients.of(r)
	}
	fill := func(c *client) (n int) {
		for server.held.take(c, 1<<10, false) == nil {
			n += 1 << 10
		}
		return n
	}
	if got := fill(from(0)); got != 1<<19 {
		t.Errorf("a client alone may hold %d", got)
	}
	for n := range 100 {
		fill(from(n))
	}
	if refused := server.held.take(from(200), 8<<10, true); refused != nil {
		t.Error("a short content finds no room:", refused)
	}
	if free := server.held.max - server.held.n.Load(); free < 1<<20/reservedPart-8<<10 {
		t.Errorf("%d bytes are free", free)
	}
}

// The clients of one network leave others their part.
func TestHeldShareOfNetwork(t *testing.T) {
	server := newServer(Config{MaxHeld: 1 << 20}.withDefaults())
	from := func(network, n int) *client {
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = fmt.Sprintf("[2001:db8:%x:%x::1]:1", network, n)
		return server.clients.of(r)
	}
	for n := range 256 {
		for server.held.take(from(1, n), 1<<10, true) == nil {
		}
	}
	if refused := server.held.take(from(2, 0), 100<<10, false); refused != nil {
		t.Error("a client of another network finds no room:", refused)
	}
}

// A batch that waits for its client makes room for one of another client, with an
// error that says where to go on.
func TestBatchMakesRoom(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux has all of 127.0.0.0/8")
	}
	url, stop, wait := start(t, Config{MaxBatches: 2, MaxClientBatches: 2})
	t.Cleanup(func() { stop(); _ = wait() }) // after the connections are closed
	begin := func(from string) (status int, lines *bufio.Reader) {
		d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
		c, err := d.Dial("tcp", strings.TrimPrefix(url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		_ = c.SetDeadline(time.Now().Add(20 * time.Second))
		line := `{"id":1,"curl":"curl h"}` + "\n"
		fmt.Fprintf(c, "POST /api/batch HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n", len(line), line)
		response, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			t.Fatal(err)
		}
		lines = bufio.NewReader(response.Body)
		_, _ = lines.ReadString('\n')
		return response.StatusCode, lines
	}
	ended := make(chan string, 2)
	for range 2 {
		_, lines := begin("127.1.0.1")
		go func() {
			rest, err := io.ReadAll(lines)
			ended <- fmt.Sprint(string(rest), err)
		}()
	}
	if status, _ := begin("127.1.0.1"); status != 429 {
		t.Errorf("a third batch of the client gets %d", status)
	}
	if status, _ := begin("127.2.0.1"); status != 200 {
		t.Errorf("a batch of another client gets %d", status)
	}
	if end := <-ended; !strings.HasPrefix(end, `{"id":null,"error":{"type":"/problems/unavailable"`) || !strings.HasSuffix(end, "\n<nil>") {
		t.Errorf("a batch that makes room goes on with %s", end)
	}
}

// The batch that makes room is the stalest one of the client with the most.
func TestStalestBatch(t *testing.T) {
	server := newServer(Config{MaxBatches: 3, MaxClientBatches: 2}.withDefaults())
	of := func(addr string, waited time.Duration) *stream {
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = addr + ":1"
		st := &stream{server: server, client: server.clients.of(r), control: http.NewResponseController(httptest.NewRecorder())}
		if waited > 0 {
			st.waits.Store(time.Now().Add(-waited).UnixNano())
		}
		return st
	}
	greedy := []*stream{of("10.1.0.1", time.Second), of("10.1.0.1", 2*time.Second)}
	other, third, fourth := of("10.2.0.1", 3*time.Second), of("10.3.0.1", 0), of("10.4.0.1", 0)
	for _, st := range []*stream{greedy[0], greedy[1], other, third} {
		if err := server.batches.add(st); err != nil {
			t.Fatal(err)
		}
	}
	if !greedy[1].evicted.Load() || other.evicted.Load() || server.batches.inFlight() != 3 {
		t.Error("the stalest batch of the client with the most stays")
	}
	if err := server.batches.add(fourth); err == nil {
		t.Error("a batch replaces one of a client with as many")
	}
	other.waits.Store(time.Now().Add(-2 * longWait).UnixNano())
	if err := server.batches.add(fourth); err != nil || !other.evicted.Load() {
		t.Error("a batch that has waited long stays:", err)
	}
}

// /readyz is false while all commands are refused for a while, and true again
// after one was taken.
func TestReadyWhileRefusing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := newServer(Config{}.withDefaults())
		s := newService(t, server.routes())
		expect := func(want int) {
			t.Helper()
			if w := s.do(t, httptest.NewRequest("GET", "/readyz", nil)); w.Code != want {
				t.Errorf("/readyz answers %d, want %d", w.Code, want)
			}
		}
		server.held.max = 0
		for range 7 {
			if w := s.post(t, "/api/convert", typeText, "curl h"); w.Code != 503 {
				t.Errorf("%d %s", w.Code, w.Body)
			}
			time.Sleep(time.Second)
		}
		expect(503)
		server.held.max = 1 << 20
		server.held.n.Store(1000 << 10)
		for range 7 {
			if w := s.post(t, "/api/convert", typeText, "curl h -d "+strings.Repeat("x", 100_000)); w.Code != 503 || w.Header().Get("Retry-After") != "5" {
				t.Errorf("a long content: %d %v", w.Code, w.Header())
			}
			time.Sleep(time.Second)
		}
		expect(200) // there was room for short ones
		s.post(t, "/api/convert", typeText, "curl h")
		expect(200)
		server.held.max = 0
		s.post(t, "/api/convert", typeText, "curl h")
		expect(200)
	})
}
