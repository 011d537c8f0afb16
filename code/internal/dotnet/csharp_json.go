package dotnet

import (
	"slices"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
)

// csharpJSON is JsonSerializer of System.Text.Json, by its meaning: it escapes more than
// ASCII asks for.
var csharpJSON = emit.Encoder{Item: ",", Name: ":", ASCIIOnly: true, Number: plan.PlainNumber, Keeps: plan.PlainNames}

// serialized writes the statement that holds the JSON content as an object, and returns what
// serializes it: for content with variables, in the idiomatic style. Without any, the text
// in a raw literal is clearer.
func (r *csharpRequest) serialized() (content string, ok bool) {
	v := r.c.Content.JSON
	if r.p.Exact() || isOld(r.p) || v == nil || v.Kind != emit.ObjectValue && v.Kind != emit.ArrayValue ||
		!plan.HasVariable(r.c.Content.Data) || !r.p.Encodes(&csharpJSON, r.c) {
		return "", false
	}
	r.p.Use("System.Text.Json")
	body := r.name("body")
	r.braces("var "+body+" = ", r.value(v), ";")
	return "JsonSerializer.Serialize(" + body + ")", true
}

// value returns a JSON value as an expression: an object of a class without a name, or a
// dictionary where a name is none of C#.
func (r *csharpRequest) value(v *emit.Value) emit.Node {
	switch {
	case v.Kind == emit.StringValue:
		return emit.Leaf(r.text(r.c.StringOf(v)))
	case v.Kind != emit.ObjectValue && v.Kind != emit.ArrayValue:
		return emit.Leaf(v.Text)
	case v.Kind == emit.ArrayValue && len(v.Items) == 0:
		return emit.Leaf("Array.Empty<object>()")
	case len(v.Items) == 0:
		return emit.Leaf("new { }")
	}
	items := make([]emit.Node, len(v.Items))
	for i := range v.Items {
		items[i] = r.value(&v.Items[i])
	}
	if v.Kind == emit.ArrayValue {
		if areAlike(v.Items) {
			return csharpObject("new[]", items)
		}
		return csharpObject("new object?[]", items)
	}
	if !slices.ContainsFunc(v.Names, func(name string) bool { return !emit.IsIdentifier(name) }) {
		for i, name := range v.Names {
			if slices.Contains(csharpKeywords, name) {
				name = "@" + name
			}
			if v.Items[i].Text == "null" && v.Items[i].Kind != emit.StringValue {
				items[i] = emit.Leaf("(object?)null") // a member has a type
			}
			items[i] = emit.Named(name, " = ", items[i])
		}
		return csharpObject("new", items)
	}
	for i, name := range v.Names {
		items[i] = emit.Named("["+CsharpString(name)+"]", " = ", items[i])
	}
	r.p.Use("System.Collections.Generic")
	return csharpObject("new Dictionary<string, object?>", items)
}

// areAlike reports whether values have one type, which the elements of an array give it.
func areAlike(values []emit.Value) bool {
	for i := range values {
		if !isAlike(&values[0], &values[i]) {
			return false
		}
	}
	return true
}

func isAlike(a, b *emit.Value) bool {
	if a.Kind != b.Kind {
		return false
	}
	switch a.Kind {
	case emit.StringValue:
		return true
	case emit.NumberValue:
		return strings.Contains(a.Text, ".") == strings.Contains(b.Text, ".") && len(a.Text) < 10 && len(b.Text) < 10 // int or double
	case emit.ArrayValue:
		return false
	case emit.ObjectValue:
		if !slices.Equal(a.Names, b.Names) {
			return false
		}
		for i := range a.Items {
			if !isAlike(&a.Items[i], &b.Items[i]) {
				return false
			}
		}
		return true
	}
	return a.Text != "null" && b.Text != "null"
}

// braces writes a statement whose objects and arrays, where they do not fit on their line,
// have each brace on a line of its own.
func (r *csharpRequest) braces(before string, n emit.Node, after string) {
	if n.Open != "{" || len(n.Items) == 0 || r.p.Fits(emit.Columns(before)+n.Width+len(after)) {
		r.p.Node(before, n, after)
		return
	}
	r.p.Line(before, n.Name, n.Separator, strings.TrimRight(n.Head, " "))
	r.p.Block("{", func() {
		for i := range n.Items {
			comma := ","
			if i == len(n.Items)-1 {
				comma = ""
			}
			r.braces("", n.Items[i], comma)
		}
	})
	r.p.Line("}", after)
}

// csharpKeywords are the words of C# that are names after an @ only: The C# Language Specification 6.4.4.
var csharpKeywords = strings.Fields(`
	abstract as base bool break byte case catch char checked class const continue decimal default delegate do double else enum
	event explicit extern false finally fixed float for foreach goto if implicit in int interface internal is lock long
	namespace new null object operator out override params private protected public readonly ref return sbyte sealed short
	sizeof stackalloc static string struct switch this throw true try typeof uint ulong unchecked unsafe ushort using
	virtual void volatile while`)
