package httpapi

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// start serves on a free port. The returned function waits for the end.
func start(t *testing.T, c Config) (url string, stop context.CancelFunc, wait func() error) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
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

// When told to stop, the service first says that it is not ready, then ends
// what is under way.
func TestServeStopsCleanly(t *testing.T) {
	var log syncBuffer
	url, stop, wait := start(t, Config{
		DrainDelay: 300 * time.Millisecond,
		Log:        slog.New(slog.NewTextHandler(&log, nil)),
	})
	if code := status(t, url+"/readyz"); code != 200 {
		t.Fatalf("/readyz answers %d", code)
	}
	content, send := io.Pipe()
	answered := make(chan int)
	go func() {
		response, err := http.Post(url+"/api/convert", typeText, content)
		if err != nil {
			t.Error(err)
			close(answered)
			return
		}
		response.Body.Close()
		answered <- response.StatusCode
	}()
	fmt.Fprint(send, "curl ")

	stop()
	deadline := time.Now().Add(5 * time.Second)
	for status(t, url+"/readyz") != 503 && time.Now().Before(deadline) {
		time.Sleep(time.Millisecond)
	}
	if code := status(t, url+"/healthz"); code != 200 {
		t.Errorf("while draining, /healthz answers %d", code)
	}
	time.Sleep(400 * time.Millisecond)
	fmt.Fprint(send, "https://example.com")
	send.Close()
	if code := <-answered; code != 200 {
		t.Errorf("the request under way gets %d", code)
	}
	if err := wait(); err != nil {
		t.Error(err)
	}
	for _, line := range []string{"listening", "stopping", "stopped"} {
		if !strings.Contains(log.String(), "msg="+line) {
			t.Errorf("the log lacks %s: %s", line, log.String())
		}
	}
}

func TestServeCutsOffAfterGrace(t *testing.T) {
	url, stop, wait := start(t, Config{Grace: 50 * time.Millisecond})
	lines, send := io.Pipe()
	defer send.Close()
	go fmt.Fprintln(send, `{"curl":"curl https://example.com"}`)
	// The answer to a line shows that the request is under way.
	response, err := http.Post(url+"/api/batch", typeNDJSON, lines)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	stop()
	if err := wait(); err == nil {
		t.Error("the request under way was let go on")
	}
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
