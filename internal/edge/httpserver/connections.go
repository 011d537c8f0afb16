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
// new connection above a limit replaces another one: of the same client at the
// limit for a client, and otherwise of the client with the most connections in
// the network with the most. Within a client an idle connection goes before one
// with a request, and the longest in its state before the others.
//
// A connection is replaceable unless a handler holds it. So what a client does
// not send or does not read keeps nobody else away.
type connections struct {
	max, maxClient int
	exempt         func(netip.Addr) bool // proxies, because they stand for many clients

	open, evicted *atomic.Int64
	busy          atomic.Int64 // new connections, and those with a request in flight

	mu    sync.Mutex
	clock int64 // counts changes of state
	all   tree
}

func newConnections(s *Server) *connections {
	return &connections{open: &s.open, evicted: &s.evicted, max: s.MaxConnections, maxClient: s.MaxClientConnections, exempt: s.Exempt, all: newTree()}
}

// A Conn belongs to its connections until it is closed.
type Conn struct {
	net.Conn
	owner  *connections
	remote netip.Addr
	exempt bool
	once   sync.Once
	busy   bool // what noteState saw last; net/http calls it in order

	// Guarded by owner.mu.
	client     *holder // nil after its removal
	queue      *queue  // nil while it is held
	next, prev *Conn   // in the queue
	since      int64   // the clock when it joined the queue
}

// admit adds a connection, or returns false if it can replace none.
func (cs *connections) admit(nc net.Conn) (*Conn, bool) {
	c := &Conn{Conn: nc, owner: cs, remote: addrOf(nc)}
	c.exempt = !c.remote.IsValid() || cs.exempt(c.remote)
	cs.mu.Lock()
	client := cs.all.client(Client(c.remote))
	var evicted *Conn
	fits := true
	switch {
	case !c.exempt && client.open >= cs.maxClient:
		evicted = client.longest()
		fits = evicted != nil
	case cs.all.root.open >= cs.max:
		evicted = cs.all.root.longest()
		fits = evicted != nil
	}
	if fits {
		cs.evict(evicted)
		client = cs.all.client(client.addr) // its only connection may have gone
		cs.join(c, client)
		if !c.exempt || !c.remote.IsValid() {
			cs.move(c, &client.idle)
		} // a proxy has a request for a new connection, of a client that it will name
	}
	cs.all.prune(client)
	cs.open.Store(int64(cs.all.root.open))
	cs.mu.Unlock()
	evicted.abort()
	return c, fits
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
func (cs *connections) join(c *Conn, client *holder) {
	c.client = client
	for h := client; h != nil; h = h.parent {
		h.open++
	}
}

// leave removes a connection. mu is held.
func (cs *connections) leave(c *Conn) {
	client := c.client
	if client == nil {
		return
	}
	cs.move(c, nil)
	c.client = nil
	for h := client; h != nil; h = h.parent {
		h.open--
	}
	cs.all.prune(client)
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
	}
	c.client.update()
}

// Close closes the connection.
func (c *Conn) Close() error {
	c.once.Do(func() {
		c.owner.mu.Lock()
		defer c.owner.mu.Unlock()
		c.owner.leave(c)
		c.owner.open.Store(int64(c.owner.all.root.open))
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
func (c *Conn) Hold() { c.change(func(*holder) *queue { return nil }) }

// Release ends Hold.
func (c *Conn) Release() { c.change(func(client *holder) *queue { return &client.active }) }

// change moves the connection to the queue of its client that to returns.
func (c *Conn) change(to func(*holder) *queue) {
	if c == nil {
		return
	}
	c.owner.mu.Lock()
	defer c.owner.mu.Unlock()
	if c.client != nil {
		c.owner.move(c, to(c.client))
	}
}

// assign counts a connection of a proxy for the client of its request, and
// closes the longest of that client's connections above its limit.
func (c *Conn) assign(addr netip.Addr) {
	cs := c.owner
	cs.mu.Lock()
	if c.client == nil {
		cs.mu.Unlock()
		return
	}
	cs.leave(c)
	client := cs.all.client(Client(addr))
	var evicted *Conn
	if addr != c.remote && client.open >= cs.maxClient {
		evicted = client.longest()
		cs.evict(evicted)
		client = cs.all.client(client.addr) // its only connection may have gone
	}
	cs.join(c, client)
	cs.move(c, &client.active)
	cs.open.Store(int64(cs.all.root.open))
	cs.mu.Unlock()
	evicted.abort()
}

// noteState follows the states of a connection. net/http calls it.
func (cs *connections) noteState(nc net.Conn, state http.ConnState) {
	c := nc.(*Conn)
	switch state {
	case http.StateActive:
		c.Release()
	case http.StateIdle:
		c.change(func(client *holder) *queue { return &client.idle })
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
	most := 0
	for _, client := range cs.all.clients {
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

// withConn is the ConnContext of the server.
func withConn(ctx context.Context, nc net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, nc)
}

// byClient counts the connections of proxies for the clients of their requests.
func byClient(next http.Handler, client func(*http.Request) netip.Addr) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c := ConnOf(r.Context()); c != nil && c.exempt {
			c.assign(client(r))
			defer c.assign(c.remote)
		}
		next.ServeHTTP(w, r)
	})
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
