package httpapi

import (
	"net/http"
	"strings"

	"uncoil/internal/edge/api"
)

// targets serves GET /api/targets.
func targets() http.Handler {
	return document{contentType: typeJSON, api: true, body: api.AppendTargets(nil)}.tagged()
}

// headerText is a field value that plain programs share.
var headerText = []string{"text/plain; charset=utf-8"}

// wantsText reports whether a client accepts text and does not accept JSON.
func wantsText(r *http.Request) bool {
	accept := strings.ToLower(strings.Join(r.Header["Accept"], ","))
	return strings.Contains(accept, "text/plain") && !strings.Contains(accept, "json")
}
