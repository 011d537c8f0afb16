package code

import (
	"strings"

	"uncoil/internal/ascii"
)

// What axios 1 does by itself in Node, measured on the wire: it adds Accept,
// User-Agent, Accept-Encoding and Connection, and to content without a type
// that of a form; joins no fields; writes methods in capitals; follows
// redirects and throws for status 300 and more unless told not to; turns text
// that it takes for JSON into an object.
var nodeAxios = Target{
	Name: "node-axios", Language: "javascript", Client: "axios", Version: "1.7", Kind: Code, Extension: "mjs",
	Aliases: []string{"axios", "javascript-axios"}, Proven: true, style: javascriptStyle, write: writeAxios,
	client: client{
		adds:    []string{"Accept", "User-Agent", "Accept-Encoding", "Connection"},
		methods: capitals,
		dots:    true,
		says:    []string{"followRedirects", "maxRedirects", "maxTime", "insecure", "cacert", "cert", "unixSocket"},
		proxies: []string{"http", "https"},
	},
}

func writeAxios(p *program) {
	sections := p.sections(0, func(c *call, suffix string) {
		r := axiosRequest{program: p, call: c, suffix: suffix, response: "response" + suffix}
		r.write()
	})
	if !p.options.Bare {
		p.use(`import axios from "axios";`)
		p.jsImports()
	}
	p.join(sections)
}

// An axiosRequest writes one call with axios.
type axiosRequest struct {
	*program
	*call
	suffix   string
	response string
	settings []node
	typed    bool // the content brings its type
}

func (r *axiosRequest) add(name string, n node) {
	r.settings = append(r.settings, named(name+": ", n))
}

func (r *axiosRequest) write() {
	r.add("url", r.jsURL(r.call, r.suffix))
	if r.Method != "GET" {
		r.add("method", leaf(jsString(r.Method)))
	}
	content, has := r.content()
	r.headers(has)
	if r.basic != nil && r.basicSetting() {
		r.add("auth", jsObject([]node{named("username: ", jsText(r.basic.user)), named("password: ", jsText(r.basic.password))}))
	}
	if has {
		r.add("data", content)
	}
	r.exchangeSettings()
	o := jsObject(r.settings)
	o.broken, o.width = true, tooWide
	o.head = "const " + r.response + " = await axios(" + o.head
	r.node("", o, ");")
	r.result()
}

// basicSetting reports whether the setting auth sends the credentials as curl
// does: axios encodes them as UTF-8, and cuts the name at a colon as well.
func (r *axiosRequest) basicSetting() bool {
	return r.basic.user.isText() && r.basic.password.isText()
}

func (r *axiosRequest) headers(content bool) {
	var items []node
	for _, f := range r.joined() {
		if f.derived && (!f.is("Authorization") || r.basicSetting()) {
			continue
		}
		items = append(items, named(jsName(f.name)+": ", jsHeader(f.value)))
	}
	for _, name := range r.removed {
		if ascii.EqualFold(name, "Accept") || ascii.EqualFold(name, "User-Agent") {
			items = append(items, leaf(jsName(name)+": false"))
		}
	}
	if content && !r.typed && r.field("Content-Type") == nil {
		items = append(items, leaf(`"Content-Type": false`))
	}
	if len(items) > 0 {
		r.add("headers", jsObject(items))
	}
}

func (r *axiosRequest) content() (node, bool) {
	switch r.body.kind {
	case rawBody:
		return r.rawContent(), true
	case multipartBody:
		return r.multipart(), true
	case fileBody:
		if r.body.file.source() == "-" {
			return leaf(r.jsFile(piece{file: r.body.file})), true
		}
		r.use(`import { readFile } from "node:fs/promises";`)
		return leaf("await readFile(" + jsText(r.body.file).head + ")"), true
	case pieceBody:
		return r.buffer(r.jsPieces(r.body.list)), true
	}
	return node{}, false
}

// buffer makes bytes of a text: axios reads some texts as JSON, and writes
// them anew.
func (r *axiosRequest) buffer(n node) node {
	if strings.HasPrefix(n.head, "Buffer.") || strings.HasPrefix(n.head, "await") {
		return n
	}
	if n.open == "" {
		return leaf("Buffer.from(" + n.head + ")")
	}
	n.head, n.close = "Buffer.from("+n.head, n.close+")"
	return n
}

