package code

import (
	"slices"
	"strconv"
	"strings"
)

// What http.client of Python 3.11 does by itself, measured on the wire: it adds
// Host, "Accept-Encoding: identity", and a length; sends the target as it is,
// but takes ASCII only; follows no redirects, so a program does that itself.
var pythonHTTP = Target{
	Name: "python-http", Language: "python", Client: "http.client", Version: "Python 3.11", Kind: Code, Extension: "py",
	Aliases: []string{"python-httpclient", "python-http.client", "http.client"}, Proven: true, style: pythonStyle, write: writePythonHTTP,
	client: client{
		modernTLS: true,
		adds:      fieldNames{"Accept-Encoding"},
		codings:   noCoding,
		target:    true,
		hostless:  true,
		answers:   true,
		anyMethod: true,
		methods:   pythonMethod,
		names:     pythonName,
		says:      slices.Concat(ownRedirects, []string{"createDirs", "maxTime", "connectTimeout", "retry", "insecure", "tlsMin", "tlsMax", "cacert", "cert"}),
		proxies:   []string{"http"},
	},
}

func writePythonHTTP(p *program) {
	sections := p.writePython(0, pythonContent{data: "body", joins: true}, func(r *pythonRequest) {
		r.encodedQuery()
		r.again("time.sleep", "response.status", func() {
			if r.c.follow && r.follows() {
				r.followed()
			} else {
				r.ask()
			}
		})
		r.failure()
		r.result("response.read()", "response.headers", `response.read().decode(errors="replace")`)
	})
	if !p.options.Bare {
		p.use("import http.client")
		p.pythonImports()
	}
	p.pythonFunctions()
	p.join(sections)
}

// ask writes one exchange.
func (r *pythonRequest) ask() {
	target := r.openConnection()
	content := r.content()
	if r.c.repeated() || r.c.removes("Host") || r.c.removes("Accept-Encoding") {
		r.putRequest(target, content)
		r.p.line("response = connection.getresponse()")
		return
	}
	r.arguments = append([]node{leaf(r.p.pythonString(r.c.Method)), target}, content...)
	r.headers(nil, (*field).skipped)
	r.exchange(r.arguments)
}

// exchange writes the statements that send a request to the connection and get the
// response.
func (r *pythonRequest) exchange(arguments []node) {
	if r.c.digest == nil {
		r.p.node("", group("connection.request", "(", arguments, ")"), "")
		r.p.line("response = connection.getresponse()")
		return
	}
	for _, module := range []string{"hashlib", "re", "secrets"} {
		r.p.use("import " + module)
	}
	r.p.answerDigest("client.py")
	first := []node{leaf("connection"), r.p.pythonText(r.c.digest.user), r.p.pythonText(r.c.digest.password)}
	r.p.node("response = ", group("request_digest", "(", append(first, arguments...), ")"), "")
}

// follows reports whether the program can follow redirects, and warns where it
// cannot: it asks no proxy for another URL, writes fields of one name one by one,
// and urlsplit loses an empty query.
func (r *pythonRequest) follows() bool {
	what := phrase("")
	switch {
	case r.c.proxyScheme() != "":
		what = "through a proxy"
	case r.c.Target != "", strings.HasSuffix(r.c.URL, "?"):
		what = "of such a request target"
	case r.c.repeated() || r.c.removes("Host") || r.c.removes("Accept-Encoding"):
		what = "with such fields"
	default:
		return true
	}
	r.p.stays(r.c, what)
	return false
}

// followed writes the exchange in a loop, which ends with a response that is no
// redirect.
func (r *pythonRequest) followed() {
	r.p.use("from urllib.parse import urljoin, urlsplit")
	if r.c.guess {
		r.p.pythonURL(r.c)
	} else {
		r.p.node("url = ", r.asciiText(r.c.url), "")
	}
	options := r.connectionOptions()
	content := r.content()
	statuses := r.c.emptying()
	own := func(f *field) bool { return !r.c.trusted && f.guarded() }
	shared := r.dict(func(f *field) bool { return f.skipped() || own(f) })
	secret := r.dict(func(f *field) bool { return f.skipped() || !own(f) })
	method := leaf(r.p.pythonString(r.c.Method))
	if len(statuses) > 0 && !r.c.keepsMethod {
		r.p.node("method = ", method, "")
		method = leaf("method")
	}
	headers := ""
	if shared != nil {
		r.p.node("headers = ", *shared, "")
		headers = "headers"
	}
	if secret != nil {
		r.p.node("own = ", *secret, "")
	}
	if secret != nil || r.c.digest != nil {
		r.p.line("origin = urlsplit(url)[:2]")
	}
	if secret != nil {
		if headers = "own if parts[:2] == origin else {}"; shared != nil {
			headers = "{**headers, **own} if parts[:2] == origin else headers"
		}
	}
	arguments := []node{method, leaf("target")}
	if len(content) > 0 {
		body := content[0]
		body.name, body.separator = "", ""
		r.p.node("body = ", body, "")
		arguments = append(arguments, leaf("body=body"))
	}
	if headers != "" {
		arguments = append(arguments, leaf("headers="+headers))
	}
	loop, limited := "while True:", r.c.maxRedirects >= 0
	if limited {
		loop = "for _ in range(" + strconv.FormatInt(r.c.maxRedirects+1, 10) + "):"
	}
	r.p.block(loop, func() {
		r.p.line("parts = urlsplit(url)")
		r.connect("parts", options)
		r.p.line("target = ", splitTarget("parts"))
		r.exchangeWith(arguments)
		r.p.line(`location = response.headers["Location"]`)
		r.p.line("if response.status // 100 != 3 or not location:")
		r.p.line(r.p.indent, "break")
		r.p.line("url = urljoin(url, location)")
		r.emptied(statuses)
	})
	if limited {
		r.p.line("else:")
		r.p.line(r.p.indent, `raise SystemExit("too many redirects")`)
	}
}

