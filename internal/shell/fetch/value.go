package fetch

import (
	"encoding/base64"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"uncoil/diag"
	"uncoil/internal/ascii"
	"uncoil/internal/meter"
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
)

// A value is the value of an expression.
type value struct {
	kind    kind
	text    string // of a primitive, as JavaScript writes it
	list    []value
	members []member // of an object, and the pairs of params
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
		return value{}, r.Fail(diag.CodeNestedTooDeep, diag.At(r.pos), "values nest deeper here than the limit of "+strconv.Itoa(maxDepth), "nest them less")
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

// encode turns params into their text.
func (r *reader) encode(v *value) bool {
	n := 0
	for i := range v.members {
		n += 3*(len(v.members[i].name)+len(v.members[i].value.text)) + len("&=")
	}
	if !r.Meter.Hold(2 * n) {
		return false
	}
	b := make([]byte, 0, n)
	for i := range v.members {
		if i > 0 {
			b = append(b, '&')
		}
		b = appendForm(append(appendForm(b, v.members[i].name), '='), v.members[i].value.text)
	}
	v.kind, v.text, v.members = text, string(b), nil
	return true
}

// appendForm appends s as application/x-www-form-urlencoded
// (https://url.spec.whatwg.org/#concept-urlencoded-serializer).
func appendForm(dst []byte, s string) []byte { return ascii.AppendEncoded(dst, s, "*-._", "+") }

// array reads an array.
func (r *reader) array() (v value, ok bool) {
	v.kind = array
	for r.pos++; !r.skip(']'); {
		element, ok := r.value()
		if !ok || !meter.Append(r.Meter, &v.list, element) {
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
		}
		if !ok {
			r.pos = max(r.pos, start+1)
			return v, r.unknown(start)
		}
		m.span = r.span(start)
		if !r.skip(':') || m.name == "__proto__" {
			return v, r.unknown(start)
		}
		if m.value, ok = r.value(); !ok || !meter.Append(r.Meter, &v.members, m) {
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
	switch name {
	case "JSON.stringify", "new Headers", "new URLSearchParams", "new URL", "String", "btoa", "encodeURIComponent":
	default:
		return v, r.unknown(start)
	}
	if !r.skip('(') {
		return v, r.unknown(start)
	}
	args := value{kind: array}
	for !r.skip(')') {
		arg, ok := r.value()
		if !ok || !meter.Append(r.Meter, &args.list, arg) {
			return v, false
		}
		if !r.skip(',') && (!r.next() || r.src[r.pos] != ')') {
			return v, r.expected("a comma or a closing parenthesis")
		}
	}
	return r.result(name, args.list, start)
}

// result returns what a call gives that starts at an offset.
func (r *reader) result(name string, args []value, start int) (v value, ok bool) {
	if name == "new Headers" && len(args) == 0 {
		return value{kind: object}, true
	}
	if name == "new URLSearchParams" && len(args) == 0 {
		return value{kind: params}, true
	}
	switch {
	case len(args) == 0:
	case name == "JSON.stringify":
		return r.stringify(args, start)
	case name == "new Headers" && args[0].kind >= array:
		return args[0], true
	case name == "new URLSearchParams" && len(args) == 1:
		return r.params(args[0])
	case args[0].kind > text || len(args) > 1:
	case name == "new URL" && args[0].kind == text, name == "String":
		return value{kind: text, text: args[0].text}, true
	case name == "btoa":
		return r.btoa(args[0].text, start)
	case name == "encodeURIComponent" && r.Meter.Hold(3*len(args[0].text)):
		return value{kind: text, text: string(appendComponent(nil, args[0].text))}, true
	}
	return v, !r.Meter.Over() && r.unknown(start)
}

// btoa returns the base64 of a text, each character of which is a byte.
func (r *reader) btoa(s string, start int) (v value, ok bool) {
	if !r.Meter.Hold(3 * len(s)) {
		return v, false
	}
	b := make([]byte, 0, len(s))
	for _, c := range s {
		if c > 0xff {
			return v, r.Fail(r.Syntax, r.span(start), "btoa takes no characters beyond Latin-1", "")
		}
		b = append(b, byte(c))
	}
	return value{kind: text, text: base64.StdEncoding.EncodeToString(b)}, true
}

// appendComponent appends s as encodeURIComponent does.
func appendComponent(dst []byte, s string) []byte {
	for i := range len(s) {
		if strings.IndexByte("!'()*", s[i]) >= 0 {
			dst = append(dst, s[i])
		} else {
			dst = ascii.AppendPercent(dst, s[i:i+1], "%20")
		}
	}
	return dst
}

// params returns URLSearchParams of an object, of pairs or of a text.
func (r *reader) params(from value) (v value, ok bool) {
	v.kind = params
	switch from.kind {
	case text:
		v.members, ok = r.formPairs(from.text)
		return v, ok
	case params:
		return from, true
	}
	pairs, ok := r.pairs(from)
	v.members = pairs
	return v, ok
}

// formPairs returns the pairs of a form, decoded.
func (r *reader) formPairs(s string) (pairs []member, ok bool) {
	if !r.Meter.Hold(2 * len(s)) {
		return nil, false
	}
	for piece := range strings.SplitSeq(strings.TrimPrefix(s, "?"), "&") {
		if piece == "" {
			if !r.Meter.Work(1) {
				return nil, false
			}
			continue
		}
		name, content, _ := strings.Cut(piece, "=")
		m := member{name: formDecoded(name), value: value{kind: text, text: formDecoded(content)}}
		if !meter.Append(r.Meter, &pairs, m) {
			return nil, false
		}
	}
	return pairs, true
}

// formDecoded undoes the encoding of a form.
func formDecoded(s string) string {
	if strings.IndexByte(s, '+') < 0 && strings.IndexByte(s, '%') < 0 {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '+' {
			c = ' '
		} else if c == '%' && i+2 < len(s) && ascii.IsHex(s[i+1]) && ascii.IsHex(s[i+2]) {
			c = byte(ascii.Hex(s[i+1])<<4 | ascii.Hex(s[i+2]))
			i += 2
		}
		b = append(b, c)
	}
	return strings.ToValidUTF8(string(b), "\ufffd")
}

// pairs returns the members of an object, or the pairs of an array, with texts
// for values.
func (r *reader) pairs(from value) (pairs []member, ok bool) {
	switch from.kind {
	case object, params:
		pairs = from.members
	case array:
		for _, p := range from.list {
			if p.kind != array || len(p.list) != 2 || p.list[0].kind > text {
				return nil, r.unknown(int(p.span.Start))
			}
			if !meter.Append(r.Meter, &pairs, member{name: p.list[0].text, span: p.list[0].span, value: p.list[1]}) {
				return nil, false
			}
		}
	case undefined, null:
	default:
		return nil, r.unknown(int(from.span.Start))
	}
	for i := range pairs {
		if pairs[i].value.kind > text {
			return nil, r.unknown(int(pairs[i].span.Start))
		}
	}
	return pairs, true
}

// str reads a string, or a template without expressions.
func (r *reader) str(quote byte) (string, bool) {
	start := r.pos
	from := start + 1
	for i := from; i < len(r.src); i++ {
		switch c := r.src[i]; {
		case c == quote:
			r.pos = i + 1
			return r.src[from:i], true
		case c == '\\', c == '\r' && quote == '`':
			return r.unescape(quote, start, i)
		case c == '\n' && quote != '`':
			i = len(r.src)
		case c == '$' && quote == '`' && strings.HasPrefix(r.src[i:], "${"):
			r.pos = min(i+2, len(r.src))
			return "", r.unknown(i)
		}
	}
	r.pos = start + 1
	return "", r.Fail(diag.CodeUnterminatedQuote, r.span(start), "a string is never closed", "copy the text to its end")
}

// unescape reads the rest of a string that begins at start, from its first
// escape on.
func (r *reader) unescape(quote byte, start, i int) (string, bool) {
	b := append(make([]byte, 0, i-start+32), r.src[start+1:i]...)
	for i < len(r.src) {
		switch c := r.src[i]; {
		case c == quote:
			r.pos = i + 1
			return string(b), true
		case c == '\n' && quote != '`':
			i = len(r.src)
		case c == '$' && quote == '`' && strings.HasPrefix(r.src[i:], "${"):
			r.pos = min(i+2, len(r.src))
			return "", r.unknown(i)
		case c == '\r' && quote == '`': // a line break is one character
			b = append(b, '\n')
			if i++; strings.HasPrefix(r.src[i:], "\n") {
				i++
			}
		case c == '\\' && i+1 < len(r.src):
			char, n := escape(r.src[i:])
			if n == 0 {
				r.pos = min(i+2, len(r.src))
				return "", r.Fail(r.Syntax, diag.Span{Start: int32(i), End: int32(r.pos)}, "JavaScript has no such escape", "")
			}
			if char >= 0 {
				b = utf8.AppendRune(b, char)
			}
			i += n
		default:
			b = append(b, c)
			i++
		}
	}
	r.pos = start + 1
	return "", r.Fail(diag.CodeUnterminatedQuote, r.span(start), "a string is never closed", "copy the text to its end")
}

// escape returns the character of the escape at the start of s, negative for
// none, and its length, 0 where it is none.
func escape(s string) (char rune, n int) {
	switch s[1] {
	case 'n':
		return '\n', 2
	case 't':
		return '\t', 2
	case 'r':
		return '\r', 2
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'v':
		return '\v', 2
	case '0':
		if len(s) > 2 && ascii.IsDigit(s[2]) {
			return 0, 0
		}
		return 0, 2
	case '\n':
		return -1, 2
	case '\r':
		if strings.HasPrefix(s[2:], "\n") {
			return -1, 3
		}
		return -1, 2
	case 'x':
		return hexDigits(s, 2, 2)
	case 'u':
		if strings.HasPrefix(s[2:], "{") {
			end := strings.IndexByte(s[:min(len(s), 12)], '}')
			if end < 0 {
				return 0, 0
			}
			char, n = hexDigits(s, 3, end-3)
			return char, min(n, 1) * (end + 1)
		}
		char, n = hexDigits(s, 2, 4)
		if utf16.IsSurrogate(char) && strings.HasPrefix(s[n:], `\u`) {
			if low, m := hexDigits(s[n:], 2, 4); m > 0 && utf16.DecodeRune(char, low) != utf8.RuneError {
				return utf16.DecodeRune(char, low), n + m
			}
		}
		return char, n
	}
	if ascii.IsDigit(s[1]) {
		return 0, 0
	}
	char, size := utf8.DecodeRuneInString(s[1:])
	return char, 1 + size
}

// hexDigits reads n hexadecimal digits of s from offset at on, and returns the
// end of them, or 0.
func hexDigits(s string, at, n int) (char rune, end int) {
	if n <= 0 || at+n > len(s) {
		return 0, 0
	}
	v, err := strconv.ParseUint(s[at:at+n], 16, 32)
	if err != nil || v > utf8.MaxRune {
		return 0, 0
	}
	return rune(v), at + n
}
