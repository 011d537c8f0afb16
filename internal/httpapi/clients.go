package httpapi

import (
	"context"
	"math"
	"net/http"
	"net/netip"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"

	"uncoil/internal/api"
)

// knowClient finds the client that a request comes from, and tells it to come
// again later if it comes too often. A request with a wrong token counts too.
func (s *server) knowClient(next http.Handler) http.Handler {
	return handlerFunc(func(w http.ResponseWriter, r *http.Request) error {
		c := s.clients.of(r)
		exchangeOf(w).client = c
		if c.limiter == nil {
			next.ServeHTTP(w, r)
			return nil
		}
		now := time.Now()
		reservation := c.limiter.ReserveN(now, 1)
		if delay := reservation.DelayFrom(now); delay > 0 {
			reservation.CancelAt(now)
			w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(delay.Seconds()))))
			return &api.Problem{
				Code:   api.CodeRateLimited,
				Detail: "More than " + strconv.FormatFloat(s.Rate, 'f', -1, 64) + " requests a second came from this client.",
				Hint:   "wait as long as Retry-After says; many commands go into one batch",
			}
		}
		next.ServeHTTP(w, r)
		return nil
	})
}

// clients are those that have come of late.
type clients struct {
	rate    rate.Limit // 0: any
	burst   int
	proxies []netip.Prefix

	mu sync.Mutex
	// A client moves to recent when it comes. When recent is full, it
	// becomes older, and a client in older that does not come again is
	// forgotten.
	recent, older map[netip.Addr]*client
}

// maxClients is how many clients recent holds.
const maxClients = 32 << 10

func newClients(perSecond float64, burst int, proxies []netip.Prefix) *clients {
	return &clients{rate: rate.Limit(perSecond), burst: burst, proxies: proxies, recent: make(map[netip.Addr]*client)}
}

// A client is one address, or network, that requests come from.
type client struct {
	addr    netip.Addr
	limiter *rate.Limiter // nil: as fast as it likes
	held    atomic.Int64  // bytes of its contents and answers
	batches atomic.Int64  // batches under way
}

// of returns the client that a request comes from.
func (c *clients) of(r *http.Request) *client {
	addr := clientAddr(r, c.proxies)
	c.mu.Lock()
	defer c.mu.Unlock()
	found := c.recent[addr]
	if found != nil {
		return found
	}
	if found = c.older[addr]; found == nil {
		found = &client{addr: addr}
		if c.rate > 0 {
			found.limiter = rate.NewLimiter(c.rate, c.burst)
		}
	}
	if len(c.recent) >= maxClients {
		c.older, c.recent = c.recent, make(map[netip.Addr]*client)
	}
	c.recent[addr] = found
	return found
}

// allow reports whether one more may come now.
func (c *client) allow() bool { return c.limiter == nil || c.limiter.Allow() }

// wait waits until one more may come. It is false when the context ends first.
func (c *client) wait(ctx context.Context) bool {
	return c.limiter == nil || c.limiter.Wait(ctx) == nil
}

// tryBatch counts a batch, unless the client has too many.
func (c *client) tryBatch(most int) bool {
	if c.batches.Add(1) > int64(most) {
		c.batches.Add(-1)
		return false
	}
	return true
}
