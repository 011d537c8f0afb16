package javascript

import (
	"slices"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/internal/engine/ascii"
)

// What request of undici 6 does by itself, measured on the wire: it adds
// Connection, and a length where the method usually has content; sends methods
// and fields as they are; removes dot segments and encodes some characters of a
// URL, but not in a path for a Client.
var Undici = plan.Target{
	Name: "node-undici", Convention: &jsConvention, Client: "undici", Version: "6", Kind: plan.Code, Extension: "mjs",
	Packages: []plan.Package{{Name: "undici", Version: "6.0.0"}},
	Aliases:  []string{"undici", "javascript-undici"}, Proven: true, Style: style, Write: writeUndici, Takes: plan.AnyFrom, Tries: tries, Runs: true,
	Functions: true, Decodes: true, Variants: commonJS,
	Facts: plan.Client{
		Undecoded: true,
		ModernTLS: true,
		Answers:   true,
		Adds:      plan.FieldNames{"Connection"},
		Wire:      plan.Wire{Order: "Connection * &content-type", Names: plan.FieldNames{"connection"}, Text: true, Path: "?"},
		Always:    plan.FieldNames{"Host", "Connection"},
		Fixed:     plan.FieldNames{"Content-Length", "Connection", "Keep-Alive", "Upgrade", "Expect"},
		Rules:     plan.Rules{plan.SendsCodings(plan.NoCoding), plan.CodesContentOnly, plan.PrintableFields, plan.TakesNumbers},
		Passes:    map[string][]string{"Connection": {"close", "keep-alive"}},
		Counts:    plan.Enclosing,
		EmptyHost: true,
		Proxies:   []string{"http", "https"},
	},
}

func writeUndici(p *plan.Program) {
	writeJavaScript(p, "", func(r *jsRequest) {
		url := r.c.URLText.Literals()
		a, known := r.c.Address()
		raw := known && (plan.DotSegments(url) || strings.ContainsAny(url, " \"<>\\^`{|}'[]") || !ascii.Only(a.Path.Source()))
		if raw {
			r.add("path", header(r.p, a.Path))
		}
		if r.c.Method != "GET" || raw || r.c.Content.Kind != plan.NoBody { // content makes PUT of it
			r.add("method", emit.Leaf(String(r.c.Method)))
		}
		content, has := r.undiciContent()
		r.object("headers", r.headerMembers(true, (*plan.Field).Skipped))
		if has {
			r.add("body", content)
		}
		r.settings = append(r.settings, r.timeLimit()...)
		call, where := r.digest("request"), []emit.Node(nil)
		if raw {
			if r.c.Digest != nil {
				r.p.Refuse("answers no Digest for such a URL")
			}
			call = r.undiciClient(a)
		} else {
			r.undiciDispatcher()
			importUndici(r.p, "request")
			where = []emit.Node{r.url()}
		}
		r.again(".statusCode", "await "+r.response()+".body.dump();", ".code", func(before string) { r.send(before+call, where...) })
		if r.c.Destination(r.p.Options) == plan.Discarded {
			r.p.Line("await ", r.response(), ".body.dump();")
		}
		response := r.response()
		if raw {
			r.closing = "await client" + r.suffix + ".close();"
		}
		r.result(jsResponse{".statusCode", "", ".headers", response + ".body", response + ".body", "await " + response + ".body.json()", "await " + response + ".body.text()"},
			func() { r.failure(response + ".statusCode") })
	})
}

// undiciContent returns the body; strings get no type.
func (r *jsRequest) undiciContent() (n emit.Node, has bool) {
	switch r.c.Content.Kind {
	case plan.RawBody:
		if n, _, ok := r.stringify(); ok {
			return n, true
		}
		if r.c.IsForm(&plan.EncodeWHATWG) {
			return emit.Followed(r.search(r.c.Content.Form), ".toString()"), true
		}
		return Bytes(r.p, r.c.Content.Data), true
	case plan.MultipartBody:
		n, ok := r.formData()
		if ok {
			importUndici(r.p, "FormData")
		}
		return n, true
	case plan.FileBody:
		return emit.Leaf(jsFile(r.p, plan.Piece{File: r.c.Content.File})), true
	case plan.PieceBody:
		return jsPieces(r.p, r.c.Content.List), true
	}
	return emit.Node{}, false
}

// undiciConnect returns the settings of the connection.
func (r *jsRequest) undiciConnect() []emit.Node {
	items := append(r.tls(tlsNames...), r.lookup()...)
	if r.c.ConnectTimeout() > 0 {
		items = append(items, emit.Leaf("timeout: "+emit.Milliseconds(r.c.ConnectTimeout())))
	}
	if len(r.c.UnixSocket()) > 0 {
		items = append(items, emit.Named("socketPath", ": ", Text(r.p, r.c.UnixSocket())))
	}
	return items
}

// undiciClient writes the statement that makes a client of the server, which
// sends a path as it is, and returns the call.
func (r *jsRequest) undiciClient(a plan.AddressParts) string {
	if r.c.ProxyScheme() != "" {
		r.p.Refuse("rewrites this URL where it asks a proxy")
	}
	if r.c.Follow() {
		r.p.LossAt(r.c.Place("followRedirects"), "-L", "rewrites this URL where it follows redirects")
	}
	source := r.c.URL
	end := len(source) - len(a.Path.Source())
	if !strings.HasSuffix(source, a.Path.Source()) {
		end++ // a path that is empty in the URL
	}
	arguments := []emit.Node{Text(r.p, r.c.URLText.Cut(0, end))}
	if connect := r.undiciConnect(); len(connect) > 0 {
		arguments = append(arguments, emit.Braced([]emit.Node{emit.Named("connect", ": ", emit.Braced(connect))}))
	}
	importUndici(r.p, "Client")
	r.p.Statement("const client"+r.suffix+" = new Client", arguments)
	return "client" + r.suffix + ".request"
}

// undiciDispatcher adds the dispatcher, where the usual one will not do.
func (r *jsRequest) undiciDispatcher() {
	n, ok := r.undiciAgent(r.undiciConnect())
	if !ok && !r.c.Follow() {
		return
	}
	if !ok {
		n = emit.Group("new Agent", "(", nil, ")")
	}
	class, _, _ := strings.Cut(strings.TrimPrefix(n.Head, "new "), "(")
	importUndici(r.p, class)
	if r.c.Follow() {
		importUndici(r.p, "interceptors")
		n = emit.Followed(n, ".compose(interceptors.redirect({ maxRedirections: "+emit.Itoa(int(r.c.RedirectLimit()))+" }))")
	}
	r.add("dispatcher", n)
}

// importUndici adds a name to the import of undici.
func importUndici(p *plan.Program, name string) {
	const before = "import { "
	after := ` } from "undici";`
	if p.Target.Name != "node-undici" {
		after += " // npm install undici"
	}
	names := []string{name}
	p.Imports = slices.DeleteFunc(p.Imports, func(line string) bool {
		if !strings.HasSuffix(line, after) {
			return false
		}
		names = append(names, strings.Split(strings.TrimSuffix(strings.TrimPrefix(line, before), after), ", ")...)
		return true
	})
	slices.SortFunc(names, func(a, b string) int { return strings.Compare(strings.ToLower(a), strings.ToLower(b)) })
	p.Use(before + strings.Join(slices.Compact(names), ", ") + after)
}
