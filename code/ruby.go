package code

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"uncoil/internal/engine/ascii"
	"uncoil/request"
)

// What Net::HTTP of Ruby 3.1 does by itself, measured on the wire: it adds
// Accept-Encoding, Accept and User-Agent; writes names with capitals; joins
// fields of one name by a comma; gives content without a type that of a form;
// follows no redirects, so a program does that itself. A path that is given as a
// string goes out as it is.
var rubyNetHTTP = Target{
	Name: "ruby", Language: "ruby", Client: "Net::HTTP", Version: "3.1", Kind: Code, Extension: "rb",
	Aliases: []string{"ruby-net-http", "net-http", "rb"}, Proven: true,
	style: style{indent: "  ", comment: "# ", wraps: "="}, write: writeRuby,
	client: client{
		loose:     true,
		answers:   true,
		codings:   onlyChunks,
		adds:      fieldNames{"Accept-Encoding", "Accept", "User-Agent"},
		emptyHost: true,
		hosts:     rubyHost,
		names:     rubyName,
		encoding:  true,
		says:      slices.Concat(ownRedirects, []string{"createDirs", "maxTime", "connectTimeout", "retry", "insecure", "cacert", "cert", "tlsMin", "tlsMax", "resolve", "connectTo"}),
		proxies:   []string{"http"},
	},
}

var rubyLanguage = language{literal: rubyString, variable: rubyVariable, plus: " + ", inside: numberSign, escape: rubyQuote}

// rubyName is the rule of Net::HTTP for names of fields, which it writes with capitals:
// those of letters that are not ASCII have other bytes (capitalize in lib/net/http/header.rb).
func rubyName(name string) bool {
	hasCase := func(r rune) bool {
		return r >= utf8.RuneSelf && (unicode.IsLower(r) || unicode.IsUpper(r) || unicode.IsTitle(r))
	}
	return utf8.ValidString(name) && !strings.ContainsFunc(name, hasCase)
}

// rubyJSON is to_json.
var rubyJSON = encoder{item: ",", name: ":", number: plainNumber, keeps: plainNames}

// encodeRuby is URI.encode_www_form.
var encodeRuby = encodeWHATWG

func writeRuby(p *program) {
	p.writeRubyProgram(func(r *rubyRequest) { r.write() })
}

// writeRubyProgram writes a program with what write writes for each call.
func (p *program) writeRubyProgram(write func(*rubyRequest)) {
	sections := p.sections(0, func(c *call, _ string) { write(&rubyRequest{p: p, c: c}) })
	if !p.options.Bare {
		for _, name := range p.imports {
			p.line("require '", name, "'")
		}
		p.line()
	}
	for _, h := range p.helpers {
		p.dst = append(p.dst, h...)
		p.line()
	}
	p.join(sections)
}

// rubyString returns a literal in single quotes, or in double quotes where it
// has characters that need an escape.
func rubyString(s string) string {
	if single, ok := singleQuoted(s); ok {
		return single
	}
	if !utf8.ValidString(s) {
		return rubyQuote(s) + ".b"
	}
	return rubyQuote(s)
}

func rubyQuote(s string) string { return doubleQuoted(s, "#") }

func rubyVariable(p *program, v *request.Variable) string {
	expr := "ENV.fetch(" + rubyString(v.Name) + ")"
	if v.HasDefault {
		expr = "ENV.fetch(" + rubyString(v.Name) + ", " + rubyString(v.Default) + ")"
	}
	switch v.Encoding {
	case userPart:
		return expr + ".partition(':').first"
	case passwordPart:
		return expr + ".partition(':').last"
	case lastSegment:
		return "File.basename(" + expr + ")"
	case request.Percent:
		p.use("erb")
		return "ERB::Util.url_encode(" + expr + ")"
	case request.FormEncode:
		p.use("uri")
		return "URI.encode_www_form_component(" + expr + ")"
	case request.JSONEscape:
		p.use("json")
		return expr + ".to_json[1..-2]"
	}
	return expr
}

