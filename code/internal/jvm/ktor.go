package jvm

import (
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
)

// What the client of Ktor 3.2 does by itself with its engine CIO, from its source: it adds
// Accept, Accept-Charset and User-Agent; gives bytes a type, and text one with a charset,
// but content with nothing of its own that of the fields; sends a name of a field once, and
// paths and methods as they are, but groups the parameters of a query by their names; ends
// after 15 seconds, for which no other time limit is set; follows redirects of GET and HEAD
// unless told not to, not from https to http, and takes Authorization away from other hosts;
// checks the name in a certificate, whoever trusts it; speaks TLS 1.2; and answers Digest
// with MD5 only. A part of a form has a length.
var KotlinKtor = plan.Target{
	Name: "kotlin-ktor", Convention: &kotlinConvention, Client: "Ktor", Version: "3.2", Kind: plan.Code, Extension: "kt",
	Packages: slices.Concat([]plan.Package{
		{Name: "io.ktor:ktor-client-core", Version: "3.2.0"},
		{Name: "io.ktor:ktor-client-cio", Version: "3.2.0"},
		{Name: "io.ktor:ktor-client-auth", Version: "3.2.0", Import: "plugins.auth"},
		{Name: "io.ktor:ktor-client-encoding", Version: "3.2.0", Import: "plugins.compression"},
	}, jackson),
	Aliases: []string{"ktor"}, Proven: true, Style: HTTPClient.Style, Write: writeKtor, Takes: plan.AnyFrom,
	Facts: plan.Client{
		ModernTLS: true,
		AnyMethod: true,
		Adds:      plan.FieldNames{"Accept", "Accept-Charset", "User-Agent"},
		Always:    plan.FieldNames{"Accept", "User-Agent", "Host"},
		Fixed:     plan.FieldNames{"Content-Length", "Transfer-Encoding", "Upgrade"},
		Rules: plan.Rules{
			plan.SendsMethods(func(method string) bool { return method != "CONNECT" }),
			plan.ReadsURLs(plan.WellFormed),
			plan.PrintableFields,
			plan.UnicodeFields,
			groupsQuery,
			readsType,
		},
		Counts: func(method string) bool {
			return !slices.Contains([]string{"GET", "HEAD", "OPTIONS", "TRACE"}, method)
		},
		Names:     ktorName,
		EmptyHost: true,
		Digest:    true,
		Eager:     true,
		Quotes:    true,
		Unasked:   []string{"sha-256"},
		Proxies:   []string{"http"},
		Follows:   []string{"GET", "HEAD"},
		Shares:    plan.FieldNames{"Cookie", "Host"},
	},
}

// ktorName reports a name that Ktor takes: checkHeaderName() in HttpHeaders.kt looks for controls,
// blanks and delimiters of ASCII alone.
func ktorName(name string) bool {
	beyond := func(r rune) rune {
		if r >= utf8.RuneSelf {
			return 'x'
		}
		return r
	}
	return utf8.ValidString(name) && plan.IsToken(strings.Map(beyond, name))
}

func writeKtor(p *plan.Program) {
	clients, trusts := make(map[string]string), make(map[string]string)
	sections := p.Sections(kotlin.depth(p), func(c *plan.Call, suffix string) {
		r := ktorCall{jvmCall: jvmCall{p: p, c: c, jvm: &kotlin, suffix: suffix, clients: clients}, trusts: trusts}
		r.computes()
		r.write()
		if c == p.Calls[len(p.Calls)-1] && !p.Options.Bare {
			for _, one := range slices.Sorted(maps.Values(clients)) {
				r.do(one, ".close()")
			}
		}
	})
	suspends := kotlin
	suspends.open = []string{"suspend fun main() {"}
	suspends.frame(p, sections, nil)
}

// A ktorCall writes one call with Ktor.
type ktorCall struct {
	jvmCall
	trusts map[string]string // the variables of trust managers, by the files of certificates
	lines  []emit.Node       // of the function that builds the request
}

// use imports the names of a package of Ktor, as its documentation does.
func (r *ktorCall) use(name string) { r.p.Use("io.ktor." + name + ".*") }

// add adds a call to the function that builds the request.
func (r *ktorCall) add(function string, arguments ...emit.Node) {
	r.lines = append(r.lines, method(function, arguments...))
}

func (r *ktorCall) write() {
	for _, name := range []string{"client", "client.engine.cio", "client.request", "client.statement"} {
		r.use(name)
	}
	client, url := r.client(), r.urlText(r.c.URLText.Escaped(func(byte) bool { return false }))
	function := strings.ToLower(r.c.Method)
	if !slices.Contains([]string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}, r.c.Method) {
		function = "request"
		r.use("http")
		r.lines = append(r.lines, emit.Leaf("method = HttpMethod("+r.Literal(r.c.Method)+")"))
	}
	if path := r.c.UnixSocket(); len(path) > 0 {
		r.add("unixSocket", emit.Leaf(r.text(path)))
	}
	content := r.content()
	r.fields()
	r.lines = append(r.lines, content...)
	start := r.let + "response" + r.suffix + " = "
	if r.c.Unread(r.p.Options) {
		start = ""
	}
	call := method(client+"."+function, emit.Leaf(url))
	if len(r.lines) == 0 {
		r.p.Node(start, call, "")
	} else {
		r.p.Node(start, call, " {")
		r.p.Level++
		for _, one := range r.lines {
			r.p.Node("", one, "")
		}
		r.p.Level--
		r.p.Line("}")
	}
	r.result("response" + r.suffix)
}

