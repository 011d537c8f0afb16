package rlang

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/libcurl"
	"uncoil/code/internal/plan"
	"uncoil/internal/engine/source/quote"
	"uncoil/request"
)

// convention is what is customary in the language.
var convention = plan.Convention{Language: "r", Manifest: plan.Manifest{File: "DESCRIPTION", Line: "Imports: $n (>= $v)"}}

// What httr2 0.2 of R does by itself, measured on the wire: it adds User-Agent,
// Accept and Accept-Encoding; writes methods in capitals; leaves out fields
// without a value; follows redirects and stops at errors unless told not to.
// It sends with curl, whose options it takes.
var HTTR2 = plan.Target{
	Name: "r", Convention: &convention, Client: "httr2", Version: "0.2", Kind: plan.Code, Extension: "R",
	Packages: []plan.Package{{Name: "httr2", Version: "0.2"}},
	Aliases:  []string{"r-httr2", "httr2"}, Proven: true, Style: emit.Style{Indent: "  ", Comment: "# ", Wraps: "="}, Write: writeR,
	Facts: plan.Client{
		Loopback: true,
		Rules: plan.Rules{
			plan.SendsNoContent("HEAD"),
			plan.SendsNoEmptyChunks,
			plan.SendsOnce("Content-Type"),
			plan.SendsMethods(plan.Capitals),
		},
		Fixed:     plan.FieldNames{"Expect"},
		Loose:     true,
		Adds:      plan.FieldNames{"User-Agent", "Accept", "Accept-Encoding"},
		Target:    true,
		Guesses:   true,
		Digest:    true,
		Quotes:    true,
		JarFiles:  true,
		After:     []string{"cookies"},
		EmptyHost: true,
		Proxies:   libcurl.Libcurl.Proxies,
		Versions:  libcurl.Libcurl.Versions,
	},
}

// readRaw reads a file.
const readRaw = `read_raw <- function(path) readBin(path, "raw", file.size(path))`

// percent percent-encodes bytes, which may hold what no string of R does.
const percent = `percent <- function(bytes) {
  plain <- bytes %in% charToRaw(paste0(c(letters, LETTERS, 0:9, "_.~-"), collapse = ""))
  encoded <- paste0("%", toupper(format(bytes)))
  encoded[bytes == charToRaw(" ")] <- "+"
  encoded[plain] <- rawToChar(bytes[plain], multiple = TRUE)
  paste(encoded, collapse = "")
}`

// encodeR is req_body_form.
var encodeR = plan.FormEncoder{Safe: "_.-~", Plus: false}

func writeR(p *plan.Program) { writeLibrary(p, httr2, (*rRequest).write) }

// The packages that a program may load.
const (
	httr2 = "httr2"
	httr  = "httr"
	rcurl = "RCurl"
)

// writeLibrary writes a program that loads a package, whose requests write writes.
func writeLibrary(p *plan.Program, library string, write func(r *rRequest)) {
	sections := p.Sections(0, func(c *plan.Call, suffix string) {
		write(&rRequest{p: p, c: c, library: library, suffix: suffix})
	})
	p.Head(func() {
		p.Line("library(", library, ")")
		p.Line()
	})
	for _, helper := range p.Helpers {
		for line := range strings.Lines(helper) {
			p.Line(strings.TrimSuffix(line, "\n"))
		}
		p.Line()
	}
	p.Join(sections)
}