// rubyValue returns a JSON value as a literal.
func rubyValue(v *value) node {
	items := make([]node, len(v.items))
	for i := range v.items {
		items[i] = rubyValue(&v.items[i])
		if v.kind != objectValue {
			continue
		}
		items[i] = named(rubyKey(v.names[i]), "", items[i])
	}
	switch v.kind {
	case stringValue:
		return leaf(rubyString(v.text))
	case objectValue:
		n := braced(items)
		n.pad = len(items) > 0
		return n
	case arrayValue:
		return group("", "[", items, "]")
	}
	if v.text == "null" {
		return leaf("nil")
	}
	return leaf(v.text)
}

// rubyKey returns the left side of a member of a hash.
func rubyKey(name string) string {
	if !isIdentifier(name) {
		return rubyString(name) + " => "
	}
	return name + ": "
}

// retry writes what get does, again while the response is an error that may
// pass, as curl does: curl 8.22 src/tool_operate.c.
func (r *rubyRequest) retry(code string, get func()) {
	if r.c.retries == 0 {
		get()
		return
	}
	if !r.again {
		r.p.line("response = nil")
	}
	r.p.block(strconv.FormatInt(r.c.retries+1, 10)+".times do |attempt|", func() {
		r.p.line("sleep 2**(attempt - 1) if attempt.positive?")
		for _, stream := range r.streams {
			r.p.line(stream, ".rewind")
		}
		get()
		r.p.line("break unless [", retryStatuses, "].include?(", code, ")")
	})
	r.p.line("end")
}

// A rubyRequest writes one call with Net::HTTP.
type rubyRequest struct {
	p       *program
	c       *call
	files   int      // how many are opened
	input   string   // the variable that holds the standard input, or nothing
	streams []string // what the request reads when it is sent
	again   bool     // the exchange is in a loop
	sheds   bool     // a redirect may take away the content
	origin  string   // the condition of what goes to the first server only, or nothing
}

func (r *rubyRequest) text(t text) string { return rubyLanguage.text(r.p, t) }

var rubyClasses = []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"}

func (r *rubyRequest) write() {
	r.p.use("net/http")
	path := "uri"
	a, known := r.c.address()
	var to *addressParts // of a URL that URI does not read
	if known && !rubyURI(r.c.url.literals()) {
		to, path = &a, r.text(a.path)
	}
	if r.c.follow && to != nil {
		r.p.stays(r.c, "from such a URL")
	}
	var query []pair
	if to == nil {
		query = r.c.takeQuery(&encodeRuby, nil)
	}
	switch {
	case to != nil:
	case r.c.guess:
		r.p.line("url = ", r.text(r.c.url))
		r.p.line(`url = "http://#{url}" unless url.include?('://') # as curl does`)
		r.p.line("uri = URI(url)")
	default:
		r.p.node("uri = ", group("URI", "(", []node{leaf(r.text(r.c.url))}, ")"), "")
	}
	if query != nil {
		r.p.node("uri.query = ", r.wwwForm(query), "")
	}
	if r.c.follow {
		r.followed()
	} else {
		r.prepare(path)
		r.p.line()
		r.send(to)
	}
	r.result()
}

