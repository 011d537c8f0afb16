package code

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/mime"
	"uncoil/request"
)

// What http-client 0.7 with http-client-tls does by itself, measured on the wire:
// it adds Accept-Encoding unless that is ""; parses URLs strictly, but sends the
// path and the query of a record as they are; waits 30 seconds for a response,
// follows redirects with all fields, keeps cookies between them and asks the
// proxies of its environment unless told not to. Its Digest leaves out the query.
var haskellHTTPClient = Target{
	Name: "haskell", Language: "haskell", Client: "http-client", Version: "0.7", Kind: Code, Extension: "hs",
	Aliases: []string{"haskell-http-client", "hs"}, Proven: true, style: style{indent: "  ", comment: "-- "}, write: writeHaskell,
	client: client{
		adds:      fieldNames{"Accept-Encoding"},
		codings:   namesNoChunks,
		loose:     true,
		digest:    true,
		unasked:   []string{"basic"},
		eager:     true,
		after:     []string{"posts", "head"},
		counts:    func(method string) bool { return method != "GET" },
		emptyHost: true,
		says:      []string{"createDirs", "cookieEngine", "followRedirects", "maxRedirects", "maxTime", "insecure"},
		proxies:   []string{"http"},
		versions:  []string{"1.0", "1.1"},
		shares:    fieldNames{"Authorization", "Cookie", "Host"},
	},
}

var haskellLanguage = language{literal: haskellString, variable: haskellVariable, plus: " <> "}

func writeHaskell(p *program) {
	level := 1
	if p.options.Bare {
		level = 0
	}
	p.use("Network.HTTP.Client")
	input := false
	sections := p.sections(level, func(c *call, suffix string) {
		r := haskellRequest{p: p, c: c, suffix: suffix, input: &input}
		r.write()
	})
	if !p.options.Bare {
		p.line("{-# LANGUAGE OverloadedStrings #-}")
		p.line()
		slices.SortFunc(p.imports, func(a, b string) int {
			return strings.Compare(strings.TrimPrefix(a, "qualified "), strings.TrimPrefix(b, "qualified "))
		})
		for i, module := range p.imports {
			name, list, some := strings.Cut(strings.TrimSuffix(module, ")"), " (")
			if next := i + 1; some && next < len(p.imports) && strings.HasPrefix(p.imports[next], name+" (") {
				p.imports[next] = name + " (" + list + ", " + strings.TrimPrefix(p.imports[next], name+" (")
				continue
			}
			p.line("import ", module)
		}
		p.line()
		p.line("main :: IO ()")
		p.line("main = do")
		p.level = 1
	}
	for _, binding := range p.helpers { // the variables
		p.line(binding)
	}
	p.level = 0
	p.join(sections)
}

// haskellString returns a literal for a ByteString, whose characters are bytes.
func haskellString(s string) string { return haskellText(latin1(s)) }

// haskellVariable returns the name to which the program binds a variable, and
// notes the statement that does.
func haskellVariable(p *program, v *request.Variable) string {
	p.use("Data.Text (pack)")
	p.use("Data.Text.Encoding (encodeUtf8)")
	read := "encodeUtf8 . pack <$> getEnv " + haskellText(v.Name)
	if v.HasDefault {
		p.use("Data.Maybe (fromMaybe)")
		p.use("System.Environment (lookupEnv)")
		read = "encodeUtf8 . pack . fromMaybe " + haskellText(v.Default) + " <$> lookupEnv " + haskellText(v.Name)
	} else {
		p.use("System.Environment (getEnv)")
	}
	name := p.bind("env"+haskellName(v.Name), read)
	p.help(name + " <- " + read)
	switch v.Encoding {
	case userPart:
		p.use("qualified Data.ByteString.Char8 as C")
		return "C.takeWhile (/= ':') " + name
	case passwordPart:
		p.use("qualified Data.ByteString.Char8 as C")
		return "C.drop 1 (C.dropWhile (/= ':') " + name + ")"
	case lastSegment:
		p.use("qualified Data.ByteString.Char8 as C")
		return "C.takeWhileEnd (/= '/') " + name
	case request.Percent:
		p.use("Network.HTTP.Types.URI (urlEncode)")
		return "urlEncode True " + name
	case request.FormEncode:
		p.use("Network.HTTP.Types.URI (urlEncode)")
		p.use("qualified Data.ByteString.Char8 as C")
		return `C.intercalate "+" (map (urlEncode True) (C.split ' ' ` + name + "))"
	case request.JSONEscape:
		p.use("qualified Data.ByteString.Char8 as C")
		return `C.concatMap (\c -> if c ` + "`elem` (\"\\\"\\\\\" :: String)" + ` then C.pack ['\\', c] else C.singleton c) ` + name
	}
	return name
}