// String returns a literal in double quotes, or in single ones where it has
// double ones, or a raw one where it has several lines.
func String(s string) string {
	if strings.Contains(s, `"`) && !strings.ContainsAny(s, `'\`) && emit.Unescaped(s) {
		return "'" + s + "'"
	}
	if emit.SpansLines(s) {
		dashes := rDashes(s)
		return `r"` + dashes + "(" + s + ")" + dashes + `"`
	}
	quoted := emit.DoubleQuoted(s, "")
	if len(quoted) < longestR || !strings.Contains(quoted, `\`) {
		return quoted
	}
	const part = longestR / len(`\x12`)
	b := append(make([]byte, 0, len(quoted)+len(quoted)/64), "paste0("...)
	for s != "" {
		n := min(len(s), part)
		for range utf8.UTFMax - 1 {
			if n < len(s) && !utf8.RuneStart(s[n]) {
				n--
			}
		}
		b = emit.AppendQuoted(append(b, '\n'), s[:n], "", emit.HexEscape)
		if s = s[n:]; s != "" {
			b = append(b, ',')
		}
	}
	return string(append(b, "\n)"...))
}

// longestR is how long a literal with escapes may be on its line: Rscript 4.2 reads 4,096
// bytes of a line at a time, and mistakes an escape that stands where they end.
const longestR = 4000

// rDashes returns the dashes that a raw literal needs, so that nothing in it ends it.
func rDashes(s string) string {
	needed := 0
	for {
		_, after, found := strings.Cut(s, ")")
		if !found {
			return strings.Repeat("-", needed)
		}
		s = strings.TrimLeft(after, "-")
		if n := len(after) - len(s); n >= needed && strings.HasPrefix(s, `"`) {
			needed = n + 1
		}
	}
}

// variable returns an expression for a variable.
func (r *rRequest) variable(v *request.Variable) string {
	escape := "curl::curl_escape("
	if r.library == rcurl {
		escape = "curlEscape("
	}
	expr := "Sys.getenv(" + String(v.Name) + ")"
	if v.HasDefault {
		expr = "Sys.getenv(" + String(v.Name) + ", " + String(v.Default) + ")"
	}
	switch v.Encoding {
	case plan.UserPart:
		return `sub(":.*", "", ` + expr + ")"
	case plan.PasswordPart:
		return `sub("^[^:]*:?", "", ` + expr + ")"
	case plan.LastSegment:
		return "basename(" + expr + ")"
	case request.EncodingPercent:
		return escape + expr + ")"
	case request.EncodingForm:
		return `gsub("%20", "+", ` + escape + expr + "), fixed = TRUE)"
	case request.EncodingJSON:
		return `gsub('(["\\\\])', "\\\\\\1", ` + expr + ")"
	}
	return expr
}

// An rRequest writes one call.
type rRequest struct {
	p       *plan.Program
	c       *plan.Call
	library string // the package that sends it
	suffix  string
	steps   []emit.Node // of the pipe, or the arguments of the function
	options []emit.Node // those of curl
}

// text returns an expression for a string.
func (r *rRequest) text(t plan.Text) string {
	if s, ok := t.Plain(); ok {
		return String(s)
	}
	terms := make([]string, len(t))
	for i, one := range t {
		if one.Variable != nil {
			terms[i] = r.variable(one.Variable)
		} else {
			terms[i] = String(one.Literal)
		}
	}
	if len(terms) == 1 {
		return terms[0]
	}
	return "paste0(" + strings.Join(terms, ", ") + ")"
}

func (r *rRequest) step(name string, arguments ...emit.Node) {
	r.steps = append(r.steps, emit.Group(name, "(", arguments, ")"))
}

// option adds an option of curl.
func (r *rRequest) option(name string, value emit.Node) {
	r.options = append(r.options, emit.Named(name, " = ", value))
}

