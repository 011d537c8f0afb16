package httpserver

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"
)

// connections is the set of open connections of a server, with its limits. A
// new connection above a limit replaces the one that has been idle for longest:
// one of the same client at the limit for a client, any at the limit for all.
type connections struct {
	max, maxClient int
	exempt         func(netip.Addr) bool // proxies, because they stand for many clients

	open *atomic.Int64
	busy atomic.Int64 // new connections, and those with a request in flight
	idle atomic.Int64 // the last idleSince

	mu      sync.Mutex
	all     map[*conn]struct{}
	clients map[netip.Addr]int
}

func newConnections(open *atomic.Int64, limit, maxClient int, exempt func(netip.Addr) bool) *connections {
	return &connections{open: open, max: limit, maxClient: maxClient, exempt: exempt,
		all: make(map[*conn]struct{}), clients: make(map[netip.Addr]int)}
}

// A conn belongs to its connections until it is closed.
type conn struct {
	net.Conn
	owner  *connections
	client netip.Addr // the zero Addr: not counted
	once   sync.Once
	// idleSince is a number that grows with each connection that becomes idle,
	// and 0 while a request is in flight.
	idleSince atomic.Int64
	busy      bool // what noteState saw last; net/http calls it in order
}

// admit adds a connection, or returns false if no idle one can be replaced.
func (cs *connections) admit(nc net.Conn) (*conn, bool) {
	c := &conn{Conn: nc, owner: cs}
	if addr := addrOf(nc); addr.IsValid() && !cs.exempt(addr) {
		c.client = Client(addr)
	}
	c.idleSince.Store(cs.idle.Add(1))
	cs.mu.Lock()
	var evicted *conn
	if c.client.IsValid() && cs.clients[c.client] >= cs.maxClient {
		evicted = cs.longestIdle(c.client)
	} else if len(cs.all) >= cs.max {
		evicted = cs.longestIdle(netip.Addr{})
	} else {
		evicted = c
	}
	if evicted == nil {
		cs.mu.Unlock()
		return nil, false
	}
	if evicted != c {
		cs.remove(evicted)
	}
	cs.all[c] = struct{}{}
	if c.client.IsValid() {
		cs.clients[c.client]++
	}
	cs.open.Store(int64(len(cs.all)))
	cs.mu.Unlock()
	if evicted != c {
		_ = evicted.Conn.Close()
	}
	return c, true
}

// longestIdle returns the connection that has been idle for longest, of the
// client or, for the zero Addr, of all; nil if none is idle. mu is held.
func (cs *connections) longestIdle(client netip.Addr) *conn {
	var found *conn
	var since int64
	for c := range cs.all {
		if t := c.idleSince.Load(); t != 0 && (found == nil || t < since) && (!client.IsValid() || c.client == client) {
			found, since = c, t
		}
	}
	return found
}

// remove deletes a connection from the set. mu is held.
func (cs *connections) remove(c *conn) {
	if _, ok := cs.all[c]; !ok {
		return
	}
	delete(cs.all, c)
	if c.client.IsValid() {
		if cs.clients[c.client]--; cs.clients[c.client] == 0 {
			delete(cs.clients, c.client)
		}
	}
	cs.open.Store(int64(len(cs.all)))
}

// Close closes the connection.
func (c *conn) Close() error {
	c.once.Do(func() {
		c.owner.mu.Lock()
		defer c.owner.mu.Unlock()
		c.owner.remove(c)
	})
	return c.Conn.Close()
}

// CloseWrite lets net/http end a connection without losing data that the
// client has not read yet.
func (c *conn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// noteState counts the busy connections. net/http calls it.
func (cs *connections) noteState(nc net.Conn, state http.ConnState) {
	c := nc.(*conn)
	switch state {
	case http.StateActive:
		c.idleSince.Store(0)
	case http.StateIdle:
		c.idleSince.Store(cs.idle.Add(1))
	}
	busy := state == http.StateNew || state == http.StateActive
	if busy == c.busy {
		return
	}
	c.busy = busy
	if busy {
		cs.busy.Add(1)
	} else {
		cs.busy.Add(-1)
	}
}

// quiet waits until no connection is busy.
func (cs *connections) quiet(ctx context.Context) {
	const interval = 2 * time.Millisecond
	for cs.busy.Load() > 0 {
		select {
		case <-ctx.Done():
			return
		case <-time.After(interval):
		}
	}
}

// addrOf returns the remote address of a connection, or the zero Addr for a
// Unix socket.
func addrOf(nc net.Conn) netip.Addr {
	tcp, ok := nc.RemoteAddr().(*net.TCPAddr)
	if !ok {
		return netip.Addr{}
	}
	return tcp.AddrPort().Addr().Unmap().WithZone("")
}

// Client returns the address that identifies the client at addr. It is the /64
// network of an IPv6 address, because one client usually has all of it.
func Client(addr netip.Addr) netip.Addr {
	addr = addr.Unmap().WithZone("")
	if addr.Is6() {
		network, _ := addr.Prefix(64) // never fails
		return network.Addr()
	}
	return addr
}
