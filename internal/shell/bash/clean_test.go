package bash

import (
	"math/rand/v2"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"
)

// nestingPieces are what a text that nests is made of, and what could hide it.
var nestingPieces = []string{
	"(", "(", ")", "$(", "$(", "<(", "((", "))", "$((", "`", "`", "${a:-", "${a#", "${a[", "]", "}", "{ ", "{ ", "{\n", "{;", "if ", "then ", "elif ", "else ", "fi", "while ", "for i in a; do ", "do ", "done", "case a in ", "a) ", ";; ", "esac", "time ", "! ", "f() ", "function f ", "a=(", "[[ ", "]]", "let ",
	"'", "'", "\"", "\"", "\\", "$'", "$\"", "#", "#", " #", "\n", "\n", ";", ";", "&", "|", "&&", " ", " ", "a", "b ", "<<E\n", "<<E", "<<-E\n", "<<'E'\n", "<<\"E\n", "E\n", "\nE\n", "\tE\n", "<<<", ">", "<", "=", "+", "?", ":", "$a", "${a}", "$$", "\r\n", "\\\n", "@(", "declare ", "}#'", ")#'",
}

// The cleaner never finds less nesting than the parser does: what a text hides
// from one in quotes, comments or here-documents it hides from the other.
func TestCleanerSeesAllNesting(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	for range 300_000 {
		var b strings.Builder
		for range 1 + r.IntN(25) {
			b.WriteString(nestingPieces[r.IntN(len(nestingPieces))])
		}
		src := b.String()
		script, weight := weigh(src)
		file, _ := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(script), "")
		if file == nil {
			continue
		}
		if depth := nesting(file); depth > weight {
			t.Fatalf("%q\n%q\nis nested %d times, and counted as %d", src, script, depth, weight)
		}
	}
}

func weigh(src string) (script string, weight int) {
	c := newCleaner(src, 0, len(src))
	c.run()
	return c.w.Text(), c.weight
}

// nesting returns how often a script is nested at its deepest place.
func nesting(file *syntax.File) int {
	depth, deepest := 0, 0
	var open []bool
	syntax.Walk(file, func(n syntax.Node) bool {
		if n == nil {
			if open[len(open)-1] {
				depth--
			}
			open = open[:len(open)-1]
			return true
		}
		nests := false
		switch n.(type) {
		case *syntax.Subshell, *syntax.Block, *syntax.IfClause, *syntax.WhileClause, *syntax.ForClause, *syntax.CaseClause,
			*syntax.CmdSubst, *syntax.ProcSubst, *syntax.FuncDecl, *syntax.TimeClause:
			nests = true
		}
		open = append(open, nests)
		if nests {
			depth++
			deepest = max(deepest, depth)
		}
		return true
	})
	return deepest
}
