package rust

import (
	"strings"
	"unicode/utf8"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/source/quote"
	"uncoil/request"
)

// language is what the targets of Rust share.
var language = plan.Language{Literal: String, Variable: variable}

var style = emit.Style{Indent: "    ", Comma: ",", Comment: "// ", Wraps: "=", Rules: emit.Rustfmt}

// writeRust writes the frame of a program around its requests.
func writeRust(p *plan.Program, async bool, write func(c *plan.Call)) {
	sections := p.Sections(p.Depth(1), func(c *plan.Call, _ string) { write(c) })
	p.Head(func() {
		if !p.Options.Bare {
			for _, d := range p.Dependencies() {
				p.Line("// ", d.File, ": ", d.Line)
			}
		}
		for _, name := range p.Imports {
			p.Line("use ", name, ";")
		}
		p.Line()
	})
	if p.Options.Bare {
		p.Join(sections)
	} else {
		before := ""
		if async {
			before = "async "
		}
		if async && !p.IsFunction() {
			p.Line("#[tokio::main]")
		}
		rustFunction(p, before)
		p.Join(sections)
		if p.Result == "" {
			p.Line(p.Indent, "Ok(())")
		}
		p.Line("}")
	}
	for _, h := range p.Helpers {
		p.Line()
		p.Dst = append(p.Dst, h...)
	}
}

// makeRustFolder writes the statement that makes the folder of the file of -o,
// where the command asks for it.
func makeRustFolder(p *plan.Program, c *plan.Call) {
	if folder := c.Folder(); folder != nil {
		p.Line("std::fs::create_dir_all(", text(p, folder), ")?;")
	}
}

// String returns a string literal: a raw one where it needs fewer escapes.
func String(s string) string { return rustLines(s, emit.HasLines(s)) }

// rustLines is rustString, with line breaks as they are or escaped.
func rustLines(s string, lines bool) string {
	if emit.StandsForItself(s, '"', "") {
		return `"` + s + `"`
	}
	special := strings.ContainsAny(s, "\"\\")
	odd := strings.ContainsFunc(s, func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' || r == 0x7f || quote.Turns(r) })
	if breaks := strings.Contains(s, "\n"); odd || !special && !breaks || breaks && !lines || strings.TrimSpace(s) == "" {
		return emit.Quoted(s, "", func(b []byte, s string) []byte {
			if len(s) > 1 { // \x ends with ASCII
				r, _ := utf8.DecodeRuneInString(s)
				return emit.AppendBraced(b, r)
			}
			return emit.HexEscape(b, s)
		})
	}
	fence := ""
	for strings.Contains(s, `"`+fence) {
		fence += "#"
	}
	return "r" + fence + `"` + s + `"` + fence
}

// Bytes returns a literal of type &[u8; N].
func Bytes(s string) string {
	b := []byte(`b"`)
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case emit.LineEscape(c) != 0:
			b = append(b, '\\', emit.LineEscape(c))
		case c < ' ' || c >= 0x7f:
			b = append(b, '\\', 'x', emit.HexDigits[c>>4], emit.HexDigits[c&15])
		default:
			b = append(b, c)
		}
	}
	return string(append(b, '"'))
}

func variable(p *plan.Program, v *request.Variable) string {
	expr, owned := lookUp(p, v), ".to_string()"
	if p.IsFunction() {
		owned = ""
	}
	switch v.Encoding {
	case plan.UserPart:
		return expr + ".split_once(':').unwrap_or_default().0" + owned
	case plan.PasswordPart:
		return expr + ".split_once(':').unwrap_or_default().1" + owned
	case plan.LastSegment:
		return expr + ".rsplit('/').next().unwrap_or_default()" + owned
	case request.EncodingPercent:
		p.Help(encode("percent_encode", "%20"))
		return "percent_encode(" + expr + ")"
	case request.EncodingForm:
		p.Help(encode("form_encode", "+"))
		return "form_encode(" + expr + ")"
	case request.EncodingJSON:
		if p.TakesValues() {
			p.Help(jsonText)
			return "json_text(" + expr + ")"
		}
		p.Refuse("escapes no variable for JSON")
	case plan.Segment:
		p.Help(encode("percent_encode", "%20"))
		p.Help(pathSegment)
		return "path_segment(" + expr + ")?"
	case plan.Segments:
		p.Help(encode("percent_encode", "%20"))
		p.Help(pathSegment)
		p.Help(pathSegments)
		return "path_segments(" + expr + ")?"
	case plan.JSONElements:
		p.Help(jsonValue)
		p.Help(jsonElements)
		return "json_elements(" + expr + ")?"
	case plan.JSONValue:
		p.Help(jsonValue)
		return "json_value(" + expr + ")?"
	}
	return expr
}

