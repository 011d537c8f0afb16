package cmd

import (
	"strings"
	"unicode/utf8"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/source/word"
)

// word reads one argument: plain text and quoted parts, up to a blank or an
// operator.
func (l *lexer) word() word.Word {
	start, end := l.pos, l.pos
	l.buf, l.holes, l.runs = l.buf[:0], nil, l.runs[:0]
	l.browser, l.exact = false, false
	for l.pos < len(l.src) && !l.endsWord() {
		switch c := l.src[l.pos]; {
		case c == '"' && !l.verbatim && l.caretsInside():
			l.caretQuotes(1)
		case c == '"':
			l.plainQuotes()
		case c == '\\':
			n, _, quote := l.backslashes(!l.verbatim)
			l.unescape(n, quote)
		case c == '^' && !l.verbatim:
			if n := l.continuation(); n > 0 {
				l.pos += n
				if n = ascii.LineBreak(l.src[l.pos:]); n > 0 && !l.boundary(l.pos+n) {
					l.buf = append(l.buf, '\n') // the caret escapes the second line break
					l.pos += n
				}
				continue // the word may have ended before the caret
			}
			l.caret()
		case c == '%':
			l.percent()
		default:
			l.ordinary(false)
		}
		end = l.pos
	}
	l.halve(start)
	l.hold(len(l.buf))
	return word.Word{
		Text:  word.Text(l.src[start:end], l.buf),
		Holes: l.holes,
		Span:  l.span(start, end),
	}
}

// ordinary reads a byte as text, and all after it that can mean nothing: they
// are most of any word, and are worth copying at once.
func (l *lexer) ordinary(quoted bool) {
	start := l.pos
	for l.pos++; l.pos < len(l.src); l.pos++ {
		if c := l.src[l.pos]; special[c] && (!quoted || !ascii.IsBlank(c)) {
			break
		}
	}
	if special[l.src[start]] {
		l.pos = start + 1
	}
	l.buf = append(l.buf, l.src[start:l.pos]...)
}

// special holds the bytes that can mean something in a word.
var special = func() (t [256]bool) {
	for _, c := range []byte("\t\n\r \"%&()<>\\^|\u00a0") {
		t[c] = true
	}
	return t
}()

// endsWord reports whether the byte at the current position ends a word that is
// not in quotes.
func (l *lexer) endsWord() bool {
	switch c := l.src[l.pos]; c {
	case ' ', '\t', '\n':
		return true
	case '\r':
		return ascii.LineBreak(l.src[l.pos:]) > 0
	case '&', '|', '<', '>':
		return !l.verbatim
	case ')':
		return l.blocks > 0 && !l.verbatim
	default:
		return c >= utf8.RuneSelf && nbsp(l.src[l.pos:]) > 0
	}
}

// boundary reports whether a closing quote may stand before offset i.
func (l *lexer) boundary(i int) bool {
	if i >= len(l.src) {
		return true
	}
	if l.src[i] == '^' {
		return i+1 == len(l.src) || ascii.IsBlank(l.src[i+1]) || ascii.LineBreak(l.src[i+1:]) > 0
	}
	return strings.IndexByte(" \t\r\n&|<>)", l.src[i]) >= 0
}

// caret reads a caret outside plain quotes, and what it escapes.
func (l *lexer) caret() {
	switch {
	case l.pos+1 == len(l.src):
		l.pos++
	case l.src[l.pos+1] == '"':
		l.caretQuotes(2)
	case l.src[l.pos+1] == '\\':
		n, _, quote := l.backslashes(true)
		l.unescape(n, quote)
	default:
		l.buf = append(l.buf, l.src[l.pos+1])
		l.pos += 2
	}
}

