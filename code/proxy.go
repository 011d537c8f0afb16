package code

import (
	"slices"
	"strings"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/curl"
)

// proxyScheme returns how the proxy is spoken to, or nothing without a proxy.
func (c *call) proxyScheme() string {
	proxy := c.proxy.source()
	if proxy == "" {
		return ""
	}
	scheme, _, found := strings.Cut(proxy, "://")
	if !found {
		return "http"
	}
	return strings.ToLower(scheme)
}

// proxyKinds are the schemes of proxies that curl takes: parse_proxy() in curl 8.22
// lib/url.c.
var proxyKinds = fieldNames{"http", "https", "socks4", "socks4a", "socks5", "socks5h", "socks"}

// direct reports whether curl asks no proxy, whatever its environment says: -x
// with an empty address, or --noproxy for the host of the URL.
func (c *call) direct() bool {
	if c.proxyScheme() != "" || c.member("proxy") != nil {
		return c.proxyScheme() == ""
	}
	return c.noProxy != "" && c.exempt()
}

// replacesNoProxy reports whether --noproxy says which hosts are asked without the
// proxies that the environment names, in the place of NO_PROXY.
func (c *call) replacesNoProxy() bool { return c.noProxy != "" && c.proxyScheme() == "" && !c.direct() }

// exempt reports whether --noproxy names the host of the URL.
func (c *call) exempt() bool {
	a, _ := c.address() // no host where a variable hides it
	return curl.ParseNoProxy(c.noProxy).Names(a.host.source())
}

// proxyURL returns the address of the proxy with its scheme, its port, which is
// another one by default in clients, and credentials. curl asks no proxy for a path,
// and some clients take none.
func (c *call) proxyURL() text {
	proxy := c.proxy
	if !strings.Contains(proxy.source(), "://") {
		proxy = prefixed("http://", proxy)
	}
	scheme, host, _ := strings.Cut(proxy.source(), "://")
	start := len(scheme) + len("://") + strings.LastIndexByte(host, '@') + 1
	host, _, _ = strings.Cut(proxy.source()[start:], "/")
	if strings.HasPrefix(c.proxyScheme(), "http") {
		proxy = proxy.cut(0, start+len(host))
	}
	if proxy[len(proxy)-1].variable == nil && !strings.Contains(host[strings.LastIndexByte(host, ']')+1:], ":") {
		port := ":1080"
		if ascii.EqualFold(scheme, "https") {
			port = ":443"
		}
		proxy = mergeLiterals(append(proxy.cut(0, start+len(host)), part{literal: port}))
	}
	if len(c.proxyUser) > 0 {
		proxy = mergeLiterals(withUser(proxy, c.proxyUser))
	}
	return withPassword(proxy)
}

// withPassword returns the URL of a proxy with an empty password after a user name
// that has none: some clients send no credentials without a password.
func withPassword(url text) text {
	source := url.source()
	start, at := strings.Index(source, "://")+len("://"), strings.LastIndexByte(source, '@')
	if at <= start {
		return url
	}
	if user := url.cut(start, at); hasVariable(user) || strings.Contains(user.source(), ":") {
		return url
	}
	return mergeLiterals(slices.Concat(url.cut(0, at), literal(":"), url.cut(at, len(source))))
}

// proxyParts returns the address of the proxy without credentials, and those.
func (c *call) proxyParts() (address, user, password text) {
	address, both := c.proxyURL(), c.proxyUser
	source := address.source()
	start := strings.Index(source, "://") + len("://")
	if at := strings.LastIndexByte(source, '@'); at >= 0 {
		if len(both) == 0 {
			both = address.cut(start, at)
		}
		address = mergeLiterals(append(address.cut(0, start), address.cut(at+1, len(source))...))
	}
	parts := both.split(':')
	switch {
	case len(parts) > 1:
		user = parts[0]
		password = both.cut(len(user.source())+1, len(both.source()))
	case len(both) == 1 && c.cuts && hasVariable(both):
		one := splitVariable(both)
		user, password = one.user, one.password
	default:
		user = both
	}
	return address, percentDecoded(user), percentDecoded(password)
}

// refuseProxyColon makes an error of a user name for the proxy that has a colon, of
// which the password would begin for a server: the client ends there.
func (p *program) refuseProxyColon(c *call) {
	if _, user, _ := c.proxyParts(); (&credentials{user: user}).colon() {
		p.refuse("takes no user name with a colon for a proxy")
	}
}

// percentDecoded returns a part of the credentials for a proxy, which curl decodes in a URL
// and in -U: CURLOPT_PROXYUSERPWD in curl 8.22 lib/setopt.c.
func percentDecoded(t text) text {
	t = slices.Clone(t)
	for i := range t {
		t[i].literal = ascii.Decoded(t[i].literal, false)
	}
	return t
}

// withUser puts credentials into a URL.
func withUser(url, user text) text {
	i := strings.Index(url.source(), "://") + len("://")
	var encoded text
	for _, p := range user {
		if p.variable == nil {
			name, password, both := strings.Cut(p.literal, ":")
			s := string(encodeComponents.escape(nil, ascii.Decoded(name, false)))
			if both {
				s += ":" + string(encodeComponents.escape(nil, ascii.Decoded(password, false)))
			}
			p.literal = s
		}
		encoded = append(encoded, p)
	}
	out := append(url.cut(0, i), encoded...)
	out = append(out, part{literal: "@"})
	return append(out, url.cut(i, len(url.source()))...)
}

// A proxyServer is a proxy, taken apart.
type proxyServer struct {
	scheme, host, port string
	credentials        *credentials // nil for none
}

// proxyServer takes the address of the proxy apart; it reports false where a
// variable stands in it, other than in its credentials.
func (c *call) proxyServer() (s proxyServer, ok bool) {
	address, user, password := c.proxyParts()
	source, ok := address.plain()
	if len(user) > 0 {
		s.credentials = &credentials{user: user, password: password}
	}
	scheme, rest, _ := strings.Cut(source, "://")
	rest, _, _ = strings.Cut(rest, "/")
	s.scheme = strings.ToLower(scheme)
	s.host, s.port = cutHost(rest)
	return s, ok
}
