package httpapi

import (
	"context"
	"runtime/metrics"
	"sync/atomic"
	"time"
)

// A memoryWatch ends the dearest conversion when the process comes near its
// bound, and then the next one. It is the last resort: the limits of a
// conversion and the garbage collector should keep the process from getting
// there.
type memoryWatch struct {
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
func (m *memoryWatch) run(ctx context.Context) {
	for {
		pause := watchOften
		if m.used() > m.most {
			if w := m.conversions.dearest(); w != nil {
				w.Stop()
				m.stopped.Add(1)
				pause = watchPause
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
		if m.conversions.sleep() {
			select {
			case <-ctx.Done():
				return
			case <-m.conversions.wake:
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
