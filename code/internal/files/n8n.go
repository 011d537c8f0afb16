package files

import (
	"slices"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/javascript"
	"uncoil/code/internal/plan"
)

// A workflow for n8n with an HTTP Request node (version 4.2, of
// n8n-nodes-base 2.41) for each request. The node sends with axios: it adds
// Accept, User-Agent, Accept-Encoding and Connection; takes seven methods; sends
// a name of a field once; gives content a type; trims JSON, and quotes what is
// none; reads a file only from the node before it. Redirects, statuses and time
// limits are options. A parameter that begins with = is an expression, in which
// {{ }} holds JavaScript; any other is text. Credentials are not in a workflow,
// so Authorization is a field, and Digest asks for a credential.
var N8n = plan.Target{
	Name: "n8n", Language: "json", Client: "n8n", Version: "1.0", Kind: plan.File, Extension: "json",
	SavedAs: "workflow.json", Style: emit.Style{Indent: "  "}, Write: writeN8N,
	Facts: plan.Client{
		ModernTLS: true,
		Adds:      plan.FieldNames{"Accept", "User-Agent", "Accept-Encoding", "Connection"},
		Always:    plan.FieldNames{"Accept", "User-Agent", "Accept-Encoding", "Connection"},
		Rules: plan.Rules{
			plan.SendsMethods(func(method string) bool { return slices.Contains(n8nMethods, method) }),
			plan.SendsNoContent("HEAD", "OPTIONS"),
			plan.TypesContent,
			plan.RemovesDots,
			plan.VisibleFields,
			plan.ReadsURLs(plan.WellFormed),
			plan.TakesNumbers,
		},

		Slashes: true,
		Digest:  true, Eager: true,
		Proxies: []string{"http", "https"},
	},
}

var n8nMethods = []string{"DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"}

func writeN8N(p *plan.Program) {
	names, last := make(map[string]int), "When clicking 'Execute workflow'"
	connections := newObject()
	nodes := eachCall(p, func(c *plan.Call) emit.Value {
		name := plan.Numbered(names, title(c))
		next := newObject().text("node", name).text("type", "main").int("index", 0)
		connections.add(last, newObject().list("main", []emit.Value{listValue([]emit.Value{next.Value})}).Value)
		last = name
		return newObject().add("parameters", n8nParameters(p, c)).text("type", "n8n-nodes-base.httpRequest").
			add("typeVersion", emit.Value{Kind: emit.NumberValue, Text: "4.2"}).
			list("position", []emit.Value{{Kind: emit.NumberValue, Text: emit.Itoa(200 * len(connections.Names))}, {Kind: emit.NumberValue, Text: "0"}}).
			text("name", name).bool("executeOnce", true).Value
	})
	if p.Options.Bare {
		json(p, oneOrList(nodes))
		return
	}
	trigger := newObject().add("parameters", newObject().Value).text("type", "n8n-nodes-base.manualTrigger").int("typeVersion", 1).
		list("position", []emit.Value{{Kind: emit.NumberValue, Text: "0"}, {Kind: emit.NumberValue, Text: "0"}}).
		text("name", "When clicking 'Execute workflow'")
	json(p, newObject().text("name", fileName(p)).list("nodes", append([]emit.Value{trigger.Value}, nodes...)).
		add("connections", connections.Value).add("settings", newObject().Value).Value)
}

// n8nParameters returns the parameters of a node.
func n8nParameters(p *plan.Program, c *plan.Call) emit.Value {
	url := c.URLText
	if url[0].Variable == nil {
		scheme := strings.ToLower(c.Scheme())
		if scheme != "http" && scheme != "https" {
			p.Refuse("takes only URLs that begin with http:// or https://")
		} else {
			url = plan.Prefixed(scheme, url.Cut(len(scheme), len(url.Source())))
		}
	}
	o := newObject().text("method", c.Method).text("url", n8nText(p, url))
	if c.Digest != nil { // HttpRequestV3.node.ts and HttpDigestAuth.credentials.ts of n8n 1
		p.CannotAt(c.Auth.Span, "keeps credentials out of workflows", "choose a credential of the type Digest Auth that has those of -u")
		o.text("authentication", "genericCredentialType").text("genericAuthType", "httpDigestAuth")
	}
	body := n8nBody(p, c)
	var headers []emit.Value
	for i := range c.Headers {
		f := &c.Headers[i]
		if f.Is("Content-Type") && c.Content.Kind != plan.NoBody {
			continue
		}
		v := n8nText(p, f.Value)
		if f.Derived && c.Basic != nil {
			v = n8nBasic(p, c.Basic, v)
		}
		headers = append(headers, newObject().text("name", n8nText(p, plan.Literal(f.Name))).text("value", v).Value)
	}
	if c.Repeated() {
		p.Refuse("sends a name of a field once")
	}
	if len(headers) > 0 {
		o.bool("sendHeaders", true).add("headerParameters", newObject().list("parameters", headers).Value)
	}
	o.Names, o.Items = append(o.Names, body.Names...), append(o.Items, body.Items...)
	return o.add("options", n8nOptions(p, c)).Value
}

