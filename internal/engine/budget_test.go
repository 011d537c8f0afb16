package engine_test

import (
	"testing"

	"uncoil/internal/engine"
	"uncoil/internal/proof/corpus"
	"uncoil/internal/proof/race"
)

// TestAllocations holds the commands of the benchmarks to a budget of
// allocations.
func TestAllocations(t *testing.T) {
	race.Skip(t)
	budgets := map[string]struct{ convert, parse float64 }{
		"get":        {8, 17},
		"post":       {8, 11},
		"chrome":     {10, 11},
		"form":       {17, 20},
		"pipe":       {20, 27},
		"document":   {23, 26},
		"list":       {14, 23},
		"cmd":        {18, 19},
		"powershell": {20, 20},
		"body64k":    {18, 18},
	}
	for _, c := range benchCases {
		dst := make([]byte, 0, 4*len(c.command)+4096)
		for name, answer := range map[string]func([]byte, string, engine.Input) ([]byte, error){"convert": appendConvert, "parse": appendParse} {
			budget := budgets[c.name].convert
			if name == "parse" {
				budget = budgets[c.name].parse
			}
			n := testing.AllocsPerRun(100, func() { _, _ = answer(dst[:0], c.command, engine.Input{}) })
			if n > budget {
				t.Errorf("%s of %s: %v allocations, and the budget is %v", name, c.name, n, budget)
			}
		}
	}
}

// TestAllocationsOfTheCorpus holds the commands of the corpus, which have what commands of
// documentation have and more, to a budget of allocations a command: a little more in each
// shape adds up.
func TestAllocationsOfTheCorpus(t *testing.T) {
	race.Skip(t)
	var commands []string
	for _, c := range corpus.Read(t, corpus.Commands) {
		if len(c.Files) == 0 && len(c.Stdin) == 0 && len(c.Env) == 0 {
			commands = append(commands, c.Command)
		}
	}
	for _, answer := range []struct {
		name   string
		append func([]byte, string, engine.Input) ([]byte, error)
		budget float64
	}{{"convert", appendConvert, 10.9}, {"parse", appendParse, 12.8}} {
		dst := make([]byte, 0, 1<<20)
		n := testing.AllocsPerRun(5, func() {
			for _, c := range commands {
				_, _ = answer.append(dst[:0], c, engine.Input{}) // errors are answers too
			}
		}) / float64(len(commands))
		t.Logf("%s: %.2f allocations a command of %d", answer.name, n, len(commands))
		if n > answer.budget {
			t.Errorf("%s: %.2f allocations a command, and the budget is %v", answer.name, n, answer.budget)
		}
	}
}
