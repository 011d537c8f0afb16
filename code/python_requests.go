package code

import (
	"slices"
	"strconv"
	"strings"

	"uncoil/internal/engine/ascii"
)

// What requests 2.28 with urllib3 1.26 does by itself, measured on the wire:
// it adds User-Agent, Accept-Encoding, Accept and Connection; sends a name
// once; writes methods in capitals; takes dot segments out of paths and
// decodes %7E and the like, but not in a prepared request; follows redirects
// unless told not to; encodes str as Latin-1; sends credentials of ~/.netrc in place
// of the field Authorization, also when it is redirected, unless the program gives
// some by auth or NETRC names another file.
var pythonRequests = Target{
	Name: "python-requests", Language: "python", Client: "requests", Version: "2.28", Kind: Code, Extension: "py",
	Aliases: []string{"python", "requests", "py"}, Proven: true, style: pythonStyle, write: writePythonRequests,
	client: client{
		modernTLS: true,
		netrc:     true,
		hostless:  true,
		codings:   eitherCoding,
		framed:    true,
		once:      (*call).chunked, // from an iterator
		stuck:     (*call).chunked,
		percents:  requestsPercents,
		adds:      fieldNames{"User-Agent", "Accept-Encoding", "Accept", "Connection"},
		digest:    true,
		latin:     true,
		eager:     true,
		after:     []string{"cookies"},
		names:     pythonName,
		says:      []string{"createDirs", "followRedirects", "maxRedirects", "locationTrusted", "maxTime", "connectTimeout", "retry", "insecure", "cacert", "cert", "netrc", "cookieFiles", "cookieJar"},
		bounds:    func(c *call) bool { return c.proxyScheme() == "" },
		proxies:   []string{"http", "https", "socks4", "socks4a", "socks5", "socks5h"},
		drops:     fieldNames{"Cookie"},
	},
}

func writePythonRequests(p *program) {
	takes := pythonContent{data: "data", json: "json", form: "data", streams: true, files: true, joins: true}
	k := &p.target.client
	asks := slices.ContainsFunc(p.calls, func(c *call) bool { return c.readsNetrc(k) })
	// After a redirect requests asks the file again, whatever auth is: rebuild_auth() in
	// its sessions.py.
	ignores := !asks && slices.ContainsFunc(p.calls, func(c *call) bool { return c.follow && c.ignoresNetrc(k) })
	explained := false
	sections := p.writePython(0, takes, func(r *pythonRequest) {
		if asks && r.c.follow && r.c.ignoresNetrc(k) {
			p.differs("reads ~/.netrc for all requests of a program")
		}
		content := r.streamedContent() // before the fields, because a helper implies some
		r.requestsFields()
		switch {
		case r.c.basic != nil && r.c.basic.isText():
			r.add("auth", group("", "(", r.credentialPair(r.c.basic), ")"))
		case r.c.digest != nil:
			if r.c.chunked() {
				r.p.refuse("sends content in chunks once, and none after a challenge")
			}
			r.p.use("from requests.auth import HTTPDigestAuth")
			r.add("auth", group("HTTPDigestAuth", "(", r.credentialPair(r.c.digest), ")"))
		case !ignores && !r.c.follow && r.c.ignoresNetrc(k):
			if !explained && !p.options.Bare {
				r.p.comment("auth keeps requests from ~/.netrc, which curl does not read.")
			}
			explained = true
			r.add("auth", leaf("lambda request: request"))
		}
		r.arguments = append(r.arguments, content...)
		r.session = r.cookieFile("session.cookies")
		r.requestsExchange()
		r.requestsSend()
		if r.c.fail {
			r.p.line("response.raise_for_status()")
		}
		r.result("response.content", "response.headers", "response.text")
	})
	if ignores {
		p.use("import os")
	}
	if !p.options.Bare {
		p.pythonImports("requests")
	}
	if ignores {
		p.line(`os.environ["NETRC"] = ""  # no credentials from ~/.netrc, as with curl`)
		p.line()
	}
	p.join(sections)
}

