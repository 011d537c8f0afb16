package code

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"uncoil/internal/engine/ascii"
	"uncoil/request"
)

// javascriptStyle is prettier's.
var javascriptStyle = style{indent: "  ", comma: ",", comment: "// ", wraps: "=:"}

// jsStringify are the ways in which JSON.stringify prints, with the arguments
// that ask for them.
var jsStringify = []struct {
	encoder
	arguments string
}{
	{encoder{item: ",", name: ":", number: jsNumber, keeps: jsKeeps}, ""},
	{encoder{item: ",", name: ": ", indent: "  ", number: jsNumber, keeps: jsKeeps}, ", null, 2"},
	{encoder{item: ",", name: ": ", indent: "    ", number: jsNumber, keeps: jsKeeps}, ", null, 4"},
	{encoder{item: ",", name: ": ", indent: "\t", number: jsNumber, keeps: jsKeeps}, `, null, "\t"`},
}

// jsKeeps reports whether an object literal keeps its members: names that look
// like array indexes come first, and __proto__ is none.
func jsKeeps(names []string) bool {
	for _, n := range names {
		if n == "__proto__" || n != "" && ascii.IsDigit(n[0]) && strings.Trim(n, "0123456789") == "" {
			return false
		}
	}
	return distinct(names)
}

