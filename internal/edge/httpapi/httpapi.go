package httpapi

import (
	"net/http"
	"strings"

	"uncoil/internal/edge/api"
	"uncoil/internal/edge/metrics"
	"uncoil/internal/engine/source"
	"uncoil/web"
)

// New returns the service as a handler. Serve adds what belongs to connections,
// such as timeouts.
func New(c Config) http.Handler {
	return newServer(c.withDefaults()).routes()
}

// A server is the state that the handlers share.
type server struct {
	Config
	limits     api.Limits // of requests
	metrics    *metrics.Metrics
	routeStats map[string]*metrics.Route // by pattern; fixed once the service runs
	phase      *phase
	held       *held
	working    *conversions
	batches    *batches
	watcher    *watcher
	refusing   refusing
	lines      lineLimit
	clients    *clients
}

func newServer(c Config) *server {
	s := &server{
		Config:  c,
		limits:  c.requestLimits(),
		metrics: metrics.New(c.Version, source.DialectNames()[1:]),
		phase:   newPhase(),
		held:    &held{max: int64(c.MaxHeld), maxClient: int64(c.MaxClientHeld), patience: patience(c.ReadTimeout)},
		working: newConversions(c.MaxConversions, c.MaxRequests),
		batches: newBatches(c.MaxBatches, c.MaxClientBatches),
		clients: newClients(c.Rate, c.Burst, c.Proxies),
	}
	s.lines = lineLimit{log: c.Log, codes: make(map[string]int)}
	s.watcher = &watcher{most: c.memoryLimit() * 95 / 100, used: memoryUsed(), conversions: s.working}
	s.routeStats = map[string]*metrics.Route{noRoute: s.metrics.Route("other")}
	s.publish()
	return s
}

// publish registers the metrics whose values the server has.
func (s *server) publish() {
	m := s.metrics
	m.Gauge("uncoil_conversions_in_flight", "Commands being converted.", func() float64 { return float64(s.working.inFlight()) })
	m.Gauge("uncoil_batches_in_flight", "Batches in flight.", func() float64 { return float64(s.batches.inFlight()) })
	m.Counter("uncoil_batches_evicted_total", "Batches that were ended for those of other clients.", func() float64 { return float64(s.batches.evicted.Load()) })
	m.Gauge("uncoil_held_bytes", "Bytes of contents and answers in memory.", func() float64 { return float64(s.held.n.Load()) })
	m.Gauge("uncoil_client_held_bytes", "The most bytes of contents and answers of one client.", func() float64 { return float64(s.clients.most()) })
	m.Counter("uncoil_conversions_stopped_total", "Conversions that were ended because memory ran short.", func() float64 { return float64(s.watcher.stopped.Load()) })
	if s.DroppedLines != nil {
		m.Counter("uncoil_log_dropped_lines_total", "Lines of the log that were dropped.", func() float64 { return float64(s.DroppedLines()) })
	}
	m.Limit("max-batches", s.MaxBatches)
	m.Limit("max-connections", s.MaxConnections)
	m.Limit("max-conversions", s.MaxConversions)
	m.Limit("max-held", s.MaxHeld)
	m.Limit("max-requests", s.MaxRequests)
}

// noRoute is the pattern that matches unknown paths.
const noRoute = "/"

// routes returns the service's handler.
func (s *server) routes() http.Handler {
	get := func(h http.Handler) http.Handler {
		return methods{http.MethodGet: h}
	}
	try := get(tryPage(s.PageAsks))
	all := map[string]http.Handler{
		"/api/convert":     s.route(s.command(s.answer(api.AsConvert))),
		"/api/parse":       s.route(s.command(s.answer(api.AsParse))),
		"/api/code":        s.route(s.command(s.answer(api.AsCode))),
		"/api/explain":     s.route(s.command(s.answer(api.AsExplain))),
		"/api/diff":        s.route(s.command(s.answering(s.diff))),
		"/api/targets":     get(targets()),
		"/api/batch":       s.route(s.batch),
		"/mcp":             s.route(s.command(s.mcp())),
		"/{$}":             try,
		"/embed":           try,
		"/offline.js":      try,
		"/page/":           try,
		"/engine/":         try,
		"/docs":            get(later(docsPage)),
		"/version":         get(version(s.Version)),
		"/openapi.yaml":    get(openAPIYAML()),
		"/openapi.json":    get(later(func() document { return document{contentType: typeJSON, body: openAPIJSON()}.tagged() })),
		"/problems":        get(problemIndex()),
		"/problems/{$}":    http.RedirectHandler("../problems", http.StatusPermanentRedirect),
		"/problems/{code}": get(problemPages()),
		"/healthz":         get(healthy),
		"/readyz":          get(handlerFunc(s.ready)),
		noRoute:            notFound(),
	}
	for _, language := range web.Languages {
		all["/"+language.Path] = try
	}
	if s.PageAsks {
		all["/ask"] = s.route(s.command(s.ask))
	}
	if !s.HideMetrics {
		all["/metrics"] = get(s.metrics.Handler())
		if s.Tokens != nil {
			all["/metrics"] = chain(all["/metrics"], s.knowClient, s.wantToken)
		}
	}
	return s.around(all)
}

// route wraps a handler of the API.
func (s *server) route(h handlerFunc) http.Handler {
	return methods{http.MethodPost: chain(h, s.sameOrigin, s.knowClient, s.wantToken)}
}

// around returns the handler of all routes, wrapped in the middleware for all.
func (s *server) around(routes map[string]http.Handler) http.Handler {
	mux := http.NewServeMux()
	for pattern, h := range routes {
		mux.Handle(pattern, h)
		if strings.HasPrefix(pattern, "/api/") {
			// A slash at the end is allowed.
			mux.Handle(pattern+"/{$}", h)
			s.routeStats[pattern+"/{$}"] = s.metrics.Route(pattern)
		}
		if pattern != noRoute {
			s.routeStats[pattern] = s.metrics.Route(strings.TrimSuffix(pattern, "{$}"))
		}
	}
	return chain(mux, s.observe, recoverPanics, secureHeaders, s.knownHosts, s.allowOrigins, s.limitHead, s.closeWhenDraining)
}

// stats returns the metrics of the route with the pattern, or of noRoute for
// requests that were answered before a route was chosen.
func (s *server) stats(pattern string) *metrics.Route {
	if r := s.routeStats[pattern]; r != nil {
		return r
	}
	return s.routeStats[noRoute]
}

// A middleware wraps a handler to add one feature.
type middleware func(http.Handler) http.Handler

// chain wraps a handler so that the first middleware is the outermost.
func chain(h http.Handler, all ...middleware) http.Handler {
	for i := len(all) - 1; i >= 0; i-- {
		h = all[i](h)
	}
	return h
}
