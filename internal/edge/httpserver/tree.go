package httpserver

import (
	"container/heap"
	"net/netip"
)

// A tree has the connections by client and the clients by network. It finds the
// connection to replace without a walk over all of them.
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
	addr        netip.Addr
	parent      *holder
	index       int   // in parent.parts
	parts       parts // empty for a client
	open        int   // connections
	replaceable int   // connections that nobody holds
	since       int64 // of the connection that longest returns

	idle, active queue // of a client
}

// client returns the holder of a client, which it makes if there is none.
func (t *tree) client(addr netip.Addr) *holder {
	if h := t.clients[addr]; h != nil {
		return h
	}
	network := t.networks[Network(addr)]
	if network == nil {
		network = &holder{addr: Network(addr), parent: t.root}
		heap.Push(&t.root.parts, network)
		t.networks[network.addr] = network
	}
	h := &holder{addr: addr, parent: network}
	heap.Push(&network.parts, h)
	t.clients[addr] = h
	return h
}

// prune removes a client without connections, and its network if it was the last
// one there.
func (t *tree) prune(client *holder) {
	if client.open > 0 || t.clients[client.addr] != client {
		return
	}
	network := client.parent
	delete(t.clients, client.addr)
	heap.Remove(&network.parts, client.index)
	if len(network.parts) == 0 {
		delete(t.networks, network.addr)
		heap.Remove(&t.root.parts, network.index)
	}
}

// longest returns the connection to replace, or nil if all are held.
func (h *holder) longest() *Conn {
	for len(h.parts) > 0 {
		h = h.parts[0]
	}
	if h.idle.first != nil {
		return h.idle.first
	}
	return h.active.first
}

// update brings the order up to date after a change of a client's queues.
func (h *holder) update() {
	change := h.idle.n + h.active.n - h.replaceable
	h.since = 0
	if c := h.longest(); c != nil {
		h.since = c.since
	}
	for ; h != nil; h = h.parent {
		h.replaceable += change
		if len(h.parts) > 0 {
			h.since = h.parts[0].since
		}
		if h.parent != nil {
			heap.Fix(&h.parent.parts, h.index)
		}
	}
}

// parts is a heap. The first part has the most replaceable connections and, among
// equals, the one that has been longest in its state.
type parts []*holder

func (p parts) Len() int { return len(p) }
func (p parts) Less(i, j int) bool {
	if p[i].replaceable != p[j].replaceable {
		return p[i].replaceable > p[j].replaceable
	}
	return p[i].since < p[j].since
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
type queue struct {
	first, last *Conn
	n           int
}

func (q *queue) push(c *Conn) {
	c.queue, c.prev = q, q.last
	if q.last != nil {
		q.last.next = c
	} else {
		q.first = c
	}
	q.last = c
	q.n++
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
	q.n--
}
