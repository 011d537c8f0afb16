package httpapi

import (
	"context"
	"maps"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"uncoil"
)

// conversions is a semaphore around the engine. Of the clients that wait for
// it, the one whose conversions have taken the least work comes first, as in
// start-time fair queueing, so that neither many requests nor dear ones keep
// the other clients waiting.
// One slot more than there may be conversions is for short contents, so that
// these need not wait for long ones.
type conversions struct {
	maxLong int
	slots   []slot

	mu     sync.Mutex
	free   []*slot
	long   int                   // conversions of long contents
	queues map[netip.Addr]*queue // of those who wait
	turns  []*queue              // the queues; among equals the first is served first
	now    int64                 // what the client that was served last had paid
	paid   map[netip.Addr]int64  // by clients that have paid more than that
	full   time.Time             // when the last free slot was acquired
	asleep bool                  // whether the memory watch sleeps
	wake   chan struct{}         // wakes it
}

// shortContent is how many bytes a short content has at most.
const shortContent = 16 << 10

// A slot is held by one conversion at a time.
type slot struct {
	running atomic.Pointer[conversion] // nil between two
	long    bool
	client  netip.Addr
	work    int64 // of the conversions before the running one
}

// A conversion is what the watcher knows of one.
type conversion struct {
	watch uncoil.Watch
	ctx   context.Context // is done when the client has gone
	gone  time.Time       // when the watcher saw that
}

// A queue holds the waiters of one client.
type queue struct {
	client  netip.Addr
	paid    int64
	waiters []*waiter
}

// A waiter is sent a slot when it is its turn.
type waiter struct {
	long  bool
	ready chan *slot
}

func newConversions(n int) *conversions {
	c := &conversions{maxLong: n, slots: make([]slot, n+1), queues: make(map[netip.Addr]*queue), paid: make(map[netip.Addr]int64), wake: make(chan struct{}, 1)}
	for i := range c.slots {
		c.free = append(c.free, &c.slots[i])
	}
	return c
}

// acquire waits for a slot, for at most the longest time. When the client has
// gone, it waits no longer than goneAfter.
func (c *conversions) acquire(ctx context.Context, client netip.Addr, size int, longest time.Duration) (*slot, error) {
	long := size > shortContent
	c.mu.Lock()
	if c.asleep {
		c.asleep = false
		c.wake <- struct{}{}
	}
	// Whoever waits is served as soon as there is a slot for it.
	if s := c.take(long); s != nil {
		s.client = client
		c.mu.Unlock()
		return s, nil
	}
	w := &waiter{long, make(chan *slot, 1)}
	c.enqueue(client, w)
	c.mu.Unlock()

	timer := time.NewTimer(longest)
	defer timer.Stop()
	select {
	case s := <-w.ready:
		return s, nil
	case <-timer.C:
	case <-ctx.Done():
		select {
		case s := <-w.ready:
			return s, nil
		case <-time.After(min(goneAfter, longest)):
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	select {
	case s := <-w.ready:
		return s, nil // at the last moment
	default:
	}
	c.dequeue(client, w)
	return nil, overloaded("The request has waited its turn for too long.")
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
		q = &queue{client: client, paid: max(c.now, c.paid[client])}
		c.queues[client] = q
		c.turns = append(c.turns, q)
	}
	q.waiters = append(q.waiters, w)
}

// dequeue removes a waiter. mu is held.
func (c *conversions) dequeue(client netip.Addr, w *waiter) {
	q := c.queues[client]
	q.waiters = slices.DeleteFunc(q.waiters, func(other *waiter) bool { return other == w })
	if len(q.waiters) == 0 {
		delete(c.queues, client)
		c.turns = slices.DeleteFunc(c.turns, func(other *queue) bool { return other == q })
	}
}

// turnWork is what a turn costs at least, in steps of the meter.
const turnWork = 1000

// maxPaid bounds how many clients have an account.
const maxPaid = 4096

// charge adds the work that was done in a slot to the account of its client.
// When nobody waits, no account is needed. mu is held.
func (c *conversions) charge(s *slot) {
	s.begin(nil)
	work := s.work
	s.work = 0
	if len(c.turns) == 0 {
		c.now = 0
		clear(c.paid)
		return
	}
	if len(c.paid) >= maxPaid {
		maps.DeleteFunc(c.paid, func(_ netip.Addr, paid int64) bool { return paid <= c.now })
		if len(c.paid) >= maxPaid {
			clear(c.paid)
		}
	}
	paid := max(c.now, c.paid[s.client]) + max(work, turnWork)
	c.paid[s.client] = paid
	if q := c.queues[s.client]; q != nil {
		q.paid = paid
	}
}

// release gives a slot back, to the client that has paid the least.
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
			continue // a long content, where a slot for short ones is free
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

// inFlight returns how many conversions there are.
func (c *conversions) inFlight() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.slots) - len(c.free)
}

// stuck reports whether no slot is free, and none has come free for a time.
func (c *conversions) stuck(d time.Duration) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.free) == 0 && time.Since(c.full) > d
}

// goneAfter is how long a conversion goes on for a client that seems to have
// gone. One that has sent everything and closed its side of the connection
// looks the same, and still reads the answer; an ordinary conversion ends well
// within this time.
const goneAfter = 100 * time.Millisecond

// begin lets the watcher see a conversion in the slot, until the next one
// begins or the slot is released.
func (s *slot) begin(c *conversion) {
	if before := s.running.Swap(c); before != nil {
		s.work += before.watch.Work()
	}
}

// endAbandoned ends the conversions whose clients have gone.
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

// dearest returns the Watch of the conversion that holds the most bytes and
// has not been stopped, or nil.
func (c *conversions) dearest() *uncoil.Watch {
	var found *uncoil.Watch
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
