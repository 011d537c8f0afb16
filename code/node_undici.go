package code

import (
	"slices"
	"strings"

	"uncoil/internal/engine/ascii"
)

// What request of undici 6 does by itself, measured on the wire: it adds
// Connection, and a length where the method usually has content; sends methods
// and fields as they are; removes dot segments and encodes some characters of a
// URL, but not in a path for a Client.
var nodeUndici = Target{
	Name: "node-undici", Language: "javascript", Client: "undici", Version: "6", Kind: Code, Extension: "mjs",
	Aliases: []string{"undici", "javascript-undici"}, Proven: true, style: javascriptStyle, write: writeUndici,
	client: client{
		modernTLS: true,
		answers:   true,
		adds:      fieldNames{"Connection"},
		always:    fieldNames{"Host", "Connection"},
		fixed:     fieldNames{"Content-Length", "Connection", "Keep-Alive", "Upgrade", "Expect"},
		codings:   noCoding,
		framed:    true,
		passes:    map[string][]string{"Connection": {"close", "keep-alive"}},
		counts:    enclosing,
		emptyHost: true,
		printable: true,
		numbers:   true,
		says:      []string{"createDirs", "followRedirects", "maxRedirects", "maxTime", "connectTimeout", "retry", "insecure", "tlsMin", "tlsMax", "cacert", "cert", "unixSocket", "resolve", "connectTo"},
		proxies:   []string{"http", "https"},
	},
}

func writeUndici(p *program) {
	p.writeJavaScript("", func(r *jsRequest) {
		url := r.c.url.literals()
		a, known := r.c.address()
		raw := known && (dotSegments(url) || strings.ContainsAny(url, " \"<>\\^`{|}'[]") || !ascii.Only(a.path.source()))
		if raw {
			r.add("path", r.p.jsHeader(a.path))
		}
		if r.c.Method != "GET" || raw || r.c.body.kind != noBody { // content makes PUT of it
			r.add("method", leaf(jsString(r.c.Method)))
		}
		content, has := r.undiciContent()
		r.object("headers", r.headerMembers(true, (*field).skipped))
		if has {
			r.add("body", content)
		}
		r.settings = append(r.settings, r.timeLimit()...)
		call, where := r.digest("request"), []node(nil)
		if raw {
			if r.c.digest != nil {
				r.p.refuse("answers no Digest for such a URL")
			}
			call = r.undiciClient(a)
		} else {
			r.undiciDispatcher()
			r.p.importUndici("request")
			where = []node{r.url()}
		}
		r.again(".statusCode", "await "+r.response()+".body.dump();", func(before string) { r.send(before+call, where...) })
		r.failure(r.response() + ".statusCode")
		if r.c.destination(r.p.options) == discarded {
			r.p.line("await ", r.response(), ".body.dump();")
		}
		r.writeResult(r.response()+".body", r.response()+".headers", "await "+r.response()+".body.text()")
		if raw {
			r.p.line("await client", r.suffix, ".close();")
		}
	})
}

// undiciContent returns the body; strings get no type.
func (r *jsRequest) undiciContent() (n node, has bool) {
	switch r.c.body.kind {
	case rawBody:
		if n, _, ok := r.stringify(); ok {
			return n, true
		}
		if r.c.isForm(&encodeWHATWG) {
			return followed(r.search(r.c.body.form), ".toString()"), true
		}
		return r.p.jsBytes(r.c.body.data), true
	case multipartBody:
		n, ok := r.formData()
		if ok {
			r.p.importUndici("FormData")
		}
		return n, true
	case fileBody:
		return leaf(r.p.jsFile(piece{file: r.c.body.file})), true
	case pieceBody:
		return r.p.jsPieces(r.c.body.list), true
	}
	return node{}, false
}

// undiciConnect returns the settings of the connection.
func (r *jsRequest) undiciConnect() []node {
	items := append(r.tls(tlsNames...), r.lookup()...)
	if r.c.connectTimeout > 0 {
		items = append(items, leaf("timeout: "+milliseconds(r.c.connectTimeout)))
	}
	if len(r.c.unixSocket) > 0 {
		items = append(items, named("socketPath", ": ", r.p.jsText(r.c.unixSocket)))
	}
	return items
}

// undiciClient writes the statement that makes a client of the server, which
// sends a path as it is, and returns the call.
func (r *jsRequest) undiciClient(a addressParts) string {
	if r.c.proxyScheme() != "" {
		r.p.refuse("rewrites this URL where it asks a proxy")
	}
	if r.c.follow {
		r.p.lossAt(r.c.place("followRedirects"), "-L", "rewrites this URL where it follows redirects")
	}
	source := r.c.URL
	end := len(source) - len(a.path.source())
	if !strings.HasSuffix(source, a.path.source()) {
		end++ // a path that is empty in the URL
	}
	arguments := []node{r.p.jsText(r.c.url.cut(0, end))}
	if connect := r.undiciConnect(); len(connect) > 0 {
		arguments = append(arguments, braced([]node{named("connect", ": ", braced(connect))}))
	}
	r.p.importUndici("Client")
	r.p.statement("const client"+r.suffix+" = new Client", arguments)
	return "client" + r.suffix + ".request"
}

// undiciDispatcher adds the dispatcher, where the usual one will not do.
func (r *jsRequest) undiciDispatcher() {
	n, ok := r.undiciAgent(r.undiciConnect())
	if !ok && !r.c.follow {
		return
	}
	if !ok {
		n = group("new Agent", "(", nil, ")")
	}
	class, _, _ := strings.Cut(strings.TrimPrefix(n.head, "new "), "(")
	r.p.importUndici(class)
	if r.c.follow {
		r.p.importUndici("interceptors")
		n = followed(n, ".compose(interceptors.redirect({ maxRedirections: "+itoa(int(r.c.redirectLimit()))+" }))")
	}
	r.add("dispatcher", n)
}

// importUndici adds a name to the import of undici.
func (p *program) importUndici(name string) {
	const before = "import { "
	after := ` } from "undici";`
	if p.target.Name != "node-undici" {
		after += " // npm install undici"
	}
	names := []string{name}
	p.imports = slices.DeleteFunc(p.imports, func(line string) bool {
		if !strings.HasSuffix(line, after) {
			return false
		}
		names = append(names, strings.Split(strings.TrimSuffix(strings.TrimPrefix(line, before), after), ", ")...)
		return true
	})
	slices.SortFunc(names, func(a, b string) int { return strings.Compare(strings.ToLower(a), strings.ToLower(b)) })
	p.use(before + strings.Join(slices.Compact(names), ", ") + after)
}
