package code

import (
	"slices"
	"strconv"
	"strings"

	"uncoil/internal/ascii"
	"uncoil/internal/curl"
	"uncoil/request"
)

// A call is one request as a program says it: the strings as texts, and what
// curl adds unasked left out.
type call struct {
	*request.Request
	keep bool // variables stay as they were typed
	live bool // the output of commands is a variable too
	cuts bool // the language of the program has a function for the last part of a path

	places variablePlaces
	parts  []part // of texts that are one literal, in one piece of memory

	url        text     // URL with its variables
	encrypts   bool     // TLS may come: by the scheme, by a variable that has it, by a redirect
	guess      bool     // the scheme is guessed, where a variable brings none
	fields     []field  // in curl's order; not the Content-Type of a form
	removed    []string // names of fields that the client must not add
	basic      *credentials
	digest     *credentials
	negotiated *credentials // of NTLM, Negotiate, or what the server chooses
	body       body
	exchange
}

// A field is a header field.
type field struct {
	name  string
	value text
	from  string // the option that set it
	// derived marks what the client's own helper for the body or for the
	// credentials sends as well.
	derived bool
}

// is reports whether the field has a name, in any case of letters.
func (f *field) is(name string) bool { return ascii.EqualFold(f.name, name) }

// skipped reports whether a helper of the client sends the field, where the
// program writes the fields of credentials itself.
func (f *field) skipped() bool {
	return f.derived && !f.is("Authorization") && !f.is("Proxy-Authorization")
}

// credentials are a user name and a password.
type credentials struct {
	user, password text
	whole          text // the variable that both are parts of, or nothing
}

// splitVariable returns the credentials that one variable holds.
func splitVariable(whole text) *credentials {
	user, password := *whole[0].variable, *whole[0].variable
	user.Encoding, password.Encoding = userPart, passwordPart
	return &credentials{text{{variable: &user}}, text{{variable: &password}}, whole}
}

// joined returns the user name, a colon and the password.
func (c *credentials) joined() text {
	if len(c.whole) > 0 {
		return c.whole
	}
	return mergeLiterals(slices.Concat(c.user, literal(":"), c.password))
}

// A body is the content of a request: at most one of its members is set.
type body struct {
	kind bodyKind
	data text // rawBody: the exact bytes
	json *value
	form []pair        // formBody: the pairs of data, decoded
	part []formPart    // multipartBody
	file text          // fileBody: the name of the file that is sent as it is
	list []piece       // pieceBody: what is joined
	src  *request.Body //
}

type bodyKind uint8

const (
	noBody bodyKind = iota
	rawBody
	multipartBody
	fileBody  // one file, as it is
	pieceBody // texts and files, joined
)

// A pair is a name and a value of a form.
type pair struct{ name, value text }

// A formPart is a part of a multipart form.
type formPart struct {
	*request.Part
	name, value, file     text
	filename, contentType *string
	named, kind           text // filename and contentType with their variables; nil for none
	// implied reports that filename is the end of a path that holds a variable,
	// which the program must cut off when it knows the path.
	implied bool
	// cut reports that named does so, where a language can.
	cut bool
}

// simple reports whether every client's own form writes the part as curl does:
// a name, a value or a file, a type.
func (p *formPart) simple() bool { return p.helped() && !p.implied }

// helped is simple, and leaves it to the target to take the file name from the
// path where it is implied.
func (p *formPart) helped() bool {
	return !p.Nested && p.Encoder == "" && len(p.Headers) == 0 && p.Name != "" && p.fixed()
}

// fixed reports whether the file name and the type hold no variables, but for a
// name that is implied.
func (p *formPart) fixed() bool {
	return !hasVariable(p.kind) && (p.implied || !hasVariable(p.named))
}

// readNames reads the file name and the type of a part with their variables.
func (p *formPart) readNames(c *call, at string) {
	if p.contentType != nil {
		p.kind = c.text(*p.contentType, at+".contentType")
	}
	if p.filename == nil {
		return
	}
	p.named = c.text(*p.filename, at+".filename")
	path := p.file.source()
	last := p.file.cut(strings.LastIndexByte(path, '/')+1, len(path))
	p.implied = hasVariable(last) && last.source() == *p.filename
	if p.implied && c.cuts && !c.live && last[0].variable != nil && !hasVariable(last[1:]) {
		v := *last[0].variable
		v.Encoding = lastSegment
		p.named, p.cut = append(text{{variable: &v}}, last[1:]...), true
	}
}

