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
	name, _, err := mime.ParseMediaType(value)
	if err != nil && !errors.Is(err, mime.ErrInvalidMediaParameter) {
		return ""
	}
	return name
}

// unsupported returns the problem for a request whose content the service
// cannot read, and nil where it can: its type is one of the given.
func unsupported(r *http.Request, types ...string) error {
	hint := "send Content-Type: " + strings.Join(types, " or Content-Type: ")
	if coding := r.Header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		return &api.Problem{
			Code:   api.CodeUnsupportedMediaType,
			Detail: "The content is compressed, which this service does not read.",
			Hint:   "send the content as it is, without Content-Encoding",
		}
	}
	got := mediaType(r)
	for _, t := range types {
		if got == t {
			return nil
		}
	}
	detail := "The request does not say what type its content has."
	if r.Header.Get("Content-Type") != "" {
		detail = "The content has a type that this path does not take."
	}
	return &api.Problem{Code: api.CodeUnsupportedMediaType, Detail: detail, Hint: hint}
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
