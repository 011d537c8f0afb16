package contract

import (
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strconv"

	"github.com/santhosh-tekuri/jsonschema/v6"
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

// schemas hold values against schemas. Each schema that a reference leads to is
// compiled when a value meets it first: what nobody uses costs nothing, and a reference
// that leads in a circle is followed as deep as the value goes.
type schemas struct {
	document   *Document
	compiler   *jsonschema.Compiler
	known      map[schemaKey]*compiled
	all        []*compiled
	translated int                 // keywords, in all of them
	steps      int                 // that are left for the value
	active     map[*compiled][]int // how deep in the value each was entered and not yet left
}

type schemaKey struct {
	node *node
	to   direction
}

// A compiled schema, or one that is to be compiled.
type compiled struct {
	schemaKey
	id     int
	size   int
	schema *jsonschema.Schema
	failed bool // it takes every value
}

// The bound of the work for one value. A step is a keyword of a schema that a part of
// the value may meet: schemas that refer to each other can make a short value meet very
// many. Published documents take 90,000 at most.
const (
	baseSteps     = 1 << 20
	stepsPerValue = 1 << 9 // for each value in it
)

// The bounds of what is compiled: one schema with those within it, for which the compiler
// takes their number squared, and all together. Schemas beyond references are others.
const (
	maxParts      = 1 << 13
	maxTranslated = 1 << 21
)

// errSteps is what a validation panics with that takes too many steps: the validator
// has no other way out.
var errSteps = errors.New("too many steps")

// reference is the keyword that stands for $ref in what is compiled.
const reference = "x-uncoil-ref"

func newSchemas(d *Document) *schemas {
	s := &schemas{document: d, compiler: jsonschema.NewCompiler(), known: make(map[schemaKey]*compiled)}
	s.compiler.DefaultDraft(jsonschema.Draft2020)
	s.compiler.UseLoader(s)
	s.compiler.AssertVocabs()
	s.compiler.RegisterVocabulary(&jsonschema.Vocabulary{
		URL: "uncoil:reference",
		Compile: func(_ *jsonschema.CompilerContext, schema map[string]any) (jsonschema.SchemaExt, error) {
			if id, ok := schema[reference].(int); ok {
				return follower{s, s.all[id]}, nil
			}
			return nil, nil
		},
	})
	return s
}

// Load returns no schema: all that are compiled were added before.
func (s *schemas) Load(string) (any, error) { return nil, errors.New("nothing is loaded") }

// of returns the schema of a node.
func (s *schemas) of(n *node, to direction) *compiled {
	key := schemaKey{n, to}
	c := s.known[key]
	if c == nil {
		c = &compiled{schemaKey: key, id: len(s.all)}
		s.known[key] = c
		s.all = append(s.all, c)
	}
	return c
}

// compile makes a schema ready.
func (s *schemas) compile(c *compiled) {
	if c.schema != nil || c.failed {
		return
	}
	t := translation{schemas: s, to: c.to}
	value := t.schema(c.node, 0)
	c.size = t.size
	if s.translated += t.size; t.count > maxParts || s.translated > maxTranslated {
		c.failed = true
		s.document.note("%s: the schema is not read: it is too large", c.node.place())
		return
	}
	url := "uncoil:///" + strconv.Itoa(c.id)
	err := s.compiler.AddResource(url, value)
	if err == nil {
		c.schema, err = s.compiler.Compile(url)
	}
	if err != nil {
		c.failed = true
		s.document.note("%s: the schema is not read: %v", c.node.place(), err)
	}
}

// pay takes the steps that it may take to hold a value against a schema, without those
// that its references lead to.
func (s *schemas) pay(c *compiled, value any) {
	if s.steps -= 1 + c.size*sizeOf(value); s.steps < 0 {
		panic(errSteps)
	}
}

// A follower is a reference in a compiled schema.
type follower struct {
	schemas *schemas
	to      *compiled
}

// Validate holds a value against the schema that the reference leads to.
func (f follower) Validate(ctx *jsonschema.ValidatorContext, value any) {
	f.schemas.compile(f.to)
	f.schemas.pay(f.to, value)
	depth, entered := len(ctx.ValueLocation()), f.schemas.active[f.to]
	if f.to.failed || len(entered) > 0 && entered[len(entered)-1] == depth {
		return // a circle of references says nothing
	}
	f.schemas.active[f.to] = append(entered, depth)
	defer func() { f.schemas.active[f.to] = entered }()
	if err := ctx.Validate(f.to.schema, value, nil); err != nil {
		ctx.AddErr(err)
	}
}

// validate holds a value against a schema. The error is nil as well where that takes
// too much work to find out.
func (s *schemas) validate(c *compiled, value any) (err *jsonschema.ValidationError) {
	defer func() {
		if value := recover(); value == errSteps {
			err = nil
			s.document.note("%s: it takes too much work to hold a value against this schema", c.node.place())
		} else if value != nil {
			panic(value)
		}
	}()
	s.steps = baseSteps + stepsPerValue*sizeOf(value)
	s.active = map[*compiled][]int{c: {0}}
	s.compile(c)
	if c.failed {
		return nil
	}
	s.pay(c, value)
	err, _ = errors.AsType[*jsonschema.ValidationError](c.schema.Validate(value))
	return err
}

// A translation makes JSON Schema 2020-12 of a schema of OpenAPI 3.0 or 3.1. What is
// malformed, and what only describes, is left out.
type translation struct {
	schemas *schemas
	to      direction
	size    int // in keywords
	count   int // of the schemas in it
}

func (t *translation) schema(n *node, depth int) any {
	t.size++
	if t.count++; t.count > maxParts {
		return true
	}
	if n.kind == boolean {
		return n.text == "true"
	}
	if n.kind != mapping || depth > maxDepth {
		return true
	}
	out := make(map[string]any)
	if to := n.get("$ref"); to != nil && to.kind == text {
		if target := t.schemas.document.resolve(n); target != nil {
			out[reference] = t.schemas.of(target, t.to).id
		}
		if t.schemas.document.old {
			return out
		}
	}
	for i := range n.members {
		t.keyword(out, n, &n.members[i], depth+1)
	}
	t.required(out, n)
	if n.is("nullable") {
		return orNull(out)
	}
	return out
}

// orNull returns the schema that takes null too.
func orNull(schema map[string]any) map[string]any {
	return map[string]any{"anyOf": []any{schema, map[string]any{"type": "null"}}}
}

// keyword translates one keyword.
func (t *translation) keyword(out map[string]any, n *node, m *member, depth int) {
	v := m.value
	t.size++
	switch m.name {
	case "type":
		if types := typesOf(v); types != nil {
			out["type"] = types
		}
	case "enum":
		if v.kind == sequence && len(v.items) > 0 {
			out["enum"] = values(v.items)
			t.size += len(v.items)
		}
	case "const":
		out["const"] = valueOf(v)
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf":
		t.bound(out, n, m)
	case "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "minContains", "maxContains":
		if i, err := strconv.Atoi(v.text); v.kind == number && err == nil && i >= 0 {
			out[m.name] = valueOf(v)
		}
	case "uniqueItems":
		out["uniqueItems"] = v.kind == boolean && v.text == "true"
	case "pattern":
		if v.kind == text && isPattern(v.text) {
			out["pattern"] = v.text
		}
	case "items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames", "unevaluatedItems", "unevaluatedProperties":
		if v.kind == mapping || v.kind == boolean {
			out[m.name] = t.schema(v, depth)
		}
	case "allOf", "anyOf", "oneOf", "prefixItems":
		var all []any
		for _, item := range v.items {
			all = append(all, t.schema(item, depth))
		}
		if len(all) > 0 {
			out[m.name] = all
		}
	case "properties", "patternProperties", "dependentSchemas":
		all := make(map[string]any, len(v.members))
		for i := range v.members {
			if p := &v.members[i]; m.name != "patternProperties" || isPattern(p.name) {
				all[p.name] = t.schema(p.value, depth)
			}
		}
		out[m.name] = all
	case "dependentRequired":
		all := make(map[string]any)
		for i := range v.members {
			all[v.members[i].name] = names(v.members[i].value.items)
		}
		out[m.name] = all
	}
}

// bound translates a bound of numbers. In OpenAPI 3.0 a Boolean says that a bound is
// not in the range itself.
func (t *translation) bound(out map[string]any, n *node, m *member) {
	value, ok := valueOf(m.value).(json.Number)
	if !ok || m.name == "multipleOf" && (value == "0" || value[0] == '-') {
		return
	}
	switch {
	case m.name == "minimum" && n.is("exclusiveMinimum"):
		out["exclusiveMinimum"] = value
	case m.name == "maximum" && n.is("exclusiveMaximum"):
		out["exclusiveMaximum"] = value
	default:
		out[m.name] = value
	}
}

// required translates the names that an object must have, without those that do not go
// this way.
func (t *translation) required(out map[string]any, n *node) {
	all := []any{}
	for _, name := range names(n.list("required")) {
		property := t.schemas.document.resolve(n.get("properties").get(name.(string)))
		if !property.is(t.to.omitted()) && !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	if len(all) > 0 {
		out["required"] = all
	}
}

// typesOf returns the types that JSON has of those that a schema names, or nil.
func typesOf(v *node) (types []any) {
	all := v.items
	if v.kind == text {
		all = []*node{v}
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
func names(items []*node) []any {
	all := []any{}
	for _, item := range items {
		if item.kind == text {
			all = append(all, item.text)
		}
	}
	return all
}

// isPattern reports whether a regular expression is one that Go knows. The dialect of
// JSON Schema is ECMAScript's, some of whose forms Go lacks.
func isPattern(s string) bool {
	_, err := regexp.Compile(s)
	return err == nil
}

func values(items []*node) []any {
	all := make([]any, len(items))
	for i, item := range items {
		all[i] = valueOf(item)
	}
	return all
}

// valueOf returns a node as the validator takes it.
func valueOf(n *node) any {
	switch n.kind {
	case null:
		return nil
	case boolean:
		return n.text == "true"
	case number:
		return numberOf(n.text)
	case text:
		return n.text
	case sequence:
		return values(n.items)
	}
	object := make(map[string]any, len(n.members))
	for i := range n.members {
		m := &n.members[i]
		if _, twice := object[m.name]; !twice {
			object[m.name] = valueOf(m.value)
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
