package oracle

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine"
	"uncoil/request"
)

// mentions reports an option on the command line or in a file for -K.
func (s Setup) mentions(command, option string) bool {
	if strings.Contains(command, option) || bytes.Contains(s.Stdin, []byte(option)) {
		return true
	}
	for _, content := range s.Files {
		if bytes.Contains(content, []byte(option)) {
			return true
		}
	}
	return false
}

// compare returns how uncoil's reading of a command differs from what curl
// did, or "". skipped is the reason why the two are not comparable.
func compare(command string, setup Setup, got Result, version Version) (difference, skipped string) {
	in := setup.Input()
	result, err := engine.Parse(command, in)
	var sent []Request
	for _, r := range got.Requests {
		if !r.IsTunnel() && strings.HasPrefix(r.Proto, "HTTP/1") {
			sent = append(sent, r)
		}
	}
	if version.Compare(modelled) < 0 && (got.Exit == 2 || got.Exit == 0) && len(sent) == 0 {
		return "", "accepted since"
	}
	if reason := changedSince(version, result, err, setup, command); reason != "" {
		return "", reason
	}
	if setup.mentions(command, "–X") {
		return "", string(diag.WarnUnicodeDash)
	}
	if setup.mentions(command, "encoder=7bit") {
		return "", "7bit" // curl may have sent a part before it meets what it cannot encode
	}
	if got.Exit == 2 && setup.mentions(command, "netrc-file") {
		return "", "file" // must exist, used or not
	}
	// Of several errors only the first one tells.
	if namesNoHost(result, err) || err != nil && (strings.Contains(command, "\u00a0") || strings.Contains(command, `\xc2\xa0`)) {
		return "", "international host"
	}
	if err != nil {
		sent = slices.DeleteFunc(sent, toNoHost)
		if (got.Exit == 26 || got.Exit == 18) && len(sent) > 0 { // reading a file failed when a probe was sent already
			return "", "read error"
		}
		if len(sent) > 0 && !isUnsupported(err) {
			return fmt.Sprintf("curl sent %d requests (exit %d), uncoil refuses: %v", len(sent), got.Exit, err), ""
		}
		return "", ""
	}
	if len(sent) == 0 && got.Exit != 0 && readAsMeant(result) {
		return "", ""
	}
	if reason := incomparable(result); reason != "" {
		return "", reason
	}
	sent = dropUnfinished(sent, got, result)
	if len(sent) != len(result.Requests) {
		sent = slices.DeleteFunc(sent, toNoHost)
	}
	if reason := obscured(command, setup, sent, got, result); reason != "" {
		return "", reason
	}
	if len(sent) != len(result.Requests) {
		return fmt.Sprintf("curl sent %d requests (exit %d: %s), uncoil says %d", len(sent), got.Exit, lastLine(got.Stderr), len(result.Requests)), ""
	}
	for i := range sent {
		if d := compareRequest(&sent[i], &result.Requests[i], version); d != "" {
			return fmt.Sprintf("request %d: %s", i+1, d), ""
		}
	}
	return "", ""
}

// obscured names what keeps the requests that curl sent from being compared, or returns
// "".
func obscured(command string, setup Setup, sent []Request, got Result, result *engine.Result) string {
	switch {
	case strings.Contains(got.Stderr, "nested brace"): // in a URL that fails for another reason, too
		return string(diag.WarnPlaceholder)
	case strings.Contains(got.Stderr, "error encountered when reading a file"): // of -w
		return "file"
	case strings.Contains(got.Stderr, "Failed to open/read local data"): // of a form, before its URL is looked at
		return "file"
	case got.Exit == 26 && strings.HasPrefix(result.Requests[0].URL, "ws"): // a file of a form that is not sent
		return "file"
	case setup.mentions(command, "fail-early") && warnsOf(result, diag.CodeUnsupportedScheme): // there is no such server here
		return "other protocol"
	case setup.mentions(command, "wdebug"), setup.mentions(command, "test-event"), setup.mentions(command, "test-duphandle"):
		return "debug option" // which this build of curl has not
	case got.Exit == 23: // a file to write to could not be opened
		return "output"
	case got.Exit == 27: // curl ran into a fault of its own
		return "curl fails"
	case len(result.Requests) > 1 && slices.ContainsFunc(result.Requests, func(r request.Request) bool { return setsLength(&r) || isEndless(&r) }):
		return "false length" // the next request on the connection is garbled
	case resumesOutput(sent, result):
		return "output" // of one transfer is what the next one resumes
	case usesDNSOverHTTP(result):
		return "DNS over HTTPS" // which makes requests of its own
	case repeatsNegotiation(result):
		return "repeated negotiation"
	case got.Exit == 97 || strings.Contains(got.Stderr, "curl: (97)"): // a SOCKS proxy cannot take this address
		return "proxy"
	case got.Exit == 26 && len(sent) > 0: // reading a file failed half-way
		return "read error"
	case strings.Contains(command, `\x0a`) && len(sent) > 0: // in a header: what follows it is garbled
		return "line break"
	case got.Exit == 52: // the recorder could not read the request
		return "garbled"
	case strings.Contains(got.Stderr, "does not support this"), got.Exit == 2 && setup.mentions(command, "stderr"): // which says so elsewhere
		return "build of curl"
	case lacksFile(result):
		return "file" // whose content would decide
	}
	return ""
}

