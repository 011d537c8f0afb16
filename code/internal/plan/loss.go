package plan

import (
	"slices"
	"strings"

	"uncoil/code/internal/emit"
)

// A loss is what a program leaves out where it has nothing for an option that the request
// does not depend on. Its client may well have something.
type loss struct {
	name   string                        // of the member of options
	option emit.Phrase                   // that sets it
	what   emit.Phrase                   // the program does in place of it
	tool   emit.Phrase                   // a tool that opens files does in place of it; "": what
	asked  func(k *Client, c *Call) bool // whether the exchange depends on it here; nil: it does
	spells func(value any) emit.Phrase   // the option, where several set the member
	off    bool                          // --no-… asks for it
}

// losses are what a program can leave out, and still send the request: redirects, times,
// certificates, and how curl connects and to whom. What is not here changes how curl
// reports or stores, and a program goes without it.
var losses = []loss{
	{name: "followRedirects", option: "-L", what: "does not follow redirects", asked: func(_ *Client, c *Call) bool { return c.Asked.Follow }},
	{name: "maxRedirects", option: "--max-redirs", what: "has a limit of its own for redirects", asked: func(_ *Client, c *Call) bool { return c.Asked.Follow && c.Asked.MaxRedirects != CurlRedirects }},
	{name: "locationTrusted", option: "--location-trusted", what: "keeps credentials from other hosts", asked: func(k *Client, c *Call) bool { return c.Asked.Follow && c.Asked.Trusted && k.keepsSecret(c) }},
	{name: "maxTime", option: "-m", what: "has no time limit", asked: func(_ *Client, c *Call) bool { return c.Asked.Timeout > 0 }},
	{name: "connectTimeout", option: "--connect-timeout", what: "has no time limit for the connection", asked: func(_ *Client, c *Call) bool {
		return c.Asked.ConnectTimeout > 0 && !(c.Asked.Timeout > 0 && c.says("maxTime"))
	}},
	{name: "retry", option: "--retry", what: "does not try again", asked: func(_ *Client, c *Call) bool { return c.triesAgain() }},
	{name: "retryConnrefused", option: "--retry-connrefused", what: "may not try again when the connection is refused", asked: func(_ *Client, c *Call) bool {
		return c.triesAgain() && c.Options.On("retryConnrefused")
	}},
	{name: "retryAllErrors", option: "--retry-all-errors", what: "may not try again after every error", asked: func(_ *Client, c *Call) bool {
		return c.triesAgain() && c.Options.On("retryAllErrors")
	}},
	{name: "retryDelay", option: "--retry-delay", what: "keeps its own time between tries", asked: func(_ *Client, c *Call) bool { return c.triesAgain() && c.lasts("retryDelay") }},
	{name: "retryMaxTime", option: "--retry-max-time", what: "has no time limit for further tries", asked: func(_ *Client, c *Call) bool { return c.triesAgain() && c.lasts("retryMaxTime") }},
	{name: "insecure", option: "-k", what: "checks every certificate", asked: func(_ *Client, c *Call) bool { return c.Asked.Insecure }},
	{name: "cacert", option: "--cacert", what: "trusts the certificates of the system only", asked: func(_ *Client, c *Call) bool { return len(c.Asked.CaFile) > 0 }},
	{name: "cert", option: "--cert", what: "shows no client certificate", asked: showsCertificate},
	{name: "key", option: "--key", what: "has the key read from the file of the certificate", asked: func(_ *Client, c *Call) bool { return c.says("cert") && len(c.Asked.Key) > 0 }},
	{name: "output", option: "-o", what: "writes no files", asked: writesFile},
	{name: "remoteName", option: "-O", what: "writes no files", asked: writesFile},
	{name: "remoteHeaderName", option: "-J", what: "takes the name of the file from the URL", asked: func(_ *Client, c *Call) bool { return c.NamedByResponse() && c.says("remoteName") }},
	{name: "stdout", option: ">", what: "writes no files", asked: func(k *Client, c *Call) bool { return !c.NamesOutput() && writesFile(k, c) }},
	{name: "fail", option: "-f", what: "does not fail for a status", asked: fails},
	{name: "failWithBody", option: "--fail-with-body", what: "does not fail for a status", asked: fails},
	{name: "proxy", option: "-x", what: "asks no proxy", tool: "takes proxies from its settings or its environment", asked: asksProxy},
	{name: "noproxy", option: "--noproxy", what: "asks its proxy for every host", tool: "has no place for --noproxy in this file", asked: func(k *Client, c *Call) bool { return c.Asked.NoProxy != "" && asksProxy(k, c) }},
	{name: "noproxy", option: "--noproxy", what: "has no list of hosts but NO_PROXY of its environment", asked: func(_ *Client, c *Call) bool { return c.ReplacesNoProxy() }},

	{name: "abstractUnixSocket", option: "--abstract-unix-socket", what: "does not connect to an abstract Unix socket"},
	{name: "altSvc", option: "--alt-svc", what: "does not follow Alt-Svc"},
	{name: "autoReferer", option: "-e ';auto'", what: "does not name the URL before in Referer when it is redirected", asked: func(k *Client, c *Call) bool {
		// Clients that name it unasked keep the Referer of the program.
		return c.Asked.Follow && !(slices.Contains(k.After, "referer") && c.Field("Referer") == nil)
	}},
	{name: "capath", option: "--capath", what: "does not trust the certificates of a folder", asked: encrypts},
	{name: "certStatus", option: "--cert-status", what: "does not ask for the status of the certificate", asked: encrypts},
	{name: "createDirs", option: "--create-dirs", what: "does not make the folders of the file that it writes", asked: func(_ *Client, c *Call) bool { return c.folder() != nil }},
	{name: "crlfile", option: "--crlfile", what: "does not read a list of revoked certificates", asked: encrypts},
	{name: "dnsServers", option: "--dns-servers", what: "does not choose the servers that resolve names"},
	{name: "continueAt", option: "-C", what: "does not go on where a file ends", asked: func(_ *Client, c *Call) bool { return c.continues() }},
	{name: "connectTo", option: "--connect-to", what: "does not connect to another host than the URL's", asked: connectsElsewhere},
	{name: "dohUrl", option: "--doh-url", what: "does not resolve names over HTTPS"},
	{name: "haproxyClientip", option: "--haproxy-clientip", what: "does not send a PROXY protocol header"},
	{name: "haproxyProtocol", option: "--haproxy-protocol", what: "does not send a PROXY protocol header"},
	{name: "interface", option: "--interface", what: "does not choose the network interface"},
	{name: "certType", option: "--cert-type", what: "reads the certificate as PEM", asked: func(_ *Client, c *Call) bool { return c.says("cert") && c.form("certType") != "PEM" }},
	{name: "keyType", option: "--key-type", what: "reads the key as PEM", asked: func(_ *Client, c *Call) bool {
		return c.says("key") && c.form("keyType") != "PEM"
	}},
	{name: "keyPassword", option: "--pass", what: "does not give the password of the key", asked: func(_ *Client, c *Call) bool { return c.Encrypts && c.says("cert") }},
	{name: "limitRate", option: "--limit-rate", what: "does not limit the speed"},
	{name: "localPort", option: "--local-port", what: "does not choose the local port"},
	{name: "maxFilesize", option: "--max-filesize", what: "does not limit the size of the response"},
	// The credentials of a file that was supplied are a field.
	{name: "netrc", option: "--netrc", what: "does not read .netrc", asked: func(_ *Client, c *Call) bool { return c.Misses("credentials") }},
	{name: "netrcFile", option: "--netrc-file", what: "does not read .netrc", asked: func(_ *Client, c *Call) bool { return c.Misses("credentials") }},
	{name: "pinnedPublicKey", option: "--pinnedpubkey", what: "does not pin a public key", asked: encrypts},
	{name: "post301", option: "--post301", what: "does not send a POST again when it is redirected", asked: postsAgain},
	{name: "post302", option: "--post302", what: "does not send a POST again when it is redirected", asked: postsAgain},
	{name: "post303", option: "--post303", what: "does not send a POST again when it is redirected", asked: postsAgain},
	{name: "preproxy", option: "--preproxy", what: "does not go through two proxies"},
	{name: "proto", option: "--proto", what: "does not limit the protocols", asked: func(_ *Client, c *Call) bool { return c.follows() || c.UnknownScheme() }}, // curl takes the URL of the command
	{name: "protoRedir", option: "--proto-redir", what: "does not limit the protocols of redirects", asked: follows},
	{name: "proxyAuth", what: "does not authenticate at the proxy in another way than Basic", spells: proxyAuthOption, asked: func(_ *Client, c *Call) bool { return len(c.Asked.ProxyUser) > 0 && c.Option("proxyAuth") != "basic" }},
	{name: "proxyCacert", option: "--proxy-cacert", what: "does not trust other certificates of the proxy", asked: encryptsToProxy},
	{name: "proxyCapath", option: "--proxy-capath", what: "does not trust other certificates of the proxy", asked: encryptsToProxy},
	{name: "proxyCert", option: "--proxy-cert", what: "does not show the proxy a certificate", asked: encryptsToProxy},
	{name: "proxyHeaders", option: "--proxy-header", what: "does not send fields to the proxy only", asked: asksProxy},
	{name: "proxyInsecure", option: "--proxy-insecure", what: "does not trust any certificate of the proxy", asked: encryptsToProxy},
	{name: "proxyPinnedPublicKey", option: "--proxy-pinnedpubkey", what: "does not pin a public key of the proxy", asked: encryptsToProxy},
	// The way to an https URL is a tunnel anyway.
	{name: "proxyTunnel", option: "--proxytunnel", what: "does not reach an http URL through a tunnel", asked: func(_ *Client, c *Call) bool { return !c.Secure() && strings.HasPrefix(c.ProxyScheme(), "http") }},
	{name: "resolve", option: "--resolve", what: "does not give a host an address of its own", asked: connectsElsewhere},

	{name: "alpn", option: "--no-alpn", off: true, what: "negotiates the version of HTTP within TLS", asked: encrypts},
	{name: "caNative", option: "--ca-native", what: "does not trust the certificates of the system beside those of a file", asked: func(_ *Client, c *Call) bool { return c.says("cacert") && len(c.Asked.CaFile) > 0 }},
	{name: "ciphers", option: "--ciphers", what: "does not choose the ciphers of TLS", asked: encrypts},
	{name: "tls13Ciphers", option: "--tls13-ciphers", what: "does not choose the ciphers of TLS 1.3", asked: encrypts},
	{name: "curves", option: "--curves", what: "does not choose the curves of TLS", asked: encrypts},
	{name: "sigalgs", option: "--sigalgs", what: "does not choose the signatures of TLS", asked: encrypts},
	{name: "ech", option: "--ech", what: "does not encrypt the greeting of TLS", asked: encrypts},
	{name: "engine", option: "--engine", what: "uses no engine of OpenSSL", asked: encrypts},
	{name: "sslAutoClientCert", option: "--ssl-auto-client-cert", what: "does not look for a client certificate", asked: encrypts},
	{name: "proxyCaNative", option: "--proxy-ca-native", what: "does not trust the certificates of the system for the proxy beside those of a file", asked: func(_ *Client, c *Call) bool { return c.says("proxyCacert") && encryptsToProxy(nil, c) }},
	{name: "proxyCertType", option: "--proxy-cert-type", what: "reads the certificate for the proxy as PEM", asked: showsProxyCertificate},
	{name: "proxyKey", option: "--proxy-key", what: "has the key for the proxy read from the file of its certificate", asked: showsProxyCertificate},
	{name: "proxyKeyType", option: "--proxy-key-type", what: "reads the key for the proxy as PEM", asked: showsProxyCertificate},
	{name: "proxyKeyPassword", option: "--proxy-pass", what: "does not give the password of the key for the proxy", asked: showsProxyCertificate},
	{name: "proxyCrlfile", option: "--proxy-crlfile", what: "does not read a list of revoked certificates of proxies", asked: encryptsToProxy},
	{name: "proxyCiphers", option: "--proxy-ciphers", what: "does not choose the ciphers for the proxy", asked: encryptsToProxy},
	{name: "proxyTls13Ciphers", option: "--proxy-tls13-ciphers", what: "does not choose the ciphers for the proxy", asked: encryptsToProxy},
	{name: "proxyHttp2", option: "--proxy-http2", what: "speaks HTTP/1.1 to the proxy", asked: encryptsToProxy},
	{name: "proxyHttp3", option: "--proxy-http3", what: "speaks HTTP/1.1 to the proxy", asked: encryptsToProxy},
	{name: "ipVersion", what: "does not choose between IPv4 and IPv6", spells: ipVersionOption},
	{name: "dnsInterface", option: "--dns-interface", what: "does not choose the interface that resolves names"},
	{name: "dnsIpv4Addr", option: "--dns-ipv4-addr", what: "does not choose the address that resolves names"},
	{name: "dnsIpv6Addr", option: "--dns-ipv6-addr", what: "does not choose the address that resolves names"},
	{name: "ipTos", option: "--ip-tos", what: "does not set the type of service"},
	{name: "vlanPriority", option: "--vlan-priority", what: "does not set the priority in a VLAN"},
	{name: "mptcp", option: "--mptcp", what: "does not use several paths"},
	{name: "hsts", option: "--hsts", what: "does not remember which hosts want HTTPS"},
	{name: "http09", option: "--http0.9", what: "does not ask for responses without a head"},
	{name: "ignoreContentLength", option: "--ignore-content-length", what: "heeds Content-Length"},
	{name: "raw", option: "--raw", what: "joins the pieces of a chunked response"},
	{name: "speedLimit", option: "-Y", what: "does not end a slow transfer"},
	{name: "speedTime", option: "-y", what: "does not end a slow transfer", asked: func(_ *Client, c *Call) bool { return !c.Has("speedLimit") }},
	{name: "etagSave", option: "--etag-save", what: "does not save the ETag"},
	{name: "remoteTime", option: "-R", what: "does not give the file the time of the response", asked: writesFile},
	{name: "clobber", option: "--no-clobber", off: true, what: "writes over a file that exists", asked: writesFile},
	{name: "skipExisting", option: "--skip-existing", what: "writes over a file that exists", asked: writesFile},
	{name: "removeOnError", option: "--remove-on-error", what: "keeps the file of a transfer that failed", asked: writesFile},
	{name: "xattr", option: "--xattr", what: "does not note the URL in the attributes of the file", asked: writesFile},

	{name: "tlsMax", option: "--tls-max", what: "does not set the highest version of TLS", asked: func(k *Client, c *Call) bool { return k.boundsTLS(c, "tlsMax") }},
	{name: "tlsMin", option: "--tlsv1", what: "does not set the lowest version of TLS", asked: func(k *Client, c *Call) bool { return k.boundsTLS(c, "tlsMin") }},
}

