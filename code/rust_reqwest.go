//go:build !nocode

package code

import (
	"slices"
	"strings"
)

// What the blocking client of reqwest 0.11 and 0.12 does by itself, measured on
// the wire: it adds Accept, which no program can take out; writes names in small
// letters; takes dot segments out of paths; follows redirects unless told not
// to; ends a request after 30 seconds unless told not to.
var rustReqwest = Target{
	Name: "rust", Language: "rust", Client: "reqwest", Version: "0.11", Kind: Code, Extension: "rs",
	Aliases: []string{"rust-reqwest", "reqwest", "rs"}, Proven: true,
	style: rustStyle,
	write: func(p *program) {
		writeRust(p, p.reqwestDependency(), func(c *call) {
			r := reqwestRequest{p: p, c: c}
			r.write()
		})
	},
	client: client{
		framed:    true,
		unended:   true,
		adds:      []string{"Accept"},
		always:    []string{"Accept"},
		dots:      true,
		slashes:   true,
		after:     []string{"content", "referer"},
		emptyHost: true,
		printable: true,
		says:      []string{"createDirs", "followRedirects", "maxRedirects", "maxTime", "connectTimeout", "insecure", "cacert", "cert", "noproxy"},
		proxies:   []string{"http", "https", "socks5", "socks5h"},
		versions:  []string{"1.0", "1.1"},
	},
}

// reqwestDependency returns the line of Cargo.toml.
func (p *program) reqwestDependency() string {
	features := []string{`"blocking"`}
	for _, f := range []struct {
		name string
		asks func(c *call) bool
	}{
		{"gzip", func(c *call) bool { return c.compressed }},
		{"multipart", func(c *call) bool { return c.body.kind == multipartBody }},
		{"socks", func(c *call) bool { return strings.HasPrefix(c.proxyScheme(), "socks") }},
	} {
		if slices.ContainsFunc(p.calls, f.asks) {
			features = append(features, `"`+f.name+`"`)
		}
	}
	return `reqwest = { version = "0.12", features = [` + strings.Join(features, ", ") + `] }`
}

// A reqwestRequest writes one call with reqwest.
type reqwestRequest struct {
	p       *program
	c       *call
	content []node // the calls that set the content
	formed  bool   // the content brings its type
}

var reqwestMethods = []string{"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"}

func (r *reqwestRequest) write() {
	r.client()
	url := r.p.rustURL(r.c)
	r.body()
	binding := "let "
	if r.c.destination(r.p.options) == toFile {
		binding = "let mut "
	}
	if r.p.options.Bare && r.c.destination(r.p.options) == discarded {
		binding = "let _"
	}
	r.p.line(binding, "response = client")
	r.p.level++
	switch {
	case slices.Contains(reqwestMethods, r.c.Method):
		r.p.line(".", strings.ToLower(r.c.Method), "(", url, ")")
	case r.c.Method == "OPTIONS":
		r.p.line(".request(reqwest::Method::OPTIONS, ", url, ")")
	default:
		r.p.line(".request(", rustString(r.c.Method), ".parse()?, ", url, ")")
	}
	if r.c.httpVersion == "1.0" {
		r.p.line(".version(reqwest::Version::HTTP_10)")
	}
	r.headers()
	for _, n := range r.content {
		r.p.node("", n, "")
	}
	last := ""
	if !r.c.fail {
		last = ";"
	}
	r.p.line(".send()?", last)
	if r.c.fail {
		r.p.line(".error_for_status()?;")
	}
	r.p.level--
	r.result()
}

// client writes the statements that make a client.
func (r *reqwestRequest) client() {
	var lines []string
	set := func(parts ...string) { lines = append(lines, "."+strings.Join(parts, "")) }
	switch {
	case !r.c.follow || r.c.maxRedirects == 0:
		set("redirect(reqwest::redirect::Policy::none())")
	case r.c.maxRedirects < 0:
		set("redirect(reqwest::redirect::Policy::custom(|attempt| attempt.follow()))")
	case r.c.maxRedirects != curlRedirects:
		set("redirect(reqwest::redirect::Policy::limited(", itoa(int(r.c.maxRedirects)), "))")
	}
	if r.c.timeout > 0 {
		set("timeout(", rustDuration(r.p, r.c.timeout), ")")
	} else {
		set("timeout(None)")
	}
	if r.c.connectTimeout > 0 {
		set("connect_timeout(", rustDuration(r.p, r.c.connectTimeout), ")")
	}
	if r.c.insecure {
		set("danger_accept_invalid_certs(true)")
	}
	if len(r.c.caFile) > 0 {
		r.p.use("std::fs")
		r.p.line("let pem = fs::read(", r.p.rustText(r.c.caFile), ")?;")
		set("add_root_certificate(reqwest::Certificate::from_pem(&pem)?)")
		set("tls_built_in_root_certs(false)")
	}
	if len(r.c.cert) > 0 {
		r.p.lossAt(r.c.place("cert"), "--cert", "takes client certificates only with features that choose its TLS")
	}
	if r.c.proxyScheme() != "" {
		address, user, password := r.c.proxyParts()
		proxy := "proxy(reqwest::Proxy::all(" + r.p.rustText(address) + ")?"
		if len(user) > 0 {
			proxy += ".basic_auth(" + r.p.rustBorrowed(user) + ", " + r.p.rustBorrowed(password) + ")"
		}
		if r.c.noProxy != "" {
			proxy += ".no_proxy(reqwest::NoProxy::from_string(" + rustString(r.c.noProxy) + "))"
		}
		set(proxy, ")")
	}
	if r.c.replacesNoProxy() {
		r.p.lossAt(r.c.place("noproxy"), "--noproxy", onlyNoProxy)
	}
	if r.c.direct() {
		set("no_proxy()")
	}
	r.p.line("let client = reqwest::blocking::Client::builder()")
	r.p.level++
	for _, l := range lines {
		r.p.line(l)
	}
	r.p.line(".build()?;")
	r.p.level--
}

