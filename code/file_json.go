package code

import (
	"strings"
	"unicode/utf8"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/jsontext"
	"uncoil/internal/engine/meter"
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

// unique returns the object with the first member of each name.
func (o *object) unique() value {
	u := newObject()
	seen := make(map[string]bool)
	for i, name := range o.names {
		if !seen[name] {
			seen[name] = true
			u.add(name, o.items[i])
		}
	}
	return u.value
}

func oneOrList(items []value) value {
	if len(items) == 1 {
		return items[0]
	}
	return listValue(items)
}

// json writes a value on lines of its own.
func (p *program) json(v value) { p.node("", jsonNode(p.budget, &v), "") }

func jsonNode(b *budget, v *value) node {
	switch v.kind {
	case stringValue:
		return leaf(jsonString(v.text))
	case arrayValue, objectValue:
		open, end := "[", "]"
		if v.kind == objectValue {
			open, end = "{", "}"
		}
		b.hold(len(v.items) * meter.SizeOf[node]())
		items := make([]node, len(v.items))
		for i := range v.items {
			items[i] = jsonNode(b, &v.items[i])
			if v.kind == objectValue {
				items[i] = named(jsonString(v.names[i]), ": ", items[i])
			}
		}
		return group("", open, items, end)
	}
	return leaf(v.text)
}

func jsonString(s string) string {
	return escapeTurns(string(jsontext.AppendString(nil, s)), appendCodeUnit)
}

// eachCall writes the losses of each call, and returns what build makes of it.
func (p *program) eachCall(build func(c *call) value) []value {
	items := make([]value, len(p.calls))
	for i, c := range p.calls {
		p.fileLosses(c)
		items[i] = build(c)
	}
	return items
}

// fileLosses warns of what a call asks for and the file cannot say.
func (p *program) fileLosses(c *call) {
	p.reportLosses(c)
	if name := c.output.source(); name != "" && name != "-" && name != nullDevice && !p.target.client.can("output") {
		p.lossAt(c.place("output"), "-o", "writes no files")
	}
	if c.fail && !p.target.client.can("fail") {
		p.lossAt(c.place("fail"), "-f", "does not fail for a status")
	}
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
	_, path, _ := c.urlParts()
	return c.Method + " " + path.source()
}

// urlParts returns the URL in three parts: what is before the path, the path,
// and the query.
func (c *call) urlParts() (base, path, query text) {
	start := 0
	if i := strings.Index(c.URL, "://"); i >= 0 {
		start = i + len("://")
	}
	slash := c.url.index("/?#", start)
	mark := c.url.index("?#", slash)
	path = c.url.cut(slash, mark)
	if len(path) == 0 {
		path = literal("/")
	}
	if c.url.index("?", mark) == mark {
		query = c.url.cut(mark+1, c.url.index("#", mark))
	}
	return c.url.cut(0, slash), path, query
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
	if d := ascii.Decoded(s, true); utf8.ValidString(d) {
		return d
	}
	return s
}
