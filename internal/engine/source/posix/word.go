package posix

import (
	"math/bits"
	"strings"
	"unicode/utf8"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/placeholder"
	"uncoil/internal/engine/source/paste"
)

// lexeme reads the word that begins here. Most words are one stretch of the
// source, bare or in one pair of quotes: those are found at once, and need no
// parts.
func (r *reader) lexeme(w *lexeme) bool {
	start, src := r.i, r.src[:r.end]
	i := start
	for i < len(src) && classes[src[i]] == plain {
		i++
	}
	if i == r.end || i > start && r.endsWord(i) {
		w.text, r.i = r.src[start:i], i
		w.span = r.span(start)
		return true
	}
	if i == start {
		if n := r.quotedWord(); n > 0 {
			w.text = r.src[start+1 : start+n-1]
			r.i += n
			w.span = r.span(start)
			return true
		}
	}
	if c := src[i]; classes[c] == wide && r.script == nil && (paste.OpensCurly(src[i:]) >= 0 || i == start && paste.OddQuote(src[i:])) && r.curly(w, i) {
		return !r.failed
	}
	return r.composed(w)
}

// endsWord reports whether the byte at an offset ends a word for certain.
func (r *reader) endsWord(i int) bool {
	return i == r.end || classes[r.src[i]] == ends && r.src[i] != '<' && r.src[i] != '>'
}

// quotedWord returns the length of a word that is one pair of quotes around
// text without escapes and expansions, or 0.
func (r *reader) quotedWord() int {
	n := 0
	text := r.src[r.i+1 : r.end]
	switch r.src[r.i] {
	case '\'':
		n = strings.IndexByte(text, '\'')
	case '"':
		n = quotedLength(text)
		if n == len(text) || text[n] != '"' {
			return 0
		}
	default:
		return 0
	}
	if n < 0 || !r.endsWord(r.i+n+2) || r.paste.Prompted() && strings.IndexByte(text[:n], '\n') >= 0 {
		return 0
	}
	return n + 2
}

// quotedLength returns how many bytes of a text stand before the first that has a
// meaning between double quotes.
func quotedLength(s string) int {
	i := 0
	for ; i <= len(s)-8; i += 8 {
		x := ascii.Eight(s[i : i+8])
		found := ascii.Zeros(x^'"'*ascii.Ones) | ascii.Zeros(x^'\\'*ascii.Ones) | ascii.Zeros(x^'$'*ascii.Ones) | ascii.Zeros(x^'`'*ascii.Ones)
		if found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
	}
	for i < len(s) && s[i] != '"' && s[i] != '\\' && s[i] != '$' && s[i] != '`' {
		i++
	}
	return i
}

// composed reads a word made of parts.
func (r *reader) composed(w *lexeme) bool {
	start, mark := r.i, len(r.pieces)
	if !r.wordParts(w) {
		return false
	}
	w.span = r.span(start)
	w.parts = r.take(mark)
	if len(w.parts) == 1 && w.parts[0].kind == literal && (!w.braces || !mayExpand(w.parts[0].text)) {
		w.text, w.parts, w.braces = w.parts[0].text, nil, false
	}
	return !r.failed
}

// mayExpand reports whether braces in a literal could stand for several words.
func mayExpand(s string) bool {
	return strings.IndexByte(s, ',') >= 0 || strings.Contains(s, "..")
}

// take removes the parts from a mark on from those that are being read, and
// returns them.
func (r *reader) take(mark int) []part {
	n := len(r.pieces) - mark
	if n == 0 {
		return nil
	}
	if n > cap(r.parted)-len(r.parted) {
		const most = 1024
		size := max(n, min(2*cap(r.parted), most))
		if !r.holdTree(partSize * size) {
			r.pieces = r.pieces[:mark]
			return nil
		}
		r.parted = make([]part, 0, size) // words refer to the parts before
	}
	at := len(r.parted)
	r.parted = append(r.parted, r.pieces[mark:]...)
	r.pieces = r.pieces[:mark]
	return r.parted[at:len(r.parted):len(r.parted)]
}

