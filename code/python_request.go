package code

import (
	"slices"
	"strconv"
	"strings"

	"uncoil/internal/engine/ascii"
)

// A pythonRequest writes one call with a client of Python.
type pythonRequest struct {
	p         *program
	c         *call
	takes     pythonContent
	arguments []node
	session   []string // statements for a session, where one is needed
	opened    []string // expressions that open files, with their names
}

// A pythonContent says how a client takes content: the names of its arguments.
type pythonContent struct {
	data    string // bytes
	json    string // a value, which goes out as json.dumps prints it; "" for none
	form    string // pairs, which go out as urlencode prints them; "" for none
	dict    bool   // form takes a dict only
	bytes   bool   // data takes no str
	streams bool   // data takes an open file, and sends its length
	files   bool   // the argument files, as requests has it
	guesses bool   // gives every file of a form a type
	joins   bool   // sends a name once
	utf8    bool   // writes str in fields as UTF-8, and takes no bytes
}

// writePython writes a module: the imports, the client's apart, and each call.
func (p *program) writePython(level int, takes pythonContent, write func(r *pythonRequest)) [][]byte {
	return p.sections(level, func(c *call, _ string) {
		write(&pythonRequest{p: p, c: c, takes: takes, arguments: p.list(usualArguments)})
	})
}

// usualArguments is how many arguments a call seldom has more than.
const usualArguments = 6

// withFirst returns the arguments after others.
func (r *pythonRequest) withFirst(first ...node) []node {
	return append(append(r.p.list(len(first)+len(r.arguments)), first...), r.arguments...)
}

// pythonFunctions writes the functions that the program needs, with two empty lines
// around each as PEP 8 has it.
func (p *program) pythonFunctions() {
	for _, function := range p.helpers {
		p.line()
		p.dst = append(p.dst, function...)
		p.line()
		p.line()
	}
}

// pythonImports writes the imports as PEP 8 orders them: the standard library,
// an empty line, the client.
func (p *program) pythonImports(client ...string) {
	isClients := func(line string) bool {
		module, found := strings.CutPrefix(line, "from ")
		isPrefix := func(c string) bool { return strings.HasPrefix(module, c) }
		return found && (slices.ContainsFunc(client, isPrefix) || isPrefix("urllib3") || isPrefix("yarl"))
	}
	standard := false
	write := func(keyword string, clients bool) {
		last := ""
		for _, line := range p.imports {
			if !strings.HasPrefix(line, keyword) || isClients(line) != clients {
				continue
			}
			module, names, named := strings.Cut(line, " import ")
			if named && module == last {
				p.dst = append(append(p.dst[:len(p.dst)-1], ", "...), names+"\n"...)
			} else {
				p.line(line)
			}
			last, standard = module, true
		}
	}
	write("import ", false)
	write("from ", false)
	if standard && len(client) > 0 {
		p.line()
	}
	socks := slices.ContainsFunc(p.calls, func(c *call) bool { return strings.HasPrefix(c.proxyScheme(), "socks") })
	for _, c := range client {
		if socks && (c == "requests" || c == "httpx") {
			c += `  # pip install "` + c + `[socks]"`
		}
		p.line("import ", c)
	}
	write("from ", true)
	p.line()
}

// pythonMethod is the rule of http.client for methods: ASCII without controls
// (Lib/http/client.py).
func pythonMethod(method string) bool {
	return ascii.Only(method) && !strings.ContainsFunc(method, func(c rune) bool { return c < ' ' })
}

// add adds an argument.
func (r *pythonRequest) add(name string, n node) {
	r.arguments = append(r.arguments, named(name, "=", n))
}

