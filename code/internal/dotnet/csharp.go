package dotnet

import (
	"slices"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/urlparts"
)

// What HttpClient of .NET 8 and later does by itself, measured on the wire with
// .NET 9: it adds no fields; joins fields of one name by a comma; keeps the
// fields of the content apart from those of the request; spells escapes of a URL anew
// and takes dot segments out, unless its Uri was made without that; sends a Cookie
// field only without its own cookies; follows redirects unless told not to, then
// without Authorization, even to the same host, and with Cookie and Host to any
// other: where a command has these, the program follows redirects itself.
var CSharp = plan.Target{
	Name: "csharp", Convention: &csharpConvention, Client: "HttpClient", Version: ".NET 8", Kind: plan.Code, Extension: "cs",
	Aliases: []string{"c#", "cs", "dotnet", "csharp-httpclient"}, Proven: true,
	Style: emit.Style{Indent: "    ", Comment: "// ", Wraps: "="}, Write: writeCSharp, Takes: csharpTakes, Heads: true, Tries: csharpTries,
	Functions: true, Decodes: true,
	Facts:    csharpFacts,
	Variants: []plan.Variant{{Switch: CSharp7, Facts: csharp7(csharpFacts), Packages: csharp7Packages}},
}

var csharpFacts = plan.Client{
	Breaks:    true,
	Specified: plan.BySetting,
	Rules:     plan.Rules{plan.SendsMethods(csharpSends), plan.SendsHosts(csharpHost)},
	Digest:    true,
	Auths:     []string{"ntlm", "negotiate"},
	Quotes:    true,
	Eager:     true,
	Fixed:     plan.FieldNames{"Content-Length"},
	Counts:    plan.Enclosing,
	Proxies:   csharpProxies,
	Versions:  []string{"1.0", "1.1", "2", "2-prior-knowledge"},
	Shares:    plan.FieldNames{"Cookie", "Host"},
	Drops:     plan.FieldNames{"Authorization"},
	Loops:     csharpLoops,
	Stuck:     csharpStuck,
	After:     []string{"cookies"}, // in idiomatic style
}

// csharpStuck reports content that is read while it is sent: pieces are read before.
func csharpStuck(c *plan.Call) bool { return c.TakesInput() && c.Content.Kind != plan.PieceBody }

// csharpLoops reports whether the program has to follow redirects itself, because the
// class sends fields to other servers than curl does.
func csharpLoops(c *plan.Call) bool {
	secret := c.Guarded() || c.Asked.Trusted && c.Field("Authorization") != nil
	return (c.Exact() || c.Field("Cookie") != nil) && secret && c.Follow() && c.MaxRedirects() != 0 && c.Retries() == 0 && c.Digest == nil && c.Negotiated == nil && !c.TakesInput()
}

// csharpProxies are those of .NET, which leaves names to a SOCKS5 proxy.
var csharpProxies = []string{"http", "https", "socks4", "socks4a", "socks5", "socks5h"}

func writeCSharp(p *plan.Program) {
	writeCSharpCalls(p, func(r *csharpRequest) {
		r.computes()
		r.write()
	})
}

// writeCSharpCalls writes a program whose calls write writes.
func writeCSharpCalls(p *plan.Program, write func(*csharpRequest)) {
	clients := map[string]string{}
	sections := p.Sections(csharpDepth(p), func(c *plan.Call, suffix string) {
		known := clients
		if c.Caught() || c.After() { // its client stands in a block of its own
			known = map[string]string{}
		}
		r := &csharpRequest{p: p, c: c, suffix: suffix, encoding: csharpEncoding(c), clients: known, http: "client" + suffix}
		r.scope(func() { write(r) })
	})
	csharpHead(p)
	csharpBody(p, sections)
}

// A csharpRequest writes one call with HttpClient.
type csharpRequest struct {
	p      *plan.Program
	c      *plan.Call
	suffix string
	parts  int // that have a variable
	files  int

	encoding  string            // of fields that are not ASCII; "" where all are
	proxyUser *plan.Credentials // that a field gives to the proxy

	asURI   bool              // the variable of the URL is a Uri
	origin  string            // in a loop, the server of the URL, where some fields are for the first one only
	sheds   bool              // a redirect may take away the content
	blocks  int               // of using, in C# 7, that are open
	brace   int               // where the last of them begins, and
	inside  int               // the statements in it
	http    string            // the variable of the client
	clients map[string]string // those that share cookies, by how they are made
}

