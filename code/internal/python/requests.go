package python

import (
	"slices"
	"strconv"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/internal/engine/ascii"
)

// What requests 2.28 with urllib3 1.26 does by itself, measured on the wire:
// it adds User-Agent, Accept-Encoding, Accept and Connection; sends a name
// once; writes methods in capitals; takes dot segments out of paths and
// decodes %7E and the like, but not in a prepared request; follows redirects
// unless told not to; encodes str as Latin-1; sends credentials of ~/.netrc in place
// of the field Authorization, also when it is redirected, unless the program gives
// some by auth or NETRC names another file.
var Requests = plan.Target{
	Name: "python-requests", Convention: &convention, Client: "requests", Version: "2.28", Kind: plan.Code, Extension: "py",
	Packages: []plan.Package{{Name: "requests", Version: "2.28", Features: []plan.Feature{{Name: "socks", Asks: plan.OverSOCKS}}}},
	Aliases:  []string{"python", "requests", "py"}, Proven: true, Style: style, Write: writePythonRequests, Takes: plan.AnyFrom, Heads: true, Tries: tries("requests.RequestException"), Runs: true,
	Functions: true, Decodes: true,
	Facts: plan.Client{
		ModernTLS: true,
		Netrc:     true,
		Hostless:  true,
		Rules: plan.Rules{
			plan.SendsCodings(plan.EitherCoding),
			plan.CodesContentOnly,
			plan.ReadsURLs(plan.RequestsPercents),
			plan.ASCIIPasswords,
		},
		Once:    (*plan.Call).Chunked, // from an iterator
		Stuck:   (*plan.Call).Chunked,
		Adds:    plan.FieldNames{"User-Agent", "Accept-Encoding", "Accept", "Connection"},
		Wire:    plan.Wire{Order: "User-Agent Accept-Encoding Accept Connection * +Content-Type +Authorization", Follows: true, Text: true, Path: "\"<>[]^`{|}\\?", Query: "\"<>[]^`{|}\\é", Lowers: true},
		Digest:  true,
		Eager:   true,
		After:   []string{"cookies"},
		Forgets: "301 or 302",
		Names:   plan.PythonName,
		Proxies: []string{"http", "https", "socks4", "socks4a", "socks5", "socks5h"},
		Drops:   plan.FieldNames{"Cookie"},
	},
}

func writePythonRequests(p *plan.Program) {
	k := &p.Target.Facts
	asks := slices.ContainsFunc(p.Calls, func(c *plan.Call) bool { return c.ReadsNetrc() })
	// After a redirect requests asks the file again, whatever auth is: rebuild_auth() in
	// its sessions.py.
	ignores := p.Exact() && !asks && slices.ContainsFunc(p.Calls, func(c *plan.Call) bool { return c.Follow() && c.IgnoresNetrc(k) })
	explained := false
	sections := writePython(p, p.Depth(0), requestsContent, func(r *pythonRequest) {
		if asks && r.c.Follow() && r.c.IgnoresNetrc(k) {
			p.Differs("reads ~/.netrc for all requests of a program")
		}
		content := r.streamedContent() // before the fields, because a helper implies some
		r.requestsFields()
		if !r.requestsAuth() && !ignores && !r.c.Follow() && p.Exact() && r.c.IgnoresNetrc(k) {
			if !explained && !p.Options.Bare {
				r.p.Comment("auth keeps requests from ~/.netrc, which curl does not read.")
			}
			explained = true
			r.add("auth", emit.Leaf("lambda request: request"))
		}
		r.arguments = append(r.arguments, content...)
		r.requestsCookies()
		r.requestsExchange()
		if r.loops() {
			r.again(pythonRetry{"time.sleep", "response.status_code", "requests.ConnectionError", "requests.RequestException", false}, r.requestsSend)
		} else {
			r.requestsSend()
		}
		r.result(response{
			short: r.endsEarly("response.raw"), status: "response.status_code", reason: "response.reason", headers: "response.headers",
			content: "response.content", json: "response.json()", text: "response.text",
			save:  []string{"for chunk in response.iter_content(65536):", p.Indent + "output.write(chunk)"},
			lines: "for line in response.iter_lines(chunk_size=1):",
		}, func() { r.p.Line("response.raise_for_status()") })
	})
	if ignores {
		p.Use("import os")
	}
	p.Head(func() {
		imports(p, "requests")
	})
	if ignores {
		p.Line(`os.environ["NETRC"] = ""  # no credentials from ~/.netrc, as with curl`)
		p.Line()
	}
	pythonBody(p, "", sections)
}

