package httpserver

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"sync/atomic"
	"time"
)

// A Server is an http.Server with limits on its connections and a graceful
// shutdown.
type Server struct {
	Handler http.Handler
	// Overflow answers a request that finds no place for its connection. It must
	// return quickly.
	Overflow http.Handler
	// Probe reports whether a request is answered without a place. It must have no
	// content, and a small answer.
	Probe func(*http.Request) bool
	Log   *slog.Logger
	TLS   *tls.Config // nil: plain HTTP
	// Version is what the log says at the start.
	Version string

	MaxConnections       int
	MaxClientConnections int                   // of one address, or IPv6 network
	Exempt               func(netip.Addr) bool // addresses without that limit, such as proxies
	// Client returns the client of a request that came by an exempt address.
	Client func(*http.Request) netip.Addr

	ReadHeaderTimeout time.Duration
	ReadTimeout       time.Duration // for a whole request
	WriteTimeout      time.Duration // for a whole response
	IdleTimeout       time.Duration // between two requests of a connection
	MaxHeaderBytes    int

	DrainDelay time.Duration // how long to go on serving after Draining
	Grace      time.Duration // for the requests under way after that

	Draining func() // called when Serve begins to stop
	Ending   func() // called shortly before the grace period ends

	open, refused, evicted, unread atomic.Int64
	conns                          atomic.Pointer[connections]
}

// Open returns the number of open connections.
func (s *Server) Open() int64 { return s.open.Load() }

// Refused returns the number of connections that found no place.
func (s *Server) Refused() int64 { return s.refused.Load() }

// Evicted returns the number of connections that new ones replaced.
func (s *Server) Evicted() int64 { return s.evicted.Load() }

// Unread returns the number of requests whose header did not come, or that
// net/http refused. It misses those after another request of their connection
// that net/http reads at once and then refuses, because it reports no state.
func (s *Server) Unread() int64 { return s.unread.Load() }

// Busiest returns the most connections of one client.
func (s *Server) Busiest() int {
	if conns := s.conns.Load(); conns != nil {
		return conns.busiest()
	}
	return 0
}

// Serve answers the connections of a listener until the context is done. Then
// it stops in three steps: it calls Draining, so that a load balancer sends
// requests elsewhere; after the drain delay it accepts no more connections; and
// it waits for the requests in flight until the grace period ends. Serve returns
// nil if it cut off no request. A Server serves once.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	conns := newConnections(s)
	s.conns.Store(conns)
	limited := &listener{Listener: l, conns: conns, refused: &s.refused}
	main := &http.Server{
		Handler:           s.placed(s.Handler),
		ReadHeaderTimeout: s.ReadHeaderTimeout,
		ReadTimeout:       s.ReadTimeout,
		WriteTimeout:      s.WriteTimeout,
		IdleTimeout:       s.IdleTimeout,
		MaxHeaderBytes:    s.MaxHeaderBytes,
		ErrorLog:          slog.NewLogLogger(s.Log.Handler(), slog.LevelWarn),
		ConnState:         conns.noteState,
		ConnContext:       withConn,
	}
	served := make(chan error, 1)
	var accepted net.Listener = limited
	if s.TLS != nil {
		accepted = tls.NewListener(limited, s.TLS)
	}
	go func() { served <- main.Serve(accepted) }()
	s.Log.Info("listening", "addr", l.Addr().String(), "version", s.Version, "tls", s.TLS != nil)

	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	s.Log.Info("stopping", "drain", s.DrainDelay, "grace", s.Grace)
	s.Draining()
	select {
	case err := <-served:
		return err
	case <-time.After(s.DrainDelay):
	}
	limited.stop()
	<-served
	return s.finish(main, conns)
}

// lastWords is the time from Ending to the end of the grace period. net/http
// uses half a second of it to be sure that the client has read the end of a
// response.
const lastWords = time.Second

// finish waits for the requests in flight.
func (s *Server) finish(main *http.Server, conns *connections) error {
	grace, cancel := context.WithTimeout(context.Background(), s.Grace)
	defer cancel()
	ending := time.AfterFunc(s.Grace-min(s.Grace/2, lastWords), s.Ending)
	defer ending.Stop()
	// Shutdown closes connections that have sent no request yet, and loses the
	// one that is just arriving, so finish waits for these first.
	conns.quiet(grace)
	if err := main.Shutdown(grace); err != nil {
		return errors.Join(errors.New("requests in flight were cut off"), main.Close())
	}
	s.Log.Info("stopped")
	return nil
}
