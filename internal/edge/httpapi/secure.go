package httpapi

import "net/http"

// Field values that all responses share. Responses replace them and never append
// to them.
var (
	noStore    = []string{"no-store"}
	noContent  = []string{"default-src 'none'; frame-ancestors 'none'"}
	sameOrigin = []string{"same-origin"}
	noReferrer = []string{"no-referrer"}
	noSniff    = []string{"nosniff"}
)

// secureHeaders sets the security fields of every response. A page replaces the
// policy with one that allows its own style and script.
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

// secureDocument sets the fields that matter only for documents that a browser
// shows or loads.
func secureDocument(h http.Header) {
	h["Cross-Origin-Opener-Policy"] = sameOrigin
	h["Cross-Origin-Resource-Policy"] = sameOrigin
	h["Referrer-Policy"] = noReferrer
}
