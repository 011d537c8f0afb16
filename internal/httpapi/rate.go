package httpapi

import (
	"context"
	"math"
	"net/http"
	"net/netip"
	"strconv"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"uncoil/internal/api"
)

// limitRate tells a client that comes too often to come again later.
func (s *server) limitRate(next http.Handler) http.Handler {
	if s.clients == nil {
		return next
	}
	return handlerFunc(func(w http.ResponseWriter, r *http.Request) error {
		now := time.Now()
		reservation := s.clients.of(r).limiter.ReserveN(now, 1)
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

// clients knows how often each client has come of late.
type clients struct {
	rate    rate.Limit
	burst   int
	proxies []netip.Prefix

	mu sync.Mutex
	// A client moves to recent when it comes. When recent is full, it
	// becomes older, and who is there and does not come again is forgotten.
	recent, older map[netip.Addr]*client
}

// maxClients is how many clients recent holds.
const maxClients = 32 << 10

// newClients returns nil where clients may come as often as they like.
func newClients(perSecond float64, burst int, proxies []netip.Prefix) *clients {
	if perSecond <= 0 {
		return nil
	}
	return &clients{rate: rate.Limit(perSecond), burst: burst, proxies: proxies, recent: make(map[netip.Addr]*client)}
}

// A client is one address, or network, that requests come from.
type client struct{ limiter *rate.Limiter }

// of returns the client that a request comes from, nil on nil.
func (c *clients) of(r *http.Request) *client {
	if c == nil {
		return nil
	}
	addr := clientAddr(r, c.proxies)
	c.mu.Lock()
	defer c.mu.Unlock()
	found := c.recent[addr]
	if found != nil {
		return found
	}
	if found = c.older[addr]; found == nil {
		found = &client{rate.NewLimiter(c.rate, c.burst)}
	}
	if len(c.recent) >= maxClients {
		c.older, c.recent = c.recent, make(map[netip.Addr]*client)
	}
	c.recent[addr] = found
	return found
}

// allow reports whether one more may come now.
func (c *client) allow() bool { return c.limiter.Allow() }

// wait waits until one more may come. It is false when the context ends first.
func (c *client) wait(ctx context.Context) bool {
	return c.limiter.Wait(ctx) == nil
}
