package plan

import (
	"slices"
	"strings"
	"unicode/utf8"

	"uncoil/code/internal/emit"
	"uncoil/internal/engine/ascii"
	"uncoil/request"
)

// A Text is a string of the request as a program writes it: literal parts, and
// variables that the program reads from its environment.
type Text []Part

// A Part of a text is a literal, or a variable.
type Part struct {
	Literal  string
	Variable *request.Variable // nil for a literal
}

// Literal returns the text of one literal.
func Literal(s string) Text { return Text{{Literal: s}} }

// Plain returns the text where it is one literal.
func (t Text) Plain() (string, bool) {
	switch len(t) {
	case 0:
		return "", true
	case 1:
		return t[0].Literal, t[0].Variable == nil
	}
	return "", false
}

// HasVariable reports whether one of the texts has a variable.
func HasVariable(texts ...Text) bool {
	return slices.ContainsFunc(texts, func(t Text) bool { _, ok := t.Plain(); return !ok })
}

// Length returns how many bytes the source of a text has.
func (t Text) Length() (n int) {
	for i := range t {
		n += len(t[i].source())
	}
	return n
}

// Has reports whether a character of ASCII stands in the literal parts.
func (t Text) Has(c byte) bool {
	for i := range t {
		if strings.IndexByte(t[i].Literal, c) >= 0 {
			return true
		}
	}
	return false
}

// Source returns the text with its variables as they were typed.
func (t Text) Source() string {
	if len(t) == 1 && t[0].Variable == nil {
		return t[0].Literal
	}
	var b strings.Builder
	b.Grow(t.Length())
	for i := range t {
		b.WriteString(t[i].source())
	}
	return b.String()
}

// source returns the part as it was typed.
func (p *Part) source() string {
	if p.Variable != nil {
		return p.Variable.Expr
	}
	return p.Literal
}

// Literals returns the literal parts, joined.
func (t Text) Literals() string {
	if s, ok := t.Plain(); ok {
		return s
	}
	var b strings.Builder
	b.Grow(t.Length())
	for i := range t {
		b.WriteString(t[i].Literal)
	}
	return b.String()
}

// IsText reports whether the literal parts are UTF-8.
func (t Text) IsText() bool {
	for i := range t {
		if !utf8.ValidString(t[i].Literal) {
			return false
		}
	}
	return true
}

// IsASCII reports whether the literal parts are ASCII.
func (t Text) IsASCII() bool {
	for i := range t {
		if !ascii.Only(t[i].Literal) {
			return false
		}
	}
	return true
}

// Cut returns the text between two offsets of its source, which are not inside
// of a variable.
func (t Text) Cut(start, end int) Text {
	var out Text
	at := 0
	for _, p := range t {
		n := len(p.Literal)
		if p.Variable != nil {
			n = len(p.Variable.Expr)
		}
		from, to := max(start-at, 0), min(end-at, n)
		if from < to {
			if p.Variable == nil {
				p.Literal = p.Literal[from:to]
			}
			out = append(out, p)
		}
		at += n
	}
	return out
}

// Split cuts the text at a separator, but not inside of a variable. Nothing has
// no parts.
func (t Text) Split(separator byte) []Text {
	if len(t) == 0 {
		return nil
	}
	cuts := 0
	for i := range t {
		cuts += strings.Count(t[i].Literal, string(separator))
	}
	out, all := make([]Text, 0, cuts+1), make(Text, 0, cuts+len(t)) // the parts of all texts
	for _, p := range t {
		for p.Variable == nil {
			i := strings.IndexByte(p.Literal, separator)
			if i < 0 {
				break
			}
			all = append(all, Part{Literal: p.Literal[:i]})
			out = append(out, MergeLiterals(all[:len(all):len(all)]))
			all, p.Literal = all[len(all):], p.Literal[i+1:]
		}
		all = append(all, p)
	}
	return append(out, MergeLiterals(all))
}

