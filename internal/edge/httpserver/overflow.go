package httpserver

import (
	"net"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"
)

// An overflow serves the connections above the limits: one request each, with
// a short timeout and a fast handler. So probes are answered however many
// connections are open, and other clients learn that they must retry. It is the
// listener of its own server.
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

// take serves a connection, or closes it if the overflow is full.
func (o *overflow) take(nc net.Conn) {
	o.refused.Add(1)
	client := Client(addrOf(nc))
	o.mu.Lock()
	fits := o.open < maxOverflow && o.clients[client] < maxClientOverflow
	if fits {
		o.open++
		o.clients[client]++
	}
	o.mu.Unlock()
	if !fits {
		_ = nc.Close()
		return
	}
	o.conns <- &overflowConn{Conn: nc, owner: o, client: client} // never blocks: its capacity is maxOverflow
}

// An overflowConn is counted until it is closed.
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

// CloseWrite lets net/http end a connection without losing data that the
// client has not read yet.
func (c *overflowConn) CloseWrite() error { return closeWrite(c.Conn) }

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
