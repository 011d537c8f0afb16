package transfer

import "uncoil/request"

// Memory is where requests are put, so that the next conversion can use it
// again. They are good until Reset. A nil Memory works: then everything is new.
type Memory struct {
	request [1]request.Request
	body    request.Body
	fields  [32]request.Field
	used    struct{ request, body, fields bool }
}

// requests returns an empty list of requests.
func (m *Memory) requests() []request.Request {
	if m == nil || m.used.request {
		return nil
	}
	m.used.request = true
	return m.request[:0]
}

// newBody returns a body with a value.
func (m *Memory) newBody(b request.Body) *request.Body {
	if m == nil || m.used.body {
		return &b
	}
	m.used.body, m.body = true, b
	return &m.body
}

// newFields returns an empty list with room for n fields.
func (m *Memory) newFields(n int) []request.Field {
	if m == nil || m.used.fields || n > len(m.fields) {
		return make([]request.Field, 0, n)
	}
	m.used.fields = true
	return m.fields[:0:n]
}

// Reset forgets all requests.
func (m *Memory) Reset() {
	if m.used.fields {
		clear(m.fields[:])
	}
	clear(m.request[:])
	m.body, m.used = request.Body{}, struct{ request, body, fields bool }{}
}
