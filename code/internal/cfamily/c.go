package cfamily

import (
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/libcurl"
	"uncoil/code/internal/plan"
	"uncoil/internal/engine/source/quote"
	"uncoil/request"
)

// C is for C with the easy interface of libcurl.
var C = plan.Target{
	Name: "c", Convention: plan.Format("c"), Client: "libcurl", Version: "7.83", Kind: plan.Code, Extension: "c",
	Aliases: []string{"c-libcurl", "libcurl"}, Proven: true,
	Style: cStyle, Write: func(p *plan.Program) { writeC(p, false) }, Facts: libcurl.Libcurl,
}

// CPP is for C++ with the easy interface of libcurl.
var CPP = plan.Target{
	Name: "cpp", Convention: plan.Format("cpp"), Client: "libcurl", Version: "7.83", Kind: plan.Code, Extension: "cpp",
	Aliases: []string{"c++", "cpp-libcurl"}, Proven: true,
	Style: cStyle, Write: func(p *plan.Program) { writeC(p, true) }, Facts: libcurl.Libcurl,
}

var cStyle = emit.Style{Indent: "    ", Comment: "// ", Wraps: "="}

// writeC writes a program in C, or in C++.
func writeC(p *plan.Program, cpp bool) {
	p.Use("<curl/curl.h>")
	if !cpp {
		p.Use("<stdio.h>")
		p.Use("<stdlib.h>")
	}
	sections := p.Sections(p.Depth(1), func(c *plan.Call, _ string) {
		r := cRequest{p: p, CurlOptions: libcurl.CurlOptions{C: c}, cpp: cpp}
		r.write()
	})
	p.Head(func() {
		if strings.Contains(strings.Join(p.Helpers, ""), "vasprintf") {
			p.Line("#define _GNU_SOURCE")
		}
		for _, name := range p.Imports {
			p.Line("#include ", name)
		}
		p.Line()
	})
	for _, h := range p.Helpers {
		p.Dst = append(p.Dst, h...)
		p.Line()
	}
	if p.Options.Bare {
		p.Join(sections)
		return
	}
	arguments := "(void)"
	if cpp {
		arguments = "()"
	}
	if len(sections) == 1 {
		cFunction(p, "int main"+arguments, sections[0])
		return
	}
	for i, s := range sections {
		cFunction(p, "static CURLcode request"+emit.Itoa(i+1)+arguments, s)
		p.Line()
	}
	p.Line("int main", arguments)
	p.Line("{")
	for i := range sections {
		p.Line(p.Indent, "if (request", emit.Itoa(i+1), "() != CURLE_OK) {")
		p.Line(p.Indent, p.Indent, "return EXIT_FAILURE;")
		p.Line(p.Indent, "}")
	}
	p.Line(p.Indent, "return EXIT_SUCCESS;")
	p.Line("}")
}

func cFunction(p *plan.Program, head string, body []byte) {
	p.Line(head)
	p.Line("{")
	p.Dst = append(p.Dst, body...)
	p.Line("}")
}

// A cRequest writes one call.
type cRequest struct {
	p *plan.Program
	libcurl.CurlOptions
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
		s += emit.Itoa(r.names[s])
	}
	return s
}

func (r *cRequest) write() {
	failed := `fprintf(stderr, "%s\n", curl_easy_strerror(result));`
	if r.cpp {
		r.p.Use("<iostream>")
		r.p.Use("<memory>")
		r.p.Line("std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> handle(curl_easy_init(), curl_easy_cleanup);")
		r.p.Line("CURL *curl = handle.get();")
		failed = `std::cerr << curl_easy_strerror(result) << '\n';`
	} else {
		r.p.Line("CURL *curl = curl_easy_init();")
		r.cleanup = append(r.cleanup, "curl_easy_cleanup(curl);")
	}
	r.check("!curl", "return CURLE_FAILED_INIT;")
	r.with(r.C.URLText, "url", func(s string) { r.setopt("URL", s) })
	r.SetMethod()
	r.setAll()
	r.content()
	r.SetFields()
	prints, both := r.C.PrintsHead(r.p.Options), r.C.PrintsBoth(r.p.Options)
	if prints && both || r.C.SavesHead(r.p.Options) {
		r.Flag("HEADER", "true")
	}
	r.SetExchange()
	r.setAll()
	if prints && !both {
		r.setopt("HEADERDATA", "stdout")
	}
	if r.C.Streams(r.p.Options) {
		if r.cpp {
			r.p.Use("<cstdio>")
		}
		r.p.Line("setvbuf(stdout, ", r.null(), ", _IONBF, 0);")
	}
	keeps := r.C.KeepsFile(r.p.Options)
	if r.C.Destination(r.p.Options) == plan.ToFile || r.C.Output().Source() == plan.NullDevice {
		r.openOutput(keeps)
	}
	r.p.Line()
	r.p.Line("CURLcode result = curl_easy_perform(curl);")
	r.check("result != CURLE_OK", failed)
	r.status()
	for i := range r.cleanup {
		r.p.Line(r.cleanup[len(r.cleanup)-1-i])
	}
	if keeps {
		r.keepOutput()
	}
	if !r.p.Options.Bare {
		r.p.Line("return result;")
	}
}

