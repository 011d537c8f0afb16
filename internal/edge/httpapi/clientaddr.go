package httpapi

import (
	"net/http"
	"net/netip"
	"strings"

	"uncoil/internal/edge/httpserver"
)

// clientAddr returns the address of the client: the remote address of the
// connection or, if that is a trusted proxy, the address in X-Forwarded-For that
// the proxy received the request from. Addresses to the left of the first one
// that is not a trusted proxy may be forged and are ignored.
func clientAddr(r *http.Request, proxies []netip.Prefix) netip.Addr {
	remote, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{} // a Unix socket, for example: all requests are of one client
	}
	addr := remote.Addr().Unmap().WithZone("")
	if trusted(addr, proxies) {
		addr = forwardedFor(r, addr, proxies)
	}
	return httpserver.Client(addr)
}

// forwardedFor follows the chain of trusted proxies, nearest first.
func forwardedFor(r *http.Request, addr netip.Addr, proxies []netip.Prefix) netip.Addr {
	list := strings.Join(r.Header.Values("X-Forwarded-For"), ",")
	for list != "" && trusted(addr, proxies) {
		comma := strings.LastIndexByte(list, ',')
		next, ok := parseForwarded(strings.TrimSpace(list[comma+1:]))
		if !ok {
			break
		}
		addr, list = next, list[:max(comma, 0)]
	}
	return addr
}

// parseForwarded parses an address. Some proxies add a port.
func parseForwarded(text string) (netip.Addr, bool) {
	addr, err := netip.ParseAddr(text)
	if err != nil {
		var withPort netip.AddrPort
		if withPort, err = netip.ParseAddrPort(text); err != nil {
			return addr, false
		}
		addr = withPort.Addr()
	}
	return addr.Unmap().WithZone(""), true
}

func trusted(addr netip.Addr, proxies []netip.Prefix) bool {
	for _, p := range proxies {
		if p.Contains(addr) {
			return true
		}
	}
	return false
}
