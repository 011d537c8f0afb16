package code

import (
	"slices"
	"strings"
)

// A workflow for n8n with an HTTP Request node (version 4.2, of
// n8n-nodes-base 2.41) for each request. The node sends with axios: it adds
// Accept, User-Agent, Accept-Encoding and Connection; takes seven methods; sends
// a name of a field once; gives content a type; trims JSON, and quotes what is
// none; reads a file only from the node before it. Redirects, statuses and time
// limits are options. A parameter that begins with = is an expression, in which
// {{ }} holds JavaScript; any other is text. Credentials are not in a workflow,
// so Authorization is a field, and Digest asks for a credential.
var n8n = Target{
	Name: "n8n", Language: "json", Client: "n8n", Version: "1.0", Kind: File, Extension: "json",
	filename: "workflow.json", style: style{indent: "  "}, write: writeN8N,
	client: client{
		modernTLS: true,
		adds:      fieldNames{"Accept", "User-Agent", "Accept-Encoding", "Connection"},
		always:    fieldNames{"Accept", "User-Agent", "Accept-Encoding", "Connection"},
		methods:   func(method string) bool { return slices.Contains(n8nMethods, method) },
		bodiless:  []string{"HEAD", "OPTIONS"},
		typed:     true, dots: true, visible: true, percents: wellFormed,
		slashes: true,
		numbers: true,
		digest:  true, eager: true,
		says:    []string{"followRedirects", "maxRedirects", "maxTime", "insecure", "fail"},
		proxies: []string{"http", "https"},
	},
}

var n8nMethods = []string{"DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"}

func writeN8N(p *program) {
	names, last := make(map[string]int), "When clicking 'Execute workflow'"
	connections := newObject()
	nodes := p.eachCall(func(c *call) value {
		name := numbered(names, c.title())
		next := newObject().text("node", name).text("type", "main").int("index", 0)
		connections.add(last, newObject().list("main", []value{listValue([]value{next.value})}).value)
		last = name
		return newObject().add("parameters", p.n8nParameters(c)).text("type", "n8n-nodes-base.httpRequest").
			add("typeVersion", value{kind: numberValue, text: "4.2"}).
			list("position", []value{{kind: numberValue, text: itoa(200 * len(connections.names))}, {kind: numberValue, text: "0"}}).
			text("name", name).bool("executeOnce", true).value
	})
	if p.options.Bare {
		p.json(oneOrList(nodes))
		return
	}
	trigger := newObject().add("parameters", newObject().value).text("type", "n8n-nodes-base.manualTrigger").int("typeVersion", 1).
		list("position", []value{{kind: numberValue, text: "0"}, {kind: numberValue, text: "0"}}).
		text("name", "When clicking 'Execute workflow'")
	p.json(newObject().text("name", p.fileName()).list("nodes", append([]value{trigger.value}, nodes...)).
		add("connections", connections.value).add("settings", newObject().value).value)
}

// n8nParameters returns the parameters of a node.
func (p *program) n8nParameters(c *call) value {
	url := c.url
	if url[0].variable == nil {
		scheme := strings.ToLower(c.scheme())
		if scheme != "http" && scheme != "https" {
			p.refuse("takes only URLs that begin with http:// or https://")
		} else {
			url = prefixed(scheme, url.cut(len(scheme), len(url.source())))
		}
	}
	o := newObject().text("method", c.Method).text("url", p.n8nText(url))
	if c.digest != nil { // HttpRequestV3.node.ts and HttpDigestAuth.credentials.ts of n8n 1
		p.cannotAt(c.Auth.Span, "keeps credentials out of workflows", "choose a credential of the type Digest Auth that has those of -u")
		o.text("authentication", "genericCredentialType").text("genericAuthType", "httpDigestAuth")
	}
	body := p.n8nBody(c)
	var headers []value
	for i := range c.fields {
		f := &c.fields[i]
		if f.is("Content-Type") && c.body.kind != noBody {
			continue
		}
		v := p.n8nText(f.value)
		if f.derived && c.basic != nil {
			v = p.n8nBasic(c.basic, v)
		}
		headers = append(headers, newObject().text("name", p.n8nText(literal(f.name))).text("value", v).value)
	}
	if c.repeated() {
		p.refuse("sends a name of a field once")
	}
	if len(headers) > 0 {
		o.bool("sendHeaders", true).add("headerParameters", newObject().list("parameters", headers).value)
	}
	o.names, o.items = append(o.names, body.names...), append(o.items, body.items...)
	return o.add("options", p.n8nOptions(c)).value
}

