package code

import (
	"slices"
	"strings"
	"unicode/utf8"

	"uncoil/request"
)

// A collection of Postman, format 2.1.0
// (https://schema.getpostman.com/json/collection/v2.1.0/docs/index.html). What
// newman 6.2 does by itself, measured on the wire: it adds User-Agent, Accept,
// Cache-Control, Postman-Token, Accept-Encoding and Connection; sends methods in
// capitals, a field twice where it is there twice, and each character of a field
// as one byte; gives text a type; follows redirects; percent-encodes what is not
// ASCII in a URL, and some marks, unless told not to; writes forms with names
// that look like numbers first. A text {{name}} stands for a variable, in fields
// and in content.
var postman = Target{
	Name: "postman", Language: "json", Client: "Postman", Version: "2.1", Kind: File, Extension: "json",
	Aliases:  []string{"newman", "postman-collection"},
	filename: "request.postman_collection.json", style: style{indent: "  "}, write: writePostman, Proven: true,
	client: client{
		modernTLS: true,
		loopback:  true,
		stuck:     sendsFile,
		adds:      fieldNames{"User-Agent", "Accept", "Cache-Control", "Postman-Token", "Accept-Encoding", "Connection"},
		methods:   capitals,
		slashes:   true,
		hostless:  true,
		digest:    true,
		auths:     []string{"ntlm", "aws-sigv4"},
		eager:     true,
		after:     []string{"referer"},
		printable: true,
		says:      []string{"cookieEngine", "followRedirects", "maxRedirects", "autoReferer", "locationTrusted", "insecure", "fail"},
		proxies:   []string{"http"},
		shares:    fieldNames{"Cookie"},
	},
}

// A collection is one that is being written.
type collection struct {
	p         *program
	variables *object // name and value
	declared  map[string]string
	setup     []value         // lines of the script that runs before the request
	locals    map[string]bool // the variables that the script sets
}

func writePostman(p *program) {
	f := &collection{p: p, variables: newObject(), declared: make(map[string]string)}
	items := p.eachCall(f.item)
	if p.options.Bare {
		p.json(oneOrList(items))
		return
	}
	info := newObject().text("name", p.fileName()).
		text("schema", "https://schema.getpostman.com/json/collection/v2.1.0/collection.json")
	o := newObject().add("info", info.value).list("item", items)
	if len(f.variables.names) > 0 {
		var list []value
		for i, name := range f.variables.names {
			list = append(list, newObject().text("key", name).add("value", f.variables.items[i]).value)
		}
		o.list("variable", list)
	}
	p.json(o.value)
}

// text returns a string with variables.
func (f *collection) text(t text) string {
	if !t.isText() {
		f.p.refuse("has no place for bytes that are not UTF-8")
	}
	var b strings.Builder
	for i := range t {
		v := t[i].variable
		if v == nil {
			f.literal(t[i].literal, i+1 < len(t))
			b.WriteString(t[i].literal)
			continue
		}
		f.declare(v.Name, v.Default)
		b.WriteString("{{" + f.encoded(v) + "}}")
	}
	return b.String()
}

// encoded returns the name of a variable with the content of another, in the
// encoding that the place asks for. A script makes it, because Postman inserts
// variables as they are. No variable of a shell has a dot in its name.
func (f *collection) encoded(v *request.Variable) string {
	suffix := ""
	switch v.Encoding {
	case request.Percent:
		suffix = ".percent"
	case request.FormEncode:
		suffix = ".form"
	case request.JSONEscape:
		suffix = ".json"
	default:
		return v.Name
	}
	f.set(v.Name+suffix, jsEncoded("pm.variables.get("+jsonString(v.Name)+")", v.Encoding))
	return v.Name + suffix
}

// set gives a variable a value in a script that runs before the request, once.
func (f *collection) set(name, expression string) {
	if !f.locals[name] {
		f.locals[name] = true
		f.setup = append(f.setup, textValue("pm.variables.set("+jsonString(name)+", "+expression+");"))
	}
}

// literal keeps text that looks like variables as it is: a variable of that
// name holds what stands there. A script sets it, because a local variable
// goes before those of the collection, of an environment and of a file of data.
func (f *collection) literal(s string, more bool) {
	for {
		i := strings.Index(s, "{{")
		if i < 0 {
			return
		}
		s = s[i+1:]
		end := strings.IndexAny(s[1:], "{}")
		switch {
		case end < 0 && more:
			f.p.refuse("reads {{ before a variable as the begin of another one")
			return
		case end < 0:
			return
		case strings.HasPrefix(s[1+end:], "}}"):
			name := s[1 : 1+end]
			holds := "{{" + name + "}}"
			f.declareAs(name, holds)
			f.set(name, jsonString(holds))
		}
	}
}

