package plan

import (
	"strings"

	"uncoil/code/internal/emit"
)

// How JSON that is text in a program is laid out: spaces for a level, and how long a line may be.
const (
	jsonIndent = "  "
	jsonLine   = emit.LongLiteral
)

// hole stands for a variable in text that is laid out: JSON has no such character.
const hole = "\x00"

// LayOutJSON lays JSON content out as formatters do, which a program has as text: on one line where
// it is short, and with a member a line where it is long or has several. It does so in the
// idiomatic style, where nothing measures or signs the bytes.
func (p *Program) LayOutJSON(c *Call) {
	t := c.Content.Data
	if p.Exact() || p.Target.Kind != Code || c.Content.JSON == nil || c.isSigned || c.Content.meant || c.measured() || t.Has(hole[0]) {
		return
	}
	text := t.Literals()
	if HasVariable(t) {
		var b strings.Builder
		for i := range t {
			if b.WriteString(t[i].Literal); t[i].Variable != nil {
				b.WriteString(hole)
			}
		}
		text = b.String()
	}
	if kind := c.Content.JSON.Kind; kind != emit.ObjectValue && kind != emit.ArrayValue || len(text) <= jsonLine && !strings.Contains(text, "\n") {
		return
	}
	p.Budget.Hold(3 * len(text))
	l := jsonLayout{budget: p.Budget, text: spaced(text)}
	l.value(0, len(l.text), 0, 0)
	laid := l.out.String()
	if laid == text {
		return
	}
	c.otherJSON = true
	c.Content.Data = filled(laid, t)
}

// filled returns text whose holes are the variables of another.
func filled(text string, of Text) Text {
	if !HasVariable(of) {
		return Literal(text)
	}
	var t Text
	for i := range of {
		if of[i].Variable == nil {
			continue
		}
		before, after, _ := strings.Cut(text, hole)
		if before != "" {
			t = append(t, Part{Literal: before})
		}
		t, text = append(t, of[i]), after
	}
	if text != "" {
		t = append(t, Part{Literal: text})
	}
	return t
}

// spaced returns JSON on one line, with a blank after each comma and colon.
func spaced(s string) string {
	b := make([]byte, 0, len(s)+len(s)/4)
	inString := false
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case inString && c == '\\':
			b = append(b, c)
			i++
			c = s[i]
		case c == '"':
			inString = !inString
		case inString:
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			continue
		case c == ',' || c == ':':
			b = append(b, c)
			c = ' '
		}
		b = append(b, c)
	}
	return string(b)
}

// A jsonLayout lays out JSON that is on one line.
type jsonLayout struct {
	budget *emit.Budget
	text   string
	out    strings.Builder
}

// value writes the value that stands at text[start:end], which begins in a column and whose lines
// have a depth.
func (l *jsonLayout) value(start, end, column, depth int) {
	s := l.text[start:end]
	l.budget.Work(len(s))
	if column+len(s) <= jsonLine || s[0] != '{' && s[0] != '[' || len(s) == 2 {
		l.write(s)
		return
	}
	indent := strings.Repeat(jsonIndent, depth+1)
	l.write(s[:1])
	l.write("\n")
	l.write(indent)
	plain, at := s[0] == '[' && !strings.ContainsAny(s[1:], "{[\""), len(indent) // numbers stand side by side
	first := true
	l.items(start+1, end-1, func(from, to int) {
		switch n := to - from; {
		case first:
		case plain && at+len(", ")+n < jsonLine:
			l.write(", ")
			at += len(", ")
		default:
			l.write(",\n")
			l.write(indent)
			at = len(indent)
		}
		first = false
		name := 0
		if s[0] == '{' {
			name = stringEnd(l.text, from) + len(": ") - from
			l.write(l.text[from : from+name])
		}
		l.value(from+name, to, len(indent)+name, depth+1)
		at += to - from
	})
	l.write("\n")
	l.write(indent[len(jsonIndent):])
	l.write(s[len(s)-1:])
}

// items calls yield with the places of the members or elements in text[start:end].
func (l *jsonLayout) items(start, end int, yield func(from, to int)) {
	from, depth := start, 0
	for i := start; i < end; i++ {
		switch l.text[i] {
		case '"':
			i = stringEnd(l.text, i) - 1
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case ',':
			if depth == 0 {
				yield(from, i)
				from = i + len(", ")
			}
		}
	}
	yield(from, end)
}

// stringEnd returns where the string ends that begins at an offset.
func stringEnd(s string, i int) int {
	for i++; i < len(s) && s[i] != '"'; i++ {
		if s[i] == '\\' {
			i++
		}
	}
	return min(i+1, len(s))
}

func (l *jsonLayout) write(s string) {
	l.budget.Hold(len(s))
	l.out.WriteString(s)
}
