package httpfile

import (
	"slices"
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/jsontext"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/message"
	"uncoil/internal/engine/source/word"
)

// A bodyLine is a line of the content, without its end.
type bodyLine struct {
	start, end int32
	file       bool // it names one
}

func (r *reader) lineText(l bodyLine) string { return r.src[l.start:l.end] }

func (l bodyLine) span() diag.Span { return diag.Span{Start: l.start, End: l.end} }

// lineWord returns a line with the values of its variables.
func (r *reader) lineWord(l bodyLine) (word.Word, bool) { return r.expand(r.lineText(l), int(l.start)) }

// isHandler reports whether a line begins what is done with the answer: a script or
// the file of one, a file for the answer, one with an earlier answer, a test.
func isHandler(text string) bool {
	for _, sign := range [...]string{"> ", ">\t", ">{%", ">> ", ">>! ", "<> ", "?? "} {
		if strings.HasPrefix(text, sign) {
			return true
		}
	}
	return false
}

// content reads what follows the empty line, up to the end of the section.
func (r *reader) content() bool {
	lines, ok := r.body()
	if !ok {
		return false
	}
	for len(lines) > 0 && strings.Trim(r.lineText(lines[0]), blanks) == "" {
		lines = lines[1:]
	}
	for len(lines) > 0 && strings.Trim(r.lineText(lines[len(lines)-1]), blanks) == "" {
		lines = lines[:len(lines)-1]
	}
	if r.graphQL {
		return r.query(lines)
	}
	if len(lines) == 0 {
		return true
	}
	r.msg.HasContent = true
	kind := r.contentType()
	media, _, _ := strings.Cut(kind, ";")
	media = strings.TrimSpace(media)
	files := 0
	for i := range lines {
		if lines[i].file {
			files++
		}
	}
	multipart := ascii.HasPrefixFold(media, "multipart/")
	switch {
	case multipart && (files > 0 || r.hasParts(lines, media, kind)):
		return r.parts(lines, kind)
	case files == 1 && len(lines) == 1:
		r.msg.InFile = true
		r.msg.Content, ok = r.lineWord(lines[0])
		return ok
	case files > 0:
		for i := range lines {
			if lines[i].file {
				return r.Fail(r.Syntax, lines[i].span(), "curl joins no text and the content of a file", "write all of the content in the file")
			}
		}
	}
	var b message.Text
	form := ascii.EqualFold(media, "application/x-www-form-urlencoded")
	for i := range lines {
		end := "\n"
		switch {
		case multipart:
			end = "\r\n"
		case form || i+1 == len(lines) && !ascii.EqualFold(media, "application/x-ndjson"):
			end = ""
		}
		line, ok := r.lineWord(lines[i])
		if !ok || form && !r.pairs(&b, line) || !form && !b.AddWord(r.Meter, line) || !b.Add(r.Meter, end) {
			return false
		}
	}
	r.msg.Content = b.Word(diag.Join(lines[0].span(), lines[len(lines)-1].span()))
	return true
}

// contentType returns the value of the field Content-Type, or "".
func (r *reader) contentType() string {
	for i := range r.msg.Fields {
		if f := &r.msg.Fields[i]; ascii.EqualFold(f.Name.Text, "Content-Type") {
			return f.Value.Text
		}
	}
	return ""
}

// body reads the lines of the content. Comments are none of it, as with all clients.
func (r *reader) body() (lines []bodyLine, ok bool) {
	if text, _, ok := r.peek(); ok && r.endsRequest(text) && !isHandler(text) && !isAnswer(text) {
		return nil, true // another request
	}
	for {
		text, at, ok := r.peek()
		switch {
		case !ok:
			return lines, !r.Meter.Over()
		case isAnswer(text):
			r.Warn(diag.WarnPastedNoise, span(at, r.end), "the answer after the request is left out", "")
			r.pos = r.end
			continue
		case isHandler(text):
			r.Warn(diag.WarnOtherCommand, span(at, at+len(text)), "what is done with the answer is left out", "")
			if !r.script(text, "{%", "%}") {
				return nil, false
			}
			continue
		case text == "{{":
			r.Warn(diag.WarnOtherCommand, span(at, at+len(text)), "the script is left out", "")
			if !r.script(text, "{{", "}}") {
				return nil, false
			}
			continue
		}
		start := r.pos
		r.line()
		if r.comment(text, at) {
			continue
		}
		one := bodyLine{}
		if name, replaced := fileName(text); name != "" {
			if replaced {
				r.Warn(diag.WarnVariableKept, span(at, at+len(text)), "variables in the file are not replaced", "pass the file with their values")
			}
			one.file = true
			text, at = name, at+len(text)-len(name)
		} else {
			text, at = strings.TrimSuffix(r.lineAt(start), "\r"), start
		}
		one.start, one.end = int32(at), int32(at+len(text))
		if !meter.Append(r.Meter, &lines, one) {
			return nil, false
		}
	}
}

