package javascript

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/internal/engine/ascii"
	"uncoil/request"
)

// style is prettier's.
var style = emit.Style{Indent: "  ", Comma: ",", Comment: "// ", Wraps: "=:", Rules: emit.Prettier}

// jsStringify are the ways in which JSON.stringify prints, with the arguments
// that ask for them.
var jsStringify = []struct {
	emit.Encoder
	arguments []string
}{
	{emit.Encoder{Item: ",", Name: ":", Number: number, Keeps: keeps}, nil},
	{emit.Encoder{Item: ",", Name: ": ", Indent: "  ", Number: number, Keeps: keeps}, []string{"null", "2"}},
	{emit.Encoder{Item: ",", Name: ": ", Indent: "    ", Number: number, Keeps: keeps}, []string{"null", "4"}},
	{emit.Encoder{Item: ",", Name: ": ", Indent: "\t", Number: number, Keeps: keeps}, []string{"null", `"\t"`}},
}

// keeps reports whether an object literal keeps its members: names that look
// like array indexes come first, and __proto__ is none.
func keeps(names []string) bool {
	for _, n := range names {
		if n == "__proto__" || n != "" && ascii.IsDigit(n[0]) && strings.Trim(n, "0123456789") == "" {
			return false
		}
	}
	return emit.Distinct(names)
}

