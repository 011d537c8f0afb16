package contract

import (
	"slices"
	"strings"

	"uncoil/diag"
	"uncoil/internal/edge/openapi"
	"uncoil/internal/engine/ascii"
	"uncoil/request"
)

// schema returns the schema of a parameter, or nil: one with content of its own has no
// schema for its text.
func (v *visit) schema(p *openapi.Parameter) *openapi.Node { return v.Resolve(p.Node.Get("schema")) }

// value holds the values of a parameter against its schema.
func (v *visit) value(p *openapi.Parameter, span diag.Span, all []string) {
	schema := v.schema(p)
	if schema == nil {
		return
	}
	found := v.textProblems(schema, all, p.Node)
	if len(found) == 0 {
		return
	}
	v.add(InvalidParameter, span, p.Node.Place(), "the "+p.In+" parameter "+p.Name+" "+found[0].message)
}

// textProblems returns what contradicts a schema in values that are text, as which every
// type is written: the problems of the reading that is the nearest one.
func (d *Document) textProblems(schema *openapi.Node, all []string, style *openapi.Node) (best []problem) {
	var readings []any
	if len(all) == 1 {
		readings = append(readings, typed(all[0]), all[0])
	}
	if len(all) > 1 || schema.Get("type") == nil || hasType(schema, "array") {
		pieces := all
		if len(all) == 1 {
			pieces = strings.Split(all[0], separatorOf(style))
		}
		numbers, texts := make([]any, len(pieces)), make([]any, len(pieces))
		for i, piece := range pieces {
			numbers[i], texts[i] = typed(piece), piece
		}
		readings = append(readings, numbers, texts)
	}
	least := -1
	for _, reading := range readings {
		found := d.schemas.problems(schema, toServer, reading)
		if len(found) == 0 {
			return nil
		}
		if weight := weigh(found); least < 0 || weight < least {
			best, least = found, weight
		}
	}
	return best
}

// typed returns a text as the number, truth value or null that it writes.
func typed(s string) any {
	if n := openapi.ReadValue(s); n != nil && n.Kind != openapi.Mapping && n.Kind != openapi.Sequence {
		return valueOf(n)
	}
	return s
}

// separatorOf returns what stands between the items of an array in one value.
func separatorOf(style *openapi.Node) string {
	switch style.TextOf("style") {
	case "spaceDelimited":
		return " "
	case "pipeDelimited":
		return "|"
	}
	return ","
}

// pathParameters holds the parts of the path against their schemas.
func (v *visit) pathParameters() {
	for _, p := range v.operation.Parameters {
		if value, ok := v.match.values[p.Name]; ok && p.In == "path" {
			v.value(p, v.request.Span, []string{value})
		}
	}
}

// queryParameters holds the query against the parameters of the operation.
func (v *visit) queryParameters() {
	given := make(map[string][]string)
	var order []string
	for _, q := range v.request.Query {
		if isPlaceholder(q.Name) {
			return // nobody knows what else the query has
		}
		if given[q.Name] == nil {
			order = append(order, q.Name)
		}
		given[q.Name] = append(given[q.Name], q.Value)
	}
	known, open := v.queryNames()
	for _, p := range v.operation.Parameters {
		if p.In != "query" {
			continue
		}
		values, has := given[p.Name]
		switch {
		case has && v.isObject(p):
		case has:
			v.value(p, v.request.Span, values)
		case p.Node.Is("required") && !v.hasPart(p, order):
			v.missing(p)
		}
	}
	for _, name := range order {
		top, part, bracket := strings.Cut(name, "[")
		listed := part == "]" && v.isList(top) // ids[] for ids, as some frameworks write lists
		if open || slices.Contains(known, name) || bracket && slices.Contains(known, top) && !listed {
			continue
		}
		f := v.add(UnknownParameter, v.request.Span, v.operation.At, v.operation.Name()+" has no query parameter "+shown(name))
		switch {
		case listed:
			v.rename(f, name, top)
		case slices.Contains(known, name+"[]"):
			v.rename(f, name, name+"[]")
		default:
			v.suggest(f, name, known)
		}
	}
}

// hasPart reports whether a query has a part of a parameter that is an object. The
// members of one whose own name no query has may all be left out.
func (v *visit) hasPart(p *openapi.Parameter, order []string) bool {
	if !v.isObject(p) {
		return false
	}
	return p.Node.TextOf("style") != "deepObject" || slices.ContainsFunc(order, func(name string) bool { return strings.HasPrefix(name, p.Name+"[") })
}

