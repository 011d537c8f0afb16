package samples

import (
	"strings"

	yaml "github.com/oasdiff/yaml3"

	"uncoil/internal/edge/openapi"
)

// An operation is a method of a path, and where it stands in the text.
type operation struct {
	*spec
	*openapi.Operation
	layout *yaml.Node
}

// A command is the arguments of curl for an operation.
type command struct {
	*operation
	path, query word
	args        []word
	cookies     word
	problem     string // why curl cannot send it
}

// command returns the curl command of an operation, or why there is none.
func (o *operation) command() (_, problem string) {
	c := &command{operation: o}
	c.room = maxValues
	c.parameters()
	c.security()
	c.body()
	if len(c.cookies) > 0 {
		c.add("-b", c.cookies)
	}
	hasBody := len(c.Body.Fields("content")) > 0
	var method []word
	switch {
	case o.Method == "HEAD":
		method = []word{text("-I")}
	case o.Method == "GET" && !hasBody, o.Method == "POST" && hasBody:
	default:
		method = []word{text("-X"), text(o.Method)}
	}
	url := append(c.server(), c.path...)
	if len(c.query) > 0 {
		url = append(append(url, piece{text: "?"}), c.query...)
	}
	dst := []byte("curl")
	for _, w := range append(append(method, url), c.args...) {
		dst = w.appendTo(append(dst, ' '))
	}
	return string(dst), c.problem
}

// add adds an option with its argument.
func (c *command) add(option string, argument word) { c.args = append(c.args, text(option), argument) }

// maxURL is how long the address of a server may become by its variables.
const maxURL = 1 << 16

// server returns the address of the first server, with the defaults of its variables.
func (c *command) server() word {
	var server *openapi.Node
	for _, n := range []*openapi.Node{c.Node, c.Item.Node, c.Root} {
		if all := c.Servers(n); len(all) > 0 && server == nil {
			server = all[0]
		}
	}
	url := server.ScalarOf("url")
	variables := server.Fields("variables")
	for i := range variables {
		name, value := "{"+variables[i].Name+"}", c.text(variables[i].Value, "default")
		if len(url)+strings.Count(url, name)*len(value) > maxURL {
			c.problem = "the address of its server is too long"
			return nil
		}
		url = strings.ReplaceAll(url, name, value)
	}
	url = strings.TrimSuffix(url, "/")
	if !strings.Contains(url, "://") {
		// It is relative to where the document lies (OpenAPI 3.1, Server Object).
		url = "https://example.com" + url
	}
	return text(url)
}

// parameters adds the parameters of the path, and those of the query, the header and
// cookies that are required.
func (c *command) parameters() {
	path := map[string]word{}
	for _, p := range c.Parameters {
		if p.In == "path" {
			path[p.Name] = c.escaped(c.parameter(p.Node), p.Name)
		} else if p.Node.Is("required") {
			c.required(p)
		}
	}
	rest := c.Item.Template
	for {
		before, after, ok := strings.Cut(rest, "{")
		name, more, closed := strings.Cut(after, "}")
		if !ok || !closed {
			c.path = append(c.path, piece{text: rest})
			return
		}
		w, known := path[name]
		if !known {
			w = variable(name)
		}
		c.path = append(append(c.path, piece{text: before}), w...)
		rest = more
	}
}

// parameter returns the example of a parameter.
func (c *command) parameter(n *openapi.Node) value {
	if v, ok := c.fromExample(n); ok {
		return v
	}
	if content := c.first(n, "content"); content != nil {
		v := c.content(content)
		return value{kind: 's', text: string(v.append(nil, "", false)), made: v.made}
	}
	return c.example(c.Find(n, "schema"), 0)
}

// escaped returns a value for a part of a URL. What nobody has written is a variable.
func (c *command) escaped(v value, name string) word {
	if v.made {
		return variable(name)
	}
	if v.kind == 'a' {
		var w word
		for i := range v.values {
			if i > 0 {
				w = append(w, piece{text: ","})
			}
			w = append(w, c.escaped(v.values[i], name)...)
		}
		return w
	}
	return text(escaped(v.plain()))
}

// required adds a parameter outside of the path.
func (c *command) required(p *openapi.Parameter) {
	v := c.parameter(p.Node)
	switch p.In {
	case "query":
		c.queryOf(p.Node, p.Name, v)
	case "header":
		switch strings.ToLower(p.Name) {
		case "accept", "content-type", "authorization": // ignored (OpenAPI 3.1, Parameter Object)
			return
		}
		c.header(p.Name, v)
	case "cookie":
		c.cookie(p.Name, c.escaped(v, p.Name))
	}
}

// queryOf adds a parameter of the query in its style: form or deepObject.
func (c *command) queryOf(n *openapi.Node, name string, v value) {
	explode := c.text(n, "explode") != "false"
	switch {
	case v.kind == 'a' && explode:
		for i := range v.values {
			c.pair(escaped(name), c.escaped(v.values[i], name))
		}
	case v.kind == 'o' && c.text(n, "style") == "deepObject":
		for i := range v.values {
			c.pair(escaped(name+"["+v.names[i]+"]"), c.escaped(v.values[i], v.names[i]))
		}
	case v.kind == 'o' && explode:
		for i := range v.values {
			c.pair(escaped(v.names[i]), c.escaped(v.values[i], v.names[i]))
		}
	default:
		c.pair(escaped(name), c.escaped(v, name))
	}
}

// pair adds a name and a value to the query.
func (c *command) pair(name string, w word) {
	if len(c.query) > 0 {
		name = "&" + name
	}
	c.query = append(append(c.query, piece{text: name + "="}), w...)
}

func (c *command) cookie(name string, w word) {
	if len(c.cookies) > 0 {
		name = "; " + name
	}
	c.cookies = append(append(c.cookies, piece{text: name + "="}), w...)
}

// header adds a field. Text that a field cannot hold is left to a variable.
func (c *command) header(name string, v value) {
	content := v.plain()
	switch {
	case v.made || strings.ContainsAny(content, "\r\n"):
		c.add("-H", append(text(name+": "), variable(name)...))
	case content == "":
		c.add("-H", text(name+";"))
	default:
		c.add("-H", text(name+": "+content))
	}
}

// security adds the credentials of the first requirement, as variables.
func (c *command) security() {
	of := c.Node
	if of.Get("security") == nil {
		of = c.Root
	}
	required := c.Resolve(c.first(of, "security"))
	if required == nil {
		return
	}
	for i := range required.Members {
		name := required.Members[i].Name
		scheme := c.Find(c.Root, "components", "securitySchemes", name)
		bearer := func() { c.add("-H", append(text("Authorization: Bearer "), variable("TOKEN")...)) }
		switch scheme.ScalarOf("type") {
		case "http":
			switch kind := strings.ToLower(scheme.ScalarOf("scheme")); kind {
			case "bearer":
				bearer()
			case "digest":
				c.args = append(c.args, text("--digest"))
				fallthrough
			case "basic":
				c.add("-u", word{{text: "USERNAME", variable: true}, {text: ":"}, {text: "PASSWORD", variable: true}})
			default:
				c.add("-H", append(text("Authorization: "), variable(name)...))
			}
		case "oauth2", "openIdConnect":
			bearer()
		case "apiKey":
			field := scheme.ScalarOf("name")
			switch scheme.ScalarOf("in") {
			case "query":
				c.pair(escaped(field), variable(name))
			case "cookie":
				c.cookie(field, variable(name))
			default:
				c.add("-H", append(text(field+": "), variable(name)...))
			}
		}
	}
}
