package code

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"

	"uncoil/internal/engine/source/quote"
	"uncoil/request"
)

// URLSession does what NSURLSession does (objc.go), because it is the same
// class. It has Digest authentication, which a delegate asks for.
var swiftURLSession = Target{
	Name: "swift", Language: "swift", Client: "URLSession", Version: "macOS 12", Kind: Code, Extension: "swift",
	Aliases: []string{"swift-urlsession", "swift-nsurlsession", "urlsession"}, filename: "main.swift",
	style: style{indent: "    ", comment: "// ", wraps: "="}, write: writeSwift,
	client: client{
		adds:     objcURLSession.client.adds,
		always:   objcURLSession.client.always,
		fixed:    objcURLSession.client.fixed,
		codings:  noCoding,
		framed:   true,
		counts:   enclosing,
		bodiless: objcURLSession.client.bodiless,
		digest:   true,
		eager:    true,
		says:     objcURLSession.client.says,
		versions: objcURLSession.client.versions,
		http2:    true,
	},
}

func writeSwift(p *program) {
	delegates := make(map[string]string)
	sections := p.sections(0, func(c *call, suffix string) {
		r := swiftRequest{p: p, c: c, suffix: suffix, delegates: delegates}
		r.write()
	})
	if !p.options.Bare {
		p.line("import Foundation")
		p.line()
	}
	for _, function := range p.helpers {
		for line := range strings.SplitSeq(function, "\n") {
			p.line(line)
		}
		p.line()
	}
	p.join(sections)
}

// swiftString returns a literal.
func swiftString(s string) string { return swiftText(literal(s), nil) }

