package code

import (
	"strings"

	"uncoil/internal/engine/source/quote"
	"uncoil/request"
)

// cLibcurl is for C with the easy interface of libcurl.
var cLibcurl = Target{
	Name: "c", Language: "c", Client: "libcurl", Version: "7.83", Kind: Code, Extension: "c",
	Aliases: []string{"c-libcurl", "libcurl"}, Proven: true,
	style: cStyle, write: func(p *program) { writeC(p, false) }, client: libcurl,
}

// cppLibcurl is for C++ with the easy interface of libcurl.
var cppLibcurl = Target{
	Name: "cpp", Language: "cpp", Client: "libcurl", Version: "7.83", Kind: Code, Extension: "cpp",
	Aliases: []string{"c++", "cpp-libcurl"}, Proven: true,
	style: cStyle, write: func(p *program) { writeC(p, true) }, client: libcurl,
}

var cStyle = style{indent: "    ", comment: "// ", wraps: "="}

// writeC writes a program in C, or in C++.
func writeC(p *program, cpp bool) {
	p.use("<curl/curl.h>")
	if !cpp {
		p.use("<stdio.h>")
		p.use("<stdlib.h>")
	}
	sections := p.sections(1, func(c *call, _ string) {
		r := cRequest{p: p, curlOptions: curlOptions{c: c}, cpp: cpp}
		r.write()
	})
	if !p.options.Bare {
		if strings.Contains(strings.Join(p.helpers, ""), "vasprintf") {
			p.line("#define _GNU_SOURCE")
		}
		for _, name := range p.imports {
			p.line("#include ", name)
		}
		p.line()
	}
	for _, h := range p.helpers {
		p.dst = append(p.dst, h...)
		p.line()
	}
	if p.options.Bare {
		p.join(sections)
		return
	}
	arguments := "(void)"
	if cpp {
		arguments = "()"
	}
	if len(sections) == 1 {
		p.cFunction("int main"+arguments, sections[0])
		return
	}
	for i, s := range sections {
		p.cFunction("static CURLcode request"+itoa(i+1)+arguments, s)
		p.line()
	}
	p.line("int main", arguments)
	p.line("{")
	for i := range sections {
		p.line(p.indent, "if (request", itoa(i+1), "() != CURLE_OK) {")
		p.line(p.indent, p.indent, "return EXIT_FAILURE;")
		p.line(p.indent, "}")
	}
	p.line(p.indent, "return EXIT_SUCCESS;")
	p.line("}")
}

func (p *program) cFunction(head string, body []byte) {
	p.line(head)
	p.line("{")
	p.dst = append(p.dst, body...)
	p.line("}")
}

// A cRequest writes one call.
type cRequest struct {
	p *program
	curlOptions
	cpp     bool
	cleanup []string       // statements at the end
	names   map[string]int // of variables, with how often each was used
}

// name returns a variable of its own.
func (r *cRequest) name(s string) string {
	if r.names == nil {
		r.names = make(map[string]int)
	}
	if r.names[s]++; r.names[s] > 1 {
		s += itoa(r.names[s])
	}
	return s
}