// headers adds the argument headers: a dict, or a list of tuples where a name
// repeats. more are items for a dict.
func (r *pythonRequest) headers(more []node, skip func(f *field) bool) {
	fields, repeated := r.c.fields, r.c.repeated()
	if r.takes.joins {
		fields, repeated = r.c.joined(), false
	}
	items := r.p.list(len(fields) + len(more))
	var find func(name string) *field
	if repeated {
		find = r.c.finder()
	}
	for i := range fields {
		switch f := &fields[i]; {
		case skip(f):
		case repeated:
			name := find(f.name).name // aiohttp keeps one of two spellings
			items = append(items, group("", "(", []node{leaf(r.p.pythonString(name)), r.fieldValue(f)}, ")"))
		default:
			items = append(items, named(r.p.pythonString(f.name), ": ", r.fieldValue(f)))
		}
	}
	items = append(items, more...)
	switch {
	case len(items) == 0:
	case repeated:
		r.add("headers", group("", "[", items, "]"))
	default:
		r.add("headers", group("", "{", items, "}"))
	}
}

// fieldValue returns the value of a field. The clients encode str as Latin-1,
// or not at all, so that it is bytes where it is not ASCII.
func (r *pythonRequest) fieldValue(f *field) node {
	switch {
	case f.derived && f.is("Authorization"):
		return r.basicValue("credentials", r.c.basic)
	case f.derived && f.is("Proxy-Authorization"):
		proxy, _ := r.c.proxyServer()
		return r.basicValue("proxy_credentials", proxy.credentials)
	case f.value.isASCII(), r.takes.utf8 && f.value.isText():
		return r.p.pythonText(f.value)
	case r.takes.utf8:
		r.p.refuse("sends only text in header fields")
	}
	return r.p.pythonData(f.value)
}

// credential returns a user name or a password as the clients encode it: str as
// Latin-1, so that bytes stand where it is not ASCII.
func (r *pythonRequest) credential(t text) node {
	if t.isASCII() {
		return r.p.pythonText(t)
	}
	return r.p.pythonData(t)
}

// credentials returns a user name and a password.
func (r *pythonRequest) credentialPair(c *credentials) []node {
	return []node{r.credential(c.user), r.credential(c.password)}
}

// basicValue writes the statement that encodes credentials, and returns the
// value of a field that has them.
func (r *pythonRequest) basicValue(variable string, c *credentials) node {
	r.p.use("import base64")
	r.p.line(variable, " = base64.b64encode(", r.p.pythonBytesOf(c.joined()).line(), ").decode()")
	return leaf(`f"Basic {` + variable + `}"`)
}

// pythonBytesOf returns an expression of type bytes.
func (p *program) pythonBytesOf(t text) node {
	if s, plain := t.plain(); plain && ascii.Only(s) {
		return p.pythonLong(s, "b")
	}
	return p.pythonData(t)
}

// content returns the arguments that make the body.
func (r *pythonRequest) content() []node {
	if r.c.body.kind == noBody {
		return nil
	}
	return append(r.p.list(1), r.contentArgument())
}

// contentArgument returns the argument that makes the body.
func (r *pythonRequest) contentArgument() node {
	switch r.c.body.kind {
	case rawBody:
		return r.rawContent()
	case multipartBody:
		if r.takes.files {
			if n, ok := r.filesArgument(); ok {
				return n
			}
		}
		return r.rawMultipart()
	case fileBody:
		if r.takes.streams {
			return leaf(r.takes.data + "=" + r.open(r.c.body.file))
		}
		return named(r.takes.data, "=", r.p.pythonPieces([]piece{{file: r.c.body.file}}))
	}
	return named(r.takes.data, "=", r.p.pythonPieces(r.c.body.list))
}

// rawContent returns the argument for a body whose bytes are known.
func (r *pythonRequest) rawContent() node {
	if n, ok := r.jsonContent(); ok {
		return n
	}
	switch {
	case !r.c.isForm(&encodeQuotePlus):
	case r.takes.form != "" && (!r.takes.dict || uniqueNames(r.c.body.form)):
		r.c.field("Content-Type").derived = true
		return named(r.takes.form, "=", r.pairs(r.c.body.form))
	default:
		r.p.use("from urllib.parse import urlencode")
		n := hug(group("urlencode", "(", []node{r.pairs(r.c.body.form)}, ")"))
		if r.takes.bytes {
			n = followed(n, ".encode()")
		}
		return named(r.takes.data, "=", n)
	}
	if r.takes.bytes {
		return named(r.takes.data, "=", r.p.pythonBytesOf(r.c.body.data))
	}
	return named(r.takes.data, "=", r.p.pythonData(r.c.body.data))
}

