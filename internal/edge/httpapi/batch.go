package httpapi

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"uncoil/internal/edge/api"
	"uncoil/internal/edge/httpserver"
)

// batch serves POST /api/batch: lines in, lines out, in the same order. It
// answers one block of lines before it reads the next, so its memory does not
// depend on the length of the batch, and a client that waits for an answer before
// it sends the next line gets it.
//
// Each answer moves the deadlines, so a batch may last as long as it makes
// progress, up to MaxBatchTime.
func (s *server) batch(w http.ResponseWriter, r *http.Request) error {
	if err := compressed(r); err != nil {
		return err
	}
	if !isLines(mediaType(r)) {
		return unsupported(r, typeNDJSON)
	}
	as, limits, err := s.batchWants(r)
	if err != nil {
		return err
	}
	e := exchangeOf(w)
	st := &stream{
		server: s, w: w, r: r, as: as, limits: limits,
		exchange: e, control: http.NewResponseController(w),
		client: e.client, end: time.Now().Add(s.MaxBatchTime),
	}
	if err := s.batches.add(st); err != nil {
		return err
	}
	defer s.batches.remove(st)
	defer st.release()
	conn := httpserver.ConnOf(r.Context())
	conn.Hold()
	defer conn.Release()
	e.unread = false // it is read while the answer is sent
	// A connection without full duplex, as in tests, works too.
	_ = st.control.EnableFullDuplex()
	defer st.endWithService()()
	st.extend()
	w.Header()["Content-Type"] = headerNDJSON
	return st.run()
}

// batchWants reads what the query says of lines that do not say it themselves.
func (s *server) batchWants(r *http.Request) (as api.As, limits api.Limits, err error) {
	as, limits = api.AsConvert, s.limits
	query := r.URL.Query()
	if err := checkNames(query, "query parameter"); err != nil {
		return as, limits, err
	}
	if limits.Target = query.Get("target"); limits.Target != "" {
		as = api.AsCode
	}
	if name := query.Get("as"); name != "" {
		var ok bool
		if as, ok = api.ParseAs(name); !ok {
			return as, limits, wrongValue("query parameter", "as", `"convert", "parse", "code" or "explain"`)
		}
	}
	return as, limits, nil
}

var headerNDJSON = []string{typeNDJSON}

// A stream is a batch in flight.
type stream struct {
	*server
	w        http.ResponseWriter
	r        *http.Request
	as       api.As
	limits   api.Limits
	exchange *exchange
	control  *http.ResponseController
	client   *client
	end      time.Time    // the latest end
	waits    atomic.Int64 // since when the batch has waited for its client; 0: it does not
	evicted  atomic.Bool
	out      []byte
	counted  int // bytes of out, in held
}

// run answers blocks of lines until the end.
func (st *stream) run() error {
	source := &lineCounter{stream: st, src: st.r.Body}
	defer source.reset()
	lines := api.NewBlockReader(source, st.MaxLine)
	var block []byte
	for {
		var err error
		block, err = lines.Next(block)
		switch {
		case err == nil:
			if err = st.answer(string(block)); err != nil {
				return nil // the last line has the reason
			}
		case err == io.EOF:
			return nil
		case st.phase.isEnding():
			st.refuse("", stopping().Problem)
			return nil
		case st.overdue():
			st.refuse("", tooLong())
			return nil
		case st.evicted.Load():
			st.refuse("", gaveWay())
			return nil
		case source.refused != nil:
			st.refuse("", source.refused.Problem)
			return nil
		default:
			// The status has been sent. A broken connection shows the client
			// that lines are missing.
			panic(http.ErrAbortHandler)
		}
		if cap(block) > keepBuffer {
			block = nil
		}
	}
}

// errEnded ends a batch whose last line has the reason.
var errEnded = errors.New("ended")

// answer answers a block of lines, some at a time.
func (st *stream) answer(block string) error {
	for {
		block = strings.TrimLeft(block, " \t\r\n")
		if block == "" {
			return nil
		}
		if !st.client.wait(st.phase.ending) || st.phase.isEnding() {
			st.refuse(block, stopping().Problem)
			return errEnded
		}
		if st.overdue() {
			st.refuse(block, tooLong())
			return errEnded
		}
		if st.evicted.Load() {
			st.refuse(block, gaveWay())
			return errEnded
		}
		block = st.answerSome(block)
		st.send()
	}
}

// fullAnswer is the size of answers that are sent at once.
const fullAnswer = 64 << 10

// longTurn is how long a batch may hold a slot.
const longTurn = 20 * time.Millisecond

// answerSome appends the answers to some lines and returns the rest.
func (st *stream) answerSome(block string) (rest string) {
	line, _, _ := strings.Cut(block, "\n")
	// The request's context is done when a client has sent everything and
	// closed its sending side. It may still read, so only a failed write ends
	// the batch.
	slot, err := st.working.acquire(context.Background(), st.client.addr, len(line), st.QueueTimeout)
	if err != nil {
		st.out = st.limits.AppendRefusal(st.out, line, overloaded("The line waited too long for its turn.", st.QueueTimeout).Problem)
		st.counts(api.Outcome{Code: api.CodeOverloaded})
		return block[min(len(line)+1, len(block)):]
	}
	defer st.working.release(slot)
	started := time.Now()
	for n := 0; n < st.BatchLines && len(st.out) < fullAnswer && block != ""; n++ {
		line, rest, _ := strings.Cut(block, "\n")
		if n > 0 && (!st.client.allow() || len(line) > shortContent || time.Since(started) > longTurn) {
			break
		}
		st.answerLine(slot, strings.Trim(line, " \t\r"))
		block = strings.TrimLeft(rest, " \t\r\n")
	}
	return block
}

