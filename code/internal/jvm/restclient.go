package jvm

import (
	"slices"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
)

// What RestClient of Spring 6.1 does by itself with HttpClient of Java, which it takes where
// no other client is there, from its source: besides what that does, it reads a URL that is
// a string as a template, which it encodes, and groups the parameters of a query by their
// names; gives content a type, unless a function writes it; writes a string in Latin-1 where
// its type has no charset and is not JSON; gives a text in a form a type; and makes an error
// of a status of 400 and more that nobody looks at. Since version 7 it adds Accept-Encoding.
var RestClient = plan.Target{
	Name: "java-restclient", Convention: &javaConvention, Client: "Spring RestClient", Version: "6.1", Kind: plan.Code, Extension: "java",
	Packages: append([]plan.Package{{Name: "org.springframework:spring-web", Version: "6.1.0"}}, jackson...),
	Aliases:  []string{"restclient", "spring", "spring-restclient", "java-spring-restclient"}, Proven: true,
	Style: HTTPClient.Style, Write: writeRestClient, Takes: plan.AnyFrom, Facts: restClient(),
}

func restClient() plan.Client {
	c := httpClient
	c.Loops, c.Answers = nil, false
	c.Adds = append(slices.Clone(c.Adds), "Accept-Encoding")
	c.Rules = append(plan.Rules{plan.SendsCodings(plan.OnlyChunks)}, c.Rules[1:]...) // it names no length then
	return c
}

func writeRestClient(p *plan.Program) {
	clients := make(map[string]string)
	sections := p.Sections(java.depth(p), func(c *plan.Call, suffix string) {
		r := restCall{httpClientCall{jvmCall{p: p, c: c, jvm: &java, suffix: suffix, clients: clients}}}
		r.computes()
		r.write()
	})
	java.frame(p, sections, httpClientProperties(p, &java))
}

// A restCall writes one call with RestClient.
type restCall struct{ httpClientCall }

const spring = "org.springframework."

func (r *restCall) write() {
	r.p.Use(spring + "web.client.RestClient")
	r.checkURL()
	url := r.urlExpression()
	if r.leads() || plan.HasVariable(r.c.URLText) || !isTemplate(r.c.URL) {
		r.p.Use("java.net.URI")
		url = "URI.create(" + url + ")"
	}
	client := r.restClient()
	content := r.body()
	start := client + "." + strings.ToLower(r.c.Method) + "()"
	bodies := slices.Contains([]string{"POST", "PUT", "PATCH"}, r.c.Method)
	if !bodies && (content != nil || !slices.Contains([]string{"GET", "HEAD", "DELETE", "OPTIONS"}, r.c.Method)) {
		r.p.Use(spring + "http.HttpMethod")
		start = client + ".method(HttpMethod.valueOf(" + r.Literal(r.c.Method) + "))"
	}
	calls := append([]emit.Node{emit.Leaf(start), method(".uri", emit.Leaf(url))}, r.fields()...)
	r.result(append(calls, content...))
}

// isTemplate reports whether a URL is sent as it is where it is read as a template.
func isTemplate(url string) bool {
	_, query, asks := strings.Cut(url, "?")
	_, path, _ := strings.Cut(url, "://")
	return !strings.ContainsFunc(url, func(c rune) bool { return c <= ' ' || c >= 0x7f || strings.ContainsRune("\"%<>[]\\^`{|}", c) }) && !strings.Contains(path, "//") &&
		(!asks || query != "" && grouped(query)) // it leaves out an empty query
}

