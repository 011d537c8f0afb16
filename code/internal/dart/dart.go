package dart

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/internal/engine/source/quote"
	"uncoil/request"
)

// What package:http 1 with dart:io of Dart 3 does by itself, from its source:
// it adds user-agent, accept-encoding and host; writes names of fields in small
// letters, each once, and methods in capitals; Uri normalizes the URL; text
// gets a type, and its charset, but bytes do not; follows redirects of GET and
// HEAD unless told not to, and of POST after 303 only.
var HTTP = plan.Target{
	Name: "dart", Convention: &convention, Client: "package:http", Version: "1", Kind: plan.Code, Extension: "dart", Tried: plan.Parsed,
	Why:      "Tree-sitter's grammar of Dart reads them; no SDK has run them",
	Packages: []plan.Package{{Name: "http", Version: "1.0.0"}, {Name: "http_parser", Version: "4.0.0", Import: "http_parser"}},
	Aliases:  []string{"dart-http", "flutter"}, Style: emit.Style{Indent: "  ", Comma: ",", Comment: "// ", Wraps: "=:"}, Write: writeDart,
	Facts: dartIO,
}

// convention is what is customary in the language.
var convention = plan.Convention{Language: "dart", Manifest: plan.Manifest{File: "pubspec.yaml", Line: "$n: ^$v"}}

// dartIO is what dart:io does and can do, over which the clients of Dart stand.
var dartIO = plan.Client{
	Adds:    plan.FieldNames{"User-Agent", "Accept-Encoding"},
	Always:  plan.FieldNames{"Host"},
	Rules:   plan.Rules{plan.SendsMethods(plan.Capitals), plan.RemovesDots},
	Counts:  func(string) bool { return true },
	Follows: []string{"GET", "HEAD"},
	Proxies: []string{"http"},
}

// encoder prints as jsonEncode does.
var encoder = emit.Encoder{Item: ",", Name: ":", Number: plan.PlainNumber, Keeps: emit.Distinct}

func writeDart(p *plan.Program) {
	var contexts, proxies [][]string
	alone := isAlone(p)
	depth := 2
	if alone {
		depth = 1
	}
	sections := p.Sections(p.Depth(depth), func(c *plan.Call, suffix string) {
		r := dartRequest{p: p, c: c, client: "client", request: "request" + suffix, response: "response" + suffix}
		if alone {
			r.client = ""
		}
		r.write()
		contexts, proxies = append(contexts, r.context()), append(proxies, r.proxy())
	})
	p.Use("import 'package:http/http.dart' as http;")
	context := oneContext(p, contexts, proxies)
	if len(p.Helpers) > 0 || len(context) > 0 { // settings of dart:io's client
		p.Use("import 'dart:io';")
		p.Use("import 'package:http/io_client.dart';")
	}
	imports(p)
	if p.Options.Bare {
		p.Join(sections)
		return
	}
	p.Block("Future<void> main() async {", func() {
		if alone {
			p.Join(sections)
			return
		}
		if len(p.Helpers) > 0 || len(context) > 0 {
			for _, line := range context {
				p.Line(line)
			}
			p.Line("final httpClient = HttpClient(", map[bool]string{true: "context: context"}[len(context) > 0], ");")
			for _, setting := range p.Helpers {
				p.Line("httpClient.", setting, ";")
			}
			p.Line("final client = IOClient(httpClient);")
		} else {
			p.Line("final client = http.Client();")
		}
		p.Line("try {")
		p.Join(sections)
		p.Line("} finally {")
		p.Line(p.Indent, "client.close();")
		p.Line("}")
	})
	p.Line("}")
}

// isAlone reports whether the program makes one request, for which the package has a client: nothing
// is to be set there.
func isAlone(p *plan.Program) bool {
	if len(p.Calls) != 1 || p.Exact() {
		return false
	}
	c := p.Calls[0]
	return !c.Insecure() && c.Asked.ConnectTimeout == 0 && c.ProxyScheme() == "" && !c.Removes("User-Agent") && len(c.Cert())+len(c.CaFile()) == 0
}

