package check

import (
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/curl"
	"uncoil/internal/engine/jsontext"
	"uncoil/internal/engine/mime"
	"uncoil/internal/engine/placeholder"
	"uncoil/internal/engine/source/quote"
	"uncoil/request"
)

// lostQuotes looks for JSON whose quotes the shell takes for its own, because
// nothing quotes the whole: -d {"a":1}, or double quotes do: -d "{"a":1}",
// -F "x={"a":1}".
func (k *checker) lostQuotes(s *curl.Setting) {
	start := s.Value.Span.Start
	text := k.from(start)
	open := 0
	if strings.HasPrefix(text, `"`) {
		open = 1
	}
	at := open + nameLength(s, text[open:])
	if len(text) < at+2 || text[at] != '{' && text[at] != '[' {
		return
	}
	n, seen := containerLength(text[at:min(len(text), longestJSON)])
	json := text[at : at+n]
	if !k.meter.Work(seen) || n == 0 || text[open:at+n] == s.Value.Text || strings.IndexByte(json, '"') < 0 || !k.meter.Work(2*n) || !jsontext.Container(json) {
		return
	}
	end := at + n
	arg := text[open:end]
	if open == 1 {
		if s.ID == curl.OptForm {
			end += attributesLength(text[end:])
			arg = text[open:end]
		}
		if !strings.HasPrefix(text[end:], `"`) {
			return
		}
		end++
	}
	k.bodyDoubted = true
	span := diag.Span{Start: start, End: start + int32(end)}
	k.fix(diag.WarnQuotesLost, span, "the shell takes the quotes in this JSON for its own, so curl does not get them",
		"put single quotes around the JSON, or in cmd.exe a backslash before each inner quote", span, k.quoted(arg))
}

// nameLength returns the length of the name= before the value of a data or form
// option, or 0. --json has none.
func nameLength(s *curl.Setting, text string) int {
	const longest = 100
	if s.ID == curl.OptJson {
		return 0
	}
	for i := range min(len(text), longest) {
		switch c := text[i]; {
		case c == '=' && i > 0:
			return i + 1
		case !ascii.IsNameByte(c) && strings.IndexByte("-.[]", c) < 0 || i == 0 && c == '[':
			return 0
		}
	}
	return 0
}

// attributesLength returns the length of the type= and the like after the value of a
// form field.
func attributesLength(text string) int {
	const longest = 200
	if !strings.HasPrefix(text, ";") {
		return 0
	}
	n := 0
	for n < len(text) && n < longest && (ascii.IsNameByte(text[n]) || strings.IndexByte(";=/+-. ", text[n]) >= 0) {
		n++
	}
	return n
}

// lostApostrophes looks for JSON between single quotes in which an even number of
// apostrophes stands, so that the shell takes them away and joins the pieces:
// -d '{"a":"don't","b":"can't"}', or those of its own strings: -d '{'a':1}'. Quotes
// that stand alone around a value are meant: '{"a":'$X'}'.
func (k *checker) lostApostrophes(s *curl.Setting) {
	if k.Style != quote.POSIX || k.bodyDoubted || len(s.Value.Holes) > 0 {
		return
	}
	start := s.Value.Span.Start
	text := k.from(start)
	if len(text) < 3 || text[0] != '\'' || k.raw(s.Value.Span) == "'"+s.Value.Text+"'" {
		return
	}
	at := 1 + nameLength(s, text[1:])
	at += blanks(text[at:])
	if at+1 >= len(text) || text[at] != '{' && text[at] != '[' {
		return
	}
	n, seen := containerLength(text[at:min(len(text), longestJSON)])
	if !k.meter.Work(2*seen) || n == 0 {
		return
	}
	end := at + n + blanks(text[at+n:])
	if !strings.HasPrefix(text[end:], "'") {
		return
	}
	if json := text[at : at+n]; (strings.IndexByte(json, '$') < 0 || onlyApostrophes(json)) && text[1:end] != s.Value.Text &&
		strings.IndexByte(json, '\'') >= 0 && !strings.Contains(json, `\'`) && k.meter.Work(2*n) && jsontext.Container(json) {
		k.bodyDoubted = true
		span := diag.Span{Start: start, End: start + int32(end+1)}
		k.fix(diag.WarnQuotesLost, span, "the shell takes the apostrophes in this JSON for its own quotes, so curl does not get them",
			`write '\'' for an apostrophe between single quotes`, span, k.quoted(text[1:end]))
		return
	}
	k.lostStrings(s, text[:end+1], at)
}