func fails(_ *Client, c *Call) bool            { return c.Asked.Fail }
func follows(_ *Client, c *Call) bool          { return c.follows() }
func encrypts(_ *Client, c *Call) bool         { return c.Encrypts }
func showsCertificate(_ *Client, c *Call) bool { return len(c.Asked.Cert) > 0 }
func asksProxy(_ *Client, c *Call) bool        { return c.ProxyScheme() != "" }
func encryptsToProxy(_ *Client, c *Call) bool  { return c.ProxyScheme() == "https" }
func showsProxyCertificate(_ *Client, c *Call) bool {
	return c.says("proxyCert") && encryptsToProxy(nil, c)
}
func connectsElsewhere(_ *Client, c *Call) bool { return c.elsewhere() }
func postsAgain(_ *Client, c *Call) bool        { return c.follows() && c.Method == "POST" }

// NamesOutput reports whether an option of curl says where the response goes.
func (c *Call) NamesOutput() bool {
	return c.Has("output") || c.Has("remoteName") || c.Has("discardOutput")
}

// reportStdout reports what a program does not lead to the file to which the shell leads all that
// curl prints: it writes the content of one response there.
func (p *Program) reportStdout(c *Call) {
	if name, _ := c.Option("stdout").(string); name == "" || name == NullDevice || p.IsFunction() {
		return
	}
	if c.Options.On("appendStdout") && !c.NamesOutput() {
		p.omits(c.Place("appendStdout"), ">>", "writes the file anew, and adds nothing to it")
	}
	if len(c.writeOut()) > 0 {
		p.omits(c.Place("stdout"), ">", "prints the text of -w, and does not write it to the file")
	}
}

