package diag

// A Code names a kind of diagnostic in kebab-case. A code is never renamed.
type Code string

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
	CodeUnsupportedScheme  Code = "unsupported-scheme"
	CodeInvalidGlob        Code = "invalid-glob"
	CodeTooManyRequests    Code = "too-many-requests"
	CodeMultipleRequests   Code = "multiple-requests"
	CodeFileNotSupplied    Code = "file-not-supplied"
	CodeStdinNotSupplied   Code = "stdin-not-supplied"
	CodeBinaryBody         Code = "binary-body"
	CodeVariable           Code = "variable"
	CodeRequestTarget      Code = "request-target"
	CodeTooLarge           Code = "expansion-too-large"
	CodeTooMuchWork        Code = "too-much-work"
	CodeNestedTooDeep      Code = "nested-too-deep"
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
	WarnShellAmbiguous    Code = "shell-ambiguous"
	WarnBrowserIntent     Code = "browser-intent"
	WarnFileNotSupplied   Code = "file-not-supplied"
	WarnInvalidDate       Code = "invalid-date"
	WarnRange             Code = "range"
	WarnFormSyntax        Code = "form-syntax"
	WarnVariableSyntax    Code = "variable-syntax"
	WarnConfigFile        Code = "config-file"
	WarnNegotiated        Code = "negotiated-auth"
	WarnExtraOutput       Code = "extra-output-option"
	WarnLooksLikeOption   Code = "looks-like-option"
	WarnClockDependent    Code = "clock-dependent"
)
