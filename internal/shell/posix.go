package shell

import (
	"slices"
	"strings"
	"unicode/utf8"

	"uncoil/diag"
	"uncoil/internal/meter"
	"uncoil/internal/shell/paste"
)

// readPOSIX reads the plain shapes of sh and bash: words with any quoting,
// line continuations, comments, commands on lines of their own or joined by
// operators, redirections of output, and what gets into a text by pasting (see
// noise.go). Unknown variables become holes.
//
// It declines what needs the whole grammar of the shell: redirections of
// input and pipes from what is known to print, expansions with operators,
// command substitutions, brace expansion, variables whose value env knows.
func readPOSIX(src string, env map[string]string) *posixLexer {
	l := &posixLexer{src: src, env: env, free: make([]Word, 0, min(2+len(src)/24, 64))}
	l.paste, l.start, l.end = paste.New(src, meter.New(len(src), meter.Limits{}, nil), &l.diags)
	l.i = l.start
	for !l.declined && !l.failed {
		if more := l.command(); !more {
			break
		}
	}
	return l
}

// posixLexer goes over the bytes of the text once.
type posixLexer struct {
	src      string
	i, end   int // the text that is left is src[i:end]
	start    int // where the text began
	paste    paste.Origin
	env      map[string]string
	commands []Command
	joint    joint // of the command to come
	diags    diag.List
	declined bool
	failed   bool

	text   Text // of the word being read
	holes  []Hole
	words  int    // read so far
	free   []Word // room for the words to come
	braced int    // up to here there is nothing that a brace could expand
}

// command reads up to the end of a command; more is false at the end of the
// text.
func (l *posixLexer) command() (more bool) {
	if !l.joint.inside && l.i < l.end {
		l.i = l.paste.Skip(l.i, l.end)
	}
	args, ok := l.arguments(l.free)
	if !ok {
		return false
	}
	l.free = args[len(args):]
	args = args[:len(args):len(args)]
	switch {
	case len(args) > 0 && needsGrammar(args), len(args) == 0 && l.joint.must:
		return l.decline()
	case len(args) > 0:
		span := diag.Span{Start: args[0].Span.Start, End: args[len(args)-1].Span.End}
		if n := len(l.commands); n == cap(l.commands) {
			l.commands = slices.Grow(l.commands, l.expected(n))
		}
		l.commands = append(l.commands, Command{Args: args, Stdin: l.joint.stdin, Span: span})
	}
	l.joint = joint{}
	if l.i >= l.end {
		return false
	}
	if l.src[l.i] == '\n' {
		l.i++
		return true
	}
	return l.operator(args)
}

// arguments reads the words up to a line break, an operator or the end of the
// text, and appends them.
func (l *posixLexer) arguments(args []Word) (_ []Word, ok bool) {
	for {
		l.skipBlanks()
		if l.i >= l.end {
			return args, true
		}
		switch c := l.src[l.i]; {
		case c == '\n' || isOperator(c):
			return args, true
		case c == '#':
			l.i += lineLength(l.src[l.i:l.end])
			continue
		case l.redirectsOutput():
			if !l.redirection() {
				return nil, false
			}
			continue
		}
		w, ok := l.word()
		if !ok {
			return nil, false
		}
		if len(args) == cap(args) {
			args = slices.Grow(args, l.expected(l.words))
		}
		args = append(args, w)
		if l.words++; l.words > MaxWords {
			l.failed = true
			l.diags.Error(diag.CodeTooLarge, w.Span, "the text has more words than are looked at", "send the commands in parts")
			return nil, false
		}
	}
}

// expected returns for how many more words or commands there should be room,
// of which n have been read: for those that the rest of the text holds if it
// goes on as it began, but no more than seven times as many. Append would make
// a long list longer by a quarter, and so copy each element four times.
func (l *posixLexer) expected(n int) int {
	more := int64(n) * int64(l.end-l.i) / int64(max(l.i-l.start, 1))
	return int(max(min(more+more/16, 7*int64(n), MaxWords), int64(n/4), 1))
}

// needsGrammar reports whether a command changes what the words of others
// mean: it assigns to a variable, or is part of a compound command.
func needsGrammar(args []Word) bool {
	switch args[0].Text {
	case "curl":
		return false
	case "export", "declare", "typeset", "local", "readonly", "unset", "read", "let", "printf", "mapfile", "readarray", "getopts",
		"if", "then", "elif", "else", "fi", "for", "select", "while", "until", "do", "done", "case", "esac", "function", "{", "}", "[[", "!", "time", "coproc":
		return true
	}
	for _, w := range args {
		if !paste.IsAssignment(w.Text) {
			return false
		}
	}
	return true
}

