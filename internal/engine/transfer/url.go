package transfer

import (
	"errors"
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/curl"
	"uncoil/internal/engine/curlurl"
	"uncoil/internal/engine/peer"
	"uncoil/internal/engine/source/word"
)

// urlList is the URLs that one URL argument stands for.
type urlList struct {
	masked curlurl.Masked
	glob   *curlurl.Glob // nil: just the one
	count  int64
	done   bool
}

// next returns the next URL, placeholders masked.
func (l *urlList) next() (string, bool) {
	if l.glob != nil {
		return l.glob.Next()
	}
	if l.done {
		return "", false
	}
	l.done = true
	return l.masked.Text, true
}

// urls reads the globs of a URL, unless -g or a file of URLs switch that off.
func (b *builder) urls(c *config, n *node) (urlList, *diag.Diagnostic) {
	l := urlList{count: 1}
	if b.in.Placeholders {
		l.masked = curlurl.MaskHost(n.url.word(), b.in.Raw(n.url.span()), b.in.Meter)
	} else {
		l.masked = curlurl.Mask(n.url.word(), b.in.Meter)
	}
	if c.globOff || n.noGlob || !curlurl.HasGlob(l.masked.Text) {
		return l, nil
	}
	glob, err := curlurl.ParseGlob(l.masked.Text, b.in.Meter)
	if err != nil {
		if len(n.url.holes()) > 0 {
			return l, nil // what the shell would put there may mend it
		}
		d := globError(n.url, err)
		if _, err := curlurl.Parse(l.masked.Text, 0, b.in.Meter); err != nil {
			d.Hint = "curl does not take this URL with -g either: write what is meant in the place of the brackets and braces"
		}
		return l, d
	}
	l.glob, l.count = glob, glob.Count
	return l, nil
}

func globError(v value, err error) *diag.Diagnostic {
	span := v.span()
	d := &diag.Diagnostic{Code: diag.CodeInvalidGlob, Span: span, Message: err.Error(),
		Hint: "use -g to send the brackets and braces as written"}
	var g *curlurl.GlobError
	if errors.As(err, &g) && int(span.End-span.Start) == len(v.Text) {
		d.Span = diag.At(int(span.Start) + g.Offset)
		d.Span.End = min(d.Span.Start+1, span.End)
	}
	return d
}

// uploads appends the files that -T stands for, one for each value of its
// globs; nothing to upload is one empty name.
func (b *builder) uploads(names []string, c *config, n *node) (_ []string, ok bool) {
	name := n.upload.Text
	if name == "" || c.globOff || !curlurl.HasGlob(name) || len(n.upload.holes()) > 0 {
		return append(names, name), true
	}
	glob, err := curlurl.ParseGlob(name, b.in.Meter)
	if err != nil {
		b.fail(*globError(n.upload, err))
		return nil, false
	}
	if glob.Count > b.left() {
		b.tooMany(n.upload.span(), glob.Count)
		return nil, false
	}
	for {
		name, ok := glob.Next()
		if !ok {
			return names, true
		}
		names = append(names, name)
	}
}

