package httpapi

import (
	"strings"

	"uncoil/diag"
	"uncoil/internal/edge/api"
)

// An explanation explains to a person what an error means and how to correct it.
//
// Bad is a command that has the error. Mended is what to send instead: a command,
// or a request object where a command is not enough. A test sends both. For
// problems that are not about a command, both are requests.
type explanation struct {
	Code    diag.Code
	Meaning string
	Bad     string
	Remedy  string
	Mended  string
}

// Status returns the HTTP status of the error.
func (e explanation) Status() int { return api.Status(e.Code) }

// Title returns what all problem documents with the code say.
func (e explanation) Title() string { return api.Title(e.Code) }

// problemTable has every code of problem documents. The pages under /problems/
// are made from it.
var problemTable = []explanation{
	{
		diag.CodeEmptyCommand,
		"The text is empty, or has nothing but white space and comments.",
		`# just a note`,
		"Paste the whole command, from the word curl on.",
		`curl https://example.com`,
	},
	{
		diag.CodeNotCurl,
		"The text is a command that does not run curl. Other programs, such as wget or httpie, have options of their own.",
		`wget https://example.com`,
		"Write the request as a curl command. A prompt, sudo, variables before the command and a path to curl are all understood.",
		`curl -O https://example.com`,
	},
	{
		diag.CodeUnterminatedQuote,
		"A shell would wait for more input, because a quote opens and the text ends before it closes. Often the end of the command was not copied.",
		`curl https://example.com -d 'a b`,
		`Close the quote. In single quotes an apostrophe is written '\''; from cmd.exe, where a single quote is an ordinary character, set shell to "cmd".`,
		`curl https://example.com -d 'a b'`,
	},
	{
		diag.CodeShellSyntax,
		"The text is not a command that a shell can read, so curl would never start.",
		`curl https://example.com ) -d a=1`,
		"Put characters that mean something to the shell between quotes.",
		`curl https://example.com ')' -d a=1`,
	},
	{
		diag.CodeUnknownOption,
		"curl would stop because it does not know the option. Long names must be written in full.",
		`curl --heder 'Accept: text/html' https://example.com`,
		"Correct the spelling; the hint has the closest name where there is one.",
		`curl --header 'Accept: text/html' https://example.com`,
	},
	{
		diag.CodeMissingArgument,
		"The option needs an argument and is the last word of the command. Often the end of the command was not copied.",
		`curl https://example.com -H`,
		"Give the option its argument, or leave it out.",
		`curl https://example.com -H 'Accept: text/html'`,
	},
	{
		diag.CodeInvalidArgument,
		"curl would refuse the argument: it is not a number where one is needed, or it lacks the form that the option requires.",
		`curl --max-time soon https://example.com`,
		"Give the option an argument of the form that its documentation names.",
		`curl --max-time 10 https://example.com`,
	},
	{
		diag.CodeConflictingOptions,
		"curl would refuse to do two things at once, such as sending data and a form, or sending data while asking for the header only.",
		`curl -d a=1 -F b=2 https://example.com`,
		"Keep the one that you mean.",
		`curl -F a=1 -F b=2 https://example.com`,
	},
	{
		diag.CodeNoURL,
		"curl would report that no URL is specified. Often an option that takes an argument has taken the URL.",
		`curl -X POST -d https://example.com`,
		"Add the URL, or give the option before it its argument.",
		`curl -X POST -d a=1 https://example.com`,
	},
	{
		diag.CodeInvalidURL,
		"curl would refuse the URL: it holds a space, an invalid port or an invalid host.",
		`curl 'https://example.com:99999/'`,
		"Correct the URL. A space in it is written %20.",
		`curl 'https://example.com:9999/'`,
	},
	{
		diag.CodeInternationalHost,
		"The host has letters beyond ASCII that stand for others, and one of those is a slash, a blank or another character that ends a host. curl asks for a host of that name; a URL cannot name it.",
		"curl https://ℂ℀.example.com",
		"Write the host in ASCII, or without the character.",
		`curl https://c.example.com`,
	},
	{
		diag.CodeUnsupportedScheme,
		"curl speaks many protocols. This service describes HTTP requests, so the URL must begin with http:// or https://.",
		`curl ftp://example.com/file`,
		"Use the HTTP address, if the server has one.",
		`curl https://example.com/file`,
	},
	{
		diag.CodeInvalidGlob,
		"curl takes [1-3] and {a,b} in a URL as several URLs, and cannot read a bracket or brace in this one.",
		`curl 'https://example.com/[1-'`,
		"Complete the range or list; or write --globoff, which makes brackets and braces ordinary characters.",
		`curl 'https://example.com/[1-1]'`,
	},
	{
		diag.CodeTooManyRequests,
		"Ranges and lists in the URL multiply, and this command makes more than 1,000 requests.",
		`curl 'https://example.com/[1-100]/[1-100]'`,
		"Ask for a smaller range.",
		`curl 'https://example.com/[1-1]'`,
	},
	{
		diag.CodeMultipleRequests,
		"The members method, url, headers and data describe one request, and this command sends more: it has several URLs, a range or list in the URL, --next, or there are several commands.",
		`curl https://example.com/a https://example.com/b`,
		"Use /api/parse, which lists them all, or send one command for each.",
		`curl https://example.com/a`,
	},
	{
		diag.CodeFileNotSupplied,
		"The request depends on the content of a file that the command names. The service never reads files of its own.",
		`curl -d @body.json https://example.com`,
		"Send the content in files, under the name that the command uses; on the command line, name a folder with -files. Send content that is not text as base64.",
		`{"curl": "curl -d @body.json https://example.com", "files": {"body.json": "{\"a\": 1}"}}`,
	},
	{
		diag.CodeStdinNotSupplied,
		"The request depends on what the command would read from its standard input.",
		`curl -d @- https://example.com`,
		"Send it in stdin, or as a here-document in the text.",
		`{"curl": "curl -d @- https://example.com", "stdin": "a=1"}`,
	},
	{
		diag.CodeBinaryBody,
		"The member data has the body as a string, and this body has bytes that are not UTF-8, so a string cannot represent it.",
		`curl --data-binary $'\xff\xfe' https://example.com`,
		"Use /api/parse, which gives the body as base64, or send text.",
		`curl --data-binary 'text' https://example.com`,
	},
	{
		diag.CodeVariable,
		"curl would refuse what --variable sets or an --expand- option asks for: the variable does not exist, or has no such function.",
		`curl --expand-url 'https://example.com/{{id:shout}}' --variable id=7`,
		"Set the variable with --variable before it is used, and use the functions that curl has: trim, json, url, b64, 64dec.",
		`curl --variable id=7 --expand-url 'https://example.com/{{id:trim}}'`,
	},
	{
		diag.CodeRequestTarget,
		"With --request-target curl asks the host of the URL for another target than the URL's path, such as the * of an OPTIONS request. The members method, url, headers and data cannot represent it.",
		`curl -X OPTIONS --request-target '*' https://example.com`,
		"Use /api/parse, which has a member requestTarget, or put the path into the URL.",
		`curl -X OPTIONS https://example.com/`,
	},
	{
		diag.CodeComputedAuth,
		"curl computes the field Authorization of its first request when it sends it: from the clock (--aws-sigv4), or in the exchange with the server (--ntlm, --negotiate). The members method, url, headers and data would be a request without credentials. As a warning, the code says that curl sends the request without credentials first, and again when the server asks for them (--digest, --anyauth).",
		`curl --aws-sigv4 aws:amz:us-east-1:s3 -u id:secret https://example.com`,
		"Use /api/parse, whose member auth has the scheme and its parameters, or /api/code, whose programs sign.",
		`curl -u id:secret https://example.com`,
	},
	{
		diag.CodeCannotExpress,
		"A program in that language, with that client, would send another request than curl: the client lacks something that the command needs, such as Digest authentication, a body with GET, or a field that it sets itself.",
		`{"curl": "curl --digest -u user:secret https://example.com", "target": "rust"}`,
		"Choose a target whose client can, such as the one that the hint names.",
		`{"curl": "curl --digest -u user:secret https://example.com", "target": "python"}`,
	},
	{
		diag.CodeUnknownTarget,
		"Programs are written for a language with a client, and there is none of that name. GET /api/targets lists them, with their aliases.",
		`{"curl": "curl https://example.com", "target": "pyton"}`,
		"Use a name or an alias of the list.",
		`{"curl": "curl https://example.com", "target": "python"}`,
	},
	{
		diag.CodeTooLarge,
		"The text is short, but its expansion is not: files, variables and globs repeat so much of it that the conversion or its answer would exceed a limit: 16 bytes of memory for each byte of the text and 16 MiB, and 16 MiB for the answer, unless the operator has set others. Here a body of 100,000 bytes goes to 1,000 URLs.",
		`curl --variable a=0123456789 --expand-variable 'a={{a}}{{a}}{{a}}{{a}}{{a}}{{a}}{{a}}{{a}}{{a}}{{a}}' --expand-variable 'a={{a}}{{a}}{{a}}{{a}}{{a}}{{a}}{{a}}{{a}}{{a}}{{a}}' --expand-variable 'a={{a}}{{a}}{{a}}{{a}}{{a}}{{a}}{{a}}{{a}}{{a}}{{a}}' --expand-variable 'a={{a}}{{a}}{{a}}{{a}}{{a}}{{a}}{{a}}{{a}}{{a}}{{a}}' --expand-data '{{a}}' 'https://example.com/[1-1000]'`,
		"Ask for fewer requests at a time, or for smaller ones.",
		`curl --variable a=0123456789 --expand-data '{{a}}' https://example.com/1`,
	},
	{
		diag.CodeTooMuchWork,
		"The text is short, but reading it takes more steps than one conversion may take: a tenth of a second's for a text of less than 64 kB, and never more than a second's. Here braces make 9,999 words, and each has 200 variables to look up.",
		"E=; curl https://example.com -d {1..9999}" + strings.Repeat("$E", 200),
		"Send the commands in parts, or write out what loops and braces expand to.",
		`curl https://example.com -d 1`,
	},
	{
		diag.CodeNestedTooDeep,
		"A form part holds other parts, those hold others, and so on, deeper than the limit, which is 64 unless the operator has set another. The limit for commands of a script within each other is 400.",
		"curl" + strings.Repeat(" -F 'a=('", 65) + " https://example.com",
		"Nest fewer parts in each other, and close each with =) where it ends.",
		`curl -F 'a=(' -F b=1 -F '=)' https://example.com`,
	},
	{
		api.CodeBadRequest,
		"The path does not accept the content: invalid JSON, text after its end, a member twice or of the wrong type, or an unknown value of a query parameter. The detail names the fault, and offset is its position in bytes.",
		`curl http://127.0.0.1:8080/api/convert -H 'Content-Type: application/json' -d '{"curl": 5}'`,
		"Send an object with the member curl. A command need not be a JSON string: it can be sent as text/plain.",
		`curl http://127.0.0.1:8080/api/convert -H 'Content-Type: application/json' -d '{"curl": "curl https://example.com"}'`,
	},
	{
		api.CodeUnauthorized,
		"The operator of the service has set tokens, and the request has none of them.",
		`curl http://127.0.0.1:8080/api/convert -H 'Content-Type: text/plain' -d 'curl https://example.com'`,
		"Ask the operator for a token, and send it in the field Authorization.",
		`curl http://127.0.0.1:8080/api/convert -H "Authorization: Bearer $TOKEN" -H 'Content-Type: text/plain' -d 'curl https://example.com'`,
	},
	{
		api.CodeNotFound,
		"The service has no such path.",
		`curl http://127.0.0.1:8080/convert`,
		"Use one of the paths that /openapi.yaml lists.",
		`curl http://127.0.0.1:8080/openapi.yaml`,
	},
	{
		api.CodeCrossOrigin,
		"A browser sent the request for a web page of another origin. Such a page could use a service that only its visitor can reach, so the service refuses the request.",
		`curl http://127.0.0.1:8080/api/convert -H 'Origin: https://app.example.com' -d 'curl https://example.com'`,
		"Ask the operator to name the origin of the page in -cors-origins. Programs that are not browsers send no Origin and no Sec-Fetch-Site.",
		`curl http://127.0.0.1:8080/api/convert -d 'curl https://example.com'`,
	},
	{
		api.CodeMisdirected,
		"The Host of the request is none of those that the service answers for. On the machine of its user the service answers for localhost and loopback addresses only: a web page can make its own name resolve to such an address (DNS rebinding), and a browser would then take the service for a part of that page.",
		`curl http://127.0.0.1:8080/api/convert -H 'Host: app.example.com' -d 'curl https://example.com'`,
		"Ask for http://localhost:8080 or, behind a proxy that passes another Host on, have the operator name that host in -hosts.",
		`curl http://localhost:8080/api/convert -d 'curl https://example.com'`,
	},
	{
		api.CodeMethodNotAllowed,
		"The path exists, but not with this method; the Allow field of the answer lists its methods.",
		`curl http://127.0.0.1:8080/api/convert`,
		"Send commands with POST.",
		`curl http://127.0.0.1:8080/api/convert -H 'Content-Type: text/plain' -d 'curl https://example.com'`,
	},
	{
		api.CodeRequestTimeout,
		"The content of the request did not arrive within the time that the service allows.",
		`(sleep 60; echo 'curl https://example.com') | curl -T - -X POST http://127.0.0.1:8080/api/convert -H 'Content-Type: text/plain'`,
		"Send the content in one go. A batch may last for an hour while lines keep coming, unless the operator has set another time.",
		`curl http://127.0.0.1:8080/api/batch -H 'Content-Type: application/x-ndjson' --data-binary @lines.ndjson`,
	},
	{
		api.CodeTooLarge,
		"The content, or a line of a batch, is larger than the limit, which is 1 MiB unless the operator has set another.",
		`curl http://127.0.0.1:8080/api/convert -H 'Content-Type: text/plain' --data-binary @disk.img`,
		"Send a smaller command or smaller files. Many commands go to /api/batch, where the limit holds for each line and not for the whole.",
		`curl http://127.0.0.1:8080/api/convert -H 'Content-Type: text/plain' --data-binary @command.txt`,
	},
	{
		api.CodeURITooLong,
		"The path and query of the request are longer than the limit, which is 8 KiB unless the operator has set another. Nothing here needs more than a hundred bytes.",
		`curl -G http://127.0.0.1:8080/api/convert --data-urlencode curl@command.txt`,
		"Send the command as the content of a POST.",
		`curl http://127.0.0.1:8080/api/convert -H 'Content-Type: text/plain' --data-binary @command.txt`,
	},
	{
		api.CodeUnsupportedMediaType,
		"The path does not accept the Content-Type of the request, or the content is compressed.",
		`curl http://127.0.0.1:8080/api/convert -H 'Content-Type: application/xml' -d 'curl https://example.com'`,
		"Name the type of the content: application/json for an object, text/plain for a command, application/x-ndjson for a batch. Content that begins with { is an object in any case.",
		`curl http://127.0.0.1:8080/api/convert -H 'Content-Type: text/plain' -d 'curl https://example.com'`,
	},
	{
		api.CodeRateLimited,
		"Requests come from this client, or from all that share its address, more often than the operator allows.",
		`for i in $(seq 1000); do curl http://127.0.0.1:8080/api/convert -H 'Content-Type: text/plain' -d 'curl https://example.com'; done`,
		"Wait for the number of seconds in Retry-After. Send many commands in one batch, which is read as fast as the limit allows.",
		`curl --retry 5 http://127.0.0.1:8080/api/convert -H 'Content-Type: text/plain' -d 'curl https://example.com'`,
	},
	{
		diag.CodeInvalidHAR,
		"The text is a HAR file, or a part of one, that breaks the rules of the format: it is not JSON, or a member is missing or of the wrong kind. Often the file is cut off.",
		`{"curl": "{\"log\": {\"entries\": [{\"response\": {}}]}}"}`,
		"Save the file again. To leave out a broken entry, name the one that is wanted in the member entry.",
		`{"curl": "{\"log\": {\"entries\": [{\"request\": {\"method\": \"GET\", \"url\": \"https://example.com\"}}]}}"}`,
	},
	{
		diag.CodeInvalidHTTP,
		"The text begins as an HTTP request does, and goes on otherwise. Often the empty line before the content is missing, or a line is broken in two.",
		"GET / HTTP/1.1\nHost: example.com\n{\"a\": 1}",
		"Write each header field in a line of its own, and an empty line before the content.",
		"POST / HTTP/1.1\nHost: example.com\n\n{\"a\": 1}",
	},
	{
		diag.CodeInvalidFetch,
		"The text is a call of fetch that JavaScript or fetch itself would refuse, or with which fetch would not send what is meant.",
		`fetch("https://example.com", {method: "POST", body: {"a": 1}})`,
		"Correct the call. An object needs JSON.stringify around it; a content needs a method that takes one.",
		`fetch("https://example.com", {method: "POST", body: JSON.stringify({"a": 1})})`,
	},
	{
		diag.CodeInvalidHTTPFile,
		"The text is a file of requests for the HTTP client of an editor, and has a line that none of these clients can send: a field without a colon, a request line of another protocol, text beside the content of a file.",
		"### first\nGET https://example.com/\nAccept text/html",
		"Write each header field with a colon, an empty line before the content, and ### between two requests.",
		"### first\nGET https://example.com/\nAccept: text/html",
	},
	{
		diag.CodeInvalidPostman,
		"The text is a collection of Postman, or a request of one, that breaks the rules of the format: it is not JSON, a request has no URL, or no file is chosen for a part of a form. Often the file is cut off.",
		`{"curl": "{\"info\": {}, \"item\": [{\"request\": {\"method\": \"GET\"}}]}"}`,
		"Export the collection again, as Collection v2.1. To leave out a broken request, name the one that is wanted in the member entry.",
		`{"curl": "{\"info\": {}, \"item\": [{\"request\": {\"method\": \"GET\", \"url\": \"https://example.com\"}}]}"}`,
	},
	{
		diag.CodeInvalidHTTPie,
		"The text is a command of HTTPie that HTTPie refuses, or whose request no command of curl sends, such as JSON with the content of a file.",
		"http example.com name",
		"Correct the item or the option. Where curl cannot send the request, write the content out.",
		"http example.com name=Ann",
	},
	{
		diag.CodeNotData,
		"The text is a program: a variable, a call or a condition decides what it sends. Nothing is run here, so only literals are known, and what JSON.stringify, URLSearchParams, Headers, btoa and encodeURIComponent make of them.",
		`fetch(url)`,
		"Write the values in place of the variables, or copy the request from the browser.",
		`fetch("https://example.com")`,
	},
	{
		diag.CodeUnknownEntry,
		"The member entry names a request that the file does not have, or the text is no file of several requests.",
		`{"curl": "{\"method\": \"GET\", \"url\": \"https://example.com\"}", "entry": 2}`,
		"Entries are counted from 1. The full description without the member entry has all of them.",
		`{"curl": "{\"method\": \"GET\", \"url\": \"https://example.com\"}", "entry": 1}`,
	},
	{
		api.CodeHeaderTooLarge,
		"The header of the request to this service is larger than the limit, which is 16 KiB unless the operator has set another. The header fields of the pasted command do not count, because they are content.",
		`curl http://127.0.0.1:8080/healthz -H @large.txt`,
		"Leave out cookies and other fields that this service does not read.",
		`curl http://127.0.0.1:8080/healthz`,
	},
	{
		diag.CodeInternal,
		"uncoil has a fault, which this command or request brings out. It may be correct.",
		`curl http://127.0.0.1:8080/api/convert -H 'Content-Type: application/json' -d '…'`,
		"Report it: to the operator, with the X-Request-Id of the answer, or to the authors, with a command that shows it, without its secrets. Other requests are not affected.",
		`curl -i http://127.0.0.1:8080/healthz`,
	},
	{
		api.CodeOverloaded,
		"Too many connections, requests, conversions or batches are in flight, or they fill the memory reserved for them. The detail names the limit.",
		`seq 10000 | xargs -P 2000 -I{} curl http://127.0.0.1:8080/api/convert -H 'Content-Type: text/plain' --data-binary @command.txt`,
		"Send the request again after the time that Retry-After names, and fewer at once.",
		`curl --retry 3 http://127.0.0.1:8080/api/convert -H 'Content-Type: text/plain' --data-binary @command.txt`,
	},
	{
		api.CodeUnavailable,
		"The service is about to stop. In a batch, the line with this error is the first that has no answer.",
		`curl http://127.0.0.1:8080/readyz`,
		"Send the request again after the time that Retry-After names; another instance may answer it. Of a batch, send the line with this error and those after it.",
		`curl --retry 3 http://127.0.0.1:8080/readyz`,
	},
}
