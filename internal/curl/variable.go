package curl

import (
	"encoding/base64"
	"strconv"
	"strings"

	"uncoil/diag"
	"uncoil/internal/shell"
	"uncoil/internal/shell/word"
)

// maxVariableName bounds the name of a variable, which has to be shorter
// (MAX_VAR_LEN in curl 8.22 src/var.c).
const maxVariableName = 128

// variable is one set by --variable.
type variable struct{ name, content string }

// setVariable reads --variable: name=text, name@file, %name to import it from
// the environment, %name=default, each with an optional byte range name[n-m]
// (setvariable() in curl 8.22 src/var.c).
func (p *parser) setVariable(s Setting) {
	text, imported := strings.CutPrefix(s.Value.Text, "%")
	end := 0
	for end < len(text) && isNameByte(text[end]) {
		end++
	}
	name, rest := text[:end], text[end:]
	if name == "" || len(name) >= maxVariableName {
		p.diags.Warn(diag.WarnVariableSyntax, s.Value.Span, "curl skips this variable, since its name is empty or too long", "write name=value")
		return
	}
	p.append(s)
	if imported {
		if value, ok := p.in.Env[name]; ok {
			p.variables = append(p.variables, variable{name, value})
			return
		}
		if rest == "" {
			p.fail(diag.CodeVariable, s.Value.Span, s.Name, "the environment variable "+name+" is not known", "pass it in env, or give a default: %"+name+"=value")
			return
		}
	}
	from, to, rest, ok := cutRange(rest)
	if !ok {
		p.fail(diag.CodeVariable, s.Value.Span, s.Name, "the byte range of the variable is not of the form [n-m]", "")
		return
	}
	var content string
	switch {
	case strings.HasPrefix(rest, "@"):
		if content, ok = p.in.Read(rest[1:]); !ok {
			p.notSupplied(rest[1:], s.Value.Span, "the variable "+name+" is in a file")
			return
		}
	case strings.HasPrefix(rest, "="):
		content = rest[1:]
	default:
		p.diags.Warn(diag.WarnVariableSyntax, s.Value.Span, "curl skips this variable, since neither = nor @ follows its name", "write name=value or name@file")
		return
	}
	p.variables = append(p.variables, variable{name, sliceBytes(content, from, to)})
}

func isNameByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// cutRange reads an optional [n-m] or [n-]; to is -1 when open.
func cutRange(s string) (from, to int64, rest string, ok bool) {
	if len(s) < 2 || s[0] != '[' || s[1] < '0' || s[1] > '9' {
		return 0, -1, s, true
	}
	from, rest, problem := cutNumber(s[1:])
	rest, dash := strings.CutPrefix(rest, "-")
	if problem != "" || !dash {
		return 0, 0, "", false
	}
	if after, closed := strings.CutPrefix(rest, "]"); closed {
		return from, -1, after, true
	}
	to, rest, problem = cutNumber(rest)
	rest, closed := strings.CutPrefix(rest, "]")
	return from, to, rest, problem == "" && closed && from <= to
}

func sliceBytes(s string, from, to int64) string {
	if from >= int64(len(s)) {
		return ""
	}
	if to < 0 || to >= int64(len(s)) {
		return s[from:]
	}
	return s[from : to+1]
}

// maxExpansion bounds what --expand- makes of one argument, as curl does
// (MAX_EXPAND_CONTENT in curl 8.22 src/var.c).
const maxExpansion = 10_000_000

// expand replaces {{name:function:…}} in the argument of an --expand- option
// (varexpand() in curl 8.22 src/var.c). Where nothing is replaced the
// argument stays as it is, backslashes included.
func (p *parser) expand(w *shell.Word, option string) (*shell.Word, bool) {
	var out strings.Builder
	rest, replaced := w.Text, false
	for {
		open := strings.Index(rest, "{{")
		if open < 0 {
			break
		}
		if open > 0 && rest[open-1] == '\\' {
			out.WriteString(rest[:open-1])
			out.WriteString("{{")
			rest = rest[open+2:]
			continue
		}
		length := strings.Index(rest[open:], "}}")
		if length < 0 {
			p.diags.Warn(diag.WarnVariableSyntax, w.Span, "a {{ is not closed by }}", "")
			break
		}
		closing := open + length
		name, functions := rest[open+2:closing], ""
		if i := strings.IndexByte(name, ':'); i >= 0 {
			name, functions = name[:i], name[i:]
		}
		switch {
		case name == "" || len(name) >= maxVariableName, !isName(name):
			out.WriteString(rest[:closing+2])
		default:
			value, ok := p.evaluate(name, functions, w, option)
			if !ok {
				return w, false
			}
			out.WriteString(rest[:open])
			out.WriteString(value)
			replaced = true
		}
		if out.Len() > maxExpansion {
			p.fail(diag.CodeVariable, w.Span, option, "the expanded argument is longer than curl allows", "")
			return w, false
		}
		rest = rest[closing+2:]
	}
	if !replaced {
		return w, true
	}
	out.WriteString(rest)
	if !p.in.Meter.Hold(out.Len()) {
		p.failed = true
		p.diags = append(p.diags, p.in.Meter.Diagnostic(w.Span))
		return w, false
	}
	return p.in.word(out.String(), w.Span), true
}

