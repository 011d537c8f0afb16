package curl

import (
	"uncoil/diag"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/word"
)

// A Setting is an option as used once.
type Setting struct {
	*Option
	// On is false for the --no- form, and for the letter of an option that
	// is documented in that form (-N).
	On bool
	// Name is the option as typed: -H, --header. It is empty for a URL
	// that stands alone.
	Name string
	// Span is where the name stands, or the URL that stands alone.
	Span diag.Span
	// Value is the argument, never nil: an empty word when the option takes
	// none.
	Value *word.Word
}

// noWord is the argument of the options that take none.
var noWord word.Word

// An Operation is the settings between two --next, in command order. A URL
// that stands alone is a setting of --url.
type Operation struct {
	Settings []Setting
	// URLs counts the URLs of the operation.
	URLs int
	// Requests counts the requests that the operation makes, once these are built.
	Requests int
}

// Recorded is a setting that stands in the command itself, not in a configuration
// file, and the number of its operation.
type Recorded struct {
	Setting
	Operation int
}

// record keeps a setting for whoever explains the command.
func (p *parser) record(s *Setting) {
	if p.in.Record && p.depth == 0 && !meter.Append(p.in.Meter, &p.in.Recorded, Recorded{*s, len(p.operations) - 1}) {
		p.overLimit()
	}
}

// What the parser's values take in memory.
const (
	sizeOfSetting = 48
	sizeOfWord    = word.Size
	sizeOfHole    = word.HoleSize
	sizeOfWarning = 2 * 200 // with room for the list to grow
)

// settingSteps is what a setting costs beside its text.
const settingSteps = 12

// wordFrom returns the part of a word from byte i of its text on. Its span is
// exact when the word was typed without quoting, and else that of the word.
func (p *parser) wordFrom(w *word.Word, i int) *word.Word {
	if !p.hold(sizeOfWord + sizeOfHole*len(w.Holes)) {
		return &noWord
	}
	part := &word.Word{Text: w.Text[i:], Span: w.Span}
	if len(w.Holes) > 0 {
		part.Holes = make([]word.Hole, 0, len(w.Holes))
	}
	if at, exact := w.Offset(i); exact {
		part.Span.Start = at
	}
	for _, h := range w.Holes {
		if int(h.Start) >= i {
			h.Start -= int32(i)
			h.End -= int32(i)
			part.Holes = append(part.Holes, h)
		}
	}
	return part
}