// guessed reports whether curl guesses the type of the part by the end of a name
// that a variable holds.
func (p *formPart) guessed() bool {
	if !p.Guessed || p.named == nil && p.filename != nil {
		return false
	}
	if p.filename != nil && (open(p.named) || curl.TypeByExtension(p.named.source()) != "") {
		return open(p.named)
	}
	return p.File != "-" && open(p.file)
}

// open reports whether the extension of a name is that of its last variable.
func open(name text) bool {
	last := -1
	for i := range name {
		if name[i].variable != nil {
			last = i
		}
	}
	return last >= 0 && !strings.ContainsAny(name[last+1:].literals(), "./")
}

// isFile reports whether the content of the part comes from a file.
func (p *formPart) isFile() bool { return p.File != "" }

// A piece is a text, or the content of a file after what curl does to it.
type piece struct {
	text      text
	file      text // unless isText
	isText    bool
	strip     bool // without CR, LF and NUL
	urlencode bool // percent-encoded, a space as +
	name      text // with = before the content; nil for none
	offset    int64
}

// prefix returns the name of a file's content in a form, with its sign.
func (p *piece) prefix() text { return mergeLiterals(append(slices.Clone(p.name), part{literal: "="})) }

// An exchange is what shapes the transfer beside the request.
type exchange struct {
	follow         bool
	trusted        bool  // credentials follow to other hosts
	maxRedirects   int64 // -1: no limit
	insecure       bool
	timeout        float64 // seconds; 0: none
	connectTimeout float64
	fail           bool
	retries        int64
	compressed     bool
	httpVersion    string
	proxy          text
	proxyUser      text
	noProxy        string
	output         text
	cookieJar      text
	cookieFiles    []text
	cert, key      text
	caFile         text
	unixSocket     text
	resolve        []string
	connectTo      []string
	others         []string         // names of further options, that no target says
	dropped        []request.Option // that take no variable in a program
	unnamed        bool             // the bytes of the form lack a file name that is implied
}

// read reads a request.
func (c *call) read(p *program, r *request.Request) {
	c.Request, c.keep, c.live, c.cuts = r, p.options.KeepVariables, p.target.client.everything, p.target.Kind != File
	c.places = placesOf(r.Variables)
	if c.parts == nil {
		c.parts = make([]part, 0, len(r.Fields)+4) // the URL, credentials and the body
	}
	c.dropVariables()
	c.url = c.text(r.URL, "url")
	if c.url[0].variable != nil {
		literals := c.url.literals()
		c.guess = schemeOf(literals) == "" && !strings.HasPrefix(literals, "://")
	}
	c.fields = slices.Grow(c.fields, len(r.Fields))
	for i := range r.Fields {
		c.addField(&r.Fields[i], c.at("headers.", i)+".value")
	}
	find := c.finder()
	for _, name := range r.Removed {
		if find(name) == nil { // Connection comes back with TE
			c.removed = append(c.removed, name)
		}
	}
	c.readAuth()
	c.readBody(p)
	c.readOptions()
	c.encrypts = c.secure() || c.unknownScheme() || c.follow && p.target.client.can("followRedirects")
	p.refuseLacks(c)
}

// clear makes the call ready for another request.
func (c *call) clear() { *c = call{parts: emptied(c.parts), fields: emptied(c.fields)} }

// refuseUnwritten makes errors of what no target writes: authentication that
// takes more than a header field or Digest, form parts that are nested or
// encoded, forms of another type than form-data, ranges of an upload whose size
// the command does not say, and a file of header fields that was not supplied,
// which is lost already.
func (c *call) refuseUnwritten(p *program) {
	for _, f := range c.Missing {
		if f.Role == "headers" {
			p.refuse("cannot send the header fields of " + f.Name + ", which was not supplied")
		}
	}
	if c.Auth != nil {
		switch scheme := c.Auth.Scheme; scheme {
		case "", "basic", "bearer", "digest":
		case "any":
			if len(p.target.client.auths) == 0 {
				p.refuse("lets no server choose the authentication")
			}
		default:
			if !slices.Contains(p.target.client.auths, scheme) {
				p.refuse("has no " + scheme + " authentication")
			}
		}
	}
	if len(c.unsplit()) == 1 && !p.target.client.format {
		p.refuse("splits no variable into a user name and a password")
	}
	if !p.target.client.mixed {
		p.refuseFormType(c)
	}
	if f := c.field("Content-Range"); f != nil && strings.Contains(f.value.source(), "*") && (f.from == "-C" || f.from == "-r" || strings.HasPrefix(f.from, "--")) {
		p.refuse("does not know the size of what it uploads beforehand")
	}
	for i := range c.body.part {
		if part := &c.body.part[i]; part.Nested || part.Encoder != "" {
			p.refuse("writes no nested or encoded form parts")
			return
		}
	}
}

