package extract

import (
	"strings"

	"uncoil/internal/engine/ascii"
)

// An opening is the command of a shell that a text ends in.
type opening struct {
	start   int  // where its words start
	outside int  // where those of the command start that has the open quote
	after   byte // the operator before them, or 0
	quote   byte // the quote that is open around them, or 0
	ticked  bool // backquotes are open around them
	nowhere bool // they stand in a comment, or too deep
}

// A level is a command that a substitution within it interrupts.
type level struct {
	opening
	end    byte // what ends it: ), a backquote or, for the outermost, nothing
	quoted int  // where the quote opens
}

// openCommand returns the command that a text ends in. It knows quotes, substitutions and
// the operators, which is enough to say whether a word is the first of a command.
func openCommand(text string) opening {
	const deepest = 16
	var outer []level
	cur := level{}
	if !strings.HasPrefix(text, "--") {
		cur.start = len(text) - len(strings.TrimLeft(text, "-@+")) // of a Makefile
	}
	dollar := -1 // where the last $ stands that no backslash escapes
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case cur.quote == '\'':
			if c == '\'' {
				cur.quote = 0
			}
		case c == '\\':
			i++
		case c == '$' && strings.HasPrefix(text[i:], "${"):
			i += max(strings.IndexByte(text[i:], '}'), 1)
		case c == '$':
			dollar = i
		case c == cur.end && cur.end != 0 && cur.quote == 0:
			cur, outer = outer[len(outer)-1], outer[:len(outer)-1]
		case c == '`' || c == '(' && (cur.quote == 0 || i > 0 && dollar == i-1):
			if len(outer) == deepest {
				return opening{nowhere: true}
			}
			outer = append(outer, cur)
			cur = level{opening: opening{start: i + 1, after: c, ticked: cur.ticked || c == '`'}, end: c}
			if c == '(' {
				cur.end = ')'
			}
		case c == '"' || c == '\'' && cur.quote == 0:
			if cur.quote = c - cur.quote; cur.quote != 0 {
				cur.quoted = i + 1
			}
		case cur.quote != 0:
		case strings.IndexByte("|;&)", c) >= 0:
			cur.start, cur.after = i+1, c
		default:
			if c == '#' && i > 0 && ascii.IsBlank(text[i-1]) {
				return opening{nowhere: true}
			}
			if opensGroup(text, cur.start, i) {
				cur.start, cur.after = i+1, c
			}
		}
	}
	if cur.quote == 0 {
		return cur.opening
	}
	inner := openCommand(text[cur.quoted:])
	inner.start += cur.quoted
	if after := strings.TrimLeft(text[cur.quoted:], " \t"); after != "" && strings.IndexByte("|;&", after[0]) >= 0 {
		return inner // the quote was opened in a line before
	}
	inner.quote, inner.outside = cur.quote, cur.start
	return inner
}

// opensGroup reports whether a byte is { or !, before the first word of a command.
func opensGroup(text string, start, i int) bool {
	return (text[i] == '{' || text[i] == '!') && (strings.TrimSpace(text[start:i]) == "" || ascii.IsBlank(text[i-1])) &&
		(i+1 == len(text) || ascii.IsBlank(text[i+1]))
}
