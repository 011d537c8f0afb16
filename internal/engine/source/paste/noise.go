package paste

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"uncoil/diag"
)

// What gets into a command by pasting it is understood while the text is
// read, never by rewriting it beforehand, and each piece is reported.

// WideBlank returns the length of the blank beyond ASCII that s begins
// with, or 0. Marks without width and byte order marks count.
func WideBlank(s string) int {
	if s[0] != 0xc2 && s[0] != 0xe2 && s[0] != 0xe3 && s[0] != 0xef && s[0] != 0xe1 {
		return 0
	}
	r, n := utf8.DecodeRuneInString(s)
	if r == '\u200b' || r == '\u200c' || r == '\u200d' || r == '\u2060' || r == '\ufeff' || r >= 0x80 && unicode.IsSpace(r) && r != '\u0085' {
		return n
	}
	return 0
}

// Curly returns the argument that stands between typographic quotes at an
// offset, and how long it is with them; n is 0 where there is none. A word
// processor has made them of straight ones. Inside straight quotes, and
// inside words, typographic quotes are text.
func (o *Origin) Curly(at, end int) (text string, n int) {
	const quotes = "“”‘’"
	rest := o.src[at:end]
	if rest == "" || rest[0] != quotes[0] {
		return "", 0
	}
	r, open := utf8.DecodeRuneInString(rest)
	kind := strings.IndexRune(quotes, r) / open
	if kind < 0 || !strings.ContainsRune(quotes, r) {
		return "", 0
	}
	closing := quotes[open:][:open]
	if kind > 1 {
		closing = quotes[3*open:]
	}
	// Where the next closing quote is has often been looked for already.
	known := &o.closing[kind/2]
	if *known < at+open {
		*known = end
		if !o.meter.Work((end - at) / 8) {
			return "", 0
		}
		if i := strings.Index(rest[open:], closing); i >= 0 {
			*known = at + open + i
		}
	}
	behind := *known + len(closing)
	if behind > end || behind < end && strings.IndexByte(" \t\r\n", o.src[behind]) < 0 {
		return "", 0
	}
	if o.warned++; o.warned <= MaxWarnings {
		o.diags.Warn(diag.WarnUnicodeQuote, diag.Span{Start: int32(at), End: int32(at + open)},
			"typographic quotes stand around this argument; the shell would not take them for quotes", "replace them with ' or \"")
	}
	return o.src[at+open : *known], behind - at
}