// jsonContent returns the argument for a body that json.dumps prints.
func (r *pythonRequest) jsonContent() (n node, ok bool) {
	data, known := r.c.body.data.plain()
	if r.c.body.json == nil || !known {
		return node{}, false
	}
	for _, d := range pythonDumps {
		if !d.prints(r.c.body.json, data) {
			continue
		}
		if d.arguments == "" && r.takes.json != "" && r.c.hasType("application/json") {
			r.c.field("Content-Type").derived = true
			return named(r.takes.json, "=", r.p.pythonValue(r.c.body.json)), true
		}
		r.p.use("import json")
		dumps := group("json.dumps", "(", []node{r.p.pythonValue(r.c.body.json)}, ")")
		if d.arguments != "" {
			dumps.items = append(dumps.items, leaf(strings.TrimPrefix(d.arguments, ", ")))
		}
		if r.takes.bytes || !d.asciiOnly && !ascii.Only(data) {
			dumps.close = ").encode()"
		}
		return named(r.takes.data, "=", dumps), true
	}
	return node{}, false
}

// pairs returns a dict, or a list of tuples where a name repeats.
func (r *pythonRequest) pairs(pairs []pair) node {
	unique := uniqueNames(pairs)
	items := make([]node, len(pairs))
	for i, p := range pairs {
		name, value := r.p.pythonText(decoded(p.name)), r.p.pythonText(decoded(p.value))
		if unique {
			items[i] = named(name.line(), ": ", value)
		} else {
			items[i] = group("", "(", []node{name, value}, ")")
		}
	}
	if unique {
		return group("", "{", items, "}")
	}
	return group("", "[", items, "]")
}

// query adds the argument params, whose pairs go out as the encoder prints them, if
// takes has no objection to their names.
func (r *pythonRequest) query(e *formEncoder, takes func(names []string) bool) {
	if pairs := r.c.takeQuery(e, takes); pairs != nil {
		r.add("params", r.pairs(pairs))
	}
}

// encodedQuery writes the statement that makes the query, for clients that have no
// argument for it.
func (r *pythonRequest) encodedQuery() {
	if pairs := r.c.takeQuery(&encodeQuotePlus, nil); pairs != nil {
		r.p.use("from urllib.parse import urlencode")
		r.p.node("query = ", hug(group("urlencode", "(", []node{r.pairs(pairs)}, ")")), "")
		r.c.computeQuery("query")
	}
}

// uniqueNames reports whether no name repeats.
func uniqueNames(pairs []pair) bool { return distinct(pairNames(pairs)) }

