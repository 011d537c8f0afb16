package python

import (
	"slices"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
)

// What httpx 0.23 does by itself, measured on the wire: it adds Accept,
// Accept-Encoding, Connection and User-Agent; writes methods in capitals, but
// not in a request that was built before; takes dot segments out of paths,
// and encodes the percent signs of a URL with a malformed one; takes str in fields as ASCII; ends after five seconds without an answer, and
// follows no redirects, unless told to; adds credentials of ~/.netrc to a request that
// has none (up to 0.23). What its argument json prints differs between versions.
var HTTPX = plan.Target{
	Name: "python-httpx", Convention: &convention, Client: "httpx", Version: "0.23.1", Kind: plan.Code, Extension: "py",
	Packages: httpxPackages,
	Aliases:  []string{"httpx"}, Proven: true, Style: style, Write: func(p *plan.Program) { httpxBlocks.write(p) }, Takes: plan.AnyFrom, Heads: true, Runs: true,
	Functions: true, Decodes: true,
	Facts: httpxFacts,
}

// HTTPXAsync is httpx with asyncio. Its client takes no open file as content, so the
// program reads one.
var HTTPXAsync = plan.Target{
	Name: "python-httpx-async", Convention: &convention, Client: "httpx.AsyncClient", Version: "0.23.1", Kind: plan.Code, Extension: "py",
	Packages: httpxPackages,
	Aliases:  []string{"httpx-async"}, Proven: true, Style: style, Write: func(p *plan.Program) { httpxAwaits.write(p) }, Takes: plan.AnyFrom, Heads: true, Runs: true,
	Functions: true, Decodes: true,
	Facts: func() plan.Client { k := httpxFacts; k.Stuck = nil; return k }(),
}

var httpxPackages = []plan.Package{{Name: "httpx", Version: "0.23.1", Features: []plan.Feature{{Name: "socks", Asks: plan.OverSOCKS}}}}

var httpxFacts = plan.Client{
	ModernTLS: true,
	Netrc:     true,
	Rules:     plan.Rules{plan.SendsCodings(plan.OnlyChunks), plan.CodesContentOnly, plan.RemovesDots, plan.ReadsURLs(plan.WellFormed)},
	Stuck:     plan.SendsFile,
	Adds:      plan.FieldNames{"User-Agent", "Accept-Encoding", "Accept", "Connection"},
	Wire:      plan.Wire{Order: "* +Content-Type +Authorization", Text: true, Path: "\"<>^`{|}", Query: "\"<>^`{|}\\é", Lowers: true},
	Always:    plan.FieldNames{"Host"},
	Digest:    true,
	Unasked:   []string{"unqualified"},
	Eager:     true,
	After:     []string{"cookies"},
	Forgets:   "302",
	EmptyHost: true,
	Proxies:   []string{"http", "https", "socks5", "socks5h"},
	Drops:     plan.FieldNames{"Cookie"},
}

// An httpxForm is how httpx is called: by functions that block, or with asyncio.
type httpxForm struct {
	client, transport string // classes
	with              string // the statement
	await             string // before calls
	sleep             string
	save, text        string // loops over the response
	own               string // the client of one request: not the name of one that several share
}

var (
	httpxBlocks = httpxForm{"httpx.Client", "httpx.HTTPTransport", "with ", "", "time.sleep",
		"for chunk in response.iter_bytes():", "for chunk in response.iter_text():", "client"}
	httpxAwaits = httpxForm{"httpx.AsyncClient", "httpx.AsyncHTTPTransport", "async with ", "await ", "await asyncio.sleep",
		"async for chunk in response.aiter_bytes():", "async for chunk in response.aiter_text():", "client"}
)

// awaits reports the form for asyncio.
func (h *httpxForm) awaits() bool { return h.await != "" }

