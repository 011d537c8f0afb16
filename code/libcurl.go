package code

import (
	"strconv"
	"strings"

	"uncoil/internal/engine/ascii"
)

// libcurl is what libcurl does by itself, in whatever language it is used: it
// adds Accept, sends no User-Agent, takes dot segments out of paths unless told
// not to, and gives CURLOPT_POSTFIELDS the type of a form. Everything that curl
// can do has an option.
var libcurl = client{
	loose:    true,
	mixed:    true,
	mime:     true,
	stuck:    func(c *call) bool { return c.body.kind == multipartBody && c.takesInput() }, // curl keeps what it has read
	guesses:  true,
	hostless: true,
	schemes:  true,
	loopback: true,
	adds:     fieldNames{"Accept"},
	target:   true,
	digest:   true,
	quotes:   true,
	auths:    []string{"ntlm", "negotiate", "aws-sigv4", "any"},
	also:     isFurther,
	says: []string{"createDirs", "followRedirects", "maxRedirects", "locationTrusted", "maxTime", "connectTimeout", "insecure", "cacert", "cert", "noproxy",
		"post301", "post302", "post303", "keepMethod", "cookieEngine", "continueAt"},
	proxies:  []string{"http", "https", "socks4", "socks4a", "socks5", "socks5h"},
	versions: []string{"1.0", "1.1", "2", "h2c"},
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
	c        *call
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
	return r.c.body.kind == fileBody && r.c.body.file.source() != "-" && r.c.untyped() && !r.c.removes("Content-Type")
}

// setMethod adds what chooses the method.
func (r *curlOptions) setMethod() {
	has := r.c.body.kind != noBody
	switch {
	case r.c.keepsMethod && r.c.Method != "HEAD":
		r.set("CUSTOMREQUEST", literal(r.c.Method))
	case r.c.Method == "GET" && !has, r.c.Method == "POST" && has && !r.uploads(), r.c.Method == "PUT" && r.uploads():
	case r.c.Method == "HEAD" && !has:
		r.flag("NOBODY", "true")
	default:
		r.set("CUSTOMREQUEST", literal(r.c.Method))
	}
}

// untyped removes the type that CURLOPT_POSTFIELDS gives text, or leaves it
// where it is that of the request.
func (r *curlOptions) untyped() {
	f := r.c.field("Content-Type")
	switch {
	case f == nil && !r.c.removes("Content-Type"):
		r.lines = append(r.lines, literal("Content-Type:"))
	case r.c.hasType(formType) && r.c.Method == "POST":
		f.derived = true
	}
}

// curlFieldOptions are the options for fields that other options than -H set.
var curlFieldOptions = []struct{ field, option string }{{"User-Agent", "USERAGENT"}, {"Referer", "REFERER"}, {"Cookie", "COOKIE"}, {"Range", "RANGE"}}

// setFields adds the fields and the credentials.
func (r *curlOptions) setFields() {
next:
	for i := range r.c.fields {
		f := &r.c.fields[i]
		if f.derived && !f.is("Authorization") {
			continue
		}
		if f.derived {
			r.setCredentials(r.c.basic)
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
	find := r.c.finder()
	for _, name := range r.c.removed {
		if !ascii.EqualFold(name, "User-Agent") && find(name) == nil {
			r.lines = append(r.lines, literal(name+":"))
		}
	}
	if r.c.digest != nil {
		r.setCredentials(r.c.digest)
		r.constant("HTTPAUTH", curlAuth("digest"))
	}
	if r.c.negotiated != nil {
		r.setCredentials(r.c.negotiated)
		switch scheme := r.c.Auth.Scheme; scheme {
		case "aws-sigv4":
			r.set("AWS_SIGV4", r.c.awsSigV4())
		case "any":
			r.constant("HTTPAUTH", curlAuth(r.c.Auth.Schemes...))
		default:
			r.constant("HTTPAUTH", curlAuth(scheme))
		}
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
	if strings.Contains(c.user.literals(), ":") {
		r.set("USERNAME", c.user)
		r.set("PASSWORD", c.password)
		return
	}
	r.set("USERPWD", c.joined())
}

// setTarget adds what keeps the path and the request target as they are.
func (r *curlOptions) setTarget() {
	if dotSegments(r.c.URL) {
		r.flag("PATH_AS_IS", "true")
	}
	if r.c.Target != "" {
		r.set("REQUEST_TARGET", r.c.requestTarget())
	}
}

// setExchange adds what shapes the exchange.
func (r *curlOptions) setExchange() {
	r.setTarget()
	if r.c.follow {
		r.flag("FOLLOWLOCATION", "true")
		if r.c.maxRedirects != curlRedirects {
			r.number("MAXREDIRS", r.c.maxRedirects)
		}
	}
	if names := r.reposts(); r.c.follow && len(names) > 0 {
		r.constant("POSTREDIR", strings.Join(names, " | "))
	}
	if r.c.trusted {
		r.flag("UNRESTRICTED_AUTH", "true")
	}
	r.setTime("TIMEOUT", r.c.timeout)
	r.setTime("CONNECTTIMEOUT", r.c.connectTimeout)
	if r.c.insecure {
		r.flag("SSL_VERIFYPEER", "false")
		r.number("SSL_VERIFYHOST", 0)
	}
	if r.c.fail {
		r.flag("FAILONERROR", "true")
	}
	if r.c.compressed {
		r.set("ACCEPT_ENCODING", literal(""))
	}
	for _, o := range []struct {
		option string
		value  text
	}{
		{"CAINFO", r.c.caFile}, {"SSLCERT", r.c.cert}, {"SSLKEY", r.c.key}, {"PROXY", r.c.proxy}, {"PROXYUSERPWD", r.c.proxyUser},
	} {
		if len(o.value) > 0 && o.value.source() != "" {
			r.set(o.option, o.value)
		}
	}
	// An empty one takes the place of a variable of the environment.
	if list, ok := r.c.member("noproxy").(string); ok {
		r.set("NOPROXY", literal(list))
	}
	if proxy, ok := r.c.member("proxy").(string); ok && proxy == "" {
		r.set("PROXY", literal(""))
	}
	switch r.c.httpVersion {
	case "1.0", "1.1", "2":
		r.constant("HTTP_VERSION", "CURL_HTTP_VERSION_"+strings.ReplaceAll(r.c.httpVersion, ".", "_"))
	}
	r.setFurther()
}

// reposts returns the constants for the redirects after which a POST stays one:
// those of options, and those after which an upload stays one, where
// CURLOPT_POSTFIELDS has its content.
func (r *curlOptions) reposts() (names []string) {
	kept := r.c.uploads() && !r.uploads()
	for _, status := range []string{"301", "302", "303"} {
		if r.c.keepsPost(status) || kept && status != "303" {
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
