package code

import (
	"slices"
	"strings"

	"uncoil/internal/ascii"
)

// What requests 2.28 with urllib3 1.26 does by itself, measured on the wire:
// it adds User-Agent, Accept-Encoding, Accept and Connection; sends a name
// once; writes methods in capitals; takes dot segments out of paths and
// decodes %7E and the like, but not in a prepared request; follows redirects
// unless told not to; encodes str as Latin-1.
var pythonRequests = Target{
	Name: "python-requests", Language: "python", Client: "requests", Version: "2.28", Kind: Code, Extension: "py",
	Aliases: []string{"python", "requests", "py"}, style: pythonStyle, write: writePythonRequests,
	client: client{
		adds:    []string{"User-Agent", "Accept-Encoding", "Accept", "Connection"},
		digest:  true,
		says:    []string{"followRedirects", "maxRedirects", "maxTime", "connectTimeout", "retry", "insecure", "cacert", "cert", "cookieFiles", "cookieJar"},
		proxies: []string{"http", "https", "socks4", "socks4a", "socks5", "socks5h"},
	},
}

func writePythonRequests(p *program) {
	sections := p.sections(0, func(c *call, _ string) {
		r := pythonRequest{program: p, call: c}
		r.write()
	})
	if !p.options.Bare {
		p.pythonImports("requests")
	}
	p.join(sections)
}

// pythonImports writes the imports as PEP 8 orders them: the standard library,
// an empty line, the client.
func (p *program) pythonImports(client ...string) {
	var modules, froms []string
	for _, line := range p.imports {
		if strings.HasPrefix(line, "import ") {
			modules = append(modules, line)
		} else {
			froms = append(froms, line)
		}
	}
	third := func(line string) bool {
		return slices.ContainsFunc(client, func(c string) bool { return strings.HasPrefix(line, "from "+c) }) || strings.HasPrefix(line, "from urllib3")
	}
	standard := append(modules, froms...)
	standard = slices.DeleteFunc(standard, third)
	for _, line := range standard {
		p.line(line)
	}
	if len(standard) > 0 && len(client) > 0 {
		p.line()
	}
	for _, c := range client {
		p.line("import " + c)
	}
	for _, line := range froms {
		if third(line) {
			p.line(line)
		}
	}
	p.line()
}

// A pythonRequest writes one call with requests.
type pythonRequest struct {
	*program
	*call
	arguments []node
	session   []string // statements for a session, where one is needed
	files     []string // expressions that open files, with their names
}

var requestsHelpers = []string{"GET", "OPTIONS", "HEAD", "POST", "PUT", "PATCH", "DELETE"}

func (r *pythonRequest) add(name string, n node) {
	r.arguments = append(r.arguments, named(name+"=", n))
}

func (r *pythonRequest) write() {
	content := r.content() // before the fields, because a helper implies some
	r.fieldsArgument()
	r.cookieFile()
	if r.basic != nil && r.basicArgument() {
		r.add("auth", group("", "(", []node{r.credential(r.basic.user), r.credential(r.basic.password)}, ")"))
	}
	if r.digest != nil {
		r.use("from requests.auth import HTTPDigestAuth")
		r.add("auth", group("HTTPDigestAuth", "(", []node{r.credential(r.digest.user), r.credential(r.digest.password)}, ")"))
	}
	r.arguments = append(r.arguments, content...)
	r.exchangeArguments()
	r.send()
}

// prepared reports whether the request must be prepared first, because
// requests would change its method or its URL.
func (r *pythonRequest) prepared() bool {
	url := r.url.source()
	return r.Method != strings.ToUpper(r.Method) || strings.Contains(url, "/./") || strings.Contains(url, "/../") ||
		strings.HasSuffix(url, "/..") || strings.HasSuffix(url, "/.") || decodesUnreserved(url)
}

// decodesUnreserved reports a percent-encoding of a letter, a digit, or one of
// - . _ ~, which some clients decode.
func decodesUnreserved(url string) bool {
	for i := 0; i+2 < len(url); i++ {
		if url[i] != '%' || !ascii.IsHex(url[i+1]) || !ascii.IsHex(url[i+2]) {
			continue
		}
		c := byte(ascii.Hex(url[i+1])<<4 | ascii.Hex(url[i+2]))
		if ascii.IsLetter(c) || ascii.IsDigit(c) || contains("-._~", c) || url[i+1] >= 'a' || url[i+2] >= 'a' {
			return true
		}
	}
	return false
}

