package javascript

import (
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
)

// What APIRequestContext of Playwright 1.40 does by itself, measured on the
// wire: it adds user-agent, accept, accept-encoding and Connection, and a type
// to content; sends a name once; writes methods in capitals; ends after thirty
// seconds, and follows redirects, unless told not to; asks a proxy for a tunnel
// only. It needs no browser.
var Playwright = plan.Target{
	Name: "playwright", Convention: &jsConvention, Client: "Playwright", Version: "1.44", Kind: plan.Code, Extension: "mjs",
	Packages: []plan.Package{{Name: "playwright-core", Version: "1.44.0"}},
	Aliases:  []string{"javascript-playwright", "playwright-request"}, Proven: true, Style: style, Write: writePlaywright,
	Functions: true, Decodes: true, Variants: commonJS,
	Facts: plan.Client{
		ModernTLS: true,
		Tells:     true,
		Adds:      plan.FieldNames{"User-Agent", "Accept", "Accept-Encoding", "Connection"},
		Wire:      plan.Wire{Order: "User-Agent Accept Accept-Encoding * +content-type", Names: plan.FieldNames{"user-agent", "accept", "accept-encoding"}, Follows: true, Text: true, Path: "\"<>`{}?", Query: "\"'<>é", Lowers: true},
		Always:    plan.FieldNames{"User-Agent", "Accept", "Accept-Encoding", "Connection", "Host"},
		Rules:     plan.Rules{plan.SendsMethods(plan.Capitals), plan.RemovesDots, plan.TakesNumbers, plan.PrintableFields},
		Slashes:   true,
		After:     []string{"cookies"},
		Proxies:   []string{"http", "https", "socks5"},
		Drops:     plan.FieldNames{"Cookie"},
	},
}

// PlaywrightTest is the same client in a test of Playwright's own runner, which gives each
// test a context of its own.
var PlaywrightTest = plan.Target{
	Name: "playwright-test", Convention: &jsConvention, Client: "Playwright Test", Version: "1.44", Kind: plan.Code, Extension: "mjs",
	Packages: []plan.Package{{Name: "@playwright/test", Version: "1.44.0"}},
	Aliases:  []string{"javascript-playwright-test"}, SavedAs: "request.spec.mjs", Proven: true, Style: style, Write: writePlaywrightTest,
	Facts: Playwright.Facts,
}

func writePlaywright(p *plan.Program) {
	writeJavaScript(p, `import { request } from "playwright-core";`, func(r *jsRequest) {
		context := "context" + r.suffix
		r.p.Node("const "+context+" = await ", emit.Hug(emit.Group("request.newContext", "(", r.playwrightOptions(), ")")), ";")
		r.askPlaywright(context)
		response := r.response()
		r.closing = "await " + context + ".dispose();"
		r.result(jsResponse{".status()", ".statusText()", ".headers()", "await " + response + ".body()", "", "await " + response + ".json()", "await " + response + ".text()"},
			func() { r.failure(response + ".status()") })
	})
}

func writePlaywrightTest(p *plan.Program) {
	contexts, asserts := make(map[*plan.Call]string, len(p.Calls)), false
	sections := p.Sections(p.Depth(1), func(c *plan.Call, _ string) {
		r := &jsRequest{p: p, c: c, settings: p.List(8)}
		contexts[c] = "request"
		if options := r.playwrightOptions(); len(options) > 0 {
			contexts[c] = "playwright"
			r.p.Node("const request = await ", emit.Hug(emit.Group("playwright.request.newContext", "(", options, ")")), ";")
			r.closing = "await request.dispose();"
		}
		r.askPlaywright("request")
		asserts = r.assertPlaywright() || asserts
	})
	imported := "test"
	if asserts {
		imported = "expect, test"
	}
	p.Use("import { " + imported + ` } from "@playwright/test";`)
	p.Head(func() { imports(p) })
	if p.Options.Bare {
		p.Join(sections)
	} else {
		names := make(map[string]int, len(sections))
		for i, c := range p.Calls {
			if i > 0 {
				p.Line()
			}
			name := String(plan.Numbered(names, c.Title())) // the runner takes no name twice
			p.Line("test(", name, ", async ({ ", contexts[c], " }) => {")
			p.Dst = append(p.Dst, sections[i]...)
			p.Line("});")
		}
	}
	p.Functions()
}

// assertPlaywright writes what the test expects, and what is done with the response: only an
// exact one prints the content. It reports whether it expects anything.
func (r *jsRequest) assertPlaywright() (asserts bool) {
	response := r.response()
	a := jsResponse{status: ".status()", reason: ".statusText()", headers: ".headers()", bytes: "await " + response + ".body()"}
	if r.p.Exact() {
		a.json, a.text = "await "+response+".json()", "await "+response+".text()"
	} else if !r.c.Fail() {
		asserts = true
		r.p.Line("await expect(", response, ").toBeOK();")
	}
	r.result(a, func() {
		asserts = true
		r.p.Line("expect(", response, ".status()).toBeLessThan(400);")
	})
	return asserts
}

