package code

import (
	"strconv"
	"strings"
)

// exchangeArguments adds what shapes the exchange: redirects, TLS, time limits,
// proxies.
func (r *pythonRequest) exchangeArguments() {
	if !r.follow {
		r.arguments = append(r.arguments, leaf("allow_redirects=False"))
	} else if r.Method == "HEAD" {
		r.arguments = append(r.arguments, leaf("allow_redirects=True"))
	}
	if r.follow && r.maxRedirects >= 0 && r.maxRedirects != curlRedirects {
		r.session = append(r.session, "session.max_redirects = "+strconv.FormatInt(r.maxRedirects, 10))
	}
	switch {
	case r.timeout > 0 && r.connectTimeout > 0:
		r.arguments = append(r.arguments, leaf("timeout=("+seconds(r.connectTimeout)+", "+seconds(r.timeout)+")"))
	case r.connectTimeout > 0:
		r.arguments = append(r.arguments, leaf("timeout=("+seconds(r.connectTimeout)+", None)"))
	case r.timeout > 0:
		r.arguments = append(r.arguments, leaf("timeout="+seconds(r.timeout)))
	}
	switch {
	case r.insecure:
		r.arguments = append(r.arguments, leaf("verify=False"))
	case len(r.caFile) > 0:
		r.add("verify", r.pythonText(r.caFile))
	}
	switch {
	case len(r.cert) > 0 && len(r.key) > 0:
		r.add("cert", group("", "(", []node{r.pythonText(r.cert), r.pythonText(r.key)}, ")"))
	case len(r.cert) > 0:
		r.add("cert", r.pythonText(r.cert))
	}
	r.proxyArgument()
	if r.retries > 0 {
		r.use("from requests.adapters import HTTPAdapter")
		r.use("from urllib3.util import Retry")
		scheme, _, _ := strings.Cut(r.url.source(), "://")
		r.session = append(r.session,
			"retry = Retry("+strconv.FormatInt(r.retries, 10)+", status_forcelist=[408, 429, 500, 502, 503, 504, 522, 524], allowed_methods=None, backoff_factor=1)",
			`session.mount("`+strings.ToLower(scheme)+`://", HTTPAdapter(max_retries=retry))`)
	}
	if len(r.cookieJar) > 0 && len(r.cookieFiles) == 0 {
		r.use("from http.cookiejar import MozillaCookieJar")
		r.session = append(r.session, "session.cookies = MozillaCookieJar("+r.pythonText(r.cookieJar).head+")")
	}
}

// seconds writes a number of seconds.
func seconds(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

func (r *pythonRequest) proxyArgument() {
	if r.proxyScheme() == "" {
		return
	}
	url := r.proxyURL()
	proxies := group("", "{", []node{named(`"http": `, r.pythonText(url)), named(`"https": `, r.pythonText(url))}, "}")
	r.add("proxies", proxies)
}

// withUser puts credentials into a URL.
func withUser(url, user text) text {
	i := strings.Index(url.source(), "://") + len("://")
	var encoded text
	for _, p := range user {
		if p.variable == nil {
			name, password, both := strings.Cut(p.literal, ":")
			s := string(encodeComponents.escape(nil, name))
			if both {
				s += ":" + string(encodeComponents.escape(nil, password))
			}
			p.literal = s
		}
		encoded = append(encoded, p)
	}
	out := append(url.cut(0, i), encoded...)
	out = append(out, part{literal: "@"})
	return append(out, url.cut(i, len(url.source()))...)
}

// cookieFile loads the cookies of files that were not supplied. curl goes on
// without a file that it cannot read, and takes an expiry of 0 for the end of
// the session.
func (r *pythonRequest) cookieFile() {
	if len(r.cookieFiles) > 0 {
		r.cannot("reads cookies in the format of Netscape only", "a file of Set-Cookie lines ends the program with an error")
	}
	for _, name := range r.cookieFiles {
		r.use("import contextlib")
		r.use("from http.cookiejar import MozillaCookieJar")
		r.session = append(r.session,
			"session.cookies = MozillaCookieJar("+r.pythonText(name).head+")",
			"with contextlib.suppress(FileNotFoundError):  # as curl does",
			r.indent+"session.cookies.load(ignore_discard=True, ignore_expires=True)",
			"for cookie in session.cookies:",
			r.indent+"cookie.expires = cookie.expires or None  # 0: until the session ends")
	}
}