// MergeLiterals joins literals that follow each other, and leaves out empty ones.
func MergeLiterals(t Text) Text {
	if !t.mergeable() {
		return t
	}
	var out Text
	for i := 0; i < len(t); {
		if t[i].Variable != nil {
			out = append(out, t[i])
			i++
			continue
		}
		first := i
		for i < len(t) && t[i].Variable == nil {
			i++
		}
		if s := t[first:i].Literals(); s != "" {
			out = append(out, Part{Literal: s})
		}
	}
	if len(out) == 0 {
		return Literal("")
	}
	return out
}

// mergeable reports whether a text has nothing, an empty literal beside others, or two
// that follow each other.
func (t Text) mergeable() bool {
	for i := range t {
		if t[i].Variable == nil && len(t) > 1 && (t[i].Literal == "" || i > 0 && t[i-1].Variable == nil) {
			return true
		}
	}
	return len(t) == 0
}

// Decoded returns a text whose variables the helper encodes.
func Decoded(t Text) Text {
	out := slices.Clone(t)
	for i := range out {
		if out[i].Variable != nil {
			v := *out[i].Variable
			v.Encoding = 0
			out[i].Variable = &v
		}
	}
	return out
}

// Text returns a string of the model with its variables.
func (c *Call) Text(s string, at request.Place) Text {
	if len(c.Variables) == 0 || c.Keep {
		c.parts = append(c.parts, Part{Literal: s})
		n := len(c.parts)
		return c.parts[n-1 : n : n]
	}
	first, end := len(c.parts), 0
	variables := c.places.At(at)
	for i := range variables {
		v := &variables[i]
		if !v.Known() && !c.live || v.Encoding == request.EncodingBase64 || v.Start < end || v.End > len(s) {
			continue // what the shell computes stays as typed
		}
		if v.Start > end {
			c.parts = append(c.parts, Part{Literal: s[end:v.Start]})
		}
		c.parts = append(c.parts, Part{Variable: v})
		end = v.End
	}
	if end < len(s) || len(c.parts) == first {
		c.parts = append(c.parts, Part{Literal: s[end:]})
	}
	n := len(c.parts)
	return c.parts[first:n:n]
}

// Escaped returns the text with bytes percent-encoded: those that are not
// ASCII or controls, and the others for which unsafe is true.
func (t Text) Escaped(unsafe func(c byte) bool) Text {
	out := slices.Clone(t)
	for i := range out {
		var b []byte
		for _, c := range []byte(out[i].Literal) {
			if c <= ' ' || c >= 0x7f || unsafe(c) {
				b = append(b, '%', emit.UpperHex[c>>4], emit.UpperHex[c&15])
			} else {
				b = append(b, c)
			}
		}
		out[i].Literal = string(b)
	}
	return out
}

// Format returns a format that has a verb for each variable, and the arguments,
// each after a comma. escape doubles what is a verb in the literals.
func (t Text) Format(verb string, escape func(string) string, variable func(*request.Variable) string) (format, arguments string) {
	var f, a strings.Builder
	for i := range t {
		if v := t[i].Variable; v != nil {
			f.WriteString(verb)
			a.WriteString(", ")
			a.WriteString(variable(v))
		} else {
			f.WriteString(escape(t[i].Literal))
		}
	}
	return f.String(), a.String()
}

// Index returns where the source has the first byte of a set outside of its
// variables, or its length.
func (t Text) Index(set string, from int) int {
	at := 0
	for _, p := range t {
		if p.Variable != nil {
			at += len(p.Variable.Expr)
			continue
		}
		if start := max(from-at, 0); start < len(p.Literal) {
			if i := strings.IndexAny(p.Literal[start:], set); i >= 0 {
				return at + start + i
			}
		}
		at += len(p.Literal)
	}
	return at
}

// Numbered returns a name that no other has: names counts those that were given.
func Numbered(names map[string]int, name string) string {
	free := name
	for names[free] > 0 {
		names[name]++
		free = name + "_" + emit.Itoa(names[name])
	}
	names[free]++
	return free
}
