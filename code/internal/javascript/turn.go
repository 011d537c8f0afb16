package javascript

import (
	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
)

// tries is how programs for Node catch the failure of a request.
var tries = &plan.Tries{
	Try: "try {", Catch: "} catch {", End: "}", Loop: "while (true) {", Times: "for (let $i = 0; $i < $n; $i++) {", Counter: "attempt", Break: "break;",
	Prints: func(p *plan.Program, text string) { p.Line("console.log(", String(text), ");") },
	Warns:  func(p *plan.Program, text string) { p.Line("console.error(", String(text), ");") },
	Sleeps: func(p *plan.Program, seconds float64) {
		p.Line("await new Promise((done) => setTimeout(done, ", emit.Milliseconds(seconds), "));")
	},
	Exits: func(p *plan.Program, status int) { p.Line("process.exit(", emit.Itoa(status), ");") },
}