// emptied writes what a redirect takes away from the request.
func (r *pythonRequest) emptied(statuses []string) {
	if len(statuses) == 0 {
		return
	}
	list := " == " + statuses[0]
	if len(statuses) > 1 {
		list = " in (" + strings.Join(statuses, ", ") + ")"
	}
	r.p.block("if response.status"+list+":", func() {
		switch has := r.c.body.kind != noBody; {
		case r.c.keepsMethod:
			r.p.line("body = None")
		case has:
			r.p.line(`method, body = "GET", None`)
		default:
			r.p.line(`method = "GET"`)
		}
		if f := r.c.field("Content-Type"); f != nil && !f.skipped() && f.typesContent() {
			r.p.line("headers.pop(", r.p.pythonString(f.name), ", None)")
		}
	})
}

// exchangeWith is exchange in the loop of redirects, in which other servers get no
// answer.
func (r *pythonRequest) exchangeWith(arguments []node) {
	if r.c.digest == nil || r.c.trusted {
		r.exchange(arguments)
		return
	}
	r.p.block("if parts[:2] == origin:", func() { r.exchange(arguments) })
	r.p.block("else:", func() {
		r.p.node("", group("connection.request", "(", arguments, ")"), "")
		r.p.line("response = connection.getresponse()")
	})
}

// dict returns the fields as a dict, but those that skip has; nil without any.
func (r *pythonRequest) dict(skip func(f *field) bool) *node {
	before := r.arguments
	r.arguments = nil
	r.headers(nil, skip)
	fields := r.arguments
	r.arguments = before
	if len(fields) == 0 {
		return nil
	}
	n := fields[0]
	n.name, n.separator = "", ""
	return &n
}

// openConnection writes the statements that make the connection, and returns
// the request target.
func (r *pythonRequest) openConnection() node {
	options := r.connectionOptions()
	a, ok := r.c.address()
	if !ok {
		return r.openVariable(options)
	}
	class := "HTTPConnection"
	if a.secure {
		class = "HTTPSConnection"
	}
	server := a.host.source()
	if a.port != "" {
		server += ":" + a.port
	}
	target := r.asciiText(a.path)
	if r.c.Target != "" {
		own := r.c.requestTarget()
		if strings.ContainsFunc(own.literals(), func(c rune) bool { return c <= ' ' || c > '~' }) {
			r.p.refuseAt(r.c.place("requestTarget"), "cannot send such a request target")
		}
		target = r.asciiText(own)
	}
	first := server
	if r.c.proxyScheme() != "" {
		proxy, ok := r.c.proxyServer()
		if !ok {
			r.p.refuse("takes no proxy from a variable")
			return target
		}
		first = proxy.host + ":" + proxy.port
		if !a.secure {
			if r.c.Target == "" {
				target = r.asciiText(r.c.url)
			}
			if proxy.credentials != nil {
				r.c.fields = append(r.c.fields, field{name: "Proxy-Authorization", derived: true}) // see fieldValue
			}
			if r.c.field("Host") == nil {
				r.c.fields = append(r.c.fields, field{name: "Host", value: literal(server)})
			}
		}
	}
	r.p.node("connection = ", group("http.client."+class, "(", append([]node{leaf(r.p.pythonString(first))}, options...), ")"), "")
	if first != server && a.secure {
		r.tunnel(server)
	}
	return target
}

// connectionOptions returns the arguments of the connection but the server.
func (r *pythonRequest) connectionOptions() (options []node) {
	if limit := r.limit(); limit > 0 {
		options = append(options, leaf("timeout="+seconds(limit)))
	}
	if r.context() {
		options = append(options, leaf("context=context"))
	}
	return options
}

// limit returns the time limit of each step, which is the only one that the
// client has.
func (r *pythonRequest) limit() float64 {
	if r.c.timeout > 0 {
		return r.c.timeout
	}
	return r.c.connectTimeout
}

