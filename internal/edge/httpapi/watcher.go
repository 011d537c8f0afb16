package httpapi

import (
	"context"
	"runtime/metrics"
	"sync/atomic"
	"time"
)

// A watcher polls the conversions, so that starting one costs nothing. It stops
// those whose clients have gone and, when the process comes near its memory bound,
// the most expensive one after the other. That is the last resort, because the
// limits of each conversion and the garbage collector should keep the process
// below the bound.
type watcher struct {
	most        int64        // the memory above which conversions are stopped
	used        func() int64 // by the process
	conversions *conversions
	stopped     atomic.Int64 // conversions stopped for their memory
}

const (
	watchOften = 10 * time.Millisecond // the interval
	// watchPause gives a stopped conversion time to end and its memory time to
	// be collected before the next one is stopped.
	watchPause = 50 * time.Millisecond
)

// run watches until the context is done. It sleeps while no conversion is in
// flight.
func (v *watcher) run(ctx context.Context) {
	for {
		pause := watchOften
		v.conversions.endAbandoned()
		if v.used() > v.most {
			if w := v.conversions.dearest(); w != nil {
				w.Stop()
				v.stopped.Add(1)
				pause = watchPause
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
		if v.conversions.sleep() {
			select {
			case <-ctx.Done():
				return
			case <-v.conversions.wake:
			}
		}
	}
}

// sleep returns whether no conversion is in flight. If so, the next acquire sends
// to wake.
func (c *conversions) sleep() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asleep = len(c.free) == len(c.slots)
	return c.asleep
}

// memoryUsed returns a function that returns the memory that the Go runtime has
// from the system, as its memory limit counts it.
func memoryUsed() func() int64 {
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	return func() int64 {
		metrics.Read(samples)
		return int64(samples[0].Value.Uint64() - samples[1].Value.Uint64())
	}
}
