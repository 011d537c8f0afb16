package python

import (
	"slices"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/internal/engine/ascii"
)

// A pythonRequest writes one call with a client of Python.
type pythonRequest struct {
	p         *plan.Program
	c         *plan.Call
	takes     pythonContent
	arguments []emit.Node
	session   []string // statements for a session, where one is needed
	opened    []string // expressions that open files, with their names
	catches   bool     // the program catches what urllib raises for a status
	httpx     *httpxForm
	opener    *string // of urllib.request, as an earlier request has made it
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
	fields  bool   // the argument fields, as urllib3 has it
	guesses bool   // gives every file of a form a type
	joins   bool   // sends a name once
	utf8    bool   // writes str in fields as UTF-8, and takes no bytes
}

// writePython writes a module: the imports, the client's apart, and each call.
func writePython(p *plan.Program, level int, takes pythonContent, write func(r *pythonRequest)) [][]byte {
	return p.Sections(level, func(c *plan.Call, _ string) {
		computes(p, c)
		write(&pythonRequest{p: p, c: c, takes: takes, arguments: p.List(usualArguments)})
	})
}

// usualArguments is how many arguments a call seldom has more than.
const usualArguments = 6

// withFirst returns the arguments after others.
func (r *pythonRequest) withFirst(first ...emit.Node) []emit.Node {
	return append(append(r.p.List(len(first)+len(r.arguments)), first...), r.arguments...)
}

// functions writes the functions that the program needs, with two empty lines
// around each as PEP 8 has it.
func functions(p *plan.Program) {
	for i, function := range p.Helpers {
		if i == 0 {
			p.Line()
		}
		p.Dst = append(p.Dst, function...)
		p.Line()
		p.Line()
	}
}

// convention is what is customary in the language.
var convention = plan.Convention{Language: "python", Yields: true, Manifest: plan.Manifest{File: "requirements.txt", Line: "$n$f>=$v", Before: "[", Comma: ",", After: "]"}, Naming: plan.Naming{Taken: strings.Fields(
	`False None True adapter aiohttp and as assert async asyncio attempt await base base64 body boundary break chunk class client collections connect
	connection connector content context contextlib continue cookie cookies credentials curl data datetime def del digest elif else error
	errors except file files finally followed for form from global hashlib headers hmac http httpx if import in int is iter jar json lambda
	line loader location main method nonlocal not open field_text json_value opener or origin os output own part parts pass passwords path path_segment path_segments pathlib print proxy
	proxy_credentials pycurl query quote quote_plus raise range re read request requests response retry return secrets select session settings
	shutil signed socket ssl status str subprocess sys target time timeout timezone transport try typed typing url urlencode urljoin urllib urllib3
	urlsplit uuid while with yarl yield`)}}

// imports writes the imports as PEP 8 orders them: the standard library,
// an empty line, the client.
func imports(p *plan.Program, client ...string) {
	useTypes(p)
	isClients := func(line string) bool {
		module, found := strings.CutPrefix(line, "from ")
		isPrefix := func(c string) bool { return strings.HasPrefix(module, c) }
		return found && (slices.ContainsFunc(client, isPrefix) || isPrefix("urllib3") || isPrefix("yarl") || isPrefix("locust"))
	}
	standard := false
	write := func(keyword string, clients bool) {
		last := ""
		for _, line := range p.Imports {
			if !strings.HasPrefix(line, keyword) || isClients(line) != clients {
				continue
			}
			module, names, named := strings.Cut(line, " import ")
			if named && module == last {
				p.Dst = append(append(p.Dst[:len(p.Dst)-1], ", "...), names+"\n"...)
			} else {
				p.Line(line)
			}
			last, standard = module, true
		}
	}
	write("import ", false)
	write("from ", false)
	if standard && (len(client) > 0 || slices.ContainsFunc(p.Imports, isClients)) {
		p.Line()
	}
	socks := slices.ContainsFunc(p.Calls, plan.OverSOCKS)
	for _, c := range client {
		if socks && (c == "requests" || c == "httpx") {
			c += `  # pip install "` + c + `[socks]"`
		}
		p.Line("import ", c)
	}
	write("from ", true)
	p.Line()
}

// pythonMethod is the rule of http.client for methods: ASCII without controls
// (Lib/http/client.py).
func pythonMethod(method string) bool {
	return ascii.Only(method) && !strings.ContainsFunc(method, func(c rune) bool { return c < ' ' })
}

