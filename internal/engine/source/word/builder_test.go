package word

import (
	"strings"
	"testing"
)

func TestBuilder(t *testing.T) {
	var text Builder
	for _, stretches := range [][]string{{}, {""}, {"a"}, {"", "a", ""}, {"a", "b"}, {"a", "", "b", "c"}} {
		text.Reset()
		for _, s := range stretches {
			text.Add(s)
		}
		if want := strings.Join(stretches, ""); text.String() != want || text.Len() != len(want) {
			t.Errorf("of %q: %q, %d bytes", stretches, text.String(), text.Len())
		}
	}
}
