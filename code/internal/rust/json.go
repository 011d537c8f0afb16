package rust

import (
	"slices"
	"strconv"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
)

// encodeJSON prints as serde_json does, whose objects keep their members in order by its feature
// preserve_order.
var encodeJSON = emit.Encoder{Item: ",", Name: ":", Number: plan.PlainNumber, Keeps: emit.Distinct}

// serdeJSON is what programs need that decode JSON, or hold it as a value, and takesJSON the
// feature of the client for both.
var (
	serdeJSON = plan.Package{Name: "serde_json", Version: "1", Asks: usesJSON, Features: []plan.Feature{
		{Name: "preserve_order", Asks: func(c *plan.Call) bool { return c.HoldsJSON() && !isSorted(c.Content.JSON) }},
	}}
	takesJSON = plan.Feature{Name: "json", Asks: usesJSON}
)

func usesJSON(c *plan.Call) bool { return c.DecodesJSON() || c.HoldsJSON() }

// isSorted reports whether the members of all objects are in the order of their names, in which
// serde_json has them by itself.
func isSorted(v *emit.Value) bool {
	if v.Kind == emit.ObjectValue && !slices.IsSorted(v.Names) {
		return false
	}
	for i := range v.Items {
		if !isSorted(&v.Items[i]) {
			return false
		}
	}
	return true
}

// maxItems is how many items an object or an array has in a macro, which reads them one within
// the other: the compiler expands it so deep only (recursion_limit, 128).
const maxItems = 20

// holdsJSON reports whether the program has the content as a value that json! makes.
func holdsJSON(p *plan.Program, c *plan.Call) bool {
	v := c.Content.JSON
	return c.Content.Kind == plan.RawBody && v != nil && (v.Kind == emit.ObjectValue || v.Kind == emit.ArrayValue) &&
		!p.Exact() && c.HasType("application/json") && fitsMacro(v) && p.Encodes(&encodeJSON, c)
}

func fitsMacro(v *emit.Value) bool {
	switch v.Kind {
	case emit.NumberValue:
		_, ok := number(v.Text)
		return ok
	case emit.ArrayValue, emit.ObjectValue:
		for i := range v.Items {
			if !fitsMacro(&v.Items[i]) {
				return false
			}
		}
		return len(v.Items) <= maxItems
	}
	return true
}

// jsonMacro returns the macro with the content.
func jsonMacro(p *plan.Program, c *plan.Call, head, tail string) emit.Node {
	p.Use("serde_json::json")
	n := jsonNode(p, c, c.Content.JSON)
	n.Head, n.Close = head+"json!(", n.Close+")"+tail
	return n
}

func jsonNode(p *plan.Program, c *plan.Call, v *emit.Value) emit.Node {
	switch v.Kind {
	case emit.StringValue:
		return node(p, c.StringOf(v))
	case emit.NumberValue:
		literal, _ := number(v.Text)
		return emit.Leaf(literal)
	case emit.ArrayValue:
		items := make([]emit.Node, len(v.Items))
		for i := range v.Items {
			items[i] = jsonNode(p, c, &v.Items[i])
		}
		return emit.Group("", "[", items, "]")
	case emit.ObjectValue:
		items := make([]emit.Node, len(v.Items))
		for i := range v.Items {
			items[i] = emit.Named(String(v.Names[i]), ": ", jsonNode(p, c, &v.Items[i]))
		}
		return emit.Group("", "{", items, "}")
	}
	return emit.Leaf(v.Text)
}

// number returns a literal for a number of JSON: an integer is of the type i32 unless it says
// another one.
func number(source string) (literal string, ok bool) {
	if strings.ContainsAny(source, ".eE") {
		return source, true
	}
	if _, err := strconv.ParseInt(source, 10, 32); err == nil {
		return source, true
	}
	if _, err := strconv.ParseInt(source, 10, 64); err == nil {
		return source + "i64", true
	}
	_, err := strconv.ParseUint(source, 10, 64)
	return source + "u64", err == nil
}
