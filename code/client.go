package code

import (
	"net/netip"
	"slices"
	"strings"
	"unicode/utf8"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/request"
)

// A client is what an HTTP client does by itself, and what it can do: the
// capabilities of a target, measured on the wire. The base asks it before a
// target writes, so that a target writes only what its client can do: what
// would change the request is refused, and what shapes only the exchange is a
// loss. The proof forgives the fields that a client adds, and no others.
type client struct {
	everything bool // it is curl, and can do what curl can
	format     bool // it is a format that many tools read, and that no tool sends by itself
	constant   bool // it has no variables: they stay as they were typed

	// Of the request.
	adds      fieldNames               // fields that it adds by itself
	always    fieldNames               // those of adds that no program can leave out
	fixed     fieldNames               // fields that no program can set
	single    fieldNames               // fields that it sends once; Content-Type where there is content
	passes    map[string][]string      // values of fixed fields that it sends all the same
	counts    func(method string) bool // whether it sends Content-Length: 0 with a method where there is no content; nil: it does where it is told to
	codings   func(value string) bool  // values of Transfer-Encoding with which it sends content as curl does; nil: all
	framed    bool                     // sends no Transfer-Encoding without content
	unended   bool                     // does not send empty content in chunks, which is one chunk that ends it
	percents  func(url string) bool    // whether it keeps the percent signs of a URL; nil: it does
	recodes   bool                     // decodes a path, and encodes it again where something in it is not
	methods   func(method string) bool // whether a method goes out as it is; nil: each does
	bodiless  []string                 // methods with which it sends no content
	dots      bool                     // removes dot segments from paths
	slashes   bool                     // reads a backslash in a path as a slash
	numbers   bool                     // takes a host whose last label is a number for an address
	typed     bool                     // gives all content but the empty a type
	target    bool                     // can send a request target that is not the URL's
	loose     bool                     // sends methods and names of fields that are no tokens
	anyMethod bool                     // sends methods that are no tokens
	names     func(name string) bool   // whether it sends a name of a field that is no token; nil: it sends none unless it is loose
	hostless  bool                     // can leave out Host
	emptyHost bool                     // can send a Host without a value
	zips      bool                     // sends a second Accept-Encoding where there is an empty one
	hosts     func(host string) bool   // whether it sends a value of Host; nil: it sends each
	guesses   bool                     // guesses the type of a part of a form as curl does, where the program gives none
	mixed     bool                     // sends forms of other types than multipart/form-data
	mime      bool                     // writes parts within parts, and in base64 and the like
	schemes   bool                     // asks a proxy for other URLs than those of HTTP
	loopback  bool                     // takes names below localhost for the machine itself, as curl does, and asks no resolver
	ports     bool                     // names the port of the URL in Host, also the one that the scheme implies
	specified bool                     // connects to no 0.0.0.0 and no [::], which are this machine for curl
	digest    bool                     // has Digest authentication
	joins     bool                     // takes a user name and a password as one text for Basic
	auths     []string                 // further ways to authenticate that it has; "any" where the server may choose
	answers   bool                     // its programs answer for Digest in a function of their own
	eager     bool                     // sends the content also before a server asks for Digest
	unasked   []string                 // challenges that it does not answer as curl does: "basic", "unqualified", "sha-256" as docs/code.md explains them
	quotes    bool                     // quotes a user name for Digest
	latin     bool                     // takes a password for Digest in another encoding than UTF-8
	anyAuth   bool                     // its Digest gives way to Basic where the server asks for that
	visible   bool                     // sends only visible ASCII in fields
	printable bool                     // sends no controls in fields
	unicode   bool                     // sends only UTF-8 in fields
	encoding  bool                     // sends no field that is not UTF-8 beside other characters that are not ASCII

	// Of the machine.
	netrc bool // sends credentials of ~/.netrc unasked; docs/code.md has what else of the machine clients read

	// Of the exchange.
	says      []string                 // members of options that the program has code for
	once      func(c *call) bool       // requests that it cannot send again
	stuck     func(c *call) bool       // requests whose content it cannot send again when it is redirected
	also      func(member string) bool // whether it has code for others; nil: no
	proxies   []string                 // schemes of the proxies that it can ask
	modernTLS bool                     // speaks no version of TLS below 1.2 unless it is told to
	bounds    func(c *call) bool       // requests whose versions of TLS it names; nil: none, unless says has them
	environs  bool                     // asks the proxies of its environment, whatever the program says
	http2     bool                     // speaks HTTP/2 over TLS unless it is told not to
	versions  []string                 // versions of HTTP that it can speak, and h2c where it asks for HTTP/2 over plain HTTP; nil: 1.1
	follows   []string                 // methods with which it follows redirects; nil: all
	shares    fieldNames               // fields that it sends to any host that it is redirected to
	guards    bool                     // keeps credentials of its own Basic from them, even where it shares Authorization
	drops     fieldNames               // fields that it does not send again when it is redirected
	spreads   bool                     // its programs send these too with --location-trusted
	loops     func(*call) bool         // calls whose redirects the program follows in a loop of its own
	session   bool                     // sends the cookies of a response with the next request of the program
	after     []string                 // what else it does otherwise than curl when it is redirected: "cookies", "fails", "head", "posts", "referer" as docs/code.md explains them
}

