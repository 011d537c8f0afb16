package javascript

import (
	"slices"
	"strconv"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/internal/engine/ascii"
)

// What node:http of Node 20 does by itself, measured on the wire: it adds Host
// and Connection, and a length where the method usually has content; follows no
// redirects, so a program does that itself. A path that is given apart goes out as
// it is.
var HTTP = plan.Target{
	Name: "node-http", Convention: &jsConvention, Client: "node:http", Version: "Node 20", Kind: plan.Code, Extension: "mjs",
	Packages: []plan.Package{{Name: "undici", Version: "6.0.0", Import: `"undici"`}},
	Aliases:  []string{"javascript-http", "node-https"}, Proven: true, Style: style, Write: writeNodeHTTP, Takes: plan.AnyFrom, Heads: true, Runs: true,
	Functions: true, Decodes: true, Variants: commonJS,
	Facts: plan.Client{
		Undecoded: true,
		Insists:   true,
		ModernTLS: true,
		Hostless:  true,
		Rules:     plan.Rules{plan.SendsCodings(plan.NamesChunks), plan.SendsMethods(plan.Capitals), plan.PrintableFields},
		Answers:   true,
		Adds:      plan.FieldNames{"Connection"},
		Wire:      plan.Wire{Path: "?", Text: true},
		Always:    plan.FieldNames{"Connection"},
		Target:    true,
		Proxies:   []string{"http"},
	},
}

func writeNodeHTTP(p *plan.Program) {
	writeJavaScript(p, `import { once } from "node:events";`, func(r *jsRequest) {
		if r.c.ProxyScheme() == "" { // which is told the URL as it is
			plan.TakesNumbers(r.p, r.c)
		}
		response, follows := r.response(), r.c.Follow() && r.follows()
		r.again(".statusCode", response+".resume();", ".code", func(before string) {
			if follows {
				r.followNode()
			} else {
				r.askNode(strings.TrimSuffix(before, response+" = await "))
			}
		})
		switch r.c.Destination(r.p.Options) {
		case plan.Discarded, plan.HeadersPrinted:
			r.p.Line(response, ".resume();")
		case plan.ContentPrinted:
			switch {
			case r.c.Streams(r.p.Options):
			case r.p.Options.DecodeJSON:
				r.p.Use(`import { json } from "node:stream/consumers";`)
			default:
				r.p.Use(`import { text } from "node:stream/consumers";`)
			}
		case plan.Captured:
			switch {
			case r.keepsWhole():
				r.p.Use(`import { text } from "node:stream/consumers";`)
			case r.c.OnlyFields():
				r.p.Line(response, ".resume();")
			default:
				r.p.Use(`import { json } from "node:stream/consumers";`)
			}
		}
		r.result(jsResponse{".statusCode", ".statusMessage", ".headers", response, response, "await json(" + response + ")", "await text(" + response + ")"},
			func() { r.failure(response + ".statusCode") })
	})
}

// askNode writes one exchange, whose response the keyword declares, unless there is one.
func (r *jsRequest) askNode(keyword string) {
	module := "http"
	if r.c.Secure() {
		module = "https"
	}
	r.p.Use("import " + module + ` from "node:` + module + `";`)
	url := r.nodeURL()
	if len(url) > 0 && r.c.URLText[0].Variable != nil { // its scheme is not known
		r.p.Use(`import https from "node:https";`)
		name := "url" + r.suffix
		if !r.c.Guess {
			r.p.Node("const "+name+" = ", url[0], ";")
			url[0] = emit.Leaf(name)
		}
		module = "(" + name + `.startsWith("https:") ? https : http)`
	}
	r.method()
	body := r.nodeContent()
	r.object("headers", append(r.nodeHeaders(func(*plan.Field) bool { return true }), r.nodeLength(body)...))
	r.settings = append(r.settings, r.timeLimit()...)
	r.nodeSettings()
	if r.c.Digest != nil {
		if len(url) == 0 {
			r.p.Refuse("answers no Digest for such a URL")
			return
		}
		r.settings = append(r.digestSettings("ask"), r.settings...)
		r.askDigest(keyword+r.response(), module, url[0], body)
		return
	}
	request := "request" + r.suffix
	r.send("const "+request+" = "+module+".request", url...)
	r.p.Line(request, ".end(", body, ");")
	r.p.Line(keyword, "[", r.response(), "] = await once(", request, `, "response");`)
}