func (r *pythonRequest) send() {
	target := "requests"
	indent := 0
	for _, open := range r.files {
		r.line("with " + open + ":")
		r.level++
		indent++
	}
	if len(r.session) > 0 || r.prepared() {
		r.line("with requests.Session() as session:")
		r.level++
		indent++
		for _, s := range r.session {
			r.line(s)
		}
		target = "session"
	}
	url := r.pythonURL(r.call)
	switch {
	case r.prepared():
		r.sendPrepared(url)
	case slices.Contains(requestsHelpers, r.Method):
		r.node("response = ", group(target+"."+strings.ToLower(r.Method), "(", append([]node{url}, r.arguments...), ")"), "")
	default:
		r.node("response = ", group(target+".request", "(", append([]node{leaf(pythonString(r.Method)), url}, r.arguments...), ")"), "")
	}
	if len(r.session) > 0 && len(r.cookieJar) > 0 {
		file := ""
		if len(r.cookieFiles) > 0 {
			file = r.pythonText(r.cookieJar).head + ", "
		}
		r.line("session.cookies.save(", file, "ignore_discard=True)")
	}
	r.level -= indent
	r.result()
}

// sendOnly are the arguments that belong to sending, and not to the request.
var sendOnly = []string{"allow_redirects=", "timeout=", "verify=", "cert=", "proxies="}

func (r *pythonRequest) sendPrepared(url node) {
	build := []node{leaf(pythonString(r.Method)), url}
	send := []node{leaf("request")}
	for _, a := range r.arguments {
		if slices.ContainsFunc(sendOnly, func(s string) bool { return strings.HasPrefix(a.head, s) }) {
			send = append(send, a)
		} else {
			build = append(build, a)
		}
	}
	r.node("request = session.prepare_request(", group("requests.Request", "(", build, ")"), ")")
	if r.Method != strings.ToUpper(r.Method) {
		r.line("request.method = " + pythonString(r.Method) + "  # as typed: requests writes capitals")
	}
	r.node("request.url = ", url, "  # as typed: requests rewrites it")
	r.line("settings = session.merge_environment_settings(request.url, {}, None, None, None)")
	r.node("response = ", group("session.send", "(", append(send, leaf("**settings")), ")"), "")
}

// result writes what is done with the response.
func (r *pythonRequest) result() {
	if r.fail {
		r.line("response.raise_for_status()")
	}
	switch r.destination(r.options) {
	case toFile:
		r.use("from pathlib import Path")
		r.node("Path(", r.pythonText(r.output), ").write_bytes(response.content)")
	case headersPrinted:
		r.line("print(response.headers)")
	case contentPrinted:
		r.line("print(response.text)")
	}
}

// fieldsArgument adds the argument headers.
func (r *pythonRequest) fieldsArgument() {
	var items []node
	for _, f := range r.joined() {
		if f.derived && (!f.is("Authorization") || r.basicArgument()) {
			continue
		}
		if f.is("Cookie") && len(r.cookieFiles) > 0 {
			continue // see cookieArgument
		}
		value := r.pythonText(f.value)
		if !f.value.isASCII() {
			value = r.pythonData(f.value) // requests encodes str as Latin-1
		}
		items = append(items, named(pythonString(f.name)+": ", value))
	}
	for _, name := range r.removed {
		switch {
		case ascii.EqualFold(name, "User-Agent"), ascii.EqualFold(name, "Accept-Encoding"), ascii.EqualFold(name, "Host"):
			r.use("from urllib3.util import SKIP_HEADER")
			items = append(items, leaf(pythonString(name)+": SKIP_HEADER"))
		case ascii.EqualFold(name, "Accept"), ascii.EqualFold(name, "Connection"):
			items = append(items, leaf(pythonString(name)+": None"))
		}
	}
	if len(items) > 0 {
		r.add("headers", group("", "{", items, "}"))
	}
	r.cookieArgument()
}

// cookieArgument adds the argument cookies where there are cookies of a file
// too: requests would leave them out for a field Cookie.
func (r *pythonRequest) cookieArgument() {
	f := r.field("Cookie")
	if f == nil || len(r.cookieFiles) == 0 {
		return
	}
	pairs, ok := f.cookies()
	if !ok {
		r.refuse("cannot join these cookies to those of a file")
		return
	}
	items := make([]node, len(pairs))
	for i, p := range pairs {
		items[i] = named(r.pythonText(p.name).head+": ", r.pythonText(p.value))
	}
	r.add("cookies", group("", "{", items, "}"))
}

// basicArgument reports whether the client encodes the credentials as curl
// does: it takes bytes where they are not ASCII.
func (r *pythonRequest) basicArgument() bool {
	return r.basic.user.isText() && r.basic.password.isText()
}

// credential returns a user name or a password; requests encodes str as
// Latin-1.
func (r *pythonRequest) credential(t text) node {
	if t.isASCII() {
		return r.pythonText(t)
	}
	return r.pythonData(t)
}

// content returns the arguments that make the body.
func (r *pythonRequest) content() []node {
	switch r.body.kind {
	case rawBody:
		return []node{r.rawContent()}
	case multipartBody:
		return []node{r.multipart()}
	case fileBody:
		return []node{leaf("data=" + r.open(r.body.file))}
	case pieceBody:
		return []node{named("data=", r.pythonPieces(r.body.list))}
	}
	return nil
}

