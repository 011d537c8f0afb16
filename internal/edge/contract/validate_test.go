package contract

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"uncoil/internal/edge/openapi"
)

var validateCases = flag.Int("validate.n", 4000, "how many random schemas to hold against another validator")

// TestValidate holds random values against random schemas, here and by another validator of
// JSON Schema 2020-12.
func TestValidate(t *testing.T) {
	const seed = 7
	r := random{rand.New(rand.NewPCG(seed, seed))}
	fitting, n := 0, 0
	for range *validateCases {
		schemas := make(map[string]any)
		for i := range 4 {
			schemas[fmt.Sprintf("s%d", i)] = r.schema(3, i)
		}
		source := asJSON(t, map[string]any{"openapi": "3.1.0", "components": map[string]any{"schemas": schemas}})
		other := judgeOf(t, source)
		d := open(t, "api.json", source)
		for range 8 {
			value := r.value(3)
			text := asJSON(t, value)
			value = valueOf(openapi.ReadValue(text))
			found := d.schemas.validate(d.Root.At([]string{"components", "schemas", "s0"}), toServer, value)
			err := other.Validate(value)
			if (err == nil) != (len(found) == 0) {
				t.Fatalf("%s\nagainst s0 of\n%s\n%+v, and by the other validator: %v", text, source, found, err)
			}
			if n++; err == nil {
				fitting++
			}
		}
		if len(d.Notes) > 0 {
			t.Fatalf("%q", d.Notes)
		}
	}
	if fitting < n/5 || fitting > 4*n/5 {
		t.Errorf("of %d values %d fit: the schemas say too much, or too little", n, fitting)
	}
}

// judgeOf returns the other validator for the schema s0 of a document.
func judgeOf(t *testing.T, source string) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(source))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.AddResource("mem:///api.json", document); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("mem:///api.json#/components/schemas/s0")
	if err != nil {
		t.Fatalf("%v\n%s", err, source)
	}
	return s
}

// A random makes schemas and values of few names and values, so that they meet.
type random struct{ *rand.Rand }

func one[T any](r random, all ...T) T { return all[r.IntN(len(all))] }

func (r random) name() string { return one(r, "a", "b", "c", "0") }

func (r random) scalar() any {
	return one[any](r, nil, true, false, json.Number("0"), json.Number("1"), json.Number("1.0"), json.Number("2.5"), json.Number("-3"), json.Number("1e1"), "", "a", "bb", "é😀")
}

func (r random) value(depth int) any {
	switch kind := r.IntN(5); {
	case kind == 0 && depth > 0:
		all := make([]any, r.IntN(4))
		for i := range all {
			all[i] = r.value(depth - 1)
		}
		return all
	case kind < 3 && depth > 0:
		all := make(map[string]any)
		for range r.IntN(4) {
			all[r.name()] = r.value(depth - 1)
		}
		return all
	}
	return r.scalar()
}

// schema returns a schema of the definition number i. References lead to later ones, or stand
// where a part of the value is meant, so that no circle of them is without an end.
func (r random) schema(depth, i int) any {
	if r.IntN(8) == 0 || depth == 0 {
		return one[any](r, true, true, false, map[string]any{"type": one(r, "integer", "object", "array")})
	}
	s := make(map[string]any)
	for range 1 + r.IntN(3) {
		r.keyword(s, depth-1, i)
	}
	return s
}

func (r random) keyword(s map[string]any, depth, i int) {
	part := func() any {
		if r.IntN(5) == 0 {
			return map[string]any{"$ref": fmt.Sprintf("#/components/schemas/s%d", r.IntN(4))}
		}
		return r.schema(depth, i)
	}
	same := func() any { return r.schema(depth, i) }
	list := func(of func() any) (all []any) {
		for range 1 + r.IntN(3) {
			all = append(all, of())
		}
		return all
	}
	named := func(of func() any) any {
		all := make(map[string]any)
		for range 1 + r.IntN(3) {
			all[r.name()] = of()
		}
		return all
	}
	keyword := one(r, slices.Sorted(maps.Keys(keywords))...)
	switch keywords[keyword] {
	case "part":
		s[keyword] = part()
	case "same":
		s[keyword] = same()
	case "parts":
		s[keyword] = list(part)
	case "sames":
		s[keyword] = list(same)
	case "named parts":
		s[keyword] = named(part)
	case "named sames":
		s[keyword] = named(same)
	case "patterns":
		s[keyword] = map[string]any{one(r, "^[ab]", "c$", "[0-9]"): part()}
	case "values":
		s[keyword] = list(func() any { return r.value(1) })
	case "named texts":
		s[keyword] = named(func() any { return r.texts() })
	case "reference":
		if i < 3 {
			s[keyword] = fmt.Sprintf("#/components/schemas/s%d", i+1+r.IntN(3-i))
		}
	default:
		s[keyword] = r.plain(keywords[keyword])
	}
}

// texts returns one or two names.
func (r random) texts() any {
	all := make(map[string]bool)
	for range 1 + r.IntN(2) {
		all[r.name()] = true
	}
	return slices.Sorted(maps.Keys(all))
}

// plain returns the value of a keyword that has no schemas in it.
func (r random) plain(kind string) any {
	switch kind {
	case "count":
		return r.IntN(4)
	case "number":
		return one(r, json.Number("0"), json.Number("1"), json.Number("2.5"), json.Number("-1e1"))
	case "multiple":
		return one(r, json.Number("1"), json.Number("0.5"), json.Number("2"))
	case "types":
		return one[any](r, "integer", "number", "string", "object", "array", "null", "boolean", []string{"object", "integer"}, []string{"array", "object"}, []string{"string", "null"})
	case "value":
		return r.value(1)
	case "pattern":
		return one(r, "^a", "b+", "^.?$", "^.{2}$")
	case "texts":
		return r.texts()
	}
	return true
}

// keywords are those of JSON Schema that are checked, and what their values are.
var keywords = map[string]string{
	"type": "types", "const": "value", "enum": "values", "$ref": "reference",
	"properties": "named parts", "patternProperties": "patterns", "additionalProperties": "part", "propertyNames": "part",
	"required": "texts", "minProperties": "count", "maxProperties": "count", "dependentRequired": "named texts", "dependentSchemas": "named sames",
	"items": "part", "prefixItems": "parts", "contains": "part", "minContains": "count", "maxContains": "count", "minItems": "count", "maxItems": "count", "uniqueItems": "truth",
	"minLength": "count", "maxLength": "count", "pattern": "pattern",
	"minimum": "number", "maximum": "number", "exclusiveMinimum": "number", "exclusiveMaximum": "number", "multipleOf": "multiple",
	"allOf": "sames", "anyOf": "sames", "oneOf": "sames", "not": "same", "if": "same", "then": "same", "else": "same",
	"unevaluatedProperties": "part", "unevaluatedItems": "part",
}
