package plan

import (
	"slices"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/reqtext"
	"uncoil/internal/engine/urlparts"
	"uncoil/request"
)

// An exchange is what a command asks for beside the request: what shapes the transfer.
type exchange struct {
	Follow         bool
	Trusted        bool  // credentials follow to other hosts
	KeepsMethod    bool  // the method goes with every redirect
	MaxRedirects   int64 // -1: no limit
	Insecure       bool
	Timeout        float64 // seconds; 0: none
	ConnectTimeout float64
	Fail           bool
	Retries        int64
	Compressed     bool
	HTTPVersion    string
	Proxy          Text
	ProxyUser      Text
	NoProxy        string
	Output         Text
	CookieJar      Text
	CookieFiles    []Text
	Cert, Key      Text
	KeyPassword    Text
	CaFile         Text
	UnixSocket     Text
	Resolve        []string
	ConnectTo      []string
}

// cookieEngine returns the option for which curl sends the cookies of a response
// with later requests of its command, or nil.
func (c *Call) cookieEngine() *request.Option {
	for i := range c.Options {
		switch o := &c.Options[i]; o.Name {
		case "cookieEngine", "cookieFiles", "cookieJar":
			return o
		}
	}
	return nil
}

// Emptying returns the statuses of redirects after which curl sends no content,
// and asks with GET unless it keeps the method: Curl_http_follow in curl 8.22
// lib/http.c.
func (c *Call) Emptying() []string {
	switch {
	case c.Content.Kind == NoBody && (c.Asked.KeepsMethod || c.Method == "GET" || c.Method == "HEAD"):
		return nil
	case c.Uploads():
		return []string{"303"}
	}
	var statuses []string
	for _, status := range []string{"301", "302", "303"} {
		if !c.KeepsPost(status) {
			statuses = append(statuses, status)
		}
	}
	return statuses
}

// Uploads reports content of -T, which has no type unless the command gives it one.
func (c *Call) Uploads() bool {
	if !c.Asked.KeepsMethod {
		return c.Method == "PUT"
	}
	return c.Untyped() && !c.Removes("Content-Type")
}

// TLSVersion returns the version of TLS that tlsMin or tlsMax name, such as "1_2", or
// nothing.
func (c *Call) TLSVersion(member string) string {
	c.take(member)
	return c.tlsVersion(member)
}

func (c *Call) tlsVersion(member string) string {
	version, _ := c.Option(member).(string)
	if !strings.HasPrefix(version, "1.") {
		return "" // --tls-max default
	}
	return strings.ReplaceAll(version, ".", "_")
}

// TLSVersions are the versions of TLS, as tlsVersion spells them.
var TLSVersions = []string{"1_0", "1_1", "1_2", "1_3"}

// TLSPlace returns the place among tlsVersions of the one that tlsMin or tlsMax name, or
// -1.
func (c *Call) TLSPlace(member string) int {
	c.take(member)
	return c.tlsPlace(member)
}

func (c *Call) tlsPlace(member string) int { return slices.Index(TLSVersions, c.tlsVersion(member)) }

// BoundsTLS reports whether the program has to name the version of tlsMin or tlsMax:
// where TLS may come, and a client that speaks no version below 1.2 would not keep to it
// by itself.
func (c *Call) BoundsTLS(member string) bool {
	c.take(member)
	return c.boundsTLS(member)
}

func (c *Call) boundsTLS(member string) bool {
	least, most := c.tlsPlace("tlsMin"), c.tlsPlace("tlsMax")
	if member == "tlsMax" {
		return c.Encrypts && most >= 0
	}
	return c.Encrypts && least >= 0 && (least > oldestModern || most >= 0 && most < oldestModern)
}

// TLSName returns the version of tlsMin or tlsMax as OpenSSL names it, TLSv1 or TLSv1.2,
// with what stands for the dot.
func (c *Call) TLSName(member, dot string) string {
	if place := c.TLSPlace(member); place > 0 {
		return "TLSv1" + dot + emit.Itoa(place)
	}
	return "TLSv1"
}

// oldestModern is the place among tlsVersions of the oldest that clients speak unless
// they are told to.
const oldestModern = 2

