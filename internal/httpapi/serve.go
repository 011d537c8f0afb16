package httpapi

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// maxHeaderBytes is what a request's header may have; nothing here needs more
// than a fraction of it.
const maxHeaderBytes = 32 << 10

// Serve answers the connections of a listener until the context is done.
// Then it stops in three steps: /readyz turns false, so that a balancer looks
// elsewhere; after the drain delay no connection is taken any more; and the
// requests under way have the grace period to end. Serve returns nil when
// they did.
func Serve(ctx context.Context, l net.Listener, c Config) error {
	c = c.withDefaults()
	draining := make(chan struct{})
	server := &http.Server{
		Handler:           newHandler(c, draining),
		ReadHeaderTimeout: c.ReadHeaderTimeout,
		ReadTimeout:       c.ReadTimeout,
		WriteTimeout:      c.WriteTimeout,
		IdleTimeout:       c.IdleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		ErrorLog:          slog.NewLogLogger(c.Log.Handler(), slog.LevelWarn),
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(l) }()
	c.Log.Info("listening", "addr", l.Addr().String())

	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	c.Log.Info("stopping", "drain", c.DrainDelay, "grace", c.Grace)
	close(draining)
	select {
	case err := <-failed:
		return err
	case <-time.After(c.DrainDelay):
	}

	grace, cancel := context.WithTimeout(context.Background(), c.Grace)
	defer cancel()
	if err := server.Shutdown(grace); err != nil {
		return errors.Join(errors.New("requests under way were cut off"), server.Close())
	}
	c.Log.Info("stopped")
	return nil
}
