//go:build !nocode

package code

import (
	"slices"
	"strings"

	"uncoil/request"
)

// What HttpClient of .NET does by itself, measured on the wire under mono: it
// adds no fields; joins fields of one name by a comma; keeps the fields of the
// content apart from those of the request; decodes what needs no percent sign
// in a URL and takes dot segments out; sends a Cookie field only without its
// own cookies; follows redirects unless told not to.
var csharpHTTPClient = Target{
	Name: "csharp", Language: "csharp", Client: "HttpClient", Version: ".NET 6", Kind: Code, Extension: "cs",
	Aliases: []string{"c#", "cs", "dotnet", "csharp-httpclient"}, Proven: true,
	style: style{indent: "    ", comment: "// "}, write: writeCSharp,
	client: client{
		environs: true,
		methods:  csharpMethod,
		dots:     true,
		digest:   true,
		says:     []string{"followRedirects", "maxRedirects", "maxTime", "insecure"},
		proxies:  []string{"http"},
		versions: []string{"1.0", "1.1", "2"},
	},
}

var csharpLanguage = language{literal: csharpString, variable: csharpVariable, plus: " + "}

func writeCSharp(p *program) {
	writeCSharpCalls(p, func(r csharpRequest) { r.write() })
}

// writeCSharpCalls writes a program whose calls write writes.
func writeCSharpCalls(p *program, write func(csharpRequest)) {
	sections := p.sections(0, func(c *call, suffix string) { write(csharpRequest{p: p, c: c, suffix: suffix}) })
	if !p.options.Bare && len(p.imports) > 0 {
		for _, name := range p.imports {
			p.line("using ", name, ";")
		}
		p.line()
	}
	p.join(sections)
}

// csharpString returns a literal: a verbatim one for text of several lines.
func csharpString(s string) string {
	if standsForItself(s, '"', "") {
		return `"` + s + `"`
	}
	if strings.Contains(s, "\n") && !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && !csharpPlain(r) }) && strings.TrimSpace(s) != "" && !strings.HasPrefix(s, "\n") {
		return `@"` + strings.ReplaceAll(s, `"`, `""`) + `"`
	}
	s = quoted(s, "", csharpEscape)
	for _, r := range [...]string{"\u0085", "\u2028", "\u2029"} { // they end a line
		if strings.Contains(s, r) {
			s = strings.ReplaceAll(s, r, string(appendCodeUnit(nil, []rune(r)[0])))
		}
	}
	return s
}

func csharpPlain(r rune) bool { return r > 0x9f && r != '\u2028' && r != '\u2029' }

func csharpEscape(b []byte, c byte) []byte { return appendCodeUnit(b, rune(c)) }

func csharpVariable(p *program, v *request.Variable) string {
	expr := "Environment.GetEnvironmentVariable(" + csharpString(v.Name) + ")"
	if v.HasDefault {
		expr = "(" + expr + " ?? " + csharpString(v.Default) + ")"
	}
	switch v.Encoding {
	case userPart:
		return expr + ".Split(':', 2)[0]"
	case passwordPart:
		return expr + ".Split(':', 2)[1]"
	case lastSegment:
		p.use("System.IO")
		return "Path.GetFileName(" + expr + ")"
	case request.Percent:
		return "Uri.EscapeDataString(" + expr + ")"
	case request.FormEncode:
		return "Uri.EscapeDataString(" + expr + `).Replace("%20", "+")`
	case request.JSONEscape:
		p.use("System.Text.Json")
		return "JsonEncodedText.Encode(" + expr + ")"
	}
	return expr
}

// A csharpRequest writes one call with HttpClient.
type csharpRequest struct {
	p      *program
	c      *call
	suffix string
	files  int
}

func (r *csharpRequest) text(t text) string { return csharpLanguage.text(r.p, t) }

// name returns a variable of this call.
func (r *csharpRequest) name(s string) string { return s + r.suffix }

// argument returns an expression for a text, or a variable for one that would
// be hard to read inside of a longer statement.
func (r *csharpRequest) argument(t text, variable string) string {
	s := r.text(t)
	if !strings.ContainsAny(s, ";\n") {
		return s
	}
	r.p.line("var ", r.name(variable), " = ", s, ";")
	return r.name(variable)
}

var csharpMethods = []string{"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE"}

