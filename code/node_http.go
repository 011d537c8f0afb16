package code

import (
	"slices"
	"strconv"
	"strings"

	"uncoil/internal/engine/ascii"
)

// What node:http of Node 20 does by itself, measured on the wire: it adds Host
// and Connection, and a length where the method usually has content; follows no
// redirects, so a program does that itself. A path that is given apart goes out as
// it is.
var nodeHTTP = Target{
	Name: "node-http", Language: "javascript", Client: "node:http", Version: "Node 20", Kind: Code, Extension: "mjs",
	Aliases: []string{"javascript-http", "node-https"}, Proven: true, style: javascriptStyle, write: writeNodeHTTP,
	client: client{
		modernTLS: true,
		hostless:  true,
		codings:   namesChunks,
		answers:   true,
		adds:      fieldNames{"Connection"},
		always:    fieldNames{"Connection"},
		methods:   capitals,
		target:    true,
		printable: true,
		says:      slices.Concat(ownRedirects, []string{"createDirs", "maxTime", "retry", "insecure", "tlsMin", "tlsMax", "cacert", "cert", "unixSocket", "resolve", "connectTo"}),
		proxies:   []string{"http"},
	},
}

func writeNodeHTTP(p *program) {
	p.writeJavaScript(`import { once } from "node:events";`, func(r *jsRequest) {
		if r.c.proxyScheme() == "" { // which is told the URL as it is
			r.p.refuseNumber(r.c)
		}
		response, follows := r.response(), r.c.follow && r.follows()
		r.again(".statusCode", response+".resume();", func(before string) {
			if follows {
				r.followNode()
			} else {
				r.askNode(strings.TrimSuffix(before, response+" = await "))
			}
		})
		r.failure(response + ".statusCode")
		switch r.c.destination(r.p.options) {
		case discarded:
			r.p.line(response, ".resume();")
		case contentPrinted:
			r.p.use(`import { text } from "node:stream/consumers";`)
		}
		r.writeResult(response, response+".headers", "await text("+response+")")
	})
}

// askNode writes one exchange, whose response the keyword declares, unless there is one.
func (r *jsRequest) askNode(keyword string) {
	module := "http"
	if r.c.secure() {
		module = "https"
	}
	r.p.use("import " + module + ` from "node:` + module + `";`)
	url := r.nodeURL()
	if len(url) > 0 && r.c.url[0].variable != nil { // its scheme is not known
		r.p.use(`import https from "node:https";`)
		name := "url" + r.suffix
		if !r.c.guess {
			r.p.node("const "+name+" = ", url[0], ";")
			url[0] = leaf(name)
		}
		module = "(" + name + `.startsWith("https:") ? https : http)`
	}
	r.method()
	body := r.nodeContent()
	r.object("headers", append(r.nodeHeaders(func(*field) bool { return true }), r.nodeLength(body)...))
	r.settings = append(r.settings, r.timeLimit()...)
	r.nodeSettings()
	if r.c.digest != nil {
		if len(url) == 0 {
			r.p.refuse("answers no Digest for such a URL")
			return
		}
		r.settings = append(r.digestSettings("ask"), r.settings...)
		r.askDigest(keyword+r.response(), module, url[0], body)
		return
	}
	request := "request" + r.suffix
	r.send("const "+request+" = "+module+".request", url...)
	r.p.line(request, ".end(", body, ");")
	r.p.line(keyword, "[", r.response(), "] = await once(", request, `, "response");`)
}

// askDigest writes the call that sends a request, and answers for Digest.
func (r *jsRequest) askDigest(before, client string, url node, body string) {
	arguments := []node{leaf(client), url, braced(r.settings)}
	if body != "" {
		arguments = append(arguments, leaf(body))
	}
	if len(r.nodeLength(body)) > 0 {
		r.p.refuse("answers no Digest with such content")
	}
	r.p.node(before+" = await ", group("askDigest", "(", arguments, ")"), ";")
}

// follows reports whether the program can follow redirects: it does not know how
// to ask a proxy for another URL, and warns of that.
func (r *jsRequest) follows() bool {
	if r.c.proxyScheme() == "" && r.c.Target == "" {
		return true
	}
	what := phrase("through a proxy")
	if r.c.Target != "" {
		what = "of a request target"
	}
	r.p.stays(r.c, what)
	return false
}

