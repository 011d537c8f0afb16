package fetch

import (
	"slices"
	"strconv"
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/message"
	"uncoil/internal/engine/source/word"
)

// declares reports whether a text begins with a declaration, and has a call of
// fetch further on.
func declares(src string) bool {
	l := lexer{src: src}
	if !isDeclaration(l.name()) || l.name() == "" || !l.skip('=') {
		return false
	}
	for l.next() {
		switch c := l.src[l.pos]; {
		case c == '"' || c == '\'' || c == '`':
			if !l.skipString(c) {
				return false
			}
		case ascii.IsDigit(c):
			l.pos++
		default:
			name := l.name()
			if name == "fetch" && l.skip('(') {
				return true
			} else if name == "" {
				l.pos++
			}
		}
	}
	return false
}

func isDeclaration(word string) bool { return word == "const" || word == "let" || word == "var" }

// binding reads a declaration of data, or a call that adds to what one declares;
// known is false for another statement.
func (r *reader) binding() (known, ok bool) {
	start := r.pos
	name := r.name()
	switch {
	case isDeclaration(name):
		return true, r.declaration()
	case name != "" && r.skip('.'):
		if v := r.bound[name]; v != nil {
			return true, r.addition(v, start)
		}
	}
	r.pos = start
	return false, false
}

// declaration reads the names after const, each with its value.
func (r *reader) declaration() bool {
	for {
		r.next()
		start := r.pos
		name := r.name()
		if name == "" || !r.skip('=') {
			return r.expected("a name with its value")
		}
		v, ok := r.value()
		if !ok || !r.Meter.Hold(len(name)+bindingSize) {
			return false
		}
		if r.bound == nil {
			r.bound = make(map[string]*value)
		} else if r.bound[name] != nil {
			return r.Fail(r.Syntax, r.span(start), "the name "+name+" is declared twice", "")
		}
		r.bound[name] = &v
		if !r.skip(',') {
			return true
		}
	}
}

// bindingSize is what a name that stands for a value takes.
const bindingSize = 200

// addition reads what adds to Headers, URLSearchParams or FormData.
func (r *reader) addition(to *value, start int) bool {
	method := r.name()
	if to.kind < object || method != "append" && method != "set" || !r.skip('(') {
		return r.unknown(start)
	}
	args, ok := r.arguments()
	if !ok {
		return false
	}
	if len(args) != 2 || args[0].kind > text || args[1].kind > text {
		return r.unknown(start)
	}
	m := member{name: args[0].text, span: args[0].span, value: args[1]}
	same := func(k member) bool { return k.name == m.name || to.kind == object && ascii.EqualFold(k.name, m.name) }
	if method == "append" && to.kind != object {
		return meter.Append(r.Meter, &to.members, m)
	}
	if !r.Meter.Work(len(to.members) + 1) {
		return false
	}
	i := slices.IndexFunc(to.members, same)
	if i < 0 {
		return meter.Append(r.Meter, &to.members, m)
	}
	// What the value was before may be part of others.
	if !r.Meter.Hold(bindingSize*len(to.members) + len(to.members[i].value.text) + len(m.value.text)) {
		return false
	}
	if method == "append" { // a field with both values
		m.value.text = to.members[i].value.text + ", " + m.value.text
	}
	all := slices.Clone(to.members)
	all[i].value = m.value
	to.members = append(all[:i+1], slices.DeleteFunc(all[i+1:], same)...)
	return true
}

// lookUp returns the value that a name stands for.
func (r *reader) lookUp(name string) (v value, ok bool) {
	b := r.bound[name]
	if b == nil {
		return v, false
	}
	v = *b
	v.members = slices.Clip(v.members)
	return v, true
}

// nest notes how deep a value nests with an element, which a name may stand
// for.
func (r *reader) nest(v *value, element *value) bool {
	v.depth = max(v.depth, element.depth+1)
	return v.depth <= maxDepth || r.tooDeep(int(element.span.Start))
}

func (r *reader) tooDeep(at int) bool {
	return r.Fail(diag.CodeNestedTooDeep, diag.At(at), "values nest deeper here than the limit of "+strconv.Itoa(maxDepth), "nest them less")
}

// onTheWire returns a text of a form with the line breaks of the wire
// (https://html.spec.whatwg.org/#multipart-form-data).
func onTheWire(s string) string {
	if strings.IndexByte(s, '\r') >= 0 {
		s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	}
	return strings.ReplaceAll(s, "\n", "\r\n")
}

// form gives the message the parts of FormData.
func (r *reader) form(msg *message.Message, v value) bool {
	switch {
	case len(v.members) == 0:
		return r.Fail(r.Syntax, v.span, "the form is empty, which curl does not send", "")
	case message.Has(msg.Fields, "Content-Type"):
		return r.Fail(r.Syntax, v.span, "the header field Content-Type keeps the browser from telling the boundary of the form", "remove the field")
	}
	for i := range v.members {
		m := &v.members[i]
		if !r.Meter.Hold(4*(len(m.name)+len(m.value.text))) || !meter.Append(r.Meter, &msg.Parts, message.Part{
			Name: word.Word{Text: onTheWire(m.name), Span: m.span}, Value: word.Word{Text: onTheWire(m.value.text), Span: m.value.span},
		}) {
			return false
		}
	}
	msg.HasContent, msg.Content = true, word.Word{Span: v.span}
	return true
}
