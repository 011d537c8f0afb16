package word

import "sort"

// A Splice maps text[At:End] of a rewritten text to the bytes
// from Start to Stop of the source.
type Splice struct {
	At, End     int
	Start, Stop int32
}

// Positions maps offsets of a rewritten text back to its source: one splice
// for each part that was replaced, from the left to the right.
type Positions []Splice

// Start returns the offset in the source of what starts at offset i of the
// text. Within a replacement that is the start of the replaced bytes.
func (p Positions) Start(i int) int32 { return p.source(i, false) }

// End returns the offset in the source of what ends at offset i of the text.
// Within a replacement that is the end of the replaced bytes.
func (p Positions) End(i int) int32 { return p.source(i, true) }

func (p Positions) source(i int, end bool) int32 {
	n := sort.Search(len(p), func(n int) bool { return p[n].At > i || end && p[n].At == i })
	if n == 0 {
		return int32(i)
	}
	s := p[n-1]
	switch {
	case end && i <= s.End:
		return s.Stop
	case !end && i < s.End:
		return s.Start
	}
	return s.Stop + int32(i-s.End)
}