func writesFile(_ *Client, c *Call) bool {
	name := c.Asked.Output.Source()
	return name != "" && name != "-" && name != NullDevice
}

func ipVersionOption(value any) emit.Phrase {
	if value == int64(6) {
		return "-6"
	}
	return "-4"
}

func proxyAuthOption(value any) emit.Phrase {
	name, _ := value.(string)
	return proxyAuthOptions[name]
}

// boundsTLS reports whether the program has to name a version of TLS.
func (k *Client) boundsTLS(c *Call, name string) bool {
	return c.Encrypts && (!k.ModernTLS || c.boundsTLS(name))
}

// refusals are the options without which the client would send another request, or to
// another server.
var refusals = []struct {
	name   string
	what   emit.Phrase
	hint   string      // beside other targets
	option emit.Phrase // that a format leaves out, because it says nothing of connections; "": none
}{
	{"cookieFiles", "does not read all cookie files that curl reads", "pass the content of the file in files", ""},
	{"unixSocket", "cannot connect to a Unix socket", "", "--unix-socket"},
	{"junkSessionCookies", "sends the session cookies of a file", "", ""},
	{"crlf", "does not end the lines of a file with CRLF", "", ""},
}

// ReportLosses warns of what the command asks for and the written program does not say,
// notes each in the program, and makes errors of those that change the request.
func (p *Program) ReportLosses(c *Call) {
	k := &p.Target.Facts
	p.reportStdout(c)
	p.reportTurns(c)
	if k.Everything {
		p.reportCookies(c)
		return
	}
	p.reportAccepted(c)
	p.noteFormJSON(c)
	p.reportStays(c)
	for i := range losses {
		if l := &losses[i]; c.Has(l.name) && c.Option(l.name) != l.off && !c.says(l.name) && (l.asked == nil || l.asked(k, c)) {
			option := l.option
			if l.spells != nil {
				option = l.spells(c.Option(l.name))
			}
			if p.Target.Kind == File && l.tool != "" {
				p.LossAt(c.Place(l.name), option, l.tool)
			} else {
				p.omits(c.Place(l.name), option, l.what)
			}
		}
	}
	if c.Encrypts && len(c.Asked.KeyPassword) > 0 && !c.passes && !c.Has("keyPassword") && c.says("cert") {
		p.omits(c.Place("cert"), "--cert", "does not give the password of the key")
	}
	p.refuseJar(c)
	begins := c.begins() && !c.says("cookieFiles")
	if begins {
		p.reportBeginning(c)
	}
	for _, r := range refusals {
		if r.name == "cookieFiles" && begins {
			continue
		}
		switch {
		case !c.Has(r.name) || c.says(r.name) || r.name == "cookieFiles" && len(c.Asked.CookieFiles) == 0:
		case k.Format && r.option != "" && !p.Exact():
			p.LossAt(c.Place(r.name), r.option, "")
		default:
			p.refused(reason{r.what, c.Place(r.name)}, "", r.hint)
		}
	}
	if f := c.joined; f != nil {
		p.RefuseName(f.At, "sends two values of one field in one", f.Name)
	}
	if f := c.once; f != nil {
		p.CannotAt(f.At, "sends a field of one value once", "curl sends it again, with the same value")
	}
	p.reportPrinted(c)
	p.reportVersion(c)
	for _, o := range c.dropped {
		p.LossAt(o.Span, fixedOptions[o.Name], "takes no variable there")
	}
	p.reportNames(c)
	p.reportCookies(c)
	p.reportKept(c)
	p.reportRedirects(c)
	p.reportVariables(c)
	if c.Unsplit() != nil && (c.Basic == nil || !k.Joins) {
		p.DiffersAt(c.Auth.Span, "does not split the variable of -u into a user name and a password")
	}
	if !k.Guesses {
		p.ReportTypes(c)
	}
}

