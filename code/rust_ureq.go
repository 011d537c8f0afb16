//go:build !nocode

package code

import (
	"slices"
	"strings"
)

// What ureq 2 does by itself, measured on the wire: it adds User-Agent and
// Accept, which no program can take out; sends a name once, but for names with
// X-; takes dot segments out of paths; follows redirects, and makes errors of
// status 400 and more, unless told not to. It has no forms with files.
var rustUreq = Target{
	Name: "rust-ureq", Language: "rust", Client: "ureq", Version: "2.6", Kind: Code, Extension: "rs",
	Aliases: []string{"ureq"}, Proven: true,
	style: rustStyle,
	write: func(p *program) {
		writeRust(p, `ureq = "2"`, func(c *call) {
			r := ureqRequest{program: p, call: c}
			r.write()
		})
	},
	client: client{
		adds:    []string{"User-Agent", "Accept"},
		always:  []string{"User-Agent", "Accept"},
		dots:    true,
		says:    []string{"followRedirects", "maxRedirects", "maxTime", "connectTimeout"},
		proxies: []string{"http"},
	},
}

// A ureqRequest writes one call with ureq.
type ureqRequest struct {
	*program
	*call
}

func (r *ureqRequest) write() {
	r.agent()
	url := r.rustURL(r.call)
	send := r.content()
	if len(url) > 0 && strings.Contains(url, "(") {
		url = "&" + url
	}
	function := ".request(" + rustString(r.Method) + ", " + url + ")"
	if slices.Contains(reqwestMethods, r.Method) {
		function = "." + strings.ToLower(r.Method) + "(" + url + ")"
	}
	binding := "let response"
	if r.program.options.Bare && r.destination(r.program.options) == discarded {
		binding = "let _response"
	}
	r.line(binding, " = agent")
	r.level++
	r.line(function)
	r.headers()
	if r.fail {
		send.close += "?;"
		if send.open == "" {
			send.head += "?;"
		}
		r.node("", send, "")
	} else {
		r.use("ureq::OrAnyStatus")
		r.node("", send, "")
		r.line(".or_any_status()?;")
	}
	r.level--
	r.result()
}

// plainCredentials reports credentials without variables: the field holds them.
func (r *ureqRequest) plainCredentials() bool {
	_, user := r.basic.user.plain()
	_, password := r.basic.password.plain()
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
	var calls string
	if r.secure() && r.toAddress() {
		r.refuse("knows no certificates for addresses")
	}
	switch {
	case !r.follow:
		calls += ".redirects(0)"
	case r.maxRedirects < 0:
		calls += ".redirects(u32::MAX)"
	case r.maxRedirects != curlRedirects:
		calls += ".redirects(" + itoa(int(r.maxRedirects)) + ")"
	}
	if r.connectTimeout > 0 {
		calls += ".timeout_connect(" + rustDuration(r.program, r.connectTimeout) + ")"
	}
	if r.timeout > 0 {
		calls += ".timeout(" + rustDuration(r.program, r.timeout) + ")"
	}
	if r.proxyScheme() != "" {
		if !r.secure() {
			r.refuse("asks a proxy for a tunnel only")
		}
		calls += ".proxy(ureq::Proxy::new(" + r.rustText(r.proxyURL()) + ")?)"
	}
	r.line("let agent = ureq::AgentBuilder::new()", calls, ".build();")
}

func (r *ureqRequest) headers() {
	named := func(f field) bool { return strings.HasPrefix(strings.ToLower(f.name), "x-") }
	fields := slices.Clone(r.joined())
	if r.repeated() {
		fields = slices.DeleteFunc(fields, named)
		fields = append(slices.DeleteFunc(slices.Clone(r.fields), func(f field) bool { return !named(f) }), fields...)
	}
	for _, f := range fields {
		switch {
		case !f.value.isASCII():
			r.refuse("sends only ASCII in fields")
		case f.is("Content-Type") && f.derived:
		case f.derived && !r.plainCredentials():
			r.help(rustBase64)
			both := mergeLiterals(append(append(slices.Clone(r.basic.user), part{literal: ":"}), r.basic.password...))
			r.line(`.set("Authorization", &format!("Basic {}", base64(`, r.rustText(both), ")))")
		default:
			r.line(".set(", rustString(f.name), ", ", r.rustBorrowed(f.value), ")")
		}
	}
	if r.body.kind == fileBody && r.body.file.source() != "-" {
		r.line(`.set("Content-Length", &file.metadata()?.len().to_string())`)
	}
}

// content writes the statements that make the content, and returns the call
// that sends it.
func (r *ureqRequest) content() node {
	switch r.body.kind {
	case rawBody:
		data, plain := r.body.data.plain()
		switch {
		case r.isForm(&encodeWHATWG):
			r.field("Content-Type").derived = true
			return r.rustForm(r.call, ".send_form")
		case plain && !r.body.data.isText():
			return leaf(".send_bytes(" + rustBytes(data) + ")")
		case plain && !strings.Contains(data, "\n") && len(splitLong(data)) > 1:
			return rustLanguage.long(".send_string", "(concat!(", data, "))", ",")
		}
		return leaf(".send_string(" + r.rustBorrowed(r.body.data) + ")")
	case multipartBody:
		r.node("let body = ", r.rustPieces(r.rawForm()), ";")
		return leaf(".send_bytes(&body)")
	case fileBody:
		if r.body.file.source() == "-" {
			r.use("std::io")
			return leaf(".send(io::stdin())")
		}
		r.use("std::fs::File")
		r.line("let file = File::open(", r.rustText(r.body.file), ")?;")
		return leaf(".send(&file)")
	case pieceBody:
		r.node("let body = ", r.rustPieces(r.body.list), ";")
		return leaf(".send_bytes(&body)")
	}
	return leaf(".call()")
}

// result writes what is done with the response.
func (r *ureqRequest) result() {
	switch r.destination(r.program.options) {
	case toFile:
		r.use("std::fs::File")
		r.use("std::io")
		r.line("io::copy(&mut response.into_reader(), &mut File::create(", r.rustText(r.output), ")?)?;")
	case headersPrinted:
		r.block("for name in response.headers_names() {", func() {
			r.line(`println!("{name}: {}", response.header(&name).unwrap_or_default());`)
		})
		r.line("}")
	case contentPrinted:
		r.line(`println!("{}", response.into_string()?);`)
	case discarded:
		if !r.program.options.Bare {
			r.line(`println!("{}", response.status());`)
		}
	}
}
