package code

import "strings"

// What axios 1 does by itself in Node, measured on the wire: it adds Accept,
// User-Agent, Accept-Encoding and Connection, and a type to requests that
// usually have content; writes methods in capitals; follows redirects and
// throws for status 300 and more unless told not to; turns text that it takes
// for JSON into an object. Older ones than 1.17 send https through a proxy
// without a tunnel.
var nodeAxios = Target{
	Name: "node-axios", Language: "javascript", Client: "axios", Version: "1.17", Kind: Code, Extension: "mjs",
	Aliases: []string{"axios", "javascript-axios"}, Proven: true, style: javascriptStyle, write: writeAxios,
	client: client{
		modernTLS: true,
		adds:      fieldNames{"Accept", "User-Agent", "Accept-Encoding", "Connection"},
		always:    fieldNames{"Connection"},
		methods:   capitals,
		answers:   true,
		dots:      true,
		slashes:   true,
		numbers:   true,
		printable: true,
		says:      []string{"createDirs", "followRedirects", "maxRedirects", "locationTrusted", "maxTime", "retry", "insecure", "tlsMin", "tlsMax", "cacert", "cert", "unixSocket", "resolve", "connectTo"},
		proxies:   []string{"http", "https"},
	},
}

func writeAxios(p *program) {
	p.writeJavaScript(`import axios from "axios";`, func(r *jsRequest) {
		params := r.axiosParams() // before the URL, which then lacks the query
		r.add("url", r.url())
		r.method()
		r.settings = append(r.settings, params...)
		content, typed := r.axiosContent()
		r.axiosHeaders(typed)
		if r.c.basic != nil && r.basicSetting() {
			r.object("auth", []node{named("username", ": ", r.p.jsText(r.c.basic.user)), named("password", ": ", r.p.jsText(r.c.basic.password))})
		}
		if r.c.body.kind != noBody {
			r.add("data", content)
		}
		axios := r.digest("axios")
		r.axiosExchange()
		o := braced(r.settings)
		o.broken, o.width = true, tooWide
		r.again(".status", "", func(before string) {
			call := o
			call.head = before + axios + "(" + o.head
			r.p.node("", call, ");")
		})
		if r.c.retries > 0 {
			r.failure(r.response() + ".status")
		}
		data := r.response() + ".data"
		r.writeResult(data, r.response()+".headers", data)
	})
}

// encodeAxios is the encoder of axios for its setting params: lib/helpers/buildURL.js of
// axios 1. Brackets are encoded since 1.8 only.
var encodeAxios = formEncoder{"-_.!~*'():$,", true}

// axiosParams returns the setting for the query, if there is one: an object where the
// encoder of axios prints it, and else URLSearchParams, which axios takes as they are.
func (r *jsRequest) axiosParams() []node {
	plain := func(names []string) bool {
		return jsKeeps(names) && !strings.ContainsAny(r.c.URL, "[]") && !strings.Contains(r.c.URL, "%5")
	}
	if pairs := r.c.takeQuery(&encodeAxios, plain); pairs != nil {
		return []node{named("params", ": ", r.pairs(pairs))}
	}
	if pairs := r.c.takeQuery(&encodeWHATWG, nil); pairs != nil {
		return []node{named("params", ": ", r.search(pairs))}
	}
	return nil
}

// basicSetting reports whether the setting auth sends the credentials as curl
// does: the client encodes them as UTF-8.
func (r *jsRequest) basicSetting() bool {
	return r.c.basic.user.isText() && r.c.basic.password.isText()
}

func (r *jsRequest) axiosHeaders(typed bool) {
	items := r.headerMembers(true, func(f *field) bool { return f.derived && (!f.is("Authorization") || r.basicSetting()) })
	items = append(items, r.removedMembers("false", "Accept", "User-Agent", "Accept-Encoding")...)
	usual := r.c.Method == "POST" || r.c.Method == "PUT" || r.c.Method == "PATCH"
	if !typed && r.c.field("Content-Type") == nil && (usual || r.c.body.kind != noBody) {
		items = append(items, leaf(`"Content-Type": false`))
	}
	r.object("headers", items)
}

