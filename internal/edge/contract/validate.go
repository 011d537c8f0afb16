package contract

import (
	"encoding/json"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"unicode/utf8"

	"uncoil/internal/edge/openapi"
)

// A failure is a keyword of a schema that a part of a value contradicts.
type failure struct {
	keyword string
	path    []string // of the part
	value   any      // the part
	// What the keyword asks for: types or names, values, or a bound or pattern as a message
	// has it.
	names  []string
	values []any
	limit  string
	// What contradicts each schema of anyOf, or of oneOf. A oneOf without them is one of which
	// several schemas take the value.
	choices [][]failure
}

// A validation holds one value against schemas as JSON Schema 2020-12 defines their keywords
// (its core, sections 10 and 11; its validation, section 6), and as OpenAPI 3.0.4 does where the
// document is one of that version (Schema Object). What is malformed, and what only describes, is
// left out; format is such a keyword.
type validation struct {
	*schemas
	to     direction
	steps  int                     // that are left; less than 0 once it takes too much
	nested int                     // references that are entered and not yet left
	active map[*openapi.Node][]int // how deep in the value each target was entered and not yet left
}

// The bound of the work for one value. A step is a keyword of a schema that a part of
// the value meets: schemas that refer to each other can make a short value meet very
// many.
const (
	baseSteps     = 1 << 17
	stepsPerValue = 1 << 9 // for each value in it
	maxNested     = 1 << 13
)

// validate returns what contradicts a schema in a value; nothing where that takes too much work
// to find out, which is noted.
func (s *schemas) validate(n *openapi.Node, to direction, value any) []failure {
	v := validation{schemas: s, to: to, steps: baseSteps + stepsPerValue*sizeOf(value), active: map[*openapi.Node][]int{n: {0}}}
	all := v.check(n, value, nil, nil)
	if v.steps < 0 {
		s.document.Note("%s: it takes too much work to hold a value against this schema", n.Place())
		return nil
	}
	return all
}

// pay takes steps, and reports whether there were enough.
func (v *validation) pay(steps int) bool {
	v.steps -= steps
	return v.steps >= 0
}

// parts are those of an object or array that a schema has looked at, by the tokens of their
// paths, for unevaluatedProperties and unevaluatedItems; nil where nobody asks.
type parts map[string]bool

func (p parts) add(token string) {
	if p != nil {
		p[token] = true
	}
}

// check holds a value, which a path leads to, against a schema.
func (v *validation) check(n *openapi.Node, value any, path []string, seen parts) []failure {
	if !v.pay(1 + len(n.Members)) {
		return nil
	}
	switch {
	case n.Kind == openapi.Boolean && n.Text != "true":
		return []failure{{keyword: "false", path: slices.Clone(path), value: value}}
	case n.Kind != openapi.Mapping, value == nil && n.Is("nullable"):
		return nil
	}
	c := checking{validation: v, schema: n, value: value, path: path, seen: seen}
	if isReference(n) && v.document.Old {
		c.follow() // what stands beside it says nothing
	} else {
		c.keywords()
	}
	return c.failures
}

// A checking holds one value against the keywords of one schema.
type checking struct {
	*validation
	schema   *openapi.Node
	value    any
	path     []string
	seen     parts
	failures []failure
}

func (c *checking) fail(f failure) {
	f.path, f.value = slices.Clone(c.path), c.value
	c.failures = append(c.failures, f)
}

func (c *checking) keywords() {
	asked := c.seen
	_, items := c.subschema("unevaluatedItems")
	if _, properties := c.subschema("unevaluatedProperties"); items || properties {
		c.seen = make(parts)
	}
	if !c.kind() {
		return
	}
	switch value := c.value.(type) {
	case map[string]any:
		c.object(value)
	case []any:
		c.array(value)
	case string:
		c.text(value)
	case json.Number:
		c.number(value)
	}
	c.choices()
	c.follow()
	c.unevaluated()
	if asked != nil {
		maps.Copy(asked, c.seen)
	}
}

// subschema returns the schema that is the value of a keyword.
func (c *checking) subschema(keyword string) (*openapi.Node, bool) {
	n := c.schema.Get(keyword)
	return n, n != nil && (n.Kind == openapi.Mapping || n.Kind == openapi.Boolean)
}

