package golang

import (
	"slices"
	"strconv"
	"strings"

	"uncoil/code/internal/plan"
	"uncoil/internal/engine/meter"
)

// imports writes the imports, those of the standard library first.
func imports(p *plan.Program) {
	p.Line("import (")
	var modules []string
	for _, name := range p.Imports {
		if strings.Contains(name, ".") {
			modules = append(modules, name)
		} else {
			p.Line("\t", strconv.Quote(name))
		}
	}
	for i, name := range modules {
		if i > 0 || len(modules) < len(p.Imports) {
			p.Line()
		}
		p.Line("\t", strconv.Quote(name))
	}
	p.Line(")")
	p.Line()
}

// writeGo writes the frame of a program around its requests. write reports whether a
// request is sent by the client that all of its jar share, and which parameters of the program
// it has.
func writeGo(p *plan.Program, write func(c *plan.Call) (shares bool, parameters []string)) {
	shares := map[*plan.Call]bool{}
	takes := map[*plan.Call][]string{}
	if p.IsFunction() && len(p.Calls) > 1 {
		for i := range p.Calls {
			functionName(p, i)
		}
	}
	functions := p.Sections(p.Depth(1), func(c *plan.Call, _ string) {
		if p.Options.Bare || alone(p) {
			r := goRequest{p: p, c: c}
			r.computes()
			r.openJar()
		}
		shared, parameters := write(c)
		succeeds(p, c)
		if shared {
			p.Budget.Hold(bytesPerShare)
			shares[c] = true
		}
		if p.IsFunction() {
			p.Budget.Hold(bytesPerShare + len(parameters)*meter.SizeOf[string]())
			takes[c] = parameters
		}
	})
	for _, names := range takes {
		sortAs(names, p.Parameters())
	}
	var calls []byte
	if p.IsFunction() || !p.IsBeside() {
		calls = goCalls(p, shares, takes)
	}
	if !p.IsBeside() {
		p.Line("package main")
		p.Line()
	}
	if p.IsFunction() {
		p.Use("context")
	}
	p.Head(func() { imports(p) })
	defer p.Functions()
	function := func(i int) string {
		return "func " + functionName(p, i) + signature(p, p.Calls[i], shares, takes) + " {"
	}
	switch {
	case p.IsFunction():
		goFunction(p, functions, calls, function)
		return
	case p.Options.Bare:
		for _, f := range functions {
			p.Dst = append(p.Dst, f...)
		}
		return
	case alone(p):
		p.Line("func main() {")
		p.Dst = append(p.Dst, functions[0]...)
		p.Line("}")
		return
	}
	p.Line("func main() {")
	p.Dst = append(p.Dst, calls...)
	p.Line("}")
	for i, f := range functions {
		p.Line()
		p.Line(function(i))
		p.Dst = append(p.Dst, f...)
		p.Line("}")
	}
}

// sortAs puts names of parameters into the order in which the function has them.
func sortAs(names []string, parameters []plan.Parameter) {
	if len(names) < 2 {
		return
	}
	place := make(map[string]int, len(parameters))
	for i := range parameters {
		place[parameters[i].Name] = i
	}
	slices.SortFunc(names, func(a, b string) int { return place[a] - place[b] })
}
