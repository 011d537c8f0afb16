package code

import (
	"slices"
	"strings"

	"uncoil/internal/engine/ascii"
)

// What k6 1.0 does by itself, measured on the wire: it adds User-Agent; sends a
// name once, with capitals; opens files before the test begins, from the folder
// of the script; ends after a minute, and follows redirects, unless told not to.
var k6 = Target{
	Name: "k6", Language: "javascript", Client: "k6", Version: "1.0", Kind: Code, Extension: "js",
	Aliases: []string{"javascript-k6", "grafana-k6"}, Proven: true, style: javascriptStyle, write: writeK6,
	client: client{
		http2:     true,
		modernTLS: true,
		percents:  goPercents,
		recodes:   true,
		environs:  true,
		adds:      fieldNames{"User-Agent"},
		always:    fieldNames{"Host"},
		digest:    true,
		session:   true,
		after:     []string{"cookies", "referer"},
		fixed:     fieldNames{"Content-Length"},
		hosts:     goHost,
		counts:    enclosing,
		printable: true,
		unicode:   true,
		says:      []string{"followRedirects", "maxRedirects", "maxTime", "insecure", "cert", "resolve", "connectTo"},
		drops:     fieldNames{"Cookie"},
	},
}

// A k6Test is the parts of a script beside the calls. All but the files are
// settings that k6 has for all requests of a test at once.
type k6Test struct {
	insecure bool
	cert     []node            // the object with the client certificate, or nothing
	hosts    []node            // members: where names lead to
	led      map[string]string // by name and port, also those that lead nowhere else
	opened   []string          // statements that open files
}

// k6Concat is a function of the script: k6 has none that joins buffers.
const k6Concat = `
// concat returns the bytes of texts and files as one ArrayBuffer.
function concat(parts) {
  const bytes = parts.map((part) =>
    typeof part === "string"
      ? Uint8Array.from([...unescape(encodeURIComponent(part))], (c) => c.charCodeAt(0))
      : new Uint8Array(part),
  );
  const joined = new Uint8Array(bytes.reduce((length, b) => length + b.length, 0));
  let end = 0;
  for (const b of bytes) {
    joined.set(b, end);
    end += b.length;
  }
  return joined.buffer;
}
`

func writeK6(p *program) {
	var t k6Test
	level := 1
	if p.options.Bare {
		level = 0
	}
	sections := p.sections(level, func(c *call, suffix string) {
		r := &jsRequest{p: p, c: c, suffix: suffix}
		r.k6Call(&t)
	})
	if p.options.Bare {
		p.join(sections)
		return
	}
	p.use(`import http from "k6/http";`)
	p.jsImports()
	if options := t.options(); len(options) > 0 {
		p.node("export const options = ", braced(options), ";")
		p.line()
	}
	for _, s := range t.opened {
		p.line(s)
	}
	if len(t.opened) > 0 {
		p.line()
	}
	p.line("export default function () {")
	p.join(sections)
	p.line("}")
	for _, h := range p.helpers {
		p.dst = append(p.dst, h...)
	}
}

func (r *jsRequest) k6Call(t *k6Test) {
	if r.c.field("Transfer-Encoding") != nil && !r.c.empty() {
		r.p.refuse("sets the field Transfer-Encoding itself")
	}
	if r.c.empties("User-Agent") {
		r.p.refuse("leaves out an empty User-Agent")
	}
	body := r.k6Content(t)
	items := r.headerMembers(false, func(f *field) bool { return f.derived })
	if f := r.c.field("Authorization"); f != nil && f.derived {
		items = append(items, named("Authorization", ": ", r.k6Basic()))
	}
	r.object("headers", append(items, r.removedMembers(`""`, "User-Agent")...))
	switch {
	case !r.c.follow:
		r.add("redirects", leaf("0"))
	default:
		r.add("redirects", leaf(itoa(int(r.c.redirectLimit()))))
	}
	if r.suffix != "" && !r.c.keepsCookies() {
		r.add("jar", leaf("new http.CookieJar()")) // else the requests of a test share one
	}
	if r.c.timeout > 0 {
		r.add("timeout", leaf(jsString(seconds(r.c.timeout)+"s")))
	}
	url := r.url()
	if r.c.digest != nil {
		r.p.refuse("sends the password as Basic before it is asked for Digest")
	}
	r.k6Options(t)
	r.k6Send(url, body)
}