// lookUp returns an expression for the value of a variable: a String of the environment, or
// a parameter of type &str.
func lookUp(p *plan.Program, v *request.Variable) string {
	if p.IsFunction() {
		expr := p.Parameter(v)
		if v.HasDefault {
			expr += ".unwrap_or(" + String(v.Default) + ")"
		}
		return expr
	}
	p.Use("std::env")
	expr := "env::var(" + String(v.Name) + ")"
	if v.HasDefault {
		return expr + ".unwrap_or_else(|_| " + String(v.Default) + ".to_string())"
	}
	return expr + "?"
}

// encode returns a function that percent-encodes.
func encode(name, blank string) string {
	return `fn ` + name + `(data: impl AsRef<[u8]>) -> String {
    data.as_ref()
        .iter()
        .map(|b| match b {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                (*b as char).to_string()
            }
            b' ' => "` + blank + `".to_string(),
            _ => format!("%{b:02X}"),
        })
        .collect()
}
`
}

// rustBase64 is a function that the standard library lacks.
const rustBase64 = `fn base64(data: impl AsRef<[u8]>) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for c in data.as_ref().chunks(3) {
        let n = c.iter().fold(0, |n, b| n << 8 | usize::from(*b)) << (8 * (3 - c.len()));
        for i in 0..4 {
            let digit = DIGITS[n >> (18 - 6 * i) & 63] as char;
            text.push(if i <= c.len() { digit } else { '=' });
        }
    }
    text
}
`

// text returns an expression of type &str, or String where the text has
// variables and is not lent.
func text(p *plan.Program, t plan.Text) string {
	if !t.IsText() {
		p.Refuse("sends only UTF-8 there")
	}
	if s, ok := t.Plain(); ok {
		return String(s)
	}
	if len(t) == 1 {
		return variable(p, t[0].Variable)
	}
	return rustFormat(p, t).Line()
}

// rustFormat returns a call of format! for a text with variables. Names stand in the format.
func rustFormat(p *plan.Program, t plan.Text) emit.Node {
	doubled := func(s string) string { return strings.ReplaceAll(strings.ReplaceAll(s, "{", "{{"), "}", "}}") }
	arguments := []emit.Node{{}}
	var format strings.Builder
	for i := range t {
		if t[i].Variable == nil {
			format.WriteString(doubled(t[i].Literal))
			continue
		}
		expr := variable(p, t[i].Variable)
		if emit.IsIdentifier(expr) {
			format.WriteString("{" + expr + "}")
			continue
		}
		format.WriteString("{}")
		arguments = append(arguments, emit.Leaf(expr))
	}
	arguments[0] = emit.Leaf(rustLines(format.String(), emit.HasLines(t.Literals())))
	return emit.Group("format!", "(", arguments, ")")
}

// node is text as a node, whose arguments may stand on lines of their own.
func node(p *plan.Program, t plan.Text) emit.Node {
	if _, ok := t.Plain(); !ok && len(t) > 1 && t.IsText() {
		return rustFormat(p, t)
	}
	return emit.Leaf(text(p, t))
}

// borrowedNode is borrowed as a node.
func borrowedNode(p *plan.Program, t plan.Text) emit.Node {
	if _, ok := t.Plain(); ok || lent(p, t) {
		return node(p, t)
	}
	return node(p, t).Around("&", "")
}

// borrowed returns an expression of type &str.
func borrowed(p *plan.Program, t plan.Text) string {
	s := text(p, t)
	if _, ok := t.Plain(); !ok && !lent(p, t) {
		s = "&" + s
	}
	return s
}

// call returns a call; one of a macro alone is hugged.
func call(name string, arguments ...emit.Node) emit.Node {
	return emit.Hug(emit.Group(name, "(", arguments, ")"))
}

// form returns a call that encodes pairs.
func form(p *plan.Program, pairs []plan.Pair, head string) emit.Node {
	str := func(t plan.Text) emit.Node { // the first pair settles the type of all
		if s, borrows := strings.CutPrefix(borrowed(p, plan.Decoded(t)), "&"); borrows {
			return emit.Leaf(s + ".as_str()")
		}
		return emit.Leaf(borrowed(p, plan.Decoded(t)))
	}
	items := make([]emit.Node, len(pairs))
	for i, f := range pairs {
		items[i] = emit.Group("", "(", []emit.Node{str(f.Name), str(f.Value)}, ")")
	}
	end := "])"
	if len(items) > 32 {
		end = "][..])" // Serde knows longer arrays as slices only
	}
	return emit.Group(head, "(&[", items, end)
}

// long is ownedNode, over several lines where it is long.
func long(p *plan.Program, t plan.Text) emit.Node {
	s, ok := t.Plain()
	if !ok || strings.Contains(s, "\n") || !p.IsLong(s) || !t.IsText() {
		return ownedNode(p, t)
	}
	n := language.Long(p, "concat!", "(", s, ")", ",")
	return n
}

