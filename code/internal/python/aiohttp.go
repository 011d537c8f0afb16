package python

import (
	"slices"
	"strconv"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/internal/engine/ascii"
)

// What aiohttp 3.8 does by itself, measured on the wire: it adds Accept,
// Accept-Encoding and User-Agent, and a type to content and to requests that
// usually have some, unless told to skip them; writes methods in capitals;
// rewrites a URL, unless it is given as encoded; ends after five minutes, and
// follows redirects, unless told not to, and takes Cookie to their hosts. Its forms give text a type.
var Aiohttp = plan.Target{
	Name: "python-aiohttp", Convention: &convention, Client: "aiohttp", Version: "3.8", Kind: plan.Code, Extension: "py",
	Packages: []plan.Package{{Name: "aiohttp", Version: "3.8"}},
	Aliases:  []string{"aiohttp"}, Proven: true, Style: style, Write: writePythonAiohttp, Takes: plan.AnyFrom, Heads: true, Runs: true,
	Functions: true, Decodes: true,
	Facts: plan.Client{
		ModernTLS: true,
		Loose:     true,
		Adds:      plan.FieldNames{"User-Agent", "Accept-Encoding", "Accept"},
		Wire:      plan.Wire{Order: "* +Authorization +Content-Type", Lowers: true, Follows: true, Text: true},
		Rules:     plan.Rules{plan.SendsCodings(plan.NamesNoChunks), plan.SendsMethods(plan.Capitals)},
		Always:    plan.FieldNames{"Host"},
		Shares:    plan.FieldNames{"Cookie"}, // before 3.13.4
		After:     []string{"cookies"},
		EmptyHost: true,
		Proxies:   []string{"http"},
		Versions:  []string{"1.0"},
	},
}

func writePythonAiohttp(p *plan.Program) {
	takes := pythonContent{data: "data", json: "json", form: "data", utf8: true}
	writeAsyncio(p, takes, "aiohttp", func(r *pythonRequest) {
		content := r.content()
		basic := func() bool { return r.c.Basic.IsText() && !r.c.Basic.Colon() }
		if base, _, _ := strings.Cut(r.c.URLText.Literals(), "?"); !needsYarl(base) {
			r.query(&encodeYarl, nil)
		}
		r.headers(nil, func(f *plan.Field) bool { return f.Derived() && (!f.Is("Authorization") || basic()) })
		r.skippedFields()
		if r.c.Basic != nil && basic() {
			pair := []emit.Node{pythonText(r.p, r.c.Basic.User), pythonText(r.p, r.c.Basic.Password)}
			if !r.c.Basic.User.IsASCII() || !r.c.Basic.Password.IsASCII() || len(r.c.Basic.User)+len(r.c.Basic.Password) > 2 {
				pair = append(pair, emit.Leaf(`encoding="utf-8"`))
			}
			r.add("auth", emit.Group("aiohttp.BasicAuth", "(", pair, ")"))
		}
		r.arguments = append(r.arguments, content...)
		r.aiohttpExchange()
		r.aiohttpSend()
	})
}

// writeAsyncio writes a module whose calls are in a function that asyncio runs.
func writeAsyncio(p *plan.Program, takes pythonContent, client string, write func(r *pythonRequest)) {
	sections := writePython(p, p.Depth(1), takes, write)
	whole := !p.Options.Bare && !p.IsFunction()
	if whole {
		p.Use("import asyncio")
	}
	p.Head(func() { imports(p, client) })
	if !whole {
		pythonBody(p, "async ", sections)
		return
	}
	if functions(p); len(p.Helpers) == 0 {
		p.Line()
	}
	p.Line("async def main():")
	p.Join(sections)
	p.Line()
	p.Line()
	p.Line("asyncio.run(main())")
}

// needsYarl reports whether aiohttp rewrites a URL, unless it is given as encoded.
func needsYarl(url string) bool {
	return !ascii.Only(url) || plan.DotSegments(url) || plan.DecodesUnreserved(url) || strings.ContainsAny(url, "\"<>[]^`{|}'+;%")
}

// encodeYarl is the encoder of yarl for pairs: yarl/_quoting_py.py of yarl 1.8.
var encodeYarl = plan.FormEncoder{Safe: "-._~!$'()*,?/:@", Plus: true}

// skippedFields adds the argument for the fields that aiohttp must not add.
func (r *pythonRequest) skippedFields() {
	var names []emit.Node
	for _, name := range r.c.Withheld {
		if r.p.Target.Facts.Adds.Has(name) {
			names = append(names, emit.Leaf(String(r.p, name)))
		}
	}
	usual := slices.Contains([]string{"POST", "PUT", "PATCH"}, r.c.Method)
	if r.c.Field("Content-Type") == nil && (usual || r.c.Content.Kind != plan.NoBody) {
		names = append(names, emit.Leaf(`"Content-Type"`))
	}
	if len(names) > 0 {
		r.add("skip_auto_headers", emit.Group("", "[", names, "]"))
	}
}

