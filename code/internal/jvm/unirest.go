package jvm

import (
	"slices"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
)

// What Unirest 4 does by itself, from its source, besides what HttpClient of Java does, over
// which it stands (a request has a time limit in 4.4, and has none in 4.0): it follows redirects unless told not to, not from https to http; keeps
// cookies for all requests of an instance, and sends those with a time limit in quotes; adds
// Accept-Encoding beside that of a program unless told not to; writes methods in capitals;
// gives content a type, a charset to that of a form, and a text in a form of parts that of a
// form; writes the names of a form as they are; and ends where it has not connected after
// ten seconds.
var Unirest = plan.Target{
	Name: "java-unirest", Convention: &javaConvention, Client: "Unirest", Version: "4.4", Kind: plan.Code, Extension: "java",
	Packages: append([]plan.Package{{Name: "com.konghq:unirest-java-core", Version: "4.4.0"}}, jackson...),
	Aliases:  []string{"unirest", "unirest-java"}, Proven: true, Style: HTTPClient.Style, Write: writeUnirest, Takes: plan.AnyFrom, Facts: unirest(),
}

func unirest() plan.Client {
	c := httpClient
	c.Loops, c.Answers = nil, false
	c.Adds = append(slices.Clone(c.Adds), "Accept-Encoding")
	c.After = []string{"cookies"}
	c.Charset, c.Wire.Follows = true, true
	c.Rules = append(slices.Clone(c.Rules), plan.SendsMethods(plan.Capitals), plan.TypesContent)
	return c
}

func writeUnirest(p *plan.Program) {
	clients := make(map[string]string)
	sections := p.Sections(java.depth(p), func(c *plan.Call, suffix string) {
		r := unirestCall{httpClientCall{jvmCall{p: p, c: c, jvm: &java, suffix: suffix, clients: clients}}}
		r.computes()
		r.write()
	})
	java.frame(p, sections, httpClientProperties(p, &java))
}

// A unirestCall writes one call with Unirest.
type unirestCall struct{ httpClientCall }

func (r *unirestCall) write() {
	r.checkURL()
	url := emit.Leaf(r.urlExpression())
	if r.c.Follow() && r.c.Secure() && r.p.Exact() {
		r.p.Cannot("follows no redirects from https to http", "curl does")
	}
	client := r.instance()
	content := r.body()
	start := method(client+"."+strings.ToLower(r.c.Method), url)
	bodies := slices.Contains([]string{"POST", "PUT", "PATCH", "DELETE"}, r.c.Method)
	if !bodies && (content != nil || !slices.Contains([]string{"GET", "HEAD", "OPTIONS"}, r.c.Method)) {
		start = method(client+".request", emit.Leaf(r.Literal(r.c.Method)), url)
	}
	calls := []emit.Node{start}
	if limit := r.c.Timeout(); limit > 0 {
		calls = append(calls, emit.Leaf(".requestTimeout("+emit.Milliseconds(limit)+")"))
	}
	for _, f := range r.c.Headers() {
		switch {
		case f.Derived() && f.Is("Authorization") && r.c.Basic.Joined().IsASCII(): // else it depends on the machine
			calls = append(calls, method(".basicAuth", emit.Leaf(r.text(r.c.Basic.User)), emit.Leaf(r.text(r.c.Basic.Password))))
		case !f.Skipped():
			calls = append(calls, method(".header", emit.Leaf(r.Literal(f.Name)), emit.Leaf(r.fieldValue(&f))))
		}
	}
	r.result(slices.Concat(calls, r.proxyHeader(), content))
}

// instance returns the class, or the variable of an instance, after the statements that
// make it, where something is to be set, unless one before is the same.
func (r *unirestCall) instance() string {
	r.p.Use("kong.unirest.core.Unirest")
	var set []string
	add := func(asked bool, call string) {
		if asked {
			set = append(set, "."+call)
		}
	}
	if r.c.HTTPVersion() == "1.1" || r.c.HTTPVersion() == "" && !r.c.Secure() {
		r.p.Use("java.net.http.HttpClient")
		add(true, "version(HttpClient.Version.HTTP_1_1)")
	}
	add(r.c.Stops(), "followRedirects(false)")
	keeps := r.c.KeepsCookies()
	add(!keeps && (r.p.Exact() || len(r.p.Calls) > 1), "enableCookieManagement(false)")
	add(keeps && len(r.p.Calls) > 1, "enableCookieManagement(true)") // of an instance of its own
	add(r.p.Exact() && !r.c.Compressed() || r.c.Field("Accept-Encoding") != nil || r.c.Removes("Accept-Encoding"), "requestCompression(false)")
	if limit := r.c.ConnectTimeout(); limit > 0 {
		add(true, "connectTimeout("+emit.Milliseconds(limit)+")")
	}
	if r.c.ProxyScheme() != "" {
		if server, known := r.c.ProxyServer(); known {
			add(true, "proxy("+r.Literal(server.Host)+", "+server.PortOr()+")")
		} else {
			r.p.Refuse("takes no proxy from a variable")
		}
	}
	add(r.c.Insecure(), "verifySsl(false)")
	if versions := r.c.RangeTLS(); len(versions) > 0 {
		for i, version := range versions {
			versions[i] = r.Literal("TLSv" + strings.ReplaceAll(version, "_", "."))
		}
		add(true, "protocols("+strings.Join(versions, ", ")+")")
	}
	key := r.key(set)
	if keeps {
		key += r.suffix
	}
	if name, ok := r.clients[key]; ok {
		return name
	}
	if !r.c.Insecure() {
		context, _ := r.tls(true)
		add(context != "", "sslContext("+context+")")
	}
	if len(set) == 0 {
		return "Unirest"
	}
	name := r.set("client", emit.Leaf("Unirest.spawnInstance()"))
	r.clients[key] = name
	calls := []emit.Node{emit.Leaf(name + ".config()")}
	for _, one := range set {
		calls = append(calls, emit.Leaf(one))
	}
	r.p.Chain("", calls, r.end)
	return name
}

