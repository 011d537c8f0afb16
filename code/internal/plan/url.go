package plan

import (
	"net/netip"
	"slices"
	"strings"
	"unicode/utf8"

	"uncoil/code/internal/emit"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/peer"
	"uncoil/internal/engine/reqtext"
	"uncoil/internal/engine/urlparts"
	"uncoil/request"
)

// Title returns a name for the request: the method and the path.
func (c *Call) Title() string {
	_, path, _ := c.URLParts()
	return c.Method + " " + path.Source()
}

// URLParts returns the URL in three parts: what is before the path, the path,
// and the query.
func (c *Call) URLParts() (base, path, query Text) {
	slash := c.URLText.Index("/?#", urlparts.Of(c.URL).Authority)
	mark := c.URLText.Index("?#", slash)
	path = c.URLText.Cut(slash, mark)
	if len(path) == 0 {
		path = Literal("/")
	}
	if c.URLText.Index("?", mark) == mark {
		query = c.URLText.Cut(mark+1, c.URLText.Index("#", mark))
	}
	return c.URLText.Cut(0, slash), path, query
}

// DotSegments reports whether the path of a URL has segments that clients
// remove.
func DotSegments(url string) bool {
	if mark := strings.IndexByte(url, '?'); mark >= 0 {
		url = url[:mark]
	}
	for {
		slash := strings.IndexByte(url, '/')
		if slash < 0 {
			return false
		}
		if url = url[slash+1:]; url == "" || url[0] != '.' && url[0] != '%' {
			continue // as most segments
		}
		if segment, _, _ := strings.Cut(url, "/"); segment == "." || segment == ".." || ascii.HasPrefixFold(segment, "%2e") {
			return true
		}
	}
}

// MalformedPercent reports whether a percent sign in a URL begins no
// percent-encoding, and whether another one does.
func MalformedPercent(url string) (malformed, encoded bool) {
	for i := strings.IndexByte(url, '%'); i >= 0 && i < len(url); i++ {
		switch {
		case url[i] != '%':
		case i+2 < len(url) && ascii.IsHex(url[i+1]) && ascii.IsHex(url[i+2]):
			encoded = true
		default:
			malformed = true
		}
	}
	return malformed, encoded
}

// WellFormed is the rule of a client that reads no malformed percent-encoding.
func WellFormed(url string) bool {
	malformed, _ := MalformedPercent(url)
	return !malformed
}

// AddressParts are the host and the port of a URL, and whether it is https.
type AddressParts struct {
	Host   Text
	Port   string
	Secure bool
	Path   Text // with the query
}

// Address takes the URL apart; it reports false where a variable stands in the
// host or the port.
func (c *Call) Address() (a AddressParts, ok bool) {
	source, parts := c.URL, urlparts.Of(c.URL)
	if parts.Authority == 0 {
		return a, false
	}
	a.Secure = c.Secure()
	host, ok := c.URLText.Cut(parts.Authority, parts.Path).Plain()
	if !ok {
		return a, false
	}
	if i := strings.LastIndexByte(host, ':'); i >= 0 && !strings.HasSuffix(host, "]") {
		host, a.Port = host[:i], host[i+1:]
	}
	a.Host = Literal(host)
	a.Path = c.URLText.Cut(parts.Path, len(source))
	if parts.Path == parts.Query {
		a.Path = Prefixed("/", a.Path)
	}
	return a, true
}

// specify has a client connect to this machine where the host of the URL is the
// unspecified address, as the system of curl does: by what --connect-to says where a
// redirect may lead there again and the client can, and else by the address of this
// machine in the URL, with the host in the field Host. It returns the host then.
func (c *Call) specify(k *Client) emit.Phrase {
	a, ok := c.Address()
	if !ok || c.ProxyScheme() != "" || len(c.Asked.UnixSocket) > 0 || c.elsewhere() {
		return ""
	}
	host := a.Host.Source()
	address, err := netip.ParseAddr(strings.Trim(host, "[]"))
	if err != nil || !address.IsUnspecified() {
		return ""
	}
	machine, unspecified := "127.0.0.1", emit.Phrase("0.0.0.0")
	if address.Is6() {
		machine, unspecified = "[::1]", "[::]"
	}
	if c.Asked.Follow && k.Specified == BySetting {
		c.Asked.ConnectTo = append(slices.Clip(c.Asked.ConnectTo), host+"::"+machine+":")
		return unspecified
	}
	before, after := "://"+host, "://"+machine
	r := *c.Request
	r.URL = strings.Replace(r.URL, before, after, 1)
	c.Request, c.URLText = &r, slices.Clone(c.URLText)
	for i := range c.URLText {
		if p := &c.URLText[i]; strings.Contains(p.Literal, before) {
			p.Literal = strings.Replace(p.Literal, before, after, 1)
			break
		}
	}
	for _, f := range r.Fields {
		if f.Origin == request.OriginDefault && f.Name == "Host" {
			c.headers = slices.Insert(c.headers, 0, Field{Name: f.Name, Value: Literal(f.Value)})
		}
	}
	return unspecified
}

