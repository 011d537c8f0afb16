//go:build !nocode

package code

import (
	"slices"
	"strconv"
	"strings"

	"uncoil/internal/ascii"
)

// libcurl is what libcurl does by itself, in whatever language it is used: it
// adds Accept, sends no User-Agent, takes dot segments out of paths unless told
// not to, and gives CURLOPT_POSTFIELDS the type of a form. Everything that curl
// can do has an option.
var libcurl = client{
	loose:    true,
	hostless: true,
	schemes:  true,
	adds:     []string{"Accept"},
	target:   true,
	digest:   true,
	auths:    []string{"ntlm", "negotiate"},
	also:     isFurther,
	says: []string{"followRedirects", "maxRedirects", "locationTrusted", "maxTime", "connectTimeout", "insecure", "cacert", "cert", "noproxy",
		"post301", "post302", "post303"},
	proxies:  []string{"http", "https", "socks4", "socks4a", "socks5", "socks5h"},
	versions: []string{"1.0", "1.1", "2"},
}

// A curlSetting is an option of libcurl with its value.
type curlSetting struct {
	option string // without CURLOPT_
	kind   curlKind
	word   string // of a flag, true or false; a number; a constant
	value  text
	list   []text
}

type curlKind uint8

const (
	curlFlag curlKind = iota
	curlNumber
	curlConstant
	curlText
	curlList
)

// curlOptions are a call as options of libcurl.
type curlOptions struct {
	*call
	settings []curlSetting
	lines    []text // of CURLOPT_HTTPHEADER
}

func (r *curlOptions) flag(option, word string) {
	r.settings = append(r.settings, curlSetting{option: option, word: word})
}

func (r *curlOptions) number(option string, n int64) {
	r.settings = append(r.settings, curlSetting{option: option, kind: curlNumber, word: strconv.FormatInt(n, 10)})
}

func (r *curlOptions) constant(option, name string) {
	r.settings = append(r.settings, curlSetting{option: option, kind: curlConstant, word: name})
}

func (r *curlOptions) set(option string, value text) {
	r.settings = append(r.settings, curlSetting{option: option, kind: curlText, value: value})
}

// uploads reports a body that CURLOPT_UPLOAD streams from a file: one that curl
// sends without a content type of its own.
func (r *curlOptions) uploads() bool {
	return r.body.kind == fileBody && r.body.file.source() != "-" && r.field("Content-Type") == nil && !r.removes("Content-Type")
}

// setMethod adds what chooses the method.
func (r *curlOptions) setMethod() {
	has := r.body.kind != noBody
	switch {
	case r.Method == "GET" && !has, r.Method == "POST" && has && !r.uploads(), r.Method == "PUT" && r.uploads():
	case r.Method == "HEAD" && !has:
		r.flag("NOBODY", "true")
	default:
		r.set("CUSTOMREQUEST", literal(r.Method))
	}
}

// untyped removes the type that CURLOPT_POSTFIELDS gives text, or leaves it
// where it is that of the request.
func (r *curlOptions) untyped() {
	f := r.field("Content-Type")
	switch {
	case f == nil && !r.removes("Content-Type"):
		r.lines = append(r.lines, literal("Content-Type:"))
	case r.hasType(formType) && r.Method == "POST":
		f.derived = true
	}
}

// curlFieldOptions are the options for fields that other options than -H set.
var curlFieldOptions = []struct{ field, option string }{{"User-Agent", "USERAGENT"}, {"Referer", "REFERER"}, {"Cookie", "COOKIE"}, {"Range", "RANGE"}}

