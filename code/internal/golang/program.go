package golang

import (
	"strconv"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
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
// request is sent by the client that all of its jar share.
func writeGo(p *plan.Program, write func(c *plan.Call) bool) {
	shares := map[*plan.Call]bool{}
	functions := p.Sections(p.Depth(1), func(c *plan.Call, _ string) {
		if p.Options.Bare || len(p.Calls) == 1 {
			r := goRequest{p: p, c: c}
			r.computes()
			r.openJar()
		}
		if write(c) {
			p.Budget.Hold(bytesPerShare)
			shares[c] = true
		}
	})
	var calls []byte
	if !p.IsBeside() {
		calls = goCalls(p, shares)
		p.Line("package main")
		p.Line()
	}
	p.Head(func() { imports(p) })
	defer p.Functions()
	switch {
	case p.IsFunction():
		goFunction(p, functions[0])
		return
	case p.Options.Bare:
		for _, f := range functions {
			p.Dst = append(p.Dst, f...)
		}
		return
	case len(functions) == 1:
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
		p.Line("func request", emit.Itoa(i+1), signature(p.Calls[i], shares), " {")
		p.Dst = append(p.Dst, f...)
		p.Line("}")
	}
}
