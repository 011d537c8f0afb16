package httpapi

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"time"

	"uncoil/internal/edge/httpserver"
)

// Serve answers the connections of a listener until the context is done, and
// then stops as httpserver.Server does. Batches that would last longer end after
// a line. Serve returns nil if it cut off no request.
func Serve(ctx context.Context, l net.Listener, c Config) error {
	s := newServer(c.withDefaults())
	main := s.httpServer()
	watching, stopWatching := context.WithCancel(context.Background())
	defer stopWatching()
	go s.watcher.run(watching)
	if s.Opened != nil {
		s.Opened()
	}
	if s.Debug == nil {
		return main.Serve(ctx, l)
	}
	debug := s.debugServer()
	debug.ErrorLog = slog.NewLogLogger(s.Log.Handler(), slog.LevelWarn)
	defer debug.Close()
	s.Log.Info("listening for profiles and metrics", "addr", s.Debug.Addr().String())
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	failed := make(chan error, 1)
	go func() {
		err := debug.Serve(s.Debug)
		failed <- err
		cancel(err)
	}()
	err := main.Serve(ctx, l)
	select {
	case failure := <-failed:
		err = errors.Join(failure, err)
	default:
	}
	return err
}

// httpServer returns the server of the connections.
func (s *server) httpServer() *httpserver.Server {
	main := &httpserver.Server{
		Handler:              s.routes(),
		Overflow:             http.HandlerFunc(s.noPlace),
		Probe:                isProbe,
		Log:                  s.Log,
		Version:              s.Version,
		TLS:                  s.TLS.config(),
		MaxConnections:       s.MaxConnections,
		MaxClientConnections: s.MaxClientConnections,
		Exempt:               func(addr netip.Addr) bool { return trusted(addr, s.Proxies) },
		Client:               func(r *http.Request) netip.Addr { return clientAddr(r, s.Proxies) },
		ReadHeaderTimeout:    s.ReadHeaderTimeout,
		ReadTimeout:          s.ReadTimeout,
		WriteTimeout:         s.WriteTimeout,
		IdleTimeout:          s.IdleTimeout,
		MaxHeaderBytes:       readHeaderBytes(s.MaxHeader),
		DrainDelay:           s.DrainDelay,
		Grace:                s.Grace,
		Draining:             s.phase.drain,
		Ending:               s.phase.end,
	}
	s.metrics.Gauge("uncoil_http_connections", "Open connections.", func() float64 { return float64(main.Open()) })
	s.metrics.Counter("uncoil_http_connections_refused_total", "Connections that found no place because conversions and batches held all.", func() float64 { return float64(main.Refused()) })
	s.metrics.Counter("uncoil_http_connections_evicted_total", "Connections that made room for new ones.", func() float64 { return float64(main.Evicted()) })
	s.metrics.Counter("uncoil_http_requests_unread_total", "Requests that no route saw, because their header was malformed, too large or incomplete.", func() float64 { return float64(main.Unread()) })
	s.metrics.Gauge("uncoil_client_connections", "The most connections of one client.", func() float64 { return float64(main.Busiest()) })
	return main
}

// noPlace answers a request whose connection finds no place.
func (s *server) noPlace(w http.ResponseWriter, r *http.Request) {
	s.refusing.refused(time.Now())
	secure(w.Header())
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(linger))
	writeProblem(w, r, overloaded("Too many connections are open.", s.QueueTimeout))
}

// isProbe reports whether a request asks for the health of the service.
func isProbe(r *http.Request) bool {
	return (r.URL.Path == "/healthz" || r.URL.Path == "/readyz") && r.ContentLength == 0
}
