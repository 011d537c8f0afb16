package httpapi

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"uncoil/internal/edge/httpserver"
)

// Which requests get a line in the log.
const (
	LogFailed = "failed" // those that the service failed to answer, up to a limit
	LogAll    = "all"
	LogNone   = "none" // except for faults of the service
)

// logRequest writes the line of a request, if it gets one. The line has the
// route instead of the path, because a client chooses the path, and only the
// size of the content.
func (s *server) logRequest(e *exchange, method, route string, took time.Duration) {
	failed := e.status == 0 && !e.gone || e.status >= http.StatusInternalServerError
	if e.failure == nil && (s.LogRequests == LogNone || s.LogRequests == LogFailed && !failed) {
		return
	}
	if s.LogRequests != LogAll && !s.lines.allow(cmp.Or(e.code, "none")) {
		return
	}
	log, level := s.Log, slog.LevelInfo
	if e.failure != nil {
		level = slog.LevelError
	}
	if !log.Enabled(context.Background(), level) {
		return
	}
	attrs := append(make([]slog.Attr, 0, 12),
		slog.String("id", e.id[0]),
		slog.String("method", knownMethod(method)),
		slog.String("route", route),
		slog.Int("status", e.status),
		slog.Int64("received", e.received),
		slog.Int64("bytes", e.sent),
		slog.Duration("took", took))
	if s.LogClients && e.client.addr.IsValid() {
		attrs = append(attrs, slog.String("client", httpserver.ClientName(e.client.addr)))
	}
	if e.trace != "" {
		attrs = append(attrs, slog.String("trace", e.trace))
	}
	if e.token != "" {
		attrs = append(attrs, slog.String("token", e.token))
	}
	if e.code != "" {
		attrs = append(attrs, slog.String("code", e.code))
	}
	if e.tally.Lines > 0 {
		attrs = append(attrs, slog.Int("lines", e.tally.Lines), slog.Int("errors", e.tally.Errors))
	}
	if e.failure != nil {
		attrs = append(attrs, slog.String("panic", e.failure.What), slog.String("stack", e.failure.Stack))
	}
	// The source position is left out: it is always this one, and the most
	// expensive part of a record.
	record := slog.NewRecord(e.start.Add(took), level, "request", 0)
	record.AddAttrs(attrs...)
	_ = log.Handler().Handle(context.Background(), record) // as Logger does
}

// A lineLimit limits the lines of each code, so that the log keeps room for other
// lines while many requests fail for one reason.
type lineLimit struct {
	log *slog.Logger

	mu    sync.Mutex
	codes map[string]int // lines in the present second
}

// maxLines is the most lines of a code in a second.
const maxLines = 10

// allow reports whether a line of a code may be written. The lines that may not
// are counted in a line at the end of the second.
func (l *lineLimit) allow(code string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.codes[code]++; l.codes[code] == 1 {
		time.AfterFunc(time.Second, func() { l.end(code) })
	}
	return l.codes[code] <= maxLines
}

// end ends the second of a code.
func (l *lineLimit) end(code string) {
	l.mu.Lock()
	more := l.codes[code] - maxLines
	delete(l.codes, code)
	l.mu.Unlock()
	if more > 0 {
		l.log.Info("requests without a line", "code", code, "more", more)
	}
}

// knownMethod keeps methods that a client invented out of the log.
func knownMethod(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch,
		http.MethodDelete, http.MethodConnect, http.MethodOptions, http.MethodTrace:
		return method
	}
	return "other"
}