func (r *csharpRequest) text(t plan.Text) string { return csharpText(r.p, t) }

// sure is text, for arguments that are not null: a variable that is not set is
// empty, as it is for a shell.
func (r *csharpRequest) sure(t plan.Text) string {
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
	if len(r.p.Calls) > 1 {
		between = "_"
	}
	return plan.Nth(r.name(s), between, n)
}

// argument returns an expression for a text, or a variable for one that would
// be hard to read inside of a longer statement.
func (r *csharpRequest) argument(t plan.Text, variable string) string {
	s := r.sure(t)
	if !strings.ContainsAny(s, ";\n") {
		return s
	}
	r.p.Line("var ", r.name(variable), " = ", s, ";")
	return r.name(variable)
}

var csharpMethods = []string{"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"}

// csharpSends is the rule for methods: those that .NET knows, QUERY since
// .NET 10, go out in capitals, and CONNECT asks for a tunnel.
func csharpSends(method string) bool {
	upper := strings.ToUpper(method)
	known := slices.Contains(csharpMethods, upper) || upper == "QUERY" || upper == "CONNECT"
	return !known || method == upper && method != "CONNECT"
}

func (r *csharpRequest) write() {
	r.client()
	r.p.Use("System.Net.Http")
	method := "new HttpMethod(" + CsharpString(r.c.Method) + ")"
	if slices.Contains(csharpMethods, r.c.Method) && !(isOld(r.p) && r.c.Method == "PATCH") {
		method = "HttpMethod." + r.c.Method[:1] + strings.ToLower(r.c.Method[1:])
	}
	streamed := ""
	if (r.c.Destination(r.p.Options) == plan.ToFile || r.c.Streams(r.p.Options)) && r.c.Timeout() == 0 { // the time limit ends with the fields
		streamed = ", HttpCompletionOption.ResponseHeadersRead"
	}
	switch {
	case csharpLoops(r.c):
		r.c.Does("locationTrusted")
		r.loop(method, streamed)
	case r.c.Retries() > 0:
		r.again(method, streamed)
	default:
		r.exchange(true, method, r.uri(), streamed)
	}
	r.result()
}

// exchange writes the statements that make the request and send it.
func (r *csharpRequest) exchange(declares bool, method, url, streamed string) {
	r.using(r.name("request"), emit.Group("new HttpRequestMessage", "(", []emit.Node{emit.Leaf(method), emit.Leaf(url)}, ")"))
	r.version()
	r.headers()
	if isOld(r.p) && r.p.Exact() && r.c.Content.Kind != plan.NoBody && r.c.Field("Expect") == nil {
		r.p.Line(r.name("request"), ".Headers.ExpectContinue = false;") // which .NET Framework adds
	}
	r.content()
	if r.sheds {
		r.p.Line("if (!", r.name("content"), ")")
		r.block(func() { r.p.Line(r.name("request"), ".Content = null;") })
	}
	r.gap()
	sent := "await " + r.http + ".SendAsync(" + r.name("request") + streamed + ")"
	if declares {
		r.using(r.name("response"), emit.Leaf(sent))
	} else {
		r.p.Line(r.name("response"), " = ", sent, ";")
	}
}

// loop writes the exchange again and again while the response is a redirect.
func (r *csharpRequest) loop(method, streamed string) {
	uri, response := r.name("uri"), r.name("response")
	if url := r.uri(); url == r.name("url") && r.asURI {
		uri = url
	} else {
		r.p.Line("var ", uri, " = new Uri(", url, ");")
	}
	if r.c.Guarded() {
		r.origin = uri + `.Scheme + "://" + ` + uri + ".Authority"
		r.p.Line("var ", r.name("origin"), " = ", r.origin, ";")
	}
	statuses := r.c.Emptying()
	if r.sheds = len(statuses) > 0; r.sheds {
		r.p.Line("var ", r.name("content"), " = true;")
		if !r.c.KeepsMethod() {
			method = r.name("content") + " ? " + method + " : HttpMethod.Get"
		}
	}
	r.p.Line("HttpResponseMessage ", response, ";")
	r.p.Line("for (var redirects = 0; ; redirects++)")
	r.block(func() {
		r.exchange(false, method, uri, streamed)
		r.p.Line("var status = (int)", response, ".StatusCode;")
		r.p.Line("if (status < 300 || status > 399 || ", response, ".Headers.Location == null)")
		r.block(func() { r.p.Line("break;") })
		if limit := r.c.MaxRedirects(); limit >= 0 {
			r.p.Line("if (redirects == ", emit.Itoa(int(limit)), ")")
			r.block(func() { r.p.Line(`throw new HttpRequestException("too many redirects");`) })
		}
		r.p.Line(uri, " = new Uri(", uri, ", ", response, ".Headers.Location);")
		if r.sheds {
			r.p.Line(r.name("content"), " &= status != ", strings.Join(statuses, " && status != "), ";")
		}
	})
}

