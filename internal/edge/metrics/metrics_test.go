package metrics_test

import (
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"

	"uncoil/internal/edge/metrics"
)

func scrape(t *testing.T, m *metrics.Metrics) string {
	t.Helper()
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	if w.Code != 200 || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain") {
		t.Fatalf("%d %v", w.Code, w.Header())
	}
	return w.Body.String()
}

// The names, labels and buckets are what dashboards are built on.
func TestNames(t *testing.T) {
	m := metrics.New("v1.2.3", []string{"posix", "cmd"})
	route := m.Route("/api/convert")
	m.Begin()
	m.Begin()
	m.Begin()
	route.Observe(200, 100*time.Microsecond, 10, 20)
	route.Observe(0, 101*time.Microsecond, 0, 0)
	m.Converted("", "posix")
	m.Converted("not-curl", "")
	m.Line(true)
	m.Line(false)
	m.Limit("max-held", 64)
	m.Gauge("uncoil_held_bytes", "Bytes of contents and answers in memory.", func() float64 { return 7 })
	m.Counter("uncoil_log_dropped_lines_total", "Lines that the log could not take.", func() float64 { return 3 })
	text := scrape(t, m)
	want := []string{
		`uncoil_build_info{version="v1.2.3"} 1`,
		`uncoil_http_requests_in_flight 1`,
		`uncoil_http_received_bytes_total 10`,
		`uncoil_http_sent_bytes_total 20`,
		`uncoil_http_requests_total{route="/api/convert",status="200"} 1`,
		`uncoil_http_requests_total{route="/api/convert",status="none"} 1`,
		`uncoil_http_request_duration_seconds_bucket{route="/api/convert",le="0.0001"} 1`,
		`uncoil_http_request_duration_seconds_bucket{route="/api/convert",le="0.00025"} 2`,
		`uncoil_http_request_duration_seconds_bucket{route="/api/convert",le="30"} 2`,
		`uncoil_http_request_duration_seconds_count{route="/api/convert"} 2`,
		`uncoil_conversions_total{code="ok",shell="posix"} 1`,
		`uncoil_conversions_total{code="not-curl",shell="unknown"} 1`,
		`uncoil_batch_lines_total{outcome="result"} 1`,
		`uncoil_batch_lines_total{outcome="error"} 1`,
		`uncoil_limit{flag="max-held"} 64`,
		`uncoil_held_bytes 7`,
		`uncoil_log_dropped_lines_total 3`,
		`go_goroutines `, `go_gc_gomemlimit_bytes `, `go_memstats_heap_alloc_bytes `, `go_sched_gomaxprocs_threads `,
	}
	if runtime.GOOS == "linux" {
		want = append(want, `process_resident_memory_bytes `)
	}
	for _, line := range want {
		if !strings.Contains(text, "\n"+line) {
			t.Errorf("there is no %s", line)
		}
	}
	problems, err := promlint.New(strings.NewReader(text)).Lint()
	if err != nil {
		t.Error(err)
	}
	for _, p := range problems {
		if strings.HasPrefix(p.Metric, "uncoil_") {
			t.Errorf("%s: %s", p.Metric, p.Text)
		}
	}
}

// Counting a request allocates next to nothing.
func TestObserveAllocates(t *testing.T) {
	route := metrics.New("", nil).Route("/")
	if n := testing.AllocsPerRun(100, func() { route.Observe(200, time.Millisecond, 1, 1) }); n > 1 {
		t.Errorf("%v allocations for a request", n)
	}
}
