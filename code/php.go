package code

import (
	"slices"
	"strconv"
	"strings"

	"uncoil/request"
)

// phpCurl is for the curl extension of PHP 8, which is libcurl.
var phpCurl = Target{
	Name: "php", Language: "php", Client: "curl", Version: "8.1", Kind: Code, Extension: "php",
	Aliases: []string{"php-curl"}, Proven: true,
	style: style{indent: "    ", comma: ",", comment: "// ", wraps: "=>"}, write: writePHP,
	client: phpLibcurl(),
}

// phpLibcurl is libcurl, but that PHP cannot go back to the beginning of a file that
// it sends, and has no encoders of parts. What tries again is a loop, as in curl.
func phpLibcurl() client {
	c := libcurl
	c.mime = false
	c.stuck = func(c *call) bool {
		r := curlOptions{c: c}
		return r.uploads()
	}
	c.says = append(slices.Clone(c.says), "retry")
	return c
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
		r := phpOf(p, c)
		r.write()
	}))
}

// phpString returns a literal in single quotes, or in double quotes where it
// has characters that need an escape.
func phpString(s string) string {
	if single, ok := singleQuoted(s); ok {
		return single
	}
	return doubleQuoted(s, "$")
}

func phpVariable(_ *program, v *request.Variable) string {
	if v.Encoding == computed {
		return v.Name
	}
	expr := "getenv(" + phpString(v.Name) + ")"
	if v.HasDefault {
		expr = "(" + expr + " ?: " + phpString(v.Default) + ")"
	}
	switch v.Encoding {
	case userPart:
		return "explode(':', " + expr + ", 2)[0]"
	case passwordPart:
		return "explode(':', " + expr + ", 2)[1]"
	case lastSegment:
		return "basename(" + expr + ")"
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
			items[i] = named(phpString(v.names[i]), " => ", items[i])
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
	p *program
	curlOptions
	streams []string // statements that open files, before the request is sent
}

func phpOf(p *program, c *call) phpRequest {
	return phpRequest{p: p, curlOptions: curlOptions{c: c}}
}

func (r *phpRequest) text(t text) string { return phpLanguage.text(r.p, t) }

// makeFolder writes the statement that makes the folder of the file of -o, where the
// command asks for it.
func (r *phpRequest) makeFolder() {
	if folder := r.c.folder(); folder != nil {
		name := r.text(folder)
		r.p.line("is_dir(", name, ") || mkdir(", name, ", recursive: true);")
	}
}

func (r *phpRequest) write() {
	content := r.content()
	r.setMethod()
	r.setFields()
	before := len(r.settings)
	r.setExchange()
	items := append(r.nodes(r.settings[:before]), content...)
	items = append(items, r.nodes(r.settings[before:])...)
	if len(r.c.output) > 0 && r.c.output.source() != "-" {
		r.makeFolder()
		name, mode := r.text(r.c.output), "wb"
		switch {
		case r.c.resumes() && r.c.retries > 0:
			r.p.lossAt(r.c.place("continueAt"), "-C", "tries again from the beginning of the file")
		case r.c.resumes():
			mode = "ab"
			items = append(items, leaf("CURLOPT_RESUME_FROM => is_file("+name+") ? filesize("+name+") : 0"))
		}
		items = append(items, r.stream("CURLOPT_FILE", name, mode)...)
	} else {
		items = append(items, leaf("CURLOPT_RETURNTRANSFER => true"))
	}
	if pairs := r.c.takeQuery(&encodePHP, plainNames); pairs != nil {
		r.p.node("$query = ", hug(group("http_build_query", "(", []node{r.pairs(pairs)}, ")")), ";")
		r.c.computeQuery("$query")
	}
	url := phpLanguage.sum(r.p, r.c.url)
	if url.open != "" {
		r.p.node("$ch = ", wrapped("curl_init", url), ";")
	} else {
		r.p.node("$ch = ", group("curl_init", "(", []node{url}, ")"), ";")
	}
	all := group("", "[", items, "]")
	all.broken, all.width = true, tooWide
	r.p.node("curl_setopt_array($ch, ", all, ");")
	r.result()
}

// nodes returns the members of the array of options.
func (r *phpRequest) nodes(settings []curlSetting) []node {
	nodes := make([]node, len(settings))
	for i, s := range settings {
		value := leaf(s.word)
		switch s.kind {
		case curlText:
			value = leaf(r.text(s.value))
		case curlList:
			items := make([]node, len(s.list))
			for i, t := range s.list {
				items[i] = leaf(r.text(t))
			}
			value = group("", "[", items, "]")
		}
		nodes[i] = named("CURLOPT_"+s.option, " => ", value)
	}
	return nodes
}

func (r *phpRequest) content() []node {
	value := node{}
	switch r.c.body.kind {
	case noBody:
		return nil
	case rawBody:
		r.untyped()
		value = r.rawContent()
	case multipartBody:
		value = r.multipart()
	case fileBody:
		if r.uploads() {
			if r.c.Auth != nil && r.c.Auth.Scheme == "any" {
				r.p.refuse("cannot send a file again after the server has chosen the authentication")
			}
			name := r.text(r.c.body.file)
			items := append([]node{leaf("CURLOPT_UPLOAD => true")}, r.stream("CURLOPT_INFILE", name, "rb")...)
			return append(items, leaf("CURLOPT_INFILESIZE => filesize("+name+")"))
		}
		r.untyped()
		value = leaf(r.file(piece{file: r.c.body.file}))
	case pieceBody:
		r.untyped()
		value = r.pieces(r.c.body.list)
	}
	return []node{named("CURLOPT_POSTFIELDS", " => ", value)}
}

func (r *phpRequest) rawContent() node {
	if n, ok := r.encodedJSON(); ok {
		return n
	}
	if pairs, ok := r.form(); ok {
		return group("http_build_query", "(", []node{pairs}, ")")
	}
	return phpLanguage.content(r.p, r.c.body.data)
}

// encodedJSON returns a call of json_encode where it prints the content, unless
// that is empty.
func (r *phpRequest) encodedJSON() (node, bool) {
	data, known := r.c.body.data.plain()
	if r.c.body.json != nil && len(r.c.body.json.items) > 0 && known && !strings.ContainsAny(data, "\u2028\u2029") {
		for _, e := range phpEncode {
			if e.prints(r.c.body.json, data) {
				return group("json_encode", "(", []node{phpValue(r.c.body.json), leaf(e.flags)}, ")"), true
			}
		}
	}
	return node{}, false
}

// form returns the content as an array where it is a form that http_build_query
// prints.
func (r *phpRequest) form() (node, bool) {
	if !r.c.isForm(&encodePHP) || !plainNames(pairNames(r.c.body.form)) {
		return node{}, false
	}
	return r.pairs(r.c.body.form), true
}

// pairs returns pairs as an array.
func (r *phpRequest) pairs(pairs []pair) node {
	items := make([]node, len(pairs))
	for i, p := range pairs {
		items[i] = named(phpString(p.name.source()), " => ", leaf(r.text(decoded(p.value))))
	}
	return group("", "[", items, "]")
}

// multipart returns the array that makes a form, or the bytes of the form where
// an array cannot say it.
func (r *phpRequest) multipart() node {
	r.p.reportTypes(r.c) // CURLFile has a type of its own
	names := make([]string, len(r.c.body.part))
	simple := !r.c.Body.FormEscape
	for i := range r.c.body.part {
		p := &r.c.body.part[i]
		names[i] = p.Name
		if p.isFile() {
			simple = simple && p.helped() && p.filename != nil && p.contentType != nil && p.file.source() != "-"
		} else {
			simple = simple && p.simple() && p.filename == nil && p.contentType == nil
		}
	}
	if !simple || !plainNames(names) {
		return r.pieces(r.c.rawForm())
	}
	items := make([]node, len(names))
	for i := range r.c.body.part {
		p := &r.c.body.part[i]
		content := leaf(r.text(p.value))
		if p.isFile() {
			filename := phpString(*p.filename)
			if p.implied {
				filename = "basename(" + r.text(p.file) + ")"
			}
			content = leaf("new CURLFile(" + r.text(p.file) + ", " + phpString(*p.contentType) + ", " + filename + ")")
		}
		items[i] = named(r.text(p.name), " => ", content)
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
	return joinPieces(pieces, r.text, r.file, func(items []node) node {
		return group("implode", "(", []node{group("", "[", items, "]")}, ")")
	})
}

// stream returns the item that opens a file for an option. What is sent again reads or
// writes its file from the beginning, so the option is set in the loop.
func (r *phpRequest) stream(option, name, mode string) []node {
	file := "fopen(" + name + ", '" + mode + "')"
	if r.c.retries == 0 {
		return []node{leaf(option + " => " + file)}
	}
	r.streams = append(r.streams, "curl_setopt($ch, "+option+", "+file+");")
	return nil
}

// exchange writes the call that sends the request, in a loop where it tries again.
func (r *phpRequest) exchange() {
	if r.c.retries == 0 {
		r.p.line("$response = curl_exec($ch);")
		return
	}
	r.p.block("for ($attempt = 0; $attempt <= "+strconv.FormatInt(r.c.retries, 10)+"; $attempt++) {", func() {
		r.p.block("if ($attempt > 0) {", func() { r.p.line("sleep(2 ** ($attempt - 1));") })
		r.p.line("}")
		for _, stream := range r.streams {
			r.p.line(stream)
		}
		r.p.line("$response = curl_exec($ch);")
		r.p.line("$status = curl_getinfo($ch, CURLINFO_RESPONSE_CODE);")
		r.p.block("if (!in_array($status, ["+retryStatuses+"])) {", func() { r.p.line("break;") })
		r.p.line("}")
	})
	r.p.line("}")
}

// result writes what is done with the response.
func (r *phpRequest) result() {
	r.exchange()
	if !r.p.options.Bare {
		r.p.line("if ($response === false) {")
		r.p.line(r.p.indent, "throw new RuntimeException(curl_error($ch));")
		r.p.line("}")
		if len(r.c.output) == 0 {
			r.p.line("echo $response;")
		}
	}
}
