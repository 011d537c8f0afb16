package files

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/internal/engine/ascii"
	"uncoil/request"
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
// A variable is a file variable, which has its value from the environment, or holds the
// placeholder that it stands for. Bare leaves these out. Indent has no effect.
var HTTPFile = plan.Target{
	Name: "http", Convention: plan.Format("http"), Client: "httpYac", Version: "6", Kind: plan.File, Placeholders: true, Extension: "http",
	Aliases: []string{"http-file", "rest-client", "httpyac"}, Proven: true, Style: emit.Style{Comment: "# "}, Write: writeHTTPFile,
	Takes: httpFileTakes, Heads: true,
	Facts: plan.Client{
		Settings:  true,
		ModernTLS: true,
		Adds:      plan.FieldNames{"User-Agent", "Accept", "Accept-Encoding", "Connection"},
		Always:    plan.FieldNames{"Host", "User-Agent", "Accept", "Accept-Encoding", "Connection"},
		Rules: plan.Rules{
			plan.SendsCodings(plan.NamesChunks),
			plan.SendsNoContent("HEAD"),
			plan.ReadsURLs(func(url string) bool { return plan.WellFormed(url) && utf8.ValidString(ascii.Decoded(url, false)) }),
			plan.SendsMethods(func(method string) bool { return slices.Contains(httpFileMethods, method) }),
			plan.RemovesDots,
			plan.TakesNumbers,
		},
		Slashes:  true,
		Session:  true,
		Digest:   true,
		Unasked:  []string{"unqualified"},
		Eager:    true,
		Joins:    true,
		After:    []string{"posts"},
		Versions: []string{"2"},
	},
}

// httpFileMethods are the methods that all clients know: others are read as part
// of a URL.
var httpFileMethods = []string{"GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "TRACE", "PROPFIND", "PROPPATCH", "MKCOL", "COPY", "MOVE", "LOCK", "UNLOCK"}

func writeHTTPFile(p *plan.Program) {
	sections := p.Sections(0, func(c *plan.Call, _ string) {
		r := httpFileRequest{p: p, c: c}
		r.write()
	})
	if !p.Options.Bare && len(p.Imports) > 0 {
		for _, variable := range p.Imports {
			p.Line("@", variable)
		}
		p.Line()
	}
	for i, s := range sections {
		if i > 0 || len(p.Dst) > 0 && len(p.Imports) > 0 && !p.Options.Bare {
			p.Line("###")
			p.Line()
		}
		p.Dst = append(p.Dst, s...)
		if i+1 < len(sections) {
			p.Line()
		}
	}
}

// An httpFileRequest writes one call.
type httpFileRequest struct {
	p *plan.Program
	c *plan.Call
}

func (r *httpFileRequest) text(t plan.Text) string {
	return mustache(r.p, t, func(v *request.Variable) string {
		if plan.IsLocal(v) {
			return v.Name
		}
		if sent, ok := fillIn(v); ok {
			r.p.Use(strings.TrimRight(v.Name+" = "+sent, " "))
		} else {
			r.p.Use(v.Name + " = {{$processEnv " + v.Name + "}}")
		}
		return v.Name
	})
}

func (r *httpFileRequest) write() {
	if len(r.c.Captures) > 0 && !r.p.Options.Bare {
		r.p.Comment("httpYac and JetBrains read the handler of the response; REST Client has none.")
	}
	if r.c.Stops() {
		r.p.Line("# @no-redirect")
	}
	if (r.c.Follow() || len(r.p.Calls) > 1) && !r.c.KeepsCookies() {
		r.p.Line("# @no-cookie-jar")
	}
	if r.c.Field("Cookie") != nil {
		r.p.Line("# @no-cookie-jar")
	}
	if r.c.Insecure() {
		r.p.Line("# @no-reject-unauthorized")
	}
	if r.c.Timeout() > 0 {
		r.p.Line("# @timeout ", emit.Milliseconds(r.c.Timeout()))
		r.p.CannotAt(r.c.Place("maxTime"), "reads @timeout in milliseconds, JetBrains in seconds", "write seconds for JetBrains")
	}
	if c := cmp.Or(r.c.Basic, r.c.Digest); c != nil && (plan.HasVariable(c.Password) || r.c.Unsplit() != nil) {
		r.p.Differs("splits credentials at the last colon, where a variable has one")
	}
	needsScheme(r.p, r.c)
	content := r.content()
	url := r.text(r.c.URLText)
	if strings.ContainsAny(url, " \t") {
		r.p.Accept(r.c, "reads no URL with a blank, which is %20 here")
		url = blanksInURL.Replace(url)
	}
	version := ""
	if r.c.HTTPVersion() == "2" {
		version = " HTTP/2"
	}
	r.p.Line(r.c.Method, " ", url, version)
	find := r.c.Finder()
	for i := range r.c.Headers() {
		f := &r.c.Headers()[i]
		if literals := f.Value.Literals(); !plan.IsVisible(literals) && !(isLatin1(literals) && r.c.Content.Kind == plan.RawBody && !r.c.Empty()) {
			r.p.RefuseName(f.At, "sends only visible ASCII in a field", f.Name)
		}
		f.Name = find(f.Name).Name // httpYac keeps one of two spellings
		r.header(f)
	}
	if r.c.Digest != nil {
		if strings.Contains(r.c.URL, "?") {
			r.p.Refuse("leaves the query out of its answer for Digest")
		}
		r.credentials("Digest", r.c.Digest)
	}
	if content != "" {
		r.p.Line()
		r.p.Line(content)
	}
	r.captures()
}

// blanksInURL writes blanks as a URL has them.
var blanksInURL = strings.NewReplacer(" ", "%20", "\t", "%09")

// isLatin1 reports whether Node takes a text for a field: it writes this in one
// piece with content that is text, as UTF-8.
func isLatin1(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(c rune) bool { return c > 0xff || unicode.IsControl(c) && c != '\t' })
}

