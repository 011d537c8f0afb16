package code

import (
	"slices"
	"strconv"
	"strings"

	"uncoil/internal/engine/ascii"
	"uncoil/request"
)

// What LWP 6.68 of Perl does by itself, measured on the wire: it adds TE,
// Connection and User-Agent; writes names with capitals, and an underscore in
// them as a hyphen, unless a colon stands before; percent-encodes some
// characters of the URL; follows redirects for GET and HEAD unless told not to.
// The functions POST, PUT and PATCH give content the type of a form.
var perlLWP = Target{
	Name: "perl", Language: "perl", Client: "LWP", Version: "6.68", Kind: Code, Extension: "pl",
	Aliases: []string{"perl-lwp", "lwp", "pl"}, Proven: true, style: style{indent: "    ", comma: ",", comment: "# ", wraps: "=>"}, write: writePerl,
	client: client{
		adds:      fieldNames{"TE", "Connection", "User-Agent"},
		ports:     true,
		always:    fieldNames{"TE", "Connection"},
		fixed:     fieldNames{"Connection"},
		codings:   namesNoChunks,
		digest:    true,
		unasked:   []string{"unqualified"},
		eager:     true,
		anyAuth:   true,
		after:     []string{"posts"},
		names:     anyName,
		emptyHost: true,
		says: []string{"createDirs", "cookieEngine", "followRedirects", "maxRedirects", "maxTime", "connectTimeout", "retry", "insecure", "cacert", "cert", "tlsMin", "tlsMax",
			"cookieJar", "noproxy"},
		proxies: []string{"http", "https"},
		shares:  fieldNames{"Authorization"},
		drops:   fieldNames{"Cookie"},
	},
}

var perlLanguage = language{literal: perlString, variable: perlVariable, plus: " . ", inside: perlInside, escape: perlQuote}

// encodePerl is query_form of URI.
var encodePerl = formEncoder{"-_.!~*'()", true}

func writePerl(p *program) {
	var needs perlNeeds
	sections := p.sections(0, func(c *call, suffix string) {
		r := perlRequest{p: p, c: c, suffix: suffix, perlNeeds: &needs}
		r.write()
	})
	if len(needs.functions) > 0 {
		p.use("HTTP::Request::Common qw(" + strings.Join(needs.functions, " ") + ")")
	}
	if !p.options.Bare {
		p.line("use v5.36;")
		for _, name := range p.imports {
			p.line("use ", name, ";")
		}
		p.line()
	}
	if needs.slurps {
		p.block("sub slurp ($name) {", func() {
			p.line(`open my $file, '<:raw', $name or die "$name: $!";`)
			p.line("local $/;")
			p.line("return scalar <$file>;")
		})
		p.line("}")
		p.line()
	}
	p.join(sections)
}

// perlString returns a literal in single quotes, or in double quotes where it
// has characters that need an escape. The source has no pragma utf8, so that
// its strings are bytes.
func perlString(s string) string {
	if unescaped(s) {
		return "'" + backslashed(s, `\'`) + "'"
	}
	return perlQuote(s)
}

func perlQuote(s string) string { return doubleQuoted(s, "$@") }

// perlInside returns a look-up as it stands in a literal, unless it has quotes, or what
// follows would be taken for an index of it.
func perlInside(expression string, next byte) (string, bool) {
	plain := strings.HasPrefix(expression, "$ENV{") && !strings.ContainsAny(expression, `'"`)
	return expression, plain && !contains("[{-", next)
}

func perlVariable(p *program, v *request.Variable) string {
	name := v.Name
	if !isVariableName(name) {
		name = perlString(name)
	}
	expr := "$ENV{" + name + "}"
	if v.HasDefault {
		expr = "(" + expr + " // " + perlString(v.Default) + ")"
	}
	switch v.Encoding {
	case userPart:
		return "(split /:/, " + expr + ", 2)[0]"
	case passwordPart:
		return "(split /:/, " + expr + ", 2)[1]"
	case lastSegment:
		p.use("File::Basename")
		return "basename(" + expr + ")"
	case request.Percent:
		p.use("URI::Escape qw(uri_escape)")
		return "uri_escape(" + expr + `, '^A-Za-z0-9\-._~')`
	case request.FormEncode:
		p.use("URI::Escape qw(uri_escape)")
		return "uri_escape(" + expr + `, '^A-Za-z0-9\-._~') =~ s/%20/+/gr`
	case request.JSONEscape:
		p.use("JSON::PP")
		return "substr(JSON::PP->new->allow_nonref->encode(" + expr + "), 1, -1)"
	}
	return expr
}

