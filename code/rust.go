package code

import (
	"strings"
	"unicode/utf8"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/source/quote"
	"uncoil/request"
)

// rustLanguage is what the targets of Rust share.
var rustLanguage = language{literal: rustString, variable: rustVariable}

var rustStyle = style{indent: "    ", comma: ",", comment: "// ", wraps: "="}

// writeRust writes the frame of a program around its requests.
func writeRust(p *program, dependencies string, write func(c *call)) {
	sections := p.sections(1, func(c *call, _ string) { write(c) })
	if p.options.Bare {
		p.join(sections)
		return
	}
	p.line("// Cargo.toml: ", dependencies)
	for _, name := range p.imports {
		p.line("use ", name, ";")
	}
	p.line()
	p.line("fn main() -> Result<(), Box<dyn std::error::Error>> {")
	p.join(sections)
	p.line(p.indent, "Ok(())")
	p.line("}")
	for _, h := range p.helpers {
		p.line()
		p.dst = append(p.dst, h...)
	}
}

// makeRustFolder writes the statement that makes the folder of the file of -o,
// where the command asks for it.
func (p *program) makeRustFolder(c *call) {
	if folder := c.folder(); folder != nil {
		p.line("std::fs::create_dir_all(", p.rustText(folder), ")?;")
	}
}

// rustString returns a string literal: a raw one where it needs fewer escapes.
func rustString(s string) string { return rustLines(s, hasLines(s)) }

// rustLines is rustString, with line breaks as they are or escaped.
func rustLines(s string, lines bool) string {
	if standsForItself(s, '"', "") {
		return `"` + s + `"`
	}
	special := strings.ContainsAny(s, "\"\\")
	odd := strings.ContainsFunc(s, func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' || r == 0x7f || quote.Turns(r) })
	if breaks := strings.Contains(s, "\n"); odd || !special && !breaks || breaks && !lines || strings.TrimSpace(s) == "" {
		return quoted(s, "", func(b []byte, s string) []byte {
			if len(s) > 1 { // \x ends with ASCII
				r, _ := utf8.DecodeRuneInString(s)
				return appendBraced(b, r)
			}
			return hexEscape(b, s)
		})
	}
	fence := ""
	for strings.Contains(s, `"`+fence) {
		fence += "#"
	}
	return "r" + fence + `"` + s + `"` + fence
}

// rustBytes returns a literal of type &[u8; N].
func rustBytes(s string) string {
	b := []byte(`b"`)
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case lineEscape(c) != 0:
			b = append(b, '\\', lineEscape(c))
		case c < ' ' || c >= 0x7f:
			b = append(b, '\\', 'x', hexDigits[c>>4], hexDigits[c&15])
		default:
			b = append(b, c)
		}
	}
	return string(append(b, '"'))
}

func rustVariable(p *program, v *request.Variable) string {
	p.use("std::env")
	expr := "env::var(" + rustString(v.Name) + ")"
	if v.HasDefault {
		expr += ".unwrap_or_else(|_| " + rustString(v.Default) + ".to_string())"
	} else {
		expr += "?"
	}
	switch v.Encoding {
	case userPart:
		return expr + ".split_once(':').unwrap_or_default().0.to_string()"
	case passwordPart:
		return expr + ".split_once(':').unwrap_or_default().1.to_string()"
	case lastSegment:
		return expr + ".rsplit('/').next().unwrap_or_default().to_string()"
	case request.Percent:
		p.help(rustEncode("percent_encode", "%20"))
		return "percent_encode(" + expr + ")"
	case request.FormEncode:
		p.help(rustEncode("form_encode", "+"))
		return "form_encode(" + expr + ")"
	case request.JSONEscape:
		p.refuse("escapes no variable for JSON")
	}
	return expr
}

