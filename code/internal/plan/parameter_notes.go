package plan

import (
	"strings"

	"uncoil/request"
)

// A use says what becomes of a parameter: a set, because it may stand in several places.
type use uint8

const (
	usedEncoded use = 1 << iota
	usedSlashes
	usedJSON
	usedRaw
)

// noteUses notes what becomes of the variables of a string.
func (p *Program) noteUses(variables []request.Variable) {
	if p.uses == nil {
		p.uses = make(map[string]use)
	}
	for i := range variables {
		u := usedRaw
		switch v := &variables[i]; v.Encoding {
		case request.EncodingPercent, request.EncodingForm, request.EncodingJSON, Segment:
			u = usedEncoded
		case Segments:
			u = usedSlashes
		case JSONValue, JSONElements:
			u = usedJSON
		}
		p.uses[parameterKey(&variables[i])] |= u
	}
}

// A DocComment is how a language writes the comment of a function: what opens it, what begins
// its other lines, and what closes it.
type DocComment struct {
	Open, Line, Close string
	Apart             bool // of several lines, what opens and what closes it have their own
}

// NoteFunction writes the comment of the function: a sentence that says what it does, one that
// says more of what it returns, or "", and of each parameter whether it is encoded.
func (p *Program) NoteFunction(d *DocComment, sentence, more string) {
	words := append(strings.Fields(more), p.parameterWords()...)
	if len(words) == 0 {
		p.Line(d.Open, sentence, d.Close)
		return
	}
	if d.Apart {
		p.Line(strings.TrimRight(d.Open, " "))
		p.Line(d.Line, sentence)
	} else {
		p.Line(d.Open, sentence)
	}
	if blank := strings.TrimRight(d.Line, " "); blank == "" {
		p.Line()
	} else {
		p.Line(blank)
	}
	line := d.Line + words[0]
	for _, word := range words[1:] {
		if len(line)+len(word) > LineWidth-10 {
			p.Line(line)
			line = d.Line + word
			continue
		}
		line += " " + word
	}
	p.Line(line)
	if d.Close != "" {
		p.Line(d.Close)
	}
}

// parameterWords returns the words of sentences that say of each parameter whether it is encoded.
func (p *Program) parameterWords() (words []string) {
	var names [4][]string
	for _, one := range p.Parameters() {
		u := p.uses[one.key()]
		for i := range names {
			if u&(1<<i) != 0 {
				names[i] = append(names[i], one.Name)
			}
		}
	}
	for i, one := range [...]struct{ is, are string }{
		{"is encoded.", "are encoded."},
		{"is encoded, but for its slashes.", "are encoded, but for their slashes."},
		{"is JSON.", "are JSON."},
		{"is inserted as it is.", "are inserted as they are."},
	} {
		switch n := len(names[i]); n {
		case 0:
		case 1:
			words = append(append(words, names[i]...), strings.Fields(one.is)...)
		default:
			for j, name := range names[i] {
				switch {
				case j < n-2:
					name += ","
				case j == n-1:
					words = append(words, "and")
				}
				words = append(words, name)
			}
			words = append(words, strings.Fields(one.are)...)
		}
	}
	return words
}

// TakesJSON reports whether a parameter is JSON wherever it stands: a value of any kind that the
// language has.
func (p *Program) TakesJSON(one *Parameter) bool { return p.uses[one.key()] == usedJSON }
