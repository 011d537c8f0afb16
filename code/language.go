package code

import (
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"uncoil/internal/engine/ascii"
	"uncoil/request"
)

// A language is how strings are written in one: what the targets of several
// clients of a language share.
type language struct {
	literal  func(s string) string                        // a literal that has these bytes
	variable func(p *program, v *request.Variable) string // a look-up in the environment
	plus     string                                       // joins two expressions

	// inside returns an expression as it stands in a literal in double quotes before a
	// character, or reports false; nil: such a literal holds none. escape escapes what
	// else stands there.
	inside func(expression string, next byte) (string, bool)
	escape func(s string) string
}

// text returns an expression for a string with its variables.
func (l *language) text(p *program, t text) string {
	if s, ok := t.plain(); ok {
		return l.literal(s)
	}
	return l.joined(t, l.terms(p, t))
}

// joined returns the expression for a text of the terms for its parts.
func (l *language) joined(t text, terms []string) string {
	if s, ok := l.interpolated(t, terms); ok {
		return s
	}
	return strings.Join(terms, l.plus)
}

// interpolated returns a literal of a text of one line with the expressions for its
// variables, where the language has such literals.
func (l *language) interpolated(t text, expressions []string) (string, bool) {
	if l.inside == nil || len(t) == 1 || !t.isText() || strings.ContainsAny(t.literals(), "\"\\\n") {
		return "", false // with escapes it would be hard to read
	}
	b := []byte{'"'}
	for i := range t {
		if t[i].variable == nil {
			quoted := l.escape(t[i].literal)
			b = append(b, quoted[1:len(quoted)-1]...)
			continue
		}
		next := byte('"')
		if i+1 < len(t) && t[i+1].variable == nil {
			next = t[i+1].literal[0]
		}
		s, ok := l.inside(expressions[i], next)
		if !ok {
			return "", false
		}
		b = append(b, s...)
	}
	return string(append(b, '"')), true
}

// numberSign returns an expression as it stands in a literal of Ruby or Elixir.
func numberSign(expression string, _ byte) (string, bool) { return "#{" + expression + "}", true }

// long returns a call with one string for its argument, in parts on lines of
// their own where it is long. plus stands between two parts.
func (l *language) long(p *program, head, open, s, end, plus string) node {
	if !isLong(s) {
		return group(head, open, []node{leaf(l.literal(s))}, end)
	}
	return p.inParts(head, open, s, end, plus, l.literal)
}

// content returns an expression for a text that may be long: its lines as they are,
// or else parts on lines of their own.
func (l *language) content(p *program, t text) node {
	if s, ok := t.plain(); ok && t.isText() && !spansLines(s) {
		return p.longString(s, strings.TrimRight(l.plus, " "), l.literal)
	}
	return l.sum(p, t)
}

// sum returns an expression for a text, whose variables stand on lines of their own
// where it is long.
func (l *language) sum(p *program, t text) node {
	terms := l.terms(p, t)
	return p.added(l.joined(t, terms), terms, strings.TrimRight(l.plus, " "))
}

// terms returns an expression for each part of a text.
func (l *language) terms(p *program, t text) []string {
	terms := make([]string, len(t))
	for i := range t {
		if t[i].variable == nil {
			terms[i] = l.literal(t[i].literal)
		} else {
			terms[i] = l.variable(p, t[i].variable)
		}
	}
	return terms
}

// call writes the statement of a call, with an argument on each line where it is too
// long for one.
func (p *program) call(before, function string, arguments ...string) {
	items := p.list(len(arguments))
	for _, a := range arguments {
		items = append(items, leaf(a))
	}
	p.node(before, group(function, "(", items, ")"), ";")
}

// added returns an expression that fits on a line as it is, and else its terms on lines
// of their own, in parentheses, unless some of them have lines themselves.
func (p *program) added(expression string, terms []string, plus string) node {
	if len(terms) < 2 || len(expression) <= longLiteral+10 || strings.Contains(expression, "\n") {
		return leaf(expression)
	}
	return p.glued("", "(", len(terms), ")", plus, func(i int) string { return terms[i] })
}

