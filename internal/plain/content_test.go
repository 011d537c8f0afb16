package plain

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// TestIsContent holds that content of several blocks is looked at as a whole,
// wherever a character lies across them.
func TestIsContent(t *testing.T) {
	for _, unit := range []string{"a", "é", "€", "😀", "\xff", "\x80", "\xe2\x82", "\xf0\x9f\x98", "\x00"} {
		for shift := range 5 {
			for _, size := range []int{0, 1, 4095, 4096, 4097, 9000} {
				s := strings.Repeat("x", shift) + strings.Repeat(unit, size)
				want := utf8.ValidString(s) && !strings.Contains(s, "\x00")
				if got := isContent(s); got != want {
					t.Errorf("%d times %q behind %d: %t", size, unit, shift, got)
				}
			}
		}
	}
	long := strings.Repeat("x", 5000)
	for _, s := range []string{long + "\x00", long + "\xff", "\xff" + long, long + "\x80" + long} {
		if isContent(s) {
			t.Errorf("%d bytes with one that is no text are taken", len(s))
		}
	}
}
