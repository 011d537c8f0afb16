package code

import "strings"

// What APIRequestContext of Playwright 1.40 does by itself, measured on the
// wire: it adds user-agent, accept, accept-encoding and Connection, and a type
// to content; sends a name once; writes methods in capitals; ends after thirty
// seconds, and follows redirects, unless told not to; asks a proxy for a tunnel
// only. It needs no browser.
var playwright = Target{
	Name: "playwright", Language: "javascript", Client: "Playwright", Version: "1.44", Kind: Code, Extension: "mjs",
	Aliases: []string{"javascript-playwright", "playwright-request"}, Proven: true, style: javascriptStyle, write: writePlaywright,
	client: client{
		modernTLS: true,
		adds:      fieldNames{"User-Agent", "Accept", "Accept-Encoding", "Connection"},
		always:    fieldNames{"User-Agent", "Accept", "Accept-Encoding", "Connection", "Host"},
		methods:   capitals,
		dots:      true,
		slashes:   true,
		numbers:   true,
		after:     []string{"cookies"},
		printable: true,
		says:      []string{"createDirs", "followRedirects", "maxRedirects", "maxTime", "insecure", "cert"},
		proxies:   []string{"http", "https", "socks5"},
		drops:     fieldNames{"Cookie"},
	},
}

func writePlaywright(p *program) {
	p.writeJavaScript(`import { request } from "playwright-core";`, func(r *jsRequest) {
		context := "context" + r.suffix
		var options []node
		if r.c.insecure {
			options = append(options, leaf("ignoreHTTPSErrors: true"))
		}
		options = append(options, r.playwrightProxy()...)
		options = append(options, r.playwrightCertificate()...)
		var arguments []node
		if len(options) > 0 {
			arguments = append(arguments, braced(options))
		}
		r.p.node("const "+context+" = await ", hug(group("request.newContext", "(", arguments, ")")), ";")
		r.method()
		r.querySetting("params")
		name, content := r.playwrightContent()
		r.object("headers", r.headerMembers(false, (*field).skipped))
		if name != "" {
			r.add(name, content)
		}
		switch {
		case !r.c.follow:
			r.add("maxRedirects", leaf("0"))
		case r.c.maxRedirects != curlRedirects:
			r.add("maxRedirects", leaf(itoa(int(r.c.redirectLimit()))))
		}
		limit := "0"
		if r.c.timeout > 0 {
			limit = milliseconds(r.c.timeout)
		}
		r.add("timeout", leaf(limit)) // the default is thirty seconds
		response := r.response()
		r.send("const "+response+" = await "+context+".fetch", r.url())
		r.failure(response + ".status()")
		r.writeResult("await "+response+".body()", response+".headers()", "await "+response+".text()")
		r.p.line("await ", context, ".dispose();")
	})
}

func (r *jsRequest) playwrightProxy() []node {
	if r.c.proxyScheme() == "" {
		return nil
	}
	if !r.c.secure() && r.c.proxyScheme() != "socks5" {
		r.p.refuse("asks a proxy for a tunnel only")
	}
	s, ok := r.c.proxyServer()
	if !ok {
		return []node{named("proxy", ": ", braced([]node{named("server", ": ", r.p.jsText(r.c.proxyURL()))}))}
	}
	items := []node{leaf("server: " + jsString(s.scheme+"://"+s.host+":"+s.port))}
	if s.credentials != nil {
		items = append(items, named("username", ": ", r.p.jsText(s.credentials.user)), named("password", ": ", r.p.jsText(s.credentials.password)))
	}
	return []node{named("proxy", ": ", braced(items))}
}

// playwrightCertificate returns the setting for the client's certificate.
func (r *jsRequest) playwrightCertificate() []node {
	a, ok := r.c.address()
	switch {
	case len(r.c.cert) == 0:
		return nil
	case !r.c.secure() && !r.c.unknownScheme():
		r.p.lossAt(r.c.place("cert"), "--cert", "shows a certificate to one host of https only")
		return nil
	}
	if !ok {
		r.p.refuse("takes no certificate for a host in a variable")
		return nil
	}
	origin := "https://" + a.host.source()
	if a.port != "" {
		origin += ":" + a.port
	}
	items := []node{leaf("origin: " + jsString(origin)), named("certPath", ": ", r.p.jsText(r.c.cert)), named("keyPath", ": ", r.p.jsText(r.c.certKey()))}
	return []node{named("clientCertificates", ": ", group("", "[", []node{braced(items)}, "]"))}
}

// playwrightContent returns the name of the setting for the body, and its
// value. Text that is not JSON is bytes where the type is JSON, because it
// would become a JSON string.
func (r *jsRequest) playwrightContent() (name string, n node) {
	if r.c.body.kind == noBody {
		return "", node{}
	}
	name = "data"
	switch r.c.body.kind {
	case rawBody:
		var compact, ok bool
		if n, compact, ok = r.stringify(); ok {
			if compact && r.c.hasType("application/json") {
				r.c.field("Content-Type").derived = true
				n = r.p.jsValue(r.c.body.json)
			}
			break
		}
		if r.c.isForm(&encodeWHATWG) {
			if form := r.pairs(r.c.body.form); form.open == "{" {
				r.c.field("Content-Type").derived = true
				return "form", form
			}
		}
		n = r.p.jsBytes(r.c.body.data)
		if f := r.c.field("Content-Type"); f != nil && strings.Contains(f.value.source(), "json") {
			n = buffer(n)
		}
	case multipartBody:
		var ok bool
		if n, ok = r.formData(); ok {
			return "multipart", n
		}
		n = buffer(n)
	case fileBody:
		n = leaf(r.p.jsFile(piece{file: r.c.body.file}))
	default:
		n = buffer(r.p.jsPieces(r.c.body.list))
	}
	if r.c.untyped() && !r.c.empty() {
		r.p.refuse("gives all content a type")
	}
	return name, n
}
