package ruby

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/internal/engine/ascii"
	"uncoil/request"
)

// What Net::HTTP of Ruby 3.1 does by itself, measured on the wire: it adds
// Accept-Encoding, Accept and User-Agent; writes names with capitals; joins
// fields of one name by a comma; gives content without a type that of a form;
// follows no redirects, so a program does that itself. A path that is given as a
// string goes out as it is.
var NetHTTP = plan.Target{
	Name: "ruby", Convention: &convention, Client: "Net::HTTP", Version: "3.1", Kind: plan.Code, Extension: "rb",
	Functions: true, Decodes: true,
	Packages: []plan.Package{{Name: "http-cookie", Version: "1.0", Import: "http/cookie"}},
	Aliases:  []string{"ruby-net-http", "net-http", "rb"}, Proven: true,
	Style: emit.Style{Indent: "  ", Comment: "# ", Wraps: "="}, Write: writeRuby, Takes: plan.AnyFrom, Heads: true, Tries: tries, Runs: true,
	Facts: plan.Client{
		Undecoded: true,
		Insists:   true,
		Loose:     true,
		Answers:   true,
		Rules:     plan.Rules{plan.SendsCodings(plan.OnlyChunks), plan.SendsHosts(rubyHost), plan.OneEncoding},
		Adds:      plan.FieldNames{"Accept-Encoding", "Accept", "User-Agent"},
		Wire:      plan.Wire{Order: "Accept-Encoding Accept User-Agent *", Case: plan.Titled},
		EmptyHost: true,
		Names:     rubyName,
		Proxies:   []string{"http"},
	},
}

var language = plan.Language{Literal: String, Variable: rubyVariable, Plus: " + ", Inside: plan.NumberSign, Escape: quote}

// rubyName is the rule of Net::HTTP for names of fields, which it writes with capitals:
// those of letters that are not ASCII have other bytes (capitalize in lib/net/http/header.rb).
func rubyName(name string) bool {
	hasCase := func(r rune) bool {
		return r >= utf8.RuneSelf && (unicode.IsLower(r) || unicode.IsUpper(r) || unicode.IsTitle(r))
	}
	return utf8.ValidString(name) && !strings.ContainsFunc(name, hasCase)
}

// rubyJSON is to_json.
var rubyJSON = emit.Encoder{Item: ",", Name: ":", Number: plan.PlainNumber, Keeps: plan.PlainNames}

// encodeRuby is URI.encode_www_form.
var encodeRuby = plan.EncodeWHATWG

func writeRuby(p *plan.Program) {
	writeRubyProgram(p, func(r *rubyRequest) { r.write() })
}

// writeRubyProgram writes a program with what write writes for each call.
func writeRubyProgram(p *plan.Program, write func(*rubyRequest)) {
	sections := p.Sections(p.Depth(0), func(c *plan.Call, _ string) {
		r := &rubyRequest{p: p, c: c}
		r.computes()
		write(r)
	})
	p.Head(func() {
		for _, name := range p.Imports {
			p.Line("require '", name, "'")
		}
		p.Line()
	})
	for _, h := range p.Helpers {
		p.Dst = append(p.Dst, h...)
		p.Line()
	}
	rubyBody(p, sections)
}

// String returns a literal in single quotes, or in double quotes where it
// has characters that need an escape.
func String(s string) string {
	if single, ok := emit.SingleQuoted(s); ok {
		return single
	}
	if !utf8.ValidString(s) {
		return quote(s) + ".b"
	}
	return quote(s)
}

func quote(s string) string { return emit.DoubleQuoted(s, "#") }

func rubyVariable(p *plan.Program, v *request.Variable) string {
	if v.Encoding == plan.Computed {
		return v.Name
	}
	expr := "ENV.fetch(" + String(v.Name) + ")"
	switch {
	case plan.IsLocal(v):
		expr = v.Name
	case p.IsFunction():
		expr = p.Parameter(v)
	case v.HasDefault:
		expr = "ENV.fetch(" + String(v.Name) + ", " + String(v.Default) + ")"
	}
	switch v.Encoding {
	case plan.UserPart:
		return expr + ".partition(':').first"
	case plan.PasswordPart:
		return expr + ".partition(':').last"
	case plan.LastSegment:
		return "File.basename(" + expr + ")"
	case request.EncodingPercent:
		p.Use("erb")
		return "ERB::Util.url_encode(" + expr + ")"
	case request.EncodingForm:
		p.Use("uri")
		return "URI.encode_www_form_component(" + expr + ")"
	case request.EncodingJSON:
		p.Use("json")
		return textOf(p, expr) + ".to_json[1..-2]"
	case plan.Segment, plan.Segments, plan.JSONValue, plan.JSONElements:
		return helped(p, v.Encoding, expr)
	}
	return expr
}

