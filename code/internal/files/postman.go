package files

import (
	"slices"
	"strings"
	"unicode/utf8"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/javascript"
	"uncoil/code/internal/plan"
	"uncoil/internal/engine/urlparts"
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
var Postman = plan.Target{
	Name: "postman", Convention: plan.Format("json"), Client: "Postman", Version: "2.1", Kind: plan.File, Placeholders: true, Extension: "json",
	Aliases: []string{"newman", "postman-collection"},
	SavedAs: "request.postman_collection.json", Style: emit.Style{Indent: "  "}, Write: writePostman, Takes: plan.OnlyResponses, Heads: true, Proven: true,
	Facts: plan.Client{
		Settings:  true,
		ModernTLS: true,
		Loopback:  true,
		Stuck:     plan.SendsFile,
		Adds:      plan.FieldNames{"User-Agent", "Accept", "Cache-Control", "Postman-Token", "Accept-Encoding", "Connection"},
		Rules:     plan.Rules{plan.SendsMethods(plan.Capitals), plan.PrintableFields},
		Slashes:   true,
		Hostless:  true,
		Digest:    true,
		Auths:     []string{"ntlm", "aws-sigv4"},
		Eager:     true,
		Session:   true,
		After:     []string{"referer"},
		Proxies:   []string{"http"},
		Shares:    plan.FieldNames{"Cookie"},
	},
}

// A collection is one that is being written.
type collection struct {
	p         *plan.Program
	variables *object // name and value
	declared  map[string]string
	setup     []emit.Value    // lines of the script that runs before the request
	locals    map[string]bool // the variables that the script sets
}

func writePostman(p *plan.Program) {
	f := &collection{p: p, variables: newObject(), declared: make(map[string]string)}
	items := eachCall(p, f.item)
	if p.Options.Bare {
		json(p, oneOrList(items))
		return
	}
	info := newObject().text("name", fileName(p)).
		text("schema", "https://schema.getpostman.com/json/collection/v2.1.0/collection.json")
	o := newObject().add("info", info.Value).list("item", items)
	if len(f.variables.Names) > 0 {
		var list []emit.Value
		for i, name := range f.variables.Names {
			list = append(list, newObject().text("key", name).add("value", f.variables.Items[i]).Value)
		}
		o.list("variable", list)
	}
	json(p, o.Value)
}

// text returns a string with variables.
func (f *collection) text(t plan.Text) string {
	if !t.IsText() {
		f.p.Refuse("has no place for bytes that are not UTF-8")
	}
	var b strings.Builder
	for i := range t {
		v := t[i].Variable
		if v == nil {
			f.literal(t[i].Literal, i+1 < len(t))
			b.WriteString(t[i].Literal)
			continue
		}
		f.declare(v.Name, holds(v))
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
	case request.EncodingPercent:
		suffix = ".percent"
	case request.EncodingForm:
		suffix = ".form"
	case request.EncodingJSON:
		suffix = ".json"
	default:
		return v.Name
	}
	f.set(v.Name+suffix, javascript.JsEncoded("pm.variables.get("+jsonString(v.Name)+")", v.Encoding))
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
			f.p.Refuse("reads {{ before a variable as the begin of another one")
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
		f.p.RefuseName(plan.Nowhere, "has one value for a variable", name)
	}
	f.declared[name] = holds
	return !ok
}

// pair returns an entry of a list.
func (f *collection) pair(key string, v plan.Text) *object {
	return newObject().text("key", f.text(plan.Literal(key))).text("value", f.text(v))
}

func (f *collection) item(c *plan.Call) emit.Value {
	f.setup, f.locals = nil, make(map[string]bool)
	o := newObject().text("name", c.Title())
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
	o.add("protocolProfileBehavior", behavior.Value)
	var events []emit.Value
	if f.setup != nil {
		events = append(events, script("prerequest", f.setup))
	}
	if c.Fail() {
		events = append(events, script("test", append([]emit.Value{
			textValue(`pm.test("the status is below 400", () => pm.expect(pm.response.code).to.be.below(400));`)}, captures(c)...)))
	}
	if events != nil {
		o.list("event", events)
	}
	return o.add("request", r.Value).Value
}

// script returns the event that runs lines of JavaScript.
func script(listen string, lines []emit.Value) emit.Value {
	s := newObject().text("type", "text/javascript").list("exec", lines)
	return newObject().text("listen", listen).add("script", s.Value).Value
}