// playwrightOptions returns the members of the options of a context.
func (r *jsRequest) playwrightOptions() []emit.Node {
	var options []emit.Node
	if r.c.Insecure() {
		options = append(options, emit.Leaf("ignoreHTTPSErrors: true"))
	}
	options = append(append(options, r.playwrightProxy()...), r.playwrightCertificate()...)
	if len(options) == 0 {
		return nil
	}
	return []emit.Node{emit.Braced(options)}
}

// askPlaywright writes the statement that sends the request by a context.
func (r *jsRequest) askPlaywright(context string) {
	function := r.function(context, context+".fetch")
	r.querySetting("params")
	name, content := r.playwrightContent()
	r.object("headers", r.headerMembers(false, (*plan.Field).Skipped))
	if name != "" {
		r.add(name, content)
	}
	switch {
	case r.c.Stops():
		r.add("maxRedirects", emit.Leaf("0"))
	case r.c.MaxRedirects() != plan.CurlRedirects:
		r.add("maxRedirects", emit.Leaf(emit.Itoa(int(r.c.RedirectLimit()))))
	}
	limit := "0"
	if r.c.Timeout() > 0 {
		limit = emit.Milliseconds(r.c.Timeout())
	}
	if r.c.Timeout() > 0 || r.p.Exact() {
		r.add("timeout", emit.Leaf(limit)) // the default is thirty seconds
	}
	r.send("const "+r.response()+" = await "+function, r.url())
}

func (r *jsRequest) playwrightProxy() []emit.Node {
	if r.c.ProxyScheme() == "" {
		return nil
	}
	if !r.c.Secure() && r.c.ProxyScheme() != "socks5" {
		r.p.Refuse("always uses CONNECT with a proxy")
	}
	s, ok := r.c.ProxyServer()
	if !ok {
		return []emit.Node{emit.Named("proxy", ": ", emit.Braced([]emit.Node{emit.Named("server", ": ", Text(r.p, r.c.ProxyURL()))}))}
	}
	items := []emit.Node{emit.Leaf("server: " + String(s.Scheme+"://"+s.Host+":"+s.Port))}
	if s.Credentials != nil {
		items = append(items, emit.Named("username", ": ", Text(r.p, s.Credentials.User)), emit.Named("password", ": ", Text(r.p, s.Credentials.Password)))
	}
	return []emit.Node{emit.Named("proxy", ": ", emit.Braced(items))}
}

// playwrightCertificate returns the setting for the client's certificate.
func (r *jsRequest) playwrightCertificate() []emit.Node {
	a, ok := r.c.Address()
	switch {
	case len(r.c.Cert()) == 0:
		return nil
	case !r.c.Secure() && !r.c.UnknownScheme():
		r.p.LossAt(r.c.Place("cert"), "--cert", "shows a certificate to one host of https only")
		r.c.LeavesCert()
		return nil
	}
	if !ok {
		r.p.Refuse("takes no certificate for a host in a variable")
		return nil
	}
	origin := "https://" + a.Host.Source()
	if a.Port != "" {
		origin += ":" + a.Port
	}
	items := []emit.Node{emit.Leaf("origin: " + String(origin))}
	if r.c.Archive() {
		items = append(items, emit.Named("pfxPath", ": ", Text(r.p, r.c.Cert())))
	} else {
		items = append(items, emit.Named("certPath", ": ", Text(r.p, r.c.Cert())), emit.Named("keyPath", ": ", Text(r.p, r.c.CertKey())))
	}
	if phrase := r.c.KeyPassword(); len(phrase) > 0 {
		items = append(items, emit.Named("passphrase", ": ", Text(r.p, phrase)))
	}
	return []emit.Node{emit.Named("clientCertificates", ": ", emit.Group("", "[", []emit.Node{emit.Braced(items)}, "]"))}
}

// playwrightContent returns the name of the setting for the body, and its
// value. Text that is not JSON is bytes where the type is JSON, because it
// would become a JSON string.
func (r *jsRequest) playwrightContent() (name string, n emit.Node) {
	if r.c.Content.Kind == plan.NoBody {
		return "", emit.Node{}
	}
	name = "data"
	switch r.c.Content.Kind {
	case plan.RawBody:
		var compact, ok bool
		if n, compact, ok = r.stringify(); ok {
			if compact && r.c.HasType("application/json") {
				r.c.Imply(r.c.Field("Content-Type"))
				n = jsValue(r.p, r.c, r.c.Content.JSON)
			}
			break
		}
		if r.c.IsForm(&plan.EncodeWHATWG) {
			if form := r.pairs(r.c.Content.Form); form.Open == "{" {
				r.c.Imply(r.c.Field("Content-Type"))
				return "form", form
			}
		}
		n = Bytes(r.p, r.c.Content.Data)
		if f := r.c.Field("Content-Type"); f != nil && strings.Contains(f.Value.Source(), "json") {
			n = buffer(n)
		}
	case plan.MultipartBody:
		var ok bool
		if n, ok = r.formData(); ok {
			return "multipart", n
		}
		n = buffer(n)
	case plan.FileBody:
		n = emit.Leaf(jsFile(r.p, plan.Piece{File: r.c.Content.File}))
	default:
		n = buffer(jsPieces(r.p, r.c.Content.List))
	}
	if r.c.Untyped() && !r.c.Empty() {
		r.p.Refuse("gives all content a type")
	}
	return name, n
}