// push adds a part that goes from an offset to here.
func (r *reader) push(kind partKind, text string, start int, quoted bool) {
	add(r, &r.pieces, part{kind: kind, text: text, span: r.span(start), quoted: quoted})
}

// wordParts reads the parts of a word up to what ends it.
func (r *reader) wordParts(w *lexeme) bool {
	for r.i < r.end {
		switch c := r.src[r.i]; c {
		case '\'':
			if !r.singleQuoted(1) {
				return false
			}
		case '"':
			if !r.doubleQuoted() {
				return false
			}
		case '$':
			if !r.dollar(false) {
				return false
			}
		case '`':
			if !r.backquoted(false) {
				return false
			}
		default:
			if (c == '<' || c == '>') && r.peek(1) == '(' {
				if !r.substituted(2, false) {
					return false
				}
				continue
			}
			more, ok := r.literal(w)
			if !ok {
				return false
			}
			if !more {
				return true
			}
		}
	}
	return true
}

// literal reads text outside quotes. more is false at what ends the word.
func (r *reader) literal(w *lexeme) (more, ok bool) {
	start, kind := r.i, literal
	flush := func() {
		if r.i > start {
			r.push(kind, r.src[start:r.i], start, false)
		}
		start, kind = r.i, literal
	}
	keep := func(n int) bool { // a placeholder or a template, as it is
		if n > 0 {
			flush()
			r.i += n
			r.push(literal, r.src[start:r.i], start, true)
			start = r.i
		}
		return n > 0
	}
	for r.i < r.end {
		c := r.src[r.i]
		switch classes[c] {
		case wide:
			if r.wideBlank() > 0 {
				flush()
				return false, true
			}
			fallthrough
		case plain:
			r.i++
			continue
		case ends:
			if r.i < r.noEnd && (c == '&' || c == ';') {
				r.i++
				continue
			}
			if c == '<' && keep(r.placeholder()) {
				continue
			}
			flush()
			return (c == '<' || c == '>') && r.peek(1) == '(', true
		}
		switch c {
		case '{':
			if !keep(r.template(0)) {
				w.braces = true
				r.i++
			}
		case '\\':
			n := r.continuation(false)
			if n == 1 && r.i+n == r.end {
				flush()
				r.i = r.end
				return false, true
			}
			if kind = escaped; n == 0 {
				r.i += 1 + r.width(r.i+1)
				continue
			}
			if r.i += n; r.paste.Prompted() {
				flush()
				r.prompt()
				start = r.i
			}
		default:
			flush()
			return true, true
		}
	}
	flush()
	return false, true
}

// width returns how many bytes the character at a place has.
func (r *reader) width(at int) int {
	_, n := utf8.DecodeRuneInString(r.src[at:r.end])
	return n
}

// placeholder returns the length of a placeholder such as <id> that begins
// here, or 0: text of the word, which the shell would take for redirections. An address may
// stand in it where only a host can.
func (r *reader) placeholder() int {
	s := r.src[r.i:r.end]
	if n := placeholder.Template(s); n > 0 && r.pay(n) {
		return n
	}
	if len(s) < 3 || !placeholder.OpensAngle(s) && (!ascii.IsDigit(s[1]) || !strings.HasSuffix(r.src[:r.i], "://")) {
		return 0
	}
	n := 2
	for n < len(s) && strings.IndexByte("><\n\"'`", s[n]) < 0 {
		n++
	}
	if !r.pay(n) || n == len(s) || s[n] != '>' || ascii.IsBlank(s[n-1]) {
		return 0
	}
	return n + 1
}

