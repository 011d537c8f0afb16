package engine_test

import (
	"slices"
	"testing"

	"uncoil/diag"
	"uncoil/internal/engine"
	"uncoil/internal/proof/corpus"
)

// mended returns a text with the fixes of its error and its doubts, and of those that these
// hide.
func mended(text string) string {
	for range 3 {
		var fixes []diag.Fix
		for _, d := range findingsOf(text, engine.Input{}) {
			if d.Fix != nil && (d.Severity == diag.SeverityError || d.Level == diag.LevelDoubt) {
				fixes = append(fixes, *d.Fix)
			}
		}
		if len(fixes) == 0 {
			break
		}
		slices.SortFunc(fixes, func(a, b diag.Fix) int { return int(b.Span.Start - a.Span.Start) })
		for i, f := range fixes {
			if i > 0 && f == fixes[i-1] {
				continue
			}
			text = text[:f.Span.Start] + f.Text + text[f.Span.End:]
		}
	}
	return text
}

// TestSlips holds that a text which is not what is meant has a doubt or an error, and that it
// is the command that is meant, or becomes that by its fixes.
func TestSlips(t *testing.T) {
	for _, s := range corpus.Slips(t) {
		want, ok := requestsOf(s.Meant, engine.Input{Shell: "posix"})
		if !ok {
			t.Errorf("%s: this is refused:\n%s", s.Path, s.Meant)
			continue
		}
		if !slices.ContainsFunc(findingsOf(s.Text, engine.Input{}), func(d diag.Diagnostic) bool {
			return d.Severity == diag.SeverityError || d.Level == diag.LevelDoubt
		}) {
			t.Errorf("%s: no doubt:\n%s", s.Path, s.Text)
		}
		if got, _ := requestsOf(s.Text, engine.Input{}); s.Values.Replace(got) == want {
			continue
		}
		fixed := mended(s.Text)
		if got, _ := requestsOf(fixed, engine.Input{}); s.Values.Replace(got) != want {
			t.Errorf("%s: with its fixes\n%s\nis\n%s\n%s\nmeant is\n%s\n%s", s.Path, s.Text, fixed, got, s.Meant, want)
		}
	}
}