func (r *rRequest) write() {
	content := r.content()
	switch has := r.c.Content.Kind != plan.NoBody; {
	case r.c.Method == "GET" && !has, r.c.Method == "POST" && has:
	default:
		r.step("req_method", emit.Leaf(String(r.c.Method)))
	}
	r.fieldSteps()
	if r.c.Basic != nil {
		r.step("req_auth_basic", emit.Leaf(r.text(r.c.Basic.User)), emit.Leaf(r.text(r.c.Basic.Password)))
	}
	r.steps = append(r.steps, content...)
	if r.c.Timeout() > 0 {
		r.step("req_timeout", emit.Leaf(emit.Seconds(r.c.Timeout())))
	}
	if r.c.Retries() > 0 {
		r.step("req_retry", emit.Leaf("max_tries = "+strconv.FormatInt(r.c.Retries()+1, 10)),
			emit.Leaf(`is_transient = \(response) resp_status(response) %in% c(`+plan.RetryStatuses+")"))
	}
	r.exchange()
	if len(r.options) > 0 {
		r.step("req_options", r.options...)
	}
	if !r.c.Fail() {
		r.step("req_error", emit.Leaf(`is_error = \(response) FALSE`))
	}
	to := r.c.Destination(r.p.Options)
	if to == plan.ToFile {
		r.step("req_perform", emit.Leaf("path = "+r.output()))
	} else {
		r.step("req_perform")
	}
	response := "response" + r.suffix
	r.p.Node(response+" <- ", emit.Group("request", "(", []emit.Node{emit.Leaf(r.text(r.c.URLText))}, ")"), " |>")
	r.p.Level++
	for i, s := range r.steps {
		after := " |>"
		if i+1 == len(r.steps) {
			after = ""
		}
		r.p.Node("", s, after)
	}
	r.p.Level--
	r.keepOutput()
	switch to {
	case plan.HeadersPrinted:
		r.p.Line("print(resp_headers(", response, "))")
	case plan.ContentPrinted:
		r.p.Line("cat(rawToChar(", response, "$body))")
	}
}

// output returns the file for the response, after it has made its folder.
func (r *rRequest) output() string {
	if folder := r.c.Folder(); folder != nil {
		r.p.Line("dir.create(", r.text(folder), ", showWarnings = FALSE, recursive = TRUE)")
	}
	if r.c.KeepsFile(r.p.Options) {
		return r.text(r.c.PartOutput())
	}
	return r.text(r.c.Output())
}

// keepOutput gives the file of the response its name, where it is known to be no error.
func (r *rRequest) keepOutput() {
	if r.c.KeepsFile(r.p.Options) {
		r.p.Line("file.rename(", r.text(r.c.PartOutput()), ", ", r.text(r.c.Output()), ")")
	}
}

// sslVersion returns the number for the lowest and the highest version of TLS:
// CURL_SSLVERSION_TLSv1_0 is 4, and those of the highest stand 16 bits further up.
func (r *rRequest) sslVersion() int {
	number := func(member string) int {
		if i := r.c.TLSPlace(member); i >= 0 {
			return 4 + i
		}
		return 0
	}
	return number("tlsMin") + number("tlsMax")<<16
}

func (r *rRequest) fieldSteps() {
	var names []string
	var items []emit.Node
	for _, f := range r.c.Headers() {
		if f.Derived() {
			continue
		}
		if f.Is("Referer") && r.c.Member("autoReferer") != nil {
			r.option("referer", emit.Leaf(r.text(f.Value)))
			continue
		}
		if f.Value.Source() == "" && !f.Is("Host") {
			r.p.Refuse("leaves out fields without a value")
		}
		names = append(names, f.Name)
		items = append(items, emit.Leaf(r.name(f.Name)+" = "+r.text(f.Value)))
	}
	if items = append(items, r.withheld()...); len(items) > 0 {
		r.step("req_headers", rArguments(names, items)...)
	}
}

// withheld returns arguments that have curl leave out fields.
func (r *rRequest) withheld() (items []emit.Node) {
	find := r.c.Finder()
	for _, name := range r.c.Withheld {
		if find(name) == nil && plan.IsToken(name) { // no client adds another
			items = append(items, emit.Leaf(rName(name)+` = ""`))
		}
	}
	return items
}

