package code

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"uncoil/request"
)

// What net/http of Go 1.22 does by itself, measured on the wire: it adds
// User-Agent and Accept-Encoding: gzip, and writes names canonically and in
// their order of the alphabet; it takes Host from the request, not from its
// fields; it follows redirects unless told not to. Methods and paths go out as
// they are.
var goNetHTTP = Target{
	Name: "go", Language: "go", Client: "net/http", Version: "1.22", Kind: Code, Extension: "go",
	Aliases: []string{"golang", "go-http", "go-nethttp"}, Proven: true,
	style: style{indent: "\t", comma: ",", comment: "// ", align: true, wraps: "="},
	write: func(p *program) {
		writeGo(p, func(c *call) {
			r := goRequest{p: p, c: c}
			r.write()
		})
	},
	client: client{
		http2:     true,
		modernTLS: true,
		adds:      fieldNames{"User-Agent", "Accept-Encoding"},
		answers:   true,
		stuck:     func(c *call) bool { return c.body.kind == fileBody && c.takesInput() },
		codings:   onlyChunks,
		framed:    true,
		percents:  goPercents,
		recodes:   true,
		ports:     true,
		after:     []string{"referer"},
		fixed:     fieldNames{"Content-Length"},
		single:    fieldNames{"User-Agent"},
		hosts:     goHost,
		counts:    enclosing,
		printable: true,
		says:      []string{"createDirs", "followRedirects", "maxRedirects", "locationTrusted", "maxTime", "connectTimeout", "retry", "insecure", "tlsMin", "tlsMax", "cacert", "cert", "unixSocket", "resolve", "connectTo"},
		proxies:   []string{"http", "https", "socks5", "socks5h"},
		versions:  []string{"2"},
	},
}

// writeGo writes the frame of a program around its requests.
func writeGo(p *program, write func(c *call)) {
	functions := p.sections(1, func(c *call, _ string) { write(c) })
	if p.options.Bare {
		for _, f := range functions {
			p.dst = append(p.dst, f...)
		}
		p.functions()
		return
	}
	p.line("package main")
	p.line()
	p.line("import (")
	var modules []string
	for _, name := range p.imports {
		if strings.Contains(name, ".") {
			modules = append(modules, name)
		} else {
			p.line("\t", strconv.Quote(name))
		}
	}
	for _, name := range modules {
		p.line()
		p.line("\t", strconv.Quote(name))
	}
	p.line(")")
	p.line()
	defer p.functions()
	if len(functions) == 1 {
		p.line("func main() {")
		p.dst = append(p.dst, functions[0]...)
		p.line("}")
		return
	}
	p.block("func main() {", func() {
		for i := range functions {
			p.line("request", itoa(i+1), "()")
		}
	})
	p.line("}")
	for i, f := range functions {
		p.line()
		p.line("func request", itoa(i+1), "() {")
		p.dst = append(p.dst, f...)
		p.line("}")
	}
}

// A goRequest writes one call with net/http.
type goRequest struct {
	p *program
	c *call

	parts, files int // that have variables
}

// check writes the usual end of a statement that may fail.
func (r *goRequest) check() {
	r.p.use("log")
	r.p.line("if err != nil {")
	r.p.line("\tlog.Fatal(err)")
	r.p.line("}")
}

func (r *goRequest) write() {
	r.p.use("net/http")
	chunked := r.c.streamed()
	url := r.goURL()
	content := r.content()
	const before = "req, err := "
	newRequest := func() node {
		return group("http.NewRequest", "(", []node{leaf(goMethod(r.c.Method)), leaf(url), leaf(content)}, ")")
	}
	call := newRequest()
	if r.c.body.kind == rawBody && content != "body" && !r.p.fits(len(before)+call.width) {
		r.p.line("body := ", content)
		content = "body"
		call = newRequest()
	}
	r.p.node(before, call, "")
	r.check()
	r.headers()
	if chunked {
		r.p.line("req.ContentLength = -1 // send chunks")
	}
	r.p.line()
	client := r.client()
	r.p.line("resp, err := ", client, ".Do(req)")
	r.check()
	r.again(client)
	r.p.line("defer resp.Body.Close()")
	r.result()
}

