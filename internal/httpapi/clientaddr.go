package httpapi

import (
	"net/http"
	"net/netip"
	"strings"

	"uncoil/internal/httpserver"
)

// clientAddr returns where a request comes from: the other end of the
// connection, or, as long as that is a trusted proxy, the address that it
// says it had the request from. What stands further left in X-Forwarded-For
// than the last proxy that is trusted may be invented, and is not read.
//
// Of an IPv6 address only the network counts, for a client has all of it.
func clientAddr(r *http.Request, proxies []netip.Prefix) netip.Addr {
	remote, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{} // no address, as on a Unix socket: one client
	}
	addr := remote.Addr().Unmap().WithZone("")
	if trusted(addr, proxies) {
		addr = forwardedFor(r, addr, proxies)
	}
	return httpserver.Client(addr)
}

// forwardedFor walks along the proxies, from the nearest on.
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

// parseForwarded reads an address, which some proxies write with a port.
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
