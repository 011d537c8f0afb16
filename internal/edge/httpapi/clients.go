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

	"uncoil/internal/edge/api"
	"uncoil/internal/edge/httpserver"
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
		s.tellRate(w.Header(), c, now)
		if delay := reservation.DelayFrom(now); delay > 0 {
			reservation.CancelAt(now)
			return &refusal{Problem: &api.Problem{
				Code:   api.CodeRateLimited,
				Detail: "More than " + strconv.FormatFloat(s.Rate, 'f', -1, 64) + " requests a second came from the client.",
				Hint:   "wait for the seconds in Retry-After, or send many commands in one batch",
			}, after: delay}
		}
		next.ServeHTTP(w, r)
		return nil
	})
}

// tellRate says what the rate leaves a client (draft-ietf-httpapi-ratelimit-headers):
// how many requests at once, and in how many seconds they are all there again.
func (s *server) tellRate(h http.Header, c *client, now time.Time) {
	quota := max(s.Burst, 1)
	left := max(c.limiter.TokensAt(now), 0)
	refill := func(tokens float64) string { return strconv.Itoa(int(math.Ceil(tokens / s.Rate))) }
	h.Set("RateLimit-Policy", `"client";q=`+strconv.Itoa(quota)+";w="+refill(float64(quota)))
	h.Set("RateLimit", `"client";r=`+strconv.Itoa(int(left))+";t="+refill(float64(quota)-left))
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
	// networks has the networks of these clients.
	networks map[netip.Addr]*network
}

// maxClients is the capacity of recent.
const maxClients = 32 << 10

func newClients(perSecond float64, burst int, proxies []netip.Prefix) *clients {
	return &clients{rate: rate.Limit(perSecond), burst: burst, proxies: proxies, recent: make(map[netip.Addr]*client), networks: make(map[netip.Addr]*network)}
}

// A client is the address, or IPv6 network, that requests come from.
type client struct {
	addr    netip.Addr
	network *network
	limiter *rate.Limiter // nil: no limit
	held    atomic.Int64  // bytes of its contents and answers
}

// A network is what its clients hold together.
type network struct {
	held atomic.Int64
}

// of returns the client of a request.
func (c *clients) of(r *http.Request) *client {
	addr := c.addrOf(r)
	c.mu.Lock()
	defer c.mu.Unlock()
	found := c.recent[addr]
	if found != nil {
		return found
	}
	if found = c.older[addr]; found == nil {
		found = &client{addr: addr, network: c.networkOf(addr)}
		if c.rate > 0 {
			found.limiter = rate.NewLimiter(c.rate, c.burst)
		}
	}
	if len(c.recent) >= maxClients {
		c.older, c.recent = c.recent, make(map[netip.Addr]*client)
		c.networks = make(map[netip.Addr]*network)
		for addr, old := range c.older {
			c.networks[httpserver.Network(addr)] = old.network
		}
	}
	c.recent[addr] = found
	return found
}

// addrOf returns the address that identifies the client of a request. The
// connection knows it, except in tests without one.
func (c *clients) addrOf(r *http.Request) netip.Addr {
	if conn := httpserver.ConnOf(r.Context()); conn != nil {
		return conn.Requester()
	}
	return clientAddr(r, c.proxies)
}

// networkOf returns the network of an address. mu is held.
func (c *clients) networkOf(addr netip.Addr) *network {
	addr = httpserver.Network(addr)
	found := c.networks[addr]
	if found == nil {
		found = new(network)
		c.networks[addr] = found
	}
	return found
}

// most returns the most bytes that one client holds.
func (c *clients) most() (held int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, all := range []map[netip.Addr]*client{c.recent, c.older} {
		for _, one := range all {
			held = max(held, one.held.Load())
		}
	}
	return held
}

// allow reports whether the rate allows one more now.
func (c *client) allow() bool { return c.limiter == nil || c.limiter.Allow() }

// wait waits until the rate allows one more. It returns false if the context
// ends first.
func (c *client) wait(ctx context.Context) bool {
	return c.limiter == nil || c.limiter.Wait(ctx) == nil
}
