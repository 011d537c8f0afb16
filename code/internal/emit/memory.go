package emit

import (
	"strings"

	"uncoil/internal/engine/meter"
)

// A Slab is memory for the small lists of a program, which end with it.
type Slab[T any] struct {
	Used   []T
	most   int // items that were used at once, where back gave some up
	held   int // bytes that were paid for
	Budget *Budget
}

// List returns an empty list for n items.
func (s *Slab[T]) List(n int) []T {
	start := len(s.Used)
	if cap(s.Used)-start < n { // earlier lists keep the old array
		size := max(n, min(2*cap(s.Used), largeSlab), usualList)
		bytes := size * meter.SizeOf[T]()
		s.Budget.Hold(bytes)
		s.Used, start, s.held = make([]T, 0, size), 0, s.held+bytes
	}
	s.Used = s.Used[:start+n]
	return s.Used[start : start : start+n]
}

// Back makes the slab what it was before lists that nobody refers to any more.
func (s *Slab[T]) Back(before Slab[T]) {
	kept := before.held
	s.most = max(s.most, len(s.Used))
	if cap(s.Used) == cap(before.Used) {
		s.Used = s.Used[:len(before.Used)]
	} else {
		kept += cap(s.Used) * meter.SizeOf[T]()
		s.Used = s.Used[:0]
	}
	s.Budget.Free(s.held - kept)
	s.held = kept
}

// ShortTexts is memory for many short texts, which stay where they are written: the
// texts of later programs come after them.
type ShortTexts struct{ builder *strings.Builder }

// Room returns a builder with room for a text of so many bytes, and where the
// text starts.
func (t *ShortTexts) Room(n int) (b *strings.Builder, start int) {
	if b = t.builder; b != nil && b.Cap()-b.Len() >= n {
		return b, b.Len()
	}
	b = new(strings.Builder)
	b.Grow(max(n, UsualSection))
	if n < UsualSection {
		t.builder = b
	}
	return b, 0
}

// Join returns texts, one after the other.
func (t *ShortTexts) Join(texts ...string) string {
	length := 0
	for _, s := range texts {
		length += len(s)
	}
	b, start := t.Room(length)
	for _, s := range texts {
		b.WriteString(s)
	}
	return b.String()[start:]
}

// keep returns a copy of a list.
func (s *Slab[T]) keep(list []T) []T {
	if len(list) == 0 {
		return nil
	}
	return append(s.List(len(list)), list...)
}

// Emptied returns the slab without its items. Those that back gave up are there
// too.
func (s *Slab[T]) Emptied() Slab[T] {
	return Slab[T]{Used: Emptied(s.Used[:max(len(s.Used), min(s.most, cap(s.Used)))])}
}

// usualList is how many items a slab has at first, and largeSlab up to how many it
// grows unless one list has more.
const (
	usualList = 32
	largeSlab = 4 << 10
)

// Emptied returns a list without its items, and keeps its memory.
func Emptied[T any](list []T) []T {
	clear(list)
	return list[:0]
}

// UsualSection is how long, in bytes, what sections writes seldom is.
const UsualSection = 1024
