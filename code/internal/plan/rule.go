package plan

import (
	"slices"
	"strings"
	"unicode/utf8"

	"uncoil/code/internal/emit"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/urlparts"
)

// A Rule makes an error of a request that a client would send otherwise than curl.
type Rule func(p *Program, c *Call)

// Rules are those of a client, as values: what holds for one client only stands with its
// target.
type Rules []Rule

// everyones are the rules of each client that is not curl. What a client can do beyond
// them is a fact.
var everyones = Rules{
	(*Program).refuseUnwritten, (*Program).refuseVariables, (*Program).refuseScheme, (*Program).refuseMethod, (*Program).refuseNames,
	(*Program).refuseHost, (*Program).refuseRecoded, (*Program).refuseDigest, (*Program).refuseFixed, (*Program).refuseWithheld, (*Program).refuseProxy,
}

// refuseOthers makes errors of what the client would send otherwise than curl.
func (p *Program) refuseOthers(c *Call) {
	k := &p.Target.Facts
	if before := p.Calls[:slices.Index(p.Calls, c)]; c.Content.Kind == PieceBody && c.TakesInput() && slices.ContainsFunc(before, (*Call).TakesInput) {
		p.Refuse("reads the standard input once, where curl sends it with each request")
	}
	if k.Everything {
		return
	}
	for _, rules := range [...]Rules{k.Rules, everyones} {
		for _, rule := range rules {
			rule(p, c)
		}
	}
}

// refuseScheme makes an error of a URL for another protocol than HTTP.
func (p *Program) refuseScheme(c *Call) {
	scheme := c.Scheme()
	if p.Target.Facts.Format || len(scheme) > len(c.URLText[0].Literal) { // a variable has a part of it
		return
	}
	is := func(name string) bool { return ascii.EqualFold(scheme, name) }
	switch {
	case scheme == "", is("http"), is("https"):
	case is("ws"), is("wss"):
		p.refuseEverywhere("opens no WebSocket")
	case !p.Target.Facts.Schemes:
		p.RefuseName(Nowhere, "asks no proxy for a URL of this scheme", scheme)
	}
}

// refuseMethod makes an error of a request target that is not the URL's, and of a method
// that is no token.
func (p *Program) refuseMethod(c *Call) {
	k := &p.Target.Facts
	if c.Target != "" && !k.Target {
		p.RefuseAt(c.Place("requestTarget"), "cannot send the request target of --request-target")
	}
	if !k.Loose && !IsToken(c.Method) && !(k.AnyMethod && utf8.ValidString(c.Method)) {
		p.refuseForMethod("sends no such method", c.Method)
	}
}

// refuseNames makes errors of fields whose names are no tokens, and of carriage returns,
// which curl sends.
func (p *Program) refuseNames(c *Call) {
	k := &p.Target.Facts
	for i := range c.headers {
		if f := &c.headers[i]; !IsToken(f.Name) && !k.sendsName(f.Name) {
			p.RefuseName(f.At, "sends no field with such a name", f.Name)
		}
	}
	for i := range c.Fields {
		if f := &c.Fields[i]; strings.Contains(strings.TrimRight(f.Line, "\r\t "), "\r") {
			p.RefuseName(f.Span, "sends no carriage return in a field", f.Name)
		}
	}
}

func (p *Program) refuseHost(c *Call) {
	k := &p.Target.Facts
	switch {
	case k.Hostless:
	case c.Removes("Host"):
		p.Refuse("cannot leave out Host")
	case c.Empties("Host") && !k.EmptyHost:
		p.Refuse("sends no empty Host")
	}
}

// refuseDigest makes an error of Digest where the client has none, and of a user name
// that it does not quote or encode as curl 8.22 does.
func (p *Program) refuseDigest(c *Call) {
	k := &p.Target.Facts
	switch {
	case c.Digest == nil:
	case !k.Answers && !k.Digest:
		p.Refuse("has no digest authentication")
	default:
		user := c.Digest.User.Literals()
		if strings.ContainsAny(user, "\"\\") && !k.Quotes && !k.Format || !ascii.Only(user) {
			p.RefuseAt(c.Auth.Span, "answers no Digest for such a user name")
		}
	}
}

