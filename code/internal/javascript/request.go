package javascript

import (
	"slices"
	"strconv"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/redact"
)

// A jsRequest writes one call with a client of JavaScript.
type jsRequest struct {
	p        *plan.Program
	c        *plan.Call
	suffix   string      // of the names of variables, in all calls but the first
	settings []emit.Node // members of the object of settings
	closing  string      // the statement that closes what the request opened, or ""
}

// writeJavaScript writes a module: the imports, and each call.
func writeJavaScript(p *plan.Program, imported string, write func(r *jsRequest)) {
	level := p.Depth(0)
	if p.Catches() {
		level = 1
	}
	sections := p.Sections(level, func(c *plan.Call, suffix string) {
		r := &jsRequest{p: p, c: c, suffix: suffix, settings: p.List(8)}
		r.computes()
		write(r)
	})
	p.Head(func() {
		if imported != "" {
			p.Use(imported)
		}
		imports(p)
	})
	jsBody(p, sections)
	p.Functions()
}

// jsBody writes the requests: within a function, where one is asked for, and where CommonJS
// has no await outside of one.
func jsBody(p *plan.Program, sections [][]byte) {
	required := p.Has(CommonJS)
	switch {
	case p.IsFunction():
		name := p.FunctionName()
		before := "export async function "
		if required {
			before = "async function "
		}
		items := p.DeclareParameters(func(one *plan.Parameter) string {
			switch {
			case one.HasDefault:
				return one.Name + " = " + String(one.Default)
			case inTypeScript(p) && p.TakesJSON(one):
				return one.Name + ": unknown"
			case inTypeScript(p):
				return one.Name + ": string"
			}
			return one.Name
		})
		p.NoteFunction(&plan.DocComment{Open: "/** ", Line: " * ", Close: " */", Apart: true}, p.Says("Send", "return"), "")
		p.Node(before+name, emit.Group("", "(", items, ")"), " {")
		p.Join(sections)
		p.Line("}")
		if required {
			p.Line()
			p.Line("module.exports = { ", name, " };")
		}
	case required && !p.IsBeside():
		p.Line("async function main() {")
		p.Join(sections)
		p.Line("}")
		p.Line()
		if p.Catches() {
			p.Line("main().catch((error) => {")
			showError(p)
			p.Line("});")
		} else {
			p.Line("main();")
		}
	case p.Catches():
		p.Line("try {")
		p.Join(sections)
		declared := ""
		if inTypeScript(p) {
			declared = ": any"
		}
		p.Line("} catch (error", declared, ") {")
		showError(p)
		p.Line("}")
	default:
		p.Join(sections)
	}
}

// contentOf are expressions for the content of the response that an error has.
var contentOf = map[string]string{"axios": "error.response.data", "got": "error.response.body", "ky": "await error.response.text()", "superagent": "error.response.text"}

// showError writes what is left of an error, which has the request with its secrets: the content
// of the response, as curl prints it without -f, and the message, or the name of the error where
// the message may have a URL with a secret.
func showError(p *plan.Program) {
	p.Level++
	content, throws := contentOf[p.Target.Client]
	if throws && !slices.ContainsFunc(p.Calls, func(c *plan.Call) bool {
		return c.Fail() || c.Streams(p.Options) || c.Destination(p.Options) != plan.ContentPrinted
	}) {
		p.Line("if (error.response) console.log(", content, ");")
	}
	member := "message"
	switch {
	case slices.ContainsFunc(p.Calls, func(c *plan.Call) bool { return len(redact.URL(c.URL)) > 0 }):
		member = "name"
	case !throws: // what follows are the fields of the request
		member = `message.split("\n", 1)[0]`
	}
	p.Line("console.error(error.", member, ");")
	p.Line("process.exitCode = 1;")
	p.Level--
}

// npm is where projects name packages.
var npm = plan.Manifest{File: "package.json", Line: `"$n": "^$v"`}

// CommonJS is the switch for programs that load their modules by require, of which the
// targets have commonJS.
var CommonJS = &plan.Switch{
	Name: "commonJs", Flag: "commonjs", Does: "load the modules of Node by require", Lacks: "is loaded by no module of CommonJS here",
}