func (r *cRequest) write() {
	failed := `fprintf(stderr, "%s\n", curl_easy_strerror(result));`
	if r.cpp {
		r.p.use("<iostream>")
		r.p.use("<memory>")
		r.p.line("std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> handle(curl_easy_init(), curl_easy_cleanup);")
		r.p.line("CURL *curl = handle.get();")
		failed = `std::cerr << curl_easy_strerror(result) << '\n';`
	} else {
		r.p.line("CURL *curl = curl_easy_init();")
		r.cleanup = append(r.cleanup, "curl_easy_cleanup(curl);")
	}
	r.check("!curl", "return CURLE_FAILED_INIT;")
	r.with(r.c.url, "url", func(s string) { r.setopt("URL", s) })
	r.setMethod()
	r.setAll()
	r.content()
	r.setFields()
	if r.c.destination(r.p.options) == headersPrinted {
		r.flag("HEADER", "true")
	}
	r.setExchange()
	r.setAll()
	if r.c.destination(r.p.options) == toFile || r.c.output.source() == nullDevice {
		folder := r.c.folder()
		if folder != nil && r.cpp {
			r.p.use("<filesystem>")
			r.with(folder, "folder", func(s string) { r.p.line("std::filesystem::create_directories(", s, ");") })
		}
		mode := "wb"
		if r.c.resumes() {
			mode = "ab"
		}
		r.with(r.c.output, "path", func(s string) {
			if folder != nil && !r.cpp {
				r.p.use("<string.h>")
				r.p.use("<sys/stat.h>")
				r.p.help(cMakeFolders)
				r.p.line("make_folders(", s, ");")
			}
			r.p.line(`FILE *output = fopen(`, s, `, "`, mode, `");`)
		})
		r.check("!output", "perror(\"output\");", "return CURLE_WRITE_ERROR;")
		r.setopt("WRITEDATA", "output")
		if r.c.resumes() {
			r.p.line("fseek(output, 0, SEEK_END);")
			r.setopt("RESUME_FROM_LARGE", "(curl_off_t)ftell(output)")
		}
		r.cleanup = append(r.cleanup, "fclose(output);")
	}
	r.p.line()
	r.p.line("CURLcode result = curl_easy_perform(curl);")
	r.check("result != CURLE_OK", failed)
	for i := range r.cleanup {
		r.p.line(r.cleanup[len(r.cleanup)-1-i])
	}
	if !r.p.options.Bare {
		r.p.line("return result;")
	}
}

func (r *cRequest) check(condition string, lines ...string) {
	r.p.block("if ("+condition+") {", func() {
		for _, l := range lines {
			r.p.line(l)
		}
	})
	r.p.line("}")
}

func (r *cRequest) setopt(option, value string) {
	r.p.folded("curl_easy_setopt(curl, CURLOPT_"+option+",", value+");")
}

// with calls a function with an expression of type const char * for a text,
// and releases what the expression needs.
func (r *cRequest) with(t text, name string, statement func(s string)) {
	if s, ok := t.plain(); ok {
		statement(r.literal(s))
		return
	}
	if r.cpp {
		terms := make([]string, len(t))
		for i, p := range t {
			terms[i] = r.literal(p.literal)
			if p.variable != nil {
				terms[i] = r.variable(p.variable)
			}
		}
		s := strings.Join(terms, " + ")
		if len(t) > 1 {
			s = "(" + s + ")"
		}
		statement(s + ".c_str()")
		return
	}
	var free []string
	format, arguments := t.format("%s", doublePercent, func(v *request.Variable) string {
		expr := r.variable(v)
		if v.Encoding == request.Percent || v.Encoding == request.FormEncode {
			encoded := r.name("encoded")
			r.p.line("char *", encoded, " = ", expr, ";")
			free = append(free, encoded)
			return encoded
		}
		return expr
	})
	if len(t) == 1 {
		statement(arguments[len(", "):])
	} else {
		r.p.use("<stdarg.h>")
		r.p.help(cFormat)
		name = r.name(name)
		r.p.line("char *", name, " = format(", cString(format), arguments, ");")
		free = append(free, name)
		statement(name)
	}
	for _, name := range free {
		r.p.line("free(", name, ");")
	}
}