// block writes statements in braces on lines of their own.
func (r *csharpRequest) block(write func()) {
	r.p.Line("{")
	r.p.Level++
	r.scope(write)
	r.p.Level--
	r.p.Line("}")
}

// url returns an expression for the URL, and writes the statements that it needs.
func (r *csharpRequest) url() string {
	url := r.argument(r.c.URLText, "url")
	if r.c.Guess {
		if url != r.name("url") {
			r.p.Line("var ", r.name("url"), " = ", r.sure(r.c.URLText), ";")
		}
		url = r.name("url")
		r.p.Line("if (!", url, `.Contains("://"))`)
		r.p.Line("{")
		r.p.Line(r.p.Indent, url, ` = $"http://{`, url, "}\"; // as curl does")
		r.p.Line("}")
	}
	return url
}

// version writes the statements for a version of HTTP.
func (r *csharpRequest) version() {
	version, prior := strings.CutSuffix(r.c.HTTPVersion(), "-prior-knowledge")
	if version != "1.0" && (version != "2" || isOld(r.p)) {
		return
	}
	r.p.Use("System.Net")
	request := r.name("request")
	r.p.Line(request, ".Version = HttpVersion.Version", strings.ReplaceAll(strings.TrimSuffix(version, ".0"), ".", ""), "0;")
	if prior {
		r.p.Line(request, ".VersionPolicy = HttpVersionPolicy.RequestVersionExact;")
	}
}

// uri is url, and has the class keep the path and the query as they are where it
// would ask for something else. Escapes that only spell the same otherwise need none of that.
func (r *csharpRequest) uri() string {
	source := r.c.URLText.Literals()
	parts := urlparts.Of(source)
	backslash := strings.Contains(source[parts.Authority:parts.Query], "\\")
	if (plan.WellFormed(source) || isOld(r.p)) && !plan.DotSegments(source) && !backslash {
		return r.url()
	}
	if isOld(r.p) || !r.c.URLText.IsASCII() || r.c.URLText[0].Variable != nil || parts.Path == parts.Query {
		switch {
		case !plan.WellFormed(source):
			r.p.Refuse("reads no URL with a malformed percent-encoding as it is")
		case backslash:
			r.p.Refuse("sends no backslash in a path")
		default:
			r.p.Refuse("removes dot segments from paths")
		}
		return r.url()
	}
	r.p.Node("var "+r.name("url")+" = ", emit.Group("new Uri", "(", []emit.Node{
		emit.Leaf(r.text(r.c.URLText)), emit.Leaf("new UriCreationOptions { DangerousDisablePathAndQueryCanonicalization = true }"),
	}, ")"), ";")
	r.asURI = true
	return r.name("url")
}

// csharpObjectOf writes a statement that makes an object with members: on one line where
// it fits, and else a member on each line between braces on lines of their own.
func csharpObjectOf(p *plan.Program, before, head string, items []emit.Node, after string) {
	if len(items) == 0 {
		if !strings.HasSuffix(head, ")") {
			head += "()"
		}
		p.Line(before, head, after)
		return
	}
	if n := csharpObject(before+head, items); p.Fits(n.Width + len(after)) {
		p.Node("", n, after)
		return
	}
	p.Line(before, head)
	p.Line("{")
	p.Level++
	for i, item := range items {
		if i+1 < len(items) {
			p.Node("", item, ",")
		} else {
			p.Node("", item, "")
		}
	}
	p.Level--
	p.Line("}", after)
}

// csharpObject returns an expression that makes an object with members.
func csharpObject(head string, items []emit.Node) emit.Node {
	return emit.Group(head+" ", "{", items, "}").Padded()
}

