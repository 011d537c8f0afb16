package transfer

import (
	"slices"
	"strconv"
	"strings"

	"uncoil/internal/engine/meter"
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
	r := restorer{marks: marks, meter: t.b.in.Meter, lists: t.b.reads(Views)}
	if r.lists {
		r.found = t.b.memory.newVariables()
	}
	r.request(&t.request, t.basic)
	if len(r.found) > 0 {
		t.request.Variables = r.found
	}
	return !r.meter.Over()
}

// A restorer replaces the marks in the strings of a request by what they stand
// for. Lists that requests share are copied before one of their strings
// changes.
type restorer struct {
	marks *word.Marks
	meter *meter.Meter
	lists bool // somebody reads the list
	found request.Variables

	long, short string // how the last long name of a member begins, and how it is spelled
}

// What a variable of the model takes in memory, with room for the list to
// grow, and in steps.
const (
	sizeOfVariable  = 320
	stepsOfVariable = 100
)

// text restores a string. at and in are as in [request.Variable]; an empty at
// lists nothing.
func (r *restorer) text(s *string, at, in string) {
	r.textIn(s, at, func(int) string { return in })
}

// textOf restores a member of an item of a list, of which most hold nothing to
// restore.
func (r *restorer) textOf(s *string, list string, i int, member, in string) {
	if r.has(*s) {
		r.text(s, list+strconv.Itoa(i)+member, in)
	}
}

