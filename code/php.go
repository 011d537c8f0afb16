package code

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"uncoil/internal/ascii"
	"uncoil/request"
)

// What the curl extension of PHP 8 does by itself is what libcurl does: it adds
// Accept, sends no User-Agent, takes dot segments out of paths unless told not
// to, and gives CURLOPT_POSTFIELDS the type of a form. Everything that curl can
// do has an option.
var phpCurl = Target{
	Name: "php", Language: "php", Client: "curl", Version: "8.1", Kind: Code, Extension: "php",
	Aliases: []string{"php-curl"}, Proven: true,
	style: style{indent: "    ", comma: ",", comment: "// "}, write: writePHP,
	client: client{
		adds:   []string{"Accept"},
		target: true,
		digest: true,
		says: []string{"followRedirects", "maxRedirects", "locationTrusted", "maxTime", "connectTimeout", "insecure", "cacert", "cert",
			"cookieFiles", "cookieJar", "unixSocket", "noproxy", "resolve", "connectTo"},
		proxies:  []string{"http", "https", "socks4", "socks4a", "socks5", "socks5h"},
		versions: []string{"1.0", "1.1", "2"},
	},
}

var phpLanguage = language{literal: phpString, variable: phpVariable, plus: " . "}

// phpEncode is json_encode with the flags that keep slashes and letters.
var phpEncode = []struct {
	encoder
	flags string
}{
	{encoder{item: ",", name: ":", number: plainNumber, keeps: plainNames}, "JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE"},
	{encoder{item: ",", name: ": ", indent: "    ", number: plainNumber, keeps: plainNames}, "JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE"},
}

// encodePHP is http_build_query.
var encodePHP = formEncoder{"_.-", true}

func writePHP(p *program) {
	if !p.options.Bare {
		p.line("<?php")
		p.line()
	}
	p.join(p.sections(0, func(c *call, _ string) {
		r := phpRequest{program: p, call: c}
		r.write()
	}))
}

// phpString returns a literal in single quotes, or in double quotes where it
// has characters that need an escape.
func phpString(s string) string {
	plain := utf8.ValidString(s)
	for i := 0; plain && i < len(s); i++ {
		plain = s[i] >= ' ' && s[i] != 0x7f
	}
	if plain {
		return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(s) + "'"
	}
	return doubleQuoted(s, '$')
}

func phpVariable(_ *program, v *request.Variable) string {
	expr := "getenv(" + phpString(v.Name) + ")"
	if v.HasDefault {
		expr = "(" + expr + " ?: " + phpString(v.Default) + ")"
	}
	switch v.Encoding {
	case request.Percent:
		return "rawurlencode(" + expr + ")"
	case request.FormEncode:
		return "urlencode(" + expr + ")"
	case request.JSONEscape:
		return "substr(json_encode(" + expr + "), 1, -1)"
	}
	return expr
}

// phpValue returns a JSON value as a literal.
func phpValue(v *value) node {
	items := make([]node, len(v.items))
	for i := range v.items {
		items[i] = phpValue(&v.items[i])
		if v.kind == objectValue {
			items[i] = named(phpString(v.names[i])+" => ", items[i])
		}
	}
	switch {
	case v.kind == stringValue:
		return leaf(phpString(v.text))
	case v.kind == objectValue && len(items) == 0:
		return leaf("new stdClass()")
	case v.kind == objectValue || v.kind == arrayValue:
		return group("", "[", items, "]")
	}
	return leaf(v.text)
}

// A phpRequest writes one call with the curl extension.
type phpRequest struct {
	*program
	*call
	settings []node
	lines    []node // of CURLOPT_HTTPHEADER
}

func (r *phpRequest) text(t text) string { return phpLanguage.text(r.program, t) }

// set adds an option.
func (r *phpRequest) set(option, value string) { r.setNode(option, leaf(value)) }

func (r *phpRequest) setNode(option string, value node) {
	r.settings = append(r.settings, named("CURLOPT_"+option+" => ", value))
}