// blanks returns how many blanks and line breaks a text begins with, of those that are few.
func blanks(text string) int {
	text = text[:min(len(text), 256)]
	return len(text) - len(strings.TrimLeft(text, " \t\r\n"))
}

// onlyApostrophes reports whether each single quote of a text stands within a word.
func onlyApostrophes(text string) bool {
	for i := range len(text) {
		if text[i] == '\'' && (i == 0 || i+1 == len(text) || !ascii.IsLetter(text[i-1]) || !ascii.IsLetter(text[i+1])) {
			return false
		}
	}
	return true
}

// keptBackslashes looks for JSON between single quotes that is written for double quotes:
// -d '{\"a\":1}', or whose lines end in a backslash. The shell keeps all of them.
func (k *checker) keptBackslashes(s *curl.Setting) {
	text := s.Value.Text
	if k.Style != quote.POSIX || k.bodyDoubted || len(s.Value.Holes) > 0 || strings.IndexByte(text, '\\') < 0 || k.raw(s.Value.Span) != "'"+text+"'" {
		return
	}
	at := nameLength(s, text)
	if at == len(text) || text[at] != '{' && text[at] != '[' || !k.meter.Work(4*len(text)) || jsontext.Container(text[at:]) || !k.meter.Hold(len(text)) {
		return
	}
	json := withoutBackslashes(text[at:])
	if !jsontext.Container(json) {
		return
	}
	k.bodyDoubted = true
	k.fix(diag.WarnInvalidJSON, s.Value.Span, "between single quotes the shell keeps the backslashes of this JSON, and curl sends them",
		"remove the backslashes", s.Value.Span, k.quoted(text[:at]+json))
}

// withoutBackslashes returns a text as the shell reads it between double quotes, but for
// variables; a backslash before a blank or a line break goes alone.
func withoutBackslashes(s string) string {
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && strings.IndexByte("\"\\\r\n \t", s[i+1]) >= 0 {
			i++
		}
		b = append(b, s[i])
	}
	return string(b)
}

// lostStrings looks for JSON between single quotes, from at up to the last byte of a text,
// whose strings stand between single quotes, too. What is JSON without them is meant so.
func (k *checker) lostStrings(s *curl.Setting, text string, at int) {
	value := s.Value.Text
	if !k.meter.Work(2*len(text)+len(value)) || !k.meter.Hold(len(text)) || len(value) >= at && jsontext.Container(value[at-1:]) {
		return
	}
	json := withDoubleQuotes(text[at : len(text)-1])
	if !jsontext.Container(json) {
		return
	}
	k.bodyDoubted = true
	span := diag.Span{Start: s.Value.Span.Start, End: s.Value.Span.Start + int32(len(text))}
	k.fix(diag.WarnQuotesLost, span, "the shell takes the quotes in this JSON for its own, so curl does not get them",
		"JSON takes double quotes only", span, k.quoted(text[1:at]+json))
}

// withDoubleQuotes returns JSON with double quotes around the strings that have single
// ones, or "" where such a string holds a double quote.
func withDoubleQuotes(s string) string {
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c != '"' && c != '\'' {
			b = append(b, c)
			continue
		}
		b = append(b, '"')
		for i++; i < len(s) && s[i] != c; i++ {
			if s[i] == '"' {
				return ""
			}
			b = append(b, s[i])
			if s[i] == '\\' && i+1 < len(s) {
				i++
				b = append(b, s[i])
			}
		}
		b = append(b, '"')
	}
	return string(b)
}

// longestJSON bounds how far the end of JSON is looked for.
const longestJSON = 64 << 10

// containerLength returns how far the JSON object or array at the start of s
// goes, by its brackets and strings alone, or 0, and how much of s it has seen.
func containerLength(s string) (n, seen int) {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1, i + 1
			}
		case '"':
			for i++; i < len(s) && s[i] != '"'; i++ {
				if s[i] == '\\' {
					i++
				}
			}
		}
	}
	return 0, len(s)
}

