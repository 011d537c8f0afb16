package httpapi

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"uncoil/diag"
	"uncoil/internal/edge/api"
	"uncoil/internal/edge/httpserver"
	"uncoil/internal/engine"
	"uncoil/internal/engine/mime"
)

// answer serves one command: POST /api/convert, /api/parse, /api/code and
// /api/explain.
func (s *server) answer(as api.As) handlerFunc {
	answer := s.answering(func(r *http.Request, e *exchange, b *buffer) (diag.List, error) {
		return s.convert(r, e, b, s.limits, as)
	})
	return func(w http.ResponseWriter, r *http.Request) error {
		if as == api.AsCode || as == api.AsExplain {
			w.Header().Add("Vary", "Accept")
		}
		return answer(w, r)
	}
}

// answering serves content for which a function puts the answer in its place, and returns the
// warnings about it.
func (s *server) answering(answer func(r *http.Request, e *exchange, b *buffer) (diag.List, error)) handlerFunc {
	return func(w http.ResponseWriter, r *http.Request) error {
		if err := compressed(r); err != nil {
			return err
		}
		e := exchangeOf(w)
		b := s.newBuffer(e.client, r.ContentLength)
		defer b.release()
		if err := b.read(w, r, s.MaxBody, s.ReadTimeout); err != nil {
			return err
		}
		warnings, err := answer(r, e, &b)
		if err != nil {
			return err
		}
		if err := b.count(); err != nil {
			return err
		}
		h := w.Header()
		if len(e.ignored) > 0 {
			h.Set(headerIgnored, strings.Join(e.ignored, ", "))
		}
		if doubts := doubtCodes(warnings); doubts != "" {
			h.Set(headerDoubts, doubts)
		}
		h["Content-Type"] = headerJSON
		if e.plain {
			h["Content-Type"] = headerText
		}
		e.length[0] = strconv.Itoa(len(b.bytes))
		h["Content-Length"] = e.length[:]
		// The client may have gone.
		_, _ = w.Write(b.bytes)
		return nil
	}
}

// headerJSON is a field value that answers share.
var headerJSON = []string{typeJSON}

// convert replaces the content in a buffer with its answer, and returns the
// warnings about it.
func (s *server) convert(r *http.Request, e *exchange, b *buffer, limits api.Limits, as api.As) (diag.List, error) {
	release, err := s.work(r, e, b, &limits)
	if err != nil {
		return nil, err
	}
	defer release()
	// The string is a copy, so the buffer is free for the answer.
	req, err := request(r, string(b.bytes), limits)
	if err != nil {
		return nil, err
	}
	e.ignored = req.Near
	e.plain = (as == api.AsCode && len(req.Targets) == 0 || as == api.AsExplain) && wantsText(r)
	req.Plain, req.Doubts = e.plain, true
	req.Now = e.start
	var answer engine.Answer
	b.bytes, answer, err = req.Answer(b.bytes[:0], as)
	s.converted(answer.Shell, err)
	if err != nil && e.work.watch.Stopped() {
		return nil, cutShort()
	}
	if err == nil && len(b.bytes) > s.MaxAnswer {
		return nil, answerTooLarge(s.MaxAnswer)
	}
	return answer.Warnings, err
}

// diff replaces two commands in a buffer with what differs between their requests: POST
// /api/diff.
func (s *server) diff(r *http.Request, e *exchange, b *buffer) (diag.List, error) {
	limits := s.limits
	release, err := s.work(r, e, b, &limits)
	if err != nil {
		return nil, err
	}
	defer release()
	content := string(b.bytes)
	if !mime.IsJSON(mediaType(r)) && !beginsObject(content) {
		return nil, unsupported(r, typeJSON)
	}
	pair, err := limits.DecodePair(content)
	if err != nil {
		return nil, err
	}
	pair.A.Now, pair.B.Now = e.start, e.start
	c, err := pair.Compare()
	if err != nil {
		s.converted("", err)
		if e.work.watch.Stopped() {
			return nil, cutShort()
		}
		return nil, err
	}
	if b.bytes, err = c.Append(b.bytes[:0]); err == nil && len(b.bytes) > s.MaxAnswer {
		err = answerTooLarge(s.MaxAnswer)
	}
	s.converted(c.A.Shell, err)
	return slices.Concat(c.A.Warnings, c.B.Warnings), err
}

// work waits for its turn to convert the content of a buffer, lets others watch that,
// and returns the function that ends it. The client need not do anything until the
// answer is ready.
func (s *server) work(r *http.Request, e *exchange, b *buffer, limits *api.Limits) (release func(), err error) {
	conn := httpserver.ConnOf(r.Context())
	conn.Hold()
	slot, err := s.working.acquire(r.Context(), b.client.addr, len(b.bytes), s.QueueTimeout)
	if err != nil {
		conn.Release()
		return nil, err
	}
	s.refusing.answered()
	e.work.ctx = r.Context()
	slot.begin(&e.work)
	limits.Watch = &e.work.watch
	return func() {
		s.working.release(slot)
		conn.Release()
	}, nil
}

// headerDoubts is the field that has the codes of the doubts about an answer.
const headerDoubts = "Uncoil-Doubts"

// doubtCodes returns the codes of the doubts among warnings, each once.
func doubtCodes(warnings diag.List) string {
	var codes []string
	for i := range warnings {
		if code := string(warnings[i].Code); warnings[i].Level == diag.LevelDoubt && !slices.Contains(codes, code) {
			codes = append(codes, code)
		}
	}
	return strings.Join(codes, ", ")
}

// answerTooLarge returns the problem for an answer of more than limit bytes.
func answerTooLarge(limit int) *api.Problem {
	return &api.Problem{
		Code:   diag.CodeTooLarge,
		Detail: "The answer has more than " + strconv.Itoa(limit) + " bytes.",
		Hint:   "send the commands in parts, or smaller files",
	}
}

// cutShort returns the problem for a conversion that the watcher stopped.
func cutShort() *refusal {
	return overloaded("The conversion was stopped because the service ran short of memory.", aMoment)
}

// converted counts a conversion.
func (s *server) converted(shell string, err error) {
	code := ""
	if err != nil {
		code = string(api.CodeOf(err))
	}
	s.metrics.Converted(code, shell)
}

// convertedLine counts a line of a batch.
func (s *server) convertedLine(o api.Outcome) {
	s.metrics.Line(o.Code == "")
	if o.Code == "" || api.Status(o.Code) == http.StatusUnprocessableEntity {
		s.metrics.Converted(string(o.Code), o.Shell)
	}
}
