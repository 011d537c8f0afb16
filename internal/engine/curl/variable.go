package curl

import (
	"encoding/base64"
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/source/word"
)

// Limits of curl's variables: the length of a name, which must be less, and
// of what a function or an --expand- option makes (MAX_VAR_LEN and
// MAX_EXPAND_CONTENT in curl 8.22 src/var.c).
const (
	maxVariableName = 128
	maxExpansion    = 10_000_000
)

// setVariable reads --variable: name=text, name@file, %name to import it from
// the environment, %name=default, each with an optional byte range name[n-m]
// (setvariable() in curl 8.22 src/var.c).
func (p *parser) setVariable(s *Setting) {
	text, imported := strings.CutPrefix(s.Value.Text, "%")
	end := 0
	for end < len(text) && ascii.IsNameByte(text[end]) {
		end++
	}
	name, rest := text[:end], text[end:]
	if name == "" || len(name) >= maxVariableName {
		p.warn(diag.WarnVariableSyntax, s.Value.Span, "curl skips this variable because its name is empty or too long", "write name=value")
		return
	}
	p.append(s)
	if imported {
		if value, ok := p.in.Env[name]; ok {
			p.define(name, value)
			return
		}
		if rest == "" {
			p.fail(diag.CodeVariable, s.Value.Span, s.Name, "the environment variable "+name+" is not known", "pass it in env, or give a default: %"+name+"=value")
			p.diags[len(p.diags)-1].Variable = name
			return
		}
		p.warn(diag.WarnVariableDefault, s.Value.Span, "the environment variable "+name+" is not known, and its default is taken", "pass it in env")
	}
	from, to, rest, ok := cutRange(rest)
	if !ok {
		p.fail(diag.CodeVariable, s.Value.Span, s.Name, "the byte range of the variable must be [n-m]", "")
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
		p.warn(diag.WarnVariableSyntax, s.Value.Span, "curl skips this variable because neither = nor @ follows its name", "write name=value or name@file")
		return
	}
	if from > 0 || to >= 0 {
		content = sliceBytes(p.in.Marks.Restore(content), from, to)
		p.in.found(content, false)
	}
	p.define(name, content)
}

// define gives a variable a value; an earlier one is lost.
func (p *parser) define(name, value string) {
	if !p.hold(len(name) + sizeOfWord) {
		return
	}
	if p.variables == nil {
		p.variables = make(map[string]string)
	}
	p.variables[name] = value
}

