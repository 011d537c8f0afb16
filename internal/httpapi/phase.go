package httpapi

import (
	"context"
	"net/http"
)

// A phase says how far the service is on its way to the end.
type phase struct {
	draining context.Context // done: no more requests are wanted
	ending   context.Context // done: those under way should end
	drain    context.CancelFunc
	end      context.CancelFunc
}

func newPhase() *phase {
	p := new(phase)
	p.draining, p.drain = context.WithCancel(context.Background())
	p.ending, p.end = context.WithCancel(context.Background())
	return p
}

func (p *phase) isDraining() bool { return p.draining.Err() != nil }
func (p *phase) isEnding() bool   { return p.ending.Err() != nil }

// closeWhenDraining closes each connection after its next answer, once the
// service is about to stop: a client then finds another server for its next
// request, and no request is on its way when the last connections are closed.
func (s *server) closeWhenDraining(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.phase.isDraining() {
			closeAfter(w)
		}
		next.ServeHTTP(w, r)
	})
}
