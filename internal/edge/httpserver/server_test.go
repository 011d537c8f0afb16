package httpserver_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"uncoil/internal/edge/httpserver"
)

// start serves on a free port until the test ends. /busy and /slow send to begun,
// and answer when release is closed; /busy holds its connection.
func start(t *testing.T, s *httpserver.Server) (addr string, begun <-chan struct{}, release chan struct{}) {
	t.Helper()
	busy := make(chan struct{}, 10)
	release = make(chan struct{})
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "served") })
	mux.HandleFunc("/slow", func(http.ResponseWriter, *http.Request) {
		busy <- struct{}{}
		<-release
	})
	mux.HandleFunc("/busy", func(_ http.ResponseWriter, r *http.Request) {
		c := httpserver.ConnOf(r.Context())
		c.Hold()
		defer c.Release()
		busy <- struct{}{}
		<-release
	})
	s.Handler = mux
	addr, _ = serve(t, s)
	return addr, busy, release
}

// serve serves on a free port until the test ends, or stop is called.
func serve(t *testing.T, s *httpserver.Server) (addr string, stop func()) {
	t.Helper()
	s.Overflow = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) })
	s.Log = slog.New(slog.DiscardHandler)
	if s.Exempt == nil {
		s.Exempt = func(netip.Addr) bool { return false }
	}
	s.Probe = func(r *http.Request) bool { return r.URL.Path == "/probe" }
	s.Client = func(r *http.Request) netip.Addr { return netip.MustParseAddr(r.Header.Get("X-Client")) }
	s.Draining, s.Ending = func() {}, func() {}
	s.Grace = 5 * time.Second
	l, err := httpserver.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return l.Addr().String(), stop
}

// dial connects from an address of this machine.
func dial(t *testing.T, from, to string) net.Conn {
	t.Helper()
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	c, err := d.Dial("tcp", to)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	_ = c.SetDeadline(time.Now().Add(20 * time.Second))
	return c
}

// request sends a request and returns the status, or 0 if the connection is
// closed instead.
func request(c net.Conn, path string) int {
	fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: h\r\nX-Client: 192.0.2.1\r\n\r\n", path)
	response, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		return 0
	}
	_, _ = io.Copy(io.Discard, response.Body)
	response.Body.Close()
	return response.StatusCode
}

const one, other, far = "127.0.0.1", "127.0.0.2", "127.1.0.1"

// Idle connections make room for new ones, the oldest first; those that a handler
// holds do not.
func TestIdleConnectionsMakeRoom(t *testing.T) {
	s := &httpserver.Server{MaxConnections: 3, MaxClientConnections: 3}
	addr, begun, release := start(t, s)
	busy, idle := dial(t, one, addr), dial(t, one, addr)
	fmt.Fprint(busy, "GET /busy HTTP/1.1\r\nHost: h\r\n\r\n")
	<-begun
	if code := request(idle, "/"); code != 200 {
		t.Fatal(code)
	}
	for range 20 {
		if code := request(dial(t, other, addr), "/"); code != 200 {
			t.Fatalf("a new connection gets %d", code)
		}
		if n := s.Open(); n > 3 {
			t.Fatalf("%d connections are open", n)
		}
	}
	if code := request(idle, "/"); code != 0 {
		t.Errorf("the connection that was idle for longest gets %d", code)
	}
	close(release)
	response, err := http.ReadResponse(bufio.NewReader(busy), nil)
	if err != nil || response.StatusCode != 200 {
		t.Errorf("the request under way gets %v, %v", response, err)
	}
}

// When all places are held, a request is told to come again, and a probe is
// answered.
func TestOverflow(t *testing.T) {
	s := &httpserver.Server{MaxConnections: 64, MaxClientConnections: 64} // 60 places
	addr, begun, release := start(t, s)
	defer close(release)
	for range 60 {
		fmt.Fprint(dial(t, one, addr), "GET /busy HTTP/1.1\r\nHost: h\r\n\r\n")
		<-begun
	}
	for range 50 {
		for path, status := range map[string]int{"/probe": 200, "/": 503} {
			c := dial(t, other, addr)
			if code := request(c, path); code != status {
				t.Errorf("%s gets %d", path, code)
			}
			c.Close()
		}
	}
	if s.Refused() != 50 || s.Open() > 64 {
		t.Errorf("%d refused, %d evicted, %d open", s.Refused(), s.Evicted(), s.Open())
	}
}

