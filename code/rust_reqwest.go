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
			r := reqwestRequest{program: p, call: c}
			r.write()
		})
	},
	client: client{
		adds:     []string{"Accept"},
		always:   []string{"Accept"},
		dots:     true,
		says:     []string{"followRedirects", "maxRedirects", "maxTime", "connectTimeout", "insecure", "cacert", "cert", "noproxy"},
		proxies:  []string{"http", "https", "socks5", "socks5h"},
		versions: []string{"1.0", "1.1"},
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
	*program
	*call
	content []node // the calls that set the content
	formed  bool   // the content brings its type
}

var reqwestMethods = []string{"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"}

func (r *reqwestRequest) write() {
	r.client()
	url := r.rustURL(r.call)
	r.body()
	binding := "let "
	if r.destination(r.program.options) == toFile {
		binding = "let mut "
	}
	if r.program.options.Bare && r.destination(r.program.options) == discarded {
		binding = "let _"
	}
	r.line(binding, "response = client")
	r.level++
	switch {
	case slices.Contains(reqwestMethods, r.Method):
		r.line(".", strings.ToLower(r.Method), "(", url, ")")
	case r.Method == "OPTIONS":
		r.line(".request(reqwest::Method::OPTIONS, ", url, ")")
	default:
		r.line(".request(", rustString(r.Method), ".parse()?, ", url, ")")
	}
	if r.httpVersion == "1.0" {
		r.line(".version(reqwest::Version::HTTP_10)")
	}
	r.headers()
	for _, n := range r.content {
		r.node("", n, "")
	}
	last := ""
	if !r.fail {
		last = ";"
	}
	r.line(".send()?", last)
	if r.fail {
		r.line(".error_for_status()?;")
	}
	r.level--
	r.result()
}

// client writes the statements that make a client.
func (r *reqwestRequest) client() {
	var lines []string
	set := func(parts ...string) { lines = append(lines, "."+strings.Join(parts, "")) }
	switch {
	case !r.follow || r.maxRedirects == 0:
		set("redirect(reqwest::redirect::Policy::none())")
	case r.maxRedirects < 0:
		set("redirect(reqwest::redirect::Policy::custom(|attempt| attempt.follow()))")
	case r.maxRedirects != curlRedirects:
		set("redirect(reqwest::redirect::Policy::limited(", itoa(int(r.maxRedirects)), "))")
	}
	if r.timeout > 0 {
		set("timeout(", rustDuration(r.program, r.timeout), ")")
	} else {
		set("timeout(None)")
	}
	if r.connectTimeout > 0 {
		set("connect_timeout(", rustDuration(r.program, r.connectTimeout), ")")
	}
	if r.insecure && r.secure() {
		set("danger_accept_invalid_certs(true)")
	}
	if len(r.caFile) > 0 && r.secure() {
		r.use("std::fs")
		r.line("let pem = fs::read(", r.rustText(r.caFile), ")?;")
		set("add_root_certificate(reqwest::Certificate::from_pem(&pem)?)")
		set("tls_built_in_root_certs(false)")
	}
	if len(r.cert) > 0 && r.secure() {
		r.lossAt(r.place("cert"), "--cert", "takes client certificates only with features that choose its TLS")
	}
	if r.proxyScheme() != "" {
		address, user, password := r.proxyParts()
		proxy := "proxy(reqwest::Proxy::all(" + r.rustText(address) + ")?"
		if len(user) > 0 {
			proxy += ".basic_auth(" + r.rustBorrowed(user) + ", " + r.rustBorrowed(password) + ")"
		}
		if r.noProxy != "" {
			proxy += ".no_proxy(reqwest::NoProxy::from_string(" + rustString(r.noProxy) + "))"
		}
		set(proxy, ")")
	}
	if r.direct() {
		set("no_proxy()")
	}
	r.line("let client = reqwest::blocking::Client::builder()")
	r.level++
	for _, l := range lines {
		r.line(l)
	}
	r.line(".build()?;")
	r.level--
}