// csharpMethod is the rule for methods: those it knows go out in capitals.
func csharpMethod(method string) bool {
	upper := strings.ToUpper(method)
	return method == upper && method != "CONNECT" || !slices.Contains(csharpMethods, upper) && upper != "PATCH" && upper != "CONNECT"
}

func (r *csharpRequest) write() {
	r.client()
	url := r.url()
	method := "new HttpMethod(" + csharpString(r.c.Method) + ")"
	if slices.Contains(csharpMethods, r.c.Method) {
		method = "HttpMethod." + r.c.Method[:1] + strings.ToLower(r.c.Method[1:])
	}
	r.p.line("using var ", r.name("request"), " = new HttpRequestMessage(", method, ", ", url, ");")
	if v := r.c.httpVersion; v == "1.0" || v == "2" {
		r.p.line(r.name("request"), ".Version = ", csharpVersion(v), ";")
	}
	r.headers()
	r.content()
	r.p.line()
	r.p.line("using var ", r.name("response"), " = await ", r.name("client"), ".SendAsync(", r.name("request"), ");")
	r.result()
}

// url returns an expression for the URL, and writes the statements that it needs.
func (r *csharpRequest) url() string {
	url := r.argument(r.c.url, "url")
	if r.c.guess {
		if url != r.name("url") {
			r.p.line("var ", r.name("url"), " = ", url, ";")
		}
		url = r.name("url")
		r.p.line("if (!", url, `.Contains("://"))`)
		r.p.line("{")
		r.p.line(r.p.indent, url, ` = "http://" + `, url, "; // as curl does")
		r.p.line("}")
	}
	return url
}

// csharpVersion returns an expression for a version of HTTP.
func csharpVersion(v string) string {
	major, minor, _ := strings.Cut(v, ".")
	if minor == "" {
		minor = "0"
	}
	return "new Version(" + major + ", " + minor + ")"
}

// csharpObject returns an expression that makes an object with members.
func csharpObject(head string, items []node) node {
	n := group(head+" ", "{", items, "}")
	n.pad, n.width = true, n.width+2
	return n
}

// client writes the statements that make a client.
func (r *csharpRequest) client() {
	var items []node
	set := func(s string) { items = append(items, leaf(s)) }
	switch {
	case !r.c.follow || r.c.maxRedirects == 0:
		set("AllowAutoRedirect = false")
	case r.c.maxRedirects < 0:
		set("MaxAutomaticRedirections = int.MaxValue")
	case r.c.maxRedirects != curlRedirects:
		set("MaxAutomaticRedirections = " + itoa(int(r.c.maxRedirects)))
	}
	if len(r.c.cookieJar) == 0 || r.c.field("Cookie") != nil {
		set("UseCookies = false")
	}
	if f := r.c.field("Accept-Encoding"); r.c.compressed && (f == nil || f.value.source() == "gzip, deflate") {
		if f != nil {
			f.derived = true
		}
		r.p.use("System.Net")
		set("AutomaticDecompression = DecompressionMethods.GZip | DecompressionMethods.Deflate")
	}
	if r.c.insecure && r.c.encrypts {
		set("ServerCertificateCustomValidationCallback = (message, certificate, chain, errors) => true")
	}
	if r.c.proxyScheme() != "" {
		set("Proxy = " + r.proxy())
	}
	if r.c.digest != nil {
		set("Credentials = " + r.credentials())
	}
	r.p.node("var "+r.name("handler")+" = ", csharpObject("new HttpClientHandler", items), ";")
	timeout := ""
	if r.c.timeout > 0 {
		timeout = " { Timeout = TimeSpan.FromSeconds(" + seconds(r.c.timeout) + ") }"
	}
	r.p.line("using var ", r.name("client"), " = new HttpClient(", r.name("handler"), ")", timeout, ";")
}

// proxy returns the proxy, with its credentials.
func (r *csharpRequest) proxy() string {
	r.p.use("System.Net")
	if a, ok := r.c.address(); ok && slices.Contains([]string{"localhost", "127.0.0.1", "[::1]"}, a.host.source()) {
		r.p.refuse("asks no proxy for this machine itself")
	}
	address, user, password := r.c.proxyParts()
	proxy := "new WebProxy(" + r.argument(address, "proxy") + ")"
	if len(user) == 0 {
		return proxy
	}
	r.p.differs("sends the credentials of the proxy only when the proxy asks for them")
	return proxy + " { Credentials = new NetworkCredential(" + r.text(user) + ", " + r.text(password) + ") }"
}

