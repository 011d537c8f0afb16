package dotnet

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
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
var PowerShell = plan.Target{
	Name: "powershell", Convention: &powerShellConvention, Client: "Invoke-WebRequest", Version: "7.4", Kind: plan.Code, Extension: "ps1", Tried: plan.Parsed,
	Why:     "Tree-sitter's grammar of PowerShell reads them; no PowerShell has run them",
	Aliases: []string{"pwsh", "powershell-webrequest", "invoke-webrequest"},
	Style:   powerShellStyle, Write: writePowerShell, Facts: powerShellFacts,
}

// RestMethod is Invoke-RestMethod, whose answer is the content: the objects of JSON, and
// text of the rest. It is of one class with Invoke-WebRequest, and sends the same.
var RestMethod = plan.Target{
	Name: "powershell-restmethod", Convention: &powerShellConvention, Client: "Invoke-RestMethod", Version: "7.4", Kind: plan.Code, Extension: "ps1", Tried: plan.Parsed,
	Why:     "Tree-sitter's grammar of PowerShell reads them; no PowerShell has run them",
	Aliases: []string{"invoke-restmethod"},
	Style:   powerShellStyle, Write: writePowerShell, Facts: powerShellFacts,
}

var powerShellConvention = plan.Convention{Language: "powershell", TextJSON: true}

var powerShellStyle = emit.Style{Indent: "    ", Comment: "# ", Align: true}

var powerShellFacts = plan.Client{
	Specified: plan.ByURL,
	Adds:      plan.FieldNames{"User-Agent", "Accept-Encoding"},
	Always:    plan.FieldNames{"User-Agent", "Accept-Encoding", "Host"},
	Rules: plan.Rules{
		plan.SendsCodings(plan.OnlyChunks),
		plan.CodesContentOnly,
		plan.ReadsURLs(plan.WellFormed),
		plan.SendsMethods(plan.Capitals),
		plan.RemovesDots,
		plan.VisibleFields,
	},
	Slashes:  true,
	Digest:   true,
	Auths:    []string{"ntlm", "negotiate"},
	Eager:    true,
	AnyAuth:  true,
	Fixed:    plan.FieldNames{"Content-Length"},
	Counts:   plan.Enclosing,
	Proxies:  []string{"http", "socks5"},
	Versions: []string{"1.0", "1.1", "2"},
}

func writePowerShell(p *plan.Program) {
	p.Join(p.Sections(0, func(c *plan.Call, suffix string) {
		r := powerShellRequest{p: p, c: c, suffix: suffix}
		r.write()
	}))
}

// A powerShellRequest writes one call.
type powerShellRequest struct {
	p         *plan.Program
	c         *plan.Call
	suffix    string
	entries   []emit.Node
	unchecked bool // values of fields are sent as they are
}

