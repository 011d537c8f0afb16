package bash

import (
	"strconv"

	"mvdan.cc/sh/v3/syntax"
)

// subscripted adds ${A[0]}, ${A[@]}, ${A[*]} or ${#A[@]}.
func (r *reader) subscripted(b *builder, p *syntax.ParamExp, v variable, known bool, c context) {
	index := subscript(p)
	if !known || v.isUnset || index == "" || p.Exp != nil || p.Repl != nil {
		b.hole(r.source(p))
		return
	}
	list := v.list
	if !v.isList {
		list = []variable{v}
	}
	if index != "@" && index != "*" {
		n, err := strconv.Atoi(index)
		if err == nil && n < 0 {
			n += len(list)
		}
		switch {
		case err != nil || n < 0:
			b.hole(r.source(p))
		case n < len(list):
			r.expand(b, p, list[n], c)
		default:
			r.expand(b, p, variable{isUnset: true}, c)
		}
		return
	}
	if p.Length {
		b.add(strconv.Itoa(len(list)))
		return
	}
	if p.Slice != nil {
		from, to, ok := r.sliced(len(list), p.Slice)
		if !ok {
			b.hole(r.source(p))
			return
		}
		list = list[from:to]
	}
	r.elements(b, list, c, index == "*")
}

// elements adds the elements of a list: as fields of their own, or joined
// where "${A[*]}" or an assignment makes one of them.
func (r *reader) elements(b *builder, list []variable, c context, joined bool) {
	separator := " "
	if joined {
		if ifs := r.separators(); ifs != "" {
			separator = ifs[:1]
		} else {
			separator = ""
		}
	}
	for i, v := range list {
		switch {
		case c >= assigned && (joined || c != doubleQuoted):
			if i > 0 {
				b.add(separator)
			}
			b.exists = b.exists || c == doubleQuoted
			b.value(v)
		case c == doubleQuoted:
			if i > 0 {
				b.end()
			}
			b.exists = true
			b.value(v)
		default:
			if i > 0 {
				b.end()
			}
			b.split(v)
		}
	}
}

// subscript returns what stands between the brackets, where that is plain.
func subscript(p *syntax.ParamExp) string {
	if w, ok := p.Index.(*syntax.Word); ok {
		return w.Lit()
	}
	return ""
}

// isList reports whether quotes hold nothing but "${A[@]}", which stands for
// no field at all where the list is empty.
func isList(q *syntax.DblQuoted) bool {
	if len(q.Parts) != 1 {
		return false
	}
	p, ok := q.Parts[0].(*syntax.ParamExp)
	return ok && p.Index != nil && subscript(p) == "@"
}