// skipBlanks skips blanks, carriage returns, line continuations and the blanks
// of Unicode, which web pages put between words.
func (l *posixLexer) skipBlanks() {
	for l.i < l.end {
		switch c := l.src[l.i]; {
		case c == ' ' || c == '\t' || c == '\r':
			l.i++
		case c == '\\':
			n := l.continuation(true)
			if n == 0 {
				return
			}
			l.i += n
		case c >= 0x80:
			n := paste.WideBlank(l.src[l.i:l.end])
			if n == 0 {
				return
			}
			l.paste.Warn(l.i, l.i+n, "a blank that is no ASCII space stands between words", "the shell would not take it for a blank: replace it by a space")
			l.i += n
		default:
			return
		}
	}
}

// continuation returns the length of the backslash here with the line break
// behind it, or 0. Between words, blanks between the two are forgiven; a
// backslash that ends the text always is.
func (l *posixLexer) continuation(lenient bool) int {
	rest := l.src[l.i+1 : l.end]
	trimmed := strings.TrimLeft(rest, " \t\r")
	switch {
	case strings.HasPrefix(rest, "\n"):
		return 2
	case strings.HasPrefix(rest, "\r\n"):
		return 3
	case rest == "" || lenient && trimmed == "":
		l.paste.Warn(l.i, l.i+1, "a backslash ends the text", "remove it")
		return l.end - l.i
	case lenient && trimmed != "" && trimmed[0] == '\n':
		l.paste.Warn(l.i, l.i+1, "blanks follow the backslash at the end of the line", "remove the blanks: the shell would not join the lines")
		return 2 + len(rest) - len(trimmed)
	}
	return 0
}

// plainByte tells the bytes that stand for themselves outside quotes.
var plainByte = func() (t [256]bool) {
	for c := range 0x80 {
		t[c] = true
	}
	for _, c := range []byte(" \t\r\n\"'\\$`|&;<>(){") {
		t[c] = false
	}
	return t
}()

// word reads one word. ok is false when the lexer declined or failed.
func (l *posixLexer) word() (w Word, ok bool) {
	start := l.i
	l.text.Reset()
	l.holes = nil
	if !l.curlyQuoted() {
		for l.i < l.end {
			if !l.segment() {
				break
			}
		}
	}
	if l.declined || l.failed {
		return w, false
	}
	return Word{Text: l.text.String(), Holes: l.holes, Span: diag.Span{Start: int32(start), End: int32(l.i)}}, true
}

// segment reads the next stretch of a word: plain text, a quoting, a
// variable. It reports whether the word may go on.
func (l *posixLexer) segment() bool {
	start := l.i
	for l.i < l.end && plainByte[l.src[l.i]] {
		l.i++
	}
	if l.i > start {
		l.text.Add(l.src[start:l.i])
		return true
	}
	switch c := l.src[l.i]; c {
	case ' ', '\t', '\r', '\n', '|', '&', ';':
		return false
	case '\'':
		return l.singleQuoted()
	case '"':
		return l.doubleQuoted()
	case '\\':
		return l.escape()
	case '$':
		return l.dollar(false)
	case '{':
		if l.expandsBraces() {
			return l.decline()
		}
		l.text.Add("{")
		l.i++
		return true
	case '`', '<', '>', '(', ')':
		return l.decline()
	}
	if paste.WideBlank(l.src[l.i:l.end]) > 0 {
		return false
	}
	_, n := utf8.DecodeRuneInString(l.src[l.i:l.end])
	l.text.Add(l.src[l.i : l.i+n])
	l.i += n
	return true
}

func (l *posixLexer) decline() bool {
	l.declined = true
	return false
}

func (l *posixLexer) singleQuoted() bool {
	n := strings.IndexByte(l.src[l.i+1:l.end], '\'')
	if n < 0 {
		return l.unterminated(l.i, "single")
	}
	if l.paste.Prompted() && holdsPrompt(l.src[l.i+1:l.i+1+n]) {
		return l.decline()
	}
	l.text.Add(l.src[l.i+1 : l.i+1+n])
	l.i += n + 2
	return true
}

// holdsPrompt reports whether a line in a text could begin with the prompt of
// a continued line.
func holdsPrompt(s string) bool {
	for {
		i := strings.IndexByte(s, '\n')
		if i < 0 {
			return false
		}
		if s = strings.TrimLeft(s[i+1:], " \t"); s != "" && s[0] == '>' {
			return true
		}
	}
}

func (l *posixLexer) unterminated(at int, kind string) bool {
	l.failed = true
	l.diags.Error(diag.CodeUnterminatedQuote, diag.Span{Start: int32(at), End: int32(at) + 1},
		"the "+kind+" quote that opens here is never closed", "add the closing quote")
	return false
}

