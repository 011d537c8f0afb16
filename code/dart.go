package code

import (
	"slices"
	"strconv"
	"strings"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/source/quote"
	"uncoil/request"
)

// What package:http 1 with dart:io of Dart 3 does by itself, from its source:
// it adds user-agent, accept-encoding and host; writes names of fields in small
// letters, each once, and methods in capitals; Uri normalizes the URL; text
// gets a type, and its charset, but bytes do not; follows redirects unless told
// not to.
var dartHTTP = Target{
	Name: "dart", Language: "dart", Client: "package:http", Version: "1", Kind: Code, Extension: "dart",
	Aliases: []string{"dart-http", "flutter"}, style: style{indent: "  ", comma: ",", comment: "// ", wraps: "=:"}, write: writeDart,
	client: client{
		adds:    fieldNames{"User-Agent", "Accept-Encoding"},
		always:  fieldNames{"Host"},
		methods: capitals,
		dots:    true,
		counts:  func(string) bool { return true },
		says:    []string{"createDirs", "followRedirects", "maxRedirects", "maxTime", "connectTimeout", "insecure", "cacert", "cert"},
		proxies: []string{"http"},
	},
}

// dartEncoder prints as jsonEncode does.
var dartEncoder = encoder{item: ",", name: ":", number: plainNumber, keeps: distinct}

func writeDart(p *program) {
	level := 2
	if p.options.Bare {
		level = 0
	}
	sections := p.sections(level, func(c *call, suffix string) {
		r := dartRequest{p: p, c: c, request: "request" + suffix, response: "response" + suffix}
		r.write()
	})
	if p.options.Bare {
		p.join(sections)
		return
	}
	p.use("import 'package:http/http.dart' as http;")
	context := p.dartContext()
	if len(p.helpers) > 0 || len(context) > 0 { // settings of dart:io's client
		p.use("import 'dart:io';")
		p.use("import 'package:http/io_client.dart';")
	}
	for i, line := range p.imports {
		if i > 0 && strings.HasPrefix(p.imports[i-1], "import 'dart:") && !strings.HasPrefix(line, "import 'dart:") {
			p.line()
		}
		p.line(line)
	}
	p.line()
	p.block("Future<void> main() async {", func() {
		if len(p.helpers) > 0 || len(context) > 0 {
			for _, line := range context {
				p.line(line)
			}
			p.line("final httpClient = HttpClient(", map[bool]string{true: "context: context"}[len(context) > 0], ");")
			for _, setting := range p.helpers {
				p.line("httpClient.", setting, ";")
			}
			p.line("final client = IOClient(httpClient);")
		} else {
			p.line("final client = http.Client();")
		}
		p.line("try {")
		p.join(sections)
		p.line("} finally {")
		p.line(p.indent, "client.close();")
		p.line("}")
	})
	p.line("}")
}

// dartContext returns the statement that makes the SecurityContext of the program, whose
// client has one for all requests, or nothing.
func (p *program) dartContext() []string {
	of := func(c *call) (lines []string) {
		if !c.encrypts || len(c.cert)+len(c.caFile) == 0 {
			return nil
		}
		r := dartRequest{p: p, c: c}
		lines = []string{"final context = SecurityContext(withTrustedRoots: " + strconv.FormatBool(len(c.caFile) == 0) + ")"}
		add := func(method string, file text) {
			lines = append(lines, p.indent+".."+method+"("+r.text(file).line()+")")
		}
		if len(c.caFile) > 0 {
			add("setTrustedCertificates", c.caFile)
		}
		if len(c.cert) > 0 {
			key := c.key
			if len(key) == 0 {
				key = c.cert // which holds both
			}
			add("useCertificateChain", c.cert)
			add("usePrivateKey", key)
		}
		lines[len(lines)-1] += ";"
		return lines
	}
	var context []string
	for i, c := range p.calls {
		one := of(c)
		if i > 0 && !slices.Equal(one, context) {
			p.refuse("takes certificates only for all requests of a program")
		}
		context = one
	}
	return context
}

// A dartRequest writes one call with package:http.
type dartRequest struct {
	p                 *program
	c                 *call
	request, response string
}

