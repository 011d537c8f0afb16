//go:build !nocode

package code

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"uncoil/request"
)

// pythonStyle is PEP 8's.
var pythonStyle = style{indent: "    ", comma: ",", comment: "# "}

// pythonDumps are the ways in which json.dumps prints, with the arguments that
// ask for them. An object keeps its members.
var pythonDumps = []struct {
	encoder
	arguments string
}{
	{encoder{item: ", ", name: ": ", asciiOnly: true, number: pythonNumber, keeps: distinct}, ""},
	{encoder{item: ",", name: ":", asciiOnly: true, number: pythonNumber, keeps: distinct}, `, separators=(",", ":")`},
	{encoder{item: ", ", name: ": ", number: pythonNumber, keeps: distinct}, `, ensure_ascii=False`},
	{encoder{item: ",", name: ":", number: pythonNumber, keeps: distinct}, `, ensure_ascii=False, separators=(",", ":")`},
	{encoder{item: ",", name: ": ", indent: "  ", number: pythonNumber, keeps: distinct}, `, ensure_ascii=False, indent=2`},
	{encoder{item: ",", name: ": ", indent: "    ", number: pythonNumber, keeps: distinct}, `, ensure_ascii=False, indent=4`},
}

// pythonNumber returns what json.dumps prints for a number: an int digit for
// digit, a float as repr does.
func pythonNumber(digits string) string {
	if !strings.ContainsAny(digits, ".eE") {
		if digits == "-0" {
			return "0"
		}
		return digits
	}
	f, err := strconv.ParseFloat(digits, 64)
	if err != nil {
		return ""
	}
	exponent := 0
	if s := strconv.FormatFloat(f, 'e', -1, 64); f != 0 {
		exponent, _ = strconv.Atoi(s[strings.IndexByte(s, 'e')+1:])
	}
	if exponent < -4 || exponent >= 16 {
		return strconv.FormatFloat(f, 'e', -1, 64)
	}
	s := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// pythonValue returns a JSON value as a literal.
func (p *program) pythonValue(v *value) node {
	switch v.kind {
	case numberValue:
		return leaf(v.text)
	case stringValue:
		return leaf(pythonString(v.text))
	case arrayValue:
		items := p.list(len(v.items))
		for i := range v.items {
			items = append(items, p.pythonValue(&v.items[i]))
		}
		return group("", "[", items, "]")
	case objectValue:
		items := p.list(len(v.items))
		for i := range v.items {
			items = append(items, named(pythonString(v.names[i]), ": ", p.pythonValue(&v.items[i])))
		}
		return group("", "{", items, "}")
	}
	return leaf(map[string]string{"true": "True", "false": "False", "null": "None"}[v.text])
}

// pythonString returns a literal of type str for UTF-8.
func pythonString(s string) string { return pythonQuote(s, "", "") }

// pythonBytes returns a literal of type bytes.
func pythonBytes(s string) string { return pythonQuote(s, "b", "") }

// pythonQuote returns a string literal with a prefix. It takes the quote that
// needs no escape, as repr does; also is what is escaped by doubling.
func pythonQuote(s, prefix, also string) string {
	quote := byte('"')
	if strings.IndexByte(s, '"') >= 0 && strings.IndexByte(s, '\'') < 0 {
		quote = '\''
	}
	if standsForItself(s, quote, also) {
		return prefix + string(quote) + s + string(quote)
	}
	b := append(make([]byte, 0, len(s)+8), prefix...)
	b = append(b, quote)
	for i := 0; i < len(s); {
		if n := plainRun(s[i:], quote, also); n > 0 {
			b = append(b, s[i:i+n]...)
			i += n
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		c := s[i]
		switch {
		case c == quote || c == '\\':
			b = append(b, '\\', c)
		case lineEscape(c) != 0:
			b = append(b, '\\', lineEscape(c))
		case c < ' ' || c == 0x7f || prefix == "b" && c >= 0x80 || r == utf8.RuneError && n == 1:
			n = 1
			b = append(b, '\\', 'x', hexDigits[c>>4], hexDigits[c&15])
		case c >= 0x80 && !strconv.IsPrint(r):
			b = appendEscapedRune(b, r)
		case contains(also, c):
			b = append(b, c, c)
		default:
			b = append(b, s[i:i+n]...)
		}
		i += n
	}
	return string(append(b, quote))
}

// appendEscapedRune appends \uXXXX or \UXXXXXXXX.
func appendEscapedRune(b []byte, r rune) []byte {
	if r < 0x10000 {
		return appendCodeUnit(b, r)
	}
	b = append(b, `\U`...)
	for shift := 28; shift >= 0; shift -= 4 {
		b = append(b, hexDigits[r>>shift&15])
	}
	return b
}

// pythonVariable returns the expression that reads a variable, with the
// encoding that its place asks for.
func (p *program) pythonVariable(v *request.Variable) string {
	p.use("import os")
	name := "'" + v.Name + "'"
	expr := "os.environ[" + name + "]"
	if v.HasDefault {
		expr = "os.environ.get(" + name + ", " + strings.ReplaceAll(pythonString(v.Default), `"`, "'") + ")"
	}
	switch v.Encoding {
	case userPart:
		return expr + ".partition(':')[0]"
	case passwordPart:
		return expr + ".partition(':')[2]"
	case lastSegment:
		return "os.path.basename(" + expr + ")"
	case request.Percent:
		p.use("from urllib.parse import quote")
		return "quote(" + expr + ", safe='')"
	case request.FormEncode:
		p.use("from urllib.parse import quote_plus")
		return "quote_plus(" + expr + ")"
	case request.JSONEscape:
		p.use("import json")
		return "json.dumps(" + expr + ")[1:-1]"
	}
	return expr
}

// pythonText returns an expression of type str. Text that is not UTF-8 has
// none: see pythonData.
func (p *program) pythonText(t text) node {
	if s, ok := t.plain(); ok {
		return p.longString(s, "", pythonString)
	}
	if len(t) == 1 {
		return leaf(strings.ReplaceAll(p.pythonVariable(t[0].variable), "'", `"`))
	}
	braces := strings.ContainsAny(t.source(), "{}")
	if braces { // doubled in an f-string, which is hard to read
		return leaf(p.pythonSum(t, pythonString, ""))
	}
	var f strings.Builder
	for _, part := range t {
		if part.variable == nil {
			f.WriteString(part.literal)
		} else {
			f.WriteString("\x00") // replaced below: not part of any text
		}
	}
	s := pythonQuote(f.String(), "f", "{}")
	if s[1] == '\'' { // the look-up is quoted by ' itself
		return leaf(p.pythonSum(t, pythonString, ""))
	}
	var looked []string
	for _, part := range t {
		if part.variable != nil {
			looked = append(looked, "{"+p.pythonVariable(part.variable)+"}")
		}
	}
	return leaf(replaceEach(s, `\x00`, looked))
}

// pythonSum returns the parts of a text, added.
func (p *program) pythonSum(t text, quote func(string) string, convert string) string {
	var terms []string
	for _, part := range t {
		if part.variable == nil {
			terms = append(terms, quote(part.literal))
		} else {
			terms = append(terms, strings.ReplaceAll(p.pythonVariable(part.variable), "'", `"`)+convert)
		}
	}
	return strings.Join(terms, " + ")
}

// pythonData returns an expression of type bytes, or of type str where that is
// ASCII and a client takes both.
func (p *program) pythonData(t text) node {
	switch s, ok := t.plain(); {
	case ok && isASCII(s):
		return p.longString(s, "", pythonString)
	case ok && t.isText():
		n := p.longString(s, "", pythonString)
		if n.open != "" {
			n.close += ".encode()"
			return n
		}
		return leaf(n.head + ".encode()")
	case ok:
		return p.longString(s, "", pythonBytes)
	case t.isText():
		n := p.pythonText(t)
		if strings.Contains(n.head, " + ") {
			n.head = "(" + n.head + ")"
		}
		return leaf(n.head + ".encode()")
	}
	return leaf(p.pythonSum(t, pythonBytes, ".encode()"))
}

// pythonURL returns the URL, after the statements that guess its scheme where
// a variable may bring none.
func (p *program) pythonURL(c *call) node {
	url := p.pythonText(c.url)
	if !c.guess {
		return url
	}
	p.node("url = ", url, "")
	p.line(`if "://" not in url:`)
	p.line(p.indent, `url = "http://" + url  # as curl does`)
	return leaf("url")
}
