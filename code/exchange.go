package code

import (
	"math"
	"slices"
	"strings"

	"uncoil/internal/engine/ascii"
	"uncoil/request"
)

// An exchange is what shapes the transfer beside the request.
type exchange struct {
	follow         bool
	trusted        bool  // credentials follow to other hosts
	keepsMethod    bool  // the method goes with every redirect
	maxRedirects   int64 // -1: no limit
	insecure       bool
	timeout        float64 // seconds; 0: none
	connectTimeout float64
	fail           bool
	retries        int64
	compressed     bool
	httpVersion    string
	proxy          text
	proxyUser      text
	noProxy        string
	output         text
	cookieJar      text
	cookieFiles    []text
	cert, key      text
	caFile         text
	unixSocket     text
	resolve        []string
	connectTo      []string
	others         []string         // names of further options, that no target says
	dropped        []request.Option // that take no variable in a program
	unnamed        bool             // the bytes of the form lack a file name that is implied
}

// cookieEngine returns the option for which curl sends the cookies of a response
// with later requests of its command, or nil.
func (c *call) cookieEngine() *request.Option {
	for i := range c.Options {
		switch o := &c.Options[i]; o.Name {
		case "cookieEngine", "cookieFiles", "cookieJar":
			return o
		}
	}
	return nil
}

func (c *call) keepsCookies() bool { return c.cookieEngine() != nil }

// redirectLimit returns how many redirects are followed; without a limit, more
// than there ever are.
func (e *exchange) redirectLimit() int64 {
	if e.maxRedirects < 0 {
		return math.MaxInt32
	}
	return e.maxRedirects
}

// ownRedirects are the members of options about redirects, all of which a program
// has code for that follows them itself.
var ownRedirects = []string{"followRedirects", "maxRedirects", "locationTrusted", "keepMethod", "post301", "post302", "post303"}

// emptying returns the statuses of redirects after which curl sends no content,
// and asks with GET unless it keeps the method: Curl_http_follow in curl 8.22
// lib/http.c.
func (c *call) emptying() []string {
	switch {
	case c.body.kind == noBody && (c.keepsMethod || c.Method == "GET" || c.Method == "HEAD"):
		return nil
	case c.uploads():
		return []string{"303"}
	}
	var statuses []string
	for _, status := range []string{"301", "302", "303"} {
		if !c.keepsPost(status) {
			statuses = append(statuses, status)
		}
	}
	return statuses
}

// keepsPost reports whether an option keeps a POST one after a redirect with a
// status.
func (c *call) keepsPost(status string) bool {
	on, _ := c.member("post" + status).(bool)
	return on
}

// uploads reports content of -T, which has no type unless the command gives it one.
func (c *call) uploads() bool {
	if !c.keepsMethod {
		return c.Method == "PUT"
	}
	return c.untyped() && !c.removes("Content-Type")
}

// tlsVersion returns the version of TLS that tlsMin or tlsMax name, such as "1_2", or
// nothing.
func (c *call) tlsVersion(member string) string {
	version, _ := c.member(member).(string)
	if !strings.HasPrefix(version, "1.") {
		return "" // --tls-max default
	}
	return strings.ReplaceAll(version, ".", "_")
}

// tlsVersions are the versions of TLS, as tlsVersion spells them.
var tlsVersions = []string{"1_0", "1_1", "1_2", "1_3"}

// tlsPlace returns the place among tlsVersions of the one that tlsMin or tlsMax name, or
// -1.
func (c *call) tlsPlace(member string) int { return slices.Index(tlsVersions, c.tlsVersion(member)) }

// boundsTLS reports whether the program has to name the version of tlsMin or tlsMax:
// where TLS may come, and a client that speaks no version below 1.2 would not keep to it
// by itself.
func (c *call) boundsTLS(member string) bool {
	least, most := c.tlsPlace("tlsMin"), c.tlsPlace("tlsMax")
	if member == "tlsMax" {
		return c.encrypts && most >= 0
	}
	return c.encrypts && least >= 0 && (least > oldestModern || most >= 0 && most < oldestModern)
}