// can reports whether the program has code for a member of options.
func (k *client) can(member string) bool {
	return slices.Contains(k.says, member) || k.also != nil && k.also(member)
}

// ignoresNetrc reports whether a program has to keep its client from ~/.netrc, which curl
// reads with -n only. Credentials that the client takes as such keep it from the file
// until it is redirected.
func (c *call) ignoresNetrc(k *client) bool {
	given := c.basic != nil && c.basic.isText() || c.digest != nil
	return k.netrc && !c.readsNetrc(k) && (c.follow || !given)
}

// readsNetrc reports whether the client of a program has to read ~/.netrc as curl does.
func (c *call) readsNetrc(k *client) bool {
	return k.can("netrc") && c.member("netrc") != nil && c.missing("credentials") && c.field("Authorization") == nil && c.digest == nil
}

// beyondASCII reports whether the URL or a field with another name has characters that
// are not ASCII.
func (c *call) beyondASCII(except string) bool {
	return !c.url.isASCII() || slices.ContainsFunc(c.fields, func(f field) bool { return f.name != except && !f.value.isASCII() && f.value.isText() })
}

// sendsName reports whether the client sends a name of a field that is no token.
func (k *client) sendsName(name string) bool {
	if k.names == nil {
		return k.loose
	}
	return k.names(name)
}

// isMediaType reports whether every reader of media types takes one.
func isMediaType(s string) bool {
	kind, sub, found := strings.Cut(s, "/")
	sub, parameter, _ := strings.Cut(sub, ";")
	token := func(s string) bool {
		return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-._") == ""
	}
	name, value, isPair := strings.Cut(strings.TrimLeft(parameter, " "), "=")
	return found && token(kind) && token(sub) && (parameter == "" || isPair && token(name) && token(value))
}

// isToken reports whether a method or a name of a field is a token of RFC 9110,
// section 5.6.2.
func isToken(s string) bool {
	for i := range len(s) {
		if c := s[i]; !ascii.IsNameByte(c) && strings.IndexByte("!#$%&'*+-.^`|~", c) < 0 {
			return false
		}
	}
	return s != ""
}

// anyName is the rule of a client that sends the name of a field as it is.
func anyName(string) bool { return true }

// enclosing is the rule of a client that counts the content of the methods that
// mostly have some, also where there is none.
func enclosing(method string) bool { return method == "POST" || method == "PUT" || method == "PATCH" }

// capitals is the rule of a client that writes methods in capitals.
func capitals(method string) bool { return method == strings.ToUpper(method) && method != "CONNECT" }

