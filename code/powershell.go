package code

import (
	"encoding/base64"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/source/quote"
	"uncoil/request"
)

// What Invoke-WebRequest of PowerShell 7.4 does by itself, by its source and
// that of HttpClient, which it calls: it adds User-Agent and Accept-Encoding,
// and to content of POST the type of a form; sends a name once; writes methods
// in capitals; takes dot segments out of paths; checks well-known fields unless
// told not to; names every file of its own forms application/octet-stream;
// follows redirects unless told not to, and then leaves out Authorization.
var powerShell = Target{
	Name: "powershell", Language: "powershell", Client: "Invoke-WebRequest", Version: "7.4", Kind: Code, Extension: "ps1",
	Aliases: []string{"pwsh", "powershell-webrequest", "powershell-restmethod", "invoke-webrequest"},
	style:   style{indent: "    ", comment: "# ", align: true}, write: writePowerShell,
	client: client{
		specified: true,
		adds:      fieldNames{"User-Agent", "Accept-Encoding"},
		always:    fieldNames{"User-Agent", "Accept-Encoding", "Host"},
		codings:   onlyChunks,
		framed:    true,
		percents:  wellFormed,
		methods:   capitals,
		dots:      true,
		slashes:   true,
		digest:    true,
		eager:     true,
		anyAuth:   true,
		visible:   true,
		fixed:     fieldNames{"Content-Length"},
		counts:    enclosing,
		says: []string{"createDirs", "followRedirects", "maxRedirects", "locationTrusted", "maxTime", "connectTimeout", "retry", "insecure", "tlsMin", "tlsMax",
			"cert", "unixSocket"},
		proxies:  []string{"http", "socks5"},
		versions: []string{"1.0", "1.1", "2"},
	},
}

func writePowerShell(p *program) {
	p.join(p.sections(0, func(c *call, suffix string) {
		r := powerShellRequest{p: p, c: c, suffix: suffix}
		r.write()
	}))
}

// A powerShellRequest writes one call of Invoke-WebRequest.
type powerShellRequest struct {
	p         *program
	c         *call
	suffix    string
	entries   []node
	unchecked bool // values of fields are sent as they are
}

// powerShellString returns a literal: in single quotes, in which nothing has a
// meaning, but for controls, which need double ones.
func powerShellString(s string) string {
	if strings.ContainsFunc(s, func(c rune) bool { return c < ' ' && c != '\n' || c == 0x7f || quote.Turns(c) }) || escapesBreaks(s) {
		return `"` + powerShellEscaped(s) + `"`
	}
	b := []byte{'\''}
	for _, c := range s {
		if c == '\'' || c >= '‘' && c <= '‛' { // a quotation mark for PowerShell
			b = utf8.AppendRune(b, c)
		}
		b = utf8.AppendRune(b, c)
	}
	return string(append(b, '\''))
}

// powerShellEscaped returns a text for the inside of double quotes.
func powerShellEscaped(s string) string {
	var b []byte
	lines := hasLines(s)
	for _, c := range s {
		switch escape := lineEscape(c); {
		case c == '\n' && lines:
			b = append(b, '\n')
		case escape != 0:
			b = append(b, '`', escape)
		case c < ' ' || c == 0x7f || quote.Turns(c):
			b = append(b, "$([char]"+itoa(int(c))+")"...)
		case c == '`' || c == '$' || c == '"' || c >= '“' && c <= '„':
			b = utf8.AppendRune(append(b, '`'), c)
		default:
			b = utf8.AppendRune(b, c)
		}
	}
	return string(b)
}

// powerShellVariable returns a look-up in the environment.
func powerShellVariable(v *request.Variable) string {
	expr := "$env:" + v.Name
	if !isPowerShellKey(v.Name) {
		expr = "${env:" + strings.ReplaceAll(v.Name, "`", "``") + "}"
	}
	if v.HasDefault {
		expr = "(" + expr + " ?? " + powerShellString(v.Default) + ")"
	}
	switch v.Encoding {
	case userPart:
		return "(" + expr + " -split ':', 2)[0]"
	case passwordPart:
		return "(" + expr + " -split ':', 2)[1]"
	case lastSegment:
		return "(Split-Path -Leaf " + expr + ")"
	case request.Percent:
		return "[uri]::EscapeDataString(" + expr + ")"
	case request.FormEncode:
		return "[uri]::EscapeDataString(" + expr + ").Replace('%20', '+')"
	case request.JSONEscape:
		return "(" + expr + ` -replace '["\\]', '\$0')`
	}
	return expr
}

