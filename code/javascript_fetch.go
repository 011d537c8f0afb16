package code

import (
	"slices"
	"strings"
)

// What fetch of Node 20 (undici) does by itself, measured on the wire: it adds
// connection, accept, accept-language, sec-fetch-mode, user-agent and
// accept-encoding; joins fields of one name by a comma; takes no content with
// GET and HEAD; chooses Host itself; gives a string the type text/plain unless
// told; follows redirects unless told not to. Deno runs the same programs, but
// does not take the dispatcher of undici.
var javascriptFetch = Target{
	Name: "javascript-fetch", Language: "javascript", Client: "fetch", Version: "Node 20", Kind: Code, Extension: "mjs",
	Aliases: []string{"javascript", "js", "fetch", "node", "node-fetch", "nodejs", "deno", "bun", "typescript", "ts"}, Proven: true, style: javascriptStyle, write: writeFetch,
	lower: []*Target{&nodeUndici, &nodeHTTP},
	client: client{
		modernTLS: true,
		stuck:     fetchStuck,
		unended:   true,
		adds:      fieldNames{"Connection", "Accept", "Accept-Language", "Sec-Fetch-Mode", "User-Agent", "Accept-Encoding"},
		always:    fieldNames{"Accept", "User-Agent", "Connection", "Accept-Language", "Sec-Fetch-Mode", "Accept-Encoding"},
		fixed:     fieldNames{"Content-Length", "Host", "Connection", "Sec-Fetch-Mode", "Keep-Alive", "Upgrade", "Expect"},
		passes:    map[string][]string{"Connection": {"close", "keep-alive"}, "Sec-Fetch-Mode": {"cors"}},
		codings:   onlyChunks,
		framed:    true,
		methods:   fetchMethod,
		bodiless:  []string{"GET", "HEAD"},
		answers:   true,
		loops: func(c *call) bool {
			return (c.spreads() || c.digest != nil && c.follow) && c.retries == 0 && !c.streamed()
		},
		dots:      true,
		slashes:   true,
		numbers:   true,
		counts:    enclosing,
		printable: true,
		says:      []string{"createDirs", "followRedirects", "maxTime", "retry", "insecure", "tlsMin", "tlsMax", "cacert", "cert", "resolve", "connectTo"},
		proxies:   []string{"http", "https"},
	},
}

// fetchMethod reports whether fetch sends a method as it is (WHATWG Fetch,
// normalize a method; forbidden method).
func fetchMethod(method string) bool {
	upper := strings.ToUpper(method)
	switch upper {
	case "CONNECT", "TRACE", "TRACK":
		return false
	case "DELETE", "GET", "HEAD", "OPTIONS", "POST", "PUT":
		return upper == method
	}
	return true
}

// fetchConditions are the fields with which fetch turns its cache off, and
// says so in fields of its own (WHATWG Fetch, HTTP-network-or-cache fetch).
var fetchConditions = []string{"if-modified-since", "if-none-match", "if-unmodified-since", "if-match", "if-range"}

// fetchStuck reports whether the content is a stream or a Buffer, with which Node 20
// ends in an error at the statuses 307 and 308, or a FormData, which goes out with
// another boundary than Content-Type names then.
func fetchStuck(c *call) bool {
	switch c.body.kind {
	case rawBody:
		return c.chunked() || !c.body.data.isText() || c.field("Content-Type") == nil
	case multipartBody:
		return c.formDataWrites() || slices.ContainsFunc(c.body.part, func(p formPart) bool { return p.isFile() || !p.value.isText() })
	case fileBody:
		return c.chunked() || c.takesInput()
	}
	return slices.ContainsFunc(c.body.list, func(p piece) bool { return !p.isText && !p.urlencode }) // text is a string
}

func writeFetch(p *program) {
	forms := false
	p.writeJavaScript("", func(r *jsRequest) {
		content, has := r.fetchContent()
		if r.c.streamed() { // before the fields are written, which then lack one
			content = stream(content)
		}
		url := r.url()
		forms = forms || strings.HasPrefix(content.head, "form")
		if r.p.target.client.loopsFor(r.c) {
			r.followFetch(url, content, has)
		} else {
			fetch := r.digest("fetch")
			r.method()
			r.fetchSettings(r.fetchHeaders(func(*field) bool { return true }), content, has, r.timeLimit())
			r.again(".status", "await "+r.response()+".body?.cancel();", func(before string) { r.send(before+fetch, url) })
		}
		if forms && slices.ContainsFunc(p.imports, func(line string) bool { return strings.Contains(line, "undici") }) {
			p.importUndici("FormData") // undici's fetch knows no other
		}
		if r.c.fail && r.c.follow {
			r.p.line("if (!", r.response(), ".ok) throw new Error(`HTTP ${", r.response(), ".status}`);")
		} else {
			r.failure(r.response() + ".status")
		}
		r.writeResult("await "+r.response()+".bytes()", r.response()+".headers", "await "+r.response()+".text()")
	})
}

// fetchHeaders returns the fields that wanted takes, as members of an object.
func (r *jsRequest) fetchHeaders(wanted func(*field) bool) []node {
	return r.headerMembers(false, func(f *field) bool { return f.derived && !f.is("Authorization") || !wanted(f) })
}

