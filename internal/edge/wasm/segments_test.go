package wasm

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"
)

type testSegment struct {
	at   int64
	data string
}

// module returns a module with a memory of a page, which it exports, and segments of data.
func module(segments ...testSegment) []byte {
	content := binary.AppendUvarint(nil, uint64(len(segments)))
	for _, s := range segments {
		content = append(appendSigned(append(content, activeSegment, opConst), s.at), opEnd)
		content = append(binary.AppendUvarint(content, uint64(len(s.data))), s.data...)
	}
	out := []byte(preamble)
	out = append(out, 5, 3, 1, 0, 1)                   // a memory of one page
	out = append(out, 7, 7, 1, 3, 'm', 'e', 'm', 2, 0) // its name
	out = append(binary.AppendUvarint(append(out, dataSection), uint64(len(content))), content...)
	return append(out, 0, 3, 1, 'x', 'y') // a section of anybody's own
}

// memoryOf returns the memory of a module after its start.
func memoryOf(t *testing.T, module []byte) []byte {
	t.Helper()
	r := wazero.NewRuntime(t.Context())
	t.Cleanup(func() { r.Close(t.Context()) })
	m, err := r.Instantiate(t.Context(), module)
	if err != nil {
		t.Fatalf("%v: %x", err, module)
	}
	all, _ := m.Memory().Read(0, m.Memory().Size())
	return bytes.Clone(all)
}

func segmentsOf(t *testing.T, module []byte) (n uint64) {
	t.Helper()
	for r := (reader{rest: module[len(preamble):]}); len(r.rest) > 0; {
		id, content := r.byte(), r.bytes(r.number())
		if id == dataSection {
			n, _ = binary.Uvarint(content)
		}
	}
	return n
}

// TestJoinSegments holds that the memory is the same before and after, as another
// implementation of WebAssembly reads it, and how many segments are left.
func TestJoinSegments(t *testing.T) {
	for name, c := range map[string]struct {
		segments []testSegment
		left     uint64
	}{
		"none":          {nil, 0},
		"one":           {[]testSegment{{8, "ab"}}, 1},
		"side by side":  {[]testSegment{{8, "ab"}, {10, "c"}}, 1},
		"gap of 64":     {[]testSegment{{8, "ab"}, {74, "c"}}, 1},
		"gap of 65":     {[]testSegment{{8, "ab"}, {75, "c"}}, 2},
		"backwards":     {[]testSegment{{10, "c"}, {8, "ab"}}, 1},
		"one upon one":  {[]testSegment{{8, "abcd"}, {10, "X"}, {12, "e"}}, 3},
		"within a gap":  {[]testSegment{{20, "x"}, {8, "ab"}, {30, "y"}}, 1},
		"empty":         {[]testSegment{{8, ""}, {9, "a"}, {10, ""}}, 1},
		"far":           {[]testSegment{{65535, "z"}, {0, "a"}}, 2},
		"a row of many": {[]testSegment{{0, "a"}, {5, "b"}, {10, "c"}, {200, "d"}, {264, "e"}}, 2},
	} {
		before := module(c.segments...)
		after, err := joinSegments(before)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if left := segmentsOf(t, after); left != c.left {
			t.Errorf("%s: %d segments are left, want %d", name, left, c.left)
		}
		if !bytes.Equal(memoryOf(t, before), memoryOf(t, after)) {
			t.Errorf("%s: the memory is another one", name)
		}
		if again, err := joinSegments(after); err != nil || !bytes.Equal(again, after) {
			t.Errorf("%s: joined again it is another one: %v", name, err)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		var segments []testSegment
		for range r.IntN(30) {
			segments = append(segments, testSegment{r.Int64N(1000), strings.Repeat(string(rune('a'+r.IntN(26))), r.IntN(40))})
		}
		before := module(segments...)
		if after, err := joinSegments(before); err != nil || !bytes.Equal(memoryOf(t, before), memoryOf(t, after)) {
			t.Errorf("%v: %v", segments, err)
		}
	}
}

// TestJoinOthers holds that segments which are not at a known place stay as they are, and that
// what is broken is refused.
func TestJoinOthers(t *testing.T) {
	passive := append([]byte(preamble), countSection, 1, 1, dataSection, 4, 1, 1, 1, 'a')
	for _, m := range [][]byte{passive, []byte(preamble)} {
		if got, err := joinSegments(m); err != nil || !bytes.Equal(got, m) {
			t.Errorf("%x becomes %x: %v", m, got, err)
		}
	}
	whole := module(testSegment{8, "ab"}, testSegment{10, "c"})
	for n := range len(whole) - 5 {
		if got, err := joinSegments(whole[:n]); err == nil && segmentsOf(t, got) > 0 {
			t.Errorf("the first %d bytes are taken", n)
		}
	}
}

// FuzzJoinSegments holds that no input makes it panic or grow.
func FuzzJoinSegments(f *testing.F) {
	f.Add(module(testSegment{8, "ab"}, testSegment{74, "c"}))
	f.Fuzz(func(t *testing.T, m []byte) {
		if out, err := joinSegments(m); err == nil && len(out) > (1+maxGap)*(len(m)+1) {
			t.Errorf("%d bytes become %d", len(m), len(out))
		}
	})
}
