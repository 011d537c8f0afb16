package plan

import (
	"strconv"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/request"
)

// A Language is how strings are written in one: what the targets of several
// clients of a language share.
type Language struct {
	Literal  func(s string) string                        // a literal that has these bytes
	Variable func(p *Program, v *request.Variable) string // a look-up in the environment
	Plus     string                                       // joins two expressions

	// inside returns an expression as it stands in a literal in double quotes before a
	// character, or reports false; nil: such a literal holds none. escape escapes what
	// else stands there.
	Inside func(expression string, next byte) (string, bool)
	Escape func(s string) string
}

// Text returns an expression for a string with its variables.
func (l *Language) Text(p *Program, t Text) string {
	if s, ok := t.Plain(); ok {
		return l.Literal(s)
	}
	return l.joined(t, l.terms(p, t))
}

// joined returns the expression for a text of the terms for its parts.
func (l *Language) joined(t Text, terms []string) string {
	if s, ok := l.interpolated(t, terms); ok {
		return s
	}
	return strings.Join(terms, l.Plus)
}

// interpolated returns a literal of a text of one line with the expressions for its
// variables, where the language has such literals.
func (l *Language) interpolated(t Text, expressions []string) (string, bool) {
	if l.Inside == nil || len(t) == 1 || !t.IsText() || strings.ContainsAny(t.Literals(), "\"\\\n") {
		return "", false // with escapes it would be hard to read
	}
	b := []byte{'"'}
	for i := range t {
		if t[i].Variable == nil {
			quoted := l.Escape(t[i].Literal)
			b = append(b, quoted[1:len(quoted)-1]...)
			continue
		}
		next := byte('"')
		if i+1 < len(t) && t[i+1].Variable == nil {
			next = t[i+1].Literal[0]
		}
		s, ok := l.Inside(expressions[i], next)
		if !ok {
			return "", false
		}
		b = append(b, s...)
	}
	return string(append(b, '"')), true
}

// NumberSign returns an expression as it stands in a literal of Ruby or Elixir.
func NumberSign(expression string, _ byte) (string, bool) { return "#{" + expression + "}", true }

// Long returns a call with one string for its argument, in parts on lines of
// their own where it is long. plus stands between two parts.
func (l *Language) Long(p *Program, head, open, s, end, plus string) emit.Node {
	if !p.IsLong(s) {
		return emit.Group(head, open, []emit.Node{emit.Leaf(l.Literal(s))}, end)
	}
	return p.InParts(head, open, s, end, plus, l.Literal)
}

// Content returns an expression for a text that may be long: its lines as they are,
// or else parts on lines of their own.
func (l *Language) Content(p *Program, t Text) emit.Node {
	if s, ok := t.Plain(); ok && t.IsText() && !emit.SpansLines(s) {
		return p.LongString(s, strings.TrimRight(l.Plus, " "), l.Literal)
	}
	return l.Sum(p, t)
}

// Sum returns an expression for a text, whose variables stand on lines of their own
// where it is long.
func (l *Language) Sum(p *Program, t Text) emit.Node {
	terms := l.terms(p, t)
	return p.Added(l.joined(t, terms), terms, strings.TrimRight(l.Plus, " "))
}

// terms returns an expression for each part of a text.
func (l *Language) terms(p *Program, t Text) []string {
	terms := make([]string, len(t))
	for i := range t {
		if t[i].Variable == nil {
			terms[i] = l.Literal(t[i].Literal)
		} else {
			terms[i] = l.Variable(p, t[i].Variable)
		}
	}
	return terms
}

// Call writes the statement of a call, with an argument on each line where it is too
// long for one.
func (p *Program) Call(before, function string, arguments ...string) {
	items := p.List(len(arguments))
	for _, a := range arguments {
		items = append(items, emit.Leaf(a))
	}
	p.Node(before, emit.Group(function, "(", items, ")"), ";")
}

// Added returns an expression that fits on a line as it is, and else its terms on lines
// of their own, in parentheses, unless some of them have lines themselves.
func (p *Program) Added(expression string, terms []string, plus string) emit.Node {
	if len(terms) < 2 || len(expression) <= emit.LongLiteral+10 || strings.Contains(expression, "\n") {
		return emit.Leaf(expression)
	}
	return p.Glued("", "(", len(terms), ")", plus, func(i int) string { return terms[i] })
}

// Glued returns terms on lines of their own, in brackets; plus stands between two.
func (p *Program) Glued(head, open string, n int, end, plus string, term func(i int) string) emit.Node {
	items := p.List(n)
	for i := range n {
		one := emit.Leaf(term(i))
		if plus != "" && i+1 < n {
			one.Head += plus
		}
		items = append(items, one)
	}
	g := emit.Group(head, open, items, end)
	g.Glued, g.Broken, g.Width = true, true, emit.TooWide
	return g
}