// number returns what JSON.stringify prints for a number: ECMA-262,
// Number::toString.
func number(digits string) string {
	f, err := strconv.ParseFloat(digits, 64)
	switch {
	case err != nil:
		return ""
	case f == 0:
		return "0"
	}
	s := strconv.FormatFloat(f, 'e', -1, 64)
	mantissa, exp, _ := strings.Cut(s, "e")
	exponent, _ := strconv.Atoi(exp)
	if exponent >= 21 || exponent < -6 {
		if exponent > 0 {
			return mantissa + "e+" + strconv.Itoa(exponent)
		}
		return mantissa + "e" + strconv.Itoa(exponent)
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}

// jsValue returns a JSON value of a call as a literal.
func jsValue(p *plan.Program, c *plan.Call, v *emit.Value) emit.Node {
	switch v.Kind {
	case emit.StringValue:
		if t := c.StringOf(v); plan.HasVariable(t) {
			return Text(p, t)
		}
		return emit.Leaf(String(v.Text))
	case emit.ArrayValue:
		items := p.List(len(v.Items))
		for i := range v.Items {
			items = append(items, jsValue(p, c, &v.Items[i]))
		}
		return array(items)
	case emit.ObjectValue:
		items := p.List(len(v.Items))
		for i := range v.Items {
			items = append(items, property(p, v.Names[i], jsValue(p, c, &v.Items[i])))
		}
		return emit.Braced(items)
	}
	return emit.Leaf(v.Text)
}

// array returns an array. Prettier puts each item on a line of its own where there are
// several, all of them objects or all arrays, and each has several items itself.
func array(items []emit.Node) emit.Node {
	n := emit.Group("", "[", items, "]")
	other := func(item emit.Node) bool { return item.Open != items[0].Open || item.Head != "" || len(item.Items) < 2 }
	if len(items) > 1 && items[0].Open != "" && !slices.ContainsFunc(items, other) {
		n.Broken, n.Width = true, emit.TooWide
	}
	return n
}

// jsName returns the name of a member, quoted where it is not an identifier.
func jsName(s string) string {
	for i := range len(s) {
		if !ascii.IsNameByte(s[i]) && s[i] != '$' || i == 0 && ascii.IsDigit(s[0]) {
			return String(s)
		}
	}
	if s == "" {
		return String(s)
	}
	return s
}

// String returns a string literal.
func String(s string) string {
	quote := byte('"')
	if strings.Count(s, `"`) > strings.Count(s, "'") { // as Prettier chooses
		quote = '\''
	}
	return Quote(s, quote)
}

// Quote returns a string literal in one kind of quotes; ` makes a template,
// in which ${ is escaped too.
func Quote(s string, quote byte) string {
	return delimited(s, quote, quote == '`' && emit.SpansLines(s))
}

// delimited is jsQuote, with line breaks as they are or escaped.
func delimited(s string, quote byte, breaks bool) string {
	dollar := ""
	if quote == '`' {
		dollar = "$"
	}
	if emit.StandsForItself(s, quote, dollar) {
		return string(quote) + s + string(quote)
	}
	b := append(make([]byte, 0, len(s)+8), quote)
	for i := 0; i < len(s); {
		if n := emit.PlainRun(s[i:], quote, dollar); n > 0 {
			b = append(b, s[i:i+n]...)
			i += n
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		switch c := s[i]; {
		case c == quote || c == '\\' || quote == '`' && c == '$' && strings.HasPrefix(s[i:], "${"):
			b = append(b, '\\', c)
		case c == '\n' && breaks:
			b = append(b, c)
		case emit.LineEscape(c) != 0:
			b = append(b, '\\', emit.LineEscape(c))
		case c < ' ' || c == 0x7f || r == utf8.RuneError && n == 1: // a byte, where the string is Latin-1
			n = 1
			b = append(b, '\\', 'x', emit.HexDigits[c>>4], emit.HexDigits[c&15])
		case c >= 0x80 && !strconv.IsPrint(r) && r >= 0x10000:
			b = append(b, `\u{`+strconv.FormatInt(int64(r), 16)+`}`...)
		case c >= 0x80 && !strconv.IsPrint(r):
			b = emit.AppendCodeUnit(b, r)
		default:
			b = append(b, s[i:i+n]...)
		}
		i += n
	}
	return string(append(b, quote))
}

// inK6 reports a script for k6, which has no process and no Buffer, and writes
// fields as UTF-8.
func inK6(p *plan.Program) bool { return p.Target.Client == "k6" }

// jsVariable returns the expression that reads a variable.
func jsVariable(p *plan.Program, v *request.Variable) string {
	if v.Encoding == plan.Computed {
		return v.Name
	}
	expr := "process.env"
	switch {
	case plan.IsLocal(v), p.IsFunction():
	case inK6(p):
		expr = "__ENV"
	case inBrowser(p):
		expr = "env"
		p.Use("const env = {};")
		member := "." + v.Name
		if !emit.IsIdentifier(v.Name) {
			member = "[" + String(v.Name) + "]"
		}
		p.Use("env" + member + " = prompt(" + String(v.Name) + ");")
	}
	switch {
	case plan.IsLocal(v):
		expr = v.Name
	case p.IsFunction():
		expr = p.Parameter(v)
	case emit.IsIdentifier(v.Name):
		expr += "." + v.Name
	default:
		expr += "[" + String(v.Name) + "]"
	}
	if inTypeScript(p) && !plan.IsLocal(v) && !v.HasDefault && !p.IsFunction() {
		expr += "!"
	}
	if v.HasDefault && !p.IsFunction() {
		expr = "(" + expr + " || " + String(v.Default) + ")"
	}
	if v.Encoding == plan.LastSegment && !inK6(p) && !inBrowser(p) {
		p.Use(`import { basename } from "node:path";`)
		return "basename(" + expr + ")"
	}
	if v.Encoding == request.EncodingJSON && p.IsFunction() {
		expr = "String(" + expr + ")" // of a number, too
	}
	if helper := valueHelper(p, v.Encoding); helper != "" {
		return helper + "(" + expr + ")"
	}
	return JsEncoded(expr, v.Encoding)
}

// JsEncoded returns an expression for the value of another in an encoding.
func JsEncoded(expr string, encoding request.Encoding) string {
	switch encoding {
	case plan.UserPart:
		return expr + `.split(":")[0]`
	case plan.PasswordPart:
		return expr + `.replace(/^[^:]*:?/, "")`
	case plan.LastSegment:
		return expr + `.split("/").pop()`
	case request.EncodingPercent:
		return "encodeURIComponent(" + expr + ")"
	case request.EncodingForm:
		return "encodeURIComponent(" + expr + `).replaceAll("%20", "+")`
	case request.EncodingJSON:
		return "JSON.stringify(" + expr + ").slice(1, -1)"
	}
	return expr
}

// Text returns an expression of type string.
func Text(p *plan.Program, t plan.Text) emit.Node {
	breaks := emit.SpansLines(t.Literals())
	if s, ok := t.Plain(); ok {
		if breaks {
			return emit.Leaf(delimited(s, '`', true))
		}
		return p.LongSum(s, " +", String)
	}
	if len(t) == 1 {
		return emit.Leaf(jsVariable(p, t[0].Variable))
	}
	var b strings.Builder
	b.WriteByte('`')
	for _, part := range t {
		if part.Variable != nil {
			b.WriteString("${" + jsVariable(p, part.Variable) + "}")
			continue
		}
		quoted := delimited(part.Literal, '`', breaks)
		b.WriteString(quoted[1 : len(quoted)-1])
	}
	b.WriteByte('`')
	return emit.Leaf(b.String())
}

// Bytes returns an expression for bytes: a string where they are UTF-8, and
// a Buffer where not.
func Bytes(p *plan.Program, t plan.Text) emit.Node {
	if t.IsText() {
		return Text(p, t)
	}
	if inBrowser(p) {
		n, ok := browserBytes(t)
		if !ok {
			p.Refuse("puts no bytes and variables together")
		}
		return n
	}
	if s, ok := t.Plain(); ok {
		return emit.Leaf("Buffer.from(" + Quote(emit.Latin1(s), '"') + `, "latin1")`)
	}
	items := make([]emit.Node, len(t))
	for i := range t {
		items[i] = Bytes(p, t[i:i+1])
		if t[i].Variable != nil || utf8.ValidString(t[i].Literal) {
			items[i] = emit.Leaf("Buffer.from(" + items[i].Line() + ")")
		}
	}
	return emit.Group("Buffer.concat(", "[", items, "])")
}

// header returns the value of a field. The clients write a character as a
// byte, so what is not ASCII becomes a character for each byte of UTF-8.
func header(p *plan.Program, t plan.Text) emit.Node {
	if t.IsASCII() || inK6(p) && t.IsText() {
		return Text(p, t)
	}
	if inBrowser(p) {
		return browserHeader(p, t)
	}
	n := Text(p, t)
	if !t.IsText() {
		n = Bytes(p, t)
		return emit.Leaf(n.Line() + `.toString("latin1")`)
	}
	return emit.Leaf("Buffer.from(" + n.Line() + `).toString("latin1")`)
}

// property returns a property of an object: its name alone where the value is the parameter
// of that name.
func property(p *plan.Program, name string, value emit.Node) emit.Node {
	if p.IsFunction() && value.Open == "" && emit.IsIdentifier(name) && !slices.Contains(jsConvention.Naming.Taken, name) && value.Line() == name {
		return value
	}
	return emit.Named(jsName(name), ": ", value)
}

// imports writes the import lines, one for each module.
func imports(p *plan.Program) {
	write := func(line string) {
		if names, module, ok := strings.Cut(strings.TrimPrefix(line, "import "), " from "); ok && p.Has(CommonJS) {
			module, comment, _ := strings.Cut(module, ";")
			line = "const " + strings.ReplaceAll(names, " as ", ": ") + " = require(" + module + ");" + comment
		}
		p.Line(line)
	}
	for i, line := range p.Imports {
		names, module, named := strings.Cut(line, " } from ")
		if !named {
			write(line)
			continue
		}
		isModules := func(s string) bool { return strings.HasSuffix(s, " } from "+module) }
		if slices.ContainsFunc(p.Imports[:i], isModules) {
			continue
		}
		for _, other := range p.Imports[i+1:] {
			if isModules(other) {
				name, _, _ := strings.Cut(strings.TrimPrefix(other, "import { "), " }")
				names += ", " + name
			}
		}
		write(names + " } from " + module)
	}
	if len(p.Imports) > 0 {
		p.Line()
	}
}

// formEncode encodes a string of bytes for a form.
const formEncode = `function formEncode(latin1) {
  return latin1.replace(/[^\w.~-]/g, (c) =>
    c === " " ? "+" : "%" + Buffer.from(c, "latin1").toString("hex").toUpperCase(),
  );
}`

// jsFile returns an expression for the content of a file, changed as curl
// changes it: a Buffer, or a string where it is percent-encoded.
func jsFile(p *plan.Program, one plan.Piece) string {
	var read string
	if name, ok := one.File.Plain(); ok && name == "-" {
		p.Use(`import { buffer } from "node:stream/consumers";`)
		read = "await buffer(process.stdin)"
	} else {
		p.Use(`import { readFile } from "node:fs/promises";`)
		read = "await readFile(" + Text(p, one.File).Line() + ")"
	}
	latin1 := strings.TrimSuffix(read, ")") + `, "latin1")` // a character for each byte
	if one.Offset > 0 {
		read = "(" + read + ").subarray(" + emit.Itoa(int(one.Offset)) + ")"
	}
	if strings.Contains(read, "process.stdin") || one.Offset > 0 {
		latin1 = "(" + read + `).toString("latin1")`
	}
	switch {
	case one.Urlencode:
		p.Help(typedHelper(p, formEncode))
		read = "formEncode(" + latin1 + ")"
	case one.Strip:
		if strings.HasPrefix(latin1, "await ") {
			latin1 = "(" + latin1 + ")"
		}
		read = "Buffer.from(" + latin1 + `.replace(/[\r\n\0]/g, ""), "latin1")`
	}
	if len(one.Name) > 0 {
		read = String(one.Name.Source()+"=") + " + " + read
	}
	return read
}

// jsPieces returns the bytes of texts and files, joined.
func jsPieces(p *plan.Program, pieces []plan.Piece) emit.Node {
	text := true // each piece is a string
	for _, one := range pieces {
		text = text && (one.IsText && one.Text.IsText() || one.Urlencode)
	}
	items := make([]emit.Node, 0, len(pieces))
	for _, one := range pieces {
		switch {
		case !one.IsText && text || !one.IsText && !one.Urlencode && len(one.Name) == 0:
			items = append(items, emit.Leaf(jsFile(p, one)))
		case !one.IsText:
			items = append(items, emit.Leaf("Buffer.from("+jsFile(p, one)+")"))
		case text:
			items = append(items, Text(p, one.Text))
		default:
			n := Bytes(p, one.Text)
			if !strings.HasPrefix(n.Head, "Buffer.") {
				n = emit.Wrapped("Buffer.from", n)
			}
			items = append(items, n)
		}
	}
	if len(items) == 1 {
		return items[0]
	}
	if text {
		n := emit.Group("", "[", items, `].join("")`)
		return n
	}
	return emit.Group("Buffer.concat(", "[", items, "])")
}

// url returns the URL, after the statements that make its query, and those that guess
// its scheme where a variable may bring none.
func (r *jsRequest) url() emit.Node {
	if !inK6(r.p) { // which has no URLSearchParams
		if pairs := r.c.TakeQuery(&plan.EncodeWHATWG, nil); pairs != nil {
			query := "query" + r.suffix
			r.p.Node("const "+query+" = ", r.search(pairs), ";")
			r.c.ComputeQuery(query)
		}
	}
	url := Text(r.p, r.c.URLText)
	if !r.c.Guess {
		return url
	}
	name := "url" + r.suffix
	r.p.Node("let "+name+" = ", url, ";")
	r.p.Line("if (!", name, `.includes("://")) `, name, " = `http://${", name, "}`; // as curl does")
	return emit.Leaf(name)
}

// querySetting adds the setting for the query, which becomes URLSearchParams.
func (r *jsRequest) querySetting(name string) {
	pairs := r.c.TakeQuery(&plan.EncodeWHATWG, nil)
	if pairs == nil {
		return
	}
	if n := r.pairs(pairs); n.Open == "{" {
		r.add(name, n)
	} else {
		r.add(name, r.search(pairs))
	}
}
