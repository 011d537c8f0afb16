//go:build !nocode

package code

import (
	"strings"

	"uncoil/internal/ascii"
	"uncoil/request"
)

// What package:http 1 with dart:io of Dart 3 does by itself, from its source:
// it adds user-agent, accept-encoding and host; writes names of fields in small
// letters, each once, and methods in capitals; Uri normalizes the URL; text
// gets a type, and its charset, but bytes do not; follows redirects unless told
// not to.
var dartHTTP = Target{
	Name: "dart", Language: "dart", Client: "package:http", Version: "1", Kind: Code, Extension: "dart",
	Aliases: []string{"dart-http", "flutter"}, style: style{indent: "  ", comma: ",", comment: "// "}, write: writeDart,
	client: client{
		adds:    []string{"User-Agent", "Accept-Encoding"},
		always:  []string{"Host"},
		methods: capitals,
		dots:    true,
		says:    []string{"followRedirects", "maxRedirects", "maxTime", "connectTimeout", "insecure", "cacert", "cert"},
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
		r := dartRequest{program: p, call: c, request: "request" + suffix, response: "response" + suffix}
		r.write()
	})
	if p.options.Bare {
		p.join(sections)
		return
	}
	p.use("import 'package:http/http.dart' as http;")
	if len(p.helpers) > 0 { // settings of dart:io's client
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
		if len(p.helpers) > 0 {
			p.line("final httpClient = HttpClient();")
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

// A dartRequest writes one call with package:http.
type dartRequest struct {
	*program
	*call
	request, response string
}

func (r *dartRequest) write() {
	body, lines := r.content(), false
	class := "http.Request"
	var url node
	if r.guess {
		r.node("var url = ", r.text(r.url), ";")
		r.line("if (!url.contains('://')) url = 'http://$url'; // as curl does")
		url = leaf("url")
	} else {
		url = r.text(r.url)
	}
	statement := func(n node) {
		r.level++
		r.node("..", n, "")
		r.level--
		lines = true
	}
	r.node("final "+r.request+" = ", group(class, "(", []node{leaf(dartString(r.Method)), group("Uri.parse", "(", []node{url}, ")")}, ")"), "")
	switch {
	case !r.follow:
		statement(leaf("followRedirects = false"))
	case r.maxRedirects >= 0:
		statement(leaf("maxRedirects = " + itoa(int(r.maxRedirects))))
	}
	if fields := r.headers(); len(fields) > 0 {
		statement(group("headers.addAll(", "{", fields, "})"))
	}
	if body.head != "" || body.open != "" {
		statement(named("bodyBytes = ", body))
	}
	if lines { // the statement ends after its last part
		r.dst = append(r.dst[:len(r.dst)-1], ";\n"...)
	}
	r.settings()
	send := "client.send(" + r.request + ")"
	if r.timeout > 0 {
		send += ".timeout(const Duration(milliseconds: " + milliseconds(r.timeout) + "))"
	}
	r.line("final ", r.response, " = await http.Response.fromStream(await ", send, ");")
	r.result()
}

func (r *dartRequest) headers() []node {
	var items []node
	for _, f := range r.joined() {
		items = append(items, named(dartString(f.name)+": ", r.fieldValue(&f)))
	}
	for _, name := range r.removed {
		if ascii.EqualFold(name, "User-Agent") {
			r.help("userAgent = null")
		}
	}
	return items
}

// fieldValue returns the value of a field. dart:io writes a character as a byte.
func (r *dartRequest) fieldValue(f *field) node {
	switch {
	case f.derived && f.is("Authorization"):
		r.use("import 'dart:convert';")
		both := mergeLiterals(append(append(append(text{}, r.basic.user...), part{literal: ":"}), r.basic.password...))
		if both.isText() {
			return leaf("'Basic ${base64Encode(utf8.encode(" + r.text(both).head + "))}'")
		}
	case !f.value.isText():
		r.refuse("sends only text in header fields")
	case !f.value.isASCII():
		r.use("import 'dart:convert';")
		return leaf("latin1.decode(utf8.encode(" + r.text(f.value).head + "))")
	}
	return r.text(f.value)
}

// settings notes what dart:io's client is to be told.
func (r *dartRequest) settings() {
	if r.connectTimeout > 0 {
		r.help("connectionTimeout = const Duration(milliseconds: " + milliseconds(r.connectTimeout) + ")")
	}
	if r.insecure && r.secure() {
		r.help("badCertificateCallback = (certificate, host, port) => true")
	}
	if s, ok := r.proxyServer(); r.proxyScheme() != "" {
		if !ok {
			r.refuse("takes no proxy from a variable")
		}
		proxy := literal("PROXY ")
		if s.credentials != nil {
			proxy = append(append(append(append(proxy, s.credentials.user...), part{literal: ":"}), s.credentials.password...), part{literal: "@"})
		}
		r.help("findProxy = (url) => " + r.text(mergeLiterals(append(proxy, part{literal: s.host + ":" + s.port}))).head)
	}
	if r.secure() && len(r.cert)+len(r.caFile) > 0 {
		r.refuse("takes certificates only for all requests of a program")
	}
}

// content returns an expression of type List<int>.
func (r *dartRequest) content() node {
	switch r.body.kind {
	case noBody:
		return node{}
	case rawBody:
		data, known := r.body.data.plain()
		if r.body.json != nil && known && dartEncoder.prints(r.body.json, data) {
			r.use("import 'dart:convert';")
			return group("utf8.encode(jsonEncode", "(", []node{dartValue(r.body.json)}, "))")
		}
		return r.bytes(r.body.data)
	case multipartBody:
		return r.pieces(r.rawForm())
	case fileBody:
		return r.pieces([]piece{{file: r.body.file}})
	}
	return r.pieces(r.body.list)
}

// bytes returns an expression of type List<int> for a text.
func (r *dartRequest) bytes(t text) node {
	if t.isText() {
		r.use("import 'dart:convert';")
		n := r.text(t)
		n.head = "utf8.encode(" + n.head
		return followed(n, ")")
	}
	s, ok := t.plain()
	if !ok {
		r.refuse("joins no bytes and variables")
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
			items[i] = named("...", r.bytes(one.text))
			continue
		}
		if s, ok := one.file.plain(); ok && s == "-" {
			r.refuse("is not written to read standard input")
		}
		r.use("import 'dart:io';")
		file := "await File(" + r.text(one.file).head + ")"
		read := file + ".readAsBytes()"
		switch {
		case one.urlencode:
			r.use("import 'dart:convert';")
			read = "utf8.encode(Uri.encodeQueryComponent(" + file + ".readAsString()))"
		case one.strip:
			read = "(" + read + ").where((byte) => byte != 10 && byte != 13 && byte != 0)"
		case one.offset > 0:
			read = "(" + read + ").skip(" + itoa(int(one.offset)) + ")"
		}
		if len(one.name) > 0 {
			items[i] = leaf("...utf8.encode(" + r.text(one.prefix()).head + "), ..." + read)
			continue
		}
		items[i] = leaf("..." + read)
	}
	if len(pieces) == 1 && (pieces[0].isText || !pieces[0].strip && pieces[0].offset == 0 && len(pieces[0].name) == 0) {
		items[0].head = strings.TrimPrefix(items[0].head, "...")
		return items[0]
	}
	return group("", "[", items, "]")
}

func (r *dartRequest) result() {
	if r.fail {
		r.line("if (", r.response, ".statusCode >= 400) {")
		r.line(r.indent, "throw http.ClientException('HTTP ${", r.response, ".statusCode}', ", r.request, ".url);")
		r.line("}")
	}
	switch r.destination(r.options) {
	case toFile:
		r.use("import 'dart:io';")
		r.line("await File(", r.text(r.output).head, ").writeAsBytes(", r.response, ".bodyBytes);")
	case headersPrinted:
		r.line("print(", r.response, ".headers);")
	case contentPrinted:
		r.line("print(", r.response, ".body);")
	}
}

// text returns an expression of type String.
func (r *dartRequest) text(t text) node {
	if s, ok := t.plain(); ok {
		parts := splitLong(s)
		if len(parts) == 1 {
			return leaf(dartString(s))
		}
		items := make([]node, len(parts))
		for i := range parts {
			items[i] = leaf(dartString(parts[i]))
		}
		n := group("", "(", items, ")")
		n.glued, n.broken, n.width = true, true, tooWide
		return n
	}
	r.use("import 'dart:io';")
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
	case request.Percent:
		return "Uri.encodeComponent(" + expr + ")"
	case request.FormEncode:
		return "Uri.encodeQueryComponent(" + expr + ")"
	case request.JSONEscape:
		r.use("import 'dart:convert';")
		r.use("import 'dart:io';")
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
			items[i] = named(dartString(v.names[i])+": ", dartValue(&v.items[i]))
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
		default:
			b = append(b, string(r)...)
		}
	}
	return string(append(b, '\''))
}
