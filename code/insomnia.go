package code

import (
	"strconv"
	"strings"

	"uncoil/internal/engine/curl"
	"uncoil/request"
)

// A collection of Insomnia, format 5.0 with schema version 5.1, as its reader
// takes it (Kong/insomnia, packages/insomnia/src/common/import-v5-parser.ts).
// Insomnia sends with libcurl. It adds Accept; leaves out Transfer-Encoding and
// Expect; writes a method, a field and a body as they are; gives a file of a
// form the type that its name has; changes a URL unless told not to, which is why it is told. It has
// Nunjucks render {{ }}, {% %} and {# #} in all strings, and renders what has
// {% after that once more.
var insomnia = Target{
	Name: "insomnia", Language: "yaml", Client: "Insomnia", Version: "5.0", Kind: File, Extension: "yaml",
	filename: "insomnia.yaml", style: yamlStyle, write: writeInsomnia,
	client: client{
		loopback: true,
		adds:     fieldNames{"Accept"}, always: fieldNames{"Accept"}, fixed: fieldNames{"Expect"}, codings: noCoding, framed: true,
		digest: true, auths: []string{"ntlm", "aws-sigv4"},
		after: []string{"cookies"},
		says:  []string{"followRedirects"},
	},
}

// An insomniaFile is a collection that is being written.
type insomniaFile struct {
	p     *program
	data  *object // the environment
	known map[string]bool
	seed  uint64 // of the identities, the same for the same requests
	items int
}

func writeInsomnia(p *program) {
	p.indent = yamlStyle.indent
	f := &insomniaFile{p: p, data: newObject(), known: make(map[string]bool)}
	f.seed = fnvOffset
	for _, c := range p.calls {
		f.seed = fnv1a(f.seed, c.Method+" "+c.URL+"\n")
	}
	items := p.eachCall(f.item)
	if p.options.Bare {
		list := listValue(items)
		p.yamlValue("collection", &list)
		return
	}
	o := newObject().text("type", "collection.insomnia.rest/5.0").text("schema_version", "5.1").
		text("name", p.fileName()).add("meta", f.meta("wrk")).list("collection", items)
	environment := newObject().text("name", "Base Environment").add("meta", f.meta("env")).add("data", f.data.value)
	o.add("environments", environment.value)
	for i := range o.names {
		p.yamlValue(o.names[i], &o.items[i])
	}
}

// meta returns the identity of an entry.
func (f *insomniaFile) meta(kind string) value {
	f.items++
	id := kind + "_" + strconv.FormatUint(fnv1a(f.seed, kind+itoa(f.items)), 16)
	return newObject().text("id", id).value
}

// fnv1a adds a string to a hash: FNV-1a of 64 bits, RFC 9923.
func fnv1a(h uint64, s string) uint64 {
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 0x100000001b3
	}
	return h
}

// fnvOffset is the hash of nothing.
const fnvOffset = 0xcbf29ce484222325

// text returns a string that Nunjucks renders as the text.
func (f *insomniaFile) text(t text) string {
	if !t.isText() {
		f.p.refuse("has no place for bytes that are not UTF-8")
	}
	var b strings.Builder
	for i := range t {
		if v := t[i].variable; v != nil {
			if v.Encoding == request.JSONEscape || t[i].encoded() {
				f.p.unencoded(v)
			}
			if !f.known[v.Name] {
				f.known[v.Name] = true
				f.data.text(v.Name, v.Default)
			}
			b.WriteString(nunjucksVariable(v.Name))
			continue
		}
		s := t[i].literal
		if strings.Contains(s, "{%") {
			f.p.refuse("renders {% twice")
		}
		if i+1 < len(t) && strings.HasSuffix(s, "{") {
			b.WriteString(nunjucksLiteral(s[:len(s)-1]) + "{{ '{' }}")
		} else {
			b.WriteString(nunjucksLiteral(s))
		}
	}
	return b.String()
}

// nunjucksLiteral returns a template that renders as the string.
func nunjucksLiteral(s string) string {
	return nunjucksEscapes.Replace(s)
}

var nunjucksEscapes = strings.NewReplacer("{{", "{{ '{{' }}", "{#", "{{ '{#' }}")

// nunjucksVariable returns the template of a variable of the environment.
func nunjucksVariable(name string) string {
	if isIdentifier(name) {
		return "{{ _." + name + " }}"
	}
	return "{{ _['" + backslashed(name, `\'`) + "'] }}"
}

func (f *insomniaFile) item(c *call) value {
	o := newObject().text("url", f.text(c.url)).text("name", c.title()).add("meta", f.meta("req")).text("method", c.Method)
	renders := true
	body := f.body(c, &renders)
	if len(body.names) > 0 {
		o.add("body", body.value)
	}
	authentication := f.authentication(c)
	var headers []value
	for i := range c.fields {
		if h := &c.fields[i]; !h.derived {
			headers = append(headers, newObject().text("name", f.text(literal(h.name))).text("value", f.text(h.value)).value)
		}
	}
	if len(headers) > 0 {
		o.list("headers", headers)
	}
	if authentication != nil {
		o.add("authentication", authentication.value)
	}
	follow := "off"
	if c.follow {
		follow = "on"
	}
	settings := newObject().bool("renderRequestBody", renders).bool("encodeUrl", false).
		text("followRedirects", follow).
		add("cookies", newObject().bool("send", false).bool("store", false).value).
		bool("rebuildPath", !dotSegments(c.URL))
	return o.add("settings", settings.value).value
}