// restClient returns the variable of the client, after the statements that make it, unless
// one before is the same.
func (r *restCall) restClient() string {
	set, limit := r.settings(), r.c.Timeout()
	key := r.key(set) + "\n" + emit.Milliseconds(limit)
	if name, ok := r.clients[key]; ok {
		return name
	}
	client := []emit.Node{emit.Leaf("RestClient.create()")}
	if set = append(set, r.secured()...); len(set) > 0 || limit > 0 || r.p.Exact() {
		r.p.Use(spring + "http.client.JdkClientHttpRequestFactory")
		arguments := ""
		if len(set) > 0 {
			r.p.Use("java.net.http.HttpClient")
			calls := []emit.Node{emit.Leaf("HttpClient.newBuilder()")}
			for _, one := range append(set, ".build()") {
				calls = append(calls, emit.Leaf(one))
			}
			arguments = r.build("httpClient", calls...)
		}
		factory := "new JdkClientHttpRequestFactory(" + arguments + ")"
		if limit > 0 {
			factory = r.set("factory", emit.Leaf(factory))
			r.do(factory, ".setReadTimeout(", r.duration(limit), ")")
		}
		client = []emit.Node{emit.Leaf("RestClient.builder()"), emit.Leaf(".requestFactory(" + factory + ")"), emit.Leaf(".build()")}
	}
	r.clients[key] = r.build("client", client...)
	return r.clients[key]
}

// fields returns the calls that set the fields, but for those of the content.
func (r *restCall) fields() (calls []emit.Node) {
	for _, f := range r.c.Headers() {
		const set = ".headers(headers -> headers.set"
		switch user := r.c.Basic; {
		case f.Derived() && f.Is("Authorization") && user.IsText() && !user.Colon():
			items := []emit.Node{emit.Leaf(r.text(user.User)), emit.Leaf(r.text(user.Password))}
			if !user.Joined().IsASCII() || plan.HasVariable(user.Joined()) { // else they go out in Latin-1
				r.p.Use("java.nio.charset.StandardCharsets")
				items = append(items, emit.Leaf("StandardCharsets.UTF_8"))
			}
			calls = append(calls, emit.Group(set+"BasicAuth", "(", items, "))"))
		case f.Is("Authorization") && plan.IsBearer(f.Value):
			token := r.text(f.Value.Cut(len("Bearer "), len(f.Value.Source())))
			calls = append(calls, emit.Group(set+"BearerAuth", "(", []emit.Node{emit.Leaf(token)}, "))"))
		case !f.Skipped():
			calls = append(calls, method(".header", emit.Leaf(r.Literal(f.Name)), emit.Leaf(r.fieldValue(&f))))
		}
	}
	return append(calls, r.proxyHeader()...)
}

// springTypes are the types of content for which Spring has a name.
var springTypes = map[string]string{
	"application/json": "APPLICATION_JSON", "application/octet-stream": "APPLICATION_OCTET_STREAM", "application/xml": "APPLICATION_XML",
	plan.FormType: "APPLICATION_FORM_URLENCODED", "multipart/form-data": "MULTIPART_FORM_DATA", "text/plain": "TEXT_PLAIN", "text/xml": "TEXT_XML",
}

// typed returns the call that names the type of the content where Spring has a name for it;
// else the field does.
func (r *restCall) typed(name string) []emit.Node {
	known := springTypes[name]
	if known == "" {
		return nil
	}
	if f := r.c.Field("Content-Type"); f != nil {
		r.c.Imply(f)
	}
	r.p.Use(spring + "http.MediaType")
	return []emit.Node{emit.Leaf(".contentType(MediaType." + known + ")")}
}

