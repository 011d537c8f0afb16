package plan

import (
	"slices"
	"strings"

	"uncoil/internal/engine/envname"
	"uncoil/internal/engine/jsontext"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/reqtext"
	"uncoil/request"
)

// A parameter is a value. What a function inserts, and a variable in the place of a
// placeholder, is encoded for its place: the plan decides here how, by the encoding of the
// variable, and the room of a language has a function for each. Query and form values, and
// strings of JSON, have the encodings of package request; the others are these.
const (
	// Segment is a value within one segment of a path, percent-encoded; . and .. are an error.
	Segment request.Encoding = 1<<6 + iota
	// Segments is a value whose slashes stay: each of its segments is one.
	Segments
	// JSONValue is a value outside of the strings of JSON: what the encoder of the language
	// writes for it, and of a text what it says in JSON, or else an error.
	JSONValue
	// JSONElements is a value between the brackets of an array of JSON: a text says its
	// elements, 1,2, and a list of the language has them.
	JSONElements
	// FieldText is a value of a header field: with a line break it is an error. Only programs
	// whose client sends these have it.
	FieldText
)

// placeValues returns the requests with the encoding of each parameter and each variable
// that stands for a placeholder, unless the options leave them raw.
func (p *Program) placeValues(requests []request.Request) []request.Request {
	p.standIns = make(map[string]bool, len(p.Options.Values))
	for _, name := range p.Options.Values {
		p.standIns[name] = true
	}
	if !p.TakesValues() {
		return requests
	}
	requests = slices.Clone(requests)
	for i := range requests {
		r := &requests[i]
		p.Budget.Hold(len(r.Variables) * meter.SizeOf[request.Variable]())
		r.Variables = slices.Clone(r.Variables)
		reqtext.Rewrite(r, func(s *reqtext.String) {
			if len(s.Variables) > 0 {
				p.Budget.Work(len(s.Value))
				s.Variables = p.placed(r, s)
				if !restated[s.Member] && !(formOf[s.Member] && r.Body.Kind == request.KindForm && jsontext.StartsContainer(r.Body.Data)) {
					p.noteUses(s.Variables)
				}
			}
		})
	}
	return requests
}

// restated are strings that say again what others say.
var restated = map[request.Member]bool{request.MemberQueryName: true, request.MemberQueryValue: true, request.MemberFieldLine: true, request.MemberToken: true}

// formOf are strings of a form, which JSON is none of, whatever the request calls it.
var formOf = map[request.Member]bool{request.MemberFormName: true, request.MemberFormValue: true}

// TakesValues reports whether some variables of the program are values, which may have any
// text.
func (p *Program) TakesValues() bool {
	return !p.Options.RawParameters && !p.Options.KeepVariables && (p.Target.Kind == Code || p.Target.Encodes) && (p.IsFunction() || len(p.Options.Values) > 0)
}

// isValue reports whether a variable is a value that has no encoding of its own.
func (p *Program) isValue(v *request.Variable) bool {
	return v.Encoding == request.EncodingNone && !IsLocal(v) && v.Known() && (p.IsFunction() || p.standIns[v.Name]) && !p.saysEncoded(v)
}

// placed returns the variables of a string with their encodings.
func (p *Program) placed(r *request.Request, s *reqtext.String) []request.Variable {
	w := placer{p: p, s: s.Value, list: slices.Clone(s.Variables)}
	switch s.Member {
	case request.MemberURL:
		w.url(true)
	case request.MemberTarget:
		w.url(false)
	case request.MemberFormName, request.MemberFormValue:
		w.all(request.EncodingForm)
	case request.MemberFieldValue:
		if p.Target.Facts.Breaks {
			w.all(FieldText)
		}
	case request.MemberBody:
		if !w.json() && r.Body.Kind == request.KindForm {
			w.pairs(0, request.EncodingForm)
		}
	case request.MemberPieceText:
		if !jsontext.StartsContainer(r.Body.Pieces[0].Text) {
			w.pairs(0, request.EncodingForm)
		}
	case request.MemberPartValue:
		w.json()
	}
	return w.list
}

// A placer decides how the variables of a string are encoded.
type placer struct {
	p    *Program
	s    string
	list []request.Variable // in s, in order
	next int                // of list
}