// declare adds a variable of the collection, once.
func (f *collection) declare(name, holds string) {
	if f.declareAs(name, holds) {
		f.variables.text(name, holds)
	}
}

// declareAs notes what a variable holds, and reports whether it is a new one.
func (f *collection) declareAs(name, holds string) bool {
	v, ok := f.declared[name]
	if ok && v != holds {
		f.p.refuseName(nowhere, "has one value for a variable", name)
	}
	f.declared[name] = holds
	return !ok
}

// pair returns an entry of a list.
func (f *collection) pair(key string, v text) *object {
	return newObject().text("key", f.text(literal(key))).text("value", f.text(v))
}

func (f *collection) item(c *call) value {
	f.setup, f.locals = nil, make(map[string]bool)
	o := newObject().text("name", c.title())
	r := newObject().text("method", c.Method)
	if a := f.auth(c); a != nil {
		r.add("auth", *a)
	}
	behavior := newObject()
	content := f.content(c, behavior)
	r.list("header", f.header(c))
	if content != nil {
		r.add("body", *content)
	}
	r.add("url", f.url(c, behavior))
	f.behavior(c, behavior)
	f.proxy(c, r)
	o.add("protocolProfileBehavior", behavior.value)
	var events []value
	if f.setup != nil {
		events = append(events, script("prerequest", f.setup))
	}
	if c.fail {
		events = append(events, script("test", []value{
			textValue(`pm.test("the status is below 400", () => pm.expect(pm.response.code).to.be.below(400));`)}))
	}
	if events != nil {
		o.list("event", events)
	}
	return o.add("request", r.value).value
}

// script returns the event that runs lines of JavaScript.
func script(listen string, lines []value) value {
	s := newObject().text("type", "text/javascript").list("exec", lines)
	return newObject().text("listen", listen).add("script", s.value).value
}

// postmanSystem are the fields that Postman adds.
var postmanSystem = []string{"accept", "accept-encoding", "cache-control", "connection", "content-type", "host", "postman-token", "user-agent"}

// behavior adds how the request is sent.
func (f *collection) behavior(c *call, b *object) {
	b.bool("followRedirects", c.follow)
	if c.follow {
		if c.maxRedirects < 0 {
			f.p.lossAt(c.place("maxRedirects"), "--max-redirs -1", "has a limit for redirects")
		} else {
			b.int("maxRedirects", c.maxRedirects)
		}
		if c.trusted {
			b.bool("followAuthorizationHeader", true)
		}
	}
	if (len(f.p.calls) > 1 || c.follow) && !c.keepsCookies() {
		b.bool("disableCookies", true)
	}
	if c.insecure {
		b.bool("strictSSL", false)
	}
	removed := newObject()
	for _, name := range postmanSystem {
		if c.removes(name) || name == "content-type" && (c.body.kind == rawBody || c.body.kind == fileBody) && c.field(name) == nil {
			removed.bool(name, true)
		}
	}
	if len(removed.names) > 0 {
		b.add("disabledSystemHeaders", removed.value)
	}
}

// proxy adds the proxy, which newman asks.
func (f *collection) proxy(c *call, r *object) {
	if c.proxyScheme() == "" {
		return
	}
	s, ok := c.proxyServer()
	if !ok || !isInteger(s.port) {
		f.p.refuse("needs the host and the port of a proxy")
		return
	}
	o := newObject().text("match", "http+https://*/*").text("host", strings.Trim(s.host, "[]"))
	o.add("port", value{kind: numberValue, text: s.port}).bool("tunnel", c.secure())
	if s.credentials != nil {
		o.bool("authenticate", true).text("username", f.text(s.credentials.user)).text("password", f.text(s.credentials.password))
	}
	r.add("proxy", o.value)
	f.p.cannot("takes proxies from its settings", "newman takes the one of the file")
}