var commonJS = []plan.Variant{{Switch: CommonJS, SavedAs: "request.cjs", Wraps: true}}

// tsConvention is what is customary in TypeScript.
var tsConvention = plan.Convention{Requires: jsRequires, Language: "typescript", Manifest: npm, Naming: jsConvention.Naming}

// jsConvention is what is customary in JavaScript.
var jsConvention = plan.Convention{Requires: jsRequires, Language: "javascript", Manifest: npm, Naming: plan.Naming{Camel: true, Taken: strings.Fields(
	`jsonValue pathSegment pathSegments agent arguments askDigest async attempt await axios axiosDigest basename body boundary break buffer bytes c case catch challenge chunk
	class client console const content context continue cookieJar cookies createHash createHmac credentials crypto data deadline debugger
	default delete digest dispatcher do document done else enum error eval execFileSync export extends false fetch fetchDigest file files
	finally for form formEncode function get got gotDigest hash headers hmac host http https if implements import in instanceof interceptors
	interface jar json ky let link location lookup mkdir module new null of ofetch once openAsBlob options origin os package part path private
	process protected proxy public query randomBytes readFile redirects reject request requestDigest require resolve response retry return
	saved server set settings signal signed socket static status stream super superagent switch text this throw time tls transient true try
	typeof undefined url value var void while with withoutBreaks writeFile yield`)}}

// add adds a setting.
func (r *jsRequest) add(name string, n emit.Node) {
	r.settings = append(r.settings, emit.Named(name, ": ", n))
}

// object adds a setting that is an object, where it has members.
func (r *jsRequest) object(name string, members []emit.Node) {
	if len(members) > 0 {
		r.add(name, emit.Braced(members))
	}
}

// response returns the variable of the response.
func (r *jsRequest) response() string { return "response" + r.suffix }

// method adds the method, where it is not GET.
func (r *jsRequest) method() {
	if r.c.Method != "GET" {
		r.add("method", emit.Leaf(String(r.c.Method)))
	}
}

// usualMethods are the methods that clients have functions for.
var usualMethods = []string{"GET", "POST", "PUT", "PATCH", "HEAD", "DELETE"}

// function returns the function of a client for the method; or the one for all, which takes
// the method as a setting.
func (r *jsRequest) function(client, all string) string {
	if slices.Contains(usualMethods, r.c.Method) {
		return client + "." + strings.ToLower(r.c.Method)
	}
	r.method()
	return all
}

// send writes the call, with the URL and the settings.
func (r *jsRequest) send(before string, arguments ...emit.Node) {
	if len(r.settings) > 0 {
		o := emit.Braced(r.settings)
		o.Broken = len(r.settings) > 1
		if o.Broken {
			o.Width = emit.TooWide
		}
		arguments = append(arguments, o)
	}
	r.p.Statement(before, arguments)
}

// again writes what get does, in a loop where it tries again, as curl does: curl
// 8.22 src/tool_operate.c. get begins its statement with what it is given. status
// is the member of the response, drop the statement that lets go of one, and code the
// member of an error that names it.
func (r *jsRequest) again(status, drop, code string, get func(before string)) {
	response, retry := r.response(), r.c.Retry()
	if retry.Count == 0 {
		get("const " + response + " = await ")
		return
	}
	last, wait := "attempt === "+strconv.FormatInt(retry.Count, 10), "1000 * 2 ** attempt"
	if retry.MaxTime > 0 {
		deadline := "deadline" + r.suffix
		r.p.Line("const ", deadline, " = Date.now() + ", emit.Milliseconds(retry.MaxTime), ";")
		last += " || Date.now() > " + deadline
	}
	if retry.Delay > 0 {
		wait = emit.Milliseconds(retry.Delay)
	}
	r.p.Line("let ", response, r.typed(r.responseType()), ";")
	r.p.Block("for (let attempt = 0; ; attempt++) {", func() {
		try := func() {
			get(response + " = await ")
			if r.c.AnyStatus(retry) {
				r.p.Line("if (", response, status, " < 400 || ", last, ") break;")
			} else {
				r.p.Line("const transient = [", plan.RetryStatuses, "].includes(", response, status, ");")
				r.p.Line("if (!transient || ", last, ") break;")
			}
			if drop != "" {
				r.p.Line(drop)
			}
		}
		if retry.Refused {
			r.p.Block("try {", try)
			r.p.Block("} catch (error) {", func() {
				other := ""
				if !retry.Errors {
					other = " || " + r.caught(code) + ` !== "ECONNREFUSED"`
				}
				r.p.Line("if (", last, other, ") throw error;")
			})
			r.p.Line("}")
		} else {
			try()
		}
		r.p.Line("await new Promise((done) => setTimeout(done, ", wait, "));")
	})
	r.p.Line("}")
}

