package jvm

import (
	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
)

// javaTries is how programs for Java catch the failure of a request.
var javaTries = &plan.Tries{
	Try: "try {", Catch: "} catch (IOException $e) {", End: "}", Loop: "while (true) {", Times: "for (int $i = 0; $i < $n; $i++) {", Counter: "attempt", Break: "break;", Uses: "java.io.IOException",
	Prints: func(p *plan.Program, text string) { p.Line("System.out.println(", jvmString(text), ");") },
	Warns:  func(p *plan.Program, text string) { p.Line("System.err.println(", jvmString(text), ");") },
	Sleeps: func(p *plan.Program, seconds float64) {
		p.Line("Thread.sleep(", emit.Milliseconds(seconds), ");")
	},
	Exits: func(p *plan.Program, status int) { p.Line("System.exit(", emit.Itoa(status), ");") },
}
