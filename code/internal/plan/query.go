package plan

import (
	"slices"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/request"
)

// TakeQuery takes the query out of the URL and returns its pairs, decoded, for the
// helper of a client. It returns nothing, and the query stays where it is, unless the
// helper prints exactly the query from them, takes has no objection to their names, and a
// reader gains by it: in the idiomatic style where -G or --url-query made the query, or
// where it has a value, and in the exact one where something in it is encoded, or the URL is long. The functions that answer for Digest need the URL whole.
func (c *Call) TakeQuery(e *FormEncoder, takes func(names []string) bool) []Pair {
	if !c.exact && !c.Added && !c.hasValue() { // the URL is one literal, as the command has it
		return nil
	}
	if mark := strings.IndexByte(c.URL, '?'); mark < 0 || c.exact && len(c.URLText) == 1 && !emit.IsLong(c.URL) && !isEncoded(c.URL[mark:]) {
		return nil // as for most requests
	}
	mark := c.URLText.Index("?#", 0)
	end := c.URLText.Index("#", mark)
	if c.URLText.Index("?", mark) != mark || c.Digest != nil || c.Target != "" {
		return nil
	}
	query := c.URLText.Cut(mark+1, end)
	if c.exact && !HasVariable(query) && !emit.IsLong(c.URL) && !isEncoded(query.Literals()) {
		return nil
	}
	pairs := QueryPairs(query)
	if !c.prints(e, pairs, query) || takes != nil && !takes(PairNames(pairs)) {
		return nil
	}
	c.URLText = c.URLText.Cut(0, mark)
	return pairs
}

// isEncoded reports whether a query has characters that are encoded.
func isEncoded(query string) bool { return strings.ContainsAny(query, "%+") }

// ComputeQuery has the URL end with a query that the program computes by an expression,
// after takeQuery.
func (c *Call) ComputeQuery(expression string) {
	query := &request.Variable{Name: expression, Expr: c.URL[len(c.URLText.Source())+len("?"):], Encoding: Computed}
	c.URLText = MergeLiterals(slices.Concat(c.URLText, Text{{Literal: "?"}, {Variable: query}}))
}

// QueryPairs returns the pairs of a query, decoded as a form is.
func QueryPairs(query Text) []Pair {
	var pairs []Pair
	for _, one := range query.Split('&') {
		length := len(one.Source())
		sign := min(one.Index("=", 0), length)
		name, value := one.Cut(0, sign), one.Cut(min(sign+1, length), length)
		pairs = append(pairs, Pair{FormDecoded(MergeLiterals(name)), FormDecoded(MergeLiterals(value))})
	}
	return pairs
}