// digest returns the function that sends a request: that of the client, or one
// that answers for Digest too, and takes the credentials among the settings.
func (r *jsRequest) digest(function string) string {
	if r.c.Digest == nil {
		return function
	}
	if r.c.Follow() && !r.p.Target.Facts.LoopsFor(r.c) {
		r.p.AnswersFirst(r.c)
	}
	r.settings = append(r.settings, r.digestSettings(function)...)
	return function + "Digest"
}

// digestSettings returns the credentials as settings of a function that answers for
// Digest.
func (r *jsRequest) digestSettings(function string) []emit.Node {
	r.p.Use(`import { createHash, randomBytes } from "node:crypto";`)
	for _, name := range []string{"answer.mjs", function + ".mjs"} {
		r.p.Help(typedHelper(r.p, plan.DigestFunction(name)))
	}
	return []emit.Node{emit.Named("user", ": ", Text(r.p, r.c.Digest.User)), emit.Named("password", ": ", Text(r.p, r.c.Digest.Password))}
}

// headerMembers returns the fields as members of an object, but those that
// skip has. Fields of one name are an array, where the client sends one for
// each item.
func (r *jsRequest) headerMembers(arrays bool, skip func(f *plan.Field) bool) []emit.Node {
	groups := r.c.ByName()
	if !arrays {
		groups = plan.Apart(r.c.Joined())
	}
	items := r.p.List(len(groups))
	for _, same := range groups {
		f := &same[0]
		if skip(f) {
			continue
		}
		values := r.p.List(len(same))
		for _, other := range same {
			values = append(values, header(r.p, other.Value))
		}
		n := values[0]
		switch {
		case len(values) > 1 && f.Is("Cookie"):
			n = emit.Group("", "[", values, `].join("; ")`)
		case len(values) > 1:
			n = emit.Group("", "[", values, "]")
		case f.Derived() && f.Is("Authorization"):
			n = r.basicHeader()
		}
		items = append(items, emit.Named(jsName(f.Name), ": ", n))
	}
	return items
}

// removedMembers returns members that keep the client from adding fields that
// the command removes.
func (r *jsRequest) removedMembers(value string, names ...string) []emit.Node {
	var items []emit.Node
	for _, name := range r.c.Withheld {
		if slices.ContainsFunc(names, func(n string) bool { return ascii.EqualFold(n, name) }) {
			items = append(items, emit.Leaf(jsName(name)+": "+value))
		}
	}
	return items
}

// basicHeader returns the value of Authorization for the credentials.
func (r *jsRequest) basicHeader() emit.Node {
	if both := r.c.Basic.Joined(); both.IsText() {
		return r.basicValue(both)
	}
	return Text(r.p, r.c.Field("Authorization").Value)
}

// basicValue returns the value of a field for a user name, a colon and a
// password.
func (r *jsRequest) basicValue(both plan.Text) emit.Node {
	if inBrowser(r.p) {
		return emit.Leaf("`Basic ${btoa(" + browserHeader(r.p, both).Line() + ")}`")
	}
	return emit.Leaf("`Basic ${Buffer.from(" + Text(r.p, both).Line() + ").toString(\"base64\")}`")
}

