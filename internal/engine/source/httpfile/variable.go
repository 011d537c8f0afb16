package httpfile

import (
	"strings"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/source/message"
	"uncoil/internal/engine/source/word"
	"uncoil/request"
)

// expand returns a text that stands at an offset, with the values of its variables.
// One that is not known stays as it is spelled.
func (r *reader) expand(text string, at int) (word.Word, bool) {
	return r.expandInto(text, word.Word{Text: text, Span: span(at, at+len(text))})
}

func (r *reader) expandInto(text string, w word.Word) (word.Word, bool) {
	if !strings.Contains(text, "{{") {
		return w, true
	}
	var b message.Text
	for {
		start, end := reference(text)
		if start < 0 {
			break
		}
		if !r.Meter.Work(referenceSteps+end) || !r.Meter.Hold(referenceSize) || !b.Add(r.Meter, text[:start]) || !r.addValue(&b, text[start:end]) {
			return w, false
		}
		text = text[end:]
	}
	if !r.Meter.Work(len(text)/2) || !b.Add(r.Meter, text) {
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

// originSize is what an origin of a value takes.
const originSize = 192

// addValue appends the value of a reference, or its spelling as an unknown part.
func (r *reader) addValue(b *message.Text, spelled string) bool {
	name := strings.Trim(spelled[len("{{"):len(spelled)-len("}}")], " \t")
	unknown := word.Hole{Expr: spelled}
	if rest, ok := strings.CutPrefix(name, "$"); ok {
		name = ""
		kind, of, _ := strings.Cut(strings.Replace(rest, "env.", "env ", 1), " ")
		var from request.From
		switch kind {
		case "processEnv", "dotenv", "env":
			name = strings.TrimPrefix(strings.Trim(of, " \t%"), ".")
		case "guid", "uuid", "random.uuid":
			from = new(request.UUID)
		case "timestamp":
			if of == "" {
				from = &request.Date{Format: "%s"}
			}
		}
		if from != nil {
			unknown.From = &word.Origin{From: from}
		}
		if !r.Meter.Hold(originSize) {
			return false
		}
	} else if w, ok := r.vars[name]; ok {
		if len(w.Holes) != 1 || int(w.Holes[0].End-w.Holes[0].Start) != len(w.Text) {
			return b.AddWord(r.Meter, w)
		}
		unknown.Name, unknown.From = w.Holes[0].Name, w.Holes[0].From // it is another one by this name
		return b.AddHole(r.Meter, unknown)
	}
	if value, ok := r.env[name]; ok && name != "" {
		return b.Add(r.Meter, value)
	}
	unknown.Name = variableName(name)
	return b.AddHole(r.Meter, unknown)
}

// variableName returns what a program can call a variable: its name with underscores
// for dashes and dots, or nothing where it is an expression or a part of an answer.
func variableName(name string) string {
	if strings.Contains(name, ".response.") || strings.Contains(name, ".request.") || name == "" || ascii.IsDigit(name[0]) {
		return ""
	}
	for i := range len(name) {
		if !ascii.IsNameByte(name[i]) && name[i] != '-' && name[i] != '.' {
			return ""
		}
	}
	return strings.NewReplacer("-", "_", ".", "_").Replace(name)
}