// followNode writes the exchange in a loop, which ends with a response that is no
// redirect.
func (r *jsRequest) followNode() {
	r.p.use(`import http from "node:http";`)
	r.p.use(`import https from "node:https";`)
	url, origin, content, path := "url"+r.suffix, "origin"+r.suffix, "content"+r.suffix, "path"+r.suffix
	odd := false
	if a, ok := r.c.address(); ok && !nodeKeeps(r.c.url.literals()) {
		odd = true
		r.p.node("let "+url+" = new URL(", r.p.jsText(r.c.url), ");")
		r.p.node("let "+path+" = ", r.p.jsHeader(a.path), ";")
	} else if first := r.url(); r.c.guess {
		r.p.line(url, " = new URL(", url, ");")
	} else {
		r.p.node("let "+url+" = new URL(", first, ");")
	}
	own := func(f *field) bool { return !r.c.trusted && f.guarded() }
	if r.c.guarded() {
		r.p.line("const ", origin, " = ", url, ".origin;")
	}
	body := r.nodeContent()
	statuses := r.c.emptying()
	if len(statuses) > 0 {
		r.p.line("let ", content, " = true;")
	}
	limit := r.commonLimit()
	response := r.response()
	r.redirects(func() {
		r.p.line("const client = ", url, `.protocol === "https:" ? https : http;`)
		if odd {
			r.settings = append(r.settings, jsMember("path", r.suffix))
		}
		r.againMethod(content, statuses)
		goes := func(f *field) bool { return len(statuses) > 0 && f.typesContent() }
		items := r.nodeHeaders(func(f *field) bool { return !own(f) && !goes(f) })
		items = append(items, onlyIf(url+".origin === "+origin, r.nodeHeaders(own))...)
		with := append(r.nodeHeaders(goes), r.nodeLength(body)...)
		if len(statuses) > 0 {
			with = onlyIf(content, with)
		}
		r.object("headers", append(items, with...))
		r.settings = append(r.settings, limit...)
		r.nodeSettings()
		if body != "" && len(statuses) > 0 {
			body = content + " ? " + body + " : undefined"
		}
		if r.c.digest != nil {
			digest := r.digestSettings("ask")
			if !r.c.trusted {
				digest = onlyIf(url+".origin === "+origin, digest)
			}
			if odd {
				r.p.refuse("answers no Digest for such a URL")
			}
			r.settings = append(digest, r.settings...)
			r.askDigest(response, "client", leaf(url), body)
		} else {
			r.send("const request = client.request", leaf(url))
			r.p.line("request.end(", body, ");")
			r.p.line("[", response, `] = await once(request, "response");`)
		}
		r.p.line("const { location } = ", response, ".headers;")
		r.redirected(response+".statusCode", response+".resume();", content, statuses)
		if odd {
			r.p.line(path, " = ", url, ".pathname + ", url, ".search;")
		}
	})
}

// commonLimit writes the statement that limits the time of all exchanges of a loop
// together, and returns the setting for each.
func (r *jsRequest) commonLimit() []node {
	if r.c.timeout == 0 {
		return nil
	}
	r.p.line("const signal", r.suffix, " = AbortSignal.timeout(", milliseconds(r.c.timeout), ");")
	return []node{jsMember("signal", r.suffix)}
}

// redirects writes a loop of exchanges, which ends with a response that is no
// redirect.
func (r *jsRequest) redirects(exchange func()) {
	if r.c.retries == 0 { // else it is declared before
		r.p.line("let ", r.response(), ";")
	}
	loop := "for (let redirects = 0; ; redirects++) {"
	if r.c.maxRedirects < 0 {
		loop = "for (;;) {"
	}
	r.p.block(loop, exchange)
	r.p.line("}")
}

// redirected writes what ends the loop of redirects, or leads it to the URL of the
// variable location: drop lets go of a response. After one of the statuses the
// variable content says that there is none.
func (r *jsRequest) redirected(status, drop, content string, statuses []string) {
	r.p.line("if (!location || ", status, " < 300 || ", status, " > 399) break;")
	if r.c.maxRedirects >= 0 {
		r.p.line("if (redirects === ", strconv.FormatInt(r.c.maxRedirects, 10), `) throw new Error("too many redirects");`)
	}
	r.p.line(drop)
	r.p.line("url", r.suffix, " = new URL(location, url", r.suffix, ");")
	switch {
	case len(statuses) == 1:
		r.p.line("if (", status, " === ", statuses[0], ") ", content, " = false;")
	case len(statuses) > 1:
		r.p.line("if ([", strings.Join(statuses, ", "), "].includes(", status, ")) ", content, " = false;")
	}
}

// againMethod adds the method of a request that may come after a redirect.
func (r *jsRequest) againMethod(content string, statuses []string) {
	if len(statuses) == 0 || r.c.keepsMethod {
		r.method()
		return
	}
	r.add("method", leaf(content+" ? "+jsString(r.c.Method)+` : "GET"`))
}

// jsMember returns a member of an object whose value is the variable of its name.
func jsMember(name, suffix string) node {
	if suffix == "" {
		return leaf(name)
	}
	return leaf(name + ": " + name + suffix)
}

// onlyIf returns members that an object has on a condition only.
func onlyIf(condition string, members []node) []node {
	if len(members) == 0 {
		return nil
	}
	object := group("", "{ ", members, " }")
	return []node{leaf("...(" + condition + " && " + object.line() + ")")}
}