// oneContext returns what makes the SecurityContext of the program, whose one client has one
// proxy, too: another request must not go through it.
func oneContext(p *plan.Program, contexts, proxies [][]string) []string {
	differ := func(lists [][]string) bool {
		return slices.ContainsFunc(lists, func(other []string) bool { return !slices.Equal(other, lists[0]) })
	}
	if differ(contexts) {
		p.Refuse("can set certificates only once per program")
	}
	if differ(proxies) {
		p.Refuse("asks a proxy only for all requests of a program")
	}
	for _, setting := range proxies[0] {
		p.Help(setting)
	}
	return contexts[0]
}

// imports writes the imports of the program, those of the language first.
func imports(p *plan.Program) {
	p.Head(func() {
		for i, line := range p.Imports {
			if i > 0 && strings.HasPrefix(p.Imports[i-1], "import 'dart:") && !strings.HasPrefix(line, "import 'dart:") {
				p.Line()
			}
			p.Line(line)
		}
		p.Line()
	})
}

// context returns the statement that makes the SecurityContext of the program, whose
// client has one for all requests, or nothing.
func (r *dartRequest) context() (lines []string) {
	if !r.c.Encrypts || len(r.c.Cert())+len(r.c.CaFile()) == 0 {
		return nil
	}
	lines = []string{"final context = SecurityContext(withTrustedRoots: " + strconv.FormatBool(len(r.c.CaFile()) == 0) + ")"}
	password := ""
	add := func(method string, file plan.Text) {
		lines = append(lines, r.p.Indent+".."+method+"("+r.text(file).Line()+password+")")
	}
	if len(r.c.CaFile()) > 0 {
		add("setTrustedCertificates", r.c.CaFile())
	}
	if len(r.c.Cert()) > 0 {
		key := r.c.CertKey()
		if r.c.Archive() { // which both methods read
			key = r.c.Cert()
		}
		if phrase := r.c.KeyPassword(); len(phrase) > 0 {
			password = ", password: " + r.text(phrase).Line()
		}
		add("useCertificateChain", r.c.Cert())
		add("usePrivateKey", key)
	}
	lines[len(lines)-1] += ";"
	return lines
}

// A dartRequest writes one call with package:http.
type dartRequest struct {
	p                         *plan.Program
	c                         *plan.Call
	client, request, response string // client is empty where the package has one for the request
}

// hasFunction reports whether a function of the package, such as post, makes the request.
func (r *dartRequest) hasFunction() bool {
	content := r.c.Content.Kind != plan.NoBody
	switch r.c.Method {
	case "GET", "HEAD":
		if content {
			return false
		}
	case "POST", "PUT", "PATCH", "DELETE":
	default:
		return false
	}
	return !r.p.Exact() && !r.c.Stops() && (!r.c.Follow() || r.c.MaxRedirects() < 0) && !r.hasParts()
}

func (r *dartRequest) write() {
	parts := r.hasParts()
	property, body := "", emit.Node{}
	if !parts {
		property, body = r.body()
	}
	var url emit.Node
	if r.c.Guess {
		r.p.Node("var url = ", r.text(r.c.URLText), ";")
		r.p.Line("if (!url.contains('://')) url = 'http://$url'; // as curl does")
		url = emit.Leaf("url")
	} else {
		url = r.text(r.c.URLText)
	}
	url = emit.Group("Uri.parse", "(", []emit.Node{url}, ")")
	if r.hasFunction() {
		r.call(url, body)
		return
	}
	statement := func(n emit.Node) {
		r.p.Level++
		r.p.Node("..", n, "")
		r.p.Level--
	}
	class := "http.Request"
	if parts {
		class = "http.MultipartRequest"
	}
	r.p.Node("final "+r.request+" = ", emit.Group(class, "(", []emit.Node{emit.Leaf(dartString(r.c.Method)), url}, ")"), "")
	switch {
	case r.c.Stops():
		statement(emit.Leaf("followRedirects = false"))
	case r.c.Follow() && r.c.MaxRedirects() >= 0:
		statement(emit.Leaf("maxRedirects = " + emit.Itoa(int(r.c.MaxRedirects()))))
	}
	if fields := r.headers(); len(fields) > 0 {
		statement(emit.Group("headers.addAll(", "{", fields, "})"))
	}
	if property != "" {
		statement(emit.Named(property, " = ", body))
	}
	if parts {
		r.parts(statement)
	}
	r.p.Dst = append(r.p.Dst[:len(r.p.Dst)-1], ";\n"...) // the statement ends after its last part
	r.connection()
	send := r.request + ".send()"
	if r.client != "" {
		send = r.client + ".send(" + r.request + ")"
	}
	r.p.Line("final ", r.response, " = await http.Response.fromStream(await ", send, r.timeout(), ");")
	r.result(r.request + ".url")
}