func (r *jsRequest) k6Send(url, body node) {
	response := r.response()
	arguments := []node{leaf(jsString(r.c.Method)), url}
	switch {
	case r.c.body.kind != noBody:
		arguments = append(arguments, body)
	case len(r.settings) > 0:
		arguments = append(arguments, leaf("null"))
	}
	function := "http.request"
	if helper, ok := k6Helpers[r.c.Method]; ok && (r.c.Method != "GET" && r.c.Method != "HEAD" || r.c.body.kind == noBody) {
		function, arguments = "http."+helper, arguments[1:]
		if r.c.Method == "GET" || r.c.Method == "HEAD" {
			arguments = arguments[:1]
		}
	}
	if len(r.settings) > 0 {
		o := braced(r.settings)
		o.broken = len(r.settings) > 1
		if o.broken {
			o.width = tooWide
		}
		arguments = append(arguments, o)
	}
	before := "const " + response + " = " + function
	r.p.statement(before, arguments)
	if r.c.fail {
		r.p.use(`import exec from "k6/execution";`)
		r.p.line("if (", response, ".status >= 400) exec.test.abort(`HTTP ${", response, ".status}`);")
	}
	switch r.c.destination(r.p.options) {
	case toFile:
		r.p.loss("-o", "writes no files")
		r.p.line("console.log(", response, ".body);")
	case headersPrinted:
		r.p.line("console.log(JSON.stringify(", response, ".headers, null, 2));")
	case contentPrinted:
		r.p.line("console.log(", response, ".body);")
	}
}

// k6Helpers are the functions for methods.
var k6Helpers = map[string]string{"GET": "get", "HEAD": "head", "POST": "post", "PUT": "put", "PATCH": "patch", "DELETE": "del", "OPTIONS": "options"}

// k6Basic returns the value of Authorization for the credentials.
func (r *jsRequest) k6Basic() node {
	both := r.c.basic.joined()
	if !both.isText() {
		return r.p.jsText(r.c.field("Authorization").value)
	}
	r.p.use(`import encoding from "k6/encoding";`)
	return leaf("`Basic ${encoding.b64encode(" + r.p.jsText(both).line() + ")}`")
}

// k6Content returns the body: a string, or an ArrayBuffer.
func (r *jsRequest) k6Content(t *k6Test) node {
	switch r.c.body.kind {
	case rawBody:
		if n, _, ok := r.stringify(); ok {
			return n
		}
		return r.k6Bytes(r.c.body.data)
	case multipartBody:
		if n, ok := r.k6Form(t); ok {
			return n
		}
		return r.k6Pieces(t, r.c.rawForm())
	case fileBody:
		return leaf(r.k6Open(t, r.c.body.file, `, "b"`))
	case pieceBody:
		return r.k6Pieces(t, r.c.body.list)
	}
	return node{}
}

// k6Bytes returns an expression for bytes.
func (r *jsRequest) k6Bytes(t text) node {
	if t.isText() {
		return r.p.jsText(t)
	}
	s, ok := t.plain()
	if !ok {
		r.p.refuse("joins no bytes and variables")
	}
	return leaf("Uint8Array.from([..." + jsQuote(latin1(s), '"') + "], (c) => c.charCodeAt(0)).buffer")
}

// k6Open opens a file for the test, and returns its variable.
func (r *jsRequest) k6Open(t *k6Test, name text, mode string) string {
	if s, ok := name.plain(); ok && s == "-" {
		r.p.refuse("reads no standard input")
	}
	variable := "file"
	if n := len(t.opened); n > 0 {
		variable += itoa(n + 1)
	}
	t.opened = append(t.opened, "const "+variable+" = open("+r.p.jsText(name).line()+mode+");")
	return variable
}

