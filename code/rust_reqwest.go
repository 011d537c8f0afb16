package code

import (
	"slices"
	"strconv"
	"strings"

	"uncoil/internal/engine/mime"
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
		http2:     true,
		stuck:     reqwestStuck,
		framed:    true,
		codings:   endsInChunks,
		unended:   true,
		adds:      fieldNames{"Accept"},
		always:    fieldNames{"Accept"},
		dots:      true,
		slashes:   true,
		numbers:   true,
		after:     []string{"referer"},
		emptyHost: true,
		printable: true,
		says:      []string{"createDirs", "followRedirects", "maxRedirects", "autoReferer", "maxTime", "connectTimeout", "retry", "insecure", "cacert", "cert", "tlsMin", "tlsMax", "noproxy"},
		loops:     func(c *call) bool { return c.spreads() && c.retries == 0 && c.timeout == 0 && !c.takesInput() },
		proxies:   []string{"http", "https", "socks5", "socks5h"},
		versions:  []string{"1.0"},
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
	query   []pair // of the URL, where a call sets it
	content []node // the calls that set the content
	formed  bool   // the content brings its type
}

var reqwestMethods = []string{"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"}

func (r *reqwestRequest) write() {
	r.client()
	if !r.loops() {
		r.query = r.c.takeQuery(&encodeWHATWG, nil)
	}
	url := r.p.rustURL(r.c)
	binding := "let "
	if r.c.destination(r.p.options) == toFile {
		binding = "let mut "
	}
	if r.p.options.Bare && r.c.destination(r.p.options) == discarded {
		binding = "let _"
	}
	all := func(*field) bool { return true }
	switch {
	case r.loops():
		r.follow(binding, url)
	case r.c.retries > 0:
		r.again(binding, func() {
			r.body()
			r.send("let response = client", r.method(url), all)
		})
	default:
		r.body()
		r.send(binding+"response = client", r.method(url), all)
	}
	r.result()
}

// loops reports whether the program follows the redirects itself.
func (r *reqwestRequest) loops() bool { return r.p.target.client.loopsFor(r.c) }

// method returns the call that begins a request.
func (r *reqwestRequest) method(url string) string {
	switch {
	case slices.Contains(reqwestMethods, r.c.Method):
		return "." + strings.ToLower(r.c.Method) + "(" + url + ")"
	case r.c.Method == "OPTIONS":
		return ".request(reqwest::Method::OPTIONS, " + url + ")"
	}
	return ".request(" + rustString(r.c.Method) + ".parse()?, " + url + ")"
}

// send writes the statement of a request with the fields that wanted takes.
func (r *reqwestRequest) send(before, method string, wanted func(*field) bool) {
	r.p.line(before)
	r.p.level++
	r.p.line(method)
	r.request(wanted)
	r.setContent()
	if r.c.fail && r.c.retries == 0 && !r.loops() {
		r.p.line(".send()?")
		r.p.line(".error_for_status()?;")
	} else {
		r.p.line(".send()?;")
	}
	r.p.level--
}

// request writes the calls that set the version and the fields that wanted takes.
func (r *reqwestRequest) request(wanted func(*field) bool) {
	if r.c.httpVersion == "1.0" {
		r.p.line(".version(reqwest::Version::HTTP_10)")
	}
	if r.query != nil {
		r.p.node("", r.p.rustForm(r.query, ".query"), "")
	}
	r.headers(wanted)
}

func (r *reqwestRequest) setContent() {
	for _, n := range r.content {
		r.p.node("", n, "")
	}
}

// again writes a loop, in which exchange makes a response, and which tries again as
// curl does: curl 8.22 src/tool_operate.c.
func (r *reqwestRequest) again(binding string, exchange func()) {
	r.p.use("std::thread")
	r.p.use("std::time::Duration")
	r.p.line("let mut attempt = 0;")
	r.p.block(binding+"response = loop {", func() {
		exchange()
		r.p.line("let status = response.status().as_u16();")
		r.p.line("let transient = [", retryStatuses, "].contains(&status);")
		r.p.block("if !transient || attempt == "+strconv.FormatInt(r.c.retries, 10)+" {", func() { r.p.line("break ", r.checked(), ";") })
		r.p.line("}")
		r.p.line("thread::sleep(Duration::from_secs(1 << attempt));")
		r.p.line("attempt += 1;")
	})
	r.p.line("};")
}

