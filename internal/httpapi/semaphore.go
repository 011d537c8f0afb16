package httpapi

import (
	"net/http"
	"sync/atomic"

	"uncoil/internal/api"
)

// A semaphore can be held max times at once.
type semaphore struct {
	max  int64
	held atomic.Int64
}

func newSemaphore(n int) *semaphore { return &semaphore{max: int64(n)} }

// try acquires the semaphore, unless it is held max times.
func (s *semaphore) try() bool {
	if s.held.Add(1) > s.max {
		s.held.Add(-1)
		return false
	}
	return true
}

// release gives it back.
func (s *semaphore) release() { s.held.Add(-1) }

// limitRequests bounds how many requests may be under way at once, over all
// the handlers that it wraps. One too many is told to come again.
func limitRequests(all *semaphore) middleware {
	return func(next http.Handler) http.Handler {
		return handlerFunc(func(w http.ResponseWriter, r *http.Request) error {
			if !all.try() {
				return overloaded("Too many requests are under way.")
			}
			defer all.release()
			next.ServeHTTP(w, r)
			return nil
		})
	}
}

// overloaded is the problem for what comes at a bad moment.
func overloaded(detail string) *api.Problem {
	return &api.Problem{
		Code:   api.CodeOverloaded,
		Detail: detail,
		Hint:   "send the request again in a moment",
	}
}