// resolveURL parses the URL of a transfer and does to it what options ask
// for. proceed is false when there is no request; stop reports whether curl
// would give up then, or go on with the next URL.
func (t *transfer) resolveURL(text string) (proceed, stop bool) {
	c := t.c
	named := t.upload != "" && !isStdin(t.upload)
	query, addQuery, ok := t.b.queryText(c)
	if !ok {
		return false, true
	}
	takenApart := named || addQuery || t.namesOutput() // by the tool, which knows nothing of --proto-default
	flags := c.urlFlags(takenApart)
	u, err := curlurl.ParseInto(&t.b.memory.url, text, flags, t.b.in.Meter)
	if err != nil {
		t.fail(diag.CodeInvalidURL, "curl rejects the URL: "+reasonOf(err), urlHint(text))
		_, errTool := curlurl.Parse(text, flags&^curlurl.DisallowUser, t.b.in.Meter) // which the tool allows
		return false, takenApart && errTool != nil
	}
	t.url = u
	if flags&curlurl.DefaultScheme != 0 {
		_, err := curlurl.Parse(text, 0, t.b.in.Meter)
		t.obscure = err != nil
	}
	if !t.checkProxy() {
		return false, false
	}
	if named {
		u.AppendFilename(t.b.in.Marks.Encode(baseName(t.upload), word.Percent, curl.EscapeURL))
	}
	if addQuery {
		if u.Scheme != "" && !isKnownScheme(u.Scheme) {
			return false, !t.checkScheme()
		}
		if err := u.AppendQuery(query); err != nil {
			t.fail(diag.CodeInvalidURL, "curl rejects the URL with the data added: "+reasonOf(err), "use --data-urlencode")
			return false, false
		}
	}
	t.request.Added = addQuery
	if u.Guessed && c.protoDefault.set() {
		u.SetScheme(strings.ToLower(c.protoDefault.Text))
	}
	t.settleProtocol()
	if u.Scheme == "ipfs" || u.Scheme == "ipns" {
		if !t.rewriteIPFS() {
			return false, true
		}
		u = t.url
	}
	if !t.checkScheme() {
		// For what follows curl has taken the URL apart already, and there
		// refused a scheme that it does not know. Where it knows the scheme,
		// and that it takes no control characters in credentials, they end
		// the command: url_set_data_creds() in curl 8.22 lib/url.c.
		if isKnownScheme(u.Scheme) {
			return false, t.foreign && strings.IndexFunc(c.user.Text, isControl) >= 0
		}
		return false, addQuery || t.namesOutput()
	}
	t.loadCookies()
	if err := u.ToASCII(); err != nil {
		code := diag.CodeInvalidURL
		if err == error(curlurl.ErrInternationalHost) {
			code = diag.CodeInternationalHost
		}
		t.fail(code, "curl rejects the URL: "+reasonOf(err), "")
		return false, false
	}
	t.hstsUpgrade(u)
	return true, false
}

// urlFlags returns how curl reads a URL, which the tool takes apart first for some
// options.
func (c *config) urlFlags(takenApart bool) (flags curlurl.Flags) {
	if c.pathAsIs {
		flags |= curlurl.PathAsIs
	}
	if c.disallowUser {
		flags |= curlurl.DisallowUser
	}
	if c.protoDefault.set() && !takenApart {
		flags |= curlurl.DefaultScheme
	}
	return flags
}

func isControl(r rune) bool { return r < ' ' }

func reasonOf(err error) string {
	var e *curlurl.Error
	if errors.As(err, &e) {
		return e.Reason
	}
	return err.Error()
}

func urlHint(text string) string {
	if strings.ContainsAny(text, " \t\n") {
		return "percent-encode the space as %20, or quote the arguments apart"
	}
	return ""
}

// settleProtocol drops what curl sets up only for a URL of http or https, as
// it looks before it is rewritten: http_setopts() in curl 8.22
// src/config2setopts.c.
func (t *transfer) settleProtocol() {
	if s := t.url.Scheme; !t.obscure && (s == "" || s == "http" || s == "https") {
		return
	}
	c := *t.c
	c.cookies, c.cookieFiles, c.savesCookies = nil, nil, false
	c.awsSigv4, c.httpsig, c.hsts = value{}, nil, value{}
	c.trEncoding, c.compressed = false, false
	c.httpVersion, c.settled.known = "", false
	t.c = &c
}

// namesOutput reports whether the output is named after the URL, which curl
// takes apart for that before it sets the transfer up.
func (t *transfer) namesOutput() bool { return t.n.remote && t.n.output == "" && !t.n.discard }

// checkProxy refuses a proxy that is not a URL.
func (t *transfer) checkProxy() bool {
	proxy := t.proxy()
	if proxy == "" || len(t.c.proxyValue.holes()) > 0 || t.c.unixSocket || t.bypassesProxy() {
		return true
	}
	masked := curlurl.Masked{Text: proxy}
	if t.b.in.Placeholders && t.c.proxyValue.set() {
		masked = curlurl.MaskHost(t.c.proxyValue.word(), t.b.in.Raw(t.c.proxyValue.span()), t.b.in.Meter)
		if masked.HasTemplate() {
			t.b.warnKept(t.c.proxyValue.span())
		}
	}
	u, err := curlurl.Parse(masked.Text, 0, t.b.in.Meter)
	if err == nil && !isProxyScheme(u.Scheme) {
		err = &curlurl.Error{Reason: "no proxy has its scheme"}
	}
	if err == nil && (u.Scheme == "socks" || u.Scheme == "socks4") && strings.HasPrefix(t.url.Host, "[") && !t.c.connectTo {
		err = &curlurl.Error{Reason: "SOCKS4 has no IPv6 addresses"} // socks4_resolving() in curl 8.22 lib/socks.c
	}
	if err != nil {
		t.b.fail(diag.Diagnostic{Code: diag.CodeInvalidArgument, Span: t.c.proxyValue.span(), Option: t.c.proxyValue.from(),
			Message: "curl rejects the proxy: " + reasonOf(err)})
		return false
	}
	return true
}