func (r *axiosRequest) rawContent() node {
	data, known := r.body.data.plain()
	f := r.field("Content-Type")
	if r.body.json != nil && known {
		for i, s := range jsStringify {
			if !s.prints(r.body.json, data) {
				continue
			}
			if i == 0 && f != nil && strings.HasPrefix(f.value.source(), "application/json") {
				return jsValue(r.body.json)
			}
			n := group("JSON.stringify", "(", []node{jsValue(r.body.json)}, s.arguments+")")
			return r.buffer(hug(n))
		}
	}
	if r.isForm(&encodeWHATWG) {
		pairs := fetchRequest{program: r.program, call: r.call}
		return hug(pairs.pairs())
	}
	return r.buffer(jsBytes(r.body.data))
}

// multipart writes the statements that make a FormData, as for fetch.
func (r *axiosRequest) multipart() node {
	form := fetchRequest{program: r.program, call: r.call, response: r.response}
	n := form.multipart()
	r.typed = form.bytes
	if r.typed {
		return n
	}
	return r.buffer(n)
}

func (r *axiosRequest) exchangeSettings() {
	switch {
	case !r.follow:
		r.add("maxRedirects", leaf("0"))
	case r.maxRedirects >= 0 && r.maxRedirects != curlRedirects:
		r.add("maxRedirects", leaf(itoa(int(r.maxRedirects))))
	}
	if !r.fail {
		r.add("validateStatus", leaf("null")) // curl does not fail either
	} else {
		r.add("validateStatus", leaf("(status) => status < 400"))
	}
	if r.timeout > 0 {
		r.add("signal", leaf("AbortSignal.timeout("+milliseconds(r.timeout)+")"))
	}
	if r.destination(r.program.options) == toFile {
		r.add("responseType", leaf(`"arraybuffer"`))
	}
	r.agent()
	if len(r.unixSocket) > 0 {
		r.add("socketPath", jsText(r.unixSocket))
	}
}

// agent adds what TLS and proxies need.
func (r *axiosRequest) agent() {
	var tls []node
	if r.insecure {
		tls = append(tls, leaf("rejectUnauthorized: false"))
	}
	for _, f := range []struct {
		name string
		file text
	}{{"cert", r.cert}, {"key", r.key}, {"ca", r.caFile}} {
		if len(f.file) > 0 {
			r.use(`import { readFile } from "node:fs/promises";`)
			tls = append(tls, leaf(f.name+": await readFile("+jsText(f.file).head+")"))
		}
	}
	if r.proxyScheme() != "" {
		proxy := r.proxyURL()
		if r.secure() {
			r.use(`import { HttpsProxyAgent } from "https-proxy-agent"; // npm install https-proxy-agent`)
			r.add("httpsAgent", group("new HttpsProxyAgent", "(", append([]node{jsText(proxy)}, optional(tls)...), ")"))
			r.add("proxy", leaf("false"))
			return
		}
		r.proxySetting(proxy)
	}
	if len(tls) > 0 && r.secure() {
		r.use(`import { Agent } from "node:https";`)
		r.add("httpsAgent", hug(group("new Agent", "(", []node{jsObject(tls)}, ")")))
	}
}

func optional(items []node) []node {
	if len(items) == 0 {
		return nil
	}
	return []node{jsObject(items)}
}

// proxySetting adds the setting proxy, from the parts of its URL.
func (r *axiosRequest) proxySetting(proxy text) {
	source := proxy.source()
	scheme, rest, _ := strings.Cut(source, "://")
	user, host, found := "", rest, false
	if i := strings.LastIndexByte(rest, '@'); i >= 0 {
		user, host, found = rest[:i], rest[i+1:], true
	}
	host = strings.TrimSuffix(host, "/")
	host, port, _ := strings.Cut(host, ":")
	if _, plain := proxy.plain(); !plain || strings.Contains(port, ":") {
		r.refuse("takes no proxy from a variable")
		return
	}
	items := []node{leaf("protocol: " + jsString(scheme)), leaf("host: " + jsString(host)), leaf("port: " + port)}
	if found {
		name, password, _ := strings.Cut(user, ":")
		items = append(items, named("auth: ", jsObject([]node{leaf("username: decodeURIComponent(" + jsString(name) + ")"), leaf("password: decodeURIComponent(" + jsString(password) + ")")})))
	}
	r.add("proxy", jsObject(items))
}

// result writes what is done with the response.
func (r *axiosRequest) result() {
	switch r.destination(r.program.options) {
	case toFile:
		r.use(`import { writeFile } from "node:fs/promises";`)
		r.line("await writeFile(", jsText(r.output).head, ", ", r.response, ".data);")
	case headersPrinted:
		r.line("console.log(", r.response, ".headers);")
	case contentPrinted:
		r.line("console.log(", r.response, ".data);")
	}
}
