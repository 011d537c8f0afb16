package perl

import (
	"slices"
	"strconv"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/internal/engine/ascii"
	"uncoil/request"
)

// What LWP 6.68 of Perl does by itself, measured on the wire: it adds TE,
// Connection and User-Agent; writes names with capitals, and an underscore in
// them as a hyphen, unless a colon stands before; percent-encodes some
// characters of the URL; follows redirects for GET and HEAD unless told not to.
// The functions POST, PUT and PATCH give content the type of a form.
var LWP = plan.Target{
	Name: "perl", Convention: &convention, Client: "LWP", Version: "6.68", Kind: plan.Code, Extension: "pl",
	Packages: []plan.Package{{Name: "LWP::UserAgent", Version: "6.68"}, {Name: "LWP::Protocol::https", Version: "6.10", Asks: plan.Encrypted}},
	Aliases:  []string{"perl-lwp", "lwp", "pl"}, Proven: true, Style: emit.Style{Indent: "    ", Comma: ",", Comment: "# ", Wraps: "=>"}, Write: writePerl,
	Facts: plan.Client{
		Adds:      plan.FieldNames{"TE", "Connection", "User-Agent"},
		Wire:      plan.Wire{Order: "Cache-Control Connection Date Pragma Trailer Transfer-Encoding Upgrade Via Warning Accept Accept-Charset Accept-Encoding Accept-Language Authorization Expect From Host If-Match If-Modified-Since If-None-Match If-Range If-Unmodified-Since Max-Forwards Proxy-Authorization Range Referer TE User-Agent Accept-Ranges Age ETag Location Proxy-Authenticate Retry-After Server Vary WWW-Authenticate Allow Content-Disposition Content-Encoding Content-Language Content-Length Content-Location Content-MD5 Content-Range Content-Type Expires Last-Modified <", Case: plan.Initials, Path: "\"<>[]^`{|}", Query: "\"<>[]^`{|}\\é", Follows: true},
		Ports:     true,
		Always:    plan.FieldNames{"TE", "Connection"},
		Fixed:     plan.FieldNames{"Connection"},
		Rules:     plan.Rules{plan.SendsCodings(plan.NamesNoChunks), plan.SendsOnce("Content-Type")},
		Digest:    true,
		Unasked:   []string{"unqualified"},
		Eager:     true,
		AnyAuth:   true,
		After:     []string{"posts"},
		Forgets:   "302",
		Names:     plan.AnyName,
		EmptyHost: true,
		Proxies:   []string{"http", "https"},
		Shares:    plan.FieldNames{"Authorization"},
		Strips:    true,
		Drops:     plan.FieldNames{"Cookie"},
	},
}

// convention is what is customary in the language.
var convention = plan.Convention{Requires: requires, Language: "perl", Manifest: plan.Manifest{File: "cpanfile", Line: `requires "$n", "$v";`}}

var language = plan.Language{Literal: String, Variable: variable, Plus: " . ", Inside: inside, Escape: quote}

// encodePerl is query_form of URI.
var encodePerl = plan.FormEncoder{Safe: "-_.!~*'()", Plus: true}

func writePerl(p *plan.Program) {
	var needs perlNeeds
	sections := p.Sections(0, func(c *plan.Call, suffix string) {
		r := perlRequest{p: p, c: c, suffix: suffix, perlNeeds: &needs}
		r.write()
	})
	if len(needs.functions) > 0 {
		p.Use("HTTP::Request::Common qw(" + strings.Join(needs.functions, " ") + ")")
	}
	p.Head(func() {
		p.Line("use v5.36;")
		for _, name := range p.Imports {
			p.Line("use ", name, ";")
		}
		p.Line()
	})
	if needs.slurps {
		p.Block("sub slurp ($name) {", func() {
			p.Line(`open my $file, '<:raw', $name or die "$name: $!";`)
			p.Line("local $/;")
			p.Line("return scalar <$file>;")
		})
		p.Line("}")
		p.Line()
	}
	p.Join(sections)
}

// String returns a literal in single quotes, or in double quotes where it
// has characters that need an escape. The source has no pragma utf8, so that
// its strings are bytes.
func String(s string) string {
	if emit.Unescaped(s) {
		return "'" + emit.Backslashed(s, `\'`) + "'"
	}
	return quote(s)
}

func quote(s string) string { return emit.DoubleQuoted(s, "$@") }