// bodies checks the bodies of all requests against their content types.
func (k *checker) bodies() {
	last := ""
	for i := range k.Requests {
		r := &k.Requests[i]
		if r.Body == nil || r.Body.Data == last || k.bodyDoubted || !saysJSON(r.Fields) {
			continue
		}
		if last = r.Body.Data; !k.meter.Work(2 * len(last)) {
			return
		}
		switch r.Body.Kind {
		case request.KindText, request.KindForm:
			if !isJSON(last) {
				k.invalidJSON(last)
			}
		}
	}
}

// saysJSON reports whether the content type is that of one JSON text.
func saysJSON(fields []request.Field) bool {
	for i := range fields {
		if !ascii.EqualFold(fields[i].Name, "Content-Type") {
			continue
		}
		return mime.IsJSON(fields[i].Value)
	}
	return false
}

// isJSON reports whether a body is JSON, or lines of JSON as many services take
// them, or begins as a JSON string or number does.
func isJSON(body string) bool {
	body = strings.TrimSpace(body)
	if body == "" || ascii.IsDigit(body[0]) || body[0] == '-' || body[0] == '"' || body == "null" || body == "true" || body == "false" || jsontext.Container(body) {
		return true
	}
	for line := range strings.Lines(body) {
		if line = strings.TrimSpace(line); line != "" && !jsontext.Container(line) {
			return false
		}
	}
	return true
}

// invalidJSON says what is wrong with a body, at the last data option.
func (k *checker) invalidJSON(body string) {
	var s *curl.Setting
	options := 0
	for i := range k.Operations {
		for j := range k.Operations[i].Settings {
			switch o := &k.Operations[i].Settings[j]; o.ID {
			case curl.OptData, curl.OptDataAscii, curl.OptDataBinary, curl.OptDataRaw, curl.OptJson, curl.OptDataUrlencode:
				if len(o.Value.Holes) > 0 {
					return // what the shell would put there may make it JSON
				}
				s = o
				options++
			}
		}
	}
	if s == nil || holdsPlaceholder(body) || s.Value.Text != "" && s.Value.Text[0] == '@' && strings.IndexByte(body, '$') >= 0 {
		return
	}
	span := s.Value.Span
	if options == 1 && s.Value.Text == body {
		if text := withoutTrailingCommas(body); text != body && jsontext.Container(text) {
			fixed, with := k.smallest(s, body, text)
			k.fix(diag.WarnInvalidJSON, span, notJSON+": a comma stands before a closing bracket", "remove the comma", fixed, with)
			return
		}
		if text := strings.ReplaceAll(body, "'", `"`); text != body && !strings.Contains(body, `"`) && jsontext.Container(text) {
			k.fix(diag.WarnInvalidJSON, span, notJSON+": its strings stand between single quotes", "JSON takes double quotes only", span, k.quoted(text))
			return
		}
		if k.nearJSON(s, body) {
			return
		}
	}
	k.warn(diag.WarnInvalidJSON, span, notJSON, "correct the body, or send another Content-Type")
}

// holdsPlaceholder reports whether something in a body is still to be filled in.
func holdsPlaceholder(body string) bool {
	return strings.Contains(body, "{{") || placeholder.Elides(body) ||
		strings.Contains(body, "<") && strings.Contains(body, ">") || strings.Contains(body, "${") ||
		jsontext.Container(withoutNames(body))
}

// withoutNames puts a 0 for each name in capitals that stands outside strings:
// "count": COUNT.
func withoutNames(s string) string {
	out := make([]byte, 0, len(s))
	quoted := false
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case quoted && c == '\\' && i+1 < len(s):
			out = append(out, c)
			i++
			c = s[i]
		case c == '"':
			quoted = !quoted
		case !quoted && 'A' <= c && c <= 'Z':
			for i+1 < len(s) && ('A' <= s[i+1] && s[i+1] <= 'Z' || s[i+1] == '_' || ascii.IsDigit(s[i+1])) {
				i++
			}
			c = '0'
		}
		out = append(out, c)
	}
	return string(out)
}

// withoutTrailingCommas removes the commas that stand before a closing bracket.
func withoutTrailingCommas(s string) string {
	var out []byte
	kept := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '"':
			for i++; i < len(s) && s[i] != '"'; i++ {
				if s[i] == '\\' {
					i++
				}
			}
		case ',':
			rest := strings.TrimLeft(s[i+1:min(len(s), i+256)], " \t\r\n")
			if rest != "" && (rest[0] == '}' || rest[0] == ']') {
				out = append(out, s[kept:i]...)
				kept = i + 1
			}
		}
	}
	if kept == 0 {
		return s
	}
	return string(append(out, s[kept:]...))
}

