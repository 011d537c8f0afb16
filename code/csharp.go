package code

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/source/quote"
	"uncoil/request"
)

// What HttpClient of .NET 8 and later does by itself, measured on the wire with
// .NET 9: it adds no fields; joins fields of one name by a comma; keeps the
// fields of the content apart from those of the request; spells escapes of a URL anew
// and takes dot segments out, unless its Uri was made without that; sends a Cookie
// field only without its own cookies; follows redirects unless told not to, then
// without Authorization, even to the same host, and with Cookie and Host to any
// other: where a command has these, the program follows redirects itself.
var csharpHTTPClient = Target{
	Name: "csharp", Language: "csharp", Client: "HttpClient", Version: ".NET 8", Kind: Code, Extension: "cs",
	Aliases: []string{"c#", "cs", "dotnet", "csharp-httpclient"}, Proven: true,
	style: style{indent: "    ", comment: "// ", wraps: "="}, write: writeCSharp,
	client: client{
		specified: true,
		methods:   csharpMethod,
		hosts:     csharpHost,
		digest:    true,
		quotes:    true,
		eager:     true,
		fixed:     fieldNames{"Content-Length"},
		counts:    enclosing,
		says: []string{"createDirs", "cookieEngine", "followRedirects", "maxRedirects", "maxTime", "connectTimeout", "retry", "insecure", "cacert", "cert", "keyPassword", "tlsMin", "tlsMax",
			"unixSocket", "resolve", "connectTo"},
		proxies:  csharpProxies,
		versions: []string{"1.0", "1.1", "2", "2-prior-knowledge"},
		shares:   fieldNames{"Cookie", "Host"},
		drops:    fieldNames{"Authorization"},
		loops:    csharpLoops,
		stuck:    func(c *call) bool { return c.takesInput() && c.body.kind != pieceBody }, // which is read before
	},
}

// csharpLoops reports whether the program has to follow redirects itself, because the
// class sends fields to other servers than curl does.
func csharpLoops(c *call) bool {
	secret := c.guarded() || c.trusted && c.field("Authorization") != nil
	return secret && c.follow && c.maxRedirects != 0 && c.retries == 0 && c.digest == nil && !c.takesInput()
}

// csharpProxies are those of .NET, which leaves names to a SOCKS5 proxy.
var csharpProxies = []string{"http", "https", "socks4", "socks4a", "socks5", "socks5h"}

func writeCSharp(p *program) {
	writeCSharpCalls(p, func(r csharpRequest) { r.write() })
}

// writeCSharpCalls writes a program whose calls write writes.
func writeCSharpCalls(p *program, write func(csharpRequest)) {
	sections := p.sections(0, func(c *call, suffix string) {
		write(csharpRequest{p: p, c: c, suffix: suffix, encoding: csharpEncoding(c)})
	})
	if !p.options.Bare && len(p.imports) > 0 {
		for _, name := range p.imports {
			p.line("using ", name, ";")
		}
		p.line()
	}
	p.join(sections)
}

// csharpString returns a literal, which C# 7 has too, for snippets are pasted into
// projects of Unity and mono: a verbatim one for several lines and for backslashes.
func csharpString(s string) string {
	switch {
	case standsForItself(s, '"', ""):
		return `"` + s + `"`
	case csharpVerbatim(s):
		return `@"` + strings.ReplaceAll(s, `"`, `""`) + `"`
	}
	return csharpQuoted(s)
}

// csharpQuoted returns a literal with escapes.
func csharpQuoted(s string) string {
	s = quoted(s, "", func(b []byte, s string) []byte {
		r, n := utf8.DecodeRuneInString(s)
		if n == 1 { // a byte that is not UTF-8 stands for itself
			r = rune(s[0])
		}
		return appendCodeUnit(b, r)
	})
	for _, r := range [...]string{"\u0085", "\u2028", "\u2029"} { // they end a line
		if strings.Contains(s, r) {
			s = strings.ReplaceAll(s, r, string(appendCodeUnit(nil, []rune(r)[0])))
		}
	}
	return s
}

