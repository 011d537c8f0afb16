package ascii

import (
	"bytes"
	"math/bits"
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

func TestContainsFold(t *testing.T) {
	for s, want := range map[string]bool{
		"": false, ".a": false, ".localhost": true, "http://a.b.LocalHost/": true, "a..localhos": false, ".local.localhost": true,
	} {
		if got := ContainsFold(s, ".localhost"); got != want {
			t.Errorf("ContainsFold(%q) is %t", s, got)
		}
	}
}

// TestEight puts each byte in each place of texts that are looked at by eights.
func TestEight(t *testing.T) {
	for length := range 20 {
		for at := range length {
			for c := range 256 {
				b := bytes.Repeat([]byte{'~'}, length)
				b[at] = byte(c)
				if got, want := Only(string(b)), c < 0x80; got != want {
					t.Fatalf("Only(%q) is %t", b, got)
				}
				if length == 8 {
					found := Zeros(Eight(b) ^ 'x'*Ones)
					if got, want := bits.TrailingZeros64(found)/8, map[bool]int{true: at, false: 8}[c == 'x']; got != want {
						t.Fatalf("Zeros finds byte %d of %q", got, b)
					}
				}
				if got, want := Visible(string(b)), c >= ' ' && c < 0x80; got != want {
					t.Fatalf("Visible(%q) is %t", b, got)
				}
			}
		}
	}
	if !Only("") || !Visible("") {
		t.Error("an empty text is not ASCII")
	}
}
