package code

import (
	"encoding/base64"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/source/quote"
)

// Hurl 7.1 (hurl.dev/docs/grammar.html), which sends with libcurl. It adds
// User-Agent and Accept, which no file can leave out; gives content of JSON a
// type where no field does; encodes values in [Query] and [Form], with %20 for a
// space; follows redirects with the fields of the first request, but for
// Authorization; and escapes variables in a JSON string, so that those stand in a
// string of text here. A file is a test: it asks for a status that curl --fail
// takes. Variables come from --secret, because --variable takes what looks like a
// number for one, and writes it in another way. Bare leaves out the test; Indent
// has no effect.
var hurlFile = Target{
	Name: "hurl", Language: "hurl", Client: "Hurl", Version: "7.1", Kind: File, Extension: "hurl",
	Proven: true, style: style{comment: "# "}, write: writeHurl,
	client: client{
		loopback: true,
		adds:     fieldNames{"User-Agent", "Accept"},
		always:   fieldNames{"Host", "User-Agent", "Accept"},
		methods:  isHurlMethod,
		loose:    true,
		mixed:    true,
		after:    []string{"cookies"},
		says: []string{"followRedirects", "maxRedirects", "locationTrusted", "maxTime", "connectTimeout", "retry", "insecure",
			"cacert", "cert", "unixSocket", "resolve", "connectTo"},
		proxies:  []string{"http", "https", "socks4", "socks4a", "socks5", "socks5h"},
		versions: []string{"1.0", "2", "3"},
		shares:   fieldNames{"Cookie"},
		auths:    []string{"ntlm", "negotiate", "aws-sigv4"},
		digest:   true, quotes: true,
	},
}

// isHurlMethod reports whether a method is one of the grammar: capital letters.
func isHurlMethod(method string) bool { return letters(method) && method != "" }

// hurlEncoding is how Hurl encodes [Form]: curl_easy_escape().
var hurlEncoding = formEncoder{"-._~", false}

func writeHurl(p *program) {
	sections := p.sections(0, func(c *call, _ string) {
		r := hurlRequest{p: p, c: c}
		r.write()
	})
	if !p.options.Bare && len(p.imports) > 0 {
		p.comment("hurl --secret NAME=VALUE request.hurl, with --secret for each {{NAME}}")
	}
	p.join(sections)
}

// A hurlRequest writes one call.
type hurlRequest struct {
	p *program
	c *call
}

func (r *hurlRequest) write() {
	r.p.needsScheme(r.c)
	section, content := r.content()
	url, query := r.query()
	r.p.line(r.c.Method, " ", r.value(url))
	for i := range r.c.fields {
		if f := &r.c.fields[i]; !f.derived || !f.is("Content-Type") && !r.named() {
			r.member(hurlKey(f.name), r.value(f.value))
		}
	}
	if len(query) > 0 {
		r.p.line("[Query]")
		r.pairs(query)
	}
	if r.named() {
		r.p.line("[BasicAuth]")
		r.member(r.escape(r.c.basic.user, hurlKey), r.value(r.c.basic.password))
	}
	r.exchange()
	section()
	if content != "" {
		r.p.line(content)
	}
	if !r.p.options.Bare {
		r.p.line("HTTP *")
		r.p.line("[Asserts]")
		r.p.line("status < 400")
	}
}

// named reports credentials that a section can have: with a name, which is a key.
func (r *hurlRequest) named() bool { return r.c.basic != nil && len(r.c.basic.user.source()) > 0 }

// member writes a line with a key and a value, which may be empty.
func (r *hurlRequest) member(key, value string) {
	r.p.line(strings.TrimSuffix(key+": "+value, " "))
}

// pairs writes pairs that Hurl encodes.
func (r *hurlRequest) pairs(list []pair) {
	for _, p := range list {
		r.member(hurlKey(p.name.source()), r.value(decoded(p.value)))
	}
}

// value returns a string for the right side of a colon, or a URL.
func (r *hurlRequest) value(t text) string {
	s := r.escape(t, hurlValue)
	if n := len(s); n > 0 && s[n-1] == ' ' {
		s = s[:n-1] + `\u{20}`
	}
	if s != "" && s[0] == ' ' {
		s = `\u{20}` + s[1:]
	}
	return s
}

// escape returns a text with its variables.
func (r *hurlRequest) escape(t text, literal func(string) string) string {
	if !t.isText() {
		r.p.refuse("has no place for bytes that are not UTF-8")
	}
	var b strings.Builder
	for i := range t {
		v := t[i].variable
		switch {
		case v == nil:
			b.WriteString(literal(t[i].literal))
			continue
		case !isHurlName(v.Name):
			r.p.refuseName(nowhere, "has no variable with such a name", v.Name)
		}
		r.p.bareVariable(v)
		r.p.use(v.Name)
		b.WriteString("{{" + v.Name + "}}")
	}
	return b.String()
}

// isHurlName reports whether a variable may have a name: it begins with a letter.
func isHurlName(name string) bool { return name != "" && ascii.IsLetter(name[0]) }

