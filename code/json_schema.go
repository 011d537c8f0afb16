package code

import (
	"strings"

	"uncoil/request"
)

// schemaOf returns the JSON Schema (draft 2020-12) of values that stand in the
// same place: of one, or of the items of an array.
func schemaOf(values []value) value {
	o := newObject()
	var types []string
	var items []value
	members := make(map[string][]value)
	var names []string
	for i := range values {
		v := &values[i]
		types = addType(types, v.typeName())
		switch v.kind {
		case arrayValue:
			items = append(items, v.items...)
		case objectValue:
			for j, name := range v.names {
				if members[name] == nil {
					names = append(names, name)
				}
				members[name] = append(members[name], v.items[j])
			}
		}
	}
	switch len(types) {
	case 0:
		return o.value
	case 1:
		o.text("type", types[0])
	default:
		var list []value
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
		o.add("properties", properties.value)
	}
	if len(items) > 0 {
		o.add("items", schemaOf(items))
	}
	return o.value
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
func (v *value) typeName() string {
	switch v.kind {
	case stringValue:
		return "string"
	case arrayValue:
		return "array"
	case objectValue:
		return "object"
	case numberValue:
		if strings.ContainsAny(v.text, ".eE") {
			return "number"
		}
		return "integer"
	}
	if v.text == "null" {
		return "null"
	}
	return "boolean"
}

// distinctMembers reports whether no object in a value has a name twice, which
// readers of JSON lose.
func (v *value) distinctMembers() bool {
	if !distinct(v.names) {
		return false
	}
	for i := range v.items {
		if !v.items[i].distinctMembers() {
			return false
		}
	}
	return true
}

// scalar returns the value that is spelled as text: a number or a boolean where
// JSON spells it in the same way.
func scalar(s string) value {
	switch {
	case s == "true" || s == "false":
		return value{text: s}
	case isInteger(s) && plainNumber(s) != "":
		return value{kind: numberValue, text: s}
	}
	return textValue(s)
}

// example returns the value of a text that has no variables, or has more than
// one variable in it.
func example(t text) (v value, ok bool) {
	if len(t) == 1 && t[0].variable != nil || !t.isText() {
		return value{}, false
	}
	return scalar(t.source()), true
}

// jsonBody returns the content as a value where it is JSON; variables in its
// strings stay as they were typed.
func (c *call) jsonBody() (value, bool) {
	if c.body.json != nil {
		return *c.body.json, true
	}
	if c.body.kind != rawBody {
		return value{}, false
	}
	return parseValue(c.body.data.source())
}

// A nameGroup is the values that have a name in a query or a form.
type nameGroup struct {
	name   string
	values []text
	bare   bool // no = after the name
}

// queryGroups returns the pairs of a query or a form by name, decoded where
// that is text. Variables that curl encodes are decoded as well.
func queryGroups(query text) []nameGroup {
	var groups []nameGroup
	at := make(map[string]int)
	for _, pair := range query.split('&') {
		source := pair.source()
		name, _, found := strings.Cut(source, "=")
		v := pair.cut(len(name)+1, len(source))
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
		v = decoded(v)
		for j := range v {
			v[j].literal = decodedText(v[j].literal)
		}
		groups[i].values = append(groups[i].values, v)
		groups[i].bare = groups[i].bare || !found
	}
	return groups
}

// schema returns the schema of the values of a name, and an example.
func (g *nameGroup) schema() (schema value, sample value, ok bool) {
	var items []value
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
			s.names, s.items = append(s.names, "default"), append(s.items, textValue(v.Default))
		}
		return s, items[0], ok
	}
	list := listValue(items)
	return schemaOf([]value{list}), list, ok
}

// onlyVariable returns the variable that a text is, or nil.
func onlyVariable(t text) *request.Variable {
	if len(t) != 1 {
		return nil
	}
	return t[0].variable
}