// requestsContent is how requests takes content.
var requestsContent = pythonContent{data: "data", json: "json", form: "data", streams: true, files: true, joins: true}

// requestsAuth adds the argument with credentials, and reports whether there are any.
func (r *pythonRequest) requestsAuth() bool {
	switch {
	case r.c.Basic != nil && r.c.Basic.IsText():
		r.add("auth", emit.Group("", "(", r.credentialPair(r.c.Basic), ")"))
	case r.c.Digest != nil:
		if r.c.Chunked() {
			r.p.Refuse("sends content in chunks once, and none after a challenge")
		}
		r.p.Use("from requests.auth import HTTPDigestAuth")
		r.add("auth", emit.Group("HTTPDigestAuth", "(", r.credentialPair(r.c.Digest), ")"))
	default:
		return false
	}
	return true
}

// streamedContent returns the arguments that make the body: a generator where
// it goes out in chunks, as bytes.
func (r *pythonRequest) streamedContent() []emit.Node {
	if !r.c.Streamed() {
		return r.content()
	}
	r.takes = pythonContent{data: r.takes.data, bytes: true, joins: true}
	content := r.content()
	value := content[0]
	value.Name, value.Separator = "", ""
	content[0] = emit.Named(r.takes.data, "=", value.Around("iter([", "])"))
	return content
}

func (r *pythonRequest) requestsFields() {
	var removed []emit.Node
	for _, name := range r.c.Withheld {
		switch item, ok := r.skipped(name); {
		case ok:
			removed = append(removed, item)
		case ascii.EqualFold(name, "Accept"), ascii.EqualFold(name, "Connection"):
			removed = append(removed, emit.Leaf(String(r.p, name)+": None"))
		}
	}
	r.cookieArgument()
	cookies := r.arguments
	r.arguments = r.p.List(usualArguments)
	r.query(&plan.EncodeQuotePlus, func([]string) bool { return !r.prepared() })
	r.headers(removed, func(f *plan.Field) bool {
		return f.Derived() && (!f.Is("Authorization") || r.c.Basic.IsText())
	})
	r.arguments = append(r.arguments, cookies...)
}

// prepared reports whether the request must be prepared first, because
// requests would change its method or its URL.
func (r *pythonRequest) prepared() bool { return preparedFirst(r.c) }

func preparedFirst(c *plan.Call) bool {
	return c.Method != strings.ToUpper(c.Method) || plan.DotSegments(c.URL) || plan.DecodesUnreserved(c.URL)
}

// requestsHelpers are the functions of requests for a method, and aiohttp's.
var requestsHelpers = map[string]string{"GET": "get", "OPTIONS": "options", "HEAD": "head", "POST": "post", "PUT": "put", "PATCH": "patch", "DELETE": "delete"}

func (r *pythonRequest) requestsSend() {
	opens, target, prepared := r.opened, "requests", r.prepared()
	saved := "session.cookies"
	switch jar := r.c.Jar(); {
	case jar != nil && sharesSession(r.p):
		target = jar.Named("session")
		saved = target + ".cookies"
	case len(r.session) > 0 || prepared:
		opens, target = append(opens, "requests.Session() as session"), "session"
	}
	r.inside(opens, func() {
		for _, s := range r.session {
			r.p.Line(s)
		}
		url := pythonURL(r.p, r.c)
		helper, ok := requestsHelpers[r.c.Method]
		switch {
		case prepared:
			r.sendPrepared(url)
		case ok:
			r.p.Node("response = ", emit.Named(target, ".", emit.Group(helper, "(", r.withFirst(url), ")")), "")
		default:
			r.p.Node("response = ", emit.Group(target+".request", "(", r.withFirst(emit.Leaf(String(r.p, r.c.Method)), url), ")"), "")
		}
		r.saveCookies(saved)
	})
}

