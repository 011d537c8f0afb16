package code

import (
	"slices"
	"strings"
)

// What RestSharp 112 and later do by themselves, from their source: they add
// Accept, which no program can take out, User-Agent and Accept-Encoding unless
// told not to; know the methods of an enumeration; take the query apart unless
// it is in the base URL; give all content a type, with a charset unless told not
// to; write the files of a form before its other parts; follow redirects, without
// Authorization, unless told not to. System.Net.Http does the rest, as it does
// for HttpClient.
var csharpRestSharp = Target{
	Name: "csharp-restsharp", Language: "csharp", Client: "RestSharp", Version: "112", Kind: Code, Extension: "cs",
	Aliases: []string{"restsharp"}, style: style{indent: "    ", comment: "// ", wraps: "="},
	write: func(p *program) {
		writeCSharpCalls(p, func(c csharpRequest) {
			r := restRequest{csharpRequest: c}
			r.write()
		})
	},
	client: client{
		specified: true,
		adds:      fieldNames{"Accept"},
		always:    fieldNames{"Accept"},
		environs:  true,
		codings:   onlyChunks,
		framed:    true,
		typed:     true,
		dots:      true,
		slashes:   true,
		digest:    true,
		quotes:    true,
		eager:     true,
		visible:   true,
		hosts:     csharpHost,
		methods:   func(m string) bool { return slices.Contains(restMethods, m) },
		fixed:     fieldNames{"Content-Length"},
		single:    fieldNames{"User-Agent"},
		counts:    enclosing,
		says:      []string{"createDirs", "cookieEngine", "followRedirects", "maxRedirects", "maxTime", "insecure"},
		proxies:   csharpProxies,
		versions:  []string{"1.0", "1.1", "2"},
		shares:    fieldNames{"Cookie", "Host"},
		drops:     fieldNames{"Authorization"},
	},
}

