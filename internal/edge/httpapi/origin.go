package httpapi

import (
	"net/http"
	"slices"

	"uncoil/internal/edge/api"
)

// sameOrigin refuses requests that a browser sends for a web page of another
// origin, unless that origin is allowed. Browsers send text/plain without asking
// first, even to a service on the user's own machine.
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
				Detail: "A web page of another origin sent the request.",
				Hint:   "the operator of the service can allow the origin with -cors-origins",
			}
		}
		next.ServeHTTP(w, r)
		return nil
	})
}
