package php

import (
	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
)

// tries is how programs catch the failure of a request.
var tries = &plan.Tries{
	Try: "try {", Catch: "} catch (RuntimeException) {", End: "}", Loop: "while (true) {", Times: "for ($$i = 0; $$i < $n; $$i++) {", Counter: "attempt", Break: "break;",
	Prints: func(p *plan.Program, text string) { p.Line("echo ", String(text+"\n"), ";") },
	Warns:  func(p *plan.Program, text string) { p.Line("fwrite(STDERR, ", String(text+"\n"), ");") },
	Sleeps: func(p *plan.Program, seconds float64) {
		if seconds == float64(int64(seconds)) {
			p.Line("sleep(", emit.Seconds(seconds), ");")
		} else {
			p.Line("usleep(", emit.Milliseconds(seconds*1000), ");")
		}
	},
	Exits: func(p *plan.Program, status int) { p.Line("exit(", emit.Itoa(status), ");") },
}
