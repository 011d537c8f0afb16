package httpapi

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"uncoil/internal/api"
)

// batch serves POST /api/batch: lines in, lines out, in the same order. It
// holds one block of lines at a time and answers it before it reads on, so
// the memory that a batch takes does not depend on its length, and a client
// that waits for an answer before it sends the next line gets it.
//
// What is sent moves the deadlines, so a batch may last as long as it makes
// progress.
func (s *server) batch(w http.ResponseWriter, r *http.Request) error {
	if err := unsupported(r, typeNDJSON, typeJSON); err != nil {
		return err
	}
	as := api.AsConvert
	if name := r.URL.Query().Get("as"); name != "" {
		var ok bool
		if as, ok = api.ParseAs(name); !ok {
			return &api.Problem{
				Code:   api.CodeBadRequest,
				Detail: `The query parameter "as" must be "convert" or "parse".`,
			}
		}
	}
	if !s.batches.try() {
		return &api.Problem{
			Code:   api.CodeOverloaded,
			Detail: "Too many batches are under way.",
			Hint:   "send the batch again in a moment",
		}
	}
	defer s.batches.leave()

	st := &stream{
		server: s, w: w, r: r, as: as, limits: s.limits(),
		exchange: exchangeOf(w), control: http.NewResponseController(w),
		rate: s.clients.of(r),
	}
	defer st.release()
	// Where the connection can do neither, as in a test, it needs neither.
	_ = st.control.EnableFullDuplex()
	defer st.endWithService()()
	st.extend()
	w.Header()["Content-Type"] = headerNDJSON
	return st.run()
}

var headerNDJSON = []string{typeNDJSON}

// A stream is a batch under way.
type stream struct {
	*server
	w        http.ResponseWriter
	r        *http.Request
	as       api.As
	limits   api.Limits
	exchange *exchange
	control  *http.ResponseController
	rate     *client // nil: as fast as it likes
	out      []byte
	counted  int // bytes of out, in held
}

// run answers blocks until there are no more.
func (st *stream) run() error {
	source := &lineCounter{src: st.r.Body, held: st.held, exchange: st.exchange}
	defer source.reset()
	lines := api.NewBlockReader(source, st.MaxLine)
	var block []byte
	for {
		var err error
		block, err = lines.Next(block)
		switch {
		case err == nil:
			if err = st.answer(string(block)); err != nil {
				return nil // the answer says so
			}
		case err == io.EOF:
			return nil
		case st.phase.isEnding():
			st.refuse("", stopping())
			return nil
		case errors.Is(err, errNoRoom):
			st.refuse("", noRoom())
			return nil
		default:
			// What has been sent cannot be taken back. Breaking the
			// connection tells the client that lines are missing.
			panic(http.ErrAbortHandler)
		}
		if cap(block) > keepBuffer {
			block = nil
		}
	}
}

// errEnded ends a batch whose answer says why.
var errEnded = errors.New("ended")

// answer answers a block of lines, some at a time.
func (st *stream) answer(block string) error {
	for {
		block = strings.TrimLeft(block, " \t\r\n")
		if block == "" {
			return nil
		}
		if st.rate != nil && !st.rate.wait(st.phase.ending) || st.phase.isEnding() {
			st.refuse(block, stopping())
			return errEnded
		}
		block = st.answerSome(block)
		st.send()
	}
}

// fullAnswer is the size at which answers are sent, however few they are.
const fullAnswer = 64 << 10

