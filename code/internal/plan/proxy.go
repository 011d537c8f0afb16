package plan

import (
	"cmp"
	"slices"
	"strings"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/peer"
	"uncoil/internal/engine/urlparts"
)

// ProxyScheme returns how the proxy is spoken to, or nothing without a proxy.
func (c *Call) ProxyScheme() string {
	proxy := c.Asked.Proxy.Source()
	if proxy == "" {
		return ""
	}
	return cmp.Or(strings.ToLower(urlparts.Scheme(proxy)), "http")
}

// proxyAuthority returns where the authority of the URL of a proxy begins and ends, and where
// the @ after its credentials stands, or -1.
func proxyAuthority(url string) (start, at, end int) {
	parts := urlparts.Of(url)
	start, end = parts.Authority, parts.Path
	if at = strings.LastIndexByte(url[start:end], '@'); at >= 0 {
		at += start
	}
	return start, at, end
}

// proxyKinds are the schemes of proxies that curl takes: parse_proxy() in curl 8.22
// lib/url.c.
var proxyKinds = FieldNames{"http", "https", "socks4", "socks4a", "socks5", "socks5h", "socks"}

// Direct reports whether curl asks no proxy, whatever its environment says: -x
// with an empty address, or --noproxy for the host of the URL.
func (c *Call) Direct() bool {
	if c.ProxyScheme() != "" || c.Option("proxy") != nil {
		return c.ProxyScheme() == ""
	}
	return c.Asked.NoProxy != "" && c.exempt()
}

// ReplacesNoProxy reports whether --noproxy says which hosts are asked without the
// proxies that the environment names, in the place of NO_PROXY.
func (c *Call) ReplacesNoProxy() bool {
	return c.Asked.NoProxy != "" && c.ProxyScheme() == "" && !c.Direct()
}

// exempt reports whether --noproxy names the host of the URL.
func (c *Call) exempt() bool {
	a, _ := c.Address() // no host where a variable hides it
	return peer.ParseNoProxy(c.Asked.NoProxy).Names(a.Host.Source())
}

// ProxyURL returns the address of the proxy with its scheme, its port, which is
// another one by default in clients, and credentials. curl asks no proxy for a path,
// and some clients take none.
func (c *Call) ProxyURL() Text {
	c.take("proxy", "proxyUser")
	proxy := c.Asked.Proxy
	if urlparts.Scheme(proxy.Source()) == "" {
		proxy = Prefixed("http://", proxy)
	}
	source := proxy.Source()
	start, at, end := proxyAuthority(source)
	start = max(start, at+1)
	host := source[start:end]
	if strings.HasPrefix(c.ProxyScheme(), "http") {
		proxy = proxy.Cut(0, end)
	}
	if proxy[len(proxy)-1].Variable == nil && !strings.Contains(host[strings.LastIndexByte(host, ']')+1:], ":") {
		port := ":1080"
		if c.ProxyScheme() == "https" {
			port = ":443"
		}
		proxy = MergeLiterals(append(proxy.Cut(0, end), Part{Literal: port}))
	}
	if len(c.Asked.ProxyUser) > 0 {
		proxy = MergeLiterals(withUser(proxy, c.Asked.ProxyUser))
	}
	return withPassword(proxy)
}

// withPassword returns the URL of a proxy with an empty password after a user name
// that has none: some clients send no credentials without a password.
func withPassword(url Text) Text {
	source := url.Source()
	start, at, _ := proxyAuthority(source)
	if at <= start {
		return url
	}
	if user := url.Cut(start, at); HasVariable(user) || strings.Contains(user.Source(), ":") {
		return url
	}
	return MergeLiterals(slices.Concat(url.Cut(0, at), Literal(":"), url.Cut(at, len(source))))
}

// ProxyParts returns the address of the proxy without credentials, and those.
func (c *Call) ProxyParts() (address, user, password Text) {
	address, both := c.ProxyURL(), c.Asked.ProxyUser
	source := address.Source()
	start, at, _ := proxyAuthority(source)
	if at >= 0 {
		if len(both) == 0 {
			both = address.Cut(start, at)
		}
		address = MergeLiterals(append(address.Cut(0, start), address.Cut(at+1, len(source))...))
	}
	parts := both.Split(':')
	switch {
	case len(parts) > 1:
		user = parts[0]
		password = both.Cut(len(user.Source())+1, len(both.Source()))
	case len(both) == 1 && c.cuts && HasVariable(both):
		one := splitVariable(both)
		user, password = one.User, one.Password
	default:
		user = both
	}
	return address, percentDecoded(user), percentDecoded(password)
}

// RefuseProxyColon makes an error of a user name for the proxy that has a colon, of
// which the password would begin for a server: the client ends there.
func (p *Program) RefuseProxyColon(c *Call) {
	if _, user, _ := c.ProxyParts(); (&Credentials{User: user}).Colon() {
		p.Refuse("takes no user name with a colon for a proxy")
	}
}

// percentDecoded returns a part of the credentials for a proxy, which curl decodes in a URL
// and in -U: CURLOPT_PROXYUSERPWD in curl 8.22 lib/setopt.c.
func percentDecoded(t Text) Text {
	t = slices.Clone(t)
	for i := range t {
		t[i].Literal = ascii.Decoded(t[i].Literal, false)
	}
	return t
}

// withUser puts credentials into a URL.
func withUser(url, user Text) Text {
	i := urlparts.Of(url.Source()).Authority
	var encoded Text
	for _, p := range user {
		if p.Variable == nil {
			name, password, both := strings.Cut(p.Literal, ":")
			s := string(encodeComponents.Escape(nil, ascii.Decoded(name, false)))
			if both {
				s += ":" + string(encodeComponents.Escape(nil, ascii.Decoded(password, false)))
			}
			p.Literal = s
		}
		encoded = append(encoded, p)
	}
	out := append(url.Cut(0, i), encoded...)
	out = append(out, Part{Literal: "@"})
	return append(out, url.Cut(i, len(url.Source()))...)
}

// A proxyServer is a proxy, taken apart.
type proxyServer struct {
	Scheme, Host, Port string
	Credentials        *Credentials // nil for none
}

// ProxyServer takes the address of the proxy apart; it reports false where a
// variable stands in it, other than in its credentials, also where variables stay as they
// were typed: programs write the port as a number.
func (c *Call) ProxyServer() (s proxyServer, ok bool) {
	address, user, password := c.ProxyParts()
	source, ok := address.Plain()
	if len(user) > 0 {
		s.Credentials = &Credentials{User: user, Password: password}
	}
	parts := urlparts.Of(source)
	s.Scheme = strings.ToLower(urlparts.Scheme(source))
	s.Host, s.Port = urlparts.CutHost(source[parts.Authority:parts.Path])
	return s, ok && isPort(s.Port)
}

// isPort reports whether a port, unless there is none, is a number. It may be a variable
// that stays as it was typed.
func isPort(s string) bool { return strings.Trim(s, "0123456789") == "" }