// same holds the value itself against another schema, and reports whether it fits.
func (c *checking) same(n *openapi.Node) (all []failure, fits bool) {
	var seen parts
	if c.seen != nil {
		seen = make(parts)
	}
	all = c.check(n, c.value, c.path, seen)
	if len(all) == 0 && c.seen != nil {
		maps.Copy(c.seen, seen)
	}
	return all, len(all) == 0
}

// part holds a part of the value against a schema.
func (c *checking) part(n *openapi.Node, value any, token string) []failure {
	return c.check(n, value, append(c.path[:len(c.path):len(c.path)], token), nil)
}

func (c *checking) addPart(n *openapi.Node, value any, token string) {
	c.failures = append(c.failures, c.part(n, value, token)...)
	c.seen.add(token)
}

// kind checks type, const and enum. Where one of them fails, the others say nothing.
func (c *checking) kind() bool {
	if types := typesOf(c.schema.Get("type")); types != nil && !slices.ContainsFunc(types, c.isType) {
		if c.schema.Is("nullable") {
			types = append(types, "null")
		}
		c.fail(failure{keyword: "type", names: types})
		return false
	}
	if n := c.schema.Get("const"); n != nil && !c.equals(n) {
		c.fail(failure{keyword: "const", values: []any{valueOf(n)}})
		return false
	}
	if n := c.schema.Get("enum"); n != nil && n.Kind == openapi.Sequence && len(n.Items) > 0 && !slices.ContainsFunc(n.Items, c.equals) {
		c.fail(failure{keyword: "enum", values: values(n.Items)})
		return false
	}
	return true
}

// isType reports whether the value has a type of JSON Schema.
func (c *checking) isType(name string) bool {
	if number, ok := c.value.(json.Number); ok && name == "integer" {
		return rational(number).IsInt()
	}
	return name == typeOf(c.value)
}

// typeOf returns the name of the type of a value.
func typeOf(value any) string {
	switch value.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case json.Number:
		return "number"
	case []any:
		return "array"
	}
	return "object"
}

// equals reports whether the value is one of the document.
func (c *checking) equals(n *openapi.Node) bool {
	wanted := valueOf(n)
	return c.pay(sizeOf(wanted)) && isEqual(c.value, wanted)
}

// isEqual reports whether two values are the same: numbers by what they mean (JSON Schema core,
// section 4.2.2).
func isEqual(a, b any) bool {
	switch a := a.(type) {
	case json.Number:
		b, ok := b.(json.Number)
		return ok && rational(a).Cmp(rational(b)) == 0
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, isEqual)
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && maps.EqualFunc(a, b, isEqual)
	}
	switch b.(type) {
	case []any, map[string]any:
		return false
	}
	return a == b
}

// rational returns what a number means. numberOf bounds its digits.
func rational(number json.Number) *big.Rat {
	if r, ok := new(big.Rat).SetString(string(number)); ok {
		return r
	}
	return new(big.Rat)
}

// count checks a keyword that bounds how many there are: no fewer if least, else no more.
func (c *checking) count(keyword string, n int, least bool) {
	if limit, ok := c.counted(keyword); ok && (least && n < limit || !least && n > limit) {
		c.fail(failure{keyword: keyword, limit: strconv.Itoa(limit)})
	}
}

// counted returns the value of a keyword that is a count.
func (c *checking) counted(keyword string) (int, bool) {
	n := c.schema.Get(keyword)
	if n == nil || n.Kind != openapi.Number {
		return 0, false
	}
	limit, err := strconv.Atoi(n.Text)
	return limit, err == nil && limit >= 0
}

func (c *checking) object(value map[string]any) {
	c.count("minProperties", len(value), true)
	c.count("maxProperties", len(value), false)
	if lacking := missing(value, c.required()); len(lacking) > 0 {
		c.fail(failure{keyword: "required", names: lacking})
	}
	if !c.pay(len(value)) {
		return
	}
	all := slices.Sorted(maps.Keys(value))
	c.properties(value, all)
	if n, ok := c.subschema("propertyNames"); ok {
		for _, name := range all {
			if len(c.part(n, name, name)) > 0 {
				c.fail(failure{keyword: "propertyNames " + shown(name)})
			}
		}
	}
	for _, m := range c.schema.Fields("dependentSchemas") {
		if _, has := value[m.Name]; has && c.pay(1) {
			failures, _ := c.same(m.Value)
			c.failures = append(c.failures, failures...)
		}
	}
	for _, m := range c.schema.Fields("dependentRequired") {
		if _, has := value[m.Name]; has && c.pay(1+len(m.Value.Items)) && len(missing(value, names(m.Value.Items))) > 0 {
			c.fail(failure{keyword: "dependentRequired " + m.Name})
		}
	}
}