// call writes the request as a call of a function of the package.
func (r *dartRequest) call(url, body emit.Node) {
	arguments := []emit.Node{url}
	if fields := r.headers(); len(fields) > 0 {
		arguments = append(arguments, emit.Named("headers", ": ", emit.Group("", "{", fields, "}")))
	}
	if body.Head != "" || body.Open != "" {
		arguments = append(arguments, emit.Named("body", ": ", body))
	}
	r.connection()
	start := "final " + r.response + " = await "
	if r.c.Unread(r.p.Options) {
		start = "await "
	}
	r.p.Node(start, emit.Group(cmp.Or(r.client, "http")+"."+strings.ToLower(r.c.Method), "(", arguments, ")"), r.timeout()+";")
	r.result(r.response + ".request?.url")
}

// timeout returns the call that ends a request in time, or nothing.
func (r *dartRequest) timeout() string {
	if r.c.Timeout() == 0 {
		return ""
	}
	return ".timeout(" + duration(r.c.Timeout()) + ")"
}

// duration returns an expression for a time in seconds.
func duration(seconds float64) string {
	if seconds == math.Trunc(seconds) {
		return "const Duration(seconds: " + emit.Seconds(seconds) + ")"
	}
	return "const Duration(milliseconds: " + emit.Milliseconds(seconds) + ")"
}

// connection notes what the client is to be told of connections.
func (r *dartRequest) connection() {
	if limit := r.c.ConnectTimeout(); limit > 0 {
		if r.p.AnyCall("another time to connect", func(c *plan.Call) bool { return c.Asked.ConnectTimeout != limit }) {
			r.p.LossAt(r.c.Place("connectTimeout"), "--connect-timeout", "limits the time to connect only for all requests of a program")
		} else {
			r.p.Help("connectionTimeout = " + duration(limit))
		}
	}
	r.settings()
}

// body returns the property of a request that takes the content, and the content: pairs of a
// form, text, or bytes. The package names UTF-8 beside the type of the first two, which says
// nothing new of JSON and forms.
func (r *dartRequest) body() (property string, value emit.Node) {
	switch raw := r.c.Content.Kind == plan.RawBody; {
	case r.c.Content.Kind == plan.NoBody:
		return "", emit.Node{}
	case raw && emit.Distinct(plan.PairNames(r.c.Content.Form)) && r.c.IsForm(&plan.EncodeQuotePlus) && r.c.LeavesType():
		items := make([]emit.Node, len(r.c.Content.Form))
		for i, p := range r.c.Content.Form {
			items[i] = emit.Named(r.text(plan.Decoded(p.Name)).Line(), ": ", r.text(plan.Decoded(p.Value)))
		}
		return "bodyFields", emit.Group("", "{", items, "}")
	case raw && !r.p.Exact() && r.c.HasType("application/json") && r.p.Encodes(&encoder, r.c):
		r.p.Use("import 'dart:convert';")
		return "body", emit.Group("jsonEncode", "(", []emit.Node{r.value(r.c.Content.JSON)}, ")")
	case raw && !r.p.Exact() && r.c.HasType("application/json") && r.c.Content.Data.IsText():
		return "body", r.text(r.c.Content.Data)
	}
	return "bodyBytes", r.content()
}