// status writes the statements that print the status as -w asks for it, and make an error
// of it with --fail-with-body.
func (r *cRequest) status() {
	t, fails := r.C.WriteOut(r.p.Options, "status"), r.C.FailsLate()
	if plan.HasVariable(t) || fails {
		r.p.Line("long status = 0;")
		r.p.Line("curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);")
	}
	if len(t) > 0 {
		format, arguments := t.Format("%ld", emit.DoublePercent, func(v *request.Variable) string { return v.Name })
		if r.cpp {
			r.p.Use("<cstdio>")
		}
		r.p.Line("printf(", emit.CString(format), arguments, ");")
	}
	if fails {
		r.check("result == CURLE_OK && status >= 400", "result = CURLE_HTTP_RETURNED_ERROR;")
	}
}

// openOutput writes the statements that open the file of -o, or one that takes the
// response until it is known to be no error.
func (r *cRequest) openOutput(keeps bool) {
	folder, output, mode := r.C.Folder(), r.C.Output(), "wb"
	if folder != nil && r.cpp {
		r.p.Use("<filesystem>")
		r.with(folder, "folder", func(s string) { r.p.Line("std::filesystem::create_directories(", s, ");") })
	}
	if r.C.Resumes() {
		mode = "ab"
	}
	if keeps {
		output = r.C.PartOutput()
	}
	r.with(output, "path", func(s string) {
		if folder != nil && !r.cpp {
			r.p.Use("<string.h>")
			r.p.Use("<sys/stat.h>")
			r.p.Help(cMakeFolders)
			r.p.Line("make_folders(", s, ");")
		}
		r.p.Line(`FILE *output = fopen(`, s, `, "`, mode, `");`)
	})
	r.check("!output", "perror(\"output\");", "return CURLE_WRITE_ERROR;")
	r.setopt("WRITEDATA", "output")
	if r.C.Resumes() {
		r.p.Line("fseek(output, 0, SEEK_END);")
		r.setopt("RESUME_FROM_LARGE", "(curl_off_t)ftell(output)")
	}
	r.cleanup = append(r.cleanup, "fclose(output);")
}

// keepOutput writes the statements that give the file its name which has a response that
// is no error, and remove another.
func (r *cRequest) keepOutput() {
	r.with(r.C.PartOutput(), "part", func(part string) {
		r.with(r.C.Output(), "path", func(path string) {
			r.check("result == CURLE_OK && rename("+part+", "+path+") != 0", `perror("output");`, "result = CURLE_WRITE_ERROR;")
		})
		r.check("result != CURLE_OK", "remove("+part+");")
	})
}

func (r *cRequest) check(condition string, lines ...string) {
	r.p.Block("if ("+condition+") {", func() {
		for _, l := range lines {
			r.p.Line(l)
		}
	})
	r.p.Line("}")
}

func (r *cRequest) setopt(option, value string) {
	r.p.Folded("curl_easy_setopt(curl, CURLOPT_"+option+",", value+");")
}

