package powershell

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/source/word"
)

// A wordStart is where a word starts in the buffers.
type wordStart struct{ buf, holes int }

func (l *lexer) begin() wordStart { return wordStart{len(l.buf), len(l.holes)} }

// finish returns the word read since the mark, which is in the source
// from start to end.
func (l *lexer) finish(m wordStart, start, end int) word.Word {
	l.hold(end - start)
	w := word.Word{
		Text: word.Text(l.src[start:end], l.buf[m.buf:]),
		Span: diag.Span{Start: int32(start), End: int32(end)},
	}
	if n := len(l.holes) - m.holes; n > 0 {
		l.hold(n * word.HoleSize)
		w.Holes = word.AppendHoles(make([]word.Hole, 0, n), -m.buf, l.holes[m.holes:])
	}
	l.buf, l.holes = l.buf[:m.buf], l.holes[:m.holes]
	return w
}

// typed returns a part of the source as a word that only PowerShell would
// know.
func (l *lexer) typed(start, end int) word.Word {
	text := l.src[start:end]
	l.hold(word.HoleSize)
	return word.Word{
		Text:  text,
		Holes: []word.Hole{{Start: 0, End: int32(len(text)), Expr: text}},
		Span:  diag.Span{Start: int32(start), End: int32(end)},
	}
}

// quote returns the kind of the quote at offset i of the source.
func (l *lexer) quote(i int) (kind byte, width int) { return QuoteAt(l.src, i) }

// QuoteAt returns the kind of the quote at offset i of s, ' or " or 0,
// and its length. PowerShell takes typographic quotes for plain ones.
func QuoteAt(s string, i int) (kind byte, width int) {
	if i >= len(s) {
		return 0, 0
	}
	switch c := s[i]; c {
	case '\'', '"':
		return c, 1
	case 0xe2: // the first byte of U+2018 to U+201E
		if i+2 < len(s) && s[i+1] == 0x80 {
			switch c := s[i+2]; {
			case 0x98 <= c && c <= 0x9b:
				return '\'', 3
			case 0x9c <= c && c <= 0x9e:
				return '"', 3
			}
		}
	}
	return 0, 0
}

// hereMark returns the length of the line that opens a here-string at the
// current place, with its line break, or 0.
func (l *lexer) hereMark() int {
	if l.src[l.pos] != '@' {
		return 0
	}
	kind, width := l.quote(l.pos + 1)
	if kind == 0 {
		return 0
	}
	i := l.pos + 1 + width
	for i < len(l.src) && ascii.IsBlank(l.src[i]) {
		i++
	}
	if n := ascii.LineBreak(l.src[i:]); n > 0 {
		return i + n - l.pos
	}
	return 0
}

// str reads the string at the current position into the word.
func (l *lexer) str() {
	if n := l.hereMark(); n > 0 {
		l.hereString(n)
		return
	}
	if kind, width := l.quote(l.pos); kind == '\'' {
		l.singleQuoted(width)
	} else {
		l.doubleQuoted(width)
	}
}

func (l *lexer) singleQuoted(width int) {
	open := l.pos
	for l.pos += width; l.pos < len(l.src); {
		kind, width := l.quote(l.pos)
		if kind != '\'' {
			l.buf = append(l.buf, l.src[l.pos])
			l.pos++
			continue
		}
		again, more := l.quote(l.pos + width)
		if again != '\'' {
			l.pos += width
			return
		}
		l.buf = append(l.buf, l.src[l.pos:l.pos+width]...)
		l.pos += width + more
	}
	l.unclosed(open, "the single quote is never closed")
}

func (l *lexer) doubleQuoted(width int) {
	open, slashed := l.pos, false
	for l.pos += width; l.pos < len(l.src); {
		kind, width := l.quote(l.pos)
		if kind != '"' {
			l.expandable()
			continue
		}
		if again, more := l.quote(l.pos + width); again == '"' {
			l.buf = append(l.buf, l.src[l.pos:l.pos+width]...)
			l.pos += width + more
			continue
		}
		// A backslash escapes nothing here, yet many write \" as in other
		// shells. Where that would end the string in the middle of a word it
		// is read as they mean it; passOn then takes the backslash away.
		if l.src[l.pos-1] == '\\' && (slashed || !l.stringEnds(l.pos+width)) {
			if !slashed {
				l.warn(diag.WarnBrowserIntent, l.pos-1, l.pos+width, `\" was read as a quote; in PowerShell it ends the string`)
			}
			slashed = true
			l.buf = append(l.buf, '"')
			l.pos += width
			continue
		}
		l.pos += width
		return
	}
	l.unclosed(open, "the double quote is never closed")
}

