package samples

import (
	"strings"

	yaml "github.com/oasdiff/yaml3"
)

// An operation is a method of a path.
type operation struct {
	*spec
	method, path string
	item, node   *yaml.Node // the path item, and the operation itself
	key          *yaml.Node // what names the method
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
	hasBody := own(o.node, "requestBody") != nil && c.hasContent()
	var method []word
	switch {
	case o.method == "HEAD":
		method = []word{text("-I")}
	case o.method == "GET" && !hasBody, o.method == "POST" && hasBody:
	default:
		method = []word{text("-X"), text(o.method)}
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

// hasContent reports whether the body of the operation has content.
func (c *command) hasContent() bool {
	return c.first(c.member(c.node, "requestBody", "content")) != nil
}

// server returns the address of the first server, with the defaults of its variables.
func (c *command) server() word {
	var server *yaml.Node
	for _, n := range []*yaml.Node{c.node, c.item, c.root} {
		if first := c.first(own(c.target(n), "servers")); first != nil && server == nil {
			server = first
		}
	}
	url := c.text(server, "url")
	c.members(own(c.target(server), "variables"), func(name string, v *yaml.Node) {
		url = strings.ReplaceAll(url, "{"+name+"}", c.text(v, "default"))
	})
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
	seen := map[string]bool{}
	for _, n := range append(c.items(own(c.node, "parameters")), c.items(own(c.target(c.item), "parameters"))...) {
		name, place := c.text(n, "name"), c.text(n, "in")
		if seen[place+"\x00"+name] {
			continue // that of the operation is before that of the path
		}
		seen[place+"\x00"+name] = true
		if place == "path" {
			path[name] = c.escaped(c.parameter(n), name)
		} else if c.is(n, "required") {
			c.required(n, name, place)
		}
	}
	rest := c.operation.path
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
func (c *command) parameter(n *yaml.Node) value {
	if v, ok := c.fromExample(n); ok {
		return v
	}
	if content := c.first(own(c.target(n), "content")); content != nil {
		v := c.content(content)
		return value{kind: 's', text: string(v.append(nil, "", false)), made: v.made}
	}
	return c.example(own(c.target(n), "schema"), 0)
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
func (c *command) required(n *yaml.Node, name, place string) {
	v := c.parameter(n)
	switch place {
	case "query":
		c.queryOf(n, name, v)
	case "header":
		switch strings.ToLower(name) {
		case "accept", "content-type", "authorization": // ignored (OpenAPI 3.1, Parameter Object)
			return
		}
		c.header(name, v)
	case "cookie":
		c.cookie(name, c.escaped(v, name))
	}
}

// queryOf adds a parameter of the query in its style: form or deepObject.
func (c *command) queryOf(n *yaml.Node, name string, v value) {
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
	all := own(c.node, "security")
	if all == nil {
		all = own(c.root, "security")
	}
	c.members(c.first(all), func(name string, _ *yaml.Node) {
		scheme := c.member(c.root, "components", "securitySchemes", name)
		bearer := func() { c.add("-H", append(text("Authorization: Bearer "), variable("TOKEN")...)) }
		switch c.text(scheme, "type") {
		case "http":
			switch kind := strings.ToLower(c.text(scheme, "scheme")); kind {
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
			field := c.text(scheme, "name")
			switch c.text(scheme, "in") {
			case "query":
				c.pair(escaped(field), variable(name))
			case "cookie":
				c.cookie(field, variable(name))
			default:
				c.add("-H", append(text(field+": "), variable(name)...))
			}
		}
	})
}