// However many connections are silent, they keep away neither those that have a
// place nor probes of a client that has fewer.
func TestSilenceTakesNoPlace(t *testing.T) {
	s := &httpserver.Server{MaxConnections: 32, MaxClientConnections: 32}
	addr, _, _ := start(t, s)
	mine, probe := dial(t, other, addr), dial(t, other, addr)
	if code := request(mine, "/"); code != 200 {
		t.Fatal(code)
	}
	for range 200 {
		dial(t, far, addr)
	}
	waitFor(t, func() bool { return s.Evicted() == 200+2-32 })
	if code := request(probe, "/probe"); code != 200 {
		t.Errorf("a probe gets %d", code)
	}
	if code := request(mine, "/"); code != 200 {
		t.Errorf("a connection with a place gets %d", code)
	}
}

// Clients that keep many connections and open one more each do not drive out one
// that came before them, and sends its first request only now.
func TestNewcomerWaits(t *testing.T) {
	const network = "127.%d.0.1"
	addr, _, _ := start(t, &httpserver.Server{MaxConnections: 32, MaxClientConnections: 32}) // 2 of them reserved
	for n := range 30 {
		if code := request(dial(t, fmt.Sprintf(network, 1+n%2), addr), "/"); code != 200 {
			t.Fatal(code)
		}
	}
	newcomer := dial(t, "127.3.0.1", addr)
	for n := range 10 {
		dial(t, fmt.Sprintf(network, 1+n%2), addr)
	}
	if code := request(dial(t, "127.4.0.1", addr), "/probe"); code != 200 { // all before it are admitted then
		t.Fatal(code)
	}
	if code := request(newcomer, "/probe"); code != 200 {
		t.Errorf("the newcomer gets %d", code)
	}
}

// A request whose header is not understood is counted, and a connection that is
// closed between two requests is not.
func TestUnread(t *testing.T) {
	s := &httpserver.Server{MaxConnections: 32, MaxClientConnections: 32}
	addr, _, _ := start(t, s)
	junk, empty, good := dial(t, one, addr), dial(t, one, addr), dial(t, one, addr)
	fmt.Fprint(junk, "\x16\x03\x01\r\n\r\n")
	_, _ = io.Copy(io.Discard, junk)
	waitFor(t, func() bool { return s.Unread() == 1 })
	if code := request(good, "/"); code != 200 {
		t.Fatal(code)
	}
	empty.Close()
	good.Close()
	waitFor(t, func() bool { return s.Open() == 0 })
	if n := s.Unread(); n != 1 {
		t.Errorf("%d are counted", n)
	}
}

// One address with thousands of idle connections leaves the others served.
func TestManyIdleConnections(t *testing.T) {
	s := &httpserver.Server{MaxConnections: 400, MaxClientConnections: 100}
	addr, _, _ := start(t, s)
	mine := dial(t, other, addr)
	if code := request(mine, "/"); code != 200 {
		t.Fatal(code)
	}
	for range 2000 {
		d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(one)}}
		c, err := d.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
	}
	waitFor(t, func() bool { return s.Open() == 101 })
	if code := request(mine, "/"); code != 200 {
		t.Errorf("a connection of another client gets %d", code)
	}
	for _, from := range []string{one, other} {
		if code := request(dial(t, from, addr), "/"); code != 200 {
			t.Errorf("a new connection from %s gets %d", from, code)
		}
	}
}

