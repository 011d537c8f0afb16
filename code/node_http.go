//go:build !nocode

package code

import (
	"slices"
	"strings"
)

// What node:http of Node 20 does by itself, measured on the wire: it adds Host
// and Connection, and a length where the method usually has content. A path
// that is given apart goes out as it is.
var nodeHTTP = Target{
	Name: "node-http", Language: "javascript", Client: "node:http", Version: "Node 20", Kind: Code, Extension: "mjs",
	Aliases: []string{"javascript-http", "node-https"}, Proven: true, style: javascriptStyle, write: writeNodeHTTP,
	client: client{
		hostless: true,
		adds:     []string{"Connection"},
		methods:  capitals,
		target:   true,
		says:     []string{"maxTime", "insecure", "cacert", "cert", "unixSocket", "resolve", "connectTo"},
		proxies:  []string{"http"},
	},
}

func writeNodeHTTP(p *program) {
	p.writeJavaScript(`import { once } from "node:events";`, func(r *jsRequest) {
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
		r.nodeHeaders(body)
		r.timeLimit()
		if host := r.c.field("Host"); r.c.removes("Host") || host != nil && host.value.source() == "" {
			r.add("setHost", leaf("false"))
		}
		r.settings = append(append(r.settings, r.tls(tlsNames...)...), r.lookup()...)
		if len(r.c.unixSocket) > 0 {
			r.add("socketPath", r.p.jsText(r.c.unixSocket))
		}
		request, response := "request"+r.suffix, r.response()
		r.send("const "+request+" = "+module+".request", url...)
		r.p.line(request, ".end(", body, ");")
		r.p.line("const [", response, "] = await once(", request, `, "response");`)
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

// nodeURL returns the argument for the URL: its text where URL keeps it as it
// is, or none, with its parts in the settings.
func (r *jsRequest) nodeURL() []node {
	url := r.c.URL
	a, ok := r.c.address()
	if !ok || isASCII(url) && !strings.ContainsAny(url, " \"<>\\^`{|}'[]") && !dotSegments(url) && len(r.c.proxy) == 0 && r.c.Target == "" {
		return []node{r.p.jsURL(r.c, r.suffix)}
	}
	host, path := a.host.source(), r.p.jsHeader(a.path)
	if r.c.Target != "" {
		path = leaf(jsString(r.c.Target))
	}
	if len(r.c.proxy) > 0 {
		path = r.p.jsHeader(r.c.url)
		host, a.port = r.nodeProxy(&a)
	}
	r.add("hostname", leaf(jsString(strings.Trim(host, "[]"))))
	if a.port != "" {
		r.add("port", leaf(jsString(a.port)))
	}
	r.add("path", path)
	return nil
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

func (r *jsRequest) nodeHeaders(body string) {
	items := r.headerMembers(true, func(f *field) bool { return f.is("Proxy-Authorization") && f.derived })
	if f := r.c.field("Proxy-Authorization"); f != nil && f.derived {
		items = append(items, named(`"Proxy-Authorization"`, ": ", r.basicValue(f.value)))
	}
	if body != "" && slices.Contains([]string{"GET", "HEAD", "DELETE", "OPTIONS", "TRACE"}, r.c.Method) && r.c.field("Transfer-Encoding") == nil {
		items = append(items, leaf(`"Content-Length": Buffer.byteLength(`+body+")"))
	}
	r.object("headers", items)
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
			n = followed(r.search(), ".toString()")
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
