//go:build !nocode

package code

import (
	"encoding/base64"
	"slices"
	"strconv"
	"strings"

	"uncoil/internal/ascii"
)

// Hurl 6 (hurl.dev/docs/grammar.html), which sends with libcurl. By its source
// it adds User-Agent and Accept, which no file can leave out; gives content of
// JSON a type where no field does; follows redirects with the fields of the
// first request, but for Authorization; and escapes variables in a JSON string,
// so that those stand in a string of text here. A file is a test: it asks for a
// status that curl --fail takes. Variables come from --variable. Bare leaves out
// the test; Indent has no effect.
var hurlFile = Target{
	Name: "hurl", Language: "hurl", Client: "Hurl", Version: "6.0", Kind: File, Extension: "hurl",
	style: style{comment: "# "}, write: writeHurl,
	client: client{
		adds:    []string{"User-Agent", "Accept"},
		always:  []string{"Host", "User-Agent", "Accept"},
		methods: isHurlMethod,
		says: []string{"followRedirects", "maxRedirects", "locationTrusted", "maxTime", "connectTimeout", "retry", "insecure",
			"cacert", "cert", "unixSocket", "resolve", "connectTo"},
		proxies:  []string{"http", "https", "socks4", "socks4a", "socks5", "socks5h"},
		versions: []string{"1.0", "2", "3"},
		shares:   []string{"Cookie"},
	},
}

// isHurlMethod reports whether a method is one of the grammar: capital letters.
func isHurlMethod(method string) bool { return letters(method) && method != "" }

// hurlEncoding is how Hurl encodes [Form]: curl_easy_escape().
var hurlEncoding = formEncoder{"-._~", false}

func writeHurl(p *program) {
	sections := p.sections(0, func(c *call, _ string) {
		r := hurlRequest{program: p, call: c}
		r.write()
	})
	if !p.options.Bare && len(p.imports) > 0 {
		run := "hurl"
		for _, name := range p.imports {
			run += " --variable " + name + `="$` + name + `"`
		}
		p.comment(run + " request.hurl")
	}
	p.join(sections)
}

// A hurlRequest writes one call.
type hurlRequest struct {
	*program
	*call
}

func (r *hurlRequest) write() {
	section, content := r.content()
	r.line(r.Method, " ", r.value(r.url))
	for i := range r.fields {
		f := &r.fields[i]
		switch {
		case f.derived && (f.is("Content-Type") || r.named()):
		case f.value.source() == "":
			r.refuse("leaves out the empty field " + f.name)
		default:
			r.line(hurlKey(f.name), ": ", r.value(f.value))
		}
	}
	if r.named() {
		r.line("[BasicAuth]")
		r.line(r.name(r.basic.user), ": ", r.value(r.basic.password))
	}
	r.exchange()
	for _, line := range section {
		r.line(line)
	}
	if content != "" {
		r.line(content)
	}
	if !r.program.options.Bare {
		r.line("HTTP *")
		r.line("[Asserts]")
		r.line("status < 400")
	}
}

// named reports credentials that a section can have: with a name, which is a key.
func (r *hurlRequest) named() bool { return r.basic != nil && len(r.basic.user.source()) > 0 }

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

// name returns a string for the left side of a colon.
func (r *hurlRequest) name(t text) string { return r.escape(t, hurlKey) }

