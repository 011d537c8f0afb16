package bash

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// parameter adds a parameter expansion: its value by the shell's rules when
// it is known, and else its spelling.
func (r *reader) parameter(b *builder, p *syntax.ParamExp, c context) {
	if p.Excl || p.Names != 0 || p.Param == nil {
		b.hole(r.source(p))
		return
	}
	v, known := r.vars[p.Param.Value]
	if p.Index != nil {
		r.subscripted(b, p, v, known, c)
		return
	}
	switch v = v.scalar(); {
	case !known && p.Short:
		b.hole("$" + p.Param.Value)
		return
	case !known:
		b.hole(r.source(p))
		return
	}
	r.expand(b, p, v, c)
}

// expand adds a value that is known, with the operator applied.
func (r *reader) expand(b *builder, p *syntax.ParamExp, v variable, c context) {
	if isPlain(p) {
		b.place(v, c)
		return
	}
	if p.Exp != nil && p.Exp.Op <= syntax.AssignUnsetOrNull {
		r.alternative(b, p, v, c)
		return
	}
	text, ok := "", false
	switch {
	case v.isUnset && (p.Repl != nil || p.Slice != nil):
		ok = true // it stays empty, even for ${X/#/a}
	case len(v.holes) == 0:
		text, ok = r.operate(v.text, p)
	}
	if !ok {
		b.hole(r.source(p))
		return
	}
	b.place(variable{text: text}, c)
}

// place adds a value as its context wants it.
func (b *builder) place(v variable, c context) {
	if c == unquoted || c == operand {
		b.split(v)
		return
	}
	b.value(v)
}

func isPlain(p *syntax.ParamExp) bool {
	return !p.Length && p.Slice == nil && p.Repl == nil && p.Exp == nil
}

// alternative takes the operators that choose between the value and a word:
// ${X:-word}, ${X:=word}, ${X:+word}, ${X:?word}, and those without a colon.
func (r *reader) alternative(b *builder, p *syntax.ParamExp, v variable, c context) {
	missing := v.isUnset
	switch p.Exp.Op {
	case syntax.AlternateUnsetOrNull, syntax.DefaultUnsetOrNull, syntax.ErrorUnsetOrNull, syntax.AssignUnsetOrNull:
		missing = missing || v.text == ""
		if len(v.holes) > 0 && v.holes[0].Start == 0 && int(v.holes[len(v.holes)-1].End) == len(v.text) {
			b.hole(r.source(p)) // it could be empty
			return
		}
	}
	switch p.Exp.Op {
	case syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
		if !missing {
			r.word(b, p.Exp.Word, c)
		}
	case syntax.DefaultUnset, syntax.DefaultUnsetOrNull:
		if !missing {
			b.place(v, c)
			return
		}
		r.word(b, p.Exp.Word, c)
	case syntax.AssignUnset, syntax.AssignUnsetOrNull:
		if missing {
			value := builder{r: r}
			if p.Exp.Word != nil {
				r.word(&value, p.Exp.Word, max(c, assigned))
			}
			v = value.variable()
			r.set(p.Param.Value, v)
		}
		b.place(v, c)
	default:
		if missing {
			b.failed = true // the shell says the word and ends
			return
		}
		b.place(v, c)
	}
}

// word adds the word of an operator.
func (r *reader) word(b *builder, w *syntax.Word, c context) {
	if w == nil {
		return
	}
	switch c {
	case unquoted:
		c = operand
	case hereDocument:
		c = doubleQuoted
	}
	r.parts(b, w.Parts, c)
}

// operate applies the operator of an expansion to a value; ok is false for
// what is not understood.
func (r *reader) operate(text string, p *syntax.ParamExp) (result string, ok bool) {
	switch {
	case p.Length:
		return strconv.Itoa(utf8.RuneCountInString(text)), true
	case p.Slice != nil:
		return r.slice(text, p.Slice)
	case p.Repl != nil:
		return r.replace(text, p.Repl)
	}
	switch p.Exp.Op {
	case syntax.RemSmallPrefix, syntax.RemLargePrefix, syntax.RemSmallSuffix, syntax.RemLargeSuffix:
		pattern, known := r.pattern(p.Exp.Word)
		if !known {
			return "", false
		}
		return r.trim(text, pattern, p.Exp.Op)
	case syntax.UpperAll:
		return strings.ToUpper(text), p.Exp.Word == nil
	case syntax.LowerAll:
		return strings.ToLower(text), p.Exp.Word == nil
	case syntax.UpperFirst, syntax.LowerFirst:
		_, n := utf8.DecodeRuneInString(text)
		if p.Exp.Op == syntax.UpperFirst {
			return strings.ToUpper(text[:n]) + text[n:], p.Exp.Word == nil
		}
		return strings.ToLower(text[:n]) + text[n:], p.Exp.Word == nil
	}
	return "", false
}

// slice takes ${X:offset:length}; a negative number counts from the end.
func (r *reader) slice(text string, s *syntax.Slice) (string, bool) {
	runes := []rune(text)
	if !r.spend(4*len(runes)) || !utf8.ValidString(text) {
		return "", false
	}
	from, to, ok := r.sliced(len(runes), s)
	if !ok {
		return "", false
	}
	return string(runes[from:to]), true
}

// sliced returns which of n elements a slice takes.
func (r *reader) sliced(n int, s *syntax.Slice) (from, to int, ok bool) {
	offset, ok := r.integer(s.Offset)
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
	if s.Length != nil {
		length, ok := r.integer(s.Length)
		switch {
		case !ok:
			return 0, 0, false
		case length >= 0:
			end = min(end, offset+length)
		case end+length < offset:
			return 0, 0, false // the shell refuses
		default:
			end += length
		}
	}
	return offset, end, true
}

// integer reads an arithmetic expression that is a plain number.
func (r *reader) integer(e syntax.ArithmExpr) (int, bool) {
	if e == nil {
		return 0, true
	}
	text := strings.Trim(strings.ReplaceAll(r.source(e), " ", ""), "()")
	if digits := strings.TrimPrefix(text, "-"); len(digits) > 1 && digits[0] == '0' || len(digits) > 9 {
		return 0, false // octal, or too long
	}
	n, err := strconv.Atoi(text)
	return n, err == nil
}

// separators returns the characters that split an unquoted value. Those
// beyond ASCII are left out.
func (r *reader) separators() string {
	v, known := r.vars["IFS"]
	if !known || v.isUnset || len(v.holes) > 0 || !r.spend(len(v.text)) {
		return " \t\n"
	}
	return strings.Map(func(c rune) rune {
		if c >= utf8.RuneSelf {
			return -1
		}
		return c
	}, v.text)
}