// body returns the calls that set the content, after statements that they need.
func (r *unirestCall) body() (calls []emit.Node) {
	add := func(arguments ...emit.Node) { calls = append(calls, method(".field", arguments...)) }
	switch kind := r.c.Content.Kind; {
	case kind == plan.NoBody, r.c.Empty() && r.c.Untyped():
		return nil
	case kind == plan.MultipartBody && r.c.Asked.Retries == 0 && r.typedParts(): // a boundary is for one try
		for _, p := range r.c.Content.Part {
			value, kind := emit.Leaf(r.text(p.ValueText)), "text/plain" // which a part without a type is: RFC 7578, section 4.4
			if p.IsFile() {
				r.p.Use("java.io.File")
				value = emit.Leaf("new File(" + r.text(p.FileText) + ")")
			}
			if p.TypeText != nil {
				kind = *p.TypeText
			}
			add(emit.Leaf(r.text(p.NameText)), value, emit.Leaf(r.Literal(kind)))
		}
		return calls
	case kind == plan.RawBody && !slices.ContainsFunc(r.c.Content.Form, escapesName) && r.c.IsForm(&plan.EncodeWHATWG) && r.c.LeavesType():
		for _, p := range r.c.Content.Form {
			add(emit.Leaf(r.text(p.Name)), emit.Leaf(r.text(plan.Decoded(p.Value))))
		}
		return calls
	}
	content, _ := r.stringOrBytes()
	return []emit.Node{method(".body", emit.Leaf(content))}
}

// escapesName reports a pair whose name is another one where it is encoded.
func escapesName(p plan.Pair) bool {
	name, plain := p.Name.Plain()
	return !plain || string(plan.EncodeWHATWG.Escape(nil, name)) != name
}

// typedParts reports a form of files with their own names and of texts, all with types: in
// idiomatic style texts get one.
func (r *unirestCall) typedParts() bool {
	return r.plainForm() && slices.ContainsFunc(r.c.Content.Part, func(p plan.FormPart) bool { return p.IsFile() }) &&
		!slices.ContainsFunc(r.c.Content.Part, func(p plan.FormPart) bool {
			return p.TypeText == nil && !r.plainText(&p) || p.IsFile() != (p.FilenameText != nil) || p.SentName() != "" || p.FileText.Source() == "-"
		})
}

// result sends the request, and writes what is done with the response.
func (r *unirestCall) result(calls []emit.Node) {
	to, response := r.c.Destination(r.p.Options), "response"+r.suffix
	as := ".asString()"
	switch {
	case to == plan.ToFile && r.c.Fail():
		as = ".asBytes()"
	case to == plan.ToFile:
		r.p.Use("java.nio.file.StandardCopyOption")
		as = ".asFile(" + r.text(r.c.Output()) + ", StandardCopyOption.REPLACE_EXISTING)"
		if folder := r.c.Folder(); folder != nil {
			r.p.Use("java.nio.file.Files")
			r.do("Files.createDirectories(", r.path(folder), ")")
		}
	case to == plan.Discarded && !r.p.Options.Bare, to == plan.HeadersPrinted:
		as = ".asEmpty()"
	}
	if r.c.Retries() > 0 {
		r.again(response, r.build("request", calls...)+as, ".getStatus()", "")
	} else {
		r.build("response", append(calls, emit.Leaf(as))...)
	}
	status := response + ".getStatus()"
	r.c.Report(r.p.Options, func() { r.checkStatus(status) }, func() {
		r.show(status)
		r.show(response + ".getHeaders()")
	}, func() {
		switch {
		case to == plan.ToFile && r.c.Fail():
			r.p.Use("java.nio.file.Files")
			if folder := r.c.Folder(); folder != nil {
				r.do("Files.createDirectories(", r.path(folder), ")")
			}
			r.do("Files.write(", r.path(r.c.Output()), ", ", response, ".getBody())")
		case to == plan.ContentPrinted:
			r.show(response + ".getBody()")
		case to == plan.Captured:
			r.captures(r.let, response+".getBody()")
		}
	}, func() {
		if t := r.c.WriteOutLine(r.p.Options, status); len(t) > 0 {
			r.show(r.text(t))
		}
	})
}
