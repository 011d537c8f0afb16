//go:build !nocode

package code

import (
	"encoding/base64"
	"slices"
	"strings"
	"unicode/utf8"

	"uncoil/request"
)

// URLSession does what NSURLSession does (objc.go), because it is the same
// class. It has Digest authentication, which a delegate asks for.
var swiftURLSession = Target{
	Name: "swift", Language: "swift", Client: "URLSession", Version: "macOS 12", Kind: Code, Extension: "swift",
	Aliases: []string{"swift-urlsession", "swift-nsurlsession", "urlsession"}, filename: "main.swift",
	style: style{indent: "    ", comment: "// "}, write: writeSwift,
	client: client{
		adds:     objcURLSession.client.adds,
		always:   objcURLSession.client.always,
		fixed:    objcURLSession.client.fixed,
		bodiless: objcURLSession.client.bodiless,
		digest:   true,
		eager:    true,
		says:     objcURLSession.client.says,
		versions: objcURLSession.client.versions,
	},
}

func writeSwift(p *program) {
	delegates := make(map[string]string)
	sections := p.sections(0, func(c *call, suffix string) {
		r := swiftRequest{program: p, call: c, suffix: suffix, delegates: delegates}
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
	odd := strings.ContainsFunc(plain, func(c rune) bool { return c < ' ' && c != '\n' || c == 0x7f })
	quotes, hashes := `"`, ""
	if !odd && strings.Contains(strings.TrimSuffix(plain, "\n"), "\n") && !strings.Contains(plain, `"""`) {
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
		case c < ' ' || c == 0x7f:
			b = append(b, `\u{`...)
			b = append(b, upperHex[c>>4], upperHex[c&15], '}')
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
	case request.JSONEscape:
		r.refuse("escapes no variable for JSON")
	case request.Percent, request.FormEncode:
		r.help(swiftEncode)
		expr = "percentEncoded(" + expr + ")"
		if v.Encoding == request.FormEncode {
			expr += `.replacingOccurrences(of: "%20", with: "+")`
		}
	}
	return expr
}

// A swiftRequest writes one call with URLSession.
type swiftRequest struct {
	*program
	*call
	suffix    string
	delegates map[string]string // their names, by what they do
}

func (r *swiftRequest) name(s string) string { return s + r.suffix }

// text returns an expression of type String.
func (r *swiftRequest) text(t text) string {
	if !t.isText() {
		r.refuse("sends only UTF-8 there")
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
	if r.guess {
		r.line("var ", r.name("address"), " = ", url)
		url = r.name("address")
		r.line("if !", url, `.contains("://") { `, url, ` = "http://" + `, url, " } // as curl does")
	}
	made := "URLRequest(url: URL(string: " + url + ")!)"
	upload := r.body.kind == fileBody && r.body.file.source() != "-"
	if r.Method == "GET" && len(r.fields) == 0 && r.body.kind == noBody {
		r.line("let ", request, " = ", made)
	} else {
		r.line("var ", request, " = ", made)
	}
	if r.Method != "GET" {
		r.line(request, ".httpMethod = ", swiftString(r.Method))
	}
	content := ""
	if !upload {
		content = r.content()
	}
	r.headers(request)
	if content != "" {
		r.line(request, ".httpBody = ", content)
	}
	r.line()
	call := r.session() + ".data(for: " + request
	if upload {
		call = r.session() + ".upload(for: " + request + ", fromFile: URL(fileURLWithPath: " + r.text(r.body.file) + ")"
	}
	if delegate != "" {
		call += ", delegate: " + delegate + "()"
	}
	r.result("try await " + call + ")")
}

// encodedURL returns the URL with the characters percent-encoded that URL does
// not take.
func (r *swiftRequest) encodedURL() text {
	a, ok := r.address()
	if !ok {
		return percentEncoded(r.url, "\"<>\\^`{|} ")
	}
	source := r.url.source()
	host := len(source) - len(strings.TrimPrefix(a.path.source(), "/"))
	return mergeLiterals(append(r.url.cut(0, host), percentEncoded(r.url.cut(host, len(source)), "\"<>[]\\^`{|} ")...))
}

func (r *swiftRequest) headers(request string) {
	seen := make(map[string]bool, len(r.fields))
	for _, f := range r.fields {
		verb, value := "setValue", r.text(f.value)
		if seen[strings.ToLower(f.name)] {
			verb = "addValue"
		}
		seen[strings.ToLower(f.name)] = true
		if f.derived && f.is("Authorization") {
			both := mergeLiterals(append(append(slices.Clone(r.basic.user), part{literal: ":"}), r.basic.password...))
			r.line("let ", r.name("credentials"), " = ", r.data(both), ".base64EncodedString()")
			value = `"Basic \(` + r.name("credentials") + `)"`
		}
		r.line(request, ".", verb, "(", value, ", forHTTPHeaderField: ", swiftString(f.name), ")")
	}
	if r.field("Cookie") != nil {
		r.line(request, ".httpShouldHandleCookies = false")
	}
}

// content returns an expression for the body, after statements that it needs.
func (r *swiftRequest) content() string {
	if r.body.kind != noBody && r.body.kind != multipartBody && r.field("Content-Type") == nil {
		r.refuse("gives content the type of a form")
	}
	pieces := r.body.list
	switch r.body.kind {
	case noBody:
		return ""
	case rawBody:
		return r.data(r.body.data)
	case multipartBody:
		pieces = r.rawForm()
	case fileBody:
		pieces = []piece{{file: r.body.file}}
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
			r.line("var ", body, " = ", value)
		} else {
			r.line(body, " += ", value)
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
		r.help(swiftEncode)
		read = "Data(percentEncoded(String(decoding: " + read + `, as: UTF8.self)).replacingOccurrences(of: "%20", with: "+").utf8)`
	}
	if len(one.name) > 0 {
		read = r.data(one.prefix()) + " + " + read
	}
	return read
}

// session returns the session that sends the request.
func (r *swiftRequest) session() string {
	if r.timeout == 0 && r.connectTimeout == 0 {
		return "URLSession.shared"
	}
	configuration := r.name("configuration")
	r.line("let ", configuration, " = URLSessionConfiguration.default")
	if r.connectTimeout > 0 {
		r.line(configuration, ".timeoutIntervalForRequest = ", seconds(r.connectTimeout))
	}
	if r.timeout > 0 {
		r.line(configuration, ".timeoutIntervalForResource = ", seconds(r.timeout))
	}
	return "URLSession(configuration: " + configuration + ")"
}

// delegate writes the class that keeps a session from what curl does not do
// unasked, and that answers challenges, and returns its name: nothing where
// none is needed.
func (r *swiftRequest) delegate() string {
	var b strings.Builder
	if !r.follow {
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
	insecure := r.insecure && r.secure()
	switch {
	case r.digest != nil && insecure:
		r.refuse("answers no Digest here where it checks no certificate")
	case r.digest != nil:
		challenge("NSURLAuthenticationMethodHTTPDigest", "URLCredential(user: "+r.text(r.digest.user)+", password: "+r.text(r.digest.password)+", persistence: .forSession)")
	case insecure:
		challenge("NSURLAuthenticationMethodServerTrust", "challenge.protectionSpace.serverTrust.map(URLCredential.init(trust:))")
	}
	does := b.String()
	if does == "" || r.delegates[does] != "" {
		return r.delegates[does]
	}
	name := r.name("Delegate")
	r.delegates[does] = name
	r.help("final class " + name + ": NSObject, URLSessionTaskDelegate {" + strings.ReplaceAll(does, "}\n    func", "}\n\n    func") + "\n}")
	return name
}

// result writes the call, and what is done with the response.
func (r *swiftRequest) result(call string) {
	data, response := r.name("data"), r.name("response")
	to := r.destination(r.program.options)
	if to == discarded || to == headersPrinted {
		data = "_"
	}
	if to != headersPrinted && !r.fail {
		response = "_"
	}
	switch {
	case data == "_" && response == "_":
		r.line("_ = ", call)
	default:
		r.line("let (", data, ", ", response, ") = ", call)
	}
	if r.fail {
		r.block("guard let http"+r.suffix+" = "+response+" as? HTTPURLResponse, http"+r.suffix+".statusCode < 400 else {", func() {
			r.line("throw URLError(.badServerResponse)")
		})
		r.line("}")
	}
	switch to {
	case toFile:
		r.line("try ", data, ".write(to: URL(fileURLWithPath: ", r.text(r.output), "))")
	case headersPrinted:
		r.line("print((", response, " as! HTTPURLResponse).allHeaderFields)")
	case contentPrinted:
		r.line("print(String(decoding: ", data, ", as: UTF8.self))")
	}
}
