package files

import (
	"unicode/utf8"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/jsontext"
	"uncoil/internal/engine/meter"
	"uncoil/request"
)

// Files that other tools open are JSON, or YAML. A target builds a value, whose
// objects keep their members in order, and json or yaml writes it.

// An object is a JSON object that is being built.
type object struct{ emit.Value }

func newObject() *object { return &object{emit.Value{Kind: emit.ObjectValue}} }

// add adds a member.
func (o *object) add(name string, v emit.Value) *object {
	o.Names, o.Items = append(o.Names, name), append(o.Items, v)
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
	return o.add(name, emit.Value{Kind: emit.NumberValue, Text: emit.Itoa(int(n))})
}

func (o *object) bool(name string, b bool) *object {
	if b {
		return o.add(name, emit.Value{Text: "true"})
	}
	return o.add(name, emit.Value{Text: "false"})
}

// list adds a member that is an array.
func (o *object) list(name string, items []emit.Value) *object { return o.add(name, listValue(items)) }

func textValue(s string) emit.Value           { return emit.Value{Kind: emit.StringValue, Text: s} }
func listValue(items []emit.Value) emit.Value { return emit.Value{Kind: emit.ArrayValue, Items: items} }

// unique returns the object with the first member of each name.
func (o *object) unique() emit.Value {
	u := newObject()
	seen := make(map[string]bool)
	for i, name := range o.Names {
		if !seen[name] {
			seen[name] = true
			u.add(name, o.Items[i])
		}
	}
	return u.Value
}

func oneOrList(items []emit.Value) emit.Value {
	if len(items) == 1 {
		return items[0]
	}
	return listValue(items)
}

// jsonList writes items as a member of an object; or the item or the list alone, where that is
// wanted.
func jsonList(p *plan.Program, name string, items []emit.Value) {
	if p.Options.Bare {
		json(p, oneOrList(items))
	} else {
		json(p, newObject().list(name, items).Value)
	}
}

// json writes a value on lines of its own.
func json(p *plan.Program, v emit.Value) { p.Node("", jsonNode(p.Budget, &v), "") }

func jsonNode(b *emit.Budget, v *emit.Value) emit.Node {
	switch v.Kind {
	case emit.StringValue:
		return emit.Leaf(jsonString(v.Text))
	case emit.ArrayValue, emit.ObjectValue:
		open, end := "[", "]"
		if v.Kind == emit.ObjectValue {
			open, end = "{", "}"
		}
		b.Hold(len(v.Items) * meter.SizeOf[emit.Node]())
		items := make([]emit.Node, len(v.Items))
		for i := range v.Items {
			items[i] = jsonNode(b, &v.Items[i])
			if v.Kind == emit.ObjectValue {
				items[i] = emit.Named(jsonString(v.Names[i]), ": ", items[i])
			}
		}
		return emit.Group("", open, items, end)
	}
	return emit.Leaf(v.Text)
}

func jsonString(s string) string {
	return emit.EscapeTurns(string(jsontext.AppendString(nil, s)), emit.AppendCodeUnit)
}

// eachCall returns what build makes of each call, and reports what it leaves out.
func eachCall(p *plan.Program, build func(c *plan.Call) emit.Value) []emit.Value {
	items := make([]emit.Value, len(p.Calls))
	for i, c := range p.Calls {
		items[i] = build(c)
		p.ReportLosses(c)
	}
	return items
}

// plainText returns the text with its variables as they were typed; bytes that
// are not UTF-8 make an error.
func plainText(p *plan.Program, t plan.Text) string {
	if !t.IsText() {
		p.Refuse("has no place for bytes that are not UTF-8")
	}
	return t.Source()
}

// fileName returns the name of the file: the host of its first request.
func fileName(p *plan.Program) string {
	for _, c := range p.Calls {
		if a, ok := c.Address(); ok {
			return a.Host.Source()
		}
	}
	return "Requests"
}

// unencoded warns of a variable that a tool inserts as it is, and curl encoded.
func unencoded(p *plan.Program, v *request.Variable) {
	p.Cannot("inserts variables as they are", v.Name+" must hold what is encoded already")
}

// decodedText returns a part of a form or a query decoded, or as it is where
// that is no text.
func decodedText(s string) string {
	if d := ascii.Decoded(s, true); utf8.ValidString(d) {
		return d
	}
	return s
}