// Connection returns the host and the port to which curl connects, where
// --connect-to or --resolve make them others than the URL's, and else nothing.
// Of several addresses it is the first. The name is asked for as it is in the
// URL, so that the entry for it counts before the one for every name:
// curl 8.22 lib/hostip.c.
func (c *Call) Connection() (host, port string) {
	if len(c.Asked.ConnectTo) == 0 && len(c.Asked.Resolve) == 0 {
		return "", ""
	}
	a, ok := c.Address()
	if !ok {
		return "", ""
	}
	table := peer.Table{ConnectTo: c.Asked.ConnectTo, Resolve: c.Asked.Resolve}
	to, addresses, option := table.Connect(peer.Host{Name: peer.Unbracketed(a.Host.Source()), Port: a.PortOr()})
	switch {
	case option == "":
		return "", ""
	case len(addresses) > 0:
		return addresses[0], to.Port
	}
	return to.Name, to.Port
}

// belowLocalhost returns the host of the URL where it is a name below localhost, which
// curl takes for the machine itself, and nothing where a proxy, --resolve or
// --connect-to say what it is: curl 8.22 lib/vdns/hostip.c.
func (c *Call) belowLocalhost() string {
	const below = ".localhost"
	if !ascii.ContainsFold(c.URL, below) {
		return "" // as nearly every URL, which is not taken apart then
	}
	a, ok := c.Address()
	if !ok || c.ProxyScheme() != "" || c.elsewhere() {
		return ""
	}
	host := a.Host.Source()
	name := strings.TrimSuffix(host, ".")
	if len(name) < len(below) || !ascii.EqualFold(name[len(name)-len(below):], below) {
		return ""
	}
	return host
}

// elsewhere reports whether curl connects to another host or port than the
// URL's, as far as is known.
func (c *Call) elsewhere() bool {
	host, _ := c.Connection()
	_, known := c.Address()
	return host != "" || !known
}

// JoinHostPort returns a host, an address of IPv6 in brackets, and a port.
func JoinHostPort(host, port string) string {
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	return host + ":" + port
}

// PortOr returns the port, or that of the scheme.
func (a *AddressParts) PortOr() string {
	switch {
	case a.Port != "":
		return a.Port
	case a.Secure:
		return "443"
	}
	return "80"
}

// PercentEncoded returns a URL with the characters that some clients refuse
// percent-encoded: those outside of ASCII, and the unsafe ones.
func PercentEncoded(url Text, unsafe string) Text {
	out := slices.Clone(url)
	for i := range out {
		var b []byte
		for j := range len(out[i].Literal) {
			if c := out[i].Literal[j]; c < utf8.RuneSelf && !emit.Contains(unsafe, c) {
				b = append(b, c)
			} else {
				b = append(b, '%', emit.UpperHex[c>>4], emit.UpperHex[c&15])
			}
		}
		out[i].Literal = string(b)
	}
	return out
}

// Scheme returns the scheme of the URL.
func (c *Call) Scheme() string { return urlparts.Scheme(c.URL) }

// withoutUsualPort returns a URL without a port that its scheme implies.
func withoutUsualPort(url string) string {
	port := ":80"
	if ascii.EqualFold(urlparts.Scheme(url), "https") {
		port = ":443"
	}
	path := urlparts.Of(url).Path
	if bare, ok := strings.CutSuffix(url[:path], port); ok {
		return bare + url[path:]
	}
	return url
}

