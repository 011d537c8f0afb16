package samples

import (
	"strings"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/envname"
	"uncoil/internal/engine/source/quote"
)

// A word is an argument of curl: text, and variables of the shell.
type word []piece

type piece struct {
	text     string
	variable bool // the text is its name
}

func text(s string) word     { return word{{text: s}} }
func variable(s string) word { return word{{text: nameOf(s), variable: true}} }

// appendTo appends a word as a shell reads it.
func (w word) appendTo(dst []byte) []byte {
	plain, hasVariable := "", false
	for _, p := range w {
		plain += p.text
		hasVariable = hasVariable || p.variable
	}
	if !hasVariable {
		return quote.AppendWord(dst, plain, quote.POSIX)
	}
	dst = append(dst, '"')
	for i, p := range w {
		if p.variable {
			next := ""
			if i+1 < len(w) {
				next = w[i+1].text
			}
			if next != "" && (ascii.IsNameByte(next[0]) || next[0] == '[') {
				dst = append(dst, "${"+p.text+"}"...)
			} else {
				dst = append(dst, "$"+p.text...)
			}
			continue
		}
		for j := range len(p.text) {
			switch c := p.text[j]; c {
			case '\\', '"', '$', '`':
				dst = append(dst, '\\', c)
			case '!': // the history of an interactive shell
				dst = append(dst, `"'!'"`...)
			default:
				dst = append(dst, c)
			}
		}
	}
	return append(dst, '"')
}

// nameOf returns the name of a variable for the name of a parameter: USER_ID for userId.
func nameOf(s string) string {
	name := envname.Of(s)
	if name == "" || ascii.IsDigit(name[0]) || envname.IsReserved(name) {
		name = strings.TrimSuffix("VALUE_"+name, "_")
	}
	return name
}

// escaped returns text for a part of a URL: all but the unreserved characters
// (RFC 3986, 2.3) as percent-encoded bytes.
func escaped(s string) string { return string(ascii.AppendPercent(nil, s, "%20")) }
