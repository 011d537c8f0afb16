package plan

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"uncoil/internal/engine/reqtext"
	"uncoil/request"
)

// A room says what an option asks for where it reads the value: each method in this file
// takes its option. What the command asks for and nobody takes is a loss, of which
// ReportLosses warns, so that no option can vanish and no client can promise one that it
// does not write. A rule that only looks reads [Call.Asked].

// take notes that the program says options.
func (c *Call) take(names ...string) {
	for i := range c.Options {
		if slices.Contains(names, c.Options[i].Name) {
			c.taken[i] = true
		}
	}
}

// says reports whether the program says an option.
func (c *Call) says(name string) bool {
	i := c.optionIndex(name)
	return i >= 0 && c.taken[i]
}

func (c *Call) optionIndex(name string) int {
	return slices.IndexFunc(c.Options, func(o request.Option) bool { return o.Name == name })
}

// Has reports whether the command has an option, and does not take it.
func (c *Call) Has(name string) bool { return c.optionIndex(name) >= 0 }

// Option returns the value of an option, or nil, and does not take it.
func (c *Call) Option(name string) any {
	return c.Options.Value(name)
}

// Member returns the value of an option, or nil.
func (c *Call) Member(name string) any {
	c.take(name)
	return c.Option(name)
}

// On reports whether an option is a flag that is set.
func (c *Call) On(name string) bool {
	c.take(name)
	return c.Options.On(name)
}

// lasts reports whether an option is a time, and not 0, which is what curl does without
// the option.
func (c *Call) lasts(name string) bool {
	seconds, _ := c.Option(name).(float64)
	return seconds > 0
}

// TextOf returns the value of an option that is text, or nil.
func (c *Call) TextOf(name string) Text {
	s, ok := c.Member(name).(string)
	if !ok {
		return nil
	}
	return c.Text(s, reqtext.Option(name, 0))
}

// Follow reports whether redirects are followed.
func (c *Call) Follow() bool {
	c.take("followRedirects", "follow")
	return c.Asked.Follow
}

// Trusted reports whether credentials go to other hosts with a redirect.
func (c *Call) Trusted() bool {
	c.take("locationTrusted")
	return c.Asked.Trusted
}

// KeepsMethod reports whether the method goes with every redirect.
func (c *Call) KeepsMethod() bool {
	c.take("keepMethod")
	return c.Asked.KeepsMethod
}

// KeepsPost reports whether an option keeps a POST one after a redirect with a status.
func (c *Call) KeepsPost(status string) bool { return c.On("post" + status) }

// MaxRedirects returns how many redirects are followed; -1: no limit.
func (c *Call) MaxRedirects() int64 {
	c.take("maxRedirects")
	return c.Asked.MaxRedirects
}

// RedirectLimit returns how many redirects are followed; without a limit, more than there
// ever are.
func (c *Call) RedirectLimit() int64 {
	if c.MaxRedirects() < 0 {
		return math.MaxInt32
	}
	return c.Asked.MaxRedirects
}

// Insecure reports whether any certificate is taken.
func (c *Call) Insecure() bool {
	c.take("insecure")
	return c.Asked.Insecure
}

// CaFile returns the file of the certificates that are trusted.
func (c *Call) CaFile() Text {
	c.take("cacert")
	return c.Asked.CaFile
}

// Cert returns the file of the certificate of the client.
func (c *Call) Cert() Text {
	c.take("cert")
	return c.Asked.Cert
}

// Key returns the file of the key of that certificate, or nothing where the file of the
// certificate has it.
func (c *Call) Key() Text {
	c.take("key")
	return c.Asked.Key
}

// LeavesCert says that the program says of the certificate of the client that it leaves it
// out, and with it all that belongs to it.
func (c *Call) LeavesCert() {
	c.take("cert", "key", "certType", "keyType", "keyPassword")
	c.passes = true
}

// CertKey returns the file that has the key of the certificate of the client.
func (c *Call) CertKey() Text {
	if key := c.Key(); len(key) > 0 {
		return key
	}
	return c.Cert()
}

// KeyPassword returns the password of that key, or of the archive that has it.
func (c *Call) KeyPassword() Text {
	c.take("keyPassword")
	c.passes = true
	return c.Asked.KeyPassword
}

// CertType returns the form of the file of the certificate in capitals, such as PEM, DER or
// P12, and takes it where it is one of forms.
func (c *Call) CertType(forms ...string) string { return c.fileForm("certType", forms) }

