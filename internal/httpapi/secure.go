package httpapi

import "net/http"

// The values of the fields that every response has. They are shared between
// responses, which replace them and never append to them.
var (
	noStore    = []string{"no-store"}
	noContent  = []string{"default-src 'none'; frame-ancestors 'none'"}
	sameOrigin = []string{"same-origin"}
	noReferrer = []string{"no-referrer"}
	noSniff    = []string{"nosniff"}
)

// secureHeaders sets the fields that every response should have. A page
// replaces the policy by one that lets it use its own style and script.
func secureHeaders(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		secure(w.Header())
		next.ServeHTTP(w, r)
	})
}

func secure(h http.Header) {
	h["Cache-Control"] = noStore
	h["Content-Security-Policy"] = noContent
	h["X-Content-Type-Options"] = noSniff
}

// secureDocument sets the fields that mean something for what a browser shows
// or loads, and nothing for what a program asked for.
func secureDocument(h http.Header) {
	h["Cross-Origin-Opener-Policy"] = sameOrigin
	h["Cross-Origin-Resource-Policy"] = sameOrigin
	h["Referrer-Policy"] = noReferrer
}