// askDigest writes the call that sends a request, and answers for Digest.
func (r *jsRequest) askDigest(before, client string, url emit.Node, body string) {
	arguments := []emit.Node{emit.Leaf(client), url, emit.Braced(r.settings)}
	if body != "" {
		arguments = append(arguments, emit.Leaf(body))
	}
	if len(r.nodeLength(body)) > 0 {
		r.p.Refuse("answers no Digest with such content")
	}
	r.p.Statement(before+" = await askDigest", arguments)
}

// follows reports whether the program can follow redirects: it does not know how
// to ask a proxy for another URL, and warns of that.
func (r *jsRequest) follows() bool {
	if r.c.ProxyScheme() == "" && r.c.Target == "" {
		return true
	}
	what := emit.Phrase("through a proxy")
	if r.c.Target != "" {
		what = "of a request target"
	}
	r.p.Stays(r.c, what)
	return false
}

// followNode writes the exchange in a loop, which ends with a response that is no
// redirect.
func (r *jsRequest) followNode() {
	r.p.Use(`import http from "node:http";`)
	r.p.Use(`import https from "node:https";`)
	url, origin, content, path := "url"+r.suffix, "origin"+r.suffix, "content"+r.suffix, "path"+r.suffix
	odd := false
	if a, ok := r.c.Address(); ok && !nodeKeeps(r.c.URLText.Literals()) {
		odd = true
		r.p.Node("let "+url+" = ", emit.Wrapped("new URL", Text(r.p, r.c.URLText)), ";")
		r.p.Node("let "+path+" = ", header(r.p, a.Path), ";")
	} else if first := r.url(); r.c.Guess {
		r.p.Line(url, " = new URL(", url, ");")
	} else {
		r.p.Node("let "+url+" = ", emit.Wrapped("new URL", first), ";")
	}
	own := func(f *plan.Field) bool { return !r.c.Trusted() && f.Guarded() }
	if r.c.Guarded() {
		r.p.Line("const ", origin, " = ", url, ".origin;")
	}
	body := r.nodeContent()
	statuses := r.c.Emptying()
	if len(statuses) > 0 {
		r.p.Line("let ", content, " = true;")
	}
	limit := r.commonLimit()
	response := r.response()
	r.redirects(func() {
		r.p.Line("const client = ", url, `.protocol === "https:" ? https : http;`)
		if odd {
			r.settings = append(r.settings, jsMember("path", r.suffix))
		}
		r.againMethod(content, statuses)
		goes := func(f *plan.Field) bool { return len(statuses) > 0 && f.TypesContent() }
		items := r.nodeHeaders(func(f *plan.Field) bool { return !own(f) && !goes(f) })
		items = append(items, onlyIf(url+".origin === "+origin, r.nodeHeaders(own))...)
		with := append(r.nodeHeaders(goes), r.nodeLength(body)...)
		if len(statuses) > 0 {
			with = onlyIf(content, with)
		}
		r.object("headers", append(items, with...))
		r.settings = append(r.settings, limit...)
		r.nodeSettings()
		if body != "" && len(statuses) > 0 {
			body = content + " ? " + body + " : undefined"
		}
		if r.c.Digest != nil {
			digest := r.digestSettings("ask")
			if !r.c.Trusted() {
				digest = onlyIf(url+".origin === "+origin, digest)
			}
			if odd {
				r.p.Refuse("answers no Digest for such a URL")
			}
			r.settings = append(digest, r.settings...)
			r.askDigest(response, "client", emit.Leaf(url), body)
		} else {
			r.send("const request = client.request", emit.Leaf(url))
			r.p.Line("request.end(", body, ");")
			r.p.Line("[", response, `] = await once(request, "response");`)
		}
		r.p.Line("const { location } = ", response, ".headers;")
		r.redirected(response+".statusCode", response+".resume();", content, statuses)
		if odd {
			r.p.Line(path, " = ", url, ".pathname + ", url, ".search;")
		}
	})
}

