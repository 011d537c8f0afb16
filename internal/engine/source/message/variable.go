package message

import (
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/word"
	"uncoil/request"
)

// What a reference costs beside its text.
const (
	referenceSteps = 64
	referenceSize  = 32
	originSize     = 192
)

// A Reference is a {{name}} in a text.
type Reference struct {
	Spelled string
	Name    string    // between the braces
	Span    diag.Span // of the text
}

// Expand returns a word with the values of the references in its text, which add
// appends. Unknown parts of the word itself are none of it.
func (w *Writer) Expand(text word.Word, add func(b *Text, ref Reference) bool) (word.Word, bool) {
	return expand(w.Meter, text, add)
}

func expand(m *meter.Meter, w word.Word, add func(b *Text, ref Reference) bool) (word.Word, bool) {
	text := w.Text
	if !strings.Contains(text, "{{") {
		return w, true
	}
	var b Text
	for {
		start, end := reference(text)
		if start < 0 {
			break
		}
		if !m.Work(referenceSteps+end) || !m.Hold(referenceSize) || !b.Add(m, text[:start]) || !add(&b, Reference{text[start:end], strings.Trim(text[start+len("{{"):end-len("}}")], " \t"), w.Span}) {
			return w, false
		}
		text = text[end:]
	}
	if !m.Work(len(text)/2) || !b.Add(m, text) {
		return w, false
	}
	return b.Word(w.Span), true
}

// reference returns where the first {{name}} of a text stands, or -1.
func reference(s string) (start, end int) {
	for at := 0; ; {
		i := strings.Index(s[at:], "{{")
		if i < 0 {
			return -1, -1
		}
		start = at + i
		inner := s[start+len("{{"):]
		n := strings.IndexAny(inner, "{}\n")
		if n < 0 {
			return -1, -1
		}
		if n > 0 && strings.HasPrefix(inner[n:], "}}") {
			return start, start + 2*len("{{") + n
		}
		at = start + 1
	}
}

// AddUnknown appends a reference that has no value: the variable of its name, which
// a reader may spell otherwise, or what the client makes anew each time, which is
// spelled as a shell makes it. What no name can stand for stays as text.
func (w *Writer) AddUnknown(b *Text, ref Reference) bool {
	h := word.Hole{Expr: ref.Spelled, Name: VariableName(ref.Name)}
	var from request.From
	switch ref.Name {
	case "$guid", "$uuid", "$random.uuid", "$randomUUID":
		from, h.Expr = new(request.UUID), "$(uuidgen)"
	case "$timestamp":
		from, h.Expr = &request.Date{Format: "%s"}, "$(date +%s)"
	case "$isoTimestamp":
		from, h.Expr = &request.Date{Format: "%FT%TZ", UTC: true}, "$(date -u +%FT%TZ)"
	}
	if from != nil {
		h.From = &word.Origin{From: from}
		return w.Meter.Hold(originSize) && b.AddHole(w.Meter, h)
	}
	if h.Name == "" {
		w.Warn(diag.WarnVariableKept, ref.Span, ref.Spelled+" is kept as written; the client would replace it with a value of its own", "write a value in its place")
		return b.Add(w.Meter, ref.Spelled)
	}
	return b.AddHole(w.Meter, h)
}

// Whole returns the unknown part that is all of a word, or nil.
func Whole(w *word.Word) *word.Hole {
	if len(w.Holes) == 1 && int(w.Holes[0].End-w.Holes[0].Start) == len(w.Text) {
		return &w.Holes[0]
	}
	return nil
}

// VariableName returns what a program can call a variable: its name with underscores
// for all other signs, or nothing where it is an expression or a part of an answer.
func VariableName(name string) string {
	if strings.Contains(name, ".response.") || strings.Contains(name, ".request.") || name == "" || ascii.IsDigit(name[0]) || strings.ContainsAny(name, "$ ()[]\"'`;=+*?\\") {
		return ""
	}
	b := []byte(name)
	for i := range b {
		if !ascii.IsNameByte(b[i]) {
			b[i] = '_'
		}
	}
	return string(b)
}