// RefusesTLS returns the versions that tlsMin and tlsMax leave out where TLS may come.
func (c *Call) RefusesTLS() (versions []string) {
	versions = c.refusesTLS()
	if len(versions) > 0 {
		c.take("tlsMin", "tlsMax")
	}
	return versions
}

func (c *Call) refusesTLS() (versions []string) {
	if !c.Encrypts {
		return nil
	}
	least, most := c.tlsVersion("tlsMin"), c.tlsVersion("tlsMax")
	for _, version := range TLSVersions {
		if version < least || most != "" && version > most {
			versions = append(versions, version)
		}
	}
	return versions
}

// RangeTLS returns the versions that tlsMin and tlsMax leave, where the program has to
// name them, of those that clients speak without being told to.
func (c *Call) RangeTLS() []string {
	versions := c.rangeTLS()
	if len(versions) > 0 {
		c.take("tlsMin", "tlsMax")
	}
	return versions
}

// OnlyTLS reports whether RangeTLS is this one version, and says nothing else.
func (c *Call) OnlyTLS(version string) bool {
	only := slices.Equal(c.rangeTLS(), []string{version})
	if only {
		c.take("tlsMin", "tlsMax")
	}
	return only
}

func (c *Call) rangeTLS() (versions []string) {
	if !c.boundsTLS("tlsMin") && !c.boundsTLS("tlsMax") {
		return nil
	}
	refused := c.refusesTLS()
	for _, version := range TLSVersions[oldestModern:] {
		if !slices.Contains(refused, version) {
			versions = append(versions, version)
		}
	}
	return versions
}

// versionOptions are the options that ask for versions of HTTP.
var versionOptions = map[string]emit.Phrase{
	"0.9": "--http0.9", "1.0": "--http1.0", "1.1": "--http1.1", "2": "--http2", "2-prior-knowledge": "--http2-prior-knowledge",
	"3": "--http3", "3-only": "--http3-only",
}

// proxyAuthOptions are the options that choose how curl authenticates at a proxy.
var proxyAuthOptions = map[string]emit.Phrase{
	"any": "--proxy-anyauth", "basic": "--proxy-basic", "digest": "--proxy-digest", "negotiate": "--proxy-negotiate", "ntlm": "--proxy-ntlm",
}

// RetryStatuses are the answers after which curl tries again: retrycheck() in
// curl 8.22 src/tool_operate.c.
const RetryStatuses = "408, 429, 500, 502, 503, 504, 522, 524"