// setFields adds the fields and the credentials.
func (r *curlOptions) setFields() {
next:
	for i := range r.fields {
		f := &r.fields[i]
		if f.derived && !f.is("Authorization") {
			continue
		}
		if f.derived {
			r.setCredentials(r.basic)
			continue
		}
		for _, o := range curlFieldOptions {
			if f.is(o.field) && !strings.HasPrefix(f.from, "-H") && f.from != "--header" && f.value.source() != "" {
				value := f.value
				if o.option == "RANGE" {
					if !strings.HasPrefix(value.source(), "bytes=") {
						break
					}
					value = value.cut(len("bytes="), len(value.source()))
				}
				r.set(o.option, value)
				continue next
			}
		}
		if f.value.source() == "" {
			r.lines = append(r.lines, literal(f.name+";"))
			continue
		}
		r.lines = append(r.lines, prefixed(f.name+": ", f.value))
	}
	for _, name := range r.removed {
		if !ascii.EqualFold(name, "User-Agent") && r.field(name) == nil {
			r.lines = append(r.lines, literal(name+":"))
		}
	}
	if r.digest != nil {
		r.setCredentials(r.digest)
		r.constant("HTTPAUTH", curlAuth("digest"))
	}
	if r.negotiated != nil {
		r.setCredentials(r.negotiated)
		schemes := r.Auth.Schemes
		if len(schemes) == 0 {
			schemes = []string{r.Auth.Scheme}
		}
		r.constant("HTTPAUTH", curlAuth(schemes...))
	}
	if len(r.lines) > 0 {
		r.settings = append(r.settings, curlSetting{option: "HTTPHEADER", kind: curlList, list: r.lines})
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

func (r *curlOptions) setCredentials(c *credentials) {
	if strings.Contains(c.user.source(), ":") {
		r.set("USERNAME", c.user)
		r.set("PASSWORD", c.password)
		return
	}
	both := append(slices.Clone(c.user), part{literal: ":"})
	r.set("USERPWD", mergeLiterals(append(both, c.password...)))
}

// setTarget adds what keeps the path and the request target as they are.
func (r *curlOptions) setTarget() {
	if dotSegments(r.url.source()) {
		r.flag("PATH_AS_IS", "true")
	}
	if r.Target != "" {
		r.set("REQUEST_TARGET", literal(r.Target))
	}
}

// setExchange adds what shapes the exchange.
func (r *curlOptions) setExchange() {
	r.setTarget()
	if r.follow {
		r.flag("FOLLOWLOCATION", "true")
		if r.maxRedirects != curlRedirects {
			r.number("MAXREDIRS", r.maxRedirects)
		}
	}
	if names := r.reposts(); r.follow && len(names) > 0 {
		r.constant("POSTREDIR", strings.Join(names, " | "))
	}
	if r.trusted {
		r.flag("UNRESTRICTED_AUTH", "true")
	}
	r.setTime("TIMEOUT", r.timeout)
	r.setTime("CONNECTTIMEOUT", r.connectTimeout)
	if r.insecure {
		r.flag("SSL_VERIFYPEER", "false")
		r.number("SSL_VERIFYHOST", 0)
	}
	if r.fail {
		r.flag("FAILONERROR", "true")
	}
	if r.compressed {
		r.set("ACCEPT_ENCODING", literal(""))
	}
	for _, o := range []struct {
		option string
		value  text
	}{
		{"CAINFO", r.caFile}, {"SSLCERT", r.cert}, {"SSLKEY", r.key}, {"PROXY", r.proxy}, {"PROXYUSERPWD", r.proxyUser},
	} {
		if len(o.value) > 0 && o.value.source() != "" {
			r.set(o.option, o.value)
		}
	}
	// An empty one takes the place of a variable of the environment.
	if list, ok := r.member("noproxy").(string); ok {
		r.set("NOPROXY", literal(list))
	}
	if proxy, ok := r.member("proxy").(string); ok && proxy == "" {
		r.set("PROXY", literal(""))
	}
	switch r.httpVersion {
	case "1.0", "1.1", "2":
		r.constant("HTTP_VERSION", "CURL_HTTP_VERSION_"+strings.ReplaceAll(r.httpVersion, ".", "_"))
	}
	r.setFurther()
}

// reposts returns the constants for the redirects after which a POST stays one.
func (r *curlOptions) reposts() (names []string) {
	for _, status := range []string{"301", "302", "303"} {
		if on, _ := r.member("post" + status).(bool); on {
			names = append(names, "CURL_REDIR_POST_"+status)
		}
	}
	return names
}

// setTime sets a time limit, in milliseconds where it is not whole.
func (r *curlOptions) setTime(option string, seconds float64) {
	switch {
	case seconds <= 0:
	case seconds == float64(int64(seconds)):
		r.number(option, int64(seconds))
	default:
		r.number(option+"_MS", int64(seconds*1000+0.5))
	}
}
