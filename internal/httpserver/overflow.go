package httpserver

import (
	"net"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"
)

// An overflow takes connections that there is no room for: each may send one
// request, at once, to a handler that answers it in no time. So a probe is
// answered however many connections are open, and other clients are told to
// come again.
type overflow struct {
	server  *http.Server
	conns   chan net.Conn
	closed  chan struct{}
	close   sync.Once
	addr    net.Addr
	refused *atomic.Int64

	mu      sync.Mutex
	open    int
	clients map[netip.Addr]int
}

const (
	maxOverflow       = 128             // connections in the overflow
	maxClientOverflow = 16              // of one client
	overflowTime      = 2 * time.Second // for one connection
)

func newOverflow(refused *atomic.Int64, h http.Handler, addr net.Addr) *overflow {
	o := &overflow{
		refused: refused,
		server: &http.Server{
			Handler:        h,
			ReadTimeout:    overflowTime,
			WriteTimeout:   overflowTime,
			MaxHeaderBytes: 4 << 10,
		},
		conns:   make(chan net.Conn, maxOverflow),
		closed:  make(chan struct{}),
		addr:    addr,
		clients: make(map[netip.Addr]int),
	}
	o.server.SetKeepAlivesEnabled(false)
	return o
}

// take serves a connection, or closes it without a word where too many are
// being served.
func (o *overflow) take(nc net.Conn) {
	o.refused.Add(1)
	client := Client(addrOf(nc))
	o.mu.Lock()
	room := o.open < maxOverflow && o.clients[client] < maxClientOverflow
	if room {
		o.open++
		o.clients[client]++
	}
	o.mu.Unlock()
	if !room {
		_ = nc.Close()
		return
	}
	o.conns <- &overflowConn{Conn: nc, owner: o, client: client} // has room for all
}

// An overflowConn counts itself until it is closed.
type overflowConn struct {
	net.Conn
	owner  *overflow
	client netip.Addr
	once   sync.Once
}

// Close closes the connection.
func (c *overflowConn) Close() error {
	c.once.Do(func() {
		o := c.owner
		o.mu.Lock()
		defer o.mu.Unlock()
		o.open--
		if o.clients[c.client]--; o.clients[c.client] == 0 {
			delete(o.clients, c.client)
		}
	})
	return c.Conn.Close()
}

// CloseWrite lets net/http end a connection without losing what the client
// has yet to read.
func (c *overflowConn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// An overflow is the listener of its own server.

// Accept returns the next connection.
func (o *overflow) Accept() (net.Conn, error) {
	select {
	case c := <-o.conns:
		return c, nil
	case <-o.closed:
		return nil, net.ErrClosed
	}
}

// Close ends Accept.
func (o *overflow) Close() error {
	o.close.Do(func() { close(o.closed) })
	return nil
}

// Addr returns the address of the server.
func (o *overflow) Addr() net.Addr { return o.addr }
