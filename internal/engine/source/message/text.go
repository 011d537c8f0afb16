package message

import (
	"slices"
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/word"
)

// A Text joins texts that may have unknown parts.
type Text struct {
	text  meter.Text
	holes []word.Hole
}

// Len returns how many bytes the text has.
func (t *Text) Len() int { return t.text.Len() }

// Add appends a text, and reports whether the conversion may go on.
func (t *Text) Add(m *meter.Meter, s string) bool { return t.text.Add(m, s) }

// AddWord appends a word with its unknown parts.
func (t *Text) AddWord(m *meter.Meter, w word.Word) bool {
	return t.hold(m, t.text.Len(), w.Holes) && t.text.Add(m, w.Text)
}

// AddHole appends an unknown part as it is spelled.
func (t *Text) AddHole(m *meter.Meter, h word.Hole) bool {
	h.Start, h.End = int32(t.text.Len()), int32(t.text.Len()+len(h.Expr))
	return m.Work(holeSteps) && meter.Append(m, &t.holes, h) && t.text.Add(m, h.Expr)
}

// AddEach appends a word whose known parts a function writes in another way. It gets
// where a part begins, too.
func (t *Text) AddEach(m *meter.Meter, w word.Word, written func(known string, at int) string) bool {
	at := 0
	for i, h := range w.Holes {
		if !t.text.Add(m, written(w.Text[at:h.Start], at)) || !t.hold(m, t.text.Len()-int(h.Start), w.Holes[i:i+1]) || !t.text.Add(m, w.Text[h.Start:h.End]) {
			return false
		}
		at = int(h.End)
	}
	return t.text.Add(m, written(w.Text[at:], at))
}

// hold keeps the holes of what follows at an offset.
func (t *Text) hold(m *meter.Meter, at int, holes []word.Hole) bool {
	for _, h := range holes {
		h.Start += int32(at)
		h.End += int32(at)
		if !m.Work(holeSteps) || !meter.Append(m, &t.holes, h) {
			return false
		}
	}
	return true
}

// holeSteps is what a copy of an unknown part costs.
const holeSteps = 8

// Word returns what was joined as a word of that span.
func (t *Text) Word(span diag.Span) word.Word {
	return word.Word{Text: t.text.String(), Holes: t.holes, Span: span}
}

// containsAny reports whether the known parts of a word have one of the characters.
func containsAny(w *word.Word, chars string) bool {
	at := 0
	for _, h := range w.Holes {
		if strings.ContainsAny(w.Text[at:h.Start], chars) {
			return true
		}
		at = int(h.End)
	}
	return strings.ContainsAny(w.Text[at:], chars)
}

// Cut returns a part of a word, from a byte to another, which stand in no unknown
// part. It is a part of the text of w. HoldCuts pays for the unknown parts of it.
func Cut(w word.Word, from, to int) word.Word {
	cut := word.Word{Text: w.Text[from:to], Span: w.Span}
	first, last := 0, len(w.Holes)
	for first < last && int(w.Holes[first].Start) < from {
		first++
	}
	for last > first && int(w.Holes[last-1].End) > to {
		last--
	}
	if cut.Holes = w.Holes[first:last:last]; from > 0 && first < last {
		cut.Holes = slices.Clone(cut.Holes)
		for i := range cut.Holes {
			cut.Holes[i].Start -= int32(from)
			cut.Holes[i].End -= int32(from)
		}
	}
	return cut
}

// IndexByte returns the index of the first byte c of a word that is in no unknown
// part, or -1.
func IndexByte(w word.Word, c byte) int {
	at := 0
	for _, h := range w.Holes {
		if i := strings.IndexByte(w.Text[at:h.Start], c); i >= 0 {
			return at + i
		}
		at = int(h.End)
	}
	if i := strings.IndexByte(w.Text[at:], c); i >= 0 {
		return at + i
	}
	return -1
}

// AddURL appends a URL as clients send it that parse URLs as browsers do: the sets
// of https://url.spec.whatwg.org/#path-percent-encode-set are percent-encoded, a
// backslash in the path is a slash, and line breaks and tabs are left out.
func (t *Text) AddURL(m *meter.Meter, url word.Word) bool {
	const pathSet, querySet = " \"<>`{}^", " \"<>'"
	set := pathSet
	path := 0 // where the path begins, which may be in an unknown part
	if i := strings.Index(url.Text, "://"); i >= 0 {
		path = i + len("://")
	}
	for path < len(url.Text) && strings.IndexByte("/?\\", url.Text[path]) < 0 {
		path++
	}
	return m.Work(len(url.Text)/2) && m.Hold(3*len(url.Text)) && t.AddEach(m, url, func(known string, at int) string {
		b := make([]byte, 0, len(known)+16)
		for i := range len(known) {
			c := known[i]
			switch {
			case at+i < path:
				b = append(b, c)
				continue
			case c == '?':
				set = querySet
			case c == '\\' && set == pathSet:
				c = '/'
			case c == '\n' || c == '\r' || c == '\t':
				continue
			}
			if strings.IndexByte(set, c) >= 0 {
				b = ascii.AppendPercent(b, string(c), "%20")
			} else {
				b = append(b, c)
			}
		}
		return string(b)
	})
}

// HoldCuts pays for a number of cuts of a word.
func HoldCuts(m *meter.Meter, w word.Word, n int) bool {
	return m.Work(n*len(w.Holes)) && m.Hold(n*word.HoleSize*len(w.Holes))
}
