package samples

import (
	"strings"

	"uncoil/internal/edge/openapi"
	"uncoil/internal/engine/jsontext"
)

// A spec is an OpenAPI document that examples are made from.
type spec struct {
	*openapi.Document
	work int // what may still be done for examples
	room int // how many values the present example may still have
	// within are the schemas that the present example is made from.
	within map[*openapi.Node]bool
}

// text returns the text of a member that is a scalar, which a reference may lead to, or "".
func (s *spec) text(n *openapi.Node, name string) string {
	if v := s.Find(n, name); v != nil {
		return v.Text
	}
	return ""
}

// first returns the value of the first member or the first item, or nil.
func (s *spec) first(n *openapi.Node, name string) *openapi.Node { return s.Find(n, name).First() }

// A value is an example: JSON in the end. Where the document has none for text, it is
// what the type says, and made is true.
type value struct {
	kind   byte   // of JSON: 's' for a string, 'l' for another literal, 'a', 'o'
	text   string // of strings and literals
	names  []string
	values []value // of arrays and objects
	made   bool    // nobody has written it: a word that stands for any text
	isFile bool    // the content of a file
}

// maxDepth is how deep examples nest that a schema makes.
const maxDepth = 8

// fromExample returns the example that stands beside a schema or in it: of a parameter,
// a content or a schema.
func (s *spec) fromExample(n *openapi.Node) (value, bool) {
	n = s.Resolve(n)
	if v := n.Get("example"); v != nil {
		return s.literal(v), true
	}
	if all := s.Find(n, "examples"); all.First() != nil {
		// In a schema it is the value itself, elsewhere an object with the value.
		if wrapped := s.Find(all.First(), "value"); wrapped != nil {
			return s.literal(wrapped), true
		}
		if all.Kind == openapi.Sequence {
			return s.literal(all.First()), true
		}
	}
	return value{}, false
}

// example returns the example of a schema.
func (s *spec) example(schema *openapi.Node, depth int) value {
	s.work--
	s.room--
	schema = s.Resolve(schema)
	if v, ok := s.fromExample(schema); ok {
		return v
	}
	for _, name := range []string{"const", "default"} {
		if v := schema.Get(name); v != nil {
			return s.literal(v)
		}
	}
	if first := s.first(schema, "enum"); first != nil {
		return s.literal(first)
	}
	for _, name := range []string{"oneOf", "anyOf"} {
		if first := s.first(schema, name); first != nil && depth < maxDepth && schema.Get("properties") == nil {
			return s.example(first, depth+1)
		}
	}
	switch s.typeOf(schema) {
	case "object", "array":
		s.within[schema] = true
		defer delete(s.within, schema)
		if s.typeOf(schema) == "object" {
			return s.object(schema, depth)
		}
		v := value{kind: 'a'}
		if items := s.Find(schema, "items"); items != nil && s.enters(items, depth) {
			v.values = append(v.values, s.example(items, depth+1))
		}
		return v
	case "boolean":
		return value{kind: 'l', text: "true"}
	case "integer", "number":
		v := value{kind: 'l', text: "1"}
		if least := s.Find(schema, "minimum"); least != nil && least.Kind == openapi.Number {
			v.text = least.Text
		}
		return v
	case "null":
		return value{kind: 'l', text: "null"}
	case "":
		if first := s.first(schema, "allOf"); first != nil && depth < maxDepth {
			return s.example(first, depth+1)
		}
	}
	return s.made(schema)
}

// maxValues is how many values an example has that a schema makes.
const maxValues = 60

// enters reports whether an example may have a value of a schema: not within one of the
// same, not too deep, and not one of very many.
func (s *spec) enters(schema *openapi.Node, depth int) bool {
	return !s.within[schema] && depth < maxDepth && s.room > 0 && s.work > 0
}

// wants reports whether an object has a member: one that is required, or has an example.
// Where none is required it is any, and within another value any that is no object or
// array itself.
func (s *spec) wants(name string, member *openapi.Node, required map[string]bool, depth int) bool {
	if member.Is("readOnly") || !s.enters(member, depth) {
		return false
	}
	if _, has := s.fromExample(member); has || len(required) > 0 {
		return has || required[name]
	}
	kind := s.typeOf(member)
	return depth == 0 || kind != "object" && kind != "array"
}

// formats are examples of text in some formats.
var formats = map[string]string{
	"date": "2026-01-31", "date-time": "2026-01-31T12:00:00Z", "time": "12:00:00Z", "duration": "P1D",
	"uuid": "123e4567-e89b-12d3-a456-426614174000", "email": "ann@example.com", "uri": "https://example.com",
	"url": "https://example.com", "hostname": "example.com", "ipv4": "192.0.2.1", "ipv6": "2001:db8::1", "byte": "dGV4dA==",
}

