package httpapi

import (
	"io"
	"net/http"

	"uncoil/internal/envelope"
)

// healthy says that the process is alive.
var healthy = handlerFunc(func(w http.ResponseWriter, r *http.Request) error {
	return writeText(w, "ok\n")
})

// ready says whether the service wants requests, which it no longer does
// once draining is closed.
func ready(draining <-chan struct{}) handlerFunc {
	return func(w http.ResponseWriter, r *http.Request) error {
		select {
		case <-draining:
			return &envelope.Problem{
				Code:   envelope.CodeUnavailable,
				Detail: "The service is shutting down.",
			}
		default:
			return writeText(w, "ready\n")
		}
	}
}

func writeText(w http.ResponseWriter, text string) error {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = io.WriteString(w, text)
	return nil
}
