package apple

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/internal/engine/source/quote"
	"uncoil/request"
)

// URLSession does what NSURLSession does (objc.go), because it is the same
// class. It has Digest authentication, which a delegate asks for.
var Swift = plan.Target{
	Name: "swift", Convention: &plan.Convention{Language: "swift", TextJSON: true}, Client: "URLSession", Version: "macOS 12", Kind: plan.Code, Extension: "swift", Tried: plan.Parsed,
	Why:     "Tree-sitter's grammar of Swift reads them; no compiler has run them",
	Aliases: []string{"swift-urlsession", "swift-nsurlsession", "urlsession"}, SavedAs: "main.swift",
	Style: emit.Style{Indent: "    ", Comment: "// ", Wraps: "="}, Write: writeSwift,
	Facts: plan.Client{
		Adds:     ObjectiveC.Facts.Adds,
		Always:   ObjectiveC.Facts.Always,
		Fixed:    ObjectiveC.Facts.Fixed,
		Rules:    ObjectiveC.Facts.Rules,
		Counts:   plan.Enclosing,
		Digest:   true,
		Eager:    true,
		Versions: ObjectiveC.Facts.Versions,
		Http2:    true,
	},
}

func writeSwift(p *plan.Program) {
	delegates := make(map[string]string)
	sections := p.Sections(0, func(c *plan.Call, suffix string) {
		r := swiftRequest{p: p, c: c, suffix: suffix, delegates: delegates}
		r.write()
	})
	p.Head(func() {
		p.Line("import Foundation")
		p.Line()
	})
	for _, function := range p.Helpers {
		for line := range strings.SplitSeq(function, "\n") {
			p.Line(line)
		}
		p.Line()
	}
	p.Join(sections)
}

// swiftString returns a literal.
func swiftString(s string) string { return swiftText(plan.Literal(s), nil) }

