package code

import (
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/source/quote"
	"uncoil/request"
)

// A text is a string of the request as a program writes it: literal parts, and
// variables that the program reads from its environment.
type text []part

// A part of a text is a literal, or a variable.
type part struct {
	literal  string
	variable *request.Variable // nil for a literal
}

// literal returns the text of one literal.
func literal(s string) text { return text{{literal: s}} }

// plain returns the text where it is one literal.
func (t text) plain() (string, bool) {
	switch len(t) {
	case 0:
		return "", true
	case 1:
		return t[0].literal, t[0].variable == nil
	}
	return "", false
}

// hasVariable reports whether one of the texts has a variable.
func hasVariable(texts ...text) bool {
	return slices.ContainsFunc(texts, func(t text) bool { _, ok := t.plain(); return !ok })
}

// length returns how many bytes the source of a text has.
func (t text) length() (n int) {
	for i := range t {
		n += len(t[i].source())
	}
	return n
}

// has reports whether a character of ASCII stands in the literal parts.
func (t text) has(c byte) bool {
	for i := range t {
		if strings.IndexByte(t[i].literal, c) >= 0 {
			return true
		}
	}
	return false
}

// source returns the text with its variables as they were typed.
func (t text) source() string {
	if len(t) == 1 && t[0].variable == nil {
		return t[0].literal
	}
	var b strings.Builder
	b.Grow(t.length())
	for i := range t {
		b.WriteString(t[i].source())
	}
	return b.String()
}

// source returns the part as it was typed.
func (p *part) source() string {
	if p.variable != nil {
		return p.variable.Expr
	}
	return p.literal
}

// literals returns the literal parts, joined.
func (t text) literals() string {
	if s, ok := t.plain(); ok {
		return s
	}
	var b strings.Builder
	b.Grow(t.length())
	for i := range t {
		b.WriteString(t[i].literal)
	}
	return b.String()
}

// isText reports whether the literal parts are UTF-8.
func (t text) isText() bool {
	for i := range t {
		if !utf8.ValidString(t[i].literal) {
			return false
		}
	}
	return true
}

// isASCII reports whether the literal parts are ASCII.
func (t text) isASCII() bool {
	for i := range t {
		if !ascii.Only(t[i].literal) {
			return false
		}
	}
	return true
}

// cut returns the text between two offsets of its source, which are not inside
// of a variable.
func (t text) cut(start, end int) text {
	var out text
	at := 0
	for _, p := range t {
		n := len(p.literal)
		if p.variable != nil {
			n = len(p.variable.Expr)
		}
		from, to := max(start-at, 0), min(end-at, n)
		if from < to {
			if p.variable == nil {
				p.literal = p.literal[from:to]
			}
			out = append(out, p)
		}
		at += n
	}
	return out
}

// split cuts the text at a separator, but not inside of a variable. Nothing has
// no parts.
func (t text) split(separator byte) []text {
	if len(t) == 0 {
		return nil
	}
	cuts := 0
	for i := range t {
		cuts += strings.Count(t[i].literal, string(separator))
	}
	out, all := make([]text, 0, cuts+1), make(text, 0, cuts+len(t)) // the parts of all texts
	for _, p := range t {
		for p.variable == nil {
			i := strings.IndexByte(p.literal, separator)
			if i < 0 {
				break
			}
			all = append(all, part{literal: p.literal[:i]})
			out = append(out, mergeLiterals(all[:len(all):len(all)]))
			all, p.literal = all[len(all):], p.literal[i+1:]
		}
		all = append(all, p)
	}
	return append(out, mergeLiterals(all))
}

// mergeLiterals joins literals that follow each other, and leaves out empty ones.
func mergeLiterals(t text) text {
	if !t.mergeable() {
		return t
	}
	var out text
	for i := 0; i < len(t); {
		if t[i].variable != nil {
			out = append(out, t[i])
			i++
			continue
		}
		first := i
		for i < len(t) && t[i].variable == nil {
			i++
		}
		if s := t[first:i].literals(); s != "" {
			out = append(out, part{literal: s})
		}
	}
	if len(out) == 0 {
		return literal("")
	}
	return out
}

// mergeable reports whether a text has nothing, an empty literal beside others, or two
// that follow each other.
func (t text) mergeable() bool {
	for i := range t {
		if t[i].variable == nil && len(t) > 1 && (t[i].literal == "" || i > 0 && t[i-1].variable == nil) {
			return true
		}
	}
	return len(t) == 0
}

