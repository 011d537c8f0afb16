package posix

import (
	"strconv"
	"strings"

	"uncoil/diag"
)

// maxBraceWords bounds how many words the braces of one word may stand for.
const maxBraceWords = 1 << 16

// A braceToken is a part of a word, or one of the bytes { , } in it.
type braceToken struct {
	part part
	kind byte // 0 for a part
	pair int  // of a brace: the other one, or -1
	list bool // of an opening brace: a comma stands in it
	// from, to and step are those of a sequence such as {1..3}.
	sequence bool
}

// expandBraces adds the fields that {a,b} and {1..3} in a word stand for. It
// is false where there are none.
func (r *reader) expandBraces(b *builder, parts []part) bool {
	tokens, real := r.braceTokens(parts)
	defer func() { r.tokens = kept(tokens) }()
	if !real || r.stopped {
		return false
	}
	e := braceExpansion{r: r, tokens: tokens, word: r.braced[:0]}
	r.braced = nil
	defer func() { r.braced = kept(e.word) }()
	if n := e.count(0, len(tokens)); n > maxBraceWords || r.failed {
		if !r.failed {
			r.fail(diag.CodeTooLarge, int(b.span.Start), "the braces of this word expand to too many words", "make them smaller")
		}
		r.stopped = true
		return true
	}
	e.walk(0, len(tokens), func() {
		if r.pay(10*len(e.word) + 1) {
			r.parts(b, e.word, unquoted)
			b.end()
		}
	})
	return true
}

// braceTokens cuts the literals of a word at braces and commas, and finds the
// pairs of braces that expand; real reports whether there are any.
func (r *reader) braceTokens(parts []part) (tokens []braceToken, real bool) {
	tokens, r.tokens = r.tokens[:0], nil
	var opened []int
	expanding := 0
	for i := range parts {
		p := &parts[i]
		if p.kind > escaped || p.quoted {
			if !add(r, &tokens, braceToken{part: *p}) {
				return tokens, false
			}
			continue
		}
		s, from := p.text, 0
		if !r.pay(2 * len(s)) {
			return tokens, false
		}
		cut := func(to int) {
			for p.kind == escaped && from < to && strings.HasPrefix(s[from:to], "\\\n") {
				from += 2 // so that the name of a variable before it goes on after it
			}
			if to > from {
				q := *p
				q.text = s[from:to]
				q.span = diag.Span{}
				if len(s) == int(p.span.End-p.span.Start) {
					q.span = diag.Span{Start: p.span.Start + int32(from), End: p.span.Start + int32(to)}
				}
				add(r, &tokens, braceToken{part: q})
			}
			from = to
		}
		for k := 0; k < len(s); k++ {
			c := s[k]
			switch {
			case c == '\\' && p.kind == escaped:
				k++
				continue
			case c == '{':
				cut(k)
				add(r, &opened, len(tokens))
			case (c == ',' || c == '}') && len(opened) > 0:
				cut(k)
				top := opened[len(opened)-1]
				if c == ',' {
					tokens[top].list = true
					break
				}
				opened = opened[:len(opened)-1]
				if tokens[top].list || r.isSequence(tokens[top+1:], &tokens[top]) {
					tokens[top].pair = len(tokens)
					if real = true; r.tooManyBraces(&expanding) {
						return tokens, false
					}
				}
			default:
				continue
			}
			if !add(r, &tokens, braceToken{kind: c, pair: -1, part: part{text: s[k : k+1], quoted: true}}) {
				return tokens, false
			}
			from = k + 1
		}
		cut(len(s))
	}
	return tokens, real
}

// maxBraces bounds how many braces of one word expand.
const maxBraces = 4096

// tooManyBraces counts braces that expand, and reports whether there are too
// many of them.
func (r *reader) tooManyBraces(n *int) bool {
	if *n++; *n > maxBraces {
		r.fail(diag.CodeTooLarge, r.i, "this word has too many braces", "write what they stand for")
		r.stopped = true
	}
	return r.stopped
}

// isSequence reports whether what stands in braces is one such as 1..3.
func (r *reader) isSequence(inside []braceToken, open *braceToken) bool {
	if len(inside) != 1 || inside[0].kind != 0 || inside[0].part.kind > escaped || inside[0].part.quoted || strings.IndexByte(inside[0].part.text, '\\') >= 0 || len(inside[0].part.text) > 1<<20 {
		return false
	}
	_, _, _, ok := sequenceBounds(inside[0].part.text)
	open.sequence = ok
	return ok
}

// A braceExpansion makes the words that braces stand for.
type braceExpansion struct {
	r      *reader
	tokens []braceToken
	word   []part // the word that is being made
}

// expands reports whether the token at i opens braces that expand.
func (e *braceExpansion) expands(i int) bool {
	return e.tokens[i].kind == '{' && e.tokens[i].pair > i
}

