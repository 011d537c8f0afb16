// Package peer says to whom curl connects for a request: to the host of its URL, or to
// another one that an option names.
package peer

import (
	"strings"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/urlparts"
)

// A Table is what --connect-to and --resolve say, entry by entry.
type Table struct{ ConnectTo, Resolve []string }

// Table options, as request.Option names them.
const (
	ConnectTo = "connectTo"
	Resolve   = "resolve"
)

// A Host is a name or an address, without brackets, and a port.
type Host struct{ Name, Port string }

// Connect returns the host to which curl connects for one of a URL, and the addresses that
// --resolve gives it, or none. Option names the last table that had an entry for it, or is
// empty: then curl connects to that host.
func (t Table) Connect(h Host) (to Host, addresses []string, option string) {
	to = t.connectTo(h)
	if to != h {
		option = ConnectTo
	}
	if addresses = t.resolve(to); len(addresses) > 0 {
		option = Resolve
	}
	return to, addresses, option
}

// connectTo is url_set_conn_peer() in curl 8.22 lib/url.c: the first entry counts that is
// for the host and the port, and says something.
func (t Table) connectTo(h Host) Host {
	for _, entry := range t.ConnectTo {
		rest, ok := strings.CutPrefix(entry, ":")
		if !ok {
			rest, ok = cutName(entry, h.Name)
		}
		port, to, named := strings.Cut(rest, ":")
		if !ok || !named || to == "" || port != "" && number(port) != number(h.Port) {
			continue
		}
		name, rest := urlparts.CutHost(to)
		if name != "" {
			h.Name = Unbracketed(name)
		}
		if n := digits(rest); n != "" {
			h.Port = n
		}
		return h
	}
	return h
}

// cutName cuts a name, which may be an address with or without brackets, and the colon
// after it.
func cutName(entry, name string) (rest string, ok bool) {
	for _, spelled := range [...]string{name, "[" + name + "]"} {
		if n := len(spelled); len(entry) > n && ascii.EqualFold(entry[:n], spelled) && entry[n] == ':' {
			return entry[n+1:], true
		}
	}
	return "", false
}

// resolve is Curl_loadhostpairs() and fetch_addr() in curl 8.22 lib/vdns/dnscache.c: a later
// entry takes the place of an earlier one, one with a minus sign takes it away, and the one
// for every name counts where none has the name.
func (t Table) resolve(h Host) []string {
	var own, every []string
	for _, entry := range t.Resolve {
		entry, removes := strings.CutPrefix(entry, "-")
		if !removes {
			entry = strings.TrimPrefix(entry, "+")
		}
		name, rest := urlparts.CutHost(entry)
		port, list, _ := strings.Cut(rest, ":")
		if port == "" || number(port) != number(h.Port) {
			continue
		}
		addresses := addressesOf(list)
		if !removes && len(addresses) == 0 {
			continue
		}
		if removes {
			addresses = nil
		}
		switch name = Unbracketed(name); {
		case ascii.EqualFold(name, h.Name):
			own = addresses
		case name == "*":
			every = addresses
		}
	}
	if len(own) > 0 {
		return own
	}
	return every
}

// addressesOf returns the addresses of an entry, without brackets.
func addressesOf(list string) (addresses []string) {
	for address := range strings.SplitSeq(list, ",") {
		if address != "" {
			addresses = append(addresses, Unbracketed(address))
		}
	}
	return addresses
}

// Unbracketed returns a host without the brackets around an address.
func Unbracketed(host string) string { return strings.Trim(host, "[]") }

// number returns a port without zeros before it, which name the same.
func number(port string) string { return strings.TrimLeft(digits(port), "0") }

// digits returns the digits that a port begins with.
func digits(port string) string {
	end := 0
	for end < len(port) && ascii.IsDigit(port[end]) {
		end++
	}
	return port[:end]
}
