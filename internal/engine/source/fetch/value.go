package fetch

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/meter"
)

// A kind is what kind of value an expression has.
type kind uint8

const (
	undefined kind = iota
	null
	boolean
	number
	text
	array
	object
	params // URLSearchParams
	form   // FormData
)

// A value is the value of an expression.
type value struct {
	kind    kind
	text    string // of a primitive, as JavaScript writes it
	list    []value
	members []member // of an object, and the pairs of params and of a form
	depth   int      // of the values in it
	span    diag.Span
}

// A member is a member of an object.
type member struct {
	name  string
	span  diag.Span
	value value
}

// maxDepth is how deep values may nest.
const maxDepth = 64

// value reads an expression: one term, or several with + between them.
func (r *reader) value() (value, bool) {
	if r.depth++; r.depth > maxDepth {
		return value{}, r.tooDeep(r.pos)
	}
	defer func() { r.depth-- }()
	first, ok := r.term()
	if !ok || !r.next() || r.src[r.pos] != '+' {
		return first, ok
	}
	var sum meter.Text
	ok = sum.Add(r.Meter, first.text)
	strung := first.kind == text
	for ok && r.skip('+') {
		var v value
		if v, ok = r.term(); !ok {
			break
		}
		strung = strung || v.kind == text
		if !strung || first.kind > text || v.kind > text {
			return v, r.unknown(int(first.span.Start))
		}
		ok = sum.Add(r.Meter, v.text)
	}
	return value{kind: text, text: sum.String(), span: r.span(int(first.span.Start))}, ok
}

// termSteps is what a term costs beside its text.
const termSteps = 16

// term reads a literal, or a call of which the value is known.
func (r *reader) term() (v value, ok bool) {
	if !r.Meter.Work(termSteps) {
		return v, false
	}
	if !r.next() {
		return v, r.expected("a value")
	}
	start := r.pos
	switch c := r.src[start]; {
	case c == '"' || c == '\'' || c == '`':
		v.kind = text
		v.text, ok = r.str(c)
	case c == '{':
		v, ok = r.object()
	case c == '[':
		v, ok = r.array()
	case c == '(':
		r.pos++
		if v, ok = r.value(); ok && !r.skip(')') {
			return v, r.expected("a closing parenthesis")
		}
	case ascii.IsDigit(c) || c == '-' || c == '.':
		v, ok = r.number()
	default:
		v, ok = r.word()
	}
	if !ok {
		return v, false
	}
	v.span = r.span(start)
	return v, r.members(&v)
}

// members reads .toString() and .href after a value that they do not change,
// and refuses whatever else is done with a value.
func (r *reader) members(v *value) bool {
	for r.next() && (r.src[r.pos] == '.' || r.src[r.pos] == '(' || r.src[r.pos] == '[') {
		start := r.pos
		r.pos++
		name := r.name()
		switch {
		case name == "toString" && (v.kind == text || v.kind == params) && r.skip('(') && r.skip(')'):
			if v.kind == params && !r.encode(v) {
				return false
			}
		case name == "href" && v.kind == text:
		default:
			return r.unknown(start)
		}
	}
	return true
}

// array reads an array.
func (r *reader) array() (v value, ok bool) {
	v.kind = array
	for r.pos++; !r.skip(']'); {
		element, ok := r.value()
		if !ok || !r.nest(&v, &element) || !meter.Append(r.Meter, &v.list, element) {
			return v, false
		}
		if !r.skip(',') && (!r.next() || r.src[r.pos] != ']') {
			return v, r.expected("a comma or a closing bracket")
		}
	}
	return v, true
}

// object reads an object.
func (r *reader) object() (v value, ok bool) {
	v.kind = object
	for r.pos++; !r.skip('}'); {
		if !r.next() {
			return v, r.expected("the name of a member")
		}
		var m member
		var bound value // that {name} stands for
		isBound := false
		start := r.pos
		switch c := r.src[start]; {
		case c == '"' || c == '\'':
			m.name, ok = r.str(c)
		case ascii.IsDigit(c):
			var n value
			n, ok = r.number()
			m.name = n.text
		default:
			m.name = r.name()
			ok = m.name != ""
			bound, isBound = r.lookUp(m.name)
		}
		if !ok {
			r.pos = max(r.pos, start+1)
			return v, r.unknown(start)
		}
		m.span = r.span(start)
		if isBound && r.next() && (r.src[r.pos] == ',' || r.src[r.pos] == '}') {
			m.value, m.value.span = bound, m.span
		} else if !r.skip(':') || m.name == "__proto__" {
			return v, r.unknown(start)
		} else if m.value, ok = r.value(); !ok {
			return v, false
		}
		if !r.nest(&v, &m.value) || !meter.Append(r.Meter, &v.members, m) {
			return v, false
		}
		if !r.skip(',') && (!r.next() || r.src[r.pos] != '}') {
			return v, r.expected("a comma or a closing brace")
		}
	}
	return v, r.order(&v)
}