// noteFormJSON says in the program that JSON goes out as a form, which looks like a mistake there.
func (p *Program) noteFormJSON(c *Call) {
	f, v := c.Field("Content-Type"), c.Content.JSON
	if f != nil && f.TypesContent() && f.Value.Source() == FormType && v != nil && (v.Kind == emit.ObjectValue || v.Kind == emit.ArrayValue) {
		p.noteAt(Nowhere, "The command sends this JSON as a form; --json would send it as JSON.")
	}
}

// triesAgain reports whether the command asks for further tries.
func (c *Call) triesAgain() bool {
	n, _ := c.Option("retry").(int64)
	return n > 0
}

// follows reports whether the command follows redirects, whatever the client does.
func (c *Call) follows() bool { return c.Options.Redirects().Follow }

// keepTo takes from a call what the client cannot do with its request, before anything
// is written: redirects that it does not follow, or would follow with a credential that
// curl takes to no other host, and further tries of what it sends once.
func (c *Call) keepTo(k *Client) {
	c.exposes = k.exposes(c)
	if k.Follows != nil && !slices.Contains(k.Follows, c.Method) || c.exposes != "" {
		c.Asked.Follow = false
	}
	if c.TakesInput() || k.Once != nil && k.Once(c) {
		c.Asked.Retries = 0
	}
}

