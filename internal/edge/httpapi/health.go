package httpapi

import (
	"io"
	"net/http"

	"uncoil/internal/edge/api"
)

// healthy answers that the process is alive.
var healthy = handlerFunc(func(w http.ResponseWriter, r *http.Request) error {
	return writeText(w, "ok\n")
})

// ready answers whether the service wants requests. It does not while it stops,
// or while no conversion ends.
func (s *server) ready(w http.ResponseWriter, r *http.Request) error {
	if s.phase.isDraining() {
		return stopping()
	}
	if s.working.stuck(s.QueueTimeout) {
		return overloaded("No conversion has ended for "+s.QueueTimeout.String()+".", s.QueueTimeout)
	}
	if s.refusing.longer(s.QueueTimeout) {
		return overloaded("All requests have been refused for "+s.QueueTimeout.String()+".", s.QueueTimeout)
	}
	return writeText(w, "ready\n")
}

// stopping returns the problem for requests that come too late.
func stopping() *refusal {
	return &refusal{Problem: &api.Problem{
		Code:   api.CodeUnavailable,
		Detail: "The service is shutting down.",
		Hint:   "send the request again; another instance may answer it",
	}, after: aMoment}
}

func writeText(w http.ResponseWriter, text string) error {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = io.WriteString(w, text)
	return nil
}