// again writes the loop that tries again, as curl does: curl 8.22
// src/tool_operate.c.
func (r *goRequest) again(client string) {
	if r.c.retries == 0 {
		return
	}
	r.p.use("slices")
	r.p.use("time")
	r.p.block("for attempt := range "+strconv.FormatInt(r.c.retries, 10)+" {", func() {
		r.p.line("if !slices.Contains([]int{", retryStatuses, "}, resp.StatusCode) {")
		r.p.line("\tbreak")
		r.p.line("}")
		r.p.line("resp.Body.Close()")
		r.p.line("time.Sleep(time.Second << attempt)")
		if r.c.body.kind != noBody {
			r.p.line("req.Body, err = req.GetBody()")
			r.check()
		}
		r.p.line("resp, err = ", client, ".Do(req)")
		r.check()
	})
	r.p.line("}")
}

// goMethod returns the constant for a method, or its literal.
func goMethod(method string) string {
	if slices.Contains([]string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "CONNECT", "OPTIONS", "TRACE"}, method) {
		return "http.Method" + method[:1] + strings.ToLower(method[1:])
	}
	return strconv.Quote(method)
}

func (r *goRequest) headers() {
	seen := make(map[string]bool, len(r.c.fields))
	for _, f := range r.c.fields {
		lower := strings.ToLower(f.name)
		switch {
		case lower == "host":
			r.p.line("req.Host = ", r.goText(f.value))
			if r.c.proxyScheme() != "" && !r.c.secure() {
				r.p.line(`req.URL.Opaque = "//" + req.URL.Host + req.URL.EscapedPath() // what the proxy is asked for`)
			}
		case f.derived && f.is("Authorization"):
			r.p.line("req.SetBasicAuth(", r.goArgument(r.c.basic.user), ", ", r.goArgument(r.c.basic.password), ")")
		case f.derived:
		case lower == "user-agent" && f.value.source() == "":
			r.p.line(`req.Header.Set("User-Agent", "") // not Go's own`)
			r.p.line(`req.Header["user-agent"] = []string{""}`)
		case seen[lower]:
			r.p.node("", group("req.Header.Add", "(", []node{leaf(goString(f.name)), leaf(r.goArgument(f.value))}, ")"), "")
		default:
			r.p.node("", group("req.Header.Set", "(", []node{leaf(goString(f.name)), leaf(r.goArgument(f.value))}, ")"), "")
		}
		seen[lower] = true
	}
	if r.c.removes("User-Agent") {
		r.p.line(`req.Header.Set("User-Agent", "") // none, not even Go's own`)
	}
	if r.c.body.kind == multipartBody {
		r.p.line(`req.Header.Set("Content-Type", form.FormDataContentType())`)
	}
	if r.c.body.kind == fileBody && r.c.body.file.source() != "-" {
		if r.c.follow || r.c.retries > 0 {
			r.p.use("io")
			r.p.line("req.GetBody = func() (io.ReadCloser, error) { return os.Open(", r.goText(r.c.body.file), ") }")
		}
		if !r.c.chunked() {
			r.p.line("req.ContentLength = info.Size()")
		}
	}
}

// content writes what makes the body, and returns its reader.
func (r *goRequest) content() string {
	switch r.c.body.kind {
	case rawBody:
		if r.c.hasType(formType) && len(r.c.body.form) > 1 {
			if values, ok := r.sortedValues(); ok {
				return values
			}
		}
		r.p.use("strings")
		if _, known := r.c.body.data.plain(); !known || len(r.c.body.data.source()) > longLiteral/2 {
			r.p.node("body := ", r.goReader(r.c.body.data), "")
			return "body"
		}
		return "strings.NewReader(" + r.goText(r.c.body.data) + ")"
	case multipartBody:
		r.multipart()
		return "&body"
	case fileBody:
		return r.open(r.c.body.file, "file", !r.c.chunked())
	case pieceBody:
		r.p.use("strings")
		return "strings.NewReader(" + r.pieces(r.c.body.list) + ")"
	}
	return "nil"
}

