package check

import (
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/curl"
	"uncoil/internal/engine/source/quote"
)

// scheme looks for http and https whose colon or slashes are not as they should be, so
// that curl takes the scheme for the host: https//h.test. One slash is enough for curl,
// and is what people write before a path on a Unix socket.
func (k *checker) scheme(s *curl.Setting, unix bool) {
	text := s.Value.Text
	n := schemeLength(text)
	if n == 0 {
		return
	}
	const hint = "write ://"
	rest := text[n:]
	if rest == "" && k.Style == quote.POSIX && k.raw(s.Value.Span) == text && strings.HasPrefix(k.from(s.Value.Span.End), ";//") {
		at := s.Value.Span.End
		k.fix(diag.WarnMisspelledScheme, s.Value.Span, "this ; ends the command, and curl takes the scheme for the host", hint,
			diag.Span{Start: at, End: at + 1}, ":")
		return
	}
	if len(rest) > 2 && strings.HasPrefix(rest, ":/") && rest[2] != '/' && !unix {
		k.fixScheme(s, slip{n + 1, n + 2, "//"}, "curl reads this URL as if two slashes followed the scheme; others may not", hint)
		k.level(diag.WarnMisspelledScheme, diag.LevelAdvice)
		return
	}
	slip, ok := slipOfScheme(text)
	switch {
	case !ok || rest[0] == ':' && slip.start > 0: // refused
	case slip.start == 0:
		k.fixScheme(s, slip, "the URL has two schemes, and curl takes the second for the host", "remove one of the two")
	default:
		k.fixScheme(s, slip, "curl takes the scheme of this URL for the host", hint)
	}
}

// fixScheme warns about the scheme of a URL, with a fix where the text spells it as it is.
func (k *checker) fixScheme(s *curl.Setting, slip slip, message, hint string) {
	if fix := k.fixOfScheme(s, slip); fix != nil {
		k.fix(diag.WarnMisspelledScheme, s.Value.Span, message, hint, fix.Span, fix.Text)
		return
	}
	k.warn(diag.WarnMisspelledScheme, s.Value.Span, message, hint)
}

// fixOfScheme returns the edit of the text that mends a URL, or nil.
func (k *checker) fixOfScheme(s *curl.Setting, slip slip) *diag.Fix {
	head := s.Value.Text[:slip.end]
	raw := k.raw(s.Value.Span)
	at := strings.Index(raw[:min(len(raw), len(head)+1)], head)         // after a quote
	if at < 0 || strings.IndexByte(head, '\\') >= 0 && raw[0] != '\'' { // a shell takes a backslash away
		return nil
	}
	start := s.Value.Span.Start + int32(at)
	return &diag.Fix{Span: diag.Span{Start: start + int32(slip.start), End: start + int32(slip.end)}, Text: slip.with}
}

// A slip is what to write for a part of a URL.
type slip struct {
	start, end int
	with       string
}

// schemeLength returns the length of the http or https that a URL begins with, or 0.
func schemeLength(url string) int {
	switch {
	case ascii.HasPrefixFold(url, "https"):
		return len("https")
	case ascii.HasPrefixFold(url, "http"):
		return len("http")
	}
	return 0
}

// slipOfScheme returns how the beginning of a URL should be written, where http or https
// stand there and :// is misspelled, or stands there twice. What curl does not refuse has
// another meaning by the letter, but for a host of that name.
func slipOfScheme(url string) (slip, bool) {
	n := schemeLength(url)
	if n == 0 || len(url) < n+2 {
		return slip{}, false
	}
	rest := url[n:]
	switch {
	case strings.HasPrefix(rest, ":://"):
		return slip{n, n + 1, ""}, true
	case strings.HasPrefix(rest, "://"):
		if again := rest[len("://"):]; isURL(again) {
			return slip{0, n + len("://"), ""}, true
		} else if m := schemeLength(again); m > 0 && strings.HasPrefix(again[m:], "//") {
			return slip{0, n + len("://") + m, again[:m] + ":"}, true
		}
	case strings.HasPrefix(rest, "//:"), strings.HasPrefix(rest, `:\\`):
		return slip{n, n + 3, "://"}, true
	case strings.HasPrefix(rest, `:\`):
		return slip{n, n + 2, "://"}, true
	case strings.HasPrefix(rest, "//") && len(rest) > 2:
		return slip{n, n, ":"}, true
	case strings.IndexByte(";,.", rest[0]) >= 0 && strings.HasPrefix(rest[1:], "//"):
		return slip{n, n + 1, ":"}, true
	case rest[0] == ':' && ascii.IsLetter(rest[1]):
		return slip{n + 1, n + 1, "//"}, true
	}
	return slip{}, false
}

// brokenScheme gives the error of a URL whose :// is misspelled that as its fix.
func (k *checker) brokenScheme(d *diag.Diagnostic) bool {
	s := k.urlAt(d.Span)
	if s == nil {
		return false
	}
	text := s.Value.Text
	if strings.HasPrefix(strings.TrimPrefix(text, ":"), "//") {
		d.Hint = "write http:// or https:// before the host"
		return true
	}
	slip, ok := slipOfScheme(text)
	if !ok {
		return false
	}
	d.Hint = "write :// after the scheme"
	d.Fix = k.fixOfScheme(s, slip)
	return true
}
