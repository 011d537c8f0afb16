package httpapi

import (
	"net/http"
	"slices"
	"strings"
)

// allowOrigins lets web pages of the given origins call the API (CORS). It does
// not allow credentials, because the service has no cookies and a page sets its
// token as a header field.
func (s *server) allowOrigins(next http.Handler) http.Handler {
	if len(s.Origins) == 0 {
		return next
	}
	anyone := slices.Contains(s.Origins, "*")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		origin := r.Header.Get("Origin")
		h := w.Header()
		if !anyone {
			h.Add("Vary", "Origin")
		}
		if forPages(r.URL.Path) && origin != "" && (anyone || slices.Contains(s.Origins, origin)) {
			if anyone {
				origin = "*"
			}
			h.Set("Access-Control-Allow-Origin", origin)
			h.Set("Access-Control-Expose-Headers", "Allow, RateLimit, RateLimit-Policy, Retry-After, Uncoil-Doubts, Uncoil-Ignored, WWW-Authenticate, X-Request-Id")
			if r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != "" {
				h.Set("Access-Control-Allow-Methods", "GET, HEAD, POST")
				h.Set("Access-Control-Allow-Headers", "Authorization, Content-Type, Mcp-Method, Mcp-Name, Mcp-Protocol-Version, Traceparent, X-Request-Id")
				h.Set("Access-Control-Max-Age", "600")
			}
		}
		next.ServeHTTP(w, r)
	})
}

// forPages reports whether pages of other origins may read a path.
func forPages(path string) bool {
	return strings.HasPrefix(path, "/api/") || strings.HasPrefix(path, "/openapi.") || strings.HasPrefix(path, "/problems") || path == "/version"
}