// set gives a variable an encoding, where it is a value. A client without functions has only
// those of package request.
func (w *placer) set(i int, e request.Encoding) {
	v := &w.list[i]
	if !w.p.isValue(v) {
		return
	}
	if !w.p.Target.Functions {
		switch e {
		case Segment:
			e = request.EncodingPercent
		case Segments, JSONValue, JSONElements, FieldText: // a file has no functions of its own
			return
		}
	}
	v.Encoding = e
}

// all gives all variables an encoding.
func (w *placer) all(e request.Encoding) {
	for i := range w.list {
		w.set(i, e)
	}
}

// variable returns which variable begins at an offset, or -1.
func (w *placer) variable(at int) int {
	for w.next < len(w.list) && w.list[w.next].Start < at {
		w.next++
	}
	if w.next < len(w.list) && w.list[w.next].Start == at {
		return w.next
	}
	return -1
}

// url places what stands in a URL, whose head stays as it is: what comes before the first
// slash of the path. A request target has no head.
func (w *placer) url(hasHead bool) {
	i, inPath := 0, !hasHead
	for i < len(w.s) {
		if n := w.variable(i); n >= 0 {
			if inPath {
				w.set(n, pathEncoding(&w.list[n]))
			}
			i = max(w.list[n].End, i+1)
			continue
		}
		switch w.s[i] {
		case ':':
			if !inPath && strings.HasPrefix(w.s[i:], "://") {
				i += len("//")
			}
		case '/':
			inPath = true
		case '?':
			w.pairs(i+1, request.EncodingPercent)
			return
		case '#':
			return
		}
		i++
	}
}

// pairs places what stands in a query or a form that begins at an offset: the names and
// values of pairs. What has no sign may be a whole part of the query, and stays as it is, unless
// other text of the query stands beside it.
func (w *placer) pairs(i int, e request.Encoding) {
	var names []int
	isPair, hasText := false, false
	end := func() {
		if !isPair && hasText && e == request.EncodingPercent {
			for _, n := range names {
				w.set(n, e)
			}
		}
		isPair, hasText, names = false, false, names[:0]
	}
	defer end()
	for i < len(w.s) {
		if n := w.variable(i); n >= 0 {
			if isPair {
				w.set(n, e)
			} else {
				names = append(names, n)
			}
			i = max(w.list[n].End, i+1)
			continue
		}
		switch w.s[i] {
		case '=':
			isPair = true
			for _, n := range names {
				w.set(n, e)
			}
			names = names[:0]
		case '&':
			end()
		case '#':
			if e == request.EncodingPercent {
				return
			}
		default:
			hasText = true
		}
		i++
	}
}

// json places what stands in JSON, and reports whether the string is that.
func (w *placer) json() bool {
	if !jsontext.StartsContainer(w.s) {
		return false
	}
	w.p.Budget.Hold(len(w.s))
	var b strings.Builder // with a value for each variable
	inString := make([]bool, len(w.list))
	quoted := false
	for i := 0; i < len(w.s); {
		if n := w.variable(i); n >= 0 {
			inString[n] = quoted
			b.WriteByte('0')
			i = max(w.list[n].End, i+1)
			continue
		}
		b.WriteByte(w.s[i])
		switch {
		case w.s[i] == '"':
			quoted = !quoted
		case w.s[i] == '\\' && quoted && i+1 < len(w.s) && w.variable(i+1) < 0:
			i++
			b.WriteByte(w.s[i])
		}
		i++
	}
	for r := jsontext.NewReader(b.String(), jsontext.MaxDepth); r.Peek() != 0; {
		if !r.Skip() {
			return false
		}
	}
	for i := range w.list {
		switch before, after := strings.TrimRight(w.s[:w.list[i].Start], jsonBlanks), strings.TrimLeft(w.s[w.list[i].End:], jsonBlanks); {
		case inString[i]:
			w.set(i, request.EncodingJSON)
		case strings.HasSuffix(before, "[") && strings.HasPrefix(after, "]"):
			w.set(i, JSONElements)
		default:
			w.set(i, JSONValue)
		}
	}
	return true
}

// jsonBlanks are the blanks of JSON.
const jsonBlanks = " \t\r\n"

