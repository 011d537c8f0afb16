package bash

import (
	"strings"
	"unicode/utf8"

	"uncoil/internal/shell/paste"
)

// singleQuoted reads '…' or $'…', whose opening takes n bytes.
func (c *cleaner) singleQuoted(n int, escapes bool) {
	end := c.i + n
	for end < len(c.src) && c.src[end] != '\'' {
		if escapes && c.src[end] == '\\' {
			end++
		}
		end++
	}
	end = min(end, len(c.src))
	c.plain(n)
	for c.i < end {
		line := end
		if i := strings.IndexByte(c.src[c.i:end], '\n'); i >= 0 {
			line = c.i + i + 1
		}
		for c.i < line {
			c.data(line-c.i, true)
		}
		if line < end && c.paste.Prompted() {
			c.continued()
		}
	}
	c.i = min(max(c.i, end)+1, len(c.src))
}

// quote reads a double quote, which opens a string or closes one.
func (c *cleaner) quote() {
	if c.within() == '"' {
		c.open = c.open[:len(c.open)-1]
	} else {
		c.open = append(c.open, '"')
	}
	c.plain(1)
}

// inQuotes reads a little of the text between double quotes.
func (c *cleaner) inQuotes() {
	rest := c.src[c.i:]
	switch rest[0] {
	case '"':
		c.quote()
	case '$':
		c.dollar(rest)
	case '`':
		c.lost = true
	case '\\':
		c.i++
		switch {
		case strings.HasPrefix(rest[1:], "\n"), strings.HasPrefix(rest[1:], "\r\n"):
			c.i += strings.IndexByte(rest, '\n')
			if c.paste.Prompted() {
				c.continued()
			}
		case len(rest) > 1:
			c.data(1, true)
		}
	case '\n':
		c.i++
		if c.paste.Prompted() {
			c.continued()
		}
	default:
		n := strings.IndexAny(rest, "\"$`\\\n")
		if n < 0 {
			n = len(rest)
		}
		c.data(n, true)
	}
}

// dollar reads what a dollar begins.
func (c *cleaner) dollar(rest string) {
	quoted := c.within() == '"' || c.within() == 'B'
	switch {
	case !quoted && strings.HasPrefix(rest, "$'"):
		c.singleQuoted(2, true)
	case !quoted && strings.HasPrefix(rest, `$"`):
		c.plain(1)
		c.quote()
	case strings.HasPrefix(rest, "$(("), strings.HasPrefix(rest, "$["):
		c.lost = true
	case strings.HasPrefix(rest, "$("):
		c.weigh(rest[1:])
		c.open = append(c.open, '$')
		c.i += 2
		c.atCommand, c.atWord = true, true
	case strings.HasPrefix(rest, "${"):
		c.weigh(rest)
		kind := byte('{')
		if quoted {
			kind = 'B'
		}
		c.open = append(c.open, kind)
		n := 2
		for n < len(rest) && (rest[n] == '#' && n == 2 || rest[n] == '_' || isAlphanumeric(rest[n])) {
			n++
		}
		c.plain(n)
		c.lost = strings.HasPrefix(rest[n:], "[") // a subscript is arithmetic
	case len(rest) > 1 && strings.IndexByte("$@*#?!-0123456789", rest[1]) >= 0:
		c.plain(2)
	default:
		c.plain(1)
	}
}

// inBraces reads a little of what stands between ${ and its brace.
func (c *cleaner) inBraces() {
	rest := c.src[c.i:]
	switch rest[0] {
	case '}':
		c.open = c.open[:len(c.open)-1]
		c.plain(1)
	case '"':
		c.quote()
	case '\'':
		if c.within() == 'B' {
			c.lost = true // the shell and the parser differ about it
			return
		}
		c.singleQuoted(1, false)
	case '$':
		c.dollar(rest)
	case '`':
		c.lost = true
	case '\\':
		c.i++
		if c.i < len(c.src) {
			c.data(1, true)
		}
	case ':':
		// What follows is arithmetic, unless an operator does.
		c.lost = len(rest) < 2 || strings.IndexByte("-+=?", rest[1]) < 0 && !isAlphanumeric(rest[1])
		c.plain(1)
	default:
		c.data(1, true)
	}
}