// count returns how many words tokens stand for, at most a little more than
// maxBraceWords.
func (e *braceExpansion) count(from, to int) int {
	total := 1
	if !e.r.deeperRun() || !e.r.pay(2*(to-from)) {
		return 0
	}
	for i := from; i < to; i++ {
		if !e.expands(i) {
			continue
		}
		n := 0
		if e.tokens[i].sequence && !e.tokens[i].list {
			low, high, step, _ := sequenceBounds(e.tokens[i+1].part.text)
			n = int(min(sequenceLength(low.value, high.value, step), maxBraceWords+1))
		} else {
			e.alternatives(i, func(from, to int) { n = min(n+e.count(from, to), maxBraceWords+1) })
		}
		total = min(total*max(n, 1), maxBraceWords+1)
		i = e.tokens[i].pair
	}
	e.r.depth--
	return total
}

// alternatives calls f with the tokens of each alternative of braces.
func (e *braceExpansion) alternatives(open int, f func(from, to int)) {
	from := open + 1
	for i := from; i <= e.tokens[open].pair && !e.r.failed; i++ {
		switch {
		case i == e.tokens[open].pair, e.tokens[i].kind == ',':
			f(from, i)
			from = i + 1
		case e.expands(i):
			i = e.tokens[i].pair
		}
	}
}

// walk calls each for every word that tokens stand for, with its parts in
// e.word, the last braces changing fastest.
func (e *braceExpansion) walk(from, to int, each func()) {
	mark := len(e.word)
	for i := from; i < to; i++ {
		if e.r.stopped || !e.r.pay(2) {
			return
		}
		if !e.expands(i) {
			if !add(e.r, &e.word, e.tokens[i].part) {
				return
			}
			continue
		}
		open := &e.tokens[i]
		rest := func() { e.walk(open.pair+1, to, each) }
		if open.list {
			e.alternatives(i, func(from, to int) { e.walk(from, to, rest) })
		} else {
			e.sequence(e.tokens[i+1].part.text, rest)
		}
		e.word = e.word[:mark]
		return
	}
	each()
	e.word = e.word[:mark]
}

// A bound is the first or last element of a sequence.
type bound struct {
	text   string
	value  int64
	letter bool
}

// sequenceBounds reads a sequence such as 1..5..2 or a..e.
func sequenceBounds(s string) (low, high bound, step int64, ok bool) {
	first, rest, ok := strings.Cut(s, "..")
	if !ok {
		return low, high, 0, false
	}
	last, by, stepped := strings.Cut(rest, "..")
	step = 1
	if stepped {
		n, err := strconv.ParseInt(by, 10, 64)
		if err != nil {
			return low, high, 0, false
		}
		step = max(n, -n, 1)
	}
	low, ok = readBound(first)
	high, ok2 := readBound(last)
	return low, high, step, ok && ok2 && low.letter == high.letter
}

func readBound(s string) (bound, bool) {
	if len(s) == 1 && (s[0]|0x20 >= 'a' && s[0]|0x20 <= 'z') {
		return bound{s, int64(s[0]), true}, true
	}
	n, err := strconv.ParseInt(s, 10, 64)
	return bound{s, n, false}, err == nil
}

func sequenceLength(from, to, step int64) int64 {
	low, high := min(from, to), max(from, to)
	return int64(uint64(high-low)/uint64(step)&(1<<62-1)) + 1
}

// sequence calls each for every element of a sequence, which it adds to
// e.word.
func (e *braceExpansion) sequence(s string, each func()) {
	low, high, step, _ := sequenceBounds(s)
	width := 0
	if !low.letter && (zeroPadded(low.text) || zeroPadded(high.text)) {
		width = max(len(low.text), len(high.text))
	}
	v := low.value
	mark := len(e.word)
	for range sequenceLength(low.value, high.value, step) {
		if e.r.stopped || !e.r.pay(10) || !e.r.hold(max(width, 8)) {
			return
		}
		p := part{kind: literal}
		if low.letter {
			p.kind = escaped
			p.text = letter(v)
		} else {
			p.text = padNumber(v, width)
		}
		e.word = append(e.word[:mark], p)
		each()
		if low.value <= high.value {
			v += step
		} else {
			v -= step
		}
	}
	e.word = e.word[:mark]
}

// letter returns an element of a sequence of letters. Between Z and a there
// are other characters, which bash quotes, but for the backslash.
func letter(v int64) string {
	if v == '\\' {
		return ""
	}
	if v >= 'A' && v <= 'Z' || v >= 'a' && v <= 'z' {
		return string(rune(v))
	}
	return "\\" + string(rune(v))
}

func zeroPadded(s string) bool {
	s = strings.TrimPrefix(s, "-")
	return len(s) > 1 && s[0] == '0'
}

func padNumber(v int64, width int) string {
	s := strconv.FormatInt(v, 10)
	if len(s) >= width {
		return s
	}
	if v < 0 {
		return "-" + strings.Repeat("0", width-len(s)) + s[1:]
	}
	return strings.Repeat("0", width-len(s)) + s
}
