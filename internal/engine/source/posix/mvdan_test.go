package posix

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"
)

// byMvdan returns the words of the first command as the parser and the expander
// of mvdan.cc/sh understand them.
func byMvdan(script string) (words []string, ok bool) {
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(script), "")
	if err != nil || len(file.Stmts) != 1 {
		return nil, false
	}
	s := file.Stmts[0]
	call, isCall := s.Cmd.(*syntax.CallExpr)
	if !isCall || len(call.Assigns) > 0 || len(s.Redirs) > 0 || s.Background || s.Negated {
		return nil, false
	}
	words, err = expand.Fields(&expand.Config{Env: expand.ListEnviron("A=v w", "B=", "C=a*b"), NoUnset: false}, call.Args...)
	return words, err == nil
}

// apart are words which mvdan.cc/sh reads in another way than bash, each with
// the reason. The real bash judges the same words in TestRandomScriptsByBash.
var apart = []struct{ part, reason string }{
	{",}", "it keeps the empty word that {a,} makes; bash drops it"},
	{"..c..2}", "it does not step between letters"},
	{"\\\\\\\n", "it keeps a line continuation after an escaped backslash"},
	{"{c..a}", "it does not count letters down"},
}

// mvdanPiece returns a part of a word without the operators of expansions, which
// mvdan.cc/sh applies in its own way in many cases.
func (g generator) mvdanPiece() string {
	for {
		piece := g.piece()
		if piece[0] != '$' || strings.HasPrefix(piece, "$'") {
			if !strings.Contains(piece, "${") && !strings.Contains(piece, `\u`) {
				return piece
			}
			continue
		}
		if !strings.HasPrefix(piece, "${") || len(piece) == len("${A}") {
			return piece
		}
	}
}

// TestWordsByMvdan holds the words of random simple commands against a second
// judge, an independent parser of bash.
func TestWordsByMvdan(t *testing.T) {
	env := map[string]string{"A": "v w", "B": "", "C": "a*b"}
	judged, wrong := 0, 0
	for seed := range uint64(4000) {
		g := generator{rand.New(rand.NewPCG(seed, 11))}
		script := joinedNames.ReplaceAllString("curl "+g.join(1, 4, " ", func() string { return g.join(1, 4, "", g.mvdanPiece) }), "$${$1}$2") + " end"
		if slices.ContainsFunc(apart, func(a struct{ part, reason string }) bool { return strings.Contains(script, a.part) }) {
			continue
		}
		want, ok := byMvdan(script)
		got, known, refused := curls(script, env)
		if !ok || !known || refused != "" || len(got) != 1 {
			continue
		}
		judged++
		if !slices.Equal(got[0].args, want[1:]) {
			wrong++
			t.Errorf("%s\n got %q\nwant %q", fmt.Sprint(seed, " ", script), got[0].args, want[1:])
		}
		if wrong > 8 {
			break
		}
	}
	t.Logf("%d commands judged", judged)
	if judged < 1000 {
		t.Errorf("only %d commands judged", judged)
	}
}