// isKnownScheme reports a scheme that curl takes in a URL, if only one of a
// proxy's.
func isKnownScheme(scheme string) bool { return curl.KnownProtocol(scheme) || isProxyScheme(scheme) }

func isProxyScheme(scheme string) bool {
	switch scheme {
	case "http", "https", "socks", "socks4", "socks4a", "socks5", "socks5h":
		return true
	}
	return false
}

// bypassesProxy reports whether --noproxy names the host.
func (t *transfer) bypassesProxy() bool {
	c := t.c
	if c.noProxy == "" {
		return false
	}
	if c.noProxyHosts == nil {
		if !t.b.in.Meter.Hold(2*len(c.noProxy)) || !t.b.in.Meter.Work(16*len(c.noProxy)) {
			return false
		}
		hosts := peer.ParseNoProxy(c.noProxy)
		c.noProxyHosts = &hosts
	}
	return t.b.in.Meter.Work(stepsOfHost*c.noProxyHosts.Len()) && c.noProxyHosts.Names(t.url.Host)
}

// stepsOfHost is what it takes to compare a host with one of --noproxy.
const stepsOfHost = 8

// proxy returns the proxy that an option gives, or else the environment for
// the URL's scheme.
func (t *transfer) proxy() string {
	if t.c.proxyValue.set() {
		return t.c.proxy
	}
	env := t.b.in.Env
	if len(env) == 0 {
		return ""
	}
	scheme := t.url.Scheme
	if rest, ok := strings.CutPrefix(scheme, "ws"); ok {
		scheme = "http" + rest
	}
	for _, name := range []string{scheme + "_proxy", strings.ToUpper(scheme) + "_PROXY", "all_proxy", "ALL_PROXY"} {
		if name != "HTTP_PROXY" && env[name] != "" {
			return env[name]
		}
	}
	return ""
}

// checkScheme accepts the schemes of HTTP, as far as --proto allows them.
func (t *transfer) checkScheme() bool {
	scheme := t.url.Scheme
	switch {
	case scheme == "", curlurl.DefaultPort(scheme) != "":
	case scheme == "ftp" && t.httpProxy() && !t.c.unixSocket: // which overrides a proxy: create_conn() in curl 8.22 lib/url.c
	default:
		t.foreign = curl.KnownProtocol(scheme)
		t.fail(diag.CodeUnsupportedScheme, "the URL's scheme is "+printable(scheme)+", which is not HTTP", "only http, https, ws and wss give an HTTP request")
		return false
	}
	if t.c.restricts && scheme != "" && !t.c.protocols.Has(scheme) {
		t.fail(diag.CodeUnsupportedScheme, "--proto does not allow "+scheme, "")
		return false
	}
	return true
}

// httpProxy reports whether an HTTP proxy stands between, to which curl talks
// HTTP also about ftp URLs.
func (t *transfer) httpProxy() bool {
	proxy := t.proxy()
	scheme, _, ok := strings.Cut(proxy, "://")
	return proxy != "" && !t.bypassesProxy() && !t.c.proxyTunnel && (!ok || strings.HasPrefix(strings.ToLower(scheme), "http"))
}

func printable(s string) string {
	const limit = 40
	if len(s) > limit {
		return s[:limit] + "…"
	}
	return s
}

// tls reports whether the connection is encrypted.
func (t *transfer) tls() bool { return t.url.Scheme == "https" || t.url.Scheme == "wss" }

// requestPath returns the path that curl requests.
func (t *transfer) requestPath() string {
	path, _, _ := strings.Cut(t.url.Target(), "?")
	return path
}

func isStdin(name string) bool { return name == "-" || name == "." }

// baseName is what follows the last slash, and then the last
// backslash, of a file name.
func baseName(name string) string {
	name = name[strings.LastIndexByte(name, '/')+1:]
	return name[strings.LastIndexByte(name, '\\')+1:]
}
