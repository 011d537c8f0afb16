package files

import (
	"slices"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
)

// A graphQL is a request of GraphQL over HTTP: its specification (graphql.github.io),
// section 5.1, Request Parameters.
type graphQL struct {
	query     string
	operation *string
	variables *emit.Value // an object, or nil
	reordered bool        // the members have another order
}

// graphQLOf returns the GraphQL request that the content is, where tools that have a place
// for one send the same JSON value. Blanks and the order of members are theirs.
func graphQLOf(p *plan.Program, c *plan.Call) (request graphQL, ok bool) {
	v := c.Content.JSON
	if p.Exact() || v == nil || v.Kind != emit.ObjectValue || !c.HasType("application/json") || !emit.Distinct(v.Names) {
		return request, false
	}
	last := 0
	for i, name := range v.Names {
		at := slices.Index(graphQLMembers, name)
		request.reordered = request.reordered || at < last
		last = at
		member := &v.Items[i]
		switch {
		case name == "query" && member.Kind == emit.StringValue:
			request.query = member.Text
		case name == "operationName" && member.Kind == emit.StringValue:
			request.operation = &member.Text
		case name == "variables" && member.Kind == emit.ObjectValue:
			request.variables = member
		default:
			return request, false
		}
	}
	return request, isGraphQL(request.query)
}

// graphQLMembers are the members of a request in the order in which tools write them.
var graphQLMembers = []string{"query", "operationName", "variables"}

// accept warns where a tool puts the request together in another order.
func (g *graphQL) accept(p *plan.Program, c *plan.Call) {
	if g.reordered {
		p.Accept(c, "begins a GraphQL request with its query")
	}
}

// isGraphQL reports a text that begins as a document of GraphQL does. Other services have
// JSON with a query too, as those of search.
func isGraphQL(s string) bool {
	s = strings.TrimSpace(s)
	for _, word := range [...]string{"query", "mutation", "subscription", "fragment"} {
		if rest, found := strings.CutPrefix(s, word); found && rest != "" && emit.Contains(" \t\r\n{(@", rest[0]) && strings.Contains(rest, "{") {
			return true
		}
	}
	return strings.HasPrefix(s, "{") && strings.HasSuffix(s, "}") && !strings.Contains(s, `"query"`) && !strings.HasPrefix(strings.TrimSpace(s[1:]), `"`)
}

// text returns the variables as JSON with two blanks for each level, or "" for none.
func (g *graphQL) text() string {
	if g.variables == nil {
		return ""
	}
	return string(appendJSON(nil, g.variables, "\n"))
}

// appendJSON appends a value as JSON, with numbers as they are. line begins each line.
func appendJSON(b []byte, v *emit.Value, line string) []byte {
	switch v.Kind {
	case emit.StringValue:
		return append(b, jsonString(v.Text)...)
	case emit.ArrayValue, emit.ObjectValue:
	default:
		return append(b, v.Text...)
	}
	brackets := "[]"
	if v.Kind == emit.ObjectValue {
		brackets = "{}"
	}
	b = append(b, brackets[0])
	for i := range v.Items {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(b, line...), "  "...)
		if v.Kind == emit.ObjectValue {
			b = append(append(b, jsonString(v.Names[i])...), ": "...)
		}
		b = appendJSON(b, &v.Items[i], line+"  ")
	}
	if len(v.Items) > 0 {
		b = append(b, line...)
	}
	return append(b, brackets[1])
}