// postmanSystem are the fields that Postman adds.
var postmanSystem = []string{"accept", "accept-encoding", "cache-control", "connection", "content-type", "host", "postman-token", "user-agent"}

// behavior adds how the request is sent.
func (f *collection) behavior(c *plan.Call, b *object) {
	b.bool("followRedirects", c.Follow())
	if c.Follow() {
		if c.MaxRedirects() < 0 {
			f.p.LossAt(c.Place("maxRedirects"), "--max-redirs -1", "has a limit for redirects")
		} else {
			b.int("maxRedirects", c.MaxRedirects())
		}
		if c.Trusted() {
			b.bool("followAuthorizationHeader", true)
		}
	}
	if (len(f.p.Calls) > 1 || c.Follow()) && !c.KeepsCookies() {
		b.bool("disableCookies", true)
	}
	if c.Insecure() {
		b.bool("strictSSL", false)
	}
	if versions := c.RefusesTLS(); len(versions) > 0 {
		var names []emit.Value
		for _, version := range versions {
			names = append(names, textValue("TLSv"+strings.TrimSuffix(version, "_0")))
		}
		b.list("tlsDisabledProtocols", names) // requester/core.js of postman-runtime 7.39
	}
	removed := newObject()
	for _, name := range postmanSystem {
		if c.Removes(name) || name == "content-type" && (c.Content.Kind == plan.RawBody || c.Content.Kind == plan.FileBody) && c.Field(name) == nil {
			removed.bool(name, true)
		}
	}
	if len(removed.Names) > 0 {
		b.add("disabledSystemHeaders", removed.Value)
	}
}

// proxy adds the proxy, which newman asks.
func (f *collection) proxy(c *plan.Call, r *object) {
	if c.ProxyScheme() == "" {
		return
	}
	s, ok := c.ProxyServer()
	if !ok || !emit.IsInteger(s.Port) {
		f.p.Refuse("needs the host and the port of a proxy")
		return
	}
	o := newObject().text("match", "http+https://*/*").text("host", strings.Trim(s.Host, "[]"))
	o.add("port", emit.Value{Kind: emit.NumberValue, Text: s.Port}).bool("tunnel", c.Secure())
	if s.Credentials != nil {
		o.bool("authenticate", true).text("username", f.text(s.Credentials.User)).text("password", f.text(s.Credentials.Password))
	}
	r.add("proxy", o.Value)
	f.p.Cannot("takes proxies from its settings", "newman takes the one of the file")
}

// header returns the fields, but for one that auth makes.
func (f *collection) header(c *plan.Call) []emit.Value {
	var list []emit.Value
	find := c.Finder()
	for i := range c.Headers() {
		h := &c.Headers()[i]
		if h.Derived() {
			continue
		}
		v, note := h.Value, ""
		if !v.IsASCII() {
			// Node writes the fields and text in one piece, as UTF-8.
			if k := c.Content.Kind; k != plan.NoBody && k != plan.MultipartBody && k != plan.FileBody {
				f.p.RefuseName(h.At, "encodes such a field twice when it sends text", h.Name)
			}
			v, note = slices.Clone(v), "UTF-8, a character for each byte"
			for i := range v {
				v[i].Literal = emit.Latin1(v[i].Literal)
			}
		}
		// Node keeps one of two names that differ in case only.
		list = append(list, f.pair(find(h.Name).Name, v).optional("description", note).Value)
	}
	return list
}

// auth returns the credentials.
func (f *collection) auth(c *plan.Call) *emit.Value {
	both := func(scheme string, who *plan.Credentials) *emit.Value {
		list := []emit.Value{f.authText("username", who.User), f.authText("password", who.Password)}
		return &newObject().text("type", scheme).list(scheme, list).Value
	}
	f.p.RefuseSignature(c)
	if s, ok := c.Signature(); ok {
		list := []emit.Value{f.authText("accessKey", s.Key), f.authText("secretKey", s.Secret), f.authText("region", s.Region), f.authText("service", s.Service)}
		return &newObject().text("type", "awsv4").list("awsv4", list).Value
	}
	if domain, who := c.Ntlm(); who != nil {
		f.p.CannotAt(c.Auth.Span, "sends Authorization for NTLM once the server asks for it", "curl sends it at once")
		list := []emit.Value{f.authText("username", who.User), f.authText("password", who.Password), f.authText("domain", domain)}
		return &newObject().text("type", "ntlm").list("ntlm", list).Value
	}
	switch h := c.Field("Authorization"); {
	case c.Digest != nil:
		return both("digest", c.Digest)
	case c.Basic != nil && c.Basic.User.IsText() && c.Basic.Password.IsText():
		return both("basic", c.Basic)
	case h != nil && plan.IsBearer(h.Value) && !c.Repeated():
		c.Imply(h)
		list := []emit.Value{f.authText("token", h.Value.Cut(len("Bearer "), len(h.Value.Source())))}
		return &newObject().text("type", "bearer").list("bearer", list).Value
	}
	return nil
}

