package diag

// titles says in a few words what the kind of an error is.
var titles = map[Code]string{
	CodeEmptyCommand:       "The command is empty",
	CodeNotCurl:            "There is no curl command",
	CodeUnterminatedQuote:  "A quote is not closed",
	CodeShellSyntax:        "The shell would not accept the text",
	CodeUnknownOption:      "curl has no such option",
	CodeMissingArgument:    "An option lacks its argument",
	CodeInvalidArgument:    "curl refuses the argument of an option",
	CodeConflictingOptions: "curl refuses this combination of options",
	CodeNoURL:              "There is no URL to request",
	CodeInvalidURL:         "curl rejects the URL",
	CodeUnsupportedScheme:  "The URL is not one of HTTP",
	CodeInvalidGlob:        "The brackets or braces in the URL are no glob",
	CodeTooManyRequests:    "The text stands for too many requests",
	CodeMultipleRequests:   "The text stands for several requests",
	CodeFileNotSupplied:    "A file that decides the request was not supplied",
	CodeStdinNotSupplied:   "Standard input decides the request and was not supplied",
	CodeBinaryBody:         "The request holds what is not text",
	CodeVariable:           "A variable of curl cannot be expanded",
	CodeRequestTarget:      "The request target has no place in a URL",
	CodeTooLarge:           "The text stands for more than is answered",
	CodeNestedTooDeep:      "Something is nested too deep",
	CodeTooMuchWork:        "The text takes too much work",
}

// Title returns what a kind of error is in a few words, the same for every
// error of the code; the code itself where there is none.
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
