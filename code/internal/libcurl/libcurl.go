package libcurl

import (
	"strconv"
	"strings"

	"uncoil/code/internal/plan"
	"uncoil/internal/engine/ascii"
)

// Libcurl is what libcurl does by itself, in whatever language it is used: it
// adds Accept, sends no User-Agent, takes dot segments out of paths unless told
// not to, and gives CURLOPT_POSTFIELDS the type of a form. Everything that curl
// can do has an option.
var Libcurl = plan.Client{
	Breaks:   true,
	Insists:  true,
	JarFiles: true,
	Loose:    true,
	Mixed:    true,
	Mime:     true,
	Stuck:    func(c *plan.Call) bool { return c.Content.Kind == plan.MultipartBody && c.TakesInput() }, // curl keeps what it has read
	Guesses:  true,
	Hostless: true,
	Schemes:  true,
	Loopback: true,
	Wire:     plan.Wire{Order: "*"},
	Adds:     plan.FieldNames{"Accept"},
	Target:   true,
	Digest:   true,
	Quotes:   true,
	Auths:    []string{"ntlm", "negotiate", "aws-sigv4", "any"},
	Proxies:  []string{"http", "https", "socks4", "socks4a", "socks5", "socks5h"},
	Versions: []string{"1.0", "1.1", "2", "h2c"},
}

// A CurlSetting is an option of libcurl with its value.
type CurlSetting struct {
	Option string // without CURLOPT_
	Kind   curlKind
	Word   string // of a flag, true or false; a number; a constant
	Value  plan.Text
	List   []plan.Text
}

type curlKind uint8

const (
	CurlFlag curlKind = iota
	CurlNumber
	CurlConstant
	CurlText
	CurlList
)

// CurlOptions are a call as options of libcurl.
type CurlOptions struct {
	C        *plan.Call
	Settings []CurlSetting
	Lacks    []string    // options that what wraps libcurl has no names for
	lines    []plan.Text // of CURLOPT_HTTPHEADER
}

func (r *CurlOptions) Flag(option, word string) {
	r.Settings = append(r.Settings, CurlSetting{Option: option, Word: word})
}

func (r *CurlOptions) number(option string, n int64) {
	r.Settings = append(r.Settings, CurlSetting{Option: option, Kind: CurlNumber, Word: strconv.FormatInt(n, 10)})
}

func (r *CurlOptions) constant(option, name string) {
	r.Settings = append(r.Settings, CurlSetting{Option: option, Kind: CurlConstant, Word: name})
}

func (r *CurlOptions) set(option string, value plan.Text) {
	r.Settings = append(r.Settings, CurlSetting{Option: option, Kind: CurlText, Value: value})
}

// Uploads reports a body that CURLOPT_UPLOAD streams from a file: one that curl
// sends without a content type of its own.
func (r *CurlOptions) Uploads() bool {
	if r.C.Content.Kind != plan.FileBody || r.C.Content.File.Source() == "-" {
		return false
	}
	f := r.C.Field("Content-Type")
	given := f != nil && !f.TypesContent() && r.C.Method == "PUT" && !r.C.Asked.Follow // of -H
	return given || r.C.Untyped() && !r.C.Removes("Content-Type")
}

// Streams reports a call whose content a wrapper reads once, where it cannot go back to the
// beginning of a file.
func Streams(c *plan.Call) bool {
	r := CurlOptions{C: c}
	return r.Uploads()
}

// SetMethod adds what chooses the method.
func (r *CurlOptions) SetMethod() {
	has := r.C.Content.Kind != plan.NoBody
	switch {
	case r.C.Method == "PUT" && r.Uploads() && !r.C.Asked.Follow:
	case r.C.KeepsMethod() && r.C.Method != "HEAD":
		r.set("CUSTOMREQUEST", plan.Literal(r.C.Method))
	case r.C.Method == "GET" && !has, r.C.Method == "POST" && has && !r.Uploads(), r.C.Method == "PUT" && r.Uploads():
	case r.C.Method == "HEAD" && !has:
		r.Flag("NOBODY", "true")
	default:
		r.set("CUSTOMREQUEST", plan.Literal(r.C.Method))
	}
}

// Untyped removes the type that CURLOPT_POSTFIELDS gives text, or leaves it
// where it is that of the request.
func (r *CurlOptions) Untyped() {
	f := r.C.Field("Content-Type")
	switch {
	case f == nil && !r.C.Removes("Content-Type"):
		r.lines = append(r.lines, plan.Literal("Content-Type:"))
	case r.C.HasType(plan.FormType) && r.C.Method == "POST":
		r.C.Imply(f)
	}
}

// curlFieldOptions are the options for fields that other options than -H set.
var curlFieldOptions = []struct{ field, option string }{{"User-Agent", "USERAGENT"}, {"Referer", "REFERER"}, {"Cookie", "COOKIE"}, {"Range", "RANGE"}}