// incomparable names a difference that is kept on purpose (see
// docs/semantics.md), if the command has one.
func incomparable(result *engine.Result) string {
	for _, r := range result.Requests {
		if strings.ContainsAny(r.Method, " \t") {
			return "method"
		}
	}
	for _, w := range result.Warnings {
		if w.Code == diag.WarnPlaceholder || w.Code == diag.WarnUnicodeQuote || w.Code == diag.WarnPastedNoise || w.Code == diag.WarnInvalidDate {
			return string(w.Code)
		}
	}
	return ""
}

// readAsMeant reports a command that uncoil takes curl to refuse, and reads as it is
// probably meant.
func readAsMeant(result *engine.Result) bool {
	return slices.ContainsFunc([]diag.Code{diag.CodeInvalidURL, diag.CodeInvalidGlob, diag.CodeUnknownOption, diag.CodeMissingArgument},
		func(code diag.Code) bool { return warnsOf(result, code) })
}

// namesNoHost reports a host that curl converts to something that no URL can
// name, which uncoil refuses on purpose.
func namesNoHost(result *engine.Result, err error) bool {
	var e *engine.Error
	return errors.As(err, &e) && e.Code == diag.CodeInternationalHost || err == nil && warnsOf(result, diag.CodeInternationalHost)
}

// toNoHost reports a request to such a host.
func toNoHost(r Request) bool {
	hosts := r.Values("Host")
	return len(hosts) == 0 || slices.ContainsFunc(hosts, func(host string) bool { // -H may have taken it out
		return host == "" || strings.ContainsAny(host, " /?#%@<>\\^`{|}")
	})
}

func warnsOf(result *engine.Result, code diag.Code) bool {
	return slices.ContainsFunc(result.Warnings, func(d diag.Diagnostic) bool { return d.Code == code })
}

// resumesOutput reports a request that resumes, with -C -, the file to which
// the request before it was written.
func resumesOutput(sent []Request, result *engine.Result) bool {
	for i := 1; i < min(len(sent), len(result.Requests)); i++ {
		toFile := slices.ContainsFunc(result.Requests[i].Options, func(o request.Option) bool { return o.Name == "output" })
		if toFile && !slices.Equal(sent[i].Values("Range"), sent[i-1].Values("Range")) {
			return true
		}
	}
	return false
}

func usesDNSOverHTTP(result *engine.Result) bool {
	for _, r := range result.Requests {
		if slices.ContainsFunc(r.Options, func(o request.Option) bool { return o.Name == "dohUrl" }) {
			return true
		}
	}
	return false
}

// repeatsNegotiation reports several requests that authenticate in an
// exchange: what belongs to which cannot be told on the wire.
func repeatsNegotiation(result *engine.Result) bool {
	n := 0
	for i := range result.Requests {
		if isNegotiated(&result.Requests[i]) {
			n++
		}
	}
	return n > 0 && len(result.Requests) > 1
}

// isUnsupported reports a URL that is not of HTTP. What curl sends for it may
// look like a request to the recorder.
func isUnsupported(err error) bool {
	var e *engine.Error
	return errors.As(err, &e) && e.Code == diag.CodeUnsupportedScheme
}

func lacksFile(result *engine.Result) bool {
	for _, w := range result.Warnings {
		if w.Code == diag.CodeFileNotSupplied {
			return true
		}
	}
	for _, r := range result.Requests {
		if r.Body != nil && lacksPart(r.Body.Parts) {
			return true
		}
	}
	return false
}

