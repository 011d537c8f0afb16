package files

import (
	"strconv"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
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
var Insomnia = plan.Target{
	Name: "insomnia", Convention: plan.Format("yaml"), Client: "Insomnia", Version: "5.0", Kind: plan.File, Placeholders: true, Extension: "yaml",
	Why:     "a schema and Bruno's importer read them; Insomnia has not sent them",
	SavedAs: "insomnia.yaml", Style: emit.YamlStyle, Write: writeInsomnia,
	Facts: plan.Client{
		Settings: true,
		Loopback: true,
		Adds:     plan.FieldNames{"Accept"}, Always: plan.FieldNames{"Accept"}, Fixed: plan.FieldNames{"Expect"}, Rules: plan.Rules{plan.SendsCodings(plan.NoCoding), plan.CodesContentOnly},

		Digest: true, Auths: []string{"ntlm", "aws-sigv4"},
		After: []string{"cookies"},
	},
}

// An insomniaFile is a collection that is being written.
type insomniaFile struct {
	p     *plan.Program
	data  *object // the environment
	known map[string]bool
	seed  uint64 // of the identities, the same for the same requests
	items int
}

func writeInsomnia(p *plan.Program) {
	p.Indent = emit.YamlStyle.Indent
	f := &insomniaFile{p: p, data: newObject(), known: make(map[string]bool)}
	f.seed = fnvOffset
	for _, c := range p.Calls {
		f.seed = fnv1a(f.seed, c.Method+" "+c.URL+"\n")
	}
	items := eachCall(p, f.item)
	if p.Options.Bare {
		list := listValue(items)
		p.YamlValue("collection", &list)
		return
	}
	o := newObject().text("type", "collection.insomnia.rest/5.0").text("schema_version", "5.1").
		text("name", fileName(p)).add("meta", f.meta("wrk")).list("collection", items)
	environment := newObject().text("name", "Base Environment").add("meta", f.meta("env")).add("data", f.data.Value)
	o.add("environments", environment.Value)
	for i := range o.Names {
		p.YamlValue(o.Names[i], &o.Items[i])
	}
}

// meta returns the identity of an entry.
func (f *insomniaFile) meta(kind string) emit.Value {
	f.items++
	id := kind + "_" + strconv.FormatUint(fnv1a(f.seed, kind+emit.Itoa(f.items)), 16)
	return newObject().text("id", id).Value
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
func (f *insomniaFile) text(t plan.Text) string {
	if !t.IsText() {
		f.p.Refuse("has no place for bytes that are not UTF-8")
	}
	var b strings.Builder
	for i := range t {
		if v := t[i].Variable; v != nil {
			if v.Encoding == request.EncodingJSON || t[i].Encoded() {
				unencoded(f.p, v)
			}
			if !f.known[v.Name] {
				f.known[v.Name] = true
				f.data.text(v.Name, holds(v))
			}
			b.WriteString(nunjucksVariable(v.Name))
			continue
		}
		s := t[i].Literal
		if strings.Contains(s, "{%") {
			f.p.Refuse("renders {% twice")
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
	if emit.IsIdentifier(name) {
		return "{{ _." + name + " }}"
	}
	return "{{ _['" + emit.Backslashed(name, `\'`) + "'] }}"
}

func (f *insomniaFile) item(c *plan.Call) emit.Value {
	url, query := queryFields(f.p, c, isInsomniaPair)
	o := newObject().text("url", f.text(url)).text("name", c.Title()).add("meta", f.meta("req")).text("method", c.Method)
	renders := true
	body := f.body(c, &renders)
	if len(body.Names) > 0 {
		o.add("body", body.Value)
	}
	var parameters []emit.Value
	for _, one := range query {
		parameters = append(parameters, newObject().text("name", f.text(one.Name)).text("value", f.text(plan.Decoded(one.Value))).Value)
	}
	if len(parameters) > 0 {
		o.list("parameters", parameters)
	}
	authentication := f.authentication(c)
	var headers []emit.Value
	for i := range c.Headers() {
		if h := &c.Headers()[i]; !h.Derived() {
			headers = append(headers, newObject().text("name", f.text(plan.Literal(h.Name))).text("value", f.text(h.Value)).Value)
		}
	}
	if len(headers) > 0 {
		o.list("headers", headers)
	}
	if authentication != nil {
		o.add("authentication", authentication.Value)
	}
	follow := "off"
	if c.Follow() {
		follow = "on"
	}
	settings := newObject().bool("renderRequestBody", renders).bool("encodeUrl", false).
		text("followRedirects", follow).
		add("cookies", newObject().bool("send", false).bool("store", false).Value).
		bool("rebuildPath", !plan.DotSegments(c.URL))
	return o.add("settings", settings.Value).Value
}

// isInsomniaPair reports a pair of a query that Insomnia encodes: it leaves what looks encoded
// as it is, and writes no = before an empty value (utils/url/querystring.ts).
func isInsomniaPair(one *plan.Pair) bool {
	return len(one.Value.Source()) > 0 && !one.Name.Has('%') && !one.Value.Has('%')
}

// authentication returns the credentials, or nil.
func (f *insomniaFile) authentication(c *plan.Call) *object {
	both := func(scheme string, who *plan.Credentials) *object {
		return newObject().text("type", scheme).text("username", f.text(who.User)).text("password", f.text(who.Password))
	}
	f.p.RefuseSignature(c)
	if s, ok := c.Signature(); ok {
		return newObject().text("type", "iam").text("accessKeyId", f.text(s.Key)).text("secretAccessKey", f.text(s.Secret)).
			text("region", f.text(s.Region)).text("service", f.text(s.Service))
	}
	if c.Auth != nil && c.Auth.Scheme == "ntlm" {
		return both("ntlm", c.Negotiated) // its client finds the domain before a backslash
	}
	switch h := c.Field("Authorization"); {
	case c.Digest != nil:
		return both("digest", c.Digest)
	case c.Basic != nil && c.Basic.User.IsText() && c.Basic.Password.IsText():
		return both("basic", c.Basic)
	case h != nil && plan.IsBearer(h.Value) && !c.Repeated():
		c.Imply(h)
		return newObject().text("type", "bearer").text("token", f.text(h.Value.Cut(len("Bearer "), len(h.Value.Source()))))
	}
	return nil
}

// body returns the content. renders becomes false where Insomnia need not render
// it, so that it goes out as it stands.
func (f *insomniaFile) body(c *plan.Call, renders *bool) *object {
	o := newObject()
	switch c.Content.Kind {
	case plan.NoBody:
		return o
	case plan.RawBody:
		if pairs, ok := formFields(f.p, c, &plan.EncodeWHATWG, func(*plan.Pair) bool { return true }); ok {
			var params []emit.Value
			for _, one := range pairs {
				params = append(params, newObject().text("name", f.text(one.Name)).text("value", f.text(plan.Decoded(one.Value))).Value)
			}
			return o.text("mimeType", plan.FormType).list("params", params)
		}
		return f.raw(c, o, c.Content.Data, renders)
	case plan.MultipartBody:
		if params, ok := f.form(c); ok {
			return o.text("mimeType", "multipart/form-data").list("params", params)
		}
		return f.pieces(c, o, c.RawForm(), renders)
	}
	if file, ok := wholeFile(f.p, c); ok {
		if name, known := file.Plain(); known && name == "-" {
			f.p.Refuse("reads no standard input")
		}
		return o.text("mimeType", "application/octet-stream").text("fileName", f.text(file))
	}
	return f.pieces(c, o, c.Content.List, renders)
}

func (f *insomniaFile) raw(c *plan.Call, o *object, data plan.Text, renders *bool) *object {
	contentType := "text/plain"
	if h := c.Field("Content-Type"); h != nil {
		kind, _, _ := strings.Cut(h.Value.Source(), ";")
		if kind = strings.TrimSpace(kind); plan.IsMediaType(kind) && kind != plan.FormType && kind != "multipart/form-data" {
			contentType = kind
		}
	}
	if _, ok := graphQLOf(f.p, c); ok { // the type of its editor, which shows the same text
		contentType = "application/graphql"
	}
	o.text("mimeType", contentType)
	if s, ok := data.Plain(); ok && nunjucksLiteral(s) != s || ok && strings.Contains(s, "{%") {
		*renders = false
		return o.text("text", plainText(f.p, data))
	}
	return o.text("text", f.text(data))
}

// pieces returns content that is joined; a file cannot be.
func (f *insomniaFile) pieces(c *plan.Call, o *object, list []plan.Piece, renders *bool) *object {
	all, ok := plan.JoinedText(list)
	if !ok {
		f.p.Refuse("joins no text and files")
		return o
	}
	return f.raw(c, o, all, renders)
}

// form returns the parts of a form that Insomnia writes as curl does.
func (f *insomniaFile) form(c *plan.Call) ([]emit.Value, bool) {
	var params []emit.Value
	for i := range c.Content.Part {
		part := &c.Content.Part[i]
		if !part.Simple() || strings.ContainsAny(part.Name, "\"\r\n") {
			return nil, false
		}
		o := newObject().text("name", f.text(part.NameText))
		switch {
		case part.IsFile() && (part.FilenameText == nil || *part.FilenameText != emit.BaseName(part.File) || strings.ContainsAny(*part.FilenameText, "\"\r\n")):
			return nil, false
		case part.IsFile():
			guess := curl.TypeOfPart(part.File, part.Filename)
			if part.TypeText == nil || guess == nil || *guess != *part.TypeText {
				f.p.Refuse("gives a file the type of its name")
			} else if *guess == "application/octet-stream" {
				f.p.Cannot("gives a file the type of its name", "curl gives it application/octet-stream")
			}
			o.text("type", "file").text("fileName", f.text(part.FileText))
		case part.FilenameText != nil:
			return nil, false
		default:
			o.text("value", f.text(part.ValueText))
			if part.TypeText != nil {
				o.text("multiline", f.text(plan.Literal(*part.TypeText)))
			}
		}
		params = append(params, o.Value)
	}
	return params, true
}
