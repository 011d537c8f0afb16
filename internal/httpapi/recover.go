package httpapi

import (
	"fmt"
	"net/http"
	"runtime"
	"runtime/debug"

	"uncoil/internal/api"
)

// A failure is a panic as the log reports it.
type failure struct{ what, stack string }

func newFailure(value any) *failure {
	return &failure{what: describe(value), stack: string(debug.Stack())}
}

// fault returns the problem for a panic.
func fault() *api.Problem {
	return &api.Problem{
		Code:   api.CodeInternal,
		Detail: "The request could not be answered because of a fault in the service.",
	}
}

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
			exchangeOf(w).failure = newFailure(value)
			if exchangeOf(w).status != 0 {
				panic(http.ErrAbortHandler)
			}
			writeProblem(w, r, fault())
		}()
		next.ServeHTTP(w, r)
	})
}

// describe returns the text of an error of the runtime, such as an index out
// of range, and only the type of any other value.
func describe(value any) string {
	if err, ok := value.(runtime.Error); ok {
		return err.Error()
	}
	return fmt.Sprintf("%T", value)
}
