package files

import (
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/urlparts"
	"uncoil/request"
)

// The definition of tools for the Model Context Protocol, as a server lists them
// (https://modelcontextprotocol.io/specification/2025-06-18/server/tools): what
// an agent may fill in, as JSON Schema. The arguments of a tool are the variables
// of its request and the members of its JSON content. _meta holds the request for the
// server that sends it: a text with arguments is a list of strings and arguments, with the
// encoding that curl applies, so that no text is taken for an argument. Secrets are no
// arguments, and not in the file: the server has them.
var MCPTool = plan.Target{
	Name: "mcp-tool", Convention: plan.Format("json"), Client: "MCP", Version: "2025-06-18", Kind: plan.File, Placeholders: true, Secretless: true, Extension: "json",
	Why:     "a schema reads them; a description of a tool sends nothing",
	Aliases: []string{"mcp", "json-schema"}, SavedAs: "tools.json", Style: emit.Style{Indent: "  "}, Write: writeMCPTool,
	Facts: plan.Client{Follows: plan.NoMethod, Format: true, Loose: true, Digest: true, Target: true},
}

func writeMCPTool(p *plan.Program) {
	names := make(map[string]int)
	tools := eachCall(p, func(c *plan.Call) emit.Value { return mcpTool(p, c, names) })
	jsonList(p, "tools", tools)
}

// mcpTool returns the tool of a call; names counts those of other tools.
func mcpTool(p *plan.Program, c *plan.Call, names map[string]int) emit.Value {
	t := toolOf(p, c)
	safe := c.Method == "GET" || c.Method == "HEAD" || c.Method == "OPTIONS"
	return newObject().text("name", toolName(c, names)).
		text("description", t.description()).
		add("inputSchema", t.schema()).
		add("annotations", newObject().bool("readOnlyHint", safe).bool("openWorldHint", true).Value).
		add("_meta", newObject().add("uncoil/request", t.request()).Value).Value
}

// toolName returns the name of the tool of a call: its method and the words of its path.
// names counts those of other tools.
func toolName(c *plan.Call, names map[string]int) string {
	name := strings.ToLower(c.Method)
	_, path, _ := c.URLParts()
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
	return plan.Numbered(names, name[:min(len(name), maxToolName)])
}

// maxToolName leaves room for a number: clients take names of up to 64 bytes.
const maxToolName = 58

func isToolByte(c byte) bool {
	return c == '_' || c == '-' || ascii.IsLetter(c) || ascii.IsDigit(c)
}

// A tool is a call with the arguments that an agent fills in.
type tool struct {
	p          *plan.Program
	c          *plan.Call
	properties *object
	required   []emit.Value
	secret     map[string]bool // variables that the server has
	body       []jsonArgument
}

func (t *tool) description() string { return "Send " + t.c.Title() + " to " + fileName(t.p) }

// schema returns the schema of the arguments.
func (t *tool) schema() emit.Value {
	o := newObject().text("type", "object").add("properties", t.properties.Value)
	if len(t.required) > 0 {
		o.list("required", t.required)
	}
	return o.bool("additionalProperties", false).Value
}

// text returns a text, as a list where it has arguments.
func (t *tool) text(text plan.Text) emit.Value {
	if !text.IsText() {
		t.p.Refuse("has no place for bytes that are not UTF-8")
	}
	if s, ok := text.Plain(); ok {
		return textValue(s)
	}
	return listValue(t.items(text))
}

func (t *tool) items(text plan.Text) []emit.Value {
	var items []emit.Value
	for i := range text {
		if v := text[i].Variable; v != nil {
			items = append(items, t.variable(v))
		} else {
			items = append(items, textValue(text[i].Literal))
		}
	}
	return items
}

// variable returns a reference to an argument, or to a secret.
func (t *tool) variable(v *request.Variable) emit.Value {
	one := newObject()
	if t.secret[v.Name] {
		one.text("secret", v.Name)
	} else {
		one.text("argument", v.Name)
	}
	if e := t.encoding(v); e > request.EncodingNone {
		one.text("encoding", e.String())
	}
	return one.Value
}

// encoding returns the encoding of the value of a variable. That of a placeholder is one
// value in its place, whatever an agent says: curl is given it encoded.
func (t *tool) encoding(v *request.Variable) request.Encoding {
	if _, ok := fillIn(v); !ok || v.Encoding > request.EncodingNone {
		return v.Encoding
	}
	switch v.At.Member {
	case request.MemberURL:
		if v.Start > urlparts.Of(t.c.URL).Path {
			return request.EncodingPercent
		}
	case request.MemberBody:
		switch t.c.Body.Kind {
		case request.KindJSON:
			return request.EncodingJSON
		case request.KindForm:
			return request.EncodingForm
		}
	}
	return v.Encoding
}

// request returns the request.
func (t *tool) request() emit.Value {
	c := t.c
	o := newObject().text("method", c.Method).add("url", t.text(c.URLText))
	if c.Target != "" {
		o.add("target", t.text(c.TargetText()))
	}
	var headers []emit.Value
	for i := range c.Headers() {
		if f := &c.Headers()[i]; !f.Derived() {
			headers = append(headers, newObject().text("name", f.Name).add("value", t.text(f.Value)).Value)
		}
	}
	o.list("headers", headers)
	switch {
	case c.Basic != nil:
		o.add("basic", t.user(c.Basic))
	case c.Digest != nil:
		o.add("digest", t.user(c.Digest))
	}
	switch {
	case c.Content.Kind == plan.NoBody:
	case len(t.body) > 0:
		o.list("body", t.jsonItems(c.Content.Data))
	case c.Content.Kind == plan.RawBody:
		o.add("body", t.text(c.Content.Data))
	case c.Content.Kind == plan.MultipartBody:
		o.list("form", t.form())
	default:
		var items []emit.Value
		for i := range c.Content.List {
			items = append(items, t.piece(&c.Content.List[i])...)
		}
		o.list("body", items)
	}
	return o.Value
}

func (t *tool) user(who *plan.Credentials) emit.Value {
	return newObject().add("username", t.text(who.User)).add("password", t.text(who.Password)).Value
}

// piece returns a text, or a file with what curl does to it.
func (t *tool) piece(one *plan.Piece) []emit.Value {
	if one.IsText {
		if !one.Text.IsText() {
			t.p.Refuse("has no place for bytes that are not UTF-8")
		}
		return t.items(one.Text)
	}
	o := newObject().add("file", t.text(one.File))
	if len(one.Name) > 0 {
		o.add("name", t.text(one.Name))
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

// form returns the parts of a form.
func (t *tool) form() []emit.Value {
	var parts []emit.Value
	for i := range t.c.Content.Part {
		part := &t.c.Content.Part[i]
		o := newObject().add("name", t.text(part.NameText))
		if part.IsFile() {
			o.add("file", t.text(part.FileText))
		} else {
			o.add("value", t.text(part.ValueText))
		}
		if part.FilenameText != nil {
			o.add("filename", t.text(plan.Literal(*part.FilenameText)))
		}
		if part.TypeText != nil {
			o.add("contentType", t.text(plan.Literal(*part.TypeText)))
		}
		if len(part.Headers) > 0 {
			var lines []emit.Value
			for _, line := range part.Headers {
				lines = append(lines, t.text(plan.Literal(line)))
			}
			o.list("headers", lines)
		}
		parts = append(parts, o.Value)
	}
	return parts
}
