package httpapi

import (
	"cmp"
	"context"
	"maps"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"uncoil/internal/edge/httpserver"
	"uncoil/internal/engine/meter"
)

// conversions is a semaphore around the engine. It serves the waiting client
// whose conversions have cost the least work first (start-time fair queueing),
// so that neither many requests nor expensive ones delay the other clients. One
// slot beside those for conversions is reserved for short contents, so that they
// do not wait for long ones. When too many requests wait, the one that came last
// from the client with the most is refused.
type conversions struct {
	maxLong    int
	maxWaiting int
	slots      []slot

	mu       sync.Mutex
	free     []*slot
	long     int                   // conversions of long contents
	waiting  int                   // waiters of all queues
	queues   map[netip.Addr]*queue // of the clients that wait
	networks map[netip.Addr]int    // waiters by network
	turns    []*queue              // the queues, in the order of service among equals
	now      int64                 // the work that the last served client had paid
	paid     accounts              // of clients
	paidBy   accounts              // of networks
	full     time.Time             // when the last free slot was taken
	asleep   bool                  // whether the watcher sleeps
	wake     chan struct{}         // wakes it
}

// accounts have the work of those who have paid more than the present.
type accounts map[netip.Addr]int64

// shortContent is the largest size of a short content.
const shortContent = 16 << 10

// A slot is held by one conversion at a time.
type slot struct {
	running atomic.Pointer[conversion] // nil between two
	long    bool
	client  netip.Addr
	work    int64 // of the earlier conversions in this slot
}

// A conversion is what the watcher sees of a conversion.
type conversion struct {
	watch meter.Watch
	ctx   context.Context // done when the client has gone
	gone  time.Time       // when the watcher noticed
}

// A queue holds the waiters of one client.
type queue struct {
	client, network netip.Addr
	paid            int64
	waiters         []*waiter
}

// A waiter receives a slot when its turn comes, or nil if it is refused.
type waiter struct {
	long  bool
	since time.Time
	ready chan *slot
}

func newConversions(n, maxWaiting int) *conversions {
	c := &conversions{maxLong: n, maxWaiting: maxWaiting, slots: make([]slot, n+1), queues: make(map[netip.Addr]*queue),
		networks: make(map[netip.Addr]int), paid: make(accounts), paidBy: make(accounts), wake: make(chan struct{}, 1)}
	for i := range c.slots {
		c.free = append(c.free, &c.slots[i])
	}
	return c
}

// acquire waits for a slot, for at most the longest time, and at most goneAfter
// once the client has gone.
func (c *conversions) acquire(ctx context.Context, client netip.Addr, size int, longest time.Duration) (*slot, error) {
	long := size > shortContent
	c.mu.Lock()
	if c.asleep {
		c.asleep = false
		c.wake <- struct{}{}
	}
	// A free slot means that nobody waits for it.
	if s := c.take(long); s != nil {
		s.client = client
		c.mu.Unlock()
		return s, nil
	}
	if c.waiting >= c.maxWaiting && !c.crowdOut(client) {
		crowded := c.crowded(client)
		c.mu.Unlock()
		return nil, crowded
	}
	w := &waiter{long, time.Now(), make(chan *slot, 1)}
	c.enqueue(client, w)
	c.mu.Unlock()

	timer := time.NewTimer(longest)
	defer timer.Stop()
	select {
	case s := <-w.ready:
		return c.orRefused(s)
	case <-timer.C:
	case <-ctx.Done():
		select {
		case s := <-w.ready:
			return c.orRefused(s)
		case <-time.After(min(goneAfter, longest)):
		}
	}
	c.mu.Lock()
	select {
	case s := <-w.ready: // it came at the last moment
		c.mu.Unlock()
		return c.orRefused(s)
	default:
	}
	defer c.mu.Unlock()
	c.dequeue(client, w)
	return nil, overloaded("The request waited too long for its turn.", longest)
}

// orRefused returns the slot that a waiter received, or why there is none.
func (c *conversions) orRefused(s *slot) (*slot, error) {
	if s == nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		return nil, tooMany("The client has too many requests in flight.", c.delay())
	}
	return s, nil
}

// delay returns how long a request waits for its turn, or a moment if that is less:
// as long as the one that has waited longest. mu is held.
func (c *conversions) delay() time.Duration {
	longest := aMoment
	for _, q := range c.turns {
		longest = max(longest, time.Since(q.waiters[0].since))
	}
	return longest
}

// crowdOut makes room in the queues for a client. It refuses the last waiter of
// the client with the most, in the network with the most, and returns false if
// that is this client. mu is held.
func (c *conversions) crowdOut(client netip.Addr) bool {
	var most *queue
	for _, q := range c.turns {
		if most == nil || c.compare(q, most) > 0 {
			most = q
		}
	}
	if most == nil {
		return false // no waiter is allowed
	}
	// One more than the newcomer would have, so that equals do not replace each
	// other for ever.
	own, network := c.waitersOf(client), httpserver.Network(client)
	if network == most.network && len(most.waiters) <= own+1 || network != most.network && c.networks[most.network] <= c.networks[network]+1 {
		return false
	}
	last := most.waiters[len(most.waiters)-1]
	c.dequeue(most.client, last)
	last.ready <- nil
	return true
}

// compare orders queues by the waiters of their network and then by their own.
func (c *conversions) compare(a, b *queue) int {
	return cmp.Or(cmp.Compare(c.networks[a.network], c.networks[b.network]), cmp.Compare(len(a.waiters), len(b.waiters)))
}

