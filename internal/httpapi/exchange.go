package httpapi

import (
	"math/rand/v2"
	"net/http"
	"time"

	"uncoil/internal/api"
)

// observe gives each request an id, which the response carries too, and
// tells the log and the metrics how it went.
func (s *server) observe(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		e := &exchange{ResponseWriter: w, start: time.Now(), client: nobody}
		e.id[0] = newRequestID()
		w.Header()["X-Request-Id"] = e.id[:]
		s.metrics.Begin()
		defer func() {
			took := time.Since(e.start)
			route := s.stats(r.Pattern)
			route.Observe(e.status, took, e.received, e.sent)
			s.logRequest(e, r.Method, route.Name(), took)
		}()
		next.ServeHTTP(e, r)
	})
}

// newRequestID returns a name that no other request is likely to have. It is
// no secret.
func newRequestID() string {
	const digits = "0123456789abcdef"
	var id [16]byte
	n := rand.Uint64()
	for i := range id {
		id[i] = digits[n&15]
		n >>= 4
	}
	return string(id[:])
}

// An exchange is the response to a request, and gathers what there is to say
// about both.
type exchange struct {
	http.ResponseWriter
	start    time.Time
	id       [1]string // the value of X-Request-Id
	length   [1]string // the value of Content-Length
	status   int       // 0 as long as nothing is answered
	received int64     // bytes of the request's content
	sent     int64     // bytes of the answer's content
	code     string    // of the problem
	tally    api.Tally // of a batch
	client   *client
	failure  *failure
	work     conversion // of a single command
}

// exchangeOf returns what a handler's response is to be told about.
func exchangeOf(w http.ResponseWriter) *exchange {
	if e, ok := w.(*exchange); ok {
		return e
	}
	return &exchange{client: new(client)} // nobody listens
}

// nobody is the client of a request before it is known.
var nobody = new(client)

// Unwrap lets a http.ResponseController reach the connection.
func (e *exchange) Unwrap() http.ResponseWriter { return e.ResponseWriter }

// WriteHeader notes the status.
func (e *exchange) WriteHeader(status int) {
	if e.status == 0 {
		e.status = status
	}
	e.ResponseWriter.WriteHeader(status)
}

// Write notes the size.
func (e *exchange) Write(p []byte) (int, error) {
	if e.status == 0 {
		e.status = http.StatusOK
	}
	n, err := e.ResponseWriter.Write(p)
	e.sent += int64(n)
	return n, err
}