// backslashes reads a run of backslashes. It returns how many there are, how
// many of them carry a caret, and the length of the quote after them, or 0.
func (l *lexer) backslashes(carets bool) (n, careted, quote int) {
	for ; l.pos < len(l.src); n++ {
		if l.src[l.pos] == '\\' {
			l.pos++
		} else if carets && strings.HasPrefix(l.src[l.pos:], `^\`) {
			l.pos += 2
			careted++
		} else {
			break
		}
	}
	return n, careted, l.quote(carets)
}

// quote returns the length of the quote at the current position, which may carry
// a caret, or 0.
func (l *lexer) quote(carets bool) int {
	rest := l.src[l.pos:]
	switch {
	case strings.HasPrefix(rest, `"`):
		return 1
	case carets && strings.HasPrefix(rest, `^"`):
		return 2
	}
	return 0
}

// unescape applies the C runtime's rule for n backslashes before a quote of
// the given length: each pair is one backslash, and an odd one makes the
// quote text. An even run leaves the quote to be read.
func (l *lexer) unescape(n, quote int) {
	kept := n
	if quote > 0 {
		kept = n / 2
	}
	for range kept {
		l.buf = append(l.buf, '\\')
	}
	if quote > 0 && n%2 == 1 {
		l.buf = append(l.buf, '"')
		l.pos += quote
	}
}

// plainQuotes reads "…", in which carets are text, but for those that end a line: generators
// of commands write them, and double the others after it.
func (l *lexer) plainQuotes() {
	open, quotes := l.pos, 1
	broken := false
	for l.pos++; l.pos < len(l.src); {
		switch c := l.src[l.pos]; c {
		case '"':
			quotes++
			if l.pos+1 < len(l.src) && l.src[l.pos+1] == '"' {
				l.buf = append(l.buf, '"')
				l.pos += 2
				l.browser = true
				quotes++
			} else if !l.quotedNewline(false) {
				l.pos++
				l.browser = l.browser || strings.HasPrefix(l.src[l.pos:], `%"`)
				return
			}
		case '^':
			if l.caretLine() {
				broken = true
				continue
			}
			if broken && strings.HasPrefix(l.src[l.pos:], "^^") {
				l.pos++
			}
			l.ordinary(true)
		case '\\':
			at := len(l.buf)
			n, _, quote := l.backslashes(false)
			l.unescape(n, quote)
			if quote == 0 {
				l.run(at, true)
			}
			quotes += quote * (n % 2)
		case '%':
			l.percent()
		default:
			if ascii.LineBreak(l.src[l.pos:]) > 0 {
				l.unterminated(open)
				return
			}
			l.ordinary(true)
			if quotes%2 == 0 && !l.verbatim && strings.IndexByte("&|<>", c) >= 0 {
				l.meant(intentOperator, l.pos-1)
			}
		}
	}
	l.unterminated(open)
}

// caretLine reads a caret and a line break inside plain quotes, where cmd.exe would end the
// line, unless an option comes next: then the quote before it is missing.
func (l *lexer) caretLine() bool {
	n := ascii.LineBreak(l.src[l.pos+1:])
	if l.verbatim || n == 0 {
		return false
	}
	next := l.pos + 1 + n
	rest := strings.TrimLeft(l.src[next:min(len(l.src), next+maxIndent)], " \t")
	if len(rest) > 1 && rest[0] == '-' && (rest[1] == '-' || ascii.IsLetter(rest[1])) {
		return false
	}
	l.buf = append(l.buf, '\n')
	l.pos = next
	l.exact = true
	l.meant(intentLine, next-n-1)
	return true
}

// maxIndent bounds how far a line is looked at for what it begins with.
const maxIndent = 256

// caretQuotes reads a quoted part in which carets escape: ^"…^", or with open
// 1 the form that has plain quotes outside.
func (l *lexer) caretQuotes(open int) {
	start := l.pos
	for l.pos += open; l.pos < len(l.src); {
		at := len(l.buf)
		if n, careted, quote := l.backslashes(true); n > 0 || quote > 0 {
			if quote == 0 {
				l.unescape(n, 0)
				l.run(at, true)
				l.browser = true
				l.exact = l.exact || careted < n || l.firefox
			} else if l.inner(n, quote) {
				continue
			} else {
				if open == 1 {
					l.meant(intentCarets, start)
				}
				return
			}
			continue
		}
		switch c := l.src[l.pos]; c {
		case '^':
			l.escaped()
		case '%':
			l.percent()
		default:
			if ascii.LineBreak(l.src[l.pos:]) > 0 {
				l.unterminated(start)
				return
			}
			l.ordinary(true)
			if strings.IndexByte("&|<>", c) >= 0 {
				l.meant(intentOperator, l.pos-1)
			}
		}
	}
	l.unterminated(start)
}

// escaped reads a caret within quotes and what it escapes. Two line breaks
// after it are one: the first ends the line, the second is the escaped one.
func (l *lexer) escaped() {
	l.pos++
	if n := ascii.LineBreak(l.src[l.pos:]); n > 0 {
		l.pos += n
		if n = ascii.LineBreak(l.src[l.pos:]); n > 0 {
			l.buf = append(l.buf, '\n')
			l.pos += n
		}
	} else if l.pos < len(l.src) {
		l.buf = append(l.buf, l.src[l.pos])
		l.pos++
	}
}

// inner reads a quote after n backslashes inside caretQuotes. It reports
// whether the part goes on, and is past the closing quote if not.
func (l *lexer) inner(n, quote int) bool {
	switch {
	case n == 0 && l.quotedNewline(true):
		return true
	case n == 0:
		l.pos += quote
		if again := l.quote(true); again == quote {
			l.buf = append(l.buf, '"') // "" is a quote within quotes
			l.pos += again
			return true
		}
		return false
	case n > 1 && (l.firefox || n%2 == 0 && !l.boundary(l.pos+quote)):
		// Firefox puts one backslash before a quote and doubles none.
		l.unescape(2*(n-1)+1, quote)
		l.exact = true
		l.meant(intentQuote, l.pos-quote)
		return true
	case n%2 == 1:
		l.unescape(n, quote)
		return true
	}
	l.unescape(n, quote)
	l.pos += quote
	return false
}

// quotedNewline reads a line break that a browser has put between two quotes
// because cmd.exe allows none inside:  "^⏎"  or  "^⏎⏎". Firefox, which has
// carets around it, makes each line break CRLF; the others leave it as it was.
func (l *lexer) quotedNewline(carets bool) bool {
	rest := l.src[l.pos:]
	if l.verbatim || !strings.HasPrefix(rest, `"^`) {
		return false
	}
	i := 2
	for n := ascii.LineBreak(rest[i:]); n > 0; n = ascii.LineBreak(rest[i:]) {
		i += n
	}
	if i == 2 || i == len(rest) || rest[i] != '"' {
		return false
	}
	at := len(l.buf)
	for _, c := range []byte(rest[2:i]) {
		if c == '\n' || !carets {
			l.buf = append(l.buf, c)
		}
	}
	l.run(at, false)
	l.browser = true
	l.pos += i + 1
	if !carets {
		l.meant(intentNewline, l.pos-i-1)
	}
	return true
}

// A run is a stretch of l.buf that a browser may have doubled: backslashes, or
// line breaks.
type run struct {
	start, end int
	slash      bool
}

// runSize is the memory of a run.
const runSize = 24

// doubled reports whether the run is some text twice.
func (r run) doubled(buf []byte) bool {
	mid := (r.start + r.end) / 2
	return string(buf[r.start:mid]) == string(buf[mid:r.end])
}

// run notes that l.buf[at:] is a run.
func (l *lexer) run(at int, slash bool) {
	l.hold(runSize)
	l.runs = append(l.runs, run{at, len(l.buf), slash})
}

// halve undoes the doubling of backslashes and of line breaks in the word,
// where a browser has written it. One run that is not doubled shows that none
// is. Backslashes are left alone in a word with nothing of a browser's about
// it: there the writer means what cmd.exe does.
func (l *lexer) halve(start int) {
	slashes, breaks := l.browser && !l.exact, true
	for _, r := range l.runs {
		if r.slash {
			slashes = slashes && r.doubled(l.buf)
		} else {
			breaks = breaks && r.doubled(l.buf)
		}
	}
	if len(l.holes) > 0 {
		return // a browser leaves no variable
	}
	kept, from := l.buf[:0], 0
	for _, r := range l.runs {
		if r.slash && !slashes || !r.slash && !breaks {
			continue
		}
		mid := (r.start + r.end) / 2
		kept = append(kept, l.buf[from:mid]...)
		from = r.end
		if r.slash {
			l.meant(intentBackslashes, start)
		}
	}
	l.buf = append(kept, l.buf[from:]...)
}

// caretsInside reports whether the plain quotes at the current position hold
// exactly what a browser of a certain age writes: a caret before each special
// character, and before nothing else. Any other caret in plain quotes is text.
func (l *lexer) caretsInside() bool {
	s, carets := l.src, false
	for i := l.pos + 1; i < len(s); {
		c := s[i]
		switch {
		case c == '"':
			return carets && l.boundary(i+1)
		case c == '^' && i+1 < len(s):
			next := s[i+1]
			_, size := utf8.DecodeRuneInString(s[i+1:])
			slash := i-l.pos > 2 && s[i-2:i] == `^\`
			switch {
			case next == '"' && !slash, next == '\r', next == '\n':
				return false
			case plainForBrowser(next) && !(s[i-1] == '%' && ascii.IsNameByte(next)):
				return false
			}
			carets = true
			i += 1 + size
		case plainForBrowser(c), c == '&':
			i++
		case strings.IndexByte("[]{}", c) >= 0 && i-l.pos > 2 && s[i-2:i] == `^\`:
			i++ // an escape for curl's URL globs, added last
		default:
			return false
		}
	}
	return false
}

// CaretsInside reports whether the plain quotes at offset open of src hold
// what only a browser writes for cmd.exe.
func CaretsInside(src string, open int) bool {
	l := lexer{src: src, pos: open}
	return l.caretsInside()
}

// plainForBrowser reports whether browsers write c without a caret.
func plainForBrowser(c byte) bool {
	return ascii.IsNameByte(c) || strings.IndexByte(" \t-:=+~'/.,?;()*`", c) >= 0
}

// unterminated reports a quote that is never closed, and gives up.
func (l *lexer) unterminated(open int) {
	l.diags.Error(diag.CodeUnterminatedQuote, diag.Span{Start: l.start(open), End: l.end(open + 1)},
		"the double quote is never closed", "add the closing quote; cmd.exe ends a quoted argument at the end of the line")
	l.pos = len(l.src)
}
