package oracle

import (
	"bytes"
	"errors"
	"regexp"
	"slices"
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine"
	"uncoil/internal/engine/curlurl"
	"uncoil/internal/engine/meter"
	"uncoil/request"
)

// modelled is the curl that uncoil has the behaviour of. An older one is a
// judge only where nothing changed since.
var modelled = Version{8, 22, 0}

// lineEnds matches the options that have curl change the ends of lines.
var lineEnds = regexp.MustCompile(`--(crlf|use-ascii)| -[a-zA-Z]*B`)

// changedSince names what has changed between an older curl and the one that
// is modelled, if the command depends on it.
func changedSince(version Version, result *engine.Result, err error, setup Setup, command string) string {
	if version.Compare(modelled) >= 0 {
		return ""
	}
	var e *engine.Error
	if errors.As(err, &e) {
		switch e.Code {
		case diag.CodeInvalidArgument, diag.CodeConflictingOptions, diag.CodeUnknownOption, diag.CodeInvalidURL, diag.CodeNoURL, diag.CodeInvalidGlob,
			diag.CodeFileNotSupplied, diag.CodeVariable:
			return "refused since" // blank arguments, abbreviations, host names …
		case diag.CodeMissingArgument:
			if setup.mentions(command, "-K") || setup.mentions(command, "config") {
				return "refused since" // options without their argument in configuration files
			}
		}
		return ""
	}
	if err != nil {
		return ""
	}
	empty := strings.Contains(command, "''")
	for name, content := range setup.Files {
		if strings.ContainsAny(string(content), "\r\x00") || strings.Contains(name, "conf") {
			return "files are read differently" // lines that end in CR; configuration files
		}
		empty = empty || len(content) == 0
	}
	if bytes.ContainsAny(setup.Stdin, "\r\x00") {
		return "files are read differently"
	}
	switch {
	case strings.Contains(command, "-T") || strings.Contains(command, "upload-file"):
		return "uploads" // names of files, Expect, --crlf
	case strings.Contains(command, "-r") || strings.Contains(command, "--range"):
		return "ranges that are none"
	case strings.Contains(command, " @") || strings.Contains(command, " '@"):
		return "files of URLs"
	case empty && slices.ContainsFunc(result.Requests, func(r request.Request) bool { return r.Body != nil }):
		return "empty data" // had a & behind it
	case lineEnds.MatchString(command):
		return "line ends" // of content, and chunks for it
	case strings.Contains(command, ";'"):
		return "a header without a name"
	case strings.Contains(command, "netrc"):
		return "netrc"
	case strings.Contains(command, "@headers") || strings.Contains(command, " :"):
		return "header files and blanks in names"
	}
	for i := range result.Requests {
		if reason := changedRequest(&result.Requests[i]); reason != "" {
			return reason
		}
	}
	for _, w := range result.Warnings {
		switch w.Code {
		case diag.WarnPasswordPrompt:
			return "password prompt"
		case diag.CodeInvalidURL, diag.CodeInvalidArgument:
			return "refused since"
		}
	}
	if strings.Contains(command, ":@") || strings.Contains(command, "/@") || strings.Contains(command, " -u") || strings.Contains(command, "--user") {
		return "empty credentials" // were sent; and what the URL lacks was completed otherwise
	}
	return ""
}

// changedRequest names what has changed about a request.
func changedRequest(r *request.Request) string {
	scheme, _, _ := strings.Cut(strings.ToLower(r.URL), "://")
	if scheme != "http" && scheme != "https" {
		return "WebSocket, and FTP through a proxy"
	}
	if u, err := curlurl.Parse(r.URL, curlurl.PathAsIs, meter.New(0, meter.Limits{}, nil)); err != nil || strings.ContainsAny(u.Host, "[%") || strings.HasSuffix(u.Host, ".") {
		return "host names" // IPv6 zones, trailing dots
	}
	for _, o := range r.Options {
		switch o.Name {
		case "httpVersion", "proxy", "proxyTunnel", "output", "remoteName", "failEarly":
			return o.Name
		}
	}
	if r.Body == nil {
		return ""
	}
	switch {
	case r.Body.Kind == request.KindMultipart:
		return changedParts(r.Body.Parts)
	case strings.Contains(r.URL, "?&"):
		return "joined queries"
	}
	return ""
}

func changedParts(parts []request.Part) string {
	for i := range parts {
		p := &parts[i]
		if p.Encoder != "" || p.ContentType != nil && *p.ContentType == "" {
			return "form encoders and empty types"
		}
		if reason := changedParts(p.Parts); reason != "" {
			return reason
		}
	}
	return ""
}

// plainPath takes differences in spelling off a request line: the case of
// percent-encoding, encoded dots, and the & that joins queries.
func plainPath(line string) string {
	method, rest, _ := strings.Cut(line, " ")
	target, proto, _ := strings.Cut(rest, " HTTP/")
	path, query, _ := strings.Cut(unescape(target), "?")
	return method + " " + curlurl.RemoveDotSegments(path) + "?" + strings.ReplaceAll(query, "&", "") + " HTTP/" + proto
}

// trailingDot matches a dot after an IPv4 address.
var trailingDot = regexp.MustCompile(`\.(:\d+)?$`)

// withoutChanged leaves out the lines whose position or presence has changed.
func withoutChanged(lines []string) []string {
	var kept []string
	for _, line := range lines {
		name, _, _ := strings.Cut(line, ":")
		switch strings.ToLower(name) {
		case "expect", "connection", "upgrade", "te", "content-length", "transfer-encoding", "cookie":
			continue
		}
		if name == "Host" {
			line = trailingDot.ReplaceAllString(line, "$1")
		}
		kept = append(kept, strings.TrimRight(line, "\r"))
	}
	return kept
}
