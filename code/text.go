package code

import (
	"slices"
	"strings"
	"unicode/utf8"

	"uncoil/internal/engine/ascii"
	"uncoil/request"
)

// A text is a string of the request as a program writes it: literal parts, and
// variables that the program reads from its environment.
type text []part

// A part of a text is a literal, or a variable.
type part struct {
	literal  string
	variable *request.Variable // nil for a literal
}

// literal returns the text of one literal.
func literal(s string) text { return text{{literal: s}} }

// plain returns the text where it is one literal.
func (t text) plain() (string, bool) {
	switch len(t) {
	case 0:
		return "", true
	case 1:
		return t[0].literal, t[0].variable == nil
	}
	return "", false
}

// hasVariable reports whether one of the texts has a variable.
func hasVariable(texts ...text) bool {
	return slices.ContainsFunc(texts, func(t text) bool { _, ok := t.plain(); return !ok })
}

// length returns how many bytes the source of a text has.
func (t text) length() (n int) {
	for i := range t {
		n += len(t[i].source())
	}
	return n
}

// has reports whether a character of ASCII stands in the literal parts.
func (t text) has(c byte) bool {
	for i := range t {
		if strings.IndexByte(t[i].literal, c) >= 0 {
			return true
		}
	}
	return false
}

// source returns the text with its variables as they were typed.
func (t text) source() string {
	if len(t) == 1 && t[0].variable == nil {
		return t[0].literal
	}
	var b strings.Builder
	b.Grow(t.length())
	for i := range t {
		b.WriteString(t[i].source())
	}
	return b.String()
}

// source returns the part as it was typed.
func (p *part) source() string {
	if p.variable != nil {
		return p.variable.Expr
	}
	return p.literal
}

// literals returns the literal parts, joined.
func (t text) literals() string {
	if s, ok := t.plain(); ok {
		return s
	}
	var b strings.Builder
	b.Grow(t.length())
	for i := range t {
		b.WriteString(t[i].literal)
	}
	return b.String()
}

// isText reports whether the literal parts are UTF-8.
func (t text) isText() bool {
	for i := range t {
		if !utf8.ValidString(t[i].literal) {
			return false
		}
	}
	return true
}

// isASCII reports whether the literal parts are ASCII.
func (t text) isASCII() bool {
	for i := range t {
		if !ascii.Only(t[i].literal) {
			return false
		}
	}
	return true
}

// cut returns the text between two offsets of its source, which are not inside
// of a variable.
func (t text) cut(start, end int) text {
	var out text
	at := 0
	for _, p := range t {
		n := len(p.literal)
		if p.variable != nil {
			n = len(p.variable.Expr)
		}
		from, to := max(start-at, 0), min(end-at, n)
		if from < to {
			if p.variable == nil {
				p.literal = p.literal[from:to]
			}
			out = append(out, p)
		}
		at += n
	}
	return out
}

// split cuts the text at a separator, but not inside of a variable. Nothing has
// no parts.
func (t text) split(separator byte) []text {
	if len(t) == 0 {
		return nil
	}
	cuts := 0
	for i := range t {
		cuts += strings.Count(t[i].literal, string(separator))
	}
	out, all := make([]text, 0, cuts+1), make(text, 0, cuts+len(t)) // the parts of all texts
	for _, p := range t {
		for p.variable == nil {
			i := strings.IndexByte(p.literal, separator)
			if i < 0 {
				break
			}
			all = append(all, part{literal: p.literal[:i]})
			out = append(out, mergeLiterals(all[:len(all):len(all)]))
			all, p.literal = all[len(all):], p.literal[i+1:]
		}
		all = append(all, p)
	}
	return append(out, mergeLiterals(all))
}

// mergeLiterals joins literals that follow each other, and leaves out empty ones.
func mergeLiterals(t text) text {
	if !t.mergeable() {
		return t
	}
	var out text
	for i := 0; i < len(t); {
		if t[i].variable != nil {
			out = append(out, t[i])
			i++
			continue
		}
		first := i
		for i < len(t) && t[i].variable == nil {
			i++
		}
		if s := t[first:i].literals(); s != "" {
			out = append(out, part{literal: s})
		}
	}
	if len(out) == 0 {
		return literal("")
	}
	return out
}