// refuseLacks makes errors of what the client would send otherwise.
func (p *program) refuseLacks(c *call) {
	k := &p.target.client
	if before := p.calls[:slices.Index(p.calls, c)]; c.body.kind == pieceBody && c.takesInput() && slices.ContainsFunc(before, (*call).takesInput) {
		p.refuse("reads the standard input once, where curl sends it with each request")
	}
	if k.everything {
		return
	}
	c.refuseUnwritten(p)
	if !k.constant && !p.options.KeepVariables {
		p.refuseVariables(c)
	}
	if !k.format {
		p.refuseScheme(c)
	}
	if k.numbers {
		p.refuseNumber(c)
	}
	if k.constant && len(c.Variables) > 0 && !p.options.KeepVariables {
		p.cannot("has no variables", shown(&c.Variables[0])+" stays as it was typed")
	}
	if c.Target != "" && !k.target {
		p.refuseAt(c.place("requestTarget"), "cannot send the request target of --request-target")
	}
	if k.methods != nil && !k.methods(c.Method) {
		p.refuseMethod("does not send this method as it is", c.Method)
	}
	if !k.loose && !isToken(c.Method) && !(k.anyMethod && utf8.ValidString(c.Method)) {
		p.refuseMethod("sends no such method", c.Method)
	}
	for i := range c.fields {
		if f := &c.fields[i]; !isToken(f.name) && !k.sendsName(f.name) {
			p.refuseName(f.at, "sends no field with such a name", f.name)
		}
	}
	for _, name := range k.single {
		if c.count(string(name)) > 1 && (name != "Content-Type" || c.body.kind != noBody) {
			p.refuse("sends one " + name)
		}
	}
	if c.removes("Host") && !k.hostless {
		p.refuse("cannot leave out Host")
	}
	if c.empties("Host") && !k.hostless && !k.emptyHost {
		p.refuse("sends no empty Host")
	} else if f := c.field("Host"); f != nil && k.hosts != nil && !k.hosts(f.value.literals()) {
		p.refuseAt(f.at, "does not send such a value of Host")
	}
	if k.zips && c.empties("Accept-Encoding") {
		p.refuse("asks for gzip beside an empty Accept-Encoding")
	}
	if c.body.kind != noBody && slices.Contains(k.bodiless, c.Method) {
		p.refuseMethod("sends no content with this method", c.Method)
	}
	if k.typed && c.untyped() && !c.empty() {
		p.refuse("gives content a type")
	}
	if k.writesAnew(c.URL) {
		p.refuse("writes the percent-encoding of this path anew")
	}
	if k.dots && dotSegments(c.URL) {
		p.refuse("removes dot segments from paths")
	}
	if c.member("crlf") != nil && !k.can("crlf") {
		p.refuse("does not end the lines of a file with CRLF")
	}
	switch {
	case c.digest != nil && (k.answers || k.digest):
		p.refuseUser(c)
	case c.digest != nil:
		p.refuse("has no digest authentication")
	}
	if len(c.cookieFiles) > 0 && !k.can("cookieFiles") {
		p.refuseAt(c.place("cookieFiles"), "does not read all cookie files that curl reads")
	}
	if len(c.unixSocket) > 0 && !k.can("unixSocket") {
		p.refuseAt(c.place("unixSocket"), "cannot connect to a Unix socket")
	}
	for _, name := range k.fixed {
		if f := c.field(string(name)); f != nil && !slices.ContainsFunc(k.passes[string(name)], func(s string) bool { return ascii.EqualFold(s, f.value.source()) }) {
			p.refuseAt(f.at, "sets the field "+name+" itself")
		}
	}
	if f := c.field("Transfer-Encoding"); f != nil && c.body.kind == noBody && k.framed {
		p.refuse("sends no Transfer-Encoding without content")
	} else if f != nil && c.body.kind != noBody && k.codings != nil && !k.codings(f.value.source()) {
		p.refuseAt(f.at, "sends content with another Transfer-Encoding")
	}
	if k.unended && c.chunked() && c.empty() {
		p.refuse("sends no empty content in chunks")
	}
	if k.percents != nil && !k.percents(c.URL) {
		p.refuse("reads no URL with a malformed percent-encoding as it is")
	}
	for i := range c.Fields {
		if f := &c.Fields[i]; !k.everything && strings.Contains(strings.TrimRight(f.Line, "\r\t "), "\r") {
			p.refuseName(f.Span, "sends no carriage return in a field", f.Name)
		}
	}
	for i := range c.fields {
		f := &c.fields[i]
		if k.visible && !isVisible(f.value.literals()) {
			p.refuseName(f.at, "sends only visible ASCII in a field", f.name)
		}
		if k.printable && strings.ContainsFunc(f.value.literals(), func(c rune) bool { return c < ' ' && c != '\t' || c == 0x7f }) {
			p.refuseName(f.at, "sends no control characters in a field", f.name)
		}
		if k.unicode && !f.value.isText() {
			p.refuseName(f.at, "sends only UTF-8 in a field", f.name)
		}
		if k.encoding && !f.value.isText() && c.beyondASCII(f.name) {
			p.refuseName(f.at, "sends only UTF-8 in a field beside other characters", f.name)
		}
	}
	for _, name := range c.removed {
		if name, ok := k.always.find(name); ok {
			p.refuse("always sends " + name)
		}
	}
	if scheme := c.proxyScheme(); scheme != "" && !k.format && !slices.Contains(k.proxies, scheme) {
		kind, known := proxyKinds.find(scheme)
		if !known {
			kind = "such"
		}
		p.refuseAt(c.place("proxy"), "asks no "+kind+" proxy")
	}
}

