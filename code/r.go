package code

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"uncoil/internal/engine/source/quote"
	"uncoil/request"
)

// What httr2 0.2 of R does by itself, measured on the wire: it adds User-Agent,
// Accept and Accept-Encoding; writes methods in capitals; leaves out fields
// without a value; follows redirects and stops at errors unless told not to.
// It sends with curl, whose options it takes.
var rHTTR2 = Target{
	Name: "r", Language: "r", Client: "httr2", Version: "0.2", Kind: Code, Extension: "R",
	Aliases: []string{"r-httr2", "httr2"}, Proven: true, style: style{indent: "  ", comment: "# ", wraps: "="}, write: writeR,
	client: client{
		loopback:  true,
		bodiless:  []string{"HEAD"}, // it becomes a POST
		fixed:     fieldNames{"Expect"},
		unended:   true,
		loose:     true,
		adds:      fieldNames{"User-Agent", "Accept", "Accept-Encoding"},
		single:    fieldNames{"Content-Type"},
		methods:   capitals,
		target:    true,
		guesses:   true,
		digest:    true,
		quotes:    true,
		after:     []string{"cookies"},
		emptyHost: true,
		says: []string{"createDirs", "cookieEngine", "followRedirects", "maxRedirects", "autoReferer", "locationTrusted", "maxTime", "connectTimeout", "retry", "insecure", "cacert", "cert", "tlsMin", "tlsMax",
			"cookieFiles", "cookieJar", "unixSocket", "noproxy", "resolve", "connectTo"},
		shares:   fieldNames{"Authorization"},
		proxies:  libcurl.proxies,
		versions: libcurl.versions,
	},
}

// rReadRaw reads a file.
const rReadRaw = `read_raw <- function(path) readBin(path, "raw", file.size(path))`

// rPercent percent-encodes bytes, which may hold what no string of R does.
const rPercent = `percent <- function(bytes) {
  plain <- bytes %in% charToRaw(paste0(c(letters, LETTERS, 0:9, "_.~-"), collapse = ""))
  encoded <- paste0("%", toupper(format(bytes)))
  encoded[bytes == charToRaw(" ")] <- "+"
  encoded[plain] <- rawToChar(bytes[plain], multiple = TRUE)
  paste(encoded, collapse = "")
}`

// encodeR is req_body_form.
var encodeR = formEncoder{"_.-~", false}

func writeR(p *program) {
	sections := p.sections(0, func(c *call, suffix string) {
		r := rRequest{p: p, c: c, suffix: suffix}
		r.write()
	})
	if !p.options.Bare {
		p.line("library(httr2)")
		p.line()
	}
	for _, helper := range p.helpers {
		for line := range strings.Lines(helper) {
			p.line(strings.TrimSuffix(line, "\n"))
		}
		p.line()
	}
	p.join(sections)
}