// stringify returns a call of JSON.stringify that prints the content. compact
// reports whether it has no arguments but the value.
func (r *jsRequest) stringify() (n emit.Node, compact, ok bool) {
	for i, s := range jsStringify {
		if r.p.Encodes(&s.Encoder, r.c) {
			arguments := []emit.Node{jsValue(r.p, r.c, r.c.Content.JSON)}
			for _, a := range s.arguments {
				arguments = append(arguments, emit.Leaf(a))
			}
			return emit.Hug(emit.Group("JSON.stringify", "(", arguments, ")")), i == 0, true
		}
	}
	return emit.Node{}, false, false
}

// pairs returns a form or a query as an object, or as an array of pairs where
// a name repeats.
func (r *jsRequest) pairs(pairs []plan.Pair) emit.Node {
	names := plan.PairNames(pairs)
	items := make([]emit.Node, len(pairs))
	unique := keeps(names)
	for i, p := range pairs {
		value := Text(r.p, plan.Decoded(p.Value))
		if unique {
			items[i] = emit.Named(jsName(names[i]), ": ", value)
		} else {
			items[i] = emit.Group("", "[", []emit.Node{Text(r.p, plan.Decoded(p.Name)), value}, "]")
		}
	}
	if unique {
		return emit.Braced(items)
	}
	return array(items)
}

// search returns URLSearchParams of pairs.
func (r *jsRequest) search(pairs []plan.Pair) emit.Node {
	return emit.Hug(emit.Group("new URLSearchParams", "(", []emit.Node{r.pairs(pairs)}, ")"))
}

// formData writes the statements that make a FormData and returns its name. It
// returns false where FormData would write other bytes, and then returns those
// bytes, with their Content-Type among the fields.
func (r *jsRequest) formData() (n emit.Node, ok bool) {
	if !callWritesFormData(r.c) {
		return r.multipartBytes(), false
	}
	form := "form" + r.suffix
	r.p.Line("const " + form + " = new FormData();")
	for i := range r.c.Content.Part {
		p := &r.c.Content.Part[i]
		if !p.IsFile() {
			r.p.Node(form+".append(", Text(r.p, p.NameText), ", "+Text(r.p, p.ValueText).Line()+");")
			continue
		}
		r.p.Use(`import { openAsBlob } from "node:fs";`)
		blob := "await openAsBlob(" + Text(r.p, p.FileText).Line()
		if p.TypeText != nil {
			blob += ", { type: " + String(*p.TypeText) + " }"
		}
		filename := String(*p.FilenameText)
		if p.Implied {
			r.p.Use(`import { basename } from "node:path";`)
			filename = "basename(" + Text(r.p, p.FileText).Line() + ")"
		}
		arguments := []emit.Node{Text(r.p, p.NameText), emit.Leaf(blob + ")"), emit.Leaf(filename)}
		r.p.Node("", emit.Group(form+".append", "(", arguments, ")"), ";")
	}
	r.p.Line()
	return emit.Leaf(form), true
}

// multipartBytes returns the bytes of a form, put together here.
func (r *jsRequest) multipartBytes() emit.Node {
	return jsPieces(r.p, r.c.RawForm())
}

// sendsFormData reports a form that FormData makes.
func sendsFormData(c *plan.Call) bool {
	return c.Content.Kind == plan.MultipartBody && callWritesFormData(c)
}

// callWritesFormData reports whether FormData writes the form as curl does.
func callWritesFormData(c *plan.Call) bool {
	return !slices.ContainsFunc(c.Content.Part, func(p plan.FormPart) bool {
		return !formDataWrites(&p) || c.Body.FormEscape && strings.ContainsAny(p.Name, "\"\\")
	})
}

// formDataWrites reports whether FormData writes a part as curl does: it gives
// text no type, files always a name, and line breaks in names and text are CRLF
// (WHATWG HTML, multipart/form-data encoding algorithm).
func formDataWrites(p *plan.FormPart) bool {
	if !p.Helped() || strings.ContainsAny(p.Name, "\r\n") {
		return false
	}
	if p.IsFile() {
		name, _ := p.FileText.Plain()
		return p.FilenameText != nil && name != "-" && p.TypeText != nil && *p.TypeText == strings.ToLower(*p.TypeText)
	}
	return p.FilenameText == nil && p.TypeText == nil && p.ValueText.IsText() && !emit.IsLong(p.ValueText.Source()) &&
		!strings.ContainsAny(strings.ReplaceAll(p.ValueText.Source(), "\r\n", ""), "\r\n")
}

