package httpapi

import (
	"context"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"uncoil"
)

// conversions is a semaphore around the engine. The clients that wait for it
// take turns, so that one with many requests does not keep the others waiting.
// One slot more than there may be conversions is for short contents, so that
// these need not wait for long ones.
type conversions struct {
	maxLong int
	slots   []slot

	mu     sync.Mutex
	free   []*slot
	long   int                   // conversions of long contents
	queues map[netip.Addr]*queue // of those who wait
	turns  []*queue              // in the order in which they are served
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
	waiters []*waiter
}

// A waiter is sent a slot when it is its turn.
type waiter struct {
	long  bool
	ready chan *slot
}

func newConversions(n int) *conversions {
	c := &conversions{maxLong: n, slots: make([]slot, n+1), queues: make(map[netip.Addr]*queue), wake: make(chan struct{}, 1)}
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
		q = &queue{client: client}
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

// release gives a slot back, to the client whose turn it is.
func (c *conversions) release(s *slot) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s.running.Store(nil)
	if s.long {
		c.long--
	}
	c.free = append(c.free, s)
	for i, q := range c.turns {
		w := q.waiters[0]
		next := c.take(w.long)
		if next == nil {
			continue // a long content, where a slot for short ones is free
		}
		// The other clients come before this one does again.
		c.turns = append(slices.Delete(c.turns, i, i+1), q)
		c.dequeue(q.client, w)
		w.ready <- next
		return
	}
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
func (s *slot) begin(c *conversion) { s.running.Store(c) }

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