// rArguments returns the named arguments of a function of httr2 that takes any
// names. R gives an argument to a parameter whose name begins with that of the
// argument: those of these functions, and of what they call, are data and some
// with a dot in front. A list that is spliced in is safe from that.
func rArguments(names []string, items []emit.Node) []emit.Node {
	taken := func(name string) bool { return strings.HasPrefix(name, ".") || strings.HasPrefix("data", name) }
	if slices.ContainsFunc(names, taken) {
		return []emit.Node{emit.Group("!!!list", "(", items, ")")}
	}
	return items
}

// name returns the name of an argument, which R takes as characters only.
func (r *rRequest) name(name string) string {
	if !utf8.ValidString(name) {
		r.p.Refuse("has no place for names that are not UTF-8")
	}
	return rName(name)
}

// rName returns the name of an argument that is UTF-8.
func rName(name string) string {
	if emit.IsIdentifier(name) && !strings.Contains(name, "_") && !slices.Contains([]string{"if", "else", "for", "in", "function", "TRUE", "FALSE", "NULL"}, name) {
		return name
	}
	var b []byte
	for _, c := range name {
		switch {
		case c == '\\' || c == '`':
			b = append(b, '\\', byte(c))
		case quote.Turns(c):
			b = emit.AppendCodeUnit(b, c)
		default:
			b = utf8.AppendRune(b, c)
		}
	}
	return "`" + string(b) + "`"
}

// raw returns a step that sends exact bytes.
func (r *rRequest) raw(function string, content emit.Node) []emit.Node {
	arguments := []emit.Node{content}
	if f := r.c.Field("Content-Type"); f != nil && f.Value.Source() != "" {
		r.c.Imply(f)
		arguments = append(arguments, emit.Leaf(r.text(f.Value)))
	}
	return []emit.Node{emit.Group(function, "(", arguments, ")")}
}

// content returns the step that sets the content.
func (r *rRequest) content() []emit.Node {
	switch r.c.Content.Kind {
	case plan.RawBody:
		names := plan.PairNames(r.c.Content.Form)
		if plan.PlainNames(names) && r.c.IsForm(&encodeR) {
			items := make([]emit.Node, len(names))
			for i, p := range r.c.Content.Form {
				items[i] = emit.Leaf(r.name(names[i]) + " = " + r.text(plan.Decoded(p.Value)))
			}
			r.c.Imply(r.c.Field("Content-Type"))
			return []emit.Node{emit.Group("req_body_form", "(", rArguments(names, items), ")")}
		}
		return r.raw("req_body_raw", r.bytes(r.c.Content.Data))
	case plan.MultipartBody:
		if names, items, ok := r.parts(); ok {
			return []emit.Node{emit.Group("req_body_multipart", "(", rArguments(names, items), ")")}
		}
		r.p.ReportTypes(r.c)
		return r.raw("req_body_raw", r.pieces(r.c.RawForm()))
	case plan.FileBody:
		if r.c.Content.File.Source() != "-" && r.c.Retries() == 0 && r.c.Stops() { // it is read once
			return r.raw("req_body_file", emit.Leaf(r.text(r.c.Content.File)))
		}
		return r.raw("req_body_raw", emit.Leaf(r.file(plan.Piece{File: r.c.Content.File})))
	case plan.PieceBody:
		return r.raw("req_body_raw", r.pieces(r.c.Content.List))
	}
	return nil
}

// bytes returns a string, or a vector of bytes where it is no text.
func (r *rRequest) bytes(t plan.Text) emit.Node {
	s, known := t.Plain()
	switch text := utf8.ValidString(s) && strings.IndexByte(s, 0) < 0; {
	case text && r.p.IsLong(s) && !emit.SpansLines(s):
		return r.p.InParts("paste0", "(", s, ")", ",", String)
	case text || !known:
		return emit.Leaf(r.text(t))
	}
	items := make([]emit.Node, len(s))
	for i := range len(s) {
		items[i] = emit.Leaf("0x" + string([]byte{emit.HexDigits[s[i]>>4], emit.HexDigits[s[i]&15]}))
	}
	return emit.Group("as.raw(c", "(", items, "))")
}

