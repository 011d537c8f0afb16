package jvm

import (
	"slices"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
)

// What REST-assured 5 does by itself, from its source and that of HttpClient 4 of Apache,
// over which it stands: it adds Accept, User-Agent, Accept-Encoding, beside that of a program,
// and Connection; writes methods in capitals; asks port 8080 of localhost for http; encodes
// paths and queries again unless told not to, and groups the parameters of a query by their
// names; merges slashes in paths; gives content a type, a charset to nearly every type unless told not to, and a text
// in a form a type; writes strings in Latin-1 but for JSON, and forms from strings only;
// follows redirects of GET and HEAD unless told not to, and then sends all fields to other
// hosts, but no cookies that a response sets. No status is an error.
var RestAssured = plan.Target{
	Name: "java-rest-assured", Convention: &javaConvention, Client: "REST-assured", Version: "5", Kind: plan.Code, Extension: "java",
	Packages: append([]plan.Package{{Name: "io.rest-assured:rest-assured", Version: "5.3.0"}}, jackson...),
	Aliases:  []string{"rest-assured", "restassured", "java-restassured"}, Proven: true, Style: HTTPClient.Style, Write: writeRestAssured, Takes: plan.AnyFrom,
	Facts: plan.Client{
		Undecoded: true,
		ModernTLS: true,
		Names:     func(name string) bool { return plan.IsToken(strings.TrimRight(name, " ")) },
		Adds:      plan.FieldNames{"Accept", "User-Agent", "Accept-Encoding", "Connection"},
		Always:    plan.FieldNames{"Accept", "User-Agent", "Connection", "Host"},
		Fixed:     plan.FieldNames{"Content-Length", "Transfer-Encoding"},
		Rules: plan.Rules{
			plan.SendsMethods(plan.Capitals),
			plan.ReadsURLs(plan.WellFormed),
			plan.MergesSlashes,
			plan.VisibleFields,
			plan.ASCIIPasswords,
			plan.TypesContent,
			plan.SendsOnce("Accept"),
			plan.SendsOneType,
			groupsQuery,
		},
		EmptyHost: true,
		Digest:    true,
		Eager:     true,
		Quotes:    true,
		AnyAuth:   true,
		Follows:   []string{"GET", "HEAD"},
		Proxies:   []string{"http"},
		Shares:    plan.FieldNames{"Authorization", "Cookie", "Host"},
	},
}

func writeRestAssured(p *plan.Program) {
	sections := p.Sections(java.depth(p), func(c *plan.Call, suffix string) {
		r := assuredCall{jvmCall{p: p, c: c, jvm: &java, suffix: suffix}}
		r.computes()
		r.write()
	})
	java.frame(p, sections, nil)
}

// An assuredCall writes one call with REST-assured.
type assuredCall struct{ jvmCall }

// assured is the package of its classes.
const assured = "io.restassured."

func (r *assuredCall) write() {
	r.p.Use("static " + assured + "RestAssured.given")
	if a, ok := r.c.Address(); ok && !underscored(a.Host.Source()) && !uriTakes(a.Host.Source()) {
		r.p.RefuseName(plan.Nowhere, "takes no such host", a.Host.Source())
	}
	url := emit.Leaf(r.urlText(r.url()))
	content := r.body() // which may set the type
	var set []emit.Node
	if config := r.config(); config != "" {
		set = append(set, emit.Leaf(".config("+config+")"))
	}
	set = slices.Concat(set, r.settings(), r.fields(), content)
	calls := []emit.Node{emit.Leaf("given()")}
	if len(set) > 0 {
		calls = append(append(calls, set...), emit.Leaf(".when()"))
	}
	call := method("."+strings.ToLower(r.c.Method), url)
	if !slices.Contains([]string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}, r.c.Method) {
		call = method(".request", emit.Leaf(r.Literal(r.c.Method)), url)
	}
	r.result(append(calls, call))
}

// url returns the URL as java.net.URI takes it, with the port of http for localhost.
func (r *assuredCall) url() plan.Text {
	url := r.uri()
	if a, ok := r.c.Address(); ok && !a.Secure && a.Port == "" && strings.EqualFold(a.Host.Source(), "localhost") {
		end := strings.Index(r.c.URL, "://") + len("://localhost")
		return plan.MergeLiterals(slices.Concat(url.Cut(0, end), plan.Literal(":80"), url.Cut(end, len(url.Source()))))
	}
	return url
}

// encodes reports whether the client would encode something in the URL again.
func (r *assuredCall) encodes() bool {
	base, path, query := r.c.URLParts()
	return plan.HasVariable(base, path, query) ||
		strings.ContainsFunc(path.Source()+query.Source(), func(c rune) bool {
			return c >= 0x80 || !strings.ContainsRune("/&=*-._", c) && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z')
		})
}

