package transfer

import (
	"strings"

	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/reqtext"
	"uncoil/internal/engine/source/word"
	"uncoil/request"
)

// restore puts the spelling of unknown variables back into a request, and
// lists them.
func (t *transfer) restore() bool {
	marks := t.b.in.Marks
	if marks == nil {
		return true
	}
	r := &t.b.memory.restorer
	*r = restorer{marks: marks, meter: t.b.in.Meter, lists: t.b.reads(Views), request: &t.request, basic: t.basic}
	fields := t.request.Fields
	for i := range fields {
		fields[i].From = marks.Restore(fields[i].From)
	}
	query := strings.IndexByte(t.request.URL, '?') + 1
	r.query = pairNames{text: t.request.URL, start: query, next: query, prefix: "query."}
	if body := t.request.Body; body != nil {
		r.body = pairNames{text: body.Data, prefix: "body."}
	}
	w := &t.b.memory.rewriter
	w.OwnFields = true // newFields has made them for this request
	w.Rewrite(&t.request, r)
	return !r.meter.Over()
}

// A restorer replaces the marks in the strings of a request by what they stand
// for.
type restorer struct {
	marks   *word.Marks
	meter   *meter.Meter
	lists   bool // somebody reads the list
	request *request.Request
	basic   int // the field that holds the credentials in Base64, or -1
	// The names of the pairs of the query and of form data.
	query, body pairNames

	long, short string // how the last long name of a member begins, and how it is spelled
}

// What a variable of the model takes in memory, with room for the list to
// grow, and in steps.
const (
	sizeOfVariable  = 640
	stepsOfVariable = 100
)

// Change restores a string.
func (r *restorer) Change(s *reqtext.String) {
	if r.lists && s.Member == request.MemberFieldValue && int(s.Index) == r.basic {
		s.Variables = r.credentials(len(s.Value))
		return
	}
	if strings.IndexByte(s.Value, word.MarkLead) < 0 {
		return
	}
	mark, rest, ok := r.marks.Next(s.Value)
	if !ok || !r.meter.Work(len(s.Value)/8) {
		return
	}
	var b reqtext.Builder
	b.Grow(len(s.Value) + len(mark.Hole.Expr))
	in, pairs := r.in(s)
	offset := 0
	for text := s.Value; ok; mark, rest, ok = r.marks.Next(rest) {
		if !r.meter.Hold(sizeOfVariable+len(mark.Hole.Expr)+mark.Hole.From.Size()) || !r.meter.Work(stepsOfVariable) {
			return
		}
		b.Add(text[:mark.Start])
		if r.lists {
			in := in
			if at := offset + mark.Start; pairs != nil && at >= pairs.start {
				in = pairs.at(at, r.marks)
			}
			b.AddVariable(variable(mark, r.member(in), request.EncodingNone+request.Encoding(mark.Coding)))
		} else {
			b.Add(mark.Hole.Expr)
		}
		offset += mark.End
		text = rest
	}
	b.Add(s.Value[offset:])
	s.Text = b.Text()
}

// variable returns the variable of a mark. in is as in [request.Variable].
func variable(mark word.Mark, in string, encoding request.Encoding) request.Variable {
	h := mark.Hole
	return request.Variable{
		Name: h.Name, Expr: h.Expr, Default: h.Default, HasDefault: h.HasDefault, Computed: h.Computed, From: h.From.Answer(),
		In: in, Encoding: encoding,
	}
}

// in returns the member of the description that has a string, and, where parts of it
// are in others, the pairs that these are named after.
func (r *restorer) in(s *reqtext.String) (in string, pairs *pairNames) {
	switch {
	case !r.lists:
		return "", nil
	case s.Member == request.MemberURL && r.query.start > 0:
		return "url", &r.query
	case s.Member == request.MemberBody && len(r.request.Body.Fields) > 0:
		return "body", &r.body
	}
	return r.inWhole(s), nil
}

// inWhole returns the member of the description that has a string.
func (r *restorer) inWhole(s *reqtext.String) string {
	switch s.Member {
	case request.MemberQueryName, request.MemberQueryValue:
		return "query." + r.name(s, request.MemberQueryName)
	case request.MemberTarget:
		return "requestTarget"
	case request.MemberFieldName, request.MemberFieldValue, request.MemberFieldLine:
		return r.inField(s)
	case request.MemberRemoved:
		return "removedHeaders"
	case request.MemberBody, request.MemberPieceText, request.MemberPieceFile, request.MemberPieceName:
		return "body"
	case request.MemberFormName, request.MemberFormValue:
		return "body." + r.name(s, request.MemberFormName)
	case request.MemberAuthParam:
		return "auth." + s.Name
	case request.MemberOption:
		return "options." + s.Option
	case request.MemberMissing:
		return "files"
	case request.MemberMethod, request.MemberURL, request.MemberUsername, request.MemberPassword, request.MemberToken:
		return s.Place.String()
	}
	return "body." + r.name(s, request.MemberPartName)
}

// name returns the name of what a string belongs to, which is the string itself in the
// member own.
func (r *restorer) name(s *reqtext.String, own request.Member) string {
	if s.Member == own {
		return r.marks.Restore(s.Value)
	}
	return s.Name
}

func (r *restorer) inField(s *reqtext.String) string {
	f, a := &r.request.Fields[s.Index], r.request.Auth
	switch {
	case f.Origin == request.OriginDefault: // Host
		return "url"
	case a != nil && a.Token != "" && f.Origin == request.OriginImplied && f.Name == "Authorization":
		return "auth.token"
	}
	return "headers." + r.name(s, request.MemberFieldName)
}

// maxMember bounds how long the name of a member is, because the answer
// repeats it for each variable in it.
const maxMember = 256

// member returns the name of a member as the answer spells it.
func (r *restorer) member(in string) string {
	if len(in) <= maxMember {
		return in
	}
	if in = in[:maxMember]; in != r.long {
		r.long, r.short = in, strings.ToValidUTF8(in, "")+"…"
	}
	return r.short
}

// credentials returns the variables of credentials for the field, of some length, that
// holds them in Base64.
func (r *restorer) credentials(length int) (list []request.Variable) {
	a := r.request.Auth // not yet restored
	for _, part := range [...]struct{ text, in string }{{a.Username, "auth.username"}, {a.Password, "auth.password"}} {
		for mark, rest, ok := r.marks.Next(part.text); ok; mark, rest, ok = r.marks.Next(rest) {
			if !r.meter.Hold(sizeOfVariable + mark.Hole.From.Size()) {
				return list
			}
			v := variable(mark, part.in, request.EncodingBase64)
			v.Start, v.End = len("Basic "), length
			list = append(list, v)
		}
	}
	return list
}

// pairNames finds the names of the pairs of a query or of form data, for
// offsets that only grow.
type pairNames struct {
	text      string
	start     int // of the first pair
	end, next int // of the current pair; where the one after it starts
	name      string
	prefix    string
}

func (p *pairNames) at(offset int, marks *word.Marks) string {
	for p.name == "" || offset >= p.end {
		start := p.next
		if p.end = strings.IndexByte(p.text[start:], '&') + start; p.end < start {
			p.end = len(p.text)
		}
		p.next = min(p.end+1, len(p.text))
		name, _, _ := strings.Cut(p.text[start:p.end], "=")
		p.name = p.prefix + marks.Restore(decodePair(name))
	}
	return p.name
}