// properties holds the members of an object against their schemas.
func (c *checking) properties(value map[string]any, all []string) {
	properties, patterns := c.schema.Get("properties"), c.schema.Fields("patternProperties")
	additional, bounded := c.subschema("additionalProperties")
	var unknown []string
	for _, name := range all {
		known := false
		if p := properties.Get(name); p != nil {
			known = true
			c.addPart(p, value[name], name)
		}
		for i := range patterns {
			if p := &patterns[i]; c.matches(p.Name, name) {
				known = true
				c.addPart(p.Value, value[name], name)
			}
		}
		switch {
		case known || !bounded:
		case additional.Kind == openapi.Boolean && additional.Text != "true":
			unknown = append(unknown, name)
			c.seen.add(name)
		default:
			c.addPart(additional, value[name], name)
		}
	}
	if len(unknown) > 0 {
		c.fail(failure{keyword: "additionalProperties", names: unknown})
	}
}

// required returns the names that an object must have, without those that do not go this way.
func (c *checking) required() (all []string) {
	properties := c.schema.Get("properties")
	for _, name := range names(c.schema.List("required")) {
		if !c.pay(1) {
			return nil
		}
		if !c.document.Resolve(properties.Get(name)).Is(c.to.omitted()) {
			all = append(all, name)
		}
	}
	return all
}

// missing returns those of some names that an object lacks, each once.
func missing(value map[string]any, wanted []string) (all []string) {
	reported := make(parts)
	for _, name := range wanted {
		if _, has := value[name]; !has && !reported[name] {
			reported[name] = true
			all = append(all, name)
		}
	}
	return all
}

func (c *checking) array(value []any) {
	c.count("minItems", len(value), true)
	c.count("maxItems", len(value), false)
	if c.schema.Is("uniqueItems") && c.pay(sizeOf(value)) && hasTwice(value) {
		c.fail(failure{keyword: "uniqueItems"})
	}
	first := c.schema.List("prefixItems")
	first = first[:min(len(first), len(value))]
	for i, n := range first {
		c.addPart(n, value[i], strconv.Itoa(i))
	}
	if n, ok := c.subschema("items"); ok {
		for i := len(first); i < len(value); i++ {
			c.addPart(n, value[i], strconv.Itoa(i))
		}
	}
	if n, ok := c.subschema("contains"); ok {
		c.contains(n, value)
	}
}

func (c *checking) contains(n *openapi.Node, value []any) {
	found := 0
	for i, item := range value {
		if token := strconv.Itoa(i); len(c.part(n, item, token)) == 0 {
			found++
			c.seen.add(token)
		}
	}
	if _, ok := c.counted("minContains"); ok {
		c.count("minContains", found, true)
	} else if found == 0 {
		c.fail(failure{keyword: "contains"})
	}
	c.count("maxContains", found, false)
}

// hasTwice reports whether an array has an item twice.
func hasTwice(items []any) bool {
	known := make(parts, len(items))
	for _, item := range items {
		text, err := json.Marshal(canonical(item))
		if err != nil || known[string(text)] {
			return err == nil
		}
		known[string(text)] = true
	}
	return false
}

// canonical returns a value whose JSON is the same for all that are equal.
func canonical(value any) any {
	switch v := value.(type) {
	case json.Number:
		return [...]string{rational(v).RatString()} // unlike the array of that text, which is below
	case []any:
		all := make([]any, len(v), len(v)+1)
		for i, item := range v {
			all[i] = canonical(item)
		}
		return append(all, nil)
	case map[string]any:
		all := make(map[string]any, len(v))
		for name, part := range v {
			all[name] = canonical(part)
		}
		return all
	}
	return value
}

func (c *checking) text(value string) {
	if n := utf8.RuneCountInString(value); c.pay(len(value) / bytesPerStep) {
		c.count("minLength", n, true)
		c.count("maxLength", n, false)
	}
	if n := c.schema.Get("pattern"); n != nil && n.Kind == openapi.Text && c.schemas.pattern(n.Text) != nil && !c.matches(n.Text, value) {
		c.fail(failure{keyword: "pattern", limit: n.Text})
	}
}

// bytesPerStep is how many bytes of a text are looked at in a step, and how many products of a
// byte with one of a pattern.
const bytesPerStep = 1 << 6