// inside returns a look-up as it stands in a literal, unless it has quotes, or what
// follows would be taken for an index of it.
func inside(expression string, next byte) (string, bool) {
	plain := strings.HasPrefix(expression, "$ENV{") && !strings.ContainsAny(expression, `'"`)
	return expression, plain && !emit.Contains("[{-", next)
}

func variable(p *plan.Program, v *request.Variable) string {
	name := v.Name
	if !plan.IsVariableName(name) {
		name = String(name)
	}
	expr := "$ENV{" + name + "}"
	if v.HasDefault {
		expr = "(" + expr + " // " + String(v.Default) + ")"
	}
	switch v.Encoding {
	case plan.UserPart:
		return "(split /:/, " + expr + ", 2)[0]"
	case plan.PasswordPart:
		return "(split /:/, " + expr + ", 2)[1]"
	case plan.LastSegment:
		p.Use("File::Basename")
		return "basename(" + expr + ")"
	case request.EncodingPercent:
		p.Use("URI::Escape qw(uri_escape)")
		return "uri_escape(" + expr + `, '^A-Za-z0-9\-._~')`
	case request.EncodingForm:
		p.Use("URI::Escape qw(uri_escape)")
		return "uri_escape(" + expr + `, '^A-Za-z0-9\-._~') =~ s/%20/+/gr`
	case request.EncodingJSON:
		p.Use("JSON::PP")
		return "substr(JSON::PP->new->allow_nonref->encode(" + expr + "), 1, -1)"
	}
	return expr
}

// A perlRequest writes one call with LWP.
type perlRequest struct {
	p      *plan.Program
	c      *plan.Call
	suffix string
	*perlNeeds
}

// perlNeeds is what the calls of a program need together.
type perlNeeds struct {
	slurps    bool     // a function that reads a file
	functions []string // of HTTP::Request::Common
}

func (r *perlRequest) text(t plan.Text) string { return language.Text(r.p, t) }

// methods are the functions of HTTP::Request::Common.
var methods = []string{"GET", "HEAD", "DELETE", "OPTIONS", "POST", "PUT", "PATCH"}

func (r *perlRequest) write() {
	r.p.Use("LWP::UserAgent")
	if b := r.c.Basic; b != nil && b.Colon() {
		if plan.HasVariable(b.Joined()) {
			r.p.Refuse("takes no user name with a colon")
		}
		r.c.Basic = nil
		r.c.Spell("Authorization")
	}
	content, helper := r.content()
	request := "$request" + r.suffix
	fields := r.fieldItems(helper)
	name, known := r.function(helper)
	query := r.query()
	url := r.text(r.c.URLText)
	if r.c.Guess {
		url = "$url" + r.suffix
		r.p.Line("my ", url, " = ", r.text(r.c.URLText), ";")
		r.p.Line(url, ` = "http://`, url, `" unless `, url, " =~ m{://}; # as curl does")
	}
	if query != nil {
		r.p.Use("URI")
		uri := "$uri" + r.suffix
		r.p.Line("my ", uri, " = URI->new(", url, ");")
		r.p.Node(uri+"->query_form", emit.Group("", "(", r.pairs(query), ")"), ";")
		url = uri
	}
	if known {
		if !slices.Contains(r.functions, name) {
			r.functions = append(r.functions, name)
		}
		items := append([]emit.Node{emit.Leaf(url)}, fields...)
		if r.c.Content.Kind != plan.NoBody {
			items = append(items, emit.Named("Content", " => ", content))
		}
		r.p.Node("my "+request+" = ", emit.Group(name, "(", items, ")"), ";")
	} else {
		r.p.Use("HTTP::Request")
		items := []emit.Node{emit.Leaf(r.methodName() + " => " + url)}
		if len(fields) > 0 || r.c.Content.Kind != plan.NoBody {
			items = append(items, emit.Group("", "[", fields, "]"))
		}
		if r.c.Content.Kind != plan.NoBody {
			items = append(items, content)
		}
		r.p.Node("my "+request+" = ", emit.Group("HTTP::Request->new", "(", items, ")"), ";")
	}
	if r.c.Basic != nil {
		r.p.Line(request, "->authorization_basic(", r.text(r.c.Basic.User), ", ", r.text(r.c.Basic.Password), ");")
	}
	r.p.Line()
	r.agent()
	r.send(request)
	r.result()
}

