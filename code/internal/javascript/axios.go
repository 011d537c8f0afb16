package javascript

import (
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
)

// What axios 1 does by itself in Node, measured on the wire: it adds Accept,
// User-Agent, Accept-Encoding and Connection, and a type to requests that
// usually have content; writes methods in capitals; follows redirects and
// throws for status 300 and more unless told not to; turns text that it takes
// for JSON into an object. Older ones than 1.17 send https through a proxy
// without a tunnel.
var Axios = plan.Target{
	Name: "node-axios", Convention: &jsConvention, Client: "axios", Version: "1.17", Kind: plan.Code, Extension: "mjs",
	Packages: []plan.Package{{Name: "axios", Version: "1.17.0"}},
	Aliases:  []string{"axios", "javascript-axios"}, Proven: true, Style: style, Write: writeAxios, Takes: plan.AnyFrom, Tries: tries, Heads: true, Runs: true,
	Functions: true, Decodes: true, Variants: commonJS,
	Facts: plan.Client{
		ModernTLS: true,
		Adds:      plan.FieldNames{"Accept", "User-Agent", "Accept-Encoding", "Connection"},
		Wire:      plan.Wire{Order: "Accept Content-Type * +Authorization", Names: plan.FieldNames{"Accept", "Content-Type"}, Charset: true, Follows: true, Text: true, Path: "\"<>`{}?", Query: "\"'<>é", Lowers: true},
		Always:    plan.FieldNames{"Connection"},
		Rules:     plan.Rules{plan.SendsMethods(plan.Capitals), plan.RemovesDots, plan.TakesNumbers, plan.PrintableFields},
		Answers:   true,
		Tells:     true,
		Slashes:   true,
		Proxies:   []string{"http", "https"},
	},
}

func writeAxios(p *plan.Program) {
	writeJavaScript(p, `import axios from "axios";`, func(r *jsRequest) {
		params := r.axiosParams() // before the URL, which then lacks the query
		r.add("url", r.url())
		r.method()
		r.settings = append(r.settings, params...)
		content, typed := r.axiosContent()
		r.axiosHeaders(typed)
		if r.c.Basic != nil && r.basicSetting() {
			r.object("auth", []emit.Node{emit.Named("username", ": ", Text(r.p, r.c.Basic.User)), emit.Named("password", ": ", Text(r.p, r.c.Basic.Password))})
		}
		if r.c.Content.Kind != plan.NoBody {
			r.add("data", content)
		}
		axios := r.digest("axios")
		r.axiosExchange()
		o := emit.Braced(r.settings)
		o.Broken, o.Width = true, emit.TooWide
		r.again(".status", "", ".code", func(before string) {
			call := o
			call.Head = before + axios + "(" + o.Head
			r.p.Node("", call, ");")
		})
		data, fail := r.response()+".data", func() {}
		if r.c.Retries() > 0 || r.c.ReadsErrors() {
			fail = func() { r.failure(r.response() + ".status") }
		}
		r.result(jsResponse{".status", ".statusText", ".headers", data, data, data, data}, fail)
	})
}

// encodeAxios is the encoder of axios for its setting params: lib/helpers/buildURL.js of
// axios 1. Brackets are encoded since 1.8 only.
var encodeAxios = plan.FormEncoder{Safe: "-_.!~*'():$,", Plus: true}

// axiosParams returns the setting for the query, if there is one: an object where the
// encoder of axios prints it, and else URLSearchParams, which axios takes as they are.
func (r *jsRequest) axiosParams() []emit.Node {
	plain := func(names []string) bool {
		return keeps(names) && !strings.ContainsAny(r.c.URL, "[]") && !strings.Contains(r.c.URL, "%5")
	}
	if pairs := r.c.TakeQuery(&encodeAxios, plain); pairs != nil {
		return []emit.Node{emit.Named("params", ": ", r.pairs(pairs))}
	}
	if pairs := r.c.TakeQuery(&plan.EncodeWHATWG, nil); pairs != nil {
		return []emit.Node{emit.Named("params", ": ", r.search(pairs))}
	}
	return nil
}

// basicSetting reports whether the setting auth sends the credentials as curl
// does: the client encodes them as UTF-8.
func (r *jsRequest) basicSetting() bool {
	return r.c.Basic.User.IsText() && r.c.Basic.Password.IsText()
}

func (r *jsRequest) axiosHeaders(typed bool) {
	items := r.headerMembers(true, func(f *plan.Field) bool { return f.Derived() && (!f.Is("Authorization") || r.basicSetting()) })
	items = append(items, r.removedMembers("false", "Accept", "User-Agent", "Accept-Encoding")...)
	usual := r.c.Method == "POST" || r.c.Method == "PUT" || r.c.Method == "PATCH"
	if !typed && r.c.Field("Content-Type") == nil && (usual || r.c.Content.Kind != plan.NoBody) {
		items = append(items, emit.Leaf(`"Content-Type": false`))
	}
	r.object("headers", items)
}