// escape returns a text with its variables.
func (r *hurlRequest) escape(t text, literal func(string) string) string {
	if !t.isText() {
		r.refuse("has no place for bytes that are not UTF-8")
	}
	var b strings.Builder
	for i := range t {
		v := t[i].variable
		switch {
		case v == nil:
			b.WriteString(literal(t[i].literal))
			continue
		case !isHurlName(v.Name):
			r.refuse("has no variable " + v.Name)
		}
		r.bareVariable(v)
		r.use(v.Name)
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
	for i := range len(s) {
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

// exchange writes the section of options.
func (r *hurlRequest) exchange() {
	var lines []string
	flag := func(asked bool, name string) {
		if asked {
			lines = append(lines, name+": true")
		}
	}
	option := func(name string, values ...text) {
		for _, v := range values {
			if len(v) > 0 {
				lines = append(lines, name+": "+r.value(v))
			}
		}
	}
	flag(r.follow && !r.trusted, "location")
	flag(r.follow && r.trusted, "location-trusted")
	if r.follow && r.maxRedirects != curlRedirects {
		option("max-redirs", literal(strconv.FormatInt(r.maxRedirects, 10)))
	}
	flag(dotSegments(r.url.source()), "path-as-is")
	flag(r.compressed, "compressed")
	flag(r.insecure && r.secure(), "insecure")
	option("cacert", r.caFile)
	option("cert", r.cert)
	option("key", r.key)
	if r.timeout > 0 {
		option("max-time", literal(milliseconds(r.timeout)+"ms"))
	}
	if r.connectTimeout > 0 {
		option("connect-timeout", literal(milliseconds(r.connectTimeout)+"ms"))
	}
	if r.retries > 0 {
		option("retry", literal(strconv.FormatInt(r.retries, 10)))
	}
	if slices.Contains([]string{"1.0", "1.1", "2", "3"}, r.httpVersion) {
		flag(true, "http"+r.httpVersion)
	}
	if r.proxyScheme() != "" {
		option("proxy", r.proxyURL())
	}
	option("unix-socket", r.unixSocket)
	for _, s := range r.resolve {
		option("resolve", literal(s))
	}
	for _, s := range r.connectTo {
		option("connect-to", literal(s))
	}
	if r.destination(r.program.options) == toFile {
		option("output", r.output)
	}
	if len(lines) == 0 {
		return
	}
	r.line("[Options]")
	for _, line := range lines {
		r.line(line)
	}
}

// content returns a section, or content.
func (r *hurlRequest) content() (section []string, content string) {
	switch r.body.kind {
	case rawBody:
		if r.isForm(&hurlEncoding) {
			if lines, ok := r.form(); ok {
				r.field("Content-Type").derived = true
				return lines, ""
			}
		}
		return nil, r.bytes(r.body.data)
	case multipartBody:
		if lines, ok := r.multipart(); ok {
			return lines, ""
		}
		var known text
		for _, one := range r.rawForm() {
			if !one.isText {
				r.refuse("sends no form with such a file")
			}
			known = append(known, one.text...)
		}
		return nil, r.bytes(mergeLiterals(known))
	case fileBody:
		return nil, r.file(r.body.file)
	case pieceBody:
		r.refuse("joins no texts and files, and changes none")
	}
	return nil, ""
}

// form returns the section [Form]. Hurl encodes values only.
func (r *hurlRequest) form() ([]string, bool) {
	lines := []string{"[Form]"}
	for _, p := range r.body.form {
		name, ok := p.name.plain()
		if !ok || name == "" || string(hurlEncoding.escape(nil, name)) != name || hasVariable(p.value) {
			return nil, false
		}
		lines = append(lines, hurlKey(name)+": "+r.value(p.value))
	}
	return lines, true
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
	case plain && r.body.json != nil && r.field("Content-Type") != nil && !strings.Contains(s, `\`) && !strings.Contains(s, "{{") && strings.TrimSpace(s) == s && !strings.Contains(s, "\r"):
		return s
	case plain && strings.HasSuffix(s, "\n") && strings.Count(s, "\n") > 1 && !strings.ContainsAny(s, "\\\r") && !strings.Contains(s, "{{") && !strings.Contains(s, "```"):
		return "```\n" + s + "```"
	}
	return "`" + r.escape(data, hurlOneLine) + "`"
}

// file returns content from a file.
func (r *hurlRequest) file(name text) string {
	if s := name.source(); s == "-" || strings.ContainsAny(s, "\r\n") {
		r.refuse("reads no content from standard input")
	}
	return "file," + r.escape(name, func(s string) string { return backslashed(s, `\#;{} `) }) + ";"
}

// multipart returns the section [Multipart], whose parts Hurl writes as curl
// does: texts without a type, and files in the folder, of that name.
func (r *hurlRequest) multipart() ([]string, bool) {
	if r.Body.FormEscape {
		return nil, false
	}
	lines := []string{"[Multipart]"}
	for i := range r.body.part {
		p := &r.body.part[i]
		name, plain := p.file.plain()
		switch {
		case !p.simple():
			return nil, false
		case p.isFile() && plain && p.filename != nil && *p.filename == name && !strings.Contains(name, "/") && p.contentType != nil && isVisible(*p.contentType):
			lines = append(lines, hurlKey(p.Name)+": "+r.file(p.file)+" "+*p.contentType)
		case !p.isFile() && p.filename == nil && p.contentType == nil && !strings.HasPrefix(p.value.source(), "file,"):
			lines = append(lines, hurlKey(p.Name)+": "+r.value(p.value))
		default:
			return nil, false
		}
	}
	return lines, true
}
