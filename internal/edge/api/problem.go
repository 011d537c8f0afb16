package api

import (
	"cmp"
	"errors"

	"uncoil/diag"
	"uncoil/internal/engine"
	"uncoil/internal/engine/jsontext"
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
	CodeCrossOrigin          diag.Code = "cross-origin"
	CodeURITooLong           diag.Code = "uri-too-long"
	CodeMisdirected          diag.Code = "misdirected-request"
	CodeRateLimited          diag.Code = "rate-limited"
	CodeHeaderTooLarge       diag.Code = "header-too-large"
	CodeOverloaded           diag.Code = "overloaded"
	CodeUnavailable          diag.Code = "unavailable"
)

// A Problem is an error in a request object or in the service. An error in a
// command is an *engine.Error.
type Problem struct {
	Code   diag.Code
	Detail string
	Hint   string
	Offset *int   // into the JSON text, in bytes
	Member string // of the request object
}

// about holds what all problems of one code share.
var about = map[diag.Code]struct {
	status int
	title  string
}{
	CodeBadRequest:           {400, "The request is malformed"},
	CodeUnauthorized:         {401, "This service requires a token"},
	CodeCrossOrigin:          {403, "A web page of another origin sent the request"},
	CodeNotFound:             {404, "This path does not exist"},
	CodeMethodNotAllowed:     {405, "This path does not support the method"},
	CodeRequestTimeout:       {408, "The request took too long to arrive"},
	CodeTooLarge:             {413, "The request is too large"},
	CodeURITooLong:           {414, "The path and query are too long"},
	CodeUnsupportedMediaType: {415, "The content is neither JSON nor text"},
	CodeMisdirected:          {421, "The service does not answer for this host"},
	CodeRateLimited:          {429, "Too many requests came from this client"},
	CodeHeaderTooLarge:       {431, "The header of the request is too large"},
	diag.CodeInternal:        {500, diag.CodeInternal.Title()},
	CodeOverloaded:           {503, "The service is overloaded"},
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

// Title returns the title of all problems with the code.
func Title(code diag.Code) string {
	if a, ok := about[code]; ok {
		return a.title
	}
	return code.Title()
}

// statusUnprocessable is the HTTP status of every error in a command, which
// diag.CodeInternal is not.
const statusUnprocessable = 422

// Append appends the problem document.
func (p *Problem) Append(dst []byte) []byte {
	o := newProblem(dst, p.Code, p.Detail)
	o.Optional("hint", p.Hint)
	if p.Offset != nil {
		o.Int("offset", int64(*p.Offset))
	}
	o.Optional("member", p.Member)
	return o.End()
}

// appendError appends the problem document of an error in a command, and of the member that has
// it, where there are two.
func appendError(dst []byte, e *engine.Error, member string) []byte {
	o := newProblem(dst, e.Code, e.Message)
	e.AddTo(&o, e.Line, e.Column)
	o.Optional("member", member)
	if e.Count > 0 {
		o.Int("count", int64(e.Count))
	}
	if len(e.Doubts) > 0 {
		o.Key("warnings")
		o.Dst = e.AppendWarnings(o.Dst)
	}
	return o.End()
}

// newProblem begins a problem document with the members that all of them have
// (RFC 9457).
func newProblem(dst []byte, code diag.Code, detail string) jsontext.Object {
	o := jsontext.NewObject(dst)
	o.String("type", "/problems/"+string(code))
	o.String("title", Title(code))
	o.Int("status", int64(Status(code)))
	o.String("detail", detail)
	o.String("code", string(code))
	return o
}

// CodeOf returns the code of the problem document for an error.
func CodeOf(err error) diag.Code {
	if e, ok := errors.AsType[*engine.Error](err); ok {
		return e.Code
	}
	if p, ok := errors.AsType[*Problem](err); ok {
		return p.Code
	}
	if _, ok := errors.AsType[*Error](err); ok {
		return CodeBadRequest
	}
	return diag.CodeInternal
}

// AppendProblem appends the problem document for an error: a *Problem, an
// *Error or an *engine.Error. Anything else is a fault of the service. The
// status and the code are those that the document has.
func AppendProblem(dst []byte, err error) (out []byte, status int, code diag.Code) {
	member := ""
	if side, ok := errors.AsType[*SideError](err); ok {
		member = side.Side
	}
	if e, ok := errors.AsType[*engine.Error](err); ok {
		return appendError(dst, e, member), Status(e.Code), e.Code
	}
	p, ok := errors.AsType[*Problem](err)
	if !ok {
		p = &Problem{Code: diag.CodeInternal, Detail: "The request could not be answered because of a fault in the service."}
	}
	if e, ok := errors.AsType[*Error](err); ok {
		p = &Problem{Code: CodeBadRequest, Detail: e.Error(), Hint: e.Hint, Offset: &e.Offset, Member: cmp.Or(e.Member, member)}
	}
	return p.Append(dst), Status(p.Code), p.Code
}