func (r *dartRequest) write() {
	body, lines := r.content(), false
	class := "http.Request"
	var url node
	if r.c.guess {
		r.p.node("var url = ", r.text(r.c.url), ";")
		r.p.line("if (!url.contains('://')) url = 'http://$url'; // as curl does")
		url = leaf("url")
	} else {
		url = r.text(r.c.url)
	}
	statement := func(n node) {
		r.p.level++
		r.p.node("..", n, "")
		r.p.level--
		lines = true
	}
	r.p.node("final "+r.request+" = ", group(class, "(", []node{leaf(dartString(r.c.Method)), group("Uri.parse", "(", []node{url}, ")")}, ")"), "")
	switch {
	case !r.c.follow:
		statement(leaf("followRedirects = false"))
	case r.c.maxRedirects >= 0:
		statement(leaf("maxRedirects = " + itoa(int(r.c.maxRedirects))))
	}
	if fields := r.headers(); len(fields) > 0 {
		statement(group("headers.addAll(", "{", fields, "})"))
	}
	if body.head != "" || body.open != "" {
		statement(named("bodyBytes", " = ", body))
	}
	if lines { // the statement ends after its last part
		r.p.dst = append(r.p.dst[:len(r.p.dst)-1], ";\n"...)
	}
	r.settings()
	send := "client.send(" + r.request + ")"
	if r.c.timeout > 0 {
		send += ".timeout(const Duration(milliseconds: " + milliseconds(r.c.timeout) + "))"
	}
	r.p.line("final ", r.response, " = await http.Response.fromStream(await ", send, ");")
	r.result()
}

func (r *dartRequest) headers() []node {
	var items []node
	for _, f := range r.c.joined() {
		items = append(items, named(dartString(f.name), ": ", r.fieldValue(&f)))
	}
	for _, name := range r.c.removed {
		if ascii.EqualFold(name, "User-Agent") {
			r.p.help("userAgent = null")
		}
	}
	return items
}

// fieldValue returns the value of a field. dart:io writes a character as a byte.
func (r *dartRequest) fieldValue(f *field) node {
	switch {
	case f.derived && f.is("Authorization"):
		r.p.use("import 'dart:convert';")
		both := r.c.basic.joined()
		if both.isText() {
			return leaf("'Basic ${base64Encode(utf8.encode(" + r.text(both).line() + "))}'")
		}
	case !f.value.isText():
		r.p.refuse("sends only text in header fields")
	case !f.value.isASCII():
		r.p.use("import 'dart:convert';")
		return leaf("latin1.decode(utf8.encode(" + r.text(f.value).line() + "))")
	}
	return r.text(f.value)
}

// settings notes what dart:io's client is to be told.
func (r *dartRequest) settings() {
	if r.c.connectTimeout > 0 {
		r.p.help("connectionTimeout = const Duration(milliseconds: " + milliseconds(r.c.connectTimeout) + ")")
	}
	if r.c.insecure {
		if slices.ContainsFunc(r.p.calls, func(c *call) bool { return !c.insecure }) {
			r.p.refuse("takes any certificate only for all requests of a program")
		}
		r.p.help("badCertificateCallback = (certificate, host, port) => true")
	}
	if s, ok := r.c.proxyServer(); r.c.proxyScheme() != "" {
		if !ok {
			r.p.refuse("takes no proxy from a variable")
		}
		proxy := literal("PROXY ")
		if s.credentials != nil {
			proxy = append(append(append(append(proxy, s.credentials.user...), part{literal: ":"}), s.credentials.password...), part{literal: "@"})
		}
		r.p.help("findProxy = (url) => " + r.text(mergeLiterals(append(proxy, part{literal: s.host + ":" + s.port}))).line())
	}
}

// content returns an expression of type List<int>.
func (r *dartRequest) content() node {
	switch r.c.body.kind {
	case noBody:
		return node{}
	case rawBody:
		data, known := r.c.body.data.plain()
		if r.c.body.json != nil && known && dartEncoder.prints(r.c.body.json, data) {
			r.p.use("import 'dart:convert';")
			return group("utf8.encode(jsonEncode", "(", []node{dartValue(r.c.body.json)}, "))")
		}
		return r.bytes(r.c.body.data)
	case multipartBody:
		return r.pieces(r.c.rawForm())
	case fileBody:
		return r.pieces([]piece{{file: r.c.body.file}})
	}
	return r.pieces(r.c.body.list)
}

// bytes returns an expression of type List<int> for a text.
func (r *dartRequest) bytes(t text) node {
	if t.isText() {
		r.p.use("import 'dart:convert';")
		return wrapped("utf8.encode", r.text(t))
	}
	s, ok := t.plain()
	if !ok {
		r.p.refuse("joins no bytes and variables")
	}
	items := make([]node, len(s))
	for i := range len(s) {
		items[i] = leaf(itoa(int(s[i])))
	}
	return group("", "[", items, "]")
}

