package code

import (
	"slices"
	"strconv"
	"strings"
)

// What ureq 2 does by itself, measured on the wire: it adds User-Agent, Accept and
// Accept-Encoding, which no program can take out; sends a name once, but for names with
// X-; takes dot segments out of paths; follows redirects, without Authorization
// unless told otherwise, and makes errors of status 400 and more, unless told not
// to. It has no forms with files.
var rustUreq = Target{
	Name: "rust-ureq", Language: "rust", Client: "ureq", Version: "2.6", Kind: Code, Extension: "rs",
	Aliases: []string{"ureq"}, Proven: true,
	style: rustStyle,
	write: func(p *program) {
		writeRust(p, `ureq = "2"`, func(c *call) {
			r := ureqRequest{p: p, c: c}
			r.write()
		})
	},
	client: client{
		modernTLS: true,
		anyMethod: true,
		codings:   func(value string) bool { return endsInChunks(value) || !namesChunks(value) },
		adds:      fieldNames{"User-Agent", "Accept", "Accept-Encoding"},
		always:    fieldNames{"User-Agent", "Accept", "Accept-Encoding"},
		dots:      true,
		slashes:   true,
		numbers:   true,
		emptyHost: true,
		printable: true,
		says:      []string{"createDirs", "followRedirects", "maxRedirects", "maxTime", "connectTimeout"},
		proxies:   []string{"http"},
		shares:    fieldNames{"Cookie"},
	},
}

// A ureqRequest writes one call with ureq.
type ureqRequest struct {
	p *program
	c *call
}

func (r *ureqRequest) write() {
	r.agent()
	url := r.p.rustURL(r.c)
	send := r.content()
	if len(url) > 0 && strings.Contains(url, "(") {
		url = "&" + url
	}
	function := ".request(" + rustString(r.c.Method) + ", " + url + ")"
	if slices.Contains(reqwestMethods, r.c.Method) {
		function = "." + strings.ToLower(r.c.Method) + "(" + url + ")"
	}
	binding := "let response"
	if r.p.options.Bare && r.c.destination(r.p.options) == discarded {
		binding = "let _response"
	}
	r.p.line(binding, " = agent")
	r.p.level++
	r.p.line(function)
	r.headers()
	if r.c.fail {
		send.close += "?;"
		if send.open == "" {
			send.head += "?;"
		}
		r.p.node("", send, "")
	} else {
		r.p.use("ureq::OrAnyStatus")
		r.p.node("", send, "")
		r.p.line(".or_any_status()?;")
	}
	r.p.level--
	r.result()
}

// plainCredentials reports credentials without variables: the field holds them.
func (r *ureqRequest) plainCredentials() bool {
	_, user := r.c.basic.user.plain()
	_, password := r.c.basic.password.plain()
	return user && password
}

// toAddress reports whether the host of the URL is an address.
func (c *call) toAddress() bool {
	a, ok := c.address()
	host := a.host.source()
	return ok && (strings.HasPrefix(host, "[") || strings.Trim(host, "0123456789.") == "")
}

// agent writes the statement that makes an agent.
func (r *ureqRequest) agent() {
	var calls []string
	if r.c.secure() && r.c.toAddress() {
		r.p.refuse("knows no certificates for addresses")
	}
	switch {
	case !r.c.follow:
		calls = append(calls, ".redirects(0)")
	case r.c.maxRedirects < 0:
		calls = append(calls, ".redirects(u32::MAX)")
	case r.c.maxRedirects != curlRedirects:
		calls = append(calls, ".redirects("+strconv.FormatInt(r.c.maxRedirects+1, 10)+")") // it counts the first request, too
	}
	if r.c.follow && r.c.body.kind != noBody {
		r.p.differs("ends where content is redirected with 307 or 308")
	}
	if r.c.follow && r.c.field("Authorization") != nil {
		calls = append(calls, ".redirect_auth_headers(ureq::RedirectAuthHeaders::SameHost)")
	}
	if r.c.connectTimeout > 0 {
		calls = append(calls, ".timeout_connect("+rustDuration(r.p, r.c.connectTimeout)+")")
	}
	if r.c.timeout > 0 {
		calls = append(calls, ".timeout("+rustDuration(r.p, r.c.timeout)+")")
	}
	if r.c.proxyScheme() != "" {
		if !r.c.secure() {
			r.p.refuse("asks a proxy for a tunnel only")
		}
		calls = append(calls, ".proxy(ureq::Proxy::new("+r.p.rustText(r.c.proxyURL())+")?)")
	}
	if all := "let agent = ureq::AgentBuilder::new()" + strings.Join(calls, "") + ".build();"; r.p.fits(len(all)) {
		r.p.line(all)
		return
	}
	r.p.block("let agent = ureq::AgentBuilder::new()", func() {
		for _, c := range calls {
			r.p.line(c)
		}
		r.p.line(".build();")
	})
}