// csharpContentFields are the fields that belong to the content.
var csharpContentFields = []string{"allow", "content-disposition", "content-encoding", "content-language", "content-location", "content-md5",
	"content-range", "content-type", "expires", "last-modified"}

func csharpOfContent(name string) bool {
	return slices.Contains(csharpContentFields, strings.ToLower(name))
}

// basic writes the statements for credentials in a field.
func (r *csharpRequest) basic(variable, name string, c *plan.Credentials) {
	r.p.Use("System.Net.Http.Headers")
	variable = r.name(variable)
	r.p.Call("var "+variable+" = ", "Convert.ToBase64String", r.bytes(c.Joined()))
	r.p.Line(r.name("request"), ".Headers.", name, ` = new AuthenticationHeaderValue("Basic", `, variable, ");")
}

func (r *csharpRequest) headers() {
	headers := r.name("request") + ".Headers"
	if r.proxyUser != nil {
		r.basic("proxyCredentials", "ProxyAuthorization", r.proxyUser)
	}
	fields := slices.DeleteFunc(slices.Clone(r.c.JoinGiven()), func(f plan.Field) bool {
		implied := f.Is("Accept-Encoding") && r.impliesCodings(f.Value.Source()) && r.c.Compressed() // what decompression asks for
		return csharpOfContent(f.Name) || implied || f.Derived() && !f.Is("Authorization")
	})
	for len(fields) > 0 {
		first := func(f plan.Field) bool { return r.origin != "" && f.Guarded() }
		guarded := first(fields[0])
		end := slices.IndexFunc(fields, func(f plan.Field) bool { return first(f) != guarded })
		if end < 0 {
			end = len(fields)
		}
		write := func() {
			for i := range fields[:end] {
				r.header(headers, &fields[i])
			}
		}
		if guarded {
			r.p.Line("if (", r.origin, " == ", r.name("origin"), ")")
			r.block(write)
		} else {
			write()
		}
		fields = fields[end:]
	}
}

// header writes the statement for a field.
func (r *csharpRequest) header(headers string, f *plan.Field) {
	source := f.Value.Source()
	r.checkValue(f)
	switch {
	case f.Derived():
		r.basic("credentials", "Authorization", r.c.Basic)
	case f.Is("Authorization") && strings.HasPrefix(source, "Bearer ") && plan.IsVisible(source) && !strings.ContainsAny(source[len("Bearer "):], " ,="):
		r.p.Use("System.Net.Http.Headers")
		r.p.Call(headers+".Authorization = ", "new AuthenticationHeaderValue", `"Bearer"`, r.text(f.Value.Cut(len("Bearer "), len(source))))
	case f.Is("Host"):
		r.p.Line(headers, ".Host = ", r.field(f), ";")
	case f.Is("Transfer-Encoding") && plan.OnlyChunks(source):
		if r.c.Content.Kind == plan.NoBody {
			r.p.Refuse("sends no chunks without content")
		}
		r.p.Line(headers, ".TransferEncodingChunked = true;")
	case csharpValidates(f):
		r.p.Call("", headers+".TryAddWithoutValidation", CsharpString(f.Name), r.field(f))
	default:
		r.p.Call("", headers+".Add", CsharpString(f.Name), r.field(f))
	}
}

