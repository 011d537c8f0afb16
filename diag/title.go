package diag

// titles holds a short name for each kind of error.
var titles = map[Code]string{
	CodeInternal:           "uncoil has a fault",
	CodeEmptyCommand:       "The command is empty",
	CodeNotCurl:            "The text has no curl command",
	CodeUnterminatedQuote:  "A quote is not closed",
	CodeShellSyntax:        "The shell would not accept the text",
	CodeUnknownOption:      "curl does not know the option",
	CodeMissingArgument:    "An option lacks its argument",
	CodeInvalidArgument:    "curl refuses the argument of an option",
	CodeConflictingOptions: "curl refuses this combination of options",
	CodeNoURL:              "The command sends no request",
	CodeInvalidURL:         "curl rejects the URL",
	CodeInternationalHost:  "The international host name fits into no URL",
	CodeUnsupportedScheme:  "The URL's scheme is not HTTP",
	CodeInvalidGlob:        "The glob in the URL is malformed",
	CodeTooManyRequests:    "The text asks for too many requests",
	CodeMultipleRequests:   "The text asks for several requests",
	CodeFileNotSupplied:    "A file that decides the request was not supplied",
	CodeStdinNotSupplied:   "Standard input decides the request and was not supplied",
	CodeBinaryBody:         "The request holds bytes that are not text",
	CodeVariable:           "A variable of curl cannot be expanded",
	CodeRequestTarget:      "The request target does not fit into a URL",
	CodeComputedAuth:       "curl computes the credentials when it sends the request",
	CodeCannotExpress:      "The client cannot send this request",
	CodeUnknownTarget:      "There is no such target",
	CodeTooLarge:           "The text expands to more than the limit",
	CodeNestedTooDeep:      "The text nests too deeply",
	CodeInvalidHAR:         "The HAR file is malformed",
	CodeInvalidHTTP:        "The HTTP request is malformed",
	CodeInvalidFetch:       "The call of fetch is malformed",
	CodeInvalidHTTPFile:    "The .http file is malformed",
	CodeInvalidPostman:     "The Postman collection is malformed",
	CodeInvalidHTTPie:      "HTTPie would refuse the command, or curl cannot send its request",
	CodeNotData:            "The text depends on what only a program knows",
	CodeUnknownEntry:       "There is no such entry",
	CodeTooMuchWork:        "The text takes too much work",
}

// Title returns the short name of the kind of error, or the code itself when it
// has no title.
func (c Code) Title() string {
	if title, ok := titles[c]; ok {
		return title
	}
	return string(c)
}

// ErrorCodes returns the codes of errors, in no particular order.
func ErrorCodes() []Code {
	codes := make([]Code, 0, len(titles))
	for c := range titles {
		codes = append(codes, c)
	}
	return codes
}
