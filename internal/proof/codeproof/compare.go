package codeproof

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/proof/oracle"
	"uncoil/request"
)

// A Verdict says how what a program sent compares with what curl sent.
type Verdict uint8

// The verdicts, from the best to the worst.
const (
	Identical  Verdict = iota // curl's bytes; the case and the order of field names are free
	Equivalent                // spelled otherwise
	Wrong                     // another request
	Fails                     // no request, or the program does not end well
)

// String returns the verdict as tables have it.
func (v Verdict) String() string {
	return [...]string{"identical", "equivalent", "wrong", "does not run"}[v]
}

// A Client is what the comparison must know of the program.
type Client struct {
	Adds    []string // fields that the client adds by itself
	After   []string // what it does otherwise than curl when it is redirected: "cookies", "fails", "head", "method", "posts", "referer"
	Unasked []string // challenges that it does not answer as curl does: "basic", "unqualified", "sha-256"
	Fails   bool     // it ends with an error where -f asks for that
	Code    string   // the program
}

// failed is curl's exit status for a response with an error, where -f asks for it.
const failed = 22

// Judge compares a run of a program with curl's run of the command that asks
// for the requests.
func (c *Client) Judge(requests []request.Request, curl, program *Run) (Verdict, string) {
	verdict, reason := Identical, ""
	if len(curl.Requests) > 0 && slices.ContainsFunc(c.Unasked, func(challenge string) bool { return strings.HasPrefix(curl.Requests[0].Target, "/"+challenge+"/") }) {
		return Equivalent, ""
	}
	for i := range min(len(curl.Requests), len(program.Requests)) {
		d := difference{client: c, requests: requests, request: &requests[min(i, len(requests)-1)],
			redirected: i > 0 && redirectPattern.MatchString(curl.Requests[i-1].Target)}
		d.compare(&curl.Requests[i], &program.Requests[i])
		if d.verdict > verdict {
			verdict, reason = d.verdict, d.reason
		}
	}
	switch got, want := len(program.Requests), len(curl.Requests); {
	case verdict == Wrong:
	case got == want && want > 0 && slices.Contains(c.After, "fails") && redirectPattern.MatchString(curl.Requests[want-1].Target):
	case got == 0 && want > 0 || program.Exit != 0 && curl.Exit == 0:
		return Fails, fmt.Sprintf("%d of %d requests, exit status %d: %s", got, want, program.Exit, strings.TrimSpace(program.Output))
	case c.Fails && program.Exit == 0 && curl.Exit == failed:
		return Wrong, "the program ends well, and curl with 22"
	case got != want:
		return Wrong, fmt.Sprintf("%d requests, curl sent %d", got, want)
	}
	return verdict, reason
}

// A difference is the worst difference between two requests.
type difference struct {
	client     *Client
	requests   []request.Request // all of the command
	request    *request.Request  // the one that is compared
	redirected bool              // the request before it was answered with a redirect
	want       *oracle.Request
	got        *oracle.Request
	verdict    Verdict
	reason     string
}

// excused reports what the client is known to do otherwise, because the request
// was redirected.
func (d *difference) excused(what string) bool {
	return d.redirected && slices.Contains(d.client.After, what)
}

// found notes a difference.
func (d *difference) found(v Verdict, what, want, got string) {
	if v > d.verdict {
		d.verdict, d.reason = v, fmt.Sprintf("%s is %q, curl sent %q", what, got, want)
	}
}

func (d *difference) compare(want, got *oracle.Request) {
	d.want, d.got = want, got
	switch {
	case d.option("keepMethod") && d.excused("method"),
		want.Method == "GET" && got.Method == "POST" && d.excused("posts"),
		want.Method == "HEAD" && got.Method == "GET" && d.excused("head"):
		return
	}
	if want.Method != got.Method {
		d.found(Wrong, "the method", want.Method, got.Method)
	}
	if want.Target != got.Target {
		v := Wrong
		if canonicalTarget(want.Target) == canonicalTarget(got.Target) {
			v = Equivalent
		}
		d.found(v, "the target", want.Target, got.Target)
	}
	for _, name := range names(want, got) {
		d.compareField(name, want.Values(name), got.Values(name))
	}
	if a := d.request.Auth; a != nil && answers(want, a.Password) && !answers(got, a.Password) {
		d.found(Wrong, "the answer for Digest", "right", "of another password")
	}
	d.compareBody(want, got)
	if got.Truncated && !want.Truncated {
		d.found(Wrong, "the content", "whole", "cut off")
	}
}

