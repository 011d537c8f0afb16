package httpapi

import (
	"net/http"
	"strings"

	"uncoil/internal/api"
)

// targets serves GET /api/targets, which is the same for as long as the
// service runs.
func targets() http.Handler {
	list := api.AppendTargets(nil)
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header()["Content-Type"] = headerJSON
		// A client that has gone needs no answer.
		_, _ = w.Write(list)
	})
}

// headerText is the value of a field that plain programs share.
var headerText = []string{"text/plain; charset=utf-8"}

// wantsText reports whether a client accepts text, and JSON not.
func wantsText(r *http.Request) bool {
	accept := strings.ToLower(strings.Join(r.Header["Accept"], ","))
	return strings.Contains(accept, "text/plain") && !strings.Contains(accept, "json")
}