// hurlValue escapes what a value cannot hold. Blanks around it are trimmed.
func hurlValue(s string) string { return hurlEscape(s, func(int) bool { return false }) }

// hurlKey escapes all that a key cannot hold as it is.
func hurlKey(s string) string {
	return hurlEscape(s, func(i int) bool {
		return s[i] < 0x80 && !ascii.IsNameByte(s[i]) && !contains("-.]@$", s[i]) && (s[i] != '[' || i == 0)
	})
}

// hurlOneLine returns a string of one line that has any text.
func hurlOneLine(s string) string { return hurlEscape(s, func(i int) bool { return s[i] == '`' }) }

// hurlEscape escapes controls, backslashes, double braces, and what special says.
func hurlEscape(s string, special func(i int) bool) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if r, n := utf8.DecodeRuneInString(s[i:]); quote.Turns(r) {
			b.Write(appendBraced(nil, r))
			i += n - 1
			continue
		}
		switch c := s[i]; {
		case c == '\n':
			b.WriteString(`\n`)
		case c == '\r':
			b.WriteString(`\r`)
		case c == '\t':
			b.WriteString(`\t`)
		case c == '\\' || c == '#': // which begins a comment
			b.WriteString(`\` + string(c))
		case c < ' ' || c == 0x7f || special(i) || c == '{' && (i+1 == len(s) || s[i+1] == '{'):
			b.WriteString(`\u{` + strconv.FormatInt(int64(c), 16) + "}")
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// query returns the URL without its query, and the pairs of that, where Hurl has
// to encode a variable in them; else all of the URL.
func (r *hurlRequest) query() (text, []pair) {
	base, path, query := r.c.urlParts()
	pairs := queryPairs(query)
	if !isHurlForm(pairs, query) || !hasVariable(query) {
		return r.c.url, nil
	}
	return mergeLiterals(slices.Concat(base, path)), pairs
}

// isHurlForm reports whether Hurl prints a text for its pairs, but for a space
// where the text has a plus sign and a variable. Hurl encodes values, and no names.
func isHurlForm(pairs []pair, src text) bool {
	for _, p := range pairs {
		if name, plain := p.name.plain(); !plain || name == "" || string(hurlEncoding.escape(nil, name)) != name {
			return false
		}
	}
	return hurlEncoding.prints(pairs, src) || hasVariable(src) && encodeQuotePlus.prints(pairs, src)
}

// exchange writes the section of options.
func (r *hurlRequest) exchange() {
	var lines []string
	flag := func(asked bool, name string) {
		if asked {
			lines = append(lines, name+": true")
		}
	}
	option := func(name string, value text) {
		if len(value) > 0 {
			lines = append(lines, name+": "+r.value(value))
		}
	}
	file := func(name string, value text) {
		if len(value) > 0 {
			lines = append(lines, name+": "+r.fileName(value))
		}
	}
	if r.c.negotiated != nil {
		option("user", r.c.negotiated.joined())
		option("aws-sigv4", r.sigV4())
		flag(r.c.Auth.Scheme == "ntlm", "ntlm")
		flag(r.c.Auth.Scheme == "negotiate", "negotiate")
	}
	if r.c.digest != nil {
		r.p.cannotAt(r.c.Auth.Span, "has Digest authentication since version 8 only", "take a newer version")
		option("user", r.c.digest.joined())
		flag(true, "digest")
	}
	flag(r.c.follow && !r.c.trusted, "location")
	flag(r.c.follow && r.c.trusted, "location-trusted")
	if r.c.follow && r.c.maxRedirects != curlRedirects {
		option("max-redirs", literal(strconv.FormatInt(r.c.maxRedirects, 10)))
	}
	flag(dotSegments(r.c.URL), "path-as-is")
	flag(r.c.compressed, "compressed")
	flag(r.c.insecure, "insecure")
	file("cacert", r.c.caFile)
	file("cert", r.c.cert)
	file("key", r.c.key)
	if r.c.timeout > 0 {
		option("max-time", literal(milliseconds(r.c.timeout)+"ms"))
	}
	if r.c.connectTimeout > 0 {
		option("connect-timeout", literal(milliseconds(r.c.connectTimeout)+"ms"))
	}
	if r.c.retries > 0 {
		option("retry", literal(strconv.FormatInt(r.c.retries, 10)))
	}
	if slices.Contains([]string{"1.0", "1.1", "2", "3"}, r.c.httpVersion) {
		flag(true, "http"+r.c.httpVersion)
	}
	if r.c.proxyScheme() != "" {
		option("proxy", r.c.proxyURL())
	}
	option("unix-socket", r.c.unixSocket)
	for _, s := range r.c.resolve {
		option("resolve", literal(s))
	}
	for _, s := range r.c.connectTo {
		option("connect-to", literal(s))
	}
	if r.c.destination(r.p.options) == toFile {
		file("output", r.c.output)
	}
	if len(lines) == 0 {
		return
	}
	r.p.line("[Options]")
	for _, line := range lines {
		r.p.line(line)
	}
}

// sigV4 returns the argument of --aws-sigv4, if there is one.
func (r *hurlRequest) sigV4() text {
	if r.c.Auth.Scheme != "aws-sigv4" {
		return nil
	}
	return r.c.awsSigV4()
}

// content returns what writes a section, or content.
func (r *hurlRequest) content() (section func(), content string) {
	section = func() {}
	switch r.c.body.kind {
	case rawBody:
		if r.c.hasType(formType) && isHurlForm(r.c.body.form, r.c.body.data) {
			r.c.field("Content-Type").derived = true
			return func() {
				r.p.line("[Form]")
				r.pairs(r.c.body.form)
			}, ""
		}
		content = r.bytes(r.c.body.data)
	case multipartBody:
		lines, ok := r.multipart()
		if !ok {
			if known, isText := r.multipartText(); isText {
				return section, r.bytes(known)
			}
			r.p.refuse("sends no form with such a file")
		}
		section = func() {
			for _, line := range lines {
				r.p.line(line)
			}
		}
	case fileBody:
		content = r.file(r.c.body.file)
	case pieceBody:
		r.p.refuse("joins no texts and files, and changes none")
	}
	return section, content
}

// bytes returns content that is known: as JSON or a string of lines where these
// stand for the same bytes.
func (r *hurlRequest) bytes(data text) string {
	s, plain := data.plain()
	switch {
	case plain && s == "":
		return ""
	case plain && !data.isText():
		return "base64," + base64.StdEncoding.EncodeToString([]byte(s)) + ";"
	case plain && strings.ContainsFunc(s, quote.Turns):
	case plain && r.c.body.json != nil && r.c.field("Content-Type") != nil && isHurlJSON(s):
		return s
	case plain && strings.HasSuffix(s, "\n") && strings.Count(s, "\n") > 1 && !strings.ContainsAny(s, "\\\r") && !strings.Contains(s, "{{") && !strings.Contains(s, "```"):
		return "```\n" + s + "```"
	}
	return "`" + r.escape(data, hurlOneLine) + "`"
}

// isHurlJSON reports whether Hurl sends JSON as it is written: it prints
// exponents and escapes in a way of its own, reads no controls in strings, and
// takes a word in brackets for the name of a section.
func isHurlJSON(s string) bool {
	inString := false
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"':
			inString = !inString
		case c == '\\' || c == '\r' || inString && c < ' ' || !inString && c == 'E':
			return false
		}
	}
	word, _, closed := strings.Cut(strings.TrimPrefix(s, "["), "]")
	return strings.TrimSpace(s) == s && !strings.Contains(s, "{{") && (!closed || s[0] != '[' || word == "" || !isAlphanumeric(word))
}

