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
		if r.secure() {
			module = "https"
		}
		r.use("import " + module + ` from "node:` + module + `";`)
		url := r.nodeURL()
		r.method()
		body := r.nodeContent()
		r.nodeHeaders(body)
		r.timeLimit()
		r.settings = append(append(r.settings, r.tls(tlsNames...)...), r.lookup()...)
		if len(r.unixSocket) > 0 {
			r.add("socketPath", r.jsText(r.unixSocket))
		}
		request, response := "request"+r.suffix, r.response()
		r.send("const "+request+" = "+module+".request", url...)
		if r.removes("Host") {
			r.line(request, `.removeHeader("Host");`)
		}
		r.line(request, ".end(", body, ");")
		r.line("const [", response, "] = await once(", request, `, "response");`)
		r.failure(response + ".statusCode")
		switch r.destination(r.program.options) {
		case discarded:
			r.line(response, ".resume();")
		case contentPrinted:
			r.use(`import { text } from "node:stream/consumers";`)
		}
		r.writeResult(response, response+".headers", "await text("+response+")")
	})
}

// nodeURL returns the argument for the URL: its text where URL keeps it as it
// is, or none, with its parts in the settings.
func (r *jsRequest) nodeURL() []node {
	url := r.url.source()
	a, ok := r.address()
	if !ok || isASCII(url) && !strings.ContainsAny(url, " \"<>\\^`{|}'[]") && !dotSegments(url) && len(r.proxy) == 0 && r.Target == "" {
		return []node{r.jsURL(r.call, r.suffix)}
	}
	host, path := a.host.source(), r.jsHeader(a.path)
	if r.Target != "" {
		path = leaf(jsString(r.Target))
	}
	if len(r.proxy) > 0 {
		path = r.jsHeader(r.url)
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
	s, ok := r.proxyServer()
	if !ok || a.secure {
		r.refuse("asks no proxy of this kind")
		return "", ""
	}
	host = a.host.source()
	if a.port != "" {
		host += ":" + a.port
	}
	if r.field("Host") == nil {
		r.fields = append(r.fields, field{name: "Host", value: literal(host)})
	}
	if s.credentials != nil {
		both := mergeLiterals(append(append(slices.Clone(s.credentials.user), part{literal: ":"}), s.credentials.password...))
		r.fields = append(r.fields, field{name: "Proxy-Authorization", value: both, derived: true})
	}
	return s.host, s.port
}

func (r *jsRequest) nodeHeaders(body string) {
	items := r.headerMembers(true, func(f *field) bool { return f.is("Proxy-Authorization") && f.derived })
	if f := r.field("Proxy-Authorization"); f != nil && f.derived {
		items = append(items, named(`"Proxy-Authorization": `, r.basicValue(f.value)))
	}
	if body != "" && slices.Contains([]string{"GET", "HEAD", "DELETE", "OPTIONS", "TRACE"}, r.Method) && r.field("Transfer-Encoding") == nil {
		items = append(items, leaf(`"Content-Length": Buffer.byteLength(`+body+")"))
	}
	r.object("headers", items)
}

// byteHead reports whether the head of the request has characters that stand
// for bytes.
func (r *jsRequest) byteHead() bool {
	return !r.url.isASCII() || slices.ContainsFunc(r.fields, func(f field) bool { return !f.value.isASCII() })
}

// nodeContent writes the statement that makes the body, and returns its
// variable.
func (r *jsRequest) nodeContent() string {
	var n node
	switch r.body.kind {
	case noBody:
		return ""
	case rawBody:
		var ok bool
		if n, _, ok = r.stringify(); ok {
			break
		}
		if r.isForm(&encodeWHATWG) {
			n = followed(r.search(), ".toString()")
			break
		}
		n = r.jsBytes(r.body.data)
	case multipartBody:
		n = r.multipartBytes()
	case fileBody:
		n = leaf(r.jsFile(piece{file: r.body.file}))
	default:
		n = r.jsPieces(r.body.list)
	}
	if r.byteHead() {
		n = buffer(n) // a string goes out with the head, and both as UTF-8
	}
	r.node("const body"+r.suffix+" = ", n, ";")
	return "body" + r.suffix
}
