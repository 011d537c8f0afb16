package contract

import (
	"encoding/json"
	"regexp"
	"slices"

	"uncoil/internal/edge/openapi"
)

// A direction says which way a value goes: a request lacks what is read-only, and a
// response what is write-only (OpenAPI 3.0.4, Schema Object).
type direction uint8

const (
	toServer direction = iota
	fromServer
)

// omitted is the keyword of properties that a direction does not have.
func (to direction) omitted() string {
	if to == toServer {
		return "readOnly"
	}
	return "writeOnly"
}

// schemas hold values against the schemas of a document.
type schemas struct {
	document *Document
	patterns map[string]*regexp.Regexp
}

// pattern returns a regular expression of the document, or nil where Go does not know it. The
// dialect of JSON Schema is ECMAScript's, some of whose forms Go lacks.
func (s *schemas) pattern(source string) *regexp.Regexp {
	expression, known := s.patterns[source]
	if !known {
		expression, _ = regexp.Compile(source) // nil with an error
		s.patterns[source] = expression
	}
	return expression
}

// typesOf returns the types that JSON has of those that a schema names, or nil.
func typesOf(v *openapi.Node) (types []string) {
	if v == nil {
		return nil
	}
	all := v.Items
	if v.Kind == openapi.Text {
		all = []*openapi.Node{v}
	}
	for _, name := range names(all) {
		switch name {
		case "null", "boolean", "object", "array", "number", "string", "integer":
			if !slices.Contains(types, name) {
				types = append(types, name)
			}
		default:
			return nil
		}
	}
	return types
}

// names returns the strings among the items of a list.
func names(items []*openapi.Node) (all []string) {
	for _, item := range items {
		if item.Kind == openapi.Text {
			all = append(all, item.Text)
		}
	}
	return all
}

func values(items []*openapi.Node) []any {
	all := make([]any, len(items))
	for i, item := range items {
		all[i] = valueOf(item)
	}
	return all
}

// valueOf returns a node as the validator takes it.
func valueOf(n *openapi.Node) any {
	switch n.Kind {
	case openapi.Null:
		return nil
	case openapi.Boolean:
		return n.Text == "true"
	case openapi.Number:
		return numberOf(n.Text)
	case openapi.Text:
		return n.Text
	case openapi.Sequence:
		return values(n.Items)
	}
	object := make(map[string]any, len(n.Members))
	for i := range n.Members {
		m := &n.Members[i]
		if _, twice := object[m.Name]; !twice {
			object[m.Name] = valueOf(m.Value)
		}
	}
	return object
}

// sizeOf returns how many values a value has in it, itself included.
func sizeOf(value any) int {
	n := 1
	switch v := value.(type) {
	case []any:
		for _, part := range v {
			n += sizeOf(part)
		}
	case map[string]any:
		for _, part := range v {
			n += sizeOf(part)
		}
	}
	return n
}

// numberOf returns a number. One with a large exponent stands for itself as a text: the
// validator would write out its digits.
func numberOf(s string) any {
	const longest, digits = 40, 3
	exponent := 0
	for exponent < len(s) && s[exponent]|0x20 != 'e' {
		exponent++
	}
	if len(s) > longest || len(s)-exponent > digits+1 {
		return unknown
	}
	return json.Number(s)
}

// unknown is a value that is not known, and that fits everywhere.
const unknown = "{unknown}"
