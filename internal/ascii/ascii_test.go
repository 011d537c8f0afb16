package ascii

import (
	"strings"
	"testing"
	"unicode"
)

// TestClasses compares the classes with those of package unicode, cut down to
// ASCII.
func TestClasses(t *testing.T) {
	for i := range 256 {
		c, r := byte(i), rune(i)
		is := i < 0x80
		if got, want := IsLetter(c), is && unicode.IsLetter(r); got != want {
			t.Errorf("IsLetter(%q) is %t", c, got)
		}
		if got, want := IsDigit(c), is && unicode.IsDigit(r); got != want {
			t.Errorf("IsDigit(%q) is %t", c, got)
		}
		if got, want := IsHex(c), is && unicode.Is(unicode.ASCII_Hex_Digit, r); got != want || got != (Hex(c) >= 0) {
			t.Errorf("IsHex(%q) is %t, and Hex %d", c, got, Hex(c))
		}
		want := c
		if is {
			want = byte(unicode.ToLower(r))
		}
		if got := Lower(c); got != want {
			t.Errorf("Lower(%q) is %q", c, got)
		}
	}
	for i, digit := range "0123456789abcdef" {
		if Hex(byte(digit)) != i || Hex(strings.ToUpper(string(digit))[0]) != i {
			t.Errorf("Hex(%q) is %d", digit, Hex(byte(digit)))
		}
	}
}

func TestEqualFold(t *testing.T) {
	tests := []struct {
		a, b string
		want bool
	}{
		{"", "", true}, {"Accept", "aCCEPT", true}, {"a", "b", false}, {"a", "ab", false},
		{"s", "ſ", false}, {"K", "\u212a", false}, {"é", "É", false}, {"@", "`", false}, {"[", "{", false},
	}
	for _, test := range tests {
		if got := EqualFold(test.a, test.b); got != test.want || EqualFold(test.b, test.a) != test.want {
			t.Errorf("EqualFold(%q, %q) is %t", test.a, test.b, got)
		}
	}
	if !HasPrefixFold("Bearer x", "bearer ") || HasPrefixFold("Bear", "bearer") {
		t.Error("HasPrefixFold is wrong")
	}
}