// smallest returns the replacement that turns the argument body into text: of
// one comma where the text spells the body as it is, or else of all.
func (k *checker) smallest(s *curl.Setting, body, text string) (diag.Span, string) {
	raw := k.raw(s.Value.Span)
	if len(raw) == len(body)+2 && raw[1:len(raw)-1] == body && len(text) == len(body)-1 {
		i := 0
		for i < len(text) && text[i] == body[i] {
			i++
		}
		at := s.Value.Span.Start + 1 + int32(i)
		return diag.Span{Start: at, End: at + 1}, ""
	}
	return s.Value.Span, k.quoted(text)
}

// singleQuotedVariable looks for $NAME between single quotes, where the shell
// leaves it as it is.
func (k *checker) singleQuotedVariable(s *curl.Setting) {
	switch s.ID {
	case curl.OptUrl, curl.OptHeader, curl.OptUser, curl.OptCookie, curl.OptUserAgent, curl.OptOauth2Bearer,
		curl.OptData, curl.OptDataAscii, curl.OptDataBinary, curl.OptDataRaw, curl.OptJson, curl.OptForm:
	default:
		return
	}
	text := s.Value.Text
	if k.Style != quote.POSIX || strings.IndexByte(text, '$') < 0 || !k.meter.Work(len(text)) {
		return
	}
	raw := k.raw(s.Value.Span)
	if raw != "'"+text+"'" {
		return
	}
	var out []byte
	name, kept, plain := "", 0, !strings.ContainsAny(text, "\"\\`!")
	for i := 0; i < len(text); i++ {
		if text[i] != '$' {
			continue
		}
		n := environmentLength(text[i:])
		if n == 0 && (s.ID == curl.OptUrl || s.ID == curl.OptHeader || s.ID == curl.OptUser) {
			n = substitutionLength(text[i:])
		}
		if n == 0 {
			plain = false
			continue
		}
		name = text[i : i+n]
		out = append(out, text[kept:i]...)
		out = append(out, `'"`...)
		out = append(out, name...)
		if strings.HasPrefix(name, "$(") {
			name = "$(…)" // whose words may be a secret
		}
		out = append(out, `"'`...)
		i += n - 1
		kept = i + 1
	}
	if name == "" {
		return
	}
	fixed := "'" + string(append(out, text[kept:]...)) + "'"
	if plain {
		fixed = `"` + text + `"`
	}
	k.fix(diag.WarnQuotedVariable, s.Value.Span, name+" stands between single quotes, where the shell does not put a value in its place",
		`end the single quotes before it: '"`+name+`"', or use double quotes`, s.Value.Span, fixed)
}

// substitutionLength returns the length of the $(…) that s begins with, where it is a command
// of plain words, or 0.
func substitutionLength(s string) int {
	end := strings.IndexByte(s, ')')
	if !strings.HasPrefix(s, "$(") || end < 0 || !ascii.IsLetter(s[2]) {
		return 0
	}
	for _, c := range []byte(s[2:end]) {
		if !ascii.IsNameByte(c) && strings.IndexByte(" -./:=|", c) < 0 {
			return 0
		}
	}
	return end + 1
}

// QuotedVariable returns the variable that the doubt about an argument in single quotes names:
// the last one of the environment in it, as typed, or "".
func QuotedVariable(argument string) (name string) {
	for i := range len(argument) {
		if argument[i] == '$' {
			if n := environmentLength(argument[i:]); n > 0 {
				name = argument[i : i+n]
			}
		}
	}
	return name
}

// environmentLength returns the length of the $NAME or ${NAME} that s begins
// with, where the name is in capitals as those of the environment are, or 0.
// Other names are those of GraphQL, of MongoDB and of others.
func environmentLength(s string) int {
	at := 1
	if strings.HasPrefix(s, "${") {
		at = 2
	}
	n := ascii.NameLength(s[at:])
	name := s[at : at+n]
	if n < 2 || strings.ToUpper(name) != name {
		return 0
	}
	if at == 1 {
		return at + n
	}
	if !strings.HasPrefix(s[at+n:], "}") {
		return 0
	}
	return at + n + 1
}
