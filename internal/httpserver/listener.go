package httpserver

import (
	"context"
	"errors"
	"net"
	"os"
	"sync/atomic"
	"time"
)

// Listen opens a TCP address. It leaves Multipath TCP out, which Go would use
// and Landlock does not know.
func Listen(addr string) (net.Listener, error) {
	var plain net.ListenConfig
	plain.SetMultipathTCP(false)
	return plain.Listen(context.Background(), "tcp", addr)
}

// A listener passes connections to the server, and those that there is no
// room for to the overflow. When the server stops, it takes the connections
// that the kernel has accepted before it ends, because their clients believe
// that they are connected.
type listener struct {
	net.Listener
	conns    *connections
	overflow *overflow
	stopping atomic.Bool
	until    time.Time // when it ends at the latest; set before stopping
}

const (
	// lastWait is how long the listener waits for connections that may have
	// been accepted by the kernel when it stops.
	lastWait = 100 * time.Millisecond
	// lastWaits bounds that where they keep coming.
	lastWaits = time.Second
)

// stop makes Accept end as soon as no connection waits.
func (l *listener) stop() {
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
		l.overflow.take(nc)
	}
}

// next returns the next connection. After stop it returns those that wait,
// and closes the listener when there are none.
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
