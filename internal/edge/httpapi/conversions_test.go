package httpapi

import (
	"context"
	"fmt"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"uncoil/internal/engine"
	"uncoil/internal/engine/meter"
)

// The client that has used the least comes first, and short contents do not
// wait for long ones.
func TestTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newConversions(1, 1000)
		greedy, other := netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("192.0.2.2")
		acquire := func(client netip.Addr, size int) *slot {
			s, err := c.acquire(t.Context(), client, size, time.Minute)
			if err != nil {
				t.Error(err)
			}
			return s
		}
		first := acquire(greedy, shortContent+1)
		short := acquire(greedy, 1) // beside it
		order := make(chan string, 8)
		begin := func(name string, client netip.Addr, size int) {
			go func() {
				s := acquire(client, size)
				order <- name
				time.Sleep(time.Second)
				c.release(s)
			}()
			synctest.Wait()
		}
		begin("greedy 1", greedy, 1)
		begin("greedy 2", greedy, 1)
		begin("greedy 3", greedy, 1)
		begin("other", other, 1)
		begin("greedy long", greedy, shortContent+1)
		c.release(short)
		var got []string
		for range 4 {
			got = append(got, <-order)
		}
		if text := strings.Join(got, ", "); text != "other, greedy 1, greedy 2, greedy 3" {
			t.Errorf("the order is %s", text)
		}
		c.release(first)
		if last := <-order; last != "greedy long" {
			t.Errorf("the last is %s", last)
		}
		time.Sleep(2 * time.Second)
		if n := c.inFlight(); n != 0 || len(c.turns)+len(c.queues) != 0 {
			t.Errorf("%d in flight, %d wait", n, len(c.turns))
		}
	})
}

// A network of many clients has the turns of eight, so one of another network
// waits for those at most.
func TestTurnsOfNetwork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newConversions(1, 10_000)
		order := make(chan string, 600)
		ask := func(name, client string) {
			go func() {
				s, err := c.acquire(t.Context(), netip.MustParseAddr(client), shortContent+1, time.Hour)
				if err != nil {
					t.Error(err)
					return
				}
				order <- name
				time.Sleep(time.Second)
				c.release(s)
			}()
			synctest.Wait()
		}
		const customers, each = 256, 2
		for range each {
			for n := range customers {
				ask("customer", fmt.Sprintf("2001:db8:0:%x::1", n))
			}
		}
		const others = 20
		for range others {
			ask("other", "2001:db8:1::1")
		}
		time.Sleep(time.Hour / 2)
		before, found := 0, 0
		for range customers*each + others {
			if <-order == "other" {
				found++
			} else if found < others {
				before++
			}
		}
		if before > networkClients*(others+1) || before < networkClients*(others-2) {
			t.Errorf("%d conversions of a customer come before the last of %d of another one", before, others)
		}
	})
}

// A client with dear conversions waits for those with cheap ones, however many
// these send.
func TestDearConversionsWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newConversions(1, 1000)
		dear, cheap := netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("192.0.2.2")
		work := &conversion{ctx: t.Context()}
		if _, err := engine.Parse("curl h -d "+strings.Repeat("long", 100_000), engine.Input{Watch: &work.watch}); err != nil {
			t.Fatal(err)
		}
		order := make(chan string, 4)
		begin := func(name string, client netip.Addr) {
			go func() {
				s, err := c.acquire(t.Context(), client, 1, time.Minute)
				if err != nil {
					t.Error(err)
					return
				}
				order <- name
				c.release(s)
			}()
			synctest.Wait()
		}
		var slots []*slot
		for range c.slots {
			s, err := c.acquire(t.Context(), dear, 1, 0)
			if err != nil {
				t.Fatal(err)
			}
			slots = append(slots, s)
		}
		slots[0].begin(work)
		begin("dear", dear)
		for range 3 {
			begin("cheap", cheap)
		}
		c.release(slots[0])
		synctest.Wait()
		var got []string
		for range 4 {
			got = append(got, <-order)
		}
		if text := strings.Join(got, ", "); text != "cheap, cheap, cheap, dear" {
			t.Errorf("the order is %s", text)
		}
	})
}

// Who has waited too long, or has gone, leaves the queue.
func TestWaitingEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newConversions(1, 1000)
		for range c.slots {
			if _, err := c.acquire(t.Context(), netip.Addr{}, 0, 0); err != nil {
				t.Fatal(err)
			}
		}
		for _, gone := range []bool{false, true} {
			ctx, leave := context.WithCancel(t.Context())
			if gone {
				leave()
			}
			began := time.Now()
			_, err := c.acquire(ctx, netip.Addr{}, 0, 5*time.Second)
			want := 5 * time.Second
			if gone {
				want = goneAfter
			}
			if took := time.Since(began); err == nil || took != want {
				t.Errorf("gone %v: %v after %v", gone, err, took)
			}
			leave()
			if len(c.turns) != 0 {
				t.Error("it still waits")
			}
		}
		if !c.stuck(5 * time.Second) {
			t.Error("no slot has come free for five seconds, and that is not noticed")
		}
	})
}