// variable returns a look-up in the environment, percent-encoded where its
// place asks for that.
func (r *cRequest) variable(v *request.Variable) string {
	env, envOr, encode := cEnv, cEnvOr, cEncode
	if r.cpp {
		r.p.use("<cstdlib>")
		r.p.use("<stdexcept>")
		r.p.use("<string>")
		env, envOr, encode = cppEnv, cppEnvOr, cppEncode
	}
	expr := "env(" + cString(v.Name) + ")"
	if v.HasDefault {
		expr = "env_or(" + cString(v.Name) + ", " + cString(v.Default) + ")"
		r.p.help(envOr)
	} else {
		r.p.help(env)
	}
	blank := "%20"
	switch v.Encoding {
	case request.JSONEscape:
		r.p.refuse("escapes no variable for JSON")
	case request.FormEncode:
		blank = "+"
		fallthrough
	case request.Percent:
		if r.cpp {
			r.p.use("<cctype>")
			r.p.use("<cstdio>")
			r.p.use("<cstring>")
		} else {
			r.p.use("<ctype.h>")
			r.p.use("<string.h>")
		}
		r.p.help(encode)
		expr = "percent_encode(" + expr + `, "` + blank + `")`
	}
	return expr
}

// literal returns a string literal: a raw one in C++ where it needs fewer
// escapes.
func (r *cRequest) literal(s string) string {
	if !r.cpp || !strings.ContainsAny(s, "\"\\") || escapesBreaks(s) || strings.Contains(s, `)"`) || !literal(s).isText() ||
		strings.ContainsFunc(s, func(c rune) bool { return c < ' ' && c != '\n' || c == 0x7f || quote.Turns(c) }) {
		return cString(s)
	}
	return `R"(` + s + `)"`
}

// null returns the pointer to nothing.
func (r *cRequest) null() string {
	if r.cpp {
		return "nullptr"
	}
	return "NULL"
}

// setAll writes the options that were added.
func (r *cRequest) setAll() {
	for _, s := range r.settings {
		switch s.kind {
		case curlFlag:
			r.setopt(s.option, map[string]string{"true": "1L", "false": "0L"}[s.word])
		case curlNumber:
			r.setopt(s.option, s.word+"L")
		case curlConstant:
			word := s.word
			if strings.Contains(word, " ") {
				word = "(" + word + ")"
			}
			r.setopt(s.option, "(long)"+word)
		case curlText:
			r.with(s.value, "value", func(value string) { r.setopt(s.option, value) })
		case curlList:
			r.setopt(s.option, r.list(map[string]string{"HTTPHEADER": "headers", "PROXYHEADER": "proxyHeaders", "RESOLVE": "addresses", "CONNECT_TO": "hosts"}[s.option], s.list))
		}
	}
	r.settings = nil
}

// list writes the statements that make a list, and returns it.
func (r *cRequest) list(name string, items []text) string {
	name = r.name(name)
	for i, t := range items {
		r.with(t, "header", func(s string) {
			if i == 0 {
				r.p.folded("struct curl_slist *"+name+" =", "curl_slist_append("+r.null()+", "+s+");")
			} else {
				r.p.folded(name+" =", "curl_slist_append("+name+", "+s+");")
			}
		})
	}
	r.cleanup = append(r.cleanup, "curl_slist_free_all("+name+");")
	return name
}

// content writes the statements that set the content.
func (r *cRequest) content() {
	switch r.c.body.kind {
	case rawBody:
		r.untyped()
		if size := r.size(r.c.body.data); size != zeroTerminated {
			r.setopt("POSTFIELDSIZE_LARGE", "(curl_off_t)"+size)
		}
		if s, ok := r.c.body.data.plain(); ok {
			r.text("POSTFIELDS", s)
			return
		}
		r.with(r.c.body.data, "body", func(s string) { r.setopt("COPYPOSTFIELDS", s) })
	case multipartBody:
		r.multipart()
	case fileBody:
		r.stream()
	case pieceBody:
		r.untyped()
		r.pieces()
	}
}

// text writes the statements that set an option to a text, in parts on lines of
// their own where it is long.
func (r *cRequest) text(option, s string) {
	parts := splitLong(s)
	if quoted := r.literal(s); len(parts) == 1 || quoted[0] == 'R' {
		r.setopt(option, quoted)
		return
	}
	r.p.line("const char *body =")
	for i, part := range parts {
		end := ""
		if i+1 == len(parts) {
			end = ";"
		}
		r.p.line(r.p.indent, cString(part), end)
	}
	r.setopt(option, "body")
}

