package haskell

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/mime"
	"uncoil/internal/engine/urlparts"
	"uncoil/request"
)

// What http-client 0.7 with http-client-tls does by itself, measured on the wire:
// it adds Accept-Encoding unless that is ""; parses URLs strictly, but sends the
// path and the query of a record as they are; waits 30 seconds for a response,
// follows redirects with all fields, keeps cookies between them and asks the
// proxies of its environment unless told not to. Its Digest leaves out the query.
var HTTPClient = plan.Target{
	Name: "haskell", Convention: &convention, Client: "http-client", Version: "0.7", Kind: plan.Code, Extension: "hs",
	Packages: []plan.Package{{Name: "http-client", Version: "0.7"}, {Name: "http-client-tls", Version: "0.3", Import: "Network.HTTP.Client.TLS"}, {Name: "http-types", Version: "0.12", Import: "Network.HTTP.Types"}, {Name: "bytestring", Version: "0.11", Import: "qualified Data.ByteString"}, {Name: "text", Version: "1.2", Import: "Data.Text"}, {Name: "connection", Version: "0.3", Import: "Network.Connection"}, {Name: "directory", Version: "1.3", Import: "System.Directory"}},
	Aliases:  []string{"haskell-http-client", "hs"}, Proven: true, Style: emit.Style{Indent: "  ", Comment: "-- "}, Write: writeHaskell,
	Facts: plan.Client{
		Adds:      plan.FieldNames{"Accept-Encoding"},
		Rules:     plan.Rules{plan.SendsCodings(plan.NamesNoChunks)},
		Loose:     true,
		Digest:    true,
		Unasked:   []string{"basic"},
		Eager:     true,
		After:     []string{"posts", "head"},
		Counts:    func(method string) bool { return method != "GET" },
		EmptyHost: true,
		Proxies:   []string{"http"},
		Versions:  []string{"1.0", "1.1"},
		Shares:    plan.FieldNames{"Authorization", "Cookie", "Host"},
	},
}

// convention is what is customary in the language.
var convention = plan.Convention{Language: "haskell", Manifest: plan.Manifest{File: "package.yaml", Line: "- $n >= $v"}}

var language = plan.Language{Literal: String, Variable: variable, Plus: " <> "}

func writeHaskell(p *plan.Program) {
	p.Use("Network.HTTP.Client")
	input := false
	sections := p.Sections(p.Depth(1), func(c *plan.Call, suffix string) {
		r := haskellRequest{p: p, c: c, suffix: suffix, input: &input}
		r.write()
	})
	p.Head(func() {
		p.Line("{-# LANGUAGE OverloadedStrings #-}")
		p.Line()
		slices.SortFunc(p.Imports, func(a, b string) int {
			return strings.Compare(strings.TrimPrefix(a, "qualified "), strings.TrimPrefix(b, "qualified "))
		})
		for i, module := range p.Imports {
			name, list, some := strings.Cut(strings.TrimSuffix(module, ")"), " (")
			if next := i + 1; some && next < len(p.Imports) && strings.HasPrefix(p.Imports[next], name+" (") {
				p.Imports[next] = name + " (" + list + ", " + strings.TrimPrefix(p.Imports[next], name+" (")
				continue
			}
			p.Line("import ", module)
		}
		p.Line()
	})
	if !p.Options.Bare {
		p.Line("main :: IO ()")
		p.Line("main = do")
		p.Level = 1
	}
	for _, binding := range p.Helpers { // the variables
		p.Line(binding)
	}
	p.Level = 0
	p.Join(sections)
}

// String returns a literal for a ByteString, whose characters are bytes.
func String(s string) string { return haskellText(emit.Latin1(s)) }