// missing says that a required parameter is not there.
func (v *visit) missing(p *openapi.Parameter) {
	v.add(MissingParameter, v.request.Span, p.Node.Place(), v.operation.Name()+" requires the "+p.In+" parameter "+p.Name)
}

// isObject reports whether a parameter is an object.
func (v *visit) isObject(p *openapi.Parameter) bool { return hasType(v.schema(p), "object") }

// hasType reports whether a schema names a type.
func hasType(schema *openapi.Node, name string) bool {
	return schema.TextOf("type") == name || slices.ContainsFunc(schema.List("type"), func(n *openapi.Node) bool { return n.Text == name })
}

// queryNames returns the names that a query may have, and whether it may have any other.
func (v *visit) queryNames() (known []string, open bool) {
	known = slices.Clone(v.match.item.queries)
	for _, p := range v.operation.Parameters {
		if p.In != "query" {
			continue
		}
		known = append(known, p.Name)
		if !v.isObject(p) || p.Node.TextOf("style") == "deepObject" {
			continue
		}
		properties := v.schema(p).Fields("properties")
		for i := range properties {
			known = append(known, properties[i].Name)
		}
		open = open || len(properties) == 0 || v.schema(p).Get("additionalProperties") != nil
	}
	schemes := v.Root.Get("components").Fields("securitySchemes")
	for i := range schemes {
		if scheme := v.Resolve(schemes[i].Value); scheme.TextOf("in") == "query" {
			known = append(known, scheme.TextOf("name"))
		}
	}
	return known, open
}

// suggest adds the one name to a finding that another one is nearly.
func (v *visit) suggest(f *Finding, name string, known []string) {
	const longest = 64 // what is longer is no name
	near := ""
	for _, candidate := range known {
		if max(len(name), len(candidate)) > longest || ascii.Edits(strings.ToLower(name), strings.ToLower(candidate)) > 1 {
			continue
		}
		if near != "" {
			return
		}
		near = candidate
	}
	if near == "" {
		return
	}
	v.rename(f, name, near)
}

// isList reports whether the query has a parameter that is a list.
func (v *visit) isList(name string) bool {
	return slices.ContainsFunc(v.operation.Parameters, func(p *openapi.Parameter) bool {
		return p.In == "query" && p.Name == name && hasType(v.schema(p), "array")
	})
}

// rename gives a finding the one name that is meant for another one.
func (v *visit) rename(f *Finding, name, near string) {
	f.Hint = "did you mean " + near + "?"
	for _, before := range []string{"?", "&"} {
		if span, ok := v.command.within(v.request.Span, before+name+"="); ok {
			f.Fix = &diag.Fix{Span: span, Text: before + near + "="}
		}
	}
}

// headerParameters holds the header fields against the parameters of the operation.
// Three are described elsewhere (OpenAPI 3.1.1, Parameter Object).
func (v *visit) headerParameters() {
	unknown := v.mayHaveFields()
	for _, p := range v.operation.Parameters {
		if p.In != "header" || slices.Contains([]string{"accept", "content-type", "authorization"}, strings.ToLower(p.Name)) {
			continue
		}
		if f := v.field(p.Name); f != nil {
			if f.Origin != request.OriginDefault { // curl knows the value of its own
				v.value(p, f.Span, []string{f.Value})
			}
		} else if p.Node.Is("required") && !unknown {
			v.missing(p)
		}
	}
}

// mayHaveFields reports whether the request has fields that are not known: those of a
// file, or of a variable.
func (v *visit) mayHaveFields() bool {
	for i := range v.request.Fields {
		if isPlaceholder(v.request.Fields[i].Name) {
			return true
		}
	}
	for _, m := range v.request.Missing {
		if m.Role == "headers" {
			return true
		}
	}
	return false
}

// cookieParameters holds the cookies against the parameters of the operation.
func (v *visit) cookieParameters() {
	cookies := v.cookies()
	for _, p := range v.operation.Parameters {
		if p.In != "cookie" {
			continue
		}
		if value, ok := cookies[p.Name]; ok {
			v.value(p, v.field("Cookie").Span, []string{value})
		} else if p.Node.Is("required") && len(v.request.Missing) == 0 && !isPlaceholder(v.request.URL) {
			v.missing(p)
		}
	}
}

// cookies returns the cookies of a request by name.
func (v *visit) cookies() map[string]string {
	f := v.field("Cookie")
	if f == nil {
		return nil
	}
	all := make(map[string]string)
	for pair := range strings.SplitSeq(f.Value, ";") {
		name, value, _ := strings.Cut(strings.TrimSpace(pair), "=")
		all[name] = value
	}
	return all
}
