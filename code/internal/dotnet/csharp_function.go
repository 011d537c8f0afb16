package dotnet

import (
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
)

// What stands around the statements: a function, where the program is one, and in C# 7 a class.

// csharpConvention is what is customary in the language.
var csharpConvention = plan.Convention{Yields: true, Requires: csharpRequires, Language: "csharp", File: "Program.cs", Manifest: plan.Manifest{File: "*.csproj", Line: `<PackageReference Include="$n" Version="$v" />`}, Naming: plan.Naming{Camel: true, Capital: true, Ending: "Async", Taken: append(strings.Fields(
	`address args attempt await b body certificate chain client clients content context cookies credentials data deadline errors file
	folder form handler header input line m message origin output part path policy proxy proxyAddress proxyCredentials reader
	redirects request response socket status transient uri url var`), csharpKeywords...)}}

// csharpDepth returns the level of the statements.
func csharpDepth(p *plan.Program) int {
	if inClass(p) {
		return 2
	}
	return p.Depth(0)
}

// inClass reports whether the program is a class, as one for C# 7 is.
func inClass(p *plan.Program) bool { return isOld(p) && !p.IsBeside() }

// csharpBody writes the statements: in a function, where one is asked for, and in C# 7 within
// a method of a class.
func csharpBody(p *plan.Program, sections [][]byte) {
	if !inClass(p) {
		csharpMethod(p, "static async ", sections)
		p.Functions()
		return
	}
	class := "Program"
	if p.IsFunction() {
		class = "Requests"
	}
	p.Line("public static class ", class)
	p.Block("{", func() {
		csharpMethod(p, "public static async ", sections)
		p.Functions()
	})
	p.Line("}")
}

// csharpMethod writes the statements as a method: the function, or that which C# 7 runs.
func csharpMethod(p *plan.Program, modifiers string, sections [][]byte) {
	switch {
	case p.IsFunction():
		p.NoteFunction(&plan.DocComment{Open: "// ", Line: "// "}, p.Says("Sends", "yields"), "")
		p.Node(modifiers+csharpTask(p)+" ", emit.Group(p.FunctionName(), "(", p.DeclareParameters(csharpParameter), ")"), "")
	case inClass(p):
		p.Line(modifiers, "Task Main()")
	default:
		p.Join(sections)
		return
	}
	p.Line("{")
	p.Join(sections)
	p.Line("}")
}

// csharpParameter declares a parameter.
func csharpParameter(one *plan.Parameter) string {
	if one.HasDefault {
		return "string " + one.Name + " = " + csharpQuoted(one.Default)
	}
	return "string " + one.Name
}

// csharpTask returns the type of what a function returns.
func csharpTask(p *plan.Program) string {
	c := p.Calls[len(p.Calls)-1]
	class, name := "string", "Content"
	switch to := c.Destination(p.Options); {
	case p.InPieces:
		return "IAsyncEnumerable<string>"
	case to == plan.HeadersPrinted:
		class, name = "HttpResponseHeaders", "Headers"
	case c.ReturnsOnlyStatus(p.Options):
		return "Task<int>"
	case to != plan.ContentPrinted:
		return "Task"
	case p.Options.DecodeJSON && isOld(p):
		class = "JsonNode"
	case p.Options.DecodeJSON:
		class = "JsonNode?"
	}
	if c.ReturnsStatus(p.Options) {
		return "Task<(" + class + " " + name + ", int Status)>"
	}
	return "Task<" + class + ">"
}

// give writes the statement that prints what the response has, or returns it.
func (r *csharpRequest) give(value string) {
	if r.p.IsFunction() {
		if r.c.ReturnsStatus(r.p.Options) {
			value = "(" + value + ", " + r.status() + ")"
		}
		r.p.Line("return ", value, ";")
		return
	}
	r.p.Line("Console.WriteLine(", value, ");")
}

// status returns the expression for the status of the response.
func (r *csharpRequest) status() string { return "(int)" + r.name("response") + ".StatusCode" }