// vector returns an expression of type Vec<u8>.
func vector(p *plan.Program, t plan.Text) string {
	s, ok := t.Plain()
	switch {
	case ok && t.IsText(), lent(p, t):
		return "Vec::from(" + text(p, t) + ")"
	case ok:
		return Bytes(s) + ".to_vec()"
	}
	return text(p, t) + ".into_bytes()"
}

// rustPieces returns an expression of type Vec<u8>: texts and files, joined.
func rustPieces(p *plan.Program, pieces []plan.Piece) emit.Node {
	var items []emit.Node
	pieces = plan.LineByLine(pieces)
	for _, one := range pieces {
		if one.IsText {
			items = append(items, emit.Leaf(vector(p, one.Text)))
			continue
		}
		if len(one.Name) > 0 {
			items = append(items, emit.Leaf(vector(p, one.Prefix())))
		}
		data := "fs::read(" + text(p, one.File) + ")?"
		if one.File.Source() == "-" {
			p.Use("std::io")
			data = "io::read_to_string(io::stdin())?.into_bytes()"
		} else {
			p.Use("std::fs")
		}
		if one.Offset > 0 {
			data += ".split_off(" + emit.Itoa(int(one.Offset)) + ")"
		}
		if one.Strip {
			items = append(items, emit.Lines([]string{data, ".into_iter()", `.filter(|b| !b"\r\n\0".contains(b))`, ".collect::<Vec<u8>>()"}))
			continue
		}
		if one.Urlencode {
			p.Help(encode("form_encode", "+"))
			data = "form_encode(" + data + ").into_bytes()"
		}
		items = append(items, emit.Leaf(data))
	}
	if len(items) == 1 {
		return items[0]
	}
	return emit.Group("", "[", items, "].concat()")
}

// rustURL returns the URL as write has it, after the statements that guess its scheme where
// a variable may bring none.
func rustURL(p *plan.Program, c *plan.Call, write func(*plan.Program, plan.Text) emit.Node) emit.Node {
	if !c.Guess {
		return write(p, c.URLText)
	}
	p.Line("let mut url = ", ownedNode(p, c.URLText).Line(), ";")
	p.Block(`if !url.contains("://") {`, func() { p.Line(`url.insert_str(0, "http://"); // as curl does`) })
	p.Line("}")
	return emit.Leaf("&url")
}

// duration writes a number of seconds.
func duration(p *plan.Program, s float64) string {
	p.Use("std::time::Duration")
	if s == float64(int64(s)) {
		return "Duration::from_secs(" + emit.Seconds(s) + ")"
	}
	return "Duration::from_millis(" + emit.Milliseconds(s) + ")"
}

// plainNames reports whether names stand in a form as they are.
func plainNames(parts []plan.FormPart) bool {
	for i := range parts {
		for _, s := range []*string{&parts[i].Name, parts[i].FilenameText} {
			if s != nil && strings.ContainsFunc(*s, func(r rune) bool {
				return r >= 0x80 || !ascii.IsLetter(byte(r)) && !ascii.IsDigit(byte(r)) && !strings.ContainsRune("-_.[]", r)
			}) {
				return false
			}
		}
	}
	return true
}

// widestChain is how wide a chain of calls may be on one line: chain_width of rustfmt 1.
const widestChain = 60

// rustChain writes a statement of a value and calls on it: on one line where that is short,
// but for the last of them, whose arguments may have lines.
func rustChain(p *plan.Program, before, first string, calls []emit.Node) {
	last := len(calls) - 1
	width, joined := len(first), first
	for i := range calls[:max(last, 0)] {
		if width = min(width+calls[i].Width, emit.TooWide); width >= widestChain {
			break // and joined is not written
		}
		joined += calls[i].Line()
	}
	switch {
	case last < 0:
		p.Line(before, first, ";")
	case width+calls[last].Width < widestChain, width < widestChain && calls[last].Open != "" && !p.Brief(&calls[last]):
		p.Node(before, calls[last].Around(joined, ""), ";")
	default:
		p.Block(before+first, func() {
			for i := range last {
				p.Node("", calls[i], "")
			}
			p.Node("", calls[last], ";")
		})
	}
}

// joinChain puts a chain of calls, a line each from an offset on, on one line where that is
// short.
func joinChain(p *plan.Program, start int) {
	lines := strings.Split(strings.TrimSuffix(string(p.Dst[start:min(len(p.Dst), start+1000)]), "\n"), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimLeft(line, " \t")
		if i > 0 && !strings.HasPrefix(lines[i], ".") || strings.Count(line, `"`)%2 != 0 { // a text goes on
			return
		}
	}
	one := strings.Join(lines, "")
	_, chain, found := strings.Cut(one, " = ")
	if !found {
		chain = one
	}
	if len(chain) > widestChain || !p.Fits(emit.Columns(one)) {
		return
	}
	p.Dst = p.Dst[:start]
	p.Line(one)
}