// textIn restores a string whose parts are in different members.
func (r *restorer) textIn(s *string, at string, in func(offset int) string) {
	if strings.IndexByte(*s, word.MarkLead) < 0 {
		return
	}
	if !r.lists {
		at = ""
	}
	mark, rest, ok := r.marks.Next(*s)
	if !ok || !r.meter.Work(len(*s)/8) {
		return
	}
	var b strings.Builder
	b.Grow(len(*s) + len(mark.Hole.Expr))
	offset := 0
	for text := *s; ok; mark, rest, ok = r.marks.Next(rest) {
		name := ""
		if at != "" {
			name = r.member(in(offset + mark.Start))
		}
		if !r.meter.Hold(sizeOfVariable+len(mark.Hole.Expr)) || !r.meter.Work(stepsOfVariable) {
			return
		}
		b.WriteString(text[:mark.Start])
		start := b.Len()
		b.WriteString(mark.Hole.Expr)
		if at != "" {
			r.add(mark, at, name, start, b.Len(), request.EncodingNone+request.Encoding(mark.Coding))
		}
		offset += mark.End
		text = rest
	}
	b.WriteString((*s)[offset:])
	*s = b.String()
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

func (r *restorer) add(mark word.Mark, at, in string, start, end int, encoding request.Encoding) {
	h := mark.Hole
	r.found = append(r.found, request.Variable{
		Name: h.Name, Expr: h.Expr, Default: h.Default, HasDefault: h.HasDefault, Computed: h.Computed, From: h.From.Answer(),
		In: in, At: at, Start: start, End: end, Encoding: encoding,
	})
}

// has reports whether a string has something to restore.
func (r *restorer) has(s string) bool {
	_, _, ok := r.marks.Next(s)
	return ok
}

// request restores all strings of a request. basic is the index of the field
// that holds the credentials in Base64, or -1.
func (r *restorer) request(q *request.Request, basic int) {
	r.text(&q.Method, "method", "method")
	start := strings.IndexByte(q.URL, '?') + 1
	names := pairNames{text: q.URL, next: start, prefix: "query."}
	r.textIn(&q.URL, "url", func(offset int) string {
		if start == 0 || offset < start {
			return "url"
		}
		return names.at(offset, r.marks)
	})
	r.params(q.Query, "query.", "query.")
	r.text(&q.Target, "target", "requestTarget")
	for i := range q.Fields {
		f := &q.Fields[i]
		r.text(&f.From, "", "")
		if i == basic && r.lists {
			r.basic(q.Auth, i, len(f.Value))
			continue
		}
		if !r.has(f.Name) && !r.has(f.Value) && !r.has(f.Line) {
			continue
		}
		if !r.lists {
			r.text(&f.Name, "", "")
			r.text(&f.Value, "", "")
			r.text(&f.Line, "", "")
			continue
		}
		in := "headers." + r.marks.Restore(f.Name)
		if f.Origin == request.OriginDefault { // Host
			in = "url"
		} else if q.Auth != nil && q.Auth.Token != "" && f.Origin == request.OriginImplied && f.Name == "Authorization" {
			in = "auth.token"
		}
		r.textOf(&f.Name, "headers.", i, ".name", in)
		r.textOf(&f.Value, "headers.", i, ".value", in)
		r.textOf(&f.Line, "headers.", i, ".line", in)
	}
	for i := range q.Removed {
		r.text(&q.Removed[i], "removed."+strconv.Itoa(i), "removedHeaders")
	}
	r.body(q.Body)
	r.auth(q.Auth)
	q.Options = r.options(q.Options)
	if slices.ContainsFunc(q.Missing, func(f request.MissingFile) bool { return r.has(f.Name) }) {
		q.Missing = slices.Clone(q.Missing)
		for i := range q.Missing {
			r.text(&q.Missing[i].Name, "missing."+strconv.Itoa(i), "files")
		}
	}
}

func (r *restorer) body(b *request.Body) {
	if b == nil {
		return
	}
	in := func(int) string { return "body" }
	if len(b.Fields) > 0 {
		names := pairNames{text: b.Data, prefix: "body."}
		in = func(offset int) string { return names.at(offset, r.marks) }
	}
	r.textIn(&b.Data, "body", in)
	r.params(b.Fields, "body.fields.", "body.")
	if slices.ContainsFunc(b.Pieces, func(p request.Piece) bool { return r.has(p.Text) || r.has(p.File) || r.has(p.Name) }) {
		b.Pieces = slices.Clone(b.Pieces)
		for i := range b.Pieces {
			p, list := &b.Pieces[i], "body.pieces."
			r.textOf(&p.Text, list, i, ".text", "body")
			r.textOf(&p.File, list, i, ".file", "body")
			r.textOf(&p.Name, list, i, ".name", "body")
		}
	}
	b.Parts = r.parts(b.Parts, "body.parts.")
}

// parts returns form parts restored.
func (r *restorer) parts(parts []request.Part, prefix string) []request.Part {
	if !r.hasParts(parts) {
		return parts
	}
	parts = slices.Clone(parts)
	for i := range parts {
		p, at := &parts[i], prefix+strconv.Itoa(i)
		in := "body." + r.marks.Restore(p.Name)
		r.textOf(&p.Name, prefix, i, ".name", in)
		r.textOf(&p.Value, prefix, i, ".value", in)
		r.textOf(&p.File, prefix, i, ".file", in)
		r.pointer(&p.Content, at+".content", in)
		r.pointer(&p.Filename, at+".filename", in)
		r.pointer(&p.ContentType, at+".contentType", in)
		r.textOf(&p.Encoder, prefix, i, ".encoder", in)
		p.Headers = slices.Clone(p.Headers)
		for j := range p.Headers {
			r.text(&p.Headers[j], at+".headers."+strconv.Itoa(j), in)
		}
		p.Parts = r.parts(p.Parts, at+".parts.")
	}
	return parts
}

func (r *restorer) hasParts(parts []request.Part) bool {
	has := func(s *string) bool { return s != nil && r.has(*s) }
	return slices.ContainsFunc(parts, func(p request.Part) bool {
		return r.has(p.Name) || r.has(p.Value) || r.has(p.File) || r.has(p.Encoder) ||
			has(p.Content) || has(p.Filename) || has(p.ContentType) ||
			slices.ContainsFunc(p.Headers, r.has) || r.hasParts(p.Parts)
	})
}

func (r *restorer) pointer(s **string, at, in string) {
	if *s != nil && r.has(**s) {
		text := **s
		r.text(&text, at, in)
		*s = &text
	}
}

// basic lists the variables of credentials for the field that holds them in
// Base64.
func (r *restorer) basic(a *request.Auth, field, length int) {
	at := "headers." + strconv.Itoa(field) + ".value"
	for _, part := range [...]struct{ text, in string }{{a.Username, "auth.username"}, {a.Password, "auth.password"}} {
		for mark, rest, ok := r.marks.Next(part.text); ok; mark, rest, ok = r.marks.Next(rest) {
			if !r.meter.Hold(sizeOfVariable) {
				return
			}
			r.add(mark, at, part.in, len("Basic "), length, request.EncodingBase64)
		}
	}
}

func (r *restorer) auth(a *request.Auth) {
	if a == nil {
		return
	}
	r.text(&a.Username, "auth.username", "auth.username")
	r.text(&a.Password, "auth.password", "auth.password")
	r.text(&a.Token, "auth.token", "auth.token")
	a.Params = slices.Clone(a.Params)
	for i := range a.Params {
		p := &a.Params[i]
		r.text(&p.Value, "auth.params."+strconv.Itoa(i), "auth."+p.Name)
	}
}

// options returns options restored.
func (r *restorer) options(options []request.Option) []request.Option {
	if !slices.ContainsFunc(options, r.hasOption) {
		return options
	}
	options = slices.Clone(options)
	for i := range options {
		o := &options[i]
		at := "options." + o.Name
		switch value := o.Value.(type) {
		case string:
			r.text(&value, at, at)
			o.Value = value
		case []string:
			value = slices.Clone(value)
			for j := range value {
				r.text(&value[j], at+"."+strconv.Itoa(j), at)
			}
			o.Value = value
		}
	}
	return options
}

func (r *restorer) hasOption(o request.Option) bool {
	switch value := o.Value.(type) {
	case string:
		return r.has(value)
	case []string:
		return slices.ContainsFunc(value, r.has)
	}
	return false
}

// params restores decoded pairs, which belong to this request.
func (r *restorer) params(params []request.Param, list, in string) {
	for i := range params {
		p := &params[i]
		if !r.has(p.Name) && !r.has(p.Value) {
			continue
		}
		in := in + r.marks.Restore(p.Name)
		r.textOf(&p.Name, list, i, ".name", in)
		r.textOf(&p.Value, list, i, ".value", in)
	}
}

// pairNames finds the names of the pairs of a query or of form data, for
// offsets that only grow.
type pairNames struct {
	text      string
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