// LongString returns a literal, in parts on lines of their own, in parentheses,
// where it is long and does not fit on its line.
func (p *Program) LongString(s, plus string, literal func(string) string) emit.Node {
	if !p.IsLong(s) {
		return emit.Leaf(literal(s))
	}
	n := p.InParts("", "(", s, ")", plus, literal)
	return emit.InOne(n, literal(s))
}

// LongSum is LongString in languages whose formatter takes the parentheses away.
func (p *Program) LongSum(s, plus string, literal func(string) string) emit.Node {
	if !p.IsLong(s) {
		return emit.Leaf(literal(s))
	}
	var terms []string
	for _, part := range p.Parts(s) {
		terms = append(terms, literal(part))
	}
	n := emit.Summed(terms)
	return emit.InOne(n, literal(s))
}

// InParts returns the parts of a long string in brackets.
func (p *Program) InParts(head, open, s, end, plus string, literal func(string) string) emit.Node {
	parts := p.Parts(s)
	return p.Glued(head, open, len(parts), end, plus, func(i int) string { return literal(parts[i]) })
}

// Prefixed returns the text with a literal before it.
func Prefixed(s string, t Text) Text {
	return MergeLiterals(append(Text{{Literal: s}}, t...))
}

// PlainNumber returns what every JSON encoder prints for a number: the same
// digits, where it is short and has no exponent; else nothing.
func PlainNumber(digits string) string {
	if len(digits) > 15 || strings.ContainsAny(digits, "eE") || digits == "-0" {
		return ""
	}
	whole, fraction, found := strings.Cut(digits, ".")
	if found && (strings.HasSuffix(fraction, "0") || whole == "-0" || strings.HasPrefix(fraction, "000")) {
		return ""
	}
	return digits
}

// PlainNames reports whether a map of any language keeps its members: distinct
// names that do not look like numbers.
func PlainNames(names []string) bool {
	for _, n := range names {
		if _, err := strconv.Atoi(n); err == nil || n == "" {
			return false
		}
	}
	return emit.Distinct(names)
}

// JoinPieces returns pieces as an expression: that of the one piece, or what join
// makes of several.
func JoinPieces(pieces []Piece, text func(Text) string, file func(Piece) string, join func([]emit.Node) emit.Node) emit.Node {
	pieces = LineByLine(pieces)
	items := make([]emit.Node, len(pieces))
	for i, one := range pieces {
		if one.IsText {
			items[i] = emit.Leaf(text(one.Text))
		} else {
			items[i] = emit.Leaf(file(one))
		}
	}
	if len(items) == 1 {
		return items[0]
	}
	return join(items)
}

// Nth counts the variables of a kind, and returns the name of the next one: part, part2.
func Nth(name, between string, n *int) string {
	if *n++; *n > 1 {
		name += between + emit.Itoa(*n)
	}
	return name
}

// LineByLine cuts the longer texts among pieces after each CRLF, where no literal shows
// lines as they are; an empty line stays with the one before it.
func LineByLine(pieces []Piece) []Piece {
	var out []Piece
	for i, one := range pieces {
		s, known := one.Text.Plain()
		if !one.IsText || !known || len(s) <= emit.LongLiteral || !strings.Contains(s, "\r\n") {
			if out != nil {
				out = append(out, one)
			}
			continue
		}
		if out == nil {
			out = append(make([]Piece, 0, len(pieces)+strings.Count(s, "\r\n")), pieces[:i]...)
		}
		for s != "" {
			n := len(s)
			if end := strings.Index(s, "\r\n"); end >= 0 {
				for n = end; strings.HasPrefix(s[n:], "\r\n"); n += len("\r\n") {
				}
			}
			out = append(out, Piece{IsText: true, Text: Literal(s[:n])})
			s = s[n:]
		}
	}
	if out == nil {
		return pieces
	}
	return out
}

// ContentNode returns the content as an expression: what whole makes of a text that is all
// of it, the content of a file, or what join makes of several of these.
func (c *Call) ContentNode(whole func(Text) emit.Node, text func(Text) string, file func(Piece) string, join func([]emit.Node) emit.Node) emit.Node {
	switch c.Content.Kind {
	case RawBody:
		return whole(c.Content.Data)
	case MultipartBody:
		return JoinPieces(c.RawForm(), text, file, join)
	case FileBody:
		return emit.Leaf(file(Piece{File: c.Content.File}))
	case PieceBody:
		return JoinPieces(c.Content.List, text, file, join)
	}
	return emit.Node{}
}
