package check

import (
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/curl"
	"uncoil/internal/engine/source/quote"
)

// sentenceMarks end sentences, clauses, and what stands in brackets or quotes, in text that
// is written without blanks.
const sentenceMarks = "。，、；：！？）」』】》”"

// punctuation points at full-width punctuation after a URL of ASCII: it belongs to the
// text around the command.
func (k *checker) punctuation(s *curl.Setting) {
	text := s.Value.Text
	url := strings.TrimRight(text, sentenceMarks)
	if url == text || !ascii.Only(url) || !strings.Contains(url, "://") || len(s.Value.Holes) > 0 {
		return
	}
	const message, hint = "the punctuation after this URL is sent as a part of it", "leave out what belongs to the text around the command"
	raw := k.raw(s.Value.Span)
	if n := len(text) - len(url); raw == text {
		end := s.Value.Span.End
		k.fix(diag.WarnPastedNoise, s.Value.Span, message, hint, diag.Span{Start: end - int32(n), End: end}, "")
	} else {
		k.fix(diag.WarnPastedNoise, s.Value.Span, message, hint, s.Value.Span, k.quoted(url))
	}
	k.level(diag.WarnPastedNoise, diag.LevelDoubt)
}

// comma points at a comma behind the closing quote of an argument of one line, as lists
// have it.
func (k *checker) comma(s *curl.Setting) {
	raw := k.raw(s.Value.Span)
	n := len(raw)
	if n < 3 || !k.meter.Work(n/8) || strings.IndexByte(raw, '\n') >= 0 || raw[n-1] != ',' || raw[n-2] != raw[0] || raw[0] != '\'' && raw[0] != '"' {
		return
	}
	at := s.Value.Span.End
	k.fix(diag.WarnPastedNoise, s.Value.Span, "a comma stands behind this argument, and is sent as a part of it", "leave out the comma", diag.Span{Start: at - 1, End: at}, "")
	k.level(diag.WarnPastedNoise, diag.LevelDoubt)
}

// carets points at carets that only cmd.exe takes away: those before all quotes of the data,
// or before all characters that browsers escape for cmd.exe.
func (k *checker) carets(s *curl.Setting) {
	text := s.Value.Text
	if strings.IndexByte(text, '^') < 0 || k.Style != quote.POSIX || len(s.Value.Holes) > 0 || !k.meter.Work(2*len(text)) || !k.meter.Hold(len(text)) {
		return
	}
	n := strings.Count(text, `^"`)
	meant, what := strings.ReplaceAll(text, `^"`, `"`), "these quotes"
	if n < 2 || strings.Count(text, `"`) != n {
		if meant, what = withoutCarets(text), "these characters"; meant == "" {
			return
		}
	}
	k.fix(diag.WarnPastedNoise, s.Value.Span, "the carets before "+what+" are sent: only cmd.exe takes them away",
		"leave out the carets", s.Value.Span, k.quoted(meant))
	k.level(diag.WarnPastedNoise, diag.LevelDoubt)
}

// withoutCarets returns a text without the carets that browsers write for cmd.exe, or nothing
// where a character has none that they escape, or a caret stands before another one, as in
// patterns and powers: [^&]*, x^2, 2^{10}.
func withoutCarets(text string) string {
	var b strings.Builder
	found := false
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '^' && i+1 < len(text):
			i++
			if next := text[i]; ascii.IsNameByte(next) && (i < 2 || text[i-2] != '%') || strings.IndexByte(" \t\r\n", next) >= 0 {
				return ""
			}
			found = found || text[i] != '^'
		case c == '^', strings.IndexByte("&|<>\"[]{}!", c) >= 0:
			return ""
		}
		b.WriteByte(text[i])
	}
	if !found {
		return ""
	}
	return b.String()
}
