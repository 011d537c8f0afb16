package reqtext

import (
	"slices"

	"uncoil/request"
)

// A String is what [Rewrite] shows of a request.
type String struct {
	request.Place
	Text
	// Name is the name of the pair, field, part, parameter or option that the string
	// belongs to, as it has been rewritten.
	Name string
}

// A Changer may change the strings of a request that [Rewrite] shows it.
type Changer interface{ Change(*String) }

// changes is a function as a Changer.
type changes func(*String)

func (c changes) Change(s *String) { c(s) }

// Rewrite shows each string of the request that is not empty, with its variables, to a
// function that may change both, in the order of the model. The list of variables
// follows. What the request may share with others (lists, the body) is copied before it
// changes.
func Rewrite(r *request.Request, change func(*String)) {
	var w Rewriter
	w.Rewrite(r, changes(change))
}

// A Rewriter is the memory that [Rewrite] needs, for who rewrites many requests.
type Rewriter struct {
	// OwnFields says that nothing else has the list of fields: it is changed where it is.
	OwnFields bool

	changer   Changer
	old       Index
	variables []request.Variable
	parts     int // that have been counted
	changes   int // of strings
	shown     String
}

// Rewrite is the function of that name. The Rewriter keeps nothing of the request.
func (w *Rewriter) Rewrite(r *request.Request, c Changer) {
	w.changer, w.old = c, IndexOf(r.Variables)
	w.text(&r.Method, request.MemberMethod, 0, "")
	w.text(&r.URL, request.MemberURL, 0, "")
	r.Query = w.params(r.Query, request.MemberQueryName, request.MemberQueryValue)
	w.text(&r.Target, request.MemberTarget, 0, "")
	r.Fields = w.fields(r.Fields)
	r.Removed = w.list(r.Removed, request.Place{Member: request.MemberRemoved}, "")
	if r.Body != nil {
		r.Body = w.body(r.Body)
	}
	if r.Auth != nil {
		r.Auth = w.auth(r.Auth)
	}
	r.Options = w.options(r.Options)
	missing := r.Missing
	for i, f := range missing {
		before := w.changes
		w.text(&f.Name, request.MemberMissing, i, "")
		r.Missing = put(missing, r.Missing, i, f, w.changes > before)
	}
	r.Variables = w.variables
	*w = Rewriter{OwnFields: w.OwnFields}
}

// put puts an element that has changed into a list, which is a copy of the old one from
// the first change on.
func put[T any](old, list []T, i int, element T, changed bool) []T {
	if !changed {
		return list
	}
	if &list[0] == &old[0] {
		list = slices.Clone(old)
	}
	list[i] = element
	return list
}

func (w *Rewriter) text(s *string, m request.Member, i int, name string) {
	w.string(s, At(m, i), name)
}

func (w *Rewriter) string(s *string, at request.Place, name string) {
	if *s == "" {
		return
	}
	w.shown = String{Place: at, Text: Text{*s, w.old.At(at)}, Name: name}
	w.changer.Change(&w.shown)
	if w.shown.Value != *s {
		*s = w.shown.Value
		w.changes++
	}
	for i := range w.shown.Variables {
		if v := &w.shown.Variables[i]; v.At != at {
			v.At = at
		}
	}
	if w.variables == nil {
		w.variables = slices.Clip(w.shown.Variables)
	} else {
		w.variables = append(w.variables, w.shown.Variables...)
	}
}

// pointer rewrites a string that may be shared.
func (w *Rewriter) pointer(s **string, m request.Member, i int, name string) {
	if *s == nil {
		return
	}
	text := **s
	if w.text(&text, m, i, name); text != **s {
		changed := text
		*s = &changed
	}
}

// list rewrites strings whose places differ by their item for a part or an option, and
// else by their index.
func (w *Rewriter) list(old []string, at request.Place, name string) []string {
	list := old
	for i, s := range old {
		if at.Member == request.MemberRemoved {
			at.Index = int32(i)
		} else {
			at.Item = int32(i)
		}
		before := w.changes
		w.string(&s, at, name)
		list = put(old, list, i, s, w.changes > before)
	}
	return list
}