// A perlRequest writes one call with LWP.
type perlRequest struct {
	p      *program
	c      *call
	suffix string
	*perlNeeds
}

// perlNeeds is what the calls of a program need together.
type perlNeeds struct {
	slurps    bool     // a function that reads a file
	functions []string // of HTTP::Request::Common
}

func (r *perlRequest) text(t text) string { return perlLanguage.text(r.p, t) }

// perlMethods are the functions of HTTP::Request::Common.
var perlMethods = []string{"GET", "HEAD", "DELETE", "OPTIONS", "POST", "PUT", "PATCH"}

func (r *perlRequest) write() {
	r.p.use("LWP::UserAgent")
	if b := r.c.basic; b != nil && b.colon() {
		if hasVariable(b.joined()) {
			r.p.refuse("takes no user name with a colon")
		}
		r.c.basic = nil
		r.c.field("Authorization").derived = false
	}
	content, helper := r.content()
	request := "$request" + r.suffix
	fields := r.fieldItems(helper)
	name, known := r.function(helper)
	query := r.query()
	url := r.text(r.c.url)
	if r.c.guess {
		url = "$url" + r.suffix
		r.p.line("my ", url, " = ", r.text(r.c.url), ";")
		r.p.line(url, ` = "http://`, url, `" unless `, url, " =~ m{://}; # as curl does")
	}
	if query != nil {
		r.p.use("URI")
		uri := "$uri" + r.suffix
		r.p.line("my ", uri, " = URI->new(", url, ");")
		r.p.node(uri+"->query_form", group("", "(", r.pairs(query), ")"), ";")
		url = uri
	}
	if known {
		if !slices.Contains(r.functions, name) {
			r.functions = append(r.functions, name)
		}
		items := append([]node{leaf(url)}, fields...)
		if r.c.body.kind != noBody {
			items = append(items, named("Content", " => ", content))
		}
		r.p.node("my "+request+" = ", group(name, "(", items, ")"), ";")
	} else {
		r.p.use("HTTP::Request")
		items := []node{leaf(r.methodName() + " => " + url)}
		if len(fields) > 0 || r.c.body.kind != noBody {
			items = append(items, group("", "[", fields, "]"))
		}
		if r.c.body.kind != noBody {
			items = append(items, content)
		}
		r.p.node("my "+request+" = ", group("HTTP::Request->new", "(", items, ")"), ";")
	}
	if r.c.basic != nil {
		r.p.line(request, "->authorization_basic(", r.text(r.c.basic.user), ", ", r.text(r.c.basic.password), ");")
	}
	r.p.line()
	r.agent()
	r.send(request)
	r.result()
}

func (r *perlRequest) methodName() string {
	if strings.Trim(r.c.Method, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" {
		return r.c.Method
	}
	return perlString(r.c.Method)
}

// function returns the function that makes the request, where one sends what
// curl sends: POST, PUT and PATCH imply a type.
func (r *perlRequest) function(helper bool) (string, bool) {
	implies := slices.Index(perlMethods, r.c.Method) >= slices.Index(perlMethods, "POST")
	if !slices.Contains(perlMethods, r.c.Method) || r.c.body.kind != noBody && !implies {
		return "", false
	}
	f := r.c.field("Content-Type")
	return r.c.Method, !implies || helper || f != nil && f.value.source() != ""
}

// fieldItems returns the names and values of the header.
func (r *perlRequest) fieldItems(helper bool) []node {
	var items []node
	for _, f := range r.c.fields {
		if f.derived {
			continue
		}
		name := f.name
		if strings.Contains(name, "_") {
			name = ":" + name
		}
		items = append(items, leaf(perlKey(name)+" => "+r.text(f.value)))
	}
	if helper && r.c.body.kind == multipartBody {
		items = append(items, leaf("Content_Type => 'form-data'"))
	}
	if r.c.compressed && r.c.field("Accept-Encoding") == nil {
		r.p.use("HTTP::Message")
		items = append(items, leaf("'Accept-Encoding' => scalar HTTP::Message::decodable()"))
	}
	return items
}

// query takes the query out of the URL where query_form prints it.
func (r *perlRequest) query() []pair {
	if strings.Contains(r.c.URL, "%0") {
		return nil
	}
	return r.c.takeQuery(&encodePerl, nil)
}

// perlKey returns the left side of a fat comma, which quotes names.
func perlKey(name string) string {
	for i := range len(name) {
		if !ascii.IsNameByte(name[i]) || i == 0 && ascii.IsDigit(name[i]) {
			return perlString(name)
		}
	}
	return name
}

