package postman

import (
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/jsontext"
	"uncoil/internal/engine/source/message"
	"uncoil/internal/engine/source/word"
)

// maxValues is how deep values of variables may have others in them: Postman replaces
// them so often, VARIABLE_REPLACE_MAX of postman-collection lib/superstring.
const maxValues = 19

// expand returns a word with the values of its variables. One that is not known stays as
// it is spelled.
func (r *reader) expand(w word.Word) (word.Word, bool) { return r.Expand(w, r.addValue) }

// addValue appends the value of a reference, or its spelling as an unknown part.
func (r *reader) addValue(b *message.Text, ref message.Reference) bool {
	value, known := r.vars[ref.Name]
	switch {
	case known && value == ref.Spelled, known && r.depth == maxValues: // it stands for itself
		return b.Add(r.Meter, ref.Spelled)
	case known:
		r.depth++
		w, ok := r.expand(word.Word{Text: value, Span: ref.Span})
		r.depth--
		return ok && b.AddWord(r.Meter, w)
	}
	if value, ok := r.env[ref.Name]; ok {
		return b.Add(r.Meter, value)
	}
	return r.AddUnknown(b, ref)
}

// events looks at scripts. What only sets variables to literal strings before the
// request is known; others are left out.
func (r *reader) events() bool {
	return r.json.Array(func() bool {
		if r.json.Peek() != '{' {
			return r.json.Skip()
		}
		var listen word.Word
		return r.Meter.Work(elementSteps) && r.json.Object(func(name string, _ int) bool {
			switch {
			case name == "listen":
				return r.scalar(&listen)
			case name == "script" && r.json.Peek() == '{':
				return r.json.Object(func(name string, _ int) bool {
					if name != "exec" {
						return r.json.Skip()
					}
					return r.script(listen.Text == "prerequest")
				})
			}
			return r.json.Skip()
		})
	})
}

// script reads the lines of a script.
func (r *reader) script(before bool) bool {
	line := func() bool {
		var w word.Word
		if !r.scalar(&w) || !r.Meter.Work(len(w.Text)/4) {
			return false
		}
		text := strings.TrimSpace(w.Text)
		if text == "" || strings.HasPrefix(text, "//") || before && r.sets(text) {
			return true
		}
		if r.scripts == (diag.Span{}) {
			r.scripts = w.Span
		}
		return true
	}
	if r.json.Peek() != '[' {
		return line()
	}
	return r.json.Array(line)
}

// sets reports whether a line of a script sets a variable to a string, and keeps it.
func (r *reader) sets(line string) bool {
	rest, ok := strings.CutPrefix(line, "pm.")
	if !ok {
		return false
	}
	scope, rest, _ := strings.Cut(rest, ".set(")
	switch scope {
	case "variables", "collectionVariables", "environment", "globals":
	default:
		return false
	}
	rest, ok = strings.CutSuffix(strings.TrimSuffix(rest, ";"), ")")
	if !ok {
		return false
	}
	arguments := jsontext.NewReader("["+rest+"]", 2)
	var texts []string
	ok = arguments.Peek() == '[' && arguments.Array(func() bool {
		if arguments.Peek() != '"' || len(texts) == 2 {
			return false
		}
		text, ok := arguments.String()
		texts = append(texts, text)
		return ok
	})
	if !ok || len(texts) != 2 || !r.Meter.Hold(variableSize+2*len(line)) {
		return false
	}
	r.vars[texts[0]] = texts[1]
	return true
}
