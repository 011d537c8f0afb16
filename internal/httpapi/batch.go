package httpapi

import (
	"io"
	"net/http"
	"time"

	"uncoil/internal/envelope"
)

// batch serves POST /api/batch: lines in, lines out, in the same order. It
// holds one block of lines at a time and answers it before it reads on, so
// the memory that a batch takes does not depend on its length, and a client
// that waits for an answer before it sends the next line gets it.
//
// Each block moves the deadlines, so a batch may last as long as it makes
// progress.
func batch(maxLine int, timeout time.Duration) handlerFunc {
	return func(w http.ResponseWriter, r *http.Request) error {
		if err := unsupported(r, typeNDJSON, typeJSON); err != nil {
			return err
		}
		as := envelope.AsConvert
		if name := r.URL.Query().Get("as"); name != "" {
			var ok bool
			if as, ok = envelope.ParseAs(name); !ok {
				return &envelope.Problem{
					Code:   envelope.CodeBadRequest,
					Detail: `The query parameter "as" must be "convert" or "parse".`,
				}
			}
		}

		// Where the connection can do neither, as in a test, it needs
		// neither.
		control := http.NewResponseController(w)
		_ = control.EnableFullDuplex()
		extend := func() {
			deadline := time.Now().Add(timeout)
			_ = control.SetReadDeadline(deadline)
			_ = control.SetWriteDeadline(deadline)
		}

		extend()
		w.Header().Set("Content-Type", typeNDJSON)
		lines := envelope.NewBlockReader(r.Body, maxLine)
		var in, out []byte
		for {
			var err error
			if in, err = lines.Next(in); err == io.EOF {
				return nil
			} else if err != nil {
				// What has been sent cannot be taken back. Breaking the
				// connection tells the client that lines are missing.
				panic(http.ErrAbortHandler)
			}
			extend()
			var tally envelope.Tally
			out, tally = envelope.AppendLines(out[:0], string(in), maxLine, as)
			logged(r).add(tally)
			if _, err = w.Write(out); err == nil {
				err = control.Flush()
			}
			if err != nil {
				panic(http.ErrAbortHandler)
			}
		}
	}
}