// writesAnew reports whether the client would write the path of a URL anew, with other
// percent-encoding. net/url does where a path has a character that it would encode, and
// an encoded one that it would not, or in small letters. A placeholder is no such
// character: it will be another text.
func (k *Client) writesAnew(url string) bool {
	if !k.Recodes || strings.IndexByte(url, '%') < 0 {
		return false
	}
	path, _, _ := strings.Cut(url, "?")
	odd, changed := false, false
	for i := 0; i < len(path); i++ {
		c := path[i]
		if c == '%' && i+2 < len(path) {
			c = byte(ascii.Hex(path[i+1])<<4 | ascii.Hex(path[i+2]))
			small := path[i+1] >= 'a' || path[i+2] >= 'a'
			changed = changed || small || !encodedInPath(c) && !emit.Contains("%?#", c)
			i += 2
		} else {
			odd = odd || encodedInPath(c)
		}
	}
	return odd && changed && !strings.Contains(path, "{{")
}

// encodedInPath reports a byte that a path has only percent-encoded: RFC 3986, section
// 3.3.
func encodedInPath(c byte) bool {
	return c <= ' ' || c >= 0x7f || emit.Contains("\"<>\\^`{|}", c)
}

// Spelled returns a request whose URL has the client send what curl sends: without a
// backslash in its path where the client reads one as a slash, and with a path where
// it asks a proxy for the URL, as many ask for what they are given. Bytes that are no
// text are percent-encoded, and so is what makes a client write a path anew. A port that
// the scheme implies is left out where the client would name it in Host.
func (k *Client) Spelled(r *request.Request) *request.Request {
	path, rest := r.URL, ""
	if i := strings.IndexByte(r.URL, '?'); i >= 0 {
		path, rest = r.URL[:i], r.URL[i:]
	}
	slashes := k.Slashes && strings.IndexByte(path, '\\') >= 0
	bare, usual := false, false
	if slices.ContainsFunc(r.Options, func(o request.Option) bool { return o.Name == "proxy" && o.Value != "" }) {
		parts := urlparts.Of(path)
		bare = parts.Authority > 0 && !k.Everything && parts.Path == len(path) && len(reqtext.In(r.Variables, reqtext.At(request.MemberURL, 0))) == 0
	} else {
		usual = k.Ports && withoutUsualPort(path) != path && len(reqtext.In(r.Variables, reqtext.At(request.MemberURL, 0))) == 0
	}
	bytes := !k.Everything && !utf8.ValidString(r.URL)
	anew := k.writesAnew(r.URL) && len(reqtext.In(r.Variables, reqtext.At(request.MemberURL, 0))) == 0
	if !slashes && !bare && !usual && !bytes && !anew {
		return r
	}
	if anew {
		path = Literal(path).Escaped(encodedInPath).Source()
	}
	if slashes {
		path = strings.ReplaceAll(path, `\`, "%5C")
	}
	if bare {
		path += "/"
	}
	if usual {
		path = withoutUsualPort(path)
	}
	url := path + rest
	if bytes {
		url = Literal(url).Escaped(func(byte) bool { return false }).Source()
	}
	encoded := *r
	encoded.URL = url
	return &encoded
}

// GoPercents reports whether net/url reads a URL: one with a malformed
// percent-encoding in its path is an error.
func GoPercents(url string) bool {
	path, _, _ := strings.Cut(url, "?")
	return WellFormed(path)
}

// GoHost reports whether net/http sends a value of Host: validHostHeader of Go 1.26
// net/http/internal/httpguts knows these characters; other values it leaves out.
func GoHost(host string) bool {
	return !strings.ContainsFunc(host, func(c rune) bool {
		return c >= 0x80 || !ascii.IsNameByte(byte(c)) && !strings.ContainsRune("!$%&()*+,-.:;=[']~", c)
	})
}

// RequestsPercents reports whether requests keeps the percent signs of a URL:
// where one is malformed, it encodes each.
func RequestsPercents(url string) bool {
	malformed, encoded := MalformedPercent(url)
	return !malformed || !encoded
}

// DecodesUnreserved reports a percent-encoding of a letter, a digit, or one of
// - . _ ~, which some clients decode.
func DecodesUnreserved(url string) bool {
	for i := strings.IndexByte(url, '%'); i >= 0 && i+2 < len(url); i++ {
		if url[i] != '%' || !ascii.IsHex(url[i+1]) || !ascii.IsHex(url[i+2]) {
			continue
		}
		c := byte(ascii.Hex(url[i+1])<<4 | ascii.Hex(url[i+2]))
		if ascii.IsLetter(c) || ascii.IsDigit(c) || emit.Contains("-._~", c) || url[i+1] >= 'a' || url[i+2] >= 'a' {
			return true
		}
	}
	return false
}

// PortOr returns the port, or the one that curl takes.
func (s *proxyServer) PortOr() string {
	if s.Port == "" {
		return "1080"
	}
	return s.Port
}
