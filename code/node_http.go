package code

import (
	"slices"
	"strings"

	"uncoil/internal/ascii"
)

// What node:http of Node 20 does by itself, measured on the wire: it adds Host
// and Connection, and a length where the method usually has content. A path
// that is given apart goes out as it is.
var nodeHTTP = Target{
	Name: "node-http", Language: "javascript", Client: "node:http", Version: "Node 20", Kind: Code, Extension: "mjs",
	Aliases: []string{"javascript-http", "node-https"}, Proven: true, style: javascriptStyle, write: writeNodeHTTP,
	client: client{
		adds:    []string{"Connection"},
		methods: capitals,
		target:  true,
		says:    []string{"maxTime", "insecure", "cacert", "cert", "unixSocket"},
		proxies: []string{"http"},
	},
}

func writeNodeHTTP(p *program) {
	sections := p.sections(0, func(c *call, suffix string) {
		r := nodeRequest{program: p, call: c, suffix: suffix}
		r.write()
	})
	if !p.options.Bare {
		p.jsImports()
	}
	p.join(sections)
}

// A nodeRequest writes one call with node:http or node:https.
type nodeRequest struct {
	*program
	*call
	suffix   string
	settings []node
}

func (r *nodeRequest) add(name string, n node) {
	r.settings = append(r.settings, named(name+": ", n))
}

func (r *nodeRequest) write() {
	module := "http"
	url := r.source(&module)
	r.use("import " + module + ` from "node:` + module + `";`)
	r.use(`import { once } from "node:events";`)
	if r.Method != "GET" {
		r.add("method", leaf(jsString(r.Method)))
	}
	body := r.content()
	r.headers(body)
	r.exchangeSettings(module)
	request, response := "request"+r.suffix, "response"+r.suffix
	arguments := url
	if len(r.settings) > 0 {
		o := jsObject(r.settings)
		o.broken = len(r.settings) > 1
		if o.broken {
			o.width = tooWide
		}
		arguments = append(arguments, o)
	}
	if len(arguments) == 1 && arguments[0].open != "" {
		arguments[0].head = "const " + request + " = " + module + ".request(" + arguments[0].head
		r.node("", arguments[0], ");")
	} else {
		r.statement("const "+request+" = "+module+".request", arguments)
	}
	for _, name := range r.removed {
		if ascii.EqualFold(name, "Host") {
			r.line(request, `.removeHeader("Host");`)
		}
	}
	r.line(request, ".end(", body, ");")
	r.line("const [", response, "] = await once(", request, `, "response");`)
	r.result(response)
}

// source returns the argument for the URL: its text where URL keeps it as it
// is, or none, with its parts in the settings.
func (r *nodeRequest) source(module *string) []node {
	url := r.url.source()
	if strings.HasPrefix(strings.ToLower(url), "https:") {
		*module = "https"
	}
	a, ok := r.address()
	if !ok || isASCII(url) && !strings.ContainsAny(url, " \"<>\\^`{|}'[]") && !dotSegments(url) && len(r.proxy) == 0 && r.Target == "" {
		return []node{r.jsURL(r.call, r.suffix)}
	}
	host, _ := a.host.plain()
	path := jsHeader(a.path)
	if r.Target != "" {
		path = leaf(jsString(r.Target))
	}
	if len(r.proxy) > 0 {
		r.throughProxy(&host, &a, &path)
	}
	r.add("hostname", leaf(jsString(strings.Trim(host, "[]"))))
	if a.port != "" {
		r.add("port", leaf(jsString(a.port)))
	}
	r.add("path", path)
	return nil
}

// throughProxy asks a proxy for the whole URL.
func (r *nodeRequest) throughProxy(host *string, a *addressParts, path *node) {
	proxy, plain := r.proxy.plain()
	scheme, rest, found := strings.Cut(proxy, "://")
	if !found {
		scheme, rest = "http", proxy
	}
	if !plain || scheme != "http" || a.secure || len(r.proxyUser) > 0 || strings.Contains(rest, "@") {
		r.refuse("asks no proxy of this kind")
		return
	}
	*path = jsHeader(r.url)
	target := *host
	if a.port != "" {
		target += ":" + a.port
	}
	if r.field("Host") == nil {
		r.fields = append(r.fields, field{name: "Host", value: literal(target)})
	}
	*host, a.port, found = strings.Cut(strings.TrimSuffix(rest, "/"), ":")
	if !found {
		a.port = "1080"
	}
}

