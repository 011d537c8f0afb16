package httpapi

import (
	"cmp"
	"log/slog"
	"net/http"
	"time"

	"uncoil/internal/envelope"
)

// A Config holds the limits of the service. A field that is zero means the
// one of Defaults.
type Config struct {
	MaxBody     int // bytes in a request's content, or in a line of a batch
	MaxRequests int // how many API requests may be under way at once

	ReadHeaderTimeout time.Duration
	ReadTimeout       time.Duration // for a whole request
	WriteTimeout      time.Duration // for a whole response
	IdleTimeout       time.Duration // between two requests of a connection
	BatchTimeout      time.Duration // for a batch to make some progress

	DrainDelay time.Duration // how long to go on serving with /readyz false
	Grace      time.Duration // for the requests under way at the end

	Log *slog.Logger
}

// Defaults returns the limits that suit most services. Nothing is logged.
func Defaults() Config {
	return Config{
		MaxBody:           1 << 20,
		MaxRequests:       1000,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       15 * time.Second,
		WriteTimeout:      30 * time.Second,
		IdleTimeout:       time.Minute,
		BatchTimeout:      30 * time.Second,
		Grace:             10 * time.Second,
		Log:               slog.New(slog.DiscardHandler),
	}
}

// withDefaults returns the configuration with each zero replaced.
func (c Config) withDefaults() Config {
	d := Defaults()
	return Config{
		MaxBody:           cmp.Or(c.MaxBody, d.MaxBody),
		MaxRequests:       cmp.Or(c.MaxRequests, d.MaxRequests),
		ReadHeaderTimeout: cmp.Or(c.ReadHeaderTimeout, d.ReadHeaderTimeout),
		ReadTimeout:       cmp.Or(c.ReadTimeout, d.ReadTimeout),
		WriteTimeout:      cmp.Or(c.WriteTimeout, d.WriteTimeout),
		IdleTimeout:       cmp.Or(c.IdleTimeout, d.IdleTimeout),
		BatchTimeout:      cmp.Or(c.BatchTimeout, d.BatchTimeout),
		DrainDelay:        c.DrainDelay,
		Grace:             cmp.Or(c.Grace, d.Grace),
		Log:               cmp.Or(c.Log, d.Log),
	}
}

// New returns the service as a handler. Serve adds the timeouts, which
// belong to connections.
func New(c Config) http.Handler {
	return newHandler(c.withDefaults(), nil)
}

// newHandler is New for a service that is about to stop once draining is
// closed.
func newHandler(c Config, draining <-chan struct{}) http.Handler {
	limit := limitRequests(c.MaxRequests)
	api := func(h handlerFunc) http.Handler {
		return methods{http.MethodPost: limit(h)}
	}
	get := func(h http.Handler) http.Handler {
		return methods{http.MethodGet: h}
	}

	mux := http.NewServeMux()
	mux.Handle("/api/convert", api(answer(envelope.AsConvert, c.MaxBody)))
	mux.Handle("/api/parse", api(answer(envelope.AsParse, c.MaxBody)))
	mux.Handle("/api/batch", api(batch(c.MaxBody, c.BatchTimeout)))
	try := get(tryPage())
	mux.Handle("/{$}", try)
	mux.Handle("/page/", try)
	mux.Handle("/engine/", try)
	mux.Handle("/openapi.yaml", get(openAPIYAML))
	mux.Handle("/openapi.json", get(openAPIJSON))
	mux.Handle("/problems/{$}", get(problemIndex()))
	mux.Handle("/problems/{code}", get(problemPages()))
	mux.Handle("/healthz", get(healthy))
	mux.Handle("/readyz", get(ready(draining)))
	mux.Handle("/", handlerFunc(notFound))

	return chain(mux, logRequests(c.Log), recoverPanics, secureHeaders)
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
