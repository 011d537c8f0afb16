package javascript

import (
	"slices"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
)

// What fetch of Node 20 (undici) does by itself, measured on the wire: it adds
// connection, accept, accept-language, sec-fetch-mode, user-agent and
// accept-encoding; joins fields of one name by a comma; takes no content with
// GET and HEAD; chooses Host itself; gives a string the type text/plain unless
// told; connects to no port of other protocols, such as 6000; follows redirects
// unless told not to. Deno runs the same programs, but
// does not take the dispatcher of undici.
var Fetch = plan.Target{
	Name: "javascript-fetch", Convention: &jsConvention, Client: "fetch", Version: "Node 20", Kind: plan.Code, Extension: "mjs",
	Packages: []plan.Package{{Name: "undici", Version: "6.0.0", Import: `"undici"`}},
	Aliases:  []string{"javascript", "js", "fetch", "node", "node-fetch", "nodejs", "deno", "bun"}, Proven: true, Style: style, Write: writeFetch, Takes: plan.AnyFrom, Tries: tries, Heads: true, Runs: true,
	Functions: true, Decodes: true, Variants: commonJS,
	Fallbacks: []*plan.Target{&Undici, &HTTP, &Got},
	Facts:     fetchFacts,
}

var fetchFacts = plan.Client{
	ModernTLS: true,
	Stuck:     fetchStuck,
	Rules: plan.Rules{
		plan.SendsNoEmptyChunks,
		plan.SendsCodings(plan.OnlyChunks),
		plan.CodesContentOnly,
		plan.SendsMethods(fetchMethod),
		plan.SendsNoContent("GET", "HEAD"),
		plan.RemovesDots,
		plan.TakesNumbers,
		plan.PrintableFields,
		refuseBadPort,
	},
	Adds:    plan.FieldNames{"Connection", "Accept", "Accept-Language", "Sec-Fetch-Mode", "User-Agent", "Accept-Encoding"},
	Wire:    plan.Wire{Order: "Connection * +content-type", Names: plan.FieldNames{"connection"}, Charset: true, Follows: true, Text: true, Path: "\"<>`{}?", Query: "\"'<>é", Lowers: true},
	Always:  plan.FieldNames{"Accept", "User-Agent", "Connection", "Accept-Language", "Sec-Fetch-Mode", "Accept-Encoding"},
	Fixed:   plan.FieldNames{"Content-Length", "Host", "Connection", "Sec-Fetch-Mode", "Keep-Alive", "Upgrade", "Expect"},
	Passes:  map[string][]string{"Connection": {"close", "keep-alive"}, "Sec-Fetch-Mode": {"cors"}},
	Answers: true,
	Loops: func(c *plan.Call) bool {
		return (c.Spreads() && c.Exact() || c.Digest != nil && c.Follow()) && c.Retries() == 0 && !c.Streamed()
	},
	Slashes: true,
	Counts:  plan.Enclosing,
	Proxies: []string{"http", "https"},
}

// fetchMethod reports whether fetch sends a method as it is (WHATWG Fetch,
// normalize a method; forbidden method).
func fetchMethod(method string) bool {
	upper := strings.ToUpper(method)
	switch upper {
	case "CONNECT", "TRACE", "TRACK":
		return false
	case "DELETE", "GET", "HEAD", "OPTIONS", "POST", "PUT":
		return upper == method
	}
	return true
}

// badPorts are the ports that fetch does not connect to: WHATWG Fetch, port blocking.
var badPorts = strings.Fields("1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123 135 137 139 143 161 179 389 427 465 " +
	"512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993 995 1719 1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080")

// refuseBadPort makes an error of a URL with one of these ports.
func refuseBadPort(p *plan.Program, c *plan.Call) {
	if a, ok := c.Address(); ok && slices.Contains(badPorts, strings.TrimLeft(a.Port, "0")) {
		p.Refuse("connects to no such port")
	}
}

// fetchConditions are the fields with which fetch turns its cache off, and
// says so in fields of its own (WHATWG Fetch, HTTP-network-or-cache fetch).
var fetchConditions = []string{"if-modified-since", "if-none-match", "if-unmodified-since", "if-match", "if-range"}

// fetchStuck reports whether the content is a stream or a Buffer, with which Node 20
// ends in an error at the statuses 307 and 308, or a FormData, which goes out with
// another boundary than Content-Type names then.
func fetchStuck(c *plan.Call) bool {
	switch c.Content.Kind {
	case plan.RawBody:
		return c.Chunked() || !c.Content.Data.IsText() || c.Field("Content-Type") == nil
	case plan.MultipartBody:
		return callWritesFormData(c) || slices.ContainsFunc(c.Content.Part, func(p plan.FormPart) bool { return p.IsFile() || !p.ValueText.IsText() })
	case plan.FileBody:
		return c.Chunked() || c.TakesInput()
	}
	return slices.ContainsFunc(c.Content.List, func(p plan.Piece) bool { return !p.IsText && !p.Urlencode }) // text is a string
}