// refuseScheme makes an error of a URL for another protocol than HTTP.
func (p *program) refuseScheme(c *call) {
	scheme := c.scheme()
	if len(scheme) > len(c.url[0].literal) { // a variable has a part of it
		return
	}
	is := func(name string) bool { return ascii.EqualFold(scheme, name) }
	switch {
	case scheme == "", is("http"), is("https"):
	case is("ws"), is("wss"):
		p.refuseEverywhere("opens no WebSocket")
	case !p.target.client.schemes:
		p.refuseName(nowhere, "asks no proxy for a URL of this scheme", scheme)
	}
}

// refuseNumber makes an error of a host whose last label is a number, if it is no
// address of IPv4: WHATWG URL, "ends in a number checker".
func (p *program) refuseNumber(c *call) {
	if a, ok := c.address(); ok {
		host := strings.TrimSuffix(a.host.source(), ".")
		last := host[strings.LastIndexByte(host, '.')+1:]
		if last != "" && strings.Trim(last, "0123456789") == "" && !isAddress(host) {
			p.refuseName(nowhere, "takes this host for an address", host)
		}
	}
}

// isAddress reports whether a host is an address of IPv4.
func isAddress(host string) bool {
	a, err := netip.ParseAddr(host)
	return err == nil && a.Is4()
}

// isVisible reports whether a text is visible ASCII, blanks and tabs.
func isVisible(s string) bool {
	for i := range len(s) {
		if s[i] != '\t' && (s[i] < ' ' || s[i] > '~') {
			return false
		}
	}
	return true
}