// jsNumber returns what JSON.stringify prints for a number: ECMA-262,
// Number::toString.
func jsNumber(digits string) string {
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

// jsValue returns a JSON value as a literal.
func (p *program) jsValue(v *value) node {
	switch v.kind {
	case stringValue:
		return leaf(jsString(v.text))
	case arrayValue:
		items := p.list(len(v.items))
		for i := range v.items {
			items = append(items, p.jsValue(&v.items[i]))
		}
		return group("", "[", items, "]")
	case objectValue:
		items := p.list(len(v.items))
		for i := range v.items {
			items = append(items, named(jsName(v.names[i]), ": ", p.jsValue(&v.items[i])))
		}
		return braced(items)
	}
	return leaf(v.text)
}

// jsName returns the name of a member, quoted where it is not an identifier.
func jsName(s string) string {
	for i := range len(s) {
		if !ascii.IsNameByte(s[i]) && s[i] != '$' || i == 0 && ascii.IsDigit(s[0]) {
			return jsString(s)
		}
	}
	if s == "" {
		return jsString(s)
	}
	return s
}

// jsString returns a string literal.
func jsString(s string) string {
	quote := byte('"')
	if strings.IndexByte(s, '"') >= 0 && strings.IndexByte(s, '\'') < 0 {
		quote = '\''
	}
	return jsQuote(s, quote)
}

// jsQuote returns a string literal in one kind of quotes; ` makes a template,
// in which ${ is escaped too.
func jsQuote(s string, quote byte) string {
	return jsDelimited(s, quote, quote == '`' && spansLines(s))
}

// jsDelimited is jsQuote, with line breaks as they are or escaped.
func jsDelimited(s string, quote byte, breaks bool) string {
	dollar := ""
	if quote == '`' {
		dollar = "$"
	}
	if standsForItself(s, quote, dollar) {
		return string(quote) + s + string(quote)
	}
	b := append(make([]byte, 0, len(s)+8), quote)
	for i := 0; i < len(s); {
		if n := plainRun(s[i:], quote, dollar); n > 0 {
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
		case lineEscape(c) != 0:
			b = append(b, '\\', lineEscape(c))
		case c < ' ' || c == 0x7f || r == utf8.RuneError && n == 1: // a byte, where the string is Latin-1
			n = 1
			b = append(b, '\\', 'x', hexDigits[c>>4], hexDigits[c&15])
		case c >= 0x80 && !strconv.IsPrint(r) && r >= 0x10000:
			b = append(b, `\u{`+strconv.FormatInt(int64(r), 16)+`}`...)
		case c >= 0x80 && !strconv.IsPrint(r):
			b = appendCodeUnit(b, r)
		default:
			b = append(b, s[i:i+n]...)
		}
		i += n
	}
	return string(append(b, quote))
}

// inK6 reports a script for k6, which has no process and no Buffer, and writes
// fields as UTF-8.
func (p *program) inK6() bool { return p.target.Client == "k6" }

// jsVariable returns the expression that reads a variable.
func (p *program) jsVariable(v *request.Variable) string {
	if v.Encoding == computed {
		return v.Name
	}
	expr := "process.env"
	if p.inK6() {
		expr = "__ENV"
	}
	if isIdentifier(v.Name) {
		expr += "." + v.Name
	} else {
		expr += "[" + jsString(v.Name) + "]"
	}
	if v.HasDefault {
		expr = "(" + expr + " || " + jsString(v.Default) + ")"
	}
	if v.Encoding == lastSegment && !p.inK6() {
		p.use(`import { basename } from "node:path";`)
		return "basename(" + expr + ")"
	}
	return jsEncoded(expr, v.Encoding)
}

// jsEncoded returns an expression for the value of another in an encoding.
func jsEncoded(expr string, encoding request.Encoding) string {
	switch encoding {
	case userPart:
		return expr + `.split(":")[0]`
	case passwordPart:
		return expr + `.replace(/^[^:]*:?/, "")`
	case lastSegment:
		return expr + `.split("/").pop()`
	case request.Percent:
		return "encodeURIComponent(" + expr + ")"
	case request.FormEncode:
		return "encodeURIComponent(" + expr + `).replaceAll("%20", "+")`
	case request.JSONEscape:
		return "JSON.stringify(" + expr + ").slice(1, -1)"
	}
	return expr
}

// jsText returns an expression of type string.
func (p *program) jsText(t text) node {
	breaks := spansLines(t.literals())
	if s, ok := t.plain(); ok {
		if breaks {
			return leaf(jsDelimited(s, '`', true))
		}
		return p.longString(s, " +", jsString)
	}
	if len(t) == 1 {
		return leaf(p.jsVariable(t[0].variable))
	}
	var b strings.Builder
	b.WriteByte('`')
	for _, part := range t {
		if part.variable != nil {
			b.WriteString("${" + p.jsVariable(part.variable) + "}")
			continue
		}
		quoted := jsDelimited(part.literal, '`', breaks)
		b.WriteString(quoted[1 : len(quoted)-1])
	}
	b.WriteByte('`')
	return leaf(b.String())
}

// jsBytes returns an expression for bytes: a string where they are UTF-8, and
// a Buffer where not.
func (p *program) jsBytes(t text) node {
	if t.isText() {
		return p.jsText(t)
	}
	if s, ok := t.plain(); ok {
		return leaf("Buffer.from(" + jsQuote(latin1(s), '"') + `, "latin1")`)
	}
	items := make([]node, len(t))
	for i := range t {
		items[i] = p.jsBytes(t[i : i+1])
		if t[i].variable != nil || utf8.ValidString(t[i].literal) {
			items[i] = leaf("Buffer.from(" + items[i].head + ")")
		}
	}
	return group("Buffer.concat(", "[", items, "])")
}

// jsHeader returns the value of a field. The clients write a character as a
// byte, so what is not ASCII becomes a character for each byte of UTF-8.
func (p *program) jsHeader(t text) node {
	if t.isASCII() || p.inK6() && t.isText() {
		return p.jsText(t)
	}
	n := p.jsText(t)
	if !t.isText() {
		n = p.jsBytes(t)
		return leaf(n.head + `.toString("latin1")`)
	}
	return leaf("Buffer.from(" + n.head + `).toString("latin1")`)
}

// jsImports writes the import lines, one for each module.
func (p *program) jsImports() {
	for i, line := range p.imports {
		names, module, named := strings.Cut(line, " } from ")
		if !named {
			p.line(line)
			continue
		}
		isModules := func(s string) bool { return strings.HasSuffix(s, " } from "+module) }
		if slices.ContainsFunc(p.imports[:i], isModules) {
			continue
		}
		for _, other := range p.imports[i+1:] {
			if isModules(other) {
				name, _, _ := strings.Cut(strings.TrimPrefix(other, "import { "), " }")
				names += ", " + name
			}
		}
		p.line(names, " } from ", module)
	}
	if len(p.imports) > 0 {
		p.line()
	}
}

// jsFormEncode encodes a string of bytes for a form.
const jsFormEncode = `function formEncode(latin1) {
  return latin1.replace(/[^\w.~-]/g, (c) =>
    c === " " ? "+" : "%" + Buffer.from(c, "latin1").toString("hex").toUpperCase()
  );
}`

// jsFile returns an expression for the content of a file, changed as curl
// changes it: a Buffer, or a string where it is percent-encoded.
func (p *program) jsFile(one piece) string {
	var read string
	if name, ok := one.file.plain(); ok && name == "-" {
		p.use(`import { buffer } from "node:stream/consumers";`)
		read = "await buffer(process.stdin)"
	} else {
		p.use(`import { readFile } from "node:fs/promises";`)
		read = "await readFile(" + p.jsText(one.file).line() + ")"
	}
	latin1 := strings.TrimSuffix(read, ")") + `, "latin1")` // a character for each byte
	if one.offset > 0 {
		read = "(" + read + ").subarray(" + itoa(int(one.offset)) + ")"
	}
	if strings.Contains(read, "process.stdin") || one.offset > 0 {
		latin1 = "(" + read + `).toString("latin1")`
	}
	switch {
	case one.urlencode:
		p.help(jsFormEncode)
		read = "formEncode(" + latin1 + ")"
	case one.strip:
		if strings.HasPrefix(latin1, "await ") {
			latin1 = "(" + latin1 + ")"
		}
		read = "Buffer.from(" + latin1 + `.replace(/[\r\n\0]/g, ""), "latin1")`
	}
	if len(one.name) > 0 {
		read = jsString(one.name.source()+"=") + " + " + read
	}
	return read
}

// jsPieces returns the bytes of texts and files, joined.
func (p *program) jsPieces(pieces []piece) node {
	text := true // each piece is a string
	for _, one := range pieces {
		text = text && (one.isText && one.text.isText() || one.urlencode)
	}
	items := make([]node, 0, len(pieces))
	for _, one := range pieces {
		switch {
		case !one.isText && text || !one.isText && !one.urlencode && len(one.name) == 0:
			items = append(items, leaf(p.jsFile(one)))
		case !one.isText:
			items = append(items, leaf("Buffer.from("+p.jsFile(one)+")"))
		case text:
			items = append(items, p.jsText(one.text))
		default:
			n := p.jsBytes(one.text)
			if !strings.HasPrefix(n.head, "Buffer.") {
				n = wrapped("Buffer.from", n)
			}
			items = append(items, n)
		}
	}
	if len(items) == 1 {
		return items[0]
	}
	if text {
		n := group("", "[", items, `].join("")`)
		return n
	}
	return group("Buffer.concat(", "[", items, "])")
}

// url returns the URL, after the statements that make its query, and those that guess
// its scheme where a variable may bring none.
func (r *jsRequest) url() node {
	if !r.p.inK6() { // which has no URLSearchParams
		if pairs := r.c.takeQuery(&encodeWHATWG, nil); pairs != nil {
			query := "query" + r.suffix
			r.p.node("const "+query+" = ", r.search(pairs), ";")
			r.c.computeQuery(query)
		}
	}
	url := r.p.jsText(r.c.url)
	if !r.c.guess {
		return url
	}
	name := "url" + r.suffix
	r.p.node("let "+name+" = ", url, ";")
	r.p.line("if (!", name, `.includes("://")) `, name, " = `http://${", name, "}`; // as curl does")
	return leaf(name)
}

// querySetting adds the setting for the query, which becomes URLSearchParams.
func (r *jsRequest) querySetting(name string) {
	pairs := r.c.takeQuery(&encodeWHATWG, nil)
	if pairs == nil {
		return
	}
	if n := r.pairs(pairs); n.open == "{" {
		r.add(name, n)
	} else {
		r.add(name, r.search(pairs))
	}
}
