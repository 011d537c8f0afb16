package emit

import (
	"math/bits"
	"strconv"
	"strings"
	"unicode/utf8"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/source/quote"
)

// DoubleQuoted returns a string literal in the double quotes of PHP and Ruby,
// in which the sigils would begin an interpolation.
func DoubleQuoted(s, sigils string) string {
	return Quoted(s, sigils, HexEscape)
}

// HexEscape appends \x and two digits for each byte.
func HexEscape(b []byte, s string) []byte {
	for i := range len(s) {
		b = append(b, '\\', 'x', HexDigits[s[i]>>4], HexDigits[s[i]&15])
	}
	return b
}

// LineEscape returns the letter that, after a backslash, stands for a line feed,
// a carriage return or a tab in nearly all languages; 0 for other characters.
func LineEscape[T byte | rune](c T) byte {
	switch c {
	case '\n':
		return 'n'
	case '\r':
		return 'r'
	case '\t':
		return 't'
	}
	return 0
}

// EscapeTurns returns a text with the characters that turn it escaped.
func EscapeTurns(s string, escape func(b []byte, r rune) []byte) string {
	if !strings.ContainsFunc(s, quote.Turns) {
		return s
	}
	var b []byte
	for _, r := range s {
		if quote.Turns(r) {
			b = escape(b, r)
		} else {
			b = utf8.AppendRune(b, r)
		}
	}
	return string(b)
}

// Quoted returns a string literal in double quotes, in which the sigils would
// begin an interpolation. odd appends the escape of a control character, of one that
// turns the text, or of a byte that is not UTF-8.
func Quoted(s, sigils string, odd func(b []byte, s string) []byte) string {
	if StandsForItself(s, '"', sigils) {
		return `"` + s + `"`
	}
	return string(AppendQuoted(make([]byte, 0, len(s)+8), s, sigils, odd))
}

// AppendQuoted appends what quoted returns.
func AppendQuoted(b []byte, s, sigils string, odd func(b []byte, s string) []byte) []byte {
	b = append(b, '"')
	for i := 0; i < len(s); {
		if n := PlainRun(s[i:], '"', sigils); n > 0 {
			b = append(b, s[i:i+n]...)
			i += n
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		switch c := s[i]; {
		case LineEscape(c) != 0:
			b = append(b, '\\', LineEscape(c))
		case c < ' ' || c == 0x7f || r == utf8.RuneError && n == 1 || quote.Turns(r):
			b = odd(b, s[i:i+n])
		case c == '"' || c == '\\' || Contains(sigils, c):
			b = append(b, '\\', c)
		default:
			b = append(b, s[i:i+n]...)
		}
		i += n
	}
	return append(b, '"')
}

// StandsForItself reports whether a text needs no escape in a literal.
func StandsForItself(s string, quote byte, also string) bool {
	return PlainRun(s, quote, also) == len(s)
}

// PlainRun returns how many bytes at the start of a text need no escape in a
// literal: visible ASCII without the quote, backslashes and the characters of
// also.
func PlainRun(s string, quote byte, also string) int {
	if also == "" && len(s) >= 8 {
		return plainEights(s, quote)
	}
	i := 0
	for ; i < len(s); i++ {
		if c := s[i]; c < ' ' || c >= 0x7f || c == quote || c == '\\' || Contains(also, c) {
			return i
		}
	}
	return i
}

// plainEights is plainRun for eight bytes or more, eight bytes at a time.
func plainEights(s string, quote byte) int {
	const backslashes = '\\' * ascii.Ones
	quotes := uint64(quote) * ascii.Ones
	odd := func(x uint64) uint64 {
		return (x | (x + ascii.Ones) | (x - ' '*ascii.Ones) | (x ^ quotes - ascii.Ones) | (x ^ backslashes - ascii.Ones)) & ascii.High
	}
	for i := 0; i <= len(s)-8; i += 8 {
		if found := odd(ascii.Eight(s[i : i+8])); found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
	}
	last := len(s) - 8 // some of these have been looked at
	return last + bits.TrailingZeros64(odd(ascii.Eight(s[last:])))/8
}

// Backslashed returns a text with a backslash before each byte of a set.
func Backslashed(s, set string) string {
	n := 0
	for i := range len(s) {
		if Contains(set, s[i]) {
			n++
		}
	}
	if n == 0 {
		return s
	}
	b := make([]byte, 0, len(s)+n)
	for i := range len(s) {
		if Contains(set, s[i]) {
			b = append(b, '\\')
		}
		b = append(b, s[i])
	}
	return string(b)
}

// ReplaceEach returns s with each mark in turn replaced by one of the texts.
func ReplaceEach(s, mark string, texts []string) string {
	var b strings.Builder
	length := len(s)
	for _, text := range texts {
		length += len(text) - len(mark)
	}
	b.Grow(length)
	for _, text := range texts {
		before, after, _ := strings.Cut(s, mark)
		b.WriteString(before)
		b.WriteString(text)
		s = after
	}
	b.WriteString(s)
	return b.String()
}

// DoublePercent escapes a literal of a printf format.
func DoublePercent(s string) string { return strings.ReplaceAll(s, "%", "%%") }

const HexDigits = "0123456789abcdef"

// UpperHex are the digits of a percent-encoding.
const UpperHex = "0123456789ABCDEF"

// Unescaped reports whether every character of a text stands for itself in quotes that
// may span lines, and its line breaks, if it has any, read better so.
func Unescaped(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' && s[i] != '\n' || s[i] == 0x7f {
			return false
		}
	}
	return utf8.ValidString(s) && !strings.ContainsFunc(s, quote.Turns) && !EscapesBreaks(s)
}