// rawContent returns the argument data or json for a body whose bytes are
// known.
func (r *pythonRequest) rawContent() node {
	data, known := r.body.data.plain()
	if r.body.json != nil && known {
		for _, d := range pythonDumps {
			if !d.prints(r.body.json, data) {
				continue
			}
			if d.arguments == "" && r.hasType("application/json") {
				r.field("Content-Type").derived = true
				return named("json=", pythonValue(r.body.json))
			}
			r.use("import json")
			dumps := group("json.dumps", "(", []node{pythonValue(r.body.json), leaf(strings.TrimPrefix(d.arguments, ", "))}, ")")
			if d.arguments == "" {
				dumps.items = dumps.items[:1]
			}
			if !d.asciiOnly && !isASCII(data) {
				dumps.close = ").encode()"
			}
			return named("data=", dumps)
		}
	}
	if r.isForm(&encodeQuotePlus) {
		r.field("Content-Type").derived = true
		return named("data=", r.pairs(r.body.form))
	}
	return named("data=", r.pythonData(r.body.data))
}

// pairs returns a dict, or a list of tuples where a name repeats.
func (r *pythonRequest) pairs(pairs []pair) node {
	names := make([]string, len(pairs))
	for i := range pairs {
		names[i] = pairs[i].name.source()
	}
	unique := distinct(names)
	items := make([]node, len(pairs))
	for i, p := range pairs {
		name, value := r.pythonText(decoded(p.name)), r.pythonText(decoded(p.value))
		if unique {
			items[i] = named(name.head+": ", value)
		} else {
			items[i] = group("", "(", []node{name, value}, ")")
		}
	}
	if unique {
		return group("", "{", items, "}")
	}
	return group("", "[", items, "]")
}

// decoded returns a text whose variables the helper encodes.
func decoded(t text) text {
	out := slices.Clone(t)
	for i := range out {
		if out[i].variable != nil {
			v := *out[i].variable
			v.Encoding = 0
			out[i].variable = &v
		}
	}
	return out
}

// multipart returns the argument files, a list of tuples: a name, and a tuple
// of a file name or None, the content, and a type.
func (r *pythonRequest) multipart() node {
	for i := range r.body.part {
		if p := &r.body.part[i]; !p.simple() || !isASCII(p.Name) || p.filename != nil && !isASCII(*p.filename) {
			return named("data=", r.rawMultipart())
		}
	}
	items := make([]node, len(r.body.part))
	for i := range r.body.part {
		p := &r.body.part[i]
		filename := leaf("None")
		if p.filename != nil {
			filename = leaf(pythonString(*p.filename))
		}
		content := r.pythonData(p.value)
		if p.isFile() {
			content = leaf(r.open(p.file))
		}
		tuple := []node{filename, content}
		if p.contentType != nil {
			tuple = append(tuple, leaf(pythonString(*p.contentType)))
		}
		items[i] = group("", "(", []node{r.pythonText(p.name), group("", "(", tuple, ")")}, ")")
	}
	return named("files=", group("", "[", items, "]"))
}

// rawMultipart returns the bytes of a form, put together here because requests
// would write its names otherwise.
func (r *pythonRequest) rawMultipart() node {
	pieces, contentType := r.multipartPieces()
	r.fields = append(r.fields, field{name: "Content-Type", value: literal(contentType)})
	return r.pythonPieces(pieces)
}

// open opens a file for the time of the request and returns its variable; for
// standard input, its stream.
func (r *pythonRequest) open(name text) string {
	if s, ok := name.plain(); ok && s == "-" {
		r.use("import sys")
		return "sys.stdin.buffer"
	}
	variable := "file"
	if n := len(r.files); n > 0 {
		variable += itoa(n + 1)
	}
	r.files = append(r.files, "open("+r.pythonText(name).head+`, "rb") as `+variable)
	return variable
}

// pythonPieces returns the bytes of texts and files, joined.
func (p *program) pythonPieces(pieces []piece) node {
	items := make([]node, 0, len(pieces))
	for _, one := range pieces {
		if !one.isText {
			items = append(items, leaf(p.pythonFile(one)))
			continue
		}
		if s, ok := one.text.plain(); ok {
			items = append(items, pythonLong(s, pythonBytes))
		} else {
			items = append(items, p.pythonData(one.text))
		}
	}
	if len(items) == 1 {
		return items[0]
	}
	return group("b\"\".join(", "[", items, "])")
}

// pythonFile returns the content of a file, changed as curl changes it.
func (p *program) pythonFile(one piece) string {
	var read string
	if name, ok := one.file.plain(); ok && name == "-" {
		p.use("import sys")
		read = "sys.stdin.buffer.read()"
	} else {
		p.use("from pathlib import Path")
		read = "Path(" + p.pythonText(one.file).head + ").read_bytes()"
	}
	if one.offset > 0 {
		read += "[" + itoa(int(one.offset)) + ":]"
	}
	if one.strip {
		read += `.translate(None, b"\r\n\0")`
	}
	if one.urlencode {
		p.use("from urllib.parse import quote_plus")
		read = "quote_plus(" + read + ").encode()"
	}
	if len(one.name) > 0 {
		read = pythonBytes(one.name.source()+"=") + " + " + read
	}
	return read
}