// sharesSession reports whether each jar of the program is that of one session: no request
// needs a session with settings of its own.
func sharesSession(p *plan.Program) bool {
	return !slices.ContainsFunc(p.Calls, func(c *plan.Call) bool {
		asked := &c.Asked
		files := c.Jar() == nil && (len(asked.CookieFiles) > 0 || len(asked.CookieJar) > 0)
		bounds := c.Encrypts && (c.Has("tlsMin") || c.Has("tlsMax"))
		return files || bounds || preparedFirst(c) || asked.Retries > 0 || asked.Follow && (asked.MaxRedirects != plan.CurlRedirects || asked.Trusted)
	})
}

// requestsCookies writes what makes the jar of several requests, and notes the statements
// for one that is only this request's.
func (r *pythonRequest) requestsCookies() {
	jar := r.c.Jar()
	switch {
	case jar == nil:
		r.session = r.cookieFile("session.cookies")
	case !sharesSession(r.p):
		cookies := jar.Named("cookies")
		if r.c.Opens() {
			r.newJar(cookies, "requests.cookies.RequestsCookieJar()")
		}
		r.session = append(r.session, "session.cookies = "+cookies)
	case r.c.Opens():
		session := jar.Named("session")
		r.p.Line(session, " = requests.Session()")
		r.newJar(session+".cookies", "")
	}
}

// sendPrepared sends a request that was prepared: some arguments belong to the
// request, some to sending, and some are joined with those of the environment.
func (r *pythonRequest) sendPrepared(url emit.Node) {
	if r.c.ProxyScheme() != "" && !r.c.Secure() && (plan.DotSegments(r.c.URL) || plan.DecodesUnreserved(r.c.URL)) {
		r.p.Refuse("asks a proxy for another URL")
	}
	build := []emit.Node{emit.Leaf(String(r.p, r.c.Method)), url}
	send := []emit.Node{emit.Leaf("request")}
	settings := []emit.Node{emit.Leaf("request.url"), emit.Leaf("{}"), emit.Leaf("None"), emit.Leaf("None"), emit.Leaf("None")}
	places := map[string]int{"proxies": 1, "stream": 2, "verify": 3, "cert": 4}
	for _, a := range r.arguments {
		place, joined := places[a.Name]
		switch {
		case joined:
			a.Name, a.Separator = "", ""
			settings[place] = a
		case a.Name == "allow_redirects", a.Name == "timeout":
			send = append(send, a)
		default:
			build = append(build, a)
		}
	}
	r.p.Node("request = session.prepare_request(", emit.Group("requests.Request", "(", build, ")"), ")")
	if r.c.Method != strings.ToUpper(r.c.Method) {
		r.p.Line("request.method = " + String(r.p, r.c.Method) + "  # as typed: requests writes capitals")
	}
	r.p.Node("request.url = ", url, "  # as typed: requests rewrites it")
	r.p.Node("settings = ", emit.Group("session.merge_environment_settings", "(", settings, ")"), "")
	r.p.Node("response = ", emit.Group("session.send", "(", append(send, emit.Leaf("**settings")), ")"), "")
}

// requestsExchange adds what shapes the exchange: redirects, TLS, time limits,
// proxies.
func (r *pythonRequest) requestsExchange() {
	r.requestsOptions()
	if r.c.Follow() && r.c.MaxRedirects() != plan.CurlRedirects {
		r.session = append(r.session, "session.max_redirects = "+strconv.FormatInt(r.c.RedirectLimit(), 10))
	}
	if r.c.Spreads() && r.c.Field("Authorization") != nil {
		r.session = append(r.session, "session.should_strip_auth = lambda *_: False  # as --location-trusted does")
	}
	if r.c.Destination(r.p.Options) == plan.ToFile || r.c.Streams(r.p.Options) {
		r.add("stream", emit.Leaf("True"))
	}
	r.requestsAdapter()
}