// add adds an argument.
func (r *pythonRequest) add(name string, n emit.Node) {
	r.arguments = append(r.arguments, emit.Named(name, "=", n))
}

// headers adds the argument headers: a dict, or a list of tuples where a name
// repeats. more are items for a dict.
func (r *pythonRequest) headers(more []emit.Node, skip func(f *plan.Field) bool) {
	fields, repeated := r.c.Headers(), r.c.Repeated()
	if r.takes.joins {
		fields, repeated = r.c.Joined(), false
	}
	items := r.p.List(len(fields) + len(more))
	var find func(name string) *plan.Field
	if repeated {
		find = r.c.Finder()
	}
	for i := range fields {
		switch f := &fields[i]; {
		case skip(f):
		case repeated:
			name := find(f.Name).Name // aiohttp keeps one of two spellings
			items = append(items, emit.Group("", "(", []emit.Node{emit.Leaf(String(r.p, name)), r.fieldValue(f)}, ")"))
		default:
			items = append(items, emit.Named(String(r.p, f.Name), ": ", r.fieldValue(f)))
		}
	}
	items = append(items, more...)
	switch {
	case len(items) == 0:
	case repeated:
		r.add("headers", emit.Group("", "[", items, "]"))
	default:
		r.add("headers", emit.Group("", "{", items, "}"))
	}
}

// fieldValue returns the value of a field. The clients encode str as Latin-1,
// or not at all, so that it is bytes where it is not ASCII.
func (r *pythonRequest) fieldValue(f *plan.Field) emit.Node {
	switch {
	case f.Derived() && f.Is("Authorization"):
		return r.basicValue("credentials", r.c.Basic)
	case f.Derived() && f.Is("Proxy-Authorization"):
		proxy, _ := r.c.ProxyServer()
		return r.basicValue("proxy_credentials", proxy.Credentials)
	case f.Value.IsASCII(), r.takes.utf8 && f.Value.IsText():
		return pythonText(r.p, f.Value)
	case r.takes.utf8:
		r.p.Refuse("sends only text in header fields")
	}
	return pythonData(r.p, f.Value)
}

// credential returns a user name or a password as the clients encode it: str as
// Latin-1, so that bytes stand where it is not ASCII.
func (r *pythonRequest) credential(t plan.Text) emit.Node {
	if t.IsASCII() {
		return pythonText(r.p, t)
	}
	return pythonData(r.p, t)
}

// credentials returns a user name and a password.
func (r *pythonRequest) credentialPair(c *plan.Credentials) []emit.Node {
	return []emit.Node{r.credential(c.User), r.credential(c.Password)}
}

// basicValue writes the statement that encodes credentials, and returns the
// value of a field that has them.
func (r *pythonRequest) basicValue(variable string, c *plan.Credentials) emit.Node {
	r.p.Use("import base64")
	r.p.Node(variable+" = ", emit.Followed(emit.Wrapped("base64.b64encode", bytesOf(r.p, c.Joined())), ".decode()"), "")
	return emit.Leaf(`f"Basic {` + variable + `}"`)
}

// bytesOf returns an expression of type bytes.
func bytesOf(p *plan.Program, t plan.Text) emit.Node {
	if s, plain := t.Plain(); plain && ascii.Only(s) {
		return Long(p, s, "b")
	}
	return pythonData(p, t)
}

// content returns the arguments that make the body.
func (r *pythonRequest) content() []emit.Node {
	if r.c.Content.Kind == plan.NoBody {
		return nil
	}
	if r.c.Content.Kind == plan.MultipartBody && (r.takes.files || r.takes.fields) {
		if form, ok := r.formArguments(); ok {
			return form
		}
	}
	return append(r.p.List(1), r.contentArgument())
}

// contentArgument returns the argument that makes the body.
func (r *pythonRequest) contentArgument() emit.Node {
	switch r.c.Content.Kind {
	case plan.RawBody:
		return r.rawContent()
	case plan.MultipartBody:
		return r.rawMultipart()
	case plan.FileBody:
		if r.takes.streams {
			return emit.Leaf(r.takes.data + "=" + r.open(r.c.Content.File))
		}
		return emit.Named(r.takes.data, "=", pythonPieces(r.p, []plan.Piece{{File: r.c.Content.File}}))
	}
	return emit.Named(r.takes.data, "=", pythonPieces(r.p, r.c.Content.List))
}