// value returns a JSON value of the content as a literal.
func (r *rubyRequest) value(v *emit.Value) emit.Node {
	if v.Kind == emit.StringValue {
		return emit.Leaf(r.text(r.c.StringOf(v)))
	}
	items := make([]emit.Node, len(v.Items))
	for i := range v.Items {
		items[i] = r.value(&v.Items[i])
		if v.Kind != emit.ObjectValue {
			continue
		}
		items[i] = emit.Named(key(v.Names[i]), "", items[i])
	}
	switch v.Kind {
	case emit.ObjectValue:
		return emit.Braced(items)
	case emit.ArrayValue:
		return emit.Group("", "[", items, "]")
	}
	if v.Text == "null" {
		return emit.Leaf("nil")
	}
	return emit.Leaf(v.Text)
}

// key returns the left side of a member of a hash.
func key(name string) string {
	if !emit.IsIdentifier(name) {
		return String(name) + " => "
	}
	return name + ": "
}

// retry writes what get does, again while the response is an error that may
// pass, as curl does: curl 8.22 src/tool_operate.c.
func (r *rubyRequest) retry(code string, get func()) {
	retry := r.c.Retry()
	if retry.Count == 0 {
		get()
		r.keepCookies()
		return
	}
	wait, late := "2**(attempt - 1)", ""
	if retry.Delay > 0 {
		wait = emit.Seconds(retry.Delay)
	}
	if retry.MaxTime > 0 {
		late = " || Time.now > deadline"
		r.p.Line("deadline = Time.now + ", emit.Seconds(retry.MaxTime))
	}
	if !r.again {
		r.p.Line("response = nil")
	}
	r.p.Block(strconv.FormatInt(retry.Count+1, 10)+".times do |attempt|", func() {
		r.p.Line("sleep ", wait, " if attempt.positive?")
		for _, stream := range r.streams {
			r.p.Line(stream, ".rewind")
		}
		if r.c.Field("Cookie") == nil {
			r.cookieLine()
		}
		get()
		r.keepCookies() // a later try sends them, too
		if r.c.AnyStatus(retry) {
			r.p.Line("break if ", code, " < 400", late)
		} else {
			r.p.Line("break unless [", plan.RetryStatuses, "].include?(", code, ")")
			if late != "" {
				r.p.Line("break if ", strings.TrimPrefix(late, " || "))
			}
		}
	})
	if retry.Refused {
		class := "Errno::ECONNREFUSED"
		if retry.Errors {
			class = "StandardError"
		}
		r.p.Line("rescue ", class)
		r.p.Line(r.p.Indent, "raise if attempt == ", strconv.FormatInt(retry.Count, 10), late)
	}
	r.p.Line("end")
}

// A rubyRequest writes one call with Net::HTTP.
type rubyRequest struct {
	p       *plan.Program
	c       *plan.Call
	files   int      // how many are opened
	input   string   // the variable that holds the standard input, or nothing
	streams []string // what the request reads when it is sent
	again   bool     // the exchange is in a loop
	reads   bool     // the content is written as it comes
	sheds   bool     // a redirect may take away the content
	origin  string   // the condition of what goes to the first server only, or nothing
	jar     string   // the variable of a jar of several requests, or nothing
}

func (r *rubyRequest) text(t plan.Text) string { return language.Text(r.p, t) }

var classes = []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"}

func (r *rubyRequest) write() {
	r.p.Use("net/http")
	r.reads = r.streamed()
	path := "uri"
	a, known := r.c.Address()
	var to *plan.AddressParts // of a URL that URI does not read
	if known && !rubyURI(r.c.URLText.Literals()) {
		to, path = &a, r.text(a.Path)
	}
	if r.c.Follow() && to != nil {
		r.p.Stays(r.c, "from such a URL")
	}
	var query []plan.Pair
	if to == nil {
		query = r.c.TakeQuery(&encodeRuby, nil)
	}
	switch {
	case to != nil:
	case r.c.Guess:
		r.p.Line("url = ", r.text(r.c.URLText))
		r.p.Line(`url = "http://#{url}" unless url.include?('://') # as curl does`)
		r.p.Line("uri = URI(url)")
	default:
		r.p.Node("uri = ", emit.Group("URI", "(", []emit.Node{emit.Leaf(r.text(r.c.URLText))}, ")"), "")
	}
	if query != nil {
		r.p.Node("uri.query = ", r.wwwForm("URI.encode_www_form", query), "")
	}
	r.openJar(to != nil)
	if r.c.Follow() {
		r.followed()
	} else {
		r.prepare(path)
		r.p.Line()
		r.send(to)
	}
	if !r.reads {
		r.saveJar()
		r.result()
	}
}

