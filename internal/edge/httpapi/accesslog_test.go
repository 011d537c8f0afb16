package httpapi

import (
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// Many failures for one reason get few lines and one that counts the rest; what a
// client causes itself gets none.
func TestLogOfManyFailures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log syncBuffer
		server := newServer(Config{Log: slog.New(slog.NewTextHandler(&log, nil)), LogClients: true, MaxClientBatches: 1}.withDefaults())
		s := newService(t, server.routes())
		post := func(path, from string) int {
			r := httptest.NewRequest("POST", path, strings.NewReader("curl h"))
			r.RemoteAddr = from + ":1000"
			return s.do(t, r).Code
		}
		r := httptest.NewRequest("POST", "/api/batch", nil)
		r.RemoteAddr = "192.0.2.1:1"
		if err := server.batches.add(&stream{server: server, client: server.clients.of(r)}); err != nil {
			t.Fatal(err)
		}
		for range 100 {
			if code := post("/api/batch", "192.0.2.1"); code != 429 {
				t.Fatalf("a batch too many gets %d", code)
			}
		}
		if log.String() != "" {
			t.Errorf("the client's own limit is logged: %s", log.String())
		}
		server.held.max = 0
		for range 100 {
			if code := post("/api/convert", "[2001:db8::1]"); code != 503 {
				t.Fatalf("without room it answers %d", code)
			}
		}
		time.Sleep(2 * time.Second)
		post("/api/convert", "192.0.2.9")
		text := log.String()
		if n := strings.Count(text, "msg=request "); n != maxLines+1 {
			t.Errorf("%d lines", n)
		}
		for _, want := range []string{"client=2001:db8::/64", "client=192.0.2.9", `msg="requests without a line" code=overloaded more=90`} {
			if !strings.Contains(text, want) {
				t.Errorf("the log lacks %s: %s", want, text)
			}
		}
		time.Sleep(2 * time.Second)
	})
}

// A client that leaves in the middle of its content is counted apart from those
// whose requests are malformed.
func TestClientLeavesContent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log syncBuffer
		n, stop, wait := startPiped(t, Config{Log: slog.New(slog.NewTextHandler(&log, nil))})
		c := n.dial()
		_, _ = c.Write([]byte("POST /api/convert HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\ncurl"))
		c.Close()
		synctest.Wait()
		n.post(t, "/api/convert", typeJSON, strings.NewReader("{"))
		_, text := n.get(t, "/metrics")
		for _, want := range []string{`{route="/api/convert",status="none"} 1`, `{route="/api/convert",status="400"} 1`} {
			if !strings.Contains(text, want) {
				t.Errorf("the metrics lack %s", want)
			}
		}
		if strings.Contains(log.String(), "msg=request ") {
			t.Errorf("the log has %s", log.String())
		}
		stop()
		if err := wait(); err != nil {
			t.Error(err)
		}
	})
}
