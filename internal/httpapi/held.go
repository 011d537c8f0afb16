package httpapi

import (
	"io"
	"net/http"
	"sync"
	"sync/atomic"

	"uncoil/internal/api"
)

// held counts the bytes of contents and answers that are in memory while
// clients send or take them, over all requests and for each client. It bounds
// what slow clients can make the service hold.
type held struct {
	n              atomic.Int64
	max, maxClient int64
}

// take counts n more bytes for a client, if there is room for them.
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

// give counts n bytes less.
func (h *held) give(c *client, n int) {
	h.n.Add(-int64(n))
	c.held.Add(-int64(n))
}

// noRoom is the problem for what there is no room to hold.
func noRoom() *api.Problem {
	return &api.Problem{
		Code:   api.CodeOverloaded,
		Detail: "The contents and answers of other requests fill the memory that is set aside for them.",
		Hint:   "send the request again in a moment",
	}
}

// buffers holds space for contents and answers. A request gives back what it
// took, unless that has grown beyond what most requests need.
var buffers = sync.Pool{New: func() any { b := make([]byte, 0, firstBuffer); return &b }}

const (
	firstBuffer = 4 << 10   // what a buffer begins with
	keepBuffer  = 256 << 10 // bounds the size of a buffer that is kept
)

// A buffer is space for one request, counted in held.
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

// count counts what the buffer has grown to, and reports whether there was
// room for that.
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

// release gives the space back.
func (b *buffer) release() {
	b.held.give(b.client, b.counted)
	if cap(b.bytes) <= keepBuffer {
		*b.space = b.bytes[:0]
		buffers.Put(b.space)
	}
}

// read fills the buffer with the content of a request, which may have at
// most limit bytes.
func (b *buffer) read(w http.ResponseWriter, r *http.Request, limit int) error {
	if r.ContentLength > int64(limit) {
		// Said before the client sends it all.
		closeAfter(w)
		return tooLarge(limit)
	}
	for {
		if len(b.bytes) == cap(b.bytes) {
			// A byte too much shows that the content is too large.
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

// closeAfter closes the connection after the answer, for what else the client
// sends is not wanted.
func closeAfter(w http.ResponseWriter) { w.Header().Set("Connection", "close") }
