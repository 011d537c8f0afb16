package code

import (
	"slices"
	"strconv"
	"strings"

	"uncoil/internal/engine/ascii"
)

// A jsRequest writes one call with a client of JavaScript.
type jsRequest struct {
	p        *program
	c        *call
	suffix   string // of the names of variables, in all calls but the first
	settings []node // members of the object of settings
}

// writeJavaScript writes a module: the imports, and each call.
func (p *program) writeJavaScript(imported string, write func(r *jsRequest)) {
	sections := p.sections(0, func(c *call, suffix string) {
		write(&jsRequest{p: p, c: c, suffix: suffix, settings: p.list(8)})
	})
	if !p.options.Bare {
		if imported != "" {
			p.use(imported)
		}
		p.jsImports()
	}
	p.join(sections)
	p.functions()
}

// add adds a setting.
func (r *jsRequest) add(name string, n node) {
	r.settings = append(r.settings, named(name, ": ", n))
}

// object adds a setting that is an object, where it has members.
func (r *jsRequest) object(name string, members []node) {
	if len(members) > 0 {
		r.add(name, braced(members))
	}
}

// response returns the variable of the response.
func (r *jsRequest) response() string { return "response" + r.suffix }

// method adds the method, where it is not GET.
func (r *jsRequest) method() {
	if r.c.Method != "GET" {
		r.add("method", leaf(jsString(r.c.Method)))
	}
}

// send writes the call, with the URL and the settings.
func (r *jsRequest) send(before string, arguments ...node) {
	if len(r.settings) > 0 {
		o := braced(r.settings)
		o.broken = len(r.settings) > 1
		if o.broken {
			o.width = tooWide
		}
		arguments = append(arguments, o)
	}
	r.p.statement(before, arguments)
}

// again writes what get does, in a loop where it tries again, as curl does: curl
// 8.22 src/tool_operate.c. get begins its statement with what it is given. status
// is the member of the response, and drop the statement that lets go of one.
func (r *jsRequest) again(status, drop string, get func(before string)) {
	response := r.response()
	if r.c.retries == 0 {
		get("const " + response + " = await ")
		return
	}
	r.p.line("let ", response, ";")
	r.p.block("for (let attempt = 0; ; attempt++) {", func() {
		get(response + " = await ")
		r.p.line("const transient = [", retryStatuses, "].includes(", response, status, ");")
		r.p.line("if (!transient || attempt === ", strconv.FormatInt(r.c.retries, 10), ") break;")
		if drop != "" {
			r.p.line(drop)
		}
		r.p.line("await new Promise((done) => setTimeout(done, 1000 * 2 ** attempt));")
	})
	r.p.line("}")
}

// digest returns the function that sends a request: that of the client, or one
// that answers for Digest too, and takes the credentials among the settings.
func (r *jsRequest) digest(function string) string {
	if r.c.digest == nil {
		return function
	}
	if r.c.follow && !r.p.target.client.loopsFor(r.c) {
		r.p.answersFirst(r.c)
	}
	r.settings = append(r.settings, r.digestSettings(function)...)
	return function + "Digest"
}

// digestSettings returns the credentials as settings of a function that answers for
// Digest.
func (r *jsRequest) digestSettings(function string) []node {
	r.p.use(`import { createHash, randomBytes } from "node:crypto";`)
	r.p.answerDigest("answer.mjs", function+".mjs")
	return []node{named("user", ": ", r.p.jsText(r.c.digest.user)), named("password", ": ", r.p.jsText(r.c.digest.password))}
}

// headerMembers returns the fields as members of an object, but those that
// skip has. Fields of one name are an array, where the client sends one for
// each item.
func (r *jsRequest) headerMembers(arrays bool, skip func(f *field) bool) []node {
	groups := r.c.byName()
	if !arrays {
		groups = apart(r.c.joined())
	}
	items := r.p.list(len(groups))
	for _, same := range groups {
		f := &same[0]
		if skip(f) {
			continue
		}
		values := r.p.list(len(same))
		for _, other := range same {
			values = append(values, r.p.jsHeader(other.value))
		}
		n := values[0]
		switch {
		case len(values) > 1 && f.is("Cookie"):
			n = group("", "[", values, `].join("; ")`)
		case len(values) > 1:
			n = group("", "[", values, "]")
		case f.derived && f.is("Authorization"):
			n = r.basicHeader()
		}
		items = append(items, named(jsName(f.name), ": ", n))
	}
	return items
}