func lacksPart(parts []request.Part) bool {
	for i := range parts {
		if parts[i].File != "" && parts[i].Content == nil || lacksPart(parts[i].Parts) {
			return true
		}
	}
	return false
}

func lastLine(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return lines[len(lines)-1]
}

// dropUnfinished leaves out what curl sends on the way to a request, or of one
// that it breaks off.
func dropUnfinished(sent []Request, got Result, result *engine.Result) []Request {
	if warnsOf(result, diag.WarnStdinExhausted) || strings.Contains(got.Stderr, "of needed bytes read") {
		sent = slices.DeleteFunc(sent, func(r Request) bool { return r.Truncated })
	}
	return dropProbes(sent, result.Requests)
}

// dropProbes leaves out the requests that curl sends without content while
// it works out how to authenticate, when it sends the request again.
func dropProbes(sent []Request, wanted []request.Request) []Request {
	if len(sent) <= len(wanted) {
		return sent
	}
	var kept []Request
	for i, r := range sent {
		repeated := i+1 < len(sent) && sent[i+1].Method == r.Method && sameTarget(r.Target, sent[i+1].Target) &&
			slices.Equal(sent[i+1].Values("Host"), r.Values("Host"))
		if repeated && len(kept) < len(wanted) && isNegotiated(&wanted[len(kept)]) {
			sent[i+1].Head = r.Head // with the target as it was before the second try
			continue
		}
		kept = append(kept, r)
	}
	return kept
}

// sameTarget reports whether a request has the target of the one before it:
// in a URL that curl requests again, it escapes bytes beyond ASCII, with
// capitals, and drops an empty query.
func sameTarget(before, again string) bool {
	return again == before || unescape(again) == strings.TrimSuffix(unescape(before), "?")
}

func isNegotiated(r *request.Request) bool {
	return r.Auth != nil && r.Auth.Scheme != "basic" && r.Auth.Scheme != "bearer"
}

// boundaries matches what curl separates parts with, in any version.
var boundaries = regexp.MustCompile(`-{24}[0-9A-Za-z]{16,22}`)

// boundaryFor returns a boundary as long as those of a version, since the
// length of the content depends on it.
func boundaryFor(version Version) string {
	random := 22
	if version.Compare(Version{8, 4, 0}) < 0 {
		random = 16
	}
	return strings.Repeat("-", 24) + strings.Repeat("0", random)
}

// compareRequest compares what arrived with what uncoil says, rendered as
// HTTP: request line, header lines in order, content.
func compareRequest(sent *Request, want *request.Request, version Version) string {
	boundary := boundaryFor(version)
	raw, err := want.AppendMessage(nil, request.Source{Boundary: boundary})
	if err != nil {
		return "uncoil does not know the content of a file that was supplied"
	}
	head, body, _ := bytes.Cut(raw, []byte("\r\n\r\n"))
	lines := strings.Split(string(head), "\r\n")
	throughProxy := sent.Line() != originLine(sent.Line())
	got, wanted := originLine(sent.Line()), originLine(lines[0])
	hasContent, chunked := sent.Chunked || sent.Values("Content-Length") != nil, hasChunks(lines)
	if version.Compare(modelled) < 0 {
		got, wanted = plainPath(got), plainPath(wanted)
		sent.Lines, lines = withoutChanged(sent.Lines), withoutChanged(lines)
	}
	if throughProxy { // which gets the path as typed
		got, wanted = throughProxyLine(got), throughProxyLine(wanted)
	}
	if got != wanted {
		return fmt.Sprintf("request line\n  curl   %q\n  uncoil %q", got, wanted)
	}
	negotiated := isNegotiated(want)
	probe := negotiated && len(sent.Body) == 0 && len(body) > 0
	gotLines, ours := comparableLines(sent.Lines, negotiated, probe), comparableLines(lines[1:], negotiated, probe)
	if throughProxy || want.Target != "" { // a target of the user's hides the proxy
		gotLines = slices.DeleteFunc(gotLines, func(line string) bool { return isProxyHeader(want, line) })
	}
	for i := range max(len(gotLines), len(ours)) {
		a, b := at(gotLines, i), at(ours, i)
		if a != b {
			return fmt.Sprintf("header line %d\n  curl   %q\n  uncoil %q", i+1, a, b)
		}
	}
	if sent.Truncated || probe || setsLength(want) || !hasContent {
		return ""
	}
	if sent.Chunked || chunked && version.Compare(modelled) < 0 {
		body = dechunk(body)
	}
	content := boundaries.ReplaceAll(sent.Body, []byte(boundary))
	body = boundaries.ReplaceAll(body, []byte(boundary))
	if !bytes.Equal(content, body) {
		return fmt.Sprintf("content\n  curl   %q\n  uncoil %q", content, body)
	}
	return ""
}

