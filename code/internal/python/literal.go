package python

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/internal/engine/ascii"
	"uncoil/request"
)

// style is PEP 8's.
var style = emit.Style{Indent: "    ", Comma: ",", Comment: "# ", Rules: emit.Black}

// pythonDumps are the ways in which json.dumps prints, with the arguments that
// ask for them. An object keeps its members.
var pythonDumps = []struct {
	emit.Encoder
	arguments string
}{
	{emit.Encoder{Item: ", ", Name: ": ", ASCIIOnly: true, Number: number, Keeps: emit.Distinct}, ""},
	{emit.Encoder{Item: ",", Name: ":", ASCIIOnly: true, Number: number, Keeps: emit.Distinct}, `, separators=(",", ":")`},
	{emit.Encoder{Item: ", ", Name: ": ", Number: number, Keeps: emit.Distinct}, `, ensure_ascii=False`},
	{emit.Encoder{Item: ",", Name: ":", Number: number, Keeps: emit.Distinct}, `, ensure_ascii=False, separators=(",", ":")`},
	{emit.Encoder{Item: ",", Name: ": ", Indent: "  ", Number: number, Keeps: emit.Distinct}, `, ensure_ascii=False, indent=2`},
	{emit.Encoder{Item: ",", Name: ": ", Indent: "    ", Number: number, Keeps: emit.Distinct}, `, ensure_ascii=False, indent=4`},
}

// pythonDigits is how many digits of an int Python reads: sys.int_info.
const pythonDigits = 4300

