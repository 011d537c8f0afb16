package httpserver

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"
)

// connections is the set of open connections of a server, with its limits. A
// connection takes a place with its first request that is no probe. Until then it
// waits, and waiting connections can use free places and a reserve. So however
// many connections have a place, a new one can send a request and get an answer.
//
// Above a limit a connection replaces another one: a request one that has a place,
// and a new connection one that waits; above the limit for a client, it is one of
// the same client, and otherwise one of the client with the most, in the network
// with the most. Of clients with as many waiting connections, one with more places
// goes first, so that those who keep many cannot drive out who comes with one.
// Within a client an idle connection goes before one with a request, and the
// longest in its state before the others.
//
// A connection is replaceable unless a handler holds it. So what a client does
// not send or does not read keeps nobody else away.
type connections struct {
	max, reserve, maxClient int
	exempt                  func(netip.Addr) bool // proxies, because they stand for many clients

	open, evicted, unread *atomic.Int64
	busy                  atomic.Int64 // new connections, and those with a request in flight

	mu      sync.Mutex
	clock   int64 // counts changes of state
	placed  tree
	waiting tree
	// unsorted has the connections of proxies that still count for their proxy, and
	// not for the client of their last request. They are sorted when one must be
	// replaced, because that costs more than all else that a request pays here.
	unsorted queue
}

// reservedPart is the part of all connections that is reserved for those that
// wait: a sixteenth.
const reservedPart = 16

func newConnections(s *Server) *connections {
	reserve := (s.MaxConnections + reservedPart - 1) / reservedPart
	return &connections{open: &s.open, evicted: &s.evicted, unread: &s.unread, max: max(s.MaxConnections-reserve, 1), reserve: reserve,
		maxClient: s.MaxClientConnections, exempt: s.Exempt, placed: newTree(), waiting: newTree()}
}

// A Conn belongs to its connections until it is closed.
type Conn struct {
	net.Conn
	owner  *connections
	remote netip.Addr
	exempt bool
	once   sync.Once

	// Used by the goroutine of the connection only.
	busy      bool       // what noteState saw last
	reading   bool       // whether no handler has been called for what noteState saw
	asked     bool       // whether it has had a request
	hasPlace  bool       // whether it has taken a place
	requester netip.Addr // the client of the request
	home      netip.Addr // the client, or proxy, of the connection

	// Guarded by owner.mu.
	tree       *tree
	client     *holder    // nil after its removal
	behalf     netip.Addr // the client of the last request
	idle       bool       // whether it has no request
	queue      *queue     // nil while it is held
	next, prev *Conn      // in the queue
	since      int64      // the clock when it joined the queue
}

// admit adds a new connection, or returns false if it can replace none.
func (cs *connections) admit(nc net.Conn) (*Conn, bool) {
	c := &Conn{Conn: nc, owner: cs, remote: addrOf(nc)}
	c.exempt = !c.remote.IsValid() || cs.exempt(c.remote)
	addr := Client(c.remote)
	c.home, c.behalf, c.idle = addr, addr, true
	cs.mu.Lock()
	var evicted *Conn
	fits := true
	switch {
	case !c.exempt && cs.waiting.openOf(addr)+cs.placed.openOf(addr) >= cs.maxClient:
		if evicted = cs.waiting.longestOf(addr); evicted == nil {
			evicted = cs.placed.longestOf(addr)
		}
		fits = evicted != nil
	case cs.waiting.root.open+cs.placed.root.open >= cs.max+cs.reserve:
		if evicted = cs.waiting.longest(); evicted == nil {
			cs.sort()
			evicted = cs.placed.longest()
		}
		fits = evicted != nil
	}
	if fits {
		cs.evict(evicted)
		cs.join(c, &cs.waiting, addr)
		if !c.exempt || !c.remote.IsValid() {
			cs.move(c, c.state())
		} // a proxy has a request for a new connection
	}
	cs.mu.Unlock()
	evicted.abort()
	return c, fits
}