// refuseFormType makes an error of a form whose type the command sets.
func (p *program) refuseFormType(c *call) {
	if f := c.field("Content-Type"); f != nil && c.body.kind == multipartBody {
		p.refuse("writes no forms of the type " + f.value.source())
	}
}

func (c *call) addField(f *request.Field, at string) {
	switch {
	case f.Origin == request.Default && (!ascii.EqualFold(f.Name, "Connection") || strings.Contains(f.Value, "HTTP2-Settings")),
		ascii.EqualFold(f.Name, "Content-Length"),
		ascii.EqualFold(f.Name, "Accept-Encoding") && f.From == "--compressed",
		ascii.EqualFold(f.Name, "Content-Type") && ascii.EqualFold(f.Value, "multipart/form-data") && c.Body != nil && c.Body.Kind == request.Multipart:
		return // the last is what the client's own form says, and what rawMultipart adds
	}
	c.fields = append(c.fields, field{name: f.Name, value: c.text(f.Value, at), from: f.From})
}

// field returns the first field with a name, or nil.
func (c *call) field(name string) *field {
	for i := range c.fields {
		if c.fields[i].is(name) {
			return &c.fields[i]
		}
	}
	return nil
}

// untyped reports whether the request has content without a type.
func (c *call) untyped() bool {
	return c.body.kind != noBody && c.body.kind != multipartBody && c.field("Content-Type") == nil
}

// empty reports whether the content is there, and of no bytes.
func (c *call) empty() bool {
	data, known := c.body.data.plain()
	return c.body.kind == rawBody && known && data == ""
}

// chunked reports whether the command sends its content in chunks, by a field.
func (c *call) chunked() bool {
	f := c.field("Transfer-Encoding")
	return f != nil && c.body.kind != noBody && ascii.EqualFold(f.value.source(), "chunked")
}

// streamed is chunked, and leaves the field to a client that adds it to a
// stream.
func (c *call) streamed() bool {
	if !c.chunked() {
		return false
	}
	c.field("Transfer-Encoding").derived = true
	return true
}

// cookies returns the pairs of a field Cookie; it reports false where they are
// not all plain names and values.
func (f *field) cookies() (pairs []pair, ok bool) {
	source := f.value.source()
	for _, p := range f.value {
		if p.variable != nil && strings.ContainsAny(p.variable.Expr, ";= ") {
			return nil, false
		}
	}
	for start := 0; start <= len(source); {
		end := start
		for end < len(source) && source[end] != ';' {
			end++
		}
		for start < end && source[start] == ' ' {
			start++
		}
		equals := strings.IndexByte(source[start:end], '=')
		if equals < 1 || strings.ContainsAny(source[start:end], `" ,`) {
			return nil, false
		}
		name, isLiteral := f.value.cut(start, start+equals).plain()
		if !isLiteral {
			return nil, false
		}
		pairs = append(pairs, pair{literal(name), f.value.cut(start+equals+1, end)})
		start = end + 1
	}
	return pairs, true
}

// removes reports whether the command told curl to leave out a field.
func (c *call) removes(name string) bool {
	for _, r := range c.removed {
		if ascii.EqualFold(r, name) {
			return true
		}
	}
	return false
}

// repeated reports whether two fields have the same name.
func (c *call) repeated() bool {
	if len(c.fields) <= pairwise {
		for i := range c.fields {
			if c.field(c.fields[i].name) != &c.fields[i] {
				return true
			}
		}
		return false
	}
	seen := make(map[string]bool, len(c.fields))
	for i := range c.fields {
		seen[strings.ToLower(c.fields[i].name)] = true
	}
	return len(seen) < len(c.fields)
}

// joined returns the fields with those of the same name joined by a comma, or
// by a semicolon where they are cookies, for a client that sends a name once.
func (c *call) joined() []field {
	if !c.repeated() {
		return c.fields
	}
	var out []field
	for _, same := range c.byName() {
		f := same[0]
		separator := part{literal: ", "}
		if f.is("Cookie") {
			separator.literal = "; "
		}
		value := slices.Clone(f.value)
		for _, other := range same[1:] {
			value = append(append(value, separator), other.value...)
		}
		f.value = mergeLiterals(value)
		out = append(out, f)
	}
	return out
}

