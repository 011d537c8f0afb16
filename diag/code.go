package diag

import "slices"

// A Code names a kind of diagnostic in kebab-case. A code is never renamed.
// docs/semantics.md says what each warning means, and the page /problems/CODE of the
// service what each error means, with an example.
type Code string

// CodeInternal is a fault of uncoil itself, whatever the command; over HTTP it
// is a 500.
const CodeInternal Code = "internal"

// The errors that a command can have; over HTTP each is a 422.
const (
	CodeEmptyCommand       Code = "empty-command"
	CodeNotCurl            Code = "not-curl"
	CodeUnterminatedQuote  Code = "unterminated-quote"
	CodeShellSyntax        Code = "shell-syntax"
	CodeUnknownOption      Code = "unknown-option"
	CodeMissingArgument    Code = "missing-argument"
	CodeInvalidArgument    Code = "invalid-argument"
	CodeConflictingOptions Code = "conflicting-options"
	CodeNoURL              Code = "no-url"
	CodeInvalidURL         Code = "invalid-url"
	CodeInternationalHost  Code = "international-host"
	CodeUnsupportedScheme  Code = "unsupported-scheme"
	CodeInvalidGlob        Code = "invalid-glob"
	CodeTooManyRequests    Code = "too-many-requests"
	CodeMultipleRequests   Code = "multiple-requests"
	CodeFileNotSupplied    Code = "file-not-supplied"
	CodeStdinNotSupplied   Code = "stdin-not-supplied"
	CodeBinaryBody         Code = "binary-body"
	CodeVariable           Code = "variable"
	CodeRequestTarget      Code = "request-target"
	CodeComputedAuth       Code = "computed-auth"
	CodeTooLarge           Code = "expansion-too-large"
	CodeCannotExpress      Code = "cannot-express"
	CodeUnknownTarget      Code = "unknown-target"
	CodeTooMuchWork        Code = "too-much-work"
	CodeNestedTooDeep      Code = "nested-too-deep"
	CodeInvalidHAR         Code = "invalid-har"
	CodeInvalidHTTP        Code = "invalid-http"
	CodeInvalidFetch       Code = "invalid-fetch"
	CodeInvalidHTTPFile    Code = "invalid-http-file"
	CodeInvalidPostman     Code = "invalid-postman"
	CodeInvalidHTTPie      Code = "invalid-httpie"
	CodeNotData            Code = "not-data"
	CodeUnknownEntry       Code = "unknown-entry"
)