// followed writes the exchange again and again while the response is a redirect.
func (r *rubyRequest) followed() {
	r.c.Does("locationTrusted") // where nothing is guarded, each host gets all
	if r.c.Guarded() {
		r.origin = " if uri + '/' == origin"
		r.p.Line("origin = uri + '/'")
	}
	statuses := r.c.Emptying()
	if r.sheds = len(statuses) > 0; r.sheds {
		r.p.Line("content = true")
	}
	if r.c.TakesInput() {
		r.p.Line("input = $stdin.binmode.read")
		r.input = "input"
	}
	loop := "loop do"
	if limit := r.c.MaxRedirects(); limit >= 0 {
		loop = strconv.FormatInt(limit+1, 10) + ".times do |redirects|"
	}
	r.p.Line("response = nil")
	r.again = true
	r.p.Block(loop, func() {
		r.prepare("uri")
		r.p.Line()
		r.send(nil)
		r.p.Line("break unless response.is_a?(Net::HTTPRedirection) && response['Location']")
		if limit := r.c.MaxRedirects(); limit >= 0 {
			r.p.Line("raise 'too many redirects' if redirects == ", strconv.FormatInt(limit, 10))
		}
		r.p.Line()
		r.p.Line("uri = URI.join(uri, response['Location'])")
		switch {
		case len(statuses) == 1:
			r.p.Line("content = false if response.code == '", statuses[0], "'")
		case len(statuses) > 1:
			r.p.Line("content = false if %w[", strings.Join(statuses, " "), "].include?(response.code)")
		}
	})
	r.p.Line("end")
}

// prepare writes the statements that make the request. Where a redirect may take
// away the content, the variable content says whether there is any.
func (r *rubyRequest) prepare(path string) {
	content := r.content()
	class := r.class()
	made := class + ".new(" + path + ")"
	switch {
	case class == "":
		has := strconv.FormatBool(r.c.Content.Kind != plan.NoBody)
		made = "Net::HTTPGenericRequest.new(" + String(r.c.Method) + ", " + has + ", true, " + path + ")"
	case r.sheds && !r.c.KeepsMethod():
		made = "(content ? " + class + " : Net::HTTP::Get).new(" + path + ")"
	}
	r.p.Line("request = ", made)
	if r.c.Retries() == 0 {
		r.cookieLine()
	}
	if !r.sheds {
		r.fieldLines(func(*plan.Field) bool { return true })
		r.deletions()
		r.typeless()
		content()
		return
	}
	r.fieldLines(func(f *plan.Field) bool { return !f.TypesContent() })
	r.deletions()
	r.p.Block("if content", func() {
		r.fieldLines((*plan.Field).TypesContent)
		r.typeless()
		content()
	})
	r.p.Line("end")
}

// class returns the class of the requests with the method, or nothing.
func (r *rubyRequest) class() string {
	method := r.c.Method
	if !slices.Contains(classes, method) {
		return ""
	}
	return "Net::HTTP::" + method[:1] + strings.ToLower(method[1:])
}

// rubyTLS returns the arguments for the lowest and the highest version of TLS.
func rubyTLS(c *plan.Call) (items []emit.Node) {
	for _, o := range []struct{ name, member string }{{"min_version", "tlsMin"}, {"max_version", "tlsMax"}} {
		if version := c.TLSVersion(o.member); version != "" {
			items = append(items, emit.Leaf(o.name+": :TLS"+strings.TrimSuffix(version, "_0"))) // TLS1 is 1.0
		}
	}
	return items
}

// rubyURI reports whether URI reads a URL and gives it back as it was.
func rubyURI(url string) bool {
	return !strings.ContainsAny(url, " \"<>[]\\^`{|}'") && ascii.Only(url) && plan.WellFormed(url)
}

// rubyHost reports whether URI takes a host, which it gets from the field too.
func rubyHost(host string) bool {
	host, _, _ = strings.Cut(host, ":")
	return ascii.Only(host) && !strings.ContainsFunc(host, func(c rune) bool { return c <= ' ' || strings.ContainsRune("\"#/<>?@[\\]^`{|}\x7f", c) })
}

