package httpapi

import (
	"net/http"
	"slices"
	"strings"

	"uncoil/internal/edge/api"
)

// methods chooses a handler by the request's method. GET includes HEAD, and
// OPTIONS lists the methods.
type methods map[string]http.Handler

func (m methods) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	method := r.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	if h, ok := m[method]; ok {
		h.ServeHTTP(w, r)
		return
	}
	allow := m.allow()
	w.Header().Set("Allow", allow)
	if r.Method == http.MethodOptions {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	writeProblem(w, r, &api.Problem{
		Code:   api.CodeMethodNotAllowed,
		Detail: "This path supports " + allow + ".",
		Hint:   m.hint(),
	})
}

// allow returns the value of the Allow field.
func (m methods) allow() string {
	names := []string{http.MethodOptions}
	for name := range m {
		names = append(names, name)
		if name == http.MethodGet {
			names = append(names, http.MethodHead)
		}
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// hint says which method to use.
func (m methods) hint() string {
	if m[http.MethodPost] != nil {
		return "use POST, with the command as content"
	}
	return "use GET"
}