// swiftText returns a literal with its variables: one of several lines for text
// of several lines, and with number signs where backslashes and quotation marks
// would need escapes otherwise.
func swiftText(t plan.Text, variable func(v *request.Variable) string) string {
	plain := t.Literals()
	odd := strings.ContainsFunc(plain, func(c rune) bool { return c < ' ' && c != '\n' || c == 0x7f || quote.Turns(c) })
	quotes, hashes := `"`, ""
	if !odd && emit.HasLines(plain) && !strings.Contains(plain, `"""`) {
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
		case t[i].Variable != nil:
			b = append(b, `\`+hashes+"("+variable(t[i].Variable)+")"...)
		case hashes != "" || quotes != `"`:
			b = append(b, t[i].Literal...)
		default:
			b = appendSwift(b, t[i].Literal)
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
		switch escape := emit.LineEscape(c); {
		case escape != 0:
			b = append(b, '\\', escape)
		case c < ' ' || c == 0x7f || quote.Turns(c):
			b = emit.AppendBraced(b, c)
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
	case plan.UserPart:
		expr = "String(" + expr + `.prefix { $0 != ":" })`
	case plan.PasswordPart:
		expr = "String(" + expr + `.drop { $0 != ":" }.dropFirst())`
	case plan.LastSegment:
		expr = "URL(fileURLWithPath: " + expr + ").lastPathComponent"
	case request.EncodingJSON:
		r.p.Refuse("escapes no variable for JSON")
	case request.EncodingPercent, request.EncodingForm:
		r.p.Help(swiftEncode)
		expr = "percentEncoded(" + expr + ")"
		if v.Encoding == request.EncodingForm {
			expr += `.replacingOccurrences(of: "%20", with: "+")`
		}
	}
	return expr
}

// A swiftRequest writes one call with URLSession.
type swiftRequest struct {
	p         *plan.Program
	c         *plan.Call
	suffix    string
	delegates map[string]string // their names, by what they do
}

func (r *swiftRequest) name(s string) string { return s + r.suffix }

// text returns an expression of type String.
func (r *swiftRequest) text(t plan.Text) string {
	if !t.IsText() {
		r.p.Refuse("sends only UTF-8 there")
	}
	if len(t) == 1 && t[0].Variable != nil {
		return r.variable(t[0].Variable)
	}
	return swiftText(t, r.variable)
}

// data returns an expression of type Data for a text.
func (r *swiftRequest) data(t plan.Text) string {
	if s, ok := t.Plain(); ok && !utf8.ValidString(s) {
		return `Data(base64Encoded: "` + base64.StdEncoding.EncodeToString([]byte(s)) + `")!`
	}
	s := r.text(t)
	if len(t) == 1 && t[0].Variable != nil {
		s = "(" + s + ")"
	}
	return "Data(" + s + ".utf8)"
}

func (r *swiftRequest) write() {
	delegate := r.delegate()
	url := r.text(r.encodedURL())
	request := r.name("request")
	if r.c.Guess {
		r.p.Line("var ", r.name("address"), " = ", url)
		url = r.name("address")
		r.p.Line("if !", url, `.contains("://") { `, url, ` = "http://" + `, url, " } // as curl does")
	}
	made := emit.Group("URLRequest", "(", []emit.Node{emit.Leaf("url: URL(string: " + url + ")!")}, ")")
	upload := r.c.Content.Kind == plan.FileBody && r.c.Content.File.Source() != "-"
	if r.c.Method == "GET" && len(r.c.Headers()) == 0 && r.c.Content.Kind == plan.NoBody {
		r.p.Node("let "+request+" = ", made, "")
	} else {
		r.p.Node("var "+request+" = ", made, "")
	}
	if r.c.Method != "GET" {
		r.p.Line(request, ".httpMethod = ", swiftString(r.c.Method))
	}
	content := ""
	switch {
	case upload:
	case r.hasPairs():
		content = r.pairs()
	default:
		content = r.content()
	}
	r.headers(request)
	if content != "" {
		r.p.Line(request, ".httpBody = ", content)
	}
	r.p.Line()
	session := r.session()
	call := session + ".data(for: " + request
	if upload {
		call = session + ".upload(for: " + request + ", fromFile: URL(fileURLWithPath: " + r.text(r.c.Content.File) + ")"
	}
	if delegate != "" {
		call += ", delegate: " + delegate + "()"
	}
	r.result("try await " + call + ")")
}

// encodedURL returns the URL with the characters percent-encoded that URL does
// not take.
func (r *swiftRequest) encodedURL() plan.Text {
	a, ok := r.c.Address()
	if !ok {
		return plan.PercentEncoded(r.c.URLText, "\"<>\\^`{|} ")
	}
	source := r.c.URL
	host := len(source) - len(strings.TrimPrefix(a.Path.Source(), "/"))
	return plan.MergeLiterals(append(r.c.URLText.Cut(0, host), plan.PercentEncoded(r.c.URLText.Cut(host, len(source)), "\"<>[]\\^`{|} ")...))
}

func (r *swiftRequest) headers(request string) {
	seen := make(map[string]bool, len(r.c.Headers()))
	for _, f := range r.c.Headers() {
		verb, value := "setValue", r.text(f.Value)
		if seen[strings.ToLower(f.Name)] {
			verb = "addValue"
		}
		seen[strings.ToLower(f.Name)] = true
		if f.Derived() && f.Is("Authorization") {
			both := r.c.Basic.Joined()
			r.p.Line("let ", r.name("credentials"), " = ", r.data(both), ".base64EncodedString()")
			value = `"Basic \(` + r.name("credentials") + `)"`
		}
		r.p.Node(request+".", emit.Group(verb, "(", []emit.Node{emit.Leaf(value), emit.Leaf("forHTTPHeaderField: " + swiftString(f.Name))}, ")"), "")
	}
	if r.c.Field("Cookie") != nil {
		r.p.Line(request, ".httpShouldHandleCookies = false")
	}
}

// encodeQueryItems is what URLComponents makes of text that it encodes least in: the rest is
// read as the same pairs.
var encodeQueryItems = plan.FormEncoder{Safe: "-._~"}

// hasPairs reports whether URLComponents encodes the content: of one pair text is shorter.
func (r *swiftRequest) hasPairs() bool {
	return !r.p.Exact() && r.c.Content.Kind == plan.RawBody && len(r.c.Content.Form) > 1 && r.c.IsForm(&encodeQueryItems)
}

// pairs writes the statements that encode form pairs, and returns an expression for the body.
// URLComponents leaves a plus sign as it is, which a form has for a blank.
func (r *swiftRequest) pairs() string {
	form, plus := r.name("form"), false
	items := make([]emit.Node, len(r.c.Content.Form))
	for i, p := range r.c.Content.Form {
		name, value := plan.Decoded(p.Name), plan.Decoded(p.Value)
		plus = plus || plan.HasVariable(value) || strings.Contains(name.Literals()+value.Literals(), "+")
		items[i] = emit.Group("URLQueryItem", "(", []emit.Node{emit.Leaf("name: " + r.text(name)), emit.Leaf("value: " + r.text(value))}, ")")
	}
	r.p.Line("var ", form, " = URLComponents()")
	r.p.Node(form+".queryItems = ", emit.Group("", "[", items, "]"), "")
	encoded := form + ".percentEncodedQuery!"
	if plus {
		encoded += `.replacingOccurrences(of: "+", with: "%2B")`
	}
	return "Data(" + encoded + ".utf8)"
}

// content returns an expression for the body, after statements that it needs.
func (r *swiftRequest) content() string {
	if r.c.Content.Kind != plan.NoBody && r.c.Content.Kind != plan.MultipartBody && r.c.Field("Content-Type") == nil {
		r.p.Refuse("gives content the type of a form")
	}
	pieces := r.c.Content.List
	switch r.c.Content.Kind {
	case plan.NoBody:
		return ""
	case plan.RawBody:
		return r.data(r.c.Content.Data)
	case plan.MultipartBody:
		pieces = r.c.RawForm()
	case plan.FileBody:
		pieces = []plan.Piece{{File: r.c.Content.File}}
	}
	body := r.name("body")
	var values []string
	for _, one := range pieces {
		s, known := one.Text.Plain()
		switch {
		case !one.IsText:
			values = append(values, r.file(&one))
		case known && utf8.ValidString(s):
			for _, part := range r.p.Parts(s) {
				values = append(values, r.data(plan.Literal(part)))
			}
		default:
			values = append(values, r.data(one.Text))
		}
	}
	if len(values) == 1 {
		return values[0]
	}
	for i, value := range values {
		if i == 0 {
			r.p.Line("var ", body, " = ", value)
		} else {
			r.p.Line(body, " += ", value)
		}
	}
	return body
}

// file returns an expression for the content of a file, changed as curl changes
// it.
func (r *swiftRequest) file(one *plan.Piece) string {
	read := "try Data(contentsOf: URL(fileURLWithPath: " + r.text(one.File) + "))"
	if one.File.Source() == "-" {
		read = "try FileHandle.standardInput.readToEnd() ?? Data()"
	}
	if !one.Strip && !one.Urlencode && one.Offset == 0 {
		return read
	}
	read = "(" + read + ")"
	if one.Offset > 0 {
		read += ".dropFirst(" + emit.Itoa(int(one.Offset)) + ")"
	}
	if one.Strip {
		read += ".filter { ![0, 10, 13].contains($0) }"
	}
	if one.Urlencode {
		r.p.Help(swiftEncode)
		read = "Data(percentEncoded(String(decoding: " + read + `, as: UTF8.self)).replacingOccurrences(of: "%20", with: "+").utf8)`
	}
	if len(one.Name) > 0 {
		read = r.data(one.Prefix()) + " + " + read
	}
	return read
}

// session returns the session that sends the request: without the cookies, the
// credentials and the responses that earlier runs have stored.
func (r *swiftRequest) session() string {
	if r.c.Timeout() == 0 && r.c.ConnectTimeout() == 0 {
		return "URLSession(configuration: .ephemeral)"
	}
	configuration := r.name("configuration")
	r.p.Line("let ", configuration, " = URLSessionConfiguration.ephemeral")
	if r.c.ConnectTimeout() > 0 {
		r.p.Line(configuration, ".timeoutIntervalForRequest = ", emit.Seconds(r.c.ConnectTimeout()))
	}
	if r.c.Timeout() > 0 {
		r.p.Line(configuration, ".timeoutIntervalForResource = ", emit.Seconds(r.c.Timeout()))
	}
	return "URLSession(configuration: " + configuration + ")"
}

// delegate writes the class that keeps a session from what curl does not do
// unasked, and that answers challenges, and returns its name: nothing where
// none is needed.
func (r *swiftRequest) delegate() string {
	var b strings.Builder
	if r.c.Stops() {
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
	insecure := r.c.Insecure()
	switch {
	case r.c.Digest != nil && insecure:
		r.p.Refuse("answers no Digest here where it checks no certificate")
	case r.c.Digest != nil:
		challenge("NSURLAuthenticationMethodHTTPDigest", "URLCredential(user: "+r.text(r.c.Digest.User)+", password: "+r.text(r.c.Digest.Password)+", persistence: .forSession)")
	case insecure:
		challenge("NSURLAuthenticationMethodServerTrust", "challenge.protectionSpace.serverTrust.map(URLCredential.init(trust:))")
	}
	does := b.String()
	if does == "" || r.delegates[does] != "" {
		return r.delegates[does]
	}
	name := r.name("Delegate")
	r.delegates[does] = name
	r.p.Help("final class " + name + ": NSObject, URLSessionTaskDelegate {" + strings.ReplaceAll(does, "}\n    func", "}\n\n    func") + "\n}")
	return name
}

// result writes the call, and what is done with the response.
func (r *swiftRequest) result(call string) {
	data, response := r.name("data"), r.name("response")
	to := r.c.Destination(r.p.Options)
	if to == plan.Discarded || to == plan.HeadersPrinted {
		data = "_"
	}
	if to != plan.HeadersPrinted && !r.c.Fail() {
		response = "_"
	}
	switch {
	case data == "_" && response == "_":
		r.p.Line("_ = ", call)
	default:
		r.p.Line("let (", data, ", ", response, ") = ", call)
	}
	if r.c.Fail() {
		r.p.Block("guard let http"+r.suffix+" = "+response+" as? HTTPURLResponse, http"+r.suffix+".statusCode < 400 else {", func() {
			r.p.Line("throw URLError(.badServerResponse)")
		})
		r.p.Line("}")
	}
	switch to {
	case plan.ToFile:
		if folder := r.c.Folder(); folder != nil {
			r.p.Line("try FileManager.default.createDirectory(atPath: ", r.text(folder), ", withIntermediateDirectories: true)")
		}
		r.p.Line("try ", data, ".write(to: URL(fileURLWithPath: ", r.text(r.c.Output()), "))")
	case plan.HeadersPrinted:
		r.p.Line("print((", response, " as! HTTPURLResponse).allHeaderFields)")
	case plan.ContentPrinted:
		r.p.Line("print(String(decoding: ", data, ", as: UTF8.self))")
	}
}
