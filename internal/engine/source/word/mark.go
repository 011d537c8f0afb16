package word

import (
	"slices"
	"strings"
	"unicode/utf8"

	"uncoil/diag"
)

// Marks let the stages after the shell treat what only the shell would know
// as one opaque character. [NewMarks] replaces each unknown part of a
// command's words by a mark, a private-use character of plane 16. A mark
// survives whatever is done to the text around it (cutting, joining, trimming,
// removal of line breaks), and in the end Restore puts the spelling back, or
// Next reports where each mark stands.
//
// A mark also holds its coding: a stage that encodes the text around a mark
// notes there how the value must be encoded.
//
// All methods of a nil *Marks work: there are no marks.
type Marks struct {
	holes  []Hole          // one for each distinct expression and origin
	index  map[holeKey]int // of each in holes, once there are many
	first  [2]Hole         // memory for the holes of most commands
	blocks []uint16        // the block of each hole, in ascending order; nil: hole i has block i
}

// few is up to how many holes are looked through one by one.
const few = 16

// A holeKey is what holes share that have one value.
type holeKey struct {
	expr string
	from *Origin // the same spelling may stand for what a command printed before
}

func (h *Hole) key() holeKey { return holeKey{h.Expr, h.From} }

// find returns the index of a hole in holes.
func (m *Marks) find(h *Hole) (i int, ok bool) {
	if m.index != nil {
		i, ok = m.index[h.key()]
		return i, ok
	}
	for i := range m.holes {
		if m.holes[i].Expr == h.Expr && m.holes[i].From == h.From {
			return i, true
		}
	}
	return 0, false
}

// add adds an unknown part.
func (m *Marks) add(h Hole) {
	m.holes = append(m.holes, h)
	switch n := len(m.holes); {
	case n == few+1:
		m.index = make(map[holeKey]int)
		for i := range m.holes {
			m.index[m.holes[i].key()] = i
		}
	case n > few:
		m.index[h.key()] = n - 1
	}
}

// MarkLead is the byte that a mark begins with.
const MarkLead = 0xf4

// Each hole has a block of characters, one for each coding.
const (
	firstMark = 0x100000                         // the first character of plane 16
	MaxMarks  = (0x10fffe - firstMark) / codings // of one command
)

// The codings of a mark.
const (
	AsIs    = iota
	Percent // percent-encoded, a space as %20
	Form    // percent-encoded, a space as +
	JSON    // escaped for the inside of a JSON string
	codings
)

// NewMarks returns marks for the unknown parts of the words and of the text
// that the command reads from standard input, or nil where there are none.
// Nothing in used can become one of the marks. ok is false where fewer
// characters are left than there are distinct parts.
func NewMarks(words []Word, stdin []Hole, used *Used) (m *Marks, ok bool) {
	for i := range words {
		m = m.with(words[i].Holes)
	}
	if m = m.with(stdin); m == nil || used.empty() {
		return m, m == nil || len(m.holes) <= MaxMarks
	}
	m.blocks = make([]uint16, 0, min(len(m.holes), MaxMarks))
	for block := 0; block < MaxMarks && len(m.blocks) < len(m.holes); block++ {
		if !used.has(block) {
			m.blocks = append(m.blocks, uint16(block))
		}
	}
	return m, len(m.blocks) == len(m.holes)
}

// with adds what is distinct in holes.
func (m *Marks) with(holes []Hole) *Marks {
	for i := range holes {
		if m == nil {
			m = new(Marks)
			m.holes = m.first[:0]
		}
		if _, ok := m.find(&holes[i]); !ok && len(m.holes) <= MaxMarks {
			m.add(holes[i])
		}
	}
	return m
}

// Clashes reports whether something in used could be taken for one of the marks.
func (m *Marks) Clashes(used *Used) bool {
	if m == nil || used.empty() {
		return false
	}
	for i := range m.holes {
		if used.has(m.block(i)) {
			return true
		}
	}
	return false
}

// block returns the block of a hole.
func (m *Marks) block(hole int) int {
	if m.blocks == nil {
		return hole
	}
	return int(m.blocks[hole])
}

// mark returns the mark of a hole.
func (m *Marks) mark(hole int, coding uint8) rune {
	return rune(firstMark + m.block(hole)*codings + int(coding))
}

// hole returns the hole whose mark a character is.
func (m *Marks) hole(r rune) (hole int, coding uint8, ok bool) {
	n := int(r) - firstMark
	if n < 0 {
		return 0, 0, false
	}
	hole, coding = n/codings, uint8(n%codings)
	if m.blocks != nil {
		hole, ok = slices.BinarySearch(m.blocks, uint16(hole))
		return hole, coding, ok
	}
	return hole, coding, hole < len(m.holes)
}

