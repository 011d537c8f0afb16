package httpapi

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"uncoil/internal/api"
)

// Listen opens a TCP address for Serve. It leaves Multipath TCP out, which Go
// would use: the kernel lets no filter on its sockets, nor does Landlock know
// of it.
func Listen(addr string) (net.Listener, error) {
	var plain net.ListenConfig
	plain.SetMultipathTCP(false)
	return plain.Listen(context.Background(), "tcp", addr)
}

// A listener bounds how many connections are open at once. One too many is
// told so and closed. When the service stops, it takes what the kernel has
// accepted already before it ends: those clients believe that they are
// connected.
type listener struct {
	net.Listener
	max        int64
	open       *atomic.Int64
	busy       atomic.Int64 // connections that are new or have a request under way
	stopping   atomic.Bool
	turnedAway atomic.Int64 // connections too many that are being told so
	until      time.Time    // when it ends at the latest; set before stopping
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
	refuseConnections(l.Listener)
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
		c, err := l.next()
		if err != nil {
			return nil, err
		}
		if l.open.Add(1) > l.max {
			l.open.Add(-1)
			go l.turnAway(c)
			continue
		}
		return &connection{Conn: c, open: l.open}, nil
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

// A connection counts itself until it is closed.
type connection struct {
	net.Conn
	open *atomic.Int64
	once sync.Once
	busy bool // as noteState saw it last; net/http calls that in order
}

// noteState counts the connections that are new or have a request under way.
func (l *listener) noteState(c net.Conn, state http.ConnState) {
	own := c.(*connection)
	busy := state == http.StateNew || state == http.StateActive
	if busy == own.busy {
		return
	}
	own.busy = busy
	if busy {
		l.busy.Add(1)
	} else {
		l.busy.Add(-1)
	}
}

// quiet waits until no connection has, or is about to have, a request.
func (l *listener) quiet(ctx context.Context) {
	const often = 2 * time.Millisecond
	for l.busy.Load() > 0 {
		select {
		case <-ctx.Done():
			return
		case <-time.After(often):
		}
	}
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

// maxTurnedAway is how many connections are told at once that they are too
// many. The others are closed without a word.
const maxTurnedAway = 100

// turnAway answers whatever the client asks, once it begins to: clients take
// an answer that comes before that for a fault.
func (l *listener) turnAway(c net.Conn) {
	defer c.Close()
	if l.turnedAway.Add(1) <= maxTurnedAway {
		_ = c.SetDeadline(time.Now().Add(time.Second))
		if _, err := c.Read(make([]byte, 4<<10)); err == nil {
			_, _ = c.Write(tooManyConnections)
		}
	}
	l.turnedAway.Add(-1)
}

// tooManyConnections is a whole response, for a connection that no server
// reads from.
var tooManyConnections = func() []byte {
	p := api.Problem{
		Code:   api.CodeOverloaded,
		Detail: "Too many connections are open.",
		Hint:   "send the request again in a moment",
	}
	head := "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/problem+json\r\n" +
		"Cache-Control: no-store\r\nRetry-After: " + retryAfter + "\r\nConnection: close\r\n\r\n"
	return p.Append([]byte(head))
}()