// header writes a field line.
func (r *httpFileRequest) header(f *plan.Field) {
	if f.Derived() && f.Is("Authorization") && len(r.c.Basic.User)+len(r.c.Basic.Password) > 0 && plan.HasVariable(r.c.Basic.User, r.c.Basic.Password) {
		r.credentials("Basic", r.c.Basic)
		return
	}
	value := r.text(f.Value)
	scheme, rest, _ := strings.Cut(value, " ")
	switch {
	case value == "" && (f.Is("User-Agent") || f.Is("Accept")):
		r.p.RefuseName(f.At, "always sends this field", f.Name)
	case strings.Trim(value, " \t") != value || strings.HasSuffix(value, ","):
		r.p.Refuse("leaves out blanks and commas at the end of a field")
	case f.Is("Authorization") && slices.ContainsFunc(httpFileSchemes, func(s string) bool { return ascii.EqualFold(s, scheme) }) && strings.ContainsAny(rest, ": "):
		r.p.Refuse("makes other credentials of the field Authorization")
	}
	r.p.Line(f.Name, ": ", value)
}

// httpFileSchemes are those whose parameters the clients take for a user name and
// a password.
var httpFileSchemes = []string{"basic", "digest", "aws", "openid", "oauth2"}

// credentials writes a field of a user name and a password, of which the client
// makes what the scheme asks for.
func (r *httpFileRequest) credentials(scheme string, c *plan.Credentials) {
	user, password := r.text(c.User), r.text(c.Password)
	if strings.ContainsFunc(user+password, unicode.IsControl) { // a line break would end the field, and a block of a script follow
		r.p.Refuse("takes no credentials with control characters")
	}
	if scheme == "Basic" && r.c.Unsplit() != nil {
		r.p.Line("Authorization: Basic ", user)
		return
	}
	if user == "" || password == "" || strings.ContainsAny(user+password, " \t:") {
		r.p.Refuse("takes no credentials with a blank or a colon, or without a password")
	}
	r.p.Line("Authorization: ", scheme, " ", user, " ", password)
}