// followed writes the exchange again and again while the response is a redirect.
func (r *rubyRequest) followed() {
	if r.c.guarded() {
		r.origin = " if uri + '/' == origin"
		r.p.line("origin = uri + '/'")
	}
	statuses := r.c.emptying()
	if r.sheds = len(statuses) > 0; r.sheds {
		r.p.line("content = true")
	}
	if r.c.takesInput() {
		r.p.line("input = $stdin.binmode.read")
		r.input = "input"
	}
	loop := "loop do"
	if limit := r.c.maxRedirects; limit >= 0 {
		loop = strconv.FormatInt(limit+1, 10) + ".times do |redirects|"
	}
	r.p.line("response = nil")
	r.again = true
	r.p.block(loop, func() {
		r.prepare("uri")
		r.p.line()
		r.send(nil)
		r.p.line("break unless response.is_a?(Net::HTTPRedirection) && response['Location']")
		if limit := r.c.maxRedirects; limit >= 0 {
			r.p.line("raise 'too many redirects' if redirects == ", strconv.FormatInt(limit, 10))
		}
		r.p.line()
		r.p.line("uri = URI.join(uri, response['Location'])")
		switch {
		case len(statuses) == 1:
			r.p.line("content = false if response.code == '", statuses[0], "'")
		case len(statuses) > 1:
			r.p.line("content = false if %w[", strings.Join(statuses, " "), "].include?(response.code)")
		}
	})
	r.p.line("end")
}

// prepare writes the statements that make the request. Where a redirect may take
// away the content, the variable content says whether there is any.
func (r *rubyRequest) prepare(path string) {
	content := r.content()
	class := r.class()
	made := class + ".new(" + path + ")"
	switch {
	case class == "":
		has := strconv.FormatBool(r.c.body.kind != noBody)
		made = "Net::HTTPGenericRequest.new(" + rubyString(r.c.Method) + ", " + has + ", true, " + path + ")"
	case r.sheds && !r.c.keepsMethod:
		made = "(content ? " + class + " : Net::HTTP::Get).new(" + path + ")"
	}
	r.p.line("request = ", made)
	if !r.sheds {
		r.fieldLines(func(*field) bool { return true })
		r.deletions()
		r.typeless()
		content()
		return
	}
	r.fieldLines(func(f *field) bool { return !f.typesContent() })
	r.deletions()
	r.p.block("if content", func() {
		r.fieldLines((*field).typesContent)
		r.typeless()
		content()
	})
	r.p.line("end")
}

// class returns the class of the requests with the method, or nothing.
func (r *rubyRequest) class() string {
	method := r.c.Method
	if !slices.Contains(rubyClasses, method) {
		return ""
	}
	return "Net::HTTP::" + method[:1] + strings.ToLower(method[1:])
}

// rubyTLS returns the arguments for the lowest and the highest version of TLS.
func (c *call) rubyTLS() (items []node) {
	for _, o := range []struct{ name, member string }{{"min_version", "tlsMin"}, {"max_version", "tlsMax"}} {
		if version := c.tlsVersion(o.member); version != "" {
			items = append(items, leaf(o.name+": :TLS"+strings.TrimSuffix(version, "_0"))) // TLS1 is 1.0
		}
	}
	return items
}

// rubyURI reports whether URI reads a URL and gives it back as it was.
func rubyURI(url string) bool {
	return !strings.ContainsAny(url, " \"<>[]\\^`{|}'") && ascii.Only(url) && wellFormed(url)
}

// rubyHost reports whether URI takes a host, which it gets from the field too.
func rubyHost(host string) bool {
	host, _, _ = strings.Cut(host, ":")
	return ascii.Only(host) && !strings.ContainsFunc(host, func(c rune) bool { return c <= ' ' || strings.ContainsRune("\"#/<>?@[\\]^`{|}\x7f", c) })
}

// fieldLines writes the statements that set the fields which wanted takes.
func (r *rubyRequest) fieldLines(wanted func(*field) bool) {
	for _, f := range r.c.joined() {
		condition := ""
		if f.guarded() {
			condition = r.origin
		}
		switch {
		case !wanted(&f):
		case f.derived && f.is("Authorization"):
			r.p.line("request.basic_auth(", r.text(r.c.basic.user), ", ", r.text(r.c.basic.password), ")", condition)
		case f.derived:
		default:
			r.p.line("request[", rubyString(f.name), "] = ", r.text(f.value), condition)
		}
	}
}