// template returns the length of {{ name }} here, where blanks stand in it, or
// 0; from is how many bytes stand before the braces.
func (r *reader) template(from int) int {
	s := r.src[r.i+from : r.end]
	if !strings.HasPrefix(s, "{{") {
		return 0
	}
	blank := from > 0 || strings.HasPrefix(s, "{{[-") // {{[-X|--request]}} is an option
	for n := 2; n < len(s) && s[n] != '\n' && s[n] != '{'; n++ {
		switch {
		case ascii.IsBlank(s[n]), s[n] == '|':
			blank = true
		case strings.HasPrefix(s[n:], "}}"):
			if !blank || !r.pay(n) {
				return 0
			}
			return from + n + 2
		}
	}
	r.pay(min(len(s), 256))
	return 0
}

// singleQuoted reads '…'.
func (r *reader) singleQuoted(mark int) bool {
	start := r.i
	n := strings.IndexByte(r.src[r.i+mark:r.end], '\'')
	if n < 0 {
		return r.unclosed(r.i, "single quote")
	}
	end := r.i + mark + n
	if !r.paste.Prompted() || r.inDoc {
		r.i = end + 1
		r.push(single, r.src[start+mark:end], start, false)
		return true
	}
	// In a text with prompts each line may begin with one.
	r.i += mark
	for from := start; ; from = r.i {
		text := r.i
		if line := strings.IndexByte(r.src[r.i:end], '\n'); line >= 0 {
			r.i += line + 1
			r.push(single, r.src[text:r.i], from, false)
			r.prompt()
			continue
		}
		r.i = end + 1
		r.push(single, r.src[text:end], from, false)
		return true
	}
}

// ansiQuoted reads $'…'.
func (r *reader) ansiQuoted() bool {
	start := r.i
	for i := r.i + 2; i < r.end; i++ {
		switch r.src[i] {
		case '\\':
			i++
		case '\'':
			if !r.hold(i - r.i) {
				return false
			}
			text, _ := decodeEscapes(r.src[r.i+2:i], inQuotes)
			r.i = i + 1
			r.push(single, text, start, false)
			return true
		}
	}
	return r.unclosed(start, "$'")
}

// doubleQuoted reads "…".
func (r *reader) doubleQuoted() bool {
	start := r.i
	r.i++
	r.push(open, "", start, true)
	if !r.quotedParts('"') {
		if !r.failed {
			r.unclosed(start, "double quote")
		}
		return false
	}
	r.i++
	r.push(shut, "", r.i-1, true)
	return true
}

// quotedParts reads text in which a backslash escapes little, up to a closing
// byte; 0 stands for the end of the text. It is false where that is missing.
func (r *reader) quotedParts(closing byte) bool {
	for r.i < r.end {
		start, kind := r.i, literal
	run:
		for r.i < r.end {
			switch c := r.src[r.i]; {
			case c == closing || c == '$' || c == '`':
				break run
			case c == '\\':
				kind = escaped
				r.i++
				if r.at("\r\n") {
					r.i++
				}
				joined := r.peek(0) == '\n'
				r.i = min(r.i+1, r.end)
				if joined && r.paste.Prompted() && !r.inDoc {
					break run
				}
			default:
				r.i++
				if c == '\n' && r.paste.Prompted() && !r.inDoc {
					break run
				}
			}
		}
		if r.i > start {
			r.push(kind, r.src[start:r.i], start, true)
			if r.src[r.i-1] == '\n' && r.paste.Prompted() && !r.inDoc {
				r.prompt()
				continue
			}
		}
		if r.i >= r.end {
			break
		}
		switch r.src[r.i] {
		case closing:
			return true
		case '$':
			if !r.dollar(true) {
				return false
			}
		case '`':
			if !r.backquoted(true) {
				return false
			}
		}
	}
	return closing == 0
}

