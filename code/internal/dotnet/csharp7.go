package dotnet

import (
	"slices"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
)

// Programs for C# 7.3 and the libraries that Unity (.NET Standard 2.1) and .NET Framework 4.8
// have both: a class, blocks of using, no raw literals, and an older HttpClient.

// csharpImplicit are the namespaces that projects for .NET 6 and later use unasked:
// ImplicitUsings of Microsoft.NET.Sdk.
var csharpImplicit = []string{"System", "System.Collections.Generic", "System.IO", "System.Linq", "System.Net.Http", "System.Threading", "System.Threading.Tasks"}

// isOld reports whether the program is for C# 7.
func isOld(p *plan.Program) bool { return p.Has(CSharp7) }

// CSharp7 is the switch for them.
var CSharp7 = &plan.Switch{
	Name: "csharp7", Flag: "csharp7", Does: "keep to C# 7.3, as Unity and .NET Framework have it",
	More:  "Unity is that with .NET Standard 2.1, .NET Framework is 4.8.",
	Lacks: "is not written in C#",
}

// csharpHead writes the namespaces that the program uses.
func csharpHead(p *plan.Program) {
	if isOld(p) {
		for _, name := range []string{"System", "System.Threading.Tasks"} {
			p.Use(name)
		}
	} else {
		p.Imports = slices.DeleteFunc(p.Imports, func(name string) bool { return slices.Contains(csharpImplicit, name) })
	}
	if len(p.Imports) > 0 {
		p.Head(func() {
			p.Line("using ", strings.Join(p.Imports, ";\nusing "), ";")
			p.Line()
		})
	}
}

// using writes the declaration of what is disposed of with its scope. C# 7 has a block for
// that, but where later requests take what stands in it: there it lasts as long as the program.
func (r *csharpRequest) using(variable string, value emit.Node) {
	switch {
	case !isOld(r.p):
		r.p.Node("using var "+variable+" = ", value, ";")
		return
	case len(r.p.Calls) > 1:
		r.p.Node("var "+variable+" = ", value, ";")
		return
	}
	if r.isBlockEmpty() { // then one pair of braces is enough for both
		r.p.Dst = r.p.Dst[:r.brace]
		r.p.Level--
		r.blocks--
	}
	r.p.Node("using (var "+variable+" = ", value, ")")
	r.brace = len(r.p.Dst)
	r.p.Line("{")
	r.inside = len(r.p.Dst)
	r.p.Level++
	r.blocks++
}

// isBlockEmpty reports whether nothing stands yet in a block of using.
func (r *csharpRequest) isBlockEmpty() bool { return r.blocks > 0 && len(r.p.Dst) == r.inside }

// scope writes statements, and ends the blocks of using among them.
func (r *csharpRequest) scope(write func()) {
	outer := r.blocks
	r.blocks = 0
	write()
	for ; r.blocks > 0; r.blocks-- {
		r.p.Level--
		r.p.Line("}")
	}
	r.blocks = outer
}

// gap writes an empty line, unless it would be the first of a block.
func (r *csharpRequest) gap() {
	if !r.isBlockEmpty() {
		r.p.Line()
	}
}

// impliesCodings reports whether a value of Accept-Encoding is what decompression asks for.
func (r *csharpRequest) impliesCodings(value string) bool {
	return value == "gzip, deflate" || isOld(r.p) && (value == "gzip" || value == "deflate")
}

// checkValue refuses a value that C# 7's HttpClient leaves out.
func (r *csharpRequest) checkValue(f *plan.Field) {
	if isOld(r.p) && f.Value.Source() == "" && !f.Is("User-Agent") && slices.Contains(csharpParsed, strings.ToLower(f.Name)) {
		r.p.RefuseName(f.At, "sends no empty value of this field", f.Name)
	}
}

// keepsType reports whether the type of a part goes out as it is: in C# 7 it is read, and
// written with a blank after each semicolon.
func (r *csharpRequest) keepsType(p *plan.FormPart) bool {
	return !isOld(r.p) || p.TypeText == nil || !strings.Contains(strings.ReplaceAll(*p.TypeText, "; ", ""), ";")
}

// isLoopback reports whether a host is this machine, for which a WebProxy asks no proxy.
func isLoopback(host string) bool {
	return host == "localhost" || host == "[::1]" || strings.HasPrefix(host, "127.") && plan.IsAddress(host)
}

// csharp7Packages are of .NET 8 itself, and not of what Unity and .NET Framework have.
var csharp7Packages = []plan.Package{{Name: "System.Text.Json", Version: "8.0.5", Import: "System.Text.Json"}}

// csharp7 returns what a client does over the HttpClient of mono 6.8, measured on the wire.
// That of .NET Framework is made of HttpWebRequest, and adds Connection, and Expect to
// content: HttpClientHandler.cs in its source.
func csharp7(facts plan.Client) *plan.Client {
	facts.Specified, facts.Proxies, facts.Versions = plan.ByURL, []string{"http"}, []string{"1.0", "1.1"}
	return &facts
}