// hasParts reports whether MultipartRequest writes the form.
func (r *dartRequest) hasParts() bool {
	return r.c.Content.Kind == plan.MultipartBody && !r.p.Exact() && r.simpleForm() && !slices.ContainsFunc(r.c.Content.Part, func(p plan.FormPart) bool {
		return !p.IsFile() && !p.ValueText.IsASCII() // which get a type and a coding
	})
}

// simpleForm reports whether the helpers of both clients for forms write this one as curl does:
// texts without types, and then files with types and names.
func (r *dartRequest) simpleForm() bool {
	files := false
	return !r.c.Body.FormEscape && emit.Distinct(plan.PartNames(r.c.Content.Part)) && !slices.ContainsFunc(r.c.Content.Part, func(p plan.FormPart) bool {
		odd := !p.Helped() || !p.ValueText.IsText() || plan.HasVariable(p.NameText) || strings.ContainsAny(p.Name, "\r\n\"")
		if !p.IsFile() {
			return odd || files || p.FilenameText != nil || p.TypeText != nil
		}
		files = true
		return odd || p.Implied || p.FilenameText == nil || strings.ContainsAny(*p.FilenameText, "\r\n\"") || p.TypeText == nil || strings.Contains(*p.TypeText, ";") ||
			!plan.IsMediaType(*p.TypeText) || p.FileText.Source() == "-"
	})
}

// parts writes what adds the parts of a form to a request.
func (r *dartRequest) parts(statement func(emit.Node)) {
	for i := range r.c.Content.Part {
		p := &r.c.Content.Part[i]
		if !p.IsFile() {
			statement(emit.Named("fields["+dartString(p.Name)+"]", " = ", r.text(p.ValueText)))
			continue
		}
		arguments := []emit.Node{emit.Leaf(dartString(p.Name)), r.text(p.FileText)}
		if name := p.SentName(); name != "" {
			arguments = append(arguments, emit.Named("filename", ": ", emit.Leaf(dartString(name))))
		}
		if *p.TypeText != "application/octet-stream" { // which the package names by itself
			r.p.Use("import 'package:http_parser/http_parser.dart';")
			kind, sub, _ := strings.Cut(*p.TypeText, "/")
			arguments = append(arguments, emit.Named("contentType", ": ", emit.Leaf("MediaType("+dartString(kind)+", "+dartString(sub)+")")))
		}
		statement(emit.Group("files.add(await http.MultipartFile.fromPath", "(", arguments, "))"))
	}
}

func (r *dartRequest) headers() []emit.Node {
	var items []emit.Node
	for _, f := range r.c.Joined() {
		if f.Skipped() {
			continue
		}
		items = append(items, emit.Named(dartString(f.Name), ": ", r.fieldValue(&f)))
	}
	return items
}

// fieldValue returns the value of a field. dart:io writes a character as a byte.
func (r *dartRequest) fieldValue(f *plan.Field) emit.Node {
	switch {
	case f.Derived() && f.Is("Authorization"):
		r.p.Use("import 'dart:convert';")
		both := r.c.Basic.Joined()
		if both.IsText() {
			return emit.Leaf("'Basic ${base64Encode(utf8.encode(" + r.text(both).Line() + "))}'")
		}
	case !f.Value.IsText():
		r.p.Refuse("sends only text in header fields")
	case !f.Value.IsASCII():
		r.p.Use("import 'dart:convert';")
		return emit.Leaf("latin1.decode(utf8.encode(" + r.text(f.Value).Line() + "))")
	}
	return r.text(f.Value)
}

// settings notes what dart:io's client is to be told.
func (r *dartRequest) settings() {
	if r.c.Removes("User-Agent") {
		r.p.Help("userAgent = null")
		if r.p.AnyCall("User-Agent of the client", func(c *plan.Call) bool { return !c.Removes("User-Agent") && c.Field("User-Agent") == nil }) {
			r.p.Differs("leaves User-Agent out of all requests then")
		}
	}
	if r.c.Insecure() {
		if r.p.AnyCall("checks certificates", func(c *plan.Call) bool { return !c.Insecure() }) {
			r.p.Refuse("takes any certificate only for all requests of a program")
		}
		r.p.Help("badCertificateCallback = (certificate, host, port) => true")
	}
}