// tlsName returns the version of tlsMin or tlsMax as OpenSSL names it, TLSv1 or TLSv1.2,
// with what stands for the dot.
func (c *call) tlsName(member, dot string) string {
	if place := c.tlsPlace(member); place > 0 {
		return "TLSv1" + dot + itoa(place)
	}
	return "TLSv1"
}

// oldestModern is the place among tlsVersions of the oldest that clients speak unless
// they are told to.
const oldestModern = 2

// refusesTLS returns the versions that tlsMin and tlsMax leave out where TLS may come.
func (c *call) refusesTLS() (versions []string) {
	if !c.encrypts {
		return nil
	}
	least, most := c.tlsVersion("tlsMin"), c.tlsVersion("tlsMax")
	for _, version := range tlsVersions {
		if version < least || most != "" && version > most {
			versions = append(versions, version)
		}
	}
	return versions
}

// rangeTLS returns the versions that tlsMin and tlsMax leave, where the program has to
// name them, of those that clients speak without being told to.
func (c *call) rangeTLS() (versions []string) {
	if !c.boundsTLS("tlsMin") && !c.boundsTLS("tlsMax") {
		return nil
	}
	refused := c.refusesTLS()
	for _, version := range tlsVersions[oldestModern:] {
		if !slices.Contains(refused, version) {
			versions = append(versions, version)
		}
	}
	return versions
}

// leavesTLS reports whether the versions that a command allows have such among them.
func leavesTLS(c *call) bool { return len(c.rangeTLS()) > 0 }

// versionOptions are the options that ask for versions of HTTP.
var versionOptions = map[string]phrase{
	"0.9": "--http0.9", "1.0": "--http1.0", "1.1": "--http1.1", "2": "--http2", "2-prior-knowledge": "--http2-prior-knowledge",
	"3": "--http3", "3-only": "--http3-only",
}

// proxyAuthOptions are the options that choose how curl authenticates at a proxy.
var proxyAuthOptions = map[string]phrase{
	"any": "--proxy-anyauth", "basic": "--proxy-basic", "digest": "--proxy-digest", "negotiate": "--proxy-negotiate", "ntlm": "--proxy-ntlm",
}

// retryStatuses are the answers after which curl tries again: retrycheck() in
// curl 8.22 src/tool_operate.c.
const retryStatuses = "408, 429, 500, 502, 503, 504, 522, 524"

// readOptions reads what shapes the exchange.
func (c *call) readOptions() {
	c.maxRedirects = curlRedirects
	for _, o := range c.Options {
		at := "options." + o.Name
		s, _ := o.Value.(string)
		b, _ := o.Value.(bool)
		n, _ := o.Value.(int64)
		seconds, _ := o.Value.(float64)
		switch o.Name {
		case "followRedirects", "follow":
			c.follow = b
		case "locationTrusted":
			c.trusted = b
		case "keepMethod":
			c.keepsMethod = b
		case "maxRedirects":
			c.maxRedirects = n
		case "insecure":
			c.insecure = b
		case "maxTime":
			c.timeout = seconds
		case "connectTimeout":
			c.connectTimeout = seconds
		case "fail", "failWithBody":
			c.fail = b
		case "retry":
			c.retries = n
		case "compressed":
			c.compressed = b
		case "httpVersion":
			c.httpVersion = s
		case "proxy":
			c.proxy = c.text(s, at)
		case "proxyUser":
			c.proxyUser = c.text(s, at)
		case "noproxy":
			c.noProxy = s
		case "output":
			c.output = c.text(s, at)
		case "remoteName":
			c.output = c.remoteName()
		case "discardOutput":
			c.output = literal(nullDevice)
		case "cookieJar":
			c.cookieJar = c.text(s, at)
		case "cookieFiles":
			names, _ := o.Value.([]string)
			for i, name := range names {
				// The field Cookie has what the others hold.
				if slices.Contains(c.Missing, request.MissingFile{Name: name, Role: "cookies"}) {
					c.cookieFiles = append(c.cookieFiles, c.text(name, at+"."+itoa(i)))
				}
			}
		case "cert":
			c.cert = c.text(s, at)
		case "key":
			c.key = c.text(s, at)
		case "cacert":
			c.caFile = c.text(s, at)
		case "unixSocket":
			c.unixSocket = c.text(s, at)
		default:
			switch list, _ := o.Value.([]string); o.Name {
			case "resolve":
				c.resolve = list
			case "connectTo":
				c.connectTo = list
			}
			c.others = append(c.others, o.Name)
		}
	}
	if len(c.proxy) > 0 {
		authority, _, _ := strings.Cut(strings.TrimPrefix(c.proxy.literals(), "http://"), "/")
		if strings.Contains(authority, "@") {
			c.proxyUser = nil // those of the URL come first: parse_proxy() in curl 8.22 lib/proxy.c
		}
	}
	if c.noProxy != "" && !c.follow && !c.live && c.proxyScheme() != "" && c.exempt() {
		c.proxy, c.proxyUser = nil, nil
	}
	// Also before a path from the root: tool_operate.c in curl 8.22, setup_outfile().
	if folder, _ := c.member("outputDir").(string); folder != "" && len(c.output) > 0 && c.output.source() != "-" && c.output.source() != nullDevice {
		c.output = mergeLiterals(append(append(c.text(folder, "options.outputDir"), part{literal: "/"}), c.output...))
	}
}