// header returns the fields, but for one that auth makes.
func (f *collection) header(c *call) []value {
	var list []value
	find := c.finder()
	for i := range c.fields {
		h := &c.fields[i]
		if h.derived {
			continue
		}
		v, note := h.value, ""
		if !v.isASCII() {
			// Node writes the fields and text in one piece, as UTF-8.
			if k := c.body.kind; k != noBody && k != multipartBody && k != fileBody {
				f.p.refuseName(h.at, "encodes such a field twice when it sends text", h.name)
			}
			v, note = slices.Clone(v), "UTF-8, a character for each byte"
			for i := range v {
				v[i].literal = latin1(v[i].literal)
			}
		}
		// Node keeps one of two names that differ in case only.
		list = append(list, f.pair(find(h.name).name, v).optional("description", note).value)
	}
	return list
}

// auth returns the credentials.
func (f *collection) auth(c *call) *value {
	both := func(scheme string, who *credentials) *value {
		list := []value{f.authText("username", who.user), f.authText("password", who.password)}
		return &newObject().text("type", scheme).list(scheme, list).value
	}
	f.p.refuseSignature(c)
	if s, ok := c.signature(); ok {
		list := []value{f.authText("accessKey", s.key), f.authText("secretKey", s.secret), f.authText("region", s.region), f.authText("service", s.service)}
		return &newObject().text("type", "awsv4").list("awsv4", list).value
	}
	if domain, who := c.ntlm(); who != nil {
		f.p.cannotAt(c.Auth.Span, "sends Authorization for NTLM once the server asks for it", "curl sends it at once")
		list := []value{f.authText("username", who.user), f.authText("password", who.password), f.authText("domain", domain)}
		return &newObject().text("type", "ntlm").list("ntlm", list).value
	}
	switch h := c.field("Authorization"); {
	case c.digest != nil:
		return both("digest", c.digest)
	case c.basic != nil && c.basic.user.isText() && c.basic.password.isText():
		return both("basic", c.basic)
	case h != nil && isBearer(h.value) && !c.repeated():
		h.derived = true
		list := []value{f.authText("token", h.value.cut(len("Bearer "), len(h.value.source())))}
		return &newObject().text("type", "bearer").list("bearer", list).value
	}
	return nil
}

// authText returns a parameter of a way to authenticate.
func (f *collection) authText(key string, t text) value {
	return f.pair(key, t).text("type", "string").value
}

// url returns the URL. It is text, unless a segment of its path begins as a
// variable of the path does.
func (f *collection) url(c *call, b *object) value {
	source := c.URL
	base, query, _ := strings.Cut(source, "?")
	if scheme := strings.ToLower(c.scheme()); c.url[0].variable == nil && scheme != "http" && scheme != "https" && scheme != "" {
		f.p.refuseName(nowhere, "sends no requests to URLs of this scheme", scheme)
	}
	if c.empties("Host") {
		f.p.refuse("sends no empty Host")
	}
	url := c.url
	if strings.ContainsAny(c.url.cut(0, len(base)).literals(), "\"<>`{}^|") || strings.ContainsAny(query, "\"'<>") || !url.isText() {
		b.bool("disableUrlEncoding", true)
		url = percentEncoded(url, "")
	}
	s := f.text(url)
	_, path, _ := strings.Cut(base, "://")
	var variables []value
	for i, segment := range strings.Split(path, "/") {
		if name, found := strings.CutPrefix(segment, ":"); found && i > 0 && name != "" {
			name, _, _ = strings.Cut(name, ".")
			variables = append(variables, newObject().text("key", name).text("value", ":"+name).value)
		}
	}
	if variables == nil {
		return textValue(s)
	}
	return f.urlObject(s).list("variable", variables).value
}

// urlObject returns the parts of a URL.
func (f *collection) urlObject(s string) *object {
	o := newObject().text("raw", s)
	scheme, rest, _ := strings.Cut(s, "://")
	rest, query, hasQuery := strings.Cut(rest, "?")
	host, path, _ := strings.Cut(rest, "/")
	host, port := cutHost(host)
	o.text("protocol", scheme).list("host", []value{textValue(host)}).optional("port", port)
	var segments []value
	for segment := range strings.SplitSeq(path, "/") {
		segments = append(segments, textValue(segment))
	}
	o.list("path", segments)
	if hasQuery {
		var pairs []value
		for pair := range strings.SplitSeq(query, "&") {
			name, v, found := strings.Cut(pair, "=")
			one := newObject().text("key", name)
			if found {
				one.text("value", v)
			} else {
				one.add("value", value{text: "null"})
			}
			pairs = append(pairs, one.value)
		}
		o.list("query", pairs)
	}
	return o
}

