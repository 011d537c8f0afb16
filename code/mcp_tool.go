package code

import (
	"strings"

	"uncoil/internal/engine/ascii"
	"uncoil/request"
)

// The definition of tools for the Model Context Protocol, as a server lists them
// (https://modelcontextprotocol.io/specification/2025-06-18/server/tools): what
// an agent may fill in, as JSON Schema. The arguments of a tool are the variables
// of its request. _meta holds the request for the server that sends it: a text
// with arguments is a list of strings and arguments, with the encoding that curl
// applies, so that no text is taken for an argument.
var mcpTool = Target{
	Name: "mcp-tool", Language: "json", Client: "MCP", Version: "2025-06-18", Kind: File, Extension: "json",
	Aliases: []string{"mcp", "json-schema"}, filename: "tools.json", style: style{indent: "  "}, write: writeMCPTool,
	client: client{format: true, loose: true, digest: true, target: true},
}

func writeMCPTool(p *program) {
	names := make(map[string]int)
	tools := p.eachCall(func(c *call) value { return p.mcpTool(c, names) })
	if p.options.Bare {
		p.json(oneOrList(tools))
		return
	}
	p.json(newObject().list("tools", tools).value)
}

// mcpTool returns the tool of a call; names counts those of other tools.
func (p *program) mcpTool(c *call, names map[string]int) value {
	name := strings.ToLower(c.Method)
	_, path, _ := c.urlParts()
	for word := range strings.FieldsFuncSeq(path.source(), func(r rune) bool { return r >= 0x80 || !isToolByte(byte(r)) }) {
		if len(name) >= maxToolName {
			break
		}
		name += "_" + word
	}
	name = strings.Map(func(r rune) rune {
		if r >= 0x80 || !isToolByte(byte(r)) {
			return '_'
		}
		return r
	}, name)
	name = numbered(names, name[:min(len(name), maxToolName)])
	properties, schema := newObject(), newObject().text("type", "object")
	var required []value
	seen := make(map[string]bool)
	for i := range c.Variables {
		v := &c.Variables[i]
		if !v.Known() || seen[v.Name] || p.options.KeepVariables {
			continue
		}
		seen[v.Name] = true
		one := newObject().text("type", "string").text("description", "part of "+v.In)
		if v.HasDefault {
			one.text("default", v.Default)
		} else {
			required = append(required, textValue(v.Name))
		}
		properties.add(v.Name, one.value)
	}
	schema.add("properties", properties.value)
	if len(required) > 0 {
		schema.list("required", required)
	}
	schema.bool("additionalProperties", false)
	safe := c.Method == "GET" || c.Method == "HEAD" || c.Method == "OPTIONS"
	return newObject().text("name", name).
		text("description", "Send "+c.title()+" to "+p.fileName()).
		add("inputSchema", schema.value).
		add("annotations", newObject().bool("readOnlyHint", safe).bool("openWorldHint", true).value).
		add("_meta", newObject().add("uncoil/request", p.mcpRequest(c)).value).value
}

// maxToolName leaves room for a number: clients take names of up to 64 bytes.
const maxToolName = 58

func isToolByte(c byte) bool {
	return c == '_' || c == '-' || ascii.IsLetter(c) || ascii.IsDigit(c)
}

// mcpText returns a text, as a list where it has arguments.
func (p *program) mcpText(t text) value {
	if !t.isText() {
		p.refuse("has no place for bytes that are not UTF-8")
	}
	if s, ok := t.plain(); ok {
		return textValue(s)
	}
	return listValue(mcpItems(t))
}

func mcpItems(t text) []value {
	var items []value
	for i := range t {
		v := t[i].variable
		if v == nil {
			items = append(items, textValue(t[i].literal))
			continue
		}
		one := newObject().text("argument", v.Name)
		if v.Encoding > request.AsIs {
			one.text("encoding", v.Encoding.String())
		}
		items = append(items, one.value)
	}
	return items
}

// mcpRequest returns the request.
func (p *program) mcpRequest(c *call) value {
	o := newObject().add("method", p.mcpText(literal(c.Method))).add("url", p.mcpText(c.url))
	if c.Target != "" {
		o.add("target", p.mcpText(c.requestTarget()))
	}
	var headers []value
	for i := range c.fields {
		if f := &c.fields[i]; !f.derived {
			headers = append(headers, newObject().add("name", p.mcpText(literal(f.name))).add("value", p.mcpText(f.value)).value)
		}
	}
	o.list("headers", headers)
	switch {
	case c.basic != nil:
		o.add("basic", p.mcpUser(c.basic))
	case c.digest != nil:
		o.add("digest", p.mcpUser(c.digest))
	}
	switch c.body.kind {
	case noBody:
	case rawBody:
		o.add("body", p.mcpText(c.body.data))
	case multipartBody:
		o.list("form", p.mcpForm(c))
	default:
		var items []value
		for i := range c.body.list {
			items = append(items, p.mcpPiece(&c.body.list[i])...)
		}
		o.list("body", items)
	}
	return o.value
}

func (p *program) mcpUser(who *credentials) value {
	return newObject().add("username", p.mcpText(who.user)).add("password", p.mcpText(who.password)).value
}

// mcpPiece returns a text, or a file with what curl does to it.
func (p *program) mcpPiece(one *piece) []value {
	if one.isText {
		if !one.text.isText() {
			p.refuse("has no place for bytes that are not UTF-8")
		}
		return mcpItems(one.text)
	}
	o := newObject().add("file", p.mcpText(one.file))
	if len(one.name) > 0 {
		o.add("name", p.mcpText(one.name))
	}
	if one.strip {
		o.bool("strip", true)
	}
	if one.urlencode {
		o.text("encoding", request.FormEncode.String())
	}
	if one.offset > 0 {
		o.int("offset", one.offset)
	}
	return []value{o.value}
}

// mcpForm returns the parts of a form.
func (p *program) mcpForm(c *call) []value {
	var parts []value
	for i := range c.body.part {
		part := &c.body.part[i]
		o := newObject().add("name", p.mcpText(part.name))
		if part.isFile() {
			o.add("file", p.mcpText(part.file))
		} else {
			o.add("value", p.mcpText(part.value))
		}
		if part.filename != nil {
			o.add("filename", p.mcpText(literal(*part.filename)))
		}
		if part.contentType != nil {
			o.add("contentType", p.mcpText(literal(*part.contentType)))
		}
		if len(part.Headers) > 0 {
			var lines []value
			for _, line := range part.Headers {
				lines = append(lines, p.mcpText(literal(line)))
			}
			o.list("headers", lines)
		}
		parts = append(parts, o.value)
	}
	return parts
}
