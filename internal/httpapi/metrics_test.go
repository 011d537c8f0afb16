package httpapi

import (
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
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
	if runtime.GOOS == "linux" && !strings.Contains(text, "\nprocess_resident_memory_bytes 1") && !strings.Contains(text, "\nprocess_resident_memory_bytes") {
		t.Error("the metrics lack the memory")
	}
	checkExposition(t, text)
	if t.Failed() {
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, "uncoil_") && !strings.Contains(line, "_bucket") {
				t.Log(line)
			}
		}
	}
}

var (
	commentLine = regexp.MustCompile(`^# (HELP|TYPE) ([a-z_]+) (.+)$`)
	sampleLine  = regexp.MustCompile(`^([a-z_]+)((?:\{[a-z]+="(?:[^"\\\n]|\\[\\"n])*"(?:,[a-z]+="(?:[^"\\\n]|\\[\\"n])*")*\})?) (\S+)$`)
	leLabel     = regexp.MustCompile(`,le="([^"]+)"\}$`)
)

// checkExposition holds text against the format of Prometheus: families have
// their meaning and type ahead and stand together, no series comes twice, and
// the buckets of a histogram grow up to its count.
func checkExposition(t *testing.T, text string) {
	t.Helper()
	types, families, series := make(map[string]string), make(map[string]bool), make(map[string]bool)
	var family string
	var bound, below float64 // of the last bucket
	for line := range strings.Lines(text) {
		if !strings.HasSuffix(line, "\n") {
			t.Errorf("the last line has no end: %s", line)
		}
		line = strings.TrimSuffix(line, "\n")
		if m := commentLine.FindStringSubmatch(line); m != nil {
			switch {
			case m[1] == "HELP" && families[m[2]], m[1] == "TYPE" && (m[2] != family || types[family] != ""):
				t.Errorf("out of place: %s", line)
			case m[1] == "HELP":
				family, families[m[2]] = m[2], true
			default:
				types[family] = m[3]
			}
			continue
		}
		m := sampleLine.FindStringSubmatch(line)
		if m == nil {
			t.Errorf("this is no sample: %s", line)
			continue
		}
		value, err := strconv.ParseFloat(m[3], 64)
		suffix, ok := strings.CutPrefix(m[1], family)
		allowed := map[string][]string{"counter": {""}, "gauge": {""}, "summary": {"", "_sum", "_count"}, "histogram": {"_bucket", "_sum", "_count"}}
		if err != nil || !ok || !slices.Contains(allowed[types[family]], suffix) || series[m[1]+m[2]] {
			t.Errorf("out of place, or twice, below the %s %s: %s", types[family], family, line)
		}
		series[m[1]+m[2]] = true
		if le := leLabel.FindStringSubmatch(m[2]); le != nil {
			b, err := strconv.ParseFloat(le[1], 64)
			if first := math.IsInf(bound, 1) || bound == 0; err != nil || !first && (b <= bound || value < below) {
				t.Errorf("the buckets do not grow: %s", line)
			}
			bound, below = b, value
		} else if types[family] == "histogram" && (!math.IsInf(bound, 1) || suffix == "_count" && value != below) {
			t.Errorf("the last bucket is %v with %v: %s", bound, below, line)
		}
	}
}

// Text of any kind comes out as the format wants it, and a duration is below
// the bound that it is equal to.
func TestExposition(t *testing.T) {
	x := new(exposition)
	x.family("uncoil_a", typeGauge, "One\\two\nthree.")
	x.sample("uncoil_a", 1.5e-7, "version", "a\"b\\c\nd", "flag", "é")
	h := new(histogram)
	for _, d := range []time.Duration{0, 100 * time.Microsecond, 101 * time.Microsecond, 30 * time.Second, time.Minute} {
		h.observe(d)
	}
	x.family("uncoil_b", typeHistogram, "Two.")
	x.histogram("uncoil_b", h, "route", "/")
	x.histogram("uncoil_b", new(histogram), "route", "/none")
	text := string(x.text)
	checkExposition(t, text)
	for _, want := range []string{
		"# HELP uncoil_a One\\\\two\\nthree.\n# TYPE uncoil_a gauge\n",
		`uncoil_a{version="a\"b\\c\nd",flag="é"} 1.5e-07` + "\n",
		`uncoil_b_bucket{route="/",le="0.0001"} 2` + "\n",
		`uncoil_b_bucket{route="/",le="0.00025"} 3` + "\n",
		`uncoil_b_bucket{route="/",le="10"} 3` + "\n",
		`uncoil_b_bucket{route="/",le="30"} 4` + "\n",
		`uncoil_b_bucket{route="/",le="+Inf"} 5` + "\n",
		`uncoil_b_sum{route="/"} 90.000201` + "\n",
		`uncoil_b_count{route="/"} 5` + "\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %s", want)
		}
	}
	if strings.Contains(text, "/none") {
		t.Error("a histogram that has counted nothing is there")
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
		debug + "/metrics": 200, debug + "/debug/pprof/": 200, debug + "/debug/pprof/goroutine": 200, debug + "/debug/pprof/cmdline": 404,
		debug + "/debug/pprof/heap?debug=1": 200, debug + "/debug/pprof/profile?seconds=0.1": 200, debug + "/debug/pprof/trace?seconds=0.1": 200,
		debug + "/api/convert": 404, url + "/metrics": 404, url + "/debug/pprof/": 404, url + "/healthz": 200,
	} {
		if code := status(t, address); code != want {
			t.Errorf("%s answers %d, want %d", address, code, want)
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

// Counting and logging a request looks nothing up that allocates.
func TestObserveAllocates(t *testing.T) {
	s := newServer(Defaults())
	h := s.observe(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(200) }))
	r := httptest.NewRequest("GET", "/healthz", nil)
	w := discard{header: make(http.Header)}
	h.ServeHTTP(&w, r)
	if n := testing.AllocsPerRun(100, func() { h.ServeHTTP(&w, r) }); n > 2 {
		t.Errorf("%v allocations for a request", n)
	}
}