// proxy returns the setting that leads all requests of the client through the proxy of this
// one, or nothing.
func (r *dartRequest) proxy() []string {
	s, ok := r.c.ProxyServer()
	if r.c.ProxyScheme() == "" {
		return nil
	}
	if !ok {
		r.p.Refuse("takes no proxy from a variable")
	}
	proxy := plan.Literal("PROXY ")
	if s.Credentials != nil {
		proxy = append(append(append(append(proxy, s.Credentials.User...), plan.Part{Literal: ":"}), s.Credentials.Password...), plan.Part{Literal: "@"})
	}
	return []string{"findProxy = (url) => " + r.text(plan.MergeLiterals(append(proxy, plan.Part{Literal: s.Host + ":" + s.Port}))).Line()}
}

// content returns an expression of type List<int>.
func (r *dartRequest) content() emit.Node {
	switch r.c.Content.Kind {
	case plan.NoBody:
		return emit.Node{}
	case plan.RawBody:
		if r.p.Encodes(&encoder, r.c) {
			r.p.Use("import 'dart:convert';")
			return emit.Group("utf8.encode(jsonEncode", "(", []emit.Node{r.value(r.c.Content.JSON)}, "))")
		}
		return r.bytes(r.c.Content.Data)
	case plan.MultipartBody:
		return r.pieces(r.c.RawForm())
	case plan.FileBody:
		return r.pieces([]plan.Piece{{File: r.c.Content.File}})
	}
	return r.pieces(r.c.Content.List)
}

// bytes returns an expression of type List<int> for a text.
func (r *dartRequest) bytes(t plan.Text) emit.Node {
	if t.IsText() {
		r.p.Use("import 'dart:convert';")
		return emit.Wrapped("utf8.encode", r.text(t))
	}
	s, ok := t.Plain()
	if !ok {
		r.p.Refuse("joins no bytes and variables")
	}
	items := make([]emit.Node, len(s))
	for i := range len(s) {
		items[i] = emit.Leaf(emit.Itoa(int(s[i])))
	}
	return emit.Group("", "[", items, "]")
}

// pieces returns the bytes of texts and files, joined.
func (r *dartRequest) pieces(pieces []plan.Piece) emit.Node {
	items := make([]emit.Node, len(pieces))
	for i, one := range pieces {
		if one.IsText {
			items[i] = emit.Named("...", "", r.bytes(one.Text))
			continue
		}
		if s, ok := one.File.Plain(); ok && s == "-" {
			r.p.Refuse("cannot read standard input")
		}
		r.p.Use("import 'dart:io';")
		file := "await File(" + r.text(one.File).Line() + ")"
		read := file + ".readAsBytes()"
		switch {
		case one.Urlencode:
			r.p.Use("import 'dart:convert';")
			read = "utf8.encode(Uri.encodeQueryComponent(" + file + ".readAsString()))"
		case one.Strip:
			read = "(" + read + ").where((byte) => byte != 10 && byte != 13 && byte != 0)"
		case one.Offset > 0:
			read = "(" + read + ").skip(" + emit.Itoa(int(one.Offset)) + ")"
		}
		if len(one.Name) > 0 {
			items[i] = emit.Leaf("...utf8.encode(" + r.text(one.Prefix()).Line() + "), ..." + read)
			continue
		}
		items[i] = emit.Named("...", "", emit.Leaf(read))
	}
	if len(pieces) == 1 && (pieces[0].IsText || !pieces[0].Strip && pieces[0].Offset == 0 && len(pieces[0].Name) == 0) {
		items[0].Name = ""
		return items[0]
	}
	return emit.Group("", "[", items, "]")
}