// reportLosses warns of what the client cannot do, and notes each in the
// program. The request stays the same.
func (p *program) reportLosses(c *call) {
	k := &p.target.client
	if k.everything {
		p.reportCookies(c)
		return
	}
	loss := func(asked bool, member string, option, what phrase) {
		if asked && !k.can(member) {
			p.lossAt(c.place(member), option, what)
		}
	}
	if c.follow && k.follows != nil && !slices.Contains(k.follows, c.Method) {
		p.stays(c, "of this method")
	}
	loss(c.follow, "followRedirects", "-L", "does not follow redirects")
	redirected := c.follow && k.can("followRedirects") && !k.loopsFor(c)
	if redirected && k.stuck != nil && k.stuck(c) {
		p.reportStuck(c)
	}
	loss(redirected && c.maxRedirects != curlRedirects, "maxRedirects", "--max-redirs", "has a limit of its own for redirects")
	loss(redirected && c.trusted && k.keepsSecret(c), "locationTrusted", "--location-trusted", "keeps credentials from other hosts")
	loss(c.timeout > 0, "maxTime", "-m", "has no time limit")
	loss(c.connectTimeout > 0 && (c.timeout == 0 || !k.can("maxTime")), "connectTimeout", "--connect-timeout", "has no time limit for the connection")
	loss(c.retries > 0, "retry", "--retry", "does not try again")
	if c.retries > 0 && k.can("retry") && (c.takesInput() || k.once != nil && k.once(c)) {
		p.lossAt(c.place("retry"), "--retry", "cannot send this request again")
		c.retries = 0
	}
	loss(c.insecure, "insecure", "-k", "checks every certificate")
	loss(len(c.caFile) > 0, "cacert", "--cacert", "trusts the certificates of the system only")
	loss(len(c.cert) > 0, "cert", "--cert", "has no client certificates")
	loss(len(c.cert) > 0 && len(c.key) > 0, "cert", "--key", "has no client certificates")
	loss(k.format && c.proxyScheme() != "", "proxy", "-x", "asks no proxy")
	loss(c.noProxy != "" && c.proxyScheme() != "", "noproxy", "--noproxy", "asks its proxy for every host")
	loss(c.replacesNoProxy(), "noproxy", "--noproxy", onlyNoProxy)
	if c.httpVersion != "" && c.httpVersion != "1.1" && !slices.Contains(k.versions, c.httpVersion) {
		loss(true, "httpVersion", versionOptions[c.httpVersion], "does not speak this version of HTTP on demand")
	}
	loss(c.httpVersion == "2" && !c.secure() && slices.Contains(k.versions, "2") && !slices.Contains(k.versions, "h2c"), "h2c", "--http2", "does not ask for HTTP/2 over plain HTTP")
	loss(c.httpVersion == "1.1" && c.encrypts && k.http2 && !slices.Contains(k.versions, "1.1"), "httpVersion", "--http1.1", "speaks HTTP/2 where the server does")
	for _, o := range c.dropped {
		p.lossAt(o.Span, fixedOptions[o.Name], "takes no variable there")
	}
	if c.direct() && k.environs {
		member, option := "noproxy", phrase("--noproxy")
		if c.member("proxy") != nil {
			member, option = "proxy", "-x"
		}
		p.lossAt(c.place(member), option, "asks the proxies that its environment names")
	}
	if c.missing("etag") {
		p.loss("--etag-compare", "does not read the ETag of a file")
	}
	if c.unguessed {
		p.cannot("guesses no scheme", shown(c.url[0].variable)+" must bring one; curl takes http where it brings none")
		p.noteAt(nowhere, "The variable at the beginning of the URL must bring a scheme; curl takes http where it brings none.")
	}
	if name := c.belowLocalhost(); name != "" && !k.loopback && !k.format {
		p.cannot("asks the resolver for a name below localhost", "curl takes "+shortened(name)+" for the machine itself")
		p.noteAt(nowhere, "The host must resolve to this machine; curl takes every name below localhost for that.")
	}
	if c.unspecified != "" {
		p.noteAt(nowhere, p.target.clientName(), " does not connect to ", c.unspecified, ", which is this machine.")
	}
	p.reportCookies(c)
	p.reportRedirects(c)
	p.reportVariables(c)
	if c.unsplit() != nil && (c.basic == nil || !k.joins) {
		p.differsAt(c.Auth.Span, "takes the variable of -u for a user name with an empty password, whatever colon it holds")
	}
	if !k.guesses {
		p.reportTypes(c)
	}
	for _, name := range c.others {
		if l, ok := lacks[name]; ok && c.needs(name) && !k.covers(c, name) {
			if name == "proxyAuth" {
				l.option = proxyAuthOptions[c.member(name).(string)]
			}
			p.lossAt(c.place(name), l.option, "cannot "+l.what)
		}
	}
}

// stays makes a call one that follows no redirects, and warns of that.
func (p *program) stays(c *call, what phrase) {
	p.lossAt(c.place("followRedirects"), "-L", "follows no redirects "+what)
	c.follow = false
	c.settleEncryption(false)
}

// keepsSecret reports whether a request has credentials that the client sends to no
// other host when it is redirected.
func (k *client) keepsSecret(c *call) bool {
	return slices.ContainsFunc([]string{"Authorization", "Cookie"}, func(name string) bool {
		return c.field(name) != nil && !k.sends(c, name) && !k.drops.has(name)
	})
}

// covers reports whether a program does what a member of options asks for: it has code
// for it, or the client does so by itself.
func (k *client) covers(c *call, member string) bool {
	switch {
	case k.can(member), k.loopsFor(c) && slices.Contains(ownRedirects, member):
		return true
	case member == "tlsMin", member == "tlsMax":
		return k.modernTLS && !c.boundsTLS(member) || k.boundsTLS(c)
	case member == "autoReferer": // clients that name the URL before unasked keep the Referer of the program
		return slices.Contains(k.after, "referer") && c.field("Referer") == nil
	}
	return false
}

// boundsTLS reports whether the program names the versions of TLS that a command bounds.
func (k *client) boundsTLS(c *call) bool { return k.bounds != nil && k.bounds(c) }

// loopsFor reports whether the program follows the redirects of a call in a loop of
// its own.
func (k *client) loopsFor(c *call) bool { return k.loops != nil && k.loops(c) }

// sends reports whether the client sends a field to any host that it is redirected
// to.
func (k *client) sends(c *call, name string) bool {
	f := c.field(name)
	return f != nil && k.shares.has(name) && !(k.guards && f.derived)
}