// with calls a function with an expression of type const char * for a text,
// and releases what the expression needs.
func (r *cRequest) with(t plan.Text, name string, statement func(s string)) {
	if s, ok := t.Plain(); ok {
		statement(r.literal(s))
		return
	}
	if r.cpp {
		terms := make([]string, len(t))
		for i, p := range t {
			terms[i] = r.literal(p.Literal)
			if p.Variable != nil {
				terms[i] = r.variable(p.Variable)
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
	format, arguments := t.Format("%s", emit.DoublePercent, func(v *request.Variable) string {
		expr := r.variable(v)
		if v.Encoding == request.EncodingPercent || v.Encoding == request.EncodingForm {
			encoded := r.name("encoded")
			r.p.Line("char *", encoded, " = ", expr, ";")
			free = append(free, encoded)
			return encoded
		}
		return expr
	})
	if len(t) == 1 {
		statement(arguments[len(", "):])
	} else {
		r.p.Use("<stdarg.h>")
		r.p.Help(cFormat)
		name = r.name(name)
		r.p.Line("char *", name, " = format(", emit.CString(format), arguments, ");")
		free = append(free, name)
		statement(name)
	}
	for _, name := range free {
		r.p.Line("free(", name, ");")
	}
}

// variable returns a look-up in the environment, percent-encoded where its
// place asks for that.
func (r *cRequest) variable(v *request.Variable) string {
	env, envOr, encode := cEnv, cEnvOr, cEncode
	if r.cpp {
		r.p.Use("<cstdlib>")
		r.p.Use("<stdexcept>")
		r.p.Use("<string>")
		env, envOr, encode = cppEnv, cppEnvOr, cppEncode
	}
	expr := "env(" + emit.CString(v.Name) + ")"
	if v.HasDefault {
		expr = "env_or(" + emit.CString(v.Name) + ", " + emit.CString(v.Default) + ")"
		r.p.Help(envOr)
	} else {
		r.p.Help(env)
	}
	blank := "%20"
	switch v.Encoding {
	case request.EncodingJSON:
		r.p.Refuse("escapes no variable for JSON")
	case request.EncodingForm:
		blank = "+"
		fallthrough
	case request.EncodingPercent:
		if r.cpp {
			r.p.Use("<cctype>")
			r.p.Use("<cstdio>")
			r.p.Use("<cstring>")
		} else {
			r.p.Use("<ctype.h>")
			r.p.Use("<string.h>")
		}
		r.p.Help(encode)
		expr = "percent_encode(" + expr + `, "` + blank + `")`
	}
	return expr
}

// literal returns a string literal: a raw one in C++ where it needs fewer
// escapes.
func (r *cRequest) literal(s string) string {
	if !r.cpp || !strings.ContainsAny(s, "\"\\") || emit.EscapesBreaks(s) || strings.Contains(s, `)"`) || !plan.Literal(s).IsText() ||
		strings.ContainsFunc(s, func(c rune) bool { return c < ' ' && c != '\n' || c == 0x7f || quote.Turns(c) }) {
		return emit.CString(s)
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
	for _, s := range r.Settings {
		switch s.Kind {
		case libcurl.CurlFlag:
			r.setopt(s.Option, map[string]string{"true": "1L", "false": "0L"}[s.Word])
		case libcurl.CurlNumber:
			number := s.Word + "L"
			if strings.HasSuffix(s.Option, "_LARGE") {
				number = "(curl_off_t)" + s.Word
			}
			r.setopt(s.Option, number)
		case libcurl.CurlConstant:
			word := s.Word
			if strings.Contains(word, " ") {
				word = "(" + word + ")"
			}
			r.setopt(s.Option, "(long)"+word)
		case libcurl.CurlText:
			r.with(s.Value, "value", func(value string) { r.setopt(s.Option, value) })
		case libcurl.CurlList:
			r.setopt(s.Option, r.list(map[string]string{"HTTPHEADER": "headers", "PROXYHEADER": "proxyHeaders", "RESOLVE": "addresses", "CONNECT_TO": "hosts"}[s.Option], s.List))
		}
	}
	r.Settings = nil
}

// list writes the statements that make a list, and returns it.
func (r *cRequest) list(name string, items []plan.Text) string {
	name = r.name(name)
	for i, t := range items {
		r.with(t, "header", func(s string) {
			if i == 0 {
				r.p.Folded("struct curl_slist *"+name+" =", "curl_slist_append("+r.null()+", "+s+");")
			} else {
				r.p.Folded(name+" =", "curl_slist_append("+name+", "+s+");")
			}
		})
	}
	r.cleanup = append(r.cleanup, "curl_slist_free_all("+name+");")
	return name
}

// content writes the statements that set the content.
func (r *cRequest) content() {
	switch r.C.Content.Kind {
	case plan.RawBody:
		r.Untyped()
		if size := r.size(r.C.Content.Data); size != zeroTerminated {
			r.setopt("POSTFIELDSIZE_LARGE", "(curl_off_t)"+size)
		}
		if s, ok := r.C.Content.Data.Plain(); ok {
			r.text("POSTFIELDS", s)
			return
		}
		r.with(r.C.Content.Data, "body", func(s string) { r.setopt("COPYPOSTFIELDS", s) })
	case plan.MultipartBody:
		r.multipart()
	case plan.FileBody:
		r.stream()
	case plan.PieceBody:
		r.Untyped()
		r.pieces()
	}
}

// text writes the statements that set an option to a text, in parts on lines of
// their own where it is long.
func (r *cRequest) text(option, s string) {
	parts := r.p.Parts(s)
	if quoted := r.literal(s); len(parts) == 1 || quoted[0] == 'R' {
		r.setopt(option, quoted)
		return
	}
	r.p.Line("const char *body =")
	for i, part := range parts {
		end := ""
		if i+1 == len(parts) {
			end = ";"
		}
		r.p.Line(r.p.Indent, emit.CString(part), end)
	}
	r.setopt(option, "body")
}

// stream writes the statements that send a file.
func (r *cRequest) stream() {
	size := "POSTFIELDSIZE_LARGE"
	if r.Uploads() {
		r.setopt("UPLOAD", "1L")
		size = "INFILESIZE_LARGE"
	} else {
		r.Untyped()
		r.setopt("POST", "1L")
	}
	if r.C.Content.File.Source() == "-" {
		r.setopt("READDATA", "stdin")
		return
	}
	if r.cpp {
		r.p.Use("<cstdlib>")
	}
	r.p.Help(cOpenFile)
	r.p.Line("curl_off_t size;")
	r.with(r.C.Content.File, "path", func(s string) { r.p.Line("FILE *file = open_file(", s, ", &size);") })
	r.setopt("READDATA", "file")
	r.setopt(size, "size")
	r.cleanup = append(r.cleanup, "fclose(file);")
}

// multipart writes the statements that make a form.
func (r *cRequest) multipart() {
	r.p.Line("curl_mime *form = curl_mime_init(curl);")
	r.formParts(r.C.Content.Part, "form")
	if r.C.Body.FormEscape {
		r.setopt("MIME_OPTIONS", "(long)CURLMIMEOPT_FORMESCAPE")
	}
	r.setopt("MIMEPOST", "form")
	r.cleanup = append(r.cleanup, "curl_mime_free(form);")
}

// zeroTerminated stands for the length of a text that its end shows.
const zeroTerminated = "CURL_ZERO_TERMINATED"

// size returns how long content is: with a NUL its end does not show that.
func (r *cRequest) size(t plan.Text) string {
	if strings.IndexByte(t.Source(), 0) < 0 {
		return zeroTerminated
	}
	s, ok := t.Plain()
	if !ok {
		r.p.Refuse("writes no variable into content that has a NUL")
		return zeroTerminated
	}
	return emit.Itoa(len(s))
}

// formParts writes the statements that make the parts of a form, or those within a
// part. form is the variable that they go to.
func (r *cRequest) formParts(list []plan.FormPart, form string) {
	for i := range list {
		p := &list[i]
		declared := ""
		if i == 0 && form == "form" {
			declared = "curl_mimepart *"
		}
		r.p.Line(declared, "part = curl_mime_addpart(", form, ");")
		add := func(t plan.Text, function, after string) {
			r.with(t, "text", func(s string) { r.p.Line("curl_mime_", function, "(part, ", s, after, ");") })
		}
		if p.Name != "" {
			add(p.NameText, "name", "")
		}
		nested, stdin := "", p.FileText.Source() == "-"
		switch {
		case p.Nested:
			nested = r.name("nested")
			r.p.Line("curl_mime *", nested, " = curl_mime_init(curl);")
			r.p.Line("curl_mime_subparts(part, ", nested, ");")
		case stdin: // a file of this name would have a type
			if r.cpp {
				r.p.Use("<cstdio>")
			}
			r.p.Line("curl_mime_data_cb(part, -1, (curl_read_callback)fread, ", r.null(), ", ", r.null(), ", stdin);")
		case p.IsFile():
			add(p.FileText, "filedata", "")
			if p.FilenameText == nil {
				r.p.Line("curl_mime_filename(part, ", r.null(), ");")
			}
		default:
			add(p.ValueText, "data", ", "+r.size(p.ValueText))
		}
		if source := p.FileText.Source(); p.FilenameText != nil && (stdin || !p.IsFile() || *p.FilenameText != source[strings.LastIndexByte(source, '/')+1:]) {
			add(p.Named, "filename", "")
		}
		if p.TypeText != nil && !p.GuessesType() {
			add(p.Kind, "type", "")
		}
		if p.Encoder != "" {
			add(plan.Literal(p.Encoder), "encoder", "")
		}
		if len(p.Headers) > 0 {
			var lines []plan.Text
			for _, h := range p.Headers {
				lines = append(lines, plan.Literal(h))
			}
			r.p.Line("curl_mime_headers(part, ", r.list("lines", lines), ", 0);")
		}
		r.formParts(p.Inner, nested)
	}
}