// streamedContent returns the arguments that make the body: a generator where
// it goes out in chunks, as bytes.
func (r *pythonRequest) streamedContent() []node {
	if !r.c.streamed() {
		return r.content()
	}
	r.takes = pythonContent{data: "data", bytes: true, joins: true}
	content := r.content()
	argument := &content[0]
	argument.head = "iter([" + argument.head
	*argument = followed(*argument, "])")
	return content
}

func (r *pythonRequest) requestsFields() {
	var removed []node
	for _, name := range r.c.removed {
		switch {
		case ascii.EqualFold(name, "User-Agent"), ascii.EqualFold(name, "Accept-Encoding"), ascii.EqualFold(name, "Host"):
			r.p.use("from urllib3.util import SKIP_HEADER")
			removed = append(removed, leaf(r.p.pythonString(name)+": SKIP_HEADER"))
		case ascii.EqualFold(name, "Accept"), ascii.EqualFold(name, "Connection"):
			removed = append(removed, leaf(r.p.pythonString(name)+": None"))
		}
	}
	r.cookieArgument()
	cookies := r.arguments
	r.arguments = r.p.list(usualArguments)
	r.query(&encodeQuotePlus, func([]string) bool { return !r.prepared() })
	r.headers(removed, func(f *field) bool {
		return f.derived && (!f.is("Authorization") || r.c.basic.isText())
	})
	r.arguments = append(r.arguments, cookies...)
}

// prepared reports whether the request must be prepared first, because
// requests would change its method or its URL.
func (r *pythonRequest) prepared() bool {
	return r.c.Method != strings.ToUpper(r.c.Method) || dotSegments(r.c.URL) || decodesUnreserved(r.c.URL)
}

// requestsHelpers are the functions of requests for a method, and aiohttp's.
var requestsHelpers = map[string]string{"GET": "get", "OPTIONS": "options", "HEAD": "head", "POST": "post", "PUT": "put", "PATCH": "patch", "DELETE": "delete"}

func (r *pythonRequest) requestsSend() {
	opens, target, prepared := r.opened, "requests", r.prepared()
	if len(r.session) > 0 || prepared {
		opens, target = append(opens, "requests.Session() as session"), "session"
	}
	r.inside(opens, func() {
		for _, s := range r.session {
			r.p.line(s)
		}
		url := r.p.pythonURL(r.c)
		helper, ok := requestsHelpers[r.c.Method]
		switch {
		case prepared:
			r.sendPrepared(url)
		case ok:
			r.p.node("response = ", named(target, ".", group(helper, "(", r.withFirst(url), ")")), "")
		default:
			r.p.node("response = ", group(target+".request", "(", r.withFirst(leaf(r.p.pythonString(r.c.Method)), url), ")"), "")
		}
		r.saveCookies("session.cookies")
	})
}

// sendPrepared sends a request that was prepared: some arguments belong to the
// request, some to sending, and some are joined with those of the environment.
func (r *pythonRequest) sendPrepared(url node) {
	if r.c.proxyScheme() != "" && !r.c.secure() && (dotSegments(r.c.URL) || decodesUnreserved(r.c.URL)) {
		r.p.refuse("asks a proxy for another URL")
	}
	build := []node{leaf(r.p.pythonString(r.c.Method)), url}
	send := []node{leaf("request")}
	settings := []node{leaf("request.url"), leaf("{}"), leaf("None"), leaf("None"), leaf("None")}
	places := map[string]int{"proxies": 1, "verify": 3, "cert": 4}
	for _, a := range r.arguments {
		place, joined := places[a.name]
		switch {
		case joined:
			a.name, a.separator = "", ""
			settings[place] = a
		case a.name == "allow_redirects", a.name == "timeout":
			send = append(send, a)
		default:
			build = append(build, a)
		}
	}
	r.p.node("request = session.prepare_request(", group("requests.Request", "(", build, ")"), ")")
	if r.c.Method != strings.ToUpper(r.c.Method) {
		r.p.line("request.method = " + r.p.pythonString(r.c.Method) + "  # as typed: requests writes capitals")
	}
	r.p.node("request.url = ", url, "  # as typed: requests rewrites it")
	r.p.node("settings = ", group("session.merge_environment_settings", "(", settings, ")"), "")
	r.p.node("response = ", group("session.send", "(", append(send, leaf("**settings")), ")"), "")
}

