package compare

import (
	"cmp"
	"strings"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/urlparts"
	"uncoil/request"
)

// usualPorts are the ports that need not be said.
var usualPorts = map[string]string{"http": "80", "https": "443", "ws": "80", "wss": "443", "ftp": "21", "ftps": "990"}

// url compares the parts of two URLs. A fragment is not sent.
func (c *comparer) url(a, b *request.Request) {
	one, other := urlparts.Of(a.URL), urlparts.Of(b.URL)
	schemeA, schemeB := strings.ToLower(urlparts.Scheme(a.URL)), strings.ToLower(urlparts.Scheme(b.URL))
	c.values(Scheme, schemeA, schemeB)
	userA, hostA := authority(a.URL[one.Authority:one.Path], schemeA)
	userB, hostB := authority(b.URL[other.Authority:other.Path], schemeB)
	c.maybe(Difference{Kind: User}, userA, userB)
	c.values(Host, hostA, hostB)

	pathA, pathB := a.URL[one.Path:one.Query], b.URL[other.Path:other.Query]
	pathA, pathB = cmp.Or(pathA, "/"), cmp.Or(pathB, "/")
	if c.m.Hold(len(pathA)+len(pathB)) && pathA != pathB {
		c.differ(Difference{Kind: Path, A: text(pathA), B: text(pathB), Spelling: plain(pathA) == plain(pathB)})
	}
	queryA, queryB := a.URL[one.Query:one.Fragment], b.URL[other.Query:other.Fragment]
	c.named(Query, a.Query, b.Query, strings.TrimPrefix(queryA, "?"), strings.TrimPrefix(queryB, "?"))
}

// authority returns the user part of an authority, nil for none, and the host as it is known: in
// lower case, with a port where the scheme does not say it.
func authority(s, scheme string) (user *string, host string) {
	if at := strings.LastIndexByte(s, '@'); at >= 0 {
		user, s = text(s[:at]), s[at+1:]
	}
	host, port := urlparts.CutHost(s)
	host = strings.ToLower(host)
	if port != "" && port != usualPorts[scheme] {
		host += ":" + port
	}
	return user, host
}

// plain returns a path in which letters, digits, "-", ".", "_" and "~" are not encoded, and the
// digits of escapes are capitals: RFC 3986, 6.2.2, calls such paths equivalent.
func plain(path string) string {
	var b strings.Builder
	for i := 0; i < len(path); i++ {
		if path[i] == '%' && i+2 < len(path) && ascii.IsHex(path[i+1]) && ascii.IsHex(path[i+2]) {
			if v := byte(ascii.Hex(path[i+1])<<4 | ascii.Hex(path[i+2])); ascii.IsUnreserved(v) {
				b.WriteByte(v)
			} else {
				b.WriteString(strings.ToUpper(path[i : i+3]))
			}
			i += 2
			continue
		}
		b.WriteByte(path[i])
	}
	return b.String()
}