// requestsOptions adds the arguments that shape the exchange.
func (r *pythonRequest) requestsOptions() {
	switch {
	case !r.c.Follow() && r.c.Method == "HEAD" && !r.p.Exact(): // requests.head follows none
	case r.c.Stops():
		r.add("allow_redirects", emit.Leaf("False"))
	case r.c.Method == "HEAD":
		r.add("allow_redirects", emit.Leaf("True"))
	}
	switch {
	case r.c.Timeout() > 0 && r.c.ConnectTimeout() > 0:
		r.add("timeout", emit.Leaf("("+emit.Seconds(r.c.ConnectTimeout())+", "+emit.Seconds(r.c.Timeout())+")"))
	case r.c.ConnectTimeout() > 0:
		r.add("timeout", emit.Leaf("("+emit.Seconds(r.c.ConnectTimeout())+", None)"))
	case r.c.Timeout() > 0:
		r.add("timeout", emit.Leaf(emit.Seconds(r.c.Timeout())))
	}
	switch {
	case r.c.Insecure():
		r.add("verify", emit.Leaf("False"))
	case len(r.c.CaFile()) > 0:
		r.add("verify", pythonText(r.p, r.c.CaFile()))
	}
	switch {
	case r.unlocks():
	case len(r.c.Cert()) > 0 && len(r.c.Key()) > 0:
		r.add("cert", emit.Group("", "(", []emit.Node{pythonText(r.p, r.c.Cert()), pythonText(r.p, r.c.Key())}, ")"))
	case len(r.c.Cert()) > 0:
		r.add("cert", pythonText(r.p, r.c.Cert()))
	}
	if r.c.ProxyScheme() != "" {
		url := pythonText(r.p, r.c.ProxyURL())
		r.add("proxies", emit.Group("", "{", []emit.Node{emit.Named(`"http"`, ": ", url), emit.Named(`"https"`, ": ", url)}, "}"))
	}
	if r.c.Direct() {
		r.add("proxies", emit.Leaf(`{"no_proxy": "*"}`)) // in place of a variable of the environment
	}
}

// loops reports whether the program tries again in a loop: Retry of urllib3 does not wait
// before the first further try, and has no limit of time for all of them.
func (r *pythonRequest) loops() bool {
	seconds := func(name string) bool { n, _ := r.c.Option(name).(float64); return n > 0 }
	return r.c.Retries() > 0 && (seconds("retryDelay") || seconds("retryMaxTime") || r.c.Options.On("retryAllErrors"))
}

// unlocks reports whether the key has a password, which only a TLS context takes. That of a
// proxy is made by another class.
func (r *pythonRequest) unlocks() bool {
	return r.c.Encrypts && len(r.c.Cert()) > 0 && len(r.c.Asked.KeyPassword) > 0 && r.c.ProxyScheme() == ""
}

// requestsAdapter adds an adapter to the session, for what only that can do.
func (r *pythonRequest) requestsAdapter() {
	var bounds []string
	if r.c.ProxyScheme() == "" {
		bounds = r.tlsBounds()
	}
	retries := r.c.Retries() > 0 && !r.loops()
	if r.unlocks() {
		bounds = append(bounds, r.loadCertificate())
	}
	if !retries && len(bounds) == 0 {
		return
	}
	r.p.Use("from requests.adapters import HTTPAdapter")
	adapter := "HTTPAdapter()"
	if retries {
		r.p.Use("from urllib3.util import Retry")
		r.c.Does("retryConnrefused")
		r.session = append(r.session,
			"retry = Retry(",
			r.p.Indent+strconv.FormatInt(r.c.Retries(), 10)+",",
			r.p.Indent+"status_forcelist=["+plan.RetryStatuses+"],",
			r.p.Indent+"allowed_methods=None,",
			r.p.Indent+"backoff_factor=1,",
			r.p.Indent+"raise_on_status=False,",
			")")
		adapter = "HTTPAdapter(max_retries=retry)"
	}
	scheme := strings.ToLower(r.c.Scheme())
	if len(bounds) > 0 {
		r.session = append(r.session, r.newContext())
		if r.c.Insecure() {
			r.session = append(r.session, "context.check_hostname = False")
		}
		r.session = append(r.session, bounds...)
		r.session = append(r.session, "adapter = "+adapter, "adapter.init_poolmanager(1, 1, ssl_context=context)")
		adapter, scheme = "adapter", "https"
	}
	r.session = append(r.session, `session.mount("`+scheme+`://", `+adapter+")")
}