// A Mark is the position of a mark in a text.
type Mark struct {
	Start, End int
	Hole       *Hole // whose Start and End mean nothing here
	Coding     uint8
}

// Next returns the first mark in s, and what follows it.
func (m *Marks) Next(s string) (mark Mark, rest string, ok bool) {
	if m == nil {
		return Mark{}, "", false
	}
	for start := 0; ; start++ {
		i := strings.IndexByte(s[start:], MarkLead)
		if i < 0 {
			return Mark{}, "", false
		}
		start += i
		r, size := utf8.DecodeRuneInString(s[start:])
		if hole, coding, ok := m.hole(r); ok {
			return Mark{start, start + size, &m.holes[hole], coding}, s[start+size:], true
		}
	}
}

// Word returns a copy of a word with marks for its unknown parts, which stand in
// memory behind what is there.
func (m *Marks) Word(w Word, memory *[]Hole) Word {
	if m == nil || len(w.Holes) == 0 {
		return w
	}
	start := len(*memory)
	w.Text = m.Text(w.Text, w.Holes)
	*memory = m.appendHoles(*memory, w.Text)
	end := len(*memory)
	w.Holes = (*memory)[start:end:end]
	return w
}

// Text returns a text with marks for its unknown parts.
func (m *Marks) Text(text string, holes []Hole) string {
	if m == nil || len(holes) == 0 {
		return text
	}
	var b strings.Builder
	b.Grow(len(text) + utf8.UTFMax*len(holes))
	at := 0
	for k := range holes {
		h := &holes[k]
		if i, ok := m.find(h); ok && int(h.Start) >= at {
			b.WriteString(text[at:h.Start])
			b.WriteRune(m.mark(i, AsIs))
			at = int(h.End)
		}
	}
	b.WriteString(text[at:])
	return b.String()
}

// Holes returns the marks of a text as the unknown parts of a word.
func (m *Marks) Holes(text string) []Hole { return m.appendHoles(nil, text) }

func (m *Marks) appendHoles(holes []Hole, text string) []Hole {
	at := 0
	for mark, rest, ok := m.Next(text); ok; mark, rest, ok = m.Next(rest) {
		h := *mark.Hole
		h.Start, h.End = int32(at+mark.Start), int32(at+mark.End)
		holes = append(holes, h)
		at += mark.End
	}
	return holes
}

// Encode applies an encoding to the text between the marks, and notes the
// coding in the marks.
func (m *Marks) Encode(s string, coding uint8, encode func(string) string) string {
	mark, rest, ok := m.Next(s)
	if !ok {
		return encode(s)
	}
	var b strings.Builder
	for ; ok; mark, rest, ok = m.Next(rest) {
		b.WriteString(encode(s[:mark.Start]))
		i, _ := m.find(mark.Hole)
		b.WriteRune(m.mark(i, coding))
		s = rest
	}
	b.WriteString(encode(s))
	return b.String()
}

// Restore puts the spelling of the unknown parts back.
func (m *Marks) Restore(s string) string {
	return m.restore(s, func(h *Hole) string { return h.Expr })
}

// restore replaces the marks by what a function returns for them.
func (m *Marks) restore(s string, spelling func(*Hole) string) string {
	mark, rest, ok := m.Next(s)
	if !ok {
		return s
	}
	var b strings.Builder
	for ; ok; mark, rest, ok = m.Next(rest) {
		b.WriteString(s[:mark.Start])
		b.WriteString(spelling(mark.Hole))
		s = rest
	}
	b.WriteString(s)
	return b.String()
}

// RestoreDiags names the unknown parts in the messages of diagnostics, and
// puts the spelling back in the names of files.
func (m *Marks) RestoreDiags(list diag.List) {
	if m == nil {
		return
	}
	for i := range list {
		d := &list[i]
		d.Message, d.Hint, d.Option = m.restore(d.Message, (*Hole).Shown), m.restore(d.Hint, (*Hole).Shown), m.restore(d.Option, (*Hole).Shown)
		for j, name := range d.Files {
			if restored := m.Restore(name); restored != name {
				d.Files = slices.Clone(d.Files) // which others may hold too
				d.Files[j] = restored
			}
		}
	}
}

// Offset returns the offset in the source of byte i of the text. ok is false
// where quoting or an escape keeps that from being known.
func (w *Word) Offset(i int) (offset int32, ok bool) {
	typed, offset := len(w.Text), w.Span.Start+int32(i)
	for _, h := range w.Holes {
		grown := len(h.Expr) - int(h.End-h.Start) // where a mark stands for it
		typed += grown
		if int(h.End) <= i {
			offset += int32(grown)
		}
	}
	return offset, int(w.Span.End-w.Span.Start) == typed
}
