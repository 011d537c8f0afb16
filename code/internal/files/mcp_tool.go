package files

import (
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/internal/engine/ascii"
	"uncoil/request"
)

// The definition of tools for the Model Context Protocol, as a server lists them
// (https://modelcontextprotocol.io/specification/2025-06-18/server/tools): what
// an agent may fill in, as JSON Schema. The arguments of a tool are the variables
// of its request. _meta holds the request for the server that sends it: a text
// with arguments is a list of strings and arguments, with the encoding that curl
// applies, so that no text is taken for an argument.
var MCPTool = plan.Target{
	Name: "mcp-tool", Language: "json", Client: "MCP", Version: "2025-06-18", Kind: plan.File, Extension: "json",
	Aliases: []string{"mcp", "json-schema"}, SavedAs: "tools.json", Style: emit.Style{Indent: "  "}, Write: writeMCPTool,
	Facts: plan.Client{Follows: plan.NoMethod, Format: true, Loose: true, Digest: true, Target: true},
}

func writeMCPTool(p *plan.Program) {
	names := make(map[string]int)
	tools := eachCall(p, func(c *plan.Call) emit.Value { return mcpTool(p, c, names) })
	if p.Options.Bare {
		json(p, oneOrList(tools))
		return
	}
	json(p, newObject().list("tools", tools).Value)
}

// mcpTool returns the tool of a call; names counts those of other tools.
func mcpTool(p *plan.Program, c *plan.Call, names map[string]int) emit.Value {
	name := strings.ToLower(c.Method)
	_, path, _ := urlParts(c)
	for word := range strings.FieldsFuncSeq(path.Source(), func(r rune) bool { return r >= 0x80 || !isToolByte(byte(r)) }) {
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
	name = plan.Numbered(names, name[:min(len(name), maxToolName)])
	properties, schema := newObject(), newObject().text("type", "object")
	var required []emit.Value
	seen := make(map[string]bool)
	for i := range c.Variables {
		v := &c.Variables[i]
		if !v.Known() || seen[v.Name] || p.Options.KeepVariables {
			continue
		}
		seen[v.Name] = true
		one := newObject().text("type", "string").text("description", "part of "+v.In)
		if v.HasDefault {
			one.text("default", v.Default)
		} else {
			required = append(required, textValue(v.Name))
		}
		properties.add(v.Name, one.Value)
	}
	schema.add("properties", properties.Value)
	if len(required) > 0 {
		schema.list("required", required)
	}
	schema.bool("additionalProperties", false)
	safe := c.Method == "GET" || c.Method == "HEAD" || c.Method == "OPTIONS"
	return newObject().text("name", name).
		text("description", "Send "+title(c)+" to "+fileName(p)).
		add("inputSchema", schema.Value).
		add("annotations", newObject().bool("readOnlyHint", safe).bool("openWorldHint", true).Value).
		add("_meta", newObject().add("uncoil/request", mcpRequest(p, c)).Value).Value
}

// maxToolName leaves room for a number: clients take names of up to 64 bytes.
const maxToolName = 58

func isToolByte(c byte) bool {
	return c == '_' || c == '-' || ascii.IsLetter(c) || ascii.IsDigit(c)
}

// mcpText returns a text, as a list where it has arguments.
func mcpText(p *plan.Program, t plan.Text) emit.Value {
	if !t.IsText() {
		p.Refuse("has no place for bytes that are not UTF-8")
	}
	if s, ok := t.Plain(); ok {
		return textValue(s)
	}
	return listValue(mcpItems(t))
}

func mcpItems(t plan.Text) []emit.Value {
	var items []emit.Value
	for i := range t {
		v := t[i].Variable
		if v == nil {
			items = append(items, textValue(t[i].Literal))
			continue
		}
		one := newObject().text("argument", v.Name)
		if v.Encoding > request.EncodingNone {
			one.text("encoding", v.Encoding.String())
		}
		items = append(items, one.Value)
	}
	return items
}

// mcpRequest returns the request.
func mcpRequest(p *plan.Program, c *plan.Call) emit.Value {
	o := newObject().add("method", mcpText(p, plan.Literal(c.Method))).add("url", mcpText(p, c.URLText))
	if c.Target != "" {
		o.add("target", mcpText(p, c.TargetText()))
	}
	var headers []emit.Value
	for i := range c.Headers {
		if f := &c.Headers[i]; !f.Derived {
			headers = append(headers, newObject().add("name", mcpText(p, plan.Literal(f.Name))).add("value", mcpText(p, f.Value)).Value)
		}
	}
	o.list("headers", headers)
	switch {
	case c.Basic != nil:
		o.add("basic", mcpUser(p, c.Basic))
	case c.Digest != nil:
		o.add("digest", mcpUser(p, c.Digest))
	}
	switch c.Content.Kind {
	case plan.NoBody:
	case plan.RawBody:
		o.add("body", mcpText(p, c.Content.Data))
	case plan.MultipartBody:
		o.list("form", mcpForm(p, c))
	default:
		var items []emit.Value
		for i := range c.Content.List {
			items = append(items, mcpPiece(p, &c.Content.List[i])...)
		}
		o.list("body", items)
	}
	return o.Value
}

func mcpUser(p *plan.Program, who *plan.Credentials) emit.Value {
	return newObject().add("username", mcpText(p, who.User)).add("password", mcpText(p, who.Password)).Value
}

// mcpPiece returns a text, or a file with what curl does to it.
func mcpPiece(p *plan.Program, one *plan.Piece) []emit.Value {
	if one.IsText {
		if !one.Text.IsText() {
			p.Refuse("has no place for bytes that are not UTF-8")
		}
		return mcpItems(one.Text)
	}
	o := newObject().add("file", mcpText(p, one.File))
	if len(one.Name) > 0 {
		o.add("name", mcpText(p, one.Name))
	}
	if one.Strip {
		o.bool("strip", true)
	}
	if one.Urlencode {
		o.text("encoding", request.EncodingForm.String())
	}
	if one.Offset > 0 {
		o.int("offset", one.Offset)
	}
	return []emit.Value{o.Value}
}

// mcpForm returns the parts of a form.
func mcpForm(p *plan.Program, c *plan.Call) []emit.Value {
	var parts []emit.Value
	for i := range c.Content.Part {
		part := &c.Content.Part[i]
		o := newObject().add("name", mcpText(p, part.NameText))
		if part.IsFile() {
			o.add("file", mcpText(p, part.FileText))
		} else {
			o.add("value", mcpText(p, part.ValueText))
		}
		if part.FilenameText != nil {
			o.add("filename", mcpText(p, plan.Literal(*part.FilenameText)))
		}
		if part.TypeText != nil {
			o.add("contentType", mcpText(p, plan.Literal(*part.TypeText)))
		}
		if len(part.Headers) > 0 {
			var lines []emit.Value
			for _, line := range part.Headers {
				lines = append(lines, mcpText(p, plan.Literal(line)))
			}
			o.list("headers", lines)
		}
		parts = append(parts, o.Value)
	}
	return parts
}