// parts returns the names and the arguments that make a form.
func (r *rRequest) parts() (names []string, items []emit.Node, ok bool) {
	names, items = make([]string, len(r.c.Content.Part)), make([]emit.Node, len(r.c.Content.Part))
	for i := range r.c.Content.Part {
		p := &r.c.Content.Part[i]
		file := p.FileText.Source()
		if !p.Helped() || plan.HasVariable(p.NameText) || r.c.Body.FormEscape || strings.ContainsAny(p.Name, "\"\\\r\n") {
			return nil, nil, false
		}
		value := emit.Leaf(r.text(p.ValueText))
		switch {
		case p.IsFile() && (p.FilenameText == nil || p.TypeText == nil || file == "-" || *p.FilenameText != file[strings.LastIndexByte(file, '/')+1:]),
			!p.IsFile() && p.FilenameText != nil, !p.ValueText.IsText():
			return nil, nil, false
		case p.IsFile():
			value = r.upload(p)
		case p.TypeText != nil:
			value = emit.Group("curl::form_data", "(", []emit.Node{value, emit.Leaf("type = " + String(*p.TypeText))}, ")")
		}
		names[i], items[i] = p.Name, emit.Named(r.name(p.Name), " = ", value)
	}
	return names, items, true
}

// upload returns the value that stands for a file in a form.
func (r *rRequest) upload(p *plan.FormPart) emit.Node {
	arguments := []emit.Node{emit.Leaf(r.text(p.FileText))}
	switch {
	case r.library == rcurl && p.GuessesType():
		return emit.Group("fileUpload", "(", arguments, ")")
	case r.library == rcurl:
		return emit.Group("fileUpload", "(", append(arguments, emit.Leaf("contentType = "+String(*p.TypeText))), ")")
	case p.GuessesType(): // libcurl guesses as well
		return emit.Group("curl::form_file", "(", arguments, ")")
	case r.library == httr:
		return emit.Group("upload_file", "(", append(arguments, emit.Leaf(String(*p.TypeText))), ")")
	}
	return emit.Group("curl::form_file", "(", append(arguments, emit.Leaf("type = "+String(*p.TypeText))), ")")
}

// file returns an expression for the bytes of a file, changed as curl changes
// it.
func (r *rRequest) file(one plan.Piece) string {
	read := "read_raw(" + r.text(one.File) + ")"
	if one.File.Source() == "-" {
		read = `readBin(file("stdin", "rb"), "raw", 1e9)`
	} else {
		r.p.Help(readRaw)
	}
	if one.Offset > 0 {
		read = "tail(" + read + ", -" + strconv.FormatInt(one.Offset, 10) + ")"
	}
	if one.Strip {
		read = "Filter(\\(byte) !byte %in% as.raw(c(0, 10, 13)), " + read + ")"
	}
	if one.Urlencode {
		r.p.Help(percent)
		read = "charToRaw(percent(" + read + "))"
	}
	return read
}

func (r *rRequest) pieces(pieces []plan.Piece) emit.Node {
	var items []emit.Node
	raw := func(t plan.Text) {
		n := r.bytes(t)
		if !strings.HasPrefix(n.Head, "as.raw") {
			n = emit.Group("charToRaw", "(", []emit.Node{n}, ")")
		}
		items = append(items, n)
	}
	for _, one := range pieces {
		if one.IsText {
			raw(one.Text)
			continue
		}
		if len(one.Name) > 0 {
			raw(one.Prefix())
		}
		items = append(items, emit.Leaf(r.file(one)))
	}
	if len(items) == 1 {
		return items[0]
	}
	return emit.Group("c", "(", items, ")")
}