// content returns the content, and whether it is one that a function of
// HTTP::Request::Common encodes.
func (r *perlRequest) content() (n node, helper bool) {
	switch r.c.body.kind {
	case rawBody:
		form := r.c.isForm(&encodePerl) && !strings.Contains(r.c.body.data.source(), "%0")
		if implied := r.c.Method == "POST" || r.c.Method == "PUT" || r.c.Method == "PATCH"; !form || !implied {
			return perlLanguage.content(r.p, r.c.body.data), false
		}
		r.c.field("Content-Type").derived = true
		return group("", "[", r.pairs(r.c.body.form), "]"), true
	case multipartBody:
		if n, ok := r.parts(); ok {
			return n, true
		}
		return r.pieces(r.c.rawForm()), false
	case fileBody:
		return leaf(r.file(piece{file: r.c.body.file})), false
	case pieceBody:
		return r.pieces(r.c.body.list), false
	}
	return node{}, false
}

// pairs returns pairs as the items of a list.
func (r *perlRequest) pairs(pairs []pair) []node {
	items := make([]node, len(pairs))
	for i, p := range pairs {
		items[i] = leaf(r.quotedKey(decoded(p.name)) + " => " + r.text(decoded(p.value)))
	}
	return items
}

func (r *perlRequest) quotedKey(t text) string {
	if s, ok := t.plain(); ok {
		return perlKey(s)
	}
	return r.text(t)
}

// parts returns the list that makes a form.
func (r *perlRequest) parts() (node, bool) {
	if r.c.Body.FormEscape || r.c.Method != "POST" && r.c.Method != "PUT" && r.c.Method != "PATCH" {
		return node{}, false
	}
	items := make([]node, len(r.c.body.part))
	for i := range r.c.body.part {
		p := &r.c.body.part[i]
		content := leaf(r.text(p.value))
		switch {
		case !p.helped() || strings.ContainsAny(p.Name, "\"\\\r\n") || p.filename != nil && strings.ContainsAny(*p.filename, "\"\\\r\n"):
			return node{}, false
		case p.isFile() && (p.filename == nil || p.contentType == nil || p.file.source() == "-"):
			return node{}, false
		case p.isFile():
			filename := perlString(*p.filename)
			if p.implied {
				filename = "undef" // the end of the path
			}
			file := []node{leaf(r.text(p.file)), leaf(filename), leaf("Content_Type => " + perlString(*p.contentType))}
			content = group("", "[", file, "]")
		case p.filename != nil || p.contentType != nil:
			return node{}, false
		}
		items[i] = named(r.quotedKey(p.name), " => ", content)
	}
	return group("", "[", items, "]"), true
}

// file returns an expression for the content of a file, changed as curl
// changes it.
func (r *perlRequest) file(one piece) string {
	read := "slurp(" + r.text(one.file) + ")"
	if one.file.source() == "-" {
		read = "do { local $/; <STDIN> }"
	} else {
		r.slurps = true
	}
	if one.offset > 0 {
		read = "substr(" + read + ", " + strconv.FormatInt(one.offset, 10) + ")"
	}
	if one.strip {
		read += ` =~ tr/\r\n\0//dr`
	}
	if one.urlencode {
		r.p.use("URI::Escape qw(uri_escape)")
		read = "uri_escape(" + read + `, '^A-Za-z0-9\-._~') =~ s/%20/+/gr`
	}
	if len(one.name) > 0 {
		read = r.text(one.prefix()) + " . (" + read + ")"
	}
	return read
}

func (r *perlRequest) pieces(pieces []piece) node {
	return joinPieces(pieces, r.text, r.file, func(items []node) node {
		return group("join", "(", append([]node{leaf("''")}, items...), ")")
	})
}

