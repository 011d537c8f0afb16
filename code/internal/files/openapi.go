package files

import (
	"slices"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
)

// An OpenAPI document (https://spec.openapis.org/oas/v3.1.0): an operation for
// each request, with its parameters, the schema of its content as the example
// has it, and how it authenticates. Credentials are not in the document, which
// has no place for them. Its rules ask for these fields elsewhere: Accept is the
// content of the response, Content-Type the content of the request, and
// Authorization a security scheme. Requests for the same method and path are one
// operation.
var OpenAPI = plan.Target{
	Name: "openapi", Convention: plan.Format("json"), Client: "OpenAPI", Version: "3.1", Kind: plan.File, Placeholders: true, Extension: "json",
	Why:     "kin-openapi and Redocly read them; a description of a service sends nothing",
	Aliases: []string{"oas", "swagger"}, SavedAs: "openapi.json", Style: emit.Style{Indent: "  "}, Write: writeOpenAPI,
	Facts: plan.Client{
		Follows: plan.NoMethod,
		Format:  true, Digest: true, Mixed: true, Mime: true,
		Rules: plan.Rules{plan.SendsMethods(func(method string) bool { return slices.Contains(openAPIMethods, method) })},
	},
}

// openAPIMethods are the methods that have operations in OpenAPI 3.1.
var openAPIMethods = []string{"DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "TRACE"}

// An apiDocument is a document that is being written.
type apiDocument struct {
	p       *plan.Program
	server  string // of the first request
	servers emit.Value
	paths   []*apiPath
	at      map[string]*apiPath // by path, without the names of parameters
	ids     map[string]int
	schemes *object
	known   map[string]bool // names of schemes
	shared  []*sharedPath   // by call; nil for a path of its own
}

// An apiPath is a path with its operations.
type apiPath struct {
	path       string
	names      []string // of its parameters
	operations []*apiOperation
}

// An apiOperation is a method of a path.
type apiOperation struct {
	method, server string
	id             string
	servers        emit.Value // nil where they are those of the document
	parameters     []emit.Value
	seen           map[string]bool // parameters, by place and name, and types of content
	content        *object
	json           map[string][]emit.Value // the examples of a type of content
	first          string                  // the content of the first request, where it has several
	accept         *object
	security       []emit.Value
}

func writeOpenAPI(p *plan.Program) {
	d := &apiDocument{p: p, at: make(map[string]*apiPath), ids: make(map[string]int), schemes: newObject(), known: make(map[string]bool)}
	d.shared = sharePaths(p.Calls)
	for i, c := range p.Calls {
		d.add(i, c)
		p.ReportLosses(c)
	}
	paths := newObject()
	for _, path := range d.paths {
		item := newObject()
		for _, o := range path.operations {
			item.add(strings.ToLower(o.method), o.write(path.path))
		}
		paths.add(path.path, item.Value)
	}
	if p.Options.Bare {
		json(p, paths.Value)
		return
	}
	document := newObject().text("openapi", "3.1.0").
		add("info", newObject().text("title", fileName(p)).text("version", "1.0.0").Value).
		add("servers", d.servers).add("paths", paths.Value)
	if len(d.schemes.Names) > 0 {
		document.add("components", newObject().add("securitySchemes", d.schemes.Value).Value)
	}
	json(p, document.Value)
}

// add adds the operation of a call.
func (d *apiDocument) add(i int, c *plan.Call) {
	base, path, query := c.URLParts()
	server := base.Source()
	if i == 0 {
		d.server, d.servers = server, apiServers(base)
	}
	shared := d.shared[i]
	item := d.path(shared.in(path))
	var o *apiOperation
	for _, one := range item.operations {
		if one.method == c.Method {
			o = one
		}
	}
	switch {
	case o == nil:
		o = &apiOperation{method: c.Method, server: server, id: plan.Numbered(d.ids, strings.ToLower(c.Method)+camel(item.path)), seen: make(map[string]bool)}
		if server != d.server {
			o.servers = apiServers(base)
		}
		item.operations = append(item.operations, o)
		for j, name := range item.names {
			one := newObject().text("name", name).text("in", "path").bool("required", true)
			if shared != nil && j == shared.parameter {
				one.add("schema", schemaOf(shared.values)).add("example", shared.values[0])
			} else {
				one.add("schema", newObject().text("type", "string").Value)
			}
			o.parameters = append(o.parameters, one.Value)
		}
	case o.server != server:
		d.p.Refuse("has one operation for a method and a path, and these are for two hosts")
		return
	}
	for _, g := range queryGroups(query) {
		o.parameter("query", &g)
	}
	o.fields(d, c)
	if !o.body(d, c) {
		d.p.Cannot("has one schema for content of a type", "the content of request "+emit.Itoa(i+1)+" is left out")
	}
}

// apiServers returns the list of servers for what stands before a path.
func apiServers(base plan.Text) emit.Value {
	url, variables := "", newObject()
	for i := range base {
		v := base[i].Variable
		if v == nil {
			url += braceless(base[i].Literal)
			continue
		}
		url += "{" + v.Name + "}"
		holds := v.Default
		if !v.HasDefault {
			holds = v.Expr
		}
		variables.add(v.Name, newObject().text("default", holds).Value)
	}
	o := newObject().text("url", url)
	if len(variables.Names) > 0 {
		o.add("variables", variables.unique())
	}
	return listValue([]emit.Value{o.Value})
}

// braceless percent-encodes braces, which begin and end a variable.
func braceless(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "{", "%7B"), "}", "%7D")
}