// axiosContent returns the body. It reports whether the body brings its type.
func (r *jsRequest) axiosContent() (n node, typed bool) {
	switch r.c.body.kind {
	case rawBody:
		if n, compact, ok := r.stringify(); ok {
			if f := r.c.field("Content-Type"); compact && f != nil && strings.HasPrefix(f.value.source(), "application/json") {
				return r.p.jsValue(r.c.body.json), false
			}
			return wrapped("Buffer.from", n), false
		}
		if r.c.isForm(&encodeWHATWG) {
			return r.search(r.c.body.form), false
		}
		return buffer(r.p.jsBytes(r.c.body.data)), false
	case multipartBody:
		if n, typed = r.formData(); !typed {
			n = buffer(n)
		}
		return n, typed
	case fileBody:
		return leaf(r.p.jsFile(piece{file: r.c.body.file})), false
	case pieceBody:
		return buffer(r.p.jsPieces(r.c.body.list)), false
	}
	return node{}, false
}

// buffer makes bytes of a text: axios reads some texts as JSON, and writes
// them anew.
func buffer(n node) node {
	if strings.HasPrefix(n.head, "Buffer.") || strings.HasPrefix(n.head, "await") {
		return n
	}
	return wrapped("Buffer.from", n)
}

func (r *jsRequest) axiosExchange() {
	switch {
	case !r.c.follow:
		r.add("maxRedirects", leaf("0"))
	case r.c.maxRedirects != curlRedirects:
		r.add("maxRedirects", leaf(itoa(int(r.c.redirectLimit()))))
	}
	if hook, ok := r.beforeRedirect(); ok {
		r.add("beforeRedirect", hook)
	}
	if !r.c.fail || r.c.retries > 0 {
		r.add("validateStatus", leaf("null")) // curl does not fail either
	} else {
		r.add("validateStatus", leaf("(status) => status < 400"))
	}
	r.settings = append(r.settings, r.timeLimit()...)
	if r.c.destination(r.p.options) == toFile {
		r.add("responseType", leaf(`"arraybuffer"`))
	}
	r.axiosAgent()
	if len(r.c.unixSocket) > 0 {
		r.add("socketPath", r.p.jsText(r.c.unixSocket))
	}
}

// beforeRedirect returns the function that gives the credentials to every host, where
// curl does.
func (r *jsRequest) beforeRedirect() (n node, ok bool) {
	if !r.c.spreads() {
		return node{}, false
	}
	secrets := r.headerMembers(true, func(f *field) bool { return !f.secret() })
	return group("(options) => Object.assign", "(", []node{leaf("options.headers"), braced(secrets)}, ")"), true
}

// axiosAgent adds what TLS, proxies and addresses need.
func (r *jsRequest) axiosAgent() {
	tls := r.tls(tlsNames...)
	if r.c.proxyScheme() != "" {
		r.proxySetting()
	}
	if r.c.direct() {
		r.add("proxy", leaf("false"))
	}
	r.settings = append(r.settings, r.lookup()...)
	if len(tls) > 0 {
		r.p.use(`import { Agent } from "node:https";`)
		r.add("httpsAgent", hug(group("new Agent", "(", []node{braced(tls)}, ")")))
	}
}

// proxySetting adds the setting proxy.
func (r *jsRequest) proxySetting() {
	s, ok := r.c.proxyServer()
	if !ok {
		r.p.refuse("takes no proxy from a variable")
		return
	}
	items := []node{leaf("protocol: " + jsString(s.scheme)), leaf("host: " + jsString(s.host)), leaf("port: " + s.port)}
	if s.credentials != nil {
		items = append(items, named("auth", ": ", braced([]node{named("username", ": ", r.p.jsText(s.credentials.user)), named("password", ": ", r.p.jsText(s.credentials.password))})))
	}
	r.object("proxy", items)
}
