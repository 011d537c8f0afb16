package httpapi

import (
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"uncoil/internal/proof/race"
)

func scrape(t *testing.T, s *service) string {
	t.Helper()
	w := s.do(t, httptest.NewRequest("GET", "/metrics", nil))
	if w.Code != 200 || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain") {
		t.Fatalf("%d %v", w.Code, w.Header())
	}
	return w.Body.String()
}

func TestMetrics(t *testing.T) {
	const secret = "s3cr3t"
	s := newService(t, New(Config{Version: "v1.2.3"}))
	s.post(t, "/api/convert", typeText, "curl https://example.com/"+secret)
	s.post(t, "/api/convert", typeText, "curl --"+secret+" https://example.com")
	s.post(t, "/api/parse", typeJSON, `{"curl":"curl \"https://example.com\" ^\r\n  -d a=1","shell":"cmd"}`)
	s.post(t, "/api/parse", typeText, "Invoke-WebRequest -Uri https://example.com")
	s.post(t, "/api/parse", typeJSON, "{")
	s.post(t, "/api/batch", typeNDJSON, `{"curl":"curl h"}`+"\n"+`{"curl":"`+secret+`"}`+"\n[]")
	s.do(t, httptest.NewRequest("GET", "/"+secret, nil))
	s.do(t, httptest.NewRequest("GET", "/problems/"+secret, nil))
	s.do(t, httptest.NewRequest(secret, "/", nil))
	text := scrape(t, s)
	for _, line := range []string{
		`uncoil_http_requests_total{route="/api/convert",status="200"} 1`,
		`uncoil_http_requests_total{route="/api/convert",status="422"} 1`,
		`uncoil_http_requests_total{route="/api/parse",status="200"} 2`,
		`uncoil_http_requests_total{route="/api/parse",status="400"} 1`,
		`uncoil_http_requests_total{route="/api/batch",status="200"} 1`,
		`uncoil_http_requests_total{route="other",status="404"} 1`,
		`uncoil_http_requests_total{route="/problems/{code}",status="404"} 1`,
		`uncoil_http_requests_total{route="/",status="405"} 1`,
		`uncoil_http_request_duration_seconds_count{route="/api/convert"} 2`,
		`uncoil_conversions_total{code="ok",shell="posix"} 2`,
		`uncoil_conversions_total{code="ok",shell="cmd"} 1`,
		`uncoil_conversions_total{code="ok",shell="powershell"} 1`,
		`uncoil_conversions_total{code="unknown-option",shell="posix"} 1`,
		`uncoil_conversions_total{code="not-curl",shell="posix"} 1`,
		`uncoil_batch_lines_total{outcome="result"} 1`,
		`uncoil_batch_lines_total{outcome="error"} 2`,
		`uncoil_http_requests_in_flight 1`,
		`uncoil_held_bytes 0`,
		`uncoil_limit{flag="max-requests"} 1000`,
		`uncoil_build_info{version="v1.2.3"} 1`,
		`go_goroutines `,
	} {
		if !strings.Contains(text, "\n"+line) {
			t.Errorf("there is no %s", line)
		}
	}
	if strings.Contains(text, secret) {
		t.Error("the metrics hold a secret")
	}
	if t.Failed() {
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, "uncoil_") && !strings.Contains(line, "_bucket") {
				t.Log(line)
			}
		}
	}
}

// The address for debugging has profiles and metrics, and the other one
// neither where it is told so.
func TestDebugAddress(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	url, stop, wait := start(t, Config{Debug: l, HideMetrics: true})
	debug := "http://" + l.Addr().String()
	for address, want := range map[string]int{
		debug + "/metrics": 200, debug + "/healthz": 200, debug + "/readyz": 200, debug + "/debug/pprof/": 200, debug + "/debug/pprof/goroutine": 200, debug + "/debug/pprof/cmdline": 404,
		debug + "/debug/pprof/heap?debug=1": 200, debug + "/debug/pprof/profile?seconds=1": 200, debug + "/debug/pprof/trace?seconds=0.1": 200,
		debug + "/api/convert": 404, url + "/metrics": 404, url + "/debug/pprof/": 404, url + "/healthz": 200,
	} {
		if code := status(t, address); code != want {
			t.Errorf("%s answers %d, want %d", address, code, want)
		}
	}
	// A page whose name resolves to this machine reads nothing.
	for host, want := range map[string]int{"localhost": 200, "127.0.0.1:1": 200, "[::1]:1": 200, "evil.test": 404, "evil.test:80": 404} {
		for _, path := range []string{"/metrics", "/debug/pprof/"} {
			statuses, _ := exchangeRaw(t, debug, "GET "+path+" HTTP/1.1\r\nHost: "+host+"\r\nConnection: close\r\n\r\n")
			if len(statuses) != 1 || statuses[0] != want {
				t.Errorf("%s for %s answers %v", path, host, statuses)
			}
		}
	}
	stop()
	if err := wait(); err != nil {
		t.Error(err)
	}
	if _, err := http.Get(debug + "/metrics"); err == nil {
		t.Error("it goes on after the end")
	}
}

// Counting and logging a request allocates little: the exchange, its id and
// the text of the status.
func TestObserveAllocates(t *testing.T) {
	race.Skip(t)
	s := newServer(Defaults())
	s.routes()
	h := s.observe(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(200) }))
	r := httptest.NewRequest("GET", "/healthz", nil)
	w := discard{header: make(http.Header)}
	h.ServeHTTP(&w, r)
	if n := testing.AllocsPerRun(100, func() { h.ServeHTTP(&w, r) }); n > 3 {
		t.Errorf("%v allocations for a request", n)
	}
}
