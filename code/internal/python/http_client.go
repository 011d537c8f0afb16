package python

import (
	"slices"
	"strconv"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
)

// What http.client of Python 3.11 does by itself, measured on the wire: it adds
// Host, "Accept-Encoding: identity", and a length; sends the target as it is,
// but takes ASCII only; follows no redirects, so a program does that itself.
var HTTPClient = plan.Target{
	Name: "python-http", Convention: &convention, Client: "http.client", Version: "Python 3.11", Kind: plan.Code, Extension: "py",
	Aliases: []string{"python-httpclient", "python-http.client", "http.client"}, Proven: true, Style: style, Write: writePythonHTTP, Takes: plan.AnyFrom, Heads: true, Runs: true,
	Functions: true, Decodes: true,
	Facts: plan.Client{
		Undecoded: true,
		Breaks:    true,
		Insists:   true,
		ModernTLS: true,
		Adds:      plan.FieldNames{"Accept-Encoding"},
		Wire:      plan.Wire{Query: "é", Text: true},
		Rules:     plan.Rules{plan.SendsCodings(plan.NoCoding), plan.SendsMethods(pythonMethod)},
		Target:    true,
		Hostless:  true,
		Answers:   true,
		AnyMethod: true,
		Names:     plan.PythonName,
		Proxies:   []string{"http"},
	},
}

func writePythonHTTP(p *plan.Program) {
	sections := writePython(p, p.Depth(0), pythonContent{data: "body", joins: true}, func(r *pythonRequest) {
		r.encodedQuery()
		r.again(pythonRetry{"time.sleep", "response.status", "ConnectionRefusedError", "(OSError, http.client.HTTPException)", false}, func() {
			if r.c.Follow() && r.follows() {
				r.followed()
			} else {
				r.ask()
			}
		})
		r.result(reader, r.failure)
	})
	p.Head(func() {
		p.Use("import http.client")
		imports(p)
	})
	pythonBody(p, "", sections)
}

// reader is a response of http.client, which is read once. What is read in pieces may
// end early without an error: HTTPResponse.read in Lib/http/client.py of Python 3.11.
var reader = response{
	status: "response.status", reason: "response.reason", headers: "response.headers",
	content: "response.read()", json: "json.load(response)", text: `response.read().decode(errors="replace")`,
	class: "http.client.HTTPMessage", noneLacks: true,
	save: []string{"shutil.copyfileobj(response, output)"}, ended: "response.length", lines: "for line in response:", ends: true,
}

// ask writes one exchange.
func (r *pythonRequest) ask() {
	target := r.openConnection()
	content := r.content()
	if r.c.Repeated() || r.c.Removes("Host") || r.c.Removes("Accept-Encoding") {
		r.putRequest(target, content)
		r.p.Line("response = connection.getresponse()")
		return
	}
	r.arguments = append([]emit.Node{emit.Leaf(String(r.p, r.c.Method)), target}, content...)
	r.headers(nil, (*plan.Field).Skipped)
	r.exchange(r.arguments)
}

// exchange writes the statements that send a request to the connection and get the
// response.
func (r *pythonRequest) exchange(arguments []emit.Node) {
	if r.c.Digest == nil {
		r.p.Node("", emit.Group("connection.request", "(", arguments, ")"), "")
		r.p.Line("response = connection.getresponse()")
		return
	}
	for _, module := range []string{"hashlib", "re", "secrets"} {
		r.p.Use("import " + module)
	}
	r.p.AnswerDigest("client.py")
	first := []emit.Node{emit.Leaf("connection"), pythonText(r.p, r.c.Digest.User), pythonText(r.p, r.c.Digest.Password)}
	r.p.Node("response = ", emit.Group("request_digest", "(", append(first, arguments...), ")"), "")
}