func (r *perlRequest) methodName() string {
	if strings.Trim(r.c.Method, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" {
		return r.c.Method
	}
	return String(r.c.Method)
}

// function returns the function that makes the request, where one sends what
// curl sends: POST, PUT and PATCH imply a type.
func (r *perlRequest) function(helper bool) (string, bool) {
	implies := slices.Index(methods, r.c.Method) >= slices.Index(methods, "POST")
	if !slices.Contains(methods, r.c.Method) || r.c.Content.Kind != plan.NoBody && !implies {
		return "", false
	}
	f := r.c.Field("Content-Type")
	return r.c.Method, !implies || helper || f != nil && f.Value.Source() != ""
}

// fieldItems returns the names and values of the header.
func (r *perlRequest) fieldItems(helper bool) []emit.Node {
	var items []emit.Node
	for _, f := range r.c.Headers() {
		if f.Derived() {
			continue
		}
		name := f.Name
		if strings.Contains(name, "_") {
			name = ":" + name
		}
		items = append(items, emit.Leaf(key(name)+" => "+r.text(f.Value)))
	}
	if helper && r.c.Content.Kind == plan.MultipartBody {
		items = append(items, emit.Leaf("Content_Type => 'form-data'"))
	}
	if r.c.Compressed() && r.c.Field("Accept-Encoding") == nil {
		r.p.Use("HTTP::Message")
		items = append(items, emit.Leaf("'Accept-Encoding' => scalar HTTP::Message::decodable()"))
	}
	return items
}

// query takes the query out of the URL where query_form prints it.
func (r *perlRequest) query() []plan.Pair {
	if strings.Contains(r.c.URL, "%0") {
		return nil
	}
	return r.c.TakeQuery(&encodePerl, nil)
}

// key returns the left side of a fat comma, which quotes names.
func key(name string) string {
	for i := range len(name) {
		if !ascii.IsNameByte(name[i]) || i == 0 && ascii.IsDigit(name[i]) {
			return String(name)
		}
	}
	if name == "" {
		return String(name)
	}
	return name
}

// content returns the content, and whether it is one that a function of
// HTTP::Request::Common encodes.
func (r *perlRequest) content() (n emit.Node, helper bool) {
	switch r.c.Content.Kind {
	case plan.RawBody:
		implied, source := r.c.Method == "POST" || r.c.Method == "PUT" || r.c.Method == "PATCH", r.c.Content.Data.Source()
		if breaks := strings.Contains(source, "%0") || strings.ContainsAny(source, "\r\n"); !implied || breaks || !r.c.IsForm(&encodePerl) { // of which it makes CRLF
			return language.Content(r.p, r.c.Content.Data), false
		}
		r.c.Imply(r.c.Field("Content-Type"))
		return emit.Group("", "[", r.pairs(r.c.Content.Form), "]"), true
	case plan.MultipartBody:
		if n, ok := r.parts(); ok {
			return n, true
		}
		return r.pieces(r.c.RawForm()), false
	case plan.FileBody:
		return emit.Leaf(r.file(plan.Piece{File: r.c.Content.File})), false
	case plan.PieceBody:
		return r.pieces(r.c.Content.List), false
	}
	return emit.Node{}, false
}

// pairs returns pairs as the items of a list.
func (r *perlRequest) pairs(pairs []plan.Pair) []emit.Node {
	items := make([]emit.Node, len(pairs))
	for i, p := range pairs {
		items[i] = emit.Leaf(r.quotedKey(plan.Decoded(p.Name)) + " => " + r.text(plan.Decoded(p.Value)))
	}
	return items
}

func (r *perlRequest) quotedKey(t plan.Text) string {
	if s, ok := t.Plain(); ok {
		return key(s)
	}
	return r.text(t)
}