// SetFields adds the fields and the credentials.
func (r *CurlOptions) SetFields() {
next:
	for i := range r.C.Headers() {
		f := &r.C.Headers()[i]
		if f.Derived() && !f.Is("Authorization") {
			continue
		}
		if f.Derived() {
			r.setCredentials(r.C.Basic)
			continue
		}
		for _, o := range curlFieldOptions {
			if f.Is(o.field) && !strings.HasPrefix(f.From, "-H") && f.From != "--header" && f.Value.Source() != "" {
				value := f.Value
				if o.option == "RANGE" {
					if !strings.HasPrefix(value.Source(), "bytes=") {
						break
					}
					value = value.Cut(len("bytes="), len(value.Source()))
				}
				r.set(o.option, value)
				continue next
			}
		}
		if f.Value.Source() == "" {
			r.lines = append(r.lines, plan.Literal(f.Name+";"))
			continue
		}
		r.lines = append(r.lines, plan.Prefixed(f.Name+": ", f.Value))
	}
	find := r.C.Finder()
	for _, name := range r.C.Withheld {
		if !ascii.EqualFold(name, "User-Agent") && find(name) == nil {
			r.lines = append(r.lines, plan.Literal(name+":"))
		}
	}
	if r.C.Digest != nil {
		r.setCredentials(r.C.Digest)
		r.constant("HTTPAUTH", curlAuth("digest"))
	}
	if r.C.Negotiated != nil {
		r.setCredentials(r.C.Negotiated)
		switch scheme := r.C.Auth.Scheme; scheme {
		case "aws-sigv4":
			r.set("AWS_SIGV4", r.C.AwsSigV4())
		case "any":
			r.constant("HTTPAUTH", curlAuth(r.C.Auth.Schemes...))
		default:
			r.constant("HTTPAUTH", curlAuth(scheme))
		}
	}
	if len(r.lines) > 0 {
		r.Settings = append(r.Settings, CurlSetting{Option: "HTTPHEADER", Kind: CurlList, List: r.lines})
	}
}

// curlAuth returns the constants for ways to authenticate.
func curlAuth(schemes ...string) string {
	names := make([]string, len(schemes))
	for i, scheme := range schemes {
		names[i] = "CURLAUTH_" + strings.ToUpper(scheme)
	}
	if len(names) == 4 {
		return "CURLAUTH_ANY" // Basic, Digest, NTLM and Negotiate, and no others in the model
	}
	return strings.Join(names, " | ")
}

func (r *CurlOptions) setCredentials(c *plan.Credentials) {
	if strings.Contains(c.User.Literals(), ":") {
		r.set("USERNAME", c.User)
		r.set("PASSWORD", c.Password)
		return
	}
	r.set("USERPWD", c.Joined())
}

// setTarget adds what keeps the path and the request target as they are.
func (r *CurlOptions) setTarget() {
	if plan.DotSegments(r.C.URL) {
		r.Flag("PATH_AS_IS", "true")
	}
	if r.C.Target != "" {
		r.set("REQUEST_TARGET", r.C.TargetText())
	}
}

// SetExchange adds what shapes the exchange.
func (r *CurlOptions) SetExchange() {
	r.setTarget()
	if r.C.Follow() {
		r.Flag("FOLLOWLOCATION", "true")
		if r.C.MaxRedirects() != plan.CurlRedirects {
			r.number("MAXREDIRS", r.C.MaxRedirects())
		}
	}
	if names := r.reposts(); r.C.Follow() && len(names) > 0 {
		r.constant("POSTREDIR", strings.Join(names, " | "))
	}
	if r.C.Trusted() {
		r.Flag("UNRESTRICTED_AUTH", "true")
	}
	r.setTime("TIMEOUT", r.C.Timeout())
	r.setTime("CONNECTTIMEOUT", r.C.ConnectTimeout())
	if r.C.Insecure() {
		r.Flag("SSL_VERIFYPEER", "false")
		r.number("SSL_VERIFYHOST", 0)
	}
	if r.C.Fail() && !r.C.FailsLate() {
		r.Flag("FAILONERROR", "true")
	}
	if r.C.Compressed() {
		r.set("ACCEPT_ENCODING", plan.Literal(""))
	}
	for _, o := range []struct {
		option string
		value  plan.Text
	}{
		{"CAINFO", r.C.CaFile()}, {"SSLCERT", r.C.Cert()}, {"SSLKEY", r.C.Key()}, {"PROXY", r.C.Proxy()}, {"PROXYUSERPWD", r.C.ProxyUser()},
	} {
		if len(o.value) > 0 && o.value.Source() != "" {
			r.set(o.option, o.value)
		}
	}
	// An empty one takes the place of a variable of the environment.
	if list, ok := r.C.Member("noproxy").(string); ok {
		r.set("NOPROXY", plan.Literal(list))
	}
	if proxy, ok := r.C.Member("proxy").(string); ok && proxy == "" {
		r.set("PROXY", plan.Literal(""))
	}
	switch r.C.HTTPVersion() {
	case "1.0", "1.1", "2":
		r.constant("HTTP_VERSION", "CURL_HTTP_VERSION_"+strings.ReplaceAll(r.C.HTTPVersion(), ".", "_"))
	}
	r.SetFurther()
}

// reposts returns the constants for the redirects after which a POST stays one.
func (r *CurlOptions) reposts() (names []string) {
	bits := Reposts(r.C, r.Uploads())
	for i, status := range redirects {
		if bits&(1<<i) != 0 {
			names = append(names, "CURL_REDIR_POST_"+status)
		}
	}
	return names
}

var redirects = []string{"301", "302", "303"}

// Reposts returns the value of CURLOPT_POSTREDIR: a bit for each redirect after which a POST
// stays one. Those are of options, and those after which an upload stays one, where the
// program does not stream its content.
func Reposts(c *plan.Call, streams bool) (bits int) {
	for i, status := range redirects {
		if c.KeepsPost(status) || c.Uploads() && !streams && status != "303" {
			bits |= 1 << i
		}
	}
	return bits
}

// setTime sets a time limit, in milliseconds where it is not whole.
func (r *CurlOptions) setTime(option string, seconds float64) {
	switch {
	case seconds <= 0:
	case seconds == float64(int64(seconds)):
		r.number(option, int64(seconds))
	default:
		r.number(option+"_MS", int64(seconds*1000+0.5))
	}
}
