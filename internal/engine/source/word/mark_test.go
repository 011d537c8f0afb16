package word

import (
	"fmt"
	"strings"
	"testing"
)

// TestMarks checks that marks come back as the spelling, after what is done to
// the text around them, and that more of them than there is room for are refused.
func TestMarks(t *testing.T) {
	var w Word
	var text strings.Builder
	for i := range MaxMarks {
		expr := fmt.Sprintf("$V%d", i)
		start := int32(text.Len())
		w.Holes = append(w.Holes, Hole{Start: start, End: start + int32(len(expr)), Expr: expr, Name: expr[1:]})
		text.WriteString(expr + " ")
	}
	w.Text = text.String()
	m, ok := NewMarks([]Word{w}, nil, new(Used))
	if !ok {
		t.Fatal("there is no room for the marks")
	}
	if _, ok := NewMarks([]Word{w}, []Hole{{Expr: "$ONE_MORE"}}, new(Used)); ok {
		t.Error("there is room for more marks than there are")
	}
	marked := m.Word(w, new([]Hole))
	if got := m.Restore(marked.Text); got != w.Text || len(marked.Holes) != MaxMarks {
		t.Fatalf("%d marks, %d bytes of %d", len(marked.Holes), len(got), len(w.Text))
	}
	encoded := m.Encode(marked.Text[:2*5], Form, func(s string) string { return strings.ReplaceAll(s, " ", "+") })
	if got := m.Restore(encoded); got != "$V0+$V1+" {
		t.Errorf("encoded: %q", got)
	}
	if mark, _, _ := m.Next(encoded); mark.Coding != Form || mark.Hole.Name != "V0" {
		t.Errorf("the first mark is %+v", mark)
	}
	var none *Marks
	if none.Restore("\U00100000") != "\U00100000" || none.Encode("a", Form, strings.ToUpper) != "A" || none.Holes("a") != nil {
		t.Error("without marks something changes")
	}
}

// TestOffset checks where the bytes of a marked word stand in the source.
func TestOffset(t *testing.T) {
	w := Word{Text: "-da=$A&b", Holes: []Hole{{Start: 4, End: 6, Expr: "$A"}}}
	w.Span.Start, w.Span.End = 10, 18
	m, _ := NewMarks([]Word{w}, nil, new(Used))
	marked := m.Word(w, new([]Hole))
	for _, w := range []*Word{&w, &marked} {
		if at, exact := w.Offset(4); at != 14 || !exact {
			t.Errorf("%q: the variable is at %d, exact %t", w.Text, at, exact)
		}
		if at, exact := w.Offset(len(w.Text) - 1); at != 17 || !exact {
			t.Errorf("%q: the end is at %d, exact %t", w.Text, at, exact)
		}
	}
	w.Span.End += 2 // quotes
	if _, exact := w.Offset(0); exact {
		t.Error("a quoted word is exact")
	}
}
