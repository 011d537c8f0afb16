package engine_test

import (
	"testing"

	"uncoil/internal/engine"
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
