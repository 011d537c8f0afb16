// Package metrics counts what the service does, for Prometheus.
//
// Names and labels are never renamed, because operators build dashboards and
// alerts on them.
package metrics

import (
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Metrics are the metrics of one service, in a registry of its own.
type Metrics struct {
	registry *prometheus.Registry

	// Counters of every request. They are read at a scrape.
	inFlight, received, sent atomic.Int64

	requests    *prometheus.CounterVec
	duration    *prometheus.HistogramVec
	conversions *prometheus.CounterVec
	converted   map[string]prometheus.Counter // conversions without a problem, by shell
	results     prometheus.Counter
	errors      prometheus.Counter
	limit       *prometheus.GaugeVec
	tokens      *prometheus.CounterVec
}

// ok is the code of a conversion without a problem.
const ok = "ok"

// buckets are the bounds of durations. Most requests take less than a millisecond,
// and batches take many seconds.
var buckets = []float64{
	100e-6, 250e-6, 500e-6, 1e-3, 2.5e-3, 5e-3, 10e-3, 25e-3, 50e-3,
	0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
}

// New returns empty metrics. The version is that of the program, and shells are the names of how
// a text may be written, which have a counter of conversions from the start.
func New(version string, shells []string) *Metrics {
	r := prometheus.NewRegistry()
	r.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	m := &Metrics{registry: r}
	m.gauge("uncoil_build_info", "Always 1; the label is the version.", "version").WithLabelValues(version).Set(1)
	m.Gauge("uncoil_http_requests_in_flight", "Requests in flight.", func() float64 { return float64(m.inFlight.Load()) })
	m.Counter("uncoil_http_received_bytes_total", "Bytes of contents received.", func() float64 { return float64(m.received.Load()) })
	m.Counter("uncoil_http_sent_bytes_total", "Bytes of contents sent.", func() float64 { return float64(m.sent.Load()) })
	m.requests = m.counter("uncoil_http_requests_total", "Requests, by route and status.", "route", "status")
	m.duration = prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name:    "uncoil_http_request_duration_seconds",
		Help:    "From a request's header to the end of its answer, by route.",
		Buckets: buckets,
	}, []string{"route"})
	r.MustRegister(m.duration)
	m.conversions = m.counter("uncoil_conversions_total",
		"Commands, by outcome (ok, or the code of the problem) and dialect.", "code", "shell")
	m.converted = make(map[string]prometheus.Counter)
	for _, shell := range shells {
		m.converted[shell] = m.conversions.WithLabelValues(ok, shell)
	}
	lines := m.counter("uncoil_batch_lines_total", "Lines of batches, by outcome: result or error.", "outcome")
	m.results, m.errors = lines.WithLabelValues("result"), lines.WithLabelValues("error")
	m.tokens = m.counter("uncoil_token_requests_total", "Requests with a token, by its name.", "token")
	m.limit = m.gauge("uncoil_limit", "The values of limits, by the names of their flags.", "flag")
	return m
}

func (m *Metrics) counter(name, help string, labels ...string) *prometheus.CounterVec {
	v := prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
	m.registry.MustRegister(v)
	return v
}

func (m *Metrics) gauge(name, help string, labels ...string) *prometheus.GaugeVec {
	v := prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: name, Help: help}, labels)
	m.registry.MustRegister(v)
	return v
}

// Gauge adds a gauge whose value is read at each scrape.
func (m *Metrics) Gauge(name, help string, value func() float64) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, value))
}

// Counter adds a counter whose value is read at each scrape.
func (m *Metrics) Counter(name, help string, value func() float64) {
	m.registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{Name: name, Help: help}, value))
}

// Limit publishes the value of a limit, so that an alert can compare it with the
// gauge that it limits.
func (m *Metrics) Limit(flag string, value int) { m.limit.WithLabelValues(flag).Set(float64(value)) }

// Begin counts a request in flight, until Route.Observe.
func (m *Metrics) Begin() { m.inFlight.Add(1) }

// A Route counts the requests of one route.
type Route struct {
	metrics  *Metrics
	requests *prometheus.CounterVec // by status
	name     string
	duration prometheus.Observer

	firstOK sync.Once
	ok      prometheus.Counter // requests with status 200, after the first one
}

// Route returns the metrics of a route.
func (m *Metrics) Route(name string) *Route {
	return &Route{
		metrics:  m,
		requests: m.requests.MustCurryWith(prometheus.Labels{"route": name}),
		name:     name,
		duration: m.duration.WithLabelValues(name),
	}
}

// Name returns the value of the label route.
func (r *Route) Name() string { return r.name }

// Observe counts a request that has ended. The status is 0 if the connection broke
// before the answer. Received and sent are bytes of contents.
func (r *Route) Observe(status int, took time.Duration, received, sent int64) {
	r.metrics.inFlight.Add(-1)
	switch status {
	case http.StatusOK:
		r.firstOK.Do(func() { r.ok = r.requests.WithLabelValues("200") })
		r.ok.Inc()
	case 0:
		r.requests.WithLabelValues("none").Inc()
	default:
		r.requests.WithLabelValues(strconv.Itoa(status)).Inc()
	}
	r.duration.Observe(took.Seconds())
	r.metrics.received.Add(received)
	r.metrics.sent.Add(sent)
}

// Converted counts a command, with the code of its problem, or "", and its
// dialect, or "" if unknown.
func (m *Metrics) Converted(code, shell string) {
	if c := m.converted[shell]; code == "" && c != nil {
		c.Inc()
		return
	}
	if code == "" {
		code = ok
	}
	if shell == "" {
		shell = "unknown"
	}
	m.conversions.WithLabelValues(code, shell).Inc()
}

// Token counts a request with a token of a name.
func (m *Metrics) Token(name string) { m.tokens.WithLabelValues(name).Inc() }

// Line counts a line of a batch.
func (m *Metrics) Line(ok bool) {
	if ok {
		m.results.Inc()
	} else {
		m.errors.Inc()
	}
}

// Handler serves the metrics to a few clients at a time. They are not compressed,
// because that would take more memory than the metrics.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{
		DisableCompression:  true,
		MaxRequestsInFlight: 4,
		ErrorHandling:       promhttp.ContinueOnError,
	})
}