// byName returns the fields with those of one name together, in the order of the
// first of each name.
func (c *call) byName() [][]field {
	if !c.repeated() {
		return apart(c.fields)
	}
	var groups [][]field
	at := make(map[string]int, len(c.fields)) // by name in small letters
	for i := range c.fields {
		name := strings.ToLower(c.fields[i].name)
		j, again := at[name]
		if !again {
			at[name] = len(groups)
			groups = append(groups, c.fields[i:i+1:i+1])
			continue
		}
		groups[j] = append(groups[j], c.fields[i])
	}
	return groups
}

// apart returns each field as a group of its own.
func apart(fields []field) [][]field {
	groups := make([][]field, len(fields))
	for i := range fields {
		groups[i] = fields[i : i+1 : i+1]
	}
	return groups
}

// finder returns the function field for many names.
func (c *call) finder() func(name string) *field {
	if len(c.fields) <= pairwise {
		return c.field
	}
	first := make(map[string]*field, len(c.fields)) // by name in small letters
	for i := range c.fields {
		if name := strings.ToLower(c.fields[i].name); first[name] == nil {
			first[name] = &c.fields[i]
		}
	}
	return func(name string) *field { return first[strings.ToLower(name)] }
}

func (c *call) readAuth() {
	a := c.Auth
	if a == nil {
		return
	}
	both := &credentials{user: c.text(a.Username, "auth.username"), password: c.text(a.Password, "auth.password")}
	if a.Whole && c.cuts && !c.live && len(both.user) == 1 && hasVariable(both.user) {
		both = splitVariable(both.user)
	}
	switch a.Scheme {
	case "basic":
		for i := range c.fields {
			f := &c.fields[i]
			if f.is("Authorization") && strings.HasPrefix(f.value.source(), "Basic ") && !strings.HasPrefix(f.from, "-H") && f.from != "--header" {
				f.derived = true
				c.basic = both
			}
		}
	case "digest":
		c.digest = both
	case "ntlm", "negotiate", "any":
		c.negotiated = both
	}
}

func (c *call) readBody(p *program) {
	b := c.Body
	if b == nil {
		return
	}
	c.body.src = b
	switch b.Kind {
	case request.Text, request.JSON, request.Form, request.Binary:
		c.body.kind = rawBody
		c.body.data = c.text(b.Data, "body")
		if data, ok := c.body.data.plain(); ok {
			if v, ok := p.values.parse(data); ok {
				c.body.json = &v
			}
		}
		for i, f := range b.Fields {
			at := c.at("body.fields.", i)
			c.body.form = append(c.body.form, pair{c.text(f.Name, at+".name"), c.text(f.Value, at+".value")})
		}
	case request.Multipart:
		c.body.kind = multipartBody
		for i := range b.Parts {
			one := &b.Parts[i]
			at := c.at("body.parts.", i)
			value := at + ".value"
			if one.File == "-" && one.Content != nil && !c.live { // the command leads it there, and nobody the program's
				known := *one
				known.File, known.Value, value = "", *one.Content, at+".content"
				one = &known
			}
			part := formPart{Part: one, filename: one.Filename, contentType: one.ContentType,
				name: c.text(one.Name, at+".name"), value: c.text(one.Value, value), file: c.text(one.File, at+".file")}
			part.readNames(c, at)
			c.body.part = append(c.body.part, part)
		}
	default:
		c.readPieces(b.Pieces)
	}
}

func (c *call) readPieces(pieces []request.Piece) {
	for i := range pieces {
		p := &pieces[i]
		at := c.at("body.pieces.", i)
		one := piece{text: c.text(p.Text, at+".text"), file: c.text(p.File, at+".file"), isText: p.Kind == request.Text,
			strip: p.Strip, urlencode: p.URLEncode, offset: p.Offset}
		if p.Kind == request.Stdin {
			one.file = literal("-")
		}
		if p.Name != "" {
			one.name = c.text(p.Name, at+".name")
		}
		c.body.list = append(c.body.list, one)
	}
	c.body.kind = pieceBody
	if len(pieces) == 1 && pieces[0].Kind == request.File && !pieces[0].Strip && !pieces[0].URLEncode && pieces[0].Offset == 0 {
		c.body.kind, c.body.file = fileBody, c.body.list[0].file
	}
}