func (r *pythonRequest) aiohttpExchange() {
	switch {
	case r.c.Stops():
		r.add("allow_redirects", emit.Leaf("False"))
	case r.c.Method == "HEAD":
		r.add("allow_redirects", emit.Leaf("True"))
	}
	if r.c.Follow() && r.c.MaxRedirects() != plan.CurlRedirects {
		r.add("max_redirects", emit.Leaf(strconv.FormatInt(r.c.RedirectLimit()+1, 10))) // it ends at this one
	}
	var limits []emit.Node
	if r.c.Timeout() > 0 {
		limits = append(limits, emit.Leaf("total="+emit.Seconds(r.c.Timeout())))
	}
	if r.c.ConnectTimeout() > 0 {
		limits = append(limits, emit.Leaf("connect="+emit.Seconds(r.c.ConnectTimeout())))
	}
	if len(limits) > 0 {
		r.add("timeout", emit.Group("aiohttp.ClientTimeout", "(", limits, ")"))
	}
	switch {
	case !r.c.Encrypts:
	case r.c.Insecure() && len(r.c.Cert()) == 0 && !r.boundsTLS():
		r.add("ssl", emit.Leaf("False"))
	case r.context():
		r.add("ssl", emit.Leaf("context"))
	}
	if r.c.ProxyScheme() != "" {
		r.p.RefuseProxyColon(r.c)
		r.add("proxy", pythonText(r.p, r.c.ProxyURL()))
	}
}

// isNamed reports whether the host of a URL is a name, and no address.
func isNamed(c *plan.Call) bool {
	a, ok := c.Address()
	host := a.Host.Source()
	return ok && !plan.IsAddress(host) && !strings.HasPrefix(host, "[")
}

func (r *pythonRequest) aiohttpSend() {
	var settings []emit.Node
	if len(r.c.UnixSocket()) > 0 {
		settings = append(settings, emit.Group("connector=aiohttp.UnixConnector", "(", []emit.Node{pythonText(r.p, r.c.UnixSocket())}, ")"))
	}
	if r.c.HTTPVersion() == "1.0" {
		settings = append(settings, emit.Leaf("version=aiohttp.HttpVersion10"))
	}
	if jar := r.c.Jar(); jar != nil {
		cookies := jar.Named("cookies")
		if r.c.Opens() { // values go out as they came
			unsafe := "unsafe=True, " // also of hosts that are addresses
			if jar.Every(func(c *plan.Call) bool { return !c.Asked.Follow && isNamed(c) }) {
				unsafe = ""
			}
			r.p.Line(cookies, " = aiohttp.CookieJar(", unsafe, "quote_cookie=False)")
		}
		settings = append(settings, emit.Leaf("cookie_jar="+cookies))
	} else if r.c.Follow() && r.c.KeepsCookies() { // also of hosts that are addresses
		settings = append(settings, emit.Leaf("cookie_jar=aiohttp.CookieJar(unsafe=True)"))
	}
	r.p.Node("async with ", emit.Group("aiohttp.ClientSession", "(", settings, ")"), " as session:")
	r.p.Level++
	url := pythonURL(r.p, r.c)
	if needsYarl(r.c.URLText.Literals()) {
		r.p.Use("from yarl import URL")
		url = emit.Group("URL", "(", []emit.Node{url, emit.Leaf("encoded=True")}, ")")
	}
	helper, ok := requestsHelpers[r.c.Method]
	call, arguments := "session."+helper, r.withFirst(url)
	if !ok {
		call, arguments = "session.request", r.withFirst(emit.Leaf(String(r.p, r.c.Method)), url)
	}
	before, content := 0, "await response.read()"
	r.again(pythonRetry{"await asyncio.sleep", "response.status", "aiohttp.ClientConnectorError", "aiohttp.ClientError", false}, func() {
		r.p.Node("async with "+call, emit.Group("", "(", arguments, ")"), " as response:")
		r.p.Level++
		before = len(r.p.Dst)
		if r.c.Retries() > 0 {
			if r.c.Destination(r.p.Options) == plan.ToFile || r.c.PrintsBytes(r.p.Options) {
				r.p.Line("content = ", content)
				content = "content"
			} else {
				r.p.Line(content) // text() keeps it
			}
			r.p.Level--
		}
	})
	a := response{
		status: "response.status", reason: "response.reason", headers: "response.headers",
		content: content, json: "await response.json(content_type=None)", text: `await response.text(errors="replace")`,
		lines: "async for line in response.content:", ends: true,
	}
	if r.c.Retries() == 0 {
		a.save = []string{"async for chunk in response.content.iter_chunked(65536):", r.p.Indent + "output.write(chunk)"}
	}
	r.result(a, func() { r.p.Line("response.raise_for_status()") })
	if len(r.p.Dst) == before && r.c.Retries() == 0 {
		r.p.Line(content)
	}
	if r.c.Retries() == 0 {
		r.p.Level--
	}
	r.p.Level--
}