// text returns an expression for a string.
func (r *powerShellRequest) text(t text) string {
	if !t.isText() {
		r.p.refuse("sends no bytes there that are not UTF-8")
	}
	if s, ok := t.plain(); ok {
		return powerShellString(s)
	}
	if len(t) == 1 {
		return powerShellVariable(t[0].variable)
	}
	var b strings.Builder
	for i := range t {
		if t[i].variable == nil {
			b.WriteString(powerShellEscaped(t[i].literal))
			continue
		}
		expr := powerShellVariable(t[i].variable)
		name, isName := strings.CutPrefix(expr, "$env:")
		switch {
		case !isName:
			expr = "$(" + expr + ")"
		case i+1 < len(t) && powerShellGoesOn(t[i+1]):
			expr = "${env:" + name + "}"
		}
		b.WriteString(expr)
	}
	return `"` + b.String() + `"`
}

// powerShellGoesOn reports whether what follows a variable would belong to its
// name.
func powerShellGoesOn(next part) bool {
	if next.variable != nil || next.literal == "" {
		return false
	}
	c := next.literal[0]
	return ascii.IsNameByte(c) || c == ':' || c == '?' || c >= utf8.RuneSelf
}

// name returns a variable of this call.
func (r *powerShellRequest) name(s string) string { return "$" + s + r.suffix }

// entry returns an entry of a table.
func powerShellEntry(name string, value node) node {
	if !isPowerShellKey(name) {
		name = powerShellString(name)
	}
	n := named(name, " = ", value)
	n.key = utf8.RuneCountInString(name)
	return n
}

// isPowerShellKey reports whether a name of an entry needs no quotes.
func isPowerShellKey(name string) bool {
	return !ascii.IsDigit(name[0]) && strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") == ""
}

// powerShellTable returns a table: an entry on each line.
func powerShellTable(head string, entries []node) node {
	n := group(head, "@{", entries, "}")
	n.glued, n.pad, n.broken = true, true, len(entries) > 1
	n.width = min(n.width+2, tooWide)
	return n
}

func (r *powerShellRequest) add(name, value string) { r.addNode(name, leaf(value)) }

func (r *powerShellRequest) addNode(name string, value node) {
	r.entries = append(r.entries, powerShellEntry(name, value))
}

func (r *powerShellRequest) flag(asked bool, name string) {
	if asked {
		r.add(name, "$true")
	}
}