// rString returns a literal in double quotes, or in single ones where it has
// double ones, or a raw one where it has several lines.
func rString(s string) string {
	if strings.Contains(s, `"`) && !strings.ContainsAny(s, `'\`) && unescaped(s) {
		return "'" + s + "'"
	}
	if spansLines(s) {
		dashes := rDashes(s)
		return `r"` + dashes + "(" + s + ")" + dashes + `"`
	}
	quoted := doubleQuoted(s, "")
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
		b = appendQuoted(append(b, '\n'), s[:n], "", hexEscape)
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

func rVariable(v *request.Variable) string {
	expr := "Sys.getenv(" + rString(v.Name) + ")"
	if v.HasDefault {
		expr = "Sys.getenv(" + rString(v.Name) + ", " + rString(v.Default) + ")"
	}
	switch v.Encoding {
	case userPart:
		return `sub(":.*", "", ` + expr + ")"
	case passwordPart:
		return `sub("^[^:]*:?", "", ` + expr + ")"
	case lastSegment:
		return "basename(" + expr + ")"
	case request.Percent:
		return "curl::curl_escape(" + expr + ")"
	case request.FormEncode:
		return `gsub("%20", "+", curl::curl_escape(` + expr + "), fixed = TRUE)"
	case request.JSONEscape:
		return `gsub('(["\\\\])', "\\\\\\1", ` + expr + ")"
	}
	return expr
}

// An rRequest writes one call with httr2.
type rRequest struct {
	p       *program
	c       *call
	suffix  string
	steps   []node // of the pipe
	options []node // those of curl
}

// text returns an expression for a string.
func (r *rRequest) text(t text) string {
	if s, ok := t.plain(); ok {
		return rString(s)
	}
	terms := make([]string, len(t))
	for i, one := range t {
		if one.variable != nil {
			terms[i] = rVariable(one.variable)
		} else {
			terms[i] = rString(one.literal)
		}
	}
	if len(terms) == 1 {
		return terms[0]
	}
	return "paste0(" + strings.Join(terms, ", ") + ")"
}

func (r *rRequest) step(name string, arguments ...node) {
	r.steps = append(r.steps, group(name, "(", arguments, ")"))
}

// option adds an option of curl.
func (r *rRequest) option(name string, value node) {
	r.options = append(r.options, named(name, " = ", value))
}

func (r *rRequest) write() {
	content := r.content()
	switch has := r.c.body.kind != noBody; {
	case r.c.Method == "GET" && !has, r.c.Method == "POST" && has:
	default:
		r.step("req_method", leaf(rString(r.c.Method)))
	}
	r.fieldSteps()
	if r.c.basic != nil {
		r.step("req_auth_basic", leaf(r.text(r.c.basic.user)), leaf(r.text(r.c.basic.password)))
	}
	r.steps = append(r.steps, content...)
	r.exchange()
	if len(r.options) > 0 {
		r.step("req_options", r.options...)
	}
	if !r.c.fail {
		r.step("req_error", leaf(`is_error = \(response) FALSE`))
	}
	to := r.c.destination(r.p.options)
	if to == toFile {
		if folder := r.c.folder(); folder != nil {
			r.p.line("dir.create(", r.text(folder), ", showWarnings = FALSE, recursive = TRUE)")
		}
		r.step("req_perform", leaf("path = "+r.text(r.c.output)))
	} else {
		r.step("req_perform")
	}
	response := "response" + r.suffix
	r.p.node(response+" <- ", group("request", "(", []node{leaf(r.text(r.c.url))}, ")"), " |>")
	r.p.level++
	for i, s := range r.steps {
		after := " |>"
		if i+1 == len(r.steps) {
			after = ""
		}
		r.p.node("", s, after)
	}
	r.p.level--
	switch to {
	case headersPrinted:
		r.p.line("print(resp_headers(", response, "))")
	case contentPrinted:
		r.p.line("cat(rawToChar(", response, "$body))")
	}
}

// sslVersion returns the number for the lowest and the highest version of TLS:
// CURL_SSLVERSION_TLSv1_0 is 4, and those of the highest stand 16 bits further up.
func (r *rRequest) sslVersion() int {
	number := func(member string) int {
		if i := r.c.tlsPlace(member); i >= 0 {
			return 4 + i
		}
		return 0
	}
	return number("tlsMin") + number("tlsMax")<<16
}

func (r *rRequest) fieldSteps() {
	var names []string
	var items []node
	for _, f := range r.c.fields {
		if f.derived {
			continue
		}
		if f.is("Referer") && r.c.member("autoReferer") != nil {
			r.option("referer", leaf(r.text(f.value)))
			continue
		}
		if f.value.source() == "" && !f.is("Host") {
			r.p.refuse("leaves out fields without a value")
		}
		names = append(names, f.name)
		items = append(items, leaf(r.name(f.name)+" = "+r.text(f.value)))
	}
	find := r.c.finder()
	for _, name := range r.c.removed {
		if find(name) == nil && isToken(name) { // no client adds another
			items = append(items, leaf(rName(name)+` = ""`)) // curl leaves it out
		}
	}
	if len(items) > 0 {
		r.step("req_headers", rArguments(names, items)...)
	}
}

// rArguments returns the named arguments of a function of httr2 that takes any
// names. R gives an argument to a parameter whose name begins with that of the
// argument: those of these functions, and of what they call, are data and some
// with a dot in front. A list that is spliced in is safe from that.
func rArguments(names []string, items []node) []node {
	taken := func(name string) bool { return strings.HasPrefix(name, ".") || strings.HasPrefix("data", name) }
	if slices.ContainsFunc(names, taken) {
		return []node{group("!!!list", "(", items, ")")}
	}
	return items
}

// name returns the name of an argument, which R takes as characters only.
func (r *rRequest) name(name string) string {
	if !utf8.ValidString(name) {
		r.p.refuse("has no place for names that are not UTF-8")
	}
	return rName(name)
}

// rName returns the name of an argument that is UTF-8.
func rName(name string) string {
	if isIdentifier(name) && !strings.Contains(name, "_") && !slices.Contains([]string{"if", "else", "for", "in", "function", "TRUE", "FALSE", "NULL"}, name) {
		return name
	}
	var b []byte
	for _, c := range name {
		switch {
		case c == '\\' || c == '`':
			b = append(b, '\\', byte(c))
		case quote.Turns(c):
			b = appendCodeUnit(b, c)
		default:
			b = utf8.AppendRune(b, c)
		}
	}
	return "`" + string(b) + "`"
}

// raw returns a step that sends exact bytes.
func (r *rRequest) raw(function string, content node) []node {
	arguments := []node{content}
	if f := r.c.field("Content-Type"); f != nil && f.value.source() != "" {
		f.derived = true
		arguments = append(arguments, leaf(r.text(f.value)))
	}
	return []node{group(function, "(", arguments, ")")}
}

// content returns the step that sets the content.
func (r *rRequest) content() []node {
	switch r.c.body.kind {
	case rawBody:
		names := pairNames(r.c.body.form)
		if r.c.isForm(&encodeR) && plainNames(names) {
			items := make([]node, len(names))
			for i, p := range r.c.body.form {
				items[i] = leaf(r.name(names[i]) + " = " + r.text(decoded(p.value)))
			}
			r.c.field("Content-Type").derived = true
			return []node{group("req_body_form", "(", rArguments(names, items), ")")}
		}
		return r.raw("req_body_raw", r.bytes(r.c.body.data))
	case multipartBody:
		if names, items, ok := r.parts(); ok {
			return []node{group("req_body_multipart", "(", rArguments(names, items), ")")}
		}
		r.p.reportTypes(r.c)
		return r.raw("req_body_raw", r.pieces(r.c.rawForm()))
	case fileBody:
		if r.c.body.file.source() != "-" && r.c.retries == 0 && !r.c.follow { // it is read once
			return r.raw("req_body_file", leaf(r.text(r.c.body.file)))
		}
		return r.raw("req_body_raw", leaf(r.file(piece{file: r.c.body.file})))
	case pieceBody:
		return r.raw("req_body_raw", r.pieces(r.c.body.list))
	}
	return nil
}

// bytes returns a string, or a vector of bytes where it is no text.
func (r *rRequest) bytes(t text) node {
	s, known := t.plain()
	switch text := utf8.ValidString(s) && strings.IndexByte(s, 0) < 0; {
	case text && isLong(s) && !spansLines(s):
		return r.p.inParts("paste0", "(", s, ")", ",", rString)
	case text || !known:
		return leaf(r.text(t))
	}
	items := make([]node, len(s))
	for i := range len(s) {
		items[i] = leaf("0x" + string([]byte{hexDigits[s[i]>>4], hexDigits[s[i]&15]}))
	}
	return group("as.raw(c", "(", items, "))")
}

// parts returns the names and the arguments that make a form.
func (r *rRequest) parts() (names []string, items []node, ok bool) {
	names, items = make([]string, len(r.c.body.part)), make([]node, len(r.c.body.part))
	for i := range r.c.body.part {
		p := &r.c.body.part[i]
		file := p.file.source()
		if !p.helped() || hasVariable(p.name) || r.c.Body.FormEscape || strings.ContainsAny(p.Name, "\"\\\r\n") {
			return nil, nil, false
		}
		value := leaf(r.text(p.value))
		switch {
		case p.isFile() && (p.filename == nil || p.contentType == nil || file == "-" || *p.filename != file[strings.LastIndexByte(file, '/')+1:]),
			!p.isFile() && p.filename != nil, !p.value.isText():
			return nil, nil, false
		case p.isFile():
			arguments := []node{leaf(r.text(p.file))}
			if !p.guessed() { // libcurl guesses as well
				arguments = append(arguments, leaf("type = "+rString(*p.contentType)))
			}
			value = group("curl::form_file", "(", arguments, ")")
		case p.contentType != nil:
			value = group("curl::form_data", "(", []node{value, leaf("type = " + rString(*p.contentType))}, ")")
		}
		names[i], items[i] = p.Name, named(r.name(p.Name), " = ", value)
	}
	return names, items, true
}

// file returns an expression for the bytes of a file, changed as curl changes
// it.
func (r *rRequest) file(one piece) string {
	read := "read_raw(" + r.text(one.file) + ")"
	if one.file.source() == "-" {
		read = `readBin(file("stdin", "rb"), "raw", 1e9)`
	} else {
		r.p.help(rReadRaw)
	}
	if one.offset > 0 {
		read = "tail(" + read + ", -" + strconv.FormatInt(one.offset, 10) + ")"
	}
	if one.strip {
		read = "Filter(\\(byte) !byte %in% as.raw(c(0, 10, 13)), " + read + ")"
	}
	if one.urlencode {
		r.p.help(rPercent)
		read = "charToRaw(percent(" + read + "))"
	}
	return read
}

func (r *rRequest) pieces(pieces []piece) node {
	var items []node
	raw := func(t text) {
		n := r.bytes(t)
		if !strings.HasPrefix(n.head, "as.raw") {
			n = group("charToRaw", "(", []node{n}, ")")
		}
		items = append(items, n)
	}
	for _, one := range pieces {
		if one.isText {
			raw(one.text)
			continue
		}
		if len(one.name) > 0 {
			raw(one.prefix())
		}
		items = append(items, leaf(r.file(one)))
	}
	if len(items) == 1 {
		return items[0]
	}
	return group("c", "(", items, ")")
}

// exchange adds what shapes the exchange.
func (r *rRequest) exchange() {
	if r.c.timeout > 0 {
		r.step("req_timeout", leaf(seconds(r.c.timeout)))
	}
	if r.c.retries > 0 {
		r.step("req_retry", leaf("max_tries = "+strconv.FormatInt(r.c.retries+1, 10)),
			leaf(`is_transient = \(response) resp_status(response) %in% c(`+retryStatuses+")"))
	}
	for _, o := range []struct {
		asked       bool
		name, value string
	}{
		{!r.c.follow, "followlocation", "FALSE"},
		{r.c.follow, "maxredirs", strconv.FormatInt(r.c.maxRedirects, 10)},
		{r.c.trusted, "unrestricted_auth", "TRUE"},
		{r.c.follow && r.c.member("autoReferer") != nil, "autoreferer", "TRUE"},
		{dotSegments(r.c.URL), "path_as_is", "TRUE"},
		{r.c.Target != "", "request_target", r.text(r.c.requestTarget())},
		{r.c.connectTimeout > 0, "connecttimeout_ms", milliseconds(r.c.connectTimeout)},
		{r.c.insecure, "ssl_verifypeer", "FALSE"},
		{r.c.insecure, "ssl_verifyhost", "FALSE"},
		{len(r.c.refusesTLS()) > 0, "sslversion", itoa(r.sslVersion())},
		{r.c.digest != nil, "httpauth", "2"},
		{len(r.c.proxyUser) > 0 || strings.Contains(r.c.proxy.source(), "@"), "proxyauth", "1"}, // R asks the proxy first
		{r.c.noProxy != "", "noproxy", rString(r.c.noProxy)},
		{r.c.httpVersion == "1.0", "http_version", "1"},
		{r.c.httpVersion == "1.1", "http_version", "2"},
		{r.c.httpVersion == "2", "http_version", "3"},
	} {
		if o.asked {
			r.option(o.name, leaf(o.value))
		}
	}
	if c := r.c.digest; c != nil {
		r.option("username", leaf(r.text(c.user)))
		r.option("password", leaf(r.text(c.password)))
	}
	for _, o := range []struct {
		name  string
		value text
	}{
		{"cainfo", r.c.caFile}, {"sslcert", r.c.cert}, {"sslkey", r.c.key}, {"proxy", r.c.proxy}, {"proxyuserpwd", r.c.proxyUser},
		{"unix_socket_path", r.c.unixSocket}, {"cookiejar", r.c.cookieJar},
	} {
		if len(o.value) > 0 {
			r.option(o.name, leaf(r.text(o.value)))
		}
	}
	for _, name := range r.c.cookieFiles {
		r.option("cookiefile", leaf(r.text(name)))
	}
	for _, o := range []struct {
		name string
		list []string
	}{{"resolve", r.c.resolve}, {"connect_to", r.c.connectTo}} {
		var items []node
		for _, s := range o.list {
			items = append(items, leaf(rString(s)))
		}
		if len(items) > 0 {
			r.option(o.name, group("c", "(", items, ")"))
		}
	}
}