// refuseFixed makes errors of fields that no program can set, but for the values that the
// client sends by itself.
func (p *Program) refuseFixed(c *Call) {
	k := &p.Target.Facts
	for _, name := range k.Fixed {
		if f := c.Field(string(name)); f != nil && !slices.ContainsFunc(k.Passes[string(name)], func(s string) bool { return ascii.EqualFold(s, f.Value.Source()) }) {
			p.RefuseAt(f.At, "sets the field "+name+" itself")
		}
	}
}

// refuseWithheld makes errors of fields that the client adds, and curl does not send.
func (p *Program) refuseWithheld(c *Call) {
	for _, name := range c.Withheld {
		if name, ok := p.Target.Facts.Always.find(name); ok {
			p.Refuse("always sends " + name)
		}
	}
}

// refuseRecoded makes an error of a path that the client decodes and encodes again.
func (p *Program) refuseRecoded(c *Call) {
	if p.Target.Facts.writesAnew(c.URL) {
		p.Refuse("writes the percent-encoding of this path anew")
	}
}

func (p *Program) refuseProxy(c *Call) {
	k := &p.Target.Facts
	if p.Target.Kind == File && !p.Exact() {
		return // ReportLosses says so
	}
	if scheme := c.ProxyScheme(); scheme != "" && !k.Format && !slices.Contains(k.Proxies, scheme) {
		kind, known := proxyKinds.find(scheme)
		if !known {
			kind = "such"
		}
		p.RefuseAt(c.Place("proxy"), "asks no "+kind+" proxy")
	}
}

// SendsMethods is the rule of a client that sends some methods only as they are.
func SendsMethods(sends func(method string) bool) Rule {
	return func(p *Program, c *Call) {
		if !sends(c.Method) {
			p.refuseForMethod("does not send this method as it is", c.Method)
		}
	}
}

// SendsNoContent is the rule of a client that sends no content with some methods.
func SendsNoContent(methods ...string) Rule {
	return func(p *Program, c *Call) {
		if c.Content.Kind != NoBody && slices.Contains(methods, c.Method) {
			p.refuseForMethod("sends no content with this method", c.Method)
		}
	}
}

// SendsOnce is the rule of a client that sends fields of these names once; Content-Type
// where there is content.
func SendsOnce(names ...emit.Phrase) Rule {
	return func(p *Program, c *Call) {
		for _, name := range names {
			if c.count(string(name)) > 1 && (name != "Content-Type" || c.Content.Kind != NoBody) {
				p.Refuse("sends one " + name)
			}
		}
	}
}

// SendsOneType is the rule of a client that reads one Content-Type, also where there is no
// content.
func SendsOneType(p *Program, c *Call) {
	if c.count("Content-Type") > 1 {
		p.Refuse("sends one Content-Type")
	}
}

// SendsHosts is the rule of a client that sends some values of Host only.
func SendsHosts(sends func(host string) bool) Rule {
	return func(p *Program, c *Call) {
		if f := c.Field("Host"); f != nil && !c.Empties("Host") && !sends(f.Value.Literals()) {
			p.RefuseAt(f.At, "does not send such a value of Host")
		}
	}
}

// SendsCodings is the rule of a client that sends content with some values of
// Transfer-Encoding only as curl does.
func SendsCodings(sends func(value string) bool) Rule {
	return func(p *Program, c *Call) {
		if f := c.Field("Transfer-Encoding"); f != nil && c.Content.Kind != NoBody && !sends(f.Value.Source()) {
			p.RefuseAt(f.At, "sends content with another Transfer-Encoding")
		}
	}
}

// CodesContentOnly is the rule of a client that sends Transfer-Encoding with content only.
func CodesContentOnly(p *Program, c *Call) {
	if c.Field("Transfer-Encoding") != nil && c.Content.Kind == NoBody {
		p.Refuse("sends no Transfer-Encoding without content")
	}
}

// SendsNoEmptyChunks is the rule of a client that does not send empty content in chunks,
// which is the one chunk that ends it.
func SendsNoEmptyChunks(p *Program, c *Call) {
	if c.Chunked() && c.Empty() {
		p.Refuse("sends no empty content in chunks")
	}
}