// sortedValues writes the form as url.Values, which sorts by name, where the
// form is sorted.
func (r *goRequest) sortedValues() (string, bool) {
	if !areSorted(pairNames(r.c.body.form)) || !encodeQuotePlus.prints(r.c.body.form, r.c.body.data) {
		return "", false
	}
	r.p.use("strings")
	r.values("form", r.c.body.form)
	return "strings.NewReader(form.Encode())", true
}

// areSorted reports whether names are in the order in which url.Values prints them, each
// once.
func areSorted(names []string) bool { return slices.IsSorted(names) && distinct(names) }

// values writes pairs as url.Values.
func (r *goRequest) values(variable string, pairs []pair) {
	r.p.use("net/url")
	items := make([]node, len(pairs))
	for i, p := range pairs {
		items[i] = named(goString(p.name.source()), ": ", group("", "{", []node{leaf(r.goText(decoded(p.value)))}, "}"))
	}
	r.p.node(variable+" := ", group("url.Values", "{", items, "}"), "")
}

// open writes the statements that open a file, and returns its variable.
func (r *goRequest) open(name text, variable string, stat bool) string {
	r.p.use("os")
	if s, ok := name.plain(); ok && s == "-" {
		return "os.Stdin"
	}
	r.p.line(variable, ", err := os.Open(", r.goText(name), ")")
	r.check()
	r.p.line("defer ", variable, ".Close()")
	if stat {
		r.p.line("info, err := ", variable, ".Stat()")
		r.check()
	}
	return variable
}

func (r *goRequest) multipart() {
	r.p.use("bytes")
	r.p.use("mime/multipart")
	r.p.line("var body bytes.Buffer")
	r.p.line("form := multipart.NewWriter(&body)")
	for i := range r.c.body.part {
		r.part(&r.c.body.part[i])
	}
	r.p.line("if err := form.Close(); err != nil {")
	r.p.line("\tlog.Fatal(err)")
	r.p.line("}")
	r.p.use("log")
	r.p.line()
}

// part writes the statements for one part. WriteField and CreateFormFile write
// what curl writes for names without quotes and backslashes.
func (r *goRequest) part(p *formPart) {
	usual := !strings.ContainsAny(p.Name, "\"\\\r\n") && p.Name != "" && len(p.Headers) == 0 && p.Encoder == ""
	if !p.isFile() && usual && p.filename == nil && p.contentType == nil {
		field := group("form.WriteField", "(", []node{leaf(r.goArgument(p.name)), leaf(r.goArgument(p.value))}, ")")
		r.p.node("if err := ", field, "; err != nil {")
		r.p.line("\tlog.Fatal(err)")
		r.p.line("}")
		r.p.use("log")
		return
	}
	variable, file := nth("part", "", &r.parts), ""
	if p.isFile() {
		file = r.open(p.file, nth("file", "", &r.files), false)
	}
	octets := p.contentType != nil && *p.contentType == "application/octet-stream"
	if p.isFile() && usual && octets && p.filename != nil && !strings.ContainsAny(*p.filename, "\"\\\r\n") {
		name := r.goArgument(p.named)
		if p.implied {
			name = r.goBase(p.file)
		}
		r.p.line(variable, ", err := form.CreateFormFile(", r.goArgument(p.name), ", ", name, ")")
	} else {
		r.p.use("net/textproto")
		var items []node
		for _, line := range p.lines(r.c.Body.FormEscape, inForm) {
			name, value, _ := cutLine(line)
			items = append(items, named(goString(name), ": ", group("", "{", []node{leaf(r.partField(p, value))}, "}")))
		}
		r.p.node(variable+", err := form.CreatePart(", group("textproto.MIMEHeader", "{", items, "}"), ")")
	}
	r.check()
	if p.isFile() {
		r.p.use("io")
		r.p.line("if _, err := io.Copy(", variable, ", ", file, "); err != nil {")
	} else {
		r.p.use("io")
		r.p.line("if _, err := io.WriteString(", variable, ", ", r.goArgument(p.value), "); err != nil {")
	}
	r.p.line("\tlog.Fatal(err)")
	r.p.line("}")
}

