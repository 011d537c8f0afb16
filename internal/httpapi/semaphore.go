package httpapi

import (
	"net/http"
	"sync/atomic"

	"uncoil/internal/api"
)

// A semaphore can be acquired max times at once.
type semaphore struct {
	max  int64
	held atomic.Int64
}

func newSemaphore(n int) *semaphore { return &semaphore{max: int64(n)} }

// try acquires the semaphore, or returns false at the maximum.
func (s *semaphore) try() bool {
	if s.held.Add(1) > s.max {
		s.held.Add(-1)
		return false
	}
	return true
}

// release releases the semaphore once.
func (s *semaphore) release() { s.held.Add(-1) }

// limitRequests limits the requests in flight over all handlers that it wraps,
// and answers 503 above the limit.
func limitRequests(all *semaphore) middleware {
	return func(next http.Handler) http.Handler {
		return handlerFunc(func(w http.ResponseWriter, r *http.Request) error {
			if !all.try() {
				return overloaded("Too many requests are in flight.")
			}
			defer all.release()
			next.ServeHTTP(w, r)
			return nil
		})
	}
}

// overloaded returns the problem for a request above a limit that others use up.
func overloaded(detail string) *api.Problem {
	return &api.Problem{
		Code:   api.CodeOverloaded,
		Detail: detail,
		Hint:   "send the request again in a moment",
	}
}
