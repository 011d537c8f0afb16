package engine

import (
	"slices"
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
)

// calls are how programs ask for what curl would, in languages that are not read. The name
// is followed by a method and a parenthesis, or by a parenthesis.
var calls = []struct{ name, client string }{
	{"requests", "Requests for Python"}, {"httpx", "HTTPX for Python"}, {"axios", "axios for JavaScript"}, {"got", "got for JavaScript"},
	{"$", "jQuery"}, {"jQuery", "jQuery"}, {"http", "a client in a program"}, {"https", "a client in a program"},
}

// verbs are what follows the name of a client after a dot.
var verbs = []string{"get", "post", "put", "patch", "delete", "head", "options", "request", "ajax", "getJSON"}

// lookOf is how many steps it takes to look at a byte of a text for what it is.
const lookOf = 8

// otherText gives the error of a text that is no command and does not say curl what the text
// is: a command of wget, a call of a client in a program, or XML.
func (r *Result) otherText(d diag.Diagnostic, c *conversion) diag.Diagnostic {
	switch d.Code {
	case diag.CodeNotCurl, diag.CodeShellSyntax, diag.CodeUnterminatedQuote:
	default:
		return d
	}
	text := strings.TrimLeft(r.source, " \t\r\n")
	if r.data || !c.meter.Work(lookOf*len(text)) || ascii.ContainsFold(text, "curl") {
		return d
	}
	start := len(r.source) - len(text)
	say := func(at, n int, what, hint string) diag.Diagnostic {
		return diag.Diagnostic{Code: diag.CodeNotCurl, Span: diag.Span{Start: int32(at), End: int32(at + n)}, Message: what, Hint: hint}
	}
	bare := strings.TrimPrefix(text, "$ ")
	if d.Code == diag.CodeNotCurl && strings.HasPrefix(bare, "wget ") {
		return say(int(d.Span.Start), int(d.Span.End-d.Span.Start), "this is a command of wget, and not of curl",
			"write it for curl: wget URL is curl -LO URL, -O FILE is -o FILE, --header is -H, --post-data is -d, --method is -X")
	}
	if strings.HasPrefix(text, "<") && strings.HasSuffix(strings.TrimRight(text, " \t\r\n"), ">") {
		what := "this is XML, and not a curl command"
		if ascii.HasPrefixFold(text, "<!doctype html") || ascii.HasPrefixFold(text, "<html") {
			what = "this is HTML, and not a curl command"
		}
		return say(start, strings.IndexByte(text, '>')+1, what, "paste the curl command; of files, HAR, .http and collections of Postman 2.1 are read")
	}
	if at, n, client := callIn(text); n > 0 {
		return say(start+at, n, "this is a call of "+client+", and not a curl command", "paste the curl command; of calls in programs, those of fetch are read")
	}
	return d
}

// callIn finds the first call of a client in a text.
func callIn(text string) (at, n int, client string) {
	for i := 0; i < len(text); i++ {
		paren := strings.IndexByte(text[i:], '(')
		if paren < 0 {
			break
		}
		paren += i
		from := paren
		for from > i && (ascii.IsNameByte(text[from-1]) || text[from-1] == '.' || text[from-1] == '$') {
			from--
		}
		name, verb, dotted := strings.Cut(text[from:paren], ".")
		for _, call := range calls {
			if name == call.name && (dotted && slices.Contains(verbs, verb) || !dotted && call.name == "axios") {
				return from, paren - from, call.client
			}
		}
		i = paren
	}
	return 0, 0, ""
}
