package httpapi

import (
	"io"
	"net/http"
	"sync"
	"sync/atomic"

	"uncoil/internal/api"
)

// held counts the bytes of contents and answers in memory, in total and for each
// client. It limits what slow clients make the service hold.
type held struct {
	n              atomic.Int64
	max, maxClient int64
}

// take adds n bytes for a client, or returns false above a limit.
func (h *held) take(c *client, n int) bool {
	if h.n.Add(int64(n)) > h.max {
		h.n.Add(-int64(n))
		return false
	}
	if c.held.Add(int64(n)) > h.maxClient {
		h.give(c, n)
		return false
	}
	return true
}

// give subtracts n bytes.
func (h *held) give(c *client, n int) {
	h.n.Add(-int64(n))
	c.held.Add(-int64(n))
}

// noRoom returns the problem for a content or an answer above the limits of
// held.
func noRoom() *api.Problem {
	return &api.Problem{
		Code:   api.CodeOverloaded,
		Detail: "The contents and answers of other requests fill the memory reserved for them.",
		Hint:   "send the request again in a moment",
	}
}

// buffers has memory for contents and answers. A request returns its memory,
// unless it grew beyond what most requests need.
var buffers = sync.Pool{New: func() any { b := make([]byte, 0, firstBuffer); return &b }}

const (
	firstBuffer = 4 << 10   // the size of a new buffer
	keepBuffer  = 256 << 10 // the largest size that is kept
)

// A buffer is the memory of one request, counted in held.
type buffer struct {
	held    *held
	client  *client
	space   *[]byte
	bytes   []byte
	counted int
}

func (s *server) newBuffer(c *client) buffer {
	space := buffers.Get().(*[]byte)
	return buffer{held: s.held, client: c, space: space, bytes: (*space)[:0]}
}

// count adds the growth of the buffer to held, or returns false above a limit.
func (b *buffer) count() bool {
	grown := cap(b.bytes) - b.counted
	if grown <= 0 {
		return true
	}
	if !b.held.take(b.client, grown) {
		return false
	}
	b.counted += grown
	return true
}

// release returns the memory.
func (b *buffer) release() {
	b.held.give(b.client, b.counted)
	if cap(b.bytes) <= keepBuffer {
		*b.space = b.bytes[:0]
		buffers.Put(b.space)
	}
}

// read fills the buffer with the content of a request, of at most limit bytes.
func (b *buffer) read(w http.ResponseWriter, r *http.Request, limit int) error {
	if r.ContentLength > int64(limit) {
		// The answer comes before the client has sent everything.
		closeAfter(w)
		return tooLarge(limit)
	}
	for {
		if len(b.bytes) == cap(b.bytes) {
			// One byte more than the limit shows that the content is too large.
			larger := make([]byte, len(b.bytes), min(2*cap(b.bytes), limit+1))
			copy(larger, b.bytes)
			b.bytes = larger
		}
		if !b.count() {
			closeAfter(w)
			return noRoom()
		}
		n, err := r.Body.Read(b.bytes[len(b.bytes):cap(b.bytes)])
		b.bytes = b.bytes[:len(b.bytes)+n]
		exchangeOf(w).received += int64(n)
		switch {
		case len(b.bytes) > limit:
			closeAfter(w)
			return tooLarge(limit)
		case err == io.EOF:
			return nil
		case err != nil:
			return readProblem(err)
		}
	}
}

// closeAfter closes the connection after the answer, because the rest of what
// the client sends is not read.
func closeAfter(w http.ResponseWriter) { w.Header().Set("Connection", "close") }