// agent writes the user agent with its settings.
func (r *perlRequest) agent() {
	var items, tls []node
	switch {
	case !r.c.follow: // with max_redirect, a redirect would be an error
		items = append(items, leaf("requests_redirectable => []"))
	default:
		items = append(items, leaf("max_redirect => "+strconv.FormatInt(r.c.redirectLimit(), 10)))
		if r.c.Method != "GET" && r.c.Method != "HEAD" {
			items = append(items, leaf("requests_redirectable => ['GET', 'HEAD', "+perlString(r.c.Method)+"]"))
		}
	}
	if r.c.removes("User-Agent") {
		items = append(items, leaf("agent => ''"))
	}
	if limit := max(r.c.timeout, r.c.connectTimeout); limit > 0 {
		items = append(items, leaf("timeout => "+seconds(limit)))
	}
	if r.c.insecure {
		tls = append(tls, leaf("verify_hostname => 0"), leaf("SSL_verify_mode => 0"))
	}
	if refused := r.c.refusesTLS(); len(refused) > 0 {
		versions := "SSLv23:!SSLv2:!SSLv3"
		for _, version := range refused {
			versions += ":!TLSv" + strings.TrimSuffix(version, "_0") // TLSv1 is 1.0
		}
		tls = append(tls, leaf("SSL_version => "+perlString(versions)))
	}
	for _, o := range []struct {
		name  string
		value text
	}{{"SSL_ca_file", r.c.caFile}, {"SSL_cert_file", r.c.cert}, {"SSL_key_file", r.c.key}} {
		if len(o.value) > 0 {
			tls = append(tls, leaf(o.name+" => "+r.text(o.value)))
		}
	}
	if len(tls) > 0 {
		n := group("ssl_opts => ", "{", tls, "}")
		n.pad = true
		items = append(items, n)
	}
	if len(r.c.cookieJar) > 0 {
		r.p.use("HTTP::Cookies::Netscape")
		jar := []node{leaf("file => " + r.text(r.c.cookieJar)), leaf("autosave => 1"), leaf("ignore_discard => 1"), leaf("hide_cookie2 => 1")}
		items = append(items, group("cookie_jar => HTTP::Cookies::Netscape->new", "(", jar, ")"))
	}
	if r.c.member("cookieEngine") != nil && r.c.follow {
		r.p.use("HTTP::Cookies")
		items = append(items, leaf("cookie_jar => HTTP::Cookies->new(hide_cookie2 => 1)"))
	}
	agent := "$agent" + r.suffix
	class := "LWP::UserAgent"
	if r.c.digest != nil {
		class = "Agent" + r.suffix
		r.p.block("package "+class+" {", func() {
			r.p.line("use parent -norequire, 'LWP::UserAgent';")
			r.p.line("sub get_basic_credentials { return (", r.text(r.c.digest.user), ", ", r.text(r.c.digest.password), ") }")
		})
		r.p.line("}")
	}
	r.p.node("my "+agent+" = ", group(class+"->new", "(", items, ")"), ";")
	if r.c.proxyScheme() != "" {
		r.p.refuseProxyColon(r.c)
		r.p.line(agent, "->proxy(['http', 'https'], ", r.text(r.c.proxyURL()), ");")
		if r.c.noProxy != "" {
			hosts := strings.Fields(strings.ReplaceAll(r.c.noProxy, ",", " "))
			for i := range hosts {
				hosts[i] = perlString(hosts[i])
			}
			r.p.line(agent, "->no_proxy(", strings.Join(hosts, ", "), ");")
		}
	}
}

func (r *perlRequest) send(request string) {
	response, agent := "$response"+r.suffix, "$agent"+r.suffix
	if r.c.retries == 0 {
		r.p.line("my ", response, " = ", agent, "->request(", request, ");")
	} else {
		r.p.line("my ", response, ";")
		r.p.block("for my $try (0 .. "+strconv.FormatInt(r.c.retries, 10)+") {", func() {
			r.p.line(response, " = ", agent, "->request(", request, ");")
			r.p.line("last if ", response, "->code !~ /^(?:408|429|50[0234]|52[24])$/;")
			r.p.line("sleep 2**$try;")
		})
		r.p.line("}")
	}
}

// result writes what is done with the response.
func (r *perlRequest) result() {
	response := "$response" + r.suffix
	switch {
	case r.c.fail:
		r.p.line("die ", response, `->status_line, "\n" if `, response, "->is_error;")
	case !r.p.options.Bare:
		r.p.line("die ", response, `->status_line, "\n" if `, response, "->header('Client-Warning'); # no response")
	}
	content := "->content"
	if r.c.compressed {
		content = "->decoded_content(charset => 'none')"
	}
	switch r.c.destination(r.p.options) {
	case toFile:
		if folder := r.c.folder(); folder != nil {
			r.p.use("File::Path qw(make_path)")
			r.p.line("make_path(", r.text(folder), ");")
		}
		r.p.line("open my $out", r.suffix, ", '>:raw', ", r.text(r.c.output), " or die $!;")
		r.p.line("print {$out", r.suffix, "} ", response, content, ";")
	case headersPrinted:
		r.p.line("print ", response, "->headers->as_string;")
	case contentPrinted:
		r.p.line("print ", response, content, ";")
	}
}