// pieces returns the bytes of texts and files, joined.
func (r *dartRequest) pieces(pieces []piece) node {
	items := make([]node, len(pieces))
	for i, one := range pieces {
		if one.isText {
			items[i] = named("...", "", r.bytes(one.text))
			continue
		}
		if s, ok := one.file.plain(); ok && s == "-" {
			r.p.refuse("is not written to read standard input")
		}
		r.p.use("import 'dart:io';")
		file := "await File(" + r.text(one.file).line() + ")"
		read := file + ".readAsBytes()"
		switch {
		case one.urlencode:
			r.p.use("import 'dart:convert';")
			read = "utf8.encode(Uri.encodeQueryComponent(" + file + ".readAsString()))"
		case one.strip:
			read = "(" + read + ").where((byte) => byte != 10 && byte != 13 && byte != 0)"
		case one.offset > 0:
			read = "(" + read + ").skip(" + itoa(int(one.offset)) + ")"
		}
		if len(one.name) > 0 {
			items[i] = leaf("...utf8.encode(" + r.text(one.prefix()).line() + "), ..." + read)
			continue
		}
		items[i] = named("...", "", leaf(read))
	}
	if len(pieces) == 1 && (pieces[0].isText || !pieces[0].strip && pieces[0].offset == 0 && len(pieces[0].name) == 0) {
		items[0].name = ""
		return items[0]
	}
	return group("", "[", items, "]")
}

func (r *dartRequest) result() {
	if r.c.fail {
		r.p.line("if (", r.response, ".statusCode >= 400) {")
		r.p.line(r.p.indent, "throw http.ClientException('HTTP ${", r.response, ".statusCode}', ", r.request, ".url);")
		r.p.line("}")
	}
	switch r.c.destination(r.p.options) {
	case toFile:
		r.p.use("import 'dart:io';")
		if folder := r.c.folder(); folder != nil {
			r.p.line("await Directory(", r.text(folder).line(), ").create(recursive: true);")
		}
		r.p.line("await File(", r.text(r.c.output).line(), ").writeAsBytes(", r.response, ".bodyBytes);")
	case headersPrinted:
		r.p.line("print(", r.response, ".headers);")
	case contentPrinted:
		r.p.line("print(", r.response, ".body);")
	}
}

// text returns an expression of type String.
func (r *dartRequest) text(t text) node {
	if s, ok := t.plain(); ok {
		return r.p.longString(s, "", dartString)
	}
	r.p.use("import 'dart:io';")
	var b strings.Builder
	b.WriteByte('\'')
	for _, p := range t {
		if p.variable == nil {
			quoted := dartString(p.literal)
			b.WriteString(quoted[1 : len(quoted)-1])
			continue
		}
		b.WriteString("${" + r.variable(p.variable) + "}")
	}
	b.WriteByte('\'')
	return leaf(b.String())
}

// variable returns the expression that reads a variable.
func (r *dartRequest) variable(v *request.Variable) string {
	expr := "Platform.environment[" + dartString(v.Name) + "] ?? " + dartString(v.Default)
	switch v.Encoding {
	case userPart:
		return "(" + expr + ").split(':').first"
	case passwordPart:
		return "(" + expr + ").split(':').skip(1).join(':')"
	case lastSegment:
		return "(" + expr + ").split('/').last"
	case request.Percent:
		return "Uri.encodeComponent(" + expr + ")"
	case request.FormEncode:
		return "Uri.encodeQueryComponent(" + expr + ")"
	case request.JSONEscape:
		r.p.use("import 'dart:convert';")
		r.p.use("import 'dart:io';")
		return "jsonEncode(" + expr + ").replaceAll(RegExp(r'^\"|\"$'), '')"
	}
	return expr
}

// dartValue returns a JSON value as a literal.
func dartValue(v *value) node {
	switch v.kind {
	case stringValue:
		return leaf(dartString(v.text))
	case arrayValue:
		items := make([]node, len(v.items))
		for i := range v.items {
			items[i] = dartValue(&v.items[i])
		}
		return group("", "[", items, "]")
	case objectValue:
		items := make([]node, len(v.items))
		for i := range v.items {
			items[i] = named(dartString(v.names[i]), ": ", dartValue(&v.items[i]))
		}
		return group("", "{", items, "}")
	}
	return leaf(v.text)
}

// dartString returns a string literal for UTF-8.
func dartString(s string) string {
	b := []byte{'\''}
	for _, r := range s {
		switch {
		case r == '\'' || r == '\\' || r == '$':
			b = append(b, '\\', byte(r))
		case lineEscape(r) != 0:
			b = append(b, '\\', lineEscape(r))
		case r < ' ' || r == 0x7f:
			b = append(b, '\\', 'x', hexDigits[r>>4], hexDigits[r&15])
		case quote.Turns(r):
			b = appendCodeUnit(b, r)
		default:
			b = append(b, string(r)...)
		}
	}
	return string(append(b, '\''))
}