// rawContent returns the argument for a body whose bytes are known.
func (r *pythonRequest) rawContent() emit.Node {
	if n, ok := r.jsonContent(); ok {
		return n
	}
	switch {
	case !r.c.IsForm(&plan.EncodeQuotePlus):
	case r.takes.form != "" && (!r.takes.dict || uniqueNames(r.c.Content.Form)):
		r.c.Imply(r.c.Field("Content-Type"))
		return emit.Named(r.takes.form, "=", r.pairs(r.c.Content.Form))
	default:
		r.p.Use("from urllib.parse import urlencode")
		n := emit.Group("urlencode", "(", []emit.Node{r.pairs(r.c.Content.Form)}, ")")
		if r.takes.bytes {
			n = emit.Followed(n, ".encode()")
		}
		return emit.Named(r.takes.data, "=", n)
	}
	if r.takes.bytes {
		return emit.Named(r.takes.data, "=", bytesOf(r.p, r.c.Content.Data))
	}
	return emit.Named(r.takes.data, "=", pythonData(r.p, r.c.Content.Data))
}

// jsonContent returns the argument for a body that json.dumps prints.
func (r *pythonRequest) jsonContent() (n emit.Node, ok bool) {
	for _, d := range pythonDumps {
		if !r.p.Encodes(&d.Encoder, r.c) {
			continue
		}
		if d.arguments == "" && r.takes.json != "" && r.c.HasType("application/json") {
			r.c.Imply(r.c.Field("Content-Type"))
			return emit.Named(r.takes.json, "=", pythonValue(r.p, r.c, r.c.Content.JSON)), true
		}
		r.p.Use("import json")
		arguments := []emit.Node{pythonValue(r.p, r.c, r.c.Content.JSON)}
		if d.arguments != "" {
			arguments = append(arguments, emit.Leaf(strings.TrimPrefix(d.arguments, ", ")))
		}
		dumps := emit.Group("json.dumps", "(", arguments, ")")
		if r.takes.bytes || !d.ASCIIOnly && !r.c.Content.Data.IsASCII() {
			dumps = emit.Followed(dumps, ".encode()")
		}
		return emit.Named(r.takes.data, "=", dumps), true
	}
	return emit.Node{}, false
}

// pairs returns a dict, or a list of tuples where a name repeats.
func (r *pythonRequest) pairs(pairs []plan.Pair) emit.Node {
	unique := uniqueNames(pairs)
	items := make([]emit.Node, len(pairs))
	for i, p := range pairs {
		name, value := pythonText(r.p, plan.Decoded(p.Name)), pythonText(r.p, plan.Decoded(p.Value))
		if unique {
			items[i] = emit.Named(name.Line(), ": ", value)
		} else {
			items[i] = emit.Group("", "(", []emit.Node{name, value}, ")")
		}
	}
	if unique {
		return emit.Group("", "{", items, "}")
	}
	return emit.Group("", "[", items, "]")
}

// query adds the argument params, whose pairs go out as the encoder prints them, if
// takes has no objection to their names.
func (r *pythonRequest) query(e *plan.FormEncoder, takes func(names []string) bool) {
	if pairs := r.c.TakeQuery(e, takes); pairs != nil {
		r.add("params", r.pairs(pairs))
	}
}

// encodedQuery writes the statement that makes the query, for clients that have no
// argument for it.
func (r *pythonRequest) encodedQuery() {
	if pairs := r.c.TakeQuery(&plan.EncodeQuotePlus, nil); pairs != nil {
		r.p.Use("from urllib.parse import urlencode")
		r.p.Node("query = ", emit.Group("urlencode", "(", []emit.Node{r.pairs(pairs)}, ")"), "")
		r.c.ComputeQuery("query")
	}
}

// uniqueNames reports whether no name repeats.
func uniqueNames(pairs []plan.Pair) bool { return emit.Distinct(plan.PairNames(pairs)) }