// remoteName returns the name that -O takes from the URL: the last segment of
// its path.
func (c *call) remoteName() text {
	path, _, _ := strings.Cut(c.URL, "?")
	if i := strings.LastIndexByte(path, '/'); i > strings.Index(path, "://")+2 && i+1 < len(path) {
		return c.url.cut(i+1, len(path))
	}
	return literal("curl_response") // as curl does: get_url_file_name() in curl 8.22 src/tool_operhlp.c
}

// secure reports an https URL.
func (c *call) secure() bool { return ascii.HasPrefixFold(c.URL, "https:") }

// unknownScheme reports that only a variable knows the scheme of the URL.
func (c *call) unknownScheme() bool {
	if _, plain := c.url.plain(); plain {
		return false
	}
	_, known := c.url.cut(0, len(c.scheme())).plain()
	return !known || c.url[0].variable != nil
}

// certKey returns the file of the key of the client's certificate.
func (c *call) certKey() text {
	if len(c.key) > 0 {
		return c.key
	}
	return c.cert
}

// A destination is where the response goes.
type destination uint8

const (
	discarded destination = iota
	toFile                // the file output
	headersPrinted
	contentPrinted
)

// resumes reports whether -C - has the client go on where the file of the output ends.
func (c *call) resumes() bool {
	return c.member("continueAt") == "-" && c.needs("continueAt")
}

// nullDevice is where curl users send what they do not want.
const nullDevice = "/dev/null"

// unread reports whether a whole program does nothing with the response.
func (c *call) unread(o Options) bool {
	return c.destination(o) == discarded && !c.fail && !o.Bare
}

// destination returns what the program does with the response.
func (c *call) destination(o Options) destination {
	switch name := c.output.source(); {
	case name == nullDevice, name == "" && o.Bare:
		return discarded
	case name != "" && name != "-":
		return toFile
	case c.Method == "HEAD":
		return headersPrinted
	}
	return contentPrinted
}

// folder returns the folder of the file that the program writes, where the command
// asks to make it; nil: it asks for none. It ends at the last slash that is not a
// variable's.
func (c *call) folder() text {
	if c.member("createDirs") == nil || c.output.source() == nullDevice {
		return nil
	}
	for i := len(c.output) - 1; i >= 0; i-- {
		p := c.output[i]
		if end := strings.LastIndexByte(p.literal, '/'); end > 0 {
			return append(slices.Clone(c.output[:i]), part{literal: p.literal[:end]})
		} else if end == 0 && i > 0 {
			return c.output[:i]
		}
	}
	return nil
}