// content returns the lines of the content.
func (r *httpFileRequest) content() string {
	isForm := r.c.Field("Content-Type") != nil && strings.HasPrefix(strings.ToLower(r.c.Field("Content-Type").Value.Source()), plan.FormType)
	switch r.c.Content.Kind {
	case plan.RawBody:
		return r.raw(r.c.Content.Data, isForm)
	case plan.MultipartBody:
		return r.lines(r.c.RawForm())
	case plan.FileBody, plan.PieceBody:
		name, ok := wholeFile(r.p, r.c)
		switch {
		case !ok:
			r.p.Refuse("joins no texts and files, and changes none")
			return ""
		case isForm && !retype(r.p, r.c, typeOfFile(name.Source()), "reads no file where the type is that of a form, which the file therefore does not name"):
			r.p.Refuse("reads no file where the type is that of a form")
		}
		return r.lines([]plan.Piece{{File: name}})
	}
	return ""
}

// raw returns content that is known.
func (r *httpFileRequest) raw(data plan.Text, isForm bool) string {
	if r.c.Content.JSON != nil && looksLikeVariable(data.Source()) {
		data = plan.Literal(strings.ReplaceAll(data.Source(), "{{", `{\u007b`)) // in strings only
	}
	s := r.text(data)
	if r.c.Content.JSON != nil || !r.p.Exact() && typeOf(s) == "application/json" {
		s = strings.Trim(s, "\n") // mean nothing around JSON
	}
	if f := r.c.Field("Content-Type"); f != nil && strings.HasPrefix(f.Value.Source(), "application/x-ndjson") && strings.HasSuffix(s, "\n") {
		s = strings.TrimSuffix(s, "\n") // the client adds it
	}
	switch {
	case s == "":
		return ""
	case isForm && !r.keepsForm(data, s):
		s = r.form(s)
	case r.isMultipart():
		s = r.formLines(s)
	}
	if trimmed := trimEmptyLines(s); trimmed != s && trimmed != "" {
		r.p.Accept(r.c, "leaves out empty lines before and after the content")
		s = trimmed
	}
	r.checkLines(s)
	return s
}

// form returns content of the type of a form, which the client encodes again: encodeurl() in
// httpRequestParser.ts of REST Client 0.26, unless its setting formParamEncodingStrategy is
// "never", and in httpYac 6.16. What is no form keeps its bytes by another type.
func (r *httpFileRequest) form(s string) string {
	kind := typeOf(s)
	switch {
	case kind != "application/json" && namesPairs(s) && !r.p.Exact():
		return formBlanks.Replace(s)
	case !retype(r.p, r.c, kind, "percent-encodes all content of the type of a form, which the file therefore does not name"):
		r.p.Refuse("encodes a form again")
	}
	return s
}

// formBlanks writes in a form what the client would take for its layout.
var formBlanks = strings.NewReplacer(" ", "+", "\t", "%09", "\n", "%0A", "\r", "%0D")

// trimEmptyLines returns content without the lines before and after it that have nothing
// but blanks.
func trimEmptyLines(s string) string {
	for {
		line, rest, found := strings.Cut(s, "\n")
		if !found || strings.TrimSpace(line) != "" {
			break
		}
		s = rest
	}
	for i := strings.LastIndexByte(s, '\n'); i >= 0 && strings.TrimSpace(s[i+1:]) == ""; i = strings.LastIndexByte(s, '\n') {
		s = s[:i]
	}
	return s
}