// bodilessInPostman are methods whose content is left out unless that is
// switched off.
var bodilessInPostman = []string{"GET", "COPY", "HEAD", "PURGE", "UNLOCK"}

// content returns the body, or nil.
func (f *collection) content(c *call, b *object) *value {
	if c.body.kind != noBody && slices.Contains(bodilessInPostman, c.Method) {
		b.bool("disableBodyPruning", true)
	}
	switch c.body.kind {
	case noBody:
		return nil
	case rawBody:
		if pairs, ok := c.postmanForm(); ok {
			var list []value
			for _, one := range pairs {
				list = append(list, f.pair(one.name.source(), decoded(one.value)).value)
			}
			return &newObject().text("mode", "urlencoded").list("urlencoded", list).value
		}
		return f.raw(c, c.body.data)
	case multipartBody:
		if list, ok := f.form(c); ok {
			return &newObject().text("mode", "formdata").list("formdata", list).value
		}
		return f.pieces(c, c.rawForm())
	case fileBody:
		return &newObject().text("mode", "file").add("file", newObject().text("src", f.path(c.body.file)).value).value
	}
	return f.pieces(c, c.body.list)
}

func (f *collection) raw(c *call, data text) *value {
	o := newObject().text("mode", "raw").text("raw", f.text(data))
	if h := c.field("Content-Type"); c.body.json != nil || h != nil && strings.Contains(h.value.source(), "json") {
		o.add("options", newObject().add("raw", newObject().text("language", "json").value).value)
	}
	return &o.value
}

// pieces returns content that is joined; a file cannot be.
func (f *collection) pieces(c *call, list []piece) *value {
	all, ok := joinedText(list)
	if !ok {
		f.p.refuse("joins no text and files")
		return nil
	}
	return f.raw(c, all)
}

// path returns the name of a file.
func (f *collection) path(name text) string {
	if name.source() == "-" {
		f.p.refuse("reads no standard input")
	}
	return f.text(name)
}

// encodePostman is its encoder for forms.
var encodePostman = formEncoder{"_.-~", false}

// postmanForm returns the pairs of a form that Postman encodes as curl does, or
// with %20 for + where it must encode a variable.
func (c *call) postmanForm() ([]pair, bool) {
	if !c.hasType(formType) {
		return nil, false
	}
	names := make([]string, len(c.body.form))
	data, encoded := slices.Clone(c.body.data), false
	for i := range data {
		encoded = encoded || data[i].encoded()
	}
	for i := range data {
		if encoded {
			data[i].literal = strings.ReplaceAll(data[i].literal, "+", "%20")
		}
	}
	pairs := slices.Clone(c.body.form)
	for i := range pairs {
		pairs[i].value = slices.Clone(pairs[i].value)
		name, isLiteral := pairs[i].name.plain()
		if !isLiteral || !utf8.ValidString(name) || !pairs[i].value.isText() {
			return nil, false
		}
		names[i] = name
		for j, one := range pairs[i].value {
			if one.variable != nil && one.variable.Encoding == request.FormEncode {
				v := *one.variable
				v.Encoding = request.Percent
				pairs[i].value[j].variable = &v
			}
		}
	}
	return pairs, plainNames(names) && encodePostman.prints(pairs, data)
}

// form returns the parts of a form that Postman writes as curl does.
func (f *collection) form(c *call) ([]value, bool) {
	var list []value
	for i := range c.body.part {
		part := &c.body.part[i]
		if !part.helped() || strings.ContainsAny(part.Name, "\"\r\n") {
			return nil, false
		}
		o := newObject().text("key", f.text(part.name))
		switch {
		case part.isFile() && part.filename == nil:
			return nil, false
		case part.isFile():
			o.text("type", "file").text("src", f.path(part.file))
		default:
			o.text("type", "text").text("value", f.text(part.value))
		}
		if part.filename != nil && (!part.isFile() || *part.filename != baseName(part.File)) {
			if strings.ContainsAny(*part.filename, "\"\r\n/") {
				return nil, false // it sends what stands behind the last slash
			}
			o.text("fileName", f.text(literal(*part.filename)))
		}
		if part.contentType != nil {
			o.optional("contentType", f.text(literal(*part.contentType)))
		}
		list = append(list, o.value)
	}
	return list, true
}