// credentials returns those that answer Digest only.
func (r *csharpRequest) credentials() string {
	r.p.use("System.Net")
	url := r.argument(r.c.url, "url")
	credential := "new NetworkCredential(" + r.text(r.c.digest.user) + ", " + r.text(r.c.digest.password) + ")"
	return "new CredentialCache { { new Uri(" + url + `), "Digest", ` + credential + " } }"
}

// csharpContentFields are the fields that belong to the content.
var csharpContentFields = []string{"allow", "content-disposition", "content-encoding", "content-language", "content-location", "content-md5",
	"content-range", "content-type", "expires", "last-modified"}

func csharpOfContent(name string) bool {
	return slices.Contains(csharpContentFields, strings.ToLower(name))
}

func (r *csharpRequest) headers() {
	headers := r.name("request") + ".Headers"
	for _, f := range r.c.joined() {
		if !f.value.isASCII() {
			r.p.refuse("sends only ASCII in fields")
		}
		source := f.value.source()
		if csharpRewrites(&f, source) {
			r.p.refuse("writes the field " + f.name + " in its own way")
		}
		switch {
		case csharpOfContent(f.name), f.derived && !f.is("Authorization"):
		case f.derived:
			r.p.use("System.Net.Http.Headers")
			r.p.use("System.Text")
			both := r.text(r.c.basic.joined())
			r.p.line("var ", r.name("credentials"), " = Convert.ToBase64String(Encoding.UTF8.GetBytes(", both, "));")
			r.p.line(headers, `.Authorization = new AuthenticationHeaderValue("Basic", `, r.name("credentials"), ");")
		case f.is("Authorization") && strings.HasPrefix(source, "Bearer ") && !strings.ContainsAny(source[len("Bearer "):], " ,="):
			r.p.use("System.Net.Http.Headers")
			r.p.line(headers, `.Authorization = new AuthenticationHeaderValue("Bearer", `, r.text(f.value.cut(len("Bearer "), len(source))), ");")
		case f.is("Host"):
			r.p.line(headers, ".Host = ", r.text(f.value), ";")
		case source == "" || strings.ContainsAny(source, " ,;=()\"") || f.is("Connection"):
			r.p.line(headers, ".TryAddWithoutValidation(", csharpString(f.name), ", ", r.text(f.value), ");")
		default:
			r.p.line(headers, ".Add(", csharpString(f.name), ", ", r.text(f.value), ");")
		}
	}
}

// csharpRewrites reports whether the class reads a field and writes it anew.
func csharpRewrites(f *field, source string) bool {
	if f.is("Referer") {
		_, rest, _ := strings.Cut(source, "://")
		return rest != "" && !strings.Contains(rest, "/")
	}
	if !f.is("Accept") && !f.is("Accept-Charset") && !f.is("Accept-Encoding") && !f.is("Accept-Language") && !f.is("TE") {
		return false
	}
	for item := range strings.SplitSeq(source, ",") {
		_, quality, found := strings.Cut(strings.ReplaceAll(item, " ", ""), ";q=")
		quality, _, _ = strings.Cut(quality, ";")
		if found && (len(quality) < 3 || len(quality) > 3 && strings.HasSuffix(quality, "0") || quality[0] == '.') {
			return true
		}
	}
	return false
}

// content writes the statements that set the content and its fields.
func (r *csharpRequest) content() {
	request := r.name("request")
	typed := r.c.field("Content-Type")
	set := func(n node) { r.p.node(request+".Content = ", n, ";") }
	switch r.c.body.kind {
	case noBody:
		if !slices.ContainsFunc(r.c.fields, func(f field) bool { return csharpOfContent(f.name) }) {
			return
		}
		set(leaf("new ByteArrayContent(new byte[0])"))
	case rawBody:
		if r.c.isForm(&encodeQuotePlus) {
			set(r.form())
			typed = nil
			break
		}
		set(r.rawContent(typed))
		if s, ok := csharpType(typed); ok || typed == nil && r.c.body.data.isText() {
			r.p.line(request, ".Content.Headers.ContentType = ", s, ";")
			if ok {
				r.p.use("System.Net.Http.Headers")
			}
			typed = nil
		}
	case multipartBody:
		typed = r.multipart()
	case fileBody:
		set(leaf("new StreamContent(" + r.open(r.c.body.file) + ")"))
	case pieceBody:
		r.join(r.c.body.list)
	}
	for _, f := range r.c.joined() {
		if csharpOfContent(f.name) && (!f.is("Content-Type") || typed != nil) {
			r.p.line(request, ".Content.Headers.TryAddWithoutValidation(", csharpString(f.name), ", ", r.text(f.value), ");")
		}
	}
}

