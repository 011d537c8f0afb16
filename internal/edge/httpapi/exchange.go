package httpapi

import (
	"math/rand/v2"
	"net/http"
	"time"

	"uncoil/internal/edge/api"
	"uncoil/internal/engine/fault"
)

// observe gives each request and its response an id, and reports the outcome to
// the log and the metrics.
func (s *server) observe(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		e := &exchange{ResponseWriter: w, start: time.Now(), client: nobody, unread: r.ContentLength != 0}
		e.id[0] = newRequestID()
		w.Header()["X-Request-Id"] = e.id[:]
		s.metrics.Begin()
		defer func() {
			took := time.Since(e.start)
			route := s.stats(r.Pattern)
			status := e.status
			if e.gone {
				status = 0
			}
			route.Observe(status, took, e.received, e.sent)
			s.logRequest(e, r.Method, route.Name(), took)
		}()
		next.ServeHTTP(e, r)
	})
}

// newRequestID returns a random id. It is not a secret.
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

// An exchange is the response to a request, and collects what the log and the
// metrics report about both.
type exchange struct {
	http.ResponseWriter
	start    time.Time
	id       [1]string // the value of X-Request-Id
	length   [1]string // the value of Content-Length
	status   int       // 0 until the answer begins
	unread   bool      // whether a part of the content may be to come
	gone     bool      // whether the client left before the end of its content
	received int64     // bytes of the request's content
	sent     int64     // bytes of the answer's content
	code     string    // of the problem
	plain    bool      // whether the answer is a program without JSON around it
	ignored  []string  // names of members that are nearly known ones
	tally    api.Tally // of a batch
	client   *client
	failure  *fault.Fault
	work     conversion // of a single command
}

// exchangeOf returns the exchange of a handler's response.
func exchangeOf(w http.ResponseWriter) *exchange {
	if e, ok := w.(*exchange); ok {
		return e
	}
	return &exchange{ResponseWriter: w, client: nobody} // in tests of a single handler
}

// nobody is the client of a request before it is known.
var nobody = &client{network: new(network)}

// Unwrap lets a http.ResponseController reach the connection.
func (e *exchange) Unwrap() http.ResponseWriter { return e.ResponseWriter }

// linger is how long an answer may reach a client that still sends its content.
const linger = time.Second

// begin notes the status of an answer that begins. If the content has not been
// read, the answer does not wait for it, as net/http otherwise lets it, and the
// connection ends soon after.
func (e *exchange) begin(status int) {
	if e.status != 0 {
		return
	}
	e.status = status
	if e.unread {
		closeAfter(e)
		_ = http.NewResponseController(e.ResponseWriter).SetReadDeadline(time.Now().Add(linger))
	}
}

// WriteHeader records the status.
func (e *exchange) WriteHeader(status int) {
	e.begin(status)
	e.ResponseWriter.WriteHeader(status)
}

// Write records the size.
func (e *exchange) Write(p []byte) (int, error) {
	e.begin(http.StatusOK)
	n, err := e.ResponseWriter.Write(p)
	e.sent += int64(n)
	return n, err
}