func writeFetch(p *plan.Program) {
	forms := false
	writeJavaScript(p, "", func(r *jsRequest) {
		content, has := r.fetchContent()
		if r.c.Streamed() { // before the fields are written, which then lack one
			content = stream(content)
		}
		url := r.url()
		forms = forms || strings.HasPrefix(content.Head, "form")
		if r.p.Target.Facts.LoopsFor(r.c) {
			r.followFetch(url, content, has)
		} else {
			fetch := r.digest("fetch")
			r.method()
			r.fetchSettings(r.fetchHeaders(func(*plan.Field) bool { return true }), content, has, r.timeLimit())
			r.again(".status", "await "+r.response()+".body?.cancel();", ".cause?.code", func(before string) { r.send(before+fetch, url) })
		}
		if forms && slices.ContainsFunc(p.Imports, func(line string) bool { return strings.Contains(line, "undici") }) {
			importUndici(p, "FormData") // undici's fetch knows no other
		}
		response := r.response()
		r.result(jsResponse{".status", ".statusText", ".headers", response + `.body ?? ""`, response + ".body" + r.asserted(), "await " + response + ".json()", "await " + response + ".text()"}, func() {
			r.notOK(response)
		})
	})
}

// fetchHeaders returns the fields that wanted takes, as members of an object.
func (r *jsRequest) fetchHeaders(wanted func(*plan.Field) bool) []emit.Node {
	return r.headerMembers(false, func(f *plan.Field) bool { return f.Derived() && !f.Is("Authorization") || !wanted(f) })
}

// fetchSettings adds the settings but for the method.
func (r *jsRequest) fetchSettings(headers []emit.Node, content emit.Node, has bool, limit []emit.Node) {
	r.object("headers", headers)
	conditional := func(f plan.Field) bool { return slices.Contains(fetchConditions, strings.ToLower(f.Name)) }
	if slices.ContainsFunc(r.c.Given(), conditional) && (r.c.Field("Cache-Control") == nil || r.c.Field("Pragma") == nil) {
		// WHATWG Fetch, HTTP-network-or-cache fetch: each where the program gives none.
		if r.p.Exact() && !inTypeScript(r.p) { // whose types for Node lack it
			r.add("cache", emit.Leaf(`"force-cache"`))
		} else {
			r.p.Differs("adds Cache-Control and Pragma beside a condition")
		}
	}
	if has {
		r.add("body", content)
	}
	if r.c.Chunked() {
		r.add("duplex", emit.Leaf(`"half"`))
	}
	if r.c.Stops() || r.p.Target.Facts.LoopsFor(r.c) {
		r.add("redirect", emit.Leaf(`"manual"`))
	}
	r.settings = append(r.settings, limit...)
	if r.p.Target.Facts.Proxies != nil { // else it has no place for a dispatcher
		r.dispatcher()
	}
}

// followFetch writes the exchange in a loop, which ends with a response that is no
// redirect: fetch itself takes credentials away from another host.
func (r *jsRequest) followFetch(first, body emit.Node, has bool) {
	url, content := "url"+r.suffix, "content"+r.suffix
	if !r.c.Guess {
		r.p.Node("let "+url+r.typed("string | URL")+" = ", first, ";")
	}
	statuses := r.c.Emptying()
	if has && body.Head != "form"+r.suffix {
		r.p.Node("const body"+r.suffix+" = ", body, ";")
		body = emit.Leaf("body" + r.suffix)
	}
	if len(statuses) > 0 {
		r.p.Line("let ", content, " = true;")
		body.Head = content + " ? " + body.Head + " : undefined"
	}
	limit := r.commonLimit()
	response := r.response()
	origin := "origin" + r.suffix
	if r.c.Digest != nil && !r.c.Trusted() {
		r.p.Line("const ", origin, " = new URL(", url, ").origin;")
	}
	r.redirects(func() {
		fetch := r.digest("fetch")
		if r.c.Digest != nil && !r.c.Trusted() {
			r.p.Line("const send", r.typed("typeof fetchDigest"), " = new URL(", url, ").origin === ", origin, " ? ", fetch, " : fetch;")
			fetch = "send"
		}
		r.againMethod(content, statuses)
		goes := func(f *plan.Field) bool { return len(statuses) > 0 && f.TypesContent() }
		headers := r.fetchHeaders(func(f *plan.Field) bool { return !goes(f) })
		r.fetchSettings(append(headers, onlyIf(content, r.fetchHeaders(goes))...), body, has, limit)
		r.send(response+" = await "+fetch, emit.Leaf(url))
		r.p.Line("const location = ", response, `.headers.get("location");`)
		r.redirected(response+".status", "await "+response+".body?.cancel();", content, statuses)
	})
}