func (r *ureqRequest) headers() {
	named := func(f field) bool { return strings.HasPrefix(strings.ToLower(f.name), "x-") }
	fields := slices.Clone(r.c.joined())
	if r.c.repeated() {
		fields = slices.DeleteFunc(fields, named)
		fields = append(slices.DeleteFunc(slices.Clone(r.c.fields), func(f field) bool { return !named(f) }), fields...)
	}
	for _, f := range fields {
		switch {
		case !f.value.isASCII():
			r.p.refuse("sends only ASCII in fields")
		case f.is("Content-Type") && f.derived:
		case f.derived && !r.plainCredentials():
			r.p.help(rustBase64)
			both := r.c.basic.joined()
			r.p.line(`.set("Authorization", &format!("Basic {}", base64(`, r.p.rustText(both), ")))")
		default:
			r.p.line(".set(", rustString(f.name), ", ", r.p.rustBorrowed(f.value), ")")
		}
	}
	if r.c.body.kind == fileBody && r.c.body.file.source() != "-" {
		r.p.line(`.set("Content-Length", &file.metadata()?.len().to_string())`)
	}
}

// content writes the statements that make the content, and returns the call
// that sends it.
func (r *ureqRequest) content() node {
	switch r.c.body.kind {
	case rawBody:
		data, plain := r.c.body.data.plain()
		switch {
		case r.c.isForm(&encodeWHATWG):
			r.c.field("Content-Type").derived = true
			return r.p.rustForm(r.c.body.form, ".send_form")
		case plain && !r.c.body.data.isText():
			return leaf(".send_bytes(" + rustBytes(data) + ")")
		case plain && !strings.Contains(data, "\n") && isLong(data):
			return rustLanguage.long(r.p, ".send_string", "(concat!(", data, "))", ",")
		}
		return leaf(".send_string(" + r.p.rustBorrowed(r.c.body.data) + ")")
	case multipartBody:
		r.p.node("let body = ", r.p.rustPieces(r.c.rawForm()), ";")
		return leaf(".send_bytes(&body)")
	case fileBody:
		if r.c.body.file.source() == "-" {
			r.p.use("std::io")
			return leaf(".send(io::stdin())")
		}
		r.p.use("std::fs::File")
		r.p.line("let file = File::open(", r.p.rustText(r.c.body.file), ")?;")
		return leaf(".send(&file)")
	case pieceBody:
		r.p.node("let body = ", r.p.rustPieces(r.c.body.list), ";")
		return leaf(".send_bytes(&body)")
	}
	return leaf(".call()")
}

// result writes what is done with the response.
func (r *ureqRequest) result() {
	switch r.c.destination(r.p.options) {
	case toFile:
		r.p.makeRustFolder(r.c)
		r.p.use("std::fs::File")
		r.p.use("std::io")
		file := leaf("&mut File::create(" + r.p.rustText(r.c.output) + ")?")
		r.p.node("", group("io::copy", "(", []node{leaf("&mut response.into_reader()"), file}, ")"), "?;")
	case headersPrinted:
		r.p.block("for name in response.headers_names() {", func() {
			r.p.line(`println!("{name}: {}", response.header(&name).unwrap_or_default());`)
		})
		r.p.line("}")
	case contentPrinted:
		r.p.line(`println!("{}", response.into_string()?);`)
	case discarded:
		if !r.p.options.Bare {
			r.p.line(`println!("{}", response.status());`)
		}
	}
}