// n8nBasic returns the value of Authorization for credentials that are
// variables.
func (p *program) n8nBasic(who *credentials, v string) string {
	both := mergeLiterals(append(append(append(text{}, who.user...), part{literal: ":"}), who.password...))
	if _, ok := both.plain(); ok || !both.isText() {
		return v
	}
	terms := make([]string, len(both))
	for i := range both {
		terms[i] = n8nTerm(&both[i])
	}
	return "=Basic {{ (" + strings.Join(terms, " + ") + ").base64Encode() }}"
}

func (p *program) n8nOptions(c *call) value {
	o := newObject()
	redirect := newObject().bool("followRedirects", c.follow)
	switch {
	case c.follow && c.maxRedirects > 0:
		redirect.int("maxRedirects", c.maxRedirects)
	case c.follow:
		p.lossAt(c.place("maxRedirects"), "--max-redirs", "has a limit of its own for redirects")
	}
	o.add("redirect", newObject().add("redirect", redirect.value).value)
	if !c.fail {
		o.add("response", newObject().add("response", newObject().bool("neverError", true).value).value)
	}
	if c.insecure {
		o.bool("allowUnauthorizedCerts", true)
	}
	if c.proxyScheme() != "" {
		o.text("proxy", p.n8nText(c.proxyURL()))
	}
	if c.timeout > 0 {
		o.add("timeout", value{kind: numberValue, text: milliseconds(c.timeout)})
	}
	return o.value
}

// n8nBody returns the parameters for the content.
func (p *program) n8nBody(c *call) *object {
	o := newObject()
	if c.body.kind == noBody {
		return o
	}
	o.bool("sendBody", true)
	switch c.body.kind {
	case rawBody:
		p.n8nRaw(c, o, c.body.data)
	case multipartBody:
		if list, ok := p.n8nForm(c); ok {
			return o.text("contentType", "multipart-form-data").add("bodyParameters", newObject().list("parameters", list).value)
		}
		p.n8nPieces(c, o, c.rawForm())
	default:
		p.n8nPieces(c, o, c.body.list)
	}
	return o
}

// n8nPieces adds content that is joined.
func (p *program) n8nPieces(c *call, o *object, list []piece) {
	all, ok := joinedText(list)
	if !ok {
		p.refuse("reads files in another node only")
		return
	}
	p.n8nRaw(c, o, all)
}

func (p *program) n8nRaw(c *call, o *object, data text) {
	contentType := text(nil)
	if f := c.field("Content-Type"); f != nil {
		contentType = f.value
	}
	if source := data.source(); strings.Contains(strings.ToLower(contentType.source()), "application/json") {
		if _, ok := parseValue(source); !ok || strings.TrimSpace(source) != source {
			p.refuse("changes content of the type application/json that is no JSON object or array, or has blanks around it")
		}
	}
	o.text("contentType", "raw").text("rawContentType", p.n8nText(contentType)).text("body", p.n8nText(data))
}

// n8nForm returns the parts of a form; those that are files come from another
// node.
func (p *program) n8nForm(c *call) ([]value, bool) {
	var list []value
	names := make([]string, len(c.body.part))
	for i := range c.body.part {
		part := &c.body.part[i]
		if !part.simple() || part.isFile() || part.filename != nil || part.contentType != nil || strings.ContainsAny(part.Name, "\"\r\n.[]") {
			return nil, false
		}
		names[i] = part.Name
		list = append(list, newObject().text("name", p.n8nText(part.name)).text("value", p.n8nText(part.value)).value)
	}
	return list, plainNames(names)
}

// n8nText returns a parameter: an expression where it has variables, or looks
// like one.
func (p *program) n8nText(t text) string {
	if !t.isText() {
		p.refuse("has no place for bytes that are not UTF-8")
	}
	if s, ok := t.plain(); ok && !strings.HasPrefix(s, "=") {
		return s
	}
	var b strings.Builder
	b.WriteByte('=')
	for i := range t {
		if t[i].variable == nil && !strings.ContainsAny(t[i].literal, `{}\`) {
			b.WriteString(t[i].literal)
		} else {
			b.WriteString("{{ " + n8nTerm(&t[i]) + " }}")
		}
	}
	return b.String()
}

// braceEscapes are the braces in a string of JavaScript.
var braceEscapes = strings.NewReplacer("{", `\u007b`, "}", `\u007d`)

// n8nTerm returns a JavaScript expression for a part of a text, without braces,
// which would end the place for it.
func n8nTerm(one *part) string {
	v := one.variable
	if v == nil {
		return braceEscapes.Replace(jsonString(one.literal))
	}
	term := "$env." + v.Name
	if !isIdentifier(v.Name) {
		term = "$env[" + jsonString(v.Name) + "]"
	}
	if v.HasDefault {
		term = "(" + term + " ?? " + n8nTerm(&part{literal: v.Default}) + ")"
	}
	return jsEncoded(term, v.Encoding)
}
