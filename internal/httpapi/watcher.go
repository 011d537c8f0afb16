package httpapi

import (
	"context"
	"runtime/metrics"
	"sync/atomic"
	"time"
)

// A watcher looks at the conversions all the time, so that these need not
// arrange for anything when they begin. It ends those whose clients have gone,
// and the dearest when the process comes near its bound, and then the next
// one. The latter is the last resort: the limits of a conversion and the
// garbage collector should keep the process from getting there.
type watcher struct {
	most        int64        // the memory at which conversions are ended
	used        func() int64 // by the process
	conversions *conversions
	stopped     atomic.Int64 // conversions that were ended
}

const (
	watchOften = 10 * time.Millisecond
	// watchPause is how long a conversion that is stopped has to end and be
	// collected before the next one is stopped.
	watchPause = 50 * time.Millisecond
)

// run watches until the context is done. It sleeps while there is nothing to
// watch.
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

// sleep reports whether there is no conversion; acquire then sends to wake.
func (c *conversions) sleep() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asleep = len(c.free) == len(c.slots)
	return c.asleep
}

// memoryUsed returns what the Go runtime has from the system, which is what
// its memory limit counts too.
func memoryUsed() func() int64 {
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	return func() int64 {
		metrics.Read(samples)
		return int64(samples[0].Value.Uint64() - samples[1].Value.Uint64())
	}
}