func (r *nodeRequest) headers(body string) {
	var items []node
	for i := range r.fields {
		f := &r.fields[i]
		values := []node{}
		first := true
		for j := range r.fields {
			if r.fields[j].is(f.name) {
				first = first && j >= i
				values = append(values, jsHeader(r.fields[j].value))
			}
		}
		switch {
		case !first:
		case f.derived:
			items = append(items, named(jsName(f.name)+": ", r.basicHeader()))
		case len(values) > 1 && !f.is("Cookie"):
			items = append(items, named(jsName(f.name)+": ", group("", "[", values, "]")))
		case len(values) > 1:
			items = append(items, named(jsName(f.name)+": ", group("", "[", values, `].join("; ")`)))
		default:
			items = append(items, named(jsName(f.name)+": ", values[0]))
		}
	}
	if body != "" && slices.Contains([]string{"GET", "HEAD", "DELETE", "OPTIONS", "TRACE"}, r.Method) && r.field("Transfer-Encoding") == nil {
		items = append(items, leaf(`"Content-Length": Buffer.byteLength(`+body+")"))
	}
	if len(items) > 0 {
		r.add("headers", jsObject(items))
	}
}

// content writes the statement that makes the body, and returns its variable.
func (r *nodeRequest) content() string {
	var n node
	switch r.body.kind {
	case noBody:
		return ""
	case rawBody:
		n = r.rawContent()
	case multipartBody:
		pieces, contentType := r.multipartPieces()
		if f := r.field("Content-Type"); f == nil {
			r.fields = append(r.fields, field{name: "Content-Type", value: literal(contentType)})
		}
		n = r.jsPieces(pieces)
	case fileBody:
		n = leaf(r.jsFile(piece{file: r.body.file}))
	default:
		n = r.jsPieces(r.body.list)
	}
	r.node("const body"+r.suffix+" = ", n, ";")
	return "body" + r.suffix
}

func (r *nodeRequest) rawContent() node {
	data, known := r.body.data.plain()
	if r.body.json != nil && known {
		for _, s := range jsStringify {
			if s.prints(r.body.json, data) {
				n := group("JSON.stringify", "(", []node{jsValue(r.body.json)}, s.arguments+")")
				n.width += len(s.arguments)
				return hug(n)
			}
		}
	}
	if r.isForm(&encodeWHATWG) {
		pairs := fetchRequest{program: r.program, call: r.call}
		return leafOrHug(pairs.pairs(), ".toString()")
	}
	return jsBytes(r.body.data)
}

func (r *nodeRequest) exchangeSettings(module string) {
	if r.timeout > 0 {
		r.add("signal", leaf("AbortSignal.timeout("+milliseconds(r.timeout)+")"))
	}
	if module == "https" {
		if r.insecure {
			r.add("rejectUnauthorized", leaf("false"))
		}
		for _, f := range []struct {
			name string
			file text
		}{{"cert", r.cert}, {"key", r.key}, {"ca", r.caFile}} {
			if len(f.file) > 0 {
				r.use(`import { readFile } from "node:fs/promises";`)
				r.add(f.name, leaf("await readFile("+jsText(f.file).head+")"))
			}
		}
	}
	if len(r.unixSocket) > 0 {
		r.add("socketPath", jsText(r.unixSocket))
	}
}

// result writes what is done with the response.
func (r *nodeRequest) result(response string) {
	if r.fail {
		r.line("if (", response, ".statusCode >= 400) throw new Error(`HTTP ${", response, ".statusCode}`);")
	}
	switch r.destination(r.program.options) {
	case discarded:
		r.line(response, ".resume();")
	case toFile:
		r.use(`import { writeFile } from "node:fs/promises";`)
		r.line("await writeFile(", jsText(r.output).head, ", ", response, ");")
	case headersPrinted:
		r.line("console.log(", response, ".headers);")
	case contentPrinted:
		r.use(`import { text } from "node:stream/consumers";`)
		r.line("console.log(await text(", response, "));")
	}
}