// commonLimit writes the statement that limits the time of all exchanges of a loop
// together, and returns the setting for each.
func (r *jsRequest) commonLimit() []emit.Node {
	if r.c.Timeout() == 0 {
		return nil
	}
	r.p.Line("const signal", r.suffix, " = AbortSignal.timeout(", emit.Milliseconds(r.c.Timeout()), ");")
	return []emit.Node{jsMember("signal", r.suffix)}
}

// redirects writes a loop of exchanges, which ends with a response that is no
// redirect.
func (r *jsRequest) redirects(exchange func()) {
	if r.c.Retries() == 0 { // else it is declared before
		r.p.Line("let ", r.response(), ";")
	}
	loop := "for (let redirects = 0; ; redirects++) {"
	if r.c.MaxRedirects() < 0 {
		loop = "for (;;) {"
	}
	r.p.Block(loop, exchange)
	r.p.Line("}")
}

// redirected writes what ends the loop of redirects, or leads it to the URL of the
// variable location: drop lets go of a response. After one of the statuses the
// variable content says that there is none.
func (r *jsRequest) redirected(status, drop, content string, statuses []string) {
	r.p.Line("if (!location || ", status, " < 300 || ", status, " > 399) break;")
	if r.c.MaxRedirects() >= 0 {
		r.p.Line("if (redirects === ", strconv.FormatInt(r.c.MaxRedirects(), 10), `) throw new Error("too many redirects");`)
	}
	r.p.Line(drop)
	r.p.Line("url", r.suffix, " = new URL(location, url", r.suffix, ");")
	switch {
	case len(statuses) == 1:
		r.p.Line("if (", status, " === ", statuses[0], ") ", content, " = false;")
	case len(statuses) > 1:
		r.p.Line("if ([", strings.Join(statuses, ", "), "].includes(", status, ")) ", content, " = false;")
	}
}

// againMethod adds the method of a request that may come after a redirect.
func (r *jsRequest) againMethod(content string, statuses []string) {
	if len(statuses) == 0 || r.c.KeepsMethod() {
		r.method()
		return
	}
	r.add("method", emit.Leaf(content+" ? "+String(r.c.Method)+` : "GET"`))
}

// jsMember returns a member of an object whose value is the variable of its name.
func jsMember(name, suffix string) emit.Node {
	if suffix == "" {
		return emit.Leaf(name)
	}
	return emit.Leaf(name + ": " + name + suffix)
}

// onlyIf returns members that an object has on a condition only.
func onlyIf(condition string, members []emit.Node) []emit.Node {
	if len(members) == 0 {
		return nil
	}
	object := emit.Group("", "{ ", members, " }")
	return []emit.Node{emit.Leaf("...(" + condition + " && " + object.Line() + ")")}
}

// nodeSettings adds the settings that are the same for each request.
func (r *jsRequest) nodeSettings() {
	if r.c.Removes("Host") || r.c.Empties("Host") {
		r.add("setHost", emit.Leaf("false"))
	}
	r.settings = append(append(r.settings, r.tls(tlsNames...)...), r.lookup()...)
	if len(r.c.UnixSocket()) > 0 {
		r.add("socketPath", Text(r.p, r.c.UnixSocket()))
	}
}