// deletions writes the statements that delete what Net::HTTP adds.
func (r *rubyRequest) deletions() {
	for _, name := range r.c.removed {
		if ascii.EqualFold(name, "Host") || r.p.target.client.adds.has(name) {
			r.p.line("request.delete(", rubyString(name), ")")
		}
	}
}

// typeless keeps Net::HTTP from giving content a type.
func (r *rubyRequest) typeless() {
	hasType := r.c.body.kind != noBody || slices.Contains([]string{"POST", "PUT", "PATCH"}, r.c.Method)
	if hasType && r.c.body.kind != multipartBody && r.c.field("Content-Type") == nil {
		r.p.line("def request.supply_default_content_type; end # curl sends no type")
	}
}

// content returns what writes the statements that set the content, after those
// that open files.
func (r *rubyRequest) content() func() {
	switch r.c.body.kind {
	case rawBody:
		body := r.rawContent()
		return func() { r.setBody(body) }
	case multipartBody:
		return r.multipart()
	case fileBody:
		if r.c.body.file.source() == "-" {
			return func() { r.setBody(leaf(cmp.Or(r.input, "$stdin.read"))) }
		}
		name := r.text(r.c.body.file)
		return func() { r.setBody(leaf("File.binread(" + name + ")")) }
	case pieceBody:
		body := r.pieces(r.c.body.list)
		return func() { r.setBody(body) }
	}
	return func() {}
}

// setBody writes the statement that sets the content: a stream where it goes
// out in chunks, because Net::HTTP takes the field away from a string.
func (r *rubyRequest) setBody(body node) {
	if !r.c.chunked() {
		r.p.node("request.body = ", body, "")
		return
	}
	r.p.use("stringio")
	r.p.node("request.body_stream = ", wrapped("StringIO.new", body), "")
	stream := "request.body_stream"
	if r.sheds {
		stream += "&" // there may be none
	}
	r.streams = append(r.streams, stream)
}

func (r *rubyRequest) rawContent() node {
	data, known := r.c.body.data.plain()
	if r.c.body.json != nil && known && rubyJSON.prints(r.c.body.json, data) && !strings.ContainsAny(data, "\u2028\u2029\x7f") {
		r.p.use("json")
		n := rubyValue(r.c.body.json)
		n.close += ".to_json"
		n.width += len(".to_json")
		return n
	}
	if r.c.isForm(&encodeRuby) {
		r.p.use("uri")
		return r.wwwForm(r.c.body.form)
	}
	return rubyLanguage.content(r.p, r.c.body.data)
}

// wwwForm returns a call that encodes pairs as a form is.
func (r *rubyRequest) wwwForm(pairs []pair) node {
	if distinct(pairNames(pairs)) {
		return group("URI.encode_www_form", "(", r.hashItems(pairs), ")")
	}
	items := make([]node, len(pairs))
	for i, p := range pairs {
		items[i] = group("", "[", []node{leaf(r.text(decoded(p.name))), leaf(r.text(decoded(p.value)))}, "]")
	}
	return group("URI.encode_www_form", "(", []node{group("", "[", items, "]")}, ")")
}

// hashItems returns pairs as the items of a hash.
func (r *rubyRequest) hashItems(pairs []pair) []node {
	items := make([]node, len(pairs))
	for i, p := range pairs {
		items[i] = named(rubyKey(p.name.source()), "", leaf(r.text(decoded(p.value))))
	}
	return items
}