// parameter adds a parameter, once.
func (o *apiOperation) parameter(in string, g *nameGroup) {
	if key := in + " " + g.name; !o.seen[key] {
		o.seen[key] = true
		schema, sample, ok := g.schema()
		one := newObject().text("name", g.name).text("in", in)
		if g.bare && in == "query" {
			one.bool("allowEmptyValue", true)
		}
		one.add("schema", schema)
		if ok {
			one.add("example", sample)
		}
		o.parameters = append(o.parameters, one.Value)
	}
}

// secretFields are fields that hold the key of a user.
var secretFields = []string{"api-key", "apikey", "x-access-token", "x-api-key", "x-auth-token", "private-token"}

// fields adds what the header fields say.
func (o *apiOperation) fields(d *apiDocument, c *plan.Call) {
	switch {
	case c.Digest != nil:
		o.secure(d, "digest", newObject().text("type", "http").text("scheme", "digest"))
	case c.Basic != nil:
		o.secure(d, "basic", newObject().text("type", "http").text("scheme", "basic"))
	}
	var groups []nameGroup
	at := make(map[string]int)
	for i := range c.Headers() {
		f := &c.Headers()[i]
		if !f.Value.IsText() {
			d.p.Refuse("has no place for bytes that are not UTF-8")
		}
		name := strings.ToLower(f.Name)
		switch {
		case name == "content-type", f.Derived():
		case name == "accept":
			o.accepts(f.Value)
		case name == "authorization":
			o.authorization(d, f)
		case slices.Contains(secretFields, name):
			o.secure(d, f.Name, newObject().text("type", "apiKey").text("in", "header").text("name", f.Name))
		case name == "cookie" && o.cookies(f):
		default:
			j, again := at[name]
			if !again {
				j = len(groups)
				at[name] = j
				groups = append(groups, nameGroup{name: f.Name})
			}
			groups[j].values = append(groups[j].values, f.Value)
		}
	}
	for i := range groups {
		o.parameter("header", &groups[i])
	}
}

// cookies adds the cookies of a field.
func (o *apiOperation) cookies(f *plan.Field) bool {
	pairs, ok := f.Cookies()
	if !ok {
		return false
	}
	for _, one := range pairs {
		o.parameter("cookie", &nameGroup{name: one.Name.Source(), values: []plan.Text{one.Value}})
	}
	return true
}

// accepts adds the types of the response.
func (o *apiOperation) accepts(accept plan.Text) {
	if o.accept == nil {
		o.accept = newObject()
	}
	for part := range strings.SplitSeq(accept.Source(), ",") {
		name, _, _ := strings.Cut(part, ";")
		if name = strings.TrimSpace(name); strings.Count(name, "/") == 1 && !o.seen["accept "+name] {
			o.seen["accept "+name] = true
			o.accept.add(name, newObject().Value)
		}
	}
}

// authorization adds the scheme of a field Authorization.
func (o *apiOperation) authorization(d *apiDocument, f *plan.Field) {
	scheme, _, found := strings.Cut(f.Value.Source(), " ")
	switch scheme = strings.ToLower(scheme); {
	case found && (scheme == "bearer" || scheme == "basic" || scheme == "digest"):
		o.secure(d, scheme, newObject().text("type", "http").text("scheme", scheme))
	default:
		o.secure(d, "authorization", newObject().text("type", "apiKey").text("in", "header").text("name", "Authorization"))
	}
}

// secure adds a security scheme.
func (o *apiOperation) secure(d *apiDocument, name string, scheme *object) {
	if !d.known[name] {
		d.known[name] = true
		d.schemes.add(name, scheme.Value)
	}
	if !o.seen["security "+name] {
		o.seen["security "+name] = true
		o.security = append(o.security, textValue(name))
	}
}

// write returns the operation.
func (o *apiOperation) write(path string) emit.Value {
	v := newObject().text("operationId", o.id).text("summary", o.method+" "+path)
	if o.servers.Kind == emit.ArrayValue {
		v.add("servers", o.servers)
	}
	security := newObject()
	for _, name := range o.security {
		security.list(name.Text, nil)
	}
	var alternatives []emit.Value
	if len(o.security) > 0 {
		alternatives = []emit.Value{security.Value}
	}
	v.list("security", alternatives)
	if len(o.parameters) > 0 {
		v.list("parameters", o.parameters)
	}
	if o.content != nil {
		for i, name := range o.content.Names {
			if values := o.json[name]; values != nil {
				o.content.Items[i] = jsonMedia(values)
			}
		}
		v.add("requestBody", newObject().bool("required", true).add("content", o.content.Value).Value)
	}
	response := newObject().text("description", "No response is known.")
	if o.accept != nil && len(o.accept.Names) > 0 {
		response.add("content", o.accept.Value)
	}
	return v.add("responses", newObject().add("default", response.Value).Value).Value
}