// csharpVerbatim reports whether a text is better read as a verbatim literal, and
// can be one.
func csharpVerbatim(s string) bool {
	odd := func(r rune) bool {
		return r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r <= 0x9f || r == '\u2028' || r == '\u2029' || r == utf8.RuneError || quote.Turns(r)
	}
	if strings.ContainsFunc(s, odd) || strings.TrimSpace(s) == "" {
		return false
	}
	if strings.Contains(s, "\n") {
		return hasLines(s)
	}
	return strings.Contains(s, `\`) && !strings.Contains(s, `"`)
}

// doubledBraces escapes a literal of an interpolated string.
var doubledBraces = strings.NewReplacer("{", "{{", "}", "}}")

// csharpText returns an expression for a string with its variables.
func csharpText(p *program, t text) string {
	if s, ok := t.plain(); ok {
		return csharpString(s)
	}
	if len(t) == 1 {
		return csharpVariable(p, t[0].variable)
	}
	var shape strings.Builder // with a letter for each variable
	for i := range t {
		shape.WriteString(t[i].literal)
		if t[i].variable != nil {
			shape.WriteByte('x')
		}
	}
	verbatim := csharpVerbatim(shape.String()) && (hasLines(t.literals()) || !strings.Contains(shape.String(), "\n"))
	if !verbatim && strings.ContainsAny(shape.String(), `"{}`) { // clearer than with these doubled or escaped
		parts := make([]string, 0, 2*len(t))
		for i := range t {
			if t[i].literal != "" {
				parts = append(parts, csharpQuoted(t[i].literal))
			}
			if t[i].variable != nil {
				parts = append(parts, csharpVariable(p, t[i].variable))
			}
		}
		return strings.Join(parts, " + ")
	}
	var b strings.Builder
	for i := range t {
		literal := doubledBraces.Replace(t[i].literal)
		switch {
		case t[i].variable != nil:
			b.WriteString("{" + csharpVariable(p, t[i].variable) + "}")
		case verbatim:
			b.WriteString(strings.ReplaceAll(literal, `"`, `""`))
		default:
			literal = csharpQuoted(literal)
			b.WriteString(literal[1 : len(literal)-1])
		}
	}
	if verbatim {
		return `$@"` + b.String() + `"`
	}
	return `$"` + b.String() + `"`
}

func csharpVariable(p *program, v *request.Variable) string {
	expr := "Environment.GetEnvironmentVariable(" + csharpString(v.Name) + ")"
	sure := "(" + expr + ` ?? "")`
	if v.HasDefault {
		expr = "(" + expr + " ?? " + csharpQuoted(v.Default) + ")"
		sure = expr
	}
	switch v.Encoding {
	case userPart:
		return sure + ".Split(':', 2)[0]"
	case passwordPart:
		return sure + ".Split(':', 2)[1]"
	case lastSegment:
		return "Path.GetFileName(" + expr + ")"
	case request.Percent:
		return "Uri.EscapeDataString(" + sure + ")"
	case request.FormEncode:
		return "Uri.EscapeDataString(" + sure + `).Replace("%20", "+")`
	case request.JSONEscape:
		p.use("System.Text.Json")
		return "JsonEncodedText.Encode(" + sure + ").ToString()"
	}
	return expr
}

// A csharpRequest writes one call with HttpClient.
type csharpRequest struct {
	p      *program
	c      *call
	suffix string
	parts  int // that have a variable
	files  int

	encoding  string       // of fields that are not ASCII; "" where all are
	proxyUser *credentials // that a field gives to the proxy

	asURI  bool   // the variable of the URL is a Uri
	origin string // in a loop, the server of the URL, where some fields are for the first one only
	sheds  bool   // a redirect may take away the content
}

func (r *csharpRequest) text(t text) string { return csharpText(r.p, t) }

// sure is text, for arguments that are not null: a variable that is not set is
// empty, as it is for a shell.
func (r *csharpRequest) sure(t text) string {
	expr := r.text(t)
	if len(t) == 1 && strings.HasPrefix(expr, "Environment.") {
		return expr + ` ?? ""`
	}
	return expr
}

// name returns a variable of this call.
func (r *csharpRequest) name(s string) string { return s + r.suffix }

// nth returns the name of the next variable of a kind. In a program of several
// requests, part2 is the first of the second request.
func (r *csharpRequest) nth(s string, n *int) string {
	between := ""
	if len(r.p.calls) > 1 {
		between = "_"
	}
	return nth(r.name(s), between, n)
}

// argument returns an expression for a text, or a variable for one that would
// be hard to read inside of a longer statement.
func (r *csharpRequest) argument(t text, variable string) string {
	s := r.sure(t)
	if !strings.ContainsAny(s, ";\n") {
		return s
	}
	r.p.line("var ", r.name(variable), " = ", s, ";")
	return r.name(variable)
}

var csharpMethods = []string{"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"}

// csharpMethod is the rule for methods: those that .NET knows, QUERY since
// .NET 10, go out in capitals, and CONNECT asks for a tunnel.
func csharpMethod(method string) bool {
	upper := strings.ToUpper(method)
	known := slices.Contains(csharpMethods, upper) || upper == "QUERY" || upper == "CONNECT"
	return !known || method == upper && method != "CONNECT"
}

func (r *csharpRequest) write() {
	r.client()
	method := "new HttpMethod(" + csharpString(r.c.Method) + ")"
	if slices.Contains(csharpMethods, r.c.Method) {
		method = "HttpMethod." + r.c.Method[:1] + strings.ToLower(r.c.Method[1:])
	}
	streamed := ""
	if r.c.destination(r.p.options) == toFile && r.c.timeout == 0 { // the time limit ends with the fields
		streamed = ", HttpCompletionOption.ResponseHeadersRead"
	}
	switch {
	case csharpLoops(r.c):
		r.loop(method, streamed)
	case r.c.retries > 0:
		r.again(method, streamed)
	default:
		r.exchange("using var ", method, r.uri(), streamed)
	}
	r.result()
}

// again writes the exchange again and again while the status asks for another try, as
// curl does: curl 8.22 src/tool_operate.c.
func (r *csharpRequest) again(method, streamed string) {
	uri, response := r.uri(), r.name("response")
	r.p.line("HttpResponseMessage ", response, ";")
	r.p.line("for (var attempt = 0; ; attempt++)")
	r.block(func() {
		r.exchange("", method, uri, streamed)
		r.p.line("var transient = new[] { ", retryStatuses, " }.Contains((int)", response, ".StatusCode);")
		r.p.line("if (!transient || attempt == ", strconv.FormatInt(r.c.retries, 10), ")")
		r.block(func() { r.p.line("break;") })
		r.p.line("await Task.Delay(TimeSpan.FromSeconds(1 << attempt));")
	})
}

// exchange writes the statements that make the request and send it.
func (r *csharpRequest) exchange(declaration, method, url, streamed string) {
	r.p.call("using var "+r.name("request")+" = ", "new HttpRequestMessage", method, url)
	r.version()
	r.headers()
	r.content()
	if r.sheds {
		r.p.line("if (!", r.name("content"), ")")
		r.block(func() { r.p.line(r.name("request"), ".Content = null;") })
	}
	r.p.line()
	r.p.line(declaration, r.name("response"), " = await ", r.name("client"), ".SendAsync(", r.name("request"), streamed, ");")
}

// loop writes the exchange again and again while the response is a redirect.
func (r *csharpRequest) loop(method, streamed string) {
	uri, response := r.name("uri"), r.name("response")
	if url := r.uri(); url == r.name("url") && r.asURI {
		uri = url
	} else {
		r.p.line("var ", uri, " = new Uri(", url, ");")
	}
	if r.c.guarded() {
		r.origin = uri + `.Scheme + "://" + ` + uri + ".Authority"
		r.p.line("var ", r.name("origin"), " = ", r.origin, ";")
	}
	statuses := r.c.emptying()
	if r.sheds = len(statuses) > 0; r.sheds {
		r.p.line("var ", r.name("content"), " = true;")
		if !r.c.keepsMethod {
			method = r.name("content") + " ? " + method + " : HttpMethod.Get"
		}
	}
	r.p.line("HttpResponseMessage ", response, ";")
	r.p.line("for (var redirects = 0; ; redirects++)")
	r.block(func() {
		r.exchange("", method, uri, streamed)
		r.p.line("var status = (int)", response, ".StatusCode;")
		r.p.line("if (status < 300 || status > 399 || ", response, ".Headers.Location == null)")
		r.block(func() { r.p.line("break;") })
		if limit := r.c.maxRedirects; limit >= 0 {
			r.p.line("if (redirects == ", itoa(int(limit)), ")")
			r.block(func() { r.p.line(`throw new HttpRequestException("too many redirects");`) })
		}
		r.p.line(uri, " = new Uri(", uri, ", ", response, ".Headers.Location);")
		if r.sheds {
			r.p.line(r.name("content"), " &= status != ", strings.Join(statuses, " && status != "), ";")
		}
	})
}

// block writes statements in braces on lines of their own.
func (r *csharpRequest) block(write func()) {
	r.p.line("{")
	r.p.level++
	write()
	r.p.level--
	r.p.line("}")
}

// url returns an expression for the URL, and writes the statements that it needs.
func (r *csharpRequest) url() string {
	url := r.argument(r.c.url, "url")
	if r.c.guess {
		if url != r.name("url") {
			r.p.line("var ", r.name("url"), " = ", r.sure(r.c.url), ";")
		}
		url = r.name("url")
		r.p.line("if (!", url, `.Contains("://"))`)
		r.p.line("{")
		r.p.line(r.p.indent, url, ` = $"http://{`, url, "}\"; // as curl does")
		r.p.line("}")
	}
	return url
}

// version writes the statements for a version of HTTP.
func (r *csharpRequest) version() {
	version, prior := strings.CutSuffix(r.c.httpVersion, "-prior-knowledge")
	if version != "1.0" && version != "2" {
		return
	}
	r.p.use("System.Net")
	request := r.name("request")
	r.p.line(request, ".Version = HttpVersion.Version", strings.ReplaceAll(strings.TrimSuffix(version, ".0"), ".", ""), "0;")
	if prior {
		r.p.line(request, ".VersionPolicy = HttpVersionPolicy.RequestVersionExact;")
	}
}

// uri is url, and has the class keep the path and the query as they are where it
// would ask for something else. Escapes that only spell the same otherwise need none of that.
func (r *csharpRequest) uri() string {
	source := r.c.url.literals()
	start, authority, _ := strings.Cut(source, "://")
	path, _, _ := strings.Cut(source[min(len(start)+len("://"), len(source)):], "?")
	backslash := strings.Contains(path, "\\")
	if wellFormed(source) && !dotSegments(source) && !backslash {
		return r.url()
	}
	slash := strings.IndexAny(authority, "/?")
	if !r.c.url.isASCII() || r.c.url[0].variable != nil || slash < 0 || authority[slash] == '?' {
		switch {
		case !wellFormed(source):
			r.p.refuse("reads no URL with a malformed percent-encoding as it is")
		case backslash:
			r.p.refuse("sends no backslash in a path")
		default:
			r.p.refuse("removes dot segments from paths")
		}
		return r.url()
	}
	r.p.node("var "+r.name("url")+" = ", group("new Uri", "(", []node{
		leaf(r.text(r.c.url)), leaf("new UriCreationOptions { DangerousDisablePathAndQueryCanonicalization = true }"),
	}, ")"), ";")
	r.asURI = true
	return r.name("url")
}

// csharpObject writes a statement that makes an object with members: on one line where
// it fits, and else a member on each line between braces on lines of their own.
func (p *program) csharpObject(before, head string, items []node, after string) {
	if len(items) == 0 {
		if !strings.HasSuffix(head, ")") {
			head += "()"
		}
		p.line(before, head, after)
		return
	}
	if n := csharpObject(before+head, items); p.fits(n.width + len(after)) {
		p.node("", n, after)
		return
	}
	p.line(before, head)
	p.line("{")
	p.level++
	for i, item := range items {
		if i+1 < len(items) {
			p.node("", item, ",")
		} else {
			p.node("", item, "")
		}
	}
	p.level--
	p.line("}", after)
}

// csharpObject returns an expression that makes an object with members.
func csharpObject(head string, items []node) node {
	n := group(head+" ", "{", items, "}")
	n.pad, n.width = true, n.width+2
	return n
}

// csharpContentFields are the fields that belong to the content.
var csharpContentFields = []string{"allow", "content-disposition", "content-encoding", "content-language", "content-location", "content-md5",
	"content-range", "content-type", "expires", "last-modified"}

func csharpOfContent(name string) bool {
	return slices.Contains(csharpContentFields, strings.ToLower(name))
}

// basic writes the statements for credentials in a field.
func (r *csharpRequest) basic(variable, name string, c *credentials) {
	r.p.use("System.Net.Http.Headers")
	variable = r.name(variable)
	r.p.call("var "+variable+" = ", "Convert.ToBase64String", r.bytes(c.joined()))
	r.p.line(r.name("request"), ".Headers.", name, ` = new AuthenticationHeaderValue("Basic", `, variable, ");")
}

func (r *csharpRequest) headers() {
	headers := r.name("request") + ".Headers"
	if r.proxyUser != nil {
		r.basic("proxyCredentials", "ProxyAuthorization", r.proxyUser)
	}
	fields := slices.DeleteFunc(slices.Clone(r.c.joined()), func(f field) bool {
		implied := f.is("Accept-Encoding") && f.value.source() == "gzip, deflate" && r.c.compressed // what decompression asks for
		return csharpOfContent(f.name) || implied || f.derived && !f.is("Authorization")
	})
	for len(fields) > 0 {
		first := func(f field) bool { return r.origin != "" && f.guarded() }
		guarded := first(fields[0])
		end := slices.IndexFunc(fields, func(f field) bool { return first(f) != guarded })
		if end < 0 {
			end = len(fields)
		}
		write := func() {
			for i := range fields[:end] {
				r.header(headers, &fields[i])
			}
		}
		if guarded {
			r.p.line("if (", r.origin, " == ", r.name("origin"), ")")
			r.block(write)
		} else {
			write()
		}
		fields = fields[end:]
	}
}

// header writes the statement for a field.
func (r *csharpRequest) header(headers string, f *field) {
	source := f.value.source()
	switch {
	case f.derived:
		r.basic("credentials", "Authorization", r.c.basic)
	case f.is("Authorization") && strings.HasPrefix(source, "Bearer ") && isVisible(source) && !strings.ContainsAny(source[len("Bearer "):], " ,="):
		r.p.use("System.Net.Http.Headers")
		r.p.call(headers+".Authorization = ", "new AuthenticationHeaderValue", `"Bearer"`, r.text(f.value.cut(len("Bearer "), len(source))))
	case f.is("Host"):
		r.p.line(headers, ".Host = ", r.field(f), ";")
	case f.is("Transfer-Encoding") && onlyChunks(source):
		if r.c.body.kind == noBody {
			r.p.refuse("sends no chunks without content")
		}
		r.p.line(headers, ".TransferEncodingChunked = true;")
	case csharpValidates(f):
		r.p.call("", headers+".TryAddWithoutValidation", csharpString(f.name), r.field(f))
	default:
		r.p.call("", headers+".Add", csharpString(f.name), r.field(f))
	}
}

// csharpHost reports whether the class takes the literal parts of a host.
func csharpHost(s string) bool {
	host, port := cutHost(s)
	for i := range len(port) {
		if port[i] < '0' || port[i] > '9' {
			return false
		}
	}
	return strings.HasPrefix(s, "[") || !strings.ContainsFunc(host, func(r rune) bool {
		return r >= 0x80 || !ascii.IsNameByte(byte(r)) && r != '-' && r != '.'
	})
}

// csharpParsed are the fields whose values the class reads, and writes anew or
// rejects, when it adds them with validation.
var csharpParsed = []string{"accept", "accept-charset", "accept-encoding", "accept-language", "authorization", "cache-control", "connection", "date",
	"expect", "from", "if-match", "if-modified-since", "if-none-match", "if-range", "if-unmodified-since", "max-forwards", "pragma",
	"proxy-authorization", "proxy-connection", "range", "referer", "te", "trailer", "transfer-encoding", "upgrade", "user-agent", "via", "warning"}

// csharpValidates reports whether the class reads the value of a field and may
// write another one: all but a token, or a type of content or a product.
func csharpValidates(f *field) bool {
	if !slices.Contains(csharpParsed, strings.ToLower(f.name)) {
		return false
	}
	s, known := f.value.plain()
	if !known {
		return true
	}
	first, second, slash := strings.Cut(s, "/")
	switch {
	case f.is("Accept"):
		return !isToken(first) || !isToken(second)
	case f.is("User-Agent"):
		return !isToken(first) || slash && !isToken(second)
	case f.is("Accept-Charset"), f.is("Accept-Encoding"), f.is("Accept-Language"), f.is("Cache-Control"), f.is("Pragma"):
		return !isToken(s)
	}
	return true
}

// result writes what is done with the response.
func (r *csharpRequest) result() {
	response := r.name("response")
	if r.c.fail {
		if r.c.follow {
			r.p.line(response, ".EnsureSuccessStatusCode();")
		} else { // a redirect is no failure
			r.p.line("if ((int)", response, ".StatusCode >= 400)")
			r.block(func() { r.p.line(response, ".EnsureSuccessStatusCode();") })
		}
	}
	switch r.c.destination(r.p.options) {
	case toFile:
		if folder := r.c.folder(); folder != nil {
			r.p.line("Directory.CreateDirectory(", r.argument(folder, "folder"), ");")
		}
		output := r.name("output")
		create, copying := "var "+output+" = File.Create("+r.argument(r.c.output, "path")+")", "await "+response+".Content.CopyToAsync("+output+");"
		if len(r.p.calls) > 1 { // another request may write to the same file
			r.p.line("using (", create, ")")
			r.block(func() { r.p.line(copying) })
		} else {
			r.p.line("using ", create, ";")
			r.p.line(copying)
		}
	case headersPrinted:
		r.p.line("Console.Write(", response, ".Headers);")
	case contentPrinted:
		r.p.line("Console.WriteLine(await ", response, ".Content.ReadAsStringAsync());")
	}
}