// doubleQuoted reads "…": a backslash escapes $, `, ", itself and a line
// break, and variables are recognized.
func (l *posixLexer) doubleQuoted() bool {
	open := l.i
	l.i++
	for l.i < l.end {
		n := strings.IndexAny(l.src[l.i:l.end], "\"\\$`")
		if n < 0 {
			break
		}
		if n > 0 {
			if l.paste.Prompted() && holdsPrompt(l.src[l.i:l.i+n]) {
				return l.decline()
			}
			l.text.Add(l.src[l.i : l.i+n])
			l.i += n
		}
		switch l.src[l.i] {
		case '"':
			l.i++
			return true
		case '`':
			return l.decline()
		case '$':
			if !l.dollar(true) {
				return false
			}
		case '\\':
			if !l.escapeInQuotes() {
				return false
			}
		}
	}
	return l.unterminated(open, "double")
}

// escapeInQuotes reads a backslash in double quotes. It declines where a
// prompt may begin the line that it joins.
func (l *posixLexer) escapeInQuotes() bool {
	if l.i+1 >= l.end {
		l.text.Add("\\")
		l.i++
		return true
	}
	if l.paste.Prompted() && newline(l.src[l.i+1:l.end]) > 0 {
		return l.decline()
	}
	switch c := l.src[l.i+1]; c {
	case '\n':
	case '"', '\\', '$', '`':
		l.text.Add(l.src[l.i+1 : l.i+2])
	case '\r':
		if l.i+2 < l.end && l.src[l.i+2] == '\n' {
			l.i++
			break
		}
		fallthrough
	default:
		l.text.Add(l.src[l.i : l.i+2])
	}
	l.i += 2
	return true
}

// escape reads a backslash outside quotes.
func (l *posixLexer) escape() bool {
	if n := l.continuation(false); n > 0 {
		l.i += n
		return true
	}
	_, n := utf8.DecodeRuneInString(l.src[l.i+1 : l.end])
	l.text.Add(l.src[l.i+1 : l.i+1+n])
	l.i += 1 + n
	return true
}

// dollar reads $'…', $"…", or a variable.
func (l *posixLexer) dollar(quoted bool) bool {
	rest := l.src[l.i+1 : l.end]
	if rest == "" {
		l.text.Add("$")
		l.i++
		return true
	}
	if !quoted && rest[0] == '\'' {
		return l.ansiQuoted()
	}
	if !quoted && rest[0] == '"' {
		l.i++ // $"…" is translated text, and there is no translation
		return l.doubleQuoted()
	}
	n := variableLength(rest)
	if n >= 0 && rest[0] != '{' && n < len(rest) && rest[n] == '\\' && newline(rest[n+1:]) > 0 {
		return l.decline() // the name may go on in the next line
	}
	switch {
	case rest[0] == '(' || rest[0] == '[' || n < 0:
		return l.decline()
	case n == 0:
		l.text.Add("$")
		l.i++
		return true
	}
	name := strings.Trim(rest[:n], "{}")
	if _, known := l.env[name]; known {
		return l.decline()
	}
	expr := l.src[l.i : l.i+1+n]
	start := l.text.Len()
	l.text.Add(expr)
	l.holes = append(l.holes, Hole{Start: int32(start), End: int32(start + len(expr)), Expr: expr})
	l.i += 1 + n
	return true
}

// variableLength returns the length of the variable that follows a dollar:
// NAME, {NAME}, or a special parameter. It is 0 where the dollar is just a
// dollar, and -1 for an expansion with an operator.
func variableLength(s string) int {
	if s[0] == '{' {
		n := nameLength(s[1:])
		if n > 0 && 1+n < len(s) && s[1+n] == '}' {
			return n + 2
		}
		return -1
	}
	if n := nameLength(s); n > 0 {
		return n
	}
	if strings.IndexByte("0123456789@*#?$!-", s[0]) >= 0 {
		return 1
	}
	return 0
}

// nameLength returns the length of the variable name that s begins with.
func nameLength(s string) int {
	n := 0
	for n < len(s) && (s[n] == '_' || s[n]|0x20 >= 'a' && s[n]|0x20 <= 'z' || n > 0 && s[n] >= '0' && s[n] <= '9') {
		n++
	}
	return n
}

// expandsBraces reports whether the brace here may begin {a,b} or {1..3}, of
// which bash makes several words. A brace within that was looked at before is
// not looked at again.
func (l *posixLexer) expandsBraces() bool {
	for i := max(l.i+1, l.braced); i < l.end; i++ {
		switch c := l.src[i]; c {
		case ',', '\'', '"', '\\', '$':
			return true // quotes may hide the comma, or the end of the word
		case '.':
			if i+1 < l.end && l.src[i+1] == '.' {
				return true
			}
		case ' ', '\t', '\n', '\r':
			l.braced = i
			return false
		}
	}
	l.braced = l.end
	return false
}

// ansiQuoted reads $'…'.
func (l *posixLexer) ansiQuoted() bool {
	open := l.i
	for i := l.i + 2; i < l.end; i++ {
		switch l.src[i] {
		case '\\':
			i++
		case '\'':
			l.text.Add(DecodeANSI(l.src[l.i+2 : i]))
			l.i = i + 1
			return true
		}
	}
	return l.unterminated(open, "$'")
}