// hasChunks reports whether the lines of a head announce content in chunks.
func hasChunks(lines []string) bool {
	return slices.ContainsFunc(lines, func(line string) bool { return strings.EqualFold(line, "Transfer-Encoding: chunked") })
}

// isProxyHeader reports a line that --proxy-header gave.
func isProxyHeader(r *request.Request, line string) bool {
	for _, o := range r.Options {
		if lines, ok := o.Value.([]string); ok && o.Name == "proxyHeaders" && slices.Contains(lines, line) {
			return true
		}
	}
	return false
}

// setsLength reports a Content-Length of the user's, which need not be true.
func setsLength(r *request.Request) bool {
	if r.Body != nil && slices.ContainsFunc(r.Removed, func(name string) bool { return strings.EqualFold(name, "Content-Length") }) {
		return true
	}
	for _, f := range r.Fields {
		if f.Origin == request.OriginUser && strings.EqualFold(f.Name, "Content-Length") {
			return true
		}
	}
	return false
}

// isEndless reports content that neither a length nor chunks end.
func isEndless(r *request.Request) bool {
	return r.Body != nil && !slices.ContainsFunc(r.Fields, func(f request.Field) bool {
		return strings.EqualFold(f.Name, "Content-Length") || strings.EqualFold(f.Name, "Transfer-Encoding")
	})
}

// throughProxyLine drops an empty query, which a proxy is not told of, and
// percent-encoding.
func throughProxyLine(line string) string {
	return strings.Replace(unescape(line), "? HTTP/", " HTTP/", 1)
}

// unescape decodes percent-encoding where it is well formed.
func unescape(s string) string {
	return escapes.ReplaceAllStringFunc(s, func(e string) string {
		b, _ := hex.DecodeString(e[1:])
		return string(b)
	})
}

var escapes = regexp.MustCompile("%[0-9a-fA-F]{2}")

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "(no line)"
}

// originLine takes scheme and host off the absolute form that a proxy gets.
var absoluteForm = regexp.MustCompile(`^(\S+ )[a-zA-Z]+://[^/?]*/?`)

func originLine(line string) string {
	method, rest, ok := strings.Cut(line, " ")
	if !ok || strings.HasPrefix(rest, "/") || !absoluteForm.MatchString(line) {
		return line
	}
	return method + " /" + line[len(absoluteForm.FindString(line)):]
}

// masked are fields whose value is random or depends on the build of curl.
var masked = []string{"HTTP2-Settings", "Sec-WebSocket-Key", "Accept-Encoding"}

// comparableLines leaves out what goes to a proxy, and masks what is random.
func comparableLines(lines []string, negotiated, probe bool) []string {
	var out []string
	for _, line := range lines {
		for _, line := range strings.Split(strings.ReplaceAll(line, "\r\n", "\n"), "\n") {
			name, value, _ := strings.Cut(line, ":")
			switch {
			case hasPrefixFold(name, "Proxy-"):
				continue
			case strings.EqualFold(name, "Authorization") && negotiated:
				continue
			case strings.EqualFold(name, "Referer") && negotiated:
				continue // -e ';auto' adds the URL of the first try
			case probe && (strings.EqualFold(name, "Content-Length") || strings.EqualFold(name, "Content-Type") || strings.EqualFold(name, "Expect")):
				continue
			case name == "User-Agent" && strings.HasPrefix(value, " curl/"):
				line = "User-Agent: curl"
			}
			if !strings.Contains(line, ":") {
				continue // after a line break within a header
			}
			for _, m := range masked {
				if strings.EqualFold(name, m) {
					line = m
				}
			}
			out = append(out, boundaries.ReplaceAllString(line, "BOUNDARY"))
		}
	}
	return out
}

func hasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

// dechunk takes the one chunk out of its frame.
func dechunk(b []byte) []byte {
	_, rest, ok := bytes.Cut(b, []byte("\r\n"))
	if !ok {
		return b
	}
	return bytes.TrimSuffix(bytes.TrimSuffix(rest, []byte("0\r\n\r\n")), []byte("\r\n"))
}