// readOptions reads what shapes the exchange.
func (c *Call) readOptions() {
	redirects, tls, proxy := c.Options.Redirects(), c.Options.TLS(), c.Options.Proxy()
	c.Asked.Follow, c.Asked.Trusted, c.Asked.KeepsMethod, c.Asked.MaxRedirects = redirects.Follow, redirects.Trusted, redirects.KeepMethod, redirects.Max
	c.Asked.Insecure, c.Asked.NoProxy = tls.Insecure, proxy.Not
	for _, o := range []struct {
		name, value string
		text        *Text
	}{
		{"cacert", tls.CAFile, &c.Asked.CaFile}, {"cert", tls.Cert, &c.Asked.Cert}, {"key", tls.Key, &c.Asked.Key},
		{"proxy", proxy.URL, &c.Asked.Proxy}, {"proxyUser", proxy.User, &c.Asked.ProxyUser},
	} {
		if c.Has(o.name) {
			*o.text = c.Text(o.value, reqtext.Option(o.name, 0))
		}
	}
	for _, o := range c.Options {
		at := reqtext.Option(o.Name, 0)
		s, _ := o.Value.(string)
		b, _ := o.Value.(bool)
		n, _ := o.Value.(int64)
		seconds, _ := o.Value.(float64)
		switch o.Name {
		case "maxTime":
			c.Asked.Timeout = seconds
		case "connectTimeout":
			c.Asked.ConnectTimeout = seconds
		case "fail", "failWithBody":
			c.Asked.Fail = b
		case "retry":
			c.Asked.Retries = n
		case "compressed":
			c.Asked.Compressed = b
		case "httpVersion":
			c.Asked.HTTPVersion = s
		case "output":
			c.Asked.Output = c.Text(s, at)
		case "remoteName":
			c.Asked.Output = c.remoteName()
		case "discardOutput":
			c.Asked.Output = Literal(NullDevice)
		case "cookieJar":
			if s != NullDevice { // which only has curl keep cookies
				c.Asked.CookieJar = c.Text(s, at)
			}
		case "cookieFiles":
			names, _ := o.Value.([]string)
			for i, name := range names {
				// The field Cookie has what the others hold.
				if name != NullDevice && slices.Contains(c.Missing, request.MissingFile{Name: name, Role: "cookies"}) {
					c.Asked.CookieFiles = append(c.Asked.CookieFiles, c.Text(name, reqtext.Option(o.Name, i)))
				}
			}
		case "unixSocket":
			c.Asked.UnixSocket = c.Text(s, at)
		case "resolve":
			c.Asked.Resolve, _ = o.Value.([]string)
		case "connectTo":
			c.Asked.ConnectTo, _ = o.Value.([]string)
		}
	}
	if name, _ := c.Option("stdout").(string); name != "" && !c.NamesOutput() {
		c.Asked.Output = c.Text(name, reqtext.Option("stdout", 0)) // what curl prints is what it would write there
	}
	if len(c.Asked.Proxy) > 0 {
		if _, at, _ := proxyAuthority(c.Asked.Proxy.Literals()); at >= 0 {
			c.Asked.ProxyUser = nil // those of the URL come first: parse_proxy() in curl 8.22 lib/url.c
		}
	}
	if c.Asked.NoProxy != "" && !c.Asked.Follow && !c.live && c.ProxyScheme() != "" && c.exempt() {
		c.Asked.Proxy, c.Asked.ProxyUser = nil, nil
	}
	// Also before a path from the root: tool_operate.c in curl 8.22, setup_outfile().
	if folder, _ := c.Option("outputDir").(string); folder != "" && len(c.Asked.Output) > 0 && c.Asked.Output.Source() != "-" && c.Asked.Output.Source() != NullDevice {
		c.Asked.Output = MergeLiterals(append(append(c.Text(folder, reqtext.Option("outputDir", 0)), Part{Literal: "/"}), c.Asked.Output...))
	}
}

// readKeyPassword reads the password of the key, which may stand after the name of the
// certificate.
func (c *Call) readKeyPassword() {
	c.Asked.Cert, c.Asked.KeyPassword = certAndPassword(c.Asked.Cert)
	if password, ok := c.Option("keyPassword").(string); ok {
		c.Asked.KeyPassword = c.Text(password, reqtext.Option("keyPassword", 0))
	}
}

// certAndPassword returns the file and the password of "file:password", as
// parse_cert_parameter() in curl 8.22 src/tool_getparam.c does. A file whose name has a
// backslash is taken whole.
func certAndPassword(cert Text) (file, password Text) {
	source := cert.Source()
	if ascii.HasPrefixFold(source, "pkcs11:") || cert.Has('\\') || !cert.Has(':') {
		return cert, nil
	}
	at := 0
	for _, p := range cert {
		if i := strings.IndexByte(p.Literal, ':'); p.Variable == nil && i >= 0 {
			return cert.Cut(0, at+i), cert.Cut(at+i+1, len(source))
		}
		at += len(p.source())
	}
	return cert, nil
}

// remoteName returns the name that -O takes from the URL: the last segment of
// its path.
func (c *Call) remoteName() Text {
	parts := urlparts.Of(c.URL)
	if name := parts.Path + strings.LastIndexByte(c.URL[parts.Path:parts.Query], '/') + 1; name < parts.Query {
		return c.URLText.Cut(name, parts.Query)
	}
	return Literal("curl_response") // as curl does: get_url_file_name() in curl 8.22 src/tool_operhlp.c
}

// Secure reports an https URL.
func (c *Call) Secure() bool { return ascii.HasPrefixFold(c.URL, "https:") }

// UnknownScheme reports that only a variable knows the scheme of the URL.
func (c *Call) UnknownScheme() bool {
	if _, plain := c.URLText.Plain(); plain {
		return false
	}
	_, known := c.URLText.Cut(0, len(c.Scheme())).Plain()
	return !known || c.URLText[0].Variable != nil
}