// swiftText returns a literal with its variables: one of several lines for text
// of several lines, and with number signs where backslashes and quotation marks
// would need escapes otherwise.
func swiftText(t text, variable func(v *request.Variable) string) string {
	plain := t.literals()
	odd := strings.ContainsFunc(plain, func(c rune) bool { return c < ' ' && c != '\n' || c == 0x7f || quote.Turns(c) })
	quotes, hashes := `"`, ""
	if !odd && hasLines(plain) && !strings.Contains(plain, `"""`) {
		quotes = `"""`
	}
	if strings.ContainsAny(plain, `"\`) && (quotes != `"` || !odd && !strings.Contains(plain, "\n")) {
		hashes = "#"
		for strings.Contains(plain, `"`+hashes) || strings.Contains(plain, `\`+hashes) {
			hashes += "#"
		}
	}
	b := []byte(hashes + quotes)
	if quotes != `"` {
		b = append(b, '\n')
	}
	for i := range t {
		switch {
		case t[i].variable != nil:
			b = append(b, `\`+hashes+"("+variable(t[i].variable)+")"...)
		case hashes != "" || quotes != `"`:
			b = append(b, t[i].literal...)
		default:
			b = appendSwift(b, t[i].literal)
		}
	}
	if quotes != `"` {
		b = append(b, '\n')
	}
	return string(append(b, quotes+hashes...))
}

// appendSwift appends a text for the inside of a literal of one line.
func appendSwift(b []byte, s string) []byte {
	for _, c := range s {
		switch escape := lineEscape(c); {
		case escape != 0:
			b = append(b, '\\', escape)
		case c < ' ' || c == 0x7f || quote.Turns(c):
			b = appendBraced(b, c)
		case c == '"' || c == '\\':
			b = append(b, '\\', byte(c))
		default:
			b = utf8.AppendRune(b, c)
		}
	}
	return b
}

const swiftEncode = `func percentEncoded(_ text: String) -> String {
    let plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
    return text.addingPercentEncoding(withAllowedCharacters: CharacterSet(charactersIn: plain))!
}`

// variable returns a look-up in the environment.
func (r *swiftRequest) variable(v *request.Variable) string {
	expr := "ProcessInfo.processInfo.environment[" + swiftString(v.Name) + "]"
	if v.HasDefault {
		expr = "(" + expr + " ?? " + swiftString(v.Default) + ")"
	} else {
		expr += "!"
	}
	switch v.Encoding {
	case userPart:
		expr = "String(" + expr + `.prefix { $0 != ":" })`
	case passwordPart:
		expr = "String(" + expr + `.drop { $0 != ":" }.dropFirst())`
	case lastSegment:
		expr = "URL(fileURLWithPath: " + expr + ").lastPathComponent"
	case request.JSONEscape:
		r.p.refuse("escapes no variable for JSON")
	case request.Percent, request.FormEncode:
		r.p.help(swiftEncode)
		expr = "percentEncoded(" + expr + ")"
		if v.Encoding == request.FormEncode {
			expr += `.replacingOccurrences(of: "%20", with: "+")`
		}
	}
	return expr
}

// A swiftRequest writes one call with URLSession.
type swiftRequest struct {
	p         *program
	c         *call
	suffix    string
	delegates map[string]string // their names, by what they do
}

func (r *swiftRequest) name(s string) string { return s + r.suffix }

// text returns an expression of type String.
func (r *swiftRequest) text(t text) string {
	if !t.isText() {
		r.p.refuse("sends only UTF-8 there")
	}
	if len(t) == 1 && t[0].variable != nil {
		return r.variable(t[0].variable)
	}
	return swiftText(t, r.variable)
}

// data returns an expression of type Data for a text.
func (r *swiftRequest) data(t text) string {
	if s, ok := t.plain(); ok && !utf8.ValidString(s) {
		return `Data(base64Encoded: "` + base64.StdEncoding.EncodeToString([]byte(s)) + `")!`
	}
	s := r.text(t)
	if len(t) == 1 && t[0].variable != nil {
		s = "(" + s + ")"
	}
	return "Data(" + s + ".utf8)"
}

func (r *swiftRequest) write() {
	delegate := r.delegate()
	url := r.text(r.encodedURL())
	request := r.name("request")
	if r.c.guess {
		r.p.line("var ", r.name("address"), " = ", url)
		url = r.name("address")
		r.p.line("if !", url, `.contains("://") { `, url, ` = "http://" + `, url, " } // as curl does")
	}
	made := group("URLRequest", "(", []node{leaf("url: URL(string: " + url + ")!")}, ")")
	upload := r.c.body.kind == fileBody && r.c.body.file.source() != "-"
	if r.c.Method == "GET" && len(r.c.fields) == 0 && r.c.body.kind == noBody {
		r.p.node("let "+request+" = ", made, "")
	} else {
		r.p.node("var "+request+" = ", made, "")
	}
	if r.c.Method != "GET" {
		r.p.line(request, ".httpMethod = ", swiftString(r.c.Method))
	}
	content := ""
	if !upload {
		content = r.content()
	}
	r.headers(request)
	if content != "" {
		r.p.line(request, ".httpBody = ", content)
	}
	r.p.line()
	call := r.session() + ".data(for: " + request
	if upload {
		call = r.session() + ".upload(for: " + request + ", fromFile: URL(fileURLWithPath: " + r.text(r.c.body.file) + ")"
	}
	if delegate != "" {
		call += ", delegate: " + delegate + "()"
	}
	r.result("try await " + call + ")")
}

// encodedURL returns the URL with the characters percent-encoded that URL does
// not take.
func (r *swiftRequest) encodedURL() text {
	a, ok := r.c.address()
	if !ok {
		return percentEncoded(r.c.url, "\"<>\\^`{|} ")
	}
	source := r.c.URL
	host := len(source) - len(strings.TrimPrefix(a.path.source(), "/"))
	return mergeLiterals(append(r.c.url.cut(0, host), percentEncoded(r.c.url.cut(host, len(source)), "\"<>[]\\^`{|} ")...))
}

func (r *swiftRequest) headers(request string) {
	seen := make(map[string]bool, len(r.c.fields))
	for _, f := range r.c.fields {
		verb, value := "setValue", r.text(f.value)
		if seen[strings.ToLower(f.name)] {
			verb = "addValue"
		}
		seen[strings.ToLower(f.name)] = true
		if f.derived && f.is("Authorization") {
			both := r.c.basic.joined()
			r.p.line("let ", r.name("credentials"), " = ", r.data(both), ".base64EncodedString()")
			value = `"Basic \(` + r.name("credentials") + `)"`
		}
		r.p.node(request+".", group(verb, "(", []node{leaf(value), leaf("forHTTPHeaderField: " + swiftString(f.name))}, ")"), "")
	}
	if r.c.field("Cookie") != nil {
		r.p.line(request, ".httpShouldHandleCookies = false")
	}
}

// content returns an expression for the body, after statements that it needs.
func (r *swiftRequest) content() string {
	if r.c.body.kind != noBody && r.c.body.kind != multipartBody && r.c.field("Content-Type") == nil {
		r.p.refuse("gives content the type of a form")
	}
	pieces := r.c.body.list
	switch r.c.body.kind {
	case noBody:
		return ""
	case rawBody:
		return r.data(r.c.body.data)
	case multipartBody:
		pieces = r.c.rawForm()
	case fileBody:
		pieces = []piece{{file: r.c.body.file}}
	}
	body := r.name("body")
	var values []string
	for _, one := range pieces {
		s, known := one.text.plain()
		switch {
		case !one.isText:
			values = append(values, r.file(&one))
		case known && utf8.ValidString(s):
			for _, part := range splitLong(s) {
				values = append(values, r.data(literal(part)))
			}
		default:
			values = append(values, r.data(one.text))
		}
	}
	if len(values) == 1 {
		return values[0]
	}
	for i, value := range values {
		if i == 0 {
			r.p.line("var ", body, " = ", value)
		} else {
			r.p.line(body, " += ", value)
		}
	}
	return body
}

// file returns an expression for the content of a file, changed as curl changes
// it.
func (r *swiftRequest) file(one *piece) string {
	read := "try Data(contentsOf: URL(fileURLWithPath: " + r.text(one.file) + "))"
	if one.file.source() == "-" {
		read = "try FileHandle.standardInput.readToEnd() ?? Data()"
	}
	if !one.strip && !one.urlencode && one.offset == 0 {
		return read
	}
	read = "(" + read + ")"
	if one.offset > 0 {
		read += ".dropFirst(" + itoa(int(one.offset)) + ")"
	}
	if one.strip {
		read += ".filter { ![0, 10, 13].contains($0) }"
	}
	if one.urlencode {
		r.p.help(swiftEncode)
		read = "Data(percentEncoded(String(decoding: " + read + `, as: UTF8.self)).replacingOccurrences(of: "%20", with: "+").utf8)`
	}
	if len(one.name) > 0 {
		read = r.data(one.prefix()) + " + " + read
	}
	return read
}

// session returns the session that sends the request: without the cookies, the
// credentials and the responses that earlier runs have stored.
func (r *swiftRequest) session() string {
	if r.c.timeout == 0 && r.c.connectTimeout == 0 {
		return "URLSession(configuration: .ephemeral)"
	}
	configuration := r.name("configuration")
	r.p.line("let ", configuration, " = URLSessionConfiguration.ephemeral")
	if r.c.connectTimeout > 0 {
		r.p.line(configuration, ".timeoutIntervalForRequest = ", seconds(r.c.connectTimeout))
	}
	if r.c.timeout > 0 {
		r.p.line(configuration, ".timeoutIntervalForResource = ", seconds(r.c.timeout))
	}
	return "URLSession(configuration: " + configuration + ")"
}

// delegate writes the class that keeps a session from what curl does not do
// unasked, and that answers challenges, and returns its name: nothing where
// none is needed.
func (r *swiftRequest) delegate() string {
	var b strings.Builder
	if !r.c.follow {
		b.WriteString(`
    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest
    ) async -> URLRequest? {
        nil // curl had no -L
    }`)
	}
	challenge := func(method, credential string) {
		b.WriteString(`
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
        guard challenge.protectionSpace.authenticationMethod == ` + method + ` else {
            return (.performDefaultHandling, nil)
        }
        return (.useCredential, ` + credential + `)
    }`)
	}
	insecure := r.c.insecure
	switch {
	case r.c.digest != nil && insecure:
		r.p.refuse("answers no Digest here where it checks no certificate")
	case r.c.digest != nil:
		challenge("NSURLAuthenticationMethodHTTPDigest", "URLCredential(user: "+r.text(r.c.digest.user)+", password: "+r.text(r.c.digest.password)+", persistence: .forSession)")
	case insecure:
		challenge("NSURLAuthenticationMethodServerTrust", "challenge.protectionSpace.serverTrust.map(URLCredential.init(trust:))")
	}
	does := b.String()
	if does == "" || r.delegates[does] != "" {
		return r.delegates[does]
	}
	name := r.name("Delegate")
	r.delegates[does] = name
	r.p.help("final class " + name + ": NSObject, URLSessionTaskDelegate {" + strings.ReplaceAll(does, "}\n    func", "}\n\n    func") + "\n}")
	return name
}

// result writes the call, and what is done with the response.
func (r *swiftRequest) result(call string) {
	data, response := r.name("data"), r.name("response")
	to := r.c.destination(r.p.options)
	if to == discarded || to == headersPrinted {
		data = "_"
	}
	if to != headersPrinted && !r.c.fail {
		response = "_"
	}
	switch {
	case data == "_" && response == "_":
		r.p.line("_ = ", call)
	default:
		r.p.line("let (", data, ", ", response, ") = ", call)
	}
	if r.c.fail {
		r.p.block("guard let http"+r.suffix+" = "+response+" as? HTTPURLResponse, http"+r.suffix+".statusCode < 400 else {", func() {
			r.p.line("throw URLError(.badServerResponse)")
		})
		r.p.line("}")
	}
	switch to {
	case toFile:
		if folder := r.c.folder(); folder != nil {
			r.p.line("try FileManager.default.createDirectory(atPath: ", r.text(folder), ", withIntermediateDirectories: true)")
		}
		r.p.line("try ", data, ".write(to: URL(fileURLWithPath: ", r.text(r.c.output), "))")
	case headersPrinted:
		r.p.line("print((", response, " as! HTTPURLResponse).allHeaderFields)")
	case contentPrinted:
		r.p.line("print(String(decoding: ", data, ", as: UTF8.self))")
	}
}
