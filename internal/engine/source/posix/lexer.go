package posix

import (
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/source/paste"
)

// A class is what a byte outside quotes does to a word.
type class uint8

// The classes.
const (
	plain   class = iota // stands for itself
	ends                 // ends the word
	special              // begins a quoting or an expansion
	wide                 // may begin a blank beyond ASCII
)

var classes = func() (t [256]class) {
	for _, c := range []byte(" \t\r\n;&|()<>") {
		t[c] = ends
	}
	for _, c := range []byte("\"'\\$`{") {
		t[c] = special
	}
	for _, c := range []byte{0xc2, 0xe1, 0xe2, 0xe3, 0xef} {
		t[c] = wide
	}
	return t
}()

// peek returns the byte n bytes on, or 0 at the end of the text.
func (r *reader) peek(n int) byte {
	if r.i+n < r.end {
		return r.src[r.i+n]
	}
	return 0
}

// at reports whether the text goes on with s.
func (r *reader) at(s string) bool { return strings.HasPrefix(r.src[r.i:r.end], s) }

// blanks skips blanks, line continuations and a comment.
func (r *reader) blanks() {
	for src := r.src[:r.end]; ; {
		i := r.i
		for i < len(src) && (src[i] == ' ' || src[i] == '\t' || src[i] == '\r') {
			i++
		}
		r.gap(r.i, i)
		if r.i = i; i == len(src) {
			return
		}
		switch c := src[i]; {
		case c == '\\':
			if n := r.continuation(true); n > 0 {
				r.gap(r.i, r.i+n)
				r.i += n
				r.prompt()
				r.commentLines()
			} else if n = r.lostBreak(); n > 0 {
				r.i += n
			} else {
				return
			}
		case c == '#':
			r.i += ascii.LineLength(r.src[r.i:r.end])
		case classes[c] == wide:
			n := r.wideBlank()
			if n == 0 {
				return
			}
			r.paste.Warn(r.i, r.i+n, "a blank that is not an ASCII space stands between words", "the shell would not take it for a blank: replace it with a space")
			r.i += n
		default:
			return
		}
	}
}

// wideBlank returns the length of a blank beyond ASCII here, or 0. For a shell it is text.
func (r *reader) wideBlank() int {
	if r.script != nil {
		return 0
	}
	return paste.WideBlank(r.src[r.i:r.end])
}

// commentLines skips the lines of comments that Docker takes out of a RUN that goes on
// over several lines.
func (r *reader) commentLines() {
	for r.docker {
		rest := strings.TrimLeft(r.src[r.i:r.end], " \t")
		if !strings.HasPrefix(rest, "#") || !r.pay(ascii.LineLength(rest)) {
			return
		}
		r.i = min(r.end-len(rest)+ascii.LineLength(rest)+1, r.end)
	}
}

// breaks skips blanks, comments and line breaks, with the here-documents that
// come after those, and the prompts of the lines.
func (r *reader) breaks() bool {
	for {
		r.blanks()
		if r.i >= r.end || r.src[r.i] != '\n' {
			return !r.failed
		}
		r.i++
		if !r.documents() {
			return false
		}
		r.prompt()
	}
}

// continuation returns the length of the backslash here with the line break
// after it, or 0. Between words, blanks between the two are forgiven; a
// backslash that ends the text always is.
func (r *reader) continuation(lenient bool) int {
	rest := r.src[r.i+1 : r.end]
	if strings.HasPrefix(rest, "\n") {
		return 2
	}
	if strings.HasPrefix(rest, "\r\n") {
		return 3
	}
	blanks, wide := 0, 0 // wide: where one stands that is not of ASCII
	if lenient && r.script == nil {
		for blanks < len(rest) {
			n := paste.WideBlank(rest[blanks:])
			if n > 0 && wide == 0 {
				wide = blanks + 1
			} else if n == 0 && (ascii.IsBlank(rest[blanks]) || rest[blanks] == '\r') {
				n = 1
			}
			if n == 0 {
				break
			}
			blanks += n
		}
	}
	switch {
	case blanks == len(rest):
		r.paste.WarnFix(r.i, "a backslash ends the text", "remove it", r.i, r.i+1, "")
		return r.end - r.i
	case wide > 0 && rest[blanks] == '\n':
		r.paste.DoubtFix(r.i, "a blank or invisible character ("+paste.CodePoint(rest[wide-1:])+") follows the backslash at the end of the line", "remove it: the shell would not join the lines", r.i+1, r.i+1+blanks, "")
		return 2 + blanks
	case blanks > 0 && rest[blanks] == '\n':
		r.paste.DoubtFix(r.i, "blanks follow the backslash at the end of the line", "remove the blanks: the shell would not join the lines", r.i+1, r.i+1+blanks, "")
		return 2 + blanks
	}
	return 0
}

// lostBreak returns the length of a backslash and the blanks after it where a
// line break between them has got lost: an option or a quoted argument
// follows, which the shell would join to the blank.
func (r *reader) lostBreak() int {
	n := 1
	for n < r.end-r.i && ascii.IsBlank(r.src[r.i+n]) {
		n++
	}
	if r.script != nil || n == 1 || !startsArgument(r.src[r.i+n:r.end]) {
		return 0
	}
	r.doubt(diag.WarnPastedNoise, r.i, r.i+1, "a backslash stands in the middle of the line; the shell would make the blank after it part of the argument",
		"remove the backslash, or break the line after it")
	return n
}

// startsArgument reports whether a text goes on with an option or a URL.
func startsArgument(s string) bool {
	switch {
	case len(s) < 2:
		return false
	case s[0] == '-':
		return ascii.IsLetter(s[1]) || s[1] == '-'
	case s[0] == '\'' || s[0] == '"':
		s = s[1:]
	}
	return strings.HasPrefix(s, "http://") || strings.HasPrefix(s, "https://")
}

// prompt leaves out the prompt of a continued line.
func (r *reader) prompt() {
	if r.script != nil {
		return
	}
	rest := r.src[r.i:r.end]
	indent := 0
	for indent < len(rest) && ascii.IsBlank(rest[indent]) {
		indent++
	}
	rest = rest[indent:]
	if r.paste.Rooted() && strings.HasPrefix(rest, "# ") && !r.inDoc {
		at := r.i + indent
		r.paste.Warn(at, at+1, "a prompt stands before the continued line", "remove it")
		r.i = at + len("# ")
		return
	}
	if rest == "" || rest[0] != '>' || len(rest) > 1 && strings.IndexByte(" \t\r\n", rest[1]) < 0 {
		return
	}
	n := 1
	for n < len(rest) && ascii.IsBlank(rest[n]) {
		n++
	}
	if r.paste.Prompted() || strings.HasPrefix(rest[n:], "-") {
		at := r.i + indent
		r.paste.Warn(at, at+1, "a prompt stands before the continued line", "remove it")
		r.i += indent + min(n, len("> "))
	}
}

// span returns the span from an offset to here.
func (r *reader) span(start int) diag.Span {
	return diag.Span{Start: int32(start), End: int32(r.i)}
}
