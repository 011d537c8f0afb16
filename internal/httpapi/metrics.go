package httpapi

import (
	"cmp"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"uncoil/diag"
	"uncoil/internal/envelope"
)

// metrics are the numbers at /metrics. A label is looked up once and not for
// each request: what counts is found by index.
type metrics struct {
	registry *prometheus.Registry
	inFlight atomic.Int64
	open     atomic.Int64 // connections

	requests *prometheus.CounterVec
	latency  *prometheus.HistogramVec
	byRoute  map[string]*routeMetrics // by pattern; fixed once the service runs
	received prometheus.Counter
	sent     prometheus.Counter

	conversions *prometheus.CounterVec
	byOutcome   map[diag.Code]*[len(shells)]lazyCounter
	lines       [2]prometheus.Counter // of batches: answered, refused
}

// routeMetrics count the requests of a route.
type routeMetrics struct {
	label    string
	latency  atomic.Pointer[prometheus.Observer] // nil until the first request
	byStatus [500]lazyCounter                    // from 100 on
}

func (r *routeMetrics) observe(vec *prometheus.HistogramVec, took time.Duration) {
	p := r.latency.Load()
	if p == nil {
		o := vec.WithLabelValues(r.label)
		p = &o
		r.latency.Store(p)
	}
	(*p).Observe(took.Seconds())
}

// A lazyCounter appears in the metrics when it counts for the first time.
type lazyCounter struct {
	counter atomic.Pointer[prometheus.Counter]
}

// inc counts, with the labels that it makes when it does so first.
func (l *lazyCounter) inc(vec *prometheus.CounterVec, labels func() []string) {
	p := l.counter.Load()
	if p == nil {
		c := vec.WithLabelValues(labels()...)
		p = &c
		l.counter.Store(p)
	}
	(*p).Inc()
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

// buckets are for a service that answers most requests in less than a
// millisecond, and a batch in many seconds.
var buckets = []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30}

func newMetrics(s *server) *metrics {
	m := &metrics{
		registry:  prometheus.NewRegistry(),
		byRoute:   make(map[string]*routeMetrics),
		byOutcome: make(map[diag.Code]*[len(shells)]lazyCounter),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "uncoil_http_requests_total", Help: "Requests, by route and status.",
		}, []string{"route", "status"}),
		latency: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "uncoil_http_request_duration_seconds", Help: "From a request's header to the end of its answer, by route.", Buckets: buckets,
		}, []string{"route"}),
		received: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "uncoil_http_received_bytes_total", Help: "Bytes of contents that came in.",
		}),
		sent: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "uncoil_http_sent_bytes_total", Help: "Bytes of contents that went out.",
		}),
		conversions: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "uncoil_conversions_total", Help: "Commands, by how they came out (ok, or the code of the problem) and the shell that they were read as.",
		}, []string{"code", "shell"}),
	}
	m.addRoute(noRoute)
	m.byOutcome[""] = new([len(shells)]lazyCounter)
	for _, p := range problemTable {
		m.byOutcome[p.Code] = new([len(shells)]lazyCounter)
	}
	lines := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "uncoil_batch_lines_total", Help: "Lines of batches, by whether they were answered with a result or an error.",
	}, []string{"outcome"})
	m.lines = [2]prometheus.Counter{lines.WithLabelValues("result"), lines.WithLabelValues("error")}

	m.registry.MustRegister(m.requests, m.latency, m.received, m.sent, m.conversions, lines,
		collectors.NewGoCollector(), newMemoryCollector())
	m.gauge("uncoil_http_requests_in_flight", "Requests under way.", func() float64 { return float64(m.inFlight.Load()) })
	m.gauge("uncoil_http_connections", "Open connections.", func() float64 { return float64(m.open.Load()) })
	m.gauge("uncoil_conversions_in_flight", "Commands being converted.", func() float64 { return float64(len(s.working)) })
	m.gauge("uncoil_batches_in_flight", "Batches under way.", func() float64 { return float64(len(s.batches)) })
	m.gauge("uncoil_held_bytes", "Bytes of contents and answers in memory.", func() float64 { return float64(s.held.n.Load()) })
	m.limits(&s.Config)
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "uncoil_build_info", Help: "Always 1; the label says which build this is.",
		ConstLabels: prometheus.Labels{"version": s.Version},
	}, func() float64 { return 1 }))
	return m
}

// limits tells the limits beside the gauges that they bound, so that an alert
// can compare the two.
func (m *metrics) limits(c *Config) {
	vec := prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Name: "uncoil_limit", Help: "What is set as a limit, by the name of its flag.",
	}, []string{"flag"})
	for flag, value := range map[string]int{
		"max-connections": c.MaxConnections, "max-requests": c.MaxRequests, "max-conversions": c.MaxConversions,
		"max-batches": c.MaxBatches, "max-held": c.MaxHeld,
	} {
		vec.WithLabelValues(flag).Set(float64(value))
	}
	m.registry.MustRegister(vec)
}

func (m *metrics) gauge(name, help string, value func() float64) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, value))
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
		route.byStatus[i].inc(m.requests, func() []string { return []string{route.label, strconv.Itoa(e.status)} })
	} else {
		// The connection broke before there was an answer.
		m.requests.WithLabelValues(route.label, "none").Inc()
	}
	route.observe(m.latency, took)
	m.received.Add(float64(e.received))
	m.sent.Add(float64(e.sent))
}

// converted counts a command.
func (m *metrics) converted(shell string, err error) {
	o := envelope.Outcome{Shell: shell}
	if err != nil {
		o.Code = envelope.CodeOf(err)
	}
	m.count(o)
}

// convertedLine counts a line of a batch.
func (m *metrics) convertedLine(o envelope.Outcome) {
	if o.Code == "" {
		m.lines[0].Inc()
	} else {
		m.lines[1].Inc()
	}
	if o.Code == "" || envelope.Status(o.Code) == http.StatusUnprocessableEntity {
		m.count(o)
	}
}

func (m *metrics) count(o envelope.Outcome) {
	counters, ok := m.byOutcome[o.Code]
	if !ok {
		return // a code without a page, which a test rules out
	}
	i := shellIndex(o.Shell)
	counters[i].inc(m.conversions, func() []string { return []string{cmp.Or(string(o.Code), "ok"), shells[i]} })
}

// handler serves the metrics. They are not compressed, which would take more
// memory than they do.
func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{DisableCompression: true, MaxRequestsInFlight: 4})
}
