package posix

import (
	"slices"

	"uncoil/internal/engine/source/paste"
)

// curly reads a word with typographic quotes, of which the first opens at an
// offset, as if they were straight. It is false for a word whose quotes are text:
// none of its pairs encloses the whole word or spans a blank, or straight quotes
// and expansions stand beside them.
func (r *reader) curly(w *lexeme, first int) bool {
	start, i := r.i, first
	var few [4]paste.CurlyPair
	pairs, spans := few[:0], false
	if p, ok := r.paste.Odd(start, r.end); ok && first == start && r.pay(4) {
		pairs, spans, i = append(pairs, p), true, p.End
	}
	for i < r.end {
		switch c := r.src[i]; {
		case classes[c] == plain:
			i++
			continue
		case classes[c] == special:
			return false
		case classes[c] == wide && paste.OpensCurly(r.src[i:r.end]) >= 0:
			p, ok := r.paste.Curly(start, i, r.end)
			if !ok || !r.pay(4) {
				return false
			}
			pairs = append(pairs, p)
			spans = spans || p.Spans
			i = p.End
			continue
		case classes[c] == wide && paste.WideBlank(r.src[i:r.end]) == 0:
			i++
			continue
		}
		break
	}
	if !spans {
		return false
	}
	mark := len(r.pieces)
	for _, p := range pairs {
		if p.Start > r.i {
			from := r.i
			r.i = p.Start
			r.push(literal, r.src[from:r.i], from, false)
		}
		r.curlyPart(p)
	}
	if i > r.i {
		from := r.i
		r.i = i
		r.push(literal, r.src[from:i], from, false)
	}
	w.span, w.parts = r.span(start), r.take(mark)
	fix := ""
	if !slices.ContainsFunc(w.parts, func(p part) bool { return p.kind != literal && p.kind != single }) {
		w.text, w.parts = r.whole(w).text, nil
		fix = paste.StraightQuoted(w.text)
	}
	r.paste.WarnCurly(pairs[0].Start, w.span, fix)
	return true
}

// curlyPart reads what stands between a pair of typographic quotes.
func (r *reader) curlyPart(p paste.CurlyPair) {
	inner := p.Inner(r.src)
	if !r.pay(len(inner)) || !r.hold(len(inner)) {
		return
	}
	text := paste.Straightened(inner)
	if p.Double && text == inner && quotedLength(inner) < len(inner) {
		end, quote := r.end, (p.End-p.Start-len(inner))/2
		r.i, r.end = p.Start+quote, p.End-quote
		r.quotedParts(0)
		r.i, r.end = p.End, end
		return
	}
	r.i = p.End
	r.push(single, text, p.Start, false)
}