func (r *dartRequest) result(url string) {
	if r.c.Fail() {
		r.p.Line("if (", r.response, ".statusCode >= 400) {")
		r.p.Line(r.p.Indent, "throw http.ClientException('HTTP ${", r.response, ".statusCode}', ", url, ");")
		r.p.Line("}")
	}
	switch r.c.Destination(r.p.Options) {
	case plan.ToFile:
		r.p.Use("import 'dart:io';")
		if folder := r.c.Folder(); folder != nil {
			r.p.Line("await Directory(", r.text(folder).Line(), ").create(recursive: true);")
		}
		r.p.Line("await File(", r.text(r.c.Output()).Line(), ").writeAsBytes(", r.response, ".bodyBytes);")
	case plan.HeadersPrinted:
		r.p.Line("print(", r.response, ".headers);")
	case plan.ContentPrinted:
		r.p.Line("print(", r.response, ".body);")
	}
}

// text returns an expression of type String.
func (r *dartRequest) text(t plan.Text) emit.Node {
	if s, ok := t.Plain(); ok {
		return r.p.LongString(s, "", dartString)
	}
	if len(t) == 1 {
		return emit.Leaf(r.variable(t[0].Variable))
	}
	var b strings.Builder
	b.WriteByte('\'')
	for _, p := range t {
		if p.Variable == nil {
			quoted := dartString(p.Literal)
			b.WriteString(quoted[1 : len(quoted)-1])
			continue
		}
		b.WriteString("${" + r.variable(p.Variable) + "}")
	}
	b.WriteByte('\'')
	return emit.Leaf(b.String())
}

// variable returns the expression that reads a variable.
func (r *dartRequest) variable(v *request.Variable) string {
	if v.Encoding == plan.Computed {
		return v.Name
	}
	r.p.Use("import 'dart:io';")
	expr := "Platform.environment[" + dartString(v.Name) + "] ?? " + dartString(v.Default)
	switch v.Encoding {
	case plan.UserPart:
		return "(" + expr + ").split(':').first"
	case plan.PasswordPart:
		return "(" + expr + ").split(':').skip(1).join(':')"
	case plan.LastSegment:
		return "(" + expr + ").split('/').last"
	case request.EncodingPercent:
		return "Uri.encodeComponent(" + expr + ")"
	case request.EncodingForm:
		return "Uri.encodeQueryComponent(" + expr + ")"
	case request.EncodingJSON:
		r.p.Use("import 'dart:convert';")
		return "jsonEncode(" + expr + ").replaceAll(RegExp(r'^\"|\"$'), '')"
	}
	return expr
}

// value returns a JSON value of the content as a literal.
func (r *dartRequest) value(v *emit.Value) emit.Node {
	switch v.Kind {
	case emit.StringValue:
		switch t := r.c.StringOf(v); {
		case len(t) == 1 && t[0].Variable != nil:
			return emit.Leaf(r.variable(t[0].Variable))
		case len(t) > 1:
			return r.text(t)
		}
		return emit.Leaf(dartString(v.Text))
	case emit.ArrayValue:
		items := make([]emit.Node, len(v.Items))
		for i := range v.Items {
			items[i] = r.value(&v.Items[i])
		}
		return emit.Group("", "[", items, "]")
	case emit.ObjectValue:
		items := make([]emit.Node, len(v.Items))
		for i := range v.Items {
			items[i] = emit.Named(dartString(v.Names[i]), ": ", r.value(&v.Items[i]))
		}
		return emit.Group("", "{", items, "}")
	}
	return emit.Leaf(v.Text)
}

// dartString returns a string literal for UTF-8.
func dartString(s string) string {
	b := []byte{'\''}
	for _, r := range s {
		switch {
		case r == '\'' || r == '\\' || r == '$':
			b = append(b, '\\', byte(r))
		case emit.LineEscape(r) != 0:
			b = append(b, '\\', emit.LineEscape(r))
		case r < ' ' || r == 0x7f:
			b = append(b, '\\', 'x', emit.HexDigits[r>>4], emit.HexDigits[r&15])
		case quote.Turns(r):
			b = emit.AppendCodeUnit(b, r)
		default:
			b = append(b, string(r)...)
		}
	}
	return string(append(b, '\''))
}