// made returns text of which only the format is known.
func (s *spec) made(schema *openapi.Node) value {
	format := s.text(schema, "format")
	if text := formats[format]; text != "" {
		return value{kind: 's', text: text}
	}
	isFile := format == "binary" || schema.Get("contentMediaType") != nil
	return value{kind: 's', text: "string", made: true, isFile: isFile}
}

// typeOf returns the type of a schema, the first but null of several.
func (s *spec) typeOf(schema *openapi.Node) string {
	for _, one := range schema.List("type") {
		if one.Text != "null" {
			return one.Text
		}
	}
	if t := s.text(schema, "type"); t != "" {
		return t
	}
	if schema.Get("properties") != nil {
		return "object"
	}
	for _, part := range schema.List("allOf") {
		if part = s.Resolve(part); part.Get("properties") != nil || s.text(part, "type") == "object" {
			return "object"
		}
	}
	return ""
}

// object returns the example of an object.
func (s *spec) object(schema *openapi.Node, depth int) value {
	v := value{kind: 'o'}
	required := map[string]bool{}
	s.parts(schema, 0, func(part *openapi.Node) {
		for _, name := range part.List("required") {
			required[name.Text] = true
		}
	})
	seen := map[string]bool{}
	s.parts(schema, 0, func(part *openapi.Node) {
		properties := part.Fields("properties")
		for i := range properties {
			name, property := properties[i].Name, s.Resolve(properties[i].Value)
			if seen[name] || !s.wants(name, property, required, depth) {
				continue
			}
			seen[name] = true
			v.names = append(v.names, name)
			v.values = append(v.values, s.example(property, depth+1))
		}
	})
	return v
}

// parts calls use with a schema and those that it is made of.
func (s *spec) parts(schema *openapi.Node, depth int, use func(*openapi.Node)) {
	if schema = s.Resolve(schema); schema == nil || depth >= maxDepth || s.work <= 0 {
		return
	}
	s.work--
	use(schema)
	for _, part := range schema.List("allOf") {
		s.parts(part, depth+1, use)
	}
}

// literal returns what stands in the document, where nothing is a reference.
func (s *spec) literal(n *openapi.Node) value {
	if s.work--; s.work <= 0 {
		return value{kind: 'l', text: "null"}
	}
	switch n.Kind {
	case openapi.Text:
		return value{kind: 's', text: n.Text}
	case openapi.Null:
		return value{kind: 'l', text: "null"}
	case openapi.Boolean, openapi.Number:
		return value{kind: 'l', text: n.Text}
	}
	v := value{kind: 'a'}
	if n.Kind == openapi.Mapping {
		v.kind = 'o'
	}
	for _, item := range n.Items {
		v.values = append(v.values, s.literal(item))
	}
	for i := range n.Members {
		v.names = append(v.names, n.Members[i].Name)
		v.values = append(v.values, s.literal(n.Members[i].Value))
	}
	return v
}

// wide is how long JSON on one line may be.
const wide = 60

// json returns a value as JSON, on one line where it is short.
func (v *value) json() string {
	text := string(v.append(nil, "", false))
	if len(text) > wide {
		text = string(v.append(nil, "\n", true))
	}
	return text
}

// append appends JSON. The margin is what begins a line.
func (v *value) append(dst []byte, margin string, broken bool) []byte {
	open, end := byte('{'), byte('}')
	switch v.kind {
	case 's':
		return jsontext.AppendString(dst, v.text)
	case 'l':
		return append(dst, v.text...)
	case 'a':
		open, end = '[', ']'
	}
	dst = append(dst, open)
	inner := margin
	if broken {
		inner += "  "
	}
	for i := range v.values {
		if i > 0 {
			dst = append(dst, ',')
			if !broken {
				dst = append(dst, ' ')
			}
		}
		dst = append(dst, inner...)
		if v.kind == 'o' {
			dst = append(jsontext.AppendString(dst, v.names[i]), ": "...)
		}
		dst = v.values[i].append(dst, inner, broken)
	}
	if len(v.values) > 0 {
		dst = append(dst, margin...)
	}
	return append(dst, end)
}

// plain returns a value as text outside of JSON, where arrays are joined by commas.
func (v *value) plain() string {
	switch v.kind {
	case 's', 'l':
		return v.text
	case 'a':
		var parts []string
		for i := range v.values {
			parts = append(parts, v.values[i].plain())
		}
		return strings.Join(parts, ",")
	}
	return string(v.append(nil, "", false))
}