// client returns the variable of the client, after the statements that make it, unless one
// before is the same.
func (r *ktorCall) client() string {
	lines := r.settings()
	key, name := strings.Join(lines, "\n"), "client"+r.suffix
	if before, ok := r.clients[key]; ok {
		return before
	}
	r.clients[key] = name
	made := r.let + name + " = HttpClient(CIO)"
	if len(lines) == 0 {
		lines = []string{made}
	} else {
		lines = r.block(made, lines...)
	}
	for _, line := range lines {
		r.p.Line(line)
	}
	return name
}

// block returns the lines of a function that sets something, or nothing where it is empty.
func (r *ktorCall) block(head string, lines ...string) []string {
	if len(lines) == 0 {
		return nil
	}
	out := []string{head + " {"}
	for _, line := range lines {
		out = append(out, r.p.Indent+line)
	}
	return append(out, "}")
}

// install returns the lines that install a plugin of a package, set up by lines.
func (r *ktorCall) install(in, plugin string, lines ...string) []string {
	r.use("client.plugins" + in)
	return r.block("install("+plugin+")", lines...)
}

// settings returns the lines that set up the client, after statements that they need.
func (r *ktorCall) settings() (lines []string) {
	add := func(asked bool, more ...string) {
		if asked {
			lines = append(lines, more...)
		}
	}
	add(r.c.Stops(), "followRedirects = false")
	add(!r.p.Exact() && !r.c.ReadsErrors() && r.c.Fail(), "expectSuccess = true")
	add(true, r.block("engine", r.engine()...)...)
	if r.c.Follow() && r.c.LimitsRedirects() {
		add(true, r.install("", "HttpSend", "maxSendCount = "+emit.Itoa(int(min(r.c.RedirectLimit(), math.MaxInt32-1)+1)))...)
	}
	if r.c.Follow() && r.p.Exact() {
		add(true, r.install("", "HttpRedirect", "allowHttpsDowngrade = true")...)
	}
	var limits []string
	if limit := r.c.Timeout(); limit > 0 {
		limits = append(limits, "requestTimeoutMillis = "+emit.Milliseconds(limit))
	}
	if limit := r.c.ConnectTimeout(); limit > 0 {
		limits = append(limits, "connectTimeoutMillis = "+emit.Milliseconds(limit))
	}
	if limits != nil {
		add(true, r.install("", "HttpTimeout", limits...)...)
	}
	if n := r.c.Retries(); n > 0 {
		add(true, r.install("", "HttpRequestRetry",
			"val transientErrors = "+r.listOf(plan.RetryStatuses),
			"retryIf("+emit.Itoa(int(n))+") { _, response -> response.status.value in transientErrors }",
			"retryOnExceptionIf { _, _ -> false }", "exponentialDelay()")...)
	}
	if r.c.Compressed() {
		add(true, r.install(".compression", "ContentEncoding", "gzip()", "deflate()")...)
	}
	if d := r.c.Digest; d != nil {
		if r.c.Follow() && !r.c.Trusted() {
			r.p.Differs("answers for Digest to every host that it is redirected to")
		}
		r.use("client.plugins.auth.providers")
		credentials := "credentials { DigestAuthCredentials(" + r.text(d.User) + ", " + r.text(d.Password) + ") }"
		add(true, r.install(".auth", "Auth", r.block("digest", credentials)...)...)
	}
	if jar := r.c.Jar(); jar != nil {
		if f := r.c.Field("Cookie"); f != nil {
			r.p.RefuseAt(f.At, "keeps these cookies with those of responses")
		}
		name := jar.Named("cookies")
		if r.c.Opens() {
			r.do(r.let, name, " = AcceptAllCookiesStorage()")
		}
		add(true, r.install(".cookies", "HttpCookies", "storage = "+name)...)
	}
	return lines
}

// engine returns the lines that set up the engine, after statements that they need.
func (r *ktorCall) engine() (lines []string) {
	if r.p.Exact() {
		lines = append(lines, "requestTimeout = 0 // the default is 15 seconds")
	}
	if r.c.ProxyScheme() != "" {
		r.use("client.engine")
		address, _, _ := r.c.ProxyParts()
		lines = append(lines, "proxy = ProxyBuilder.http("+r.text(address)+")")
	}
	file := r.c.CaFile().Source()
	if r.c.Insecure() {
		file = ""
		r.p.CannotAt(r.c.Place("insecure"), "checks with -k, too, whether a certificate names the host", "curl does not")
	} else if file == "" {
		return lines
	}
	if _, known := r.trusts[file]; !known && file != "" {
		r.trusts[file] = r.trustFile() + ".trustManagers.first()"
	} else if !known {
		r.trusts[file] = r.trustAll(false)
	}
	return append(lines, r.block("https", "trustManager = "+r.trusts[file])...)
}

// fields adds the calls that set the fields.
func (r *ktorCall) fields() {
	for _, f := range r.c.Joined() {
		switch basic := f.Derived() && f.Is("Authorization"); {
		case basic && r.c.Basic.IsText():
			r.add("basicAuth", emit.Leaf(r.text(r.c.Basic.User)), emit.Leaf(r.text(r.c.Basic.Password)))
		case f.Is("Authorization") && plan.IsBearer(f.Value):
			r.add("bearerAuth", emit.Leaf(r.text(f.Value.Cut(len("Bearer "), len(f.Value.Source())))))
		case basic || !f.Derived():
			r.add("header", emit.Leaf(r.Literal(f.Name)), emit.Leaf(r.fieldValue(&f)))
		}
	}
	if value := r.proxyAuthorization(); value != "" {
		r.add("header", emit.Leaf(r.Literal("Proxy-Authorization")), emit.Leaf(value))
	}
}