// haskellName returns the name of a variable of the environment in capitals and
// small letters: API_TOKEN is ApiToken.
func haskellName(s string) string {
	var b strings.Builder
	for word := range strings.FieldsFuncSeq(s, func(c rune) bool { return c > 'z' || !ascii.IsLetter(byte(c)) && !ascii.IsDigit(byte(c)) }) {
		b.WriteString(strings.ToUpper(word[:1]) + strings.ToLower(word[1:]))
	}
	return b.String()
}

// haskellText returns a literal for a String, whose characters are those of
// Unicode.
func haskellText(s string) string {
	b := []byte{'"'}
	number, spans := false, strings.Contains(strings.Trim(s, "\n"), "\n")
	for i, c := range s {
		if number && c >= '0' && c <= '9' {
			b = append(b, '\\', '&')
		}
		number = c < ' ' && lineEscape(c) == 0 || c >= 0x7f
		switch {
		case number:
			b = strconv.AppendUint(append(b, '\\'), uint64(c), 10)
		case c == '\n' && spans && i+1 < len(s):
			b = append(b, "\\n\\\n  \\"...)
		case lineEscape(c) != 0:
			b = append(b, '\\', lineEscape(c))
		case c == '"' || c == '\\':
			b = append(b, '\\', byte(c))
		default:
			b = append(b, byte(c))
		}
	}
	return string(append(b, '"'))
}

// A haskellRequest writes one call with http-client.
type haskellRequest struct {
	p         *program
	c         *call
	suffix    string
	fields    []string // of the record of the request
	modifiers []string // functions that change it
	form      string   // the parts of a form, as a list
	posts     bool     // a modifier sets the method
	files     int
	input     *bool // whether the program has read its standard input, which it can do once
}

func (r *haskellRequest) text(t text) string { return haskellLanguage.text(r.p, t) }

// argument returns an expression that can be the argument of a function.
func (r *haskellRequest) argument(t text) string {
	s := r.text(t)
	if _, ok := t.plain(); ok || !strings.Contains(s, " ") {
		return s
	}
	return "(" + s + ")"
}

// long is argument for content, which is in parts where it is long: a gap of a literal
// stands for nothing.
func (r *haskellRequest) long(t text) string {
	s, known := t.plain()
	if !known || !ascii.Only(s) || !isLong(s) || strings.Contains(s, "\n") {
		return r.argument(t)
	}
	parts := splitLong(s)
	for i, part := range parts {
		literal := haskellText(part)
		parts[i] = literal[1 : len(literal)-1]
	}
	const gap = "\\\n  \\"
	return `"` + gap + strings.Join(parts, gap) + `"`
}

// path returns an expression for the name of a file.
func (r *haskellRequest) path(t text) string {
	if s, ok := t.plain(); ok {
		return haskellText(s)
	}
	r.p.use("qualified Data.ByteString.Char8 as C")
	return "(C.unpack (" + r.text(t) + "))"
}

func (r *haskellRequest) set(asked bool, name, value string) {
	if asked {
		r.fields = append(r.fields, name+" = "+value)
	}
}

func (r *haskellRequest) write() {
	manager := r.manager()
	request, response := "request"+r.suffix, "response"+r.suffix
	initial := r.url()
	content := r.content()
	if !r.posts {
		r.set(r.c.Method != "GET", "method", haskellString(r.c.Method))
	}
	r.headers()
	r.set(content != "", "requestBody", content)
	r.exchange()
	if c := r.c.digest; c != nil {
		if strings.Contains(r.c.URL, "?") {
			r.p.refuse("leaves the query out of its Digest")
		}
		r.p.use("Control.Monad (join)")
		r.p.use("Network.HTTP.Client.TLS (applyDigestAuth)")
		r.record("plain"+r.suffix, initial)
		r.p.line(request, " <- join (applyDigestAuth ", r.argument(c.user), " ", r.argument(c.password), " plain", r.suffix, " ", manager, ")")
	} else {
		r.record(request, initial)
	}
	to := r.c.destination(r.p.options)
	call := "httpLbs "
	if to == discarded || to == headersPrinted {
		call = "httpNoBody "
	}
	if r.c.unread(r.p.options) {
		r.p.use("Control.Monad (void)")
		r.p.line("void (", call, request, " ", manager, ")")
	} else {
		r.p.line(response, " <- ", call, request, " ", manager)
	}
	r.result(to, response)
}

