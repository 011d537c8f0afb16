package contract

import (
	"slices"
	"strings"

	"uncoil/internal/edge/lazy"
	"uncoil/internal/edge/openapi"
	"uncoil/internal/engine/ascii"
)

// A pattern is a segment of a path, or a host, with parameters in braces: literals, and
// between each two of them a parameter.
type pattern struct {
	literals []string
	names    []string
}

func newPattern(s string) pattern {
	var p pattern
	for {
		before, rest, open := strings.Cut(s, "{")
		name, after, closed := strings.Cut(rest, "}")
		if !open || !closed {
			p.literals = append(p.literals, s)
			return p
		}
		p.literals, p.names = append(p.literals, before), append(p.names, name)
		s = after
	}
}

func (p *pattern) isLiteral() bool { return len(p.names) == 0 }

// match returns the values of the parameters, and whether the text is such a one. A
// parameter takes at least one character, and as few as it can.
func (p *pattern) match(s string) (values []string, ok bool) {
	s, ok = strings.CutPrefix(s, p.literals[0])
	if !ok {
		return nil, false
	}
	for i, literal := range p.literals[1:] {
		end := len(s)
		switch last := i+2 == len(p.literals); {
		case last && !strings.HasSuffix(s, literal):
			return nil, false
		case last:
			end -= len(literal)
		default:
			end = 1 + strings.Index(s[min(1, len(s)):], literal)
		}
		if end < 1 {
			return nil, false
		}
		values = append(values, s[:end])
		s = s[end+len(literal):]
	}
	return values, s == ""
}

// A server is one that a document names. Its scheme is not compared: commands for a
// server under development have another one.
type server struct {
	url       string
	host      pattern
	variables *openapi.Node // what stands in its braces
	any       bool          // without a host of its own: every host that stands for one
	base      []pattern
}

func newServer(url string, variables *openapi.Node) *server {
	_, rest, hasScheme := strings.Cut(url, "://")
	if !hasScheme {
		rest, hasScheme = strings.CutPrefix(url, "//")
	}
	if !hasScheme {
		return &server{url: url, any: true, variables: variables, base: segments(url)}
	}
	host, base, _ := strings.Cut(rest, "/")
	if p := newPattern(host); !p.isLiteral() && strings.Trim(strings.Join(p.literals, ""), ":.") == "" {
		// What may be any host is the one that is usual.
		for _, name := range p.names {
			host = strings.ReplaceAll(host, "{"+name+"}", variables.Get(name).ScalarOf("default"))
		}
		return &server{url: url, any: true, host: newPattern(strings.ToLower(host)), variables: variables, base: segments(base)}
	}
	return &server{url: url, host: newPattern(strings.ToLower(host)), variables: variables, base: segments(base)}
}

// has reports whether a text is one of a pattern in the URL of a server: where the
// values of a variable are listed, it has one of these.
func (s *server) has(p *pattern, part string) bool {
	values, ok := p.match(part)
	if !ok {
		return false
	}
	for i, name := range p.names {
		listed := s.variables.Get(name).List("enum")
		if listed != nil && !slices.ContainsFunc(listed, func(n *openapi.Node) bool { return strings.EqualFold(n.Text, values[i]) }) {
			return false
		}
	}
	return true
}

// maxServers is how many servers are told apart: each command is held against all.
const maxServers = 200

// serversOf returns the servers of a document, a path or an operation. One that was
// named before is the same one.
func (d *Document) serversOf(n *openapi.Node) (all []*server) {
	for _, s := range d.Servers(n) {
		one := newServer(s.TextOf("url"), s.Get("variables"))
		i := slices.IndexFunc(d.servers, func(known *server) bool { return known.url == one.url && known.variables == one.variables })
		switch {
		case i >= 0:
			one = d.servers[i]
		case len(d.servers) == maxServers:
			d.Note("%s: there are more than %d servers", s.Place(), maxServers)
			continue
		default:
			d.servers = append(d.servers, one)
		}
		all = append(all, one)
	}
	return all
}

// segments returns the segments of a path as patterns. A slash at its end is none of
// them: servers take both, or send the client from one to the other.
func segments(path string) (all []pattern) {
	path, _, _ = strings.Cut(path, "?")
	path = strings.Trim(path, "/")
	if path == "" {
		return nil
	}
	for segment := range strings.SplitSeq(path, "/") {
		all = append(all, newPattern(ascii.Decoded(segment, false)))
	}
	return all
}

// An address is a URL taken apart, as typed.
type address struct {
	host string
	path []string // its segments, decoded
	// open reports a host that somebody is to put in.
	open bool
}

func newAddress(url string) address {
	var a address
	_, rest, ok := strings.Cut(url, "://")
	if !ok {
		rest = url // a variable holds the scheme
	}
	if i := strings.IndexAny(rest, "?#"); i >= 0 {
		rest = rest[:i]
	}
	host, path, _ := strings.Cut(rest, "/")
	a.host = strings.ToLower(host[strings.LastIndexByte(host, '@')+1:])
	a.open = isPlaceholder(host) || isName().MatchString(host)
	path = strings.Trim(path, "/")
	if path == "" {
		return a
	}
	for segment := range strings.SplitSeq(path, "/") {
		if segment != "" {
			a.path = append(a.path, ascii.Decoded(segment, false))
		}
	}
	return a
}

// isName is a host that only says what belongs there: HOST, MEILISEARCH_URL.
var isName = lazy.Regexp(`^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$`)

// isLoopback reports a host that is the machine of whoever reads.
func isLoopback(host string) bool {
	name, _, _ := strings.Cut(host, ":")
	return name == "localhost" || name == "127.0.0.1" || name == "0.0.0.0"
}

// named reports whether an address has the host of the server. The local machine is that
// of any server under development, and of other programs.
func (s *server) named(a *address) bool {
	return s.host.literals != nil && s.has(&s.host, a.host)
}

// below returns the path of an address below a server, and whether it is one of that
// server. A host that stands for one is, too, with the base path of the server or without
// it.
func (s *server) below(a *address) (path []string, ok bool) {
	if !s.named(a) && !a.open && !(s.any && isLoopback(a.host)) {
		return nil, false
	}
	if len(a.path) >= len(s.base) {
		ok = true
		for i := range s.base {
			ok = ok && (s.has(&s.base[i], a.path[i]) || isPlaceholder(a.path[i]))
		}
		if ok {
			return a.path[len(s.base):], true
		}
	}
	return a.path, a.open
}