func (w *Rewriter) params(old []request.Param, name, value request.Member) []request.Param {
	list := old
	for i, p := range old {
		before := w.changes
		w.text(&p.Name, name, i, "")
		w.text(&p.Value, value, i, p.Name)
		list = put(old, list, i, p, w.changes > before)
	}
	return list
}

func (w *Rewriter) fields(old []request.Field) []request.Field {
	list := old
	for i, f := range old {
		before := w.changes
		w.text(&f.Name, request.MemberFieldName, i, "")
		w.text(&f.Value, request.MemberFieldValue, i, f.Name)
		w.text(&f.Line, request.MemberFieldLine, i, f.Name)
		if w.OwnFields {
			list[i] = f
			continue
		}
		list = put(old, list, i, f, w.changes > before)
	}
	return list
}

func (w *Rewriter) body(old *request.Body) *request.Body {
	b, before := *old, w.changes
	w.text(&b.Data, request.MemberBody, 0, "")
	b.Fields = w.params(b.Fields, request.MemberFormName, request.MemberFormValue)
	for i, p := range old.Pieces {
		before := w.changes
		w.text(&p.Text, request.MemberPieceText, i, "")
		w.text(&p.File, request.MemberPieceFile, i, "")
		w.text(&p.Name, request.MemberPieceName, i, "")
		b.Pieces = put(old.Pieces, b.Pieces, i, p, w.changes > before)
	}
	b.Parts = w.partList(b.Parts)
	if w.changes == before {
		return old
	}
	changed := b
	return &changed
}

func (w *Rewriter) partList(old []request.Part) []request.Part {
	list := old
	for n, p := range old {
		before, i := w.changes, w.parts
		w.parts++
		w.text(&p.Name, request.MemberPartName, i, "")
		w.text(&p.Value, request.MemberPartValue, i, p.Name)
		w.text(&p.File, request.MemberPartFile, i, p.Name)
		w.pointer(&p.Content, request.MemberPartContent, i, p.Name)
		w.pointer(&p.Filename, request.MemberPartFilename, i, p.Name)
		w.pointer(&p.ContentType, request.MemberPartContentType, i, p.Name)
		w.text(&p.Encoder, request.MemberPartEncoder, i, p.Name)
		p.Headers = w.list(p.Headers, request.Place{Member: request.MemberPartHeader, Index: int32(i)}, p.Name)
		p.Parts = w.partList(p.Parts)
		list = put(old, list, n, p, w.changes > before)
	}
	return list
}

func (w *Rewriter) auth(old *request.Auth) *request.Auth {
	a, before := *old, w.changes
	w.text(&a.Username, request.MemberUsername, 0, "")
	w.text(&a.Password, request.MemberPassword, 0, "")
	w.text(&a.Token, request.MemberToken, 0, "")
	for i, p := range old.Params {
		before := w.changes
		w.text(&p.Value, request.MemberAuthParam, i, p.Name)
		a.Params = put(old.Params, a.Params, i, p, w.changes > before)
	}
	if w.changes == before {
		return old
	}
	changed := a
	return &changed
}

func (w *Rewriter) options(old request.Options) request.Options {
	list := old
	for i, o := range old {
		before, at := w.changes, request.Place{Member: request.MemberOption, Option: o.Name}
		switch value := o.Value.(type) {
		case string:
			if w.string(&value, at, o.Name); w.changes > before {
				o.Value = value
			}
		case []string:
			if texts := w.list(value, at, o.Name); w.changes > before {
				o.Value = texts
			}
		}
		list = put(old, list, i, o, w.changes > before)
	}
	return list
}

// SetFields gives the request other fields. from says which of the old fields each is,
// or -1 for a new one; the variables in the old ones move along, and those of fields
// that are gone go.
func SetFields(r *request.Request, fields []request.Field, from []int) {
	moved := make(map[int32]int32, len(from))
	for i, old := range from {
		if old >= 0 {
			moved[int32(old)] = int32(i)
		}
	}
	var variables []request.Variable
	for _, v := range r.Variables {
		switch v.At.Member {
		case request.MemberFieldName, request.MemberFieldValue, request.MemberFieldLine:
			i, ok := moved[v.At.Index]
			if !ok {
				continue
			}
			v.At.Index = i
		}
		variables = append(variables, v)
	}
	r.Fields, r.Variables = fields, variables
	Rewrite(r, func(*String) {}) // lists them in the order of the model
}
