package httpapi

import (
	"context"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"uncoil/internal/edge/httpserver"
)

// heavyCommands are texts of less than 64 kB that take as much work as the
// meter allows, or nearly so.
var heavyCommands = []string{
	"curl {1..9999}" + strings.Repeat("$E", 400),
	"X=" + strings.Repeat("a", 8<<10) + "; curl h/${X%%*" + strings.Repeat("[bbb]", 1600) + "}",
	"curl h/[1-1000]" + strings.Repeat("/a/..", 4<<10),
	strings.Repeat("for i in a b c d e f g h; do ", 8) + "curl h/$i" + strings.Repeat("; done", 8),
	"curl " + strings.Repeat("--abcdefg ", 6000) + "h",
	"curl h " + strings.Repeat("-F a=b ", 9000),
}

// BenchmarkLightBesideHeavy measures how long one client waits for the answer
// to a short command while 16 others, each with an address of its own, send
// the dearest ones without a pause.
func BenchmarkLightBesideHeavy(b *testing.B) {
	l, err := httpserver.Listen("127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	ctx, stop := context.WithCancel(b.Context())
	ended := make(chan error, 1)
	go func() { ended <- Serve(ctx, l, Config{}) }()
	url := "http://" + l.Addr().String() + "/api/parse"

	heavy, stopHeavy := context.WithCancel(b.Context())
	var group sync.WaitGroup
	var mu sync.Mutex
	statuses := make(map[int]int)
	for n := range 16 {
		client := clientFrom("127.0.1." + strconv.Itoa(n+1))
		group.Go(func() {
			for i := n; heavy.Err() == nil; i++ {
				status := send(heavy, client, url, heavyCommands[i%len(heavyCommands)])
				mu.Lock()
				statuses[status]++
				mu.Unlock()
			}
		})
	}
	time.Sleep(time.Second) // until all slots are taken
	light := clientFrom("127.0.0.1")
	var took []time.Duration
	refused := 0
	for b.Loop() {
		began := time.Now()
		if send(b.Context(), light, url, "curl https://example.com") != http.StatusOK {
			refused++
		}
		took = append(took, time.Since(began))
	}
	stopHeavy()
	group.Wait()
	stop()
	if err := <-ended; err != nil {
		b.Error(err)
	}
	slices.Sort(took)
	for _, percent := range []int{50, 99} {
		b.ReportMetric(took[len(took)*percent/100].Seconds()*1e3, "p"+strconv.Itoa(percent)+"-ms")
	}
	b.ReportMetric(float64(refused), "refused")
	b.Logf("%d light requests, %d refused; heavy ones by status (0: cut off at the end): %v", len(took), refused, statuses)
}

// clientFrom returns a client that connects from an address of this machine.
func clientFrom(addr string) *http.Client {
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(addr)}}
	return &http.Client{Transport: &http.Transport{DialContext: dialer.DialContext}}
}

// send posts a command and returns the status, or 0 if there was no answer.
func send(ctx context.Context, client *http.Client, url, command string) int {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(command))
	if err != nil {
		return 0
	}
	r.Header.Set("Content-Type", typeText)
	response, err := client.Do(r)
	if err != nil {
		return 0
	}
	defer response.Body.Close()
	_, _ = io.Copy(io.Discard, response.Body)
	return response.StatusCode
}
