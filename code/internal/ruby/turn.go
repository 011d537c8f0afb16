package ruby

import (
	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
)

// tries is how programs catch the failure of a request.
var tries = &plan.Tries{
	Try: "begin", Catch: "rescue StandardError", End: "end", Loop: "loop do", Times: "$n.times do", Break: "break",
	Prints: func(p *plan.Program, text string) { p.Line("puts ", String(text)) },
	Warns:  func(p *plan.Program, text string) { p.Line("warn ", String(text)) },
	Sleeps: func(p *plan.Program, seconds float64) { p.Line("sleep ", emit.Seconds(seconds)) },
	Exits:  func(p *plan.Program, status int) { p.Line("exit ", emit.Itoa(status)) },
}