// checked returns the response that a loop ends with; of a status of 400 and more it
// makes an error, where curl does.
func (r *reqwestRequest) checked() string {
	if r.c.fail {
		return "response.error_for_status()?"
	}
	return "response"
}

// follow writes a loop that ends with a response that is no redirect: reqwest takes
// credentials away from another host.
func (r *reqwestRequest) follow(binding, first string) {
	url := "next"
	if !r.c.guess {
		url, first = "url", r.p.rustBorrowed(r.c.url)
	}
	r.p.line("let mut ", url, " = reqwest::Url::parse(", first, ")?;")
	statuses := r.c.emptying()
	if len(statuses) > 0 {
		r.p.line("let mut content = true;")
	}
	limited := r.c.maxRedirects >= 0
	if limited {
		r.p.line("let mut redirects = 0;")
	}
	goes := func(f *field) bool {
		return len(statuses) > 0 && (f.typesContent() || r.formed && f.is("Content-Type"))
	}
	stays := func(f *field) bool { return !goes(f) }
	r.p.block(binding+"response = loop {", func() {
		if len(statuses) == 0 {
			r.body()
			r.send("let response = client", r.method(url+".clone()"), stays)
		} else {
			r.emptied(url, stays, goes)
		}
		r.p.block(`let location = match response.headers().get("location") {`, func() {
			r.p.line("Some(location) if response.status().is_redirection() => location.to_str()?,")
			r.p.line("_ => break ", r.checked(), ",")
		})
		r.p.line("};")
		if limited {
			r.p.block("if redirects == "+strconv.FormatInt(r.c.maxRedirects, 10)+" {", func() { r.p.line(`return Err("too many redirects".into());`) })
			r.p.line("}")
			r.p.line("redirects += 1;")
		}
		r.p.line(url, " = ", url, ".join(location)?;")
		if len(statuses) > 0 {
			moved := "[" + strings.Join(statuses, ", ") + "].contains(&response.status().as_u16())"
			if len(statuses) == 1 {
				moved = "response.status() == " + statuses[0]
			}
			r.p.block("if "+moved+" {", func() { r.p.line("content = false;") })
			r.p.line("}")
		}
	})
	r.p.line("};")
}

// emptied writes the request of a loop whose content a redirect may take away.
func (r *reqwestRequest) emptied(url string, stays, goes func(*field) bool) {
	method := r.method(url + ".clone()")
	r.p.block("let request = if content {", func() {
		r.body()
		r.p.line("client")
		r.p.level++
		r.p.line(method)
		r.headers(goes)
		r.setContent()
		r.p.level--
	})
	if !r.c.keepsMethod {
		method = ".get(" + url + ".clone())"
	}
	r.p.block("} else {", func() { r.p.line("client", method) })
	r.p.line("};")
	r.p.line("let response = request")
	r.p.level++
	r.request(stays)
	r.p.line(".send()?;")
	r.p.level--
}