func isName(s string) bool {
	for i := range len(s) {
		if !isNameByte(s[i]) {
			return false
		}
	}
	return true
}

// evaluate returns the value of a variable after its functions. A variable
// that was never set is empty.
func (p *parser) evaluate(name, functions string, w *shell.Word, option string) (string, bool) {
	value := ""
	for i := len(p.variables) - 1; i >= 0; i-- {
		if p.variables[i].name == name {
			value = p.variables[i].content
			break
		}
	}
	for functions != "" {
		function := functions[1:]
		if i := strings.IndexByte(function, ':'); i >= 0 {
			function, functions = function[:i], function[i:]
		} else {
			functions = ""
		}
		var ok bool
		if value, ok = applyFunction(function, value, p.in.Marks); !ok {
			p.fail(diag.CodeVariable, w.Span, option, "curl has no variable function "+printable(function),
				"the functions are trim, json, url, b64 and 64dec")
			return "", false
		}
	}
	if strings.IndexByte(value, 0) >= 0 {
		p.fail(diag.CodeVariable, w.Span, option, "the variable "+name+" holds a NUL byte, which no argument can", "encode it: {{"+name+":b64}}")
		return "", false
	}
	return value, true
}

// applyFunction applies a function to a value. Base64 leaves no marks.
func applyFunction(name, value string, marks *word.Marks) (result string, ok bool) {
	if name == "b64" || name == "64dec" {
		value = marks.Restore(value)
	}
	switch name {
	case "trim":
		return strings.TrimFunc(value, func(r rune) bool { return r < 0x80 && isSpace(byte(r)) }), true
	case "json":
		return marks.Encode(value, word.JSON, jsonQuoted), true
	case "url":
		return marks.Encode(value, word.Percent, EscapeURL), true
	case "b64":
		return base64.StdEncoding.EncodeToString([]byte(value)), true
	case "64dec":
		if value == "" {
			return "", true
		}
		decoded, err := base64.StdEncoding.DecodeString(value)
		if err != nil || strings.ContainsAny(value, "\r\n") {
			return "[64dec-fail]", true
		}
		return string(decoded), true
	}
	return "", false
}

// jsonQuoted escapes a value for the inside of a JSON string, bytes above
// 0x7f as they are (jsonquoted() in curl 8.22 src/tool_writeout_json.c).
func jsonQuoted(s string) string {
	var b strings.Builder
	for i := range len(s) {
		switch c := s[i]; {
		case c == '\\' || c == '"':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ':
			if j := strings.IndexByte("\b\f\n\r\t", c); j >= 0 {
				b.WriteByte('\\')
				b.WriteByte("bfnrt"[j])
			} else {
				b.WriteString(`\u00`)
				if c < 16 {
					b.WriteByte('0')
				}
				b.WriteString(strconv.FormatUint(uint64(c), 16))
			}
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// EscapeURL percent-encodes every byte that is not unreserved, as
// curl_easy_escape() does.
func EscapeURL(s string) string { return escape(s, "%20") }

// EscapeForm percent-encodes for form data, where a space is a plus.
func EscapeForm(s string) string { return escape(s, "+") }

// AppendForm appends what [EscapeForm] returns.
func AppendForm(dst []byte, s string) []byte { return appendEscaped(dst, s, "+") }

func escape(s, space string) string {
	plain := 0
	for plain < len(s) && isUnreserved(s[plain]) {
		plain++
	}
	if plain == len(s) {
		return s
	}
	return string(appendEscaped(make([]byte, 0, len(s)+2*(len(s)-plain)), s, space))
}

func appendEscaped(dst []byte, s, space string) []byte {
	const hex = "0123456789ABCDEF"
	for _, c := range []byte(s) {
		switch {
		case isUnreserved(c):
			dst = append(dst, c)
		case c == ' ':
			dst = append(dst, space...)
		default:
			dst = append(dst, '%', hex[c>>4], hex[c&15])
		}
	}
	return dst
}

func isUnreserved(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '-' || c == '.' || c == '_' || c == '~'
}
