package openapi

import "strings"

// upgrade gives a document of OpenAPI 2.0 the form that it has in 3.0, as far as requests are
// concerned: servers, the schemas of parameters, the content of operations and the schemes of
// credentials. What is new stands at the place of what it is made of. Responses lose their
// schemas: they are not those of requests.
func (d *Document) upgrade() {
	u := &upgrading{document: d, seen: make(map[*Node]bool)}
	root := d.Root
	root.set("servers", u.servers())
	u.consumes = root.Get("consumes")
	for _, m := range root.Fields("parameters") {
		u.parameter(m.Value)
	}
	if schemes := root.Get("securityDefinitions"); schemes != nil {
		for _, m := range schemes.Members {
			u.scheme(m.Value)
		}
		root.set("components", mapping(schemes, "securitySchemes", schemes))
	}
	for _, path := range root.Fields("paths") {
		u.path(d.Resolve(path.Value))
	}
}

// An upgrading makes OpenAPI 3.0 of a document of 2.0.
type upgrading struct {
	document *Document
	consumes *Node // the types of content of all operations
	seen     map[*Node]bool
}

// set sets a member of a mapping.
func (n *Node) set(name string, value *Node) {
	n.index = nil
	for i := range n.Members {
		if n.Members[i].Name == name {
			n.Members[i].Value = value
			return
		}
	}
	n.Members = append(n.Members, Member{Name: name, Line: value.Line, Column: value.Column, Value: value})
}

// at returns a node of a kind that stands at the place of another one.
func at(n *Node, kind Kind) *Node {
	return &Node{File: n.File, Line: n.Line, Column: n.Column, Offset: n.Offset, Kind: kind}
}

// text returns a string at the place of a node.
func text(n *Node, value string) *Node {
	t := at(n, Text)
	t.Text = value
	return t
}

// mapping returns a mapping with one member at the place of a node.
func mapping(n *Node, name string, value *Node) *Node {
	m := at(n, Mapping)
	m.set(name, value)
	return m
}

// servers returns the one server that host, basePath and schemes name; without a host it is
// the one that serves the document.
func (u *upgrading) servers() *Node {
	root := u.document.Root
	url := "/" + strings.Trim(root.TextOf("basePath"), "/")
	if host := root.TextOf("host"); host != "" {
		scheme := "https"
		if schemes := root.List("schemes"); len(schemes) > 0 {
			scheme = schemes[0].Text
		}
		url = scheme + "://" + host + url
	}
	list := at(root, Sequence)
	list.Items = []*Node{mapping(root, "url", text(root, url))}
	return list
}

// ofSchema are the members of a parameter of 2.0 that are those of a schema in 3.0.
var ofSchema = map[string]bool{
	"type": true, "format": true, "items": true, "enum": true, "default": true, "pattern": true, "multipleOf": true,
	"maximum": true, "exclusiveMaximum": true, "minimum": true, "exclusiveMinimum": true, "maxLength": true, "minLength": true,
	"maxItems": true, "minItems": true, "uniqueItems": true,
}

// parameter gives a parameter that is no content a schema, and its style a name of 3.0.
func (u *upgrading) parameter(p *Node) {
	if p = u.document.Resolve(p); p == nil || u.seen[p] || p.Kind != Mapping || isContent(p) {
		return
	}
	u.seen[p] = true
	p.set("schema", schemaOf(p))
	switch p.TextOf("collectionFormat") {
	case "ssv":
		p.set("style", text(p, "spaceDelimited"))
	case "pipes":
		p.set("style", text(p, "pipeDelimited"))
	}
}

// isContent reports whether a parameter of 2.0 is the content, or a field of it.
func isContent(p *Node) bool { return p.TextOf("in") == "body" || p.TextOf("in") == "formData" }

