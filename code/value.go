package code

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"uncoil/internal/ascii"
	"uncoil/internal/jsontext"
)

// A value is a JSON value as it was written: numbers keep their digits, objects
// the order of their members and repeated names.
type value struct {
	kind  valueKind
	text  string   // of a number or a literal: the source; of a string: what it stands for
	names []string // of an object
	items []value  // of an object or an array
}

type valueKind uint8

const (
	literalValue valueKind = iota // true, false, null
	numberValue
	stringValue
	arrayValue
	objectValue
)

// maxValueDepth bounds how deep a value may nest to be written as a literal of
// another language; deeper ones stay text.
const maxValueDepth = 32

// parseValue reads a JSON object or array. It reports false for anything else,
// such as {"a": 007}, for what nests too deep, and for strings that are not text (a lone
// surrogate), which no language writes as a literal.
func parseValue(s string) (value, bool) {
	p := valueParser{src: s}
	if !jsontext.Container(s) {
		return value{}, false
	}
	p.skipBlanks()
	return p.value(0)
}

// A valueParser reads JSON that is known to be valid.
type valueParser struct {
	src string
	i   int
}

func (p *valueParser) skipBlanks() {
	for p.i < len(p.src) && strings.IndexByte(" \t\r\n", p.src[p.i]) >= 0 {
		p.i++
	}
}

// take skips the byte c, and the blanks around it.
func (p *valueParser) take(c byte) bool {
	p.skipBlanks()
	if p.i >= len(p.src) || p.src[p.i] != c {
		return false
	}
	p.i++
	p.skipBlanks()
	return true
}

func (p *valueParser) value(depth int) (value, bool) {
	if depth > maxValueDepth || p.i >= len(p.src) {
		return value{}, false
	}
	switch c := p.src[p.i]; {
	case c == '{' || c == '[':
		return p.container(depth)
	case c == '"':
		text, ok := p.str()
		return value{kind: stringValue, text: text}, ok
	case c == '-' || ascii.IsDigit(c):
		start := p.i
		for p.i < len(p.src) && strings.IndexByte("+-.eE0123456789", p.src[p.i]) >= 0 {
			p.i++
		}
		return value{kind: numberValue, text: p.src[start:p.i]}, true
	}
	for _, literal := range [...]string{"true", "false", "null"} {
		if strings.HasPrefix(p.src[p.i:], literal) {
			p.i += len(literal)
			return value{text: literal}, true
		}
	}
	return value{}, false
}

func (p *valueParser) container(depth int) (v value, ok bool) {
	v.kind = arrayValue
	end := byte(']')
	if p.src[p.i] == '{' {
		v.kind, end = objectValue, '}'
	}
	p.i++
	if p.take(end) {
		return v, true
	}
	for {
		if v.kind == objectValue {
			p.skipBlanks()
			name, ok := p.str()
			if !ok || !p.take(':') {
				return v, false
			}
			v.names = append(v.names, name)
		}
		p.skipBlanks()
		item, ok := p.value(depth + 1)
		if !ok {
			return v, false
		}
		v.items = append(v.items, item)
		if p.take(end) {
			return v, true
		}
		if !p.take(',') {
			return v, false
		}
	}
}

// str reads a string.
func (p *valueParser) str() (string, bool) {
	if p.i >= len(p.src) || p.src[p.i] != '"' {
		return "", false
	}
	start := p.i + 1
	end := strings.IndexAny(p.src[start:], "\"\\")
	if end < 0 {
		return "", false
	}
	if p.src[start+end] == '"' {
		p.i = start + end + 1
		return p.src[start : start+end], utf8.ValidString(p.src[start : start+end])
	}
	var b []byte
	for p.i = start; p.i < len(p.src); {
		switch c := p.src[p.i]; c {
		case '"':
			p.i++
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

// escape appends what the escape sequence here stands for.
func (p *valueParser) escape(b []byte) ([]byte, bool) {
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
func (p *valueParser) codeUnit() (rune, bool) {
	if p.i+6 > len(p.src) || p.src[p.i:p.i+2] != `\u` {
		return 0, false
	}
	n, err := strconv.ParseUint(p.src[p.i+2:p.i+6], 16, 16)
	p.i += 6
	return rune(n), err == nil
}

// An encoder describes how a language's JSON encoder prints a value that was
// written as a literal of the language.
type encoder struct {
	item, name string // the separators: after an item, after a name
	indent     string // of one level, where each item has a line of its own
	asciiOnly  bool   // other characters as \uXXXX
	html       bool   // <, > and & as \u003c, \u003e and \u0026
	slash      bool   // / as \/
	// number returns how the encoder prints a number of the source.
	number func(digits string) string
	// keeps reports whether an object keeps its members, in their order.
	keeps func(names []string) bool
}

// prints reports whether the encoder prints exactly src for v. Then the program
// may hold v as a literal of its language; else it must hold the text.
func (e *encoder) prints(v *value, src string) bool {
	b, ok := e.append(make([]byte, 0, len(src)), v, 0)
	return ok && string(b) == src
}

func (e *encoder) append(b []byte, v *value, level int) (_ []byte, ok bool) {
	switch v.kind {
	case numberValue:
		return append(b, e.number(v.text)...), true
	case stringValue:
		return e.appendString(b, v.text), true
	case arrayValue, objectValue:
		if v.kind == objectValue && !e.keeps(v.names) {
			return b, false
		}
		open, end := byte('['), byte(']')
		if v.kind == objectValue {
			open, end = '{', '}'
		}
		b = append(b, open)
		for i := range v.items {
			if i > 0 {
				b = append(b, e.item...)
			}
			b = e.newline(b, level+1)
			if v.kind == objectValue {
				b = append(e.appendString(b, v.names[i]), e.name...)
			}
			if b, ok = e.append(b, &v.items[i], level+1); !ok {
				return b, false
			}
		}
		if len(v.items) > 0 {
			b = e.newline(b, level)
		}
		return append(b, end), true
	}
	return append(b, v.text...), true
}

// newline begins a line, where the encoder writes an item on each.
func (e *encoder) newline(b []byte, level int) []byte {
	if e.indent == "" {
		return b
	}
	b = append(b, '\n')
	for range level {
		b = append(b, e.indent...)
	}
	return b
}

func (e *encoder) appendString(b []byte, s string) []byte {
	b = append(b, '"')
	for _, r := range s {
		if i := strings.IndexRune("\"\\\b\f\n\r\t", r); i >= 0 {
			b = append(b, '\\', `"\bfnrt`[i])
			continue
		}
		switch {
		case r == '/' && e.slash:
			b = append(b, `\/`...)
		case r < ' ', e.html && (r == '<' || r == '>' || r == '&'), r >= 0x7f && r < 0x10000 && e.asciiOnly && r != 0x7f:
			b = appendCodeUnit(b, r)
		case r >= 0x10000 && e.asciiOnly:
			high, low := utf16.EncodeRune(r)
			b = appendCodeUnit(appendCodeUnit(b, high), low)
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return append(b, '"')
}

func appendCodeUnit(b []byte, r rune) []byte {
	const digits = "0123456789abcdef"
	return append(b, '\\', 'u', digits[r>>12&15], digits[r>>8&15], digits[r>>4&15], digits[r&15])
}

// distinct reports whether no two names are the same.
func distinct(names []string) bool {
	if len(names) < 2 {
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