// config returns an expression for a configuration, after the statements that make its
// parts, or "".
func (r *assuredCall) config() string {
	config := ""
	add := func(name, method, class string, calls ...string) {
		r.p.Use(assured + "config." + class)
		nodes := []emit.Node{emit.Leaf(class + "." + strings.ToLower(class[:1]) + class[1:] + "()")}
		for _, one := range calls {
			nodes = append(nodes, emit.Leaf("."+one))
		}
		config += "." + method + "(" + r.build(name, nodes...) + ")"
	}
	f := r.c.Field("Content-Type")
	if f != nil && f.Value.Source() != "application/json" && r.c.Content.Kind != plan.MultipartBody && !strings.Contains(strings.ToLower(f.Value.Source()), "charset=") {
		calls := []string{"appendDefaultContentCharsetToContentTypeIfUndefined(false)"}
		switch beyond := func(p plan.Pair) bool { return !p.Name.IsASCII() || !p.Value.IsASCII() || plan.HasVariable(p.Value) }; {
		case r.isForm() && slices.ContainsFunc(r.c.Content.Form, beyond):
			r.p.Use("java.nio.charset.StandardCharsets")
			calls = append(calls, "defaultContentCharset(StandardCharsets.UTF_8)")
		case f.Value.Source() == plan.FormType && !r.isForm() && !r.asString():
			r.p.Use(assured + "http.ContentType")
			calls = append(calls, "encodeContentTypeAs("+r.Literal(plan.FormType)+", ContentType.TEXT)")
		}
		add("encoding", "encoderConfig", "EncoderConfig", calls...)
	}
	if r.p.Exact() && !r.c.Compressed() || r.c.Field("Accept-Encoding") != nil || r.c.Removes("Accept-Encoding") {
		add("decoding", "decoderConfig", "DecoderConfig", "noContentDecoders()")
	}
	var limits []string
	if limit := r.c.ConnectTimeout(); limit > 0 {
		limits = append(limits, "setParam("+r.Literal("http.connection.timeout")+", "+emit.Milliseconds(limit)+")")
	}
	if limit := r.c.Timeout(); limit > 0 {
		limits = append(limits, "setParam("+r.Literal("http.socket.timeout")+", "+emit.Milliseconds(limit)+")")
	}
	if limits != nil {
		add("limits", "httpClient", "HttpClientConfig", limits...)
	}
	if config == "" {
		return ""
	}
	r.p.Use(assured + "RestAssured")
	return "RestAssured.config()" + config
}

// settings returns the calls that set what shapes the exchange.
func (r *assuredCall) settings() (set []emit.Node) {
	add := func(asked bool, call string) {
		if asked {
			set = append(set, emit.Leaf("."+call))
		}
	}
	add(r.c.Insecure(), "relaxedHTTPSValidation()")
	if r.c.ProxyScheme() != "" {
		if server, known := r.c.ProxyServer(); known {
			add(true, "proxy("+r.Literal(server.Host)+", "+server.PortOr()+")")
		} else {
			r.p.Refuse("takes no proxy from a variable")
		}
	}
	add(r.c.Stops(), "redirects().follow(false)")
	if r.c.Follow() && r.c.LimitsRedirects() {
		add(true, "redirects().max("+emit.Itoa(int(r.c.RedirectLimit()))+")")
	}
	if jar := r.c.Jar(); jar != nil {
		name := jar.Named("cookies")
		if r.c.Opens() {
			r.p.Use(assured + "filter.cookie.CookieFilter")
			r.do(r.let, name, " = new CookieFilter()")
		}
		add(true, "filter("+name+")")
	}
	add(r.encodes(), "urlEncodingEnabled(false)")
	if d := r.c.Digest; d != nil {
		set = append(set, method(".auth().digest", emit.Leaf(r.text(d.User)), emit.Leaf(r.text(d.Password))))
	}
	return set
}