// client writes the statements that make a client.
func (r *reqwestRequest) client() {
	var lines []string
	set := func(parts ...string) { lines = append(lines, "."+strings.Join(parts, "")) }
	switch {
	case !r.c.follow || r.c.maxRedirects == 0 || r.loops():
		set("redirect(reqwest::redirect::Policy::none())")
	case r.c.maxRedirects < 0:
		set("redirect(reqwest::redirect::Policy::custom(|attempt| attempt.follow()))")
	case r.c.maxRedirects != curlRedirects:
		r.p.block("let limit = reqwest::redirect::Policy::custom(|attempt| {", func() { // limited counts the first request in reqwest 0.11
			r.p.block("if attempt.previous().len() > "+itoa(int(r.c.maxRedirects))+" {", func() { r.p.line(`attempt.error("too many redirects")`) })
			r.p.block("} else {", func() { r.p.line("attempt.follow()") })
			r.p.line("}")
		})
		r.p.line("});")
		set("redirect(limit)")
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
	for _, o := range []struct{ method, member string }{{"min_tls_version", "tlsMin"}, {"max_tls_version", "tlsMax"}} {
		switch version := r.c.tlsVersion(o.member); {
		case version == "" || !r.c.encrypts:
		case version != "1_3": // a limit that its usual TLS does not know
			set(o.method, "(reqwest::tls::Version::TLS_", version, ")")
		case o.member == "tlsMin":
			r.p.lossAt(r.c.place(o.member), "--tlsv1.3", "asks for TLS 1.3 only with features that choose its TLS")
		}
	}
	if len(r.c.caFile) > 0 {
		r.p.use("std::fs")
		r.p.line("let pem = fs::read(", r.p.rustText(r.c.caFile), ")?;")
		set("add_root_certificate(reqwest::Certificate::from_pem(&pem)?)")
		set("tls_built_in_root_certs(false)")
	}
	if len(r.c.cert) > 0 {
		r.p.lossAt(r.c.place("cert"), "--cert", "takes client certificates only with features that choose its TLS")
		if len(r.c.key) > 0 {
			r.p.lossAt(r.c.place("cert"), "--key", "takes client certificates only with features that choose its TLS")
		}
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

func (r *reqwestRequest) headers(wanted func(*field) bool) {
	for _, f := range r.c.fields {
		if !wanted(&f) {
			continue
		}
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
			r.content = append(r.content, r.p.rustForm(r.c.body.form, ".form"))
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
		if r.c.follow && !r.c.chunked() { // to send it again
			r.p.use("std::fs")
			set(leaf("fs::read(" + r.p.rustText(b.file) + ")?"))
			return
		}
		r.p.use("std::fs::File")
		set(leaf("File::open(" + r.p.rustText(b.file) + ")?"))
	case pieceBody:
		set(r.p.rustPieces(b.list))
	}
}

// reqwestWrites reports whether a form of reqwest has the bytes of the form.
func reqwestWrites(c *call) bool {
	return !c.Body.FormEscape && !slices.ContainsFunc(c.body.part, func(p formPart) bool {
		return !p.helped() || strings.Contains(p.Name, `\`) || !p.value.isText() || p.file.source() == "-" ||
			p.filename != nil && strings.Contains(*p.filename, `\`) || hasVariable(p.name) ||
			p.contentType != nil && !isMediaType(*p.contentType)
	})
}

// reqwestStuck reports content that reqwest reads only once: a form, and a stream.
func reqwestStuck(c *call) bool {
	return c.body.kind == multipartBody && reqwestWrites(c) || c.body.kind == fileBody && (c.chunked() || c.takesInput())
}

// multipart writes the statement that makes a form.
func (r *reqwestRequest) multipart(set func(node)) {
	if !reqwestWrites(r.c) {
		set(r.p.rustPieces(r.c.rawForm()))
		return
	}
	parts := r.c.body.part
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
	name := rustString(mime.EscapeName(p.Name, false))
	if !p.isFile() && p.filename == nil && p.contentType == nil {
		r.p.line(".text(", name, ", ", r.p.rustText(p.value), ")", end)
		return
	}
	calls := []string{"multipart::Part::text(" + r.p.rustText(p.value) + ")"}
	switch {
	case p.isFile() && p.filename == nil:
		r.p.use("std::fs")
		calls[0] = "multipart::Part::bytes(fs::read(" + r.p.rustText(p.file) + ")?)"
	case p.isFile():
		calls[0] = "multipart::Part::file(" + r.p.rustText(p.file) + ")?"
	}
	if p.filename != nil && !p.implied { // file has the name of the path
		calls = append(calls, ".file_name("+rustString(mime.EscapeName(*p.filename, false))+")")
	}
	if p.contentType != nil {
		calls = append(calls, ".mime_str("+rustString(*p.contentType)+")?")
	}
	content := leaf(strings.Join(calls, ""))
	if arguments := columns(name) + len(".part(, )"); !r.p.fits(arguments + content.width) {
		content = lines(calls)
	}
	r.p.node("", group(".part", "(", []node{leaf(name), content}, ")"), end)
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
