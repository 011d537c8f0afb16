package oracle

import (
	"slices"
	"testing"

	"uncoil/diag"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source"
	spell "uncoil/internal/engine/source/quote"
)

// TestLegalCommandsStay checks that what is read more kindly than a shell reads
// it leaves commands alone that bash and curl take: the words are the same, and
// nothing is taken for a trace of pasting.
func TestLegalCommandsStay(t *testing.T) {
	g := NewGenerator(1, Version{Major: 8, Minor: 22})
	for range 5000 {
		args := append([]string{"curl"}, g.Case().Args...)
		text := spell.Command(args, spell.POSIX)
		r := source.Split(text, source.POSIX, nil, meter.New(len(text), meter.Limits{}, nil), nil)
		for _, d := range r.Diags {
			if d.Severity == diag.SeverityError || d.Code == diag.WarnPastedNoise || d.Code == diag.WarnUnicodeQuote {
				t.Errorf("%s: %s: %s", text, d.Code, d.Message)
			}
		}
		commands, _ := source.Curls(r.Commands)
		if len(commands) != 1 {
			t.Errorf("%s: %d commands", text, len(commands))
			continue
		}
		got := []string{"curl"}
		for i := range commands[0].Args {
			got = append(got, commands[0].Args[i].Text)
		}
		if !slices.Equal(got, args) {
			t.Errorf("%s\nis read as %q", text, got)
		}
	}
}