// decoded returns a text whose variables the helper encodes.
func decoded(t text) text {
	out := slices.Clone(t)
	for i := range out {
		if out[i].variable != nil {
			v := *out[i].variable
			v.Encoding = 0
			out[i].variable = &v
		}
	}
	return out
}

// text returns a string of the model with its variables. at names the string,
// as [request.Variable] does.
func (c *call) text(s, at string) text {
	if len(c.Variables) == 0 || c.keep {
		c.parts = append(c.parts, part{literal: s})
		n := len(c.parts)
		return c.parts[n-1 : n : n]
	}
	first, end := len(c.parts), 0
	variables := c.places.in(at)
	for i := range variables {
		v := &variables[i]
		if !v.Known() && !c.live || v.Encoding == request.Base64 || v.Start < end || v.End > len(s) {
			continue // what the shell computes stays as typed
		}
		if v.Start > end {
			c.parts = append(c.parts, part{literal: s[end:v.Start]})
		}
		c.parts = append(c.parts, part{variable: v})
		end = v.End
	}
	if end < len(s) || len(c.parts) == first {
		c.parts = append(c.parts, part{literal: s[end:]})
	}
	n := len(c.parts)
	return c.parts[first:n:n]
}

// at returns the name of an item of a list of the model, or of a member of it,
// which only a request with variables needs.
func (c *call) at(list string, i int, member string) string {
	if len(c.Variables) == 0 {
		return ""
	}
	return list + itoa(i) + member
}

// fieldPlace returns the name of the value of a field.
func (c *call) fieldPlace(i int) string {
	if i < len(fieldPlaces) {
		return fieldPlaces[i]
	}
	return c.at("headers.", i, ".value")
}

// fieldPlaces has the names of the first fields, which nearly all requests ask for.
var fieldPlaces = func() (places [32]string) {
	for i := range places {
		places[i] = "headers." + itoa(i) + ".value"
	}
	return places
}()

// doubleQuoted returns a string literal in the double quotes of PHP and Ruby,
// in which the sigils would begin an interpolation.
func doubleQuoted(s, sigils string) string {
	return quoted(s, sigils, hexEscape)
}

// hexEscape appends \x and two digits for each byte.
func hexEscape(b []byte, s string) []byte {
	for i := range len(s) {
		b = append(b, '\\', 'x', hexDigits[s[i]>>4], hexDigits[s[i]&15])
	}
	return b
}

