package code

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"uncoil/internal/engine/ascii"
)

// Requests as the HTTP clients of editors read them: the HTTP Request in Editor
// Specification of JetBrains (github.com/JetBrains/http-request-in-editor-spec)
// with the file variables and settings of REST Client 0.25 for VS Code. It is
// written for what both read and httpYac 6 sends. httpYac, measured on the wire,
// adds user-agent, accept and accept-encoding; writes names of fields in small
// letters; removes dot segments; percent-encodes a form again; keeps cookies
// and follows redirects unless told not to; and reads some lines of content as
// its own, with # or // or @ at their beginning.
//
// A variable is a file variable, which has its value from the environment. Bare
// leaves these out. Indent has no effect.
var httpFile = Target{
	Name: "http", Language: "http", Client: "httpYac", Version: "6", Kind: File, Extension: "http",
	Aliases: []string{"http-file", "rest-client", "httpyac"}, Proven: true, style: style{comment: "# "}, write: writeHTTPFile,
	client: client{
		modernTLS: true,
		adds:      fieldNames{"User-Agent", "Accept", "Accept-Encoding", "Connection"},
		always:    fieldNames{"Host", "User-Agent", "Accept", "Accept-Encoding", "Connection"},
		codings:   namesChunks,
		bodiless:  []string{"HEAD"},
		percents:  func(url string) bool { return wellFormed(url) && utf8.ValidString(ascii.Decoded(url, false)) },
		methods:   func(method string) bool { return slices.Contains(httpFileMethods, method) },
		dots:      true,
		slashes:   true,
		numbers:   true,
		digest:    true,
		unasked:   []string{"unqualified"},
		eager:     true,
		joins:     true,
		after:     []string{"posts"},
		says:      []string{"cookieEngine", "followRedirects", "insecure"},
		versions:  []string{"2"},
	},
}

// httpFileMethods are the methods that all clients know: others are read as part
// of a URL.
var httpFileMethods = []string{"GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "TRACE", "PROPFIND", "PROPPATCH", "MKCOL", "COPY", "MOVE", "LOCK", "UNLOCK"}

func writeHTTPFile(p *program) {
	sections := p.sections(0, func(c *call, _ string) {
		r := httpFileRequest{p: p, c: c}
		r.write()
	})
	if !p.options.Bare && len(p.imports) > 0 {
		for _, name := range p.imports {
			p.line("@", name, " = {{$processEnv ", name, "}}")
		}
		p.line()
	}
	for i, s := range sections {
		if i > 0 || len(p.dst) > 0 && len(p.imports) > 0 && !p.options.Bare {
			p.line("###")
			p.line()
		}
		p.dst = append(p.dst, s...)
		if i+1 < len(sections) {
			p.line()
		}
	}
}

// An httpFileRequest writes one call.
type httpFileRequest struct {
	p *program
	c *call
}

func (r *httpFileRequest) text(t text) string {
	return r.p.mustache(t, func(name string) string { r.p.use(name); return name })
}

func (r *httpFileRequest) write() {
	if !r.c.follow {
		r.p.line("# @no-redirect")
	}
	if (r.c.follow || len(r.p.calls) > 1) && !r.c.keepsCookies() {
		r.p.line("# @no-cookie-jar")
	}
	if r.c.field("Cookie") != nil {
		r.p.line("# @no-cookie-jar")
	}
	if r.c.insecure {
		r.p.line("# @no-reject-unauthorized")
	}
	if r.c.destination(r.p.options) == toFile {
		r.p.lossAt(r.c.place("output"), "-o", "shows the response, and writes no file")
	}
	if r.c.fail {
		r.p.lossAt(r.c.place("fail"), "-f", "does not fail for a status")
	}
	if c := cmp.Or(r.c.basic, r.c.digest); c != nil && (hasVariable(c.password) || r.c.unsplit() != nil) {
		r.p.differs("splits credentials at the last colon, where a variable has one")
	}
	r.p.needsScheme(r.c)
	content := r.content()
	url := r.text(r.c.url)
	if strings.ContainsAny(url, " \t") {
		r.p.refuse("reads no URL with a blank")
	}
	version := ""
	if r.c.httpVersion == "2" {
		version = " HTTP/2"
	}
	r.p.line(r.c.Method, " ", url, version)
	find := r.c.finder()
	for i := range r.c.fields {
		f := &r.c.fields[i]
		if literals := f.value.literals(); !isVisible(literals) && !(isLatin1(literals) && r.c.body.kind == rawBody && !r.c.empty()) {
			r.p.refuseName(f.at, "sends only visible ASCII in a field", f.name)
		}
		f.name = find(f.name).name // httpYac keeps one of two spellings
		r.header(f)
	}
	if r.c.digest != nil {
		if strings.Contains(r.c.URL, "?") {
			r.p.refuse("leaves the query out of its answer for Digest")
		}
		r.credentials("Digest", r.c.digest)
	}
	if content != "" {
		r.p.line()
		r.p.line(content)
	}
}

// isLatin1 reports whether Node takes a text for a field: it writes this in one
// piece with content that is text, as UTF-8.
func isLatin1(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(c rune) bool { return c > 0xff || unicode.IsControl(c) && c != '\t' })
}

