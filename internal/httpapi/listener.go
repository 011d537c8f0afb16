package httpapi

import (
	"errors"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"uncoil/internal/envelope"
)

// A listener bounds how many connections are open at once. One too many is
// told so and closed. When the service stops, it takes what the kernel has
// accepted already before it ends: those clients believe that they are
// connected.
type listener struct {
	net.Listener
	max      int64
	open     *atomic.Int64
	stopping atomic.Bool
}

// lastConnections is how long the listener looks for connections that are
// waiting when it stops.
const lastConnections = 20 * time.Millisecond

// stop makes Accept end as soon as no connection waits.
func (l *listener) stop() {
	l.stopping.Store(true)
	if d, ok := l.Listener.(interface{ SetDeadline(time.Time) error }); ok {
		_ = d.SetDeadline(time.Now().Add(lastConnections))
		return
	}
	_ = l.Close()
}

// Accept returns the next connection, and net.ErrClosed after stop.
func (l *listener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			if l.stopping.Load() && errors.Is(err, os.ErrDeadlineExceeded) {
				err = errors.Join(net.ErrClosed, l.Close())
			}
			return nil, err
		}
		if l.open.Add(1) > l.max {
			l.open.Add(-1)
			go turnAway(c)
			continue
		}
		return &connection{Conn: c, open: l.open}, nil
	}
}

// A connection counts itself until it is closed.
type connection struct {
	net.Conn
	open *atomic.Int64
	once sync.Once
}

// Close closes the connection.
func (c *connection) Close() error {
	c.once.Do(func() { c.open.Add(-1) })
	return c.Conn.Close()
}

// CloseWrite lets net/http end a connection without losing what the client
// has yet to read.
func (c *connection) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// turnAway answers whatever the client is going to ask.
func turnAway(c net.Conn) {
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(time.Second))
	_, _ = c.Write(tooManyConnections)
}

// tooManyConnections is a whole response, for a connection that no server
// reads from.
var tooManyConnections = func() []byte {
	p := envelope.Problem{
		Code:   envelope.CodeOverloaded,
		Detail: "Too many connections are open.",
		Hint:   "send the request again in a moment",
	}
	head := "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/problem+json\r\n" +
		"Cache-Control: no-store\r\nRetry-After: " + retryAfter + "\r\nConnection: close\r\n\r\n"
	return p.Append([]byte(head))
}()
