package peer

import (
	"net/netip"
	"strconv"
	"strings"

	"uncoil/internal/engine/ascii"
)

// A NoProxy is a list of hosts for which no proxy is asked.
type NoProxy struct {
	all   bool
	items []string
}

// ParseNoProxy takes a list of --noproxy apart, as proxy_check_noproxy() in
// curl 8.22 lib/proxy.c does: hosts stand between commas, a blank without a
// comma ends the list, and a star is all hosts where it stands alone.
func ParseNoProxy(list string) NoProxy {
	if list == "*" {
		return NoProxy{all: true}
	}
	const blanks = " \t"
	var items []string
	for rest := list; rest != ""; {
		rest = strings.TrimLeft(rest, blanks)
		end := strings.IndexAny(rest, ","+blanks)
		if end < 0 {
			end = len(rest)
		}
		if end > 0 {
			items = append(items, rest[:end])
		}
		rest = strings.TrimLeft(rest[end:], blanks)
		if !strings.HasPrefix(rest, ",") {
			break
		}
		rest = strings.TrimLeft(rest, ",")
	}
	return NoProxy{items: items}
}

// Len is how many hosts Names compares.
func (n NoProxy) Len() int { return len(n.items) }

// Names reports whether the list has a host, as a URL has it. An address is
// compared with addresses and networks, and a name with names and the ends of
// names.
func (n NoProxy) Names(host string) bool {
	if n.all || host == "" {
		return n.all
	}
	address, err := netip.ParseAddr(strings.Trim(host, "[]"))
	name := strings.TrimSuffix(host, ".")
	for _, item := range n.items {
		if err == nil && inNetwork(address, item) || err != nil && inDomain(name, item) {
			return true
		}
	}
	return false
}

// inDomain is match_host() in curl 8.22 lib/proxy.c.
func inDomain(name, item string) bool {
	item = strings.TrimPrefix(strings.TrimSuffix(item, "."), ".")
	rest := len(name) - len(item)
	return rest >= 0 && ascii.EqualFold(name[rest:], item) && (rest == 0 || name[rest-1] == '.')
}

// inNetwork is match_ip() in curl 8.22 lib/proxy.c, where no bits are all bits.
func inNetwork(address netip.Addr, item string) bool {
	item, size, sized := strings.Cut(item, "/")
	network, err := netip.ParseAddr(item)
	if err != nil || network.Zone() != "" || network.Is4() != address.Is4() {
		return false
	}
	bits := uint64(0)
	if sized {
		if bits, err = strconv.ParseUint(size, 10, 16); err != nil {
			return false
		}
	}
	if bits == 0 {
		bits = uint64(network.BitLen())
	}
	prefix := netip.PrefixFrom(network, int(bits))
	return prefix.IsValid() && prefix.Contains(address)
}