// header writes a field line.
func (r *httpFileRequest) header(f *field) {
	if f.derived && f.is("Authorization") && len(r.c.basic.user)+len(r.c.basic.password) > 0 && hasVariable(r.c.basic.user, r.c.basic.password) {
		r.credentials("Basic", r.c.basic)
		return
	}
	value := r.text(f.value)
	scheme, rest, _ := strings.Cut(value, " ")
	switch {
	case value == "" && (f.is("User-Agent") || f.is("Accept")):
		r.p.refuseName(f.at, "always sends this field", f.name)
	case strings.Trim(value, " \t") != value || strings.HasSuffix(value, ","):
		r.p.refuse("leaves out blanks and commas at the end of a field")
	case f.is("Authorization") && slices.ContainsFunc(httpFileSchemes, func(s string) bool { return ascii.EqualFold(s, scheme) }) && strings.ContainsAny(rest, ": "):
		r.p.refuse("makes other credentials of the field Authorization")
	}
	r.p.line(f.name, ": ", value)
}

// httpFileSchemes are those whose parameters the clients take for a user name and
// a password.
var httpFileSchemes = []string{"basic", "digest", "aws", "openid", "oauth2"}

// credentials writes a field of a user name and a password, of which the client
// makes what the scheme asks for.
func (r *httpFileRequest) credentials(scheme string, c *credentials) {
	user, password := r.text(c.user), r.text(c.password)
	if strings.ContainsFunc(user+password, unicode.IsControl) { // a line break would end the field, and a block of a script follow
		r.p.refuse("takes no credentials with control characters")
	}
	if scheme == "Basic" && r.c.unsplit() != nil {
		r.p.line("Authorization: Basic ", user)
		return
	}
	if user == "" || password == "" || strings.ContainsAny(user+password, " \t:") {
		r.p.refuse("takes no credentials with a blank or a colon, or without a password")
	}
	r.p.line("Authorization: ", scheme, " ", user, " ", password)
}

// content returns the lines of the content.
func (r *httpFileRequest) content() string {
	isForm := r.c.field("Content-Type") != nil && strings.HasPrefix(strings.ToLower(r.c.field("Content-Type").value.source()), formType)
	switch r.c.body.kind {
	case rawBody:
		return r.raw(r.c.body.data, isForm)
	case multipartBody:
		return r.lines(r.c.rawForm())
	case fileBody:
		if isForm {
			r.p.refuse("reads no file where the type is that of a form")
		}
		return r.lines(r.c.body.list)
	case pieceBody:
		r.p.refuse("joins no texts and files, and changes none")
	}
	return ""
}

// raw returns content that is known.
func (r *httpFileRequest) raw(data text, isForm bool) string {
	if r.c.body.json != nil && looksLikeVariable(data.source()) {
		data = literal(strings.ReplaceAll(data.source(), "{{", `{\u007b`)) // in strings only
	}
	s := r.text(data)
	if r.c.body.json != nil {
		s = strings.Trim(s, "\n") // mean nothing around JSON
	}
	if f := r.c.field("Content-Type"); f != nil && strings.HasPrefix(f.value.source(), "application/x-ndjson") && strings.HasSuffix(s, "\n") {
		s = strings.TrimSuffix(s, "\n") // the client adds it
	}
	switch {
	case s == "":
		return ""
	case isForm && !r.keepsForm(data, s):
		r.p.refuse("encodes a form again")
	case r.isMultipart():
		s = r.formLines(s)
	}
	r.checkLines(s)
	return s
}