// stringEnds reports whether a string may end before offset i.
func (l *lexer) stringEnds(i int) bool {
	return i >= len(l.src) || strings.IndexByte(" \t\r\n,;)}]|&+`.", l.src[i]) >= 0
}

// expandable reads one piece of text in which variables and escapes count.
func (l *lexer) expandable() {
	switch c := l.src[l.pos]; c {
	case '`':
		l.backtick()
	case '$':
		l.dollar(false)
	default:
		l.buf = append(l.buf, c)
		l.pos++
	}
}

// hereString reads @'⏎…⏎'@ or @"⏎…⏎"@, whose opening line has the given
// length. Neither line break belongs to the string.
func (l *lexer) hereString(opening int) {
	open := l.pos
	kind, _ := l.quote(l.pos + 1)
	l.pos += opening
	if n := l.hereEnd(l.pos, kind); n > 0 {
		l.pos += n
		return
	}
	for l.pos < len(l.src) {
		if n := ascii.LineBreak(l.src[l.pos:]); n > 0 {
			if end := l.hereEnd(l.pos+n, kind); end > 0 {
				l.pos += n + end
				return
			}
		}
		if kind == '"' {
			l.expandable()
		} else {
			l.buf = append(l.buf, l.src[l.pos])
			l.pos++
		}
	}
	l.unclosed(open, "the here-string is never closed")
}

// hereEnd returns the length of the mark at offset i that closes a
// here-string, or 0.
func (l *lexer) hereEnd(i int, kind byte) int {
	if k, width := l.quote(i); k == kind && i+width < len(l.src) && l.src[i+width] == '@' {
		return width + 1
	}
	return 0
}

// backtick reads a backtick and what it escapes.
func (l *lexer) backtick() {
	if l.pos+1 == len(l.src) {
		l.buf = append(l.buf, '`')
		l.pos++
		return
	}
	c := l.src[l.pos+1]
	l.pos += 2
	switch c {
	case '0':
		c = 0
	case 'a':
		c = '\a'
	case 'b':
		c = '\b'
	case 'e':
		c = 0x1b
	case 'f':
		c = '\f'
	case 'n':
		c = '\n'
	case 'r':
		c = '\r'
	case 't':
		c = '\t'
	case 'v':
		c = '\v'
	case 'u':
		rest := l.src[l.pos:]
		if end := strings.IndexByte(rest[:min(len(rest), len("{10FFFF}"))], '}'); end > 1 && rest[0] == '{' {
			if r, err := strconv.ParseUint(rest[1:end], 16, 32); err == nil {
				l.buf = utf8.AppendRune(l.buf, rune(r))
				l.pos += end + 1
				return
			}
		}
	}
	l.buf = append(l.buf, c)
}

// dollar reads a dollar sign: a variable, $(…), or text. A bare word may
// begin with a variable's members, as in $answer.token; in a string they are
// text.
func (l *lexer) dollar(members bool) {
	rest := l.src[l.pos:]
	if n := charCode(rest); n > 0 {
		l.charCodes()
		return
	}
	if strings.HasPrefix(rest, "$(") {
		end := l.group(l.pos + 1)
		if end < 0 {
			l.unclosed(l.pos, "the parenthesis is never closed")
			return
		}
		inner := strings.Trim(l.src[l.pos+2:end-1], " \t")
		if name, n := VariableName(inner); n > 0 && n == len(inner) {
			l.expand(unscoped(name), l.lookup(name), l.pos, end)
		} else {
			l.expand("", nil, l.pos, end)
		}
		l.pos = end
		return
	}
	name, n := VariableName(rest)
	if n == 0 {
		l.buf = append(l.buf, '$')
		l.pos++
		return
	}
	start, value := l.pos, l.lookup(name)
	l.pos += n
	if members && l.skipMembers() {
		name, value = "", nil
	}
	l.expand(unscoped(name), value, start, l.pos)
}

// expand adds a variable's value to the word, or the variable as typed where
// the value is unknown.
func (l *lexer) expand(name string, v *value, start, end int) {
	if v == nil || v.kind != textValue {
		l.pay(elementSteps)
		at := int32(len(l.buf))
		l.buf = append(l.buf, l.src[start:end]...)
		add(l, &l.holes, word.Hole{Start: at, End: int32(len(l.buf)), Expr: l.src[start:end], Name: name})
		return
	}
	// A buffer that grows is copied, and its text is copied at the end.
	l.hold(3*len(v.word.Text) + 2*word.HoleSize*len(v.word.Holes))
	l.holes = word.AppendHoles(l.holes, len(l.buf), v.word.Holes)
	l.buf = append(l.buf, v.word.Text...)
}

