package render

import (
	"uncoil/internal/engine/jsontext"
	"uncoil/request"
)

// What the members of the description of a thing take beside its texts.
const (
	requestLength  = 120
	fieldLength    = 48
	partLength     = 80
	pairLength     = 24
	variableLength = 48
)

// MaxLength returns about how many bytes the description of a request has at
// most. It has at least half of them where there are many, because a body that
// is JSON stands in it twice, and its blanks only once.
func MaxLength(r *request.Request) (n int) {
	n = requestLength + texts(r.Method, r.URL, r.Target) + pairs(r.Query)
	for i := range r.Fields {
		if f := &r.Fields[i]; f.Origin != request.OriginDefault {
			n += fieldLength + texts(f.Name, f.Value, f.From)
		}
	}
	n += texts(r.Removed...) + texts(r.Ignored...)
	for i := range r.Options {
		n += pairLength + len(r.Options[i].Name)
		switch v := r.Options[i].Value.(type) {
		case string:
			n += jsontext.MaxLength(v)
		case []string:
			n += texts(v...)
		}
	}
	if b := r.Body; b != nil {
		n += texts(b.Data) + pairs(b.Fields) + parts(b.Parts)
		if b.Kind == request.KindJSON {
			n += len(b.Data)
		}
		for i := range b.Pieces {
			n += partLength + texts(b.Pieces[i].Text, b.Pieces[i].File, b.Pieces[i].Name)
		}
	}
	return n + variables(r.Variables)
}

// variable returns the length of a variable, with what it is computed of.
func variable(v *request.Variable) int {
	n := variableLength + texts(v.Name, v.Expr, v.In, v.Default)
	if e, ok := v.From.(*request.Encoded); ok {
		n += variableLength + texts(e.Text, e.Key) + variables(e.Variables) + variables(e.KeyVariables)
	}
	return n
}

func variables(list []request.Variable) (n int) {
	for i := range list {
		n += variable(&list[i])
	}
	return n
}

func texts(list ...string) (n int) {
	for _, s := range list {
		n += jsontext.MaxLength(s)
	}
	return n
}

func pairs(list []request.Param) (n int) {
	for i := range list {
		n += pairLength + texts(list[i].Name, list[i].Value)
	}
	return n
}

func parts(list []request.Part) (n int) {
	for i := range list {
		p := &list[i]
		n += partLength + texts(p.Name, p.Value, p.File) + texts(p.Headers...) + parts(p.Parts)
		if p.Content != nil {
			n += texts(*p.Content)
		}
	}
	return n
}