// fieldLines writes the statements that set the fields which wanted takes.
func (r *rubyRequest) fieldLines(wanted func(*plan.Field) bool) {
	for _, f := range r.c.Joined() {
		condition := ""
		if f.Guarded() {
			condition = r.origin
		}
		switch {
		case !wanted(&f):
		case f.Derived() && f.Is("Authorization"):
			r.p.Line("request.basic_auth(", r.text(r.c.Basic.User), ", ", r.text(r.c.Basic.Password), ")", condition)
		case f.Derived():
		default:
			r.p.Line("request[", String(f.Name), "] = ", r.text(f.Value), condition)
		}
	}
}

// deletions writes the statements that delete what Net::HTTP adds.
func (r *rubyRequest) deletions() {
	for _, name := range r.c.Withheld {
		if ascii.EqualFold(name, "Host") || r.p.Target.Facts.Adds.Has(name) {
			r.p.Line("request.delete(", String(name), ")")
		}
	}
	if r.c.Measured(r.p.Options) && r.c.Field("Accept-Encoding") == nil && !r.c.Removes("Accept-Encoding") {
		r.c.Deletes("Accept-Encoding")
		r.p.Line("request.delete('Accept-Encoding')") // else the file has more bytes than the response
	}
}

// typeless keeps Net::HTTP from giving content a type.
func (r *rubyRequest) typeless() {
	hasType := r.c.Content.Kind != plan.NoBody || slices.Contains([]string{"POST", "PUT", "PATCH"}, r.c.Method)
	if hasType && r.c.Content.Kind != plan.MultipartBody && r.c.Field("Content-Type") == nil {
		r.p.Line("def request.supply_default_content_type; end # curl sends no type")
	}
}

// send writes the statement that sends the request: to a host, or to that of
// the variable uri.
func (r *rubyRequest) send(a *plan.AddressParts) {
	arguments := []emit.Node{emit.Leaf("uri.hostname"), emit.Leaf("uri.port")}
	if a != nil {
		host, _ := a.Host.Plain()
		port := a.PortOr()
		if !emit.IsInteger(port) {
			port = String(port) // a placeholder
		}
		arguments = []emit.Node{emit.Leaf(String(strings.Trim(host, "[]"))), emit.Leaf(port)}
	}
	arguments = append(arguments, r.proxyArguments()...)
	arguments = append(arguments, r.elsewhere()...)
	switch {
	case r.again:
		arguments = append(arguments, emit.Leaf("use_ssl: uri.scheme == 'https'"))
	case r.c.Secure():
		arguments = append(arguments, emit.Leaf("use_ssl: true"))
	case r.c.URLText[0].Variable != nil && a == nil:
		arguments = append(arguments, emit.Leaf("use_ssl: uri.scheme == 'https'"))
	}
	if r.c.Insecure() {
		arguments = append(arguments, emit.Leaf("verify_mode: OpenSSL::SSL::VERIFY_NONE"))
	}
	if len(r.c.CaFile()) > 0 {
		arguments = append(arguments, emit.Leaf("ca_file: "+r.text(r.c.CaFile())))
	}
	if len(r.c.Cert()) > 0 {
		certificate, key := r.certificate()
		arguments = append(arguments, emit.Leaf("cert: "+certificate), emit.Leaf("key: "+key))
	}
	if r.c.Encrypts {
		arguments = append(arguments, rubyTLS(r.c)...)
	}
	if r.c.ConnectTimeout() > 0 {
		arguments = append(arguments, emit.Leaf("open_timeout: "+emit.Seconds(r.c.ConnectTimeout())))
	}
	if r.c.Timeout() > 60 { // the default of what one reading takes
		arguments = append(arguments, emit.Leaf("read_timeout: "+emit.Seconds(r.c.Timeout())))
	}
	if r.reads {
		r.sendStreamed(arguments)
		return
	}
	r.retry("response.code.to_i", func() {
		if r.c.Timeout() == 0 {
			r.start("response = ", arguments)
			return
		}
		r.p.Use("timeout")
		r.p.Block("response = Timeout.timeout("+emit.Seconds(r.c.Timeout())+") do", func() { r.start("", arguments) })
		r.p.Line("end")
	})
}

// elsewhere returns the argument for another host than the URL's to connect to. Its
// port is that of the URL.
func (r *rubyRequest) elsewhere() []emit.Node {
	host, port := r.c.Connection()
	a, _ := r.c.Address()
	if host == "" || port != a.PortOr() || r.c.ProxyScheme() != "" {
		return nil
	}
	r.c.Does("resolve", "connectTo")
	to := String(strings.Trim(host, "[]"))
	if r.again {
		to = "(" + to + " if uri.host == " + String(a.Host.Source()) + " && uri.port == " + port + ")"
	}
	return []emit.Node{emit.Leaf("ipaddr: " + to)}
}

