package posix

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/source/word"
)

// variable adds $NAME.
func (r *reader) variable(b *builder, p *part, c context) {
	v, known := r.lookup(p.text)
	if !known {
		h := word.Hole{From: v.from}
		if isNamed(p.text) {
			h.Name = p.text
		}
		if p.span.End > p.span.Start && int(p.span.End) <= len(r.src) && r.src[p.span.Start] == '$' {
			h.Expr = r.src[p.span.Start:p.span.End]
		}
		if len(h.Expr) != len(p.text)+1 || h.Expr[1:] != p.text {
			h.Expr = "$" + p.text
		}
		b.hole(p, h)
		return
	}
	r.place(b, v.scalar(), c)
}

// place adds a value as its context wants it.
func (r *reader) place(b *builder, v value, c context) {
	if c == unquoted || c == operand {
		b.split(v)
		return
	}
	b.addValue(v)
}

// isNamed reports whether a parameter is a variable or an argument of the script,
// and not one of the special parameters such as $@.
func isNamed(name string) bool {
	return ascii.NameLength(name) > 0 || name != "" && ascii.IsDigit(name[0])
}

// keep adds an expansion that is not known, as spelled.
func (r *reader) keep(b *builder, p *part) {
	h := word.Hole{Expr: p.text}
	if x := p.x; !x.opaque && isNamed(x.name) {
		h.Name, h.Computed = x.name, x.indexed || x.length
		switch x.op {
		case "", ":?", "?":
			if v, _ := r.lookup(x.name); !h.Computed {
				h.From = v.from
			}
		case ":-", "-", ":=", "=":
			h.Default, h.HasDefault = r.plainText(x.word)
			h.Computed = h.Computed || !h.HasDefault
			if v, _ := r.lookup(x.name); v.from != nil && r.hold(originSize) {
				h.From = &word.Origin{Span: v.from.Span} // where that prints nothing, the default stands
			}
		default:
			h.Computed = true
		}
	}
	b.hole(p, h)
}

// plainText returns the text of parts that need no expansion.
func (r *reader) plainText(parts []part) (string, bool) {
	var t text
	for i := range parts {
		switch p := &parts[i]; p.kind {
		case literal, single:
			t.add(r, p.text)
		case escaped:
			c := unquoted
			if p.quoted {
				c = doubleQuoted
			}
			if !r.hold(len(p.text)) {
				return "", false
			}
			t.add(r, unescape(p.text, c.escapable()))
		case open, shut:
		default:
			return "", false
		}
	}
	return t.string(), true
}

// expansion adds a parameter expansion: its value by the shell's rules when it
// is known, and else its spelling.
func (r *reader) expansion(b *builder, p *part, c context) {
	x := p.x
	if x.opaque {
		r.keep(b, p)
		return
	}
	v, known := r.lookup(x.name)
	switch {
	case x.indexed:
		r.subscripted(b, p, v, known, c)
	case !known:
		r.keep(b, p)
	default:
		r.expand(b, p, v.scalar(), c)
	}
}

// expand adds a value that is known, with the operator applied.
func (r *reader) expand(b *builder, p *part, v value, c context) {
	x := p.x
	if x.op == "" && !x.length {
		r.place(b, v, c)
		return
	}
	if !x.length && strings.IndexByte("-=?+", x.op[len(x.op)-1]) >= 0 {
		r.alternative(b, p, v, c)
		return
	}
	text, ok := "", false
	switch {
	case v.isUnset && !x.length && (x.op[0] == '/' || x.op == ":"):
		ok = true // it stays empty, even for ${X/#/a}
	case len(v.holes) == 0:
		text, ok = r.operate(v.text, x)
	}
	if !ok {
		r.keep(b, p)
		return
	}
	r.place(b, value{text: text}, c)
}

// alternative takes the operators that choose between the value and a word:
// ${X:-word}, ${X:=word}, ${X:+word}, ${X:?word}, and those without a colon.
func (r *reader) alternative(b *builder, p *part, v value, c context) {
	x := p.x
	missing := v.isUnset
	if x.op[0] == ':' {
		missing = missing || v.text == ""
		if len(v.holes) > 0 && v.holes[0].Start == 0 && int(v.holes[len(v.holes)-1].End) == len(v.text) {
			r.keep(b, p) // it could be empty
			return
		}
	}
	switch x.op[len(x.op)-1] {
	case '+':
		if !missing {
			r.operandWord(b, x.word, c)
		}
		return
	case '-':
		if missing {
			r.operandWord(b, x.word, c)
			return
		}
	case '=':
		if missing {
			made := builder{r: r}
			r.operandWord(&made, x.word, max(c, assigned))
			v = made.value()
			r.set(x.name, v)
		}
	default:
		if missing {
			r.stopped = true // the shell writes the word and ends
			return
		}
	}
	r.place(b, v, c)
}

// operandWord adds the word of an operator.
func (r *reader) operandWord(b *builder, parts []part, c context) {
	switch c {
	case unquoted:
		c = operand
	case hereDocumentText:
		c = doubleQuoted
	}
	if r.deeperRun() {
		r.parts(b, parts, c)
		r.depth--
	}
}

