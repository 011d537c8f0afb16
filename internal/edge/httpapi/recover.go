package httpapi

import (
	"net/http"

	"uncoil/internal/engine/fault"
)

// recoverPanics answers a panic with a problem, or breaks the connection if the
// answer has begun. The log gets the stack, but of the panic's value only what
// cannot contain a part of the command.
func recoverPanics(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			value := recover()
			if value == nil {
				return
			}
			if value == http.ErrAbortHandler {
				panic(value) // a handler breaks the connection
			}
			failure := fault.New(value)
			if e := exchangeOf(w); e.status != 0 {
				e.failure = failure
				panic(http.ErrAbortHandler)
			}
			writeProblem(w, r, failure)
		}()
		next.ServeHTTP(w, r)
	})
}