// formArguments returns the arguments of requests and httpx for a form: data, a dict of
// texts, and files; or files alone. It reports false where they would write other names.
func (r *pythonRequest) formArguments() (arguments []emit.Node, ok bool) {
	for i := range r.c.Content.Part {
		plain := func(name string) bool {
			return ascii.Only(name) && !strings.Contains(name, `\`) && // urllib3 1 and httpx double it
				!(r.c.Body.FormEscape && strings.ContainsAny(name, "\"\r\n")) // they percent-encode these
		}
		if p := &r.c.Content.Part[i]; !p.Helped() || !plain(p.Name) ||
			p.FilenameText != nil && (!plain(*p.FilenameText) || p.TypeText == nil && r.takes.guesses) {
			return nil, false
		}
	}
	texts := 0
	if !r.takes.fields {
		texts = r.textsFirst()
	}
	if texts > 0 {
		items := make([]emit.Node, texts)
		for i := range items {
			p := &r.c.Content.Part[i]
			items[i] = emit.Named(pythonText(r.p, p.NameText).Line(), ": ", pythonText(r.p, p.ValueText))
		}
		arguments = append(arguments, emit.Named("data", "=", emit.Group("", "{", items, "}")))
	}
	return append(arguments, r.filesArgument(r.c.Content.Part[texts:])), true
}

// textsFirst returns how many parts the argument data writes, which come before those of
// files: plain texts that have names of their own, in the idiomatic style. Without a file
// they would be no multipart form.
func (r *pythonRequest) textsFirst() int {
	parts := r.c.Content.Part
	var names []string
	for i := range parts {
		p := &parts[i]
		if p.IsFile() && !r.p.Exact() && emit.Distinct(names) {
			return i
		}
		if p.IsFile() || p.FilenameText != nil || p.TypeText != nil || !p.ValueText.IsText() {
			return 0
		}
		names = append(names, p.Name)
	}
	return 0
}

// filesArgument returns the argument files, or fields: a tuple of a file name or None, the content,
// and a type for each name, in a dict in the idiomatic style.
func (r *pythonRequest) filesArgument(parts []plan.FormPart) emit.Node {
	dict, argument := !r.p.Exact() && emit.Distinct(plan.PartNames(parts)), "files"
	if r.takes.fields {
		argument = "fields"
	}
	items := make([]emit.Node, len(parts))
	for i := range parts {
		p := &parts[i]
		filename := emit.Leaf("None")
		switch {
		case p.Implied:
			r.p.Use("import os")
			filename = pythonText(r.p, p.FileText).Around("os.path.basename(", ")")
		case p.FilenameText != nil:
			filename = emit.Leaf(String(r.p, *p.FilenameText))
		}
		content := pythonData(r.p, p.ValueText)
		switch {
		case p.IsFile() && r.takes.fields:
			content = emit.Leaf(pythonFile(r.p, plan.Piece{File: p.FileText}))
		case p.IsFile():
			content = emit.Leaf(r.open(p.FileText))
		}
		tuple := []emit.Node{filename, content}
		switch {
		case p.TypeText != nil:
			tuple = append(tuple, emit.Leaf(String(r.p, *p.TypeText)))
		case r.takes.fields:
			tuple = append(tuple, emit.Leaf("None")) // else urllib3 guesses
		}
		name, part := pythonText(r.p, p.NameText), emit.Group("", "(", tuple, ")")
		if r.takes.fields && !p.IsFile() && p.FilenameText == nil && p.TypeText == nil {
			part = content
		}
		if dict {
			items[i] = emit.Named(name.Line(), ": ", part)
		} else {
			items[i] = emit.Group("", "(", []emit.Node{name, part}, ")")
		}
	}
	if dict {
		return emit.Named(argument, "=", emit.Group("", "{", items, "}"))
	}
	return emit.Named(argument, "=", emit.Group("", "[", items, "]"))
}

// rawMultipart returns the bytes of a form, put together here because the
// client would write it otherwise.
func (r *pythonRequest) rawMultipart() emit.Node {
	return emit.Named(r.takes.data, "=", pythonPieces(r.p, r.c.RawForm()))
}

// open opens a file for the time of the request and returns its variable; for
// standard input, its stream.
func (r *pythonRequest) open(name plan.Text) string {
	if s, ok := name.Plain(); ok && s == "-" {
		r.p.Use("import sys")
		return "sys.stdin.buffer"
	}
	variable := "file"
	if n := len(r.opened); n > 0 {
		variable += emit.Itoa(n + 1)
	}
	r.opened = append(r.opened, "open("+pythonText(r.p, name).Line()+`, "rb") as `+variable)
	return variable
}

// pythonPieces returns the bytes of texts and files, joined.
func pythonPieces(p *plan.Program, pieces []plan.Piece) emit.Node {
	items := make([]emit.Node, 0, len(pieces))
	for _, one := range pieces {
		if !one.IsText {
			items = append(items, emit.Leaf(pythonFile(p, one)))
			continue
		}
		if s, ok := one.Text.Plain(); ok {
			items = append(items, Long(p, s, "b"))
		} else {
			items = append(items, pythonData(p, one.Text))
		}
	}
	if len(items) == 1 {
		return items[0]
	}
	return emit.Group(`b"".join`, "(", []emit.Node{emit.Group("", "[", items, "]")}, ")")
}

// pythonFile returns the content of a file, changed as curl changes it.
func pythonFile(p *plan.Program, one plan.Piece) string {
	var read string
	if name, ok := one.File.Plain(); ok && name == "-" {
		p.Use("import sys")
		read = "sys.stdin.buffer.read()"
	} else {
		p.Use("from pathlib import Path")
		read = "Path(" + pythonText(p, one.File).Line() + ").read_bytes()"
	}
	if one.Offset > 0 {
		read += "[" + emit.Itoa(int(one.Offset)) + ":]"
	}
	if one.Strip {
		read += `.translate(None, b"\r\n\0")`
	}
	if one.Urlencode {
		p.Use("from urllib.parse import quote_plus")
		read = "quote_plus(" + read + ").encode()"
	}
	if len(one.Name) > 0 {
		read = Bytes(p, one.Name.Source()+"=") + " + " + read
	}
	return read
}

// inside writes statements inside of with blocks.
func (r *pythonRequest) inside(opens []string, body func()) {
	if len(opens) == 0 {
		body()
		return
	}
	if one := "with " + strings.Join(opens, ", ") + ":"; r.p.Fits(len(one)) {
		r.p.Line(one)
	} else {
		r.p.Line("with (") // since Python 3.10
		for _, open := range opens {
			r.p.Line(r.p.Indent, open, ",")
		}
		r.p.Line("):")
	}
	r.p.Level++
	body()
	r.p.Level--
}

// failure writes what ends the program for a status of 400 and more.
func (r *pythonRequest) failure() {
	r.p.Line("if response.status >= 400:")
	r.p.Line(r.p.Indent, "raise ", r.exception(), `(f"HTTP {response.status}")`)
}

// context writes the statements that make a TLS context, and reports whether
// one is needed.
func (r *pythonRequest) context() bool {
	if !r.c.Insecure() && len(r.c.CaFile()) == 0 && len(r.c.Cert()) == 0 && !r.boundsTLS() {
		return false
	}
	r.p.Line(r.newContext())
	if r.c.Insecure() {
		r.p.Line("context.check_hostname = False")
		r.p.Line("context.verify_mode = ssl.CERT_NONE")
	}
	if len(r.c.Cert()) > 0 {
		r.p.Line(r.loadCertificate())
	}
	for _, s := range r.tlsBounds() {
		r.p.Line(s)
	}
	return true
}

// loadCertificate returns the statement that gives a TLS context the client's certificate.
func (r *pythonRequest) loadCertificate() string {
	arguments := pythonText(r.p, r.c.Cert()).Line()
	if len(r.c.Key()) > 0 {
		arguments += ", " + pythonText(r.p, r.c.Key()).Line()
	}
	if phrase := r.c.KeyPassword(); len(phrase) > 0 {
		arguments += ", password=" + pythonText(r.p, phrase).Line()
	}
	return "context.load_cert_chain(" + arguments + ")"
}

// newContext returns the statement that makes a TLS context.
func (r *pythonRequest) newContext() string {
	r.p.Use("import ssl")
	ca := ""
	if len(r.c.CaFile()) > 0 {
		ca = "cafile=" + pythonText(r.p, r.c.CaFile()).Line()
	}
	return "context = ssl.create_default_context(" + ca + ")"
}

// tlsBounds returns the statements that bound the versions of TLS of a context.
func (r *pythonRequest) tlsBounds() (statements []string) {
	for _, o := range []struct{ name, member string }{{"minimum_version", "tlsMin"}, {"maximum_version", "tlsMax"}} {
		if r.c.BoundsTLS(o.member) {
			statements = append(statements, "context."+o.name+" = ssl.TLSVersion."+r.c.TLSName(o.member, "_"))
		}
	}
	return statements
}

// boundsTLS reports whether the command bounds the version of TLS.
func (r *pythonRequest) boundsTLS() bool {
	return r.c.BoundsTLS("tlsMin") || r.c.BoundsTLS("tlsMax")
}
