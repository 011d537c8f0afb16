package httpserver

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"sync/atomic"
	"time"
)

// A Server is an http.Server with bounds on its connections and an orderly
// end.
type Server struct {
	Handler http.Handler
	// Overflow answers the one request of a connection that there is no room
	// for. It must not take long.
	Overflow http.Handler
	Log      *slog.Logger

	MaxConnections       int
	MaxClientConnections int                   // of one address, or IPv6 network
	Exempt               func(netip.Addr) bool // addresses that MaxClientConnections is not for

	ReadHeaderTimeout time.Duration
	ReadTimeout       time.Duration // for a whole request
	WriteTimeout      time.Duration // for a whole response
	IdleTimeout       time.Duration // between two requests of a connection
	MaxHeaderBytes    int

	DrainDelay time.Duration // how long to go on serving after Draining
	Grace      time.Duration // for the requests under way after that

	Draining func() // is called when Serve begins to stop
	Ending   func() // is called a moment before the grace period ends

	open, refused atomic.Int64
}

// Open returns how many connections are open.
func (s *Server) Open() int64 { return s.open.Load() }

// Refused returns how many connections there was no room for.
func (s *Server) Refused() int64 { return s.refused.Load() }

// Serve answers the connections of a listener until the context is done.
// Then it stops in three steps: Draining lets a balancer see that it should
// look elsewhere; after the drain delay no connection is taken any more; and
// the requests under way have the grace period to end. Serve returns nil when
// nothing was cut off. A Server serves once.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	conns := newConnections(&s.open, s.MaxConnections, s.MaxClientConnections, s.Exempt)
	over := newOverflow(&s.refused, s.Overflow, l.Addr())
	limited := &listener{Listener: l, conns: conns, overflow: over}
	errorLog := slog.NewLogLogger(s.Log.Handler(), slog.LevelWarn)
	main := &http.Server{
		Handler:           s.Handler,
		ReadHeaderTimeout: s.ReadHeaderTimeout,
		ReadTimeout:       s.ReadTimeout,
		WriteTimeout:      s.WriteTimeout,
		IdleTimeout:       s.IdleTimeout,
		MaxHeaderBytes:    s.MaxHeaderBytes,
		ErrorLog:          errorLog,
		ConnState:         conns.noteState,
	}
	over.server.ErrorLog = errorLog
	go func() { _ = over.server.Serve(over) }()
	defer over.server.Close()
	served := make(chan error, 1)
	go func() { served <- main.Serve(limited) }()
	s.Log.Info("listening", "addr", l.Addr().String())

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

// lastWords is how long a response has to end after Ending before it is cut
// off. net/http takes half a second of that to be sure that the client has
// read the end.
const lastWords = time.Second

// finish waits for the requests under way.
func (s *Server) finish(main *http.Server, conns *connections) error {
	grace, cancel := context.WithTimeout(context.Background(), s.Grace)
	defer cancel()
	ending := time.AfterFunc(s.Grace-min(s.Grace/2, lastWords), s.Ending)
	defer ending.Stop()
	// Shutdown drops a request that it finds on a connection which has none
	// yet, so it must wait for these.
	conns.quiet(grace)
	if err := main.Shutdown(grace); err != nil {
		return errors.Join(errors.New("requests under way were cut off"), main.Close())
	}
	s.Log.Info("stopped")
	return nil
}