func (r *rubyRequest) multipart() func() {
	simple := !r.c.Body.FormEscape
	for i := range r.c.body.part {
		p := &r.c.body.part[i]
		simple = simple && p.helped() && !strings.ContainsAny(p.Name, "\"\\\r\n") && p.value.isText() &&
			(p.filename != nil && p.contentType != nil && !strings.ContainsAny(*p.filename, "\"\\\r\n") && p.file.source() != "-" || p.filename == nil && p.contentType == nil && !p.isFile())
	}
	if !simple {
		body := r.pieces(r.c.rawForm())
		return func() { r.setBody(body) }
	}
	items := make([]node, len(r.c.body.part))
	for i := range r.c.body.part {
		p := &r.c.body.part[i]
		part := []node{leaf(r.text(p.name)), leaf(r.text(p.value))}
		if p.isFile() {
			variable := nth("file", "", &r.files)
			r.p.line(variable, " = File.open(", r.text(p.file), ", 'rb')")
			part[1] = leaf(variable)
			r.streams = append(r.streams, variable)
		}
		if p.filename != nil {
			filename := rubyString(*p.filename)
			if p.implied {
				filename = "File.basename(" + r.text(p.file) + ")"
			}
			part = append(part, braced([]node{leaf("filename: " + filename), leaf("content_type: " + rubyString(*p.contentType))}))
		}
		items[i] = group("", "[", part, "]")
	}
	form := group("request.set_form", "(", []node{group("", "[", items, "]"), leaf("'multipart/form-data'")}, ")")
	return func() { r.p.node("", form, "") }
}

// file returns an expression for the content of a file, changed as curl
// changes it.
func (r *rubyRequest) file(one piece) string {
	read := "File.binread(" + r.text(one.file) + ")"
	if one.file.source() == "-" {
		read = cmp.Or(r.input, "$stdin.binmode.read")
	}
	if one.offset > 0 {
		read += ".byteslice(" + strconv.FormatInt(one.offset, 10) + "..)"
	}
	if one.strip {
		read += `.delete("\r\n\0")`
	}
	if one.urlencode {
		r.p.use("uri")
		read = "URI.encode_www_form_component(" + read + ").gsub('*', '%2A').gsub('%7E', '~')"
	}
	if len(one.name) > 0 {
		read = r.text(one.prefix()) + " + " + read
	}
	return read
}

func (r *rubyRequest) pieces(pieces []piece) node {
	return joinPieces(pieces, r.bytes, r.file, func(items []node) node { return group("", "[", items, "].join") })
}

// bytes returns an expression for a text that can be joined with bytes.
func (r *rubyRequest) bytes(t text) string {
	s := r.text(t)
	if !t.isASCII() && len(t) == 1 && !strings.HasSuffix(s, ".b") {
		s += ".b"
	}
	return s
}

// send writes the statement that sends the request: to a host, or to that of
// the variable uri.
func (r *rubyRequest) send(a *addressParts) {
	arguments := []node{leaf("uri.hostname"), leaf("uri.port")}
	if a != nil {
		host, _ := a.host.plain()
		port := a.portOr()
		if !isInteger(port) {
			port = rubyString(port) // a placeholder
		}
		arguments = []node{leaf(rubyString(strings.Trim(host, "[]"))), leaf(port)}
	}
	arguments = append(arguments, r.proxyArguments()...)
	arguments = append(arguments, r.elsewhere()...)
	switch {
	case r.again:
		arguments = append(arguments, leaf("use_ssl: uri.scheme == 'https'"))
	case r.c.secure():
		arguments = append(arguments, leaf("use_ssl: true"))
	case r.c.url[0].variable != nil && a == nil:
		arguments = append(arguments, leaf("use_ssl: uri.scheme == 'https'"))
	}
	if r.c.insecure {
		arguments = append(arguments, leaf("verify_mode: OpenSSL::SSL::VERIFY_NONE"))
	}
	if len(r.c.caFile) > 0 {
		arguments = append(arguments, leaf("ca_file: "+r.text(r.c.caFile)))
	}
	if len(r.c.cert) > 0 {
		arguments = append(arguments, leaf("cert: OpenSSL::X509::Certificate.new(File.read("+r.text(r.c.cert)+"))"),
			leaf("key: OpenSSL::PKey.read(File.read("+r.text(r.c.certKey())+"))"))
	}
	if r.c.encrypts {
		arguments = append(arguments, r.c.rubyTLS()...)
	}
	if r.c.connectTimeout > 0 {
		arguments = append(arguments, leaf("open_timeout: "+seconds(r.c.connectTimeout)))
	}
	if r.c.timeout > 60 { // the default of what one reading takes
		arguments = append(arguments, leaf("read_timeout: "+seconds(r.c.timeout)))
	}
	r.retry("response.code.to_i", func() {
		if r.c.timeout == 0 {
			r.start("response = ", arguments)
			return
		}
		r.p.use("timeout")
		r.p.block("response = Timeout.timeout("+seconds(r.c.timeout)+") do", func() { r.start("", arguments) })
		r.p.line("end")
	})
}

