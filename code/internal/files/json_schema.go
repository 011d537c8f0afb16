package files

import (
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/request"
)

// schemaOf returns the JSON Schema (draft 2020-12) of values that stand in the
// same place: of one, or of the items of an array.
func schemaOf(values []emit.Value) emit.Value {
	o := newObject()
	var types []string
	var items []emit.Value
	members := make(map[string][]emit.Value)
	var names []string
	for i := range values {
		v := &values[i]
		types = addType(types, typeName(v))
		switch v.Kind {
		case emit.ArrayValue:
			items = append(items, v.Items...)
		case emit.ObjectValue:
			for j, name := range v.Names {
				if members[name] == nil {
					names = append(names, name)
				}
				members[name] = append(members[name], v.Items[j])
			}
		}
	}
	switch len(types) {
	case 0:
		return o.Value
	case 1:
		o.text("type", types[0])
	default:
		var list []emit.Value
		for _, t := range types {
			list = append(list, textValue(t))
		}
		o.list("type", list)
	}
	if len(names) > 0 {
		properties := newObject()
		for _, name := range names {
			properties.add(name, schemaOf(members[name]))
		}
		o.add("properties", properties.Value)
	}
	if len(items) > 0 {
		o.add("items", schemaOf(items))
	}
	return o.Value
}

// addType adds a type, once; a number is an integer as well.
func addType(types []string, name string) []string {
	for i, t := range types {
		switch {
		case t == name, t == "number" && name == "integer":
			return types
		case t == "integer" && name == "number":
			types[i] = name
			return types
		}
	}
	return append(types, name)
}

// typeName returns the type of a value in JSON Schema.
func typeName(v *emit.Value) string {
	switch v.Kind {
	case emit.StringValue:
		return "string"
	case emit.ArrayValue:
		return "array"
	case emit.ObjectValue:
		return "object"
	case emit.NumberValue:
		if strings.ContainsAny(v.Text, ".eE") {
			return "number"
		}
		return "integer"
	}
	if v.Text == "null" {
		return "null"
	}
	return "boolean"
}

// distinctMembers reports whether no object in a value has a name twice, which
// readers of JSON lose.
func distinctMembers(v *emit.Value) bool {
	if !emit.Distinct(v.Names) {
		return false
	}
	for i := range v.Items {
		if !distinctMembers(&v.Items[i]) {
			return false
		}
	}
	return true
}

// scalar returns the value that is spelled as text: a number or a boolean where
// JSON spells it in the same way.
func scalar(s string) emit.Value {
	switch {
	case s == "true" || s == "false":
		return emit.Value{Text: s}
	case emit.IsInteger(s) && plan.PlainNumber(s) != "":
		return emit.Value{Kind: emit.NumberValue, Text: s}
	}
	return textValue(s)
}

// example returns the value of a text that has no variables, or has more than
// one variable in it.
func example(t plan.Text) (v emit.Value, ok bool) {
	if len(t) == 1 && t[0].Variable != nil || !t.IsText() {
		return emit.Value{}, false
	}
	return scalar(t.Source()), true
}

// jsonBody returns the content as a value where it is JSON; variables in its
// strings stay as they were typed.
func jsonBody(c *plan.Call) (emit.Value, bool) {
	if c.Content.JSON != nil {
		return *c.Content.JSON, true
	}
	if c.Content.Kind != plan.RawBody {
		return emit.Value{}, false
	}
	return emit.ParseValue(c.Content.Data.Source())
}

// A nameGroup is the values that have a name in a query or a form.
type nameGroup struct {
	name   string
	values []plan.Text
	bare   bool // no = after the name
}

// queryGroups returns the pairs of a query or a form by name, decoded where
// that is text. Variables that curl encodes are decoded as well.
func queryGroups(query plan.Text) []nameGroup {
	var groups []nameGroup
	at := make(map[string]int)
	for _, pair := range query.Split('&') {
		source := pair.Source()
		name, _, found := strings.Cut(source, "=")
		v := pair.Cut(len(name)+1, len(source))
		name = decodedText(name)
		if name == "" {
			continue
		}
		i, again := at[name]
		if !again {
			i = len(groups)
			at[name] = i
			groups = append(groups, nameGroup{name: name})
		}
		v = plan.Decoded(v)
		for j := range v {
			v[j].Literal = decodedText(v[j].Literal)
		}
		groups[i].values = append(groups[i].values, v)
		groups[i].bare = groups[i].bare || !found
	}
	return groups
}

// schema returns the schema of the values of a name, and an example.
func (g *nameGroup) schema() (schema emit.Value, sample emit.Value, ok bool) {
	var items []emit.Value
	ok = true
	for _, t := range g.values {
		v, known := example(t)
		ok = ok && known
		if !known {
			v = textValue("")
		}
		items = append(items, v)
	}
	if len(items) == 1 {
		s := schemaOf(items)
		if v := onlyVariable(g.values[0]); v != nil && v.HasDefault {
			s.Names, s.Items = append(s.Names, "default"), append(s.Items, textValue(v.Default))
		}
		return s, items[0], ok
	}
	list := listValue(items)
	return schemaOf([]emit.Value{list}), list, ok
}

// onlyVariable returns the variable that a text is, or nil.
func onlyVariable(t plan.Text) *request.Variable {
	if len(t) != 1 {
		return nil
	}
	return t[0].Variable
}