// authentication returns the credentials, or nil.
func (f *insomniaFile) authentication(c *call) *object {
	both := func(scheme string, who *credentials) *object {
		return newObject().text("type", scheme).text("username", f.text(who.user)).text("password", f.text(who.password))
	}
	f.p.refuseSignature(c)
	if s, ok := c.signature(); ok {
		return newObject().text("type", "iam").text("accessKeyId", f.text(s.key)).text("secretAccessKey", f.text(s.secret)).
			text("region", f.text(s.region)).text("service", f.text(s.service))
	}
	if c.Auth != nil && c.Auth.Scheme == "ntlm" {
		return both("ntlm", c.negotiated) // its client finds the domain before a backslash
	}
	switch h := c.field("Authorization"); {
	case c.digest != nil:
		return both("digest", c.digest)
	case c.basic != nil && c.basic.user.isText() && c.basic.password.isText():
		return both("basic", c.basic)
	case h != nil && isBearer(h.value) && !c.repeated():
		h.derived = true
		return newObject().text("type", "bearer").text("token", f.text(h.value.cut(len("Bearer "), len(h.value.source()))))
	}
	return nil
}

// body returns the content. renders becomes false where Insomnia need not render
// it, so that it goes out as it stands.
func (f *insomniaFile) body(c *call, renders *bool) *object {
	o := newObject()
	switch c.body.kind {
	case noBody:
		return o
	case rawBody:
		if c.isForm(&encodeWHATWG) {
			var params []value
			for _, one := range c.body.form {
				params = append(params, newObject().text("name", f.text(one.name)).text("value", f.text(decoded(one.value))).value)
			}
			return o.text("mimeType", formType).list("params", params)
		}
		return f.raw(c, o, c.body.data, renders)
	case multipartBody:
		if params, ok := f.form(c); ok {
			return o.text("mimeType", "multipart/form-data").list("params", params)
		}
		return f.pieces(c, o, c.rawForm(), renders)
	case fileBody:
		if name, ok := c.body.file.plain(); ok && name == "-" {
			f.p.refuse("reads no standard input")
		}
		return o.text("mimeType", "application/octet-stream").text("fileName", f.text(c.body.file))
	}
	return f.pieces(c, o, c.body.list, renders)
}

func (f *insomniaFile) raw(c *call, o *object, data text, renders *bool) *object {
	contentType := "text/plain"
	if h := c.field("Content-Type"); h != nil {
		kind, _, _ := strings.Cut(h.value.source(), ";")
		if kind = strings.TrimSpace(kind); isMediaType(kind) && kind != formType && kind != "multipart/form-data" {
			contentType = kind
		}
	}
	o.text("mimeType", contentType)
	if s, ok := data.plain(); ok && nunjucksLiteral(s) != s || ok && strings.Contains(s, "{%") {
		*renders = false
		return o.text("text", f.p.plainText(data))
	}
	return o.text("text", f.text(data))
}

// pieces returns content that is joined; a file cannot be.
func (f *insomniaFile) pieces(c *call, o *object, list []piece, renders *bool) *object {
	all, ok := joinedText(list)
	if !ok {
		f.p.refuse("joins no text and files")
		return o
	}
	return f.raw(c, o, all, renders)
}

// form returns the parts of a form that Insomnia writes as curl does.
func (f *insomniaFile) form(c *call) ([]value, bool) {
	var params []value
	for i := range c.body.part {
		part := &c.body.part[i]
		if !part.simple() || strings.ContainsAny(part.Name, "\"\r\n") {
			return nil, false
		}
		o := newObject().text("name", f.text(part.name))
		switch {
		case part.isFile() && (part.filename == nil || *part.filename != baseName(part.File) || strings.ContainsAny(*part.filename, "\"\r\n")):
			return nil, false
		case part.isFile():
			guess := curl.TypeOfPart(part.File, part.Filename)
			if part.contentType == nil || guess == nil || *guess != *part.contentType {
				f.p.refuse("gives a file the type of its name")
			} else if *guess == "application/octet-stream" {
				f.p.cannot("gives a file the type of its name", "curl gives it application/octet-stream")
			}
			o.text("type", "file").text("fileName", f.text(part.file))
		case part.filename != nil:
			return nil, false
		default:
			o.text("value", f.text(part.value))
			if part.contentType != nil {
				o.text("multiline", f.text(literal(*part.contentType)))
			}
		}
		params = append(params, o.value)
	}
	return params, true
}
