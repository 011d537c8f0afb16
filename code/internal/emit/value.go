package emit

import (
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/jsontext"
	"uncoil/internal/engine/meter"
)

// A Value is a JSON value as it was written: numbers keep their digits, objects
// the order of their members and repeated names.
type Value struct {
	Kind  valueKind
	Hole  int32    // of a [HoleValue]: which one
	Text  string   // of a string without holes: what it stands for; else the source
	Names []string // of an object
	Items []Value  // of an object or an array; of a string with holes: its parts
}

type valueKind uint8

const (
	literalValue valueKind = iota // true, false, null
	NumberValue
	StringValue
	ArrayValue
	ObjectValue
	HoleValue // a part of a string that the program fills in
)

// maxValueDepth bounds how deep a value may nest to be written as a literal of
// another language; deeper ones stay text.
const maxValueDepth = 32

// maxValues is how many values JSON may have to be written so. With more of them
// it is data, which nobody edits in a program, and stays text.
const maxValues = 1 << 15

// ParseValue reads a JSON object or array. It reports false for anything else,
// such as {"a": 007}, for what nests too deep, and for strings that are not text (a lone
// surrogate), which no language writes as a literal.
func ParseValue(s string) (Value, bool) { return new(ValueParser).Parse(s) }

// Parse is parseValue; the value uses the memory of the parser.
func (p *ValueParser) Parse(s string) (Value, bool) { return p.ParseAround(s, nil) }

// ParseAround is Parse for JSON that has holes: at these offsets, in their order, something
// is left out. It reports false where one is not within a string, or in the name of a member,
// which nobody could compare with others.
func (p *ValueParser) ParseAround(s string, holes []int) (Value, bool) {
	if !utf8.ValidString(s) {
		return Value{}, false
	}
	p.src, p.reader, p.names, p.items, p.left = s, jsontext.NewReader(s, maxValueDepth+1), p.names[:0], p.items[:0], maxValues
	p.holes, p.filled = holes, 0
	if c := p.reader.Peek(); c != '{' && c != '[' {
		return Value{}, false
	}
	v, ok := p.value(0)
	return v, ok && p.reader.Peek() == 0 && p.reader.Pos() == len(s) && p.filled == len(holes)
}

// A ValueParser makes values of JSON text.
type ValueParser struct {
	src    string
	reader jsontext.Reader
	names  []string // of the objects that are open
	items  []Value  // of the values that are open

	left int // how many values there may be

	holes  []int // offsets in src
	filled int   // how many of them are within strings so far

	KnownNames Slab[string]
	KnownItems Slab[Value]
	Budget     *Budget
}

// Emptied returns the parser without the values that it has read.
func (p *ValueParser) Emptied() ValueParser {
	return ValueParser{names: Emptied(p.names), items: Emptied(p.items), KnownNames: p.KnownNames.Emptied(), KnownItems: p.KnownItems.Emptied()}
}

// value reads the value that begins with the next byte.
func (p *ValueParser) value(depth int) (v Value, ok bool) {
	if p.left--; depth > maxValueDepth || p.left < 0 {
		return Value{}, false
	}
	names, items, start := len(p.names), len(p.items), p.reader.Pos()
	switch c := p.reader.Peek(); {
	case c == '{':
		v.Kind = ObjectValue
		ok = p.reader.Object(func(name string, offset int) bool {
			if p.nextHole() < p.reader.Pos() || p.reader.LoneSurrogate() >= 0 {
				return false
			}
			p.names = append(p.names, name)
			p.reader.Peek()
			return p.item(depth + 1)
		})
		v.Text = p.src[start:p.reader.Pos()]
	case c == '[':
		v.Kind = ArrayValue
		ok = p.reader.Array(func() bool { return p.item(depth + 1) })
		v.Text = p.src[start:p.reader.Pos()]
	case c == '"':
		v.Kind = StringValue
		v.Text, ok = p.str()
	default:
		if c == '-' || ascii.IsDigit(c) {
			v.Kind = NumberValue
		}
		ok = p.reader.Skip()
		v.Text = p.src[start:p.reader.Pos()]
		return v, ok
	}
	v.Names = p.KnownNames.keep(p.names[names:])
	v.Items = p.KnownItems.keep(p.items[items:])
	clear(p.names[names:])
	clear(p.items[items:])
	p.names, p.items = p.names[:names], p.items[:items]
	return v, ok
}

