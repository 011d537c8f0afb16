package httpapi

import (
	"context"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"
)

// A newcomer takes the place of the last waiter of whoever has the most, if that one has
// more than the newcomer would have then: of the same network by the waiters of the client,
// of another by those of the network.
func TestCrowdOut(t *testing.T) {
	for _, c := range []struct {
		name     string
		waiting  []string // the addresses of those who wait
		newcomer string
		out      int // the index of the one that is refused, or -1 for the newcomer
	}{
		{"equals", []string{"192.0.2.1", "198.51.100.1"}, "203.0.113.1", -1},
		{"one more than the newcomer would have", []string{"192.0.2.1", "192.0.2.1"}, "203.0.113.1", 1},
		{"as many as it would have", []string{"192.0.2.1", "192.0.2.1", "203.0.113.1"}, "203.0.113.1", -1},
		{"more than it would have", []string{"192.0.2.1", "203.0.113.1", "192.0.2.1", "192.0.2.1"}, "203.0.113.1", 3},
		{"of its network, as many", []string{"192.0.2.1", "192.0.2.1", "192.0.2.2"}, "192.0.2.2", -1},
		{"of its network, more", []string{"192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.2"}, "192.0.2.2", 2},
		{"a network of many", []string{"192.0.2.1", "192.0.2.2", "192.0.2.3"}, "203.0.113.1", 0},
		{"itself", []string{"192.0.2.1", "192.0.2.1"}, "192.0.2.1", -1},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, stop := context.WithCancel(t.Context())
			s := newConversions(1, len(c.waiting))
			for range s.slots {
				if _, err := s.acquire(ctx, netip.Addr{}, 0, 0); err != nil {
					t.Fatal(err)
				}
			}
			refused := make([]bool, len(c.waiting)+1)
			ask := func(i int, address string) {
				go func() {
					_, err := s.acquire(ctx, netip.MustParseAddr(address), 1, time.Hour)
					refused[i] = err != nil
				}()
				synctest.Wait()
			}
			for i, address := range c.waiting {
				ask(i, address)
			}
			ask(len(c.waiting), c.newcomer)
			for i := range refused {
				want := i == c.out || c.out < 0 && i == len(c.waiting)
				if refused[i] != want {
					t.Errorf("%s: waiter %d is refused: %t", c.name, i, refused[i])
				}
			}
			stop()
			time.Sleep(time.Minute)
		})
	}
}