// axiosContent returns the body. It reports whether the body brings its type.
func (r *jsRequest) axiosContent() (n emit.Node, typed bool) {
	switch r.c.Content.Kind {
	case plan.RawBody:
		if n, compact, ok := r.stringify(); ok {
			if f := r.c.Field("Content-Type"); compact && f != nil && strings.HasPrefix(f.Value.Source(), "application/json") {
				return jsValue(r.p, r.c, r.c.Content.JSON), false
			}
			if !r.p.Exact() {
				return n, false // axios reads a text as JSON only where its type says so
			}
			return emit.Wrapped("Buffer.from", n), false
		}
		if r.c.IsForm(&plan.EncodeWHATWG) {
			return r.search(r.c.Content.Form), r.c.LeavesType()
		}
		if f := r.c.Field("Content-Type"); !r.p.Exact() && r.c.Content.Data.IsText() && (f == nil || !strings.Contains(f.Value.Source(), "json")) {
			return Text(r.p, r.c.Content.Data), false
		}
		return buffer(Bytes(r.p, r.c.Content.Data)), false
	case plan.MultipartBody:
		if n, typed = r.formData(); !typed {
			n = buffer(n)
		}
		return n, typed
	case plan.FileBody:
		return emit.Leaf(jsFile(r.p, plan.Piece{File: r.c.Content.File})), false
	case plan.PieceBody:
		return buffer(jsPieces(r.p, r.c.Content.List)), false
	}
	return emit.Node{}, false
}

// buffer makes bytes of a text: axios reads some texts as JSON, and writes
// them anew.
func buffer(n emit.Node) emit.Node {
	if strings.HasPrefix(n.Head, "Buffer.") || strings.HasPrefix(n.Head, "await") {
		return n
	}
	return emit.Wrapped("Buffer.from", n)
}

func (r *jsRequest) axiosExchange() {
	switch {
	case r.c.Stops():
		r.add("maxRedirects", emit.Leaf("0"))
	case r.c.MaxRedirects() != plan.CurlRedirects:
		r.add("maxRedirects", emit.Leaf(emit.Itoa(int(r.c.RedirectLimit()))))
	}
	if hook, ok := r.beforeRedirect(); ok {
		r.add("beforeRedirect", hook)
	}
	switch { // axios fails unless the status is 2xx
	case !r.p.Exact() && r.c.Retries() == 0 && !r.c.Stops() && !r.c.ReadsErrors() && !(r.c.PrintsBytes(r.p.Options) && !r.c.Fail()):
	case !r.c.Fail() || r.c.Retries() > 0 || r.c.ReadsErrors():
		r.add("validateStatus", emit.Leaf("null")) // curl does not fail either
	default:
		r.add("validateStatus", emit.Leaf("(status) => status < 400"))
	}
	r.settings = append(r.settings, r.timeLimit()...)
	toFile := r.c.Destination(r.p.Options) == plan.ToFile
	if toFile && !r.c.Caught() || r.c.Streams(r.p.Options) {
		r.add("responseType", emit.Leaf(`"stream"`))
	}
	if toFile && r.c.Caught() || r.c.PrintsBytes(r.p.Options) { // a stream that nobody reads would keep the program
		r.add("responseType", emit.Leaf(`"arraybuffer"`))
	}
	if r.keepsWhole() {
		r.add("responseType", emit.Leaf(`"text"`)) // also where it is JSON
	}
	r.axiosAgent()
	if len(r.c.UnixSocket()) > 0 {
		r.add("socketPath", Text(r.p, r.c.UnixSocket()))
	}
}

// beforeRedirect returns the function that gives the credentials to every host, where
// curl does.
func (r *jsRequest) beforeRedirect() (n emit.Node, ok bool) {
	if !r.c.Spreads() {
		return emit.Node{}, false
	}
	r.c.Does("locationTrusted")
	secrets := r.headerMembers(true, func(f *plan.Field) bool { return !f.Secret() })
	return emit.Group("(options) => Object.assign", "(", []emit.Node{emit.Leaf("options.headers"), emit.Braced(secrets)}, ")"), true
}

// axiosAgent adds what TLS, proxies and addresses need.
func (r *jsRequest) axiosAgent() {
	tls := r.tls(tlsNames...)
	if r.c.ProxyScheme() != "" {
		r.proxySetting()
	}
	if r.c.Direct() {
		r.add("proxy", emit.Leaf("false"))
	}
	r.settings = append(r.settings, r.lookup()...)
	if len(tls) > 0 {
		r.p.Use(`import { Agent } from "node:https";`)
		r.add("httpsAgent", emit.Hug(emit.Group("new Agent", "(", []emit.Node{emit.Braced(tls)}, ")")))
	}
}

// proxySetting adds the setting proxy.
func (r *jsRequest) proxySetting() {
	s, ok := r.c.ProxyServer()
	if !ok {
		r.p.Refuse("takes no proxy from a variable")
		return
	}
	items := []emit.Node{emit.Leaf("protocol: " + String(s.Scheme)), emit.Leaf("host: " + String(s.Host)), emit.Leaf("port: " + s.Port)}
	if s.Credentials != nil {
		items = append(items, emit.Named("auth", ": ", emit.Braced([]emit.Node{emit.Named("username", ": ", Text(r.p, s.Credentials.User)), emit.Named("password", ": ", Text(r.p, s.Credentials.Password))})))
	}
	r.object("proxy", items)
}
