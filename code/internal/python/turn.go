package python

import (
	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
)

// tries returns how programs catch the failure of a request: exception is what the client
// raises.
func tries(exception string) *plan.Tries {
	return &plan.Tries{
		Try: "try:", Catch: "except " + exception + ":", Loop: "while True:", Times: "for _ in range($n):", Break: "break", Pass: "pass",
		Prints: func(p *plan.Program, text string) { p.Line("print(", String(p, text), ")") },
		Warns: func(p *plan.Program, text string) {
			p.Use("import sys")
			p.Line("print(", String(p, text), ", file=sys.stderr)")
		},
		Sleeps: func(p *plan.Program, seconds float64) {
			p.Use("import time")
			p.Line("time.sleep(", emit.Seconds(seconds), ")")
		},
		Exits: func(p *plan.Program, status int) {
			p.Use("import sys")
			p.Line("sys.exit(", emit.Itoa(status), ")")
		},
	}
}
