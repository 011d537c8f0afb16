package api

import (
	"errors"
	"strconv"

	"uncoil"
	"uncoil/diag"
	"uncoil/internal/jsontext"
)

// The codes of problems that are not the command's own. A code is never
// renamed.
const (
	CodeBadRequest           diag.Code = "bad-request"
	CodeNotFound             diag.Code = "not-found"
	CodeMethodNotAllowed     diag.Code = "method-not-allowed"
	CodeRequestTimeout       diag.Code = "request-timeout"
	CodeTooLarge             diag.Code = "too-large"
	CodeUnsupportedMediaType diag.Code = "unsupported-media-type"
	CodeUnauthorized         diag.Code = "unauthorized"
	CodeURITooLong           diag.Code = "uri-too-long"
	CodeRateLimited          diag.Code = "rate-limited"
	CodeHeaderTooLarge       diag.Code = "header-too-large"
	CodeInternal             diag.Code = "internal"
	CodeOverloaded           diag.Code = "overloaded"
	CodeUnavailable          diag.Code = "unavailable"
)

// A Problem is a problem document (RFC 9457) for what is wrong with the
// envelope or the service. What is wrong with a command is an uncoil.Error,
// which renders itself.
type Problem struct {
	Code   diag.Code
	Detail string
	Hint   string
	Offset *int   // into the JSON text, in bytes
	Member string // of the request object
}

// about is what never varies between two problems of one code.
var about = map[diag.Code]struct {
	status int
	title  string
}{
	CodeBadRequest:           {400, "The request is not of the right form"},
	CodeUnauthorized:         {401, "This service wants a token"},
	CodeNotFound:             {404, "There is nothing at this path"},
	CodeMethodNotAllowed:     {405, "This path does not have that method"},
	CodeRequestTimeout:       {408, "The request took too long to arrive"},
	CodeTooLarge:             {413, "The request is too large"},
	CodeURITooLong:           {414, "The path and query are too long"},
	CodeUnsupportedMediaType: {415, "The content is neither JSON nor text"},
	CodeRateLimited:          {429, "Too many requests came from this client"},
	CodeHeaderTooLarge:       {431, "The header of the request is too large"},
	CodeInternal:             {500, "The service failed"},
	CodeOverloaded:           {503, "The service has too much to do"},
	CodeUnavailable:          {503, "The service cannot take the request now"},
}

// Error returns the detail.
func (p *Problem) Error() string { return p.Detail }

// Status returns the HTTP status that goes with a code: one of those above,
// or one of the command's own errors.
func Status(code diag.Code) int {
	if a, ok := about[code]; ok {
		return a.status
	}
	return statusUnprocessable
}

// Title returns what all problems of a code have in common.
func Title(code diag.Code) string {
	if a, ok := about[code]; ok {
		return a.title
	}
	return code.Title()
}

// statusUnprocessable is the HTTP status of every error in a command.
const statusUnprocessable = 422

// Append appends the problem as JSON.
func (p *Problem) Append(dst []byte) []byte {
	text := func(name, value string) {
		dst = append(dst, name...)
		dst = jsontext.AppendString(dst, value)
	}
	text(`{"type":`, "/problems/"+string(p.Code))
	text(`,"title":`, Title(p.Code))
	dst = append(dst, `,"status":`...)
	dst = strconv.AppendInt(dst, int64(Status(p.Code)), 10)
	text(`,"detail":`, p.Detail)
	text(`,"code":`, string(p.Code))
	if p.Hint != "" {
		text(`,"hint":`, p.Hint)
	}
	if p.Offset != nil {
		dst = append(dst, `,"offset":`...)
		dst = strconv.AppendInt(dst, int64(*p.Offset), 10)
	}
	if p.Member != "" {
		text(`,"member":`, p.Member)
	}
	return append(dst, '}')
}

// CodeOf returns the code of the problem document for an error.
func CodeOf(err error) diag.Code {
	if e, ok := errors.AsType[*uncoil.Error](err); ok {
		return e.Code
	}
	if p, ok := errors.AsType[*Problem](err); ok {
		return p.Code
	}
	if _, ok := errors.AsType[*Error](err); ok {
		return CodeBadRequest
	}
	return CodeInternal
}

// AppendProblem appends the problem document for an error: a *Problem, an
// *Error or an *uncoil.Error. Anything else is a fault of the service. The
// status and the code are those that the document has.
func AppendProblem(dst []byte, err error) (out []byte, status int, code diag.Code) {
	if e, ok := errors.AsType[*uncoil.Error](err); ok {
		return e.AppendProblem(dst, statusUnprocessable), statusUnprocessable, e.Code
	}
	p, ok := errors.AsType[*Problem](err)
	if !ok {
		p = &Problem{Code: CodeInternal, Detail: "The request could not be answered, and the service is to blame."}
	}
	if e, ok := errors.AsType[*Error](err); ok {
		p = &Problem{Code: CodeBadRequest, Detail: e.Error(), Offset: &e.Offset, Member: e.Member}
	}
	return p.Append(dst), Status(p.Code), p.Code
}
