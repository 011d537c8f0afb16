package httpapi

import (
	"net/http"
	"strconv"

	"uncoil/internal/envelope"
)

// answer serves one command: POST /api/convert and POST /api/parse.
func answer(as envelope.As, maxBody int) handlerFunc {
	return func(w http.ResponseWriter, r *http.Request) error {
		if err := unsupported(r, typeJSON, typeText); err != nil {
			return err
		}
		space := buffers.Get().(*[]byte)
		buf, err := readBody(w, r, (*space)[:0], maxBody)
		defer func() { putBuffer(space, buf) }()
		if err != nil {
			return err
		}
		// The string is a copy, so the buffer is free for the answer.
		req, err := request(r, string(buf))
		if err != nil {
			return err
		}
		if buf, err = req.AppendAnswer(buf[:0], as); err != nil {
			return err
		}
		h := w.Header()
		h.Set("Content-Type", typeJSON)
		h.Set("Content-Length", strconv.Itoa(len(buf)))
		// A client that has gone needs no answer.
		_, _ = w.Write(buf)
		return nil
	}
}

// request reads the content: an object, or as text the command itself.
func request(r *http.Request, content string) (envelope.Request, error) {
	if mediaType(r) == typeJSON {
		return envelope.DecodeRequest(content)
	}
	req := envelope.Request{Curl: content}
	req.Shell = r.URL.Query().Get("shell")
	if !envelope.ValidShell(req.Shell) {
		return req, &envelope.Problem{
			Code:   envelope.CodeBadRequest,
			Detail: `The query parameter "shell" must be "auto", "posix", "cmd" or "powershell".`,
		}
	}
	return req, nil
}
