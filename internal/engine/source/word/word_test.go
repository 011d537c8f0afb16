package word

import (
	"testing"
	"unsafe"
)

func TestSizes(t *testing.T) {
	if Size < unsafe.Sizeof(Word{}) || HoleSize < unsafe.Sizeof(Hole{}) || CommandSize < unsafe.Sizeof(Command{}) {
		t.Errorf("a word takes %d bytes, a hole %d, a command %d", unsafe.Sizeof(Word{}), unsafe.Sizeof(Hole{}), unsafe.Sizeof(Command{}))
	}
}

func TestPositions(t *testing.T) {
	// The source is "a$X b$Y", the text "aLONG b".
	p := Positions{{At: 1, End: 5, Start: 1, Stop: 3}, {At: 7, End: 7, Start: 5, Stop: 7}}
	for _, test := range []struct {
		at         int
		start, end int32
	}{{0, 0, 0}, {1, 1, 1}, {2, 1, 3}, {5, 3, 3}, {6, 4, 4}, {7, 7, 5}} {
		if start, end := p.Start(test.at), p.End(test.at); start != test.start || end != test.end {
			t.Errorf("offset %d starts at %d and ends at %d, want %d and %d", test.at, start, end, test.start, test.end)
		}
	}
}