func (r *reqwestRequest) headers() {
	for _, f := range r.fields {
		value := f.value
		source := value.source()
		switch {
		case f.derived && r.basic.user.isText() && r.basic.password.isText():
			r.line(".basic_auth(", r.rustText(r.basic.user), ", Some(", r.rustText(r.basic.password), "))")
		case f.is("Content-Type") && r.formed:
		case f.is("Authorization") && strings.HasPrefix(source, "Bearer "):
			r.line(".bearer_auth(", r.rustText(value.cut(len("Bearer "), len(source))), ")")
		case value.isASCII():
			r.line(".header(", rustString(f.name), ", ", r.rustText(value), ")")
		case value.isText():
			r.line(".header(", rustString(f.name), ", ", r.rustText(value), ".as_bytes())")
		default:
			s, ok := value.plain()
			if !ok {
				r.refuse("sends only UTF-8 there")
			}
			r.line(".header(", rustString(f.name), ", ", rustBytes(s), ".as_slice())")
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
	b := &r.call.body
	switch b.kind {
	case rawBody:
		_, plain := b.data.plain()
		switch {
		case r.isForm(&encodeWHATWG):
			r.formed = true
			r.content = append(r.content, r.rustForm(r.call, ".form"))
		case plain && !b.data.isText():
			set(leaf(r.rustVector(b.data)))
		default:
			set(r.rustLong(b.data))
		}
	case multipartBody:
		r.multipart(set)
	case fileBody:
		if b.file.source() == "-" {
			r.use("std::io")
			set(leaf("reqwest::blocking::Body::new(io::stdin())"))
			return
		}
		r.use("std::fs::File")
		set(leaf("File::open(" + r.rustText(b.file) + ")?"))
	case pieceBody:
		set(r.rustPieces(b.list))
	}
}

// multipart writes the statement that makes a form.
func (r *reqwestRequest) multipart(set func(node)) {
	parts := r.call.body.part
	simple := !r.Body.FormEscape && r.field("Content-Type") == nil
	for i := range parts {
		p := &parts[i]
		simple = simple && len(p.Headers) == 0 && p.Name != "" && !strings.Contains(p.Name, `\`) && p.value.isText() && p.file.source() != "-" &&
			(p.filename == nil || !strings.Contains(*p.filename, `\`))
	}
	if !simple {
		set(r.rustPieces(r.rawForm()))
		return
	}
	r.use("reqwest::blocking::multipart")
	r.line("let form = multipart::Form::new()")
	r.level++
	if !rustPlainNames(parts) {
		r.line(".percent_encode_noop()")
	}
	for i := range parts {
		end := ""
		if i+1 == len(parts) {
			end = ";"
		}
		r.part(&parts[i], end)
	}
	r.level--
	r.content = append(r.content, leaf(".multipart(form)"))
}

func (r *reqwestRequest) part(p *formPart, end string) {
	name := rustString(escapeName(p.Name, false))
	if !p.isFile() && p.filename == nil && p.contentType == nil {
		r.line(".text(", name, ", ", r.rustText(p.value), ")", end)
		return
	}
	content := "multipart::Part::text(" + r.rustText(p.value) + ")"
	switch {
	case p.isFile() && p.filename == nil:
		r.use("std::fs")
		content = "multipart::Part::bytes(fs::read(" + r.rustText(p.file) + ")?)"
	case p.isFile():
		content = "multipart::Part::file(" + r.rustText(p.file) + ")?"
	}
	if p.filename != nil {
		content += ".file_name(" + rustString(escapeName(*p.filename, false)) + ")"
	}
	if p.contentType != nil {
		content += ".mime_str(" + rustString(*p.contentType) + ")?"
	}
	r.line(".part(", name, ", ", content, ")", end)
}

// result writes what is done with the response.
func (r *reqwestRequest) result() {
	switch r.destination(r.program.options) {
	case toFile:
		r.use("std::fs::File")
		r.line("response.copy_to(&mut File::create(", r.rustText(r.output), ")?)?;")
	case headersPrinted:
		r.line(`println!("{:#?}", response.headers());`)
	case contentPrinted:
		r.line(`println!("{}", response.text()?);`)
	case discarded:
		if !r.program.options.Bare {
			r.line(`println!("{}", response.status());`)
		}
	}
}