// authText returns a parameter of a way to authenticate.
func (f *collection) authText(key string, t plan.Text) emit.Value {
	return f.pair(key, t).text("type", "string").Value
}

// url returns the URL. It is text, unless a segment of its path begins as a
// variable of the path does.
func (f *collection) url(c *plan.Call, b *object) emit.Value {
	source := c.URL
	base, query, _ := strings.Cut(source, "?")
	if scheme := strings.ToLower(c.Scheme()); c.URLText[0].Variable == nil && scheme != "http" && scheme != "https" && scheme != "" {
		f.p.RefuseName(plan.Nowhere, "sends no requests to URLs of this scheme", scheme)
	}
	if c.Empties("Host") {
		f.p.Refuse("sends no empty Host")
	}
	url := c.URLText
	if strings.ContainsAny(c.URLText.Cut(0, len(base)).Literals(), "\"<>`{}^|") || strings.ContainsAny(query, "\"'<>") || !url.IsText() {
		b.bool("disableUrlEncoding", true)
		url = plan.PercentEncoded(url, "")
	}
	s := f.text(url)
	path, _, _ := strings.Cut(s[urlparts.Of(s).Authority:], "?")
	var variables []emit.Value
	for i, segment := range strings.Split(path, "/") {
		if name, found := strings.CutPrefix(segment, ":"); found && i > 0 && name != "" {
			name, _, _ = strings.Cut(name, ".")
			variables = append(variables, newObject().text("key", name).text("value", ":"+name).Value)
		}
	}
	if variables == nil {
		return textValue(s)
	}
	return f.urlObject(s).list("variable", variables).Value
}

// urlObject returns the parts of a URL.
func (f *collection) urlObject(s string) *object {
	o := newObject().text("raw", s)
	scheme, rest := urlparts.Scheme(s), s[urlparts.Of(s).Authority:]
	rest, query, hasQuery := strings.Cut(rest, "?")
	host, path, _ := strings.Cut(rest, "/")
	host, port := urlparts.CutHost(host)
	o.text("protocol", scheme).list("host", []emit.Value{textValue(host)}).optional("port", port)
	var segments []emit.Value
	for segment := range strings.SplitSeq(path, "/") {
		segments = append(segments, textValue(segment))
	}
	o.list("path", segments)
	if hasQuery {
		var pairs []emit.Value
		for pair := range strings.SplitSeq(query, "&") {
			name, v, found := strings.Cut(pair, "=")
			one := newObject().text("key", name)
			if found {
				one.text("value", v)
			} else {
				one.add("value", emit.Value{Text: "null"})
			}
			pairs = append(pairs, one.Value)
		}
		o.list("query", pairs)
	}
	return o
}

// bodilessInPostman are methods whose content is left out unless that is
// switched off.
var bodilessInPostman = []string{"GET", "COPY", "HEAD", "PURGE", "UNLOCK"}

// content returns the body, or nil.
func (f *collection) content(c *plan.Call, b *object) *emit.Value {
	if c.Content.Kind != plan.NoBody && slices.Contains(bodilessInPostman, c.Method) {
		b.bool("disableBodyPruning", true)
	}
	switch c.Content.Kind {
	case plan.NoBody:
		return nil
	case plan.RawBody:
		pairs, ok := postmanForm(c)
		if !ok {
			pairs, ok = formFields(f.p, c, &encodePostman, func(one *plan.Pair) bool { return plan.PlainNames([]string{one.Name.Source()}) })
			if ok && interleaves(plan.PairNames(pairs)) {
				f.p.Accept(c, together)
			}
		}
		if ok {
			var list []emit.Value
			for _, one := range pairs {
				list = append(list, f.pair(one.Name.Source(), plan.Decoded(one.Value)).Value)
			}
			return &newObject().text("mode", "urlencoded").list("urlencoded", list).Value
		}
		if g, ok := graphQLOf(f.p, c); ok {
			g.accept(f.p, c)
			return f.graphQL(&g)
		}
		return f.raw(c, c.Content.Data)
	case plan.MultipartBody:
		if list, ok := f.form(c); ok {
			return &newObject().text("mode", "formdata").list("formdata", list).Value
		}
		return f.pieces(c, c.RawForm())
	}
	if file, ok := wholeFile(f.p, c); ok {
		return &newObject().text("mode", "file").add("file", newObject().text("src", f.path(file)).Value).Value
	}
	return f.pieces(c, c.Content.List)
}