// fetchSettings adds the settings but for the method.
func (r *jsRequest) fetchSettings(headers []node, content node, has bool, limit []node) {
	r.object("headers", headers)
	conditional := func(f field) bool { return slices.Contains(fetchConditions, strings.ToLower(f.name)) }
	if slices.ContainsFunc(r.c.fields, conditional) && r.c.field("Cache-Control") == nil {
		r.add("cache", leaf(`"force-cache"`)) // the default adds Cache-Control and Pragma
	}
	if has {
		r.add("body", content)
	}
	if r.c.chunked() {
		r.add("duplex", leaf(`"half"`))
	}
	if !r.c.follow || r.p.target.client.loopsFor(r.c) {
		r.add("redirect", leaf(`"manual"`))
	}
	r.settings = append(r.settings, limit...)
	r.dispatcher()
}

// followFetch writes the exchange in a loop, which ends with a response that is no
// redirect: fetch itself takes credentials away from another host.
func (r *jsRequest) followFetch(first, body node, has bool) {
	url, content := "url"+r.suffix, "content"+r.suffix
	if !r.c.guess {
		r.p.node("let "+url+" = ", first, ";")
	}
	statuses := r.c.emptying()
	if has && body.head != "form"+r.suffix {
		r.p.node("const body"+r.suffix+" = ", body, ";")
		body = leaf("body" + r.suffix)
	}
	if len(statuses) > 0 {
		r.p.line("let ", content, " = true;")
		body.head = content + " ? " + body.head + " : undefined"
	}
	limit := r.commonLimit()
	response := r.response()
	origin := "origin" + r.suffix
	if r.c.digest != nil && !r.c.trusted {
		r.p.line("const ", origin, " = new URL(", url, ").origin;")
	}
	r.redirects(func() {
		fetch := r.digest("fetch")
		if r.c.digest != nil && !r.c.trusted {
			r.p.line("const send = new URL(", url, ").origin === ", origin, " ? ", fetch, " : fetch;")
			fetch = "send"
		}
		r.againMethod(content, statuses)
		goes := func(f *field) bool { return len(statuses) > 0 && f.typesContent() }
		headers := r.fetchHeaders(func(f *field) bool { return !goes(f) })
		r.fetchSettings(append(headers, onlyIf(content, r.fetchHeaders(goes))...), body, has, limit)
		r.send(response+" = await "+fetch, leaf(url))
		r.p.line("const location = ", response, `.headers.get("location");`)
		r.redirected(response+".status", "await "+response+".body?.cancel();", content, statuses)
	})
}

// fetchContent returns the body: a string, where fetch does not give it a type
// that curl does not send.
func (r *jsRequest) fetchContent() (n node, has bool) {
	switch r.c.body.kind {
	case rawBody:
		if n, _, ok := r.stringify(); ok {
			return r.untyped(n), true
		}
		if r.c.isForm(&encodeWHATWG) {
			return followed(r.search(r.c.body.form), ".toString()"), true
		}
		return r.untyped(r.p.jsBytes(r.c.body.data)), true
	case multipartBody:
		if r.c.chunked() {
			return r.multipartBytes(), true
		}
		n, _ := r.formData()
		return n, true
	case fileBody:
		if name, ok := r.c.body.file.plain(); ok && name == "-" {
			return leaf(r.p.jsFile(piece{file: r.c.body.file})), true
		}
		r.p.use(`import { openAsBlob } from "node:fs";`)
		return leaf("await openAsBlob(" + r.p.jsText(r.c.body.file).line() + ")"), true
	case pieceBody:
		return r.untyped(r.p.jsPieces(r.c.body.list)), true
	}
	return node{}, false
}

// stream returns the stream of some content, which fetch sends in chunks.
func stream(n node) node {
	if strings.HasPrefix(n.head, "await openAsBlob") {
		return leaf("(" + n.head + ").stream()")
	}
	n.head = "new Blob([" + n.head
	return followed(n, "]).stream()")
}

// untyped makes bytes of a string, where curl sends no type.
func (r *jsRequest) untyped(n node) node {
	if r.c.field("Content-Type") != nil || strings.HasPrefix(n.head, "Buffer.") {
		return n
	}
	return wrapped("Buffer.from", n)
}

// dispatcher adds undici's setting for TLS, proxies and addresses. It goes with
// the fetch of the same module.
func (r *jsRequest) dispatcher() {
	agent, ok := r.undiciAgent(append(r.tls(tlsNames...), r.lookup()...))
	if ok {
		class, _, _ := strings.Cut(strings.TrimPrefix(agent.head, "new "), "(")
		r.p.importUndici(class)
		r.p.importUndici("fetch")
		r.add("dispatcher", agent)
	}
}

// undiciAgent returns the agent of undici for a proxy or the settings of a
// connection, or nothing where the usual one will do.
func (r *jsRequest) undiciAgent(connect []node) (n node, ok bool) {
	switch {
	case r.c.proxyScheme() != "":
		options := []node{named("uri", ": ", r.p.jsText(r.c.proxyURL()))}
		address, user, password := r.c.proxyParts()
		if len(user) > 0 && (user.source() == "" || password.source() == "") { // undici sends nothing for these
			token := r.p.jsText(mergeLiterals(slices.Concat(user, literal(":"), password))).around("`Basic ${Buffer.from(", `).toString("base64")}`+"`")
			options = []node{named("uri", ": ", r.p.jsText(address)), named("token", ": ", token)}
		}
		if !r.c.secure() {
			options = append(options, leaf("proxyTunnel: false"))
		}
		if len(connect) > 0 {
			options = append(options, named("requestTls", ": ", braced(connect)))
		}
		return hug(group("new ProxyAgent", "(", []node{braced(options)}, ")")), true
	case len(connect) > 0:
		return hug(group("new Agent", "(", []node{braced([]node{named("connect", ": ", braced(connect))})}, ")")), true
	}
	return node{}, false
}
