package contract

import (
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strconv"

	"github.com/santhosh-tekuri/jsonschema/v6"

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
	nested     int                 // how many references are entered and not yet left
	active     map[*compiled][]int // how deep in the value each was entered and not yet left
}

type schemaKey struct {
	node *openapi.Node
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
	// The validator looks at all references that are entered when it enters another one.
	scopesPerStep = 1 << 3
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
func (s *schemas) of(n *openapi.Node, to direction) *compiled {
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
		s.document.Note("%s: the schema is not read: it is too large", c.node.Place())
		return
	}
	url := "uncoil:///" + strconv.Itoa(c.id)
	err := s.compiler.AddResource(url, value)
	if err == nil {
		c.schema, err = s.compiler.Compile(url)
	}
	if err != nil {
		c.failed = true
		s.document.Note("%s: the schema is not read: %v", c.node.Place(), err)
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
	f.schemas.steps -= f.schemas.nested / scopesPerStep
	depth, entered := len(ctx.ValueLocation()), f.schemas.active[f.to]
	if f.to.failed || len(entered) > 0 && entered[len(entered)-1] == depth {
		return // a circle of references says nothing
	}
	f.schemas.active[f.to] = append(entered, depth)
	f.schemas.nested++
	defer func() { f.schemas.active[f.to], f.schemas.nested = entered, f.schemas.nested-1 }()
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
			s.document.Note("%s: it takes too much work to hold a value against this schema", c.node.Place())
		} else if value != nil {
			panic(value)
		}
	}()
	s.steps, s.nested = baseSteps+stepsPerValue*sizeOf(value), 0
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

func (t *translation) schema(n *openapi.Node, depth int) any {
	t.size++
	if t.count++; t.count > maxParts {
		return true
	}
	if n.Kind == openapi.Boolean {
		return n.Text == "true"
	}
	if n.Kind != openapi.Mapping || depth > openapi.MaxDepth {
		return true
	}
	out := make(map[string]any)
	if to := n.Get("$ref"); to != nil && to.Kind == openapi.Text {
		if target := t.schemas.document.Resolve(n); target != nil {
			out[reference] = t.schemas.of(target, t.to).id
		}
		if t.schemas.document.Old {
			return out
		}
	}
	for i := range n.Members {
		t.keyword(out, n, &n.Members[i], depth+1)
	}
	t.required(out, n)
	if n.Is("nullable") {
		return orNull(out)
	}
	return out
}

// orNull returns the schema that takes null too.
func orNull(schema map[string]any) map[string]any {
	return map[string]any{"anyOf": []any{schema, map[string]any{"type": "null"}}}
}

// keyword translates one keyword.
func (t *translation) keyword(out map[string]any, n *openapi.Node, m *openapi.Member, depth int) {
	v := m.Value
	t.size++
	switch m.Name {
	case "type":
		if types := typesOf(v); types != nil {
			out["type"] = types
		}
	case "enum":
		if v.Kind == openapi.Sequence && len(v.Items) > 0 {
			out["enum"] = values(v.Items)
			t.size += len(v.Items)
		}
	case "const":
		out["const"] = valueOf(v)
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf":
		t.bound(out, n, m)
	case "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "minContains", "maxContains":
		if i, err := strconv.Atoi(v.Text); v.Kind == openapi.Number && err == nil && i >= 0 {
			out[m.Name] = valueOf(v)
		}
	case "uniqueItems":
		out["uniqueItems"] = v.Kind == openapi.Boolean && v.Text == "true"
	case "pattern":
		if v.Kind == openapi.Text && isPattern(v.Text) {
			out["pattern"] = v.Text
		}
	case "items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames", "unevaluatedItems", "unevaluatedProperties":
		if v.Kind == openapi.Mapping || v.Kind == openapi.Boolean {
			out[m.Name] = t.schema(v, depth)
		}
	case "allOf", "anyOf", "oneOf", "prefixItems":
		var all []any
		for _, item := range v.Items {
			all = append(all, t.schema(item, depth))
		}
		if len(all) > 0 {
			out[m.Name] = all
		}
	case "properties", "patternProperties", "dependentSchemas":
		all := make(map[string]any, len(v.Members))
		for i := range v.Members {
			if p := &v.Members[i]; m.Name != "patternProperties" || isPattern(p.Name) {
				all[p.Name] = t.schema(p.Value, depth)
			}
		}
		out[m.Name] = all
	case "dependentRequired":
		all := make(map[string]any)
		for i := range v.Members {
			all[v.Members[i].Name] = names(v.Members[i].Value.Items)
		}
		out[m.Name] = all
	}
}

// bound translates a bound of numbers. In OpenAPI 3.0 a Boolean says that a bound is
// not in the range itself.
func (t *translation) bound(out map[string]any, n *openapi.Node, m *openapi.Member) {
	value, ok := valueOf(m.Value).(json.Number)
	if !ok || m.Name == "multipleOf" && (value == "0" || value[0] == '-') {
		return
	}
	switch {
	case m.Name == "minimum" && n.Is("exclusiveMinimum"):
		out["exclusiveMinimum"] = value
	case m.Name == "maximum" && n.Is("exclusiveMaximum"):
		out["exclusiveMaximum"] = value
	default:
		out[m.Name] = value
	}
}

// required translates the names that an object must have, without those that do not go
// this way.
func (t *translation) required(out map[string]any, n *openapi.Node) {
	all := []any{}
	for _, name := range names(n.List("required")) {
		property := t.schemas.document.Resolve(n.Get("properties").Get(name.(string)))
		if !property.Is(t.to.omitted()) && !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	if len(all) > 0 {
		out["required"] = all
	}
}

// typesOf returns the types that JSON has of those that a schema names, or nil.
func typesOf(v *openapi.Node) (types []any) {
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
func names(items []*openapi.Node) []any {
	all := []any{}
	for _, item := range items {
		if item.Kind == openapi.Text {
			all = append(all, item.Text)
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