// TypesContent is the rule of a client that adds a Content-Type unless the content is empty.
func TypesContent(p *Program, c *Call) {
	if c.Untyped() && !c.Empty() {
		p.Accept(c, "gives content a type")
	}
}

// AsksForGzip is the rule of a client that adds gzip to an empty Accept-Encoding.
func AsksForGzip(p *Program, c *Call) {
	if c.Empties("Accept-Encoding") {
		p.Refuse("asks for gzip beside an empty Accept-Encoding")
	}
}

// ReadsURLs is the rule of a client that keeps the percent signs of some URLs only.
func ReadsURLs(reads func(url string) bool) Rule {
	return func(p *Program, c *Call) {
		if !reads(c.URL) {
			p.Refuse("reads no URL with a malformed percent-encoding as it is")
		}
	}
}

// RemovesDots is the rule of a client that removes dot segments from paths.
func RemovesDots(p *Program, c *Call) {
	if DotSegments(c.URL) {
		p.Refuse("removes dot segments from paths")
	}
}

// MergesSlashes is the rule of a client that merges slashes in paths.
func MergesSlashes(p *Program, c *Call) {
	if parts := urlparts.Of(c.URL); strings.Contains(c.URL[parts.Path:parts.Query], "//") {
		p.Refuse("merges // in paths")
	}
}

// TakesNumbers is the rule of a client that takes a host whose last label is a number for
// an address of IPv4: WHATWG URL, "ends in a number checker".
func TakesNumbers(p *Program, c *Call) {
	if a, ok := c.Address(); ok {
		host := strings.TrimSuffix(a.Host.Source(), ".")
		last := host[strings.LastIndexByte(host, '.')+1:]
		if last != "" && strings.Trim(last, "0123456789") == "" && !IsAddress(host) {
			p.RefuseName(Nowhere, "takes this host for an address", host)
		}
	}
}

// VisibleFields is the rule of a client that sends visible ASCII only in fields.
func VisibleFields(p *Program, c *Call) {
	for i := range c.headers {
		if f := &c.headers[i]; !IsVisible(f.Value.Literals()) {
			p.RefuseName(f.At, "sends only visible ASCII in a field", f.Name)
		}
	}
}

// PrintableFields is the rule of a client that sends no control characters in fields.
func PrintableFields(p *Program, c *Call) {
	for i := range c.headers {
		f := &c.headers[i]
		if strings.ContainsFunc(f.Value.Literals(), func(c rune) bool { return c < ' ' && c != '\t' || c == 0x7f }) {
			p.RefuseName(f.At, "sends no control characters in a field", f.Name)
		}
	}
}

// UnicodeFields is the rule of a client that sends UTF-8 only in fields.
func UnicodeFields(p *Program, c *Call) {
	for i := range c.headers {
		if f := &c.headers[i]; !f.Value.IsText() {
			p.RefuseName(f.At, "sends only UTF-8 in a field", f.Name)
		}
	}
}

// OneEncoding is the rule of a client that encodes all characters that are not ASCII in
// one way, so that it sends no field that is not UTF-8 beside such that are.
func OneEncoding(p *Program, c *Call) {
	for i := range c.headers {
		if f := &c.headers[i]; !f.Value.IsText() && c.beyondASCII(f.Name) {
			p.RefuseName(f.At, "sends only UTF-8 in a field beside other characters", f.Name)
		}
	}
}

// ASCIIPasswords is the rule of a client that takes a password for Digest in another
// encoding than UTF-8.
func ASCIIPasswords(p *Program, c *Call) {
	if c.Digest != nil && !ascii.Only(c.Digest.Password.Literals()) {
		p.RefuseAt(c.Auth.Span, "answers no Digest with a password that is not ASCII")
	}
}

// beyondASCII reports whether the URL or a field with another name has characters that
// are not ASCII.
func (c *Call) beyondASCII(except string) bool {
	return !c.URLText.IsASCII() || slices.ContainsFunc(c.headers, func(f Field) bool { return f.Name != except && !f.Value.IsASCII() && f.Value.IsText() })
}

// sendsName reports whether the client sends a name of a field that is no token.
func (k *Client) sendsName(name string) bool {
	if k.Names == nil {
		return k.Loose
	}
	return k.Names(name)
}