// schemaOf returns the schema of a parameter of 2.0. A file is a string.
func schemaOf(p *Node) *Node {
	schema := at(p, Mapping)
	for _, m := range p.Members {
		switch {
		case m.Name == "type" && m.Value.Text == "file":
			schema.set("type", text(m.Value, "string"))
		case ofSchema[m.Name]:
			schema.set(m.Name, m.Value)
		}
	}
	return schema
}

// path upgrades the operations of a path.
func (u *upgrading) path(item *Node) {
	if item == nil || u.seen[item] {
		return
	}
	u.seen[item] = true
	shared := u.parameters(item)
	for _, method := range methods {
		if o := u.document.Resolve(item.Get(method)); o != nil && o.Kind == Mapping && !u.seen[o] {
			u.seen[o] = true
			u.content(o, append(u.parameters(o), shared...))
		}
	}
}

// parameters takes those of the content out of a list of parameters, upgrades the others, and
// returns what it took.
func (u *upgrading) parameters(n *Node) (content []*Node) {
	list := n.Get("parameters")
	if list == nil || list.Kind != Sequence {
		return nil
	}
	rest := at(list, Sequence)
	for _, p := range list.Items {
		if resolved := u.document.Resolve(p); resolved != nil && isContent(resolved) {
			content = append(content, resolved)
			continue
		}
		u.parameter(p)
		rest.Items = append(rest.Items, p)
	}
	n.set("parameters", rest)
	return content
}

// content gives an operation the requestBody that its parameters amount to: one in the body,
// or the fields of a form.
func (u *upgrading) content(o *Node, parameters []*Node) {
	if len(parameters) == 0 {
		return
	}
	first := parameters[0]
	types := o.Get("consumes")
	if types == nil {
		types = u.consumes
	}
	body, schema := at(first, Mapping), first.Get("schema")
	names := typesOf(types)
	if first.TextOf("in") == "body" {
		if required := first.Get("required"); required != nil {
			body.set("required", required)
		}
		if len(names) == 0 {
			names = []string{"*/*"}
		}
	} else {
		schema, names = u.form(first, parameters, names)
	}
	content := at(first, Mapping)
	for _, name := range names {
		media := at(first, Mapping)
		if schema != nil {
			media.set("schema", schema)
		}
		content.Members = append(content.Members, Member{Name: name, Line: first.Line, Column: first.Column, Value: media})
	}
	body.set("content", content)
	o.set("requestBody", body)
}

// typesOf returns the texts of a list, of which real ones have a few.
func typesOf(list *Node) (all []string) {
	const most = 32
	if list == nil {
		return nil
	}
	for _, n := range list.Items[:min(len(list.Items), most)] {
		all = append(all, n.Text)
	}
	return all
}

// form returns the schema of the fields of a form, and the types that it may have of those
// that the operation consumes.
func (u *upgrading) form(first *Node, fields []*Node, consumed []string) (schema *Node, types []string) {
	const plain, multipart = "application/x-www-form-urlencoded", "multipart/form-data"
	schema = mapping(first, "type", text(first, "object"))
	properties, required := at(first, Mapping), at(first, Sequence)
	usual := plain
	for _, f := range fields {
		name := f.TextOf("name")
		if name == "" || f.TextOf("in") != "formData" {
			continue
		}
		properties.Members = append(properties.Members, Member{Name: name, Line: f.Line, Column: f.Column, Value: schemaOf(f)})
		if f.Is("required") {
			required.Items = append(required.Items, text(f, name))
		}
		if f.TextOf("type") == "file" {
			usual = multipart
		}
	}
	schema.set("properties", properties)
	if len(required.Items) > 0 {
		schema.set("required", required)
	}
	for _, name := range consumed {
		if name == plain || name == multipart {
			types = append(types, name)
		}
	}
	if types == nil {
		types = []string{usual}
	}
	return schema, types
}

// scheme gives the scheme of basic authentication its name of 3.0.
func (u *upgrading) scheme(s *Node) {
	if s != nil && s.TextOf("type") == "basic" {
		s.set("type", text(s, "http"))
		s.set("scheme", text(s, "basic"))
	}
}