// loseAddress warns that this program connects to the host of the URL where
// --resolve and --connect-to say otherwise: others of the target do not.
func (p *program) loseAddress(c *call) {
	if !c.elsewhere() {
		return
	}
	for _, member := range []string{"resolve", "connectTo"} {
		if c.member(member) != nil {
			p.lossAt(c.place(member), lacks[member].option, "cannot "+lacks[member].what)
		}
	}
}

// reportVariables warns of variables whose values curl reads: a date, a pair that
// it encodes, the path of a file that it sends.
func (p *program) reportVariables(c *call) {
	if len(c.Variables) == 0 || c.keep {
		return
	}
	for i := range c.fields {
		if f := &c.fields[i]; hasVariable(f.value) && (f.from == "-z" || f.from == "--time-cond") {
			p.differsAt(f.at, "sends the variable of -z as it is, and not as a date")
		}
	}
	if c.member("createDirs") != nil && hasVariable(c.output) && c.folder() == nil {
		p.lossAt(c.place("createDirs"), "--create-dirs", "does not look for folders in what a variable holds")
	}
	encoded := false
	for i := range c.Variables {
		encoded = encoded || encodes(&c.Variables[i])
	}
	if !encoded {
		return
	}
	source := c.url.source()
	_, query, _ := strings.Cut(source, "?")
	pairs := c.url.cut(len(source)-len(query), len(source)).split('&')
	if c.body.kind == rawBody {
		pairs = append(pairs, c.body.data.split('&')...)
	}
	for _, pair := range pairs {
		if pair.bare() {
			p.differs("encodes all that the variable of --data-urlencode holds, also a name before =")
			break
		}
	}
	if file := c.body.file; c.body.kind == fileBody && len(file) == 1 && hasVariable(file) && strings.HasSuffix(source, "/"+file.source()) && c.url[len(c.url)-1].encoded() {
		p.differs("sends the whole name of the file of -T in the URL, also its folders")
	}
}

// bare reports a pair that is one variable, of which curl encodes what stands
// after the first =.
func (t text) bare() bool { return len(t) == 1 && t[0].encoded() }

// encoded reports a variable whose content curl percent-encodes.
func (p *part) encoded() bool { return p.variable != nil && encodes(p.variable) }

// encodes reports whether curl percent-encodes the content of a variable.
func encodes(v *request.Variable) bool {
	return v.Encoding == request.Percent || v.Encoding == request.FormEncode
}

// reportTypes warns of parts of a form whose type curl guesses by a name that a
// variable holds: no other client knows the same extensions.
func (p *program) reportTypes(c *call) {
	for i := range c.body.part {
		part := &c.body.part[i]
		if !part.guessed() {
			continue
		}
		kind := phrase("no type")
		if part.contentType != nil {
			kind = "application/octet-stream"
		}
		p.cannotAt(part.Span, "guesses no type by the name of a file", "the program sends "+string(kind)+"; add ;type= to the part for another")
		p.noteAt(part.Span, "curl guesses the type of a part of -F by the name of its file; the program sends ", kind)
	}
}

// needs reports whether the request would be another one without an option of
// lacks.
func (c *call) needs(name string) bool {
	switch name {
	case "resolve", "connectTo":
		return c.elsewhere()
	case "netrc", "netrcFile":
		return c.missing("credentials") // those of a file that was supplied are a field
	case "autoReferer":
		return c.follow
	case "capath", "crlfile", "certStatus", "pinnedPublicKey", "tlsMin", "tlsMax":
		return c.encrypts
	case "keyPassword":
		return c.encrypts && len(c.cert) > 0
	case "proxyHeaders":
		return c.proxyScheme() != ""
	case "proxyAuth":
		return len(c.proxyUser) > 0 && c.member(name) != "basic"
	case "proxyTunnel":
		return !c.secure() && strings.HasPrefix(c.proxyScheme(), "http") // https goes through a tunnel anyway
	case "proxyCacert", "proxyCapath", "proxyCert", "proxyInsecure", "proxyPinnedPublicKey":
		return c.proxyScheme() == "https"
	case "proto": // curl takes the URL of the command
		return c.follow || c.unknownScheme()
	case "post301", "post302", "post303", "protoRedir":
		return c.follow && (name == "protoRedir" || c.Method == "POST")
	case "continueAt":
		return c.body.kind == noBody && len(c.output) > 0 && c.output.source() != "-" && c.output.source() != nullDevice
	case "createDirs":
		return c.folder() != nil
	}
	return true
}