// manager writes the statement that makes a manager, unless that of the first call
// has the same settings, and returns its name.
func (r *haskellRequest) manager() string {
	settings := r.settings(r.c)
	if r.suffix != "" && settings == r.settings(r.p.calls[0]) {
		return "manager"
	}
	if settings == "tlsManagerSettings" {
		r.p.use("Network.HTTP.Client.TLS (newTlsManager)")
		r.p.line("manager", r.suffix, " <- newTlsManager")
	} else {
		r.p.line("manager", r.suffix, " <- newManager (", settings, ")")
	}
	return "manager" + r.suffix
}

// settings returns the settings of a manager.
func (r *haskellRequest) settings(c *call) string {
	settings := "tlsManagerSettings"
	if c.insecure {
		r.p.use("Network.Connection (TLSSettings (TLSSettingsSimple))")
		r.p.use("Network.HTTP.Client.TLS (mkManagerSettings)")
		settings = "mkManagerSettings (TLSSettingsSimple True False False) Nothing"
	}
	proxy := ""
	switch {
	case c.direct():
		proxy = "noProxy"
	case c.proxyScheme() != "":
		s, ok := c.proxyServer()
		if !ok {
			r.p.refuse("takes no proxy from a variable")
		}
		proxy = "(useProxy (Proxy " + haskellString(s.host) + " " + s.port + "))"
		if s.credentials != nil && c == r.c {
			r.modifiers = append(r.modifiers, "applyBasicProxyAuth "+r.argument(s.credentials.user)+" "+r.argument(s.credentials.password))
		}
	}
	if proxy == "" {
		return settings
	}
	if settings == "tlsManagerSettings" {
		r.p.use("Network.HTTP.Client.TLS (tlsManagerSettings)")
	} else {
		settings = "(" + settings + ")"
	}
	return "managerSetProxy " + proxy + " " + settings
}

// haskellUnsafe are the characters of a path or a query that the parser of URLs
// refuses or changes.
const haskellUnsafe = " \"<>[]\\^`{|}"

// url writes the statement that parses the URL, and returns the name of the request
// that it makes. A path that the parser refuses or changes is a field of the
// record.
func (r *haskellRequest) url() string {
	url, source := r.c.url, r.c.URL
	start := strings.Index(source, "://") + len("://")
	if i := strings.IndexAny(source[start:], "/?"); start >= len("://") && i >= 0 {
		rest := url.cut(start+i, len(source))
		if literals := rest.literals(); strings.ContainsAny(literals, haskellUnsafe) || !ascii.Only(literals) || !wellFormed(literals) {
			path, query := rest, text(nil)
			if q := strings.IndexByte(rest.source(), '?'); q >= 0 {
				path, query = rest.cut(0, q), rest.cut(q, len(rest.source()))
			}
			url = url.cut(0, start+i)
			r.set(len(path) > 0, "path", r.text(path))
			r.set(len(query) > 0, "queryString", r.text(query))
		}
	}
	initial := "initial" + r.suffix
	if s, ok := url.plain(); ok {
		r.p.folded(initial+" <-", "parseRequest "+haskellText(s))
		return initial
	}
	r.p.use("qualified Data.ByteString.Char8 as C")
	if r.c.guess {
		r.p.line("let url", r.suffix, " = ", r.text(url))
		name := "url" + r.suffix
		r.p.line(initial, ` <- parseRequest (C.unpack (if "://" `, "`C.isInfixOf` ", name, " then ", name, ` else "http://" <> `, name, "))")
		return initial
	}
	r.p.line(initial, " <- parseRequest (C.unpack (", r.text(url), "))")
	return initial
}