// place takes a place for a request, or returns false if there is none. A place is
// kept until the connection is closed.
func (c *Conn) place() bool {
	cs := c.owner
	cs.mu.Lock()
	if c.client == nil { // it was evicted
		cs.mu.Unlock()
		return true
	}
	if c.tree == &cs.placed {
		cs.turnTo(c, c.requester)
		cs.mu.Unlock()
		return true
	}
	cs.leave(c)
	var evicted *Conn
	fits := true
	if cs.placed.root.open >= cs.max {
		cs.sort()
		evicted = cs.placed.longest()
		fits = evicted != nil
	}
	cs.evict(evicted)
	t := &cs.placed
	if !fits {
		t = &cs.waiting
	}
	cs.join(c, t, c.home)
	c.behalf = c.requester
	cs.move(c, c.state())
	cs.mu.Unlock()
	evicted.abort()
	return fits
}

// turnTo lets a connection of a proxy count for another client, once it is sorted.
// mu is held.
func (cs *connections) turnTo(c *Conn, client netip.Addr) {
	if c.behalf == client {
		return
	}
	if c.client.addr != c.home {
		t := c.tree
		cs.leave(c)
		cs.join(c, t, c.home)
	}
	c.behalf = client
	cs.move(c, c.state())
}

// sort counts connections of proxies for the clients of their last requests. mu is
// held.
func (cs *connections) sort() {
	for c := cs.unsorted.first; c != nil; c = cs.unsorted.first {
		t := c.tree
		cs.leave(c)
		cs.join(c, t, c.behalf)
		cs.move(c, c.state())
	}
}

// state returns the queue of a connection that nobody holds. mu is held.
func (c *Conn) state() *queue {
	switch {
	case c.behalf != c.home && c.client.addr == c.home && c.tree == &c.owner.placed:
		return &c.owner.unsorted
	case c.idle:
		return &c.client.idle
	default:
		return &c.client.active
	}
}

// evict removes a connection to make room, if it is not nil. The caller aborts it
// once mu is free.
func (cs *connections) evict(c *Conn) {
	if c != nil {
		cs.evicted.Add(1)
		cs.leave(c)
	}
}

// abort closes an evicted connection.
func (c *Conn) abort() {
	if c != nil {
		_ = c.Conn.Close()
	}
}

// join counts a connection for a client. mu is held.
func (cs *connections) join(c *Conn, t *tree, addr netip.Addr) {
	c.tree, c.client = t, t.client(addr)
	t.add(c.client, 1)
	cs.told(c, 1)
	cs.open.Store(int64(cs.waiting.root.open + cs.placed.root.open))
}

// leave removes a connection. mu is held.
func (cs *connections) leave(c *Conn) {
	if c.client == nil {
		return
	}
	cs.move(c, nil)
	c.tree.add(c.client, -1)
	cs.told(c, -1)
	c.client = nil
	cs.open.Store(int64(cs.waiting.root.open + cs.placed.root.open))
}

// told tells the tree of waiting connections of n more of a client's connections.
// mu is held.
func (cs *connections) told(c *Conn, n int) {
	client := cs.waiting.clients[c.client.addr]
	switch {
	case client == nil:
	case c.tree == &cs.placed:
		cs.waiting.addAlso(client, n)
	case n > 0 && client.open == 1: // it is new there
		cs.waiting.addAlso(client, cs.placed.openOf(client.addr))
	}
}

// move puts a connection at the end of a queue of its client, or of none. mu is
// held.
func (cs *connections) move(c *Conn, to *queue) {
	if c.queue != nil {
		c.queue.remove(c)
	}
	cs.clock++
	c.since = cs.clock
	if to != nil {
		to.push(c)
		if to != &cs.unsorted {
			c.tree.free(c.client)
		}
	}
}

// Close closes the connection.
func (c *Conn) Close() error {
	c.once.Do(func() {
		c.owner.mu.Lock()
		defer c.owner.mu.Unlock()
		c.owner.leave(c)
	})
	return c.Conn.Close()
}

// CloseWrite lets net/http end a connection without losing data that the
// client has not read yet.
func (c *Conn) CloseWrite() error { return closeWrite(c.Conn) }