// k6Pieces returns texts and files, joined. A file that is changed is read as
// text.
func (r *jsRequest) k6Pieces(t *k6Test, pieces []piece) node {
	items := make([]node, len(pieces))
	bytes := false
	for i, one := range pieces {
		switch {
		case one.isText:
			if !one.text.isText() {
				r.p.refuse("joins no bytes and files")
			}
			items[i] = r.p.jsText(one.text)
			continue
		case !one.strip && !one.urlencode && len(one.name) == 0:
			bytes = true
			items[i] = leaf(r.k6Open(t, one.file, `, "b"`))
			if one.offset > 0 {
				items[i].head += ".slice(" + itoa(int(one.offset)) + ")"
			}
			continue
		}
		if one.offset > 0 {
			r.p.refuse("begins no text in the middle")
		}
		var read string
		switch {
		case one.urlencode:
			read = "Array.from(new Uint8Array(" + r.k6Open(t, one.file, `, "b"`) + "), (b) => String.fromCharCode(b)).join(\"\")" +
				`.replace(/[^\w.~-]/g, (c) => (c === " " ? "+" : "%" + c.charCodeAt().toString(16).toUpperCase().padStart(2, "0")))`
		case one.strip:
			read = r.k6Open(t, one.file, "") + `.replace(/[\r\n\0]/g, "")`
		default:
			read = r.k6Open(t, one.file, "")
		}
		if len(one.name) > 0 {
			read = jsString(one.name.source()+"=") + " + " + read
		}
		items[i] = leaf(read)
	}
	switch {
	case len(items) == 1:
		return items[0]
	case bytes:
		r.p.help(k6Concat)
		return group("concat(", "[", items, "])")
	}
	return group("", "[", items, `].join("")`)
}

// k6Form returns an object for a form of one file, whose parts k6 writes as
// curl does; the order of several is not kept.
func (r *jsRequest) k6Form(t *k6Test) (node, bool) {
	if len(r.c.body.part) != 1 {
		return node{}, false
	}
	p := &r.c.body.part[0]
	if !p.simple() || hasVariable(p.name) || !p.isFile() || p.filename == nil || p.contentType == nil || !ascii.Only(p.Name) || !ascii.Only(*p.filename) {
		return node{}, false
	}
	file := r.k6Open(t, p.file, `, "b"`)
	n := leaf(jsName(p.Name) + ": http.file(" + file + ", " + jsString(*p.filename) + ", " + jsString(*p.contentType) + ")")
	return braced([]node{n}), true
}

// k6Options adds what all requests of a test share.
func (r *jsRequest) k6Options(t *k6Test) {
	if r.c.insecure {
		t.insecure = true
		if slices.ContainsFunc(r.p.calls, func(c *call) bool { return c.encrypts && !c.insecure }) {
			r.p.differs("checks the certificates of no request then")
		}
	}
	if len(r.c.cert) > 0 {
		pair := braced([]node{leaf("cert: open(" + r.p.jsText(r.c.cert).line() + ")"), leaf("key: open(" + r.p.jsText(r.c.certKey()).line() + ")")})
		if len(t.cert) > 0 && t.cert[0].line() != pair.line() {
			r.p.refuse("has one client certificate for all requests")
		}
		t.cert = []node{pair}
	}
	r.lead(t)
}

// lead adds where the host of the URL leads to, which is the same for all
// requests.
func (r *jsRequest) lead(t *k6Test) {
	a, ok := r.c.address()
	if !ok {
		return
	}
	name, address := a.host.source()+":"+a.portOr(), ""
	if host, port := r.c.connection(); host != "" {
		if strings.Trim(host, "0123456789.abcdef:") != "" {
			r.p.loss("--connect-to", "leads a name to an address only")
			return
		}
		address = joinHostPort(host, port)
	}
	key := strings.ToLower(name) // k6 does not tell capitals apart
	before, known := t.led[key]
	switch {
	case known && before != address:
		r.p.refuse("leads a name to one address for all requests")
	case known:
	default:
		if t.led == nil {
			t.led = map[string]string{}
		}
		t.led[key] = address
		if address != "" {
			t.hosts = append(t.hosts, leaf(jsString(name)+": "+jsString(address)))
		}
	}
}

// options returns the members of the object options.
func (t *k6Test) options() (members []node) {
	if t.insecure {
		members = append(members, leaf("insecureSkipTLSVerify: true"))
	}
	if len(t.cert) > 0 {
		members = append(members, named("tlsAuth", ": ", group("", "[", t.cert, "]")))
	}
	if len(t.hosts) > 0 {
		members = append(members, named("hosts", ": ", braced(t.hosts)))
	}
	return members
}
