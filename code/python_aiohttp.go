package code

import (
	"slices"
	"strconv"
	"strings"

	"uncoil/internal/engine/ascii"
)

// What aiohttp 3.8 does by itself, measured on the wire: it adds Accept,
// Accept-Encoding and User-Agent, and a type to content and to requests that
// usually have some, unless told to skip them; writes methods in capitals;
// rewrites a URL, unless it is given as encoded; ends after five minutes, and
// follows redirects, unless told not to. Its forms give text a type.
var pythonAiohttp = Target{
	Name: "python-aiohttp", Language: "python", Client: "aiohttp", Version: "3.8", Kind: Code, Extension: "py",
	Aliases: []string{"aiohttp"}, Proven: true, style: pythonStyle, write: writePythonAiohttp,
	client: client{
		modernTLS: true,
		loose:     true,
		adds:      fieldNames{"User-Agent", "Accept-Encoding", "Accept"},
		codings:   namesNoChunks,
		always:    fieldNames{"Host"},
		methods:   capitals,
		after:     []string{"cookies"},
		emptyHost: true,
		says:      []string{"createDirs", "followRedirects", "maxRedirects", "maxTime", "connectTimeout", "retry", "insecure", "tlsMin", "tlsMax", "cacert", "cert", "unixSocket"},
		proxies:   []string{"http"},
		versions:  []string{"1.0"},
	},
}

func writePythonAiohttp(p *program) {
	takes := pythonContent{data: "data", json: "json", form: "data", utf8: true}
	level := 1
	if p.options.Bare {
		level = 0
	}
	sections := p.writePython(level, takes, func(r *pythonRequest) {
		content := r.content()
		basic := func() bool { return r.c.basic.isText() && !r.c.basic.colon() }
		if base, _, _ := strings.Cut(r.c.url.literals(), "?"); !needsYarl(base) {
			r.query(&encodeYarl, nil)
		}
		r.headers(nil, func(f *field) bool { return f.derived && (!f.is("Authorization") || basic()) })
		r.skippedFields()
		if r.c.basic != nil && basic() {
			pair := []node{r.p.pythonText(r.c.basic.user), r.p.pythonText(r.c.basic.password)}
			if !r.c.basic.user.isASCII() || !r.c.basic.password.isASCII() || len(r.c.basic.user)+len(r.c.basic.password) > 2 {
				pair = append(pair, leaf(`encoding="utf-8"`))
			}
			r.add("auth", group("aiohttp.BasicAuth", "(", pair, ")"))
		}
		r.arguments = append(r.arguments, content...)
		r.aiohttpExchange()
		r.aiohttpSend()
	})
	if p.options.Bare {
		p.join(sections)
		return
	}
	p.use("import asyncio")
	p.pythonImports("aiohttp")
	p.line()
	p.line("async def main():")
	p.join(sections)
	p.line()
	p.line()
	p.line("asyncio.run(main())")
}

// needsYarl reports whether aiohttp rewrites a URL, unless it is given as encoded.
func needsYarl(url string) bool {
	return !ascii.Only(url) || dotSegments(url) || decodesUnreserved(url) || strings.ContainsAny(url, "\"<>[]^`{|}'+;%")
}

// encodeYarl is the encoder of yarl for pairs: yarl/_quoting_py.py of yarl 1.8.
var encodeYarl = formEncoder{"-._~!$'()*,?/:@", true}

// skippedFields adds the argument for the fields that aiohttp must not add.
func (r *pythonRequest) skippedFields() {
	var names []node
	for _, name := range r.c.removed {
		if r.p.target.client.adds.has(name) {
			names = append(names, leaf(r.p.pythonString(name)))
		}
	}
	usual := slices.Contains([]string{"POST", "PUT", "PATCH"}, r.c.Method)
	if r.c.field("Content-Type") == nil && (usual || r.c.body.kind != noBody) {
		names = append(names, leaf(`"Content-Type"`))
	}
	if len(names) > 0 {
		r.add("skip_auto_headers", group("", "[", names, "]"))
	}
}

func (r *pythonRequest) aiohttpExchange() {
	switch {
	case !r.c.follow:
		r.add("allow_redirects", leaf("False"))
	case r.c.Method == "HEAD":
		r.add("allow_redirects", leaf("True"))
	}
	if r.c.follow && r.c.maxRedirects != curlRedirects {
		r.add("max_redirects", leaf(strconv.FormatInt(r.c.redirectLimit()+1, 10))) // it ends at this one
	}
	var limits []node
	if r.c.timeout > 0 {
		limits = append(limits, leaf("total="+seconds(r.c.timeout)))
	}
	if r.c.connectTimeout > 0 {
		limits = append(limits, leaf("connect="+seconds(r.c.connectTimeout)))
	}
	if len(limits) > 0 {
		r.add("timeout", group("aiohttp.ClientTimeout", "(", limits, ")"))
	}
	switch {
	case !r.c.encrypts:
	case r.c.insecure && len(r.c.cert) == 0 && !r.boundsTLS():
		r.add("ssl", leaf("False"))
	case r.context():
		r.add("ssl", leaf("context"))
	}
	if r.c.proxyScheme() != "" {
		r.p.refuseProxyColon(r.c)
		r.add("proxy", r.p.pythonText(r.c.proxyURL()))
	}
}

func (r *pythonRequest) aiohttpSend() {
	var settings []node
	if len(r.c.unixSocket) > 0 {
		settings = append(settings, group("connector=aiohttp.UnixConnector", "(", []node{r.p.pythonText(r.c.unixSocket)}, ")"))
	}
	if r.c.httpVersion == "1.0" {
		settings = append(settings, leaf("version=aiohttp.HttpVersion10"))
	}
	if r.c.follow && r.c.keepsCookies() { // also of hosts that are addresses
		settings = append(settings, leaf("cookie_jar=aiohttp.CookieJar(unsafe=True)"))
	}
	r.p.node("async with ", group("aiohttp.ClientSession", "(", settings, ")"), " as session:")
	r.p.level++
	url := r.p.pythonURL(r.c)
	if needsYarl(r.c.url.literals()) {
		r.p.use("from yarl import URL")
		url = group("URL", "(", []node{url, leaf("encoded=True")}, ")")
	}
	helper, ok := requestsHelpers[r.c.Method]
	call, arguments := "session."+helper, r.withFirst(url)
	if !ok {
		call, arguments = "session.request", r.withFirst(leaf(r.p.pythonString(r.c.Method)), url)
	}
	before, content := 0, "await response.read()"
	r.again("await asyncio.sleep", "response.status", func() {
		r.p.node("async with "+call, group("", "(", arguments, ")"), " as response:")
		r.p.level++
		before = len(r.p.dst)
		if r.c.retries > 0 {
			if r.c.destination(r.p.options) == toFile {
				r.p.line("content = ", content)
				content = "content"
			} else {
				r.p.line(content) // text() keeps it
			}
			r.p.level--
		}
	})
	if r.c.fail {
		r.p.line("response.raise_for_status()")
	}
	r.result(content, "response.headers", `await response.text(errors="replace")`)
	if len(r.p.dst) == before && r.c.retries == 0 {
		r.p.line(content)
	}
	if r.c.retries == 0 {
		r.p.level--
	}
	r.p.level--
}