// follows reports whether the program can follow redirects, and warns where it
// cannot: it asks no proxy for another URL, writes fields of one name one by one,
// and urlsplit loses an empty query.
func (r *pythonRequest) follows() bool {
	what := emit.Phrase("")
	switch {
	case r.c.ProxyScheme() != "":
		what = "through a proxy"
	case r.c.Target != "", strings.HasSuffix(r.c.URL, "?"):
		what = "of such a request target"
	case r.c.Repeated() || r.c.Removes("Host") || r.c.Removes("Accept-Encoding"):
		what = "with such fields"
	default:
		return true
	}
	r.p.Stays(r.c, what)
	return false
}

// followed writes the exchange in a loop, which ends with a response that is no
// redirect.
func (r *pythonRequest) followed() {
	r.p.Use("from urllib.parse import urljoin, urlsplit")
	if r.c.Guess {
		pythonURL(r.p, r.c)
	} else {
		r.p.Node("url = ", r.asciiText(r.c.URLText), "")
	}
	options := r.connectionOptions()
	content := r.content()
	statuses := r.c.Emptying()
	own := func(f *plan.Field) bool { return !r.c.Trusted() && f.Guarded() }
	shared := r.dict(func(f *plan.Field) bool { return f.Skipped() || own(f) })
	secret := r.dict(func(f *plan.Field) bool { return f.Skipped() || !own(f) })
	method := emit.Leaf(String(r.p, r.c.Method))
	if len(statuses) > 0 && !r.c.KeepsMethod() {
		r.p.Node("method = ", method, "")
		method = emit.Leaf("method")
	}
	headers := ""
	if shared != nil {
		r.p.Node("headers = ", *shared, "")
		headers = "headers"
	}
	if secret != nil {
		r.p.Node("own = ", *secret, "")
		r.c.Lead("* Host Authorization Cookie")
	}
	if secret != nil || r.c.Digest != nil {
		r.p.Line("origin = urlsplit(url)[:2]")
	}
	if secret != nil {
		if headers = "own if parts[:2] == origin else {}"; shared != nil {
			headers = "{**headers, **own} if parts[:2] == origin else headers"
		}
	}
	arguments := []emit.Node{method, emit.Leaf("target")}
	if len(content) > 0 {
		body := content[0]
		body.Name, body.Separator = "", ""
		r.p.Node("body = ", body, "")
		arguments = append(arguments, emit.Leaf("body=body"))
	}
	if headers != "" {
		arguments = append(arguments, emit.Leaf("headers="+headers))
	}
	loop, limited := "while True:", r.c.MaxRedirects() >= 0
	if limited {
		loop = "for _ in range(" + strconv.FormatInt(r.c.MaxRedirects()+1, 10) + "):"
	}
	r.p.Block(loop, func() {
		r.p.Line("parts = urlsplit(url)")
		r.connect("parts", options)
		r.p.Line("target = ", splitTarget("parts"))
		r.exchangeWith(arguments)
		r.p.Line(`location = response.headers["Location"]`)
		r.p.Line("if response.status // 100 != 3 or not location:")
		r.p.Line(r.p.Indent, "break")
		r.p.Line("url = urljoin(url, location)")
		r.emptied(statuses)
	})
	if limited {
		r.p.Line("else:")
		r.p.Line(r.p.Indent, "raise ", r.exception(), `("too many redirects")`)
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
	r.p.Block("if response.status"+list+":", func() {
		switch has := r.c.Content.Kind != plan.NoBody; {
		case r.c.KeepsMethod():
			r.p.Line("body = None")
		case has:
			r.p.Line(`method, body = "GET", None`)
		default:
			r.p.Line(`method = "GET"`)
		}
		if f := r.c.Field("Content-Type"); f != nil && !f.Skipped() && f.TypesContent() {
			r.p.Line("headers.pop(", String(r.p, f.Name), ", None)")
		}
	})
}

// exchangeWith is exchange in the loop of redirects, in which other servers get no
// answer.
func (r *pythonRequest) exchangeWith(arguments []emit.Node) {
	if r.c.Digest == nil || r.c.Trusted() {
		r.exchange(arguments)
		return
	}
	r.p.Block("if parts[:2] == origin:", func() { r.exchange(arguments) })
	r.p.Block("else:", func() {
		r.p.Node("", emit.Group("connection.request", "(", arguments, ")"), "")
		r.p.Line("response = connection.getresponse()")
	})
}

// dict returns the fields as a dict, but those that skip has; nil without any.
func (r *pythonRequest) dict(skip func(f *plan.Field) bool) *emit.Node {
	before := r.arguments
	r.arguments = nil
	r.headers(nil, skip)
	fields := r.arguments
	r.arguments = before
	if len(fields) == 0 {
		return nil
	}
	n := fields[0]
	n.Name, n.Separator = "", ""
	return &n
}

// openConnection writes the statements that make the connection, and returns
// the request target.
func (r *pythonRequest) openConnection() emit.Node {
	options := r.connectionOptions()
	a, ok := r.c.Address()
	if !ok {
		return r.openVariable(options)
	}
	class := "HTTPConnection"
	if a.Secure {
		class = "HTTPSConnection"
	}
	server := a.Host.Source()
	if a.Port != "" {
		server += ":" + a.Port
	}
	target := r.asciiText(a.Path)
	if r.c.Target != "" {
		own := r.c.TargetText()
		if strings.ContainsFunc(own.Literals(), func(c rune) bool { return c <= ' ' || c > '~' }) {
			r.p.RefuseAt(r.c.Place("requestTarget"), "cannot send such a request target")
		}
		target = r.asciiText(own)
	}
	first := server
	if r.c.ProxyScheme() != "" {
		proxy, ok := r.c.ProxyServer()
		if !ok {
			r.p.Refuse("takes no proxy from a variable")
			return target
		}
		first = proxy.Host + ":" + proxy.Port
		if !a.Secure {
			if r.c.Target == "" {
				target = r.asciiText(r.c.URLText)
			}
			if proxy.Credentials != nil {
				r.c.AddImplied("Proxy-Authorization", nil) // see fieldValue
			}
			if r.c.Field("Host") == nil {
				r.c.AddField("Host", plan.Literal(server))
			}
		}
	}
	r.p.Node("connection = ", emit.Group("http.client."+class, "(", append([]emit.Node{emit.Leaf(String(r.p, first))}, options...), ")"), "")
	if first != server && a.Secure {
		r.tunnel(server)
	}
	return target
}

// connectionOptions returns the arguments of the connection but the server.
func (r *pythonRequest) connectionOptions() (options []emit.Node) {
	if limit := r.limit(); limit > 0 {
		options = append(options, emit.Leaf("timeout="+emit.Seconds(limit)))
	}
	if r.context() {
		options = append(options, emit.Leaf("context=context"))
	}
	return options
}

// limit returns the time limit of each step, which is the only one that the
// client has.
func (r *pythonRequest) limit() float64 {
	if r.c.Timeout() > 0 {
		return r.c.Timeout()
	}
	return r.c.ConnectTimeout()
}

// openVariable is openConnection for a URL whose host is in a variable.
func (r *pythonRequest) openVariable(options []emit.Node) emit.Node {
	r.p.Use("from urllib.parse import urlsplit")
	url := pythonURL(r.p, r.c)
	r.p.Node("url = ", emit.Wrapped("urlsplit", url), "")
	r.connect("url", options)
	return emit.Leaf(splitTarget("url"))
}

// splitTarget returns the request target of a URL that was split.
func splitTarget(url string) string {
	return "(" + url + `.path or "/") + ("?" + ` + url + ".query if " + url + `.query else "")`
}

// connect writes the statement that makes the connection to the server of a URL
// that was split.
func (r *pythonRequest) connect(url string, options []emit.Node) {
	netloc := []emit.Node{emit.Leaf(url + ".netloc")}
	if plain := slices.DeleteFunc(slices.Clone(options), isContext); len(plain) < len(options) {
		r.p.Line("if ", url, `.scheme == "https":`)
		r.p.Node(r.p.Indent+"connection = ", emit.Group("http.client.HTTPSConnection", "(", append(netloc, options...), ")"), "")
		r.p.Line("else:")
		r.p.Node(r.p.Indent+"connection = ", emit.Group("http.client.HTTPConnection", "(", append(netloc, plain...), ")"), "")
	} else {
		r.p.Line("connect = http.client.HTTPSConnection if ", url, `.scheme == "https" else http.client.HTTPConnection`)
		r.p.Node("connection = ", emit.Group("connect", "(", append(netloc, options...), ")"), "")
	}
}

// isContext reports whether an argument is the context of TLS, which only https
// takes.
func isContext(n emit.Node) bool { return n.Head == "context=context" }

// tunnel writes the statement that asks the proxy for a tunnel.
func (r *pythonRequest) tunnel(server string) {
	arguments := []emit.Node{emit.Leaf(String(r.p, server))}
	if proxy, _ := r.c.ProxyServer(); proxy.Credentials != nil {
		arguments = append(arguments, emit.Named("headers", "=", emit.Group("", "{", []emit.Node{emit.Named(`"Proxy-Authorization"`, ": ", r.basicValue("proxy_credentials", proxy.Credentials))}, "}")))
	}
	r.p.Node("", emit.Group("connection.set_tunnel", "(", arguments, ")"), "")
}

// asciiText returns a text of a URL, in which characters that are not ASCII are
// percent-encoded.
func (r *pythonRequest) asciiText(t plan.Text) emit.Node {
	var out plan.Text
	for _, p := range t {
		var b []byte
		for i := range len(p.Literal) {
			if c := p.Literal[i]; c >= 0x80 || c <= ' ' {
				b = append(b, '%', "0123456789ABCDEF"[c>>4], "0123456789ABCDEF"[c&15])
			} else {
				b = append(b, c)
			}
		}
		p.Literal = string(b)
		out = append(out, p)
	}
	return pythonText(r.p, out)
}

// isPythonText reports whether an expression for content is a str, and not bytes.
func isPythonText(n emit.Node) bool {
	if n.Head == "" && n.Open == "(" && n.Close == ")" && len(n.Items) > 0 {
		return isPythonText(n.Items[0])
	}
	prefix := func(s string) bool { return strings.HasPrefix(n.Head, s) }
	return slices.ContainsFunc([]string{`"`, "'", `f"`, "f'", "json.dumps", "urlencode"}, prefix) &&
		!strings.HasSuffix(n.Head, ".encode()") && !strings.HasSuffix(n.Close, ".encode()")
}

// putRequest writes the request a field at a time, because a dict has each name
// once and the client adds Host.
func (r *pythonRequest) putRequest(target emit.Node, content []emit.Node) {
	if r.c.Digest != nil {
		r.p.Refuse("answers no Digest with such fields")
	}
	arguments := []emit.Node{emit.Leaf(String(r.p, r.c.Method)), target}
	if r.c.Removes("Host") || r.c.Field("Host") != nil {
		arguments = append(arguments, emit.Leaf("skip_host=True"))
	}
	if r.c.Field("Accept-Encoding") != nil || r.c.Removes("Accept-Encoding") {
		arguments = append(arguments, emit.Leaf("skip_accept_encoding=True"))
	}
	end := ""
	if len(content) > 0 {
		n := content[0]
		n.Name, n.Separator = "", ""
		r.p.Node("body = ", n, "")
		end = "body"
		if isPythonText(n) {
			end = "body.encode()"
		}
	}
	r.p.Node("", emit.Group("connection.putrequest", "(", arguments, ")"), "")
	for i := range r.c.Headers() {
		f := &r.c.Headers()[i]
		if !f.Skipped() {
			r.p.Node("", emit.Group("connection.putheader", "(", []emit.Node{emit.Leaf(String(r.p, f.Name)), r.fieldValue(f)}, ")"), "")
		}
	}
	switch {
	case end != "":
		r.p.Line("connection.putheader(\"Content-Length\", str(len(", end, ")))")
	case r.c.Method == "POST" || r.c.Method == "PUT" || r.c.Method == "PATCH":
		r.p.Line(`connection.putheader("Content-Length", "0")`)
	}
	r.p.Line("connection.endheaders(", end, ")")
}
