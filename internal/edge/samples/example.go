package samples

import (
	"encoding/json"
	"regexp"
	"strings"

	yaml "github.com/oasdiff/yaml3"

	"uncoil/internal/engine/jsontext"
)

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
func (s *spec) fromExample(n *yaml.Node) (value, bool) {
	if v := own(s.target(n), "example"); v != nil {
		return s.literal(v, 0), true
	}
	if first := s.first(s.member(n, "examples")); first != nil {
		// In a schema it is the value itself, elsewhere an object with the value.
		if wrapped := s.member(first, "value"); wrapped != nil {
			return s.literal(wrapped, 0), true
		}
		if s.member(n, "examples").Kind == yaml.SequenceNode {
			return s.literal(first, 0), true
		}
	}
	return value{}, false
}

// example returns the example of a schema.
func (s *spec) example(schema *yaml.Node, depth int) value {
	s.work--
	s.room--
	schema = s.target(schema)
	if v, ok := s.fromExample(schema); ok {
		return v
	}
	for _, name := range []string{"const", "default"} {
		if v := own(schema, name); v != nil {
			return s.literal(v, 0)
		}
	}
	if first := s.first(own(schema, "enum")); first != nil {
		return s.literal(first, 0)
	}
	for _, name := range []string{"oneOf", "anyOf"} {
		if first := s.first(own(schema, name)); first != nil && depth < maxDepth && own(schema, "properties") == nil {
			return s.example(first, depth+1)
		}
	}
	all := s.items(own(schema, "allOf"))
	switch s.typeOf(schema) {
	case "object", "array":
		s.within[schema] = true
		defer delete(s.within, schema)
		if s.typeOf(schema) == "object" {
			return s.object(schema, depth)
		}
		v := value{kind: 'a'}
		if items := s.target(own(schema, "items")); items != nil && s.enters(items, depth) {
			v.values = append(v.values, s.example(items, depth+1))
		}
		return v
	case "boolean":
		return value{kind: 'l', text: "true"}
	case "integer", "number":
		v := value{kind: 'l', text: "1"}
		if least := s.text(schema, "minimum"); number.MatchString(least) {
			v.text = least
		}
		return v
	case "null":
		return value{kind: 'l', text: "null"}
	case "":
		if len(all) > 0 && depth < maxDepth {
			return s.example(all[0], depth+1)
		}
	}
	return s.made(schema)
}

// maxValues is how many values an example has that a schema makes.
const maxValues = 60

// enters reports whether an example may have a value of a schema: not within one of the
// same, not too deep, and not one of very many.
func (s *spec) enters(schema *yaml.Node, depth int) bool {
	return !s.within[schema] && depth < maxDepth && s.room > 0 && s.work > 0
}

// wants reports whether an object has a member: one that is required, or has an example.
// Where none is required it is any, and within another value any that is no object or
// array itself.
func (s *spec) wants(name string, member *yaml.Node, required map[string]bool, depth int) bool {
	if s.is(member, "readOnly") || !s.enters(member, depth) {
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
func (s *spec) made(schema *yaml.Node) value {
	format := s.text(schema, "format")
	if text := formats[format]; text != "" {
		return value{kind: 's', text: text}
	}
	isFile := format == "binary" || own(schema, "contentMediaType") != nil
	return value{kind: 's', text: "string", made: true, isFile: isFile}
}

// typeOf returns the type of a schema, the first but null of several.
func (s *spec) typeOf(schema *yaml.Node) string {
	for _, one := range s.items(own(schema, "type")) {
		if one.Value != "null" {
			return one.Value
		}
	}
	if t := s.text(schema, "type"); t != "" {
		return t
	}
	if own(schema, "properties") != nil {
		return "object"
	}
	for _, part := range s.items(own(schema, "allOf")) {
		if part = s.target(part); own(part, "properties") != nil || s.text(part, "type") == "object" {
			return "object"
		}
	}
	return ""
}

// object returns the example of an object.
func (s *spec) object(schema *yaml.Node, depth int) value {
	v := value{kind: 'o'}
	required := map[string]bool{}
	s.parts(schema, 0, func(part *yaml.Node) {
		for _, name := range s.items(own(part, "required")) {
			required[name.Value] = true
		}
	})
	seen := map[string]bool{}
	s.parts(schema, 0, func(part *yaml.Node) {
		s.members(own(part, "properties"), func(name string, property *yaml.Node) {
			target := s.target(property)
			if seen[name] || !s.wants(name, target, required, depth) {
				return
			}
			seen[name] = true
			v.names = append(v.names, name)
			v.values = append(v.values, s.example(target, depth+1))
		})
	})
	return v
}

// parts calls use with a schema and those that it is made of.
func (s *spec) parts(schema *yaml.Node, depth int, use func(*yaml.Node)) {
	if schema = s.target(schema); schema == nil || depth >= maxDepth || s.work <= 0 {
		return
	}
	s.work--
	use(schema)
	for _, part := range s.items(own(schema, "allOf")) {
		s.parts(part, depth+1, use)
	}
}

// number is a number of JSON (RFC 8259, 6).
var number = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?$`)

// literal returns what stands in the document.
func (s *spec) literal(n *yaml.Node, depth int) value {
	s.work--
	n = unaliased(n)
	switch {
	case n == nil || s.work <= 0 || depth > maxHops:
		return value{kind: 'l', text: "null"}
	case n.Kind == yaml.SequenceNode:
		v := value{kind: 'a'}
		for _, item := range n.Content {
			v.values = append(v.values, s.literal(item, depth+1))
		}
		return v
	case n.Kind == yaml.MappingNode:
		v := value{kind: 'o'}
		for i := 0; i+1 < len(n.Content); i += 2 {
			v.names = append(v.names, n.Content[i].Value)
			v.values = append(v.values, s.literal(n.Content[i+1], depth+1))
		}
		return v
	}
	switch n.ShortTag() {
	case "!!null":
		return value{kind: 'l', text: "null"}
	case "!!bool":
		return value{kind: 'l', text: strings.ToLower(n.Value)}
	case "!!int", "!!float":
		if number.MatchString(n.Value) {
			return value{kind: 'l', text: n.Value}
		}
		var plain any
		if n.Decode(&plain) == nil {
			if text, err := json.Marshal(plain); err == nil {
				return value{kind: 'l', text: string(text)}
			}
		}
	}
	return value{kind: 's', text: n.Value}
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