// csharpHost reports whether the class takes the literal parts of a host.
func csharpHost(s string) bool {
	host, port := urlparts.CutHost(s)
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
func csharpValidates(f *plan.Field) bool {
	if !slices.Contains(csharpParsed, strings.ToLower(f.Name)) {
		return false
	}
	s, known := f.Value.Plain()
	if !known {
		return true
	}
	first, second, slash := strings.Cut(s, "/")
	switch {
	case f.Is("Accept"):
		return !plan.IsToken(first) || !plan.IsToken(second)
	case f.Is("User-Agent"):
		return !plan.IsToken(first) || slash && !plan.IsToken(second)
	case f.Is("Accept-Charset"), f.Is("Accept-Encoding"), f.Is("Accept-Language"), f.Is("Cache-Control"), f.Is("Pragma"):
		return !plan.IsToken(s)
	}
	return true
}

// result writes what is done with the response.
func (r *csharpRequest) result() {
	response := r.name("response")
	r.c.Report(r.p.Options, func() {
		if r.c.FailsOnly() {
			r.p.Line(response, ".EnsureSuccessStatusCode();")
		} else { // a redirect is no failure
			r.p.Line("if ((int)", response, ".StatusCode >= 400)")
			r.block(func() { r.p.Line(response, ".EnsureSuccessStatusCode();") })
		}
	}, func() {
		r.p.Line(`Console.WriteLine($"{(int)`, response, ".StatusCode} {", response, `.ReasonPhrase}");`)
		r.p.Line("Console.Write(", response, ".Headers);")
		r.p.Line("Console.Write(", response, ".Content.Headers);")
	}, r.contentResult, func() {
		if r.c.ReturnsOnlyStatus(r.p.Options) {
			r.p.Line("return ", r.status(), ";")
		}
		if t := r.c.WriteOutLine(r.p.Options, r.status()); len(t) > 0 {
			r.p.Line("Console.WriteLine(", r.text(t), ");")
		}
	})
}

// nameOutput writes the statements that take the name of the file from the response.
func (r *csharpRequest) nameOutput(response string) {
	r.p.Use("System.Text.RegularExpressions")
	disposition, name := r.name("disposition"), r.name("outputName")
	r.p.Line("var ", disposition, " = ", response, `.Content.Headers.ContentDisposition?.ToString() ?? "";`)
	r.p.Line("var ", r.name("filename"), " = Regex.Match(", disposition, `, @"`, strings.ReplaceAll(plan.FilenamePattern, `"`, `""`), `", RegexOptions.IgnoreCase);`)
	r.p.Line("var ", name, " = ", r.name("filename"), ".Success ? ", r.name("filename"), ".Groups[1].Value : ", r.text(r.c.NameOutput(name)), ";")
}

// contentResult writes what is done with the content of the response.
func (r *csharpRequest) contentResult() {
	response := r.name("response")
	switch r.c.Destination(r.p.Options) {
	case plan.ToFile:
		r.p.Use("System.IO")
		if folder := r.c.Folder(); folder != nil {
			r.p.Line("Directory.CreateDirectory(", r.argument(folder, "folder"), ");")
		}
		output := r.name("output")
		create := ""
		if r.c.NamedByResponse() {
			r.nameOutput(response)
			create = "new FileStream(" + r.argument(r.c.Output(), "path") + ", FileMode.CreateNew)"
		} else {
			create = "File.Create(" + r.argument(r.c.Output(), "path") + ")"
		}
		copying := "await " + response + ".Content.CopyToAsync(" + output + ");"
		if len(r.p.Calls) > 1 { // another request may write to the same file
			r.p.Line("using (var ", output, " = ", create, ")")
			r.block(func() { r.p.Line(copying) })
		} else {
			r.using(output, emit.Leaf(create))
			r.p.Line(copying)
		}
	case plan.ContentPrinted:
		if r.c.PrintsBytes(r.p.Options) {
			stdout := r.name("stdout")
			r.using(stdout, emit.Leaf("Console.OpenStandardOutput()"))
			r.p.Line("await ", response, ".Content.CopyToAsync(", stdout, ");")
			return
		}
		if r.c.Streams(r.p.Options) && !(r.p.IsFunction() && isOld(r.p)) { // which has no asynchronous iterators
			r.p.Use("System.IO")
			reader := r.name("reader")
			r.using(reader, emit.Leaf("new StreamReader(await "+response+".Content.ReadAsStreamAsync())"))
			r.p.Line("while (await ", reader, ".ReadLineAsync() is string ", r.name("line"), ")")
			r.block(func() {
				if r.p.IsFunction() {
					r.p.InPieces = true
					r.p.Line("yield return ", r.name("line"), ";")
				} else {
					r.p.Line("Console.WriteLine(", r.name("line"), ");")
				}
			})
			return
		}
		value := "await " + response + ".Content.ReadAsStringAsync()"
		if r.p.Options.DecodeJSON {
			r.p.Use("System.Text.Json.Nodes")
			value = "JsonNode.Parse(" + value + ")"
		}
		r.give(value)
	case plan.HeadersPrinted:
		if r.p.IsFunction() {
			r.p.Use("System.Net.Http.Headers")
			r.give(response + ".Headers")
		}
	case plan.Captured:
		r.captures()
	}
}