func (h httpxForm) write(p *plan.Program) {
	takes := pythonContent{data: "content", json: idiomaticJSON(p), form: "data", dict: true, streams: !h.awaits(), files: true, guesses: true}
	if slices.ContainsFunc(p.Calls, func(c *plan.Call) bool { return c.Jar() != nil }) {
		h.own = "own_client"
	}
	write := func(r *pythonRequest) {
		r.httpx = &h
		r.writeHTTPX()
	}
	if h.awaits() {
		writeAsyncio(p, takes, "httpx", write)
		return
	}
	sections := writePython(p, p.Depth(0), takes, write)
	p.Head(func() {
		imports(p, "httpx")
	})
	pythonBody(p, "", sections)
}

func (r *pythonRequest) writeHTTPX() {
	content := r.content()
	r.cookieArgument()
	cookies := r.arguments
	r.arguments = nil
	helped := func(f *plan.Field) bool { return f.Derived() && (!f.Is("Authorization") || r.c.Basic.IsText()) }
	if f := r.c.Field("Cookie"); f != nil && f.Derived() && r.c.Spreads() {
		r.p.Differs("leaves out Cookie when it is redirected")
	}
	spreads := r.httpxSpreads()
	if spreads {
		r.p.Node("secrets = ", *r.dict(func(f *plan.Field) bool { return f.Skipped() || !f.Secret() }), "")
		if r.httpx.awaits() {
			r.p.Line()
			r.p.Block("async def share(request):", func() { r.p.Line("request.headers.update(secrets)") })
			r.p.Line()
		}
		helped = func(f *plan.Field) bool { return f.Skipped() || f.Secret() }
	}
	if !strings.ContainsAny(r.c.URLText.Source(), " +$") && !plan.HasVariable(r.c.URLText) { // since 0.24 a space is %20
		r.query(&plan.EncodeQuotePlus, nil)
	}
	r.headers(nil, helped)
	switch {
	case spreads && r.c.Digest == nil:
	case r.c.Basic != nil && r.c.Basic.IsText():
		r.add("auth", emit.Group("", "(", r.credentialPair(r.c.Basic), ")"))
	case r.c.Digest != nil:
		r.add("auth", emit.Group("httpx.DigestAuth", "(", r.credentialPair(r.c.Digest), ")"))
	case r.p.Exact() && r.c.Field("Authorization") == nil && !r.c.Direct(): // else of ~/.netrc, up to 0.23
		r.add("auth", emit.Leaf("httpx.Auth()")) // adds nothing
	}
	r.arguments = append(r.arguments, content...)
	r.httpxSend(cookies)
	if !r.httpxStreams() {
		r.httpxResult()
	}
}

// httpxStreams reports whether the program reads the response as it comes, within the call
// that sends the request.
func (r *pythonRequest) httpxStreams() bool {
	asked := r.c.Destination(r.p.Options) == plan.ToFile || r.c.Streams(r.p.Options)
	return asked && r.c.Retries() == 0 && r.c.Method == strings.ToUpper(r.c.Method)
}

// httpxResult writes what is done with the response.
func (r *pythonRequest) httpxResult() {
	a := response{
		status: "response.status_code", reason: "response.reason_phrase", headers: "response.headers",
		content: "response.content", json: "response.json()", text: "response.text",
	}
	if r.httpxStreams() {
		a.save = []string{r.httpx.save, r.p.Indent + "output.write(chunk)"}
		a.lines = r.httpx.text
	}
	r.result(a, func() {
		if r.c.Follow() {
			r.p.Line("response.raise_for_status()")
		} else {
			r.p.Line("if response.is_error:")
			r.p.Line(r.p.Indent, "response.raise_for_status()")
		}
	})
}

// httpxHelpers are the methods that have a function; those of the first four
// take no content.
var httpxHelpers = []string{"GET", "OPTIONS", "HEAD", "DELETE", "POST", "PUT", "PATCH"}

