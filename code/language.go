package code

import (
	"strconv"
	"strings"

	"uncoil/request"
)

// A language is how strings are written in one: what the targets of several
// clients of a language share.
type language struct {
	literal  func(s string) string                        // a literal that has these bytes
	variable func(p *program, v *request.Variable) string // a look-up in the environment
	plus     string                                       // joins two expressions

	// inside returns an expression as it stands in a literal in double quotes before a
	// character, or reports false; nil: such a literal holds none. escape escapes what
	// else stands there.
	inside func(expression string, next byte) (string, bool)
	escape func(s string) string
}

// text returns an expression for a string with its variables.
func (l *language) text(p *program, t text) string {
	if s, ok := t.plain(); ok {
		return l.literal(s)
	}
	return l.joined(t, l.terms(p, t))
}

// joined returns the expression for a text of the terms for its parts.
func (l *language) joined(t text, terms []string) string {
	if s, ok := l.interpolated(t, terms); ok {
		return s
	}
	return strings.Join(terms, l.plus)
}

// interpolated returns a literal of a text of one line with the expressions for its
// variables, where the language has such literals.
func (l *language) interpolated(t text, expressions []string) (string, bool) {
	if l.inside == nil || len(t) == 1 || !t.isText() || strings.ContainsAny(t.literals(), "\"\\\n") {
		return "", false // with escapes it would be hard to read
	}
	b := []byte{'"'}
	for i := range t {
		if t[i].variable == nil {
			quoted := l.escape(t[i].literal)
			b = append(b, quoted[1:len(quoted)-1]...)
			continue
		}
		next := byte('"')
		if i+1 < len(t) && t[i+1].variable == nil {
			next = t[i+1].literal[0]
		}
		s, ok := l.inside(expressions[i], next)
		if !ok {
			return "", false
		}
		b = append(b, s...)
	}
	return string(append(b, '"')), true
}

// numberSign returns an expression as it stands in a literal of Ruby or Elixir.
func numberSign(expression string, _ byte) (string, bool) { return "#{" + expression + "}", true }

// long returns a call with one string for its argument, in parts on lines of
// their own where it is long. plus stands between two parts.
func (l *language) long(p *program, head, open, s, end, plus string) node {
	if !isLong(s) {
		return group(head, open, []node{leaf(l.literal(s))}, end)
	}
	return p.inParts(head, open, s, end, plus, l.literal)
}

// content returns an expression for a text that may be long: its lines as they are,
// or else parts on lines of their own.
func (l *language) content(p *program, t text) node {
	if s, ok := t.plain(); ok && t.isText() && !spansLines(s) {
		return p.longString(s, strings.TrimRight(l.plus, " "), l.literal)
	}
	return l.sum(p, t)
}

// sum returns an expression for a text, whose variables stand on lines of their own
// where it is long.
func (l *language) sum(p *program, t text) node {
	terms := l.terms(p, t)
	return p.added(l.joined(t, terms), terms, strings.TrimRight(l.plus, " "))
}

// terms returns an expression for each part of a text.
func (l *language) terms(p *program, t text) []string {
	terms := make([]string, len(t))
	for i := range t {
		if t[i].variable == nil {
			terms[i] = l.literal(t[i].literal)
		} else {
			terms[i] = l.variable(p, t[i].variable)
		}
	}
	return terms
}

// call writes the statement of a call, with an argument on each line where it is too
// long for one.
func (p *program) call(before, function string, arguments ...string) {
	items := p.list(len(arguments))
	for _, a := range arguments {
		items = append(items, leaf(a))
	}
	p.node(before, group(function, "(", items, ")"), ";")
}

// added returns an expression that fits on a line as it is, and else its terms on lines
// of their own, in parentheses, unless some of them have lines themselves.
func (p *program) added(expression string, terms []string, plus string) node {
	if len(terms) < 2 || len(expression) <= longLiteral+10 || strings.Contains(expression, "\n") {
		return leaf(expression)
	}
	return p.glued("", "(", len(terms), ")", plus, func(i int) string { return terms[i] })
}

