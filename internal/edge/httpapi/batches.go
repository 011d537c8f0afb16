package httpapi

import (
	"cmp"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"uncoil/internal/edge/api"
	"uncoil/internal/edge/httpserver"
)

// batches is the set of batches in flight. At its limit, a new batch replaces the
// one that has waited longest for its client, among those of the client with the
// most batches in the network with the most.
type batches struct {
	max, maxClient int
	evicted        atomic.Int64

	mu       sync.Mutex
	all      map[*stream]struct{}
	clients  map[netip.Addr]int
	networks map[netip.Addr]int
}

func newBatches(most, maxClient int) *batches {
	return &batches{max: most, maxClient: maxClient, all: make(map[*stream]struct{}), clients: make(map[netip.Addr]int), networks: make(map[netip.Addr]int)}
}

// add adds a batch, or returns why there is no room for it.
func (b *batches) add(st *stream) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	client := st.client.addr
	if b.clients[client] >= b.maxClient {
		// One that makes no progress ends by then; the others end when the client does.
		return tooMany("The client has too many batches in flight.", st.BatchTimeout)
	}
	if len(b.all) >= b.max {
		stale := b.stalest()
		if stale == nil || !b.yields(stale, client) {
			return overloaded("Too many batches are in flight.", longWait)
		}
		b.drop(stale)
		b.evicted.Add(1)
		stale.evicted.Store(true)
		stale.wake()
	}
	b.all[st] = struct{}{}
	b.clients[client]++
	b.networks[httpserver.Network(client)]++
	return nil
}

// longWait is how long a batch may wait for its client while others have no room.
const longWait = 5 * time.Second

// yields reports whether a batch must make room for one of another client: it has
// waited long, or its client has more than the other one would then have. Those
// with as many would replace each other for ever.
func (b *batches) yields(st *stream, other netip.Addr) bool {
	holder := st.client.addr
	theirs, own := httpserver.Network(holder), httpserver.Network(other)
	switch since := st.waits.Load(); {
	case since != 0 && time.Since(time.Unix(0, since)) > longWait:
		return true
	case theirs == own:
		return b.clients[holder] > b.clients[other]+1
	default:
		return b.networks[theirs] > b.networks[own]+1
	}
}

// stalest returns the batch to replace, or nil if none waits. mu is held.
func (b *batches) stalest() *stream {
	var found *stream
	var since int64
	for st := range b.all {
		waits := st.waits.Load()
		if waits != 0 && (found == nil || cmp.Or(b.compare(st, found), cmp.Compare(since, waits)) > 0) {
			found, since = st, waits
		}
	}
	return found
}

// compare orders batches by the number of their network's and of their client's.
func (b *batches) compare(x, y *stream) int {
	return cmp.Or(
		cmp.Compare(b.networks[httpserver.Network(x.client.addr)], b.networks[httpserver.Network(y.client.addr)]),
		cmp.Compare(b.clients[x.client.addr], b.clients[y.client.addr]))
}

// remove removes a batch that has ended.
func (b *batches) remove(st *stream) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.drop(st)
}

// drop removes a batch. mu is held.
func (b *batches) drop(st *stream) {
	if _, ok := b.all[st]; !ok {
		return
	}
	delete(b.all, st)
	lower(b.clients, st.client.addr)
	lower(b.networks, httpserver.Network(st.client.addr))
}

// lower subtracts one, and forgets what is zero.
func lower(counts map[netip.Addr]int, addr netip.Addr) {
	if counts[addr]--; counts[addr] == 0 {
		delete(counts, addr)
	}
}

func (b *batches) inFlight() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.all)
}

// gaveWay returns the problem for the line at which a batch made room for another
// one.
func gaveWay() *api.Problem {
	return &api.Problem{
		Code:   api.CodeUnavailable,
		Detail: "The batch waited for its client while the batches of others had no room.",
		Hint:   "send this line and those after it in a new batch",
	}
}
