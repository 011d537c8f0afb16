package httpapi

import (
	"errors"
	"mime"
	"net/http"
	"os"
	"strconv"
	"strings"

	"uncoil/internal/api"
)

// The content types that the service takes.
const (
	typeJSON   = "application/json"
	typeText   = "text/plain"
	typeNDJSON = "application/x-ndjson"
)

// mediaType returns the content type of a request without its parameters. A
// charset needs no attention: JSON is always UTF-8, and in a command every
// byte stands for itself.
func mediaType(r *http.Request) string {
	value := r.Header.Get("Content-Type")
	if value == typeJSON {
		return value
	}
	if value == "" {
		return ""
	}
	name, _, err := mime.ParseMediaType(value)
	if err != nil && !errors.Is(err, mime.ErrInvalidMediaParameter) {
		return value // which is no type that anything knows
	}
	return name
}

// compressed returns the problem for a request whose content is compressed.
func compressed(r *http.Request) error {
	if coding := r.Header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		return &api.Problem{
			Code:   api.CodeUnsupportedMediaType,
			Detail: "The content is compressed, which this service does not read.",
			Hint:   "send the content as it is, without Content-Encoding",
		}
	}
	return nil
}

// isJSON reports whether content of a type is JSON.
func isJSON(mediaType string) bool {
	return mediaType == typeJSON || mediaType == "text/json" ||
		strings.HasPrefix(mediaType, "application/") && strings.HasSuffix(mediaType, "+json")
}

// isText reports whether content of a type is text as it stands. A client that
// says nothing, and curl -d, which says that it sends a form, mean that too.
func isText(mediaType string) bool {
	switch mediaType {
	case "", typeText, "application/x-www-form-urlencoded":
		return true
	}
	return false
}

// isLines reports whether content of a type may be the lines of a batch.
func isLines(mediaType string) bool {
	switch mediaType {
	case typeNDJSON, "application/ndjson", "application/jsonl", "application/x-jsonlines":
		return true
	}
	return isJSON(mediaType) || isText(mediaType)
}

// beginsObject reports whether content begins as a JSON object does.
func beginsObject(content string) bool {
	return strings.HasPrefix(strings.TrimLeft(strings.TrimPrefix(content, "\ufeff"), " \t\r\n"), "{")
}

// unsupported is the problem for content of a type that the path does not
// take.
func unsupported(r *http.Request, types ...string) error {
	return &api.Problem{
		Code:   api.CodeUnsupportedMediaType,
		Detail: "The content has a type that this path does not take.",
		Hint:   "send Content-Type: " + strings.Join(types, " or Content-Type: "),
	}
}

func tooLarge(limit int) error {
	return &api.Problem{
		Code:   api.CodeTooLarge,
		Detail: "The content is larger than the limit of " + strconv.Itoa(limit) + " bytes.",
	}
}

// readProblem says why the content of a request could not be read.
func readProblem(err error) error {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return &api.Problem{
			Code:   api.CodeRequestTimeout,
			Detail: "The content did not arrive in time.",
		}
	}
	return &api.Problem{
		Code:   api.CodeBadRequest,
		Detail: "The content could not be read to its end.",
	}
}