// KeyType is CertType for the file of the key. A file that has both has the form of the
// certificate: cert_stuff() in curl 8.22 lib/vtls/openssl.c.
func (c *Call) KeyType(forms ...string) string {
	if len(c.Asked.Key) == 0 {
		return c.form("certType")
	}
	return c.fileForm("keyType", forms)
}

func (c *Call) fileForm(member string, forms []string) string {
	form := c.form(member)
	if slices.Contains(forms, form) {
		c.take(member)
	}
	return form
}

func (c *Call) form(member string) string {
	form, _ := c.Option(member).(string)
	return strings.ToUpper(cmp.Or(form, "PEM"))
}

// Archive reports whether the file of the certificate is a PKCS #12 archive, which has the
// key, too, and takes that.
func (c *Call) Archive() bool {
	archive := len(c.Asked.Cert) > 0 && c.CertType("P12") == "P12"
	if archive {
		c.take("key", "keyType") // of which curl makes nothing then
	}
	return archive
}

// Timeout returns the seconds that the transfer may take; 0: no limit.
func (c *Call) Timeout() float64 {
	c.take("maxTime")
	return c.Asked.Timeout
}

// ConnectTimeout returns the seconds that connecting may take; 0: no limit.
func (c *Call) ConnectTimeout() float64 {
	c.take("connectTimeout")
	return c.Asked.ConnectTimeout
}

// Fail reports whether the program ends with an error for a status of 400 or more.
func (c *Call) Fail() bool {
	c.take("fail", "failWithBody")
	return c.Asked.Fail
}

// Retries returns how often the request is sent again.
func (c *Call) Retries() int64 {
	c.take("retry")
	return c.Asked.Retries
}

// Compressed reports whether the response is decompressed.
func (c *Call) Compressed() bool {
	c.take("compressed")
	return c.Asked.Compressed
}

// HTTPVersion returns the version of HTTP, as options spell it.
func (c *Call) HTTPVersion() string {
	c.take("httpVersion")
	return c.Asked.HTTPVersion
}

// Proxy returns the proxy as the command spells it.
func (c *Call) Proxy() Text {
	c.take("proxy")
	return c.Asked.Proxy
}

// ProxyUser returns the credentials for the proxy.
func (c *Call) ProxyUser() Text {
	c.take("proxyUser")
	return c.Asked.ProxyUser
}

// NoProxy returns the hosts that are asked without a proxy, as the command spells them.
func (c *Call) NoProxy() string {
	c.take("noproxy")
	return c.Asked.NoProxy
}

// Output returns the name of the file that takes the response; "-" is the standard output.
func (c *Call) Output() Text {
	c.take("output", "remoteName", "discardOutput", "outputDir", "stdout")
	return c.Asked.Output
}

// CookieJar returns the name of the file that takes the cookies, for which the program
// has to keep them. That of "-" is the standard output, and no file: curl 8.22 lib/cookie.c.
func (c *Call) CookieJar() Text {
	if c.PrintsCookies() {
		return nil
	}
	return c.CookieOutput()
}

// CookieOutput is CookieJar of a client that knows "-" as curl does.
func (c *Call) CookieOutput() Text {
	c.keeps = true
	c.take("cookieJar")
	return c.Asked.CookieJar
}

// PrintsCookies reports whether the cookies go to the standard output.
func (c *Call) PrintsCookies() bool { return isDash(c.Asked.CookieJar) }

func isDash(name Text) bool {
	return len(name) == 1 && name[0].Variable == nil && name[0].Literal == "-"
}

// CookieFiles returns the names of the files of cookies that were not supplied.
func (c *Call) CookieFiles() []Text {
	c.take("cookieFiles")
	return c.Asked.CookieFiles
}

// KeepsCookies reports whether the cookies of a response go with later requests, whichever
// option asks for that.
func (c *Call) KeepsCookies() bool {
	c.keeps = true
	return c.cookieEngine() != nil
}

// LeavesCookies says that the program keeps its client from sending cookies of a response.
func (c *Call) LeavesCookies() { c.cookieless = true }

// UnixSocket returns the path of the socket that takes the place of the host.
func (c *Call) UnixSocket() Text {
	c.take("unixSocket")
	return c.Asked.UnixSocket
}

// Resolve returns the entries of --resolve.
func (c *Call) Resolve() []string {
	c.take("resolve")
	return c.Asked.Resolve
}

// ConnectTo returns the entries of --connect-to.
func (c *Call) ConnectTo() []string {
	c.take("connectTo")
	return c.Asked.ConnectTo
}

// Does notes that the program does what options ask for without their values: the client
// does by itself, or by what else the program says.
func (c *Call) Does(names ...string) { c.take(names...) }