// number returns what json.dumps prints for a number: an int digit for
// digit, a float as repr does.
func number(digits string) string {
	if !strings.ContainsAny(digits, ".eE") {
		switch {
		case digits == "-0":
			return "0"
		case len(digits) > pythonDigits:
			return ""
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

// pythonValue returns a JSON value of a call as a literal.
func pythonValue(p *plan.Program, c *plan.Call, v *emit.Value) emit.Node {
	switch v.Kind {
	case emit.NumberValue:
		return emit.Leaf(v.Text)
	case emit.StringValue:
		if t := c.StringOf(v); plan.HasVariable(t) {
			return pythonText(p, t)
		}
		return emit.Leaf(String(p, v.Text))
	case emit.ArrayValue:
		items := p.List(len(v.Items))
		for i := range v.Items {
			items = append(items, pythonValue(p, c, &v.Items[i]))
		}
		return emit.Group("", "[", items, "]")
	case emit.ObjectValue:
		items := p.List(len(v.Items))
		for i := range v.Items {
			items = append(items, emit.Named(String(p, v.Names[i]), ": ", pythonValue(p, c, &v.Items[i])))
		}
		return emit.Group("", "{", items, "}")
	}
	return emit.Leaf(map[string]string{"true": "True", "false": "False", "null": "None"}[v.Text])
}

// String returns a literal of type str for UTF-8.
func String(p *plan.Program, s string) string { return pythonQuote(p, s, "") }

// Bytes returns a literal of type bytes.
func Bytes(p *plan.Program, s string) string { return pythonQuote(p, s, "b") }

// pythonQuote returns a string literal with a prefix.
func pythonQuote(p *plan.Program, s, prefix string) string {
	return delimited(p, s, prefix, delimiter(s))
}

// delimited returns a string literal with a prefix, between such quotes.
func delimited(p *plan.Program, s, prefix string, quote byte) string {
	b, start := p.Short.Room(len(prefix) + len(s) + 2)
	b.WriteString(prefix)
	b.WriteByte(quote)
	writePythonEscaped(b, s, quote, prefix == "b")
	b.WriteByte(quote)
	return b.String()[start:]
}

// Long returns a literal of a text that may be long: its lines as they are, or
// else parts on lines of their own.
func Long(p *plan.Program, s, prefix string) emit.Node {
	if block, ok := pythonBlock(s, prefix); ok {
		return emit.Leaf(block)
	}
	if prefix == "b" {
		return p.LongString(s, "", func(s string) string { return Bytes(p, s) })
	}
	return p.LongString(s, "", func(s string) string { return String(p, s) })
}

// pythonBlock returns a literal that shows the lines of a text as they are, where there
// are several.
func pythonBlock(s, prefix string) (string, bool) {
	if !emit.SpansLines(s) || prefix == "b" && !ascii.Only(s) || strings.HasSuffix(s, `\`) {
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

// delimiter returns the quote that needs fewer escapes in a text, as Black
// chooses.
func delimiter(s string) byte {
	if strings.Count(s, `"`) > strings.Count(s, "'") {
		return '\''
	}
	return '"'
}

// writePythonEscaped writes a text as it stands in a literal, of bytes or of
// characters.
func writePythonEscaped(b *strings.Builder, s string, quote byte, bytes bool) {
	var small [10]byte
	for i := 0; i < len(s); {
		if n := emit.PlainRun(s[i:], quote, ""); n > 0 {
			b.WriteString(s[i : i+n])
			i += n
			continue
		}
		c := s[i]
		escape := emit.LineEscape(c)
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
			b.WriteByte(emit.HexDigits[c>>4])
			b.WriteByte(emit.HexDigits[c&15])
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
		return emit.AppendCodeUnit(b, r)
	}
	b = append(b, `\U`...)
	for shift := 28; shift >= 0; shift -= 4 {
		b = append(b, emit.HexDigits[r>>shift&15])
	}
	return b
}

// pythonVariable returns the expression that reads a variable, with the
// encoding that its place asks for. The quote delimits its literals.
func pythonVariable(p *plan.Program, v *request.Variable, quote byte) string {
	if v.Encoding == plan.Computed {
		return v.Name
	}
	literal := func(s string) string { return delimited(p, s, "", quote) }
	expr := local(v, quote == '\'')
	switch {
	case plan.IsLocal(v):
	case p.IsFunction():
		expr = p.Parameter(v)
	default:
		p.Use("import os")
		name := literal(v.Name)
		expr = p.Short.Join("os.environ[", name, "]")
		if v.HasDefault {
			expr = "os.environ.get(" + name + ", " + literal(v.Default) + ")"
		}
	}
	switch v.Encoding {
	case plan.UserPart:
		return expr + ".partition(" + literal(":") + ")[0]"
	case plan.PasswordPart:
		return expr + ".partition(" + literal(":") + ")[2]"
	case plan.LastSegment:
		p.Use("import os")
		return "os.path.basename(" + expr + ")"
	case request.EncodingPercent:
		p.Use("from urllib.parse import quote")
		return "quote(" + expr + ", safe=" + literal("") + ")"
	case request.EncodingForm:
		p.Use("from urllib.parse import quote_plus")
		return "quote_plus(" + expr + ")"
	case request.EncodingJSON:
		p.Use("import json")
		if p.IsFunction() {
			expr = "str(" + expr + ")" // of a number, too
		}
		return "json.dumps(" + expr + ")[1:-1]"
	case plan.Segment, plan.Segments, plan.JSONValue, plan.JSONElements, plan.FieldText:
		return helped(p, v.Encoding, expr)
	}
	return expr
}

// formatted begins a literal that has expressions in braces.
const formatted = `f"`

// pythonText returns an expression of type str. Text that is not UTF-8 has
// none: see pythonData.
func pythonText(p *plan.Program, t plan.Text) emit.Node {
	if s, ok := t.Plain(); ok {
		return Long(p, s, "")
	}
	if len(t) == 1 {
		return emit.Leaf(pythonVariable(p, t[0].Variable, '"'))
	}
	if t.Has('{') || t.Has('}') || t.Has('"') && !t.Has('\'') {
		// Braces would be doubled, which is hard to read, and ' quotes the look-up.
		return sum(p, t, "", "")
	}
	var terms []string
	var f strings.Builder // what stands in a literal, behind its prefix and quote
	f.Grow(len(formatted) + t.Length() + 32*len(t))
	f.WriteString(formatted)
	end := func(s string) {
		if !strings.Contains(s, "{") {
			s = s[len("f"):]
		}
		terms = append(terms, s+`"`)
	}
	for _, part := range t {
		start := f.Len()
		if part.Variable == nil {
			writePythonEscaped(&f, part.Literal, '"', false)
		} else {
			expression := pythonVariable(p, part.Variable, '\'')
			v := part.Variable
			if odd := v.HasDefault || ascii.NameLength(v.Name) < len(v.Name); odd && strings.ContainsAny(expression, "\\#\"{}") { // no such before Python 3.12
				return sum(p, t, "", "")
			}
			f.WriteString("{")
			f.WriteString(expression)
			f.WriteString("}")
		}
		if s := f.String(); start > len(formatted) && len(s)-len(formatted) > emit.LongLiteral {
			end(s[:start])
			f.Reset()
			f.WriteString(formatted)
			f.WriteString(s[start:])
		}
	}
	if len(terms) == 0 {
		f.WriteByte('"')
		return emit.Leaf(f.String())
	}
	end(f.String())
	return p.Glued("", "(", len(terms), ")", "", func(i int) string { return terms[i] })
}

// sum returns the parts of a text, added.
func sum(p *plan.Program, t plan.Text, prefix, convert string) emit.Node {
	var terms []string
	for _, part := range t {
		if block, ok := pythonBlock(part.Literal, prefix); ok {
			terms = append(terms, block)
		} else if part.Variable == nil {
			terms = append(terms, pythonQuote(p, part.Literal, prefix))
		} else {
			expression := pythonVariable(p, part.Variable, '"')
			if part.Variable.Encoding == plan.Computed { // a number
				expression = "str(" + expression + ")"
			}
			terms = append(terms, expression+convert)
		}
	}
	return p.Added(strings.Join(terms, " + "), terms, " +")
}

// pythonData returns an expression of type bytes, or of type str where that is
// ASCII and a client takes both.
func pythonData(p *plan.Program, t plan.Text) emit.Node {
	switch s, ok := t.Plain(); {
	case ok && ascii.Only(s):
		return Long(p, s, "")
	case ok && t.IsText():
		return Long(p, s, "").Around("", ".encode()")
	case ok:
		return Long(p, s, "b")
	case t.IsText():
		n := pythonText(p, t)
		if strings.Contains(n.Head, " + ") {
			n.Head = "(" + n.Head + ")"
		}
		return n.Around("", ".encode()")
	}
	return sum(p, t, "b", ".encode()")
}

// pythonURL returns the URL, after the statements that guess its scheme where
// a variable may bring none.
func pythonURL(p *plan.Program, c *plan.Call) emit.Node {
	url := pythonText(p, c.URLText)
	if !c.Guess {
		return url
	}
	p.Node("url = ", url, "")
	p.Line(`if "://" not in url:`)
	p.Line(p.Indent, `url = "http://" + url  # as curl does`)
	return emit.Leaf("url")
}
