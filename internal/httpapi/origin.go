package httpapi

import (
	"net/http"
	"slices"

	"uncoil/internal/api"
)

// sameOrigin refuses what a web page of another origin makes a browser send,
// unless that origin may call the API. A browser asks nobody before it sends
// text/plain, not even when the service is on its own machine and there for
// its user alone.
func (s *server) sameOrigin(next http.Handler) http.Handler {
	protection := http.NewCrossOriginProtection()
	if slices.Contains(s.Origins, "*") {
		return next
	}
	return handlerFunc(func(w http.ResponseWriter, r *http.Request) error {
		origin := r.Header.Get("Origin")
		if err := protection.Check(r); err != nil && !slices.Contains(s.Origins, origin) {
			closeAfter(w)
			return &api.Problem{
				Code:   api.CodeCrossOrigin,
				Detail: "The request comes from a web page of another origin.",
				Hint:   "whoever runs the service can let pages of that origin in, with -cors-origins",
			}
		}
		next.ServeHTTP(w, r)
		return nil
	})
}
