package code

import (
	"slices"
	"strconv"
	"strings"
)

// What fetch of Node 20 (undici) does by itself, measured on the wire: it adds
// connection, accept, accept-language, sec-fetch-mode, user-agent and
// accept-encoding; joins fields of one name by a comma; takes no content with
// GET and HEAD; chooses Host itself; gives a string the type text/plain unless
// told; follows redirects unless told not to.
var javascriptFetch = Target{
	Name: "javascript-fetch", Language: "javascript", Client: "fetch", Version: "Node 20", Kind: Code, Extension: "mjs",
	Aliases: []string{"javascript", "js", "fetch", "node", "node-fetch", "nodejs"}, style: javascriptStyle, write: writeFetch,
	client: client{
		adds:     []string{"Connection", "Accept", "Accept-Language", "Sec-Fetch-Mode", "User-Agent", "Accept-Encoding"},
		always:   []string{"Accept", "User-Agent"},
		fixed:    []string{"Host", "Connection"},
		methods:  fetchMethod,
		bodiless: []string{"GET", "HEAD"},
		dots:     true,
		says:     []string{"followRedirects", "maxTime", "insecure", "cacert", "cert"},
		proxies:  []string{"http", "https"},
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

func writeFetch(p *program) {
	sections := p.sections(0, func(c *call, suffix string) {
		r := fetchRequest{program: p, call: c, suffix: suffix, response: "response" + suffix}
		r.write()
	})
	if !p.options.Bare {
		p.jsImports()
	}
	p.join(sections)
}

// A fetchRequest writes one call with fetch.
type fetchRequest struct {
	*program
	*call
	suffix   string
	response string
	settings []node
	bytes    bool // the body is no string, so that fetch gives it no type
}

func (r *fetchRequest) add(name string, n node) {
	r.settings = append(r.settings, named(name+": ", n))
}

func (r *fetchRequest) write() {
	if r.Method != "GET" {
		r.add("method", leaf(jsString(r.Method)))
	}
	content, has := r.content()
	r.headers()
	for _, f := range r.fields {
		if lower := strings.ToLower(f.name); slices.Contains(fetchConditions, lower) && r.field("Cache-Control") == nil {
			r.add("cache", leaf(`"force-cache"`)) // the default adds Cache-Control and Pragma
			break
		}
	}
	if has {
		r.add("body", content)
	}
	r.exchangeOptions()
	arguments := []node{r.jsURL(r.call, r.suffix)}
	if len(r.settings) > 0 {
		o := jsObject(r.settings)
		o.broken = len(r.settings) > 1
		if o.broken {
			o.width = tooWide
		}
		arguments = append(arguments, o)
	}
	r.statement("const "+r.response+" = await fetch", arguments)
	r.result()
}

// statement writes a call whose last argument is an object, in the manner of
// prettier: the brackets of the call hug it.
func (p *program) statement(before string, arguments []node) {
	n := group(before, "(", arguments, ")")
	last := &arguments[len(arguments)-1]
	if last.open != "{" || n.width+p.level*len(p.indent) <= p.width || len(arguments) != 2 || arguments[0].open != "" {
		p.node("", n, ";")
		return
	}
	last.head = before + "(" + arguments[0].head + ", " + last.head
	p.node("", *last, ");")
}

func (r *fetchRequest) headers() {
	var items []node
	for _, f := range r.joined() {
		if f.derived && !f.is("Authorization") {
			continue
		}
		value := jsHeader(f.value)
		if f.derived {
			value = r.basicHeader()
		}
		items = append(items, named(jsName(f.name)+": ", value))
	}
	if len(items) > 0 {
		r.add("headers", jsObject(items))
	}
}

// basicHeader returns the value of Authorization for the credentials.
func (r *call) basicHeader() node {
	t := append(slices.Clone(r.basic.user), part{literal: ":"})
	t = append(t, r.basic.password...)
	merged := mergeLiterals(t)
	if !merged.isText() {
		f := r.field("Authorization")
		return jsText(f.value)
	}
	return leaf("`Basic ${Buffer.from(" + jsText(merged).head + ").toString(\"base64\")}`")
}

// mergeLiterals joins literals that follow each other.
func mergeLiterals(t text) text {
	var out text
	for _, p := range t {
		if n := len(out); n > 0 && p.variable == nil && out[n-1].variable == nil {
			out[n-1].literal += p.literal
			continue
		}
		if p.variable != nil || p.literal != "" {
			out = append(out, p)
		}
	}
	if len(out) == 0 {
		return literal("")
	}
	return out
}

// content returns the body.
func (r *fetchRequest) content() (node, bool) {
	switch r.body.kind {
	case rawBody:
		return r.rawContent(), true
	case multipartBody:
		return r.multipart(), true
	case fileBody:
		r.bytes = true
		if name, ok := r.body.file.plain(); ok && name == "-" {
			return leaf(r.jsFile(piece{file: r.body.file})), true
		}
		r.use(`import { openAsBlob } from "node:fs";`)
		return leaf("await openAsBlob(" + jsText(r.body.file).head + ")"), true
	case pieceBody:
		n := r.jsPieces(r.body.list)
		return r.untyped(n), true
	}
	return node{}, false
}

func (r *fetchRequest) rawContent() node {
	data, known := r.body.data.plain()
	if r.body.json != nil && known {
		for _, s := range jsStringify {
			if !s.prints(r.body.json, data) {
				continue
			}
			n := group("JSON.stringify", "(", []node{jsValue(r.body.json)}, s.arguments+")")
			n.width += len(s.arguments)
			return r.untyped(hug(n))
		}
	}
	if f := r.field("Content-Type"); f != nil && f.value.source() == "application/x-www-form-urlencoded" && encodeWHATWG.prints(r.body.form, r.body.data) {
		return leafOrHug(r.pairs(), ".toString()")
	}
	return r.untyped(jsBytes(r.body.data))
}

// hug makes the brackets of a call with one object or array hug it.
func hug(n node) node {
	if len(n.items) != 1 || n.items[0].open == "" {
		return n
	}
	inner := n.items[0]
	inner.head = n.head + n.open + inner.head
	inner.close += n.close
	inner.width = n.width
	return inner
}

func leafOrHug(n node, after string) node {
	n = hug(n)
	n.close += after
	n.width += len(after)
	return n
}

// untyped keeps fetch from giving a string a type, where curl sends none.
func (r *fetchRequest) untyped(n node) node {
	if r.field("Content-Type") != nil || r.bytes || strings.HasPrefix(n.head, "Buffer.") {
		return n
	}
	n.head, n.close = "Buffer.from("+n.head, n.close+")"
	if n.open == "" {
		return leaf(n.head + ")")
	}
	return n
}

// pairs returns URLSearchParams of an object, or of pairs where a name
// repeats.
func (r *fetchRequest) pairs() node {
	names := make([]string, len(r.body.form))
	items := make([]node, len(names))
	for i, p := range r.body.form {
		names[i] = p.name.source()
	}
	unique := jsKeeps(names)
	for i, p := range r.body.form {
		value := jsText(decoded(p.value))
		if unique {
			items[i] = named(jsName(names[i])+": ", value)
		} else {
			items[i] = group("", "[", []node{jsText(decoded(p.name)), value}, "]")
		}
	}
	if unique {
		return group("new URLSearchParams", "(", []node{jsObject(items)}, ")")
	}
	return group("new URLSearchParams", "(", []node{group("", "[", items, "]")}, ")")
}

// multipart writes the statements that make a FormData and returns its name,
// or the bytes where FormData would write other ones.
func (r *fetchRequest) multipart() node {
	for i := range r.body.part {
		if p := &r.body.part[i]; !formDataWrites(p) {
			pieces, contentType := r.multipartPieces()
			r.fields = append(r.fields, field{name: "Content-Type", value: literal(contentType)})
			return r.jsPieces(pieces)
		}
	}
	r.bytes = true
	form := "form" + r.suffix
	r.line("const " + form + " = new FormData();")
	for i := range r.body.part {
		p := &r.body.part[i]
		if !p.isFile() {
			r.node(form+".append(", jsText(p.name), ", "+jsText(p.value).head+");")
			continue
		}
		r.use(`import { openAsBlob } from "node:fs";`)
		blob := "await openAsBlob(" + jsText(p.file).head
		if p.contentType != nil {
			blob += ", { type: " + jsString(*p.contentType) + " }"
		}
		r.line(form+".append(", jsText(p.name).head, ", ", blob, "), ", jsString(*p.filename), ");")
	}
	r.line()
	return leaf(form)
}

// formDataWrites reports whether FormData writes a part as curl does: it gives
// text no type, files always a name, and line breaks in text are CRLF (WHATWG
// HTML, multipart/form-data encoding algorithm).
func formDataWrites(p *formPart) bool {
	if !p.simple() {
		return false
	}
	if p.isFile() {
		name, _ := p.file.plain()
		return p.filename != nil && name != "-" && p.contentType != nil && *p.contentType == strings.ToLower(*p.contentType)
	}
	return p.filename == nil && p.contentType == nil && p.value.isText() && len(splitLong(p.value.source())) == 1 &&
		!strings.ContainsAny(strings.ReplaceAll(p.value.source(), "\r\n", ""), "\r\n")
}

func (r *fetchRequest) exchangeOptions() {
	if !r.follow {
		r.add("redirect", leaf(`"manual"`))
	}
	if r.timeout > 0 {
		r.add("signal", leaf("AbortSignal.timeout("+milliseconds(r.timeout)+")"))
	}
	var agent []node
	if r.insecure {
		agent = append(agent, leaf("rejectUnauthorized: false"))
	}
	for _, f := range []struct {
		name string
		file text
	}{{"cert", r.cert}, {"key", r.key}, {"ca", r.caFile}} {
		if len(f.file) > 0 {
			r.use(`import { readFile } from "node:fs/promises";`)
			agent = append(agent, leaf(f.name+": await readFile("+jsText(f.file).head+")"))
		}
	}
	switch {
	case r.proxyScheme() != "":
		r.proxyAgent(agent)
	case len(agent) > 0:
		r.use(`import { Agent, fetch } from "undici"; // npm install undici`)
		r.add("dispatcher", group("new Agent(", "{", []node{named("connect: ", jsObject(agent))}, "})"))
	}
}

func (r *fetchRequest) proxyAgent(agent []node) {
	r.use(`import { fetch, ProxyAgent } from "undici"; // npm install undici`)
	options := []node{named("uri: ", jsText(r.proxyURL())), leaf("proxyTunnel: false")}
	if r.secure() {
		options = options[:1]
	}
	if len(agent) > 0 {
		options = append(options, named("requestTls: ", jsObject(agent)))
	}
	o := jsObject(options)
	r.add("dispatcher", leafOrHug(group("new ProxyAgent", "(", []node{o}, ")"), ""))
}

// milliseconds writes a number of seconds as milliseconds.
func milliseconds(f float64) string { return strconv.FormatInt(int64(f*1000+0.5), 10) }

// result writes what is done with the response.
func (r *fetchRequest) result() {
	if r.fail {
		r.line("if (!", r.response, ".ok) throw new Error(`HTTP ${", r.response, ".status}`);")
	}
	switch r.destination(r.program.options) {
	case toFile:
		r.use(`import { writeFile } from "node:fs/promises";`)
		r.line("await writeFile(", jsText(r.output).head, ", await ", r.response, ".bytes());")
	case headersPrinted:
		r.line("console.log(", r.response, ".headers);")
	case contentPrinted:
		r.line("console.log(await ", r.response, ".text());")
	}
}
