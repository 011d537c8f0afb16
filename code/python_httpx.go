package code

import (
	"slices"
	"strings"
)

// What httpx 0.23 does by itself, measured on the wire: it adds Accept,
// Accept-Encoding, Connection and User-Agent; writes methods in capitals, but
// not in a request that was built before; takes dot segments out of paths,
// and encodes the percent signs of a URL with a malformed one; takes str in fields as ASCII; ends after five seconds without an answer, and
// follows no redirects, unless told to; adds credentials of ~/.netrc to a request that
// has none (up to 0.23). What its argument json prints differs between versions.
var pythonHTTPX = Target{
	Name: "python-httpx", Language: "python", Client: "httpx", Version: "0.23", Kind: Code, Extension: "py",
	Aliases: []string{"httpx"}, Proven: true, style: pythonStyle, write: writePythonHTTPX,
	client: client{
		modernTLS: true,
		netrc:     true,
		codings:   onlyChunks,
		framed:    true,
		stuck:     sendsFile,
		adds:      fieldNames{"User-Agent", "Accept-Encoding", "Accept", "Connection"},
		always:    fieldNames{"Host"},
		dots:      true,
		percents:  wellFormed,
		digest:    true,
		unasked:   []string{"unqualified"},
		eager:     true,
		after:     []string{"cookies"},
		emptyHost: true,
		says:      []string{"createDirs", "followRedirects", "maxRedirects", "locationTrusted", "maxTime", "connectTimeout", "retry", "insecure", "tlsMin", "tlsMax", "cacert", "cert", "cookieFiles", "cookieJar", "unixSocket"},
		proxies:   []string{"http", "https", "socks5", "socks5h"},
		drops:     fieldNames{"Cookie"},
		spreads:   true,
	},
}

func writePythonHTTPX(p *program) {
	takes := pythonContent{data: "content", form: "data", dict: true, streams: true, files: true, guesses: true}
	sections := p.writePython(0, takes, func(r *pythonRequest) {
		content := r.content()
		r.cookieArgument()
		cookies := r.arguments
		r.arguments = nil
		helped := func(f *field) bool { return f.derived && (!f.is("Authorization") || r.c.basic.isText()) }
		if f := r.c.field("Cookie"); f != nil && f.derived && r.c.spreads() {
			r.p.differs("leaves out Cookie when it is redirected")
		}
		spreads := r.httpxSpreads()
		if spreads {
			r.p.node("secrets = ", *r.dict(func(f *field) bool { return f.skipped() || !f.secret() }), "")
			helped = func(f *field) bool { return f.skipped() || f.secret() }
		}
		if !strings.ContainsAny(r.c.url.source(), " +$") && !hasVariable(r.c.url) { // since 0.24 a space is %20
			r.query(&encodeQuotePlus, nil)
		}
		r.headers(nil, helped)
		switch {
		case spreads && r.c.digest == nil:
		case r.c.basic != nil && r.c.basic.isText():
			r.add("auth", group("", "(", r.credentialPair(r.c.basic), ")"))
		case r.c.digest != nil:
			r.add("auth", group("httpx.DigestAuth", "(", r.credentialPair(r.c.digest), ")"))
		case r.c.field("Authorization") == nil && !r.c.direct():
			r.add("auth", leaf("httpx.Auth()")) // adds nothing
		}
		r.arguments = append(r.arguments, content...)
		r.httpxSend(cookies)
		if r.c.fail && r.c.follow {
			r.p.line("response.raise_for_status()")
		} else if r.c.fail {
			r.p.line("if response.is_error:")
			r.p.line(r.p.indent, "response.raise_for_status()")
		}
		r.result("response.content", "response.headers", "response.text")
	})
	if !p.options.Bare {
		p.pythonImports("httpx")
	}
	p.join(sections)
}

// httpxHelpers are the methods that have a function; those of the first four
// take no content.
var httpxHelpers = []string{"GET", "OPTIONS", "HEAD", "DELETE", "POST", "PUT", "PATCH"}