// A connection whose request waits for its client makes room, and the first one is
// of the client, in the network, that has most of them.
func TestSlowConnectionsMakeRoom(t *testing.T) {
	s := &httpserver.Server{MaxConnections: 7, MaxClientConnections: 7}
	addr, begun, release := start(t, s)
	var slow []net.Conn
	for _, from := range []string{far, one, one, other, other, other} {
		c := dial(t, from, addr)
		fmt.Fprint(c, "GET /slow HTTP/1.1\r\nHost: h\r\n\r\n")
		<-begun
		slow = append(slow, c)
	}
	for range 2 {
		if code := request(dial(t, far, addr), "/"); code != 200 {
			t.Fatalf("a new connection gets %d", code)
		}
	}
	close(release)
	// The first of other, which had the most; then the first of one, because it
	// is the oldest among equals.
	for i, want := range []bool{true, false, true, false, true, true} {
		_, err := http.ReadResponse(bufio.NewReader(slow[i]), nil)
		if got := err == nil; got != want {
			t.Errorf("connection %d: %v", i, err)
		}
	}
	if s.Evicted() != 2 || s.Refused() != 0 {
		t.Errorf("%d evicted, %d refused", s.Evicted(), s.Refused())
	}
}

// When there is no room, the connections of a proxy count for the clients of
// their requests.
func TestClientOfProxy(t *testing.T) {
	s := &httpserver.Server{MaxConnections: 6, MaxClientConnections: 1, // 5 places
		Exempt: func(addr netip.Addr) bool { return addr == netip.MustParseAddr(one) }}
	addr, begun, release := start(t, s)
	ask := func(client, path string) net.Conn {
		c := dial(t, one, addr)
		fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: h\r\nX-Client: %s\r\n\r\n", path, client)
		<-begun
		return c
	}
	light := ask("192.0.2.2", "/slow")
	var greedy []net.Conn
	for range 4 {
		greedy = append(greedy, ask("192.0.2.1", "/slow"))
	}
	if n := s.Busiest(); n != 4 {
		t.Errorf("the busiest client has %d connections", n)
	}
	other := ask("192.0.2.3", "/slow")
	close(release)
	for i, c := range append(greedy, light, other) {
		if _, err := http.ReadResponse(bufio.NewReader(c), nil); (err == nil) != (i > 0) {
			t.Errorf("connection %d: %v", i, err)
		}
	}
	if code := request(greedy[3], "/"); code != 200 {
		t.Errorf("a connection that is used again gets %d", code)
	}
	if n := s.Busiest(); n != 3 {
		t.Errorf("the busiest client has %d connections that are idle", n)
	}
}

// A server that stops loses none of the clients that connect meanwhile: they are
// answered or refused.
func TestStopLosesNoConnection(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux lets the backlog become empty")
	}
	s := &httpserver.Server{MaxConnections: 100, MaxClientConnections: 100}
	s.Handler = http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})
	addr, stop := serve(t, s)
	var answered atomic.Int64
	var clients sync.WaitGroup
	for range 8 {
		clients.Go(func() {
			for {
				c, err := net.Dial("tcp", addr)
				if err != nil {
					if !errors.Is(err, syscall.ECONNREFUSED) {
						t.Error(err)
					}
					return
				}
				if code := request(c, "/"); code != 200 {
					t.Errorf("after %d answers: %d", answered.Load(), code)
				}
				c.Close()
				answered.Add(1)
			}
		})
	}
	waitFor(t, func() bool { return answered.Load() > 200 })
	stop()
	clients.Wait()
}

// A proxy speaks for many clients, and may have as many connections as there
// are.
func TestExempt(t *testing.T) {
	s := &httpserver.Server{MaxConnections: 50, MaxClientConnections: 1,
		Exempt: func(addr netip.Addr) bool { return addr == netip.MustParseAddr(one) }}
	addr, _, _ := start(t, s)
	var all []net.Conn
	for range 20 {
		c := dial(t, one, addr)
		if code := request(c, "/"); code != 200 {
			t.Fatal(code)
		}
		all = append(all, c)
	}
	if code := request(all[0], "/"); code != 200 {
		t.Errorf("the first connection of the proxy gets %d", code)
	}
}

func waitFor(t *testing.T, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); !done(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("it does not come to pass")
		}
	}
}
