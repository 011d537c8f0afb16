package plan

import (
	"slices"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/internal/engine/meter"
	"uncoil/request"
)

// parsed returns what the content of a call says in JSON, or nothing. The content
// that the call before has too, as those of a glob do, is parsed once.
func (p *Program) parsed(c *Call) *emit.Value {
	c.isSigned = p.fed != nil && slices.ContainsFunc(c.Variables, isHashed)
	data, known := c.Content.Data.Plain()
	if !known {
		return p.parsedAround(c)
	}
	if n := len(p.Calls); n > 1 {
		if before := &p.Calls[n-2].Content; before.Kind == RawBody && before.literal() == data {
			return before.JSON
		}
	}
	var ok bool
	if c.Content.parsed, ok = p.values.Parse(data); ok {
		return &c.Content.parsed
	}
	return nil
}

// isHashed reports a variable with a hash of something, which may be the content.
func isHashed(v request.Variable) bool {
	e, ok := v.From.(*request.Encoded)
	return ok && e.Hash != ""
}

// literal returns the content where it holds no variables.
func (b *body) literal() string {
	data, _ := b.Data.Plain()
	return data
}

// parsedAround is parsed for content that has variables, in a program of the idiomatic
// style: its strings have holes for them. The language escapes the values, which the shell
// does not, so that both are the same for values that JSON writes as they are.
func (p *Program) parsedAround(c *Call) *emit.Value {
	if p.Exact() || p.Target.Kind == File || c.isSigned {
		return nil
	}
	t := c.Content.Data
	p.Budget.Hold(t.Length() + len(t)*(meter.SizeOf[int]()+meter.SizeOf[*request.Variable]()))
	holes, at := make([]int, 0, len(t)), 0
	for i := range t {
		v := t[i].Variable
		if v == nil {
			at += len(t[i].Literal)
			continue
		}
		if !fillsString(v) {
			return nil
		}
		if v.Encoding == request.EncodingJSON { // which the encoder of the language does
			p.Budget.Hold(meter.SizeOf[request.Variable]())
			plain := *v
			plain.Encoding, v = request.EncodingNone, &plain
		}
		holes, c.Content.holes = append(holes, at), append(c.Content.holes, v)
	}
	var ok bool
	if c.Content.parsed, ok = p.values.ParseAround(t.Literals(), holes); ok {
		return &c.Content.parsed
	}
	return nil
}

// fillsString reports whether the value of a variable may be text that JSON writes as it
// is: its default is known, and what jq prints without -r has quotes.
func fillsString(v *request.Variable) bool {
	r, picked := v.From.(*request.Response)
	return !strings.ContainsFunc(v.Default, func(c rune) bool { return c < ' ' || c == '"' || c == '\\' }) &&
		!(picked && r.Quoted)
}

// StringOf returns a string of the JSON content, with variables in its holes.
func (c *Call) StringOf(v *emit.Value) Text {
	if len(v.Items) == 0 {
		return Literal(v.Text)
	}
	t := make(Text, len(v.Items))
	for i := range v.Items {
		if one := &v.Items[i]; one.Kind == emit.HoleValue {
			t[i].Variable = c.Content.holes[one.Hole]
		} else {
			t[i].Literal = one.Text
		}
	}
	return t
}

// Encodes reports whether the program may hold the JSON content as a literal of its
// language: in the exact style, and where something may sign the content, where the encoder
// prints exactly these bytes, and in the other one where it prints the same value.
func (p *Program) Encodes(e *emit.Encoder, c *Call) bool {
	v := c.Content.JSON
	if v == nil {
		return false
	}
	if p.Exact() || c.isSigned {
		c.holdsJSON = e.Prints(v, c.Content.literal())
		return c.holdsJSON
	}
	c.holdsJSON = e.Holds(v)
	c.otherJSON = c.holdsJSON && !p.printsAround(e, c)
	return c.holdsJSON
}

// HoldsJSON reports whether the program has the JSON content as a value of its language.
func (c *Call) HoldsJSON() bool { return c.holdsJSON }

// printsAround reports whether the encoder prints the bytes of JSON content, which may have
// variables.
func (p *Program) printsAround(e *emit.Encoder, c *Call) bool {
	if !HasVariable(c.Content.Data) {
		return e.Prints(c.Content.JSON, c.Content.literal())
	}
	var b strings.Builder
	p.Budget.Hold(c.Content.Data.Length())
	for _, part := range c.Content.Data {
		b.WriteString(part.Literal)
		if part.Variable != nil {
			b.WriteByte('x')
		}
	}
	v, ok := p.values.Parse(b.String())
	return ok && e.Prints(&v, b.String())
}
