package python

import (
	"slices"
	"strconv"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/internal/engine/ascii"
)

// What urllib3 1.26 and 2 do by themselves, measured on the wire: they add Accept-Encoding
// and User-Agent, but no Accept; write methods in capitals; take dot segments out of paths;
// follow three redirects, with the method and the content of before but after 303, and raise
// for no status.
var Urllib3 = plan.Target{
	Name: "python-urllib3", Convention: &convention, Client: "urllib3", Version: "1.26", Kind: plan.Code, Extension: "py",
	Packages: []plan.Package{{Name: "urllib3", Version: "1.26"}},
	Aliases:  []string{"urllib3"}, Proven: true, Style: style, Write: writePythonUrllib3, Takes: plan.AnyFrom, Heads: true, Runs: true,
	Functions: true, Decodes: true, Fallbacks: []*plan.Target{&Requests},
	Facts: plan.Client{
		Breaks:    true,
		ModernTLS: true,
		Hostless:  true,
		Rules: plan.Rules{
			plan.SendsCodings(plan.NamesChunks),
			plan.CodesContentOnly,
			plan.ReadsURLs(plan.RequestsPercents),
			plan.SendsMethods(plan.Capitals),
			plan.RemovesDots,
		},
		Once:    (*plan.Call).Chunked, // from an iterator
		Stuck:   (*plan.Call).Chunked,
		Adds:    plan.FieldNames{"User-Agent", "Accept-Encoding"},
		Wire:    plan.Wire{Follows: true, Text: true, Path: "\"<>[]^`{|}\\", Query: "\"<>[]^`{|}\\é", Lowers: true},
		After:   []string{"posts"},
		Names:   plan.PythonName,
		Proxies: []string{"http", "https"},
		Shares:  plan.FieldNames{"Cookie"},
		Strips:  true,
	},
}

func writePythonUrllib3(p *plan.Program) {
	pool := "" // as an earlier request has made it
	sections := writePython(p, p.Depth(0), pythonContent{data: "body", bytes: true, joins: true}, func(r *pythonRequest) {
		queries := slices.Contains([]string{"GET", "HEAD", "DELETE", "OPTIONS"}, r.c.Method)
		r.takes.fields = !queries // which are content with other methods
		if queries && r.c.Content.Kind == plan.NoBody {
			if pairs := r.c.TakeQuery(&plan.EncodeQuotePlus, nil); pairs != nil {
				r.add("fields", r.pairs(pairs))
			}
		} else {
			r.encodedQuery()
		}
		content := r.streamedContent()
		r.headers(r.urllib3Removed(), (*plan.Field).Skipped)
		r.arguments = append(r.arguments, content...)
		r.urllib3Exchange()
		call := emit.Group("http.request", "(", r.withFirst(emit.Leaf(String(p, r.c.Method)), pythonURL(r.p, r.c)), ")")
		if n := r.urllib3Pool(); n.Line() != pool {
			pool = n.Line()
			r.p.Node("http = ", n, "")
		}
		r.again(pythonRetry{"time.sleep", "response.status", "urllib3.exceptions.NewConnectionError", "urllib3.exceptions.HTTPError", false}, func() {
			r.p.Node("response = ", call, "")
		})
		r.result(response{
			status: "response.status", reason: "response.reason", headers: "response.headers",
			content: "response.data", json: "json.loads(response.data)", text: `response.data.decode(errors="replace")`,
			ended: r.endsEarly("response"), save: []string{"for chunk in response.stream(65536):", p.Indent + "output.write(chunk)"},
			lines: "for line in response:", ends: true,
		}, r.failure)
	})
	p.Head(func() { imports(p, "urllib3") })
	pythonBody(p, "", sections)
}

// urllib3Removed returns items for the fields that the command removes.
func (r *pythonRequest) urllib3Removed() (removed []emit.Node) {
	for _, name := range r.c.Withheld {
		if item, ok := r.skipped(name); ok {
			removed = append(removed, item)
		}
	}
	return removed
}