func (r *pythonRequest) httpxSend(cookies []emit.Node) {
	jar := r.httpxCookies()
	settings := r.httpxSettings(jar)
	lower := r.c.Method != strings.ToUpper(r.c.Method)
	arguments := append(slices.Clone(r.arguments), cookies...)
	shares := r.c.Jar() != nil && jar == ""
	r.again(pythonRetry{r.httpx.sleep, "response.status_code", "httpx.ConnectError", "httpx.RequestError", false}, func() {
		if shares {
			r.inside(r.opened, func() { r.httpxCall(r.c.Jar().Named("client"), append(arguments, settings...)) })
		} else if jar != "" || r.httpx.awaits() || r.needsClient() {
			r.inside(r.opened, func() {
				r.p.Node(r.httpx.with, emit.Group(r.httpx.client, "(", settings, ")"), " as "+r.httpx.own+":")
				r.p.Level++
				r.httpxClient(lower, arguments)
				r.p.Level--
			})
		} else {
			r.inside(r.opened, func() { r.httpxCall("httpx", append(arguments, settings...)) })
		}
	})
	if shares {
		jar = r.c.Jar().Named("client") + ".cookies.jar"
	}
	r.saveCookies(jar)
}

// needsClient reports whether a client has to send the request, and no function does.
func (r *pythonRequest) needsClient() bool {
	c := r.c
	adds := func(name string) bool { return r.p.Target.Facts.Adds.Has(name) }
	return c.Method != strings.ToUpper(c.Method) || c.Follow() && c.MaxRedirects() != plan.CurlRedirects || len(c.UnixSocket()) > 0 ||
		c.ProxyScheme() != "" || r.httpxSpreads() || slices.ContainsFunc(c.Withheld, adds)
}

// httpxCookies writes what makes the jar of the request, and returns its variable; "" where
// it has none, or that of a client that others share.
func (r *pythonRequest) httpxCookies() string {
	jar := r.c.Jar()
	if jar == nil {
		statements := r.cookieFile("cookies")
		for _, s := range statements {
			r.p.Line(s)
		}
		if len(statements) > 0 {
			return "cookies"
		}
		return ""
	}
	shares := jar.Every(func(c *plan.Call) bool { // what a method of a client takes
		one := &pythonRequest{p: r.p, c: c}
		return !one.needsClient() && !c.Direct() && !(c.Encrypts && (c.Asked.Insecure || len(c.Asked.CaFile)+len(c.Asked.Cert) > 0 || c.Has("tlsMin") || c.Has("tlsMax")))
	})
	cookies := jar.Named("cookies")
	switch {
	case shares && !r.c.Opens():
		return ""
	case shares && len(r.c.CookieFiles()) == 0 && !r.savesJar():
		r.p.Line(jar.Named("client"), " = ", r.httpx.client, "()")
		return ""
	case r.c.Opens():
		r.newJar(cookies, "CookieJar()")
	}
	if shares {
		r.p.Line(jar.Named("client"), " = ", r.httpx.client, "(cookies=", cookies, ")")
		return ""
	}
	return cookies
}

// httpxClient writes what is done with a client.
func (r *pythonRequest) httpxClient(lower bool, arguments []emit.Node) {
	for _, name := range r.c.Withheld {
		if r.p.Target.Facts.Adds.Has(name) {
			r.p.Line("del ", r.httpx.own, ".headers[", String(r.p, name), "]")
		}
	}
	if !lower {
		r.httpxCall(r.httpx.own, arguments)
		return
	}
	auth := slices.IndexFunc(arguments, func(n emit.Node) bool { return n.Name == "auth" })
	send := []emit.Node{emit.Leaf("request")}
	if auth >= 0 {
		send = append(send, arguments[auth])
		arguments = slices.Delete(arguments, auth, auth+1)
	}
	r.p.Node("request = "+r.httpx.own+".build_request", emit.Group("", "(", append([]emit.Node{emit.Leaf(String(r.p, r.c.Method)), pythonURL(r.p, r.c)}, arguments...), ")"), "")
	r.p.Line("request.method = " + String(r.p, r.c.Method) + "  # as typed: httpx writes capitals")
	r.p.Node("response = "+r.httpx.await+r.httpx.own+".send", emit.Group("", "(", send, ")"), "")
}