// elsewhere returns the argument for another host than the URL's to connect to. Its
// port is that of the URL.
func (r *rubyRequest) elsewhere() []node {
	host, port := r.c.connection()
	a, _ := r.c.address()
	if host == "" || port != a.portOr() || r.c.proxyScheme() != "" {
		r.p.loseAddress(r.c)
		return nil
	}
	to := rubyString(strings.Trim(host, "[]"))
	if r.again {
		to = "(" + to + " if uri.host == " + rubyString(a.host.source()) + " && uri.port == " + port + ")"
	}
	return []node{leaf("ipaddr: " + to)}
}

func (r *rubyRequest) start(before string, arguments []node) {
	r.p.node(before, group("Net::HTTP.start", "(", arguments, ")"), " do |http|")
	r.p.level++
	r.exchange()
	r.p.level--
	r.p.line("end")
}

// exchange writes the statements that send the request and return the response.
func (r *rubyRequest) exchange() {
	const plain = "http.request(request)"
	if r.c.digest == nil {
		r.p.line(plain)
		return
	}
	r.p.use("digest")
	r.p.use("securerandom")
	r.p.answerDigest("request.rb")
	arguments := []node{leaf("http"), leaf("request"), leaf(r.text(r.c.digest.user)), leaf(r.text(r.c.digest.password))}
	switch {
	case r.sheds && r.c.body.kind != noBody:
		arguments = append(arguments, leaf("content: content"))
	case r.c.body.kind != noBody:
		arguments = append(arguments, leaf("content: true"))
	}
	if r.origin != "" {
		r.p.line("next ", plain, strings.Replace(r.origin, " if ", " unless ", 1))
		r.p.line()
	}
	r.p.node("", group("request_digest", "(", arguments, ")"), "")
}

// proxyArguments returns the address of the proxy: nil keeps Net::HTTP from
// asking the environment, which curl asks as well.
func (r *rubyRequest) proxyArguments() []node {
	if r.c.direct() {
		return []node{leaf("nil")}
	}
	if r.c.proxyScheme() == "" {
		return nil
	}
	proxy := r.c.proxyURL()
	r.p.line("proxy = URI(", r.text(proxy), ")")
	nodes := []node{leaf("proxy.hostname"), leaf("proxy.port")}
	if strings.Contains(proxy.source(), "@") {
		nodes = append(nodes, leaf("URI.decode_www_form_component(proxy.user)"), leaf("URI.decode_www_form_component(proxy.password)"))
	}
	return nodes
}

// saveResponse writes the statements that write the file of -o.
func (r *rubyRequest) saveResponse() {
	if folder := r.c.folder(); folder != nil {
		r.p.use("fileutils")
		r.p.line("FileUtils.mkdir_p(", r.text(folder), ")")
	}
	r.p.line("File.binwrite(", r.text(r.c.output), ", response.body)")
}

// result writes what is done with the response.
func (r *rubyRequest) result() {
	if r.c.fail {
		r.p.line("response.error! if response.code.to_i >= 400")
	}
	switch r.c.destination(r.p.options) {
	case toFile:
		r.saveResponse()
	case headersPrinted:
		r.p.line("puts response.to_hash")
	case contentPrinted:
		r.p.line("puts response.body")
	}
}