func (r *rubyRequest) start(before string, arguments []emit.Node) {
	r.p.Node(before, emit.Group("Net::HTTP.start", "(", arguments, ")"), " do |http|")
	r.p.Level++
	r.exchange()
	r.p.Level--
	r.p.Line("end")
}

// exchange writes the statements that send the request and return the response.
func (r *rubyRequest) exchange() {
	const plain = "http.request(request)"
	if r.c.Digest == nil {
		r.p.Line(plain)
		return
	}
	r.p.Use("digest")
	r.p.Use("securerandom")
	r.p.AnswerDigest("request.rb")
	arguments := []emit.Node{emit.Leaf("http"), emit.Leaf("request"), emit.Leaf(r.text(r.c.Digest.User)), emit.Leaf(r.text(r.c.Digest.Password))}
	switch {
	case r.sheds && r.c.Content.Kind != plan.NoBody:
		arguments = append(arguments, emit.Leaf("content: content"))
	case r.c.Content.Kind != plan.NoBody:
		arguments = append(arguments, emit.Leaf("content: true"))
	}
	if r.origin != "" {
		r.p.Line("next ", plain, strings.Replace(r.origin, " if ", " unless ", 1))
		r.p.Line()
	}
	r.p.Node("", emit.Group("request_digest", "(", arguments, ")"), "")
}

// proxyArguments returns the address of the proxy: nil keeps Net::HTTP from
// asking the environment, which curl asks as well.
func (r *rubyRequest) proxyArguments() []emit.Node {
	if r.c.Direct() {
		return []emit.Node{emit.Leaf("nil")}
	}
	if r.c.ProxyScheme() == "" {
		return nil
	}
	proxy := r.c.ProxyURL()
	r.p.Line("proxy = URI(", r.text(proxy), ")")
	nodes := []emit.Node{emit.Leaf("proxy.hostname"), emit.Leaf("proxy.port")}
	if strings.Contains(proxy.Source(), "@") {
		nodes = append(nodes, emit.Leaf("URI.decode_www_form_component(proxy.user)"), emit.Leaf("URI.decode_www_form_component(proxy.password)"))
	}
	return nodes
}

// makeFolder writes the statement that makes the folder of the file of -o.
func (r *rubyRequest) makeFolder() {
	if folder := r.c.Folder(); folder != nil {
		r.p.Use("fileutils")
		r.p.Line("FileUtils.mkdir_p(", r.text(folder), ")")
	}
}

// saveResponse writes the statements that write the file of -o.
func (r *rubyRequest) saveResponse(headers string) {
	mode := ""
	if r.nameOutput(headers) {
		mode = ", mode: 'wbx'"
	}
	r.makeFolder()
	r.p.Line("File.binwrite(", r.text(r.c.Output()), ", response.body", mode, ")")
}

// whole ends the program where the file of -o is shorter than the response said: read_body
// takes an early end for the end (read_body_0 in lib/net/http/response.rb of Ruby 3.1).
func (r *rubyRequest) whole(size string) {
	if r.c.Measured(r.p.Options) {
		r.p.Line("raise EOFError if ", size, " < response.content_length.to_i")
	}
}

// result writes what is done with the response.
func (r *rubyRequest) result() {
	r.c.Report(r.p.Options, func() { r.p.Line("response.error! if response.code.to_i >= 400") }, func() {
		r.p.Line(`puts "#{response.code} #{response.message}"`)
		r.p.Line("puts response.to_hash")
	}, func() {
		r.contentResult("response.to_hash", "response.code.to_i")
		if !r.reads {
			r.whole("response.body.bytesize")
		}
	}, func() { r.writeOut("response.code") })
}

// contentResult writes what is done with the content of the response; headers is the
// expression for its fields, which a method returns in place of no content, and status that for
// its status as a number.
func (r *rubyRequest) contentResult(headers, status string) {
	if r.reads {
		r.readBody(headers)
		return
	}
	switch r.c.Destination(r.p.Options) {
	case plan.ToFile:
		r.saveResponse(headers)
	case plan.HeadersPrinted:
		if r.p.IsFunction() {
			r.returns(headers, status)
		}
	case plan.ContentPrinted:
		r.give("response.body", status)
	case plan.Captured:
		r.captures(strings.TrimSuffix(headers, ".to_hash"))
	}
}