// answerLine appends the answer to a line.
func (st *stream) answerLine(slot *slot, line string) {
	work := &conversion{ctx: context.Background()}
	slot.begin(work)
	limits := st.limits
	limits.Watch = &work.watch
	before := len(st.out)
	var outcome api.Outcome
	st.out, outcome = limits.AppendLine(st.out, line, st.as)
	grown := cap(st.out) - st.counted
	var problem *api.Problem
	switch {
	case outcome.Code != "" && work.watch.Stopped():
		problem = cutShort().Problem
	case outcome.Code == "" && len(st.out)-before > st.MaxAnswer:
		problem = answerTooLarge(st.MaxAnswer)
	case grown > 0:
		if refused := st.held.take(st.client, grown, cap(st.out) <= shortContent); refused != nil {
			problem = refused.Problem
		} else {
			st.counted += grown
		}
	}
	if problem != nil {
		// Only the answer to this line is replaced.
		st.out = append(make([]byte, 0, before+512), st.out[:before]...)
		st.out = st.limits.AppendRefusal(st.out, line, problem)
		outcome = api.Outcome{Code: problem.Code, Shell: outcome.Shell}
	}
	st.counts(outcome)
}

// counts counts an answered line.
func (st *stream) counts(outcome api.Outcome) {
	st.exchange.tally.Lines++
	if outcome.Code != "" {
		st.exchange.tally.Errors++
	}
	st.convertedLine(outcome)
}

// overdue reports whether the batch has lasted too long.
func (st *stream) overdue() bool { return !time.Now().Before(st.end) }

// tooLong returns the problem for the line at which a batch became overdue.
func tooLong() *api.Problem {
	return &api.Problem{
		Code:   api.CodeUnavailable,
		Detail: "The batch reached the longest time that one may last.",
		Hint:   "send this line and those after it in a new batch",
	}
}

// refuse answers the next line with a problem and ends the batch. The lines after
// it are not read.
func (st *stream) refuse(block string, p *api.Problem) {
	line, _, _ := strings.Cut(block, "\n")
	st.out = st.limits.AppendRefusal(st.out, line, p)
	st.exchange.tally.Lines++
	st.exchange.tally.Errors++
	st.exchange.code = string(p.Code)
	st.send()
	closeGently(st.exchange.ResponseWriter)
}

// closeGently makes net/http close the connection after the answer although the
// client still sends, but not at once: that would reset the connection and lose
// what the client has not read. After the header has been sent, MaxBytesReader is
// the only way to ask for this.
func closeGently(w http.ResponseWriter) {
	_, _ = http.MaxBytesReader(w, io.NopCloser(strings.NewReader("x")), 0).Read(make([]byte, 1))
}

// send sends the answers, or breaks the connection.
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

// release returns the memory of the answers.
func (st *stream) release() {
	st.out = nil
	st.held.give(st.client, st.counted)
	st.counted = 0
}

// extend moves the deadlines.
func (st *stream) extend() {
	deadline := time.Now().Add(st.BatchTimeout)
	_ = st.control.SetWriteDeadline(deadline)
	if st.end.Before(deadline) {
		deadline = st.end
	}
	_ = st.control.SetReadDeadline(deadline)
	if st.phase.isEnding() || st.evicted.Load() {
		_ = st.control.SetReadDeadline(time.Unix(1, 0))
	}
}

// endWithService wakes the batch when the service ends.
func (st *stream) endWithService() (stop func() bool) {
	return context.AfterFunc(st.phase.ending, st.wake)
}

// wake ends reading. In whatever order this and extend run, the deadline is in the
// past after both.
func (st *stream) wake() { _ = st.control.SetReadDeadline(time.Unix(1, 0)) }

// lineCounter counts the memory of a long line in held while it is read. The
// bound of each batch includes short lines.
type lineCounter struct {
	stream  *stream
	src     io.Reader
	line    int // bytes since the last newline
	counted int
	refused *refusal // why there is no room for a line
}

// freeLine is the size up to which a line is not counted.
const freeLine = 64 << 10

// lineCopies is how often a line is in memory: in the block, in the rest of the
// last block, and as a string.
const lineCopies = 3

func (c *lineCounter) Read(p []byte) (int, error) {
	c.stream.waits.Store(time.Now().UnixNano())
	n, err := c.src.Read(p)
	c.stream.waits.Store(0)
	c.stream.exchange.received += int64(n)
	if end := bytes.LastIndexByte(p[:n], '\n'); end >= 0 {
		// A complete long line is still in memory: its count is subtracted when
		// the next line begins to grow.
		c.line = n - end - 1
		return n, err
	}
	if c.line <= freeLine {
		c.reset()
	}
	if c.line += n; c.line > freeLine && lineCopies*c.line > c.counted {
		grown := lineCopies*c.line - c.counted
		if c.refused = c.stream.held.take(c.stream.client, grown, false); c.refused != nil {
			return 0, c.refused
		}
		c.counted += grown
	}
	return n, err
}

// reset subtracts what was counted.
func (c *lineCounter) reset() {
	c.stream.held.give(c.stream.client, c.counted)
	c.counted = 0
}