// readOptions reads what shapes the exchange.
func (c *call) readOptions() {
	c.maxRedirects = curlRedirects
	for _, o := range c.Options {
		at := "options." + o.Name
		s, _ := o.Value.(string)
		b, _ := o.Value.(bool)
		n, _ := o.Value.(int64)
		seconds, _ := o.Value.(float64)
		switch o.Name {
		case "followRedirects", "follow":
			c.follow = b
		case "locationTrusted":
			c.trusted = b
		case "maxRedirects":
			c.maxRedirects = n
		case "insecure":
			c.insecure = b
		case "maxTime":
			c.timeout = seconds
		case "connectTimeout":
			c.connectTimeout = seconds
		case "fail", "failWithBody":
			c.fail = b
		case "retry":
			c.retries = n
		case "compressed":
			c.compressed = b
		case "httpVersion":
			c.httpVersion = s
		case "proxy":
			c.proxy = c.text(s, at)
		case "proxyUser":
			c.proxyUser = c.text(s, at)
		case "noproxy":
			c.noProxy = s
		case "output":
			c.output = c.text(s, at)
		case "remoteName":
			c.output = c.remoteName()
		case "discardOutput":
			c.output = literal(nullDevice)
		case "cookieJar":
			c.cookieJar = c.text(s, at)
		case "cookieFiles":
			names, _ := o.Value.([]string)
			for i, name := range names {
				// The field Cookie has what the others hold.
				if slices.Contains(c.Missing, request.MissingFile{Name: name, Role: "cookies"}) {
					c.cookieFiles = append(c.cookieFiles, c.text(name, at+"."+itoa(i)))
				}
			}
		case "cert":
			c.cert = c.text(s, at)
		case "key":
			c.key = c.text(s, at)
		case "cacert":
			c.caFile = c.text(s, at)
		case "unixSocket":
			c.unixSocket = c.text(s, at)
		default:
			switch list, _ := o.Value.([]string); o.Name {
			case "resolve":
				c.resolve = list
			case "connectTo":
				c.connectTo = list
			}
			c.others = append(c.others, o.Name)
		}
	}
	if c.noProxy != "" && !c.follow && !c.live && c.proxyScheme() != "" && c.exempt() {
		c.proxy, c.proxyUser = nil, nil
	}
	// Also before a path from the root: tool_operate.c in curl 8.22, setup_outfile().
	if folder, _ := c.member("outputDir").(string); folder != "" && len(c.output) > 0 && c.output.source() != "-" && c.output.source() != nullDevice {
		c.output = mergeLiterals(append(append(c.text(folder, "options.outputDir"), part{literal: "/"}), c.output...))
	}
}

// remoteName returns the name that -O takes from the URL: the last segment of
// its path.
func (c *call) remoteName() text {
	path, _, _ := strings.Cut(c.URL, "?")
	if i := strings.LastIndexByte(path, '/'); i > strings.Index(path, "://")+2 && i+1 < len(path) {
		return c.url.cut(i+1, len(path))
	}
	return literal("curl_response") // as curl does: get_url_file_name() in curl 8.22 src/tool_operhlp.c
}

// secure reports an https URL.
func (c *call) secure() bool { return ascii.HasPrefixFold(c.URL, "https:") }

// unknownScheme reports that only a variable knows the scheme of the URL.
func (c *call) unknownScheme() bool {
	if _, plain := c.url.plain(); plain {
		return false
	}
	_, known := c.url.cut(0, len(c.scheme())).plain()
	return !known || c.url[0].variable != nil
}

// certKey returns the file of the key of the client's certificate.
func (c *call) certKey() text {
	if len(c.key) > 0 {
		return c.key
	}
	return c.cert
}

// hasType reports whether the content has exactly this type.
func (c *call) hasType(contentType string) bool {
	f := c.field("Content-Type")
	return f != nil && f.value.source() == contentType
}

// isForm reports whether the encoder of the language prints the content, as a
// form, from its decoded pairs.
func (c *call) isForm(e *formEncoder) bool {
	return c.hasType(formType) && e.prints(c.body.form, c.body.data)
}

// formType is the type of what -d sends.
const formType = "application/x-www-form-urlencoded"

// A destination is where the response goes.
type destination uint8

const (
	discarded destination = iota
	toFile                // the file output
	headersPrinted
	contentPrinted
)

// nullDevice is where curl users send what they do not want.
const nullDevice = "/dev/null"

// destination returns what the program does with the response.
func (c *call) destination(o Options) destination {
	switch name := c.output.source(); {
	case name == nullDevice, name == "" && o.Bare:
		return discarded
	case name != "" && name != "-":
		return toFile
	case c.Method == "HEAD":
		return headersPrinted
	}
	return contentPrinted
}

func itoa(n int) string { return strconv.Itoa(n) }