// operate applies the operator of an expansion to a value; ok is false for
// what is not understood.
func (r *reader) operate(text string, x *expansion) (result string, ok bool) {
	if !r.hold(len(text)) || !r.pay(len(text)) {
		return "", false
	}
	if x.length {
		return strconv.Itoa(utf8.RuneCountInString(text)), true
	}
	switch x.op[0] {
	case ':':
		return r.slice(text, x)
	case '/':
		return r.replace(text, x)
	case '#', '%':
		pattern, known := r.pattern(x.word)
		if !known {
			return "", false
		}
		return r.trim(text, pattern, x.op[0] == '#', len(x.op) == 2), !r.stopped
	case '^', ',':
		if x.hasWord {
			return "", false
		}
		n := len(text)
		if len(x.op) == 1 {
			_, n = utf8.DecodeRuneInString(text)
		}
		if x.op[0] == '^' {
			return strings.ToUpper(text[:n]) + text[n:], true
		}
		return strings.ToLower(text[:n]) + text[n:], true
	}
	switch x.op {
	case "@U":
		return strings.ToUpper(text), true
	case "@L":
		return strings.ToLower(text), true
	case "@u":
		_, n := utf8.DecodeRuneInString(text)
		return strings.ToUpper(text[:n]) + text[n:], true
	}
	return "", false
}

// slice takes ${X:offset:length}; a negative number counts from the end.
func (r *reader) slice(text string, x *expansion) (string, bool) {
	if !utf8.ValidString(text) {
		return "", false
	}
	n := utf8.RuneCountInString(text)
	from, to, ok := r.sliced(n, x)
	if !ok {
		return "", false
	}
	if n == len(text) {
		return text[from:to], true
	}
	start, end, at := len(text), len(text), 0
	for i := range text {
		if at == from {
			start = i
		}
		if at == to {
			end = i
			break
		}
		at++
	}
	return text[min(start, end):end], true
}

// sliced returns which of n elements a slice takes.
func (r *reader) sliced(n int, x *expansion) (from, to int, ok bool) {
	offset, ok := r.integer(x.slice[0])
	if !ok {
		return 0, 0, false
	}
	if offset < 0 {
		offset += n
	}
	if offset < 0 || offset > n {
		return 0, 0, true
	}
	end := n
	if x.bounded {
		length, ok := r.integer(x.slice[1])
		switch {
		case !ok:
			return 0, 0, false
		case length >= 0:
			end = min(end, offset+min(length, n))
		case end+length < offset:
			return 0, 0, false // the shell refuses
		default:
			end += length
		}
	}
	return offset, end, true
}

// integer returns the value of an arithmetic expression in a slice.
func (r *reader) integer(s string) (int, bool) {
	if strings.TrimSpace(s) == "" {
		return 0, true
	}
	n, ok := r.compute(s)
	return int(n), ok && n > -1<<31 && n < 1<<31
}

// subscripted adds ${A[0]}, ${A[@]}, ${A[*]} or ${#A[@]}.
func (r *reader) subscripted(b *builder, p *part, v value, known bool, c context) {
	x := p.x
	if !known || v.isUnset || x.index == "" || x.op != "" && x.op != ":" {
		r.keep(b, p)
		return
	}
	list := v.list
	if !v.isList {
		list = []value{v}
	}
	if x.index != "@" && x.index != "*" {
		n, ok := r.integer(x.index)
		if ok && n < 0 {
			n += len(list)
		}
		switch {
		case !ok || n < 0 || !ascii.IsDigit(x.index[0]) && x.index[0] != '-' && ascii.NameLength(x.index) == 0:
			r.keep(b, p)
		case n < len(list):
			r.expand(b, p, list[n], c)
		default:
			r.expand(b, p, value{isUnset: true}, c)
		}
		return
	}
	if x.length {
		b.add(strconv.Itoa(len(list)))
		return
	}
	if x.op == ":" {
		from, to, ok := r.sliced(len(list), x)
		if !ok {
			r.keep(b, p)
			return
		}
		list = list[from:max(from, to)]
	}
	r.elementsOf(b, list, c, x.index == "*")
}

// elementsOf adds the elements of a list: as separate fields, or joined
// where "${A[*]}" or an assignment makes one of them.
func (r *reader) elementsOf(b *builder, list []value, c context, joined bool) {
	separator := " "
	if joined {
		separator = r.separator()
	}
	for i, v := range list {
		if r.stopped || !r.pay(10) {
			return
		}
		switch {
		case c >= assigned && (joined || c != doubleQuoted):
			if i > 0 {
				b.add(separator)
			}
			b.exists = b.exists || c == doubleQuoted
			b.addValue(v)
		case c == doubleQuoted:
			if i > 0 {
				b.end()
			}
			b.exists = true
			b.addValue(v)
		default:
			if i > 0 {
				b.end()
			}
			b.split(v)
		}
	}
}

func formatInt(n int64) string { return strconv.FormatInt(n, 10) }
