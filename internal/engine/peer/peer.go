package peer

import (
	"net/netip"
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/urlparts"
	"uncoil/request"
)

// Tables returns what --connect-to and --resolve say of a request.
func Tables(r *request.Request) Table {
	connectTo, _ := r.Options.Value(ConnectTo).([]string)
	resolve, _ := r.Options.Value(Resolve).([]string)
	return Table{ConnectTo: connectTo, Resolve: resolve}
}

// HostOf returns the host of the URL of a request; known is false where a variable or a
// placeholder may hide it.
func HostOf(r *request.Request) (h Host, known bool) {
	parts := urlparts.Of(r.URL)
	authority := r.URL[parts.Authority:parts.Path]
	if at := strings.LastIndexByte(authority, '@'); at >= 0 {
		authority = authority[at+1:]
	}
	name, port := urlparts.CutHost(authority)
	switch {
	case port != "":
	case ascii.HasPrefixFold(r.URL, "https:"), ascii.HasPrefixFold(r.URL, "wss:"):
		port = "443"
	default:
		port = "80"
	}
	return Host{Name: Unbracketed(name), Port: port}, name != "" && !strings.ContainsAny(authority, "$`{}<>")
}

// Socket returns the option with the Unix socket to which curl connects, or nil. It counts
// before all else, and the last one of the two options does: create_conn() in curl 8.22
// lib/url.c.
func Socket(r *request.Request) (socket *request.Option) {
	for i := range r.Options {
		o := &r.Options[i]
		if isSocket := o.Name == "unixSocket" || o.Name == "abstractUnixSocket"; isSocket && (socket == nil || o.Span.Start > socket.Span.Start) {
			socket = o
		}
	}
	return socket
}

// Of returns the option by which curl connects to another peer for a request than to the
// host of its URL, or nil: a Unix socket, a proxy that is asked for the host, an entry of
// --connect-to or of --resolve for it. Where a variable hides the host, an entry may be
// for it.
func Of(r *request.Request) *request.Option {
	if len(r.Options) == 0 {
		return nil
	}
	if socket := Socket(r); socket != nil {
		return socket
	}
	h, known := HostOf(r)
	if proxy := proxyOf(r); proxy != nil && !ParseNoProxy(r.Options.Proxy().Not).Names(h.Name) {
		return proxy
	}
	name := ""
	switch t := Tables(r); {
	case !known && len(t.ConnectTo) > 0:
		name = ConnectTo
	case !known && len(t.Resolve) > 0:
		name = Resolve
	default:
		to, addresses, option := t.Connect(h)
		if to != h || !areOf(h.Name, addresses) {
			name = option
		}
	}
	return option(r, name)
}

// proxyOf returns the option with the proxy that is asked first, or nil.
func proxyOf(r *request.Request) *request.Option {
	for _, name := range [...]string{"preproxy", "proxy"} {
		if o := option(r, name); o != nil && o.Value != "" {
			return o
		}
	}
	return nil
}

func option(r *request.Request, name string) *request.Option {
	for i := range r.Options {
		if r.Options[i].Name == name {
			return &r.Options[i]
		}
	}
	return nil
}

// areOf reports whether addresses are those that a host has by itself: one is its own, and
// localhost has those of the machine.
func areOf(host string, addresses []string) bool {
	own, err := netip.ParseAddr(host)
	for _, address := range addresses {
		a, aErr := netip.ParseAddr(address)
		if aErr != nil || err == nil && a != own || err != nil && !(IsLocal(host) && a.IsLoopback()) {
			return false
		}
	}
	return true
}

// IsLocal reports whether curl takes a name for the machine itself, without asking who has
// it: hostip_resolv() in curl 8.22 lib/vdns/hostip.c.
func IsLocal(name string) bool {
	const local = "localhost"
	name = strings.TrimSuffix(name, ".")
	rest := len(name) - len(local)
	return rest >= 0 && ascii.EqualFold(name[rest:], local) && (rest == 0 || name[rest-1] == '.')
}

// options are the options of curl by the names that the description has for them.
var options = map[string]string{
	"unixSocket": "--unix-socket", "abstractUnixSocket": "--abstract-unix-socket",
	"proxy": "--proxy", "preproxy": "--preproxy", ConnectTo: "--connect-to", Resolve: "--resolve",
}

// Spelled returns the option as the text spells it, as far as its place is known, or else
// the name that most use.
func Spelled(o *request.Option, source string) string {
	if o.Span.Start < o.Span.End && int(o.Span.End) <= len(source) {
		name := source[o.Span.Start:o.Span.End]
		name = name[:len(name)-len(strings.TrimLeft(name, "-abcdefghijklmnopqrstuvwxyz0123456789."))]
		if strings.HasPrefix(name, "--") || name == "-x" {
			return name
		}
	}
	return options[o.Name]
}

// Doubt returns the warning that what stands for a request lacks to whom curl connects, or
// nil where that is the host of the URL. The source, if there is one, is the text.
func Doubt(r *request.Request, source string) *diag.Diagnostic {
	o := Of(r)
	if o == nil {
		return nil
	}
	name, what := Spelled(o, source), "another host or address"
	switch o.Name {
	case "unixSocket", "abstractUnixSocket":
		what = "a Unix socket"
	case "proxy", "preproxy":
		what = "a proxy"
	}
	return &diag.Diagnostic{Code: diag.WarnOtherPeer, Severity: diag.SeverityWarning, Level: diag.WarnOtherPeer.Level(), Span: o.Span, Option: name,
		Message: "with " + name + " curl connects to " + what + ", and the URL does not say that",
		Hint:    "connect there too: options." + o.Name + " of the full description (/api/parse) says where"}
}