// lineEscape returns the letter that, after a backslash, stands for a line feed,
// a carriage return or a tab in nearly all languages; 0 for other characters.
func lineEscape[T byte | rune](c T) byte {
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

// escapeTurns returns a text with the characters that turn it escaped.
func escapeTurns(s string, escape func(b []byte, r rune) []byte) string {
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

// quoted returns a string literal in double quotes, in which the sigils would
// begin an interpolation. odd appends the escape of a control character, of one that
// turns the text, or of a byte that is not UTF-8.
func quoted(s, sigils string, odd func(b []byte, s string) []byte) string {
	if standsForItself(s, '"', sigils) {
		return `"` + s + `"`
	}
	return string(appendQuoted(make([]byte, 0, len(s)+8), s, sigils, odd))
}

// appendQuoted appends what quoted returns.
func appendQuoted(b []byte, s, sigils string, odd func(b []byte, s string) []byte) []byte {
	b = append(b, '"')
	for i := 0; i < len(s); {
		if n := plainRun(s[i:], '"', sigils); n > 0 {
			b = append(b, s[i:i+n]...)
			i += n
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		switch c := s[i]; {
		case lineEscape(c) != 0:
			b = append(b, '\\', lineEscape(c))
		case c < ' ' || c == 0x7f || r == utf8.RuneError && n == 1 || quote.Turns(r):
			b = odd(b, s[i:i+n])
		case c == '"' || c == '\\' || contains(sigils, c):
			b = append(b, '\\', c)
		default:
			b = append(b, s[i:i+n]...)
		}
		i += n
	}
	return append(b, '"')
}

// standsForItself reports whether a text needs no escape in a literal.
func standsForItself(s string, quote byte, also string) bool {
	return plainRun(s, quote, also) == len(s)
}

// plainRun returns how many bytes at the start of a text need no escape in a
// literal: visible ASCII without the quote, backslashes and the characters of
// also.
func plainRun(s string, quote byte, also string) int {
	if also == "" && len(s) >= 8 {
		return plainEights(s, quote)
	}
	i := 0
	for ; i < len(s); i++ {
		if c := s[i]; c < ' ' || c >= 0x7f || c == quote || c == '\\' || contains(also, c) {
			return i
		}
	}
	return i
}

// plainEights is plainRun for a text of eight bytes or more, of which it looks at eight
// at a time.
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

// escaped returns the text with bytes percent-encoded: those that are not
// ASCII or controls, and the others for which unsafe is true.
func (t text) escaped(unsafe func(c byte) bool) text {
	out := slices.Clone(t)
	for i := range out {
		var b []byte
		for _, c := range []byte(out[i].literal) {
			if c <= ' ' || c >= 0x7f || unsafe(c) {
				b = append(b, '%', upperHex[c>>4], upperHex[c&15])
			} else {
				b = append(b, c)
			}
		}
		out[i].literal = string(b)
	}
	return out
}

// backslashed returns a text with a backslash before each byte of a set.
func backslashed(s, set string) string {
	n := 0
	for i := range len(s) {
		if contains(set, s[i]) {
			n++
		}
	}
	if n == 0 {
		return s
	}
	b := make([]byte, 0, len(s)+n)
	for i := range len(s) {
		if contains(set, s[i]) {
			b = append(b, '\\')
		}
		b = append(b, s[i])
	}
	return string(b)
}

// replaceEach returns s with each mark in turn replaced by one of the texts.
func replaceEach(s, mark string, texts []string) string {
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

// format returns a format that has a verb for each variable, and the arguments,
// each after a comma. escape doubles what is a verb in the literals.
func (t text) format(verb string, escape func(string) string, variable func(*request.Variable) string) (format, arguments string) {
	var f, a strings.Builder
	for i := range t {
		if v := t[i].variable; v != nil {
			f.WriteString(verb)
			a.WriteString(", ")
			a.WriteString(variable(v))
		} else {
			f.WriteString(escape(t[i].literal))
		}
	}
	return f.String(), a.String()
}

// doublePercent escapes a literal of a printf format.
func doublePercent(s string) string { return strings.ReplaceAll(s, "%", "%%") }

const hexDigits = "0123456789abcdef"

// unescaped reports whether every character of a text stands for itself in quotes that
// may span lines, and its line breaks, if it has any, read better so.
func unescaped(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' && s[i] != '\n' || s[i] == 0x7f {
			return false
		}
	}
	return utf8.ValidString(s) && !strings.ContainsFunc(s, quote.Turns) && !escapesBreaks(s)
}

// spansLines reports whether a literal shows the lines of a text as they are: there are
// several, and no character needs an escape.
func spansLines(s string) bool { return strings.IndexByte(s, '\n') >= 0 && unescaped(s) }

// escapesBreaks reports line breaks in a text that does not read better in lines.
func escapesBreaks(s string) bool { return strings.IndexByte(s, '\n') >= 0 && !hasLines(s) }

// hasLines reports whether a text reads better in lines: it has three or more, and the
// first is not empty. In others, such as a user name with a line break, the line that
// follows could be taken for code.
func hasLines(s string) bool {
	return s != "" && s[0] != '\n' && strings.Count(strings.TrimRight(s, "\n"), "\n") >= 2
}

// singleQuoted returns a literal in the single quotes of PHP and Ruby, which may span
// lines, or reports false where other quotes show a text better.
func singleQuoted(s string) (string, bool) {
	if !unescaped(s) {
		return "", false
	}
	return "'" + backslashed(s, `\'`) + "'", true
}

// longLiteral is how long a part of a long string may be.
const longLiteral = 80

// isLong reports whether a string is written in parts.
func isLong(s string) bool { return len(s) > longLiteral+10 || strings.Count(s, "\n") > 1 }

// splitLong cuts a long string into parts: after line breaks, and else at
// blanks or other bounds, never inside of a character.
func splitLong(s string) []string {
	if !isLong(s) {
		return []string{s}
	}
	parts := make([]string, 0, len(s)/longLiteral+strings.Count(s, "\n")+1)
	for s != "" {
		n := strings.IndexByte(s, '\n') + 1
		if n == 0 || n > longLiteral {
			n = min(longLiteral, len(s))
			if n < len(s) {
				for i := n - 1; i > longLiteral/2; i-- {
					if contains(" ,&;", s[i]) {
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