// rustEncode returns a function that percent-encodes.
func rustEncode(name, blank string) string {
	return `fn ` + name + `(data: impl AsRef<[u8]>) -> String {
    data.as_ref()
        .iter()
        .map(|b| match b {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => (*b as char).to_string(),
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

// rustText returns an expression of type &str, or String where the text has
// variables.
func (p *program) rustText(t text) string {
	if !t.isText() {
		p.refuse("sends only UTF-8 there")
	}
	if s, ok := t.plain(); ok {
		return rustString(s)
	}
	if len(t) == 1 {
		return rustVariable(p, t[0].variable)
	}
	doubled := func(s string) string { return strings.ReplaceAll(strings.ReplaceAll(s, "{", "{{"), "}", "}}") }
	format, arguments := t.format("{}", doubled, func(v *request.Variable) string { return rustVariable(p, v) })
	return "format!(" + rustLines(format, hasLines(t.literals())) + arguments + ")"
}

// rustBorrowed returns an expression of type &str.
func (p *program) rustBorrowed(t text) string {
	s := p.rustText(t)
	if _, ok := t.plain(); !ok {
		s = "&" + s
	}
	return s
}

// rustForm returns a call that encodes pairs.
func (p *program) rustForm(pairs []pair, head string) node {
	str := func(t text) node { // the first pair settles the type of all
		if s, borrows := strings.CutPrefix(p.rustBorrowed(decoded(t)), "&"); borrows {
			return leaf(s + ".as_str()")
		}
		return leaf(p.rustBorrowed(decoded(t)))
	}
	items := make([]node, len(pairs))
	for i, f := range pairs {
		items[i] = group("", "(", []node{str(f.name), str(f.value)}, ")")
	}
	end := "])"
	if len(items) > 32 {
		end = "][..])" // Serde knows longer arrays as slices only
	}
	return group(head, "(&[", items, end)
}

// rustLong returns the same, over several lines where it is long.
func (p *program) rustLong(t text) node {
	s, ok := t.plain()
	if !ok || strings.Contains(s, "\n") || !isLong(s) || !t.isText() {
		return leaf(p.rustText(t))
	}
	n := rustLanguage.long(p, "concat!", "(", s, ")", ",")
	return n
}

// rustVector returns an expression of type Vec<u8>.
func (p *program) rustVector(t text) string {
	s, ok := t.plain()
	switch {
	case ok && t.isText():
		return "Vec::from(" + rustString(s) + ")"
	case ok:
		return rustBytes(s) + ".to_vec()"
	}
	return p.rustText(t) + ".into_bytes()"
}

// rustPieces returns an expression of type Vec<u8>: texts and files, joined.
func (p *program) rustPieces(pieces []piece) node {
	var items []node
	pieces = lineByLine(pieces)
	for _, one := range pieces {
		if one.isText {
			items = append(items, leaf(p.rustVector(one.text)))
			continue
		}
		if len(one.name) > 0 {
			items = append(items, leaf(p.rustVector(one.prefix())))
		}
		data := "fs::read(" + p.rustText(one.file) + ")?"
		if one.file.source() == "-" {
			p.use("std::io")
			data = "io::read_to_string(io::stdin())?.into_bytes()"
		} else {
			p.use("std::fs")
		}
		if one.offset > 0 {
			data += ".split_off(" + itoa(int(one.offset)) + ")"
		}
		if one.strip {
			data += `.into_iter().filter(|b| !b"\r\n\0".contains(b)).collect::<Vec<u8>>()`
		}
		if one.urlencode {
			p.help(rustEncode("form_encode", "+"))
			data = "form_encode(" + data + ").into_bytes()"
		}
		items = append(items, leaf(data))
	}
	if len(items) == 1 {
		return items[0]
	}
	return group("", "[", items, "].concat()")
}

// rustURL returns the URL, after the statements that guess its scheme where a
// variable may bring none.
func (p *program) rustURL(c *call) string {
	url := p.rustText(c.url)
	if !c.guess {
		return url
	}
	p.line("let mut url = ", url, ";")
	p.block(`if !url.contains("://") {`, func() { p.line(`url.insert_str(0, "http://"); // as curl does`) })
	p.line("}")
	return "&url"
}

// rustDuration writes a number of seconds.
func rustDuration(p *program, s float64) string {
	p.use("std::time::Duration")
	if s == float64(int64(s)) {
		return "Duration::from_secs(" + seconds(s) + ")"
	}
	return "Duration::from_millis(" + milliseconds(s) + ")"
}

// rustPlainNames reports whether names stand in a form as they are.
func rustPlainNames(parts []formPart) bool {
	for i := range parts {
		for _, s := range []*string{&parts[i].Name, parts[i].filename} {
			if s != nil && strings.ContainsFunc(*s, func(r rune) bool {
				return r >= 0x80 || !ascii.IsLetter(byte(r)) && !ascii.IsDigit(byte(r)) && !strings.ContainsRune("-_.[]", r)
			}) {
				return false
			}
		}
	}
	return true
}