func isAlphanumeric(b byte) bool {
	return '0' <= b && b <= '9' || 'a' <= b|0x20 && b|0x20 <= 'z'
}

// backslash reads a backslash outside quotes. Between words it may join two
// lines with blanks before the line break, or end the text.
func (c *cleaner) backslash() {
	rest := c.src[c.i+1:]
	trimmed := strings.TrimLeft(rest, " \t\r")
	blanks := len(rest) - len(trimmed)
	at := c.base + c.i
	switch {
	case strings.HasPrefix(rest, "\n"), strings.HasPrefix(rest, "\r\n"):
		c.i += 1 + strings.IndexByte(rest, '\n') + 1
		c.continued()
	case rest == "" || trimmed == "" && c.atWord:
		c.paste.Warn(at, at+1, "a backslash ends the text", "remove it")
		c.replace(1+len(rest), "")
	case c.atWord && strings.HasPrefix(trimmed, "\n"):
		c.paste.Warn(at, at+1, "blanks follow the backslash at the end of the line", "remove the blanks: the shell would not join the lines")
		c.replace(1+blanks+1, "\\\n")
		c.continued()
	default:
		c.plain(1)
		if rest[0] >= ' ' && rest[0] < utf8.RuneSelf {
			c.i++
		} else {
			c.data(1, true)
		}
	}
}

// input reads a redirection that reads: <, <<<, <( or a here-document.
func (c *cleaner) input(rest string) {
	switch {
	case strings.HasPrefix(rest, "<<<"):
		c.redirection(3)
	case strings.HasPrefix(rest, "<<"):
		c.redirection(2)
		c.delimiter()
	case strings.HasPrefix(rest, "<("):
		c.weigh(rest[1:])
		c.open = append(c.open, '$')
		c.i += 2
		c.atCommand = true
	case strings.HasPrefix(rest, "<&"), strings.HasPrefix(rest, "<>"):
		c.redirection(2)
	default:
		c.redirection(1)
	}
	c.atWord = true
}

// delimiter reads the delimiter of a here-document, if it is plain.
func (c *cleaner) delimiter() {
	d := document{}
	if strings.HasPrefix(c.src[c.i:], "-") {
		d.tabs = true
		c.i++
	}
	for c.i < len(c.src) && (c.src[c.i] == ' ' || c.src[c.i] == '\t') {
		c.i++
	}
	word := c.src[c.i:]
	if i := strings.IndexAny(word, " \t\r\n;&|<>()"); i >= 0 {
		word = word[:i]
	}
	d.delimiter = word
	if n := len(word); n > 1 && (word[0] == '\'' || word[0] == '"') && word[n-1] == word[0] {
		d.delimiter, d.quoted = word[1:n-1], true
	} else if n > 1 && word[0] == '\\' {
		d.delimiter, d.quoted = word[1:], true
	}
	for i := range len(d.delimiter) {
		if b := d.delimiter[i]; b != '_' && b != '-' && b != '.' && !isAlphanumeric(b) {
			c.lost = true
		}
	}
	if d.delimiter == "" {
		c.lost = true
	}
	if c.lost {
		return // the quotes of the delimiter are read as any other
	}
	if d.standIn = c.standIn(d); d.standIn != "" {
		c.replace(len(word), d.standIn)
		c.plain(0)
	} else {
		c.plain(len(word))
	}
	c.documents = append(c.documents, d)
}

// standIn returns a name to put in the place of a delimiter that the parser
// would find too early.
func (c *cleaner) standIn(d document) string {
	if d.quoted || len(c.documents) > 0 {
		return ""
	}
	_, lines, _ := strings.Cut(c.src[c.i:], "\n")
	text, rest, early := "", lines, false
	for rest != "" {
		line, after, _ := strings.Cut(rest, "\n")
		if d.endsAt(line, true) {
			text = lines[:len(lines)-len(rest)]
			break
		}
		early = early || d.seemsToEndAt(line)
		rest = after
	}
	if !early {
		return ""
	}
	const tries = 8
	for name, i := d.delimiter+"_", 0; i < tries; i++ {
		if !strings.Contains(text, name) {
			return name
		}
		name += "_"
	}
	return ""
}