func (r *powerShellRequest) write() {
	r.uri()
	if method := r.c.Method; !slices.Contains([]string{"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "MERGE"}, method) {
		r.add("CustomMethod", powerShellString(method))
	} else if method != "GET" {
		r.add("Method", powerShellString(method[:1]+strings.ToLower(method[1:])))
	}
	r.credentials()
	chunked := r.c.streamed()
	if f := r.c.field("Content-Type"); f != nil {
		f.derived = true
		r.add("ContentType", r.text(f.value))
	} else if r.c.Method == "POST" && r.c.body.kind != noBody && r.c.body.kind != multipartBody {
		r.p.refuse("gives content of POST a type")
	}
	content := r.content()
	r.headers()
	if content.head != "" || content.open != "" {
		r.entries = append(r.entries, content)
	}
	if chunked {
		r.add("TransferEncoding", "'chunked'")
	}
	r.exchange()
	r.flag(r.unchecked, "SkipHeaderValidation")
	r.send()
}

// uri adds the URL.
func (r *powerShellRequest) uri() {
	url := r.c.url
	if !url.isText() {
		url = percentEncoded(url, "")
	}
	s := r.text(url)
	if r.c.guess {
		r.p.line(r.name("uri"), " = ", s)
		r.p.line("if (", r.name("uri"), " -notmatch '://') { ", r.name("uri"), ` = "http://`, r.name("uri"), `" } # as curl does`)
		s = r.name("uri")
	}
	r.add("Uri", s)
}

// credential writes the statement that makes a credential, and returns its
// variable.
func (r *powerShellRequest) credential(variable string, user, password text) string {
	secure := "(ConvertTo-SecureString " + r.text(password) + " -AsPlainText)"
	if len(password.source()) == 0 {
		secure = "[securestring]::new()"
	}
	r.p.line(r.name(variable), " = [pscredential]::new(", r.text(user), ", ", secure, ")")
	return r.name(variable)
}

// credentials adds those of the user: with a field of its own where a
// credential takes no such name.
func (r *powerShellRequest) credentials() {
	both := r.c.basic
	if both == nil && r.c.digest != nil {
		both = r.c.digest
	}
	if both == nil {
		return
	}
	if len(both.user.source()) == 0 {
		if r.c.digest != nil {
			r.p.refuse("has no credential without a name")
		} else {
			r.c.field("Authorization").derived = false
		}
		return
	}
	credential := r.credential("credential", both.user, both.password)
	if r.c.basic != nil {
		r.add("Authentication", "'Basic'")
	}
	r.add("Credential", credential)
	r.flag(r.c.basic != nil && !r.c.secure(), "AllowUnencryptedAuthentication")
}

// powerShellLoose are fields that HttpClient takes in any form.
var powerShellLoose = []string{"accept", "authorization", "cookie", "origin", "referer"}

func (r *powerShellRequest) headers() {
	var items []node
	for _, f := range r.c.joined() {
		if f.derived {
			continue
		}
		value := r.text(f.value)
		if f.is("Authorization") && r.c.basic != nil {
			value = "'Basic ' + [Convert]::ToBase64String([Text.Encoding]::UTF8.GetBytes(" + r.text(r.c.basic.joined()) + "))"
		}
		items = append(items, powerShellEntry(f.name, leaf(value)))
		known := len(f.name) > 1 && (f.name[0] == 'X' || f.name[0] == 'x') && f.name[1] == '-'
		r.unchecked = r.unchecked || !known && !slices.Contains(powerShellLoose, strings.ToLower(f.name))
	}
	if len(items) > 0 {
		r.addNode("Headers", powerShellTable("", items))
	}
}

// content returns the entry for the body, after statements that it needs.
func (r *powerShellRequest) content() node {
	switch r.c.body.kind {
	case rawBody:
		return powerShellEntry("Body", leaf(r.bytes(r.c.body.data)))
	case fileBody:
		if r.c.body.file.source() == "-" {
			return powerShellEntry("Body", leaf("[Console]::OpenStandardInput()"))
		}
		return powerShellEntry("InFile", leaf(r.text(r.c.body.file)))
	case pieceBody:
		return powerShellEntry("Body", joinPieces(r.c.body.list, r.utf8, r.file, func(items []node) node {
			return powerShellSum(items)
		}))
	case multipartBody:
		if n, ok := r.form(); ok {
			return powerShellEntry("Form", n)
		}
		return powerShellEntry("Body", leaf(r.parts()))
	}
	return node{}
}

// powerShellSum returns the bytes of several expressions, joined.
func powerShellSum(items []node) node {
	for i := range items[:len(items)-1] {
		items[i].head += " +"
	}
	n := group("[byte[]]", "(", items, ")")
	n.glued, n.broken, n.width = true, true, tooWide
	return n
}

// bytes returns an expression for content: a string where it is ASCII.
func (r *powerShellRequest) bytes(t text) string {
	if t.isASCII() {
		return r.text(t)
	}
	return r.utf8(t)
}

// utf8 returns an expression for the bytes of a text.
func (r *powerShellRequest) utf8(t text) string {
	if s, ok := t.plain(); ok && !utf8.ValidString(s) {
		return "[Convert]::FromBase64String('" + base64.StdEncoding.EncodeToString([]byte(s)) + "')"
	}
	return "[Text.Encoding]::UTF8.GetBytes(" + r.text(t) + ")"
}

// file returns an expression for the bytes of a file, changed as curl changes
// it.
func (r *powerShellRequest) file(one piece) string {
	stdin := one.file.source() == "-"
	if !one.strip && !one.urlencode && one.offset == 0 && !stdin {
		return "(Get-Content -AsByteStream -Raw " + r.text(one.file) + ")"
	}
	if one.offset > 0 {
		r.p.refuse("sends no part of a file")
	}
	read := "(Get-Content -Raw " + r.text(one.file) + ")"
	if stdin {
		read = "[Console]::In.ReadToEnd()"
	}
	if one.strip {
		read = "(" + read + " -replace '[\\r\\n\\0]')"
	}
	if one.urlencode {
		read = "[uri]::EscapeDataString(" + read + ").Replace('%20', '+')"
	}
	if len(one.name) > 0 {
		read = r.text(one.prefix()) + " + " + read
	}
	return "[Text.Encoding]::UTF8.GetBytes(" + read + ")"
}

// form returns the table of a form that Invoke-WebRequest makes itself: it
// gives each file the same type, and its own name.
func (r *powerShellRequest) form() (node, bool) {
	items := make([]node, len(r.c.body.part))
	seen := make(map[string]bool)
	for i := range r.c.body.part {
		p := &r.c.body.part[i]
		if !p.simple() || hasVariable(p.name) || seen[strings.ToLower(p.Name)] || strings.ContainsAny(p.Name, "\"\\\r\n") || !ascii.Only(p.Name) {
			return node{}, false
		}
		seen[strings.ToLower(p.Name)] = true
		value := r.text(p.value)
		switch {
		case p.isFile():
			file := p.file.source()
			base := file[strings.LastIndexAny(file, `/\`)+1:]
			if file == "-" || p.filename == nil || *p.filename != base || !ascii.Only(base) || p.contentType == nil || *p.contentType != "application/octet-stream" {
				return node{}, false
			}
			value = "Get-Item " + r.text(p.file)
		case p.contentType != nil || p.filename != nil:
			return node{}, false
		}
		items[i] = powerShellEntry(p.Name, leaf(value))
	}
	head := ""
	if len(items) > 1 {
		head = "[ordered]"
	}
	return powerShellTable(head, items), true
}

// parts writes the statements that make a form of HttpClient, part by part, and
// returns its variable.
func (r *powerShellRequest) parts() string {
	form := r.name("form")
	r.p.line(form, " = [Net.Http.MultipartFormDataContent]::new()")
	for i := range r.c.body.part {
		p := &r.c.body.part[i]
		content := r.utf8(p.value)
		if p.isFile() {
			content = r.file(piece{file: p.file})
		}
		part := r.name("part")
		r.p.line(part, " = [Net.Http.ByteArrayContent]::new(", content, ")")
		for _, line := range p.lines(r.c.Body.FormEscape, inForm) {
			if name, value, found := cutLine(line); found {
				r.p.line("$null = ", part, ".Headers.TryAddWithoutValidation(", powerShellString(name), ", ", r.text(value), ")")
			}
		}
		r.p.line(form, ".Add(", part, ")")
	}
	return form
}

// exchange adds what shapes the exchange.
func (r *powerShellRequest) exchange() {
	switch {
	case !r.c.follow:
		r.add("MaximumRedirection", "0")
	case r.c.maxRedirects < 0:
		r.add("MaximumRedirection", "[int]::MaxValue")
	default:
		r.add("MaximumRedirection", itoa(int(r.c.maxRedirects)))
	}
	if r.c.follow && r.c.trusted {
		r.flag(true, "PreserveAuthorizationOnRedirect")
	} else if r.c.follow && r.c.field("Authorization") != nil {
		r.p.differs("leaves out Authorization when it is redirected")
	}
	r.flag(!r.c.fail, "SkipHttpErrorCheck")
	r.flag(r.c.insecure, "SkipCertificateCheck")
	if refused := r.c.refusesTLS(); len(refused) > 0 {
		var names []string
		for _, version := range tlsVersions {
			if !slices.Contains(refused, version) {
				names = append(names, "Tls"+strings.TrimSuffix(strings.ReplaceAll(version, "_", ""), "10")) // Tls is 1.0
			}
		}
		r.add("SslProtocol", "'"+strings.Join(names, ", ")+"'")
	}
	if limit := max(r.c.timeout, r.c.connectTimeout); limit > 0 {
		r.add("TimeoutSec", itoa(int(math.Ceil(limit))))
	}
	if r.c.retries > 0 {
		r.p.differs("tries again after each status from 400")
		r.add("MaximumRetryCount", itoa(int(r.c.retries)))
		r.add("RetryIntervalSec", "1")
	}
	if len(r.c.cert) > 0 {
		r.add("Certificate", "[Security.Cryptography.X509Certificates.X509Certificate2]::CreateFromPemFile("+r.text(r.c.cert)+", "+r.text(r.c.certKey())+")")
	}
	if r.c.proxyScheme() != "" {
		address, user, password := r.c.proxyParts()
		r.add("Proxy", r.text(address))
		if len(user) > 0 {
			r.add("ProxyCredential", r.credential("proxyCredential", user, password))
		}
	}
	if len(r.c.unixSocket) > 0 {
		r.add("UnixSocket", r.text(r.c.unixSocket))
	}
	switch r.c.httpVersion {
	case "1.0":
		r.add("HttpVersion", "'1.0'")
	case "2":
		r.add("HttpVersion", "'2.0'")
	}
}

// send writes the call, and what is done with the response.
func (r *powerShellRequest) send() {
	to := r.c.destination(r.p.options)
	if to == toFile {
		if folder := r.c.folder(); folder != nil {
			r.p.line("$null = New-Item -ItemType Directory -Force -Path ", r.text(folder))
		}
		r.add("OutFile", r.text(r.c.output))
	}
	parameters, response := r.name("parameters"), r.name("response")
	table := powerShellTable("", r.entries)
	table.broken = true
	r.p.node(parameters+" = ", table, "")
	call := "Invoke-WebRequest @" + parameters[1:]
	switch {
	case to == toFile:
		r.p.line(call)
	case to == discarded && !r.p.options.Bare:
		r.p.line("$null = ", call)
	default:
		r.p.line(response, " = ", call)
	}
	switch to {
	case headersPrinted:
		r.p.line(response, ".Headers")
	case contentPrinted:
		r.p.line(response, ".Content")
	}
}
