package httpapi

import (
	"encoding/json"
	"net/http"
	"strconv"

	"uncoil/internal/edge/api"
	"uncoil/internal/engine/edit"
)

// A pageQuestion is a call of one of the functions that the engine exports to the page:
// see web/page/functions.js.
type pageQuestion struct {
	Name    string `json:"name"`
	Request string `json:"request"`
	One     int    `json:"one"`
	Hide    bool   `json:"hide"`
	Part    string `json:"part"`
	At      int    `json:"at"`
	Field   string `json:"field"`
	Value   string `json:"value"`
	Remove  bool   `json:"remove"`
}

// ask answers the page in place of the engine for the browser.
func (s *server) ask(w http.ResponseWriter, r *http.Request) error {
	e := exchangeOf(w)
	b := s.newBuffer(e.client, r.ContentLength)
	defer b.release()
	if err := b.read(w, r, s.MaxBody, s.ReadTimeout); err != nil {
		return err
	}
	var q pageQuestion
	if err := json.Unmarshal(b.bytes, &q); err != nil {
		return &api.Problem{Code: api.CodeBadRequest, Detail: "The content is no question of the page."}
	}
	limits := s.limits
	release, err := s.work(r, e, &b, &limits)
	if err != nil {
		return err
	}
	defer release()
	answer := q.answer(limits)
	if answer == nil {
		return &api.Problem{Code: api.CodeBadRequest, Detail: "The page has no such question."}
	}
	w.Header()["Content-Type"] = headerJSON
	w.Header().Set("Content-Length", strconv.Itoa(len(answer)))
	_, _ = w.Write(answer) // the client may have gone
	return nil
}

func (q *pageQuestion) answer(limits api.Limits) []byte {
	switch q.Name {
	case "targets":
		return api.AppendTargets(nil)
	case "show":
		return limits.Show(q.Request, q.One, q.Hide)
	case "showCode":
		return limits.ShowCode(q.Request, q.One, q.Hide)
	case "edit":
		return limits.ShowEdit(q.Request, q.One, edit.Edit{Part: q.Part, At: q.At, Name: q.Field, Value: q.Value, Remove: q.Remove})
	}
	return nil
}