// item reads a value of an object or an array.
func (p *ValueParser) item(depth int) bool {
	v, ok := p.value(depth)
	if ok {
		p.push(v)
	}
	return ok
}

// push adds a value to those that are open.
func (p *ValueParser) push(v Value) {
	if n := len(p.items); n == cap(p.items) {
		p.Budget.Hold(n * meter.SizeOf[Value]())
		p.items = slices.Grow(p.items, max(n, usualList))
	}
	p.items = append(p.items, v)
}

// nextHole returns the offset of the next hole, or the length of the source.
func (p *ValueParser) nextHole() int {
	if p.filled < len(p.holes) {
		return p.holes[p.filled]
	}
	return len(p.src)
}

// str reads a string. Where it has holes, its parts are pushed.
func (p *ValueParser) str() (string, bool) {
	start := p.reader.Pos() + 1
	if p.nextHole() < start {
		return "", false
	}
	text, ok := p.reader.String()
	end := p.reader.Pos() - 1
	if !ok || p.reader.LoneSurrogate() >= 0 || p.nextHole() > end {
		return text, ok && p.reader.LoneSurrogate() < 0
	}
	for p.nextHole() <= end {
		hole := p.nextHole()
		before, ok := unquoted(p.src[start:hole])
		if !ok || !p.pushHole(before) {
			return "", false
		}
		start = hole
	}
	last, ok := unquoted(p.src[start:end])
	if len(last) > 0 {
		p.push(Value{Kind: StringValue, Text: last})
	}
	return last, ok
}

// unquoted returns what stands for a part of a string; it reports false where the part ends
// within an escape sequence or a character.
func unquoted(part string) (string, bool) {
	if !Contains(part, '\\') {
		return part, utf8.ValidString(part)
	}
	r := jsontext.NewReader(`"`+part+`"`, 0)
	text, ok := r.String()
	return text, ok && r.LoneSurrogate() < 0 && r.Pos() == len(part)+len(`""`) && utf8.ValidString(part)
}

// pushHole pushes the text before a hole, and the hole.
func (p *ValueParser) pushHole(before string) bool {
	if p.left -= 2; p.left < 0 {
		return false
	}
	if len(before) > 0 {
		p.push(Value{Kind: StringValue, Text: before})
	}
	p.push(Value{Kind: HoleValue, Hole: int32(p.filled)})
	p.filled++
	return true
}

// An Encoder describes how a language's JSON encoder prints a value that was
// written as a literal of the language.
type Encoder struct {
	Item, Name string // the separators: after an item, after a name
	Indent     string // of one level, where each item has a line of its own
	ASCIIOnly  bool   // other characters as \uXXXX
	html       bool   // <, > and & as \u003c, \u003e and \u0026
	Slash      bool   // / as \/
	// number returns how the encoder prints a number of the source.
	Number func(digits string) string
	// keeps reports whether an object keeps its members, in their order.
	Keeps func(names []string) bool
}

// Prints reports whether the encoder prints exactly src for v. Then the program
// may hold v as a literal of its language; else it must hold the text.
func (e *Encoder) Prints(v *Value, src string) bool {
	c := comparison{rest: src}
	return e.print(&c, v, 0) && c.rest == ""
}

// Holds reports whether the encoder prints the value v, in whatever spelling: its
// numbers as decimals, and its members in their order.
func (e *Encoder) Holds(v *Value) bool {
	switch v.Kind {
	case NumberValue:
		return readable(v.Text) || sameDecimal(e.Number(v.Text), v.Text)
	case ArrayValue, ObjectValue:
		if v.Kind == ObjectValue && !e.Keeps(v.Names) {
			return false
		}
		for i := range v.Items {
			if !e.Holds(&v.Items[i]) {
				return false
			}
		}
	}
	return true
}

