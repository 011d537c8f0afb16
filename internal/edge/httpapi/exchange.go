package httpapi

import (
	"math/rand/v2"
	"net/http"
	"strings"
	"time"

	"uncoil/internal/edge/api"
	"uncoil/internal/engine/fault"
)

// observe gives each request and its response an id, and reports the outcome to
// the log and the metrics.
func (s *server) observe(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		e := &exchange{ResponseWriter: w, start: time.Now(), client: nobody, unread: r.ContentLength != 0}
		e.id[0] = requestID(r)
		e.trace = traceID(r)
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
			if e.token != "" {
				s.metrics.Token(e.token)
			}
			s.logRequest(e, r.Method, route.Name(), took)
		}()
		next.ServeHTTP(e, r)
	})
}

// maxRequestID is how long an id of a client may be.
const maxRequestID = 64

// requestID returns the id that a client or a proxy has given a request, if it is one
// that a log can hold, and otherwise a new one.
func requestID(r *http.Request) string {
	if ids := r.Header["X-Request-Id"]; len(ids) == 1 && len(ids[0]) <= maxRequestID && ids[0] != "" && strings.Trim(ids[0], idAlphabet) == "" {
		return ids[0]
	}
	return newRequestID()
}

// idAlphabet are the characters that an id may have.
const idAlphabet = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_."

// traceID returns the trace-id of traceparent (W3C Trace Context, section 3.2), or "".
func traceID(r *http.Request) string {
	fields := r.Header["Traceparent"]
	if len(fields) != 1 {
		return ""
	}
	const version, trace, parent, flags = 2, 32, 16, 2
	parts := strings.SplitN(fields[0], "-", 5)
	if len(parts) < 4 || len(parts[0]) != version || len(parts[1]) != trace || len(parts[2]) != parent || len(parts[3]) != flags {
		return ""
	}
	// Later versions may have more parts.
	if parts[0] == "ff" || parts[0] == "00" && len(parts) > 4 || strings.Trim(parts[1], "0") == "" {
		return ""
	}
	if strings.Trim(parts[0]+parts[1]+parts[2]+parts[3], "0123456789abcdef") != "" {
		return ""
	}
	return parts[1]
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
	trace    string    // the trace that the request belongs to
	token    string    // the name of the token of the request
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
