package ascii

import (
	"net/url"
	"testing"
)

// TestDecoded compares with the standard library, which refuses what Decoded
// leaves as it is.
func TestDecoded(t *testing.T) {
	for _, s := range []string{"", "a", "a+b%20c%2B", "%41%zz", "%4", "%", "%%41", "%e2%82%ac", "%FF+"} {
		path, err := url.PathUnescape(s)
		if got := Decoded(s, false); err == nil && got != path {
			t.Errorf("Decoded(%q, false) = %q, want %q", s, got, path)
		}
		query, err := url.QueryUnescape(s)
		if got := Decoded(s, true); err == nil && got != query {
			t.Errorf("Decoded(%q, true) = %q, want %q", s, got, query)
		}
	}
	for s, want := range map[string]string{"%41%zz": "A%zz", "%4": "%4", "%": "%", "%%41": "%A", "a+%2": "a+%2"} {
		if got := Decoded(s, false); got != want {
			t.Errorf("Decoded(%q, false) = %q, want %q", s, got, want)
		}
	}
}
