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
)

// answer serves one command: POST /api/convert, POST /api/parse and
// POST /api/code.
func (s *server) answer(as api.As) handlerFunc {
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
		warnings, err := s.convert(r, e, &b, s.limits, as)
		if err != nil {
			return err
		}
		if err := b.count(); err != nil {
			return err
		}
		h := w.Header()
		if doubts := doubtCodes(warnings); doubts != "" {
			h.Set(headerDoubts, doubts)
		}
		h["Content-Type"] = headerJSON
		if as == api.AsCode && wantsText(r) {
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
	// From here on the client need not do anything until the answer is ready.
	conn := httpserver.ConnOf(r.Context())
	conn.Hold()
	defer conn.Release()
	slot, err := s.working.acquire(r.Context(), b.client.addr, len(b.bytes), s.QueueTimeout)
	if err != nil {
		return nil, err
	}
	defer s.working.release(slot)
	s.refusing.answered()
	e.work.ctx = r.Context()
	slot.begin(&e.work)
	limits.Watch = &e.work.watch
	// The string is a copy, so the buffer is free for the answer.
	req, err := request(r, string(b.bytes), limits)
	if err != nil {
		return nil, err
	}
	req.Plain, req.Doubts = as == api.AsCode && wantsText(r), true
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

// request reads the content, which is a request object or the command itself.
// The query can set what a request object sets.
func request(r *http.Request, content string, limits api.Limits) (req api.Request, err error) {
	t := mediaType(r)
	isObject := isJSON(t) || beginsObject(content)
	switch {
	case isObject:
		if req, err = limits.DecodeRequest(content); err != nil {
			return req, err
		}
	case isText(t):
		req = limits.Text(content)
	default:
		return req, unsupported(r, typeJSON, typeText)
	}
	if r.URL.RawQuery == "" {
		return req, nil
	}
	query := r.URL.Query()
	if target := query.Get("target"); target != "" {
		req.Target = target
	}
	switch query.Get("variables") {
	case "keep":
		req.KeepVariables = true
	case "", "env":
	default:
		return req, badQuery(`"variables" must be "env" or "keep".`)
	}
	switch query.Get("data") {
	case api.DataText:
		req.DataText = true
	case "":
	default:
		return req, badQuery(`"data" must be "text".`)
	}
	if name := query.Get("style"); name != "" {
		style, ok := api.ParseStyle(name)
		if !ok {
			return req, badQuery(`"style" must be "idiomatic" or "exact".`)
		}
		req.Style = style
	}
	if indent := query.Get("indent"); indent != "" {
		req.Indent = indent
	}
	if !api.ValidIndent(req.Indent) {
		return req, badQuery(`"indent" must be up to eight blanks or tabs.`)
	}
	for name, into := range map[string]*bool{"warnings": &req.Warnings, "bare": &req.Bare,
		"longNames": &req.LongNames, "dropNoise": &req.DropNoise, "dropCookies": &req.DropCookies,
		"moveSecrets": &req.MoveSecrets} {
		switch query.Get(name) {
		case "true":
			*into = true
		case "", "false":
		default:
			return req, badQuery(strconv.Quote(name) + ` must be "true" or "false".`)
		}
	}
	if entry := query.Get("entry"); entry != "" {
		n, ok := api.ValidEntry(entry)
		if !ok {
			return req, badQuery(`"entry" must be a whole number from 1 on.`)
		}
		req.Entry = n
	}
	if !isObject {
		if req.Shell = query.Get("shell"); !api.ValidShell(req.Shell) {
			return req, badQuery(`"shell" must be ` + api.ShellNames(`"`) + ".")
		}
	}
	return req, nil
}

func badQuery(detail string) error {
	return &api.Problem{Code: api.CodeBadRequest, Detail: "The query parameter " + detail}
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
