package meter

import (
	"reflect"
	"strings"
)

// SizeOf returns how many bytes a value takes, without what it refers to.
func SizeOf[T any]() int { return int(reflect.TypeFor[T]().Size()) }

// small is up to how many elements a list is not given back when it grows: it
// may be memory that was there before the conversion.
const small = 128

// Append appends v to a list that only this pointer refers to, and reports
// whether the conversion may go on. What a larger list takes is paid for before
// it is made.
func Append[L ~[]T, T any](m *Meter, list *L, v T) bool {
	if len(*list) == cap(*list) && Grow(m, list) == 0 {
		return false
	}
	*list = append(*list, v)
	return true
}

// Grow makes a list larger that is full, and returns how many bytes more it
// takes than before; 0 means that the conversion must end.
func Grow[L ~[]T, T any](m *Meter, list *L) (bytes int) {
	size := SizeOf[T]()
	before := cap(*list)
	after := max(1, 2*before)
	if !m.Hold(size * after) {
		return 0
	}
	larger := make(L, len(*list), after)
	copy(larger, *list)
	*list = larger
	if before <= small {
		return size * after
	}
	m.Free(size * before)
	return size * (after - before)
}

// A Text is put together from stretches. What it takes is paid for before it
// grows.
type Text struct{ b strings.Builder }

// Len returns the length in bytes.
func (t *Text) Len() int { return t.b.Len() }

// String returns the text, which is not copied.
func (t *Text) String() string { return t.b.String() }

// Room makes room for n bytes more, and reports whether the conversion may go
// on.
func (t *Text) Room(m *Meter, n int) bool { return Room(m, &t.b, n) }

// Room makes room in a builder for n bytes more, and reports whether the
// conversion may go on.
func Room(m *Meter, b *strings.Builder, n int) bool {
	before := b.Cap()
	if before-b.Len() >= n {
		return true
	}
	if !m.Hold(2*before + n) { // as the builder grows
		return false
	}
	b.Grow(n)
	m.Free(before)
	return true
}

// Add appends a stretch, and reports whether the conversion may go on.
func (t *Text) Add(m *Meter, s string) bool {
	if t.b.Cap()-t.b.Len() < len(s) && !t.Room(m, len(s)) {
		return false
	}
	t.b.WriteString(s)
	return true
}