// n8nBasic returns the value of Authorization for credentials that are
// variables.
func n8nBasic(p *plan.Program, who *plan.Credentials, v string) string {
	both := plan.MergeLiterals(append(append(append(plan.Text{}, who.User...), plan.Part{Literal: ":"}), who.Password...))
	if _, ok := both.Plain(); ok || !both.IsText() {
		return v
	}
	terms := make([]string, len(both))
	for i := range both {
		terms[i] = n8nTerm(&both[i])
	}
	return "=Basic {{ (" + strings.Join(terms, " + ") + ").base64Encode() }}"
}

func n8nOptions(p *plan.Program, c *plan.Call) emit.Value {
	o := newObject()
	redirect := newObject().bool("followRedirects", c.Follow())
	switch {
	case c.Follow() && c.MaxRedirects() > 0:
		redirect.int("maxRedirects", c.MaxRedirects())
	case c.Follow():
		p.LossAt(c.Place("maxRedirects"), "--max-redirs", "has a limit of its own for redirects")
	}
	o.add("redirect", newObject().add("redirect", redirect.Value).Value)
	if !c.Fail() {
		o.add("response", newObject().add("response", newObject().bool("neverError", true).Value).Value)
	}
	if c.Insecure() {
		o.bool("allowUnauthorizedCerts", true)
	}
	if c.ProxyScheme() != "" {
		o.text("proxy", n8nText(p, c.ProxyURL()))
	}
	if c.Timeout() > 0 {
		o.add("timeout", emit.Value{Kind: emit.NumberValue, Text: emit.Milliseconds(c.Timeout())})
	}
	return o.Value
}

// n8nBody returns the parameters for the content.
func n8nBody(p *plan.Program, c *plan.Call) *object {
	o := newObject()
	if c.Content.Kind == plan.NoBody {
		return o
	}
	o.bool("sendBody", true)
	switch c.Content.Kind {
	case plan.RawBody:
		n8nRaw(p, c, o, c.Content.Data)
	case plan.MultipartBody:
		if list, ok := n8nForm(p, c); ok {
			return o.text("contentType", "multipart-form-data").add("bodyParameters", newObject().list("parameters", list).Value)
		}
		n8nPieces(p, c, o, c.RawForm())
	default:
		n8nPieces(p, c, o, c.Content.List)
	}
	return o
}

// n8nPieces adds content that is joined.
func n8nPieces(p *plan.Program, c *plan.Call, o *object, list []plan.Piece) {
	all, ok := plan.JoinedText(list)
	if !ok {
		p.Refuse("reads files in another node only")
		return
	}
	n8nRaw(p, c, o, all)
}

func n8nRaw(p *plan.Program, c *plan.Call, o *object, data plan.Text) {
	contentType := plan.Text(nil)
	if f := c.Field("Content-Type"); f != nil {
		contentType = f.Value
	}
	if source := data.Source(); strings.Contains(strings.ToLower(contentType.Source()), "application/json") {
		if _, ok := emit.ParseValue(source); !ok || strings.TrimSpace(source) != source {
			p.Refuse("changes content of the type application/json that is no JSON object or array, or has blanks around it")
		}
	}
	o.text("contentType", "raw").text("rawContentType", n8nText(p, contentType)).text("body", n8nText(p, data))
}

// n8nForm returns the parts of a form; those that are files come from another
// node.
func n8nForm(p *plan.Program, c *plan.Call) ([]emit.Value, bool) {
	var list []emit.Value
	names := make([]string, len(c.Content.Part))
	for i := range c.Content.Part {
		part := &c.Content.Part[i]
		if !part.Simple() || part.IsFile() || part.FilenameText != nil || part.TypeText != nil || strings.ContainsAny(part.Name, "\"\r\n.[]") {
			return nil, false
		}
		names[i] = part.Name
		list = append(list, newObject().text("name", n8nText(p, part.NameText)).text("value", n8nText(p, part.ValueText)).Value)
	}
	return list, plan.PlainNames(names)
}

// n8nText returns a parameter: an expression where it has variables, or looks
// like one.
func n8nText(p *plan.Program, t plan.Text) string {
	if !t.IsText() {
		p.Refuse("has no place for bytes that are not UTF-8")
	}
	if s, ok := t.Plain(); ok && !strings.HasPrefix(s, "=") {
		return s
	}
	var b strings.Builder
	b.WriteByte('=')
	for i := range t {
		if t[i].Variable == nil && !strings.ContainsAny(t[i].Literal, `{}\`) {
			b.WriteString(t[i].Literal)
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
func n8nTerm(one *plan.Part) string {
	v := one.Variable
	if v == nil {
		return braceEscapes.Replace(jsonString(one.Literal))
	}
	term := "$env." + v.Name
	if !emit.IsIdentifier(v.Name) {
		term = "$env[" + jsonString(v.Name) + "]"
	}
	if v.HasDefault {
		term = "(" + term + " ?? " + n8nTerm(&plan.Part{Literal: v.Default}) + ")"
	}
	return javascript.JsEncoded(term, v.Encoding)
}