// member returns the value of a member of options, or nil.
func (c *call) member(name string) any {
	if i := slices.IndexFunc(c.Options, func(o request.Option) bool { return o.Name == name }); i >= 0 {
		return c.Options[i].Value
	}
	return nil
}

// textOf returns the value of a member of options that is text, or nil.
func (c *call) textOf(member string) text {
	s, ok := c.member(member).(string)
	if !ok {
		return nil
	}
	return c.text(s, "options."+member)
}

// missing reports whether a file with a role was not supplied.
func (c *call) missing(role string) bool {
	return slices.ContainsFunc(c.Missing, func(f request.MissingFile) bool { return f.Role == role })
}

// reportRedirects warns of fields that the client sends elsewhere than curl does
// when it is redirected, of a Digest that gives way to Basic, and of content that
// goes out too early: curl sends none until it can answer a challenge
// (authneg in curl 8.22 lib/http.c).
func (p *program) reportRedirects(c *call) {
	k := &p.target.client
	if c.digest != nil && k.eager && c.body.kind != noBody {
		p.differs("sends the content also before the server asks for Digest")
		p.diags[len(p.diags)-1].Option = "--digest"
	}
	if c.digest != nil && k.anyAuth {
		p.differs("uses Basic where the server asks for it")
	}
	if !c.follow || !k.can("followRedirects") || k.loopsFor(c) {
		return
	}
	for _, name := range k.shares {
		if k.sends(c, string(name)) && !c.trusted {
			p.differs("sends " + name + " to every host that it is redirected to")
		}
	}
	for _, name := range k.drops {
		if c.field(string(name)) != nil && !(c.trusted && k.spreads) && !(name == "Referer" && c.member("autoReferer") != nil) {
			p.differs("leaves out " + name + " when it is redirected")
		}
	}
}

// reportCookies warns where curl sends the cookies of a response with later
// requests, and the program does not.
func (p *program) reportCookies(c *call) {
	k, o := &p.target.client, c.cookieEngine()
	if o == nil {
		return
	}
	option := phrase("-b")
	if o.Name == "cookieJar" {
		option = "-c"
	}
	const given = "sends no cookies that a redirect sets"
	loss := func(what phrase) {
		p.cannotAt(o.Span, what, "curl sends them, because of "+string(option))
		p.diags[len(p.diags)-1].Option = string(option)
		p.noteAt(nowhere, p.target.clientName(), " ", what, "; curl does, because of ", option)
	}
	forgets := c.follow && !k.everything && k.can("followRedirects") && !k.can("cookieEngine") && !slices.Contains(k.after, "cookies")
	unwritten := len(c.cookieJar) > 0 && !k.everything && !k.can("cookieJar")
	switch {
	case unwritten && forgets:
		p.lossAt(c.place("cookieJar"), "-c", "writes no cookie files, and "+given)
	case unwritten:
		p.lossAt(c.place("cookieJar"), "-c", "writes no cookie files")
	case forgets:
		loss(given)
	}
	i := slices.Index(p.calls, c)
	if i == 0 || k.session {
		return
	}
	// A command has one place for an option, whatever the number of its URLs.
	if before := p.calls[i-1].cookieEngine(); before != nil && before.Span == o.Span {
		loss("sends no cookies that an earlier response sets")
	}
}

// unsplit returns the text in which curl would look for a user name and a
// password, and the program does not.
func (c *call) unsplit() text {
	if c.Auth == nil || !c.Auth.Whole {
		return nil
	}
	for _, one := range [...]*credentials{c.basic, c.digest, c.negotiated} {
		if one != nil && len(one.whole) == 0 && hasVariable(one.user) {
			return one.user
		}
	}
	return nil
}

// onlyNoProxy is what a client cannot that has a list of hosts for a proxy of its
// own only.
const onlyNoProxy = "has no list of hosts but NO_PROXY of its environment"

// curlRedirects is how many redirects curl follows unless told otherwise: curl
// 8.22 docs/cmdline-opts/max-redirs.md.
const curlRedirects = 50