// reportStays warns of what keepTo took, and of content that the client cannot send again.
func (p *Program) reportStays(c *Call) {
	k := &p.Target.Facts
	switch asked := c.follows(); {
	case asked && k.Follows != nil && len(k.Follows) == 0:
		p.LossAt(c.Place("followRedirects"), "-L", "does not follow redirects")
	case asked && k.Follows != nil && !slices.Contains(k.Follows, c.Method):
		p.LossAt(c.Place("followRedirects"), "-L", "follows no redirects of this method")
	case asked && c.exposes != "":
		p.LeavesOut(c.Place("followRedirects"), "-L", "follows no redirects, because it would send "+c.exposes+" to every host that it is redirected to")
	case c.Asked.Follow && k.Stuck != nil && !k.LoopsFor(c) && k.Stuck(c):
		p.ReportStuck(c)
	}
	if c.triesAgain() && c.Asked.Retries == 0 && c.says("retry") {
		p.LossAt(c.Place("retry"), "--retry", "cannot send this request again")
	}
}

// reportVersion warns of a version of HTTP that the client does not speak where it is
// asked to.
func (p *Program) reportVersion(c *Call) {
	k, version := &p.Target.Facts, c.Asked.HTTPVersion
	speaks := func(version string) bool { return slices.Contains(k.Versions, version) }
	place := c.Place("httpVersion")
	switch {
	case version == "":
	case version == "1.1" && c.Encrypts && k.Http2 && !speaks("1.1"):
		p.LossAt(place, "--http1.1", "speaks HTTP/2 where the server does")
	case version != "1.1" && !speaks(version):
		p.LossAt(place, versionOptions[version], "does not speak this version of HTTP on demand")
	case version == "2" && !c.Secure() && !speaks("h2c"):
		p.LossAt(place, "--http2", "does not ask for HTTP/2 over plain HTTP")
	}
}