func closeWrite(c net.Conn) error {
	if half, ok := c.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// Hold keeps the connection from being replaced until Release. A handler calls
// it for the time in which the service works, and not for the time in which it
// waits for the client. A nil Conn does nothing.
func (c *Conn) Hold() { c.change(true, false) }

// Release ends Hold.
func (c *Conn) Release() { c.change(false, false) }

// change notes the state of the connection.
func (c *Conn) change(held, idle bool) {
	if c == nil {
		return
	}
	c.owner.mu.Lock()
	defer c.owner.mu.Unlock()
	switch c.idle = idle; {
	case c.client == nil:
	case held:
		c.owner.move(c, nil)
	default:
		c.owner.move(c, c.state())
	}
}

// noteState follows the states of a connection. net/http calls it.
func (cs *connections) noteState(nc net.Conn, state http.ConnState) {
	c := plain(nc)
	switch state {
	case http.StateActive:
		c.reading = true
		// A first request is held until placed knows whether it is a probe.
		c.change(!c.asked, false)
	case http.StateIdle:
		c.change(false, true)
	case http.StateClosed:
		if c.reading {
			cs.unread.Add(1)
		}
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

// busiest returns the most connections of one client.
func (cs *connections) busiest() int {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	cs.sort()
	most := 0
	for addr, client := range cs.placed.clients {
		most = max(most, client.open+cs.waiting.openOf(addr))
	}
	for _, client := range cs.waiting.clients {
		most = max(most, client.open)
	}
	return most
}

type connKey struct{}

// ConnOf returns the connection of a request from its context, or nil.
func ConnOf(ctx context.Context) *Conn {
	c, _ := ctx.Value(connKey{}).(*Conn)
	return c
}

// plain returns the connection below TLS, if there is TLS.
func plain(nc net.Conn) *Conn {
	if secure, ok := nc.(*tls.Conn); ok {
		nc = secure.NetConn()
	}
	return nc.(*Conn)
}

// withConn is the ConnContext of the server.
func withConn(ctx context.Context, nc net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, plain(nc))
}

// placed has each request take a place for its connection, except for probes.
func (s *Server) placed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := ConnOf(r.Context())
		if c == nil { // in tests of a handler
			next.ServeHTTP(w, r)
			return
		}
		c.reading = false
		c.requester = c.home
		if c.exempt {
			c.requester = s.Client(r)
		}
		c.asked = true
		if c.hasPlace && !c.exempt {
			next.ServeHTTP(w, r)
			return
		}
		if s.Probe(r) {
			// A first probe stays held until the connection is idle. Its answer
			// always fits into the buffers of the kernel, while a client can
			// refuse to read those to later ones.
			next.ServeHTTP(w, r)
			return
		}
		if !c.place() {
			s.refused.Add(1)
			w.Header().Set("Connection", "close")
			s.Overflow.ServeHTTP(w, r)
			return
		}
		c.hasPlace = true
		next.ServeHTTP(w, r)
	})
}

// Requester returns the client of the request that the connection has.
func (c *Conn) Requester() netip.Addr { return c.requester }

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
func Client(addr netip.Addr) netip.Addr { return prefix(addr, addr.BitLen(), 64) }

// ClientName returns the client at addr as text: an IPv4 address or the /64 network
// of an IPv6 address.
func ClientName(addr netip.Addr) string {
	if addr.Is6() {
		return netip.PrefixFrom(addr, 64).String()
	}
	return addr.String()
}

// Network returns the address that identifies the network of the client at
// addr: the /24 of an IPv4 address and the /48 of an IPv6 address. One customer of
// a provider usually has at most that.
func Network(addr netip.Addr) netip.Addr { return prefix(addr, 24, 48) }

func prefix(addr netip.Addr, bits4, bits6 int) netip.Addr {
	addr = addr.Unmap().WithZone("")
	bits := bits6
	if addr.Is4() {
		bits = min(bits4, 32)
	}
	network, _ := addr.Prefix(bits) // the zero Prefix for the zero Addr
	return network.Addr()
}
