package code

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"uncoil/internal/engine/ascii"
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
		return leaf(p.pythonString(v.text))
	case arrayValue:
		items := p.list(len(v.items))
		for i := range v.items {
			items = append(items, p.pythonValue(&v.items[i]))
		}
		return group("", "[", items, "]")
	case objectValue:
		items := p.list(len(v.items))
		for i := range v.items {
			items = append(items, named(p.pythonString(v.names[i]), ": ", p.pythonValue(&v.items[i])))
		}
		return group("", "{", items, "}")
	}
	return leaf(map[string]string{"true": "True", "false": "False", "null": "None"}[v.text])
}

// pythonString returns a literal of type str for UTF-8.
func (p *program) pythonString(s string) string { return p.pythonQuote(s, "") }

// pythonBytes returns a literal of type bytes.
func (p *program) pythonBytes(s string) string { return p.pythonQuote(s, "b") }

// pythonQuote returns a string literal with a prefix.
func (p *program) pythonQuote(s, prefix string) string {
	return p.pythonDelimited(s, prefix, pythonDelimiter(s))
}

// pythonDelimited returns a string literal with a prefix, between such quotes.
func (p *program) pythonDelimited(s, prefix string, quote byte) string {
	b, start := p.short.room(len(prefix) + len(s) + 2)
	b.WriteString(prefix)
	b.WriteByte(quote)
	writePythonEscaped(b, s, quote, prefix == "b")
	b.WriteByte(quote)
	return b.String()[start:]
}

// pythonLong returns a literal of a text that may be long: its lines as they are, or
// else parts on lines of their own.
func (p *program) pythonLong(s, prefix string) node {
	if block, ok := pythonBlock(s, prefix); ok {
		return leaf(block)
	}
	if prefix == "b" {
		return p.longString(s, "", p.pythonBytes)
	}
	return p.longString(s, "", p.pythonString)
}