// fileName returns the name of the file that a line inserts, and whether variables in
// it are replaced: < name, <@ name, <@latin1 name.
func fileName(text string) (name string, replaced bool) {
	rest, ok := strings.CutPrefix(text, "<")
	if !ok {
		return "", false
	}
	if rest, replaced = strings.CutPrefix(rest, "@"); replaced {
		rest = strings.TrimLeft(rest, "abcdefghijklmnopqrstuvwxyz0123456789-_")
	}
	name = strings.TrimLeft(rest, " \t")
	if name == rest {
		return "", false
	}
	return name, replaced
}

// pairs appends a line of a form, in which blanks around the signs mean nothing, and
// what a URL cannot have is encoded: encodeurl of npm.
func (r *reader) pairs(b *message.Text, line word.Word) bool {
	if !message.HoldCuts(r.Meter, line, 1) {
		return false
	}
	line = trim(line)
	return r.Meter.Hold(4*len(line.Text)) && b.AddEach(r.Meter, line, func(known string, at int) string {
		out := make([]byte, 0, len(known)+16)
		for i := 0; i < len(known); i++ {
			c := known[i]
			switch {
			case c == ' ' || c == '\t':
				end := i + len(known[i:]) - len(strings.TrimLeft(known[i:], " \t"))
				before, after := byte(0), byte(0)
				if i > 0 {
					before = known[i-1]
				}
				if end < len(known) {
					after = known[end]
				}
				if before != '=' && before != '&' && after != '=' && after != '&' {
					out = ascii.AppendPercent(out, known[i:end], "%20")
				}
				i = end - 1
			case c == '%' && (i+2 >= len(known) || !ascii.IsHex(known[i+1]) || !ascii.IsHex(known[i+2])), c < ' ', c >= 0x7f, strings.IndexByte("\"<>`{}", c) >= 0:
				out = ascii.AppendPercent(out, string(known[i:i+1]), "%20")
			default:
				out = append(out, c)
			}
		}
		return string(out)
	})
}

// query makes the content of a request of GraphQL: the query, an empty line, and its
// variables as JSON.
func (r *reader) query(lines []bodyLine) bool {
	var query, variables, content message.Text
	into := &query
	operation := ""
	for i := range lines {
		text := strings.Trim(r.lineText(lines[i]), blanks)
		switch {
		case lines[i].file:
			return r.Fail(r.Syntax, lines[i].span(), "curl makes no JSON of the content of a file", "write the query here")
		case text == "" && into == &query:
			into = &variables
			continue
		case operation == "" && into == &query:
			operation = operationName(text)
		}
		line, ok := r.lineWord(lines[i])
		if !ok || into.Len() > 0 && !into.Add(r.Meter, "\n") || !into.AddWord(r.Meter, line) {
			return false
		}
	}
	at := r.target.Span
	if len(lines) > 0 {
		at = diag.Join(lines[0].span(), lines[len(lines)-1].span())
	}
	quoted := func(known string, _ int) string {
		s := string(jsontext.AppendString(nil, known))
		return s[1 : len(s)-1]
	}
	given := variables.Word(at)
	if compact, ok := jsontext.AppendCompact(nil, given.Text); ok && given.Holes == nil && r.Meter.Hold(len(compact)) {
		given.Text = string(compact)
	} else if given.Text == "" {
		given.Text = "{}"
	}
	if operation != "" {
		operation = `,"operationName":"` + operation + `"`
	}
	w := query.Word(at)
	if !r.Meter.Hold(6*len(w.Text)) || !content.Add(r.Meter, `{"query":"`) || !content.AddEach(r.Meter, w, quoted) || !content.Add(r.Meter, `"`) ||
		!content.Add(r.Meter, operation) || !content.Add(r.Meter, `,"variables":`) || !content.AddWord(r.Meter, given) || !content.Add(r.Meter, "}") {
		return false
	}
	r.msg.HasContent, r.msg.Content = true, content.Word(at)
	return r.contentType() != "" || meter.Append(r.Meter, &r.msg.Fields, message.Field{
		Name: word.Word{Text: "Content-Type", Span: at}, Value: word.Word{Text: "application/json", Span: at},
	})
}

// operationName returns the name of the operation that a line begins, or "".
func operationName(line string) string {
	for _, kind := range [...]string{"query ", "mutation ", "subscription "} {
		if rest, ok := strings.CutPrefix(line, kind); ok {
			return rest[:ascii.NameLength(rest)]
		}
	}
	return ""
}

