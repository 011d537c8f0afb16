package uncoil_test

import (
	"testing"

	"uncoil"
)

// TestAllocations holds the commands of the benchmarks to a budget of
// allocations.
func TestAllocations(t *testing.T) {
	budgets := map[string]struct{ convert, parse float64 }{
		"get":        {26, 26},
		"post":       {36, 36},
		"chrome":     {64, 64},
		"form":       {48, 48},
		"pipe":       {104, 104},
		"document":   {106, 106},
		"list":       {50, 50},
		"cmd":        {36, 36},
		"powershell": {38, 38},
		"body64k":    {28, 28},
	}
	for _, c := range benchCases {
		dst := make([]byte, 0, 4*len(c.command)+4096)
		for name, answer := range map[string]func([]byte, string, uncoil.Input) ([]byte, error){"convert": uncoil.AppendConvert, "parse": uncoil.AppendParse} {
			budget := budgets[c.name].convert
			if name == "parse" {
				budget = budgets[c.name].parse
			}
			n := testing.AllocsPerRun(100, func() { _, _ = answer(dst[:0], c.command, uncoil.Input{}) })
			if n > budget {
				t.Errorf("%s of %s: %v allocations, and the budget is %v", name, c.name, n, budget)
			}
		}
	}
}