// skipped returns the item that has urllib3 leave out a field which it adds by itself.
func (r *pythonRequest) skipped(name string) (item emit.Node, ok bool) {
	if !ascii.EqualFold(name, "User-Agent") && !ascii.EqualFold(name, "Accept-Encoding") && !ascii.EqualFold(name, "Host") {
		return emit.Node{}, false
	}
	r.p.Use("from urllib3.util import SKIP_HEADER")
	return emit.Leaf(String(r.p, name) + ": SKIP_HEADER"), true
}

// urllib3Exchange adds what shapes the exchange: redirects and time limits.
func (r *pythonRequest) urllib3Exchange() {
	retry := []emit.Node{emit.Leaf("None"), emit.Leaf("connect=0"), emit.Leaf("read=0")}
	strips := r.c.Strips() && r.c.Field("Cookie") != nil
	switch {
	case r.c.Stops():
		r.add("redirect", emit.Leaf("False"))
		if r.p.Exact() || r.c.Retries() > 0 {
			r.add("retries", emit.Leaf("False")) // a refused connection is not tried again
		}
	case r.p.Exact(), r.c.Retries() > 0, r.c.MaxRedirects() != plan.CurlRedirects, strips:
		retry = append(retry, emit.Leaf("redirect="+strconv.FormatInt(r.c.RedirectLimit(), 10)))
		if strips {
			retry = append(retry, emit.Leaf(`remove_headers_on_redirect=["Authorization", "Cookie"]`))
		}
		r.add("retries", emit.Group("urllib3.Retry", "(", retry, ")"))
	}
	total, connect := r.c.Timeout(), r.c.ConnectTimeout()
	switch {
	case total > 0 && connect > 0:
		r.add("timeout", emit.Leaf("urllib3.Timeout(total="+emit.Seconds(total)+", connect="+emit.Seconds(connect)+")"))
	case total > 0:
		r.add("timeout", emit.Leaf("urllib3.Timeout(total="+emit.Seconds(total)+")"))
	case connect > 0:
		r.add("timeout", emit.Leaf("urllib3.Timeout(connect="+emit.Seconds(connect)+")"))
	}
	if r.c.Destination(r.p.Options) == plan.ToFile || r.c.Streams(r.p.Options) {
		r.add("preload_content", emit.Leaf("False"))
	}
}

// urllib3Pool returns the expression for what sends the request.
func (r *pythonRequest) urllib3Pool() emit.Node {
	class, items := "urllib3.PoolManager", []emit.Node(nil)
	if r.c.ProxyScheme() != "" {
		class, items = "urllib3.ProxyManager", []emit.Node{pythonText(r.p, r.c.ProxyURL())}
		if address, user, password := r.c.ProxyParts(); len(user) > 0 {
			credentials := pythonText(r.p, plan.MergeLiterals(slices.Concat(user, plan.Literal(":"), password)))
			items = []emit.Node{pythonText(r.p, address), emit.Named("proxy_headers", "=", emit.Wrapped("urllib3.make_headers", emit.Named("proxy_basic_auth", "=", credentials)))}
		}
	}
	switch {
	case r.boundsTLS():
		r.context()
		items = append(items, emit.Leaf("ssl_context=context"))
	case r.c.Insecure():
		items = append(items, emit.Leaf(`cert_reqs="CERT_NONE"`))
	case len(r.c.CaFile()) > 0:
		items = append(items, emit.Named("ca_certs", "=", pythonText(r.p, r.c.CaFile())))
	}
	if !r.boundsTLS() && len(r.c.Cert()) > 0 {
		items = append(items, emit.Named("cert_file", "=", pythonText(r.p, r.c.Cert())))
		if len(r.c.Key()) > 0 {
			items = append(items, emit.Named("key_file", "=", pythonText(r.p, r.c.Key())))
		}
		if phrase := r.c.KeyPassword(); len(phrase) > 0 {
			items = append(items, emit.Named("key_password", "=", pythonText(r.p, phrase)))
		}
	}
	return emit.Group(class, "(", items, ")")
}
