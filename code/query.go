package code

import (
	"slices"
	"strings"

	"uncoil/request"
)

// takeQuery takes the query out of the URL and returns its pairs, decoded, for the
// helper of a client. It returns nothing, and the query stays where it is, unless the
// helper prints exactly the query from them, takes has no objection to their names, and a
// reader gains by it: something in the query is encoded, or the URL is long. The
// functions that answer for Digest need the URL whole.
func (c *call) takeQuery(e *formEncoder, takes func(names []string) bool) []pair {
	if mark := strings.IndexByte(c.URL, '?'); mark < 0 || len(c.url) == 1 && !isLong(c.URL) && !isEncoded(c.URL[mark:]) {
		return nil // as for most requests
	}
	mark := c.url.index("?#", 0)
	end := c.url.index("#", mark)
	if c.url.index("?", mark) != mark || c.digest != nil || c.Target != "" {
		return nil
	}
	query := c.url.cut(mark+1, end)
	if !hasVariable(query) && !isLong(c.URL) && !isEncoded(query.literals()) {
		return nil
	}
	pairs := queryPairs(query)
	if !e.prints(pairs, query) || takes != nil && !takes(pairNames(pairs)) {
		return nil
	}
	c.url = c.url.cut(0, mark)
	return pairs
}

// isEncoded reports whether a query has characters that are encoded.
func isEncoded(query string) bool { return strings.ContainsAny(query, "%+") }

// computeQuery has the URL end with a query that the program computes by an expression,
// after takeQuery.
func (c *call) computeQuery(expression string) {
	query := &request.Variable{Name: expression, Expr: c.URL[len(c.url.source())+len("?"):], Encoding: computed}
	c.url = mergeLiterals(slices.Concat(c.url, text{{literal: "?"}, {variable: query}}))
}

// queryPairs returns the pairs of a query, decoded as a form is.
func queryPairs(query text) []pair {
	var pairs []pair
	for _, one := range query.split('&') {
		length := len(one.source())
		sign := min(one.index("=", 0), length)
		name, value := one.cut(0, sign), one.cut(min(sign+1, length), length)
		pairs = append(pairs, pair{formDecoded(mergeLiterals(name)), formDecoded(mergeLiterals(value))})
	}
	return pairs
}