// cutRange reads an optional [n-m] or [n-]; to is -1 when open.
func cutRange(s string) (from, to int64, rest string, ok bool) {
	if len(s) < 2 || s[0] != '[' || !ascii.IsDigit(s[1]) {
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

// sliceBytes returns a byte range; to is -1 when open.
func sliceBytes(s string, from, to int64) string {
	end := int64(len(s))
	if to >= 0 {
		end = min(to+1, end)
	}
	return s[min(from, end):end]
}

// expand replaces {{name:function:…}} in the argument of an --expand- option:
// varexpand() in curl 8.22 src/var.c. Where nothing is replaced the argument
// stays as it is, backslashes included.
func (p *parser) expand(w *word.Word, option string) (*word.Word, bool) {
	if !p.work(len(w.Text) / 4) {
		return w, false
	}
	x := expansion{p: p, w: w, option: option}
	replaced := false
	i := 0
	for {
		open := strings.Index(w.Text[i:], "{{")
		if open < 0 {
			break
		}
		if open += i; open > i && w.Text[open-1] == '\\' {
			if !x.add(w.Text[i:open-1]) || !x.add("{{") {
				return w, false
			}
			i = open + 2
			continue
		}
		length := strings.Index(w.Text[open:], "}}")
		if length < 0 {
			p.warn(diag.WarnVariableSyntax, w.Span, "a {{ is not closed by }}", "")
			break
		}
		end := open + length
		name, functions, more := strings.Cut(w.Text[open+2:end], ":")
		if name == "" || len(name) >= maxVariableName || !isName(name) {
			if !x.add(w.Text[i : end+2]) {
				return w, false
			}
		} else {
			value, ok := x.evaluate(name, functions, more)
			if !ok || !x.add(w.Text[i:open]) || !x.add(value) {
				return w, false
			}
			replaced = true
		}
		i = end + 2
	}
	if !replaced {
		return w, true
	}
	if !x.add(w.Text[i:]) {
		return w, false
	}
	return p.word(x.text.String(), w.Span), !p.failed
}

func isName(s string) bool {
	for i := range len(s) {
		if !ascii.IsNameByte(s[i]) {
			return false
		}
	}
	return true
}

// An expansion is the state of expand.
type expansion struct {
	p      *parser
	w      *word.Word // the argument
	option string
	text   strings.Builder
}

// room reports whether a text can grow from n bytes by more: by curl's limit
// and by the meter, which is paid for them.
func (x *expansion) room(n, more int) bool {
	if more > maxExpansion-n {
		return x.fail("the expanded argument is longer than curl allows", "")
	}
	return x.p.hold(2 * more) // a builder that grows copies
}

func (x *expansion) fail(message, hint string) bool {
	x.p.fail(diag.CodeVariable, x.w.Span, x.option, message, hint)
	return false
}

// add adds text.
func (x *expansion) add(text string) bool {
	if !x.room(x.text.Len(), len(text)) {
		return false
	}
	x.text.WriteString(text)
	return true
}

// evaluate returns the value of a variable after its functions, if there are
// more than the name. A variable that was never set is empty.
func (x *expansion) evaluate(name, functions string, more bool) (value string, ok bool) {
	if !x.p.work(32) {
		return value, false
	}
	value = x.p.variables[name]
	for more {
		var function string
		function, functions, more = strings.Cut(functions, ":")
		if value, ok = x.apply(function, value); !ok {
			return value, false
		}
	}
	if strings.IndexByte(value, 0) >= 0 {
		return value, x.fail("the variable "+name+" holds a NUL byte, which no argument can", "encode it: {{"+name+":b64}}")
	}
	return value, true
}

// apply applies a function to a value: varfunc() in curl 8.22 src/var.c. What
// it makes is paid for before it is made. Base64 leaves no marks.
func (x *expansion) apply(function, value string) (result string, ok bool) {
	if !x.p.work(len(value) + 16) {
		return "", false
	}
	marks := x.p.in.Marks
	switch function {
	case "trim":
		return trimmed(value), true
	case "json":
		if !x.room(0, jsonLen(value)) {
			return "", false
		}
		return marks.Encode(value, word.JSON, jsonQuoted), true
	case "url":
		if !x.room(0, escapedLen(value, "%20")) {
			return "", false
		}
		return marks.Encode(value, word.Percent, EscapeURL), true
	case "b64", "64dec":
		value = x.restored(value, function)
	default:
		return "", x.fail("curl has no variable function of this name", "the functions are trim, json, url, b64 and 64dec")
	}
	if !x.room(0, base64.StdEncoding.EncodedLen(len(value))) {
		return "", false
	}
	if function == "b64" {
		return base64.StdEncoding.EncodeToString([]byte(value)), true
	}
	text := decoded(value)
	x.p.in.found(text, false)
	return text, true
}

// restored returns a value with its marks replaced by their spelling.
func (x *expansion) restored(value, function string) string {
	if mark, _, ok := x.p.in.Marks.Next(value); ok {
		x.p.warn(diag.WarnVariableKept, x.w.Span, "the value of "+mark.Hole.Shown()+" is not known, and "+function+" is applied to its spelling", "pass its value in env")
	}
	return x.p.in.Marks.Restore(value)
}

// trimmed removes blanks and controls from LF to CR at both ends.
func trimmed(s string) string {
	for s != "" && isSpace(s[0]) {
		s = s[1:]
	}
	for s != "" && isSpace(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	return s
}

// decoded returns what base64 stands for, or what curl puts there when it is
// malformed.
func decoded(s string) string {
	if s == "" {
		return ""
	}
	b, err := base64.StdEncoding.DecodeString(s)
	if err != nil || strings.ContainsAny(s, "\r\n") {
		return "[64dec-fail]"
	}
	return string(b)
}

// jsonEscapes are the control characters that have a short escape, in the
// order of jsonLetters.
const (
	jsonEscapes = "\b\f\n\r\t"
	jsonLetters = "bfnrt"
)

// jsonLen returns the length of what jsonQuoted returns.
func jsonLen(s string) int {
	n := len(s)
	for i := range len(s) {
		switch c := s[i]; {
		case c == '\\' || c == '"':
			n++
		case c >= ' ':
		case strings.IndexByte(jsonEscapes, c) >= 0:
			n++
		default:
			n += len(`\u0000`) - 1
		}
	}
	return n
}

// jsonQuoted escapes a value for the inside of a JSON string, bytes above
// 0x7f as they are: jsonquoted() in curl 8.22 src/tool_writeout_json.c.
func jsonQuoted(s string) string {
	n := jsonLen(s)
	if n == len(s) {
		return s
	}
	const hex = "0123456789abcdef"
	dst := make([]byte, 0, n)
	for i := range len(s) {
		switch c := s[i]; {
		case c == '\\' || c == '"':
			dst = append(dst, '\\', c)
		case c >= ' ':
			dst = append(dst, c)
		case strings.IndexByte(jsonEscapes, c) >= 0:
			dst = append(dst, '\\', jsonLetters[strings.IndexByte(jsonEscapes, c)])
		default:
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
	}
	return string(dst)
}
