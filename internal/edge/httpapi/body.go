package httpapi

import (
	"errors"
	"io"
	stdmime "mime"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"

	"uncoil/internal/edge/api"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/jsontext"
	"uncoil/internal/engine/mime"
)

// The content types that the service accepts.
const (
	typeJSON   = "application/json"
	typeText   = "text/plain"
	typeNDJSON = "application/x-ndjson"
	typeForm   = "application/x-www-form-urlencoded"
)

// mediaType returns the content type of a request without its parameters. The
// charset does not matter: JSON is always UTF-8, and a command is a sequence of
// bytes.
func mediaType(r *http.Request) string {
	value := r.Header.Get("Content-Type")
	if value == typeJSON {
		return value
	}
	if value == "" {
		return ""
	}
	name, _, err := stdmime.ParseMediaType(value)
	if err != nil && !errors.Is(err, stdmime.ErrInvalidMediaParameter) {
		return value // matches no known type
	}
	return name
}

// compressed returns the problem for a request whose content is compressed.
func compressed(r *http.Request) error {
	if coding := r.Header.Get("Content-Encoding"); coding != "" && !ascii.EqualFold(coding, "identity") {
		return &api.Problem{
			Code:   api.CodeUnsupportedMediaType,
			Detail: "The content is compressed, and the service does not decompress it.",
			Hint:   "send the content without Content-Encoding",
		}
	}
	return nil
}

// isText reports whether content of a type is a command as plain text. No type,
// and the type of a form, which curl -d sends by default, count as text.
func isText(mediaType string) bool {
	switch mediaType {
	case "", typeText, typeForm:
		return true
	}
	return false
}

// isLines reports whether content of a type can be the lines of a batch.
func isLines(mediaType string) bool {
	switch mediaType {
	case typeNDJSON, "application/ndjson", "application/jsonl", "application/x-jsonlines":
		return true
	}
	return mime.IsJSON(mediaType) || isText(mediaType)
}

// beginsObject reports whether content begins as a JSON object does.
func beginsObject(content string) bool {
	return strings.HasPrefix(strings.TrimLeft(strings.TrimPrefix(content, jsontext.ByteOrderMark), " \t\r\n"), "{")
}

// unsupported returns the problem for content of a type that the path does not
// accept.
func unsupported(r *http.Request, types ...string) error {
	return &api.Problem{
		Code:   api.CodeUnsupportedMediaType,
		Detail: "The path does not accept content of this type.",
		Hint:   "send Content-Type: " + strings.Join(types, " or Content-Type: "),
	}
}

func tooLarge(limit int) error {
	return &api.Problem{
		Code:   api.CodeTooLarge,
		Detail: "The content is larger than the limit of " + strconv.Itoa(limit) + " bytes.",
		Hint:   "send less at a time; /api/batch takes many commands, one on each line",
	}
}

// readProblem returns the problem for content that could not be read. Most clients
// whose content ends early have gone, and do not get it.
func (e *exchange) readProblem(err error) error {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return &api.Problem{
			Code:   api.CodeRequestTimeout,
			Detail: "The content did not arrive in time.",
			Hint:   "send it again, or in smaller parts",
		}
	}
	_, broken := errors.AsType[*net.OpError](err)
	e.gone = broken || errors.Is(err, io.ErrUnexpectedEOF)
	return &api.Problem{
		Code:   api.CodeBadRequest,
		Detail: "The content could not be read to its end.",
		Hint:   "send it again",
	}
}
