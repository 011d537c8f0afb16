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

// knowClient finds the client of a request, and answers 429 above its rate. It
// runs before tokens are checked, so that wrong tokens count too.
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
				Detail: "More than " + strconv.FormatFloat(s.Rate, 'f', -1, 64) + " requests a second came from the client.",
				Hint:   "wait for the seconds in Retry-After, or send many commands in one batch",
			}
		}
		next.ServeHTTP(w, r)
		return nil
	})
}

// clients remembers the clients of recent requests.
type clients struct {
	rate    rate.Limit // 0: no limit
	burst   int
	proxies []netip.Prefix

	mu sync.Mutex
	// A request moves its client to recent. When recent is full, it replaces
	// older, so clients without requests since then are forgotten.
	recent, older map[netip.Addr]*client
}

// maxClients is the capacity of recent.
const maxClients = 32 << 10

func newClients(perSecond float64, burst int, proxies []netip.Prefix) *clients {
	return &clients{rate: rate.Limit(perSecond), burst: burst, proxies: proxies, recent: make(map[netip.Addr]*client)}
}

// A client is the address, or IPv6 network, that requests come from.
type client struct {
	addr    netip.Addr
	limiter *rate.Limiter // nil: no limit
	held    atomic.Int64  // bytes of its contents and answers
	batches atomic.Int64  // batches in flight
}

// of returns the client of a request.
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

// allow reports whether the rate allows one more now.
func (c *client) allow() bool { return c.limiter == nil || c.limiter.Allow() }

// wait waits until the rate allows one more. It returns false if the context
// ends first.
func (c *client) wait(ctx context.Context) bool {
	return c.limiter == nil || c.limiter.Wait(ctx) == nil
}

// tryBatch counts a batch, or returns false if the client has too many.
func (c *client) tryBatch(most int) bool {
	if c.batches.Add(1) > int64(most) {
		c.batches.Add(-1)
		return false
	}
	return true
}