// glued returns terms on lines of their own, in brackets; plus stands between two.
func (p *program) glued(head, open string, n int, end, plus string, term func(i int) string) node {
	items := p.list(n)
	for i := range n {
		one := leaf(term(i))
		if plus != "" && i+1 < n {
			one.head += plus
		}
		items = append(items, one)
	}
	g := group(head, open, items, end)
	g.glued, g.broken, g.width = true, true, tooWide
	return g
}

// longString returns a literal, in parts on lines of their own, in parentheses,
// where it is long.
func (p *program) longString(s, plus string, literal func(string) string) node {
	if !isLong(s) {
		return leaf(literal(s))
	}
	return p.inParts("", "(", s, ")", plus, literal)
}

// inParts returns the parts of a long string in brackets.
func (p *program) inParts(head, open, s, end, plus string, literal func(string) string) node {
	parts := splitLong(s)
	return p.glued(head, open, len(parts), end, plus, func(i int) string { return literal(parts[i]) })
}

// prefixed returns the text with a literal before it.
func prefixed(s string, t text) text {
	return mergeLiterals(append(text{{literal: s}}, t...))
}

// plainNumber returns what every JSON encoder prints for a number: the same
// digits, where it is short and has no exponent; else nothing.
func plainNumber(digits string) string {
	if len(digits) > 15 || strings.ContainsAny(digits, "eE") || digits == "-0" {
		return ""
	}
	whole, fraction, found := strings.Cut(digits, ".")
	if found && (strings.HasSuffix(fraction, "0") || whole == "-0" || strings.HasPrefix(fraction, "000")) {
		return ""
	}
	return digits
}

// plainNames reports whether a map of any language keeps its members: distinct
// names that do not look like numbers.
func plainNames(names []string) bool {
	for _, n := range names {
		if _, err := strconv.Atoi(n); err == nil || n == "" {
			return false
		}
	}
	return distinct(names)
}

// joinPieces returns pieces as an expression: that of the one piece, or what join
// makes of several.
func joinPieces(pieces []piece, text func(text) string, file func(piece) string, join func([]node) node) node {
	pieces = lineByLine(pieces)
	items := make([]node, len(pieces))
	for i, one := range pieces {
		if one.isText {
			items[i] = leaf(text(one.text))
		} else {
			items[i] = leaf(file(one))
		}
	}
	if len(items) == 1 {
		return items[0]
	}
	return join(items)
}

// nth counts the variables of a kind, and returns the name of the next one: part, part2.
func nth(name, between string, n *int) string {
	if *n++; *n > 1 {
		name += between + itoa(*n)
	}
	return name
}

// lineByLine cuts the longer texts among pieces after each CRLF, where no literal shows
// lines as they are; an empty line stays with the one before it.
func lineByLine(pieces []piece) []piece {
	var out []piece
	for i, one := range pieces {
		s, known := one.text.plain()
		if !one.isText || !known || len(s) <= longLiteral || !strings.Contains(s, "\r\n") {
			if out != nil {
				out = append(out, one)
			}
			continue
		}
		if out == nil {
			out = append(make([]piece, 0, len(pieces)+strings.Count(s, "\r\n")), pieces[:i]...)
		}
		for s != "" {
			n := len(s)
			if end := strings.Index(s, "\r\n"); end >= 0 {
				for n = end; strings.HasPrefix(s[n:], "\r\n"); n += len("\r\n") {
				}
			}
			out = append(out, piece{isText: true, text: literal(s[:n])})
			s = s[n:]
		}
	}
	if out == nil {
		return pieces
	}
	return out
}

// content returns the content as an expression: what whole makes of a text that is all
// of it, the content of a file, or what join makes of several of these.
func (c *call) content(whole func(text) node, text func(text) string, file func(piece) string, join func([]node) node) node {
	switch c.body.kind {
	case rawBody:
		return whole(c.body.data)
	case multipartBody:
		return joinPieces(c.rawForm(), text, file, join)
	case fileBody:
		return leaf(file(piece{file: c.body.file}))
	case pieceBody:
		return joinPieces(c.body.list, text, file, join)
	}
	return node{}
}