// The warnings.
const (
	WarnJSONSentAsForm    Code = "json-sent-as-form"
	WarnBodyWithGet       Code = "body-with-get"
	WarnRedundantMethod   Code = "redundant-method"
	WarnMethodHead        Code = "method-head"
	WarnUnquotedAmpersand Code = "unquoted-ampersand"
	WarnURLCredentials    Code = "url-credentials"
	WarnSecret            Code = "secret-on-command-line"
	WarnInsecure          Code = "insecure"
	WarnDeprecated        Code = "deprecated-option"
	WarnNotAHeader        Code = "not-a-header"
	WarnPlaceholder       Code = "placeholder"
	WarnVariableKept      Code = "variable-kept"
	WarnPasswordPrompt    Code = "password-prompt"
	WarnUnicodeQuote      Code = "unicode-quote"
	WarnPastedNoise       Code = "pasted-noise"
	WarnOtherCommand      Code = "other-command"
	WarnPipedOutput       Code = "piped-output"
	WarnConditional       Code = "conditional-command"
	WarnShellAmbiguous    Code = "shell-ambiguous"
	WarnBrowserIntent     Code = "browser-intent"
	WarnFileNotSupplied   Code = "file-not-supplied"
	WarnInvalidDate       Code = "invalid-date"
	WarnRange             Code = "range"
	WarnFormSyntax        Code = "form-syntax"
	WarnVariableSyntax    Code = "variable-syntax"
	WarnConfigFile        Code = "config-file"
	WarnNegotiated        Code = "negotiated-auth"
	WarnComputedAuth      Code = "computed-auth"
	WarnExtraOutput       Code = "extra-output-option"
	WarnLooksLikeOption   Code = "looks-like-option"
	WarnCannotExpress     Code = "cannot-express"
	WarnClockDependent    Code = "clock-dependent"
	WarnUnicodeDash       Code = "unicode-dash"
	WarnSingleDash        Code = "single-dash"
	WarnLooksLikeMethod   Code = "looks-like-method"
	WarnMisspelledMethod  Code = "misspelled-method"
	WarnMisspelledScheme  Code = "misspelled-scheme"
	WarnLooksLikeFile     Code = "looks-like-file"
	WarnLooksLikeText     Code = "looks-like-text"
	WarnLooksLikeURL      Code = "looks-like-url"
	WarnUnquotedArgument  Code = "unquoted-argument"
	WarnUnquotedQuestion  Code = "unquoted-question-mark"
	WarnQuotesLost        Code = "quotes-lost"
	WarnInvalidJSON       Code = "invalid-json"
	WarnQuotedVariable    Code = "variable-in-single-quotes"
	WarnGlob              Code = "url-glob"
	WarnFragment          Code = "url-fragment"
	WarnHeaderInURL       Code = "header-in-url"
	WarnFieldTwice        Code = "field-twice"
	WarnTwoAuthorizations Code = "authorization-twice"
	WarnStdinExhausted    Code = "stdin-exhausted"
	WarnSecretMoved       Code = "secret-moved"
	WarnPlaceholderMoved  Code = "placeholder-moved"
	WarnFieldsDropped     Code = "fields-dropped"
	WarnIncompleteContent Code = "incomplete-content"
	WarnSchemeGuessed     Code = "scheme-guessed"
	WarnBrowserAdds       Code = "browser-adds"
	WarnContentLength     Code = "content-length"
	WarnVariableDefault   Code = "variable-default"
	WarnQueryDiffers      Code = "query-differs"
	WarnMethodAssumed     Code = "method-assumed"
	WarnMemberDiffers     Code = "member-differs"
	WarnOtherPeer         Code = "other-peer"
)

// warnings are the codes of the warnings.
var warnings = []Code{
	WarnJSONSentAsForm, WarnBodyWithGet, WarnRedundantMethod, WarnMethodHead, WarnUnquotedAmpersand,
	WarnURLCredentials, WarnSecret, WarnInsecure, WarnDeprecated, WarnNotAHeader, WarnPlaceholder,
	WarnVariableKept, WarnPasswordPrompt, WarnUnicodeQuote, WarnPastedNoise, WarnOtherCommand, WarnPipedOutput,
	WarnConditional, WarnShellAmbiguous, WarnBrowserIntent, WarnFileNotSupplied, WarnInvalidDate, WarnRange,
	WarnFormSyntax, WarnVariableSyntax, WarnConfigFile, WarnNegotiated, WarnComputedAuth, WarnExtraOutput,
	WarnLooksLikeOption, WarnCannotExpress, WarnClockDependent, WarnUnicodeDash, WarnSingleDash,
	WarnLooksLikeMethod, WarnMisspelledMethod, WarnMisspelledScheme, WarnLooksLikeFile, WarnLooksLikeText,
	WarnLooksLikeURL, WarnUnquotedArgument, WarnUnquotedQuestion, WarnQuotesLost, WarnInvalidJSON,
	WarnQuotedVariable, WarnGlob, WarnFragment, WarnHeaderInURL, WarnFieldTwice, WarnTwoAuthorizations,
	WarnStdinExhausted, WarnSecretMoved, WarnPlaceholderMoved, WarnFieldsDropped, WarnIncompleteContent,
	WarnSchemeGuessed, WarnBrowserAdds, WarnContentLength, WarnVariableDefault, WarnQueryDiffers,
	WarnMethodAssumed, WarnMemberDiffers, WarnOtherPeer,
}

// WarningCodes returns the codes of warnings, in no particular order.
func WarningCodes() []Code { return slices.Clone(warnings) }