// exchange adds what shapes the exchange.
func (r *rRequest) exchange() {
	reposts := 0
	if r.c.Content.Kind != plan.NoBody {
		reposts = libcurl.Reposts(r.c, false)
	}
	digest := r.c.Digest
	if r.library == httr && digest != nil && !digest.Colon() {
		digest = nil // a function gives it
	}
	for _, o := range []struct {
		asked       bool
		name, value string
	}{
		{r.c.Stops(), "followlocation", "FALSE"},
		{r.c.Follow(), "maxredirs", strconv.FormatInt(r.c.MaxRedirects(), 10)},
		{r.c.Strips() || !r.c.Trusted() && r.c.Follow() && r.c.Guarded(), "unrestricted_auth", "FALSE"}, // R lets them go to any host
		{r.c.Follow() && r.c.Member("autoReferer") != nil, "autoreferer", "TRUE"},
		{r.c.Follow() && reposts > 0, "postredir", emit.Itoa(reposts)},
		{plan.DotSegments(r.c.URL), "path_as_is", "TRUE"},
		{r.c.Target != "", "request_target", r.text(r.c.TargetText())},
		{r.c.ConnectTimeout() > 0, "connecttimeout_ms", emit.Milliseconds(r.c.ConnectTimeout())},
		{r.c.Insecure(), "ssl_verifypeer", "FALSE"},
		{r.c.Insecure(), "ssl_verifyhost", "FALSE"},
		{len(r.c.RefusesTLS()) > 0, "sslversion", emit.Itoa(r.sslVersion())},
		{digest != nil, "httpauth", "2"},
		{len(r.c.ProxyUser()) > 0 || strings.Contains(r.c.Proxy().Source(), "@"), "proxyauth", "1"}, // R asks the proxy first
		{r.c.NoProxy() != "", "noproxy", String(r.c.NoProxy())},
		{r.c.HTTPVersion() == "1.0", "http_version", "1"},
		{r.c.HTTPVersion() == "1.1", "http_version", "2"},
		{r.c.HTTPVersion() == "2", "http_version", "3"},
	} {
		if o.asked {
			r.option(o.name, emit.Leaf(o.value))
		}
	}
	if digest != nil {
		r.option("username", emit.Leaf(r.text(digest.User)))
		r.option("password", emit.Leaf(r.text(digest.Password)))
	}
	for _, o := range []struct {
		name  string
		value plan.Text
	}{
		{"cainfo", r.c.CaFile()}, {"sslcert", r.c.Cert()}, {"sslkey", r.c.Key()}, {"sslcerttype", r.c.TextOf("certType")},
		{"sslkeytype", r.c.TextOf("keyType")}, {"keypasswd", r.c.KeyPassword()}, {"proxy", r.c.Proxy()}, {"proxyuserpwd", r.c.ProxyUser()},
		{"unix_socket_path", r.c.UnixSocket()},
	} {
		if len(o.value) > 0 {
			r.option(o.name, emit.Leaf(r.text(o.value)))
		}
	}
	r.cookieFiles()
	for _, o := range []struct {
		name string
		list []string
	}{{"resolve", r.c.Resolve()}, {"connect_to", r.c.ConnectTo()}} {
		var items []emit.Node
		for _, s := range o.list {
			items = append(items, emit.Leaf(String(s)))
		}
		if len(items) > 0 {
			r.option(o.name, emit.Group("c", "(", items, ")"))
		}
	}
}

// cookieFiles adds the files of cookies. httr takes an option once, and forgets the file to
// write before curl would write it.
func (r *rRequest) cookieFiles() {
	if r.library != httr || len(r.c.Asked.CookieFiles) < 2 {
		for _, name := range r.c.CookieFiles() {
			r.option("cookiefile", emit.Leaf(r.text(name)))
		}
	}
	if r.library == httr {
		return
	}
	if name := r.c.CookieOutput(); len(name) > 0 {
		r.option("cookiejar", emit.Leaf(r.text(name)))
	}
}
