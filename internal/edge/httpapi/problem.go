package httpapi

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"uncoil/internal/edge/api"
	"uncoil/internal/engine/fault"
)

// A handlerFunc answers a request or returns an error. It returns errors before
// it writes anything.
type handlerFunc func(http.ResponseWriter, *http.Request) error

func (h handlerFunc) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := h(w, r); err != nil {
		writeProblem(w, r, err)
	}
}

// writeProblem answers with the problem document of an error.
func writeProblem(w http.ResponseWriter, r *http.Request, err error) {
	body, status, code := api.AppendProblem(nil, err)
	e := exchangeOf(w)
	e.code = string(code)
	e.noteFault(err)
	h := w.Header()
	if again, ok := errors.AsType[*refusal](err); ok {
		h.Set("Retry-After", seconds(again.after))
	}
	h.Set("Content-Type", "application/problem+json")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	// The client may have gone.
	_, _ = w.Write(body)
}

// noteFault leaves the panic behind an error, if there is one, to the log.
func (e *exchange) noteFault(err error) {
	if f := fault.Of(err); f != nil {
		e.failure = f
	}
}

// notFound answers unknown paths: a browser that loads one as a page gets one.
func notFound() handlerFunc {
	return func(w http.ResponseWriter, r *http.Request) error {
		w.Header().Set("Vary", "Accept")
		if r.Method == http.MethodGet && strings.HasPrefix(r.Header.Get("Accept"), "text/html,") {
			exchangeOf(w).code = string(api.CodeNotFound)
			// The service may lie below a folder that it does not know, so the
			// way to the start page is relative.
			unknown := page("notfound.html", "Not found", "./"+strings.Repeat("../", strings.Count(r.URL.EscapedPath(), "/")-1), nil)
			unknown.status = http.StatusNotFound
			unknown.ServeHTTP(w, r)
			return nil
		}
		return &api.Problem{
			Code:   api.CodeNotFound,
			Detail: "This path does not exist.",
			Hint:   "GET /openapi.yaml lists the paths",
		}
	}
}
