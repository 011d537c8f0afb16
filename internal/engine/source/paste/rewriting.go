package paste

import (
	"uncoil/diag"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/word"
)

// A Rewriting is a text made of another one by replacing parts of it. It
// knows where each byte came from, so that what is found in the new text can
// be reported at its place in the old one.
type Rewriting struct {
	src     string
	out     meter.Text
	copied  int // src[:copied] is in out already
	splices word.Positions
	meter   *meter.Meter
}

// NewRewriting returns a rewriting of src that changes nothing so far. It pays
// the meter; once that refuses, nothing is replaced any more.
func NewRewriting(src string, m *meter.Meter) *Rewriting { return &Rewriting{src: src, meter: m} }

// Spliced returns a rewriting that only maps places.
func Spliced(places word.Positions) *Rewriting { return &Rewriting{splices: places} }

// Replace puts another text for src[start:end]. Replacements are made from
// the left to the right and do not overlap.
func (w *Rewriting) Replace(start, end int, with string) {
	m := w.meter
	if !m.Work(4) || w.splices == nil && !w.out.Room(m, len(w.src)+len(with)) || !w.out.Add(m, w.src[w.copied:start]) {
		return
	}
	at := w.out.Len()
	if w.out.Add(m, with) && meter.Append(m, &w.splices, word.Splice{At: at, End: w.out.Len(), Start: int32(start), Stop: int32(end)}) {
		w.copied = end
	}
}

// Text returns the new text. Nothing may be replaced afterwards.
func (w *Rewriting) Text() string {
	if w.splices == nil {
		return w.src
	}
	w.out.Add(w.meter, w.src[w.copied:])
	w.copied = len(w.src)
	return w.out.String()
}

// Start returns where what starts at an offset of the new text starts in the
// old one. Within a replacement that is its start.
func (w *Rewriting) Start(offset int) int32 { return w.splices.Start(offset) }

// End returns where what ends at an offset of the new text ends in the old
// one. Within a replacement that is its end.
func (w *Rewriting) End(offset int) int32 { return w.splices.End(offset) }

// Restore moves the places of commands and diagnostics from the new text back
// to the old one.
func (w *Rewriting) Restore(commands []word.Command, diags diag.List) {
	restore := func(s *diag.Span) {
		s.Start, s.End = w.Start(int(s.Start)), w.End(int(s.End))
		s.End = max(s.Start, s.End)
	}
	for i := range commands {
		restore(&commands[i].Span)
		for k := range commands[i].Args {
			restore(&commands[i].Args[k].Span)
		}
	}
	restoreOrigins(commands, restore)
	for i := range diags {
		restore(&diags[i].Span)
		if fix := diags[i].Fix; fix != nil {
			restore(&fix.Span)
		}
	}
}

// restoreOrigins restores the places of what the holes of commands come from, each
// once: holes share them.
func restoreOrigins(commands []word.Command, restore func(*diag.Span)) {
	var restored map[*word.Origin]bool
	var each func(holes []word.Hole)
	each = func(holes []word.Hole) {
		for _, h := range holes {
			if h.From == nil || restored[h.From] {
				continue
			}
			if restored == nil {
				restored = make(map[*word.Origin]bool)
			}
			restored[h.From] = true
			restore(&h.From.Span)
			if of := h.From.Of; of != nil {
				each(of.Text.Holes)
				if of.Key != nil {
					each(of.Key.Holes)
				}
			}
		}
	}
	for i := range commands {
		for k := range commands[i].Args {
			each(commands[i].Args[k].Holes)
		}
	}
}
