package httpapi

import (
	"errors"
	"net/http"
	"sync/atomic"
	"time"

	"uncoil/internal/edge/api"
)

// refusing knows since when the service has refused all commands.
type refusing struct {
	since, last atomic.Int64 // in nanoseconds; 0: it does not
}

// refused notes that a command was refused although its client did nothing wrong
// and sent no long content, for which there is no room sooner than for others.
func (r *refusing) refused(now time.Time) {
	r.since.CompareAndSwap(0, now.UnixNano())
	r.last.Store(now.UnixNano())
}

// command notes the refusals of a handler of single commands.
func (s *server) command(h handlerFunc) handlerFunc {
	return func(w http.ResponseWriter, r *http.Request) error {
		err := h(w, r)
		if refused, ok := errors.AsType[*refusal](err); ok && refused.Code == api.CodeOverloaded && !refused.fits {
			s.refusing.refused(time.Now())
		}
		return err
	}
}

// answered notes that the service takes a command.
func (r *refusing) answered() {
	if r.since.Load() != 0 {
		r.since.Store(0)
	}
}

// longer reports whether all commands have been refused for d, and some in the
// last d.
func (r *refusing) longer(d time.Duration) bool {
	since, last := r.since.Load(), r.last.Load()
	return since != 0 && last-since >= int64(d) && time.Since(time.Unix(0, last)) < d
}