// openVariable is openConnection for a URL whose host is in a variable.
func (r *pythonRequest) openVariable(options []node) node {
	r.p.use("from urllib.parse import urlsplit")
	url := r.p.pythonURL(r.c)
	r.p.node("url = urlsplit(", url, ")")
	r.connect("url", options)
	return leaf(splitTarget("url"))
}

// splitTarget returns the request target of a URL that was split.
func splitTarget(url string) string {
	return "(" + url + `.path or "/") + ("?" + ` + url + ".query if " + url + `.query else "")`
}

// connect writes the statement that makes the connection to the server of a URL
// that was split.
func (r *pythonRequest) connect(url string, options []node) {
	netloc := []node{leaf(url + ".netloc")}
	if plain := slices.DeleteFunc(slices.Clone(options), isContext); len(plain) < len(options) {
		r.p.line("if ", url, `.scheme == "https":`)
		r.p.node(r.p.indent+"connection = ", group("http.client.HTTPSConnection", "(", append(netloc, options...), ")"), "")
		r.p.line("else:")
		r.p.node(r.p.indent+"connection = ", group("http.client.HTTPConnection", "(", append(netloc, plain...), ")"), "")
	} else {
		r.p.line("connect = http.client.HTTPSConnection if ", url, `.scheme == "https" else http.client.HTTPConnection`)
		r.p.node("connection = ", group("connect", "(", append(netloc, options...), ")"), "")
	}
}

// isContext reports whether an argument is the context of TLS, which only https
// takes.
func isContext(n node) bool { return n.head == "context=context" }

// tunnel writes the statement that asks the proxy for a tunnel.
func (r *pythonRequest) tunnel(server string) {
	arguments := []node{leaf(r.p.pythonString(server))}
	if proxy, _ := r.c.proxyServer(); proxy.credentials != nil {
		arguments = append(arguments, named("headers", "=", group("", "{", []node{named(`"Proxy-Authorization"`, ": ", r.basicValue("proxy_credentials", proxy.credentials))}, "}")))
	}
	r.p.node("", group("connection.set_tunnel", "(", arguments, ")"), "")
}

// asciiText returns a text of a URL, in which characters that are not ASCII are
// percent-encoded.
func (r *pythonRequest) asciiText(t text) node {
	var out text
	for _, p := range t {
		var b []byte
		for i := range len(p.literal) {
			if c := p.literal[i]; c >= 0x80 || c <= ' ' {
				b = append(b, '%', "0123456789ABCDEF"[c>>4], "0123456789ABCDEF"[c&15])
			} else {
				b = append(b, c)
			}
		}
		p.literal = string(b)
		out = append(out, p)
	}
	return r.p.pythonText(out)
}

// isPythonText reports whether an expression for content is a str, and not bytes.
func isPythonText(n node) bool {
	if n.head == "" && n.open == "(" && n.close == ")" && len(n.items) > 0 {
		return isPythonText(n.items[0])
	}
	prefix := func(s string) bool { return strings.HasPrefix(n.head, s) }
	return slices.ContainsFunc([]string{`"`, "'", `f"`, "f'", "json.dumps", "urlencode"}, prefix) &&
		!strings.HasSuffix(n.head, ".encode()") && !strings.HasSuffix(n.close, ".encode()")
}

// putRequest writes the request a field at a time, because a dict has each name
// once and the client adds Host.
func (r *pythonRequest) putRequest(target node, content []node) {
	if r.c.digest != nil {
		r.p.refuse("answers no Digest with such fields")
	}
	arguments := []node{leaf(r.p.pythonString(r.c.Method)), target}
	if r.c.removes("Host") || r.c.field("Host") != nil {
		arguments = append(arguments, leaf("skip_host=True"))
	}
	if r.c.field("Accept-Encoding") != nil || r.c.removes("Accept-Encoding") {
		arguments = append(arguments, leaf("skip_accept_encoding=True"))
	}
	end := ""
	if len(content) > 0 {
		n := content[0]
		n.name, n.separator = "", ""
		r.p.node("body = ", n, "")
		end = "body"
		if isPythonText(n) {
			end = "body.encode()"
		}
	}
	r.p.node("", group("connection.putrequest", "(", arguments, ")"), "")
	for i := range r.c.fields {
		f := &r.c.fields[i]
		if !f.skipped() {
			r.p.node("", group("connection.putheader", "(", []node{leaf(r.p.pythonString(f.name)), r.fieldValue(f)}, ")"), "")
		}
	}
	switch {
	case end != "":
		r.p.line("connection.putheader(\"Content-Length\", str(len(", end, ")))")
	case r.c.Method == "POST" || r.c.Method == "PUT" || r.c.Method == "PATCH":
		r.p.line(`connection.putheader("Content-Length", "0")`)
	}
	r.p.line("connection.endheaders(", end, ")")
}
