package jsontext

import "testing"

func TestMaxLength(t *testing.T) {
	for _, s := range []string{"", "a", "\"\\", "\x00\x1f\n\r\t\b", "é\u2028", "a\U0001f600b", "\x7f"} {
		if n, want := MaxLength(s), len(AppendString(nil, s)); n != want {
			t.Errorf("%q: %d bytes, want %d", s, n, want)
		}
	}
	for _, s := range []string{"\xff", "a\xffb\"", "\xe2\x80"} {
		if n, least := MaxLength(s), len(AppendString(nil, s)); n < least {
			t.Errorf("%q: %d bytes, want at least %d", s, n, least)
		}
	}
}
