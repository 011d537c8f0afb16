package meter

import (
	"strings"
	"testing"
)

// What lists and texts take is paid for as they grow, what they leave behind is
// given back, and a refusal leaves them as they were.
func TestGrowthIsPaid(t *testing.T) {
	m := New(0, Limits{Bytes: 1 << 20, Work: 1 << 30}, nil)
	var list []int64
	for i := range 10_000 {
		if !Append(m, &list, int64(i)) {
			t.Fatal("80 kB are refused")
		}
	}
	held, paid := m.limits.Bytes-m.bytes, m.freed
	if size := int64(8 * cap(list)); held < size || held > size+8*2*small {
		t.Errorf("a list of %d bytes holds %d", size, held)
	}
	if paid == 0 {
		t.Error("nothing was given back")
	}
	var text Text
	for range 10_000 {
		text.Add(m, "some text")
	}
	if text.String() != strings.Repeat("some text", 10_000) {
		t.Error("the text is another one")
	}
	if size := int64(text.b.Cap()); m.limits.Bytes-m.bytes < held+size*7/8 {
		t.Errorf("a text of %d bytes holds %d", size, m.limits.Bytes-m.bytes-held)
	}
	for Append(m, &list, 0) {
	}
	if n := 8 * int64(cap(list)); n > 1<<20 || m.Reason() != Bytes {
		t.Errorf("the list has %d bytes in the end, reason %d", n, m.Reason())
	}
	before := text.Len()
	for text.Add(m, "some text") {
	}
	if text.Len() > text.b.Cap() || text.Len() < before || m.Over() != true {
		t.Error("the text grows after the end")
	}
}