// pathEncoding returns how a value is encoded in a path: its slashes stay where its name, its
// default or its spelling says that it has some.
func pathEncoding(v *request.Variable) request.Encoding {
	words := strings.Split(envname.Of(v.Name), "_")
	last := words[len(words)-1]
	if len(words) > 1 && last == "VALUE" { // of PATH_VALUE, for {path}
		words = words[:len(words)-1]
		last = words[len(words)-1]
	}
	if last == "NAME" {
		if len(words) == 1 {
			return Segments
		}
		last = words[len(words)-2]
		if last == "FILE" || last == "KEY" {
			return Segment
		}
	}
	if slices.Contains(pathWords, last) || strings.ContainsRune(v.Default, '/') || strings.ContainsRune(strings.TrimPrefix(v.Expr, "</"), '/') {
		return Segments
	}
	return Segment
}

// pathWords end the names of what has slashes by custom: owner/name, library/nginx,
// projects/p/locations/l.
var pathWords = []string{
	"PATH", "FILEPATH", "KEY", "REPO", "REPOSITORY", "REF", "BRANCH", "IMAGE", "MODEL", "PROJECT", "PACKAGE", "PREFIX", "PARENT",
	"SCOPE", "RESOURCE", "FILE", "OBJECT", "FULL",
}

// EncodedByTool returns a text in which variables for placeholders are percent-encoded, for a
// tool that does so itself at the place of the text; none of them where parameters are raw.
func (p *Program) EncodedByTool(t Text) Text {
	if p.Options.RawParameters || p.Options.KeepVariables {
		return t
	}
	t = slices.Clone(t)
	for i := range t {
		if v := t[i].Variable; v != nil && p.isValue(v) {
			one := *v
			one.Encoding = request.EncodingPercent
			t[i].Variable = &one
		}
	}
	return t
}

// saysEncoded reports whether the text or the name of a variable says that its value is
// encoded already.
func (p *Program) saysEncoded(v *request.Variable) bool {
	words := strings.Split(envname.Of(v.Name), "_")
	return slices.Contains(words, "ENCODED") || slices.Contains(words, "URLENCODED") || words[len(words)-1] == "ENC" || p.encoded[v.Name]
}

// encodesOutput reports whether a command that gives a variable its value percent-encodes it.
func (p *Program) encodesOutput(v *request.Variable, c *request.Command) bool {
	text := c.Text + v.Expr
	if source := p.Options.Source; c.Span.Start < c.Span.End && int(c.Span.End) <= len(source) {
		text += source[c.Span.Start:c.Span.End]
	}
	p.Budget.Work(len(text))
	return strings.Contains(text, "@uri") || strings.Contains(text, "urlencode") || strings.Contains(text, "encodeURIComponent") || strings.Contains(text, "quote(")
}

// hasValue reports whether the query has a value that is encoded.
func (c *Call) hasValue() bool {
	return c.value && slices.ContainsFunc(c.URLText, func(p Part) bool { return p.Variable != nil && p.Variable.Encoding == request.EncodingPercent })
}

// prints reports whether an encoder prints the source of pairs. Where the program encodes
// values, it does so as the encoder does, with + or %20 for a space.
func (c *Call) prints(e *FormEncoder, pairs []Pair, source Text) bool {
	if !c.value {
		return e.Prints(pairs, source)
	}
	adopted := make([]Pair, len(pairs))
	for i := range pairs {
		adopted[i] = Pair{e.adopt(pairs[i].Name), e.adopt(pairs[i].Value)}
	}
	return e.Prints(adopted, source)
}

// adopt returns a text whose variables are encoded as the encoder does.
func (e *FormEncoder) adopt(t Text) Text {
	out := slices.Clone(t)
	for i := range out {
		if v := out[i].Variable; v != nil && (v.Encoding == request.EncodingPercent || v.Encoding == request.EncodingForm) {
			one := *v
			one.Encoding = request.EncodingPercent
			if e.Plus {
				one.Encoding = request.EncodingForm
			}
			out[i].Variable = &one
		}
	}
	return out
}

// Check has the function check an expression first, once.
func (p *Program) Check(expr string) {
	if p.checked == nil {
		p.checked = make(map[string]bool)
	}
	if !p.checked[expr] {
		p.checked[expr] = true
		p.Checks = append(p.Checks, expr)
	}
}