// graphQL returns a body that Postman puts together; it inserts the text of the variables as
// it is: core-body-builder.js of postman-runtime 7.39.
func (f *collection) graphQL(g *graphQL) *emit.Value {
	o := newObject().text("query", f.text(plan.Literal(g.query)))
	if g.operation != nil {
		o.text("operationName", f.text(plan.Literal(*g.operation)))
	}
	if g.variables != nil {
		o.text("variables", f.text(plan.Literal(g.text())))
	}
	return &newObject().text("mode", "graphql").add("graphql", o.Value).Value
}

func (f *collection) raw(c *plan.Call, data plan.Text) *emit.Value {
	o := newObject().text("mode", "raw").text("raw", f.text(data))
	if h := c.Field("Content-Type"); c.Content.JSON != nil || h != nil && strings.Contains(h.Value.Source(), "json") {
		o.add("options", newObject().add("raw", newObject().text("language", "json").Value).Value)
	}
	return &o.Value
}

// pieces returns content that is joined; a file cannot be.
func (f *collection) pieces(c *plan.Call, list []plan.Piece) *emit.Value {
	all, ok := plan.JoinedText(list)
	if !ok {
		f.p.Refuse("joins no text and files")
		return nil
	}
	return f.raw(c, all)
}

// path returns the name of a file.
func (f *collection) path(name plan.Text) string {
	if name.Source() == "-" {
		f.p.Refuse("reads no standard input")
	}
	return f.text(name)
}

// encodePostman is its encoder for forms.
var encodePostman = plan.FormEncoder{Safe: "_.-~", Plus: false}

// postmanForm returns the pairs of a form that Postman encodes as curl does, or
// with %20 for + where it must encode a variable.
func postmanForm(c *plan.Call) ([]plan.Pair, bool) {
	if !c.HasType(plan.FormType) {
		return nil, false
	}
	names := make([]string, len(c.Content.Form))
	data, encoded := slices.Clone(c.Content.Data), false
	for i := range data {
		encoded = encoded || data[i].Encoded()
	}
	for i := range data {
		if encoded {
			data[i].Literal = strings.ReplaceAll(data[i].Literal, "+", "%20")
		}
	}
	pairs := slices.Clone(c.Content.Form)
	for i := range pairs {
		pairs[i].Value = slices.Clone(pairs[i].Value)
		name, isLiteral := pairs[i].Name.Plain()
		if !isLiteral || !utf8.ValidString(name) || !pairs[i].Value.IsText() {
			return nil, false
		}
		names[i] = name
		for j, one := range pairs[i].Value {
			if one.Variable != nil && one.Variable.Encoding == request.EncodingForm {
				v := *one.Variable
				v.Encoding = request.EncodingPercent
				pairs[i].Value[j].Variable = &v
			}
		}
	}
	return pairs, plan.PlainNames(names) && encodePostman.Prints(pairs, data)
}

// form returns the parts of a form that Postman writes as curl does.
func (f *collection) form(c *plan.Call) ([]emit.Value, bool) {
	var list []emit.Value
	for i := range c.Content.Part {
		part := &c.Content.Part[i]
		if !part.Helped() || strings.ContainsAny(part.Name, "\"\r\n") {
			return nil, false
		}
		o := newObject().text("key", f.text(part.NameText))
		switch {
		case part.IsFile() && part.FilenameText == nil:
			return nil, false
		case part.IsFile():
			o.text("type", "file").text("src", f.path(part.FileText))
		default:
			o.text("type", "text").text("value", f.text(part.ValueText))
		}
		if part.FilenameText != nil && (!part.IsFile() || *part.FilenameText != emit.BaseName(part.File)) {
			if strings.ContainsAny(*part.FilenameText, "\"\r\n/") {
				return nil, false // it sends what stands behind the last slash
			}
			o.text("fileName", f.text(plan.Literal(*part.FilenameText)))
		}
		if part.TypeText != nil {
			o.optional("contentType", f.text(plan.Literal(*part.TypeText)))
		}
		list = append(list, o.Value)
	}
	return list, true
}