// record writes the statement that makes the request of another one.
func (r *haskellRequest) record(name, initial string) {
	level := r.p.level
	if r.form != "" {
		r.modifiers = slices.Insert(r.modifiers, 0, "formDataBody"+r.form)
		r.p.line(name, " <-")
	} else {
		r.p.line("let ", name, " =")
		if r.p.indent[0] != '\t' { // deeper than the name
			r.p.level += len("let ") / len(r.p.indent)
		}
	}
	r.p.level++
	for _, m := range r.modifiers {
		r.lines(m + " $")
	}
	r.p.line(initial)
	r.p.level++
	for i, f := range r.fields {
		mark := ", "
		if i == 0 {
			mark = "{ "
		}
		r.lines(mark + f)
	}
	r.p.line("}")
	r.p.level = level
}

// lines writes the lines of a text, the further ones deeper than the first.
func (r *haskellRequest) lines(s string) {
	for i, line := range strings.Split(s, "\n") {
		if i > 0 {
			line = "    " + line
		}
		r.p.line(line)
	}
}

// haskellList returns a list, with an item on each line where it is long.
func haskellList(items []string) string {
	if s := strings.Join(items, ", "); len(s) < lineWidth-30 {
		return " [" + s + "]"
	}
	return "\n[ " + strings.Join(items, "\n, ") + "\n]"
}

func (r *haskellRequest) headers() {
	var items []string
	add := func(name, value string) { items = append(items, "("+haskellString(name)+", "+value+")") }
	for i := range r.c.fields {
		f := &r.c.fields[i]
		source := f.value.source()
		switch {
		case f.is("Accept-Encoding") && source == "":
			r.p.refuse("sends no empty field Accept-Encoding")
		case f.derived && f.is("Authorization"):
			r.modifiers = append(r.modifiers, "applyBasicAuth "+r.argument(r.c.basic.user)+" "+r.argument(r.c.basic.password))
		case f.is("Authorization") && f.value[0].variable == nil && strings.HasPrefix(f.value[0].literal, "Bearer "):
			r.modifiers = append(r.modifiers, "applyBearerAuth "+r.argument(f.value.cut(len("Bearer "), len(source))))
		case !f.derived:
			add(f.name, r.text(f.value))
		}
	}
	if r.c.removes("Accept-Encoding") && r.c.field("Accept-Encoding") == nil {
		add("Accept-Encoding", `""`)
	}
	if len(items) > 0 {
		r.fields = append(r.fields, "requestHeaders ="+haskellList(items))
	}
}

// content returns an expression for the content, unless a modifier sets it.
func (r *haskellRequest) content() string {
	switch r.c.body.kind {
	case rawBody:
		if r.c.Method == "POST" && r.c.isForm(&encodeData) {
			r.posts = true
			r.c.field("Content-Type").derived = true
			items := make([]string, len(r.c.body.form))
			for i, p := range r.c.body.form {
				items[i] = "(" + r.text(decoded(p.name)) + ", " + r.text(decoded(p.value)) + ")"
			}
			r.modifiers = append(r.modifiers, "urlEncodedBody"+haskellList(items))
			return ""
		}
		return "RequestBodyBS " + r.long(r.c.body.data)
	case multipartBody:
		if r.parts() {
			r.posts = true
			return ""
		}
		return r.pieces(r.c.rawForm())
	case fileBody:
		if r.c.body.file.source() != "-" {
			r.p.line("body", r.suffix, " <- streamFile ", r.path(r.c.body.file))
			return "body" + r.suffix
		}
		return r.pieces([]piece{{file: r.c.body.file}})
	case pieceBody:
		return r.pieces(r.c.body.list)
	}
	return ""
}

// parts notes the parts of a form, where http-client writes no others.
func (r *haskellRequest) parts() bool {
	if r.c.Method != "POST" || r.c.Body.FormEscape {
		return false
	}
	items := make([]string, len(r.c.body.part))
	for i := range r.c.body.part {
		p := &r.c.body.part[i]
		if !p.simple() || p.file.source() == "-" || !utf8.ValidString(p.Name) || p.filename != nil && (strings.Contains(*p.filename, "/") || !utf8.ValidString(*p.filename)) {
			return false
		}
		name := haskellText(mime.EscapeName(p.Name, false))
		part, file := "partBS "+name+" "+r.argument(p.value), p.file.source()
		if p.isFile() {
			part = "partFileSource " + name + " " + r.path(p.file)
		}
		var members []string
		switch {
		case p.filename == nil && p.isFile():
			members = append(members, "partFilename = Nothing")
		case p.filename != nil && *p.filename != file[strings.LastIndexByte(file, '/')+1:]:
			members = append(members, "partFilename = Just "+haskellText(mime.EscapeName(*p.filename, false)))
		}
		switch {
		case p.contentType != nil:
			members = append(members, "partContentType = Just "+haskellString(*p.contentType))
		case p.isFile():
			members = append(members, "partContentType = Nothing")
		}
		if len(members) > 0 {
			part = "(" + part + ") {" + strings.Join(members, ", ") + "}"
		}
		items[i] = part
	}
	r.p.use("Network.HTTP.Client.MultipartFormData")
	r.form = haskellList(items)
	return true
}