func (c *conversions) waitersOf(client netip.Addr) int {
	if q := c.queues[client]; q != nil {
		return len(q.waiters)
	}
	return 0
}

// crowded returns the problem for a client that finds no room in the queues. mu is
// held.
func (c *conversions) crowded(client netip.Addr) *refusal {
	const much = 8 // a client with an eighth of what waits is the cause itself
	if own := c.waitersOf(client); own > 0 && own >= c.maxWaiting/much {
		return tooMany("The client has too many requests in flight.", c.delay())
	}
	return overloaded("Too many requests are in flight.", c.delay())
}

// take returns a free slot, or nil. mu is held.
func (c *conversions) take(long bool) *slot {
	n := len(c.free)
	if n == 0 || long && c.long >= c.maxLong {
		return nil
	}
	s := c.free[n-1]
	c.free = c.free[:n-1]
	if n == 1 {
		c.full = time.Now()
	}
	if s.long = long; long {
		c.long++
	}
	return s
}

// enqueue adds a waiter. mu is held.
func (c *conversions) enqueue(client netip.Addr, w *waiter) {
	q := c.queues[client]
	if q == nil {
		q = &queue{client: client, network: httpserver.Network(client)}
		q.paid = max(c.now, c.paid[client], c.paidBy[q.network])
		c.queues[client] = q
		c.turns = append(c.turns, q)
	}
	q.waiters = append(q.waiters, w)
	c.networks[q.network]++
	c.waiting++
}

// dequeue removes a waiter. mu is held.
func (c *conversions) dequeue(client netip.Addr, w *waiter) {
	q := c.queues[client]
	q.waiters = slices.DeleteFunc(q.waiters, func(other *waiter) bool { return other == w })
	c.waiting--
	if c.networks[q.network]--; c.networks[q.network] == 0 {
		delete(c.networks, q.network)
	}
	if len(q.waiters) == 0 {
		delete(c.queues, client)
		c.turns = slices.DeleteFunc(c.turns, func(other *queue) bool { return other == q })
	}
}

// turnWork is the least that a turn costs, in steps of the meter.
const turnWork = 1000

// maxPaid limits the number of accounts of a kind.
const maxPaid = 4096

// networkClients is how many clients a network counts as, at most, when turns are
// given. A customer of a provider can have hundreds of addresses.
const networkClients = 8

// charge adds the work of a slot to the accounts of its client and of the client's
// network. While nobody waits, accounts are not needed. mu is held.
func (c *conversions) charge(s *slot) {
	s.begin(nil)
	work := max(s.work, turnWork)
	s.work = 0
	if len(c.turns) == 0 {
		c.now = 0
		clear(c.paid)
		clear(c.paidBy)
		return
	}
	network := httpserver.Network(s.client)
	paid := c.paid.add(s.client, work, c.now)
	paidBy := c.paidBy.add(network, work/networkClients, c.now)
	for _, q := range c.turns {
		if q.network == network {
			q.paid = max(q.paid, paidBy)
		}
	}
	if q := c.queues[s.client]; q != nil {
		q.paid = max(paid, paidBy)
	}
}

// add adds work to an account and returns its sum.
func (a accounts) add(addr netip.Addr, work, now int64) int64 {
	if len(a) >= maxPaid {
		maps.DeleteFunc(a, func(_ netip.Addr, paid int64) bool { return paid <= now })
		if len(a) >= maxPaid {
			clear(a)
		}
	}
	paid := max(now, a[addr]) + work
	a[addr] = paid
	return paid
}

// release passes a slot on to the waiting client that has paid the least.
func (c *conversions) release(s *slot) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.charge(s)
	if s.long {
		c.long--
	}
	c.free = append(c.free, s)
	var first *queue
	for _, q := range c.turns {
		if q.waiters[0].long && c.long >= c.maxLong {
			continue // a long content, and only a slot for short ones is free
		}
		if first == nil || q.paid < first.paid {
			first = q
		}
	}
	if first == nil {
		return
	}
	w := first.waiters[0]
	next := c.take(w.long)
	next.client = first.client
	c.now = first.paid
	c.dequeue(first.client, w)
	w.ready <- next
}

// inFlight returns the number of conversions in flight.
func (c *conversions) inFlight() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.slots) - len(c.free)
}

// stuck reports whether no slot has been free for d.
func (c *conversions) stuck(d time.Duration) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.free) == 0 && time.Since(c.full) > d
}

// goneAfter is how long a conversion continues after its client seems to have
// gone. A client that only closed its sending side looks the same and still
// reads the answer. Ordinary conversions end well within this time.
const goneAfter = 100 * time.Millisecond

// begin makes c the conversion that the watcher sees in the slot.
func (s *slot) begin(c *conversion) {
	if before := s.running.Swap(c); before != nil {
		s.work += before.watch.Work()
	}
}

// endAbandoned stops the conversions whose clients have gone.
func (c *conversions) endAbandoned() {
	for i := range c.slots {
		running := c.slots[i].running.Load()
		switch {
		case running == nil || running.ctx.Err() == nil:
		case running.gone.IsZero():
			running.gone = time.Now()
		case time.Since(running.gone) >= goneAfter:
			running.watch.Stop()
		}
	}
}

// dearest returns the Watch of the conversion that holds the most bytes, among
// those that have not been stopped, or nil.
func (c *conversions) dearest() *meter.Watch {
	var found *meter.Watch
	for i := range c.slots {
		running := c.slots[i].running.Load()
		if running == nil {
			continue
		}
		w := &running.watch
		if !w.Stopped() && (found == nil || w.Bytes() > found.Bytes()) {
			found = w
		}
	}
	return found
}
