package emit

import (
	"strings"
	"testing"
)

// TestNameOr checks that only letters, digits and underscores come into a comment.
func TestNameOr(t *testing.T) {
	for name, want := range map[string]Phrase{
		"TOKEN_2": "TOKEN_2", "": "none", "a b": "none", "a\nb": "none", "a*/": "none", "a-}": "none", "?>": "none", "é": "none", "a\u2028": "none", strings.Repeat("x", 61): "none",
	} {
		if got := NameOr(name, "none"); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}