// body returns the calls that set the content, after statements that they need.
func (r *restCall) body() []emit.Node {
	data, kind := r.c.Content.Data, r.c.Content.Kind
	switch {
	case kind == plan.NoBody:
		return nil
	case kind == plan.MultipartBody && r.helpedForm():
		form := r.form("Object")
		for _, p := range r.c.Content.Part {
			value := r.text(p.ValueText)
			if p.IsFile() {
				r.p.Use(spring + "core.io.FileSystemResource")
				value = "new FileSystemResource(" + r.text(p.FileText) + ")"
			}
			r.p.Node(form, method(".add", emit.Leaf(r.text(p.NameText)), emit.Leaf(value)), r.end)
		}
		return append(r.typed("multipart/form-data"), emit.Leaf(".body("+form+")"))
	case kind == plan.RawBody && grouped(data.Source()) && !r.c.Chunked() && r.c.IsForm(&plan.EncodeWHATWG) && r.c.LeavesType(): // it names the length of a form
		form := r.form("String")
		for _, p := range r.c.Content.Form {
			r.p.Node(form, method(".add", emit.Leaf(r.text(plan.Decoded(p.Name))), emit.Leaf(r.text(plan.Decoded(p.Value)))), r.end)
		}
		return append(r.typed(plan.FormType), emit.Leaf(".body("+form+")"))
	}
	content, isText := r.stringOrBytes()
	f := r.c.Field("Content-Type")
	if f == nil || plan.HasVariable(f.Value) || !plan.IsMediaType(f.Value.Source()) {
		if isText {
			content = r.inBrackets(content) + r.inBytes(0)
		}
		bytes := r.set("bytes", emit.Leaf(content))
		calls := []emit.Node{emit.Leaf(".body(out -> out.write(" + bytes + "))")}
		if !r.c.Chunked() {
			calls = slices.Insert(calls, 0, emit.Leaf(".contentLength("+bytes+".length)"))
		}
		return calls
	}
	name := strings.ToLower(f.Value.Source())
	if isText && !(data.IsASCII() && !plan.HasVariable(data) || strings.HasSuffix(name, "json") || strings.HasSuffix(name, "charset=utf-8")) {
		content = r.inBrackets(content) + r.inBytes(0)
	}
	return append(r.typed(f.Value.Source()), method(".body", emit.Leaf(content)))
}

// form declares a form, and returns its variable.
func (r *restCall) form(values string) string {
	r.p.Use(spring + "util.LinkedMultiValueMap")
	return r.set("form", emit.Leaf("new LinkedMultiValueMap<String, "+values+">()"))
}

// helpedForm reports a form whose parts Spring writes: files with the names and types that it
// gives them, for where curl knows the type of a name, both know the same; and texts in
// idiomatic style, to which it gives one.
func (r *restCall) helpedForm() bool {
	return r.plainForm() && groupedParts(r.c.Content.Part) && !slices.ContainsFunc(r.c.Content.Part, func(p plan.FormPart) bool {
		if r.plainText(&p) {
			return !p.NameText.IsASCII()
		}
		return !p.IsFile() || !p.Guessed || p.TypeText == nil || *p.TypeText == "application/octet-stream" || p.SentName() != "" || p.FilenameText == nil ||
			!p.NameText.IsASCII() || p.FileText.Source() == "-" || plan.HasVariable(p.FileText)
	})
}

// result sends the request, and writes what is done with the response.
func (r *restCall) result(calls []emit.Node) {
	to := r.c.Destination(r.p.Options)
	if to == plan.ContentPrinted && !r.c.ReadsErrors() || to == plan.Captured || r.p.Options.Bare {
		if r.c.Fail() {
			calls = append(calls, emit.Leaf(".retrieve()"), emit.Leaf(".body(String.class)"))
		} else {
			calls = append(calls, emit.Leaf(".exchange((sent, response) -> response.bodyTo(String.class))"))
		}
		content := r.build("content", calls...)
		switch r.plainCookies(); to {
		case plan.Captured:
			r.captures(r.let, content)
		case plan.ContentPrinted:
			r.show(content)
		}
		return
	}
	request := r.build("request", calls...)
	r.p.Block(request+".exchange((sent, response) -> {", func() {
		const status = "response.getStatusCode().value()"
		r.c.Report(r.p.Options, func() { r.checkStatus(status) }, func() {
			r.show("response.getStatusCode()")
			r.show("response.getHeaders()")
		}, func() {
			switch to {
			case plan.ToFile:
				r.save("response.getBody()")
			case plan.ContentPrinted:
				r.show("response.bodyTo(String.class)")
			}
		}, func() {
			if t := r.c.WriteOutLine(r.p.Options, status); len(t) > 0 {
				r.show(r.text(t))
			}
		})
		r.do("return null")
	})
	r.do("})")
	r.plainCookies()
}