// parenthesis reads an opening parenthesis.
func (c *cleaner) parenthesis(rest string) {
	list := c.i > 0 && c.src[c.i-1] == '=' && !c.atWord
	if strings.HasPrefix(rest, "((") || c.i > 0 && !list && strings.IndexByte("@?*+!", c.src[c.i-1]) >= 0 {
		c.lost = true // arithmetic, a pattern
		return
	}
	c.weigh(rest)
	c.open = append(c.open, '(')
	c.i++
	c.atCommand, c.atWord = !list, true
}

// closeParenthesis reads a closing parenthesis. What follows a subshell is a
// new word, and what follows a substitution is not.
func (c *cleaner) closeParenthesis() {
	kind := c.within()
	if kind != '(' && kind != '$' {
		c.lost = true // a pattern of case, or an error
		return
	}
	c.open = c.open[:len(c.open)-1]
	c.plain(1)
	c.atWord = kind == '('
}

// word reads some of a word that is not quoted.
func (c *cleaner) word(rest string) {
	if c.atWord {
		if text, n := c.paste.Curly(c.base+c.i, c.base+len(c.src)); n > 0 {
			c.replace(n, quoteText(text))
			c.plain(0)
			return
		}
		if c.keyword(rest) {
			return
		}
	}
	if rest[0] < utf8.RuneSelf {
		if rest[0] < ' ' {
			c.data(1, true)
			c.plain(0)
			return
		}
		n := 1
		for n < len(rest) && isAlphanumeric(rest[n]) {
			n++
		}
		c.plain(n)
		return
	}
	if n := paste.WideBlank(rest); n > 0 {
		at := c.base + c.i
		c.paste.Warn(at, at+n, "a blank that is no ASCII space stands between words", "the shell would not take it for a blank: replace it by a space")
		c.replace(n, " ")
		c.atWord = true
		return
	}
	c.data(1, true)
	c.plain(0)
}

// keyword reads a word that the shell may know as its own, and keeps count
// of the compound commands that are open.
func (c *cleaner) keyword(rest string) bool {
	word := leadingWord(rest)
	if word == "" || !isKeyword(word) {
		return false
	}
	c.weigh(rest)
	if !c.atCommand {
		return false
	}
	switch word {
	case "if", "while", "until", "for", "select", "{":
		c.blocks++
	case "fi", "done", "}":
		c.blocks = max(c.blocks-1, 0)
	case "case", "[[", "let", "function", "coproc":
		c.lost = true
		return true
	}
	c.i += len(word)
	c.atWord, c.joins = false, false
	switch word {
	case "for", "select", "fi", "done", "}":
		c.atCommand = false
	}
	return true
}

// leadingWord returns the plain word that s begins with, if blanks or an
// operator end it.
func leadingWord(s string) string {
	const longest = len("function")
	n := 0
	for n < len(s) && n <= longest && strings.IndexByte(" \t\r\n;&|<>()\\", s[n]) < 0 {
		n++
	}
	if n > longest {
		return ""
	}
	return s[:n]
}

func isKeyword(word string) bool {
	switch word {
	case "if", "then", "elif", "else", "fi", "while", "until", "for", "select", "do", "done", "case", "time", "!", "{", "}",
		"[[", "let", "function", "coproc":
		return true
	}
	return false
}

// weigh counts what s begins with, if the parser could call itself for it.
func (c *cleaner) weigh(s string) {
	switch s[0] {
	case '(', '`':
		c.weight++
	case '$':
		if strings.HasPrefix(s, "${") || strings.HasPrefix(s, "$[") {
			c.weight++
		}
	case '!', '~', '+', '-', '=', '*', '?', '[':
		// In arithmetic each of them takes a little of the stack.
		if c.signs++; c.signs%16 == 0 {
			c.weight++
		}
	case '{', 'i', 'e', 'w', 'u', 'f', 's', 'c', 't', 'l':
		switch leadingWord(s) {
		case "if", "elif", "else", "while", "until", "for", "select", "case", "time", "{", "let", "function", "coproc":
			c.weight++
		}
	}
}