// keepsForm reports whether a form stays the same form when the client removes
// blanks around its signs and percent-encodes what is not encoded: the package
// encodeurl of npm.
func (r *httpFileRequest) keepsForm(data plan.Text, s string) bool {
	changes, pairs := false, namesPairs(s)
	for i := range len(s) {
		switch c := s[i]; {
		case c == ' ' && (i == 0 || i+1 == len(s) || emit.Contains("=& ", s[i-1]) || emit.Contains("=&", s[i+1])):
			return false
		case c == ' ' || c >= 0x80 || pairs && emit.Contains("\"<>\\^`|", c):
			changes = true
		case c < ' ' || c == 0x7f || emit.Contains("\"<>\\^`|", c), emit.Contains("{}", c) && !plan.HasVariable(data):
			return false
		}
	}
	if malformed, _ := plan.MalformedPercent(s); malformed {
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

// namesPairs is allPairs with names as forms have them.
func namesPairs(s string) bool {
	for pair := range strings.SplitSeq(s, "&") {
		if name, _, found := strings.Cut(pair, "="); !found || !isFormName(ascii.Decoded(name, true)) {
			return false
		}
	}
	return true
}

// isMultipart reports whether the type is one for whose content, which the command
// holds as text, httpYac ends lines with CRLF.
func (r *httpFileRequest) isMultipart() bool {
	f := r.c.Field("Content-Type")
	if f == nil {
		return false
	}
	kind, _, _ := strings.Cut(f.Value.Source(), ";")
	kind = strings.TrimSpace(kind)
	return kind == "multipart/form-data" || kind == "multipart/mixed" // in small letters only
}

// formLines returns the lines of a form with parts: the clients end each of these
// with CRLF, which is not written.
func (r *httpFileRequest) formLines(s string) string {
	const end = "\r\n"
	if f := r.c.Field("Content-Type"); strings.Count(f.Value.Source(), ";") > 1 {
		r.p.Refuse("ends no lines of a form with CRLF where its type has parameters beside the boundary")
	}
	s, ended := strings.CutSuffix(s, end)
	if bare := strings.ReplaceAll(s, end, ""); !ended || strings.ContainsAny(bare, "\r\n") {
		r.p.Refuse("ends all lines of a form with CRLF")
	}
	return strings.ReplaceAll(s, end, "\n")
}

// lines returns texts and files: a file has a line of its own.
func (r *httpFileRequest) lines(pieces []plan.Piece) string {
	var b strings.Builder
	for i := range pieces {
		one := &pieces[i]
		if !one.IsText {
			name := r.text(one.File)
			if name == "-" || strings.TrimSpace(name) != name || strings.ContainsAny(name, "\r\n") {
				r.p.Refuse("reads no content from standard input, or from a file with such a name")
			}
			b.WriteString("< " + name)
			continue
		}
		b.WriteString(r.text(one.Text))
	}
	s := b.String()
	if r.c.Content.Kind == plan.MultipartBody {
		s = r.formLines(s)
	}
	if r.c.Content.Kind == plan.MultipartBody {
		for i := range r.c.Content.Part {
			if p := &r.c.Content.Part[i]; !p.IsFile() {
				r.checkLines("-\n" + r.text(p.ValueText) + "\n-") // may be empty
			}
		}
	}
	return s
}

// checkLines refuses lines of content that the clients read as something else.
func (r *httpFileRequest) checkLines(s string) {
	if strings.Contains(s, "\r") {
		r.p.Refuse("ends lines without a carriage return")
		return
	}
	first, last := s, s
	if i := strings.IndexByte(s, '\n'); i >= 0 {
		first, last = s[:i], s[strings.LastIndexByte(s, '\n')+1:]
	}
	if strings.TrimSpace(first) == "" || strings.TrimSpace(last) == "" {
		r.p.Refuse("leaves out empty lines before and after the content")
		return
	}
	for line := range strings.SplitSeq(s, "\n") {
		if isHTTPFileSyntax(line) {
			r.p.Refuse("reads a line of the content as its own syntax")
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
	return rest != "" && slices.Contains(httpFileWords, word)
}

// httpFileWords begin the line of another request: the methodRegex of each protocol in
// httpYac 6.16.
var httpFileWords = strings.Fields(`GET POST PUT DELETE PATCH HEAD OPTIONS CONNECT TRACE PROPFIND PROPPATCH MKCOL COPY
	MOVE LOCK UNLOCK CHECKOUT CHECKIN REPORT MERGE MKACTIVITY MKWORKSPACE VERSION-CONTROL BASELINE-CONTROL MKCALENDAR
	ACL SEARCH GRAPHQL SSE EVENTSOURCE GRPC MQTT MQTTS AMQP WS WSS WEBSOCKET`)