// stream writes the statements that send a file.
func (r *cRequest) stream() {
	size := "POSTFIELDSIZE_LARGE"
	if r.uploads() {
		r.setopt("UPLOAD", "1L")
		size = "INFILESIZE_LARGE"
	} else {
		r.untyped()
		r.setopt("POST", "1L")
	}
	if r.c.body.file.source() == "-" {
		r.setopt("READDATA", "stdin")
		return
	}
	if r.cpp {
		r.p.use("<cstdlib>")
	}
	r.p.help(cOpenFile)
	r.p.line("curl_off_t size;")
	r.with(r.c.body.file, "path", func(s string) { r.p.line("FILE *file = open_file(", s, ", &size);") })
	r.setopt("READDATA", "file")
	r.setopt(size, "size")
	r.cleanup = append(r.cleanup, "fclose(file);")
}

// multipart writes the statements that make a form.
func (r *cRequest) multipart() {
	r.p.line("curl_mime *form = curl_mime_init(curl);")
	r.formParts(r.c.body.part, "form")
	if r.c.Body.FormEscape {
		r.setopt("MIME_OPTIONS", "(long)CURLMIMEOPT_FORMESCAPE")
	}
	r.setopt("MIMEPOST", "form")
	r.cleanup = append(r.cleanup, "curl_mime_free(form);")
}

// zeroTerminated stands for the length of a text that its end shows.
const zeroTerminated = "CURL_ZERO_TERMINATED"

// size returns how long content is: with a NUL its end does not show that.
func (r *cRequest) size(t text) string {
	if strings.IndexByte(t.source(), 0) < 0 {
		return zeroTerminated
	}
	s, ok := t.plain()
	if !ok {
		r.p.refuse("writes no variable into content that has a NUL")
		return zeroTerminated
	}
	return itoa(len(s))
}

// formParts writes the statements that make the parts of a form, or those within a
// part. form is the variable that they go to.
func (r *cRequest) formParts(list []formPart, form string) {
	for i := range list {
		p := &list[i]
		declared := ""
		if i == 0 && form == "form" {
			declared = "curl_mimepart *"
		}
		r.p.line(declared, "part = curl_mime_addpart(", form, ");")
		add := func(t text, function, after string) {
			r.with(t, "text", func(s string) { r.p.line("curl_mime_", function, "(part, ", s, after, ");") })
		}
		if p.Name != "" {
			add(p.name, "name", "")
		}
		nested, stdin := "", p.file.source() == "-"
		switch {
		case p.Nested:
			nested = r.name("nested")
			r.p.line("curl_mime *", nested, " = curl_mime_init(curl);")
			r.p.line("curl_mime_subparts(part, ", nested, ");")
		case stdin: // a file of this name would have a type
			if r.cpp {
				r.p.use("<cstdio>")
			}
			r.p.line("curl_mime_data_cb(part, -1, (curl_read_callback)fread, ", r.null(), ", ", r.null(), ", stdin);")
		case p.isFile():
			add(p.file, "filedata", "")
			if p.filename == nil {
				r.p.line("curl_mime_filename(part, ", r.null(), ");")
			}
		default:
			add(p.value, "data", ", "+r.size(p.value))
		}
		if source := p.file.source(); p.filename != nil && (stdin || !p.isFile() || *p.filename != source[strings.LastIndexByte(source, '/')+1:]) {
			add(p.named, "filename", "")
		}
		if p.contentType != nil && !p.guessed() {
			add(p.kind, "type", "")
		}
		if p.Encoder != "" {
			add(literal(p.Encoder), "encoder", "")
		}
		if len(p.Headers) > 0 {
			var lines []text
			for _, h := range p.Headers {
				lines = append(lines, literal(h))
			}
			r.p.line("curl_mime_headers(part, ", r.list("lines", lines), ", 0);")
		}
		r.formParts(p.inner, nested)
	}
}
