package contract

import (
	"maps"
	"slices"

	"uncoil/diag"
	"uncoil/internal/edge/openapi"
	"uncoil/request"
)

// The kinds of findings. docs/lint-openapi.md says what each means.
const (
	UnknownPath         diag.Code = "unknown-path"
	UnknownMethod       diag.Code = "unknown-method"
	OtherOperation      diag.Code = "other-operation"
	DeprecatedOperation diag.Code = "deprecated-operation"
	UnknownParameter    diag.Code = "unknown-parameter"
	MissingParameter    diag.Code = "missing-parameter"
	InvalidParameter    diag.Code = "invalid-parameter"
	UnknownContentType  diag.Code = "unknown-content-type"
	MissingBody         diag.Code = "missing-body"
	UnknownBody         diag.Code = "unknown-body"
	InvalidBody         diag.Code = "invalid-body"
	MissingCredentials  diag.Code = "missing-credentials"
	OtherCredentials    diag.Code = "other-credentials"
	InvalidExample      diag.Code = "invalid-example"
)

// titles name the kinds, and doubtful are those that a server may well take.
var (
	titles = map[diag.Code]string{
		UnknownPath:         "The OpenAPI document has no such path",
		UnknownMethod:       "The path has no such method",
		OtherOperation:      "The example is one of another operation",
		DeprecatedOperation: "The operation is deprecated",
		UnknownParameter:    "The operation has no such parameter",
		MissingParameter:    "A parameter is required",
		InvalidParameter:    "The value of a parameter does not fit its schema",
		UnknownContentType:  "The operation takes content of another type",
		MissingBody:         "The operation requires content",
		UnknownBody:         "The operation takes no content",
		InvalidBody:         "The content does not fit its schema",
		MissingCredentials:  "The operation requires credentials",
		OtherCredentials:    "The operation takes credentials of another kind",
		InvalidExample:      "An example of the OpenAPI document does not fit its schema",
	}
	doubtful = map[diag.Code]bool{DeprecatedOperation: true, UnknownParameter: true, UnknownBody: true, MissingCredentials: true, OtherCredentials: true}
)

// Codes returns the codes of findings, in no particular order.
func Codes() []diag.Code { return slices.Collect(maps.Keys(titles)) }

// Title returns the short name of a kind of finding; empty for a code of others.
func Title(code diag.Code) string { return titles[code] }

// A Finding is one thing that contradicts the document.
type Finding struct {
	Code    diag.Code
	Doubt   bool      // a server may well take it
	Span    diag.Span // in the text of the command
	Message string    // never holds a value of the command
	Hint    string
	Fix     *diag.Fix // of the text of the command, where one is certain
	// Against is where the document says otherwise.
	Against openapi.Place
}

// A visit holds one request against an operation.
type visit struct {
	*Document
	command   *command
	request   *request.Request
	operation *operation
	match     match
	presumed  bool // the host stands for a server, or is the local machine
	found     *[]Finding
}

// add adds a finding.
func (v *visit) add(code diag.Code, span diag.Span, at openapi.Place, message string) *Finding {
	*v.found = append(*v.found, Finding{Code: code, Doubt: doubtful[code], Span: span, Message: message, Against: at})
	return &(*v.found)[len(*v.found)-1]
}