// fields returns the calls that set the fields.
func (r *assuredCall) fields() (calls []emit.Node) {
	for _, f := range r.c.Headers() {
		switch user := r.c.Basic; {
		case f.Derived() && f.Is("Authorization") && user.Joined().IsASCII() && !(r.p.Exact() && plan.HasVariable(user.Joined())): // else Latin-1
			calls = append(calls, method(".auth().preemptive().basic", emit.Leaf(r.text(user.User)), emit.Leaf(r.text(user.Password))))
		case f.Is("Authorization") && plan.IsBearer(f.Value):
			calls = append(calls, method(".auth().oauth2", emit.Leaf(r.text(f.Value.Cut(len("Bearer "), len(f.Value.Source()))))))
		case f.Is("Content-Type") && f.Value.Source() == "application/json":
			r.p.Use(assured + "http.ContentType")
			calls = append(calls, emit.Leaf(".contentType(ContentType.JSON)"))
		case f.Is("Content-Type"):
			calls = append(calls, method(".contentType", emit.Leaf(r.text(f.Value))))
		case !f.Skipped():
			calls = append(calls, method(".header", emit.Leaf(r.Literal(f.Name)), emit.Leaf(r.fieldValue(&f))))
		}
	}
	if value := r.proxyAuthorization(); value != "" {
		calls = append(calls, method(".header", emit.Leaf(r.Literal("Proxy-Authorization")), emit.Leaf(value)))
	}
	return calls
}

// isForm reports whether the client encodes the form as it is.
func (r *assuredCall) isForm() bool {
	return r.c.Content.Kind == plan.RawBody && grouped(r.c.Content.Data.Source()) && r.c.IsForm(&encodeOkHTTP)
}

// textTypes are types of content that the client knows how to make of a string.
var textTypes = []string{"application/json", "application/xml", plan.FormType, "text/html", "text/plain", "text/xml"}

// asString reports whether the content goes out as a string, in UTF-8.
func (r *assuredCall) asString() bool {
	data, f := r.c.Content.Data, r.c.Field("Content-Type")
	if r.c.Content.Kind != plan.RawBody || f == nil || !data.IsText() {
		return false
	}
	name, _, _ := strings.Cut(f.Value.Source(), ";")
	return r.c.HasType("application/json") || slices.Contains(textTypes, name) && data.IsASCII() && !plan.HasVariable(data)
}

// body returns the calls that set the content, after statements that they need.
func (r *assuredCall) body() (calls []emit.Node) {
	switch {
	case r.c.Content.Kind == plan.NoBody, r.c.Empty() && r.c.Untyped():
		return nil
	case r.c.Content.Kind == plan.MultipartBody && r.helpedForm():
		for _, p := range r.c.Content.Part {
			if !p.IsFile() {
				calls = append(calls, method(".multiPart", emit.Leaf(r.text(p.NameText)), emit.Leaf(r.text(p.ValueText))))
				continue
			}
			r.p.Use("java.io.File")
			file := method("new File", emit.Leaf(r.text(p.FileText)))
			calls = append(calls, method(".multiPart", emit.Leaf(r.text(p.NameText)), file, emit.Leaf(r.Literal(*p.TypeText))))
		}
		return calls
	case r.isForm():
		for _, p := range r.c.Content.Form {
			calls = append(calls, method(".formParam", emit.Leaf(r.text(plan.Decoded(p.Name))), emit.Leaf(r.text(plan.Decoded(p.Value)))))
		}
		return calls
	}
	content, isText := r.stringOrBytes()
	if isText && !r.asString() {
		content = r.inBrackets(content) + r.inBytes(0)
	}
	return []emit.Node{method(".body", emit.Leaf(content))}
}

// helpedForm reports a form that the client writes: of files with their own names, and
// types, and in idiomatic style of texts in ASCII, to which it gives one.
func (r *assuredCall) helpedForm() bool {
	return r.plainForm() && !slices.ContainsFunc(r.c.Content.Part, func(p plan.FormPart) bool {
		if r.plainText(&p) {
			return !p.ValueText.IsASCII() || plan.HasVariable(p.ValueText)
		}
		return !p.IsFile() || p.TypeText == nil || !plainType(*p.TypeText) || p.FilenameText == nil || p.SentName() != "" || p.FileText.Source() == "-"
	})
}

// result sends the request, and writes what is done with the response.
func (r *assuredCall) result(calls []emit.Node) {
	response := r.build("response", calls...)
	status := response + ".statusCode()"
	r.c.Report(r.p.Options, func() { r.checkStatus(status) }, func() {
		r.show(response + ".statusLine()")
		r.show(response + ".headers()")
	}, func() {
		switch r.c.Destination(r.p.Options) {
		case plan.ToFile:
			r.p.Use("java.nio.file.Files")
			if folder := r.c.Folder(); folder != nil {
				r.do("Files.createDirectories(", r.path(folder), ")")
			}
			r.do("Files.write(", r.path(r.c.Output()), ", ", response, ".asByteArray())")
		case plan.ContentPrinted:
			r.show(response + ".asString()")
		case plan.Captured:
			r.captures(r.let, response+".asString()")
		}
	}, func() {
		if t := r.c.WriteOutLine(r.p.Options, status); len(t) > 0 {
			r.show(r.text(t))
		}
	})
}
