package httpapi

import (
	"net/http"

	"uncoil/internal/api"
)

// A semaphore's capacity is how many may hold it at once.
type semaphore chan struct{}

// try acquires the semaphore, if it is free.
func (s semaphore) try() bool {
	select {
	case s <- struct{}{}:
		return true
	default:
		return false
	}
}

// release gives it back.
func (s semaphore) release() { <-s }

// limitRequests bounds how many requests may be under way at once, over all
// the handlers that it wraps. One too many is told to come again.
func limitRequests(all semaphore) middleware {
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