// fetchContent returns the body: a string, where fetch does not give it a type
// that curl does not send.
func (r *jsRequest) fetchContent() (n emit.Node, has bool) {
	switch r.c.Content.Kind {
	case plan.RawBody:
		if n, _, ok := r.stringify(); ok {
			return r.untyped(n), true
		}
		if r.c.IsForm(&plan.EncodeWHATWG) {
			form := r.search(r.c.Content.Form)
			if r.c.Digest != nil || r.c.Streamed() || r.p.Target.Facts.LoopsFor(r.c) || !r.c.LeavesType() {
				form = emit.Followed(form, ".toString()")
			}
			return form, true
		}
		return r.untyped(Bytes(r.p, r.c.Content.Data)), true
	case plan.MultipartBody:
		if r.c.Chunked() {
			return r.multipartBytes(), true
		}
		n, _ := r.formData()
		return n, true
	case plan.FileBody:
		if name, ok := r.c.Content.File.Plain(); ok && name == "-" {
			return emit.Leaf(jsFile(r.p, plan.Piece{File: r.c.Content.File})), true
		}
		r.p.Use(`import { openAsBlob } from "node:fs";`)
		return emit.Leaf("await openAsBlob(" + Text(r.p, r.c.Content.File).Line() + ")"), true
	case plan.PieceBody:
		return r.untyped(jsPieces(r.p, r.c.Content.List)), true
	}
	return emit.Node{}, false
}

// stream returns the stream of some content, which fetch sends in chunks.
func stream(n emit.Node) emit.Node {
	if strings.HasPrefix(n.Head, "await openAsBlob") {
		return emit.Leaf("(" + n.Head + ").stream()")
	}
	return n.Around("new Blob([", "]).stream()")
}

// untyped makes bytes of a string, where curl sends no type.
func (r *jsRequest) untyped(n emit.Node) emit.Node {
	if r.c.Field("Content-Type") != nil || strings.HasPrefix(n.Head, "Buffer.") {
		return n
	}
	return emit.Wrapped("Buffer.from", n)
}

// dispatcher adds undici's setting for TLS, proxies and addresses. It goes with
// the fetch of the same module.
func (r *jsRequest) dispatcher() {
	agent, ok := r.undiciAgent(append(r.tls(tlsNames...), r.lookup()...))
	if ok {
		class, _, _ := strings.Cut(strings.TrimPrefix(agent.Head, "new "), "(")
		importUndici(r.p, class)
		importUndici(r.p, "fetch")
		if inTypeScript(r.p) && r.c.Digest != nil { // whose types are not those of Node's own fetch
			importUndici(r.p, "Headers")
			importUndici(r.p, "type RequestInit")
		}
		r.add("dispatcher", agent)
	}
}

// undiciAgent returns the agent of undici for a proxy or the settings of a
// connection, or nothing where the usual one will do.
func (r *jsRequest) undiciAgent(connect []emit.Node) (n emit.Node, ok bool) {
	switch {
	case r.c.ProxyScheme() != "":
		options := []emit.Node{emit.Named("uri", ": ", Text(r.p, r.c.ProxyURL()))}
		address, user, password := r.c.ProxyParts()
		if len(user) > 0 && (user.Source() == "" || password.Source() == "") { // undici sends nothing for these
			token := Text(r.p, plan.MergeLiterals(slices.Concat(user, plan.Literal(":"), password))).Around("`Basic ${Buffer.from(", `).toString("base64")}`+"`")
			options = []emit.Node{emit.Named("uri", ": ", Text(r.p, address)), emit.Named("token", ": ", token)}
		}
		if !r.c.Secure() {
			options = append(options, emit.Leaf("proxyTunnel: false"))
		}
		if len(connect) > 0 {
			options = append(options, emit.Named("requestTls", ": ", emit.Braced(connect)))
		}
		return emit.Hug(emit.Group("new ProxyAgent", "(", []emit.Node{emit.Braced(options)}, ")")), true
	case len(connect) > 0:
		return emit.Hug(emit.Group("new Agent", "(", []emit.Node{emit.Braced([]emit.Node{emit.Named("connect", ": ", emit.Braced(connect))})}, ")")), true
	}
	return emit.Node{}, false
}