// removedMembers returns members that keep the client from adding fields that
// the command removes.
func (r *jsRequest) removedMembers(value string, names ...string) []node {
	var items []node
	for _, name := range r.c.removed {
		if slices.ContainsFunc(names, func(n string) bool { return ascii.EqualFold(n, name) }) {
			items = append(items, leaf(jsName(name)+": "+value))
		}
	}
	return items
}

// basicHeader returns the value of Authorization for the credentials.
func (r *jsRequest) basicHeader() node {
	if both := r.c.basic.joined(); both.isText() {
		return r.basicValue(both)
	}
	return r.p.jsText(r.c.field("Authorization").value)
}

// basicValue returns the value of a field for a user name, a colon and a
// password.
func (r *jsRequest) basicValue(both text) node {
	return leaf("`Basic ${Buffer.from(" + r.p.jsText(both).line() + ").toString(\"base64\")}`")
}

// stringify returns a call of JSON.stringify that prints the content. compact
// reports whether it has no arguments but the value.
func (r *jsRequest) stringify() (n node, compact, ok bool) {
	data, known := r.c.body.data.plain()
	if r.c.body.json == nil || !known {
		return node{}, false, false
	}
	for i, s := range jsStringify {
		if s.prints(r.c.body.json, data) {
			n := group("JSON.stringify", "(", []node{r.p.jsValue(r.c.body.json)}, s.arguments+")")
			n.width += len(s.arguments)
			return hug(n), i == 0, true
		}
	}
	return node{}, false, false
}

// pairs returns a form or a query as an object, or as an array of pairs where
// a name repeats.
func (r *jsRequest) pairs(pairs []pair) node {
	names := pairNames(pairs)
	items := make([]node, len(pairs))
	unique := jsKeeps(names)
	for i, p := range pairs {
		value := r.p.jsText(decoded(p.value))
		if unique {
			items[i] = named(jsName(names[i]), ": ", value)
		} else {
			items[i] = group("", "[", []node{r.p.jsText(decoded(p.name)), value}, "]")
		}
	}
	if unique {
		return braced(items)
	}
	return group("", "[", items, "]")
}

// search returns URLSearchParams of pairs.
func (r *jsRequest) search(pairs []pair) node {
	return hug(group("new URLSearchParams", "(", []node{r.pairs(pairs)}, ")"))
}

// formData writes the statements that make a FormData and returns its name. It
// returns false where FormData would write other bytes, and then returns those
// bytes, with their Content-Type among the fields.
func (r *jsRequest) formData() (n node, ok bool) {
	if !r.c.formDataWrites() {
		return r.multipartBytes(), false
	}
	form := "form" + r.suffix
	r.p.line("const " + form + " = new FormData();")
	for i := range r.c.body.part {
		p := &r.c.body.part[i]
		if !p.isFile() {
			r.p.node(form+".append(", r.p.jsText(p.name), ", "+r.p.jsText(p.value).line()+");")
			continue
		}
		r.p.use(`import { openAsBlob } from "node:fs";`)
		blob := "await openAsBlob(" + r.p.jsText(p.file).line()
		if p.contentType != nil {
			blob += ", { type: " + jsString(*p.contentType) + " }"
		}
		filename := jsString(*p.filename)
		if p.implied {
			r.p.use(`import { basename } from "node:path";`)
			filename = "basename(" + r.p.jsText(p.file).line() + ")"
		}
		arguments := []node{r.p.jsText(p.name), leaf(blob + ")"), leaf(filename)}
		r.p.node("", group(form+".append", "(", arguments, ")"), ";")
	}
	r.p.line()
	return leaf(form), true
}

// multipartBytes returns the bytes of a form, put together here.
func (r *jsRequest) multipartBytes() node {
	return r.p.jsPieces(r.c.rawForm())
}