// A conversion goes on for a moment when its client seems to have gone, and
// then ends.
func TestConversionEndsWithItsClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newConversions(1, 1000)
		watch := &watcher{most: 1, used: func() int64 { return 0 }, conversions: c}
		ctx, stop := context.WithCancel(t.Context())
		go watch.run(ctx)
		client, leave := context.WithCancel(t.Context())
		s, err := c.acquire(client, netip.Addr{}, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		work := conversion{ctx: client}
		s.begin(&work)
		w := &work.watch
		leave()
		time.Sleep(goneAfter - 1)
		synctest.Wait()
		if w.Stopped() {
			t.Error("it ends at once, and a client that has closed its side only gets no answer")
		}
		time.Sleep(2 * watchOften)
		synctest.Wait()
		if !w.Stopped() {
			t.Error("it goes on for nobody")
		}
		stop()
		synctest.Wait()
	})
}

// Near the bound the dearest conversions end first, one after the other.
func TestMemoryWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newConversions(2, 1000)
		var used atomic.Int64
		m := &watcher{most: 100, used: used.Load, conversions: c}
		ctx, stop := context.WithCancel(t.Context())
		go m.run(ctx)
		var all []*meter.Watch
		for _, command := range []string{"curl h -d small", "curl h -d " + strings.Repeat("large", 100_000)} {
			s, err := c.acquire(t.Context(), netip.Addr{}, 0, 0)
			if err != nil {
				t.Fatal(err)
			}
			work := &conversion{ctx: t.Context()}
			s.begin(work)
			w := &work.watch
			all = append(all, w)
			if _, err := engine.Parse(command, engine.Input{Watch: w}); err != nil {
				t.Fatal(err)
			}
		}
		small, large := all[0], all[1]
		time.Sleep(time.Second)
		if small.Stopped() || large.Stopped() {
			t.Error("a conversion ends with memory to spare")
		}
		used.Store(101)
		time.Sleep(watchOften + 1)
		synctest.Wait()
		if large.Bytes() > small.Bytes() && (!large.Stopped() || small.Stopped()) {
			t.Errorf("of %d and %d bytes, large %v, small %v", small.Bytes(), large.Bytes(), large.Stopped(), small.Stopped())
		}
		time.Sleep(watchPause + watchOften)
		synctest.Wait()
		if !small.Stopped() || !large.Stopped() || m.stopped.Load() != 2 {
			t.Errorf("%d were stopped", m.stopped.Load())
		}
		stop()
		synctest.Wait()
	})
}

// One client cannot take all the memory for contents, nor all the batches.
func TestClientLimits(t *testing.T) {
	server := newServer(Config{MaxClientHeld: 5 << 20, MaxClientBatches: 1}.withDefaults())
	s := newService(t, server.routes())
	from := func(addr, path, content string) *httptest.ResponseRecorder {
		r := httptest.NewRequest("POST", path, strings.NewReader(content))
		r.RemoteAddr = addr + ":1000"
		return s.do(t, r)
	}
	const one, other = "192.0.2.1", "192.0.2.2"
	r := httptest.NewRequest("GET", "/", nil)
	r.RemoteAddr = one + ":1"
	c := server.clients.of(r)
	if server.held.take(c, 5<<20, false) != nil || server.batches.add(&stream{server: server, client: c}) != nil {
		t.Fatal("a client alone has no room")
	}
	for addr, status := range map[string]int{one: 429, other: 200} {
		if w := from(addr, "/api/convert", "curl h"); w.Code != status {
			t.Errorf("%s: %d %s", addr, w.Code, w.Body)
		}
		if w := from(addr, "/api/batch", `{"curl":"curl h"}`); w.Code != status {
			t.Errorf("a batch of %s: %d %s", addr, w.Code, w.Body)
		}
	}
	if n := server.held.n.Load(); n != 5<<20 || c.held.Load() != 5<<20 {
		t.Errorf("%d and %d bytes are held", n, c.held.Load())
	}
}

// A batch ends at a line when it has lasted for too long.
func TestBatchLastsTooLong(t *testing.T) {
	s := newService(t, New(Config{MaxBatchTime: time.Nanosecond}))
	w := s.post(t, "/api/batch", typeNDJSON, `{"id":1,"curl":"curl h"}`+"\n")
	if !strings.HasPrefix(w.Body.String(), `{"id":1,"error":{"type":"/problems/unavailable"`) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// Requests with a wrong token count.
func TestWrongTokensCount(t *testing.T) {
	var tokens Tokens
	if err := tokens.Load([]byte("0123456789abcdef")); err != nil {
		t.Fatal(err)
	}
	s := newService(t, New(Config{Tokens: &tokens, Rate: 0.01, Burst: 3}))
	for i, want := range []int{401, 401, 401, 429} {
		r := httptest.NewRequest("POST", "/api/convert", strings.NewReader("curl h"))
		r.Header.Set("Authorization", "Bearer wrong-token-000000")
		if w := s.do(t, r); w.Code != want {
			t.Errorf("request %d: %d", i, w.Code)
		}
	}
}
