package httpfile

import (
	"strings"

	"uncoil/internal/engine/source/message"
	"uncoil/internal/engine/source/word"
)

// expand returns a text that stands at an offset, with the values of its variables.
// One that is not known stays as it is spelled.
func (r *reader) expand(text string, at int) (word.Word, bool) {
	return r.expandWord(word.Word{Text: text, Span: span(at, at+len(text))})
}

func (r *reader) expandWord(w word.Word) (word.Word, bool) {
	return r.Expand(w, r.addValue)
}

// addValue appends the value of a reference, or its spelling as an unknown part.
func (r *reader) addValue(b *message.Text, ref message.Reference) bool {
	if w, ok := r.vars[ref.Name]; ok {
		h := message.Whole(&w)
		if h == nil {
			return b.AddWord(r.Meter, w)
		}
		return b.AddHole(r.Meter, word.Hole{Expr: ref.Spelled, Name: h.Name, From: h.From}) // another one by this name
	}
	if rest, ok := strings.CutPrefix(ref.Name, "$"); ok {
		kind, of, _ := strings.Cut(strings.Replace(rest, "env.", "env ", 1), " ")
		if kind == "processEnv" || kind == "dotenv" || kind == "env" {
			ref.Name = strings.Trim(of, " \t%")
		}
	}
	if value, ok := r.env[ref.Name]; ok {
		return b.Add(r.Meter, value)
	}
	return r.AddUnknown(b, ref)
}
