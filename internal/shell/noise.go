package shell

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"uncoil/diag"
)

// What gets into a command by pasting it is understood while the text is
// read, never by rewriting it beforehand, and each piece is reported.

// noise reports a piece of pasted noise.
func (l *posixLexer) noise(start, end int, message, hint string) {
	l.diags.Warn(diag.WarnPastedNoise, diag.Span{Start: int32(start), End: int32(end)}, message, hint)
}

// trimFences leaves out the fences of Markdown around the whole text: three
// backticks on lines of their own, or one backtick on either side.
func (l *posixLexer) trimFences() {
	text := strings.TrimSpace(l.src)
	if !strings.HasPrefix(text, "`") {
		return
	}
	start := strings.IndexByte(l.src, '`')
	end := start + len(text)
	if strings.HasPrefix(text, "```") {
		line := strings.IndexByte(text, '\n')
		closing := strings.LastIndex(text, "```")
		if line < 0 {
			return
		}
		if closing > line {
			end = start + closing
		}
		l.noise(start, start+3, "the text is fenced", "")
		l.i, l.end = start+line+1, end
		return
	}
	if len(text) > 1 && strings.IndexByte(text[1:], '`') == len(text)-2 {
		l.noise(start, start+1, "the text stands between backticks", "")
		l.i, l.end = start+1, end-1
	}
}

// skipPrompt skips "> " before curl, the prompt of a continued line.
func (l *posixLexer) skipPrompt() bool {
	rest := strings.TrimLeft(l.src[l.i+1:l.end], " \t>")
	if !strings.HasPrefix(rest, "curl") {
		return false
	}
	start := l.i
	l.i = l.end - len(rest)
	l.noise(start, start+1, "a prompt stands before the command", "remove it")
	return true
}

// wideBlank returns the length of the blank beyond ASCII that s begins
// with, or 0. Marks without width and byte order marks count.
func wideBlank(s string) int {
	if s[0] != 0xc2 && s[0] != 0xe2 && s[0] != 0xe3 && s[0] != 0xef && s[0] != 0xe1 {
		return 0
	}
	r, n := utf8.DecodeRuneInString(s)
	if r == '\u200b' || r == '\u200c' || r == '\u200d' || r == '\u2060' || r == '\ufeff' || r >= 0x80 && unicode.IsSpace(r) && r != '\u0085' {
		return n
	}
	return 0
}

// curlyQuoted reads an argument between typographic quotes, which a word
// processor has made of straight ones. Inside straight quotes, and inside
// words, typographic quotes are text.
func (l *posixLexer) curlyQuoted() bool {
	rest := l.src[l.i:l.end]
	closing := ""
	switch {
	case rest[0] != 0xe2:
		return false
	case strings.HasPrefix(rest, "“"), strings.HasPrefix(rest, "”"):
		closing = "”"
	case strings.HasPrefix(rest, "‘"), strings.HasPrefix(rest, "’"):
		closing = "’"
	default:
		return false
	}
	open := len(closing)
	n := strings.Index(rest[open:], closing)
	if n < 0 {
		return false
	}
	behind := rest[open+n+len(closing):]
	if behind != "" && strings.IndexByte(" \t\r\n", behind[0]) < 0 {
		return false
	}
	l.add(rest[open : open+n])
	l.diags.Warn(diag.WarnUnicodeQuote, diag.Span{Start: int32(l.i), End: int32(l.i + open)},
		"typographic quotes stand around this argument; the shell would not take them for quotes", "replace them by ' or \"")
	l.i += open + n + len(closing)
	return true
}