// answerSome appends the answers to some lines and returns the others.
func (st *stream) answerSome(block string) (rest string) {
	// A client that has sent everything and closed its side looks like one
	// that has gone, so this waits for a place whatever the request's context
	// says. Whether anyone still reads shows when the answer is written.
	st.working <- struct{}{}
	defer st.working.leave()
	for n := 0; n < st.BatchLines && len(st.out) < fullAnswer && block != ""; n++ {
		if n > 0 && st.rate != nil && !st.rate.allow() {
			break
		}
		before := len(st.out)
		line, rest, _ := strings.Cut(block, "\n")
		line = strings.Trim(line, " \t\r")
		var outcome api.Outcome
		st.out, outcome = st.limits.AppendLine(st.out, line, st.as)
		if grown := cap(st.out) - st.counted; grown > 0 && !st.held.take(grown) {
			// This answer found no room; those before it did.
			st.out = append(make([]byte, 0, before+512), st.out[:before]...)
			st.out = st.limits.AppendRefusal(st.out, line, noRoom())
			outcome = api.Outcome{Code: api.CodeOverloaded, Shell: outcome.Shell}
		} else if grown > 0 {
			st.counted += grown
		}
		st.exchange.tally.Lines++
		if outcome.Code != "" {
			st.exchange.tally.Errors++
		}
		st.convertedLine(outcome)
		block = strings.TrimLeft(rest, " \t\r\n")
	}
	return block
}

// refuse answers the next line, the last one that gets an answer, with a
// problem that says why. The lines behind it are not read.
func (st *stream) refuse(block string, p *api.Problem) {
	line, _, _ := strings.Cut(block, "\n")
	st.out = st.limits.AppendRefusal(st.out, line, p)
	st.exchange.tally.Lines++
	st.exchange.tally.Errors++
	st.exchange.code = string(p.Code)
	st.send()
	closeGently(st.exchange.ResponseWriter)
}

// closeGently has net/http end the connection after the answer, although the
// client still sends: not at once, which would reset it and lose what the
// client has yet to read. MaxBytesReader is the one way to say so when the
// header has been sent.
func closeGently(w http.ResponseWriter) {
	_, _ = http.MaxBytesReader(w, io.NopCloser(strings.NewReader("x")), 0).Read(make([]byte, 1))
}

// send sends what has been answered, or breaks the connection.
func (st *stream) send() {
	st.extend()
	_, err := st.w.Write(st.out)
	if err == nil {
		err = st.control.Flush()
	}
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	st.extend()
	if st.out = st.out[:0]; cap(st.out) > keepBuffer {
		st.release()
	}
}

// release gives the space for answers back.
func (st *stream) release() {
	st.out = nil
	st.held.give(st.counted)
	st.counted = 0
}

// extend moves the deadlines.
func (st *stream) extend() {
	deadline := time.Now().Add(st.BatchTimeout)
	_ = st.control.SetWriteDeadline(deadline)
	_ = st.control.SetReadDeadline(deadline)
	if st.phase.isEnding() {
		_ = st.control.SetReadDeadline(time.Unix(1, 0))
	}
}

// endWithService wakes the batch from waiting for lines when the service
// ends. Whatever order this and extend come in, the deadline is in the past
// after both.
func (st *stream) endWithService() (stop func() bool) {
	return context.AfterFunc(st.phase.ending, func() {
		_ = st.control.SetReadDeadline(time.Unix(1, 0))
	})
}

// errNoRoom ends a batch whose line finds no room.
var errNoRoom = errors.New("no room for the line")

// lineCounter counts in held what a long line takes while it is read. Short
// ones fit into the block that each batch has.
type lineCounter struct {
	src      io.Reader
	held     *held
	exchange *exchange
	line     int // bytes since the last newline
	counted  int
}

// freeLine is the part of a line that is not counted.
const freeLine = 64 << 10

// lineCopies is how often a line is in memory: in the block, in what is left
// of the last one, and as a string.
const lineCopies = 3

func (c *lineCounter) Read(p []byte) (int, error) {
	n, err := c.src.Read(p)
	c.exchange.received += int64(n)
	if end := bytes.LastIndexByte(p[:n], '\n'); end >= 0 {
		// A long line that is whole now is still held: its count is given
		// back when the next one begins to grow.
		c.line = n - end - 1
		return n, err
	}
	if c.line <= freeLine {
		c.reset()
	}
	if c.line += n; c.line > freeLine && lineCopies*c.line > c.counted {
		grown := lineCopies*c.line - c.counted
		if !c.held.take(grown) {
			return 0, errNoRoom
		}
		c.counted += grown
	}
	return n, err
}

// reset gives back what was counted.
func (c *lineCounter) reset() {
	c.held.give(c.counted)
	c.counted = 0
}