// charCode returns the length of the $([char]N) at the start of s, or 0.
// Browsers write each UTF-16 unit outside ASCII like this.
func charCode(s string) int {
	const prefix = "$([char]"
	if len(s) < len(prefix) || !ascii.EqualFold(s[:len(prefix)], prefix) {
		return 0
	}
	i := len(prefix)
	for i < len(s) && (ascii.IsHex(s[i]) || s[i] == 'x') {
		i++
	}
	if i == len(prefix) || i == len(s) || s[i] != ')' {
		return 0
	}
	if _, err := strconv.ParseUint(s[len(prefix):i], 0, 16); err != nil {
		return 0
	}
	return i + 1
}

// charCodes reads one $([char]N), or the two of a surrogate pair.
func (l *lexer) charCodes() {
	unit := func(n int) rune {
		digits := l.src[l.pos+len("$([char]") : l.pos+n-1]
		code, _ := strconv.ParseUint(digits, 0, 16)
		l.pos += n
		return rune(code)
	}
	r := unit(charCode(l.src[l.pos:]))
	if utf16.IsSurrogate(r) {
		r2 := rune(0)
		if n := charCode(l.src[l.pos:]); n > 0 {
			before := l.pos
			if r2 = unit(n); utf16.DecodeRune(r, r2) == utf8.RuneError {
				l.pos = before
			}
		}
		r = utf16.DecodeRune(r, r2)
	}
	l.buf = utf8.AppendRune(l.buf, r)
}

// VariableName returns the name of the variable at the start of s, $name or
// ${name}, with its scope, and the length of what is typed, or 0.
func VariableName(s string) (name string, n int) {
	if len(s) < 2 || s[0] != '$' {
		return "", 0
	}
	if s[1] == '{' {
		end := strings.IndexByte(s[:min(len(s), maxName)], '}')
		if end <= 2 {
			return "", 0
		}
		return s[2:end], end + 1
	}
	i := 1
	for i < len(s) && ascii.IsNameByte(s[i]) {
		i++
	}
	if i > 1 && i+1 < len(s) && s[i] == ':' && isScope(s[1:i]) && ascii.IsNameByte(s[i+1]) {
		for i++; i < len(s) && ascii.IsNameByte(s[i]); i++ {
		}
	}
	if i == 1 {
		return "", 0
	}
	return s[1:i], i
}

// maxName bounds the search for the brace that closes a variable's name.
const maxName = 256

func isScope(s string) bool {
	switch strings.ToLower(s) {
	case "env", "global", "local", "script", "private", "using", "variable":
		return true
	}
	return false
}

// unscoped returns the name of a variable without its scope.
func unscoped(name string) string {
	if scope, rest, ok := strings.Cut(name, ":"); ok && isScope(scope) {
		return rest
	}
	return name
}

// lookup returns the value of a variable, or nil.
func (l *lexer) lookup(name string) *value {
	l.pay(mapSteps + len(name))
	name = strings.ToLower(unscoped(name))
	if v := l.vars[name]; v != nil {
		l.settle(v)
		return v
	}
	switch name {
	case "true", "false":
		return &value{literal: truth, word: word.Word{Text: strings.ToUpper(name[:1]) + name[1:]}}
	case "null":
		return &value{literal: null}
	}
	return nil
}

// skipSpace steps over blanks, comments, continued lines and the prompts in
// front of them, and over line breaks if they are to be skipped as well.
func (l *lexer) skipSpace(lines bool) {
	for l.pos < len(l.src) {
		rest := l.src[l.pos:]
		switch c := rest[0]; {
		case c == ' ' || c == '\t' || c == '\r':
			l.pos++
		case c == '\n' && lines:
			if l.pos++; l.prompted && strings.HasPrefix(l.src[l.pos:], ">>") {
				l.pos += PromptLength(l.src[l.pos:])
			}
		case c == '#':
			l.pos += ascii.LineLength(rest)
		case strings.HasPrefix(rest, "<#"):
			end := strings.Index(rest, "#>")
			if end < 0 {
				l.pos = len(l.src)
				return
			}
			l.pos += end + len("#>")
		case c == '`':
			n := l.continuation(l.pos)
			if n == 0 {
				return
			}
			if l.pos+n == len(l.src) && ascii.LineBreak(l.src[l.pos+1:]) == 0 {
				l.warn(diag.WarnPastedNoise, l.pos, l.pos+1, "the backtick at the end of the text was left out")
			} else if ascii.LineBreak(rest[1:]) == 0 {
				l.warn(diag.WarnPastedNoise, l.pos, l.pos+n, "the blank between the backtick and the line break was left out")
			}
			l.pos += n
			if strings.HasPrefix(l.src[l.pos:], ">>") {
				l.pos += PromptLength(l.src[l.pos:])
			}
		default:
			n := blankLength(rest)
			if n == 0 {
				return
			}
			l.pos += n
		}
	}
}