// order puts the members into the order of JavaScript: numbers first, ascending;
// of those with one name the last value at the place of the first.
func (r *reader) order(v *value) bool {
	numbers := false
	at := make(map[string]int)
	if !r.Meter.Hold(64 * len(v.members)) {
		return false
	}
	kept := v.members[:0]
	for _, m := range v.members {
		if i, again := at[m.name]; again {
			kept[i].value = m.value
			continue
		}
		at[m.name] = len(kept)
		kept = append(kept, m)
		_, is := index(m.name)
		numbers = numbers || is
	}
	v.members = kept
	if numbers {
		if !r.Meter.Work(16 * len(kept)) {
			return false
		}
		slices.SortStableFunc(v.members, func(a, b member) int {
			i, isA := index(a.name)
			j, isB := index(b.name)
			switch {
			case isA && isB:
				return int(i - j)
			case isA:
				return -1
			case isB:
				return 1
			}
			return 0
		})
	}
	return true
}

// index returns the number that a name is, if it is the index of an array.
func index(name string) (int64, bool) {
	if name == "" || len(name) > 10 || !ascii.IsDigit(name[0]) || name[0] == '0' && name != "0" {
		return 0, false
	}
	n, err := strconv.ParseInt(name, 10, 64)
	return n, err == nil && n < math.MaxUint32
}

// number reads a number.
func (r *reader) number() (v value, ok bool) {
	start := r.pos
	for r.pos < len(r.src) && r.src[r.pos] == '-' {
		r.pos++
	}
	for r.pos < len(r.src) && (ascii.IsNameByte(r.src[r.pos]) || r.src[r.pos] == '.' ||
		(r.src[r.pos] == '+' || r.src[r.pos] == '-') && r.src[r.pos-1]|0x20 == 'e' && !strings.HasPrefix(strings.TrimLeft(r.src[start:r.pos], "-"), "0x")) {
		r.pos++
	}
	literal := r.src[start:r.pos]
	digits := strings.TrimPrefix(literal, "-")
	const longest = 400
	if len(literal) > longest || digits == "" || digits[0] != '.' && !ascii.IsDigit(digits[0]) || len(digits) > 1 && digits[0] == '0' && (ascii.IsDigit(digits[1]) || digits[1] == '_') {
		return v, r.unknown(start)
	}
	var f float64
	if len(digits) > 1 && digits[0] == '0' && ascii.IsLetter(digits[1]) {
		n, err := strconv.ParseUint(digits, 0, 53)
		if err != nil {
			return v, r.unknown(start)
		}
		f = float64(n)
	} else {
		var err error
		if f, err = strconv.ParseFloat(strings.ReplaceAll(digits, "_", ""), 64); err != nil {
			return v, r.unknown(start)
		}
	}
	if digits != literal {
		f = -f
	}
	return value{kind: number, text: formatNumber(f)}, true
}

// formatNumber writes a number as JavaScript does (ECMA-262, Number::toString).
func formatNumber(f float64) string {
	if a := math.Abs(f); f == 0 {
		return "0"
	} else if 1e-6 <= a && a < 1e21 {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	s := strconv.FormatFloat(f, 'e', -1, 64)
	if i := len(s) - 2; s[i] == '0' {
		s = s[:i] + s[i+1:]
	}
	return s
}

// word reads what begins with a name.
func (r *reader) word() (v value, ok bool) {
	start := r.pos
	name := r.name()
	switch name {
	case "true", "false":
		return value{kind: boolean, text: name}, true
	case "null":
		return value{kind: null, text: name}, true
	case "undefined":
		return value{kind: undefined, text: name}, true
	case "new":
		name += " " + r.name()
	case "JSON":
		if r.skip('.') {
			name += "." + r.name()
		}
	case "":
		r.pos++
		return v, r.unknown(start)
	}
	if v, ok := r.lookUp(name); ok {
		return v, true
	}
	switch name {
	case "JSON.stringify", "new Headers", "new FormData", "new URLSearchParams", "new URL", "String", "btoa", "encodeURIComponent":
	default:
		return v, r.unknown(start)
	}
	if !r.skip('(') {
		return v, r.unknown(start)
	}
	args, ok := r.arguments()
	if !ok {
		return v, false
	}
	return r.result(name, args, start)
}

// arguments reads what stands between the parentheses of a call.
func (r *reader) arguments() (args []value, ok bool) {
	for !r.skip(')') {
		arg, ok := r.value()
		if !ok || !meter.Append(r.Meter, &args, arg) {
			return nil, false
		}
		if !r.skip(',') && (!r.next() || r.src[r.pos] != ')') {
			return nil, r.expected("a comma or a closing parenthesis")
		}
	}
	return args, true
}