func (r *reqwestRequest) headers() {
	for _, f := range r.c.fields {
		value := f.value
		source := value.source()
		switch {
		case f.derived && r.c.basic.user.isText() && r.c.basic.password.isText():
			r.p.line(".basic_auth(", r.p.rustText(r.c.basic.user), ", Some(", r.p.rustText(r.c.basic.password), "))")
		case f.is("Content-Type") && r.formed:
		case f.is("Authorization") && strings.HasPrefix(source, "Bearer "):
			r.p.line(".bearer_auth(", r.p.rustText(value.cut(len("Bearer "), len(source))), ")")
		case value.isASCII():
			r.p.line(".header(", rustString(f.name), ", ", r.p.rustText(value), ")")
		case value.isText():
			r.p.line(".header(", rustString(f.name), ", ", r.p.rustText(value), ".as_bytes())")
		default:
			s, ok := value.plain()
			if !ok {
				r.p.refuse("sends only UTF-8 there")
			}
			r.p.line(".header(", rustString(f.name), ", ", rustBytes(s), ".as_slice())")
		}
	}
}

// body writes the statements that make the content, and keeps the calls that
// set it.
func (r *reqwestRequest) body() {
	set := func(n node) {
		n.head, n.close = ".body("+n.head, n.close+")"
		if n.open == "" {
			n.head += n.close
		}
		n.width += len(".body()")
		r.content = append(r.content, n)
	}
	b := &r.c.body
	switch b.kind {
	case rawBody:
		_, plain := b.data.plain()
		switch {
		case r.c.isForm(&encodeWHATWG):
			r.formed = true
			r.content = append(r.content, r.p.rustForm(r.c, ".form"))
		case plain && !b.data.isText():
			set(leaf(r.p.rustVector(b.data)))
		default:
			set(r.p.rustLong(b.data))
		}
	case multipartBody:
		r.multipart(set)
	case fileBody:
		if b.file.source() == "-" {
			r.p.use("std::io")
			set(leaf("reqwest::blocking::Body::new(io::stdin())"))
			return
		}
		r.p.use("std::fs::File")
		set(leaf("File::open(" + r.p.rustText(b.file) + ")?"))
	case pieceBody:
		set(r.p.rustPieces(b.list))
	}
}

// multipart writes the statement that makes a form.
func (r *reqwestRequest) multipart(set func(node)) {
	parts := r.c.body.part
	simple := !r.c.Body.FormEscape && r.c.field("Content-Type") == nil
	for i := range parts {
		p := &parts[i]
		simple = simple && len(p.Headers) == 0 && p.Name != "" && !strings.Contains(p.Name, `\`) && p.value.isText() && p.file.source() != "-" &&
			(p.filename == nil || !strings.Contains(*p.filename, `\`)) && !hasVariable(p.name) && p.fixed() &&
			(p.contentType == nil || isMediaType(*p.contentType))
	}
	if !simple {
		set(r.p.rustPieces(r.c.rawForm()))
		return
	}
	r.p.use("reqwest::blocking::multipart")
	r.p.line("let form = multipart::Form::new()")
	r.p.level++
	if !rustPlainNames(parts) {
		r.p.line(".percent_encode_noop()")
	}
	for i := range parts {
		end := ""
		if i+1 == len(parts) {
			end = ";"
		}
		r.part(&parts[i], end)
	}
	r.p.level--
	r.content = append(r.content, leaf(".multipart(form)"))
}

func (r *reqwestRequest) part(p *formPart, end string) {
	name := rustString(escapeName(p.Name, false))
	if !p.isFile() && p.filename == nil && p.contentType == nil {
		r.p.line(".text(", name, ", ", r.p.rustText(p.value), ")", end)
		return
	}
	content := "multipart::Part::text(" + r.p.rustText(p.value) + ")"
	switch {
	case p.isFile() && p.filename == nil:
		r.p.use("std::fs")
		content = "multipart::Part::bytes(fs::read(" + r.p.rustText(p.file) + ")?)"
	case p.isFile():
		content = "multipart::Part::file(" + r.p.rustText(p.file) + ")?"
	}
	if p.filename != nil && !p.implied { // file has the name of the path
		content += ".file_name(" + rustString(escapeName(*p.filename, false)) + ")"
	}
	if p.contentType != nil {
		content += ".mime_str(" + rustString(*p.contentType) + ")?"
	}
	r.p.line(".part(", name, ", ", content, ")", end)
}

// result writes what is done with the response.
func (r *reqwestRequest) result() {
	switch r.c.destination(r.p.options) {
	case toFile:
		r.p.makeRustFolder(r.c)
		r.p.use("std::fs::File")
		r.p.line("response.copy_to(&mut File::create(", r.p.rustText(r.c.output), ")?)?;")
	case headersPrinted:
		r.p.line(`println!("{:#?}", response.headers());`)
	case contentPrinted:
		r.p.line(`println!("{}", response.text()?);`)
	case discarded:
		if !r.p.options.Bare {
			r.p.line(`println!("{}", response.status());`)
		}
	}
}