// Continues reports whether a line begins with the prompt >> and goes on with an option, a
// string or a URL: PowerShell shows it before a line of the same command.
func Continues(line string) bool {
	if !strings.HasPrefix(line, ">>") {
		return false
	}
	rest := line[PromptLength(line):]
	return len(rest) > 1 && (rest[0] == '-' && (rest[1] == '-' || ascii.IsLetter(rest[1])) || rest[0] == '\'' || rest[0] == '"' || ascii.HasPrefixFold(rest, "http"))
}

// continued steps over a line break without a backtick before a line that continues the
// command, and reports whether one is here.
func (l *lexer) continued() bool {
	rest := l.src[l.pos:]
	if rest == "" || rest[0] != '\n' || !Continues(rest[1:]) {
		return false
	}
	at := l.pos + 1
	l.pos = at + PromptLength(rest[1:])
	if !l.joined {
		l.joined = true
		l.report(diag.Diagnostic{Code: diag.WarnPastedNoise, Severity: diag.SeverityWarning, Level: diag.LevelDoubt, Span: diag.Span{Start: int32(at), End: int32(at + len(">>"))},
			Message: "the line before this one lacks its backtick; PowerShell would end the command there", Hint: "end each line of the command but the last with a backtick"})
	}
	return true
}

// continuation returns the length of the backtick at offset i that joins the
// line to the next, with the line break, or 0. Blanks between the two, and a
// backtick that ends the text, are forgiven.
func (l *lexer) continuation(i int) int {
	start := i
	for i++; i < len(l.src) && ascii.IsBlank(l.src[i]); i++ {
	}
	if i >= len(l.src) {
		return len(l.src) - start
	}
	n := ascii.LineBreak(l.src[i:])
	if n == 0 {
		return 0
	}
	return i + n - start
}

// blankLength returns the length of the space outside ASCII that stands at
// the start of s, or 0. PowerShell takes each for a blank.
func blankLength(s string) int {
	if s[0] < utf8.RuneSelf {
		return 0
	}
	switch r, n := utf8.DecodeRuneInString(s); r {
	case '\u0085', '\u00a0', '\u1680', '\u202f', '\u205f', '\u3000':
		return n
	default:
		if '\u2000' <= r && r <= '\u200a' {
			return n
		}
	}
	return 0
}

// group returns the offset after the parenthesis or brace that closes the one
// at offset i, or -1. It steps over strings and comments.
func (l *lexer) group(i int) int {
	var open []byte // what closes each open group or string, innermost last
	for i < len(l.src) {
		kind, width := l.quote(i)
		width = max(width, 1)
		c, top := l.src[i], byte(0)
		if len(open) > 0 {
			top = open[len(open)-1]
		}
		switch {
		case c == '`':
			i++
		case top == '\'':
			if kind == '\'' {
				open = open[:len(open)-1]
			}
		case kind != 0 && kind == top:
			open = open[:len(open)-1]
		case top == '"':
			if c == '$' && i+1 < len(l.src) && l.src[i+1] == '(' {
				open = append(open, ')')
				i++
			}
		case kind != 0:
			open = append(open, kind)
		case c == '(':
			open = append(open, ')')
		case c == '{':
			open = append(open, '}')
		case c == top && (c == ')' || c == '}'):
			if open = open[:len(open)-1]; len(open) == 0 {
				return i + 1
			}
		}
		i += width
	}
	return -1
}

// unclosed reports a quote or group that is never closed, and gives up. What
// stands around it is then not closed either, and is not worth a report.
func (l *lexer) unclosed(open int, message string) {
	if l.failed {
		return
	}
	l.failed = true
	l.diags.Error(diag.CodeUnterminatedQuote, diag.Span{Start: int32(open), End: int32(min(open+1, len(l.src)))}, message, "add what closes it")
	l.pos = len(l.src)
}
