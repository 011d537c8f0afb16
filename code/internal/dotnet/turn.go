package dotnet

import (
	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
)

// csharpTries is how programs catch the failure of a request, or its end by a time limit.
var csharpTries = &plan.Tries{
	Try: "try\n{", Catch: "}\ncatch (Exception $e) when ($e is HttpRequestException || $e is TaskCanceledException)\n{", End: "}", Loop: "while (true)\n{", Times: "for (int $i = 0; $i < $n; $i++)\n{", Counter: "attempt", Break: "break;", Uses: "System.Threading.Tasks",
	Prints: func(p *plan.Program, text string) { p.Line("Console.WriteLine(", CsharpString(text), ");") },
	Warns:  func(p *plan.Program, text string) { p.Line("Console.Error.WriteLine(", CsharpString(text), ");") },
	Sleeps: func(p *plan.Program, seconds float64) {
		p.Line("await Task.Delay(TimeSpan.FromSeconds(", emit.Seconds(seconds), "));")
	},
	Exits: func(p *plan.Program, status int) { p.Line("Environment.Exit(", emit.Itoa(status), ");") },
}