// reportNames warns of a proxy and of a host that only the machine knows: the client asks
// it otherwise than curl.
func (p *Program) reportNames(c *Call) {
	k := &p.Target.Facts
	if c.Direct() && k.Environs {
		member, option := "noproxy", emit.Phrase("--noproxy")
		if c.Has("proxy") {
			member, option = "proxy", "-x"
		}
		p.LossAt(c.Place(member), option, "asks the proxies that its environment names")
	}
	if c.Misses("etag") {
		p.Loss("--etag-compare", "does not read the ETag of a file")
	}
	if c.unguessed {
		p.Cannot("guesses no scheme", shown(c.URLText[0].Variable)+" must bring one; curl takes http where it brings none")
		p.noteAt(Nowhere, "The variable at the beginning of the URL must bring a scheme; curl takes http where it brings none.")
	}
	if name := c.belowLocalhost(); name != "" && !k.Loopback && !k.Format {
		p.Cannot("asks the resolver for a name below localhost", "curl takes "+shortened(name)+" for the machine itself")
		p.noteAt(Nowhere, "The host must resolve to this machine; curl takes every name below localhost for that.")
	}
	if c.unspecified != "" {
		p.noteAt(Nowhere, p.Target.clientName(), " does not connect to ", c.unspecified, ", which is this machine.")
	}
}
