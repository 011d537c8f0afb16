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
// Accept, User-Agent, Accept-Encoding and Connection; takes seven methods, DELETE with JSON
// only; sends a name of a field once; gives content a type; trims JSON, and quotes what is
// none; takes a file only from a node before it. Redirects, statuses and time
// limits are options. A parameter that begins with = is an expression, in which
// {{ }} holds JavaScript; any other is text. Credentials are not in a workflow,
// so Authorization is a field, and Digest asks for a credential.
var N8n = plan.Target{
	Name: "n8n", Convention: plan.Format("json"), Client: "n8n", Version: "1.0", Kind: plan.File, Encodes: true, Extension: "json",
	Why:     "the description of its node reads them; n8n has not sent them",
	SavedAs: "workflow.json", Style: emit.Style{Indent: "  "}, Write: writeN8N,
	Facts: plan.Client{
		Settings:  true,
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
	w := n8nWorkflow{names: make(map[string]int), last: n8nTrigger, connections: newObject()}
	for _, c := range p.Calls {
		n := n8nNode{p: p, c: c, version: "4.2"}
		parameters := n.parameters()
		n.report()
		p.ReportLosses(c)
		w.read(p, n.files)
		w.add(c.Title(), "httpRequest", n.version, parameters)
		w.nodes[len(w.nodes)-1] = n.settings(w.nodes[len(w.nodes)-1])
	}
	if p.Options.Bare {
		json(p, oneOrList(w.nodes))
		return
	}
	trigger := newObject().add("parameters", newObject().Value).text("type", "n8n-nodes-base.manualTrigger").int("typeVersion", 1).
		list("position", []emit.Value{{Kind: emit.NumberValue, Text: "0"}, {Kind: emit.NumberValue, Text: "0"}}).
		text("name", n8nTrigger)
	json(p, newObject().text("name", fileName(p)).list("nodes", append([]emit.Value{trigger.Value}, w.nodes...)).
		add("connections", w.connections.Value).add("settings", newObject().Value).Value)
}

// n8nTrigger is the name of the node that begins a workflow.
const n8nTrigger = "When clicking 'Execute workflow'"

// An n8nWorkflow is the nodes of a workflow, each after the one before.
type n8nWorkflow struct {
	names       map[string]int
	last        string // the node that was added
	nodes       []emit.Value
	connections *object
}

// add adds a node after the last one.
func (w *n8nWorkflow) add(name, kind, version string, parameters emit.Value) {
	name = w.node(name, kind, version, parameters)
	w.connections.add(w.last, n8nConnection(n8nTarget(name, 0)))
	w.last = name
}

// node adds a node that nothing leads to, and returns its name.
func (w *n8nWorkflow) node(name, kind, version string, parameters emit.Value) string {
	name = plan.Numbered(w.names, name)
	node := newObject().add("parameters", parameters).text("type", "n8n-nodes-base."+kind).
		add("typeVersion", emit.Value{Kind: emit.NumberValue, Text: version}).
		list("position", []emit.Value{{Kind: emit.NumberValue, Text: emit.Itoa(200 * (len(w.nodes) + 1))}, {Kind: emit.NumberValue, Text: "0"}}).
		text("name", name)
	if kind != "merge" { // which runs once anyway
		node.bool("executeOnce", true)
	}
	w.nodes = append(w.nodes, node.Value)
	return name
}

// read adds nodes that read files. Each makes an item of its own, so that several are
// merged into one item: combineByPosition.ts of the node Merge 3.
func (w *n8nWorkflow) read(p *plan.Program, files []n8nFile) {
	if len(files) < 2 {
		for i := range files {
			w.add("Read file", "readWriteFile", "1", files[i].parameters(p))
		}
		return
	}
	var targets []emit.Value
	var names []string
	for i := range files {
		names = append(names, w.node("Read file", "readWriteFile", "1", files[i].parameters(p)))
		targets = append(targets, n8nTarget(names[i], 0))
	}
	w.connections.add(w.last, n8nConnection(targets...))
	merge := newObject().text("mode", "combine").text("combineBy", "combineByPosition").int("numberInputs", int64(len(files))).add("options", newObject().Value)
	w.last = w.node("Merge files", "merge", "3", merge.Value)
	for i, name := range names {
		w.connections.add(name, n8nConnection(n8nTarget(w.last, i)))
	}
}

// n8nConnection returns where the output of a node leads.
func n8nConnection(targets ...emit.Value) emit.Value {
	return newObject().list("main", []emit.Value{listValue(targets)}).Value
}

func n8nTarget(name string, input int) emit.Value {
	return newObject().text("node", name).text("type", "main").int("index", int64(input)).Value
}

// An n8nFile is a file that a node reads: actions/read.operation.ts of the node Read/Write
// Files from Disk 1.
type n8nFile struct {
	path                  plan.Text
	field                 string // of the item
	filename, contentType string // "" for what n8n makes of the path
}

// n8nField returns a field for another file.
func n8nField(files []n8nFile) string {
	if len(files) == 0 {
		return "data"
	}
	return "data" + emit.Itoa(len(files)+1)
}

// parameters returns those of the node. It takes a path for a pattern.
func (f *n8nFile) parameters(p *plan.Program) emit.Value {
	switch s := f.path.Literals(); {
	case f.path.Source() == "-":
		p.Refuse("reads no standard input")
	case strings.ContainsAny(s, "\\*?[]{}()!+@|"):
		p.Refuse("reads the name of a file as a pattern")
	}
	options := newObject().optional("fileName", f.filename).optional("mimeType", f.contentType)
	if f.field != "data" {
		options.text("dataPropertyName", f.field)
	}
	return newObject().text("fileSelector", n8nText(p, f.path)).add("options", options.Value).Value
}

// An n8nNode is a node that sends a request.
type n8nNode struct {
	p       *plan.Program
	c       *plan.Call
	version string
	files   []n8nFile // that it takes from the nodes before it
}

func (n *n8nNode) parameters() emit.Value {
	p, c := n.p, n.c
	url, query := queryFields(p, c, func(*plan.Pair) bool { return true })
	if !plan.PlainNames(plan.PairNames(query)) { // qs has one of two with the same name
		url, query = c.URLText, nil
	}
	if url[0].Variable == nil {
		switch scheme := strings.ToLower(c.Scheme()); scheme {
		case "":
			url = plan.Prefixed("http://", url) // as curl guesses
		case "http", "https":
			url = plan.Prefixed(scheme, url.Cut(len(scheme), len(url.Source())))
		default:
			p.Refuse("takes only URLs that begin with http:// or https://")
		}
	}
	o := newObject().text("method", c.Method).text("url", n8nText(p, url))
	if c.Digest != nil { // HttpRequestV3.node.ts and HttpDigestAuth.credentials.ts of n8n 1
		p.CannotAt(c.Auth.Span, "keeps credentials out of workflows", "choose a credential of the type Digest Auth that has those of -u")
		o.text("authentication", "genericCredentialType").text("genericAuthType", "httpDigestAuth")
	}
	body := n.body()
	var headers []emit.Value
	for i := range c.Headers() {
		f := &c.Headers()[i]
		if f.Is("Content-Type") && c.Content.Kind != plan.NoBody {
			continue
		}
		v := n8nText(p, f.Value)
		if f.Derived() && c.Basic != nil {
			v = n8nBasic(p, c.Basic, v)
		}
		headers = append(headers, newObject().text("name", n8nText(p, plan.Literal(f.Name))).text("value", v).Value)
	}
	if c.Repeated() {
		p.Refuse("sends a name of a field once")
	}
	if len(query) > 0 {
		o.bool("sendQuery", true).add("queryParameters", newObject().list("parameters", n.pairs(query)).Value)
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

// report warns of what a node or a credential has otherwise than curl.
func (n *n8nNode) report() {
	if n.c.Retries() > 0 {
		n.c.Does("retryDelay")
		n.p.CannotAt(n.c.Place("retry"), "tries again after each error, and at most four times", "the node has the setting Retry On Fail")
	}
	n.c.LeavesCert()
	for _, one := range []struct {
		value  plan.Text
		member string
		option emit.Phrase
	}{{n.c.CaFile(), "cacert", "--cacert"}, {n.c.Cert(), "cert", "--cert"}} {
		if len(one.value) > 0 { // HttpSslAuth.credentials.ts of n8n 1
			n.p.LeavesOut(n.c.Place(one.member), one.option, "takes certificates and keys from credentials, which workflows do not have")
		}
	}
}

// settings adds those of the node: the fields of INode of n8n-workflow 1.
func (n *n8nNode) settings(node emit.Value) emit.Value {
	o := &object{node}
	if tries := n.c.Retries(); tries > 0 {
		o.bool("retryOnFail", true).int("maxTries", min(tries, n8nTries-1)+1)
		if delay, _ := n.c.Member("retryDelay").(float64); delay > 0 {
			o.add("waitBetweenTries", emit.Value{Kind: emit.NumberValue, Text: emit.Milliseconds(min(delay, 5))})
		}
	}
	return o.Value
}

// n8nTries is how often a node is run at most: workflow-execute.ts of n8n-core 1, where it
// waits five seconds at most.
const n8nTries = 5

// pairs returns parameters that the node encodes.
func (n *n8nNode) pairs(pairs []plan.Pair) (list []emit.Value) {
	for _, one := range pairs {
		list = append(list, newObject().text("name", n8nText(n.p, one.Name)).text("value", n8nText(n.p, plan.Decoded(one.Value))).Value)
	}
	return list
}

// body returns the parameters for the content.
func (n *n8nNode) body() *object {
	o := newObject()
	if n.c.Content.Kind == plan.NoBody {
		return o
	}
	o.bool("sendBody", true)
	switch n.c.Content.Kind {
	case plan.RawBody:
		takes := n.c.Method != "DELETE" && plan.PlainNames(plan.PairNames(n.c.Content.Form))
		if pairs, ok := formFields(n.p, n.c, &plan.FormEncoder{Safe: "_.-~"}, func(*plan.Pair) bool { return takes }); ok {
			return o.text("contentType", "form-urlencoded").add("bodyParameters", newObject().list("parameters", n.pairs(pairs)).Value)
		}
		n.raw(o, n.c.Content.Data)
	case plan.MultipartBody:
		if list, ok := n.form(); ok {
			return o.text("contentType", "multipart-form-data").add("bodyParameters", newObject().list("parameters", list).Value)
		}
		n.pieces(o, n.c.RawForm())
	default:
		file, ok := wholeFile(n.p, n.c)
		if !ok || n.c.Method == "DELETE" { // with which the node sends no file
			n.pieces(o, n.c.Content.List)
			return o
		}
		one := n8nFile{path: file, field: n8nField(nil)}
		if f := n.c.Field("Content-Type"); f != nil {
			one.contentType = n8nText(n.p, f.Value)
		}
		n.files = append(n.files, one)
		o.text("contentType", "binaryData").text("inputDataFieldName", one.field)
	}
	return o
}

// pieces adds content that is joined.
func (n *n8nNode) pieces(o *object, list []plan.Piece) {
	all, ok := plan.JoinedText(list)
	if !ok {
		n.p.Refuse("joins no text and files")
		return
	}
	n.raw(o, all)
}

func (n *n8nNode) raw(o *object, data plan.Text) {
	contentType := plan.Literal("text/plain") // the node names one
	if f := n.c.Field("Content-Type"); f != nil {
		contentType = f.Value
	}
	if source := data.Source(); strings.Contains(strings.ToLower(contentType.Source()), "application/json") {
		if !n.p.Exact() { // blanks around JSON mean nothing
			end := len(strings.TrimRight(source, jsonBlanks))
			data = data.Cut(len(source)-len(strings.TrimLeft(source, jsonBlanks)), end)
			source = strings.Trim(source, jsonBlanks)
		}
		if _, ok := emit.ParseValue(source); !ok || strings.TrimSpace(source) != source {
			n.p.Refuse("changes content of the type application/json that is no JSON object or array, or has blanks around it")
		}
	}
	if n.c.Method == "DELETE" { // HttpRequestV3.node.ts sends no other content with it
		if n.p.Exact() || n.c.Content.JSON == nil || !n.c.HasType("application/json") {
			n.p.Refuse("sends no content but JSON with this method")
		}
		o.text("specifyBody", "json").text("jsonBody", n8nText(n.p, data))
		return
	}
	o.text("contentType", "raw").text("rawContentType", n8nText(n.p, contentType)).text("body", n8nText(n.p, data))
}

// jsonBlanks are those of RFC 8259, section 2.
const jsonBlanks = " \t\r\n"

// form returns the parts of a form; those that are files come from other nodes. Since
// version 4.3 the node sends several texts of one name: GenericFunctions.ts, where
// updadeQueryParameterConfig() says so.
func (n *n8nNode) form() ([]emit.Value, bool) {
	var list []emit.Value
	var read []n8nFile
	var names []string
	for i := range n.c.Content.Part {
		part := &n.c.Content.Part[i]
		if !part.Simple() || strings.ContainsAny(part.Name, "\"\r\n") {
			return nil, false
		}
		o := newObject()
		switch repeats := slices.Contains(names, part.Name); {
		case part.IsFile():
			if part.FilenameText == nil || n.c.Method == "DELETE" || repeats {
				return nil, false
			}
			one := n8nFile{path: part.FileText, field: n8nField(read)}
			if *part.FilenameText != emit.BaseName(part.File) {
				one.filename = n8nText(n.p, plan.Literal(*part.FilenameText))
			}
			if part.TypeText != nil {
				one.contentType = n8nText(n.p, plan.Literal(*part.TypeText))
			}
			read = append(read, one)
			o.text("parameterType", "formBinaryData").text("name", n8nText(n.p, part.NameText)).text("inputDataFieldName", one.field)
		case part.FilenameText != nil, part.TypeText != nil && !dropsType(n.p, n.c, part):
			return nil, false
		default:
			if repeats && part.Name != names[len(names)-1] { // which come together
				if n.p.Exact() {
					return nil, false
				}
				n.p.Accept(n.c, together)
			}
			if repeats {
				n.version = "4.3"
			} else {
				names = append(names, part.Name)
			}
			o.text("name", n8nText(n.p, part.NameText)).text("value", n8nText(n.p, part.ValueText))
		}
		if part.IsFile() {
			names = append(names, part.Name)
		}
		list = append(list, o.Value)
	}
	n.files = read
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