// partField returns an expression for the value of a field of a part. A name of a file
// that a variable brings is the last part of its path.
func (r *goRequest) partField(p *formPart, value text) string {
	const before = `; filename="`
	end := strings.LastIndex(value.source(), before+p.named.source()+`"`)
	if !p.implied || end < 0 {
		return r.goArgument(value)
	}
	return r.goArgument(value.cut(0, end+len(before))) + "+" + r.goBase(p.file) + "+`\"`"
}

// goBase returns an expression for the last part of a path.
func (r *goRequest) goBase(path text) string {
	r.p.use("path/filepath")
	return "filepath.Base(" + r.goText(path) + ")"
}

// pieces writes the statements that read files, and returns a string of texts
// and files, joined.
func (r *goRequest) pieces(pieces []piece) string {
	terms := make([]string, 0, len(pieces))
	files := 0
	for _, one := range lineByLine(pieces) {
		if one.isText {
			terms = append(terms, r.goText(one.text))
			continue
		}
		variable := nth("data", "", &files)
		r.p.use("os")
		if s, ok := one.file.plain(); ok && s == "-" {
			r.p.use("io")
			r.p.line(variable, ", err := io.ReadAll(os.Stdin)")
		} else {
			r.p.line(variable, ", err := os.ReadFile(", r.goText(one.file), ")")
		}
		r.check()
		expr := "string(" + variable + ")"
		if one.offset > 0 {
			expr = "string(" + variable + "[" + itoa(int(one.offset)) + ":])"
		}
		if one.strip {
			r.p.use("strings")
			expr = `strings.NewReplacer("\r", "", "\n", "", "\x00", "").Replace(` + expr + ")"
		}
		if one.urlencode {
			r.p.use("net/url")
			expr = "url.QueryEscape(" + expr + ")"
		}
		if len(one.name) > 0 {
			expr = r.goText(one.prefix()) + " + " + expr
		}
		terms = append(terms, expr)
	}
	if body := "body := " + strings.Join(terms, " + "); r.p.fits(columns(body)) {
		r.p.line(body)
		return "body"
	}
	r.p.node("body := ", summed(terms), "")
	return "body"
}

// client writes the statements that make a client and returns its variable.
func (r *goRequest) client() string {
	transport := r.transport()
	var items []node
	switch {
	case r.c.digest != nil:
		r.digest(transport)
		items = append(items, leaf("Transport: digest"))
	case transport:
		items = append(items, leaf("Transport: transport"))
	}
	if r.c.timeout > 0 {
		r.p.use("time")
		items = append(items, leaf("Timeout: "+goDuration(r.c.timeout)))
	}
	if head, lines := r.checkRedirect(); len(lines) > 0 {
		r.p.line("client := &http.Client{")
		for _, n := range items {
			r.p.line("\t", alignKey(n.head, len(items)), ",")
		}
		r.p.block("\tCheckRedirect: "+head+" error {", func() {
			for _, line := range lines {
				r.p.line("\t", line)
			}
		})
		r.p.line("\t},")
		r.p.line("}")
		return "client"
	}
	if len(items) == 0 {
		return "http.DefaultClient"
	}
	r.p.node("client := &", group("http.Client", "{", items, "}"), "")
	return "client"
}