// parts returns the list that makes a form.
func (r *perlRequest) parts() (emit.Node, bool) {
	if r.c.Body.FormEscape || r.c.Method != "POST" && r.c.Method != "PUT" && r.c.Method != "PATCH" {
		return emit.Node{}, false
	}
	items := make([]emit.Node, len(r.c.Content.Part))
	for i := range r.c.Content.Part {
		p := &r.c.Content.Part[i]
		content := emit.Leaf(r.text(p.ValueText))
		switch {
		case !p.Helped() || strings.ContainsAny(p.Name, "\"\\\r\n") || p.FilenameText != nil && strings.ContainsAny(*p.FilenameText, "\"\\\r\n"):
			return emit.Node{}, false
		case p.IsFile() && (p.FilenameText == nil || p.TypeText == nil || p.FileText.Source() == "-"):
			return emit.Node{}, false
		case p.IsFile():
			filename := String(*p.FilenameText)
			if p.Implied {
				filename = "undef" // the end of the path
			}
			file := []emit.Node{emit.Leaf(r.text(p.FileText)), emit.Leaf(filename), emit.Leaf("Content_Type => " + String(*p.TypeText))}
			content = emit.Group("", "[", file, "]")
		case p.FilenameText != nil || p.TypeText != nil:
			return emit.Node{}, false
		}
		items[i] = emit.Named(r.quotedKey(p.NameText), " => ", content)
	}
	return emit.Group("", "[", items, "]"), true
}

// file returns an expression for the content of a file, changed as curl
// changes it.
func (r *perlRequest) file(one plan.Piece) string {
	read := "slurp(" + r.text(one.File) + ")"
	if one.File.Source() == "-" {
		read = "do { local $/; <STDIN> }"
	} else {
		r.slurps = true
	}
	if one.Offset > 0 {
		read = "substr(" + read + ", " + strconv.FormatInt(one.Offset, 10) + ")"
	}
	if one.Strip {
		read += ` =~ tr/\r\n\0//dr`
	}
	if one.Urlencode {
		r.p.Use("URI::Escape qw(uri_escape)")
		read = "uri_escape(" + read + `, '^A-Za-z0-9\-._~') =~ s/%20/+/gr`
	}
	if len(one.Name) > 0 {
		read = r.text(one.Prefix()) + " . (" + read + ")"
	}
	return read
}

func (r *perlRequest) pieces(pieces []plan.Piece) emit.Node {
	return plan.JoinPieces(pieces, r.text, r.file, func(items []emit.Node) emit.Node {
		return emit.Group("join", "(", append([]emit.Node{emit.Leaf("''")}, items...), ")")
	})
}

// cookies returns the settings for a jar, after the statement that makes one of several
// requests.
func (r *perlRequest) cookies() (items []emit.Node) {
	if jar := r.c.Jar(); jar != nil {
		cookies := "$" + jar.Named("cookies")
		if r.c.Opens() {
			r.p.Use("HTTP::Cookies")
			r.p.Line("my ", cookies, " = HTTP::Cookies->new(hide_cookie2 => 1);")
		}
		items = append(items, emit.Leaf("cookie_jar => "+cookies))
	} else if len(r.c.CookieJar()) > 0 {
		r.p.Use("HTTP::Cookies::Netscape")
		jar := []emit.Node{emit.Leaf("file => " + r.text(r.c.CookieJar())), emit.Leaf("autosave => 1"), emit.Leaf("ignore_discard => 1"), emit.Leaf("hide_cookie2 => 1")}
		items = append(items, emit.Group("cookie_jar => HTTP::Cookies::Netscape->new", "(", jar, ")"))
	}
	if r.c.Jar() == nil && r.c.KeepsCookies() && (r.c.Has("cookieEngine") || r.c.PrintsCookies()) && r.c.Follow() {
		r.p.Use("HTTP::Cookies")
		items = append(items, emit.Leaf("cookie_jar => HTTP::Cookies->new(hide_cookie2 => 1)"))
	}
	return items
}