// mergeable reports whether a text has nothing, an empty literal beside others, or two
// that follow each other.
func (t text) mergeable() bool {
	for i := range t {
		if t[i].variable == nil && len(t) > 1 && (t[i].literal == "" || i > 0 && t[i-1].variable == nil) {
			return true
		}
	}
	return len(t) == 0
}

// decoded returns a text whose variables the helper encodes.
func decoded(t text) text {
	out := slices.Clone(t)
	for i := range out {
		if out[i].variable != nil {
			v := *out[i].variable
			v.Encoding = 0
			out[i].variable = &v
		}
	}
	return out
}

// text returns a string of the model with its variables. at names the string,
// as [request.Variable] does.
func (c *call) text(s, at string) text {
	if len(c.Variables) == 0 || c.keep {
		c.parts = append(c.parts, part{literal: s})
		n := len(c.parts)
		return c.parts[n-1 : n : n]
	}
	first, end := len(c.parts), 0
	variables := c.places.in(at)
	for i := range variables {
		v := &variables[i]
		if !v.Known() && !c.live || v.Encoding == request.Base64 || v.Start < end || v.End > len(s) {
			continue // what the shell computes stays as typed
		}
		if v.Start > end {
			c.parts = append(c.parts, part{literal: s[end:v.Start]})
		}
		c.parts = append(c.parts, part{variable: v})
		end = v.End
	}
	if end < len(s) || len(c.parts) == first {
		c.parts = append(c.parts, part{literal: s[end:]})
	}
	n := len(c.parts)
	return c.parts[first:n:n]
}

// at returns the name of an item of a list of the model, or of a member of it,
// which only a request with variables needs.
func (c *call) at(list string, i int, member string) string {
	if len(c.Variables) == 0 {
		return ""
	}
	return list + itoa(i) + member
}

// fieldPlace returns the name of the value of a field.
func (c *call) fieldPlace(i int) string {
	if i < len(fieldPlaces) {
		return fieldPlaces[i]
	}
	return c.at("headers.", i, ".value")
}

// fieldPlaces has the names of the first fields, which nearly all requests ask for.
var fieldPlaces = func() (places [32]string) {
	for i := range places {
		places[i] = "headers." + itoa(i) + ".value"
	}
	return places
}()

// escaped returns the text with bytes percent-encoded: those that are not
// ASCII or controls, and the others for which unsafe is true.
func (t text) escaped(unsafe func(c byte) bool) text {
	out := slices.Clone(t)
	for i := range out {
		var b []byte
		for _, c := range []byte(out[i].literal) {
			if c <= ' ' || c >= 0x7f || unsafe(c) {
				b = append(b, '%', upperHex[c>>4], upperHex[c&15])
			} else {
				b = append(b, c)
			}
		}
		out[i].literal = string(b)
	}
	return out
}

// format returns a format that has a verb for each variable, and the arguments,
// each after a comma. escape doubles what is a verb in the literals.
func (t text) format(verb string, escape func(string) string, variable func(*request.Variable) string) (format, arguments string) {
	var f, a strings.Builder
	for i := range t {
		if v := t[i].variable; v != nil {
			f.WriteString(verb)
			a.WriteString(", ")
			a.WriteString(variable(v))
		} else {
			f.WriteString(escape(t[i].literal))
		}
	}
	return f.String(), a.String()
}

// index returns where the source has the first byte of a set outside of its
// variables, or its length.
func (t text) index(set string, from int) int {
	at := 0
	for _, p := range t {
		if p.variable != nil {
			at += len(p.variable.Expr)
			continue
		}
		if start := max(from-at, 0); start < len(p.literal) {
			if i := strings.IndexAny(p.literal[start:], set); i >= 0 {
				return at + start + i
			}
		}
		at += len(p.literal)
	}
	return at
}

// numbered returns a name that no other has: names counts those that were given.
func numbered(names map[string]int, name string) string {
	free := name
	for names[free] > 0 {
		names[name]++
		free = name + "_" + itoa(names[name])
	}
	names[free]++
	return free
}
