package httpserver

import (
	"cmp"
	"container/heap"
	"net/netip"
)

// A tree has connections by client and clients by network. It finds the one to
// replace without a walk over all of them: of the client with the most, in the
// network with the most. A change of a connection's state only moves it in a
// queue, because every request makes several; the order of clients and networks
// is brought up to date when it is needed.
type tree struct {
	root     *holder
	networks map[netip.Addr]*holder
	clients  map[netip.Addr]*holder
}

func newTree() tree {
	return tree{root: new(holder), networks: make(map[netip.Addr]*holder), clients: make(map[netip.Addr]*holder)}
}

// A holder is a client, a network of clients or, at the root, all networks.
type holder struct {
	addr   netip.Addr
	parent *holder
	index  int   // in parent.parts
	parts  parts // empty for a client
	open   int   // connections
	also   int   // connections in the other tree, of clients that are in this one

	// What settle saw last. Nothing was older then, and nothing is now.
	held  bool  // whether no connection is replaceable
	since int64 // of the oldest connection of the first client

	idle, active queue // of a client
}

// openOf returns the number of a client's connections.
func (t *tree) openOf(addr netip.Addr) int {
	if h := t.clients[addr]; h != nil {
		return h.open
	}
	return 0
}

// client returns the holder of a client, which it makes if there is none.
func (t *tree) client(addr netip.Addr) *holder {
	if h := t.clients[addr]; h != nil {
		return h
	}
	network := t.networks[Network(addr)]
	if network == nil {
		network = &holder{addr: Network(addr), parent: t.root, held: true}
		heap.Push(&t.root.parts, network)
		t.networks[network.addr] = network
	}
	h := &holder{addr: addr, parent: network, held: true}
	heap.Push(&network.parts, h)
	t.clients[addr] = h
	return h
}

// add changes the number of a client's connections by n, and forgets a client
// without any, and its network if it was the last one there.
func (t *tree) add(client *holder, n int) {
	for h := client; h != nil; h = h.parent {
		h.open += n
	}
	network := client.parent
	if client.open == 0 {
		for h := network; h != nil; h = h.parent {
			h.also -= client.also
		}
		delete(t.clients, client.addr)
		heap.Remove(&network.parts, client.index)
	}
	if network.open == 0 {
		delete(t.networks, network.addr)
		heap.Remove(&t.root.parts, network.index)
		return
	}
	if client.open > 0 {
		heap.Fix(&network.parts, client.index)
	}
	network.follow()
	heap.Fix(&t.root.parts, network.index)
}

// addAlso changes the number of connections that a client of this tree has in the
// other one.
func (t *tree) addAlso(client *holder, n int) {
	for h := client; h != nil; h = h.parent {
		h.also += n
	}
	heap.Fix(&client.parent.parts, client.index)
	client.parent.follow()
	heap.Fix(&t.root.parts, client.parent.index)
}

// free notes that a connection of a client can be replaced again.
func (t *tree) free(client *holder) {
	if client.held {
		client.settle()
		heap.Fix(&client.parent.parts, client.index)
		client.parent.follow()
		heap.Fix(&t.root.parts, client.parent.index)
	}
}

// longest returns the connection to replace, or nil if all are held.
func (t *tree) longest() *Conn {
	t.root.settle()
	h := t.root
	for len(h.parts) > 0 {
		h = h.parts[0]
	}
	return h.longest()
}

// longestOf is longest among the connections of a client.
func (t *tree) longestOf(addr netip.Addr) *Conn {
	if h := t.clients[addr]; h != nil {
		return h.longest()
	}
	return nil
}

// longest returns the connection of a client to replace, or nil if all are held.
func (h *holder) longest() *Conn {
	if h.idle.first != nil {
		return h.idle.first
	}
	return h.active.first
}

// settle brings the first part up to date until that is still the first. Between
// two changes of its number, the oldest connection of a client only becomes
// younger, or is held, or is free again, which free notes. So a client that is not
// looked at does not come before the first.
func (h *holder) settle() {
	if len(h.parts) == 0 {
		h.held = true
		for _, c := range []*Conn{h.idle.first, h.active.first} {
			if c != nil && (h.held || c.since < h.since) {
				h.held, h.since = false, c.since
			}
		}
		return
	}
	for {
		first := h.parts[0]
		held, since := first.held, first.since
		if first.settle(); first.held == held && first.since == since {
			break
		}
		heap.Fix(&h.parts, 0)
	}
	h.follow()
}

// follow takes over what is known of the first part.
func (h *holder) follow() { h.held, h.since = h.parts[0].held, h.parts[0].since }

// parts is a heap. The first part has the most connections, of which some can be
// replaced, among equals the most in the other tree, and among those the oldest
// one.
type parts []*holder

func (p parts) Len() int { return len(p) }
func (p parts) Less(i, j int) bool {
	a, b := p[i], p[j]
	if a.held != b.held {
		return b.held
	}
	return cmp.Or(cmp.Compare(b.open, a.open), cmp.Compare(b.also, a.also), cmp.Compare(a.since, b.since)) < 0
}
func (p parts) Swap(i, j int) {
	p[i], p[j] = p[j], p[i]
	p[i].index, p[j].index = i, j
}
func (p *parts) Push(h any) {
	h.(*holder).index = len(*p)
	*p = append(*p, h.(*holder))
}
func (p *parts) Pop() any {
	last := len(*p) - 1
	h := (*p)[last]
	(*p)[last] = nil
	*p = (*p)[:last]
	return h
}

// A queue has connections in the order in which they joined it. It links the
// connections themselves, so that a change of state allocates nothing.
type queue struct{ first, last *Conn }

func (q *queue) push(c *Conn) {
	c.queue, c.prev = q, q.last
	if q.last != nil {
		q.last.next = c
	} else {
		q.first = c
	}
	q.last = c
}

func (q *queue) remove(c *Conn) {
	if c.prev != nil {
		c.prev.next = c.next
	} else {
		q.first = c.next
	}
	if c.next != nil {
		c.next.prev = c.prev
	} else {
		q.last = c.prev
	}
	c.queue, c.next, c.prev = nil, nil, nil
}
