package httpapi

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"uncoil/diag"
	"uncoil/internal/api"
)

// metrics are the numbers at /metrics. Each number has its place from the
// start, so that a request only adds: it looks no label up.
type metrics struct {
	server   *server
	inFlight atomic.Int64
	open     atomic.Int64 // connections

	byRoute  map[string]*routeMetrics // by pattern; fixed once the service runs
	received counter
	sent     counter

	byOutcome map[diag.Code]*[len(shells)]counter
	results   counter // lines of batches that were answered with a result
	errors    counter // and with an error

	resident func() float64 // nil where the system does not tell
}

// routeMetrics count the requests of a route.
type routeMetrics struct {
	label    string
	latency  histogram
	byStatus [500]counter // from 100 on
	unended  counter      // the connection broke before there was an answer
}

// shells are the values of the label shell; shellIndex finds one.
var shells = [...]string{"posix", "cmd", "powershell", "unknown"}

func shellIndex(name string) int {
	for i, s := range shells {
		if s == name {
			return i
		}
	}
	return len(shells) - 1
}

func newMetrics(s *server) *metrics {
	m := &metrics{
		server:    s,
		byRoute:   make(map[string]*routeMetrics),
		byOutcome: make(map[diag.Code]*[len(shells)]counter),
		resident:  openMemory(),
	}
	m.addRoute(noRoute)
	m.byOutcome[""] = new([len(shells)]counter)
	for _, p := range problemTable {
		m.byOutcome[p.Code] = new([len(shells)]counter)
	}
	return m
}

// noRoute is the pattern of paths that there are not.
const noRoute = "/"

// addRoute prepares the metrics of a route.
func (m *metrics) addRoute(pattern string) {
	label := strings.TrimSuffix(pattern, "{$}")
	if pattern == noRoute {
		label = "other"
	}
	m.byRoute[pattern] = &routeMetrics{label: label}
}

// route returns the metrics of a route, or of what is answered before a
// route is chosen.
func (m *metrics) route(pattern string) *routeMetrics {
	if r := m.byRoute[pattern]; r != nil {
		return r
	}
	return m.byRoute[noRoute]
}

// answered counts a request.
func (m *metrics) answered(e *exchange, route *routeMetrics, took time.Duration) {
	if i := e.status - 100; i >= 0 && i < len(route.byStatus) {
		route.byStatus[i].inc()
	} else {
		route.unended.inc()
	}
	route.latency.observe(took)
	m.received.add(e.received)
	m.sent.add(e.sent)
}

// converted counts a command.
func (m *metrics) converted(shell string, err error) {
	o := api.Outcome{Shell: shell}
	if err != nil {
		o.Code = api.CodeOf(err)
	}
	m.count(o)
}

// convertedLine counts a line of a batch.
func (m *metrics) convertedLine(o api.Outcome) {
	if o.Code == "" {
		m.results.inc()
	} else {
		m.errors.inc()
	}
	if o.Code == "" || api.Status(o.Code) == http.StatusUnprocessableEntity {
		m.count(o)
	}
}

func (m *metrics) count(o api.Outcome) {
	counters, ok := m.byOutcome[o.Code]
	if !ok {
		return // a code without a page, which a test rules out
	}
	counters[shellIndex(o.Shell)].inc()
}

// handler serves the metrics, to a few clients at once. They are not
// compressed, which would take more memory than they do.
func (m *metrics) handler() http.Handler {
	write := func(w http.ResponseWriter, _ *http.Request) {
		text := m.text()
		w.Header().Set("Content-Type", typeExposition)
		w.Header().Set("Content-Length", strconv.Itoa(len(text)))
		// A client that has gone needs no answer.
		_, _ = w.Write(text)
	}
	return chain(http.HandlerFunc(write), limitRequests(make(places, 4)))
}

// text writes all metrics, in an order that stays.
func (m *metrics) text() []byte {
	x := new(exposition)
	x.goRuntime()
	if m.resident != nil {
		x.single("process_resident_memory_bytes", typeGauge, "Resident memory size in bytes.", m.resident())
	}
	x.family("uncoil_build_info", typeGauge, "Always 1; the label says which build this is.")
	x.sample("uncoil_build_info", 1, "version", m.server.Version)
	m.writeRequests(x)
	m.writeConversions(x)
	m.writeLimits(x)
	return x.text
}

// writeRequests writes what is counted of requests. A label is there once
// there is something to count.
func (m *metrics) writeRequests(x *exposition) {
	x.single("uncoil_http_connections", typeGauge, "Open connections.", float64(m.open.Load()))
	x.single("uncoil_http_requests_in_flight", typeGauge, "Requests under way.", float64(m.inFlight.Load()))
	x.single("uncoil_http_received_bytes_total", typeCounter, "Bytes of contents that came in.", m.received.value())
	x.single("uncoil_http_sent_bytes_total", typeCounter, "Bytes of contents that went out.", m.sent.value())
	patterns := slices.Sorted(maps.Keys(m.byRoute))

	const requests = "uncoil_http_requests_total"
	x.family(requests, typeCounter, "Requests, by route and status.")
	for _, pattern := range patterns {
		r := m.byRoute[pattern]
		for i := range r.byStatus {
			if n := r.byStatus[i].value(); n > 0 {
				x.sample(requests, n, "route", r.label, "status", strconv.Itoa(100+i))
			}
		}
		if n := r.unended.value(); n > 0 {
			x.sample(requests, n, "route", r.label, "status", "none")
		}
	}

	const duration = "uncoil_http_request_duration_seconds"
	x.family(duration, typeHistogram, "From a request's header to the end of its answer, by route.")
	for _, pattern := range patterns {
		r := m.byRoute[pattern]
		x.histogram(duration, &r.latency, "route", r.label)
	}
}

// writeConversions writes what is counted of commands.
func (m *metrics) writeConversions(x *exposition) {
	x.single("uncoil_conversions_in_flight", typeGauge, "Commands being converted.", float64(len(m.server.working)))
	const conversions = "uncoil_conversions_total"
	x.family(conversions, typeCounter, "Commands, by how they came out (ok, or the code of the problem) and the shell that they were read as.")
	for _, code := range slices.Sorted(maps.Keys(m.byOutcome)) {
		for i, shell := range shells {
			if n := m.byOutcome[code][i].value(); n > 0 {
				x.sample(conversions, n, "code", cmp.Or(string(code), "ok"), "shell", shell)
			}
		}
	}
	x.single("uncoil_batches_in_flight", typeGauge, "Batches under way.", float64(len(m.server.batches)))
	const lines = "uncoil_batch_lines_total"
	x.family(lines, typeCounter, "Lines of batches, by whether they were answered with a result or an error.")
	x.sample(lines, m.results.value(), "outcome", "result")
	x.sample(lines, m.errors.value(), "outcome", "error")
}

// writeLimits writes the limits beside the gauges that they bound, so that an
// alert can compare the two.
func (m *metrics) writeLimits(x *exposition) {
	x.single("uncoil_held_bytes", typeGauge, "Bytes of contents and answers in memory.", float64(m.server.held.n.Load()))
	const limit = "uncoil_limit"
	x.family(limit, typeGauge, "What is set as a limit, by the name of its flag.")
	x.sample(limit, float64(m.server.MaxBatches), "flag", "max-batches")
	x.sample(limit, float64(m.server.MaxConnections), "flag", "max-connections")
	x.sample(limit, float64(m.server.MaxConversions), "flag", "max-conversions")
	x.sample(limit, float64(m.server.MaxHeld), "flag", "max-held")
	x.sample(limit, float64(m.server.MaxRequests), "flag", "max-requests")
}