func (r *pythonRequest) httpxSend(cookies []node) {
	r.session = r.cookieFile("cookies")
	for _, s := range r.session {
		r.p.line(s)
	}
	settings := r.httpxSettings()
	lower := r.c.Method != strings.ToUpper(r.c.Method)
	needsClient := lower || len(r.session) > 0 || r.c.maxRedirects != curlRedirects && r.c.follow || len(r.c.unixSocket) > 0 || r.c.proxyScheme() != "" || r.httpxSpreads()
	for _, name := range r.c.removed {
		needsClient = needsClient || r.p.target.client.adds.has(name)
	}
	arguments := append(slices.Clone(r.arguments), cookies...)
	r.again("time.sleep", "response.status_code", func() {
		if needsClient {
			r.inside(r.opened, func() {
				r.p.node("with ", group("httpx.Client", "(", settings, ")"), " as client:")
				r.p.level++
				r.httpxClient(lower, arguments)
				r.p.level--
			})
		} else {
			r.inside(r.opened, func() { r.httpxCall("httpx", append(arguments, settings...)) })
		}
	})
	r.saveCookies("cookies")
}

// httpxClient writes what is done with a client.
func (r *pythonRequest) httpxClient(lower bool, arguments []node) {
	for _, name := range r.c.removed {
		if r.p.target.client.adds.has(name) {
			r.p.line("del client.headers[", r.p.pythonString(name), "]")
		}
	}
	if !lower {
		r.httpxCall("client", arguments)
		return
	}
	auth := slices.IndexFunc(arguments, func(n node) bool { return n.name == "auth" })
	send := []node{leaf("request")}
	if auth >= 0 {
		send = append(send, arguments[auth])
		arguments = slices.Delete(arguments, auth, auth+1)
	}
	r.p.node("request = client.build_request", group("", "(", append([]node{leaf(r.p.pythonString(r.c.Method)), r.p.pythonURL(r.c)}, arguments...), ")"), "")
	r.p.line("request.method = " + r.p.pythonString(r.c.Method) + "  # as typed: httpx writes capitals")
	r.p.node("response = client.send", group("", "(", send, ")"), "")
}

// httpxCall writes the call of the function for the method.
func (r *pythonRequest) httpxCall(target string, arguments []node) {
	url := r.p.pythonURL(r.c)
	i := slices.Index(httpxHelpers, r.c.Method)
	if i < 0 || i < 4 && r.c.body.kind != noBody {
		r.p.node("response = ", group(target+".request", "(", append([]node{leaf(r.p.pythonString(r.c.Method)), url}, arguments...), ")"), "")
		return
	}
	r.p.node("response = ", group(target+"."+strings.ToLower(r.c.Method), "(", append([]node{url}, arguments...), ")"), "")
}

// httpxSpreads reports whether a hook gives secrets to every host: not cookies that are
// joined to those of a file.
func (r *pythonRequest) httpxSpreads() bool {
	return r.c.spreads() && slices.ContainsFunc(r.c.fields, func(f field) bool { return f.secret() && !f.skipped() })
}

// httpxSettings returns the arguments that shape the exchange, which a client
// takes as well as the functions for one request.
func (r *pythonRequest) httpxSettings() []node {
	var items []node
	add := func(name, value string) { items = append(items, leaf(name+"="+value)) }
	if r.c.follow {
		add("follow_redirects", "True")
		if r.c.maxRedirects != curlRedirects {
			add("max_redirects", itoa(int(r.c.redirectLimit())))
		}
	}
	if r.httpxSpreads() {
		hook := leaf("[lambda request: request.headers.update(secrets)]") // for each request of the redirects
		items = append(items, named("event_hooks", "=", group("", "{", []node{named(`"request"`, ": ", hook)}, "}")))
	}
	limit := "None"
	if r.c.timeout > 0 {
		limit = seconds(r.c.timeout)
	}
	if r.c.connectTimeout > 0 {
		limit = "httpx.Timeout(" + limit + ", connect=" + seconds(r.c.connectTimeout) + ")"
	}
	add("timeout", limit) // the default is five seconds
	if r.c.direct() {
		add("trust_env", "False") // which names proxies
	}
	if len(r.session) > 0 {
		add("cookies", "cookies")
	}
	verify := ""
	switch {
	case !r.c.encrypts:
	case r.c.insecure && len(r.c.cert) == 0 && !r.boundsTLS():
		verify = "False"
	case r.context():
		verify = "context"
	}
	var transport []node
	if r.c.proxyScheme() != "" {
		transport = append(transport, named("proxy", "=", group("httpx.Proxy", "(", []node{r.p.pythonText(r.c.proxyURL())}, ")")))
	}
	if len(r.c.unixSocket) > 0 {
		transport = append(transport, named("uds", "=", r.p.pythonText(r.c.unixSocket)))
	}
	switch {
	case len(transport) > 0:
		if verify != "" {
			transport = append(transport, leaf("verify="+verify))
		}
		items = append(items, group("transport=httpx.HTTPTransport", "(", transport, ")"))
	case verify != "":
		add("verify", verify)
	}
	return items
}
