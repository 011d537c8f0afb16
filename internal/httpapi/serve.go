package httpapi

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// Serve answers the connections of a listener until the context is done.
// Then it stops in three steps: /readyz turns false, so that a balancer looks
// elsewhere; after the drain delay no connection is taken any more; and the
// requests under way have the grace period to end. Batches that last longer
// end at the end of a line. Serve returns nil when nothing was cut off.
func Serve(ctx context.Context, l net.Listener, c Config) error {
	s := newServer(c.withDefaults())
	limited := &listener{Listener: l, max: int64(s.MaxConnections), open: &s.metrics.open}
	errorLog := slog.NewLogLogger(s.Log.Handler(), slog.LevelWarn)
	main := &http.Server{
		Handler:           s.routes(),
		ReadHeaderTimeout: s.ReadHeaderTimeout,
		ReadTimeout:       s.ReadTimeout,
		WriteTimeout:      s.WriteTimeout,
		IdleTimeout:       s.IdleTimeout,
		MaxHeaderBytes:    readHeaderBytes(s.MaxHeader),
		ErrorLog:          errorLog,
		ConnState:         limited.noteState,
	}
	if s.Opened != nil {
		s.Opened()
	}
	failed := make(chan error, 2)
	if s.Debug != nil {
		debug := s.debugServer()
		debug.ErrorLog = errorLog
		defer debug.Close()
		go func() { failed <- debug.Serve(s.Debug) }()
		s.Log.Info("listening for profiles and metrics", "addr", s.Debug.Addr().String())
	}
	served := make(chan error, 1)
	go func() { served <- main.Serve(limited) }()
	s.Log.Info("listening", "addr", l.Addr().String())

	select {
	case err := <-failed:
		return errors.Join(err, main.Close())
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	s.Log.Info("stopping", "drain", s.DrainDelay, "grace", s.Grace)
	s.phase.drain()
	select {
	case err := <-served:
		return err
	case <-time.After(s.DrainDelay):
	}
	limited.stop()
	<-served
	return s.finish(main, limited)
}

// lastWords is how long a batch has to end before it is cut off. net/http
// takes half a second of that to be sure that the client has read the end.
const lastWords = time.Second

// finish waits for the requests under way.
func (s *server) finish(main *http.Server, l *listener) error {
	grace, cancel := context.WithTimeout(context.Background(), s.Grace)
	defer cancel()
	tell := time.AfterFunc(s.Grace-min(s.Grace/2, lastWords), s.phase.end)
	defer tell.Stop()
	// Shutdown drops a request that it finds on a connection which has none
	// yet, so it has to wait for these.
	l.quiet(grace)
	if err := main.Shutdown(grace); err != nil {
		return errors.Join(errors.New("requests under way were cut off"), main.Close())
	}
	s.Log.Info("stopped")
	return nil
}