// keepsForm reports whether a form stays the same form when the client removes
// blanks around its signs and percent-encodes what is not encoded: the package
// encodeurl of npm.
func (r *httpFileRequest) keepsForm(data text, s string) bool {
	changes := false
	for i := range len(s) {
		switch c := s[i]; {
		case c == ' ' && (i == 0 || i+1 == len(s) || contains("=& ", s[i-1]) || contains("=&", s[i+1])):
			return false
		case c == ' ' || c >= 0x80:
			changes = true
		case c < ' ' || c == 0x7f || contains("\"<>\\^`|", c), contains("{}", c) && !hasVariable(data):
			return false
		}
	}
	if malformed, _ := malformedPercent(s); malformed {
		return false
	}
	return !changes || allPairs(s)
}

// allPairs reports whether all parts of a form have a name and a value.
func allPairs(s string) bool {
	for pair := range strings.SplitSeq(s, "&") {
		if strings.IndexByte(pair, '=') < 1 {
			return false
		}
	}
	return true
}

// isMultipart reports whether the type is one for whose content, which the command
// holds as text, httpYac ends lines with CRLF.
func (r *httpFileRequest) isMultipart() bool {
	f := r.c.field("Content-Type")
	if f == nil {
		return false
	}
	kind, _, _ := strings.Cut(f.value.source(), ";")
	kind = strings.TrimSpace(kind)
	return kind == "multipart/form-data" || kind == "multipart/mixed" // in small letters only
}

// formLines returns the lines of a form with parts: the clients end each of these
// with CRLF, which is not written.
func (r *httpFileRequest) formLines(s string) string {
	const end = "\r\n"
	if f := r.c.field("Content-Type"); strings.Count(f.value.source(), ";") > 1 {
		r.p.refuse("ends no lines of a form with CRLF where its type has parameters beside the boundary")
	}
	s, ended := strings.CutSuffix(s, end)
	if bare := strings.ReplaceAll(s, end, ""); !ended || strings.ContainsAny(bare, "\r\n") {
		r.p.refuse("ends all lines of a form with CRLF")
	}
	return strings.ReplaceAll(s, end, "\n")
}

// lines returns texts and files: a file has a line of its own.
func (r *httpFileRequest) lines(pieces []piece) string {
	var b strings.Builder
	for i := range pieces {
		one := &pieces[i]
		if !one.isText {
			name := r.text(one.file)
			if name == "-" || strings.TrimSpace(name) != name || strings.ContainsAny(name, "\r\n") {
				r.p.refuse("reads no content from standard input, or from a file with such a name")
			}
			b.WriteString("< " + name)
			continue
		}
		b.WriteString(r.text(one.text))
	}
	s := b.String()
	if r.c.body.kind == multipartBody {
		s = r.formLines(s)
	}
	if r.c.body.kind == multipartBody {
		for i := range r.c.body.part {
			if p := &r.c.body.part[i]; !p.isFile() {
				r.checkLines("-\n" + r.text(p.value) + "\n-") // may be empty
			}
		}
	}
	return s
}

// checkLines refuses lines of content that the clients read as something else.
func (r *httpFileRequest) checkLines(s string) {
	if strings.Contains(s, "\r") {
		r.p.refuse("ends lines without a carriage return")
		return
	}
	first, last := s, s
	if i := strings.IndexByte(s, '\n'); i >= 0 {
		first, last = s[:i], s[strings.LastIndexByte(s, '\n')+1:]
	}
	if strings.TrimSpace(first) == "" || strings.TrimSpace(last) == "" {
		r.p.refuse("leaves out empty lines before and after the content")
		return
	}
	for line := range strings.SplitSeq(s, "\n") {
		if isHTTPFileSyntax(line) {
			r.p.refuse("reads a line of the content as its own syntax")
			return
		}
	}
}

// isHTTPFileSyntax reports whether clients read a line of content as a comment,
// a setting, a script, a file, another request or a response.
func isHTTPFileSyntax(line string) bool {
	line = strings.TrimSpace(line)
	if strings.HasPrefix(line, "@") && strings.Contains(line, "=") { // a variable
		return true
	}
	for _, prefix := range []string{"#", "//", "/*", ">>", "<>", "< ", "<\t", "> ", ">\t", "<@", "??", "{{", "HTTP/", "===", "<--->"} {
		if strings.HasPrefix(line, prefix) {
			return true
		}
	}
	if strings.HasSuffix(line, "===") || strings.HasSuffix(line, "wait-for-server") || strings.Contains(line, "<--->") {
		return true
	}
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case "query", "mutation", "fragment", "gql", "proto", "import", "run":
		return true
	}
	return rest != "" && isToken(word) && capitals(word) && ascii.IsLetter(word[0])
}