// glued returns terms on lines of their own, in brackets; plus stands between two.
func (p *program) glued(head, open string, n int, end, plus string, term func(i int) string) node {
	items := p.list(n)
	for i := range n {
		one := leaf(term(i))
		if plus != "" && i+1 < n {
			one.head += plus
		}
		items = append(items, one)
	}
	g := group(head, open, items, end)
	g.glued, g.broken, g.width = true, true, tooWide
	return g
}

// longString returns a literal, in parts on lines of their own, in parentheses,
// where it is long.
func (p *program) longString(s, plus string, literal func(string) string) node {
	if !isLong(s) {
		return leaf(literal(s))
	}
	return p.inParts("", "(", s, ")", plus, literal)
}

// inParts returns the parts of a long string in brackets.
func (p *program) inParts(head, open, s, end, plus string, literal func(string) string) node {
	parts := splitLong(s)
	return p.glued(head, open, len(parts), end, plus, func(i int) string { return literal(parts[i]) })
}

// prefixed returns the text with a literal before it.
func prefixed(s string, t text) text {
	return mergeLiterals(append(text{{literal: s}}, t...))
}

// dotSegments reports whether the path of a URL has segments that clients
// remove.
func dotSegments(url string) bool {
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

// malformedPercent reports whether a percent sign in a URL begins no
// percent-encoding, and whether another one does.
func malformedPercent(url string) (malformed, encoded bool) {
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

// wellFormed is the rule of a client that reads no malformed percent-encoding.
func wellFormed(url string) bool {
	malformed, _ := malformedPercent(url)
	return !malformed
}

// plainNumber returns what every JSON encoder prints for a number: the same
// digits, where it is short and has no exponent; else nothing.
func plainNumber(digits string) string {
	if len(digits) > 15 || strings.ContainsAny(digits, "eE") || digits == "-0" {
		return ""
	}
	whole, fraction, found := strings.Cut(digits, ".")
	if found && (strings.HasSuffix(fraction, "0") || whole == "-0" || strings.HasPrefix(fraction, "000")) {
		return ""
	}
	return digits
}

// plainNames reports whether a map of any language keeps its members: distinct
// names that do not look like numbers.
func plainNames(names []string) bool {
	for _, n := range names {
		if _, err := strconv.Atoi(n); err == nil || n == "" {
			return false
		}
	}
	return distinct(names)
}

// scheme returns the scheme of the URL.
func (c *call) scheme() string { return schemeOf(c.URL) }

// schemeOf returns what stands before :// at the start of a URL.
func schemeOf(url string) string {
	scheme, _, found := strings.Cut(url, "://")
	if !found || strings.IndexByte(scheme, '/') >= 0 || strings.IndexByte(scheme, '?') >= 0 {
		return ""
	}
	return scheme
}

// addressParts are the host and the port of a URL, and whether it is https.
type addressParts struct {
	host   text
	port   string
	secure bool
	path   text // with the query
}

// address takes the URL apart; it reports false where a variable stands in the
// host or the port.
func (c *call) address() (a addressParts, ok bool) {
	source := c.URL
	scheme, rest, found := strings.Cut(source, "://")
	if !found {
		return a, false
	}
	a.secure = strings.EqualFold(scheme, "https")
	end := strings.IndexAny(rest, "/?")
	if end < 0 {
		end = len(rest)
	}
	start := len(scheme) + len("://")
	authority := c.url.cut(start, start+end)
	host, ok := authority.plain()
	if !ok {
		return a, false
	}
	if i := strings.LastIndexByte(host, ':'); i >= 0 && !strings.HasSuffix(host, "]") {
		host, a.port = host[:i], host[i+1:]
	}
	a.host = literal(host)
	a.path = c.url.cut(start+end, len(source))
	if rest[end:] == "" || rest[end] == '?' {
		a.path = prefixed("/", a.path)
	}
	return a, true
}

// specify has a client connect to this machine where the host of the URL is the
// unspecified address, as the system of curl does: by what --connect-to says where a
// redirect may lead there again and the client can, and else by the address of this
// machine in the URL, with the host in the field Host. It returns the host then.
func (c *call) specify(k *client) phrase {
	a, ok := c.address()
	if !ok || c.proxyScheme() != "" || len(c.unixSocket) > 0 || c.elsewhere() {
		return ""
	}
	host := a.host.source()
	address, err := netip.ParseAddr(strings.Trim(host, "[]"))
	if err != nil || !address.IsUnspecified() {
		return ""
	}
	machine, unspecified := "127.0.0.1", phrase("0.0.0.0")
	if address.Is6() {
		machine, unspecified = "[::1]", "[::]"
	}
	if c.follow && k.can("connectTo") {
		c.connectTo = append(slices.Clip(c.connectTo), host+"::"+machine+":")
		return unspecified
	}
	before, after := "://"+host, "://"+machine
	r := *c.Request
	r.URL = strings.Replace(r.URL, before, after, 1)
	c.Request, c.url = &r, slices.Clone(c.url)
	for i := range c.url {
		if p := &c.url[i]; strings.Contains(p.literal, before) {
			p.literal = strings.Replace(p.literal, before, after, 1)
			break
		}
	}
	for _, f := range r.Fields {
		if f.Origin == request.Default && f.Name == "Host" {
			c.fields = slices.Insert(c.fields, 0, field{name: f.Name, value: literal(f.Value)})
		}
	}
	return unspecified
}

// connection returns the host and the port to which curl connects, where
// --connect-to or --resolve make them others than the URL's, and else nothing.
// Of several addresses it is the first. The name is asked for as it is in the
// URL, so that the entry for it counts before the one for every name:
// curl 8.22 lib/hostip.c.
func (c *call) connection() (host, port string) {
	if len(c.connectTo) == 0 && len(c.resolve) == 0 {
		return "", ""
	}
	a, ok := c.address()
	if !ok {
		return "", ""
	}
	host, port = a.host.source(), a.portOr()
	changed := false
	for _, entry := range c.connectTo {
		name, rest := cutHost(entry)
		number, rest, _ := strings.Cut(rest, ":")
		if name != "" && !ascii.EqualFold(name, host) || number != "" && number != port {
			continue
		}
		toHost, toPort := cutHost(rest)
		if toHost != "" {
			host, changed = toHost, true
		}
		if toPort != "" {
			port, changed = toPort, true
		}
		break
	}
	every := ""
	found := ""
	for _, entry := range c.resolve {
		name, rest := cutHost(strings.TrimPrefix(entry, "+"))
		number, addresses, _ := strings.Cut(rest, ":")
		first, _, _ := strings.Cut(addresses, ",")
		switch {
		case number != port || first == "":
		case ascii.EqualFold(name, host):
			found = first
		case name == "*":
			every = first
		}
	}
	switch {
	case found != "":
		return strings.Trim(found, "[]"), port
	case every != "":
		return strings.Trim(every, "[]"), port
	case changed:
		return strings.Trim(host, "[]"), port
	}
	return "", ""
}

// belowLocalhost returns the host of the URL where it is a name below localhost, which
// curl takes for the machine itself, and nothing where a proxy, --resolve or
// --connect-to say what it is: curl 8.22 lib/vdns/hostip.c.
func (c *call) belowLocalhost() string {
	const below = ".localhost"
	if !ascii.ContainsFold(c.URL, below) {
		return "" // as nearly every URL, which is not taken apart then
	}
	a, ok := c.address()
	if !ok || c.proxyScheme() != "" || c.elsewhere() {
		return ""
	}
	host := a.host.source()
	name := strings.TrimSuffix(host, ".")
	if len(name) < len(below) || !ascii.EqualFold(name[len(name)-len(below):], below) {
		return ""
	}
	return host
}

// elsewhere reports whether curl connects to another host or port than the
// URL's, as far as is known.
func (c *call) elsewhere() bool {
	host, _ := c.connection()
	_, known := c.address()
	return host != "" || !known
}

// joinHostPort returns a host, an address of IPv6 in brackets, and a port.
func joinHostPort(host, port string) string {
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	return host + ":" + port
}

// cutHost cuts a host, which may be an address in brackets, from what follows
// its colon.
func cutHost(s string) (host, rest string) {
	if end := strings.IndexByte(s, ']'); end > 0 && s[0] == '[' {
		return s[:end+1], strings.TrimPrefix(s[end+1:], ":")
	}
	host, rest, _ = strings.Cut(s, ":")
	return host, rest
}

// portOr returns the port, or that of the scheme.
func (a *addressParts) portOr() string {
	switch {
	case a.port != "":
		return a.port
	case a.secure:
		return "443"
	}
	return "80"
}

// milliseconds writes a number of seconds as milliseconds.
func milliseconds(f float64) string { return strconv.FormatInt(int64(f*1000+0.5), 10) }

// percentEncoded returns a URL with the characters that some clients refuse
// percent-encoded: those outside of ASCII, and the unsafe ones.
func percentEncoded(url text, unsafe string) text {
	out := slices.Clone(url)
	for i := range out {
		var b []byte
		for j := range len(out[i].literal) {
			if c := out[i].literal[j]; c < utf8.RuneSelf && !contains(unsafe, c) {
				b = append(b, c)
			} else {
				b = append(b, '%', upperHex[c>>4], upperHex[c&15])
			}
		}
		out[i].literal = string(b)
	}
	return out
}

// joinPieces returns pieces as an expression: that of the one piece, or what join
// makes of several.
func joinPieces(pieces []piece, text func(text) string, file func(piece) string, join func([]node) node) node {
	pieces = lineByLine(pieces)
	items := make([]node, len(pieces))
	for i, one := range pieces {
		if one.isText {
			items[i] = leaf(text(one.text))
		} else {
			items[i] = leaf(file(one))
		}
	}
	if len(items) == 1 {
		return items[0]
	}
	return join(items)
}

// nth counts the variables of a kind, and returns the name of the next one: part, part2.
func nth(name, between string, n *int) string {
	if *n++; *n > 1 {
		name += between + itoa(*n)
	}
	return name
}

// lineByLine cuts the longer texts among pieces after each CRLF, where no literal shows
// lines as they are; an empty line stays with the one before it.
func lineByLine(pieces []piece) []piece {
	var out []piece
	for i, one := range pieces {
		s, known := one.text.plain()
		if !one.isText || !known || len(s) <= longLiteral || !strings.Contains(s, "\r\n") {
			if out != nil {
				out = append(out, one)
			}
			continue
		}
		if out == nil {
			out = append(make([]piece, 0, len(pieces)+strings.Count(s, "\r\n")), pieces[:i]...)
		}
		for s != "" {
			n := len(s)
			if end := strings.Index(s, "\r\n"); end >= 0 {
				for n = end; strings.HasPrefix(s[n:], "\r\n"); n += len("\r\n") {
				}
			}
			out = append(out, piece{isText: true, text: literal(s[:n])})
			s = s[n:]
		}
	}
	if out == nil {
		return pieces
	}
	return out
}

// content returns the content as an expression: what whole makes of a text that is all
// of it, the content of a file, or what join makes of several of these.
func (c *call) content(whole func(text) node, text func(text) string, file func(piece) string, join func([]node) node) node {
	switch c.body.kind {
	case rawBody:
		return whole(c.body.data)
	case multipartBody:
		return joinPieces(c.rawForm(), text, file, join)
	case fileBody:
		return leaf(file(piece{file: c.body.file}))
	case pieceBody:
		return joinPieces(c.body.list, text, file, join)
	}
	return node{}
}