// digest writes the statement that makes the transport which answers for Digest,
// around one of the program or the default.
func (r *goRequest) digest(own bool) {
	for _, name := range []string{"crypto/md5", "crypto/rand", "crypto/sha256", "fmt", "regexp", "strings"} {
		r.p.use(name)
	}
	r.p.answerDigest("transport.go.txt")
	r.p.keepsDigest(r.c)
	transport := "http.DefaultTransport"
	if own {
		transport = "transport"
	}
	arguments := []node{leaf(transport), leaf("req.URL.Host"), leaf(r.goText(r.c.digest.user)), leaf(r.goText(r.c.digest.password))}
	r.p.node("digest := ", group("digestTransport", "{", arguments, "}"), "")
}

// alignKey puts the value of Timeout into the column of that of Transport.
func alignKey(line string, fields int) string {
	if value, ok := strings.CutPrefix(line, "Timeout: "); ok && fields > 1 {
		return "Timeout:   " + value
	}
	return line
}

// goDuration writes a number of seconds.
func goDuration(seconds float64) string {
	if whole := int64(seconds); float64(whole) == seconds {
		if whole == 1 {
			return "time.Second"
		}
		return strconv.FormatInt(whole, 10) + " * time.Second"
	}
	return milliseconds(seconds) + " * time.Millisecond"
}

// transport writes the statements that make a transport where the default one
// will not do.
func (r *goRequest) transport() bool {
	var lines []string
	config := r.tlsConfig()
	if len(r.c.cert) > 0 {
		r.p.use("crypto/tls")
		r.p.line("certificate, err := tls.LoadX509KeyPair(", r.goArgument(r.c.cert), ", ", r.goArgument(r.c.certKey()), ")")
		r.check()
		config = append(config, "Certificates: []tls.Certificate{certificate}")
	}
	if len(r.c.caFile) > 0 {
		r.p.use("crypto/x509")
		r.p.use("os")
		r.p.line("pem, err := os.ReadFile(", r.goText(r.c.caFile), ")")
		r.check()
		r.p.line("roots := x509.NewCertPool()")
		r.p.line("roots.AppendCertsFromPEM(pem)")
		config = append(config, "RootCAs: roots")
	}
	if len(config) > 0 {
		r.p.use("crypto/tls")
		lines = append(lines, "transport.TLSClientConfig = &tls.Config{"+strings.Join(config, ", ")+"}")
	}
	if r.c.proxyScheme() != "" {
		r.p.use("net/url")
		r.p.line("proxy, err := url.Parse(", r.goText(r.c.proxyURL()), ")")
		r.check()
		lines = append(lines, "transport.Proxy = http.ProxyURL(proxy)")
	}
	if r.c.direct() {
		lines = append(lines, "transport.Proxy = nil")
	}
	if r.c.removes("Accept-Encoding") || r.c.empties("Accept-Encoding") {
		lines = append(lines, "transport.DisableCompression = true")
	}
	lines = append(lines, r.dial()...)
	if len(lines) == 0 {
		return false
	}
	r.p.line("transport := http.DefaultTransport.(*http.Transport).Clone()")
	for _, l := range lines {
		r.p.line(l)
	}
	return true
}

// tlsConfig returns the members of a configuration of TLS that need no file.
func (r *goRequest) tlsConfig() (config []string) {
	if r.c.insecure {
		config = append(config, "InsecureSkipVerify: true")
	}
	for _, o := range []struct{ name, member string }{{"MinVersion", "tlsMin"}, {"MaxVersion", "tlsMax"}} {
		if r.c.boundsTLS(o.member) {
			config = append(config, o.name+": tls.VersionTLS1"+itoa(r.c.tlsPlace(o.member)))
		}
	}
	return config
}