// parts makes parts of a form of lines between those with the boundary.
func (r *reader) parts(lines []bodyLine, kind string) bool {
	boundary := "--" + parameter(kind, "boundary")
	var part *message.Part
	var value message.Text
	head, first := false, true
	finish := func() bool {
		if part == nil {
			return true
		}
		if !part.File {
			part.Value = value.Word(part.Value.Span)
		}
		part.Inline = part.File && part.Filename.Text == ""
		ok := meter.Append(r.Meter, &r.msg.Parts, *part)
		part, value = nil, message.Text{}
		return ok
	}
	for i := range lines {
		l := lines[i]
		text := strings.TrimRight(r.lineText(l), blanks)
		line, ok := r.lineWord(l)
		if !ok {
			return false
		}
		switch {
		case text == boundary || text == boundary+"--":
			if !finish() {
				return false
			}
			if head = text == boundary; head {
				part, first = &message.Part{Value: word.Word{Span: l.span()}}, true
			}
		case part == nil:
		case head && text == "":
			head = false
		case head:
			if !r.partField(part, line) {
				return false
			}
		case l.file && first:
			part.File, part.Value, first = true, line, false
		case l.file || part.File:
			return r.Fail(r.Syntax, l.span(), "curl joins no text and the content of a file", "write all of the content in the file")
		default:
			if !first && !value.Add(r.Meter, "\r\n") || !value.AddWord(r.Meter, line) {
				return false
			}
			part.Value.Span, first = diag.Join(part.Value.Span, l.span()), false
		}
	}
	return finish()
}

// hasParts reports whether lines without files are a form whose parts curl makes, too:
// each has a name, and nothing stands around them.
func (r *reader) hasParts(lines []bodyLine, media, kind string) bool {
	boundary := parameter(kind, "boundary")
	if !ascii.EqualFold(media, "multipart/form-data") || boundary == "" || strings.Count(kind, ";") != 1 ||
		r.lineText(lines[0]) != "--"+boundary || r.lineText(lines[len(lines)-1]) != "--"+boundary+"--" {
		return false
	}
	for i := range lines[:len(lines)-1] {
		next := r.lineText(lines[i+1])
		if r.lineText(lines[i]) != "--"+boundary {
			continue
		}
		if name := parameter(next, "name"); !ascii.HasPrefixFold(next, "Content-Disposition: form-data;") || name == "" || strings.Contains(name, "=") {
			return false
		}
	}
	return true
}

// partField keeps a field of a part.
func (r *reader) partField(part *message.Part, line word.Word) bool {
	colon := message.IndexByte(line, ':')
	if colon < 0 {
		return r.Fail(r.Syntax, line.Span, "this is not a header field", "an empty line stands before the content of a part")
	}
	if !message.HoldCuts(r.Meter, line, 3) {
		return false
	}
	name, value := line.Text[:colon], trim(message.Cut(line, colon+1, len(line.Text)))
	switch {
	case ascii.EqualFold(name, "Content-Disposition"):
		part.Name, part.Unnamed = r.named(value, "name"), !ascii.ContainsFold(value.Text, "; name=")
		part.Filename = r.named(value, "filename")
		return true
	case ascii.EqualFold(name, "Content-Type") && value.Text != "":
		part.Type = value
		return true
	}
	return meter.Append(r.Meter, &part.Fields, trim(line))
}

// named returns the name of a part or of its file. curl escapes quotes in it in one of
// two ways: Curl_mime_escape() of curl 8.22 lib/mime.c.
func (r *reader) named(disposition word.Word, name string) word.Word {
	text := parameter(disposition.Text, name)
	if strings.Contains(text, `\"`) || strings.Contains(text, `\\`) {
		text = strings.ReplaceAll(strings.ReplaceAll(text, `\"`, `"`), `\\`, `\`)
		if !slices.ContainsFunc(r.msg.Options, func(o message.Option) bool { return o.Name == "--form-escape" }) {
			r.option("--form-escape", disposition.Span)
		}
	}
	return word.Word{Text: strings.ReplaceAll(text, "%22", `"`), Span: disposition.Span}
}

// parameter returns a parameter of the value of a field, or "".
func parameter(value, name string) string {
	for rest := value; ; {
		i := strings.IndexByte(rest, ';')
		if i < 0 {
			return ""
		}
		rest = strings.TrimLeft(rest[i+1:], " \t")
		if len(rest) <= len(name) || !ascii.HasPrefixFold(rest, name) || rest[len(name)] != '=' {
			continue
		}
		rest = rest[len(name)+1:]
		if quoted, ok := strings.CutPrefix(rest, `"`); ok {
			for i := range len(quoted) {
				if quoted[i] == '"' && (i == 0 || quoted[i-1] != '\\') {
					return quoted[:i]
				}
			}
			return quoted
		}
		plain, _, _ := strings.Cut(rest, ";")
		return strings.TrimRight(plain, blanks)
	}
}