// file writes the statement that reads a file, and returns an expression for its
// content, changed as curl changes it.
func (r *haskellRequest) file(one piece) string {
	name := "file" + r.suffix
	if r.files++; r.files > 1 {
		name += "_" + itoa(r.files)
	}
	switch stdin := one.file.source() == "-"; {
	case stdin && *r.input:
		name = "mempty"
	case stdin:
		*r.input = true
		r.p.use("qualified Data.ByteString.Char8 as C")
		r.p.line(name, " <- C.getContents")
	default:
		r.p.use("qualified Data.ByteString.Char8 as C")
		r.p.line(name, " <- C.readFile ", r.path(one.file))
	}
	if one.offset > 0 {
		name = "C.drop " + itoa(int(one.offset)) + " " + name
	}
	if one.strip {
		name = "C.filter (`notElem` (\"\\r\\n\\0\" :: String)) (" + name + ")"
	}
	if one.urlencode {
		r.p.use("Network.HTTP.Types.URI (urlEncode)")
		name = `C.intercalate "+" (map (urlEncode True) (C.split ' ' (` + name + ")))"
	}
	if len(one.name) > 0 {
		name = r.text(one.prefix()) + " <> " + name
	}
	return name
}

func (r *haskellRequest) pieces(pieces []piece) string {
	items := make([]string, len(pieces))
	for i, one := range pieces {
		if one.isText {
			items[i] = r.text(one.text)
		} else {
			items[i] = r.file(one)
		}
	}
	s := strings.Join(items, " <> ")
	if strings.Contains(s, " ") {
		s = "(" + s + ")"
	}
	return "RequestBodyBS " + s
}

// exchange sets what shapes the exchange.
func (r *haskellRequest) exchange() {
	limit := strconv.FormatInt(r.c.maxRedirects, 10)
	switch {
	case !r.c.follow:
		limit = "0"
	case r.c.maxRedirects < 0:
		limit = "maxBound"
	}
	r.set(true, "redirectCount", limit)
	if r.c.follow {
		r.set(!r.c.keepsCookies(), "cookieJar", "Nothing")
		switch r.c.Method {
		case "GET":
		case "POST":
			r.p.differs("sends a POST again after the status 301")
		default:
			r.p.differs("makes a GET of the request after the statuses 302 and 303")
		}
	}
	r.set(r.c.field("Accept-Encoding") != nil && !r.c.compressed, "decompress", "const False")
	timeout := "responseTimeoutNone"
	if r.c.timeout > 0 {
		timeout = "responseTimeoutMicro " + milliseconds(r.c.timeout*1000)
	}
	r.set(true, "responseTimeout", timeout)
	if r.c.httpVersion == "1.0" {
		r.p.use("Network.HTTP.Types.Version (http10)")
		r.set(true, "requestVersion", "http10")
	}
}

// result writes what is done with the response.
func (r *haskellRequest) result(to destination, response string) {
	if r.c.fail {
		r.p.use("Control.Monad (when)")
		r.p.use("Network.HTTP.Types.Status (statusCode)")
		status := "statusCode (responseStatus " + response + ")"
		r.p.block("when ("+status+" >= 400) $", func() {
			r.p.line(`fail ("HTTP " ++ show (`, status, "))")
		})
	}
	switch to {
	case toFile:
		r.p.use("qualified Data.ByteString.Lazy as L")
		if folder := r.c.folder(); folder != nil {
			r.p.use("System.Directory (createDirectoryIfMissing)")
			r.p.line("createDirectoryIfMissing True ", r.path(folder))
		}
		r.p.line("L.writeFile ", r.path(r.c.output), " (responseBody ", response, ")")
	case headersPrinted:
		r.p.line("mapM_ print (responseHeaders ", response, ")")
	case contentPrinted:
		r.p.use("qualified Data.ByteString.Lazy as L")
		r.p.line("L.putStr (responseBody ", response, ")")
	}
}
