package httpapi

import (
	"context"
	"net/http"
)

// A phase is the progress of the service towards its end.
type phase struct {
	draining context.Context // done: new requests go elsewhere
	ending   context.Context // done: requests in flight must end
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

// closeWhenDraining closes each connection after its next answer once the
// service is draining. The client sends its next request to another instance,
// and no request is lost when the last connections are closed.
func (s *server) closeWhenDraining(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.phase.isDraining() {
			closeAfter(w)
		}
		next.ServeHTTP(w, r)
	})
}