// readable reports a number that a double holds as it is written: IEEE 754 keeps 15
// digits.
func readable(s string) bool {
	digits, exponent, ok := jsontext.Decimal(s)
	return ok && len(strings.TrimPrefix(digits, "-")) <= 15 && exponent > -300 && exponent < 290
}

// sameDecimal reports whether two numbers of JSON are the same decimal; "" is none.
func sameDecimal(a, b string) bool {
	if a == b || a == "" {
		return a != ""
	}
	return jsontext.SameNumber(a, b)
}

// print reports whether the encoder prints what comes next.
func (e *Encoder) print(c *comparison, v *Value, level int) bool {
	switch v.Kind {
	case NumberValue:
		return c.next(e.Number(v.Text))
	case StringValue:
		return e.printString(c, v.Text)
	case ArrayValue, ObjectValue:
		open, end := "[", "]"
		if v.Kind == ObjectValue {
			open, end = "{", "}"
		}
		if !c.next(open) {
			return false
		}
		for i := range v.Items {
			if i > 0 && !c.next(e.Item) || !e.newline(c, level+1) ||
				v.Kind == ObjectValue && (!e.printString(c, v.Names[i]) || !c.next(e.Name)) ||
				!e.print(c, &v.Items[i], level+1) {
				return false
			}
		}
		return (len(v.Items) == 0 || e.newline(c, level)) && c.next(end) && (v.Kind == ArrayValue || e.Keeps(v.Names))
	}
	return c.next(v.Text)
}

// newline begins a line, where the encoder writes an item on each.
func (e *Encoder) newline(c *comparison, level int) bool {
	if e.Indent == "" {
		return true
	}
	ok := c.next("\n")
	for ; ok && level > 0; level-- {
		ok = c.next(e.Indent)
	}
	return ok
}

func (e *Encoder) printString(c *comparison, s string) bool {
	if !c.next(`"`) {
		return false
	}
	also := ""
	if e.html || e.Slash {
		also = "/<>&"
	}
	for s != "" {
		n := PlainRun(s, '"', also)
		ok := c.next(s[:n])
		if n == 0 {
			var r rune
			r, n = utf8.DecodeRuneInString(s)
			ok = c.next(string(e.appendRune(make([]byte, 0, 12), r)))
		}
		if !ok {
			return false
		}
		s = s[n:]
	}
	return c.next(`"`)
}

func (e *Encoder) appendRune(b []byte, r rune) []byte {
	switch i := strings.IndexRune("\"\\\b\f\n\r\t", r); {
	case i >= 0:
		return append(b, '\\', `"\bfnrt`[i])
	case r == '/' && e.Slash:
		return append(b, `\/`...)
	case r < ' ', e.html && (r == '<' || r == '>' || r == '&'), r >= 0x7f && r < 0x10000 && e.ASCIIOnly && r != 0x7f:
		return AppendCodeUnit(b, r)
	case r >= 0x10000 && e.ASCIIOnly:
		high, low := utf16.EncodeRune(r)
		return AppendCodeUnit(AppendCodeUnit(b, high), low)
	}
	return utf8.AppendRune(b, r)
}

// A comparison holds what is left of a text that an encoder should print.
type comparison struct{ rest string }

// next reports whether the rest begins with s, and goes on after it.
func (c *comparison) next(s string) bool {
	var ok bool
	c.rest, ok = strings.CutPrefix(c.rest, s)
	return ok
}

// Distinct reports whether no two names are the same.
func Distinct(names []string) bool {
	if len(names) < 2 {
		return true
	}
	if len(names) <= Pairwise {
		for i, n := range names {
			if slices.Contains(names[:i], n) {
				return false
			}
		}
		return true
	}
	seen := make(map[string]bool, len(names))
	for _, n := range names {
		if seen[n] {
			return false
		}
		seen[n] = true
	}
	return true
}

// Pairwise is how many names are compared with each other; more are looked up in
// a map.
const Pairwise = 16
