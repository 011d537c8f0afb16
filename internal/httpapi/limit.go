package httpapi

import (
	"net/http"

	"uncoil/internal/envelope"
)

// limitRequests lets at most n requests be under way at once, over all the
// handlers that it wraps: each may hold its content in memory while a slow
// client sends it. One too many is told to come again.
func limitRequests(n int) middleware {
	places := make(chan struct{}, n)
	return func(next http.Handler) http.Handler {
		return handlerFunc(func(w http.ResponseWriter, r *http.Request) error {
			select {
			case places <- struct{}{}:
			default:
				return &envelope.Problem{
					Code:   envelope.CodeUnavailable,
					Detail: "Too many requests are under way.",
					Hint:   "send the request again in a moment",
				}
			}
			defer func() { <-places }()
			next.ServeHTTP(w, r)
			return nil
		})
	}
}
