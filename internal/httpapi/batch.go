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
	if err := compressed(r); err != nil {
		return err
	}
	if !isLines(mediaType(r)) {
		return unsupported(r, typeNDJSON)
	}
	as := api.AsConvert
	if name := r.URL.Query().Get("as"); name != "" {
		var ok bool
		if as, ok = api.ParseAs(name); !ok {
			return &api.Problem{
				Code:   api.CodeBadRequest,
				Detail: `The query parameter "as" must be "convert", "parse" or "code".`,
			}
		}
	}
	client := exchangeOf(w).client
	if !client.tryBatch(s.MaxClientBatches) {
		return overloaded("Too many batches of this client are under way.")
	}
	defer client.batches.Add(-1)
	if !s.batches.try() {
		return overloaded("Too many batches are under way.")
	}
	defer s.batches.release()

	st := &stream{
		server: s, w: w, r: r, as: as, limits: s.limits(),
		exchange: exchangeOf(w), control: http.NewResponseController(w),
		client: client, end: time.Now().Add(s.MaxBatchTime),
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
	client   *client
	end      time.Time // when it has lasted for too long
	out      []byte
	counted  int // bytes of out, in held
}

// run answers blocks until there are no more.
func (st *stream) run() error {
	source := &lineCounter{src: st.r.Body, held: st.held, client: st.client, exchange: st.exchange}
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
		case st.overdue():
			st.refuse("", tooLong())
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
		if !st.client.wait(st.phase.ending) || st.phase.isEnding() {
			st.refuse(block, stopping())
			return errEnded
		}
		if st.overdue() {
			st.refuse(block, tooLong())
			return errEnded
		}
		block = st.answerSome(block)
		st.send()
	}
}

// fullAnswer is the size at which answers are sent, however few they are.
const fullAnswer = 64 << 10

// longTurn is how long a batch may hold a slot before others have a turn.
const longTurn = 20 * time.Millisecond

// answerSome appends the answers to some lines and returns the others.
func (st *stream) answerSome(block string) (rest string) {
	line, _, _ := strings.Cut(block, "\n")
	// A client that has sent everything and closed its side looks like one
	// that has gone, so this waits whatever the request's context says.
	// Whether anyone still reads shows when the answer is written.
	slot, err := st.working.acquire(context.Background(), st.client.addr, len(line), st.QueueTimeout)
	if err != nil {
		st.out = st.limits.AppendRefusal(st.out, line, overloaded("The line has waited its turn for too long."))
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
	var refusal *api.Problem
	switch {
	case outcome.Code != "" && work.watch.Stopped():
		refusal = cutShort()
	case outcome.Code == "" && len(st.out)-before > st.MaxAnswer:
		refusal = answerTooLarge(st.MaxAnswer)
	case grown > 0 && !st.held.take(st.client, grown):
		refusal = noRoom()
	case grown > 0:
		st.counted += grown
	}
	if refusal != nil {
		// The answers to the lines before this one stay.
		st.out = append(make([]byte, 0, before+512), st.out[:before]...)
		st.out = st.limits.AppendRefusal(st.out, line, refusal)
		outcome = api.Outcome{Code: refusal.Code, Shell: outcome.Shell}
	}
	st.counts(outcome)
}

// counts counts a line that was answered.
func (st *stream) counts(outcome api.Outcome) {
	st.exchange.tally.Lines++
	if outcome.Code != "" {
		st.exchange.tally.Errors++
	}
	st.convertedLine(outcome)
}

// overdue reports whether the batch has lasted for too long.
func (st *stream) overdue() bool { return !time.Now().Before(st.end) }

// tooLong is the problem for the line at which a batch has lasted for too long.
func tooLong() *api.Problem {
	return &api.Problem{
		Code:   api.CodeUnavailable,
		Detail: "The batch has lasted as long as one may.",
		Hint:   "send this line and those after it in a new batch",
	}
}

// refuse answers the next line, the last one that gets an answer, with a
// problem that says why. The lines after it are not read.
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
	client   *client
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
		if !c.held.take(c.client, grown) {
			return 0, errNoRoom
		}
		c.counted += grown
	}
	return n, err
}

// reset gives back what was counted.
func (c *lineCounter) reset() {
	c.held.give(c.client, c.counted)
	c.counted = 0
}
