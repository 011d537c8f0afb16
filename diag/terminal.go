package diag

import (
	"unicode"
	"unicode/utf8"
)

// AppendPrintable appends s as one line that is safe on a terminal. Tab, line
// feed and carriage return become a space. What could move the cursor, send a
// command to the terminal or show other text in another order becomes U+FFFD:
// the other control characters of ASCII and Latin-1 (C0, DEL, C1), U+2028 and
// U+2029, the format characters of Unicode, which among them hold the
// bidirectional controls, and each byte that is not UTF-8. Each character
// becomes exactly one character, so that columns stay what they were.
//
// Every text that comes from a command, a file or a client passes this
// function or [AppendPrintableLines] on its way to a terminal.
func AppendPrintable(dst []byte, s string) []byte { return appendPrintable(dst, s, false) }

// AppendPrintableLines is [AppendPrintable] for text of several lines: line
// feeds and tabs stay, and so does a carriage return before a line feed.
func AppendPrintableLines(dst []byte, s string) []byte { return appendPrintable(dst, s, true) }

func appendPrintable(dst []byte, s string, lines bool) []byte {
	for i := 0; i < len(s); {
		start := i
		for i < len(s) && ' ' <= s[i] && s[i] < 0x7f {
			i++
		}
		dst = append(dst, s[start:i]...)
		if i == len(s) {
			break
		}
		r, width := utf8.DecodeRuneInString(s[i:])
		stays := lines && (r == '\n' || r == '\t' || r == '\r' && i+1 < len(s) && s[i+1] == '\n')
		i += width
		switch {
		case stays:
		case r == '\n' || r == '\t' || r == '\r':
			r = ' '
		case isUnsafe(r):
			r = utf8.RuneError
		}
		dst = utf8.AppendRune(dst, r)
	}
	return dst
}

// isUnsafe reports whether r must not reach a terminal. The two joiners are
// format characters too; languages and emoji need them, and they are harmless.
func isUnsafe(r rune) bool {
	const nonJoiner, joiner = '\u200c', '\u200d'
	if r == nonJoiner || r == joiner {
		return false
	}
	return r < ' ' || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}
