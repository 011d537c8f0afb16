package paste

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
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

// CodePoint returns how Unicode names the character that a text begins with: U+200B.
func CodePoint(text string) string {
	r, _ := utf8.DecodeRuneInString(text)
	hex := strings.ToUpper(strconv.FormatInt(int64(r), 16))
	return "U+" + "0000"[:max(0, 4-len(hex))] + hex
}

// The typographic quotes that a word processor makes of straight ones, in
// pairs: double, then single.
var curlyQuotes = [2][2]string{{"“", "”"}, {"‘", "’"}}

// curlySize is the length of each of them.
const curlySize = len("“")

// OpensCurly returns which typographic quote opens at the start of s: 0 for a
// double one, 1 for a single one, and -1 for none.
func OpensCurly(s string) int {
	for kind := range curlyQuotes {
		if strings.HasPrefix(s, curlyQuotes[kind][0]) {
			return kind
		}
	}
	return -1
}

// A CurlyPair is a pair of typographic quotes, and what it encloses.
type CurlyPair struct {
	Start, End int  // of the pair
	Double     bool // and not single
	Spans      bool // a blank stands between them, or nothing else is in the word
}

// Inner returns what the pair encloses.
func (p CurlyPair) Inner(src string) string { return src[p.Start+curlySize : p.End-curlySize] }

// Curly returns the pair of typographic quotes that opens at an offset of the
// word that begins at an offset; ok is false where it is not closed before end.
// The next closing quote closes it. Where text follows that without a blank, the
// first one that ends a word does so for JSON, whose quotes have become
// typographic too, and after an apostrophe.
func (o *Origin) Curly(word, at, end int) (p CurlyPair, ok bool) {
	kind := OpensCurly(o.src[at:end])
	if kind < 0 {
		return p, false
	}
	inner := at + curlySize
	closing := o.closingQuote(kind, inner, end, false)
	if closing < 0 {
		return p, false
	}
	if !o.endsAfter(closing, end) {
		json := inner < end && (o.src[inner] == '{' || o.src[inner] == '[')
		apostrophe := kind == 1 && closing > inner && ascii.IsLetter(o.src[closing-1]) && closing+curlySize < end && ascii.IsLetter(o.src[closing+curlySize])
		if json || apostrophe {
			if last := o.closingQuote(kind, closing, end, true); last >= 0 {
				closing = last
			}
		}
	}
	p = CurlyPair{Start: at, End: closing + curlySize, Double: kind == 0}
	if o.blank < at {
		o.blank = end
		if i := strings.IndexAny(o.src[at:end], " \t\n"); i >= 0 {
			o.blank = at + i
		}
		if !o.meter.Work((o.blank - at) / 8) {
			return p, false
		}
	}
	p.Spans = o.blank < closing || at == word && o.endsAfter(closing, end)
	return p, true
}

// oddQuotes are pairs of typographic quotes in which both have one shape, or the first one
// is that of another language.
var oddQuotes = [...][2]string{{"“", "“"}, {"„", "“"}, {"„", "”"}, {"”", "”"}, {"‘", "‘"}, {"’", "’"}, {"‚", "‘"}}

// OddQuote reports whether such a quote may open at the start of s.
func OddQuote(s string) bool {
	return strings.HasPrefix(s, "\xe2\x80") && len(s) >= curlySize && s[2] >= 0x98 && s[2] <= 0x9e // ‘ to „
}

// Odd returns the pair of quotes of one shape that opens at an offset, where a word begins.
// They are quotes only where the shell would cut the word at a blank, and where a later
// word ends with the second one: in text=“hello”, O’Brien and 5” disk they are text.
func (o *Origin) Odd(at, end int) (p CurlyPair, ok bool) {
	inner := at + curlySize
	best := -1
	for kind, pair := range oddQuotes {
		if !strings.HasPrefix(o.src[at:end], pair[0]) || o.noOdd[kind] > 0 && inner >= o.noOdd[kind] {
			continue
		}
		closing := -1
		for from := inner; from < end; {
			i := strings.Index(o.src[from:end], pair[1])
			if !o.meter.Work(max(i, 0)/8 + 4) {
				return p, false
			}
			if i < 0 {
				break
			}
			if i += from; o.src[i-1] != '\\' && o.endsAfter(i, end) {
				closing = i
				break
			}
			from = i + curlySize
		}
		if closing < 0 {
			o.meter.Work((end - inner) / 8)
			o.noOdd[kind] = inner // nor from any place after it
		} else if best < 0 || closing < best {
			best, p.Double = closing, strings.IndexAny(pair[0], "“”„") == 0
		}
	}
	if best < 0 || !strings.ContainsAny(o.src[inner:best], " \t\n") {
		return p, false
	}
	if kind := OpensCurly(o.src[at:end]); kind >= 0 {
		if usual := o.closingQuote(kind, inner, end, false); usual >= 0 && usual < best && o.endsAfter(usual, end) {
			return p, false
		}
	}
	p.Start, p.End, p.Spans = at, best+curlySize, true
	return p, true
}

// endsAfter reports whether the word ends after a closing quote.
func (o *Origin) endsAfter(closing, end int) bool {
	behind := closing + curlySize
	return behind >= end || strings.IndexByte(" \t\r\n;&|)", o.src[behind]) >= 0
}

// closingQuote returns where the next closing quote of a kind stands, from an
// offset on, or -1. One after a backslash closes nothing. With last, it is one
// with which a word ends. What was found is kept.
func (o *Origin) closingQuote(kind, from, end int, last bool) int {
	known := &o.closing[kind]
	if last {
		known = &o.lastClosing[kind]
	}
	if *known < from {
		quote := curlyQuotes[kind][1]
		at := from
		for *known = end; at < end; {
			i := strings.Index(o.src[at:end], quote)
			if i < 0 {
				break
			}
			if at += i; (at == from || o.src[at-1] != '\\') && (!last || o.endsAfter(at, end)) {
				*known = at
				break
			}
			at += curlySize
		}
		if !o.meter.Work((*known-from)/8 + 1) {
			return -1
		}
	}
	if *known >= end {
		return -1
	}
	return *known
}

// WarnCurly reports a word with typographic quotes. fix is what to write for it,
// or "".
func (o *Origin) WarnCurly(at int, word diag.Span, fix string) {
	if o.warned++; o.warned > MaxWarnings {
		return
	}
	o.diags.Warn(diag.WarnUnicodeQuote, diag.Span{Start: int32(at), End: int32(at + curlySize)},
		"typographic quotes stand around this argument; the shell would not take them for quotes", "replace them with ' or \"")
	if fix != "" {
		(*o.diags)[len(*o.diags)-1].Fix = &diag.Fix{Span: word, Text: fix}
	}
}

// StraightQuoted returns a text in straight quotes, or "" where it needs more
// than those.
func StraightQuoted(text string) string {
	switch {
	case strings.IndexByte(text, '\'') < 0:
		return "'" + text + "'"
	case !strings.ContainsAny(text, "\"$`\\!"):
		return `"` + text + `"`
	}
	return ""
}

// Straightened returns what stands between typographic quotes with the quotes
// in it made straight: those after a backslash, and those of JSON, which has no
// others then.
func Straightened(s string) string {
	if strings.Contains(s, `\“`) || strings.Contains(s, `\”`) {
		s = strings.NewReplacer(`\“`, `"`, `\”`, `"`, `\"`, `"`).Replace(s)
	}
	if s != "" && (s[0] == '{' || s[0] == '[') && strings.IndexByte(s, '"') < 0 {
		s = strings.NewReplacer("“", `"`, "”", `"`).Replace(s)
	}
	return s
}
