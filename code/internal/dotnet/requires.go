package dotnet

import (
	"uncoil/code/internal/plan"
)

// csharpRequires writes what ends the program where a variable of the environment is empty.
func csharpRequires(p *plan.Program, name string) {
	p.Use("System")
	p.Line("if (string.IsNullOrEmpty(Environment.GetEnvironmentVariable(", CsharpString(name), ")))")
	p.Line("{")
	p.Line(p.Indent, "throw new InvalidOperationException(", CsharpString(name+" is not set"), ");")
	p.Line("}")
}