// requestsExchange adds what shapes the exchange: redirects, TLS, time limits,
// proxies.
func (r *pythonRequest) requestsExchange() {
	switch {
	case !r.c.follow:
		r.add("allow_redirects", leaf("False"))
	case r.c.Method == "HEAD":
		r.add("allow_redirects", leaf("True"))
	}
	if r.c.follow && r.c.maxRedirects != curlRedirects {
		r.session = append(r.session, "session.max_redirects = "+strconv.FormatInt(r.c.redirectLimit(), 10))
	}
	if r.c.spreads() && r.c.field("Authorization") != nil {
		r.session = append(r.session, "session.should_strip_auth = lambda *_: False  # as --location-trusted does")
	}
	switch {
	case r.c.timeout > 0 && r.c.connectTimeout > 0:
		r.add("timeout", leaf("("+seconds(r.c.connectTimeout)+", "+seconds(r.c.timeout)+")"))
	case r.c.connectTimeout > 0:
		r.add("timeout", leaf("("+seconds(r.c.connectTimeout)+", None)"))
	case r.c.timeout > 0:
		r.add("timeout", leaf(seconds(r.c.timeout)))
	}
	switch {
	case r.c.insecure:
		r.add("verify", leaf("False"))
	case len(r.c.caFile) > 0:
		r.add("verify", r.p.pythonText(r.c.caFile))
	}
	switch {
	case len(r.c.cert) > 0 && len(r.c.key) > 0:
		r.add("cert", group("", "(", []node{r.p.pythonText(r.c.cert), r.p.pythonText(r.c.key)}, ")"))
	case len(r.c.cert) > 0:
		r.add("cert", r.p.pythonText(r.c.cert))
	}
	if r.c.proxyScheme() != "" {
		url := r.p.pythonText(r.c.proxyURL())
		r.add("proxies", group("", "{", []node{named(`"http"`, ": ", url), named(`"https"`, ": ", url)}, "}"))
	}
	if r.c.direct() {
		r.add("proxies", leaf(`{"no_proxy": "*"}`)) // in place of a variable of the environment
	}
	r.requestsAdapter()
}

// requestsAdapter adds an adapter to the session, for what only that can do.
func (r *pythonRequest) requestsAdapter() {
	var bounds []string
	if r.p.target.client.boundsTLS(r.c) {
		bounds = r.tlsBounds()
	}
	if r.c.retries == 0 && len(bounds) == 0 {
		return
	}
	r.p.use("from requests.adapters import HTTPAdapter")
	adapter := "HTTPAdapter()"
	if r.c.retries > 0 {
		r.p.use("from urllib3.util import Retry")
		r.session = append(r.session,
			"retry = Retry(",
			r.p.indent+strconv.FormatInt(r.c.retries, 10)+",",
			r.p.indent+"status_forcelist=["+retryStatuses+"],",
			r.p.indent+"allowed_methods=None,",
			r.p.indent+"backoff_factor=1,",
			r.p.indent+"raise_on_status=False,",
			")")
		adapter = "HTTPAdapter(max_retries=retry)"
	}
	scheme, _, _ := strings.Cut(strings.ToLower(r.c.URL), "://")
	if len(bounds) > 0 {
		r.session = append(r.session, r.newContext())
		if r.c.insecure {
			r.session = append(r.session, "context.check_hostname = False")
		}
		r.session = append(r.session, bounds...)
		r.session = append(r.session, "adapter = "+adapter, "adapter.init_poolmanager(1, 1, ssl_context=context)")
		adapter, scheme = "adapter", "https"
	}
	r.session = append(r.session, `session.mount("`+scheme+`://", `+adapter+")")
}