// variable returns the name to which the program binds a variable, and
// notes the statement that does.
func variable(p *plan.Program, v *request.Variable) string {
	p.Use("Data.Text (pack)")
	p.Use("Data.Text.Encoding (encodeUtf8)")
	read := "encodeUtf8 . pack <$> getEnv " + haskellText(v.Name)
	if v.HasDefault {
		p.Use("Data.Maybe (fromMaybe)")
		p.Use("System.Environment (lookupEnv)")
		read = "encodeUtf8 . pack . fromMaybe " + haskellText(v.Default) + " <$> lookupEnv " + haskellText(v.Name)
	} else {
		p.Use("System.Environment (getEnv)")
	}
	name := p.Bind("env"+haskellName(v.Name), read)
	p.Help(name + " <- " + read)
	switch v.Encoding {
	case plan.UserPart:
		p.Use("qualified Data.ByteString.Char8 as C")
		return "C.takeWhile (/= ':') " + name
	case plan.PasswordPart:
		p.Use("qualified Data.ByteString.Char8 as C")
		return "C.drop 1 (C.dropWhile (/= ':') " + name + ")"
	case plan.LastSegment:
		p.Use("qualified Data.ByteString.Char8 as C")
		return "C.takeWhileEnd (/= '/') " + name
	case request.EncodingPercent:
		p.Use("Network.HTTP.Types.URI (urlEncode)")
		return "urlEncode True " + name
	case request.EncodingForm:
		p.Use("Network.HTTP.Types.URI (urlEncode)")
		p.Use("qualified Data.ByteString.Char8 as C")
		return `C.intercalate "+" (map (urlEncode True) (C.split ' ' ` + name + "))"
	case request.EncodingJSON:
		p.Use("qualified Data.ByteString.Char8 as C")
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
		number = c < ' ' && emit.LineEscape(c) == 0 || c >= 0x7f
		switch {
		case number:
			b = strconv.AppendUint(append(b, '\\'), uint64(c), 10)
		case c == '\n' && spans && i+1 < len(s):
			b = append(b, "\\n\\\n  \\"...)
		case emit.LineEscape(c) != 0:
			b = append(b, '\\', emit.LineEscape(c))
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
	p         *plan.Program
	c         *plan.Call
	suffix    string
	fields    []string // of the record of the request
	modifiers []string // functions that change it
	form      string   // the parts of a form, as a list
	posts     bool     // a modifier sets the method
	files     int
	input     *bool // whether the program has read its standard input, which it can do once
}

func (r *haskellRequest) text(t plan.Text) string { return language.Text(r.p, t) }

// argument returns an expression that can be the argument of a function.
func (r *haskellRequest) argument(t plan.Text) string {
	s := r.text(t)
	if _, ok := t.Plain(); ok || !strings.Contains(s, " ") {
		return s
	}
	return "(" + s + ")"
}

// long is argument for content, which is in parts where it is long: a gap of a literal
// stands for nothing.
func (r *haskellRequest) long(t plan.Text) string {
	s, known := t.Plain()
	if !known || !ascii.Only(s) || !r.p.IsLong(s) || strings.Contains(s, "\n") {
		return r.argument(t)
	}
	parts := r.p.Parts(s)
	for i, part := range parts {
		literal := haskellText(part)
		parts[i] = literal[1 : len(literal)-1]
	}
	const gap = "\\\n  \\"
	return `"` + gap + strings.Join(parts, gap) + `"`
}

// path returns an expression for the name of a file.
func (r *haskellRequest) path(t plan.Text) string {
	if s, ok := t.Plain(); ok {
		return haskellText(s)
	}
	r.p.Use("qualified Data.ByteString.Char8 as C")
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
		r.set(r.c.Method != "GET", "method", String(r.c.Method))
	}
	r.headers()
	r.set(content != "", "requestBody", content)
	r.exchange()
	if c := r.c.Digest; c != nil {
		if strings.Contains(r.c.URL, "?") {
			r.p.Refuse("leaves the query out of its Digest")
		}
		r.p.Use("Control.Monad (join)")
		r.p.Use("Network.HTTP.Client.TLS (applyDigestAuth)")
		plain := r.record("plain"+r.suffix, initial)
		r.p.Line(request, " <- join (applyDigestAuth ", r.argument(c.User), " ", r.argument(c.Password), " ", plain, " ", manager, ")")
	} else {
		request = r.record(request, initial)
	}
	to := r.c.Destination(r.p.Options)
	call := "httpLbs "
	if to == plan.Discarded || to == plan.HeadersPrinted {
		call = "httpNoBody "
	}
	if r.c.Unread(r.p.Options) {
		r.p.Use("Control.Monad (void)")
		r.p.Line("void (", call, request, " ", manager, ")")
	} else {
		r.p.Line(response, " <- ", call, request, " ", manager)
	}
	r.result(to, response)
}

// manager writes the statement that makes a manager, unless that of the first call
// has the same settings, and returns its name.
func (r *haskellRequest) manager() string {
	settings := r.settings(r.c)
	if r.suffix != "" && settings == r.settings(r.p.Calls[0]) {
		return "manager"
	}
	if settings == "tlsManagerSettings" {
		r.p.Use("Network.HTTP.Client.TLS (newTlsManager)")
		r.p.Line("manager", r.suffix, " <- newTlsManager")
	} else {
		r.p.Line("manager", r.suffix, " <- newManager (", settings, ")")
	}
	return "manager" + r.suffix
}

// settings returns the settings of a manager.
func (r *haskellRequest) settings(c *plan.Call) string {
	settings := "tlsManagerSettings"
	if c.Insecure() {
		r.p.Use("Network.Connection (TLSSettings (TLSSettingsSimple))")
		r.p.Use("Network.HTTP.Client.TLS (mkManagerSettings)")
		settings = "mkManagerSettings (TLSSettingsSimple True False False) Nothing"
	}
	proxy := ""
	switch {
	case c.Direct():
		proxy = "noProxy"
	case c.ProxyScheme() != "":
		s, ok := c.ProxyServer()
		if !ok {
			r.p.Refuse("takes no proxy from a variable")
		}
		proxy = "(useProxy (Proxy " + String(s.Host) + " " + s.Port + "))"
		if s.Credentials != nil && c == r.c {
			r.modifiers = append(r.modifiers, "applyBasicProxyAuth "+r.argument(s.Credentials.User)+" "+r.argument(s.Credentials.Password))
		}
	}
	if proxy == "" {
		return settings
	}
	if settings == "tlsManagerSettings" {
		r.p.Use("Network.HTTP.Client.TLS (tlsManagerSettings)")
	} else {
		settings = "(" + settings + ")"
	}
	return "managerSetProxy " + proxy + " " + settings
}

// unsafe are the characters of a path or a query that the parser of URLs
// refuses or changes.
const unsafe = " \"<>[]\\^`{|}"

// url writes the statement that parses the URL, and returns the name of the request
// that it makes. A path that the parser refuses or changes is a field of the
// record.
func (r *haskellRequest) url() string {
	url, source := r.c.URLText, r.c.URL
	if parts := urlparts.Of(source); parts.Authority > 0 && parts.Path < len(source) {
		rest := url.Cut(parts.Path, len(source))
		if literals := rest.Literals(); strings.ContainsAny(literals, unsafe) || !ascii.Only(literals) || !plan.WellFormed(literals) {
			path, query := url.Cut(parts.Path, parts.Query), url.Cut(parts.Query, len(source))
			url = url.Cut(0, parts.Path)
			r.set(len(path) > 0, "path", r.text(path))
			r.set(len(query) > 0, "queryString", r.text(query))
		}
	}
	initial := "initial" + r.suffix
	if s, ok := url.Plain(); ok {
		r.p.Folded(initial+" <-", "parseRequest "+haskellText(s))
		return initial
	}
	r.p.Use("qualified Data.ByteString.Char8 as C")
	if r.c.Guess {
		r.p.Line("let url", r.suffix, " = ", r.text(url))
		name := "url" + r.suffix
		r.p.Line(initial, ` <- parseRequest (C.unpack (if "://" `, "`C.isInfixOf` ", name, " then ", name, ` else "http://" <> `, name, "))")
		return initial
	}
	r.p.Line(initial, " <- parseRequest (C.unpack (", r.text(url), "))")
	return initial
}

// record writes the statement that makes the request of another one, and returns its name:
// that of the other one where nothing is set.
func (r *haskellRequest) record(name, initial string) string {
	if r.form == "" && len(r.modifiers)+len(r.fields) == 0 {
		return initial
	}
	level := r.p.Level
	if r.form != "" {
		r.modifiers = slices.Insert(r.modifiers, 0, "formDataBody"+r.form)
		r.p.Line(name, " <-")
	} else {
		r.p.Line("let ", name, " =")
		if r.p.Indent[0] != '\t' { // deeper than the name
			r.p.Level += len("let ") / len(r.p.Indent)
		}
	}
	r.p.Level++
	for _, m := range r.modifiers {
		r.lines(m + " $")
	}
	r.p.Line(initial)
	r.p.Level++
	for i, f := range r.fields {
		mark := ", "
		if i == 0 {
			mark = "{ "
		}
		r.lines(mark + f)
	}
	if len(r.fields) > 0 {
		r.p.Line("}")
	}
	r.p.Level = level
	return name
}

// lines writes the lines of a text, the further ones deeper than the first.
func (r *haskellRequest) lines(s string) {
	for i, line := range strings.Split(s, "\n") {
		if i > 0 {
			line = "    " + line
		}
		r.p.Line(line)
	}
}

// haskellList returns a list, with an item on each line where it is long.
func haskellList(items []string) string {
	if s := strings.Join(items, ", "); len(s) < plan.LineWidth-30 {
		return " [" + s + "]"
	}
	return "\n[ " + strings.Join(items, "\n, ") + "\n]"
}

func (r *haskellRequest) headers() {
	var items []string
	add := func(name, value string) { items = append(items, "("+String(name)+", "+value+")") }
	for i := range r.c.Headers() {
		f := &r.c.Headers()[i]
		source := f.Value.Source()
		switch {
		case f.Is("Accept-Encoding") && source == "":
			r.p.Refuse("sends no empty field Accept-Encoding")
		case f.Derived() && f.Is("Authorization"):
			r.modifiers = append(r.modifiers, "applyBasicAuth "+r.argument(r.c.Basic.User)+" "+r.argument(r.c.Basic.Password))
		case f.Is("Authorization") && f.Value[0].Variable == nil && strings.HasPrefix(f.Value[0].Literal, "Bearer "):
			r.modifiers = append(r.modifiers, "applyBearerAuth "+r.argument(f.Value.Cut(len("Bearer "), len(source))))
		case !f.Derived():
			add(f.Name, r.text(f.Value))
		}
	}
	if r.c.Removes("Accept-Encoding") && r.c.Field("Accept-Encoding") == nil {
		add("Accept-Encoding", `""`)
	}
	if len(items) > 0 {
		r.fields = append(r.fields, "requestHeaders ="+haskellList(items))
	}
}

// content returns an expression for the content, unless a modifier sets it.
func (r *haskellRequest) content() string {
	switch r.c.Content.Kind {
	case plan.RawBody:
		if r.c.Method == "POST" && r.c.IsForm(&plan.EncodeData) {
			r.posts = true
			r.c.Imply(r.c.Field("Content-Type"))
			items := make([]string, len(r.c.Content.Form))
			for i, p := range r.c.Content.Form {
				items[i] = "(" + r.text(plan.Decoded(p.Name)) + ", " + r.text(plan.Decoded(p.Value)) + ")"
			}
			r.modifiers = append(r.modifiers, "urlEncodedBody"+haskellList(items))
			return ""
		}
		return "RequestBodyBS " + r.long(r.c.Content.Data)
	case plan.MultipartBody:
		if r.parts() {
			r.posts = true
			return ""
		}
		return r.pieces(r.c.RawForm())
	case plan.FileBody:
		if r.c.Content.File.Source() != "-" {
			r.p.Line("body", r.suffix, " <- streamFile ", r.path(r.c.Content.File))
			return "body" + r.suffix
		}
		return r.pieces([]plan.Piece{{File: r.c.Content.File}})
	case plan.PieceBody:
		return r.pieces(r.c.Content.List)
	}
	return ""
}

// parts notes the parts of a form, where http-client writes no others.
func (r *haskellRequest) parts() bool {
	if r.c.Method != "POST" || r.c.Body.FormEscape {
		return false
	}
	items := make([]string, len(r.c.Content.Part))
	for i := range r.c.Content.Part {
		p := &r.c.Content.Part[i]
		if !p.Simple() || p.FileText.Source() == "-" || !utf8.ValidString(p.Name) || p.FilenameText != nil && (strings.Contains(*p.FilenameText, "/") || !utf8.ValidString(*p.FilenameText)) {
			return false
		}
		name := haskellText(mime.EscapeName(p.Name, false))
		part, file := "partBS "+name+" "+r.argument(p.ValueText), p.FileText.Source()
		if p.IsFile() {
			part = "partFileSource " + name + " " + r.path(p.FileText)
		}
		var members []string
		switch {
		case p.FilenameText == nil && p.IsFile():
			members = append(members, "partFilename = Nothing")
		case p.FilenameText != nil && *p.FilenameText != file[strings.LastIndexByte(file, '/')+1:]:
			members = append(members, "partFilename = Just "+haskellText(mime.EscapeName(*p.FilenameText, false)))
		}
		switch {
		case p.TypeText != nil:
			members = append(members, "partContentType = Just "+String(*p.TypeText))
		case p.IsFile():
			members = append(members, "partContentType = Nothing")
		}
		if len(members) > 0 {
			part = "(" + part + ") {" + strings.Join(members, ", ") + "}"
		}
		items[i] = part
	}
	r.p.Use("Network.HTTP.Client.MultipartFormData")
	r.form = haskellList(items)
	return true
}

// file writes the statement that reads a file, and returns an expression for its
// content, changed as curl changes it.
func (r *haskellRequest) file(one plan.Piece) string {
	name := "file" + r.suffix
	if r.files++; r.files > 1 {
		name += "_" + emit.Itoa(r.files)
	}
	switch stdin := one.File.Source() == "-"; {
	case stdin && *r.input:
		name = "mempty"
	case stdin:
		*r.input = true
		r.p.Use("qualified Data.ByteString.Char8 as C")
		r.p.Line(name, " <- C.getContents")
	default:
		r.p.Use("qualified Data.ByteString.Char8 as C")
		r.p.Line(name, " <- C.readFile ", r.path(one.File))
	}
	if one.Offset > 0 {
		name = "C.drop " + emit.Itoa(int(one.Offset)) + " " + name
	}
	if one.Strip {
		name = "C.filter (`notElem` (\"\\r\\n\\0\" :: String)) (" + name + ")"
	}
	if one.Urlencode {
		r.p.Use("Network.HTTP.Types.URI (urlEncode)")
		name = `C.intercalate "+" (map (urlEncode True) (C.split ' ' (` + name + ")))"
	}
	if len(one.Name) > 0 {
		name = r.text(one.Prefix()) + " <> " + name
	}
	return name
}

func (r *haskellRequest) pieces(pieces []plan.Piece) string {
	items := make([]string, len(pieces))
	for i, one := range pieces {
		if one.IsText {
			items[i] = r.text(one.Text)
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
	limit := strconv.FormatInt(r.c.MaxRedirects(), 10)
	switch {
	case r.c.Stops():
		limit = "0"
	case r.c.MaxRedirects() < 0:
		limit = "maxBound"
	}
	r.set(!r.c.LeavesRedirects(), "redirectCount", limit)
	if r.c.Follow() {
		r.set(!r.c.KeepsCookies(), "cookieJar", "Nothing")
		switch r.c.Method {
		case "GET":
		case "POST":
			r.p.Differs("sends a POST again after the status 301")
		default:
			r.p.Differs("makes a GET of the request after the statuses 302 and 303")
		}
	}
	r.set(r.c.Field("Accept-Encoding") != nil && !r.c.Compressed(), "decompress", "const False")
	if limit := r.c.Timeout(); limit > 0 {
		r.set(true, "responseTimeout", "responseTimeoutMicro "+emit.Milliseconds(limit*1000))
	} else {
		r.set(r.p.Exact(), "responseTimeout", "responseTimeoutNone")
	}
	if r.c.HTTPVersion() == "1.0" {
		r.p.Use("Network.HTTP.Types.Version (http10)")
		r.set(true, "requestVersion", "http10")
	}
}

// result writes what is done with the response.
func (r *haskellRequest) result(to plan.Destination, response string) {
	if r.c.Fail() {
		r.p.Use("Control.Monad (when)")
		r.p.Use("Network.HTTP.Types.Status (statusCode)")
		status := "statusCode (responseStatus " + response + ")"
		r.p.Block("when ("+status+" >= 400) $", func() {
			r.p.Line(`fail ("HTTP " ++ show (`, status, "))")
		})
	}
	switch to {
	case plan.ToFile:
		r.p.Use("qualified Data.ByteString.Lazy as L")
		if folder := r.c.Folder(); folder != nil {
			r.p.Use("System.Directory (createDirectoryIfMissing)")
			r.p.Line("createDirectoryIfMissing True ", r.path(folder))
		}
		r.p.Line("L.writeFile ", r.path(r.c.Output()), " (responseBody ", response, ")")
	case plan.HeadersPrinted:
		r.p.Line("mapM_ print (responseHeaders ", response, ")")
	case plan.ContentPrinted:
		r.p.Use("qualified Data.ByteString.Lazy as L")
		r.p.Line("L.putStr (responseBody ", response, ")")
	}
}