// dial returns the statements that connect elsewhere than to the host of the URL,
// or with a time limit.
func (r *goRequest) dial() []string {
	dialer := "new(net.Dialer)"
	if r.c.connectTimeout > 0 {
		r.p.use("net")
		r.p.use("time")
		dialer = "(&net.Dialer{Timeout: " + goDuration(r.c.connectTimeout) + "})"
	}
	const function = "transport.DialContext = func(ctx context.Context, "
	host, port := r.c.connection()
	switch {
	case len(r.c.unixSocket) > 0:
		r.p.use("context")
		r.p.use("net")
		return []string{function + "_, _ string) (net.Conn, error) {",
			"\treturn " + dialer + ".DialContext(ctx, \"unix\", " + r.goArgument(r.c.unixSocket) + ")", "}"}
	case host != "" && r.c.proxyScheme() == "":
		a, _ := r.c.address()
		r.p.use("context")
		r.p.use("net")
		return []string{function + "network, address string) (net.Conn, error) {",
			"\tif address == " + goString(joinHostPort(strings.Trim(a.host.source(), "[]"), a.portOr())) + " {",
			"\t\taddress = " + goString(joinHostPort(host, port)), "\t}",
			"\treturn " + dialer + ".DialContext(ctx, network, address)", "}"}
	}
	r.p.loseAddress(r.c)
	if r.c.connectTimeout > 0 {
		return []string{"transport.DialContext = " + dialer + ".DialContext"}
	}
	return nil
}

// result writes what is done with the response.
func (r *goRequest) result() {
	if r.c.fail {
		r.p.line("if resp.StatusCode >= 400 {")
		r.p.line("\tlog.Fatal(resp.Status)")
		r.p.line("}")
	}
	switch r.c.destination(r.p.options) {
	case toFile:
		r.p.use("io")
		r.p.use("os")
		if folder := r.c.folder(); folder != nil {
			r.p.line("if err := os.MkdirAll(", r.goArgument(folder), ", 0o750); err != nil {")
			r.p.line("\tlog.Fatal(err)")
			r.p.line("}")
		}
		r.p.line("out, err := os.Create(", r.goText(r.c.output), ")")
		r.check()
		r.p.line("defer out.Close()")
		r.copyTo("out")
	case headersPrinted:
		r.p.use("os")
		r.p.line("if err := resp.Header.Write(os.Stdout); err != nil {")
		r.p.line("\tlog.Fatal(err)")
		r.p.line("}")
	case contentPrinted:
		r.p.use("os")
		r.copyTo("os.Stdout")
	}
}

func (r *goRequest) copyTo(writer string) {
	r.p.use("io")
	r.p.line("if _, err := io.Copy(", writer, ", resp.Body); err != nil {")
	r.p.line("\tlog.Fatal(err)")
	r.p.line("}")
}

// goArgument returns an expression of type string that is one argument of
// several: gofmt writes no blanks around + there.
func (r *goRequest) goArgument(t text) string {
	if len(t) < 2 {
		return r.goText(t)
	}
	terms := make([]string, len(t))
	for i := range t {
		terms[i] = r.goText(t[i : i+1])
	}
	return strings.Join(terms, "+")
}

// goText returns an expression of type string.
func (r *goRequest) goText(t text) string {
	if s, ok := t.plain(); ok {
		return goString(s)
	}
	terms := make([]string, len(t))
	for i, part := range t {
		if part.variable == nil {
			terms[i] = goString(part.literal)
		} else {
			terms[i] = r.goVariable(part.variable)
		}
	}
	return strings.Join(terms, " + ")
}

// goReader returns a call of strings.NewReader, the variable body: long text is in
// parts.
func (r *goRequest) goReader(t text) node {
	const function = "strings.NewReader"
	literal := r.goText(t)
	s, ok := t.plain()
	switch {
	case strings.Contains(literal, "\n"):
		return leaf(function + "(" + literal + ")")
	case !ok || !isLong(s):
		return group(function, "(", []node{leaf(literal)}, ")")
	}
	parts := splitLong(s)
	for i := range parts {
		parts[i] = goString(parts[i])
	}
	content := summed(parts)
	if !r.p.fits(columns("body := " + function + "(" + parts[0])) {
		return group(function, "(", []node{content}, ")")
	}
	return content.around(function+"(", ")")
}