// csharpType returns an expression for the type of content, where the class
// writes it as it is; null for none.
func csharpType(f *field) (string, bool) {
	if f == nil {
		return "null", false
	}
	s, ok := f.value.plain()
	switch {
	case !ok || strings.ContainsAny(s, "\"\\,") || strings.Count(s, "/") != 1:
		return "", false
	case !strings.ContainsAny(s, "; "):
		return "new MediaTypeHeaderValue(" + csharpString(s) + ")", true
	}
	kind, rest, _ := strings.Cut(s, "; ")
	return "MediaTypeHeaderValue.Parse(" + csharpString(s) + ")", !strings.ContainsAny(kind, "; ") && !strings.ContainsAny(rest, "; ") && strings.Count(rest, "=") == 1
}

func (r *csharpRequest) rawContent(typed *field) node {
	if !r.c.body.data.isText() {
		return leaf("new ByteArrayContent(" + r.bytes(r.c.body.data) + ")")
	}
	data, plain := r.c.body.data.plain()
	open, end := "(", ")"
	head := "new StringContent"
	if _, ok := csharpType(typed); typed != nil && !ok {
		r.p.use("System.Text")
		head, open, end = "new ByteArrayContent", "(Encoding.UTF8.GetBytes(", "))"
	}
	if !plain || strings.Contains(data, "\n") {
		return leaf(head + open + r.text(r.c.body.data) + end)
	}
	return csharpLanguage.long(r.p, head, open, data, end, " +")
}

// bytes returns an expression for the bytes of a text.
func (r *csharpRequest) bytes(t text) string {
	r.p.use("System.Text")
	if t.isText() {
		return "Encoding.UTF8.GetBytes(" + r.text(t) + ")"
	}
	latin := slices.Clone(t)
	for i := range latin {
		latin[i].literal = latin1(latin[i].literal)
	}
	return `Encoding.GetEncoding("ISO-8859-1").GetBytes(` + r.text(latin) + ")"
}

// form returns the content that encodes the pairs.
func (r *csharpRequest) form() node {
	items := make([]node, len(r.c.body.form))
	names := make([]string, len(items))
	for i, p := range r.c.body.form {
		names[i] = p.name.source()
	}
	unique := distinct(names)
	for i, p := range r.c.body.form {
		name, value := r.text(decoded(p.name)), r.text(decoded(p.value))
		if unique {
			items[i] = leaf("[" + name + "] = " + value)
		} else {
			items[i] = leaf("new KeyValuePair<string, string>(" + name + ", " + value + ")")
		}
	}
	list := csharpObject("new Dictionary<string, string>", items)
	if !unique {
		list.head = "new[] "
	}
	return group("new FormUrlEncodedContent", "(", []node{list}, ")")
}

// open opens a file, and returns its stream.
func (r *csharpRequest) open(name text) string {
	if name.source() == "-" {
		return "Console.OpenStandardInput()"
	}
	variable := r.name("file")
	if r.files++; r.files > 1 {
		variable += "_" + itoa(r.files)
	}
	r.p.line("using var ", variable, " = File.OpenRead(", r.argument(name, "path"), ");")
	return variable
}

