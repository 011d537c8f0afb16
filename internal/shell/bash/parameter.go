package bash

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// parameter adds a parameter expansion: its value by the shell's rules when
// it is known, and else its spelling.
func (r *reader) parameter(b *builder, p *syntax.ParamExp, quoted bool) {
	v, known := r.vars[p.Param.Value]
	if !known || p.Excl || p.Index != nil || len(v.holes) > 0 && !isPlain(p) {
		b.hole(r.source(p))
		return
	}
	if !isPlain(p) {
		text, ok := r.operate(v.text, p)
		if !ok {
			b.hole(r.source(p))
			return
		}
		v = variable{text: text}
	}
	if quoted || !strings.ContainsAny(v.text, " \t\n") || len(v.holes) > 0 {
		b.value(v)
		return
	}
	b.addSplit(v.text)
}

func isPlain(p *syntax.ParamExp) bool {
	return !p.Length && p.Slice == nil && p.Repl == nil && p.Exp == nil
}

// addSplit adds an unquoted value, whose blanks end words.
func (b *builder) addSplit(text string) {
	for i, field := range strings.Fields(text) {
		if i > 0 || text[0] == ' ' || text[0] == '\t' || text[0] == '\n' {
			b.breaks = append(b.breaks, len(b.text))
		}
		b.add(field)
	}
	if last := text[len(text)-1]; last == ' ' || last == '\t' || last == '\n' {
		b.breaks = append(b.breaks, len(b.text))
	}
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
	word := ""
	if p.Exp.Word != nil {
		var b builder
		r.quotedInto(&b, p.Exp.Word)
		if len(b.holes) > 0 {
			return "", false
		}
		word = string(b.text)
	}
	switch p.Exp.Op {
	case syntax.AlternateUnset:
		return word, true
	case syntax.AlternateUnsetOrNull:
		if text == "" {
			return "", true
		}
		return word, true
	case syntax.DefaultUnset, syntax.AssignUnset, syntax.ErrorUnset:
		return text, true
	case syntax.DefaultUnsetOrNull, syntax.AssignUnsetOrNull:
		if text == "" {
			return word, true
		}
		return text, true
	case syntax.ErrorUnsetOrNull:
		return text, text != ""
	case syntax.RemSmallPrefix, syntax.RemLargePrefix, syntax.RemSmallSuffix, syntax.RemLargeSuffix:
		return trimPattern(text, word, p.Exp.Op), true
	case syntax.UpperAll:
		return strings.ToUpper(text), word == ""
	case syntax.LowerAll:
		return strings.ToLower(text), word == ""
	case syntax.UpperFirst, syntax.LowerFirst:
		if text == "" {
			return "", true
		}
		_, n := utf8.DecodeRuneInString(text)
		if p.Exp.Op == syntax.UpperFirst {
			return strings.ToUpper(text[:n]) + text[n:], word == ""
		}
		return strings.ToLower(text[:n]) + text[n:], word == ""
	}
	return "", false
}

// slice takes ${X:offset:length}; a negative number counts from the end.
func (r *reader) slice(text string, s *syntax.Slice) (string, bool) {
	runes := []rune(text)
	offset, ok := r.integer(s.Offset)
	if !ok {
		return "", false
	}
	if offset < 0 {
		offset += len(runes)
	}
	if offset < 0 || offset > len(runes) {
		return "", true
	}
	end := len(runes)
	if s.Length != nil {
		length, ok := r.integer(s.Length)
		if !ok {
			return "", false
		}
		if length < 0 {
			end += length
		} else {
			end = min(end, offset+length)
		}
	}
	return string(runes[offset:max(end, offset)]), true
}

// integer reads an arithmetic expression that is a plain number.
func (r *reader) integer(e syntax.ArithmExpr) (int, bool) {
	if e == nil {
		return 0, true
	}
	n, err := strconv.Atoi(strings.Trim(strings.ReplaceAll(r.source(e), " ", ""), "()"))
	return n, err == nil
}

// replace takes ${X/pattern/with} and ${X//pattern/with}.
func (r *reader) replace(text string, p *syntax.Replace) (string, bool) {
	var orig, with builder
	r.quotedInto(&orig, p.Orig)
	if p.With != nil {
		r.quotedInto(&with, p.With)
	}
	pattern := string(orig.text)
	if len(orig.holes)+len(with.holes) > 0 || pattern == "" {
		return text, len(orig.holes)+len(with.holes) == 0
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		n := longestMatch(pattern, text[i:])
		if n <= 0 {
			b.WriteByte(text[i])
			i++
			continue
		}
		b.Write(with.text)
		i += n
		if !p.All {
			b.WriteString(text[i:])
			break
		}
	}
	return b.String(), true
}

// maxPatternText bounds what patterns are tried on, since trying every end
// costs the square of the length.
const maxPatternText = 4096

// longestMatch returns the length of the longest start of text that a pattern
// matches, or -1.
func longestMatch(pattern, text string) int {
	for n := min(len(text), maxPatternText); n >= 0; n-- {
		if matches(pattern, text[:n]) {
			return n
		}
	}
	return -1
}

// trimPattern takes ${X#p}, ${X##p}, ${X%p} and ${X%%p}.
func trimPattern(text, pattern string, op syntax.ParExpOperator) string {
	if len(text) > maxPatternText {
		return text
	}
	for k := 0; k <= len(text); k++ {
		n := k // length of what is removed: the shortest first
		if op == syntax.RemLargePrefix || op == syntax.RemLargeSuffix {
			n = len(text) - k
		}
		prefix := op == syntax.RemSmallPrefix || op == syntax.RemLargePrefix
		if prefix && matches(pattern, text[:n]) {
			return text[n:]
		}
		if !prefix && matches(pattern, text[len(text)-n:]) {
			return text[:len(text)-n]
		}
	}
	return text
}

// matches reports whether a pattern of *, ?, [set] and text matches the whole
// of s.
func matches(pattern, s string) bool {
	// star and mark are where to go on when a later character does not fit:
	// the last * takes one more.
	star, mark := -1, 0
	p, i := 0, 0
	for i < len(s) {
		if p < len(pattern) {
			switch n, ok := matchOne(pattern[p:], s[i]); {
			case pattern[p] == '*':
				star, mark = p, i
				p++
				continue
			case ok:
				p += n
				i++
				continue
			}
		}
		if star < 0 {
			return false
		}
		mark++
		p, i = star+1, mark
	}
	return strings.Trim(pattern[p:], "*") == ""
}

// matchOne matches the first element of a pattern with a byte and returns
// the element's length.
func matchOne(pattern string, c byte) (n int, ok bool) {
	switch pattern[0] {
	case '?':
		return 1, true
	case '[':
		end := strings.IndexByte(pattern[1:], ']')
		if end < 1 {
			return 1, c == '['
		}
		set := pattern[1 : 1+end]
		negated := set[0] == '!' || set[0] == '^'
		if negated {
			set = set[1:]
		}
		return end + 2, inSet(set, c) != negated
	case '\\':
		if len(pattern) > 1 {
			return 2, pattern[1] == c
		}
	}
	return 1, pattern[0] == c
}

func inSet(set string, c byte) bool {
	for i := 0; i < len(set); i++ {
		if i+2 < len(set) && set[i+1] == '-' {
			if c >= set[i] && c <= set[i+2] {
				return true
			}
			i += 2
			continue
		}
		if set[i] == c {
			return true
		}
	}
	return false
}