// A Destination is where the response goes.
type Destination uint8

const (
	Discarded Destination = iota
	ToFile                // the file output
	HeadersPrinted
	ContentPrinted
	Captured // values of it are kept for later calls
)

// Resumes reports whether -C - has the client go on where the file of the output ends.
func (c *Call) Resumes() bool {
	resumes := c.Option("continueAt") == "-" && c.continues()
	if resumes {
		c.take("continueAt")
	}
	return resumes
}

// continues reports whether -C has curl write at the end of a file.
func (c *Call) continues() bool {
	return c.Has("continueAt") && c.Content.Kind == NoBody && writesFile(nil, c)
}

// NullDevice is where curl users send what they do not want.
const NullDevice = "/dev/null"

// KeepsFile reports whether -f keeps the file of the output from an error: curl opens it for
// the first byte of content, and libcurl gives it none of an error then
// (tool_create_output, curl 8.22 src/tool_cb_wrt.c).
func (c *Call) KeepsFile(o Options) bool {
	return c.Asked.Fail && c.Destination(o) == ToFile && !c.withBody() && !c.Resumes()
}

// Measured reports whether a program compares what it writes with the length that the response
// names, where its client takes an early end for the end: it writes a file, or keeps to curl in all,
// and the content as it was sent.
func (c *Call) Measured(o Options) bool {
	conditional := c.Field("If-None-Match") != nil || c.Field("If-Modified-Since") != nil
	to := c.Destination(o)
	writes := to == ToFile || c.exact && to == ContentPrinted && !c.comesInPieces(o) && !o.Bare && o.Function == ""
	return writes && c.Method != "HEAD" && !c.continues() && !c.Asked.Compressed && !conditional
}

// withBody reports --fail-with-body, with which an error is content like another.
func (c *Call) withBody() bool { return c.optionIndex("failWithBody") > c.optionIndex("fail") }

// PartOutput returns the name of the file that holds the response until it is known to be
// no error, where the client cannot wait for that before it opens the file.
func (c *Call) PartOutput() Text {
	return MergeLiterals(append(slices.Clone(c.Output()), Part{Literal: ".part"}))
}

// Unread reports whether a whole program does nothing with the response.
func (c *Call) Unread(o Options) bool {
	return c.Destination(o) == Discarded && !c.Asked.Fail && !o.Bare
}

// Destination returns what the program does with the response.
func (c *Call) Destination(o Options) Destination {
	switch name := c.Asked.Output.Source(); {
	case len(c.Captures) > 0:
		return Captured
	case name == NullDevice, name == "" && (o.Bare || c.silent):
		return Discarded
	case name != "" && name != "-":
		return ToFile
	case c.Method == "HEAD":
		return HeadersPrinted
	}
	return ContentPrinted
}

// PrintsBytes reports whether the program writes the content to the standard output as it is,
// because another program reads it there. A writer asks only where it does so.
func (c *Call) PrintsBytes(o Options) bool {
	prints := c.Option("piped") == true && c.Destination(o) == ContentPrinted && !c.comesInPieces(o) && !o.DecodeJSON && o.Function == ""
	if prints {
		c.take("piped")
		c.printsBytes = true
	}
	return prints
}

// Folder returns the folder of the file that the program writes, where the command
// asks to make it; nil: it asks for none. It ends at the last slash that is not a
// variable's.
func (c *Call) Folder() Text {
	c.take("createDirs")
	return c.folder()
}

func (c *Call) folder() Text {
	if !c.Has("createDirs") || c.Asked.Output.Source() == NullDevice {
		return nil
	}
	for i := len(c.Asked.Output) - 1; i >= 0; i-- {
		p := c.Asked.Output[i]
		if end := strings.LastIndexByte(p.Literal, '/'); end > 0 {
			return append(slices.Clone(c.Asked.Output[:i]), Part{Literal: p.Literal[:end]})
		} else if end == 0 && i > 0 {
			return c.Asked.Output[:i]
		}
	}
	return nil
}
