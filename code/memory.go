package code

import (
	"strings"

	"uncoil/internal/engine/meter"
)

// A slab is memory for the small lists of a program, which end with it.
type slab[T any] struct {
	used   []T
	most   int // items that were used at once, where back gave some up
	held   int // bytes that were paid for
	budget *budget
}

// list returns an empty list for n items.
func (s *slab[T]) list(n int) []T {
	start := len(s.used)
	if cap(s.used)-start < n { // the lists that have the rest keep it
		size := max(n, min(2*cap(s.used), largeSlab), usualList)
		bytes := size * meter.SizeOf[T]()
		s.budget.hold(bytes)
		s.used, start, s.held = make([]T, 0, size), 0, s.held+bytes
	}
	s.used = s.used[:start+n]
	return s.used[start : start : start+n]
}

// back makes the slab what it was before lists that nobody refers to any more.
func (s *slab[T]) back(before slab[T]) {
	kept := before.held
	s.most = max(s.most, len(s.used))
	if cap(s.used) == cap(before.used) {
		s.used = s.used[:len(before.used)]
	} else {
		kept += cap(s.used) * meter.SizeOf[T]()
		s.used = s.used[:0]
	}
	s.budget.free(s.held - kept)
	s.held = kept
}

// shortTexts is memory for many short texts, which stay where they are written: the
// texts of later programs come after them.
type shortTexts struct{ builder *strings.Builder }

// room returns a builder with room for a text of so many bytes, and where the
// text starts.
func (t *shortTexts) room(n int) (b *strings.Builder, start int) {
	if b = t.builder; b != nil && b.Cap()-b.Len() >= n {
		return b, b.Len()
	}
	b = new(strings.Builder)
	b.Grow(max(n, usualSection))
	if n < usualSection {
		t.builder = b
	}
	return b, 0
}

// join returns texts, one after the other.
func (t *shortTexts) join(texts ...string) string {
	length := 0
	for _, s := range texts {
		length += len(s)
	}
	b, start := t.room(length)
	for _, s := range texts {
		b.WriteString(s)
	}
	return b.String()[start:]
}

// keep returns a copy of a list.
func (s *slab[T]) keep(list []T) []T {
	if len(list) == 0 {
		return nil
	}
	return append(s.list(len(list)), list...)
}

// emptied returns the slab without its items. Those that back gave up are there
// too.
func (s *slab[T]) emptied() slab[T] {
	return slab[T]{used: emptied(s.used[:max(len(s.used), min(s.most, cap(s.used)))])}
}

// usualList is how many items a slab has at first, and largeSlab up to how many it
// grows unless one list has more.
const (
	usualList = 32
	largeSlab = 4 << 10
)

// emptied returns a list without its items, and keeps its memory.
func emptied[T any](list []T) []T {
	clear(list)
	return list[:0]
}

// usualSection is how long, in bytes, what sections writes seldom is.
const usualSection = 1024
