//go:build !nocode

package code

import (
	"unicode/utf8"

	"uncoil/internal/jsontext"
	"uncoil/request"
)

// Files that other tools open are JSON, or YAML. A target builds a value, whose
// objects keep their members in order, and json or yaml writes it.

// An object is a JSON object that is being built.
type object struct{ value }

func newObject() *object { return &object{value{kind: objectValue}} }

// add adds a member.
func (o *object) add(name string, v value) *object {
	o.names, o.items = append(o.names, name), append(o.items, v)
	return o
}

// text adds a member that is a string.
func (o *object) text(name, s string) *object { return o.add(name, textValue(s)) }

// optional is text, but an empty string adds nothing.
func (o *object) optional(name, s string) *object {
	if s == "" {
		return o
	}
	return o.text(name, s)
}

func (o *object) int(name string, n int64) *object {
	return o.add(name, value{kind: numberValue, text: itoa(int(n))})
}

func (o *object) bool(name string, b bool) *object {
	if b {
		return o.add(name, value{text: "true"})
	}
	return o.add(name, value{text: "false"})
}

// list adds a member that is an array.
func (o *object) list(name string, items []value) *object { return o.add(name, listValue(items)) }

func textValue(s string) value      { return value{kind: stringValue, text: s} }
func listValue(items []value) value { return value{kind: arrayValue, items: items} }
func oneOrList(items []value) value {
	if len(items) == 1 {
		return items[0]
	}
	return listValue(items)
}

// json writes a value on lines of its own.
func (p *program) json(v value) { p.node("", jsonNode(&v), "") }

func jsonNode(v *value) node {
	switch v.kind {
	case stringValue:
		return leaf(jsonString(v.text))
	case arrayValue, objectValue:
		open, end := "[", "]"
		if v.kind == objectValue {
			open, end = "{", "}"
		}
		items := make([]node, len(v.items))
		for i := range v.items {
			items[i] = jsonNode(&v.items[i])
			if v.kind == objectValue {
				items[i] = named(jsonString(v.names[i])+": ", items[i])
			}
		}
		return group("", open, items, end)
	}
	return leaf(v.text)
}

func jsonString(s string) string { return string(jsontext.AppendString(nil, s)) }

// eachCall writes the losses of each call, and returns what build makes of it.
func (p *program) eachCall(build func(c *call) value) []value {
	items := make([]value, len(p.calls))
	for i, c := range p.calls {
		p.reportLosses(c)
		if name := c.output.source(); name != "" && name != "-" && name != nullDevice && !p.target.client.can("output") {
			p.lossAt(c.place("output"), "-o", "writes no files")
		}
		if c.fail && !p.target.client.can("fail") {
			p.lossAt(c.place("fail"), "-f", "does not fail for a status")
		}
		items[i] = build(c)
	}
	return items
}

// plainText returns the text with its variables as they were typed; bytes that
// are not UTF-8 make an error.
func (p *program) plainText(t text) string {
	if !t.isText() {
		p.refuse("has no place for bytes that are not UTF-8")
	}
	return t.source()
}

// title returns a name for the request: the method and the path.
func (c *call) title() string {
	title := c.Method
	if a, ok := c.address(); ok {
		path := a.path.source()
		for i := range len(path) {
			if path[i] == '?' || path[i] == '#' {
				path = path[:i]
				break
			}
		}
		title += " " + path
	}
	return title
}

// fileName returns the name of the file: the host of its first request.
func (p *program) fileName() string {
	for _, c := range p.calls {
		if a, ok := c.address(); ok {
			return a.host.source()
		}
	}
	return "Requests"
}

// unencoded warns of a variable that a tool inserts as it is, and curl encoded.
func (p *program) unencoded(v *request.Variable) {
	p.cannot("inserts variables as they are", v.Name+" must hold what is encoded already")
}

// decodedText returns a part of a form or a query decoded, or as it is where
// that is no text.
func decodedText(s string) string {
	if d := decodeForm(s); utf8.ValidString(d) {
		return d
	}
	return s
}
