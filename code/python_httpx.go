//go:build !nocode

package code

import (
	"slices"
	"strings"
)

// What httpx 0.23 does by itself, measured on the wire: it adds Accept,
// Accept-Encoding, Connection and User-Agent; writes methods in capitals, but
// not in a request that was built before; takes dot segments out of paths;
// takes str in fields as ASCII; ends after five seconds without an answer, and
// follows no redirects, unless told to. What its argument json prints differs
// between versions.
var pythonHTTPX = Target{
	Name: "python-httpx", Language: "python", Client: "httpx", Version: "0.23", Kind: Code, Extension: "py",
	Aliases: []string{"httpx"}, Proven: true, style: pythonStyle, write: writePythonHTTPX,
	client: client{
		adds:    []string{"User-Agent", "Accept-Encoding", "Accept", "Connection"},
		always:  []string{"Host"},
		dots:    true,
		digest:  true,
		eager:   true,
		says:    []string{"followRedirects", "maxRedirects", "maxTime", "connectTimeout", "insecure", "cacert", "cert", "cookieFiles", "cookieJar", "unixSocket"},
		proxies: []string{"http", "https", "socks5", "socks5h"},
		drops:   []string{"Cookie"},
	},
}

func writePythonHTTPX(p *program) {
	takes := pythonContent{data: "content", form: "data", dict: true, streams: true, files: true}
	sections := p.writePython(0, takes, func(r *pythonRequest) {
		content := r.content()
		r.cookieArgument()
		cookies := r.arguments
		r.arguments = nil
		r.headers(nil, func(f *field) bool { return f.derived && (!f.is("Authorization") || r.basic.isText()) })
		switch {
		case r.basic != nil && r.basic.isText():
			r.add("auth", group("", "(", r.credentialPair(r.basic), ")"))
		case r.digest != nil:
			r.add("auth", group("httpx.DigestAuth", "(", r.credentialPair(r.digest), ")"))
		}
		r.arguments = append(r.arguments, content...)
		r.httpxSend(cookies)
		if r.fail && r.follow {
			r.line("response.raise_for_status()")
		} else if r.fail {
			r.line("if response.is_error:")
			r.line(r.indent, "response.raise_for_status()")
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
		r.line(s)
	}
	settings := r.httpxSettings()
	lower := r.Method != strings.ToUpper(r.Method)
	needsClient := lower || len(r.session) > 0 || r.maxRedirects != curlRedirects && r.follow || len(r.unixSocket) > 0 || r.proxyScheme() != ""
	for _, name := range r.removed {
		needsClient = needsClient || slices.ContainsFunc(r.target.client.adds, func(s string) bool { return strings.EqualFold(s, name) })
	}
	arguments := append(slices.Clone(r.arguments), cookies...)
	if needsClient {
		r.inside(r.opened, func() {
			r.node("with ", group("httpx.Client", "(", settings, ")"), " as client:")
			r.level++
			r.httpxClient(lower, arguments)
			r.level--
		})
	} else {
		r.inside(r.opened, func() { r.httpxCall("httpx", append(arguments, settings...)) })
	}
	r.saveCookies("cookies")
}

// httpxClient writes what is done with a client.
func (r *pythonRequest) httpxClient(lower bool, arguments []node) {
	for _, name := range r.removed {
		if slices.ContainsFunc(r.target.client.adds, func(s string) bool { return strings.EqualFold(s, name) }) {
			r.line("del client.headers[", pythonString(name), "]")
		}
	}
	if !lower {
		r.httpxCall("client", arguments)
		return
	}
	auth := slices.IndexFunc(arguments, func(n node) bool { return strings.HasPrefix(n.head, "auth=") })
	send := []node{leaf("request")}
	if auth >= 0 {
		send = append(send, arguments[auth])
		arguments = slices.Delete(arguments, auth, auth+1)
	}
	r.node("request = client.build_request", group("", "(", append([]node{leaf(pythonString(r.Method)), r.pythonURL(r.call)}, arguments...), ")"), "")
	r.line("request.method = " + pythonString(r.Method) + "  # as typed: httpx writes capitals")
	r.node("response = client.send", group("", "(", send, ")"), "")
}

// httpxCall writes the call of the function for the method.
func (r *pythonRequest) httpxCall(target string, arguments []node) {
	url := r.pythonURL(r.call)
	i := slices.Index(httpxHelpers, r.Method)
	if i < 0 || i < 4 && r.body.kind != noBody {
		r.node("response = ", group(target+".request", "(", append([]node{leaf(pythonString(r.Method)), url}, arguments...), ")"), "")
		return
	}
	r.node("response = ", group(target+"."+strings.ToLower(r.Method), "(", append([]node{url}, arguments...), ")"), "")
}

// httpxSettings returns the arguments that shape the exchange, which a client
// takes as well as the functions for one request.
func (r *pythonRequest) httpxSettings() []node {
	var items []node
	add := func(name, value string) { items = append(items, leaf(name+"="+value)) }
	if r.follow {
		add("follow_redirects", "True")
		if r.maxRedirects >= 0 && r.maxRedirects != curlRedirects {
			add("max_redirects", itoa(int(r.maxRedirects)))
		}
	}
	limit := "None"
	if r.timeout > 0 {
		limit = seconds(r.timeout)
	}
	if r.connectTimeout > 0 {
		limit = "httpx.Timeout(" + limit + ", connect=" + seconds(r.connectTimeout) + ")"
	}
	add("timeout", limit) // the default is five seconds
	if r.direct() {
		add("trust_env", "False") // which names proxies
	}
	if len(r.session) > 0 {
		add("cookies", "cookies")
	}
	verify := ""
	switch {
	case !r.secure():
	case r.insecure && len(r.cert) == 0:
		verify = "False"
	case r.context():
		verify = "context"
	}
	var transport []node
	if r.proxyScheme() != "" {
		transport = append(transport, named("proxy=", group("httpx.Proxy", "(", []node{r.pythonText(r.proxyURL())}, ")")))
	}
	if len(r.unixSocket) > 0 {
		transport = append(transport, named("uds=", r.pythonText(r.unixSocket)))
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
