package httpapi

import (
	"net/http"

	"uncoil/internal/api"
)

// New returns the service as a handler. Serve adds the limits that belong to
// connections, such as timeouts.
func New(c Config) http.Handler {
	return newServer(c.withDefaults()).routes()
}

// A server is what the handlers share.
type server struct {
	Config
	metrics *metrics
	phase   *phase
	held    *held
	working places // commands being converted
	batches places // batches under way
	clients *clients
}

func newServer(c Config) *server {
	s := &server{
		Config:  c,
		phase:   newPhase(),
		held:    &held{max: int64(c.MaxHeld)},
		working: make(places, c.MaxConversions),
		batches: make(places, c.MaxBatches),
		clients: newClients(c.Rate, c.Burst, c.Proxies),
	}
	s.metrics = newMetrics(s)
	return s
}

// routes returns the service's handler.
func (s *server) routes() http.Handler {
	route := s.route()
	get := func(h http.Handler) http.Handler {
		return methods{http.MethodGet: h}
	}
	try := get(tryPage())
	all := map[string]http.Handler{
		"/api/convert":     route(s.answer(api.AsConvert)),
		"/api/parse":       route(s.answer(api.AsParse)),
		"/api/batch":       route(s.batch),
		"/{$}":             try,
		"/page/":           try,
		"/engine/":         try,
		"/openapi.yaml":    get(openAPIYAML()),
		"/openapi.json":    get(openAPIJSON()),
		"/problems/{$}":    get(problemIndex()),
		"/problems/{code}": get(problemPages()),
		"/healthz":         get(healthy),
		"/readyz":          get(handlerFunc(s.ready)),
		noRoute:            handlerFunc(notFound),
	}
	if !s.HideMetrics {
		all["/metrics"] = chain(get(s.metrics.handler()), s.wantToken)
	}
	return s.around(all)
}

// api returns what stands around each handler of the API.
func (s *server) route() func(handlerFunc) http.Handler {
	requests := make(places, s.MaxRequests)
	return func(h handlerFunc) http.Handler {
		return methods{http.MethodPost: chain(h, s.wantToken, s.limitRate, limitRequests(requests))}
	}
}

// around returns the handler of all routes, with what stands around them.
func (s *server) around(routes map[string]http.Handler) http.Handler {
	mux := http.NewServeMux()
	for pattern, h := range routes {
		mux.Handle(pattern, h)
		s.metrics.addRoute(pattern)
	}
	return chain(mux, s.observe, recoverPanics, secureHeaders, s.allowOrigins, s.limitHead, s.closeWhenDraining)
}

// A middleware wraps a handler with one concern.
type middleware func(http.Handler) http.Handler

// chain wraps a handler so that the first middleware is the outermost.
func chain(h http.Handler, all ...middleware) http.Handler {
	for i := len(all) - 1; i >= 0; i-- {
		h = all[i](h)
	}
	return h
}
