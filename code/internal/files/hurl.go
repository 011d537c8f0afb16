package files

import (
	"encoding/base64"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/jsontext"
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
var Hurl = plan.Target{
	Name: "hurl", Convention: plan.Format("hurl"), Client: "Hurl", Version: "7.1", Kind: plan.File, Placeholders: true, Extension: "hurl",
	Proven: true, Style: emit.Style{Comment: "# "}, Write: writeHurl, Takes: hurlTakes, Heads: true,
	Facts: plan.Client{
		Loopback: true,
		Adds:     plan.FieldNames{"User-Agent", "Accept"},
		Always:   plan.FieldNames{"Host", "User-Agent", "Accept"},
		Rules:    plan.Rules{plan.SendsMethods(isHurlMethod)},
		Loose:    true,
		Names:    utf8.ValidString, // as the file is
		Mixed:    true,
		Session:  true,
		After:    []string{"cookies"},
		Proxies:  []string{"http", "https", "socks4", "socks4a", "socks5", "socks5h"},
		Versions: []string{"1.0", "2", "3"},
		Shares:   plan.FieldNames{"Cookie"},
		Auths:    []string{"ntlm", "negotiate", "aws-sigv4"},
		Digest:   true, Quotes: true,
		Forgets: "301 or 302",
	},
}

// isHurlMethod reports whether a method is one of the grammar: capital letters.
func isHurlMethod(method string) bool { return plan.Letters(method) && method != "" }

// hurlEncoding is how Hurl encodes [Form]: curl_easy_escape().
var hurlEncoding = plan.FormEncoder{Safe: "-._~", Plus: false}

func writeHurl(p *plan.Program) {
	sections := p.Sections(0, func(c *plan.Call, _ string) {
		r := hurlRequest{p: p, c: c}
		r.write()
	})
	if !p.Options.Bare && len(p.Imports) > 0 {
		p.Comment("hurl --secret NAME=VALUE request.hurl, with --secret for each {{NAME}}")
	}
	p.Join(sections)
}

// A hurlRequest writes one call.
type hurlRequest struct {
	p *plan.Program
	c *plan.Call

	outside bool // a file is not below the folder of the file
}

func (r *hurlRequest) write() {
	needsScheme(r.p, r.c)
	r.forget()
	r.differs()
	section, content := r.content()
	url, query := r.query()
	r.p.Line(r.c.Method, " ", r.value(url))
	for i := range r.c.Headers() {
		if f := &r.c.Headers()[i]; !f.Derived() || !f.Is("Content-Type") && !r.named() {
			r.member(hurlKey(f.Name), r.value(f.Value))
		}
	}
	if len(query) > 0 {
		r.p.Line("[Query]")
		r.pairs(query)
	}
	if r.named() {
		r.p.Line("[BasicAuth]")
		r.member(r.escape(r.c.Basic.User, hurlKey), r.value(r.c.Basic.Password))
	}
	r.exchange()
	section()
	if content != "" {
		r.p.Line(content)
	}
	bare := r.p.Options.Bare || r.p.Exact() && len(r.c.Captures) == 0 && r.c.Retries() == 0
	if r.c.Fail() || !bare { // what is captured needs an answer that can be had, and so does a retry
		r.p.Line("HTTP *")
		r.captures()
		r.p.Line("[Asserts]")
		r.p.Line("status < 400")
	}
}

// forget has Hurl, which keeps the cookies of all responses, forget them before a request with
// which curl sends none, unless a later one sends them.
func (r *hurlRequest) forget() {
	sends := func(c *plan.Call) bool { return c.Has("cookieEngine") || c.Has("cookieFiles") || c.Has("cookieJar") }
	i := slices.Index(r.p.Calls, r.c)
	switch {
	case i == 0 || sends(r.c):
	case slices.ContainsFunc(r.p.Calls[i+1:], sends):
		r.p.Differs("sends the cookies that earlier responses set")
	default:
		r.p.Comment("@cookie_storage_clear")
	}
}

// differs warns of what Hurl does otherwise with an option that it has.
func (r *hurlRequest) differs() {
	warn := func(option, what emit.Phrase) {
		r.p.Differs(what)
		r.p.Diags[len(r.p.Diags)-1].Option = string(option)
	}
	switch {
	case r.c.Retries() > 0 && r.c.Fail():
		warn("--retry", "tries again after every status of 400 and more")
	case r.c.Retries() > 0:
		warn("--retry", "tries again after every status of 400 and more, and fails where the last try does")
	}
	if r.c.Negotiated != nil && r.c.Auth.Scheme == "aws-sigv4" {
		warn("--aws-sigv4", "signs more fields")
	}
}

// named reports credentials that a section can have: with a name, which is a key.
func (r *hurlRequest) named() bool { return r.c.Basic != nil && len(r.c.Basic.User.Source()) > 0 }

// member writes a line with a key and a value, which may be empty.
func (r *hurlRequest) member(key, value string) {
	r.p.Line(strings.TrimSuffix(key+": "+value, " "))
}

// pairs writes pairs that Hurl encodes.
func (r *hurlRequest) pairs(list []plan.Pair) {
	for _, p := range list {
		r.member(hurlKey(p.Name.Source()), r.value(plan.Decoded(p.Value)))
	}
}

// value returns a string for the right side of a colon, or a URL.
func (r *hurlRequest) value(t plan.Text) string {
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
func (r *hurlRequest) escape(t plan.Text, literal func(string) string) string {
	if !t.IsText() {
		r.p.Refuse("has no place for bytes that are not UTF-8")
	}
	var b strings.Builder
	for i := range t {
		v := t[i].Variable
		switch {
		case v == nil:
			b.WriteString(literal(t[i].Literal))
			continue
		case !isHurlName(v.Name):
			r.p.RefuseName(plan.Nowhere, "has no variable with such a name", v.Name)
		}
		bareVariable(r.p, v)
		if !plan.IsLocal(v) {
			r.p.Use(v.Name)
		}
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
		return s[i] < 0x80 && !ascii.IsNameByte(s[i]) && !emit.Contains("-.]@$", s[i]) && (s[i] != '[' || i == 0)
	})
}

// hurlOneLine returns a string of one line that has any text.
func hurlOneLine(s string) string { return hurlEscape(s, func(i int) bool { return s[i] == '`' }) }

// hurlEscape escapes controls, backslashes, double braces, and what special says.
func hurlEscape(s string, special func(i int) bool) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if r, n := utf8.DecodeRuneInString(s[i:]); quote.Turns(r) {
			b.Write(emit.AppendBraced(nil, r))
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
func (r *hurlRequest) query() (plan.Text, []plan.Pair) {
	base, path, query := r.c.URLParts()
	query = r.p.EncodedByTool(query)
	pairs := plan.QueryPairs(query)
	if !isHurlForm(pairs, query) || !plan.HasVariable(query) {
		return r.c.URLText, nil
	}
	return plan.MergeLiterals(slices.Concat(base, path)), pairs
}

// isHurlForm reports whether Hurl prints a text for its pairs, but for a space
// where the text has a plus sign and a variable. Hurl encodes values, and no names.
func isHurlForm(pairs []plan.Pair, src plan.Text) bool {
	for _, p := range pairs {
		if name, plain := p.Name.Plain(); !plain || name == "" || string(hurlEncoding.Escape(nil, name)) != name {
			return false
		}
	}
	return hurlEncoding.Prints(pairs, src) || plan.HasVariable(src) && plan.EncodeQuotePlus.Prints(pairs, src)
}

// exchange writes the section of options.
func (r *hurlRequest) exchange() {
	var lines []string
	flag := func(asked bool, name string) {
		if asked {
			lines = append(lines, name+": true")
		}
	}
	option := func(name string, value plan.Text) {
		if len(value) > 0 {
			lines = append(lines, name+": "+r.value(value))
		}
	}
	file := func(name string, value plan.Text) {
		if len(value) > 0 {
			lines = append(lines, name+": "+r.fileName(value))
		}
	}
	r.authentication(flag, option)
	flag(r.c.Follow() && !r.c.Trusted(), "location")
	flag(r.c.Follow() && r.c.Trusted(), "location-trusted")
	if r.c.Follow() && r.c.MaxRedirects() != plan.CurlRedirects {
		option("max-redirs", plan.Literal(strconv.FormatInt(r.c.MaxRedirects(), 10)))
	}
	flag(plan.DotSegments(r.c.URL), "path-as-is")
	flag(r.c.Compressed(), "compressed")
	flag(r.c.Insecure(), "insecure")
	file("cacert", r.c.CaFile())
	file("cert", r.c.Cert())
	file("key", r.c.Key())
	if r.c.Timeout() > 0 {
		option("max-time", plan.Literal(emit.Milliseconds(r.c.Timeout())+"ms"))
	}
	if r.c.ConnectTimeout() > 0 {
		option("connect-timeout", plan.Literal(emit.Milliseconds(r.c.ConnectTimeout())+"ms"))
	}
	if r.c.Retries() > 0 {
		option("retry", plan.Literal(strconv.FormatInt(r.c.Retries(), 10)))
		if delay, _ := r.c.Member("retryDelay").(float64); delay > 0 {
			option("retry-interval", plan.Literal(emit.Milliseconds(delay)))
		}
	}
	if rate, _ := r.c.Member("limitRate").(int64); rate > 0 {
		option("limit-rate", plan.Literal(strconv.FormatInt(rate, 10)))
	}
	r.netrc(flag, file)
	if slices.Contains([]string{"1.0", "1.1", "2", "3"}, r.c.HTTPVersion()) {
		flag(true, "http"+r.c.HTTPVersion())
	}
	if r.c.ProxyScheme() != "" {
		option("proxy", r.c.ProxyURL())
	}
	option("unix-socket", r.c.UnixSocket())
	for _, s := range r.c.Resolve() {
		option("resolve", plan.Literal(s))
	}
	for _, s := range r.c.ConnectTo() {
		option("connect-to", plan.Literal(s))
	}
	if r.c.Destination(r.p.Options) == plan.ToFile {
		file("output", r.c.Output())
	}
	if len(lines) == 0 {
		return
	}
	r.p.Line("[Options]")
	for _, line := range lines {
		r.p.Line(line)
	}
}

// netrc adds the options of credentials that stand in a file, which curl reads unless it
// was supplied.
func (r *hurlRequest) netrc(flag func(asked bool, name string), file func(name string, value plan.Text)) {
	if !r.c.Misses("credentials") {
		return
	}
	names, optional := r.c.TextOf("netrcFile"), r.c.Option("netrc") == "optional"
	r.c.Does("netrc")
	file("netrc-file", names)
	flag(len(names) == 0 && optional, "netrc-optional")
	flag(len(names) == 0 && !optional, "netrc")
}

// authentication adds the options of credentials that are no field.
func (r *hurlRequest) authentication(flag func(asked bool, name string), option func(name string, value plan.Text)) {
	if r.c.Negotiated != nil {
		option("user", r.c.Negotiated.Joined())
		option("aws-sigv4", r.sigV4())
		flag(r.c.Auth.Scheme == "ntlm", "ntlm")
		flag(r.c.Auth.Scheme == "negotiate", "negotiate")
	}
	if r.c.Digest != nil {
		r.p.CannotAt(r.c.Auth.Span, "has Digest authentication since version 8 only", "take a newer version")
		option("user", r.c.Digest.Joined())
		flag(true, "digest")
	}
}

// sigV4 returns the argument of --aws-sigv4, if there is one.
func (r *hurlRequest) sigV4() plan.Text {
	if r.c.Auth.Scheme != "aws-sigv4" {
		return nil
	}
	return r.c.AwsSigV4()
}

// content returns what writes a section, or content.
func (r *hurlRequest) content() (section func(), content string) {
	section = func() {}
	switch r.c.Content.Kind {
	case plan.RawBody:
		data := r.p.EncodedByTool(r.c.Content.Data)
		form := r.c.Content.Form
		if plan.HasVariable(data) {
			form = plan.QueryPairs(data)
		}
		if r.c.HasType(plan.FormType) && isHurlForm(form, data) {
			r.c.Imply(r.c.Field("Content-Type"))
			return func() {
				r.p.Line("[Form]")
				r.pairs(form)
			}, ""
		}
		content = r.bytes(r.c.Content.Data)
	case plan.MultipartBody:
		lines, ok := r.multipart()
		if !ok {
			if known, isText := r.multipartText(); isText {
				return section, r.bytes(known)
			}
			r.p.Refuse("sends no form with such a file")
		}
		section = func() {
			for _, line := range lines {
				r.p.Line(line)
			}
		}
	case plan.FileBody, plan.PieceBody:
		file, ok := wholeFile(r.p, r.c)
		if !ok {
			r.p.Refuse("joins no texts and files, and changes none")
		}
		content = r.file(file)
	}
	return section, content
}

// bytes returns content that is known: as JSON or a string of lines where these
// stand for the same bytes.
func (r *hurlRequest) bytes(data plan.Text) string {
	s, plain := data.Plain()
	switch {
	case plain && s == "":
		return ""
	case plain && !data.IsText():
		return "base64," + base64.StdEncoding.EncodeToString([]byte(s)) + ";"
	case plain && strings.ContainsFunc(s, quote.Turns):
	case plain && r.c.Content.JSON != nil && r.c.Field("Content-Type") != nil && isHurlJSON(s):
		return s
	case plain && strings.HasSuffix(s, "\n") && strings.Count(s, "\n") > 1 && !strings.ContainsAny(s, "\\\r") && !strings.Contains(s, "{{") && !strings.Contains(s, "```"):
		return "```\n" + s + "```"
	}
	if json, ok := r.json(data); ok {
		return json
	}
	return "`" + r.escape(data, hurlOneLine) + "`"
}

// json returns JSON in which variables stand for placeholders, whose values Hurl escapes in
// strings, and takes as numbers, true, false and null elsewhere: eval_json_value() in
// runner/json.rs.
func (r *hurlRequest) json(data plan.Text) (string, bool) {
	var written, known strings.Builder // known has a value for each variable
	for _, part := range data {
		if v := part.Variable; v == nil {
			written.WriteString(part.Literal)
			known.WriteString(part.Literal)
		} else {
			if encoded := r.p.EncodedByTool(plan.Text{part}); !encoded[0].Encoded() {
				return "", false
			}
			written.WriteString(r.escape(plan.Text{part}, hurlOneLine))
			known.WriteByte('0')
		}
	}
	s := known.String()
	reader := jsontext.NewReader(s, jsontext.MaxDepth)
	ok := r.c.Field("Content-Type") != nil && jsontext.StartsContainer(s) && isHurlJSON(s)
	for ok && reader.Peek() != 0 {
		ok = reader.Skip()
	}
	return written.String(), ok
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
func (r *hurlRequest) file(name plan.Text) string {
	s := name.Source()
	if s == "-" || strings.ContainsAny(s, "\r\n") {
		r.p.Refuse("reads no content from standard input")
	}
	if !r.outside && (strings.HasPrefix(s, "/") || strings.HasPrefix(s, "../")) { // is_access_allowed() in util/path.rs of Hurl 7.1
		r.outside = true
		r.p.Cannot("reads files below its file root only", "run it with --file-root /")
	}
	return "file," + r.fileName(name) + ";"
}

// fileName returns the name of a file.
func (r *hurlRequest) fileName(name plan.Text) string {
	s := r.escape(name, func(s string) string {
		var b []byte
		for _, c := range s {
			switch {
			case emit.LineEscape(c) != 0:
				b = append(b, '\\', emit.LineEscape(c))
			case strings.ContainsRune(`\#;{} `, c):
				b = append(b, '\\', byte(c))
			case quote.Turns(c):
				b = emit.AppendBraced(b, c)
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
	for i := range r.c.Content.Part {
		p := &r.c.Content.Part[i]
		name, plain := p.FileText.Plain()
		switch {
		case !p.Simple(), plan.HasVariable(p.NameText):
			ok = false
		case p.IsFile():
			ok = ok && plain && p.FilenameText != nil && r.namesFile(*p.FilenameText, name) && p.TypeText != nil && plan.IsVisible(*p.TypeText)
			file := r.file(p.FileText)
			if p.TypeText != nil {
				file += " " + *p.TypeText
			}
			lines = append(lines, hurlKey(p.Name)+": "+file)
		default:
			ok = ok && p.FilenameText == nil && (p.TypeText == nil || dropsType(r.p, r.c, p)) && !strings.HasPrefix(p.ValueText.Source(), "file,")
			lines = append(lines, strings.TrimSuffix(hurlKey(p.Name)+": "+r.value(p.ValueText), " "))
		}
	}
	return lines, ok
}

// namesFile reports whether Hurl sends the name of a file that curl sends, or that with its
// folders: eval_file_param() in runner/multipart.rs of Hurl 7.1.
func (r *hurlRequest) namesFile(sent, path string) bool {
	switch {
	case sent == path && !strings.Contains(path, "/"):
		return true
	case r.p.Exact() || sent != emit.BaseName(path):
		return false
	}
	r.p.Accept(r.c, "sends the name of a file with its folders")
	return true
}

// multipartText returns the form as text; it reports false where a part is a
// file, or where the form has a type of its own.
func (r *hurlRequest) multipartText() (plan.Text, bool) {
	if r.c.Field("Content-Type") != nil || slices.ContainsFunc(r.c.Content.Part, func(p plan.FormPart) bool { return p.IsFile() }) {
		return nil, false
	}
	return plan.JoinedText(r.c.RawForm())
}