func (r *phpRequest) write() {
	content := r.content()
	r.method()
	r.fieldLines()
	r.settings = append(r.settings, content...)
	r.exchangeSettings()
	r.line("$ch = curl_init(", r.text(r.url), ");")
	if len(r.settings) > 0 {
		all := group("", "[", r.settings, "]")
		all.broken, all.width = true, tooWide
		r.node("curl_setopt_array($ch, ", all, ");")
	}
	r.result()
}

func (r *phpRequest) method() {
	has := r.body.kind != noBody
	switch {
	case r.Method == "GET" && !has, r.Method == "POST" && has && !r.uploads(), r.Method == "PUT" && r.uploads():
	case r.Method == "HEAD" && !has:
		r.set("NOBODY", "true")
	default:
		r.set("CUSTOMREQUEST", phpString(r.Method))
	}
}

// uploads reports a body that CURLOPT_UPLOAD streams from a file: one that curl
// sends without a content type of its own.
func (r *phpRequest) uploads() bool {
	return r.body.kind == fileBody && r.body.file.source() != "-" && r.field("Content-Type") == nil && !r.removes("Content-Type")
}

// phpFieldOptions are the options for fields that other options than -H set.
var phpFieldOptions = []struct{ field, option string }{{"User-Agent", "USERAGENT"}, {"Referer", "REFERER"}, {"Cookie", "COOKIE"}, {"Range", "RANGE"}}

func (r *phpRequest) fieldLines() {
next:
	for i := range r.fields {
		f := &r.fields[i]
		if f.derived && !f.is("Authorization") {
			continue
		}
		if f.derived {
			r.credentials(r.basic)
			continue
		}
		for _, o := range phpFieldOptions {
			if f.is(o.field) && !strings.HasPrefix(f.from, "-H") && f.from != "--header" && f.value.source() != "" {
				value := f.value
				if o.option == "RANGE" {
					if !strings.HasPrefix(value.source(), "bytes=") {
						break
					}
					value = value.cut(len("bytes="), len(value.source()))
				}
				r.set(o.option, r.text(value))
				continue next
			}
		}
		if f.value.source() == "" {
			r.lines = append(r.lines, leaf(phpString(f.name+";")))
			continue
		}
		r.lines = append(r.lines, leaf(r.text(prefixed(f.name+": ", f.value))))
	}
	for _, name := range r.removed {
		if !ascii.EqualFold(name, "User-Agent") && r.field(name) == nil {
			r.lines = append(r.lines, leaf(phpString(name+":")))
		}
	}
	if r.digest != nil {
		r.credentials(r.digest)
		r.set("HTTPAUTH", "CURLAUTH_DIGEST")
	}
	if len(r.lines) > 0 {
		r.setNode("HTTPHEADER", group("", "[", r.lines, "]"))
	}
}

func (r *phpRequest) credentials(c *credentials) {
	if strings.Contains(c.user.source(), ":") {
		r.set("USERNAME", r.text(c.user))
		r.set("PASSWORD", r.text(c.password))
		return
	}
	both := append(slices.Clone(c.user), part{literal: ":"})
	r.set("USERPWD", r.text(mergeLiterals(append(both, c.password...))))
}

// untyped removes the type that CURLOPT_POSTFIELDS gives text, or leaves it
// where it is that of the request.
func (r *phpRequest) untyped() {
	f := r.field("Content-Type")
	switch {
	case f == nil && !r.removes("Content-Type"):
		r.lines = append(r.lines, leaf("'Content-Type:'"))
	case r.hasType(formType) && r.Method == "POST":
		f.derived = true
	}
}