// dollar reads what a dollar begins: a quoting, an expansion, or nothing.
func (r *reader) dollar(quoted bool) bool {
	start := r.i
	rest := r.src[r.i+1 : r.end]
	if rest == "" {
		r.i++
		r.push(literal, "$", start, quoted)
		return true
	}
	switch c := rest[0]; {
	case c == '\'' && !quoted:
		return r.ansiQuoted()
	case c == '"' && !quoted:
		r.i++ // $"…" is translated text, and there is no translation
		return r.doubleQuoted()
	case c == '(':
		if strings.HasPrefix(rest, "((") {
			if handled := r.sum(3, quoted); handled || r.failed {
				return !r.failed
			}
		}
		return r.substituted(2, quoted)
	case c == '[':
		if handled := r.sum(2, quoted); handled || r.failed {
			return !r.failed
		}
	case c == '{':
		if n := r.template(1); n > 0 {
			r.i += n
			r.push(literal, r.src[start:r.i], start, true)
			return true
		}
		return r.parameter(quoted)
	case strings.IndexByte("0123456789@*#?$!-", c) >= 0:
		r.i += 2
		r.push(variable, r.src[start+1:r.i], start, quoted)
		return true
	}
	n := ascii.NameLength(rest)
	r.i += 1 + n
	if n == 0 {
		r.push(literal, "$", start, quoted)
		return true
	}
	r.push(variable, r.src[start+1:r.i], start, quoted)
	return true
}

// substituted reads $(…), <(…) or >(…), whose opening takes n bytes. Its
// commands are read too.
func (r *reader) substituted(n int, quoted bool) bool {
	start := r.i
	if !r.deeper(start) {
		return false
	}
	r.i += n
	var list []stmt
	docs := r.docs
	r.docs = nil
	ok := r.list(&list) && r.documents()
	r.docs = docs
	if !ok || !r.closes(start) {
		return false
	}
	r.depth--
	r.pushExpansion(substitution, expansion{list: list}, start, quoted)
	return true
}

// pushExpansion adds an expansion that goes from an offset to here.
func (r *reader) pushExpansion(kind partKind, x expansion, start int, quoted bool) {
	if r.inDoc {
		x.list = nil // its places would be those of the here-document
	}
	if r.holdTree(expansionSize) {
		add(r, &r.pieces, part{kind: kind, text: r.src[start:r.i], span: r.span(start), quoted: quoted, x: &x})
	}
}

// backquoted reads `…`. Its commands are read where no backslash changes what
// they are.
func (r *reader) backquoted(quoted bool) bool {
	start := r.i
	i := r.i + 1
	escapes := false
	for i < r.end && r.src[i] != '`' {
		if r.src[i] == '\\' && i+1 < r.end {
			i++
			escapes = escapes || strings.IndexByte("$`\\", r.src[i]) >= 0 || quoted && r.src[i] == '"'
		}
		i++
	}
	if i >= r.end {
		return r.unclosed(start, "backquote")
	}
	var list []stmt
	if !escapes && r.depth < maxNesting && r.pay(i-start) {
		list = r.within(start+1, i)
	}
	r.i = i + 1
	r.pushExpansion(substitution, expansion{list: list}, start, quoted)
	return !r.failed
}

// within reads the commands of src[start:end], which are nil where the shell
// would not take them.
func (r *reader) within(start, end int) (list []stmt) {
	i, last, docs, diags, depth, stack, pieces := r.i, r.end, r.docs, len(r.diags), r.depth, len(r.stack), len(r.pieces)
	r.i, r.end, r.docs = start, end, nil
	r.depth++
	r.backquotes(1)
	defer r.backquotes(-1)
	if !r.list(&list) || !r.documents() || r.i < r.end {
		list = nil
		if r.script != nil {
			r.unexpected(r.i, "nothing may stand here")
		} else if quote := r.diags.Err(); !r.meter.Over() && (quote == nil || quote.Code != diag.CodeUnterminatedQuote) {
			r.failed, r.diags = false, r.diags[:diags]
		}
	}
	r.i, r.end, r.docs, r.depth, r.stack, r.pieces = i, last, docs, depth, r.stack[:stack], r.pieces[:pieces]
	return list
}
