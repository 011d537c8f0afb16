package httpapi

import (
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// held counts the bytes of contents and answers in memory, in total, for each
// client and for each network. It limits what slow clients make the service hold.
//
// The share of a client shrinks with what is free, as that of a queue does in a
// switch with dynamic thresholds (Choudhury and Hahne, 1998): with half of all for
// a client, one alone may hold a half, each of two a third, each of n one part of
// n+1. So something is free for another one, however many there are. A network
// may hold half of what its one client leaves beside that.
type held struct {
	n              atomic.Int64
	max, maxClient int64
	patience       time.Duration // how long a content may take that comes too slowly
}

// take adds n bytes for a client, or returns why there is no room for them. A
// request that holds more than a short content leaves a reserve to the others.
func (h *held) take(c *client, n int, short bool) *refusal {
	total := h.n.Add(int64(n))
	own, network := c.held.Add(int64(n)), c.network.held.Add(int64(n))
	free := h.max - total
	reserve := h.max / reservedPart
	if short {
		reserve = 0
	}
	if free >= reserve && h.fair(own, h.maxClient, free) && h.fair(network, (h.max+h.maxClient)/2, free) {
		return nil
	}
	h.give(c, n)
	// What others hold is free by then, unless they go on to send.
	after := h.patience
	if own-int64(n) > h.max/reservedPart {
		return tooMany("The contents and answers of the client fill the memory that it may hold.", after)
	}
	refused := overloaded("The contents and answers of other requests fill the memory reserved for them.", after)
	refused.fits = !short
	return refused
}

// reservedPart is the part of all that is reserved for short contents: a
// sixteenth. A client that holds more than that is the cause itself when there is
// no room for it.
const reservedPart = 16

// fair reports whether somebody may hold own bytes while others are free, who
// could hold most of all bytes alone.
func (h *held) fair(own, most, free int64) bool {
	return own <= most && float64(own)*float64(h.max-most) <= float64(most)*float64(free)
}

// give subtracts n bytes.
func (h *held) give(c *client, n int) {
	h.n.Add(-int64(n))
	c.held.Add(-int64(n))
	c.network.held.Add(-int64(n))
}

// shortBuffers and longBuffers have memory for contents and answers. A request
// returns its memory, unless it grew beyond what most requests need. There are two
// because a short content with a long buffer would find no room where only the
// reserve is free.
var shortBuffers, longBuffers = sync.Pool{New: newBytes}, sync.Pool{New: newBytes}

func newBytes() any { b := make([]byte, 0, firstBuffer); return &b }

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

// newBuffer returns a buffer for a content of n bytes; -1: unknown.
func (s *server) newBuffer(c *client, n int64) buffer {
	pool := &shortBuffers
	if n > shortContent {
		pool = &longBuffers
	}
	space := pool.Get().(*[]byte)
	return buffer{held: s.held, client: c, space: space, bytes: (*space)[:0]}
}

// count adds the growth of the buffer to held, or returns why there is no room.
func (b *buffer) count() error {
	grown := cap(b.bytes) - b.counted
	if grown <= 0 {
		return nil
	}
	if refused := b.held.take(b.client, grown, cap(b.bytes) <= shortContent); refused != nil {
		return refused
	}
	b.counted += grown
	return nil
}

// release returns the memory.
func (b *buffer) release() {
	b.held.give(b.client, b.counted)
	*b.space = b.bytes[:0]
	switch n := cap(b.bytes); {
	case n <= shortContent:
		shortBuffers.Put(b.space)
	case n <= keepBuffer:
		longBuffers.Put(b.space)
	}
}

// read fills the buffer with the content of a request, of at most limit bytes.
func (b *buffer) read(w http.ResponseWriter, r *http.Request, limit int, patience time.Duration) error {
	e := exchangeOf(w)
	if r.ContentLength > int64(limit) {
		return tooLarge(limit)
	}
	for {
		if len(b.bytes) == cap(b.bytes) {
			// One byte more than the limit shows that the content is too large.
			larger := make([]byte, len(b.bytes), min(2*cap(b.bytes), limit+1))
			copy(larger, b.bytes)
			b.bytes = larger
		}
		if err := b.count(); err != nil {
			return err
		}
		n, err := r.Body.Read(b.bytes[len(b.bytes):cap(b.bytes)])
		b.bytes = b.bytes[:len(b.bytes)+n]
		e.received += int64(n)
		switch {
		case len(b.bytes) > limit:
			return tooLarge(limit)
		case err == io.EOF:
			e.unread = false
			return nil
		case err != nil:
			return e.readProblem(err)
		default:
			e.expectMore(patience)
		}
	}
}

// leastRate is the bytes that a client must send for each further second.
const leastRate = 4 << 10

// patience returns how long a content may take that comes more slowly than the
// least rate.
func patience(whole time.Duration) time.Duration { return whole / 3 }

// expectMore sets the time until which the next bytes of the content must come: a
// third of the time for a request, and more with each byte that has come.
func (e *exchange) expectMore(whole time.Duration) {
	enough := patience(whole) + time.Duration(e.received)*time.Second/leastRate
	_ = http.NewResponseController(e.ResponseWriter).SetReadDeadline(e.start.Add(min(enough, whole)))
}

// closeAfter closes the connection after the answer, because the rest of what
// the client sends is not read.
func closeAfter(w http.ResponseWriter) { w.Header().Set("Connection", "close") }