// agent writes the user agent with its settings.
func (r *perlRequest) agent() {
	var items, tls []emit.Node
	switch {
	case r.c.Stops(): // with max_redirect, a redirect would be an error
		items = append(items, emit.Leaf("requests_redirectable => []"))
	case r.c.LeavesRedirects():
	default:
		items = append(items, emit.Leaf("max_redirect => "+strconv.FormatInt(r.c.RedirectLimit(), 10)))
		if r.c.Method != "GET" && r.c.Method != "HEAD" {
			items = append(items, emit.Leaf("requests_redirectable => ['GET', 'HEAD', "+String(r.c.Method)+"]"))
		}
	}
	if r.c.Removes("User-Agent") {
		items = append(items, emit.Leaf("agent => ''"))
	}
	if limit := max(r.c.Timeout(), r.c.ConnectTimeout()); limit > 0 {
		items = append(items, emit.Leaf("timeout => "+emit.Seconds(limit)))
	}
	if r.c.Insecure() {
		tls = append(tls, emit.Leaf("verify_hostname => 0"), emit.Leaf("SSL_verify_mode => 0"))
	}
	if refused := r.c.RefusesTLS(); len(refused) > 0 {
		versions := "SSLv23:!SSLv2:!SSLv3"
		for _, version := range refused {
			versions += ":!TLSv" + strings.TrimSuffix(version, "_0") // TLSv1 is 1.0
		}
		tls = append(tls, emit.Leaf("SSL_version => "+String(versions)))
	}
	tls = append(tls, r.certificates()...)
	if len(tls) > 0 {
		items = append(items, emit.Group("ssl_opts => ", "{", tls, "}").Padded())
	}
	items = append(items, r.cookies()...)
	agent := "$agent" + r.suffix
	class := "LWP::UserAgent"
	if r.c.Digest != nil {
		class = "Agent" + r.suffix
		r.p.Block("package "+class+" {", func() {
			r.p.Line("use parent -norequire, 'LWP::UserAgent';")
			r.p.Line("sub get_basic_credentials { return (", r.text(r.c.Digest.User), ", ", r.text(r.c.Digest.Password), ") }")
		})
		r.p.Line("}")
	}
	r.p.Node("my "+agent+" = ", emit.Group(class+"->new", "(", items, ")"), ";")
	if r.c.Follow() && r.c.Strips() && r.c.Field("Authorization") != nil {
		r.p.Block(agent+"->add_handler(request_prepare => sub ($request, @) {", func() {
			r.p.Line("state $server = $request->uri->host_port;")
			r.p.Line("$request->remove_header('Authorization') if $request->uri->host_port ne $server;")
		})
		r.p.Line("});")
	}
	if r.c.ProxyScheme() != "" {
		r.p.RefuseProxyColon(r.c)
		r.p.Line(agent, "->proxy(['http', 'https'], ", r.text(r.c.ProxyURL()), ");")
		if r.c.NoProxy() != "" {
			hosts := strings.Fields(strings.ReplaceAll(r.c.NoProxy(), ",", " "))
			for i := range hosts {
				hosts[i] = String(hosts[i])
			}
			r.p.Line(agent, "->no_proxy(", strings.Join(hosts, ", "), ");")
		}
	}
}

func (r *perlRequest) send(request string) {
	response, agent := "$response"+r.suffix, "$agent"+r.suffix
	if r.c.Retries() == 0 {
		r.p.Line("my ", response, " = ", agent, "->request(", request, ");")
	} else {
		r.p.Line("my ", response, ";")
		r.p.Block("for my $try (0 .. "+strconv.FormatInt(r.c.Retries(), 10)+") {", func() {
			r.p.Line(response, " = ", agent, "->request(", request, ");")
			r.p.Line("last if ", response, "->code !~ /^(?:408|429|50[0234]|52[24])$/;")
			r.p.Line("sleep 2**$try;")
		})
		r.p.Line("}")
	}
}

// result writes what is done with the response.
func (r *perlRequest) result() {
	response := "$response" + r.suffix
	fails := func() { r.p.Line("die ", response, `->status_line, "\n" if `, response, "->is_error;") }
	late := r.c.FailsLate()
	switch {
	case r.c.Fail() && !late:
		fails()
	case !r.p.Options.Bare:
		r.p.Line("die ", response, `->status_line, "\n" if `, response, "->header('Client-Warning'); # no response")
	}
	content := "->content"
	if r.c.Compressed() {
		content = "->decoded_content(charset => 'none')"
	}
	whole := func() {
		if r.c.Measured(r.p.Options) { // LWP takes an early end for the end
			r.p.Line(`die "the response is incomplete\n" if length(`, response, content, ") < (", response, "->content_length // 0);")
		}
	}
	switch r.c.Destination(r.p.Options) {
	case plan.ToFile:
		if folder := r.c.Folder(); folder != nil {
			r.p.Use("File::Path qw(make_path)")
			r.p.Line("make_path(", r.text(folder), ");")
		}
		r.p.Line("open my $out", r.suffix, ", '>:raw', ", r.text(r.c.Output()), " or die $!;")
		r.p.Line("print {$out", r.suffix, "} ", response, content, ";")
		whole()
	case plan.HeadersPrinted:
		r.p.Line("print ", response, "->headers->as_string;")
	case plan.ContentPrinted:
		r.p.Line("print ", response, content, ";")
		whole()
	}
	if late {
		fails()
	}
}