// pythonBlock returns a literal that shows the lines of a text as they are, where there
// are several.
func pythonBlock(s, prefix string) (string, bool) {
	if !spansLines(s) || prefix == "b" && !ascii.Only(s) || strings.HasSuffix(s, `\`) {
		return "", false
	}
	if strings.IndexByte(s, '\\') >= 0 {
		prefix = "r" + prefix
	}
	for _, quotes := range []string{`"""`, "'''"} {
		if !strings.Contains(s, quotes) && !strings.HasSuffix(s, quotes[:1]) {
			return prefix + quotes + s + quotes, true
		}
	}
	return "", false
}

// pythonDelimiter returns the quote that needs no escape in a text, as repr
// takes it.
func pythonDelimiter(s string) byte {
	if strings.IndexByte(s, '"') >= 0 && strings.IndexByte(s, '\'') < 0 {
		return '\''
	}
	return '"'
}

// writePythonEscaped writes a text as it stands in a literal, of bytes or of
// characters.
func writePythonEscaped(b *strings.Builder, s string, quote byte, bytes bool) {
	var small [10]byte
	for i := 0; i < len(s); {
		if n := plainRun(s[i:], quote, ""); n > 0 {
			b.WriteString(s[i : i+n])
			i += n
			continue
		}
		c := s[i]
		escape := lineEscape(c)
		if c == quote || c == '\\' {
			escape = c
		}
		if escape != 0 {
			b.WriteByte('\\')
			b.WriteByte(escape)
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case c < ' ' || c == 0x7f || bytes && c >= 0x80 || r == utf8.RuneError && n == 1:
			n = 1
			b.WriteString(`\x`)
			b.WriteByte(hexDigits[c>>4])
			b.WriteByte(hexDigits[c&15])
		case c >= 0x80 && !strconv.IsPrint(r):
			b.Write(appendEscapedRune(small[:0], r))
		default:
			b.WriteString(s[i : i+n])
		}
		i += n
	}
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
// encoding that its place asks for. The quote delimits its literals.
func (p *program) pythonVariable(v *request.Variable, quote byte) string {
	if v.Encoding == computed {
		return v.Name
	}
	p.use("import os")
	literal := func(s string) string { return p.pythonDelimited(s, "", quote) }
	name := literal(v.Name)
	expr := p.short.join("os.environ[", name, "]")
	if v.HasDefault {
		expr = "os.environ.get(" + name + ", " + literal(v.Default) + ")"
	}
	switch v.Encoding {
	case userPart:
		return expr + ".partition(" + literal(":") + ")[0]"
	case passwordPart:
		return expr + ".partition(" + literal(":") + ")[2]"
	case lastSegment:
		return "os.path.basename(" + expr + ")"
	case request.Percent:
		p.use("from urllib.parse import quote")
		return "quote(" + expr + ", safe=" + literal("") + ")"
	case request.FormEncode:
		p.use("from urllib.parse import quote_plus")
		return "quote_plus(" + expr + ")"
	case request.JSONEscape:
		p.use("import json")
		return "json.dumps(" + expr + ")[1:-1]"
	}
	return expr
}

// formatted begins a literal that has expressions in braces.
const formatted = `f"`

// pythonText returns an expression of type str. Text that is not UTF-8 has
// none: see pythonData.
func (p *program) pythonText(t text) node {
	if s, ok := t.plain(); ok {
		return p.pythonLong(s, "")
	}
	if len(t) == 1 {
		return leaf(p.pythonVariable(t[0].variable, '"'))
	}
	if t.has('{') || t.has('}') || t.has('"') && !t.has('\'') {
		// Braces would be doubled, which is hard to read, and ' quotes the look-up.
		return p.pythonSum(t, "", "")
	}
	var terms []string
	var f strings.Builder // what stands in a literal, behind its prefix and quote
	f.Grow(len(formatted) + t.length() + 32*len(t))
	f.WriteString(formatted)
	end := func(s string) {
		if !strings.Contains(s, "{") {
			s = s[len("f"):]
		}
		terms = append(terms, s+`"`)
	}
	for _, part := range t {
		start := f.Len()
		if part.variable == nil {
			writePythonEscaped(&f, part.literal, '"', false)
		} else {
			expression := p.pythonVariable(part.variable, '\'')
			v := part.variable
			if odd := v.HasDefault || ascii.NameLength(v.Name) < len(v.Name); odd && strings.ContainsAny(expression, "\\#\"{}") { // no such before Python 3.12
				return p.pythonSum(t, "", "")
			}
			f.WriteString("{")
			f.WriteString(expression)
			f.WriteString("}")
		}
		if s := f.String(); start > len(formatted) && len(s)-len(formatted) > longLiteral {
			end(s[:start])
			f.Reset()
			f.WriteString(formatted)
			f.WriteString(s[start:])
		}
	}
	if len(terms) == 0 {
		f.WriteByte('"')
		return leaf(f.String())
	}
	end(f.String())
	return p.glued("", "(", len(terms), ")", "", func(i int) string { return terms[i] })
}

// pythonSum returns the parts of a text, added.
func (p *program) pythonSum(t text, prefix, convert string) node {
	var terms []string
	for _, part := range t {
		if block, ok := pythonBlock(part.literal, prefix); ok {
			terms = append(terms, block)
		} else if part.variable == nil {
			terms = append(terms, p.pythonQuote(part.literal, prefix))
		} else {
			terms = append(terms, p.pythonVariable(part.variable, '"')+convert)
		}
	}
	return p.added(strings.Join(terms, " + "), terms, " +")
}

// pythonData returns an expression of type bytes, or of type str where that is
// ASCII and a client takes both.
func (p *program) pythonData(t text) node {
	switch s, ok := t.plain(); {
	case ok && ascii.Only(s):
		return p.pythonLong(s, "")
	case ok && t.isText():
		return p.pythonLong(s, "").around("", ".encode()")
	case ok:
		return p.pythonLong(s, "b")
	case t.isText():
		n := p.pythonText(t)
		if strings.Contains(n.head, " + ") {
			n.head = "(" + n.head + ")"
		}
		return n.around("", ".encode()")
	}
	return p.pythonSum(t, "b", ".encode()")
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
