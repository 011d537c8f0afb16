package oracle

import "strings"

// The atoms of hard text: what quoting, escaping and parsing stumble over.
var hardAtoms = []string{
	`"`, `'`, `\`, `\"`, `\\`, `\n`, "%", "%41", "%zz", "%00", "&", "+", "@", "=", ";", ",", ":", "/", "?", "#",
	"é", "ß", "日本", "😀", "\u00a0", "\xff", "\xc3", "\r\n", "\n", "\r", "\t", " ", "\x01", "\x7f",
	"{", "}", "{{", "}}", "[", "]", "(", ")", "<", ">", "$x", "`", "!", "*", "|", "^", "~", "-", "--", ".", "..",
}

var plainWords = []string{"a", "b", "x1", "key", "name", "value", "Foo", "42", "true", "hello", "long-er_word", "Z"}

// word is a plain word.
func (g *Generator) word() string { return g.pick(plainWords...) }

// text is some words, sometimes with hard characters among them.
func (g *Generator) text() string {
	if g.chance(60) {
		return g.word()
	}
	return g.hardText()
}

func (g *Generator) hardText() string {
	var b strings.Builder
	for range 1 + g.random.IntN(5) {
		if g.chance(40) {
			b.WriteString(g.word())
		} else {
			b.WriteString(g.pick(hardAtoms...))
		}
	}
	return b.String()
}

// line returns text without line ends, for values in which curl refuses them.
func (g *Generator) line() string {
	return strings.NewReplacer("\r", "", "\n", "").Replace(g.text())
}

// content returns the content of a file.
func (g *Generator) content() string {
	switch g.random.IntN(8) {
	case 0:
		return ""
	case 1:
		return g.jsonText() + "\n"
	case 2:
		return "line 1\r\nline 2\nline 3\r"
	case 3:
		return "a\x00b\xff\xfe" + g.hardText()
	case 4:
		return strings.Repeat("0123456789", 1+g.random.IntN(300))
	case 5:
		return " " + g.text() + " \n"
	default:
		return g.text()
	}
}

// jsonText is JSON, mostly.
func (g *Generator) jsonText() string {
	return g.pick(`{}`, `[]`, `{"a":1}`, `{"a": "b\n\u00e9", "a": 2}`, `[1, 2.50, 1e400]`, ` {"deep":[{"x":null}]} `,
		`"text"`, `12345678901234567890`, `{"é": "日本"}`, `{a:1}`, "{\n  \"x\": true\n}", `{"q":"'\"\\"}`)
}

// pairs is form data as people write it.
func (g *Generator) pairs() string {
	var pairs []string
	for range 1 + g.random.IntN(3) {
		pairs = append(pairs, g.word()+"="+g.text())
	}
	return strings.Join(pairs, "&")
}

// method is a value for --request.
func (g *Generator) method() string {
	if g.chance(4) {
		return g.pick("A B", "GÉT", "*", "X\tY", "'GET'", "-", "")
	}
	return g.pick("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD", "TRACE", "post", "PROPFIND", "QUERY", "X-y")
}
