package httpserver

import (
	"context"
	"errors"
	"net"
	"os"
	"sync/atomic"
	"time"
)

// Listen listens on a TCP address, without Multipath TCP: Go would use it, and
// Landlock does not restrict it.
func Listen(addr string) (net.Listener, error) {
	var plain net.ListenConfig
	plain.SetMultipathTCP(false)
	l, err := plain.Listen(context.Background(), "tcp", addr)
	if err != nil {
		return nil, err
	}
	return own{l.(*net.TCPListener)}, nil
}

// own is a listener whose socket no other process has.
type own struct{ *net.TCPListener }

// A listener passes connections to the server, and closes those above the limits
// that can replace no other one. After stop it still accepts the connections in the backlog of
// the kernel, because their clients are connected already.
type listener struct {
	net.Listener
	conns    *connections
	refused  *atomic.Int64
	stopping atomic.Bool
	until    time.Time // the latest end; set before stopping
}

const (
	// lastWait is how long the listener waits for a connection in the backlog.
	lastWait = 100 * time.Millisecond
	// lastWaits limits the sum of these waits.
	lastWaits = time.Second
)

// stop makes Accept return an error once the backlog is empty.
func (l *listener) stop() {
	if o, ok := l.Listener.(own); ok {
		stopConnecting(o.TCPListener)
	}
	l.until = time.Now().Add(lastWaits)
	l.stopping.Store(true)
	if d, ok := l.Listener.(deadliner); ok {
		_ = d.SetDeadline(time.Now()) // wakes Accept
		return
	}
	_ = l.Close()
}

type deadliner interface{ SetDeadline(time.Time) error }

// Accept returns the next connection, and net.ErrClosed after stop.
func (l *listener) Accept() (net.Conn, error) {
	for {
		nc, err := l.next()
		if err != nil {
			return nil, err
		}
		if c, ok := l.conns.admit(nc); ok {
			return c, nil
		}
		l.refused.Add(1)
		_ = nc.Close()
	}
}

// next returns the next connection. After stop it empties the backlog and then
// closes the listener.
func (l *listener) next() (net.Conn, error) {
	if !l.stopping.Load() {
		c, err := l.Listener.Accept()
		if err == nil || !l.stopping.Load() || !errors.Is(err, os.ErrDeadlineExceeded) {
			return c, err
		}
	}
	now := time.Now()
	if d, ok := l.Listener.(deadliner); ok && now.Before(l.until) {
		_ = d.SetDeadline(now.Add(lastWait))
		if c, err := l.Listener.Accept(); err == nil {
			return c, nil
		}
	}
	return nil, errors.Join(net.ErrClosed, l.Close())
}