// SpansLines reports whether a literal shows the lines of a text as they are: there are
// several, and no character needs an escape.
func SpansLines(s string) bool { return strings.IndexByte(s, '\n') >= 0 && Unescaped(s) }

// EscapesBreaks reports line breaks in a text that does not read better in lines.
func EscapesBreaks(s string) bool { return strings.IndexByte(s, '\n') >= 0 && !HasLines(s) }

// HasLines reports whether a text reads better in lines: it has three or more, and the
// first is not empty. In others, such as a user name with a line break, the line that
// follows could be taken for code.
func HasLines(s string) bool {
	return s != "" && s[0] != '\n' && strings.Count(strings.TrimRight(s, "\n"), "\n") >= 2
}

// SingleQuoted returns a literal in the single quotes of PHP and Ruby, which may span
// lines, or reports false where other quotes show a text better.
func SingleQuoted(s string) (string, bool) {
	if !Unescaped(s) {
		return "", false
	}
	return "'" + Backslashed(s, `\'`) + "'", true
}

// LongLiteral is how long a part of a long string may be.
const LongLiteral = 80

// SplitLines cuts a text of three lines or more after its line breaks.
func SplitLines(s string) []string {
	if strings.Count(s, "\n") < 2 {
		return []string{s}
	}
	lines := strings.SplitAfter(s, "\n")
	if last := len(lines) - 1; lines[last] == "" {
		lines = lines[:last]
	}
	return lines
}

// IsLong reports whether a string is written in parts.
func IsLong(s string) bool { return len(s) > LongLiteral+10 || strings.Count(s, "\n") > 1 }

// SplitLong cuts a long string into parts: after line breaks, and else at
// blanks or other bounds, never inside of a character.
func SplitLong(s string) []string {
	if !IsLong(s) {
		return []string{s}
	}
	parts := make([]string, 0, len(s)/LongLiteral+strings.Count(s, "\n")+1)
	for s != "" {
		n := strings.IndexByte(s, '\n') + 1
		if n == 0 || n > LongLiteral {
			n = min(LongLiteral, len(s))
			if n < len(s) {
				for i := n - 1; i > LongLiteral/2; i-- {
					if Contains(" ,&;", s[i]) {
						n = i + 1
						break
					}
				}
				for n > 0 && n < len(s) && !utf8.RuneStart(s[n]) {
					n--
				}
			}
		}
		n = max(n, 1)
		parts = append(parts, s[:n])
		s = s[n:]
	}
	return parts
}

func Contains(s string, c byte) bool {
	for i := range len(s) {
		if s[i] == c {
			return true
		}
	}
	return false
}

// Latin1 returns a string whose characters are the bytes of s.
func Latin1(s string) string {
	var b strings.Builder
	for i := range len(s) {
		b.WriteRune(rune(s[i]))
	}
	return b.String()
}

// Seconds writes a number of seconds.
func Seconds(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// Milliseconds writes a number of seconds as milliseconds.
func Milliseconds(f float64) string { return strconv.FormatInt(int64(f*1000+0.5), 10) }

func AppendCodeUnit(b []byte, r rune) []byte {
	const digits = "0123456789abcdef"
	return append(b, '\\', 'u', digits[r>>12&15], digits[r>>8&15], digits[r>>4&15], digits[r&15])
}

// AppendBraced appends \u{ and }, around as many digits as a character has.
func AppendBraced(b []byte, r rune) []byte {
	return append(strconv.AppendInt(append(b, `\u{`...), int64(r), 16), '}')
}

// IsIdentifier reports a name that JavaScript and Nunjucks take after a dot.
func IsIdentifier(s string) bool {
	for i := range len(s) {
		if !ascii.IsLetter(s[i]) && s[i] != '_' && (i == 0 || !ascii.IsDigit(s[i])) {
			return false
		}
	}
	return s != ""
}

func BaseName(file string) string {
	return file[strings.LastIndexAny(file, `/\`)+1:]
}

func Itoa(n int) string { return strconv.Itoa(n) }

// IsInteger reports an integer as JSON spells it.
func IsInteger(s string) bool {
	digits := strings.TrimPrefix(s, "-")
	return digits != "" && strings.Trim(digits, "0123456789") == "" && (digits[0] != '0' || s == "0")
}

// CString returns a string literal. An octal escape ends after three digits,
// one in hexadecimal does not end.
func CString(s string) string {
	s = Quoted(s, "", func(b []byte, s string) []byte {
		for i := range len(s) {
			b = append(b, '\\', '0'+s[i]>>6, '0'+s[i]>>3&7, '0'+s[i]&7)
		}
		return b
	})
	return strings.ReplaceAll(s, "??", `?\?`) // no trigraph
}