// matches reports whether a text matches a pattern; one that cannot be read matches nothing.
func (c *checking) matches(pattern, text string) bool {
	if !c.pay(1 + (len(pattern)+1)*len(text)/bytesPerStep) {
		return false
	}
	expression := c.schemas.pattern(pattern)
	return expression != nil && expression.MatchString(text)
}

func (c *checking) number(value json.Number) {
	r := rational(value)
	for _, keyword := range [...]string{"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"} {
		n := c.schema.Get(keyword)
		if n == nil || n.Kind != openapi.Number {
			continue
		}
		limit, known := numberOf(n.Text).(json.Number)
		if !known {
			continue
		}
		// In OpenAPI 3.0 a Boolean says that a bound is not in the range itself.
		switch {
		case keyword == "minimum" && c.schema.Is("exclusiveMinimum"):
			keyword = "exclusiveMinimum"
		case keyword == "maximum" && c.schema.Is("exclusiveMaximum"):
			keyword = "exclusiveMaximum"
		}
		if bound := rational(limit); !isWithin(keyword, r, bound) {
			c.fail(failure{keyword: keyword, limit: bound.RatString()})
		}
	}
}

// isWithin reports whether a number keeps to a bound.
func isWithin(keyword string, r, bound *big.Rat) bool {
	order := r.Cmp(bound)
	switch keyword {
	case "minimum":
		return order >= 0
	case "maximum":
		return order <= 0
	case "exclusiveMinimum":
		return order > 0
	case "exclusiveMaximum":
		return order < 0
	}
	return bound.Sign() <= 0 || new(big.Rat).Quo(r, bound).IsInt()
}

// choices checks the keywords that hold the value itself against other schemas.
func (c *checking) choices() {
	if n, ok := c.subschema("not"); ok {
		if _, fits := c.same(n); fits {
			c.fail(failure{keyword: "not"})
		}
	}
	for _, n := range c.schema.List("allOf") {
		failures, _ := c.same(n)
		c.failures = append(c.failures, failures...)
	}
	for _, keyword := range [...]string{"anyOf", "oneOf"} {
		all := c.schema.List(keyword)
		var choices [][]failure
		for _, n := range all {
			failures, fits := c.same(n)
			if !fits {
				choices = append(choices, failures)
			}
		}
		switch fits := len(all) - len(choices); {
		case len(all) == 0 || c.steps < 0:
		case fits == 0:
			c.fail(failure{keyword: keyword, choices: choices})
		case fits > 1 && keyword == "oneOf":
			c.fail(failure{keyword: keyword})
		}
	}
	if n, ok := c.subschema("if"); ok {
		_, fits := c.same(n)
		branch := "then"
		if !fits {
			branch = "else"
		}
		if n, ok := c.subschema(branch); ok {
			failures, _ := c.same(n)
			c.failures = append(c.failures, failures...)
		}
	}
}

// isReference reports whether a schema has a reference.
func isReference(n *openapi.Node) bool {
	to := n.Get("$ref")
	return to != nil && to.Kind == openapi.Text
}

// follow holds the value against the schema that a reference leads to, and those on the way that
// say something beside their reference. A circle of references says nothing.
func (c *checking) follow() {
	if !isReference(c.schema) {
		return
	}
	target := c.document.Resolve(c.schema)
	if target == nil {
		return
	}
	if !c.document.Old {
		target = c.document.Next(c.schema)
		for isReference(target) && len(target.Members) == 1 && c.pay(1) {
			target = c.document.Next(target)
		}
	}
	depth, entered := len(c.path), c.active[target]
	if len(entered) > 0 && entered[len(entered)-1] == depth {
		return
	}
	if c.nested++; c.nested > maxNested {
		c.steps = -1
	}
	c.active[target] = append(entered, depth)
	failures, _ := c.same(target)
	c.active[target] = entered
	c.nested--
	c.failures = append(c.failures, failures...)
}

// unevaluated holds what no other keyword has looked at against the schemas for that.
func (c *checking) unevaluated() {
	switch value := c.value.(type) {
	case map[string]any:
		if n, ok := c.subschema("unevaluatedProperties"); ok {
			for _, name := range slices.Sorted(maps.Keys(value)) {
				if !c.seen[name] {
					c.addPart(n, value[name], name)
				}
			}
		}
	case []any:
		if n, ok := c.subschema("unevaluatedItems"); ok {
			for i, item := range value {
				if token := strconv.Itoa(i); !c.seen[token] {
					c.addPart(n, item, token)
				}
			}
		}
	}
}