// isAlphanumeric reports whether a text is letters and digits.
func isAlphanumeric(s string) bool {
	return strings.IndexFunc(s, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) }) < 0
}

// file returns content from a file.
func (r *hurlRequest) file(name text) string {
	if s := name.source(); s == "-" || strings.ContainsAny(s, "\r\n") {
		r.p.refuse("reads no content from standard input")
	}
	return "file," + r.fileName(name) + ";"
}

// fileName returns the name of a file.
func (r *hurlRequest) fileName(name text) string {
	s := r.escape(name, func(s string) string {
		var b []byte
		for _, c := range s {
			switch {
			case lineEscape(c) != 0:
				b = append(b, '\\', lineEscape(c))
			case strings.ContainsRune(`\#;{} `, c):
				b = append(b, '\\', byte(c))
			case quote.Turns(c):
				b = appendBraced(b, c)
			default:
				b = utf8.AppendRune(b, c)
			}
		}
		return string(b)
	})
	if strings.HasPrefix(s, "[") { // which begins a section
		s = `\u{5b}` + s[1:]
	}
	return s
}

// multipart returns the section [Multipart], and whether Hurl writes its parts as
// curl does: texts without a type, and files in the folder, of that name.
func (r *hurlRequest) multipart() (lines []string, ok bool) {
	lines, ok = []string{"[Multipart]"}, !r.c.Body.FormEscape
	for i := range r.c.body.part {
		p := &r.c.body.part[i]
		name, plain := p.file.plain()
		switch {
		case !p.simple(), hasVariable(p.name):
			ok = false
		case p.isFile():
			ok = ok && plain && p.filename != nil && *p.filename == name && !strings.Contains(name, "/") && p.contentType != nil && isVisible(*p.contentType)
			file := r.file(p.file)
			if p.contentType != nil {
				file += " " + *p.contentType
			}
			lines = append(lines, hurlKey(p.Name)+": "+file)
		default:
			ok = ok && p.filename == nil && p.contentType == nil && !strings.HasPrefix(p.value.source(), "file,")
			lines = append(lines, strings.TrimSuffix(hurlKey(p.Name)+": "+r.value(p.value), " "))
		}
	}
	return lines, ok
}

// multipartText returns the form as text; it reports false where a part is a
// file, or where the form has a type of its own.
func (r *hurlRequest) multipartText() (text, bool) {
	if r.c.field("Content-Type") != nil || slices.ContainsFunc(r.c.body.part, func(p formPart) bool { return p.isFile() }) {
		return nil, false
	}
	return joinedText(r.c.rawForm())
}