// sendsFormData reports a form that FormData makes.
func sendsFormData(c *call) bool { return c.body.kind == multipartBody && c.formDataWrites() }

// formDataWrites reports whether FormData writes the form as curl does.
func (c *call) formDataWrites() bool {
	return !slices.ContainsFunc(c.body.part, func(p formPart) bool {
		return !formDataWrites(&p) || c.Body.FormEscape && strings.ContainsAny(p.Name, "\"\\")
	})
}

// formDataWrites reports whether FormData writes a part as curl does: it gives
// text no type, files always a name, and line breaks in names and text are CRLF
// (WHATWG HTML, multipart/form-data encoding algorithm).
func formDataWrites(p *formPart) bool {
	if !p.helped() || strings.ContainsAny(p.Name, "\r\n") {
		return false
	}
	if p.isFile() {
		name, _ := p.file.plain()
		return p.filename != nil && name != "-" && p.contentType != nil && *p.contentType == strings.ToLower(*p.contentType)
	}
	return p.filename == nil && p.contentType == nil && p.value.isText() && !isLong(p.value.source()) &&
		!strings.ContainsAny(strings.ReplaceAll(p.value.source(), "\r\n", ""), "\r\n")
}

// tls returns the settings of TLS. names are those of the certificate, its key,
// and the trusted certificates.
func (r *jsRequest) tls(names ...string) []node {
	if !r.c.encrypts {
		return nil
	}
	var items []node
	if r.c.insecure {
		items = append(items, leaf("rejectUnauthorized: false"))
	}
	for i, file := range []text{r.c.cert, r.c.key, r.c.caFile} {
		if len(file) > 0 {
			r.p.use(`import { readFile } from "node:fs/promises";`)
			items = append(items, leaf(names[i]+": await readFile("+r.p.jsText(file).line()+")"))
		}
	}
	for _, o := range []struct{ name, member string }{{"minVersion", "tlsMin"}, {"maxVersion", "tlsMax"}} {
		if r.c.boundsTLS(o.member) {
			items = append(items, leaf(o.name+`: "`+r.c.tlsName(o.member, ".")+`"`))
		}
	}
	return items
}

// tlsNames are the settings of Node.
var tlsNames = []string{"cert", "key", "ca"}

// lookup returns the setting that leads the name of the URL to another host.
// The port of a connection cannot be led elsewhere.
func (r *jsRequest) lookup() []node {
	host, port := r.c.connection()
	if host == "" {
		return nil
	}
	if a, _ := r.c.address(); port != a.portOr() || r.c.follow {
		r.p.loss("--connect-to and --resolve", "leads every name, but no port, to another host")
		return nil
	}
	r.p.use(`import { lookup } from "node:dns";`)
	return []node{leaf("lookup: (host, options, done) => lookup(" + jsString(host) + ", options, done)")}
}

// timeLimit returns the setting of the signal that ends the exchange.
func (r *jsRequest) timeLimit() []node {
	if r.c.timeout == 0 {
		return nil
	}
	return []node{leaf("signal: AbortSignal.timeout(" + milliseconds(r.c.timeout) + ")")}
}

// failure writes what throws for a status of 400 and more.
func (r *jsRequest) failure(status string) {
	if r.c.fail {
		r.p.line("if (", status, " >= 400) throw new Error(`HTTP ${", status, "}`);")
	}
}

// writeResult writes what is done with the response: expressions for its
// content as bytes, its fields and its text.
func (r *jsRequest) writeResult(bytes, headers, text string) {
	switch r.c.destination(r.p.options) {
	case toFile:
		r.p.use(`import { writeFile } from "node:fs/promises";`)
		if folder := r.c.folder(); folder != nil {
			r.p.use(`import { mkdir } from "node:fs/promises";`)
			r.p.line("await mkdir(", r.p.jsText(folder).line(), ", { recursive: true });")
		}
		r.p.line("await writeFile(", r.p.jsText(r.c.output).line(), ", ", bytes, ");")
	case headersPrinted:
		r.p.line("console.log(", headers, ");")
	case contentPrinted:
		r.p.line("console.log(", text, ");")
	}
}
