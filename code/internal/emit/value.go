package emit

import (
	"slices"
	"strconv"
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
	if !jsontext.Container(s) {
		return Value{}, false
	}
	p.src, p.i, p.names, p.items, p.left = s, 0, p.names[:0], p.items[:0], maxValues
	p.holes, p.filled = holes, 0
	p.skipBlanks()
	v, ok := p.value(0)
	return v, ok && p.filled == len(holes)
}

// A ValueParser reads JSON that is known to be valid.
type ValueParser struct {
	src   string
	i     int
	names []string // of the objects that are open
	items []Value  // of the values that are open

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

func (p *ValueParser) skipBlanks() {
	for p.i < len(p.src) && Contains(" \t\r\n", p.src[p.i]) {
		p.i++
	}
}

// take skips the byte c, and blanks before it.
func (p *ValueParser) take(c byte) bool {
	p.skipBlanks()
	if p.i >= len(p.src) || p.src[p.i] != c {
		return false
	}
	p.i++
	return true
}

func (p *ValueParser) value(depth int) (Value, bool) {
	if p.left--; depth > maxValueDepth || p.left < 0 || p.i >= len(p.src) {
		return Value{}, false
	}
	switch c := p.src[p.i]; {
	case c == '{' || c == '[':
		return p.container(depth)
	case c == '"':
		items := len(p.items)
		text, ok := p.str()
		v := Value{Kind: StringValue, Text: text, Items: p.KnownItems.keep(p.items[items:])}
		clear(p.items[items:])
		p.items = p.items[:items]
		return v, ok
	case c == '-' || ascii.IsDigit(c):
		start := p.i
		for p.i < len(p.src) && (ascii.IsDigit(p.src[p.i]) || Contains("+-.eE", p.src[p.i])) {
			p.i++
		}
		return Value{Kind: NumberValue, Text: p.src[start:p.i]}, true
	}
	for _, literal := range [...]string{"true", "false", "null"} {
		if strings.HasPrefix(p.src[p.i:], literal) {
			p.i += len(literal)
			return Value{Text: literal}, true
		}
	}
	return Value{}, false
}

func (p *ValueParser) container(depth int) (v Value, ok bool) {
	start := p.i
	v.Kind = ArrayValue
	end := byte(']')
	if p.src[p.i] == '{' {
		v.Kind, end = ObjectValue, '}'
	}
	p.i++
	names, items := len(p.names), len(p.items)
	for !p.take(end) {
		if len(p.items) > items && !p.take(',') {
			return v, false
		}
		if v.Kind == ObjectValue {
			p.skipBlanks()
			filled := p.filled
			name, ok := p.str()
			if !ok || p.filled > filled || !p.take(':') {
				return v, false
			}
			p.names = append(p.names, name)
		}
		p.skipBlanks()
		item, ok := p.value(depth + 1)
		if !ok {
			return v, false
		}
		p.push(item)
	}
	v.Text = p.src[start:p.i]
	v.Names = p.KnownNames.keep(p.names[names:])
	v.Items = p.KnownItems.keep(p.items[items:])
	clear(p.names[names:])
	clear(p.items[items:])
	p.names, p.items = p.names[:names], p.items[:items]
	return v, true
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
	if p.i >= len(p.src) || p.src[p.i] != '"' || p.nextHole() <= p.i {
		return "", false
	}
	start := p.i + 1
	if end := start + PlainRun(p.src[start:], '"', ""); end < p.nextHole() && p.src[end] == '"' {
		p.i = end + 1
		return p.src[start:end], true
	}
	var b []byte
	parts := false
	for p.i = start; p.i < len(p.src); {
		switch hole := p.nextHole(); {
		case hole < p.i: // within an escape sequence
			return "", false
		case hole == p.i:
			if !utf8.Valid(b) || !p.pushHole(b) {
				return "", false
			}
			b, parts = b[:0], true
			continue
		}
		switch c := p.src[p.i]; c {
		case '"':
			p.i++
			if parts && len(b) > 0 {
				p.push(Value{Kind: StringValue, Text: string(b)})
			}
			return string(b), utf8.Valid(b)
		case '\\':
			var ok bool
			if b, ok = p.escape(b); !ok {
				return "", false
			}
		default:
			b = append(b, c)
			p.i++
		}
	}
	return "", false
}

// pushHole pushes the text before a hole, and the hole.
func (p *ValueParser) pushHole(before []byte) bool {
	if p.left -= 2; p.left < 0 {
		return false
	}
	if len(before) > 0 {
		p.push(Value{Kind: StringValue, Text: string(before)})
	}
	p.push(Value{Kind: HoleValue, Hole: int32(p.filled)})
	p.filled++
	return true
}

// escape appends what the escape sequence here stands for.
func (p *ValueParser) escape(b []byte) ([]byte, bool) {
	if p.i+1 >= len(p.src) {
		return b, false
	}
	c := p.src[p.i+1]
	if c != 'u' {
		p.i += 2
		if i := strings.IndexByte(`"\/bfnrt`, c); i >= 0 {
			return append(b, "\"\\/\b\f\n\r\t"[i]), true
		}
		return b, false
	}
	r, ok := p.codeUnit()
	if ok && utf16.IsSurrogate(r) {
		low, ok2 := p.codeUnit()
		r = utf16.DecodeRune(r, low)
		ok = ok2 && r != utf8.RuneError
	}
	return utf8.AppendRune(b, r), ok
}

// codeUnit reads \uXXXX.
func (p *ValueParser) codeUnit() (rune, bool) {
	if p.i+6 > len(p.src) || p.src[p.i:p.i+2] != `\u` {
		return 0, false
	}
	n, err := strconv.ParseUint(p.src[p.i+2:p.i+6], 16, 16)
	p.i += 6
	return rune(n), err == nil
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
	digits, exponent, ok := decimal(s)
	return ok && len(strings.TrimPrefix(digits, "-")) <= 15 && exponent > -300 && exponent < 290
}

// sameDecimal reports whether two numbers of JSON are the same decimal; "" is none.
func sameDecimal(a, b string) bool {
	if a == b || a == "" {
		return a != ""
	}
	digitsA, exponentA, okA := decimal(a)
	digitsB, exponentB, okB := decimal(b)
	return okA && okB && digitsA == digitsB && exponentA == exponentB
}

// decimal returns a number of JSON as whole digits, without zeros at their ends, and the
// power of ten that they are multiplied by.
func decimal(s string) (digits string, exponent int, ok bool) {
	mantissa, power, found := strings.Cut(strings.ToLower(s), "e")
	if found {
		n, err := strconv.Atoi(power)
		if err != nil {
			return "", 0, false
		}
		exponent = n
	}
	sign := ""
	if rest, negative := strings.CutPrefix(mantissa, "-"); negative {
		sign, mantissa = "-", rest
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits = strings.TrimLeft(whole+fraction, "0")
	if digits == "" {
		return "0", 0, true
	}
	exponent -= len(fraction)
	short := strings.TrimRight(digits, "0")
	return sign + short, exponent + len(digits) - len(short), true
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
