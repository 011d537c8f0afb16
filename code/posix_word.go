package code

import (
	"strings"
	"unicode/utf8"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/source/quote"
	"uncoil/request"
)

// posixText returns a word of a POSIX shell: in double quotes where it has
// variables, but for what means something there. variable returns what stands
// for a variable before the literal next.
func posixText(t text, variable func(v *request.Variable, next string) string) string {
	if s, ok := t.plain(); ok {
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
		v := part.variable
		// An interactive shell reads ! even between double quotes.
		odd := v == nil && (strings.ContainsAny(part.literal, "!\r\x7f") || !utf8.ValidString(part.literal) || strings.ContainsFunc(part.literal, quote.Turns))
		toggle(!odd)
		switch {
		case odd:
			b = quote.AppendWord(b, part.literal, quote.POSIX)
		case v == nil:
			b = append(b, backslashed(part.literal, posixSpecial)...)
		default:
			next := ""
			if i+1 < len(t) {
				next = t[i+1].literal
			}
			b = append(b, variable(v, next)...)
		}
	}
	toggle(false)
	return string(b)
}

// posixVariable returns a look-up for the inside of double quotes, before the
// literal next.
func posixVariable(v *request.Variable, next string) string {
	switch {
	case !isVariableName(v.Name):
		return "$(printenv " + string(quote.AppendWord(nil, v.Name, quote.POSIX)) + ")"
	case v.HasDefault:
		value := backslashed(v.Default, posixSpecial)
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

// printfFormat returns a format of printf that prints any bytes. It never begins
// as an option does.
func printfFormat(s string) string {
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