// nodeURL returns the argument for the URL: its text where URL keeps it as it
// is, or none, with its parts in the settings.
func (r *jsRequest) nodeURL() []emit.Node {
	a, ok := r.c.Address()
	if !ok || nodeKeeps(r.c.URLText.Literals()) && r.c.ProxyScheme() == "" && r.c.Target == "" {
		return []emit.Node{r.url()}
	}
	host, path := a.Host.Source(), header(r.p, a.Path)
	if r.c.Target != "" {
		target := r.c.TargetText()
		if strings.ContainsFunc(target.Literals(), func(c rune) bool { return c <= ' ' }) {
			r.p.RefuseAt(r.c.Place("requestTarget"), "cannot send such a request target")
		}
		path = header(r.p, target)
	}
	if r.c.ProxyScheme() != "" {
		if r.c.Target == "" {
			path = header(r.p, r.c.URLText)
		}
		host, a.Port = r.nodeProxy(&a)
	}
	r.add("hostname", emit.Leaf(String(strings.Trim(host, "[]"))))
	if a.Port != "" {
		r.add("port", emit.Leaf(String(a.Port)))
	}
	r.add("path", path)
	return nil
}

// nodeKeeps reports whether URL keeps the path of a URL as it is.
func nodeKeeps(url string) bool {
	return ascii.Only(url) && !strings.ContainsAny(url, " \"<>\\^`{|}'[]") && !plan.DotSegments(url)
}

// nodeProxy returns the host and the port of the proxy, which is asked for the
// whole URL.
func (r *jsRequest) nodeProxy(a *plan.AddressParts) (host, port string) {
	s, ok := r.c.ProxyServer()
	if !ok || a.Secure {
		r.p.Refuse("asks no proxy of this kind")
		return "", ""
	}
	host = a.Host.Source()
	if a.Port != "" {
		host += ":" + a.Port
	}
	if r.c.Field("Host") == nil {
		r.c.AddField("Host", plan.Literal(host))
	}
	if s.Credentials != nil {
		both := plan.MergeLiterals(append(append(slices.Clone(s.Credentials.User), plan.Part{Literal: ":"}), s.Credentials.Password...))
		r.c.AddImplied("Proxy-Authorization", both)
	}
	return s.Host, s.Port
}

// nodeHeaders returns the fields that wanted takes, as members of an object.
func (r *jsRequest) nodeHeaders(wanted func(*plan.Field) bool) []emit.Node {
	items := r.headerMembers(true, func(f *plan.Field) bool { return f.Is("Proxy-Authorization") && f.Derived() || !wanted(f) })
	if f := r.c.Field("Proxy-Authorization"); f != nil && f.Derived() && wanted(f) {
		items = append(items, emit.Named(`"Proxy-Authorization"`, ": ", r.basicValue(f.Value)))
	}
	return items
}

// nodeLength returns the length of content, which Node does not add with methods
// that usually have none.
func (r *jsRequest) nodeLength(body string) []emit.Node {
	if body == "" || !slices.Contains([]string{"GET", "HEAD", "DELETE", "OPTIONS", "TRACE"}, r.c.Method) || r.c.Field("Transfer-Encoding") != nil {
		return nil
	}
	return []emit.Node{emit.Leaf(`"Content-Length": Buffer.byteLength(` + body + ")")}
}

// byteHead reports whether the head of the request has characters that stand
// for bytes.
func (r *jsRequest) byteHead() bool {
	return !r.c.URLText.IsASCII() || slices.ContainsFunc(r.c.Given(), func(f plan.Field) bool { return !f.Value.IsASCII() })
}

// nodeContent writes the statement that makes the body, and returns its
// variable.
func (r *jsRequest) nodeContent() string {
	var n emit.Node
	switch r.c.Content.Kind {
	case plan.NoBody:
		return ""
	case plan.RawBody:
		var ok bool
		if n, _, ok = r.stringify(); ok {
			break
		}
		if r.c.IsForm(&plan.EncodeWHATWG) {
			n = emit.Followed(r.search(r.c.Content.Form), ".toString()")
			break
		}
		n = Bytes(r.p, r.c.Content.Data)
	case plan.MultipartBody:
		n = r.multipartBytes()
	case plan.FileBody:
		n = emit.Leaf(jsFile(r.p, plan.Piece{File: r.c.Content.File}))
	default:
		n = jsPieces(r.p, r.c.Content.List)
	}
	if r.byteHead() {
		n = buffer(n) // a string goes out with the head, and both as UTF-8
	}
	r.p.Node("const body"+r.suffix+" = ", n, ";")
	return "body" + r.suffix
}
