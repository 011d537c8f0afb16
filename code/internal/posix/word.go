package posix

import (
	"strings"
	"unicode/utf8"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/source/quote"
	"uncoil/request"
)

// PosixText returns a word of a POSIX shell: in double quotes where it has
// variables, but for what means something there. variable returns what stands
// for a variable before the literal next.
func PosixText(t plan.Text, variable func(v *request.Variable, next string) string) string {
	if s, ok := t.Plain(); ok {
		return string(quote.AppendWord(nil, s, quote.POSIX))
	}
	var b []byte
	open := false
	toggle := func(want bool) {
		if open != want {
			b = append(b, '"')
			open = want
		}
	}
	for i, part := range t {
		v := part.Variable
		// An interactive shell reads ! even between double quotes.
		odd := v == nil && (strings.ContainsAny(part.Literal, "!\r\x7f") || !utf8.ValidString(part.Literal) || strings.ContainsFunc(part.Literal, quote.Turns))
		toggle(!odd)
		switch {
		case odd:
			b = quote.AppendWord(b, part.Literal, quote.POSIX)
		case v == nil:
			b = append(b, emit.Backslashed(part.Literal, posixSpecial)...)
		default:
			next := ""
			if i+1 < len(t) {
				next = t[i+1].Literal
			}
			b = append(b, variable(v, next)...)
		}
	}
	toggle(false)
	return string(b)
}

// PosixVariable returns a look-up for the inside of double quotes, before the
// literal next.
func PosixVariable(v *request.Variable, next string) string {
	switch {
	case !plan.IsVariableName(v.Name):
		return "$(printenv " + string(quote.AppendWord(nil, v.Name, quote.POSIX)) + ")"
	case v.HasDefault:
		value := emit.Backslashed(v.Default, posixSpecial)
		if strings.Contains(value, "'") { // bash takes it for a quotation mark there
			return "${" + v.Name + `:-"` + value + `"}`
		}
		return "${" + v.Name + ":-" + strings.ReplaceAll(value, "}", `\}`) + "}"
	case next != "" && ascii.IsNameByte(next[0]), len(v.Name) > 1 && ascii.IsDigit(v.Name[0]):
		return "${" + v.Name + "}"
	}
	return "$" + v.Name
}

// posixSpecial is what a backslash keeps as it is between double quotes.
const posixSpecial = "\\\"$`"

// PrintfFormat returns a format of printf that prints any bytes. It never begins
// as an option does.
func PrintfFormat(s string) string {
	b := []byte{'\''}
	for i := range len(s) {
		switch c := s[i]; {
		case c == '\n':
			b = append(b, `\n`...)
		case c == '%':
			b = append(b, "%%"...)
		case c < ' ' || c >= 0x7f || c == '\'' || c == '\\' || c == '-' && i == 0:
			b = append(b, '\\', '0'+c>>6, '0'+c>>3&7, '0'+c&7)
		default:
			b = append(b, c)
		}
	}
	return string(append(b, '\''))
}