// nodeSettings adds the settings that are the same for each request.
func (r *jsRequest) nodeSettings() {
	if r.c.removes("Host") || r.c.empties("Host") {
		r.add("setHost", leaf("false"))
	}
	r.settings = append(append(r.settings, r.tls(tlsNames...)...), r.lookup()...)
	if len(r.c.unixSocket) > 0 {
		r.add("socketPath", r.p.jsText(r.c.unixSocket))
	}
}

// nodeURL returns the argument for the URL: its text where URL keeps it as it
// is, or none, with its parts in the settings.
func (r *jsRequest) nodeURL() []node {
	a, ok := r.c.address()
	if !ok || nodeKeeps(r.c.url.literals()) && r.c.proxyScheme() == "" && r.c.Target == "" {
		return []node{r.url()}
	}
	host, path := a.host.source(), r.p.jsHeader(a.path)
	if r.c.Target != "" {
		target := r.c.requestTarget()
		if strings.ContainsFunc(target.literals(), func(c rune) bool { return c <= ' ' }) {
			r.p.refuseAt(r.c.place("requestTarget"), "cannot send such a request target")
		}
		path = r.p.jsHeader(target)
	}
	if r.c.proxyScheme() != "" {
		if r.c.Target == "" {
			path = r.p.jsHeader(r.c.url)
		}
		host, a.port = r.nodeProxy(&a)
	}
	r.add("hostname", leaf(jsString(strings.Trim(host, "[]"))))
	if a.port != "" {
		r.add("port", leaf(jsString(a.port)))
	}
	r.add("path", path)
	return nil
}

// nodeKeeps reports whether URL keeps the path of a URL as it is.
func nodeKeeps(url string) bool {
	return ascii.Only(url) && !strings.ContainsAny(url, " \"<>\\^`{|}'[]") && !dotSegments(url)
}

// nodeProxy returns the host and the port of the proxy, which is asked for the
// whole URL.
func (r *jsRequest) nodeProxy(a *addressParts) (host, port string) {
	s, ok := r.c.proxyServer()
	if !ok || a.secure {
		r.p.refuse("asks no proxy of this kind")
		return "", ""
	}
	host = a.host.source()
	if a.port != "" {
		host += ":" + a.port
	}
	if r.c.field("Host") == nil {
		r.c.fields = append(r.c.fields, field{name: "Host", value: literal(host)})
	}
	if s.credentials != nil {
		both := mergeLiterals(append(append(slices.Clone(s.credentials.user), part{literal: ":"}), s.credentials.password...))
		r.c.fields = append(r.c.fields, field{name: "Proxy-Authorization", value: both, derived: true})
	}
	return s.host, s.port
}

// nodeHeaders returns the fields that wanted takes, as members of an object.
func (r *jsRequest) nodeHeaders(wanted func(*field) bool) []node {
	items := r.headerMembers(true, func(f *field) bool { return f.is("Proxy-Authorization") && f.derived || !wanted(f) })
	if f := r.c.field("Proxy-Authorization"); f != nil && f.derived && wanted(f) {
		items = append(items, named(`"Proxy-Authorization"`, ": ", r.basicValue(f.value)))
	}
	return items
}

// nodeLength returns the length of content, which Node does not add with methods
// that usually have none.
func (r *jsRequest) nodeLength(body string) []node {
	if body == "" || !slices.Contains([]string{"GET", "HEAD", "DELETE", "OPTIONS", "TRACE"}, r.c.Method) || r.c.field("Transfer-Encoding") != nil {
		return nil
	}
	return []node{leaf(`"Content-Length": Buffer.byteLength(` + body + ")")}
}

// byteHead reports whether the head of the request has characters that stand
// for bytes.
func (r *jsRequest) byteHead() bool {
	return !r.c.url.isASCII() || slices.ContainsFunc(r.c.fields, func(f field) bool { return !f.value.isASCII() })
}

// nodeContent writes the statement that makes the body, and returns its
// variable.
func (r *jsRequest) nodeContent() string {
	var n node
	switch r.c.body.kind {
	case noBody:
		return ""
	case rawBody:
		var ok bool
		if n, _, ok = r.stringify(); ok {
			break
		}
		if r.c.isForm(&encodeWHATWG) {
			n = followed(r.search(r.c.body.form), ".toString()")
			break
		}
		n = r.p.jsBytes(r.c.body.data)
	case multipartBody:
		n = r.multipartBytes()
	case fileBody:
		n = leaf(r.p.jsFile(piece{file: r.c.body.file}))
	default:
		n = r.p.jsPieces(r.c.body.list)
	}
	if r.byteHead() {
		n = buffer(n) // a string goes out with the head, and both as UTF-8
	}
	r.p.node("const body"+r.suffix+" = ", n, ";")
	return "body" + r.suffix
}
