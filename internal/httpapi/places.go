package httpapi

import (
	"net/http"
	"time"

	"uncoil/internal/api"
)

// places are so many as may do something at once.
type places chan struct{}

// try takes a place, if one is free.
func (p places) try() bool {
	select {
	case p <- struct{}{}:
		return true
	default:
		return false
	}
}

// wait takes a place as soon as one is free, if that is soon enough. It does
// not look whether the client has gone: one that has sent everything and
// closed its side looks the same.
func (p places) wait(longest time.Duration) error {
	if p.try() {
		return nil
	}
	timer := time.NewTimer(longest)
	defer timer.Stop()
	select {
	case p <- struct{}{}:
		return nil
	case <-timer.C:
	}
	return &api.Problem{
		Code:   api.CodeOverloaded,
		Detail: "The request has waited its turn for too long.",
		Hint:   "send the request again in a moment",
	}
}

// leave gives the place back.
func (p places) leave() { <-p }

// limitRequests lets so many requests be under way at once as there are
// places, over all the handlers that it wraps. One too many is told to come
// again.
func limitRequests(all places) middleware {
	return func(next http.Handler) http.Handler {
		return handlerFunc(func(w http.ResponseWriter, r *http.Request) error {
			if !all.try() {
				return &api.Problem{
					Code:   api.CodeOverloaded,
					Detail: "Too many requests are under way.",
					Hint:   "send the request again in a moment",
				}
			}
			defer all.leave()
			next.ServeHTTP(w, r)
			return nil
		})
	}
}
