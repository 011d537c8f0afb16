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

// NoteParameters writes what a comment says of the function: of each parameter, whether it is
// encoded. Each line stands after a prefix, the lines of first before them, and last after
// them unless it is "".
// A function without parameters has none.
func (p *Program) NoteParameters(first, prefix, last string) {
	var names [4][]string
	for _, one := range p.Parameters() {
		u := p.uses[one.Variable+" "+one.Default]
		for i := range names {
			if u&(1<<i) != 0 {
				names[i] = append(names[i], one.Name)
			}
		}
	}
	var words []string
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
	if len(words) == 0 {
		return
	}
	for line := range strings.SplitSeq(first, "\n") {
		p.Line(line)
	}
	line := prefix + words[0]
	for _, word := range words[1:] {
		if len(line)+len(word) > LineWidth-10 {
			p.Line(line)
			line = prefix + word
			continue
		}
		line += " " + word
	}
	p.Line(line)
	if last != "" {
		p.Line(last)
	}
}
