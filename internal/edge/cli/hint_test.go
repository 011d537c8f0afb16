package cli

import (
	"strings"
	"testing"

	"uncoil/diag"
	"uncoil/internal/edge/api"
	"uncoil/internal/engine"
	"uncoil/internal/proof/corpus"
)

// TestHintsNameFlags checks that every row of flagHints is needed, and that no
// hint of the command line names a member of the request object.
func TestHintsNameFlags(t *testing.T) {
	unused := make(map[string]bool)
	for i := 0; i < len(flagHints); i += 2 {
		unused[flagHints[i]] = true
	}
	check := func(d diag.Diagnostic) {
		for row := range unused {
			if strings.Contains(d.Hint, row) {
				delete(unused, row)
			}
		}
		before := d.Hint
		nameFlags(&d)
		for _, member := range []string{"in env", "in files", "in stdin", "/api/"} {
			if strings.Contains(d.Hint, member) {
				t.Errorf("the command line gives the hint %q for %q", d.Hint, before)
			}
		}
	}
	texts := []string{"GET http://h.test/\n###\nGET http://h.test/", "curl -d @- h.test", "curl -K - h.test", "curl -n h.test", "curl h.test/[1-2]", "curl -d @- h.test <<E\n$X\nE\n", "curl --variable %X --expand-url h.test/{{X}}"}
	for _, c := range corpus.Read(t, corpus.Commands, corpus.Errors) {
		texts = append(texts, c.Command)
	}
	for _, text := range texts {
		result, err := engine.Parse(text, engine.Input{})
		if err == nil {
			for _, w := range result.Warnings {
				check(w)
			}
			for _, target := range []string{"cobol", "json"} {
				want := api.Want{As: api.AsCode, Target: target}
				if _, _, err := api.Append(nil, result, &want); err != nil {
					check(err.(*engine.Error).Diagnostic)
				}
			}
			var members *engine.Members
			if members, err = result.Members(); err == nil {
				for _, w := range members.Warnings {
					check(w)
				}
			}
		}
		if e, ok := err.(*engine.Error); ok {
			check(e.Diagnostic)
		}
	}
	for row := range unused {
		t.Errorf("no hint says %q", row)
	}
}

// TestTerminalIsFiltered checks that control sequences do not reach a terminal.
func TestTerminalIsFiltered(t *testing.T) {
	var out strings.Builder
	w := &terminal{&out}
	text := "a\x1b[2J\u202eb\n\tc\n"
	if n, err := w.Write([]byte(text)); n != len(text) || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	if want := "a\ufffd[2J\ufffdb\n\tc\n"; out.String() != want {
		t.Errorf("wrote %q, want %q", out.String(), want)
	}
}