// httpxCall writes the call of the function for the method.
func (r *pythonRequest) httpxCall(target string, arguments []emit.Node) {
	url := pythonURL(r.p, r.c)
	if r.httpxStreams() {
		r.p.Node(r.httpx.with, emit.Group(target+".stream", "(", append([]emit.Node{emit.Leaf(String(r.p, r.c.Method)), url}, arguments...), ")"), " as response:")
		r.p.Level++
		r.httpxResult()
		r.p.Level--
		return
	}
	i := slices.Index(httpxHelpers, r.c.Method)
	if i < 0 || i < 4 && r.c.Content.Kind != plan.NoBody {
		r.p.Node("response = "+r.httpx.await, emit.Group(target+".request", "(", append([]emit.Node{emit.Leaf(String(r.p, r.c.Method)), url}, arguments...), ")"), "")
		return
	}
	r.p.Node("response = "+r.httpx.await, emit.Group(target+"."+strings.ToLower(r.c.Method), "(", append([]emit.Node{url}, arguments...), ")"), "")
}

// httpxSpreads reports whether a hook gives secrets to every host: not cookies that are
// joined to those of a file.
func (r *pythonRequest) httpxSpreads() bool {
	return r.c.Spreads() && slices.ContainsFunc(r.c.Given(), func(f plan.Field) bool { return f.Secret() && !f.Skipped() })
}

// httpxSettings returns the arguments that shape the exchange, which a client
// takes as well as the functions for one request, and the variable of a jar.
func (r *pythonRequest) httpxSettings(jar string) []emit.Node {
	var items []emit.Node
	add := func(name, value string) { items = append(items, emit.Leaf(name+"="+value)) }
	if r.c.Follow() {
		add("follow_redirects", "True")
		if r.c.MaxRedirects() != plan.CurlRedirects {
			add("max_redirects", emit.Itoa(int(r.c.RedirectLimit())))
		}
	}
	if r.httpxSpreads() {
		r.c.Does("locationTrusted")
		hook := emit.Leaf("[lambda request: request.headers.update(secrets)]") // for each request of the redirects
		if r.httpx.awaits() {
			hook = emit.Leaf("[share]")
		}
		items = append(items, emit.Named("event_hooks", "=", emit.Group("", "{", []emit.Node{emit.Named(`"request"`, ": ", hook)}, "}")))
	}
	limit := "None"
	if r.c.Timeout() > 0 {
		limit = emit.Seconds(r.c.Timeout())
	}
	if r.c.ConnectTimeout() > 0 {
		limit = "httpx.Timeout(" + limit + ", connect=" + emit.Seconds(r.c.ConnectTimeout()) + ")"
	}
	if limit != "None" || r.p.Exact() {
		add("timeout", limit) // the default is five seconds
	}
	if r.c.Direct() {
		add("trust_env", "False") // which names proxies
	}
	if jar != "" {
		add("cookies", jar)
	}
	verify := ""
	switch {
	case !r.c.Encrypts:
	case r.c.Insecure() && len(r.c.Cert()) == 0 && !r.boundsTLS():
		verify = "False"
	case r.context():
		verify = "context"
	}
	var transport []emit.Node
	if scheme := r.c.ProxyScheme(); scheme != "" {
		proxy := r.c.ProxyURL()
		if scheme == "socks5h" { // 0.23 has no such scheme, and leaves names to the proxy with socks5, too
			proxy = plan.Prefixed("socks5", proxy.Cut(len(scheme), len(proxy.Source())))
		}
		transport = append(transport, emit.Named("proxy", "=", emit.Group("httpx.Proxy", "(", []emit.Node{pythonText(r.p, proxy)}, ")")))
	}
	if len(r.c.UnixSocket()) > 0 {
		transport = append(transport, emit.Named("uds", "=", pythonText(r.p, r.c.UnixSocket())))
	}
	switch {
	case len(transport) > 0:
		if verify != "" {
			transport = append(transport, emit.Leaf("verify="+verify))
		}
		items = append(items, emit.Group("transport="+r.httpx.transport, "(", transport, ")"))
	case verify != "":
		add("verify", verify)
	}
	return items
}

// idiomaticJSON returns the argument for a JSON value: httpx prints no blanks, which json
// of other versions had.
func idiomaticJSON(p *plan.Program) string {
	if p.Exact() {
		return ""
	}
	return "json"
}