// multipart writes the statements that make a form; it returns the type where
// the form is made of bytes.
func (r *csharpRequest) multipart() *field {
	simple := !r.c.Body.FormEscape && r.c.field("Content-Type") == nil
	for i := range r.c.body.part {
		p := &r.c.body.part[i]
		simple = simple && p.Name != "" && isASCII(p.Name) && !strings.ContainsAny(p.Name, "\\") && len(p.Headers) == 0 &&
			(p.filename == nil || isASCII(*p.filename) && !strings.ContainsAny(*p.filename, "\\")) && !hasVariable(p.name) && p.fixed()
	}
	if !simple {
		pieces, contentType := r.c.multipartPieces()
		r.join(pieces)
		r.c.fields = append(r.c.fields, field{name: "Content-Type", value: literal(contentType)})
		return &r.c.fields[len(r.c.fields)-1]
	}
	form := r.name("form")
	r.p.line("var ", form, " = new MultipartFormDataContent();")
	for i := range r.c.body.part {
		p := &r.c.body.part[i]
		name := csharpString(`"` + escapeName(p.Name, false) + `"`)
		content := ""
		if p.isFile() {
			content = "new StreamContent(" + r.open(p.file) + ")"
		} else {
			r.p.use("System.Text")
			content = "new ByteArrayContent(Encoding.UTF8.GetBytes(" + r.text(p.value) + "))"
		}
		if p.filename == nil && p.contentType == nil {
			r.p.line(form, ".Add(", content, ", ", name, ");")
			continue
		}
		r.p.use("System.Net.Http.Headers")
		part := r.name("part")
		if i > 0 {
			part += "_" + itoa(i+1)
		}
		r.p.line("var ", part, " = ", content, ";")
		items := []node{leaf("Name = " + name)}
		switch {
		case p.implied:
			items = append(items, leaf("FileName = \"\\\"\" + Path.GetFileName("+r.text(p.file)+") + \"\\\"\""))
		case p.filename != nil:
			items = append(items, leaf("FileName = "+csharpString(`"`+escapeName(*p.filename, false)+`"`)))
		}
		r.p.node(part+".Headers.ContentDisposition = ", csharpObject(`new ContentDispositionHeaderValue("form-data")`, items), ";")
		if p.contentType != nil {
			r.p.line(part, `.Headers.TryAddWithoutValidation("Content-Type", `, csharpString(*p.contentType), ");")
		}
		r.p.line(form, ".Add(", part, ");")
	}
	r.p.line(r.name("request"), ".Content = ", form, ";")
	return nil
}

// pieces writes the statements that join texts and files, and returns an
// expression for the bytes.
func (r *csharpRequest) pieces(pieces []piece) string {
	body, input := r.name("body"), false
	r.p.line("var ", body, " = new List<byte>();")
	add := func(s string) { r.p.line(body, ".AddRange(", s, ");") }
	for _, one := range pieces {
		if one.isText {
			r.p.use("System.Text")
			add("Encoding.UTF8.GetBytes(" + r.text(one.text) + ")")
			continue
		}
		if len(one.name) > 0 {
			r.p.use("System.Text")
			add("Encoding.UTF8.GetBytes(" + r.text(one.prefix()) + ")")
		}
		data := "File.ReadAllBytes(" + r.text(one.file) + ")"
		if one.file.source() == "-" {
			if input {
				continue // it was read to its end
			}
			input = true
			r.p.line("var ", r.name("input"), " = new MemoryStream();")
			r.p.line("Console.OpenStandardInput().CopyTo(", r.name("input"), ");")
			data = r.name("input") + ".ToArray()"
		}
		if one.offset > 0 {
			data += ".Skip(" + itoa(int(one.offset)) + ")"
		}
		if one.strip {
			data += ".Where(b => b != '\\r' && b != '\\n' && b != 0)"
		}
		if one.urlencode {
			r.p.use("System.Text")
			if one.offset > 0 || one.strip {
				data += ".ToArray()"
			}
			data = "Encoding.UTF8.GetBytes(Uri.EscapeDataString(Encoding.UTF8.GetString(" + data + `)).Replace("%20", "+"))`
		}
		add(data)
	}
	return body + ".ToArray()"
}

// join writes the statements that make content of texts and files.
func (r *csharpRequest) join(pieces []piece) {
	r.p.line(r.name("request"), ".Content = new ByteArrayContent(", r.pieces(pieces), ");")
}

// result writes what is done with the response.
func (r *csharpRequest) result() {
	response := r.name("response")
	if r.c.fail {
		r.p.line(response, ".EnsureSuccessStatusCode();")
	}
	switch r.c.destination(r.p.options) {
	case toFile:
		output := r.name("output")
		r.p.line("using var ", output, " = File.Create(", r.argument(r.c.output, "path"), ");")
		r.p.line("await ", response, ".Content.CopyToAsync(", output, ");")
	case headersPrinted:
		r.p.line("Console.Write(", response, ".Headers);")
	case contentPrinted:
		r.p.line("Console.WriteLine(await ", response, ".Content.ReadAsStringAsync());")
	}
}