var restMethods = []string{"GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "MERGE", "COPY", "SEARCH"}

// A restRequest writes one call with RestSharp.
type restRequest struct {
	csharpRequest
	typed bool // the content brings its type
}

func (r *restRequest) write() {
	r.p.use("RestSharp")
	url := r.url()
	method := "()"
	if r.c.Method != "GET" && r.c.Method != "" {
		method = " { Method = Method." + r.c.Method[:1] + strings.ToLower(r.c.Method[1:]) + " }"
	}
	if !r.p.fits(len("var options = new RestClientOptions()") + columns(url)) {
		r.p.folded("var "+r.name("address")+" =", url+";")
		url = r.name("address")
	}
	r.p.csharpObject("var "+r.name("options")+" = ", "new RestClientOptions("+url+")", r.options(), ";")
	r.p.line("using var ", r.name("client"), " = new RestClient(", r.name("options"), ");")
	r.p.line()
	request := r.name("request")
	r.p.line("var ", request, " = new RestRequest", method, ";")
	r.version()
	r.body()
	r.headers()
	r.p.line()
	binding := "var " + r.name("response") + " = "
	if r.c.unread(r.p.options) {
		binding = ""
	}
	r.p.line(binding, "await ", r.name("client"), ".ExecuteAsync(", request, ");")
	r.result()
}

// options returns the members of the options of the client.
func (r *restRequest) options() []node {
	var items []node
	set := func(asked bool, parts ...string) {
		if asked {
			items = append(items, leaf(strings.Join(parts, "")))
		}
	}
	if c := r.c.basic; c != nil && c.isText() && !r.c.repeated() {
		r.p.use("RestSharp.Authenticators")
		set(true, "Authenticator = new HttpBasicAuthenticator(", r.text(c.user), ", ", r.text(c.password), ")")
	}
	for i := range r.c.fields {
		switch f := &r.c.fields[i]; {
		case f.is("User-Agent"):
			f.derived = true
			set(true, "UserAgent = ", r.text(f.value))
		case r.bearer(f):
			f.derived = true
			r.p.use("RestSharp.Authenticators")
			set(true, "Authenticator = new JwtAuthenticator(", r.text(f.value.cut(len("Bearer "), len(f.value.source()))), ")")
		}
	}
	set(r.c.removes("User-Agent"), "UserAgent = null")
	set(!r.c.compressed, "AutomaticDecompression = DecompressionMethods.None")
	set(r.isForm() || r.isText(), "DisableCharset = true")
	set(!r.c.follow || r.c.maxRedirects == 0, "FollowRedirects = false")
	set(r.c.follow && r.c.maxRedirects < 0, "MaxRedirects = int.MaxValue")
	set(r.c.follow && r.c.maxRedirects > 0, "MaxRedirects = ", itoa(int(r.c.maxRedirects)))
	set(r.c.timeout > 0, "Timeout = TimeSpan.FromSeconds(", seconds(r.c.timeout), ")")
	set(r.c.insecure, "RemoteCertificateValidationCallback = (sender, certificate, chain, errors) => true")
	if r.c.proxyScheme() != "" {
		set(true, "Proxy = ", r.proxy(false))
	}
	if r.c.digest != nil {
		set(true, "Credentials = ", r.credentials())
	}
	if !r.c.compressed {
		r.p.use("System.Net")
	}
	return items
}

// bearer reports whether an authenticator sends the field.
func (r *restRequest) bearer(f *field) bool {
	return f.is("Authorization") && f.value[0].variable == nil && strings.HasPrefix(f.value[0].literal, "Bearer ") && !r.c.repeated()
}

func (r *restRequest) headers() {
	for _, f := range r.c.joined() {
		basic := f.derived && f.is("Authorization") && r.c.basic != nil
		switch {
		case basic && r.c.basic.isText() && !r.c.repeated(), f.derived && !basic, r.typed && f.is("Content-Type"):
		case csharpOfContent(f.name) && r.c.body.kind == noBody && r.c.field("Content-Type") == nil:
			r.p.refuseName(f.at, "gives empty content with such a field a type", f.name)
		default:
			r.p.line(r.name("request"), ".AddHeader(", csharpString(f.name), ", ", r.text(f.value), ");")
		}
	}
}

// body writes the statements that set the content.
func (r *restRequest) body() {
	content := ""
	switch r.c.body.kind {
	case noBody:
		return
	case rawBody:
		switch {
		case r.isForm():
			r.form()
			return
		case r.isText():
			r.literal()
			return
		}
		content = r.bytes(r.c.body.data)
	case multipartBody:
		if r.files() {
			return
		}
		content = r.pieces(r.c.rawForm())
	case fileBody:
		content = "File.ReadAllBytes(" + r.text(r.c.body.file) + ")"
		if r.c.body.file.source() == "-" {
			content = r.pieces([]piece{{file: r.c.body.file}})
		}
	case pieceBody:
		content = r.pieces(r.c.body.list)
	}
	contentType := "ContentType.Binary"
	if f := r.c.field("Content-Type"); f != nil {
		if _, _, ok := csharpType(f); ok {
			contentType, r.typed = csharpString(f.value.source()), true
		}
	}
	r.p.line(r.name("request"), ".AddBody(", content, ", ", contentType, ");")
}

// isForm reports whether RestSharp encodes the form as it is.
func (r *restRequest) isForm() bool {
	named := !slices.ContainsFunc(r.c.body.form, func(p pair) bool { return p.name.source() == "" })
	return named && slices.Contains([]string{"POST", "PUT", "PATCH"}, r.c.Method) && r.c.isForm(&encodeData)
}

func (r *restRequest) form() {
	r.typed = true
	for _, p := range r.c.body.form {
		r.p.line(r.name("request"), ".AddParameter(", r.text(decoded(p.name)), ", ", r.text(decoded(p.value)), ");")
	}
}

// isText reports whether the content is text, and its type has no parameters.
func (r *restRequest) isText() bool {
	f := r.c.field("Content-Type")
	_, parameter, ok := csharpType(f)
	return ok && parameter == "" && r.c.body.kind == rawBody && r.c.body.data.isText()
}

func (r *restRequest) literal() {
	r.typed = true
	contentType := "DataFormat.Json"
	if !r.c.hasType("application/json") {
		contentType = csharpString(r.c.field("Content-Type").value.source())
	}
	r.p.line(r.name("request"), ".AddStringBody(", r.argument(r.c.body.data, "body"), ", ", contentType, ");")
}

// files writes a form that has nothing but files.
func (r *restRequest) files() bool {
	if r.c.Body.FormEscape {
		return false
	}
	for i := range r.c.body.part {
		p := &r.c.body.part[i]
		file := p.file.source()
		if !p.simple() || !p.isFile() || file == "-" || p.filename == nil || p.contentType == nil || *p.filename != file[strings.LastIndexByte(file, '/')+1:] ||
			!isVisible(p.Name+*p.filename) || strings.ContainsAny(p.Name+*p.filename, "\t\"\\") {
			return false
		}
		if _, _, ok := csharpType(&field{value: literal(*p.contentType)}); !ok {
			return false
		}
	}
	for i := range r.c.body.part {
		p := &r.c.body.part[i]
		r.p.line(r.name("request"), ".AddFile(", csharpString(p.Name), ", ", r.text(p.file), ", ", csharpString(*p.contentType), ");")
	}
	return true
}

// result writes what is done with the response.
func (r *restRequest) result() {
	response := r.name("response")
	if r.c.fail {
		r.p.line("if ((int)", response, ".StatusCode >= 400)")
		r.p.line("{")
		r.p.line(r.p.indent, "throw new HttpRequestException(", response, ".StatusDescription);")
		r.p.line("}")
	}
	switch r.c.destination(r.p.options) {
	case toFile:
		if folder := r.c.folder(); folder != nil {
			r.p.line("Directory.CreateDirectory(", r.text(folder), ");")
		}
		r.p.line("File.WriteAllBytes(", r.text(r.c.output), ", ", response, ".RawBytes ?? Array.Empty<byte>());")
	case headersPrinted:
		r.p.line("foreach (var header in ", response, ".Headers ?? Array.Empty<HeaderParameter>())")
		r.p.line("{")
		r.p.line(r.p.indent, "Console.WriteLine(header.Name + \": \" + header.Value);")
		r.p.line("}")
	case contentPrinted:
		r.p.line("Console.WriteLine(", response, ".Content ?? ", response, ".ErrorMessage);")
	}
}