// framing are the fields that say where the content ends and how the
// connection goes on, which is between a client and its server.
var framing = []string{"content-length", "transfer-encoding", "expect", "connection", "keep-alive", "proxy-connection"}

// defaults are the fields that curl adds by itself and nobody needs.
var defaults = append([]string{"user-agent", "accept"}, framing...)

// names returns the names of all fields of two requests that can be compared,
// in small letters.
func names(requests ...*oracle.Request) []string {
	var names []string
	for _, r := range requests {
		for _, line := range r.Lines {
			name, _, _ := strings.Cut(line, ":")
			if name = strings.ToLower(name); !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// unasked reports whether a field is one that curl adds by itself.
func (d *difference) unasked(name string) bool { return !asks(d.request, name) }

// asks reports whether the command gives a field to a request.
func asks(r *request.Request, name string) bool {
	i := slices.IndexFunc(r.Fields, func(f request.Field) bool { return ascii.EqualFold(f.Name, name) })
	return i >= 0 && r.Fields[i].Origin != request.OriginDefault
}

// sets reports whether the program sets a field more often than requests ask for
// it or remove it, so also where none does.
func (d *difference) sets(name string) bool {
	asked := 0
	for i := range d.requests {
		removes := slices.ContainsFunc(d.requests[i].Removed, func(s string) bool { return ascii.EqualFold(s, name) })
		if removes || asks(&d.requests[i], name) {
			asked++
		}
	}
	return d.client.names(name) > asked
}

// signingTime finds the fields with the time of a signature of AWS.
var signingTime = regexp.MustCompile(`^x-(amz|aws)-date$`)

// compareField compares the values of the fields with one name.
func (d *difference) compareField(name string, want, got []string) {
	removed := slices.ContainsFunc(d.request.Removed, func(s string) bool { return ascii.EqualFold(s, name) })
	switch {
	case slices.Equal(want, got):
	case name == "cookie" && d.excused("cookies") && slices.Equal(want, withoutGiven(got)):
	case name == "referer" && d.excused("referer") && !d.option("autoReferer"):
	case name == "content-type" && d.redirected && len(got) == 0 && len(d.got.Body) == 0 && len(d.want.Body) == 0:
		d.found(Equivalent, name, strings.Join(want, " "), "") // curl keeps what -H sets
	case name == "content-length" && len(got) == 0 && slices.Equal(want, []string{"0"}) && (d.want.Method == "GET" || d.want.Method == "HEAD"):
		d.found(Equivalent, name, "0", "") // neither has content: RFC 9110, section 8.6
	case name == "transfer-encoding" && len(got) == 0 && d.probes():
		d.found(Equivalent, name, strings.Join(want, " "), "") // no content in chunks is none
	case signingTime.MatchString(name) && d.unasked(name) && d.request.Auth != nil && len(want) == len(got):
	case name == "accept-encoding" && d.compressed():
		d.found(Equivalent, name, strings.Join(want, " "), strings.Join(got, " "))
	case name == "connection" && namesTE(want) && namesTE(got):
	case name == "host", name == "connection" && namesTE(want):
		d.found(Wrong, name, strings.Join(want, " "), strings.Join(got, " "))
	case len(want) > 0 && !(d.unasked(name) && slices.Contains(defaults, name)):
		v := Wrong
		if len(got) > 0 && canonicalField(name, want) == canonicalField(name, got) {
			v = Equivalent
		}
		if v == Equivalent && boundary(want) != "" && boundary(got) != "" {
			v = Identical // each client makes a boundary of its own
		}
		d.found(v, name, strings.Join(want, " | "), strings.Join(got, " | "))
	case name == "content-type" && len(want) == 0 && len(d.got.Body) == 0 && len(d.want.Body) == 0:
		d.found(Equivalent, name, "", strings.Join(got, " | "))
	case len(got) == 0, slices.Contains(framing, name) && (!removed || len(want) > 0):
	case !removed && d.client.adds(name) && !d.sets(name):
	default:
		d.found(Wrong, name, strings.Join(want, " | "), strings.Join(got, " | "))
	}
}

// probes reports whether the requests have no content because they only ask for a
// challenge of Digest.
func (d *difference) probes() bool {
	return d.request.Auth != nil && d.request.Auth.Scheme == "digest" && len(d.want.Body) == 0 && len(d.got.Body) == 0
}

// namesTE reports whether values of Connection name the field TE, which is for the
// next server only and means nothing otherwise.
func namesTE(values []string) bool {
	tokens := strings.FieldsFunc(strings.Join(values, ","), func(r rune) bool { return r == ',' || r == ' ' })
	return slices.ContainsFunc(tokens, func(s string) bool { return ascii.EqualFold(s, "TE") })
}

// withoutGiven returns the values of fields Cookie without the cookie that
// [Server] gives.
func withoutGiven(values []string) (kept []string) {
	for _, value := range values {
		pairs := slices.DeleteFunc(strings.Split(value, "; "), func(s string) bool { return s == "given=1" })
		if len(pairs) > 0 {
			kept = append(kept, strings.Join(pairs, "; "))
		}
	}
	return kept
}

// names counts how often the program sets a field: a string in it ends with the
// name, and not with a word such as "NOTE" for TE.
func (c *Client) names(field string) int {
	return len(regexp.MustCompile(`(?i)\b`+regexp.QuoteMeta(field)+`"`).FindAllString(c.Code, -1))
}

func (c *Client) adds(name string) bool {
	return slices.ContainsFunc(c.Adds, func(s string) bool { return ascii.EqualFold(s, name) })
}

// compressed reports whether Accept-Encoding comes from --compressed, which
// leaves the choice to the client.
func (d *difference) compressed() bool {
	return d.unasked("Accept-Encoding") && d.option("compressed")
}

// option reports whether the command has an option.
func (d *difference) option(name string) bool {
	return slices.ContainsFunc(d.request.Options, func(o request.Option) bool { return o.Name == name })
}

// canonicalField returns a spelling that fields with the same meaning share.
func canonicalField(name string, values []string) string {
	value := strings.Join(values, ",")
	switch name {
	case "cookie":
		pairs := strings.Split(strings.ReplaceAll(value, ",", ";"), ";")
		for i := range pairs {
			pairs[i] = strings.TrimSpace(pairs[i])
		}
		slices.Sort(pairs)
		return strings.Join(slices.DeleteFunc(pairs, func(s string) bool { return s == "" }), ";")
	case "user-agent":
		return strings.Join(values, "\n") // a list is another value: RFC 9110, section 5.3
	case "content-type":
		value = strings.ToLower(strings.Join(values, "\n")) // as for User-Agent
		value, _, _ = strings.Cut(value, "boundary=")
		value = strings.NewReplacer(" ", "", "charset=utf-8", "").Replace(value)
		return strings.Trim(value, ";")
	case "authorization":
		if scheme, parameters, _ := strings.Cut(value, " "); ascii.EqualFold(scheme, "Digest") {
			return "Digest " + digestUser(parameters)
		}
		if signed, _, found := strings.Cut(value, ", Signature="); found {
			return signed // with the time
		}
	}
	if strings.HasPrefix(name, "accept") { // blanks around parameters mean nothing: RFC 9110, section 5.6.6
		value = strings.ReplaceAll(value, ";", " ; ")
	}
	return strings.Join(strings.Fields(strings.ReplaceAll(value, ",", " , ")), " ")
}

// canonicalTarget returns a spelling that targets with the same meaning share:
// no percent-encoding where none is needed, + for a blank, no empty query.
func canonicalTarget(target string) string {
	path, query, _ := strings.Cut(target, "?")
	canonical := ""
	for segment := range strings.SplitSeq(path, "/") {
		canonical += fmt.Sprintf("/%q", unescape(segment))
	}
	if query != "" {
		canonical += "?"
		for pair := range strings.SplitSeq(query, "&") {
			name, value, _ := strings.Cut(pair, "=")
			canonical += fmt.Sprintf("%q=%q&", unescape(strings.ReplaceAll(name, "+", " ")), unescape(strings.ReplaceAll(value, "+", " ")))
		}
	}
	return canonical
}

// unescape decodes percent-encoding; what is none stays.
func unescape(s string) string {
	var b []byte
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			var c byte
			if n, err := fmt.Sscanf(strings.ToLower(s[i+1:i+3]), "%02x", &c); n == 1 && err == nil {
				b = append(b, c)
				i += 2
				continue
			}
		}
		b = append(b, s[i])
	}
	return string(b)
}