func (r *goRequest) goVariable(v *request.Variable) string {
	if v.Encoding == computed {
		return v.Name
	}
	r.p.use("os")
	expr := "os.Getenv(" + strconv.Quote(v.Name) + ")"
	if v.HasDefault {
		r.p.use("cmp")
		expr = "cmp.Or(" + expr + ", " + goString(v.Default) + ")"
	}
	switch v.Encoding {
	case userPart:
		r.p.use("strings")
		return "strings.SplitN(" + expr + `, ":", 2)[0]`
	case passwordPart:
		r.p.use("strings")
		return "strings.SplitN(" + expr + `, ":", 2)[1]`
	case lastSegment:
		r.p.use("path/filepath")
		return "filepath.Base(" + expr + ")"
	case request.Percent:
		r.p.use("net/url")
		return "url.PathEscape(" + expr + ")"
	case request.FormEncode:
		r.p.use("net/url")
		return "url.QueryEscape(" + expr + ")"
	case request.JSONEscape:
		r.p.refuse("escapes no variable for JSON in an expression")
	}
	return expr
}

// goString returns a string literal: a raw one where it says the same and
// needs fewer escapes.
func goString(s string) string {
	if standsForItself(s, '"', "") {
		return `"` + s + `"`
	}
	quoted := strconv.Quote(s)
	if !strings.Contains(quoted, `\`) || !utf8.ValidString(s) || strings.ContainsAny(s, "`\r\ufeff") {
		return quoted
	}
	for _, r := range s {
		if r != '\n' && r != '\t' && !strconv.IsPrint(r) {
			return quoted
		}
	}
	if strings.TrimSpace(s) == "" || escapesBreaks(s) {
		return quoted
	}
	return "`" + s + "`"
}

// goURL returns the URL, after the statements that guess its scheme where a
// variable may bring none.
func (r *goRequest) goURL() string {
	if pairs := r.c.takeQuery(&encodeQuotePlus, areSorted); pairs != nil {
		r.values("query", pairs)
		r.c.computeQuery("query.Encode()")
	}
	if !r.c.guess {
		return r.goArgument(r.c.url)
	}
	r.p.use("strings")
	r.p.line("endpoint := ", r.goText(r.c.url)) // url is a package
	r.p.line(`if !strings.Contains(endpoint, "://") {`)
	r.p.line("\tendpoint = \"http://\" + endpoint // as curl does")
	r.p.line("}")
	return "endpoint"
}

// checkRedirect returns the head and the statements of the function that is asked
// at each redirect, where the client needs one.
func (r *goRequest) checkRedirect() (head string, lines []string) {
	const unnamed = "func(*http.Request, []*http.Request)"
	limit := r.c.maxRedirects
	switch {
	case !r.c.follow:
		return unnamed, []string{"return http.ErrUseLastResponse // curl had no -L"}
	case limit >= 0 && (limit != curlRedirects || r.c.spreads()):
		r.p.use("errors")
		lines = []string{"if len(via) > " + strconv.FormatInt(limit, 10) + " {", "\treturn errors.New(\"too many redirects\")", "}"}
	}
	next, note := "_", " // as --location-trusted does"
	for _, name := range []string{"Authorization", "Cookie"} {
		if r.c.trusted && r.c.field(name) != nil {
			lines = append(lines, `next.Header["`+name+`"] = via[0].Header["`+name+`"]`+note)
			next, note = "next", ""
		}
	}
	switch {
	case len(lines) > 0:
		return "func(" + next + " *http.Request, via []*http.Request)", append(lines, "return nil")
	case limit < 0:
		return unnamed, []string{"return nil // as often as it takes"}
	}
	return "", nil
}