// place returns where the command has the option that set a member of options.
func (c *call) place(member string) diag.Span {
	for i := range c.Options {
		if o := &c.Options[i]; o.Name == member {
			return o.Span
		}
	}
	return diag.Span{}
}

// reportStuck warns of content that the client reads only once.
func (p *program) reportStuck(c *call) {
	p.lossAt(c.place("followRedirects"), "-L", "cannot send the content again when it is redirected")
}

// sendsFile reports content that is a file, which some clients read only once.
func sendsFile(c *call) bool { return c.body.kind == fileBody }

// sendsForm reports a form of parts, which some clients read only once.
func sendsForm(c *call) bool { return c.body.kind == multipartBody }

// lacks are further members of options that change what is sent, or to whom,
// with the option that sets them. What is not here changes how curl connects,
// reports or stores, and a program goes without it.
var lacks = map[string]struct{ option, what phrase }{
	"abstractUnixSocket":   {"--abstract-unix-socket", "connect to an abstract Unix socket"},
	"altSvc":               {"--alt-svc", "follow Alt-Svc"},
	"autoReferer":          {"-e ';auto'", "name the URL before in Referer when it is redirected"},
	"capath":               {"--capath", "trust the certificates of a folder"},
	"certStatus":           {"--cert-status", "ask for the status of the certificate"},
	"createDirs":           {"--create-dirs", "make the folders of the file that it writes"},
	"crlfile":              {"--crlfile", "read a list of revoked certificates"},
	"dnsServers":           {"--dns-servers", "choose the servers that resolve names"},
	"continueAt":           {"-C", "go on where a file ends"},
	"connectTo":            {"--connect-to", "connect to another host than the URL's"},
	"dohUrl":               {"--doh-url", "resolve names over HTTPS"},
	"haproxyClientip":      {"--haproxy-clientip", "send a PROXY protocol header"},
	"haproxyProtocol":      {"--haproxy-protocol", "send a PROXY protocol header"},
	"interface":            {"--interface", "choose the network interface"},
	"keyPassword":          {"--pass", "read an encrypted key"},
	"limitRate":            {"--limit-rate", "limit the speed"},
	"localPort":            {"--local-port", "choose the local port"},
	"maxFilesize":          {"--max-filesize", "limit the size of the response"},
	"netrc":                {"--netrc", "read .netrc"},
	"netrcFile":            {"--netrc-file", "read .netrc"},
	"pinnedPublicKey":      {"--pinnedpubkey", "pin a public key"},
	"post301":              {"--post301", "send a POST again when it is redirected"},
	"post302":              {"--post302", "send a POST again when it is redirected"},
	"post303":              {"--post303", "send a POST again when it is redirected"},
	"preproxy":             {"--preproxy", "go through two proxies"},
	"proto":                {"--proto", "limit the protocols"},
	"protoRedir":           {"--proto-redir", "limit the protocols of redirects"},
	"proxyAuth":            {"", "authenticate at the proxy in another way than Basic"},
	"proxyCacert":          {"--proxy-cacert", "trust other certificates of the proxy"},
	"proxyCapath":          {"--proxy-capath", "trust other certificates of the proxy"},
	"proxyCert":            {"--proxy-cert", "show the proxy a certificate"},
	"proxyHeaders":         {"--proxy-header", "send fields to the proxy only"},
	"proxyInsecure":        {"--proxy-insecure", "trust any certificate of the proxy"},
	"proxyPinnedPublicKey": {"--proxy-pinnedpubkey", "pin a public key of the proxy"},
	"proxyTunnel":          {"--proxytunnel", "reach an http URL through a tunnel"},
	"resolve":              {"--resolve", "give a host an address of its own"},
	"tlsMax":               {"--tls-max", "set the highest version of TLS"},
	"tlsMin":               {"--tlsv1", "set the lowest version of TLS"},
}

// refuseUser refuses a user name that the client does not quote or encode as curl 8.22
// does, and a password that it encodes otherwise.
func (p *program) refuseUser(c *call) {
	k, user := &p.target.client, c.digest.user.literals()
	if strings.ContainsAny(user, "\"\\") && !k.quotes && !k.format || !ascii.Only(user) {
		p.refuseAt(c.Auth.Span, "answers no Digest for such a user name")
	}
	if k.latin && !ascii.Only(c.digest.password.literals()) {
		p.refuseAt(c.Auth.Span, "answers no Digest with a password that is not ASCII")
	}
}