func (r *phpRequest) content() []node {
	value := node{}
	switch r.body.kind {
	case noBody:
		return nil
	case rawBody:
		r.untyped()
		value = r.rawContent()
	case multipartBody:
		value = r.multipart()
	case fileBody:
		if r.uploads() {
			name := r.text(r.body.file)
			return []node{leaf("CURLOPT_UPLOAD => true"), leaf("CURLOPT_INFILE => fopen(" + name + ", 'rb')"), leaf("CURLOPT_INFILESIZE => filesize(" + name + ")")}
		}
		r.untyped()
		value = leaf(r.file(piece{file: r.body.file}))
	case pieceBody:
		r.untyped()
		value = r.pieces(r.body.list)
	}
	return []node{named("CURLOPT_POSTFIELDS => ", value)}
}

func (r *phpRequest) rawContent() node {
	data, known := r.body.data.plain()
	if r.body.json != nil && known && !strings.ContainsAny(data, "\u2028\u2029") {
		for _, e := range phpEncode {
			if e.prints(r.body.json, data) {
				return group("json_encode", "(", []node{phpValue(r.body.json), leaf(e.flags)}, ")")
			}
		}
	}
	if r.isForm(&encodePHP) {
		names := make([]string, len(r.body.form))
		items := make([]node, len(names))
		for i, p := range r.body.form {
			names[i] = p.name.source()
			items[i] = named(phpString(names[i])+" => ", leaf(r.text(decoded(p.value))))
		}
		if plainNames(names) {
			return group("http_build_query", "(", []node{group("", "[", items, "]")}, ")")
		}
	}
	return leaf(r.text(r.body.data))
}

// multipart returns the array that makes a form, or the bytes of the form where
// an array cannot say it.
func (r *phpRequest) multipart() node {
	names := make([]string, len(r.body.part))
	simple := !r.Body.FormEscape && r.field("Content-Type") == nil
	for i := range r.body.part {
		p := &r.body.part[i]
		names[i] = p.Name
		if p.isFile() {
			simple = simple && p.simple() && p.filename != nil && p.contentType != nil && p.file.source() != "-"
		} else {
			simple = simple && p.simple() && p.filename == nil && p.contentType == nil
		}
	}
	if !simple || !plainNames(names) {
		pieces, contentType := r.multipartPieces()
		r.fields = append(r.fields, field{name: "Content-Type", value: literal(contentType)})
		return r.pieces(pieces)
	}
	items := make([]node, len(names))
	for i := range r.body.part {
		p := &r.body.part[i]
		content := leaf(r.text(p.value))
		if p.isFile() {
			content = leaf("new CURLFile(" + r.text(p.file) + ", " + phpString(*p.contentType) + ", " + phpString(*p.filename) + ")")
		}
		items[i] = named(r.text(p.name)+" => ", content)
	}
	return group("", "[", items, "]")
}

// file returns an expression for the content of a file, changed as curl
// changes it.
func (r *phpRequest) file(one piece) string {
	name := r.text(one.file)
	if one.file.source() == "-" {
		name = "'php://stdin'"
	}
	read := "file_get_contents(" + name + ")"
	if one.offset > 0 {
		read = "substr(" + read + ", " + strconv.FormatInt(one.offset, 10) + ")"
	}
	if one.strip {
		read = `str_replace(["\r", "\n", "\0"], '', ` + read + ")"
	}
	if one.urlencode {
		read = "str_replace('%7E', '~', urlencode(" + read + "))"
	}
	if len(one.name) > 0 {
		read = r.text(one.prefix()) + " . " + read
	}
	return read
}

func (r *phpRequest) pieces(pieces []piece) node {
	items := make([]node, len(pieces))
	for i, one := range pieces {
		if one.isText {
			items[i] = leaf(r.text(one.text))
		} else {
			items[i] = leaf(r.file(one))
		}
	}
	if len(items) == 1 {
		return items[0]
	}
	return group("implode", "(", []node{group("", "[", items, "]")}, ")")
}

// result writes what is done with the response.
func (r *phpRequest) result() {
	r.line("$response = curl_exec($ch);")
	if !r.options.Bare {
		r.line("if ($response === false) {")
		r.line(r.indent, "throw new RuntimeException(curl_error($ch));")
		r.line("}")
		if len(r.output) == 0 {
			r.line("echo $response;")
		}
	}
}
