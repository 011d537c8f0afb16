package httpapi

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"log/slog"
	"net/http"
	"time"

	"uncoil/internal/envelope"
)

// logRequests gives each request an id, which the response carries too, and
// writes one line for it. The line names the route and not the path, for a
// path may be anything; of the content it has the size only.
func logRequests(log *slog.Logger) middleware {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			start := time.Now()
			id := newRequestID()
			w.Header().Set("X-Request-Id", id)
			record := &logRecord{}
			r = r.WithContext(context.WithValue(r.Context(), logKey{}, record))
			defer func() {
				record.write(log, id, r, time.Since(start))
			}()
			next.ServeHTTP(&observed{w, record}, r)
		})
	}
}

func newRequestID() string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// A logRecord gathers what there is to say about a request.
type logRecord struct {
	status  int            // 0 as long as nothing is answered
	bytes   int64          // of the answer's content
	code    string         // of the problem
	tally   envelope.Tally // of a batch
	failure *failure
}

// logKey is the context key of a request's log record.
type logKey struct{}

// logged returns the log record of a request, for a handler to add to.
func logged(r *http.Request) *logRecord {
	if record, ok := r.Context().Value(logKey{}).(*logRecord); ok {
		return record
	}
	return new(logRecord) // nobody listens
}

// add counts lines of a batch.
func (l *logRecord) add(t envelope.Tally) {
	l.tally.Lines += t.Lines
	l.tally.Errors += t.Errors
}

func (l *logRecord) write(log *slog.Logger, id string, r *http.Request, took time.Duration) {
	level := slog.LevelInfo
	attrs := make([]slog.Attr, 0, 12)
	attrs = append(attrs,
		slog.String("id", id),
		slog.String("method", knownMethod(r.Method)),
		slog.String("route", r.Pattern),
		slog.Int("status", l.status),
		slog.Int64("bytes", l.bytes),
		slog.Duration("took", took))
	if l.code != "" {
		attrs = append(attrs, slog.String("code", l.code))
	}
	if l.tally.Lines > 0 {
		attrs = append(attrs, slog.Int("lines", l.tally.Lines), slog.Int("errors", l.tally.Errors))
	}
	if l.failure != nil {
		level = slog.LevelError
		attrs = append(attrs, slog.String("panic", l.failure.what), slog.String("stack", l.failure.stack))
	}
	log.LogAttrs(r.Context(), level, "request", attrs...)
}

// knownMethod keeps text of the client's making out of the log.
func knownMethod(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch,
		http.MethodDelete, http.MethodConnect, http.MethodOptions, http.MethodTrace:
		return method
	}
	return "other"
}

// observed notes what is answered.
type observed struct {
	http.ResponseWriter
	record *logRecord
}

// Unwrap lets a http.ResponseController reach the connection.
func (o *observed) Unwrap() http.ResponseWriter { return o.ResponseWriter }

func (o *observed) WriteHeader(status int) {
	if o.record.status == 0 {
		o.record.status = status
	}
	o.ResponseWriter.WriteHeader(status)
}

func (o *observed) Write(p []byte) (int, error) {
	if o.record.status == 0 {
		o.record.status = http.StatusOK
	}
	n, err := o.ResponseWriter.Write(p)
	o.record.bytes += int64(n)
	return n, err
}
