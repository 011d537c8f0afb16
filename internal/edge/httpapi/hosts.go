package httpapi

import (
	"errors"
	"net"
	"net/http"
	"net/netip"
	"strings"

	"uncoil/internal/edge/api"
)

// Hosts are the names that a Host field may have. A web page whose own name
// resolves to this machine (DNS rebinding) counts as of the same origin, and only
// its Host tells it from the pages of the service. Nil Hosts have any name.
type Hosts []hostPattern

// A hostPattern is one name or several.
type hostPattern struct {
	name   string       // in lower case, without a dot at the end; "*" for any
	below  bool         // the names below it, and not itself
	prefix netip.Prefix // the addresses, where it is valid, and no name
	port   string       // empty for any
}

// LoopbackHosts are the names that resolve to the machine itself (RFC 6761,
// section 6.3).
var LoopbackHosts = Hosts{
	{name: "localhost"}, {name: "localhost", below: true},
	{prefix: netip.MustParsePrefix("127.0.0.0/8")}, {prefix: netip.MustParsePrefix("::1/128")},
}

// ParseHosts reads a list such as "uncoil.example.com, *.test, [::1]:8080,
// 10.0.0.0/8".
func ParseHosts(list string) (Hosts, error) {
	var hosts Hosts
	for text := range strings.SplitSeq(list, ",") {
		text = strings.TrimSpace(text)
		if prefix, err := netip.ParsePrefix(text); err == nil {
			hosts = append(hosts, hostPattern{prefix: prefix.Masked()})
			continue
		}
		p := hostPattern{}
		p.name, p.port = splitHost(text)
		addr, err := netip.ParseAddr(p.name)
		switch {
		case err == nil:
			p.prefix = netip.PrefixFrom(addr, addr.BitLen())
		case p.name == "" || strings.Trim(p.port, "0123456789") != "" || p.name != "*" && strings.ContainsAny(strings.TrimPrefix(p.name, "*."), "*/:@ "):
			return nil, errors.New("a host is a name, with or without a port, as uncoil.example.com, or *")
		default:
			p.name, p.below = strings.CutPrefix(p.name, "*.")
		}
		hosts = append(hosts, p)
	}
	return hosts, nil
}

// splitHost returns the name of a Host field, in lower case and without brackets
// and the dot at its end, and its port.
func splitHost(host string) (name, port string) {
	name, port, err := net.SplitHostPort(host)
	if err != nil {
		name, port = host, ""
		if strings.HasPrefix(host, "[") {
			name = strings.TrimSuffix(host[1:], "]")
		}
	}
	return strings.ToLower(strings.TrimSuffix(name, ".")), port
}

// has reports whether a Host field may have the value. No browser sends an empty
// one.
func (hosts Hosts) has(host string) bool {
	if hosts == nil || host == "" {
		return true
	}
	name, port := splitHost(host)
	addr, err := netip.ParseAddr(name)
	for _, p := range hosts {
		switch {
		case p.port != "" && p.port != port:
		case p.prefix.IsValid():
			if err == nil && p.prefix.Contains(addr.Unmap().WithZone("")) {
				return true
			}
		case p.below:
			if strings.HasSuffix(name, "."+p.name) {
				return true
			}
		case p.name == "*" || p.name == name:
			return true
		}
	}
	return false
}

// isAddress reports whether a Host field names an IP address or localhost, which
// no web page can have resolve to another machine.
func isAddress(host string) bool {
	name, _ := splitHost(host)
	_, err := netip.ParseAddr(name)
	return err == nil || name == "localhost"
}

// knownHosts refuses requests for other hosts than those of the service. Probes
// by address are answered.
func (s *server) knownHosts(next http.Handler) http.Handler {
	if s.Hosts == nil {
		return next
	}
	return handlerFunc(func(w http.ResponseWriter, r *http.Request) error {
		if !s.Hosts.has(r.Host) && !(forOperator(r) && isAddress(r.Host)) {
			closeAfter(w)
			return &api.Problem{
				Code:   api.CodeMisdirected,
				Detail: "The service does not answer for the host that the request names.",
				Hint:   "the operator of the service can name the host in -hosts",
			}
		}
		next.ServeHTTP(w, r)
		return nil
	})
}

// forOperator reports whether a request is of an operator's program, and not of a
// client.
func forOperator(r *http.Request) bool {
	switch r.URL.Path {
	case "/healthz", "/readyz", "/metrics":
		return true
	}
	return false
}
