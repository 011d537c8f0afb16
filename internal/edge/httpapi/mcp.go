package httpapi

import (
	"bytes"
	"context"
	"io"
	"net/http"

	"uncoil/internal/edge/api"
	"uncoil/internal/edge/mcp"
	"uncoil/internal/engine/fault"
	"uncoil/internal/engine/mime"
)

// toolCopies is how often the answer of a tool is in memory: as it was written, as
// text, as structured content, and escaped within the message, of which the SDK and
// net/http have one each.
const toolCopies = 8

// mcp serves POST /mcp, the streamable HTTP transport of the Model Context
// Protocol without sessions: each request has its answer as JSON, and the
// service keeps nothing in between. A request converts at most one command, so
// the limits are those of the other routes.
func (s *server) mcp() handlerFunc {
	limits := s.limits
	limits.Warnings = true
	return func(w http.ResponseWriter, r *http.Request) error {
		if err := compressed(r); err != nil {
			return err
		}
		if t := mediaType(r); t != "" && !mime.IsJSON(t) {
			return unsupported(r, typeJSON)
		}
		e := exchangeOf(w)
		b := s.newBuffer(e.client, r.ContentLength)
		defer b.release()
		if err := b.read(w, r, s.MaxBody, s.ReadTimeout); err != nil {
			return err
		}
		if bytes.HasPrefix(bytes.TrimLeft(b.bytes, " \t\r\n"), []byte("[")) {
			return &api.Problem{Code: api.CodeBadRequest, Detail: "The content is a JSON-RPC batch.",
				Hint: "send each message in a request of its own"}
		}
		// The answer of a tool is copied after the conversion has given its slot to
		// another, so the copies count as answers that are held.
		copied := 0
		defer func() { s.held.give(e.client, copied) }()
		// The call runs in a goroutine of its own, which no middleware sees.
		answer := func(_ context.Context, arguments string, as api.As) (body []byte, err error) {
			defer func() { e.noteFault(err) }()
			defer fault.Recover(&err)
			answer := s.newBuffer(e.client, int64(len(arguments)))
			defer answer.release()
			answer.bytes = append(answer.bytes, arguments...)
			if _, err := s.convert(r, e, &answer, limits, as); err != nil {
				return nil, err
			}
			n := toolCopies * len(answer.bytes)
			if len(answer.bytes) > mcp.MaxAnswer {
				n = 2 * len(answer.bytes) // which a tool shortens, or refuses
			}
			if err := answer.count(); err != nil {
				return nil, err
			}
			if refused := s.held.take(e.client, n, n <= shortContent); refused != nil {
				return nil, refused
			}
			copied += n
			return bytes.Clone(answer.bytes), nil
		}
		r.Body = io.NopCloser(bytes.NewReader(b.bytes))
		// The answer is JSON whatever the client prefers.
		r.Header.Set("Accept", "application/json, text/event-stream")
		r.Header.Set("Content-Type", typeJSON)
		mcp.ServeHTTP(w, r, s.Version, answer)
		return nil
	}
}