// PowerShellString returns a literal: in single quotes, in which nothing has a
// meaning, but for controls, which need double ones.
func PowerShellString(s string) string {
	if strings.ContainsFunc(s, func(c rune) bool { return c < ' ' && c != '\n' || c == 0x7f || quote.Turns(c) }) || emit.EscapesBreaks(s) {
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
	lines := emit.HasLines(s)
	for _, c := range s {
		switch escape := emit.LineEscape(c); {
		case c == '\n' && lines:
			b = append(b, '\n')
		case escape != 0:
			b = append(b, '`', escape)
		case c < ' ' || c == 0x7f || quote.Turns(c):
			b = append(b, "$([char]"+emit.Itoa(int(c))+")"...)
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
		expr = "(" + expr + " ?? " + PowerShellString(v.Default) + ")"
	}
	switch v.Encoding {
	case plan.UserPart:
		return "(" + expr + " -split ':', 2)[0]"
	case plan.PasswordPart:
		return "(" + expr + " -split ':', 2)[1]"
	case plan.LastSegment:
		return "(Split-Path -Leaf " + expr + ")"
	case request.EncodingPercent:
		return "[uri]::EscapeDataString(" + expr + ")"
	case request.EncodingForm:
		return "[uri]::EscapeDataString(" + expr + ").Replace('%20', '+')"
	case request.EncodingJSON:
		return "(" + expr + ` -replace '["\\]', '\$0')`
	}
	return expr
}

// text returns an expression for a string.
func (r *powerShellRequest) text(t plan.Text) string {
	if !t.IsText() {
		r.p.Refuse("sends no bytes there that are not UTF-8")
	}
	if s, ok := t.Plain(); ok {
		return PowerShellString(s)
	}
	if len(t) == 1 {
		return powerShellVariable(t[0].Variable)
	}
	var b strings.Builder
	for i := range t {
		if t[i].Variable == nil {
			b.WriteString(powerShellEscaped(t[i].Literal))
			continue
		}
		expr := powerShellVariable(t[i].Variable)
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

// block returns an expression for a text of several lines: a here-string, in which quotes need no
// escape.
func (r *powerShellRequest) block(t plan.Text) string {
	text := t.Literals()
	ends := strings.NewReplacer("‘", "'", "’", "'", "‚", "'", "‛", "'", "“", "'", "”", "'", "„", "'", `"`, "'").Replace(text)
	isDefaulted := func(one plan.Part) bool { return one.Variable != nil && one.Variable.HasDefault } // which may have quotes
	if r.p.Exact() || slices.ContainsFunc(t, isDefaulted) || !strings.Contains(text, "\n") || strings.Contains("\n"+ends, "\n'@") ||
		strings.ContainsFunc(text, func(c rune) bool { return c < ' ' && c != '\n' || c == 0x7f || quote.Turns(c) }) || emit.EscapesBreaks(text) {
		return r.text(t)
	}
	if s, ok := t.Plain(); ok {
		return "@'\n" + s + "\n'@"
	}
	inner := strings.TrimSuffix(strings.TrimPrefix(r.text(t), `"`), `"`)
	return "@\"\n" + strings.ReplaceAll(inner, "`\"", `"`) + "\n\"@"
}

// powerShellGoesOn reports whether what follows a variable would belong to its
// name.
func powerShellGoesOn(next plan.Part) bool {
	if next.Variable != nil || next.Literal == "" {
		return false
	}
	c := next.Literal[0]
	return ascii.IsNameByte(c) || c == ':' || c == '?' || c >= utf8.RuneSelf
}

// name returns a variable of this call.
func (r *powerShellRequest) name(s string) string { return "$" + s + r.suffix }

// entry returns an entry of a table.
func powerShellEntry(name string, value emit.Node) emit.Node {
	if !isPowerShellKey(name) {
		name = PowerShellString(name)
	}
	n := emit.Named(name, " = ", value)
	n.Key = int32(utf8.RuneCountInString(name))
	return n
}

// isPowerShellKey reports whether a name of an entry needs no quotes.
func isPowerShellKey(name string) bool {
	return !ascii.IsDigit(name[0]) && strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") == ""
}

// powerShellTable returns a table: an entry on each line.
func powerShellTable(head string, entries []emit.Node) emit.Node {
	n := emit.Group(head, "@{", entries, "}").Padded()
	n.Glued, n.Broken = true, len(entries) > 1
	return n
}

func (r *powerShellRequest) add(name, value string) { r.addNode(name, emit.Leaf(value)) }

func (r *powerShellRequest) addNode(name string, value emit.Node) {
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
		r.add("CustomMethod", PowerShellString(method))
	} else if method != "GET" {
		r.add("Method", PowerShellString(method[:1]+strings.ToLower(method[1:])))
	}
	r.credentials()
	chunked := r.c.Streamed()
	content, pairs := r.pairs()
	if f := r.c.Field("Content-Type"); pairs && r.c.Method == "POST" && r.c.LeavesType() {
		// Invoke-WebRequest names the type of a table.
	} else if f != nil {
		r.c.Imply(f)
		r.add("ContentType", r.text(f.Value))
		if slices.ContainsFunc(r.c.Given(), func(h plan.Field) bool { return h.Is("Content-Type") && !h.Derived() }) {
			r.p.Refuse("sends a single Content-Type")
		}
	} else if r.c.Method == "POST" && r.c.Content.Kind != plan.NoBody && r.c.Content.Kind != plan.MultipartBody {
		r.p.Refuse("gives content of POST a type")
	}
	if !pairs {
		content = r.content()
	}
	r.headers()
	if content.Head != "" || content.Open != "" {
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
	url := r.c.URLText
	if !url.IsText() {
		url = plan.PercentEncoded(url, "")
	}
	s := r.text(url)
	if r.c.Guess {
		r.p.Line(r.name("uri"), " = ", s)
		r.p.Line("if (", r.name("uri"), " -notmatch '://') { ", r.name("uri"), ` = "http://`, r.name("uri"), `" } # as curl does`)
		s = r.name("uri")
	}
	r.add("Uri", s)
}

// credential writes the statement that makes a credential, and returns its
// variable.
func (r *powerShellRequest) credential(variable string, user, password plan.Text) string {
	secure := "(ConvertTo-SecureString " + r.text(password) + " -AsPlainText)"
	if len(password.Source()) == 0 {
		secure = "[securestring]::new()"
	}
	r.p.Line(r.name(variable), " = [pscredential]::new(", r.text(user), ", ", secure, ")")
	return r.name(variable)
}

// credentials adds those of the user: with a field of its own where a
// credential takes no such name.
func (r *powerShellRequest) credentials() {
	both := cmp.Or(r.c.Basic, r.c.Digest, r.c.Negotiated)
	if r.c.Negotiated != nil {
		r.p.OnDemand(r.c)                  // with the domain in the name
		if both.Joined().Source() == ":" { // those of whoever runs the program
			r.add("UseDefaultCredentials", "$true")
			return
		}
	}
	if both == nil {
		return
	}
	if len(both.User.Source()) == 0 {
		if r.c.Digest != nil {
			r.p.Refuse("has no credential without a name")
		} else {
			r.c.Spell("Authorization")
		}
		return
	}
	credential := r.credential("credential", both.User, both.Password)
	if r.c.Basic != nil {
		r.add("Authentication", "'Basic'")
	}
	r.add("Credential", credential)
	r.flag(r.c.Basic != nil && !r.c.Secure(), "AllowUnencryptedAuthentication")
}

// powerShellStrict are fields whose values HttpClient parses, and may refuse: KnownHeaders.cs of
// .NET 8. Some of them, such as Accept and Authorization, are taken as they are written here.
var powerShellStrict = strings.Fields(`
	accept-charset accept-encoding accept-language accept-ranges age allow cache-control connection content-disposition
	content-encoding content-language content-length content-location content-md5 content-range content-type date etag expect
	expires from host if-match if-modified-since if-none-match if-range if-unmodified-since last-modified location
	max-forwards pragma proxy-authenticate proxy-authorization range retry-after server te trailer transfer-encoding upgrade
	user-agent vary via warning www-authenticate`)

// isChecked reports a field that HttpClient may refuse.
func isChecked(f *plan.Field) bool {
	coding := f.Is("Accept-Encoding") && !plan.HasVariable(f.Value) && strings.Trim(f.Value.Source(), "abcdefghijklmnopqrstuvwxyz, ") == ""
	return !coding && slices.Contains(powerShellStrict, strings.ToLower(f.Name))
}

func (r *powerShellRequest) headers() {
	var items []emit.Node
	for _, f := range r.c.Joined() {
		if f.Derived() {
			continue
		}
		value := r.text(f.Value)
		if f.Is("Authorization") && r.c.Basic != nil {
			value = "'Basic ' + [Convert]::ToBase64String([Text.Encoding]::UTF8.GetBytes(" + r.text(r.c.Basic.Joined()) + "))"
		}
		items = append(items, powerShellEntry(f.Name, emit.Leaf(value)))
		r.unchecked = r.unchecked || isChecked(&f)
	}
	if len(items) > 0 {
		r.addNode("Headers", powerShellTable("", items))
	}
}

// exchange adds what shapes the exchange.
func (r *powerShellRequest) exchange() {
	answers := r.c.Digest != nil || r.c.Negotiated != nil // whichever host asks
	if answers && r.c.Asked.Follow && !r.c.Trusted() {
		r.p.Stays(r.c, "with credentials for whichever host asks")
	}
	switch {
	case r.c.Stops() || answers && !r.c.Follow():
		r.add("MaximumRedirection", "0")
	case r.c.LeavesRedirects():
	case r.c.MaxRedirects() < 0:
		r.add("MaximumRedirection", "[int]::MaxValue")
	default:
		r.add("MaximumRedirection", emit.Itoa(int(r.c.MaxRedirects())))
	}
	if r.c.Follow() && r.c.Trusted() {
		r.flag(true, "PreserveAuthorizationOnRedirect")
	} else if r.c.Follow() && r.c.Field("Authorization") != nil {
		r.p.Differs("leaves out Authorization when it is redirected")
	}
	r.flag(!r.c.Fail(), "SkipHttpErrorCheck")
	r.flag(r.c.Insecure(), "SkipCertificateCheck")
	if refused := r.c.RefusesTLS(); len(refused) > 0 {
		var names []string
		for _, version := range plan.TLSVersions {
			if !slices.Contains(refused, version) {
				names = append(names, "Tls"+strings.TrimSuffix(strings.ReplaceAll(version, "_", ""), "10")) // Tls is 1.0
			}
		}
		r.add("SslProtocol", "'"+strings.Join(names, ", ")+"'")
	}
	if limit := max(r.c.Timeout(), r.c.ConnectTimeout()); limit > 0 {
		r.add("TimeoutSec", emit.Itoa(int(math.Ceil(limit))))
	}
	if r.c.Retries() > 0 {
		r.p.Differs("tries again after each status from 400")
		r.add("MaximumRetryCount", emit.Itoa(int(r.c.Retries())))
		r.add("RetryIntervalSec", "1")
	}
	if len(r.c.Cert()) > 0 {
		r.add("Certificate", "[Security.Cryptography.X509Certificates.X509Certificate2]::"+r.certificate())
	}
	if r.c.ProxyScheme() != "" {
		address, user, password := r.c.ProxyParts()
		r.add("Proxy", r.text(address))
		if len(user) > 0 {
			r.add("ProxyCredential", r.credential("proxyCredential", user, password))
		}
	}
	if len(r.c.UnixSocket()) > 0 {
		r.add("UnixSocket", r.text(r.c.UnixSocket()))
	}
	switch r.c.HTTPVersion() {
	case "1.0":
		r.add("HttpVersion", "'1.0'")
	case "2":
		r.add("HttpVersion", "'2.0'")
	}
}

// send writes the call, and what is done with the response.
func (r *powerShellRequest) send() {
	to := r.c.Destination(r.p.Options)
	if to == plan.ToFile {
		if folder := r.c.Folder(); folder != nil {
			r.p.Line("$null = New-Item -ItemType Directory -Force -Path ", r.text(folder))
		}
		r.add("OutFile", r.text(r.c.Output()))
	}
	parameters, response := r.name("parameters"), r.name("response")
	head, content := response+".Headers", response+".Content"
	if r.p.Target.Client == "Invoke-RestMethod" {
		head, content = r.name("headers"), response
		if to == plan.HeadersPrinted {
			r.add("ResponseHeadersVariable", "'"+head[1:]+"'")
		}
	}
	table := powerShellTable("", r.entries)
	table.Broken = true
	r.p.Node(parameters+" = ", table, "")
	call := r.p.Target.Client + " @" + parameters[1:]
	switch {
	case to == plan.ToFile:
		r.p.Line(call)
	case to == plan.Discarded && !r.p.Options.Bare:
		r.p.Line("$null = ", call)
	default:
		r.p.Line(response, " = ", call)
	}
	switch to {
	case plan.HeadersPrinted:
		r.p.Line(head)
	case plan.ContentPrinted:
		r.p.Line(content)
	}
}

// certificate returns the call that reads the client's certificate.
func (r *powerShellRequest) certificate() string {
	phrase := r.c.KeyPassword()
	switch cert := r.text(r.c.Cert()); {
	case r.c.Archive() && len(phrase) > 0:
		return "new(" + cert + ", " + r.text(phrase) + ")"
	case r.c.Archive():
		return "new(" + cert + ")"
	case len(phrase) > 0:
		return "CreateFromEncryptedPemFile(" + cert + ", " + r.text(phrase) + ", " + r.text(r.c.CertKey()) + ")"
	default:
		return "CreateFromPemFile(" + cert + ", " + r.text(r.c.CertKey()) + ")"
	}
}