// tls returns the settings of TLS. names are those of the certificate, its key,
// and the trusted certificates.
func (r *jsRequest) tls(names ...string) []emit.Node {
	if !r.c.Encrypts {
		return nil
	}
	var items []emit.Node
	if r.c.Insecure() {
		items = append(items, emit.Leaf("rejectUnauthorized: false"))
	}
	certificate := names[0]
	if r.c.Archive() {
		certificate = "pfx"
	}
	for i, file := range []plan.Text{r.c.Cert(), r.c.Key(), r.c.CaFile()} {
		if len(file) > 0 && !(i == 1 && certificate == "pfx") {
			r.p.Use(`import { readFile } from "node:fs/promises";`)
			name := names[i]
			if i == 0 {
				name = certificate
			}
			items = append(items, emit.Leaf(name+": await readFile("+Text(r.p, file).Line()+")"))
		}
	}
	if phrase := r.c.KeyPassword(); len(phrase) > 0 {
		items = append(items, emit.Leaf("passphrase: "+Text(r.p, phrase).Line()))
	}
	for _, o := range []struct{ name, member string }{{"minVersion", "tlsMin"}, {"maxVersion", "tlsMax"}} {
		if r.c.BoundsTLS(o.member) {
			items = append(items, emit.Leaf(o.name+`: "`+r.c.TLSName(o.member, ".")+`"`))
		}
	}
	return items
}

// tlsNames are the settings of Node.
var tlsNames = []string{"cert", "key", "ca"}

// lookup returns the setting that leads the name of the URL to another host.
// The port of a connection cannot be led elsewhere.
func (r *jsRequest) lookup() []emit.Node {
	host, port := r.c.Connection()
	if host == "" {
		return nil
	}
	if a, _ := r.c.Address(); port != a.PortOr() || r.c.Follow() {
		r.p.Loss("--connect-to and --resolve", "leads every name, but no port, to another host")
		return nil
	}
	r.p.Use(`import { lookup } from "node:dns";`)
	return []emit.Node{emit.Leaf("lookup: (host, options, done) => lookup(" + String(host) + ", options, done)")}
}

// timeLimit returns the setting of the signal that ends the exchange.
func (r *jsRequest) timeLimit() []emit.Node {
	if r.c.Timeout() == 0 {
		return nil
	}
	return []emit.Node{emit.Leaf("signal: AbortSignal.timeout(" + emit.Milliseconds(r.c.Timeout()) + ")")}
}

// A jsResponse has the members of a response for its status, for the text of that if there
// is one, and for its fields, and the expressions for its content as bytes or as a stream of
// them, for the stream if there is one, and for its JSON value and its text.
type jsResponse struct{ status, reason, headers, bytes, chunks, json, text string }

// rawContent are expressions for the content as bytes, $ standing for the response.
var rawContent = map[string]string{"axios": "$.data", "fetch": "Buffer.from(await $.arrayBuffer())", "got": "$.rawBody", "ky": "Buffer.from(await $.arrayBuffer())", "undici": "Buffer.from(await $.body.arrayBuffer())"}

// give writes the statement that prints the content, or returns it; none where there is no
// expression for it.
func (r *jsRequest) give(a jsResponse) {
	content := a.text
	if r.p.Options.DecodeJSON {
		content = a.json
	}
	switch {
	case content == "":
	case r.p.IsFunction():
		r.returns("body", r.response()+a.status, content)
	default:
		r.p.Line("console.log(", content, ");")
	}
}

// returns writes the statement that returns an expression, after what the request opened is
// closed, and the status beside it, where the function has that; name is what it is called then.
func (r *jsRequest) returns(name, status, expression string) {
	if r.closing != "" {
		r.p.Line("const content = ", expression, ";")
		r.p.Line(r.closing)
		r.closing, expression = "", "content"
	}
	if r.c.ReturnsStatus(r.p.Options) {
		r.p.Line("return { status: ", status, ", ", name, ": ", expression, " };")
		return
	}
	r.p.Line("return ", strings.TrimPrefix(expression, "await "), ";")
}