// filesArgument returns the argument files of requests and httpx, a list of
// tuples: a name, and a tuple of a file name or None, the content, and a type.
// It reports false where they would write other names.
func (r *pythonRequest) filesArgument() (n node, ok bool) {
	for i := range r.c.body.part {
		plain := func(name string) bool {
			return ascii.Only(name) && !strings.Contains(name, `\`) && // urllib3 1 and httpx double it
				!(r.c.Body.FormEscape && strings.ContainsAny(name, "\"\r\n")) // they percent-encode these
		}
		if p := &r.c.body.part[i]; !p.helped() || !plain(p.Name) ||
			p.filename != nil && (!plain(*p.filename) || p.contentType == nil && r.takes.guesses) {
			return node{}, false
		}
	}
	items := make([]node, len(r.c.body.part))
	for i := range r.c.body.part {
		p := &r.c.body.part[i]
		filename := leaf("None")
		switch {
		case p.implied:
			r.p.use("import os")
			filename = r.p.pythonText(p.file).around("os.path.basename(", ")")
		case p.filename != nil:
			filename = leaf(r.p.pythonString(*p.filename))
		}
		content := r.p.pythonData(p.value)
		if p.isFile() {
			content = leaf(r.open(p.file))
		}
		tuple := []node{filename, content}
		if p.contentType != nil {
			tuple = append(tuple, leaf(r.p.pythonString(*p.contentType)))
		}
		items[i] = group("", "(", []node{r.p.pythonText(p.name), group("", "(", tuple, ")")}, ")")
	}
	return named("files", "=", group("", "[", items, "]")), true
}

// rawMultipart returns the bytes of a form, put together here because the
// client would write it otherwise.
func (r *pythonRequest) rawMultipart() node {
	return named(r.takes.data, "=", r.p.pythonPieces(r.c.rawForm()))
}

// open opens a file for the time of the request and returns its variable; for
// standard input, its stream.
func (r *pythonRequest) open(name text) string {
	if s, ok := name.plain(); ok && s == "-" {
		r.p.use("import sys")
		return "sys.stdin.buffer"
	}
	variable := "file"
	if n := len(r.opened); n > 0 {
		variable += itoa(n + 1)
	}
	r.opened = append(r.opened, "open("+r.p.pythonText(name).line()+`, "rb") as `+variable)
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
			items = append(items, p.pythonLong(s, "b"))
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
		read = "Path(" + p.pythonText(one.file).line() + ").read_bytes()"
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
		read = p.pythonBytes(one.name.source()+"=") + " + " + read
	}
	return read
}

// inside writes statements inside of with blocks.
func (r *pythonRequest) inside(opens []string, body func()) {
	if len(opens) == 0 {
		body()
		return
	}
	if one := "with " + strings.Join(opens, ", ") + ":"; r.p.fits(len(one)) {
		r.p.line(one)
	} else {
		r.p.line("with (") // since Python 3.10
		for _, open := range opens {
			r.p.line(r.p.indent, open, ",")
		}
		r.p.line("):")
	}
	r.p.level++
	body()
	r.p.level--
}

// result writes what is done with the response: expressions for its content as
// bytes, its fields, and its text.
func (r *pythonRequest) result(content, headers, text string) {
	switch r.c.destination(r.p.options) {
	case toFile:
		r.p.use("from pathlib import Path")
		if folder := r.c.folder(); folder != nil {
			r.p.node("Path(", r.p.pythonText(folder), ").mkdir(parents=True, exist_ok=True)")
		}
		r.p.node("Path(", r.p.pythonText(r.c.output), ").write_bytes("+content+")")
	case headersPrinted:
		r.p.line("print(", headers, ")")
	case contentPrinted:
		r.p.line("print(", text, ")")
	}
}

// again writes what get does, in a loop where it tries again, as curl does: curl
// 8.22 src/tool_operate.c. sleep is the call that waits some seconds.
func (r *pythonRequest) again(sleep, status string, get func()) {
	if r.c.retries == 0 {
		get()
		return
	}
	if sleep == "time.sleep" {
		r.p.use("import time")
	}
	r.p.block("for attempt in range("+strconv.FormatInt(r.c.retries+1, 10)+"):", func() {
		r.p.line("if attempt:")
		r.p.line(r.p.indent, sleep, "(2 ** (attempt - 1))")
		get()
		r.p.line("if ", status, " not in (", retryStatuses, "):")
		r.p.line(r.p.indent, "break")
	})
}

// failure writes what ends the program for a status of 400 and more.
func (r *pythonRequest) failure() {
	if r.c.fail {
		r.p.line("if response.status >= 400:")
		r.p.line(r.p.indent, `raise SystemExit(f"HTTP {response.status}")`)
	}
}

// context writes the statements that make a TLS context, and reports whether
// one is needed.
func (r *pythonRequest) context() bool {
	if !r.c.insecure && len(r.c.caFile) == 0 && len(r.c.cert) == 0 && !r.boundsTLS() {
		return false
	}
	r.p.line(r.newContext())
	if r.c.insecure {
		r.p.line("context.check_hostname = False")
		r.p.line("context.verify_mode = ssl.CERT_NONE")
	}
	if len(r.c.cert) > 0 {
		key := ""
		if len(r.c.key) > 0 {
			key = ", " + r.p.pythonText(r.c.key).line()
		}
		r.p.line("context.load_cert_chain(", r.p.pythonText(r.c.cert).line(), key, ")")
	}
	for _, s := range r.tlsBounds() {
		r.p.line(s)
	}
	return true
}

// newContext returns the statement that makes a TLS context.
func (r *pythonRequest) newContext() string {
	r.p.use("import ssl")
	ca := ""
	if len(r.c.caFile) > 0 {
		ca = "cafile=" + r.p.pythonText(r.c.caFile).line()
	}
	return "context = ssl.create_default_context(" + ca + ")"
}

// tlsBounds returns the statements that bound the versions of TLS of a context.
func (r *pythonRequest) tlsBounds() (statements []string) {
	for _, o := range []struct{ name, member string }{{"minimum_version", "tlsMin"}, {"maximum_version", "tlsMax"}} {
		if r.c.boundsTLS(o.member) {
			statements = append(statements, "context."+o.name+" = ssl.TLSVersion."+r.c.tlsName(o.member, "_"))
		}
	}
	return statements
}

// boundsTLS reports whether the command bounds the version of TLS.
func (r *pythonRequest) boundsTLS() bool {
	return r.c.boundsTLS("tlsMin") || r.c.boundsTLS("tlsMax")
}

// cookieFile writes the statements that load the cookies of files that were not
// supplied into jar. curl goes on without a file that it cannot read, and takes
// an expiry of 0 for the end of the session.
func (r *pythonRequest) cookieFile(jar string) (statements []string) {
	if len(r.c.cookieFiles) > 0 {
		r.p.cannot("reads cookies in the format of Netscape only", "a file that does not begin as one of Netscape's does gives no cookies")
		r.p.use("import contextlib")
	}
	for i, name := range r.c.cookieFiles {
		file := r.p.pythonText(name).line() + ", "
		if i == 0 {
			r.p.use("from http.cookiejar import MozillaCookieJar")
			statements = append(statements, jar+" = MozillaCookieJar("+r.p.pythonText(name).line()+")")
			file = ""
		}
		statements = append(statements,
			"with contextlib.suppress(OSError):  # as curl does",
			r.p.indent+jar+".load("+file+"ignore_discard=True, ignore_expires=True)")
	}
	switch {
	case len(r.c.cookieFiles) > 0:
		statements = append(statements, "for cookie in "+jar+":",
			r.p.indent+"cookie.expires = cookie.expires or None  # 0: until the session ends")
	case len(r.c.cookieJar) > 0:
		r.p.use("from http.cookiejar import MozillaCookieJar")
		statements = append(statements, jar+" = MozillaCookieJar("+r.p.pythonText(r.c.cookieJar).line()+")")
	}
	return statements
}

// saveCookies writes the statement that writes the cookies of jar.
func (r *pythonRequest) saveCookies(jar string) {
	if len(r.c.cookieJar) > 0 {
		file := ""
		if len(r.c.cookieFiles) > 0 {
			file = r.p.pythonText(r.c.cookieJar).line() + ", "
		}
		r.p.line(jar, ".save(", file, "ignore_discard=True)")
	}
}

// cookieArgument adds the argument cookies where there are cookies of a file
// too: the clients would leave them out for a field Cookie.
func (r *pythonRequest) cookieArgument() {
	f := r.c.field("Cookie")
	if f == nil || len(r.c.cookieFiles) == 0 {
		return
	}
	f.derived = true
	pairs, ok := f.cookies()
	if !ok || !uniqueNames(pairs) {
		r.p.refuse("cannot join these cookies to those of a file")
		return
	}
	items := make([]node, len(pairs))
	for i, p := range pairs {
		items[i] = named(r.p.pythonText(p.name).line(), ": ", r.p.pythonText(p.value))
	}
	r.add("cookies", group("", "{", items, "}"))
}
