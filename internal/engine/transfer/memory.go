package transfer

import (
	"uncoil/internal/engine/curlurl"
	"uncoil/internal/engine/reqtext"
	"uncoil/request"
)

// Memory is what the next conversion can use again: what Requests works in, and
// room for a usual request. A nil Memory works: then everything is new.
type Memory struct {
	builder  builder
	one      [1]config // of the usual command, which has one operation
	transfer transfer
	url      curlurl.URL // of the transfer
	urls     urlList
	restorer restorer
	rewriter reqtext.Rewriter

	request [1]request.Request
	body    request.Body
	fields  [32]request.Field
	taken   struct{ request, body, fields bool }
}

// Reset makes room for the requests of the next conversion.
func (m *Memory) Reset() { m.taken = struct{ request, body, fields bool }{} }

// Keep leaves the requests of this conversion to the caller.
func (m *Memory) Keep() {
	m.taken = struct{ request, body, fields bool }{true, true, true}
}

// requests returns an empty list of requests.
func (m *Memory) requests() []request.Request {
	if m.taken.request {
		return nil
	}
	m.taken.request = true
	return m.request[:0]
}

// newBody returns an empty body.
func (m *Memory) newBody() *request.Body {
	if m.taken.body {
		return new(request.Body)
	}
	m.taken.body, m.body = true, request.Body{}
	return &m.body
}

// newFields returns an empty list with room for n fields, or for fewer when the
// meter refuses.
func (b *builder) newFields(n int) []request.Field {
	m := b.memory
	if m.taken.fields || n > len(m.fields) {
		if !b.in.Meter.Hold(sizeOfField * n) {
			return nil
		}
		return make([]request.Field, 0, n)
	}
	m.taken.fields = true
	return m.fields[:0:n]
}
