package posix

import (
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/source/paste"
)

// severed reports whether the & or ; here is meant as a part of the last word of
// the curl command whose words are on the stack from mark on, and reads the rest
// of the word: neither side has a blank, and the command that the shell would
// see after it is an option, as in curl http://h/?a=1&b=2 -H 'A: b'.
func (r *reader) severed(mark int) bool {
	at := r.i
	if c := r.src[at]; r.script != nil || c != '&' && c != ';' || at < r.noSever || len(r.stack) == mark {
		return false
	}
	w := &r.stack[len(r.stack)-1]
	n := at + 1
	for n < r.end && (classes[r.src[n]] == plain || strings.IndexByte("&;${", r.src[n]) >= 0) {
		n++
	}
	if !r.pay(n - at + 16) {
		return false
	}
	rest := r.src[n:r.end]
	if int(w.span.End) != at || n == at+1 || r.src[at+1] == r.src[at] || !r.optionComes(rest) ||
		!runsCurl(r.stack[mark:min(len(r.stack), mark+maxWrappers)]) {
		r.noSever = n
		return false
	}
	start := int(w.span.Start)
	raw := r.src[start:n]
	r.doubt(diag.WarnUnquotedAmpersand, at, at+1,
		"this "+r.src[at:at+1]+" ends the command, because it is not quoted, and then an option would be a command; it was read as part of the argument", "put the argument in quotes")
	if quoted := paste.StraightQuoted(raw); quoted != "" && !strings.ContainsAny(raw, "\"$`\\") && len(r.diags) > 0 {
		if d := &r.diags[len(r.diags)-1]; d.Code == diag.WarnUnquotedAmpersand && int(d.Span.Start) == at {
			d.Fix = &diag.Fix{Span: diag.Span{Start: int32(start), End: int32(n)}, Text: quoted}
		}
	}
	r.i, r.noEnd = start, n
	var whole lexeme
	ok := r.composed(&whole)
	r.noEnd = 0
	if !ok {
		return false
	}
	*w = whole
	return true
}

// maxWrappers is how many words may stand before curl in a command whose
// separators are looked at.
const maxWrappers = 16

// optionComes reports whether blanks and the ends of continued lines, and then an
// option begin a text.
func (r *reader) optionComes(s string) bool {
	n := 0
	for n < len(s) && n < maxGap {
		switch {
		case ascii.IsBlank(s[n]):
			n++
		case n > 0 && strings.HasPrefix(s[n:], "\\\n"):
			n += len("\\\n")
		case n > 0 && strings.HasPrefix(s[n:], "\\\r\n"):
			n += len("\\\r\n")
		default:
			return n > 0 && beginsOption(s[n:])
		}
	}
	return false
}

// maxGap bounds how far apart a word and an option stand.
const maxGap = 256

// alternatives returns the length of the notation of a manual that stands here behind an option
// of curl, such as [ a | b ] and [-d x=y]*, of which the shell would make a pipe or several
// words; 0 where there is none.
func (r *reader) alternatives(mark int) int {
	if r.src[r.i] != '[' || r.script != nil || len(r.stack) < mark+2 || r.src[r.stack[len(r.stack)-1].span.Start] != '-' {
		return 0
	}
	s := r.src[r.i:min(r.end, r.i+maxGap)]
	n := strings.IndexAny(s, "]\n\"'`$\\")
	if !r.pay(len(s)) || n < 0 || s[n] != ']' || !runsCurl(r.stack[mark:min(len(r.stack), mark+maxWrappers)]) {
		return 0
	}
	inside := strings.TrimLeft(s[1:n], " \t")
	if strings.IndexByte(inside, '|') < 0 && !(beginsOption(inside) && strings.IndexByte(inside, ' ') > 0) {
		return 0
	}
	for n++; n < len(s) && strings.IndexByte("*+.", s[n]) >= 0; n++ {
	}
	if n < len(s) && !ascii.IsBlank(s[n]) && s[n] != '\n' && s[n] != '\r' {
		return 0
	}
	r.doubt(diag.WarnPlaceholder, r.i, r.i+n, "this says what may stand here, and is kept as typed; the shell would read it as words or as a pipe", "write what is meant in its place")
	return n
}
