package httpapi

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"uncoil/internal/edge/httpserver"
)

// start serves on a free port. The returned function waits for the end.
func start(t *testing.T, c Config) (url string, stop context.CancelFunc, wait func() error) {
	t.Helper()
	l, err := httpserver.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- Serve(ctx, l, c) }()
	return "http://" + l.Addr().String(), stop, func() error { return <-ended }
}

func status(t *testing.T, url string) int {
	t.Helper()
	response, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	return response.StatusCode
}

// When told to stop, the service first answers that it is not ready, then ends
// what is in flight.
func TestServeStopsCleanly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log syncBuffer
		n, stop, wait := startPiped(t, Config{
			DrainDelay: time.Second,
			Log:        slog.New(slog.NewTextHandler(&log, nil)),
		})
		if code, _ := n.get(t, "/readyz"); code != 200 {
			t.Fatalf("/readyz answers %d", code)
		}
		content, send := io.Pipe()
		answered := make(chan int)
		go func() {
			code, _ := n.post(t, "/api/convert", typeText, content)
			answered <- code
		}()
		fmt.Fprint(send, "curl ")

		stop()
		synctest.Wait()
		for path, want := range map[string]int{"/readyz": 503, "/healthz": 200} {
			if code, _ := n.get(t, path); code != want {
				t.Errorf("while draining, %s answers %d", path, code)
			}
		}
		time.Sleep(2 * time.Second)
		fmt.Fprint(send, "https://example.com")
		send.Close()
		if code := <-answered; code != 200 {
			t.Errorf("the request in flight gets %d", code)
		}
		if err := wait(); err != nil {
			t.Error(err)
		}
		for _, line := range []string{"listening", "stopping", "stopped"} {
			if !strings.Contains(log.String(), "msg="+line) {
				t.Errorf("the log lacks %s: %s", line, log.String())
			}
		}
	})
}

// A request that does not end is cut off after the grace period.
func TestServeCutsOffAfterGrace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const grace = time.Second
		n, stop, wait := startPiped(t, Config{Grace: grace})
		content, send := io.Pipe()
		go n.post(t, "/api/convert", typeText, content)
		fmt.Fprint(send, "curl ")
		synctest.Wait()
		stop()
		began := time.Now()
		if err := wait(); err == nil {
			t.Error("the request in flight may go on")
		}
		if took := time.Since(began); took < grace || took > grace+time.Second {
			t.Errorf("it ends after %v", took)
		}
		send.Close()
	})
}

// A batch that would go on for ever ends at the end of a line, cleanly, and
// an error says that the next line has no answer.
func TestBatchEndsAtALine(t *testing.T) {
	for _, busy := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) { batchEndsAtALine(t, busy) })
	}
}

func batchEndsAtALine(t *testing.T, busy bool) {
	n, stop, wait := startPiped(t, Config{Grace: 1500 * time.Millisecond})
	lines, send := io.Pipe()
	var sender sync.WaitGroup
	sender.Go(func() {
		for i := 1; i == 1 || busy; i++ {
			if _, err := fmt.Fprintf(send, `{"id":%d,"curl":"curl https://example.com"}`+"\n", i); err != nil {
				return
			}
			time.Sleep(time.Millisecond) // so that the clock goes on
		}
	})
	response, err := n.client.Post("http://h/api/batch", typeNDJSON, lines)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	answers := bufio.NewScanner(response.Body)
	answers.Scan()
	stop()
	last, count := answers.Text(), 1
	for answers.Scan() {
		count++
		last = answers.Text()
		// The line that has no answer may not have arrived yet.
		if !strings.HasPrefix(last, fmt.Sprintf(`{"id":%d,`, count)) && !strings.HasPrefix(last, `{"id":null,"error"`) || !strings.HasSuffix(last, "}") {
			t.Fatalf("answer %d is %s, %v", count, last, answers.Err())
		}
	}
	if err := answers.Err(); err != nil {
		t.Errorf("the answer breaks off: %v", err)
	}
	if !strings.Contains(last, `"error":{"type":"/problems/unavailable"`) || busy != (count > 100) {
		t.Errorf("busy %t: the last of %d answers is %s", busy, count, last)
	}
	if err := wait(); err != nil {
		t.Error(err)
	}
	send.Close()
	lines.Close()
	sender.Wait()
}

// Clients send requests all the time, over connections that they keep, until a
// balancer sees that /readyz is false: not one request is lost.
func TestServeStopsUnderLoad(t *testing.T) {
	url, stop, wait := start(t, Config{DrainDelay: 300 * time.Millisecond})
	const clients = 64
	var answered atomic.Int64
	away, turnAway := context.WithCancel(t.Context())
	var group sync.WaitGroup
	for range clients {
		group.Go(func() {
			transport := &http.Transport{MaxIdleConnsPerHost: 1}
			defer transport.CloseIdleConnections()
			client := &http.Client{Transport: transport}
			for away.Err() == nil {
				response, err := client.Post(url+"/api/convert", typeText, strings.NewReader("curl https://example.com"))
				if err == nil {
					_, err = io.Copy(io.Discard, response.Body)
					response.Body.Close()
				}
				if err != nil || response.StatusCode != 200 {
					t.Errorf("after %d answers: %v", answered.Load(), err)
					return
				}
				answered.Add(1)
			}
		})
	}
	for answered.Load() < 1000 && !t.Failed() {
		runtime.Gosched()
	}
	stop()
	for status(t, url+"/readyz") == 200 {
	}
	turnAway()
	if err := wait(); err != nil {
		t.Error(err)
	}
	group.Wait()
	t.Logf("%d requests were answered", answered.Load())
}

// syncBuffer is a buffer that the server writes and the test reads.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// TestIsProbe checks which requests are answered where no connection finds a place.
func TestIsProbe(t *testing.T) {
	for _, c := range []struct {
		path, content string
		want          bool
	}{{"/healthz", "", true}, {"/readyz", "", true}, {"/", "", false}, {"/api/convert", "", false}, {"/healthz/x", "", false}, {"/healthz", "x", false}, {"/readyz", "x", false}} {
		if got := isProbe(httptest.NewRequest("GET", c.path, strings.NewReader(c.content))); got != c.want {
			t.Errorf("%s with the content %q is a probe: %t", c.path, c.content, got)
		}
	}
}
